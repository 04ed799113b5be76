/* DLPack: the tensors of other libraries, as NumPy arrays that view their memory.
 *
 * The structs are those of DLPack 1.3, laid out as its major version 1 guarantees
 * (https://dmlc.github.io/dlpack/latest/c_api.html). The consumer deletes an exported tensor, once:
 * after the import a capsule holds it, which is the base of the array. */

/* The requested version, whose fields are known. */
enum { FP_DL_MAJOR = 1, FP_DL_MINOR = 3 };

/* The devices that an interface can name. */
enum { FP_DL_CUDA = 2 };

enum { FP_DL_READ_ONLY = 1, FP_DL_IS_COPIED = 2 };

typedef struct {
    uint32_t major, minor;
} fp_dl_version;

typedef struct {
    int32_t type, id;
} fp_dl_device;

typedef struct {
    uint8_t code, bits;
    uint16_t lanes;
} fp_dl_type;

typedef struct {
    void *data; /* may be NULL if there are no elements */
    fp_dl_device device;
    int32_t ndim;
    fp_dl_type type;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL before DLPack 1.2: C-contiguous */
    uint64_t byte_offset;
} fp_dl_tensor;

typedef struct fp_dl_unversioned {
    fp_dl_tensor tensor;
    void *context;
    void (*deleter)(struct fp_dl_unversioned *self);
} fp_dl_unversioned;

typedef struct fp_dl_versioned {
    fp_dl_version version;
    void *context;
    void (*deleter)(struct fp_dl_versioned *self);
    uint64_t flags;
    fp_dl_tensor tensor;
} fp_dl_versioned;

typedef struct fp_dl_api_header {
    fp_dl_version version;
    struct fp_dl_api_header *previous; /* for consumers that support only older versions */
} fp_dl_api_header;

/* The value of a type's `__dlpack_c_exchange_api__`; it lives as long as the process. */
typedef struct {
    fp_dl_api_header header;
    int (*allocate)(fp_dl_tensor *prototype, fp_dl_versioned **out, void *context,
                    void (*raise)(void *context, const char *kind, const char *message));
    int (*give)(void *object, fp_dl_versioned **out);
    int (*take)(fp_dl_versioned *tensor, void **out);
    int (*look)(void *object, fp_dl_tensor *out);
    int (*current_stream)(int32_t device_type, int32_t device_id, void **out);
} fp_dl_api;

/* ---- Devices ------------------------------------------------------------------------------- */

/* True for memory that the CPU addresses: its own, memory pinned by CUDA and ROCm, and memory
 * managed by CUDA. */
static FP_UNUSED int
fp_on_cpu(fp_dl_device device)
{
    return device.type == 1 || device.type == 3 || device.type == 11 || device.type == 13;
}

/* " on cuda:0" */
static FP_COLD void
fp_append_device(fp_message *t, fp_dl_device device)
{
    static const char *const names[] = {
        NULL,      "cpu",          "cuda",   "cuda_host", "opencl",  NULL,
        NULL,      "vulkan",       "metal",  "vpi",       "rocm",    "rocm_host",
        "ext_dev", "cuda_managed", "oneapi", "webgpu",    "hexagon", "maia",
        "trn"};
    int known = device.type > 0 && device.type < (int)(sizeof(names) / sizeof(names[0]));
    const char *name = known ? names[device.type] : NULL;
    fp_append_string(t, " on ");
    if (name != NULL) {
        fp_append_string(t, name);
    }
    else {
        fp_append(t, "device %d", (int)device.type);
    }
    fp_append(t, ":%d", (int)device.id);
}

/* Checks that the parameter can use memory of this device. */
static FP_HELPER int
fp_check_device(PyObject *o, fp_dl_device device, const fp_param *p)
{
    fp_message t;
    if (p->device == 0 ? fp_on_cpu(device) : device.type == p->device) {
        return 1;
    }
    fp_begin_wanted(&t, p);
    fp_append_string(&t, p->device == 0 ? "an array in the CPU's memory, got "
                                        : "an array on a CUDA device, got ");
    fp_append_description(&t, o);
    fp_append_device(&t, device);
    return fp_raise(PyExc_TypeError, &t);
}

/* ---- Types --------------------------------------------------------------------------------- */

/* NumPy's type number; -1 for types that NumPy lacks. */
static FP_UNUSED int
fp_dl_numpy_type(fp_dl_type type)
{
    static const signed char by_bytes[7][5] = {
        /* of 1, 2, 4, 8 and 16 bytes */
        {NPY_INT8, NPY_INT16, NPY_INT32, NPY_INT64, -1},
        {NPY_UINT8, NPY_UINT16, NPY_UINT32, NPY_UINT64, -1},
        {-1, NPY_HALF, NPY_FLOAT32, NPY_FLOAT64, -1},
        {-1, -1, -1, -1, -1},
        {-1, -1, -1, -1, -1},
        {-1, -1, -1, NPY_COMPLEX64, NPY_COMPLEX128},
        {NPY_BOOL, -1, -1, -1, -1},
    };
    int column = type.bits == 8     ? 0
                 : type.bits == 16  ? 1
                 : type.bits == 32  ? 2
                 : type.bits == 64  ? 3
                 : type.bits == 128 ? 4
                                    : -1;
    return type.lanes != 1 || type.code > 6 || column < 0 ? -1 : by_bytes[type.code][column];
}

/* " of bfloat16", " of float32x4" */
static FP_COLD void
fp_append_dl_type(fp_message *t, fp_dl_type type)
{
    static const char *const names[] = {
        "int",           "uint",               "float",          "opaque",
        "bfloat",        "complex",            "bool",           "float8_e3m4",
        "float8_e4m3",   "float8_e4m3b11fnuz", "float8_e4m3fn",  "float8_e4m3fnuz",
        "float8_e5m2",   "float8_e5m2fnuz",    "float8_e8m0fnu", "float6_e2m3fn",
        "float6_e3m2fn", "float4_e2m1fn"};
    fp_append_string(t, " of ");
    if (type.code < sizeof(names) / sizeof(names[0])) {
        fp_append_string(t, names[type.code]);
    }
    else {
        fp_append(t, "DLPack's type %d of bits ", (int)type.code);
    }
    if (type.code < 7 || type.code > 17) {
        fp_append_integer(t, type.bits);
    }
    if (type.lanes != 1) {
        fp_append(t, "x%d", (int)type.lanes);
    }
}

static FP_COLD int
fp_dl_unknown_type(PyObject *o, fp_dl_type type, const fp_param *p)
{
    fp_message t;
    fp_begin_wanted(&t, p);
    fp_append_string(&t, "an array of ");
    fp_append_string(&t, fp_type_name(p->type));
    fp_append_string(&t, ", got ");
    fp_append_description(&t, o);
    fp_append_dl_type(&t, type);
    return fp_raise(PyExc_TypeError, &t);
}

/* ---- Layouts ------------------------------------------------------------------------------- */

static FP_UNUSED npy_intp
fp_dl_size(int64_t size)
{
    int fits = sizeof(npy_intp) == 8 || (size <= 0x7fffffff && size >= -0x7fffffff);
    return fits ? (npy_intp)size : FP_NO_DIM;
}

/* The shape and the strides in bytes, in NumPy's form. */
static FP_HELPER int
fp_dl_layout(const fp_dl_tensor *t, npy_intp *shape, npy_intp *strides, const fp_param *p)
{
    npy_intp packed = t->type.bits / 8, size = 1;
    int axis;
    if (t->ndim < 0 || t->ndim > NPY_MAXDIMS_LEGACY) {
        return fp_error(PyExc_ValueError, p, "a DLPack tensor of %d dimensions", (int)t->ndim);
    }
    for (axis = t->ndim - 1; axis >= 0; axis--) {
        shape[axis] = fp_dl_size(t->shape[axis]);
        strides[axis] = packed;
        if (t->strides != NULL && shape[axis] > 1) {
            strides[axis] = fp_mul(fp_dl_size(t->strides[axis]), t->type.bits / 8);
        }
        packed = fp_mul(packed, fp_max(shape[axis], 1));
        size = fp_mul(size, shape[axis]);
        if (shape[axis] < 0 || strides[axis] == FP_NO_DIM) {
            return fp_error(PyExc_ValueError, p,
                            "a DLPack tensor whose dimension %d has no valid size or stride", axis);
        }
    }
    return t->data != NULL || size == 0
               ? 1
               : fp_error(PyExc_ValueError, p, "a DLPack tensor without memory");
}

/* ---- Tensors ------------------------------------------------------------------------------- */

/* An array that views a tensor of `o`. It steals `holder`, which deletes the tensor. */
static FP_HELPER PyArrayObject *
fp_dl_view(const fp_dl_tensor *t, int writable, PyObject *holder, PyObject *o, const fp_param *p)
{
    npy_intp shape[NPY_MAXDIMS_LEGACY], strides[NPY_MAXDIMS_LEGACY];
    int type = fp_dl_numpy_type(t->type);
    PyArrayObject *array = NULL;
    if (fp_check_device(o, t->device, p) && (type >= 0 || fp_dl_unknown_type(o, t->type, p))
        && fp_dl_layout(t, shape, strides, p)) {
        /* With explicit strides, NumPy determines itself how the memory is aligned and contiguous.
         * Without memory, which only an empty tensor may lack, it allocates its own. */
        char *data = t->data == NULL ? NULL : (char *)t->data + t->byte_offset;
        array = (PyArrayObject *)PyArray_New(&PyArray_Type, t->ndim, shape, type, strides, data, 0,
                                             writable ? NPY_ARRAY_WRITEABLE : 0, NULL);
        if (array == NULL) {
            fp_explain_error(p);
        }
    }
    if (array == NULL) {
        Py_DECREF(holder);
    }
    else if (PyArray_SetBaseObject(array, holder) < 0) {
        Py_CLEAR(array);
    }
    return array;
}

#define FP_DL_HOLDER "fishplate_dlpack"

/* A tensor is deleted with no exception set: its deleter may be Python code. */
static FP_UNUSED void
fp_dl_delete_versioned(fp_dl_versioned *managed)
{
    fp_aside aside;
    if (managed->deleter != NULL) {
        fp_put_aside(&aside);
        managed->deleter(managed);
        fp_put_back(&aside);
    }
}

static FP_UNUSED void
fp_dl_delete_unversioned(fp_dl_unversioned *managed)
{
    fp_aside aside;
    if (managed->deleter != NULL) {
        fp_put_aside(&aside);
        managed->deleter(managed);
        fp_put_back(&aside);
    }
}

static FP_UNUSED void
fp_dl_drop_versioned(PyObject *holder)
{
    fp_dl_delete_versioned((fp_dl_versioned *)PyCapsule_GetPointer(holder, FP_DL_HOLDER));
}

static FP_UNUSED void
fp_dl_drop_unversioned(PyObject *holder)
{
    fp_dl_delete_unversioned((fp_dl_unversioned *)PyCapsule_GetPointer(holder, FP_DL_HOLDER));
}

/* Consumes a tensor of `o`, and views it. A copy by the producer is not writable memory of the
 * caller. */
static FP_HELPER PyArrayObject *
fp_dl_take_versioned(fp_dl_versioned *managed, PyObject *o, const fp_param *p)
{
    PyObject *holder = PyCapsule_New(managed, FP_DL_HOLDER, fp_dl_drop_versioned);
    if (holder == NULL) {
        fp_dl_delete_versioned(managed);
        return NULL;
    }
    if (managed->version.major != FP_DL_MAJOR) {
        fp_error(PyExc_TypeError, p, "wanted a tensor of DLPack %d, got one of DLPack %u", FP_DL_MAJOR,
                 (unsigned)managed->version.major);
        Py_DECREF(holder);
        return NULL;
    }
    return fp_dl_view(&managed->tensor, !(managed->flags & (FP_DL_READ_ONLY | FP_DL_IS_COPIED)), holder,
                      o, p);
}

/* The same before DLPack 1.0, which cannot mark memory as read-only: it is treated as such, except
 * on a device, where results have no other way. */
static FP_HELPER PyArrayObject *
fp_dl_take_unversioned(fp_dl_unversioned *managed, PyObject *o, const fp_param *p)
{
    PyObject *holder = PyCapsule_New(managed, FP_DL_HOLDER, fp_dl_drop_unversioned);
    if (holder == NULL) {
        fp_dl_delete_unversioned(managed);
        return NULL;
    }
    return fp_dl_view(&managed->tensor, p->device != 0, holder, o, p);
}

/* Takes the tensor out of a capsule from `__dlpack__`, and renames the capsule. */
static FP_HELPER PyArrayObject *
fp_dl_take(PyObject *capsule, PyObject *o, const fp_param *p)
{
    void *managed;
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        managed = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        if (managed == NULL || PyCapsule_SetName(capsule, "used_dltensor_versioned") != 0) {
            return NULL;
        }
        return fp_dl_take_versioned((fp_dl_versioned *)managed, o, p);
    }
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        managed = PyCapsule_GetPointer(capsule, "dltensor");
        if (managed == NULL || PyCapsule_SetName(capsule, "used_dltensor") != 0) {
            return NULL;
        }
        return fp_dl_take_unversioned((fp_dl_unversioned *)managed, o, p);
    }
    fp_error(PyExc_TypeError, p, "%s.__dlpack__() did not return a new DLPack capsule", fp_class_name(Py_TYPE(o)));
    return NULL;
}

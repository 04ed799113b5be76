/* C-allocated memory: its objects in Python, and their lifetime.
 *
 * Strings and bytes are copied, and so is memory that is freed with values of the call. Another array is a view, which
 * owns the memory (its base, a capsule, frees it once), or retains the owner of the memory. */

#define FP_MEMORY "fishplate.memory" /* the name of capsules around memory that C allocated */

typedef struct {
    PyObject *object; /* the object that was created from it; NULL before */
    int kept;         /* the object frees the memory */
    npy_intp taken;   /* of an array of objects: so many have Python objects, the last ones */
    npy_intp shape[FP_MAX_DIMENSIONS];
} fp_received;

/* Before the call: there is no memory yet. */
static inline void
fp_expect(fp_received *h)
{
    h->object = NULL;
    h->kept = 0;
    h->taken = 0;
}

static inline PyObject *
fp_return_received(fp_received *h)
{
    return Py_NewRef(h->object);
}

/* NULL becomes None if that is allowed, else a failure; 1: not NULL. -1: None. */
static FP_HELPER int
fp_receive_null(fp_received *h, const void *data, int nullable, const fp_param *p)
{
    if (data != NULL) {
        return 1;
    }
    if (!nullable) {
        return fp_error(PyExc_RuntimeError, p, "C returned NULL");
    }
    h->object = Py_NewRef(Py_None);
    return -1;
}

/* The shape is determined by C. */
static FP_HELPER int
fp_receive_shape(const fp_received *h, const fp_param *p)
{
    int axis;
    for (axis = 0; axis < p->ndim; axis++) {
        if (h->shape[axis] == FP_NO_DIM) {
            return fp_error(PyExc_RuntimeError, p, "dimension %d, computed after the call, overflowed, divided by zero or was read beyond an array", axis);
        }
        if (h->shape[axis] < 0) {
            return fp_error(PyExc_RuntimeError, p, "dimension %d, computed after the call, is %zd", axis,
                            (Py_ssize_t)h->shape[axis]);
        }
    }
    return 1;
}

static FP_HELPER int
fp_receive_string(fp_received *h, const char *text, npy_intp length, int nullable, const fp_param *p)
{
    int there = fp_receive_null(h, text, nullable, p);
    if (there == 1) {
        h->object = fp_make_string(text, length, p);
    }
    return h->object != NULL;
}

/* A copy of a struct. */
static FP_UNUSED int
fp_receive_record(fp_received *h, const void *data, const fp_struct *of, int nullable, const fp_param *p)
{
    if (fp_receive_null(h, data, nullable, p) == 1) {
        h->object = fp_new_record(of, data, NULL);
    }
    return h->object != NULL;
}

/* `count` bytes, or the string in them, with space for NULL if there are none. */
static FP_HELPER int
fp_receive_bytes(fp_received *h, const void *data, int nullable, const fp_param *p)
{
    int empty, there;
    if (!fp_receive_shape(h, p)) {
        return 0;
    }
    empty = h->shape[0] == 0 && !nullable;
    there = empty ? 1 : fp_receive_null(h, data, nullable, p);
    if (there == 1 && p->type == NPY_STRING) {
        h->object = PyBytes_FromStringAndSize((const char *)data, data == NULL ? 0 : h->shape[0]);
    }
    else if (there == 1) {
        const char *text = data == NULL ? "" : (const char *)data;
        const char *end = (const char *)memchr(text, 0, (size_t)h->shape[0]);
        h->object = fp_make_string(text, end == NULL ? h->shape[0] : end - text, p);
    }
    return h->object != NULL;
}

/* An array on memory that `keeper`, which is stolen, keeps alive; NULL: it has static storage. */
static FP_HELPER int
fp_receive_view(fp_received *h, const void *data, PyObject *keeper, const fp_param *p)
{
    int order = fp_is_fortran(p) ? NPY_ARRAY_F_CONTIGUOUS : NPY_ARRAY_C_CONTIGUOUS;
    PyObject *array = PyArray_New(&PyArray_Type, p->ndim, h->shape, p->type, NULL, (void *)data, 0,
                                  order | NPY_ARRAY_ALIGNED | (p->flags & NPY_ARRAY_WRITEABLE), NULL);
    if (array == NULL) {
        Py_XDECREF(keeper);
        return 0;
    }
    if (keeper != NULL && PyArray_SetBaseObject((PyArrayObject *)array, keeper) < 0) {
        Py_DECREF(array);
        return 0;
    }
    h->object = array;
    return 1;
}

/* 1: there is memory to view. -1: there is none, and h->object is the result. */
static FP_HELPER int
fp_receive_memory(fp_received *h, const void *data, int nullable, const fp_param *p)
{
    int axis, empty = 0;
    if (!fp_receive_shape(h, p)) {
        return 0;
    }
    for (axis = 0; axis < p->ndim; axis++) {
        empty = empty || h->shape[axis] == 0;
    }
    if (data == NULL && empty && !nullable) {
        return fp_receive_view(h, NULL, NULL, p) ? -1 : 0;
    }
    return fp_receive_null(h, data, nullable, p);
}

/* An array with a copy of the memory. */
static FP_UNUSED int
fp_receive_copied(fp_received *h, const void *data, int nullable, const fp_param *p)
{
    if (fp_receive_memory(h, data, nullable, p) == 1) {
        h->object = PyArray_New(&PyArray_Type, p->ndim, h->shape, p->type, NULL, NULL, 0, fp_is_fortran(p), NULL);
        if (h->object != NULL) {
            PyArrayObject *array = (PyArrayObject *)h->object;
            memcpy(PyArray_DATA(array), data, (size_t)PyArray_NBYTES(array));
        }
    }
    return h->object != NULL;
}

/* An array that calls `destroy`, once, when it and all its views are released. */
static FP_HELPER int
fp_receive_owned(fp_received *h, const void *data, PyCapsule_Destructor destroy, int nullable,
                 const fp_param *p)
{
    int there = fp_receive_memory(h, data, nullable, p);
    PyObject *capsule;
    if (there != 1) {
        return there != 0;
    }
    capsule = PyCapsule_New((void *)data, FP_MEMORY, destroy);
    if (capsule == NULL) {
        return 0;
    }
    h->kept = 1;
    return fp_receive_view(h, data, capsule, p);
}

/* ---- Lenders ------------------------------------------------------------------------------- */

/* Prepares an array of which C may return views: a copy of it must not be on C's stack. */
static FP_HELPER int
fp_prepare_views(fp_array *x, const fp_param *p)
{
    if ((x->held & FP_PACKED) && !(x->held & FP_ALLOCATED)) {
        npy_intp size = fp_size(x, p->ndim) * p->size;
        void *memory = PyMem_Malloc(size > 0 ? (size_t)size : 1);
        if (memory == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        memcpy(memory, x->data, (size_t)size);
        x->data = x->memory = memory;
        x->held |= FP_ALLOCATED;
    }
    return 1;
}

static void
fp_free_copy(PyObject *capsule)
{
    PyMem_Free(PyCapsule_GetPointer(capsule, FP_MEMORY));
}

/* The object that keeps an argument's memory alive, as a new reference. */
static FP_HELPER PyObject *
fp_keeper(fp_array *x)
{
    PyObject *keeper;
    if (x->held & FP_ALLOCATED) {
        keeper = PyCapsule_New(x->memory, FP_MEMORY, fp_free_copy);
        x->held &= keeper == NULL ? ~0 : ~FP_ALLOCATED;
        return keeper;
    }
    keeper = x->held & (FP_OWNS | FP_VIEWS) ? (PyObject *)x->owner
             : x->array != NULL             ? (PyObject *)x->array
             : x->data != NULL              ? x->container
                                            : Py_None;
    return Py_NewRef(keeper);
}

/* The object refers to memory of an argument. The exporter cannot move it before the object is
 * released: the export of a buffer is held, and a copy belongs to the object. */
static FP_UNUSED int
fp_keep_array(fp_handle *handle, int k, fp_array *x)
{
    PyObject *keeper = fp_keeper(x);
    handle->links->kept[k].object = keeper;
    return keeper != NULL;
}

/* Whether an argument's memory is writable; its own copy always is. */
static FP_HELPER int
fp_is_writable(const fp_array *x, PyObject *keeper)
{
    Py_buffer buffer;
    if (x->held & FP_PACKED) {
        return 1;
    }
    if (x->array != NULL) {
        return PyArray_ISWRITEABLE(x->array);
    }
    if (PyMemoryView_Check(keeper)) {
        return fp_buffer_of(keeper, &buffer) && !buffer.readonly;
    }
    return !PyBytes_Check(keeper);
}

/* The owner of memory of which C may return views: an array, or an object. */
typedef struct {
    fp_array *array;
    fp_handle *handle;
} fp_viewed;

static void
fp_end_use(PyObject *capsule)
{
    fp_handle *handle = (fp_handle *)PyCapsule_GetPointer(capsule, FP_MEMORY);
    FP_BEGIN_SHARED
    handle->views--;
    FP_END_SHARED
    fp_drop_handle(handle);
    Py_DECREF((PyObject *)handle);
}

/* The reference that keeps an object's memory alive: a use of its handle, which may have been
 * closed. */
static FP_HELPER PyObject *
fp_keep_use(fp_handle *handle)
{
    PyObject *keeper = handle == NULL ? Py_NewRef(Py_None) : PyCapsule_New(handle, FP_MEMORY, fp_end_use);
    if (keeper != NULL && handle != NULL) {
        Py_INCREF((PyObject *)handle);
        FP_BEGIN_SHARED
        handle->uses++;
        handle->views++;
        FP_END_SHARED
    }
    return keeper;
}

/* A view of memory of these arguments, or of memory with static storage. It is writable if all of
 * them are. */
static FP_HELPER int
fp_receive_borrowed(fp_received *h, const void *data, const fp_viewed *owners, int count, int nullable,
                    const fp_param *p)
{
    PyObject *keepers = NULL;
    int there = fp_receive_memory(h, data, nullable, p), k, writable = 1;
    if (there != 1) {
        return there != 0;
    }
    if (count > 0) {
        keepers = PyTuple_New(count);
        if (keepers == NULL) {
            return 0;
        }
    }
    for (k = 0; k < count; k++) {
        fp_array *x = owners[k].array;
        PyObject *keeper = x == NULL ? fp_keep_use(owners[k].handle) : fp_keeper(x);
        if (keeper == NULL) {
            Py_DECREF(keepers);
            return 0;
        }
        fp_set_tuple_item(keepers, k, keeper);
        writable = writable && (x == NULL || fp_is_writable(x, keeper));
    }
    if (!fp_receive_view(h, data, keepers, p)) {
        return 0;
    }
    if (!writable) {
        PyArray_CLEARFLAGS((PyArrayObject *)h->object, NPY_ARRAY_WRITEABLE);
    }
    return 1;
}

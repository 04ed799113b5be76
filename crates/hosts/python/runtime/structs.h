/* Structs: C structs as objects of Python.
 *
 * An object has its own memory, or views another's, which it then retains. The compiler determines
 * the size of a struct and the offsets of its fields. */

enum {
    FP_TYPE_STRUCT = 1011,
    FP_FIELD_DIMENSIONS = 8,
    FP_INSIDE = 256 /* limit on the bytes of a struct inside of its object */
};

struct fp_struct;

/* A field. Values for it are checked by its `param`. */
typedef struct {
    fp_param param;
    const struct fp_struct *of; /* of a nested struct; else NULL */
    const fp_enum *members;     /* of an enum, whose integers are stored as those of param.type; else NULL */
    size_t offset;
    size_t size; /* of the whole field, also of a string */
    npy_intp shape[FP_FIELD_DIMENSIONS];
} fp_field;

typedef struct fp_struct {
    const char *name; /* "shapes.Point" */
    size_t size;
    const fp_field *fields;
    int count;
    const char *doc;
    PyTypeObject *type;     /* made when the module is loaded */
    PyArray_Descr *dtype;   /* the same of arrays */
    PyGetSetDef *attributes;
    int truths;             /* it has bools, also in nested structs */
    int enums;              /* it has enums, likewise */
    PyTypeObject *plain;    /* the type, if any bytes are a value: it has neither bools nor enums */
} fp_struct;

/* The parameter table for a struct, or an array of structs. */
typedef struct {
    fp_param param;
    const fp_struct *of;
} fp_struct_param;

typedef struct {
    PyObject_HEAD
    const fp_struct *of;
    char *data;
    PyObject *owner; /* NULL: the memory is the object's own */
} fp_record;

/* The offset of a struct in its object: aligned like allocated memory. */
#define FP_INSIDE_AT ((sizeof(fp_record) + 15) / 16 * 16)

static inline int
fp_is_record(PyObject *o, const fp_struct *of)
{
    return Py_TYPE(o) == of->type;
}

/* True if all bools of `count` structs are 0 or 1; with `mend` they are normalised. */
static FP_HELPER int
fp_check_truths(const fp_struct *of, char *data, size_t count, int mend)
{
    size_t k;
    int i, valid = 1;
    for (k = 0; of->truths && k < count; k++, data += of->size) {
        for (i = 0; i < of->count; i++) {
            const fp_field *field = &of->fields[i];
            char bits = 0, *at = data + field->offset;
            if (field->of != NULL) {
                valid = fp_check_truths(field->of, at, field->size / field->of->size, mend) && valid;
            }
            else if (field->param.type == NPY_BOOL) {
                fp_gather_bits(&bits, at, (npy_intp)field->size, 1);
                valid = valid && (unsigned char)bits <= 1;
                if (mend) {
                    fp_load_truths(at, at, (npy_intp)field->size, 1);
                }
            }
        }
    }
    return valid;
}

/* Each enum in `count` structs has a value that C may receive. */
static FP_HELPER int
fp_check_struct_members(const fp_struct *of, const char *data, size_t count, const fp_param *p)
{
    size_t k;
    int i;
    for (k = 0; of->enums && k < count; k++, data += of->size) {
        for (i = 0; i < of->count; i++) {
            const fp_field *field = &of->fields[i];
            const char *at = data + field->offset;
            if (field->of != NULL && !fp_check_struct_members(field->of, at, field->size / field->of->size, p)) {
                return 0;
            }
            if (field->members != NULL) {
                ptrdiff_t all = (ptrdiff_t)(field->size / (size_t)field->members->size);
                ptrdiff_t bad = fp_find_nonmember(field->members, at, all);
                if (bad < all) {
                    fp_message t;
                    fp_begin(&t, p);
                    fp_append(&t, "field '%s' of a %s is ", field->param.name, fp_last_name(of->name));
                    fp_append_integer(&t, (npy_intp)fp_load_enum(field->members, at + bad * field->members->size));
                    fp_append(&t, ", not a member of %s", fp_last_name(field->members->name));
                    fp_append_members(&t, field->members);
                    return fp_raise(PyExc_ValueError, &t);
                }
            }
        }
    }
    return 1;
}

/* A new object: zeros, or a copy of `from`, or a view of memory of `owner`. */
static FP_HELPER PyObject *
fp_new_record(const fp_struct *of, const void *from, PyObject *owner)
{
    fp_record *record = (fp_record *)PyType_GenericAlloc(of->type, 0);
    if (record == NULL) {
        return NULL;
    }
    record->of = of;
    if (owner != NULL) {
        record->data = (char *)(uintptr_t)from;
        record->owner = Py_NewRef(owner);
        return (PyObject *)record;
    }
    record->data = of->size <= FP_INSIDE ? (char *)record + FP_INSIDE_AT : (char *)PyMem_Calloc(1, of->size);
    if (record->data == NULL) {
        Py_DECREF((PyObject *)record);
        return PyErr_NoMemory();
    }
    if (from != NULL) {
        memcpy(record->data, from, of->size);
    }
    return (PyObject *)record;
}

static void
fp_record_dealloc(PyObject *self)
{
    fp_record *record = (fp_record *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (record->owner == NULL && record->of->size > FP_INSIDE) {
        PyMem_Free(record->data);
    }
    Py_XDECREF(record->owner);
    PyObject_Free(self);
    Py_DECREF((PyObject *)type);
}

/* ---- Fields ---------------------------------------------------------------------------------------- */

/* A number from memory of any alignment. */
static FP_HELPER PyObject *
fp_number_at(const char *at, int type)
{
    union {
        int8_t i8; int16_t i16; int32_t i32; int64_t i64;
        uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
        float f32; double f64; float c64[2]; double c128[2];
    } n;
    memset(&n, 0, sizeof(n));
#define FP_NUMBER_AT(MEMBER, MADE) memcpy(&n.MEMBER, at, sizeof(n.MEMBER)); return MADE
    switch (type) {
    case NPY_BOOL: FP_NUMBER_AT(u8, PyBool_FromLong(n.u8));
    case NPY_INT8: FP_NUMBER_AT(i8, PyLong_FromLong(n.i8));
    case NPY_INT16: FP_NUMBER_AT(i16, PyLong_FromLong(n.i16));
    case NPY_INT32: FP_NUMBER_AT(i32, PyLong_FromLong(n.i32));
    case NPY_INT64: FP_NUMBER_AT(i64, PyLong_FromLongLong(n.i64));
    case NPY_UINT8: FP_NUMBER_AT(u8, PyLong_FromLong(n.u8));
    case NPY_UINT16: FP_NUMBER_AT(u16, PyLong_FromLong(n.u16));
    case NPY_UINT32: FP_NUMBER_AT(u32, PyLong_FromUnsignedLong(n.u32));
    case NPY_UINT64: FP_NUMBER_AT(u64, PyLong_FromUnsignedLongLong(n.u64));
    case NPY_FLOAT32: FP_NUMBER_AT(f32, PyFloat_FromDouble(n.f32));
    case NPY_FLOAT64: FP_NUMBER_AT(f64, PyFloat_FromDouble(n.f64));
    case NPY_COMPLEX64: FP_NUMBER_AT(c64, PyComplex_FromDoubles(n.c64[0], n.c64[1]));
    default: FP_NUMBER_AT(c128, PyComplex_FromDoubles(n.c128[0], n.c128[1]));
    }
#undef FP_NUMBER_AT
}

/* Sets a number in memory of any alignment. */
static FP_HELPER int
fp_set_number_at(char *at, PyObject *value, const fp_param *p)
{
    union { int64_t i; double f; float h; double c[2]; float d[2]; unsigned char b[16]; } n;
    int done;
    switch (p->type) {
    case NPY_BOOL: done = fp_read_bool(value, &n, p); break;
    case NPY_FLOAT32: done = fp_read_float32(value, &n.h, p); break;
    case NPY_FLOAT64: done = fp_read_float64(value, &n.f, p); break;
    case NPY_COMPLEX64: done = fp_read_complex64(value, &n, p); break;
    case NPY_COMPLEX128: done = fp_read_complex128(value, &n, p); break;
    default: done = fp_read_integer(value, &n, p);
    }
    if (done) {
        memcpy(at, &n, (size_t)p->size);
    }
    return done;
}

/* The array of a field: a view, which retains its object. */
static FP_HELPER PyObject *
fp_field_view(PyObject *self, const fp_field *field)
{
    PyArray_Descr *descr = field->of == NULL ? PyArray_DescrFromType(field->param.type)
                                             : (PyArray_Descr *)Py_NewRef((PyObject *)field->of->dtype);
    char *at = ((fp_record *)self)->data + field->offset;
    npy_intp shape[FP_FIELD_DIMENSIONS];
    PyObject *view;
    memcpy(shape, field->shape, sizeof(shape));
    view = descr == NULL ? NULL
                         : PyArray_NewFromDescr(&PyArray_Type, descr, field->param.ndim, shape, NULL, at,
                                                NPY_ARRAY_WRITEABLE, NULL);
    if (view == NULL) {
        return NULL;
    }
    PyArray_UpdateFlags((PyArrayObject *)view, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED);
    if (PyArray_SetBaseObject((PyArrayObject *)view, Py_NewRef(self)) < 0) {
        Py_CLEAR(view);
    }
    return view;
}

static PyObject *
fp_record_get(PyObject *self, void *closure)
{
    const fp_field *field = (const fp_field *)closure;
    char *at = ((fp_record *)self)->data + field->offset;
    if (field->param.ndim > 0) {
        return fp_field_view(self, field);
    }
    if (field->param.type == NPY_UNICODE) {
        return fp_make_string(at, fp_written_length(at, (npy_intp)field->size), &field->param);
    }
    if (field->members != NULL) {
        return fp_from_enum(field->members, fp_load_enum(field->members, at));
    }
    return field->of != NULL ? fp_new_record(field->of, at, self) : fp_number_at(at, field->param.type);
}

/* The same for one double, the most frequent type. */
static PyObject *
fp_record_get_double(PyObject *self, void *closure)
{
    double value;
    memcpy(&value, ((fp_record *)self)->data + ((const fp_field *)closure)->offset, sizeof(value));
    return PyFloat_FromDouble(value);
}

static int fp_structs_in(fp_array *x, PyObject *o, const fp_param *p);
static int fp_convert_struct(PyObject *o, void *variable, const fp_struct_param *p);

/* Sets a field; unchanged if the value is refused. */
static FP_HELPER int
fp_set_field(PyObject *self, const fp_field *field, PyObject *value)
{
    char *at = ((fp_record *)self)->data + field->offset;
    fp_struct_param p;
    fp_array x;
    int axis, done;
    p.param = field->param;
    p.of = field->of;
    if (field->param.type == NPY_UNICODE) {
        const char *text;
        return fp_read_string(value, &text, &field->param)
               && fp_put_string(at, (npy_intp)field->size, text, &field->param);
    }
    if (field->param.ndim == 0 && field->members != NULL) {
        const fp_enum_param member = {field->param, field->members};
        return fp_read_enum(value, at, &member);
    }
    if (field->param.ndim == 0) {
        return field->of != NULL ? fp_convert_struct(value, at, &p) : fp_set_number_at(at, value, &field->param);
    }
    done = field->of != NULL ? fp_structs_in(&x, value, &p.param) : fp_array_in(&x, value, &field->param);
    for (axis = 0; done && axis < field->param.ndim; axis++) {
        done = fp_check_dim(&x, axis, field->shape[axis], NULL, &field->param);
    }
    done = done && (field->members == NULL || fp_check_members(&x, field->members, &field->param));
    if (done) {
        memmove(at, x.data, field->size); /* it may be the field itself */
    }
    fp_release(&x);
    return done;
}

static int
fp_record_set(PyObject *self, PyObject *value, void *closure)
{
    const fp_field *field = (const fp_field *)closure;
    if (value == NULL) {
        PyErr_Format(PyExc_TypeError, "%s.%s cannot be deleted", field->param.function, field->param.name);
        return -1;
    }
    return fp_set_field(self, field, value) ? 0 : -1;
}

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
    size_t offset;
    size_t size; /* of the whole field */
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
    PyTypeObject *plain;    /* the type, if any bytes are a value: it has no bools */
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
static int fp_read_struct(PyObject *o, void *variable, const fp_struct_param *p);

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
    if (field->param.ndim == 0) {
        return field->of != NULL ? fp_read_struct(value, at, &p) : fp_set_number_at(at, value, &field->param);
    }
    done = field->of != NULL ? fp_structs_in(&x, value, &p.param) : fp_array_in(&x, value, &field->param);
    for (axis = 0; done && axis < field->param.ndim; axis++) {
        done = fp_check_dim(&x, axis, field->shape[axis], NULL, &field->param);
    }
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

/* ---- Objects -------------------------------------------------------------------------------------- */

/* "Point() has no field 'z'; it has x, y" */
static FP_HELPER void
fp_refuse_field(const fp_struct *of, PyObject *keywords)
{
    PyObject *name, *value, *names = PyUnicode_FromString("");
    Py_ssize_t at = 0;
    int k;
    for (k = 0; names != NULL && k < of->count; k++) {
        PyObject *more = PyUnicode_FromFormat(k ? "%U, %s" : "%U%s", names, of->fields[k].param.name);
        fp_set_reference(&names, more);
    }
    while (names != NULL && PyDict_Next(keywords, &at, &name, &value)) {
        for (k = 0; k < of->count && PyUnicode_CompareWithASCIIString(name, of->fields[k].param.name) != 0;) {
            k++;
        }
        if (k == of->count) {
            PyErr_Format(PyExc_TypeError, "%s() has no field '%U'; it has %U", strrchr(of->name, '.') + 1,
                         name, names);
            break;
        }
    }
    Py_XDECREF(names);
}

static FP_HELPER int
fp_fill_record(PyObject *self, const fp_struct *of, PyObject *args, PyObject *keywords)
{
    Py_ssize_t given = fp_tuple_size(args), used = 0;
    const char *name = strrchr(of->name, '.') + 1;
    int k;
    if (given > of->count) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d values at most, got %zd", name, of->count, given);
        return 0;
    }
    for (k = 0; k < of->count; k++) {
        const fp_field *field = &of->fields[k];
        PyObject *value = k < given ? fp_tuple_item(args, k) : NULL;
        PyObject *named = keywords == NULL ? NULL : PyDict_GetItemString(keywords, field->param.name);
        if (named != NULL && value != NULL) {
            PyErr_Format(PyExc_TypeError, "%s() got '%s' twice", name, field->param.name);
            return 0;
        }
        used += named != NULL;
        value = named != NULL ? named : value;
        if (value != NULL && !fp_set_field(self, field, value)) {
            return 0;
        }
    }
    if (keywords != NULL && used < PyDict_Size(keywords)) {
        fp_refuse_field(of, keywords);
        return 0;
    }
    return 1;
}

/* An object from the values of its fields; zeros by default. */
static FP_HELPER PyObject *
fp_build_record(const fp_struct *of, PyObject *args, PyObject *keywords)
{
    PyObject *self = fp_new_record(of, NULL, NULL);
    if (self != NULL && !fp_fill_record(self, of, args, keywords)) {
        Py_CLEAR(self);
    }
    return self;
}

/* The values of all fields: arrays as lists. */
static FP_HELPER PyObject *
fp_record_values(PyObject *self)
{
    const fp_struct *of = ((fp_record *)self)->of;
    PyObject *values = PyTuple_New(of->count);
    int k;
    for (k = 0; values != NULL && k < of->count; k++) {
        PyObject *value = fp_record_get(self, (void *)(uintptr_t)&of->fields[k]);
        if (value != NULL && of->fields[k].param.ndim > 0) {
            fp_set_reference(&value, PyArray_ToList((PyArrayObject *)value));
        }
        if (value == NULL) {
            Py_CLEAR(values);
            break;
        }
        fp_set_tuple_item(values, k, value);
    }
    return values;
}

static PyObject *
fp_record_repr(PyObject *self)
{
    const fp_struct *of = ((fp_record *)self)->of;
    PyObject *values = fp_record_values(self);
    PyObject *text = values == NULL ? NULL : PyUnicode_FromFormat("%s(", strrchr(of->name, '.') + 1);
    int k;
    for (k = 0; text != NULL && k < of->count; k++) {
        fp_set_reference(&text, PyUnicode_FromFormat("%U%s%s=%R", text, k ? ", " : "", of->fields[k].param.name,
                                             fp_tuple_item(values, k)));
    }
    Py_XDECREF(values);
    if (text != NULL) {
        fp_set_reference(&text, PyUnicode_FromFormat("%U)", text));
    }
    return text;
}

static PyObject *
fp_record_compare(PyObject *self, PyObject *other, int op)
{
    PyObject *mine, *others, *result = NULL;
    if ((op != Py_EQ && op != Py_NE) || Py_TYPE(self) != Py_TYPE(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    mine = fp_record_values(self);
    others = mine == NULL ? NULL : fp_record_values(other);
    if (others != NULL) {
        result = PyObject_RichCompare(mine, others, op);
    }
    Py_XDECREF(mine);
    Py_XDECREF(others);
    return result;
}

static PyObject *
fp_record_copy(PyObject *self, PyObject *unused)
{
    fp_record *record = (fp_record *)self;
    (void)unused;
    return fp_new_record(record->of, record->data, NULL);
}

static PyObject *
fp_record_reduce(PyObject *self, PyObject *unused)
{
    PyObject *both[2];
    (void)unused;
    both[0] = Py_NewRef((PyObject *)Py_TYPE(self));
    both[1] = fp_record_values(self);
    return fp_tuple(both, 2);
}

FP_GLOBAL PyMethodDef fp_record_methods[] = {
    {"copy", fp_record_copy, METH_NOARGS, "copy($self)\n--\n\nThe same in memory of its own."},
    {"__copy__", fp_record_copy, METH_NOARGS, NULL},
    {"__deepcopy__", fp_record_copy, METH_O, NULL},
    {"__reduce__", fp_record_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* ---- Values ---------------------------------------------------------------------------------------- */

/* An array, or an element of one, of exactly this type: names, offsets and formats. */
static inline int
fp_has_dtype(PyArray_Descr *descr, const fp_struct *of)
{
    return descr == of->dtype || PyArray_EquivTypes(descr, of->dtype);
}

static FP_COLD int
fp_refuse_struct(PyObject *o, const fp_struct_param *p)
{
    const char *name = strrchr(p->of->name, '.') + 1;
    fp_message t;
    fp_begin(&t, &p->param);
    fp_append(&t, p->param.ndim > 0 ? "wanted an array of %s.dtype, got " : "wanted a %s, got ", name);
    fp_append_description(&t, o);
    return fp_raise(PyExc_TypeError, &t);
}

/* Reads an object, an element of an array, or a tuple of values, to a variable of C's type. */
static FP_HELPER int
fp_read_struct(PyObject *o, void *variable, const fp_struct_param *p)
{
    if (PyTuple_Check(o)) {
        PyObject *made;
        if (fp_tuple_size(o) > p->of->count) {
            fp_message t;
            fp_begin(&t, &p->param);
            fp_append(&t, "wanted %d values of a %s at most, got a tuple of %zd", p->of->count,
                      strrchr(p->of->name, '.') + 1, fp_tuple_size(o));
            return fp_raise(PyExc_TypeError, &t);
        }
        made = fp_build_record(p->of, o, NULL);
        if (made != NULL) {
            memcpy(variable, ((fp_record *)made)->data, p->of->size);
            Py_DECREF(made);
        }
        return made != NULL;
    }
    if (fp_is_record(o, p->of)) {
        memmove(variable, ((fp_record *)o)->data, p->of->size);
        fp_check_truths(p->of, (char *)variable, 1, 1);
        return 1;
    }
    if (PyArray_IsScalar(o, Void)) {
        PyArray_Descr *descr = PyArray_DescrFromScalar(o);
        int same = descr != NULL && fp_has_dtype(descr, p->of);
        Py_XDECREF((PyObject *)descr);
        if (same) {
            void *data;
            PyArray_ScalarAsCtype(o, &data); /* for a record: its address */
            memcpy(variable, data, p->of->size);
            fp_check_truths(p->of, (char *)variable, 1, 1);
            return 1;
        }
    }
    return PyErr_Occurred() ? 0 : fp_refuse_struct(o, p);
}

/* The same, with the size of the variable from the compiler, which need not have an address in most calls. */
#define FP_READ_STRUCT(O, VARIABLE, P)                                                          \
    __extension__({                                                                             \
        int fp_done = 1;                                                                        \
        if (FP_LIKELY(Py_TYPE(O) == (P)->of->plain)) {                                          \
            memcpy((void *)(VARIABLE), ((fp_record *)(O))->data, sizeof(*(VARIABLE)));          \
        }                                                                                       \
        else {                                                                                  \
            __typeof__(*(VARIABLE)) fp_copy;                                                    \
            fp_done = fp_read_struct(O, (void *)&fp_copy, P);                                   \
            if (fp_done) {                                                                      \
                memcpy((void *)(VARIABLE), (const void *)&fp_copy, sizeof(fp_copy));            \
            }                                                                                   \
        }                                                                                       \
        fp_done;                                                                                \
    })

/* The same, for an object that C will change. */
static FP_HELPER int
fp_read_record(PyObject *o, void *variable, const fp_struct_param *p)
{
    return fp_is_record(o, p->of) ? fp_read_struct(o, variable, p) : fp_refuse_struct(o, p);
}

static FP_UNUSED void
fp_write_record(PyObject *o, const void *variable)
{
    memcpy(((fp_record *)o)->data, variable, ((fp_record *)o)->of->size);
}

/* ---- Loading --------------------------------------------------------------------------------------- */

/* The format of a field: a dtype, and with dimensions a pair of that and the dimensions. */
static FP_HELPER PyObject *
fp_field_format(const fp_field *field)
{
    PyObject *descr = field->of == NULL ? (PyObject *)PyArray_DescrFromType(field->param.type)
                                        : Py_NewRef((PyObject *)field->of->dtype);
    PyObject *shape, *both[2];
    int k;
    if (descr == NULL || field->param.ndim == 0) {
        return descr;
    }
    shape = PyTuple_New(field->param.ndim);
    for (k = 0; shape != NULL && k < field->param.ndim; k++) {
        PyObject *dimension = PyLong_FromSsize_t((Py_ssize_t)field->shape[k]);
        if (dimension == NULL) {
            Py_CLEAR(shape);
            break;
        }
        fp_set_tuple_item(shape, k, dimension);
    }
    if (shape == NULL) {
        Py_DECREF(descr);
        return NULL;
    }
    both[0] = descr;
    both[1] = shape;
    return fp_tuple(both, 2);
}

/* The dtype: names, formats, offsets, and the size with the padding at the end. */
static FP_HELPER PyArray_Descr *
fp_make_dtype(const fp_struct *of)
{
    PyObject *names = PyList_New(of->count), *formats = PyList_New(of->count);
    PyObject *offsets = PyList_New(of->count), *all = PyDict_New();
    PyObject *size = PyLong_FromSize_t(of->size);
    PyArray_Descr *descr = NULL;
    int k, done = names != NULL && formats != NULL && offsets != NULL && all != NULL && size != NULL;
    for (k = 0; done && k < of->count; k++) {
        PyObject *name = PyUnicode_FromString(of->fields[k].param.name);
        PyObject *format = fp_field_format(&of->fields[k]);
        PyObject *offset = PyLong_FromSize_t(of->fields[k].offset);
        done = name != NULL && format != NULL && offset != NULL;
        /* A list holds the entries, and drops them with itself. */
        fp_set_list_item(names, k, name);
        fp_set_list_item(formats, k, format);
        fp_set_list_item(offsets, k, offset);
    }
    done = done && PyDict_SetItemString(all, "names", names) == 0
           && PyDict_SetItemString(all, "formats", formats) == 0
           && PyDict_SetItemString(all, "offsets", offsets) == 0
           && PyDict_SetItemString(all, "itemsize", size) == 0;
    if (done && PyArray_DescrConverter(all, &descr) != NPY_SUCCEED) {
        descr = NULL;
    }
    Py_XDECREF(all);
    Py_XDECREF(size);
    Py_XDECREF(names);
    Py_XDECREF(formats);
    Py_XDECREF(offsets);
    return descr;
}

/* Declares the constructor of a struct, which identifies the struct. */
#define FP_STRUCT_NEW(NAME, OF)                                                                 \
    static PyObject *NAME(PyTypeObject *type, PyObject *args, PyObject *keywords)               \
    {                                                                                           \
        (void)type;                                                                             \
        return fp_build_record(&OF, args, keywords);                                            \
    }

/* A row of the module's table of structs. */
typedef struct {
    fp_struct *of;
    newfunc construct;
} fp_struct_description;

static FP_HELPER int
fp_make_struct(const fp_struct_description *d)
{
    fp_struct *of = d->of;
    PyObject *type;
    int k;
    of->attributes = (PyGetSetDef *)PyMem_Calloc((size_t)of->count + 1, sizeof(PyGetSetDef));
    if (of->attributes == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (k = 0; k < of->count; k++) {
        const fp_struct *within = of->fields[k].of;
        of->truths |= within != NULL ? within->truths : of->fields[k].param.type == NPY_BOOL;
        of->attributes[k].name = of->fields[k].param.name;
        of->attributes[k].get = of->fields[k].param.ndim == 0 && of->fields[k].param.type == NPY_FLOAT64
                                    ? fp_record_get_double
                                    : fp_record_get;
        of->attributes[k].set = fp_record_set;
        of->attributes[k].closure = (void *)(uintptr_t)&of->fields[k];
    }
    {
        PyType_Slot slots[] = {
            {Py_tp_doc, (void *)(uintptr_t)of->doc},
            {Py_tp_new, (void *)d->construct},
            {Py_tp_dealloc, (void *)fp_record_dealloc},
            {Py_tp_repr, (void *)fp_record_repr},
            {Py_tp_richcompare, (void *)fp_record_compare},
            {Py_tp_hash, (void *)PyObject_HashNotImplemented},
            {Py_tp_methods, (void *)fp_record_methods},
            {Py_tp_getset, (void *)of->attributes},
            {0, NULL},
        };
        size_t inside = of->size <= FP_INSIDE ? FP_INSIDE_AT + of->size : sizeof(fp_record);
        PyType_Spec spec = {of->name, (int)inside, 0, Py_TPFLAGS_DEFAULT, slots};
        of->dtype = fp_make_dtype(of);
        type = of->dtype == NULL ? NULL : PyType_FromSpec(&spec);
    }
    if (type != NULL && PyObject_SetAttrString(type, "dtype", (PyObject *)of->dtype) < 0) {
        Py_CLEAR(type);
    }
    if (type == NULL) {
        Py_CLEAR(of->dtype);
        PyMem_Free(of->attributes);
        return 0;
    }
    of->type = (PyTypeObject *)type;
    of->plain = of->truths ? NULL : of->type;
    return 1;
}

/* Adds the structs, up to a row without one, to the module. Each is created once; nested ones come
 * before these. */
static FP_HELPER int
fp_add_structs(PyObject *module, const fp_struct_description *structs)
{
    for (; structs->of != NULL; structs++) {
        fp_struct *of = structs->of;
        if ((of->type == NULL && !fp_make_struct(structs))
            || PyModule_AddObjectRef(module, strrchr(of->name, '.') + 1, (PyObject *)of->type) < 0) {
            return -1;
        }
    }
    return 0;
}

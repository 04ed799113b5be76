/* The classes of structs and their dtypes, created when the module is loaded. */

/* The format of a field: a dtype, and with dimensions a pair of that and the dimensions. */
static FP_HELPER PyObject *
fp_field_format(const fp_field *field)
{
    PyObject *descr = field->of == NULL ? (PyObject *)PyArray_DescrFromType(field->param.type)
                                        : Py_NewRef((PyObject *)field->of->dtype);
    PyObject *shape, *both[2];
    int k;
    if (field->param.type == NPY_UNICODE) {
        Py_XDECREF(descr);
        return PyUnicode_FromFormat("S%zd", (Py_ssize_t)field->size);
    }
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

/* Defines the constructor NAME of a struct, and NAME_unpacked for arguments in a tuple and a dictionary. */
#define FP_STRUCT_NEW(NAME, OF)                                                                 \
    static PyObject *NAME(PyObject *type, PyObject *const *args, size_t count, PyObject *names) \
    {                                                                                           \
        (void)type;                                                                             \
        return fp_build_record(&OF, args, PyVectorcall_NARGS(count), names);                    \
    }                                                                                           \
    static PyObject *NAME##_unpacked(PyTypeObject *type, PyObject *args, PyObject *keywords)    \
    {                                                                                           \
        return fp_call_unpacked(NAME, (PyObject *)type, args, keywords);                        \
    }
#define FP_STRUCT_ROW(NAME, OF) {&OF, NAME, NAME##_unpacked}

/* A row of the module's table of structs. */
typedef struct {
    fp_struct *of;
    vectorcallfunc construct;
    newfunc unpacked;
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
        of->enums |= within != NULL ? within->enums : of->fields[k].members != NULL;
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
            {Py_tp_new, (void *)d->unpacked},
            {Py_tp_dealloc, (void *)fp_record_dealloc},
            {Py_tp_repr, (void *)fp_record_repr},
            {Py_tp_richcompare, (void *)fp_record_compare},
            {Py_tp_hash, (void *)PyObject_HashNotImplemented},
            {Py_tp_methods, (void *)fp_record_methods},
            {Py_tp_getset, (void *)of->attributes},
            {0, NULL},
        };
        size_t inside = of->size <= FP_INSIDE ? FP_INSIDE_AT + of->size : sizeof(fp_record);
        PyType_Spec spec = {of->name, (int)inside, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};
        of->dtype = fp_make_dtype(of);
        type = of->dtype == NULL ? NULL : fp_make_type(&spec, NULL, FP_DIRECT_CONSTRUCTOR(d->construct), NULL);
    }
    if (type != NULL && !fp_set_class_attribute(type, "dtype", (PyObject *)of->dtype)) {
        Py_CLEAR(type);
    }
    if (type == NULL) {
        Py_CLEAR(of->dtype);
        PyMem_Free(of->attributes);
        return 0;
    }
    of->type = (PyTypeObject *)type;
    of->plain = of->truths || of->enums ? NULL : of->type;
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
            || PyModule_AddObjectRef(module, fp_last_name(of->name), (PyObject *)of->type) < 0) {
            return -1;
        }
    }
    return 0;
}

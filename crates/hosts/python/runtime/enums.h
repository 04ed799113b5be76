/* Enums: classes of Python's `enum`, whose members C receives as integers. */

/* The parameter table for a member. */
typedef struct {
    fp_param param;
    const fp_enum *of;
} fp_enum_param;

enum { FP_TYPE_ENUM = 1010 };

#define FP_ENUM_DTYPE(T) \
    FP_BY_ENUM(T, NPY_INT8, NPY_UINT8, NPY_INT16, NPY_UINT16, NPY_INT32, NPY_UINT32, NPY_INT64, NPY_UINT64)
#define FP_ENUM_CONVERTER(T)                                                                    \
    FP_BY_ENUM(T, fp_to_int8, fp_to_uint8, fp_to_int16, fp_to_uint16, fp_to_int32, fp_to_uint32, \
               fp_to_int64, fp_to_uint64)

/* The class, and its members in the order of the values. */
typedef struct {
    PyObject *type;
    long long first;
    int is_dense; /* each value is one more than that before, from `first` on */
    PyObject *members[1];
} fp_enum_class;

#define FP_ENUM_CLASS(of) ((fp_enum_class *)(of)->made)

static inline int
fp_is_member(PyObject *o, const fp_enum *of)
{
    return (PyObject *)Py_TYPE(o) == FP_ENUM_CLASS(of)->type;
}

/* Members, and plain integers: no bool, and no member of another class. */
static inline int
fp_may_be_enum(PyObject *o, const fp_enum *of)
{
    return fp_is_member(o, of) || PyLong_CheckExact(o) || (!PyLong_Check(o) && PyIndex_Check(o));
}

static FP_COLD void
fp_append_members(fp_message *t, const fp_enum *of)
{
    int k;
    fp_append(t, " (");
    for (k = 0; k < of->count && k < 8; k++) {
        fp_append(t, k ? ", %s" : "%s", of->values[k].name);
    }
    fp_append(t, of->count > 8 ? ", ...)" : ")");
}

static FP_COLD int
fp_refuse_enum(PyObject *o, const fp_enum_param *p)
{
    const char *name = fp_last_name(p->of->name);
    int is_integer = fp_may_be_enum(o, p->of);
    fp_message t;
    fp_begin(&t, &p->param);
    if (is_integer) {
        PyObject *integer = PyNumber_Index(o);
        PyObject *shown = integer == NULL ? NULL : PyNumber_ToBase(integer, 10);
        const char *text = shown == NULL ? NULL : fp_utf8(shown);
        if (text != NULL) {
            fp_append_string(&t, text);
        }
        Py_XDECREF(shown);
        Py_XDECREF(integer);
        if (text == NULL) {
            return 0;
        }
        fp_append(&t, p->of->is_flags ? " is out of range for %s" : " is not a member of %s", name);
        if (!p->of->is_flags) {
            fp_append_members(&t, p->of);
        }
        return fp_raise(PyExc_ValueError, &t);
    }
    fp_append(&t, "wanted a %s", name);
    fp_append_members(&t, p->of);
    fp_append_string(&t, ", got ");
    fp_append_description(&t, o);
    return fp_raise(PyExc_TypeError, &t);
}

/* Each element of an array is a value that C may receive. */
static FP_HELPER int
fp_check_members(const fp_array *x, const fp_enum *of, const fp_param *p)
{
    npy_intp count = x->data == NULL ? 0 : fp_size(x, p->ndim);
    npy_intp at = fp_find_nonmember(of, x->data, count);
    fp_message t;
    if (at == count) {
        return 1;
    }
    fp_begin_bad_value(x, at, (npy_intp)fp_load_enum(of, (const char *)x->data + at * of->size), &t, p);
    fp_append(&t, ", not a member of %s", fp_last_name(of->name));
    fp_append_members(&t, of);
    return fp_raise(PyExc_ValueError, &t);
}

/* Reads a member, or an integer that is one, to a variable of C's type. */
static FP_HELPER int
fp_read_enum_slowly(PyObject *o, void *variable, const fp_enum_param *p)
{
    PyObject *integer;
    long long value;
    int overflow = 0;
    if (!fp_may_be_enum(o, p->of)) {
        return fp_refuse_enum(o, p);
    }
    /* Python would convert a member to a plain integer. */
    integer = PyLong_Check(o) ? Py_NewRef(o) : PyNumber_Index(o);
    if (integer == NULL) {
        return 0;
    }
    value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (overflow > 0 && p->of->size == 8 && !p->of->is_signed) {
        value = (long long)PyLong_AsUnsignedLongLong(integer);
        overflow = PyErr_Occurred() != NULL;
        PyErr_Clear();
    }
    Py_DECREF(integer);
    if (overflow != 0 || !fp_is_enum(p->of, value)) {
        return fp_refuse_enum(o, p);
    }
    fp_store_enum(variable, p->of->size, value);
    return 1;
}

/* The same: in most cases a member, whose value is found without a search. */
static FP_UNUSED int
fp_read_enum(PyObject *o, void *variable, const fp_enum_param *p)
{
    if (FP_LIKELY(fp_is_member(o, p->of) && FP_ENUM_CLASS(p->of)->is_dense)) {
        int overflow;
        long value = PyLong_AsLongAndOverflow(o, &overflow);
        unsigned long long k = (unsigned long long)value - (unsigned long long)FP_ENUM_CLASS(p->of)->first;
        if (FP_LIKELY(overflow == 0 && k < (unsigned long long)p->of->count)) {
            fp_store_enum(variable, p->param.size, value);
            return 1;
        }
    }
    return fp_read_enum_slowly(o, variable, p);
}

/* The integer for a value. */
static FP_HELPER PyObject *
fp_enum_integer(const fp_enum *of, long long value)
{
    return of->size == 8 && !of->is_signed ? PyLong_FromUnsignedLongLong((unsigned long long)value)
                                           : PyLong_FromLongLong(value);
}

/* The value for an integer from C: a member, or for flags a combination; any other integer is
 * unchanged. */
static FP_HELPER PyObject *
fp_from_enum_slowly(const fp_enum *of, long long value)
{
    int k = fp_find_enum(of, value);
    PyObject *integer, *made;
    if (k >= 0) {
        return Py_NewRef(FP_ENUM_CLASS(of)->members[k]);
    }
    integer = fp_enum_integer(of, value);
    if (integer == NULL || !of->is_flags) {
        return integer;
    }
    made = fp_call_one(FP_ENUM_CLASS(of)->type, integer);
    Py_DECREF(integer);
    return made;
}

static FP_UNUSED PyObject *
fp_from_enum(const fp_enum *of, long long value)
{
    const fp_enum_class *made = FP_ENUM_CLASS(of);
    unsigned long long k = (unsigned long long)value - (unsigned long long)made->first;
    return FP_LIKELY(made->is_dense && k < (unsigned long long)of->count) ? Py_NewRef(made->members[k])
                                                                          : fp_from_enum_slowly(of, value);
}

/* ---- Loading -------------------------------------------------------------------------------------- */

/* The arguments of `IntEnum(name, [(name, value), ...])`. */
static FP_HELPER PyObject *
fp_enum_arguments(const fp_enum *of)
{
    PyObject *pairs = PyList_New(of->count), *both[2];
    int k;
    for (k = 0; pairs != NULL && k < of->count; k++) {
        PyObject *pair;
        both[0] = PyUnicode_FromString(of->values[k].name);
        both[1] = fp_enum_integer(of, of->values[k].value);
        pair = fp_tuple(both, 2);
        if (pair == NULL) {
            Py_CLEAR(pairs);
            break;
        }
        fp_set_list_item(pairs, k, pair);
    }
    if (pairs == NULL) {
        return NULL;
    }
    both[0] = PyUnicode_FromString(fp_last_name(of->name));
    both[1] = pairs;
    return fp_tuple(both, 2);
}

/* Sets the qualified name of an enum that a class has, by which pickle finds it. */
static FP_HELPER int
fp_set_enum_path(PyObject *keywords, const fp_enum *of)
{
    PyObject *path;
    int done;
    if (of->class_name == NULL) {
        return 1;
    }
    path = PyUnicode_FromFormat("%s.%s", of->class_name, fp_last_name(of->name));
    done = path != NULL && PyDict_SetItemString(keywords, "qualname", path) == 0;
    Py_XDECREF(path);
    return done;
}

/* The class itself. */
static FP_HELPER PyObject *
fp_make_enum_type(PyObject *module, const fp_enum *of)
{
    PyObject *library = PyImport_ImportModule("enum"), *base = NULL, *arguments = NULL;
    PyObject *keywords = NULL, *name = PyModule_GetNameObject(module), *type = NULL;
    if (library != NULL && name != NULL) {
        base = PyObject_GetAttrString(library, of->is_flags ? "IntFlag" : "IntEnum");
        arguments = fp_enum_arguments(of);
        keywords = PyDict_New();
    }
    if (base != NULL && arguments != NULL && keywords != NULL
        && PyDict_SetItemString(keywords, "module", name) == 0 && fp_set_enum_path(keywords, of)) {
        type = PyObject_Call(base, arguments, keywords);
    }
    if (type != NULL) {
        PyObject *doc = PyUnicode_FromString(of->doc);
        if (doc == NULL || PyObject_SetAttrString(type, "__doc__", doc) < 0) {
            Py_CLEAR(type);
        }
        Py_XDECREF(doc);
    }
    Py_XDECREF(library);
    Py_XDECREF(base);
    Py_XDECREF(arguments);
    Py_XDECREF(keywords);
    Py_XDECREF(name);
    return type;
}

/* The class and its members, looked up by value. */
static FP_HELPER int
fp_make_enum(PyObject *module, fp_enum *of)
{
    size_t size = sizeof(fp_enum_class) + (size_t)of->count * sizeof(PyObject *);
    fp_enum_class *made = (fp_enum_class *)PyMem_Calloc(1, size);
    int k, done;
    if (made == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    made->type = fp_make_enum_type(module, of);
    made->first = of->count > 0 ? of->values[0].value : 0;
    made->is_dense = !of->is_flags;
    for (k = 0; k < of->count; k++) {
        made->is_dense = made->is_dense && of->values[k].value - made->first == k;
    }
    done = made->type != NULL;
    for (k = 0; done && k < of->count; k++) {
        PyObject *value = fp_enum_integer(of, of->values[k].value);
        made->members[k] = value == NULL ? NULL : fp_call_one(made->type, value);
        Py_XDECREF(value);
        done = made->members[k] != NULL;
    }
    if (!done) {
        for (k = 0; k < of->count; k++) {
            Py_XDECREF(made->members[k]);
        }
        Py_XDECREF(made->type);
        PyMem_Free(made);
        return 0;
    }
    of->made = made;
    return 1;
}

/* Adds an attribute to a class of the module; without a class, to the module. */
static FP_HELPER int
fp_add_member(PyObject *module, const char *class_name, const char *name, PyObject *value)
{
    PyObject *type;
    int done;
    if (class_name == NULL) {
        return PyModule_AddObjectRef(module, name, value) == 0;
    }
    type = PyObject_GetAttrString(module, class_name);
    done = type != NULL && fp_set_class_attribute(type, name, value);
    Py_XDECREF(type);
    return done;
}

/* Adds the enums, up to NULL, to the module and its classes. Each is created once: members are identical when the
 * module is imported again. */
static FP_HELPER int
fp_add_enums(PyObject *module, fp_enum *const *enums)
{
    for (; *enums != NULL; enums++) {
        fp_enum *of = *enums;
        if ((of->made == NULL && !fp_make_enum(module, of))
            || !fp_add_member(module, of->class_name, fp_last_name(of->name), FP_ENUM_CLASS(of)->type)) {
            return -1;
        }
    }
    return 0;
}

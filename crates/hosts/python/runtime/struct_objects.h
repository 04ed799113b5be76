/* Objects of structs: their methods, and values that C reads and writes. */

/* "Point() has no field 'z'; it has x, y" */
static FP_COLD void
fp_refuse_field(const fp_struct *of, PyObject *name)
{
    PyObject *names = PyUnicode_FromString("");
    int k;
    for (k = 0; names != NULL && k < of->count; k++) {
        PyObject *more = PyUnicode_FromFormat(k ? "%U, %s" : "%U%s", names, of->fields[k].param.name);
        fp_set_reference(&names, more);
    }
    if (names != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() has no field '%U'; it has %U", fp_last_name(of->name), name, names);
        Py_DECREF(names);
    }
}

/* Sets the fields of the names, from values that follow `given` values without a name. */
static FP_HELPER int
fp_fill_named(PyObject *self, const fp_struct *of, PyObject *const *values, Py_ssize_t given, PyObject *names)
{
    Py_ssize_t i, named = fp_tuple_size(names);
    int k;
    for (i = 0; i < named; i++) {
        PyObject *name = fp_tuple_item(names, i);
        for (k = 0; k < of->count && PyUnicode_CompareWithASCIIString(name, of->fields[k].param.name) != 0;) {
            k++;
        }
        if (k == of->count) {
            fp_refuse_field(of, name);
            return 0;
        }
        if (k < given) {
            PyErr_Format(PyExc_TypeError, "%s() got '%s' twice", fp_last_name(of->name), of->fields[k].param.name);
            return 0;
        }
        if (!fp_set_field(self, &of->fields[k], values[given + i])) {
            return 0;
        }
    }
    return 1;
}

/* An object from the values of its fields; zeros by default. */
static FP_HELPER PyObject *
fp_build_record(const fp_struct *of, PyObject *const *values, Py_ssize_t given, PyObject *names)
{
    PyObject *self;
    int k, done = 1;
    if (given > of->count) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d values at most, got %zd", fp_last_name(of->name), of->count,
                     given);
        return NULL;
    }
    self = fp_new_record(of, NULL, NULL);
    if (self == NULL) {
        return NULL;
    }
    for (k = 0; done && k < given; k++) {
        done = fp_set_field(self, &of->fields[k], values[k]);
    }
    if (!done || (names != NULL && !fp_fill_named(self, of, values, given, names))) {
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
    PyObject *text = values == NULL ? NULL : PyUnicode_FromFormat("%s(", fp_last_name(of->name));
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
    const char *name = fp_last_name(p->of->name);
    fp_message t;
    fp_begin(&t, &p->param);
    fp_append(&t, p->param.ndim > 0 ? "wanted an array of %s.dtype, got " : "wanted a %s, got ", name);
    fp_append_description(&t, o);
    return fp_raise(PyExc_TypeError, &t);
}

/* A value for a field was refused: raises that with the name of the argument, "points[2].tag". An exception of the
 * caller's own is left as it is. 1: the value is accepted after all. */
static FP_COLD int
fp_refuse_value(PyObject *made, const fp_field *field, PyObject *value, const fp_param *p)
{
    fp_field named = *field;
    char name[96];
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError)
        && !PyErr_ExceptionMatches(PyExc_OverflowError)) {
        return 0;
    }
    PyErr_Clear();
    PyOS_snprintf(name, sizeof(name), "%.60s.%.30s", p->name, field->param.name);
    named.param.function = p->function;
    named.param.name = name;
    return fp_set_field(made, &named, value);
}

/* Sets a field of an object that is created from a tuple or a dict. */
static inline int
fp_set_value(PyObject *made, const fp_field *field, PyObject *value, const fp_param *p)
{
    return fp_set_field(made, field, value) || fp_refuse_value(made, field, value, p);
}

static FP_COLD int
fp_no_field(PyObject *key, const fp_struct_param *p)
{
    const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : "?";
    fp_message t;
    int k;
    if (name == NULL) {
        return 0;
    }
    fp_begin(&t, &p->param);
    fp_append(&t, "a %s has no field '%.40s'", fp_last_name(p->of->name), name);
    for (k = 0; k < p->of->count; k++) {
        fp_append(&t, k ? ", %s" : "; it has %s", p->of->fields[k].param.name);
    }
    return fp_raise(PyExc_TypeError, &t);
}

/* Sets the fields that a dict names. */
static FP_HELPER int
fp_read_dict(PyObject *made, PyObject *o, const fp_struct_param *p)
{
    PyObject *items = PyDict_Items(o); /* a copy, which code that runs later does not change */
    Py_ssize_t at;
    int done = items != NULL;
    for (at = 0; done && at < fp_list_size(items); at++) {
        PyObject *item = fp_list_item(items, at);
        PyObject *key = fp_tuple_item(item, 0);
        int k = 0;
        while (k < p->of->count
               && !(PyUnicode_Check(key) && PyUnicode_CompareWithASCIIString(key, p->of->fields[k].param.name) == 0)) {
            k++;
        }
        done = k < p->of->count ? fp_set_value(made, &p->of->fields[k], fp_tuple_item(item, 1), &p->param)
                                : fp_no_field(key, p);
    }
    Py_XDECREF(items);
    return done;
}

/* Sets the first fields to the values of a tuple. */
static FP_HELPER int
fp_read_tuple(PyObject *made, PyObject *o, const fp_struct_param *p)
{
    Py_ssize_t k;
    if (fp_tuple_size(o) > p->of->count) {
        fp_message t;
        fp_begin(&t, &p->param);
        fp_append(&t, "wanted %d values of a %s at most, got a tuple of %zd", p->of->count,
                  fp_last_name(p->of->name), fp_tuple_size(o));
        return fp_raise(PyExc_TypeError, &t);
    }
    for (k = 0; k < fp_tuple_size(o); k++) {
        if (!fp_set_value(made, &p->of->fields[k], fp_tuple_item(o, k), &p->param)) {
            return 0;
        }
    }
    return 1;
}

/* Reads an object, an element of an array, a tuple of values, or a dict of them, to a variable of C's type. Fields
 * that were not set are zero, which may be no member of an enum. */
static FP_HELPER int
fp_convert_struct(PyObject *o, void *variable, const fp_struct_param *p)
{
    if (PyTuple_Check(o) || PyDict_Check(o)) {
        PyObject *made = fp_new_record(p->of, NULL, NULL);
        if (made != NULL && !(PyTuple_Check(o) ? fp_read_tuple(made, o, p) : fp_read_dict(made, o, p))) {
            Py_CLEAR(made);
        }
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

/* The same for C: each enum has a value that C may receive. */
static FP_HELPER int
fp_read_struct(PyObject *o, void *variable, const fp_struct_param *p)
{
    return fp_convert_struct(o, variable, p) && fp_check_struct_members(p->of, (const char *)variable, 1, &p->param);
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

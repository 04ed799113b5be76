/* The alternatives of a variant: how well a value fits each type.
 *
 * Purpose: choose the alternative of a variant, and an overload, by the signatures of their types (nodes.h).
 * Invariant: nothing is converted; an exception is ignored, and raised again when the value is read.
 * Reason: all values of a container are considered, so that none of them is refused later. */

static FP_HELPER int
fp_numpy_type(char letter, int size)
{
    switch (letter) {
    case 'b': return NPY_BOOL;
    case 'f': return size == 4 ? NPY_FLOAT32 : NPY_FLOAT64;
    case 'c': return size == 8 ? NPY_COMPLEX64 : NPY_COMPLEX128;
    case 'i': return size == 1 ? NPY_INT8 : size == 2 ? NPY_INT16 : size == 4 ? NPY_INT32 : NPY_INT64;
    default: return size == 1 ? NPY_UINT8 : size == 2 ? NPY_UINT16 : size == 4 ? NPY_UINT32 : NPY_UINT64;
    }
}

/* Whether it is a sequence of values, and not one value with characters. */
static FP_HELPER int
fp_is_sequence(PyObject *o)
{
    return PySequence_Check(o) && !PyUnicode_Check(o) && !PyBytes_Check(o) && !PyDict_Check(o);
}

static FP_HELPER int
fp_is_mapping(PyObject *o)
{
    return PyDict_Check(o) || (!PyArray_Check(o) && PyObject_HasAttrString(o, "items"));
}

/* Whether it has the values of a list, or of a set, `h`. */
static FP_HELPER int
fp_has_values(char letter, PyObject *o)
{
    return (letter == 'h' && PyAnySet_Check(o)) || (fp_is_sequence(o) && !fp_is_mapping(o));
}

static FP_HELPER int fp_fits_nested(const char *type, const void *const *classes, PyObject *o);

static FP_HELPER int
fp_fits_integer(char letter, int size, PyObject *o)
{
    unsigned long long max = fp_integer_max(fp_numpy_type(letter, size));
    int overflow, fits;
    long long value;
    PyObject *integer = PyNumber_Index(o);
    if (integer == NULL) {
        /* Any other exception is raised again when the value is read. */
        fits = PyErr_ExceptionMatches(PyExc_TypeError) ? 0 : 2;
        PyErr_Clear();
        return fits;
    }
    value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    fits = overflow < 0    ? 0
           : overflow == 0 ? (letter == 'u' ? value >= 0 && (unsigned long long)value <= max
                                            : value >= -(long long)max - 1 && (value < 0 || (unsigned long long)value <= max))
                           : letter == 'u' && size == 8;
    Py_DECREF(integer);
    return fits ? 2 : 0;
}

/* The number of values of a sequence; -1: it has none. */
static FP_HELPER Py_ssize_t
fp_count_nested(PyObject *o)
{
    Py_ssize_t count = PyObject_Size(o);
    if (count < 0) {
        PyErr_Clear();
    }
    return count;
}

/* How well the values of a sequence fit: as well as the worst of them. If `is_tuple`, their types follow one another. An
 * exception is ignored: it is raised again when the value is read. */
static FP_HELPER int
fp_fits_all(const char *type, const void *const *classes, PyObject *o, int is_tuple)
{
    Py_ssize_t k, count = fp_count_nested(o);
    int worst = 2;
    for (k = 0; k < count && worst > 0; k++) {
        PyObject *one = PySequence_GetItem(o, k);
        int fits = one == NULL ? 2 : fp_fits_nested(type, classes, one);
        if (one == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(one);
        worst = fits < worst ? fits : worst;
        type = is_tuple ? fp_after_node(type) : type;
    }
    return worst;
}

/* The same for a list, or for a set, whose values have no positions. */
static FP_HELPER int
fp_fits_values(const char *type, const void *const *classes, PyObject *o)
{
    PyObject *values = PyAnySet_Check(o) ? PySequence_Tuple(o) : Py_NewRef(o);
    int fits = values == NULL ? 2 : fp_fits_all(type, classes, values, 0);
    if (values == NULL) {
        PyErr_Clear();
    }
    Py_XDECREF(values);
    return fits;
}

/* The keys and values of a mapping, pairs in a tuple; NULL with an exception. */
static FP_HELPER PyObject *
fp_items_of(PyObject *o)
{
    PyObject *listed = PyMapping_Items(o), *items = listed == NULL ? NULL : PySequence_Tuple(listed);
    Py_XDECREF(listed);
    return items;
}

static FP_HELPER int
fp_fits_items(const char *type, const void *const *classes, PyObject *o)
{
    PyObject *items = fp_items_of(o);
    Py_ssize_t k;
    int worst = 2;
    if (items == NULL) {
        PyErr_Clear();
        return 2;
    }
    for (k = 0; k < fp_tuple_size(items) && worst > 0; k++) {
        PyObject *pair = fp_tuple_item(items, k);
        int fits = PyTuple_Check(pair) && fp_tuple_size(pair) == 2 ? fp_fits_all(type, classes, pair, 1) : 0;
        worst = fits < worst ? fits : worst;
    }
    Py_DECREF(items);
    return worst;
}

/* How well a value fits: 2 for one of exactly this type, 1 for one that is converted, 0 for others. */
static FP_HELPER int
fp_fits_nested(const char *type, const void *const *classes, PyObject *o)
{
    char letter = *type++;
    int best = 0, fits, is_bool = PyBool_Check(o) || PyArray_IsScalar(o, Bool);
    switch (letter) {
    case 'n': return o == Py_None ? 2 : 0;
    case 'b': return is_bool ? 2 : 0;
    case 's': return PyUnicode_Check(o) ? 2 : 0;
    case 'i': case 'u':
        fits = PyIndex_Check(o) ? fp_fits_integer(letter, fp_node_size(&type), o) : 0;
        return fits > 0 && is_bool ? 1 : fits;
    case 'f':
        if (PyFloat_Check(o) || PyArray_IsScalar(o, Floating)) {
            return 2;
        }
        return !PyComplex_Check(o) && !PyArray_Check(o) && (fp_has_float(o) || PyIndex_Check(o)) ? 1 : 0;
    case 'c':
        if (PyComplex_Check(o) || PyArray_IsScalar(o, ComplexFloating)) {
            return 2;
        }
        return !PyArray_Check(o) && (fp_has_float(o) || PyIndex_Check(o)) ? 1 : 0;
    case 'a':
        letter = *type++;
        if (PyArray_Check(o)) {
            PyArrayObject *array = (PyArrayObject *)o;
            int to = fp_numpy_type(letter, fp_node_size(&type)), from = fp_canonical_type(PyArray_DESCR(array));
            return PyArray_NDIM(array) != 1 ? 0 : from == to ? 2 : PyArray_CanCastSafely(PyArray_DESCR(array)->type_num, to);
        }
        return fp_has_values('l', o) && fp_fits_all(type - 1, classes, o, 0) > 0 ? 1 : 0;
    case 'x': case 'y': case 'z': {
        const fp_handle_class *of = (const fp_handle_class *)classes[fp_node_size(&type)];
        return Py_TYPE(o) == of->type ? 2 : fp_is_handle(o, of);
    }
    case 'q': {
        const fp_enum *of = (const fp_enum *)classes[fp_node_size(&type)];
        return fp_is_member(o, of) ? 2 : fp_may_be_enum(o, of);
    }
    case 'r': {
        const fp_struct *of = (const fp_struct *)classes[fp_node_size(&type)];
        int may = PyTuple_Check(o) ? fp_tuple_size(o) <= of->count : PyDict_Check(o) || PyArray_IsScalar(o, Void);
        return fp_is_record(o, of) ? 2 : may;
    }
    case 'l': case 'h': return fp_has_values(letter, o) ? fp_fits_values(type, classes, o) : 0;
    case 'm': return fp_is_mapping(o) ? fp_fits_items(type, classes, o) : 0;
    case 'k':
        fits = fp_is_sequence(o) && fp_count_nested(o) == fp_node_size(&type);
        return fits ? fp_fits_nested(type, classes, o) : 0;
    case 'o': return o == Py_None ? 2 : fp_fits_nested(type, classes, o);
    case 't':
        if (!fp_is_sequence(o) || fp_count_nested(o) != (Py_ssize_t)fp_count_nodes(type)) {
            return 0;
        }
        fits = fp_fits_all(type, classes, o, 1);
        return fits == 2 && !PyTuple_Check(o) ? 1 : fits;
    default:
        for (; *type != 'e'; type = fp_after_node(type)) {
            fits = fp_fits_nested(type, classes, o);
            best = fits > best ? fits : best;
        }
        return best;
    }
}

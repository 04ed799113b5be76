/* Missing values: values without a number for C.
 *
 * A True in the mask of a masked array, None in a list, a null of Arrow. C cannot represent it, so
 * it is refused; only an optional scalar of a batch has its default for an item whose value is
 * missing. */

/* As fp_find, for a name that is rarely looked up. */
static FP_HELPER int
fp_find_by(PyObject *o, const char *name, PyObject **attribute)
{
    fp_name interned = {name, PyUnicode_InternFromString(name)};
    int found = interned.object == NULL ? 0 : fp_find(o, &interned, attribute);
    Py_XDECREF(interned.object);
    return found;
}

/* o.name(), or o.name(keyword=value). */
static FP_HELPER PyObject *
fp_call_by_name(PyObject *o, const char *name, const char *keyword, PyObject *value)
{
    PyObject *method, *made = NULL;
    int found = fp_find_by(o, name, &method);
    if (found == 1) {
        made = fp_call(method, keyword, value == NULL ? NULL : Py_NewRef(value));
        Py_DECREF(method);
    }
    else if (found < 0) {
        PyErr_Format(PyExc_TypeError, "%s has no %s", fp_class_name(Py_TYPE(o)), name);
    }
    return made;
}

/* The mask of a masked array as a new reference, if it masks anything; for NumPy's class, and
 * similar ones. -1: nothing is masked. */
static FP_HELPER int
fp_find_mask(PyObject *o, PyObject **mask)
{
    PyObject *method, *made;
    int found;
    if (PyArray_CheckExact(o) || !PyArray_Check(o)) {
        return -1;
    }
    found = fp_find_by(o, "filled", &method);
    if (found != 1) {
        return found;
    }
    Py_DECREF(method);
    found = fp_find_by(o, "mask", &method);
    if (found != 1) {
        return found;
    }
    /* For an array of structs it is one of structs of bools. */
    made = PyArray_FromAny(method, NULL, 0, 0, NPY_ARRAY_CARRAY_RO | NPY_ARRAY_ENSUREARRAY, NULL);
    Py_DECREF(method);
    if (made == NULL) {
        return 0;
    }
    found = -1;
    {
        const char *bytes = PyArray_BYTES((PyArrayObject *)made);
        npy_intp i, count = PyArray_NBYTES((PyArrayObject *)made);
        for (i = 0; i < count && found < 0; i++) {
            found = bytes[i] ? 1 : -1;
        }
    }
    if (found == 1) {
        *mask = made;
    }
    else {
        Py_DECREF(made);
    }
    return found;
}

static FP_COLD int
fp_has_missing(const fp_param *p)
{
    return fp_error(PyExc_ValueError, p, "it has missing values");
}

/* Refuses an array with masked elements. */
static FP_HELPER int
fp_check_unmasked(PyObject *o, const fp_param *p)
{
    PyObject *mask;
    int found = fp_find_mask(o, &mask);
    if (found == 1) {
        Py_DECREF(mask);
        return fp_has_missing(p);
    }
    return found != 0;
}

enum { FP_HAS_NONE = 1, FP_HAS_MASKED = 2 };

/* The missing values in nested lists: FP_HAS_NONE, ...; -1 with an exception. */
static FP_HELPER int
fp_scan_missing(PyObject *o, int depth)
{
    Py_ssize_t i;
    int has = 0;
    if (!PyList_Check(o) && !PyTuple_Check(o)) {
        PyObject *mask;
        int found = o == Py_None || PyArray_CheckExact(o) || !PyArray_Check(o) ? -1 : fp_find_mask(o, &mask);
        if (found == 1) {
            Py_DECREF(mask);
        }
        return found == 0 ? -1 : o == Py_None ? FP_HAS_NONE : found == 1 ? FP_HAS_MASKED : 0;
    }
    FP_BEGIN_OBJECT(o)
    for (i = 0; i < fp_count(o) && depth > 0 && has >= 0; i++) {
        PyObject *item = fp_item(o, i);
        if (FP_UNLIKELY(item == Py_None || PyList_Check(item) || PyTuple_Check(item)
                        || (PyArray_Check(item) && !PyArray_CheckExact(item)))) {
            int more;
            Py_INCREF(item); /* reading its mask may remove it from its list */
            more = fp_scan_missing(item, depth - 1);
            Py_DECREF(item);
            has = more < 0 ? -1 : has | more;
        }
    }
    FP_END_OBJECT
    return has;
}

/* The number of nulls of an Arrow array; 0 for anything else; -1 with an exception. */
static FP_HELPER Py_ssize_t
fp_count_nulls(PyObject *o)
{
    PyObject *nulls;
    Py_ssize_t count = 0;
    int found = fp_find_by(o, "null_count", &nulls);
    if (found != 1) {
        return found == 0 ? -1 : 0;
    }
    if (PyLong_Check(nulls)) { /* a method elsewhere */
        count = (Py_ssize_t)PyLong_AsLong(nulls);
    }
    Py_DECREF(nulls);
    return count;
}

/* For an object without a buffer: its nulls are the reason, if it has some. */
static FP_COLD void
fp_blame_nulls(PyObject *o, const fp_param *p)
{
    fp_aside aside;
    Py_ssize_t nulls;
    fp_put_aside(&aside);
    nulls = fp_count_nulls(o);
    PyErr_Clear();
    fp_put_back(&aside);
    if (nulls > 0) {
        PyErr_Clear();
        fp_has_missing(p);
    }
}

/* A copy of nested lists in which masked arrays are lists with None. */
static FP_HELPER PyObject *
fp_unmask_list(PyObject *o, int depth)
{
    PyObject *list = PySequence_List(o);
    Py_ssize_t i;
    for (i = 0; list != NULL && i < fp_count(list); i++) {
        PyObject *item = fp_item(list, i), *made;
        if (depth > 0 && (PyList_Check(item) || PyTuple_Check(item))) {
            made = fp_unmask_list(item, depth - 1);
        }
        else if (PyArray_Check(item) && !PyArray_CheckExact(item)) {
            made = fp_call_by_name(item, "tolist", NULL, NULL);
        }
        else {
            continue;
        }
        if (made == NULL) {
            Py_CLEAR(list);
            break;
        }
        (void)PyList_SetItem(list, i, made); /* releases the item */
    }
    return list;
}

/* The number 0 of a number's class, which fits whatever the number fits; another object itself. */
static FP_HELPER PyObject *
fp_zero_like(PyObject *o)
{
    return PyLong_CheckExact(o)      ? PyLong_FromLong(0)
           : PyFloat_CheckExact(o)   ? PyFloat_FromDouble(0)
           : PyComplex_CheckExact(o) ? PyComplex_FromDoubles(0, 0)
                                     : Py_NewRef(o);
}

/* Splits a list into its values, with a substitute for missing ones, and the mask. */
static FP_HELPER int
fp_split_list(PyObject *o, PyObject **values, PyObject **mask)
{
    PyArrayObject *objects = (PyArrayObject *)PyArray_FromAny(o, PyArray_DescrFromType(NPY_OBJECT), 0, 0,
                                                              NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY, NULL);
    PyObject **items, *other = Py_False; /* which casts to everything */
    npy_intp i, count;
    *mask = objects == NULL ? NULL
                            : PyArray_NewLikeArray(objects, NPY_CORDER, PyArray_DescrFromType(NPY_BOOL), 0);
    if (*mask == NULL) {
        Py_XDECREF((PyObject *)objects);
        return 0;
    }
    items = (PyObject **)PyArray_DATA(objects);
    count = PyArray_SIZE(objects);
    for (i = 0; i < count && other == Py_False; i++) {
        other = items[i] == Py_None ? Py_False : items[i];
    }
    other = fp_zero_like(other);
    for (i = 0; i < count && other != NULL; i++) {
        char missing = items[i] == Py_None;
        PyArray_BYTES((PyArrayObject *)*mask)[i] = missing;
        if (missing) {
            fp_set_reference(&items[i], Py_NewRef(other));
        }
    }
    *values = other == NULL ? NULL : PyArray_ToList(objects);
    Py_XDECREF(other);
    Py_DECREF((PyObject *)objects);
    if (*values == NULL) {
        Py_CLEAR(*mask);
    }
    return *values != NULL;
}

/* The same for an Arrow array. */
static FP_HELPER int
fp_split_arrow(PyObject *o, PyObject **values, PyObject **mask)
{
    PyObject *present = fp_call_by_name(o, "drop_null", NULL, NULL), *first = NULL, *filled;
    PyObject *nulls = fp_call_by_name(o, "is_null", NULL, NULL);
    Py_ssize_t count = present == NULL || nulls == NULL ? -1 : PyObject_Size(present);
    *values = *mask = NULL;
    if (count >= 0) {
        *mask = PyArray_FromAny(nulls, NULL, 0, 0, NPY_ARRAY_ENSUREARRAY, NULL);
    }
    if (*mask != NULL && count == 0) {
        *values = PyArray_NewLikeArray((PyArrayObject *)*mask, NPY_CORDER, PyArray_DescrFromType(NPY_BOOL), 0);
        if (*values != NULL) {
            memset(PyArray_DATA((PyArrayObject *)*values), 0, (size_t)PyArray_NBYTES((PyArrayObject *)*values));
        }
    }
    else if (*mask != NULL) {
        first = PySequence_GetItem(present, 0);
        filled = first == NULL ? NULL : fp_call_by_name(o, "fill_null", "fill_value", first);
        /* As an array of bytes, which Arrow's bools are not. */
        *values = filled == NULL ? NULL : PyArray_FromAny(filled, NULL, 0, 0, NPY_ARRAY_ENSUREARRAY, NULL);
        Py_XDECREF(filled);
    }
    Py_XDECREF(present);
    Py_XDECREF(nulls);
    Py_XDECREF(first);
    if (*values == NULL) {
        Py_CLEAR(*mask);
    }
    return *values != NULL;
}

/* Splits a container with missing values, of any kind, into values and a mask, both new references;
 * -1: nothing is missing. */
static FP_HELPER int
fp_split_missing(PyObject *o, PyObject **values, PyObject **mask)
{
    Py_ssize_t nulls;
    int found;
    if (PyArray_CheckExact(o) || PyFloat_CheckExact(o) || PyLong_CheckExact(o)) {
        return -1;
    }
    if (PyList_Check(o) || PyTuple_Check(o)) {
        int has = fp_scan_missing(o, FP_MAX_DIMENSIONS + 1);
        if (has <= 0) {
            return has < 0 ? 0 : -1;
        }
        if (!(has & FP_HAS_MASKED)) {
            return fp_split_list(o, values, mask);
        }
        o = fp_unmask_list(o, FP_MAX_DIMENSIONS);
        found = o != NULL && fp_split_list(o, values, mask);
        Py_XDECREF(o);
        return found;
    }
    if (!PyArray_Check(o)) {
        nulls = fp_count_nulls(o);
        return nulls < 0 ? 0 : nulls == 0 ? -1 : fp_split_arrow(o, values, mask);
    }
    found = fp_find_mask(o, mask);
    if (found == 1) {
        *values = PyArray_View((PyArrayObject *)o, NULL, &PyArray_Type);
        if (*values == NULL) {
            Py_CLEAR(*mask);
            found = 0;
        }
    }
    return found;
}

/* Wrapping: conversion of the results of a ragged call to lists of the caller's container type.
 *
 * Libraries are imported only here, and only the one of the caller's own array. */

/* Converts values to an array for Arrow: further dimensions are lists of one length. */
static FP_HELPER PyObject *
fp_arrow_values(PyObject *values)
{
    PyArrayObject *array = (PyArrayObject *)values;
    PyObject *module, *lists, *flat, *size;
    int axis;
    if (!PyArray_Check(values) || PyArray_NDIM(array) == 1) {
        return Py_NewRef(values);
    }
    module = PyImport_ImportModule("pyarrow");
    lists = module == NULL ? NULL : PyObject_GetAttrString(module, "FixedSizeListArray");
    flat = lists == NULL ? NULL : PyArray_Ravel(array, NPY_CORDER);
    for (axis = PyArray_NDIM(array) - 1; axis > 0 && flat != NULL; axis--) {
        size = PyLong_FromSsize_t(PyArray_DIM(array, axis));
        fp_set_reference(&flat, size == NULL ? NULL : fp_call_method(lists, "from_arrays", flat, size));
        Py_XDECREF(size);
    }
    Py_XDECREF(lists);
    Py_XDECREF(module);
    return flat;
}

/* module.part.name(first, second) */
static FP_HELPER PyObject *
fp_call_awkward(const char *part, const char *name, PyObject *first, PyObject *second)
{
    PyObject *result = NULL, *module = PyImport_ImportModule("awkward");
    PyObject *within = module == NULL ? NULL : part == NULL ? Py_NewRef(module) : PyObject_GetAttrString(module, part);
    if (within != NULL) {
        result = fp_call_method(within, name, first, second);
    }
    Py_XDECREF(within);
    Py_XDECREF(module);
    return result;
}

/* Returns type(model)(values=..., offsets=...), or such a namespace if the type does not accept these
 * arguments. */
static FP_HELPER PyObject *
fp_like_model(PyObject *model, PyObject *offsets, PyObject *content)
{
    PyObject *result = NULL, *none, *keywords, *module, *values;
    int found = fp_find(model, &fp_name_values, &values);
    if (found == 0) {
        return NULL;
    }
    if (found == 1) {
        Py_DECREF(values);
    }
    none = PyTuple_New(0);
    keywords = PyDict_New();
    if (none != NULL && keywords != NULL
        && PyDict_SetItemString(keywords, found == 1 ? "values" : "content", content) == 0
        && PyDict_SetItemString(keywords, "offsets", offsets) == 0) {
        result = PyObject_Call((PyObject *)Py_TYPE(model), none, keywords);
        if (result == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            module = PyImport_ImportModule("types");
            if (module != NULL) {
                PyObject *callee = PyObject_GetAttrString(module, "SimpleNamespace");
                result = callee == NULL ? NULL : PyObject_Call(callee, none, keywords);
                Py_XDECREF(callee);
                Py_DECREF(module);
            }
        }
    }
    Py_XDECREF(none);
    Py_XDECREF(keywords);
    return result;
}

/* Adds a level of lists around `content`, of the container type of `model`, and takes ownership of it. */
static FP_HELPER PyObject *
fp_wrap_level(const fp_lists *model, PyObject *offsets, PyObject *content)
{
    PyObject *result = NULL, *index;
    if (content == NULL) {
        return NULL;
    }
    switch (model->kind) {
    case FP_ARROW_LISTS:
        result = fp_call_method((PyObject *)Py_TYPE(model->given), "from_arrays", offsets, content);
        break;
    case FP_AWKWARD_LISTS:
        index = fp_call_awkward("index", "Index64", offsets, NULL);
        result = index == NULL ? NULL : fp_call_awkward("contents", "ListOffsetArray", index, content);
        Py_XDECREF(index);
        break;
    case FP_PLAIN_LISTS:
        result = fp_like_model(model->given, offsets, content);
    }
    Py_DECREF(content);
    return result;
}

/* Returns a result for the caller, from values of which it takes ownership: in the lists of the loop,
 * and in its own if it has some. */
static FP_HELPER PyObject *
fp_wrap_values(const fp_ragged *r, int k, PyObject *values)
{
    const fp_part *part = &r->parts[k];
    const fp_lists *model = NULL;
    PyObject *own = NULL, *result = values;
    int level;
    if (part->is_core) {
        own = (PyObject *)(part->is_made ? part->offsets : part->lists->offsets[part->lists->depth - 1]);
    }
    if (values == NULL || values == Py_None || (own == NULL && r->depth == 0)) {
        return values;
    }
    for (level = 0; model == NULL; level++) {
        model = r->lists[level].given == NULL ? NULL : &r->lists[level]; /* the first list of the call */
    }
    if (model->kind != FP_PLAIN_LISTS) {
        result = model->kind == FP_AWKWARD_LISTS ? fp_call_awkward("contents", "NumpyArray", values, NULL)
                                                 : fp_arrow_values(values);
        Py_DECREF(values);
    }
    if (own != NULL) {
        result = fp_wrap_level(model, own, result);
    }
    for (level = r->depth - 1; level >= 0; level--) {
        result = fp_wrap_level(model, (PyObject *)r->loop->offsets[level], result);
    }
    if (model->kind == FP_AWKWARD_LISTS && result != NULL) {
        fp_set_reference(&result, fp_call_awkward(NULL, "Array", result, NULL));
    }
    return result;
}

static inline PyObject *
fp_ragged_return(const fp_ragged *r, int k, PyObject *values)
{
    return r->is_dense ? values : fp_wrap_values(r, k, values);
}

/* Results: trees of nodes (nodes.h) from C to Python values, each of which is a copy. */

static FP_HELPER PyObject *fp_nested_object(const fp_node *node, const fp_param *p);

static FP_HELPER PyObject *
fp_nested_values(const fp_node *node, const fp_param *p)
{
    Py_ssize_t k, count = (Py_ssize_t)node->count;
    PyObject *made = node->kind == FP_NODE_LIST ? PyList_New(count) : PyTuple_New(count);
    for (k = 0; made != NULL && k < count; k++) {
        PyObject *one = fp_nested_object(&node->of.nodes[k], p);
        if (one == NULL) {
            Py_CLEAR(made);
        }
        else if (node->kind == FP_NODE_LIST) {
            (void)PyList_SetItem(made, k, one);
        }
        else {
            fp_set_tuple_item(made, k, one);
        }
    }
    return made;
}

static FP_HELPER PyObject *
fp_nested_dict(const fp_node *node, const fp_param *p)
{
    PyObject *made = PyDict_New();
    size_t k;
    for (k = 0; made != NULL && k < node->count; k++) {
        PyObject *key = fp_nested_object(&node->of.nodes[2 * k], p);
        PyObject *value = key == NULL ? NULL : fp_nested_object(&node->of.nodes[2 * k + 1], p);
        if (value == NULL || PyDict_SetItem(made, key, value) < 0) {
            Py_CLEAR(made);
        }
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return made;
}

static FP_HELPER PyObject *
fp_nested_array(const fp_node *node)
{
    npy_intp count = (npy_intp)node->count;
    PyObject *array = PyArray_New(&PyArray_Type, 1, &count, fp_numpy_type(node->letter, node->size), NULL, NULL, 0, 0, NULL);
    if (array != NULL && count > 0) {
        memcpy(PyArray_DATA((PyArrayObject *)array), node->of.data, node->count * (size_t)node->size);
    }
    return array;
}

/* The value of a tree, as a new reference; NULL with an exception. */
static FP_HELPER PyObject *
fp_nested_object(const fp_node *node, const fp_param *p)
{
    switch (node->kind) {
    case FP_NODE_NONE: return Py_NewRef(Py_None);
    case FP_NODE_BOOL: return PyBool_FromLong(node->of.integer != 0);
    case FP_NODE_SIGNED: return PyLong_FromLongLong(node->of.integer);
    case FP_NODE_UNSIGNED: return PyLong_FromUnsignedLongLong(node->of.natural);
    case FP_NODE_REAL: return PyFloat_FromDouble(node->of.parts[0]);
    case FP_NODE_COMPLEX: return PyComplex_FromDoubles(node->of.parts[0], node->of.parts[1]);
    case FP_NODE_STRING:
        return fp_make_string(node->count == 0 ? "" : (const char *)node->of.data, (npy_intp)node->count, p);
    case FP_NODE_ARRAY: return fp_nested_array(node);
    case FP_NODE_LIST:
    case FP_NODE_TUPLE: return fp_nested_values(node, p);
    default: return fp_nested_dict(node, p);
    }
}

static FP_HELPER int
fp_receive_nested(fp_received *h, const fp_node *node, int nullable, const fp_param *p)
{
    if (fp_receive_null(h, node, nullable, p) == 1) {
        h->object = fp_nested_object(node, p);
    }
    return h->object != NULL;
}

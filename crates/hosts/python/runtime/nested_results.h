/* Results: trees of nodes (nodes.h) from C to Python values. Each is a copy, or an object that it takes from the tree. */

/* The state of the conversion of a result. */
typedef struct {
    const fp_param *param;
    const void *const *classes;
} fp_nested_writer;

static FP_HELPER PyObject *fp_nested_object(const fp_node *node, const char *type, const fp_nested_writer *w);

static FP_HELPER PyObject *
fp_nested_values(const fp_node *node, const char *type, const fp_nested_writer *w)
{
    Py_ssize_t k, count = (Py_ssize_t)node->count;
    PyObject *made = node->kind == FP_NODE_LIST ? PyList_New(count) : PyTuple_New(count);
    for (k = 0; made != NULL && k < count; k++) {
        PyObject *one = fp_nested_object(&node->of.nodes[k], type, w);
        if (one == NULL) {
            Py_CLEAR(made);
        }
        else if (node->kind == FP_NODE_LIST) {
            (void)PyList_SetItem(made, k, one);
        }
        else {
            fp_set_tuple_item(made, k, one);
            type = fp_after_node(type);
        }
    }
    return made;
}

static FP_HELPER PyObject *
fp_nested_dict(const fp_node *node, const char *type, const fp_nested_writer *w)
{
    const char *of = fp_after_node(type);
    PyObject *made = PyDict_New();
    size_t k;
    for (k = 0; made != NULL && k < node->count; k++) {
        PyObject *key = fp_nested_object(&node->of.nodes[2 * k], type, w);
        PyObject *value = key == NULL ? NULL : fp_nested_object(&node->of.nodes[2 * k + 1], of, w);
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

/* An object, which the tree owns as long as this fails. */
static FP_HELPER PyObject *
fp_nested_handle(const fp_node *node, const fp_handle_class *of)
{
    fp_handle *made;
    if (!fp_make_handle(&made, of, 0)) {
        return NULL;
    }
    fp_receive_handle(made, fp_take_object(node), 1);
    return fp_known_handle(made);
}

/* The value of a tree, as a new reference; NULL with an exception. */
static FP_HELPER PyObject *
fp_nested_object(const fp_node *node, const char *type, const fp_nested_writer *w)
{
    type = fp_type_of_node(node, type) + 1; /* what follows the letter */
    switch (node->kind) {
    case FP_NODE_NONE: return Py_NewRef(Py_None);
    case FP_NODE_BOOL: return PyBool_FromLong(node->of.integer != 0);
    case FP_NODE_SIGNED:
    case FP_NODE_UNSIGNED:
        if (type[-1] == 'q') {
            return fp_from_enum((const fp_enum *)w->classes[fp_node_size(&type)], node->of.integer);
        }
        return node->kind == FP_NODE_SIGNED ? PyLong_FromLongLong(node->of.integer) : PyLong_FromUnsignedLongLong(node->of.natural);
    case FP_NODE_REAL: return PyFloat_FromDouble(node->of.parts[0]);
    case FP_NODE_COMPLEX: return PyComplex_FromDoubles(node->of.parts[0], node->of.parts[1]);
    case FP_NODE_STRING:
        return fp_make_string(node->count == 0 ? "" : (const char *)node->of.data, (npy_intp)node->count, w->param);
    case FP_NODE_ARRAY: return fp_nested_array(node);
    case FP_NODE_LIST:
    case FP_NODE_TUPLE: return fp_nested_values(node, type, w);
    case FP_NODE_STRUCT: return fp_new_record((const fp_struct *)w->classes[fp_node_size(&type)], node->of.data, NULL);
    case FP_NODE_OBJECT: return fp_nested_handle(node, (const fp_handle_class *)w->classes[fp_node_size(&type)]);
    default: return fp_nested_dict(node, type, w);
    }
}

static FP_HELPER int
fp_receive_nested(fp_received *h, const fp_node *node, int nullable, const fp_nested_type *of, const fp_param *p)
{
    fp_nested_writer w;
    w.param = p;
    w.classes = of->classes;
    if (fp_receive_null(h, node, nullable, p) == 1) {
        h->object = fp_nested_object(node, of->type, &w);
    }
    return h->object != NULL;
}

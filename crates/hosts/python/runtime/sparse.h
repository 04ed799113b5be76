/* Sparse matrices and arrays of SciPy: taken apart by their attributes, so that SciPy is never imported. */

typedef struct {
    const char *name;   /* the argument: "a" */
    const char *format; /* "csr" */
    int index_type;     /* NumPy's type number of the indices in C; NPY_NOTYPE: several */
    int parts[5];       /* the parameters for offsets, indices, values, rows and columns; -1: none */
} fp_sparse_matrix;

/* A function with sparse matrices, in terms of the one over their parts. */
typedef struct {
    fp_signature signature;
    fp_name *const *names; /* of the parts' function */
    const int *places;     /* for each parameter that of the parts' function, or ~ of the matrix */
    const fp_sparse_matrix *matrices;
    int count;
    int positional, total; /* of the parts' function */
} fp_sparse_call;

enum { FP_SPARSE_OWNED = 4 }; /* references to the parts of one matrix */

static FP_COLD int
fp_not_sparse(const fp_sparse_call *how, const fp_sparse_matrix *m, PyObject *o, int has_format)
{
    fp_message t;
    t.length = 0;
    fp_append_string(&t, how->signature.function);
    fp_append_string(&t, "(): argument '");
    fp_append_string(&t, m->name);
    fp_append_string(&t, "': wanted a sparse matrix or array of format ");
    fp_append_string(&t, m->format);
    fp_append_string(&t, ", got ");
    fp_append_string(&t, fp_class_name(Py_TYPE(o)));
    if (has_format) {
        fp_append_string(&t, "; convert it by .to");
        fp_append_string(&t, m->format);
        fp_append_string(&t, "()");
    }
    return fp_raise(PyExc_TypeError, &t);
}

/* True for an object of this format. */
static FP_HELPER int
fp_has_format(const fp_sparse_call *how, const fp_sparse_matrix *m, PyObject *o)
{
    PyObject *format;
    int found = fp_find_by(o, "format", &format), is_text = 0, same = 0;
    if (found == 0) {
        return 0;
    }
    if (found == 1) {
        is_text = PyUnicode_Check(format);
        same = is_text && PyUnicode_CompareWithASCIIString(format, m->format) == 0;
        Py_DECREF(format);
    }
    return same || fp_not_sparse(how, m, o, is_text);
}

/* Replaces a reference to indices by one to indices of the type that C has, if none of them changes. SciPy chooses
 * the type of indices by itself, so that a wider one is not a mistake of the caller. */
static FP_HELPER int
fp_narrow_indices(const fp_sparse_matrix *m, PyObject **indices)
{
    PyArrayObject *from;
    PyObject *to;
    int type;
    if (m->index_type == NPY_NOTYPE || !PyArray_Check(*indices)) {
        return 1;
    }
    from = (PyArrayObject *)*indices;
    type = PyArray_TYPE(from);
    if (!PyTypeNum_ISINTEGER(type) || PyArray_CanCastSafely(type, m->index_type) || !PyArray_ISCARRAY_RO(from)
        || fp_first_outside(PyArray_DATA(from), PyArray_SIZE(from),
                            PyTypeNum_ISUNSIGNED(type) ? (int)PyArray_ITEMSIZE(from) : -(int)PyArray_ITEMSIZE(from), 0,
                            fp_integer_max(m->index_type) > (unsigned long long)PTRDIFF_MAX
                                ? PTRDIFF_MAX
                                : (npy_intp)fp_integer_max(m->index_type))
               != PyArray_SIZE(from)) {
        return 1; /* the parameter accepts it, or refuses it with a message */
    }
    to = PyArray_FromAny(*indices, PyArray_DescrFromType(m->index_type), 0, 0,
                         NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST, NULL);
    if (to == NULL) {
        return 0;
    }
    Py_DECREF(*indices);
    *indices = to;
    return 1;
}

/* Sets the arguments for the parts of a matrix; `owned` receives references that the caller releases. */
static FP_HELPER int
fp_take_apart(const fp_sparse_call *how, const fp_sparse_matrix *m, PyObject *o, PyObject **parts, PyObject **owned)
{
    static const char *const names[] = {"indptr", "indices", "data", "shape"};
    Py_ssize_t count, length;
    int k, found;
    PyObject *last;
    if (!fp_has_format(how, m, o)) {
        return 0;
    }
    for (k = 0; k < FP_SPARSE_OWNED; k++) {
        found = fp_find_by(o, names[k], &owned[k]);
        if (found != 1) {
            owned[k] = NULL;
            return found == 0 ? 0 : fp_not_sparse(how, m, o, 0);
        }
    }
    if (!PyTuple_Check(owned[3]) || fp_tuple_size(owned[3]) != 2) {
        return fp_not_sparse(how, m, o, 0);
    }
    /* Indices and values may have room that is not used. */
    count = PyObject_Size(owned[0]);
    last = count <= 0 ? NULL : PySequence_GetItem(owned[0], count - 1);
    if (last == NULL) {
        return count == 0 ? fp_not_sparse(how, m, o, 0) : 0;
    }
    count = PyNumber_AsSsize_t(last, PyExc_OverflowError);
    Py_DECREF(last);
    if (count == -1 && PyErr_Occurred()) {
        return 0;
    }
    for (k = 1; k < 3; k++) {
        length = PyObject_Size(owned[k]);
        if (length < 0) {
            return 0;
        }
        if (count >= 0 && count < length) {
            PyObject *used = PySequence_GetSlice(owned[k], 0, count);
            if (used == NULL) {
                return 0;
            }
            Py_DECREF(owned[k]);
            owned[k] = used;
        }
    }
    if (!fp_narrow_indices(m, &owned[0]) || !fp_narrow_indices(m, &owned[1])) {
        return 0;
    }
    for (k = 0; k < 5; k++) {
        if (m->parts[k] >= 0) {
            parts[m->parts[k]] = k < 3 ? owned[k] : fp_tuple_item(owned[3], k - 3);
        }
    }
    return 1;
}

/* A pending explanation of this call becomes one of the call over its parts. */
static FP_COLD void
fp_explain_parts(const fp_sparse_call *how, PyObject *const *args, PyObject *const *parts, Py_ssize_t count)
{
    fp_explanation *e;
    Py_ssize_t i;
    int k;
    for (e = fp_explaining; e != NULL; e = e->next) {
        if (e->done || e->thread != PyThread_get_thread_ident()
            || strcmp(e->function, how->signature.function) != 0) {
            continue;
        }
        for (i = 0; i < e->count; i++) {
            for (k = 0; k < how->signature.total && args[k] != e->args[i]; k++) {
            }
            if (k == how->signature.total) {
                break;
            }
        }
        if (i == e->count) {
            e->args = parts;
            e->count = count;
            return;
        }
    }
}

/* Calls a function over the parts of sparse matrices. The last three arguments are memory. */
static FP_HELPER PyObject *
fp_call_with_sparse(const fp_sparse_call *how, fp_entry entry, PyObject *const *args, Py_ssize_t given,
                    PyObject *keywords, PyObject **slots, PyObject **parts, PyObject **owned)
{
    const fp_signature *s = &how->signature;
    PyObject *result = NULL, *buffers = NULL;
    Py_ssize_t count = 0;
    int k;
    args = fp_bind(s, args, given, keywords, slots);
    if (args == NULL) {
        return NULL;
    }
    for (k = 0; k < how->count * FP_SPARSE_OWNED; k++) {
        owned[k] = NULL;
    }
    for (k = 0; k < how->total; k++) {
        parts[k] = NULL;
    }
    for (k = 0; k < s->total; k++) {
        int place = how->places[k];
        if (place >= 0) {
            parts[place] = args[k];
        }
        else if (!fp_take_apart(how, &how->matrices[~place], args[k], parts, owned + ~place * FP_SPARSE_OWNED)) {
            goto done;
        }
    }
    for (k = 0; k < how->positional; k++) {
        parts[k] = parts[k] == NULL ? Py_None : parts[k];
    }
    /* Output buffers are passed by keyword. */
    for (k = how->positional; k < how->total; k++) {
        count += parts[k] != NULL;
    }
    if (count > 0) {
        buffers = PyTuple_New(count);
        if (buffers == NULL) {
            goto done;
        }
        count = 0;
        for (k = how->positional; k < how->total; k++) {
            if (parts[k] != NULL) {
                fp_set_tuple_item(buffers, count, Py_NewRef(how->names[k]->object));
                parts[how->positional + count++] = parts[k];
            }
        }
    }
    if (FP_UNLIKELY(fp_explaining != NULL)) {
        fp_explain_parts(how, args, parts, how->positional + count);
    }
    result = entry(NULL, parts, how->positional, buffers);
done:
    Py_XDECREF(buffers);
    for (k = 0; k < how->count * FP_SPARSE_OWNED; k++) {
        Py_XDECREF(owned[k]);
    }
    return result;
}

/* Overlap: memory that a call writes to and also reads from.
 *
 * As with NumPy's functions, results are the same as without overlap: an output that shares memory with
 * another array gets separate memory for the call, and is written back after it. */

/* The half-open address range of the bytes that C may access; empty for a copy. */
static FP_UNUSED void
fp_extent(const fp_array *x, uintptr_t *low, uintptr_t *high)
{
    int i;
    *low = *high = 0;
    if ((x->held & FP_PACKED) || x->data == NULL || x->data == (const void *)x->small) {
        return;
    }
    *low = *high = (uintptr_t)x->data;
    if (x->array == NULL) { /* bytes */
        *high += (uintptr_t)x->shape[0];
        return;
    }
    for (i = 0; i < PyArray_NDIM(x->array); i++) {
        npy_intp count = PyArray_DIM(x->array, i), stride = PyArray_STRIDE(x->array, i);
        if (count == 0) {
            *high = *low;
            return;
        }
        *(stride < 0 ? low : high) += (uintptr_t)((count - 1) * stride);
    }
    *high += (uintptr_t)PyArray_ITEMSIZE(x->array);
}

/* True if a byte of one may be a byte of the other. If an exact answer takes too long, it is true; -1
 * with an exception. */
static FP_HELPER int
fp_shares_memory(const fp_array *x, const fp_array *y)
{
    uintptr_t x_low, x_high, y_low, y_high;
    PyObject *numpy, *shares, *pair, *most, *limit;
    int truth;
    fp_extent(x, &x_low, &x_high);
    fp_extent(y, &y_low, &y_high);
    if (x_low >= y_high || y_low >= x_high || x_low == x_high || y_low == y_high) {
        return 0;
    }
    if (x->array == NULL || y->array == NULL || x->data == y->data) {
        return 1;
    }
    numpy = PyImport_ImportModule("numpy");
    shares = numpy == NULL ? NULL : PyObject_GetAttrString(numpy, "may_share_memory");
    Py_XDECREF(numpy);
    pair = PyTuple_New(2);
    most = PyDict_New();
    limit = PyLong_FromLong(1000);
    if (shares == NULL || pair == NULL || most == NULL || limit == NULL
        || PyDict_SetItemString(most, "max_work", limit) < 0) {
        Py_CLEAR(shares);
    }
    else {
        fp_set_tuple_item(pair, 0, Py_NewRef((PyObject *)x->array));
        fp_set_tuple_item(pair, 1, Py_NewRef((PyObject *)y->array));
        fp_set_reference(&shares, PyObject_Call(shares, pair, most));
    }
    truth = shares == NULL ? -1 : PyObject_IsTrue(shares);
    Py_XDECREF(pair);
    Py_XDECREF(most);
    Py_XDECREF(limit);
    Py_XDECREF(shares);
    return truth;
}

/* True if two elements of an array may have a byte in common: an axis is narrower than its inner
 * dimensions. */
static FP_HELPER int
fp_overlaps_itself(PyArrayObject *array)
{
    npy_intp strides[NPY_MAXDIMS_LEGACY], counts[NPY_MAXDIMS_LEGACY], room = PyArray_ITEMSIZE(array);
    int i, k, ndim = 0;
    for (i = 0; i < PyArray_NDIM(array); i++) {
        npy_intp count = PyArray_DIM(array, i), stride = PyArray_STRIDE(array, i);
        if (count == 0) {
            return 0;
        }
        if (count == 1) {
            continue;
        }
        stride = stride < 0 ? -stride : stride;
        for (k = ndim++; k > 0 && strides[k - 1] > stride; k--) {
            strides[k] = strides[k - 1];
            counts[k] = counts[k - 1];
        }
        strides[k] = stride;
        counts[k] = count;
    }
    for (i = 0; i < ndim; i++) {
        if (strides[i] < room) {
            return 1;
        }
        room += (counts[i] - 1) * strides[i];
    }
    return 0;
}

/* out: gives the caller's buffer separate memory if it shares some with another array of the call. */
static FP_HELPER int
fp_keep_apart(fp_array *x, const fp_param *p, const fp_array *const *others, int count)
{
    int k, shares = 0;
    if (x->held & FP_PACKED) {
        return 1;
    }
    for (k = 0; k < count && shares == 0; k++) {
        shares = fp_shares_memory(x, others[k]);
    }
    if (shares == 1) {
        x->held &= ~FP_SPREAD;
        return fp_use_packed(x, p, fp_load(p->size));
    }
    return shares == 0;
}

/* The same, with the arrays as arguments, `count` of them. */
static FP_HELPER int
fp_keep_apart_from(fp_array *x, const fp_param *p, int count, ...)
{
    va_list others;
    int k, done = 1;
    va_start(others, count);
    for (k = 0; k < count && done; k++) {
        const fp_array *other = va_arg(others, fp_array *);
        done = fp_keep_apart(x, p, &other, 1);
    }
    va_end(others);
    return done;
}

/* Variable-length outputs: how much of an allocated array C has filled. */

static FP_COLD int
fp_bad_length(const fp_array *x, npy_intp length, const char *expression, const fp_param *p)
{
    if (length == FP_NO_DIM) {
        return fp_error(PyExc_RuntimeError, p, "computed length `%s` overflowed, divided by zero or was read beyond an array",
                        expression);
    }
    return fp_error(PyExc_RuntimeError, p, "computed length `%s` is %zd, but the capacity is %zd",
                    expression, (Py_ssize_t)length, (Py_ssize_t)x->shape[0]);
}

/* Truncates to the first rows, at most to the existing ones, whatever C returns. */
static inline int
fp_truncate(fp_array *x, npy_intp length, const char *expression, const fp_param *p)
{
    if (FP_UNLIKELY(length < 0 || length > x->shape[0])) {
        return fp_bad_length(x, length, expression, p);
    }
    x->shape[0] = length;
    return 1;
}

/* An allocated array is shrunk, and the rest of its memory released; of the caller's array the
 * first rows are viewed. */
static FP_HELPER PyObject *
fp_return_rows(fp_array *x, const fp_param *p)
{
    int ours = (x->held & FP_OWNS) && x->array == x->owner;
    PyObject *whole, *rows;
    if (x->shape[0] == PyArray_DIM(x->array, 0)) {
        return fp_return_array(x);
    }
    if (ours && (p->ndim == 1 || !fp_is_fortran(p))) {
        PyArray_Dims shape;
        shape.ptr = x->shape;
        shape.len = p->ndim;
        rows = PyArray_Resize(x->array, &shape, 0, NPY_CORDER);
        if (rows == NULL) {
            return NULL;
        }
        Py_DECREF(rows);
        return fp_return_array(x);
    }
    whole = fp_return_array(x);
    rows = PySequence_GetSlice(whole, 0, x->shape[0]);
    Py_DECREF(whole);
    return rows;
}

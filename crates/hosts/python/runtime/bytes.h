/* Bytes: bytes objects and buffers that C uses in place, and bytes that C fills.
 *
 * An fp_array without an array: `container` owns the memory. */

/* Uses `count` bytes that something else retains. */
static inline void
fp_use_bytes(fp_array *x, PyObject *keeper, const char *data, Py_ssize_t count)
{
    fp_array_clear(x);
    x->container = keeper;
    x->data = (void *)data;
    x->shape[0] = count;
}

static FP_COLD int
fp_wanted_bytes(const fp_param *p, PyObject *o)
{
    return fp_wanted_type(PyExc_TypeError, p, o, "",
                          p->flags & FP_WRITE ? " that can be written to, such as a bytearray"
                                              : " or an object with a buffer of bytes");
}

/* Acquires a buffer, which does not move until fp_release. */
static FP_HELPER int
fp_bytes_borrowed(fp_array *x, PyObject *o, const fp_param *p)
{
    PyObject *view;
    Py_buffer buffer;
    fp_array_clear(x);
    if (PyUnicode_Check(o) || !PyObject_CheckBuffer(o)) {
        return fp_wanted_bytes(p, o);
    }
    if (!fp_check_unmasked(o, p)) {
        return 0;
    }
    view = PyMemoryView_FromObject(o);
    if (view == NULL || !fp_buffer_of(view, &buffer)) {
        Py_XDECREF(view);
        return fp_explain_error(p);
    }
    if (buffer.ndim != 1 || buffer.itemsize != 1 || (buffer.format != NULL && *buffer.format == '?')) {
        Py_DECREF(view);
        return fp_wanted_bytes(p, o);
    }
    if (!PyBuffer_IsContiguous(&buffer, 'C')) {
        Py_DECREF(view);
        return fp_error(PyExc_ValueError, p, "the bytes must be contiguous");
    }
    if ((p->flags & FP_WRITE) && buffer.readonly) {
        Py_DECREF(view);
        return fp_error(PyExc_ValueError, p, "the bytes are read-only");
    }
    fp_use_bytes(x, view, (const char *)buffer.buf, buffer.len);
    x->memory = view;
    x->held = FP_KEEPS;
    if (x->data == NULL) {
        x->data = x->small; /* no bytes, but not NULL */
    }
    return 1;
}

/* in: in place. */
static inline int
fp_bytes_in(fp_array *x, PyObject *o, const fp_param *p)
{
    if (FP_LIKELY(PyBytes_Check(o))) {
        fp_use_bytes(x, o, fp_bytes_of(o), fp_bytes_count(o));
        return 1;
    }
    return fp_bytes_borrowed(x, o, p);
}

/* inplace, inout: in place, writable. */
static FP_HELPER int
fp_bytes_written(fp_array *x, PyObject *o, const fp_param *p)
{
    if (PyBytes_Check(o)) {
        fp_array_clear(x);
        return fp_wanted_bytes(p, o);
    }
    return fp_bytes_borrowed(x, o, p);
}

/* out: new bytes of size x->shape[0], invisible until C has filled them. */
static FP_HELPER int
fp_bytes_out(fp_array *x, const fp_param *p)
{
    PyObject *made;
    fp_array_clear(x);
    if (!fp_check_shape(x, p)) {
        return 0;
    }
    made = PyBytes_FromStringAndSize(NULL, x->shape[0]);
    if (made == NULL) {
        return fp_not_made(p->ndim, x->shape, p);
    }
    fp_own(x, (PyArrayObject *)made);
    x->data = fp_bytes_of(made);
    return 1;
}

/* in out: a copy that C changes. */
static FP_HELPER int
fp_bytes_copy(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_array from;
    int made;
    if (!fp_bytes_in(&from, o, p)) {
        fp_array_clear(x);
        return 0;
    }
    x->shape[0] = from.shape[0];
    made = fp_bytes_out(x, p);
    if (made) {
        memcpy(x->data, from.data, (size_t)from.shape[0]);
    }
    fp_release(&from);
    return made;
}

/* The output bytes, with the length after the call; None for NULL. */
static FP_HELPER PyObject *
fp_return_bytes(fp_array *x)
{
    PyObject *made = (PyObject *)x->owner;
    if (x->data == NULL) {
        Py_RETURN_NONE;
    }
    x->held &= ~FP_OWNS;
    if (x->shape[0] != fp_bytes_count(made)) {
        made = fp_resize_bytes(made, x->shape[0]);
    }
    return made;
}

/* Arrays whose rank or dtype is known only at the call.
 *
 * The call has a copy of the parameter with the rank and the dtype of its array, from which on the array is like any
 * other. */

/* A dtype of a table. */
typedef struct {
    int type;
    int size;
    fp_converter converter;
} fp_dtype_entry;

#define FP_LAST_DTYPE {-1, 0, NULL}
#define FP_DTYPE(p) ((p).type)
#define FP_ITEMSIZE(p) ((ptrdiff_t)(p).size)

static FP_HELPER int
fp_set_dtype(fp_param *own, const fp_dtype_entry *dtypes, int type)
{
    for (; dtypes->type >= 0; dtypes++) {
        if (dtypes->type == type) {
            own->type = type;
            own->size = dtypes->size;
            own->converter = dtypes->converter;
            return 1;
        }
    }
    return 0;
}

static FP_COLD void
fp_append_dtypes(fp_message *t, const fp_dtype_entry *dtypes)
{
    int i;
    for (i = 0; dtypes[i].type >= 0; i++) {
        fp_append_string(t, i == 0 ? "" : dtypes[i + 1].type >= 0 ? ", " : " or ");
        fp_append_string(t, fp_type_name(dtypes[i].type));
    }
}

/* "...: wanted an array of float64, int32 or int8, got ..." */
static FP_COLD int
fp_wanted_dtypes(PyObject *o, const fp_dtype_entry *dtypes, const char *after, const fp_param *p)
{
    fp_message t;
    if (dtypes == NULL) {
        return fp_wanted_type(PyExc_TypeError, p, o, "an array of ", after);
    }
    fp_begin_wanted(&t, p);
    fp_append_string(&t, "an array of ");
    fp_append_dtypes(&t, dtypes);
    fp_append_string(&t, after);
    return fp_raise_got(PyExc_TypeError, &t, o);
}

/* Sets the parameter of the call to the rank and dtype of a value. Objects that are not arrays are converted once for
 * that, and again when they are passed; a value that then differs is refused there. */
static FP_HELPER int
fp_any_of(fp_param *own, PyObject *o, const fp_dtype_entry *dtypes, const fp_param *p)
{
    PyArrayObject *array = NULL;
    int done = 1;
    *own = *p;
    if (PyArray_Check(o)) {
        array = (PyArrayObject *)Py_NewRef(o);
    }
    else {
        done = p->flags & FP_WRITE ? fp_view_to_write(&array, o, p) : fp_view(&array, o, p);
        if (done == 0) {
            return 0;
        }
        if (done < 0 && p->flags & FP_WRITE) {
            return fp_wanted_dtypes(o, dtypes, ", which can be written to", p);
        }
        if (done < 0) {
            array = (PyArrayObject *)PyArray_FromAny(o, NULL, 0, 0, 0, NULL);
            if (array == NULL) {
                return fp_explain_error(p);
            }
        }
    }
    if (p->ndim == 0) {
        own->ndim = PyArray_NDIM(array);
    }
    if (own->ndim > FP_MAX_DIMENSIONS) {
        done = fp_error(PyExc_ValueError, p, "wanted an array of at most %d dimensions, got one of %d",
                        FP_MAX_DIMENSIONS, own->ndim);
    }
    else if (dtypes != NULL && !fp_set_dtype(own, dtypes, fp_canonical_type(PyArray_DESCR(array)))) {
        done = fp_wanted_dtypes(done == 1 ? (PyObject *)array : o, dtypes, "", p);
    }
    else {
        done = 1;
    }
    Py_DECREF((PyObject *)array);
    return done;
}

#define FP_TAKE_ANY(HOW)                                                                                      \
    static FP_UNUSED int fp_any_##HOW(fp_array *x, PyObject *o, fp_param *own, const fp_dtype_entry *dtypes,  \
                                      const fp_param *p)                                                      \
    {                                                                                                         \
        fp_array_clear(x);                                                                                    \
        return fp_any_of(own, o, dtypes, p) && fp_array_##HOW(x, o, own);                                     \
    }
FP_TAKE_ANY(in)
FP_TAKE_ANY(inplace)
FP_TAKE_ANY(inout)
FP_TAKE_ANY(copy)
#undef FP_TAKE_ANY

/* Sets the parameter of the call to the dtype of an array that it allocates; -1: C has reported one that is not in the
 * table. */
static FP_HELPER int
fp_set_output(fp_param *own, const fp_dtype_entry *dtypes, int type, const fp_param *p)
{
    *own = *p;
    if (dtypes != NULL && !fp_set_dtype(own, dtypes, type)) {
        fp_message t;
        fp_begin(&t, p);
        fp_append_string(&t, "the dtype that C reports is not ");
        fp_append_dtypes(&t, dtypes);
        return fp_raise(PyExc_TypeError, &t);
    }
    return 1;
}

/* A new array, or the caller's buffer, of a shape that is set, and of the dtype `type`. */
static FP_UNUSED int
fp_any_shaped(fp_array *x, PyObject *buffer, fp_param *own, const fp_dtype_entry *dtypes, int type, const fp_param *p)
{
    fp_array_clear(x);
    return fp_set_output(own, dtypes, type, p) && fp_array_out(x, buffer, own);
}

/* The same of the dimensions that are the elements of an array of integers, see FP_INTEGER. */
static FP_HELPER int
fp_any_out(fp_array *x, PyObject *buffer, fp_param *own, const fp_dtype_entry *dtypes, int type, const void *dims,
           npy_intp count, int integer, const fp_param *p)
{
    int axis;
    fp_array_clear(x);
    if (!fp_set_output(own, dtypes, type, p)) {
        return 0;
    }
    if (count > FP_MAX_DIMENSIONS) {
        return fp_error(PyExc_ValueError, p, "an array has at most %d dimensions, not %zd", FP_MAX_DIMENSIONS,
                        (Py_ssize_t)count);
    }
    own->ndim = (int)count;
    for (axis = 0; axis < own->ndim; axis++) {
        x->shape[axis] = fp_element(dims, count, integer, axis);
    }
    return fp_array_out(x, buffer, own);
}

/* Stores the dimensions of an array in an array of integers, `name`, of this type and size. */
static FP_HELPER int
fp_find_dims(fp_array *dims, int type, size_t size, const fp_array *x, const char *name, const fp_param *p)
{
    int axis;
    if (dims->shape[0] != p->ndim) {
        return fp_error(PyExc_ValueError, p, "the array has %d dimensions, but %s has %zd elements", p->ndim, name,
                        (Py_ssize_t)dims->shape[0]);
    }
    for (axis = 0; axis < p->ndim; axis++) {
        if (FP_UNLIKELY((unsigned long long)x->shape[axis] > fp_integer_max(type))) {
            return fp_dim_out_of_range(x->shape[axis], axis, type, name, p);
        }
        fp_store_integer((char *)dims->data + (size_t)axis * size, type, x->shape[axis]);
    }
    return 1;
}

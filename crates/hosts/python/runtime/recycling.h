/* ---- Outputs of earlier calls ---------------------------------------------------------------
 *
 * Creating an array takes longer than many C functions. A function retains the small arrays that it
 * returned last, and returns one again when there is no other reference to it.
 */

/* The weak references to an array, and its only reference, are known in the full API with the GIL. */
#if !defined(FP_NO_FIELDS) && !defined(Py_GIL_DISABLED)
#define FP_RECYCLES 1
#else
#define FP_RECYCLES 0
#endif

/* A caller that assigns a result to a variable has the last one while the next is computed. */
enum { FP_SPARES = 2, FP_SPARE_BYTES = 4096 };

/* Arrays that an output parameter allocated, the latest first. */
typedef struct {
    PyArrayObject *arrays[FP_SPARES];
    PyArray_Descr *dtypes[FP_SPARES]; /* borrowed: NumPy's own */
    int flags[FP_SPARES];
    unsigned misses; /* since a call used one of them */
} fp_spares;

#if FP_RECYCLES

/* True if there is no other reference to the array, and it is as it was when it was created, with this rank and
 * shape, in C or Fortran order. */
static inline int
fp_is_spare(const fp_spares *spares, int k, int ndim, const npy_intp *shape, npy_intp size, int is_fortran)
{
    PyArrayObject *array = spares->arrays[k];
    npy_intp step = size;
    int i, axis;
    if (array == NULL || Py_REFCNT((PyObject *)array) != 1 || PyArray_NDIM(array) != ndim
        || PyArray_DESCR(array) != spares->dtypes[k] || PyArray_FLAGS(array) != spares->flags[k]
        || PyArray_BASE(array) != NULL
        /* A weak reference would find the new elements. */
        || *(PyObject **)(void *)((char *)array + Py_TYPE((PyObject *)array)->tp_weaklistoffset) != NULL) {
        return 0;
    }
    for (i = 0; i < ndim; i++) {
        axis = is_fortran ? i : ndim - 1 - i;
        if (PyArray_DIM(array, axis) != shape[axis] || PyArray_STRIDE(array, axis) != step) {
            return 0;
        }
        step *= shape[axis];
    }
    return 1;
}

/* False if this call has a new array that is not retained: a caller that keeps each result pays for the search in
 * every eighth call. */
static inline int
fp_uses_spares(fp_spares *spares)
{
    return FP_LIKELY(spares->misses <= 8) || ++spares->misses % 8 == 0;
}

/* A spare array as a new reference; NULL, without an exception, if there is none. */
static inline PyArrayObject *
fp_find_spare(fp_spares *spares, int ndim, const npy_intp *shape, npy_intp size, int is_fortran)
{
    int k;
    for (k = 0; k < FP_SPARES; k++) {
        if (fp_is_spare(spares, k, ndim, shape, size, is_fortran)) {
            spares->misses = 0;
            return (PyArrayObject *)Py_NewRef((PyObject *)spares->arrays[k]);
        }
    }
    return NULL;
}

/* Retains an array that was created for want of a spare one, if it is small, in place of the oldest. */
static FP_HELPER void
fp_keep_spare(fp_spares *spares, PyArrayObject *array)
{
    PyArrayObject *oldest = spares->arrays[FP_SPARES - 1];
    int k;
    spares->misses++;
    if (PyArray_NBYTES(array) > FP_SPARE_BYTES) {
        return;
    }
    for (k = FP_SPARES - 1; k > 0; k--) {
        spares->arrays[k] = spares->arrays[k - 1];
        spares->dtypes[k] = spares->dtypes[k - 1];
        spares->flags[k] = spares->flags[k - 1];
    }
    Py_INCREF((PyObject *)array);
    spares->arrays[0] = array;
    spares->dtypes[0] = PyArray_DESCR(array);
    spares->flags[0] = PyArray_FLAGS(array);
    Py_XDECREF((PyObject *)oldest);
}

#else /* each array is new */
#define fp_uses_spares(spares) ((void)(spares), 0)
#define fp_find_spare(spares, ndim, shape, size, is_fortran) ((PyArrayObject *)NULL)
#define fp_keep_spare(spares, array) ((void)0)
#endif

/* An array of shape x->shape in x, with undefined elements: a spare one, else a new one. */
static inline int
fp_array_spare(fp_array *x, const fp_param *p, fp_spares *spares)
{
    PyArrayObject *array;
    if (!fp_uses_spares(spares)) {
        return fp_array_new(x, p);
    }
    array = fp_find_spare(spares, p->ndim, x->shape, p->size, fp_is_fortran(p));
    if (array != NULL) {
        fp_own(x, array);
        x->array = array;
        x->data = PyArray_DATA(array);
        return 1;
    }
    if (!fp_array_new(x, p)) {
        return 0;
    }
    fp_keep_spare(spares, x->array);
    return 1;
}

/* As fp_array_out, with arrays of earlier calls. */
static inline int
fp_array_out_again(fp_array *x, PyObject *buffer, const fp_param *p, fp_spares *spares)
{
    fp_array_clear(x);
    if (!fp_check_shape(x, p)) {
        return 0;
    }
    return fp_is_present(buffer) ? fp_array_buffer(x, buffer, p) : fp_array_spare(x, p, spares);
}

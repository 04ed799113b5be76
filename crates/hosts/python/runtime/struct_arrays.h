/* Arrays of structs: NumPy's structured arrays of exactly the dtype with the compiler's sizes and
 * offsets. There are no casts; another memory layout is copied, by NumPy. */

static inline const fp_struct *
fp_struct_of(const fp_param *p)
{
    return ((const fp_struct_param *)p)->of;
}

static inline PyArray_Descr *
fp_struct_dtype(const fp_param *p)
{
    return (PyArray_Descr *)Py_NewRef((PyObject *)fp_struct_of(p)->dtype);
}

/* An item of a list was refused: raises that with its index, "points[2]". */
static FP_COLD int
fp_refuse_item(PyObject *value, void *to, Py_ssize_t k, const fp_struct_param *p)
{
    fp_struct_param one = *p;
    char name[64];
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError)
        && !PyErr_ExceptionMatches(PyExc_OverflowError)) {
        return 0;
    }
    PyErr_Clear();
    PyOS_snprintf(name, sizeof(name), "%.40s[%lld]", p->param.name, (long long)k);
    one.param.name = name;
    return fp_convert_struct(value, to, &one);
}

/* A list of objects, and of tuples and dicts of their values, as an array. */
static FP_HELPER int
fp_structs_of_list(fp_array *x, PyObject *o, const fp_param *p)
{
    const fp_struct *of = fp_struct_of(p);
    fp_struct_param one;
    Py_ssize_t k, count = fp_count(o);
    npy_intp shape[1];
    PyArrayObject *array;
    shape[0] = count;
    one.param = *p;
    one.param.ndim = 0;
    one.of = of;
    if (p->ndim != 1) {
        return fp_refuse_struct(o, (const fp_struct_param *)p);
    }
    array = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, fp_struct_dtype(p), 1, shape, NULL, NULL, 0,
                                                  NULL);
    if (array == NULL) {
        return 0;
    }
    fp_own(x, array);
    for (k = 0; k < count; k++) {
        PyObject *value = fp_item_at(o, k);
        char *to = (char *)PyArray_DATA(array) + (size_t)k * of->size;
        int done;
        if (value == NULL) {
            return fp_error(PyExc_RuntimeError, p, "the list became shorter while it was read");
        }
        done = fp_convert_struct(value, to, &one) || fp_refuse_item(value, to, k, &one);
        Py_DECREF(value);
        if (!done) {
            return 0;
        }
    }
    fp_use(x, array, p);
    return 1;
}

/* An array of the caller's, of exactly this type and rank. */
static FP_HELPER int
fp_take_structs(fp_array *x, PyObject *o, const fp_param *p)
{
    if (!PyArray_Check(o) || !fp_has_dtype(PyArray_DESCR((PyArrayObject *)o), fp_struct_of(p))) {
        return fp_refuse_struct(o, (const fp_struct_param *)p);
    }
    x->array = (PyArrayObject *)o;
    if (PyArray_NDIM(x->array) != p->ndim) {
        return fp_wrong_rank(p, o);
    }
    if ((p->flags & FP_WRITE) && !PyArray_ISWRITEABLE(x->array)) {
        return fp_error(PyExc_ValueError, p, "the array is read-only");
    }
    return fp_check_unmasked(o, p);
}

/* True if all elements of a contiguous array have valid values. */
static inline int
fp_are_valid_structs(PyArrayObject *array, const fp_struct *of)
{
    return !of->truths
           || fp_check_truths(of, (char *)PyArray_DATA(array), (size_t)PyArray_SIZE(array), 0);
}

/* Makes C work on x->array, or on a copy of it. */
static FP_HELPER int
fp_use_structs(fp_array *x, const fp_param *p, int copy)
{
    PyArrayObject *copied;
    if (!copy && (PyArray_FLAGS(x->array) & p->flags) == p->flags
        && fp_are_valid_structs(x->array, fp_struct_of(p))) {
        fp_use(x, x->array, p);
        return 1;
    }
    copied = (PyArrayObject *)PyArray_FromArray(x->array, fp_struct_dtype(p),
                                                (p->flags & ~FP_WRITE) | NPY_ARRAY_ENSURECOPY
                                                    | NPY_ARRAY_ENSUREARRAY);
    if (copied == NULL) {
        return 0;
    }
    fp_check_truths(fp_struct_of(p), (char *)PyArray_DATA(copied), (size_t)PyArray_SIZE(copied), 1);
    fp_own(x, copied);
    fp_use(x, copied, p);
    return 1;
}

/* The enums of its elements have values that C may receive. */
static inline int
fp_has_valid_enums(const fp_array *x, const fp_param *p)
{
    const fp_struct *of = fp_struct_of(p);
    return !of->enums || fp_check_struct_members(of, (const char *)x->data, (size_t)fp_size(x, p->ndim), p);
}

static FP_HELPER int
fp_structs_in(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_array_clear(x);
    if (PyList_Check(o) || PyTuple_Check(o)) {
        return fp_structs_of_list(x, o, p) && fp_has_valid_enums(x, p);
    }
    return fp_take_structs(x, o, p) && fp_use_structs(x, p, 0) && fp_has_valid_enums(x, p);
}

/* Memory that C writes; its values may be invalid. */
static FP_HELPER int
fp_structs_to_write(fp_array *x, PyObject *o, const fp_param *p)
{
    PyArrayObject *array;
    fp_array_clear(x);
    if (!fp_take_structs(x, o, p)) {
        return 0;
    }
    array = x->array;
    if (!fp_use_structs(x, p, 0)) {
        return 0;
    }
    x->array = array;
    return 1;
}

static FP_HELPER int
fp_structs_inplace(fp_array *x, PyObject *o, const fp_param *p)
{
    return fp_structs_to_write(x, o, p) && fp_has_valid_enums(x, p);
}

static FP_HELPER int
fp_structs_inout(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_array_clear(x);
    if (!fp_take_structs(x, o, p)) {
        return 0;
    }
    if ((PyArray_FLAGS(x->array) & p->flags) != p->flags) {
        return fp_error(PyExc_ValueError, p, "the array must be %s-contiguous and aligned",
                        fp_is_fortran(p) ? "F" : "C");
    }
    if (!fp_are_valid_structs(x->array, fp_struct_of(p))) {
        return fp_not_truths(p);
    }
    fp_use(x, x->array, p);
    return fp_has_valid_enums(x, p);
}

static FP_HELPER int
fp_structs_copy(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_array_clear(x);
    if (PyList_Check(o) || PyTuple_Check(o)) {
        return fp_structs_of_list(x, o, p) && fp_has_valid_enums(x, p);
    }
    return fp_take_structs(x, o, p) && fp_use_structs(x, p, 1) && fp_has_valid_enums(x, p);
}

static FP_HELPER int
fp_structs_out(fp_array *x, PyObject *buffer, const fp_param *p)
{
    npy_intp shape[FP_MAX_DIMENSIONS];
    PyArrayObject *array;
    int axis;
    fp_array_clear(x);
    if (!fp_check_shape(x, p)) {
        return 0;
    }
    memcpy(shape, x->shape, sizeof(shape[0]) * (size_t)p->ndim);
    if (fp_is_present(buffer)) {
        if (!fp_structs_to_write(x, buffer, p)) {
            return 0;
        }
        for (axis = 0; axis < p->ndim; axis++) {
            if (!fp_check_dim(x, axis, shape[axis], NULL, p)) {
                return 0;
            }
        }
        return 1;
    }
    array = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, fp_struct_dtype(p), p->ndim, shape, NULL, NULL,
                                                  fp_is_fortran(p) ? NPY_ARRAY_F_CONTIGUOUS : 0, NULL);
    if (array == NULL) {
        return fp_not_made(p->ndim, x->shape, p);
    }
    /* Bytes that C does not set, including padding, must not reveal earlier contents. */
    memset(PyArray_DATA(array), 0, (size_t)PyArray_NBYTES(array));
    fp_own(x, array);
    fp_use(x, array, p);
    return 1;
}

/* Copies C's results back into the caller's array. */
static FP_UNUSED int
fp_structs_back(fp_array *x)
{
    int is_copy = (x->held & FP_OWNS) != 0 && x->array != x->owner;
    return !is_copy || PyArray_CopyInto(x->array, x->owner) == 0;
}

/* Sets all elements of C's memory. */
static FP_UNUSED void
fp_structs_fill(fp_array *x, const void *element, const fp_param *p)
{
    npy_intp k, count = fp_size(x, p->ndim);
    for (k = 0; k < count; k++) {
        memcpy((char *)x->data + k * p->size, element, (size_t)p->size);
    }
}

/* Arguments and results: one function for each intent, which leaves an fp_array that fp_release can
 * release, success or not; and functions for the results. */

/* The fast path of all three: an array that C can use in place. */
static inline int
fp_use_if_ready(fp_array *x, PyObject *o, const fp_param *p)
{
    if (!fp_is_ready(o, p)) {
        return 0;
    }
    x->held = 0;
    fp_use(x, (PyArrayObject *)o, p);
    return 1;
}

/* ---- in ------------------------------------------------------------------------------------ */

static FP_HELPER int
fp_array_in_slowly(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_inner inner;
    int done;
    if (PyArray_CheckExact(o) && PyArray_NDIM((PyArrayObject *)o) == p->ndim) {
        PyArray_Descr *descr = PyArray_DESCR((PyArrayObject *)o);
        int same = descr->type_num == p->type;
        int converts = !same && p->converter != NULL && fp_is_behaved((PyArrayObject *)o);
        inner = converts ? p->converter(descr->type_num) : NULL;
        if (same || inner != NULL) {
            fp_array_clear(x);
            x->array = (PyArrayObject *)o;
            return same ? fp_use_or_pack(x, p) : fp_use_packed(x, p, inner);
        }
    }
    done = fp_read_list(x, o, p);
    if (done >= 0) {
        return done;
    }
    if (!fp_resolve(x, o, p, &inner) || !fp_check_one_item(x, p)) {
        return 0;
    }
    if (inner == NULL) {
        return fp_cast_by_numpy(x, p, 0);
    }
    if (fp_canonical_type(PyArray_DESCR(x->array)) == p->type) {
        return fp_use_or_pack(x, p);
    }
    return fp_use_packed(x, p, inner);
}

/* in: in place if C can use the array, else a packed copy. */
static inline int
fp_array_in(fp_array *x, PyObject *o, const fp_param *p)
{
    return fp_use_if_ready(x, o, p) || fp_array_in_slowly(x, o, p);
}

/* ---- inplace, inout ------------------------------------------------------------------------ */

static FP_HELPER int
fp_array_inplace_slowly(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_array_clear(x);
    return fp_take_writable(x, o, p) && fp_check_one_item(x, p) && fp_use_or_pack(x, p);
}

/* inplace: as for in, but of exactly this type, with fp_write_back after the call. */
static inline int
fp_array_inplace(fp_array *x, PyObject *o, const fp_param *p)
{
    return fp_use_if_ready(x, o, p) || fp_array_inplace_slowly(x, o, p);
}

static inline void
fp_write_back(fp_array *x, const fp_param *p)
{
    if (FP_UNLIKELY(x->held & FP_PACKED)) {
        fp_unpack(x, p);
        if (x->held & FP_FILLED) {
            fp_unmask(x);
        }
    }
}

static FP_HELPER int
fp_array_inout_slowly(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_array_clear(x);
    if (!fp_take_writable(x, o, p) || !fp_check_one_item(x, p)) {
        return 0;
    }
    if (!fp_is_native(x->array)) {
        return fp_wanted_type(PyExc_TypeError, p, (PyObject *)x->array, "an array of ", " in native byte order");
    }
    if (!PyArray_ISALIGNED(x->array)) {
        return fp_error(PyExc_ValueError, p, "the array must be aligned");
    }
    if (!fp_use_in_place(x, p)) {
        return fp_error(PyExc_ValueError, p, "the array must be %s-contiguous",
                        fp_is_fortran(p) ? "F" : "C");
    }
    return fp_are_valid(x->array, p) ? 1 : fp_not_truths(p);
}

/* inout: in place, or an error. */
static inline int
fp_array_inout(fp_array *x, PyObject *o, const fp_param *p)
{
    return fp_use_if_ready(x, o, p) || fp_array_inout_slowly(x, o, p);
}

/* ---- out, in out, hidden ------------------------------------------------------------------- */

static FP_COLD int
fp_bad_shape(const fp_array *x, const fp_param *p)
{
    const npy_intp *shape = x->shape;
    int i;
    for (i = 0; i < p->ndim && shape[i] >= 0; i++) {
    }
    if (shape[i] == FP_NO_DIM) {
        return fp_error(PyExc_ValueError, p, "dimension %d overflowed, divided by zero or was read beyond an array",
                        i);
    }
    return fp_error(PyExc_ValueError, p, "dimension %d is negative (%zd)", i,
                    (Py_ssize_t)shape[i]);
}

static inline int
fp_check_shape(const fp_array *x, const fp_param *p)
{
    int i;
    for (i = 0; i < p->ndim; i++) {
        if (FP_UNLIKELY(x->shape[i] < 0)) {
            return fp_bad_shape(x, p);
        }
    }
    return 1;
}

/* Raises the error for an array that cannot be allocated: `memory` is false if it is too large. */
static FP_COLD int
fp_cannot_make(int memory, int ndim, const npy_intp *shape, const fp_param *p)
{
    fp_message t;
    fp_begin(&t, p);
    fp_append_string(&t, memory ? "no memory for an array of shape "
                                : "the array is too large: shape ");
    fp_append_shape(&t, ndim, shape);
    return fp_raise(memory ? PyExc_MemoryError : PyExc_ValueError, &t);
}

/* The same after NumPy has failed to allocate it. */
static FP_COLD int
fp_not_made(int ndim, const npy_intp *shape, const fp_param *p)
{
    int memory = PyErr_ExceptionMatches(PyExc_MemoryError);
    if (!memory && !PyErr_ExceptionMatches(PyExc_ValueError)) {
        return 0;
    }
    PyErr_Clear();
    return fp_cannot_make(memory, ndim, shape, p);
}

/* Allocates a new array of shape x->shape in x, with uninitialised elements. */
static inline int
fp_array_new(fp_array *x, const fp_param *p)
{
    PyArrayObject *array = (PyArrayObject *)PyArray_New(
        &PyArray_Type, p->ndim, x->shape, p->type, NULL, NULL, 0,
        fp_is_fortran(p) ? NPY_ARRAY_F_CONTIGUOUS : 0, NULL);
    if (FP_UNLIKELY(array == NULL)) {
        return fp_not_made(p->ndim, x->shape, p);
    }
    fp_own(x, array);
    x->array = array;
    x->data = PyArray_DATA(array);
    return 1;
}

static FP_HELPER int
fp_array_buffer(fp_array *x, PyObject *o, const fp_param *p)
{
    int axis;
    if (!fp_take_writable(x, o, p) || !fp_check_one_item(x, p)) {
        return 0;
    }
    for (axis = 0; axis < p->ndim; axis++) {
        if (PyArray_DIM(x->array, axis) != x->shape[axis]) {
            return fp_error(PyExc_ValueError, p, "dimension %d is %zd, but must be %zd", axis,
                            (Py_ssize_t)PyArray_DIM(x->array, axis), (Py_ssize_t)x->shape[axis]);
        }
    }
    /* Its elements are not read, so they need not be valid. */
    return fp_use_in_place(x, p) || fp_use_packed(x, p, fp_load(p->size));
}

/* out: of shape x->shape, the caller's buffer if there is one (with fp_write_back after the call), else
 * a new array. */
static inline int
fp_array_out(fp_array *x, PyObject *buffer, const fp_param *p)
{
    fp_array_clear(x);
    if (!fp_check_shape(x, p)) {
        return 0;
    }
    return fp_is_present(buffer) ? fp_array_buffer(x, buffer, p) : fp_array_new(x, p);
}

/* in out: a copy that C may change, in an array that can be returned. */
static FP_HELPER int
fp_array_copy(fp_array *x, PyObject *o, const fp_param *p)
{
    PyArrayObject *from;
    fp_inner inner;
    int made, done = fp_read_list(x, o, p);
    if (done == 0) {
        return 0;
    }
    if (done == 1) {
        void *packed = x->data;
        if (!fp_array_new(x, p)) {
            return 0;
        }
        memcpy(x->data, packed, (size_t)(fp_size(x, p->ndim) * p->size));
        return 1;
    }
    if (!fp_resolve(x, o, p, &inner) || !fp_check_one_item(x, p)) {
        return 0;
    }
    if (inner == NULL) {
        return fp_cast_by_numpy(x, p, NPY_ARRAY_ENSURECOPY);
    }
    from = x->array; /* retained until its copy exists: this may be the only reference */
    fp_use(x, from, p);
    Py_INCREF((PyObject *)from);
    made = fp_array_new(x, p);
    if (made) {
        fp_pack(from, x->data, p, inner);
    }
    Py_DECREF((PyObject *)from);
    return made;
}

/* hidden: zeroed memory of shape x->shape that is only passed to C. */
static FP_HELPER int
fp_array_scratch(fp_array *x, const fp_param *p)
{
    npy_intp count = 1;
    int i;
    fp_array_clear(x);
    if (!fp_check_shape(x, p)) {
        return 0;
    }
    for (i = 0; i < p->ndim; i++) {
        if (x->shape[i] != 0 && count > NPY_MAX_INTP / p->size / x->shape[i]) {
            return fp_error(PyExc_ValueError, p, "the array is too large");
        }
        count *= x->shape[i];
    }
    if (!fp_reserve(x, count, p)) {
        return 0;
    }
    memset(x->data, 0, (size_t)(count * p->size));
    return 1;
}

/* Sets all elements of a new array, or of the caller's buffer, to the value of one element. */
static FP_HELPER void
fp_fill(fp_array *x, const void *element, const fp_param *p)
{
    fp_elements view;
    if (x->array == NULL || x->held & FP_PACKED) {
        npy_intp count = x->array == NULL ? fp_size(x, p->ndim) : PyArray_SIZE(x->array);
        view.data = (char *)x->data;
        view.ndim = 1;
        view.shape[0] = count;
        view.strides[0] = p->size;
    }
    else {
        fp_elements_of(&view, x->array, p->ndim, fp_is_fortran(p));
    }
    fp_for_each(&view, (char *)element, 0, 1, fp_repeat(p->size));
}

/* The same with one value, by fp_fill or fp_structs_fill. */
#define FP_FILL(fill, x, ctype, value, p)  \
    do {                                   \
        const ctype fp_element = value;    \
        fill(x, &fp_element, p);           \
    } while (0)

/* ---- On a device --------------------------------------------------------------------------- */

/* Any intent: a tensor of exactly this type and of the layout that C expects. Its elements cannot be
 * read or copied here. */
static FP_HELPER int
fp_device_array(fp_array *x, PyObject *o, const fp_param *p)
{
    int done = PyArray_Check(o) ? -1 : fp_view_dlpack(&x->owner, o, p);
    fp_array_clear(x);
    if (done < 0) {
        return fp_wanted_type(PyExc_TypeError, p, o, "an array of ", " on a CUDA device");
    }
    if (done == 0) {
        return 0;
    }
    x->held |= FP_VIEWS;
    x->container = o;
    x->array = x->owner;
    if (!fp_check_exact(x->array, p)) {
        return 0;
    }
    if ((p->flags & FP_WRITE) && !PyArray_ISWRITEABLE(x->array)) {
        return fp_error(PyExc_ValueError, p, "the array is read-only");
    }
    if (!fp_use_in_place(x, p)) {
        return fp_error(PyExc_ValueError, p, "the array must be %s-contiguous and aligned",
                        fp_is_fortran(p) ? "F" : "C");
    }
    return 1;
}

/* out: the caller's tensor, as none can be allocated. */
static FP_HELPER int
fp_device_out(fp_array *x, PyObject *buffer, const fp_param *p)
{
    npy_intp shape[FP_MAX_DIMENSIONS];
    int axis;
    memcpy(shape, x->shape, sizeof(shape[0]) * (size_t)p->ndim);
    fp_array_clear(x);
    if (!fp_is_present(buffer)) {
        return fp_error(PyExc_TypeError, p, "give an array to write to: none can be made on a CUDA device");
    }
    if (!fp_device_array(x, buffer, p)) {
        return 0;
    }
    for (axis = 0; axis < p->ndim; axis++) {
        if (x->shape[axis] != shape[axis]) {
            return fp_error(PyExc_ValueError, p, "dimension %d is %zd, but must be %zd", axis,
                            (Py_ssize_t)x->shape[axis], (Py_ssize_t)shape[axis]);
        }
    }
    return 1;
}

/* ---- Shapes -------------------------------------------------------------------------------- */

static FP_COLD int
fp_wrong_dim(const fp_array *x, int axis, npy_intp wanted, const char *expression, const fp_param *p)
{
    fp_message t;
    if (wanted == FP_NO_DIM) {
        return fp_error(PyExc_ValueError, p, "dimension %d (%s) overflowed, divided by zero or was read beyond an array", axis,
                        expression == NULL ? "a number" : expression);
    }
    fp_begin(&t, p);
    fp_append_string(&t, "dimension ");
    fp_append_integer(&t, axis);
    fp_append_string(&t, " of shape ");
    fp_append_shape(&t, p->ndim, x->shape);
    fp_append_string(&t, " is ");
    fp_append_integer(&t, x->shape[axis]);
    fp_append_string(&t, ", but ");
    fp_append_string(&t, expression == NULL ? "must be " : expression);
    fp_append_string(&t, expression == NULL ? "" : " is ");
    fp_append_integer(&t, wanted);
    return fp_raise(PyExc_ValueError, &t);
}

/* Checks that a dimension has the value of `expression` in the prototype (NULL: a number). */
static inline int
fp_check_dim(const fp_array *x, int axis, npy_intp wanted, const char *expression, const fp_param *p)
{
    return FP_LIKELY(x->data == NULL || x->shape[axis] == wanted)
               ? 1
               : fp_wrong_dim(x, axis, wanted, expression, p);
}

static FP_COLD int
fp_dim_out_of_range(npy_intp dim, int axis, int type, const char *name, const fp_param *p)
{
    return fp_error(PyExc_OverflowError, p, "dimension %d is %zd, which is out of range for %s (%s)",
                    axis, (Py_ssize_t)dim, name, fp_type_name(type));
}

/* Sets the integer variable `name` of the given type to dimension `axis` of a parameter's array. */
static inline int
fp_find_dim(void *variable, int type, npy_intp dim, int axis, const char *name, const fp_param *p)
{
    if (FP_UNLIKELY((unsigned long long)dim > fp_integer_max(type))) {
        return fp_dim_out_of_range(dim, axis, type, name, p);
    }
    fp_store_integer(variable, type, dim);
    return 1;
}

/* ---- Results ------------------------------------------------------------------------------- */

/* Returns the array itself, or the container that it views, as a new reference; None for NULL. */
static inline PyObject *
fp_return_array(fp_array *x)
{
    if (FP_LIKELY((x->held & FP_OWNS) && x->array == x->owner)) {
        x->held &= ~FP_OWNS; /* its reference is returned */
        return (PyObject *)x->array;
    }
    if (FP_UNLIKELY(x->held & FP_VIEWS)) {
        return Py_NewRef(x->container);
    }
    return Py_NewRef(x->array == NULL ? Py_None : (PyObject *)x->array);
}

/* The same, with the changes that C has made in a copy. */
static inline PyObject *
fp_return_written(fp_array *x, const fp_param *p)
{
    fp_write_back(x, p);
    return fp_return_array(x);
}

/* Returns a copy of the caller's array as it is after the call; None for NULL. */
static FP_HELPER PyObject *
fp_return_copy(const fp_array *x, const fp_param *p)
{
    if (x->array == NULL) {
        Py_RETURN_NONE;
    }
    return PyArray_NewCopy(x->array, fp_is_fortran(p) ? NPY_FORTRANORDER : NPY_CORDER);
}

/* Returns a tuple of new references, and takes ownership of them; NULL if one of them is NULL. */
static FP_HELPER PyObject *
fp_tuple(PyObject **items, Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count);
    Py_ssize_t i;
    int ok = tuple != NULL;
    for (i = 0; i < count; i++) {
        ok = ok && items[i] != NULL;
    }
    for (i = 0; i < count; i++) {
        if (ok) {
            fp_set_tuple_item(tuple, i, items[i]);
        }
        else {
            Py_XDECREF(items[i]);
        }
    }
    if (!ok) {
        Py_CLEAR(tuple);
    }
    return tuple;
}

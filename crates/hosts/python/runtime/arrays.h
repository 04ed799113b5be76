/* Arrays: conversion of NumPy arrays and sequences to contiguous C memory, and back.
 *
 * fp_array is one array argument of a call. Whatever state one of the functions that fill it has left
 * it in, success or not, fp_release releases exactly what it holds. */

#define FP_SMALL 256         /* bytes of a copy that need no allocation */

/* The resources of an fp_array, which fp_release releases. */
enum {
    FP_OWNS = 1,      /* a reference, `owner` */
    FP_ALLOCATED = 2, /* memory, `memory` */
    FP_PACKED = 4,    /* not a resource: C works on a packed copy of the array */
    FP_VIEWS = 8,     /* a reference, `owner`: an array on the memory of `container` */
    FP_SPREAD = 16,   /* not a resource: `strides` are those of the elements */
    FP_KEEPS = 32,    /* a reference, `memory` */
    FP_FILLED = 64,   /* not a resource: a masked array, whose mask is cleared after the call */
    FP_RELEASES = FP_OWNS | FP_ALLOCATED | FP_VIEWS | FP_KEEPS
};

typedef struct {
    /* `held` separates the pointers: compilers store adjacent pointers as one vector, and the call then
     * waits until that is split again (3 ns). */
    void *data;           /* the pointer passed to C; NULL for a NULL argument */
    int held;             /* FP_OWNS, ...; 0 for an array that is used in place */
    PyArrayObject *array; /* the array that owns `data`; NULL if there is none */
    PyArrayObject *owner;
    void *memory;
    PyObject *container;
    /* A copy of the shape: Python code that a later argument runs may reshape the array. */
    npy_intp shape[FP_MAX_DIMENSIONS];
    npy_intp strides[FP_MAX_DIMENSIONS]; /* in elements, with FP_SPREAD */
#if defined(__GNUC__) || defined(__clang__)
    __attribute__((aligned(16)))
#endif
    char small[FP_SMALL];
} fp_array;

static inline void
fp_array_clear(fp_array *x)
{
    x->data = NULL;
    x->array = NULL;
    x->held = 0;
}

/* A NULL argument: all its dimensions are 0. */
static inline int
fp_array_null(fp_array *x, const fp_param *p)
{
    int i;
    fp_array_clear(x);
    for (i = 0; i < p->ndim; i++) {
        x->shape[i] = 0;
    }
    return 1;
}

/* Sets the shape of an array before it is allocated, and returns the array. */
static inline fp_array *
fp_shape_1(fp_array *x, npy_intp first)
{
    x->shape[0] = first;
    return x;
}

static inline fp_array *
fp_shape_2(fp_array *x, npy_intp first, npy_intp second)
{
    x->shape[1] = second;
    return fp_shape_1(x, first);
}

static inline fp_array *
fp_shape_3(fp_array *x, npy_intp first, npy_intp second, npy_intp third)
{
    x->shape[2] = third;
    return fp_shape_2(x, first, second);
}

/* Uses an array of the parameter's rank in place. */
static inline void
fp_use(fp_array *x, PyArrayObject *array, const fp_param *p)
{
    int i;
    x->data = PyArray_DATA(array);
    x->array = array;
    for (i = 0; i < p->ndim; i++) {
        x->shape[i] = PyArray_DIM(array, i);
    }
}

static FP_HELPER void
fp_release_held(fp_array *x)
{
    if (x->held & FP_ALLOCATED) {
        PyMem_Free(x->memory);
    }
    if (x->held & (FP_OWNS | FP_VIEWS)) {
        Py_DECREF((PyObject *)x->owner);
    }
    if (x->held & FP_KEEPS) {
        Py_DECREF((PyObject *)x->memory);
    }
}

static inline void
fp_release(fp_array *x)
{
    if (FP_UNLIKELY((x->held & FP_RELEASES) != 0)) {
        fp_release_held(x);
    }
}

/* Takes ownership of a new reference, and releases the previous one. */
static FP_UNUSED void
fp_own(fp_array *x, PyArrayObject *array)
{
    PyArrayObject *before = x->held & FP_OWNS ? x->owner : NULL;
    x->owner = array;
    x->held |= FP_OWNS;
    Py_XDECREF((PyObject *)before);
}

/* The number of elements. It cannot overflow, because such an array exists. */
static inline npy_intp
fp_size(const fp_array *x, int ndim)
{
    npy_intp size = 1;
    int i;
    for (i = 0; i < ndim; i++) {
        size *= x->shape[i];
    }
    return size;
}

/* ---- Tests --------------------------------------------------------------------------------- */

static inline int
fp_is_fortran(const fp_param *p)
{
    return (p->flags & NPY_ARRAY_F_CONTIGUOUS) != 0;
}

/* True if `o` is an array that C can use in place; false for `bool`, whose bytes must be checked first. */
static inline int
fp_is_ready(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = (PyArrayObject *)o;
    return p->type != NPY_BOOL && FP_LIKELY(PyArray_CheckExact(o)) && FP_LIKELY(PyArray_DESCR(array)->type_num == p->type)
           && FP_LIKELY(PyArray_NDIM(array) == p->ndim)
           && FP_LIKELY((PyArray_FLAGS(array) & p->flags) == p->flags)
           && FP_LIKELY(PyArray_ISNBO(PyArray_DESCR(array)->byteorder));
}

static inline int
fp_is_native(PyArrayObject *array)
{
    return PyArray_ISNBO(PyArray_DESCR(array)->byteorder);
}

/* True if a loop over elements can read them as C values. */
static inline int
fp_is_behaved(PyArrayObject *array)
{
    return PyArray_ISALIGNED(array) && fp_is_native(array);
}

static FP_COLD int
fp_wrong_rank(const fp_param *p, PyObject *o)
{
    fp_message t;
    int most = p->maps && PyArray_Check(o) && PyArray_NDIM((PyArrayObject *)o) > FP_MAX_DIMENSIONS;
    fp_begin_wanted(&t, p);
    fp_append_string(&t, most      ? "an array of at most "
                         : p->maps & FP_MAPS_ITEMS ? "an array of at least "
                                   : "a ");
    fp_append_integer(&t, most ? FP_MAX_DIMENSIONS : p->ndim);
    fp_append_string(&t, !most && !(p->maps & FP_MAPS_ITEMS) ? "-D array"
                         : p->ndim == 1 && !most            ? " dimension"
                                                            : " dimensions");
    return fp_raise_got(PyExc_ValueError, &t, o);
}

/* True if an array of this rank is one item, or, for a batched parameter, holds items. */
static inline int
fp_rank_fits(int ndim, const fp_param *p)
{
    return ndim == p->ndim || (p->maps && ndim > p->ndim && ndim <= FP_MAX_DIMENSIONS);
}

/* Raises an error unless a call that was taken for one item of a batched parameter is one. */
static FP_HELPER int
fp_check_one_item(const fp_array *x, const fp_param *p)
{
    fp_message t;
    if (PyArray_NDIM(x->array) == p->ndim) {
        return 1;
    }
    if (!(p->maps & FP_MAPS_ITEMS)) {
        return fp_wrong_rank(p, (PyObject *)x->array);
    }
    fp_begin_wanted(&t, p);
    fp_append_string(&t, "a ");
    fp_append_integer(&t, p->ndim);
    fp_append_string(&t, "-D array, as the others are one item");
    return fp_raise_got(PyExc_ValueError, &t, (PyObject *)x->array);
}

/* An array of exactly the parameter's type and rank. */
static inline int
fp_check_exact(PyArrayObject *array, const fp_param *p)
{
    if (fp_canonical_type(PyArray_DESCR(array)) != p->type) {
        return fp_wanted_type(PyExc_TypeError, p, (PyObject *)array, "an array of exactly ", "");
    }
    return fp_rank_fits(PyArray_NDIM(array), p)
               ? PyArray_CheckExact((PyObject *)array) || fp_check_unmasked((PyObject *)array, p)
               : fp_wrong_rank(p, (PyObject *)array);
}

static FP_HELPER int
fp_take_container(fp_array *x, PyObject *o, const fp_param *p)
{
    int done = fp_view_to_write(&x->owner, o, p);
    if (done < 0) {
        return fp_wanted_type(PyExc_TypeError, p, o, "an array of ", ", which can be written to");
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
    return PyArray_ISWRITEABLE(x->array)
               ? 1
               : fp_error(PyExc_ValueError, p, "%s gives no memory that can be written to",
                          fp_class_name(Py_TYPE(o)));
}

/* The common part of inplace, inout and out: memory of the caller that C writes to, of an array or
 * another container, as x->array. */
static FP_HELPER int
fp_take_writable(fp_array *x, PyObject *o, const fp_param *p)
{
    if (FP_UNLIKELY(!PyArray_Check(o))) {
        return fp_take_container(x, o, p);
    }
    x->array = (PyArrayObject *)o;
    if (!fp_check_exact(x->array, p)) {
        return 0;
    }
    return PyArray_ISWRITEABLE(x->array) ? 1 : fp_error(PyExc_ValueError, p, "the array is read-only");
}

/* ---- Packed copies ------------------------------------------------------------------------- */

#define FP_HUGE ((size_t)4 << 20) /* bytes of which the first access to each page matters */

/* Requests large pages for large memory, as NumPy does: the first access to small pages would take
 * three times as long as the copy. */
static FP_HELPER void
fp_request_large_pages(void *memory, size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    size_t page = 4096, skipped = page - (size_t)((uintptr_t)memory % page);
    (void)madvise((char *)memory + skipped, bytes - skipped, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

/* Sets x->data to memory for `count` elements; small counts need no allocation. */
static inline int
fp_reserve(fp_array *x, npy_intp count, const fp_param *p)
{
    if (FP_LIKELY(count <= FP_SMALL && count * p->size <= FP_SMALL)) {
        x->data = x->small;
        x->held |= FP_PACKED;
        return 1;
    }
    if (count > NPY_MAX_INTP / p->size
        || (x->memory = PyMem_Malloc((size_t)count * (size_t)p->size)) == NULL) {
        return fp_error(PyExc_MemoryError, p, "no memory for a copy of %zd elements", count);
    }
    if ((size_t)count >= FP_HUGE / (size_t)p->size) {
        fp_request_large_pages(x->memory, (size_t)count * (size_t)p->size);
    }
    x->data = x->memory;
    x->held |= FP_ALLOCATED | FP_PACKED;
    return 1;
}

static FP_HELPER void
fp_pack(PyArrayObject *from, void *to, const fp_param *p, fp_inner inner)
{
    fp_elements view;
    if (!fp_is_native(from)) {
        inner = fp_load_turned(p->type, p->size);
    }
    if (PyArray_NDIM(from) == 1) {
        inner((char *)to, (const char *)PyArray_DATA(from), PyArray_DIM(from, 0),
              PyArray_STRIDE(from, 0));
        return;
    }
    fp_elements_of(&view, from, p->ndim, fp_is_fortran(p));
    fp_for_each(&view, (char *)to, p->size, 0, inner);
}

static FP_HELPER void
fp_unpack(fp_array *x, const fp_param *p)
{
    fp_elements view;
    fp_elements_of(&view, x->array, p->ndim, fp_is_fortran(p));
    fp_for_each(&view, (char *)x->data, p->size, 1,
                fp_is_native(x->array) ? fp_store(p->size) : fp_store_turned(p->type, p->size));
}

/* Clears the caller's mask, as missing values have been written. `memory` is a tuple of a packed mask
 * and the caller's. */
static FP_HELPER void
fp_unmask(fp_array *x)
{
    PyArrayObject *packed = (PyArrayObject *)fp_tuple_item((PyObject *)x->memory, 0);
    fp_elements view;
    memset(PyArray_DATA(packed), 0, (size_t)PyArray_NBYTES(packed));
    fp_elements_of(&view, (PyArrayObject *)fp_tuple_item((PyObject *)x->memory, 1), 0, 0);
    fp_for_each(&view, PyArray_BYTES(packed), 1, 1, fp_store(1));
}

/* Makes C work on a packed copy of x->array. */
static FP_UNUSED int
fp_use_packed(fp_array *x, const fp_param *p, fp_inner inner)
{
    fp_use(x, x->array, p);
    if (!fp_reserve(x, fp_size(x, p->ndim), p)) {
        return 0;
    }
    fp_pack(x->array, x->data, p, inner);
    return 1;
}

/* True if the last p->ndim dimensions are stored as C expects them: contiguous, in C or Fortran order.
 * An axis with any stride must only be wide enough for its inner dimensions. */
static FP_HELPER int
fp_core_has_layout(PyArrayObject *array, const fp_param *p)
{
    int k, fortran = fp_is_fortran(p), lead = PyArray_NDIM(array) - p->ndim;
    npy_intp compact = p->size;
    if (PyArray_SIZE(array) == 0) {
        return 1; /* its strides have no meaning */
    }
    for (k = 0; k < p->ndim; k++) {
        int axis = fortran ? k : p->ndim - 1 - k;
        npy_intp count = PyArray_DIM(array, lead + axis), stride = PyArray_STRIDE(array, lead + axis);
        if (count == 1) {
            continue;
        }
        if (stride != compact) {
            if (!(p->strided >> axis & 1) || stride < compact || stride % p->size != 0) {
                return 0;
            }
            compact = stride;
        }
        compact *= count;
    }
    return 1;
}

/* The stride of an axis of x->data, in elements. */
static FP_HELPER npy_intp
fp_stride(const fp_array *x, int axis, const fp_param *p)
{
    npy_intp stride = 1;
    int k, fortran = fp_is_fortran(p);
    if (x->held & FP_SPREAD) {
        return x->strides[axis];
    }
    for (k = 0; k < p->ndim; k++) {
        int inner = fortran ? k : p->ndim - 1 - k;
        if (inner == axis) {
            break;
        }
        stride *= x->shape[inner] > 1 ? x->shape[inner] : 1;
    }
    return stride;
}

/* Stores the strides of an array that C uses in place. Strides of at most one element have no meaning,
 * so they become those of a packed array. */
static FP_HELPER void
fp_note_strides(fp_array *x, PyArrayObject *array, const fp_param *p)
{
    int k, fortran = fp_is_fortran(p), lead = PyArray_NDIM(array) - p->ndim;
    npy_intp compact = 1;
    if (PyArray_SIZE(array) == 0) {
        return;
    }
    for (k = 0; k < p->ndim; k++) {
        int axis = fortran ? k : p->ndim - 1 - k;
        npy_intp count = PyArray_DIM(array, lead + axis);
        if (count > 1) {
            compact = PyArray_STRIDE(array, lead + axis) / p->size;
        }
        x->strides[axis] = compact;
        compact *= count;
    }
    x->held |= FP_SPREAD;
}

/* True if C can use the array in place; then x refers to it. */
static FP_UNUSED int
fp_use_in_place(fp_array *x, const fp_param *p)
{
    PyArrayObject *array = x->array;
    if (!fp_is_native(array)) {
        return 0;
    }
    if ((PyArray_FLAGS(array) & p->flags) != p->flags) {
        if (p->strided == 0 || !PyArray_ISALIGNED(array) || !fp_core_has_layout(array, p)) {
            return 0;
        }
        fp_note_strides(x, array, p);
    }
    fp_use(x, array, p);
    return 1;
}

/* True if the elements of an array, which has the parameter's type, have valid bytes for C. */
static inline int
fp_are_valid(PyArrayObject *array, const fp_param *p)
{
    return p->type != NPY_BOOL || fp_are_truths(array);
}

static FP_COLD int
fp_not_truths(const fp_param *p)
{
    return fp_error(PyExc_ValueError, p, "the array has bytes other than 0 and 1, and may not be copied");
}

/* Makes x->array, which has the parameter's type, usable for C: in place if possible, else packed. */
static FP_UNUSED int
fp_use_or_pack(fp_array *x, const fp_param *p)
{
    return (fp_are_valid(x->array, p) && fp_use_in_place(x, p)) || fp_use_packed(x, p, fp_loader(p));
}

/* Casts to an array by NumPy; `extra`: flags beyond the parameter's. */
static FP_HELPER int
fp_cast_by_numpy(fp_array *x, const fp_param *p, int extra)
{
    PyArrayObject *cast = (PyArrayObject *)PyArray_FromArray(
        x->array, PyArray_DescrFromType(p->type),
        (p->flags & ~FP_WRITE) | NPY_ARRAY_FORCECAST | NPY_ARRAY_ENSUREARRAY | extra);
    if (cast == NULL) {
        return 0;
    }
    fp_own(x, cast);
    fp_use(x, cast, p);
    return 1;
}

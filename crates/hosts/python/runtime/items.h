/* Items: the operands of a batched call, over the leading dimensions of its arrays.
 *
 * Every array is an operand. Its core dimensions are the array that C receives for one item; its
 * leading dimensions are broadcast as in NumPy. A core of the layout that C expects is used in place,
 * whatever the strides of the leading dimensions. Any other array is packed as a whole, once, without
 * the repetitions of broadcasting. */

#define FP_MAX_OPERAND_BYTES 16
#define FP_MAX_OPERANDS 128 /* the maximal number of arguments of a batched function, with its result */
enum { FP_EXCLUSIVE = 2 };

/* The items of an array: the address of the first one, and the strides to the others. */
typedef struct {
    const fp_param *param;
    fp_array *array;
    char *data;
    int ndim;    /* leading dimensions; after fp_broadcast, those of the batch */
    int written; /* C writes to it, so that no items may share memory; FP_EXCLUSIVE: it may not be copied either */
    const char *missing; /* of contiguous items: a byte for each, 1 if its value is missing; or NULL */
    npy_intp shape[FP_MAX_DIMENSIONS], strides[FP_MAX_DIMENSIONS];
} fp_operand;

/* The items of a batched call. */
typedef struct {
    int ndim;
    npy_intp count;
    npy_intp shape[FP_MAX_DIMENSIONS];
    int order[FP_MAX_DIMENSIONS]; /* the dimensions in the order of the loop: the last one varies fastest */
    int taken;                    /* the number of operands that have their memory */
    const fp_operand *operands[FP_MAX_OPERANDS];
    npy_intp scratch; /* bytes for each worker */
    int releases;     /* the call releases the GIL */
} fp_map;

/* ---- Is a call batched? ---------------------------------------------------------------------- */

/* As fp_has_more, of a value that is neither a list, nor a tuple, nor a plain number. */
static FP_HELPER int
fp_has_more_dimensions(PyObject *o, int ndim)
{
    fp_class c;
    int known;
    if (PyArray_Check(o)) {
        PyObject *mask;
        int found = ndim == 0 && PyArray_NDIM((PyArrayObject *)o) == 0 ? fp_find_mask(o, &mask) : -1;
        if (found == 1) {
            Py_DECREF(mask); /* a missing number is an item without a value */
        }
        return found >= 0 ? 2 * found - 1 : PyArray_NDIM((PyArrayObject *)o) > ndim;
    }
    if (PyNumber_Check(o) && !PySequence_Check(o)) {
        return 0;
    }
    Py_INCREF(o); /* Python code that runs here may remove it from its list */
    known = fp_classify(o, &c);
    Py_DECREF(o);
    return known ? c.ndim > ndim : -1;
}

/* As fp_has_more, of a value that is neither an array nor a plain number. */
static FP_HELPER int
fp_has_more_slowly(PyObject *o, int ndim)
{
    int has = -1;
    Py_INCREF(o);
    while (has < 0 && (PyList_CheckExact(o) || PyTuple_CheckExact(o))) {
        PyObject *first = --ndim < 0 ? NULL : fp_item_at(o, 0);
        if (first == NULL) { /* a list that contains itself has more, too */
            has = ndim < 0;
        }
        else {
            fp_set_reference(&o, first);
        }
    }
    has = has < 0 ? fp_has_more_dimensions(o, ndim) : has;
    Py_DECREF(o);
    return has;
}

/* Returns 1 if a value has more dimensions than one item, so that it holds items; -1 with an exception. */
static inline int
fp_has_more(PyObject *o, int ndim)
{
    if (PyArray_CheckExact(o)) {
        return PyArray_NDIM((PyArrayObject *)o) > ndim;
    }
    return PyFloat_CheckExact(o) || PyLong_CheckExact(o) ? 0 : fp_has_more_slowly(o, ndim);
}

/* The same for a value that may be absent. */
static inline int
fp_may_have_more(PyObject *o, int ndim)
{
    return fp_is_present(o) ? fp_has_more(o, ndim) : 0;
}

/* ---- Reading arguments ----------------------------------------------------------------------- */

static inline void
fp_operand_begin(fp_operand *op, fp_array *x, const fp_param *p)
{
    op->param = p;
    op->array = x;
    op->data = NULL;
    op->ndim = 0;
    op->written = 0;
    op->missing = NULL;
}

/* Uses an array in place: the last dimensions are an item's core. */
static inline void
fp_use_items(fp_array *x, fp_operand *op, PyArrayObject *array, const fp_param *p)
{
    int i, lead = PyArray_NDIM(array) - p->ndim;
    x->data = PyArray_DATA(array);
    x->array = array;
    for (i = 0; i < p->ndim; i++) {
        x->shape[i] = PyArray_DIM(array, lead + i);
    }
    op->data = x->data == NULL ? x->small : (char *)x->data; /* an empty array may have no address */
    op->ndim = lead;
    for (i = 0; i < lead; i++) {
        op->shape[i] = PyArray_DIM(array, i);
        op->strides[i] = PyArray_STRIDE(array, i);
    }
}

/* Sets an operand to packed items: its strides are those of contiguous items, but 0 in the dimensions
 * of `repeats`, in which all items are the same. */
static FP_HELPER void
fp_operand_packed(fp_operand *op, const fp_array *x, const fp_param *p, unsigned repeats)
{
    npy_intp stride = fp_size(x, p->ndim) * p->size;
    int i;
    op->data = (char *)x->data;
    for (i = op->ndim - 1; i >= 0; i--) {
        op->strides[i] = 0;
        if (!(repeats >> i & 1)) {
            op->strides[i] = stride;
            stride *= op->shape[i];
        }
    }
}

/* Packs the items of x->array, each once. */
static FP_HELPER int
fp_pack_items(fp_array *x, fp_operand *op, const fp_param *p, fp_inner inner)
{
    PyArrayObject *array = x->array;
    int i, lead = PyArray_NDIM(array) - p->ndim;
    npy_intp count;
    unsigned repeats = 0;
    fp_elements view;
    fp_use_items(x, op, array, p);
    count = fp_size(x, p->ndim);
    view.ndim = 0;
    for (i = 0; i < lead; i++) {
        if (op->strides[i] == 0 && op->shape[i] > 1 && !op->written) {
            repeats |= 1u << i;
            continue;
        }
        count *= op->shape[i];
        fp_elements_add(&view, op->shape[i], op->strides[i]);
    }
    for (i = 0; i < p->ndim; i++) {
        int axis = fp_is_fortran(p) ? p->ndim - 1 - i : i;
        fp_elements_add(&view, x->shape[axis], PyArray_STRIDE(array, lead + axis));
    }
    view.data = op->data;
    if (!fp_reserve(x, count, p)) {
        return 0;
    }
    if (count > 0) {
        fp_for_each(&view, (char *)x->data, p->size, 0,
                    fp_is_native(array) ? inner : fp_load_turned(p->type, p->size));
    }
    fp_operand_packed(op, x, p, repeats);
    return 1;
}

/* Uses the items of x->array, which has the parameter's type, in place if C can. */
static FP_HELPER int
fp_use_items_in_place(fp_array *x, fp_operand *op, const fp_param *p)
{
    if (!fp_is_behaved(x->array) || !fp_core_has_layout(x->array, p)) {
        return 0;
    }
    if (p->strided != 0) {
        fp_note_strides(x, x->array, p);
    }
    fp_use_items(x, op, x->array, p);
    return 1;
}

/* Makes the items of x->array, which has the parameter's type, usable for C. */
static FP_HELPER int
fp_use_or_pack_items(fp_array *x, fp_operand *op, const fp_param *p)
{
    return (fp_are_valid(x->array, p) && fp_use_items_in_place(x, op, p))
           || fp_pack_items(x, op, p, fp_loader(p));
}

/* One number, the same for all items. */
static FP_HELPER int
fp_map_number(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    int ok;
    fp_array_clear(x);
    switch (p->type) {
    case NPY_BOOL: ok = fp_read_bool(o, x->small, p); break;
    case NPY_FLOAT32: ok = fp_read_float32(o, (float *)(void *)x->small, p); break;
    case NPY_FLOAT64: ok = fp_read_float64(o, (double *)(void *)x->small, p); break;
    case NPY_COMPLEX64: ok = fp_read_complex64(o, x->small, p); break;
    case NPY_COMPLEX128: ok = fp_read_complex128(o, x->small, p); break;
    default: ok = fp_read_integer(o, x->small, p); break;
    }
    x->data = op->data = x->small;
    return ok;
}

/* Stores which items have no value; `mask` broadcasts to the items of x->array, which are contiguous. */
static FP_HELPER int
fp_note_missing(fp_array *x, fp_operand *op, PyObject *mask)
{
    PyObject *before = x->held & FP_KEEPS ? (PyObject *)x->memory : NULL;
    PyObject *own = PyArray_NewLikeArray(x->array, NPY_KEEPORDER, PyArray_DescrFromType(NPY_BOOL), 0);
    int done = own != NULL && PyArray_CopyInto((PyArrayObject *)own, (PyArrayObject *)mask) == 0;
    if (!done) {
        Py_XDECREF(own);
        return 0;
    }
    x->memory = own;
    x->held |= FP_KEEPS;
    Py_XDECREF(before);
    op->missing = PyArray_BYTES((PyArrayObject *)own);
    return 1;
}

/* Copies an argument with missing values; returns -1 if no value is missing. */
static FP_HELPER int
fp_map_missing(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    PyObject *values, *mask;
    PyArrayObject *cast;
    fp_inner inner;
    int done;
    if (!(p->maps & FP_MAPS_MISSING)) {
        return -1;
    }
    fp_array_clear(x);
    done = fp_split_missing(o, &values, &mask);
    if (done != 1) {
        return done;
    }
    if (PyArray_Check(values) && PyArray_NDIM((PyArrayObject *)values) == 0) {
        Py_DECREF(values); /* whatever its dtype, it has no value */
        values = PyArray_ZEROS(0, NULL, p->type, 0);
    }
    done = values != NULL && fp_resolve(x, values, p, &inner);
    if (done) {
        cast = (PyArrayObject *)PyArray_FromArray(x->array, PyArray_DescrFromType(p->type),
                                                  NPY_ARRAY_CARRAY | NPY_ARRAY_FORCECAST | NPY_ARRAY_ENSUREARRAY
                                                      | NPY_ARRAY_ENSURECOPY);
        done = cast != NULL;
        if (done) {
            fp_own(x, cast);
            fp_use_items(x, op, cast, p);
            if (p->type == NPY_BOOL) {
                fp_load_truths((char *)x->data, (const char *)x->data, PyArray_SIZE(cast), 1);
            }
            done = fp_note_missing(x, op, mask);
        }
    }
    Py_XDECREF(values);
    Py_DECREF(mask);
    return done;
}

/* inplace, a masked array: C works on a copy with the default for each missing value; after the call
 * nothing is masked. Returns -1 if no value is missing. */
static FP_HELPER int
fp_map_filled(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    PyObject *mask, *hard = NULL, *all;
    PyArrayObject *view, *copy;
    int done = PyArray_Check(o) ? fp_find_mask(o, &mask) : -1;
    if (done != 1) {
        return done;
    }
    Py_DECREF(mask);
    view = (PyArrayObject *)PyArray_View((PyArrayObject *)o, NULL, &PyArray_Type);
    if (view == NULL) {
        return 0;
    }
    fp_own(x, view);
    if (!fp_take_writable(x, (PyObject *)view, p) || (done = fp_find_by(o, "hardmask", &hard)) == 0) {
        return 0;
    }
    if (done == 1) {
        Py_DECREF(hard);
    }
    if (done == 1 && hard != Py_False) {
        return fp_has_missing(p);
    }
    if (fp_find_by(o, "mask", &mask) != 1) {
        return 0;
    }
    if (!PyArray_Check(mask) || PyArray_TYPE((PyArrayObject *)mask) != NPY_BOOL
        || !PyArray_ISWRITEABLE((PyArrayObject *)mask) || !PyArray_SAMESHAPE((PyArrayObject *)mask, view)) {
        Py_DECREF(mask);
        return fp_has_missing(p);
    }
    copy = (PyArrayObject *)PyArray_FromArray(view, PyArray_DescrFromType(p->type),
                                              NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY);
    if (copy == NULL) {
        Py_DECREF(mask);
        return 0;
    }
    fp_use_items(x, op, copy, p);
    done = fp_note_missing(x, op, mask);
    all = done ? PyTuple_New(3) : NULL;
    x->array = view;
    if (all == NULL) {
        Py_DECREF(mask);
        Py_DECREF((PyObject *)copy);
        return 0;
    }
    fp_set_tuple_item(all, 0, (PyObject *)x->memory);
    fp_set_tuple_item(all, 1, mask);
    fp_set_tuple_item(all, 2, (PyObject *)copy);
    x->memory = all;
    x->held |= FP_PACKED | FP_FILLED;
    if (p->type == NPY_BOOL) {
        fp_load_truths((char *)x->data, (const char *)x->data, PyArray_SIZE(view), 1);
    }
    return 1;
}

static FP_HELPER int
fp_map_in_slowly(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    fp_inner inner;
    int more = p->ndim > 0 ? 1 : fp_has_more(o, 0);
    int found = more == 1 ? fp_map_missing(x, op, o, p) : -1;
    if (found >= 0) {
        return found;
    }
    if (more == 0) {
        return fp_map_number(x, op, o, p);
    }
    fp_array_clear(x);
    if (more < 0 || !fp_resolve(x, o, p, &inner)) {
        return 0;
    }
    if (inner == NULL) {
        PyArrayObject *cast = (PyArrayObject *)PyArray_FromArray(
            x->array, PyArray_DescrFromType(p->type),
            NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST | NPY_ARRAY_ENSUREARRAY);
        if (cast == NULL) {
            return 0;
        }
        fp_own(x, cast);
        x->array = cast;
    }
    else if (fp_canonical_type(PyArray_DESCR(x->array)) != p->type) {
        return fp_pack_items(x, op, p, inner);
    }
    return fp_use_or_pack_items(x, op, p);
}

/* True if the items of `o` can be used in place: the fast path of all functions for arrays. */
static inline int
fp_items_ready(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = (PyArrayObject *)o;
    return p->type != NPY_BOOL && PyArray_CheckExact(o) && PyArray_DESCR(array)->type_num == p->type
           && fp_rank_fits(PyArray_NDIM(array), p) && fp_is_behaved(array)
           && (p->ndim == 0
               || ((PyArray_FLAGS(array) & NPY_ARRAY_C_CONTIGUOUS) && (p->flags & NPY_ARRAY_C_CONTIGUOUS)));
}

/* in: the items in place if C can use them, else packed. */
static inline int
fp_map_in(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    fp_operand_begin(op, x, p);
    if (fp_items_ready(o, p)) {
        x->held = 0;
        fp_use_items(x, op, (PyArrayObject *)o, p);
        return 1;
    }
    return fp_map_in_slowly(x, op, o, p);
}

/* inplace: of exactly this type, with fp_write_back after the call. */
static FP_HELPER int
fp_map_inplace(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    fp_operand_begin(op, x, p);
    op->written = 1;
    fp_array_clear(x);
    if (FP_UNLIKELY((p->maps & FP_MAPS_MISSING) && !PyArray_CheckExact(o))) {
        int filled = fp_map_filled(x, op, o, p);
        if (filled >= 0) {
            return filled;
        }
    }
    return fp_take_writable(x, o, p) && fp_use_or_pack_items(x, op, p);
}

/* inout: the items in place, or an error. */
static FP_HELPER int
fp_map_inout(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    if (!fp_map_inplace(x, op, o, p)) {
        return 0;
    }
    op->written = FP_EXCLUSIVE;
    if (x->held & FP_FILLED) {
        return 1; /* whatever its layout, missing values need other memory */
    }
    if ((x->held & FP_PACKED) && !fp_are_valid(x->array, p)) {
        return fp_not_truths(p);
    }
    return x->held & FP_PACKED
               ? fp_error(PyExc_ValueError, p, "the items must be %s-contiguous, aligned and in native byte order",
                          fp_is_fortran(p) ? "F" : "C")
               : 1;
}

/* in out: only converted here; fp_map_copy copies each item. */
static FP_HELPER int
fp_map_source(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    fp_inner inner;
    int more = p->ndim > 0 ? 1 : fp_has_more(o, 0), found;
    fp_operand_begin(op, x, p);
    found = more == 1 ? fp_map_missing(x, op, o, p) : -1;
    if (found >= 0) {
        return found;
    }
    if (more == 0) {
        return fp_map_number(x, op, o, p);
    }
    fp_array_clear(x);
    if (more < 0 || !fp_resolve(x, o, p, &inner)) {
        return 0;
    }
    fp_use_items(x, op, x->array, p);
    return 1;
}

/* Sets an operand to an absent value: NULL, or an array that was allocated for all items. */
static FP_HELPER void
fp_map_one(fp_array *x, fp_operand *op, const fp_param *p)
{
    fp_operand_begin(op, x, p);
    if (x->data == NULL) {
        memset(x->small, 0, FP_MAX_OPERAND_BYTES);
    }
    op->data = x->data == NULL ? x->small : (char *)x->data;
}

/* Sets an operand to NULL. */
static FP_HELPER int
fp_map_null(fp_array *x, fp_operand *op, const fp_param *p)
{
    fp_array_null(x, p);
    fp_map_one(x, op, p);
    return 1;
}

/* Allocates an array for the default, which is the same for all items. fp_map_one uses it after it is
 * filled. */
static FP_HELPER int
fp_map_default(fp_array *x, fp_operand *op, const fp_param *p)
{
    fp_operand_begin(op, x, p);
    return fp_array_out(x, NULL, p);
}

/* True if elements of this type may be numbers of the parameter's kind or a narrower one. */
static FP_HELPER int
fp_has_numbers_for(PyArrayObject *array, const fp_param *p)
{
    int type = fp_canonical_type(PyArray_DESCR(array));
    if (type < 0 || type == NPY_BOOL || PyTypeNum_ISBOOL(p->type)) {
        return type == NPY_BOOL;
    }
    return PyTypeNum_ISINTEGER(p->type) ? PyTypeNum_ISINTEGER(type)
                                        : PyTypeNum_ISCOMPLEX(p->type) || !PyTypeNum_ISCOMPLEX(type);
}

/* Returns a scalar that all items share, as a borrowed reference that `op` may keep alive in `x`: one
 * number, or the value that all elements of an array have. Returns NULL without an exception if the
 * value is absent. */
static FP_HELPER PyObject *
fp_find_shared(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    PyObject *first = NULL, *other;
    npy_intp i, count;
    int more = fp_may_have_more(o, 0);
    fp_operand_begin(op, x, p);
    op->data = x->small; /* the number is stored in the shared struct */
    fp_array_clear(x);
    if (more <= 0) {
        return more == 0 ? o : NULL;
    }
    x->array = PyArray_Check(o) ? (PyArrayObject *)o : fp_from_object(o, p);
    if (x->array == NULL) {
        return NULL;
    }
    if (!PyArray_Check(o)) {
        fp_own(x, x->array);
    }
    if (!fp_rank_fits(PyArray_NDIM(x->array), p)) {
        fp_wrong_rank(p, (PyObject *)x->array);
        return NULL;
    }
    if (!fp_has_numbers_for(x->array, p)) {
        fp_wanted_type(PyExc_TypeError, p, (PyObject *)x->array, "numbers that fit ", "");
        return NULL;
    }
    fp_use_items(x, op, x->array, p);
    count = PyArray_SIZE(x->array);
    for (i = 0; i < count; i++) {
        npy_intp rest = i;
        char *element = op->data;
        int axis, same;
        if ((i & 0xfff) == 0xfff && fp_check_signals() != 0) {
            Py_XDECREF(first);
            return NULL;
        }
        for (axis = op->ndim - 1; axis >= 0; axis--) {
            element += rest % op->shape[axis] * op->strides[axis];
            rest /= op->shape[axis];
        }
        other = PyArray_GETITEM(x->array, element);
        if (other == NULL || first == NULL) {
            if (other == NULL) {
                Py_XDECREF(first);
                return NULL;
            }
            first = other;
            continue;
        }
        same = PyObject_RichCompareBool(first, other, Py_EQ);
        if (same == 0) {
            PyErr_Format(PyExc_ValueError,
                         "%s(): argument '%s': its value is %S for one item and %S for another, but it determines a shape "
                         "that all items share",
                         p->function, p->name, first, other);
        }
        Py_DECREF(other);
        if (same <= 0) {
            Py_DECREF(first);
            return NULL;
        }
    }
    if (first == NULL) {
        fp_error(PyExc_ValueError, p, "its value cannot be inferred: the batch is empty");
        return NULL;
    }
    x->memory = first;
    x->held |= FP_KEEPS;
    return first;
}

/* Sets `one` to such a scalar. */
static FP_HELPER int
fp_map_share(PyObject **one, fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    *one = fp_find_shared(x, op, o, p);
    return *one != NULL || !PyErr_Occurred();
}

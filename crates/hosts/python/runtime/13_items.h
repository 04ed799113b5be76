/* Items: a call that stands for many, over the leading dimensions of its arrays.
 *
 * Every array is an operand: its core is what C gets of one item, its leading dimensions are
 * broadcast as NumPy does. A core that lies as C wants it is used where it is, whatever the strides
 * of the leading dimensions; any other array is packed as a whole, once, without what broadcasting
 * repeats. */

#define FP_MAX_OPERAND_BYTES 16

/* An array's items: where the first is, and how to get to the others. */
typedef struct {
    const fp_param *param;
    char *data;
    int ndim;    /* leading dimensions; after fp_broadcast, those of the map */
    int written; /* C writes to it, so that each item must have its own */
    npy_intp shape[FP_MAX_DIMENSIONS], strides[FP_MAX_DIMENSIONS];
} fp_operand;

/* The items of a call. */
typedef struct {
    int ndim;
    npy_intp count;
    npy_intp shape[FP_MAX_DIMENSIONS];
    int order[FP_MAX_DIMENSIONS]; /* the dimensions as they are walked, the last one varies fastest */
} fp_map;

/* ---- Does a call map? ------------------------------------------------------------------------ */

/* As fp_has_more, of what is neither an array nor a plain number. */
static FP_HELPER int
fp_has_more_slowly(PyObject *o, int ndim)
{
    fp_class c;
    int known;
    while (PyList_CheckExact(o) || PyTuple_CheckExact(o)) {
        /* A list that holds itself has more, too. */
        if (--ndim < 0 || PySequence_Fast_GET_SIZE(o) == 0) {
            return ndim < 0;
        }
        o = PySequence_Fast_GET_ITEM(o, 0);
    }
    if (PyArray_Check(o)) {
        return PyArray_NDIM((PyArrayObject *)o) > ndim;
    }
    if (PyNumber_Check(o) && !PySequence_Check(o)) {
        return 0;
    }
    Py_INCREF(o); /* what it runs may take it out of its list */
    known = fp_classify(o, &c);
    Py_DECREF(o);
    return known ? c.ndim > ndim : -1;
}

/* 1 if a value has more dimensions than one item has, so that it holds items; -1 with an exception. */
static inline int
fp_has_more(PyObject *o, int ndim)
{
    if (PyArray_CheckExact(o)) {
        return PyArray_NDIM((PyArrayObject *)o) > ndim;
    }
    return PyFloat_CheckExact(o) || PyLong_CheckExact(o) ? 0 : fp_has_more_slowly(o, ndim);
}

/* The same of a value that may be absent. */
static inline int
fp_may_have_more(PyObject *o, int ndim)
{
    return fp_is_given(o) ? fp_has_more(o, ndim) : 0;
}

/* ---- Taking what is given -------------------------------------------------------------------- */

static inline void
fp_operand_begin(fp_operand *op, const fp_param *p)
{
    op->param = p;
    op->data = NULL;
    op->ndim = 0;
    op->written = 0;
}

/* Uses an array as it lies: the last dimensions are an item's core. */
static inline void
fp_use_items(fp_array *x, fp_operand *op, PyArrayObject *array, const fp_param *p)
{
    int i, lead = PyArray_NDIM(array) - p->ndim;
    x->data = PyArray_DATA(array);
    x->array = array;
    for (i = 0; i < p->ndim; i++) {
        x->shape[i] = PyArray_DIM(array, lead + i);
    }
    op->data = x->data == NULL ? x->small : (char *)x->data; /* without elements, it may lie nowhere */
    op->ndim = lead;
    for (i = 0; i < lead; i++) {
        op->shape[i] = PyArray_DIM(array, i);
        op->strides[i] = PyArray_STRIDE(array, i);
    }
}

/* An operand of packed items: its strides are those of items that lie side by side, but of 0 where
 * `repeats` says that all are one. */
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

/* Makes the items of x->array, which has the parameter's type, C's own. */
static FP_HELPER int
fp_use_or_pack_items(fp_array *x, fp_operand *op, const fp_param *p)
{
    if (PyArray_ISALIGNED(x->array) && fp_is_native(x->array) && fp_core_lies_well(x->array, p)) {
        if (p->strided != 0) {
            fp_note_strides(x, x->array, p);
        }
        fp_use_items(x, op, x->array, p);
        return 1;
    }
    return fp_pack_items(x, op, p, fp_load(p->size));
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

static FP_HELPER int
fp_map_in_slowly(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    fp_inner inner;
    int more = p->ndim > 0 ? 1 : fp_has_more(o, 0);
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

/* True if the items of `o` can be used as they lie: the fast path of all that take arrays. */
static inline int
fp_items_ready(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = (PyArrayObject *)o;
    return PyArray_CheckExact(o) && PyArray_DESCR(array)->type_num == p->type
           && fp_rank_fits(PyArray_NDIM(array), p) && (PyArray_FLAGS(array) & NPY_ARRAY_ALIGNED)
           && PyArray_ISNBO(PyArray_DESCR(array)->byteorder)
           && (p->ndim == 0
               || ((PyArray_FLAGS(array) & NPY_ARRAY_C_CONTIGUOUS) && (p->flags & NPY_ARRAY_C_CONTIGUOUS)));
}

/* in: as the items lie where C can use them, else packed. */
static inline int
fp_map_in(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    fp_operand_begin(op, p);
    if (fp_items_ready(o, p)) {
        x->held = 0;
        fp_use_items(x, op, (PyArrayObject *)o, p);
        return 1;
    }
    return fp_map_in_slowly(x, op, o, p);
}

/* inplace: of exactly this type, and fp_write_back after the call. */
static FP_HELPER int
fp_map_inplace(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    fp_operand_begin(op, p);
    op->written = 1;
    fp_array_clear(x);
    return fp_take_writable(x, o, p) && fp_use_or_pack_items(x, op, p);
}

/* inout: as the items lie, or not at all. */
static FP_HELPER int
fp_map_inout(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    if (!fp_map_inplace(x, op, o, p)) {
        return 0;
    }
    return x->held & FP_PACKED
               ? fp_error(PyExc_ValueError, p, "the items must be %s-contiguous, aligned and in native byte order",
                          fp_is_fortran(p) ? "F" : "C")
               : 1;
}

/* in out: only found here; fp_map_copy gives each item its own. */
static FP_HELPER int
fp_map_source(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    fp_inner inner;
    int more = p->ndim > 0 ? 1 : fp_has_more(o, 0);
    fp_operand_begin(op, p);
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

/* What is absent: nothing, or an array that we have made for all items. */
static FP_HELPER void
fp_map_one(fp_array *x, fp_operand *op, const fp_param *p)
{
    fp_operand_begin(op, p);
    if (x->data == NULL) {
        memset(x->small, 0, FP_MAX_OPERAND_BYTES);
    }
    op->data = x->data == NULL ? x->small : (char *)x->data;
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

/* A scalar that all items share, as a borrowed reference that `op` may keep alive in `x`: one number,
 * or the one that all elements of an array are. */
static FP_HELPER PyObject *
fp_map_share(fp_array *x, fp_operand *op, PyObject *o, const fp_param *p)
{
    PyObject *first = NULL, *other;
    npy_intp i, count;
    int more = fp_may_have_more(o, 0);
    fp_operand_begin(op, p);
    op->data = x->small; /* items find their number elsewhere */
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
                         "%s(): argument '%s': the items ask for %S and for %S, but it gives a shape "
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
        fp_error(PyExc_ValueError, p, "there are no items to tell its value");
        return NULL;
    }
    x->memory = first;
    x->held |= FP_KEEPS;
    return first;
}

/* ---- The items of a call --------------------------------------------------------------------- */

static FP_COLD int
fp_no_broadcast(const fp_operand *op, const fp_operand *with, int ndim, const npy_intp *shape)
{
    fp_text t;
    fp_begin(&t, op->param);
    fp_append_string(&t, "leading dimensions ");
    fp_append_shape(&t, op->ndim, op->shape);
    if (with != NULL) {
        fp_append_string(&t, " do not broadcast with ");
        fp_append_shape(&t, with->ndim, with->shape);
        fp_append_string(&t, " of argument '");
        fp_append_string(&t, with->param->name);
        fp_append_string(&t, "'");
    }
    else {
        fp_append_string(&t, " cannot be broadcast to ");
        fp_append_shape(&t, ndim, shape);
        fp_append_string(&t, ": C writes to it, so each item needs its own");
    }
    return fp_raise(PyExc_ValueError, &t);
}

/* True if the items of one dimension lie further apart than those of another, in all arrays that have
 * both. */
static inline int
fp_lies_outside(fp_operand *const *ops, int count, int one, int other)
{
    int k, outside = 0;
    for (k = 0; k < count; k++) {
        npy_intp a = ops[k]->strides[one], b = ops[k]->strides[other];
        a = a < 0 ? -a : a;
        b = b < 0 ? -b : b;
        if (a != 0 && b != 0) {
            if (a <= b) {
                return 0;
            }
            outside = 1;
        }
    }
    return outside;
}

/* Orders the dimensions as the inputs' memory has them, and otherwise as they come: what is made for
 * transposed arrays is transposed too, as with NumPy's functions. */
static inline void
fp_order_items(fp_map *map, fp_operand *const *ops, int count)
{
    int i, k;
    for (i = 0; i < map->ndim; i++) {
        for (k = i; k > 0 && fp_lies_outside(ops, count, i, map->order[k - 1]); k--) {
            map->order[k] = map->order[k - 1];
        }
        map->order[k] = i;
    }
}

static inline int
fp_is_in_c_order(const fp_map *map)
{
    int i;
    for (i = 0; i < map->ndim && map->order[i] == i; i++) {
    }
    return i == map->ndim;
}

/* Finds the shape of the items (NumPy's rule: dimensions from the last on are equal, or 1). */
static FP_HELPER int
fp_broadcast(fp_map *map, fp_operand *const *ops, int count)
{
    int k, i, ndim = 0;
    npy_intp items = 1;
    for (k = 0; k < count; k++) {
        ndim = ops[k]->ndim > ndim ? ops[k]->ndim : ndim;
    }
    map->ndim = ndim;
    for (i = 0; i < ndim; i++) {
        int from = -1;
        npy_intp size = 1;
        for (k = 0; k < count; k++) {
            int axis = i - (ndim - ops[k]->ndim);
            npy_intp mine = axis < 0 ? 1 : ops[k]->shape[axis];
            if (mine == 1 || mine == size) {
                continue;
            }
            if (from >= 0) {
                return fp_no_broadcast(ops[k], ops[from], 0, NULL);
            }
            size = mine;
            from = k;
        }
        map->shape[i] = size;
    }
    for (i = 0; i < ndim; i++) {
        /* To divide only where a product may be too large: it takes as long as the rest of the loop. */
        if (FP_UNLIKELY((items | map->shape[i]) >> 31 != 0) && map->shape[i] != 0
            && items > NPY_MAX_INTP / map->shape[i]) {
            PyErr_Format(PyExc_ValueError, "%s(): there are too many items", ops[0]->param->function);
            return 0;
        }
        items *= map->shape[i];
    }
    map->count = items;
    for (k = 0; k < count; k++) {
        fp_operand *op = ops[k];
        int shift = ndim - op->ndim;
        for (i = 0; i < ndim && op->written; i++) {
            if (i < shift ? map->shape[i] != 1 : op->shape[i - shift] != map->shape[i]) {
                return fp_no_broadcast(op, NULL, ndim, map->shape);
            }
        }
        for (i = ndim - 1; i >= 0; i--) {
            op->strides[i] = i < shift || op->shape[i - shift] == 1 ? 0 : op->strides[i - shift];
        }
        op->ndim = ndim;
    }
    fp_order_items(map, ops, count);
    return 1;
}

/* ---- Making what is returned ------------------------------------------------------------------ */

/* A new array for all items in x, its elements not set; x->shape is the core's. */
static FP_HELPER int
fp_map_new(fp_array *x, fp_operand *op, const fp_map *map, const fp_param *p)
{
    npy_intp shape[2 * FP_MAX_DIMENSIONS], strides[2 * FP_MAX_DIMENSIONS], stride = p->size;
    int i, ndim = map->ndim + p->ndim, plain = !fp_is_fortran(p) && fp_is_in_c_order(map);
    PyArrayObject *array;
    if (ndim > NPY_MAXDIMS_LEGACY) {
        return fp_error(PyExc_ValueError, p, "the result would have %d dimensions", ndim);
    }
    for (i = 0; i < ndim; i++) {
        shape[i] = i < map->ndim ? map->shape[i] : x->shape[i - map->ndim];
    }
    for (i = 0; i < ndim && !plain; i++) {
        /* From the axis that varies fastest: the core's first in Fortran's order, else its last. */
        int axis = i >= p->ndim       ? map->order[ndim - 1 - i]
                   : fp_is_fortran(p) ? map->ndim + i
                                      : ndim - 1 - i;
        strides[axis] = stride;
        if (shape[axis] != 0 && stride > NPY_MAX_INTP / shape[axis]) {
            return fp_error(PyExc_ValueError, p, "no array can be as large as its items");
        }
        stride *= shape[axis] > 1 ? shape[axis] : 1;
    }
    array = (PyArrayObject *)PyArray_New(&PyArray_Type, ndim, shape, p->type,
                                         plain ? NULL : strides, NULL, 0, 0, NULL);
    if (array == NULL) {
        return fp_not_made(x, p);
    }
    fp_own(x, array);
    fp_use_items(x, op, array, p);
    return 1;
}

/* The strides of an operand that has all items, as broadcasting wants them. */
static inline void
fp_operand_full(fp_operand *op, const fp_map *map)
{
    int i;
    for (i = 0; i < map->ndim; i++) {
        op->strides[i] = map->shape[i] == 1 ? 0 : op->strides[i];
    }
}

static FP_HELPER int
fp_map_buffer(fp_array *x, fp_operand *op, const fp_map *map, PyObject *o, const fp_param *p)
{
    PyArrayObject *array;
    int i, ndim = map->ndim + p->ndim;
    if (!fp_take_writable(x, o, p)) {
        return 0;
    }
    array = x->array;
    for (i = 0; i < ndim; i++) {
        npy_intp wanted = i < map->ndim ? map->shape[i] : x->shape[i - map->ndim];
        if (PyArray_NDIM(array) != ndim || PyArray_DIM(array, i) != wanted) {
            fp_text t;
            npy_intp shape[2 * FP_MAX_DIMENSIONS];
            for (i = 0; i < ndim; i++) {
                shape[i] = i < map->ndim ? map->shape[i] : x->shape[i - map->ndim];
            }
            fp_begin_wanted(&t, p);
            fp_append_string(&t, "an array of shape ");
            fp_append_shape(&t, ndim, shape);
            return fp_raise_got(PyExc_ValueError, &t, o);
        }
    }
    return fp_use_or_pack_items(x, op, p);
}

/* out: the caller's buffer when one is given (fp_write_back after the call), else a new array. */
static FP_HELPER int
fp_map_out(fp_array *x, fp_operand *op, const fp_map *map, PyObject *buffer, const fp_param *p)
{
    fp_array_clear(x);
    fp_operand_begin(op, p);
    op->written = 1;
    if (!fp_check_shape(x, p)
        || !(fp_is_given(buffer) ? fp_map_buffer(x, op, map, buffer, p) : fp_map_new(x, op, map, p))) {
        return 0;
    }
    fp_operand_full(op, map);
    return 1;
}

/* in out: an array with a copy of what fp_map_source found for each item. */
static FP_HELPER int
fp_map_copy(fp_array *x, fp_operand *op, const fp_map *map, const fp_param *p)
{
    PyArrayObject *from = x->array;
    char element[FP_MAX_OPERAND_BYTES];
    int made, is_number = from == NULL;
    if (is_number) {
        memcpy(element, x->small, (size_t)p->size);
    }
    Py_XINCREF((PyObject *)from);
    made = fp_map_new(x, op, map, p);
    if (made && is_number) {
        fp_inner fill = fp_load(p->size);
        fill((char *)x->data, element, PyArray_SIZE(x->array), 0);
    }
    else if (made) {
        made = PyArray_CopyInto(x->array, from) == 0;
    }
    Py_XDECREF((PyObject *)from);
    if (!made) {
        return 0;
    }
    op->written = 1;
    fp_operand_full(op, map);
    return 1;
}

/* hidden: how much scratch memory an item needs, and where it is in a worker's. */
static FP_HELPER int
fp_map_scratch(fp_array *x, npy_intp *scratch, const fp_param *p)
{
    npy_intp bytes = p->size;
    int i;
    fp_array_clear(x);
    if (!fp_check_shape(x, p)) {
        return 0;
    }
    for (i = 0; i < p->ndim; i++) {
        if (x->shape[i] != 0 && bytes > (NPY_MAX_INTP >> 8) / x->shape[i]) {
            return fp_error(PyExc_ValueError, p, "the array is too large");
        }
        bytes *= x->shape[i];
    }
    if (*scratch > (NPY_MAX_INTP >> 8)) {
        return fp_error(PyExc_ValueError, p, "the array is too large");
    }
    x->held = FP_PACKED; /* so that explanations know what it is */
    x->strides[0] = *scratch; /* its place */
    *scratch += bytes / 64 * 64 + 64; /* none of them lies nowhere, nor shares a cache line */
    return 1;
}

/* The batch of a call: the broadcast shape of its items, and the arrays that are allocated for them.
 *
 * No array is allocated before all arguments have been read and broadcast. */

/* ---- The items of a call --------------------------------------------------------------------- */

/* Begins a batch, which fp_release_operands can end from now on. The choice of this form has read the
 * rank of each value, which may have failed. */
static inline int
fp_begin_batch(fp_map *map, fp_operand *ops, int count)
{
    int k;
    for (k = 0; k < count; k++) {
        ops[k].array = NULL;
    }
    map->scratch = 0;
    return PyErr_Occurred() == NULL;
}

/* Releases the array of each operand that was read or allocated. */
static inline void
fp_release_operands(fp_operand *ops, int count)
{
    int k;
    for (k = count - 1; k >= 0; k--) {
        if (ops[k].array != NULL) {
            fp_release(ops[k].array);
        }
    }
}

/* Decides whether the call releases the GIL. */
static inline int
fp_set_release(fp_map *map, int releases)
{
    map->releases = releases;
    return 1;
}

static FP_COLD int
fp_no_broadcast(const fp_operand *op, const fp_operand *with, int ndim, const npy_intp *shape)
{
    fp_message t;
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

/* True if the stride of one dimension is larger than that of another, in all arrays that have both. */
static inline int
fp_is_outer(const fp_operand *ops, int count, int one, int other)
{
    int k, outside = 0;
    for (k = 0; k < count; k++) {
        npy_intp a = ops[k].strides[one], b = ops[k].strides[other];
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

/* Orders the dimensions by the memory layout of the inputs: outputs of transposed arrays are transposed
 * too, as in NumPy's functions. Without a difference, the order stays. */
static inline void
fp_order_items(fp_map *map, const fp_operand *ops, int count)
{
    int i, k;
    for (i = 0; i < map->ndim; i++) {
        for (k = i; k > 0 && fp_is_outer(ops, count, i, map->order[k - 1]); k--) {
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

/* True if two operands of scalars have their items at the same addresses: C reads an item before it
 * writes it. */
static FP_UNUSED int
fp_are_same_items(const fp_operand *a, const fp_operand *b)
{
    PyArrayObject *x = a->array->array, *y = b->array->array;
    int i, same = x != NULL && y != NULL && a->param->ndim == b->param->ndim
                  && PyArray_DATA(x) == PyArray_DATA(y) && PyArray_NDIM(x) == PyArray_NDIM(y)
                  && PyArray_ITEMSIZE(x) == PyArray_ITEMSIZE(y);
    for (i = 0; same && i < PyArray_NDIM(x); i++) {
        same = PyArray_DIM(x, i) == PyArray_DIM(y, i)
               && (PyArray_DIM(x, i) == 1 || PyArray_STRIDE(x, i) == PyArray_STRIDE(y, i));
    }
    return same;
}

static FP_COLD int
fp_overlapping(const fp_operand *op, const fp_operand *other)
{
    return other == NULL ? fp_error(PyExc_ValueError, op->param, "its items overlap in memory, and may not be copied")
                         : fp_error(PyExc_ValueError, op->param,
                                    "it overlaps with argument '%s' in memory, and may not be copied",
                                    other->param->name);
}

/* True if items of an operand that C writes to share memory with one another, or with those of another
 * operand. Then its array is ready to be packed, unless it may not be copied. Returns -1 with an
 * exception. */
static FP_HELPER int
fp_shares_items(fp_operand *op, const fp_operand *const *others, int count)
{
    fp_array *x = op->array;
    const fp_operand *other = NULL;
    int k, shares;
    if (x == NULL || x->array == NULL || (x->held & FP_PACKED)) {
        return 0;
    }
    shares = fp_overlaps_itself(x->array);
    for (k = 0; k < count && shares == 0; k++) {
        other = others[k];
        if (other == op || other->array == NULL) {
            continue;
        }
        shares = fp_shares_memory(x, other->array);
        if (shares == 1 && (op->written == FP_EXCLUSIVE || (op->param->ndim == 0 && !other->written))
            && fp_are_same_items(op, other)) {
            shares = 0;
        }
    }
    if (shares == 1 && op->written == FP_EXCLUSIVE) {
        fp_overlapping(op, other);
        return -1;
    }
    if (shares == 1) {
        x->held &= ~FP_SPREAD;
    }
    return shares;
}

/* Packs such an operand: the values that C writes for one item must not change another item. */
static FP_HELPER int
fp_keep_items_apart(fp_operand *op, const fp_operand *const *others, int count)
{
    int shares = fp_shares_items(op, others, count);
    return shares == 1 ? fp_pack_items(op->array, op, op->param, fp_loader(op->param)) : shares == 0;
}

/* Adds the dimensions of an output buffer to the shape; errors in it are reported when it is read. */
static FP_HELPER int
fp_add_room(PyObject *given, const fp_param *p, int *ndim, npy_intp *shape)
{
    PyArrayObject *array = (PyArrayObject *)given;
    int i, lead, done = 1, skip;
    if (!fp_is_present(given)) {
        return 1;
    }
    if (!PyArray_Check(given)) {
        done = fp_view_to_write(&array, given, p);
        if (done != 1) {
            return done != 0 || fp_forgive();
        }
    }
    else {
        Py_INCREF((PyObject *)array);
    }
    lead = PyArray_NDIM(array) - p->ndim;
    if (lead <= FP_MAX_DIMENSIONS) {
        for (; *ndim < lead; ++*ndim) {
            memmove(shape + 1, shape, sizeof(*shape) * (size_t)*ndim);
            shape[0] = 1;
        }
        skip = *ndim - lead;
        for (i = 0; i < lead; i++) {
            shape[skip + i] = shape[skip + i] == 1 ? PyArray_DIM(array, i) : shape[skip + i];
        }
    }
    Py_DECREF((PyObject *)array);
    return 1;
}

/* Computes the shape of the items (NumPy's rule: dimensions from the last on are equal, or 1). A buffer
 * may have more items: the inputs, which are the first `count` operands, are broadcast to it. */
static FP_HELPER int
fp_broadcast(fp_map *map, fp_operand *ops, int count, const fp_signature *s, PyObject *const *args)
{
    npy_intp room[FP_MAX_DIMENSIONS + 1];
    int k, i, ndim = 0, rooms = 0;
    npy_intp items = 1;
    map->taken = count;
    for (k = 0; k < count; k++) {
        map->operands[k] = &ops[k];
    }
    for (k = 0; k < count; k++) {
        if (ops[k].written && !fp_keep_items_apart(&ops[k], map->operands, count)) {
            return 0;
        }
    }
    for (k = 0; k < count; k++) {
        ndim = ops[k].ndim > ndim ? ops[k].ndim : ndim;
    }
    for (k = 0; k < s->row_count; k++) {
        int slot = s->rows[k].slot;
        if (slot >= s->positional && !fp_add_room(args[slot], s->rows[k].param, &rooms, room)) {
            return 0;
        }
    }
    ndim = rooms > ndim ? rooms : ndim;
    map->ndim = ndim;
    for (i = 0; i < ndim; i++) {
        int from = -1;
        npy_intp size = 1;
        for (k = 0; k < count; k++) {
            int axis = i - (ndim - ops[k].ndim);
            npy_intp mine = axis < 0 ? 1 : ops[k].shape[axis];
            if (mine == 1 || mine == size) {
                continue;
            }
            if (from >= 0) {
                return fp_no_broadcast(&ops[k], &ops[from], 0, NULL);
            }
            size = mine;
            from = k;
        }
        map->shape[i] = from < 0 && i >= ndim - rooms ? room[i - (ndim - rooms)] : size;
    }
    for (i = 0; i < ndim; i++) {
        /* Divides only if a product may be too large: the division takes as long as the rest of the
         * loop. */
        if (FP_UNLIKELY((items | map->shape[i]) >> 31 != 0) && map->shape[i] != 0
            && items > NPY_MAX_INTP / map->shape[i]) {
            PyErr_Format(PyExc_ValueError, "%s(): there are too many items", ops[0].param->function);
            return 0;
        }
        items *= map->shape[i];
    }
    map->count = items;
    for (k = 0; k < count; k++) {
        fp_operand *op = &ops[k];
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

/* ---- Allocating outputs ---------------------------------------------------------------------- */

/* Allocates an array for all items in x, with uninitialised elements; x->shape is the core's. */
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
        /* From the axis that varies fastest: the core's first in Fortran order, else its last. */
        int axis = i >= p->ndim       ? map->order[ndim - 1 - i]
                   : fp_is_fortran(p) ? map->ndim + i
                                      : ndim - 1 - i;
        strides[axis] = stride;
        if (shape[axis] != 0 && stride > NPY_MAX_INTP / shape[axis]) {
            return fp_cannot_make(0, ndim, shape, p);
        }
        stride *= shape[axis] > 1 ? shape[axis] : 1;
    }
    array = (PyArrayObject *)PyArray_New(&PyArray_Type, ndim, shape, p->type,
                                         plain ? NULL : strides, NULL, 0, 0, NULL);
    if (array == NULL) {
        return fp_not_made(ndim, shape, p);
    }
    fp_own(x, array);
    fp_use_items(x, op, array, p);
    return 1;
}

/* Sets the strides of an operand that has all items, as for broadcasting. */
static inline void
fp_operand_full(fp_operand *op, const fp_map *map)
{
    int i;
    for (i = 0; i < map->ndim; i++) {
        op->strides[i] = map->shape[i] == 1 ? 0 : op->strides[i];
    }
}

static FP_HELPER int
fp_map_buffer(fp_array *x, fp_operand *op, fp_map *map, PyObject *o, const fp_param *p)
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
            fp_message t;
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
    /* Its elements are not read, so they need not be valid. */
    return (fp_use_items_in_place(x, op, p) || fp_pack_items(x, op, p, fp_load(p->size)))
           && fp_keep_items_apart(op, map->operands, map->taken);
}

/* out: the caller's buffer if there is one (with fp_write_back after the call), else a new array. */
static FP_HELPER int
fp_map_out(fp_array *x, fp_operand *op, fp_map *map, PyObject *buffer, const fp_param *p)
{
    fp_array_clear(x);
    fp_operand_begin(op, x, p);
    op->written = 1;
    if (!fp_check_shape(x, p)
        || !(fp_is_present(buffer) ? fp_map_buffer(x, op, map, buffer, p) : fp_map_new(x, op, map, p))) {
        return 0;
    }
    fp_operand_full(op, map);
    map->operands[map->taken++] = op;
    return 1;
}

/* in out: an array with a copy of the argument of fp_map_source for each item. */
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
        if (p->type == NPY_BOOL) {
            fp_load_truths((char *)x->data, (const char *)x->data, PyArray_SIZE(x->array), 1);
        }
        if (made && op->missing != NULL) {
            made = fp_note_missing(x, op, (PyObject *)x->memory);
        }
    }
    Py_XDECREF((PyObject *)from);
    if (!made) {
        return 0;
    }
    op->written = 1;
    fp_operand_full(op, map);
    return 1;
}

/* hidden: adds the scratch memory of an item, and sets its offset in a worker's memory. */
static FP_HELPER int
fp_map_scratch(fp_map *map, fp_array *x, const fp_param *p)
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
    if (map->scratch > (NPY_MAX_INTP >> 8)) {
        return fp_error(PyExc_ValueError, p, "the array is too large");
    }
    x->held = FP_PACKED; /* marks scratch memory in explanations */
    x->strides[0] = map->scratch; /* its offset */
    map->scratch += bytes / 64 * 64 + 64; /* scratch arrays neither are empty nor share a cache line */
    return 1;
}

/* The arrays of a ragged call: the caller's lists, defaults, and memory for results. */

/* Declares fp_batch and its arrays; fp_args are the values in the lists. */
#define FP_RAGGED(parameters, part_count, operand_count)      \
    PyObject *fp_flat[parameters], *const *fp_args = fp_flat; \
    fp_lists fp_opened[parameters];                           \
    fp_operand fp_ops[operand_count];                         \
    fp_part fp_parts[part_count];                             \
    fp_ragged fp_batch

/* Opens the lists of the caller's arguments, but not of buffers: `flat` receives their values. */
static FP_HELPER int
fp_open_arguments(fp_ragged *r, PyObject **flat, const fp_signature *s, PyObject *const *given)
{
    int i;
    memset(r->parts, 0, (size_t)r->count * sizeof(*r->parts));
    memset(r->lists, 0, (size_t)s->total * sizeof(*r->lists));
    r->list_count = s->total;
    r->none.ndim = 0;
    r->none.count = 1;
    for (i = 0; i < s->row_count; i++) {
        int slot = s->rows[i].slot;
        if (slot >= 0 && slot < s->positional
            && !fp_open_lists(&r->lists[slot], &flat[slot], given[slot], s->rows[i].param)) {
            return 0;
        }
    }
    return 1;
}

/* Begins a call, which fp_ragged_end can end from now on. `flat` receives the caller's arguments, and
 * the values of lists. Without lists, state that only lists need is not set: short calls would take
 * half as long again. */
static FP_HELPER int
fp_ragged_begin(fp_ragged *r, fp_part *parts, int count, fp_operand *ops, int op_count, fp_lists *lists,
                PyObject **flat, const fp_signature *s, PyObject *const *given)
{
    int i, maps = 0, has_lists = 0;
    r->parts = parts;
    r->count = count;
    r->lists = lists;
    r->depth = 0;
    r->has_cores = 0;
    r->is_dense = 1;
    r->accounts = 0;
    r->map.taken = 0;
    if (!fp_begin_batch(&r->map, ops, op_count)) {
        return 0;
    }
    for (i = 0; i < s->total; i++) {
        flat[i] = given[i];
    }
    for (i = 0; i < s->row_count; i++) {
        int slot = s->rows[i].slot;
        maps |= s->rows[i].param->maps;
        has_lists = has_lists || (slot >= 0 && slot < s->positional && fp_is_ragged(given[slot]));
    }
    r->is_dense = !has_lists && (maps & FP_MAPS_ITEMS);
    return r->is_dense || fp_open_arguments(r, flat, s, given);
}

static FP_HELPER void
fp_close_arguments(fp_ragged *r)
{
    int k;
    for (k = 0; k < r->count; k++) {
        Py_XDECREF((PyObject *)r->parts[k].offsets);
    }
    for (k = 0; k < r->list_count; k++) {
        fp_close_lists(&r->lists[k]);
    }
}

static inline void
fp_ragged_end(fp_ragged *r, fp_operand *ops, int op_count)
{
    fp_release_operands(ops, op_count);
    if (!r->is_dense) {
        fp_close_arguments(r);
    }
}

/* State that only lists need was set to zero when they were opened. */
static inline void
fp_begin_part(fp_part *part, fp_array *array, fp_operand *op, int at, int is_made, const fp_param *p)
{
    part->param = p;
    part->array = array;
    part->op = op;
    part->at = at;
    part->level = -1;
    part->is_core = 0;
    part->is_made = is_made;
    part->most = 0;
}

/* Adds an input; `lists` is NULL for a value that all items share in any case. */
static inline int
fp_ragged_part(fp_ragged *r, int k, fp_array *array, fp_operand *op, const fp_lists *lists, int at, int is_made,
               const fp_param *p)
{
    fp_part *part = &r->parts[k];
    fp_begin_part(part, array, op, at, is_made, p);
    part->level = lists == NULL || op->ndim == 0 ? -1 : 0;
    r->accounts |= is_made;
    if (!r->is_dense && lists != NULL && lists->depth > 0) {
        part->lists = lists;
    }
    return 1;
}

static FP_COLD int
fp_ragged_inside(const fp_param *p)
{
    return fp_error(PyExc_ValueError, p,
                    "it would be ragged in an inner dimension: only the first, in C's order, may vary per item");
}

/* Adds a result or scratch memory, whose first dimension or another one depends on these lists. */
static inline int
fp_ragged_made(fp_ragged *r, int k, fp_array *array, fp_operand *op, int at, int first, int inner,
               const fp_param *p)
{
    fp_part *part = &r->parts[k];
    fp_array_null(array, p);
    array->held = op == NULL ? FP_PACKED : 0; /* scratch memory has no array */
    fp_begin_part(part, array, op, at, 1, p);
    part->is_core = op != NULL && first;
    r->accounts |= op == NULL;
    if (op != NULL && (inner || (first && p->ndim > 1 && fp_is_fortran(p)))) {
        return fp_ragged_inside(p);
    }
    return 1;
}

static FP_COLD int
fp_unequal_lists(const fp_part *part, const fp_part *with, int level, npy_intp at)
{
    fp_message t;
    fp_begin(&t, part->param);
    if (at < 0) {
        fp_append_string(&t, "its number of lists differs from that of argument '");
    }
    else {
        fp_append_string(&t, "list ");
        fp_append_integer(&t, at);
        if (level > 0) {
            fp_append_string(&t, " of level ");
            fp_append_integer(&t, level);
        }
        fp_append_string(&t, " is not as long as that of argument '");
    }
    fp_append_string(&t, with->param->name);
    fp_append_string(&t, "'");
    return fp_raise(PyExc_ValueError, &t);
}

/* Checks that the lists of a part are those of the loop, down to the part's own level. */
static FP_HELPER int
fp_check_lists(const fp_ragged *r, const fp_part *part, const fp_part *with)
{
    const fp_lists *lists = part->lists, *loop = with->lists;
    int level;
    if (lists == loop) {
        return 1;
    }
    for (level = 0; level <= part->level; level++) {
        npy_intp mine = level < lists->depth ? PyArray_DIM(lists->offsets[level], 0) - 1 : r->counts[level], i;
        const npy_int64 *own, *theirs;
        if (mine != r->counts[level]) {
            return fp_unequal_lists(part, with, level, -1);
        }
        if (level == part->level) {
            break;
        }
        own = (const npy_int64 *)PyArray_DATA(lists->offsets[level]);
        theirs = r->offsets[level];
        if (memcmp(own, theirs, (size_t)(mine + 1) * sizeof(*own)) != 0) {
            for (i = 0; own[i + 1] == theirs[i + 1]; i++) {
            }
            return fp_unequal_lists(part, with, level, i);
        }
    }
    return 1;
}

/* The same for lists whose values share memory with another argument's: C receives a copy, which is
 * written back after the call. */
static FP_HELPER int
fp_keep_lists_apart(fp_ragged *r)
{
    const fp_operand *operands[FP_MAX_OPERANDS];
    int k, count = 0;
    for (k = 0; k < r->count; k++) {
        if (r->parts[k].op != NULL && r->parts[k].op->array != NULL) {
            operands[count++] = r->parts[k].op;
        }
    }
    for (k = 0; k < r->count; k++) {
        const fp_part *part = &r->parts[k];
        fp_operand *op = part->op;
        int shares;
        if (op == NULL || !op->written) {
            continue;
        }
        if (!part->is_core) {
            if (!fp_keep_items_apart(op, operands, count)) {
                return 0;
            }
            continue;
        }
        shares = fp_shares_items(op, operands, count);
        if (shares < 0 || (shares == 1 && !fp_use_packed(op->array, op->param, fp_loader(op->param)))) {
            return 0;
        }
        op->data = (char *)op->array->data;
    }
    return 1;
}

/* Finds the level of each list argument and the part with most levels, and checks the other parts
 * against it. */
static FP_HELPER int
fp_find_levels(fp_ragged *r)
{
    const fp_part *most = NULL;
    fp_part *part;
    int level;
    for (part = r->parts; part < r->parts + r->count; part++) {
        int rank = part->op == NULL ? 0 : part->op->ndim;
        if (part->op != NULL && part->op->missing != NULL && (part->param->maps & FP_MAPS_MISSING)) {
            return fp_has_missing(part->param);
        }
        if (rank > 1 && part->level >= 0) {
            return part->lists != NULL
                       ? fp_error(PyExc_ValueError, part->param, "its values have %d dimensions, but an item has %d",
                                  rank + part->param->ndim, part->param->ndim)
                       : fp_error(PyExc_ValueError, part->param,
                                  "ragged arguments have at most one leading dimension, not %d", rank);
        }
        if (part->lists == NULL) {
            continue;
        }
        part->level = part->lists->depth - 1 + rank;
        if (rank == 0) {
            if (part->param->ndim > 1 && fp_is_fortran(part->param)) {
                return fp_error(PyExc_ValueError, part->param,
                                "lists cannot be the first dimension of an item in Fortran's order");
            }
            part->is_core = 1;
            part->begin = (const npy_int64 *)PyArray_DATA(part->lists->offsets[part->level]);
            r->has_cores = 1;
        }
        most = most == NULL || part->level > most->level ? part : most;
    }
    if (most == NULL) {
        for (level = 0; level < r->list_count && r->lists[level].depth == 0; level++) {
        }
        if (level == r->list_count) {
            PyErr_Format(PyExc_TypeError,
                         "%s(): an output buffer for numbers needs a ragged argument",
                         r->parts[0].param->function);
            return 0;
        }
        PyErr_Format(PyExc_TypeError, "%s(): only a number that determines a shape can be ragged",
                     r->parts[0].param->function);
        return 0;
    }
    r->depth = most->level;
    r->counts[0] = PyArray_DIM(most->lists->offsets[0], 0) - 1;
    for (level = 0; level < r->depth; level++) {
        r->offsets[level] = (const npy_int64 *)PyArray_DATA(most->lists->offsets[level]);
        r->counts[level + 1] = (npy_intp)r->offsets[level][r->counts[level]];
    }
    if (!fp_keep_lists_apart(r)) {
        return 0;
    }
    r->loop = most->lists;
    r->map.ndim = 1;
    r->map.order[0] = 0;
    r->map.count = r->map.shape[0] = r->counts[r->depth];
    for (part = r->parts; part < r->parts + r->count; part++) {
        if (part->op == NULL || part->level < 0) {
            continue;
        }
        if (part->lists != NULL && !fp_check_lists(r, part, most)) {
            return 0;
        }
        if (part->lists == NULL && part->op->shape[0] != r->counts[0]) {
            if (part->op->shape[0] == 1) {
                part->level = -1;
                continue;
            }
            return fp_error(PyExc_ValueError, part->param, "it has %zd values for %zd lists of argument '%s'",
                            (Py_ssize_t)part->op->shape[0], (Py_ssize_t)r->counts[0], most->param->name);
        }
        part->stride = part->is_core ? fp_stride(part->array, 0, part->param) * part->param->size
                                     : part->op->strides[0];
    }
    for (part = r->parts; part < r->parts + r->count; part++) {
        if (part->op != NULL && part->op->written && part->level != r->depth) {
            return fp_error(PyExc_ValueError, part->param, "C writes to it, so each item needs its own");
        }
    }
    return 1;
}

/* Finds the items; without lists, by broadcasting the inputs, which are the first operands. */
static inline int
fp_ragged_find(fp_ragged *r, fp_operand *ops, int inputs, const fp_signature *s, PyObject *const *args)
{
    r->inputs = inputs;
    return r->is_dense ? fp_broadcast(&r->map, ops, inputs, s, args) : fp_find_levels(r);
}

/* in out: copies the values of each item. */
static FP_HELPER int
fp_ragged_copy(fp_ragged *r, int k)
{
    fp_part *part = &r->parts[k];
    const fp_param *p = part->param;
    if (part->level >= 0 && part->level != r->depth) {
        return fp_error(PyExc_ValueError, p, "C changes it, so each item needs its own");
    }
    if (!fp_map_copy(part->array, part->op, part->is_core ? &r->none : &r->map, p)) {
        return 0;
    }
    part->level = r->depth;
    part->stride = part->is_core ? fp_stride(part->array, 0, p) * p->size : part->op->strides[0];
    return 1;
}

/* ---- Outputs --------------------------------------------------------------------------------------- */

/* out: memory for the values of lists' items, the caller's if there is a buffer. */
static FP_HELPER int
fp_lists_out(fp_ragged *r, int k, PyObject *buffer)
{
    fp_part *part = &r->parts[k];
    const fp_operand *operands[FP_MAX_OPERANDS];
    fp_array *x = part->array;
    int i, taken = 0;
    for (i = 0; i < part->param->ndim; i++) {
        x->shape[i] = r->map.count == 0 && x->shape[i] < 0 ? 0 : x->shape[i];
    }
    for (i = 0; i < r->count && r->map.taken == 0; i++) {
        if (!r->parts[i].is_made && r->parts[i].op != NULL) {
            operands[taken++] = r->parts[i].op;
        }
    }
    if (taken > 0) {
        memcpy(r->map.operands, operands, sizeof(*operands) * (size_t)taken);
        r->map.taken = taken;
    }
    part->level = r->depth;
    if (!part->is_core) {
        int done = fp_map_out(x, part->op, &r->map, buffer, part->param);
        part->stride = done ? part->op->strides[0] : 0;
        return done;
    }
    x->shape[0] = (npy_intp)part->begin[r->map.count];
    fp_operand_begin(part->op, x, part->param);
    if (!fp_array_out(x, buffer, part->param)) {
        return 0;
    }
    for (i = 0; i < r->map.taken && fp_is_present(buffer); i++) {
        const fp_array *other = r->map.operands[i]->array;
        if (!fp_keep_apart(x, part->param, &other, 1)) {
            return 0;
        }
    }
    r->map.operands[r->map.taken++] = part->op;
    part->op->data = (char *)x->data;
    part->stride = fp_stride(x, 0, part->param) * part->param->size;
    return 1;
}

/* out: memory for the values of all items. */
static inline int
fp_ragged_out(fp_ragged *r, int k, PyObject *buffer)
{
    fp_part *part = &r->parts[k];
    return r->is_dense ? fp_map_out(part->array, part->op, &r->map, buffer, part->param)
                       : fp_lists_out(r, k, buffer);
}

/* Sets an omitted array that C changes to NULL; it cannot be omitted with lists. */
static FP_HELPER int
fp_ragged_left_out(const fp_ragged *r, fp_array *x, fp_operand *op, const fp_param *p)
{
    fp_map_null(x, op, p);
    return r->is_dense
           || fp_error(PyExc_TypeError, p, "it is required if other arguments are ragged");
}

/* Provides the default of an omitted array: one element, repeated as often as an item needs at most. An
 * array that C changes has separate memory for each item. */
static FP_HELPER int
fp_ragged_stand_in(fp_ragged *r, int k, const void *element, int changes)
{
    fp_part *part = &r->parts[k];
    if (changes) {
        if (!fp_map_new(part->array, part->op, &r->map, part->param)) {
            return 0;
        }
        part->op->written = 1;
        fp_operand_full(part->op, &r->map);
        fp_load(part->param->size)((char *)part->array->data, (const char *)element,
                                   PyArray_SIZE(part->array->array), 0);
        return 1;
    }
    if (!fp_reserve(part->array, part->most, part->param)) {
        return 0;
    }
    part->op->data = (char *)part->array->data;
    fp_repeat(part->param->size)(part->op->data, (const char *)element, part->most, part->param->size);
    return 1;
}

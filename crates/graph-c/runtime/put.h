/* New elements at indices, and where a mask is true. */
#ifndef FP_PUT
#define FP_PUT

#include "foreign.h"
#include "indexing.h"

/* The places of a step: int64 indices along an axis. */
typedef struct {
    const char *index;
    fp_size n;
    char *owned; /* the memory of the indices if it is temporary, else NULL */
} fp_places;

static int
fp_find_indices(fp_call *call, int node, int axis, const fp_operand *kinds, void *const *operands,
                fp_places *places)
{
    fp_any_view packed;
    fp_nest nest;
    if (!fp_check_indices(call, node, axis, 3, kinds, operands, &nest)) {
        return 0;
    }
    places->n = fp_count(nest.ndim, nest.shape, 1);
    places->index = nest.data[0];
    if (nest.ndim > 0) {
        memcpy(&packed, operands[3], fp_view_bytes(nest.ndim));
        if (!fp_pack(call, node, kinds[3], 0, (fp_view *)(void *)&packed)) {
            return 0;
        }
        places->owned = packed.data != nest.data[0] ? packed.data : NULL;
        places->index = packed.data;
    }
    return 1;
}

/* The indices of the true elements, in C order. */
static int
fp_find_true(fp_call *call, int node, const fp_operand *kinds, void *const *operands, fp_places *places)
{
    const fp_view *mask = (const fp_view *)operands[3];
    int ranks = kinds[3].ndim;
    fp_size index[FP_AXES], all = fp_count(ranks, mask->dims, 1), k;
    int64_t *next;
    char *at[2];
    fp_nest nest;
    if (!fp_check_mask(call, node, 3, kinds, operands)) {
        return 0;
    }
    fp_nest_pair(&nest, ranks, mask->dims, mask->dims + ranks, mask->dims + ranks);
    nest.data[0] = nest.data[1] = mask->data;
    places->n = fp_count_true(&nest);
    places->owned = fp_take(call, places->n * (fp_size)sizeof(int64_t));
    if (places->owned == NULL) {
        return fp_failed(call, node, "memory", 1, 3, kinds, operands, "no memory for %lld indices",
                         (long long)places->n);
    }
    places->index = places->owned;
    next = (int64_t *)(void *)places->owned;
    fp_locate(&nest, 2, 0, nest.ndim, nest.data, 0, index, at);
    for (k = 0; k < all; k++) {
        if (*at[0] != 0) {
            *next++ = k;
        }
        fp_advance(&nest, 2, 0, nest.ndim - 1, index, at);
    }
    return 1;
}

/* Makes a value contiguous in the shape of the part that it replaces. */
static int
fp_spread_value(fp_call *call, int node, int rank, const fp_size *shape, const fp_operand *kinds,
                void *const *operands, fp_any_view *value)
{
    fp_operand operand = kinds[2];
    memcpy(value, operands[2], fp_view_bytes(operand.ndim));
    if (operand.ndim == rank && memcmp(value->dims, shape, sizeof(shape[0]) * (size_t)rank) == 0) {
        return fp_pack(call, node, operand, 0, (fp_view *)(void *)value);
    }
    operand.ndim = (unsigned char)rank;
    operand.home = FP_TEMPORARY;
    memcpy(value->dims, shape, sizeof(shape[0]) * (size_t)rank);
    return fp_make(call, node, operand, (fp_view *)(void *)value)
           && fp_copy(call, node, operand, (fp_view *)(void *)value, kinds[2].ndim, (const fp_view *)operands[2]);
}

static int
fp_run_put(fp_call *call, int node, int axis, fp_put put, const fp_operand *kinds, void *const *operands)
{
    const fp_view *x = (const fp_view *)operands[1];
    fp_view *out = (fp_view *)operands[0];
    int left, ndim = kinds[1].ndim, masked = kinds[3].type == FP_BOOL, ranks = kinds[3].ndim, rank;
    int next = masked ? ranks : axis + 1; /* the first axis of a line */
    fp_size shape[2 * FP_AXES], row, rows, along, width, size = fp_sizes[kinds[1].type], bytes = 0, step = 0;
    const char *from = (const char *)operands[2];
    char *to, *owned = NULL;
    fp_any_view value;
    fp_places places = {NULL, 0, NULL};
    if (!(masked ? fp_find_true(call, node, kinds, operands, &places)
                 : fp_find_indices(call, node, axis, kinds, operands, &places))) {
        return 0;
    }
    rank = fp_append_sizes(shape, 0, x->dims, axis);
    rank = masked ? fp_append_sizes(shape, rank, &places.n, 1)
                  : fp_append_sizes(shape, rank, fp_shape(operands[3]), ranks);
    rank = fp_append_sizes(shape, rank, x->dims + next, ndim - next);
    if (rank > FP_AXES) {
        return fp_failed(call, node, "shape", 1, 3, kinds, operands, "a part would have %d dimensions", rank);
    }
    rows = fp_count(axis, x->dims, 1);
    along = fp_count(next - axis, x->dims + axis, 1);
    width = fp_count(ndim - next, x->dims + next, 1);
    if (kinds[2].ndim > 0) {
        if (!fp_spread_value(call, node, rank, shape, kinds, operands, &value)) {
            return 0;
        }
        from = value.data;
        owned = value.data != fp_data(operands[2]) ? value.data : NULL;
        step = 1;
        bytes = places.n * width * size;
    }
    memcpy(out->dims, x->dims, sizeof(x->dims[0]) * (size_t)ndim);
    if (!fp_make(call, node, kinds[0], out) || !fp_copy(call, node, kinds[0], out, ndim, x)) {
        return 0;
    }
    left = fp_leave(call, fp_work(rows * places.n * width, 16));
    to = out->data;
    for (row = 0; row < rows && width > 0; row++, to += along * width * size, from += bytes) {
        put(to, along, width, places.index, places.n, from, step);
    }
    fp_enter(call, left);
    fp_drop(call, owned);
    fp_drop(call, places.owned);
    return 1;
}

#endif

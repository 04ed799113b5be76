/* Copies of elements from any layout to any other. */
#ifndef FP_COPY
#define FP_COPY

#include "memory.h"
#include "walk.h"

/* Copies elements from one strided location to another, row by row of two operands: to, from. */
static int
fp_copy_nest(fp_nest *nest, fp_size size)
{
    unsigned char order[FP_AXES];
    fp_size index[FP_AXES], rows = 1;
    char *at[2];
    int axis, last;
    if (fp_count(nest->ndim, nest->shape, 1) == 0) {
        return 1;
    }
    nest->count = 2;
    fp_find_order(nest, 0, 2, 0, nest->ndim, order);
    fp_reorder(nest, order);
    nest->ndim = fp_join(nest, 0, nest->ndim, 0);
    last = nest->ndim - 1;
    if (last < 0) {
        memcpy(nest->data[0], nest->data[1], (size_t)size);
        return 1;
    }
    for (axis = 0; axis < last; axis++) {
        rows *= nest->shape[axis];
    }
    fp_locate(nest, 2, 0, last, nest->data, 0, index, at);
    for (; rows > 0; rows--) {
        fp_move(at[0], at[1], nest->shape[last], nest->strides[0][last], nest->strides[1][last], size);
        fp_advance(nest, 2, 0, last - 1, index, at);
    }
    return 1;
}

static int
fp_copy(fp_call *call, int node, fp_operand operand, fp_view *to, int from_ndim, const fp_view *from)
{
    fp_operand operands[2];
    void *values[2];
    fp_nest nest;
    int axis, left, done;
    operands[0] = operands[1] = operand;
    operands[1].ndim = (unsigned char)from_ndim;
    values[0] = to;
    values[1] = (void *)(size_t)from;
    if (from_ndim > operand.ndim) {
        return fp_failed(call, node, "shape", 0, 2, operands, values,
                         "%d dimensions cannot be copied to %d", from_ndim, operand.ndim);
    }
    if (!fp_broadcast(call, node, &nest, operand.ndim, 0, 2, 0, operands, values)) {
        return 0;
    }
    for (axis = 0; axis < operand.ndim; axis++) {
        if (nest.shape[axis] != to->dims[axis]) {
            char a[160], b[160];
            return fp_failed(call, node, "shape", 0, 2, operands, values,
                             "an array of shape %s cannot be copied to shape %s",
                             fp_write_shape(a, sizeof(a), from_ndim, from->dims),
                             fp_write_shape(b, sizeof(b), operand.ndim, to->dims));
        }
    }
    fp_place(&nest, 0, operands[0], values[0]);
    fp_place(&nest, 1, operands[1], values[1]);
    left = fp_leave(call, fp_work(fp_count(operand.ndim, to->dims, 1), 8));
    done = fp_copy_nest(&nest, fp_sizes[operand.type]);
    fp_enter(call, left);
    return done;
}

#endif

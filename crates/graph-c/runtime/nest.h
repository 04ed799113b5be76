/* A nest of loops over operands that broadcast: one size per axis, one stride per axis and operand.
 *
 * Axes are reordered by the strides of the operands if none requires another order, so that the
 * innermost loop is over adjacent memory, and adjacent axes that all operands can traverse as one
 * are merged. */
#ifndef FP_NEST
#define FP_NEST

#include "base.h"

typedef struct {
    int ndim, count;
    fp_size shape[FP_AXES];
    char *data[FP_OPERANDS];
    unsigned char size[FP_OPERANDS]; /* of an element; 0: a scalar, not an array */
    fp_size strides[FP_OPERANDS][FP_AXES];
} fp_nest;

/* ---- Broadcasting ------------------------------------------------------------------------------- */

static FP_COLD int
fp_no_broadcast(fp_call *call, int node, int outputs, int inputs, const fp_operand *operands,
                void *const *values, int one, int other, int ndim, int axis)
{
    char a[160], b[160];
    int lead_one = ndim - operands[one].ndim, lead_other = ndim - operands[other].ndim;
    return fp_failed(call, node, "shape", outputs, inputs, operands, values,
                     "shapes %s and %s do not broadcast: axis %d is %lld in one and %lld in the other",
                     fp_write_shape(a, sizeof(a), operands[one].ndim, fp_shape(values[one])),
                     fp_write_shape(b, sizeof(b), operands[other].ndim, fp_shape(values[other])), axis,
                     (long long)fp_shape(values[one])[axis - lead_one],
                     (long long)fp_shape(values[other])[axis - lead_other]);
}

/* Sets the shape of a nest of `ndim` axes to the broadcast shape of operands `from` to `count`. */
static int
fp_broadcast(fp_call *call, int node, fp_nest *nest, int ndim, int from, int count, int outputs,
             const fp_operand *operands, void *const *values)
{
    int k, axis, giver[FP_AXES];
    nest->ndim = ndim;
    for (axis = 0; axis < ndim; axis++) {
        nest->shape[axis] = 1;
        giver[axis] = -1;
    }
    for (k = from; k < count; k++) {
        int rank = operands[k].ndim, lead = ndim - rank;
        for (axis = 0; axis < rank; axis++) {
            fp_size size = fp_shape(values[k])[axis];
            if (size == 1 || size == nest->shape[lead + axis]) {
                continue;
            }
            if (FP_UNLIKELY(giver[lead + axis] >= 0)) {
                return fp_no_broadcast(call, node, outputs, count - outputs, operands, values,
                                       giver[lead + axis], k, ndim, lead + axis);
            }
            nest->shape[lead + axis] = size;
            giver[lead + axis] = k;
        }
    }
    return 1;
}

/* Sets an operand's data and strides; repeated axes have stride 0. */
static void
fp_place(fp_nest *nest, int k, fp_operand operand, void *value)
{
    int axis, rank = operand.ndim, lead = nest->ndim - rank;
    nest->size[k] = rank == 0 ? 0 : fp_sizes[operand.type];
    nest->data[k] = rank == 0 ? (char *)value : fp_data(value);
    for (axis = 0; axis < lead; axis++) {
        nest->strides[k][axis] = 0;
    }
    for (axis = 0; axis < rank; axis++) {
        nest->strides[k][lead + axis] = fp_shape(value)[axis] == 1 ? 0 : fp_shape(value)[rank + axis];
    }
}

/* ---- Order -------------------------------------------------------------------------------------- */

static inline fp_size
fp_magnitude(fp_size x)
{
    return x < 0 ? -x : x;
}

/* Whether axis `a` should be outside of axis `b`: 1 (also if operands disagree: axes keep their
 * order), -1 (inside), or 0 if either order is equal. */
static int
fp_outside(const fp_nest *nest, int from, int count, int a, int b)
{
    int k, wish = 0;
    for (k = from; k < count; k++) {
        fp_size one = fp_magnitude(nest->strides[k][a]), other = fp_magnitude(nest->strides[k][b]);
        if (one == 0 || other == 0 || one == other) {
            continue;
        }
        if (wish != 0 && wish != (one > other ? 1 : -1)) {
            return 1;
        }
        wish = one > other ? 1 : -1;
    }
    return wish;
}

/* The order of axes `begin` to `end` by operands `from` to `count`: outermost first. */
static void
fp_find_order(const fp_nest *nest, int from, int count, int begin, int end, unsigned char *order)
{
    int i, j, place;
    for (i = begin; i < end; i++) {
        place = i;
        for (j = i - 1; j >= begin; j--) {
            int wish = fp_outside(nest, from, count, order[j], i);
            if (wish > 0) {
                break;
            }
            place = wish < 0 ? j : place;
        }
        memmove(order + place + 1, order + place, (size_t)(i - place));
        order[place] = (unsigned char)i;
    }
}

/* Reorders the axes of the whole nest. */
static void
fp_reorder(fp_nest *nest, const unsigned char *order)
{
    fp_size before[FP_AXES];
    int k, axis;
    memcpy(before, nest->shape, sizeof(before[0]) * (size_t)nest->ndim);
    for (axis = 0; axis < nest->ndim; axis++) {
        nest->shape[axis] = before[order[axis]];
    }
    for (k = 0; k < nest->count; k++) {
        memcpy(before, nest->strides[k], sizeof(before[0]) * (size_t)nest->ndim);
        for (axis = 0; axis < nest->ndim; axis++) {
            nest->strides[k][axis] = before[order[axis]];
        }
    }
}

static void
fp_move_axis(fp_nest *nest, int from, int to)
{
    int k;
    nest->shape[to] = nest->shape[from];
    for (k = 0; k < nest->count; k++) {
        nest->strides[k][to] = nest->strides[k][from];
    }
}

/* Removes axes of size 1 among `begin` to `end`, merges axes if possible and moves the rest to
 * `to`; returns its end. */
static int
fp_join(fp_nest *nest, int begin, int end, int to)
{
    int k, axis, at = to;
    for (axis = begin; axis < end; axis++) {
        fp_size size = nest->shape[axis];
        int joins = at > to;
        if (size == 1) {
            continue;
        }
        for (k = 0; k < nest->count && joins; k++) {
            joins = nest->strides[k][at - 1] == nest->strides[k][axis] * size;
        }
        if (joins) {
            size *= nest->shape[--at];
        }
        fp_move_axis(nest, axis, at);
        nest->shape[at++] = size;
    }
    return at;
}

/* Contiguous strides for an output of the nest's shape, in an order of its axes. */
static void
fp_dense_strides(int ndim, const fp_size *shape, const unsigned char *order, fp_size size, fp_size *strides)
{
    int k;
    for (k = ndim - 1; k >= 0; k--) {
        strides[order[k]] = size;
        if (shape[order[k]] != 0 && __builtin_mul_overflow(size, shape[order[k]], &size)) {
            size = 0; /* the allocation then fails, which reports the error */
        }
    }
}

#endif

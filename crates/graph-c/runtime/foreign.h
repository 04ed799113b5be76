/* Support for calls of C functions: arrays in the order that they expect. */
#ifndef FP_FOREIGN
#define FP_FOREIGN

#include "copy.h"

/* Sets contiguous strides for an array with a given shape. */
static void
fp_set_strides(fp_operand operand, int fortran, fp_view *view)
{
    fp_size *strides = view->dims + operand.ndim, step = fp_sizes[operand.type];
    int k;
    for (k = 0; k < operand.ndim; k++) {
        int axis = fortran ? k : operand.ndim - 1 - k;
        strides[axis] = step;
        /* On overflow the allocation fails, which reports the error. */
        if (view->dims[axis] != 0 && __builtin_mul_overflow(step, view->dims[axis], &step)) {
            step = 0;
        }
    }
}

static int
fp_make_ordered(fp_call *call, int node, fp_operand operand, int fortran, fp_view *view)
{
    int k;
    for (k = 0; k < operand.ndim; k++) {
        if (view->dims[k] < 0) {
            return fp_failed(call, node, "value", 0, 0, &operand, NULL,
                             "dimension %d is negative (%lld)", k, (long long)view->dims[k]);
        }
    }
    fp_set_strides(operand, fortran, view);
    return fp_make_strided(call, node, operand, view);
}

static int
fp_lies_in_order(fp_operand operand, int fortran, const fp_view *view)
{
    const fp_size *strides = view->dims + operand.ndim;
    fp_size step = fp_sizes[operand.type];
    int k, is = 1;
    for (k = 0; k < operand.ndim; k++) {
        int axis = fortran ? k : operand.ndim - 1 - k;
        if (view->dims[axis] == 0) {
            return 1;
        }
        is &= view->dims[axis] == 1 || strides[axis] == step;
        step *= view->dims[axis];
    }
    return is;
}

static int
fp_pack(fp_call *call, int node, fp_operand operand, int fortran, fp_view *view)
{
    fp_any_view packed;
    size_t bytes = fp_view_bytes(operand.ndim);
    if (FP_LIKELY(fp_lies_in_order(operand, fortran, view))) {
        return 1;
    }
    memcpy(&packed, view, bytes);
    operand.home = FP_TEMPORARY;
    if (!fp_make_ordered(call, node, operand, fortran, (fp_view *)&packed)
        || !fp_copy(call, node, operand, (fp_view *)&packed, operand.ndim, view)) {
        return 0;
    }
    memcpy(view, &packed, bytes);
    return 1;
}

/* Releases the lock; returns whether it did. */
static int
fp_let_go(fp_call *call)
{
    if (call->host->leave == NULL) {
        return 0;
    }
    call->host->leave(call);
    return 1;
}

static void
fp_take_back(fp_call *call)
{
    call->host->enter(call);
}

static int
fp_fail_with(fp_call *call, int node, const char *kind, const char *before, long long number,
             const char *behind)
{
    return fp_failed(call, node, kind, 0, 0, NULL, NULL, "%s%lld%s", before, number, behind);
}

#endif

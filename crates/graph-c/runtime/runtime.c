/* The runtime that linked graphs call, in one unit. abi.h declares the part for graphs, call.h the
 * part for hosts. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include "accumulate.h"
#include "copy.h"
#include "fold.h"
#include "foreign.h"
#include "indexing.h"
#include "matmul.h"
#include "put.h"
#include "rows.h"

static int
fp_fail(fp_call *call, int node, const char *kind, const char *text, int count, const fp_operand *operands,
        void *const *values)
{
    return fp_note_failure(call, node, kind, text, count, operands, values);
}

static int
fp_share_input(fp_call *call, int node, fp_operand operand, int input, const fp_view *view)
{
    if (call->host->share_input == NULL) {
        return fp_failed(call, node, "value", 0, 0, &operand, NULL, "views cannot be lent here");
    }
    return call->host->share_input(call, operand.home, operand.type, operand.ndim, input, view->data, view->dims,
                            view->dims + operand.ndim);
}

static const fp_runtime fp_the_runtime = {
    .abi = FP_ABI,
    .map = fp_run_a_map,
    .fold = fp_run_fold,
    .rows = fp_run_rows,
    .matmul = fp_run_matmul,
    .make = fp_make,
    .share_input = fp_share_input,
    .copy = fp_copy,
    .take = fp_run_take,
    .mask = fp_run_mask,
    .accumulate = fp_run_accumulate,
    .put = fp_run_put,
    .drop = fp_drop,
    .fail = fp_fail,
    .make_ordered = fp_make_ordered,
    .pack = fp_pack,
    .leave = fp_let_go,
    .enter = fp_take_back,
    .fail_with = fp_fail_with,
};

const struct fp_runtime *
fp_get_runtime(void)
{
    return &fp_the_runtime;
}

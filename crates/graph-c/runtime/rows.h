/* Rows: several stages over a row while it is in cache, as in a softmax.
 *
 * A stage processes contiguous rows: rows with another layout are packed once, as a whole, and
 * results are unpacked at the end of the row. A value per row (an input that the row repeats) is
 * packed too, so that a stage needs only one loop. If rows have one element in all stages but the last,
 * in which other operands have more, that element is repeated. Rows are distributed over threads, each with its
 * own buffers. */
#ifndef FP_ROWS
#define FP_ROWS

#include "map.h"

enum { FP_ROW_THINGS = 64 }; /* limit on buffers or states */

typedef struct {
    const fp_rows *rows;
    const fp_nest *nest; /* operands: outputs, then inputs; axes: outer ones, then those of the row */
    int border;          /* the first axis of the row */
    int buffer_count, state_count;
    fp_size count, width, share; /* rows, elements of a row, rows of a part */
    fp_size early;               /* elements of a row in all stages but the last */
    char *memory;        /* of all workers */
    fp_size stride;      /* of one */
    unsigned char packed[FP_OPERANDS]; /* the row is not contiguous */
    unsigned char stored[FP_OPERANDS]; /* an output with rows, not one value each */
    fp_size room[FP_OPERANDS];         /* the offset of a packed row in a worker's memory */
    fp_size buffers[FP_ROW_THINGS], states[FP_ROW_THINGS];
} fp_rows_job;

/* Packs a row of an operand, or unpacks it. */
static void
fp_pack_row(const fp_rows_job *job, int k, char *at, char *row, int unpack)
{
    const fp_nest *nest = job->nest;
    fp_size index[FP_AXES], size = nest->size[k], n, left, stride;
    int axis, last = nest->ndim - 1;
    if (last < job->border) {
        memcpy(unpack ? at : row, unpack ? row : at, (size_t)size);
        return;
    }
    n = nest->shape[last];
    stride = nest->strides[k][last];
    for (axis = job->border; axis < last; axis++) {
        index[axis] = 0;
    }
    for (left = job->width; left > 0; left -= n) {
        if (unpack) {
            fp_scatter(at, row, n, stride, size);
        }
        else {
            fp_gather(row, at, n, stride, size);
        }
        row += n * size;
        for (axis = last - 1; axis >= job->border; axis--) {
            at += nest->strides[k][axis];
            if (++index[axis] < nest->shape[axis]) {
                break;
            }
            at -= nest->shape[axis] * nest->strides[k][axis];
            index[axis] = 0;
        }
    }
}

/* Repeats the only element of each row that a stage has stored for the last one. */
static FP_COLD void
fp_repeat_buffers(const fp_rows_job *job, char *memory)
{
    int k;
    for (k = 0; job->rows->buffers[k] != 0; k++) {
        char *row = memory + job->buffers[k];
        fp_gather(row, row, job->width, 0, job->rows->buffers[k]);
    }
}

/* One row, whose operands are at `at`. */
static void
fp_do_row(const fp_rows_job *job, char *const *at, char *memory)
{
    const fp_rows *rows = job->rows;
    const fp_nest *nest = job->nest;
    char *row[FP_OPERANDS], *p[FP_OPERANDS];
    int k, s;
    for (k = 0; k < nest->count; k++) {
        row[k] = at[k];
        if (job->packed[k]) {
            row[k] = memory + job->room[k];
            if (k >= rows->outputs) {
                fp_pack_row(job, k, at[k], row[k], 0);
            }
        }
    }
    for (s = 0; s < rows->stages; s++) {
        const fp_stage *stage = &rows->stage[s];
        if (stage->begins >= 0) {
            stage->begin(memory + job->states[stage->begins]);
        }
        for (k = 0; k < stage->count; k++) {
            int i = stage->values[k].index;
            p[k] = stage->values[k].kind == FP_ROW_OPERAND  ? row[i]
                   : stage->values[k].kind == FP_ROW_BUFFER ? memory + job->buffers[i]
                                                            : memory + job->states[i];
        }
        stage->run(p, s < rows->stages - 1 ? job->early : job->width);
        if (FP_UNLIKELY(job->early != job->width) && s < rows->stages - 1) {
            fp_repeat_buffers(job, memory);
        }
    }
    for (k = 0; k < rows->outputs; k++) {
        const fp_row_result result = rows->results[k];
        if (result.state >= 0) {
            memcpy(at[k], memory + job->states[result.state] + result.offset, nest->size[k]);
        }
        else if (job->packed[k]) {
            fp_pack_row(job, k, at[k], row[k], 1);
        }
    }
}

static void
fp_rows_part(void *argument, fp_size part, int worker)
{
    fp_rows_job *job = (fp_rows_job *)argument;
    const fp_nest *nest = job->nest;
    fp_size index[FP_AXES], row = part * job->share, end = row + job->share;
    char *at[FP_OPERANDS];
    fp_locate(nest, nest->count, 0, job->border, nest->data, row, index, at);
    for (end = end < job->count ? end : job->count; row < end; row++) {
        fp_do_row(job, at, job->memory + worker * job->stride);
        fp_advance(nest, nest->count, 0, job->border - 1, index, at);
    }
}

/* ---- Setting up ------------------------------------------------------------------------------------ */

/* An output: rows in C order, or one value each. */
static int
fp_make_row_output(fp_call *call, fp_rows_job *job, fp_nest *nest, int k, void *const *operands)
{
    const fp_rows *rows = job->rows;
    const fp_operand operand = rows->operands[k];
    fp_view *view = (fp_view *)operands[k];
    fp_size shape[FP_AXES];
    int axis, outer = nest->ndim - rows->inner, ndim = operand.ndim;
    job->stored[k] = rows->results[k].state < 0;
    for (axis = 0; axis < ndim; axis++) {
        shape[axis] = axis < outer || job->stored[k] ? nest->shape[axis] : 1;
    }
    if (ndim > 0 && operand.home == FP_CALLER) {
        if (memcmp(view->dims, shape, sizeof(shape[0]) * (size_t)ndim) != 0) {
            char a[160], b[160];
            return fp_failed(call, rows->node, "shape", rows->outputs, rows->inputs, rows->operands, operands,
                             "a result of shape %s cannot be written to an array of shape %s",
                             fp_write_shape(a, sizeof(a), ndim, shape),
                             fp_write_shape(b, sizeof(b), ndim, view->dims));
        }
    }
    else if (ndim > 0) {
        memcpy(view->dims, shape, sizeof(shape[0]) * (size_t)ndim);
        if (!fp_make(call, rows->node, operand, view)) {
            return 0;
        }
    }
    nest->size[k] = fp_sizes[operand.type];
    nest->data[k] = ndim == 0 ? (char *)operands[k] : view->data;
    for (axis = 0; axis < nest->ndim; axis++) {
        nest->strides[k][axis] = axis >= ndim || shape[axis] == 1 ? 0 : view->dims[ndim + axis];
    }
    return 1;
}

/* Plans a worker's memory. */
static fp_size
fp_lay_out(fp_rows_job *job)
{
    const fp_rows *rows = job->rows;
    fp_size at = 0, bytes;
    int k;
#define FP_LAY(place, size) \
    (place) = at;           \
    bytes = (size);         \
    at += (bytes + FP_ALIGNMENT - 1) / FP_ALIGNMENT * FP_ALIGNMENT
    for (k = 0; rows->states[k] != 0; k++) {
        FP_LAY(job->states[k], rows->states[k]);
    }
    for (k = 0; rows->buffers[k] != 0; k++) {
        FP_LAY(job->buffers[k], rows->buffers[k] * job->width);
    }
    for (k = 0; k < job->nest->count; k++) {
        if (job->packed[k]) {
            FP_LAY(job->room[k], job->nest->size[k] * job->width);
        }
    }
#undef FP_LAY
    return at;
}

/* The operands with rows that are not contiguous. */
static void
fp_find_packed(fp_rows_job *job)
{
    const fp_nest *nest = job->nest;
    int k;
    for (k = 0; k < nest->count; k++) {
        int row = k >= job->rows->outputs ? nest->size[k] != 0 : job->stored[k];
        job->packed[k] = row && nest->ndim > job->border
                         && (nest->ndim - job->border > 1
                             || nest->strides[k][nest->ndim - 1] != nest->size[k]);
    }
}

/* The elements of a row in all stages but the last: those of the first inputs. */
static fp_size
fp_early_width(const fp_rows *rows, void *const *operands, fp_size width)
{
    int k;
    if (rows->early == rows->inputs) {
        return width;
    }
    for (k = rows->outputs; k < rows->outputs + rows->early; k++) {
        int rank = rows->operands[k].ndim;
        if (rank > 0 && fp_shape(operands[k])[rank - 1] != 1) {
            return width;
        }
    }
    return 1;
}

static int
fp_run_rows(fp_call *call, const fp_rows *rows, void *const *operands)
{
    fp_nest nest;
    fp_rows_job job;
    fp_size parts;
    double work;
    int k, outer = rows->ndim - rows->inner, threads, left;
    nest.count = rows->outputs + rows->inputs;
    if (!fp_broadcast(call, rows->node, &nest, rows->ndim, rows->outputs, nest.count, rows->outputs,
                      rows->operands, operands)) {
        return 0;
    }
    job.rows = rows;
    job.nest = &nest;
    for (k = 0; k < nest.count; k++) {
        if (k >= rows->outputs) {
            fp_place(&nest, k, rows->operands[k], operands[k]);
        }
        else if (!fp_make_row_output(call, &job, &nest, k, operands)) {
            return 0;
        }
    }
    job.count = fp_count(outer, nest.shape, 1);
    job.width = fp_count(rows->inner, nest.shape + outer, 1);
    job.early = fp_early_width(rows, operands, job.width);
    if (job.early == 0 && rows->no_identity != NULL) {
        return fp_failed(call, rows->node, "value", rows->outputs, rows->inputs, rows->operands, operands,
                         "zero-size array to reduction operation %s which has no identity",
                         rows->no_identity);
    }
    if (job.count == 0 || (job.width == 0 && job.early == 1)) {
        return 1;
    }
    job.border = fp_join(&nest, 0, outer, 0);
    nest.ndim = fp_join(&nest, outer, nest.ndim, job.border);
    fp_find_packed(&job);
    job.stride = fp_lay_out(&job);
    work = fp_work(job.count * job.width, rows->cost);
    threads = fp_team_for(work, job.count);
    job.memory = fp_take(call, job.stride * threads);
    if (job.memory == NULL) {
        return fp_failed(call, rows->node, "memory", rows->outputs, rows->inputs, rows->operands, operands,
                         "no memory for rows of %lld elements", (long long)job.width);
    }
    job.share = job.count / (4 * threads) + 1;
    parts = (job.count + job.share - 1) / job.share;
    left = fp_leave(call, work);
    fp_share_out(fp_rows_part, &job, parts, threads);
    fp_enter(call, left);
    fp_drop(call, job.memory);
    return 1;
}

#endif

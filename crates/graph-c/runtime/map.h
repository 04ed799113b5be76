/* Maps: outputs that are functions of inputs, element by element. */
#ifndef FP_MAP
#define FP_MAP

#include "memory.h"
#include "repeat.h"
#include "threads.h"
#include "walk.h"

enum {
    FP_SHARE = 1 << 11 /* the minimum of elements that a thread takes at a time */
};

typedef struct {
    const fp_walk *walk;
    fp_inner inner;
    char *const *data;
    fp_size count, share;
} fp_map_job;

static void
fp_visit_map(void *job, char *const *p, fp_size n)
{
    ((const fp_map_job *)job)->inner(p, n);
}

static void
fp_map_part(void *argument, fp_size part, int worker)
{
    fp_map_job *job = (fp_map_job *)argument;
    fp_size first = part * job->share, left = job->count - first;
    (void)worker;
    fp_walk_some(job->walk, job->data, first, left < job->share ? left : job->share, fp_visit_map, job);
}

static void
fp_map_flat_part(void *argument, fp_size part, int worker)
{
    fp_map_job *job = (fp_map_job *)argument;
    const fp_walk *walk = job->walk;
    fp_size first = part * job->share, left = job->count - first;
    char *p[FP_OPERANDS];
    int k;
    (void)worker;
    for (k = 0; k < walk->operands; k++) {
        p[k] = job->data[k] + first * walk->nest->size[k];
    }
    job->inner(p, left < job->share ? left : job->share);
}

/* Runs the loop, on several threads if that pays. `flat`: all operands are contiguous or scalars.
 * */
static void
fp_run_map(fp_call *call, const fp_map *map, const fp_walk *walk, char *const *data, fp_size count, int flat)
{
    double work = fp_work(count, map->cost);
    fp_size parts = (count + FP_SHARE - 1) / FP_SHARE;
    int left = fp_leave(call, work), threads = fp_team_for(work, parts);
    fp_map_job job;
    job.walk = walk;
    job.inner = map->inner;
    job.data = data;
    job.count = count;
    if (threads <= 1) {
        if (flat) {
            map->inner(data, count);
        }
        else {
            fp_walk_some(walk, data, 0, count, fp_visit_map, &job);
        }
    }
    else {
        /* Several blocks per thread, in whole blocks of elements. */
        job.share = (count / (8 * threads) + FP_SHARE) / FP_SHARE * FP_SHARE;
        fp_share_out(flat ? fp_map_flat_part : fp_map_part, &job, (count + job.share - 1) / job.share,
                     threads);
    }
    fp_enter(call, left);
}

/* ---- Outputs ------------------------------------------------------------------------------------- */

static FP_COLD int
fp_wrong_output(fp_call *call, const fp_map *map, void *const *operands, int k, const fp_size *shape)
{
    char a[160], b[160];
    return fp_failed(call, map->node, "shape", map->outputs, map->inputs, map->operands, operands,
                     "a result of shape %s cannot be written to an array of shape %s",
                     fp_write_shape(a, sizeof(a), map->ndim, shape),
                     fp_write_shape(b, sizeof(b), map->operands[k].ndim, fp_shape(operands[k])));
}

/* Reuses the memory of an operand with the result's shape; 0: none has it. */
static int
fp_reuse(const fp_map *map, void *const *operands, int k, const fp_size *shape)
{
    int from = map->operands[k].reuse - 1, ndim = map->ndim;
    fp_view *view = (fp_view *)operands[k];
    if (from < 0 || map->operands[from].ndim != ndim
        || memcmp(fp_shape(operands[from]), shape, sizeof(shape[0]) * (size_t)ndim) != 0) {
        return 0;
    }
    memcpy(view->dims, fp_shape(operands[from]), 2 * sizeof(shape[0]) * (size_t)ndim);
    view->data = fp_data(operands[from]);
    return 1;
}

/* The reused memory belongs to the output now. */
static inline void
fp_forget_reused(const fp_map *map, void *const *operands)
{
    int k;
    for (k = 0; k < map->outputs; k++) {
        if (map->operands[k].reuse != 0) {
            fp_view *from = (fp_view *)operands[map->operands[k].reuse - 1];
            if (from->data == fp_data(operands[k])) {
                from->data = NULL;
            }
        }
    }
}

/* Allocates outputs of the nest's shape, in the memory order of the inputs. */
static int
fp_make_outputs(fp_call *call, const fp_map *map, fp_nest *nest, void *const *operands)
{
    unsigned char order[FP_AXES];
    int k, ndim = map->ndim, ordered = 0;
    for (k = 0; k < map->outputs; k++) {
        fp_view *view = (fp_view *)operands[k];
        if (map->operands[k].home == FP_CALLER) {
            if (memcmp(view->dims, nest->shape, sizeof(nest->shape[0]) * (size_t)ndim) != 0) {
                return fp_wrong_output(call, map, operands, k, nest->shape);
            }
        }
        else if (!fp_reuse(map, operands, k, nest->shape)) {
            if (!ordered) {
                fp_find_order(nest, map->outputs, nest->count, 0, ndim, order);
                ordered = 1;
            }
            memcpy(view->dims, nest->shape, sizeof(nest->shape[0]) * (size_t)ndim);
            fp_dense_strides(ndim, nest->shape, order, fp_sizes[map->operands[k].type], view->dims + ndim);
            if (!fp_make_strided(call, map->node, map->operands[k], view)) {
                return 0;
            }
        }
        fp_place(nest, k, map->operands[k], operands[k]);
    }
    return 1;
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

/* Any operands. */
static __attribute__((noinline)) int
fp_map_any(fp_call *call, const fp_map *map, void *const *operands)
{
    fp_nest nest;
    fp_walk walk;
    unsigned char order[FP_AXES];
    fp_size count;
    int k, given = 0;
    for (k = 0; k < map->outputs; k++) {
        given |= map->operands[k].home == FP_CALLER;
    }
    nest.count = map->outputs + map->inputs;
    /* If memory is given, its shape is the result's, and no operand may be larger. */
    if (!fp_broadcast(call, map->node, &nest, map->ndim, map->outputs, nest.count, map->outputs,
                      map->operands, operands)) {
        return 0;
    }
    if (given) {
        for (k = 0; k < map->outputs; k++) {
            if (map->operands[k].home == FP_CALLER) {
                int axis;
                for (axis = 0; axis < map->ndim; axis++) {
                    nest.shape[axis] = nest.shape[axis] == 1 ? fp_shape(operands[k])[axis] : nest.shape[axis];
                }
            }
        }
    }
    for (k = map->outputs; k < nest.count; k++) {
        fp_place(&nest, k, map->operands[k], operands[k]);
    }
    if (!fp_make_outputs(call, map, &nest, operands)) {
        return 0;
    }
    count = fp_count(nest.ndim, nest.shape, 1);
    if (count > 0) {
        fp_find_order(&nest, 0, nest.count, 0, nest.ndim, order);
        fp_reorder(&nest, order);
        nest.ndim = fp_join(&nest, 0, nest.ndim, 0);
        fp_plan_walk(&walk, &nest, 0, nest.count, map->outputs, 1);
        fp_run_map(call, map, &walk, nest.data, count, 0);
    }
    fp_forget_reused(map, operands);
    return 1;
}

/* Whether a view of rank 1 or more has the shape `as` and is contiguous in C order. */
static inline int
fp_lies_alike(const fp_size *dims, const fp_size *as, int ndim, fp_size step)
{
    int k = ndim - 1;
    if (dims[k] != as[k] || dims[ndim + k] != step) {
        return 0;
    }
    while (--k >= 0) {
        step *= dims[k + 1];
        if (dims[k] != as[k] || dims[ndim + k] != step) {
            return 0;
        }
    }
    return 1;
}

/* Contiguous operands with many elements. */
static __attribute__((noinline)) int
fp_map_long(fp_call *call, const fp_map *map, char *const *data, fp_size count)
{
    fp_nest nest;
    fp_walk walk;
    int k, all = map->outputs + map->inputs;
    for (k = 0; k < all; k++) {
        nest.size[k] = map->operands[k].ndim == 0 ? 0 : fp_sizes[map->operands[k].type];
    }
    walk.nest = &nest;
    walk.operands = all;
    fp_run_map(call, map, &walk, data, count, 1);
    return 1;
}

/* Allocates an output like an operand that is contiguous in C order, or reuses memory. */
static inline int
fp_make_alike(fp_call *call, const fp_map *map, void *const *operands, int k, const fp_size *as)
{
    const fp_operand *operand = &map->operands[k];
    fp_view *view = (fp_view *)operands[k];
    fp_size step = fp_sizes[operand->type];
    int axis, ndim = map->ndim;
    if (operand->reuse != 0 && fp_reuse(map, operands, k, as)) {
        return 1;
    }
    /* The last axis is handled first: most arrays have no other, and a loop over many would have to
     * be set up. */
    view->dims[ndim - 1] = as[ndim - 1];
    view->dims[2 * ndim - 1] = step;
    for (axis = ndim - 2; axis >= 0; axis--) {
        view->dims[axis] = as[axis];
        view->dims[ndim + axis] = step *= as[axis + 1]; /* there is an operand of this size */
    }
    return fp_make_lying(call, map->node, operand->type, operand->home, ndim, view, 1);
}

/* Whether an operand has one value per row of an array with shape `as`; sets their distance. */
static int
fp_is_a_value_each(const fp_size *dims, const fp_size *as, int ndim, fp_size *step)
{
    const fp_size *strides = dims + ndim;
    int k;
    if (ndim < 2 || dims[ndim - 1] != 1 || dims[ndim - 2] != as[ndim - 2]) {
        return 0;
    }
    for (k = ndim - 3; k >= 0; k--) {
        if (dims[k] != as[k] || strides[k] != strides[k + 1] * dims[k + 1]) {
            return 0;
        }
    }
    *step = strides[ndim - 2];
    return 1;
}

/* The shape of the first operand that is not a single column, if one has all axes. */
static inline const fp_size *
fp_find_shape(const fp_map *map, void *const *operands)
{
    const fp_size *as = NULL;
    int k, ndim = map->ndim, all = map->outputs + map->inputs;
    for (k = map->outputs; k < all; k++) {
        if (map->operands[k].ndim == ndim) {
            as = as == NULL || fp_shape(operands[k])[ndim - 1] != 1 ? fp_shape(operands[k]) : as;
            if (as[ndim - 1] != 1) {
                break;
            }
        }
    }
    return as;
}

/* Allocates the outputs for operands with one layout; -1: some are given and have another layout.
 * */
static inline int
fp_make_all_alike(fp_call *call, const fp_map *map, void *const *operands, const fp_size *as, char **data)
{
    int k;
    for (k = 0; k < map->outputs; k++) {
        fp_view *view = (fp_view *)operands[k];
        if (map->operands[k].home == FP_CALLER) {
            if (!fp_lies_alike(view->dims, as, map->ndim, fp_sizes[map->operands[k].type])) {
                return -1;
            }
        }
        else if (!fp_make_alike(call, map, operands, k, as)) {
            return 0;
        }
        data[k] = view->data;
    }
    return 1;
}

/* Maps with operands that repeat; a row consists of the last `rank` axes. */
static __attribute__((noinline)) int
fp_map_repeat(fp_call *call, const fp_map *map, void *const *operands, const fp_size *as, int rank)
{
    fp_repeat job;
    int k, done, ndim = map->ndim, all = map->outputs + map->inputs;
    job.map = map;
    job.row = fp_count(rank, as + (ndim - rank), 1);
    job.rows = fp_count(ndim - rank, as, 1);
    for (k = 0; k < all; k++) {
        const int own = map->operands[k].ndim;
        const fp_size size = fp_sizes[map->operands[k].type];
        job.way[k] = FP_GOES_ON;
        if (k < map->outputs) {
            continue;
        }
        job.data[k] = own == 0 ? (char *)operands[k] : fp_data(operands[k]);
        if (own == 0 || (own == ndim && fp_lies_alike(fp_shape(operands[k]), as, ndim, size))) {
            continue;
        }
        if (own == rank && fp_lies_alike(fp_shape(operands[k]), as + (ndim - rank), rank, size)) {
            job.way[k] = FP_SAME_ROW;
            job.step[k] = 0;
        }
        else if (own == ndim && rank == 1 && fp_is_a_value_each(fp_shape(operands[k]), as, ndim, &job.step[k])) {
            job.way[k] = FP_SAME_VALUE;
        }
        else {
            return fp_map_any(call, map, operands);
        }
    }
    if (!fp_plan_repeat(&job)) {
        return fp_map_any(call, map, operands);
    }
    done = fp_make_all_alike(call, map, operands, as, job.data);
    if (done <= 0) {
        return done == 0 ? 0 : fp_map_any(call, map, operands);
    }
    fp_run_repeat(call, &job);
    fp_forget_reused(map, operands);
    return 1;
}

/* Operands with one layout are handled here; the rest as repeating operands, or by the code above.
 * */
static int
fp_run_a_map(fp_call *call, const fp_map *map, void *const *operands)
{
    char *data[FP_OPERANDS];
    const fp_size *as;
    fp_size count;
    int k, ndim = map->ndim, all = map->outputs + map->inputs, repeats = 0;
    if (ndim == 0) {
        map->inner((char *const *)operands, 1);
        return 1;
    }
    as = fp_find_shape(map, operands);
    if (FP_UNLIKELY(as == NULL)) {
        return fp_map_any(call, map, operands);
    }
    for (k = map->outputs; k < all; k++) {
        const int rank = map->operands[k].ndim;
        if (rank == 0) {
            data[k] = (char *)operands[k];
            continue;
        }
        if (rank == ndim && fp_lies_alike(fp_shape(operands[k]), as, ndim, fp_sizes[map->operands[k].type])) {
            data[k] = fp_data(operands[k]);
            continue;
        }
        if (ndim == 1) {
            return fp_map_any(call, map, operands);
        }
        if (repeats < (rank == ndim ? 1 : rank)) { /* axes of a row: a column has one value */
            repeats = rank == ndim ? 1 : rank;
        }
    }
    count = fp_count(ndim, as, 1);
    if (FP_UNLIKELY(count == 0)) {
        return fp_map_any(call, map, operands);
    }
    if (FP_UNLIKELY(repeats != 0)) {
        return fp_map_repeat(call, map, operands, as, repeats);
    }
    k = fp_make_all_alike(call, map, operands, as, data);
    if (FP_UNLIKELY(k <= 0)) {
        return k == 0 ? 0 : fp_map_any(call, map, operands);
    }
    if (FP_LIKELY(count < FP_LITTLE || fp_work(count, map->cost) < FP_LONG)) {
        map->inner(data, count);
    }
    else {
        fp_map_long(call, map, data, count);
    }
    fp_forget_reused(map, operands);
    return 1;
}

#endif

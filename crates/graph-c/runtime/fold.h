/* Folds: reductions over any axes.
 *
 * The memory layout decides whether elements are folded along a run into one state (`fold`), or
 * into a row of states, one for each result (`fold_each`). Large folds are divided into pieces of a
 * fixed size, whose states are joined in order: the result is therefore independent of the number
 * of threads, and a sum of many numbers has a smaller error. */
#ifndef FP_FOLD
#define FP_FOLD

#include "map.h"

enum {
    FP_PIECE = 1 << 16,      /* elements that are folded into one state */
    FP_FEW = 16,             /* contiguous results or elements for which a row of states does not pay */
    FP_SHORT_RUN = 512,      /* the longest runs for whose elements a row of states pays */
    FP_STATE = 1024,         /* limit on the bytes of one state */
    FP_STATES = 1 << 14      /* bytes of a row of states, which stay in the first cache */
};

typedef struct {
    const fp_fold *fold;
    fp_nest *nest;       /* operands: inputs, then outputs; axes: the remaining ones, then the folded ones */
    int border;          /* the first folded axis */
    fp_walk walk;        /* through the folded axes, and with `each` the innermost remaining one */
    fp_walk rest;        /* of the last row of states, which may be shorter */
    fp_size results, count; /* the number of results, and of elements for each */
    fp_size pieces, piece;  /* of the elements of a result */
    fp_size group;       /* results that are computed together; with `each` in a row */
    fp_size rows;        /* with `each`: contiguous rows of states */
    fp_size width;       /* with `each`: contiguous results; else the length of runs that are folded
                            element by element into a row of states, or 0 */
    int one_run;         /* the elements of a result are contiguous */
    char *states;        /* of all pieces, if there are several */
} fp_fold_job;

/* ---- Results ------------------------------------------------------------------------------------- */

static void
fp_finish_fold(fp_fold_job *job, char *const *at, const char *state)
{
    job->fold->end(at + job->fold->inputs, state, job->count);
}

/* The same state n times. */
static void
fp_begin_states(const fp_fold *fold, char *states, fp_size n)
{
    fp_size done = fold->state, all = fold->state * n;
    fold->begin(states);
    while (done < all) {
        fp_size more = done < all - done ? done : all - done;
        memcpy(states + done, states, (size_t)more);
        done += more;
    }
}

/* ---- Into rows of states -------------------------------------------------------------------------- */

typedef struct {
    const fp_fold *fold;
    char *states;
    fp_size width, column, row;
} fp_each_visitor;

static void
fp_visit_each(void *visitor, char *const *p, fp_size n)
{
    fp_each_visitor *v = (fp_each_visitor *)visitor;
    v->fold->fold_each(v->states + v->column * v->fold->state, p, NULL, n, v->row, 1);
    v->column += n;
    if (v->column == v->width) {
        v->column = 0;
        v->row++;
    }
}

/* The same for one folded axis and contiguous rows: `left` rows from the visitor's on. */
static void
fp_fold_plain_rows(const fp_fold_job *job, char **at, const fp_each_visitor *v, fp_size left)
{
    const fp_nest *nest = job->nest;
    fp_size steps[FP_OPERANDS];
    int k, axis = job->border;
    for (k = 0; k < job->fold->inputs; k++) {
        steps[k] = nest->strides[k][axis];
        at[k] += v->row * steps[k];
    }
    job->fold->fold_each(v->states, at, steps, v->width, v->row, left);
}

/* Folds runs into a row of states, one for each of their elements, and joins these: runs are too
 * short to be folded well one by one. `first` and `count` are those of elements of whole runs. */
static void
fp_fold_runs_together(const fp_fold_job *job, char *const *at, fp_size first, fp_size count, char *state)
{
    const fp_fold *fold = job->fold;
    fp_size i, n, half;
    fp_each_visitor visitor;
    __attribute__((aligned(64))) char states[FP_STATES];
    visitor.fold = fold;
    visitor.states = states;
    visitor.width = job->width;
    visitor.column = 0;
    visitor.row = first / job->width;
    fp_begin_states(fold, states, job->width);
    if (job->walk.packs == 0 && job->nest->ndim == job->border + 2) {
        char *row[FP_OPERANDS];
        memcpy(row, at, sizeof(row[0]) * (size_t)fold->inputs);
        fp_fold_plain_rows(job, row, &visitor, count / job->width);
    }
    else {
        fp_walk_some(&job->walk, at, first, count, fp_visit_each, &visitor);
    }
    for (n = job->width; n > 1; n = half) {
        half = (n + 1) / 2;
        for (i = half; i < n; i++) {
            fold->join(states + (i - half) * fold->state, states + i * fold->state);
        }
    }
    memcpy(state, states, (size_t)fold->state);
}

/* ---- Along a run ---------------------------------------------------------------------------------- */

typedef struct {
    const fp_fold *fold;
    char *state;
    fp_size first;
} fp_fold_visitor;

static void
fp_visit_fold(void *visitor, char *const *p, fp_size n)
{
    fp_fold_visitor *v = (fp_fold_visitor *)visitor;
    v->fold->fold(v->state, p, n, v->first);
    v->first += n;
}

/* Folds a piece of the result with the operands at `at`. */
static void
fp_fold_piece(const fp_fold_job *job, char *const *at, fp_size piece, char *state)
{
    fp_size first = piece * job->piece, left = job->count - first;
    fp_fold_visitor visitor;
    left = left < job->piece ? left : job->piece;
    if (job->width > 0) {
        fp_fold_runs_together(job, at, first, left, state);
        return;
    }
    visitor.fold = job->fold;
    visitor.state = state;
    visitor.first = first;
    job->fold->begin(state);
    if (job->one_run && piece == 0) {
        job->fold->fold(state, at, left, 0);
        return;
    }
    fp_walk_some(&job->walk, at, first, left, fp_visit_fold, &visitor);
}

/* Some results; or one piece of one result, if results are divided. */
static void
fp_fold_part(void *argument, fp_size part, int worker)
{
    fp_fold_job *job = (fp_fold_job *)argument;
    const fp_nest *nest = job->nest;
    fp_size index[FP_AXES], result = part / job->pieces * job->group, last = result + job->group;
    char *at[FP_OPERANDS];
    __attribute__((aligned(64))) char state[FP_STATE];
    (void)worker;
    fp_locate(nest, nest->count, 0, job->border, nest->data, result, index, at);
    if (job->pieces > 1) {
        fp_fold_piece(job, at, part % job->pieces, job->states + part * job->fold->state);
        return;
    }
    last = last < job->results ? last : job->results;
    for (; result < last; result++) {
        fp_fold_piece(job, at, 0, state);
        fp_finish_fold(job, at, state);
        fp_advance(nest, nest->count, 0, job->border - 1, index, at);
    }
}

/* Joins the pieces of each result. */
static void
fp_join_pieces(fp_fold_job *job)
{
    const fp_nest *nest = job->nest;
    fp_size index[FP_AXES], result, piece, size = job->fold->state;
    char *at[FP_OPERANDS], *state = job->states;
    fp_locate(nest, nest->count, 0, job->border, nest->data, 0, index, at);
    for (result = 0; result < job->results; result++) {
        for (piece = 1; piece < job->pieces; piece++) {
            job->fold->join(state, state + piece * size);
        }
        fp_finish_fold(job, at, state);
        state += job->pieces * size;
        fp_advance(nest, nest->count, 0, job->border - 1, index, at);
    }
}

/* ---- Rows of results ------------------------------------------------------------------------------ */

/* The beginning of a row of states: operands at the first of its results; returns the number of
 * results. */
static fp_size
fp_locate_row(const fp_fold_job *job, fp_size row, char **at)
{
    const fp_nest *nest = job->nest;
    fp_size index[FP_AXES], column = row % job->rows * job->group;
    int k, last = nest->ndim - 1;
    fp_locate(nest, nest->count, 0, job->border, nest->data, row / job->rows, index, at);
    for (k = 0; k < nest->count; k++) {
        at[k] += column * nest->strides[k][last];
    }
    return job->width - column < job->group ? job->width - column : job->group;
}

static void
fp_finish_fold_row(fp_fold_job *job, char **at, const char *states, fp_size width)
{
    const fp_nest *nest = job->nest;
    fp_size i;
    int k, last = nest->ndim - 1;
    for (i = 0; i < width; i++) {
        fp_finish_fold(job, at, states + i * job->fold->state);
        for (k = job->fold->inputs; k < nest->count; k++) {
            at[k] += nest->strides[k][last];
        }
    }
}

static void
fp_each_part(void *argument, fp_size part, int worker)
{
    fp_fold_job *job = (fp_fold_job *)argument;
    fp_size row = part / job->pieces, piece = part % job->pieces, width, left;
    fp_each_visitor visitor;
    char *at[FP_OPERANDS];
    __attribute__((aligned(64))) char states[FP_STATES];
    (void)worker;
    width = fp_locate_row(job, row, at);
    visitor.fold = job->fold;
    visitor.states = job->pieces > 1 ? job->states + part * job->group * job->fold->state : states;
    visitor.width = width;
    visitor.column = 0;
    visitor.row = piece * job->piece;
    left = job->count - visitor.row;
    left = left < job->piece ? left : job->piece;
    fp_begin_states(job->fold, visitor.states, width);
    if (job->walk.packs == 0 && job->nest->ndim == job->border + 2) {
        fp_fold_plain_rows(job, at, &visitor, left);
    }
    else {
        fp_walk_some(width == job->group ? &job->walk : &job->rest, at, visitor.row * width, left * width,
                     fp_visit_each, &visitor);
    }
    if (job->pieces == 1) {
        fp_finish_fold_row(job, at, states, width);
    }
}

static void
fp_join_rows(fp_fold_job *job, fp_size all)
{
    fp_size row, piece, i, size = job->fold->state;
    char *at[FP_OPERANDS], *states = job->states;
    for (row = 0; row < all; row++) {
        fp_size width = fp_locate_row(job, row, at);
        for (piece = 1; piece < job->pieces; piece++) {
            for (i = 0; i < width; i++) {
                job->fold->join(states + i * size, states + (piece * job->group + i) * size);
            }
        }
        fp_finish_fold_row(job, at, states, width);
        states += job->pieces * job->group * size;
    }
}

/* ---- Folds ----------------------------------------------------------------------------------------- */

/* Sets an output's shape, memory and strides; the nest's axes are still those of the inputs. */
static int
fp_make_folded(fp_call *call, const fp_fold *fold, const fp_nest *nest, int k, const unsigned char *order,
               void *const *operands)
{
    const fp_operand operand = fold->operands[k];
    fp_view *view = (fp_view *)operands[k];
    fp_size shape[FP_AXES];
    unsigned char kept[FP_AXES], place[FP_AXES];
    int axis, ndim = 0, at = 0;
    if (operand.ndim == 0) {
        return 1;
    }
    for (axis = 0; axis < nest->ndim; axis++) {
        place[axis] = (unsigned char)ndim;
        if (fold->keep || !(fold->axes >> axis & 1)) {
            shape[ndim++] = fold->axes >> axis & 1 ? 1 : nest->shape[axis];
        }
    }
    for (axis = 0; axis < nest->ndim; axis++) {
        if (fold->keep || !(fold->axes >> order[axis] & 1)) {
            kept[at++] = place[order[axis]];
        }
    }
    if (operand.home == FP_CALLER) {
        if (memcmp(view->dims, shape, sizeof(shape[0]) * (size_t)ndim) != 0) {
            char a[160], b[160];
            return fp_failed(call, fold->node, "shape", fold->outputs, fold->inputs, fold->operands, operands,
                             "a result of shape %s cannot be written to an array of shape %s",
                             fp_write_shape(a, sizeof(a), ndim, shape),
                             fp_write_shape(b, sizeof(b), ndim, view->dims));
        }
        return 1;
    }
    memcpy(view->dims, shape, sizeof(shape[0]) * (size_t)ndim);
    fp_dense_strides(ndim, shape, kept, fp_sizes[operand.type], view->dims + ndim);
    return fp_make_strided(call, fold->node, operand, view);
}

/* An output among the nest's operands: its stride is 0 along folded axes. */
static void
fp_place_folded(const fp_fold *fold, fp_nest *nest, int at, int k, void *const *operands)
{
    int axis, own = 0, ndim = fold->operands[k].ndim;
    const fp_size *strides = ndim == 0 ? NULL : fp_shape(operands[k]) + ndim;
    nest->size[at] = fp_sizes[fold->operands[k].type];
    nest->data[at] = ndim == 0 ? (char *)operands[k] : fp_data(operands[k]);
    for (axis = 0; axis < nest->ndim; axis++) {
        int folded = fold->axes >> axis & 1;
        nest->strides[at][axis] = folded || nest->shape[axis] == 1 ? 0 : strides[own];
        own += fold->keep || !folded;
    }
}

/* Whether a row of states is faster: memory is contiguous along a remaining axis, or little is
 * folded. */
static int
fp_wants_rows(const fp_fold_job *job)
{
    const fp_nest *nest = job->nest;
    int k, votes = 0, stays = job->border - 1, folded = nest->ndim - 1;
    if (job->fold->fold_each == NULL || stays < 0 || nest->shape[stays] < FP_FEW
        || job->fold->state * FP_FEW > FP_STATES) {
        return 0;
    }
    if (folded < job->border || job->count < FP_FEW) {
        return 1;
    }
    for (k = 0; k < job->fold->inputs; k++) {
        fp_size one = fp_magnitude(nest->strides[k][stays]), other = fp_magnitude(nest->strides[k][folded]);
        votes += one == 0 || other == 0 || one == other ? 0 : one < other ? 1 : -1;
    }
    return votes > 0;
}

/* Moves the innermost remaining axis after the folded ones. */
static void
fp_put_last(fp_nest *nest, int axis)
{
    unsigned char order[FP_AXES];
    int k;
    for (k = 0; k < nest->ndim; k++) {
        order[k] = (unsigned char)(k < axis ? k : k + 1 < nest->ndim ? k + 1 : axis);
    }
    fp_reorder(nest, order);
}

static int
fp_fold_all(fp_call *call, fp_fold_job *job, fp_size parts, fp_size states, fp_part part, double work)
{
    int left;
    if (job->pieces > 1) {
        job->states = fp_take(call, states * job->fold->state);
        if (job->states == NULL) {
            return 0;
        }
    }
    left = fp_leave(call, work);
    fp_share_out(part, job, parts, fp_team_for(work, parts));
    fp_enter(call, left);
    return 1;
}

/* The length of runs, if several short ones are folded together; else 0. */
static fp_size
fp_find_short_runs(const fp_fold_job *job)
{
    int last = job->nest->ndim - 1;
    fp_size width = last > job->border ? job->nest->shape[last] : 0;
    return job->fold->fold_each != NULL && !job->fold->ordered && width >= FP_FEW && width <= FP_SHORT_RUN
            && width * job->fold->state <= FP_STATES && job->count >= 4 * width
        ? width
        : 0;
}

static int
fp_fold_runs(fp_call *call, fp_fold_job *job, double work)
{
    job->width = fp_find_short_runs(job);
    fp_plan_walk(&job->walk, job->nest, job->border, job->fold->inputs, 0, job->width == 0);
    job->one_run = job->walk.packs == 0 && job->nest->ndim == job->border + 1;
    job->piece = job->width == 0 ? FP_PIECE : FP_PIECE - FP_PIECE % job->width;
    job->pieces = job->count <= job->piece ? 1 : (job->count + job->piece - 1) / job->piece;
    job->group = job->pieces > 1 || job->count >= FP_PIECE ? 1 : FP_PIECE / (job->count + 1);
    if (!fp_fold_all(call, job, (job->results + job->group - 1) / job->group * job->pieces,
                     job->results * job->pieces, fp_fold_part, work)) {
        return 0;
    }
    if (job->pieces > 1) {
        fp_join_pieces(job);
    }
    return 1;
}

static int
fp_fold_rows(fp_call *call, fp_fold_job *job, double work)
{
    fp_nest rest;
    fp_size rows, most = FP_STATES / job->fold->state;
    int last = job->nest->ndim - 1;
    job->border--;
    fp_put_last(job->nest, job->border);
    job->width = job->nest->shape[last];
    job->group = job->width < most ? job->width : most;
    job->rows = (job->width + job->group - 1) / job->group;
    job->piece = FP_PIECE / job->group;
    job->piece = job->piece < 256 ? 256 : job->piece;
    job->pieces = job->count <= job->piece ? 1 : (job->count + job->piece - 1) / job->piece;
    rows = job->results / job->width * job->rows;
    if (job->width % job->group != 0) {
        rest = *job->nest;
        rest.shape[last] = job->width % job->group;
        fp_plan_walk(&job->rest, &rest, job->border, job->fold->inputs, 0, 0);
    }
    job->nest->shape[last] = job->group;
    fp_plan_walk(&job->walk, job->nest, job->border, job->fold->inputs, 0, 0);
    if (!fp_fold_all(call, job, rows * job->pieces, rows * job->pieces * job->group, fp_each_part, work)) {
        return 0;
    }
    if (job->pieces > 1) {
        fp_join_rows(job, rows);
    }
    return 1;
}

static __attribute__((noinline)) int
fp_fold_any(fp_call *call, const fp_fold *fold, void *const *operands)
{
    fp_nest nest;
    fp_fold_job job;
    unsigned char order[FP_AXES], all[FP_AXES];
    int k, axis, at, done, inputs = fold->inputs;
    double work;
    if (!fp_broadcast(call, fold->node, &nest, fold->ndim, fold->outputs, fold->outputs + inputs,
                      fold->outputs, fold->operands, operands)) {
        return 0;
    }
    nest.count = inputs + fold->outputs;
    job.fold = fold;
    job.nest = &nest;
    job.results = job.count = 1;
    job.states = NULL;
    for (k = 0; k < inputs; k++) {
        fp_place(&nest, k, fold->operands[fold->outputs + k], operands[fold->outputs + k]);
    }
    fp_find_order(&nest, 0, inputs, 0, nest.ndim, order);
    for (k = 0; k < fold->outputs; k++) {
        if (!fp_make_folded(call, fold, &nest, k, order, operands)) {
            return 0;
        }
        fp_place_folded(fold, &nest, inputs + k, k, operands);
    }
    at = 0;
    for (axis = 0; axis < nest.ndim; axis++) {
        if (!(fold->axes >> order[axis] & 1)) {
            job.results *= nest.shape[order[axis]];
            all[at++] = order[axis];
        }
    }
    job.border = at;
    for (axis = 0; axis < nest.ndim; axis++) {
        int one = fold->ordered ? axis : order[axis];
        if (fold->axes >> one & 1) {
            job.count *= nest.shape[one];
            all[at++] = (unsigned char)one;
        }
    }
    /* As in NumPy, an error even without results. */
    if (job.count == 0 && fold->no_identity != NULL) {
        return fp_failed(call, fold->node, "value", fold->outputs, inputs, fold->operands, operands,
                         "zero-size array to reduction operation %s which has no identity", fold->no_identity);
    }
    if (job.results == 0) {
        return 1;
    }
    fp_reorder(&nest, all);
    axis = job.border;
    job.border = fp_join(&nest, 0, axis, 0);
    nest.ndim = fp_join(&nest, axis, nest.ndim, job.border);
    work = fp_work(job.results * job.count, fold->cost) + (double)job.results;
    done = fp_wants_rows(&job) ? fp_fold_rows(call, &job, work) : fp_fold_runs(call, &job, work);
    fp_drop(call, job.states);
    if (!done) {
        return fp_failed(call, fold->node, "memory", fold->outputs, inputs, fold->operands, operands,
                         "no memory for the parts of a reduction");
    }
    return 1;
}

/* Folds of contiguous inputs to a single value are handled here, all others by the code above. */
static int
fp_run_fold(fp_call *call, const fp_fold *fold, void *const *operands)
{
    __attribute__((aligned(64))) char state[FP_STATE];
    char *p[FP_OPERANDS];
    const fp_size *as = NULL;
    fp_size count;
    int k;
    for (k = 0; k < fold->outputs; k++) {
        if (fold->operands[k].ndim != 0) {
            return fp_fold_any(call, fold, operands);
        }
    }
    for (k = 0; k < fold->inputs; k++) {
        const fp_operand operand = fold->operands[fold->outputs + k];
        void *value = operands[fold->outputs + k];
        p[k] = (char *)value;
        if (operand.ndim == 0) {
            continue;
        }
        as = as == NULL ? fp_shape(value) : as;
        if (operand.ndim != fold->ndim || !fp_lies_alike(fp_shape(value), as, fold->ndim, fp_sizes[operand.type])) {
            return fp_fold_any(call, fold, operands);
        }
        p[k] = fp_data(value);
    }
    count = as == NULL ? 0 : fp_count(fold->ndim, as, 1);
    if (count == 0 || count > FP_PIECE || fp_work(count, fold->cost) >= FP_LONG) {
        return fp_fold_any(call, fold, operands);
    }
    fold->begin(state);
    fold->fold(state, p, count, 0);
    fold->end((char *const *)operands, state, count);
    return 1;
}

#endif

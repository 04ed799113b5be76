/* Elements by indices, and elements where a mask is true. */
#ifndef FP_INDEXING
#define FP_INDEXING

#include "copy.h"
#include "threads.h"

/* Appends sizes to a shape. */
static int
fp_append_sizes(fp_size *shape, int ndim, const fp_size *sizes, int count)
{
    memcpy(shape + ndim, sizes, sizeof(shape[0]) * (size_t)count);
    return ndim + count;
}

/* Allocates an output with a shape in C order; for rank 0, it has memory already. */
static int
fp_make_shaped(fp_call *call, int node, fp_operand operand, void *value, const fp_size *shape, char **data,
               fp_size *strides)
{
    fp_view *view = (fp_view *)value;
    *data = (char *)value;
    if (operand.ndim == 0) {
        return 1;
    }
    memcpy(view->dims, shape, sizeof(shape[0]) * operand.ndim);
    if (!fp_make(call, node, operand, view)) {
        return 0;
    }
    *data = view->data;
    memcpy(strides, view->dims + operand.ndim, sizeof(strides[0]) * operand.ndim);
    return 1;
}

/* ---- Indices -------------------------------------------------------------------------------------- */

/* Copies n elements of x, `stride` apart, with the indices in `index` (its values are `step`
 * apart). */
#define FP_DEFINE_PICK(SIZE)                                                                    \
    static void fp_pick_##SIZE(char *to, const char *x, fp_size size, fp_size stride,           \
                               const char *index, fp_size step, fp_size n)                      \
    {                                                                                           \
        const int64_t *indices = (const int64_t *)(const void *)index;                          \
        fp_size k;                                                                              \
        /* The usual strides are constants. */                                                  \
        if (stride == SIZE && step == (fp_size)sizeof(int64_t)) {                               \
            for (k = 0; k < n; k++) {                                                           \
                int64_t i = indices[k];                                                         \
                memcpy(to + k * SIZE, x + (i < 0 ? i + size : i) * SIZE, SIZE);                 \
            }                                                                                   \
            return;                                                                             \
        }                                                                                       \
        for (k = 0; k < n; k++, index += step) {                                                \
            int64_t i = *(const int64_t *)(const void *)index;                                  \
            memcpy(to + k * SIZE, x + (i < 0 ? i + size : i) * stride, SIZE);                   \
        }                                                                                       \
    }
FP_DEFINE_PICK(1)
FP_DEFINE_PICK(2)
FP_DEFINE_PICK(4)
FP_DEFINE_PICK(8)
FP_DEFINE_PICK(16)

typedef struct {
    fp_nest outer, index, inner; /* of out and x; of the indices alone; of out and x */
    fp_size size, along, stride, step; /* element; axis; steps between indices, results */
    fp_size inner_count;
} fp_taking;

/* The indices from `first` on for one position of the outer axes: `n` along their last axis, and all along the others. */
static void
fp_take_some(const fp_taking *t, char *to, const char *x, char *first, fp_size n)
{
    const fp_nest *nest = &t->index;
    fp_size index[FP_AXES], inner[FP_AXES], rows = 1, k, row, left;
    char *at[1], *pair[2], *places[2];
    int axis, last = nest->ndim - 1, in = t->inner.ndim - 1;
    for (axis = 0; axis < last; axis++) {
        rows *= nest->shape[axis];
    }
    fp_locate(nest, 1, 0, last, &first, 0, index, at);
    for (row = 0; row < rows; row++) {
        fp_size step = last < 0 ? 0 : nest->strides[0][last];
        if (t->inner_count == 1) {
            switch (t->size) {
            case 1: fp_pick_1(to, x, t->along, t->stride, at[0], step, n); break;
            case 2: fp_pick_2(to, x, t->along, t->stride, at[0], step, n); break;
            case 4: fp_pick_4(to, x, t->along, t->stride, at[0], step, n); break;
            case 8: fp_pick_8(to, x, t->along, t->stride, at[0], step, n); break;
            default: fp_pick_16(to, x, t->along, t->stride, at[0], step, n); break;
            }
            to += n * t->size;
        }
        for (k = 0; k < n && t->inner_count > 1; k++, to += t->step) {
            int64_t i = *(const int64_t *)(const void *)(at[0] + k * step);
            pair[0] = to;
            pair[1] = (char *)(size_t)x + (i < 0 ? i + t->along : i) * t->stride;
            fp_locate(&t->inner, 2, 0, in, pair, 0, inner, places);
            for (left = t->inner_count / t->inner.shape[in]; left > 0; left--) {
                fp_move(places[0], places[1], t->inner.shape[in], t->inner.strides[0][in],
                        t->inner.strides[1][in], t->size);
                fp_advance(&t->inner, 2, 0, in - 1, inner, places);
            }
        }
        fp_advance(nest, 1, 0, last - 1, index, at);
    }
}

typedef struct {
    const fp_taking *taking;
    char *data[2]; /* of out and x */
    fp_size rows, n; /* positions of the outer axes; indices along their last axis */
    fp_size share;   /* the rows of a part, or its indices if there is one row */
} fp_take_job;

static void
fp_take_part(void *argument, fp_size part, int worker)
{
    const fp_take_job *job = (const fp_take_job *)argument;
    const fp_taking *t = job->taking;
    const fp_nest *outer = &t->outer;
    fp_size first = part * job->share, left = (job->rows > 1 ? job->rows : job->n) - first, index[FP_AXES];
    char *at[2], *from = t->index.data[0];
    (void)worker;
    left = left < job->share ? left : job->share;
    if (job->rows == 1) {
        fp_size step = t->index.ndim == 0 ? 0 : t->index.strides[0][t->index.ndim - 1];
        fp_take_some(t, job->data[0] + first * t->step, job->data[1], from + first * step, left);
        return;
    }
    fp_locate(outer, 2, 0, outer->ndim, job->data, first, index, at);
    for (; left > 0; left--) {
        fp_take_some(t, at[0], at[1], from, job->n);
        fp_advance(outer, 2, 0, outer->ndim - 1, index, at);
    }
}

/* Takes all elements, on several threads if that pays. */
static void
fp_take_all(fp_call *call, const fp_taking *t, char *const *data, fp_size count)
{
    const fp_nest *index = &t->index;
    double work = fp_work(count, 16);
    fp_size lines;
    int left = fp_leave(call, work), threads;
    fp_take_job job;
    job.taking = t;
    job.data[0] = data[0];
    job.data[1] = data[1];
    job.rows = fp_count(t->outer.ndim, t->outer.shape, 1);
    job.n = index->ndim == 0 ? 1 : index->shape[index->ndim - 1];
    lines = job.rows > 1 ? job.rows : job.n;
    threads = job.rows > 1 || index->ndim <= 1 ? fp_team_for(work, lines) : 1;
    /* Several parts per thread. */
    job.share = threads > 1 ? lines / (8 * threads) + 1 : lines;
    fp_share_out(fp_take_part, &job, (lines + job.share - 1) / job.share, threads);
    fp_enter(call, left);
}

/* True if one of n indices, `step` apart, is out of range. No branch for each: compilers test several at once, six times
 * as fast with the vectors of AVX2, since SSE2 cannot compare 64 bits. */
FP_CLONES static int
fp_is_outside(const char *index, fp_size step, fp_size n, fp_size along)
{
    uint64_t half = (uint64_t)along, wrong = 0;
    fp_size k;
    if (step == (fp_size)sizeof(int64_t)) {
        const int64_t *indices = (const int64_t *)(const void *)index;
        for (k = 0; k < n; k++) {
            wrong |= (uint64_t)((uint64_t)indices[k] + half >= 2 * half);
        }
    } else {
        for (k = 0; k < n; k++, index += step) {
            wrong |= (uint64_t)((uint64_t) * (const int64_t *)(const void *)index + half >= 2 * half);
        }
    }
    return wrong != 0;
}

/* True if an index is out of range; `found` is the first of these. */
static int
fp_find_outside(const fp_nest *nest, fp_size along, int64_t *found)
{
    int last = nest->ndim - 1;
    fp_size index[FP_AXES], n = last < 0 ? 1 : nest->shape[last], step = last < 0 ? 0 : nest->strides[0][last];
    fp_size rows = n == 0 ? 0 : fp_count(nest->ndim, nest->shape, 1) / n;
    char *at[1];
    fp_locate(nest, 1, 0, last, nest->data, 0, index, at);
    for (; rows > 0; rows--) {
        if (fp_is_outside(at[0], step, n, along)) {
            for (;; at[0] += step) {
                *found = *(const int64_t *)(const void *)at[0];
                if (*found < -along || *found >= along) {
                    return 1;
                }
            }
        }
        fp_advance(nest, 1, 0, last - 1, index, at);
    }
    return 0;
}

/* The nest of a step's indices, the last input: each must be in the range of the axis. */
static int
fp_check_indices(fp_call *call, int node, int axis, int inputs, const fp_operand *kinds, void *const *operands,
                 fp_nest *nest)
{
    const fp_size along = fp_shape(operands[1])[axis];
    int64_t outside;
    nest->ndim = kinds[inputs].ndim;
    nest->count = 1;
    fp_append_sizes(nest->shape, 0, fp_shape(operands[inputs]), nest->ndim);
    fp_place(nest, 0, kinds[inputs], operands[inputs]);
    if (fp_find_outside(nest, along, &outside)) {
        return fp_failed(call, node, "index", 1, inputs, kinds, operands,
                         "index %lld is out of bounds for axis %d with size %lld", (long long)outside, axis,
                         (long long)along);
    }
    return 1;
}

/* A nest of some axes of out and x. */
static void
fp_nest_pair(fp_nest *nest, int count, const fp_size *shape, const fp_size *to, const fp_size *from)
{
    nest->ndim = count;
    nest->count = 2;
    memcpy(nest->shape, shape, sizeof(shape[0]) * (size_t)count);
    memcpy(nest->strides[0], to, sizeof(shape[0]) * (size_t)count);
    memcpy(nest->strides[1], from, sizeof(shape[0]) * (size_t)count);
    nest->ndim = fp_join(nest, 0, count, 0);
}

static int
fp_run_take(fp_call *call, int node, int axis, const fp_operand *kinds, void *const *operands)
{
    fp_taking t;
    const fp_view *x = (const fp_view *)operands[1];
    int ndim = kinds[1].ndim, ranks = kinds[2].ndim, rank;
    const fp_size *strides = x->dims + ndim;
    fp_size shape[2 * FP_AXES], made[FP_AXES] = {0}, count;
    char *data[2];
    t.along = x->dims[axis];
    t.stride = strides[axis];
    t.size = fp_sizes[kinds[1].type];
    if (!fp_check_indices(call, node, axis, 2, kinds, operands, &t.index)) {
        return 0;
    }
    rank = fp_append_sizes(shape, 0, x->dims, axis);
    rank = fp_append_sizes(shape, rank, t.index.shape, ranks);
    rank = fp_append_sizes(shape, rank, x->dims + axis + 1, ndim - axis - 1);
    if (rank != kinds[0].ndim) {
        return fp_failed(call, node, "shape", 1, 2, kinds, operands, "a result would have %d dimensions", rank);
    }
    if (!fp_make_shaped(call, node, kinds[0], operands[0], shape, &data[0], made)) {
        return 0;
    }
    count = fp_count(rank, shape, 1);
    if (count == 0) {
        return 1;
    }
    data[1] = x->data;
    fp_nest_pair(&t.outer, axis, x->dims, made, strides);
    fp_nest_pair(&t.inner, ndim - axis - 1, x->dims + axis + 1, made + axis + ranks, strides + axis + 1);
    t.index.ndim = fp_join(&t.index, 0, ranks, 0);
    t.inner_count = fp_count(t.inner.ndim, t.inner.shape, 1);
    t.step = t.inner_count * t.size;
    fp_take_all(call, &t, data, count);
    return 1;
}

/* ---- Masks ----------------------------------------------------------------------------------------- */

/* The number of true elements. */
static fp_size
fp_count_true(const fp_nest *nest)
{
    fp_size index[FP_AXES], left = fp_count(nest->ndim, nest->shape, 1), count = 0;
    char *at[2];
    fp_locate(nest, 2, 0, nest->ndim, nest->data, 0, index, at);
    for (; left > 0; left--) {
        count += *at[0] != 0;
        fp_advance(nest, 2, 0, nest->ndim - 1, index, at);
    }
    return count;
}

/* Whether a mask has the first axes of x; both are operands of a step with one output. */
static int
fp_check_mask(fp_call *call, int node, int inputs, const fp_operand *kinds, void *const *operands)
{
    const fp_view *x = (const fp_view *)operands[1], *mask = (const fp_view *)operands[inputs];
    int axis;
    for (axis = 0; axis < kinds[inputs].ndim; axis++) {
        if (x->dims[axis] != mask->dims[axis]) {
            return fp_failed(call, node, "index", 1, inputs, kinds, operands,
                             "boolean index did not match indexed array along axis %d; size of axis is %lld but "
                             "size of corresponding boolean axis is %lld",
                             axis, (long long)x->dims[axis], (long long)mask->dims[axis]);
        }
    }
    return 1;
}

static int
fp_run_mask(fp_call *call, int node, const fp_operand *kinds, void *const *operands)
{
    fp_nest outer, inner; /* of mask and x; of out and x */
    const fp_view *x = (const fp_view *)operands[1], *mask = (const fp_view *)operands[2];
    int left, ndim = kinds[1].ndim, ranks = kinds[2].ndim, in;
    fp_size shape[FP_AXES + 1], made[FP_AXES] = {0}, index[FP_AXES], places[FP_AXES], size, all, rows, width;
    char *at[2], *pair[2], *here[2], *to;
    if (!fp_check_mask(call, node, 2, kinds, operands)) {
        return 0;
    }
    size = fp_sizes[kinds[1].type];
    fp_nest_pair(&outer, ranks, x->dims, mask->dims + ranks, x->dims + ndim);
    outer.data[0] = mask->data;
    outer.data[1] = x->data;
    all = fp_count(ranks, mask->dims, 1);
    left = fp_leave(call, fp_work(all, 16));
    shape[0] = fp_count_true(&outer);
    fp_enter(call, left);
    fp_append_sizes(shape, 1, x->dims + ranks, ndim - ranks);
    if (!fp_make_shaped(call, node, kinds[0], operands[0], shape, &to, made)) {
        return 0;
    }
    fp_nest_pair(&inner, ndim - ranks, x->dims + ranks, made + 1, x->dims + ndim + ranks);
    width = fp_count(inner.ndim, inner.shape, 1);
    if (shape[0] == 0 || width == 0) {
        return 1;
    }
    in = inner.ndim - 1;
    left = fp_leave(call, fp_work(all + shape[0] * width, 16));
    fp_locate(&outer, 2, 0, outer.ndim, outer.data, 0, index, at);
    for (; all > 0; all--) {
        if (*at[0] != 0) {
            pair[0] = to;
            pair[1] = at[1];
            fp_locate(&inner, 2, 0, in, pair, 0, places, here);
            for (rows = in < 0 ? 1 : width / inner.shape[in]; rows > 0; rows--) {
                fp_move(here[0], here[1], in < 0 ? 1 : inner.shape[in], in < 0 ? size : inner.strides[0][in],
                        in < 0 ? size : inner.strides[1][in], size);
                fp_advance(&inner, 2, 0, in - 1, places, here);
            }
            to += width * size;
        }
        fp_advance(&outer, 2, 0, outer.ndim - 1, index, at);
    }
    fp_enter(call, left);
    return 1;
}

#endif

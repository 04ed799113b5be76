/* Products as defined by numpy.matmul: vectors become rows or columns, whose axis is removed again,
 * and axes before the last two broadcast.
 *
 * BLAS receives operands in place if one of their two axes is contiguous, transposed ones as such;
 * others are packed. If the work is so small that calling BLAS would take longer, the runtime's own
 * loops compute it. */
#ifndef FP_MATMUL
#define FP_MATMUL

#include "blas.h"
#include "copy.h"
#include "product.h"
#include "threads.h"

enum {
    FP_TINY = 16 * 16 * 16, /* multiplications below which BLAS does not pay */
    /* Multiplications up to which OpenBLAS computes a product, or that of a matrix and a vector, on one thread. */
    FP_ONE_THREAD = 64 * 64 * 64,
    FP_ONE_THREAD_OF_VECTOR = 96 * 96
};

typedef struct {
    fp_call *call;
    const fp_matmul *step;
    int blas;               /* the BLAS type of the elements; -1: own loops */
    int tiny;
    fp_size size;           /* of an element */
    fp_size m, n, inner;
    fp_matrix a, b, out;    /* of a batch; data unused */
    const void *alpha, *beta;
    const fp_nest *nest;    /* of the batches: out, a, b */
    fp_size batches, share; /* the number of batches, and of those that are one part of the work */
    char *packed[2];        /* space for copies of a and b, for each thread; NULL: not needed */
    fp_size room[2];        /* the bytes of one such copy */
} fp_matmul_job;

static const double fp_ones[2] = {1, 0};
static const float fp_ones32[2] = {1, 0};

/* The number 1 as an element of a type. */
static void
fp_set_one(int type, void *one)
{
    memset(one, 0, 16);
    if (type == FP_FLOAT64 || type == FP_COMPLEX128) {
        memcpy(one, fp_ones, 8);
    }
    else if (type == FP_FLOAT32 || type == FP_COMPLEX64) {
        memcpy(one, fp_ones32, 4);
    }
    else { /* integers in any byte order */
        const uint8_t one8 = 1;
        const uint16_t one16 = 1;
        const uint32_t one32 = 1;
        const uint64_t one64 = 1;
        switch (fp_sizes[type]) {
        case 1: memcpy(one, &one8, 1); break;
        case 2: memcpy(one, &one16, 2); break;
        case 4: memcpy(one, &one32, 4); break;
        default: memcpy(one, &one64, 8); break;
        }
    }
}

/* ---- One product ----------------------------------------------------------------------------------- */

/* Packs a matrix to C order. */
static void
fp_pack_matrix(fp_matrix *x, fp_size rows, fp_size columns, fp_size size, char *to)
{
    fp_size i;
    for (i = 0; i < rows; i++) {
        fp_gather(to + i * columns * size, x->data + i * x->row, columns, x->column, size);
    }
    x->data = to;
    x->row = columns * size;
    x->column = size;
}

/* Whether BLAS accepts a matrix in place: `plain` or transposed. Strides of single rows or columns
 * are irrelevant, and set to the values that BLAS expects. */
static int
fp_as_factor(fp_matrix x, fp_size rows, fp_size columns, fp_size size, fp_factor *factor)
{
    fp_size row = rows == 1 ? (columns > 1 ? columns : 1) * size : x.row;
    fp_size column = columns == 1 ? (rows > 1 ? rows : 1) * size : x.column;
    factor->data = x.data;
    if ((x.column == size || columns == 1) && row >= columns * size && row % size == 0) {
        factor->transposed = FP_PLAIN;
        factor->lead = row / size;
        return fp_fits_blas(&fp_the_blas, factor->lead);
    }
    if ((x.row == size || rows == 1) && column >= rows * size && column % size == 0) {
        factor->transposed = FP_TRANSPOSED;
        factor->lead = column / size;
        return fp_fits_blas(&fp_the_blas, factor->lead);
    }
    return 0;
}

/* A vector's step in elements; 0: BLAS cannot use it (it reads negative steps from the other end).
 * */
static fp_size
fp_vector_step(fp_size stride, fp_size count, fp_size size)
{
    fp_size step = count == 1 ? 1 : stride / size;
    return (count == 1 || stride % size == 0) && step > 0 && fp_fits_blas(&fp_the_blas, step) ? step : 0;
}

/* A matrix and a vector; 0: not such a product, or an unsuitable layout. */
static int
fp_try_gemv(const fp_matmul_job *job, fp_matrix a, fp_matrix b, fp_matrix out)
{
    fp_factor factor;
    fp_size xstep, ystep, rows = job->m, columns = job->inner;
    const char *x = b.data;
    if (job->n == 1) {
        xstep = fp_vector_step(b.row, job->inner, job->size);
        ystep = fp_vector_step(out.row, job->m, job->size);
        if (!fp_as_factor(a, job->m, job->inner, job->size, &factor)) {
            return 0;
        }
    }
    else if (job->m == 1) { /* x @ b is b.T @ x */
        fp_size swap = b.row;
        b.row = b.column;
        b.column = swap;
        rows = job->n;
        x = a.data;
        xstep = fp_vector_step(a.column, job->inner, job->size);
        ystep = fp_vector_step(out.column, job->n, job->size);
        if (!fp_as_factor(b, job->n, job->inner, job->size, &factor)) {
            return 0;
        }
    }
    else {
        return 0;
    }
    if (xstep == 0 || ystep == 0) {
        return 0;
    }
    /* BLAS takes the matrix's shape before it is transposed. */
    fp_gemv(&fp_the_blas, job->blas, factor.transposed == FP_PLAIN ? rows : columns,
            factor.transposed == FP_PLAIN ? columns : rows, job->alpha, factor, x, xstep, job->beta, out.data,
            ystep);
    return 1;
}

static void
fp_one_product(const fp_matmul_job *job, fp_matrix a, fp_matrix b, fp_matrix out)
{
    fp_factor left, right;
    if (job->blas < 0) {
        if (b.column != job->size && job->n > 1) {
            fp_pack_matrix(&b, job->inner, job->n, job->size, job->packed[1]);
        }
        fp_choose_product(job->step->type, job->tiny)(job->m, job->n, job->inner, job->alpha, &a, &b,
                                                      job->beta, job->step->accumulates, &out);
        return;
    }
    if (fp_try_gemv(job, a, b, out)) {
        return;
    }
    if (!fp_as_factor(a, job->m, job->inner, job->size, &left)) {
        fp_pack_matrix(&a, job->m, job->inner, job->size, job->packed[0]);
        fp_as_factor(a, job->m, job->inner, job->size, &left);
    }
    if (!fp_as_factor(b, job->inner, job->n, job->size, &right)) {
        fp_pack_matrix(&b, job->inner, job->n, job->size, job->packed[1]);
        fp_as_factor(b, job->inner, job->n, job->size, &right);
    }
    fp_gemm(&fp_the_blas, job->blas, job->m, job->n, job->inner, job->alpha, left, right, job->beta, out.data,
            out.row / job->size);
}

/* ---- Shapes ---------------------------------------------------------------------------------------- */

static FP_COLD int
fp_no_product(fp_call *call, const fp_matmul *step, const fp_operand *operands, void *const *values)
{
    char a[160], b[160];
    fp_size one = fp_shape(values[1])[step->a - 1];
    fp_size other = fp_shape(values[2])[step->b == 1 ? 0 : step->b - 2];
    return fp_failed(call, step->node, "shape", 1, 2, operands, values,
                     "shapes %s and %s do not multiply: axis %d of the first is %lld, axis %d of the second %lld",
                     fp_write_shape(a, sizeof(a), step->a, fp_shape(values[1])),
                     fp_write_shape(b, sizeof(b), step->b, fp_shape(values[2])), step->a - 1, (long long)one,
                     step->b == 1 ? 0 : step->b - 2, (long long)other);
}

/* The last two axes of an operand as a matrix; a vector is a row (the first) or a column. */
static fp_matrix
fp_matrix_of(const fp_view *view, int ndim, int first)
{
    const fp_size *strides = view->dims + ndim;
    fp_matrix x;
    x.data = view->data;
    x.row = ndim > 1 ? strides[ndim - 2] : first ? 0 : strides[0];
    x.column = ndim > 1 || first ? strides[ndim - 1] : 0;
    return x;
}

/* The axes before the matrices as a nest of three operands: out, a, b. Sets the result's shape. */
static int
fp_nest_batches(fp_call *call, const fp_matmul *step, const fp_operand *operands, void *const *values,
                fp_nest *nest, fp_size *shape, int *ndim)
{
    int k, axis, batch[3], most;
    batch[1] = step->a > 2 ? step->a - 2 : 0;
    batch[2] = step->b > 2 ? step->b - 2 : 0;
    most = batch[0] = batch[1] > batch[2] ? batch[1] : batch[2];
    nest->ndim = most;
    nest->count = 3;
    for (axis = 0; axis < most; axis++) {
        fp_size sizes[3] = {1, 1, 1};
        for (k = 1; k < 3; k++) {
            int own = axis - (most - batch[k]);
            fp_size size = own < 0 ? 1 : fp_shape(values[k])[own];
            sizes[k] = size;
            nest->strides[k][axis] = size == 1 ? 0 : fp_shape(values[k])[operands[k].ndim + own];
        }
        if (sizes[1] != sizes[2] && sizes[1] != 1 && sizes[2] != 1) {
            char a[160], b[160];
            return fp_failed(call, step->node, "shape", 1, 2, operands, values,
                             "shapes %s and %s do not broadcast ahead of the last two axes: axis %d is %lld in one "
                             "and %lld in the other",
                             fp_write_shape(a, sizeof(a), step->a, fp_shape(values[1])),
                             fp_write_shape(b, sizeof(b), step->b, fp_shape(values[2])), axis,
                             (long long)sizes[1], (long long)sizes[2]);
        }
        nest->shape[axis] = shape[axis] = sizes[1] == 1 ? sizes[2] : sizes[1];
    }
    *ndim = most;
    return 1;
}

/* Allocates the result, or checks that the given one fits; sets its strides. */
static int
fp_make_product(fp_call *call, fp_matmul_job *job, const fp_operand *operands, void *const *values,
                const fp_size *shape, int batches)
{
    fp_view *view = (fp_view *)values[0];
    int axis, ndim = operands[0].ndim, rank1_a = job->step->a == 1, rank1_b = job->step->b == 1;
    fp_size *strides;
    if (ndim == 0) {
        job->out.data = (char *)values[0];
        job->out.row = job->out.column = job->size;
        return 1;
    }
    if (operands[0].home == FP_CALLER) {
        if (memcmp(view->dims, shape, sizeof(shape[0]) * (size_t)ndim) != 0) {
            char a[160], b[160];
            return fp_failed(call, job->step->node, "shape", 1, 2, operands, values,
                             "a product of shape %s cannot be written to an array of shape %s",
                             fp_write_shape(a, sizeof(a), ndim, shape),
                             fp_write_shape(b, sizeof(b), ndim, view->dims));
        }
    }
    else {
        for (axis = 0; axis < ndim; axis++) {
            view->dims[axis] = shape[axis];
        }
        if (!fp_make(call, job->step->node, operands[0], view)) {
            return 0;
        }
    }
    strides = view->dims + ndim;
    job->out.data = view->data;
    job->out.row = rank1_a ? job->n * job->size : strides[batches];
    job->out.column = rank1_b ? job->size : strides[ndim - 1];
    return 1;
}

/* ---- Products -------------------------------------------------------------------------------------- */

/* The number of threads for the batches. BLAS uses threads of its own for each large product. */
static int
fp_team_for_batches(const fp_matmul_job *job, double work)
{
    double one = (double)job->m * (double)job->n * (double)job->inner;
    double most = job->m == 1 || job->n == 1 ? FP_ONE_THREAD_OF_VECTOR : FP_ONE_THREAD;
    return job->blas < 0 || one <= most ? fp_team_for(work, job->batches) : 1;
}

static void
fp_batches_part(void *argument, fp_size part, int worker)
{
    fp_matmul_job job = *(const fp_matmul_job *)argument;
    fp_size index[FP_AXES], batch = part * job.share, end = batch + job.share;
    char *at[3];
    int k;
    for (k = 0; k < 2; k++) {
        job.packed[k] = job.packed[k] == NULL ? NULL : job.packed[k] + worker * job.room[k];
    }
    fp_locate(job.nest, 3, 0, job.nest->ndim, job.nest->data, batch, index, at);
    for (end = end < job.batches ? end : job.batches; batch < end; batch++) {
        fp_matrix a = job.a, b = job.b, out = job.out;
        out.data = at[0];
        a.data = at[1];
        b.data = at[2];
        fp_one_product(&job, a, b, out);
        fp_advance(job.nest, 3, 0, job.nest->ndim - 1, index, at);
    }
}

/* Allocates space for copies of the operands that cannot be used in place, for this many threads. */
static int
fp_make_packed(fp_matmul_job *job, int threads)
{
    fp_factor factor;
    int blas = job->blas >= 0, k;
    const fp_size sizes[2][3] = {{threads, job->m, job->inner}, {threads, job->inner, job->n}};
    const int needed[2] = {
        blas && !fp_as_factor(job->a, job->m, job->inner, job->size, &factor),
        blas ? !fp_as_factor(job->b, job->inner, job->n, job->size, &factor)
             : job->b.column != job->size && job->n > 1,
    };
    for (k = 0; k < 2; k++) {
        if (needed[k]) {
            job->room[k] = fp_count(2, sizes[k] + 1, job->size);
            job->packed[k] = fp_take(job->call, fp_count(3, sizes[k], job->size));
            if (job->packed[k] == NULL) {
                return 0;
            }
        }
    }
    return 1;
}

/* Computes all batches; 0: no memory. */
static int
fp_run_batches(fp_matmul_job *job)
{
    double work = (double)job->batches * (double)job->m * (double)job->n * (double)job->inner * 0.1;
    int threads = fp_team_for_batches(job, work), left, done = fp_make_packed(job, threads);
    if (done) {
        left = fp_leave(job->call, work);
        job->share = threads > 1 ? job->batches / (4 * threads) + 1 : job->batches;
        fp_share_out(fp_batches_part, job, (job->batches + job->share - 1) / job->share, threads);
        fp_enter(job->call, left);
    }
    fp_drop(job->call, job->packed[0]);
    fp_drop(job->call, job->packed[1]);
    return done;
}

static int fp_run_by_copy(fp_call *, const fp_matmul *, const void *, const void *, void *const *);

/* Whether it is a product of two matrices of floats that takes less time than planning one: with a
 * new result, and contiguous rows of b. */
static inline int
fp_is_little_product(const fp_matmul *m, void *const *values)
{
    const fp_size *a, *b;
    if (m->a != 2 || m->b != 2 || m->accumulates || (m->type != FP_FLOAT64 && m->type != FP_FLOAT32)) {
        return 0;
    }
    a = fp_shape(values[1]);
    b = fp_shape(values[2]);
    return a[1] == b[0] && b[3] == fp_sizes[m->type] && a[0] > 0 && a[1] > 0 && b[1] > 0 && a[0] <= FP_TINY
           && a[1] <= FP_TINY && b[1] <= FP_TINY && a[0] * a[1] * b[1] <= FP_TINY;
}

static int
fp_run_little_product(fp_call *call, const fp_matmul *m, const void *alpha, void *const *values)
{
    static const double zero = 0; /* of either type */
    const void *one = m->type == FP_FLOAT64 ? (const void *)fp_ones : (const void *)fp_ones32;
    const fp_view *a = (const fp_view *)values[1], *b = (const fp_view *)values[2];
    fp_view *out = (fp_view *)values[0];
    fp_matrix left, right, result;
    left.data = a->data;
    left.row = a->dims[2];
    left.column = a->dims[3];
    right.data = b->data;
    right.row = b->dims[2];
    right.column = result.column = fp_sizes[m->type];
    out->dims[0] = a->dims[0];
    out->dims[1] = b->dims[1];
    out->dims[2] = result.row = b->dims[1] * result.column;
    out->dims[3] = result.column;
    if (!fp_make_lying(call, m->node, m->type, m->home, 2, out, 1)) {
        return 0;
    }
    result.data = out->data;
    fp_choose_product(m->type, 1)(a->dims[0], b->dims[1], a->dims[1], alpha == NULL ? one : alpha, &left, &right,
                                  &zero, 0, &result);
    return 1;
}

static int
fp_run_matmul(fp_call *call, const fp_matmul *m, const void *alpha, const void *beta, void *const *values)
{
    fp_operand operands[3];
    fp_matmul_job job;
    fp_nest nest;
    fp_size shape[FP_AXES];
    __attribute__((aligned(16))) char one[16], zero[16];
    int k, batches = 0, ndim;
    if (m->home != FP_CALLER && fp_is_little_product(m, values)) {
        return fp_run_little_product(call, m, alpha, values);
    }
    memset(&job, 0, sizeof(job));
    memset(operands, 0, sizeof(operands));
    operands[0].type = operands[1].type = operands[2].type = m->type;
    operands[1].ndim = m->a;
    operands[2].ndim = m->b;
    job.call = call;
    job.step = m;
    job.size = fp_sizes[m->type];
    job.a = fp_matrix_of((const fp_view *)values[1], m->a, 1);
    job.b = fp_matrix_of((const fp_view *)values[2], m->b, 0);
    job.m = m->a == 1 ? 1 : fp_shape(values[1])[m->a - 2];
    job.inner = fp_shape(values[1])[m->a - 1];
    job.n = m->b == 1 ? 1 : fp_shape(values[2])[m->b - 1];
    fp_set_one(m->type, one);
    memset(zero, 0, sizeof(zero));
    job.alpha = alpha == NULL ? one : alpha;
    job.beta = !m->accumulates ? zero : beta == NULL ? one : beta;
    if (job.inner != fp_shape(values[2])[m->b == 1 ? 0 : m->b - 2]) {
        return fp_no_product(call, m, operands, values);
    }
    if (!fp_nest_batches(call, m, operands, values, &nest, shape, &batches)) {
        return 0;
    }
    ndim = batches;
    if (m->a > 1) {
        shape[ndim++] = job.m;
    }
    if (m->b > 1) {
        shape[ndim++] = job.n;
    }
    operands[0].ndim = (unsigned char)ndim;
    operands[0].home = m->home;
    if (!fp_make_product(call, &job, operands, values, shape, batches)) {
        return 0;
    }
    if (job.m == 0 || job.n == 0 || fp_count(batches, shape, 1) == 0) {
        return 1;
    }
    for (k = 0; k < batches; k++) {
        nest.strides[0][k] = shape[k] == 1 ? 0 : fp_shape(values[0])[ndim + k];
    }
    /* Rows must be contiguous, as the loops and BLAS write them. */
    if ((job.n > 1 && job.out.column != job.size)
        || (job.m > 1 && (job.out.row < job.n * job.size || job.out.row % job.size != 0))) {
        return fp_run_by_copy(call, m, job.alpha, job.beta, values);
    }
    if (job.m == 1) {
        job.out.row = job.n * job.size;
    }
    job.tiny = job.m * job.n <= FP_TINY && job.m * job.n * job.inner <= FP_TINY;
    job.blas = job.tiny || job.inner == 0 ? -1 : fp_blas_type(m->type);
    if (job.blas >= 0) {
        const fp_blas *blas = fp_get_blas();
        if (blas->gemm[job.blas] == NULL || !fp_fits_blas(blas, job.m) || !fp_fits_blas(blas, job.n)
            || !fp_fits_blas(blas, job.inner)) {
            job.blas = -1;
        }
    }
    nest.data[0] = job.out.data;
    nest.data[1] = job.a.data;
    nest.data[2] = job.b.data;
    job.nest = &nest;
    job.batches = fp_count(batches, shape, 1);
    return fp_run_batches(&job)
           || fp_failed(call, m->node, "memory", 1, 2, operands, values, "no memory for a packed operand");
}

/* For memory that BLAS or the loops cannot write to: computed in temporary memory and copied. */
static int
fp_run_by_copy(fp_call *call, const fp_matmul *m, const void *alpha, const void *beta, void *const *values)
{
    FP_VIEW(FP_AXES) room;
    fp_view *given = (fp_view *)values[0], *view = (fp_view *)(void *)&room;
    fp_operand operand;
    fp_matmul again = *m;
    void *operands[3];
    int done;
    operand.type = m->type;
    operand.ndim = (unsigned char)((m->a > m->b ? m->a : m->b) - (m->a == 1 || m->b == 1));
    if (m->a > 1 && m->b > 1) {
        operand.ndim = m->a > m->b ? m->a : m->b;
    }
    operand.home = FP_TEMPORARY;
    operand.reuse = 0;
    memcpy(view->dims, given->dims, sizeof(fp_size) * operand.ndim);
    if (!fp_make(call, m->node, operand, view)) {
        return 0;
    }
    again.home = FP_CALLER;
    operands[0] = view;
    operands[1] = values[1];
    operands[2] = values[2];
    done = (!m->accumulates || fp_copy(call, m->node, operand, view, operand.ndim, given))
           && fp_run_matmul(call, &again, alpha, beta, operands)
           && fp_copy(call, m->node, operand, given, operand.ndim, view);
    fp_drop(call, view->data);
    return done;
}

#endif

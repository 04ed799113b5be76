/* Cumulative sums and products. */
#ifndef FP_ACCUMULATE
#define FP_ACCUMULATE

#include "foreign.h"
#include "threads.h"

enum {
    FP_SCAN_LINES = 4,   /* that a loop processes at once */
    FP_SCAN_COLUMNS = 64 /* the minimum that a thread takes at a time: fewer are too short runs of memory */
};

typedef struct {
    fp_scan scan;
    char *out;
    const char *x;
    fp_size rows, n, width, size;
    fp_size share; /* the rows of a part, or its columns if there is one row */
} fp_scan_job;

static void
fp_scan_part(void *argument, fp_size part, int worker)
{
    const fp_scan_job *job = (const fp_scan_job *)argument;
    fp_size all = job->rows > 1 ? job->rows : job->width, first = part * job->share;
    fp_size some = all - first < job->share ? all - first : job->share;
    (void)worker;
    if (job->rows > 1) {
        fp_size bytes = first * job->n * job->width * job->size;
        job->scan(job->out + bytes, job->x + bytes, some, job->n, job->width, 0, job->width);
    }
    else {
        job->scan(job->out, job->x, 1, job->n, job->width, first, first + some);
    }
}

static int
fp_run_accumulate(fp_call *call, int node, int axis, fp_scan scan, const fp_operand *kinds, void *const *operands)
{
    fp_view *out = (fp_view *)operands[0];
    fp_any_view x;
    fp_scan_job job;
    fp_size count, lines, least;
    int left, threads, ndim = kinds[0].ndim;
    double work;
    memcpy(&x, operands[1], fp_view_bytes(ndim));
    if (!fp_pack(call, node, kinds[1], 0, (fp_view *)(void *)&x)) {
        return 0;
    }
    memcpy(out->dims, x.dims, sizeof(x.dims[0]) * (size_t)ndim);
    if (!fp_make(call, node, kinds[0], out)) {
        return 0;
    }
    count = fp_count(ndim, x.dims, 1);
    if (count > 0) {
        job.scan = scan;
        job.out = out->data;
        job.x = x.data;
        job.rows = fp_count(axis, x.dims, 1);
        job.n = x.dims[axis];
        job.width = fp_count(ndim - axis - 1, x.dims + axis + 1, 1);
        job.size = fp_sizes[kinds[0].type];
        work = fp_work(count, 8);
        lines = job.rows > 1 ? job.rows : job.width;
        least = job.rows > 1 ? FP_SCAN_LINES : FP_SCAN_COLUMNS;
        left = fp_leave(call, work);
        threads = fp_team_for(work, (lines + least - 1) / least);
        if (job.rows > 1) {
            job.share = threads > 1 ? FP_SCAN_LINES : lines;
        }
        else { /* one part for each thread, so that they write as few lines of cache of each other as possible */
            job.share = (lines + threads - 1) / threads;
        }
        fp_share_out(fp_scan_part, &job, (lines + job.share - 1) / job.share, threads);
        fp_enter(call, left);
    }
    if (x.data != fp_data(operands[1])) {
        fp_drop(call, x.data);
    }
    return 1;
}

#endif

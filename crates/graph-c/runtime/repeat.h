/* Maps with operands that repeat: one row for all rows, such as a bias, or one value per row. All
 * others have the same layout, in C order.
 *
 * Loops process contiguous elements. Several short rows are one run of a loop, for which repeated
 * operands are expanded. If the graph specifies that there is one value per row, it has a loop that
 * takes it as a scalar. */
#ifndef FP_REPEAT
#define FP_REPEAT

#include "memory.h"
#include "pack.h"
#include "threads.h"

enum {
    FP_LITTLE = 1024,    /* number of elements below which no function is long work */
    FP_RUN = 128,        /* elements of a run with expanded operands */
    FP_A_RUN = 64,       /* rows of fewer elements are combined into runs */
    FP_A_CALL = 16,      /* number of rows for which one call each is acceptable */
    FP_TILES = 1 << 14,  /* limit on the bytes of all expanded operands */
    FP_RUNS = 1 << 14    /* the minimum of elements that a thread takes at a time */
};

typedef enum { FP_GOES_ON, FP_SAME_ROW, FP_SAME_VALUE } fp_repeats;

typedef struct {
    const fp_map *map;
    unsigned char way[FP_OPERANDS]; /* an fp_repeats */
    char *data[FP_OPERANDS];
    fp_size step[FP_OPERANDS]; /* bytes from one row to the next; 0 for a scalar and for a repeated row */
    fp_size tile[FP_OPERANDS]; /* the location of the expanded operand */
    unsigned long long values; /* the operands with one value per row, one bit each */
    fp_size row, rows, share;
} fp_repeat;

static inline fp_size
fp_repeat_size(const fp_repeat *job, int k)
{
    return fp_sizes[job->map->operands[k].type];
}

/* One row after the other, each whole. */
static void
fp_repeat_each(const fp_repeat *job, fp_inner inner, fp_size first, fp_size rows)
{
    const fp_map *map = job->map;
    char *p[FP_OPERANDS];
    int k, all = map->outputs + map->inputs;
    for (k = 0; k < all; k++) {
        p[k] = job->data[k] + first * job->step[k];
    }
    for (; rows > 0; rows--) {
        inner(p, job->row);
        for (k = 0; k < all; k++) {
            p[k] += job->step[k];
        }
    }
}

/* Long rows with one value each, which is expanded for a part of the row at a time. */
static void
fp_repeat_long(const fp_repeat *job, fp_size first, fp_size rows)
{
    const fp_map *map = job->map;
    char *p[FP_OPERANDS];
    int k, all = map->outputs + map->inputs;
    fp_size r, i, n;
    __attribute__((aligned(64))) char tiles[FP_TILES];
    for (r = first; r < first + rows; r++) {
        for (i = 0; i < job->row; i += n) {
            n = job->row - i < FP_RUN ? job->row - i : FP_RUN;
            for (k = 0; k < all; k++) {
                const fp_size size = fp_repeat_size(job, k);
                char *at = job->data[k] + r * job->step[k];
                if (job->way[k] == FP_SAME_VALUE) {
                    p[k] = tiles + job->tile[k];
                    if (i == 0) {
                        fp_gather(p[k], at, n, 0, size);
                    }
                }
                else {
                    p[k] = map->operands[k].ndim == 0 ? at : at + i * size;
                }
            }
            map->inner(p, n);
        }
    }
}

/* Fills memory with repeated bytes. */
static void
fp_repeat_bytes(char *to, const char *from, fp_size bytes, fp_size times)
{
    fp_size done = bytes, all = bytes * times;
    memcpy(to, from, (size_t)bytes);
    for (; done < all; done += bytes) {
        bytes = done < all - done ? done : all - done;
        memcpy(to + done, to, (size_t)bytes);
    }
}

/* Short rows, several at a time. */
static void
fp_repeat_short(const fp_repeat *job, fp_size first, fp_size rows)
{
    const fp_map *map = job->map;
    char *p[FP_OPERANDS];
    int k, all = map->outputs + map->inputs;
    fp_size r, j, m, some = FP_RUN / job->row;
    __attribute__((aligned(64))) char tiles[FP_TILES];
    some = some < rows ? some : rows;
    for (k = 0; k < all; k++) {
        p[k] = job->data[k] + first * job->step[k];
        if (job->way[k] == FP_SAME_ROW) {
            p[k] = tiles + job->tile[k];
            fp_repeat_bytes(p[k], job->data[k], job->row * fp_repeat_size(job, k), some);
        }
    }
    for (r = 0; r < rows; r += m) {
        m = rows - r < some ? rows - r : some;
        for (k = 0; job->values != 0 && k < all; k++) {
            if (job->way[k] == FP_SAME_VALUE) {
                const fp_size size = fp_repeat_size(job, k);
                char *at = job->data[k] + (first + r) * job->step[k];
                p[k] = tiles + job->tile[k];
                for (j = 0; j < m; j++, at += job->step[k]) {
                    fp_gather(p[k] + j * job->row * size, at, job->row, 0, size);
                }
            }
        }
        map->inner(p, m * job->row);
        for (k = 0; k < all; k++) {
            p[k] += job->way[k] == FP_GOES_ON ? m * job->step[k] : 0;
        }
    }
}

static void
fp_repeat_some(const fp_repeat *job, fp_size first, fp_size rows)
{
    const fp_map *map = job->map;
    if (job->values != 0 && job->values == map->columns && job->row >= FP_A_CALL) {
        fp_repeat_each(job, map->each, first, rows);
    }
    else if (job->row < FP_A_RUN) {
        fp_repeat_short(job, first, rows);
    }
    else if (job->values != 0) {
        fp_repeat_long(job, first, rows);
    }
    else {
        fp_repeat_each(job, map->inner, first, rows);
    }
}

static void
fp_repeat_part(void *argument, fp_size part, int worker)
{
    const fp_repeat *job = (const fp_repeat *)argument;
    fp_size first = part * job->share, left = job->rows - first;
    (void)worker;
    fp_repeat_some(job, first, left < job->share ? left : job->share);
}

/* Assigns the locations of expanded operands; 0: they are too large. */
static int
fp_plan_repeat(fp_repeat *job)
{
    const fp_map *map = job->map;
    fp_size bytes = 0;
    int k, all = map->outputs + map->inputs;
    job->values = 0;
    for (k = 0; k < all; k++) {
        const fp_size size = fp_repeat_size(job, k);
        job->tile[k] = bytes;
        if (job->way[k] == FP_GOES_ON) {
            job->step[k] = map->operands[k].ndim == 0 ? 0 : job->row * size;
            continue;
        }
        job->values |= (unsigned long long)(job->way[k] == FP_SAME_VALUE) << k;
        bytes += FP_RUN * size;
    }
    return bytes <= FP_TILES;
}

static void
fp_run_repeat(fp_call *call, fp_repeat *job)
{
    double work = fp_work(job->rows * job->row, job->map->cost);
    int left, threads;
    if (FP_LIKELY(job->rows * job->row < FP_LITTLE)) {
        fp_repeat_some(job, 0, job->rows);
        return;
    }
    left = fp_leave(call, work);
    threads = fp_team_for(work, job->rows);
    if (threads <= 1) {
        fp_repeat_some(job, 0, job->rows);
    }
    else {
        fp_size least = (FP_RUNS + job->row - 1) / job->row;
        job->share = job->rows / (4 * threads);
        job->share = job->share > least ? job->share : least;
        fp_share_out(fp_repeat_part, job, (job->rows + job->share - 1) / job->share, threads);
    }
    fp_enter(call, left);
}

#endif

/* A walk through a nest of loops, with a visitor that receives contiguous elements only.
 *
 * If an operand is not contiguous along the innermost axis, blocks of it are packed to memory that
 * stays in the first-level cache, and blocks of outputs are unpacked. If rows are short, a block
 * contains many of them. */
#ifndef FP_WALK
#define FP_WALK

#include "nest.h"
#include "pack.h"

enum {
    FP_BLOCK = 128,       /* elements that are packed at a time: loading them overlaps with computing */
    FP_SCRATCH = 1 << 15, /* bytes for the blocks of all operands */
    FP_NEAR = 8 << 20,   /* bytes that may be in cache */
    FP_SHORT = 64        /* rows of fewer elements are combined into blocks */
};

/* Processes n elements. */
typedef void (*fp_visit)(void *visitor, char *const *p, fp_size n);

typedef enum { FP_DIRECT, FP_FILL, FP_PACK_IT } fp_way;

typedef struct {
    const fp_nest *nest;
    int begin;    /* the first axis of the walk */
    int operands; /* the number of operands that take part */
    int outputs;  /* the number of these that are written */
    int packs;    /* the number of operands that are not contiguous */
    int across;   /* blocks extend over several rows */
    int near;     /* packed data is small enough to be in cache */
    fp_size block;
    unsigned char way[FP_OPERANDS]; /* an fp_way */
    int room[FP_OPERANDS];          /* the location of an operand's block */
} fp_walk;

/* Whether an operand's elements are contiguous in the order of the walk. */
static int
fp_is_flat(const fp_nest *nest, int begin, int k)
{
    fp_size step = nest->size[k];
    int axis;
    for (axis = nest->ndim - 1; axis >= begin; axis--) {
        if (nest->strides[k][axis] != step) {
            return 0;
        }
        step *= nest->shape[axis];
    }
    return 1;
}

/* Decides how each operand is accessed. `share_blocks`: the visitor does not depend on the ends of
 * rows. */
static void
fp_plan_walk(fp_walk *walk, const fp_nest *nest, int begin, int operands, int outputs, int share_blocks)
{
    int k, last = nest->ndim - 1, bytes = 0;
    walk->nest = nest;
    walk->begin = begin;
    walk->operands = operands;
    walk->outputs = outputs;
    walk->packs = 0;
    walk->across = share_blocks && last > begin && nest->shape[last] < FP_SHORT;
    for (k = 0; k < operands; k++) {
        fp_size size = nest->size[k];
        walk->way[k] = FP_DIRECT;
        if (size == 0 || last < begin) {
            continue;
        }
        if (walk->across ? !fp_is_flat(nest, begin, k) : nest->strides[k][last] != size) {
            walk->way[k] = !walk->across && nest->strides[k][last] == 0 ? FP_FILL : FP_PACK_IT;
            walk->packs++;
            bytes += (int)size;
        }
    }
    walk->near = fp_count(nest->ndim - begin, nest->shape + begin, bytes) <= FP_NEAR;
    walk->block = bytes == 0 ? 1 : FP_SCRATCH / bytes / 16 * 16;
    walk->block = walk->block < FP_BLOCK ? walk->block : FP_BLOCK;
    for (k = 0, bytes = 0; k < operands; k++) {
        walk->room[k] = bytes;
        bytes += walk->way[k] == FP_DIRECT ? 0 : (int)(nest->size[k] * walk->block);
    }
}

/* Sets `index` to the position of flat element `first` of axes `begin` to `end`, and `at` to each
 * operand's address there. */
static void
fp_locate(const fp_nest *nest, int operands, int begin, int end, char *const *data, fp_size first,
          fp_size *index, char **at)
{
    int k, axis;
    memcpy(at, data, sizeof(at[0]) * (size_t)operands);
    for (axis = end - 1; axis >= begin; axis--) {
        index[axis] = 0;
        if (first > 0) {
            index[axis] = first % nest->shape[axis];
            first /= nest->shape[axis];
            for (k = 0; k < operands; k++) {
                at[k] += index[axis] * nest->strides[k][axis];
            }
        }
    }
}

/* Increments the index along `axis`, with carry to the axes outside of it, up to `begin`. */
static inline void
fp_advance(const fp_nest *nest, int operands, int begin, int axis, fp_size *index, char **at)
{
    int k;
    for (; axis >= begin; axis--) {
        int wraps = ++index[axis] == nest->shape[axis];
        for (k = 0; k < operands; k++) {
            at[k] += nest->strides[k][axis] * (wraps ? 1 - nest->shape[axis] : 1);
        }
        if (!wraps) {
            return;
        }
        index[axis] = 0;
    }
}

/* A row of n elements, with some operands packed. `filled`: the current content of a block. */
static void
fp_visit_packed(const fp_walk *walk, char *const *at, fp_size n, char *scratch, char **filled,
                fp_visit visit, void *visitor)
{
    const fp_nest *nest = walk->nest;
    char *p[FP_OPERANDS];
    int k, last = nest->ndim - 1;
    fp_size done, m;
    for (done = 0; done < n; done += m) {
        m = n - done < walk->block ? n - done : walk->block;
        for (k = 0; k < walk->operands; k++) {
            fp_size stride = nest->strides[k][last];
            p[k] = scratch + walk->room[k];
            if (walk->way[k] == FP_DIRECT) {
                p[k] = at[k] + done * nest->size[k];
            }
            else if (walk->way[k] == FP_FILL) {
                if (filled[k] != at[k]) {
                    fp_size all = nest->shape[last] < walk->block ? nest->shape[last] : walk->block;
                    fp_gather(p[k], at[k], all, 0, nest->size[k]);
                    filled[k] = at[k];
                }
            }
            else if (k >= walk->outputs) {
                (walk->near ? fp_gather_near : fp_gather)(p[k], at[k] + done * stride, m, stride, nest->size[k]);
            }
        }
        visit(visitor, p, m);
        for (k = 0; k < walk->outputs; k++) {
            if (walk->way[k] != FP_DIRECT) {
                fp_size stride = nest->strides[k][last];
                fp_scatter(at[k] + done * stride, p[k], m, stride, nest->size[k]);
            }
        }
    }
}

/* Row by row. */
static void
fp_walk_rows(const fp_walk *walk, char *const *data, fp_size first, fp_size count, fp_visit visit,
             void *visitor)
{
    const fp_nest *nest = walk->nest;
    char *at[FP_OPERANDS], *filled[FP_OPERANDS];
    fp_size index[FP_AXES], left;
    int k, last = nest->ndim - 1;
    __attribute__((aligned(64))) char scratch[FP_SCRATCH];
    if (last < walk->begin) {
        visit(visitor, data, 1);
        return;
    }
    fp_locate(nest, walk->operands, walk->begin, nest->ndim, data, first, index, at);
    memset(filled, 0, sizeof(filled[0]) * (size_t)walk->operands);
    for (left = count; left > 0;) {
        fp_size row = nest->shape[last] - index[last];
        row = row < left ? row : left;
        if (walk->packs == 0) {
            visit(visitor, at, row);
        }
        else {
            fp_visit_packed(walk, at, row, scratch, filled, visit, visitor);
        }
        left -= row;
        if (left > 0) {
            for (k = 0; k < walk->operands; k++) {
                at[k] -= index[last] * nest->strides[k][last];
            }
            index[last] = 0;
            fp_advance(nest, walk->operands, walk->begin, last - 1, index, at);
        }
    }
}

/* ---- Blocks of many rows ------------------------------------------------------------------------- */

/* Packs (or unpacks) m elements of an operand from `index` on, which is at `at`. Whole rows are
 * processed column by column, because they are short. */
static void
fp_pack_across(const fp_walk *walk, int k, const fp_size *start, char *at, char *block, fp_size m, int unpack)
{
    const fp_nest *nest = walk->nest;
    const fp_size *strides = nest->strides[k], *shape = nest->shape;
    fp_size index[FP_AXES], size = nest->size[k];
    int axis, last = nest->ndim - 1;
    fp_size j, n, rows, width = shape[last];
    memcpy(index, start, sizeof(index[0]) * (size_t)nest->ndim);
    while (m > 0) {
        rows = 0;
        n = width - index[last];
        if (index[last] == 0 && m >= width) {
            rows = m / width < shape[last - 1] - index[last - 1] ? m / width
                                                                 : shape[last - 1] - index[last - 1];
            for (j = 0; j < width; j++) {
                char *there = at + j * strides[last], *here = block + j * size;
                fp_move(unpack ? there : here, unpack ? here : there, rows,
                        unpack ? strides[last - 1] : width * size,
                        unpack ? width * size : strides[last - 1], size);
            }
            n = rows * width;
            at += rows * strides[last - 1];
            index[last - 1] += rows;
        }
        else {
            n = n < m ? n : m;
            if (unpack) {
                fp_scatter(at, block, n, strides[last], size);
            }
            else {
                fp_gather(block, at, n, strides[last], size);
            }
            at += n * strides[last];
            index[last] += n;
        }
        block += n * size;
        m -= n;
        /* Carry; whole rows are counted on the axis outside of them. */
        for (axis = rows > 0 ? last - 1 : last; axis > walk->begin && index[axis] == shape[axis]; axis--) {
            at += strides[axis - 1] - shape[axis] * strides[axis];
            index[axis] = 0;
            index[axis - 1]++;
        }
    }
}

static void
fp_walk_across(const fp_walk *walk, char *const *data, fp_size first, fp_size count, fp_visit visit,
               void *visitor)
{
    const fp_nest *nest = walk->nest;
    char *at[FP_OPERANDS], *p[FP_OPERANDS];
    fp_size index[FP_AXES], done, m;
    int k;
    __attribute__((aligned(64))) char scratch[FP_SCRATCH];
    for (done = 0; done < count; done += m) {
        m = count - done;
        if (walk->packs > 0) {
            m = m < walk->block ? m : walk->block;
            fp_locate(nest, walk->operands, walk->begin, nest->ndim, data, first + done, index, at);
        }
        for (k = 0; k < walk->operands; k++) {
            p[k] = data[k] + (first + done) * nest->size[k];
            if (walk->way[k] != FP_DIRECT) {
                p[k] = scratch + walk->room[k];
                if (k >= walk->outputs) {
                    fp_pack_across(walk, k, index, at[k], p[k], m, 0);
                }
            }
        }
        visit(visitor, p, m);
        for (k = 0; k < walk->outputs; k++) {
            if (walk->way[k] != FP_DIRECT) {
                fp_pack_across(walk, k, index, at[k], p[k], m, 1);
            }
        }
    }
}

/* Visits elements `first` to `first + count` of the axes of the walk; `data` are the operands'
 * addresses at the beginning of those axes. */
static void
fp_walk_some(const fp_walk *walk, char *const *data, fp_size first, fp_size count, fp_visit visit,
             void *visitor)
{
    if (count > 0) {
        (walk->across ? fp_walk_across : fp_walk_rows)(walk, data, first, count, visit, visitor);
    }
}

#endif

/* Memory for temporaries: blocks that one call uses and leaves to the next.
 *
 * A graph's store keeps the blocks of one call. Who calls takes them all at once, by one atomic
 * exchange; a call that comes meanwhile finds none and makes its own. So a block belongs to one call at
 * a time and needs no lock. In a call, what was dropped serves again: the smallest block that is large
 * enough. What a call did not need goes when it ends, so that nothing piles up. The first small ones are
 * in the call itself, which needs no atomic exchange. */
#ifndef FP_MEMORY
#define FP_MEMORY

#include "base.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

enum { FP_ALIGNMENT = 64 };
#define FP_HUGE ((size_t)4 << 20) /* bytes of which the first touch of each page counts */
#define FP_LARGE_PAGE ((size_t)2 << 20)

/* What lies ahead of a block's memory. */
struct fp_block {
    struct fp_block *next;
    size_t size;
    int used;   /* now */
    int needed; /* by this call */
};

/* What tests replace, to see each allocation fail. They, and what looks for accesses out of bounds, get
 * a block for all. */
#if defined(FP_ALLOCATE) || defined(__SANITIZE_ADDRESS__)
#define FP_USES_ROOM 0
#else
#define FP_USES_ROOM 1
#endif
#ifndef FP_ALLOCATE
#define FP_ALLOCATE posix_memalign
#endif

/* So many bytes behind a head, which `size` does not count; NULL: no memory. */
static struct fp_block *
fp_new_block(size_t size)
{
    size_t bytes = size + FP_ALIGNMENT;
    void *memory;
    if (FP_ALLOCATE(&memory, size >= FP_HUGE ? FP_LARGE_PAGE : FP_ALIGNMENT, bytes) != 0) {
        return NULL;
    }
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size >= FP_HUGE) {
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
    }
#endif
    ((struct fp_block *)memory)->size = size;
    return (struct fp_block *)memory;
}

static void
fp_free_blocks(struct fp_block *block)
{
    while (block != NULL) {
        struct fp_block *next = block->next;
        free(block);
        block = next;
    }
}

static inline char *
fp_block_data(struct fp_block *block)
{
    return (char *)block + FP_ALIGNMENT;
}

/* Memory of at least so many bytes until it is dropped or the call ends; NULL: there is none. */
static char *
fp_take(fp_call *call, fp_size bytes)
{
    struct fp_block *block, *best = NULL;
    size_t size = ((size_t)bytes + (FP_ALIGNMENT - 1)) / FP_ALIGNMENT * FP_ALIGNMENT;
    if (bytes < 0 || bytes > PTRDIFF_MAX - 2 * FP_ALIGNMENT) {
        return NULL;
    }
    size = size == 0 ? FP_ALIGNMENT : size;
    if (FP_USES_ROOM && size <= FP_ROOM - call->used) {
        char *data = call->room + call->used;
        call->used += size;
        return data;
    }
    if (call->blocks == NULL && call->workspace != NULL) {
        call->blocks = __atomic_exchange_n(&call->workspace->kept, NULL, __ATOMIC_ACQUIRE);
    }
    for (block = call->blocks; block != NULL; block = block->next) {
        if (!block->used && block->size >= size && (best == NULL || block->size < best->size)) {
            best = block;
        }
    }
    if (best == NULL) {
        best = fp_new_block(size);
        if (best == NULL) {
            return NULL;
        }
        best->next = call->blocks;
        call->blocks = best;
    }
    best->used = best->needed = 1;
    return fp_block_data(best);
}

static void
fp_drop(fp_call *call, char *data)
{
    if (data != NULL && (data < call->room || data >= call->room + FP_ROOM)) {
        ((struct fp_block *)(void *)(data - FP_ALIGNMENT))->used = 0;
    }
}

void
fp_end(fp_call *call)
{
    struct fp_block **place = &call->blocks, *none = NULL;
    if (call->blocks == NULL) {
        return;
    }
    while (*place != NULL) {
        struct fp_block *block = *place;
        if (block->needed) {
            block->used = block->needed = 0;
            place = &block->next;
        }
        else {
            *place = block->next;
            free(block);
        }
    }
    if (call->workspace == NULL
        || !__atomic_compare_exchange_n(&call->workspace->kept, &none, call->blocks, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
        fp_free_blocks(call->blocks);
    }
    call->blocks = NULL;
}

void
fp_empty(fp_workspace *workspace)
{
    fp_free_blocks(__atomic_exchange_n(&workspace->kept, NULL, __ATOMIC_ACQUIRE));
}

/* ---- Views -------------------------------------------------------------------------------------- */

static FP_COLD int
fp_no_memory(fp_call *call, int node, int type, int ndim, const fp_view *view)
{
    char text[256];
    return fp_failed(call, node, "memory", 0, 0, NULL, NULL, "no memory for an array of %s of shape %s",
                     fp_dtype(type), fp_write_shape(text, sizeof(text), ndim, view->dims));
}

/* Gives a view memory, whose shape and strides are set: it lies without gaps. `plain`: in C order. */
static inline int
fp_make_lying(fp_call *call, int node, int type, int home, int ndim, fp_view *view, int plain)
{
    if (home >= 0) { /* hosts know themselves what is too large */
        view->data = call->host->make(call, home, type, ndim, view->dims, plain ? NULL : view->dims + ndim);
    }
    else {
        fp_size bytes = fp_count(ndim, view->dims, fp_sizes[type]);
        view->data = bytes < 0 ? NULL : fp_take(call, bytes);
    }
    return FP_LIKELY(view->data != NULL) ? 1 : fp_no_memory(call, node, type, ndim, view);
}

static int
fp_make_strided(fp_call *call, int node, fp_operand operand, fp_view *view)
{
    return fp_make_lying(call, node, operand.type, operand.home, operand.ndim, view, 0);
}

/* The same in C order; of a view only the shape is set. */
static int
fp_make(fp_call *call, int node, fp_operand operand, fp_view *view)
{
    fp_size *strides = view->dims + operand.ndim, step = fp_sizes[operand.type];
    int k;
    for (k = operand.ndim - 1; k >= 0; k--) {
        strides[k] = step;
        if (FP_UNLIKELY(view->dims[k] < 0)) {
            return fp_failed(call, node, "value", 0, 0, &operand, NULL,
                             "dimension %d is negative (%lld)", k, (long long)view->dims[k]);
        }
        /* Where it overflows there is no such array, which is said when memory is asked for. */
        if (FP_UNLIKELY(__builtin_mul_overflow(step, view->dims[k] == 0 ? 1 : view->dims[k], &step))) {
            step = 0;
        }
    }
    return fp_make_lying(call, node, operand.type, operand.home, operand.ndim, view, 1);
}

#endif

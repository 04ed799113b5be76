/* Memory for temporaries: blocks that one call uses and leaves for the next.
 *
 * A graph's store holds the blocks of one call. A caller takes all of them at once, by one atomic
 * exchange; a concurrent call finds none and allocates its own. Thus a block belongs to one call at
 * a time and needs no lock. Within a call, released blocks are reused: the smallest that is large
 * enough. Blocks that a call did not use are freed at its end, so that memory does not accumulate;
 * so are all of them after FP_IDLE calls in a row that needed little of them.
 * The first small ones are in the call itself, which needs no atomic exchange. */
#ifndef FP_MEMORY
#define FP_MEMORY

#include "base.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

enum { FP_ALIGNMENT = 64, FP_IDLE = 16 };
#define FP_HUGE ((size_t)4 << 20) /* size in bytes from which the first touch of each page is expensive */
#define FP_LARGE_PAGE ((size_t)2 << 20)

/* The header of a block's memory. */
struct fp_block {
    struct fp_block *next;
    size_t size;
    size_t asked; /* the most bytes for which this call used it */
    int used;     /* in use now */
};

/* Replaced by tests, to make each allocation fail. In these, and under tools that detect accesses
 * out of bounds, every array has its own block. */
#if defined(FP_ALLOCATE) || defined(__SANITIZE_ADDRESS__)
#define FP_USES_ROOM 0
#else
#define FP_USES_ROOM 1
#endif
#ifndef FP_ALLOCATE
#define FP_ALLOCATE posix_memalign
#endif

/* Allocates this many bytes after a header, which `size` does not include; NULL: out of memory. */
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
    ((struct fp_block *)memory)->asked = 0;
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

/* Allocates at least this many bytes until they are released or the call ends; NULL: out of memory.
 * */
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
    best->used = 1;
    best->asked = best->asked > size ? best->asked : size;
    return fp_block_data(best);
}

static void
fp_drop(fp_call *call, char *data)
{
    if (data != NULL && (data < call->room || data >= call->room + FP_ROOM)) {
        ((struct fp_block *)(void *)(data - FP_ALIGNMENT))->used = 0;
    }
}

/* Whether one of the last calls needed a good part of the memory that is kept. */
static int
fp_is_worth_keeping(fp_workspace *workspace, size_t kept, size_t asked)
{
    unsigned idle = 0;
    if (asked < kept / 4) {
        idle = __atomic_load_n(&workspace->idle, __ATOMIC_RELAXED) + 1;
        idle = idle < FP_IDLE ? idle : 0;
        __atomic_store_n(&workspace->idle, idle, __ATOMIC_RELAXED);
        return idle > 0;
    }
    __atomic_store_n(&workspace->idle, 0, __ATOMIC_RELAXED);
    return 1;
}

void
fp_end(fp_call *call)
{
    struct fp_block **place = &call->blocks, *none = NULL;
    fp_workspace *workspace = call->workspace;
    size_t kept = 0, asked = 0;
    if (call->blocks == NULL) {
        if (workspace != NULL && __atomic_load_n(&workspace->kept, __ATOMIC_RELAXED) != NULL
            && !fp_is_worth_keeping(workspace, 4, 0)) {
            fp_empty(workspace);
        }
        return;
    }
    while (*place != NULL) {
        struct fp_block *block = *place;
        if (block->asked > 0) {
            kept += block->size;
            asked += block->asked;
            block->asked = 0;
            block->used = 0;
            place = &block->next;
        }
        else {
            *place = block->next;
            free(block);
        }
    }
    if (workspace == NULL || !fp_is_worth_keeping(workspace, kept, asked)
        || !__atomic_compare_exchange_n(&workspace->kept, &none, call->blocks, 0, __ATOMIC_RELEASE,
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

/* Allocates memory for a view with its shape and strides set: it is contiguous. `plain`: in C
 * order. */
static inline int
fp_make_lying(fp_call *call, int node, int type, int home, int ndim, fp_view *view, int plain)
{
    if (home >= 0) { /* hosts reject sizes that are too large themselves */
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

/* The same in C order; only the shape of the view is set. */
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
        /* On overflow the allocation fails, which reports the error. */
        if (FP_UNLIKELY(__builtin_mul_overflow(step, view->dims[k] == 0 ? 1 : view->dims[k], &step))) {
            step = 0;
        }
    }
    return fp_make_lying(call, node, operand.type, operand.home, operand.ndim, view, 1);
}

#endif

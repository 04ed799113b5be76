/* Packs strided elements to contiguous ones, and back: one loop per element size. */
#ifndef FP_PACK
#define FP_PACK

#include "base.h"

/* gcc does not unroll loops of one load and one store by itself: if both addresses have the same
 * offset in their pages, each load waits for the store before it. */
#if defined(__clang__)
#define FP_UNROLL
#else
#define FP_UNROLL _Pragma("GCC unroll 4")
#endif

#define FP_DEFINE_PACK(SIZE)                                                                    \
    static void fp_gather_##SIZE(char *to, const char *from, fp_size n, fp_size stride)         \
    {                                                                                           \
        fp_size i;                                                                              \
        if (stride == 0) { /* one element n times: a loop that compilers vectorise */     \
            struct { char element[SIZE]; } one;                                                 \
            memcpy(&one, from, SIZE);                                                           \
            for (i = 0; i < n; i++) {                                                           \
                memcpy(to + i * SIZE, &one, SIZE);                                              \
            }                                                                                   \
            return;                                                                             \
        }                                                                                       \
        if (stride == 2 * SIZE) { /* every other: by shuffles */                                \
            for (i = 0; i < n; i++) {                                                           \
                memcpy(to + i * SIZE, from + i * 2 * SIZE, SIZE);                               \
            }                                                                                   \
            return;                                                                             \
        }                                                                                       \
        FP_UNROLL                                                                               \
        for (i = 0; i < n; i++, from += stride) {                                               \
            memcpy(to + i * SIZE, from, SIZE);                                                  \
        }                                                                                       \
    }                                                                                           \
    static void fp_scatter_##SIZE(char *to, const char *from, fp_size n, fp_size stride)        \
    {                                                                                           \
        fp_size i;                                                                              \
        FP_UNROLL                                                                               \
        for (i = 0; i < n; i++, to += stride) {                                                 \
            memcpy(to, from + i * SIZE, SIZE);                                                  \
        }                                                                                       \
    }                                                                                           \
    static void fp_move_##SIZE(char *to, const char *from, fp_size n, fp_size step, fp_size stride) \
    {                                                                                           \
        fp_size i;                                                                              \
        FP_UNROLL                                                                               \
        for (i = 0; i < n; i++, to += step, from += stride) {                                   \
            memcpy(to, from, SIZE);                                                             \
        }                                                                                       \
    }
FP_DEFINE_PACK(1)
FP_DEFINE_PACK(2)
FP_DEFINE_PACK(4)
FP_DEFINE_PACK(8)
FP_DEFINE_PACK(16)

/* Packs n elements that are `stride` bytes apart. */
static void
fp_gather(char *to, const char *from, fp_size n, fp_size stride, fp_size size)
{
    if (stride == size) {
        memcpy(to, from, (size_t)(n * size));
        return;
    }
    switch (size) {
    case 1: fp_gather_1(to, from, n, stride); break;
    case 2: fp_gather_2(to, from, n, stride); break;
    case 4: fp_gather_4(to, from, n, stride); break;
    case 8: fp_gather_8(to, from, n, stride); break;
    default: fp_gather_16(to, from, n, stride); break;
    }
}

/* The same for data in cache. Wide loads wait longer for memory: packed data is then read in
 * bursts, and the processor is idle in between. */
FP_CLONES static void
fp_gather_near(char *to, const char *from, fp_size n, fp_size stride, fp_size size)
{
    fp_size i;
    if (size != 8 || stride != 16) {
        fp_gather(to, from, n, stride, size);
        return;
    }
    for (i = 0; i < n; i++) {
        memcpy(to + i * 8, from + i * 16, 8);
    }
}

/* Unpacks. */
static void
fp_scatter(char *to, const char *from, fp_size n, fp_size stride, fp_size size)
{
    if (stride == size) {
        memcpy(to, from, (size_t)(n * size));
        return;
    }
    switch (size) {
    case 1: fp_scatter_1(to, from, n, stride); break;
    case 2: fp_scatter_2(to, from, n, stride); break;
    case 4: fp_scatter_4(to, from, n, stride); break;
    case 8: fp_scatter_8(to, from, n, stride); break;
    default: fp_scatter_16(to, from, n, stride); break;
    }
}

/* Copies n elements from distance `stride` to distance `step`. */
static void
fp_move(char *to, const char *from, fp_size n, fp_size step, fp_size stride, fp_size size)
{
    if (step == size) {
        fp_gather(to, from, n, stride, size);
        return;
    }
    switch (size) {
    case 1: fp_move_1(to, from, n, step, stride); break;
    case 2: fp_move_2(to, from, n, step, stride); break;
    case 4: fp_move_4(to, from, n, step, stride); break;
    case 8: fp_move_8(to, from, n, step, stride); break;
    default: fp_move_16(to, from, n, step, stride); break;
    }
}

#endif

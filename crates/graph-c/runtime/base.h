/* Common parts of the runtime: the sizes of elements, shapes, and failures.
 *
 * Plain C, independent of hosts. Everything is static except for the declarations of call.h. */
#ifndef FP_BASE
#define FP_BASE

#include "abi.h"
#include "call.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FP_LIKELY(x) __builtin_expect(!!(x), 1)
#define FP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FP_COLD __attribute__((cold, noinline))

/* Vectors as wide as the processor has, if the compiler can choose that at load time. Selected by
 * features, because names of processors are Intel's only. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && !defined(__clang__) \
    && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FP_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FP_CLONES
#endif

static const unsigned char fp_sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};

/* A view of any rank. */
typedef struct {
    char *data;
    fp_size dims[2 * FP_AXES];
} fp_any_view;

static inline size_t
fp_view_bytes(int ndim)
{
    return offsetof(fp_view, dims) + 2 * sizeof(fp_size) * (size_t)ndim;
}

/* An operand's shape and strides; for rank 0, nothing may be read there. */
static inline const fp_size *
fp_shape(const void *view)
{
    return ((const fp_view *)view)->dims;
}

static inline char *
fp_data(const void *view)
{
    return ((const fp_view *)view)->data;
}

const char *
fp_dtype(int type)
{
    static const char *const names[] = {
        "bool",   "int8",    "int16",   "int32",   "int64",     "uint8",     "uint16",
        "uint32", "uint64",  "float32", "float64", "complex64", "complex128",
    };
    return type >= 0 && type <= FP_COMPLEX128 ? names[type] : "?";
}

/* ---- Failures ----------------------------------------------------------------------------------- */

static FP_COLD int
fp_note_failure(fp_call *call, int node, const char *kind, const char *text, int count,
                const fp_operand *operands, void *const *values)
{
    fp_note *note = &call->note;
    int k;
    if (note->kind != NULL) {
        return 0;
    }
    note->kind = kind;
    note->node = node;
    note->count = count < FP_NOTED ? count : FP_NOTED;
    snprintf(note->text, sizeof(note->text), "%s", text);
    for (k = 0; k < note->count; k++) {
        fp_noted *noted = &note->operands[k];
        size_t bytes = sizeof(fp_size) * operands[k].ndim;
        noted->type = operands[k].type;
        noted->ndim = operands[k].ndim;
        if (noted->ndim > 0) {
            memcpy(noted->shape, fp_shape(values[k]), bytes);
            memcpy(noted->strides, fp_shape(values[k]) + noted->ndim, bytes);
        }
    }
    return 0;
}

/* A failure of a step whose `outputs` come before its inputs. */
static FP_COLD int
fp_failed(fp_call *call, int node, const char *kind, int outputs, int inputs, const fp_operand *operands,
          void *const *values, const char *format, ...)
{
    char text[FP_NOTE_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return fp_note_failure(call, node, kind, text, inputs, operands + outputs, values + outputs);
}

/* "(3, 4)"; truncated to the buffer. */
static FP_COLD const char *
fp_write_shape(char *text, size_t room, int ndim, const fp_size *shape)
{
    size_t length = 0;
    int k;
    text[0] = 0;
    for (k = 0; k < ndim && length < room; k++) {
        length += (size_t)snprintf(text + length, room - length, "%s%lld", k ? ", " : "(",
                                   (long long)shape[k]);
    }
    if (length < room) {
        snprintf(text + length, room - length, "%s", ndim == 0 ? "()" : ndim == 1 ? ",)" : ")");
    }
    return text;
}

/* ---- Sizes -------------------------------------------------------------------------------------- */

/* The product of sizes times `unit`; -1 if it exceeds the address space. */
static inline fp_size
fp_count(int ndim, const fp_size *shape, fp_size unit)
{
    fp_size count = unit;
    int k, empty = 0, overflows = 0;
    for (k = 0; k < ndim; k++) {
        empty |= shape[k] == 0;
        overflows |= __builtin_mul_overflow(count, shape[k], &count);
    }
    return empty ? 0 : overflows ? -1 : count;
}

/* The estimated time of a step in nanoseconds. */
static inline double
fp_work(fp_size count, int cost)
{
    return (double)count * (double)cost * (1.0 / 16);
}

/* The work in nanoseconds from which releasing the lock pays. */
#define FP_LONG 20e3

/* Releases the lock during a long step; returns whether it did. */
static inline int
fp_leave(fp_call *call, double work)
{
    if (FP_LIKELY(work < FP_LONG) || call->host->leave == NULL) {
        return 0;
    }
    call->host->leave(call);
    return 1;
}

static inline void
fp_enter(fp_call *call, int left)
{
    if (left) {
        call->host->enter(call);
    }
}

#endif

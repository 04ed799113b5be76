/* The runtime of plain C: arrays that describe themselves, and an error string. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Contiguous elements of a dtype; the caller of a function frees the `data` of its results. */
typedef struct {
    void *data;
    const char *dtype;
    int rank;
    ptrdiff_t shape[32];
} fp_array;

#define FP_BEGIN_C
#define FP_END_C
#define FP_DATA(x) ((x).data)

typedef struct {
    char text[256];
} fp_error;

static inline int
fp_fail(fp_error *error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    return 0;
}

static inline ptrdiff_t
fp_size(const fp_array *x, int rank)
{
    ptrdiff_t size = 1;
    for (int axis = 0; axis < rank; axis++) {
        size = fp_mul(size, x->shape[axis]);
    }
    return size;
}

/* The caller's array, used in place, if it matches the prototype. */
static inline int
fp_take(fp_array *x, const fp_array *given, const char *name, const char *dtype, int rank, fp_error *error)
{
    if (given == NULL || given->rank != rank || strcmp(given->dtype, dtype) != 0) {
        return fp_fail(error, "argument '%s': wanted a %d-D array of %s", name, rank, dtype);
    }
    *x = *given;
    return 1;
}

/* Allocates memory for an array with a given shape. */
static inline int
fp_make(fp_array *x, const char *name, const char *dtype, int rank, size_t element, fp_error *error)
{
    ptrdiff_t size = fp_size(x, rank);
    x->dtype = dtype;
    x->rank = rank;
    x->data = size < 0 ? NULL : calloc(size > 0 ? (size_t)size : 1, element);
    return x->data != NULL || fp_fail(error, "argument '%s': no memory", name);
}

/* A copy of an array, which belongs to the call. */
static inline int
fp_copy(fp_array *x, const char *name, size_t element, fp_error *error)
{
    const void *from = x->data;
    if (!fp_make(x, name, x->dtype, x->rank, element, error)) {
        return 0;
    }
    memcpy(x->data, from, (size_t)fp_size(x, x->rank) * element);
    return 1;
}

static inline int
fp_check_dim(const fp_array *x, int axis, ptrdiff_t wanted, const char *name, fp_error *error)
{
    return x->shape[axis] == wanted
           || fp_fail(error, "argument '%s': dimension %d is %td, not %td", name, axis, x->shape[axis], wanted);
}

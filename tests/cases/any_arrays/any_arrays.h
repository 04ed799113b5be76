#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Codes that are known only at run time, as those of HDF5. */
static inline int box_code(int which) { return 100 + which; }
#define BOX_BYTE box_code(0)
#define BOX_INT box_code(1)
#define BOX_DOUBLE box_code(2)
#define BOX_FLOAT box_code(3)
#define BOX_TRUTH box_code(4)
#define BOX_LONG box_code(5)
/* Another code for doubles. */
#define BOX_REAL box_code(9)

static inline int box_same(int a, int b)
{
    return a == b || (a == BOX_REAL && b == BOX_DOUBLE) || (b == BOX_REAL && a == BOX_DOUBLE);
}

static inline size_t box_size(int code)
{
    return code == BOX_BYTE || code == BOX_TRUTH ? 1 : code == BOX_DOUBLE || code == BOX_REAL || code == BOX_LONG ? 8 : 4;
}

static inline double box_element(const void *data, int code, size_t k)
{
    if (code == BOX_BYTE) return ((const signed char *)data)[k];
    if (code == BOX_TRUTH) return ((const unsigned char *)data)[k];
    if (code == BOX_INT) return ((const int *)data)[k];
    if (code == BOX_FLOAT) return ((const float *)data)[k];
    if (code == BOX_LONG) return (double)((const int64_t *)data)[k];
    return ((const double *)data)[k];
}

static inline double box_sum(const void *data, int code, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += box_element(data, code, k);
    return sum;
}

/* Rank and dimensions as decimal digits: 3 of {2, 4, 5} is 3245. */
static inline long box_digits(int rank, const unsigned long long *dims, int code, const void *data)
{
    long digits = rank;
    (void)code;
    (void)data;
    for (int k = 0; k < rank; k++) digits = 10 * digits + (long)dims[k];
    return digits;
}

static inline void box_double(void *data, int code, long n)
{
    for (long k = 0; k < n; k++) {
        if (code == BOX_BYTE) ((signed char *)data)[k] *= 2;
        else if (code == BOX_INT) ((int *)data)[k] *= 2;
        else if (code == BOX_FLOAT) ((float *)data)[k] *= 2;
        else if (code == BOX_LONG) ((int64_t *)data)[k] *= 2;
        else if (code == BOX_DOUBLE) ((double *)data)[k] *= 2;
    }
}

static inline void box_reverse(void *data, size_t size, size_t n)
{
    char *bytes = (char *)data;
    for (size_t k = 0; k < n / 2; k++) {
        for (size_t b = 0; b < size; b++) {
            char other = bytes[k * size + b];
            bytes[k * size + b] = bytes[(n - 1 - k) * size + b];
            bytes[(n - 1 - k) * size + b] = other;
        }
    }
}

static inline double box_mean(const double *x, int rank, size_t n)
{
    double sum = rank;
    for (size_t k = 0; k < n; k++) sum += x[k];
    return n == 0 ? 0 : sum / (double)n;
}

static inline void box_ramp(const int *dims, int rank, float *x)
{
    long n = 1;
    for (int k = 0; k < rank; k++) n *= dims[k];
    for (long k = 0; k < n; k++) x[k] = (float)k;
}

/* The sum of the diagonal. */
static inline double box_trace(int m, int n, const void *data, int code)
{
    double sum = 0;
    for (int k = 0; k < m && k < n; k++) sum += box_element(data, code, (size_t)(k * n + k));
    return sum;
}

/* The number 1, 2 ... as any type. */
static inline void box_count_up(int code, size_t n, void *data)
{
    for (size_t k = 0; k < n; k++) {
        if (code == BOX_BYTE) ((signed char *)data)[k] = (signed char)(k + 1);
        else if (code == BOX_INT) ((int *)data)[k] = (int)(k + 1);
        else if (code == BOX_FLOAT) ((float *)data)[k] = (float)(k + 1);
        else if (code == BOX_LONG) ((int64_t *)data)[k] = (int64_t)(k + 1);
        else if (code == BOX_TRUTH) ((unsigned char *)data)[k] = 1;
        else if (code == BOX_DOUBLE) ((double *)data)[k] = (double)(k + 1);
    }
}

/* Copies one array to another of the same type. */
static inline void box_copy(const void *from, size_t n, size_t size, void *to) { memcpy(to, from, n * size); }

/* Stores one array. */
typedef struct {
    int code;
    int rank;
    short dims[8];
    void *data;
} box;

static inline box *box_new(void) { return (box *)calloc(1, sizeof(box)); }
static inline void box_free(box *b) { if (b != NULL) { free(b->data); free(b); } }

static inline size_t box_count(const box *b)
{
    size_t n = 1;
    for (int k = 0; k < b->rank; k++) n *= (size_t)b->dims[k];
    return n;
}

static inline int box_put(box *b, int rank, const short *dims, int code, const void *data)
{
    size_t bytes;
    if (rank > 8) return 1;
    b->rank = rank;
    b->code = code;
    if (rank > 0) memcpy(b->dims, dims, (size_t)rank * sizeof(short));
    bytes = box_count(b) * box_size(code);
    free(b->data);
    b->data = malloc(bytes + 1);
    if (b->data == NULL) return 2;
    memcpy(b->data, data, bytes);
    return 0;
}

static inline int box_rank(const box *b) { return b->rank; }
static inline int box_type(const box *b) { return b->code; }
static inline int box_dims(const box *b, short *dims)
{
    if (b->rank > 0) memcpy(dims, b->dims, (size_t)b->rank * sizeof(short));
    return b->data == NULL ? 3 : 0;
}

static inline int box_get(const box *b, int code, void *data)
{
    if (!box_same(code, b->code)) return 4;
    memcpy(data, b->data, box_count(b) * box_size(b->code));
    return 0;
}

/* Sets the code, and the size of a dimension, to any value. */
static inline void box_break(box *b, int code, short first)
{
    b->code = code;
    if (b->rank > 0) b->dims[0] = first;
}

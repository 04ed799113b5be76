/* Matrices as pointers to their rows, planes of images, and planar audio. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline double
ro_sum(const double *const *rows, int m, int n)
{
    double sum = 0;
    int i, j;
    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++) {
            sum += rows[i][j];
        }
    }
    return sum;
}

/* The distance between the first two rows, in elements; 0 for fewer rows, -1 for NULL. */
static inline long
ro_distance(double **rows, long m, long n)
{
    (void)n;
    return rows == NULL ? -1 : m > 1 ? (long)(rows[1] - rows[0]) : 0;
}

static inline uintptr_t
ro_address(const float **rows, long m, long n)
{
    (void)n;
    return m > 0 ? (uintptr_t)rows[0] : 0;
}

static inline void
ro_scale(double **rows, int m, int n, double by)
{
    int i, j;
    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++) {
            rows[i][j] *= by;
        }
    }
}

/* Each row is filled with its number; C may also exchange the pointers. */
static inline void
ro_fill(int32_t **rows, size_t m, size_t n)
{
    size_t i, j;
    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++) {
            rows[i][j] = (int32_t)i;
        }
    }
    if (m > 1) {
        int32_t *first = rows[0];
        rows[0] = rows[1];
        rows[1] = first;
    }
}

static inline int
ro_positive(double **rows, int *m, int n)
{
    int i, j;
    for (i = 0; i < *m; i++) {
        for (j = 0; j < n; j++) {
            rows[i][j] = i;
        }
    }
    *m = *m / 2;
    return 0;
}

static inline double
ro_weighted(const double **rows, double *const *weights, int m, int n)
{
    double sum = 0;
    int i, j;
    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++) {
            sum += rows[i][j] * weights[i][j];
        }
    }
    return sum;
}

static inline int
ro_planes(const unsigned char **planes, int k, int m, int n)
{
    int sum = 0, i, j;
    for (i = 0; i < k; i++) {
        for (j = 0; j < m * n; j++) {
            sum += planes[i][j] * (i + 1);
        }
    }
    return sum;
}

#define RO_CORNER(rows) ((rows)[0][0])

/* Memory for C: it fills the rows before it uses them. */
static inline double
ro_scratch(double **work, int m, int n, double value)
{
    int i;
    for (i = 0; i < m; i++) {
        work[i][n - 1] = value + i;
    }
    return m > 0 ? work[m - 1][n - 1] : 0;
}

typedef struct {
    float **channels;
    int count;
    long frames;
    float gain;
} ro_block;

static inline int
ro_amplify(ro_block *block)
{
    int c;
    long k;
    for (c = 0; c < block->count; c++) {
        for (k = 0; k < block->frames; k++) {
            block->channels[c][k] *= block->gain;
        }
    }
    return block->count;
}

static inline int
ro_status(double **rows, int m, int n)
{
    (void)n;
    return m > 0 && rows[0][0] < 0 ? 7 : 0;
}

/* Rows of different lengths, each by its own pointer, with an array of their lengths. */
#include <stddef.h>
#include <stdint.h>

static inline double
ja_sum(const double *const *rows, const int *lengths, int m)
{
    double sum = 0;
    int i, j;
    for (i = 0; i < m; i++) {
        for (j = 0; j < lengths[i]; j++) {
            sum += rows[i][j] * (i + 1);
        }
    }
    return sum;
}

/* The lengths as they are, and whether the row begins at this address. */
static inline int
ja_is_at(const float **rows, size_t *lengths, size_t m, size_t row, uintptr_t address)
{
    return rows != NULL && row < m && lengths[row] > 0 && (uintptr_t)rows[row] == address;
}

static inline void
ja_scale(size_t m, double **rows, const size_t *lengths, double by)
{
    size_t i, j;
    for (i = 0; i < m; i++) {
        for (j = 0; j < lengths[i]; j++) {
            rows[i][j] *= by;
        }
    }
}

static inline int
ja_longest(int8_t **rows, signed char *lengths, int m)
{
    int i, longest = rows == NULL ? -1 : 0;
    for (i = 0; i < m; i++) {
        longest = lengths[i] > longest ? lengths[i] : longest;
    }
    return longest;
}

/* Both have as many rows. */
static inline double
ja_dot(const double **x, const int *nx, const double **y, const int *ny, int m)
{
    double sum = 0;
    int i, j;
    for (i = 0; i < m; i++) {
        for (j = 0; j < nx[i] && j < ny[i]; j++) {
            sum += x[i][j] * y[i][j];
        }
    }
    return sum;
}

typedef struct {
    int l;
    double *weights;
    double **rows;
    long *lengths;
} ja_problem;

static inline int
ja_solve(const ja_problem *problem, double *x)
{
    int i;
    long j;
    for (i = 0; i < problem->l; i++) {
        x[i] = 0;
        for (j = 0; j < problem->lengths[i]; j++) {
            x[i] += problem->weights[i] * problem->rows[i][j];
        }
    }
    return problem->l == 3 ? 5 : 0;
}

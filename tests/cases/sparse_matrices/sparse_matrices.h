#include <stdlib.h>
#include <string.h>

typedef struct {
    int m, n;
    double *values;
} matrix;

static inline matrix *matrix_new(int m, const int *p, const int *i, const double *x, int n, double factor)
{
    matrix *made = (matrix *)malloc(sizeof *made);
    int row, k;
    made->m = m;
    made->n = n;
    made->values = (double *)calloc((size_t)m * (size_t)n + 1, sizeof(double));
    for (row = 0; row < m; row++) {
        for (k = p[row]; k < p[row + 1]; k++) {
            made->values[row * n + i[k]] += factor * x[k];
        }
    }
    return made;
}

static inline void matrix_free(matrix *one)
{
    free(one->values);
    free(one);
}

static inline int matrix_add(matrix *to, const int *p, const int *i, const double *x, int m, int n)
{
    int row, k;
    for (row = 0; row < to->m; row++) {
        for (k = p[row]; k < p[row + 1]; k++) {
            to->values[row * to->n + i[k]] += x[k];
        }
    }
    return m * n;
}

static inline double matrix_sum(const matrix *of)
{
    double sum = 0;
    int k;
    for (k = 0; k < of->m * of->n; k++) {
        sum += of->values[k];
    }
    return sum;
}

#define CSR_MATVEC(name, integer)                                                              \
    static inline void name(integer m, integer n, const integer *indptr, const integer *indices, \
                            const double *data, const double *x, double *y)                    \
    {                                                                                          \
        integer i, k;                                                                          \
        (void)n;                                                                               \
        for (i = 0; i < m; i++) {                                                              \
            y[i] = 0;                                                                          \
            for (k = indptr[i]; k < indptr[i + 1]; k++) {                                      \
                y[i] += data[k] * x[indices[k]];                                               \
            }                                                                                  \
        }                                                                                      \
    }

CSR_MATVEC(csr_matvec, int)
CSR_MATVEC(csr_matvec_long, long long)

static inline void csc_sums(int n, const int *ap, const int *ai, const double *ax, double *y, double factor)
{
    int j, k;
    (void)ai;
    for (j = 0; j < n; j++) {
        y[j] = 0;
        for (k = ap[j]; k < ap[j + 1]; k++) {
            y[j] += factor * ax[k];
        }
    }
}

static inline double trace(const int *ap, const int *ai, const double *ax, int n, int m, double factor,
                           const int *bp, const int *bi, const double *bx)
{
    double sum = 0;
    int row, k, l;
    (void)m;
    for (row = 0; row < n; row++) {
        for (k = ap[row]; k < ap[row + 1]; k++) {
            for (l = bp[row]; l < bp[row + 1]; l++) {
                sum += ai[k] == bi[l] ? ax[k] * bx[l] : 0;
            }
        }
    }
    return factor * sum;
}

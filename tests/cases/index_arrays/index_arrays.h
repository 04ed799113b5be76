#include <stddef.h>
#include <stdlib.h>

typedef struct {
    size_t n;
    double *data;
} vec;

static inline vec *vec_new(size_t n)
{
    vec *v = (vec *)malloc(sizeof *v);
    v->n = n;
    v->data = (double *)calloc(n + 1, sizeof(double));
    return v;
}

static inline void vec_free(vec *v)
{
    free(v->data);
    free(v);
}

static inline void vec_set(vec *v, const double *x)
{
    size_t i;
    for (i = 0; i < v->n; i++) {
        v->data[i] = x[i];
    }
}

static inline void vec_get(const vec *v, double *x)
{
    size_t i;
    for (i = 0; i < v->n; i++) {
        x[i] = v->data[i];
    }
}

static inline void vec_twice(const vec *v, size_t n, double *x)
{
    size_t i;
    for (i = 0; i < n; i++) {
        x[i] = v->data[i / 2];
    }
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

static inline int sizes_alone(int n, const int *ap, const int *ai)
{
    return ap[n] > 0 ? ai[ap[n] - 1] : 0;
}

static inline void expand(int m, const int *indptr, int count, int *rows)
{
    int i, k;
    for (i = 0; i < m; i++) {
        for (k = indptr[i]; k < indptr[i + 1]; k++) {
            rows[k] = i;
        }
    }
    (void)count;
}

static inline long ends(long first, long last, const unsigned char *ap)
{
    return ap[0] == first ? last - first : -1;
}

static inline int beyond(int i, const int *ap, const double *x)
{
    (void)x;
    return ap[i];
}

static inline int huge(const unsigned long long *ap, const double *x)
{
    (void)x;
    return (int)ap[0];
}

static inline void gather(int n, const double *x, int k, const short *idx, double *y)
{
    int i;
    (void)n;
    for (i = 0; i < k; i++) {
        y[i] = x[idx[i]];
    }
}

static inline double area(int n, const double *x, int k, const unsigned *triangles)
{
    double sum = 0;
    int i;
    (void)n;
    for (i = 0; i < 3 * k; i++) {
        sum += x[triangles[i] - 1];
    }
    return sum;
}

static inline double area_columns(int n, const double *x, int k, const unsigned *triangles)
{
    return area(n, x, k, triangles);
}

static inline int fortran_rows(int base, int n, const int *starts, const int *picks)
{
    int i, sum = 0;
    for (i = 0; picks != NULL && i < starts[n] - base; i++) {
        sum += picks[i];
    }
    return sum;
}

static inline void permute(int n, int *p, const int *q)
{
    int i;
    for (i = 0; i < n; i++) {
        p[i] = q[p[i]];
    }
}

static inline int bytes_of(int n, const signed char *i, const unsigned char *j, const unsigned short *k,
                           const unsigned long long *l, const unsigned short *o)
{
    (void)i;
    (void)j;
    (void)k;
    (void)l;
    (void)o;
    return n;
}

static inline double sum(long n, const double *x, long step)
{
    double total = 0;
    for (long i = 0; i < n; i++) total += x[i * step];
    return total;
}

static inline double corner(long m, long n, const double *a, long lda)
{
    return m == 0 || n == 0 ? -1 : a[(m - 1) * lda + n - 1];
}

static inline long step2(long m, long n, const float *a, long row, long column)
{
    return m == 0 || n == 0 || a[0] == 0 ? -1 : row * 1000 + column;
}

static inline void ramp(long n, double *y, long step)
{
    for (long i = 0; i < n; i++) y[i * step] = (double)i;
}

static inline long columns(long m, long n, const double *a, long lda)
{
    return m == 0 || n == 0 || a[0] == 0 ? -1 : lda;
}

/* `const` marks the arrays that are only read; xndtools did not consider it. */
static inline double dot(const int *n, const double *x, double *y)
{
    double sum = 0;
    for (int i = 0; i < *n; i++) sum += x[i] * y[i];
    return sum;
}

static inline void add(int n, const double *x, const double *y, double *z)
{
    for (int i = 0; i < n; i++) z[i] = x[i] + y[i];
}

static inline double exact(int n, const double *x)
{
    return dot(&n, x, (double *)x);
}

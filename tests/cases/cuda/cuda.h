/* The test's tensors only say that they are on a device: what matters here is that C gets their
 * addresses, and that nothing else touches them. */
static inline double total(long n, const double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    return sum;
}
static inline void twice(long m, long n, double *a) { for (long i = 0; i < m * n; i++) a[i] *= 2; }
static inline void ramp(long n, double by, double *y) { for (long i = 0; i < n; i++) y[i] = by * i; }

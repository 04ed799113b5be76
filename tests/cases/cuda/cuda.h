/* The test's tensors only claim to be on a device: this test checks that C receives their
 * addresses, and that nothing else accesses them. */
static inline double total(long n, const double *x)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += x[i];
    return sum;
}
static inline void twice(long m, long n, double *a) { for (long i = 0; i < m * n; i++) a[i] *= 2; }
static inline void ramp(long n, double by, double *y) { for (long i = 0; i < n; i++) y[i] = by * i; }

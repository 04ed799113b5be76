/* Each returns a different number, so that a caller can identify the one that was called. */
static inline int rows(long m, long n, const double *a) { return a[m * n - 1] < 0 ? -1 : 1; }
static inline int columns(long m, long n, const double *a) { return a[m * n - 1] < 0 ? -1 : 2; }
static inline int any(long m, long n, const double *a) { return a[m * n - 1] < 0 ? -1 : 3; }
static inline int rowsf(long m, long n, const float *a) { return a[m * n - 1] < 0 ? -1 : 4; }
static inline int vector(long n, const double *x) { return x[n - 1] < 0 ? -1 : 5; }

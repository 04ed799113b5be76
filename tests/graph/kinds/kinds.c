#include "kinds.h"

double
power(double x, int n, bool negate)
{
    double p = 1;
    for (; n > 0; n--) {
        p *= x;
    }
    return negate ? -p : p;
}

void
scale(index_type n, double *x, double factor)
{
    for (int i = 0; i < n; i++) {
        x[i] *= factor;
    }
}

void
swap(long n, double *x, double *y)
{
    for (long i = 0; i < n; i++) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

void
increment(int *counter, double *total, double by)
{
    *counter += 1;
    *total += by;
}

void
table(double *out, double first)
{
    for (int i = 0; i < 2 * TABLE_SIZE + 1; i++) {
        out[i] = first + i;
    }
}

void
moments(long n, const double *x, long count, double *out, double *work)
{
    for (long i = 0; i < n; i++) {
        work[i] = 1;
    }
    for (long k = 0; k < count; k++) {
        for (long i = 0; i < n; i++) {
            work[i] *= x[i];
            out[k] += work[i];
        }
    }
}

double
weighted(long n, const double *x, const double *weights)
{
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += weights == 0 ? x[i] : x[i] * weights[i];
    }
    return sum;
}

void
shifted(long n, const double *x, const double *offset, double *y)
{
    for (long i = 0; i < n; i++) {
        y[i] = x[i] + (offset == 0 ? -1 : *offset);
    }
}

int
which(enum side side)
{
    return (int)side;
}

void
trace(int n, const double *a, int lda, double *sum)
{
    *sum = 0;
    for (int i = 0; i < n; i++) {
        *sum += a[i * lda + i];
    }
}

void
transposed(long m, long n, const float *a, float *b)
{
    for (long i = 0; i < m * n; i++) {
        b[i] = 2 * a[i];
    }
}

double complex
conjugate(double complex z)
{
    return conj(z);
}

void
rotate(long n, double complex *z, const double complex *by)
{
    for (long i = 0; i < n; i++) {
        z[i] *= *by;
    }
}

void
flags(long n, const int8_t *x, bool *positive, bool *any)
{
    *any = false;
    for (long i = 0; i < n; i++) {
        positive[i] = x[i] > 0;
        *any = *any || positive[i];
    }
}

int
halves(long n, const double *x, double *y)
{
    for (long i = 0; i < n / 2; i++) {
        y[i] = x[2 * i] + x[2 * i + 1];
    }
    return n % 2;
}

int
refuse(int code)
{
    return code;
}

short
small(short n, const double *x)
{
    (void)x;
    return n;
}

void
fill(long n, double *y)
{
    (void)n, (void)y;
}

void
nothing(double x)
{
    (void)x;
}

double
counted(long n, const double *x)
{
    (void)x;
    return (double)n;
}

/* Python's: whether this thread holds the GIL. */
int PyGILState_Check(void);

int
has_lock(long n, const double *x)
{
    (void)n, (void)x;
    return PyGILState_Check();
}

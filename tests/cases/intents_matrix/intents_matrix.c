#include "intents_matrix.h"

double weigh(long m, long n, const double *a)
{
    double sum = 0;
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) {
            sum += (double)((i + 1) * (10 * j + 1)) * a[i * n + j];
        }
    }
    return sum;
}

double weigh_twice(long m, long n, const double *a, double *scratch)
{
    for (long i = 0; i < m * n; i++) {
        scratch[i] += 2 * a[i]; /* hidden memory starts as zeros */
    }
    return weigh(m, n, scratch);
}

void count(long m, long n, double *a)
{
    for (long i = 0; i < m * n; i++) {
        a[i] = 0;
    }
    number(m, n, a);
}

void number(long m, long n, double *a)
{
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) {
            a[i * n + j] += (double)(10 * i + j);
        }
    }
}

#include "intents_vector.h"

double weigh(size_t n, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)(i + 1) * x[i];
    }
    return sum;
}

double weigh_twice(size_t n, const double *x, double *scratch)
{
    for (size_t i = 0; i < n; i++) {
        scratch[i] += 2 * x[i]; /* hidden memory starts as zeros */
    }
    return weigh(n, scratch);
}

void count(size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)i;
    }
}

void number(size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] += 10 * (double)i;
    }
}

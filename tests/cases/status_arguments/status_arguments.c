#include "status_arguments.h"
#include <math.h>

static int live;

void scale_(const int *n, double *x, const double *by, int *info)
{
    *info = *by == 0 ? -3 : isnan(*by) ? 1 : 0;
    if (*info == 0)
        for (int i = 0; i < *n; i++) x[i] *= *by;
}

double root(double x, int *error)
{
    double y = sqrt(fabs(x));
    *error = x < 0 ? ROOTS_NEGATIVE : y * y != x ? ROOTS_INEXACT : ROOTS_OK;
    return y;
}

unsigned long count(size_t n, const double *x, unsigned char *error)
{
    unsigned long found = 0;
    *error = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) *error = 200;
        found += x[i] > 0;
    }
    return found;
}

box *box_new(size_t n, box_code *code)
{
    box *b = n > 100 ? NULL : malloc(sizeof *b);
    *code = n > 100 ? BOX_SIZE : b == NULL ? BOX_MEMORY : BOX_OK;
    if (b == NULL) return NULL;
    b->x = calloc(n + 1, sizeof(double));
    b->n = n;
    live++;
    return b;
}

void box_free(box *b)
{
    if (b == NULL) return;
    live--;
    free(b->x);
    free(b);
}

int boxes(void) { return live; }

double box_at(const box *b, size_t i, box_code *code)
{
    *code = i < b->n ? BOX_OK : BOX_SIZE;
    return i < b->n ? b->x[i] : -1;
}

const char *box_text(box_code code) { return code == BOX_SIZE ? "too large" : NULL; }

void box_copy(const box *b, int fails, box **copy, box_code *code)
{
    *copy = box_new(b->n, code);
    if (fails) *code = BOX_MEMORY;
}

void powers(double x, size_t *n, double *y, int *error)
{
    *error = x == 0;
    if (y == NULL) {
        *n = 3;
        return;
    }
    for (size_t i = 0; i < *n; i++) y[i] = pow(x, (double)i);
}

double quiet(double x, int *error)
{
    if (x < 0) *error = 7;
    return 2 * x;
}

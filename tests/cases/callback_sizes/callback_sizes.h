/* Callbacks that receive arrays without their sizes, which are known to the call, or to an object. */
#include <stddef.h>
#include <stdlib.h>

typedef int (*rates)(double t, const double *y, double *dydt, void *params);

/* Steps of Euler's method; 1: the function has failed. */
static inline int
cz_euler(double *y, size_t n, int steps, rates f, void *params)
{
    double *dydt = (double *)malloc((n + 1) * sizeof(double));
    int status = 0, k;
    size_t i;
    for (k = 0; k < steps && status == 0 && dydt != NULL; k++) {
        status = f(k, y, dydt, params);
        for (i = 0; i < n && status == 0; i++) {
            y[i] += dydt[i];
        }
    }
    status = status != 0 || dydt == NULL || (n > 0 && dydt[0] != dydt[0]);
    free(dydt);
    return status;
}

/* The same system as a struct, as libraries declare it. */
typedef struct {
    rates function;
    int (*jacobian)(double t, const double *y, double *dfdy, double *dfdt, void *params);
    size_t dimension;
    void *params;
} cz_system;

static inline int
cz_trace(const cz_system *s, double *y, double *sum)
{
    double m[16], t[4];
    size_t i;
    int status = s->dimension > 4 ? 2 : s->jacobian == NULL ? 3 : s->jacobian(0, y, m, t, s->params);
    for (i = 0, *sum = 0; i < s->dimension && status == 0; i++) {
        *sum += m[i * s->dimension + i] + t[i];
    }
    return status != 0 ? status : cz_euler(y, s->dimension, 1, s->function, s->params);
}

/* A matrix with m rows and n + 1 columns, without user data: the function is that of the thread. */
static inline double
cz_fill(unsigned char m, long n, void (*fill)(double *a))
{
    double a[64], sum = 0;
    long k;
    if (n < 0 || m * (n + 1) > 64) {
        return -1;
    }
    fill(a);
    for (k = 0; k < m * (n + 1); k++) {
        sum += a[k];
    }
    return sum;
}

/* An object that knows the size of its arrays, and calls a function that it retains. */
typedef struct {
    int n;
    double (*f)(const double *x, void *data);
    void *data;
} cz_model;

static inline cz_model *
cz_model_new(int n)
{
    cz_model *model = (cz_model *)calloc(1, sizeof(cz_model));
    if (model != NULL) {
        model->n = n;
    }
    return model;
}
static inline void cz_model_free(cz_model *model) { free(model); }
static inline int cz_model_size(const cz_model *model) { return model->n; }
static inline void
cz_model_set(cz_model *model, double (*f)(const double *x, void *data), void *data)
{
    model->f = f;
    model->data = data;
}
static inline double
cz_model_at(const cz_model *model, const double *x)
{
    return model->f == NULL ? -1 : model->f(x, model->data);
}
static inline double
cz_model_apply(const cz_model *model, double (*f)(const double *x, void *data), void *data, const double *x)
{
    return f(x, data) + model->n;
}

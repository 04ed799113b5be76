/* Objects that are `void *`, of two kinds, which C frees through the address of the pointer, as UMFPACK does. */
#include <stddef.h>
#include <stdlib.h>

typedef struct { size_t n; double *x; } vh_values;
static int vh_live;

static inline int vh_alive(void) { return vh_live; }

static inline void *vh_shape(size_t n)
{
    size_t *shape = n > 100 ? NULL : (size_t *)malloc(sizeof *shape);
    if (shape != NULL) {
        *shape = n;
        vh_live++;
    }
    return shape;
}

static inline void vh_free_shape(void **shape)
{
    free(*shape);
    *shape = NULL;
    vh_live--;
}

/* A second kind, made from the first, and returned through a pointer. */
static inline int vh_fill(const void *shape, double value, void **values)
{
    vh_values *made = (vh_values *)malloc(sizeof *made);
    if (made == NULL) return -1;
    made->n = *(const size_t *)shape;
    made->x = (double *)calloc(made->n + 1, sizeof(double));
    for (size_t i = 0; i < made->n; i++) made->x[i] = value;
    *values = made;
    vh_live++;
    return 0;
}

/* `how` is 1 where the values are freed, too. */
static inline int vh_free(int how, void **values)
{
    vh_values *old = (vh_values *)*values;
    if (how) free(old->x);
    free(old);
    *values = NULL;
    vh_live--;
    return 0;
}

static inline double vh_sum(void *values)
{
    double sum = 0;
    for (size_t i = 0; i < ((vh_values *)values)->n; i++) sum += ((vh_values *)values)->x[i];
    return sum;
}

static inline void *vh_none(void) { return NULL; }

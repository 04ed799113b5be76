/* Arrays of structs with pointers. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct ua_part { double weight; } ua_part;
typedef enum { UA_SUM, UA_MEAN = 4 } ua_way;
typedef struct { double low, high; } ua_range;

typedef struct {
    const char *name;
    double *data;
    size_t n;
    double scale;
    const double at[2]; /* inside */
    ua_range range;
    int used;           /* must be 0 */
    double result;      /* set by C */
} ua_column;

/* The results of all columns, with the number of characters of their names; 1: a column is empty. */
static inline int
ua_summarize(ua_column *columns, int n, ua_way way, size_t *characters)
{
    int i;
    size_t k;
    *characters = 0;
    for (i = 0; i < n; i++) {
        ua_column *one = &columns[i];
        if (one->used != 0 || one->n == 0) {
            return one->used != 0 ? 2 : 1;
        }
        *characters += strlen(one->name);
        one->result = 0;
        for (k = 0; k < one->n; k++) {
            double x = one->data[k];
            x = x < one->range.low ? one->range.low : x > one->range.high ? one->range.high : x;
            one->result += x * one->scale;
        }
        one->result = (way == UA_MEAN ? one->result / one->n : one->result) + one->at[0] + 10 * one->at[1];
    }
    return 0;
}

/* Weighted parts, and rows of the same length. */
typedef struct {
    ua_part *part;
    const float *row;
    int kind;
} ua_item;

static inline double
ua_weigh(const ua_item *items, size_t n, int width)
{
    double sum = 0;
    size_t i;
    int k;
    for (i = 0; i < n; i++) {
        for (k = 0; k < width; k++) {
            sum += items[i].part->weight * items[i].row[k] * items[i].kind;
        }
    }
    return sum;
}

static inline ua_part *
ua_part_new(double weight)
{
    ua_part *part = (ua_part *)malloc(sizeof(ua_part));
    if (part != NULL) {
        part->weight = weight;
    }
    return part;
}
static inline void ua_part_free(ua_part *part) { free(part); }

/* Changes the data of each. */
typedef struct { double *data; int n; } ua_vec;
static inline void
ua_scale(ua_vec *all, int n, double by)
{
    int i, k;
    for (i = 0; i < n; i++) {
        for (k = 0; k < all[i].n; k++) {
            all[i].data[k] *= by;
        }
    }
}

/* Two arrays of one length. */
typedef struct { const double *x, *y; int n; } ua_curve;
static inline void
ua_areas(const ua_curve *curves, int count, double *areas)
{
    int i, k;
    for (i = 0; i < count; i++) {
        areas[i] = 0;
        for (k = 1; k < curves[i].n; k++) {
            areas[i] += (curves[i].x[k] - curves[i].x[k - 1]) * (curves[i].y[k] + curves[i].y[k - 1]) / 2;
        }
    }
}

/* No pointers. */
typedef struct { double x; int tag; } ua_spot;
static inline double
ua_shift(ua_spot *spots, size_t n, double by)
{
    double sum = 0;
    size_t k;
    for (k = 0; k < n; k++) {
        spots[k].x += by;
        sum += spots[k].tag;
    }
    return sum;
}

/* A tag says which member of the union is valid. */
typedef enum { UA_BALL = 1, UA_MESH = 2 } ua_kind;
typedef struct {
    ua_kind kind;
    union {
        double radius;
        struct { const double *points; int count; } mesh;
    } as;
} ua_shape;
static inline double
ua_extent(const ua_shape *shapes, int n)
{
    double sum = 0;
    int i, k;
    for (i = 0; i < n; i++) {
        if (shapes[i].kind == UA_BALL) {
            sum += 2 * shapes[i].as.radius;
        }
        for (k = 0; shapes[i].kind == UA_MESH && k < shapes[i].as.mesh.count; k++) {
            sum += shapes[i].as.mesh.points[k];
        }
    }
    return sum;
}

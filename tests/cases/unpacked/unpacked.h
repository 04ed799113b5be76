/* Structs with pointers, as C libraries pass them. */
#ifndef UNPACKED_H
#define UNPACKED_H

#include <stdbool.h>
#include <stddef.h>

#define NAME_SIZE 16

/* An array and its length. */
struct vec {
    const double *data;
    size_t n;
};
double dot(struct vec a, const struct vec *b);
double total(const struct vec *);

/* As in libsamplerate: input, output, their lengths, and what C has used of them. */
typedef struct {
    const float *in;
    float *out;
    long in_count, out_count;
    long used, written;
    double ratio;
} resampling;
int resample(resampling *data, int channels);
extern long resamplings;

/* Arrays inside of the struct, by value and set by C. */
typedef struct {
    double taps[3];
    char label[NAME_SIZE];
    int counts[2][2];
    bool done;
    float level;
} filter;
int filter_run(filter *f, double factor);
double filter_gain(filter f);

/* An object that keeps the array. */
typedef struct view view;
view *view_new(const struct vec *v);
void view_free(view *v);
double view_at(const view *v, size_t index);

/* Strings, an owned result, a return code. */
struct greeting {
    const char *who;
    const char *how;
    char *text;
    const char *language;
    int error;
};
void greet(struct greeting *g);
void release(void *memory);
long alive(void);

/* An object, one that C creates, and a plain struct. */
typedef struct counter counter;
typedef struct { int low, high; } range;
counter *counter_new(int start);
void counter_free(counter *c);
int counter_value(const counter *c);
struct sum {
    counter *left;
    const counter *right;
    range limits;
    const range *more;
    counter *made;
};
int add(struct sum *s);

/* Structs in structs: as a member, and by its address. */
struct weights {
    const double *values;
    size_t n;
    double scale;
};
struct problem {
    struct vec x;
    struct weights w;
    const struct weights *prior;
    double shift;
};
double solve(const struct problem *p, double shift);

/* A callback and its user data. */
struct quadrature {
    double (*f)(double x, void *data);
    void *data;
    double a, b;
    int steps;
    double result;
};
int integrate(struct quadrature *q);

/* A union with a tag. */
enum { VALUE_NUMBER, VALUE_STRING, VALUE_ARRAY };
struct value {
    int type;
    union {
        double number;
        const char *string;
        struct vec array;
    } as;
};
double measure(const struct value *v);

/* Structs as results: memory that the caller frees, arrays inside of the struct, a return code. */
struct points {
    double *data;
    size_t n;
    int error;
};
struct points spaced(double first, double last, size_t n);
struct summary {
    double mean;
    double extremes[2];
    char label[NAME_SIZE];
    const char *unit;
};
struct summary summarize(struct vec v);

/* Arrays of strings and of objects. */
struct labels {
    const char *const *names;
    int n;
    counter *const *counters;
};
double labelled(const struct labels *l);

/* A complex number, and a pointer to one value. */
struct scaling {
    double _Complex factor;
    double _Complex *data;
    int n;
    const int *offset;
    double *norm;
};
void scale(struct scaling *s);
#endif

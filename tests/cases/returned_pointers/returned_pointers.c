#include "returned_pointers.h"

#include <stdlib.h>
#include <string.h>

/* Of any thread. */
static long count;

long alive(void) { return __atomic_load_n(&count, __ATOMIC_SEQ_CST); }

static void *taken(size_t size) {
    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    return malloc(size > 0 ? size : 1);
}

void release(void *memory) {
    __atomic_sub_fetch(&count, 1, __ATOMIC_SEQ_CST);
    free(memory);
}

void release_text(char *text) { release(text); }

const char *name(int which) {
    static const char *const names[] = {"zero", "eins", "d\xc3\xa9ux"};
    return which < 0 || which > 2 ? NULL : names[which];
}

char *joined(const char *a, const char *b) {
    char *text = (char *)taken(strlen(a) + strlen(b) + 1);
    strcpy(text, a);
    return strcat(text, b);
}

char *lowered(const char *text) {
    static char lower[16];
    size_t i;
    for (i = 0; text[i] != 0 && i < 15; i++) {
        lower[i] = (char)(text[i] | 32);
    }
    lower[i] = 0;
    return lower;
}

const char *broken(void) { return "\xff"; }

double *range(double start, size_t *n) {
    double *x;
    size_t i;
    if (start < 0) {
        *n = start < -1 ? 3 : 0;
        return NULL;
    }
    *n = (size_t)start;
    x = (double *)taken(*n * sizeof(double));
    for (i = 0; i < *n; i++) {
        x[i] = start + (double)i;
    }
    return x;
}

int *grid(int m, int n) {
    int *x = (int *)taken((size_t)m * (size_t)n * sizeof(int)), i;
    for (i = 0; i < m * n; i++) {
        x[i] = i;
    }
    return x;
}

const int *primes(void) {
    static const int primes[] = {2, 3, 5, 7};
    return primes;
}

double *tail(double *x, long n, long from) { return from > n ? NULL : x + from; }

const double *larger(const double *x, long m, const double *y, long n) {
    return m > n ? x : y;
}

unsigned char *random_bytes(long n, long *made) {
    unsigned char *data = (unsigned char *)taken((size_t)n);
    memset(data, 4, (size_t)n);
    *made = n;
    return data;
}

void *raw(const void *data, size_t size) {
    void *copy = taken(size);
    memcpy(copy, data, size);
    return copy;
}

const unsigned char *look(const unsigned char *data, long n, long from) {
    return from > n ? NULL : data + from;
}

double *rest(const double *x, long n, long from) {
    return from > n ? NULL : (double *)x + from;
}

unsigned char *rest_of_bytes(const unsigned char *data, long n, long from) {
    return from > n ? NULL : (unsigned char *)data + from;
}

int describe(int code, char **text) {
    if (code == 3) {
        return 0; /* and no text */
    }
    *text = (char *)taken(8);
    strcpy(*text, code == 2 ? "\xfe" : "text");
    return code == 1;
}

int split(const double *x, long n, double **low, size_t *nlow, double **high, size_t *nhigh) {
    long i;
    *low = (double *)taken((size_t)n * sizeof(double));
    *high = (double *)taken((size_t)n * sizeof(double));
    *nlow = *nhigh = 0;
    for (i = 0; i < n; i++) {
        if (x[i] < 0) {
            (*low)[(*nlow)++] = x[i];
        }
        else {
            (*high)[(*nhigh)++] = x[i];
        }
    }
    return n == 0;
}

int message(int code, const char **text) {
    *text = name(code);
    return 0;
}

int bytes_of(int n, unsigned char **data, int *size) {
    *data = (unsigned char *)taken((size_t)(n < 0 ? 0 : n));
    memset(*data, 'x', (size_t)(n < 0 ? 0 : n));
    *size = n;
    return 0;
}

int both(char **a, char **b) {
    *a = joined("a", "1");
    *b = joined("\xff", "");
    return 0;
}

double *wrong_shape(int n) {
    double *x = (double *)taken(8);
    (void)n;
    x[0] = 1;
    return x;
}

char *raw_text(const void *data, size_t size) { return (char *)raw(data, size); }

struct box {
    long n;
    double data[8];
};

box *box_new(long n) {
    box *b = (box *)taken(sizeof(box));
    b->n = n;
    for (n = 0; n < 8; n++) {
        b->data[n] = (double)n;
    }
    return b;
}

void box_free(box *b) { release(b); }

double *box_data(box *b, long *n) {
    *n = b->n;
    return b->data;
}

const char *box_name(const box *b) { return b->n > 1 ? "boxes" : "box"; }

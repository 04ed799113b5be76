/* Arrays and rows whose ends C finds by their last elements, as in libsvm. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define TE_END -7

/* Up to 0, and up to TE_END. */
static inline long
te_product(const int *x)
{
    long product = 1;
    for (; *x != 0; x++) {
        product *= *x;
    }
    return product;
}
static inline double
te_sum(const double *x, int *count)
{
    double sum = 0;
    *count = 0;
    for (; x != NULL && *x != TE_END; x++, ++*count) {
        sum += *x;
    }
    return sum;
}

/* The elements of all rows, each up to -1; a row that begins with -2 is an error. */
static inline int
te_count(const short *const *rows, int m, int *all)
{
    int i;
    for (i = 0, *all = 0; i < m; i++) {
        const short *at = rows[i];
        if (*at == -2) {
            return i + 1;
        }
        for (; *at != -1; at++) {
            ++*all;
        }
    }
    return 0;
}

/* The characters of strings, up to a NULL. */
static inline size_t
te_letters(const char *const *names)
{
    size_t letters = 0;
    for (; *names != NULL; names++) {
        letters += strlen(*names);
    }
    return letters;
}

/* An object that refers to rows. */
typedef struct {
    double **rows;
    int m;
} te_table;

static inline te_table *
te_table_new(double **rows, int m)
{
    te_table *table = (te_table *)malloc(sizeof(te_table));
    if (table != NULL) {
        table->rows = rows;
        table->m = m;
    }
    return table;
}
static inline void te_table_free(te_table *table) { free(table); }
static inline void te_table_set(te_table *table, double **rows, int m) { table->rows = rows, table->m = m; }
static inline double
te_table_sum(const te_table *table)
{
    double sum = 0;
    int i, count;
    for (i = 0; i < table->m; i++) {
        sum += (i + 1) * te_sum(table->rows[i], &count);
    }
    return sum;
}

#ifndef STRUCT_LENGTHS_H
#define STRUCT_LENGTHS_H

#include <stddef.h>
#include <string.h>

/* Strings that do not end where their memory does. */
typedef struct {
    const char *name;
    size_t name_length;
    const char *unit;
    unsigned char unit_length;
    const double *data;
    int n;
} column;

static inline size_t letters(const column *columns, size_t m)
{
    size_t sum = 0;
    for (size_t k = 0; k < m; k++) sum += columns[k].name_length + 1000 * columns[k].unit_length;
    return sum;
}

static inline double sum(const column *columns, size_t m, char initial)
{
    double all = 0;
    for (size_t k = 0; k < m; k++) {
        if (columns[k].name_length == 0 || columns[k].name[0] != initial) continue;
        for (int i = 0; i < columns[k].n; i++) all += columns[k].data[i];
    }
    return all;
}

/* The last letter of each name. */
static inline void ends(const column *columns, size_t m, char *letters)
{
    for (size_t k = 0; k < m; k++) letters[k] = columns[k].name[columns[k].name_length - 1];
}

#endif

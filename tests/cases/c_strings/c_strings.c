#include "c_strings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t length(const char *s) { return strlen(s); }

long known(const char *s, long n) { return (long)strlen(s) == n ? n : -1; }

int is_null(const char *s) { return s == NULL; }

char first(const char *mode) { return mode[0]; }

int version(const char *wanted) { return strcmp(wanted, STRINGS_MODE) == 0; }

int same(char *a, const char *b) { return strcmp(a, b) == 0; }

double number(double x) { return 2 * x; }

double parsed(const char *x) { return atof(x); }

long counted(const unsigned char *x, long n) { return x == NULL ? -1 : n; }

void greet(const char *name, char *buffer, size_t size) { snprintf(buffer, size, "hello %s", name); }

int fill(char *buffer, int size, int byte, int terminated) {
    memset(buffer, byte, (size_t)size);
    if (terminated && size > 0) {
        buffer[size - 1] = 0;
    }
    return size;
}

long total(const void *data, size_t size) {
    long sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum += ((const unsigned char *)data)[i];
    }
    return sum;
}

void reversed(const Byte *data, Byte *out, size_t n) {
    for (size_t i = 0; i < n; i++) {
        out[i] = data[n - 1 - i];
    }
}

void mirror(Byte *data, size_t n) {
    for (size_t i = 0; i < n / 2; i++) {
        Byte b = data[i];
        data[i] = data[n - 1 - i];
        data[n - 1 - i] = b;
    }
}

Length pack_bound(Length n) { return 2 * n; }

/* Run lengths, which are longer than the input if nothing repeats. */
int pack(Byte *dest, Length *destLen, const Byte *source, Length sourceLen, int level) {
    Length at = 0;
    for (Length i = 0; i < sourceLen;) {
        Length run = 1;
        while (i + run < sourceLen && source[i + run] == source[i] && run < 255) {
            run++;
        }
        if (at + 2 > *destLen) {
            return level;
        }
        dest[at++] = (Byte)run;
        dest[at++] = source[i];
        i += run;
    }
    *destLen = at;
    return 0;
}

int upto(double *y, int capacity, double limit, size_t *n) {
    *n = 0;
    for (int i = 0; i < capacity && i < limit; i++) {
        y[(*n)++] = i;
    }
    return 7;
}

int evens(const int *x, int n, int *y) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] % 2 == 0) {
            y[count++] = x[i];
        }
    }
    return count;
}

void rows(double *a, int *m, int n) {
    for (int i = 0; i < *m * n; i++) {
        a[i] = i;
    }
    *m -= 1;
}

void lie(double *y, int capacity, int says, int *n) {
    memset(y, 0, (size_t)capacity * sizeof(double));
    *n = says;
}

int count_words(const char *text, size_t *n) { return words(text, NULL, n); }

/* Where words start; without an array, their number. */
int words(const char *text, long *starts, size_t *n) {
    size_t count = 0, i;
    for (i = 0; text[i] != 0; i++) {
        if (text[i] == '?') {
            return starts == NULL ? 3 : 4;
        }
        if (text[i] != ' ' && (i == 0 || text[i - 1] == ' ')) {
            if (starts != NULL) {
                starts[count] = (long)i;
            }
            count++;
        }
    }
    *n = count;
    return 0;
}

size_t joined(const char *a, const char *b, char *buffer, size_t size) {
    int length = snprintf(buffer, size, "%s %s", a, b);
    return length < 0 ? 0 : (size_t)length + 1;
}

double scaled(double x, const char *unit) { return unit == NULL || *unit != 'k' ? x : 1000 * x; }

size_t unpacked_size(const void *packed, size_t n) {
    return n < 2 ? (size_t)-1 : *(const unsigned char *)packed;
}

int unpack(unsigned char *to, size_t room, const void *packed, size_t n) {
    (void)n;
    memset(to, ((const unsigned char *)packed)[1], room);
    return 0;
}

double weigh(const char *text, size_t count, const double *weights) {
    double sum = 0;
    (void)text;
    for (size_t i = 0; i < count; i++) sum += weights[i];
    return sum;
}

int first_words(const char *text, long *starts, size_t count, size_t room, size_t most) {
    long all[64];
    size_t n;
    if (count > 64 || room > most || words(text, all, &n) != 0 || n != count) {
        return 9;
    }
    memcpy(starts, all, room * sizeof(long));
    return 0;
}

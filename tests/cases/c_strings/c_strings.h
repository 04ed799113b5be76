#ifndef STRINGS_H
#define STRINGS_H

#include <stddef.h>

#define STRINGS_MODE "rw"
#define STRINGS_NONE NULL

typedef unsigned char Byte;
typedef unsigned long Length;

size_t length(const char *s);
long known(const char *s, long n);
int is_null(const char *s);
char first(const char *mode);
int version(const char *wanted);
int same(char *a, const char *b);
double number(double x);
double parsed(const char *x);
long counted(const unsigned char *x, long n);
void greet(const char *name, char *buffer, size_t size);
int fill(char *buffer, int size, int byte, int terminated);
long total(const void *data, size_t size);
void reversed(const Byte *data, Byte *out, size_t n);
void mirror(Byte *data, size_t n);
int pack(Byte *dest, Length *destLen, const Byte *source, Length sourceLen, int level);
Length pack_bound(Length n);
int upto(double *y, int capacity, double limit, size_t *n);
int evens(const int *x, int n, int *y);
void rows(double *a, int *m, int n);
void lie(double *y, int capacity, int says, int *n);

int words(const char *text, long *starts, size_t *n);
int first_words(const char *text, long *starts, size_t count, size_t room, size_t most);
int count_words(const char *text, size_t *n);
size_t unpacked_size(const void *packed, size_t n);
int unpack(unsigned char *to, size_t room, const void *packed, size_t n);
double weigh(const char *text, size_t count, const double *weights);
size_t joined(const char *a, const char *b, char *buffer, size_t size);
double scaled(double x, const char *unit);

#endif

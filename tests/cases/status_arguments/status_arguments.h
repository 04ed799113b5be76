/* Functions that write their return code through a pointer, as LAPACK, bzip2, libsamplerate and PCRE2 do. */
#include <stddef.h>
#include <stdlib.h>

enum { ROOTS_OK, ROOTS_NEGATIVE, ROOTS_INEXACT };
typedef enum { BOX_OK, BOX_SIZE, BOX_MEMORY } box_code;
typedef struct { double *x; size_t n; } box;

/* As LAPACK: the code comes last, and every argument is a pointer. */
void scale_(const int *n, double *x, const double *by, int *info);
/* A result and a code. */
double root(double x, int *error);
unsigned long count(size_t n, const double *x, unsigned char *error);
/* A pointer and a code, which explains NULL. */
box *box_new(size_t n, box_code *code);
void box_free(box *b);
int boxes(void);
double box_at(const box *b, size_t i, box_code *code);
const char *box_text(box_code code);
/* The code comes with an object that was made all the same. */
void box_copy(const box *b, int fails, box **copy, box_code *code);
/* If `y` is NULL, it only stores the size of the result. */
void powers(double x, size_t *n, double *y, int *error);
/* The code is left alone unless something is wrong. */
double quiet(double x, int *error);

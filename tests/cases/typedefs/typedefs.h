#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t index_t;
typedef size_t count_t;
typedef double real;
typedef float _Complex cplx;
typedef bool flag_t;

real sum(index_t n, const real *x);
void make_index(count_t n, index_t *y);
void turn(cplx *z, flag_t twice);

#include <stdbool.h>

bool negate(bool b);
long count(long n, const bool *mask);
void flip(long n, bool *mask, bool *any);
void positive(long n, const double *x, bool *mask);

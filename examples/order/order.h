/* Order statistics, in Rust (src/lib.rs). */
#ifndef ORDER_H
#define ORDER_H

#include <stddef.h>

/* Return codes. order_message() describes the last failure on this thread in more detail, in UTF-8. */
enum { ORDER_DONE = 0, ORDER_REFUSED = 1, ORDER_PANICKED = 2 };
const char *order_message(void);

int order_nth(size_t n, const double *x, size_t k, double *value);
int order_median(size_t n, const double *x, double *value);

#endif

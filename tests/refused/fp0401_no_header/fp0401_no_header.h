/* The included header does not exist. */
#include "no_such_header.h"

FP_STATUS int f(int x);

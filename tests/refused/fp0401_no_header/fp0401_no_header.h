/* What it includes is not there. */
#include "no_such_header.h"

FP_STATUS int f(int x);

/* An annotated header that declares nothing itself: what it includes is not part of it. */
#include <fishplate.h>
#include <math.h>

FP_MODULE(doc, "Nothing.")

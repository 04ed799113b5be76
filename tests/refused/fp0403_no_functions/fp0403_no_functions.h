/* An annotated header that declares nothing itself: included files are not part of it. */
#include <fishplate.h>
#include <math.h>

FP_MODULE(doc, "Nothing.")

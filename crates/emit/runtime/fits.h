/* Fits: how well a value fits a parameter, for the choice of an overload. FP_UNDECIDED: the value must be classified. */
typedef enum { FP_UNDECIDED = -1, FP_NO_FIT, FP_LOSSY, FP_ROUNDS, FP_CASTS, FP_EXACT } fp_fit;

/* The fit of a value for a parameter whose type only the header of its kind knows; FP_UNDECIDED for any other. Each of
 * these headers redefines the macro as a function, which leaves other types to the kinds before it. */
#define FP_FIT_OF_KIND(...) FP_UNDECIDED

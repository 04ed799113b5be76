/* Complex numbers under a name of the headers: C's own by a typedef, or a struct of two floats, as
 * in LAPACK and CUDA. Both have the same memory layout (C99 6.2.5p13). */

#ifdef __cplusplus
#include <type_traits>
#define FP_IF_RECORD(T, A, B) std::conditional<std::is_class<T>::value, A, B>::type
/* A constant that only such a wide float represents: in C++, braces refuse to narrow a constant
 * that does not fit. */
#define FP_ONLY_float 1e38f
#define FP_ONLY_double 1e300
#else
#define FP_IS_RECORD(T) (__builtin_classify_type(*(T *)0) == 12)
#define FP_IF_RECORD(T, A, B) __typeof__(__builtin_choose_expr(FP_IS_RECORD(T), *(A *)0, *(B *)0))
/* In C, compilers can be told to refuse a constant that loses digits. */
#define FP_ONLY_float 0.1f
#define FP_ONLY_double 0.1
#endif

typedef struct {
    float parts[2];
} fp_two_float;
typedef struct {
    double parts[2];
} fp_two_double;

/* Type T must be as large as two PARTs and complex, or a struct of two members, which are PARTs:
 * their names are unknown, so the check initialises two of T with four numbers. */
#define FP_CONFIRM_PAIR(ID, T, PART, NAME)                                                      \
    FP_ASSERT(sizeof(T) == 2 * sizeof(PART) && FP_CLASS(FP_IF_RECORD(T, PART _Complex, T)) == 9, \
              #T " is not " NAME " here");                                                      \
    _Pragma("GCC diagnostic push")                                                              \
    _Pragma("GCC diagnostic ignored \"-Wmissing-braces\"")                                      \
    _Pragma("GCC diagnostic error \"-Wfloat-conversion\"")                                      \
    _Pragma("GCC diagnostic error \"-Wconversion\"")                                            \
    static const FP_IF_RECORD(T, T, fp_two_##PART) fp_pairs_##ID[] __attribute__((unused)) =    \
        {FP_ONLY_##PART, FP_ONLY_##PART, FP_ONLY_##PART, FP_ONLY_##PART};                       \
    _Pragma("GCC diagnostic pop")                                                               \
    FP_ASSERT(sizeof(fp_pairs_##ID) == 4 * sizeof(PART), #T " is no struct of two " #PART)

/* V as a T, where C's own type is COMPLEX: a number, or a T already. */
#define FP_AS_COMPLEX(T, COMPLEX, V)                                                            \
    __extension__({                                                                             \
        FP_IF_RECORD(__typeof__(V), T, COMPLEX) fp_from = (V);                                  \
        T fp_to;                                                                                \
        memcpy((void *)&fp_to, &fp_from, sizeof fp_to);                                         \
        fp_to;                                                                                  \
    })

/* A part of a complex number of SIZE bytes: 0 is the real one. */
static inline double
fp_complex_part(const void *number, size_t size, int part)
{
    float small[2];
    double large[2];
    if (size == sizeof small) {
        memcpy(small, number, sizeof small);
        return (double)small[part];
    }
    memcpy(large, number, sizeof large);
    return large[part];
}
/* The parts of a complex variable, as two arguments. */
#define FP_COMPLEX_PARTS(V) fp_complex_part(&(V), sizeof(V), 0), fp_complex_part(&(V), sizeof(V), 1)

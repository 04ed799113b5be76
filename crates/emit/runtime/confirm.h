/* Agreement with the headers: what the compiler is asked to confirm when a module is compiled. */

/* C passes a `void *` as any pointer; in C++ this stands for it. */
#ifdef __cplusplus
struct fp_any_pointer {
    void *data;
    template <class T> operator T *() const { return static_cast<T *>(data); }
};
#define FP_POINTER(p) (fp_any_pointer{(void *)(p)})
#define FP_ASSERT(condition, text) static_assert(condition, text)
#define FP_BEGIN_C extern "C" {
#define FP_END_C }
#define FP_ZEROED {} /* a struct, in an initialiser */
#else
#define FP_POINTER(p) ((void *)(p))
#define FP_ASSERT(condition, text) _Static_assert(condition, text)
#define FP_BEGIN_C
#define FP_END_C
#define FP_ZEROED {0}
#endif
/* The elements of an array. */
#define FP_DATA(x) FP_POINTER((x).data)

/* Type T must be a number of this kind and of SIZE bytes. The class comes first: of a floating T, the
 * sign would be no constant expression. 8 and 9: gcc's classes of real and complex types. */
#define FP_CONFIRM(T, SIZE, IS_CLASS, NAME) \
    FP_ASSERT(sizeof(T) == SIZE && (IS_CLASS), #T " is not " NAME " here")
#define FP_CLASS(T) __builtin_classify_type((T)0)
/* In C++ an enum has a class of its own, and no sign. */
#define FP_IS_ENUM(T) (FP_CLASS(T) == 3)
#define FP_CONFIRM_SIGNED(T, SIZE, NAME)                                                        \
    FP_CONFIRM(T, SIZE, FP_CLASS(T) < 8, NAME);                                                 \
    FP_ASSERT(FP_IS_ENUM(T) || (T)-1 < (T)1, #T " is unsigned here, not " NAME)
#define FP_CONFIRM_UNSIGNED(T, SIZE, NAME)                                                      \
    FP_CONFIRM(T, SIZE, FP_CLASS(T) < 8, NAME);                                                 \
    FP_ASSERT(FP_IS_ENUM(T) || (T)-1 > (T)1, #T " is signed here, not " NAME)
#define FP_CONFIRM_BOOL(T, SIZE, NAME)                                                          \
    FP_CONFIRM(T, SIZE, FP_CLASS(T) < 8, NAME);                                                 \
    FP_ASSERT((T)2 == (T)1, #T " is not " NAME " here")
#define FP_CONFIRM_FLOAT(T, SIZE, NAME) FP_CONFIRM(T, SIZE, FP_CLASS(T) == 8, NAME)
#define FP_CONFIRM_COMPLEX(T, SIZE, NAME) FP_CONFIRM(T, SIZE, FP_CLASS(T) == 9, NAME)

/* The C function F, as the headers declare it, must have this type. A wrong interface ends here, at
 * a #line of its own, instead of in a crash. */
#define FP_AGREES(ID, F, TYPE) \
    static const __typeof__(TYPE) fp_agrees_##ID __attribute__((unused)) = F

/* The function of C++ that has this type, whatever else has its name: `FP_CALLEE(0, int (*)(int)) = lib::f;` */
#define FP_CALLEE(ID, TYPE) static const __typeof__(TYPE) fp_callee_##ID __attribute__((unused))

/* The same where the header may also write the type as OTHER: tensors as arrays of arrays, complex
 * pointers as void pointers. The compiler's message speaks of TYPE. */
#ifdef __cplusplus
#define FP_AGREES_OR(ID, F, TYPE, OTHER) \
    static const __typeof__(&F) fp_agrees_##ID __attribute__((unused)) = F
#define FP_OR(F, TYPE, OTHERS) &F
#define FP_AGREES_AS(ID, F, TYPES) FP_AGREES_OR(ID, F, , )
#define FP_HAS_TYPE(F, TYPE) 0
#else
#define FP_HAS_TYPE(F, TYPE) __builtin_types_compatible_p(__typeof__(&F), TYPE)
#define FP_OR(F, TYPE, OTHERS) __builtin_choose_expr(FP_HAS_TYPE(F, TYPE), (TYPE)0, OTHERS)
#define FP_AGREES_AS(ID, F, TYPES) \
    static const __typeof__(TYPES) fp_agrees_##ID __attribute__((unused)) = F
#define FP_AGREES_OR(ID, F, TYPE, OTHER) FP_AGREES_AS(ID, F, FP_OR(F, OTHER, (TYPE)0))
/* A pointer type that differs is a warning to older compilers. */
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#endif

/* Discards a `const`, of which compilers warn, where the condition holds: a prototype lacks one that the header
 * has. Only where the warning is understood: it is no mistake. */
#if defined(FP_WARN_OF_CONST) && !defined(__cplusplus)
#ifdef __clang__ /* to which this is a pointer type that differs; an error that is ignored may become a warning */
#define FP_CONST_IS_A_WARNING                                                                   \
    _Pragma("GCC diagnostic ignored \"-Wincompatible-pointer-types-discards-qualifiers\"")      \
    _Pragma("GCC diagnostic warning \"-Wincompatible-pointer-types-discards-qualifiers\"")
#else
#define FP_CONST_IS_A_WARNING
#endif
#define FP_LACKS_CONST(ID, ...)                                                                 \
    _Pragma("GCC diagnostic push") FP_CONST_IS_A_WARNING                                        \
    static char *const fp_lacks_const_##ID __attribute__((unused)) =                            \
        __builtin_choose_expr(__VA_ARGS__, (const char *)0, (char *)0);                         \
    _Pragma("GCC diagnostic pop") FP_ASSERT(1, "")
#else
#define FP_LACKS_CONST(ID, ...) FP_ASSERT(1, "")
#endif

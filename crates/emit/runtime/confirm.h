/* Agreement with the headers: checks that run when a module is compiled. */

/* C converts a `void *` to any pointer type; in C++ this macro does so. */
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

/* Checks that type T is a number of this kind and of SIZE bytes. The class is compared first, because
 * the sign of a floating T is not a constant expression. 8 and 9 are gcc's classes of real and complex
 * types. */
#define FP_CONFIRM(T, SIZE, IS_CLASS, NAME) \
    FP_ASSERT(sizeof(T) == SIZE && (IS_CLASS), #T " is not " NAME " here")
#define FP_CLASS(T) __builtin_classify_type((T)0)
/* In C++ an enum has a separate class, and no sign. */
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

/* Checks that the C function F has this type in the headers. A wrong interface thus ends in a compiler
 * error, at its own #line, instead of in a crash. */
#define FP_AGREES(ID, F, TYPE) \
    static const __typeof__(TYPE) fp_agrees_##ID __attribute__((unused)) = F

/* Checks that the field NAME of CLASS has this type, or one of these two: that of a pointer without `const`. */
#ifdef __cplusplus
#define FP_HAS_FIELD(CLASS, NAME, ...)                                                              \
    static_assert(std::is_same<std::remove_cv_t<decltype(std::declval<CLASS &>().NAME)>,            \
                               std::remove_cv_t<__VA_ARGS__>>::value,                               \
                  "the field '" #NAME "' is not a " #__VA_ARGS__)
#define FP_HAS_FIELD_OR(CLASS, NAME, TYPE, OTHER)                                                   \
    static_assert(std::is_same<std::remove_cv_t<decltype(std::declval<CLASS &>().NAME)>, TYPE>::value || \
                      std::is_same<std::remove_cv_t<decltype(std::declval<CLASS &>().NAME)>, OTHER>::value, \
                  "the field '" #NAME "' is not a " #TYPE)
#else
#define FP_HAS_FIELD_OR(CLASS, NAME, TYPE, OTHER)                                                   \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((CLASS *)0)->NAME), TYPE)               \
                       || __builtin_types_compatible_p(__typeof__(((CLASS *)0)->NAME), OTHER),      \
                   "the field '" #NAME "' is not a " #TYPE)
#define FP_HAS_FIELD(CLASS, NAME, ...)                                                              \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((CLASS *)0)->NAME), __VA_ARGS__),   \
                   "the field '" #NAME "' is not a " #__VA_ARGS__)
#endif

/* The C++ function of this type, whichever overloads share its name:
 * `FP_CALLEE(0, int (*)(int)) = lib::f;` */
#define FP_CALLEE(ID, ...) static const __typeof__(__VA_ARGS__) fp_callee_##ID __attribute__((unused))

/* The same check if the header may also declare the type as OTHER: tensors as arrays of arrays, pointers as
 * void pointers. The compiler's message names TYPE. */
#ifdef __cplusplus
#define FP_AGREES_OR(ID, F, TYPE, OTHER) \
    static const __typeof__(&F) fp_agrees_##ID __attribute__((unused)) = F
#define FP_OR(F, TYPE, OTHERS) &F
#define FP_AGREES_AS(ID, F, TYPES) FP_AGREES_OR(ID, F, , )
#define FP_HAS_TYPE(F, TYPE) 0
#else
/* The type of a parameter that the header declares as one of these pointers. */
#define FP_EITHER(TYPED, UNTYPED) \
    union { TYPED typed; UNTYPED untyped; } __attribute__((transparent_union))
#define FP_EITHER_ROWS(TYPED, UNTYPED, ROWS) \
    union { TYPED typed; UNTYPED untyped; __typeof__(ROWS) rows; } __attribute__((transparent_union))
/* The same for a pointer to T with or without `const`. */
#define FP_CONST_OR_NOT(T) \
    union { T *a; const T *b; void *c; const void *d; } __attribute__((transparent_union))
#define FP_CONST_OR_NOT_ROWS(T)                                                                 \
    union { T *a; const T *b; void *c; const void *d; T (*e)[]; const T (*f)[]; }               \
    __attribute__((transparent_union))
#define FP_HAS_TYPE(F, TYPE) __builtin_types_compatible_p(__typeof__(&F), TYPE)
#define FP_OR(F, TYPE, OTHERS) __builtin_choose_expr(FP_HAS_TYPE(F, TYPE), (TYPE)0, OTHERS)
#define FP_AGREES_AS(ID, F, TYPES) \
    static const __typeof__(TYPES) fp_agrees_##ID __attribute__((unused)) = F
#define FP_AGREES_OR(ID, F, TYPE, OTHER) FP_AGREES_AS(ID, F, FP_OR(F, OTHER, (TYPE)0))
#endif

/* Makes the compiler warn of a discarded `const` if the condition holds: the prototype lacks one that
 * the header has. FP_WARN_OF_CONST is defined only by builds that interpret the warning, because such a
 * prototype is not an error. */
#if defined(FP_WARN_OF_CONST) && !defined(__cplusplus)
#ifdef __clang__ /* to clang, an incompatible pointer type, which is an error; only an ignored error can become
                    a warning */
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

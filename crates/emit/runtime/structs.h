/* Structs: checks of their fields by the compiler. */

#define FP_FIELD(T, F) (((T *)0)->F)
#define FP_FIELD_TYPE(T, F) __typeof__(FP_FIELD(T, F))
#ifdef __cplusplus
#include <type_traits>
#define FP_SAME_TYPE(A, B) (std::is_same<std::remove_cv<A>::type, B>::value)
#define FP_CONFIRM_STRUCT(T) \
    FP_ASSERT(std::is_trivially_copyable<T>::value && std::is_standard_layout<T>::value, #T " is not a plain struct")
#else
#define FP_SAME_TYPE(A, B) (__builtin_types_compatible_p(A, B))
#define FP_CONFIRM_STRUCT(T) FP_ASSERT(sizeof(T) > 0, #T " is not a struct")
#endif
/* The field F must be COUNT elements of type E, one of which is ELEMENT: `m[0]`. */
#define FP_CONFIRM_FIELD(T, F, ELEMENT, E, COUNT)                                               \
    FP_ASSERT(sizeof(FP_FIELD(T, F)) == (COUNT) * sizeof(E)                                     \
                  && sizeof(FP_FIELD(T, ELEMENT)) == sizeof(E),                                 \
              #T "." #F " is not as large as that")

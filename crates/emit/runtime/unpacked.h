/* Structs that are unpacked: checks of their members, and copies of arrays inside of them. */

/* True if the member is an array inside of the struct, and no pointer to one, which may be untyped. */
#ifdef __cplusplus
#define FP_AS_POINTER(MEMBER) +(MEMBER)
#else
#define FP_AS_POINTER(MEMBER) 1 ? (MEMBER) : (MEMBER)
#endif
#define FP_IS_INSIDE(MEMBER) (!FP_SAME_TYPE(__typeof__(MEMBER), __typeof__(FP_AS_POINTER(MEMBER))))
/* The member F must have the type TYPE. */
#define FP_CONFIRM_MEMBER(T, F, TYPE)                                                           \
    FP_ASSERT(FP_SAME_TYPE(FP_FIELD_TYPE(T, F), TYPE), #T "." #F " is not declared as " #TYPE)
/* The same for a pointer, which may also be UNTYPED. */
#define FP_CONFIRM_POINTER(T, F, TYPE, UNTYPED)                                                 \
    FP_ASSERT(FP_SAME_TYPE(FP_FIELD_TYPE(T, F), TYPE)                                           \
                  || FP_SAME_TYPE(FP_FIELD_TYPE(T, F), UNTYPED),                                \
              #T "." #F " is not declared as " #TYPE)
/* The same for a pointer to an array of constant size, or for that array, ARRAY. */
#define FP_CONFIRM_ARRAY(T, F, TYPE, UNTYPED, ARRAY)                                            \
    FP_ASSERT(FP_SAME_TYPE(FP_FIELD_TYPE(T, F), TYPE)                                           \
                  || FP_SAME_TYPE(FP_FIELD_TYPE(T, F), UNTYPED)                                 \
                  || FP_SAME_TYPE(FP_FIELD_TYPE(T, F), ARRAY),                                  \
              #T "." #F " is not declared as " #TYPE " or " #ARRAY)
/* C retains the struct, of which it receives a copy. */
#ifdef __cplusplus
#define FP_ASSERT_RETAINED(T) \
    FP_ASSERT(__is_trivially_copyable(T), #T " cannot be retained: it is not trivially copyable")
#else
#define FP_ASSERT_RETAINED(T) FP_ASSERT(sizeof(T) > 0, "")
#endif
/* Sets a member to the pointer P, or copies its elements, of which there are none if P is NULL. */
#define FP_PUT_ARRAY(MEMBER, P)                                                                 \
    do {                                                                                        \
        if (!FP_IS_INSIDE(MEMBER)) {                                                            \
            memcpy((void *)&(MEMBER), (const void *)&(P), sizeof(P));                           \
        }                                                                                       \
        else if ((P) != NULL) {                                                                 \
            memcpy((void *)&(MEMBER), (const void *)(P), sizeof(MEMBER));                       \
        }                                                                                       \
    } while (0)
/* Copies the elements that C has written in the struct. */
#define FP_TAKE_ARRAY(P, MEMBER)                                                                \
    do {                                                                                        \
        if (FP_IS_INSIDE(MEMBER) && (P) != NULL) {                                              \
            memcpy((void *)(P), (const void *)&(MEMBER), sizeof(MEMBER));                       \
        }                                                                                       \
    } while (0)

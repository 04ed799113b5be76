/* Objects that C identifies by integers. A handle stores a pointer: NULL for the integer that is not an object. The
 * compiler refuses what is not an integer, and one that a pointer cannot hold. */

#define FP_STORED(object, invalid) \
    ((object) == (invalid) ? (void *)NULL : (void *)((uintptr_t)(object) - (uintptr_t)(invalid)))
#define FP_RESTORED(type, pointer, invalid) ((type)((uintptr_t)(pointer) + (uintptr_t)(type)(invalid)))
#define FP_CONFIRM_IDENTIFIER(type) \
    FP_ASSERT((type)0.5 == (type)0 && sizeof(type) <= sizeof(void *), #type " is not an integer")


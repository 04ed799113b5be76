/* Objects that C identifies by integers, or by pointers of which another one than NULL is not an object. A handle stores
 * a pointer: NULL for what is not an object. The compiler refuses other types, and integers that a pointer cannot hold. */

#define FP_STORED(object, invalid) \
    ((object) == (invalid) ? (void *)NULL : (void *)((uintptr_t)(object) - (uintptr_t)(invalid)))
#define FP_RESTORED(type, pointer, invalid) ((type)((uintptr_t)(pointer) + (uintptr_t)(type)(invalid)))
#define FP_CONFIRM_IDENTIFIER(type) \
    FP_ASSERT(FP_CLASS(type) < 8 && sizeof(type) <= sizeof(void *), #type " is not an integer or a pointer")


/* Objects in memory of the module: structs and arrays that C does not allocate. */

/* A pointer to the first element of an array type, by which C receives it, and the same for elements that C only
 * reads. Another type, whose size would be that of a pointer, is refused. */
#ifdef __cplusplus
#define FP_IS_ARRAY(T) std::is_array<T>::value
#else
#define FP_IS_ARRAY(T) (!__builtin_types_compatible_p(T, __typeof__(&(*(T *)0)[0])))
#endif
#define FP_POINTER_TO_ARRAY(T)                                          \
    FP_ASSERT(FP_IS_ARRAY(T), #T " is not an array");                   \
    typedef __typeof__(&(*(T *)0)[0]) fpa_##T;                          \
    typedef __typeof__(&(*(const T *)0)[0]) fpa_const_##T;

/* In front of each object. */
typedef struct {
    void *block;        /* the memory of both */
    int is_initialised; /* the destructor is called */
} fp_stored;

enum { FP_STORED_ALIGNMENT = 16 };

/* Allocates zeros for an object, in front of which there is an fp_stored. */
static FP_UNUSED void *
fp_new_object(size_t size, size_t alignment, fp_failure *why)
{
    const size_t step = alignment > FP_STORED_ALIGNMENT ? alignment : (size_t)FP_STORED_ALIGNMENT;
    char *block = (char *)calloc(1, sizeof(fp_stored) + step + size), *object;
    if (block == NULL) {
        fp_begin_failure(why, NULL, FP_MEMORY_ERROR);
        return NULL;
    }
    object = block + sizeof(fp_stored);
    object += (step - (size_t)((uintptr_t)object % step)) % step;
    ((fp_stored *)(void *)object - 1)->block = block;
    return object;
}

#define FP_NEW_OBJECT(T, WHY) fp_new_object(sizeof(T), __alignof__(T), WHY)

static inline fp_stored *
fp_stored_of(const void *object)
{
    return (fp_stored *)(void *)object - 1;
}

/* From now on, the destructor is to be called. */
static inline void
fp_set_initialised(const void *object)
{
    fp_stored_of(object)->is_initialised = 1;
}

/* Frees the memory of an object. */
static FP_UNUSED void
fp_free_object(void *object)
{
    free(fp_stored_of(object)->block);
}

/* Runs the statements that clear an object, and frees its memory, also if they throw. */
#ifdef __cplusplus
struct fp_object_memory {
    void *object;
    ~fp_object_memory() { fp_free_object(object); }
};
#define FP_CLEAR_OBJECT(object, ...)                \
    {                                               \
        const fp_object_memory fp_memory = {object}; \
        __VA_ARGS__                                 \
    }
#else
#define FP_CLEAR_OBJECT(object, ...) \
    {                                \
        __VA_ARGS__                  \
        fp_free_object(object);      \
    }
#endif

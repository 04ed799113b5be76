/* Enums: C types with a few integer values. The compiler determines their width and the integers.
 * */

typedef struct {
    const char *name;
    long long value;
} fp_enumerator;

typedef struct {
    const char *name; /* "paint.Color" */
    const char *class_name; /* "Shape", if it is an attribute of this class; NULL: the module has it */
    const char *doc;
    const fp_enumerator *values;
    int count;
    int is_flags; /* values may be combined */
    int size;
    int is_signed;
    void *made; /* the target language's objects for the values */
} fp_enum;

#define FP_ENUMERATOR(NAME, ...) {NAME, (long long)(__VA_ARGS__)}

/* Type T must be an integer: a class of 4 or less is one, or a bool, or an enum. */
#define FP_CONFIRM_ENUM(T) \
    FP_ASSERT(sizeof(T) <= 8 && __builtin_classify_type((T)0) <= 4, #T " is not an integer")
#ifdef __cplusplus
#include <type_traits>
template <class T, bool = std::is_enum<T>::value> struct fp_integer_of {
    typedef typename std::underlying_type<T>::type type;
};
template <class T> struct fp_integer_of<T, false> { typedef T type; };
#define FP_IS_SIGNED(T) (std::is_signed<fp_integer_of<T>::type>::value)
#else
#define FP_IS_SIGNED(T) ((T)-1 < (T)1)
#endif

/* That of the names I8 ... U64 which belongs to the integer with which type T is stored. */
#define FP_BY_ENUM(T, I8, U8, I16, U16, I32, U32, I64, U64)                                      \
    (sizeof(T) == 1   ? (FP_IS_SIGNED(T) ? I8 : U8)                                              \
     : sizeof(T) == 2 ? (FP_IS_SIGNED(T) ? I16 : U16)                                            \
     : sizeof(T) == 4 ? (FP_IS_SIGNED(T) ? I32 : U32)                                            \
                      : (FP_IS_SIGNED(T) ? I64 : U64))

/* Sets a variable of an enum's size. */
static FP_UNUSED void
fp_store_enum(void *variable, int size, long long value)
{
    int8_t b = (int8_t)value;
    int16_t h = (int16_t)value;
    int32_t w = (int32_t)value;
    switch (size) {
    case 1: memcpy(variable, &b, sizeof(b)); break;
    case 2: memcpy(variable, &h, sizeof(h)); break;
    case 4: memcpy(variable, &w, sizeof(w)); break;
    default: memcpy(variable, &value, sizeof(value));
    }
}

/* The index of a value; -1: it is not one of them. */
static FP_UNUSED int
fp_find_enum(const fp_enum *of, long long value)
{
    int k;
    for (k = 0; k < of->count; k++) {
        if (of->values[k].value == value) {
            return k;
        }
    }
    return -1;
}

/* True if C may receive this: one of the values, or for flags everything that the type holds. */
static FP_UNUSED int
fp_is_enum(const fp_enum *of, long long value)
{
    int bits = 8 * of->size;
    if (!of->is_flags) {
        return fp_find_enum(of, value) >= 0;
    }
    if (bits == 64) {
        return 1;
    }
    return of->is_signed ? value >= -(1LL << (bits - 1)) && value < 1LL << (bits - 1)
                         : value >= 0 && value < 1LL << bits;
}

/* The value of a variable of an enum's type. */
static FP_UNUSED long long
fp_load_enum(const fp_enum *of, const void *variable)
{
    int8_t b;
    int16_t h;
    int32_t w;
    long long d;
    switch (of->size) {
    case 1: memcpy(&b, variable, sizeof(b)); return of->is_signed ? (long long)b : (long long)(uint8_t)b;
    case 2: memcpy(&h, variable, sizeof(h)); return of->is_signed ? (long long)h : (long long)(uint16_t)h;
    case 4: memcpy(&w, variable, sizeof(w)); return of->is_signed ? (long long)w : (long long)(uint32_t)w;
    default: memcpy(&d, variable, sizeof(d)); return d;
    }
}

/* The position of the first of `count` values that C may not receive, or `count`. Neighbours are often equal. */
static FP_HELPER ptrdiff_t
fp_find_nonmember(const fp_enum *of, const void *data, ptrdiff_t count)
{
    const char *at = (const char *)data;
    long long last = 0, value;
    ptrdiff_t i;
    int is_known = 0;
    for (i = 0; i < count; i++, at += of->size) {
        value = fp_load_enum(of, at);
        if ((!is_known || value != last) && !fp_is_enum(of, value)) {
            return i;
        }
        last = value;
        is_known = 1;
    }
    return count;
}

/* Constants: values that headers define. The compiler determines the type, and refuses anything but
 * a number, a string, or the pointer of a handle at the interface's own line. */

enum fp_value_kind {
    FP_VALUE_BOOL,
    FP_VALUE_SIGNED,
    FP_VALUE_UNSIGNED,
    FP_VALUE_FLOAT,
    FP_VALUE_COMPLEX,
    FP_VALUE_STRING,
    FP_VALUE_HANDLE
};

/* A value with its type. */
typedef struct {
    enum fp_value_kind kind;
    long long integer; /* bool, signed, unsigned */
    double real, imaginary;
    const void *pointer; /* string, handle */
    const void *of;      /* of a handle: its class */
} fp_c_value;

/* A row of the module's table of constants. */
typedef struct {
    const char *class_name; /* of which it is an attribute; NULL: the module has it */
    const char *name;
    fp_c_value (*value)(void);
} fp_constant;

static FP_UNUSED fp_c_value
fp_value_integer(enum fp_value_kind kind, long long integer)
{
    fp_c_value v = {kind, integer, 0, 0, NULL, NULL};
    return v;
}

static FP_UNUSED fp_c_value
fp_value_number(enum fp_value_kind kind, double real, double imaginary)
{
    fp_c_value v = {kind, 0, real, imaginary, NULL, NULL};
    return v;
}

static FP_UNUSED fp_c_value
fp_value_pointer(enum fp_value_kind kind, const void *pointer, const void *of)
{
    fp_c_value v = {kind, 0, 0, 0, pointer, of};
    return v;
}

/* The function of each type; those of handles are in generated code. */
#ifdef __cplusplus
#define FP_VALUE_FROM(NAME, TYPE, MADE) \
    static FP_UNUSED fp_c_value fp_value_of(TYPE x) { return MADE; }
#else
#define FP_VALUE_FROM(NAME, TYPE, MADE) \
    static FP_UNUSED fp_c_value fp_value_of_##NAME(TYPE x) { return MADE; }
#endif
#define FP_VALUE_SIGNED_OF(NAME, TYPE) \
    FP_VALUE_FROM(NAME, TYPE, fp_value_integer(FP_VALUE_SIGNED, (long long)x))
#define FP_VALUE_UNSIGNED_OF(NAME, TYPE) \
    FP_VALUE_FROM(NAME, TYPE, fp_value_integer(FP_VALUE_UNSIGNED, (long long)x))
#ifdef __cplusplus
FP_VALUE_FROM(bool, bool, fp_value_integer(FP_VALUE_BOOL, x))
FP_VALUE_SIGNED_OF(char, char)
FP_VALUE_SIGNED_OF(schar, signed char)
FP_VALUE_SIGNED_OF(short, short)
FP_VALUE_SIGNED_OF(int, int)
FP_VALUE_SIGNED_OF(long, long)
FP_VALUE_UNSIGNED_OF(uchar, unsigned char)
FP_VALUE_UNSIGNED_OF(ushort, unsigned short)
FP_VALUE_UNSIGNED_OF(uint, unsigned int)
FP_VALUE_UNSIGNED_OF(ulong, unsigned long)
FP_VALUE_FROM(float, float, fp_value_number(FP_VALUE_FLOAT, (double)x, 0))
FP_VALUE_FROM(ldouble, long double, fp_value_number(FP_VALUE_FLOAT, (double)x, 0))
#else
FP_VALUE_FROM(bool, _Bool, fp_value_integer(FP_VALUE_BOOL, x))
FP_VALUE_FROM(complex, double _Complex, fp_value_number(FP_VALUE_COMPLEX, __real__ x, __imag__ x))
#endif
FP_VALUE_SIGNED_OF(signed, long long)
FP_VALUE_UNSIGNED_OF(unsigned, unsigned long long)
FP_VALUE_FROM(double, double, fp_value_number(FP_VALUE_FLOAT, x, 0))
FP_VALUE_FROM(string, const char *, fp_value_pointer(FP_VALUE_STRING, x, NULL))

#ifdef __cplusplus
template <class T>
static typename std::enable_if<std::is_enum<T>::value, fp_c_value>::type
fp_value_of(T x)
{
    return fp_value_of((typename std::underlying_type<T>::type)x);
}
#define FP_VALUE(...) fp_value_of(__VA_ARGS__)
#else
/* FP_VALUE_OTHERS(x) chooses among the handles of the module, and otherwise takes an impossible
 * type. */
struct fp_number_or_string_or_handle {
    int unused;
};
static FP_UNUSED fp_c_value
fp_value_of_others(struct fp_number_or_string_or_handle x)
{
    return fp_value_integer(FP_VALUE_SIGNED, x.unused);
}
#define FP_VALUE(...)                                                                           \
    _Generic((__VA_ARGS__), _Bool: fp_value_of_bool, char: fp_value_of_signed,                  \
        signed char: fp_value_of_signed, short: fp_value_of_signed, int: fp_value_of_signed,    \
        long: fp_value_of_signed, long long: fp_value_of_signed,                                \
        unsigned char: fp_value_of_unsigned, unsigned short: fp_value_of_unsigned,              \
        unsigned int: fp_value_of_unsigned, unsigned long: fp_value_of_unsigned,                \
        unsigned long long: fp_value_of_unsigned, float: fp_value_of_double,                    \
        double: fp_value_of_double, long double: fp_value_of_double,                            \
        float _Complex: fp_value_of_complex, double _Complex: fp_value_of_complex,              \
        char *: fp_value_of_string, const char *: fp_value_of_string,                           \
        default: FP_VALUE_OTHERS((__VA_ARGS__)))(__VA_ARGS__)
#endif

/* The function NAME, which returns the value of an expression. */
#define FP_CONSTANT(NAME, ...) \
    static fp_c_value NAME(void) { return FP_VALUE(__VA_ARGS__); }

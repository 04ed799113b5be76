/* Dtypes: the types that elements can have. The numbers are part of a tensor's layout in memory. */

enum {
    FP_BOOL,
    FP_INT8,
    FP_INT16,
    FP_INT32,
    FP_INT64,
    FP_UINT8,
    FP_UINT16,
    FP_UINT32,
    FP_UINT64,
    FP_FLOAT32,
    FP_FLOAT64,
    FP_COMPLEX64,
    FP_COMPLEX128,
    FP_DTYPES
};

typedef struct {
    const char *name;
    unsigned char size;  /* bytes of an element */
    unsigned char align; /* what C wants of its address */
    char kind;           /* 'b', 'i', 'u', 'f' or 'c' */
} fp_dtype_row;

static FP_UNUSED const fp_dtype_row *
fp_dtype(int dtype)
{
    static const fp_dtype_row rows[FP_DTYPES] = {
        {"bool", 1, 1, 'b'},       {"int8", 1, 1, 'i'},     {"int16", 2, 2, 'i'},
        {"int32", 4, 4, 'i'},      {"int64", 8, 8, 'i'},    {"uint8", 1, 1, 'u'},
        {"uint16", 2, 2, 'u'},     {"uint32", 4, 4, 'u'},   {"uint64", 8, 8, 'u'},
        {"float32", 4, 4, 'f'},    {"float64", 8, 8, 'f'},  {"complex64", 8, 4, 'c'},
        {"complex128", 16, 8, 'c'}};
    return &rows[dtype];
}

/* The dtype of a name, or -1. */
static FP_UNUSED int
fp_dtype_named(const char *name)
{
    int dtype;
    for (dtype = 0; dtype < FP_DTYPES; dtype++) {
        if (strcmp(fp_dtype(dtype)->name, name) == 0) {
            return dtype;
        }
    }
    return -1;
}

/* The dtype of a kind with elements of `size` bytes, or -1. */
static FP_UNUSED int
fp_dtype_of(char kind, size_t size)
{
    int dtype;
    for (dtype = 0; dtype < FP_DTYPES; dtype++) {
        if (fp_dtype(dtype)->kind == kind && fp_dtype(dtype)->size == size) {
            return dtype;
        }
    }
    return -1;
}

/* The largest value of an integer dtype. */
static FP_UNUSED uint64_t
fp_integer_max(int dtype)
{
    int bits = 8 * fp_dtype(dtype)->size - (fp_dtype(dtype)->kind == 'i');
    return UINT64_MAX >> (64 - bits);
}

/* The smallest value of an integer dtype. */
static FP_UNUSED int64_t
fp_integer_min(int dtype)
{
    return fp_dtype(dtype)->kind == 'i' ? -(int64_t)fp_integer_max(dtype) - 1 : 0;
}

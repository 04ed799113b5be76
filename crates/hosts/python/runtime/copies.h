/* Copies: strided, unaligned, byte-swapped elements or those of another type, to contiguous ones
 * and back.
 *
 * Small copies must be fast for sliced and float32 arguments to be cheap, so the common cases have
 * their own loops: NumPy's general machinery costs ten times as much as a call. */

/* Elements of one size, copied unchanged with any alignment: memcpy of a constant size is one load.
 * */
#define FP_DEFINE_MOVE(SIZE)                                                                    \
    static FP_UNUSED void fp_load_##SIZE(char *to, const char *from, npy_intp count, npy_intp stride)     \
    {                                                                                           \
        npy_intp i;                                                                             \
        if (stride == SIZE) {                                                                   \
            memcpy(to, from, (size_t)count * SIZE);                                             \
            return;                                                                             \
        }                                                                                       \
        FP_UNROLL                                                                               \
        for (i = 0; i < count; i++, to += SIZE, from += stride) {                               \
            memcpy(to, from, SIZE);                                                             \
        }                                                                                       \
    }                                                                                           \
    static FP_UNUSED void fp_store_##SIZE(char *to, const char *from, npy_intp count, npy_intp stride)    \
    {                                                                                           \
        npy_intp i;                                                                             \
        if (stride == SIZE) {                                                                   \
            memcpy(to, from, (size_t)count * SIZE);                                             \
            return;                                                                             \
        }                                                                                       \
        FP_UNROLL                                                                               \
        for (i = 0; i < count; i++, to += stride, from += SIZE) {                               \
            memcpy(to, from, SIZE);                                                             \
        }                                                                                       \
    }                                                                                           \
    static FP_UNUSED void fp_repeat_##SIZE(char *to, const char *from, npy_intp count, npy_intp stride)   \
    {                                                                                           \
        npy_intp i;                                                                             \
        char element[SIZE];                                                                     \
        memcpy(element, from, SIZE);                                                            \
        for (i = 0; i < count; i++, to += stride) {                                             \
            memcpy(to, element, SIZE);                                                          \
        }                                                                                       \
    }
FP_DEFINE_MOVE(1)
FP_DEFINE_MOVE(2)
FP_DEFINE_MOVE(4)
FP_DEFINE_MOVE(8)
FP_DEFINE_MOVE(16)

/* The loop for elements of a size: fp_load packs, fp_store unpacks, fp_repeat stores one element
 * everywhere. */
#define FP_DEFINE_CHOICE(NAME)                                                                  \
    static FP_UNUSED fp_inner NAME(npy_intp size)                                               \
    {                                                                                           \
        return size == 8   ? NAME##_8                                                           \
               : size == 4 ? NAME##_4                                                           \
               : size == 1 ? NAME##_1                                                           \
               : size == 2 ? NAME##_2                                                           \
                           : NAME##_16;                                                         \
    }
FP_DEFINE_CHOICE(fp_load)
FP_DEFINE_CHOICE(fp_store)
FP_DEFINE_CHOICE(fp_repeat)

/* Bools as C's `_Bool`, which is 0 or 1: NumPy treats any other byte as true, and arrays may
 * contain such bytes, but they are undefined behaviour in C. */
static FP_UNUSED void
fp_load_truths(char *to, const char *from, npy_intp count, npy_intp stride)
{
    npy_intp i;
    if (stride == 1) {
        for (i = 0; i < count; i++) {
            to[i] = from[i] != 0;
        }
        return;
    }
    for (i = 0; i < count; i++, from += stride) {
        to[i] = *from != 0;
    }
}

/* Adds the bits of all elements to those of `*to`. */
static FP_UNUSED void
fp_gather_bits(char *to, const char *from, npy_intp count, npy_intp stride)
{
    npy_intp i;
    char bits = 0;
    if (stride == 1) {
        for (i = 0; i < count; i++) {
            bits = (char)(bits | from[i]);
        }
    }
    else {
        for (i = 0; i < count; i++, from += stride) {
            bits = (char)(bits | *from);
        }
    }
    *to = (char)(*to | bits);
}

/* The loop that packs elements of a parameter's type. */
static FP_UNUSED fp_inner
fp_loader(const fp_param *p)
{
    return p->type == NPY_BOOL ? fp_load_truths : fp_load(p->size);
}

/* Numbers in the other byte order: compilers translate these shifts to one instruction. */
static inline uint16_t
fp_turned_2(uint16_t u)
{
    return (uint16_t)(u << 8 | u >> 8);
}

static inline uint32_t
fp_turned_4(uint32_t u)
{
    return (uint32_t)fp_turned_2((uint16_t)u) << 16 | fp_turned_2((uint16_t)(u >> 16));
}

static inline uint64_t
fp_turned_8(uint64_t u)
{
    return (uint64_t)fp_turned_4((uint32_t)u) << 32 | fp_turned_4((uint32_t)(u >> 32));
}

/* Contiguous ones are swapped several at a time, if the processor can. */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define FP_SHUFFLES __attribute__((target("ssse3")))
/* The compiler's own test would add 4 KiB for all features of all processors. */
static FP_HELPER int
fp_can_shuffle(void)
{
    static int known; /* 1: it can; -1: it cannot; 0: not determined yet */
    int can = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (can == 0) {
        unsigned a, b, c, d;
        can = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) != 0 ? 1 : -1;
        __atomic_store_n(&known, can, __ATOMIC_RELAXED);
    }
    return can > 0;
}
#else
#define FP_SHUFFLES
#define fp_can_shuffle() 1
#endif

#define FP_DEFINE_TURN(SIZE, TYPE)                                                              \
    static inline void fp_turn_##SIZE(char *to, const char *from)                               \
    {                                                                                           \
        TYPE number;                                                                            \
        memcpy(&number, from, SIZE);                                                            \
        number = fp_turned_##SIZE(number);                                                      \
        memcpy(to, &number, SIZE);                                                              \
    }                                                                                           \
    FP_SHUFFLES static FP_UNUSED void fp_turn_row_##SIZE(char *to, const char *from, npy_intp count) \
    {                                                                                           \
        npy_intp i;                                                                             \
        for (i = 0; i < count; i++) {                                                           \
            fp_turn_##SIZE(to + i * SIZE, from + i * SIZE);                                     \
        }                                                                                       \
    }
FP_DEFINE_TURN(2, uint16_t)
FP_DEFINE_TURN(4, uint32_t)
FP_DEFINE_TURN(8, uint64_t)

/* Elements of SIZE bytes, in numbers of UNIT bytes: one, or the two of a complex number. */
#define FP_DEFINE_TURNED_MOVE(NAME, SIZE, UNIT, TO_STEP, FROM_STEP)                             \
    static FP_UNUSED void NAME(char *to, const char *from, npy_intp count, npy_intp stride)     \
    {                                                                                           \
        npy_intp i;                                                                             \
        int k;                                                                                  \
        if (stride == SIZE && fp_can_shuffle()) {                                               \
            fp_turn_row_##UNIT(to, from, count * (SIZE / UNIT));                                \
            return;                                                                             \
        }                                                                                       \
        for (i = 0; i < count; i++, to += TO_STEP, from += FROM_STEP) {                         \
            for (k = 0; k < SIZE; k += UNIT) {                                                  \
                fp_turn_##UNIT(to + k, from + k);                                               \
            }                                                                                   \
        }                                                                                       \
    }
#define FP_DEFINE_TURNED_MOVES(NAME, SIZE, UNIT)                                                \
    FP_DEFINE_TURNED_MOVE(fp_load_turned_##NAME, SIZE, UNIT, SIZE, stride)                      \
    FP_DEFINE_TURNED_MOVE(fp_store_turned_##NAME, SIZE, UNIT, stride, SIZE)
FP_DEFINE_TURNED_MOVES(2, 2, 2)
FP_DEFINE_TURNED_MOVES(4, 4, 4)
FP_DEFINE_TURNED_MOVES(8, 8, 8)
FP_DEFINE_TURNED_MOVES(4_4, 8, 4)
FP_DEFINE_TURNED_MOVES(8_8, 16, 8)

/* fp_load_turned packs, fp_store_turned unpacks elements of a NumPy type. */
#define FP_DEFINE_TURN_CHOICE(NAME)                                                             \
    static FP_UNUSED fp_inner NAME(int type, npy_intp size)                                     \
    {                                                                                           \
        return type == NPY_COMPLEX128  ? NAME##_8_8                                             \
               : type == NPY_COMPLEX64 ? NAME##_4_4                                             \
               : size == 8             ? NAME##_8                                               \
               : size == 4             ? NAME##_4                                               \
                                       : NAME##_2;                                              \
    }
FP_DEFINE_TURN_CHOICE(fp_load_turned)
FP_DEFINE_TURN_CHOICE(fp_store_turned)

/* Elements of type FROM, aligned and in native byte order, as type TO. The contiguous loop is
 * separate so that the compiler can vectorise it. */
#define FP_DEFINE_CONVERSION(NAME, TO, FROM)                                                    \
    static FP_UNUSED void NAME(char *to, const char *from, npy_intp count, npy_intp stride)               \
    {                                                                                           \
        TO *target = (TO *)(void *)to;                                                          \
        npy_intp i;                                                                             \
        if (stride == (npy_intp)sizeof(FROM)) {                                                 \
            const FROM *source = (const FROM *)(const void *)from;                              \
            for (i = 0; i < count; i++) {                                                       \
                target[i] = (TO)source[i];                                                      \
            }                                                                                   \
            return;                                                                             \
        }                                                                                       \
        FP_UNROLL                                                                               \
        for (i = 0; i < count; i++, from += stride) {                                           \
            target[i] = (TO) * (const FROM *)(const void *)from;                                \
        }                                                                                       \
    }

/* Elements in the order in which they are packed: the first dimension varies slowest. */
typedef struct {
    char *data;
    int ndim;
    npy_intp shape[NPY_MAXDIMS_LEGACY], strides[NPY_MAXDIMS_LEGACY];
} fp_elements;

static inline void
fp_elements_add(fp_elements *view, npy_intp count, npy_intp stride)
{
    int last = view->ndim - 1;
    if (count == 1) {
        return;
    }
    if (last >= 0 && view->strides[last] == count * stride) {
        view->shape[last] *= count; /* contiguous with the previous dimension: merged */
        view->strides[last] = stride;
        return;
    }
    view->shape[view->ndim] = count;
    view->strides[view->ndim++] = stride;
}

/* Views an array in C order, the last `core` dimensions in Fortran order if `fortran`. */
static inline void
fp_elements_of(fp_elements *view, PyArrayObject *array, int core, int fortran)
{
    int i, ndim = PyArray_NDIM(array), leading = fortran ? ndim - core : ndim;
    view->data = (char *)PyArray_DATA(array);
    view->ndim = 0;
    for (i = 0; i < leading; i++) {
        fp_elements_add(view, PyArray_DIM(array, i), PyArray_STRIDE(array, i));
    }
    for (i = ndim - 1; i >= leading; i--) {
        fp_elements_add(view, PyArray_DIM(array, i), PyArray_STRIDE(array, i));
    }
}

/* Runs `inner` over all elements of a view, its packed side advancing through `packed`. With `store`
 * the view is written, else it is read. */
static FP_HELPER void
fp_for_each(const fp_elements *view, char *packed, npy_intp size, int store, fp_inner inner)
{
    npy_intp index[NPY_MAXDIMS_LEGACY], count = 1, stride = size;
    char *data = view->data;
    int last = view->ndim - 1, axis;
    for (axis = 0; axis <= last; axis++) {
        if (view->shape[axis] == 0) {
            return;
        }
        index[axis] = 0;
    }
    if (last >= 0) {
        count = view->shape[last];
        stride = view->strides[last];
    }
    for (;;) {
        if (store) {
            inner(data, packed, count, stride);
        }
        else {
            inner(packed, data, count, stride);
        }
        packed += size * count;
        for (axis = last - 1; axis >= 0; axis--) {
            data += view->strides[axis];
            if (++index[axis] < view->shape[axis]) {
                break;
            }
            data -= view->strides[axis] * view->shape[axis];
            index[axis] = 0;
        }
        if (axis < 0) {
            return;
        }
    }
}

/* True if all bytes of an array of bools are 0 or 1. Repeated elements are examined once. */
static FP_HELPER int
fp_are_truths(PyArrayObject *array)
{
    fp_elements view;
    char bits = 0;
    int i;
    view.data = (char *)PyArray_DATA(array);
    view.ndim = 0;
    for (i = 0; i < PyArray_NDIM(array); i++) {
        npy_intp count = PyArray_DIM(array, i), stride = PyArray_STRIDE(array, i);
        fp_elements_add(&view, stride == 0 && count > 1 ? 1 : count, stride);
    }
    fp_for_each(&view, &bits, 0, 0, fp_gather_bits);
    return (unsigned char)bits <= 1;
}

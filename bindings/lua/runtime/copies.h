/* Copies: loops over strided memory. Same dtype, or by value from one dtype to another. */

/* Elements of two arrays, `count` of them, each `step` bytes apart. A result other than 0 ends the walk. */
typedef int (*fp_visit)(void *context, char *a, ptrdiff_t a_step, const char *b, ptrdiff_t b_step,
                        ptrdiff_t count);

/* Visits the elements of two tensors of one shape in C order, rows at a time. */
static FP_HELPER int
fp_walk(const fp_tensor *a, char *a_data, const fp_tensor *b, const char *b_data, fp_visit visit,
        void *context)
{
    ptrdiff_t index[FP_MAX_NDIM] = {0}, a_size = fp_dtype(a->dtype)->size;
    ptrdiff_t b_size = fp_dtype(b->dtype)->size;
    int axis, last = a->ndim - 1, done;
    if (a->size == 0) {
        return 0;
    }
    if ((a->flags & b->flags & FP_C_CONTIGUOUS) || last < 0) {
        return visit(context, a_data, a_size, b_data, b_size, a->size);
    }
    for (;;) {
        done = visit(context, a_data, a->strides[last] * a_size, b_data, b->strides[last] * b_size,
                     a->shape[last]);
        if (done) {
            return done;
        }
        for (axis = last - 1; axis >= 0; axis--) {
            a_data += a->strides[axis] * a_size;
            b_data += b->strides[axis] * b_size;
            if (++index[axis] < a->shape[axis]) {
                break;
            }
            a_data -= a->strides[axis] * a->shape[axis] * a_size;
            b_data -= b->strides[axis] * b->shape[axis] * b_size;
            index[axis] = 0;
        }
        if (axis < 0) {
            return 0;
        }
    }
}

/* Elements of one size as they are: memcpy of a constant size is one load and one store. */
#define FP_DEFINE_MOVE(SIZE)                                                                    \
    static FP_UNUSED int fp_move_##SIZE(void *context, char *to, ptrdiff_t to_step,             \
                                        const char *from, ptrdiff_t from_step, ptrdiff_t count) \
    {                                                                                           \
        ptrdiff_t k;                                                                            \
        (void)context;                                                                          \
        if (to_step == SIZE && from_step == SIZE) {                                             \
            memcpy(to, from, (size_t)count * SIZE);                                             \
            return 0;                                                                           \
        }                                                                                       \
        for (k = 0; k < count; k++, to += to_step, from += from_step) {                         \
            memcpy(to, from, SIZE);                                                             \
        }                                                                                       \
        return 0;                                                                               \
    }
FP_DEFINE_MOVE(1)
FP_DEFINE_MOVE(2)
FP_DEFINE_MOVE(4)
FP_DEFINE_MOVE(8)
FP_DEFINE_MOVE(16)

static FP_UNUSED fp_visit
fp_move(int size)
{
    return size == 8   ? fp_move_8
           : size == 4 ? fp_move_4
           : size == 1 ? fp_move_1
           : size == 2 ? fp_move_2
                       : fp_move_16;
}

/* Bools as C's `_Bool`, which is 0 or 1: foreign memory may have other bytes for true. */
static FP_UNUSED int
fp_move_truths(void *context, char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step,
               ptrdiff_t count)
{
    ptrdiff_t k;
    (void)context;
    for (k = 0; k < count; k++, to += to_step, from += from_step) {
        *to = *from != 0;
    }
    return 0;
}

/* Ends at a byte that is neither 0 nor 1. */
static FP_UNUSED int
fp_visit_truths(void *context, char *a, ptrdiff_t a_step, const char *b, ptrdiff_t b_step, ptrdiff_t count)
{
    ptrdiff_t k;
    unsigned char bits = 0;
    (void)context;
    (void)b;
    (void)b_step;
    if (a_step == 1) {
        for (k = 0; k < count; k++) {
            bits = (unsigned char)(bits | (unsigned char)a[k]);
        }
        return bits > 1;
    }
    for (k = 0; k < count; k++, a += a_step) {
        bits = (unsigned char)(bits | (unsigned char)*a);
    }
    return bits > 1;
}

/* True if all bytes of a tensor of bools are 0 or 1. */
static FP_UNUSED int
fp_are_truths(const fp_tensor *t)
{
    return fp_walk(t, fp_data(t), t, fp_data(t), fp_visit_truths, NULL) == 0;
}

/* Copies `from` to `to`, of the same dtype and shape, in memory that does not overlap. */
static FP_UNUSED void
fp_copy_same(const fp_tensor *to, char *to_data, const fp_tensor *from, const char *from_data)
{
    fp_walk(to, to_data, from, from_data, fp_move(fp_dtype(to->dtype)->size), NULL);
}

typedef struct {
    int to_dtype, from_dtype;
    ptrdiff_t done; /* elements before the one that did not fit */
    fp_number n;    /* that one */
} fp_conversion;

static FP_UNUSED int
fp_convert_row(void *context, char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step,
               ptrdiff_t count)
{
    fp_conversion *c = (fp_conversion *)context;
    ptrdiff_t k;
    for (k = 0; k < count; k++, c->done++, to += to_step, from += from_step) {
        fp_load_element(c->from_dtype, from, &c->n);
        if (!fp_store_element(c->to_dtype, to, &c->n)) {
            return 1;
        }
    }
    return 0;
}

/* A loop for casts that cannot fail. */
#define FP_CAST_LOOP(TO, FROM, TO_STEP, FROM_STEP)                                              \
    for (k = 0; k < count; k++) {                                                               \
        FROM before;                                                                            \
        TO after;                                                                               \
        memcpy(&before, from + k * (FROM_STEP), sizeof(before));                                \
        after = (TO)before;                                                                     \
        memcpy(to + k * (TO_STEP), &after, sizeof(after));                                      \
    }

#define FP_DEFINE_CAST(NAME, TO, FROM)                                                          \
    static FP_UNUSED int NAME(void *context, char *to, ptrdiff_t to_step, const char *from,     \
                              ptrdiff_t from_step, ptrdiff_t count)                             \
    {                                                                                           \
        ptrdiff_t k;                                                                            \
        (void)context;                                                                          \
        FP_CAST_LOOP(TO, FROM, to_step, from_step)                                              \
        return 0;                                                                               \
    }
FP_DEFINE_CAST(fp_cast_int8, double, int8_t)
FP_DEFINE_CAST(fp_cast_int16, double, int16_t)
FP_DEFINE_CAST(fp_cast_int32, double, int32_t)
FP_DEFINE_CAST(fp_cast_int64, double, int64_t)
FP_DEFINE_CAST(fp_cast_uint8, double, uint8_t)
FP_DEFINE_CAST(fp_cast_uint16, double, uint16_t)
FP_DEFINE_CAST(fp_cast_uint32, double, uint32_t)
FP_DEFINE_CAST(fp_cast_uint64, double, uint64_t)
FP_DEFINE_CAST(fp_cast_int32_to_int64, int64_t, int32_t)

/* The most common two also have a loop of constant steps, which compilers vectorize; memory does not overlap. */
static FP_UNUSED int
fp_cast_float32(void *context, char *__restrict to, ptrdiff_t to_step, const char *__restrict from,
                ptrdiff_t from_step, ptrdiff_t count)
{
    ptrdiff_t k;
    (void)context;
    if (to_step == 8 && from_step == 4) {
        FP_CAST_LOOP(double, float, 8, 4)
    }
    else {
        FP_CAST_LOOP(double, float, to_step, from_step)
    }
    return 0;
}

static FP_UNUSED void
fp_narrow_block(char *__restrict to, const char *__restrict from, ptrdiff_t count)
{
    ptrdiff_t k;
    FP_CAST_LOOP(float, double, 4, 8)
}

/* float64 to float32. In blocks whose numbers are all in its range, results need no test. */
static FP_UNUSED int
fp_cast_to_float32(void *context, char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step,
                   ptrdiff_t count)
{
    const ptrdiff_t most = 512; /* elements of a block */
    const uint64_t sign = (uint64_t)1 << 63;
    const uint64_t limit = (uint64_t)0x47EFFFFFF0000000; /* 0x1.ffffffp127, which becomes infinite */
    fp_conversion *c = (fp_conversion *)context;
    ptrdiff_t k, block;
    if (to_step != 4 || from_step != 8) {
        return fp_convert_row(c, to, to_step, from, from_step, count);
    }
    for (; count > 0; count -= block, to += block * 4, from += block * 8) {
        uint64_t seen = 0, bits;
        block = count < most ? count : most;
        for (k = 0; k < block; k++) {
            memcpy(&bits, from + k * 8, sizeof(bits));
            seen |= (bits & ~sign) + (sign - limit);
        }
        if (seen < sign) {
            fp_narrow_block(to, from, block);
            c->done += block;
        }
        else if (fp_convert_row(c, to, 4, from, 8, block)) {
            return 1;
        }
    }
    return 0;
}

/* The loop for the casts that calls make most often; NULL for the others. */
static FP_UNUSED fp_visit
fp_cast(int to, int from)
{
    if (to == FP_INT64 && from == FP_INT32) {
        return fp_cast_int32_to_int64;
    }
    if (to == FP_FLOAT32 && from == FP_FLOAT64) {
        return fp_cast_to_float32;
    }
    if (to != FP_FLOAT64) {
        return NULL;
    }
    switch (from) {
    case FP_FLOAT32: return fp_cast_float32;
    case FP_INT8: return fp_cast_int8;
    case FP_INT16: return fp_cast_int16;
    case FP_INT32: return fp_cast_int32;
    case FP_INT64: return fp_cast_int64;
    case FP_UINT8: return fp_cast_uint8;
    case FP_UINT16: return fp_cast_uint16;
    case FP_UINT32: return fp_cast_uint32;
    case FP_UINT64: return fp_cast_uint64;
    default: return NULL;
    }
}

/* Whether every value of `from` is one of `to`; as in NumPy, 64-bit integers count as float64. */
static FP_UNUSED int
fp_is_safe_cast(int to, int from)
{
    const fp_dtype_row *t = fp_dtype(to), *f = fp_dtype(from);
    int parts = t->kind == 'c' ? 2 : 1, own = f->kind == 'c' ? 2 : 1;
    if (to == from || f->kind == 'b') {
        return 1;
    }
    switch (t->kind) {
    case 'b': return 0;
    case 'u': return f->kind == 'u' && f->size <= t->size;
    case 'i': return (f->kind == 'i' && f->size <= t->size) || (f->kind == 'u' && f->size < t->size);
    default:
        if (f->kind == 'i' || f->kind == 'u') {
            return f->size < t->size / parts || t->size / parts == 8;
        }
        return own <= parts && f->size / own <= t->size / parts;
    }
}

/* Copies by value; 0: an element is not representable in `to`'s dtype, and `c` identifies it. Elements before it have
 * been written. */
static FP_UNUSED int
fp_copy_values(const fp_tensor *to, char *to_data, const fp_tensor *from, const char *from_data,
               fp_conversion *c)
{
    fp_visit visit = fp_cast(to->dtype, from->dtype);
    c->to_dtype = to->dtype;
    c->from_dtype = from->dtype;
    c->done = 0;
    if (to->dtype == from->dtype) {
        visit = to->dtype == FP_BOOL ? fp_move_truths : fp_move(fp_dtype(to->dtype)->size);
    }
    return !fp_walk(to, to_data, from, from_data, visit != NULL ? visit : fp_convert_row, c);
}

/* "element {2, 1}: wanted an integer from -128 to 127 (int8), got 1.5" */
static FP_NORETURN void
fp_raise_conversion(lua_State *L, const fp_where *where, const fp_tensor *from, fp_conversion *c)
{
    ptrdiff_t place[FP_MAX_NDIM], rest = c->done;
    int axis;
    fp_message t;
    for (axis = from->ndim - 1; axis >= 0; axis--) {
        place[axis] = rest % from->shape[axis] + 1;
        rest /= from->shape[axis];
    }
    fp_begin(&t, where);
    fp_append(&t, "element ");
    fp_append_shape(&t, from->ndim, place);
    fp_append(&t, ": wanted ");
    fp_append_wanted(&t, c->to_dtype);
    fp_append(&t, ", got ");
    fp_append_number(&t, &c->n);
    fp_raise(L, &t);
}

/* Pushes a C-contiguous copy as another dtype, or raises an error. */
static FP_UNUSED fp_tensor *
fp_push_copy(lua_State *L, const fp_where *where, const fp_tensor *from, int dtype)
{
    fp_tensor *to;
    fp_conversion c;
    if (!fp_is_filled(from)) {
        fp_error(L, where, "uninitialised tensor");
    }
    if (fp_bytes(dtype, from->ndim, from->shape) < 0) {
        fp_wanted_tensor(L, where, "a tensor of a size that fits in memory", from);
    }
    to = fp_push_tensor(L, dtype, from->ndim, from->shape, FP_ANYTHING);
    if (!fp_copy_values(to, fp_data(to), from, fp_data(from), &c)) {
        fp_raise_conversion(L, where, from, &c);
    }
    return to;
}

/* Whether a byte of one may be a byte of the other. */
static FP_UNUSED int
fp_overlap(const fp_tensor *a, const fp_tensor *b)
{
    ptrdiff_t a_low, a_high, b_low, b_high;
    uintptr_t a_data = (uintptr_t)fp_data(a), b_data = (uintptr_t)fp_data(b);
    if (!fp_extent(a, &a_low, &a_high) || !fp_extent(b, &b_low, &b_high)) {
        return 1;
    }
    return a_data + (uintptr_t)a_low < b_data + (uintptr_t)b_high
           && b_data + (uintptr_t)b_low < a_data + (uintptr_t)a_high;
}

/* Stores an element `count` times: copies of copies, which double up to what is fastest to read again. */
static FP_UNUSED void
fp_repeat(char *to, const char *element, size_t size, size_t count)
{
    size_t done = size, all = size * count, next;
    memcpy(to, element, size);
    for (; done < all; done += next) {
        next = done < 8192 ? done : 8192;
        next = next < all - done ? next : all - done;
        memcpy(to + done, to, next);
    }
}

/* Fills a tensor with one element. */
static FP_UNUSED void
fp_fill_with(const fp_tensor *to, char *to_data, const char *element)
{
    ptrdiff_t strides[FP_MAX_NDIM] = {0};
    fp_tensor one = *to;
    if ((to->flags & FP_C_CONTIGUOUS) && to->size > 0) {
        fp_repeat(to_data, element, (size_t)fp_dtype(to->dtype)->size, (size_t)to->size);
        return;
    }
    one.strides = strides;
    one.flags = 0;
    fp_copy_same(to, to_data, &one, element);
}

/* Arrays: tensors, buffers and tables to contiguous C memory, and back.
 *
 * fp_array is one array argument of a call. C works on the caller's memory, on a copy on C's stack
 * if it is short, or on a new tensor on Lua's stack: Lua collects it even if the call fails later.
 * If nothing fails, fp_release does not wait for that. */

#define FP_SMALL 256 /* bytes of a copy that need no allocation */

enum {
    FP_PACKED = 1,    /* C works on a packed copy of `tensor` */
    FP_TEMPORARY = 2, /* the copy is the tensor at `temporary` on the stack */
    FP_SPREAD = 4     /* C works on `tensor` in place, whose strides are not contiguous */
};

typedef struct {
    void *data;              /* the pointer for C; NULL for a NULL argument */
    const fp_tensor *tensor; /* the caller's, or the new one; or NULL */
    int held;                /* FP_PACKED, ... */
    int slot;                /* of the value on Lua's stack that is `tensor`, or that exports it */
    int temporary;
    ptrdiff_t shape[FP_MAX_NDIM];
    fp_loan loan;
    __attribute__((aligned(16))) char small[FP_SMALL];
} fp_array;

static inline void
fp_array_clear(fp_array *x)
{
    x->data = NULL;
    x->tensor = NULL;
    x->held = 0;
    x->slot = 0;
}

/* A NULL argument: all its dimensions are 0. */
static inline void
fp_array_null(fp_array *x, const fp_param *p)
{
    int axis;
    fp_array_clear(x);
    for (axis = 0; axis < p->ndim; axis++) {
        x->shape[axis] = 0;
    }
}

/* The number of elements. It cannot overflow: such an array exists. */
static inline ptrdiff_t
fp_size(const fp_array *x, int ndim)
{
    ptrdiff_t size = 1;
    int axis;
    for (axis = 0; axis < ndim; axis++) {
        size *= x->shape[axis];
    }
    return size;
}

static inline int
fp_is_fortran(const fp_param *p)
{
    return (p->flags & FP_F_CONTIGUOUS) != 0;
}

/* Uses a tensor of the parameter's rank in place. */
static inline void
fp_use(fp_array *x, const fp_tensor *t, void *data, int slot, const fp_param *p)
{
    int axis;
    x->data = data;
    x->tensor = t;
    x->slot = slot;
    for (axis = 0; axis < p->ndim; axis++) {
        x->shape[axis] = t->shape[axis];
    }
}

/* The fast path for all arrays: a tensor that C can use in place; NULL: the value is not one. For
 * bools, the bytes would have to be checked. */
static inline int
fp_use_if_ready(fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    void *data;
    if (p->dtype == FP_BOOL || FP_UNLIKELY(t == NULL) || FP_UNLIKELY(t->dtype != p->dtype) || FP_UNLIKELY(t->ndim != p->ndim)
        || FP_UNLIKELY(((t->flags ^ FP_READONLY) & p->flags) != p->flags)) {
        return 0;
    }
    data = fp_data(t);
    if (FP_UNLIKELY(data == NULL)) {
        return 0;
    }
    x->held = 0;
    fp_use(x, t, data, slot, p);
    return 1;
}

/* ---- Messages --------------------------------------------------------------------------------- */

/* "...: wanted <wanted><the parameter's dtype><after>, got <tensor, or the value at slot>" */
static FP_NORETURN void
fp_wanted_dtype(lua_State *L, const fp_param *p, const fp_tensor *t, int slot, const char *wanted,
                const char *after)
{
    fp_message text;
    fp_begin(&text, &p->where);
    fp_append(&text, "wanted %s%s%s, got ", wanted, fp_dtype(p->dtype)->name, after);
    if (t != NULL) {
        fp_append_tensor(&text, t);
    }
    else {
        fp_append_value(L, &text, slot);
    }
    fp_raise(L, &text);
}

/* "...: wanted a 2-D tensor, got a tensor of float64 and shape {3}" */
static FP_NORETURN void
fp_wrong_rank(lua_State *L, const fp_param *p, const fp_tensor *t)
{
    fp_message text;
    fp_begin(&text, &p->where);
    fp_append(&text, "wanted a %d-D tensor, got ", p->ndim);
    fp_append_tensor(&text, t);
    fp_raise(L, &text);
}

/* ---- Packed copies ---------------------------------------------------------------------------- */

static ptrdiff_t fp_size_of_struct(const struct fp_struct *of);

/* The bytes of an element. */
static FP_UNUSED ptrdiff_t
fp_element_bytes(const fp_param *p)
{
    return p->of == NULL ? (ptrdiff_t)fp_dtype(p->dtype)->size : fp_size_of_struct(p->of);
}

/* The dtype of the memory for elements. */
static inline int
fp_memory_dtype(const fp_param *p)
{
    return p->of == NULL ? p->dtype : FP_UINT8;
}

/* Checks that a shape of elements of the parameter's dtype fits into memory; returns its bytes. */
static FP_UNUSED ptrdiff_t
fp_bytes_of(lua_State *L, const fp_array *x, const fp_param *p)
{
    ptrdiff_t bytes = fp_bytes(fp_memory_dtype(p), p->ndim, x->shape);
    if (p->of != NULL && bytes > 0) {
        bytes = bytes > PTRDIFF_MAX / fp_element_bytes(p) ? -1 : bytes * fp_element_bytes(p);
    }
    if (FP_UNLIKELY(bytes < 0)) {
        fp_message text;
        fp_begin(&text, &p->where);
        fp_append(&text, "the tensor is too large: shape ");
        fp_append_shape(&text, p->ndim, x->shape);
        fp_raise(L, &text);
    }
    return bytes;
}

/* Memory for the elements of x->shape in x->data; a small array needs no allocation. */
static FP_UNUSED void
fp_reserve(lua_State *L, fp_array *x, const fp_param *p)
{
    ptrdiff_t bytes = fp_bytes_of(L, x, p);
    fp_tensor *t;
    if (bytes <= FP_SMALL) {
        x->data = x->small;
        x->held |= FP_PACKED;
        return;
    }
    t = fp_push_bare(L, fp_memory_dtype(p), 0, 0);
    t->storage = fp_storage_new((size_t)bytes, FP_ANYTHING);
    if (t->storage == NULL) {
        fp_no_memory(L, bytes);
    }
    x->temporary = lua_gettop(L);
    x->data = fp_data(t);
    x->held |= FP_PACKED | FP_TEMPORARY;
}

/* The strides of C's memory. */
static FP_HELPER void
fp_packed_strides(const fp_array *x, ptrdiff_t *strides, const fp_param *p)
{
    if (fp_is_fortran(p)) {
        fp_f_strides(p->ndim, x->shape, strides);
    }
    else {
        fp_c_strides(p->ndim, x->shape, strides);
    }
}

/* C's memory as a tensor, for the loops over elements; `strides` is a buffer. */
static FP_UNUSED fp_tensor
fp_packed(fp_array *x, ptrdiff_t *strides, const fp_param *p)
{
    fp_tensor t;
    memset(&t, 0, sizeof(t));
    t.dtype = (uint8_t)p->dtype;
    t.ndim = (uint8_t)p->ndim;
    t.size = fp_size(x, p->ndim);
    t.shape = x->shape;
    t.strides = strides;
    fp_packed_strides(x, strides, p);
    if (!fp_is_fortran(p)) {
        t.flags = FP_C_CONTIGUOUS;
    }
    return t;
}

/* Copies a tensor's elements, which are all in range, to C's memory. */
static FP_HELPER void
fp_pack(lua_State *L, fp_array *x, const fp_tensor *from, const fp_param *p)
{
    ptrdiff_t strides[FP_MAX_NDIM];
    fp_tensor to = fp_packed(x, strides, p);
    fp_conversion c;
    if (!fp_copy_values(&to, (char *)x->data, from, fp_data(from), &c)) {
        fp_raise_conversion(L, &p->where, from, &c);
    }
}

/* Makes C work on a packed copy of a tensor. */
static FP_HELPER void
fp_use_packed(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    fp_use(x, t, NULL, slot, p);
    fp_reserve(L, x, p);
    fp_pack(L, x, t, p);
}

/* inplace, out: after the call, copies C's results back from a copy. */
static FP_HELPER void
fp_unpack(fp_array *x, const fp_param *p)
{
    ptrdiff_t strides[FP_MAX_NDIM];
    fp_tensor from = fp_packed(x, strides, p);
    fp_copy_same(x->tensor, fp_data(x->tensor), &from, (const char *)x->data);
}

static inline void
fp_write_back(fp_array *x, const fp_param *p)
{
    if (FP_UNLIKELY(x->held & FP_PACKED)) {
        fp_unpack(x, p);
    }
}

/* The copy's memory is released here; the remains on the stack must not look like a tensor. */
static FP_HELPER void
fp_release_temporary(lua_State *L, fp_array *x)
{
    fp_tensor *t = (fp_tensor *)lua_touserdata(L, x->temporary);
    fp_storage *storage = t->storage;
    lua_pushnil(L);
    lua_setmetatable(L, x->temporary);
    t->storage = NULL;
    fp_storage_release(storage);
}

static inline void
fp_release(lua_State *L, fp_array *x)
{
    if (FP_UNLIKELY(x->held & FP_TEMPORARY)) {
        fp_release_temporary(L, x);
    }
}

/* ---- In place ------------------------------------------------------------------------------- */

/* True if the layout is what C expects: contiguous, in C or Fortran order; an axis that C accepts
 * with any stride must only not overlap the inner ones. */
static FP_HELPER int
fp_has_layout(const fp_tensor *t, const fp_param *p)
{
    int k, fortran = fp_is_fortran(p);
    ptrdiff_t compact = 1;
    for (k = 0; k < p->ndim; k++) {
        int axis = fortran ? k : p->ndim - 1 - k;
        ptrdiff_t count = t->shape[axis], stride = t->strides[axis];
        if (count <= 1) {
            if (count == 0) {
                return 1;
            }
            continue;
        }
        if (stride != compact) {
            if (!(p->strided >> axis & 1) || stride < compact) {
                return 0;
            }
            compact = stride;
        }
        compact *= count;
    }
    return 1;
}

/* The distance in elements between neighbours along an axis, in C's memory. Strides of single
 * elements are irrelevant, and set to those of a packed array. */
static FP_HELPER ptrdiff_t
fp_stride(const fp_array *x, int axis, const fp_param *p)
{
    ptrdiff_t stride = 1;
    int k, fortran = fp_is_fortran(p);
    for (k = 0; k < p->ndim; k++) {
        int inner = fortran ? k : p->ndim - 1 - k;
        if ((x->held & FP_SPREAD) && x->shape[inner] > 1) {
            stride = x->tensor->strides[inner];
        }
        if (inner == axis) {
            break;
        }
        stride *= x->shape[inner] > 1 ? x->shape[inner] : 1;
    }
    return stride;
}

/* True if C can use the tensor, of the parameter's dtype and rank, in place; then it is used. */
static FP_HELPER int
fp_use_in_place(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    int order = p->flags & ~FP_WRITE;
    if ((t->flags & order) != order) {
        if (p->strided == 0 || !(t->flags & FP_ALIGNED) || !fp_has_layout(t, p)) {
            return 0;
        }
        x->held |= FP_SPREAD;
    }
    /* Memory that is missing: the caller has checked that the array is empty, or C fills it. */
    fp_use(x, t, fp_fill_data(L, t), slot, p);
    return 1;
}

/* True if the elements that C uses in place have valid values. */
static inline int
fp_is_valid(const fp_tensor *t, const fp_param *p)
{
    return p->dtype != FP_BOOL || t->size == 0 || fp_are_truths(t);
}

static FP_HELPER void
fp_use_or_pack(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    if (fp_use_in_place(L, x, t, slot, p)) {
        if (fp_is_valid(t, p)) {
            return;
        }
        x->held = 0;
    }
    fp_use_packed(L, x, t, slot, p);
}

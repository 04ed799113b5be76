/* Tensors: a view on a storage. Layout in memory, shape arithmetic.
 *
 * A tensor never changes after it is made; only the content of its storage does. So all facts
 * about its layout are determined once, and a check of an argument is a test of `flags`. */

enum { FP_MAX_NDIM = 32 };

enum {
    FP_C_CONTIGUOUS = 1,
    FP_F_CONTIGUOUS = 2,
    FP_ALIGNED = 4,
    FP_READONLY = 8,
    FP_BORROWED = 16 /* the memory is that of a Lua object, which the userdata keeps alive */
};

typedef struct fp_tensor {
    uint32_t layout; /* FP_LAYOUT */
    uint8_t dtype;
    uint8_t ndim;
    uint16_t flags;
    fp_storage *storage;
    ptrdiff_t offset;   /* bytes from the storage's data to the first element */
    ptrdiff_t size;     /* elements */
    ptrdiff_t *shape;   /* in a userdata, these follow the struct */
    ptrdiff_t *strides; /* in elements, as DLPack has them */
} fp_tensor;

/* The bytes of an array of this shape, or -1 if no address space can hold it. Dimensions of 0 do
 * not hide that the others are too large: strides are made of them. */
static FP_UNUSED ptrdiff_t
fp_bytes(int dtype, int ndim, const ptrdiff_t *shape)
{
    ptrdiff_t bytes = fp_dtype(dtype)->size;
    int axis, empty = 0;
    for (axis = 0; axis < ndim; axis++) {
        if (shape[axis] == 0) {
            empty = 1;
        }
        else if (shape[axis] < 0 || __builtin_mul_overflow(bytes, shape[axis], &bytes)) {
            return -1;
        }
    }
    /* Space for the storage's header in addition. */
    return empty ? 0 : bytes > PTRDIFF_MAX - 4096 ? -1 : bytes;
}

static FP_UNUSED void
fp_c_strides(int ndim, const ptrdiff_t *shape, ptrdiff_t *strides)
{
    ptrdiff_t stride = 1;
    int axis;
    for (axis = ndim - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= shape[axis] == 0 ? 1 : shape[axis];
    }
}

static FP_UNUSED void
fp_f_strides(int ndim, const ptrdiff_t *shape, ptrdiff_t *strides)
{
    ptrdiff_t stride = 1;
    int axis;
    for (axis = 0; axis < ndim; axis++) {
        strides[axis] = stride;
        stride *= shape[axis] == 0 ? 1 : shape[axis];
    }
}

/* Whether each stride is what a contiguous array has; of dimensions of 1 it does not matter. */
static FP_UNUSED int
fp_is_contiguous(const fp_tensor *t, int fortran)
{
    ptrdiff_t stride = 1;
    int i, axis;
    for (i = 0; i < t->ndim; i++) {
        axis = fortran ? i : t->ndim - 1 - i;
        if (t->shape[axis] != 1 && t->strides[axis] != stride) {
            return 0;
        }
        stride *= t->shape[axis];
    }
    return 1;
}

/* The bytes that a tensor's elements occupy, from `low` up to but not including `high`, counted from
 * the first element. 0: they are so far apart that no address space can hold them. */
static FP_UNUSED int
fp_extent(const fp_tensor *t, ptrdiff_t *low, ptrdiff_t *high)
{
    ptrdiff_t size = fp_dtype(t->dtype)->size, reach;
    int axis;
    *low = 0;
    *high = t->size == 0 ? 0 : size;
    for (axis = 0; axis < t->ndim && t->size != 0; axis++) {
        if (__builtin_mul_overflow(t->shape[axis] - 1, t->strides[axis], &reach)
            || __builtin_mul_overflow(reach, size, &reach)
            || __builtin_add_overflow(reach < 0 ? *low : *high, reach, reach < 0 ? low : high)) {
            return 0;
        }
    }
    return 1;
}

/* Computes the facts that follow from dtype, shape, strides, storage and offset, once they are known. */
static FP_UNUSED void
fp_update_layout(fp_tensor *t)
{
    uintptr_t first = (uintptr_t)fp_storage_data(t->storage) + (uintptr_t)t->offset;
    int axis;
    t->layout = FP_LAYOUT;
    t->size = 1;
    for (axis = 0; axis < t->ndim; axis++) {
        t->size *= t->shape[axis];
    }
    t->flags &= (uint16_t) ~(FP_C_CONTIGUOUS | FP_F_CONTIGUOUS | FP_ALIGNED);
    if (t->size == 0) {
        t->flags |= FP_C_CONTIGUOUS | FP_F_CONTIGUOUS | FP_ALIGNED;
        return;
    }
    t->flags |= (uint16_t)((fp_is_contiguous(t, 0) ? FP_C_CONTIGUOUS : 0)
                           | (fp_is_contiguous(t, 1) ? FP_F_CONTIGUOUS : 0)
                           | (first % fp_dtype(t->dtype)->align == 0 ? FP_ALIGNED : 0));
}

/* The first element, or NULL for a tensor that is not filled yet. */
static FP_UNUSED char *
fp_data(const fp_tensor *t)
{
    char *data = fp_storage_data(t->storage);
    return data == NULL ? NULL : data + t->offset;
}

/* Whether there are elements to read. */
static FP_UNUSED int
fp_is_filled(const fp_tensor *t)
{
    return t->size == 0 || fp_storage_data(t->storage) != NULL;
}

static FP_UNUSED int
fp_same_shape(const fp_tensor *a, const fp_tensor *b)
{
    return a->ndim == b->ndim
           && (a->ndim == 0
               || memcmp(a->shape, b->shape, sizeof(*a->shape) * (size_t)a->ndim) == 0);
}

/* Copies: strided, unaligned, byte-swapped or otherwise typed elements to contiguous ones, and back.
 *
 * Small copies are what makes a sliced or float32 argument cheap, so the common cases are own loops:
 * NumPy's general machinery costs ten times what a call costs. */

/* Elements of one size as they are, whatever their alignment: memcpy of a constant size is one load. */
#define FP_DEFINE_MOVE(SIZE)                                                                    \
    static FP_UNUSED void fp_load_##SIZE(char *to, const char *from, npy_intp count, npy_intp stride)     \
    {                                                                                           \
        npy_intp i;                                                                             \
        for (i = 0; i < count; i++, to += SIZE, from += stride) {                               \
            memcpy(to, from, SIZE);                                                             \
        }                                                                                       \
    }                                                                                           \
    static FP_UNUSED void fp_store_##SIZE(char *to, const char *from, npy_intp count, npy_intp stride)    \
    {                                                                                           \
        npy_intp i;                                                                             \
        for (i = 0; i < count; i++, to += stride, from += SIZE) {                               \
            memcpy(to, from, SIZE);                                                             \
        }                                                                                       \
    }
FP_DEFINE_MOVE(1)
FP_DEFINE_MOVE(2)
FP_DEFINE_MOVE(4)
FP_DEFINE_MOVE(8)
FP_DEFINE_MOVE(16)

static FP_UNUSED fp_inner
fp_load(npy_intp size)
{
    return size == 8   ? fp_load_8
           : size == 4 ? fp_load_4
           : size == 1 ? fp_load_1
           : size == 2 ? fp_load_2
                       : fp_load_16;
}

static FP_UNUSED fp_inner
fp_store(npy_intp size)
{
    return size == 8   ? fp_store_8
           : size == 4 ? fp_store_4
           : size == 1 ? fp_store_1
           : size == 2 ? fp_store_2
                       : fp_store_16;
}

/* Elements of type FROM, aligned and in native byte order, as type TO. The contiguous loop stands
 * apart so that the compiler can vectorise it. */
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
        for (i = 0; i < count; i++, from += stride) {                                           \
            target[i] = (TO) * (const FROM *)(const void *)from;                                \
        }                                                                                       \
    }

/* Runs `inner` over all elements of `array`, its packed side advancing through `packed` in C order,
 * or in Fortran order. With `store` the array is written, else it is read. */
static FP_HELPER void
fp_for_each(PyArrayObject *array, char *packed, npy_intp size, int fortran, int store,
            fp_inner inner)
{
    npy_intp index[NPY_MAXDIMS_LEGACY], count, stride;
    const npy_intp *shape = PyArray_DIMS(array), *strides = PyArray_STRIDES(array);
    char *data = (char *)PyArray_DATA(array);
    int ndim = PyArray_NDIM(array), innermost = fortran ? 0 : ndim - 1, axis, step = fortran ? 1 : -1;
    if (ndim == 1) {
        if (store) {
            inner(data, packed, shape[0], strides[0]);
        }
        else {
            inner(packed, data, shape[0], strides[0]);
        }
        return;
    }
    if (PyArray_SIZE(array) == 0) {
        return;
    }
    count = ndim == 0 ? 1 : shape[innermost];
    stride = ndim == 0 ? size : strides[innermost];
    memset(index, 0, sizeof(index[0]) * (size_t)ndim);
    for (;;) {
        if (store) {
            inner(data, packed, count, stride);
        }
        else {
            inner(packed, data, count, stride);
        }
        packed += size * count;
        for (axis = innermost + step; axis >= 0 && axis < ndim; axis += step) {
            data += strides[axis];
            if (++index[axis] < shape[axis]) {
                break;
            }
            data -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
        if (axis < 0 || axis >= ndim) {
            return;
        }
    }
}

/* Turns `count` packed elements of an array's dtype between native and the other byte order. */
static FP_HELPER void
fp_swap_bytes(char *packed, npy_intp count, npy_intp size, int is_complex)
{
    npy_intp unit = is_complex ? size / 2 : size, k, i;
    for (k = 0; k < count * (size / unit); k++, packed += unit) {
        for (i = 0; i < unit / 2; i++) {
            char byte = packed[i];
            packed[i] = packed[unit - 1 - i];
            packed[unit - 1 - i] = byte;
        }
    }
}

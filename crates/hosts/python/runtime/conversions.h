/* Conversions: the loops for NumPy's safe casts between the types that C accepts.
 *
 * A converter lists the safe casts to one type (numpy.can_cast(from, to, 'safe')), so that finding
 * a loop also proves the cast safe. Bools and rarer types go through NumPy's own cast. */


static FP_HELPER fp_inner
fp_to_bool(int from)
{
    (void)from;
    return NULL;
}


static FP_HELPER fp_inner
fp_to_int8(int from)
{
    (void)from;
    return NULL;
}

FP_DEFINE_CONVERSION(fp_int16_from_int8, npy_int16, npy_int8)
FP_DEFINE_CONVERSION(fp_int16_from_uint8, npy_int16, npy_uint8)

static FP_HELPER fp_inner
fp_to_int16(int from)
{
    switch (from) {
    case NPY_INT8: return fp_int16_from_int8;
    case NPY_UINT8: return fp_int16_from_uint8;
    default: return NULL;
    }
}

FP_DEFINE_CONVERSION(fp_int32_from_int8, npy_int32, npy_int8)
FP_DEFINE_CONVERSION(fp_int32_from_uint8, npy_int32, npy_uint8)
FP_DEFINE_CONVERSION(fp_int32_from_int16, npy_int32, npy_int16)
FP_DEFINE_CONVERSION(fp_int32_from_uint16, npy_int32, npy_uint16)

static FP_HELPER fp_inner
fp_to_int32(int from)
{
    switch (from) {
    case NPY_INT8: return fp_int32_from_int8;
    case NPY_UINT8: return fp_int32_from_uint8;
    case NPY_INT16: return fp_int32_from_int16;
    case NPY_UINT16: return fp_int32_from_uint16;
    default: return NULL;
    }
}

FP_DEFINE_CONVERSION(fp_int64_from_int8, npy_int64, npy_int8)
FP_DEFINE_CONVERSION(fp_int64_from_uint8, npy_int64, npy_uint8)
FP_DEFINE_CONVERSION(fp_int64_from_int16, npy_int64, npy_int16)
FP_DEFINE_CONVERSION(fp_int64_from_uint16, npy_int64, npy_uint16)
FP_DEFINE_CONVERSION(fp_int64_from_int32, npy_int64, npy_int32)
FP_DEFINE_CONVERSION(fp_int64_from_uint32, npy_int64, npy_uint32)

static FP_HELPER fp_inner
fp_to_int64(int from)
{
    switch (from) {
    case NPY_INT8: return fp_int64_from_int8;
    case NPY_UINT8: return fp_int64_from_uint8;
    case NPY_INT16: return fp_int64_from_int16;
    case NPY_UINT16: return fp_int64_from_uint16;
    case NPY_INT32: return fp_int64_from_int32;
    case NPY_UINT32: return fp_int64_from_uint32;
    default: return NULL;
    }
}


static FP_HELPER fp_inner
fp_to_uint8(int from)
{
    (void)from;
    return NULL;
}

FP_DEFINE_CONVERSION(fp_uint16_from_uint8, npy_uint16, npy_uint8)

static FP_HELPER fp_inner
fp_to_uint16(int from)
{
    switch (from) {
    case NPY_UINT8: return fp_uint16_from_uint8;
    default: return NULL;
    }
}

FP_DEFINE_CONVERSION(fp_uint32_from_uint8, npy_uint32, npy_uint8)
FP_DEFINE_CONVERSION(fp_uint32_from_uint16, npy_uint32, npy_uint16)

static FP_HELPER fp_inner
fp_to_uint32(int from)
{
    switch (from) {
    case NPY_UINT8: return fp_uint32_from_uint8;
    case NPY_UINT16: return fp_uint32_from_uint16;
    default: return NULL;
    }
}

FP_DEFINE_CONVERSION(fp_uint64_from_uint8, npy_uint64, npy_uint8)
FP_DEFINE_CONVERSION(fp_uint64_from_uint16, npy_uint64, npy_uint16)
FP_DEFINE_CONVERSION(fp_uint64_from_uint32, npy_uint64, npy_uint32)

static FP_HELPER fp_inner
fp_to_uint64(int from)
{
    switch (from) {
    case NPY_UINT8: return fp_uint64_from_uint8;
    case NPY_UINT16: return fp_uint64_from_uint16;
    case NPY_UINT32: return fp_uint64_from_uint32;
    default: return NULL;
    }
}

FP_DEFINE_CONVERSION(fp_float32_from_int8, float, npy_int8)
FP_DEFINE_CONVERSION(fp_float32_from_uint8, float, npy_uint8)
FP_DEFINE_CONVERSION(fp_float32_from_int16, float, npy_int16)
FP_DEFINE_CONVERSION(fp_float32_from_uint16, float, npy_uint16)

static FP_HELPER fp_inner
fp_to_float32(int from)
{
    switch (from) {
    case NPY_INT8: return fp_float32_from_int8;
    case NPY_UINT8: return fp_float32_from_uint8;
    case NPY_INT16: return fp_float32_from_int16;
    case NPY_UINT16: return fp_float32_from_uint16;
    default: return NULL;
    }
}

FP_DEFINE_CONVERSION(fp_float64_from_int8, double, npy_int8)
FP_DEFINE_CONVERSION(fp_float64_from_uint8, double, npy_uint8)
FP_DEFINE_CONVERSION(fp_float64_from_int16, double, npy_int16)
FP_DEFINE_CONVERSION(fp_float64_from_uint16, double, npy_uint16)
FP_DEFINE_CONVERSION(fp_float64_from_int32, double, npy_int32)
FP_DEFINE_CONVERSION(fp_float64_from_uint32, double, npy_uint32)
FP_DEFINE_CONVERSION(fp_float64_from_int64, double, npy_int64)
FP_DEFINE_CONVERSION(fp_float64_from_uint64, double, npy_uint64)
FP_DEFINE_CONVERSION(fp_float64_from_float32, double, float)

static FP_HELPER fp_inner
fp_to_float64(int from)
{
    switch (from) {
    case NPY_INT8: return fp_float64_from_int8;
    case NPY_UINT8: return fp_float64_from_uint8;
    case NPY_INT16: return fp_float64_from_int16;
    case NPY_UINT16: return fp_float64_from_uint16;
    case NPY_INT32: return fp_float64_from_int32;
    case NPY_UINT32: return fp_float64_from_uint32;
    case NPY_INT64: return fp_float64_from_int64;
    case NPY_UINT64: return fp_float64_from_uint64;
    case NPY_FLOAT32: return fp_float64_from_float32;
    default: return NULL;
    }
}

FP_DEFINE_CONVERSION(fp_complex64_from_int8, float _Complex, npy_int8)
FP_DEFINE_CONVERSION(fp_complex64_from_uint8, float _Complex, npy_uint8)
FP_DEFINE_CONVERSION(fp_complex64_from_int16, float _Complex, npy_int16)
FP_DEFINE_CONVERSION(fp_complex64_from_uint16, float _Complex, npy_uint16)
FP_DEFINE_CONVERSION(fp_complex64_from_float32, float _Complex, float)

static FP_HELPER fp_inner
fp_to_complex64(int from)
{
    switch (from) {
    case NPY_INT8: return fp_complex64_from_int8;
    case NPY_UINT8: return fp_complex64_from_uint8;
    case NPY_INT16: return fp_complex64_from_int16;
    case NPY_UINT16: return fp_complex64_from_uint16;
    case NPY_FLOAT32: return fp_complex64_from_float32;
    default: return NULL;
    }
}

FP_DEFINE_CONVERSION(fp_complex128_from_int8, double _Complex, npy_int8)
FP_DEFINE_CONVERSION(fp_complex128_from_uint8, double _Complex, npy_uint8)
FP_DEFINE_CONVERSION(fp_complex128_from_int16, double _Complex, npy_int16)
FP_DEFINE_CONVERSION(fp_complex128_from_uint16, double _Complex, npy_uint16)
FP_DEFINE_CONVERSION(fp_complex128_from_int32, double _Complex, npy_int32)
FP_DEFINE_CONVERSION(fp_complex128_from_uint32, double _Complex, npy_uint32)
FP_DEFINE_CONVERSION(fp_complex128_from_int64, double _Complex, npy_int64)
FP_DEFINE_CONVERSION(fp_complex128_from_uint64, double _Complex, npy_uint64)
FP_DEFINE_CONVERSION(fp_complex128_from_float32, double _Complex, float)
FP_DEFINE_CONVERSION(fp_complex128_from_float64, double _Complex, double)
FP_DEFINE_CONVERSION(fp_complex128_from_complex64, double _Complex, float _Complex)

static FP_HELPER fp_inner
fp_to_complex128(int from)
{
    switch (from) {
    case NPY_INT8: return fp_complex128_from_int8;
    case NPY_UINT8: return fp_complex128_from_uint8;
    case NPY_INT16: return fp_complex128_from_int16;
    case NPY_UINT16: return fp_complex128_from_uint16;
    case NPY_INT32: return fp_complex128_from_int32;
    case NPY_UINT32: return fp_complex128_from_uint32;
    case NPY_INT64: return fp_complex128_from_int64;
    case NPY_UINT64: return fp_complex128_from_uint64;
    case NPY_FLOAT32: return fp_complex128_from_float32;
    case NPY_FLOAT64: return fp_complex128_from_float64;
    case NPY_COMPLEX64: return fp_complex128_from_complex64;
    default: return NULL;
    }
}


/* Scalars: Python numbers to C values and back.
 *
 * Nothing is lost silently: integers are range-checked, floats are not integers, complex numbers
 * are not floats, strings are not numbers. NumPy scalars and 0-d arrays follow NumPy's safe casts.
 * */

/* The largest value of an integer type. */
static inline unsigned long long
fp_integer_max(int type)
{
    switch (type) {
    case NPY_INT8: return 0x7f;
    case NPY_UINT8: return 0xff;
    case NPY_INT16: return 0x7fff;
    case NPY_UINT16: return 0xffff;
    case NPY_INT32: return 0x7fffffff;
    case NPY_UINT32: return 0xffffffff;
    case NPY_INT64: return 0x7fffffffffffffff;
    default: return 0xffffffffffffffff;
    }
}

/* "300 is out of range for int8 (-128 to 127)" */
static FP_COLD int
fp_out_of_range(const fp_param *p, PyObject *integer)
{
    int overflow, is_unsigned = PyTypeNum_ISUNSIGNED(p->type);
    long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    unsigned long long max = fp_integer_max(p->type);
    fp_message t;
    fp_begin(&t, p);
    if (overflow == 0) {
        fp_append(&t, "%lld", value);
    }
    else {
        fp_append_string(&t, overflow < 0 ? "an integer below -2**63" : "an integer of 2**63 or more");
    }
    fp_append_string(&t, " is out of range for ");
    fp_append_string(&t, fp_type_name(p->type));
    if (PyTypeNum_ISINTEGER(p->type)) {
        fp_append(&t, " (%lld to %llu)", is_unsigned ? 0 : -(long long)max - 1, max);
    }
    PyErr_Clear();
    return fp_raise(PyExc_OverflowError, &t);
}

/* Defined in the part about missing values. */
static int fp_check_unmasked(PyObject *o, const fp_param *p);

/* A NumPy scalar or 0-d array as a C value of the parameter's type, if NumPy considers the cast
 * safe; -1: `o` is neither. */
static FP_HELPER int
fp_read_numpy(PyObject *o, void *value, const fp_param *p)
{
    PyArray_Descr *descr;
    PyArrayObject *array;
    int type;
    if (PyArray_Check(o)) {
        if (PyArray_NDIM((PyArrayObject *)o) != 0) {
            return fp_wanted_type(PyExc_TypeError, p, o, "a scalar (", ")");
        }
        if (!fp_check_unmasked(o, p)) {
            return 0;
        }
        descr = PyArray_DESCR((PyArrayObject *)o);
        Py_INCREF((PyObject *)descr);
    }
    else if (PyArray_IsScalar(o, Generic)) {
        descr = PyArray_DescrFromScalar(o);
        if (descr == NULL) {
            return 0;
        }
    }
    else {
        return -1;
    }
    type = descr->type_num;
    Py_DECREF(descr);
    if (!PyTypeNum_ISNUMBER(type) && !PyTypeNum_ISBOOL(type)) {
        return fp_wanted_type(PyExc_TypeError, p, o, "a scalar (", ")");
    }
    if (!PyArray_CanCastSafely(type, p->type)) {
        return fp_wanted_type(PyExc_TypeError, p, o, "a scalar that casts safely to ", "");
    }
    array = (PyArrayObject *)PyArray_FromAny(o, PyArray_DescrFromType(p->type), 0, 0,
                                             NPY_ARRAY_CARRAY, NULL);
    if (array == NULL) {
        return 0;
    }
    memcpy(value, PyArray_DATA(array), (size_t)PyArray_ITEMSIZE(array));
    Py_DECREF(array);
    return 1;
}

/* ---- Floating point -------------------------------------------------------------------------- */

/* A number by its own protocol, `__float__` or `__index__`: fractions, decimals and similar types.
 * */
static FP_HELPER int
fp_read_real(PyObject *o, double *value, const fp_param *p, const char *wanted)
{
    if (!fp_has_float(o) && !PyIndex_Check(o)) {
        return fp_wanted_type(PyExc_TypeError, p, o, wanted, ")");
    }
    *value = fp_as_double(o);
    return !(*value == -1.0 && PyErr_Occurred());
}

static FP_HELPER int
fp_read_float64_slowly(PyObject *o, double *value, const fp_param *p)
{
    fp_param as_double = *p;
    int done;
    as_double.type = NPY_FLOAT64;
    if (PyFloat_Check(o)) {
        *value = fp_double_of(o);
        return 1;
    }
    if (PyLong_Check(o)) {
        *value = PyLong_AsDouble(o);
        if (FP_UNLIKELY(*value == -1.0 && PyErr_Occurred())) {
            return PyErr_ExceptionMatches(PyExc_OverflowError) ? fp_out_of_range(p, o) : 0;
        }
        return 1;
    }
    done = fp_read_numpy(o, value, p->type == NPY_FLOAT32 ? &as_double : p);
    if (done >= 0) {
        return done;
    }
    return fp_read_real(o, value, p, "a real number (");
}

static inline int
fp_read_float64(PyObject *o, double *value, const fp_param *p)
{
    if (FP_LIKELY(PyFloat_CheckExact(o))) {
        *value = fp_double_of(o);
        return 1;
    }
    if (PyLong_CheckExact(o)) {
        *value = PyLong_AsDouble(o);
        if (FP_LIKELY(*value != -1.0 || !PyErr_Occurred())) {
            return 1;
        }
        PyErr_Clear();
    }
    return fp_read_float64_slowly(o, value, p);
}

static inline int
fp_read_float32(PyObject *o, float *value, const fp_param *p)
{
    double wide;
    if (!fp_read_float64(o, &wide, p)) {
        return 0;
    }
    *value = (float)wide;
    if (FP_UNLIKELY((*value > FLT_MAX || *value < -FLT_MAX) && wide <= DBL_MAX && wide >= -DBL_MAX)) {
        return fp_error(PyExc_OverflowError, p, "the value is out of range for float32");
    }
    return 1;
}

static FP_HELPER int
fp_read_complex_parts(PyObject *o, double *parts, const fp_param *p)
{
    fp_param as_complex = *p;
    int done;
    as_complex.type = NPY_COMPLEX128;
    if (PyComplex_Check(o)) {
        parts[0] = PyComplex_RealAsDouble(o);
        parts[1] = PyComplex_ImagAsDouble(o);
        return 1;
    }
    parts[1] = 0.0;
    if (PyFloat_Check(o) || PyLong_Check(o)) {
        return fp_read_float64_slowly(o, parts, p);
    }
    done = fp_read_numpy(o, parts, &as_complex);
    if (done >= 0) {
        return done;
    }
    if (PyObject_HasAttrString(o, "__complex__")) {
        PyObject *value = fp_call_one((PyObject *)&PyComplex_Type, o);
        if (value == NULL) {
            return 0;
        }
        parts[0] = PyComplex_RealAsDouble(value);
        parts[1] = PyComplex_ImagAsDouble(value);
        Py_DECREF(value);
        return 1;
    }
    return fp_read_real(o, parts, p, "a complex number (");
}

/* A complex C value has the layout of an array of two floats (C99 6.2.5p13). */
static FP_HELPER int
fp_read_complex128(PyObject *o, void *value, const fp_param *p)
{
    return fp_read_complex_parts(o, (double *)value, p);
}

static FP_HELPER int
fp_read_complex64(PyObject *o, void *value, const fp_param *p)
{
    double parts[2];
    float *narrow = (float *)value;
    int i;
    if (!fp_read_complex_parts(o, parts, p)) {
        return 0;
    }
    for (i = 0; i < 2; i++) {
        narrow[i] = (float)parts[i];
        if ((narrow[i] > FLT_MAX || narrow[i] < -FLT_MAX) && parts[i] <= DBL_MAX
            && parts[i] >= -DBL_MAX) {
            return fp_error(PyExc_OverflowError, p, "the value is out of range for complex64");
        }
    }
    return 1;
}

/* ---- Integers and bools ----------------------------------------------------------------- */

/* A new reference to the Python int for `o`; NULL with an exception. */
static FP_HELPER PyObject *
fp_as_integer(PyObject *o, const fp_param *p)
{
    if (PyLong_Check(o)) {
        Py_INCREF(o);
        return o;
    }
    if (!fp_check_unmasked(o, p)) {
        return NULL;
    }
    if (PyArray_IsScalar(o, Bool)
        || (PyArray_Check(o) && PyArray_ISBOOL((PyArrayObject *)o)
            && PyArray_NDIM((PyArrayObject *)o) == 0)) {
        int truth = PyObject_IsTrue(o);
        return truth < 0 ? NULL : PyLong_FromLong(truth);
    }
    if (!PyIndex_Check(o)
        || (PyArray_Check(o) && (PyArray_NDIM((PyArrayObject *)o) != 0
                                 || !PyArray_ISINTEGER((PyArrayObject *)o)))) {
        fp_wanted_type(PyExc_TypeError, p, o, "an integer (", ")");
        return NULL;
    }
    return PyNumber_Index(o);
}

static FP_HELPER int
fp_read_signed_slowly(PyObject *o, long long min, long long max, long long *value,
                      const fp_param *p)
{
    int overflow, ok;
    PyObject *integer = fp_as_integer(o, p);
    if (integer == NULL) {
        return 0;
    }
    *value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    ok = overflow == 0 && *value >= min && *value <= max;
    if (!ok) {
        fp_out_of_range(p, integer);
    }
    Py_DECREF(integer);
    return ok;
}

static inline int
fp_read_signed(PyObject *o, long long min, long long max, long long *value, const fp_param *p)
{
    if (FP_LIKELY(PyLong_CheckExact(o))) {
        int overflow;
        *value = PyLong_AsLongLongAndOverflow(o, &overflow);
        if (FP_LIKELY(overflow == 0 && *value >= min && *value <= max)) {
            return 1;
        }
    }
    return fp_read_signed_slowly(o, min, max, value, p);
}

static FP_HELPER int
fp_read_unsigned_slowly(PyObject *o, unsigned long long max, unsigned long long *value,
                        const fp_param *p)
{
    int ok;
    PyObject *integer = fp_as_integer(o, p);
    if (integer == NULL) {
        return 0;
    }
    *value = PyLong_AsUnsignedLongLong(integer);
    ok = !(*value == (unsigned long long)-1 && PyErr_Occurred()) && *value <= max;
    if (!ok) {
        PyErr_Clear();
        fp_out_of_range(p, integer);
    }
    Py_DECREF(integer);
    return ok;
}

static inline int
fp_read_unsigned(PyObject *o, unsigned long long max, unsigned long long *value, const fp_param *p)
{
    if (FP_LIKELY(PyLong_CheckExact(o))) {
        int overflow;
        long long number = PyLong_AsLongLongAndOverflow(o, &overflow);
        if (FP_LIKELY(overflow == 0 && number >= 0 && (unsigned long long)number <= max)) {
            *value = (unsigned long long)number;
            return 1;
        }
    }
    return fp_read_unsigned_slowly(o, max, value, p);
}

static FP_HELPER int
fp_read_bool(PyObject *o, void *value, const fp_param *p)
{
    int truth;
    if (o != Py_True && o != Py_False && !PyArray_IsScalar(o, Bool)
        && !(PyArray_Check(o) && PyArray_ISBOOL((PyArrayObject *)o)
             && PyArray_NDIM((PyArrayObject *)o) == 0)) {
        fp_message t;
        fp_begin_wanted(&t, p);
        fp_append_string(&t, "True or False");
        return fp_raise_got(PyExc_TypeError, &t, o);
    }
    if (!fp_check_unmasked(o, p)) {
        return 0;
    }
    truth = o == Py_True ? 1 : o == Py_False ? 0 : PyObject_IsTrue(o);
    *(npy_bool *)value = truth > 0;
    return truth >= 0;
}

/* Writes an integer, which fits, to a variable of the given type. */
static inline void
fp_store_integer(void *variable, int type, long long value)
{
    switch (type) {
    case NPY_INT8: case NPY_UINT8: { npy_int8 v = (npy_int8)value; memcpy(variable, &v, 1); break; }
    case NPY_INT16: case NPY_UINT16: { npy_int16 v = (npy_int16)value; memcpy(variable, &v, 2); break; }
    case NPY_INT32: case NPY_UINT32: { npy_int32 v = (npy_int32)value; memcpy(variable, &v, 4); break; }
    default: memcpy(variable, &value, 8); break;
    }
}

/* Reads an integer of the parameter's type. */
static inline int
fp_read_integer(PyObject *o, void *variable, const fp_param *p)
{
    unsigned long long max = fp_integer_max(p->type);
    if (PyTypeNum_ISUNSIGNED(p->type)) {
        unsigned long long value;
        if (FP_UNLIKELY(!fp_read_unsigned(o, max, &value, p))) {
            return 0;
        }
        fp_store_integer(variable, p->type, (long long)value);
    }
    else {
        long long value;
        if (FP_UNLIKELY(!fp_read_signed(o, -(long long)max - 1, (long long)max, &value, p))) {
            return 0;
        }
        fp_store_integer(variable, p->type, value);
    }
    return 1;
}

/* ---- Computed values ------------------------------------------------------------------------- */

static FP_COLD int
fp_value_out_of_range(long double value, const fp_param *p)
{
    return fp_error(PyExc_OverflowError, p, "its computed value %.0f is out of range for %s",
                    (double)value, fp_type_name(p->type));
}

/* Sets an integer variable to the value of a C expression, if it fits. A long double represents
 * every 64-bit integer, so nothing is lost before the comparison. */
static inline int
fp_try_integer(void *variable, long double value, int type)
{
    unsigned long long max = fp_integer_max(type);
    if (PyTypeNum_ISUNSIGNED(type)) {
        if (!(value >= 0 && value <= (long double)max)) {
            return 0;
        }
        fp_store_integer(variable, type, (long long)(unsigned long long)value);
        return 1;
    }
    if (!(value >= -(long double)max - 1 && value <= (long double)max)) {
        return 0;
    }
    fp_store_integer(variable, type, (long long)value);
    return 1;
}

static inline int
fp_set_integer(void *variable, long double value, const fp_param *p)
{
    return FP_LIKELY(fp_try_integer(variable, value, p->type)) ? 1 : fp_value_out_of_range(value, p);
}

/* Each returns a new Python object for a C value. */
/* Python creates an integer faster from a long. */
#define FP_FROM_SIGNED(v) (sizeof(v) <= sizeof(long) ? PyLong_FromLong((long)(v)) : PyLong_FromLongLong((long long)(v)))
#define FP_FROM_UNSIGNED(v)                                                                     \
    (sizeof(v) < sizeof(long) ? PyLong_FromLong((long)(v)) : PyLong_FromUnsignedLongLong((unsigned long long)(v)))
#define FP_FROM_BOOL(v) PyBool_FromLong((long)(v))
#define FP_FROM_FLOAT(v) PyFloat_FromDouble((double)(v))
#define FP_FROM_COMPLEX(v) PyComplex_FromDoubles(FP_COMPLEX_PARTS(v))

/* Copies a value that C wrote through a pointer back to the 0-d array from which it came. */
static FP_HELPER void
fp_write_scalar(PyObject *o, const void *value, size_t size)
{
    memcpy(PyArray_DATA((PyArrayObject *)o), value, size);
}

/* An inplace or inout scalar must be passed as a mutable object: a 0-d array. */
static FP_HELPER int
fp_check_mutable_scalar(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = (PyArrayObject *)o;
    if (!PyArray_Check(o) || PyArray_NDIM(array) != 0) {
        return fp_wanted_type(PyExc_TypeError, p, o, "a 0-d array of ", ", which can be written back to");
    }
    if (fp_canonical_type(PyArray_DESCR(array)) != p->type || !PyArray_ISNOTSWAPPED(array)) {
        return fp_wanted_type(PyExc_TypeError, p, o, "a 0-d array of exactly ", "");
    }
    if (!PyArray_ISWRITEABLE(array)) {
        return fp_error(PyExc_ValueError, p, "the array is read-only");
    }
    return fp_check_unmasked(o, p);
}

/* Sequences: lists, tuples and other objects that NumPy can convert, to arrays of the right type
 * and rank.
 *
 * Numbers in a list have no dtype. The result of NumPy's own conversion is checked here, so that no
 * string becomes a number, no float an integer, and no integer wraps. */

/* ---- Lists of plain numbers ---------------------------------------------------------------- */

typedef enum { FP_READ, FP_NOT_PLAIN, FP_OUT_OF_RANGE } fp_reading;

/* A number in a list as a double, if it is one of Python's own ints and floats. */
static inline fp_reading
fp_read_plain_double(PyObject *item, double *value)
{
    if (FP_LIKELY(PyFloat_CheckExact(item))) {
        *value = fp_double_of(item);
        return FP_READ;
    }
    if (!PyLong_CheckExact(item)) {
        return FP_NOT_PLAIN;
    }
    *value = PyLong_AsDouble(item);
    if (FP_UNLIKELY(*value == -1.0 && PyErr_Occurred())) {
        PyErr_Clear();
        return FP_OUT_OF_RANGE;
    }
    return FP_READ;
}

static inline fp_reading
fp_read_plain_float(PyObject *item, float *value)
{
    double wide;
    fp_reading reading = fp_read_plain_double(item, &wide);
    if (reading != FP_READ) {
        return reading;
    }
    *value = (float)wide;
    return (*value > FLT_MAX || *value < -FLT_MAX) && wide <= DBL_MAX && wide >= -DBL_MAX
               ? FP_OUT_OF_RANGE
               : FP_READ;
}

static inline fp_reading
fp_read_plain_integer(PyObject *item, char *to, const fp_param *p)
{
    int overflow, is_unsigned = PyTypeNum_ISUNSIGNED(p->type);
    unsigned long long max = fp_integer_max(p->type);
    long long value;
    if (!PyLong_CheckExact(item)) {
        return FP_NOT_PLAIN;
    }
    value = PyLong_AsLongLongAndOverflow(item, &overflow);
    if (FP_UNLIKELY(overflow > 0 && p->type == NPY_UINT64)) {
        unsigned long long wide = PyLong_AsUnsignedLongLong(item);
        if (wide == (unsigned long long)-1 && PyErr_Occurred()) {
            PyErr_Clear();
            return FP_OUT_OF_RANGE;
        }
        fp_store_integer(to, p->type, (long long)wide);
        return FP_READ;
    }
    if (overflow || (value < 0 ? is_unsigned || value < -(long long)max - 1
                               : (unsigned long long)value > max)) {
        return FP_OUT_OF_RANGE;
    }
    fp_store_integer(to, p->type, value);
    return FP_READ;
}

/* Whether a number in a list is one of Python's own that the parameter's type can represent. */
static FP_HELPER fp_reading
fp_check_plain(PyObject *item, const fp_param *p)
{
    int is_single = p->type == NPY_FLOAT32 || p->type == NPY_COMPLEX64;
    union { double wide; float narrow; char integer[8]; } value;
    if (PyTypeNum_ISINTEGER(p->type)) {
        return fp_read_plain_integer(item, value.integer, p);
    }
    if (PyTypeNum_ISCOMPLEX(p->type) && PyComplex_CheckExact(item)) {
        double parts[2] = {PyComplex_RealAsDouble(item), PyComplex_ImagAsDouble(item)};
        int i;
        for (i = 0; is_single && i < 2; i++) {
            if ((parts[i] > FLT_MAX || parts[i] < -FLT_MAX) && parts[i] <= DBL_MAX && parts[i] >= -DBL_MAX) {
                return FP_OUT_OF_RANGE;
            }
        }
        return FP_READ;
    }
    return is_single ? fp_read_plain_float(item, &value.narrow) : fp_read_plain_double(item, &value.wide);
}

/* A list with ints that NumPy itself converts to floats or objects, because some are beyond int64,
 * as an array of the parameter's type; NULL if it contains anything but numbers, or with an
 * exception. */
static FP_HELPER PyArrayObject *
fp_from_large_integers(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = NULL, *objects = (PyArrayObject *)PyArray_FromAny(
        o, PyArray_DescrFromType(NPY_OBJECT), 0, 0, NPY_ARRAY_CARRAY_RO, NULL);
    fp_reading reading = FP_READ;
    npy_intp i, count;
    if (objects == NULL) {
        return NULL;
    }
    count = PyArray_SIZE(objects);
    for (i = 0; i < count && reading == FP_READ; i++) {
        reading = fp_check_plain(((PyObject **)PyArray_DATA(objects))[i], p);
    }
    if (reading == FP_READ) {
        array = (PyArrayObject *)PyArray_FromArray(objects, PyArray_DescrFromType(p->type),
                                                   NPY_ARRAY_CARRAY | NPY_ARRAY_FORCECAST);
    }
    else if (reading == FP_OUT_OF_RANGE) {
        fp_error(PyExc_OverflowError, p, "element %zd is out of range for %s", (Py_ssize_t)(i - 1),
                 fp_type_name(p->type));
    }
    Py_DECREF((PyObject *)objects);
    return array;
}

/* A flat list or tuple of Python's own ints and floats; -1, with no exception, for anything else,
 * which NumPy converts. */
static FP_HELPER int
fp_read_locked_list(fp_array *x, PyObject *o, const fp_param *p)
{
    Py_ssize_t i = 0, count;
    fp_sequence items;
    fp_reading reading = FP_READ;
    fp_array_clear(x);
    if (p->ndim != 1 || (!PyList_CheckExact(o) && !PyTuple_CheckExact(o))) {
        return -1;
    }
    count = fp_count(o);
    items = fp_sequence_of(o);
    if (!PyTypeNum_ISFLOAT(p->type) && !PyTypeNum_ISINTEGER(p->type)) {
        return -1;
    }
    if (!fp_reserve(x, count, p)) {
        return 0;
    }
    /* One loop per class: a type test for each element costs half as much as the reading. */
    if (p->type == NPY_FLOAT64) {
        double *to = (double *)x->data;
        for (; i < count && (reading = fp_read_plain_double(fp_sequence_item(items, i), &to[i])) == FP_READ; i++) {
        }
    }
    else if (p->type == NPY_FLOAT32) {
        float *to = (float *)x->data;
        for (; i < count && (reading = fp_read_plain_float(fp_sequence_item(items, i), &to[i])) == FP_READ; i++) {
        }
    }
    else {
        char *to = (char *)x->data;
        for (; i < count && (reading = fp_read_plain_integer(fp_sequence_item(items, i), to, p)) == FP_READ; i++) {
            to += p->size;
        }
    }
    if (reading == FP_READ) {
        x->shape[0] = count;
        return 1;
    }
    fp_release(x);
    fp_array_clear(x);
    return reading == FP_NOT_PLAIN
               ? -1
               : fp_error(PyExc_OverflowError, p, "element %zd is out of range for %s", i,
                          fp_type_name(p->type));
}

/* The same for a list that other threads may change. */
static FP_HELPER int
fp_read_list(fp_array *x, PyObject *o, const fp_param *p)
{
    int done;
    FP_BEGIN_OBJECT(o)
    done = fp_read_locked_list(x, o, p);
    FP_END_OBJECT
    return done;
}

/* ---- From any object to an array of the right type and rank -------------------------------- */

/* An array from a container, a sequence or another object that NumPy can convert; NULL with an
 * exception. */
static FP_HELPER PyArrayObject *
fp_from_object(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = NULL;
    /* Strings are not numbers, and bytes may be a string. */
    if (!PyUnicode_Check(o) && (!PyBytes_Check(o) || p->type == NPY_UINT8) && o != Py_None) {
        int done = fp_view(&array, o, p);
        if (done < 0) {
            int has = fp_scan_missing(o, FP_MAX_DIMENSIONS + 1);
            if (has > 0) {
                fp_has_missing(p);
            }
            array = has != 0 ? NULL : (PyArrayObject *)PyArray_FromAny(o, NULL, 0, 0, 0, NULL);
            if (array == NULL && has <= 0) {
                fp_explain_error(p);
            }
        }
        if (done == 0) {
            fp_blame_nulls(o, p);
        }
        if (done == 0 || array == NULL) {
            return NULL;
        }
        if (PyArray_NDIM(array) > 0 || p->ndim == 0) {
            return array;
        }
    }
    fp_wanted_type(PyExc_TypeError, p, o, "an array of ", "");
    Py_XDECREF((PyObject *)array);
    return NULL;
}

/* True if all elements of an array of integers fit the parameter's integer type. */
static FP_HELPER int
fp_all_fit(PyArrayObject *array, const fp_param *p)
{
    int is_unsigned = PyTypeNum_ISUNSIGNED(p->type), ok = 1;
    unsigned long long max = fp_integer_max(p->type);
    long long min = is_unsigned ? 0 : -(long long)max - 1;
    int from = PyTypeNum_ISUNSIGNED(PyArray_TYPE(array)) ? NPY_UINT64 : NPY_INT64;
    npy_intp i, count = PyArray_SIZE(array);
    PyArrayObject *wide = (PyArrayObject *)PyArray_FromArray(array, PyArray_DescrFromType(from),
                                                             NPY_ARRAY_CARRAY_RO);
    if (wide == NULL) {
        return 0;
    }
    for (i = 0; i < count && ok; i++) {
        if (from == NPY_UINT64) {
            ok = ((const npy_uint64 *)PyArray_DATA(wide))[i] <= max;
        }
        else {
            long long value = ((const npy_int64 *)PyArray_DATA(wide))[i];
            ok = value >= min && (value < 0 || (unsigned long long)value <= max);
        }
    }
    Py_DECREF((PyObject *)wide);
    return ok
               ? 1
               : fp_error(PyExc_OverflowError, p, "element %zd is out of range for %s",
                          (Py_ssize_t)(i - 1), fp_type_name(p->type));
}

/* Numbers in a list have no dtype: integers may become any type that represents them, floats any
 * floating type, whatever the result of NumPy's own conversion. */
static FP_HELPER int
fp_may_cast_list(PyArrayObject *array, const fp_param *p)
{
    int from = PyArray_TYPE(array);
    if (PyArray_SIZE(array) == 0 || (PyTypeNum_ISBOOL(from) && PyArray_CanCastSafely(from, p->type))) {
        return 1;
    }
    if (PyTypeNum_ISINTEGER(from) && PyTypeNum_ISINTEGER(p->type)) {
        return fp_all_fit(array, p);
    }
    if ((PyTypeNum_ISINTEGER(from) || PyTypeNum_ISFLOAT(from)) && !PyTypeNum_ISINTEGER(p->type)
        && !PyTypeNum_ISBOOL(p->type)) {
        return 1;
    }
    if (PyTypeNum_ISCOMPLEX(from) && PyTypeNum_ISCOMPLEX(p->type)) {
        return 1;
    }
    return fp_wanted_type(PyExc_TypeError, p, (PyObject *)array, "numbers that fit ", "");
}

/* Finds the array for `o` (x->array), checks that its type may be cast to the parameter's and that
 * its rank is right, and selects the loop that packs its elements; *inner == NULL: NumPy's. */
static FP_HELPER int
fp_resolve(fp_array *x, PyObject *o, const fp_param *p, fp_inner *inner)
{
    int type;
    *inner = NULL;
    fp_array_clear(x);
    if (PyArray_Check(o)) {
        x->array = (PyArrayObject *)o;
    }
    else {
        x->array = fp_from_object(o, p);
        if (x->array == NULL) {
            return 0;
        }
        fp_own(x, x->array);
    }
    if (!PyArray_CheckExact((PyObject *)x->array) && !fp_check_unmasked((PyObject *)x->array, p)) {
        return 0;
    }
    type = fp_canonical_type(PyArray_DESCR(x->array));
    if (type == p->type) {
        *inner = fp_loader(p);
    }
    else if (type >= 0 && (*inner = p->converter(type)) != NULL) {
        if (!fp_is_behaved(x->array)) {
            *inner = NULL;
        }
    }
    else if (PyList_Check(o) || PyTuple_Check(o)) {
        int from = PyArray_TYPE(x->array);
        int has_large = PyTypeNum_ISINTEGER(p->type) ? from == NPY_FLOAT64 || from == NPY_OBJECT
                                                     : PyTypeNum_ISNUMBER(p->type) && from == NPY_OBJECT;
        if (has_large && PyArray_SIZE(x->array) > 0) {
            PyArrayObject *array = fp_from_large_integers(o, p);
            if (array == NULL) {
                return PyErr_Occurred() ? 0 : fp_may_cast_list(x->array, p);
            }
            fp_own(x, array);
            x->array = array;
            *inner = fp_load(p->size);
        }
        else if (!fp_may_cast_list(x->array, p)) {
            return 0;
        }
    }
    else if ((!PyTypeNum_ISNUMBER(PyArray_TYPE(x->array)) && !PyTypeNum_ISBOOL(PyArray_TYPE(x->array)))
             || !PyArray_CanCastSafely(PyArray_TYPE(x->array), p->type)) {
        return fp_wanted_type(PyExc_TypeError, p, (PyObject *)x->array, "an array that casts safely to ", "");
    }
    return fp_rank_fits(PyArray_NDIM(x->array), p) ? 1 : fp_wrong_rank(p, (PyObject *)x->array);
}

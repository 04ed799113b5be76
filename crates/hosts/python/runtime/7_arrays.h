/* Arrays: NumPy arrays and sequences to contiguous C memory, and back.
 *
 * fp_array is one array argument of a call. Whatever state it is in after one of the functions that
 * fill it, success or not, fp_release gives back exactly what it holds. */

#define FP_SMALL 256         /* bytes of a copy that need no allocation */
#define FP_MAX_DIMENSIONS 32 /* what every NumPy allows */

/* What an fp_array holds, and fp_release gives back. */
enum {
    FP_OWNS = 1,      /* a reference, `owner` */
    FP_ALLOCATED = 2, /* memory, `memory` */
    FP_PACKED = 4     /* nothing by itself: C works on a packed copy of the array */
};

typedef struct {
    void *data;           /* what C gets; NULL for a NULL argument */
    PyArrayObject *array; /* the array behind it; NULL when there is none */
    int held;             /* FP_OWNS, ...; 0 for an array that is used as it lies */
    PyArrayObject *owner;
    void *memory;
    /* A copy of the shape: Python code that a later argument runs may reshape the array. */
    npy_intp shape[FP_MAX_DIMENSIONS];
#if defined(__GNUC__) || defined(__clang__)
    __attribute__((aligned(16)))
#endif
    char small[FP_SMALL];
} fp_array;

static inline void
fp_array_clear(fp_array *x)
{
    x->data = NULL;
    x->array = NULL;
    x->held = 0;
}

/* A NULL argument: all its dimensions are 0. */
static inline void
fp_array_null(fp_array *x, const fp_param *p)
{
    int i;
    fp_array_clear(x);
    for (i = 0; i < p->ndim; i++) {
        x->shape[i] = 0;
    }
}

/* Uses an array of the parameter's rank as it lies. */
static inline void
fp_use(fp_array *x, PyArrayObject *array, const fp_param *p)
{
    int i;
    x->data = PyArray_DATA(array);
    x->array = array;
    for (i = 0; i < p->ndim; i++) {
        x->shape[i] = PyArray_DIM(array, i);
    }
}

static FP_HELPER void
fp_release_held(fp_array *x)
{
    if (x->held & FP_ALLOCATED) {
        PyMem_Free(x->memory);
    }
    if (x->held & FP_OWNS) {
        Py_DECREF((PyObject *)x->owner);
    }
}

static inline void
fp_release(fp_array *x)
{
    if (FP_UNLIKELY(x->held != 0)) {
        fp_release_held(x);
    }
}

/* Takes over a new reference, and drops the one held before. */
static FP_UNUSED void
fp_own(fp_array *x, PyArrayObject *array)
{
    PyArrayObject *before = x->held & FP_OWNS ? x->owner : NULL;
    x->owner = array;
    x->held |= FP_OWNS;
    Py_XDECREF((PyObject *)before);
}

/* The number of elements. It cannot overflow: such an array exists. */
static inline npy_intp
fp_size(const fp_array *x, int ndim)
{
    npy_intp size = 1;
    int i;
    for (i = 0; i < ndim; i++) {
        size *= x->shape[i];
    }
    return size;
}

/* ---- Tests ------------------------------------------------------------------------------------- */

static inline int
fp_is_fortran(const fp_param *p)
{
    return (p->flags & NPY_ARRAY_F_CONTIGUOUS) != 0;
}

/* True if `o` is an array that C can use as it lies. */
static inline int
fp_is_ready(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = (PyArrayObject *)o;
    return FP_LIKELY(PyArray_CheckExact(o)) && FP_LIKELY(PyArray_DESCR(array)->type_num == p->type)
           && FP_LIKELY(PyArray_NDIM(array) == p->ndim)
           && FP_LIKELY((PyArray_FLAGS(array) & p->flags) == p->flags)
           && FP_LIKELY(PyArray_ISNBO(PyArray_DESCR(array)->byteorder));
}

static inline int
fp_is_native(PyArrayObject *array)
{
    return PyArray_ISNBO(PyArray_DESCR(array)->byteorder);
}

static FP_COLD int
fp_wrong_rank(const fp_param *p, PyObject *o)
{
    fp_text t;
    fp_begin_wanted(&t, p);
    fp_append_string(&t, "a ");
    fp_append_integer(&t, p->ndim);
    fp_append_string(&t, "-D array");
    return fp_raise_got(PyExc_ValueError, &t, o);
}

/* The part that inplace, inout and out share: memory of the caller's that C is going to write. */
static FP_HELPER int
fp_check_writable(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = (PyArrayObject *)o;
    if (!PyArray_Check(o)) {
        return fp_wanted_type(PyExc_TypeError, p, o, "an array of ", ", which can be written to");
    }
    if (fp_canonical_type(PyArray_DESCR(array)) != p->type) {
        return fp_wanted_type(PyExc_TypeError, p, o, "an array of exactly ", "");
    }
    if (PyArray_NDIM(array) != p->ndim) {
        return fp_wrong_rank(p, o);
    }
    if (!PyArray_ISWRITEABLE(array)) {
        return fp_error(PyExc_ValueError, p, "the array is read-only");
    }
    return 1;
}

/* ---- Lists of plain numbers -------------------------------------------------------------------------- */

typedef enum { FP_READ, FP_NOT_PLAIN, FP_OUT_OF_RANGE } fp_reading;

/* A number in a list as a double, where it is one of Python's own ints and floats. */
static inline fp_reading
fp_read_plain_double(PyObject *item, double *value)
{
    if (FP_LIKELY(PyFloat_CheckExact(item))) {
        *value = PyFloat_AS_DOUBLE(item);
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

/* A list of ints of which NumPy by itself makes floats or objects, as some are beyond int64, as an array
 * of the parameter's integer type; NULL where there is anything else in it, or with an exception. */
static FP_HELPER PyArrayObject *
fp_from_integers(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = NULL, *objects = (PyArrayObject *)PyArray_FromAny(
        o, PyArray_DescrFromType(NPY_OBJECT), 0, 0, NPY_ARRAY_CARRAY_RO, NULL);
    fp_reading reading = FP_READ;
    npy_intp i, count;
    char element[8];
    if (objects == NULL) {
        return NULL;
    }
    count = PyArray_SIZE(objects);
    for (i = 0; i < count && reading == FP_READ; i++) {
        reading = fp_read_plain_integer(((PyObject **)PyArray_DATA(objects))[i], element, p);
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

/* ---- From any object to an array of the right type and rank ------------------------------------------ */

/* An array from a sequence or another object that NumPy understands; NULL with an exception. */
static FP_HELPER PyArrayObject *
fp_from_object(PyObject *o, const fp_param *p)
{
    PyArrayObject *array = NULL;
    if (!PyUnicode_Check(o) && !PyBytes_Check(o) && o != Py_None) {
        array = (PyArrayObject *)PyArray_FromAny(o, NULL, 0, 0, 0, NULL);
        if (array == NULL) {
            fp_explain_error(p);
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

/* A list's numbers have no dtype of their own: integers may become any type that holds them,
 * floats any floating type, whatever NumPy makes of the list by itself. */
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

/* Finds the array behind `o` (x->array), checks that its type may become the parameter's and that
 * its rank is right, and says by which loop its elements are packed; *inner == NULL: by NumPy. */
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
    type = fp_canonical_type(PyArray_DESCR(x->array));
    if (type == p->type) {
        *inner = fp_load(p->size);
    }
    else if (type >= 0 && (*inner = p->converter(type)) != NULL) {
        if (!PyArray_ISALIGNED(x->array) || !fp_is_native(x->array)) {
            *inner = NULL;
        }
    }
    else if (PyList_Check(o) || PyTuple_Check(o)) {
        int from = PyArray_TYPE(x->array);
        if (PyTypeNum_ISINTEGER(p->type) && PyArray_SIZE(x->array) > 0
            && (from == NPY_FLOAT64 || from == NPY_OBJECT)) {
            PyArrayObject *array = fp_from_integers(o, p);
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
    return PyArray_NDIM(x->array) == p->ndim ? 1 : fp_wrong_rank(p, (PyObject *)x->array);
}

/* ---- Packed copies ----------------------------------------------------------------------------------- */

/* Memory for `count` elements in x->data; small counts need no allocation. */
static inline int
fp_reserve(fp_array *x, npy_intp count, const fp_param *p)
{
    if (FP_LIKELY(count <= FP_SMALL / p->size)) {
        x->data = x->small;
        x->held |= FP_PACKED;
        return 1;
    }
    if (count > NPY_MAX_INTP / p->size
        || (x->memory = PyMem_Malloc((size_t)count * (size_t)p->size)) == NULL) {
        return fp_error(PyExc_MemoryError, p, "no memory for a copy of %zd elements", count);
    }
    x->data = x->memory;
    x->held |= FP_ALLOCATED | FP_PACKED;
    return 1;
}

static FP_HELPER void
fp_pack(PyArrayObject *from, void *to, const fp_param *p, fp_inner inner)
{
    fp_for_each(from, (char *)to, p->size, fp_is_fortran(p), 0, inner);
    if (!fp_is_native(from)) {
        fp_swap_bytes((char *)to, PyArray_SIZE(from), p->size, PyTypeNum_ISCOMPLEX(p->type));
    }
}

static FP_HELPER void
fp_unpack(fp_array *x, const fp_param *p)
{
    if (!fp_is_native(x->array)) {
        fp_swap_bytes((char *)x->data, PyArray_SIZE(x->array), p->size,
                      PyTypeNum_ISCOMPLEX(p->type));
    }
    fp_for_each(x->array, (char *)x->data, p->size, fp_is_fortran(p), 1, fp_store(p->size));
}

/* Makes the array C's own: as it lies where it can be, else a packed copy. */
static inline int
fp_use_or_pack(fp_array *x, const fp_param *p, fp_inner inner)
{
    fp_use(x, x->array, p);
    if ((PyArray_FLAGS(x->array) & p->flags) == p->flags && fp_is_native(x->array)) {
        return 1;
    }
    if (!fp_reserve(x, fp_size(x, p->ndim), p)) {
        return 0;
    }
    fp_pack(x->array, x->data, p, inner);
    return 1;
}

/* The array that NumPy's cast makes; `extra`: flags beyond the parameter's. */
static FP_HELPER int
fp_cast_by_numpy(fp_array *x, const fp_param *p, int extra)
{
    PyArrayObject *cast = (PyArrayObject *)PyArray_FromArray(
        x->array, PyArray_DescrFromType(p->type),
        (p->flags & ~FP_WRITE) | NPY_ARRAY_FORCECAST | NPY_ARRAY_ENSUREARRAY | extra);
    if (cast == NULL) {
        return 0;
    }
    fp_own(x, cast);
    fp_use(x, cast, p);
    return 1;
}

/* A flat list or tuple of Python's own ints and floats; -1, with no exception, for anything else, which
 * NumPy had better judge. */
static FP_HELPER int
fp_read_list(fp_array *x, PyObject *o, const fp_param *p)
{
    Py_ssize_t i = 0, count;
    PyObject **items;
    fp_reading reading = FP_READ;
    fp_array_clear(x);
    if (p->ndim != 1 || (!PyList_CheckExact(o) && !PyTuple_CheckExact(o))) {
        return -1;
    }
    count = PySequence_Fast_GET_SIZE(o);
    items = PySequence_Fast_ITEMS(o);
    if (!PyTypeNum_ISFLOAT(p->type) && !PyTypeNum_ISINTEGER(p->type)) {
        return -1;
    }
    if (!fp_reserve(x, count, p)) {
        return 0;
    }
    /* One loop a kind: a test of the type for each element costs half as much as the reading. */
    if (p->type == NPY_FLOAT64) {
        double *to = (double *)x->data;
        for (; i < count && (reading = fp_read_plain_double(items[i], &to[i])) == FP_READ; i++) {
        }
    }
    else if (p->type == NPY_FLOAT32) {
        float *to = (float *)x->data;
        for (; i < count && (reading = fp_read_plain_float(items[i], &to[i])) == FP_READ; i++) {
        }
    }
    else {
        char *to = (char *)x->data;
        for (; i < count && (reading = fp_read_plain_integer(items[i], to, p)) == FP_READ; i++) {
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

/* ---- in ---------------------------------------------------------------------------------------------- */

static FP_HELPER int
fp_array_in_slowly(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_inner inner;
    int done;
    if (PyArray_CheckExact(o) && PyArray_DESCR((PyArrayObject *)o)->type_num == p->type
        && PyArray_NDIM((PyArrayObject *)o) == p->ndim) {
        fp_array_clear(x);
        x->array = (PyArrayObject *)o;
        return fp_use_or_pack(x, p, fp_load(p->size));
    }
    done = fp_read_list(x, o, p);
    if (done >= 0) {
        return done;
    }
    if (!fp_resolve(x, o, p, &inner)) {
        return 0;
    }
    if (inner == NULL) {
        return fp_cast_by_numpy(x, p, 0);
    }
    if (fp_canonical_type(PyArray_DESCR(x->array)) == p->type) {
        return fp_use_or_pack(x, p, inner);
    }
    fp_use(x, x->array, p);
    if (!fp_reserve(x, fp_size(x, p->ndim), p)) {
        return 0;
    }
    fp_pack(x->array, x->data, p, inner);
    return 1;
}

/* in: as it lies where C can use it, else a packed copy. */
static inline int
fp_array_in(fp_array *x, PyObject *o, const fp_param *p)
{
    if (fp_is_ready(o, p)) {
        x->held = 0;
        fp_use(x, (PyArrayObject *)o, p);
        return 1;
    }
    return fp_array_in_slowly(x, o, p);
}

/* ---- inplace, inout ---------------------------------------------------------------------------------- */

static FP_HELPER int
fp_array_inplace_slowly(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_array_clear(x);
    if (!fp_check_writable(o, p)) {
        return 0;
    }
    x->array = (PyArrayObject *)o;
    return fp_use_or_pack(x, p, fp_load(p->size));
}

/* inplace: as in, of exactly this type, and fp_write_back after the call. */
static inline int
fp_array_inplace(fp_array *x, PyObject *o, const fp_param *p)
{
    if (fp_is_ready(o, p)) {
        x->held = 0;
        fp_use(x, (PyArrayObject *)o, p);
        return 1;
    }
    return fp_array_inplace_slowly(x, o, p);
}

static inline void
fp_write_back(fp_array *x, const fp_param *p)
{
    if (FP_UNLIKELY(x->held & FP_PACKED)) {
        fp_unpack(x, p);
    }
}

static FP_HELPER int
fp_array_inout_slowly(fp_array *x, PyObject *o, const fp_param *p)
{
    fp_array_clear(x);
    if (!fp_check_writable(o, p)) {
        return 0;
    }
    x->array = (PyArrayObject *)o;
    if (!fp_is_native(x->array)) {
        return fp_wanted_type(PyExc_TypeError, p, o, "an array of ", " in native byte order");
    }
    if (!PyArray_ISALIGNED(x->array)) {
        return fp_error(PyExc_ValueError, p, "the array must be aligned");
    }
    if ((PyArray_FLAGS(x->array) & p->flags) != p->flags) {
        return fp_error(PyExc_ValueError, p, "the array must be %s-contiguous",
                        fp_is_fortran(p) ? "F" : "C");
    }
    fp_use(x, x->array, p);
    return 1;
}

/* inout: as it lies, or not at all. */
static inline int
fp_array_inout(fp_array *x, PyObject *o, const fp_param *p)
{
    if (fp_is_ready(o, p)) {
        x->held = 0;
        fp_use(x, (PyArrayObject *)o, p);
        return 1;
    }
    return fp_array_inout_slowly(x, o, p);
}

/* ---- out, in out, hidden ------------------------------------------------------------------------------ */

static FP_COLD int
fp_bad_shape(const fp_array *x, const fp_param *p)
{
    const npy_intp *shape = x->shape;
    int i;
    for (i = 0; i < p->ndim && shape[i] >= 0; i++) {
    }
    if (shape[i] == FP_NO_DIM) {
        return fp_error(PyExc_ValueError, p, "dimension %d cannot be computed: it overflows, or divides by zero",
                        i);
    }
    return fp_error(PyExc_ValueError, p, "dimension %d would be negative (%zd)", i,
                    (Py_ssize_t)shape[i]);
}

static inline int
fp_check_shape(const fp_array *x, const fp_param *p)
{
    int i;
    for (i = 0; i < p->ndim; i++) {
        if (FP_UNLIKELY(x->shape[i] < 0)) {
            return fp_bad_shape(x, p);
        }
    }
    return 1;
}

/* Says which array NumPy could not make. */
static FP_COLD int
fp_not_made(const fp_array *x, const fp_param *p)
{
    int memory = PyErr_ExceptionMatches(PyExc_MemoryError);
    fp_text t;
    if (!memory && !PyErr_ExceptionMatches(PyExc_ValueError)) {
        return 0;
    }
    PyErr_Clear();
    fp_begin(&t, p);
    fp_append_string(&t, memory ? "no memory for an array of shape "
                                : "no array can be as large as shape ");
    fp_append_shape(&t, p->ndim, x->shape);
    return fp_raise(memory ? PyExc_MemoryError : PyExc_ValueError, &t);
}

/* A new array of shape x->shape in x, its elements not set. */
static inline int
fp_array_new(fp_array *x, const fp_param *p)
{
    PyArrayObject *array = (PyArrayObject *)PyArray_New(
        &PyArray_Type, p->ndim, x->shape, p->type, NULL, NULL, 0,
        fp_is_fortran(p) ? NPY_ARRAY_F_CONTIGUOUS : 0, NULL);
    if (FP_UNLIKELY(array == NULL)) {
        return fp_not_made(x, p);
    }
    fp_own(x, array);
    x->array = array;
    x->data = PyArray_DATA(array);
    return 1;
}

static FP_HELPER int
fp_array_buffer(fp_array *x, PyObject *o, const fp_param *p)
{
    int axis;
    if (!fp_check_writable(o, p)) {
        return 0;
    }
    x->array = (PyArrayObject *)o;
    for (axis = 0; axis < p->ndim; axis++) {
        if (PyArray_DIM(x->array, axis) != x->shape[axis]) {
            return fp_error(PyExc_ValueError, p, "dimension %d is %zd, but must be %zd", axis,
                            (Py_ssize_t)PyArray_DIM(x->array, axis), (Py_ssize_t)x->shape[axis]);
        }
    }
    return fp_use_or_pack(x, p, fp_load(p->size));
}

/* out: of shape x->shape, the caller's buffer when one is given (fp_write_back after the call), else
 * a new array. */
static inline int
fp_array_out(fp_array *x, PyObject *buffer, const fp_param *p)
{
    fp_array_clear(x);
    if (!fp_check_shape(x, p)) {
        return 0;
    }
    return fp_is_given(buffer) ? fp_array_buffer(x, buffer, p) : fp_array_new(x, p);
}

/* in out: a copy that C may change, in an array that can be returned. */
static FP_HELPER int
fp_array_copy(fp_array *x, PyObject *o, const fp_param *p)
{
    PyArrayObject *from;
    fp_inner inner;
    int made, done = fp_read_list(x, o, p);
    if (done == 0) {
        return 0;
    }
    if (done == 1) {
        void *packed = x->data;
        if (!fp_array_new(x, p)) {
            return 0;
        }
        memcpy(x->data, packed, (size_t)(fp_size(x, p->ndim) * p->size));
        return 1;
    }
    if (!fp_resolve(x, o, p, &inner)) {
        return 0;
    }
    if (inner == NULL) {
        return fp_cast_by_numpy(x, p, NPY_ARRAY_ENSURECOPY);
    }
    from = x->array; /* kept until its copy is there: it may be ours alone */
    fp_use(x, from, p);
    Py_INCREF((PyObject *)from);
    made = fp_array_new(x, p);
    if (made) {
        fp_pack(from, x->data, p, inner);
    }
    Py_DECREF((PyObject *)from);
    return made;
}

/* hidden: zeroed memory of shape x->shape that only C sees. */
static FP_HELPER int
fp_array_scratch(fp_array *x, const fp_param *p)
{
    npy_intp count = 1;
    int i;
    fp_array_clear(x);
    if (!fp_check_shape(x, p)) {
        return 0;
    }
    for (i = 0; i < p->ndim; i++) {
        if (x->shape[i] != 0 && count > NPY_MAX_INTP / p->size / x->shape[i]) {
            return fp_error(PyExc_ValueError, p, "the array is too large");
        }
        count *= x->shape[i];
    }
    if (!fp_reserve(x, count, p)) {
        return 0;
    }
    memset(x->data, 0, (size_t)(count * p->size));
    return 1;
}

/* Sets all elements of an array that we made to one element's value. */
static FP_HELPER void
fp_fill(fp_array *x, const void *element, const fp_param *p)
{
    fp_inner copy = fp_load(p->size);
    copy((char *)x->data, (const char *)element, fp_size(x, p->ndim), 0);
}

/* ---- Shapes ------------------------------------------------------------------------------------------- */

static FP_COLD int
fp_wrong_dim(const fp_array *x, int axis, npy_intp wanted, const char *expression, const fp_param *p)
{
    fp_text t;
    if (wanted == FP_NO_DIM) {
        return fp_error(PyExc_ValueError, p, "dimension %d (%s) cannot be computed: it overflows, or divides by zero", axis,
                        expression == NULL ? "a number" : expression);
    }
    fp_begin(&t, p);
    fp_append_string(&t, "dimension ");
    fp_append_integer(&t, axis);
    fp_append_string(&t, " of shape ");
    fp_append_shape(&t, p->ndim, x->shape);
    fp_append_string(&t, " is ");
    fp_append_integer(&t, x->shape[axis]);
    fp_append_string(&t, ", but ");
    fp_append_string(&t, expression == NULL ? "must be " : expression);
    fp_append_string(&t, expression == NULL ? "" : " is ");
    fp_append_integer(&t, wanted);
    return fp_raise(PyExc_ValueError, &t);
}

/* A dimension that the prototype gives as `expression` (NULL: a number) must have its value. */
static inline int
fp_check_dim(const fp_array *x, int axis, npy_intp wanted, const char *expression, const fp_param *p)
{
    return FP_LIKELY(x->data == NULL || x->shape[axis] == wanted)
               ? 1
               : fp_wrong_dim(x, axis, wanted, expression, p);
}

static FP_COLD int
fp_dim_out_of_range(npy_intp dim, int axis, int type, const char *name, const fp_param *p)
{
    return fp_error(PyExc_OverflowError, p, "dimension %d is %zd, which is out of range for %s (%s)",
                    axis, (Py_ssize_t)dim, name, fp_type_name(type));
}

/* Sets the integer variable `name` of the given type to dimension `axis` of a parameter's array. */
static inline int
fp_find_dim(void *variable, int type, npy_intp dim, int axis, const char *name, const fp_param *p)
{
    if (FP_UNLIKELY((unsigned long long)dim > fp_integer_max(type))) {
        return fp_dim_out_of_range(dim, axis, type, name, p);
    }
    fp_store_integer(variable, type, dim);
    return 1;
}

/* ---- Results ------------------------------------------------------------------------------------------ */

/* The array itself, as a new reference; None for NULL. */
static inline PyObject *
fp_give(fp_array *x)
{
    if (FP_LIKELY((x->held & FP_OWNS) && x->array == x->owner)) {
        x->held &= ~FP_OWNS; /* ours to give away */
        return (PyObject *)x->array;
    }
    return Py_NewRef(x->array == NULL ? Py_None : (PyObject *)x->array);
}

/* A copy of the caller's array as it is after the call; None for NULL. */
static FP_HELPER PyObject *
fp_give_copy(const fp_array *x, const fp_param *p)
{
    if (x->array == NULL) {
        Py_RETURN_NONE;
    }
    return PyArray_NewCopy(x->array, fp_is_fortran(p) ? NPY_FORTRANORDER : NPY_CORDER);
}

/* A tuple of new references, which it takes over; NULL when one of them is. */
static FP_HELPER PyObject *
fp_tuple(PyObject **items, Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count);
    Py_ssize_t i;
    int ok = tuple != NULL;
    for (i = 0; i < count; i++) {
        ok = ok && items[i] != NULL;
    }
    for (i = 0; i < count; i++) {
        if (ok) {
            PyTuple_SET_ITEM(tuple, i, items[i]);
        }
        else {
            Py_XDECREF(items[i]);
        }
    }
    if (!ok) {
        Py_CLEAR(tuple);
    }
    return tuple;
}

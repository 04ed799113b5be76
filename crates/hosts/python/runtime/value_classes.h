/* Classified values: the type, rank, range and layout of each value of a call of overloads. Each value is inspected once;
 * after that a test is a comparison of small integers. */

/* Weak numbers and lists have no dtype; arrays of rank 0 are numbers. Bytes are an array, but cannot be
 * cast. */
typedef enum { FP_OTHER, FP_NUMBER, FP_WEAK_NUMBER, FP_ARRAY, FP_BYTES, FP_LIST, FP_STRING } fp_form;

typedef struct {
    fp_form form;
    int type;     /* the type number if there is one, -1 for a type that no parameter has */
    int ndim;
    /* Of an int, or the integers of a list: the least below 0, the largest from 0 on. */
    int beyond; /* some integers need more than 64 bits */
    long long least;
    unsigned long long most;
    int layout; /* of an array: FP_KIND_C and FP_KIND_FORTRAN if it is contiguous in that order */
    int lists;  /* it has lists; type and rank are those of their values */
} fp_class;

/* Adds an int to the range. */
static FP_HELPER int
fp_class_add(fp_class *c, PyObject *integer)
{
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    unsigned long long most = value < 0 ? 0 : (unsigned long long)value;
    if (overflow > 0) {
        most = PyLong_AsUnsignedLongLong(integer);
        if (most == (unsigned long long)-1 && PyErr_Occurred()) {
            PyErr_Clear();
            c->beyond = 1;
        }
    }
    c->beyond = c->beyond || overflow < 0;
    c->least = value < c->least && !overflow ? value : c->least;
    c->most = most > c->most ? most : c->most;
    return !(value == -1 && PyErr_Occurred());
}

/* True if an integer type can represent the whole range. */
static FP_UNUSED int
fp_holds(int type, const fp_class *c)
{
    unsigned long long max = fp_integer_max(type);
    long long min = PyTypeNum_ISUNSIGNED(type) ? 0 : -(long long)max - 1;
    return !c->beyond && c->least >= min && c->most <= max;
}

/* As fp_canonical_type, and float16, which can be cast to every floating type. */
static FP_UNUSED int
fp_class_type(PyArray_Descr *descr)
{
    return descr->type_num == NPY_HALF ? NPY_HALF : fp_canonical_type(descr);
}

/* The layout of the dimensions of an array after the first `lead`: FP_KIND_C, FP_KIND_FORTRAN, both or
 * neither. */
static FP_HELPER int
fp_layout(PyArrayObject *array, int lead)
{
    int flags = PyArray_FLAGS(array), ndim = PyArray_NDIM(array), layout = 0, order, k;
    if (lead == 0) {
        return (flags & NPY_ARRAY_C_CONTIGUOUS ? FP_KIND_C : 0)
               | (flags & NPY_ARRAY_F_CONTIGUOUS ? FP_KIND_FORTRAN : 0);
    }
    for (order = FP_KIND_C; order <= FP_KIND_FORTRAN; order++) {
        npy_intp close = PyArray_ITEMSIZE(array);
        int lies = 1;
        for (k = 0; k < ndim - lead; k++) {
            int axis = order == FP_KIND_C ? ndim - 1 - k : lead + k;
            lies = lies && (PyArray_DIM(array, axis) == 1 || PyArray_STRIDE(array, axis) == close);
            close *= PyArray_DIM(array, axis);
        }
        layout |= lies || PyArray_SIZE(array) == 0 ? order : 0;
    }
    return layout;
}

/* Reads type and rank from the attributes of an array-like object, because a conversion to an array may
 * compute one. Returns 0 with an exception; -1 if it lacks the attributes. */
static FP_HELPER int
fp_classify_attributes(PyObject *o, fp_class *c)
{
    PyObject *dtype, *ndim;
    int overflow, found = fp_find(o, &fp_name_dtype, &dtype);
    if (found != 1) {
        return found;
    }
    found = fp_find(o, &fp_name_ndim, &ndim);
    if (found == 1) {
        found = PyArray_DescrCheck(dtype) && PyLong_CheckExact(ndim) ? 1 : -1;
        if (found == 1) {
            c->form = FP_ARRAY;
            c->type = fp_class_type((PyArray_Descr *)dtype);
            c->ndim = (int)PyLong_AsLongLongAndOverflow(ndim, &overflow);
        }
        Py_DECREF(ndim);
    }
    Py_DECREF(dtype);
    return found;
}

/* Clears the exception and returns 1 if it describes the value. */
static FP_HELPER int
fp_forgive(void)
{
    if (PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_TypeError)
        || PyErr_ExceptionMatches(PyExc_BufferError)) {
        PyErr_Clear();
        return 1;
    }
    return 0;
}

/* True if a double may not represent the whole range. */
static FP_UNUSED int
fp_would_round(const fp_class *c)
{
    const long long most = 1ll << 53;
    return c->least < -most || c->most > (unsigned long long)most;
}

/* True if the first value in nested lists is an int. NumPy has read them, so they end. */
static FP_UNUSED int
fp_begins_with_int(PyObject *o)
{
    int is_int = PyLong_CheckExact(o);
    PyObject *item = PyList_CheckExact(o) || PyTuple_CheckExact(o) ? fp_item_at(o, 0) : NULL;
    while (item != NULL) {
        PyObject *inner = PyList_CheckExact(item) || PyTuple_CheckExact(item) ? fp_item_at(item, 0) : NULL;
        is_int = PyLong_CheckExact(item);
        fp_set_reference(&item, inner);
    }
    return is_int;
}

/* Reads the integers of a list, in the array that NumPy created from it. NumPy converts ints beyond
 * int64 to floats or objects: such a list still counts as integers, or floats. */
static FP_HELPER int
fp_classify_integers(PyObject *list, PyArrayObject *array, fp_class *c)
{
    npy_intp i, count = PyArray_SIZE(array);
    int wide = c->type == NPY_FLOAT64 || PyArray_TYPE(array) == NPY_OBJECT, done = 1, floats = 0;
    PyArrayObject *view = (PyArrayObject *)PyArray_FromAny(
        wide ? list : (PyObject *)array,
        PyArray_DescrFromType(wide                             ? NPY_OBJECT
                              : PyTypeNum_ISUNSIGNED(c->type) ? NPY_UINT64
                                                               : NPY_INT64),
        0, 0, NPY_ARRAY_CARRAY_RO, NULL);
    if (view == NULL) {
        return fp_forgive();
    }
    for (i = 0; i < count && done == 1; i++) {
        char *at = (char *)PyArray_DATA(view) + i * 8;
        if (wide) {
            PyObject *item = *(PyObject **)(void *)at;
            floats = floats || PyFloat_CheckExact(item);
            done = PyFloat_CheckExact(item) || item == Py_None ? 1
                   : PyLong_CheckExact(item)                     ? fp_class_add(c, item)
                                                                 : -1;
        }
        else if (PyTypeNum_ISUNSIGNED(c->type)) {
            npy_uint64 value = *(npy_uint64 *)(void *)at;
            c->most = value > c->most ? value : c->most;
        }
        else {
            npy_int64 value = *(npy_int64 *)(void *)at;
            c->least = value < c->least ? value : c->least;
            c->most = value > 0 && (unsigned long long)value > c->most ? (unsigned long long)value : c->most;
        }
    }
    if (wide && done == 1 && count > 0) {
        c->type = floats ? NPY_FLOAT64 : fp_holds(NPY_INT64, c) ? NPY_INT64 : NPY_UINT64;
    }
    Py_DECREF((PyObject *)view);
    return done != 0;
}

/* The parameter before an overload is chosen; its errors are ignored. */
static const fp_param fp_any_param FP_UNUSED = {"", "", NPY_FLOAT64, 8, FP_ONE_VALUE, FP_ONE_ITEM};

static FP_HELPER int
fp_classify_container(PyObject *o, fp_class *c)
{
    PyArrayObject *array;
    int is_list = PyList_Check(o) || PyTuple_Check(o);
    int done = is_list ? -1 : fp_view(&array, o, &fp_any_param);
    if (done < 0 && !is_list) {
        done = fp_view_interface(&array, o, &fp_any_param);
    }
    if (done == 0) {
        PyObject *values, *mask;
        c->form = FP_ARRAY; /* which matches no parameter: on a device, for example */
        if (!fp_forgive()) {
            return 0;
        }
        done = fp_split_missing(o, &values, &mask);
        if (done == 1) {
            Py_DECREF(mask);
            done = fp_classify_container(values, c);
            Py_DECREF(values);
        }
        return done != 0 || fp_forgive();
    }
    if (done < 0) {
        PyObject *method;
        int found = is_list ? -1 : fp_find(o, &fp_name_array, &method), like = found == 1;
        if (like) {
            Py_DECREF(method);
            found = fp_classify_attributes(o, c);
        }
        if (found >= 0) {
            return found == 1 || fp_forgive();
        }
        if (PyBytes_Check(o) || !(like || PySequence_Check(o))) {
            return 1;
        }
        /* NumPy finds rank and type; a value that it cannot read matches no parameter. */
        array = (PyArrayObject *)PyArray_FromAny(o, NULL, 0, 0, 0, NULL);
        if (array == NULL) {
            return fp_forgive();
        }
    }
    c->form = is_list ? FP_LIST : PyBytes_Check(o) ? FP_BYTES : FP_ARRAY;
    c->ndim = PyArray_NDIM(array);
    c->type = fp_class_type(PyArray_DESCR(array));
    c->layout = fp_layout(array, 0);
    if (c->form == FP_LIST && PyArray_SIZE(array) == 0) {
        c->type = NPY_BOOL; /* an empty list can be cast to every type */
    }
    else if (c->form == FP_LIST
             && (PyTypeNum_ISINTEGER(c->type)
                 || PyArray_TYPE(array) == NPY_OBJECT
                 || (c->type == NPY_FLOAT64 && fp_begins_with_int(o)))) {
        int done = fp_classify_integers(o, array, c);
        Py_DECREF((PyObject *)array);
        return done;
    }
    Py_DECREF((PyObject *)array);
    return 1;
}

/* An object with `__index__` counts as the int that it returns. */
static FP_HELPER int
fp_classify_index(PyObject *o, fp_class *c)
{
    PyObject *integer = PyNumber_Index(o);
    int done;
    if (integer == NULL) {
        return fp_forgive();
    }
    c->form = FP_WEAK_NUMBER;
    c->type = NPY_INT64;
    done = fp_class_add(c, integer);
    Py_DECREF(integer);
    return done;
}

/* Clears a class: of unknown type, which matches no parameter. */
static inline void
fp_class_clear(fp_class *c)
{
    c->form = FP_OTHER;
    c->type = -1;
    c->ndim = 0;
    c->beyond = 0;
    c->least = 0;
    c->most = 0;
    c->layout = FP_KIND_C;
    c->lists = 0;
}

static FP_HELPER int
fp_classify(PyObject *o, fp_class *c)
{
    fp_class_clear(c);
    if (PyUnicode_Check(o)) {
        c->form = FP_STRING;
        c->type = NPY_UNICODE;
    }
    else if (PyArray_Check(o)) {
        c->layout = fp_layout((PyArrayObject *)o, 0);
        c->ndim = PyArray_NDIM((PyArrayObject *)o);
        c->form = c->ndim == 0 ? FP_NUMBER : FP_ARRAY;
        c->type = fp_class_type(PyArray_DESCR((PyArrayObject *)o));
    }
    else if (PyArray_IsScalar(o, Generic)) {
        PyArray_Descr *descr = PyArray_DescrFromScalar(o);
        if (descr == NULL) {
            return 0;
        }
        c->form = FP_NUMBER;
        c->type = fp_class_type(descr);
        Py_DECREF(descr);
    }
    else if (PyBool_Check(o)) {
        c->form = FP_NUMBER;
        c->type = NPY_BOOL;
    }
    else if (PyLong_Check(o)) {
        c->form = FP_WEAK_NUMBER;
        c->type = NPY_INT64;
        return fp_class_add(c, o);
    }
    else if (PyFloat_Check(o)) {
        c->form = FP_WEAK_NUMBER;
        c->type = NPY_FLOAT64;
    }
    else if (PyComplex_Check(o)) {
        c->form = FP_WEAK_NUMBER;
        c->type = NPY_COMPLEX128;
    }
    else if (o != Py_None) {
        if (!fp_classify_container(o, c)) {
            return 0;
        }
        return c->form == FP_OTHER && PyIndex_Check(o) ? fp_classify_index(o, c) : 1;
    }
    return 1;
}

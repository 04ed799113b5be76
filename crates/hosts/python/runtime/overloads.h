/* Overloads: the choice of one of several prototypes for a call.
 *
 * Each value is inspected once (fp_classify); after that a test is a comparison of small integers. The
 * overload with the best worst fit is chosen: exact types before safe casts, then floating types that
 * may round, and values that may be out of range last, so that their own error can report them. Among
 * equals, one that takes the values as one item is preferred, then one whose kind suits the layout of
 * the arrays, then the first. */

typedef struct {
    const fp_signature *signature;
    const fp_param *const *params; /* one for each slot of the signature */
    const char *text;              /* "cos(x: float64) -> float64" */
    int kinds;                     /* the layouts that it is for: FP_KIND_C, ... */
} fp_overload;

typedef enum { FP_NO_FIT, FP_LOSSY, FP_ROUNDS, FP_CASTS, FP_EXACT } fp_fit;

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

/* A string parameter takes strings only. A bytes parameter takes every object that exports a buffer,
 * and prefers bytes. */
static FP_UNUSED fp_fit
fp_fit_whole(const fp_class *c, const fp_param *p)
{
    if (p->type == NPY_UNICODE || c->form == FP_STRING) {
        return p->type == NPY_UNICODE && c->form == FP_STRING ? FP_EXACT : FP_NO_FIT;
    }
    if (c->form == FP_BYTES) {
        return p->flags & FP_WRITE ? FP_NO_FIT : FP_EXACT;
    }
    return c->form == FP_ARRAY && c->ndim == 1 && (c->type == NPY_UINT8 || c->type == NPY_INT8) ? FP_CASTS
                                                                                            : FP_NO_FIT;
}

/* An array of pointers takes a list or a tuple whose first item fits. */
static FP_UNUSED fp_fit
fp_fit_pointers(PyObject *o, const fp_param *p)
{
    int is_list = PyList_Check(o) || PyTuple_Check(o), fits;
    PyObject *item = is_list ? fp_item_at(o, 0) : NULL;
    fits = item == NULL                  ? is_list
           : p->type == FP_TYPE_HANDLE ? fp_is_handle(item, ((const fp_handle_param *)p)->of)
                                         : PyUnicode_Check(item);
    Py_XDECREF(item);
    return fits ? FP_EXACT : FP_NO_FIT;
}

static FP_HELPER fp_fit
fp_fits(const fp_class *c, PyObject *o, const fp_param *p)
{
    if (p->ndim > 0 && (p->type == FP_TYPE_HANDLE || p->type == NPY_UNICODE)) {
        return fp_fit_pointers(o, p);
    }
    if (p->type == FP_TYPE_HANDLE) {
        const fp_handle_class *of = ((const fp_handle_param *)p)->of;
        return Py_TYPE(o) == of->type ? FP_EXACT : fp_is_handle(o, of) ? FP_CASTS : FP_NO_FIT;
    }
    if (p->type == FP_TYPE_NESTED) {
        const fp_nested_type *of = &((const fp_nested_param *)p)->of;
        int fits = fp_fits_nested(of->type, of->classes, o);
        return fits == 2 ? FP_EXACT : fits == 1 ? FP_CASTS : FP_NO_FIT;
    }
    if (p->type == FP_TYPE_ENUM) {
        const fp_enum *of = ((const fp_enum_param *)p)->of;
        return fp_is_member(o, of) ? FP_EXACT : fp_may_be_enum(o, of) ? FP_CASTS : FP_NO_FIT;
    }
    if (p->type == FP_TYPE_STRUCT) {
        const fp_struct *of = fp_struct_of(p);
        if (p->ndim == 0) {
            int may = PyTuple_Check(o) ? fp_tuple_size(o) <= of->count : PyDict_Check(o) || PyArray_IsScalar(o, Void);
            return fp_is_record(o, of) ? FP_EXACT : may ? FP_CASTS : FP_NO_FIT;
        }
        if (PyArray_Check(o)) {
            PyArrayObject *array = (PyArrayObject *)o;
            return PyArray_NDIM(array) == p->ndim && fp_has_dtype(PyArray_DESCR(array), of) ? FP_EXACT
                                                                                            : FP_NO_FIT;
        }
        return (PyList_Check(o) || PyTuple_Check(o)) && !(p->flags & FP_WRITE) ? FP_CASTS : FP_NO_FIT;
    }
    if (p->type == FP_TYPE_FILE) {
        return fp_may_be_file(o) ? FP_EXACT : FP_NO_FIT;
    }
    if (p->type == FP_TYPE_FUNCTION) {
        return PyCallable_Check(o) ? FP_EXACT : FP_NO_FIT;
    }
    if (p->type == NPY_UNICODE || p->type == NPY_STRING || c->form == FP_STRING) {
        return fp_fit_whole(c, p);
    }
    if (c->form == FP_OTHER) {
        /* Fractions, decimals and similar objects are read as numbers. */
        return p->ndim != 0 || !fp_has_float(o) || PyTypeNum_ISINTEGER(p->type)
                       || PyTypeNum_ISBOOL(p->type)
                   ? FP_NO_FIT
               : p->type == NPY_FLOAT64 || p->type == NPY_COMPLEX128 ? FP_CASTS
                                                                     : FP_ROUNDS;
    }
    if (!fp_rank_fits(c->ndim, p) || c->type < 0 || (c->lists && !(p->maps & FP_MAPS_LISTS))) {
        return FP_NO_FIT;
    }
    if (((p->flags & FP_WRITE) || c->form == FP_BYTES) && (c->form == FP_LIST || c->type != p->type)) {
        return FP_NO_FIT;
    }
    if ((c->form == FP_WEAK_NUMBER || c->form == FP_LIST) && PyTypeNum_ISINTEGER(c->type)
        && PyTypeNum_ISINTEGER(p->type)) {
        /* Without a dtype: any type that can represent it. A list fits best the type that NumPy infers,
         * but none of its ints is rounded. */
        return !fp_holds(p->type, c) ? FP_LOSSY
               : c->form == FP_WEAK_NUMBER || c->type == p->type || fp_would_round(c) ? FP_EXACT
                                                                                      : FP_CASTS;
    }
    if (c->type == p->type) {
        return FP_EXACT;
    }
    if (PyArray_CanCastSafely(c->type, p->type)) {
        return FP_CASTS;
    }
    if (c->form == FP_WEAK_NUMBER || c->form == FP_LIST) {
        /* A number without a dtype may become any type of its kind. */
        int integer = PyTypeNum_ISINTEGER(c->type);
        if (integer && (p->type == NPY_FLOAT32 || p->type == NPY_COMPLEX64)) {
            return FP_ROUNDS; /* only if there is no wider one */
        }
        if (integer ? !PyTypeNum_ISBOOL(p->type)
                    : PyTypeNum_ISCOMPLEX(p->type)
                          || (PyTypeNum_ISFLOAT(p->type) && PyTypeNum_ISFLOAT(c->type))) {
            return FP_CASTS;
        }
        return FP_NO_FIT;
    }
    if (c->form == FP_NUMBER && PyTypeNum_ISINTEGER(c->type) && PyTypeNum_ISINTEGER(p->type)) {
        return FP_LOSSY; /* read with a range check */
    }
    return c->form == FP_NUMBER && c->type == NPY_FLOAT64 && p->type == NPY_FLOAT32 ? FP_ROUNDS
                                                                                  : FP_NO_FIT;
}

static FP_COLD int
fp_no_overload(const char *function, const fp_overload *overloads, int count, PyObject *const *args,
               Py_ssize_t given, PyObject *keywords)
{
    PyObject *text, *line;
    fp_dl_device device;
    Py_ssize_t i, total = given + (keywords == NULL ? 0 : fp_tuple_size(keywords));
    fp_message t;
    t.length = 0;
    fp_append_string(&t, function);
    fp_append_string(&t, "(): no overload takes (");
    for (i = 0; i < total; i++) {
        const char *name = i < given ? NULL : fp_utf8(fp_tuple_item(keywords, i - given));
        fp_append_string(&t, i ? ", " : "");
        if (name != NULL) {
            fp_append_string(&t, name);
            fp_append_string(&t, "=");
        }
        fp_append_description(&t, args[i]);
        PyErr_Clear();
        if (fp_query_device(args[i], &device, &fp_any_param) == 1 && !fp_on_cpu(device)) {
            fp_append_device(&t, device);
        }
        PyErr_Clear();
    }
    fp_append_string(&t, "); it takes:");
    /* The list of signatures may be longer than a message's buffer, and is never truncated. */
    text = PyUnicode_DecodeUTF8(t.text, t.length, "replace");
    for (i = 0; i < count && text != NULL; i++) {
        line = PyUnicode_FromFormat("%U\n    %s", text, overloads[i].text);
        fp_set_reference(&text, line);
    }
    if (text != NULL) {
        PyErr_SetObject(PyExc_TypeError, text);
        Py_DECREF(text);
    }
    return -1;
}

/* Both are in the part about lists. */
static inline int fp_is_ragged(PyObject *o);
static int fp_classify_lists(PyObject *o, fp_class *c);

/* True if lists are items: in all overloads, or in none. */
static FP_HELPER int
fp_takes_lists(const fp_overload *overloads, int count)
{
    int k;
    for (k = 0; k < count; k++) {
        if (overloads[k].signature->total > 0) {
            return (overloads[k].params[0]->maps & FP_MAPS_LISTS) != 0;
        }
    }
    return 0;
}

#define FP_MAX_CLASSES 16

/* An overload takes objects of its class. To look for an array in them, by attributes, takes longer than a call. */
static FP_UNUSED int
fp_is_object(const fp_overload *overloads, int count, PyObject *o)
{
    int k, s;
    for (k = 0; k < count; k++) {
        for (s = 0; s < overloads[k].signature->total; s++) {
            const fp_param *p = overloads[k].params[s];
            if (p->type == FP_TYPE_HANDLE && p->ndim == 0 && fp_is_handle(o, ((const fp_handle_param *)p)->of)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Chooses the overload of a call, with its values in `slots`; returns -1 with an exception. */
static FP_HELPER int
fp_select(const char *function, const fp_overload *overloads, int count, PyObject *const *args,
          Py_ssize_t given, PyObject *keywords, PyObject **slots)
{
    fp_class few[FP_MAX_CLASSES], *classes = few;
    Py_ssize_t i, total = given + (keywords == NULL ? 0 : fp_tuple_size(keywords));
    const int best_of_all = 8 * FP_EXACT + 7;
    int k, s, where, best = -1, best_score = 0, lists = fp_takes_lists(overloads, count), any_lists = 0;
    if (total > FP_MAX_CLASSES) {
        classes = (fp_class *)PyMem_Malloc((size_t)total * sizeof(fp_class));
        if (classes == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    for (i = 0; i < total; i++) {
        int is_ragged;
        if (fp_is_object(overloads, count, args[i])) {
            fp_class_clear(&classes[i]);
            continue;
        }
        is_ragged = lists && fp_is_ragged(args[i]);
        if (!(is_ragged ? fp_classify_lists(args[i], &classes[i]) : fp_classify(args[i], &classes[i]))) {
            goto done;
        }
        any_lists = any_lists || classes[i].lists;
    }
    for (k = 0; k < count && best_score != best_of_all; k++) {
        const fp_signature *signature = overloads[k].signature;
        int worst = FP_EXACT, one_item = 1, layout = FP_KIND_C | FP_KIND_FORTRAN, score;
        if (fp_place(signature, args, given, keywords, slots, &where) != FP_PLACED) {
            continue;
        }
        for (s = 0; s < signature->total && 8 * worst + 7 > best_score; s++) {
            const fp_param *p = overloads[k].params[s];
            int fit;
            if (slots[s] == NULL || (slots[s] == Py_None && s >= signature->required)) {
                continue;
            }
            for (i = 0; args[i] != slots[s]; i++) {
            }
            fit = fp_fits(&classes[i], slots[s], p);
            if ((p->maps & ~FP_MAPS_MISSING) == FP_MAPS_LISTS && !any_lists && classes[i].ndim != p->ndim) {
                fit = FP_NO_FIT; /* only lists have several items */
            }
            worst = fit < worst ? fit : worst;
            one_item = one_item && classes[i].ndim <= p->ndim;
            if (p->ndim > 0) {
                /* In a batched call, the array of each item counts. */
                layout &= PyArray_Check(slots[s]) && classes[i].ndim > p->ndim
                              ? fp_layout((PyArrayObject *)slots[s], classes[i].ndim - p->ndim)
                              : classes[i].layout;
            }
        }
        score = worst == FP_NO_FIT ? 0 : fp_suits(overloads[k].kinds, layout);
        score = score == 0 ? 0 : 8 * worst + 4 * one_item + score;
        if (score > best_score) {
            best = k;
            best_score = score;
        }
    }
    if (best < 0) {
        fp_no_overload(function, overloads, count, args, given, keywords);
    }
    else {
        fp_place(overloads[best].signature, args, given, keywords, slots, &where);
    }
done:
    if (classes != few) {
        PyMem_Free(classes);
    }
    return best;
}

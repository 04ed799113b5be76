/* Lists: ragged arrays, as list offsets and flat values.
 *
 * Arrow's lists have `offsets` and `values`, Awkward's layouts have `offsets` and `content`, and
 * other objects may have them too; the values may be lists again. The offsets of each level are
 * copied once, checked and from 0 on: later changes to the originals cannot mislead C. The values
 * are used in place, without those that no list contains. */

#define FP_MAX_LISTS 8 /* levels */

/* The constructor of such a container. */
typedef enum { FP_PLAIN_LISTS, FP_ARROW_LISTS, FP_AWKWARD_LISTS } fp_list_kind;

typedef struct {
    PyObject *given;                      /* the caller's, borrowed; NULL: no lists */
    fp_list_kind kind;
    int depth;                            /* levels */
    PyArrayObject *offsets[FP_MAX_LISTS]; /* int64, of the outermost level first; references */
    PyObject *flat;                       /* an array of all values; a reference */
} fp_lists;

FP_GLOBAL fp_name fp_name_offsets = {"offsets", NULL};
FP_GLOBAL fp_name fp_name_values = {"values", NULL};
FP_GLOBAL fp_name fp_name_content = {"content", NULL};
FP_GLOBAL fp_name fp_name_layout = {"layout", NULL};
FP_GLOBAL fp_name fp_name_regular = {"purelist_isregular", NULL};
FP_GLOBAL fp_name fp_name_data = {"data", NULL};
FP_GLOBAL fp_name fp_name_option = {"is_option", NULL};
FP_GLOBAL fp_name fp_name_indexed = {"is_indexed", NULL};
FP_GLOBAL fp_name fp_name_list = {"is_list", NULL};
FP_GLOBAL fp_name fp_name_unknown = {"is_unknown", NULL};
FP_GLOBAL fp_name fp_name_nulls = {"null_count", NULL};
FP_GLOBAL fp_name fp_name_from_arrays = {"from_arrays", NULL};
FP_GLOBAL fp_name fp_name_type = {"type", NULL};
FP_GLOBAL fp_name fp_name_list_size = {"list_size", NULL};
static fp_name *const fp_list_names[] = {&fp_name_offsets, &fp_name_values,  &fp_name_content,
                                         &fp_name_layout,  &fp_name_regular, &fp_name_data,
                                         &fp_name_option,  &fp_name_indexed, &fp_name_list,
                                         &fp_name_unknown, &fp_name_nulls,   &fp_name_from_arrays,
                                         &fp_name_type,    &fp_name_list_size, NULL};

/* ---- Is it ragged? ----------------------------------------------------------------------------- */

/* 1 if the attribute exists and is true; -1 with an exception. */
static FP_HELPER int
fp_has_true(PyObject *o, const fp_name *name)
{
    PyObject *answer;
    int yes = fp_find(o, name, &answer);
    if (yes != 1) {
        return yes == 0 ? -1 : 0;
    }
    yes = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return yes;
}

/* The offsets of an object's lists and their content, as new references; -1: it has none, 0 with an
 * exception. */
static FP_HELPER int
fp_find_lists(PyObject *o, PyObject **offsets, PyObject **content)
{
    int found = fp_find(o, &fp_name_offsets, offsets);
    if (found != 1) {
        return found;
    }
    found = fp_find(o, &fp_name_values, content);
    if (found < 0) {
        found = fp_find(o, &fp_name_content, content);
    }
    if (found != 1) {
        Py_DECREF(*offsets);
    }
    return found;
}

/* The layout of an Awkward array, as a new reference; -1: it is not one, or all its lists have
 * equal lengths, 0 with an exception. */
static FP_HELPER int
fp_find_layout(PyObject *o, PyObject **layout)
{
    PyObject *answer;
    int regular = 0, found = fp_find(o, &fp_name_layout, layout);
    if (found != 1) {
        return found;
    }
    found = fp_find(*layout, &fp_name_regular, &answer);
    if (found == 1) {
        regular = PyObject_IsTrue(answer);
        Py_DECREF(answer);
    }
    if (found == 1 && regular == 0) {
        return 1;
    }
    Py_DECREF(*layout);
    return found == 0 || regular < 0 ? 0 : -1;
}

static FP_HELPER int
fp_is_ragged_slowly(PyObject *o)
{
    PyObject *first, *second;
    int found;
    if (o == Py_None || PyBool_Check(o) || PyComplex_Check(o) || PyList_Check(o) || PyTuple_Check(o)
        || PyUnicode_Check(o) || PyBytes_Check(o) || PyArray_Check(o) || PyArray_IsScalar(o, Generic)) {
        return 0;
    }
    found = fp_find_lists(o, &first, &second);
    if (found == 1) {
        Py_DECREF(second);
    }
    else if (found < 0) {
        found = fp_find_layout(o, &first);
    }
    if (found == 1) {
        Py_DECREF(first);
    }
    return found >= 0;
}

/* True for a value with lists, which NULL does not have; or with an exception, which opening them
 * reports. */
static inline int
fp_is_ragged(PyObject *o)
{
    return o != NULL && !PyArray_CheckExact(o) && !PyFloat_CheckExact(o) && !PyLong_CheckExact(o)
           && fp_is_ragged_slowly(o);
}

/* ---- One level --------------------------------------------------------------------------------- */

/* Missing values cannot be represented in a C array. */
static FP_HELPER int
fp_check_present(PyObject *o, const fp_param *p)
{
    PyObject *nulls;
    long count;
    int found = fp_find(o, &fp_name_nulls, &nulls);
    if (found != 1) {
        return found != 0;
    }
    count = PyLong_AsLong(nulls);
    Py_DECREF(nulls);
    if (count == -1 && PyErr_Occurred()) {
        return fp_explain_error(p);
    }
    return count == 0 ? 1 : fp_error(PyExc_ValueError, p, "it has missing values");
}

static FP_COLD int
fp_bad_offsets(const fp_param *p, npy_intp at, npy_intp first, npy_intp last)
{
    return fp_error(PyExc_ValueError, p, "list %zd goes from offset %zd to %zd", (Py_ssize_t)at,
                    (Py_ssize_t)first, (Py_ssize_t)last);
}

/* The offsets as integers, from any array. */
static FP_HELPER PyArrayObject *
fp_wide_offsets(PyObject *offsets, const fp_param *p)
{
    PyArrayObject *array, *wide = NULL;
    fp_param q = *p;
    q.type = NPY_INT64;
    q.ndim = 1;
    array = PyArray_Check(offsets) ? (PyArrayObject *)Py_NewRef(offsets) : fp_from_object(offsets, &q);
    if (array == NULL) {
        return NULL;
    }
    if (PyArray_NDIM(array) != 1 || !PyTypeNum_ISINTEGER(PyArray_TYPE(array))) {
        fp_message t;
        fp_begin(&t, p);
        fp_append_string(&t, "its offsets must be a 1-D array of integers");
        fp_raise_got(PyExc_TypeError, &t, (PyObject *)array);
    }
    else if (PyArray_DIM(array, 0) == 0) {
        fp_error(PyExc_ValueError, p, "it has no offsets: n lists need n + 1");
    }
    else {
        wide = (PyArrayObject *)PyArray_FromArray(
            array, PyArray_DescrFromType(NPY_INT64),
            NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_FORCECAST);
    }
    Py_DECREF((PyObject *)array);
    return wide;
}

/* An object that reports its length, as Arrow's list views also do, must have this many lists. */
static FP_HELPER int
fp_check_list_count(PyObject *o, npy_intp count, const fp_param *p)
{
    Py_ssize_t length;
    if (!fp_has_length(o)) {
        return 1;
    }
    length = PyObject_Size(o);
    if (length == count || length < 0) {
        return length >= 0;
    }
    return fp_error(PyExc_ValueError, p, "%s has %zd lists, but %zd offsets where there must be one more",
                    fp_class_name(Py_TYPE(o)), length, (Py_ssize_t)(count + 1));
}

/* Adds a level: its lists from `*first` on, `*count` of them (all for -1). Then these are set to
 * the range of the next level that is used. */
static FP_HELPER int
fp_add_level(fp_lists *lists, PyObject *o, PyObject *offsets, npy_intp *first, npy_intp *count,
             const fp_param *p)
{
    PyArrayObject *wide, *own;
    const char *from;
    npy_int64 *to, begin, before;
    npy_intp i, length, stride;
    if (lists->depth == FP_MAX_LISTS) {
        return fp_error(PyExc_ValueError, p, "it has more than %d levels of lists", FP_MAX_LISTS);
    }
    wide = fp_wide_offsets(offsets, p);
    if (wide == NULL) {
        return 0;
    }
    length = PyArray_DIM(wide, 0) - 1;
    *count = *count < 0 ? length : *count;
    if (!fp_check_list_count(o, length, p)) {
        Py_DECREF((PyObject *)wide);
        return 0;
    }
    if (*first > length || *count > length - *first) {
        Py_DECREF((PyObject *)wide);
        return fp_error(PyExc_ValueError, p, "its offsets reach %zd, but it has only %zd inner lists",
                        (Py_ssize_t)(*first + *count), (Py_ssize_t)length);
    }
    length = *count + 1;
    own = (PyArrayObject *)PyArray_New(&PyArray_Type, 1, &length, NPY_INT64, NULL, NULL, 0, 0, NULL);
    if (own == NULL) {
        Py_DECREF((PyObject *)wide);
        return 0;
    }
    lists->offsets[lists->depth++] = own;
    stride = PyArray_STRIDE(wide, 0);
    from = (const char *)PyArray_DATA(wide) + *first * stride;
    to = (npy_int64 *)PyArray_DATA(own);
    begin = before = *(const npy_int64 *)(const void *)from;
    for (i = 0; i < length; i++) {
        npy_int64 offset = *(const npy_int64 *)(const void *)(from + i * stride);
        if (offset < before || begin < 0) {
            Py_DECREF((PyObject *)wide);
            return fp_bad_offsets(p, *first + (i > 0 ? i - 1 : 0), before, offset);
        }
        before = offset;
        to[i] = offset - begin;
    }
    Py_DECREF((PyObject *)wide);
    *first = (npy_intp)begin;
    *count = (npy_intp)(before - begin);
    return 1;
}

/* ---- Awkward's layouts -------------------------------------------------------------------------- */

/* o.method(first, second); NULL means no argument. */
static FP_HELPER PyObject *
fp_call_method(PyObject *o, const char *method, PyObject *first, PyObject *second)
{
    PyObject *result = NULL, *callee = PyObject_GetAttrString(o, method);
    PyObject *arguments = PyTuple_New(first == NULL ? 0 : second == NULL ? 1 : 2);
    if (callee != NULL && arguments != NULL) {
        if (first != NULL) {
            fp_set_tuple_item(arguments, 0, Py_NewRef(first));
        }
        if (second != NULL) {
            fp_set_tuple_item(arguments, 1, Py_NewRef(second));
        }
        result = PyObject_Call(callee, arguments, NULL);
    }
    Py_XDECREF(callee);
    Py_XDECREF(arguments);
    return result;
}

/* Replaces a reference by the result of a method of it; `argument` may be NULL. */
static FP_HELPER int
fp_replace(PyObject **o, const char *method, PyObject *argument, const fp_param *p)
{
    PyObject *next = fp_call_method(*o, method, argument, NULL);
    if (next == NULL) {
        return fp_explain_error(p);
    }
    fp_set_reference(o, next);
    return 1;
}

/* 1 if a layout contains strings, which Awkward stores as lists of bytes; -1 with an exception. */
static FP_HELPER int
fp_is_string_layout(PyObject *layout)
{
    PyObject *name = PyUnicode_FromString("__array__");
    PyObject *kind = name == NULL ? NULL : fp_call_method(layout, "parameter", name, NULL);
    int is_text = kind == NULL ? -1
                               : PyUnicode_Check(kind)
                                     && (PyUnicode_CompareWithASCIIString(kind, "string") == 0
                                         || PyUnicode_CompareWithASCIIString(kind, "bytestring") == 0);
    Py_XDECREF(name);
    Py_XDECREF(kind);
    return is_text;
}

/* Converts a layout to one with offsets, `*is_level`, or to one without lists of different lengths.
 * */
static FP_HELPER int
fp_plain_layout(PyObject **layout, int *is_level, const fp_param *p)
{
    int option, indexed = 0, is_list, regular, is_text;
    while ((option = fp_has_true(*layout, &fp_name_option)) == 1
           || (indexed = option < 0 ? -1 : fp_has_true(*layout, &fp_name_indexed)) == 1) {
        Py_ssize_t before = PyObject_Size(*layout), after;
        if (p->flags & FP_WRITE) {
            return fp_error(PyExc_ValueError, p, "its values are accessed through an index: C cannot write to them");
        }
        if (before < 0 || !fp_replace(layout, "project", NULL, p) || (after = PyObject_Size(*layout)) < 0) {
            return 0;
        }
        if (option == 1 && after != before) {
            return fp_error(PyExc_ValueError, p, "it has missing values");
        }
    }
    if (option < 0 || indexed < 0 || (is_list = fp_has_true(*layout, &fp_name_list)) < 0
        || (regular = fp_has_true(*layout, &fp_name_regular)) < 0
        || (is_text = is_list ? fp_is_string_layout(*layout) : 0) < 0) {
        return 0;
    }
    if (is_text) {
        return fp_error(PyExc_TypeError, p, "its lists contain strings");
    }
    *is_level = is_list && !regular;
    if (*is_level) {
        PyObject *offsets;
        int found = fp_find(*layout, &fp_name_offsets, &offsets);
        if (found == 1) {
            Py_DECREF(offsets);
            return 1;
        }
        if (found == 0) {
            return 0;
        }
        if (p->flags & FP_WRITE) {
            return fp_error(PyExc_ValueError, p, "its lists are not contiguous: C cannot write to them");
        }
        return fp_replace(layout, "to_ListOffsetArray64", Py_False, p);
    }
    return 1;
}

/* ---- All levels ---------------------------------------------------------------------------------- */

/* The length of Arrow's fixed-size lists, if `o` is such an array; it is then replaced by its
 * content. -1: it is not, 0 with an exception. */
static FP_HELPER int
fp_open_fixed(PyObject **o, npy_intp *length, const fp_param *p)
{
    PyObject *type, *size;
    int found = fp_find(*o, &fp_name_type, &type);
    if (found != 1) {
        return found;
    }
    found = fp_find(type, &fp_name_list_size, &size);
    Py_DECREF(type);
    if (found != 1) {
        return found;
    }
    *length = PyLong_AsLong(size);
    Py_DECREF(size);
    if (*length == -1 && PyErr_Occurred()) {
        return fp_explain_error(p);
    }
    return fp_replace(o, "flatten", NULL, p) && fp_check_present(*o, p);
}

/* Arrow's values, whose further dimensions are fixed-size lists. */
static FP_HELPER PyArrayObject *
fp_arrow_array(PyObject *o, const fp_param *p)
{
    npy_intp shape[FP_MAX_LISTS + 1], size = 1;
    PyArray_Dims dims;
    PyObject *inner = Py_NewRef(o), *array = NULL;
    int ndim = 1, found = -1;
    while (ndim <= FP_MAX_LISTS && (found = fp_open_fixed(&inner, &shape[ndim], p)) == 1) {
        size *= shape[ndim++];
    }
    if (found != 0) {
        array = (PyObject *)fp_from_object(inner, p);
    }
    if (array != NULL && ndim > 1) {
        shape[0] = size > 0 ? PyArray_SIZE((PyArrayObject *)array) / size : 0;
        dims.ptr = shape;
        dims.len = ndim;
        fp_set_reference(&array, PyArray_Newshape((PyArrayObject *)array, &dims, NPY_CORDER));
    }
    Py_DECREF(inner);
    return (PyArrayObject *)array;
}

/* An array of the values, as a new reference; NULL with an exception. */
static FP_HELPER PyArrayObject *
fp_flat_values(PyObject *o, fp_list_kind kind, const fp_param *p)
{
    PyArrayObject *array = NULL;
    if (kind == FP_AWKWARD_LISTS) {
        npy_intp none = 0;
        int unknown = fp_has_true(o, &fp_name_unknown);
        if (unknown == 1) { /* its type is unknown */
            return (PyArrayObject *)PyArray_New(&PyArray_Type, 1, &none, p->type, NULL, NULL, 0, 0, NULL);
        }
        Py_INCREF(o);
        if (unknown < 0 || !fp_replace(&o, "to_backend_array", Py_False, p)) {
            Py_DECREF(o);
            return NULL;
        }
        if (!PyArray_Check(o)) {
            fp_wanted_type(PyExc_TypeError, p, o, "lists of ", "");
            Py_DECREF(o);
            return NULL;
        }
        return (PyArrayObject *)o;
    }
    if (PyArray_Check(o)) {
        return (PyArrayObject *)Py_NewRef(o);
    }
    if (p->flags & FP_WRITE) {
        int done = fp_view_to_write(&array, o, p);
        if (done < 0) {
            fp_wanted_type(PyExc_TypeError, p, o, "lists of ", ", which can be written to");
        }
        return done == 1 ? array : NULL;
    }
    return kind == FP_ARROW_LISTS ? fp_arrow_array(o, p) : fp_from_object(o, p);
}

/* Takes the entries that the lists contain, `count` from `first` on, of the values. */
static FP_HELPER int
fp_take_flat(fp_lists *lists, PyArrayObject *array, npy_intp first, npy_intp count, const fp_param *p)
{
    if (PyArray_NDIM(array) == 0) {
        return fp_error(PyExc_ValueError, p, "its values are one number");
    }
    if (first > PyArray_DIM(array, 0) || count > PyArray_DIM(array, 0) - first) {
        return fp_error(PyExc_ValueError, p, "its offsets reach %zd, but it has only %zd values",
                        (Py_ssize_t)(first + count), (Py_ssize_t)PyArray_DIM(array, 0));
    }
    if (PyArray_NDIM(array) < p->ndim) {
        return fp_error(PyExc_ValueError, p,
                        "its values are of rank %d, but an item is of rank %d: only the first dimension may be ragged",
                        PyArray_NDIM(array), p->ndim);
    }
    lists->flat = first == 0 && count == PyArray_DIM(array, 0)
                      ? Py_NewRef((PyObject *)array)
                      : PySequence_GetSlice((PyObject *)array, first, first + count);
    return lists->flat != NULL;
}

static FP_HELPER int
fp_walk_lists(fp_lists *lists, PyObject **o, const fp_param *p)
{
    PyObject *offsets, *content, *data;
    PyArrayObject *array;
    npy_intp first = 0, count = -1;
    int found, done, is_level = 1, is_layout = lists->kind == FP_AWKWARD_LISTS;
    for (;;) {
        if ((is_layout && !fp_plain_layout(o, &is_level, p)) || !fp_check_present(*o, p)) {
            return 0;
        }
        found = is_level ? fp_find_lists(*o, &offsets, &content) : -1;
        if (found != 1) {
            break;
        }
        /* An index of Awkward's is not an array, but has one. */
        if (is_layout && fp_find(offsets, &fp_name_data, &data) == 1) {
            fp_set_reference(&offsets, data);
        }
        done = !PyErr_Occurred() && fp_add_level(lists, *o, offsets, &first, &count, p);
        Py_DECREF(offsets);
        fp_set_reference(o, content);
        if (!done) {
            return 0;
        }
    }
    array = found == 0 ? NULL : fp_flat_values(*o, lists->kind, p);
    if (array == NULL) {
        return 0;
    }
    done = lists->depth > 0 ? fp_take_flat(lists, array, first, count, p)
                            : fp_wanted_type(PyExc_TypeError, p, lists->given, "lists of ", "");
    Py_DECREF((PyObject *)array);
    return done;
}

/* Opens the lists of a value; in every case, fp_close_lists must follow. The array of their values
 * is then in `*flat`, or the value itself if it has no lists. */
static FP_HELPER int
fp_open_lists(fp_lists *lists, PyObject **flat, PyObject *o, const fp_param *p)
{
    PyObject *node = o, *method;
    int is_layout, found, done;
    *flat = o;
    if (PyErr_Occurred()) {
        return 0;
    }
    if (!fp_is_ragged(o)) {
        return 1;
    }
    if (PyErr_Occurred()) {
        return 0;
    }
    lists->given = o;
    is_layout = fp_find_layout(o, &node);
    if (is_layout == 0) {
        return 0;
    }
    lists->kind = FP_AWKWARD_LISTS;
    if (is_layout < 0) {
        found = fp_find((PyObject *)Py_TYPE(o), &fp_name_from_arrays, &method);
        if (found == 0) {
            return 0;
        }
        if (found == 1) {
            Py_DECREF(method);
        }
        lists->kind = found == 1 ? FP_ARROW_LISTS : FP_PLAIN_LISTS;
        node = Py_NewRef(o);
    }
    done = fp_walk_lists(lists, &node, p);
    Py_DECREF(node);
    *flat = lists->flat;
    return done;
}

static FP_HELPER void
fp_close_lists(fp_lists *lists)
{
    while (lists->depth > 0) {
        Py_DECREF((PyObject *)lists->offsets[--lists->depth]);
    }
    Py_XDECREF(lists->flat);
}

/* The properties for the choice of an overload: type and rank of a list's content. */
static FP_HELPER int
fp_classify_lists(PyObject *o, fp_class *c)
{
    fp_lists lists;
    PyObject *flat;
    int done;
    memset(&lists, 0, sizeof(lists));
    fp_class_clear(c);
    c->form = FP_ARRAY; /* which matches nothing if it cannot be opened */
    c->lists = 1;
    done = fp_open_lists(&lists, &flat, o, &fp_any_param);
    if (done) {
        c->type = fp_class_type(PyArray_DESCR((PyArrayObject *)flat));
        c->ndim = PyArray_NDIM((PyArrayObject *)flat);
    }
    fp_close_lists(&lists);
    return done || fp_forgive();
}

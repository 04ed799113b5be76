/* Overloads: the choice of one of several prototypes for a call.
 *
 * The overload with the best worst fit is chosen: exact types before safe casts, then floating types that
 * may round, and values that may be out of range last, so that their own error can report them. Among
 * equals, one that takes the values as one item is preferred, then one whose kind suits the layout of
 * the arrays, then the first. */

typedef struct {
    const fp_signature *signature;
    const fp_param *const *params; /* one for each slot of the signature */
    const char *text;              /* "cos(x: float64) -> float64" */
    int kinds;                     /* the layouts that it is for: FP_KIND_C, ... */
} fp_overload;

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

static FP_UNUSED fp_fit
fp_fits_object(PyObject *o, const fp_param *p)
{
    const fp_handle_class *of = ((const fp_handle_param *)p)->of;
    return Py_TYPE(o) == of->type ? FP_EXACT : fp_is_handle(o, of) ? FP_CASTS : FP_NO_FIT;
}

static FP_HELPER fp_fit
fp_fits(const fp_class *c, PyObject *o, const fp_param *p)
{
    fp_fit of_kind;
    if (p->ndim > ((p->flags & FP_IN_ROOM) != 0) && (p->type == FP_TYPE_HANDLE || p->type == NPY_UNICODE)) {
        return fp_fit_pointers(o, p);
    }
    if (p->type == FP_TYPE_HANDLE) {
        return fp_fits_object(o, p);
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
    of_kind = FP_FIT_OF_KIND(o, p);
    if (of_kind != FP_UNDECIDED) {
        return of_kind;
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

/* The score of an overload by its worst fit; 0: it does not fit. */
static inline int
fp_score(int worst, int one_item, int kinds, int layout)
{
    int suits = worst == FP_NO_FIT ? 0 : fp_suits(kinds, layout);
    return suits == 0 ? 0 : 8 * worst + 4 * one_item + suits;
}

enum { FP_BEST_OF_ALL = 8 * FP_EXACT + 7 };

/* ---- Plain values ----------------------------------------------------------------------------------- */

/* How fp_fits rates a value of one of Python's own types, or an object, for one parameter. The rules are those of fp_fits
 * for these few types: to classify such values for it takes a quarter of a call longer. tests/test_plain_overloads.py
 * compares both. */
static FP_UNUSED fp_fit
fp_fits_plainly(PyObject *o, const fp_param *p, const fp_overload *overloads, int count)
{
    int is_text = p->type == NPY_UNICODE, is_integer = PyTypeNum_ISINTEGER(p->type), is_float = p->type == NPY_FLOAT64;
    int is_bool = PyTypeNum_ISBOOL(p->type);
    if (p->ndim > 0) {
        return FP_UNDECIDED;
    }
    if (p->type == FP_TYPE_HANDLE) {
        return fp_fits_object(o, p);
    }
    if (!is_text && !is_integer && !is_float && !is_bool) {
        return FP_UNDECIDED;
    }
    if (PyUnicode_Check(o)) {
        return is_text ? FP_EXACT : FP_NO_FIT;
    }
    if (PyFloat_CheckExact(o)) {
        return is_float ? FP_EXACT : FP_NO_FIT;
    }
    if (PyBool_Check(o)) {
        return is_bool ? FP_EXACT : is_text ? FP_NO_FIT : FP_CASTS;
    }
    if (PyLong_CheckExact(o)) {
        fp_class c;
        if (!is_integer) {
            return is_float ? FP_CASTS : FP_NO_FIT;
        }
        fp_class_clear(&c);
        return !fp_class_add(&c, o) ? FP_UNDECIDED : fp_holds(p->type, &c) ? FP_EXACT : FP_LOSSY;
    }
    return fp_is_object(overloads, count, o) && (!is_float || !fp_has_float(o)) ? FP_NO_FIT : FP_UNDECIDED;
}

/* Chooses the overload of a call without keywords by the types of its values. -1: no overload fits, or the values must
 * be classified. */
static FP_HELPER int
fp_select_plainly(const fp_overload *overloads, int count, PyObject *const *args, Py_ssize_t given, PyObject **slots)
{
    int k, s, best = -1, best_score = 0;
    for (k = 0; k < count && best_score != FP_BEST_OF_ALL; k++) {
        const fp_signature *signature = overloads[k].signature;
        int worst = FP_EXACT, score;
        if (given < signature->required || given > signature->positional) {
            continue;
        }
        for (s = 0; s < given && worst != FP_NO_FIT; s++) {
            int is_absent = args[s] == Py_None && s >= signature->required;
            fp_fit fit = is_absent ? FP_EXACT : fp_fits_plainly(args[s], overloads[k].params[s], overloads, count);
            if (fit == FP_UNDECIDED) {
                return -1;
            }
            worst = (int)fit < worst ? (int)fit : worst;
        }
        score = fp_score(worst, 1, overloads[k].kinds, FP_KIND_C | FP_KIND_FORTRAN);
        if (score > best_score) {
            best = k;
            best_score = score;
        }
    }
    for (s = 0; best >= 0 && s < overloads[best].signature->total; s++) {
        slots[s] = s < given ? args[s] : NULL;
    }
    return best;
}

/* ---- All values ------------------------------------------------------------------------------------- */

/* Chooses the overload of a call, with its values in `slots`; returns -1 with an exception. */
static FP_HELPER int
fp_select(const char *function, const fp_overload *overloads, int count, PyObject *const *args,
          Py_ssize_t given, PyObject *keywords, PyObject **slots)
{
    fp_class few[FP_MAX_CLASSES], *classes = few;
    Py_ssize_t i, total = given + (keywords == NULL ? 0 : fp_tuple_size(keywords));
    int k, s, where, best, best_score = 0, lists, any_lists = 0;
    best = keywords == NULL ? fp_select_plainly(overloads, count, args, given, slots) : -1;
    if (best >= 0) {
        return best;
    }
    lists = fp_takes_lists(overloads, count);
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
    for (k = 0; k < count && best_score != FP_BEST_OF_ALL; k++) {
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
        score = fp_score(worst, one_item, overloads[k].kinds, layout);
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

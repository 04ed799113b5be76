/* Explanations: a report of what a call would do with its arguments, without calling C.
 *
 * `module.explain.function(...)` makes the same call, which stops before C and reports its steps so far: thus
 * the explanation cannot differ from the call. */

/* An explanation that a thread has requested. */
typedef struct fp_explanation {
    const char *function;
    PyObject *const *args; /* of the call, with its keyword arguments */
    Py_ssize_t count;
    unsigned long thread;
    int done;
    PyObject *text; /* NULL with an exception, or before the first line */
    struct fp_explanation *next;
} fp_explanation;

/* All pending explanations, of any thread, in a list, which the GIL protects; without it, those of this
 * thread. */
FP_GLOBAL FP_PER_THREAD fp_explanation *fp_explaining;

static FP_COLD void
fp_append_words(PyObject **text, const char *format, ...)
{
    va_list arguments;
    PyObject *line;
    if (*text == NULL) {
        return;
    }
    va_start(arguments, format);
    line = PyUnicode_FromFormatV(format, arguments);
    va_end(arguments);
    if (line == NULL) {
        Py_CLEAR(*text);
        return;
    }
    fp_set_reference(text, PyUnicode_Concat(*text, line));
    Py_DECREF(line);
}

static FP_COLD const char *
fp_describe_layout(PyArrayObject *array)
{
    int flags = PyArray_FLAGS(array);
    if (!PyArray_ISNBO(PyArray_DESCR(array)->byteorder)) {
        return ", in swapped byte order";
    }
    return PyArray_NDIM(array) == 0                  ? ""
           : (flags & NPY_ARRAY_ALIGNED) == 0        ? ", not aligned"
           : (flags & NPY_ARRAY_C_CONTIGUOUS) != 0   ? ", C-contiguous"
           : (flags & NPY_ARRAY_F_CONTIGUOUS) != 0   ? ", F-contiguous"
                                                     : ", strided";
}

/* "an array of float64 and shape (3,), strided" */
static FP_COLD void
fp_explain_value(PyObject **text, PyObject *given)
{
    fp_message t;
    t.length = 0;
    fp_append_description(&t, given);
    if (PyArray_Check(given)) {
        fp_append_string(&t, fp_describe_layout((PyArrayObject *)given));
    }
    t.text[t.length] = 0;
    fp_append_words(text, "%s", t.text);
}

/* The type of a parameter: "float64", "Rng". */
static FP_COLD const char *
fp_param_type(const fp_param *p)
{
    const char *name = p->type == FP_TYPE_HANDLE ? ((const fp_handle_param *)p)->of->name
                       : p->type == FP_TYPE_ENUM   ? ((const fp_enum_param *)p)->of->name
                       : p->type == FP_TYPE_STRUCT ? fp_struct_of(p)->name
                                                   : NULL;
    return name == NULL ? FP_NAME_OF_KIND(p->type) : fp_last_name(name);
}

/* The use of an array: "copied, from an array of float32 and shape (3,): cast". */
static FP_COLD void
fp_explain_array(PyObject **text, const fp_param *p, const fp_array *x, PyObject *given)
{
    int writes = (p->flags & FP_WRITE) != 0;
    if (given == NULL || given == Py_None) {
        fp_append_words(text, x->data == NULL && x->array == NULL && !(x->held & FP_PACKED)
                         ? "NULL"
                         : (x->held & FP_PACKED) ? "scratch memory" : "allocated");
    }
    else if (!(x->held & FP_PACKED) && x->array != NULL && PyArray_Check(given)
             && PyArray_DATA(x->array) == PyArray_DATA((PyArrayObject *)given)) {
        fp_append_words(text, "used in place: ");
        fp_explain_value(text, given);
        return;
    }
    else {
        int cast = PyArray_Check(given) && p->type != NPY_STRING
                   && fp_canonical_type(PyArray_DESCR((PyArrayObject *)given)) != p->type;
        int copied = (x->held & (FP_PACKED | FP_OWNS)) != 0;
        fp_append_words(text, cast     ? "cast and copied"
                     : copied ? "copied"
                              : "used in place");
        fp_append_words(text, copied && writes ? ", then written back, from " : ", from ");
        fp_explain_value(text, given);
    }
}

/* The caller's argument of a row; NULL: absent. */
static inline PyObject *
fp_row_argument(const fp_row *row, PyObject *const *args)
{
    return row->slot < 0 ? NULL : args[row->slot];
}

static FP_COLD const char *
fp_kind_of_rows(const fp_signature *s, PyObject *const *args)
{
    int i, layout = FP_KIND_C | FP_KIND_FORTRAN;
    for (i = 0; i < s->row_count; i++) {
        int ndim = s->rows[i].param->ndim;
        PyObject *given = fp_row_argument(&s->rows[i], args);
        if (ndim > 0 && given != NULL && PyArray_Check(given)) {
            PyArrayObject *array = (PyArrayObject *)given;
            layout &= fp_layout(array, PyArray_NDIM(array) - ndim);
        }
    }
    return layout & FP_KIND_C ? "C" : layout ? "Fortran" : "Strided";
}

/* True if these are the arguments of the call that a pending explanation is for. Reading a value may
 * run Python code, which may call the function for another purpose, but hardly with the very same
 * objects. */
static FP_COLD int
fp_is_explained(const fp_explanation *e, const fp_signature *s, PyObject *const *args)
{
    Py_ssize_t given = 0, i;
    int k;
    for (k = 0; k < s->row_count; k++) {
        PyObject *o = fp_row_argument(&s->rows[k], args);
        for (i = 0; i < e->count && o != e->args[i]; i++) {
        }
        if (o != NULL && i == e->count) {
            return 0;
        }
        given += o != NULL;
    }
    return given == e->count;
}

/* Appends one row; `x` is NULL for a single value. */
static FP_COLD void
fp_explain_row(PyObject **text, const fp_param *p, const fp_array *x, PyObject *given)
{
    size_t length = strlen(p->name);
    if (x == NULL && (p->maps & FP_MAPS_NUMBERS)) {
        return; /* a number, which has no memory of the caller */
    }
    fp_append_words(text, "\n  %s%s ", p->name, &"      "[length < 6 ? length : 6]);
    if (x != NULL && x->array == NULL && (x->held & FP_OWNS)) {
        fp_append_words(text, "pointers to its items, from ");
        fp_explain_value(text, given);
    }
    else if (x != NULL) {
        fp_explain_array(text, p, x, given);
    }
    else if (given == NULL || given == Py_None) {
        fp_append_words(text, "the default");
    }
    else if (p->type == FP_TYPE_FUNCTION) {
        fp_append_words(text, "called by C: ");
        fp_explain_value(text, given);
    }
    else {
        fp_append_words(text, "%s, from ", fp_param_type(p));
        fp_explain_value(text, given);
    }
}

/* Describes the steps so far for a call with a pending explanation; returns 1 if the call ends there.
 * `items` is NULL for a plain call. An `fp_array *` follows for each row that has one in such a call. */
static FP_COLD int
fp_explain(const fp_signature *s, PyObject *const *args, int releases, const fp_map *items, ...)
{
    unsigned long thread = PyThread_get_thread_ident();
    fp_explanation *e = fp_explaining;
    PyObject *text;
    va_list arrays;
    int i;
    while (e != NULL && (e->done || e->thread != thread || strcmp(e->function, s->function) != 0
                         || !fp_is_explained(e, s, args))) {
        e = e->next;
    }
    if (e == NULL) {
        return 0;
    }
    e->done = 1;
    text = PyUnicode_FromFormat("%s\n  calls  %s\n  kind   %s", s->text, s->prototype, fp_kind_of_rows(s, args));
    va_start(arrays, items);
    for (i = 0; i < s->row_count; i++) {
        const fp_row *row = &s->rows[i];
        int in_array = row->array == FP_IN_ARRAY || (row->array == FP_PER_ITEM && items != NULL);
        const fp_array *x = in_array ? va_arg(arrays, fp_array *) : NULL;
        fp_explain_row(&text, row->param, x, fp_row_argument(row, args));
    }
    va_end(arrays);
    if (items != NULL) {
        fp_message t;
        t.length = 0;
        fp_append_shape(&t, items->ndim, items->shape);
        t.text[t.length] = 0;
        fp_append_words(&text, "\n  items  %zd, in shape %s", (Py_ssize_t)items->count, t.text);
    }
    fp_append_words(&text, "\n  GIL    %s", releases ? "released" : "held");
    e->text = text;
    return 1;
}

/* The same, with a fast path if no explanation is pending. */
#define FP_EXPLAINS(...) (FP_UNLIKELY(fp_explaining != NULL) && fp_explain(__VA_ARGS__))

/* Appends the use of lists to such an explanation. */
static FP_COLD int
fp_explain_lists(const fp_ragged *r)
{
    int k;
    for (k = 0; k < r->count && !r->is_dense; k++) {
        const fp_part *part = &r->parts[k];
        if (part->lists != NULL) {
            fp_append_words(&fp_explaining->text, "\n  lists  %s: each %s is %s", part->param->name,
                            part->is_core ? "list" : "value", part->level == r->depth ? "an item" : "for the items of a list");
        }
        else if (part->offsets != NULL) {
            fp_append_words(&fp_explaining->text, "\n  lists  %s: a list for each item", part->param->name);
        }
    }
    return 1;
}

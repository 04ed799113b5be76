/* Arguments: from a vectorcall's arguments to one slot a parameter.
 *
 * Slots are borrowed references; an absent optional argument is NULL. */

typedef struct {
    const char *text;
    PyObject *object; /* interned when the module is loaded, so that most comparisons are one of pointers */
} fp_name;

/* One argument in an explanation. */
typedef struct {
    const fp_param *param;
    int slot;  /* -1: the caller passes nothing */
    int array; /* FP_SINGLE, ... */
} fp_row;

/* Whether an fp_array has its value: never, always, or in a batched call. */
enum { FP_SINGLE, FP_IN_ARRAY, FP_PER_ITEM };

typedef struct {
    const char *function;
    const char *text;       /* "matvec(a, x, *, y=None)" */
    const char *prototype;  /* as its author wrote it */
    int required;           /* the first so many must be given */
    int positional;         /* the first so many may be given by position */
    int total;
    fp_name *const *names;
    const fp_row *rows; /* the rows of an explanation */
    int row_count;
} fp_signature;

static FP_COLD void
fp_wrong_count(const fp_signature *s, Py_ssize_t given)
{
    fp_message t;
    t.length = 0;
    fp_append_string(&t, s->text);
    if (s->required == s->positional) {
        fp_append(&t, " takes %d positional argument%s, got %zd", s->positional,
                  s->positional == 1 ? "" : "s", given);
    }
    else {
        fp_append(&t, " takes %d to %d positional arguments, got %zd", s->required, s->positional,
                  given);
    }
    fp_raise(PyExc_TypeError, &t);
}

/* "add(a, b) <complaint> 'a'" */
static FP_COLD void
fp_wrong_name(const fp_signature *s, const char *complaint, const char *name)
{
    fp_message t;
    t.length = 0;
    fp_append_string(&t, s->text);
    fp_append_string(&t, complaint);
    fp_append_string(&t, " '");
    fp_append_string(&t, name);
    fp_append_string(&t, "'");
    fp_raise(PyExc_TypeError, &t);
}

static FP_COLD void
fp_unexpected(const fp_signature *s, PyObject *keyword)
{
    Py_ssize_t length;
    const char *name = PyUnicode_AsUTF8AndSize(keyword, &length);
    if (name != NULL && strlen(name) == (size_t)length) {
        fp_wrong_name(s, " got an unexpected keyword argument", name);
        return;
    }
    PyErr_Clear(); /* a NUL or a lone surrogate: no C string, but a string */
    PyErr_Format(PyExc_TypeError, "%s got an unexpected keyword argument %R", s->text, keyword);
}

/* The slot that a keyword names, -1 when it names none. */
static FP_UNUSED int
fp_find_name(const fp_signature *s, PyObject *keyword)
{
    int i;
    for (i = 0; i < s->total; i++) {
        if (s->names[i]->object == keyword) {
            return i;
        }
    }
    for (i = 0; i < s->total; i++) {
        if (PyUnicode_CompareWithASCIIString(keyword, s->names[i]->text) == 0) {
            return i;
        }
    }
    return -1;
}

typedef enum { FP_PLACED, FP_TOO_MANY, FP_UNEXPECTED, FP_TWICE, FP_MISSING } fp_placing;

/* Puts every value in its slot without raising; `where` is the slot or the keyword at fault. */
static inline fp_placing
fp_place(const fp_signature *s, PyObject *const *args, Py_ssize_t given, PyObject *keywords,
         PyObject **slots, int *where)
{
    int k, i, count = keywords == NULL ? 0 : (int)fp_tuple_size(keywords);
    if (given > s->positional) {
        return FP_TOO_MANY;
    }
    for (i = 0; i < s->total; i++) {
        slots[i] = i < given ? args[i] : NULL;
    }
    for (k = 0; k < count; k++) {
        /* Most callers name the arguments in their order. */
        i = (int)given + k;
        if (i >= s->total || s->names[i]->object != fp_tuple_item(keywords, k)) {
            i = fp_find_name(s, fp_tuple_item(keywords, k));
        }
        if (FP_UNLIKELY(i < 0)) {
            *where = k;
            return FP_UNEXPECTED;
        }
        if (FP_UNLIKELY(slots[i] != NULL)) {
            *where = i;
            return FP_TWICE;
        }
        slots[i] = args[given + k];
    }
    for (i = 0; i < s->required; i++) {
        if (slots[i] == NULL) {
            *where = i;
            return FP_MISSING;
        }
    }
    return FP_PLACED;
}

static FP_HELPER PyObject *const *
fp_bind_slowly(const fp_signature *s, PyObject *const *args, Py_ssize_t given, PyObject *keywords,
               PyObject **slots)
{
    int where = 0;
    switch (fp_place(s, args, given, keywords, slots, &where)) {
    case FP_PLACED:
        return slots;
    case FP_TOO_MANY:
        fp_wrong_count(s, given);
        break;
    case FP_UNEXPECTED:
        fp_unexpected(s, fp_tuple_item(keywords, where));
        break;
    case FP_TWICE:
        fp_wrong_name(s, " got two values for argument", s->names[where]->text);
        break;
    case FP_MISSING:
        fp_wrong_name(s, " needs argument", s->names[where]->text);
        break;
    }
    return NULL;
}

/* The slots of a call: `args` itself where it already is one value a parameter. */
static inline PyObject *const *
fp_bind(const fp_signature *s, PyObject *const *args, Py_ssize_t given, PyObject *keywords,
        PyObject **slots)
{
    if (FP_LIKELY(keywords == NULL)) {
        if (given == s->total && given == s->positional) {
            return args;
        }
        if (FP_LIKELY(given >= s->required && given <= s->positional)) {
            int i;
            for (i = 0; i < s->total; i++) {
                slots[i] = i < given ? args[i] : NULL;
            }
            return slots;
        }
    }
    return fp_bind_slowly(s, args, given, keywords, slots);
}

static inline int
fp_is_present(PyObject *slot)
{
    return slot != NULL && slot != Py_None;
}

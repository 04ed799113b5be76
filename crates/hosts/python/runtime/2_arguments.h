/* Arguments: from a vectorcall's arguments to one slot a parameter.
 *
 * Slots are borrowed references; an absent optional argument is NULL. */

typedef struct {
    const char *text;
    PyObject *object; /* interned when the module is loaded, so that most comparisons are one of pointers */
} fp_name;

typedef struct {
    const char *function;
    const char *text;       /* "matvec(a, x, *, y=None)" */
    int required;           /* the first so many must be given */
    int positional;         /* the first so many may be given by position */
    int total;
    fp_name *const *names;
} fp_signature;

static FP_COLD PyObject *const *
fp_wrong_count(const fp_signature *s, Py_ssize_t given)
{
    if (s->required == s->positional) {
        PyErr_Format(PyExc_TypeError, "%s takes %d positional argument%s, got %zd", s->text,
                     s->positional, s->positional == 1 ? "" : "s", given);
    }
    else {
        PyErr_Format(PyExc_TypeError, "%s takes %d to %d positional arguments, got %zd", s->text,
                     s->required, s->positional, given);
    }
    return NULL;
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
static FP_HELPER fp_placing
fp_place(const fp_signature *s, PyObject *const *args, Py_ssize_t given, PyObject *keywords,
         PyObject **slots, int *where)
{
    int k, i, count = keywords == NULL ? 0 : (int)PyTuple_GET_SIZE(keywords);
    if (given > s->positional) {
        return FP_TOO_MANY;
    }
    for (i = 0; i < s->total; i++) {
        slots[i] = i < given ? args[i] : NULL;
    }
    for (k = 0; k < count; k++) {
        i = fp_find_name(s, PyTuple_GET_ITEM(keywords, k));
        if (i < 0) {
            *where = k;
            return FP_UNEXPECTED;
        }
        *where = i;
        if (slots[i] != NULL) {
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
        return fp_wrong_count(s, given);
    case FP_UNEXPECTED:
        PyErr_Format(PyExc_TypeError, "%s got an unexpected keyword argument '%U'", s->text,
                     PyTuple_GET_ITEM(keywords, where));
        break;
    case FP_TWICE:
        PyErr_Format(PyExc_TypeError, "%s got multiple values for argument '%s'", s->text,
                     s->names[where]->text);
        break;
    case FP_MISSING:
        PyErr_Format(PyExc_TypeError, "%s missing required argument '%s' (position %d)", s->text,
                     s->names[where]->text, where + 1);
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
fp_given(PyObject *slot)
{
    return slot != NULL && slot != Py_None;
}

/* Functions: the rows in the tables of a module.
 *
 * Functions of a module are builtin functions, and methods are method descriptors: Python's interpreter
 * calls objects of exactly these types fastest. They have no attributes: the namespaces of a module
 * describe them. */

/* Any C function. */
typedef void (*fp_target)(void);

/* The C function F, which was compared with its prototype under ID. */
#ifdef __cplusplus
#define FP_TARGET(ID, F) (fp_target)fp_agrees_##ID
#else
#define FP_TARGET(ID, F) (fp_target)F
#endif

/* A C number as Python's: an integer type has no fractions. */
#define FP_NUMBER(X)                                                                            \
    ((__typeof__(X))0.5 == 0 ? PyLong_FromLongLong((long long)(X)) : PyFloat_FromDouble((double)(X)))

/* The origin of a function, for graphs that call its C functions themselves. */
typedef struct {
    const char *interface; /* the interface file */
    const fp_target *targets;
    int count;
    PyObject *(*constants)(void); /* the names of its expressions in the headers; NULL: none */
} fp_origin;

/* The C function of a method without arguments. */
typedef PyObject *(*fp_lone_entry)(PyObject *, PyObject *);

/* The description of a function or method for the module's namespaces; static. */
typedef struct {
    const char *name;      /* "mean"; for a method "Rng.uniform" */
    const char *function;  /* in messages: "mean"; for a method that is also a function "uniform" */
    const char *signature; /* of its core dimensions: "(m,n),(n)->(m)" */
    fp_entry entry;
    fp_lone_entry lone;      /* instead, for a method without arguments */
    const fp_origin *origin; /* NULL: only Python can call it */
} fp_description;

/* The parameters of a function that Python calls. */
#define FP_ENTRY                                                                                \
    PyObject *fp_self FP_UNUSED, PyObject *const *fp_args, Py_ssize_t fp_count, PyObject *fp_keywords

/* A row in a table of functions or methods. */
#define FP_FUNCTION(NAME, ENTRY, DOC)                                                           \
    {NAME, (PyCFunction)(void (*)(void))FP_GUARDED(ENTRY), METH_FASTCALL | METH_KEYWORDS, DOC}

/* The same for a method without arguments, which Python calls with the object only. */
#define FP_LONE_ENTRY PyObject *fp_self, PyObject *fp_unused FP_UNUSED
#define FP_LONE_FUNCTION(NAME, ENTRY, DOC) {NAME, ENTRY, METH_NOARGS, DOC}

/* Defines this method: BODY is a function of the values of all parameters, here of the object. */
#define FP_LONE_METHOD(NAME, BODY)                                                              \
    PyObject *NAME(FP_LONE_ENTRY) { return FP_GUARDED(BODY)(&fp_self); }

/* A method's call with more arguments than any overload has, which is an error. */
static FP_COLD PyObject *
fp_call_with_many(fp_entry entry, PyObject *self, PyObject *const *args, Py_ssize_t count,
                  PyObject *keywords, Py_ssize_t total)
{
    PyObject *result = NULL, **all = (PyObject **)PyMem_Malloc((size_t)(total + 1) * sizeof(PyObject *));
    if (all == NULL) {
        return PyErr_NoMemory();
    }
    all[0] = self;
    memcpy(all + 1, args, (size_t)total * sizeof(PyObject *));
    result = entry(NULL, all, count + 1, keywords);
    PyMem_Free(all);
    return result;
}

/* Calls a function whose first argument is `self`. `all` has space for `room` arguments. */
static FP_INLINE PyObject *
fp_call_with_self(fp_entry entry, PyObject *self, PyObject *const *args, Py_ssize_t count,
                  PyObject *keywords, PyObject **all, Py_ssize_t room)
{
    Py_ssize_t total = count + (keywords == NULL ? 0 : fp_tuple_size(keywords)), k;
    if (FP_UNLIKELY(total >= room)) {
        return fp_call_with_many(entry, self, args, count, keywords, total);
    }
    all[0] = self;
    for (k = 0; k < total; k++) {
        all[k + 1] = args[k];
    }
    return entry(NULL, all, count + 1, keywords);
}

/* Defines the method NAME of a function with at most ROOM arguments, of which the object is the first. */
#define FP_METHOD(NAME, ENTRY, ROOM)                                                            \
    PyObject *NAME(FP_ENTRY)                                                                    \
    {                                                                                           \
        PyObject *all[ROOM];                                                                    \
        return fp_call_with_self(ENTRY, fp_self, fp_args, fp_count, fp_keywords, all, ROOM);    \
    }

/* Defines the constructor NAME, which Python calls with the class. */
#define FP_CONSTRUCTOR(NAME, ENTRY)                                                             \
    FP_GUARD(ENTRY)                                                                             \
    static PyObject *NAME(PyObject *type, PyObject *const *args, size_t count, PyObject *keywords) \
    {                                                                                           \
        return FP_GUARDED(ENTRY)(type, args, PyVectorcall_NARGS(count), keywords);              \
    }

/* The hooks by which the glue headers of the Python package extend a module whose headers include
 * them: a language boundary around each call, where warnings of C and C++ are raised, and C++
 * exceptions that carry one of Python's. They redefine the macros below; without them nothing
 * is added. */

/* A function of the module, as Python calls it. */
typedef PyObject *(*fp_entry)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
/* The same, as the runtime calls it: with the value of each parameter. */
typedef PyObject *(*fp_body)(PyObject *const *);

typedef struct {
    /* Frees an object: exceptions go to sys.unraisablehook. With the GIL. */
    void (*destroy)(void (*destroy)(void *), void *pointer);
    /* The current call of a thread; and its warnings from now on. */
    void *(*this_caller)(void);
    void (*warn_for)(void *caller);
    /* Raises an exception that was carried here, taking ownership, with the message as a note. */
    void (*raise)(PyObject *exception, const char *text, Py_ssize_t length);
    /* Ends a function that a graph has called: 0 if a warning became an exception. */
    int (*end_target)(void);
} fp_glue_hooks;

FP_GLOBAL const fp_glue_hooks *fp_glue;

#define FP_GLUE_HOOKS NULL
#define FP_GLUE_CATCH ((void)0)

/* FP_GUARD defines what Python calls in place of a function: the language boundary around it; and
 * FP_GUARD_BODY in place of an fp_body. */
#define FP_GUARD(ENTRY)
#define FP_GUARD_BODY(BODY)
#define FP_GUARDED(ENTRY) ENTRY

/* The result of a function that a graph has called, on success. */
#define FP_TARGET_DONE (fp_glue == NULL || fp_glue->end_target())

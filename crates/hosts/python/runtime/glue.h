/* What the glue headers of the Python package add to a module whose headers include them: a language
 * boundary around each call, where warnings of C and C++ are raised, and C++ exceptions that carry one
 * of Python's. They define FP_GLUE_HOOKS and FP_GLUE_CATCH anew; without them nothing is added. */

typedef PyObject *(*fp_entry)(PyObject *, PyObject *const *, size_t, PyObject *);

typedef struct {
    /* Calls a function of the module. */
    PyObject *(*call)(fp_entry entry, PyObject *self, PyObject *const *args, size_t count, PyObject *keywords);
    /* Frees an object: exceptions go to sys.unraisablehook. With the GIL. */
    void (*destroy)(void (*destroy)(void *), void *pointer);
    /* The call that a thread is in; and has a thread warn for one from now on. */
    void *(*this_caller)(void);
    void (*warn_for)(void *caller);
    /* Raises an exception that was carried here, and owns it, with the text as a note. */
    void (*raise)(PyObject *exception, const char *text, Py_ssize_t length);
    /* Ends a function that a graph has called: 0 where a warning became an exception. */
    int (*end_target)(void);
} fp_glue_hooks;

static const fp_glue_hooks *fp_glue;

#define FP_GLUE_HOOKS NULL
#define FP_GLUE_CATCH ((void)0)

/* What a function that a graph has called returns where it has succeeded. */
#define FP_TARGET_DONE (fp_glue == NULL || fp_glue->end_target())

/* The module: code around a call, and code that runs when the module is loaded. */

/* ---- Calls ---------------------------------------------------------------------------------------- */

/* Raises an error for a return code other than 0, unless C has raised an exception itself, on this
 * thread. */
static FP_COLD int
fp_bad_status(const char *function, const char *c_name, int is_unsigned, long long status)
{
    if (!fp_take_interruption() && !PyErr_Occurred()) {
        PyErr_Format(PyExc_RuntimeError,
                     is_unsigned ? "%s(): %s returned status %llu" : "%s(): %s returned status %lld",
                     function, c_name, status);
    }
    return 0;
}

/* ---- Loading --------------------------------------------------------------------------------------- */

/* The number of elements in all arrays of a call, or of simple operations, from which releasing the GIL (about 25 ns)
 * pays. */
#ifndef FP_WORK
#define FP_WORK 4096
#endif

/* True for work, as a size, that is at least as much; also if it is more than a size can be. */
#define FP_IS_WORK(work) ((size_t)(work) >= FP_WORK)

/* Takes the GIL again, if the call has released it. */
static FP_INLINE void
fp_retake_gil(PyThreadState *thread)
{
    if (thread != NULL) {
        PyEval_RestoreThread(thread);
    }
}

/* Names, types and locks exist once in the process, so a module supports one interpreter. */
#if FP_PYTHON_API >= 0x030C0000
#define FP_MODULE_SLOTS {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#else
#define FP_MODULE_SLOTS
#endif

/* Whether a free-threaded Python enables the GIL when it imports the module. */
#if FP_PYTHON_API >= 0x030D0000
#define FP_WITHOUT_GIL {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#define FP_WITH_GIL {Py_mod_gil, Py_MOD_GIL_USED},
#else
#define FP_WITHOUT_GIL
#define FP_WITH_GIL
#endif

/* Before Python 3.12 this check alone prevents another interpreter from importing the module. */
static FP_HELPER int
fp_check_interpreter(PyObject *module)
{
    static PyInterpreterState *first;
    PyInterpreterState *now = fp_interpreter();
    if (first != NULL && first != now) {
        PyErr_Format(PyExc_ImportError, "module %s does not support sub-interpreters",
                     PyModule_GetName(module));
        return -1;
    }
    first = now;
    return 0;
}

/* The functions for thread pool controllers, in modules that use threads. */
#if defined(__GNUC__) || defined(__clang__)
#define FP_VISIBLE __attribute__((visibility("default")))
#else
#define FP_VISIBLE
#endif
#define FP_CONTROL_THREADS                                                                      \
    FP_BEGIN_C                                                                                  \
    FP_VISIBLE int fishplate_get_num_threads(void);                                             \
    FP_VISIBLE void fishplate_set_num_threads(int count);                                       \
    FP_VISIBLE int fishplate_get_num_threads(void) { return fp_process_threads(); }             \
    FP_VISIBLE void fishplate_set_num_threads(int count)                                        \
    {                                                                                           \
        const int limit = count < 0 ? 0 : count > FP_MAX_THREADS ? FP_MAX_THREADS : count;      \
        __atomic_store_n(&fp_thread_limit, limit, __ATOMIC_RELAXED);                            \
    }                                                                                           \
    FP_END_C

static FP_HELPER int
fp_intern(fp_name *const *names)
{
    for (; *names != NULL; names++) {
        if ((*names)->object == NULL) {
            (*names)->object = PyUnicode_InternFromString((*names)->text);
            if ((*names)->object == NULL) {
                return -1;
            }
        }
    }
    return 0;
}

#define fp_start(MODULE, NAMES) (fp_glue = FP_GLUE_HOOKS, FP_GLUE_CATCH, fp_start_module(MODULE, NAMES))

static FP_HELPER int
fp_start_module(PyObject *module, fp_name *const *names)
{
    if (fp_check_interpreter(module) < 0) {
        return -1;
    }
#ifdef Py_GIL_DISABLED
    if (fp_waits == NULL && !fp_find_waits()) {
        return -1;
    }
#endif
    if (PyArray_API == NULL && _import_array() < 0) {
        PyArray_API = NULL; /* it is set before NumPy's version is found to be wrong */
        return -1;
    }
    if (!fp_find_main_thread() || fp_intern(fp_protocols) < 0 || fp_intern(fp_list_names) < 0 || fp_intern(names) < 0) {
        return -1;
    }
    fp_answer_interrupts();
    return 0;
}

/* Calls functions of the module, up to NULL, which prepare its library. */
static FP_HELPER int
fp_initialise(PyObject *module, const char *const *functions)
{
    for (; *functions != NULL; functions++) {
        PyObject *done = PyObject_CallMethod(module, *functions, NULL);
        PyObject *cause, *effect, *name;
        if (done != NULL) {
            Py_DECREF(done);
            continue;
        }
        cause = fp_take_exception();
        name = PyModule_GetNameObject(module);
        if (name != NULL) {
            PyErr_Format(PyExc_ImportError, "module %U cannot be imported: %S", name, cause);
            Py_DECREF(name);
        }
        effect = fp_take_exception();
        if (effect != cause) {
            PyException_SetContext(effect, Py_NewRef(cause));
            PyException_SetCause(effect, Py_NewRef(cause));
        }
        Py_DECREF(cause);
        fp_put_exception(effect);
        return -1;
    }
    return 0;
}

#define FP_INITIALISE(MODULE, ...) fp_initialise(MODULE, (const char *const[]){__VA_ARGS__, NULL})

/* Calls the functions in a tuple, each even if one fails. From now on objects are not released: the library is about to
 * release everything. */
static PyObject *
fp_exit(PyObject *functions, PyObject *nothing)
{
    Py_ssize_t k;
    (void)nothing;
    fp_has_exited = 1;
    for (k = 0; k < fp_tuple_size(functions); k++) {
        PyObject *done = PyObject_CallObject(fp_tuple_item(functions, k), NULL);
        if (done == NULL) {
            PyErr_WriteUnraisable(fp_tuple_item(functions, k));
        }
        Py_XDECREF(done);
    }
    Py_RETURN_NONE;
}

FP_GLOBAL PyMethodDef fp_exit_method = {"exit", fp_exit, METH_NOARGS, NULL};

/* Registers functions of the module, up to NULL, to be called in this order when the interpreter ends: all of them, as
 * the last step, or none. */
static FP_HELPER int
fp_call_at_exit(PyObject *module, const char *const *functions)
{
    PyObject *exits = NULL, *all, *exit = NULL, *done = NULL;
    Py_ssize_t count = 0, k;
    while (functions[count] != NULL) {
        count++;
    }
    all = PyTuple_New(count);
    for (k = 0; all != NULL && k < count; k++) {
        PyObject *function = PyObject_GetAttrString(module, functions[k]);
        if (function == NULL) {
            Py_CLEAR(all);
            break;
        }
        fp_set_tuple_item(all, k, function);
    }
    if (all != NULL) {
        exit = PyCFunction_New(&fp_exit_method, all);
        Py_DECREF(all);
    }
    if (exit != NULL) {
        exits = PyImport_ImportModule("atexit");
    }
    if (exits != NULL) {
        done = PyObject_CallMethod(exits, "register", "O", exit);
        Py_DECREF(exits);
    }
    Py_XDECREF(exit);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

#define FP_CALL_AT_EXIT(MODULE, ...) fp_call_at_exit(MODULE, (const char *const[]){__VA_ARGS__, NULL})

#endif /* FISHPLATE_PYTHON_H */

/* NumPy includes `complex.h`, whose macro I is an ordinary name in headers that do not include it.
 * Headers that include it define the macro again. musl has macros for some of the functions, which its declarations of
 * them must not expand. */
#ifndef __cplusplus
#undef I
#undef creal
#undef crealf
#undef creall
#undef cimag
#undef cimagf
#undef cimagl
#undef _COMPLEX_H
#undef __COMPLEX_H__
#endif

/* Failures of C and C++ as Python's exceptions and warnings. With the GIL, unless specified
 * otherwise. */

/* An exception that the interface names: a builtin one, or one of a module. */
typedef struct {
    const char *name; /* "KeyError", "json.JSONDecodeError" */
    PyObject *type;   /* looked up when the module is loaded */
} fp_exception;

/* This module's. */
FP_GLOBAL fp_exception *fp_named;

static FP_UNUSED int
fp_find_exception(fp_exception *exception)
{
    const char *dot = strrchr(exception->name, '.');
    fp_message name = {"builtins", 0};
    PyObject *module, *type;
    if (dot != NULL) {
        fp_append(&name, "%.*s", (int)(dot - exception->name), exception->name);
    }
    module = PyImport_ImportModule(name.text);
    type = module == NULL ? NULL : PyObject_GetAttrString(module, dot == NULL ? exception->name : dot + 1);
    Py_XDECREF(module);
    if (type != NULL && !PyExceptionClass_Check(type)) {
        PyErr_Format(PyExc_TypeError, "%s is not an exception class but %s", exception->name, fp_class_name(Py_TYPE(type)));
        Py_CLEAR(type);
    }
    exception->type = type;
    return type != NULL;
}

/* Looks up all exceptions of the module; the last has no name. References are held for the lifetime
 * of the process. */
static FP_UNUSED int
fp_find_exceptions(fp_exception *exceptions)
{
    fp_named = exceptions;
    for (; exceptions->name != NULL; exceptions++) {
        if (exceptions->type == NULL && !fp_find_exception(exceptions)) {
            return -1;
        }
    }
    return 0;
}

static FP_COLD PyObject *
fp_exception_type(const fp_failure *why)
{
    switch (why->exception) {
    case FP_RUNTIME_ERROR: return PyExc_RuntimeError;
    case FP_VALUE_ERROR: return PyExc_ValueError;
    case FP_INDEX_ERROR: return PyExc_IndexError;
    case FP_OVERFLOW_ERROR: return PyExc_OverflowError;
    case FP_MEMORY_ERROR: return PyExc_MemoryError;
    case FP_TYPE_ERROR: return PyExc_TypeError;
    case FP_OS_ERROR: return PyExc_OSError;
    default: return fp_named[why->exception - FP_NAMED].type;
    }
}

/* Begins the message: "parse(): ...", except for an OSError, whose message is standard. */
static FP_COLD void
fp_begin_message(fp_message *t, const fp_failure *why)
{
    t->length = 0;
    if (why->function != NULL && why->exception != FP_OS_ERROR) {
        fp_append_string(t, why->function);
        fp_append_string(t, "(): ");
    }
    fp_append_string(t, why->text);
}

/* Releases the resources of a failure that is not raised. With the GIL or without. */
static FP_COLD void
fp_drop_failure(fp_failure *why)
{
    PyGILState_STATE gil;
    if (why->raised == NULL && why->cause == NULL) {
        return;
    }
    gil = PyGILState_Ensure();
    Py_XDECREF((PyObject *)why->raised);
    while (why->cause != NULL) {
        Py_XDECREF((PyObject *)why->cause->raised);
        fp_pop_cause(why);
    }
    PyGILState_Release(gil);
}

/* Raises a failure without its causes. Returns 0. */
static FP_COLD int
fp_raise_alone(const fp_failure *why, const fp_message *t)
{
    PyObject *number, *text, *pair;
    if (why->raised != NULL) {
        fp_glue->raise((PyObject *)why->raised, t->text, t->length);
        return 0;
    }
    if (why->exception == FP_OS_ERROR && why->number == 0) {
        return fp_raise(PyExc_OSError, t);
    }
    if (why->exception != FP_OS_ERROR) {
        return fp_raise(fp_exception_type(why), t);
    }
    /* From the number and the message, Python creates a FileNotFoundError and similar. */
    number = PyLong_FromLong(why->number);
    text = number == NULL ? NULL : PyUnicode_DecodeUTF8(t->text, t->length, "replace");
    pair = text == NULL ? NULL : PyTuple_New(2);
    if (pair == NULL) {
        Py_XDECREF(number);
        Py_XDECREF(text);
        return 0;
    }
    fp_set_tuple_item(pair, 0, number);
    fp_set_tuple_item(pair, 1, text);
    PyErr_SetObject(PyExc_OSError, pair);
    Py_DECREF(pair);
    return 0;
}

/* Makes each cause of a failure the __cause__ of the previous exception, beginning with the one
 * that is set. An existing __cause__ is not replaced. */
static FP_COLD void
fp_raise_causes(fp_failure *why)
{
    PyObject *error = fp_take_exception(), *effect = error;
    while (why->cause != NULL) {
        PyObject *cause, *present = PyException_GetCause(effect);
        fp_message t;
        if (present != NULL) {
            Py_DECREF(present);
            break;
        }
        fp_begin_message(&t, why->cause);
        fp_raise_alone(why->cause, &t);
        why->cause->raised = NULL;
        fp_pop_cause(why);
        cause = fp_take_exception();
        if (cause == effect) {
            Py_DECREF(cause);
            continue;
        }
        PyException_SetContext(effect, Py_NewRef(cause));
        PyException_SetCause(effect, cause);
        effect = cause;
    }
    fp_put_exception(error);
    why->raised = NULL;
    fp_drop_failure(why);
}

/* Raises a failure with this message, unless C code with more details has raised an exception
 * itself. Returns 0. */
static FP_COLD int
fp_raise_message(fp_failure *why, const fp_message *t)
{
    if (PyErr_Occurred()) {
        fp_drop_failure(why);
        return 0;
    }
    fp_raise_alone(why, t);
    if (why->cause != NULL) {
        fp_raise_causes(why);
    }
    return 0;
}

static FP_COLD int
fp_raise_failure(fp_failure *why)
{
    fp_message t;
    fp_take_interruption(); /* it takes precedence, and fp_raise_message drops the failure */
    fp_begin_message(&t, why);
    return fp_raise_message(why, &t);
}

/* Warns with this message; 0 if a warning filter made that an exception. */
static FP_COLD int
fp_warn_message(fp_message *t)
{
    t->text[t->length] = 0;
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "%s", t->text) == 0;
}

/* Reports a return code that is not success: 1 if the call continues. */
static FP_COLD int
fp_report_status(int judged, fp_failure *why)
{
    fp_message t;
    if (judged == FP_FAILS || PyErr_Occurred()) {
        return fp_raise_failure(why);
    }
    fp_begin_message(&t, why);
    return fp_warn_message(&t);
}

/* The same for a C call of a graph, with or without the GIL. */
static FP_COLD int
fp_report_from_graph(int judged, fp_failure *why)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    int goes_on = fp_report_status(judged, why);
    PyGILState_Release(gil);
    return goes_on;
}

/* A failure that cannot be raised: of a destructor. */
static FP_COLD void
fp_write_unraisable(fp_failure *why)
{
    fp_raise_failure(why);
    PyErr_WriteUnraisable(NULL);
}

/* Allocates an object in memory of the module, by the function of its class. */
static FP_UNUSED void *
fp_store_object(void *(*allocate)(int, fp_failure *), int initialise, const char *function)
{
    fp_failure why;
    void *object = allocate(initialise, &why);
    if (object == NULL) {
        if (why.exception == FP_MEMORY_ERROR) {
            PyErr_NoMemory();
        }
        else {
            why.function = function;
            fp_raise_failure(&why);
        }
    }
    return object;
}

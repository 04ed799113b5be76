/* The entry points of a linked graph of C-coded types and ops.
 *
 * The unit that includes this file defines `struct fp_state` and one fp_linked_kind, and ends with
 * FP_LINKED_MODULE. The module's `instantiate` creates callables, each with a state of its own. A
 * call goes from the interpreter's array of arguments to `run` without a list or a tuple in
 * between.
 *
 * Valid as C99 and as C++. */

#ifndef FISHPLATE_LINKED_H
#define FISHPLATE_LINKED_H

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>
#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__)
#define FP_COLD __attribute__((cold, noinline, unused))
#define FP_HELPER __attribute__((unused))
#define FP_UNUSED __attribute__((unused))
#define FP_INLINE static inline __attribute__((always_inline))
#define FP_HIDDEN __attribute__((visibility("hidden")))
#define FP_UNLIKELY(test) __builtin_expect(!!(test), 0)
#else
#define FP_COLD
#define FP_HELPER
#define FP_UNUSED
#define FP_INLINE static inline
#define FP_HIDDEN
#define FP_UNLIKELY(test) (test)
#endif

/* ---- macros around fragments ----------------------------------------------------------------- */

typedef struct fp_state fp_state;

/* A fragment failed: there is an exception from here on. */
FP_COLD static void fp_failed(void)
{
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_RuntimeError,
                        "C code of a type or an op failed without setting an exception");
    }
}

/* A description of an object: for an array dtype, shape and strides, else its class. */
FP_COLD static PyObject *fp_described(PyObject *object)
{
    static const char *const names[] = {"dtype", "shape", "strides"};
    PyObject *parts = PyTuple_New(3);
    int k;
    for (k = 0; parts != NULL && k < 3; k++) {
        PyObject *part = PyObject_GetAttrString(object, names[k]);
        if (part == NULL) {
            PyErr_Clear();
            Py_DECREF(parts);
            Py_INCREF((PyObject *)Py_TYPE(object));
            return (PyObject *)Py_TYPE(object);
        }
        PyTuple_SET_ITEM(parts, k, part);
    }
    return parts;
}

/* Attaches the inputs of the failing node to the exception: for each input an object, or NULL
 * if it cannot be described. The exception does not retain the objects themselves. */
FP_COLD static void fp_operands(PyObject *const *objects, Py_ssize_t count)
{
    PyObject *type, *value, *traceback, *operands = PyTuple_New(count);
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    while (operands != NULL && count-- > 0) {
        PyObject *text = objects[count] == NULL ? NULL : fp_described(objects[count]);
        if (text == NULL) {
            Py_INCREF(Py_None);
            text = Py_None;
        }
        PyTuple_SET_ITEM(operands, count, text);
    }
    if (value == NULL || operands == NULL
        || PyObject_SetAttrString(value, "__fishplate_operands__", operands) < 0) {
        PyErr_Clear(); /* the exception is worth more than its details */
    }
    Py_XDECREF(operands);
    PyErr_Restore(type, value, traceback);
}

/* A slot that retains an object between calls. Concurrent calls do not share the object: the first
 * takes it out, and the others find the slot empty. */
typedef PyObject *fp_slot;

FP_HELPER static PyObject *fp_exchange(fp_slot *slot, PyObject *object)
{
#if defined(Py_GIL_DISABLED)
    return (PyObject *)__atomic_exchange_n(slot, object, __ATOMIC_ACQ_REL);
#else
    PyObject *old = *slot;
    *slot = object;
    return old;
#endif
}

FP_HELPER static PyObject *fp_take(fp_slot *slot)
{
    return fp_exchange(slot, NULL);
}

/* The object that the last call left, else None. */
FP_HELPER static PyObject *fp_take_last(fp_slot *slot)
{
    PyObject *last = fp_take(slot);
    if (last == NULL) {
        Py_INCREF(Py_None);
        last = Py_None;
    }
    return last;
}

/* Puts back an object that may be used again; takes the reference; NULL is ignored. */
FP_HELPER static void fp_put(fp_slot *slot, PyObject *object)
{
    if (object != NULL) {
        PyObject *old = fp_exchange(slot, object);
        Py_XDECREF(old);
    }
}

/* The result of a call. A failure has no output; a success with an exception set is a
 * failure that was not detected, and has no number. */
FP_HELPER static int fp_finish(int failure, PyObject **outputs, Py_ssize_t count)
{
    if (FP_UNLIKELY(failure != 0 || PyErr_Occurred() != NULL)) {
        fp_failed();
        while (count-- > 0) {
            Py_CLEAR(outputs[count]);
        }
        return failure != 0 ? failure : -1;
    }
    return 0;
}

/* ---- the callable ---------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    Py_ssize_t inputs, outputs, orphans;
    /* Calls of one state are serialised: it has members that ops change. */
    int exclusive;
    /* Runs the statements for the module; NULL with an exception set. */
    PyObject *(*load)(void);
    /* All have the form that their types need, without calling the types' `filter`s. May be NULL.
     * */
    int (*accepts)(PyObject *const *inputs);
    /* A state, and in `failed` the block that failed (a state that failed is destroyed like any
     * other). */
    fp_state *(*make)(PyObject *const *orphans, int *failed);
    /* 0, or which block failed, with an exception set and no output. */
    int (*run)(fp_state *state, PyObject *const *inputs, PyObject **outputs);
    void (*drop)(fp_state *state);
} fp_linked_kind;

/* The object to which a callable is bound. The callable itself is a builtin function, since the
 * interpreter calls these the fastest. */
typedef struct {
    PyObject_HEAD
    const fp_linked_kind *kind;
    fp_state *state;
    PyObject *orphans;  /* a tuple */
    PyObject *filters;  /* a tuple, or NULL: the filters for inputs that are not accepted */
    PyObject *on_error; /* called with the exception and the block that failed, or NULL */
    PyThread_type_lock lock;
    unsigned long owner;
    Py_ssize_t depth;
} fp_linked;

/* Up to this many results are on the stack. */
#define FP_FEW 8

/* Lets `on_error` add details to the exception that is set. */
FP_COLD static void fp_report_node_failure(fp_linked *self, int failed)
{
    PyObject *type, *value, *traceback, *answer;
    if (self->on_error == NULL) {
        return;
    }
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL) {
        PyException_SetTraceback(value, traceback);
    }
    answer = PyObject_CallFunction(self->on_error, "Oi", value, failed);
    if (answer == NULL) {
        PyErr_WriteUnraisable(self->on_error);
    }
    Py_XDECREF(answer);
    PyErr_Restore(type, value, traceback);
}

/* A call that a `return` of some fragment has left: no cleanup has run, and outputs may be missing.
 * */
FP_COLD static int fp_returned(PyObject **outputs, Py_ssize_t count)
{
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_RuntimeError,
                        "C code of a type or an op used `return`, which it must not: it fails by "
                        "sub['fail'], and else goes on to its end");
    }
    while (count-- > 0) {
        Py_CLEAR(outputs[count]);
    }
    return -1;
}

FP_COLD static PyObject *fp_wrong_call(const fp_linked_kind *kind, Py_ssize_t given)
{
    PyErr_Format(PyExc_TypeError, "%s() takes %zd argument%s (%zd given)", kind->name, kind->inputs,
                 kind->inputs == 1 ? "" : "s", given);
    return NULL;
}

/* The inputs after their types' filters, owned; NULL with an exception set. */
static PyObject **fp_filtered(fp_linked *self, PyObject *const *args)
{
    const fp_linked_kind *kind = self->kind;
    PyObject **inputs = (PyObject **)PyMem_Calloc((size_t)kind->inputs, sizeof *inputs);
    Py_ssize_t i;
    if (inputs == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (i = 0; i < kind->inputs; i++) {
        PyObject *filter = PyTuple_GET_ITEM(self->filters, i);
        if (filter == Py_None) {
            Py_INCREF(args[i]);
            inputs[i] = args[i];
        } else {
            inputs[i] = PyObject_CallOneArg(filter, args[i]);
        }
        if (inputs[i] == NULL) {
            while (i-- > 0) {
                Py_DECREF(inputs[i]);
            }
            PyMem_Free(inputs);
            return NULL;
        }
    }
    return inputs;
}

/* A state with members that ops change is used by one thread at a time; a nested call is in the
 * same thread, and continues. */
static void fp_enter(fp_linked *self)
{
    unsigned long me = PyThread_get_thread_ident();
    if (self->depth > 0 && self->owner == me) {
        self->depth++;
        return;
    }
    if (!PyThread_acquire_lock(self->lock, NOWAIT_LOCK)) {
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(self->lock, WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
    self->owner = me;
    self->depth = 1;
}

static void fp_leave(fp_linked *self)
{
    if (--self->depth == 0) {
        PyThread_release_lock(self->lock);
    }
}

static PyObject *fp_results(PyObject **outputs, Py_ssize_t count)
{
    PyObject *tuple;
    Py_ssize_t i;
    if (count == 1) {
        return outputs[0];
    }
    tuple = PyTuple_New(count);
    for (i = 0; i < count; i++) {
        if (tuple != NULL) {
            PyTuple_SET_ITEM(tuple, i, outputs[i]);
        } else {
            Py_DECREF(outputs[i]);
        }
    }
    return tuple;
}

/* The compiler knows `kind`, and removes what a function does not need. */
FP_INLINE PyObject *fp_linked_call(const fp_linked_kind *kind, PyObject *bound,
                                   PyObject *const *args, Py_ssize_t given)
{
    fp_linked *self = (fp_linked *)bound;
    PyObject *few[FP_FEW], **outputs = few, **filtered = NULL, *result = NULL;
    Py_ssize_t i;
    int failed;

    if (FP_UNLIKELY(given != kind->inputs)) {
        return fp_wrong_call(kind, given);
    }
    if (self->filters != NULL && (kind->accepts == NULL || !kind->accepts(args))) {
        filtered = fp_filtered(self, args);
        if (filtered == NULL) {
            return NULL;
        }
        args = filtered;
    }
    if (FP_UNLIKELY(kind->outputs > FP_FEW)) {
        outputs = (PyObject **)PyMem_Malloc((size_t)kind->outputs * sizeof *outputs);
        if (outputs == NULL) {
            PyErr_NoMemory();
            goto undo_filtered;
        }
    }
    if (kind->exclusive) {
        fp_enter(self);
    }
    for (i = 0; i < kind->outputs; i++) {
        outputs[i] = NULL;
    }
    failed = kind->run(self->state, args, outputs);
    if (kind->exclusive) {
        fp_leave(self);
    }
    for (i = 0; i < kind->outputs; i++) {
        if (FP_UNLIKELY(failed == 0 && outputs[i] == NULL)) {
            failed = fp_returned(outputs, kind->outputs);
        }
    }
    if (FP_UNLIKELY(failed != 0)) {
        fp_failed();
        fp_report_node_failure(self, failed);
    } else {
        result = fp_results(outputs, kind->outputs);
    }
    if (FP_UNLIKELY(outputs != few)) {
        PyMem_Free(outputs);
    }
undo_filtered:
    if (filtered != NULL) {
        for (i = 0; i < kind->inputs; i++) {
            Py_DECREF(filtered[i]);
        }
        PyMem_Free(filtered);
    }
    return result;
}

static int fp_linked_traverse(PyObject *object, visitproc visit, void *arg)
{
    fp_linked *self = (fp_linked *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->orphans);
    Py_VISIT(self->filters);
    Py_VISIT(self->on_error);
    return 0;
}

static int fp_linked_clear(PyObject *object)
{
    fp_linked *self = (fp_linked *)object;
    /* Not the orphans: the state uses them as long as it exists. */
    Py_CLEAR(self->filters);
    Py_CLEAR(self->on_error);
    return 0;
}

static void fp_linked_dealloc(PyObject *object)
{
    fp_linked *self = (fp_linked *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    fp_linked_clear(object);
    if (self->state != NULL) {
        self->kind->drop(self->state);
    }
    if (self->lock != NULL) {
        PyThread_free_lock(self->lock);
    }
    Py_XDECREF(self->orphans);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyType_Slot fp_linked_slots[] = {
    {Py_tp_traverse, (void *)fp_linked_traverse},
    {Py_tp_clear, (void *)fp_linked_clear},
    {Py_tp_dealloc, (void *)fp_linked_dealloc},
    {0, NULL},
};

static PyType_Spec fp_linked_spec = {
    "fishplate.LinkedFunction", sizeof(fp_linked), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    fp_linked_slots,
};

/* ---- the module ------------------------------------------------------------------------------ */

typedef struct {
    PyTypeObject *type;
    const fp_linked_kind *kind;
    PyMethodDef *call;
} fp_module;

/* instantiate(orphans, filters=None, on_error=None) */
static PyObject *fp_instantiate(PyObject *module, PyObject *args)
{
    fp_module *here = (fp_module *)PyModule_GetState(module);
    const fp_linked_kind *kind = here->kind;
    PyObject *orphans, *filters = Py_None, *on_error = Py_None, *callable;
    fp_linked *self;
    int failed = 0;
    if (!PyArg_ParseTuple(args, "O!|OO:instantiate", &PyTuple_Type, &orphans, &filters, &on_error)) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(orphans) != kind->orphans) {
        PyErr_Format(PyExc_TypeError, "%s has %zd constants (%zd given)", kind->name, kind->orphans,
                     PyTuple_GET_SIZE(orphans));
        return NULL;
    }
    if (filters != Py_None
        && (!PyTuple_Check(filters) || PyTuple_GET_SIZE(filters) != kind->inputs)) {
        PyErr_Format(PyExc_TypeError, "filters must be None or a tuple of %zd", kind->inputs);
        return NULL;
    }
    self = (fp_linked *)here->type->tp_alloc(here->type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->kind = kind;
    Py_INCREF(orphans);
    self->orphans = orphans;
    if (filters != Py_None) {
        Py_INCREF(filters);
        self->filters = filters;
    }
    if (on_error != Py_None) {
        Py_INCREF(on_error);
        self->on_error = on_error;
    }
    if (kind->exclusive) {
        self->lock = PyThread_allocate_lock();
        if (self->lock == NULL) {
            PyErr_NoMemory();
            Py_DECREF(self);
            return NULL;
        }
    }
    self->state = kind->make(((PyTupleObject *)orphans)->ob_item, &failed);
    if (self->state == NULL || failed != 0) {
        fp_failed();
        fp_report_node_failure(self, failed);
        Py_DECREF(self);
        return NULL;
    }
    callable = PyCFunction_New(here->call, (PyObject *)self);
    Py_DECREF(self);
    return callable;
}

static PyMethodDef fp_module_methods[] = {
    {"instantiate", fp_instantiate, METH_VARARGS,
     "instantiate(orphans, filters=None, on_error=None)\n--\n\nA callable with a state of its own."},
    {NULL, NULL, 0, NULL},
};

static int fp_module_traverse(PyObject *module, visitproc visit, void *arg)
{
    fp_module *here = (fp_module *)PyModule_GetState(module);
    if (here != NULL) {
        Py_VISIT(here->type);
    }
    return 0;
}

static int fp_module_clear(PyObject *module)
{
    fp_module *here = (fp_module *)PyModule_GetState(module);
    if (here != NULL) {
        Py_CLEAR(here->type);
    }
    return 0;
}

static int fp_module_exec(PyObject *module, const fp_linked_kind *kind, PyMethodDef *call)
{
    fp_module *here = (fp_module *)PyModule_GetState(module);
    if (kind->load() == NULL) {
        fp_failed();
        return -1;
    }
    here->kind = kind;
    here->call = call;
    here->type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &fp_linked_spec, NULL);
    return here->type == NULL ? -1 : 0;
}

/* Every linked function is a module of this name: only their files differ. */
#define FP_LINKED_MODULE(kind, name)                                                         \
    static PyObject *fp_called(PyObject *bound, PyObject *const *args, Py_ssize_t given)     \
    {                                                                                        \
        return fp_linked_call(&(kind), bound, args, given);                                  \
    }                                                                                        \
    static PyMethodDef fp_call = {                                                           \
        name, (PyCFunction)(void (*)(void))fp_called, METH_FASTCALL, NULL};                  \
    static int fp_exec(PyObject *module)                                                     \
    {                                                                                        \
        return fp_module_exec(module, &(kind), &fp_call);                                    \
    }                                                                                        \
    static PyModuleDef_Slot fp_module_slots[] = {{Py_mod_exec, (void *)fp_exec}, {0, NULL}}; \
    static struct PyModuleDef fp_module_def = {                                              \
        PyModuleDef_HEAD_INIT, "linked", NULL, sizeof(fp_module), fp_module_methods,         \
        fp_module_slots, fp_module_traverse, fp_module_clear, NULL};                         \
    PyMODINIT_FUNC PyInit_linked(void) { return PyModuleDef_Init(&fp_module_def); }

#endif

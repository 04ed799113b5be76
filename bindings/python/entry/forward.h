/* Functions that forward: to a target that takes all inputs by position, or to the detail.
 *
 * The target returns its only output, or a tuple of all. It knows nothing of cells: they are read before it is called,
 * and updated after it has succeeded. */

/* Calls the target with all inputs. */
static inline PyObject *
fpg_call_directly(const fpg_function *f, PyObject *const *inputs, Py_ssize_t count)
{
    return FP_LIKELY(f->direct != NULL) ? f->direct(f->bound, inputs, count)
                                        : PyObject_Vectorcall(f->target, inputs, (size_t)count, NULL);
}

/* Calls the target with the arguments, and the values of cells after them. */
static PyObject *
fpg_call_target(const fpg_function *f, PyObject *const *args)
{
    Py_ssize_t k, total = f->signature.total, cells = PyTuple_GET_SIZE(f->cells), all = total + cells;
    PyObject *few[FPG_FEW], **values = few, *result = NULL;
    if (cells > 0) {
        if (all > FPG_FEW && (values = PyMem_New(PyObject *, all)) == NULL) {
            return PyErr_NoMemory();
        }
        memcpy(values, args, sizeof(*values) * (size_t)total);
        args = values;
    }
    for (k = 0; k < cells; k++) {
        values[total + k] = fpg_cell_load((fpg_cell *)PyTuple_GET_ITEM(f->cells, k));
        if (values[total + k] == NULL) {
            PyErr_Format(PyExc_ValueError, "%U(): a shared variable has no value", f->name);
            break;
        }
    }
    if (FP_LIKELY(k == cells)) {
        result = fpg_call_directly(f, args, all);
    }
    while (--k >= 0) {
        Py_DECREF(values[total + k]);
    }
    if (values != few) {
        PyMem_Free(values);
    }
    return result;
}

/* A call of the target, whose results have a form or update cells. */
static PyObject *
fpg_forward_formed(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = (const fpg_function *)self;
    PyObject *few[FPG_FEW], **results = few, *packed, *made = fpg_call_target(f, args);
    int k, outputs = f->output_count;
    (void)count, (void)keywords;
    if (made == NULL) {
        return NULL;
    }
    if (outputs != 1 && (!PyTuple_Check(made) || PyTuple_GET_SIZE(made) != outputs)) {
        PyErr_Format(PyExc_SystemError, "%U(): %d results were wanted, not %R", f->name, outputs, made);
        Py_DECREF(made);
        return NULL;
    }
    if (outputs > FPG_FEW && (results = PyMem_New(PyObject *, outputs)) == NULL) {
        Py_DECREF(made);
        return PyErr_NoMemory();
    }
    for (k = 0; k < outputs; k++) {
        results[k] = Py_NewRef(outputs == 1 ? made : PyTuple_GET_ITEM(made, k));
    }
    Py_DECREF(made);
    packed = fpg_finish_results(f, results);
    for (k = 0; k < outputs; k++) {
        Py_XDECREF(results[k]); /* a cell may have been empty */
    }
    if (results != few) {
        PyMem_Free(results);
    }
    return packed;
}

/* Calls that fit are passed to the target, all others to the detail. */
static PyObject *
fpg_forward(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = (const fpg_function *)self;
    if (FP_UNLIKELY(f->target == NULL || keywords != NULL || PyVectorcall_NARGS(count) != f->signature.total)) {
        return PyObject_Vectorcall(f->detail, args, count, keywords);
    }
    if (f->locks != NULL) {
        return fpg_call_locked(fpg_forward_formed, self, args, count, NULL);
    }
    return fpg_forward_formed(self, args, count, NULL);
}

/* The same for one output that is returned as it is, and no cells. */
static PyObject *
fpg_forward_plainly(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = (const fpg_function *)self;
    if (FP_LIKELY(keywords == NULL && PyVectorcall_NARGS(count) == f->signature.total)) {
        return fpg_call_directly(f, args, f->signature.total);
    }
    return PyObject_Vectorcall(f->detail, args, count, keywords);
}

/* Reads the cells of implicit inputs, and for each output None or the cell that it updates. */
static int
fpg_read_cells(fpg_function *f, PyObject *cells, PyObject *outputs)
{
    Py_ssize_t k;
    for (k = 0; k < PyTuple_GET_SIZE(cells); k++) {
        if (!Py_IS_TYPE(PyTuple_GET_ITEM(cells, k), fpg_cell_type)) {
            PyErr_Format(PyExc_TypeError, "forward(): an implicit input is a Cell, not %R", PyTuple_GET_ITEM(cells, k));
            return 0;
        }
    }
    f->cells = Py_NewRef(cells);
    if (!fpg_reserve_outputs(f, PyTuple_GET_SIZE(outputs))) {
        return 0;
    }
    for (k = 0; k < f->output_count; k++) {
        if (!fpg_read_use(f, &f->outputs[k], PyTuple_GET_ITEM(outputs, k))) {
            return 0;
        }
    }
    return 1;
}

/* A function without a library: a class method. */
static PyObject *
fpg_function_forward(PyObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"name", "detail", "target", "count", "cells", "outputs", "listed", "keys", "locks", NULL};
    PyObject *name, *detail, *target, *cells, *outputs, *keys, *locks;
    int count, listed;
    fpg_function *f;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "UOOiO!O!pOO!:forward", names, &name, &detail, &target, &count,
                                     &PyTuple_Type, &cells, &PyTuple_Type, &outputs, &listed, &keys,
                                     &PyTuple_Type, &locks)) {
        return NULL;
    }
    f = (fpg_function *)((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, 0);
    if (f == NULL) {
        return NULL;
    }
    f->name = Py_NewRef(name);
    f->detail = Py_NewRef(detail);
    f->target = target == Py_None ? NULL : Py_NewRef(target);
    if (PyCFunction_CheckExact(target) && PyCFunction_GET_FLAGS(target) == METH_FASTCALL) {
        f->direct = (fpg_positional)(void (*)(void))PyCFunction_GET_FUNCTION(target);
        f->bound = PyCFunction_GET_SELF(target);
    }
    f->signature.total = count;
    f->listed = listed;
    if (!fpg_read_cells(f, cells, outputs) || !fpg_read_keys(f, keys) || !fpg_read_locks(f, locks)) {
        Py_DECREF((PyObject *)f);
        return NULL;
    }
    f->vectorcall = f->target != NULL && fpg_returns_output(f) && PyTuple_GET_SIZE(cells) == 0 ? fpg_forward_plainly
                                                                                                : fpg_forward;
    return (PyObject *)f;
}

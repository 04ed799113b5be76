/* The results of a call: those that are returned, in the form of the function, and those that update cells.
 *
 * A call updates all of its cells, or none. While it runs it holds their locks, so that calls that update the same cell
 * wait for one another. */

/* ---- Results --------------------------------------------------------------------------------------- */

/* The results that are returned: one, None, a list or a dict. `results` has all, in the order of outputs. */
static PyObject *
fpg_pack_results(const fpg_function *f, PyObject *const *results)
{
    int k, at = 0, alone = !f->listed && f->keys == NULL && f->returned < 2;
    PyObject *packed = alone ? Py_NewRef(Py_None) : f->keys != NULL ? PyDict_New() : PyList_New(f->returned);
    for (k = 0; k < f->output_count && packed != NULL; k++) {
        if (f->outputs[k].cell != NULL) {
            continue;
        }
        if (alone) {
            Py_SETREF(packed, Py_NewRef(results[k]));
        }
        else if (f->keys == NULL) {
            PyList_SET_ITEM(packed, at++, Py_NewRef(results[k]));
        }
        else if (PyDict_SetItem(packed, PyTuple_GET_ITEM(f->keys, at++), results[k]) < 0) {
            Py_CLEAR(packed);
        }
    }
    return packed;
}

/* Updates cells and returns the other results. Nothing fails after the first update. */
static PyObject *
fpg_finish_results(const fpg_function *f, PyObject **results)
{
    PyObject *packed = fpg_pack_results(f, results);
    int k;
    for (k = 0; k < f->output_count && packed != NULL; k++) {
        if (f->outputs[k].cell != NULL) {
            /* The caller releases the old values: their destructors may run any code. */
            results[k] = fpg_cell_swap((fpg_cell *)f->outputs[k].cell, results[k]);
        }
    }
    return packed;
}

/* ---- Locks ----------------------------------------------------------------------------------------- */

/* Releases the first `count` locks of a function; an exception that is set remains. */
static void
fpg_release_locks(const fpg_function *f, Py_ssize_t count)
{
    fp_aside aside;
    fp_put_aside(&aside);
    while (--count >= 0) {
        PyObject *result = PyObject_CallNoArgs(PyTuple_GET_ITEM(f->locks, 2 * count + 1));
        if (result == NULL) {
            PyErr_WriteUnraisable(f->locks);
        }
        Py_XDECREF(result);
    }
    fp_put_back(&aside);
}

/* A call while all locks of the function are held. */
static PyObject *
fpg_call_locked(vectorcallfunc call, PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = (const fpg_function *)self;
    Py_ssize_t k, locks = PyTuple_GET_SIZE(f->locks) / 2;
    PyObject *result;
    for (k = 0; k < locks; k++) {
        PyObject *held = PyObject_CallNoArgs(PyTuple_GET_ITEM(f->locks, 2 * k));
        if (held == NULL) { /* such as KeyboardInterrupt */
            fpg_release_locks(f, k);
            return NULL;
        }
        Py_DECREF(held);
    }
    result = call(self, args, count, keywords);
    fpg_release_locks(f, locks);
    return result;
}

/* Pointers that functions of Python return to C: strings.
 *
 * A string that C takes over is a copy in memory that the interface's function allocates, made last, so that nothing
 * fails after it. Other strings stay: C reads the memory of the `str`, which is retained. A callback that ends with its
 * call retains all until the call returns, each once, since C may compare two of them; one that outlives its call the
 * last one of each thread, so that they do not accumulate. */

/* Reads a string; None, where it may be, is NULL. */
static FP_UNUSED int
fp_take_string(PyObject *value, const char **text, int null, const fp_param *p)
{
    *text = NULL;
    return (null && value == Py_None) || fp_read_string(value, text, p);
}

/* The values other than this one are not used any more, so C's arrays may end. */
static FP_UNUSED int
fp_end_values(fp_entered *in, PyObject *value, PyObject *const *given, int count)
{
    PyObject *returned = in->returned;
    in->returned = Py_NewRef(value);
    Py_DECREF(returned);
    return fp_take_back(in, given, count);
}

/* Copies a string to memory that was allocated for it. */
static FP_UNUSED int
fp_copy_string(void *to, const char *text)
{
    if (to == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    memcpy(to, text, strlen(text) + 1);
    return 1;
}

/* The dict of what is retained for each thread, borrowed. */
static FP_HELPER PyObject *
fp_results_of(const fp_callback *callback)
{
    PyObject *made, *all;
    FP_BEGIN_SHARED
    all = *callback->results;
    FP_END_SHARED
    if (all != NULL) {
        return all;
    }
    made = PyDict_New();
    FP_BEGIN_SHARED
    if (*callback->results == NULL) {
        *callback->results = made;
        made = NULL;
    }
    all = *callback->results;
    FP_END_SHARED
    Py_XDECREF(made);
    return all;
}

/* The dict of the results that are retained for this thread; borrowed. */
static FP_HELPER PyObject *
fp_results_of_thread(PyObject *all, PyObject *thread)
{
    PyObject *own = PyDict_GetItemWithError(all, thread);
    if (own == NULL && !PyErr_Occurred()) {
        PyObject *made = PyDict_New();
        own = made != NULL && PyDict_SetItem(all, thread, made) == 0 ? made : NULL;
        Py_XDECREF(made);
    }
    return own;
}

/* Retains a string, which is stolen; returns it, or an equal one that is retained already. */
static FP_HELPER PyObject *
fp_retain_result(const fp_callback *callback, PyObject *string)
{
    PyObject *all = string == NULL ? NULL : fp_results_of(callback);
    PyObject *thread = all == NULL ? NULL : PyLong_FromUnsignedLong(PyThread_get_thread_ident());
    PyObject *own = NULL, *retained = NULL;
    if (thread != NULL && callback->running == NULL) {
        retained = PyDict_SetItem(all, thread, string) == 0 ? string : NULL;
    }
    else if (thread != NULL && (own = fp_results_of_thread(all, thread)) != NULL) {
        retained = PyDict_GetItemWithError(own, string);
        if (retained == NULL && !PyErr_Occurred()) {
            retained = PyDict_SetItem(own, string, string) == 0 ? string : NULL;
        }
    }
    Py_XDECREF(thread);
    Py_XDECREF(string);
    return retained;
}

/* The same for a string of which C reads the memory: until the call returns, or the callback is called again on this thread. */
static FP_UNUSED int
fp_retain_taken_string(PyObject *value, const fp_callback *callback, const char **text, int null, const fp_param *p)
{
    Py_ssize_t length;
    PyObject *retained;
    if (!fp_take_string(value, text, null, p)) {
        return 0;
    }
    if (*text == NULL) {
        return 1;
    }
    /* Of a subclass, the hash may be any. */
    retained = fp_retain_result(callback, PyUnicode_FromObject(value));
    *text = retained == NULL ? NULL : fp_utf8_and_size(retained, &length);
    return *text != NULL;
}

/* Calls of callbacks by C: on any thread, with arguments that C passes and results for it. */

typedef struct {
    const fp_callback_param *of;
    PyObject *function, *returned;
    fp_running *running, *here;
    fp_thread_state *thread; /* that of this thread */
    PyGILState_STATE gil; /* if this thread was in no call of a module */
    fp_call_id caller; /* that this thread served before */
} fp_entered;

/* The lock of an object, or of one that retains it, that a call holds; NULL: there is none. In a section of the caller. */
static FP_HELPER const fp_lock *
fp_find_held(const fp_handle *handle, int most)
{
    const fp_edge *edge;
    if (handle->lock != NULL && handle->lock->depth > 0 && !handle->lock->is_given) {
        return handle->lock;
    }
    for (edge = handle->dependents; most > 0 && edge != NULL; edge = edge->next) {
        const fp_lock *held = fp_find_held(edge->dependent, most - 1);
        if (held != NULL) {
            return held;
        }
    }
    return NULL;
}

/* Finds the call to which a callback on another thread belongs: that which accepted it, or else has the object that
 * retains it. */
static FP_HELPER fp_call_id
fp_find_caller(const fp_callback *callback)
{
    fp_call_id found = {0, 0};
    if (callback->running != NULL) {
        found = callback->running->active.call;
    }
    else if (callback->owner != NULL) {
        const fp_lock *held;
        FP_BEGIN_SHARED
        held = fp_find_held(callback->owner, 16);
        if (held != NULL) {
            found.thread = held->thread;
            found.level = held->level;
        }
        FP_END_SHARED
    }
    return found;
}

/* Enters Python; returns 0 if that is not allowed. */
static inline int
fp_enter_host(fp_entered *in, const fp_callback *callback)
{
    fp_thread_state *thread = &fp_this_thread;
    fp_running *here = thread->here;
    if (FP_UNLIKELY(callback == NULL)) {
        return 0;
    }
    in->running = callback->running != NULL ? callback->running : here;
    if (FP_UNLIKELY(in->running != NULL && __atomic_load_n(&in->running->failed, __ATOMIC_ACQUIRE))) {
        return 0;
    }
    in->here = here;
    in->thread = thread;
    if (FP_LIKELY(here != NULL)) {
        thread->here = NULL;
        if (here->thread != NULL) {
            PyEval_RestoreThread(here->thread);
        }
    }
    else {
        in->gil = PyGILState_Ensure();
        in->caller = thread->served;
        thread->served = fp_find_caller(callback);
    }
    thread->level++;
    in->of = callback->of;
    in->function = Py_NewRef(callback->function);
    in->returned = NULL;
    return 1;
}

/* Calls the function. `given` begins with space for the callable. */
static inline int
fp_call_host(fp_entered *in, PyObject **given, size_t count)
{
    in->returned = PyObject_Vectorcall(in->function, given + 1, count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    return in->returned != NULL;
}

/* Finds the call that this thread serves. Within FP_BEGIN_SHARED, so that it does not end in the meantime. */
static FP_HELPER fp_running *
fp_find_served(const fp_entered *in)
{
    const fp_call_id served = in->thread->served;
    fp_active *one = fp_all_active;
    while (one != NULL && (one->call.thread != served.thread || one->call.level != served.level)) {
        one = one->next;
    }
    return (fp_running *)one;
}

/* Records the exception that is set, unless another callback of the call failed first. */
static FP_COLD void
fp_note_raised(fp_entered *in)
{
    fp_aside raised;
    fp_running *running;
    int is_later;
    fp_put_aside(&raised);
    FP_BEGIN_SHARED
    running = in->running != NULL ? in->running : fp_find_served(in);
    is_later = running == NULL || __atomic_exchange_n(&running->failed, 1, __ATOMIC_ACQ_REL);
    if (!is_later) {
        running->raised = raised;
    }
    FP_END_SHARED
    if (is_later) {
        fp_put_back(&raised);
        if (running == NULL) {
            PyErr_WriteUnraisable(in->function);
        }
        PyErr_Clear();
    }
}

#ifdef PYPY_VERSION

/* PyPy does not count references to an object while Python code has it: arrays of callbacks are copies, whose contents
 * are copied back. */
static FP_HELPER PyObject *
fp_detach_view(PyObject *view)
{
    const int is_output = view != NULL && PyArray_ISWRITEABLE((PyArrayObject *)view);
    PyArrayObject *copy = view == NULL ? NULL : (PyArrayObject *)PyArray_NewCopy((PyArrayObject *)view, NPY_KEEPORDER);
    if (copy != NULL && !is_output) {
        PyArray_CLEARFLAGS(copy, NPY_ARRAY_WRITEABLE);
    }
    else if (copy != NULL && PyArray_SetWritebackIfCopyBase(copy, (PyArrayObject *)Py_NewRef(view)) < 0) {
        Py_CLEAR(copy);
    }
    Py_XDECREF(view);
    return (PyObject *)copy;
}
#define fp_is_of_c(array) PyArray_CHKFLAGS(array, NPY_ARRAY_WRITEBACKIFCOPY)
#define fp_end_view(in, array, k) (PyArray_ResolveWritebackIfCopy(array) >= 0)

#else

#define fp_detach_view(view) (view)
#define fp_is_of_c(array) (!PyArray_CHKFLAGS(array, NPY_ARRAY_OWNDATA))

#define fp_end_view(in, array, k) (FP_LIKELY(Py_REFCNT((PyObject *)(array)) == 1) || fp_was_kept(in, array, k))

/* An array that was retained becomes empty. */
static FP_COLD int
fp_was_kept(const fp_entered *in, PyArrayObject *array, int k)
{
    PyArray_DIMS(array)[0] = 0;
    return PyErr_Occurred() != NULL
           || fp_error(PyExc_RuntimeError, &in->of->param,
                       "callback argument '%s' outlived the callback; it views C memory: copy it", in->of->names[k]);
}

#endif

/* An object that belongs to the function, as one in a nested value does, stays. */
static inline void
fp_take_handle_back(PyObject *o)
{
    if (o != NULL && fp_is_any_handle(o) && !((fp_handle *)o)->is_owned) {
        fp_close_handle((fp_handle *)o);
    }
}

/* Invalidates C's arguments: arrays that view C's memory, and handles. */
static inline int
fp_take_back(fp_entered *in, PyObject *const *given, int count)
{
    int k, done = 1;
    Py_ssize_t i;
    for (k = 0; k < count; k++) {
        PyObject *o = given[k + 1];
        if (o != NULL && (PyFloat_CheckExact(o) || PyLong_CheckExact(o))) {
            continue; /* the most frequent ones view nothing */
        }
        if (o != NULL && PyArray_CheckExact(o) && fp_is_of_c((PyArrayObject *)o)) {
            PyArrayObject *array = (PyArrayObject *)o;
            if (PyArray_ISBOOL(array) && PyArray_ISWRITEABLE(array)) {
                fp_load_truths(PyArray_BYTES(array), PyArray_BYTES(array), PyArray_SIZE(array), 1);
            }
            done = fp_end_view(in, array, k) && done;
        }
        else if (o != NULL && PyTuple_CheckExact(o)) {
            for (i = 0; i < fp_tuple_size(o); i++) {
                fp_take_handle_back(fp_tuple_item(o, i));
            }
        }
        else {
            fp_take_handle_back(o);
        }
    }
    return done;
}

/* Leaves Python; returns 0 if the callback has failed. `given` are the function's arguments, whose
 * references are dropped. */
static inline int
fp_leave_host(fp_entered *in, PyObject *const *given, int count, int done)
{
    int k;
    Py_XDECREF(in->returned);
    done = fp_take_back(in, given, count) && done;
    if (FP_UNLIKELY(!done)) {
        fp_note_raised(in);
    }
    for (k = 1; k <= count; k++) {
        Py_XDECREF(given[k]);
    }
    Py_DECREF(in->function);
    in->thread->level--;
    if (FP_LIKELY(in->here != NULL)) {
        if (in->here->thread != NULL) {
            in->here->thread = PyEval_SaveThread();
        }
        in->thread->here = in->here;
    }
    else {
        in->thread->served = in->caller;
        PyGILState_Release(in->gil);
    }
    return done;
}

/* ---- Arguments from C --------------------------------------------------------------------------------- */

static FP_UNUSED PyObject *
fp_pass_string(const char *string)
{
    return string == NULL ? Py_NewRef(Py_None) : PyUnicode_FromString(string);
}

static FP_COLD PyObject *
fp_no_size(const fp_callback_param *p, int k)
{
    fp_error(PyExc_ValueError, &p->param, "C passed an invalid size for '%s'", p->names[k]);
    return NULL;
}

/* Creates a list of strings. */
static FP_UNUSED PyObject *
fp_pass_strings(const char *const *strings, npy_intp count, int k, const fp_callback_param *p)
{
    PyObject *list;
    npy_intp i;
    if (strings == NULL) {
        return Py_NewRef(Py_None);
    }
    if (count < 0) {
        return fp_no_size(p, k);
    }
    list = PyList_New(count);
    for (i = 0; list != NULL && i < count; i++) {
        PyObject *string = fp_pass_string(strings[i]);
        if (string == NULL) {
            Py_CLEAR(list);
        }
        else {
            fp_set_list_item(list, i, string);
        }
    }
    return list;
}

/* Creates bytes, a copy. */
static FP_UNUSED PyObject *
fp_pass_bytes(const void *data, npy_intp count, int k, const fp_callback_param *p)
{
    if (data == NULL && count != 0) {
        return Py_NewRef(Py_None);
    }
    return count < 0 ? fp_no_size(p, k) : PyBytes_FromStringAndSize((const char *)data, count);
}

/* Creates an array in place; `as` has its type and layout. */
static FP_UNUSED PyObject *
fp_pass_array(const void *data, const npy_intp *shape, const fp_param *as, int k, const fp_callback_param *p)
{
    npy_intp dims[NPY_MAXDIMS_LEGACY];
    npy_intp size = 1;
    int i;
    for (i = 0; i < as->ndim; i++) {
        if (shape[i] < 0) {
            return fp_no_size(p, k);
        }
        dims[i] = shape[i];
        size *= shape[i] > 0;
    }
    if (data == NULL && size != 0) {
        return Py_NewRef(Py_None);
    }
    return fp_detach_view(PyArray_New(&PyArray_Type, as->ndim, dims, as->type, NULL, (void *)data, 0, as->flags, NULL));
}

/* Creates a handle of a C object, which is valid until the function returns. */
static FP_UNUSED PyObject *
fp_pass_handle(const void *pointer, const fp_handle_class *of)
{
    fp_handle *handle;
    if (pointer == NULL) {
        return Py_NewRef(Py_None);
    }
    handle = fp_constructed(of, pointer);
    if (handle != NULL) {
        return Py_NewRef((PyObject *)handle);
    }
    if (!fp_make_handle(&handle, of, 0)) {
        return NULL;
    }
    fp_receive_handle(handle, (void *)pointer, 0);
    return (PyObject *)handle;
}

/* Creates a tuple of C objects, so that none is removed before it is closed. */
static FP_UNUSED PyObject *
fp_pass_handles(void *const *pointers, npy_intp count, const fp_handle_class *of, int k,
                const fp_callback_param *p)
{
    PyObject *tuple;
    npy_intp i;
    if (pointers == NULL && count != 0) {
        return Py_NewRef(Py_None);
    }
    if (count < 0) {
        return fp_no_size(p, k);
    }
    tuple = PyTuple_New(count);
    for (i = 0; tuple != NULL && i < count; i++) {
        PyObject *handle = fp_pass_handle(pointers[i], of);
        if (handle == NULL) {
            Py_CLEAR(tuple);
        }
        else {
            fp_set_tuple_item(tuple, i, handle);
        }
    }
    return tuple;
}

/* ---- Results of the function -------------------------------------------------------------------------- */

/* A return code reports success if the function returns None. */
static FP_UNUSED int
fp_take_none(PyObject *value, const fp_param *p)
{
    fp_message t;
    if (FP_LIKELY(value == Py_None)) {
        return 1;
    }
    fp_begin_wanted(&t, p);
    fp_append_string(&t, "None");
    return fp_raise_got(PyExc_TypeError, &t, value);
}

/* Reads several values, borrowed; `names` lists them. */
static FP_UNUSED int
fp_take_values(PyObject *returned, PyObject **values, int count, const char *names, const fp_callback_param *p)
{
    int k;
    if (!PyTuple_Check(returned)) {
        fp_message t;
        fp_begin(&t, &p->param);
        fp_append(&t, "must return a tuple of %d values (%s), returned ", count, names);
        fp_append_description(&t, returned);
        return fp_raise(PyExc_TypeError, &t);
    }
    if (fp_tuple_size(returned) != count) {
        return fp_error(PyExc_ValueError, &p->param, "must return a tuple of %d values (%s), returned %zd", count,
                        names, fp_tuple_size(returned));
    }
    for (k = 0; k < count; k++) {
        values[k] = fp_tuple_item(returned, k);
    }
    return 1;
}

/* Copies an array to C memory. If C passes NULL, it is ignored. */
static FP_UNUSED int
fp_take_array(PyObject *value, void *data, const npy_intp *shape, const fp_param *p)
{
    fp_array x;
    int axis, done;
    if (data == NULL) {
        return 1;
    }
    done = fp_array_in(&x, value, p);
    for (axis = 0; done && axis < p->ndim; axis++) {
        done = fp_check_dim(&x, axis, shape[axis], NULL, p);
    }
    if (done && x.data != NULL) {
        memmove(data, x.data, (size_t)fp_size(&x, p->ndim) * (size_t)p->size);
    }
    fp_release(&x);
    return done;
}

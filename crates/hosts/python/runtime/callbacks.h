/* Callbacks: functions of Python that C calls.
 *
 * A call of C during which it may call back is an fp_running. The exception of the first callback
 * that fails is stored there, and raised when C has returned; until then C receives the error
 * return value, and no callback runs. C may call back on the thread of the call, where the GIL that
 * it released is acquired again, and on any other. */

typedef struct fp_running {
    struct fp_running *outer; /* the enclosing call of this thread */
    PyThreadState *thread;    /* the thread state if the call has released the GIL; else NULL */
    fp_aside raised;          /* the exception of the first callback that failed */
    int failed;               /* by __atomic only */
} fp_running;

/* The C call that this thread is in; NULL while it runs Python. */
FP_GLOBAL __thread fp_running *fp_here;

typedef struct {
    fp_param param;
    const char *const *names; /* of the function's arguments */
} fp_callback_param;

/* At the place of the NumPy type number in other parameters. */
enum { FP_TYPE_FUNCTION = 1001 };

typedef struct fp_callback {
    const fp_callback_param *of;
    PyObject *function;  /* NULL: there is none */
    fp_running *running; /* the call that it ends with; NULL: it outlives its call */
    const void *seen;    /* for the on-error action: values of its call, or the handle that retains it */
} fp_callback;

/* A parameter for callbacks whose user data belongs to an object. The user data is the address of the
 * first one of a list, to which C on any thread has access, and which therefore only grows until the
 * object has been released. */
typedef struct fp_user_data {
    const fp_callback_param *of;
    const fp_callback *last; /* by __atomic only: which C calls; NULL: none */
    struct fp_user_data *next;  /* by __atomic only */
} fp_user_data;

/* A callback that outlives its call, in the list of its owner; or another argument that does, which has in place of a
 * function the object that keeps its memory. */
typedef struct fp_kept {
    fp_callback callback; /* the first member: its address is the user data */
    struct fp_kept *next;
    fp_handle *handle; /* the argument, of which a use is held; NULL: it is not a handle */
    fp_edge edge;      /* of the object that retains a handle */
    fp_user_data *user_data; /* allocated for the list of its owner, unless that has the parameter; else NULL */
    int is_new;  /* by __atomic only: it is being passed to C, and must not be released */
    char *key; /* its key, after the part that C retains */
    size_t size; /* of the key */
} fp_kept;

/* ---- Arguments of the caller -------------------------------------------------------------------------- */

static FP_HELPER int
fp_check_callable(PyObject *o, const fp_callback_param *p)
{
    fp_message t;
    if (PyCallable_Check(o)) {
        return 1;
    }
    fp_begin_wanted(&t, &p->param);
    fp_append_string(&t, "a function");
    return fp_raise_got(PyExc_TypeError, &t, o);
}

/* A callback that ends with the call, whose caller holds its function. */
static FP_UNUSED int
fp_take_callback(fp_callback *callback, fp_running *running, PyObject *o, const fp_callback_param *p)
{
    callback->of = p;
    callback->function = o;
    callback->running = running;
    callback->seen = NULL;
    return fp_check_callable(o, p);
}

static FP_UNUSED void
fp_no_callback(fp_callback *callback, const fp_callback_param *p)
{
    callback->of = p;
    callback->function = NULL;
    callback->running = NULL;
    callback->seen = NULL;
}

static FP_UNUSED void
fp_free_callback(fp_kept *kept)
{
    if (kept != NULL) {
        PyObject *function = kept->callback.function;
        fp_handle *handle = kept->handle;
        if (handle != NULL) {
            FP_BEGIN_SHARED
            if (kept->edge.at != NULL) {
                fp_remove_edge(&kept->edge);
            }
            else if (kept->edge.dependent != NULL) {
                handle->leaving--;
            }
            FP_END_SHARED
        }
        PyMem_Free(kept->user_data);
        PyMem_Free(kept);
        fp_drop_handle(handle);
        Py_DECREF(function);
    }
}

/* The object that retains these is being released: see fp_detach. */
static void
fp_detach_retained(fp_kept *kept)
{
    for (; kept != NULL; kept = kept->next) {
        if (kept->handle != NULL) {
            kept->handle->leaving++;
            fp_remove_edge(&kept->edge);
        }
    }
}

/* Creates an entry for the list of an owner, followed by `room` bytes. The object is stolen; NULL: an exception is set. */
static FP_HELPER int
fp_new_kept(fp_kept **made, PyObject *object, size_t room, const fp_key_part *key, int count,
            const fp_callback_param *p)
{
    size_t size = fp_key_size(key, count);
    *made = object == NULL ? NULL : (fp_kept *)PyMem_Malloc(sizeof(fp_kept) + room + size);
    if (*made == NULL) {
        if (object != NULL) {
            Py_DECREF(object);
            PyErr_NoMemory();
        }
        return 0;
    }
    memset(*made, 0, sizeof(fp_kept));
    (*made)->callback.of = p;
    (*made)->callback.function = object;
    (*made)->key = (char *)(*made + 1) + room;
    (*made)->size = size;
    fp_copy_key((*made)->key, key, count);
    return 1;
}

/* Creates a callback that outlives the call, followed by `room` bytes for a struct that C retains. */
static FP_UNUSED int
fp_new_callback(fp_kept **made, PyObject *o, size_t room, const fp_key_part *key, int count,
                const fp_callback_param *p)
{
    *made = NULL;
    return fp_check_callable(o, p) && fp_new_kept(made, Py_NewRef(o), room, key, count, p);
}

/* Retains a callback before C receives it: whatever the result of the call, C may call it from now on. */
static FP_UNUSED void
fp_keep_callback(fp_kept **list, fp_kept *kept)
{
    if (kept != NULL && !__atomic_load_n(&kept->is_new, __ATOMIC_ACQUIRE)) {
        __atomic_store_n(&kept->is_new, 1, __ATOMIC_RELEASE);
        FP_BEGIN_SHARED
        kept->next = *list;
        *list = kept;
        FP_END_SHARED
    }
}

/* Allocates memory for fp_share. */
static FP_UNUSED int
fp_reserve_user_data(fp_kept *kept)
{
    kept->user_data = (fp_user_data *)PyMem_Calloc(1, sizeof(fp_user_data));
    if (kept->user_data == NULL) {
        PyErr_NoMemory();
    }
    return kept->user_data != NULL;
}

/* Lets the user data of an object lead to this callback. NULL, for a parameter: to none. */
static FP_UNUSED void
fp_share(fp_user_data **first, fp_kept *kept, const fp_callback_param *p)
{
    fp_user_data **at = first;
    FP_BEGIN_SHARED
    while (*at != NULL && (*at)->of != p) {
        at = &(*at)->next;
    }
    if (*at == NULL && kept != NULL) {
        fp_user_data *made = kept->user_data;
        kept->user_data = NULL;
        made->of = p;
        made->last = &kept->callback;
        __atomic_store_n(at, made, __ATOMIC_RELEASE);
    }
    else if (*at != NULL) {
        __atomic_store_n(&(*at)->last, kept == NULL ? NULL : &kept->callback, __ATOMIC_RELEASE);
    }
    FP_END_SHARED
}

/* The callback of this parameter, by the user data of an object; NULL: none. */
static FP_UNUSED const fp_callback *
fp_shared_callback(void *data, const fp_callback_param *p)
{
    fp_user_data *one = (fp_user_data *)data;
    while (one != NULL && one->of != p) {
        one = __atomic_load_n(&one->next, __ATOMIC_ACQUIRE);
    }
    return one == NULL ? NULL : __atomic_load_n(&one->last, __ATOMIC_ACQUIRE);
}

static FP_HELPER void
fp_free_user_data(fp_user_data *first)
{
    while (first != NULL) {
        fp_user_data *next = first->next;
        PyMem_Free(first);
        first = next;
    }
}

/* Ends the use by the call, which has returned or was not made. */
static FP_UNUSED void
fp_leave_callback(fp_kept *kept)
{
    if (kept == NULL) {
        return;
    }
    if (__atomic_load_n(&kept->is_new, __ATOMIC_ACQUIRE)) {
        __atomic_store_n(&kept->is_new, 0, __ATOMIC_RELEASE);
    }
    else {
        fp_free_callback(kept);
    }
}

/* Releases these callbacks, which C no longer calls. */
static FP_HELPER void
fp_drop_callbacks(fp_kept **list)
{
    while (*list != NULL) {
        fp_kept *kept = *list;
        *list = kept->next;
        fp_free_callback(kept);
    }
}

/* Moves a callback to the new object. Without an object, it is released. */
static FP_UNUSED void
fp_move_callback(fp_kept **list, fp_kept **kept)
{
    if (*kept != NULL) {
        (*kept)->next = *list;
        *list = *kept;
        *kept = NULL;
    }
}

/* Releases the callbacks that this parameter had under the same key before `kept`, after a successful
 * call. NULL: all of them; without a parameter, those of any. */
static FP_UNUSED void
fp_replace_callbacks(fp_kept **list, const fp_kept *kept, const fp_key_part *key, int count,
                     const fp_callback_param *p)
{
    fp_kept *replaced = NULL, **at = list;
    FP_BEGIN_SHARED
    while (kept != NULL && *at != NULL && *at != kept) {
        at = &(*at)->next;
    }
    while (*at != NULL) {
        fp_kept *one = *at;
        int is_same = p == NULL || (one->callback.of == p && fp_has_key(one->key, one->size, key, count));
        if (is_same && !__atomic_load_n(&one->is_new, __ATOMIC_ACQUIRE)) {
            *at = one->next;
            one->next = replaced;
            replaced = one;
        }
        else {
            at = &one->next;
        }
    }
    FP_END_SHARED
    fp_drop_callbacks(&replaced);
}

/* ---- The C call --------------------------------------------------------------------------------------- */

static inline void
fp_begin_calls(fp_running *running, int lets_go)
{
    running->outer = fp_here;
    running->failed = 0;
    fp_here = running;
    running->thread = lets_go ? PyEval_SaveThread() : NULL;
}

static int
fp_has_failed(void)
{
    return fp_here != NULL && __atomic_load_n(&fp_here->failed, __ATOMIC_ACQUIRE);
}

/* Acquires the GIL again; returns 0 if a callback has failed, with its exception. */
static inline int
fp_end_calls(fp_running *running)
{
    if (running->thread != NULL) {
        PyEval_RestoreThread(running->thread);
    }
    fp_here = running->outer;
    if (FP_LIKELY(!__atomic_load_n(&running->failed, __ATOMIC_ACQUIRE))) {
        return 1;
    }
    fp_put_back(&running->raised);
    return 0;
}

/* The same for a call in which an exception cannot be raised. */
static FP_UNUSED void
fp_end_last_calls(fp_running *running)
{
    if (!fp_end_calls(running)) {
        PyErr_WriteUnraisable(NULL);
    }
}

/* ---- Calls by C --------------------------------------------------------------------------------------- */

typedef struct {
    const fp_callback_param *of;
    PyObject *function, *returned;
    fp_running *running, *here;
    PyGILState_STATE gil; /* if this thread was in no call of a module */
} fp_entered;

/* Enters Python; returns 0 if that is not allowed. */
static inline int
fp_enter_host(fp_entered *in, const fp_callback *callback)
{
    fp_running *here = fp_here;
    if (FP_UNLIKELY(callback == NULL)) {
        return 0;
    }
    in->running = callback->running != NULL ? callback->running : here;
    if (FP_UNLIKELY(in->running != NULL && __atomic_load_n(&in->running->failed, __ATOMIC_ACQUIRE))) {
        return 0;
    }
    in->here = here;
    if (FP_LIKELY(here != NULL)) {
        fp_here = NULL;
        if (here->thread != NULL) {
            PyEval_RestoreThread(here->thread);
        }
    }
    else {
        in->gil = PyGILState_Ensure();
    }
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

/* Records the exception that is set, unless another callback of the call failed first. */
static FP_COLD void
fp_note_raised(fp_entered *in)
{
    fp_aside raised;
    if (in->running == NULL) {
        PyErr_WriteUnraisable(in->function);
        return;
    }
    fp_put_aside(&raised);
    if (__atomic_exchange_n(&in->running->failed, 1, __ATOMIC_ACQ_REL)) {
        fp_put_back(&raised);
        PyErr_Clear();
        return;
    }
    in->running->raised = raised;
}

static FP_COLD int
fp_was_kept(const fp_entered *in, int k)
{
    return fp_error(PyExc_RuntimeError, &in->of->param,
                    "callback argument '%s' outlived the callback; it views C memory: copy it", in->of->names[k]);
}

static inline void
fp_take_handle_back(PyObject *o)
{
    if (o != NULL && fp_deallocator(o) == fp_handle_dealloc) {
        fp_close_handle((fp_handle *)o);
    }
}

/* Invalidates C's arguments: an array that was retained becomes empty, and handles are closed. */
static inline int
fp_take_back(fp_entered *in, PyObject *const *given, int count)
{
    int k, done = 1;
    Py_ssize_t i;
    for (k = 0; k < count; k++) {
        PyObject *o = given[k + 1];
        if (o != NULL && PyArray_CheckExact(o)) {
            PyArrayObject *array = (PyArrayObject *)o;
            if (PyArray_ISBOOL(array) && PyArray_ISWRITEABLE(array)) {
                fp_load_truths(PyArray_BYTES(array), PyArray_BYTES(array), PyArray_SIZE(array), 1);
            }
            if (FP_UNLIKELY(Py_REFCNT(o) > 1)) {
                PyArray_DIMS((PyArrayObject *)o)[0] = 0;
                done = done && (PyErr_Occurred() != NULL || fp_was_kept(in, k));
            }
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
    if (FP_LIKELY(in->here != NULL)) {
        if (in->here->thread != NULL) {
            in->here->thread = PyEval_SaveThread();
        }
        fp_here = in->here;
    }
    else {
        PyGILState_Release(in->gil);
    }
    return done;
}

/* ---- Arguments from C --------------------------------------------------------------------------------- */

static FP_UNUSED PyObject *
fp_pass_string(const char *text)
{
    return text == NULL ? Py_NewRef(Py_None) : PyUnicode_FromString(text);
}

static FP_COLD PyObject *
fp_no_size(const fp_callback_param *p, int k)
{
    fp_error(PyExc_ValueError, &p->param, "C passed an invalid size for '%s'", p->names[k]);
    return NULL;
}

/* Creates a list of strings. */
static FP_UNUSED PyObject *
fp_pass_strings(const char *const *texts, npy_intp count, int k, const fp_callback_param *p)
{
    PyObject *list;
    npy_intp i;
    if (texts == NULL) {
        return Py_NewRef(Py_None);
    }
    if (count < 0) {
        return fp_no_size(p, k);
    }
    list = PyList_New(count);
    for (i = 0; list != NULL && i < count; i++) {
        PyObject *text = fp_pass_string(texts[i]);
        if (text == NULL) {
            Py_CLEAR(list);
        }
        else {
            fp_set_list_item(list, i, text);
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
    return PyArray_New(&PyArray_Type, as->ndim, dims, as->type, NULL, (void *)data, 0, as->flags, NULL);
}

/* Creates a handle of a C object, which is valid until the function returns. */
static FP_UNUSED PyObject *
fp_pass_handle(const void *pointer, const fp_handle_class *of)
{
    fp_handle *handle;
    if (pointer == NULL) {
        return Py_NewRef(Py_None);
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

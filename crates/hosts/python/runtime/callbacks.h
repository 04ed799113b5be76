/* Callbacks: functions of Python that C calls.
 *
 * A call of C during which it may call back is an fp_running. The exception of the first callback
 * that fails is stored there, and raised when C has returned; until then C receives the error
 * return value, and no callback runs. C may call back on the thread of the call, where the GIL that
 * it released is acquired again, and on any other. */

typedef struct fp_running {
    fp_active active;         /* the first member: fp_all_active finds it by that */
    struct fp_running *outer; /* the enclosing call of this thread */
    PyThreadState *thread;    /* Python's thread state if the call has released the GIL; else NULL */
    fp_thread_state *own;     /* that of this thread */
    fp_aside raised;          /* the exception of the first callback that failed */
    int failed;               /* by __atomic only */
} fp_running;

typedef struct {
    fp_param param;
    const char *const *names; /* of the function's arguments */
} fp_callback_param;

/* At the place of the NumPy type number in other parameters. */
enum { FP_TYPE_FUNCTION = 1001 };

static inline fp_fit
fp_fit_function(PyObject *o, const fp_param *p)
{
    if (p->type != FP_TYPE_FUNCTION) {
        return FP_FIT_OF_KIND(o, p);
    }
    return PyCallable_Check(o) ? FP_EXACT : FP_NO_FIT;
}
#undef FP_FIT_OF_KIND
#define FP_FIT_OF_KIND fp_fit_function

typedef struct fp_callback {
    const fp_callback_param *of;
    PyObject *function;  /* NULL: there is none */
    fp_running *running; /* the call that it ends with; NULL: it outlives its call */
    const void *seen;    /* for the on-error action: values of its call, or the handle that retains it */
    const fp_handle *owner; /* the object that retains it, unless that is being released; NULL: there is none */
    PyObject **results; /* which C uses; NULL: none. See fp_retain_taken_string and fp_retain_returned_object */
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
    PyObject *results; /* see there */
    struct fp_kept *objects; /* which C may use as long as it may call the callback */
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
    callback->owner = NULL;
    callback->results = NULL;
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
        Py_XDECREF(kept->results);
        fp_drop_callbacks(&kept->objects);
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
        kept->callback.owner = NULL;
        fp_detach_retained(kept->objects);
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
    (*made)->callback.results = &(*made)->results;
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

/* Retains a callback before C receives it: whatever the result of the call, C may call it from now on. The list is that of
 * an object, or of the module, without an owner. */
static FP_UNUSED void
fp_keep_callback(fp_kept **list, const fp_handle *owner, fp_kept *kept)
{
    if (kept != NULL && !__atomic_load_n(&kept->is_new, __ATOMIC_ACQUIRE)) {
        __atomic_store_n(&kept->is_new, 1, __ATOMIC_RELEASE);
        kept->callback.owner = owner;
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

/* The open object that retains a callback, or NULL. */
static FP_HELPER fp_handle *
fp_retaining_handle(void *callback)
{
    fp_handle *owner = callback == NULL ? NULL : (fp_handle *)((fp_callback *)callback)->owner;
    return owner == NULL || fp_is_closed(owner) ? NULL : owner;
}

/* C++ begins to share the object that retains a callback: a use, and a reference, on any thread. 0: the object is being
 * released. */
static FP_UNUSED int
fp_begin_sharing(void *data)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    fp_handle *owner = (fp_handle *)((fp_callback *)data)->owner;
    if (owner != NULL) {
        FP_BEGIN_SHARED
        owner->uses++;
        FP_END_SHARED
        Py_INCREF((PyObject *)owner);
    }
    PyGILState_Release(gil);
    return owner != NULL;
}

/* The end of that, also when Python has ended: then the object exists as long as the process. */
static FP_UNUSED void
fp_end_sharing(void *data)
{
    if (Py_IsInitialized()) {
        PyGILState_STATE gil = PyGILState_Ensure();
        fp_handle *owner = (fp_handle *)((fp_callback *)data)->owner;
        fp_drop_handle(owner);
        Py_DECREF((PyObject *)owner);
        PyGILState_Release(gil);
    }
}

/* Moves a callback to the new object. Without an object, it is released. */
static FP_UNUSED void
fp_move_callback(fp_handle *made, fp_kept **kept)
{
    if (*kept != NULL) {
        fp_kept *one;
        FP_BEGIN_SHARED
        for (one = (*kept)->objects; one != NULL; one = one->next) {
            fp_add_edge(&one->edge, made, one->handle);
        }
        FP_END_SHARED
        (*kept)->callback.owner = made;
        (*kept)->next = made->callbacks;
        made->callbacks = *kept;
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
fp_add_active(fp_active *active)
{
    active->is_listed = fp_waits != NULL;
    if (active->is_listed) {
        FP_BEGIN_SHARED
        active->next = fp_all_active;
        active->at = &fp_all_active;
        if (active->next != NULL) {
            active->next->at = &active->next;
        }
        fp_all_active = active;
        FP_END_SHARED
    }
}

static inline void
fp_begin_calls(fp_running *running, int lets_go)
{
    fp_thread_state *own = &fp_this_thread;
    running->own = own;
    running->outer = own->here;
    running->failed = 0;
    running->active.call.thread = PyThread_get_thread_ident();
    running->active.call.level = own->level;
    fp_add_active(&running->active);
    own->here = running;
    running->thread = lets_go ? PyEval_SaveThread() : NULL;
}

static int
fp_has_failed_here(void)
{
    const fp_running *here = fp_this_thread.here;
    return here != NULL && __atomic_load_n(&here->failed, __ATOMIC_ACQUIRE);
}

/* Acquires the GIL again; returns 0 if a callback has failed, with its exception. */
static inline int
fp_end_calls(fp_running *running)
{
    if (running->thread != NULL) {
        PyEval_RestoreThread(running->thread);
    }
    if (running->active.is_listed) {
        FP_BEGIN_SHARED
        fp_remove_active(&running->active);
        FP_END_SHARED
    }
    running->own->here = running->outer;
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

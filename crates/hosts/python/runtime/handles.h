/* Handles: opaque objects of a library, as objects of Python.
 *
 * A handle has a C pointer. Each user of the pointer holds a use of the handle: each call for its
 * duration, and each handle that refers to this one for its lifetime. The pointer is released once,
 * when the handle is closed or unreachable and there are no uses. */

typedef struct {
    const char *name;         /* "stats.Rng" */
    const char *doc;
    void (*destroy)(void *);  /* NULL: the library owns the objects */
    int is_locked;            /* some call needs exclusive access to an object */
    fp_lock **module;         /* the lock under which objects are released; NULL: there is none */
    PyTypeObject *type;       /* created when the module is loaded */
} fp_handle_class;

/* One object refers to another: it is among the other's dependents, as long as it may be used. */
typedef struct fp_edge {
    struct fp_handle *dependent;
    struct fp_edge *next, **at; /* NULL: it is in no list */
} fp_edge;

typedef struct fp_handle {
    PyObject_HEAD
    const fp_handle_class *of;
    void *pointer;   /* NULL: not yet, or no longer */
    Py_ssize_t uses;
    Py_ssize_t views;        /* of these uses, by arrays on the object's memory */
    fp_edge *dependents;     /* and by handles that refer to this one */
    fp_edge *edges;          /* one for each of `kept`; NULL: it has none, or has been released */
    struct fp_handle *ended; /* the next one that a call closes */
    int is_ended;
    int is_owned;    /* the handle owns the pointer */
    int is_closed;   /* it accepts no new uses */
    struct fp_kept *callbacks; /* which C may call as long as the object exists */
    PyObject *kept;  /* a tuple of the objects that it refers to, with uses of handles; or NULL */
    fp_lock *lock;   /* that of the first handle to which the object refers, else its own; or NULL */
    PyObject *weakrefs;
} fp_handle;

/* The parameter table for a handle. */
typedef struct {
    fp_param param;
    const fp_handle_class *of;
} fp_handle_param;

/* At the place of the NumPy type number in other parameters. */
enum { FP_TYPE_HANDLE = 1000 };

/* ---- Uses ----------------------------------------------------------------------------------------- */

static void fp_drop_handle(fp_handle *handle);
static void fp_handle_dealloc(PyObject *self);
static void fp_drop_callbacks(struct fp_kept **list);

/* The parts of an object to release: its pointer, and its references. */
typedef struct {
    fp_late late;
    const fp_handle_class *of;
    void *pointer; /* NULL: the handle does not own it */
    struct fp_kept *callbacks;
    PyObject *kept;
    fp_lock *lock; /* of the objects to which it refers; NULL: there is none */
} fp_remains;

/* Ends the uses of the objects to which it referred. */
static FP_HELPER void
fp_drop_kept(PyObject *kept)
{
    Py_ssize_t k;
    for (k = 0; kept != NULL && k < fp_tuple_size(kept); k++) {
        PyObject *one = fp_tuple_item(kept, k);
        if (one != NULL && fp_deallocator(one) == fp_handle_dealloc) {
            fp_drop_handle((fp_handle *)one);
        }
    }
    Py_XDECREF(kept);
}

/* No thread is in C with the object, but one may be with an object to which it refers, or with the
 * module: NULL, or the lock that another thread holds. */
static FP_HELPER fp_lock *
fp_release_remains(fp_remains *remains)
{
    fp_lock *locks[2];
    int k, entered = 0, done = FP_IN;
    locks[0] = remains->kept == NULL ? NULL : remains->lock;
    locks[1] = remains->of->module == NULL ? NULL : *remains->of->module;
    while (remains->pointer != NULL && entered < 2 && done == FP_IN) {
        done = locks[entered] == NULL ? FP_IN : fp_try_enter(locks[entered]);
        entered += done == FP_IN;
    }
    if (remains->pointer != NULL && done == FP_IN) { /* a torn object must not be released */
        if (fp_glue == NULL) {
            remains->of->destroy(remains->pointer);
        }
        else {
            fp_glue->destroy(remains->of->destroy, remains->pointer);
        }
    }
    for (k = 0; k < entered; k++) {
        if (locks[k] != NULL) {
            fp_leave_one(locks[k]);
        }
    }
    if (done == FP_BUSY) {
        return locks[entered];
    }
    fp_drop_callbacks(&remains->callbacks);
    fp_drop_kept(remains->kept);
    fp_lock_drop(remains->lock);
    return NULL;
}

static void fp_release_remains_late(fp_late *late);

/* Releases them now, or lets another thread do it. */
static FP_HELPER void
fp_release_or_defer(fp_remains *remains)
{
    fp_aside aside;
    fp_lock *busy;
    fp_put_aside(&aside);
    busy = fp_release_remains(remains);
    if (busy != NULL) {
        fp_remains *late = (fp_remains *)PyMem_Malloc(sizeof(fp_remains));
        if (late != NULL) { /* else the object leaks */
            *late = *remains;
            late->late.release = fp_release_remains_late;
            fp_release_late(busy, &late->late);
        }
    }
    fp_put_back(&aside);
}

static void
fp_release_remains_late(fp_late *late)
{
    fp_remains remains = *(fp_remains *)late;
    PyMem_Free(late);
    fp_release_or_defer(&remains);
}

/* Removes the object from the dependents of the objects to which it refers. */
static FP_HELPER void
fp_drop_edges(fp_handle *handle)
{
    Py_ssize_t k;
    for (k = 0; handle->edges != NULL && k < fp_tuple_size(handle->kept); k++) {
        fp_edge *edge = &handle->edges[k];
        if (edge->at != NULL) {
            *edge->at = edge->next;
            if (edge->next != NULL) {
                edge->next->at = edge->at;
            }
        }
    }
    PyMem_Free(handle->edges);
    handle->edges = NULL;
}

/* Releases the object, once. */
static FP_HELPER void
fp_give_handle_back(fp_handle *handle)
{
    fp_remains remains;
    fp_drop_edges(handle);
    memset(&remains, 0, sizeof(remains));
    remains.of = handle->of;
    remains.pointer = handle->is_owned && handle->of->destroy != NULL ? handle->pointer : NULL;
    remains.callbacks = handle->callbacks;
    remains.kept = handle->kept;
    remains.lock = handle->lock;
    if (remains.lock != NULL) {
        remains.lock->owners++;
    }
    handle->pointer = NULL;
    handle->callbacks = NULL;
    handle->kept = NULL;
    fp_release_or_defer(&remains);
}

/* Ends a use. */
static FP_UNUSED void
fp_drop_handle(fp_handle *handle)
{
    if (handle != NULL && --handle->uses == 0 && handle->is_closed) {
        fp_give_handle_back(handle);
    }
}

/* Rejects new uses; with the end of the last one the pointer is released. */
static FP_HELPER void
fp_close_handle(fp_handle *handle)
{
    handle->is_closed = 1;
    if (handle->uses == 0) {
        fp_give_handle_back(handle);
    }
}

/* NULL for an absent object. */
static inline fp_lock *
fp_lock_of(const fp_handle *handle)
{
    return handle == NULL ? NULL : handle->lock;
}

static inline int
fp_is_handle(PyObject *o, const fp_handle_class *of)
{
    return Py_TYPE(o) == of->type;
}

static FP_COLD int
fp_refuse_handle(PyObject *o, const fp_handle_param *p)
{
    const char *dot = strrchr(p->of->name, '.');
    const char *name = dot == NULL ? p->of->name : dot + 1;
    fp_text t;
    fp_begin(&t, &p->param);
    if (fp_is_handle(o, p->of)) {
        fp_append(&t, "this %s is closed", name);
        return fp_raise(PyExc_ValueError, &t);
    }
    fp_append(&t, "wanted a %s, got ", name);
    fp_append_description(&t, o);
    return fp_raise(PyExc_TypeError, &t);
}

/* Acquires a use of the caller's handle. `held` is NULL if that is refused. */
static inline int
fp_take_handle(fp_handle **held, PyObject *o, const fp_handle_param *p)
{
    fp_handle *handle = (fp_handle *)o;
    if (FP_UNLIKELY(!fp_is_handle(o, p->of) || handle->is_closed)) {
        *held = NULL;
        return fp_refuse_handle(o, p);
    }
    handle->uses++;
    *held = handle;
    return 1;
}

/* ---- New handles ----------------------------------------------------------------------------------- */

/* Creates a handle without a pointer, with space for its references. */
static FP_HELPER int
fp_make_handle(fp_handle **made, const fp_handle_class *of, int kept)
{
    fp_handle *handle = (fp_handle *)PyType_GenericAlloc(of->type, 0);
    *made = handle;
    if (handle == NULL) {
        return 0;
    }
    handle->of = of;
    if (kept > 0) {
        handle->kept = PyTuple_New(kept);
        if (handle->kept == NULL) {
            return 0;
        }
        handle->edges = (fp_edge *)PyMem_Calloc((size_t)kept, sizeof(fp_edge));
        if (handle->edges == NULL) {
            PyErr_NoMemory();
            return 0;
        }
    }
    if (of->is_locked) {
        handle->lock = fp_lock_new(of->name);
    }
    return !of->is_locked || handle->lock != NULL;
}

/* Makes the object refer to another handle's. */
static FP_UNUSED void
fp_keep_handle(fp_handle *handle, int k, fp_handle *other)
{
    if (other != NULL) {
        fp_edge *edge = &handle->edges[k];
        edge->dependent = handle;
        edge->next = other->dependents;
        edge->at = &other->dependents;
        if (edge->next != NULL) {
            edge->next->at = &edge->next;
        }
        other->dependents = edge;
        other->uses++;
        Py_INCREF((PyObject *)other);
        fp_set_tuple_item(handle->kept, k, (PyObject *)other);
        if (k == 0 && other->lock != NULL) {
            fp_lock_drop(handle->lock);
            handle->lock = other->lock;
            handle->lock->owners++;
        }
    }
}

/* Sets the handle's pointer. */
static FP_UNUSED void
fp_receive_handle(fp_handle *handle, void *pointer, int is_owned)
{
    handle->pointer = pointer;
    handle->is_owned = is_owned;
}

/* Releases an object that the call created and that is not needed: the handle, with a pointer that
 * it did not receive. */
static FP_UNUSED void
fp_release_handle(fp_handle *handle, void *pointer, int is_owned)
{
    if (handle != NULL) {
        if (handle->pointer == NULL) {
            fp_receive_handle(handle, pointer, is_owned);
        }
        Py_DECREF((PyObject *)handle);
    }
}

static FP_COLD int
fp_no_object(const char *function, const char *c_name, const char *what)
{
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_RuntimeError, "%s(): %s %s NULL", function, c_name, what);
    }
    return 0;
}

/* Returns the handle as a result, or None if it has no object. */
static FP_UNUSED PyObject *
fp_give_handle(fp_handle *handle)
{
    return Py_NewRef(handle->pointer == NULL ? Py_None : (PyObject *)handle);
}

/* ---- Objects that C destroys ----------------------------------------------------------------------- */

/* Adds the handles that refer to an object to the list that ends at `last`. For the object that a
 * call names, only those that were borrowed from it. */
static FP_HELPER fp_handle **
fp_add_ended(fp_handle **last, const fp_handle *handle, int only_borrowed)
{
    fp_edge *edge;
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        fp_handle *one = edge->dependent;
        if (!one->is_ended && !(only_borrowed && one->is_owned)) {
            one->is_ended = 1;
            one->ended = NULL;
            *last = (fp_handle *)Py_NewRef((PyObject *)one);
            last = &one->ended;
        }
    }
    return last;
}

/* Checks that only the calls in `mine` use the object's memory. */
static FP_HELPER int
fp_check_ended(const fp_handle *handle, const fp_handle *of, fp_handle *const *mine, int count,
               const fp_handle_param *p)
{
    const char *name = strrchr(handle->of->name, '.') + 1;
    Py_ssize_t uses = handle->uses - handle->views;
    const fp_edge *edge;
    int k;
    if (handle->views > 0) {
        return handle == of
                   ? fp_error(PyExc_BufferError, &p->param, "an array views memory of this %s, which the call ends", name)
                   : fp_error(PyExc_BufferError, &p->param,
                              "an array views memory of a %s that was borrowed from it, which the call ends", name);
    }
    if (handle == of) {
        return 1;
    }
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        uses--;
    }
    for (k = 0; k < count; k++) {
        uses -= mine[k] == handle;
    }
    return uses == 0 ? 1
                     : fp_error(PyExc_RuntimeError, &p->param,
                                "another call uses a %s that was borrowed from it, which this call ends", name);
}

/* Closes the handles of a list, if `done`, and clears it. */
static FP_HELPER void
fp_close_ended(fp_handle *first, int done)
{
    fp_handle *one;
    for (one = first; one != NULL && done; one = one->ended) {
        one->is_closed = 1; /* before anything runs that could use it */
    }
    while (first != NULL) {
        one = first;
        first = one->ended;
        one->is_ended = 0;
        if (done && one->uses == 0) {
            fp_give_handle_back(one);
        }
        Py_DECREF((PyObject *)one);
    }
}

/* Closes the objects borrowed from an object that C destroys, in a call that uses the handles `mine`,
 * with all that refer to them. If one of them is in use elsewhere, none is closed. */
static FP_UNUSED int
fp_invalidate(fp_handle *of, fp_handle *const *mine, int count, const fp_handle_param *p)
{
    fp_handle *first = NULL, *one, **last;
    int done = of == NULL || fp_check_ended(of, of, mine, count, p);
    if (of == NULL || !done) {
        return done;
    }
    last = fp_add_ended(&first, of, 1);
    for (one = first; one != NULL && done; one = one->ended) {
        last = fp_add_ended(last, one, 0);
        done = fp_check_ended(one, of, mine, count, p);
    }
    fp_close_ended(first, done);
    return done;
}

/* Closes the handles that callbacks have borrowed from it while C destroyed them: there is nothing to
 * release. */
static FP_UNUSED int
fp_invalidate_late(int done, fp_handle *of)
{
    fp_handle *first = NULL, *one, **last = &first;
    if (of != NULL) {
        fp_aside aside;
        fp_put_aside(&aside);
        last = fp_add_ended(last, of, 1);
        for (one = first; one != NULL; one = one->ended) {
            last = fp_add_ended(last, one, 0);
            one->is_owned = 0;
        }
        fp_close_ended(first, 1);
        fp_put_back(&aside);
    }
    return done;
}

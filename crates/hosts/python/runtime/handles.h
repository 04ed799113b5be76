/* Handles: opaque objects of a library, as objects of Python.
 *
 * A handle has a C pointer. Each user of the pointer holds a use of the handle: each call for its
 * duration, and each handle that refers to this one for its lifetime. The pointer is released once,
 * when the handle is closed or unreachable and there are no uses. */

/* A virtual method of C++ that a class of Python may override; an array of these ends with a row without one. */
typedef struct {
    const char *method;
    const char *parameter; /* of the constructor: the callback */
} fp_override;

typedef struct fp_handle_class {
    const char *name;         /* "stats.Rng" */
    const char *doc;
    void (*destroy)(void *);  /* NULL: the library owns the objects */
    int is_locked;            /* some call needs exclusive access to an object */
    fp_lock **module;         /* the lock under which objects are released; NULL: there is none */
    const fp_base *bases;     /* NULL: it has none */
    const fp_override *overrides; /* NULL: Python cannot derive a class */
    void (*derive)(void *);   /* lets an object of such a class call methods of its base */
    PyTypeObject *type;       /* created when the module is loaded */
    int is_base;              /* classes are derived from it */
    int refers;               /* its objects may refer to other objects: Python's collector visits them */
} fp_handle_class;

/* One object refers to another: it is among the other's dependents, as long as it may be used. */
typedef struct fp_edge {
    struct fp_handle *dependent;
    struct fp_edge *next, **at; /* NULL: it is in no list */
} fp_edge;

/* The parts of an object to release: its pointer, and its references. */
typedef struct fp_remains {
    fp_late late;
    const struct fp_handle_class *of;
    void *pointer; /* NULL: the handle does not own it */
    struct fp_kept *callbacks;
    struct fp_user_data *user_data;
    PyObject *kept;
    fp_lock *lock; /* of the objects to which it refers; NULL: there is none */
} fp_remains;

/* The memory of an object that refers to others: an edge for each, and space for its release. */
typedef struct {
    fp_remains remains;
    fp_edge edges[1];
} fp_links;

typedef struct fp_handle {
    PyObject_HEAD
    const fp_handle_class *of;
    void *pointer;   /* NULL: not yet, or no longer */
    void *taken;     /* the pointer of a consumed object */
    Py_ssize_t uses;
    int is_closed;   /* it accepts no new uses */
    int is_owned;    /* the handle owns the pointer */
    Py_ssize_t views;        /* of these uses, by arrays on the object's memory */
    fp_edge *dependents;     /* and by handles that refer to this one */
    fp_links *links;         /* an edge for each of `kept`; NULL: it refers to no handle, or has been released */
    Py_ssize_t leaving;      /* handles that referred to this one, and are being released */
    struct fp_handle *ended; /* the next one that a call closes */
    int is_ended;
    int is_empty;    /* it is closed, since it has not been initialised */
    int is_consumed; /* it is closed, since C has taken over its object */
    struct fp_kept *callbacks; /* which C may call as long as the object exists */
    struct fp_user_data *user_data;  /* the user data of the object, which leads to them; NULL: each has its own */
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

static FP_UNUSED void fp_drop_handle(fp_handle *handle);
static void fp_handle_dealloc(PyObject *self);
static void fp_drop_callbacks(struct fp_kept **list);
static void fp_detach_retained(struct fp_kept *kept);
static void fp_free_user_data(struct fp_user_data *first);

/* The base of all classes that have bases or are some. Python refuses several bases otherwise, whose objects might
 * have different layouts. */
FP_GLOBAL PyObject *fp_common_base;

/* The functions that `exit` of the interface names have been called, or are being called. */
FP_GLOBAL int fp_has_exited;

/* It is a handle of any class. */
static inline int
fp_is_any_handle(PyObject *o)
{
    return fp_deallocator(o) == fp_handle_dealloc
           || (fp_common_base != NULL && PyObject_TypeCheck(o, (PyTypeObject *)fp_common_base));
}

/* The handle among the references of an object; NULL: it is none. */
static inline fp_handle *
fp_kept_handle(PyObject *kept, Py_ssize_t k)
{
    PyObject *one = fp_tuple_item(kept, k);
    return one != NULL && fp_is_any_handle(one) ? (fp_handle *)one : NULL;
}

/* Removes an edge from the list of dependents that it is in. In a section of the caller. */
static inline void
fp_remove_edge(fp_edge *edge)
{
    *edge->at = edge->next;
    if (edge->next != NULL) {
        edge->next->at = edge->at;
    }
    edge->at = NULL;
}

/* Adds an object to the dependents of another one, of which it holds a use. In a section of the caller. */
static inline void
fp_add_edge(fp_edge *edge, fp_handle *dependent, fp_handle *on)
{
    edge->dependent = dependent;
    edge->next = on->dependents;
    edge->at = &on->dependents;
    if (edge->next != NULL) {
        edge->next->at = &edge->next;
    }
    on->dependents = edge;
}

/* Ends the uses of the objects to which it referred. */
static FP_HELPER void
fp_drop_kept(PyObject *kept)
{
    Py_ssize_t k;
    for (k = 0; kept != NULL && k < fp_tuple_size(kept); k++) {
        fp_handle *one = fp_kept_handle(kept, k);
        if (one != NULL) {
            FP_BEGIN_SHARED
            one->leaving--;
            FP_END_SHARED
            fp_drop_handle(one);
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
    if (remains->pointer != NULL && done == FP_IN && !fp_has_exited) { /* a torn object must not be released */
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
    fp_free_user_data(remains->user_data);
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
    while ((busy = fp_release_remains(remains)) != NULL) {
        fp_remains *late = (fp_remains *)PyMem_Malloc(sizeof(fp_remains));
        if (late == NULL) {
            break; /* the object leaks */
        }
        *late = *remains;
        late->late.release = fp_release_remains_late;
        if (fp_release_late(busy, &late->late)) {
            break;
        }
        PyMem_Free(late);
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

/* Moves what is to be released out of the handle, in a section of the caller. The object is no longer
 * among the dependents of those to which it refers, but among those that leave them. */
static FP_HELPER void
fp_detach(fp_handle *handle, fp_remains *remains)
{
    Py_ssize_t k;
    for (k = 0; handle->kept != NULL && k < fp_tuple_size(handle->kept); k++) {
        fp_handle *other = fp_kept_handle(handle->kept, k);
        if (other != NULL) {
            other->leaving++;
            fp_remove_edge(&handle->links->edges[k]);
        }
    }
    fp_detach_retained(handle->callbacks);
    memset(remains, 0, sizeof(*remains));
    remains->of = handle->of;
    remains->pointer = handle->is_owned && handle->of->destroy != NULL ? handle->pointer : NULL;
    remains->callbacks = handle->callbacks;
    remains->user_data = handle->user_data;
    remains->kept = handle->kept;
    remains->lock = handle->lock;
    if (remains->lock != NULL) {
        remains->lock->owners++;
    }
    handle->pointer = NULL;
    handle->callbacks = NULL;
    handle->user_data = NULL;
    handle->kept = NULL;
}

/* Ends the section of the caller, with `is_last` after the release of the object, once. */
static FP_HELPER void
fp_end_handle(fp_handle *handle, int is_last)
{
    fp_remains remains;
    fp_links *links;
    if (!is_last) {
        FP_END_SHARED
        return;
    }
    fp_detach(handle, &remains);
    links = handle->links;
    handle->links = NULL;
    FP_END_SHARED
    PyMem_Free(links);
    fp_release_or_defer(&remains);
}

/* Begins a use; 0 if the handle is closed. */
static inline int
fp_begin_use(fp_handle *handle)
{
    int is_open;
    FP_BEGIN_SHARED
    is_open = !handle->is_closed;
    handle->uses += is_open;
    FP_END_SHARED
    return is_open;
}

/* Ends a use. */
static FP_UNUSED void
fp_drop_handle(fp_handle *handle)
{
    if (handle != NULL) {
        FP_BEGIN_SHARED
        handle->uses--;
        if (FP_UNLIKELY(handle->is_closed)) {
            fp_end_handle(handle, handle->uses == 0);
            return;
        }
        FP_END_SHARED
    }
}

/* Rejects new uses; with the end of the last one the pointer is released. */
static FP_HELPER void
fp_close_handle(fp_handle *handle)
{
    int is_last;
    FP_BEGIN_SHARED
    is_last = !handle->is_closed && handle->uses == 0;
    handle->is_closed = 1;
    fp_end_handle(handle, is_last);
}

static inline int
fp_is_closed(const fp_handle *handle)
{
    int is_closed;
    FP_BEGIN_SHARED
    is_closed = handle->is_closed;
    FP_END_SHARED
    return is_closed;
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
    return Py_TYPE(o) == of->type || (of->is_base && PyType_IsSubtype(Py_TYPE(o), of->type));
}

/* The pointer to the object as one of a class: its own, or a base. */
static inline void *
fp_pointer_of(const fp_handle *handle, const fp_handle_class *of)
{
    void *pointer = handle->pointer;
    if (FP_UNLIKELY(handle->of != of)) {
        (void)fp_upcast(handle->of->bases, of, &pointer);
    }
    return pointer;
}

static FP_COLD int
fp_refuse_handle(PyObject *o, const fp_handle_param *p)
{
    const char *name = fp_last_name(p->of->name);
    fp_message t;
    fp_begin(&t, &p->param);
    if (fp_is_handle(o, p->of) && ((fp_handle *)o)->is_empty) {
        fp_append(&t, "this %s is not initialised: call super().__init__()", name);
        return fp_raise(PyExc_ValueError, &t);
    }
    if (fp_is_handle(o, p->of)) {
        fp_append(&t, ((fp_handle *)o)->is_consumed ? "this %s was consumed: C owns it" : "this %s is closed", name);
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
    if (FP_UNLIKELY(!fp_is_handle(o, p->of) || !fp_begin_use(handle))) {
        *held = NULL;
        return fp_refuse_handle(o, p);
    }
    *held = handle;
    return 1;
}

/* ---- New handles ----------------------------------------------------------------------------------- */

/* Adds to a new handle what its class needs, and space for its references. */
static FP_HELPER int
fp_prepare_handle(fp_handle *handle, const fp_handle_class *of, int kept)
{
    handle->of = of;
    if (kept > 0) {
        handle->kept = PyTuple_New(kept);
        if (handle->kept == NULL) {
            return 0;
        }
        handle->links = (fp_links *)PyMem_Calloc(1, sizeof(fp_links) + (size_t)(kept - 1) * sizeof(fp_edge));
        if (handle->links == NULL) {
            PyErr_NoMemory();
            return 0;
        }
    }
    if (of->is_locked) {
        handle->lock = fp_lock_new(of->name);
    }
    return !of->is_locked || handle->lock != NULL;
}

/* Creates a handle without a pointer, with space for its references; NULL if this fails. */
static FP_HELPER int
fp_make_handle(fp_handle **made, const fp_handle_class *of, int kept)
{
    fp_handle *handle = (fp_handle *)PyType_GenericAlloc(of->type, 0);
    if (handle != NULL && !fp_prepare_handle(handle, of, kept)) {
        Py_CLEAR(handle);
    }
    return (*made = handle) != NULL;
}

/* The same for a constructor that is called with its class, or with an object of a derived class. */
static FP_UNUSED int
fp_make_derived(fp_handle **made, PyObject *self, const fp_handle_class *of, int kept)
{
    if (!PyObject_TypeCheck(self, of->type)) {
        return fp_make_handle(made, of, kept);
    }
    *made = (fp_handle *)Py_NewRef(self);
    return fp_prepare_handle(*made, of, kept);
}

/* Makes the object refer to another handle's. */
static FP_UNUSED void
fp_keep_handle(fp_handle *handle, int k, fp_handle *other)
{
    if (other != NULL) {
        FP_BEGIN_SHARED
        fp_add_edge(&handle->links->edges[k], handle, other);
        other->uses++;
        fp_set_tuple_item(handle->kept, k, Py_NewRef((PyObject *)other));
        FP_END_SHARED
        if (k == 0 && other->lock != NULL) {
            fp_lock_drop(handle->lock);
            handle->lock = fp_lock_keep(other->lock);
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

/* Releases an object of the call that is not needed: the handle, with a pointer that it did not receive. */
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
        PyErr_Format(PyExc_RuntimeError, "%s(): %s %s", function, c_name, what);
    }
    return 0;
}

/* Returns the handle as a result, or None if it has no object. */
static FP_UNUSED PyObject *
fp_return_handle(fp_handle *handle)
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
            *last = one;
            last = &one->ended;
        }
    }
    return last;
}

/* Checks that only the calls in `mine` use the object's memory; the reason why it is refused is raised
 * by fp_refuse_end. */
static FP_HELPER int
fp_may_end(const fp_handle *handle, const fp_handle *of, fp_handle *const *mine, int count)
{
    Py_ssize_t uses = handle->uses - handle->views - handle->leaving;
    const fp_edge *edge;
    int k;
    if (handle->views > 0 || handle->leaving > 0) {
        return 0;
    }
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        uses--;
    }
    for (k = 0; k < count; k++) {
        uses -= mine[k] == handle;
    }
    return handle == of || uses == 0;
}

static FP_COLD int
fp_refuse_end(const char *class_name, int is_viewed, int is_named, const fp_handle_param *p)
{
    const char *name = fp_last_name(class_name);
    if (is_viewed) {
        return is_named
                   ? fp_error(PyExc_BufferError, &p->param, "an array views memory of this %s, which the call ends", name)
                   : fp_error(PyExc_BufferError, &p->param,
                              "an array views memory of a %s that was borrowed from it, which the call ends", name);
    }
    return is_named
               ? fp_error(PyExc_RuntimeError, &p->param, "another thread releases what refers to this %s", name)
               : fp_error(PyExc_RuntimeError, &p->param,
                          "another call uses a %s that was borrowed from it, which this call ends", name);
}

/* Closes the handles of a list, if `done`, clears it, and ends the section of the caller. Handles in
 * the list may be freed as soon as it has ended; their remains are in memory that they leave. */
static FP_HELPER void
fp_close_ended(fp_handle *first, int done)
{
    fp_remains *left = NULL;
    fp_handle *one;
    for (one = first; one != NULL; one = one->ended) {
        int is_last = done && !one->is_closed && one->uses == 0;
        one->is_ended = 0;
        one->is_closed |= done;
        if (is_last) {
            fp_remains *remains = &one->links->remains;
            fp_detach(one, remains);
            one->links = NULL;
            remains->late.next = (fp_late *)left;
            left = remains;
        }
    }
    FP_END_SHARED
    while (left != NULL) {
        fp_remains remains = *left;
        PyMem_Free(left); /* the beginning of its fp_links */
        left = (fp_remains *)remains.late.next;
        fp_release_or_defer(&remains);
    }
}

/* Closes the objects borrowed from an object that C destroys, in a call that uses the handles `mine`,
 * with all that refer to them. If one of them is in use elsewhere, none is closed. */
static FP_UNUSED int
fp_invalidate(fp_handle *of, fp_handle *const *mine, int count, const fp_handle_param *p)
{
    fp_handle *first = NULL, *one = of, **last = &first;
    const char *name;
    int done, is_viewed;
    if (of == NULL) {
        return 1;
    }
    FP_BEGIN_SHARED
    done = fp_may_end(of, of, mine, count);
    last = fp_add_ended(last, of, 1);
    for (one = done ? first : of; one != NULL && done; one = done ? one->ended : one) {
        last = fp_add_ended(last, one, 0);
        done = fp_may_end(one, of, mine, count);
    }
    name = done ? NULL : one->of->name;
    is_viewed = !done && one->views > 0;
    fp_close_ended(first, done);
    return done || fp_refuse_end(name, is_viewed, one == of, p);
}

/* Closes the handles that callbacks have borrowed from it while C destroyed them: there is nothing to release. */
static FP_UNUSED int
fp_invalidate_late(int done, fp_handle *of)
{
    fp_handle *first = NULL, *one, **last = &first;
    if (of != NULL) {
        fp_aside aside;
        fp_put_aside(&aside);
        FP_BEGIN_SHARED
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

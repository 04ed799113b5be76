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
    void *(*callback)(void *);    /* one that overrides a method of an object; NULL: no object of the class has any */
    PyTypeObject *type;       /* created when the module is loaded */
    PyTypeObject *derived;    /* the class of the module, derived from it, of which an object was an argument last */
    int is_base;              /* classes are derived from it */
    int refers;               /* its objects may refer to other objects: Python's collector visits them */
    int is_tracked;           /* C may destroy an object of it, or of a related class, that it owns */
    int needs_context;        /* `destroy` is called with an `fp_in_context` */
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
    void *context; /* of the object that the destructor needs, and to which `links` refer */
    struct fp_kept *callbacks;
    struct fp_user_data *user_data;
    struct fp_links *links;
    fp_lock *lock; /* of the objects to which it refers, which exist until `links` are dropped; NULL: no lock */
} fp_remains;

/* A reference to an object; to a handle, with a use of it. */
typedef struct {
    PyObject *object; /* NULL: not yet */
    fp_edge edge;     /* without a dependent: the object is not a handle */
} fp_reference;

/* The references of an object, and space for its release. */
typedef struct fp_links {
    fp_remains remains;
    struct fp_links *next; /* in the list of a thread that drops them */
    int count;
    fp_reference kept[1];
} fp_links;

typedef struct fp_handle {
    PyObject_HEAD
    const fp_handle_class *of;
    void *pointer;   /* NULL: not yet, or no longer */
    void *taken;     /* the pointer of a consumed object */
    void *context;   /* the pointer that the destructor needs, too */
    Py_ssize_t uses;
    int is_closed;   /* it accepts no new uses */
    int is_owned;    /* the handle owns the pointer */
    Py_ssize_t views;        /* of these uses, by arrays on the object's memory */
    fp_edge *dependents;     /* and by handles that refer to this one */
    fp_links *links;         /* NULL: it refers to nothing, or has been released */
    Py_ssize_t leaving;      /* handles that referred to this one, and are being released */
    struct fp_handle *ended; /* the next one that a call closes */
    int is_ended;
    int is_empty;    /* it is closed, since it has not been initialised */
    int is_consumed; /* it is closed, since C has taken over its object */
    struct fp_handle *next_tracked, **tracked_at; /* in the list of those that are tracked; NULL: in none */
    struct fp_kept *callbacks; /* which C may call as long as the object exists */
    struct fp_user_data *user_data;  /* the user data of the object, which leads to them; NULL: each has its own */
    fp_lock *lock;   /* that of the first handle to which the object refers, else its own; or NULL */
    fp_lock own;
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

/* The handles with a pointer whose class is tracked. */
FP_GLOBAL fp_handle *fp_tracked;

/* It is a handle of any class. */
static inline int
fp_is_any_handle(PyObject *o)
{
    return fp_deallocator(o) == fp_handle_dealloc
           || (fp_common_base != NULL && PyObject_TypeCheck(o, (PyTypeObject *)fp_common_base));
}

/* The handle to which a reference leads; NULL: the object is not a handle. */
static inline fp_handle *
fp_kept_handle(const fp_reference *one)
{
    return one->edge.dependent == NULL ? NULL : (fp_handle *)one->object;
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

/* Each object may refer to the next one, as the items of a long list do: only so many are released within another. */
enum { FP_MOST_RELEASES = 20 };

/* Ends the uses of the objects to which it referred. The state of this thread is a parameter, since a library finds it by
 * a call. */
static FP_HELPER void
fp_drop_links(fp_links *links, fp_thread_state *thread)
{
    if (thread->releasing == FP_MOST_RELEASES) {
        links->next = thread->dropped;
        thread->dropped = links;
        return;
    }
    thread->releasing++;
    while (links != NULL) {
        int k;
        for (k = 0; k < links->count; k++) {
            fp_handle *one = fp_kept_handle(&links->kept[k]);
            if (one != NULL) {
                FP_BEGIN_SHARED
                one->leaving--;
                FP_END_SHARED
                fp_drop_handle(one);
            }
            Py_XDECREF(links->kept[k].object);
        }
        PyMem_Free(links);
        links = thread->releasing == 1 ? thread->dropped : NULL;
        if (links != NULL) {
            thread->dropped = links->next;
        }
    }
    thread->releasing--;
}

/* Releases an object of C. */
static FP_HELPER void
fp_destroy(const fp_handle_class *of, void *pointer, void *context)
{
    fp_in_context both;
    both.object = pointer;
    both.context = context;
    if (of->needs_context) {
        pointer = &both;
    }
    if (fp_glue == NULL) {
        of->destroy(pointer);
    }
    else {
        fp_glue->destroy(of->destroy, pointer);
    }
}

/* No thread is in C with the object, but one may be with an object to which it refers, or with the
 * module: NULL, or the lock that another thread holds. */
static inline fp_lock *
fp_release_remains(fp_remains *remains, fp_thread_state *here)
{
    fp_lock *locks[2];
    int k, entered = 0, done = FP_IN;
    locks[0] = remains->lock;
    locks[1] = remains->of->module == NULL ? NULL : *remains->of->module;
    while (remains->pointer != NULL && entered < 2 && done == FP_IN) {
        done = locks[entered] == NULL ? FP_IN : fp_try_enter_here(locks[entered], here);
        entered += done == FP_IN;
    }
    if (remains->pointer != NULL && done == FP_IN && !fp_has_exited) { /* a torn object must not be released */
        fp_destroy(remains->of, remains->pointer, remains->context);
    }
    for (k = 0; k < entered; k++) {
        if (locks[k] != NULL) {
            fp_leave_one(locks[k]);
        }
    }
    if (done == FP_BUSY) {
        return locks[entered];
    }
    if (remains->callbacks != NULL || remains->user_data != NULL) {
        fp_drop_callbacks(&remains->callbacks);
        fp_free_user_data(remains->user_data);
    }
    if (remains->links != NULL) {
        fp_drop_links(remains->links, here);
    }
    return NULL;
}

static void fp_release_remains_late(fp_late *late);

/* Releases them now, or lets another thread do it. */
static FP_HELPER void
fp_release_or_defer(fp_remains *remains)
{
    fp_aside aside;
    fp_lock *busy;
    const int is_raising = PyErr_Occurred() != NULL;
    if (is_raising) {
        fp_put_aside(&aside);
    }
    while ((busy = fp_release_remains(remains, &fp_this_thread)) != NULL) {
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
    if (is_raising) {
        fp_put_back(&aside);
    }
}

static void
fp_release_remains_late(fp_late *late)
{
    fp_remains remains = *(fp_remains *)late;
    PyMem_Free(late);
    fp_release_or_defer(&remains);
}

/* Adds a handle to those that are tracked. In a section of the caller. */
static inline void
fp_track(fp_handle *handle)
{
    handle->next_tracked = fp_tracked;
    handle->tracked_at = &fp_tracked;
    if (fp_tracked != NULL) {
        fp_tracked->tracked_at = &handle->next_tracked;
    }
    fp_tracked = handle;
}

static inline void
fp_untrack(fp_handle *handle)
{
    if (handle->tracked_at != NULL) {
        *handle->tracked_at = handle->next_tracked;
        if (handle->next_tracked != NULL) {
            handle->next_tracked->tracked_at = handle->tracked_at;
        }
        handle->tracked_at = NULL;
    }
}

/* Moves what is to be released out of the handle, in a section of the caller. The object is no longer
 * among the dependents of those to which it refers, but among those that leave them. */
static inline void
fp_detach(fp_handle *handle, fp_remains *remains)
{
    int k;
    for (k = 0; handle->links != NULL && k < handle->links->count; k++) {
        fp_reference *one = &handle->links->kept[k];
        fp_handle *other = fp_kept_handle(one);
        if (other != NULL) {
            other->leaving++;
            fp_remove_edge(&one->edge);
        }
    }
    fp_untrack(handle);
    fp_detach_retained(handle->callbacks);
    memset(&remains->late, 0, sizeof(remains->late));
    remains->of = handle->of;
    remains->pointer = handle->is_owned && handle->of->destroy != NULL ? handle->pointer : NULL;
    remains->context = handle->context;
    remains->callbacks = handle->callbacks;
    remains->user_data = handle->user_data;
    remains->links = handle->links;
    remains->lock = handle->lock == &handle->own ? NULL : handle->lock;
    handle->pointer = NULL;
    handle->callbacks = NULL;
    handle->user_data = NULL;
    handle->links = NULL;
}

/* Ends the section of the caller, with `is_last` after the release of the object, once. */
static FP_HELPER void
fp_end_handle(fp_handle *handle, int is_last)
{
    fp_remains remains;
    if (!is_last) {
        FP_END_SHARED
        return;
    }
    fp_detach(handle, &remains);
    FP_END_SHARED
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

/* The object is of a class that is derived from `of`. */
static FP_HELPER int
fp_is_derived(PyObject *o, const fp_handle_class *of)
{
    PyTypeObject *type = Py_TYPE(o);
    int is_derived = PyType_IsSubtype(type, of->type);
#ifndef Py_GIL_DISABLED
    if (is_derived && ((fp_handle *)o)->of->type == type) { /* a class of Python may be freed */
        ((fp_handle_class *)of)->derived = type;
    }
#endif
    return is_derived;
}

static inline int
fp_is_handle(PyObject *o, const fp_handle_class *of)
{
    return Py_TYPE(o) == of->type || (of->is_base && (Py_TYPE(o) == of->derived || fp_is_derived(o, of)));
}

/* The pointer to the object as one of a class: its own, or a base. */
static inline void *
fp_pointer_of(const fp_handle *handle, const fp_handle_class *of)
{
    void *pointer = handle->pointer;
    if (handle->of != of) {
        const fp_base *first = handle->of->bases;
        if (FP_LIKELY(first != NULL && first->of == of)) {
            return first->cast(pointer);
        }
        (void)fp_upcast(first, of, &pointer);
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
        handle->links = (fp_links *)PyMem_Calloc(1, sizeof(fp_links) + (size_t)(kept - 1) * sizeof(fp_reference));
        if (handle->links == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        handle->links->count = kept;
    }
    if (of->is_locked) {
        handle->lock = &handle->own;
        return fp_begin_lock(&handle->own, of->name);
    }
    return 1;
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
        fp_reference *one = &handle->links->kept[k];
        FP_BEGIN_SHARED
        fp_add_edge(&one->edge, handle, other);
        other->uses++;
        one->object = Py_NewRef((PyObject *)other);
        FP_END_SHARED
        if (k == 0 && other->lock != NULL) {
            handle->lock = other->lock;
        }
    }
}

/* Specifies the object that the destructor of a new object needs; the new object is going to refer to it. */
static FP_UNUSED void
fp_set_context(fp_handle *handle, const fp_handle *context, const fp_handle_class *of)
{
    handle->context = context == NULL ? NULL : fp_pointer_of(context, of);
}

/* Sets the handle's pointer. */
static FP_UNUSED void
fp_receive_handle(fp_handle *handle, void *pointer, int is_owned)
{
    handle->pointer = pointer;
    handle->is_owned = is_owned;
    if (FP_UNLIKELY(handle->of->is_tracked) && pointer != NULL) {
        FP_BEGIN_SHARED
        fp_track(handle);
        FP_END_SHARED
    }
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

static fp_handle *fp_retaining_handle(void *callback);

/* The handle that Python constructed for an object with overrides, or NULL. */
static inline fp_handle *
fp_constructed(const fp_handle_class *of, const void *pointer)
{
    return of->callback == NULL || pointer == NULL ? NULL : fp_retaining_handle(of->callback((void *)pointer));
}

/* A new handle, or in its place the one that Python constructed for the object. */
static FP_UNUSED PyObject *
fp_known_handle(fp_handle *made)
{
    fp_handle *own = fp_constructed(made->of, made->pointer);
    if (own == NULL) {
        return (PyObject *)made;
    }
    Py_INCREF((PyObject *)own);
    Py_DECREF((PyObject *)made);
    return (PyObject *)own;
}

/* Returns the handle as a result, or None if it has no object. */
static FP_UNUSED PyObject *
fp_return_handle(fp_handle *handle)
{
    return handle->pointer == NULL ? Py_NewRef(Py_None) : fp_known_handle((fp_handle *)Py_NewRef((PyObject *)handle));
}

/* Consumed handles: objects that the caller passes, and that C owns from then on, or destroys.
 *
 * A handle is consumed before C is called, so that it is C's however the call ends; fp_restore undoes that after
 * a failure that leaves the object with the caller. If C owns all objects of a class, other handles may lead to the
 * same object: they are closed. */

/* An argument that is consumed: a handle, or an array of them. */
typedef struct {
    fp_handle *handle;     /* NULL: none */
    const fp_array *array; /* NULL: it is not an array */
    const fp_param *param;
    int is_destroyed; /* C destroys it: it may refer to other objects */
} fp_consumed;

static inline Py_ssize_t
fp_consumed_count(const fp_consumed *one)
{
    return one->array != NULL ? fp_count_handles(one->array) : one->handle != NULL;
}

static inline fp_handle *
fp_consumed_at(const fp_consumed *one, Py_ssize_t k)
{
    return one->array != NULL ? fp_handle_at(one->array, k) : one->handle;
}

/* Why C cannot take over an object. */
typedef enum { FP_CONSUMABLE, FP_BORROWED, FP_REFERS, FP_VIEWED, FP_NEEDED, FP_OWNED, FP_USED } fp_consumable;

/* In a section of the caller. `mine` is the number of uses by this call. */
static FP_HELPER fp_consumable
fp_may_consume(const fp_handle *handle, int mine, int is_destroyed)
{
    Py_ssize_t uses = handle->uses - handle->views;
    const fp_edge *edge;
    int is_library = handle->of->destroy == NULL; /* which owns the object, and may destroy it */
    if (!handle->is_owned && !is_library) {
        return FP_BORROWED;
    }
    if (!is_library && !is_destroyed
        && ((handle->links != NULL && handle->links->count > handle->of->needs_context) || handle->callbacks != NULL)) {
        return FP_REFERS;
    }
    if (handle->views > 0) {
        return FP_VIEWED;
    }
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        if (edge->dependent->is_owned) {
            return FP_NEEDED;
        }
        uses--;
    }
    return uses == mine ? FP_CONSUMABLE : FP_USED;
}

/* The same for other handles that lead to the object; with `done`, they have been closed. */
static FP_HELPER fp_consumable
fp_may_consume_same(const fp_handle *handle, int done)
{
    fp_consumable why = FP_CONSUMABLE;
    fp_handle *one;
    for (one = fp_next_same(fp_tracked, handle); one != NULL && why == FP_CONSUMABLE;
         one = fp_next_same(one->next_tracked, handle)) {
        why = done ? FP_USED : one->is_owned ? FP_OWNED : fp_may_consume(one, 0, 0);
    }
    return why;
}

static FP_COLD int
fp_refuse_consume(const fp_consumed *one, Py_ssize_t k, fp_consumable why)
{
    const char *name = fp_last_name(fp_consumed_at(one, k)->of->name);
    const char *does = one->is_destroyed ? "destroys" : "takes over";
    const fp_param *p = one->param;
    fp_item_param named;
    if (p->type == FP_TYPE_HANDLE && one->array != NULL) {
        p = &fp_name_pointer(&named, k, p)->param;
    }
    switch (why) {
    case FP_BORROWED:
        return fp_error(PyExc_ValueError, p, "C cannot take over this %s, which the caller does not own", name);
    case FP_REFERS:
        return fp_error(PyExc_ValueError, p, "C cannot take over this %s, which refers to other objects", name);
    case FP_VIEWED:
        return fp_error(PyExc_BufferError, p, "an array views memory of this %s, which C %s", name, does);
    case FP_NEEDED:
        return fp_error(PyExc_RuntimeError, p, "another object refers to this %s, which C %s", name, does);
    case FP_OWNED:
        return fp_error(PyExc_RuntimeError, p, "another object owns this %s, which C %s", name, does);
    default:
        return fp_error(PyExc_RuntimeError, p, "this %s, which C %s, is also used elsewhere", name, does);
    }
}

/* Checks all objects in a section of its own; with `done`, they are consumed if all may be. */
static FP_HELPER int
fp_consume_if(const fp_consumed *all, int count, int done)
{
    fp_consumable why = FP_CONSUMABLE;
    Py_ssize_t k = 0;
    int i;
    FP_BEGIN_SHARED
    for (i = 0; i < count; i++) {
        for (k = 0; k < fp_consumed_count(&all[i]) && why == FP_CONSUMABLE; k++) {
            why = fp_may_consume(fp_consumed_at(&all[i], k), 1, all[i].is_destroyed);
            if (why == FP_CONSUMABLE) {
                why = fp_may_consume_same(fp_consumed_at(&all[i], k), done);
            }
        }
        if (why != FP_CONSUMABLE) {
            break;
        }
    }
    for (done = done && why == FP_CONSUMABLE ? count : 0; done > 0; done--) {
        const fp_consumed *one = &all[done - 1];
        for (k = 0; k < fp_consumed_count(one); k++) {
            fp_handle *handle = fp_consumed_at(one, k);
            handle->is_closed = 1;
            handle->is_consumed = !one->is_destroyed && handle->of->destroy != NULL;
            handle->is_owned = 0;
            handle->taken = handle->pointer;
            handle->pointer = NULL;
            fp_untrack(handle);
        }
    }
    FP_END_SHARED
    return why == FP_CONSUMABLE || fp_refuse_consume(&all[i], k - 1, why);
}

/* Consumes all objects, or none. Those that were borrowed from them are closed. */
static FP_UNUSED int
fp_consume(const fp_consumed *all, int count)
{
    Py_ssize_t k;
    int i;
    if (!fp_consume_if(all, count, 0)) {
        return 0;
    }
    for (i = 0; i < count; i++) {
        for (k = 0; k < fp_consumed_count(&all[i]); k++) {
            fp_handle *handle = fp_consumed_at(&all[i], k);
            if (!fp_end_with(handle, &handle, 1, 1, all[i].param)) {
                return 0;
            }
        }
    }
    return fp_consume_if(all, count, 1);
}
#ifdef PYPY_VERSION
#define fp_consume(all, count) FP_CHECK_TWICE(fp_consume(all, count))
#endif

/* Returns an object to the caller. */
static FP_UNUSED void
fp_restore(fp_handle *handle)
{
    if (handle != NULL) {
        FP_BEGIN_SHARED
        handle->pointer = handle->taken;
        handle->is_owned = handle->of->destroy != NULL;
        handle->is_closed = handle->is_consumed = 0;
        if (handle->of->is_tracked) {
            fp_track(handle);
        }
        FP_END_SHARED
    }
}

static FP_UNUSED void
fp_restore_all(const fp_array *x)
{
    Py_ssize_t k;
    for (k = 0; k < fp_count_handles(x); k++) {
        fp_restore(fp_handle_at(x, k));
    }
}

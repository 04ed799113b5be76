/* Consumed handles: objects that the caller passes, and that C owns from then on.
 *
 * A handle is consumed before C is called, so that it is C's however the call ends; fp_restore undoes that after
 * a failure that leaves the object with the caller. */

/* An argument that is consumed: a handle, or an array of them. */
typedef struct {
    fp_handle *handle;     /* NULL: none */
    const fp_array *array; /* NULL: it is not an array */
    const fp_handle_param *param;
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
typedef enum { FP_CONSUMABLE, FP_BORROWED, FP_REFERS, FP_VIEWED, FP_NEEDED, FP_USED } fp_consumable;

/* In a section of the caller. One use is that of this call. */
static FP_HELPER fp_consumable
fp_may_consume(const fp_handle *handle)
{
    Py_ssize_t uses = handle->uses - handle->views;
    const fp_edge *edge;
    if (!handle->is_owned) {
        return FP_BORROWED;
    }
    if ((handle->links != NULL && handle->links->count > 0) || handle->callbacks != NULL) {
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
    return uses == 1 ? FP_CONSUMABLE : FP_USED;
}

static FP_COLD int
fp_refuse_consume(const fp_consumed *one, Py_ssize_t k, fp_consumable why)
{
    const char *name = fp_last_name(one->param->of->name);
    const fp_param *p = &one->param->param;
    fp_item_param named;
    if (one->array != NULL) {
        p = &fp_name_pointer(&named, k, p)->param;
    }
    switch (why) {
    case FP_BORROWED:
        return fp_error(PyExc_ValueError, p, "C cannot take over this %s, which the caller does not own", name);
    case FP_REFERS:
        return fp_error(PyExc_ValueError, p, "C cannot take over this %s, which refers to other objects", name);
    case FP_VIEWED:
        return fp_error(PyExc_BufferError, p, "an array views memory of this %s, which C takes over", name);
    case FP_NEEDED:
        return fp_error(PyExc_RuntimeError, p, "another object refers to this %s, which C takes over", name);
    default:
        return fp_error(PyExc_RuntimeError, p, "this %s, which C takes over, is also used elsewhere", name);
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
            why = fp_may_consume(fp_consumed_at(&all[i], k));
        }
        if (why != FP_CONSUMABLE) {
            break;
        }
    }
    for (done = done && why == FP_CONSUMABLE ? count : 0; done > 0; done--) {
        const fp_consumed *one = &all[done - 1];
        for (k = 0; k < fp_consumed_count(one); k++) {
            fp_handle *handle = fp_consumed_at(one, k);
            handle->is_closed = handle->is_consumed = 1;
            handle->is_owned = 0;
            handle->taken = handle->pointer;
            handle->pointer = NULL;
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
            if (!fp_invalidate(handle, &handle, 1, all[i].param)) {
                return 0;
            }
        }
    }
    return fp_consume_if(all, count, 1);
}

/* Returns an object to the caller. */
static FP_UNUSED void
fp_restore(fp_handle *handle)
{
    if (handle != NULL) {
        FP_BEGIN_SHARED
        handle->pointer = handle->taken;
        handle->is_owned = 1;
        handle->is_closed = handle->is_consumed = 0;
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

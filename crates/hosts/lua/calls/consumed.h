/* Consumed handles: objects that the caller passes, and that C owns from then on.
 *
 * fp_check_consumed may raise and collect, before anything is pinned; fp_consume does neither. A handle is
 * consumed before C is called, so that it is C's however the call ends; fp_restore undoes that after a failure
 * that leaves the object with the caller. */

/* An argument that is consumed: a handle, or an array of them. */
typedef struct {
    fp_handle *handle;     /* NULL: none */
    const fp_array *array; /* NULL: it is not an array */
    const fp_handle_param *param;
} fp_consumed;

static inline ptrdiff_t
fp_consumed_count(const fp_consumed *one)
{
    return one->array != NULL ? one->array->shape[0] : one->handle != NULL;
}

static inline fp_handle *
fp_consumed_at(const fp_consumed *one, ptrdiff_t k)
{
    return one->array != NULL ? fp_handles_of(one->array)[k] : one->handle;
}

/* Raises if objects that were borrowed from them are in use. */
static FP_UNUSED void
fp_check_consumed(lua_State *L, const fp_consumed *all, int count)
{
    ptrdiff_t k;
    int i;
    for (i = 0; i < count; i++) {
        for (k = 0; k < fp_consumed_count(&all[i]); k++) {
            fp_check_borrowed(L, fp_consumed_at(&all[i], k), all[i].param);
        }
    }
}

/* Why C cannot take over an object; NULL: it can. One use is that of this call. */
static FP_HELPER const char *
fp_not_consumable(const fp_handle *handle)
{
    int uses = handle->uses - handle->views;
    const fp_edge *edge;
    if (!handle->is_owned) {
        return "C cannot take over this %s, which the caller does not own";
    }
    if (handle->kept > 0 || handle->callbacks != NULL) {
        return "C cannot take over this %s, which refers to other objects";
    }
    if (handle->views > 0) {
        return "a tensor views memory of this %s, which C takes over";
    }
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        if (edge->dependent->is_owned) {
            return "another object refers to this %s, which C takes over";
        }
        uses--;
    }
    return uses == 1 ? NULL : "this %s, which C takes over, is also used elsewhere";
}

/* The first object that C cannot take over, and why. */
typedef struct {
    const fp_consumed *one;
    ptrdiff_t k;
    const char *why; /* NULL: all were consumed */
} fp_not_consumed;

/* Consumes all objects, which are pinned, or none. Those that were borrowed from them are closed. */
static FP_UNUSED fp_not_consumed
fp_consume(lua_State *L, const fp_consumed *all, int count)
{
    fp_not_consumed refused = {NULL, 0, NULL};
    ptrdiff_t k;
    int i;
    for (i = 0; i < count; i++) {
        for (k = 0; k < fp_consumed_count(&all[i]); k++) {
            refused.one = &all[i];
            refused.k = k;
            refused.why = fp_not_consumable(fp_consumed_at(&all[i], k));
            if (refused.why != NULL) {
                return refused;
            }
        }
    }
    for (i = 0; i < count; i++) {
        for (k = 0; k < fp_consumed_count(&all[i]); k++) {
            fp_handle *handle = fp_consumed_at(&all[i], k);
            fp_close_borrowed(L, handle, 0);
            handle->is_closed = handle->is_consumed = 1;
            handle->is_owned = 0;
            handle->taken = handle->pointer;
            handle->pointer = NULL;
        }
    }
    return refused;
}

static FP_UNUSED FP_NORETURN void
fp_refuse_consumed(lua_State *L, const fp_not_consumed *refused)
{
    const fp_handle_param *p = refused->one->param;
    fp_where where = p->param.where;
    char name[64];
    if (refused->one->array != NULL) {
        snprintf(name, sizeof(name), "%.40s[%td]", where.name, refused->k + 1);
        where.name = name;
    }
    fp_error(L, &where, refused->why, fp_last_name(p->of->name));
}

/* Returns an object to the caller. */
static FP_UNUSED void
fp_restore(fp_handle *handle)
{
    if (handle != NULL) {
        handle->pointer = handle->taken;
        handle->is_owned = 1;
        handle->is_closed = handle->is_consumed = 0;
    }
}

static FP_UNUSED void
fp_restore_all(const fp_array *x)
{
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        fp_restore(fp_handles_of(x)[k]);
    }
}

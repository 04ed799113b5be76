/* Consumed handles: objects that the caller passes, and that C owns from then on, or destroys.
 *
 * fp_check_consumed may raise and collect, before anything is pinned; fp_consume does neither. A handle is
 * consumed before C is called, so that it is C's however the call ends; fp_restore undoes that after a failure
 * that leaves the object with the caller. If C owns all objects of a class, other handles may lead to the same object:
 * they are closed. */

/* An argument that is consumed: a handle, or an array of them. */
typedef struct {
    fp_handle *handle;     /* NULL: none */
    const fp_array *array; /* NULL: it is not an array */
    const fp_param *param;
    int is_destroyed; /* C destroys it: it may refer to other objects */
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
    luaL_checkstack(L, 4, NULL); /* for fp_next_same */
    for (i = 0; i < count; i++) {
        for (k = 0; k < fp_consumed_count(&all[i]); k++) {
            const fp_handle *handle = fp_consumed_at(&all[i], k);
            if (handle != NULL) {
                fp_handle_param one;
                one.param = *all[i].param;
                one.of = handle->of;
                fp_check_borrowed(L, handle, &one);
            }
        }
    }
}

/* The next handle that leads to the object of this one, after the key on top of the table of those that are tracked;
 * NULL after the last one, whose key is popped. */
static FP_HELPER fp_handle *
fp_next_same(lua_State *L, const fp_handle *handle)
{
    while (lua_next(L, -2)) {
        fp_handle *one = (fp_handle *)lua_touserdata(L, -2);
        lua_pop(L, 1);
        if (one != handle && one->pointer != NULL && fp_is_same_object(one, handle)) {
            return one;
        }
    }
    return NULL;
}

/* Why C cannot take over an object; NULL: it can. `mine` is the number of uses by this call. */
static FP_HELPER const char *
fp_not_consumable(const fp_handle *handle, int mine, int is_destroyed)
{
    int uses = handle->uses - handle->views;
    const fp_edge *edge;
    int is_library = handle->of->destroy == NULL; /* which owns the object, and may destroy it */
    if (!handle->is_owned && !is_library) {
        return "C cannot take over this %s, which the caller does not own";
    }
    if (!is_library && !is_destroyed && (handle->kept > handle->of->needs_context || handle->callbacks != NULL)) {
        return "C cannot take over this %s, which refers to other objects";
    }
    if (handle->views > 0) {
        return is_destroyed ? "a tensor views memory of this %s, which C destroys"
                            : "a tensor views memory of this %s, which C takes over";
    }
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        if (edge->dependent->is_owned) {
            return is_destroyed ? "another object refers to this %s, which C destroys"
                                : "another object refers to this %s, which C takes over";
        }
        uses--;
    }
    if (uses == mine) {
        return NULL;
    }
    return is_destroyed ? "this %s, which C destroys, is also used elsewhere"
                        : "this %s, which C takes over, is also used elsewhere";
}

/* The same for other handles that lead to the object. */
static FP_HELPER const char *
fp_not_consumable_same(lua_State *L, const fp_handle *handle, int is_destroyed)
{
    int top = lua_gettop(L);
    const char *why = NULL;
    const fp_handle *one;
    if (!handle->of->is_tracked) {
        return NULL;
    }
    fp_push_tracked(L);
    lua_pushnil(L);
    while (why == NULL && (one = fp_next_same(L, handle)) != NULL) {
        why = !one->is_owned ? fp_not_consumable(one, 0, is_destroyed)
              : is_destroyed ? "another object owns this %s, which C destroys"
                             : "another object owns this %s, which C takes over";
    }
    lua_settop(L, top);
    return why;
}

/* Closes them, with what was borrowed from them. */
static FP_HELPER void
fp_close_same(lua_State *L, const fp_handle *handle)
{
    int top = lua_gettop(L);
    fp_handle *one = NULL;
    while (handle->of->is_tracked) {
        fp_push_tracked(L);
        lua_pushnil(L);
        do {
            one = fp_next_same(L, handle);
        } while (one != NULL && one->is_closed);
        lua_settop(L, top);
        if (one == NULL) {
            return;
        }
        fp_close_borrowed(L, one, 0);
        fp_close(L, one);
    }
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
            refused.why = fp_not_consumable(fp_consumed_at(&all[i], k), 1, all[i].is_destroyed);
            if (refused.why == NULL) {
                refused.why = fp_not_consumable_same(L, fp_consumed_at(&all[i], k), all[i].is_destroyed);
            }
            if (refused.why != NULL) {
                return refused;
            }
        }
    }
    for (i = 0; i < count; i++) {
        for (k = 0; k < fp_consumed_count(&all[i]); k++) {
            fp_handle *handle = fp_consumed_at(&all[i], k);
            fp_close_borrowed(L, handle, 0);
            fp_close_same(L, handle);
            handle->is_closed = 1;
            handle->is_consumed = !all[i].is_destroyed && handle->of->destroy != NULL;
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
    const fp_param *p = refused->one->param;
    fp_where where = p->where;
    char name[64];
    if (p->dtype == FP_TYPE_HANDLE && refused->one->array != NULL) {
        snprintf(name, sizeof(name), "%.40s[%td]", where.name, refused->k + 1);
        where.name = name;
    }
    fp_error(L, &where, refused->why, fp_last_name(fp_consumed_at(refused->one, refused->k)->of->name));
}

/* Returns an object to the caller. */
static FP_UNUSED void
fp_restore(fp_handle *handle)
{
    if (handle != NULL) {
        handle->pointer = handle->taken;
        handle->is_owned = handle->of->destroy != NULL;
        handle->is_closed = handle->is_consumed = 0;
    }
}

static FP_UNUSED void
fp_restore_all(const fp_array *x)
{
    ptrdiff_t k;
    for (k = 0; x != NULL && k < x->shape[0]; k++) {
        fp_restore(fp_handles_of(x)[k]);
    }
}

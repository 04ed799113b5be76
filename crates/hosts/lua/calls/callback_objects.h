/* Objects that functions of Lua return to C, which takes them over, or uses them as long as it may call the callback.
 *
 * The table of a callback for its results has each object once, with an entry in the list of the callback. An entry of one
 * that outlives its call is a use by the object that retains the callback, or by the module; otherwise it is a pin. */

/* C takes the object over; nil, where it may be, is NULL. Nothing that raises may follow. */
static FP_UNUSED void *
fp_consume_returned(lua_State *L, int slot, int null, const fp_handle_param *p)
{
    fp_not_consumed refused;
    fp_consumed taken[1];
    void *pointer;
    if (null && lua_isnil(L, slot)) {
        return NULL;
    }
    taken[0].handle = fp_take_handle(L, slot, p);
    taken[0].array = NULL;
    taken[0].param = &p->param;
    taken[0].is_destroyed = 0;
    fp_check_consumed(L, taken, 1);
    fp_check_handle(L, taken[0].handle, p);
    pointer = fp_pointer_of(taken[0].handle, p->of);
    fp_pin_handle(taken[0].handle);
    refused = fp_consume(L, taken, 1);
    fp_unpin_handle(taken[0].handle);
    if (refused.why != NULL) {
        fp_refuse_consumed(L, &refused);
    }
    fp_release_pinned(L, taken[0].handle);
    return pointer;
}

/* It is an object of C that exists as long as the one that retains the callback, so nothing has to retain it. */
static FP_HELPER int
fp_exists_with(fp_handle *handle, const fp_handle *by)
{
    const fp_edge *edges = fp_edges(handle);
    int k, is_else = handle->is_owned || handle->callbacks != NULL;
    for (k = 0; k < handle->kept; k++) {
        is_else = is_else || by == NULL || edges[k].owner != by;
    }
    return !is_else;
}

/* The callback that runs retains an object. */
static FP_HELPER void
fp_retain_object(lua_State *L, int slot, fp_handle *handle, fp_callback *callback, int is_kept, const fp_handle_param *p)
{
    const int all = lua_upvalueindex(is_kept ? 4 : 3);
    fp_handle *by = callback->owner;
    fp_used *used;
    luaL_checkstack(L, 4, "an object of a callback");
    if (lua_isnil(L, all)) {
        lua_newtable(L);
        lua_replace(L, all);
    }
    lua_pushvalue(L, slot);
    lua_rawget(L, all);
    used = (fp_used *)lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (used != NULL) {
        return;
    }
    if (by != NULL && fp_depends(handle, by)) {
        fp_error(L, &p->param.where, "it refers to the %s that would retain it, so neither could be released",
                 fp_last_name(by->of->name));
    }
    lua_pushvalue(L, slot);
    used = (fp_used *)fp_new_userdata(L, sizeof(fp_used), 0);
    memset(used, 0, sizeof(*used));
    lua_rawset(L, all);
    fp_check_handle(L, handle, p);
    if (by != NULL) {
        fp_add_edge(&used->edge, by, handle);
    }
    else {
        used->edge.owner = handle;
        handle->uses++;
        handle->module_uses += is_kept;
    }
    used->next = callback->objects;
    callback->objects = used;
}

/* C uses the object; nil, where it may be, is NULL. */
static FP_UNUSED void *
fp_retain_returned_object(lua_State *L, int slot, fp_callback *callback, int is_kept, int null, const fp_handle_param *p)
{
    fp_handle *handle;
    if (null && lua_isnil(L, slot)) {
        return NULL;
    }
    handle = fp_take_handle(L, slot, p);
    if (handle != callback->owner && !fp_exists_with(handle, callback->owner)) {
        fp_retain_object(L, slot, handle, callback, is_kept, p);
    }
    return fp_pointer_of(handle, p->of);
}

/* Another call of C, after one of the same function, may use the objects that the callback has returned then. */
static FP_UNUSED void
fp_pin_used(const fp_callback *callback)
{
    const fp_used *one;
    for (one = callback->objects; one != NULL; one = one->next) {
        fp_pin_handle(one->edge.owner);
    }
}

/* Releases nothing yet: see fp_unpin_handle. */
static FP_UNUSED void
fp_unpin_used(const fp_callback *callback)
{
    const fp_used *one;
    for (one = callback->objects; one != NULL; one = one->next) {
        fp_unpin_handle(one->edge.owner);
    }
}

/* The call no longer needs the objects, which a callback may have closed. */
static FP_UNUSED void
fp_release_used(lua_State *L, const fp_callback *callback)
{
    const fp_used *one;
    for (one = callback->objects; one != NULL; one = one->next) {
        fp_release_pinned(L, one->edge.owner);
    }
}

/* Calls of callbacks by C: a protected call of Lua, on the thread of the call. */

/* Pushes the function that Lua runs for a callback that outlives its call; nil in another independent
 * Lua state. */
static FP_HELPER void
fp_push_kept_callback(lua_State *L, const fp_callback *callback)
{
    int table = LUA_REGISTRYINDEX;
    if (callback->table != NULL) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)callback->table);
        lua_rawget(L, LUA_REGISTRYINDEX);
        if (!lua_istable(L, -1)) {
            return;
        }
        table = lua_gettop(L);
    }
    lua_pushlightuserdata(L, (void *)(uintptr_t)callback);
    lua_rawget(L, table);
    if (callback->table != NULL) {
        lua_remove(L, table);
    }
}

/* Records that C has called a callback where Lua cannot run: in the call that accepted it, or else in the first one of its
 * Lua state that has not returned. */
static FP_COLD int
fp_note_elsewhere(const fp_callback *callback)
{
    const fp_callback *none = NULL;
    fp_running *running = callback->running, *one;
    fp_begin_running();
    for (one = running == NULL ? fp_all_running : NULL; one != NULL; one = one->next) {
        running = one->state == callback->state ? one : running;
    }
    if (running != NULL) {
        __atomic_compare_exchange_n(&running->elsewhere, &none, callback, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    }
    fp_end_running();
    return 0;
}

/* Runs a callback in Lua, with its arguments from C in `frame`. Returns 0 if it fails, or cannot run. */
static FP_UNUSED int
fp_run_callback(const fp_callback *callback, void *frame)
{
    fp_running *here = fp_here, *running;
    lua_State *L;
    int status, level = fp_level;
    if (callback == NULL) {
        return 0;
    }
    running = callback->running != NULL ? callback->running : here;
    if (running == NULL || running != here) {
        return fp_note_elsewhere(callback);
    }
    if (running->failed) {
        return 0;
    }
    L = here->L;
    fp_here = NULL;
    if (callback->running != NULL) {
        lua_pushvalue(L, callback->slot);
    }
    else {
        fp_push_kept_callback(L, callback);
    }
    lua_pushlightuserdata(L, frame);
    fp_level = 2;
    status = lua_pcall(L, 1, 0, 0);
    fp_level = level;
    fp_here = here;
    if (status != 0) {
        lua_replace(L, here->error_at);
        here->failed = 1;
    }
    return status == 0;
}

/* Invalidates arrays of C memory, whatever has retained them. */
static FP_UNUSED void
fp_take_back(fp_storage *const *borrowed, int count)
{
    int k;
    for (k = 0; k < count; k++) {
        if (borrowed[k] != NULL) {
            __atomic_store_n(&borrowed[k]->data, NULL, __ATOMIC_RELEASE);
            fp_storage_release(borrowed[k]);
        }
    }
}

/* Invalidates a handle that C has passed. An object that belongs to the function, as one in a nested value does, stays. */
static FP_HELPER void
fp_take_handle_back(lua_State *L, int slot)
{
    fp_handle *handle = fp_to_any_handle(L, slot);
    if (handle != NULL && !handle->is_owned) {
        handle->is_closed = 1;
    }
}

/* Pushes a copy of a list, which is never modified. */
static FP_HELPER void
fp_copy_list(lua_State *L, int slot)
{
    int i, count = (int)fp_rawlen(L, slot);
    lua_createtable(L, count, 0);
    for (i = 1; i <= count; i++) {
        lua_rawgeti(L, slot, i);
        lua_rawseti(L, -2, i);
    }
}

/* Invalidates each handle in this list. */
static FP_HELPER void
fp_take_list_back(lua_State *L, int slot)
{
    int i, count = (int)fp_rawlen(L, slot);
    for (i = 1; i <= count; i++) {
        lua_rawgeti(L, slot, i);
        fp_take_handle_back(L, lua_gettop(L));
        lua_pop(L, 1);
    }
}

/* Calls the function with the values from 2 to `given` + 1; its results follow them; returns their
 * number, at least `returned`. With `has_objects`, some of the arguments are handles, or tables of them,
 * which are invalidated. With 2, the last result may be one of these. */
static FP_UNUSED int
fp_call_host(lua_State *L, int given, int returned, int has_objects)
{
    int k, status, count, behind = given + 2, lists = 0;
    const fp_handle *last = NULL;
    luaL_checkstack(L, 2 * given + returned + 12, "too many values");
    for (k = 2; has_objects && k < behind; k++) {
        if (lua_istable(L, k)) {
            fp_copy_list(L, k);
            lists++;
        }
    }
    lua_pushvalue(L, lua_upvalueindex(2));
    for (k = 2; k < behind; k++) {
        lua_pushvalue(L, k);
    }
    fp_level = 1;
    if (!has_objects) {
        lua_call(L, given, LUA_MULTRET);
        fp_level = 2;
        count = lua_gettop(L) - behind + 1;
        lua_settop(L, behind - 1 + returned);
        return count;
    }
    status = lua_pcall(L, given, LUA_MULTRET, 0);
    fp_level = 2;
    count = lua_gettop(L) - lists - behind + 1;
    if (status == 0) {
        lua_settop(L, behind + lists - 1 + returned);
        last = has_objects == 2 ? fp_to_any_handle(L, behind + lists - 1 + returned) : NULL;
        last = last != NULL && last->is_closed ? NULL : last;
    }
    for (k = 2; k < behind; k++) {
        fp_take_handle_back(L, k);
    }
    for (k = 0; k < lists; k++) {
        fp_take_list_back(L, behind + k);
    }
    if (status != 0) {
        lua_error(L);
    }
    if (last != NULL && last->is_closed) { /* C receives its object back, by a handle that nothing else has */
        fp_receive_handle(L, fp_push_handle(L, last->of, 0), last->pointer, 0);
        lua_replace(L, -2);
    }
    while (lists-- > 0) {
        lua_remove(L, behind);
    }
    return count;
}

/* Raises an error for fewer values than C requires; `names` lists all that it accepts. */
static FP_UNUSED void
fp_check_values(lua_State *L, int returned, int needed, int count, const char *names, const fp_callback_param *p)
{
    if (FP_UNLIKELY(returned < needed)) {
        fp_error(L, &p->param.where, "must return %d values (%s), returned %d", count, names, returned);
    }
}

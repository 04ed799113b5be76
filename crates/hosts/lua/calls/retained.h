/* Retained arguments: memory and objects that C uses after the call that passed them.
 *
 * They are in the list of an object, or of the module, together with callbacks: see fp_keep_in_handle. A table with the
 * entry of one and with the values that keep its memory is registered for it. */

/* The identity of a parameter in such a list. */
#define FP_AS_KEPT(p) ((const fp_callback_param *)(const void *)(p))

/* Creates an entry for the value on top of the stack, which it replaces by the table. */
static FP_UNUSED fp_callback *
fp_new_kept(lua_State *L, fp_running *running, const fp_key_part *key, int count, const void *p)
{
    size_t size = fp_key_size(key, count);
    fp_callback *made;
    int slot;
    luaL_checkstack(L, 4, "a retained argument");
    lua_createtable(L, 2, 0);
    lua_insert(L, -2);
    lua_rawseti(L, -2, 1);
    slot = lua_gettop(L);
    made = (fp_callback *)fp_new_userdata(L, sizeof(fp_callback) + size, 0);
    memset(made, 0, sizeof(*made));
    made->of = FP_AS_KEPT(p);
    made->running = running;
    made->slot = slot;
    made->key = (char *)(made + 1);
    made->size = size;
    fp_copy_key(made->key, key, count);
    lua_rawseti(L, slot, 2);
    return made;
}

/* A string, or another value with the memory itself. */
static FP_UNUSED fp_callback *
fp_retain_value(lua_State *L, fp_running *running, int slot, const fp_key_part *key, int count, const void *p)
{
    lua_pushvalue(L, slot);
    return fp_new_kept(L, running, key, count, p);
}

/* An array: the value that exports its memory, or the copy that C works on. */
static FP_UNUSED fp_callback *
fp_retain_array(lua_State *L, fp_running *running, fp_array *x, const fp_key_part *key, int count, const fp_param *p)
{
    const fp_tensor *t = NULL;
    fp_callback *made;
    int slot;
    fp_prepare_views(L, x, p);
    slot = x->held & FP_TEMPORARY ? x->temporary : x->slot;
    x->held &= ~FP_TEMPORARY;
    if (slot != 0) {
        lua_pushvalue(L, slot);
        t = fp_to_tensor(L, slot);
    }
    else {
        lua_pushnil(L);
    }
    made = fp_new_kept(L, running, key, count, p);
    made->storage = t == NULL ? NULL : t->storage;
    return made;
}

/* An array of strings: the copy of the table, and the pointers. */
static FP_UNUSED fp_callback *
fp_retain_strings(lua_State *L, fp_running *running, fp_array *x, const fp_key_part *key, int count, const fp_param *p)
{
    if (x->data == NULL) {
        lua_pushnil(L);
        return fp_new_kept(L, running, key, count, p);
    }
    lua_createtable(L, 2, 0);
    lua_pushvalue(L, x->temporary);
    lua_rawseti(L, -2, 1);
    if (x->data == (void *)x->small) {
        size_t size = ((size_t)x->shape[0] + 1) * sizeof(void *);
        x->data = memcpy(fp_new_userdata(L, size, 0), x->small, size);
    }
    else {
        lua_pushvalue(L, x->temporary + 1); /* see fp_take_items */
    }
    lua_rawseti(L, -2, 2);
    return fp_new_kept(L, running, key, count, p);
}

/* ---- Objects ---------------------------------------------------------------------------------------- */

/* The first object depends on the second one, directly or not. */
static FP_HELPER int
fp_depends(const fp_handle *handle, const fp_handle *on)
{
    fp_handle *first = NULL, *one, **last = fp_add_ended(&first, on, 0);
    int depends = 0;
    for (one = first; one != NULL; one = one->ended) {
        last = fp_add_ended(last, one, 0);
    }
    while (first != NULL) {
        one = first;
        depends = depends || one == handle;
        first = one->ended;
        one->ended = NULL;
        one->ended_at = NULL;
    }
    return depends;
}

/* A handle, which is not released before `by`. NULL, for `by`: the module retains it. An object that retains itself
 * needs nothing. */
static FP_UNUSED fp_callback *
fp_retain_handle(lua_State *L, fp_running *running, int slot, fp_handle *handle, fp_handle *by, const fp_key_part *key,
                 int count, const fp_handle_param *p)
{
    fp_callback *made;
    if (handle != NULL && by != NULL && handle != by && fp_depends(handle, by)) {
        fp_error(L, &p->param.where, "it refers to the %s that would retain it, so neither could be released",
                 fp_last_name(by->of->name));
    }
    if (handle == by) {
        lua_pushnil(L);
        return fp_new_kept(L, running, key, count, p);
    }
    made = fp_retain_value(L, running, slot, key, count, p);
    made->edge.owner = handle;
    return made;
}

/* Right before C is called, which creates the object that retains it. */
static FP_UNUSED void
fp_begin_retaining_in_new(lua_State *L, fp_handle *by, fp_callback *kept)
{
    fp_storage *storage = kept->storage;
    kept->storage = NULL;
    fp_keep_in_handle(L, &by->callbacks, kept);
    if (storage != NULL) { /* when the state is closed, a tensor is finalized before an older object */
        fp_storage_retain(storage);
        kept->storage = storage;
    }
}

/* Right before C is called. A finalizer may have closed the object that retains it: that raises next. */
static FP_UNUSED void
fp_begin_retaining_in_handle(lua_State *L, fp_handle *by, fp_callback *kept)
{
    fp_begin_retaining_in_new(L, by, kept);
    if (by->pointer == NULL) {
        fp_drop_callbacks(L, &by->callbacks);
    }
    else if (kept->edge.owner != NULL) {
        fp_add_edge(&kept->edge, by, kept->edge.owner);
    }
}

static FP_UNUSED void
fp_begin_retaining_in_module(lua_State *L, const void *until, fp_callback *kept)
{
    fp_keep_in_module(L, until, kept);
    if (kept->edge.owner != NULL) {
        kept->edge.owner->uses++;
        kept->edge.owner->module_uses++;
    }
}

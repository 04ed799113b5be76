/* Userdata: tensors as Lua values.
 *
 * One metatable serves all modules of a Lua state: the registry's FP_TENSOR_NAME, created by the
 * module that is loaded first. Its metamethods for memory safety are defined here; the methods come from the
 * library `fishplate`, which is loaded at the first access to a method. So a generated module
 * needs no library, and its tensors have methods wherever the library can be found.
 *
 * Every C function that makes or takes tensors is a closure whose first upvalue is the metatable;
 * `fp_set_functions` ensures it. That saves an access to the registry in each check. */

#define FP_TENSOR_NAME "fishplate.tensor.1" /* the number is FP_LAYOUT */
#define FP_METATABLE lua_upvalueindex(1)

/* The tensor of the userdata at `index`, or NULL. */
static FP_HELPER fp_tensor *
fp_userdata_tensor(lua_State *L, int index)
{
    int same;
    if (!lua_getmetatable(L, index)) {
        return NULL;
    }
    same = lua_rawequal(L, -1, FP_METATABLE);
    lua_pop(L, 1);
    return same ? (fp_tensor *)lua_touserdata(L, index) : NULL;
}

/* The tensor at `index`, or NULL. */
static FP_UNUSED fp_tensor *
fp_to_tensor(lua_State *L, int index)
{
    return lua_type(L, index) == LUA_TUSERDATA ? fp_userdata_tensor(L, index) : NULL;
}

/* A finalizer that ran earlier in the same sweep may have passed this tensor to a script, so the
 * remains must not look like a tensor. */
static FP_UNUSED int
fp_collect(lua_State *L)
{
    fp_tensor *t = (fp_tensor *)lua_touserdata(L, 1);
    if (fp_to_tensor(L, 1) != NULL) {
        lua_pushnil(L);
        lua_setmetatable(L, 1);
        if (t->storage != NULL) {
            fp_storage_release(t->storage);
        }
    }
    return 0;
}

/* Pushes a tensor without content; `storage` comes next, and then fp_update_layout. */
static FP_UNUSED fp_tensor *
fp_push_bare(lua_State *L, int dtype, int ndim, int flags)
{
    size_t dims = sizeof(ptrdiff_t) * (size_t)ndim;
    fp_tensor *t =
        (fp_tensor *)fp_new_userdata(L, sizeof(fp_tensor) + 2 * dims, flags & FP_BORROWED);
    t->layout = FP_LAYOUT;
    t->dtype = (uint8_t)dtype;
    t->ndim = (uint8_t)ndim;
    t->flags = (uint16_t)flags;
    t->storage = NULL;
    t->offset = 0;
    t->size = 0;
    t->shape = (ptrdiff_t *)(void *)(t + 1);
    t->strides = t->shape + ndim;
    lua_pushvalue(L, FP_METATABLE);
    lua_setmetatable(L, -2);
    return t;
}

/* The limit on memory of storages before Lua is informed. */
enum { FP_UNTOLD = 256 * 1024 };

/* Lua counts a tensor's userdata and not its storage. Therefore the memory of storages is reported
 * to it now and then, and it collects as if they were objects of its own. The count is shared by
 * all Lua states that use this module: the state that allocates more collects more often. */
static FP_HELPER void
fp_count_bytes(lua_State *L, ptrdiff_t bytes)
{
    static ptrdiff_t untold;
    ptrdiff_t kilobytes;
    if (__atomic_add_fetch(&untold, bytes, __ATOMIC_RELAXED) < FP_UNTOLD && bytes < FP_UNTOLD) {
        return;
    }
    kilobytes = __atomic_exchange_n(&untold, 0, __ATOMIC_RELAXED) / 1024;
    lua_gc(L, LUA_GCSTEP, kilobytes > INT_MAX / 1024 ? INT_MAX / 1024 : (int)kilobytes);
}

/* Pushes a new C-contiguous tensor; fp_bytes has accepted its shape. */
static FP_UNUSED fp_tensor *
fp_push_tensor(lua_State *L, int dtype, int ndim, const ptrdiff_t *shape, fp_contents contents)
{
    ptrdiff_t bytes = fp_bytes(dtype, ndim, shape);
    fp_tensor *t = fp_push_bare(L, dtype, ndim, 0);
    if (ndim > 0) {
        memcpy(t->shape, shape, sizeof(*shape) * (size_t)ndim);
    }
    fp_c_strides(ndim, shape, t->strides);
    t->storage = fp_storage_new((size_t)bytes, contents);
    if (t->storage == NULL) {
        fp_no_memory(L, bytes);
    }
    fp_update_layout(t);
    if (contents != FP_UNFILLED) {
        fp_count_bytes(L, bytes);
    }
    return t;
}

/* Pushes a view on the tensor at `index`; the caller sets shape, strides and offset, and then
 * calls fp_update_layout. */
static FP_UNUSED fp_tensor *
fp_push_view(lua_State *L, int index, int ndim)
{
    const fp_tensor *base = (const fp_tensor *)lua_touserdata(L, index);
    int flags = base->flags & (FP_READONLY | FP_BORROWED);
    fp_tensor *t;
    index = fp_absolute(L, index);
    t = fp_push_bare(L, base->dtype, ndim, flags);
    t->offset = base->offset;
    t->storage = base->storage;
    fp_storage_retain(t->storage);
    if (flags & FP_BORROWED) {
        fp_push_kept(L, index);
        fp_set_kept(L, -2);
    }
    return t;
}

/* Pushes a tensor of this shape, C-contiguous, on a storage that may be another Lua state's. */
static FP_UNUSED fp_tensor *
fp_push_shared(lua_State *L, fp_storage *storage, int dtype, int ndim, const ptrdiff_t *shape)
{
    fp_tensor *t = fp_push_bare(L, dtype, ndim, 0);
    if (ndim > 0) {
        memcpy(t->shape, shape, sizeof(*shape) * (size_t)ndim);
    }
    fp_c_strides(ndim, shape, t->strides);
    fp_storage_retain(storage);
    t->storage = storage;
    fp_update_layout(t);
    return t;
}

/* The first element, followed by its memory. */
static FP_UNUSED char *
fp_fill_data(lua_State *L, const fp_tensor *t)
{
    char *data = fp_storage_data(t->storage);
    if (FP_UNLIKELY(data == NULL)) {
        data = fp_storage_fill(t->storage);
        if (data == NULL) {
            fp_no_memory(L, (ptrdiff_t)t->storage->size);
        }
        fp_count_bytes(L, (ptrdiff_t)t->storage->size);
    }
    return data + t->offset;
}

/* ---- The metatable ---------------------------------------------------------------------------- */

/* Adds functions to the table at -2, each with the metatable at -1 as its first upvalue. */
static FP_UNUSED void
fp_set_functions(lua_State *L, const luaL_Reg *functions)
{
    for (; functions->name != NULL; functions++) {
        lua_pushvalue(L, -1);
        lua_pushcclosure(L, functions->func, 1);
        lua_setfield(L, -3, functions->name);
    }
}

/* Stands for a metamethod of the library until the library is loaded, and then calls it. */
static int
fp_load_library(lua_State *L)
{
    const char *event = lua_tostring(L, lua_upvalueindex(2));
    int count = lua_gettop(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "fishplate");
    lua_call(L, 1, 0);
    lua_getfield(L, FP_METATABLE, event);
    if (lua_tocfunction(L, -1) == fp_load_library || lua_isnil(L, -1)) {
        return luaL_error(L, "a tensor of version %d: the library 'fishplate' is of another version",
                          FP_LAYOUT);
    }
    lua_insert(L, 1);
    lua_call(L, count, LUA_MULTRET);
    return lua_gettop(L);
}

static FP_UNUSED int fp_tensor_buffer(lua_State *L);
static FP_UNUSED int fp_tensor_dlpack(lua_State *L);

/* Pushes the metatable of tensors. */
static FP_UNUSED void
fp_push_metatable(lua_State *L)
{
    static const luaL_Reg functions[] = {{"__gc", fp_collect},
                                         {"__fishplate_buffer", fp_tensor_buffer},
                                         {"__dlpack", fp_tensor_dlpack},
                                         {NULL, NULL}};
    static const char *const events[] = {"__index", "__newindex", "__len", "__tostring", "__eq", NULL};
    const char *const *event;
    lua_getfield(L, LUA_REGISTRYINDEX, FP_TENSOR_NAME);
    if (lua_istable(L, -1)) {
        return;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    for (event = events; *event != NULL; event++) {
        lua_pushvalue(L, -1);
        lua_pushstring(L, *event);
        lua_pushcclosure(L, fp_load_library, 2);
        lua_setfield(L, -2, *event);
    }
    lua_pushvalue(L, -1);
    fp_set_functions(L, functions);
    lua_pop(L, 1);
    lua_pushliteral(L, "fishplate.tensor");
    lua_setfield(L, -2, "__name");
    lua_pushliteral(L, "fishplate.tensor"); /* the result of getmetatable: __gc is not for scripts */
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, FP_TENSOR_NAME);
}

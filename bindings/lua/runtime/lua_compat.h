/* Compat: differences between the versions of Lua, under names of our own. */

#if LUA_VERSION_NUM >= 503
#define FP_LUA_INTEGERS 1 /* numbers have a subtype that is a 64-bit integer */
#else
#define FP_LUA_INTEGERS 0
#endif

#if LUA_VERSION_NUM == 501
/* lua_type of cdata of LuaJIT's FFI. A module for 5.1 may be loaded by LuaJIT, so this is
 * determined at run time, not at compile time. */
#define FP_IS_CDATA(L, index) (lua_type(L, index) == 10)
#define fp_rawlen(L, index) lua_objlen(L, index)
#else
#define FP_IS_CDATA(L, index) ((void)(L), (void)(index), 0)
#define fp_rawlen(L, index) lua_rawlen(L, index)
#endif

/* An index that stays right while the stack grows. */
static FP_UNUSED int
fp_absolute(lua_State *L, int index)
{
    return index > 0 || index <= LUA_REGISTRYINDEX ? index : lua_gettop(L) + 1 + index;
}

/* The length of a list. If an element is nil, LuaJIT counts only the elements before it: `{1,
 * nil, 3}` has length 1. Then it is one more here, so that readers of the elements find the nil, as
 * in other Luas. */
static FP_UNUSED size_t
fp_list_length(lua_State *L, int index)
{
    size_t length = fp_rawlen(L, index);
#if LUA_VERSION_NUM == 501
    int is_longer = 0;
    index = fp_absolute(L, index);
    luaL_checkstack(L, 3, "a list");
    if (length == 0) {
        lua_pushnil(L);
    }
    else {
        lua_pushinteger(L, (lua_Integer)length);
    }
    /* A list has elements after its last number only if that is not the last of all. */
    while (!is_longer && lua_next(L, index) != 0) {
        is_longer = lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) > (lua_Number)length;
        lua_pop(L, is_longer ? 2 : 1);
    }
    length += is_longer;
#endif
    return length;
}

/* A userdata's memory; with `keeps`, it can be given Lua values to keep alive. */
static FP_UNUSED void *
fp_new_userdata(lua_State *L, size_t size, int keeps)
{
#if LUA_VERSION_NUM >= 504
    return lua_newuserdatauv(L, size, keeps ? 1 : 0);
#else
    (void)keeps;
    return lua_newuserdata(L, size);
#endif
}

/* Takes the table on top of the stack; the userdata at `index` keeps it alive. A table and no other
 * value, because Lua 5.1 and 5.2 accept only tables. */
static FP_UNUSED void
fp_set_kept(lua_State *L, int index)
{
#if LUA_VERSION_NUM >= 504
    lua_setiuservalue(L, index, 1);
#elif LUA_VERSION_NUM >= 502
    lua_setuservalue(L, index);
#else
    lua_setfenv(L, index);
#endif
}

static FP_UNUSED void
fp_push_kept(lua_State *L, int index)
{
#if LUA_VERSION_NUM >= 504
    lua_getiuservalue(L, index, 1);
#elif LUA_VERSION_NUM >= 502
    lua_getuservalue(L, index);
#else
    lua_getfenv(L, index);
#endif
}

/* package.loaded[name] */
static FP_UNUSED void
fp_push_loaded(lua_State *L, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, name);
        lua_remove(L, -2);
    }
}

/* Pushes LuaJIT's FFI, or nothing. */
static FP_HELPER int
fp_push_ffi(lua_State *L)
{
    int here, status;
    fp_push_loaded(L, "jit");
    here = lua_istable(L, -1);
    lua_pop(L, 1);
    if (!here) {
        return 0;
    }
    fp_push_loaded(L, "ffi"); /* faster than require, for all calls but the first */
    if (lua_istable(L, -1)) {
        return 1;
    }
    lua_pop(L, 1);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "ffi");
    status = lua_pcall(L, 1, 1, 0);
    if (status == 0 && lua_istable(L, -1)) {
        return 1;
    }
    if (status == LUA_ERRMEM) {
        lua_error(L);
    }
    lua_pop(L, 1);
    return 0;
}

/* Pointers that functions of Lua return to C: strings.
 *
 * A string that C takes over is a copy in memory that the interface's function allocates, made last, so that nothing
 * raises after it. Of other strings, C reads Lua's own memory, so they are retained: by a callback that ends with its call,
 * all until the call returns, since C may compare two of them; by one that outlives its call, the last one, so that
 * they do not accumulate. */

/* The memory of a string; nil, where it may be, is NULL. */
static FP_UNUSED const char *
fp_take_string(lua_State *L, int slot, int null, const fp_param *p)
{
    const char *text = NULL;
    if (!null || !lua_isnil(L, slot)) {
        fp_read_string(L, slot, &text, p);
    }
    return text;
}

/* Copies a string to memory that was allocated for it. */
static FP_UNUSED void
fp_copy_string(lua_State *L, void *to, const char *text, const fp_param *p)
{
    if (text != NULL && to == NULL) {
        fp_error(L, &p->where, "not enough memory");
    }
    if (text != NULL) {
        memcpy(to, text, strlen(text) + 1);
    }
}

/* Retains a value that C uses, in the function that runs. */
static FP_UNUSED void
fp_retain_result(lua_State *L, int slot, int is_kept)
{
    const int at = lua_upvalueindex(is_kept ? 4 : 3);
    if (is_kept) {
        lua_pushvalue(L, slot);
        lua_replace(L, at);
    }
    else if (!lua_isnil(L, slot)) {
        if (lua_isnil(L, at)) {
            lua_newtable(L);
            lua_replace(L, at);
        }
        lua_pushvalue(L, slot);
        lua_pushboolean(L, 1);
        lua_rawset(L, at);
    }
}

/* Strings: Lua's strings to C's `const char *`, and strings that C wrote. */

/* A string up to its terminating NUL, without an embedded one. C uses the string's own memory,
 * which does not move while the string is on the stack. */
static FP_HELPER void
fp_read_string(lua_State *L, int slot, const char **text, const fp_param *p)
{
    size_t length;
    if (lua_type(L, slot) != LUA_TSTRING) {
        fp_wanted(L, &p->where, "a string", slot);
    }
    *text = lua_tolstring(L, slot, &length);
    if (fp_has_nul(*text, length)) {
        fp_error(L, &p->where, "the string contains an embedded NUL");
    }
}

/* The bytes of a string without its NUL; 0 for NULL. */
static FP_UNUSED ptrdiff_t
fp_string_length(const char *text)
{
    return text == NULL ? 0 : (ptrdiff_t)strlen(text);
}

/* Copies a string to `room` bytes, the rest of which are zeros, at least its NUL. */
static FP_UNUSED void
fp_put_string(lua_State *L, char *to, ptrdiff_t room, const char *text, const fp_where *where)
{
    size_t length = strlen(text);
    if (room <= 0 || length >= (size_t)room) {
        fp_error(L, where, FP_STRING_TOO_LONG, (long long)length, (long long)room);
    }
    memcpy(to, text, length);
    memset(to + length, 0, (size_t)room - length);
}

/* Pushes a string that C wrote: up to the first NUL, or all of the memory. */
static FP_UNUSED void
fp_push_written(lua_State *L, const char *text, ptrdiff_t room)
{
    const char *end = (const char *)memchr(text, 0, (size_t)room);
    lua_pushlstring(L, text, end == NULL ? (size_t)room : (size_t)(end - text));
}

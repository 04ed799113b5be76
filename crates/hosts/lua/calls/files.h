/* Files: the stream of a file of Lua's `io` library. C and Lua share it, with its buffer and its position. */

#ifndef LUA_FILEHANDLE /* in lauxlib.h, in some versions */
#define LUA_FILEHANDLE "FILE*"
#endif

enum { FP_TYPE_FILE = 113 };

/* A file of every Lua begins so. Lua 5.2 and later mark a closed file by `closef`, Lua 5.1 and LuaJIT by no stream. */
typedef struct {
    FILE *stream;
#if LUA_VERSION_NUM >= 502
    lua_CFunction closef;
#endif
} fp_lua_file;

/* The file at `slot`, open or closed, or NULL. */
static FP_HELPER const fp_lua_file *
fp_to_file(lua_State *L, int slot)
{
    int same;
    if (lua_type(L, slot) != LUA_TUSERDATA || !lua_getmetatable(L, slot)) {
        return NULL;
    }
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_FILEHANDLE);
    same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? (const fp_lua_file *)lua_touserdata(L, slot) : NULL;
}

static FP_UNUSED int
fp_is_open_file(const fp_lua_file *file)
{
#if LUA_VERSION_NUM >= 502
    return file->closef != NULL;
#else
    return file->stream != NULL;
#endif
}

static FP_UNUSED void
fp_read_file(lua_State *L, int slot, FILE **stream, const fp_param *p)
{
    const fp_lua_file *file = fp_to_file(L, slot);
    if (file == NULL) {
        fp_wanted(L, &p->where, "an open file", slot);
    }
    if (!fp_is_open_file(file)) {
        fp_error(L, &p->where, "this file is closed");
    }
    *stream = file->stream;
}

static inline fp_fit
fp_fit_file(lua_State *L, int slot, const fp_param *p)
{
    if (p->dtype != FP_TYPE_FILE) {
        return FP_FIT_OF_KIND(L, slot, p);
    }
    return fp_to_file(L, slot) != NULL ? FP_EXACT : FP_NO_FIT;
}
#undef FP_FIT_OF_KIND
#define FP_FIT_OF_KIND fp_fit_file

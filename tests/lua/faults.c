/* Makes allocations fail, one at a time: those of Lua and those of the library.
 *
 *     faults SCRIPT
 *
 * runs the script again and again. The k-th allocation fails, once or with all that follow it, until
 * the script's error is caught; k grows until the script passes. Each time the script must fail with
 * "not enough memory" or pass, the library must still work in that state, and after the state is
 * closed, the library must have freed all its memory.
 *
 * Linked with `-Wl,--wrap` for malloc, calloc and free, so that the library's calls come here. MODULES
 * are the modules that are linked to it. */
#include "fishplate_lua.h"

#ifndef MODULES
#define MODULES MODULE(fishplate) MODULE(foreign)
#endif

#include <lualib.h>

static long countdown; /* the k-th allocation from now fails; 0: none */
static int is_sticky;  /* and so do all after it */
static int has_failed;
static long blocks; /* of the library, now */

static int
fails(void)
{
    if (countdown > 0 && --countdown == 0) {
        has_failed = 1;
        countdown = is_sticky ? 1 : 0;
        return 1;
    }
    return 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *block);

void *
__wrap_malloc(size_t size)
{
    void *block = fails() ? NULL : __real_malloc(size);
    blocks += block != NULL;
    return block;
}

void *
__wrap_calloc(size_t count, size_t size)
{
    void *block = fails() ? NULL : __real_calloc(count, size);
    blocks += block != NULL;
    return block;
}

void
__wrap_free(void *block)
{
    blocks -= block != NULL;
    __real_free(block);
}

/* Lua's allocator; LuaJIT accepts only its own. */
static lua_Alloc real_alloc;
static void *real_context;

static void *
alloc(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    /* Shrinking a block must not fail. Before a new block, `old_size` is its type. */
    if (new_size != 0 && (block == NULL || new_size > old_size) && fails()) {
        return NULL;
    }
    return real_alloc(real_context, block, old_size, new_size);
}

static void
require_open(lua_State *L, const char *name, lua_CFunction open)
{
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, open);
    lua_setfield(L, -2, name);
    lua_pop(L, 2);
}

#define MODULE(name) int luaopen_##name(lua_State *L);
MODULES
#undef MODULE
#define MODULE(name) require_open(L, #name, luaopen_##name);

/* Runs the script with one failure. 1: it failed or nothing did; 0: something is wrong. */
static int
run(const char *script, long k)
{
    /* Lua 5.1 remembers a module that failed to load as one that is being loaded. */
    static const char again[] = "if type(package.loaded.fishplate) ~= 'table' then\n"
                                "  package.loaded.fishplate = nil\n"
                                "end\n"
                                "local fp = require 'fishplate'\n"
                                "assert(fp.range(1, 3):view{3, 1}[2][1] == 2)\n"
                                "assert(tostring(fp.zeros(1)) == 'float64[1] {0}')";
    lua_State *L = luaL_newstate();
    int status, is_fine = 1;
    luaL_openlibs(L);
    /* LuaJIT does not survive that loading its FFI fails half-way. */
    if (luaL_loadstring(L, "pcall(require, 'ffi')") != 0 || lua_pcall(L, 0, 0, 0) != 0) {
        return 0;
    }
    MODULES
    status = luaL_loadfile(L, script);
    if (status == 0) {
        real_alloc = lua_getallocf(L, &real_context);
        lua_setallocf(L, alloc, NULL);
        countdown = k;
        has_failed = 0;
        status = lua_pcall(L, 0, 0, 0);
        countdown = 0;
        lua_setallocf(L, real_alloc, real_context);
    }
    if (status != 0 && (!has_failed || lua_tostring(L, -1) == NULL
                        || strstr(lua_tostring(L, -1), "not enough memory") == NULL)) {
        printf("allocation %ld: %s\n", k, lua_tostring(L, -1));
        is_fine = 0;
    }
    if (luaL_loadstring(L, again) != 0 || lua_pcall(L, 0, 0, 0) != 0) {
        printf("after allocation %ld: %s\n", k, lua_tostring(L, -1));
        is_fine = 0;
    }
    lua_close(L);
    if (blocks != 0) {
        printf("allocation %ld: %ld blocks are left\n", k, blocks);
        is_fine = 0;
    }
    return is_fine;
}

int
main(int count, char **arguments)
{
    long k, failures = 0;
    for (is_sticky = 0; count == 2 && is_sticky <= 1; is_sticky++) {
        has_failed = 1;
        for (k = 1; has_failed; k++) {
            if (!run(arguments[1], k)) {
                return 1;
            }
            failures += has_failed;
        }
    }
    printf("%ld failures\n", failures);
    return failures < 100;
}

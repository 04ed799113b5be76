/* Two Lua states on two threads, each in a call of one module that calls back and there calls the other. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>

static void *
work(void *name)
{
    static const char script[] =
        "local one, other = require(({...})[1]), require(({...})[2])\n"
        "for round = 1, 20 do\n"
        "  assert(one.run_alone(function() one.nap(0.005) return other.count() end) >= 0)\n"
        "  assert(one.run_alone(function() return other.run_alone(function() return one.count() end) end) >= 0)\n"
        "  assert(not pcall(one.run_alone, function() error('no') end))\n"
        "end\n";
    const char *first = (const char *)name, *second = first[0] == 'l' ? "right" : "left";
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    luaL_loadstring(L, script);
    lua_pushstring(L, first);
    lua_pushstring(L, second);
    if (lua_pcall(L, 2, 0, 0) != 0) {
        printf("%s\n", lua_tostring(L, -1));
    }
    lua_close(L);
    return NULL;
}

int
main(void)
{
    char names[2][8] = {"left", "right"};
    pthread_t threads[2];
    int k;
    for (k = 0; k < 2; k++) {
        pthread_create(&threads[k], NULL, work, names[k]);
    }
    for (k = 0; k < 2; k++) {
        pthread_join(threads[k], NULL);
    }
    puts("done");
    return 0;
}

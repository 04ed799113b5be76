/* Purpose: the code that every Lua, of any version, needs to load a module.
 * Tests only. */
#include <lua.h>
#include <lauxlib.h>

#if LUA_VERSION_NUM >= 502
#define NEW_MODULE(L, FUNCTIONS) (lua_newtable(L), luaL_setfuncs(L, FUNCTIONS, 0))
#else
#define NEW_MODULE(L, FUNCTIONS) (lua_newtable(L), luaL_register(L, NULL, FUNCTIONS))
#endif

/* Purpose: what every Lua loads a module with, whatever its version.
 * Tests only. */
#include <lua.h>
#include <lauxlib.h>

#if LUA_VERSION_NUM >= 502
#define NEW_MODULE(L, FUNCTIONS) (lua_newtable(L), luaL_setfuncs(L, FUNCTIONS, 0))
#else
#define NEW_MODULE(L, FUNCTIONS) (lua_newtable(L), luaL_register(L, NULL, FUNCTIONS))
#endif

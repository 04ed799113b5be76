#include "module.h"
static long product(int plus, const long *sizes, int n)
{
  long p = 1;
  while(n > 0)
    p *= sizes[--n];
  return p + plus;
}
static int are_numbers(lua_State *L, int idx)
{
  for(; idx <= lua_gettop(L); idx++)
    if(lua_type(L, idx) != LUA_TNUMBER)
      return 0;
  return 1;
}

#ifndef WRAP_INVALID_DEFINED
#define WRAP_INVALID_DEFINED
#ifndef lua_h
#include <lua.h>
#endif
#ifndef lauxlib_h
#include <lauxlib.h>
#endif
#include <string.h>
/* reports the values that were passed, and the expected ones */
static int wrap_invalid(lua_State *L, const char *function, const char *expected)
{
  int i, narg = lua_gettop(L);
  luaL_Buffer got;
  luaL_buffinit(L, &got);
  for(i = 1; i <= narg; i++)
  {
    int type = lua_type(L, i);
    const char *name = lua_typename(L, type);
    if(type == LUA_TFUNCTION || type > LUA_TUSERDATA)
      name = "???";
    else if((type == LUA_TUSERDATA || type == LUA_TTABLE) && lua_getmetatable(L, i))
    {
      lua_rawget(L, LUA_REGISTRYINDEX); /* where Torch keeps names */
      if(lua_type(L, -1) == LUA_TSTRING)
      {
        name = lua_tostring(L, -1);
        name += strncmp(name, "torch.", 6) ? 0 : 6;
      }
      lua_pop(L, 1);
    }
    luaL_addstring(&got, name);
    luaL_addchar(&got, ' ');
  }
  if(narg == 0)
    luaL_addstring(&got, "no arguments provided");
  luaL_pushresult(&got);
  return luaL_error(L, "%s: invalid arguments: %s\nexpected arguments: %s",
                    function, lua_tostring(L, -1), expected);
}
#endif /* WRAP_INVALID_DEFINED */
#ifndef WRAP_CHOICE_2D1A22C9BC_DEFINED
#define WRAP_CHOICE_2D1A22C9BC_DEFINED
static const unsigned char *wrap_choice_2d1a22c9bc(lua_State *L, int narg)
{
  static const unsigned char places[][3] = {
    {1, 0, 1},
    {1, 1, 2}
  };
  int variant = 0;
  if(narg >= 1 && are_numbers(L, 1))
    variant = 1;
  if(!variant && narg >= 2 && lua_isboolean(L, 1) && are_numbers(L, 2))
    variant = 2;
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_2D1A22C9BC_DEFINED */
static int wrapper_product(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  long arg2[8];
  int arg2_n = 0;
  long arg3 = 0;
  const unsigned char *at;
  at = wrap_choice_2d1a22c9bc(L, narg);
  if(!at)
    return wrap_invalid(L, "product", "[int] n1 [n2...]");
  if(at[1])
    arg1 = lua_toboolean(L, 1);
  for(arg2_n = 0; arg2_n < 8 && arg2_n <= narg - at[2]; arg2_n++)
    arg2[arg2_n] = (long)lua_tonumber(L, at[2] + arg2_n);
  arg3 = product(arg1,arg2, arg2_n);
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

#ifndef WRAP_REFUSE_DEFINED
#define WRAP_REFUSE_DEFINED
static void wrap_refuse(lua_State *L, int idx, const char *function, const char *type)
{
  luaL_error(L, "bad argument #%d to '%s' (%s expected, got %s)",
             idx, function, type, lua_tostring(L, idx));
}
#endif /* WRAP_REFUSE_DEFINED */
#ifndef WRAP_INTEGER_DEFINED
#define WRAP_INTEGER_DEFINED
#include <limits.h>
#include <stdint.h>
/* the integer at idx from min to max; nothing is cut off */
static lua_Integer wrap_integer(lua_State *L, int idx, const char *function,
                                const char *type, lua_Integer min, lua_Integer max)
{
  lua_Integer n = lua_tointeger(L, idx);
  if(n < min || n > max || (lua_Number)n != lua_tonumber(L, idx))
    wrap_refuse(L, idx, function, type);
  return n;
}
#endif /* WRAP_INTEGER_DEFINED */
#ifndef WRAP_INT_DEFINED
#define WRAP_INT_DEFINED
#define wrap_int(L, idx, function) \
  ((int)wrap_integer(L, idx, function, "int", INT_MIN, INT_MAX))
#endif /* WRAP_INT_DEFINED */
#ifndef WRAP_CHOICE_486B8A1416_DEFINED
#define WRAP_CHOICE_486B8A1416_DEFINED
static const unsigned char *wrap_choice_486b8a1416(lua_State *L, int narg)
{
  static const unsigned char places[][3] = {
    {1, 1, 2},
    {2, 1, 0}
  };
  int variant = 0;
  if(narg >= 2 && lua_type(L, 1) == LUA_TNUMBER && lua_isboolean(L, 2))
    variant = 1;
  if(!variant && narg >= 1 && are_numbers(L, 1))
    variant = 2;
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_486B8A1416_DEFINED */
static int wrapper_either(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  long arg2[8];
  int arg2_n = 0;
  long arg3 = 0;
  int arg4 = 1000;
  long arg5[8];
  int arg5_n = 0;
  long arg6 = 0;
  const unsigned char *at;
  at = wrap_choice_486b8a1416(L, narg);
  if(!at)
    return wrap_invalid(L, "either", "int n1 [n2...] | n1 [n2...] | n1 [n2...]");
  if(at[0] == 1)
  {
    arg1 = wrap_int(L, 1, "either");
    for(arg2_n = 0; arg2_n < 8 && arg2_n <= narg - 2; arg2_n++)
      arg2[arg2_n] = (long)lua_tonumber(L, 2 + arg2_n);
    arg3 = product(arg1,arg2, arg2_n);
    lua_pushinteger(L, (lua_Integer)arg3);
    return 1;
  }
  else
  {
    for(arg5_n = 0; arg5_n < 8 && arg5_n <= narg - 1; arg5_n++)
      arg5[arg5_n] = (long)lua_tonumber(L, 1 + arg5_n);
    arg6 = product(arg4,arg5, arg5_n);
    lua_pushinteger(L, (lua_Integer)arg6);
    return 1;
  }
}

static const struct luaL_Reg functions [] = {
  {"product", wrapper_product},
  {"either", wrapper_either},
  {NULL, NULL}
};

int luaopen_vararg(lua_State *L) { NEW_MODULE(L, functions); return 1; }
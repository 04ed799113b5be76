#include "module.h"
static lua_State *state;
static int sum(int a, int b, int c, int d, int e, int f, int g, int h,
               int i, int j, int k, int l, int m, int n, int o, int p)
{
  return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p;
}
static void list(int a, int b, int c, int d, int e, int f, int g, int h,
                 int i, int j, int k, int l, int m, int n, int o, int p)
{
  lua_pushfstring(state, "%d %d %d %d %d %d %d %d", a, b, c, d, e, f, g, h);
  lua_pushfstring(state, "%d %d %d %d %d %d %d %d", i, j, k, l, m, n, o, p);
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
static int wrapper_sum(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 2;
  int arg2 = 2;
  int arg3 = 2;
  int arg4 = 2;
  int arg5 = 2;
  int arg6 = 2;
  int arg7 = 2;
  int arg8 = 2;
  int arg9 = 2;
  int arg10 = 2;
  int arg11 = 2;
  int arg12 = 2;
  int arg13 = 2;
  int arg14 = 2;
  int arg15 = 2;
  int arg16 = 2;
  int arg17 = 0;
  if(!(narg <= 16
       && (narg < 1 || lua_type(L, 1) == LUA_TNUMBER)
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)
       && (narg < 3 || lua_type(L, 3) == LUA_TNUMBER)
       && (narg < 4 || lua_type(L, 4) == LUA_TNUMBER)
       && (narg < 5 || lua_type(L, 5) == LUA_TNUMBER)
       && (narg < 6 || lua_type(L, 6) == LUA_TNUMBER)
       && (narg < 7 || lua_type(L, 7) == LUA_TNUMBER)
       && (narg < 8 || lua_type(L, 8) == LUA_TNUMBER)
       && (narg < 9 || lua_type(L, 9) == LUA_TNUMBER)
       && (narg < 10 || lua_type(L, 10) == LUA_TNUMBER)
       && (narg < 11 || lua_type(L, 11) == LUA_TNUMBER)
       && (narg < 12 || lua_type(L, 12) == LUA_TNUMBER)
       && (narg < 13 || lua_type(L, 13) == LUA_TNUMBER)
       && (narg < 14 || lua_type(L, 14) == LUA_TNUMBER)
       && (narg < 15 || lua_type(L, 15) == LUA_TNUMBER)
       && (narg < 16 || lua_type(L, 16) == LUA_TNUMBER)))
    return wrap_invalid(L, "sum", "[int] [int] [int] [int] [int] [int] [int] [int] [int] [int] [int] [int] [int] [int] [int] [int]");
  luaL_checkstack(L, 29, "too many results");
  if(narg >= 1)
    arg1 = wrap_int(L, 1, "sum");
  if(narg >= 2)
    arg2 = wrap_int(L, 2, "sum");
  if(narg >= 3)
    arg3 = wrap_int(L, 3, "sum");
  if(narg >= 4)
    arg4 = wrap_int(L, 4, "sum");
  if(narg >= 5)
    arg5 = wrap_int(L, 5, "sum");
  if(narg >= 6)
    arg6 = wrap_int(L, 6, "sum");
  if(narg >= 7)
    arg7 = wrap_int(L, 7, "sum");
  if(narg >= 8)
    arg8 = wrap_int(L, 8, "sum");
  if(narg >= 9)
    arg9 = wrap_int(L, 9, "sum");
  if(narg >= 10)
    arg10 = wrap_int(L, 10, "sum");
  if(narg >= 11)
    arg11 = wrap_int(L, 11, "sum");
  if(narg >= 12)
    arg12 = wrap_int(L, 12, "sum");
  if(narg >= 13)
    arg13 = wrap_int(L, 13, "sum");
  if(narg >= 14)
    arg14 = wrap_int(L, 14, "sum");
  if(narg >= 15)
    arg15 = wrap_int(L, 15, "sum");
  if(narg == 16)
    arg16 = wrap_int(L, 16, "sum");
  arg17 = sum(arg1,arg2,arg3,arg4,arg5,arg6,arg7,arg8,arg9,arg10,arg11,arg12,arg13,arg14,arg15,arg16);
  lua_pushinteger(L, (lua_Integer)arg17);
  return 1;
}

#ifndef WRAP_CHOICE_8545E9F7AE_DEFINED
#define WRAP_CHOICE_8545E9F7AE_DEFINED
static int wrap_choice_8545e9f7ae(lua_State *L, int narg, unsigned char *at)
{
  int i = 1;
  if(lua_isboolean(L, i))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if((at[1] || at[2]) && lua_isboolean(L, i))
    at[3] = i++;
  if((at[2] || at[3]) && lua_type(L, i) == LUA_TNUMBER)
    at[4] = i++;
  if((at[3] || at[4]) && lua_isboolean(L, i))
    at[5] = i++;
  if((at[4] || at[5]) && lua_type(L, i) == LUA_TNUMBER)
    at[6] = i++;
  if((at[5] || at[6]) && lua_isboolean(L, i))
    at[7] = i++;
  if((at[6] || at[7]) && lua_type(L, i) == LUA_TNUMBER)
    at[8] = i++;
  if((at[7] || at[8]) && lua_isboolean(L, i))
    at[9] = i++;
  if((at[8] || at[9]) && lua_type(L, i) == LUA_TNUMBER)
    at[10] = i++;
  if((at[9] || at[10]) && lua_isboolean(L, i))
    at[11] = i++;
  if((at[10] || at[11]) && lua_type(L, i) == LUA_TNUMBER)
    at[12] = i++;
  if((at[11] || at[12]) && lua_isboolean(L, i))
    at[13] = i++;
  if((at[12] || at[13]) && lua_type(L, i) == LUA_TNUMBER)
    at[14] = i++;
  if((at[13] || at[14]) && lua_isboolean(L, i))
    at[15] = i++;
  if((at[14] || at[15]) && lua_type(L, i) == LUA_TNUMBER)
    at[16] = i++;
  return i == narg + 1;
}
#endif /* WRAP_CHOICE_8545E9F7AE_DEFINED */
static int wrapper_list(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 2;
  int arg2 = 2;
  int arg3 = 2;
  int arg4 = 2;
  int arg5 = 2;
  int arg6 = 2;
  int arg7 = 2;
  int arg8 = 2;
  int arg9 = 2;
  int arg10 = 2;
  int arg11 = 2;
  int arg12 = 2;
  int arg13 = 2;
  int arg14 = 2;
  int arg15 = 2;
  int arg16 = 2;
  unsigned char at[17] = {0};
  int fits;
  fits = wrap_choice_8545e9f7ae(L, narg, at);
  if(!fits)
    return wrap_invalid(L, "list", "[*boolean*] [*int*] [boolean] [int] [boolean] [int] [boolean] [int] [boolean] [int] [boolean] [int] [boolean] [int] [boolean] [int]");
  luaL_checkstack(L, 30, "too many results");
  if(at[1])
    arg1 = lua_toboolean(L, 1);
  if(at[2])
    arg2 = wrap_int(L, at[2], "list");
  if(at[3])
    arg3 = lua_toboolean(L, at[3]);
  if(at[4])
    arg4 = wrap_int(L, at[4], "list");
  if(at[5])
    arg5 = lua_toboolean(L, at[5]);
  if(at[6])
    arg6 = wrap_int(L, at[6], "list");
  if(at[7])
    arg7 = lua_toboolean(L, at[7]);
  if(at[8])
    arg8 = wrap_int(L, at[8], "list");
  if(at[9])
    arg9 = lua_toboolean(L, at[9]);
  if(at[10])
    arg10 = wrap_int(L, at[10], "list");
  if(at[11])
    arg11 = lua_toboolean(L, at[11]);
  if(at[12])
    arg12 = wrap_int(L, at[12], "list");
  if(at[13])
    arg13 = lua_toboolean(L, at[13]);
  if(at[14])
    arg14 = wrap_int(L, at[14], "list");
  if(at[15])
    arg15 = lua_toboolean(L, at[15]);
  if(at[16])
    arg16 = wrap_int(L, at[16], "list");
  list(arg1,arg2,arg3,arg4,arg5,arg6,arg7,arg8,arg9,arg10,arg11,arg12,arg13,arg14,arg15,arg16);
  return 2;
}

static const struct luaL_Reg functions [] = {
  {"sum", wrapper_sum},
  {"list", wrapper_list},
  {NULL, NULL}
};

int luaopen_many_optional(lua_State *L) { state = L; NEW_MODULE(L, functions); return 1; }
#include "module.h"
#include <string.h>
typedef struct { const char *text; size_t length; } slice;
static size_t length_of(const char *text, size_t length) { (void)text; return length; }
static char first_of(slice s) { return s.length ? s.text[0] : '?'; }
static double choose(char option, double x) { return option == 'N' ? -x : x; }
static int shifted(char a, char b, char c, int d)
{
  return (a == 'N') * 1000 + (b == 'N') * 100 + (c == 'N') * 10 + d;
}
static int twice(int *n) { *n *= 2; return *n; }
static int depth = 0;
static int deeper(int a, int b) { return depth * 100 + a * 10 + b; }
static int pair(int a, int b) { return a * 10 + b; }

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
#ifndef WRAP_PUSHWIDE_DEFINED
#define WRAP_PUSHWIDE_DEFINED
#include <stdint.h>
/* for types that lua_Integer may be too narrow for */
static void wrap_pushwide(lua_State *L, lua_Number x, lua_Integer n)
{
  if((lua_Number)n == x)
    lua_pushinteger(L, n);
  else
    lua_pushnumber(L, x);
}
#endif /* WRAP_PUSHWIDE_DEFINED */
static int wrapper_length_of(lua_State *L)
{
  int narg = lua_gettop(L);
  const char *arg1 = NULL;
  size_t arg1_n = 0;
  size_t arg2 = 0;
  if(!(narg <= 1 && (narg < 1 || lua_type(L, 1) == LUA_TSTRING)))
    return wrap_invalid(L, "length_of", "[text]");
  if(narg == 1)
    arg1 = lua_tolstring(L, 1, &arg1_n);
  if(narg == 0)
  {
    arg1 = "four"; arg1_n = strlen(arg1);
  }
  arg2 = length_of(arg1, arg1_n);
  wrap_pushwide(L, (lua_Number)arg2, (lua_Integer)arg2);
  return 1;
}

static int wrapper_first_of(lua_State *L)
{
  int narg = lua_gettop(L);
  const char *arg1 = NULL;
  size_t arg1_n = 0;
  char arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TSTRING))
    return wrap_invalid(L, "first_of", "text");
  arg1 = lua_tolstring(L, 1, &arg1_n);
  arg2 = first_of((slice){arg1, arg1_n});
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_CHOICE_03F4146CD0_DEFINED
#define WRAP_CHOICE_03F4146CD0_DEFINED
static const unsigned char *wrap_choice_03f4146cd0(lua_State *L, int narg, void **values)
{
  static const unsigned char places[][3] = {
    {1, 0, 1},
    {1, 1, 2}
  };
  int type1 = lua_type(L, 1);
  int variant = 0;
  if(narg == 1 && type1 == LUA_TNUMBER)
    variant = 1;
  else if(narg == 2
     && (values[1] = (void *)lua_tostring(L, 1))
     && (!strcmp(((const char *)values[1]), "N") || !strcmp(((const char *)values[1]), "P"))
     && lua_type(L, 2) == LUA_TNUMBER)
    variant = 2;
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_03F4146CD0_DEFINED */
static int wrapper_choose(lua_State *L)
{
  int narg = lua_gettop(L);
  const char *arg1 = NULL;
  double arg2 = 0;
  double arg3 = 0;
  void *values[3] = {NULL};
  const unsigned char *at;
  at = wrap_choice_03f4146cd0(L, narg, values);
  if(!at)
    return wrap_invalid(L, "choose", "[(N|P)] double");
  arg1 = values[at[1]];
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
    arg1 = "P";
  arg3 = choose(*arg1,arg2);
  lua_pushnumber(L, (lua_Number)arg3);
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
#ifndef WRAP_CHOICE_D29808ECCC_DEFINED
#define WRAP_CHOICE_D29808ECCC_DEFINED
static const unsigned char *wrap_choice_d29808eccc(lua_State *L, int narg, void **values)
{
  static const unsigned char places[][5] = {
    {1, 0, 1, 2, 0},
    {1, 1, 2, 3, 0},
    {1, 0, 1, 2, 3},
    {1, 1, 2, 3, 4}
  };
  int type3 = lua_type(L, 3);
  int variant = 0;
  if(narg == 2
     && (values[1] = (void *)lua_tostring(L, 1))
     && (!strcmp(((const char *)values[1]), "N") || !strcmp(((const char *)values[1]), "P"))
     && (values[2] = (void *)lua_tostring(L, 2))
     && (!strcmp(((const char *)values[2]), "N") || !strcmp(((const char *)values[2]), "P")))
    variant = 1;
  else if(narg == 3
     && (values[1] = (void *)lua_tostring(L, 1))
     && (!strcmp(((const char *)values[1]), "N") || !strcmp(((const char *)values[1]), "P"))
     && (values[2] = (void *)lua_tostring(L, 2))
     && (!strcmp(((const char *)values[2]), "N") || !strcmp(((const char *)values[2]), "P")))
  {
    if((values[3] = (void *)lua_tostring(L, 3))
       && (!strcmp(((const char *)values[3]), "N") || !strcmp(((const char *)values[3]), "P")))
      variant = 2;
    if(!variant && type3 == LUA_TNUMBER)
      variant = 3;
  }
  else if(narg == 4
     && (values[1] = (void *)lua_tostring(L, 1))
     && (!strcmp(((const char *)values[1]), "N") || !strcmp(((const char *)values[1]), "P"))
     && (values[2] = (void *)lua_tostring(L, 2))
     && (!strcmp(((const char *)values[2]), "N") || !strcmp(((const char *)values[2]), "P"))
     && (values[3] = (void *)lua_tostring(L, 3))
     && (!strcmp(((const char *)values[3]), "N") || !strcmp(((const char *)values[3]), "P"))
     && lua_type(L, 4) == LUA_TNUMBER)
    variant = 4;
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_D29808ECCC_DEFINED */
static int wrapper_shifted(lua_State *L)
{
  int narg = lua_gettop(L);
  const char *arg1 = NULL;
  const char *arg2 = NULL;
  const char *arg3 = NULL;
  int arg4 = 7;
  int arg5 = 0;
  void *values[5] = {NULL};
  const unsigned char *at;
  at = wrap_choice_d29808eccc(L, narg, values);
  if(!at)
    return wrap_invalid(L, "shifted", "[(N|P)] (N|P) (N|P) [int]");
  arg1 = values[at[1]];
  arg2 = values[at[2]];
  arg3 = values[at[3]];
  if(at[4])
    arg4 = wrap_int(L, at[4], "shifted");
  if(!at[1])
    arg1 = "P";
  arg5 = shifted(*arg1,*arg2,*arg3,arg4);
  lua_pushinteger(L, (lua_Integer)arg5);
  return 1;
}

#ifndef WRAP_CHOICE_D094A06E18_DEFINED
#define WRAP_CHOICE_D094A06E18_DEFINED
static const unsigned char *wrap_choice_d094a06e18(lua_State *L, int narg, void **values)
{
  static const unsigned char places[][2] = {
    {1, 1},
    {2, 1}
  };
  int type1 = lua_type(L, 1);
  int variant = 0;
  if(narg == 1)
  {
    if((values[1] = (void *)lua_tostring(L, 1))
       && (!strcmp(((const char *)values[1]), "N") || !strcmp(((const char *)values[1]), "5")))
      variant = 1;
    if(!variant && type1 == LUA_TNUMBER)
      variant = 2;
  }
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_D094A06E18_DEFINED */
static int wrapper_option_or_number(lua_State *L)
{
  int narg = lua_gettop(L);
  const char *arg1 = NULL;
  double arg2 = 1;
  double arg3 = 0;
  const char *arg4 = NULL;
  double arg5 = 0;
  double arg6 = 0;
  void *values[2] = {NULL};
  const unsigned char *at;
  at = wrap_choice_d094a06e18(L, narg, values);
  if(!at)
    return wrap_invalid(L, "option_or_number", "(N|5) | double");
  if(at[0] == 1)
  {
    arg1 = values[1];
    arg3 = choose(*arg1,arg2);
    lua_pushnumber(L, (lua_Number)arg3);
    return 1;
  }
  else
  {
    arg5 = lua_tonumber(L, 1);
    arg4 = "N";
    arg6 = choose(*arg4,arg5);
    lua_pushnumber(L, (lua_Number)arg6);
    return 1;
  }
}

static int wrapper_truth(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  int arg2 = 7;
  int arg3 = 0;
  if(!(narg >= 1
       && narg <= 2
       && (lua_isnil(L, 1) || lua_isboolean(L, 1))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "truth", "int [int]");
  arg1 = lua_toboolean(L, 1);
  if(narg == 2)
    arg2 = wrap_int(L, 2, "truth");
  arg3 = pair(arg1,arg2);
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

static int wrapper_twice(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  int arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "twice", "*int*");
  arg1 = wrap_int(L, 1, "twice");
  depth = arg2 = twice(&arg1);
  lua_pushinteger(L, arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 2;
}

static int wrapper_deeper(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  int arg2 = 0;
  int arg3 = 0;
  if(!(narg == 2 && lua_type(L, 1) == LUA_TNUMBER && lua_type(L, 2) == LUA_TNUMBER))
    return wrap_invalid(L, "deeper", "int int");
  arg1 = wrap_int(L, 1, "deeper");
  arg2 = wrap_int(L, 2, "deeper");
  if(arg2 >= 0) { depth++;
  arg3 = deeper(arg1,arg2);
  depth--; }
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

static int wrapper_depth(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  int arg2 = 0;
  int arg3 = 0;
  if(!(narg == 0))
    return wrap_invalid(L, "depth", "");
  arg1 = depth;
  arg2 = depth;
  arg3 = pair(arg1,arg2);
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

static int wrapper_parity(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  int arg2 = 0;
  int arg3 = 0;
  int arg4 = 0;
  int arg5 = 1;
  int arg6 = 0;
  int variant = 0;
  if(narg == 1 && lua_type(L, 1) == LUA_TNUMBER)
  {
    if((arg1 = (int)lua_tonumber(L, 1)) % 2 == 0)
      variant = 1;
    if(!variant)
      variant = 2;
  }
  if(!variant)
    return wrap_invalid(L, "parity", "even | int");
  if(variant == 1)
  {
    arg3 = pair(arg1,arg2);
    lua_pushinteger(L, (lua_Integer)arg3);
    return 1;
  }
  else
  {
    arg4 = wrap_int(L, 1, "parity");
    arg6 = pair(arg4,arg5);
    lua_pushinteger(L, (lua_Integer)arg6);
    return 1;
  }
}

static const struct luaL_Reg functions [] = {
  {"length_of", wrapper_length_of},
  {"first_of", wrapper_first_of},
  {"choose", wrapper_choose},
  {"shifted", wrapper_shifted},
  {"option_or_number", wrapper_option_or_number},
  {"truth", wrapper_truth},
  {"twice", wrapper_twice},
  {"deeper", wrapper_deeper},
  {"depth", wrapper_depth},
  {"parity", wrapper_parity},
  {NULL, NULL}
};

int luaopen_user_types(lua_State *L) { NEW_MODULE(L, functions); return 1; }
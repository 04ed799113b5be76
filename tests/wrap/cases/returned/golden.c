#include "luaT.h"
#include "module.h"

static int sum_into(THDoubleTensor *r, int a, THDoubleTensor *t, double b, long c)
{
  tensor_resize(r, t->nDimension, t->size);
  tensor_add(r, t, a + b + c);
  return a + 1;
}
static THDoubleTensor *first(THDoubleTensor *t, THDoubleTensor *other)
{
  (void)other;
  return t;
}
static double scaled(double x, double by, double plus) { return x * by + plus; }
static THDoubleTensor *nothing(void) { return NULL; }

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
#ifndef WRAP_INDEX_DEFINED
#define WRAP_INDEX_DEFINED
#define wrap_index(L, idx, function) \
  ((long)wrap_integer(L, idx, function, "index", LONG_MIN + 1, LONG_MAX))
#endif /* WRAP_INDEX_DEFINED */
#ifndef WRAP_OWN_DEFINED
#define WRAP_OWN_DEFINED
/* pushes an empty box for a tensor of Torch, and its metatable: memory is allocated
 * before there is a tensor to lose, and an empty box is not freed */
static void **wrap_box(lua_State *L, const void *id)
{
  static char nothing;
  luaT_pushudata(L, &nothing, id);
  lua_getmetatable(L, -1);
  lua_pushnil(L);
  lua_setmetatable(L, -3);
  return lua_touserdata(L, -2);
}
/* makes a tensor that is the stack's */
#define wrap_own(L, arg, made, id) \
  do { void **box = wrap_box(L, id); *box = arg = made; lua_setmetatable(L, -2); } while(0)
#endif /* WRAP_OWN_DEFINED */
#ifndef WRAP_CHOICE_6EC33235F6_DEFINED
#define WRAP_CHOICE_6EC33235F6_DEFINED
static int wrap_choice_6ec33235f6(lua_State *L, int narg, void **values, unsigned char *at, const void *class1)
{
  int i = 1;
  if((values[i] = luaT_toudata(L, i, class1)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if((at[1] || at[2]) && (values[i] = luaT_toudata(L, i, class1)))
    at[3] = i++;
  if((at[2] || at[3]) && lua_type(L, i) == LUA_TNUMBER)
    at[4] = i++;
  if(at[4] && lua_type(L, i) == LUA_TNUMBER)
    at[5] = i++;
  return i == narg + 1 && at[2] && at[3];
}
#endif /* WRAP_CHOICE_6EC33235F6_DEFINED */
static int wrapper_sum_into(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  int arg2 = 0;
  THDoubleTensor *arg3 = NULL;
  int arg3_idx = 0;
  double arg4 = 2;
  long arg5 = 2;
  int arg6 = 0;
  void *values[6] = {NULL};
  unsigned char at[6] = {0};
  int fits;
  fits = wrap_choice_6ec33235f6(L, narg, values, at, torch_DoubleTensor_id);
  if(!fits)
    return wrap_invalid(L, "sum_into", "[*DoubleTensor*] *int* *DoubleTensor* [*double*] [*index*]");
  arg1 = values[at[1]];
  arg3 = values[at[3]];
  if(at[1])
    arg1_idx = 1;
  arg2 = wrap_int(L, at[2], "sum_into");
  arg3_idx = at[3];
  if(at[4])
    arg4 = lua_tonumber(L, at[4]);
  if(at[5])
    arg5 = wrap_index(L, at[5], "sum_into") - 1;
  if(!at[1])
  {
    wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  lua_pushinteger(L, (lua_Integer)arg2);
  lua_pushvalue(L, arg3_idx);
  lua_pushnumber(L, (lua_Number)arg4);
  lua_pushinteger(L, (lua_Integer)arg5 + 1);
  arg6 = sum_into(arg1,arg2,arg3,arg4,arg5);
  lua_pushinteger(L, (lua_Integer)arg6);
  return 6;
}

static int wrapper_first(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  THDoubleTensor *arg2 = NULL;
  THDoubleTensor *arg3 = NULL;
  int arg3_idx = 0;
  if(!(narg >= 1
       && narg <= 2
       && (arg2 = luaT_toudata(L, 1, torch_DoubleTensor_id))
       && (narg < 2 || (arg3 = luaT_toudata(L, 2, torch_DoubleTensor_id)))))
    return wrap_invalid(L, "first", "DoubleTensor [*DoubleTensor*]");
  if(narg == 2)
    arg3_idx = 2;
  if(narg == 1)
    arg3 = arg2;
  if(arg3_idx)
    lua_pushvalue(L, arg3_idx);
  else
  {
    luaT_pushudata(L, arg3, torch_DoubleTensor_id);
    THDoubleTensor_retain(arg3);
  }
  arg1 = first(arg2,arg3);
  luaT_pushudata(L, arg1, torch_DoubleTensor_id);
  if(arg1)
    THDoubleTensor_retain(arg1);
  return 2;
}

static int wrapper_scaled(lua_State *L)
{
  int narg = lua_gettop(L);
  double arg1 = 0;
  double arg2 = 0;
  double arg3 = 10;
  double arg4 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "scaled", "double");
  arg2 = lua_tonumber(L, 1);
  arg4 = arg2 / 2;
  arg1 = scaled(arg2,arg3,arg4);
  lua_pushnumber(L, (lua_Number)arg1);
  return 1;
}

static int wrapper_nothing(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  if(!(narg == 0))
    return wrap_invalid(L, "nothing", "");
  arg1 = nothing();
  luaT_pushudata(L, arg1, torch_DoubleTensor_id);
  if(arg1)
    THDoubleTensor_retain(arg1);
  return 1;
}

static const struct luaL_Reg functions [] = {
  {"sum_into", wrapper_sum_into},
  {"first", wrapper_first},
  {"scaled", wrapper_scaled},
  {"nothing", wrapper_nothing},
  {NULL, NULL}
};

int luaopen_returned(lua_State *L) { NEW_MODULE(L, functions); luaT_open(L); return 1; }
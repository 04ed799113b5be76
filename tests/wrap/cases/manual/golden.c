#include "luaT.h"
#include "module.h"
#include <math.h>

static int numel(THDoubleTensor *t)
{
  return (int)tensor_numel(t);
}

static void THDoubleTensor_cos(THDoubleTensor *r, THDoubleTensor *t)
{
  long i;
  tensor_resize(r, t->nDimension, t->size);
  for(i = 0; i < tensor_numel(t); i++)
    r->data[i] = cos(t->data[i]);
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
static int wrapper_numel(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg2 = 0;
  if(!(narg == 1 && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id))))
    return wrap_invalid(L, "numel", "DoubleTensor");
  arg2 = numel(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

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
#ifndef WRAP_CHOICE_1B1F63D130_DEFINED
#define WRAP_CHOICE_1B1F63D130_DEFINED
static const unsigned char *wrap_choice_1b1f63d130(lua_State *L, int narg, void **values, const void *class1)
{
  static const unsigned char places[][3] = {
    {1, 0, 1},
    {1, 1, 2},
    {2, 1, 0}
  };
  int variant = 0;
  if(narg == 1)
  {
    if(lua_type(L, 1) == LUA_TNUMBER)
      variant = 3;
    else if((values[1] = luaT_toudata(L, 1, class1)))
      variant = 1;
  }
  else if(narg == 2
     && (values[1] = luaT_toudata(L, 1, class1))
     && (values[2] = luaT_toudata(L, 2, class1)))
    variant = 2;
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_1B1F63D130_DEFINED */
static int my_own_naming_cos(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 0;
  double arg4 = 0;
  void *values[3] = {NULL};
  const unsigned char *at;
  at = wrap_choice_1b1f63d130(L, narg, values, torch_DoubleTensor_id);
  if(!at)
    return wrap_invalid(L, "cos", "[*DoubleTensor*] DoubleTensor | double");
  if(at[0] == 1)
  {
    arg1 = values[at[1]];
    arg2 = values[at[2]];
    if(at[1])
      arg1_idx = 1;
    if(!at[1])
    {
      wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
      arg1_idx = lua_gettop(L);
    }
    lua_pushvalue(L, arg1_idx);
    THDoubleTensor_cos(arg1,arg2);
    return 1;
  }
  else
  {
    arg4 = lua_tonumber(L, 1);
    arg3 = cos(arg4);
    lua_pushnumber(L, (lua_Number)arg3);
    return 1;
  }
}

static const struct luaL_Reg myfuncs [] = {
  {"numel", wrapper_numel},
  {"cos", my_own_naming_cos},
  {NULL, NULL}
};

int luaopen_manual(lua_State *L)
{
  NEW_MODULE(L, myfuncs);
  luaT_open(L);
  return 1;
}
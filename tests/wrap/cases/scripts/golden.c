#include "luaT.h"
#include "module.h"
static void fill(void *context, Tensor *r, double x)
{
  long size = 2;
  tensor_resize(r, 1, &size);
  tensor_add(r, r, x + (context != NULL));
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
#ifndef WRAP_CHOICE_ED27DFEE23_DEFINED
#define WRAP_CHOICE_ED27DFEE23_DEFINED
static int wrap_choice_ed27dfee23(lua_State *L, int narg, void **values, unsigned char *at, const void *class1)
{
  int i = 1;
  if((values[i] = luaT_toudata(L, i, class1)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  return i == narg + 1;
}
#endif /* WRAP_CHOICE_ED27DFEE23_DEFINED */
/* found */
static int wrapper_fill(lua_State *L)
{
  int narg = lua_gettop(L);
  void *default_arg1 = L;
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 7;
  void *values[3] = {NULL};
  unsigned char at[3] = {0};
  int fits;
  fits = wrap_choice_ed27dfee23(L, narg, values, at, torch_DoubleTensor_id);
  if(!fits)
    return wrap_invalid(L, "fill", "[*DoubleTensor*] [double]");
  arg1 = values[at[1]];
  if(at[1])
    arg1_idx = 1;
  if(at[2])
    arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(default_arg1,arg1,arg2);
  return 1;
}

static int try_fill(lua_State *L)
{
  return wrapper_fill(L);
}

static const struct luaL_Reg tried [] = {
  {"fill", try_fill},
  {NULL, NULL}
};
static int m_fill(lua_State *L)
{
  int narg = lua_gettop(L);
  void *default_arg1 = L;
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 8;
  if(!(narg >= 1
       && narg <= 2
       && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "fill", "*DoubleTensor* [double]");
  arg1_idx = 1;
  if(narg == 2)
    arg2 = lua_tonumber(L, 2);
  lua_pushvalue(L, arg1_idx);
  fill(default_arg1,arg1,arg2);
  return 1;
}

static const struct luaL_Reg methods [] = {
  {"fill", m_fill},
  {NULL, NULL}
};

int luaopen_scripts(lua_State *L)
{
  NEW_MODULE(L, tried);
  NEW_MODULE(L, methods);
  lua_setfield(L, -2, "methods");
  luaT_open(L);
  return 1;
}
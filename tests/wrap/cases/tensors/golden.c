#include "luaT.h"
#include "module.h"

static lua_State *state;
static void fill(Tensor *r, double x)
{
  long size = 2;
  tensor_resize(r, 1, &size);
  tensor_add(r, r, x);
}
static void add(Tensor *r, Tensor *t, double x, Tensor *u)
{
  long i;
  if(tensor_numel(t) != tensor_numel(u))
    luaL_error(state, "sizes differ");
  if(r != t)
    tensor_resize(r, t->nDimension, t->size);
  for(i = 0; i < tensor_numel(t); i++)
    r->data[i] = t->data[i] + x * u->data[i];
}
static double rank(Tensor *t) { return t->nDimension; }
static double both(Tensor *t, Tensor *u) { return t->nDimension * 10 + u->nDimension; }
static double pick(Tensor *t, Tensor *index) { return t->data[(long)index->data[0]]; }
static void where(Tensor *r, Tensor *t)
{
  tensor_resize(r, t->nDimension, t->size);
  tensor_add(r, r, t->data[0]);
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
#endif
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
#endif
static int wrapper_fillByte(lua_State *L)
{
  int narg = lua_gettop(L);
  THByteTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  int at[3] = {0}, i = 1;
  if((arg1 = luaT_toudata(L, i, torch_ByteTensor_id)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(i != narg + 1 || !at[2])
    return wrap_invalid(L, "fillByte", "[*ByteTensor*] double");
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THByteTensor_new(), torch_ByteTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}

static int wrapper_fillChar(lua_State *L)
{
  int narg = lua_gettop(L);
  THCharTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  int at[3] = {0}, i = 1;
  if((arg1 = luaT_toudata(L, i, torch_CharTensor_id)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(i != narg + 1 || !at[2])
    return wrap_invalid(L, "fillChar", "[*CharTensor*] double");
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THCharTensor_new(), torch_CharTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}

static int wrapper_fillShort(lua_State *L)
{
  int narg = lua_gettop(L);
  THShortTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  int at[3] = {0}, i = 1;
  if((arg1 = luaT_toudata(L, i, torch_ShortTensor_id)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(i != narg + 1 || !at[2])
    return wrap_invalid(L, "fillShort", "[*ShortTensor*] double");
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THShortTensor_new(), torch_ShortTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}

static int wrapper_fillInt(lua_State *L)
{
  int narg = lua_gettop(L);
  THIntTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  int at[3] = {0}, i = 1;
  if((arg1 = luaT_toudata(L, i, torch_IntTensor_id)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(i != narg + 1 || !at[2])
    return wrap_invalid(L, "fillInt", "[*IntTensor*] double");
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THIntTensor_new(), torch_IntTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}

static int wrapper_fillLong(lua_State *L)
{
  int narg = lua_gettop(L);
  THLongTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  int at[3] = {0}, i = 1;
  if((arg1 = luaT_toudata(L, i, torch_LongTensor_id)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(i != narg + 1 || !at[2])
    return wrap_invalid(L, "fillLong", "[*LongTensor*] double");
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THLongTensor_new(), torch_LongTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}

static int wrapper_fillFloat(lua_State *L)
{
  int narg = lua_gettop(L);
  THFloatTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  int at[3] = {0}, i = 1;
  if((arg1 = luaT_toudata(L, i, torch_FloatTensor_id)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(i != narg + 1 || !at[2])
    return wrap_invalid(L, "fillFloat", "[*FloatTensor*] double");
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THFloatTensor_new(), torch_FloatTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}

static int wrapper_fillDouble(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  int at[3] = {0}, i = 1;
  if((arg1 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(i != narg + 1 || !at[2])
    return wrap_invalid(L, "fillDouble", "[*DoubleTensor*] double");
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}

static int wrapper_fillTensor(lua_State *L)
{
  int narg = lua_gettop(L);
  THTensor *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  int at[3] = {0}, i = 1;
  if(i < narg && (arg1 = luaT_toudata(L, i, torch_(Tensor_id))))
    at[1] = i++;
  if(i == narg && lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(!at[2])
    return wrap_invalid(L, "fillTensor", "[*Tensor*] double");
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    wrap_own(L, arg1, THTensor_(new)(), torch_(Tensor_id));
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}

static int wrapper_add(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  int variant = 0;
  if(narg == 2
     && (arg2 = luaT_toudata(L, 1, torch_DoubleTensor_id))
     && (arg4 = luaT_toudata(L, 2, torch_DoubleTensor_id)))
    variant = 1;
  else if(narg == 3 && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id)))
  {
    if(lua_type(L, 2) == LUA_TNUMBER && (arg4 = luaT_toudata(L, 3, torch_DoubleTensor_id)))
    {
      arg2 = arg1;
      variant = 3;
    }
    else if((arg2 = luaT_toudata(L, 2, torch_DoubleTensor_id))
       && (arg4 = luaT_toudata(L, 3, torch_DoubleTensor_id)))
      variant = 2;
  }
  else if(narg == 4
     && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id))
     && (arg2 = luaT_toudata(L, 2, torch_DoubleTensor_id))
     && lua_type(L, 3) == LUA_TNUMBER
     && (arg4 = luaT_toudata(L, 4, torch_DoubleTensor_id)))
    variant = 4;
  if(!variant)
    return wrap_invalid(L, "add", "[*DoubleTensor*] DoubleTensor [double] DoubleTensor");
  if(variant == 2 || variant == 4)
    arg1_idx = 1;
  if(variant == 3)
    arg3 = lua_tonumber(L, 2);
  if(variant == 4)
    arg3 = lua_tonumber(L, 3);
  if(variant == 1 || variant == 3)
  {
    wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  add(arg1,arg2,arg3,arg4);
  return 1;
}

static int wrapper_add_to(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  int at[5] = {0}, i = narg >= 1 && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id)) ? 2 : narg + 2;
  if(i < narg && (arg2 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[2] = i++;
  if(i < narg && lua_type(L, i) == LUA_TNUMBER)
    at[3] = i++;
  if(i == narg && (arg4 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[4] = i++;
  if(!at[4])
    return wrap_invalid(L, "add_to", "*DoubleTensor* [DoubleTensor] [double] DoubleTensor");
  arg1_idx = 1;
  if(at[3])
    arg3 = lua_tonumber(L, at[3]);
  if(!at[2])
    arg2 = arg1;
  lua_pushvalue(L, arg1_idx);
  add(arg1,arg2,arg3,arg4);
  return 1;
}

static int wrapper_add_new(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  int at[4] = {0}, i = 1;
  if(i <= narg - 2 && (arg1 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[1] = i++;
  if(i == narg - 1 && (arg2 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[2] = i++;
  if(at[2] && (arg4 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[3] = i++;
  if(!at[3])
    return wrap_invalid(L, "add_new", "[*DoubleTensor*] DoubleTensor DoubleTensor");
  if(at[1])
    arg1_idx = 1;
  if(!at[1])
  {
    wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
    arg1_idx = lua_gettop(L);
    fill(arg1, 0);
  }
  fill(arg1, 0);
  if(arg1_idx)
    lua_pushvalue(L, arg1_idx);
  else
    luaT_pushudata(L, arg1, torch_DoubleTensor_id);
  add(arg1,arg2,arg3,arg4);
  return 1;
}

static int wrapper_add_own(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  if(!(narg == 2
       && (arg2 = luaT_toudata(L, 1, torch_DoubleTensor_id))
       && (arg4 = luaT_toudata(L, 2, torch_DoubleTensor_id))))
    return wrap_invalid(L, "add_own", "DoubleTensor DoubleTensor");
  arg1 = THDoubleTensor_new();
  luaT_pushudata(L, arg1, torch_DoubleTensor_id);
  (void)arg1_idx;
  add(arg1,arg2,arg3,arg4);
  return 1;
}

static int wrapper_add_init(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  int at[4] = {0}, i = 1;
  if(i <= narg - 2 && (arg1 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[1] = i++;
  if(i == narg - 1 && (arg2 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[2] = i++;
  if(at[2] && (arg4 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[3] = i++;
  if(!at[3])
    return wrap_invalid(L, "add_init", "[*DoubleTensor*] DoubleTensor DoubleTensor");
  if(at[1])
    arg1_idx = 1;
  if(!at[1])
    arg1 = tensor_clone(arg2);
  if(arg1_idx)
    lua_pushvalue(L, arg1_idx);
  else
    luaT_pushudata(L, arg1, torch_DoubleTensor_id);
  add(arg1,arg2,arg3,arg4);
  return 1;
}

static int wrapper_add_nothing(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  if(!(narg == 2
       && (arg2 = luaT_toudata(L, 1, torch_DoubleTensor_id))
       && (arg4 = luaT_toudata(L, 2, torch_DoubleTensor_id))))
    return wrap_invalid(L, "add_nothing", "DoubleTensor DoubleTensor");
  wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
  add(arg1,arg2,arg3,arg4);
  return 0;
}

static int wrapper_rank(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 0;
  THDoubleTensor *arg4 = NULL;
  THDoubleTensor *arg5 = NULL;
  double arg6 = 0;
  THDoubleTensor *arg7 = NULL;
  double arg8 = 0;
  THDoubleTensor *arg9 = NULL;
  double arg10 = 0;
  int variant = 0;
  if(narg == 2
     && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id))
     && (arg1->nDimension == 2)
     && (arg2 = luaT_toudata(L, 2, torch_DoubleTensor_id)))
  {
    if(arg2->nDimension == 2)
      variant = 1;
    if(!variant && (arg2->nDimension == 1))
    {
      arg5 = arg2;
      arg4 = arg1;
      variant = 2;
    }
  }
  else if(narg == 1 && (arg7 = luaT_toudata(L, 1, torch_DoubleTensor_id)))
  {
    if(arg7->nDimension == 2)
      variant = 3;
    if(!variant)
    {
      arg9 = arg7;
      variant = 4;
    }
  }
  if(!variant)
    return wrap_invalid(L, "rank", "DoubleTensor~2D DoubleTensor~2D | DoubleTensor~2D DoubleTensor~1D | DoubleTensor~2D | DoubleTensor");
  if(variant == 1)
  {
    arg3 = both(arg1,arg2);
    lua_pushnumber(L, (lua_Number)arg3);
    return 1;
  }
  else if(variant == 2)
  {
    arg6 = both(arg4,arg5);
    lua_pushnumber(L, (lua_Number)arg6);
    return 1;
  }
  else if(variant == 3)
  {
    arg8 = rank(arg7);
    lua_pushnumber(L, (lua_Number)arg8);
    return 1;
  }
  else
  {
    arg10 = rank(arg9);
    lua_pushnumber(L, (lua_Number)arg10);
    return 1;
  }
}

static int wrapper_pick(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  THLongTensor *arg2 = NULL;
  double arg3 = 0;
  if(!(narg == 2
       && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id))
       && (arg2 = luaT_toudata(L, 2, torch_LongTensor_id))))
    return wrap_invalid(L, "pick", "DoubleTensor LongTensor");
  wrap_own(L, arg2, THLongTensor_newClone(arg2), torch_LongTensor_id);
  lua_replace(L, 2);
  THLongTensor_add(arg2, arg2, -1);
  arg3 = pick(arg1,arg2);
  lua_pushnumber(L, (lua_Number)arg3);
  return 1;
}

static int wrapper_pick_raw(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  THLongTensor *arg2 = NULL;
  double arg3 = 0;
  if(!(narg == 2
       && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id))
       && (arg2 = luaT_toudata(L, 2, torch_LongTensor_id))))
    return wrap_invalid(L, "pick_raw", "DoubleTensor LongTensor");
  arg3 = pick(arg1,arg2);
  lua_pushnumber(L, (lua_Number)arg3);
  return 1;
}

static int wrapper_where(lua_State *L)
{
  int narg = lua_gettop(L);
  THLongTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  int at[3] = {0}, i = 1;
  if((arg1 = luaT_toudata(L, i, torch_LongTensor_id)))
    at[1] = i++;
  if((arg2 = luaT_toudata(L, i, torch_DoubleTensor_id)))
    at[2] = i++;
  if(i != narg + 1 || !at[2])
    return wrap_invalid(L, "where", "[*LongTensor*] DoubleTensor");
  if(at[1])
    arg1_idx = 1;
  if(!at[1])
  {
    wrap_own(L, arg1, THLongTensor_new(), torch_LongTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  where(arg1,arg2);
  THLongTensor_add(arg1, arg1, 1);
  return 1;
}

static const struct luaL_Reg functions [] = {
  {"fillByte", wrapper_fillByte},
  {"fillChar", wrapper_fillChar},
  {"fillShort", wrapper_fillShort},
  {"fillInt", wrapper_fillInt},
  {"fillLong", wrapper_fillLong},
  {"fillFloat", wrapper_fillFloat},
  {"fillDouble", wrapper_fillDouble},
  {"fillTensor", wrapper_fillTensor},
  {"add", wrapper_add},
  {"add_to", wrapper_add_to},
  {"add_new", wrapper_add_new},
  {"add_own", wrapper_add_own},
  {"add_init", wrapper_add_init},
  {"add_nothing", wrapper_add_nothing},
  {"rank", wrapper_rank},
  {"pick", wrapper_pick},
  {"pick_raw", wrapper_pick_raw},
  {"where", wrapper_where},
  {NULL, NULL}
};

int luaopen_tensors(lua_State *L)
{
  state = L;
  NEW_MODULE(L, functions);
  luaT_open(L);
  return 1;
}
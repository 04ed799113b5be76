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
#ifndef WRAP_CHOICE_9FD3D0F20A_DEFINED
#define WRAP_CHOICE_9FD3D0F20A_DEFINED
static int wrap_choice_9fd3d0f20a(lua_State *L, int narg, void **values, unsigned char *at, const void *class1)
{
  int i = 1;
  if((values[i] = luaT_toudata(L, i, class1)))
    at[1] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  return i == narg + 1 && at[2];
}
#endif /* WRAP_CHOICE_9FD3D0F20A_DEFINED */
static int wrap_body_0806fbe564(lua_State *L, int which1);
static int wrapper_fillByte(lua_State *L)
{
  return wrap_body_0806fbe564(L, 0);
}

static int wrapper_fillChar(lua_State *L)
{
  return wrap_body_0806fbe564(L, 1);
}

static int wrapper_fillShort(lua_State *L)
{
  return wrap_body_0806fbe564(L, 2);
}

static int wrapper_fillInt(lua_State *L)
{
  return wrap_body_0806fbe564(L, 3);
}

static int wrapper_fillLong(lua_State *L)
{
  return wrap_body_0806fbe564(L, 4);
}

static int wrapper_fillFloat(lua_State *L)
{
  return wrap_body_0806fbe564(L, 5);
}

static int wrapper_fillDouble(lua_State *L)
{
  return wrap_body_0806fbe564(L, 6);
}

#ifndef WRAP_CHOICE_30EC980D16_DEFINED
#define WRAP_CHOICE_30EC980D16_DEFINED
static int wrap_choice_30ec980d16(lua_State *L, int narg, void **values, unsigned char *at, const void *class1)
{
  int i = 1;
  if(i < narg && (values[i] = luaT_toudata(L, i, class1)))
    at[1] = i++;
  if(i == narg && lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  return at[2];
}
#endif /* WRAP_CHOICE_30EC980D16_DEFINED */
static int wrap_body_0806fbe564(lua_State *L, int which1)
{
  static const char *const text1[] = {
    "[*ByteTensor*] double",
    "[*CharTensor*] double",
    "[*ShortTensor*] double",
    "[*IntTensor*] double",
    "[*LongTensor*] double",
    "[*FloatTensor*] double",
    "[*DoubleTensor*] double",
    "[*Tensor*] double"
  };
  static const char *const text2[] = {
    "fillByte",
    "fillChar",
    "fillShort",
    "fillInt",
    "fillLong",
    "fillFloat",
    "fillDouble",
    "fillTensor"
  };
  int narg = lua_gettop(L);
  void *arg1 = NULL;
  int arg1_idx = 0;
  double arg2 = 0;
  void *values[3] = {NULL};
  unsigned char at[3] = {0};
  int fits;
  switch(which1)
  {
    case 0: fits = wrap_choice_9fd3d0f20a(L, narg, values, at, torch_ByteTensor_id); break;
    case 1: fits = wrap_choice_9fd3d0f20a(L, narg, values, at, torch_CharTensor_id); break;
    case 2: fits = wrap_choice_9fd3d0f20a(L, narg, values, at, torch_ShortTensor_id); break;
    case 3: fits = wrap_choice_9fd3d0f20a(L, narg, values, at, torch_IntTensor_id); break;
    case 4: fits = wrap_choice_9fd3d0f20a(L, narg, values, at, torch_LongTensor_id); break;
    case 5: fits = wrap_choice_9fd3d0f20a(L, narg, values, at, torch_FloatTensor_id); break;
    case 6: fits = wrap_choice_9fd3d0f20a(L, narg, values, at, torch_DoubleTensor_id); break;
    default: fits = wrap_choice_30ec980d16(L, narg, values, at, torch_(Tensor_id));
  }
  if(!fits)
    return wrap_invalid(L, text2[which1], text1[which1]);
  arg1 = values[at[1]];
  if(at[1])
    arg1_idx = 1;
  arg2 = lua_tonumber(L, at[2]);
  if(!at[1])
  {
    switch(which1)
    {
      case 0: wrap_own(L, arg1, THByteTensor_new(), torch_ByteTensor_id); break;
      case 1: wrap_own(L, arg1, THCharTensor_new(), torch_CharTensor_id); break;
      case 2: wrap_own(L, arg1, THShortTensor_new(), torch_ShortTensor_id); break;
      case 3: wrap_own(L, arg1, THIntTensor_new(), torch_IntTensor_id); break;
      case 4: wrap_own(L, arg1, THLongTensor_new(), torch_LongTensor_id); break;
      case 5: wrap_own(L, arg1, THFloatTensor_new(), torch_FloatTensor_id); break;
      case 6: wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id); break;
      default: wrap_own(L, arg1, THTensor_(new)(), torch_(Tensor_id));
    }
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  fill(arg1,arg2);
  return 1;
}
static int wrapper_fillTensor(lua_State *L)
{
  return wrap_body_0806fbe564(L, 7);
}

#ifndef WRAP_CHOICE_3C684F5934_DEFINED
#define WRAP_CHOICE_3C684F5934_DEFINED
static const unsigned char *wrap_choice_3c684f5934(lua_State *L, int narg, void **values, const void *class1)
{
  static const unsigned char places[][5] = {
    {1, 0, 1, 0, 2},
    {1, 1, 2, 0, 3},
    {1, 0, 1, 2, 3},
    {1, 1, 2, 3, 4}
  };
  int variant = 0;
  if(narg == 2
     && (values[1] = luaT_toudata(L, 1, class1))
     && (values[2] = luaT_toudata(L, 2, class1)))
    variant = 1;
  else if(narg == 3 && (values[1] = luaT_toudata(L, 1, class1)))
  {
    if(lua_type(L, 2) == LUA_TNUMBER
       && (values[3] = luaT_toudata(L, 3, class1)))
      variant = 3;
    else if((values[2] = luaT_toudata(L, 2, class1))
       && (values[3] = luaT_toudata(L, 3, class1)))
      variant = 2;
  }
  else if(narg == 4
     && (values[1] = luaT_toudata(L, 1, class1))
     && (values[2] = luaT_toudata(L, 2, class1))
     && lua_type(L, 3) == LUA_TNUMBER
     && (values[4] = luaT_toudata(L, 4, class1)))
    variant = 4;
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_3C684F5934_DEFINED */
static int wrapper_add(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  void *values[5] = {NULL};
  const unsigned char *at;
  at = wrap_choice_3c684f5934(L, narg, values, torch_DoubleTensor_id);
  if(!at)
    return wrap_invalid(L, "add", "[*DoubleTensor*] DoubleTensor [double] DoubleTensor");
  arg1 = values[at[1]];
  arg2 = values[at[2]];
  arg4 = values[at[4]];
  if(at[1])
    arg1_idx = 1;
  if(at[3])
    arg3 = lua_tonumber(L, at[3]);
  if(!at[1])
  {
    wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  add(arg1,arg2,arg3,arg4);
  return 1;
}

#ifndef WRAP_CHOICE_96189FFC25_DEFINED
#define WRAP_CHOICE_96189FFC25_DEFINED
static int wrap_choice_96189ffc25(lua_State *L, int narg, void **values, unsigned char *at, const void *class1)
{
  int i = 2;
  if(!(narg >= 1 && (values[1] = luaT_toudata(L, 1, class1))))
    return 0;
  if(i < narg && (values[i] = luaT_toudata(L, i, class1)))
    at[2] = i++;
  if(i < narg && lua_type(L, i) == LUA_TNUMBER)
    at[3] = i++;
  if(i == narg && (values[i] = luaT_toudata(L, i, class1)))
    at[4] = i++;
  return at[4];
}
#endif /* WRAP_CHOICE_96189FFC25_DEFINED */
static int wrapper_add_to(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  void *values[5] = {NULL};
  unsigned char at[5] = {0};
  int fits;
  fits = wrap_choice_96189ffc25(L, narg, values, at, torch_DoubleTensor_id);
  if(!fits)
    return wrap_invalid(L, "add_to", "*DoubleTensor* [DoubleTensor] [double] DoubleTensor");
  arg1 = values[1];
  arg2 = values[at[2]];
  arg4 = values[at[4]];
  arg1_idx = 1;
  if(at[3])
    arg3 = lua_tonumber(L, at[3]);
  if(!at[2])
    arg2 = arg1;
  lua_pushvalue(L, arg1_idx);
  add(arg1,arg2,arg3,arg4);
  return 1;
}

#ifndef WRAP_CHOICE_C3A67666FE_DEFINED
#define WRAP_CHOICE_C3A67666FE_DEFINED
static int wrap_choice_c3a67666fe(lua_State *L, int narg, void **values, unsigned char *at, const void *class1)
{
  int i = 1;
  if(i <= narg - 2 && (values[i] = luaT_toudata(L, i, class1)))
    at[1] = i++;
  if(i == narg - 1 && (values[i] = luaT_toudata(L, i, class1)))
    at[2] = i++;
  if(at[2] && (values[i] = luaT_toudata(L, i, class1)))
    at[3] = i++;
  return at[3];
}
#endif /* WRAP_CHOICE_C3A67666FE_DEFINED */
static int wrapper_add_new(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  double arg3 = 1;
  THDoubleTensor *arg4 = NULL;
  void *values[4] = {NULL};
  unsigned char at[4] = {0};
  int fits;
  fits = wrap_choice_c3a67666fe(L, narg, values, at, torch_DoubleTensor_id);
  if(!fits)
    return wrap_invalid(L, "add_new", "[*DoubleTensor*] DoubleTensor DoubleTensor");
  arg1 = values[at[1]];
  arg2 = values[at[2]];
  arg4 = values[at[3]];
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
  void *values[4] = {NULL};
  unsigned char at[4] = {0};
  int fits;
  fits = wrap_choice_c3a67666fe(L, narg, values, at, torch_DoubleTensor_id);
  if(!fits)
    return wrap_invalid(L, "add_init", "[*DoubleTensor*] DoubleTensor DoubleTensor");
  arg1 = values[at[1]];
  arg2 = values[at[2]];
  arg4 = values[at[3]];
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

#ifndef WRAP_CHOICE_93A4CCDF40_DEFINED
#define WRAP_CHOICE_93A4CCDF40_DEFINED
static const unsigned char *wrap_choice_93a4ccdf40(lua_State *L, int narg, void **values, const void *class1, long (*field1)(void *), long wanted1, long wanted2)
{
  static const unsigned char places[][3] = {
    {1, 1, 2},
    {2, 1, 2},
    {3, 1, 0},
    {4, 1, 0}
  };
  int variant = 0;
  if(narg == 2
     && (values[1] = luaT_toudata(L, 1, class1))
     && (field1(values[1]) == wanted1)
     && (values[2] = luaT_toudata(L, 2, class1)))
  {
    if(field1(values[2]) == wanted1)
      variant = 1;
    if(!variant && (field1(values[2]) == wanted2))
      variant = 2;
  }
  else if(narg == 1 && (values[1] = luaT_toudata(L, 1, class1)))
  {
    if(field1(values[1]) == wanted1)
      variant = 3;
    if(!variant)
      variant = 4;
  }
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_93A4CCDF40_DEFINED */
#ifndef WRAP_FIELD_35FCDAF734_DEFINED
#define WRAP_FIELD_35FCDAF734_DEFINED
static long wrap_field_35fcdaf734(void *value)
{
  return ((THDoubleTensor *)value)->nDimension;
}
#endif /* WRAP_FIELD_35FCDAF734_DEFINED */
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
  void *values[3] = {NULL};
  const unsigned char *at;
  at = wrap_choice_93a4ccdf40(L, narg, values, torch_DoubleTensor_id, wrap_field_35fcdaf734, 2, 1);
  if(!at)
    return wrap_invalid(L, "rank", "DoubleTensor~2D DoubleTensor~2D | DoubleTensor~2D DoubleTensor~1D | DoubleTensor~2D | DoubleTensor");
  if(at[0] == 1)
  {
    arg1 = values[1];
    arg2 = values[2];
    arg3 = both(arg1,arg2);
    lua_pushnumber(L, (lua_Number)arg3);
    return 1;
  }
  else if(at[0] == 2)
  {
    arg4 = values[1];
    arg5 = values[2];
    arg6 = both(arg4,arg5);
    lua_pushnumber(L, (lua_Number)arg6);
    return 1;
  }
  else if(at[0] == 3)
  {
    arg7 = values[1];
    arg8 = rank(arg7);
    lua_pushnumber(L, (lua_Number)arg8);
    return 1;
  }
  else
  {
    arg9 = values[1];
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

#ifndef WRAP_CHOICE_9604A72D80_DEFINED
#define WRAP_CHOICE_9604A72D80_DEFINED
static int wrap_choice_9604a72d80(lua_State *L, int narg, void **values, unsigned char *at, const void *class1, const void *class2)
{
  int i = 1;
  if((values[i] = luaT_toudata(L, i, class1)))
    at[1] = i++;
  if((values[i] = luaT_toudata(L, i, class2)))
    at[2] = i++;
  return i == narg + 1 && at[2];
}
#endif /* WRAP_CHOICE_9604A72D80_DEFINED */
static int wrapper_where(lua_State *L)
{
  int narg = lua_gettop(L);
  THLongTensor *arg1 = NULL;
  int arg1_idx = 0;
  THDoubleTensor *arg2 = NULL;
  void *values[3] = {NULL};
  unsigned char at[3] = {0};
  int fits;
  fits = wrap_choice_9604a72d80(L, narg, values, at, torch_LongTensor_id, torch_DoubleTensor_id);
  if(!fits)
    return wrap_invalid(L, "where", "[*LongTensor*] DoubleTensor");
  arg1 = values[at[1]];
  arg2 = values[at[2]];
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
#include "luaT.h"
#include "module.h"
#include <string.h>

static void combine(Tensor *r, Tensor *t, double x)
{
  if(r != t)
    tensor_resize(r, t->nDimension, t->size);
  tensor_add(r, t, x);
}
static void THByteTensor_plus(THByteTensor *r, THByteTensor *t, unsigned char x) { combine(r, t, (double)x); }
static void THByteTensor_minus(THByteTensor *r, THByteTensor *t, unsigned char x) { combine(r, t, -(double)x); }
static unsigned char THByteTensor_first(THByteTensor *t, unsigned char x) { return (unsigned char)(t->data[0] + (double)x); }
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
#ifndef WRAP_UCHAR_DEFINED
#define WRAP_UCHAR_DEFINED
#define wrap_uchar(L, idx, function) \
  ((unsigned char)wrap_integer(L, idx, function, "unsigned char", 0, UCHAR_MAX))
#endif /* WRAP_UCHAR_DEFINED */
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
#ifndef WRAP_CHOICE_4AD70397F8_DEFINED
#define WRAP_CHOICE_4AD70397F8_DEFINED
static const unsigned char *wrap_choice_4ad70397f8(lua_State *L, int narg, void **values, const void *class1)
{
  static const unsigned char places[][4] = {
    {1, 0, 1, 0},
    {1, 1, 2, 0},
    {1, 0, 1, 2},
    {1, 1, 2, 3}
  };
  int variant = 0;
  if(narg == 1 && (values[1] = luaT_toudata(L, 1, class1)))
    variant = 1;
  else if(narg == 2 && (values[1] = luaT_toudata(L, 1, class1)))
  {
    if(lua_type(L, 2) == LUA_TNUMBER)
      variant = 3;
    else if((values[2] = luaT_toudata(L, 2, class1)))
      variant = 2;
  }
  else if(narg == 3
     && (values[1] = luaT_toudata(L, 1, class1))
     && (values[2] = luaT_toudata(L, 2, class1))
     && lua_type(L, 3) == LUA_TNUMBER)
    variant = 4;
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_4AD70397F8_DEFINED */
static int wrap_body_1d38280d58(lua_State *L, int which1, int which2, int which3);
static int ByteTensor_plus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 0, 0, 0);
}

static int ByteTensor_minus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 0, 1, 1);
}

static int ByteTensor_first(lua_State *L)
{
  int narg = lua_gettop(L);
  THByteTensor *arg1 = NULL;
  unsigned char arg2 = 1;
  unsigned char arg3 = 0;
  if(!(narg >= 1
       && narg <= 2
       && (arg1 = luaT_toudata(L, 1, torch_ByteTensor_id))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "first", "ByteTensor [unsigned char]");
  if(narg == 2)
    arg2 = wrap_uchar(L, 2, "first");
  arg3 = THByteTensor_first(arg1,arg2);
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

#ifndef WRAP_CHOICE_3503C877EF_DEFINED
#define WRAP_CHOICE_3503C877EF_DEFINED
static const unsigned char *wrap_choice_3503c877ef(lua_State *L, int narg, void **values, const void *class1, long (*field1)(void *), long wanted1, long wanted2)
{
  static const unsigned char places[][3] = {
    {1, 1, 0},
    {1, 1, 2},
    {2, 1, 0},
    {2, 1, 2}
  };
  int variant = 0;
  int test1 = -1;
  if(narg == 1 && (values[1] = luaT_toudata(L, 1, class1)))
  {
    if(field1(values[1]) == wanted1)
      variant = 1;
    if(!variant && (field1(values[1]) == wanted2))
      variant = 3;
  }
  else if(narg == 2 && (values[1] = luaT_toudata(L, 1, class1)))
  {
    if((field1(values[1]) == wanted1)
       && (test1 < 0 ? (test1 = (lua_type(L, 2) == LUA_TNUMBER) != 0) : test1))
      variant = 2;
    if(!variant
       && (field1(values[1]) == wanted2)
       && (test1 < 0 ? (test1 = (lua_type(L, 2) == LUA_TNUMBER) != 0) : test1))
      variant = 4;
  }
  return variant ? places[variant - 1] : NULL;
}
#endif /* WRAP_CHOICE_3503C877EF_DEFINED */
#ifndef WRAP_FIELD_53BAF7845B_DEFINED
#define WRAP_FIELD_53BAF7845B_DEFINED
static long wrap_field_53baf7845b(void *value)
{
  return ((THByteTensor *)value)->nDimension;
}
#endif /* WRAP_FIELD_53BAF7845B_DEFINED */
static int wrap_body_9082b4a2d3(lua_State *L, int which1);
static int ByteTensor_rank(lua_State *L)
{
  return wrap_body_9082b4a2d3(L, 0);
}

#ifndef WRAP_CHOICE_B2A4BB5466_DEFINED
#define WRAP_CHOICE_B2A4BB5466_DEFINED
static int wrap_choice_b2a4bb5466(lua_State *L, int narg, void **values, unsigned char *at, const void *class1)
{
  int i = 2;
  if(!(narg >= 1 && (values[1] = luaT_toudata(L, 1, class1))))
    return 0;
  if((values[i] = luaT_toudata(L, i, class1)))
    at[2] = i++;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[3] = i++;
  return i == narg + 1;
}
#endif /* WRAP_CHOICE_B2A4BB5466_DEFINED */
static int wrap_body_997064b32d(lua_State *L, int which1, int which2, int which3);
static int m_ByteTensor_plus(lua_State *L)
{
  return wrap_body_997064b32d(L, 0, 0, 0);
}

static int m_ByteTensor_minus(lua_State *L)
{
  return wrap_body_997064b32d(L, 0, 1, 1);
}

static const struct luaL_Reg m_ByteTensor_list [] = {
  {"plus", m_ByteTensor_plus},
  {"minus", m_ByteTensor_minus},
  {NULL, NULL}
};

static const struct luaL_Reg ByteTensor_list [] = {
  {"plus", ByteTensor_plus},
  {"minus", ByteTensor_minus},
  {"first", ByteTensor_first},
  {"rank", ByteTensor_rank},
  {NULL, NULL}
};

static void THCharTensor_plus(THCharTensor *r, THCharTensor *t, char x) { combine(r, t, (double)x); }
static void THCharTensor_minus(THCharTensor *r, THCharTensor *t, char x) { combine(r, t, -(double)x); }
static char THCharTensor_first(THCharTensor *t, char x) { return (char)(t->data[0] + (double)x); }
#ifndef WRAP_CHAR_DEFINED
#define WRAP_CHAR_DEFINED
#define wrap_char(L, idx, function) \
  ((char)wrap_integer(L, idx, function, "char", CHAR_MIN, CHAR_MAX))
#endif /* WRAP_CHAR_DEFINED */
static int CharTensor_plus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 1, 0, 2);
}

static int CharTensor_minus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 1, 1, 3);
}

static int CharTensor_first(lua_State *L)
{
  int narg = lua_gettop(L);
  THCharTensor *arg1 = NULL;
  char arg2 = 1;
  char arg3 = 0;
  if(!(narg >= 1
       && narg <= 2
       && (arg1 = luaT_toudata(L, 1, torch_CharTensor_id))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "first", "CharTensor [char]");
  if(narg == 2)
    arg2 = wrap_char(L, 2, "first");
  arg3 = THCharTensor_first(arg1,arg2);
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

#ifndef WRAP_FIELD_3AAB00B599_DEFINED
#define WRAP_FIELD_3AAB00B599_DEFINED
static long wrap_field_3aab00b599(void *value)
{
  return ((THCharTensor *)value)->nDimension;
}
#endif /* WRAP_FIELD_3AAB00B599_DEFINED */
static int CharTensor_rank(lua_State *L)
{
  return wrap_body_9082b4a2d3(L, 1);
}

static int m_CharTensor_plus(lua_State *L)
{
  return wrap_body_997064b32d(L, 1, 0, 2);
}

static int m_CharTensor_minus(lua_State *L)
{
  return wrap_body_997064b32d(L, 1, 1, 3);
}

static const struct luaL_Reg m_CharTensor_list [] = {
  {"plus", m_CharTensor_plus},
  {"minus", m_CharTensor_minus},
  {NULL, NULL}
};

static const struct luaL_Reg CharTensor_list [] = {
  {"plus", CharTensor_plus},
  {"minus", CharTensor_minus},
  {"first", CharTensor_first},
  {"rank", CharTensor_rank},
  {NULL, NULL}
};

static void THShortTensor_plus(THShortTensor *r, THShortTensor *t, short x) { combine(r, t, (double)x); }
static void THShortTensor_minus(THShortTensor *r, THShortTensor *t, short x) { combine(r, t, -(double)x); }
static short THShortTensor_first(THShortTensor *t, short x) { return (short)(t->data[0] + (double)x); }
#ifndef WRAP_SHORT_DEFINED
#define WRAP_SHORT_DEFINED
#define wrap_short(L, idx, function) \
  ((short)wrap_integer(L, idx, function, "short", SHRT_MIN, SHRT_MAX))
#endif /* WRAP_SHORT_DEFINED */
static int ShortTensor_plus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 2, 0, 4);
}

static int ShortTensor_minus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 2, 1, 5);
}

static int ShortTensor_first(lua_State *L)
{
  int narg = lua_gettop(L);
  THShortTensor *arg1 = NULL;
  short arg2 = 1;
  short arg3 = 0;
  if(!(narg >= 1
       && narg <= 2
       && (arg1 = luaT_toudata(L, 1, torch_ShortTensor_id))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "first", "ShortTensor [short]");
  if(narg == 2)
    arg2 = wrap_short(L, 2, "first");
  arg3 = THShortTensor_first(arg1,arg2);
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

#ifndef WRAP_FIELD_C20AA5158D_DEFINED
#define WRAP_FIELD_C20AA5158D_DEFINED
static long wrap_field_c20aa5158d(void *value)
{
  return ((THShortTensor *)value)->nDimension;
}
#endif /* WRAP_FIELD_C20AA5158D_DEFINED */
static int ShortTensor_rank(lua_State *L)
{
  return wrap_body_9082b4a2d3(L, 2);
}

static int m_ShortTensor_plus(lua_State *L)
{
  return wrap_body_997064b32d(L, 2, 0, 4);
}

static int m_ShortTensor_minus(lua_State *L)
{
  return wrap_body_997064b32d(L, 2, 1, 5);
}

static const struct luaL_Reg m_ShortTensor_list [] = {
  {"plus", m_ShortTensor_plus},
  {"minus", m_ShortTensor_minus},
  {NULL, NULL}
};

static const struct luaL_Reg ShortTensor_list [] = {
  {"plus", ShortTensor_plus},
  {"minus", ShortTensor_minus},
  {"first", ShortTensor_first},
  {"rank", ShortTensor_rank},
  {NULL, NULL}
};

static void THIntTensor_plus(THIntTensor *r, THIntTensor *t, int x) { combine(r, t, (double)x); }
static void THIntTensor_minus(THIntTensor *r, THIntTensor *t, int x) { combine(r, t, -(double)x); }
static int THIntTensor_first(THIntTensor *t, int x) { return (int)(t->data[0] + (double)x); }
#ifndef WRAP_INT_DEFINED
#define WRAP_INT_DEFINED
#define wrap_int(L, idx, function) \
  ((int)wrap_integer(L, idx, function, "int", INT_MIN, INT_MAX))
#endif /* WRAP_INT_DEFINED */
static int IntTensor_plus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 3, 0, 6);
}

static int IntTensor_minus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 3, 1, 7);
}

static int IntTensor_first(lua_State *L)
{
  int narg = lua_gettop(L);
  THIntTensor *arg1 = NULL;
  int arg2 = 1;
  int arg3 = 0;
  if(!(narg >= 1
       && narg <= 2
       && (arg1 = luaT_toudata(L, 1, torch_IntTensor_id))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "first", "IntTensor [int]");
  if(narg == 2)
    arg2 = wrap_int(L, 2, "first");
  arg3 = THIntTensor_first(arg1,arg2);
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

#ifndef WRAP_FIELD_5154570CA9_DEFINED
#define WRAP_FIELD_5154570CA9_DEFINED
static long wrap_field_5154570ca9(void *value)
{
  return ((THIntTensor *)value)->nDimension;
}
#endif /* WRAP_FIELD_5154570CA9_DEFINED */
static int IntTensor_rank(lua_State *L)
{
  return wrap_body_9082b4a2d3(L, 3);
}

static int m_IntTensor_plus(lua_State *L)
{
  return wrap_body_997064b32d(L, 3, 0, 6);
}

static int m_IntTensor_minus(lua_State *L)
{
  return wrap_body_997064b32d(L, 3, 1, 7);
}

static const struct luaL_Reg m_IntTensor_list [] = {
  {"plus", m_IntTensor_plus},
  {"minus", m_IntTensor_minus},
  {NULL, NULL}
};

static const struct luaL_Reg IntTensor_list [] = {
  {"plus", IntTensor_plus},
  {"minus", IntTensor_minus},
  {"first", IntTensor_first},
  {"rank", IntTensor_rank},
  {NULL, NULL}
};

static void THLongTensor_plus(THLongTensor *r, THLongTensor *t, long x) { combine(r, t, (double)x); }
static void THLongTensor_minus(THLongTensor *r, THLongTensor *t, long x) { combine(r, t, -(double)x); }
static long THLongTensor_first(THLongTensor *t, long x) { return (long)(t->data[0] + (double)x); }
#ifndef WRAP_LONG_DEFINED
#define WRAP_LONG_DEFINED
#define wrap_long(L, idx, function) \
  ((long)wrap_integer(L, idx, function, "long", LONG_MIN, LONG_MAX))
#endif /* WRAP_LONG_DEFINED */
static int LongTensor_plus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 4, 0, 8);
}

static int wrap_body_1d38280d58(lua_State *L, int which1, int which2, int which3)
{
  static const char *const text1[] = {
    "[*ByteTensor*] ByteTensor [unsigned char]",
    "[*CharTensor*] CharTensor [char]",
    "[*ShortTensor*] ShortTensor [short]",
    "[*IntTensor*] IntTensor [int]",
    "[*LongTensor*] LongTensor [long]"
  };
  static const char *const text2[] = {
    "plus",
    "minus"
  };
  int narg = lua_gettop(L);
  void *arg1 = NULL;
  int arg1_idx = 0;
  void *arg2 = NULL;
  long arg3 = 1;
  void *values[4] = {NULL};
  const unsigned char *at;
  switch(which1)
  {
    case 0: at = wrap_choice_4ad70397f8(L, narg, values, torch_ByteTensor_id); break;
    case 1: at = wrap_choice_4ad70397f8(L, narg, values, torch_CharTensor_id); break;
    case 2: at = wrap_choice_4ad70397f8(L, narg, values, torch_ShortTensor_id); break;
    case 3: at = wrap_choice_4ad70397f8(L, narg, values, torch_IntTensor_id); break;
    default: at = wrap_choice_4ad70397f8(L, narg, values, torch_LongTensor_id);
  }
  if(!at)
    return wrap_invalid(L, text2[which2], text1[which1]);
  arg1 = values[at[1]];
  arg2 = values[at[2]];
  if(at[1])
    arg1_idx = 1;
  if(at[3])
    switch(which1)
    {
      case 0: arg3 = wrap_uchar(L, at[3], text2[which2]); break;
      case 1: arg3 = wrap_char(L, at[3], text2[which2]); break;
      case 2: arg3 = wrap_short(L, at[3], text2[which2]); break;
      case 3: arg3 = wrap_int(L, at[3], text2[which2]); break;
      default: arg3 = wrap_long(L, at[3], text2[which2]);
    }
  if(!at[1])
  {
    switch(which1)
    {
      case 0: wrap_own(L, arg1, THByteTensor_new(), torch_ByteTensor_id); break;
      case 1: wrap_own(L, arg1, THCharTensor_new(), torch_CharTensor_id); break;
      case 2: wrap_own(L, arg1, THShortTensor_new(), torch_ShortTensor_id); break;
      case 3: wrap_own(L, arg1, THIntTensor_new(), torch_IntTensor_id); break;
      default: wrap_own(L, arg1, THLongTensor_new(), torch_LongTensor_id);
    }
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  switch(which3)
  {
    case 0: THByteTensor_plus(arg1,arg2,arg3); break;
    case 1: THByteTensor_minus(arg1,arg2,arg3); break;
    case 2: THCharTensor_plus(arg1,arg2,arg3); break;
    case 3: THCharTensor_minus(arg1,arg2,arg3); break;
    case 4: THShortTensor_plus(arg1,arg2,arg3); break;
    case 5: THShortTensor_minus(arg1,arg2,arg3); break;
    case 6: THIntTensor_plus(arg1,arg2,arg3); break;
    case 7: THIntTensor_minus(arg1,arg2,arg3); break;
    case 8: THLongTensor_plus(arg1,arg2,arg3); break;
    default: THLongTensor_minus(arg1,arg2,arg3);
  }
  return 1;
}
static int LongTensor_minus(lua_State *L)
{
  return wrap_body_1d38280d58(L, 4, 1, 9);
}

static int LongTensor_first(lua_State *L)
{
  int narg = lua_gettop(L);
  THLongTensor *arg1 = NULL;
  long arg2 = 1;
  long arg3 = 0;
  if(!(narg >= 1
       && narg <= 2
       && (arg1 = luaT_toudata(L, 1, torch_LongTensor_id))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "first", "LongTensor [long]");
  if(narg == 2)
    arg2 = wrap_long(L, 2, "first");
  arg3 = THLongTensor_first(arg1,arg2);
  lua_pushinteger(L, (lua_Integer)arg3);
  return 1;
}

#ifndef WRAP_FIELD_9A388BC177_DEFINED
#define WRAP_FIELD_9A388BC177_DEFINED
static long wrap_field_9a388bc177(void *value)
{
  return ((THLongTensor *)value)->nDimension;
}
#endif /* WRAP_FIELD_9A388BC177_DEFINED */
static int wrap_body_9082b4a2d3(lua_State *L, int which1)
{
  static const char *const text1[] = {
    "ByteTensor~2D [unsigned char] | ByteTensor~1D [unsigned char]",
    "CharTensor~2D [char] | CharTensor~1D [char]",
    "ShortTensor~2D [short] | ShortTensor~1D [short]",
    "IntTensor~2D [int] | IntTensor~1D [int]",
    "LongTensor~2D [long] | LongTensor~1D [long]"
  };
  int narg = lua_gettop(L);
  void *arg1 = NULL;
  long arg2 = 0;
  double arg3 = 0;
  void *arg4 = NULL;
  long arg5 = 100;
  double arg6 = 0;
  void *values[3] = {NULL};
  const unsigned char *at;
  switch(which1)
  {
    case 0: at = wrap_choice_3503c877ef(L, narg, values, torch_ByteTensor_id, wrap_field_53baf7845b, 2, 1); break;
    case 1: at = wrap_choice_3503c877ef(L, narg, values, torch_CharTensor_id, wrap_field_3aab00b599, 2, 1); break;
    case 2: at = wrap_choice_3503c877ef(L, narg, values, torch_ShortTensor_id, wrap_field_c20aa5158d, 2, 1); break;
    case 3: at = wrap_choice_3503c877ef(L, narg, values, torch_IntTensor_id, wrap_field_5154570ca9, 2, 1); break;
    default: at = wrap_choice_3503c877ef(L, narg, values, torch_LongTensor_id, wrap_field_9a388bc177, 2, 1);
  }
  if(!at)
    return wrap_invalid(L, "rank", text1[which1]);
  if(at[0] == 1)
  {
    arg1 = values[1];
    if(at[2])
      switch(which1)
      {
        case 0: arg2 = wrap_uchar(L, 2, "rank"); break;
        case 1: arg2 = wrap_char(L, 2, "rank"); break;
        case 2: arg2 = wrap_short(L, 2, "rank"); break;
        case 3: arg2 = wrap_int(L, 2, "rank"); break;
        default: arg2 = wrap_long(L, 2, "rank");
      }
    switch(which1)
    {
      case 0: arg3 = THByteTensor_first(arg1,arg2); break;
      case 1: arg3 = THCharTensor_first(arg1,arg2); break;
      case 2: arg3 = THShortTensor_first(arg1,arg2); break;
      case 3: arg3 = THIntTensor_first(arg1,arg2); break;
      default: arg3 = THLongTensor_first(arg1,arg2);
    }
    lua_pushnumber(L, (lua_Number)arg3);
    return 1;
  }
  else
  {
    arg4 = values[1];
    if(at[2])
      switch(which1)
      {
        case 0: arg5 = wrap_uchar(L, 2, "rank"); break;
        case 1: arg5 = wrap_char(L, 2, "rank"); break;
        case 2: arg5 = wrap_short(L, 2, "rank"); break;
        case 3: arg5 = wrap_int(L, 2, "rank"); break;
        default: arg5 = wrap_long(L, 2, "rank");
      }
    switch(which1)
    {
      case 0: arg6 = THByteTensor_first(arg4,arg5); break;
      case 1: arg6 = THCharTensor_first(arg4,arg5); break;
      case 2: arg6 = THShortTensor_first(arg4,arg5); break;
      case 3: arg6 = THIntTensor_first(arg4,arg5); break;
      default: arg6 = THLongTensor_first(arg4,arg5);
    }
    lua_pushnumber(L, (lua_Number)arg6);
    return 1;
  }
}
static int LongTensor_rank(lua_State *L)
{
  return wrap_body_9082b4a2d3(L, 4);
}

static int m_LongTensor_plus(lua_State *L)
{
  return wrap_body_997064b32d(L, 4, 0, 8);
}

static int wrap_body_997064b32d(lua_State *L, int which1, int which2, int which3)
{
  static const char *const text1[] = {
    "*ByteTensor* [ByteTensor] [unsigned char]",
    "*CharTensor* [CharTensor] [char]",
    "*ShortTensor* [ShortTensor] [short]",
    "*IntTensor* [IntTensor] [int]",
    "*LongTensor* [LongTensor] [long]"
  };
  static const char *const text2[] = {
    "plus",
    "minus"
  };
  int narg = lua_gettop(L);
  void *arg1 = NULL;
  int arg1_idx = 0;
  void *arg2 = NULL;
  long arg3 = 1;
  void *values[4] = {NULL};
  unsigned char at[4] = {0};
  int fits;
  switch(which1)
  {
    case 0: fits = wrap_choice_b2a4bb5466(L, narg, values, at, torch_ByteTensor_id); break;
    case 1: fits = wrap_choice_b2a4bb5466(L, narg, values, at, torch_CharTensor_id); break;
    case 2: fits = wrap_choice_b2a4bb5466(L, narg, values, at, torch_ShortTensor_id); break;
    case 3: fits = wrap_choice_b2a4bb5466(L, narg, values, at, torch_IntTensor_id); break;
    default: fits = wrap_choice_b2a4bb5466(L, narg, values, at, torch_LongTensor_id);
  }
  if(!fits)
    return wrap_invalid(L, text2[which2], text1[which1]);
  arg1 = values[1];
  arg2 = values[at[2]];
  arg1_idx = 1;
  if(at[3])
    switch(which1)
    {
      case 0: arg3 = wrap_uchar(L, at[3], text2[which2]); break;
      case 1: arg3 = wrap_char(L, at[3], text2[which2]); break;
      case 2: arg3 = wrap_short(L, at[3], text2[which2]); break;
      case 3: arg3 = wrap_int(L, at[3], text2[which2]); break;
      default: arg3 = wrap_long(L, at[3], text2[which2]);
    }
  if(!at[2])
    arg2 = arg1;
  lua_pushvalue(L, arg1_idx);
  switch(which3)
  {
    case 0: THByteTensor_plus(arg1,arg2,arg3); break;
    case 1: THByteTensor_minus(arg1,arg2,arg3); break;
    case 2: THCharTensor_plus(arg1,arg2,arg3); break;
    case 3: THCharTensor_minus(arg1,arg2,arg3); break;
    case 4: THShortTensor_plus(arg1,arg2,arg3); break;
    case 5: THShortTensor_minus(arg1,arg2,arg3); break;
    case 6: THIntTensor_plus(arg1,arg2,arg3); break;
    case 7: THIntTensor_minus(arg1,arg2,arg3); break;
    case 8: THLongTensor_plus(arg1,arg2,arg3); break;
    default: THLongTensor_minus(arg1,arg2,arg3);
  }
  return 1;
}
static int m_LongTensor_minus(lua_State *L)
{
  return wrap_body_997064b32d(L, 4, 1, 9);
}

static const struct luaL_Reg m_LongTensor_list [] = {
  {"plus", m_LongTensor_plus},
  {"minus", m_LongTensor_minus},
  {NULL, NULL}
};

static const struct luaL_Reg LongTensor_list [] = {
  {"plus", LongTensor_plus},
  {"minus", LongTensor_minus},
  {"first", LongTensor_first},
  {"rank", LongTensor_rank},
  {NULL, NULL}
};

static void THFloatTensor_plus(THFloatTensor *r, THFloatTensor *t, float x) { combine(r, t, (double)x); }
static void THFloatTensor_minus(THFloatTensor *r, THFloatTensor *t, float x) { combine(r, t, -(double)x); }
static float THFloatTensor_first(THFloatTensor *t, float x) { return (float)(t->data[0] + (double)x); }
#ifndef WRAP_FLOAT_DEFINED
#define WRAP_FLOAT_DEFINED
#include <float.h>
static float wrap_float(lua_State *L, int idx, const char *function)
{
  lua_Number x = lua_tonumber(L, idx);
  if((x > FLT_MAX || x < -FLT_MAX) && x - x == 0)
    wrap_refuse(L, idx, function, "float");
  return (float)x;
}
#endif /* WRAP_FLOAT_DEFINED */
static int wrap_body_0efae73758(lua_State *L, int which1, int which2, int which3);
static int FloatTensor_plus(lua_State *L)
{
  return wrap_body_0efae73758(L, 0, 0, 0);
}

static int FloatTensor_minus(lua_State *L)
{
  return wrap_body_0efae73758(L, 0, 1, 1);
}

static int FloatTensor_first(lua_State *L)
{
  int narg = lua_gettop(L);
  THFloatTensor *arg1 = NULL;
  float arg2 = 1;
  float arg3 = 0;
  if(!(narg >= 1
       && narg <= 2
       && (arg1 = luaT_toudata(L, 1, torch_FloatTensor_id))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "first", "FloatTensor [float]");
  if(narg == 2)
    arg2 = wrap_float(L, 2, "first");
  arg3 = THFloatTensor_first(arg1,arg2);
  lua_pushnumber(L, (lua_Number)arg3);
  return 1;
}

#ifndef WRAP_FIELD_E3803A9547_DEFINED
#define WRAP_FIELD_E3803A9547_DEFINED
static long wrap_field_e3803a9547(void *value)
{
  return ((THFloatTensor *)value)->nDimension;
}
#endif /* WRAP_FIELD_E3803A9547_DEFINED */
static int FloatTensor_rank(lua_State *L)
{
  int narg = lua_gettop(L);
  THFloatTensor *arg1 = NULL;
  float arg2 = 0;
  double arg3 = 0;
  THFloatTensor *arg4 = NULL;
  float arg5 = 100;
  double arg6 = 0;
  void *values[3] = {NULL};
  const unsigned char *at;
  at = wrap_choice_3503c877ef(L, narg, values, torch_FloatTensor_id, wrap_field_e3803a9547, 2, 1);
  if(!at)
    return wrap_invalid(L, "rank", "FloatTensor~2D [float] | FloatTensor~1D [float]");
  if(at[0] == 1)
  {
    arg1 = values[1];
    if(at[2])
      arg2 = wrap_float(L, 2, "rank");
    arg3 = THFloatTensor_first(arg1,arg2);
    lua_pushnumber(L, (lua_Number)arg3);
    return 1;
  }
  else
  {
    arg4 = values[1];
    if(at[2])
      arg5 = wrap_float(L, 2, "rank");
    arg6 = THFloatTensor_first(arg4,arg5);
    lua_pushnumber(L, (lua_Number)arg6);
    return 1;
  }
}

static int wrap_body_a4cc9350e3(lua_State *L, int which1, int which2, int which3);
static int m_FloatTensor_plus(lua_State *L)
{
  return wrap_body_a4cc9350e3(L, 0, 0, 0);
}

static int m_FloatTensor_minus(lua_State *L)
{
  return wrap_body_a4cc9350e3(L, 0, 1, 1);
}

static const struct luaL_Reg m_FloatTensor_list [] = {
  {"plus", m_FloatTensor_plus},
  {"minus", m_FloatTensor_minus},
  {NULL, NULL}
};

static const struct luaL_Reg FloatTensor_list [] = {
  {"plus", FloatTensor_plus},
  {"minus", FloatTensor_minus},
  {"first", FloatTensor_first},
  {"rank", FloatTensor_rank},
  {NULL, NULL}
};

static void THDoubleTensor_plus(THDoubleTensor *r, THDoubleTensor *t, double x) { combine(r, t, (double)x); }
static void THDoubleTensor_minus(THDoubleTensor *r, THDoubleTensor *t, double x) { combine(r, t, -(double)x); }
static double THDoubleTensor_first(THDoubleTensor *t, double x) { return (double)(t->data[0] + (double)x); }
static int DoubleTensor_plus(lua_State *L)
{
  return wrap_body_0efae73758(L, 1, 0, 2);
}

static int wrap_body_0efae73758(lua_State *L, int which1, int which2, int which3)
{
  static const char *const text1[] = {
    "[*FloatTensor*] FloatTensor [float]",
    "[*DoubleTensor*] DoubleTensor [double]"
  };
  static const char *const text2[] = {
    "plus",
    "minus"
  };
  int narg = lua_gettop(L);
  void *arg1 = NULL;
  int arg1_idx = 0;
  void *arg2 = NULL;
  double arg3 = 1;
  void *values[4] = {NULL};
  const unsigned char *at;
  switch(which1)
  {
    case 0: at = wrap_choice_4ad70397f8(L, narg, values, torch_FloatTensor_id); break;
    default: at = wrap_choice_4ad70397f8(L, narg, values, torch_DoubleTensor_id);
  }
  if(!at)
    return wrap_invalid(L, text2[which2], text1[which1]);
  arg1 = values[at[1]];
  arg2 = values[at[2]];
  if(at[1])
    arg1_idx = 1;
  if(at[3])
    switch(which1)
    {
      case 0: arg3 = wrap_float(L, at[3], text2[which2]); break;
      default: arg3 = lua_tonumber(L, at[3]);
    }
  if(!at[1])
  {
    switch(which1)
    {
      case 0: wrap_own(L, arg1, THFloatTensor_new(), torch_FloatTensor_id); break;
      default: wrap_own(L, arg1, THDoubleTensor_new(), torch_DoubleTensor_id);
    }
    arg1_idx = lua_gettop(L);
  }
  lua_pushvalue(L, arg1_idx);
  switch(which3)
  {
    case 0: THFloatTensor_plus(arg1,arg2,arg3); break;
    case 1: THFloatTensor_minus(arg1,arg2,arg3); break;
    case 2: THDoubleTensor_plus(arg1,arg2,arg3); break;
    default: THDoubleTensor_minus(arg1,arg2,arg3);
  }
  return 1;
}
static int DoubleTensor_minus(lua_State *L)
{
  return wrap_body_0efae73758(L, 1, 1, 3);
}

static int DoubleTensor_first(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  double arg2 = 1;
  double arg3 = 0;
  if(!(narg >= 1
       && narg <= 2
       && (arg1 = luaT_toudata(L, 1, torch_DoubleTensor_id))
       && (narg < 2 || lua_type(L, 2) == LUA_TNUMBER)))
    return wrap_invalid(L, "first", "DoubleTensor [double]");
  if(narg == 2)
    arg2 = lua_tonumber(L, 2);
  arg3 = THDoubleTensor_first(arg1,arg2);
  lua_pushnumber(L, (lua_Number)arg3);
  return 1;
}

#ifndef WRAP_FIELD_76F8296A90_DEFINED
#define WRAP_FIELD_76F8296A90_DEFINED
static long wrap_field_76f8296a90(void *value)
{
  return ((THDoubleTensor *)value)->nDimension;
}
#endif /* WRAP_FIELD_76F8296A90_DEFINED */
static int DoubleTensor_rank(lua_State *L)
{
  int narg = lua_gettop(L);
  THDoubleTensor *arg1 = NULL;
  double arg2 = 0;
  double arg3 = 0;
  THDoubleTensor *arg4 = NULL;
  double arg5 = 100;
  double arg6 = 0;
  void *values[3] = {NULL};
  const unsigned char *at;
  at = wrap_choice_3503c877ef(L, narg, values, torch_DoubleTensor_id, wrap_field_76f8296a90, 2, 1);
  if(!at)
    return wrap_invalid(L, "rank", "DoubleTensor~2D [double] | DoubleTensor~1D [double]");
  if(at[0] == 1)
  {
    arg1 = values[1];
    if(at[2])
      arg2 = lua_tonumber(L, 2);
    arg3 = THDoubleTensor_first(arg1,arg2);
    lua_pushnumber(L, (lua_Number)arg3);
    return 1;
  }
  else
  {
    arg4 = values[1];
    if(at[2])
      arg5 = lua_tonumber(L, 2);
    arg6 = THDoubleTensor_first(arg4,arg5);
    lua_pushnumber(L, (lua_Number)arg6);
    return 1;
  }
}

static int m_DoubleTensor_plus(lua_State *L)
{
  return wrap_body_a4cc9350e3(L, 1, 0, 2);
}

static int wrap_body_a4cc9350e3(lua_State *L, int which1, int which2, int which3)
{
  static const char *const text1[] = {
    "*FloatTensor* [FloatTensor] [float]",
    "*DoubleTensor* [DoubleTensor] [double]"
  };
  static const char *const text2[] = {
    "plus",
    "minus"
  };
  int narg = lua_gettop(L);
  void *arg1 = NULL;
  int arg1_idx = 0;
  void *arg2 = NULL;
  double arg3 = 1;
  void *values[4] = {NULL};
  unsigned char at[4] = {0};
  int fits;
  switch(which1)
  {
    case 0: fits = wrap_choice_b2a4bb5466(L, narg, values, at, torch_FloatTensor_id); break;
    default: fits = wrap_choice_b2a4bb5466(L, narg, values, at, torch_DoubleTensor_id);
  }
  if(!fits)
    return wrap_invalid(L, text2[which2], text1[which1]);
  arg1 = values[1];
  arg2 = values[at[2]];
  arg1_idx = 1;
  if(at[3])
    switch(which1)
    {
      case 0: arg3 = wrap_float(L, at[3], text2[which2]); break;
      default: arg3 = lua_tonumber(L, at[3]);
    }
  if(!at[2])
    arg2 = arg1;
  lua_pushvalue(L, arg1_idx);
  switch(which3)
  {
    case 0: THFloatTensor_plus(arg1,arg2,arg3); break;
    case 1: THFloatTensor_minus(arg1,arg2,arg3); break;
    case 2: THDoubleTensor_plus(arg1,arg2,arg3); break;
    default: THDoubleTensor_minus(arg1,arg2,arg3);
  }
  return 1;
}
static int m_DoubleTensor_minus(lua_State *L)
{
  return wrap_body_a4cc9350e3(L, 1, 1, 3);
}

static const struct luaL_Reg m_DoubleTensor_list [] = {
  {"plus", m_DoubleTensor_plus},
  {"minus", m_DoubleTensor_minus},
  {NULL, NULL}
};

static const struct luaL_Reg DoubleTensor_list [] = {
  {"plus", DoubleTensor_plus},
  {"minus", DoubleTensor_minus},
  {"first", DoubleTensor_first},
  {"rank", DoubleTensor_rank},
  {NULL, NULL}
};

static double same(double x) { return x; }
static int wrapper_one(lua_State *L)
{
  int narg = lua_gettop(L);
  double arg1 = 0;
  double arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "one", "double");
  arg1 = lua_tonumber(L, 1);
  static int calls = 0;
  calls++;
  arg1 = calls;
  arg2 = same(arg1);
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}

static int wrapper_two(lua_State *L)
{
  int narg = lua_gettop(L);
  double arg1 = 0;
  double arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "two", "double");
  arg1 = lua_tonumber(L, 1);
  static int calls = 0;
  calls++;
  arg1 = calls;
  arg2 = same(arg1);
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}

static int wrapper_three(lua_State *L)
{
  int narg = lua_gettop(L);
  double arg1 = 0;
  double arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "three", "double");
  arg1 = lua_tonumber(L, 1);
  static int calls = 0;
  calls++;
  arg1 = calls;
  arg2 = same(arg1);
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}

#undef TIMES
#define TIMES(x) ((x) * 3)
static int wrap_body_9dcaed8a26(lua_State *L, int which1);
static int wrapper_times_a3(lua_State *L)
{
  return wrap_body_9dcaed8a26(L, 0);
}

static int wrapper_times_b3(lua_State *L)
{
  return wrap_body_9dcaed8a26(L, 1);
}

static int wrap_body_9dcaed8a26(lua_State *L, int which1)
{
  static const char *const text1[] = {
    "times_a3",
    "times_b3",
    "times_c3"
  };
  int narg = lua_gettop(L);
  double arg1 = 0;
  double arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, text1[which1], "double");
  arg1 = lua_tonumber(L, 1);
  arg2 = TIMES(arg1);
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}
static int wrapper_times_c3(lua_State *L)
{
  return wrap_body_9dcaed8a26(L, 2);
}

#undef TIMES
#define TIMES(x) ((x) * 4)
static int wrap_body_a1a422c7b8(lua_State *L, int which1, int which2);
static int wrapper_times_a4(lua_State *L)
{
  return wrap_body_a1a422c7b8(L, 0, 0);
}

static int wrapper_times_b4(lua_State *L)
{
  return wrap_body_a1a422c7b8(L, 1, 0);
}

static int wrapper_times_c4(lua_State *L)
{
  return wrap_body_a1a422c7b8(L, 2, 0);
}

static double third(double x) { return x / 3; }
static int wrap_body_7b7fb1d308(lua_State *L, int which1);
static int wrapper_third_float(lua_State *L)
{
  return wrap_body_7b7fb1d308(L, 0);
}

static int wrapper_other_third_float(lua_State *L)
{
  return wrap_body_7b7fb1d308(L, 1);
}

static int wrap_body_7b7fb1d308(lua_State *L, int which1)
{
  static const char *const text1[] = {
    "third_float",
    "other_third_float",
    "last_third_float"
  };
  int narg = lua_gettop(L);
  double arg1 = 0;
  float arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, text1[which1], "double");
  arg1 = lua_tonumber(L, 1);
  arg2 = third(arg1);
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}
static int wrapper_last_third_float(lua_State *L)
{
  return wrap_body_7b7fb1d308(L, 2);
}

static int wrapper_third_double(lua_State *L)
{
  return wrap_body_a1a422c7b8(L, 3, 1);
}

static int wrapper_other_third_double(lua_State *L)
{
  return wrap_body_a1a422c7b8(L, 4, 1);
}

static int wrap_body_a1a422c7b8(lua_State *L, int which1, int which2)
{
  static const char *const text1[] = {
    "times_a4",
    "times_b4",
    "times_c4",
    "third_double",
    "other_third_double",
    "last_third_double"
  };
  int narg = lua_gettop(L);
  double arg1 = 0;
  double arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, text1[which1], "double");
  arg1 = lua_tonumber(L, 1);
  switch(which2)
  {
    case 0: arg2 = TIMES(arg1); break;
    default: arg2 = third(arg1);
  }
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}
static int wrapper_last_third_double(lua_State *L)
{
  return wrap_body_a1a422c7b8(L, 5, 1);
}

static const struct luaL_Reg functions [] = {
  {"one", wrapper_one},
  {"two", wrapper_two},
  {"three", wrapper_three},
  {"times_a3", wrapper_times_a3},
  {"times_b3", wrapper_times_b3},
  {"times_c3", wrapper_times_c3},
  {"times_a4", wrapper_times_a4},
  {"times_b4", wrapper_times_b4},
  {"times_c4", wrapper_times_c4},
  {"third_float", wrapper_third_float},
  {"other_third_float", wrapper_other_third_float},
  {"last_third_float", wrapper_last_third_float},
  {"third_double", wrapper_third_double},
  {"other_third_double", wrapper_other_third_double},
  {"last_third_double", wrapper_last_third_double},
  {NULL, NULL}
};

#define OPEN(NAME) NEW_MODULE(L, NAME##_list); lua_setfield(L, -2, #NAME); \
  NEW_MODULE(L, m_##NAME##_list); lua_setfield(L, -2, "m_" #NAME);
int luaopen_shared(lua_State *L)
{
  NEW_MODULE(L, functions);
  luaT_open(L);
  OPEN(ByteTensor) OPEN(CharTensor) OPEN(ShortTensor) OPEN(IntTensor) OPEN(LongTensor) OPEN(FloatTensor)
  OPEN(DoubleTensor)
  return 1;
}
#include "module.h"
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
typedef double real;
#define SAME(NAME, TYPE) static TYPE NAME(TYPE x) { return x; }
SAME(same_uchar, unsigned char)
SAME(same_char, char)
SAME(same_short, short)
SAME(same_int, int)
SAME(same_long, long)
SAME(same_size, size_t)
SAME(same_int64, int64_t)
SAME(same_ptrdiff, ptrdiff_t)
SAME(same_int8, int8_t)
SAME(same_int16, int16_t)
SAME(same_int32, int32_t)
SAME(same_uint8, uint8_t)
SAME(same_uint16, uint16_t)
SAME(same_uint32, uint32_t)
SAME(same_uint64, uint64_t)
SAME(same_uint, unsigned int)
SAME(same_ushort, unsigned short)
SAME(same_float, float)
SAME(same_double, double)
SAME(same_real, real)
SAME(same_boolean, int)
static const char *text_of(double a, int b, long c, long d, double e, int f)
{
  static char text[200];
  snprintf(text, sizeof text, "%.17g %d %ld %ld %.17g %d", a, b, c, d, e, f);
  return text;
}
static size_t last(void) { return (size_t)-1; }

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
static int wrapper_uchar(lua_State *L)
{
  int narg = lua_gettop(L);
  unsigned char arg1 = 0;
  unsigned char arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "uchar", "unsigned char");
  arg1 = wrap_uchar(L, 1, "uchar");
  arg2 = same_uchar(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

static int wrapper_byte(lua_State *L)
{
  int narg = lua_gettop(L);
  unsigned char arg1 = 0;
  unsigned char arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "byte", "unsigned char");
  arg1 = wrap_uchar(L, 1, "byte");
  arg2 = same_uchar(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_CHAR_DEFINED
#define WRAP_CHAR_DEFINED
#define wrap_char(L, idx, function) \
  ((char)wrap_integer(L, idx, function, "char", CHAR_MIN, CHAR_MAX))
#endif /* WRAP_CHAR_DEFINED */
static int wrapper_char(lua_State *L)
{
  int narg = lua_gettop(L);
  char arg1 = 0;
  char arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "char", "char");
  arg1 = wrap_char(L, 1, "char");
  arg2 = same_char(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_SHORT_DEFINED
#define WRAP_SHORT_DEFINED
#define wrap_short(L, idx, function) \
  ((short)wrap_integer(L, idx, function, "short", SHRT_MIN, SHRT_MAX))
#endif /* WRAP_SHORT_DEFINED */
static int wrapper_short(lua_State *L)
{
  int narg = lua_gettop(L);
  short arg1 = 0;
  short arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "short", "short");
  arg1 = wrap_short(L, 1, "short");
  arg2 = same_short(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_INT_DEFINED
#define WRAP_INT_DEFINED
#define wrap_int(L, idx, function) \
  ((int)wrap_integer(L, idx, function, "int", INT_MIN, INT_MAX))
#endif /* WRAP_INT_DEFINED */
static int wrapper_int(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  int arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "int", "int");
  arg1 = wrap_int(L, 1, "int");
  arg2 = same_int(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_LONG_DEFINED
#define WRAP_LONG_DEFINED
#define wrap_long(L, idx, function) \
  ((long)wrap_integer(L, idx, function, "long", LONG_MIN, LONG_MAX))
#endif /* WRAP_LONG_DEFINED */
static int wrapper_long(lua_State *L)
{
  int narg = lua_gettop(L);
  long arg1 = 0;
  long arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "long", "long");
  arg1 = wrap_long(L, 1, "long");
  arg2 = same_long(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_SIZE_DEFINED
#define WRAP_SIZE_DEFINED
#define wrap_size(L, idx, function) \
  ((size_t)wrap_integer(L, idx, function, "size_t", 0, (lua_Integer)(SIZE_MAX / 2)))
#endif /* WRAP_SIZE_DEFINED */
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
static int wrapper_size(lua_State *L)
{
  int narg = lua_gettop(L);
  size_t arg1 = 0;
  size_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "size", "size_t");
  arg1 = wrap_size(L, 1, "size");
  arg2 = same_size(arg1);
  wrap_pushwide(L, (lua_Number)arg2, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_INT64_DEFINED
#define WRAP_INT64_DEFINED
#define wrap_int64(L, idx, function) \
  ((int64_t)wrap_integer(L, idx, function, "int64_t", INT64_MIN, INT64_MAX))
#endif /* WRAP_INT64_DEFINED */
static int wrapper_int64(lua_State *L)
{
  int narg = lua_gettop(L);
  int64_t arg1 = 0;
  int64_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "int64", "int64_t");
  arg1 = wrap_int64(L, 1, "int64");
  arg2 = same_int64(arg1);
  wrap_pushwide(L, (lua_Number)arg2, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_PTRDIFF_DEFINED
#define WRAP_PTRDIFF_DEFINED
#define wrap_ptrdiff(L, idx, function) \
  ((ptrdiff_t)wrap_integer(L, idx, function, "ptrdiff_t", PTRDIFF_MIN, PTRDIFF_MAX))
#endif /* WRAP_PTRDIFF_DEFINED */
static int wrapper_ptrdiff(lua_State *L)
{
  int narg = lua_gettop(L);
  ptrdiff_t arg1 = 0;
  ptrdiff_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "ptrdiff", "ptrdiff_t");
  arg1 = wrap_ptrdiff(L, 1, "ptrdiff");
  arg2 = same_ptrdiff(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_INT8_DEFINED
#define WRAP_INT8_DEFINED
#define wrap_int8(L, idx, function) \
  ((int8_t)wrap_integer(L, idx, function, "int8_t", INT8_MIN, INT8_MAX))
#endif /* WRAP_INT8_DEFINED */
static int wrapper_int8(lua_State *L)
{
  int narg = lua_gettop(L);
  int8_t arg1 = 0;
  int8_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "int8", "int8_t");
  arg1 = wrap_int8(L, 1, "int8");
  arg2 = same_int8(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_INT16_DEFINED
#define WRAP_INT16_DEFINED
#define wrap_int16(L, idx, function) \
  ((int16_t)wrap_integer(L, idx, function, "int16_t", INT16_MIN, INT16_MAX))
#endif /* WRAP_INT16_DEFINED */
static int wrapper_int16(lua_State *L)
{
  int narg = lua_gettop(L);
  int16_t arg1 = 0;
  int16_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "int16", "int16_t");
  arg1 = wrap_int16(L, 1, "int16");
  arg2 = same_int16(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_INT32_DEFINED
#define WRAP_INT32_DEFINED
#define wrap_int32(L, idx, function) \
  ((int32_t)wrap_integer(L, idx, function, "int32_t", INT32_MIN, INT32_MAX))
#endif /* WRAP_INT32_DEFINED */
static int wrapper_int32(lua_State *L)
{
  int narg = lua_gettop(L);
  int32_t arg1 = 0;
  int32_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "int32", "int32_t");
  arg1 = wrap_int32(L, 1, "int32");
  arg2 = same_int32(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_UINT8_DEFINED
#define WRAP_UINT8_DEFINED
#define wrap_uint8(L, idx, function) \
  ((uint8_t)wrap_integer(L, idx, function, "uint8_t", 0, UINT8_MAX))
#endif /* WRAP_UINT8_DEFINED */
static int wrapper_uint8(lua_State *L)
{
  int narg = lua_gettop(L);
  uint8_t arg1 = 0;
  uint8_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "uint8", "uint8_t");
  arg1 = wrap_uint8(L, 1, "uint8");
  arg2 = same_uint8(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_UINT16_DEFINED
#define WRAP_UINT16_DEFINED
#define wrap_uint16(L, idx, function) \
  ((uint16_t)wrap_integer(L, idx, function, "uint16_t", 0, UINT16_MAX))
#endif /* WRAP_UINT16_DEFINED */
static int wrapper_uint16(lua_State *L)
{
  int narg = lua_gettop(L);
  uint16_t arg1 = 0;
  uint16_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "uint16", "uint16_t");
  arg1 = wrap_uint16(L, 1, "uint16");
  arg2 = same_uint16(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_UINT32_DEFINED
#define WRAP_UINT32_DEFINED
#define wrap_uint32(L, idx, function) \
  ((uint32_t)wrap_integer(L, idx, function, "uint32_t", 0, UINT32_MAX))
#endif /* WRAP_UINT32_DEFINED */
static int wrapper_uint32(lua_State *L)
{
  int narg = lua_gettop(L);
  uint32_t arg1 = 0;
  uint32_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "uint32", "uint32_t");
  arg1 = wrap_uint32(L, 1, "uint32");
  arg2 = same_uint32(arg1);
  wrap_pushwide(L, (lua_Number)arg2, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_UINT64_DEFINED
#define WRAP_UINT64_DEFINED
#define wrap_uint64(L, idx, function) \
  ((uint64_t)wrap_integer(L, idx, function, "uint64_t", 0, (lua_Integer)(UINT64_MAX / 2)))
#endif /* WRAP_UINT64_DEFINED */
static int wrapper_uint64(lua_State *L)
{
  int narg = lua_gettop(L);
  uint64_t arg1 = 0;
  uint64_t arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "uint64", "uint64_t");
  arg1 = wrap_uint64(L, 1, "uint64");
  arg2 = same_uint64(arg1);
  wrap_pushwide(L, (lua_Number)arg2, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_UINT_DEFINED
#define WRAP_UINT_DEFINED
#define wrap_uint(L, idx, function) \
  ((unsigned int)wrap_integer(L, idx, function, "unsigned int", 0, UINT_MAX))
#endif /* WRAP_UINT_DEFINED */
static int wrapper_uint(lua_State *L)
{
  int narg = lua_gettop(L);
  unsigned int arg1 = 0;
  unsigned int arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "uint", "unsigned int");
  arg1 = wrap_uint(L, 1, "uint");
  arg2 = same_uint(arg1);
  wrap_pushwide(L, (lua_Number)arg2, (lua_Integer)arg2);
  return 1;
}

#ifndef WRAP_USHORT_DEFINED
#define WRAP_USHORT_DEFINED
#define wrap_ushort(L, idx, function) \
  ((unsigned short)wrap_integer(L, idx, function, "unsigned short", 0, USHRT_MAX))
#endif /* WRAP_USHORT_DEFINED */
static int wrapper_ushort(lua_State *L)
{
  int narg = lua_gettop(L);
  unsigned short arg1 = 0;
  unsigned short arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "ushort", "unsigned short");
  arg1 = wrap_ushort(L, 1, "ushort");
  arg2 = same_ushort(arg1);
  lua_pushinteger(L, (lua_Integer)arg2);
  return 1;
}

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
static int wrapper_float(lua_State *L)
{
  int narg = lua_gettop(L);
  float arg1 = 0;
  float arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "float", "float");
  arg1 = wrap_float(L, 1, "float");
  arg2 = same_float(arg1);
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}

static int wrapper_double(lua_State *L)
{
  int narg = lua_gettop(L);
  double arg1 = 0;
  double arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "double", "double");
  arg1 = lua_tonumber(L, 1);
  arg2 = same_double(arg1);
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}

static int wrapper_real(lua_State *L)
{
  int narg = lua_gettop(L);
  real arg1 = 0;
  real arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "real", "real");
  arg1 = (real)lua_tonumber(L, 1);
  arg2 = same_real(arg1);
  lua_pushnumber(L, (lua_Number)arg2);
  return 1;
}

static int wrapper_boolean(lua_State *L)
{
  int narg = lua_gettop(L);
  int arg1 = 0;
  int arg2 = 0;
  if(!(narg == 1 && lua_isboolean(L, 1)))
    return wrap_invalid(L, "boolean", "boolean");
  arg1 = lua_toboolean(L, 1);
  arg2 = same_boolean(arg1);
  lua_pushboolean(L, arg2);
  return 1;
}

#ifndef WRAP_INDEX_DEFINED
#define WRAP_INDEX_DEFINED
#define wrap_index(L, idx, function) \
  ((long)wrap_integer(L, idx, function, "index", LONG_MIN + 1, LONG_MAX))
#endif /* WRAP_INDEX_DEFINED */
static int wrapper_index(lua_State *L)
{
  int narg = lua_gettop(L);
  long arg1 = 0;
  long arg2 = 0;
  if(!(narg == 1 && lua_type(L, 1) == LUA_TNUMBER))
    return wrap_invalid(L, "index", "index");
  arg1 = wrap_index(L, 1, "index") - 1;
  arg2 = same_long(arg1);
  lua_pushinteger(L, (lua_Integer)arg2 + 1);
  return 1;
}

#ifndef WRAP_INF_DEFINED
#define WRAP_INF_DEFINED
#include <math.h>
#define wrap_inf HUGE_VAL
#endif /* WRAP_INF_DEFINED */
#ifndef WRAP_CHOICE_082F1FD66B_DEFINED
#define WRAP_CHOICE_082F1FD66B_DEFINED
static int wrap_choice_082f1fd66b(lua_State *L, int narg, unsigned char *at)
{
  int i = 1;
  if(lua_type(L, i) == LUA_TNUMBER)
    at[1] = i++;
  if(at[1] && lua_type(L, i) == LUA_TNUMBER)
    at[2] = i++;
  if(at[2] && lua_type(L, i) == LUA_TNUMBER)
    at[3] = i++;
  if(at[3] && lua_type(L, i) == LUA_TNUMBER)
    at[4] = i++;
  if(lua_isboolean(L, i))
    at[5] = i++;
  return i == narg + 1;
}
#endif /* WRAP_CHOICE_082F1FD66B_DEFINED */
static int wrapper_defaults(lua_State *L)
{
  int narg = lua_gettop(L);
  const char *arg1 = NULL;
  double arg2 = 0.1;
  int arg3 = 123456789;
  long arg4 = 0;
  long arg5 = 0;
  double arg6 = 0;
  int arg7 = 1;
  unsigned char at[6] = {0};
  int fits;
  fits = wrap_choice_082f1fd66b(L, narg, at);
  if(!fits)
    return wrap_invalid(L, "defaults", "[double] [int] [long] [index] [boolean]");
  if(at[1])
    arg2 = lua_tonumber(L, 1);
  if(at[2])
    arg3 = wrap_int(L, at[2], "defaults");
  if(at[3])
    arg4 = wrap_long(L, at[3], "defaults");
  if(at[4])
    arg5 = wrap_index(L, at[4], "defaults") - 1;
  if(at[5])
    arg7 = lua_toboolean(L, at[5]);
  if(!at[3])
    arg4 = (long)arg3 * 2;
  if(!at[4])
  {
    arg5 = (1 > 0 ? 7 : 8) - 1;
  }
  arg6 = wrap_inf;
  arg1 = text_of(arg2,arg3,arg4,arg5,arg6,arg7);
  lua_pushstring(L, arg1);
  return 1;
}

static int wrapper_index_of_default(lua_State *L)
{
  int narg = lua_gettop(L);
  long arg1 = 4;
  long arg2 = 0;
  if(!(narg <= 1 && (narg < 1 || lua_type(L, 1) == LUA_TNUMBER)))
    return wrap_invalid(L, "index_of_default", "[index]");
  if(narg == 1)
    arg1 = wrap_index(L, 1, "index_of_default") - 1;
  arg2 = same_long(arg1);
  lua_pushinteger(L, (lua_Integer)arg2 + 1);
  return 1;
}

static int wrapper_last(lua_State *L)
{
  int narg = lua_gettop(L);
  size_t arg1 = 0;
  if(!(narg == 0))
    return wrap_invalid(L, "last", "");
  arg1 = last();
  wrap_pushwide(L, (lua_Number)arg1, (lua_Integer)arg1);
  return 1;
}

static const struct luaL_Reg functions [] = {
  {"uchar", wrapper_uchar},
  {"byte", wrapper_byte},
  {"char", wrapper_char},
  {"short", wrapper_short},
  {"int", wrapper_int},
  {"long", wrapper_long},
  {"size", wrapper_size},
  {"int64", wrapper_int64},
  {"ptrdiff", wrapper_ptrdiff},
  {"int8", wrapper_int8},
  {"int16", wrapper_int16},
  {"int32", wrapper_int32},
  {"uint8", wrapper_uint8},
  {"uint16", wrapper_uint16},
  {"uint32", wrapper_uint32},
  {"uint64", wrapper_uint64},
  {"uint", wrapper_uint},
  {"ushort", wrapper_ushort},
  {"float", wrapper_float},
  {"double", wrapper_double},
  {"real", wrapper_real},
  {"boolean", wrapper_boolean},
  {"index", wrapper_index},
  {"defaults", wrapper_defaults},
  {"index_of_default", wrapper_index_of_default},
  {"last", wrapper_last},
  {NULL, NULL}
};

int luaopen_numbers(lua_State *L) { NEW_MODULE(L, functions); return 1; }
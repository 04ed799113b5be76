/* Purpose: the same functions wrapped by hand, with the same checks: as an expert in
 * Lua's interface would write it. */
#include "functions.h"
#include <limits.h>

static int invalid(lua_State *L, const char *function, const char *expected)
{
  int i, narg = lua_gettop(L);
  luaL_Buffer got;
  luaL_buffinit(L, &got);
  for(i = 1; i <= narg; i++)
  {
    luaL_addstring(&got, luaL_typename(L, i));
    luaL_addchar(&got, ' ');
  }
  luaL_pushresult(&got);
  return luaL_error(L, "%s: invalid arguments: %s\nexpected arguments: %s", function,
                    lua_tostring(L, -1), expected);
}

static int integer(lua_State *L, int idx, const char *function)
{
  lua_Integer n = lua_tointeger(L, idx);
  if(n < INT_MIN || n > INT_MAX || (lua_Number)n != lua_tonumber(L, idx))
    luaL_error(L, "bad argument #%d to '%s' (int expected, got %s)", idx, function,
               lua_tostring(L, idx));
  return (int)n;
}

static int is_number(lua_State *L, int idx)
{
  return lua_type(L, idx) == LUA_TNUMBER;
}

static int hand_add(lua_State *L)
{
  if(lua_gettop(L) != 2 || !is_number(L, 1) || !is_number(L, 2))
    return invalid(L, "add", "double double");
  lua_pushnumber(L, add(lua_tonumber(L, 1), lua_tonumber(L, 2)));
  return 1;
}

static int hand_norm(lua_State *L)
{
  Tensor *t;
  if(lua_gettop(L) != 1 || !(t = luaT_toudata(L, 1, torch_DoubleTensor_id)))
    return invalid(L, "norm", "DoubleTensor");
  lua_pushnumber(L, norm(t));
  return 1;
}

static int hand_scaled(lua_State *L)
{
  int narg = lua_gettop(L);
  Tensor *r, *t;
  if(narg == 2 && (t = luaT_toudata(L, 1, torch_DoubleTensor_id)) && is_number(L, 2))
  {
    double x = lua_tonumber(L, 2);
    /* the box first: memory may run out */
    void **box;
    luaT_pushudata(L, &box, torch_DoubleTensor_id);
    box = lua_touserdata(L, -1);
    lua_getmetatable(L, -1);
    lua_pushnil(L);
    lua_setmetatable(L, -3);
    *box = r = THDoubleTensor_new();
    lua_setmetatable(L, -2);
    scaled(r, t, x);
    return 1;
  }
  if(narg == 3 && (r = luaT_toudata(L, 1, torch_DoubleTensor_id))
     && (t = luaT_toudata(L, 2, torch_DoubleTensor_id)) && is_number(L, 3))
  {
    double x = lua_tonumber(L, 3);
    lua_pushvalue(L, 1);
    scaled(r, t, x);
    return 1;
  }
  return invalid(L, "scaled", "[*DoubleTensor*] DoubleTensor double");
}

static int hand_six(lua_State *L)
{
  int narg = lua_gettop(L), i, n[6] = {1, 2, 3, 4, 5, 6};
  if(narg > 6)
    return invalid(L, "six", "[int] [int] [int] [int] [int] [int]");
  for(i = 0; i < narg; i++)
    if(!is_number(L, i + 1))
      return invalid(L, "six", "[int] [int] [int] [int] [int] [int]");
  for(i = 0; i < narg; i++)
    n[i] = integer(L, i + 1, "six");
  lua_pushinteger(L, six(n[0], n[1], n[2], n[3], n[4], n[5]));
  return 1;
}

static int hand_eight(lua_State *L)
{
  Tensor *t, *u;
  int first, second, third, result;
  if(lua_gettop(L) != 3)
    goto refused;
  first = lua_type(L, 1);
  second = lua_type(L, 2);
  third = lua_type(L, 3);
  if(first == LUA_TNUMBER && second == LUA_TNUMBER && third == LUA_TNUMBER)
    result = list_7(lua_tonumber(L, 1), lua_tonumber(L, 2), lua_tonumber(L, 3));
  else if(first == LUA_TNUMBER)
  {
    if(!(t = luaT_toudata(L, 2, torch_DoubleTensor_id))
       || !(u = luaT_toudata(L, 3, torch_DoubleTensor_id)))
      goto refused;
    result = list_8(lua_tonumber(L, 1), t, u);
  }
  else if(!(t = luaT_toudata(L, 1, torch_DoubleTensor_id)))
    goto refused;
  else if(third != LUA_TNUMBER && third != LUA_TBOOLEAN)
    goto refused;
  else if(second == LUA_TNUMBER)
    result = third == LUA_TNUMBER ? list_3(t, lua_tonumber(L, 2), lua_tonumber(L, 3))
                                  : list_4(t, lua_tonumber(L, 2), lua_toboolean(L, 3));
  else if(second == LUA_TBOOLEAN)
    result = third == LUA_TNUMBER ? list_5(t, lua_toboolean(L, 2), lua_tonumber(L, 3))
                                  : list_6(t, lua_toboolean(L, 2), lua_toboolean(L, 3));
  else if((u = luaT_toudata(L, 2, torch_DoubleTensor_id)))
    result = third == LUA_TNUMBER ? list_1(t, u, lua_tonumber(L, 3))
                                  : list_2(t, u, lua_toboolean(L, 3));
  else
    goto refused;
  lua_pushinteger(L, result);
  return 1;
refused:
  return invalid(L, "eight", "DoubleTensor DoubleTensor double | ...");
}

/* The kind of an argument: 0 for a tensor, which is put into `t`, 1 for a number, 2 for a boolean. */
static int kind(lua_State *L, int idx, Tensor **t)
{
  int type = lua_type(L, idx);
  if(type == LUA_TNUMBER)
    return 1;
  if(type == LUA_TBOOLEAN)
    return 2;
  return (*t = luaT_toudata(L, idx, torch_DoubleTensor_id)) ? 0 : 99;
}

/* By a switch over the types of all three. */
static int hand_many(lua_State *L)
{
  Tensor *a, *b, *c;
  int result;
#define T(n, t) t
#define N(n, t) lua_tonumber(L, n)
#define B(n, t) lua_toboolean(L, n)
#define CASE(k, X, Y, Z) case k: result = many_##X##Y##Z(X(1, a), Y(2, b), Z(3, c)); break
#define CASES(k, X, Y) CASE(k, X, Y, T); CASE(k + 1, X, Y, N); CASE(k + 2, X, Y, B)
  if(lua_gettop(L) != 3)
    return invalid(L, "many", "DoubleTensor DoubleTensor DoubleTensor | ...");
  switch(9 * kind(L, 1, &a) + 3 * kind(L, 2, &b) + kind(L, 3, &c))
  {
    CASES(0, T, T);
    CASES(3, T, N);
    CASES(6, T, B);
    CASES(9, N, T);
    CASES(12, N, N);
    CASES(15, N, B);
    default: return invalid(L, "many", "DoubleTensor DoubleTensor DoubleTensor | ...");
  }
  lua_pushinteger(L, result);
  return 1;
}

static const struct luaL_Reg functions[] = {
  {"add", hand_add},
  {"norm", hand_norm},
  {"scaled", hand_scaled},
  {"six", hand_six},
  {"eight", hand_eight},
  {"many", hand_many},
  {NULL, NULL}
};

int luaopen_hand_module(lua_State *L)
{
  NEW_MODULE(L, functions);
  luaT_open(L);
  return 1;
}

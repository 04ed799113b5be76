/* Purpose: a stand-in for Torch's luaT and TH, which no distribution has any more, as far as wrappers
 * call them: classes by id, tensors of rank 1 to 4 whose numbers are all double. It counts the
 * tensors that are alive, so that tests can see leaks.
 * Tests only. */
#ifndef LUAT_DOUBLE_H
#define LUAT_DOUBLE_H

#include <lua.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

typedef struct Tensor {
  int references;
  int nDimension;
  long size[4];
  double *data;
} Tensor;

static int tensors_alive = 0;

/* The handler that TH calls when it is out of memory, and the number of remaining allocations; -1: unlimited. */
static lua_State *tensor_state;
static long memory_left = -1;

static void *tensor_memory(size_t count, size_t size)
{
  if(memory_left == 0)
    return NULL;
  if(memory_left > 0)
    memory_left--;
  return calloc(count, size);
}

static void *tensor_no_memory(void)
{
  luaL_error(tensor_state, "not enough memory for a tensor");
  return NULL;
}

static const void *luaT_newclass(lua_State *L, const char *name, lua_CFunction free_tensor)
{
  lua_getfield(L, LUA_REGISTRYINDEX, name);
  if(lua_istable(L, -1))
  {
    lua_pop(L, 1);
    return name; /* another module has made it */
  }
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushcfunction(L, free_tensor);
  lua_setfield(L, -2, "__gc");
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, name);
  lua_pushstring(L, name);
  lua_rawset(L, LUA_REGISTRYINDEX); /* registry[metatable] = name */
  return name;
}

/* Torch has these in a library of their own, so no compiler can see into them. */
#define ELSEWHERE __attribute__((noinline, unused))

static ELSEWHERE void *luaT_toudata(lua_State *L, int idx, const void *id)
{
  void **box = lua_touserdata(L, idx);
  int same;
  if(box == NULL || !lua_getmetatable(L, idx))
    return NULL;
  lua_getfield(L, LUA_REGISTRYINDEX, (const char *)id);
  same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same ? *box : NULL;
}

static ELSEWHERE void luaT_pushudata(lua_State *L, void *object, const void *id)
{
  if(object == NULL)
  {
    lua_pushnil(L);
    return;
  }
  *(void **)lua_newuserdata(L, sizeof(void *)) = object;
  lua_getfield(L, LUA_REGISTRYINDEX, (const char *)id);
  lua_setmetatable(L, -2);
}

static Tensor *tensor_new(void)
{
  Tensor *tensor = tensor_memory(1, sizeof(Tensor));
  if(!tensor)
    return tensor_no_memory();
  tensor->references = 1;
  tensors_alive++;
  return tensor;
}

static long tensor_numel(const Tensor *tensor)
{
  long n = tensor->nDimension > 0;
  int i;
  for(i = 0; i < tensor->nDimension; i++)
    n *= tensor->size[i];
  return n;
}

static void tensor_resize(Tensor *tensor, int rank, const long *size)
{
  double *data;
  long n = rank > 0;
  int i;
  for(i = 0; i < rank; i++)
    n *= size[i];
  data = tensor_memory(n + 1, sizeof(double));
  if(!data)
  {
    tensor_no_memory();
    return;
  }
  free(tensor->data);
  tensor->data = data;
  tensor->nDimension = rank;
  memcpy(tensor->size, size, rank * sizeof(long));
}

static void tensor_retain(Tensor *tensor)
{
  tensor->references++;
}

static void tensor_free(Tensor *tensor)
{
  if(--tensor->references == 0)
  {
    free(tensor->data);
    free(tensor);
    tensors_alive--;
  }
}

static Tensor *tensor_clone(const Tensor *tensor)
{
  Tensor *clone = tensor_new();
  clone->data = tensor_memory(tensor_numel(tensor) + 1, sizeof(double));
  if(!clone->data)
  {
    tensor_free(clone);
    return tensor_no_memory();
  }
  clone->nDimension = tensor->nDimension;
  memcpy(clone->size, tensor->size, sizeof clone->size);
  memcpy(clone->data, tensor->data, tensor_numel(tensor) * sizeof(double));
  return clone;
}

static void tensor_add(Tensor *result, const Tensor *tensor, double value)
{
  long i;
  for(i = 0; i < tensor_numel(tensor); i++)
    result->data[i] = tensor->data[i] + value;
}

static int tensor_gc(lua_State *L)
{
  tensor_free(*(Tensor **)lua_touserdata(L, 1));
  return 0;
}

#define TENSOR_CLASS(NAME) \
typedef Tensor TH##NAME; \
static const void *torch_##NAME##_id; \
static __attribute__((unused)) TH##NAME *TH##NAME##_new(void) { return tensor_new(); } \
static __attribute__((unused)) void TH##NAME##_retain(TH##NAME *t) { tensor_retain(t); } \
static __attribute__((unused)) TH##NAME *TH##NAME##_newClone(TH##NAME *t) { return tensor_clone(t); } \
static __attribute__((unused)) void TH##NAME##_add(TH##NAME *r, TH##NAME *t, double x) { tensor_add(r, t, x); }

TENSOR_CLASS(ByteTensor)
TENSOR_CLASS(CharTensor)
TENSOR_CLASS(ShortTensor)
TENSOR_CLASS(IntTensor)
TENSOR_CLASS(LongTensor)
TENSOR_CLASS(FloatTensor)
TENSOR_CLASS(DoubleTensor)

/* As TH's templates name the tensor at hand. */
typedef Tensor THTensor;
#define THTensor_(NAME) THDoubleTensor_##NAME
#define torch_(NAME) torch_Double##NAME

/* new(class, {numbers}[, rows]): a vector, or a matrix */
static int tensor_from_table(lua_State *L)
{
  Tensor *tensor = tensor_new();
  long n, i, size[2];
  lua_settop(L, 3);
  luaT_pushudata(L, tensor, luaL_checkstring(L, 1));
#if LUA_VERSION_NUM >= 502
  n = (long)lua_rawlen(L, 2);
#else
  n = (long)lua_objlen(L, 2);
#endif
  size[0] = (long)luaL_optnumber(L, 3, (lua_Number)n);
  size[1] = size[0] ? n / size[0] : 0;
  tensor_resize(tensor, lua_isnoneornil(L, 3) ? 1 : 2, size);
  for(i = 0; i < n; i++)
  {
    lua_rawgeti(L, 2, (int)i + 1);
    tensor->data[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return 1;
}

/* get(tensor): its numbers as a table, and its rank */
static int tensor_to_table(lua_State *L)
{
  Tensor *tensor = *(Tensor **)lua_touserdata(L, 1);
  long i;
  lua_newtable(L);
  for(i = 0; i < tensor_numel(tensor); i++)
  {
    lua_pushnumber(L, tensor->data[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_pushinteger(L, tensor->nDimension);
  return 2;
}

static int tensor_alive(lua_State *L)
{
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_pushinteger(L, tensors_alive);
  return 1;
}

/* Adds `new`, `get` and `alive` to the table on the stack, and makes all classes. */
static void luaT_open(lua_State *L)
{
  tensor_state = L;
#define OPEN(NAME) torch_##NAME##_id = luaT_newclass(L, "torch." #NAME, tensor_gc);
  OPEN(ByteTensor) OPEN(CharTensor) OPEN(ShortTensor) OPEN(IntTensor)
  OPEN(LongTensor) OPEN(FloatTensor) OPEN(DoubleTensor)
#undef OPEN
  lua_pushcfunction(L, tensor_from_table);
  lua_setfield(L, -2, "new");
  lua_pushcfunction(L, tensor_to_table);
  lua_setfield(L, -2, "get");
  lua_pushcfunction(L, tensor_alive);
  lua_setfield(L, -2, "alive");
}

#endif

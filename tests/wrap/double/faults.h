/* Purpose: makes allocations fail at a chosen moment: Lua's own, and Torch's.
 * Tests only. */
#include "luaT.h"

typedef struct Faults {
  lua_Alloc alloc;
  void *state;
  long left;
  int hit;
} Faults;

/* From a moment on no allocation succeeds: Lua collects garbage and tries again, which must not help. */
static void *faults_alloc(void *state, void *block, size_t old, size_t size)
{
  Faults *faults = state;
  if(size > 0 && (!block || size > old) && faults->left >= 0)
  {
    if(faults->left == 0)
    {
      faults->hit = 1;
      return NULL;
    }
    faults->left--;
  }
  return faults->alloc(faults->state, block, old, size);
}

/* fault(lua, torch, f, ...): calls f while Lua has memory for `lua` pieces and Torch for `torch`, -1
 * for any number; returns whether memory ran out, whether f returned, and its result or message */
static int faults_fault(lua_State *L)
{
  Faults faults;
  int status, hit;
  luaL_checktype(L, 3, LUA_TFUNCTION);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  faults.alloc = lua_getallocf(L, &faults.state);
  faults.left = (long)lua_tonumber(L, 1);
  faults.hit = 0;
  memory_left = (long)lua_tonumber(L, 2);
  lua_setallocf(L, faults_alloc, &faults);
  status = lua_pcall(L, lua_gettop(L) - 3, LUA_MULTRET, 0);
  lua_setallocf(L, faults.alloc, faults.state);
  hit = faults.hit || memory_left == 0;
  memory_left = -1;
  lua_pushboolean(L, hit);
  lua_replace(L, 1);
  lua_pushboolean(L, status == 0);
  lua_replace(L, 2);
  return lua_gettop(L);
}

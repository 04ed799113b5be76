/* Two threads, each with a Lua state, share storages: their reference counts must be right in the end.
 *
 * Run under ThreadSanitizer. One storage is filled before; both threads allocate the memory of the other
 * at once. */
#include "fishplate_lua.h"

#include <lualib.h>
#include <pthread.h>

enum { THREADS = 4, ELEMENTS = 8 };

static fp_storage *filled, *unfilled;
static int given_back;

static void
count_end(fp_storage *storage)
{
    (void)storage;
    __atomic_fetch_add(&given_back, 1, __ATOMIC_RELAXED);
}

/* Pushes tensors on both storages. */
static int
shared(lua_State *L)
{
    static const ptrdiff_t shape[1] = {ELEMENTS};
    fp_push_shared(L, filled, FP_FLOAT64, 1, shape);
    fp_push_shared(L, unfilled, FP_FLOAT64, 1, shape);
    return 2;
}

int luaopen_fishplate(lua_State *L);

static void *
work(void *pointer)
{
    static const char script[] =
        "local fp, shared = ...\n"
        "local kept, other = shared()\n"
        "local memory = other:pointer()\n"
        "for k = 1, 2000 do\n"
        "  local t, u = shared()\n"
        "  assert(t[{{2, 5}}]:view{2, 2}[2][1] == 3 and u:pointer() == memory and u[1] == 0)\n"
        "  local again = fp.from_dlpack(t:dlpack())\n"
        "  assert(again[8] == 7)\n"
        "  if k % 100 == 0 then collectgarbage() end\n"
        "end\n"
        "return memory";
    lua_State *L = luaL_newstate();
    void **memory = (void **)pointer;
    luaL_openlibs(L);
    luaL_loadstring(L, script);
    luaopen_fishplate(L);
    fp_push_metatable(L);
    lua_pushcclosure(L, shared, 1);
    if (lua_pcall(L, 2, 1, 0) != 0) {
        printf("%s\n", lua_tostring(L, -1));
    }
    else {
        *memory = lua_touserdata(L, -1);
    }
    lua_close(L);
    return NULL;
}

int
main(void)
{
    static double numbers[ELEMENTS] = {0, 1, 2, 3, 4, 5, 6, 7};
    pthread_t threads[THREADS];
    void *memory[THREADS] = {NULL};
    int k, is_fine = 1;
    filled = fp_storage_new(sizeof(numbers), FP_UNFILLED);
    unfilled = fp_storage_new(sizeof(numbers), FP_UNFILLED);
    filled->data = numbers;
    filled->release = count_end;
    for (k = 0; k < THREADS; k++) {
        pthread_create(&threads[k], NULL, work, &memory[k]);
    }
    for (k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        is_fine &= memory[k] != NULL && memory[k] == memory[0];
    }
    is_fine &= filled->references == 1 && unfilled->references == 1 && given_back == 0;
    fp_storage_release(filled);
    fp_storage_release(unfilled);
    is_fine &= given_back == 1;
    printf("%s\n", is_fine ? "even" : "not even");
    return !is_fine;
}

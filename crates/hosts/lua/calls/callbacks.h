/* Callbacks: functions of Lua that C calls.
 *
 * A call of C during which it may call back is an fp_running, on the thread that runs Lua. The
 * error of the first callback that fails is stored there, and raised when C has returned; until
 * then C receives the error return value, and no callback runs. Nothing is raised through C: all
 * Lua code for a callback runs in a protected call. */

#ifndef _WIN32
#include <pthread.h>
#endif

typedef struct fp_running {
    struct fp_running *outer; /* the call that this thread was in before */
    lua_State *L;
    int error_at; /* where on the stack the first error value is */
    int failed;   /* with an error value */
    const struct fp_callback *elsewhere; /* by __atomic only: a callback that was called where Lua cannot run */
    const void *state; /* identifies the independent Lua state */
    const void *thread; /* identifies the thread: the address of its fp_here */
    struct fp_running *next, **at; /* the other calls of the module */
} fp_running;

/* The calls of all threads during which C may call back, the latest first; by fp_begin_running only. */
FP_GLOBAL fp_running *fp_all_running;
FP_GLOBAL char fp_running_lock;

/* The C call that this thread is in; NULL while it is in Lua. */
FP_GLOBAL __thread fp_running *fp_here;

typedef struct {
    fp_param param;
    const char *const *names; /* of the function's arguments */
} fp_callback_param;

/* At the place of the dtype in other parameters. */
enum { FP_TYPE_FUNCTION = 101 };

/* An object that C may use as long as it may call a callback: see fp_retain_returned_object. Lua owns its memory. */
typedef struct fp_used {
    fp_edge edge; /* of the object that retains the callback; in no list if the module retains it, or the call */
    struct fp_used *next;
} fp_used;

/* A callback. Lua runs a C function for it, whose upvalues are the metatable of tensors, the user's
 * function, the callback itself if it outlives its call, and what C uses of its results. */
typedef struct fp_callback {
    const fp_callback_param *of;
    fp_running *running; /* the call that it was passed to; NULL: it outlives that call */
    int slot;            /* during that call, the stack index of the function that Lua runs; or 0 */
    const void *seen;    /* the data of on-error code: of that call, or the handle that retains it */
    const void *state;   /* identifies the independent Lua state */
    fp_handle *owner;    /* the handle that retains it; NULL: none */
    const void *table;   /* after that call, the registry key of the table that retains it; NULL: the registry */
    struct fp_callback *next; /* in the list of callbacks that a handle retains */
    size_t age;               /* greater than that of all callbacks retained before; 0: it is not retained */
    char *key;              /* its key, after the part that C retains */
    size_t size;              /* of the key */
    fp_edge edge;             /* of another argument that outlives the call: to the object that it is, or */
    fp_storage *storage;      /* the memory of the tensor; NULL: it is neither */
    fp_used *objects;         /* that it has returned */
} fp_callback;

/* A parameter for callbacks whose user data belongs to an object. The user data is the address of the
 * first one of a list, to which C on any thread has access, and which therefore only grows until the
 * object has been released. Lua owns the memory. */
typedef struct fp_user_data {
    const fp_callback_param *of;
    const fp_callback *last; /* by __atomic only: which C calls; NULL: none */
    struct fp_user_data *next; /* by __atomic only */
} fp_user_data;

/* ---- Arguments of the caller -------------------------------------------------------------------------- */

static FP_UNUSED int
fp_is_callable(lua_State *L, int slot)
{
    int is_callable = lua_isfunction(L, slot);
    if (!is_callable && luaL_getmetafield(L, slot, "__call")) {
        lua_pop(L, 1);
        is_callable = 1;
    }
    return is_callable;
}

static inline fp_fit
fp_fit_function(lua_State *L, int slot, const fp_param *p)
{
    if (p->dtype != FP_TYPE_FUNCTION) {
        return FP_FIT_OF_KIND(L, slot, p);
    }
    return fp_is_callable(L, slot) ? FP_EXACT : FP_NO_FIT;
}
#undef FP_FIT_OF_KIND
#define FP_FIT_OF_KIND fp_fit_function

static FP_UNUSED void
fp_take_callback(lua_State *L, fp_callback *callback, fp_running *running, int slot, lua_CFunction run,
                 const fp_callback_param *p)
{
    if (!fp_is_callable(L, slot)) {
        fp_wanted(L, &p->param.where, "a function", slot);
    }
    callback->of = p;
    callback->running = running;
    callback->state = lua_topointer(L, LUA_REGISTRYINDEX);
    callback->seen = NULL;
    callback->owner = NULL;
    callback->table = NULL;
    callback->next = NULL;
    callback->age = 0;
    callback->key = NULL;
    callback->size = 0;
    callback->edge.at = NULL;
    callback->edge.owner = NULL;
    callback->storage = NULL;
    callback->objects = NULL;
    lua_pushvalue(L, FP_METATABLE);
    lua_pushvalue(L, slot);
    lua_pushnil(L);
    lua_pushcclosure(L, run, 3);
    callback->slot = lua_gettop(L);
}

static FP_UNUSED void
fp_no_callback(fp_callback *callback, const fp_callback_param *p)
{
    callback->of = p;
    callback->running = NULL;
    callback->seen = NULL;
    callback->slot = 0;
    callback->objects = NULL;
}

/* Creates a callback that outlives the call, followed by `room` bytes for a struct that C retains: Lua
 * owns its memory, and its Lua closure retains that. */
static FP_UNUSED fp_callback *
fp_new_callback(lua_State *L, fp_running *running, int slot, lua_CFunction run, size_t room,
                const fp_key_part *key, int count, const fp_callback_param *p)
{
    size_t size = fp_key_size(key, count);
    fp_callback *callback = (fp_callback *)fp_new_userdata(L, sizeof(fp_callback) + room + size, 0);
    int at = lua_gettop(L);
    fp_take_callback(L, callback, running, slot, run, p);
    lua_pop(L, 1);
    lua_pushvalue(L, FP_METATABLE);
    lua_pushvalue(L, slot);
    lua_pushvalue(L, at);
    lua_pushnil(L);
    lua_pushcclosure(L, run, 4);
    lua_replace(L, at);
    callback->slot = at;
    callback->key = (char *)(callback + 1) + room;
    callback->size = size;
    fp_copy_key(callback->key, key, count);
    return callback;
}

/* Moves the value on top of the stack to the registry, at `key`. */
static FP_HELPER void
fp_register(lua_State *L, const void *key)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)key);
    lua_insert(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
}

static FP_HELPER void
fp_unregister(lua_State *L, const void *key)
{
    lua_pushnil(L);
    fp_register(L, key);
}

/* Pushes the table of `until`, in which the module retains callbacks. */
static FP_HELPER void
fp_push_until(lua_State *L, const void *until)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)until);
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (!lua_istable(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        fp_register(L, until);
    }
}

static FP_HELPER size_t
fp_next_age(void)
{
    static size_t ages;
    return __atomic_add_fetch(&ages, 1, __ATOMIC_RELAXED);
}

/* Retains a callback before C receives it: whatever the result of the call, C may call it from now on. */
static FP_UNUSED void
fp_keep_in_module(lua_State *L, const void *until, fp_callback *callback)
{
    if (callback != NULL && callback->age == 0) {
        fp_push_until(L, until);
        lua_pushlightuserdata(L, callback);
        lua_pushvalue(L, callback->slot);
        lua_rawset(L, -3);
        lua_pop(L, 1);
        callback->table = until;
        callback->age = fp_next_age();
    }
}

static FP_UNUSED void
fp_keep_in_handle(lua_State *L, fp_callback **list, fp_callback *callback)
{
    if (callback != NULL && callback->age == 0) {
        lua_pushvalue(L, callback->slot);
        fp_register(L, callback);
        callback->owner = (fp_handle *)(void *)((char *)list - offsetof(fp_handle, callbacks));
        callback->next = *list;
        *list = callback;
        callback->age = fp_next_age();
    }
}

/* C++ begins to share the object that retains a callback. 0: it is being released. */
static FP_UNUSED int
fp_begin_sharing(void *data)
{
    fp_handle *owner = ((fp_callback *)data)->owner;
    if (owner != NULL) {
        (void)__atomic_add_fetch(&owner->shares, 1, __ATOMIC_ACQ_REL);
    }
    return owner != NULL;
}

/* The end of that, on any thread: Lua releases the object later. */
static FP_UNUSED void
fp_end_sharing(void *data)
{
    fp_handle *owner = ((fp_callback *)data)->owner;
    (void)__atomic_sub_fetch(&owner->shares, 1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&fp_has_unshared, 1, __ATOMIC_RELEASE);
}

/* Lets the user data of an object lead to this callback. NULL, for a parameter: to none. */
static FP_UNUSED void
fp_share(lua_State *L, fp_user_data **first, const fp_callback *callback, const fp_callback_param *p)
{
    fp_user_data **at = first;
    while (*at != NULL && (*at)->of != p) {
        at = &(*at)->next;
    }
    if (*at == NULL && callback != NULL) {
        fp_user_data *made = (fp_user_data *)fp_new_userdata(L, sizeof(fp_user_data), 0);
        memset(made, 0, sizeof(*made));
        made->of = p;
        made->last = callback;
        fp_register(L, made);
        __atomic_store_n(at, made, __ATOMIC_RELEASE);
    }
    else if (*at != NULL) {
        __atomic_store_n(&(*at)->last, callback, __ATOMIC_RELEASE);
    }
}

/* The callback of this parameter, by the user data of an object; NULL: none. */
static FP_UNUSED const fp_callback *
fp_shared_callback(void *data, const fp_callback_param *p)
{
    fp_user_data *one = (fp_user_data *)data;
    while (one != NULL && one->of != p) {
        one = __atomic_load_n(&one->next, __ATOMIC_ACQUIRE);
    }
    return one == NULL ? NULL : __atomic_load_n(&one->last, __ATOMIC_ACQUIRE);
}

static FP_UNUSED void
fp_drop_user_data(lua_State *L, fp_user_data **first)
{
    while (*first != NULL) {
        fp_user_data *one = *first;
        *first = one->next;
        fp_unregister(L, one);
    }
}

/* The object that retains a callback; NULL: none. */
static FP_UNUSED fp_handle *
fp_owner_of(const fp_callback *callback)
{
    return callback == NULL ? NULL : callback->owner;
}

/* Ends the use by the call, before anything is raised. */
static FP_UNUSED void
fp_leave_callback(fp_callback *callback)
{
    if (callback != NULL) {
        callback->running = NULL;
    }
}

/* Ends the uses of objects by a callback that has outlived its call, and that C no longer calls. */
static FP_HELPER void
fp_drop_used(lua_State *L, fp_callback *callback)
{
    while (callback->objects != NULL) {
        fp_used *one = callback->objects;
        callback->objects = one->next;
        if (one->edge.at != NULL) {
            fp_end_edge(L, &one->edge);
        }
        else {
            fp_end_module_use(L, one->edge.owner);
        }
    }
}

/* Removes one that a handle retains from the registry, and ends the use of the object that it is. */
static FP_HELPER void
fp_forget_kept(lua_State *L, fp_callback *one)
{
    fp_edge edge = one->edge;
    fp_drop_used(L, one);
    if (one->storage != NULL) {
        fp_storage_release(one->storage);
    }
    fp_unregister(L, one);
    if (edge.at != NULL) {
        fp_end_edge(L, &edge);
    }
}

/* The same for one in the table on top of the stack. */
static FP_HELPER void
fp_forget_in_table(lua_State *L, fp_callback *one)
{
    fp_handle *handle = one->edge.owner;
    fp_drop_used(L, one);
    lua_pushlightuserdata(L, one);
    lua_pushnil(L);
    lua_rawset(L, -3);
    fp_end_module_use(L, handle);
}

/* True if C no longer calls `one`, because a successful call has passed `kept` for the same parameter. */
static FP_HELPER int
fp_is_replaced(const fp_callback *one, const fp_callback *kept, const fp_key_part *key, int count,
               const fp_callback_param *p)
{
    int is_before = kept == NULL || one->age < kept->age;
    return one->of == p && one->running == NULL && one->age != 0 && is_before && fp_has_key(one->key, one->size, key, count);
}

static FP_UNUSED void
fp_replace_in_module(lua_State *L, const void *until, const fp_callback *kept, const fp_key_part *key,
                     int count, const fp_callback_param *p)
{
    fp_callback *replaced = NULL;
    fp_push_until(L, until);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        fp_callback *one = (fp_callback *)lua_touserdata(L, -2);
        lua_pop(L, 1);
        if (fp_is_replaced(one, kept, key, count, p)) {
            one->age = 0; /* its release may call back */
            one->next = replaced;
            replaced = one;
        }
    }
    while (replaced != NULL) {
        fp_callback *one = replaced;
        replaced = one->next;
        fp_forget_in_table(L, one);
    }
    lua_pop(L, 1);
}

/* Releases all that the module retains until this function. */
static FP_UNUSED void
fp_drop_in_module(lua_State *L, const void *until)
{
    fp_push_until(L, until);
    fp_unregister(L, until);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        fp_callback *one = (fp_callback *)lua_touserdata(L, -2);
        lua_pop(L, 1);
        fp_drop_used(L, one);
        fp_end_module_use(L, one->edge.owner);
    }
    lua_pop(L, 1);
}

static FP_UNUSED void
fp_replace_in_handle(lua_State *L, fp_callback **list, const fp_callback *kept, const fp_key_part *key,
                     int count, const fp_callback_param *p)
{
    fp_callback **at = list;
    while (*at != NULL) {
        fp_callback *one = *at;
        if (fp_is_replaced(one, kept, key, count, p)) {
            *at = one->next;
            fp_forget_kept(L, one);
        }
        else {
            at = &one->next;
        }
    }
}

/* Releases these callbacks, which C no longer calls. */
static FP_UNUSED void
fp_drop_callbacks(lua_State *L, fp_callback **list)
{
    while (*list != NULL) {
        fp_callback *callback = *list;
        *list = callback->next;
        fp_forget_kept(L, callback);
    }
}

/* ---- The C call --------------------------------------------------------------------------------------- */

/* Begins a section of a few assignments, on any thread. */
static inline void
fp_begin_running(void)
{
    while (__atomic_test_and_set(&fp_running_lock, __ATOMIC_ACQUIRE)) {
    }
}

static inline void
fp_end_running(void)
{
    __atomic_clear(&fp_running_lock, __ATOMIC_RELEASE);
}

static inline void
fp_remove_running(const fp_running *running)
{
    *running->at = running->next;
    if (running->next != NULL) {
        running->next->at = running->at;
    }
}

#ifndef _WIN32 /* which has no fork */
/* A fork finds the list complete. */
static FP_UNUSED void
fp_before_fork(void)
{
    fp_begin_running();
}

static FP_UNUSED void
fp_after_fork_in_parent(void)
{
    fp_end_running();
}

/* The child has the stack of one thread only. */
static FP_UNUSED void
fp_after_fork_in_child(void)
{
    const fp_running *one;
    for (one = fp_all_running; one != NULL; one = one->next) {
        if (one->thread != &fp_here) {
            fp_remove_running(one);
        }
    }
    fp_end_running();
}

#endif

/* Once per library: the registration ends when it is closed. */
static inline void
fp_watch_forks_of_calls(void)
{
#ifndef _WIN32
    static char is_done;
    if (FP_UNLIKELY(!__atomic_test_and_set(&is_done, __ATOMIC_RELAXED))) {
        (void)pthread_atfork(fp_before_fork, fp_after_fork_in_parent, fp_after_fork_in_child);
    }
#endif
}

static inline void
fp_begin_calls(lua_State *L, fp_running *running)
{
    lua_pushnil(L);
    running->outer = fp_here;
    running->L = L;
    running->error_at = lua_gettop(L);
    running->failed = 0;
    running->elsewhere = NULL;
    running->state = lua_topointer(L, LUA_REGISTRYINDEX);
    running->thread = &fp_here;
    fp_watch_forks_of_calls();
    running->at = &fp_all_running;
    fp_begin_running();
    running->next = fp_all_running;
    if (running->next != NULL) {
        running->next->at = &running->next;
    }
    fp_all_running = running;
    fp_end_running();
    fp_here = running;
}

static inline void
fp_end_calls(const fp_running *running)
{
    fp_here = running->outer;
    fp_begin_running();
    fp_remove_running(running);
    fp_end_running();
}

/* True if a callback of the call that this thread is in has failed. */
static inline int
fp_has_failed_here(void)
{
    return fp_here != NULL && __atomic_load_n(&fp_here->failed, __ATOMIC_ACQUIRE);
}

/* True if a callback of a call that has ended has failed. */
static inline int
fp_has_failed(const fp_running *running)
{
    return running->failed || __atomic_load_n(&running->elsewhere, __ATOMIC_ACQUIRE) != NULL;
}

/* Raises the error of a callback. */
static FP_NORETURN void
fp_raise_called(lua_State *L, const fp_running *running)
{
    if (!running->failed) {
        fp_error(L, &running->elsewhere->of->param.where,
                 "C called it on another thread or in another call, where Lua cannot run");
    }
    lua_pushvalue(L, running->error_at);
    lua_error(L);
    abort(); /* lua_error does not return, but its declaration does not specify that */
}

/* Calls a destructor, which may call back too; errors cannot be raised then. */
static FP_HELPER void
fp_destroy(lua_State *L, const fp_handle *handle, void *pointer)
{
    fp_running running;
    luaL_checkstack(L, 4, "too many values");
    fp_begin_calls(L, &running);
    fp_destroy_now(handle, pointer);
    fp_end_calls(&running);
    lua_settop(L, running.error_at - 1);
}

/* The module: code around each call, and loading. */

/* A status other than 0. */
static FP_NORETURN void
fp_bad_status(lua_State *L, const char *function, const char *c_name, int is_unsigned,
              long long status)
{
    fp_message t = {"", 0};
    fp_append(&t, is_unsigned ? "%s(): %s returned status %llu" : "%s(): %s returned status %lld",
              function, c_name, status);
    fp_raise(L, &t);
}

static FP_COLD void
fp_append_failure(fp_message *t, const fp_failure *why)
{
    if (why->function != NULL) {
        fp_append_string(t, why->function);
        fp_append_string(t, "(): ");
    }
    fp_append_string(t, why->text);
}

static FP_NORETURN void
fp_raise_failure(lua_State *L, fp_failure *why)
{
    fp_message t;
    t.length = 0;
    fp_append_failure(&t, why);
    while (why->cause != NULL) {
        fp_append_string(&t, "; caused by: ");
        fp_append_string(&t, why->cause->text);
        fp_pop_cause(why);
    }
    fp_raise(L, &t);
}

/* Allocates the object of the handle at `at`, in memory of the module, by the function of its class. */
static FP_UNUSED void *
fp_store_object(lua_State *L, int at, void *(*allocate)(int, fp_failure *), int initialise, const char *function)
{
    fp_failure why;
    void *object = allocate(initialise, &why);
    if (object == NULL) {
        if (why.exception == FP_MEMORY_ERROR) {
            fp_set_message(&why, "not enough memory");
        }
        why.function = function;
        fp_raise_failure(L, &why);
    }
    fp_receive_handle(L, at, object, 1);
    return object;
}

/* A warning: with Lua's `warn`, if it exists. */
static FP_COLD void
fp_warn_failure(lua_State *L, const fp_failure *why)
{
#if LUA_VERSION_NUM >= 504
    fp_message t;
    t.length = 0;
    fp_append_failure(&t, why);
    t.text[t.length] = 0;
    lua_warning(L, t.text, 0);
#else
    (void)L;
    (void)why;
#endif
}

/* The exported symbol: modules are compiled with everything else hidden. */
#define FP_EXPORT __attribute__((visibility("default")))

/* Pushes the module: a table of functions, each with the metatable of tensors. */
static FP_UNUSED int
fp_open(lua_State *L, const luaL_Reg *functions)
{
    lua_newtable(L);
    fp_push_metatable(L);
    fp_set_functions(L, functions);
    lua_pop(L, 1);
    return 1;
}

/* Calls functions of the module on top, up to NULL, which prepare its library. */
static FP_UNUSED void
fp_initialise(lua_State *L, const char *name, const char *const *functions)
{
    for (; *functions != NULL; functions++) {
        lua_getfield(L, -1, *functions);
        if (lua_pcall(L, 0, 0, 0) != 0) {
            luaL_error(L, "module %s cannot be loaded: %s", name, lua_tostring(L, -1));
        }
    }
}

/* Calls the functions in the table of the closure, each even if an earlier one fails. */
static FP_HELPER int
fp_exit(lua_State *L)
{
    int k;
    for (k = 1;; k++) {
        lua_rawgeti(L, lua_upvalueindex(1), k);
        if (lua_isnil(L, -1)) {
            return 0;
        }
        if (lua_pcall(L, 0, 0, 0) != 0) {
#if LUA_VERSION_NUM >= 504
            lua_warning(L, lua_tostring(L, -1), 0);
#endif
            lua_pop(L, 1);
        }
    }
}

/* Registers functions of the module on top, up to NULL, to be called when the state is closed. A state finalises in the
 * reverse order of creation, so the objects of the module, which are created later, are released before. */
static FP_UNUSED void
fp_call_at_exit(lua_State *L, const char *const *functions)
{
    int k;
    (void)lua_newuserdata(L, 1);
    lua_createtable(L, 0, 1);
    lua_newtable(L);
    for (k = 0; functions[k] != NULL; k++) {
        lua_getfield(L, -4, functions[k]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_pushcclosure(L, fp_exit, 1);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    (void)luaL_ref(L, LUA_REGISTRYINDEX);
}

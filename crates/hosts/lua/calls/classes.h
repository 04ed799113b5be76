/* Classes: the metatables of handles, with the functions that take one first as their methods. */

/* close, __close */
static FP_UNUSED int
fp_close_handle(lua_State *L)
{
    const fp_handle_class *of = (const fp_handle_class *)lua_touserdata(L, lua_upvalueindex(1));
    fp_handle *handle = fp_to_handle(L, 1, of);
    if (handle == NULL) {
        return luaL_error(L, "close: wanted a %s", of->name);
    }
    fp_close(L, handle);
    return 0;
}

/* __gc. The registry refers to an object that the module uses, unless the state is closed. */
static FP_UNUSED int
fp_collect_handle(lua_State *L)
{
    fp_handle *handle = (fp_handle *)lua_touserdata(L, 1);
    handle->uses -= handle->module_uses;
    handle->module_uses = 0;
    return fp_close_handle(L);
}

static FP_UNUSED int
fp_handle_closed(lua_State *L)
{
    const fp_handle_class *of = (const fp_handle_class *)lua_touserdata(L, lua_upvalueindex(1));
    const fp_handle *handle = fp_to_handle(L, 1, of);
    if (handle == NULL) {
        return luaL_error(L, "closed: wanted a %s", of->name);
    }
    lua_pushboolean(L, handle->is_closed);
    return 1;
}

static FP_UNUSED int
fp_handle_tostring(lua_State *L)
{
    const fp_handle_class *of = (const fp_handle_class *)lua_touserdata(L, lua_upvalueindex(1));
    const fp_handle *handle = fp_to_handle(L, 1, of);
    if (handle == NULL) {
        return luaL_error(L, "tostring: wanted a %s", of->name);
    }
    if (handle->is_closed) {
        lua_pushfstring(L, "closed %s", of->name);
    }
    else {
        lua_pushfstring(L, "%s: %p", of->name, handle->pointer);
    }
    return 1;
}

typedef struct {
    const fp_handle_class *of;
    const luaL_Reg *methods;
    const fp_operator *operators;   /* NULL: none */
    const fp_property *properties;  /* NULL: none */
    lua_CFunction get, set;         /* of items; NULL: none */
} fp_class_description;

/* Adds a function with its class as upvalue to the table on top. */
static FP_HELPER void
fp_set_of_class(lua_State *L, const char *name, lua_CFunction function, const fp_handle_class *of)
{
    lua_pushlightuserdata(L, (void *)of);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

/* Sets __index and __newindex of the metatable at -2, and pops the table of methods. */
static FP_HELPER void
fp_set_index(lua_State *L, const fp_class_description *c)
{
    if (c->properties != NULL || c->get != NULL) {
        fp_push_properties(L, c->properties, 0);
        fp_push_function(L, c->get);
        lua_pushcclosure(L, fp_index, 3);
    }
    lua_setfield(L, -2, "__index");
    if (c->properties != NULL || c->set != NULL) {
        lua_pushlightuserdata(L, (void *)c->of);
        fp_push_properties(L, c->properties, 1);
        fp_push_function(L, c->set);
        lua_pushcclosure(L, fp_new_index, 3);
        lua_setfield(L, -2, "__newindex");
    }
}

/* Creates the metatables, up to a row without a class. */
static FP_UNUSED void
fp_add_classes(lua_State *L, const fp_class_description *classes)
{
    for (; classes->of != NULL; classes++) {
        const fp_handle_class *of = classes->of;
        luaL_newmetatable(L, of->name);
        lua_newtable(L);
        fp_push_metatable(L);
        fp_set_functions(L, classes->methods);
        lua_pop(L, 1);
        fp_set_of_class(L, "close", fp_close_handle, of);
        fp_set_of_class(L, "closed", fp_handle_closed, of);
        fp_set_index(L, classes);
        fp_set_of_class(L, "__gc", fp_collect_handle, of);
        fp_set_of_class(L, "__close", fp_close_handle, of);
        fp_set_of_class(L, "__tostring", fp_handle_tostring, of);
        if (classes->operators != NULL) {
            fp_set_operators(L, of, classes->operators);
        }
        lua_pushstring(L, of->name);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__name");
        lua_setfield(L, -2, "__metatable"); /* the result of getmetatable: scripts must not call __gc */
        lua_pop(L, 1);
    }
}

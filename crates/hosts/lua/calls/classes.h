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

/* The same in a class whose library reports that it could not close an object: upvalue 2 calls it. */
static FP_UNUSED int
fp_close_by_call(lua_State *L)
{
    const fp_handle_class *of = (const fp_handle_class *)lua_touserdata(L, lua_upvalueindex(1));
    fp_handle *handle = fp_to_handle(L, 1, of);
    if (handle != NULL && !handle->is_closed && handle->is_owned) {
        lua_settop(L, 1);
        lua_pushvalue(L, lua_upvalueindex(2));
        lua_pushvalue(L, 1);
        lua_call(L, 1, 0);
    }
    return fp_close_handle(L);
}

/* __gc. The registry refers to an object that the module uses, or that C++ shares, unless the state is closed. */
static FP_UNUSED int
fp_collect_handle(lua_State *L)
{
    fp_handle *handle = (fp_handle *)lua_touserdata(L, 1);
    int done;
    handle->uses -= handle->module_uses;
    handle->module_uses = 0;
    if (FP_UNLIKELY(__atomic_load_n(&handle->shares, __ATOMIC_ACQUIRE) > 0)) {
        handle->of->abandon(handle->pointer);
        handle->pointer = NULL;
        __atomic_store_n(&handle->shares, 0, __ATOMIC_RELEASE);
    }
    done = fp_close_handle(L);
    if (FP_UNLIKELY(__atomic_load_n(&fp_has_unshared, __ATOMIC_RELAXED))) {
        fp_release_unshared(L);
    }
    return done;
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

/* The description of a base, which precedes those of derived classes. */
static FP_HELPER const fp_class_description *
fp_describe(const fp_class_description *all, const void *of)
{
    while (all->of != of) {
        all++;
    }
    return all;
}

/* Adds the methods of a class, after those of its bases, to the table below the metatable of tensors on top. */
static FP_HELPER void
fp_add_methods(lua_State *L, const fp_class_description *all, const fp_class_description *c)
{
    const fp_base *base;
    for (base = c->of->bases; base != NULL && base->of != NULL; base++) {
        fp_add_methods(L, all, fp_describe(all, base->of));
    }
    fp_set_functions(L, c->methods);
}

/* The same for its properties. */
static FP_HELPER int
fp_add_properties(lua_State *L, const fp_class_description *all, const fp_class_description *c, int must_set)
{
    const fp_base *base;
    int any = c->properties != NULL;
    for (base = c->of->bases; base != NULL && base->of != NULL; base++) {
        any |= fp_add_properties(L, all, fp_describe(all, base->of), must_set);
    }
    fp_set_properties(L, c->properties, must_set);
    return any;
}

/* The method that gets items, or sets them: its own, or that of a base. */
static FP_HELPER lua_CFunction
fp_item_method(const fp_class_description *all, const fp_class_description *c, int sets)
{
    lua_CFunction found = sets ? c->set : c->get;
    const fp_base *base;
    for (base = c->of->bases; found == NULL && base != NULL && base->of != NULL; base++) {
        found = fp_item_method(all, fp_describe(all, base->of), sets);
    }
    return found;
}

/* Adds the operators to the metatable on top, and its bases as keys. */
static FP_HELPER void
fp_add_operators(lua_State *L, const fp_class_description *all, const fp_class_description *c)
{
    const fp_base *base;
    for (base = c->of->bases; base != NULL && base->of != NULL; base++) {
        lua_pushlightuserdata(L, (void *)base->of);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
        fp_add_operators(L, all, fp_describe(all, base->of));
    }
    if (c->operators != NULL) {
        fp_set_operators(L, c->of, c->operators);
    }
}

/* Sets __index and __newindex of the metatable at -2, and pops the table of methods. */
static FP_HELPER void
fp_set_index(lua_State *L, const fp_class_description *all, const fp_class_description *c)
{
    lua_CFunction get = fp_item_method(all, c, 0), set = fp_item_method(all, c, 1);
    int any;
    lua_newtable(L);
    any = fp_add_properties(L, all, c, 0);
    if (any || get != NULL) {
        fp_push_function(L, get);
        lua_pushcclosure(L, fp_index, 3);
    }
    else {
        lua_pop(L, 1);
    }
    lua_setfield(L, -2, "__index");
    if (any || set != NULL) {
        lua_pushlightuserdata(L, (void *)c->of);
        lua_newtable(L);
        (void)fp_add_properties(L, all, c, 1);
        fp_push_function(L, set);
        lua_pushcclosure(L, fp_new_index, 3);
        lua_setfield(L, -2, "__newindex");
    }
}

/* Sets `close` of the table of methods on top: the class's own method, which is called once, or the one of every class. */
static FP_HELPER void
fp_set_close(lua_State *L, const fp_class_description *c)
{
    const luaL_Reg *own = c->methods;
    while (own->name != NULL && strcmp(own->name, "close") != 0) {
        own++;
    }
    if (own->name == NULL) {
        fp_set_of_class(L, "close", fp_close_handle, c->of);
        return;
    }
    lua_pushlightuserdata(L, (void *)c->of);
    lua_getfield(L, -2, "close");
    lua_pushcclosure(L, fp_close_by_call, 2);
    lua_setfield(L, -2, "close");
}

/* Creates the metatables, up to a row without a class. */
static FP_UNUSED void
fp_add_classes(lua_State *L, const fp_class_description *classes)
{
    const fp_class_description *all = classes;
    for (; classes->of != NULL; classes++) {
        const fp_handle_class *of = classes->of;
        luaL_newmetatable(L, of->name);
        lua_pushlightuserdata(L, &fp_handle_mark);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
        lua_newtable(L);
        fp_push_metatable(L);
        fp_add_methods(L, all, classes);
        lua_pop(L, 1);
        fp_set_close(L, classes);
        lua_getfield(L, -1, "close");
        lua_setfield(L, -3, "__close");
        fp_set_of_class(L, "closed", fp_handle_closed, of);
        fp_set_index(L, all, classes);
        fp_set_of_class(L, "__gc", fp_collect_handle, of);
        fp_set_of_class(L, "__tostring", fp_handle_tostring, of);
        fp_add_operators(L, all, classes);
        lua_pushstring(L, of->name);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__name");
        lua_setfield(L, -2, "__metatable"); /* the result of getmetatable: scripts must not call __gc */
        lua_pop(L, 1);
    }
}

/* Operators and properties: metamethods that call the methods of a class.
 *
 * The functions of a module are closures over the metatable of tensors, so a metamethod has them as upvalues. */

/* A method as a metamethod. */
typedef struct {
    const char *event;     /* "__add"; NULL ends the table */
    lua_CFunction method;  /* NULL: the object is the right operand only */
    lua_CFunction swapped; /* if the object is the right operand; NULL: it never is */
    int operands;          /* Lua passes more for some events; 0: all that there are */
    int is_test;           /* a number becomes a bool, as in C */
} fp_operator;

/* A property. */
typedef struct {
    const char *name; /* NULL ends the table */
    lua_CFunction method;
    int is_settable;
} fp_property;

/* Pushes a function of the module, or nil. */
static FP_HELPER void
fp_push_function(lua_State *L, lua_CFunction function)
{
    if (function == NULL) {
        lua_pushnil(L);
        return;
    }
    fp_push_metatable(L);
    lua_pushcclosure(L, function, 1);
}

/* The metamethod of an operator. Upvalues: the class, its two methods, the number of operands, whether it is a test. */
static FP_UNUSED int
fp_operate(lua_State *L)
{
    const fp_handle_class *of = (const fp_handle_class *)lua_touserdata(L, lua_upvalueindex(1));
    int count = (int)lua_tointeger(L, lua_upvalueindex(4));
    int is_swapped = !lua_isnil(L, lua_upvalueindex(3))
                     && (lua_isnil(L, lua_upvalueindex(2)) || fp_to_handle(L, 1, of) == NULL);
    if (count == 0) {
        count = lua_gettop(L);
    }
    lua_settop(L, count);
    if (is_swapped) {
        lua_insert(L, 1);
    }
    lua_pushvalue(L, lua_upvalueindex(is_swapped ? 3 : 2));
    lua_insert(L, 1);
    lua_call(L, count, 1);
    if (lua_toboolean(L, lua_upvalueindex(5)) && lua_type(L, -1) == LUA_TNUMBER) {
        lua_pushboolean(L, lua_tonumber(L, -1) != 0);
    }
    return 1;
}

/* object[key]: a method, a property, an item. Upvalues: the tables of methods and properties, and the method of `[]`
 * or nil. */
static FP_UNUSED int
fp_index(lua_State *L)
{
    int is_item;
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    if (!lua_isnil(L, -1)) {
        return 1;
    }
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    is_item = lua_isnil(L, -1);
    if (is_item) {
        lua_pushvalue(L, lua_upvalueindex(3));
        if (lua_isnil(L, -1)) {
            return 1;
        }
    }
    lua_pushvalue(L, 1);
    if (is_item) {
        lua_pushvalue(L, 2);
    }
    lua_call(L, 1 + is_item, 1);
    return 1;
}

/* object[key] = value. Upvalues: the class, the table of properties, which is false for those that cannot be set, the
 * method of `[]` or nil. */
static FP_UNUSED int
fp_new_index(lua_State *L)
{
    const fp_handle_class *of = (const fp_handle_class *)lua_touserdata(L, lua_upvalueindex(1));
    int is_item;
    lua_settop(L, 3);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    is_item = lua_isnil(L, -1);
    if (is_item) {
        lua_pushvalue(L, lua_upvalueindex(3));
    }
    if (!lua_toboolean(L, -1)) {
        const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
        return luaL_error(L, "%s: attribute '%s' cannot be set", of->name, key);
    }
    lua_pushvalue(L, 1);
    if (is_item) {
        lua_pushvalue(L, 2);
    }
    lua_pushvalue(L, 3);
    lua_call(L, 2 + is_item, 0);
    return 0;
}

/* Adds the metamethods of operators to the metatable on top. */
static FP_HELPER void
fp_set_operators(lua_State *L, const fp_handle_class *of, const fp_operator *operators)
{
    for (; operators->event != NULL; operators++) {
        lua_pushlightuserdata(L, (void *)of);
        fp_push_function(L, operators->method);
        fp_push_function(L, operators->swapped);
        lua_pushinteger(L, operators->operands);
        lua_pushboolean(L, operators->is_test);
        lua_pushcclosure(L, fp_operate, 5);
        lua_setfield(L, -2, operators->event);
    }
}

/* Adds the properties to the table on top; `must_set`: false for those that cannot be set. */
static FP_HELPER void
fp_set_properties(lua_State *L, const fp_property *properties, int must_set)
{
    for (; properties != NULL && properties->name != NULL; properties++) {
        if (properties->is_settable || !must_set) {
            fp_push_function(L, properties->method);
        }
        else {
            lua_pushboolean(L, 0);
        }
        lua_setfield(L, -2, properties->name);
    }
}

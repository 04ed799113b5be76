/* Constants: values that headers define, as fields of the module. */

/* Pushes a value. */
static FP_HELPER void
fp_push_value(lua_State *L, const fp_c_value *v)
{
    switch (v->kind) {
    case FP_VALUE_BOOL:
        lua_pushboolean(L, v->integer != 0);
        return;
    case FP_VALUE_SIGNED:
        fp_push_signed(L, v->integer);
        return;
    case FP_VALUE_UNSIGNED:
        fp_push_unsigned(L, (uint64_t)v->integer);
        return;
    case FP_VALUE_FLOAT:
        lua_pushnumber(L, (lua_Number)v->real);
        return;
    case FP_VALUE_COMPLEX:
        fp_push_complex(L, v->real, v->imaginary);
        return;
    default:
        break;
    }
    if (v->pointer == NULL) {
        lua_pushnil(L);
    }
    else if (v->kind == FP_VALUE_STRING) {
        lua_pushstring(L, (const char *)v->pointer);
    }
    else {
        fp_receive_handle(L, fp_push_handle(L, (const fp_handle_class *)v->of, 0), v->pointer, 0);
    }
}

/* The value of a row. C++ may throw, and Lua's errors are not exceptions. */
static FP_HELPER int
fp_find_value(const fp_constant *constant, fp_c_value *value, fp_failure *why)
{
#ifdef __cplusplus
    try {
        *value = constant->value();
    }
    FP_LET_THREADS_END
    catch (...) {
        fp_catch(why, fp_note_standard);
        return 0;
    }
#else
    (void)why;
    *value = constant->value();
#endif
    return 1;
}

/* Adds the constants, up to a row without a name, to the table on top. A class is a function, which has no fields: the
 * name of a constant of one begins with its name. */
static FP_HELPER void
fp_add_constants(lua_State *L, const fp_constant *constants)
{
    for (; constants->name != NULL; constants++) {
        fp_c_value value;
        fp_failure why;
        if (!fp_find_value(constants, &value, &why)) {
            fp_raise_failure(L, &why);
        }
        if (constants->class_name != NULL) {
            lua_pushfstring(L, "%s_%s", constants->class_name, constants->name);
        }
        else {
            lua_pushstring(L, constants->name);
        }
        fp_push_value(L, &value);
        lua_rawset(L, -3);
    }
}

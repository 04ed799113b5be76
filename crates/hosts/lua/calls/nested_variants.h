/* The alternatives of a variant: how well a value fits each type.
 *
 * Purpose: choose the alternative of a variant, and an overload, by the signatures of their types (nodes.h).
 * Invariant: nothing is converted.
 * Reason: all values of a table are considered, so that none of them is refused later. */

static FP_HELPER int
fp_node_dtype(char letter, int size)
{
    switch (letter) {
    case 'b': return FP_BOOL;
    case 'f': return size == 4 ? FP_FLOAT32 : FP_FLOAT64;
    case 'c': return size == 8 ? FP_COMPLEX64 : FP_COMPLEX128;
    case 'i': return size == 1 ? FP_INT8 : size == 2 ? FP_INT16 : size == 4 ? FP_INT32 : FP_INT64;
    default: return size == 1 ? FP_UINT8 : size == 2 ? FP_UINT16 : size == 4 ? FP_UINT32 : FP_UINT64;
    }
}

static FP_HELPER int fp_fits_nested(lua_State *L, const char *type, const void *const *classes, int slot);

static FP_HELPER int
fp_fits_number(lua_State *L, char letter, int size, int slot)
{
    double number = (double)lua_tonumber(L, slot);
    int dtype = fp_node_dtype(letter, size), is_whole = number < 0x1p63 && number >= -0x1p63 && (double)(int64_t)number == number;
#if LUA_VERSION_NUM >= 503
    int is_integer = lua_isinteger(L, slot), is_real = !is_integer;
#else
    int is_integer = is_whole, is_real = 1; /* a whole number is both: the first alternative has it */
#endif
    switch (letter) {
    case 'i': case 'u': return !is_whole || !fp_in_range(dtype, (int64_t)number) ? 0 : is_integer ? 2 : 1;
    case 'f': return is_real ? 2 : 1;
    case 'c': return 1;
    default: return 0;
    }
}

/* How well the values of a list fit: as well as the worst of them. If `is_tuple`, their types follow one another. */
static FP_HELPER int
fp_fits_all(lua_State *L, const char *type, const void *const *classes, int slot, int is_tuple)
{
    size_t k, count = fp_list_length(L, slot);
    int worst = 2;
    for (k = 1; k <= count && worst > 0; k++) {
        int fits;
        lua_rawgeti(L, slot, (int)k);
        fits = fp_fits_nested(L, type, classes, lua_gettop(L));
        lua_pop(L, 1);
        worst = fits < worst ? fits : worst;
        type = is_tuple ? fp_after_node(type) : type;
    }
    return worst;
}

/* The same for the keys and values of a table. */
static FP_HELPER int
fp_fits_items(lua_State *L, const char *type, const void *const *classes, int slot)
{
    int top = lua_gettop(L), worst = 2;
    for (lua_pushnil(L); lua_next(L, slot) != 0; lua_settop(L, top + 1)) {
        int key = fp_fits_nested(L, type, classes, top + 1), value = fp_fits_nested(L, fp_after_node(type), classes, top + 2);
        worst = key < worst ? key : worst;
        worst = value < worst ? value : worst;
    }
    return worst;
}

/* It is a map, not a list. */
static FP_HELPER int
fp_has_only_keys(lua_State *L, int slot)
{
    if (lua_type(L, slot) != LUA_TTABLE || fp_list_length(L, slot) > 0) {
        return 0;
    }
    lua_pushnil(L);
    if (lua_next(L, slot) == 0) {
        return 0;
    }
    lua_pop(L, 2);
    return 1;
}

/* How well a value fits: 2 for one of exactly this type, 1 for one that is converted, 0 for others. */
static FP_HELPER int
fp_fits_nested(lua_State *L, const char *type, const void *const *classes, int slot)
{
    const fp_tensor *t = fp_to_tensor(L, slot);
    int kind = lua_type(L, slot), is_list, best = 0;
    char letter = *type++;
    luaL_checkstack(L, 8, "nested tables");
    is_list = fp_is_list(L, slot) && !fp_has_only_keys(L, slot);
    switch (letter) {
    case 'n': return kind == LUA_TNIL ? 2 : 0;
    case 'b': return kind == LUA_TBOOLEAN ? 2 : 0;
    case 's': return kind == LUA_TSTRING ? 2 : 0;
    case 'i': case 'u': case 'f': case 'c':
        if (kind == LUA_TNUMBER) {
            return fp_fits_number(L, letter, fp_node_size(&type), slot);
        }
        if (t != NULL) {
            return t->ndim == 0 && fp_is_safe_cast(fp_node_dtype(letter, fp_node_size(&type)), t->dtype);
        }
        return letter == 'c' && kind == LUA_TTABLE && !is_list ? 2 : 0;
    case 'a': {
        const char *element = type;
        char of = *type++;
        int dtype = fp_node_dtype(of, fp_node_size(&type));
        if (t != NULL) {
            return t->ndim != 1 ? 0 : t->dtype == dtype ? 2 : fp_is_safe_cast(dtype, t->dtype);
        }
        return is_list && fp_fits_all(L, element, classes, slot, 0) > 0;
    }
    case 'x': case 'y': case 'z': {
        const fp_handle_class *of = (const fp_handle_class *)classes[fp_node_size(&type)];
        const fp_handle *handle = fp_to_handle(L, slot, of);
        return handle == NULL ? 0 : handle->of == of ? 2 : 1;
    }
    case 'q':
        return kind == LUA_TNUMBER && fp_fits_number(L, 'i', 8, slot) == 2
               && fp_is_enum((const fp_enum *)classes[fp_node_size(&type)], (long long)lua_tonumber(L, slot));
    case 'r': return fp_fits_struct(L, slot, (const fp_struct *)classes[fp_node_size(&type)]);
    case 'l': case 'h': return is_list ? fp_fits_all(L, type, classes, slot, 0) : 0;
    case 'm': return kind != LUA_TTABLE || fp_list_length(L, slot) > 0 ? 0 : fp_fits_items(L, type, classes, slot);
    case 'o': return kind == LUA_TNIL ? 2 : fp_fits_nested(L, type, classes, slot);
    case 't': return is_list && fp_list_length(L, slot) == fp_count_nodes(type) ? fp_fits_all(L, type, classes, slot, 1) : 0;
    case 'k': {
        ptrdiff_t count = fp_node_size(&type), found = t != NULL && t->ndim > 0 ? t->shape[0] : is_list ? (ptrdiff_t)fp_list_length(L, slot) : -1;
        return found == count ? fp_fits_nested(L, type, classes, slot) : 0;
    }
    default:
        for (; *type != 'e'; type = fp_after_node(type)) {
            int fits = fp_fits_nested(L, type, classes, slot);
            best = fits > best ? fits : best;
        }
        return best;
    }
}

/* Strings in memory of a size that the interface declares, and arrays of them, `char names[n][16]`: copies, and strings
 * that C wrote there. */

/* in, in out: a string in new memory of `room` bytes. */
static FP_HELPER void
fp_string_in(lua_State *L, fp_array *x, ptrdiff_t room, int slot, const fp_param *p)
{
    const char *text;
    fp_read_string(L, slot, &text, p);
    x->shape[0] = room;
    fp_array_scratch(L, x, p);
    fp_put_string(L, (char *)x->data, room, text, &p->where);
}

/* in, in out: a table of strings, each in new memory of `room` bytes. */
static FP_UNUSED void
fp_string_rows_in(lua_State *L, fp_array *x, ptrdiff_t room, int slot, const fp_param *p)
{
    fp_array from;
    ptrdiff_t k;
    fp_strings_in(L, &from, slot, p);
    x->shape[0] = from.shape[0];
    x->shape[1] = room;
    fp_array_scratch(L, x, p);
    for (k = 0; k < x->shape[0]; k++) {
        const char *text = ((const char *const *)from.data)[k];
        char name[64];
        fp_where where = p->where;
        snprintf(name, sizeof(name), "%.40s[%td]", p->where.name, k + 1);
        where.name = name;
        fp_put_string(L, (char *)x->data + k * room, room, text, &where);
    }
}

/* Pushes the string that C wrote. */
static FP_HELPER void
fp_return_string(lua_State *L, const fp_array *x)
{
    fp_push_written(L, (const char *)x->data, x->shape[0]);
}

/* Pushes the table of strings that C wrote. */
static FP_UNUSED void
fp_return_string_rows(lua_State *L, const fp_array *x)
{
    ptrdiff_t k;
    luaL_checkstack(L, 4, "a table");
    lua_createtable(L, (int)x->shape[0], 0);
    for (k = 0; k < x->shape[0]; k++) {
        fp_push_written(L, (const char *)x->data + k * x->shape[1], x->shape[1]);
        lua_rawseti(L, -2, (int)(k + 1));
    }
}

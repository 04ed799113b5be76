/* Jagged arrays: pointers to arrays of different lengths, the rows, which are in a table.
 *
 * The copy of the table is on Lua's stack, as for other arrays of pointers, and then each row with the copies that
 * C works on. The rows follow the pointers; each is an fp_array of its own. */

#define FP_CALL_ROOM 500 /* stack slots that any call needs at most */

typedef void (*fp_take_row)(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p);

static inline fp_array *
fp_jagged_row(const fp_array *x, ptrdiff_t k)
{
    /* An address that the elements of a copy allow, which Lua's memory need not have. */
    uintptr_t rows = (uintptr_t)((void **)x->data + x->shape[0] + 1);
    return (fp_array *)((rows + 15) / 16 * 16) + k;
}

/* The name of a row in messages: "rows[3]". */
static FP_HELPER const fp_param *
fp_name_row(fp_param *row, char *name, size_t size, ptrdiff_t k, const fp_param *p)
{
    *row = *p;
    snprintf(name, size, "%.40s[%td]", p->where.name, k + 1);
    row->where.name = name;
    return row;
}

static FP_UNUSED void
fp_take_rows(lua_State *L, fp_array *x, int slot, fp_take_row take, const fp_param *p)
{
    size_t each = (sizeof(fp_array) + 2 * 16) / sizeof(void *) + 1;
    void **pointers = fp_take_items(L, x, slot, each, p);
    ptrdiff_t k;
    /* A row, a copy of it, and what the call had room for. */
    luaL_checkstack(L, 2 * (int)x->shape[0] + FP_CALL_ROOM, "too many rows");
    for (k = 0; k < x->shape[0]; k++) {
        fp_param named;
        char name[64];
        int at;
        lua_rawgeti(L, x->temporary, (int)(k + 1));
        at = lua_gettop(L);
        take(L, fp_jagged_row(x, k), fp_to_tensor(L, at), at, fp_name_row(&named, name, sizeof(name), k, p));
        pointers[k] = fp_jagged_row(x, k)->data;
    }
    pointers[k] = NULL;
}

static FP_UNUSED void
fp_release_jagged(lua_State *L, fp_array *x)
{
    ptrdiff_t k;
    for (k = 0; x->data != NULL && k < x->shape[0]; k++) {
        fp_release(L, fp_jagged_row(x, k));
    }
}

/* Copies C's changes back to rows of which C had a copy. */
static FP_UNUSED void
fp_rows_back(fp_array *x, const fp_param *p)
{
    ptrdiff_t k;
    for (k = 0; x->data != NULL && k < x->shape[0]; k++) {
        fp_write_back(fp_jagged_row(x, k), p);
    }
}

static FP_UNUSED void
fp_struct_rows_back(lua_State *L, fp_array *x, const fp_param *p)
{
    ptrdiff_t k;
    for (k = 0; x->data != NULL && k < x->shape[0]; k++) {
        fp_structs_back(L, fp_jagged_row(x, k), p);
    }
}

/* Stores the length of row `k` in an array of integers, `name`, of this dtype and size. */
static FP_UNUSED void
fp_store_length(lua_State *L, fp_array *lengths, int dtype, size_t size, ptrdiff_t k, ptrdiff_t length,
                const char *name, const fp_param *p)
{
    fp_param named;
    char row[64];
    fp_find_dim(L, (char *)lengths->data + (size_t)k * size, dtype, length, 0, name,
                fp_name_row(&named, row, sizeof(row), k, p));
}

/* Stores the lengths of all rows. */
static FP_UNUSED void
fp_find_lengths(lua_State *L, fp_array *lengths, int dtype, size_t size, const fp_array *x, const char *name,
                const fp_param *p)
{
    ptrdiff_t k;
    for (k = 0; x->data != NULL && k < x->shape[0]; k++) {
        fp_store_length(L, lengths, dtype, size, k, fp_jagged_row(x, k)->shape[0], name, p);
    }
}

/* Stores the lengths of all strings. */
static FP_UNUSED void
fp_find_string_lengths(lua_State *L, fp_array *lengths, int dtype, size_t size, const fp_array *x, const char *name,
                       const fp_param *p)
{
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        ptrdiff_t length = (ptrdiff_t)strlen(((const char *const *)x->data)[k]);
        fp_store_length(L, lengths, dtype, size, k, length, name, p);
    }
}

/* Compares the lengths of the rows with those of as many rows that have determined the array `lengths`. */
static FP_UNUSED void
fp_check_lengths(lua_State *L, const fp_array *x, const fp_array *first, const char *lengths, const fp_param *p)
{
    ptrdiff_t k;
    for (k = 0; x->data != NULL && k < x->shape[0]; k++) {
        ptrdiff_t length = fp_jagged_row(first, k)->shape[0];
        if (FP_UNLIKELY(fp_jagged_row(x, k)->shape[0] != length)) {
            fp_param named;
            char row[64], expression[64];
            snprintf(expression, sizeof(expression), "%.40s[%td]", lengths, k + 1);
            fp_check_dim(L, fp_jagged_row(x, k), 0, length, expression, fp_name_row(&named, row, sizeof(row), k, p));
        }
    }
}

/* Tables: nested lists of numbers to tensors and back.
 *
 * Tables are read raw, so that no script can change them while they are walked. A table with a field
 * `re` is a complex number, not a list. */

typedef struct {
    lua_State *L;
    const fp_where *where;
    int dtype;
    int is_guessed; /* the dtype comes from the first element, not from the caller */
    int ndim;
    ptrdiff_t shape[FP_MAX_NDIM];
    ptrdiff_t path[FP_MAX_NDIM]; /* the element that is being read, from 1 */
    char *to;
} fp_table;

static FP_UNUSED int
fp_is_list(lua_State *L, int index)
{
    int right;
    if (!lua_istable(L, index)) {
        return 0;
    }
    index = fp_absolute(L, index);
    lua_pushliteral(L, "re");
    lua_rawget(L, index);
    right = lua_isnil(L, -1);
    lua_pop(L, 1);
    return right;
}

/* Finds shape and, if the caller gave none, dtype by the first elements of the table at `index`. */
static FP_HELPER void
fp_measure_table(fp_table *table, int index)
{
    lua_State *L = table->L;
    int top = lua_gettop(L);
    table->ndim = 0;
    lua_pushvalue(L, index);
    while (fp_is_list(L, -1)) {
        if (table->ndim == FP_MAX_NDIM) {
            fp_error(L, table->where, "wanted at most %d levels of tables", FP_MAX_NDIM);
        }
        table->shape[table->ndim] = (ptrdiff_t)fp_list_length(L, -1);
        if (table->shape[table->ndim++] == 0) {
            break;
        }
        lua_rawgeti(L, -1, 1);
        lua_replace(L, -2);
    }
    table->is_guessed = table->dtype < 0;
    if (table->is_guessed) {
        table->dtype = lua_isboolean(L, -1)                                           ? FP_BOOL
                       : lua_istable(L, -1) && !fp_is_list(L, -1) ? FP_COMPLEX128
                                                                                      : FP_FLOAT64;
    }
    lua_settop(L, top);
}

static FP_NORETURN void
fp_raise_at(fp_table *table, int depth, int index, ptrdiff_t length)
{
    fp_message t;
    fp_begin(&t, table->where);
    if (depth > 0) {
        fp_append(&t, "element ");
        fp_append_shape(&t, depth, table->path);
        fp_append(&t, ": ");
    }
    if (depth < table->ndim) {
        fp_append(&t, "wanted a table of %lld, as the first is, got ",
                  (long long)table->shape[depth]);
        if (length >= 0) {
            fp_append(&t, "one of %lld", (long long)length);
        }
        else {
            fp_append_value(table->L, &t, index);
        }
    }
    else {
        fp_append_refusal(table->L, &t, table->dtype, index);
        if (table->is_guessed) {
            fp_append(&t, "; the dtype can be given");
        }
    }
    fp_raise(table->L, &t);
}

/* Whether a guessed dtype represents the number at `index` exactly. */
static FP_UNUSED int
fp_guess_holds(lua_State *L, int index)
{
    const int64_t most = (int64_t)1 << 53;
    fp_number n;
    if (!fp_get_number(L, index, &n) || n.kind == FP_UNSIGNED) {
        return 0;
    }
    return n.kind != FP_SIGNED || (n.i >= -most && n.i <= most);
}

/* Stores the value on top of the stack as an element. */
static FP_UNUSED void
fp_store_leaf(fp_table *table)
{
    lua_State *L = table->L;
    if (!FP_LUA_INTEGERS && FP_LIKELY(table->dtype == FP_FLOAT64 && lua_type(L, -1) == LUA_TNUMBER)) {
        double value = (double)lua_tonumber(L, -1);
        memcpy(table->to, &value, sizeof(value));
    }
    else if ((table->is_guessed && !fp_guess_holds(L, -1))
             || !fp_read_element(L, -1, table->dtype, table->to)) {
        fp_raise_at(table, table->ndim, -1, -1);
    }
    table->to += fp_dtype(table->dtype)->size;
}

/* Stores the value on top of the stack, with all nested values. */
static FP_HELPER void
fp_store_table(fp_table *table, int depth)
{
    lua_State *L = table->L;
    ptrdiff_t length, k;
    if (depth == table->ndim) {
        fp_store_leaf(table);
        return;
    }
    length = fp_is_list(L, -1) ? (ptrdiff_t)fp_list_length(L, -1) : -1;
    if (length != table->shape[depth]) {
        fp_raise_at(table, depth, -1, length);
    }
    for (k = 1; k <= length; k++) {
        table->path[depth] = k;
        lua_rawgeti(L, -1, (int)k);
        if (depth + 1 == table->ndim) {
            fp_store_leaf(table);
        }
        else {
            fp_store_table(table, depth + 1);
        }
        lua_pop(L, 1);
    }
}

/* Pushes a tensor made of the nested tables, or of the one number, at `index`; dtype -1: float64, bool
 * or complex128, as the first element is. */
static FP_UNUSED fp_tensor *
fp_push_from_table(lua_State *L, const fp_where *where, int index, int dtype)
{
    fp_table table;
    fp_tensor *t;
    index = fp_absolute(L, index);
    luaL_checkstack(L, FP_MAX_NDIM + 10, "nested tables");
    table.L = L;
    table.where = where;
    table.dtype = dtype;
    fp_measure_table(&table, index);
    if (fp_bytes(table.dtype, table.ndim, table.shape) < 0) {
        fp_error(L, where, "wanted a size that fits in memory");
    }
    t = fp_push_tensor(L, table.dtype, table.ndim, table.shape, FP_ANYTHING);
    table.to = fp_data(t);
    lua_pushvalue(L, index);
    fp_store_table(&table, 0);
    lua_pop(L, 1);
    return t;
}

/* Pushes the nested tables of a tensor; of rank 0, its one value. */
static FP_HELPER void
fp_push_table(lua_State *L, const fp_tensor *t, const char *data, int axis)
{
    ptrdiff_t k, step;
    if (axis == t->ndim) {
        fp_push_element(L, t->dtype, data);
        return;
    }
    luaL_checkstack(L, 10, "nested tables");
    step = t->strides[axis] * fp_dtype(t->dtype)->size;
    lua_createtable(L, t->shape[axis] > INT_MAX ? 0 : (int)t->shape[axis], 0);
    for (k = 1; k <= t->shape[axis]; k++, data += step) {
        if (axis + 1 == t->ndim) {
            fp_push_element(L, t->dtype, data);
        }
        else {
            fp_push_table(L, t, data, axis + 1);
        }
        lua_rawseti(L, -2, (int)k);
    }
}

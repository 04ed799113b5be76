/* Arrays of structs: tables of records, or of tables with the values of fields, of which C has a packed copy.
 *
 * Several dimensions are nested tables. C's changes are copied back to the records, which are in a table of the call's own
 * on Lua's stack, at `slot`: a script that a callback runs may change the caller's. */

#define FP_STRUCTS_ROOM 520 /* stack slots that any call needs at most, and the tables here */

typedef enum {
    FP_STRUCTS_READ,   /* C has copies */
    FP_STRUCTS_CHANGED, /* C's changes are copied back */
    FP_STRUCTS_FILLED  /* the same, and what is there is not read */
} fp_structs_use;

typedef struct {
    lua_State *L;
    fp_array *x;
    const fp_param *p;
    fp_structs_use use;
    ptrdiff_t strides[FP_MAX_NDIM];
} fp_structs;

static FP_HELPER ptrdiff_t
fp_size_of_struct(const struct fp_struct *of)
{
    return (ptrdiff_t)of->size;
}

/* ---- Tables of the caller ----------------------------------------------------------------------------- */

/* Reads the element that is on top, or adds it to the table of those that are changed. */
static FP_HELPER void
fp_read_struct_element(fp_structs *s, ptrdiff_t at, const fp_where *where)
{
    lua_State *L = s->L;
    const fp_struct *of = s->p->of;
    char *to = (char *)s->x->data + (size_t)at * of->size;
    int slot = lua_gettop(L);
    fp_param named = *s->p;
    named.where = *where;
    if (s->use == FP_STRUCTS_READ) {
        fp_read_record_or_table(L, slot, to, &named, of);
    }
    else {
        fp_read_record(L, slot, to, &named, of);
    }
    if (s->use != FP_STRUCTS_FILLED) {
        fp_check_struct_members(L, of, to, &named);
    }
    if (s->use != FP_STRUCTS_READ) {
        lua_pushvalue(L, slot);
        lua_rawseti(L, s->x->slot, (int)at + 1);
    }
}

/* Reads the value on top from an axis on. */
static FP_HELPER void
fp_read_struct_level(fp_structs *s, int axis, ptrdiff_t at, const fp_where *where)
{
    lua_State *L = s->L;
    ptrdiff_t k, length;
    int slot = lua_gettop(L);
    if (axis == s->p->ndim) {
        fp_read_struct_element(s, at, where);
        return;
    }
    length = lua_istable(L, slot) ? (ptrdiff_t)fp_list_length(L, slot) : -1;
    if (length != s->x->shape[axis]) {
        char wanted[64];
        snprintf(wanted, sizeof(wanted), "a table of %td, as the first is", s->x->shape[axis]);
        if (length < 0) {
            fp_wanted(L, where, wanted, slot);
        }
        fp_error(L, where, "wanted %s, got one of %lld", wanted, (long long)length);
    }
    for (k = 0; k < length; k++) {
        fp_where item = *where;
        char name[128];
        snprintf(name, sizeof(name), "%.100s[%td]", where->name, k + 1);
        item.name = name;
        lua_rawgeti(L, slot, (int)k + 1);
        fp_read_struct_level(s, axis + 1, at + k * s->strides[axis], &item);
        lua_settop(L, slot);
    }
}

/* Finds the shape by the first elements of the table at `slot`. */
static FP_HELPER void
fp_measure_structs(lua_State *L, int slot, ptrdiff_t *shape, const fp_param *p)
{
    int axis, top = lua_gettop(L);
    lua_pushvalue(L, slot);
    for (axis = 0; axis < p->ndim; axis++) {
        int is_empty = axis > 0 && shape[axis - 1] == 0;
        if (!is_empty && !lua_istable(L, -1)) {
            char wanted[128];
            snprintf(wanted, sizeof(wanted), "a table of %s of %s", p->ndim > 1 ? "tables" : "values",
                     fp_last_name(p->of->name));
            fp_wanted(L, &p->where, wanted, slot);
        }
        shape[axis] = is_empty ? 0 : (ptrdiff_t)fp_list_length(L, -1);
        lua_rawgeti(L, -1, 1);
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
        }
        else {
            lua_replace(L, -2);
        }
    }
    lua_settop(L, top);
}

static FP_HELPER void
fp_take_structs(lua_State *L, fp_array *x, int slot, fp_structs_use use, const fp_param *p)
{
    fp_structs s = {L, x, p, use, {0}};
    fp_reserve(L, x, p);
    if (use != FP_STRUCTS_READ) {
        lua_newtable(L);
        x->slot = lua_gettop(L);
    }
    fp_packed_strides(x, s.strides, p);
    lua_pushvalue(L, slot);
    fp_read_struct_level(&s, 0, 0, &p->where);
    lua_pop(L, 1);
}

/* Takes the structs of a table that determines the shape. */
static FP_HELPER void
fp_take_all_structs(lua_State *L, fp_array *x, int slot, fp_structs_use use, const fp_param *p)
{
    luaL_checkstack(L, FP_STRUCTS_ROOM, "structs");
    fp_array_clear(x);
    fp_measure_structs(L, slot, x->shape, p);
    fp_take_structs(L, x, slot, use, p);
}

/* in, in out: `t` is for numbers only. */
static FP_UNUSED void
fp_structs_in(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    (void)t;
    fp_take_all_structs(L, x, slot, FP_STRUCTS_READ, p);
}

/* inplace, inout: fp_structs_back after the call. */
static FP_UNUSED void
fp_structs_inplace(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    (void)t;
    fp_take_all_structs(L, x, slot, FP_STRUCTS_CHANGED, p);
}

/* out: zeros of shape x->shape, for new records or for those in the caller's table at `slot`. Slot 0: there is none. */
static FP_UNUSED void
fp_structs_out(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    luaL_checkstack(L, FP_STRUCTS_ROOM, "structs");
    fp_check_shape(L, x, p);
    fp_array_clear(x);
    if (slot == 0 || !fp_is_present(L, slot)) {
        fp_reserve(L, x, p);
    }
    else {
        ptrdiff_t shape[FP_MAX_NDIM];
        int axis;
        fp_measure_structs(L, slot, shape, p);
        for (axis = 0; axis < p->ndim; axis++) {
            if (shape[axis] != x->shape[axis]) {
                fp_error(L, &p->where, "dimension %d is %lld, but must be %lld", axis + 1, (long long)shape[axis],
                         (long long)x->shape[axis]);
            }
        }
        fp_take_structs(L, x, slot, FP_STRUCTS_FILLED, p);
    }
    memset(x->data, 0, (size_t)fp_size(x, p->ndim) * p->of->size);
}

/* Sets all elements to one. */
static FP_UNUSED void
fp_fill_structs(fp_array *x, const void *element, const fp_param *p)
{
    ptrdiff_t k, count = fp_size(x, p->ndim);
    for (k = 0; k < count; k++) {
        memcpy((char *)x->data + (size_t)k * p->of->size, element, p->of->size);
    }
}

/* ---- Results ------------------------------------------------------------------------------------------ */

/* Copies C's changes back to the caller's records. */
static FP_UNUSED void
fp_structs_back(lua_State *L, fp_array *x, const fp_param *p)
{
    ptrdiff_t k, count = x->slot == 0 ? 0 : fp_size(x, p->ndim);
    for (k = 0; k < count; k++) {
        lua_rawgeti(L, x->slot, (int)k + 1);
        fp_write_record(L, lua_gettop(L), (const char *)x->data + (size_t)k * p->of->size, p->of->size);
        lua_pop(L, 1);
    }
}

static FP_HELPER void
fp_push_structs(lua_State *L, const fp_array *x, int axis, ptrdiff_t at, const ptrdiff_t *strides, int copies,
                const fp_param *p)
{
    ptrdiff_t k;
    if (axis == p->ndim) {
        if (copies) {
            fp_push_struct(L, p->of, (const char *)x->data + (size_t)at * p->of->size);
        }
        else {
            lua_rawgeti(L, x->slot, (int)at + 1);
        }
        return;
    }
    luaL_checkstack(L, 6, "structs");
    lua_createtable(L, (int)x->shape[axis], 0);
    for (k = 0; k < x->shape[axis]; k++) {
        fp_push_structs(L, x, axis + 1, at + k * strides[axis], strides, copies, p);
        lua_rawseti(L, -2, (int)k + 1);
    }
}

/* Pushes a table of new records; nil for NULL. */
static FP_UNUSED void
fp_return_struct_copies(lua_State *L, const fp_array *x, const fp_param *p)
{
    ptrdiff_t strides[FP_MAX_NDIM];
    if (x->data == NULL) {
        lua_pushnil(L);
        return;
    }
    fp_packed_strides(x, strides, p);
    fp_push_structs(L, x, 0, 0, strides, 1, p);
}

/* The same, with the caller's records if there are any. */
static FP_UNUSED void
fp_return_structs(lua_State *L, const fp_array *x, const fp_param *p)
{
    ptrdiff_t strides[FP_MAX_NDIM];
    if (x->slot == 0) {
        fp_return_struct_copies(L, x, p);
        return;
    }
    fp_packed_strides(x, strides, p);
    fp_push_structs(L, x, 0, 0, strides, 0, p);
}

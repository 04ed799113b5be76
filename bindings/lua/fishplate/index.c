/* Indexing: t[i], t[{i, {first, last, step}}], get and set, iteration. */
#include "library.h"

/* Pushes t[k]: an element of a vector, else a view. */
static void
push_at(lua_State *L, const fp_where *where, const fp_tensor *t, ptrdiff_t k)
{
    if (t->ndim > 1) {
        fpl_push_selected(L, 1, 0, k);
    }
    else {
        const char *data = fpl_readable(L, where, t);
        fp_push_element(L, t->dtype, data + k * t->strides[0] * fp_dtype(t->dtype)->size);
    }
}

static void
want_dimension(lua_State *L, const fp_where *where, const fp_tensor *t)
{
    if (t->ndim == 0) {
        fp_wanted_tensor(L, where, "a tensor with dimensions (use get and set for others)", t);
    }
}

/* The bytes to the element that the table at 2 selects with an integer for each dimension. 0: it selects a view, or
 * nothing, which push_indexed reports. */
static int
find_element(lua_State *L, const fp_tensor *t, ptrdiff_t *offset)
{
    ptrdiff_t k, steps = 0;
    int axis, right;
    if (t->ndim == 0 || fp_rawlen(L, 2) != t->ndim) {
        return 0;
    }
    for (axis = 0; axis < t->ndim; axis++) {
        lua_rawgeti(L, 2, axis + 1);
        right = fp_get_index(L, -1, &k) && k != 0 && k >= -t->shape[axis] && k <= t->shape[axis];
        lua_pop(L, 1);
        if (!right) {
            return 0;
        }
        steps += (k > 0 ? k - 1 : k + t->shape[axis]) * t->strides[axis];
    }
    *offset = steps * fp_dtype(t->dtype)->size;
    return 1;
}

/* "index 12"; there are at most FP_MAX_NDIM entries. Without snprintf, since most names are never shown. */
static void
name_entry(char *name, int entry)
{
    memcpy(name, "index ", 6);
    name += 6;
    if (entry >= 10) {
        *name++ = (char)('0' + entry / 10);
    }
    *name++ = (char)('0' + entry % 10);
    *name = '\0';
}

/* Pushes the view that the table at 2 selects of the tensor at 1. */
static void
push_indexed(lua_State *L)
{
    const fp_tensor *from = fp_to_tensor(L, 1);
    int count = (int)fp_rawlen(L, 2), kept = 0, entry, to = 0, base;
    char function[] = "tensor[{}]", name[24];
    fp_where where = {function, 0, name};
    fp_tensor *t;
    if (count > from->ndim) {
        snprintf(name, sizeof(name), "indices");
        fp_error(L, &where, "wanted at most %d, got %d", from->ndim, count);
    }
    lua_settop(L, 3);
    for (entry = 1; entry <= count; entry++) {
        lua_rawgeti(L, 2, entry);
        kept += lua_istable(L, -1);
        lua_pop(L, 1);
    }
    kept += from->ndim - count;
    t = fp_push_view(L, 1, kept);
    base = lua_gettop(L);
    for (entry = 1; entry <= from->ndim; entry++) {
        name_entry(name, entry);
        lua_settop(L, base);
        lua_rawgeti(L, 2, entry);
        if (!lua_istable(L, -1) && entry <= count) {
            t->offset += fpl_place(L, &where, -1, from->shape[entry - 1])
                         * from->strides[entry - 1] * fp_dtype(t->dtype)->size;
            continue;
        }
        t->shape[to] = from->shape[entry - 1];
        t->strides[to] = from->strides[entry - 1];
        if (entry <= count) {
            if (fp_rawlen(L, -1) > 3) {
                fp_error(L, &where, "wanted an integer or {first, last, step}, got a longer table");
            }
            lua_rawgeti(L, base + 1, 1);
            lua_rawgeti(L, base + 1, 2);
            lua_rawgeti(L, base + 1, 3);
            fpl_slice(L, &where, base + 2, t, to);
        }
        to++;
    }
    lua_settop(L, base);
    fp_update_layout(t);
}

/* t[key]; methods are in the second upvalue, properties in the third. */
int
fpl_get(lua_State *L)
{
    static const fp_where place = {"tensor[]", 0, "index"}, whole = {"tensor[{}]", 0, "self"};
    const fp_tensor *t = fp_to_tensor(L, 1);
    ptrdiff_t offset;
    if (t == NULL) {
        fp_wanted(L, &place, "a tensor", 1);
    }
    switch (lua_type(L, 2)) {
    case LUA_TNUMBER:
        want_dimension(L, &place, t);
        push_at(L, &place, t, fpl_place(L, &place, 2, t->shape[0]));
        return 1;
    case LUA_TTABLE:
        if (find_element(L, t, &offset)) {
            fp_push_element(L, t->dtype, fpl_readable(L, &whole, t) + offset);
            return 1;
        }
        push_indexed(L);
        t = fp_to_tensor(L, -1);
        if (t->ndim == 0) {
            fp_push_element(L, t->dtype, fpl_readable(L, &whole, t));
        }
        return 1;
    case LUA_TSTRING:
        lua_settop(L, 2);
        lua_pushvalue(L, 2);
        lua_rawget(L, lua_upvalueindex(2));
        if (!lua_isnil(L, -1)) {
            return 1;
        }
        lua_pushvalue(L, 2);
        lua_rawget(L, lua_upvalueindex(3));
        if (!lua_isnil(L, -1)) {
            lua_pushvalue(L, 1);
            lua_call(L, 1, 1);
            return 1;
        }
        return luaL_error(L, "tensor: no field or method '%s'", lua_tostring(L, 2));
    default: fp_wanted(L, &place, "an integer, a table of them and of slices, or a name", 2);
    }
}

/* Writes the value at 3 to one element. */
static void
put_element(lua_State *L, const fp_where *where, const fp_tensor *t, ptrdiff_t offset)
{
    char element[16];
    fp_want_element(L, where, 3, t->dtype, element);
    memcpy(fpl_writable(L, where, t) + offset, element, fp_dtype(t->dtype)->size);
}

/* t[key] = value */
static int
index_put(lua_State *L)
{
    static const fp_where place = {"tensor[]", 0, "index"}, value = {"tensor[]", 0, "value"};
    const fp_tensor *t = fp_to_tensor(L, 1);
    ptrdiff_t k, offset;
    if (t == NULL) {
        fp_wanted(L, &place, "a tensor", 1);
    }
    switch (lua_type(L, 2)) {
    case LUA_TNUMBER:
        want_dimension(L, &place, t);
        k = fpl_place(L, &place, 2, t->shape[0]);
        if (t->ndim == 1) {
            put_element(L, &value, t, k * t->strides[0] * fp_dtype(t->dtype)->size);
            return 0;
        }
        fpl_push_selected(L, 1, 0, k);
        break;
    case LUA_TTABLE:
        if (fpl_is_element(L, 3) && find_element(L, t, &offset)) {
            put_element(L, &value, t, offset);
            return 0;
        }
        push_indexed(L);
        break;
    case LUA_TSTRING: return luaL_error(L, "tensor: no assignable field '%s'",
                                        lua_tostring(L, 2));
    default: fp_wanted(L, &place, "an integer, or a table of them and of slices", 2);
    }
    fpl_assign(L, &value, fp_to_tensor(L, -1), 3);
    return 0;
}

/* The bytes from the first element to the one at the indices on the stack from position 2 on. */
static ptrdiff_t
element_offset(lua_State *L, const char *method, const fp_tensor *t, int count)
{
    fp_where where = {method, 1, "index"};
    ptrdiff_t offset = 0;
    int axis;
    if (count != t->ndim) {
        where.position = 0;
        where.name = "indices";
        fp_error(L, &where, "wanted %d, one for each dimension, got %d", t->ndim, count);
    }
    for (axis = 0; axis < t->ndim; axis++) {
        where.position = axis + 1;
        offset += fpl_place(L, &where, axis + 2, t->shape[axis]) * t->strides[axis];
    }
    return offset * fp_dtype(t->dtype)->size;
}

static int
index_get(lua_State *L)
{
    static const fp_where where = {"tensor:get", 0, "self"};
    const fp_tensor *t = fpl_self(L, "tensor:get");
    ptrdiff_t offset = element_offset(L, "tensor:get", t, lua_gettop(L) - 1);
    fp_push_element(L, t->dtype, fpl_readable(L, &where, t) + offset);
    return 1;
}

static int
index_set(lua_State *L)
{
    fp_where where = {"tensor:set", lua_gettop(L) - 1, "value"};
    const fp_tensor *t = fpl_self(L, "tensor:set");
    ptrdiff_t offset = element_offset(L, "tensor:set", t, lua_gettop(L) - 2);
    char element[16];
    fp_want_element(L, &where, lua_gettop(L), t->dtype, element);
    memcpy(fpl_writable(L, &where, t) + offset, element, fp_dtype(t->dtype)->size);
    lua_settop(L, 1);
    return 1;
}

/* The one value of a tensor of one element. */
static int
index_item(lua_State *L)
{
    static const fp_where where = {"tensor:item", 0, "self"};
    const fp_tensor *t = fpl_self(L, "tensor:item");
    if (t->size != 1) {
        fp_wanted_tensor(L, &where, "a tensor of one element", t);
    }
    fp_push_element(L, t->dtype, fpl_readable(L, &where, t));
    return 1;
}

static int
index_length(lua_State *L)
{
    static const fp_where where = {"#tensor", 0, "self"};
    const fp_tensor *t = fpl_self(L, "#tensor");
    want_dimension(L, &where, t);
    lua_pushinteger(L, (lua_Integer)t->shape[0]);
    return 1;
}

/* ---- Iteration -------------------------------------------------------------------------------- */

static int
next_row(lua_State *L)
{
    static const fp_where where = {"tensor:iter", 0, "self"};
    const fp_tensor *t = fpl_self(L, "tensor:iter");
    ptrdiff_t k;
    if (!fp_get_index(L, 2, &k) || k < 0 || t->ndim == 0 || k >= t->shape[0]) {
        return 0;
    }
    lua_pushinteger(L, (lua_Integer)k + 1);
    push_at(L, &where, t, k);
    return 2;
}

/* for i, row in t:iter() */
static int
index_iter(lua_State *L)
{
    static const fp_where where = {"tensor:iter", 0, "self"};
    want_dimension(L, &where, fpl_self(L, "tensor:iter"));
    lua_pushvalue(L, FP_METATABLE);
    lua_pushcclosure(L, next_row, 1);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

/* The number of elements before it is in the second upvalue. */
static int
next_element(lua_State *L)
{
    static const fp_where where = {"tensor:elements", 0, "self"};
    const fp_tensor *t = fpl_self(L, "tensor:elements");
    ptrdiff_t done = (ptrdiff_t)lua_tonumber(L, lua_upvalueindex(2)), rest = done, offset = 0;
    int axis;
    if (done >= t->size) {
        return 0;
    }
    lua_pushnumber(L, (lua_Number)(done + 1));
    lua_replace(L, lua_upvalueindex(2));
    for (axis = t->ndim - 1; axis >= 0; axis--) {
        offset += rest % t->shape[axis] * t->strides[axis];
        rest /= t->shape[axis];
    }
    fp_push_element(L, t->dtype, fpl_readable(L, &where, t) + offset * fp_dtype(t->dtype)->size);
    return 1;
}

/* for x in t:elements(): all of them, in C order */
static int
index_elements(lua_State *L)
{
    fpl_self(L, "tensor:elements");
    lua_pushvalue(L, FP_METATABLE);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_element, 2);
    lua_pushvalue(L, 1);
    return 2;
}

const luaL_Reg fpl_index_methods[] = {{"elements", index_elements},
                                      {"get", index_get},
                                      {"item", index_item},
                                      {"iter", index_iter},
                                      {"set", index_set},
                                      {NULL, NULL}};

const luaL_Reg fpl_index_events[] = {{"__newindex", index_put}, {"__len", index_length}, {NULL, NULL}};

/* Arguments of the library's functions. */
#include "library.h"

fp_tensor *
fpl_self(lua_State *L, const char *method)
{
    fp_where where = {method, 0, "self"};
    fp_tensor *t = fp_to_tensor(L, 1);
    if (t == NULL) {
        fp_wanted(L, &where, "a tensor (is it called with a colon?)", 1);
    }
    return t;
}

int
fpl_shape(lua_State *L, const fp_where *where, int index, ptrdiff_t *shape)
{
    int ndim, axis;
    if (fp_get_index(L, index, shape)) {
        ndim = 1;
    }
    else {
        ndim = fp_get_integers(L, index, -1, shape);
        if (ndim < 0) {
            fp_wanted(L, where, lua_istable(L, index)
                                    ? "a table of at most 32 integers or one integer"
                                    : "a table of integers or one integer", index);
        }
    }
    for (axis = 0; axis < ndim; axis++) {
        if (shape[axis] < 0) {
            fp_error(L, where, "wanted sizes of 0 or more, got %lld", (long long)shape[axis]);
        }
    }
    return ndim;
}

int
fpl_dtype(lua_State *L, const fp_where *where, int index, int otherwise)
{
    int dtype;
    if (lua_isnoneornil(L, index)) {
        return otherwise;
    }
    if (lua_type(L, index) != LUA_TSTRING) {
        fp_wanted(L, where, "the name of a dtype, such as 'float64'", index);
    }
    dtype = fp_dtype_named(lua_tostring(L, index));
    if (dtype < 0) {
        fp_error(L, where, "wanted the name of a dtype, such as 'float64', got '%.40s'",
                 lua_tostring(L, index));
    }
    return dtype;
}

ptrdiff_t
fpl_place(lua_State *L, const fp_where *where, int index, ptrdiff_t count)
{
    char wanted[100];
    ptrdiff_t value;
    if (fp_get_index(L, index, &value)) {
        if (value >= 1 && value <= count) {
            return value - 1;
        }
        if (value <= -1 && value >= -count) {
            return value + count;
        }
    }
    if (count == 0) {
        fp_wanted(L, where, "nothing, since the dimension is empty", index);
    }
    snprintf(wanted, sizeof(wanted), "an integer from 1 to %lld or from -%lld to -1",
             (long long)count, (long long)count);
    fp_wanted(L, where, wanted, index);
}

int
fpl_dimension(lua_State *L, const fp_where *where, int index, const fp_tensor *t)
{
    if (t->ndim == 0) {
        fp_wanted_tensor(L, where, "a tensor with dimensions", t);
    }
    return (int)fpl_place(L, where, index, t->ndim);
}

const char *
fpl_readable(lua_State *L, const fp_where *where, const fp_tensor *t)
{
    if (!fp_is_filled(t)) {
        fp_error(L, where, "uninitialised tensor");
    }
    return fp_data(t);
}

char *
fpl_writable(lua_State *L, const fp_where *where, const fp_tensor *t)
{
    if (t->flags & FP_READONLY) {
        fp_error(L, where, "wanted a tensor that can be written to, got a read-only one");
    }
    return fp_fill_data(L, t);
}

int
fpl_is_element(lua_State *L, int index)
{
    fp_number n;
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TBOOLEAN:
    case LUA_TSTRING: return 1; /* of strings, digits */
    case LUA_TTABLE: return !fp_is_list(L, index);
    default: return FP_IS_CDATA(L, index) && fp_get_number(L, index, &n);
    }
}

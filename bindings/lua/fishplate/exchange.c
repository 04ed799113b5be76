/* Exchange: memory from and to other libraries, without a copy. */
#include "library.h"

static int
exchange_from_buffer(lua_State *L)
{
    static const fp_where where = {"fishplate.from_buffer", 1, "object"};
    const fp_tensor *from;
    fp_loan loan;
    lua_settop(L, 1);
    from = fp_borrow(L, &where, 1, &loan);
    if (from == NULL) {
        fp_wanted(L, &where, "an object with __fishplate_buffer or an array of LuaJIT's FFI", 1);
    }
    if (from == &loan.tensor) {
        fp_push_loan(L, 1, &loan);
    }
    return 1;
}

/* The strides argument, or those of a C-contiguous array. */
static void
read_strides(lua_State *L, const fp_where *where, int index, fp_tensor *t)
{
    if (lua_isnoneornil(L, index)) {
        fp_c_strides(t->ndim, t->shape, t->strides);
    }
    else if (fp_get_integers(L, index, t->ndim, t->strides) != t->ndim) {
        fp_wanted(L, where, "a table of integers, one for each dimension", index);
    }
}

/* Whether a cdata is a pointer or an array. */
static int
is_address(lua_State *L, int index)
{
    size_t length;
    const char *type = fp_push_ctype(L, index, &length);
    int is = type != NULL && (type[length - 1] == ']' || memchr(type, '*', length) != NULL);
    lua_pop(L, type != NULL);
    return is;
}

static int
exchange_from_cdata(lua_State *L)
{
    static const fp_where where = {"fishplate.from_cdata", 1, "cdata"};
    static const fp_where where_dtype = {"fishplate.from_cdata", 2, "dtype"};
    static const fp_where where_shape = {"fishplate.from_cdata", 3, "shape"};
    static const fp_where where_strides = {"fishplate.from_cdata", 4, "strides"};
    ptrdiff_t shape[FP_MAX_NDIM];
    const char *wrong;
    int dtype, ndim;
    fp_loan loan;
    lua_settop(L, 4);
    if (!is_address(L, 1)) {
        fp_wanted(L, &where, "a pointer or an array of LuaJIT's FFI", 1);
    }
    dtype = fpl_dtype(L, &where_dtype, 2, -1);
    if (dtype < 0) {
        fp_wanted(L, &where_dtype, "the name of a dtype, such as 'float64'", 2);
    }
    ndim = fpl_shape(L, &where_shape, 3, shape);
    if (fp_bytes(dtype, ndim, shape) < 0) {
        fp_error(L, &where_shape, "wanted a shape that fits in memory");
    }
    fp_begin_loan(&loan, dtype, ndim);
    memcpy(loan.tensor.shape, shape, sizeof(*shape) * (size_t)ndim);
    read_strides(L, &where_strides, 4, &loan.tensor);
    wrong = fp_finish_loan(&loan, fp_cdata_address(L, 1), fp_cdata_room(L, 1));
    if (wrong != NULL) {
        fp_wanted(L, &where, wrong, 1);
    }
    fp_push_loan(L, 1, &loan);
    return 1;
}

/* A capsule, or an object whose __dlpack makes one. */
static int
exchange_from_dlpack(lua_State *L)
{
    static const fp_where where = {"fishplate.from_dlpack", 1, "capsule"};
    lua_settop(L, 1);
    if (!fp_is_capsule(L, 1) && luaL_getmetafield(L, 1, "__dlpack")) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        lua_replace(L, 1);
    }
    fp_push_import(L, &where, 1);
    return 1;
}

static int
exchange_dlpack(lua_State *L)
{
    static const fp_where where = {"tensor:dlpack", 0, "self"}, what = {"tensor:dlpack", 1, "kind"};
    const fp_tensor *t = fpl_self(L, "tensor:dlpack");
    const char *kind = lua_isnoneornil(L, 2)             ? FP_CAPSULE_VERSIONED
                       : lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2)
                                                         : "";
    int is_versioned = strcmp(kind, FP_CAPSULE_VERSIONED) == 0;
    if (!is_versioned && strcmp(kind, FP_CAPSULE) != 0) {
        fp_wanted(L, &what, "'dltensor' or 'dltensor_versioned'", 2);
    }
    fp_push_export(L, &where, t, is_versioned);
    return 1;
}

/* The address of the first element, for LuaJIT's FFI. */
static int
exchange_pointer(lua_State *L)
{
    const fp_tensor *t = fpl_self(L, "tensor:pointer");
    lua_pushlightuserdata(L, fp_fill_data(L, t));
    return 1;
}

const luaL_Reg fpl_exchange_functions[] = {{"from_buffer", exchange_from_buffer},
                                           {"from_cdata", exchange_from_cdata},
                                           {"from_dlpack", exchange_from_dlpack},
                                           {NULL, NULL}};

const luaL_Reg fpl_exchange_methods[] = {
    {"dlpack", exchange_dlpack}, {"pointer", exchange_pointer}, {NULL, NULL}};

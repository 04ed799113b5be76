/* The module: `local fp = require 'fishplate'`. */
#include "library.h"

/* ---- Properties: t.shape and the like; the tensor is argument 1 ------------------------------- */

static int
property_dtype(lua_State *L)
{
    lua_pushstring(L, fp_dtype(fpl_self(L, "tensor.dtype")->dtype)->name);
    return 1;
}

static int
property_shape(lua_State *L)
{
    const fp_tensor *t = fpl_self(L, "tensor.shape");
    fp_push_integers(L, t->ndim, t->shape);
    return 1;
}

static int
property_strides(lua_State *L)
{
    const fp_tensor *t = fpl_self(L, "tensor.strides");
    fp_push_integers(L, t->ndim, t->strides);
    return 1;
}

static int
property_ndim(lua_State *L)
{
    lua_pushinteger(L, fpl_self(L, "tensor.ndim")->ndim);
    return 1;
}

static int
property_size(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)fpl_self(L, "tensor.size")->size);
    return 1;
}

static int
property_filled(lua_State *L)
{
    lua_pushboolean(L, fp_is_filled(fpl_self(L, "tensor.filled")));
    return 1;
}

static int
property_readonly(lua_State *L)
{
    lua_pushboolean(L, (fpl_self(L, "tensor.readonly")->flags & FP_READONLY) != 0);
    return 1;
}

static int
property_is_contiguous(lua_State *L)
{
    lua_pushboolean(L, (fpl_self(L, "tensor.is_contiguous")->flags & FP_C_CONTIGUOUS) != 0);
    return 1;
}

/* "cpu": memory of other devices is refused. */
static int
property_device(lua_State *L)
{
    const fp_storage *storage = fpl_self(L, "tensor.device")->storage;
    if (storage->device_type == FP_DEVICE_CPU) {
        lua_pushliteral(L, "cpu");
    }
    else {
        lua_pushfstring(L, "%d:%d", (int)storage->device_type, (int)storage->device_id);
    }
    return 1;
}

const luaL_Reg fpl_properties[] = {{"device", property_device},
                                   {"dtype", property_dtype},
                                   {"filled", property_filled},
                                   {"is_contiguous", property_is_contiguous},
                                   {"ndim", property_ndim},
                                   {"readonly", property_readonly},
                                   {"shape", property_shape},
                                   {"size", property_size},
                                   {"strides", property_strides},
                                   {NULL, NULL}};

/* ---- The module ------------------------------------------------------------------------------- */

static int
module_is_tensor(lua_State *L)
{
    lua_pushboolean(L, fp_to_tensor(L, 1) != NULL);
    return 1;
}

static int
module_complex(lua_State *L)
{
    fp_where where = {"fishplate.complex", 1, "re"};
    double parts[2] = {0, 0};
    lua_settop(L, 2);
    fp_want_element(L, &where, 1, FP_FLOAT64, (char *)&parts[0]);
    where.position = 2;
    where.name = "im";
    if (!lua_isnil(L, 2)) {
        fp_want_element(L, &where, 2, FP_FLOAT64, (char *)&parts[1]);
    }
    fp_push_complex(L, parts[0], parts[1]);
    return 1;
}

static const luaL_Reg module_functions[] = {
    {"complex", module_complex}, {"is_tensor", module_is_tensor}, {NULL, NULL}};

/* Puts the methods into the metatable at the top, which has had placeholders for them. */
static void
add_methods(lua_State *L)
{
    static const luaL_Reg events[] = {
        {"__tostring", fpl_tostring}, {"__eq", fpl_equal}, {NULL, NULL}};
    int metatable = lua_gettop(L);
    lua_pushvalue(L, metatable);
    lua_newtable(L); /* methods */
    lua_pushvalue(L, metatable);
    fp_set_functions(L, fpl_exchange_methods);
    fp_set_functions(L, fpl_index_methods);
    fp_set_functions(L, fpl_view_methods);
    fp_set_functions(L, fpl_value_methods);
    lua_pop(L, 1);
    lua_newtable(L); /* properties */
    lua_pushvalue(L, metatable);
    fp_set_functions(L, fpl_properties);
    lua_pop(L, 1);
    lua_pushcclosure(L, fpl_get, 3);
    lua_setfield(L, metatable, "__index");
    lua_pushvalue(L, metatable);
    fp_set_functions(L, fpl_index_events);
    fp_set_functions(L, events);
    lua_pop(L, 1);
}

__attribute__((visibility("default"))) int luaopen_fishplate(lua_State *L);

int
luaopen_fishplate(lua_State *L)
{
    lua_newtable(L);
    fp_push_metatable(L);
    add_methods(L);
    fp_set_functions(L, fpl_create_functions);
    fp_set_functions(L, fpl_exchange_functions);
    fp_set_functions(L, module_functions);
    lua_pop(L, 1);
    lua_newtable(L);
    {
        int dtype;
        for (dtype = 0; dtype < FP_DTYPES; dtype++) {
            lua_pushstring(L, fp_dtype(dtype)->name);
            lua_rawseti(L, -2, dtype + 1);
        }
    }
    lua_setfield(L, -2, "dtypes");
    return 1;
}

/* A module as Fishplate generates them, and a library that speaks DLPack and the buffer interface: it
 * has the runtime header, and does not use the library `fishplate`. */
#include "fishplate_lua.h"

/* ---- As a generated module does --------------------------------------------------------------- */

static int
foreign_ones(lua_State *L)
{
    ptrdiff_t shape[1] = {(ptrdiff_t)luaL_checknumber(L, 1)}, k;
    fp_tensor *t = fp_push_tensor(L, FP_FLOAT64, 1, shape, FP_ANYTHING);
    for (k = 0; k < t->size; k++) {
        ((double *)(void *)fp_data(t))[k] = 1;
    }
    return 1;
}

static int
foreign_total(lua_State *L)
{
    static const fp_where where = {"foreign.total", 1, "x"};
    fp_loan loan;
    const fp_tensor *t = fp_borrow(L, &where, 1, &loan);
    double sum = 0;
    ptrdiff_t k;
    if (t == NULL) {
        fp_wanted(L, &where, "a tensor of float64", 1);
    }
    if (t->dtype != FP_FLOAT64) {
        fp_wanted_tensor(L, &where, "a tensor of float64", t);
    }
    if (!(t->flags & FP_C_CONTIGUOUS)) {
        t = fp_push_copy(L, &where, t, FP_FLOAT64);
    }
    for (k = 0; k < t->size; k++) {
        sum += ((const double *)(const void *)fp_data(t))[k];
    }
    lua_pushnumber(L, sum);
    return 1;
}

/* ---- DLPack ----------------------------------------------------------------------------------- */

static int deleted;

static void
delete_versioned(fp_dl_versioned *self)
{
    __atomic_fetch_add(&deleted, 1, __ATOMIC_RELAXED);
    free(self->context);
    free(self);
}

static void
delete_managed(fp_dl_managed *self)
{
    __atomic_fetch_add(&deleted, 1, __ATOMIC_RELAXED);
    free(self->context);
    free(self);
}

static int
foreign_deleted(lua_State *L)
{
    lua_pushinteger(L, __atomic_load_n(&deleted, __ATOMIC_RELAXED));
    return 1;
}

static double
option(lua_State *L, const char *name, double otherwise)
{
    double value = otherwise;
    lua_getfield(L, 1, name);
    if (lua_isboolean(L, -1)) {
        value = lua_toboolean(L, -1);
    }
    else if (lua_isnumber(L, -1)) {
        value = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
    return value;
}

/* A capsule of three doubles, or one with the mistakes that the table's options specify. */
static int
foreign_capsule(lua_State *L)
{
    int is_versioned = (int)option(L, "versioned", 0), has_strides;
    void **capsule = fp_push_capsule(L, is_versioned);
    double *data = (double *)malloc(3 * sizeof(double) + 2 * 33 * sizeof(int64_t));
    int64_t *dims = (int64_t *)(void *)(data + 3);
    fp_dl_managed *managed = (fp_dl_managed *)calloc(1, sizeof(*managed));
    fp_dl_versioned *versioned = (fp_dl_versioned *)calloc(1, sizeof(*versioned));
    fp_dl_tensor *t = is_versioned ? &versioned->tensor : &managed->tensor;
    int k;
    for (k = 0; k < 3; k++) {
        data[k] = k + 1;
    }
    for (k = 0; k < 66; k++) {
        dims[k] = 1;
    }
    lua_getfield(L, 1, "stride");
    has_strides = lua_type(L, -1) != LUA_TSTRING;
    t->data = option(L, "null", 0) != 0 ? NULL : data;
    t->device_type = (int32_t)option(L, "device", 1);
    t->ndim = (int32_t)option(L, "ndim", 1);
    t->code = (uint8_t)option(L, "code", 2);
    t->bits = (uint8_t)option(L, "bits", 64);
    t->lanes = (uint16_t)option(L, "lanes", 1);
    t->byte_offset = (uint64_t)option(L, "offset", 0);
    dims[0] = (int64_t)option(L, "size", 3);
    dims[33] = has_strides ? (int64_t)option(L, "stride", 1) : 0;
    t->shape = dims;
    t->strides = has_strides ? dims + 33 : NULL;
    lua_pop(L, 1);
    if (is_versioned) {
        versioned->major = (uint32_t)option(L, "major", 1);
        versioned->flags = (uint64_t)option(L, "readonly", 0);
        versioned->context = data;
        versioned->deleter = delete_versioned;
        free(managed);
        *capsule = versioned;
    }
    else {
        managed->context = data;
        managed->deleter = delete_managed;
        free(versioned);
        *capsule = managed;
    }
    return 1;
}

/* Takes a capsule of doubles and returns their sum. */
static int
foreign_consume(lua_State *L)
{
    int kind = fp_is_capsule(L, 1), k;
    void *managed = kind ? fp_take_capsule((void **)lua_touserdata(L, 1)) : NULL;
    const fp_dl_tensor *t;
    double sum = 0;
    if (managed == NULL) {
        return luaL_error(L, "no capsule");
    }
    t = kind == 2 ? &((fp_dl_versioned *)managed)->tensor : &((fp_dl_managed *)managed)->tensor;
    for (k = 0; k < t->shape[0]; k++) {
        sum += ((const double *)t->data)[k * t->strides[0]];
    }
    (kind == 2 ? fp_delete_versioned : fp_delete_managed)(managed);
    lua_pushnumber(L, sum);
    return 1;
}

/* ---- The buffer interface --------------------------------------------------------------------- */

/* The description of an object's memory is in its table: kind of pointer, dtype, shape, strides, readonly. */
static int
buffer_lend(lua_State *L)
{
    const char *kind;
    int k;
    fp_push_kept(L, 1);
    lua_rawgeti(L, -1, 1);
    kind = lua_tostring(L, -1);
    lua_pop(L, 1);
    if (strcmp(kind, "error") == 0) {
        lua_pushliteral(L, "there is no memory");
        return lua_error(L);
    }
    if (strcmp(kind, "block") == 0) {
        lua_pushvalue(L, 1);
    }
    else if (strcmp(kind, "light") == 0) {
        lua_pushlightuserdata(L, lua_touserdata(L, 1));
    }
    else if (strcmp(kind, "none") == 0) {
        lua_pushnil(L);
    }
    else {
        lua_pushinteger(L, 5);
    }
    for (k = 2; k <= 5; k++) {
        lua_rawgeti(L, 2, k);
    }
    return 5;
}

/* buffer(numbers, kind, dtype, shape, strides, readonly) */
static int
foreign_buffer(lua_State *L)
{
    size_t count = fp_rawlen(L, 1), k;
    double *data;
    lua_settop(L, 6);
    data = (double *)fp_new_userdata(L, sizeof(double) * (count + 1), 1);
    for (k = 0; k < count; k++) {
        lua_rawgeti(L, 1, (int)k + 1);
        data[k] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_newtable(L);
    for (k = 1; k <= 5; k++) {
        lua_pushvalue(L, (int)k + 1);
        lua_rawseti(L, -2, (int)k);
    }
    fp_set_kept(L, -2);
    if (luaL_newmetatable(L, "foreign.buffer")) {
        lua_pushcfunction(L, buffer_lend);
        lua_setfield(L, -2, "__fishplate_buffer");
    }
    lua_setmetatable(L, -2);
    return 1;
}

static int
foreign_first(lua_State *L)
{
    lua_pushnumber(L, *(const double *)lua_touserdata(L, 1));
    return 1;
}

int luaopen_foreign(lua_State *L);

int
luaopen_foreign(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"buffer", foreign_buffer},   {"capsule", foreign_capsule}, {"consume", foreign_consume},
        {"deleted", foreign_deleted}, {"first", foreign_first},     {"ones", foreign_ones},
        {"total", foreign_total},     {NULL, NULL}};
    lua_newtable(L);
    fp_push_metatable(L);
    fp_set_functions(L, functions);
    lua_pop(L, 1);
    return 1;
}

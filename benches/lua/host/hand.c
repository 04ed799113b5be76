/* The functions of host.toml, written by hand with the same checks: every argument's type, a
 * tensor's dtype, rank, layout and memory, the count of arguments, and errors that name the
 * expected value. */
#include "fishplate_lua.h"
#include "host.h"

/* The number in a tensor of rank 0, which is not a Lua number but is accepted as one. */
static double
held(lua_State *L, int index, const char *what)
{
    const fp_tensor *t = fp_to_tensor(L, index);
    if (t == NULL || t->ndim != 0 || t->dtype != FP_FLOAT64 || fp_data(t) == NULL) {
        luaL_error(L, "%s: wanted a number (%s), got %s", what, fp_dtype(FP_FLOAT64)->name,
                   luaL_typename(L, index));
    }
    return *(const double *)(const void *)fp_data(t);
}

static double
number(lua_State *L, int index, const char *what)
{
    return lua_type(L, index) == LUA_TNUMBER ? (double)lua_tonumber(L, index) : held(L, index, what);
}

static void
count(lua_State *L, int least, int most, const char *what)
{
    int given = lua_gettop(L);
    if (given < least || given > most) {
        luaL_error(L, "%s takes %d to %d arguments, got %d", what, least, most, given);
    }
}

static const fp_tensor *
tensor(lua_State *L, int index, int dtype, int ndim, const char *what)
{
    const fp_tensor *t = fp_to_tensor(L, index);
    const int order = FP_C_CONTIGUOUS | FP_ALIGNED;
    if (t == NULL || t->dtype != dtype || t->ndim != ndim || (t->flags & order) != order
        || fp_data(t) == NULL) {
        luaL_error(L, "%s: wanted a tensor of %s, got %s", what, fp_dtype(dtype)->name,
                   luaL_typename(L, index));
    }
    return t;
}

static int
hand_add(lua_State *L)
{
    count(L, 2, 2, "add(a, b)");
    lua_pushnumber(L, add(number(L, 1, "add(): argument 'a'"), number(L, 2, "add(): argument 'b'")));
    return 1;
}

static int
hand_total(lua_State *L)
{
    const fp_tensor *x;
    count(L, 1, 1, "total(x)");
    x = tensor(L, 1, FP_FLOAT64, 1, "total(): argument 'x'");
    lua_pushnumber(L, total((size_t)x->shape[0], (const double *)(const void *)fp_data(x)));
    return 1;
}

static int
hand_ramp(lua_State *L)
{
    double n;
    ptrdiff_t shape[1];
    fp_tensor *y;
    count(L, 1, 2, "ramp(n, y?)");
    n = number(L, 1, "ramp(): argument 'n'");
    if (!(n >= 0 && n < 0x1p53) || (double)(long)n != n) {
        return luaL_error(L, "ramp(): argument 'n': wanted an integer");
    }
    shape[0] = (ptrdiff_t)n;
    if (lua_isnoneornil(L, 2)) {
        if (fp_bytes(FP_FLOAT64, 1, shape) < 0) {
            return luaL_error(L, "ramp(): argument 'y': it is too large");
        }
        y = fp_push_tensor(L, FP_FLOAT64, 1, shape, FP_ANYTHING);
    }
    else {
        y = (fp_tensor *)(void *)tensor(L, 2, FP_FLOAT64, 1, "ramp(): argument 'y'");
        if (y->shape[0] != shape[0] || (y->flags & FP_READONLY)) {
            return luaL_error(L, "ramp(): argument 'y': it cannot hold the result");
        }
        lua_pushvalue(L, 2);
    }
    ramp((long)shape[0], (double *)(void *)fp_data(y));
    return 1;
}

static double
optional(lua_State *L, int index, double otherwise, const char *what)
{
    return lua_isnoneornil(L, index) ? otherwise : number(L, index, what);
}

static int
hand_six(lua_State *L)
{
    count(L, 0, 6, "six(a?, b?, c?, d?, e?, f?)");
    lua_pushnumber(L, six(optional(L, 1, 1, "six(): argument 'a'"), optional(L, 2, 2, "six(): argument 'b'"),
                          optional(L, 3, 3, "six(): argument 'c'"), optional(L, 4, 4, "six(): argument 'd'"),
                          optional(L, 5, 5, "six(): argument 'e'"), optional(L, 6, 6, "six(): argument 'f'")));
    return 1;
}

static int
no_variant(lua_State *L)
{
    return luaL_error(L, "pick(): no overload takes this");
}

/* By count, then by type, each value examined once. Overloads that need a copy are left out. */
static int
hand_pick(lua_State *L)
{
    int given = lua_gettop(L);
    const fp_tensor *x;
    double result;
    if (given < 1 || given > 3) {
        return no_variant(L);
    }
    if (lua_type(L, 1) == LUA_TNUMBER) {
        double a = (double)lua_tonumber(L, 1);
        result = given == 1   ? one(a)
                 : given == 2 ? two(a, number(L, 2, "pick(): argument 'b'"))
                              : three(a, number(L, 2, "pick(): argument 'b'"),
                                      number(L, 3, "pick(): argument 'c'"));
        lua_pushnumber(L, result);
        return 1;
    }
    x = fp_to_tensor(L, 1);
    if (x == NULL || given > 2 || !(x->flags & FP_C_CONTIGUOUS) || !(x->flags & FP_ALIGNED)
        || fp_data(x) == NULL) {
        return no_variant(L);
    }
    if (x->ndim == 2 && x->dtype == FP_FLOAT64 && given == 1) {
        result = matrix((long)x->shape[0], (long)x->shape[1], (const double *)(const void *)fp_data(x));
    }
    else if (x->ndim != 1) {
        return no_variant(L);
    }
    else if (given == 2 && x->dtype == FP_FLOAT64) {
        result = scaled((long)x->shape[0], (const double *)(const void *)fp_data(x),
                        number(L, 2, "pick(): argument 'by'"));
    }
    else if (given == 2) {
        return no_variant(L);
    }
    else {
        switch (x->dtype) {
        case FP_FLOAT64: result = vector((long)x->shape[0], (const double *)(const void *)fp_data(x)); break;
        case FP_FLOAT32: result = floats((long)x->shape[0], (const float *)(const void *)fp_data(x)); break;
        case FP_INT64: result = integers((long)x->shape[0], (const int64_t *)(const void *)fp_data(x)); break;
        default: return no_variant(L);
        }
    }
    lua_pushnumber(L, result);
    return 1;
}

__attribute__((visibility("default"))) int luaopen_hand(lua_State *L);

int
luaopen_hand(lua_State *L)
{
    static const luaL_Reg functions[] = {{"add", hand_add},   {"total", hand_total}, {"ramp", hand_ramp},
                                         {"six", hand_six},   {"pick", hand_pick},   {NULL, NULL}};
    lua_newtable(L);
    fp_push_metatable(L);
    fp_set_functions(L, functions);
    lua_pop(L, 1);
    return 1;
}

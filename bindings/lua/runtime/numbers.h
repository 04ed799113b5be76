/* Numbers: Lua values to numbers and back, exactly.
 *
 * Lua before 5.3 has doubles only, so integers beyond 2^53 are passed as a string of
 * digits or, in LuaJIT, as int64_t and uint64_t cdata. They are returned in the same way, and so are those that
 * the integers of Lua 5.3 cannot represent. Nothing is rounded on the way. */

typedef enum {
    FP_NO_NUMBER,
    FP_TRUTH,    /* i */
    FP_SIGNED,   /* i */
    FP_UNSIGNED, /* u, more than int64 holds */
    FP_REAL,     /* re */
    FP_COMPLEX   /* re, im */
} fp_kind;

typedef struct {
    fp_kind kind;
    int is_text; /* it came as digits */
    int64_t i;
    uint64_t u;
    double re, im;
} fp_number;

static FP_UNUSED void
fp_set_unsigned(fp_number *n, uint64_t value)
{
    n->kind = value <= INT64_MAX ? FP_SIGNED : FP_UNSIGNED;
    n->i = (int64_t)value;
    n->u = value;
}

/* The integer that a float is, if it is one. */
static FP_UNUSED int
fp_integral(fp_number *n)
{
    double value = n->re;
    if (n->kind != FP_REAL || floor(value) != value || value < -0x1p63 || value >= 0x1p64) {
        return n->kind == FP_SIGNED || n->kind == FP_UNSIGNED;
    }
    if (value < 0x1p63) {
        n->kind = FP_SIGNED;
        n->i = (int64_t)value;
    }
    else {
        n->kind = FP_UNSIGNED;
        n->u = (uint64_t)value;
    }
    return 1;
}

/* "-123" as an integer, if 64 bits can represent it. */
static FP_HELPER int
fp_parse_digits(const char *text, size_t length, fp_number *n)
{
    int negative = length > 0 && text[0] == '-';
    uint64_t value = 0;
    size_t k = (size_t)negative;
    if (k == length) {
        return 0;
    }
    for (; k < length; k++) {
        if (text[k] < '0' || text[k] > '9' || __builtin_mul_overflow(value, 10u, &value)
            || __builtin_add_overflow(value, (uint64_t)(text[k] - '0'), &value)) {
            return 0;
        }
    }
    if (negative && value > (uint64_t)INT64_MAX + 1) {
        return 0;
    }
    fp_set_unsigned(n, value);
    if (negative) {
        n->kind = FP_SIGNED;
        n->i = (int64_t)(0 - value);
    }
    n->is_text = 1;
    return 1;
}

/* ---- LuaJIT's cdata --------------------------------------------------------------------------- */

/* Pushes the name of a cdata's C type ("double [3]") and returns it; pushes nothing and returns NULL
 * for other values. */
static FP_HELPER const char *
fp_push_ctype(lua_State *L, int index, size_t *length)
{
    const char *text;
    *length = 0;
    index = fp_absolute(L, index);
    if (!FP_IS_CDATA(L, index) || !fp_push_ffi(L)) {
        return NULL;
    }
    lua_getfield(L, -1, "typeof");
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    if (!luaL_callmeta(L, -1, "__tostring")) {
        lua_pop(L, 2);
        return NULL;
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
    text = lua_tolstring(L, -1, length);
    if (*length < 8 || memcmp(text, "ctype<", 6) != 0) {
        lua_pop(L, 1);
        return NULL;
    }
    *length -= 7;
    return text + 6;
}

/* The dtype of a C type as LuaJIT spells it, or -1. */
static FP_HELPER int
fp_ctype_dtype(const char *name, size_t length)
{
    static const struct {
        const char *name;
        char kind;
        size_t size;
    } rows[] = {{"bool", 'b', 1},
                {"char", CHAR_MIN < 0 ? 'i' : 'u', 1},
                {"signed char", 'i', 1},
                {"unsigned char", 'u', 1},
                {"short", 'i', sizeof(short)},
                {"unsigned short", 'u', sizeof(short)},
                {"int", 'i', sizeof(int)},
                {"unsigned int", 'u', sizeof(int)},
                {"int64_t", 'i', 8},
                {"uint64_t", 'u', 8},
                {"float", 'f', sizeof(float)},
                {"double", 'f', sizeof(double)},
                {"complex float", 'c', 2 * sizeof(float)},
                {"complex", 'c', 2 * sizeof(double)}};
    size_t k;
    for (k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
        if (strlen(rows[k].name) == length && memcmp(rows[k].name, name, length) == 0) {
            return fp_dtype_of(rows[k].kind, rows[k].size);
        }
    }
    return -1;
}

static FP_UNUSED void fp_load_element(int dtype, const char *from, fp_number *n);

static FP_HELPER int
fp_get_cdata(lua_State *L, int index, fp_number *n)
{
    size_t length;
    const char *name = fp_push_ctype(L, index, &length);
    int dtype;
    if (name == NULL) {
        return 0;
    }
    dtype = fp_ctype_dtype(name, length);
    lua_pop(L, 1);
    if (dtype < 0) {
        return 0;
    }
    fp_load_element(dtype, (const char *)lua_topointer(L, index), n); /* a cdata's own memory */
    return 1;
}

/* ---- Complex numbers -------------------------------------------------------------------------- */

/* {re = 1, im = 2} */
static FP_HELPER int
fp_get_complex(lua_State *L, int index, fp_number *n)
{
    int right;
    index = fp_absolute(L, index);
    lua_pushliteral(L, "re");
    lua_rawget(L, index);
    lua_pushliteral(L, "im");
    lua_rawget(L, index);
    right = lua_type(L, -1) == LUA_TNUMBER && lua_type(L, -2) == LUA_TNUMBER;
    n->kind = FP_COMPLEX;
    n->re = right ? lua_tonumber(L, -2) : 0;
    n->im = right ? lua_tonumber(L, -1) : 0;
    lua_pop(L, 2);
    return right;
}

static FP_UNUSED int
fp_complex_eq(lua_State *L)
{
    fp_number a = {FP_NO_NUMBER, 0, 0, 0, 0, 0}, b = a;
    lua_pushboolean(L, lua_istable(L, 1) && lua_istable(L, 2) && fp_get_complex(L, 1, &a)
                           && fp_get_complex(L, 2, &b) && a.re == b.re && a.im == b.im);
    return 1;
}

static FP_UNUSED int
fp_complex_tostring(lua_State *L)
{
    fp_number n = {FP_NO_NUMBER, 0, 0, 0, 0, 0};
    char text[80];
    luaL_checktype(L, 1, LUA_TTABLE);
    fp_get_complex(L, 1, &n);
    snprintf(text, sizeof(text), "%.14g%+.14gi", n.re, n.im);
    lua_pushstring(L, text);
    return 1;
}

static FP_HELPER void
fp_push_complex(lua_State *L, double re, double im)
{
    lua_createtable(L, 0, 2);
    lua_pushnumber(L, re);
    lua_setfield(L, -2, "re");
    lua_pushnumber(L, im);
    lua_setfield(L, -2, "im");
    if (luaL_newmetatable(L, "fishplate.complex")) {
        lua_pushcfunction(L, fp_complex_eq);
        lua_setfield(L, -2, "__eq");
        lua_pushcfunction(L, fp_complex_tostring);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
}

/* ---- From Lua and to Lua ---------------------------------------------------------------------- */

/* The number that a Lua value is; 0: it is not a number. */
static FP_UNUSED int
fp_get_number(lua_State *L, int index, fp_number *n)
{
    size_t length;
    const char *text;
    n->kind = FP_NO_NUMBER;
    n->is_text = 0;
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
#if FP_LUA_INTEGERS
        if (lua_isinteger(L, index)) {
            n->kind = FP_SIGNED;
            n->i = (int64_t)lua_tointeger(L, index);
            return 1;
        }
#endif
        n->kind = FP_REAL;
        n->re = lua_tonumber(L, index);
        return 1;
    case LUA_TBOOLEAN:
        n->kind = FP_TRUTH;
        n->i = lua_toboolean(L, index);
        return 1;
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &length);
        return fp_parse_digits(text, length, n);
    case LUA_TTABLE: return fp_get_complex(L, index, n);
    default: return FP_IS_CDATA(L, index) && fp_get_cdata(L, index, n);
    }
}

/* An integer that no number of this Lua can represent: as cdata in LuaJIT, else as its digits. */
static FP_HELPER void
fp_push_digits(lua_State *L, const fp_number *n)
{
    char text[24];
    if (fp_push_ffi(L)) {
        lua_getfield(L, -1, "new");
        lua_pushstring(L, n->kind == FP_SIGNED ? "int64_t" : "uint64_t");
        lua_call(L, 1, 1);
        lua_remove(L, -2);
        memcpy((void *)lua_topointer(L, -1), n->kind == FP_SIGNED ? (const void *)&n->i : &n->u, 8);
        return;
    }
    if (n->kind == FP_SIGNED) {
        snprintf(text, sizeof(text), "%lld", (long long)n->i);
    }
    else {
        snprintf(text, sizeof(text), "%llu", (unsigned long long)n->u);
    }
    lua_pushstring(L, text);
}

static FP_UNUSED void
fp_push_number(lua_State *L, const fp_number *n)
{
    double value;
    switch (n->kind) {
    case FP_TRUTH: lua_pushboolean(L, n->i != 0); return;
    case FP_REAL: lua_pushnumber(L, n->re); return;
    case FP_COMPLEX: fp_push_complex(L, n->re, n->im); return;
    case FP_SIGNED:
#if FP_LUA_INTEGERS
        lua_pushinteger(L, (lua_Integer)n->i);
        return;
#else
        value = (double)n->i;
        if (value < 0x1p63 && (int64_t)value == n->i) {
            lua_pushnumber(L, value);
            return;
        }
        break;
#endif
    case FP_UNSIGNED:
        value = (double)n->u;
        if (value < 0x1p64 && (uint64_t)value == n->u) {
            lua_pushnumber(L, value);
            return;
        }
        break;
    default: lua_pushnil(L); return;
    }
    fp_push_digits(L, n);
}

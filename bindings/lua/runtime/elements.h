/* Elements: numbers to memory and back, by dtype.
 *
 * By memcpy of a constant size, which is one load or store, whatever the alignment. */

static FP_UNUSED void
fp_load_element(int dtype, const char *from, fp_number *n)
{
#define FP_LOAD(type)                                                                           \
    type value;                                                                                 \
    memcpy(&value, from, sizeof(value))
#define FP_LOAD_SIGNED(type)                                                                    \
    {                                                                                           \
        FP_LOAD(type);                                                                          \
        n->kind = FP_SIGNED;                                                                    \
        n->i = value;                                                                           \
        return;                                                                                 \
    }
#define FP_LOAD_FLOAT(type)                                                                     \
    {                                                                                           \
        FP_LOAD(type);                                                                          \
        n->kind = FP_REAL;                                                                      \
        n->re = (double)value;                                                                  \
        return;                                                                                 \
    }
#define FP_LOAD_COMPLEX(type)                                                                   \
    {                                                                                           \
        type parts[2];                                                                          \
        memcpy(parts, from, sizeof(parts));                                                     \
        n->kind = FP_COMPLEX;                                                                   \
        n->re = (double)parts[0];                                                               \
        n->im = (double)parts[1];                                                               \
        return;                                                                                 \
    }
    memset(n, 0, sizeof(*n));
    switch (dtype) {
    case FP_BOOL: {
        FP_LOAD(uint8_t);
        n->kind = FP_TRUTH;
        n->i = value != 0;
        return;
    }
    case FP_INT8: FP_LOAD_SIGNED(int8_t)
    case FP_INT16: FP_LOAD_SIGNED(int16_t)
    case FP_INT32: FP_LOAD_SIGNED(int32_t)
    case FP_INT64: FP_LOAD_SIGNED(int64_t)
    case FP_UINT8: FP_LOAD_SIGNED(uint8_t)
    case FP_UINT16: FP_LOAD_SIGNED(uint16_t)
    case FP_UINT32: FP_LOAD_SIGNED(uint32_t)
    case FP_UINT64: {
        FP_LOAD(uint64_t);
        fp_set_unsigned(n, value);
        return;
    }
    case FP_FLOAT32: FP_LOAD_FLOAT(float)
    case FP_FLOAT64: FP_LOAD_FLOAT(double)
    case FP_COMPLEX64: FP_LOAD_COMPLEX(float)
    case FP_COMPLEX128: FP_LOAD_COMPLEX(double)
    default: n->kind = FP_NO_NUMBER;
    }
#undef FP_LOAD
#undef FP_LOAD_SIGNED
#undef FP_LOAD_FLOAT
#undef FP_LOAD_COMPLEX
}

static FP_UNUSED double
fp_as_double(const fp_number *n)
{
    return n->kind == FP_UNSIGNED                           ? (double)n->u
           : n->kind == FP_SIGNED || n->kind == FP_TRUTH ? (double)n->i
                                                            : n->re;
}

/* A finite double that is too large for a float becomes infinite, which is refused. */
static FP_UNUSED int
fp_narrow(double wide, float *narrow)
{
    *narrow = (float)wide;
    return !isinf(*narrow) || isinf(wide);
}

/* Stores a number as an element; 0: the dtype cannot represent it, and nothing is stored. Floats are
 * rounded to the precision of the dtype, integers never, and true is 1. */
static FP_UNUSED int
fp_store_element(int dtype, char *to, const fp_number *number)
{
    fp_number n = *number;
    int size = fp_dtype(dtype)->size;
    double wide[2];
    float narrow[2];
    switch (fp_dtype(dtype)->kind) {
    case 'f':
        if (n.kind == FP_COMPLEX) {
            return 0;
        }
        wide[0] = fp_as_double(&n);
        if (dtype == FP_FLOAT64) {
            memcpy(to, wide, 8);
            return 1;
        }
        if (!fp_narrow(wide[0], narrow)) {
            return 0;
        }
        memcpy(to, narrow, 4);
        return 1;
    case 'c':
        wide[0] = fp_as_double(&n);
        wide[1] = n.kind == FP_COMPLEX ? n.im : 0;
        if (dtype == FP_COMPLEX128) {
            memcpy(to, wide, 16);
            return 1;
        }
        if (!fp_narrow(wide[0], narrow) || !fp_narrow(wide[1], narrow + 1)) {
            return 0;
        }
        memcpy(to, narrow, 8);
        return 1;
    case 'b':
        if (n.kind != FP_TRUTH && (!fp_integral(&n) || n.kind != FP_SIGNED || n.i < 0 || n.i > 1)) {
            return 0;
        }
        *to = (char)n.i;
        return 1;
    default:
        if (n.kind == FP_TRUTH) {
            n.kind = FP_SIGNED;
        }
        if (!fp_integral(&n)) {
            return 0;
        }
        if (n.kind == FP_SIGNED) {
            if (n.i < fp_integer_min(dtype) || (n.i > 0 && (uint64_t)n.i > fp_integer_max(dtype))) {
                return 0;
            }
            n.u = (uint64_t)n.i;
        }
        else if (n.u > fp_integer_max(dtype)) {
            return 0;
        }
        switch (size) {
        case 1: *to = (char)(unsigned char)n.u; return 1;
        case 2: {
            uint16_t half = (uint16_t)n.u;
            memcpy(to, &half, 2);
            return 1;
        }
        case 4: {
            uint32_t word = (uint32_t)n.u;
            memcpy(to, &word, 4);
            return 1;
        }
        default: memcpy(to, &n.u, 8); return 1;
        }
    }
}

/* ---- Elements from scripts ---------------------------------------------------------------------- */

/* "an integer from -128 to 127 (int8)" */
static FP_COLD void
fp_append_wanted(fp_message *t, int dtype)
{
    const char *name = fp_dtype(dtype)->name;
    switch (fp_dtype(dtype)->kind) {
    case 'b': fp_append_string(t, "a boolean"); return;
    case 'f':
        fp_append_string(t, "a number (");
        fp_append_string(t, name);
        fp_append_string(t, ")");
        return;
    case 'c': fp_append(t, "a number or {re = number, im = number} (%s)", name); return;
    default:
        fp_append(t, "an integer from %lld to %llu (%s)", (long long)fp_integer_min(dtype),
                  (unsigned long long)fp_integer_max(dtype), name);
    }
}

/* Appends a number, as messages show it. */
static FP_COLD void
fp_append_number(fp_message *t, const fp_number *n)
{
    switch (n->kind) {
    case FP_TRUTH: fp_append(t, "a boolean"); return;
    case FP_SIGNED: fp_append(t, "%lld", (long long)n->i); return;
    case FP_UNSIGNED: fp_append(t, "%llu", (unsigned long long)n->u); return;
    case FP_COMPLEX: fp_append(t, "a complex number"); return;
    default: fp_append_real(t, n->re);
    }
}

/* Whether a script may use this number as an element of the dtype. Digits stand for integers of 64
 * bits only, and a boolean only for a bool. */
static FP_UNUSED int
fp_is_meant(int dtype, const fp_number *n)
{
    int wide = dtype == FP_INT64 || dtype == FP_UINT64;
    return (n->kind == FP_TRUTH) == (dtype == FP_BOOL) && (!n->is_text || wide);
}

/* Reads the value at `index` as an element of this dtype. */
static FP_UNUSED int
fp_read_element(lua_State *L, int index, int dtype, char *to)
{
    fp_number n;
    if (FP_LIKELY(dtype == FP_FLOAT64 && lua_type(L, index) == LUA_TNUMBER)) {
        double value = (double)lua_tonumber(L, index);
        memcpy(to, &value, sizeof(value));
        return 1;
    }
    return fp_get_number(L, index, &n) && fp_is_meant(dtype, &n) && fp_store_element(dtype, to, &n);
}

/* Reports why fp_read_element refused the value at `index`. */
static FP_COLD void
fp_append_refusal(lua_State *L, fp_message *t, int dtype, int index)
{
    fp_number n;
    fp_append_string(t, "wanted ");
    fp_append_wanted(t, dtype);
    fp_append_string(t, ", got ");
    if (lua_type(L, index) == LUA_TSTRING) {
        fp_append_string(t, "string");
    }
    else if (fp_get_number(L, index, &n)) {
        fp_append_number(t, &n);
    }
    else {
        fp_append_value(L, t, index);
    }
}

/* The same, or an error. */
static FP_UNUSED void
fp_want_element(lua_State *L, const fp_where *where, int index, int dtype, char *to)
{
    fp_message t;
    if (!fp_read_element(L, index, dtype, to)) {
        fp_begin(&t, where);
        fp_append_refusal(L, &t, dtype, index);
        fp_raise(L, &t);
    }
}

static FP_UNUSED void
fp_push_element(lua_State *L, int dtype, const char *from)
{
    fp_number n;
    if (FP_LIKELY(dtype == FP_FLOAT64)) {
        double value;
        memcpy(&value, from, sizeof(value));
        lua_pushnumber(L, value);
        return;
    }
    fp_load_element(dtype, from, &n);
    fp_push_number(L, &n);
}

/* An integer argument as ptrdiff_t; 0: it is invalid or does not fit. */
static FP_UNUSED int
fp_get_index(lua_State *L, int index, ptrdiff_t *value)
{
    fp_number n;
    if (lua_type(L, index) != LUA_TNUMBER || !fp_get_number(L, index, &n) || !fp_integral(&n)
        || n.kind != FP_SIGNED || n.i < PTRDIFF_MIN || n.i > PTRDIFF_MAX) {
        return 0;
    }
    *value = (ptrdiff_t)n.i;
    return 1;
}

/* Scalars: Lua's values to C values and back.
 *
 * Nothing is lost silently: integers are range-checked, a float with a fraction is not an integer.
 * Inline paths for Lua's own numbers, and a slow one for all values that represent a number. */

/* The number in a tensor of rank 0; 0: the value is not one, or cannot be cast safely. */
static FP_HELPER int
fp_get_held(lua_State *L, int slot, const fp_param *p, fp_number *n)
{
    const fp_tensor *t = fp_to_tensor(L, slot);
    char kind = fp_dtype(p->dtype)->kind;
    int integers, wide;
    if (t == NULL || t->ndim != 0) {
        return 0;
    }
    /* Integers are checked by value, and wide floats are rounded to narrow ones. */
    integers = (kind == 'i' || kind == 'u')
               && (fp_dtype(t->dtype)->kind == 'i' || fp_dtype(t->dtype)->kind == 'u');
    wide = kind == 'f' ? FP_FLOAT64 : kind == 'c' ? FP_COMPLEX128 : p->dtype;
    if (!integers && !fp_is_safe_cast(wide, t->dtype)) {
        fp_message text;
        fp_begin(&text, &p->where);
        fp_append(&text, "wanted a value that casts safely to %s, got ", fp_dtype(p->dtype)->name);
        fp_append_tensor(&text, t);
        fp_raise(L, &text);
    }
    if (!fp_is_filled(t)) {
        fp_error(L, &p->where, "uninitialised tensor");
    }
    fp_load_element(t->dtype, fp_data(t), n);
    return 1;
}

/* Reads a value of the parameter's type, whatever represents it. */
static FP_HELPER void
fp_read_slowly(lua_State *L, int slot, void *value, const fp_param *p)
{
    fp_number n;
    if (!fp_get_held(L, slot, p, &n)) {
        fp_want_element(L, &p->where, slot, p->dtype, (char *)value);
        return;
    }
    if (!fp_store_element(p->dtype, (char *)value, &n)) {
        fp_message text;
        fp_begin(&text, &p->where);
        fp_append(&text, "wanted ");
        fp_append_wanted(&text, p->dtype);
        fp_append(&text, ", got ");
        fp_append_number(&text, &n);
        fp_raise(L, &text);
    }
}

/* `type` is the value's lua_type. */
static inline void
fp_read_seen_float64(lua_State *L, int slot, int type, double *value, const fp_param *p)
{
    if (FP_LIKELY(type == LUA_TNUMBER)) {
        *value = (double)lua_tonumber(L, slot);
        return;
    }
    fp_read_slowly(L, slot, value, p);
}

static inline void
fp_read_float64(lua_State *L, int slot, double *value, const fp_param *p)
{
    fp_read_seen_float64(L, slot, lua_type(L, slot), value, p);
}

static inline void
fp_read_float32(lua_State *L, int slot, float *value, const fp_param *p)
{
    if (FP_LIKELY(lua_type(L, slot) == LUA_TNUMBER) && fp_narrow(lua_tonumber(L, slot), value)) {
        return;
    }
    fp_read_slowly(L, slot, value, p);
}

static inline void
fp_read_bool(lua_State *L, int slot, void *value, const fp_param *p)
{
    fp_read_slowly(L, slot, value, p);
}

/* A complex C value has the layout of an array of two floats (C99 6.2.5p13). */
static inline void
fp_read_complex64(lua_State *L, int slot, void *value, const fp_param *p)
{
    fp_read_slowly(L, slot, value, p);
}

static inline void
fp_read_complex128(lua_State *L, int slot, void *value, const fp_param *p)
{
    fp_read_slowly(L, slot, value, p);
}

/* ---- Integers --------------------------------------------------------------------------------- */

/* Writes an integer, which fits, to a variable of the given type. */
static inline void
fp_store_integer(void *variable, int dtype, int64_t value)
{
    switch (fp_dtype(dtype)->size) {
    case 1: { int8_t v = (int8_t)value; memcpy(variable, &v, 1); break; }
    case 2: { int16_t v = (int16_t)value; memcpy(variable, &v, 2); break; }
    case 4: { int32_t v = (int32_t)value; memcpy(variable, &v, 4); break; }
    default: memcpy(variable, &value, 8); break;
    }
}

static inline int
fp_in_range(int dtype, int64_t value)
{
    return value >= fp_integer_min(dtype) && (value <= 0 || (uint64_t)value <= fp_integer_max(dtype));
}

/* Reads an integer of the parameter's type. */
static inline void
fp_read_integer(lua_State *L, int slot, void *variable, const fp_param *p)
{
#if FP_LUA_INTEGERS
    if (FP_LIKELY(lua_isinteger(L, slot))) {
        int64_t value = (int64_t)lua_tointeger(L, slot);
#else
    double number = lua_type(L, slot) == LUA_TNUMBER ? (double)lua_tonumber(L, slot) : 0x1p63;
    if (FP_LIKELY(number < 0x1p63 && number >= -0x1p63 && (double)(int64_t)number == number)) {
        int64_t value = (int64_t)number;
#endif
        if (FP_LIKELY(fp_in_range(p->dtype, value))) {
            fp_store_integer(variable, p->dtype, value);
            return;
        }
    }
    fp_read_slowly(L, slot, variable, p);
}

/* ---- Computed values -------------------------------------------------------------------------- */

/* Sets an integer variable to the value of a C expression, if it fits. A long double represents
 * every 64-bit integer, so nothing is lost before the comparison. */
static inline void
fp_set_integer(lua_State *L, void *variable, long double value, const fp_param *p)
{
    long double max = (long double)fp_integer_max(p->dtype);
    if (FP_UNLIKELY(!(value >= (long double)fp_integer_min(p->dtype) && value <= max))) {
        fp_error(L, &p->where, "its computed value %.0f is out of range for %s", (double)value,
                 fp_dtype(p->dtype)->name);
    }
    fp_store_integer(variable, p->dtype,
                     value < 0 ? (int64_t)value : (int64_t)(uint64_t)value);
}

/* A computed size must have a value. */
static inline void
fp_check_value(lua_State *L, ptrdiff_t value, const fp_param *p)
{
    if (FP_UNLIKELY(value == FP_NO_DIM)) {
        fp_error(L, &p->where, "its value overflowed, divided by zero or was read beyond an array");
    }
}

/* Sets an integer variable to a computed size. */
static inline void
fp_set_dimension(lua_State *L, void *variable, ptrdiff_t value, const fp_param *p)
{
    fp_check_value(L, value, p);
    fp_set_integer(L, variable, (long double)value, p);
}

/* ---- A scalar that C changes ------------------------------------------------------------------ */

/* An inplace or inout scalar must be passed as a mutable value: a tensor of rank 0. */
static FP_HELPER void
fp_check_mutable_scalar(lua_State *L, int slot, const fp_param *p)
{
    const fp_tensor *t = fp_to_tensor(L, slot);
    if (t == NULL || t->ndim != 0 || t->dtype != p->dtype) {
        fp_message text;
        fp_begin(&text, &p->where);
        fp_append(&text, "wanted a tensor of rank 0 of exactly %s, which can be written back to, got ",
                  fp_dtype(p->dtype)->name);
        fp_append_value(L, &text, slot);
        fp_raise(L, &text);
    }
    if (t->flags & FP_READONLY) {
        fp_error(L, &p->where, "the tensor is read-only");
    }
}

static FP_HELPER void
fp_write_scalar(lua_State *L, int slot, const void *value, size_t size)
{
    memcpy(fp_data(fp_to_tensor(L, slot)), value, size);
}

/* ---- Results ---------------------------------------------------------------------------------- */

static inline void
fp_push_signed(lua_State *L, int64_t value)
{
#if FP_LUA_INTEGERS
    lua_pushinteger(L, (lua_Integer)value);
#else
    if (FP_LIKELY(value >= -((int64_t)1 << 53) && value <= (int64_t)1 << 53)) {
        lua_pushnumber(L, (lua_Number)value);
    }
    else {
        fp_push_element(L, FP_INT64, (const char *)&value);
    }
#endif
}

static inline void
fp_push_unsigned(lua_State *L, uint64_t value)
{
    if (FP_LIKELY(value <= (uint64_t)INT64_MAX)) {
        fp_push_signed(L, (int64_t)value);
    }
    else {
        fp_push_element(L, FP_UINT64, (const char *)&value);
    }
}

#define FP_PUSH_SIGNED(L, v) fp_push_signed(L, (int64_t)(v))
#define FP_PUSH_UNSIGNED(L, v) fp_push_unsigned(L, (uint64_t)(v))
#define FP_PUSH_BOOL(L, v) lua_pushboolean(L, (v) != 0)
#define FP_PUSH_FLOAT(L, v) lua_pushnumber(L, (lua_Number)(v))
#define FP_PUSH_COMPLEX(L, v) fp_push_complex(L, FP_COMPLEX_PARTS(v))

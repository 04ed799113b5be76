/* Enums: tables of integers, one of which C receives. */

/* The parameter table for a value. */
typedef struct {
    fp_param param;
    const fp_enum *of;
} fp_enum_param;

enum { FP_TYPE_ENUM = 110 };

/* The linker omits data to which no code refers. */
static inline void
fp_keep_data(const void *data)
{
    __asm__ volatile("" : : "r"(data));
}

/* The values of all enums in the bytes of the library, where `build` reads them for NAME.d.lua.
 * Nothing uses them at run time. Shifts, since the machine that builds may have another byte order.
 * */
#define FP_ENUMERATORS_MARK "fishplate enumerators:\n"
#define FP_ENUMERATORS(COUNT)                           \
    static const struct {                               \
        char mark[sizeof(FP_ENUMERATORS_MARK)];         \
        unsigned char values[COUNT][9];                 \
    } fpl_enumerators __attribute__((used))
#define FP_ENUMERATOR_BYTE(BY, ...) (unsigned char)((unsigned long long)(__VA_ARGS__) >> BY & 255)
#define FP_ENUMERATOR_BYTES(T, ...)                                               \
    {FP_ENUMERATOR_BYTE(0, __VA_ARGS__),  FP_ENUMERATOR_BYTE(8, __VA_ARGS__),     \
     FP_ENUMERATOR_BYTE(16, __VA_ARGS__), FP_ENUMERATOR_BYTE(24, __VA_ARGS__),    \
     FP_ENUMERATOR_BYTE(32, __VA_ARGS__), FP_ENUMERATOR_BYTE(40, __VA_ARGS__),    \
     FP_ENUMERATOR_BYTE(48, __VA_ARGS__), FP_ENUMERATOR_BYTE(56, __VA_ARGS__),    \
     (unsigned char)(FP_IS_SIGNED(T))}

#define FP_ENUM_DTYPE(T) \
    FP_BY_ENUM(T, FP_INT8, FP_UINT8, FP_INT16, FP_UINT16, FP_INT32, FP_UINT32, FP_INT64, FP_UINT64)

/* Read like an integer of any size. */
static inline fp_param
fp_enum_integer(const fp_enum_param *p)
{
    fp_param integer = p->param;
    integer.dtype = p->of->size == 8 && !p->of->is_signed ? FP_UINT64 : FP_INT64;
    return integer;
}

/* " (RED, GREEN, ...)" */
static FP_HELPER void
fp_append_enumerators(fp_message *t, const fp_enum *of)
{
    int k;
    for (k = 0; k < of->count && k < 8; k++) {
        fp_append(t, k ? ", %s" : " (%s", of->values[k].name);
    }
    fp_append(t, k < of->count ? ", ...)" : ")");
}

/* Each element of an array is a value that C may receive. */
static FP_HELPER void
fp_check_members(lua_State *L, const fp_array *x, const fp_enum *of, const fp_param *p)
{
    ptrdiff_t count = x->data == NULL ? 0 : fp_size(x, p->ndim);
    ptrdiff_t at = fp_find_nonmember(of, x->data, count);
    fp_message t;
    if (at < count) {
        fp_begin_bad_value(x, at, (ptrdiff_t)fp_load_enum(of, (const char *)x->data + at * of->size), &t, p);
        fp_append(&t, ", not a member of %s", fp_last_name(of->name));
        fp_append_enumerators(&t, of);
        fp_raise(L, &t);
    }
}

static FP_NORETURN void
fp_refuse_enum(lua_State *L, long long value, const fp_enum_param *p)
{
    fp_message t;
    fp_begin(&t, &p->param.where);
    fp_append(&t, p->of->is_flags ? "%lld is out of range for %s" : "%lld is not a member of %s", value,
              fp_last_name(p->of->name));
    if (!p->of->is_flags) {
        fp_append_enumerators(&t, p->of);
    }
    fp_raise(L, &t);
}

static FP_NORETURN void
fp_refuse_no_enum(lua_State *L, int slot, const fp_enum_param *p)
{
    fp_message t;
    fp_begin(&t, &p->param.where);
    fp_append(&t, "wanted a value of %s", fp_last_name(p->of->name));
    fp_append_enumerators(&t, p->of);
    fp_append(&t, ", got %s", luaL_typename(L, slot));
    fp_raise(L, &t);
}

/* Reads a value to a variable of C's type. */
static FP_HELPER void
fp_read_enum(lua_State *L, int slot, void *variable, const fp_enum_param *p)
{
    const fp_param integer = fp_enum_integer(p);
    const int type = lua_type(L, slot);
    fp_number digits; /* a value that no number of this Lua represents */
    long long value;
    if (type <= LUA_TBOOLEAN || type == LUA_TTABLE || type == LUA_TFUNCTION
        || (type == LUA_TSTRING && !fp_get_number(L, slot, &digits))) {
        fp_refuse_no_enum(L, slot, p);
    }
    fp_read_integer(L, slot, &value, &integer);
    if (!fp_is_enum(p->of, value)) {
        fp_refuse_enum(L, value, p);
    }
    fp_store_enum(variable, p->of->size, value);
}

/* Pushes a value from C. */
static FP_UNUSED void
fp_push_enum(lua_State *L, const fp_enum *of, long long value)
{
    if (of->size == 8 && !of->is_signed) {
        fp_push_unsigned(L, (uint64_t)value);
    }
    else {
        fp_push_signed(L, value);
    }
}

/* Adds the tables of the enums, up to NULL, to the table on top. */
static FP_UNUSED void
fp_add_enums(lua_State *L, const fp_enum *const *enums)
{
    int k;
    for (; *enums != NULL; enums++) {
        const fp_enum *of = *enums;
        lua_newtable(L);
        for (k = 0; k < of->count; k++) {
            fp_push_enum(L, of, of->values[k].value);
            lua_setfield(L, -2, of->values[k].name);
        }
        if (of->class_name == NULL) {
            lua_setfield(L, -2, fp_last_name(of->name));
        }
        else {
            lua_pushfstring(L, "%s_%s", of->class_name, fp_last_name(of->name));
            lua_insert(L, -2);
            lua_rawset(L, -3);
        }
    }
}

/* Parameters: descriptions of the arguments of generated functions.
 *
 * One fp_param describes one parameter of one C function. Every check takes it, so that every message
 * can name the function, the argument, the expected type and the actual value. A failure raises an
 * error, and needs no cleanup: everything that a call acquires is on Lua's stack or on C's. */

/* Required flags of a tensor that is used in place. */
enum {
    FP_C_ORDER = FP_C_CONTIGUOUS | FP_ALIGNED,
    FP_F_ORDER = FP_F_CONTIGUOUS | FP_ALIGNED,
    FP_WRITE = FP_READONLY, /* this flag must not be set */
    FP_TAKES_STRING = 1 << 8, /* not a number: a string */
    FP_TAKES_BYTES = 1 << 9, /* bytes, or a tensor */
    FP_IN_ROOM = 1 << 10     /* the last dimension is the memory of a string */
};

typedef struct {
    fp_where where;
    int dtype;        /* of the scalar or of an element */
    int ndim;         /* of an array; 0 for a scalar */
    int flags;        /* of an array: FP_C_ORDER or FP_F_ORDER, FP_WRITE */
    unsigned strided; /* a bit for each axis that may have any stride */
    const struct fp_struct *of; /* of an array of structs; else NULL */
} fp_param;

/* The fields of tables in generated code: `where`, and from `ndim` to the end. */
#define FP_ARGUMENT(function, name) {function, FP_BY_NAME, name}
#define FP_ONE_VALUE 0, 0, 0, NULL
#define FP_VALUE_WITH(flags) 0, flags, 0, NULL
#define FP_ARRAY_OF(ndim, flags) ndim, flags, 0, NULL
#define FP_STRIDED_ARRAY(ndim, flags, strided) ndim, flags, strided, NULL
#define FP_STRUCTS_OF(ndim, flags, of) ndim, flags, 0, of

typedef struct {
    const char *function;
    const char *text;              /* "matvec(a, x, y?)" */
    const fp_param *const *params; /* one for each value */
    int required;                  /* the number of required values */
    int total;                     /* the maximal number of values */
    int room;                      /* the number of values that the call may push while it uses its arguments;
                                      or 0 */
} fp_signature;

static inline int
fp_is_present(lua_State *L, int slot)
{
    return !lua_isnoneornil(L, slot);
}

/* The number of values without trailing nils: nil is absent. */
static FP_HELPER int
fp_count_values(lua_State *L)
{
    int given = lua_gettop(L);
    while (given > 0 && lua_isnil(L, given)) {
        given--;
    }
    return given;
}

/* Sets absent values to nil, so that pushed values do not take their slots, and reserves stack. Does
 * nothing if the call pushes only after the last value is read. */
static inline void
fp_make_room(lua_State *L, const fp_signature *s, int given)
{
    if (s->room != 0 && given < s->total) {
        lua_settop(L, s->total);
    }
    if (s->total + s->room > LUA_MINSTACK) {
        luaL_checkstack(L, s->room, s->function);
    }
}

/* The same for a call whose values were counted. */
static inline void
fp_enter(lua_State *L, const fp_signature *s)
{
    fp_make_room(L, s, s->required == s->total ? s->total : lua_gettop(L));
}

/* "matvec(a, x, y?) takes 2 to 3 arguments, got 4", "matvec(a, x, y?) needs argument 'x'" */
static FP_HELPER void
fp_check_count(lua_State *L, const fp_signature *s)
{
    int given = fp_count_values(L);
    fp_message t = {"", 0};
    if (given > s->total) {
        fp_append(&t, "%s takes ", s->text);
        if (s->required != s->total) {
            fp_append(&t, "%d to ", s->required);
        }
        fp_append(&t, "%d argument%s, got %d", s->total, s->total == 1 ? "" : "s", given);
        fp_raise(L, &t);
    }
    if (given < s->required) {
        fp_append(&t, "%s needs argument '%s'", s->text, s->params[given]->where.name);
        fp_raise(L, &t);
    }
}

/* The caller's values, one for each slot. */
static inline void
fp_bind(lua_State *L, const fp_signature *s)
{
    int given = lua_gettop(L);
    if (FP_UNLIKELY(given < s->required || given > s->total)) {
        fp_check_count(L, s);
    }
    fp_make_room(L, s, given);
}

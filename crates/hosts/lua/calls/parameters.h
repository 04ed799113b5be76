/* Parameters: what generated functions know of their arguments.
 *
 * One fp_param describes one parameter of one C function; every check takes it, so that every message
 * can name the function, the argument, what was wanted and what came. What fails raises an error, and
 * nothing has to be undone for it: all that a call acquires is on Lua's stack or on C's. */

/* What a tensor's flags must say before C may have it as it lies. */
enum {
    FP_C_ORDER = FP_C_CONTIGUOUS | FP_ALIGNED,
    FP_F_ORDER = FP_F_CONTIGUOUS | FP_ALIGNED,
    FP_WRITE = FP_READONLY, /* this one must not be set */
    FP_TAKES_TEXT = 1 << 8, /* no number: a text */
    FP_TAKES_BYTES = 1 << 9 /* no tensor alone: bytes */
};

typedef struct {
    fp_where where;
    int dtype;        /* of the scalar or of an element */
    int ndim;         /* of an array; 0 for a scalar */
    int flags;        /* of an array: FP_C_ORDER or FP_F_ORDER, FP_WRITE */
    unsigned strided; /* a bit for each axis that C takes with any stride */
} fp_param;

/* The fields of tables in generated code: `where`, and from `ndim` to the end. */
#define FP_ARGUMENT(function, name) {function, FP_BY_NAME, name}
#define FP_ONE_VALUE 0, 0, 0
#define FP_VALUE_WITH(flags) 0, flags, 0
#define FP_ARRAY_OF(ndim, flags) ndim, flags, 0
#define FP_STRIDED_ARRAY(ndim, flags, strided) ndim, flags, strided

typedef struct {
    const char *function;
    const char *text;              /* "matvec(a, x, y?)" */
    const fp_param *const *params; /* one a value */
    int required;                  /* how many values must be given */
    int total;                     /* how many may be */
    int room;                      /* what the call may push while it needs its values; or 0 */
} fp_signature;

static inline int
fp_is_given(lua_State *L, int slot)
{
    return !lua_isnoneornil(L, slot);
}

/* How many values there are, nil at the end apart: nil is absent. */
static FP_HELPER int
fp_count_given(lua_State *L)
{
    int given = lua_gettop(L);
    while (given > 0 && lua_isnil(L, given)) {
        given--;
    }
    return given;
}

/* Values that are not given become nil, so that what is pushed does not take their places, and the
 * stack has room. Nothing of it where all is pushed after the last value is read. */
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
    int given = fp_count_given(L);
    fp_text t = {"", 0};
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

/* The caller's values, one a slot. */
static inline void
fp_bind(lua_State *L, const fp_signature *s)
{
    int given = lua_gettop(L);
    if (FP_UNLIKELY(given < s->required || given > s->total)) {
        fp_check_count(L, s);
    }
    fp_make_room(L, s, given);
}

/* Overloads: the choice among several prototypes.
 *
 * Each value is examined once (fp_look, fp_classify); after that a test is a comparison of small
 * integers, and the chosen overload reuses the result. The overload with the best worst fit is
 * taken: exact types before safe casts, then floating types that may round, and values that may be
 * out of range last, so that their own error is reported. Among equals one whose kind suits the
 * layout of the arrays wins, and among those the first.
 *
 * Lua 5.3 and 5.4 distinguish integers from floats. In the others, a number with an integer's value
 * is both, and the order of the overloads decides. */

typedef struct {
    const fp_signature *signature;
    const char *text; /* "cos(x: float64) -> float64" */
    int kinds;        /* FP_KIND_C, ...: the layouts that it accepts */
} fp_overload;

/* Weak numbers and lists have no dtype; tensors of rank 0 are numbers. */
typedef enum { FP_OTHER, FP_HELD_NUMBER, FP_WEAK_NUMBER, FP_DIGITS, FP_STRING, FP_TENSOR, FP_LIST } fp_form;

typedef struct {
    fp_form form;
    int dtype;   /* -1 if it has none */
    int ndim;
    int digits;  /* for a list: some of its integers were digits, so they are not floats */
    int layout;  /* for a tensor: FP_KIND_C and FP_KIND_FORTRAN if it is contiguous in that order */
    fp_fit as_integer, as_float; /* for a weak number or a list: its class */
    /* For a weak number with an integer's value, or the integers of a list: the least below 0, the
     * largest from 0 on. */
    int64_t least;
    uint64_t most;
} fp_class;

static FP_UNUSED void
fp_class_add(fp_class *c, const fp_number *integer)
{
    if (integer->kind == FP_SIGNED && integer->i < 0) {
        c->least = integer->i < c->least ? integer->i : c->least;
    }
    else {
        uint64_t value = integer->kind == FP_SIGNED ? (uint64_t)integer->i : integer->u;
        c->most = value > c->most ? value : c->most;
    }
}

/* True if an integer type holds all of the range. */
static FP_UNUSED int
fp_holds(int dtype, const fp_class *c)
{
    return (c->least == 0 || fp_in_range(dtype, c->least)) && c->most <= fp_integer_max(dtype);
}

/* How well Lua's numbers fit integer types that represent them, and float64. */
static FP_UNUSED void
fp_classify_number(const fp_number *n, fp_class *c)
{
    fp_number integer = *n;
    c->as_integer = FP_NO_FIT;
    c->as_float = FP_EXACT;
    c->dtype = FP_FLOAT64;
    if (fp_integral(&integer)) {
        c->as_integer = FP_LUA_INTEGERS && n->kind == FP_REAL ? FP_CASTS : FP_EXACT;
        c->as_float = n->kind != FP_REAL ? FP_CASTS : FP_EXACT;
        fp_class_add(c, &integer);
    }
}

/* True if a double may not hold all of the range. */
static FP_UNUSED int
fp_would_round(const fp_class *c)
{
    const int64_t most = (int64_t)1 << 53;
    return c->least < -most || c->most > (uint64_t)most;
}

/* ---- Tables ----------------------------------------------------------------------------------- */

/* The class of the numbers in nested tables: the least of their fits. 0: some are not numbers, or
 * they do not match. */
static FP_HELPER int
fp_scan_list(lua_State *L, int index, fp_class *c)
{
    size_t k, count;
    int right = 1;
    if (fp_is_list(L, index)) {
        luaL_checkstack(L, 8, "nested tables");
        index = fp_absolute(L, index);
        count = fp_list_length(L, index);
        for (k = 1; k <= count && right; k++) {
            lua_rawgeti(L, index, (int)k);
            right = fp_scan_list(L, -1, c);
            lua_pop(L, 1);
        }
        return right;
    }
    {
        fp_number n;
        fp_class one;
        if (!fp_get_number(L, index, &n)) {
            return 0;
        }
        if (n.kind == FP_TRUTH || c->dtype == FP_BOOL) {
            right = n.kind == FP_TRUTH && (c->dtype < 0 || c->dtype == FP_BOOL);
            c->dtype = FP_BOOL;
            return right;
        }
        if (n.kind == FP_COMPLEX || c->dtype == FP_COMPLEX128) {
            c->dtype = FP_COMPLEX128;
            return 1;
        }
        one.least = 0;
        one.most = 0;
        fp_classify_number(&n, &one);
        c->least = one.least < c->least ? one.least : c->least;
        c->most = one.most > c->most ? one.most : c->most;
        c->digits = c->digits || n.is_text;
        c->dtype = FP_FLOAT64;
        c->as_integer = one.as_integer < c->as_integer ? one.as_integer : c->as_integer;
        c->as_float = one.as_float > c->as_float ? one.as_float : c->as_float;
    }
    return 1;
}

static FP_HELPER void
fp_classify_list(lua_State *L, const char *function, int slot, fp_class *c)
{
    fp_where where = {function, slot, "a table"};
    fp_table table;
    table.L = L;
    table.where = &where;
    table.dtype = FP_FLOAT64;
    fp_measure_table(&table, slot);
    c->ndim = table.ndim;
    c->as_integer = FP_EXACT;
    c->as_float = FP_CASTS;
    c->form = fp_scan_list(L, slot, c) ? FP_LIST : FP_OTHER;
    if (c->digits && (c->dtype != FP_FLOAT64 || c->as_integer == FP_NO_FIT)) {
        c->form = FP_OTHER;
    }
}

/* ---- Values ----------------------------------------------------------------------------------- */

/* The properties of a value. */
typedef struct {
    int type;                /* lua_type */
    const fp_tensor *tensor; /* NULL if it is not a tensor; not set without a value */
} fp_value;

static inline void
fp_look(lua_State *L, int slot, fp_value *value)
{
    value->type = lua_type(L, slot);
    value->tensor = value->type == LUA_TUSERDATA ? fp_userdata_tensor(L, slot) : NULL;
}

static inline int
fp_is_seen(const fp_value *value)
{
    return value->type > LUA_TNIL;
}

static FP_UNUSED void
fp_classify_tensor(const fp_tensor *t, fp_class *c)
{
    c->form = t->ndim == 0 ? FP_HELD_NUMBER : FP_TENSOR;
    c->dtype = t->dtype;
    c->ndim = t->ndim;
    c->layout = (t->flags & FP_C_CONTIGUOUS ? FP_KIND_C : 0)
                | (t->flags & FP_F_CONTIGUOUS ? FP_KIND_FORTRAN : 0);
}

/* Buffers, and cdata of LuaJIT's FFI. */
static FP_HELPER void
fp_classify_foreign(lua_State *L, const char *function, int slot, fp_class *c)
{
    fp_where where = {function, slot, "a buffer"};
    fp_loan loan;
    const fp_tensor *t;
    const char *ctype;
    size_t length;
    t = fp_borrow(L, &where, slot, &loan);
    if (t != NULL) {
        fp_classify_tensor(t, c);
        return;
    }
    ctype = fp_push_ctype(L, slot, &length);
    if (ctype != NULL) {
        c->dtype = fp_ctype_dtype(ctype, length);
        c->form = c->dtype < 0 ? FP_OTHER : FP_HELD_NUMBER;
        lua_pop(L, 1);
    }
}

static FP_HELPER void
fp_classify(lua_State *L, const char *function, int slot, const fp_value *value, fp_class *c)
{
    fp_number n;
    c->form = FP_OTHER;
    c->dtype = -1;
    c->ndim = 0;
    c->digits = 0;
    c->least = 0;
    c->most = 0;
    c->layout = FP_KIND_C;
    switch (value->type) {
    case LUA_TNUMBER:
        fp_get_number(L, slot, &n);
        c->form = FP_WEAK_NUMBER;
        fp_classify_number(&n, c);
        return;
    case LUA_TBOOLEAN:
        c->form = FP_WEAK_NUMBER;
        c->dtype = FP_BOOL;
        return;
    case LUA_TSTRING:
        c->form = fp_get_number(L, slot, &n) ? FP_DIGITS : FP_STRING;
        if (c->form == FP_DIGITS) {
            fp_class_add(c, &n);
        }
        return;
    case LUA_TTABLE:
        if (fp_is_list(L, slot)) {
            fp_classify_list(L, function, slot, c);
        }
        else if (fp_get_number(L, slot, &n)) {
            c->form = FP_WEAK_NUMBER;
            c->dtype = FP_COMPLEX128;
        }
        return;
    case LUA_TUSERDATA:
        if (value->tensor != NULL) {
            fp_classify_tensor(value->tensor, c);
            return;
        }
        fp_classify_foreign(L, function, slot, c);
        return;
    default:
        if (FP_IS_CDATA(L, slot)) {
            fp_classify_foreign(L, function, slot, c);
        }
    }
}

/* ---- Fits ------------------------------------------------------------------------------------- */

/* A number or a table of numbers without a dtype: any type of its kind. */
static FP_UNUSED fp_fit
fp_fit_weak(const fp_class *c, const fp_param *p)
{
    char kind = fp_dtype(p->dtype)->kind;
    int wide = p->dtype == FP_FLOAT64 || p->dtype == FP_COMPLEX128;
    if (c->dtype < 0) {
        return FP_CASTS; /* an empty table */
    }
    if (c->dtype == FP_BOOL || kind == 'b') {
        return c->dtype == p->dtype ? FP_EXACT : FP_NO_FIT;
    }
    if (kind == 'i' || kind == 'u') {
        if (c->dtype == FP_COMPLEX128 || c->as_integer == FP_NO_FIT) {
            return FP_NO_FIT;
        }
        if (!fp_holds(p->dtype, c)) {
            return FP_LOSSY;
        }
        /* For a table, preferably a type that represents any integer, if a double would round some.
         * */
        wide = p->dtype == FP_INT64 || (p->dtype == FP_UINT64 && fp_would_round(c));
        return c->form != FP_LIST || wide ? c->as_integer : FP_CASTS;
    }
    if (c->digits) {
        return FP_NO_FIT;
    }
    if (c->dtype == FP_COMPLEX128) {
        return kind == 'f' ? FP_NO_FIT : wide ? FP_EXACT : FP_CASTS;
    }
    if (p->dtype == FP_FLOAT64) {
        return c->as_float;
    }
    /* Integers alone become a narrow float only if no overload is wider. */
    return wide || c->as_float == FP_EXACT ? FP_CASTS : FP_ROUNDS;
}

/* A string parameter accepts strings only; bytes also accept tensors of bytes, and prefer strings.
 * */
static FP_UNUSED fp_fit
fp_fit_whole(const fp_class *c, const fp_param *p)
{
    if (c->form == FP_DIGITS || c->form == FP_STRING) {
        /* A string in memory of the call may change. */
        return (p->flags & FP_WRITE) && !(p->flags & FP_IN_ROOM) ? FP_NO_FIT : FP_EXACT;
    }
    return (p->flags & FP_TAKES_BYTES) && c->form == FP_TENSOR && c->ndim == 1
                   && (c->dtype == FP_UINT8 || c->dtype == FP_INT8)
               ? FP_CASTS
               : FP_NO_FIT;
}

static FP_UNUSED fp_fit
fp_fits(const fp_class *c, const fp_param *p)
{
    char kind = fp_dtype(p->dtype)->kind, own;
    if (p->flags & (FP_TAKES_STRING | FP_TAKES_BYTES)) {
        return fp_fit_whole(c, p);
    }
    if (c->form == FP_OTHER || c->form == FP_STRING || c->ndim != p->ndim) {
        return FP_NO_FIT;
    }
    if ((p->flags & FP_WRITE)
        && (c->dtype != p->dtype || (c->form != FP_HELD_NUMBER && c->form != FP_TENSOR))) {
        return FP_NO_FIT;
    }
    if (c->form == FP_DIGITS) {
        return (p->dtype == FP_INT64 || p->dtype == FP_UINT64) && fp_holds(p->dtype, c)
                   ? FP_EXACT
                   : FP_NO_FIT;
    }
    if (c->form == FP_WEAK_NUMBER || c->form == FP_LIST) {
        return fp_fit_weak(c, p);
    }
    if (c->dtype == p->dtype) {
        return FP_EXACT;
    }
    if (fp_is_safe_cast(p->dtype, c->dtype)) {
        return FP_CASTS;
    }
    own = fp_dtype(c->dtype)->kind;
    if (c->form == FP_HELD_NUMBER && (own == 'i' || own == 'u') && (kind == 'i' || kind == 'u')) {
        return FP_LOSSY; /* read with a range check */
    }
    return c->form == FP_HELD_NUMBER && c->dtype == FP_FLOAT64 && p->dtype == FP_FLOAT32 ? FP_ROUNDS
                                                                                         : FP_NO_FIT;
}

static FP_UNUSED fp_fit
fp_fit_handle(lua_State *L, int slot, const fp_param *p)
{
    const fp_handle_class *of = ((const fp_handle_param *)(const void *)p)->of;
    const fp_handle *handle = fp_to_handle(L, slot, of);
    return handle == NULL ? FP_NO_FIT : handle->of == of ? FP_EXACT : FP_CASTS;
}

/* An array of pointers takes a table whose first item fits. */
static FP_UNUSED fp_fit
fp_fit_pointers(lua_State *L, int slot, const fp_param *p)
{
    fp_fit fit = fp_is_list(L, slot) ? FP_EXACT : FP_NO_FIT;
    if (fit == FP_EXACT && fp_list_length(L, slot) > 0) {
        lua_rawgeti(L, slot, 1);
        fit = p->dtype == FP_TYPE_HANDLE ? fp_fit_handle(L, lua_gettop(L), p)
              : lua_type(L, -1) == LUA_TSTRING ? FP_EXACT
                                               : FP_NO_FIT;
        lua_pop(L, 1);
    }
    return fit;
}

/* Tables of records fit exactly. */
static FP_UNUSED fp_fit
fp_fit_structs(lua_State *L, int slot, const fp_param *p)
{
    fp_fit fit = FP_NO_FIT;
    int axis, top = lua_gettop(L);
    luaL_checkstack(L, 4, "structs");
    lua_pushvalue(L, slot);
    for (axis = 0; axis < p->ndim && lua_istable(L, -1); axis++) {
        lua_rawgeti(L, -1, 1);
        lua_replace(L, -2);
    }
    if (axis == p->ndim) {
        fit = fp_to_record(L, lua_gettop(L), p->of) != NULL ? FP_EXACT
              : !(p->flags & FP_WRITE) && lua_istable(L, -1) ? FP_CASTS
                                                              : FP_NO_FIT;
    }
    if (axis > 0 && lua_isnil(L, -1)) {
        fit = FP_CASTS; /* an empty table */
    }
    lua_settop(L, top);
    return fit;
}

static FP_UNUSED fp_fit
fp_fit_one(lua_State *L, int slot, const fp_class *c, const fp_param *p)
{
    fp_fit of_kind;
    if (p->of != NULL) {
        return fp_fit_structs(L, slot, p);
    }
    if (p->ndim > ((p->flags & FP_IN_ROOM) != 0) && (p->dtype == FP_TYPE_HANDLE || (p->flags & FP_TAKES_STRING))) {
        return fp_fit_pointers(L, slot, p);
    }
    if (p->dtype == FP_TYPE_HANDLE) {
        return fp_fit_handle(L, slot, p);
    }
    of_kind = FP_FIT_OF_KIND(L, slot, p);
    if (of_kind != FP_UNDECIDED) {
        return of_kind;
    }
    if (p->dtype == FP_TYPE_STRUCT) {
        const fp_struct *of = ((const fp_struct_param *)(const void *)p)->of;
        int fits = fp_fits_struct(L, slot, of), is_changed = p->flags & FP_WRITE;
        /* A list fits an array better. */
        return fits == 2 ? FP_EXACT : is_changed || !lua_istable(L, slot) ? FP_NO_FIT
               : fits == 1 ? FP_CASTS : fp_list_length(L, slot) > 0 ? FP_LOSSY : FP_NO_FIT;
    }
    if (p->dtype == FP_TYPE_ENUM) {
        const fp_param integer = fp_enum_integer((const fp_enum_param *)(const void *)p);
        return fp_fits(c, &integer);
    }
    return fp_fits(c, p);
}

/* How well `given` values fit an overload; 0: not at all, or not better than `least`. */
static FP_UNUSED int
fp_score(lua_State *L, const fp_overload *o, const fp_class *classes, int given, int least)
{
    const fp_signature *s = o->signature;
    int worst = FP_EXACT, layout = FP_KIND_C | FP_KIND_FORTRAN, k;
    if (given < s->required || given > s->total) {
        return 0;
    }
    for (k = 0; k < given && 8 * worst + 3 > least; k++) {
        int fit;
        if (k >= s->required && lua_isnil(L, k + 1)) {
            continue;
        }
        fit = (int)fp_fit_one(L, k + 1, &classes[k], s->params[k]);
        worst = fit < worst ? fit : worst;
        if (s->params[k]->ndim > 0 && classes[k].form != FP_STRING) {
            layout &= classes[k].layout;
        }
    }
    if (worst == FP_NO_FIT || 8 * worst + 3 <= least) {
        return 0;
    }
    k = fp_suits(o->kinds, layout);
    return k == 0 ? 0 : 8 * worst + k;
}

/* ---- Exact fits ------------------------------------------------------------------------------- */

/* Most calls fit some overload exactly, with C-contiguous tensors, and no other can fit better. The
 * classes of the values are therefore first combined into one number, a byte each, which a switch
 * looks up. */
#define FP_KEY_NUMBER 1u
#define FP_KEY_BOOL 2u
#define FP_KEY_TENSOR(dtype, ndim) (64u + 8u * (unsigned)(dtype) + (unsigned)(ndim))
#define FP_KEY(code, position) ((uint64_t)(code) << (8 * (position)))
/* Some value has another class, or there are too many. */
#define FP_NO_KEY UINT64_MAX
enum { FP_KEY_VALUES = 7, FP_KEY_NDIM = 7 };

/* A number certainly fits float64 best if no overload takes a scalar of another number type
 * (`plain`), or if it is not an integer. */
static inline unsigned
fp_number_code(lua_State *L, int slot, int plain)
{
#if FP_LUA_INTEGERS
    return plain || !lua_isinteger(L, slot) ? FP_KEY_NUMBER : 0;
#else
    return plain || floor(lua_tonumber(L, slot)) != lua_tonumber(L, slot) ? FP_KEY_NUMBER : 0;
#endif
}

static inline unsigned
fp_tensor_code(const fp_tensor *t)
{
    return t != NULL && (t->flags & FP_C_CONTIGUOUS) && t->ndim > 0 && t->ndim <= FP_KEY_NDIM
               ? FP_KEY_TENSOR(t->dtype, t->ndim)
               : 0;
}

/* Examines the values; there is space for `most`. */
static inline uint64_t
fp_key(lua_State *L, fp_value *seen, int most, int plain)
{
    int k, given = lua_gettop(L);
    uint64_t key = 0;
    if (given > most || given > FP_KEY_VALUES) {
        return FP_NO_KEY;
    }
    for (k = 0; k < most; k++) {
        unsigned code;
        if (k >= given) {
            seen[k].type = LUA_TNONE;
            continue;
        }
        fp_look(L, k + 1, &seen[k]);
        switch (seen[k].type) {
        case LUA_TNIL: continue;
        case LUA_TNUMBER: code = fp_number_code(L, k + 1, plain); break;
        case LUA_TBOOLEAN: code = FP_KEY_BOOL; break;
        default: code = fp_tensor_code(seen[k].tensor);
        }
        if (code == 0) {
            return FP_NO_KEY;
        }
        key |= FP_KEY(code, k);
    }
    return key;
}

/* ---- The choice ------------------------------------------------------------------------------- */

static FP_NORETURN void
fp_no_overload(lua_State *L, const char *function, const fp_overload *overloads, int count, int given)
{
    fp_message t = {"", 0};
    int k;
    fp_append(&t, "%s(): no overload takes (", function);
    for (k = 1; k <= given; k++) {
        fp_append(&t, k > 1 ? ", " : "");
        fp_append_value(L, &t, k);
    }
    fp_append(&t, "); it takes:");
    /* The list of signatures may be longer than a message's buffer, and is never truncated. */
    lua_settop(L, 0);
    luaL_where(L, 1);
    lua_pushlstring(L, t.text, (size_t)t.length);
    lua_concat(L, 2);
    for (k = 0; k < count; k++) {
        lua_pushliteral(L, "\n    ");
        lua_pushstring(L, overloads[k].text);
        lua_concat(L, 3);
    }
    lua_error(L);
    __builtin_unreachable();
}

/* The overload for a call; `classes` and `seen` have space for the values of any of them. */
static FP_HELPER int
fp_select(lua_State *L, const char *function, const fp_overload *overloads, int count,
          fp_class *classes, fp_value *seen, int most)
{
    const int best_of_all = 8 * FP_EXACT + 3;
    int k, best = -1, best_score = 0, given = fp_count_values(L);
    luaL_checkstack(L, 16, function);
    for (k = 0; k < most; k++) {
        fp_look(L, k + 1, &seen[k]);
    }
    for (k = 0; k < given && given <= most; k++) {
        fp_classify(L, function, k + 1, &seen[k], &classes[k]);
    }
    for (k = 0; k < count && best_score != best_of_all; k++) {
        int score = fp_score(L, &overloads[k], classes, given, best_score);
        if (score > best_score) {
            best = k;
            best_score = score;
        }
    }
    if (best < 0) {
        fp_no_overload(L, function, overloads, count, given);
    }
    return best;
}

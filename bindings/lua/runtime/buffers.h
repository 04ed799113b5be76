/* Buffers: memory of other modules' objects and of LuaJIT's FFI, as tensors without a copy.
 *
 * A userdata offers its memory by a function `__fishplate_buffer` in its metatable, which takes the
 * object and returns
 *
 *     pointer    light userdata, a full userdata (its block), cdata (LuaJIT); nil if empty
 *     dtype      a dtype's name
 *     shape      a table of integers
 *     strides    a table of integers, in elements; nil: C-contiguous
 *     readonly   true if it must not be written to; nil
 *
 * The memory must stay where it is as long as the object lives. LuaJIT's arrays offer theirs by
 * themselves: their C type has the same information. */

/* The memory of an object, while the object is on the stack. */
typedef struct {
    fp_tensor tensor;
    ptrdiff_t dims[2 * FP_MAX_NDIM];
    fp_storage storage;
} fp_loan;

/* Memory that is released when its object is collected. */
static FP_UNUSED void
fp_release_nothing(fp_storage *storage)
{
    (void)storage;
}

static FP_UNUSED void
fp_begin_loan(fp_loan *loan, int dtype, int ndim)
{
    memset(&loan->tensor, 0, sizeof(loan->tensor));
    memset(&loan->storage, 0, sizeof(loan->storage));
    loan->storage.layout = FP_LAYOUT;
    loan->storage.references = 1;
    loan->storage.device_type = FP_DEVICE_CPU;
    loan->storage.release = fp_release_nothing;
    loan->tensor.storage = &loan->storage;
    loan->tensor.dtype = (uint8_t)dtype;
    loan->tensor.ndim = (uint8_t)ndim;
    loan->tensor.flags = FP_BORROWED;
    loan->tensor.shape = loan->dims;
    loan->tensor.strides = loan->dims + ndim;
}

/* Reads a table of `ndim` integers, or of any number up to FP_MAX_NDIM if `ndim` is -1. Returns the
 * number; -1: it is not such a table. */
static FP_UNUSED int
fp_get_integers(lua_State *L, int index, int ndim, ptrdiff_t *values)
{
    size_t count, k;
    int right = 1;
    if (!lua_istable(L, index)) {
        return -1;
    }
    count = fp_rawlen(L, index);
    if (ndim >= 0 ? count != (size_t)ndim : count > FP_MAX_NDIM) {
        return -1;
    }
    for (k = 0; k < count && right; k++) {
        lua_rawgeti(L, index, (int)k + 1);
        right = fp_get_index(L, -1, values + k);
        lua_pop(L, 1);
    }
    return right ? (int)count : -1;
}

/* Completes a loan of `room` bytes (-1: unknown), or reports why that is impossible. */
static FP_UNUSED const char *
fp_finish_loan(fp_loan *loan, void *data, ptrdiff_t room)
{
    static double nothing; /* where an array without elements begins: its storage is filled */
    fp_tensor *t = &loan->tensor;
    ptrdiff_t low, high;
    int axis;
    if (fp_bytes(t->dtype, t->ndim, t->shape) < 0) {
        return "a shape that fits in memory";
    }
    loan->storage.data = data == NULL ? (void *)&nothing : data;
    fp_update_layout(t);
    if (!fp_extent(t, &low, &high)) {
        return "strides that fit in memory";
    }
    if (data == NULL && t->size != 0) {
        return "a pointer to its elements";
    }
    if (room >= 0 && t->size != 0 && (low < 0 || high > room)) {
        return "a shape that fits its memory";
    }
    loan->storage.size = (size_t)high;
    for (axis = 0; axis < t->ndim; axis++) {
        /* Elements that share memory cannot be written one by one. */
        if (t->shape[axis] > 1 && t->strides[axis] == 0) {
            t->flags |= FP_READONLY;
        }
    }
    return NULL;
}

/* ---- LuaJIT's cdata --------------------------------------------------------------------------- */

/* The address that a cdata array has, or that a cdata pointer holds. */
static FP_HELPER void *
fp_cdata_address(lua_State *L, int index)
{
    void *address = NULL;
    index = fp_absolute(L, index);
    if (fp_push_ffi(L)) {
        lua_getfield(L, -1, "cast");
        lua_pushliteral(L, "void *");
        lua_pushvalue(L, index);
        lua_call(L, 2, 1);
        memcpy(&address, lua_topointer(L, -1), sizeof(address));
        lua_pop(L, 2);
    }
    return address;
}

/* The bytes of a cdata array of this type; -1: it is a pointer, or its size is unknown. */
static FP_HELPER ptrdiff_t
fp_room_of_type(lua_State *L, int index, const char *type, size_t length)
{
    ptrdiff_t room = -1;
    if (type[length - 1] == ']' && fp_push_ffi(L)) {
        lua_getfield(L, -1, "sizeof");
        lua_pushvalue(L, index);
        lua_call(L, 1, 1);
        room = (ptrdiff_t)lua_tonumber(L, -1);
        lua_pop(L, 2);
    }
    return room;
}

/* The same for any value. */
static FP_HELPER ptrdiff_t
fp_cdata_room(lua_State *L, int index)
{
    ptrdiff_t room = -1;
    size_t length;
    const char *type;
    index = fp_absolute(L, index);
    type = fp_push_ctype(L, index, &length);
    if (type != NULL) {
        room = fp_room_of_type(L, index, type, length);
        lua_pop(L, 1);
    }
    return room;
}

/* "const double [2][3]" as dtype and shape; the one dimension of "double [?]" is found from its
 * size. 0: it is not an array of a dtype. */
static FP_HELPER int
fp_parse_ctype(fp_loan *loan, const char *text, size_t length, ptrdiff_t room)
{
    const char *end = text + length, *brackets;
    int is_const = length > 6 && memcmp(text, "const ", 6) == 0, dtype;
    text += is_const ? 6 : 0;
    brackets = (const char *)memchr(text, '[', (size_t)(end - text));
    if (brackets == NULL || brackets - text < 2) {
        return 0;
    }
    dtype = fp_ctype_dtype(text, (size_t)(brackets - 1 - text));
    if (dtype < 0) {
        return 0;
    }
    fp_begin_loan(loan, dtype, 0);
    for (; brackets < end && *brackets == '['; brackets++) {
        ptrdiff_t value = 0;
        if (loan->tensor.ndim == FP_MAX_NDIM) {
            return 0;
        }
        for (brackets++; brackets < end && *brackets != ']'; brackets++) {
            value = *brackets == '?' ? room / fp_dtype(dtype)->size : 10 * value + (*brackets - '0');
        }
        loan->dims[loan->tensor.ndim++] = value;
    }
    loan->tensor.strides = loan->dims + loan->tensor.ndim;
    fp_c_strides(loan->tensor.ndim, loan->tensor.shape, loan->tensor.strides);
    loan->tensor.flags |= is_const ? FP_READONLY : 0;
    return brackets == end;
}

/* An array of the FFI; NULL: it is something else. */
static FP_HELPER const fp_tensor *
fp_borrow_cdata(lua_State *L, int index, fp_loan *loan)
{
    ptrdiff_t room;
    size_t length;
    const char *type;
    int right;
    index = fp_absolute(L, index);
    type = fp_push_ctype(L, index, &length);
    if (type == NULL) {
        return NULL;
    }
    room = fp_room_of_type(L, index, type, length);
    right = fp_parse_ctype(loan, type, length, room);
    lua_pop(L, 1);
    if (!right || fp_finish_loan(loan, fp_cdata_address(L, index), room) != NULL) {
        return NULL;
    }
    return &loan->tensor;
}

/* ---- __fishplate_buffer ----------------------------------------------------------------------- */

static FP_NORETURN void
fp_bad_loan(lua_State *L, const fp_where *where, const char *wanted)
{
    fp_error(L, where, "the object's __fishplate_buffer must return %s", wanted);
}

/* The results of __fishplate_buffer, on top of the stack, as a loan. */
static FP_HELPER void
fp_read_loan(lua_State *L, const fp_where *where, fp_loan *loan)
{
    int base = lua_gettop(L) - 5, dtype = -1, ndim;
    const char *wrong;
    void *data = NULL;
    ptrdiff_t room = -1, shape[FP_MAX_NDIM];
    switch (lua_type(L, base + 1)) {
    case LUA_TNIL: break;
    case LUA_TLIGHTUSERDATA: data = lua_touserdata(L, base + 1); break;
    case LUA_TUSERDATA:
        data = lua_touserdata(L, base + 1);
        room = (ptrdiff_t)fp_rawlen(L, base + 1);
        break;
    default:
        if (!FP_IS_CDATA(L, base + 1)) {
            fp_bad_loan(L, where, "a pointer as its first result");
        }
        data = fp_cdata_address(L, base + 1);
        room = fp_cdata_room(L, base + 1);
    }
    if (lua_type(L, base + 2) == LUA_TSTRING) {
        dtype = fp_dtype_named(lua_tostring(L, base + 2));
    }
    if (dtype < 0) {
        fp_bad_loan(L, where, "the name of a dtype as its second result");
    }
    ndim = fp_get_integers(L, base + 3, -1, shape);
    if (ndim < 0) {
        fp_bad_loan(L, where, "a table of integers, its shape, as its third result");
    }
    fp_begin_loan(loan, dtype, ndim);
    memcpy(loan->tensor.shape, shape, sizeof(*shape) * (size_t)ndim);
    if (lua_isnil(L, base + 4)) {
        if (fp_bytes(dtype, ndim, shape) >= 0) {
            fp_c_strides(ndim, shape, loan->tensor.strides);
        }
    }
    else if (fp_get_integers(L, base + 4, ndim, loan->tensor.strides) != ndim) {
        fp_bad_loan(L, where, "a table of integers, one for each dimension, or nil as its fourth result");
    }
    loan->tensor.flags |= lua_toboolean(L, base + 5) ? FP_READONLY : 0;
    wrong = fp_finish_loan(loan, data, room);
    if (wrong != NULL) {
        fp_bad_loan(L, where, wrong);
    }
}

/* The array of a value: a tensor itself, or an exported buffer, in `loan`. NULL: it is neither;
 * tables are not examined. Valid while the value is on the stack. */
static FP_UNUSED const fp_tensor *
fp_borrow(lua_State *L, const fp_where *where, int index, fp_loan *loan)
{
    const fp_tensor *t = fp_to_tensor(L, index);
    int top = lua_gettop(L);
    if (FP_LIKELY(t != NULL)) {
        return t;
    }
    index = fp_absolute(L, index);
    if (FP_IS_CDATA(L, index)) {
        return fp_borrow_cdata(L, index, loan);
    }
    if (lua_type(L, index) != LUA_TUSERDATA || !luaL_getmetafield(L, index, "__fishplate_buffer")) {
        return NULL;
    }
    lua_pushvalue(L, index);
    lua_call(L, 1, 5);
    fp_read_loan(L, where, loan);
    lua_settop(L, top);
    return &loan->tensor;
}

/* Pushes a tensor that keeps the object at `index` alive, whose memory `loan` describes. */
static FP_UNUSED fp_tensor *
fp_push_loan(lua_State *L, int index, const fp_loan *loan)
{
    const fp_tensor *from = &loan->tensor;
    fp_tensor *t;
    index = fp_absolute(L, index);
    t = fp_push_bare(L, from->dtype, from->ndim, from->flags);
    memcpy(t->shape, from->shape, sizeof(*t->shape) * from->ndim);
    memcpy(t->strides, from->strides, sizeof(*t->strides) * from->ndim);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, 1);
    fp_set_kept(L, -2);
    t->storage = fp_storage_new(loan->storage.size, FP_UNFILLED);
    if (t->storage == NULL) {
        fp_no_memory(L, 0);
    }
    t->storage->data = loan->storage.data;
    t->storage->release = fp_release_nothing;
    fp_update_layout(t);
    return t;
}

static FP_UNUSED void
fp_push_integers(lua_State *L, int count, const ptrdiff_t *values)
{
    int k;
    lua_createtable(L, count, 0);
    for (k = 0; k < count; k++) {
        lua_pushinteger(L, (lua_Integer)values[k]);
        lua_rawseti(L, -2, k + 1);
    }
}

/* A tensor's own __fishplate_buffer, for modules that use another version of it. */
static FP_UNUSED int
fp_tensor_buffer(lua_State *L)
{
    static const fp_where where = {"__fishplate_buffer", 1, "tensor"};
    const fp_tensor *t = fp_to_tensor(L, 1);
    if (t == NULL) {
        fp_wanted(L, &where, "a tensor", 1);
    }
    lua_settop(L, 1);
    lua_pushlightuserdata(L, fp_fill_data(L, t));
    lua_pushstring(L, fp_dtype(t->dtype)->name);
    fp_push_integers(L, t->ndim, t->shape);
    fp_push_integers(L, t->ndim, t->strides);
    lua_pushboolean(L, (t->flags & FP_READONLY) != 0);
    return 5;
}

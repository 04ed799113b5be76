/* Structs: C structs as userdata with fields.
 *
 * A record has its own memory, or views another's, which it then retains. A field that is an array
 * is a table: a copy, and assigned as a whole. The compiler determines the size of a struct and the
 * offsets of its fields. */

enum { FP_TYPE_STRUCT = 111, FP_FIELD_DIMENSIONS = 8 };

struct fp_struct;

/* A field. Values for it are checked by its `param`. */
typedef struct {
    fp_param param;
    const struct fp_struct *of; /* of a nested struct; else NULL */
    const fp_enum *members;     /* of an enum; else NULL */
    size_t offset;
    size_t size; /* of the whole field */
    size_t shape[FP_FIELD_DIMENSIONS];
} fp_field;

typedef struct fp_struct {
    const char *name; /* "shapes.Point", also of the metatable in the registry */
    size_t size;
    const fp_field *fields;
    int count;
} fp_struct;

/* The parameter table for a struct. */
typedef struct {
    fp_param param;
    const fp_struct *of;
} fp_struct_param;

typedef struct {
    const fp_struct *of;
    char *data; /* after this struct, or in another's */
} fp_record;

/* The header before a record's own memory, which is aligned for any field. */
#define FP_RECORD_HEAD ((sizeof(fp_record) + 15) / 16 * 16)

/* The record at an index; NULL: it is not one of these. */
static FP_HELPER fp_record *
fp_to_record(lua_State *L, int at, const fp_struct *of)
{
    fp_record *record = (fp_record *)lua_touserdata(L, at);
    int same;
    if (record == NULL || !lua_getmetatable(L, at)) {
        return NULL;
    }
    luaL_getmetatable(L, of->name);
    same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? record : NULL;
}

/* Pushes a record: zeros, or a copy of `from`. */
static FP_HELPER fp_record *
fp_push_struct(lua_State *L, const fp_struct *of, const void *from)
{
    fp_record *record = (fp_record *)fp_new_userdata(L, FP_RECORD_HEAD + of->size, 0);
    record->of = of;
    record->data = (char *)record + FP_RECORD_HEAD;
    memset(record->data, 0, of->size);
    if (from != NULL) {
        memcpy(record->data, from, of->size);
    }
    luaL_getmetatable(L, of->name);
    lua_setmetatable(L, -2);
    return record;
}

/* Pushes a view of memory in the record at index 1. */
static FP_HELPER void
fp_push_within(lua_State *L, const fp_struct *of, char *data)
{
    fp_record *record = (fp_record *)fp_new_userdata(L, sizeof(fp_record), 1);
    record->of = of;
    record->data = data;
    luaL_getmetatable(L, of->name);
    lua_setmetatable(L, -2);
    lua_newtable(L);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    fp_set_kept(L, -2);
}

/* ---- Fields ---------------------------------------------------------------------------------------- */

static const fp_field *
fp_find_field(const fp_struct *of, const char *name)
{
    int k;
    for (k = 0; name != NULL && k < of->count; k++) {
        if (strcmp(of->fields[k].param.where.name, name) == 0) {
            return &of->fields[k];
        }
    }
    return NULL;
}

/* Pushes the elements of an array from an axis on, and returns the address of the next ones. */
static const char *
fp_push_elements(lua_State *L, const fp_field *field, int axis, const char *at)
{
    size_t k;
    if (field->param.flags & FP_TAKES_STRING) {
        fp_push_written(L, at, (ptrdiff_t)field->size);
        return at + field->size;
    }
    if (axis == field->param.ndim) {
        if (field->of != NULL) {
            fp_push_struct(L, field->of, at);
            return at + field->of->size;
        }
        fp_push_element(L, field->param.dtype, at);
        return at + fp_dtype(field->param.dtype)->size;
    }
    luaL_checkstack(L, 4, "fields");
    lua_newtable(L);
    for (k = 0; k < field->shape[axis]; k++) {
        at = fp_push_elements(L, field, axis + 1, at);
        lua_rawseti(L, -2, (int)k + 1);
    }
    return at;
}

static FP_NORETURN void
fp_refuse_struct(lua_State *L, int slot, const fp_param *p, const fp_struct *of)
{
    char wanted[128];
    snprintf(wanted, sizeof(wanted), "a %s", fp_last_name(of->name));
    fp_wanted(L, &p->where, wanted, slot);
}

/* Reads a record to C's memory. */
static FP_HELPER void
fp_read_record(lua_State *L, int slot, void *to, const fp_param *p, const fp_struct *of)
{
    const fp_record *record = fp_to_record(L, slot, of);
    if (record == NULL) {
        fp_refuse_struct(L, slot, p, of);
    }
    memmove(to, record->data, of->size);
}

static void fp_read_fields(lua_State *L, int slot, char *to, const fp_where *where, const fp_struct *of);

/* Reads a record, or a table of the values of its fields, to C's memory. */
static FP_HELPER void
fp_read_record_or_table(lua_State *L, int slot, void *to, const fp_param *p, const fp_struct *of)
{
    if (lua_istable(L, slot)) {
        fp_read_fields(L, slot, (char *)to, &p->where, of);
    }
    else {
        fp_read_record(L, slot, to, p, of);
    }
}

/* Reads the elements of a table on top from an axis on, and returns the address for the next ones.
 * */
static char *
fp_read_elements(lua_State *L, const fp_field *field, int axis, char *to)
{
    size_t k;
    int slot = lua_gettop(L);
    if (field->param.flags & FP_TAKES_STRING) {
        const char *text;
        fp_read_string(L, slot, &text, &field->param);
        fp_put_string(L, to, (ptrdiff_t)field->size, text, &field->param.where);
        return to + field->size;
    }
    if (axis == field->param.ndim) {
        if (field->of != NULL) {
            fp_read_record_or_table(L, slot, to, &field->param, field->of);
            return to + field->of->size;
        }
        if (field->members != NULL) {
            const fp_enum_param p = {field->param, field->members};
            fp_read_enum(L, slot, to, &p);
            return to + field->members->size;
        }
        fp_read_slowly(L, slot, to, &field->param);
        return to + fp_dtype(field->param.dtype)->size;
    }
    if (!lua_istable(L, slot)) {
        fp_wanted(L, &field->param.where, "a table", slot);
    }
    if (fp_rawlen(L, slot) != field->shape[axis]) {
        fp_error(L, &field->param.where, "the table has %d elements, but must have %d",
                 (int)fp_rawlen(L, slot), (int)field->shape[axis]);
    }
    luaL_checkstack(L, 4, "fields");
    for (k = 0; k < field->shape[axis]; k++) {
        lua_rawgeti(L, slot, (int)k + 1);
        to = fp_read_elements(L, field, axis + 1, to);
        lua_pop(L, 1);
    }
    return to;
}

static FP_UNUSED void
fp_append_no_field(fp_message *t, const fp_struct *of, const char *name)
{
    int k;
    fp_append(t, "a %s has no field '%s'; it has ", fp_last_name(of->name), name == NULL ? "?" : name);
    for (k = 0; k < of->count; k++) {
        fp_append(t, k ? ", %s" : "%s", of->fields[k].param.where.name);
    }
}

/* Reads the values of fields in the table at `slot`, by name or in the order of the fields; others are zero. */
static FP_HELPER void
fp_read_fields(lua_State *L, int slot, char *to, const fp_where *where, const fp_struct *of)
{
    memset(to, 0, of->size);
    luaL_checkstack(L, 6, "fields");
    for (lua_pushnil(L); lua_next(L, slot) != 0; lua_pop(L, 1)) {
        const fp_field *field = NULL;
        ptrdiff_t place;
        char name[128];
        fp_field named;
        if (lua_type(L, -2) == LUA_TSTRING) {
            field = fp_find_field(of, lua_tostring(L, -2));
        }
        else if (fp_get_index(L, -2, &place) && place >= 1 && place <= of->count) {
            field = &of->fields[place - 1];
        }
        if (field == NULL) {
            fp_message t;
            fp_begin(&t, where);
            lua_pushvalue(L, -2);
            fp_append_no_field(&t, of, lua_tostring(L, -1));
            fp_raise(L, &t);
        }
        named = *field;
        snprintf(name, sizeof(name), "%.80s.%.40s", where->name, field->param.where.name);
        named.param.where = *where;
        named.param.where.name = name;
        (void)fp_read_elements(L, &named, 0, to + field->offset);
    }
}

/* How well a value fits a struct that C does not change: 2 for a record, 1 for a table whose first key is the name of a
 * field, 0 for others, also for lists. */
static FP_UNUSED int
fp_fits_struct(lua_State *L, int slot, const fp_struct *of)
{
    int fits = 0, top = lua_gettop(L);
    if (fp_to_record(L, slot, of) != NULL) {
        return 2;
    }
    if (lua_istable(L, slot)) {
        luaL_checkstack(L, 4, "a struct");
        lua_pushnil(L);
        if (lua_next(L, slot) != 0) {
            fits = lua_type(L, -2) == LUA_TSTRING && fp_find_field(of, lua_tostring(L, -2)) != NULL;
        }
        lua_settop(L, top);
    }
    return fits;
}

/* Sets a field to the value on top; unchanged if that is refused. */
static FP_HELPER void
fp_set_field(lua_State *L, fp_record *record, const fp_field *field)
{
    char *copy = (char *)lua_newuserdata(L, field->size);
    lua_insert(L, -2);
    (void)fp_read_elements(L, field, 0, copy);
    memcpy(record->data + field->offset, copy, field->size);
    lua_remove(L, -2);
}

static const fp_struct *
fp_own_struct(lua_State *L)
{
    return (const fp_struct *)lua_touserdata(L, lua_upvalueindex(1));
}

/* The record whose method is called. */
static fp_record *
fp_self(lua_State *L)
{
    const fp_struct *of = fp_own_struct(L);
    fp_record *record = fp_to_record(L, 1, of);
    if (record == NULL) {
        luaL_error(L, "wanted a %s", fp_last_name(of->name));
    }
    return record;
}

static int
fp_copy_record(lua_State *L)
{
    const fp_record *record = fp_self(L);
    fp_push_struct(L, record->of, record->data);
    return 1;
}

/* "a Point has no field 'z'; it has x, y" */
static int
fp_refuse_field(lua_State *L, const fp_struct *of, const char *name)
{
    fp_message t = {"", 0};
    fp_append_no_field(&t, of, name);
    fp_raise(L, &t);
}

static int
fp_get_field(lua_State *L)
{
    fp_record *record = fp_self(L);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
    const fp_field *field = fp_find_field(record->of, name);
    if (field == NULL) {
        if (name != NULL && strcmp(name, "copy") == 0) {
            lua_pushvalue(L, lua_upvalueindex(2));
            return 1;
        }
        return fp_refuse_field(L, record->of, name);
    }
    if (field->param.ndim == 0 && field->of != NULL) {
        fp_push_within(L, field->of, record->data + field->offset);
    }
    else {
        (void)fp_push_elements(L, field, 0, record->data + field->offset);
    }
    return 1;
}

static int
fp_put_field(lua_State *L)
{
    fp_record *record = fp_self(L);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
    const fp_field *field = fp_find_field(record->of, name);
    if (field == NULL) {
        return fp_refuse_field(L, record->of, name);
    }
    lua_settop(L, 3);
    fp_set_field(L, record, field);
    return 0;
}

static int
fp_records_equal(lua_State *L)
{
    const fp_struct *of = fp_own_struct(L);
    const fp_record *a = fp_to_record(L, 1, of), *b = fp_to_record(L, 2, of);
    int k, same = a != NULL && b != NULL;
    for (k = 0; same && k < of->count; k++) {
        const fp_field *field = &of->fields[k];
        same = memcmp(a->data + field->offset, b->data + field->offset, field->size) == 0;
    }
    lua_pushboolean(L, same);
    return 1;
}

static int
fp_record_tostring(lua_State *L)
{
    const fp_struct *of = fp_self(L)->of;
    lua_pushfstring(L, "%s: %p", of->name, lua_touserdata(L, 1));
    return 1;
}

/* `Point(x, y)`, `Point{x = 1, y = 2}`: the class is the first value of a call. */
static int
fp_make_record(lua_State *L)
{
    const fp_struct *of = fp_own_struct(L);
    int k, given = lua_gettop(L) - 1;
    fp_record *record = fp_push_struct(L, of, NULL);
    int at = lua_gettop(L);
    if (given > of->count) {
        return luaL_error(L, "%s() takes %d values at most, got %d", fp_last_name(of->name), of->count,
                          given);
    }
    if (given == 1 && lua_istable(L, 2) && fp_rawlen(L, 2) == 0) {
        for (lua_pushnil(L); lua_next(L, 2) != 0;) {
            const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
            const fp_field *field = fp_find_field(of, name);
            if (field == NULL) {
                return fp_refuse_field(L, of, name);
            }
            fp_set_field(L, record, field);
            lua_pop(L, 1);
        }
        lua_settop(L, at);
        return 1;
    }
    for (k = 0; k < given; k++) {
        if (!lua_isnil(L, k + 2)) {
            lua_pushvalue(L, k + 2);
            fp_set_field(L, record, &of->fields[k]);
            lua_settop(L, at);
        }
    }
    return 1;
}

/* ---- Values ---------------------------------------------------------------------------------------- */

/* Each enum of a struct has a value that C may receive: a field that was not set is zero, which may be no member. */
static void
fp_check_struct_members(lua_State *L, const fp_struct *of, const char *data, const fp_param *p)
{
    int i;
    size_t k;
    for (i = 0; i < of->count; i++) {
        const fp_field *field = &of->fields[i];
        const char *at = data + field->offset;
        for (k = 0; field->of != NULL && k < field->size / field->of->size; k++) {
            fp_check_struct_members(L, field->of, at + k * field->of->size, p);
        }
        if (field->members != NULL) {
            ptrdiff_t all = (ptrdiff_t)(field->size / (size_t)field->members->size);
            ptrdiff_t bad = fp_find_nonmember(field->members, at, all);
            if (bad < all) {
                fp_message t;
                fp_begin(&t, &p->where);
                fp_append(&t, "field '%s' of a %s is %lld, not a member of %s", field->param.where.name,
                          fp_last_name(of->name), fp_load_enum(field->members, at + bad * field->members->size),
                          fp_last_name(field->members->name));
                fp_append_enumerators(&t, field->members);
                fp_raise(L, &t);
            }
        }
    }
}

/* A struct that C does not change for its caller. */
static FP_UNUSED void
fp_read_struct(lua_State *L, int slot, void *variable, const fp_struct_param *p)
{
    fp_read_record_or_table(L, slot, variable, &p->param, p->of);
    fp_check_struct_members(L, p->of, (const char *)variable, &p->param);
}

/* A struct to which C's changes are copied back. */
static FP_UNUSED void
fp_read_changed_struct(lua_State *L, int slot, void *variable, const fp_struct_param *p)
{
    fp_read_record(L, slot, variable, &p->param, p->of);
    fp_check_struct_members(L, p->of, (const char *)variable, &p->param);
}

/* Copies C's changes back to the caller's record. */
static FP_UNUSED void
fp_write_record(lua_State *L, int slot, const void *variable, size_t size)
{
    memcpy(((fp_record *)lua_touserdata(L, slot))->data, variable, size);
}

/* ---- Loading --------------------------------------------------------------------------------------- */

static FP_HELPER void
fp_set_of_struct(lua_State *L, const char *name, lua_CFunction function, const fp_struct *of)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)of);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

/* Adds the classes of structs, up to NULL, to the table on top: each a table that is called. */
static FP_UNUSED void
fp_add_structs(lua_State *L, const fp_struct *const *structs)
{
    for (; *structs != NULL; structs++) {
        const fp_struct *of = *structs;
        luaL_newmetatable(L, of->name);
        lua_pushlightuserdata(L, (void *)(uintptr_t)of);
        lua_pushlightuserdata(L, (void *)(uintptr_t)of);
        lua_pushcclosure(L, fp_copy_record, 1);
        lua_pushcclosure(L, fp_get_field, 2);
        lua_setfield(L, -2, "__index");
        fp_set_of_struct(L, "__newindex", fp_put_field, of);
        fp_set_of_struct(L, "__eq", fp_records_equal, of);
        fp_set_of_struct(L, "__tostring", fp_record_tostring, of);
        lua_pushstring(L, of->name);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__name");
        lua_setfield(L, -2, "__metatable");
        lua_pop(L, 1);
        lua_newtable(L);
        lua_newtable(L);
        fp_set_of_struct(L, "__call", fp_make_record, of);
        lua_setmetatable(L, -2);
        lua_setfield(L, -2, fp_last_name(of->name));
    }
}

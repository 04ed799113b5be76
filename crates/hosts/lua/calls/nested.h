/* Nested values: tables, tensors and numbers to trees of nodes, and back.
 *
 * Purpose: read a value by the signature of its type, and create one from a tree (nodes.h).
 * Invariant: the values to which a tree refers are in a table on the stack, the *anchor*, until the call has returned.
 * Reason: a script that runs later may change the caller's tables, and raising is a longjmp, which releases nothing. */

/* A handle to which a tree refers. */
typedef struct fp_nested_use {
    const struct fp_nested_use *next;
    fp_handle *handle;
    const fp_handle_class *of;
    int use;
    int at; /* its place in the anchor */
} fp_nested_use;

typedef struct {
    fp_node root;
    const fp_nested_use *uses; /* NULL: none */
    const fp_array *taken;     /* the handles that C++ takes over; NULL: none */
} fp_nested_value;

#define FP_NO_NESTED {{FP_NODE_NONE, 0, 0, 0, 0, {0}}, NULL, NULL}

/* At the place of the dtype in other parameters. */
enum { FP_TYPE_NESTED = 112 };

/* The state of the conversion of one argument. */
typedef struct {
    lua_State *L;
    int anchor;
    const fp_param *param;
    fp_nested_value *to;
    const void *const *classes;
} fp_nested_reader;

/* ---- Messages ------------------------------------------------------------------------------------- */

/* The parameter of a value, for messages. `name` has room for its path. */
static FP_COLD fp_param
fp_name_path(const fp_nested_reader *r, const fp_nested_path *path, int dtype, fp_message *name)
{
    fp_param p = *r->param;
    name->length = 0;
    fp_append_string(name, p.where.name);
    fp_append_path(name, path);
    name->text[name->length] = 0;
    p.where.name = name->text;
    p.dtype = dtype;
    return p;
}

/* The types that a signature accepts: "a table", "an integer, a string". */
static FP_COLD void
fp_append_accepted(fp_message *t, const char *type, const void *const *classes)
{
    const char *after = type + 1;
    switch (*type) {
    case 'n': fp_append_string(t, "nil"); break;
    case 'b': fp_append_string(t, "a boolean"); break;
    case 'i': case 'u': fp_append_string(t, "an integer"); break;
    case 'f': fp_append_string(t, "a number"); break;
    case 'c': fp_append_string(t, "a complex number"); break;
    case 's': fp_append_string(t, "a string"); break;
    case 'a': fp_append_string(t, "a tensor"); break;
    case 'l': case 'h': case 't': fp_append_string(t, "a list"); break;
    case 'm': fp_append_string(t, "a table"); break;
    case 'x': case 'y': case 'z': fp_append(t, "a %s", fp_last_name(((const fp_handle_class *)classes[fp_node_size(&after)])->name)); break;
    case 'q': fp_append(t, "a %s", fp_last_name(((const fp_enum *)classes[fp_node_size(&after)])->name)); break;
    case 'r': fp_append(t, "a %s", fp_last_name(((const fp_struct *)classes[fp_node_size(&after)])->name)); break;
    case 'k':
        type++;
        fp_node_size(&type);
        fp_append_accepted(t, type, classes);
        break;
    case 'o':
        fp_append_accepted(t, type + 1, classes);
        fp_append_string(t, ", nil");
        break;
    default: {
        const char *one = type + 1;
        for (; *one != 'e'; one = fp_after_node(one)) {
            fp_append_string(t, one == type + 1 ? "" : ", ");
            fp_append_accepted(t, one, classes);
        }
    }
    }
}

static FP_NORETURN void
fp_wanted_nested(const fp_nested_reader *r, const fp_nested_path *path, const char *type, int slot)
{
    fp_message t, name;
    fp_param p = fp_name_path(r, path, 0, &name);
    fp_begin(&t, &p.where);
    fp_append_string(&t, "wanted ");
    fp_append_accepted(&t, type, r->classes);
    fp_append_string(&t, ", got ");
    fp_append_value(r->L, &t, slot);
    fp_raise(r->L, &t);
}

/* ---- What a tree refers to ------------------------------------------------------------------------ */

/* Moves the values above `top` into the anchor. */
static FP_HELPER void
fp_anchor(const fp_nested_reader *r, int top)
{
    while (lua_gettop(r->L) > top) {
        lua_rawseti(r->L, r->anchor, (int)fp_rawlen(r->L, r->anchor) + 1);
    }
}

/* The nodes of a container, `each` for one value. */
static FP_HELPER void
fp_add_nodes(const fp_nested_reader *r, fp_node *node, fp_node_kind kind, size_t count, size_t each)
{
    int top = lua_gettop(r->L);
    node->kind = kind;
    node->count = count;
    if (count > INT_MAX / sizeof(fp_node) / each) {
        fp_error(r->L, &r->param->where, "the table is too long");
    }
    node->of.nodes = (fp_node *)fp_new_userdata(r->L, (count * each + 1) * sizeof(fp_node), 0);
    memset(node->of.nodes, 0, count * each * sizeof(fp_node));
    fp_anchor(r, top);
}

/* ---- Numbers and tensors ------------------------------------------------------------------------------ */

static FP_HELPER void
fp_read_nested_number(const fp_nested_reader *r, fp_node *node, char letter, int size, int slot, const fp_nested_path *path)
{
    fp_message name;
    fp_param p;
    union { double parts[2]; int64_t integer; float real; char truth; } value;
    if (letter == 'f' && size == 8 && lua_type(r->L, slot) == LUA_TNUMBER) {
        node->kind = FP_NODE_REAL;
        node->of.parts[0] = (double)lua_tonumber(r->L, slot);
        return;
    }
    p = fp_name_path(r, path, fp_node_dtype(letter, size), &name);
    memset(&value, 0, sizeof(value));
    switch (letter) {
    case 'b': fp_read_bool(r->L, slot, &value, &p); break;
    case 'f':
        if (size == 4) {
            fp_read_float32(r->L, slot, &value.real, &p);
        }
        else {
            fp_read_float64(r->L, slot, value.parts, &p);
        }
        break;
    case 'c': fp_read_complex128(r->L, slot, &value, &p); break; /* by its dtype */
    default: fp_read_integer(r->L, slot, &value, &p); break;
    }
    fp_set_node(node, letter, size, &value);
}

/* A tensor with one dimension, in place or as a copy. */
static FP_HELPER void
fp_read_nested_array(const fp_nested_reader *r, fp_node *node, char letter, int size, int slot, const fp_nested_path *path)
{
    fp_message name;
    fp_param p = fp_name_path(r, path, fp_node_dtype(letter, size), &name);
    int top = lua_gettop(r->L);
    /* Aligned as the array is. */
    uintptr_t memory = (uintptr_t)fp_new_userdata(r->L, sizeof(fp_array) + 15, 0);
    fp_array *x = (fp_array *)((memory + 15) / 16 * 16);
    p.ndim = 1;
    p.flags = FP_C_ORDER;
    p.strided = 0;
    fp_array_in(r->L, x, fp_to_tensor(r->L, slot), slot, &p);
    node->kind = FP_NODE_ARRAY;
    node->letter = letter;
    node->size = size;
    node->count = (size_t)x->shape[0];
    node->of.data = x->data;
    lua_pushvalue(r->L, slot);
    fp_anchor(r, top);
}

/* ---- Objects, members of enums, structs ----------------------------------------------------------------------- */

static FP_HELPER void
fp_read_nested_handle(const fp_nested_reader *r, fp_node *node, char letter, const fp_handle_class *of, int slot,
                      const fp_nested_path *path)
{
    lua_State *L = r->L;
    fp_message name;
    fp_handle_param p;
    int top = lua_gettop(L);
    fp_nested_use *use = (fp_nested_use *)fp_new_userdata(L, sizeof(fp_nested_use), 0);
    p.param = fp_name_path(r, path, FP_TYPE_HANDLE, &name);
    p.of = of;
    use->handle = fp_take_handle(L, slot, &p);
    use->of = of;
    use->next = r->to->uses;
    use->use = fp_use_of(letter);
    r->to->uses = use;
    lua_pushvalue(L, slot);
    use->at = (int)fp_rawlen(L, r->anchor) + 1; /* the values are moved from the top */
    fp_anchor(r, top);
    node->kind = FP_NODE_OBJECT;
    node->of.data = fp_pointer_of(use->handle, of);
}

static FP_HELPER void
fp_read_nested_enum(const fp_nested_reader *r, fp_node *node, const fp_enum *of, int slot, const fp_nested_path *path)
{
    fp_message name;
    fp_enum_param p;
    int64_t value = 0;
    p.param = fp_name_path(r, path, FP_TYPE_ENUM, &name);
    p.of = of;
    fp_read_enum(r->L, slot, &value, &p);
    fp_set_node(node, of->is_signed ? 'i' : 'u', of->size, &value);
}

static FP_HELPER void
fp_read_nested_struct(const fp_nested_reader *r, fp_node *node, const fp_struct *of, int slot, const fp_nested_path *path)
{
    fp_message name;
    fp_struct_param p;
    int top = lua_gettop(r->L);
    /* Aligned as a record is. */
    uintptr_t memory = (uintptr_t)fp_new_userdata(r->L, of->size + 15, 0);
    fp_anchor(r, top);
    p.param = fp_name_path(r, path, FP_TYPE_STRUCT, &name);
    p.of = of;
    node->kind = FP_NODE_STRUCT;
    node->of.data = (void *)((memory + 15) / 16 * 16);
    fp_read_struct(r->L, slot, (void *)(uintptr_t)node->of.data, &p);
}

/* Makes the handles that C++ takes over an array, as fp_handles_in does. */
static FP_HELPER void
fp_collect_taken(const fp_nested_reader *r)
{
    const fp_nested_use *use;
    ptrdiff_t count = 0;
    int top = lua_gettop(r->L);
    uintptr_t memory;
    fp_array *x;
    for (use = r->to->uses; use != NULL; use = use->next) {
        count += use->use == FP_USE_TAKEN;
    }
    if (count == 0) {
        return;
    }
    /* Aligned as the array is. */
    memory = (uintptr_t)fp_new_userdata(r->L, sizeof(fp_array) + 16 + (2 * (size_t)count + 1) * sizeof(void *), 0);
    x = (fp_array *)((memory + 15) / 16 * 16);
    memset(x, 0, sizeof(*x));
    x->data = x + 1;
    x->shape[0] = count;
    for (use = r->to->uses; use != NULL; use = use->next) {
        if (use->use == FP_USE_TAKEN) {
            fp_handles_of(x)[--count] = use->handle;
        }
    }
    r->to->taken = x;
    fp_anchor(r, top);
}

/* As fp_check_handle, for each: a finalizer may have closed it. */
static FP_UNUSED void
fp_check_handles_of_nested(lua_State *L, const fp_nested_value *x, const fp_nested_param *p)
{
    const fp_nested_use *use;
    fp_handle_param one;
    one.param = p->param;
    for (use = x->uses; use != NULL; use = use->next) {
        one.of = use->of;
        fp_check_handle(L, use->handle, &one);
    }
}

static FP_UNUSED void
fp_check_objects_of_nested(lua_State *L, const fp_nested_value *x, const fp_nested_param *p)
{
    const fp_nested_use *use;
    fp_handle_param one;
    one.param = p->param;
    for (use = x->uses; use != NULL; use = use->next) {
        one.of = use->of;
        fp_check_object(L, use->handle, &one);
    }
}

static FP_UNUSED void
fp_pin_handles_of_nested(const fp_nested_value *x)
{
    const fp_nested_use *use;
    for (use = x->uses; use != NULL; use = use->next) {
        fp_pin_handle(use->handle);
    }
}

static FP_UNUSED void
fp_unpin_handles_of_nested(const fp_nested_value *x)
{
    const fp_nested_use *use;
    for (use = x->uses; use != NULL; use = use->next) {
        fp_unpin_handle(use->handle);
    }
}

static FP_UNUSED void
fp_release_pinned_handles_of_nested(lua_State *L, const fp_nested_value *x)
{
    const fp_nested_use *use;
    for (use = x->uses; use != NULL; use = use->next) {
        fp_release_pinned(L, use->handle);
    }
}

/* ---- Arguments ------------------------------------------------------------------------------------- */

static FP_HELPER void fp_read_nested(const fp_nested_reader *r, fp_node *node, const char *type, int slot,
                                     const fp_nested_path *path);

/* A list, or a tuple of `count` values, whose types follow one another. */
static FP_HELPER void
fp_read_values(const fp_nested_reader *r, fp_node *node, const char *type, int slot, const fp_nested_path *path)
{
    lua_State *L = r->L;
    int is_tuple = *type++ == 't', top = lua_gettop(L);
    fp_nested_path inner = {path, "", 0};
    size_t length;
    if (!fp_is_list(L, slot)) {
        fp_wanted_nested(r, path, type - 1, slot);
    }
    length = fp_list_length(L, slot);
    if (is_tuple) {
        size_t count = fp_count_nodes(type);
        /* The last values may be nil. */
        if (length > count) {
            fp_message name;
            fp_param p = fp_name_path(r, path, 0, &name);
            fp_error(L, &p.where, "wanted %d values, got %d", (int)count, (int)length);
        }
        length = count;
    }
    fp_add_nodes(r, node, is_tuple ? FP_NODE_TUPLE : FP_NODE_LIST, length, 1);
    while (inner.index < (ptrdiff_t)length) {
        fp_node *to = &node->of.nodes[inner.index++];
        lua_rawgeti(L, slot, (int)inner.index);
        fp_read_nested(r, to, type, top + 1, &inner);
        lua_settop(L, top);
        type = is_tuple ? fp_after_node(type) : type;
    }
}

static FP_HELPER void
fp_read_nested_map(const fp_nested_reader *r, fp_node *node, const char *type, int slot, const fp_nested_path *path)
{
    lua_State *L = r->L;
    fp_nested_path key = {path, ".keys()", 0}, value = {path, ".values()", 0};
    const char *of = fp_after_node(type);
    int top = lua_gettop(L);
    size_t count = 0;
    if (!lua_istable(L, slot)) {
        fp_wanted_nested(r, path, "m", slot);
    }
    for (lua_pushnil(L); lua_next(L, slot) != 0; lua_pop(L, 1)) {
        count++;
    }
    fp_add_nodes(r, node, FP_NODE_MAP, count, 2);
    node->count = 0;
    for (lua_pushnil(L); lua_next(L, slot) != 0; lua_settop(L, top + 1)) {
        fp_node *to = node->of.nodes + 2 * node->count;
        if (node->count == count) {
            fp_error(L, &r->param->where, "the table changed while it was read");
        }
        key.index = value.index = (ptrdiff_t)++node->count;
        fp_read_nested(r, to, type, top + 1, &key);
        fp_read_nested(r, to + 1, of, top + 2, &value);
    }
}

static FP_HELPER void
fp_read_nested_variant(const fp_nested_reader *r, fp_node *node, const char *type, int slot, const fp_nested_path *path)
{
    const char *one = type, *chosen = NULL;
    int best = 0, k;
    for (k = 0; *one != 'e'; one = fp_after_node(one), k++) {
        int fits = fp_fits_nested(r->L, one, r->classes, slot);
        if (fits > best) {
            best = fits;
            chosen = one;
            node->choice = k;
        }
    }
    if (chosen == NULL) {
        fp_wanted_nested(r, path, type - 1, slot);
    }
    fp_read_nested(r, node, chosen, slot, path);
}

/* A tensor or a list with as many values as the type has. */
static FP_HELPER void
fp_read_nested_sized(const fp_nested_reader *r, fp_node *node, const char *type, int slot, const fp_nested_path *path)
{
    int count = fp_node_size(&type);
    fp_read_nested(r, node, type, slot, path);
    if (node->count != (size_t)count) {
        fp_message name;
        fp_param p = fp_name_path(r, path, 0, &name);
        fp_error(r->L, &p.where, "wanted %d values, got %d", count, (int)node->count);
    }
}

/* Reads a value of the first type in a signature. */
static FP_HELPER void
fp_read_nested(const fp_nested_reader *r, fp_node *node, const char *type, int slot, const fp_nested_path *path)
{
    lua_State *L = r->L;
    int top = lua_gettop(L);
    char letter = *type;
    luaL_checkstack(L, 16, "nested tables");
    switch (letter) {
    case 'n':
        if (!lua_isnoneornil(L, slot)) {
            fp_wanted_nested(r, path, type, slot);
        }
        return;
    case 's':
        if (lua_type(L, slot) != LUA_TSTRING) {
            fp_wanted_nested(r, path, type, slot);
        }
        node->kind = FP_NODE_STRING;
        node->of.data = lua_tolstring(L, slot, &node->count);
        lua_pushvalue(L, slot);
        fp_anchor(r, top);
        return;
    case 'a':
        letter = type[1];
        type += 2;
        fp_read_nested_array(r, node, letter, fp_node_size(&type), slot, path);
        return;
    case 'o':
        if (!lua_isnoneornil(L, slot)) {
            fp_read_nested(r, node, type + 1, slot, path);
        }
        return;
    case 'l': case 'h': case 't': fp_read_values(r, node, type, slot, path); return;
    case 'm': fp_read_nested_map(r, node, type + 1, slot, path); return;
    case 'k': fp_read_nested_sized(r, node, type + 1, slot, path); return;
    case 'v': fp_read_nested_variant(r, node, type + 1, slot, path); return;
    case 'x': case 'y': case 'z':
        type++;
        fp_read_nested_handle(r, node, letter, (const fp_handle_class *)r->classes[fp_node_size(&type)], slot, path);
        return;
    case 'q':
        type++;
        fp_read_nested_enum(r, node, (const fp_enum *)r->classes[fp_node_size(&type)], slot, path);
        return;
    case 'r':
        type++;
        fp_read_nested_struct(r, node, (const fp_struct *)r->classes[fp_node_size(&type)], slot, path);
        return;
    default: type++; fp_read_nested_number(r, node, letter, fp_node_size(&type), slot, path);
    }
}

/* A nested value of this type. The values to which it refers stay on the stack. */
static FP_UNUSED void
fp_nested_in(lua_State *L, fp_nested_value *x, int slot, const fp_nested_param *p)
{
    fp_nested_reader r;
    fp_nested_path path = {NULL, "", 0};
    luaL_checkstack(L, 4, "nested tables");
    lua_newtable(L);
    r.L = L;
    r.anchor = lua_gettop(L);
    r.param = &p->param;
    r.to = x;
    r.classes = p->of.classes;
    fp_read_nested(&r, &x->root, p->of.type, slot, &path);
    fp_collect_taken(&r);
}

/* ---- Results --------------------------------------------------------------------------------------- */

static FP_HELPER void fp_push_nested(lua_State *L, const fp_node *node, const char *type, const fp_nested_type *of);

static FP_HELPER void
fp_push_nested_array(lua_State *L, const fp_node *node)
{
    ptrdiff_t count = (ptrdiff_t)node->count;
    fp_tensor *t = fp_push_tensor(L, fp_node_dtype(node->letter, node->size), 1, &count, FP_ANYTHING);
    if (count > 0) {
        memcpy(fp_data(t), node->of.data, node->count * (size_t)node->size);
    }
}

/* Pushes a table, in which no value is false: nil would be a hole. */
static FP_HELPER void
fp_push_nested_values(lua_State *L, const fp_node *node, const char *type, const fp_nested_type *of)
{
    size_t k;
    lua_createtable(L, node->count < INT_MAX ? (int)node->count : 0, 0);
    for (k = 0; k < node->count; k++) {
        fp_push_nested(L, &node->of.nodes[k], type, of);
        type = node->kind == FP_NODE_TUPLE ? fp_after_node(type) : type;
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
            lua_pushboolean(L, 0);
        }
        lua_rawseti(L, -2, (int)(k + 1));
    }
}

static FP_HELPER void
fp_push_nested(lua_State *L, const fp_node *node, const char *type, const fp_nested_type *of)
{
    const char *value;
    size_t k;
    int at;
    type = fp_type_of_node(node, type) + 1; /* what follows the letter */
    luaL_checkstack(L, 8, "nested tables");
    switch (node->kind) {
    case FP_NODE_NONE: lua_pushnil(L); return;
    case FP_NODE_BOOL: lua_pushboolean(L, node->of.integer != 0); return;
    case FP_NODE_SIGNED: fp_push_signed(L, (int64_t)node->of.integer); return;
    case FP_NODE_UNSIGNED: fp_push_unsigned(L, (uint64_t)node->of.natural); return;
    case FP_NODE_REAL: lua_pushnumber(L, (lua_Number)node->of.parts[0]); return;
    case FP_NODE_COMPLEX: fp_push_complex(L, node->of.parts[0], node->of.parts[1]); return;
    case FP_NODE_STRING: lua_pushlstring(L, node->count == 0 ? "" : (const char *)node->of.data, node->count); return;
    case FP_NODE_ARRAY: fp_push_nested_array(L, node); return;
    case FP_NODE_LIST:
    case FP_NODE_TUPLE: fp_push_nested_values(L, node, type, of); return;
    case FP_NODE_STRUCT: fp_push_struct(L, (const fp_struct *)of->classes[fp_node_size(&type)], node->of.data); return;
    case FP_NODE_OBJECT: /* the tree owns it as long as this raises */
        at = fp_push_handle(L, (const fp_handle_class *)of->classes[fp_node_size(&type)], 0);
        fp_receive_handle(L, at, fp_take_object(node), 1);
        return;
    default:
        value = fp_after_node(type);
        lua_createtable(L, 0, node->count < INT_MAX ? (int)node->count : 0);
        for (k = 0; k < node->count; k++) {
            fp_push_nested(L, &node->of.nodes[2 * k], type, of);
            fp_push_nested(L, &node->of.nodes[2 * k + 1], value, of);
            lua_rawset(L, -3);
        }
    }
}

/* Pushes the value of a tree, which is then released. */
static FP_UNUSED void
fp_receive_nested(lua_State *L, fp_received *h, const fp_node *node, const fp_nested_type *of, int nullable,
                  const fp_param *p)
{
    if (fp_receive_null(L, h, node, nullable, p)) {
        fp_push_nested(L, node, of->type, of);
        fp_release_received(L, h);
        h->slot = lua_gettop(L);
    }
}

/* ---- Overloads ------------------------------------------------------------------------------------ */

static inline fp_fit
fp_fit_nested(lua_State *L, int slot, const fp_param *p)
{
    const fp_nested_type *of;
    int fits;
    if (p->dtype != FP_TYPE_NESTED) {
        return FP_FIT_OF_KIND(L, slot, p);
    }
    of = &((const fp_nested_param *)(const void *)p)->of;
    fits = fp_fits_nested(L, of->type, of->classes, slot);
    return fits == 2 ? FP_EXACT : fits == 1 ? FP_CASTS : FP_NO_FIT;
}
#undef FP_FIT_OF_KIND
#define FP_FIT_OF_KIND fp_fit_nested

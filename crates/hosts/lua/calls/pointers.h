/* Arrays of pointers: to the rows of a tensor, to the strings of a table, or to the objects of its handles. */

/* ---- Rows ------------------------------------------------------------------------------------------- */

#define FP_FEW_ROWS 16 /* pointers that need no allocation */

/* Pointers to the rows of a tensor, which are its parts along the first dimension. */
typedef struct {
    void *first; /* as `void **`; NULL for a NULL argument */
    void *few[FP_FEW_ROWS];
} fp_row_pointers;

static FP_UNUSED void
fp_point_to_rows(lua_State *L, fp_row_pointers *rows, const fp_array *x, const fp_param *p)
{
    ptrdiff_t k, count = x->shape[0], stride;
    void **pointers = rows->few;
    rows->first = NULL;
    if (x->data == NULL && count == 0) {
        return;
    }
    if (count > FP_FEW_ROWS) {
        if ((size_t)count > PTRDIFF_MAX / sizeof(void *)) {
            fp_error(L, &p->where, "the tensor has too many rows");
        }
        luaL_checkstack(L, 1, "rows");
        pointers = (void **)fp_new_userdata(L, (size_t)count * sizeof(void *), 0);
    }
    /* Without elements, there is nothing to point to but the beginning, or no memory at all. */
    stride = fp_size(x, p->ndim) == 0 ? 0 : fp_stride(x, 0, p) * fp_element_bytes(p);
    for (k = 0; k < count; k++) {
        pointers[k] = stride == 0 ? x->data : (char *)x->data + k * stride;
    }
    rows->first = pointers;
}

/* ---- Strings and objects -----------------------------------------------------------------------------
 *
 * A copy of the table is on Lua's stack during the call: a script that runs later may change the caller's
 * table, and Lua collects nothing that the copy refers to. A NULL follows the pointers, for libraries that
 * expect one; the handles follow that. */

/* Raises an error about an item, whose name in messages is "names[3]". The item is on top. */
static FP_NORETURN void
fp_refuse_item(lua_State *L, ptrdiff_t k, const fp_param *p)
{
    fp_handle_param one;
    char name[64];
    const char *text;
    one.param = *p;
    snprintf(name, sizeof(name), "%.40s[%td]", p->where.name, k);
    one.param.where.name = name;
    if (p->dtype != FP_TYPE_HANDLE) {
        fp_read_string(L, lua_gettop(L), &text, &one.param);
    }
    else {
        one.of = ((const fp_handle_param *)(const void *)p)->of;
        fp_take_handle(L, lua_gettop(L), &one);
    }
    fp_error(L, &one.param.where, "the value changed while it was read");
}

/* Pushes a copy of the table at `slot`, and returns memory for `each` pointers an item, and one. */
static FP_HELPER void **
fp_take_items(lua_State *L, fp_array *x, int slot, size_t each, const fp_param *p)
{
    size_t count, size;
    int k, copy;
    fp_array_clear(x);
    if (!fp_is_list(L, slot)) {
        fp_wanted(L, &p->where,
                  p->dtype == FP_TYPE_HANDLE     ? "a table of objects"
                  : (p->flags & FP_TAKES_STRING) ? "a table of strings"
                                                 : "a table of arrays",
                  slot);
    }
    luaL_checkstack(L, 8, "a table");
    count = fp_list_length(L, slot);
    if (count >= INT_MAX / (each * sizeof(void *))) {
        fp_error(L, &p->where, "the table is too long");
    }
    x->shape[0] = (ptrdiff_t)count;
    lua_createtable(L, (int)count, 0);
    copy = lua_gettop(L);
    for (k = 1; k <= (int)count; k++) {
        lua_rawgeti(L, slot, k);
        lua_rawseti(L, copy, k);
    }
    size = (each * count + 1) * sizeof(void *);
    x->data = size <= FP_SMALL ? x->small : fp_new_userdata(L, size, 0);
    x->temporary = copy;
    return (void **)x->data;
}

/* Strings, each as fp_read_string reads it. */
static FP_UNUSED void
fp_strings_in(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    void **pointers = fp_take_items(L, x, slot, 1, p);
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        size_t length;
        const char *text;
        lua_rawgeti(L, x->temporary, (int)(k + 1));
        text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
        if (text == NULL || fp_has_nul(text, length)) {
            fp_refuse_item(L, k + 1, p);
        }
        pointers[k] = (void *)(uintptr_t)text;
        lua_pop(L, 1);
    }
    pointers[k] = NULL;
}

/* ---- Handles ---------------------------------------------------------------------------------------- */

static inline fp_handle **
fp_handles_of(const fp_array *x)
{
    return (fp_handle **)x->data + x->shape[0] + 1;
}

/* Handles, with their pointers. */
static FP_UNUSED void
fp_handles_in(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_handle_class *of = ((const fp_handle_param *)(const void *)p)->of;
    void **pointers = fp_take_items(L, x, slot, 2, p);
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        fp_handle *handle;
        lua_rawgeti(L, x->temporary, (int)(k + 1));
        handle = fp_to_handle(L, lua_gettop(L), of);
        if (handle == NULL || handle->is_closed) {
            fp_refuse_item(L, k + 1, p);
        }
        fp_anchor_handle(L, lua_gettop(L), handle);
        pointers[k] = fp_pointer_of(handle, of);
        fp_handles_of(x)[k] = handle;
        lua_pop(L, 1);
    }
    pointers[k] = NULL;
}

/* As fp_check_handle, for each: a finalizer may have closed it. */
static FP_UNUSED void
fp_check_handles(lua_State *L, const fp_array *x, const fp_param *p)
{
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        fp_check_handle(L, fp_handles_of(x)[k], (const fp_handle_param *)(const void *)p);
    }
}

static FP_UNUSED void
fp_check_objects(lua_State *L, const fp_array *x, const fp_param *p)
{
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        fp_check_object(L, fp_handles_of(x)[k], (const fp_handle_param *)(const void *)p);
    }
}

static FP_UNUSED void
fp_pin_handles(const fp_array *x)
{
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        fp_pin_handle(fp_handles_of(x)[k]);
    }
}

static FP_UNUSED void
fp_unpin_handles(const fp_array *x)
{
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        fp_unpin_handle(fp_handles_of(x)[k]);
    }
}

static FP_UNUSED void
fp_release_pinned_handles(lua_State *L, const fp_array *x)
{
    ptrdiff_t k;
    for (k = 0; k < x->shape[0]; k++) {
        fp_release_pinned(L, fp_handles_of(x)[k]);
    }
}

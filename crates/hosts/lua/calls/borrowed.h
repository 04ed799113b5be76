/* Crossings in a callback: the arguments from C for a Lua function, and its results for C. */

/* ---- Arguments from C --------------------------------------------------------------------------------- */

static FP_UNUSED void
fp_pass_string(lua_State *L, const char *string)
{
    if (string == NULL) {
        lua_pushnil(L);
    }
    else {
        lua_pushstring(L, string);
    }
}

static FP_NORETURN void
fp_no_size(lua_State *L, int k, const fp_callback_param *p)
{
    fp_error(L, &p->param.where, "C passed an invalid size for '%s'", p->names[k]);
}

/* Pushes the value of one element of an array of pointers, nil for NULL. `of` is the class of objects. */
typedef void fp_pass_element(lua_State *L, const void *pointers, ptrdiff_t i, const fp_handle_class *of);

/* Pushes an array of pointers as a table, in which NULL is false: nil would be a hole. */
static FP_UNUSED void
fp_pass_pointers(lua_State *L, const void *pointers, ptrdiff_t count, fp_pass_element *pass, const fp_handle_class *of,
                 int k, const fp_callback_param *p)
{
    ptrdiff_t i;
    if (count < 0 || count > INT_MAX) {
        fp_no_size(L, k, p);
    }
    lua_createtable(L, (int)count, 0);
    for (i = 0; i < count; i++) {
        pass(L, pointers, i, of);
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
            lua_pushboolean(L, 0);
        }
        lua_rawseti(L, -2, (int)(i + 1));
    }
}

static FP_UNUSED void
fp_pass_string_element(lua_State *L, const void *strings, ptrdiff_t i, const fp_handle_class *of)
{
    (void)of;
    fp_pass_string(L, ((const char *const *)strings)[i]);
}

static FP_UNUSED void
fp_pass_strings(lua_State *L, const char *const *strings, ptrdiff_t count, int k, const fp_callback_param *p)
{
    if (strings == NULL) {
        lua_pushnil(L);
        return;
    }
    fp_pass_pointers(L, strings, count, fp_pass_string_element, NULL, k, p);
}

static FP_UNUSED void
fp_pass_bytes(lua_State *L, const void *data, ptrdiff_t count, int k, const fp_callback_param *p)
{
    if (data == NULL && count != 0) {
        lua_pushnil(L);
        return;
    }
    if (count < 0) {
        fp_no_size(L, k, p);
    }
    lua_pushlstring(L, count == 0 ? "" : (const char *)data, (size_t)count);
}

/* Memory that C has passed stays owned by C; memory that was filled in later does not. */
static FP_UNUSED void
fp_detach_borrowed(fp_storage *storage)
{
    if (storage->data != storage->owner) {
        free(storage->data);
    }
}

/* Pushes a tensor on C memory, in place; `as` has its dtype and layout. The tensor is recorded, to be
 * invalidated later. */
static FP_UNUSED void
fp_pass_array(lua_State *L, fp_storage **borrowed, const void *data, const ptrdiff_t *shape, const fp_param *as,
              int k, const fp_callback_param *p)
{
    fp_tensor *t;
    ptrdiff_t bytes = fp_bytes(as->dtype, as->ndim, shape);
    if (bytes < 0) {
        fp_no_size(L, k, p);
    }
    if (data == NULL && bytes > 0) {
        lua_pushnil(L);
        return;
    }
    t = fp_push_bare(L, as->dtype, as->ndim, as->flags & FP_WRITE ? 0 : FP_READONLY);
    memcpy(t->shape, shape, sizeof(*shape) * (size_t)as->ndim);
    if (as->flags & FP_F_CONTIGUOUS) {
        fp_f_strides(as->ndim, shape, t->strides);
    }
    else {
        fp_c_strides(as->ndim, shape, t->strides);
    }
    t->storage = fp_storage_new((size_t)bytes, FP_UNFILLED);
    if (t->storage == NULL) {
        fp_no_memory(L, bytes);
    }
    t->storage->data = t->storage->owner = (void *)data;
    t->storage->release = fp_detach_borrowed;
    fp_storage_retain(t->storage);
    *borrowed = t->storage;
    fp_update_layout(t);
}

/* Pushes a C object, which is valid until the function returns. */
static FP_UNUSED void
fp_pass_handle(lua_State *L, const void *pointer, const fp_handle_class *of)
{
    if (pointer == NULL) {
        lua_pushnil(L);
        return;
    }
    fp_receive_handle(L, fp_push_handle(L, of, 0), pointer, 0);
}

static FP_UNUSED void
fp_pass_handle_element(lua_State *L, const void *pointers, ptrdiff_t i, const fp_handle_class *of)
{
    fp_pass_handle(L, ((void *const *)pointers)[i], of);
}

static FP_UNUSED void
fp_pass_handles(lua_State *L, void *const *pointers, ptrdiff_t count, const fp_handle_class *of, int k,
                const fp_callback_param *p)
{
    if (pointers == NULL && count != 0) {
        lua_pushnil(L);
        return;
    }
    fp_pass_pointers(L, pointers, count, fp_pass_handle_element, of, k, p);
}

/* ---- Results of the function -------------------------------------------------------------------------- */

/* A return code reports success without a value from the function. */
static FP_UNUSED void
fp_take_nil(lua_State *L, int slot, const fp_param *p)
{
    if (!lua_isnil(L, slot)) {
        fp_wanted(L, &p->where, "nothing", slot);
    }
}

/* Copies an array to C memory. If C passes NULL, it is ignored. */
static FP_UNUSED void
fp_take_array(lua_State *L, int slot, void *data, const ptrdiff_t *shape, const fp_param *p)
{
    fp_array x;
    int axis;
    if (data == NULL) {
        return;
    }
    fp_array_in(L, &x, fp_to_tensor(L, slot), slot, p);
    for (axis = 0; axis < p->ndim; axis++) {
        fp_check_dim(L, &x, axis, shape[axis], NULL, p);
    }
    if (fp_size(&x, p->ndim) > 0) {
        memmove(data, x.data, (size_t)fp_size(&x, p->ndim) * (size_t)fp_dtype(p->dtype)->size);
    }
    fp_release(L, &x);
}

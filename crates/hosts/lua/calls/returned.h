/* C-allocated memory: its values in Lua, and its lifetime.
 *
 * Memory that the call must free has its owner before C is called, a tensor's storage on Lua's
 * stack: it is therefore freed whatever fails after the call. Strings and bytes are copied, and
 * then freed at once, and so is memory that is freed with values of the call, which follow the header of its storage.
 * Another array is that tensor, or a tensor that retains the owner of its memory. */

typedef struct {
    fp_tensor *tensor; /* owns the memory, until it is released or ownership moves; or NULL */
    int slot;          /* its position on the stack; after the call, that of the value */
} fp_received;

/* Before the call: nothing is owned yet. `room` is the size of the values with which the memory is freed. */
static FP_UNUSED void
fp_expect_with(lua_State *L, fp_received *h, void (*release)(fp_storage *), size_t room, const fp_param *p)
{
    fp_storage *storage;
    h->tensor = fp_push_bare(L, p->dtype, p->ndim, p->flags & FP_WRITE ? 0 : FP_READONLY);
    h->slot = lua_gettop(L);
    storage = h->tensor->storage = fp_storage_new(room, FP_ANYTHING);
    if (storage == NULL) {
        fp_no_memory(L, 0);
    }
    storage->size = 0;
    storage->data = NULL;
    storage->release = release;
}

static FP_UNUSED void
fp_expect(lua_State *L, fp_received *h, void (*release)(fp_storage *), const fp_param *p)
{
    fp_expect_with(L, h, release, 0, p);
}

/* The values with which the memory is freed. */
static inline void *
fp_values_of(fp_storage *storage)
{
    return (char *)storage + FP_STORAGE_HEADER;
}

/* After the call: the memory has its owner. */
static inline void
fp_set_owner(fp_received *h, const void *data)
{
    h->tensor->storage->data = (void *)data;
}

/* Releases the memory now; the remains on the stack must not look like a tensor. */
static FP_HELPER void
fp_release_received(lua_State *L, fp_received *h)
{
    fp_tensor *t = h->tensor;
    if (t != NULL) {
        fp_storage *storage = t->storage;
        lua_pushnil(L);
        lua_setmetatable(L, h->slot);
        t->storage = NULL;
        h->tensor = NULL;
        fp_storage_release(storage);
    }
}

/* NULL becomes nil if that is allowed, else a failure; 1: not NULL. */
static FP_HELPER int
fp_receive_null(lua_State *L, fp_received *h, const void *data, int nullable, const fp_param *p)
{
    if (data != NULL) {
        return 1;
    }
    if (!nullable) {
        fp_error(L, &p->where, "C returned NULL");
    }
    lua_pushnil(L);
    fp_release_received(L, h); /* which is not a tensor */
    h->slot = lua_gettop(L);
    return 0;
}

/* The shape is determined by C; returns the number of elements. */
static FP_HELPER ptrdiff_t
fp_receive_shape(lua_State *L, const ptrdiff_t *shape, const fp_param *p)
{
    ptrdiff_t size = 1;
    int axis;
    for (axis = 0; axis < p->ndim; axis++) {
        if (shape[axis] == FP_NO_DIM) {
            fp_error(L, &p->where, "dimension %d, computed after the call, overflowed, divided by zero or was read beyond an array", axis + 1);
        }
        if (shape[axis] < 0) {
            fp_error(L, &p->where, "dimension %d, computed after the call, is %lld", axis + 1, (long long)shape[axis]);
        }
    }
    if (fp_bytes(p->dtype, p->ndim, shape) < 0) {
        fp_error(L, &p->where, "the shape, computed after the call, exceeds the address space");
    }
    for (axis = 0; axis < p->ndim; axis++) {
        size *= shape[axis];
    }
    return size;
}

/* Pushes the value of C-allocated bytes, which are then released. */
static FP_HELPER void
fp_receive_copy(lua_State *L, fp_received *h, const void *data, size_t length)
{
    lua_pushlstring(L, data == NULL ? "" : (const char *)data, data == NULL ? 0 : length);
    fp_release_received(L, h);
    h->slot = lua_gettop(L);
}

static FP_HELPER void
fp_receive_string(lua_State *L, fp_received *h, const char *text, ptrdiff_t length, int nullable, const fp_param *p)
{
    if (fp_receive_null(L, h, text, nullable, p)) {
        fp_receive_copy(L, h, text, (size_t)length);
    }
}

/* Pushes a copy of a struct, which is then released. */
static FP_UNUSED void
fp_receive_record(lua_State *L, fp_received *h, const void *data, const fp_struct *of, int nullable, const fp_param *p)
{
    if (fp_receive_null(L, h, data, nullable, p)) {
        fp_push_struct(L, of, data);
        fp_release_received(L, h);
        h->slot = lua_gettop(L);
    }
}

/* `shape[0]` bytes, or the string in them. */
static FP_HELPER void
fp_receive_bytes(lua_State *L, fp_received *h, const void *data, const ptrdiff_t *shape, int nullable,
                 const fp_param *p)
{
    ptrdiff_t length = fp_receive_shape(L, shape, p);
    if ((data == NULL && length == 0 && !nullable) || fp_receive_null(L, h, data, nullable, p)) {
        if ((p->flags & FP_TAKES_STRING) && data != NULL) {
            const char *end = (const char *)memchr(data, 0, (size_t)length);
            length = end == NULL ? length : end - (const char *)data;
        }
        fp_receive_copy(L, h, data, (size_t)length);
    }
}

/* Makes a tensor without elements the array at `data`. */
static FP_HELPER void
fp_receive_layout(fp_tensor *t, const void *data, const ptrdiff_t *shape, ptrdiff_t size, const fp_param *p)
{
    if (p->ndim > 0) {
        memcpy(t->shape, shape, sizeof(*shape) * (size_t)p->ndim);
    }
    if (fp_is_fortran(p)) {
        fp_f_strides(p->ndim, shape, t->strides);
    }
    else {
        fp_c_strides(p->ndim, shape, t->strides);
    }
    t->storage->size = (size_t)(size * fp_dtype(p->dtype)->size);
    t->storage->data = (void *)data;
    fp_update_layout(t);
}

/* Pushes a tensor with a copy of the memory, which is then released. */
static FP_UNUSED void
fp_receive_copied(lua_State *L, fp_received *h, const void *data, const ptrdiff_t *shape, int nullable, const fp_param *p)
{
    ptrdiff_t size = fp_receive_shape(L, shape, p), bytes = size * fp_dtype(p->dtype)->size;
    fp_tensor *t;
    int slot;
    if (!(data == NULL && size == 0 && !nullable) && !fp_receive_null(L, h, data, nullable, p)) {
        return;
    }
    t = fp_push_bare(L, p->dtype, p->ndim, 0);
    slot = lua_gettop(L);
    t->storage = fp_storage_new((size_t)bytes, FP_ANYTHING);
    if (t->storage == NULL) {
        fp_no_memory(L, bytes);
    }
    if (bytes > 0) {
        memcpy(t->storage->data, data, (size_t)bytes);
    }
    fp_receive_layout(t, t->storage->data, shape, size, p);
    fp_count_bytes(L, bytes);
    fp_release_received(L, h);
    h->slot = slot;
}

/* The tensor that owns the memory is the value. */
static FP_HELPER void
fp_receive_owned(lua_State *L, fp_received *h, const void *data, const ptrdiff_t *shape, int nullable,
                 const fp_param *p)
{
    ptrdiff_t size = fp_receive_shape(L, shape, p);
    if ((data == NULL && size == 0 && !nullable) || fp_receive_null(L, h, data, nullable, p)) {
        fp_receive_layout(h->tensor, data, shape, size, p);
        h->tensor = NULL; /* ownership has moved */
        fp_count_bytes(L, size * fp_dtype(p->dtype)->size);
    }
}

/* ---- Lenders ---------------------------------------------------------------------------------- */

/* Prepares an array of which C may return views: a copy of it must not be on C's stack. */
static FP_HELPER void
fp_prepare_views(lua_State *L, fp_array *x, const fp_param *p)
{
    if ((x->held & FP_PACKED) && !(x->held & FP_TEMPORARY)) {
        ptrdiff_t bytes = fp_bytes_of(L, x, p);
        fp_tensor *t = fp_push_bare(L, fp_memory_dtype(p), 0, 0);
        t->storage = fp_storage_new((size_t)bytes, FP_ANYTHING);
        if (t->storage == NULL) {
            fp_no_memory(L, bytes);
        }
        memcpy(fp_data(t), x->data, (size_t)bytes);
        x->temporary = lua_gettop(L);
        x->data = fp_data(t);
        x->held |= FP_TEMPORARY;
    }
}

/* The owner of memory of which C may return views: an array, or an object. */
typedef struct {
    fp_array *array;
    fp_handle *handle;
    int slot; /* of the handle */
} fp_viewed;

/* Pins an object, which may be NULL, until the memory of C that needs it is released. */
static FP_UNUSED fp_handle *
fp_use_object(fp_handle *handle)
{
    if (handle != NULL) {
        handle->uses++;
        handle->views++;
    }
    return handle;
}

/* Ends such a use; the handle may have been closed by then. It still exists: a value that refers to it is younger, and
 * finalized first. */
static FP_UNUSED void
fp_end_object_use(fp_handle *handle)
{
    if (handle == NULL) {
        return;
    }
    handle->views--;
    if (--handle->uses == 0 && handle->is_closed && handle->pointer != NULL) {
        void *pointer = handle->pointer;
        handle->pointer = NULL;
        if (handle->is_owned && handle->of->destroy != NULL) {
            fp_destroy_now(handle, pointer);
        }
    }
}

/* The view of an object's memory is collected. */
static FP_UNUSED void
fp_end_use(fp_storage *storage)
{
    fp_end_object_use((fp_handle *)storage->owner);
}

/* A view of memory of these arguments, or of memory with static storage. It is writable if all of
 * them are. */
static FP_HELPER void
fp_receive_borrowed(lua_State *L, fp_received *h, const void *data, const ptrdiff_t *shape,
                    const fp_viewed *owners, int count, int nullable, const fp_param *p)
{
    ptrdiff_t size = fp_receive_shape(L, shape, p);
    int flags = (p->flags & FP_WRITE ? 0 : FP_READONLY) | (count > 0 ? FP_BORROWED : 0), k;
    fp_handle *user = NULL;
    fp_tensor *t;
    if (!(data == NULL && size == 0 && !nullable) && !fp_receive_null(L, h, data, nullable, p)) {
        return;
    }
    t = fp_push_bare(L, p->dtype, p->ndim, flags);
    h->slot = lua_gettop(L);
    if (count > 0) {
        lua_createtable(L, count, 0);
        for (k = 0; k < count; k++) {
            fp_array *x = owners[k].array;
            int copied = x != NULL && (x->held & FP_TEMPORARY) != 0;
            int slot = x == NULL ? owners[k].slot : copied ? x->temporary : x->slot;
            if (slot != 0) {
                lua_pushvalue(L, slot);
                lua_rawseti(L, -2, k + 1);
                if (x != NULL && !copied && (x->tensor == NULL || (x->tensor->flags & FP_READONLY))) {
                    t->flags |= FP_READONLY;
                }
            }
            if (x != NULL) {
                x->held &= ~FP_TEMPORARY;
            }
            else {
                user = owners[k].handle;
            }
        }
        fp_set_kept(L, -2);
    }
    t->storage = fp_storage_new(0, FP_UNFILLED);
    if (t->storage == NULL) {
        fp_no_memory(L, 0);
    }
    t->storage->release = fp_release_nothing;
    if (user != NULL) {
        if (user->pointer == NULL) { /* by a finalizer, since C has returned */
            fp_error(L, &p->where, "its owner was closed");
        }
        t->storage->release = fp_end_use;
        t->storage->owner = fp_use_object(user);
    }
    fp_receive_layout(t, data, shape, size, p);
}

static inline void
fp_return_received(lua_State *L, const fp_received *h)
{
    lua_pushvalue(L, h->slot);
}

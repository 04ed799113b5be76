/* DLPack: tensors from and to libraries that know nothing of Lua, without a copy.
 *
 * A capsule is a userdata that contains one pointer, to a DLManagedTensor or a
 * DLManagedTensorVersioned, or NULL after it has been consumed. Its metatable is the registry's
 * "dltensor" or "dltensor_versioned", so that independent modules can exchange capsules. The
 * consumer calls the deleter, once; the capsule's __gc does if there was no consumer. */

#define FP_CAPSULE "dltensor"
#define FP_CAPSULE_VERSIONED "dltensor_versioned"

/* The ABI of DLPack 1.x. */
typedef struct {
    void *data;
    int32_t device_type;
    int32_t device_id;
    int32_t ndim;
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: C-contiguous */
    uint64_t byte_offset;
} fp_dl_tensor;

typedef struct fp_dl_managed {
    fp_dl_tensor tensor;
    void *context;
    void (*deleter)(struct fp_dl_managed *self);
} fp_dl_managed;

typedef struct fp_dl_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct fp_dl_versioned *self);
    uint64_t flags;
    fp_dl_tensor tensor;
} fp_dl_versioned;

enum { FP_DL_MAJOR = 1, FP_DL_MINOR = 0, FP_DL_READONLY = 1 };

/* "biufc" in the order of DLPack's type codes; opaque handles and bfloat16 are not supported. */
#define FP_DL_KINDS "iuf??cb"

/* ---- Capsules --------------------------------------------------------------------------------- */

static FP_UNUSED void
fp_delete_managed(void *managed)
{
    fp_dl_managed *self = (fp_dl_managed *)managed;
    if (self->deleter != NULL) {
        self->deleter(self);
    }
}

static FP_UNUSED void
fp_delete_versioned(void *managed)
{
    fp_dl_versioned *self = (fp_dl_versioned *)managed;
    if (self->deleter != NULL) {
        self->deleter(self);
    }
}

/* Takes the content of a capsule, or NULL. */
static FP_UNUSED void *
fp_take_capsule(void **capsule)
{
    void *managed = *capsule;
    *capsule = NULL;
    return managed;
}

/* 1: a capsule, 2: a versioned one, 0: something else. */
static FP_UNUSED int
fp_is_capsule(lua_State *L, int index)
{
    int is = 0;
    if (lua_type(L, index) == LUA_TUSERDATA && lua_getmetatable(L, index)) {
        luaL_getmetatable(L, FP_CAPSULE);
        luaL_getmetatable(L, FP_CAPSULE_VERSIONED);
        is = lua_rawequal(L, -3, -2) ? 1 : lua_rawequal(L, -3, -1) ? 2 : 0;
        lua_pop(L, 3);
    }
    return is;
}

static FP_UNUSED int
fp_collect_capsule(lua_State *L)
{
    int is = fp_is_capsule(L, 1);
    void *managed = is ? fp_take_capsule((void **)lua_touserdata(L, 1)) : NULL;
    if (managed != NULL) {
        (is == 2 ? fp_delete_versioned : fp_delete_managed)(managed);
    }
    return 0;
}

/* Pushes a capsule that is still empty. */
static FP_UNUSED void **
fp_push_capsule(lua_State *L, int is_versioned)
{
    const char *name = is_versioned ? FP_CAPSULE_VERSIONED : FP_CAPSULE;
    void **capsule = (void **)fp_new_userdata(L, sizeof(void *), 0);
    *capsule = NULL;
    luaL_getmetatable(L, name);
    if (!lua_istable(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushcfunction(L, fp_collect_capsule);
        lua_setfield(L, -2, "__gc");
        lua_pushstring(L, name);
        lua_setfield(L, -2, "__name");
        lua_pushstring(L, name);
        lua_setfield(L, -2, "__metatable");
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, name); /* complete, or not there */
    }
    lua_setmetatable(L, -2);
    return capsule;
}

/* ---- Out -------------------------------------------------------------------------------------- */

/* One block for the consumer: either struct, followed by the dimensions. */
typedef struct {
    union {
        fp_dl_managed managed;
        fp_dl_versioned versioned;
    } as;
    int64_t dims[]; /* shape, then strides */
} fp_export;

static FP_UNUSED void
fp_delete_export(fp_dl_managed *self)
{
    fp_storage_release((fp_storage *)self->context);
    free(self);
}

static FP_UNUSED void
fp_delete_versioned_export(fp_dl_versioned *self)
{
    fp_storage_release((fp_storage *)self->context);
    free(self);
}

/* Pushes a capsule of a tensor. */
static FP_UNUSED void
fp_push_export(lua_State *L, const fp_where *where, const fp_tensor *t, int is_versioned)
{
    size_t room = sizeof(fp_export) + 2 * sizeof(int64_t) * t->ndim;
    fp_export *made;
    fp_dl_tensor *out;
    void **capsule;
    int axis;
    if (t->flags & FP_BORROWED) {
        fp_error(L, where, "wanted a tensor that owns its memory, got a view on a Lua object's; copy it");
    }
    if (!is_versioned && (t->flags & FP_READONLY)) {
        fp_error(L, where, "wanted a tensor that can be written to, since a capsule without version "
                           "cannot say otherwise, got a read-only one");
    }
    fp_fill_data(L, t);
    capsule = fp_push_capsule(L, is_versioned);
    made = (fp_export *)calloc(1, room);
    if (made == NULL) {
        fp_no_memory(L, (ptrdiff_t)room);
    }
    if (is_versioned) {
        made->as.versioned.major = FP_DL_MAJOR;
        made->as.versioned.minor = FP_DL_MINOR;
        made->as.versioned.context = t->storage;
        made->as.versioned.deleter = fp_delete_versioned_export;
        made->as.versioned.flags = t->flags & FP_READONLY ? FP_DL_READONLY : 0;
        out = &made->as.versioned.tensor;
    }
    else {
        made->as.managed.context = t->storage;
        made->as.managed.deleter = fp_delete_export;
        out = &made->as.managed.tensor;
    }
    out->data = fp_data(t);
    out->device_type = t->storage->device_type;
    out->device_id = t->storage->device_id;
    out->ndim = t->ndim;
    out->code = (uint8_t)(strchr(FP_DL_KINDS, fp_dtype(t->dtype)->kind) - FP_DL_KINDS);
    out->bits = (uint8_t)(8 * fp_dtype(t->dtype)->size);
    out->lanes = 1;
    out->shape = made->dims;
    out->strides = made->dims + t->ndim;
    for (axis = 0; axis < t->ndim; axis++) {
        out->shape[axis] = t->shape[axis];
        out->strides[axis] = t->strides[axis];
    }
    fp_storage_retain(t->storage);
    *capsule = made;
}

/* A tensor's own __dlpack, for libraries that request a capsule. */
static FP_UNUSED int
fp_tensor_dlpack(lua_State *L)
{
    static const fp_where where = {"__dlpack", 1, "tensor"};
    const fp_tensor *t = fp_to_tensor(L, 1);
    if (t == NULL) {
        fp_wanted(L, &where, "a tensor", 1);
    }
    fp_push_export(L, &where, t, 1);
    return 1;
}

/* ---- In --------------------------------------------------------------------------------------- */

static FP_UNUSED void
fp_release_managed(fp_storage *storage)
{
    fp_delete_managed(storage->owner);
}

static FP_UNUSED void
fp_release_versioned(fp_storage *storage)
{
    fp_delete_versioned(storage->owner);
}

/* The dtype of a DLPack tensor, or -1. */
static FP_UNUSED int
fp_dl_dtype(const fp_dl_tensor *in)
{
    if (in->lanes != 1 || in->bits % 8 != 0 || in->code >= sizeof(FP_DL_KINDS) - 1) {
        return -1;
    }
    return fp_dtype_of(FP_DL_KINDS[in->code], in->bits / 8);
}

/* Checks everything that a foreign library may have set wrongly, or that is not supported. */
static FP_UNUSED void
fp_read_export(lua_State *L, const fp_where *where, const fp_dl_tensor *in, fp_loan *loan)
{
    int axis, dtype = fp_dl_dtype(in);
    const char *wrong;
    if (in->device_type != FP_DEVICE_CPU) {
        fp_error(L, where, "wanted a capsule with memory of the CPU (device type 1), got device type %d",
                 (int)in->device_type);
    }
    if (dtype < 0) {
        fp_error(L, where, "wanted a capsule of a dtype of Fishplate, got type code %d of %d bits and "
                           "%d lanes", in->code, in->bits, in->lanes);
    }
    if (in->ndim < 0 || in->ndim > FP_MAX_NDIM) {
        fp_error(L, where, "wanted a capsule with at most %d dimensions, got %d", FP_MAX_NDIM,
                 (int)in->ndim);
    }
    fp_begin_loan(loan, dtype, in->ndim);
    loan->tensor.flags = 0;
    for (axis = 0; axis < in->ndim; axis++) {
        loan->tensor.shape[axis] = (ptrdiff_t)in->shape[axis];
        loan->tensor.strides[axis] = in->strides == NULL ? 0 : (ptrdiff_t)in->strides[axis];
    }
    if (in->strides == NULL && fp_bytes(dtype, in->ndim, loan->tensor.shape) >= 0) {
        fp_c_strides(in->ndim, loan->tensor.shape, loan->tensor.strides);
    }
    wrong = fp_finish_loan(loan, in->data == NULL ? NULL : (char *)in->data + in->byte_offset, -1);
    if (wrong != NULL) {
        fp_error(L, where, "wanted a capsule with %s", wrong);
    }
}

/* Pushes a tensor of the capsule at `index`, which is then empty. */
static FP_UNUSED fp_tensor *
fp_push_import(lua_State *L, const fp_where *where, int index)
{
    int is = fp_is_capsule(L, index);
    void **capsule = is ? (void **)lua_touserdata(L, index) : NULL;
    const fp_dl_versioned *versioned;
    fp_tensor *t;
    fp_loan loan;
    if (capsule == NULL) {
        fp_wanted(L, where, "a DLPack capsule", index);
    }
    if (*capsule == NULL) {
        fp_error(L, where, "wanted a DLPack capsule, got one that was consumed before");
    }
    versioned = (const fp_dl_versioned *)*capsule;
    if (is == 2 && versioned->major != FP_DL_MAJOR) {
        fp_error(L, where, "wanted a capsule of DLPack %d, got one of DLPack %u", FP_DL_MAJOR,
                 (unsigned)versioned->major);
    }
    fp_read_export(L, where, is == 2 ? &versioned->tensor : &((fp_dl_managed *)*capsule)->tensor,
                   &loan);
    if (is == 2 && (versioned->flags & FP_DL_READONLY)) {
        loan.tensor.flags |= FP_READONLY;
    }
    t = fp_push_bare(L, loan.tensor.dtype, loan.tensor.ndim, loan.tensor.flags);
    memcpy(t->shape, loan.tensor.shape, sizeof(*t->shape) * t->ndim);
    memcpy(t->strides, loan.tensor.strides, sizeof(*t->strides) * t->ndim);
    t->storage = fp_storage_new(loan.storage.size, FP_UNFILLED);
    if (t->storage == NULL) {
        fp_no_memory(L, 0);
    }
    t->storage->data = loan.storage.data;
    t->storage->owner = fp_take_capsule(capsule);
    t->storage->release = is == 2 ? fp_release_versioned : fp_release_managed;
    fp_update_layout(t);
    return t;
}

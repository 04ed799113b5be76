/* Crossings: one function for each intent; shapes; and results. Dimensions count from 1 in
 * messages, as they do in Lua. */

static FP_UNUSED void
fp_check_filled(lua_State *L, const fp_tensor *t, const fp_param *p)
{
    if (!fp_is_filled(t)) {
        fp_error(L, &p->where, "uninitialised tensor");
    }
}

/* The tensor of a value, or that it exports, of the parameter's rank and with a dtype that can be
 * cast safely; NULL: the value is a table. */
static FP_HELPER const fp_tensor *
fp_resolve(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_tensor *t = fp_borrow(L, &p->where, slot, &x->loan);
    if (t == NULL) {
        if (!fp_is_list(L, slot)) {
            fp_wanted_dtype(L, p, NULL, slot, "a tensor of ", "");
        }
        return NULL;
    }
    if (!fp_is_safe_cast(p->dtype, t->dtype)) {
        fp_wanted_dtype(L, p, t, slot, "a tensor that casts safely to ", "");
    }
    if (t->ndim != p->ndim) {
        fp_wrong_rank(L, p, t);
    }
    fp_check_filled(L, t, p);
    return t;
}

/* ---- in --------------------------------------------------------------------------------------- */

/* The table at `slot` has the parameter's rank; its shape is stored in x->shape. */
static FP_HELPER void
fp_measure(lua_State *L, fp_array *x, int slot, const fp_param *p, fp_table *table)
{
    luaL_checkstack(L, FP_MAX_NDIM + 10, "nested tables");
    table->L = L;
    table->where = &p->where;
    table->dtype = p->dtype;
    fp_measure_table(table, slot);
    if (table->ndim != p->ndim) {
        fp_message text;
        fp_begin(&text, &p->where);
        fp_append(&text, "wanted a %d-D tensor, got a table of shape ", p->ndim);
        fp_append_shape(&text, table->ndim, table->shape);
        fp_raise(L, &text);
    }
    memcpy(x->shape, table->shape, sizeof(*x->shape) * (size_t)p->ndim);
}

static FP_HELPER void
fp_store_list(lua_State *L, int slot, fp_table *table, void *to)
{
    table->to = (char *)to;
    lua_pushvalue(L, slot);
    fp_store_table(table, 0);
    lua_pop(L, 1);
}

/* Numbers in a table have no dtype: each is checked individually. */
static FP_HELPER void
fp_read_list(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    fp_table table;
    fp_measure(L, x, slot, p, &table);
    if (fp_is_fortran(p)) {
        fp_tensor *t;
        fp_bytes_of(L, x, p);
        t = fp_push_tensor(L, p->dtype, p->ndim, x->shape, FP_ANYTHING);
        fp_store_list(L, slot, &table, fp_data(t));
        fp_use_packed(L, x, t, lua_gettop(L), p);
        return;
    }
    fp_reserve(L, x, p);
    fp_store_list(L, slot, &table, x->data);
}

static FP_HELPER void
fp_array_in_slowly(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_tensor *t;
    fp_array_clear(x);
    t = fp_resolve(L, x, slot, p);
    if (t == NULL) {
        fp_read_list(L, x, slot, p);
    }
    else if (t->dtype == p->dtype) {
        fp_use_or_pack(L, x, t, slot, p);
    }
    else {
        fp_use_packed(L, x, t, slot, p);
    }
}

/* in: in place, or a packed copy. `t` is the tensor at `slot`, or NULL. */
static inline void
fp_array_in(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    if (FP_UNLIKELY(!fp_use_if_ready(x, t, slot, p))) {
        fp_array_in_slowly(L, x, slot, p);
    }
}

/* ---- inplace, inout --------------------------------------------------------------------------- */

/* The common part of inplace, inout and out: memory of the caller to which C will write. */
static FP_HELPER const fp_tensor *
fp_take_writable(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_tensor *t = fp_borrow(L, &p->where, slot, &x->loan);
    if (t == NULL) {
        fp_wanted_dtype(L, p, NULL, slot, "a tensor of ", ", which can be written to");
    }
    if (t->dtype != p->dtype) {
        fp_wanted_dtype(L, p, t, slot, "a tensor of exactly ", "");
    }
    if (t->ndim != p->ndim) {
        fp_wrong_rank(L, p, t);
    }
    if (t->flags & FP_READONLY) {
        fp_error(L, &p->where, "the tensor is read-only");
    }
    return t;
}

static FP_HELPER void
fp_array_inplace_slowly(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_tensor *t;
    fp_array_clear(x);
    t = fp_take_writable(L, x, slot, p);
    fp_check_filled(L, t, p);
    fp_use_or_pack(L, x, t, slot, p);
}

/* inplace: as in, of exactly this dtype, and fp_write_back after the call. `t` is the tensor at `slot`, or NULL. */
static inline void
fp_array_inplace(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    if (FP_UNLIKELY(!fp_use_if_ready(x, t, slot, p))) {
        fp_array_inplace_slowly(L, x, slot, p);
    }
}

static FP_HELPER void
fp_array_inout_slowly(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_tensor *t;
    fp_array_clear(x);
    t = fp_take_writable(L, x, slot, p);
    fp_check_filled(L, t, p);
    if (!(t->flags & FP_ALIGNED)) {
        fp_error(L, &p->where, "the tensor must be aligned");
    }
    if (!fp_use_in_place(L, x, t, slot, p)) {
        fp_error(L, &p->where, "the tensor must be %s-contiguous", fp_is_fortran(p) ? "F" : "C");
    }
    if (!fp_is_valid(t, p)) {
        fp_error(L, &p->where, "the tensor has bytes other than 0 and 1, and may not be copied");
    }
}

/* inout: in place, or refused. `t` is the tensor at `slot`, or NULL. */
static inline void
fp_array_inout(lua_State *L, fp_array *x, const fp_tensor *t, int slot, const fp_param *p)
{
    if (FP_UNLIKELY(!fp_use_if_ready(x, t, slot, p))) {
        fp_array_inout_slowly(L, x, slot, p);
    }
}

/* ---- out, in out, hidden ---------------------------------------------------------------------- */

static FP_NORETURN void
fp_bad_shape(lua_State *L, const fp_array *x, const fp_param *p)
{
    int axis;
    for (axis = 0; x->shape[axis] >= 0; axis++) {
    }
    if (x->shape[axis] == FP_NO_DIM) {
        fp_error(L, &p->where, "dimension %d overflowed, divided by zero or was read beyond an array",
                 axis + 1);
    }
    fp_error(L, &p->where, "dimension %d is negative (%lld)", axis + 1,
             (long long)x->shape[axis]);
}

static inline void
fp_check_shape(lua_State *L, const fp_array *x, const fp_param *p)
{
    int axis;
    for (axis = 0; axis < p->ndim; axis++) {
        if (FP_UNLIKELY(x->shape[axis] < 0)) {
            fp_bad_shape(L, x, p);
        }
    }
}

/* Computes strides, size and flags of a new tensor of this shape in one loop. */
static inline void
fp_lay_out(fp_tensor *t, const ptrdiff_t *shape, int fortran)
{
    ptrdiff_t stride = 1;
    int k, wide = 0;
    t->size = 1;
    for (k = 0; k < t->ndim; k++) {
        int axis = fortran ? k : t->ndim - 1 - k;
        t->shape[axis] = shape[axis];
        t->strides[axis] = stride;
        t->size *= shape[axis];
        stride *= shape[axis] == 0 ? 1 : shape[axis];
        wide += shape[axis] != 1;
    }
    t->flags = wide <= 1 || t->size == 0 ? FP_C_ORDER | FP_F_ORDER : fortran ? FP_F_ORDER : FP_C_ORDER;
}

/* Pushes a new tensor of shape x->shape, its elements not set. */
static FP_UNUSED void
fp_push_array(lua_State *L, fp_array *x, const fp_param *p)
{
    ptrdiff_t bytes = fp_bytes_of(L, x, p);
    fp_tensor *t = fp_push_bare(L, p->dtype, p->ndim, 0);
    t->storage = fp_storage_new((size_t)bytes, FP_ANYTHING);
    if (FP_UNLIKELY(t->storage == NULL)) {
        fp_no_memory(L, bytes);
    }
    fp_lay_out(t, x->shape, fp_is_fortran(p));
    x->held = 0;
    x->tensor = t;
    x->slot = 0;
    x->data = fp_data(t);
    fp_count_bytes(L, bytes);
}

/* The same, returning its position. */
static FP_UNUSED void
fp_array_new(lua_State *L, fp_array *x, const fp_param *p)
{
    fp_push_array(L, x, p);
    x->slot = lua_gettop(L);
}

static FP_HELPER void
fp_array_buffer(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_tensor *t = fp_take_writable(L, x, slot, p);
    int axis;
    for (axis = 0; axis < p->ndim; axis++) {
        if (t->shape[axis] != x->shape[axis]) {
            fp_error(L, &p->where, "dimension %d is %lld, but must be %lld", axis + 1,
                     (long long)t->shape[axis], (long long)x->shape[axis]);
        }
    }
    fp_array_clear(x);
    fp_fill_data(L, t);
    /* Its elements are not read, so they need not be valid. */
    if (!fp_use_in_place(L, x, t, slot, p)) {
        fp_use_packed(L, x, t, slot, p);
    }
}

/* out: of shape x->shape, the caller's output buffer if there is one (fp_write_back after the
 * call), else a new tensor. Slot 0: no output buffer. */
static inline void
fp_array_out(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    fp_check_shape(L, x, p);
    if (slot != 0 && FP_UNLIKELY(fp_is_present(L, slot))) {
        fp_array_buffer(L, x, slot, p);
    }
    else {
        fp_array_new(L, x, p);
    }
}

/* out: replaces the caller's output buffer by other memory if it overlaps another array of the
 * call, so that results do not depend on it. */
static FP_HELPER void
fp_keep_apart(lua_State *L, fp_array *x, const fp_param *p, const fp_array *const *others, int count)
{
    int k;
    for (k = 0; k < count && !(x->held & FP_PACKED); k++) {
        const fp_array *other = others[k];
        if (other->tensor != NULL && other->data != NULL && !(other->held & FP_PACKED)
            && fp_overlap(x->tensor, other->tensor)) {
            x->held = 0;
            fp_use_packed(L, x, x->tensor, x->slot, p);
        }
    }
}

/* The same for the only result of a call that pushes nothing after it: a new tensor is then on top
 * of the stack, where Lua expects results. */
static inline void
fp_array_result(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    fp_check_shape(L, x, p);
    if (slot != 0 && FP_UNLIKELY(fp_is_present(L, slot))) {
        fp_array_buffer(L, x, slot, p);
    }
    else {
        fp_push_array(L, x, p);
    }
}

/* Pushes a copy of a tensor in an order that C can use; C may modify it. */
static FP_HELPER void
fp_copy_tensor(lua_State *L, fp_array *x, const fp_tensor *from, const fp_param *p)
{
    memcpy(x->shape, from->shape, sizeof(*x->shape) * (size_t)p->ndim);
    fp_array_new(L, x, p);
    fp_pack(L, x, from, p);
}

/* in out: a copy that C may modify, in a tensor that can be returned. */
static FP_HELPER void
fp_array_copy(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_tensor *from;
    fp_array_clear(x);
    from = fp_resolve(L, x, slot, p);
    if (from == NULL) {
        fp_table table;
        fp_measure(L, x, slot, p, &table);
        fp_array_new(L, x, p);
        if (fp_is_fortran(p)) {
            fp_tensor *t = fp_push_tensor(L, p->dtype, p->ndim, x->shape, FP_ANYTHING);
            fp_store_list(L, slot, &table, fp_data(t));
            fp_pack(L, x, t, p);
        }
        else {
            fp_store_list(L, slot, &table, x->data);
        }
        return;
    }
    fp_copy_tensor(L, x, from, p);
}

/* hidden: zeroed memory of shape x->shape that only C sees. */
static FP_HELPER void
fp_array_scratch(lua_State *L, fp_array *x, const fp_param *p)
{
    fp_check_shape(L, x, p);
    fp_array_clear(x);
    fp_reserve(L, x, p);
    memset(x->data, 0, (size_t)(fp_size(x, p->ndim) * fp_element_bytes(p)));
}

/* Sets all elements of an allocated array, or of the caller's output buffer, to one element's
 * value. */
static FP_HELPER void
fp_fill(fp_array *x, const void *element, const fp_param *p)
{
    ptrdiff_t strides[FP_MAX_NDIM];
    if (x->held & FP_PACKED) {
        fp_tensor to = fp_packed(x, strides, p);
        fp_fill_with(&to, (char *)x->data, (const char *)element);
    }
    else {
        fp_fill_with(x->tensor, (char *)x->data, (const char *)element);
    }
}

/* ---- Shapes ----------------------------------------------------------------------------------- */

static FP_NORETURN void
fp_wrong_dim(lua_State *L, const fp_array *x, int axis, ptrdiff_t wanted, const char *expression,
             const fp_param *p)
{
    fp_message t;
    if (wanted == FP_NO_DIM) {
        fp_error(L, &p->where,
                 "dimension %d (%s) overflowed, divided by zero or was read beyond an array", axis + 1,
                 expression == NULL ? "a number" : expression);
    }
    fp_begin(&t, &p->where);
    fp_append(&t, "dimension %d of shape ", axis + 1);
    fp_append_shape(&t, p->ndim, x->shape);
    fp_append(&t, " is %lld, but ", (long long)x->shape[axis]);
    if (expression == NULL) {
        fp_append(&t, "must be %lld", (long long)wanted);
    }
    else {
        fp_append(&t, "%s is %lld", expression, (long long)wanted);
    }
    fp_raise(L, &t);
}

/* A dimension that the prototype gives as `expression` (NULL: a number) must have its value. */
static inline void
fp_check_dim(lua_State *L, const fp_array *x, int axis, ptrdiff_t wanted, const char *expression,
             const fp_param *p)
{
    if (FP_UNLIKELY(x->data != NULL && x->shape[axis] != wanted)) {
        fp_wrong_dim(L, x, axis, wanted, expression, p);
    }
}

/* Sets the integer variable `name` of the given type to dimension `axis` of a parameter's array. */
static inline void
fp_find_dim(lua_State *L, void *variable, int dtype, ptrdiff_t dim, int axis, const char *name,
            const fp_param *p)
{
    if (FP_UNLIKELY((uint64_t)dim > fp_integer_max(dtype))) {
        fp_error(L, &p->where, "dimension %d is %lld, which is out of range for %s (%s)", axis + 1,
                 (long long)dim, name, fp_dtype(dtype)->name);
    }
    fp_store_integer(variable, dtype, dim);
}

/* ---- Results ---------------------------------------------------------------------------------- */

/* Pushes the tensor itself, or the value that exports it; nil for NULL. */
static inline void
fp_return_array(lua_State *L, const fp_array *x)
{
    if (FP_LIKELY(x->slot != 0)) {
        lua_pushvalue(L, x->slot);
    }
    else {
        lua_pushnil(L);
    }
}

/* Of fp_array_result. */
static inline void
fp_return_result(lua_State *L, const fp_array *x)
{
    if (FP_UNLIKELY(x->slot != 0)) {
        lua_pushvalue(L, x->slot);
    }
}

/* Pushes a copy of the caller's array after the call; nil for NULL. */
static FP_HELPER void
fp_return_copy(lua_State *L, const fp_array *x, const fp_param *p)
{
    fp_array copy;
    if (x->tensor == NULL) {
        lua_pushnil(L);
        return;
    }
    fp_copy_tensor(L, &copy, x->tensor, p);
}

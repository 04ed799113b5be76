/* Bytes: strings and tensors of bytes in place, and bytes that C fills. */

static FP_NORETURN void
fp_wanted_bytes(lua_State *L, int slot, const fp_param *p)
{
    fp_wanted(L, &p->where,
              p->flags & FP_WRITE ? "a tensor of uint8 of rank 1, which can be written to"
                                  : "a string or a tensor of uint8 of rank 1",
              slot);
}

/* The bytes of a tensor, or of a value that exports one. */
static FP_HELPER void
fp_bytes_borrowed(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    const fp_tensor *t;
    fp_array_clear(x);
    t = fp_borrow(L, &p->where, slot, &x->loan);
    if (t == NULL || t->ndim != 1 || (t->dtype != FP_UINT8 && t->dtype != FP_INT8)) {
        fp_wanted_bytes(L, slot, p);
    }
    if ((p->flags & FP_WRITE) && (t->flags & FP_READONLY)) {
        fp_error(L, &p->where, "the tensor is read-only");
    }
    fp_check_filled(L, t, p);
    if (!(t->flags & FP_C_CONTIGUOUS)) {
        fp_error(L, &p->where, "the tensor must be contiguous");
    }
    fp_use(x, t, fp_fill_data(L, t), slot, p);
}

/* in: in place. */
static inline void
fp_bytes_in(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    size_t length;
    if (FP_UNLIKELY(lua_type(L, slot) != LUA_TSTRING)) {
        fp_bytes_borrowed(L, x, slot, p);
        return;
    }
    fp_array_clear(x);
    x->data = (void *)lua_tolstring(L, slot, &length);
    x->shape[0] = (ptrdiff_t)length;
    x->slot = slot;
}

/* in out: a copy that C changes. */
static FP_HELPER void
fp_bytes_copy(lua_State *L, fp_array *x, int slot, const fp_param *p)
{
    fp_array from;
    fp_bytes_in(L, &from, slot, p);
    x->shape[0] = from.shape[0];
    fp_array_clear(x);
    fp_reserve(L, x, p);
    memcpy(x->data, from.data, (size_t)from.shape[0]);
}

/* Pushes the bytes that C filled, with the length after the call; nil for NULL. */
static FP_HELPER void
fp_return_bytes(lua_State *L, const fp_array *x)
{
    if (x->data == NULL) {
        lua_pushnil(L);
        return;
    }
    lua_pushlstring(L, (const char *)x->data, (size_t)x->shape[0]);
}

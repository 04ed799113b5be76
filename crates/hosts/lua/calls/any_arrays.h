/* Arrays whose rank or dtype is known only at the call.
 *
 * The call has a copy of the parameter with the rank and the dtype of its tensor, from which on it is like any other.
 * Numbers in tables are doubles. */

/* A dtype of a table. */
typedef struct {
    int dtype;
} fp_dtype_entry;

#define FP_LAST_DTYPE {-1}
#define FP_DTYPE(p) ((p).dtype)
#define FP_ITEMSIZE(p) ((ptrdiff_t)fp_dtype((p).dtype)->size)

static FP_HELPER int
fp_has_dtype(const fp_dtype_entry *dtypes, int dtype)
{
    for (; dtypes->dtype >= 0; dtypes++) {
        if (dtypes->dtype == dtype) {
            return 1;
        }
    }
    return 0;
}

static FP_HELPER void
fp_append_dtypes(fp_message *t, const fp_dtype_entry *dtypes)
{
    int i;
    for (i = 0; dtypes[i].dtype >= 0; i++) {
        fp_append(t, "%s%s", i == 0 ? "" : dtypes[i + 1].dtype >= 0 ? ", " : " or ", fp_dtype(dtypes[i].dtype)->name);
    }
}

/* "...: wanted a tensor of float64, int32 or int8, got ..." */
static FP_NORETURN void
fp_wanted_dtypes(lua_State *L, const fp_tensor *t, int slot, const fp_dtype_entry *dtypes, const fp_param *p)
{
    fp_message text;
    fp_begin(&text, &p->where);
    fp_append(&text, "wanted a tensor of ");
    if (dtypes == NULL) {
        fp_append(&text, "%s", fp_dtype(p->dtype)->name);
    }
    else {
        fp_append_dtypes(&text, dtypes);
    }
    fp_append(&text, ", got ");
    if (t != NULL) {
        fp_append_tensor(&text, t);
    }
    else {
        fp_append_value(L, &text, slot);
    }
    fp_raise(L, &text);
}

/* Sets the parameter of the call to the rank and dtype of a value. */
static FP_HELPER void
fp_any_of(lua_State *L, fp_param *own, int slot, const fp_dtype_entry *dtypes, const fp_param *p)
{
    fp_loan loan;
    const fp_tensor *t = fp_borrow(L, &p->where, slot, &loan);
    *own = *p;
    if (t != NULL) {
        own->ndim = p->ndim == 0 ? t->ndim : p->ndim;
        if (dtypes != NULL && !fp_has_dtype(dtypes, t->dtype)) {
            fp_wanted_dtypes(L, t, slot, dtypes, p);
        }
        own->dtype = dtypes == NULL ? p->dtype : t->dtype;
    }
    else if (!(p->flags & FP_WRITE) && fp_is_list(L, slot)) {
        fp_table table;
        luaL_checkstack(L, FP_MAX_NDIM + 10, "nested tables");
        table.L = L;
        table.where = &p->where;
        table.dtype = -1;
        fp_measure_table(&table, slot);
        own->ndim = p->ndim == 0 ? table.ndim : p->ndim;
        if (dtypes != NULL && !fp_has_dtype(dtypes, table.dtype)) {
            fp_wanted_dtypes(L, NULL, slot, dtypes, p);
        }
        own->dtype = dtypes == NULL ? p->dtype : table.dtype;
    }
    else {
        fp_wanted_dtypes(L, NULL, slot, dtypes, p);
    }
}

/* Sets the parameter of the call to the dtype of a tensor that it allocates; -1: C has reported one that is not in the
 * table. */
static FP_HELPER void
fp_set_output(lua_State *L, fp_param *own, const fp_dtype_entry *dtypes, int dtype, const fp_param *p)
{
    *own = *p;
    if (dtypes != NULL && !fp_has_dtype(dtypes, dtype)) {
        fp_message text;
        fp_begin(&text, &p->where);
        fp_append(&text, "the dtype that C reports is not ");
        fp_append_dtypes(&text, dtypes);
        fp_raise(L, &text);
    }
    own->dtype = dtype;
}

/* A new tensor, or the caller's buffer, of a shape that is set, and of this dtype. */
static FP_UNUSED void
fp_any_shaped(lua_State *L, fp_array *x, int slot, fp_param *own, const fp_dtype_entry *dtypes, int dtype,
              const fp_param *p)
{
    fp_set_output(L, own, dtypes, dtype, p);
    fp_array_out(L, x, slot, own);
}

/* The same of the dimensions that are the elements of an array of integers, see FP_INTEGER. */
static FP_HELPER void
fp_any_out(lua_State *L, fp_array *x, int slot, fp_param *own, const fp_dtype_entry *dtypes, int dtype,
           const void *dims, ptrdiff_t count, int integer, const fp_param *p)
{
    int axis;
    fp_set_output(L, own, dtypes, dtype, p);
    if (count > FP_MAX_NDIM) {
        fp_error(L, &p->where, "a tensor has at most %d dimensions, not %lld", FP_MAX_NDIM, (long long)count);
    }
    own->ndim = (int)count;
    for (axis = 0; axis < own->ndim; axis++) {
        x->shape[axis] = fp_element(dims, count, integer, axis);
    }
    fp_array_out(L, x, slot, own);
}

/* Stores the dimensions of a tensor in an array of integers, `name`, of this dtype and size. */
static FP_HELPER void
fp_find_dims(lua_State *L, fp_array *dims, int dtype, size_t size, const fp_array *x, const char *name,
             const fp_param *p)
{
    int axis;
    if (dims->shape[0] != p->ndim) {
        fp_error(L, &p->where, "the tensor has %d dimensions, but %s has %lld elements", p->ndim, name,
                 (long long)dims->shape[0]);
    }
    for (axis = 0; axis < p->ndim; axis++) {
        fp_find_dim(L, (char *)dims->data + (size_t)axis * size, dtype, x->shape[axis], axis, name, p);
    }
}

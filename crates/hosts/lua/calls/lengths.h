/* Variable-length outputs: how much of an allocated array C has filled. */

static FP_NORETURN void
fp_bad_length(lua_State *L, const fp_array *x, ptrdiff_t length, const char *expression, const fp_param *p)
{
    if (length == FP_NO_DIM) {
        fp_error(L, &p->where, "computed length `%s` overflowed, divided by zero or was read beyond an array",
                 expression);
    }
    fp_error(L, &p->where, "computed length `%s` is %lld, but the capacity is %lld", expression,
             (long long)length, (long long)x->shape[0]);
}

/* Truncates to the first rows, at most to the existing ones, whatever C returns. */
static inline void
fp_truncate(lua_State *L, fp_array *x, ptrdiff_t length, const char *expression, const fp_param *p)
{
    if (FP_UNLIKELY(length < 0 || length > x->shape[0])) {
        fp_bad_length(L, x, length, expression, p);
    }
    x->shape[0] = length;
}

/* Pushes the first rows of a tensor: itself if these are all, else a view. */
static FP_HELPER void
fp_return_rows(lua_State *L, const fp_array *x)
{
    const fp_tensor *whole = x->tensor;
    fp_tensor *t;
    if (whole->shape[0] == x->shape[0]) {
        fp_return_array(L, x);
        return;
    }
    if (fp_to_tensor(L, x->slot) != NULL) {
        t = fp_push_view(L, x->slot, whole->ndim);
        memcpy(t->shape, whole->shape, sizeof(*t->shape) * (size_t)whole->ndim);
        memcpy(t->strides, whole->strides, sizeof(*t->strides) * (size_t)whole->ndim);
    }
    else {
        t = fp_push_loan(L, x->slot, &x->loan);
    }
    t->shape[0] = x->shape[0];
    fp_update_layout(t);
}

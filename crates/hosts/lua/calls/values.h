/* Rules for the values of arrays: offsets, and indices of a dimension. */

static FP_COLD void
fp_begin_bad_value(const fp_array *x, ptrdiff_t at, ptrdiff_t value, fp_message *t, const fp_param *p)
{
    ptrdiff_t place[FP_MAX_NDIM];
    int axis, k;
    fp_begin(t, &p->where);
    fp_append(t, "element ");
    for (k = 0; k < p->ndim; k++) {
        axis = fp_is_fortran(p) ? k : p->ndim - 1 - k;
        place[axis] = at % x->shape[axis] + 1;
        at /= x->shape[axis];
    }
    if (p->ndim == 1) {
        fp_append(t, "%lld", (long long)place[0]);
    }
    else {
        fp_append_shape(t, p->ndim, place);
    }
    if (value == FP_NO_DIM) {
        fp_append(t, " is larger than any size");
    }
    else {
        fp_append(t, " is %lld", (long long)value);
    }
}

/* The values of a vector begin with `base`, and none is less than the one before it. */
static FP_HELPER void
fp_check_offsets(lua_State *L, const fp_array *x, int type, ptrdiff_t base, const fp_param *p)
{
    ptrdiff_t count = x->shape[0], at;
    fp_message t;
    if (x->data == NULL) {
        return;
    }
    if (count == 0) {
        fp_error(L, &p->where, "an array of offsets has one element at least");
    }
    if (fp_element(x->data, count, type, 0) != base) {
        fp_begin_bad_value(x, 0, fp_element(x->data, count, type, 0), &t, p);
        fp_append(&t, ", but offsets begin with %lld", (long long)base);
        fp_raise(L, &t);
    }
    at = fp_first_decrease(x->data, count, type);
    if (at < count) {
        fp_begin_bad_value(x, at, fp_element(x->data, count, type, at), &t, p);
        fp_append(&t, ", less than the one before it, %lld",
                  (long long)fp_element(x->data, count, type, at - 1));
        fp_raise(L, &t);
    }
}

/* The values are positions in a dimension of this size, from `base` on, as C counts. `expression` is the size in the
 * prototype. */
static FP_HELPER void
fp_check_index(lua_State *L, const fp_array *x, int type, ptrdiff_t size, ptrdiff_t base, const char *expression,
               const fp_param *p)
{
    ptrdiff_t last = fp_sub(fp_add(base, size), 1), count, at;
    fp_message t;
    if (x->data == NULL) {
        return;
    }
    if (last == FP_NO_DIM) {
        fp_error(L, &p->where, "the size of its dimension (%s) overflowed, divided by zero or was read beyond an array", expression);
    }
    count = fp_size(x, p->ndim);
    at = count == 0 ? 0 : fp_first_outside(x->data, count, type, base, last);
    if (at == count) {
        return;
    }
    fp_begin_bad_value(x, at, fp_element(x->data, count, type, at), &t, p);
    if (last < base) {
        fp_append(&t, ", but there is nothing to index");
    }
    else {
        fp_append(&t, ", but an index is from %lld to %lld", (long long)base, (long long)last);
    }
    fp_append(&t, ": %s is %lld", expression, (long long)size);
    fp_raise(L, &t);
}

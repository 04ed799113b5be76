/* Rules for the values of arrays: offsets, and indices of a dimension. */

static FP_COLD void
fp_begin_bad_value(const fp_array *x, npy_intp at, npy_intp value, fp_message *t, const fp_param *p)
{
    npy_intp place[FP_MAX_DIMENSIONS];
    int axis, k;
    fp_begin(t, p);
    fp_append_string(t, "element ");
    if (p->ndim == 1) {
        fp_append_integer(t, at);
    }
    else {
        for (k = 0; k < p->ndim; k++) {
            axis = fp_is_fortran(p) ? k : p->ndim - 1 - k;
            place[axis] = at % x->shape[axis];
            at /= x->shape[axis];
        }
        fp_append_shape(t, p->ndim, place);
    }
    fp_append_string(t, " is ");
    if (value == FP_NO_DIM) {
        fp_append_string(t, "larger than any size");
    }
    else {
        fp_append_integer(t, value);
    }
}

/* The values of a vector begin with `base`, and none is less than the one before it. */
static FP_HELPER int
fp_check_offsets(const fp_array *x, int type, npy_intp base, const fp_param *p)
{
    npy_intp count = x->shape[0], at;
    fp_message t;
    if (x->data == NULL) {
        return 1;
    }
    if (count == 0) {
        return fp_error(PyExc_ValueError, p, "an array of offsets has one element at least");
    }
    if (fp_element(x->data, count, type, 0) != base) {
        fp_begin_bad_value(x, 0, fp_element(x->data, count, type, 0), &t, p);
        fp_append_string(&t, ", but offsets begin with ");
        fp_append_integer(&t, base);
        return fp_raise(PyExc_ValueError, &t);
    }
    at = fp_first_decrease(x->data, count, type);
    if (at == count) {
        return 1;
    }
    fp_begin_bad_value(x, at, fp_element(x->data, count, type, at), &t, p);
    fp_append_string(&t, ", less than the one before it, ");
    fp_append_integer(&t, fp_element(x->data, count, type, at - 1));
    return fp_raise(PyExc_ValueError, &t);
}

/* The values are positions in a dimension of this size, from `base` on. `expression` is the size in the prototype. */
static FP_HELPER int
fp_check_index(const fp_array *x, int type, npy_intp size, npy_intp base, const char *expression, const fp_param *p)
{
    npy_intp last = fp_sub(fp_add(base, size), 1), count, at;
    fp_message t;
    if (x->data == NULL) {
        return 1;
    }
    if (last == FP_NO_DIM) {
        return fp_error(PyExc_ValueError, p, "the size of its dimension (%s) overflowed, divided by zero or was read beyond an array", expression);
    }
    count = fp_size(x, p->ndim);
    at = count == 0 ? 0 : fp_first_outside(x->data, count, type, base, last);
    if (at == count) {
        return 1;
    }
    fp_begin_bad_value(x, at, fp_element(x->data, count, type, at), &t, p);
    fp_append_string(&t, last < base ? ", but there is nothing to index: " : ", but an index is from ");
    if (last >= base) {
        fp_append_integer(&t, base);
        fp_append_string(&t, " to ");
        fp_append_integer(&t, last);
        fp_append_string(&t, ": ");
    }
    fp_append_string(&t, expression);
    fp_append_string(&t, " is ");
    fp_append_integer(&t, size);
    return fp_raise(PyExc_ValueError, &t);
}

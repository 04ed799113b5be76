/* Views: other shapes and strides on the same storage. */
#include "library.h"

/* Pushes a view of the tensor at `index` with its own dimensions. */
static fp_tensor *
push_same(lua_State *L, int index)
{
    const fp_tensor *from = fp_to_tensor(L, index);
    fp_tensor *t = fp_push_view(L, index, from->ndim);
    memcpy(t->shape, from->shape, sizeof(*t->shape) * from->ndim);
    memcpy(t->strides, from->strides, sizeof(*t->strides) * from->ndim);
    return t;
}

void
fpl_push_selected(lua_State *L, int index, int axis, ptrdiff_t k)
{
    const fp_tensor *from = fp_to_tensor(L, index);
    fp_tensor *t = fp_push_view(L, index, from->ndim - 1);
    int to = 0, dim;
    for (dim = 0; dim < from->ndim; dim++) {
        if (dim != axis) {
            t->shape[to] = from->shape[dim];
            t->strides[to++] = from->strides[dim];
        }
    }
    t->offset += from->size == 0 ? 0 : k * from->strides[axis] * fp_dtype(t->dtype)->size;
    fp_update_layout(t);
}

/* An end of a slice: a position, or one before the first or after the last, if it is empty. */
static ptrdiff_t
slice_end(lua_State *L, const fp_where *where, int index, ptrdiff_t count, ptrdiff_t otherwise)
{
    ptrdiff_t value;
    if (lua_isnoneornil(L, index)) {
        return otherwise;
    }
    if (fp_get_index(L, index, &value) && (value == 0 || value == count + 1)) {
        return value - 1;
    }
    return fpl_place(L, where, index, count);
}

void
fpl_slice(lua_State *L, const fp_where *where, int at, fp_tensor *t, int axis)
{
    fp_where part = *where;
    ptrdiff_t count = t->shape[axis], step = 1, first, last, size;
    part.position += part.position > 0 ? 2 : 0;
    part.name = "step";
    if (!lua_isnoneornil(L, at + 2)
        && (!fp_get_index(L, at + 2, &step) || step == 0 || step == PTRDIFF_MIN)) {
        fp_wanted(L, &part, "an integer other than 0", at + 2);
    }
    part.position -= part.position > 0 ? 2 : 0;
    part.name = "first";
    first = slice_end(L, &part, at, count, step > 0 ? 0 : count - 1);
    part.position += part.position > 0 ? 1 : 0;
    part.name = "last";
    last = slice_end(L, &part, at + 1, count, step > 0 ? count - 1 : 0);
    size = step > 0 ? (last - first) / step + 1 : (first - last) / -step + 1;
    if (step > 0 ? last < first : first < last) {
        if (step > 0 ? last < first - 1 : first < last - 1) {
            fp_error(L, &part, "wanted a slice whose end is not before its start, got one from "
                               "%lld to %lld", (long long)first + 1, (long long)last + 1);
        }
        size = 0;
    }
    else if (first < 0 || last < 0 || first >= count || last >= count) {
        fp_error(L, &part, "wanted a slice from 1 to %lld, got one from %lld to %lld",
                 (long long)count, (long long)first + 1, (long long)last + 1);
    }
    t->shape[axis] = size;
    if (size > 0) {
        t->offset += first * t->strides[axis] * fp_dtype(t->dtype)->size;
    }
    /* With one element or none, no step is made, and one that is too large must not be stored. */
    t->strides[axis] *= size > 1 ? step : 1;
}

static int
view_select(lua_State *L)
{
    static const fp_where dim = {"tensor:select", 1, "dimension"};
    static const fp_where place = {"tensor:select", 2, "index"};
    fp_tensor *t = fpl_self(L, "tensor:select");
    int axis = fpl_dimension(L, &dim, 2, t);
    fpl_push_selected(L, 1, axis, fpl_place(L, &place, 3, t->shape[axis]));
    return 1;
}

static int
view_slice(lua_State *L)
{
    static const fp_where dim = {"tensor:slice", 1, "dimension"};
    static const fp_where first = {"tensor:slice", 2, "first"};
    fp_tensor *t = fpl_self(L, "tensor:slice");
    int axis = fpl_dimension(L, &dim, 2, t);
    lua_settop(L, 5);
    t = push_same(L, 1);
    fpl_slice(L, &first, 3, t, axis);
    fp_update_layout(t);
    return 1;
}

/* Reverses all dimensions, or exchanges two. */
static int
view_transpose(lua_State *L)
{
    static const fp_where first = {"tensor:transpose", 1, "dimension"};
    static const fp_where second = {"tensor:transpose", 2, "dimension"};
    const fp_tensor *from = fpl_self(L, "tensor:transpose");
    fp_tensor *t;
    int axis, a, b;
    if (lua_gettop(L) == 1) {
        t = push_same(L, 1);
        for (axis = 0; axis < t->ndim; axis++) {
            t->shape[axis] = from->shape[t->ndim - 1 - axis];
            t->strides[axis] = from->strides[t->ndim - 1 - axis];
        }
    }
    else {
        a = fpl_dimension(L, &first, 2, from);
        b = fpl_dimension(L, &second, 3, from);
        t = push_same(L, 1);
        t->shape[a] = from->shape[b];
        t->strides[a] = from->strides[b];
        t->shape[b] = from->shape[a];
        t->strides[b] = from->strides[a];
    }
    fp_update_layout(t);
    return 1;
}

static int
view_permute(lua_State *L)
{
    static const fp_where where = {"tensor:permute", 1, "dimensions"};
    const fp_tensor *from = fpl_self(L, "tensor:permute");
    uint32_t seen = 0;
    int to, axis, places = lua_istable(L, 2) ? (int)fp_rawlen(L, 2) : -1;
    fp_tensor *t;
    if (places != from->ndim) {
        fp_error(L, &where, "wanted a table of all %d dimensions in their new order, got %s", from->ndim,
                 places < 0 ? luaL_typename(L, 2) : "one of another length");
    }
    lua_settop(L, 2);
    t = push_same(L, 1);
    for (to = 0; to < from->ndim; to++) {
        lua_rawgeti(L, 2, to + 1);
        axis = fpl_dimension(L, &where, -1, from);
        lua_pop(L, 1);
        if (seen & (uint32_t)1 << axis) {
            fp_error(L, &where, "wanted each dimension once, got %d twice", axis + 1);
        }
        seen |= (uint32_t)1 << axis;
        t->shape[to] = from->shape[axis];
        t->strides[to] = from->strides[axis];
    }
    fp_update_layout(t);
    return 1;
}

/* ---- Reshaping -------------------------------------------------------------------------------- */

/* A shape for all elements of `t`, where one size may be -1: the remaining factor. */
static int
new_shape(lua_State *L, const fp_where *where, int index, const fp_tensor *t, ptrdiff_t *shape)
{
    ptrdiff_t size = 1;
    int ndim = fp_get_index(L, index, shape) ? 1 : fp_get_integers(L, index, -1, shape);
    int axis, left = -1, wrong = 0;
    if (ndim < 0) {
        fp_wanted(L, where, "a table of integers or one integer", index);
    }
    for (axis = 0; axis < ndim; axis++) {
        if (shape[axis] == -1 && left < 0) {
            left = axis;
        }
        else {
            wrong |= shape[axis] < 0 || __builtin_mul_overflow(size, shape[axis], &size);
        }
    }
    if (!wrong && left >= 0) {
        wrong = size == 0 || t->size % size != 0;
        shape[left] = wrong ? -1 : t->size / size;
        size *= shape[left];
    }
    if (wrong || size != t->size || fp_bytes(t->dtype, ndim, shape) < 0) {
        fp_message text;
        fp_begin(&text, where);
        fp_append(&text, "wanted a shape of %lld elements, as ", (long long)t->size);
        fp_append_shape(&text, t->ndim, t->shape);
        fp_append(&text, " has, got ");
        fp_append_shape(&text, ndim, shape);
        fp_raise(L, &text);
    }
    return ndim;
}

/* Strides that put the elements of `t`, in C order, into another shape in place; 0: impossible.
 * Dimensions of both are taken in groups of equal size, and within a group of old dimensions each
 * stride must continue the next one. */
static int
strides_for(const fp_tensor *t, int ndim, const ptrdiff_t *shape, ptrdiff_t *strides)
{
    ptrdiff_t old_shape[FP_MAX_NDIM], old_strides[FP_MAX_NDIM], old_size, new_size, stride;
    int count = 0, axis, from = 0, to = 0, from_end, to_end;
    if (t->size == 0) {
        fp_c_strides(ndim, shape, strides);
        return 1;
    }
    for (axis = 0; axis < t->ndim; axis++) {
        if (t->shape[axis] != 1) {
            old_shape[count] = t->shape[axis];
            old_strides[count++] = t->strides[axis];
        }
    }
    while (from < count) {
        from_end = from + 1;
        to_end = to;
        old_size = old_shape[from];
        new_size = 1;
        while (to_end < ndim && new_size < old_size) {
            new_size *= shape[to_end++];
            while (new_size > old_size && from_end < count) {
                old_size *= old_shape[from_end++];
            }
        }
        for (axis = from; axis + 1 < from_end; axis++) {
            if (old_strides[axis] != old_strides[axis + 1] * old_shape[axis + 1]) {
                return 0;
            }
        }
        stride = old_strides[from_end - 1];
        for (axis = to_end - 1; axis >= to; axis--) {
            strides[axis] = stride;
            stride *= shape[axis];
        }
        from = from_end;
        to = to_end;
    }
    for (; to < ndim; to++) {
        strides[to] = 1; /* sizes of 1 */
    }
    return 1;
}

/* Pushes the tensor at 1 in another shape; `may_copy` if no strides can describe it. */
static int
push_reshaped(lua_State *L, const char *method, int may_copy)
{
    fp_where where = {method, 1, "shape"};
    const fp_tensor *from = fpl_self(L, method);
    ptrdiff_t shape[FP_MAX_NDIM], strides[FP_MAX_NDIM];
    int ndim = new_shape(L, &where, 2, from, shape), base = 1;
    fp_tensor *t;
    lua_settop(L, 2);
    if (!strides_for(from, ndim, shape, strides)) {
        if (!may_copy) {
            fp_error(L, &where, "wanted a shape that these strides allow; reshape makes a copy then");
        }
        fp_push_copy(L, &where, from, from->dtype);
        fp_c_strides(ndim, shape, strides);
        base = 3;
    }
    t = fp_push_view(L, base, ndim);
    memcpy(t->shape, shape, sizeof(*shape) * (size_t)ndim);
    memcpy(t->strides, strides, sizeof(*strides) * (size_t)ndim);
    fp_update_layout(t);
    return 1;
}

static int
view_view(lua_State *L)
{
    return push_reshaped(L, "tensor:view", 0);
}

static int
view_reshape(lua_State *L)
{
    return push_reshaped(L, "tensor:reshape", 1);
}

/* The tensor itself if it is C-contiguous, else a contiguous copy. */
static int
view_contiguous(lua_State *L)
{
    static const fp_where where = {"tensor:contiguous", 0, "self"};
    const fp_tensor *t = fpl_self(L, "tensor:contiguous");
    if (t->flags & FP_C_CONTIGUOUS) {
        lua_settop(L, 1);
    }
    else {
        fp_push_copy(L, &where, t, t->dtype);
    }
    return 1;
}

const luaL_Reg fpl_view_methods[] = {
    {"contiguous", view_contiguous}, {"permute", view_permute},     {"reshape", view_reshape},
    {"select", view_select},         {"slice", view_slice},         {"t", view_transpose},
    {"transpose", view_transpose},   {"view", view_view},           {NULL, NULL}};

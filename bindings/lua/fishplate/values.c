/* Values: filling, copying, comparing, tables. */
#include "library.h"

/* Copies an array of the same shape, by value if the dtype is another. A cast that may fail writes to a copy
 * first, so that a call that is refused has changed nothing. */
static void
assign_array(lua_State *L, const fp_where *where, const fp_tensor *to, const fp_tensor *from)
{
    fp_conversion c;
    char *data;
    if (!fp_same_shape(to, from)) {
        fp_message t;
        fp_begin(&t, where);
        fp_append(&t, "wanted shape ");
        fp_append_shape(&t, to->ndim, to->shape);
        fp_append(&t, ", got ");
        fp_append_tensor(&t, from);
        fp_raise(L, &t);
    }
    fpl_readable(L, where, from);
    data = fpl_writable(L, where, to);
    if ((to->dtype != from->dtype && !fp_is_safe_cast(to->dtype, from->dtype)) || fp_overlap(to, from)) {
        from = fp_push_copy(L, where, from, to->dtype);
    }
    fp_copy_values(to, data, from, fp_data(from), &c);
}

void
fpl_assign(lua_State *L, const fp_where *where, const fp_tensor *to, int index)
{
    char element[16];
    fp_loan loan;
    const fp_tensor *from;
    index = fp_absolute(L, index);
    if (fpl_is_element(L, index)) {
        fp_want_element(L, where, index, to->dtype, element);
        fp_fill_with(to, fpl_writable(L, where, to), element);
        return;
    }
    from = fp_borrow(L, where, index, &loan);
    if (from == NULL) {
        if (!lua_istable(L, index)) {
            fp_wanted(L, where, "a number, a boolean, a table, a tensor or a buffer", index);
        }
        from = fp_push_from_table(L, where, index, to->dtype);
    }
    assign_array(L, where, to, from);
}

static int
value_fill(lua_State *L)
{
    static const fp_where where = {"tensor:fill", 1, "value"};
    const fp_tensor *t = fpl_self(L, "tensor:fill");
    char element[16];
    fp_want_element(L, &where, 2, t->dtype, element);
    fp_fill_with(t, fpl_writable(L, &where, t), element);
    lua_settop(L, 1);
    return 1;
}

static int
value_assign(lua_State *L)
{
    static const fp_where where = {"tensor:assign", 1, "source"};
    const fp_tensor *t = fpl_self(L, "tensor:assign");
    lua_settop(L, 2);
    fpl_assign(L, &where, t, 2);
    lua_settop(L, 1);
    return 1;
}

static int
value_copy(lua_State *L)
{
    static const fp_where self = {"tensor:copy", 0, "self"}, where = {"tensor:copy", 1, "dtype"};
    const fp_tensor *t = fpl_self(L, "tensor:copy");
    fp_push_copy(L, &self, t, fpl_dtype(L, &where, 2, t->dtype));
    return 1;
}

static int
value_totable(lua_State *L)
{
    static const fp_where where = {"tensor:totable", 0, "self"};
    const fp_tensor *t = fpl_self(L, "tensor:totable");
    fp_push_table(L, t, fpl_readable(L, &where, t), 0);
    return 1;
}

/* ---- Equality --------------------------------------------------------------------------------- */

static int
differs(void *context, char *a, ptrdiff_t a_step, const char *b, ptrdiff_t b_step, ptrdiff_t count)
{
    const fp_tensor *t = (const fp_tensor *)context;
    const fp_dtype_row *row = fp_dtype(t->dtype);
    fp_number x, y;
    ptrdiff_t k;
    for (k = 0; k < count; k++, a += a_step, b += b_step) {
        if (row->kind == 'i' || row->kind == 'u') {
            if (memcmp(a, b, row->size) != 0) {
                return 1;
            }
            continue;
        }
        /* By value: -0 is 0, and NaN is not even itself. */
        fp_load_element(t->dtype, a, &x);
        fp_load_element(t->dtype, b, &y);
        if (x.i != y.i || !(x.re == y.re && x.im == y.im)) {
            return 1;
        }
    }
    return 0;
}

/* Whether two tensors have the same dtype, shape and elements. */
int
fpl_equal(lua_State *L)
{
    static const fp_where where = {"tensor == tensor", 0, "operand"};
    const fp_tensor *a = fp_to_tensor(L, 1), *b = fp_to_tensor(L, 2);
    int same = a != NULL && b != NULL && a->dtype == b->dtype && fp_same_shape(a, b);
    if (same) {
        char *data = (char *)fpl_readable(L, &where, a); /* fp_walk passes it on without writing */
        same = !fp_walk(a, data, b, fpl_readable(L, &where, b), differs, (void *)a);
    }
    lua_pushboolean(L, same);
    return 1;
}

const luaL_Reg fpl_value_methods[] = {{"assign", value_assign},
                                      {"copy", value_copy},
                                      {"equal", fpl_equal},
                                      {"fill", value_fill},
                                      {"totable", value_totable},
                                      {NULL, NULL}};

/* New tensors: from tables, filled with one value, from ranges. */
#include "library.h"

/* Reads shape (argument 1) and pushes a tensor of it. */
static fp_tensor *
push_shaped(lua_State *L, const char *function, int dtype, fp_contents contents)
{
    fp_where where = {function, 1, "shape"};
    ptrdiff_t shape[FP_MAX_NDIM];
    int ndim = fpl_shape(L, &where, 1, shape);
    if (fp_bytes(dtype, ndim, shape) < 0) {
        fp_message t;
        fp_begin(&t, &where);
        fp_append(&t, "wanted a shape that fits in memory, got ");
        fp_append_shape(&t, ndim, shape);
        fp_raise(L, &t);
    }
    return fp_push_tensor(L, dtype, ndim, shape, contents);
}

static int
dtype_argument(lua_State *L, const char *function, int position, int otherwise)
{
    fp_where where = {function, position, "dtype"};
    return fpl_dtype(L, &where, position, otherwise);
}

static int
create_empty(lua_State *L)
{
    int dtype = dtype_argument(L, "fishplate.empty", 2, FP_FLOAT64);
    push_shaped(L, "fishplate.empty", dtype, FP_UNFILLED);
    return 1;
}

static int
create_zeros(lua_State *L)
{
    int dtype = dtype_argument(L, "fishplate.zeros", 2, FP_FLOAT64);
    push_shaped(L, "fishplate.zeros", dtype, FP_ZEROS);
    return 1;
}

static int
create_ones(lua_State *L)
{
    fp_number one = {FP_SIGNED, 0, 1, 1, 0, 0};
    int dtype = dtype_argument(L, "fishplate.ones", 2, FP_FLOAT64);
    fp_tensor *t = push_shaped(L, "fishplate.ones", dtype, FP_ANYTHING);
    char element[16];
    fp_store_element(dtype, element, &one);
    fp_fill_with(t, fp_data(t), element);
    return 1;
}

/* The dtype of a value by itself. */
static int
dtype_of_value(lua_State *L, int index)
{
    return lua_isboolean(L, index) ? FP_BOOL : lua_istable(L, index) ? FP_COMPLEX128 : FP_FLOAT64;
}

static int
create_full(lua_State *L)
{
    static const fp_where where = {"fishplate.full", 2, "value"};
    int dtype = dtype_argument(L, "fishplate.full", 3, dtype_of_value(L, 2));
    char element[16];
    fp_tensor *t;
    fp_want_element(L, &where, 2, dtype, element);
    t = push_shaped(L, "fishplate.full", dtype, FP_ANYTHING);
    fp_fill_with(t, fp_data(t), element);
    return 1;
}

static int
create_tensor(lua_State *L)
{
    static const fp_where where = {"fishplate.tensor", 1, "value"};
    int dtype = dtype_argument(L, "fishplate.tensor", 2, -1);
    const fp_tensor *from;
    fp_loan loan;
    lua_settop(L, 2);
    from = fp_borrow(L, &where, 1, &loan);
    if (from != NULL) {
        fp_push_copy(L, &where, from, dtype < 0 ? from->dtype : dtype);
    }
    else if (fpl_is_element(L, 1) || lua_istable(L, 1)) {
        fp_push_from_table(L, &where, 1, dtype);
    }
    else {
        fp_wanted(L, &where, "a table, a number, a boolean, a tensor or a buffer", 1);
    }
    return 1;
}

/* ---- Ranges ----------------------------------------------------------------------------------- */

/* The number of steps of an integer range; all are in 64 bits, so they are counted
 * without a sign. */
static uint64_t
integer_steps(uint64_t first, uint64_t last, int is_down, uint64_t size)
{
    return (is_down ? first - last : last - first) / size;
}

/* One end or the step of a range: an element of its dtype. Of floats, the script's number before it
 * was rounded to one, so that rounding does not add up. */
static void
range_argument(lua_State *L, int position, const char *name, int dtype, fp_number *n)
{
    fp_where where = {"fishplate.range", position, name};
    char element[16];
    fp_want_element(L, &where, position, dtype, element);
    if (fp_dtype(dtype)->kind != 'f') {
        fp_load_element(dtype, element, n);
        return;
    }
    fp_get_number(L, position, n);
    n->re = fp_as_double(n);
    if (isnan(n->re) || isinf(n->re)) {
        fp_wanted(L, &where, "a finite number", position);
    }
}

static void
push_range(lua_State *L, int dtype, double count)
{
    fp_where where = {"fishplate.range", 2, "last"};
    ptrdiff_t shape[1] = {count < 0x1p62 ? (ptrdiff_t)count : PTRDIFF_MAX};
    if (fp_bytes(dtype, 1, shape) < 0) {
        fp_error(L, &where, "wanted a range that fits in memory, got one of %.0f elements", count);
    }
    fp_push_tensor(L, dtype, 1, shape, FP_ANYTHING);
}

static void
float_range(lua_State *L, int dtype, double first, double last, double step)
{
    double count = floor((last - first) / step) + 1;
    fp_number n = {FP_REAL, 0, 0, 0, 0, 0};
    fp_tensor *t;
    ptrdiff_t k;
    push_range(L, dtype, count > 0 ? count : 0);
    t = fp_to_tensor(L, -1);
    for (k = 0; k < t->size; k++) {
        n.re = first + (double)k * step;
        fp_store_element(dtype, fp_data(t) + k * fp_dtype(dtype)->size, &n);
    }
}

/* An end of an integer range, wrapped to 64 bits. */
static uint64_t
wrapped(const fp_number *n)
{
    return n->kind == FP_UNSIGNED ? n->u : (uint64_t)n->i;
}

static int
is_less(const fp_number *a, const fp_number *b)
{
    return a->kind == b->kind ? (a->kind == FP_UNSIGNED ? a->u < b->u : a->i < b->i)
                              : b->kind == FP_UNSIGNED;
}

static void
integer_range(lua_State *L, int dtype, const fp_number *first, const fp_number *last,
              const fp_number *step)
{
    int is_down = step->kind == FP_SIGNED && step->i < 0;
    uint64_t size = is_down ? 0 - (uint64_t)step->i : wrapped(step), value = wrapped(first);
    int is_empty = is_down ? is_less(first, last) : is_less(last, first);
    uint64_t steps = integer_steps(value, wrapped(last), is_down, size);
    fp_tensor *t;
    fp_number n = {FP_SIGNED, 0, 0, 0, 0, 0};
    ptrdiff_t k;
    push_range(L, dtype, is_empty ? 0 : (double)steps + 1);
    t = fp_to_tensor(L, -1);
    for (k = 0; k < t->size; k++, value = is_down ? value - size : value + size) {
        if (dtype == FP_UINT64) {
            fp_set_unsigned(&n, value);
        }
        else {
            n.i = (int64_t)value;
        }
        fp_store_element(dtype, fp_data(t) + k * fp_dtype(dtype)->size, &n);
    }
}

static int
create_range(lua_State *L)
{
    static const fp_where where_step = {"fishplate.range", 3, "step"};
    static const fp_where where_dtype = {"fishplate.range", 4, "dtype"};
    fp_number first, last, step = {FP_SIGNED, 0, 1, 1, 1, 0};
    int dtype = dtype_argument(L, "fishplate.range", 4, FP_FLOAT64), step_dtype = dtype;
    char kind = fp_dtype(dtype)->kind;
    if (kind == 'b' || kind == 'c') {
        fp_error(L, &where_dtype, "wanted a dtype of integers or real numbers, got %s",
                 fp_dtype(dtype)->name);
    }
    range_argument(L, 1, "first", dtype, &first);
    range_argument(L, 2, "last", dtype, &last);
    if (kind == 'u') {
        step_dtype = FP_INT64; /* it may count downwards */
    }
    if (!lua_isnoneornil(L, 3)) {
        range_argument(L, 3, "step", step_dtype, &step);
    }
    if (kind == 'f' ? step.re == 0 : wrapped(&step) == 0) {
        fp_error(L, &where_step, "wanted a number other than 0, got 0");
    }
    if (kind == 'f') {
        float_range(L, dtype, first.re, last.re, step.re);
    }
    else {
        integer_range(L, dtype, &first, &last, &step);
    }
    return 1;
}

const luaL_Reg fpl_create_functions[] = {
    {"empty", create_empty}, {"full", create_full},     {"ones", create_ones},
    {"range", create_range}, {"tensor", create_tensor}, {"zeros", create_zeros},
    {NULL, NULL}};

/* Jagged arrays: pointers to arrays of different lengths, the rows, which are the items of a sequence.
 *
 * An fp_array as those of pointers.h. The pointers follow the rows, of which each is an fp_array of its own; the
 * shape counts those that have something to release. */

static inline fp_array *
fp_jagged_row(const fp_array *x, Py_ssize_t k)
{
    return (fp_array *)x->memory + k;
}

/* The parameter of a row, for messages: "rows[3]". */
typedef struct {
    fp_struct_param of;
    char name[64];
} fp_row_param;

static FP_HELPER const fp_param *
fp_name_row(fp_row_param *row, Py_ssize_t k, const fp_param *p)
{
    row->of.param = *p;
    row->of.of = p->type == FP_TYPE_STRUCT ? fp_struct_of(p) : NULL;
    PyOS_snprintf(row->name, sizeof(row->name), "%.40s[%lld]", p->name, (long long)k);
    row->of.param.name = row->name;
    return &row->of.param;
}

/* Takes one row; 0 with an exception. */
typedef int (*fp_take_row)(fp_array *row, PyObject *o, Py_ssize_t k, const fp_param *p);

/* The name of a row is written only if something may have to be reported. */
#define FP_TAKE_ROW(FAMILY, HOW, IS_READY)                                                      \
    static FP_UNUSED int fp_##FAMILY##_##HOW##_row(fp_array *row, PyObject *o, Py_ssize_t k, const fp_param *p) \
    {                                                                                           \
        fp_row_param named;                                                                     \
        return (IS_READY) || fp_##FAMILY##_##HOW(row, o, fp_name_row(&named, k, p));            \
    }
FP_TAKE_ROW(array, in, fp_use_if_ready(row, o, p))
FP_TAKE_ROW(array, inplace, fp_use_if_ready(row, o, p))
FP_TAKE_ROW(array, inout, fp_use_if_ready(row, o, p))
FP_TAKE_ROW(structs, in, 0)
FP_TAKE_ROW(structs, inplace, 0)
FP_TAKE_ROW(structs, inout, 0)
#undef FP_TAKE_ROW

static FP_HELPER int
fp_take_rows(fp_array *x, PyObject *o, fp_take_row take, const fp_param *p)
{
    void **pointers = fp_take_items(x, o, sizeof(fp_array), p);
    Py_ssize_t k;
    for (k = 0; pointers != NULL && k < fp_tuple_size((PyObject *)x->owner); k++) {
        fp_array *row = fp_jagged_row(x, k);
        x->shape[0] = k + 1;
        if (FP_UNLIKELY(!take(row, fp_tuple_item((PyObject *)x->owner, k), k, p))) {
            return 0;
        }
        pointers[k] = row->data;
    }
    return pointers != NULL && fp_use_pointers(x, pointers);
}

/* The number of rows that have been taken. */
static inline Py_ssize_t
fp_count_rows(const fp_array *x)
{
    return x->held & FP_ALLOCATED ? (Py_ssize_t)x->shape[0] : 0;
}

static FP_HELPER void
fp_release_jagged(fp_array *x)
{
    Py_ssize_t k;
    for (k = 0; k < fp_count_rows(x); k++) {
        fp_release(fp_jagged_row(x, k));
    }
    fp_release(x);
}

/* Copies C's changes back to rows of which C had a copy. */
static FP_UNUSED int
fp_array_rows_back(fp_array *x, const fp_param *p)
{
    Py_ssize_t k;
    for (k = 0; k < fp_count_rows(x); k++) {
        fp_write_back(fp_jagged_row(x, k), p);
    }
    return 1;
}

static FP_UNUSED int
fp_structs_rows_back(fp_array *x, const fp_param *p)
{
    Py_ssize_t k;
    (void)p;
    for (k = 0; k < fp_count_rows(x); k++) {
        if (!fp_structs_back(fp_jagged_row(x, k))) {
            return 0;
        }
    }
    return 1;
}

/* Stores the length of row `k` in an array of integers, `name`, of this type and size. */
static FP_HELPER int
fp_store_length(fp_array *lengths, int type, size_t size, Py_ssize_t k, npy_intp length, const char *name,
                const fp_param *p)
{
    if (FP_UNLIKELY((unsigned long long)length > fp_integer_max(type))) {
        fp_row_param named;
        return fp_dim_out_of_range(length, 0, type, name, fp_name_row(&named, k, p));
    }
    fp_store_integer((char *)lengths->data + (size_t)k * size, type, length);
    return 1;
}

/* Stores the lengths of all rows. */
static FP_HELPER int
fp_find_lengths(fp_array *lengths, int type, size_t size, const fp_array *x, const char *name, const fp_param *p)
{
    Py_ssize_t k;
    for (k = 0; k < fp_count_rows(x); k++) {
        if (!fp_store_length(lengths, type, size, k, fp_jagged_row(x, k)->shape[0], name, p)) {
            return 0;
        }
    }
    return 1;
}

/* Stores the lengths of all strings. */
static FP_UNUSED int
fp_find_string_lengths(fp_array *lengths, int type, size_t size, const fp_array *x, const char *name, const fp_param *p)
{
    Py_ssize_t k;
    for (k = 0; k < x->shape[0]; k++) {
        npy_intp length = (npy_intp)strlen(((const char *const *)x->data)[k]);
        if (!fp_store_length(lengths, type, size, k, length, name, p)) {
            return 0;
        }
    }
    return 1;
}

/* Compares the lengths of the rows with those of as many rows that have determined the array `lengths`. */
static FP_UNUSED int
fp_check_lengths(const fp_array *x, const fp_array *first, const char *lengths, const fp_param *p)
{
    Py_ssize_t k;
    for (k = 0; k < fp_count_rows(x); k++) {
        npy_intp length = fp_jagged_row(first, k)->shape[0];
        if (FP_UNLIKELY(fp_jagged_row(x, k)->shape[0] != length)) {
            fp_row_param named;
            char expression[64];
            PyOS_snprintf(expression, sizeof(expression), "%.40s[%lld]", lengths, (long long)k);
            return fp_check_dim(fp_jagged_row(x, k), 0, length, expression, fp_name_row(&named, k, p));
        }
    }
    return 1;
}

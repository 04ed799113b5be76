/* Ragged calls: batches whose items are in lists, or are lists. Without lists, leading dimensions are
 * items.
 *
 * There are two cases, by the number of dimensions of the flat values. With one more than an item, each
 * value is an item. With as many as an item, the innermost lists are the items, and their lengths are
 * the items' first dimensions. Variables that the prototype infers from that dimension then differ
 * between items. A function that is generated for the call (fp_fitter) computes them from the lists'
 * lengths: once for all items in advance, to check them and to size the outputs, and again for each
 * item in the loop, where it does not call Python. */

/* An argument, result or scratch array of a ragged call. */
typedef struct {
    const fp_param *param;
    fp_array *array;
    fp_operand *op;        /* NULL: scratch memory */
    const fp_lists *lists; /* the caller's argument; NULL: no lists */
    int at;                /* its index among the arrays of the fitter; -1: none */
    int level;             /* of lists, with one value for each list of the level; the loop's depth: one for
                              each item; -1: one for all */
    int is_core;           /* each value is a list, which is the first dimension of the array that C receives */
    int is_made;           /* the fitter computes its shape */
    const npy_int64 *begin; /* with is_core: the offset of each list, which ends the one before */
    npy_intp stride;       /* bytes from one value to the next, or to the next within a list */
    PyArrayObject *offsets; /* of a result that consists of lists; a reference */
    npy_intp most;         /* of an output: the maximal number of elements of an item */
} fp_part;

/* The reason why an item's lists do not fit. */
typedef struct {
    const fp_param *param, *with;
    const char *name; /* of the dimension, or its expression; NULL: a number */
    int axis, type;   /* type: the one that cannot represent it; 0: it differs from `wanted` */
    npy_intp is, wanted;
} fp_misfit;

/* Computes the variables that depend on the lengths of an item's lists. Returns 0 if the lists do not
 * fit, with the reason in `misfit` or the worker. NULL if nothing depends on them. The parameters have
 * these names in generated code. */
#define FP_FITTER void *fp_all, fp_worker *fp_runner FP_UNUSED, fp_misfit *fp_reason FP_UNUSED
typedef int (*fp_fitter)(void *shared, fp_worker *worker, fp_misfit *misfit);

typedef struct {
    fp_part *parts;
    fp_lists *lists; /* one for each parameter */
    int count, list_count;
    int depth;                             /* levels of lists around the items */
    const fp_lists *loop;                  /* the argument that has these levels; NULL with depth 0 */
    const npy_int64 *offsets[FP_MAX_LISTS]; /* of these levels */
    npy_intp counts[FP_MAX_LISTS + 1];     /* lists of each level, then items */
    int has_cores;                         /* some part has is_core */
    int is_dense;                          /* no argument has lists: leading dimensions are items */
    int accounts;                          /* some part is memory for one item, whose size the fitter computes */
    int inputs;                            /* the number of parts that are inputs, which are the first */
    fp_fitter fit;
    void *shared; /* begins with pointers to the arrays of the fitter */
    size_t size;
    int arrays;
    fp_item_loop each;
    npy_intp copy; /* the offset of a worker's copy of these in its scratch memory */
    fp_map map, none; /* the items, contiguous if they are in lists; a single item. Both are set when needed */
} fp_ragged;

/* ---- Which item -------------------------------------------------------------------------------- */

/* Finds the position of item `index[depth]`: its list of each level. */
static FP_HELPER void
fp_find_item(const fp_ragged *r, npy_intp item, npy_intp *index)
{
    int level;
    index[r->depth] = item;
    for (level = r->depth - 1; level >= 0; level--) {
        npy_intp low = 0, high = r->counts[level], at = index[level + 1];
        while (high - low > 1) {
            npy_intp middle = low + (high - low) / 2;
            if (r->offsets[level][middle] <= at) {
                low = middle;
            }
            else {
                high = middle;
            }
        }
        index[level] = low;
    }
}

/* Advances by `count` items. */
static inline void
fp_next_item(const fp_ragged *r, npy_intp count, npy_intp *index)
{
    int level;
    index[r->depth] += count;
    for (level = r->depth - 1; level >= 0; level--) {
        while (index[level] < r->counts[level] && r->offsets[level][index[level] + 1] <= index[level + 1]) {
            index[level]++;
        }
    }
}

/* " (item (2, 0))": the first item of the outermost list 2 */
static FP_COLD void
fp_append_list_item(fp_message *t, const fp_ragged *r, npy_intp item)
{
    npy_intp index[FP_MAX_LISTS + 1];
    int level;
    fp_find_item(r, item, index);
    for (level = r->depth; level > 0; level--) {
        index[level] -= (npy_intp)r->offsets[level - 1][index[level - 1]];
    }
    fp_append_string(t, " (item ");
    fp_append_shape(t, r->depth + 1, index);
    fp_append_string(t, ")");
}

/* Adds the item to the exception that is set; without lists, the error concerns all items. */
static FP_COLD int
fp_name_item(const fp_ragged *r, npy_intp item)
{
    PyObject *error, *text;
    fp_message t;
    if (r->is_dense) {
        return 0;
    }
    error = fp_take_exception();
    text = PyObject_Str(error);
    t.length = 0;
    fp_append_list_item(&t, r, item);
    t.text[t.length] = 0;
    if (text != NULL) {
        PyErr_Format((PyObject *)Py_TYPE(error), "%U%s", text, t.text);
        Py_DECREF(text);
    }
    Py_DECREF(error);
    return 0;
}

/* Arrays of pointers: to the rows of an array, to the strings of a sequence, or to the objects of its handles. */

/* ---- Rows ------------------------------------------------------------------------------------------- */

#define FP_FEW_ROWS 16 /* pointers that need no allocation */

/* Pointers to the rows of an array, which are its parts along the first dimension. */
typedef struct {
    void **first; /* NULL for a NULL argument */
    void *few[FP_FEW_ROWS];
} fp_row_pointers;

static FP_HELPER int
fp_point_to_rows(fp_row_pointers *rows, const fp_array *x, const fp_param *p)
{
    npy_intp k, count = x->shape[0], stride;
    rows->first = x->data == NULL ? NULL : rows->few;
    if (x->data == NULL) {
        return 1;
    }
    if (count > FP_FEW_ROWS) {
        /* The count of an array of no elements has no limit. */
        rows->first = (void **)((size_t)count > PY_SSIZE_T_MAX / sizeof(void *)
                                    ? NULL
                                    : PyMem_Malloc((size_t)count * sizeof(void *)));
        if (rows->first == NULL) {
            return fp_error(PyExc_MemoryError, p, "no memory for pointers to %zd rows", count);
        }
    }
    /* Without elements, there is nothing to point to but the beginning. */
    stride = fp_size(x, p->ndim) == 0 ? 0 : fp_stride(x, 0, p) * p->size;
    for (k = 0; k < count; k++) {
        rows->first[k] = (char *)x->data + k * stride;
    }
    return 1;
}

static inline void
fp_release_rows(fp_row_pointers *rows)
{
    if (rows->first != rows->few) {
        PyMem_Free(rows->first);
    }
}

/* ---- Strings and objects -----------------------------------------------------------------------------
 *
 * An fp_array without an array: `owner` is a tuple with the items, which Python code that runs later cannot
 * change. A NULL follows the pointers, for libraries that expect one. */

/* The parameter of an item, for messages: "names[3]". */
typedef struct {
    fp_handle_param of;
    char name[64];
} fp_item_param;

static FP_COLD const fp_handle_param *
fp_name_pointer(fp_item_param *item, Py_ssize_t k, const fp_param *p)
{
    item->of.param = *p;
    item->of.of = p->type == FP_TYPE_HANDLE ? ((const fp_handle_param *)p)->of : NULL;
    PyOS_snprintf(item->name, sizeof(item->name), "%.40s[%lld]", p->name, (long long)k);
    item->of.param.name = item->name;
    item->of.param.ndim = 0;
    return &item->of;
}

static FP_COLD int
fp_wanted_items(PyObject *o, const fp_param *p)
{
    fp_message t;
    const char *of = p->type == FP_TYPE_HANDLE ? fp_last_name(((const fp_handle_param *)p)->of->name)
                     : p->type == NPY_UNICODE  ? "str"
                                               : "arrays";
    fp_begin_wanted(&t, p);
    fp_append(&t, "a sequence of %s", of);
    return fp_raise_got(PyExc_TypeError, &t, o);
}

/* Takes the items of a sequence, and memory for as many pointers after `each` bytes for each item; NULL with an
 * exception. */
static FP_HELPER void **
fp_take_items(fp_array *x, PyObject *o, size_t each, const fp_param *p)
{
    PyObject *items;
    size_t before, size;
    fp_array_clear(x);
    x->shape[0] = 0;
    if (PyUnicode_Check(o) || PyBytes_Check(o) || !PySequence_Check(o)) {
        fp_wanted_items(o, p);
        return NULL;
    }
    items = PySequence_Tuple(o);
    if (items == NULL) {
        return NULL;
    }
    fp_own(x, (PyArrayObject *)items);
    before = (size_t)fp_tuple_size(items) * each;
    size = before + ((size_t)fp_tuple_size(items) + 1) * sizeof(void *);
    if (size <= FP_SMALL) {
        return (void **)(void *)x->small;
    }
    x->memory = PyMem_Malloc(size);
    if (x->memory == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    x->held |= FP_ALLOCATED;
    return (void **)(void *)((char *)x->memory + before);
}

static FP_HELPER int
fp_use_pointers(fp_array *x, void **pointers)
{
    x->shape[0] = fp_tuple_size((PyObject *)x->owner);
    pointers[x->shape[0]] = NULL;
    x->data = pointers;
    return 1;
}

static FP_COLD int
fp_refuse_string(PyObject *item, Py_ssize_t k, const fp_param *p)
{
    fp_item_param named;
    const fp_param *one = &fp_name_pointer(&named, k, p)->param;
    const char *text;
    return PyErr_Occurred() ? fp_explain_error(one) : fp_read_string(item, &text, one);
}

/* Strings, each as fp_read_string reads it. */
static FP_HELPER int
fp_strings_in(fp_array *x, PyObject *o, const fp_param *p)
{
    void **pointers = fp_take_items(x, o, 0, p);
    Py_ssize_t k;
    for (k = 0; pointers != NULL && k < fp_tuple_size((PyObject *)x->owner); k++) {
        PyObject *item = fp_tuple_item((PyObject *)x->owner, k);
        Py_ssize_t length;
        const char *text = PyUnicode_Check(item) ? fp_utf8_and_size(item, &length) : NULL;
        if (FP_UNLIKELY(text == NULL || fp_has_nul(text, (size_t)length))) {
            return fp_refuse_string(item, k, p);
        }
        pointers[k] = (void *)text;
    }
    return pointers != NULL && fp_use_pointers(x, pointers);
}

/* The number of handles, of which a use is held; NULL has none. */
static inline Py_ssize_t
fp_count_handles(const fp_array *x)
{
    return x != NULL && (x->held & FP_OWNS) ? (Py_ssize_t)x->shape[0] : 0;
}

static inline fp_handle *
fp_handle_at(const fp_array *x, Py_ssize_t k)
{
    return (fp_handle *)fp_tuple_item((PyObject *)x->owner, k);
}

/* Handles: acquires a use of each. One that occurs twice has two. */
static FP_HELPER int
fp_handles_in(fp_array *x, PyObject *o, const fp_param *p)
{
    const fp_handle_class *of = ((const fp_handle_param *)p)->of;
    void **pointers = fp_take_items(x, o, 0, p);
    Py_ssize_t k;
    for (k = 0; pointers != NULL && k < fp_tuple_size((PyObject *)x->owner); k++) {
        PyObject *item = fp_tuple_item((PyObject *)x->owner, k);
        if (FP_UNLIKELY(!fp_is_handle(item, of) || !fp_begin_use((fp_handle *)item))) {
            fp_item_param named;
            return fp_refuse_handle(item, fp_name_pointer(&named, k, p));
        }
        x->shape[0]++;
        pointers[k] = fp_pointer_of((fp_handle *)item, of);
    }
    return pointers != NULL && fp_use_pointers(x, pointers);
}

static FP_HELPER void
fp_release_handles(fp_array *x)
{
    Py_ssize_t k;
    for (k = 0; k < fp_count_handles(x); k++) {
        fp_drop_handle(fp_handle_at(x, k));
    }
    fp_release(x);
}

/* ---- Locks ------------------------------------------------------------------------------------------ */

/* The locks of a call with arrays of handles. */
typedef struct {
    fp_lock **locks;
    Py_ssize_t count; /* of those that are held */
} fp_lock_list;

static int
fp_compare_locks(const void *a, const void *b)
{
    const fp_lock *first = *(fp_lock *const *)a, *second = *(fp_lock *const *)b;
    return (first > second) - (first < second);
}

static FP_HELPER void
fp_leave_all(fp_lock_list *all)
{
    while (all->count > 0) {
        fp_leave_one(all->locks[--all->count]);
    }
    PyMem_Free(all->locks);
}

/* Acquires these locks and those of the handles in arrays, in one order: see fp_enter. */
static FP_HELPER int
fp_enter_all(fp_lock_list *all, fp_lock *const *single, int singles, const fp_array *const *arrays, int count,
             const char *function)
{
    Py_ssize_t room = singles, entries = 0, k;
    int i;
    for (i = 0; i < count; i++) {
        room += fp_count_handles(arrays[i]);
    }
    all->locks = (fp_lock **)PyMem_Malloc(((size_t)room + 1) * sizeof(fp_lock *));
    if (all->locks == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (i = 0; i < singles; i++) {
        if (single[i] != NULL) {
            all->locks[entries++] = single[i];
        }
    }
    for (i = 0; i < count; i++) {
        for (k = 0; k < fp_count_handles(arrays[i]); k++) {
            fp_lock *lock = fp_handle_at(arrays[i], k)->lock;
            if (lock != NULL) {
                all->locks[entries++] = lock;
            }
        }
    }
    qsort(all->locks, (size_t)entries, sizeof(fp_lock *), fp_compare_locks);
    for (; all->count < entries; all->count++) {
        fp_lock *lock = all->locks[all->count];
        if (FP_UNLIKELY(fp_try_enter(lock) != FP_IN) && !fp_enter_slowly(lock, function)) {
            return 0;
        }
    }
    return 1;
}

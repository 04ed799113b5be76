/* Terminated arrays: C finds the end of an array by an element that follows the last one, and works on a copy that has
 * it. */

/* Moves an array to memory with one more element. */
static FP_UNUSED int
fp_terminate(fp_array *x, const void *end, size_t size)
{
    size_t bytes = (size_t)x->shape[0] * size;
    char *memory = (char *)PyMem_Malloc(bytes + size);
    if (memory == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    if (bytes > 0) {
        memcpy(memory, x->data, bytes);
    }
    memcpy(memory + bytes, end, size);
    fp_release(x);
    fp_array_clear(x);
    x->data = x->memory = memory;
    x->held = FP_PACKED | FP_ALLOCATED;
    return 1;
}

/* Copies rows, each with one more element, to memory that begins with the pointers to them. */
static FP_HELPER int
fp_join_rows(fp_array *x, const fp_array *rows, const void *end, size_t size)
{
    Py_ssize_t k, count = rows->shape[0];
    size_t before = ((size_t)count * sizeof(void *) / 16 + 1) * 16, bytes = before;
    void **pointers;
    char *to;
    for (k = 0; k < count; k++) {
        size_t length = (size_t)fp_jagged_row(rows, k)->shape[0] + 1;
        if (length > (PY_SSIZE_T_MAX - bytes) / size) {
            PyErr_NoMemory();
            return 0;
        }
        bytes += length * size;
    }
    pointers = (void **)PyMem_Malloc(bytes);
    if (pointers == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    to = (char *)pointers + before;
    for (k = 0; k < count; k++) {
        size_t length = (size_t)fp_jagged_row(rows, k)->shape[0] * size;
        pointers[k] = to;
        if (length > 0) {
            memcpy(to, fp_jagged_row(rows, k)->data, length);
        }
        memcpy(to + length, end, size);
        to += length + size;
    }
    pointers[count] = NULL;
    x->shape[0] = count;
    x->data = x->memory = pointers;
    x->held = FP_PACKED | FP_ALLOCATED;
    return 1;
}

static FP_UNUSED int
fp_take_terminated_rows(fp_array *x, PyObject *o, fp_take_row take, const void *end, size_t size, const fp_param *p)
{
    fp_array rows;
    int done;
    fp_array_clear(x);
    done = fp_take_rows(&rows, o, take, p) && fp_join_rows(x, &rows, end, size);
    fp_release_jagged(&rows);
    return done;
}

/* Arrays of pointers that C has allocated, as lists: of strings, which are copied, and of objects.
 *
 * The call frees the array, and the strings and objects that it owns. An object that has a Python object belongs to
 * that. Objects get theirs from the last to the first, so that the call frees those before it. */

/* An empty list of `count` items; 0 with an exception if C has set no valid array, -1 if the result is None. */
static FP_HELPER int
fp_begin_list(fp_received *h, void *const *all, npy_intp count, int nullable, const fp_param *p)
{
    npy_intp k;
    int there = 1;
    h->shape[0] = count;
    if (!fp_receive_shape(h, p)) {
        return 0;
    }
    if (all == NULL && (nullable || p->ndim == 0 || count > 0)) {
        there = fp_receive_null(h, all, nullable, p);
    }
    if (there != 1) {
        return there;
    }
    for (k = 0; k < count; k++) {
        if (all[k] == NULL) {
            return fp_error(PyExc_RuntimeError, p, "C returned NULL as item %lld", (long long)k);
        }
    }
    h->object = PyList_New(count);
    return h->object != NULL;
}

static FP_HELPER int
fp_receive_strings(fp_received *h, const char *const *all, npy_intp count, int nullable, const fp_param *p)
{
    int there = fp_begin_list(h, (void *const *)all, count, nullable, p);
    npy_intp k;
    for (k = 0; there == 1 && k < count; k++) {
        PyObject *made = fp_make_item(all[k], (npy_intp)strlen(all[k]), k, p);
        if (made == NULL) {
            return 0;
        }
        (void)PyList_SetItem(h->object, k, made);
    }
    return there != 0;
}

/* Destroys an object that has no Python object. */
static FP_UNUSED void
fp_destroy_object(const fp_handle_class *of, void *pointer)
{
    if (pointer != NULL && of->destroy != NULL) {
        fp_destroy(of, pointer, NULL);
    }
}

/* `owners` are the objects that each of them needs. */
static FP_HELPER int
fp_receive_objects(fp_received *h, void *const *all, npy_intp count, const fp_handle_class *of, int is_owned,
                   fp_handle *const *owners, int needs, int nullable, const fp_param *p)
{
    int there = fp_begin_list(h, all, count, nullable, p), i;
    npy_intp k;
    for (k = count; there == 1 && k > 0; k--) {
        fp_handle *made;
        if (!fp_make_handle(&made, of, needs)) {
            return 0;
        }
        fp_receive_handle(made, all[k - 1], is_owned);
        h->taken++;
        for (i = 0; i < needs; i++) {
            fp_keep_handle(made, i, owners[i]);
        }
        (void)PyList_SetItem(h->object, k - 1, fp_known_handle(made));
    }
    return there != 0;
}

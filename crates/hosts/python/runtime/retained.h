/* Retained arguments: memory and objects that C uses after the call that passed them.
 *
 * They are in the list of an object, or of the module, together with callbacks: see fp_keep_callback. Before C is called,
 * everything that can fail has been done. */

/* The identity of a parameter in such a list. */
#define FP_AS_KEPT(p) ((const fp_callback_param *)(const void *)(p))

/* An array: its memory, or the copy of it that C works on. */
static FP_UNUSED int
fp_retain_array(fp_kept **made, fp_array *x, const fp_key_part *key, int count, const fp_param *p)
{
    return fp_prepare_views(x, p) && fp_new_kept(made, fp_keeper(x), 0, key, count, FP_AS_KEPT(p));
}

/* A string, whose memory is that of the `str`. */
static FP_UNUSED int
fp_retain_string(fp_kept **made, PyObject *o, const fp_key_part *key, int count, const fp_param *p)
{
    return fp_new_kept(made, Py_NewRef(fp_is_present(o) ? o : Py_None), 0, key, count, FP_AS_KEPT(p));
}

/* An array of strings: the strings, and the pointers to them. */
static FP_UNUSED int
fp_retain_strings(fp_kept **made, fp_array *x, const fp_key_part *key, int count, const fp_param *p)
{
    PyObject *both = NULL, *pointers;
    if (x->data == (void *)x->small) {
        size_t size = ((size_t)x->shape[0] + 1) * sizeof(void *);
        x->memory = PyMem_Malloc(size);
        if (x->memory == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        memcpy(x->memory, x->small, size);
        x->data = x->memory;
        x->held |= FP_ALLOCATED;
    }
    pointers = fp_keeper(x);
    if (pointers != NULL) {
        both = PyTuple_New(2);
        if (both == NULL) {
            Py_DECREF(pointers);
        }
        else {
            fp_set_tuple_item(both, 0, pointers);
            fp_set_tuple_item(both, 1, Py_NewRef(x->owner == NULL ? Py_None : (PyObject *)x->owner));
        }
    }
    return fp_new_kept(made, both, 0, key, count, FP_AS_KEPT(p));
}

/* ---- Objects ---------------------------------------------------------------------------------------- */

/* The first object depends on the second one, directly or not. In a section of the caller. */
static FP_HELPER int
fp_depends(const fp_handle *handle, const fp_handle *on)
{
    fp_handle *first = NULL, *one, **last = fp_add_ended(&first, on, 0);
    int depends = 0;
    for (one = first; one != NULL; one = one->ended) {
        last = fp_add_ended(last, one, 0);
    }
    for (one = first; one != NULL; one = one->ended) {
        depends = depends || one == handle;
        one->is_ended = 0;
    }
    return depends;
}

/* A handle, which is not released before `by`. NULL, for `by`: the module retains it. An object that retains itself
 * needs nothing. */
static FP_UNUSED int
fp_retain_handle(fp_kept **made, fp_handle *handle, fp_handle *by, const fp_key_part *key, int count,
                 const fp_handle_param *p)
{
    fp_links *links = NULL;
    int depends = 0;
    PyObject *object = handle == NULL || handle == by ? Py_None : (PyObject *)handle;
    if (!fp_new_kept(made, Py_NewRef(object), 0, key, count, FP_AS_KEPT(p))) {
        return 0;
    }
    if (object == Py_None) {
        return 1;
    }
    if (by != NULL) { /* memory that its release may need: see fp_close_ended */
        links = (fp_links *)PyMem_Calloc(1, sizeof(fp_links));
        if (links == NULL) {
            PyErr_NoMemory();
            return 0;
        }
    }
    FP_BEGIN_SHARED
    depends = by != NULL && fp_depends(handle, by);
    if (!depends) {
        (*made)->handle = handle;
        handle->uses++;
        if (by != NULL) {
            fp_add_edge(&(*made)->edge, by, handle);
            if (by->links == NULL) {
                by->links = links;
                links = NULL;
            }
        }
    }
    FP_END_SHARED
    PyMem_Free(links);
    return !depends
           || fp_error(PyExc_ValueError, &p->param, "it refers to the %s that would retain it, so neither could be released",
                       fp_last_name(by->of->name));
}

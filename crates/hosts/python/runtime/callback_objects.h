/* Objects that functions of Python return to C, which takes them over, or uses them as long as it may call the callback.
 *
 * A callback that ends with its call holds a use of each object. If it outlives its call, it has an entry for each, as
 * there is for a retained argument, and the object that retains the callback refers to them. A dict for each thread has
 * their addresses, so that each is retained once. */

/* C takes the object over; None, where it may be, is NULL. */
static FP_UNUSED int
fp_consume_returned(PyObject *value, void **object, int null, const fp_handle_param *p)
{
    fp_handle *handle;
    int done = null && value == Py_None;
    if (!done && fp_take_handle(&handle, value, p)) {
        const fp_consumed taken[] = {{handle, NULL, &p->param, 0}};
        void *pointer = fp_pointer_of(handle, p->of);
        done = fp_consume(taken, 1);
        *object = done ? pointer : NULL;
        fp_drop_handle(handle);
    }
    return done;
}

/* It is an object of C that exists as long as the one that retains the callback, so nothing has to retain it. */
static FP_HELPER int
fp_exists_with(const fp_handle *handle, const fp_handle *by)
{
    const fp_links *links = handle->links;
    int k, is_else = handle->is_owned || handle->callbacks != NULL;
    for (k = 0; links != NULL && k < links->count; k++) {
        PyObject *other = links->kept[k].object;
        is_else = is_else || (other != NULL && other != (PyObject *)by);
    }
    return !is_else;
}

/* A callback that outlives its call retains an object. Without an owner, the module retains the callback, or its owner is
 * being created or released. */
static FP_HELPER int
fp_retain_with(fp_kept *callback, fp_handle *handle, fp_handle *by, const fp_handle_param *p)
{
    fp_kept *kept;
    int done = fp_retain_handle(&kept, handle, by, NULL, 0, p);
    if (done) {
        fp_keep_callback(&callback->objects, NULL, kept);
    }
    fp_leave_callback(kept);
    return done;
}

/* The callback retains an object, of which the caller holds a use. */
static FP_HELPER int
fp_retain_object(const fp_callback *callback, fp_handle *handle, const fp_handle_param *p)
{
    const int ends = callback->running != NULL; /* with its call */
    fp_handle *by = (fp_handle *)(uintptr_t)callback->owner;
    PyObject *all, *thread, *own, *key;
    int done = handle == by || fp_exists_with(handle, by);
    if (done) {
        return 1;
    }
    all = fp_results_of(callback);
    thread = all == NULL ? NULL : PyLong_FromUnsignedLong(PyThread_get_thread_ident());
    own = thread == NULL ? NULL : fp_results_of_thread(all, thread);
    key = own == NULL ? NULL : PyLong_FromVoidPtr(handle);
    if (key != NULL && PyDict_GetItemWithError(own, key) != NULL) {
        done = 1;
    }
    else if (key != NULL && !PyErr_Occurred()) {
        done = (ends || fp_retain_with((fp_kept *)(uintptr_t)callback, handle, by, p))
               && PyDict_SetItem(own, key, ends ? (PyObject *)handle : Py_None) == 0;
        if (done && ends) {
            FP_BEGIN_SHARED
            handle->uses++;
            FP_END_SHARED
        }
    }
    Py_XDECREF(key);
    Py_XDECREF(thread);
    return done;
}

/* C uses the object; None, where it may be, is NULL. */
static FP_UNUSED int
fp_retain_returned_object(PyObject *value, const fp_callback *callback, void **object, int null,
                          const fp_handle_param *p)
{
    fp_handle *handle;
    int done = null && value == Py_None;
    if (!done && fp_take_handle(&handle, value, p)) {
        done = fp_retain_object(callback, handle, p);
        *object = done ? fp_pointer_of(handle, p->of) : NULL;
        fp_drop_handle(handle);
    }
    return done;
}

/* Ends the uses by a callback that has ended with its call. */
static FP_UNUSED void
fp_drop_objects(PyObject *all)
{
    PyObject *own, *object;
    Py_ssize_t i = 0, k;
    while (all != NULL && PyDict_Next(all, &i, NULL, &own)) {
        k = 0;
        while (PyDict_Next(own, &k, NULL, &object)) {
            fp_drop_handle((fp_handle *)object);
        }
    }
    Py_XDECREF(all);
}

/* Allocates memory for a new object to which a callback adds objects that it retains: see fp_close_ended. */
static FP_UNUSED int
fp_reserve_links(fp_handle *made)
{
    if (made->links == NULL) {
        made->links = (fp_links *)PyMem_Calloc(1, sizeof(fp_links));
    }
    if (made->links == NULL) {
        PyErr_NoMemory();
    }
    return made->links != NULL;
}

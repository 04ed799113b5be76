/* Nested values that C++ exchanges with callbacks: arguments and results.
 *
 * Objects in arguments belong to the function of Python. An object that it returns is passed as an argument of a call is:
 * C++ copies it, counts a reference, takes it over, or stores its address; then the object with the callback retains it. */

/* The value of a tree that C++ passes to a callback. */
static FP_UNUSED PyObject *
fp_pass_nested(const fp_node *node, const fp_nested_type *of, const fp_callback_param *p)
{
    fp_nested_writer w;
    w.param = &p->param;
    w.classes = of->classes;
    return fp_nested_object(node, of->type, &w);
}

/* The object retains this one for the parameter already. In a section of the caller. */
static FP_HELPER int
fp_retains(const fp_handle *by, const fp_handle *handle, const fp_param *p)
{
    const fp_kept *one = by->callbacks;
    while (one != NULL && (one->handle != handle || one->callback.of != FP_AS_KEPT(p))) {
        one = one->next;
    }
    return one != NULL;
}

/* Retains objects, of which C++ stores the addresses, for the one with the callback: as long as that exists. */
static FP_HELPER int
fp_retain_returned(const fp_array *all, fp_handle *by, const fp_nested_param *p)
{
    Py_ssize_t k;
    for (k = 0; k < fp_count_handles(all); k++) {
        fp_handle *handle = fp_handle_at(all, k);
        fp_kept *kept = NULL;
        int done = 1, is_known;
        if (by == NULL) {
            return fp_error(PyExc_RuntimeError, &p->param, "the object that would retain it is being released");
        }
        FP_BEGIN_SHARED
        is_known = handle == by || fp_retains(by, handle, &p->param);
        FP_END_SHARED
        if (!is_known) {
            done = fp_retain_handle(&kept, handle, by, NULL, 0, (const fp_handle_param *)(const void *)p);
            if (done) {
                fp_keep_callback(&by->callbacks, NULL, kept);
            }
            fp_leave_callback(kept);
        }
        if (!done) {
            return 0;
        }
    }
    return 1;
}

/* Sets a node that C++ has passed to a callback to a value that this returns; see fp_set_nested. `by` has the callback. */
static FP_UNUSED int
fp_take_nested(PyObject *value, fp_node *to, const char *(*set)(fp_node *to, const fp_node *from), const fp_handle *by,
               const fp_nested_param *p)
{
    fp_nested_value x = FP_NO_NESTED;
    fp_lock_list locks = {NULL, 0};
    const char *why = NULL;
    int done = fp_nested_in(&x, value, p);
    if (done && x.objects[FP_USE_RETAINED] != NULL) {
        done = fp_retain_returned(x.objects[FP_USE_RETAINED], (fp_handle *)(uintptr_t)by, p);
    }
    if (done && x.objects[FP_USE_PASSED] != NULL) {
        const fp_array *const read[] = {x.objects[FP_USE_PASSED]};
        done = fp_enter_all(&locks, NULL, 0, read, 1, p->param.function);
    }
    if (done && x.objects[FP_USE_TAKEN] != NULL) {
        const fp_consumed taken[] = {{NULL, x.objects[FP_USE_TAKEN], &p->param, 0}};
        done = fp_consume(taken, 1);
    }
    if (done && (why = set(to, &x.root)) != NULL) {
        done = why[0] == 0 ? (PyErr_NoMemory(), 0) : fp_error(PyExc_ValueError, &p->param, "%s", why);
    }
    fp_leave_all(&locks);
    fp_release_nested(&x);
    return done;
}

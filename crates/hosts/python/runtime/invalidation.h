/* Invalidation: objects that C destroys with another one, which a call names.
 *
 * They are closed, with all that refer to them, unless another call or an array uses one: then none is. */

/* Adds a handle to the list that ends at `last`, if it is in none. */
static FP_HELPER fp_handle **
fp_add_one(fp_handle **last, fp_handle *one)
{
    if (one->is_ended) {
        return last;
    }
    one->is_ended = 1;
    one->ended = NULL;
    *last = one;
    return &one->ended;
}

/* Adds the handles that refer to an object to the list that ends at `last`. For the object that a
 * call names, only those that were borrowed from it. */
static FP_HELPER fp_handle **
fp_add_ended(fp_handle **last, const fp_handle *handle, int only_borrowed)
{
    fp_edge *edge;
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        if (!(only_borrowed && edge->dependent->is_owned)) {
            last = fp_add_one(last, edge->dependent);
        }
    }
    return last;
}

/* Checks that only the calls in `mine` use the object's memory; the reason why it is refused is raised
 * by fp_refuse_end. */
static FP_HELPER int
fp_may_end(const fp_handle *handle, const fp_handle *of, fp_handle *const *mine, int count)
{
    Py_ssize_t uses = handle->uses - handle->views - handle->leaving;
    const fp_edge *edge;
    int k;
    if (handle->views > 0 || handle->leaving > 0) {
        return 0;
    }
    for (edge = handle->dependents; edge != NULL; edge = edge->next) {
        uses--;
    }
    for (k = 0; k < count; k++) {
        uses -= mine[k] == handle;
    }
    return handle == of || uses == 0;
}

static FP_COLD int
fp_refuse_end(const char *class_name, int is_viewed, int is_named, const fp_param *p)
{
    const char *name = fp_last_name(class_name);
    if (is_viewed) {
        return is_named
                   ? fp_error(PyExc_BufferError, p, "an array views memory of this %s, which the call ends", name)
                   : fp_error(PyExc_BufferError, p,
                              "an array views memory of a %s that was borrowed from it, which the call ends", name);
    }
    return is_named
               ? fp_error(PyExc_RuntimeError, p, "another thread releases what refers to this %s", name)
               : fp_error(PyExc_RuntimeError, p,
                          "another call uses a %s that was borrowed from it, which this call ends", name);
}

/* Closes the handles of a list, if `done`, clears it, and ends the section of the caller. Handles in
 * the list may be freed as soon as it has ended; their remains are in memory that they leave. */
static FP_HELPER void
fp_close_ended(fp_handle *first, int done)
{
    fp_remains *left = NULL;
    fp_handle *one;
    for (one = first; one != NULL; one = one->ended) {
        int is_last = done && !one->is_closed && one->uses == 0;
        one->is_ended = 0;
        one->is_closed |= done;
        if (is_last && one->links == NULL) { /* it refers to nothing, and has nothing to release */
            fp_untrack(one);
            one->pointer = NULL;
        }
        else if (is_last) {
            fp_remains *remains = &one->links->remains;
            fp_detach(one, remains);
            remains->late.next = (fp_late *)left;
            left = remains;
        }
    }
    FP_END_SHARED
    while (left != NULL) {
        fp_remains remains = *left; /* in its own `links` */
        left = (fp_remains *)remains.late.next;
        fp_release_or_defer(&remains);
    }
}

/* The next handle in a list that leads to the object of this one; NULL after the last one. In a section of the caller. */
static FP_HELPER fp_handle *
fp_next_same(fp_handle *one, const fp_handle *handle)
{
    if (!handle->of->is_tracked) {
        return NULL;
    }
    while (one != NULL && (one == handle || !fp_is_same_object(one, handle))) {
        one = one->next_tracked;
    }
    return one;
}

/* Closes the objects borrowed from an object that C destroys, in a call that uses the handles `mine`,
 * with all that refer to them, and with `is_destroyed` other handles that lead to it. If one of them is in use
 * elsewhere, none is closed. */
static FP_HELPER int
fp_end_with(fp_handle *of, fp_handle *const *mine, int count, int is_destroyed, const fp_param *p)
{
    fp_handle *first = NULL, *one = of, **last = &first;
    const char *name;
    int done, is_viewed;
    FP_BEGIN_SHARED
    done = fp_may_end(of, of, mine, count);
    last = fp_add_ended(last, of, 1);
    for (one = is_destroyed ? fp_next_same(fp_tracked, of) : NULL; one != NULL;
         one = fp_next_same(one->next_tracked, of)) {
        last = fp_add_one(last, one);
    }
    for (one = done ? first : of; one != NULL && done; one = done ? one->ended : one) {
        last = fp_add_ended(last, one, 0);
        done = fp_may_end(one, of, mine, count);
    }
    name = done ? NULL : one->of->name;
    is_viewed = !done && one->views > 0;
    fp_close_ended(first, done);
    return done || fp_refuse_end(name, is_viewed, one == of, p);
}

static FP_UNUSED int
fp_invalidate(fp_handle *of, fp_handle *const *mine, int count, const fp_handle_param *p)
{
    return of == NULL || fp_end_with(of, mine, count, 0, &p->param);
}
#ifdef PYPY_VERSION
#define fp_invalidate(of, mine, count, p) FP_CHECK_TWICE(fp_invalidate(of, mine, count, p))
#endif

/* Closes the handles that callbacks have borrowed from it while C destroyed them: there is nothing to release. */
static FP_UNUSED int
fp_invalidate_late(int done, fp_handle *of)
{
    fp_handle *first = NULL, *one, **last = &first;
    if (of != NULL) {
        fp_aside aside;
        fp_put_aside(&aside);
        FP_BEGIN_SHARED
        last = fp_add_ended(last, of, 1);
        for (one = first; one != NULL; one = one->ended) {
            last = fp_add_ended(last, one, 0);
            one->is_owned = 0;
        }
        fp_close_ended(first, 1);
        fp_put_back(&aside);
    }
    return done;
}

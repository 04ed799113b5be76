/* Callbacks, the same in every host: how one is found if C passes no user data, and the values that
 * its on-error action may use. */

/* Without user data, a thread's callback of a function is found in a variable of the thread. */
typedef struct {
    fp_callback **slot, *outer;
} fp_slot;

static FP_UNUSED void
fp_fill_slot(fp_slot *filled, fp_callback **slot, fp_callback *callback)
{
    filled->slot = slot;
    filled->outer = *slot;
    *slot = callback;
}

static FP_UNUSED void
fp_empty_slot(const fp_slot *filled)
{
    *filled->slot = filled->outer;
}

/* The values that the on-error action may use: those of its call or of the object that retains it;
 * NULL: none. */
static FP_UNUSED const void *
fp_seen(const fp_callback *callback)
{
    return callback == NULL ? NULL : callback->seen;
}

/* NULL while the object is created, and while it is destroyed. */
static FP_UNUSED void *
fp_seen_object(const fp_callback *callback)
{
    const fp_handle *handle = (const fp_handle *)fp_seen(callback);
    return handle == NULL ? NULL : __atomic_load_n(&handle->pointer, __ATOMIC_RELAXED);
}

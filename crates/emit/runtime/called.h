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

/* A division by zero, unless the memory that the readers reserve for each is enough. */
enum { FP_USER_DATA_FITS = 1 / (sizeof(fp_user_data) <= 3 * sizeof(double)) };

/* User data in memory of a struct that C retains with its callbacks: it leads to these, whatever other structs the same
 * object has. */
static FP_UNUSED void
fp_put_user_data(fp_user_data *all, int count, int at, const fp_callback *callback, const fp_callback_param *p)
{
    all[at].of = p;
    all[at].last = callback;
    all[at].next = at + 1 < count ? &all[at + 1] : NULL;
}

/* In an item of a loop: memory, values and failures, without Python. */

/* A worker's memory for a scratch array, at the offset that fp_map_scratch has set. */
static inline char *
fp_room(const fp_worker *worker, const fp_array *x)
{
    return worker->scratch + x->strides[0];
}

/* The same, with all elements zero. */
static FP_UNUSED char *
fp_zeroed_room(const fp_worker *worker, const fp_array *x, const fp_param *p)
{
    return (char *)memset(fp_room(worker, x), 0, (size_t)(fp_size(x, p->ndim) * p->size));
}

/* Sets all elements of it to the value of one element. */
static FP_UNUSED void
fp_fill_room(const fp_worker *worker, const fp_array *x, const fp_param *p, const void *element)
{
    fp_repeat(p->size)(fp_room(worker, x), (const char *)element, fp_size(x, p->ndim), p->size);
}

/* Reports that a value cannot be computed. */
static FP_COLD int
fp_item_fault(fp_worker *worker, const fp_param *p)
{
    worker->param = p;
    return 0;
}

static FP_UNUSED npy_intp
fp_item_status(fp_worker *worker, npy_intp item, long long status)
{
    worker->param = NULL;
    worker->status = status;
    return item;
}

/* Stores the failure `why` of an error code. A warning does not end the loop. */
static FP_UNUSED int
fp_check_item_outcome(fp_worker *worker, npy_intp i, int warns, const fp_failure *why)
{
    if (!warns) {
        worker->param = NULL;
        worker->noted = 1;
        *worker->why = *why;
    }
    else if (worker->warned == 0) {
        worker->warned = worker->at + i + 1;
        *worker->warning = *why;
    }
    return warns;
}

/* Ends the loop at an item that threw; `why` is set. */
static FP_UNUSED npy_intp
fp_item_thrown(fp_worker *worker, npy_intp i)
{
    worker->param = NULL;
    worker->noted = 1;
    return i;
}

/* Sets an integer variable to a value that must fit. */
static FP_UNUSED int
fp_item_integer(void *variable, long double value, const fp_param *p, fp_worker *worker)
{
    return fp_try_integer(variable, value, p->type) ? 1 : fp_item_fault(worker, p);
}

static FP_UNUSED int
fp_item_dimension(void *variable, npy_intp value, const fp_param *p, fp_worker *worker)
{
    return value == FP_NO_DIM ? fp_item_fault(worker, p)
                              : fp_item_integer(variable, (long double)value, p, worker);
}

/* True if the strides of the items are those in `known`, in every operand. */
static inline int
fp_are_steps(const npy_intp *steps, const npy_intp *known, int count)
{
    int k;
    for (k = 0; k < count && steps[k] == known[k]; k++) {
    }
    return k == count;
}

/* A run of a loop over all items, and the error of an item that failed. */

static FP_COLD void
fp_append_item(fp_message *t, const fp_map *map, npy_intp item)
{
    npy_intp index[FP_MAX_DIMENSIONS];
    int i;
    for (i = map->ndim - 1; i >= 0; i--) {
        int axis = map->order[i];
        index[axis] = item % map->shape[axis];
        item /= map->shape[axis];
    }
    fp_append_string(t, " (item ");
    fp_append_shape(t, map->ndim, index);
    fp_append_string(t, ")");
}

/* Begins the message about a failed item. */
static FP_COLD void
fp_begin_failed(fp_message *t, const fp_worker *worker, const char *function, const char *c_name)
{
    if (worker->param != NULL) {
        fp_begin(t, worker->param);
        fp_append_string(t, "its value is out of range for ");
        fp_append_string(t, fp_type_name(worker->param->type));
    }
    else if (worker->noted) {
        fp_begin_message(t, worker->why);
    }
    else {
        t->length = 0;
        fp_append(t, "%s(): %s returned status %lld", function, c_name, worker->status);
    }
}

static FP_COLD int
fp_raise_failed(const fp_message *t, const fp_worker *worker)
{
    if (worker->param == NULL && worker->noted) {
        return fp_raise_message(worker->why, t);
    }
    if (PyErr_Occurred()) { /* raised by C with more information */
        return 0;
    }
    return fp_raise(worker->param != NULL ? PyExc_OverflowError : PyExc_RuntimeError, t);
}

/* Runs all items. Returns the index of the failed item, else -1, or FP_NOT_RUN with an exception, which
 * may be a signal handler's and then has priority over failed items. The run then has the joined
 * dimensions. */
static FP_HELPER npy_intp
fp_run_items(fp_run *run, const char *function, fp_worker *worker)
{
    fp_map joined;
    fp_watch watch = {0, NULL, 0};
    char *scratch = NULL;
    npy_intp failed = -1;
    int threads = run->threads == 1 || run->map->count < 2 || !run->releases ? 1 : fp_process_threads();
    if (run->map->count == 0) {
        return -1;
    }
    if (run->threads > 0 && threads > run->threads) {
        threads = run->threads;
    }
    if (run->scratch > 0) {
        scratch = (char *)PyMem_Calloc((size_t)threads, (size_t)run->scratch);
        if (scratch == NULL) {
            PyErr_Format(PyExc_MemoryError, "%s(): no memory for scratch arrays", function);
            return FP_NOT_RUN;
        }
    }
    worker->scratch = scratch;
    fp_coalesce(&joined, run->map, run->ops, run->count);
    run->map = &joined;
    if (run->releases) {
        watch.thread = PyEval_SaveThread();
    }
    watch.looked = fp_coarse_now();
    fp_begin_pace(worker, &watch, 1, watch.looked);
    failed = fp_do_all(run, threads, scratch, worker);
    if (watch.thread != NULL) {
        PyEval_RestoreThread(watch.thread);
    }
    PyMem_Free(scratch);
    if (!fp_is_interrupted()) {
        return failed;
    }
    if (failed >= 0 && worker->noted) {
        fp_drop_failure(worker->why);
    }
    fp_take_interruption();
    return FP_NOT_RUN;
}

static inline void
fp_begin_run(fp_run *run, const fp_loop *loop, const fp_map *map, fp_operand *ops, const void *shared)
{
    run->map = map;
    run->ops = ops;
    run->count = loop->count;
    run->loop = loop->items;
    run->shared = shared;
    run->scratch = map->scratch;
    run->threads = loop->threads;
    run->releases = map->releases;
    run->optional = loop->optional;
    run->shared_size = loop->shared_size;
}

/* Runs a loop for all items, and raises the error of a failed one. */
static FP_HELPER int
fp_run_map(const fp_loop *loop, const fp_map *map, fp_operand *ops, const void *shared)
{
    fp_run run;
    fp_worker worker;
    fp_failure why, warning;
    npy_intp failed;
    fp_message t;
    fp_begin_run(&run, loop, map, ops, shared);
    fp_begin_worker(&worker, &why, &warning);
    failed = fp_run_items(&run, loop->function, &worker);
    if (failed == -1 && worker.warned) {
        fp_begin_message(&t, &warning);
        fp_append_item(&t, map, worker.warned - 1);
        return fp_warn_message(&t);
    }
    if (failed < 0) {
        return failed != FP_NOT_RUN;
    }
    fp_begin_failed(&t, &worker, loop->function, loop->c_name);
    fp_append_item(&t, map, failed);
    return fp_raise_failed(&t, &worker);
}

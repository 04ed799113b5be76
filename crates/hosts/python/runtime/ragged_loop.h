/* The loop over lists: as over items, on the same threads, with addresses and lengths for each.
 *
 * Each worker has its own copy of what the fitter sets, so that items need not wait for one another. */

/* Does `count` items from `first` on; as fp_do_items. */
static FP_HELPER npy_intp
fp_do_lists(const void *ragged, npy_intp first, npy_intp count, fp_worker *worker)
{
    const fp_ragged *r = (const fp_ragged *)ragged;
    char *data[FP_MAX_OPERANDS], *shared = worker->scratch + r->copy;
    fp_array **arrays = (fp_array **)(void *)shared;
    fp_array *copies = (fp_array *)(void *)(shared + (r->size + 63) / 64 * 64);
    npy_intp steps[FP_MAX_OPERANDS], index[FP_MAX_LISTS + 1], end = first + count, row;
    int k;
    if (r->size > 0) {
        memcpy(shared, r->shared, r->size);
    }
    for (k = 0; k < r->arrays; k++) {
        memcpy(&copies[k], arrays[k], sizeof(fp_array));
        arrays[k] = &copies[k];
    }
    fp_find_item(r, first, index);
    for (; index[r->depth] < end; fp_next_item(r, row, index)) {
        npy_intp item = index[r->depth], done;
        fp_misfit misfit;
        for (k = 0; k < r->count && r->parts[k].op != NULL; k++) {
            const fp_part *part = &r->parts[k];
            npy_intp at = part->level < 0 ? 0 : index[part->level];
            data[k] = part->op->data + (part->is_core ? (npy_intp)part->begin[at] : at) * part->stride;
            steps[k] = part->level == r->depth ? part->stride : 0;
        }
        row = 1;
        if (r->has_cores) {
            fp_set_lengths(r, arrays, index);
            misfit.param = NULL;
            if (r->fit != NULL && !r->fit(shared, worker, &misfit)) {
                worker->param = misfit.param == NULL ? worker->param : misfit.param;
                return item;
            }
            if (!fp_fits_still(r, arrays, item, worker)) {
                return item;
            }
        }
        else if (r->depth > 0) {
            row = (npy_intp)r->offsets[r->depth - 1][index[r->depth - 1] + 1] - item;
            row = row < end - item ? row : end - item;
        }
        row = row < worker->left ? row : worker->left;
        worker->at = item;
        done = r->each(shared, data, steps, row, worker);
        if (done < row) {
            return item + done;
        }
        worker->left -= row;
        if (worker->left == 0 && !fp_look(worker)) {
            return FP_NOT_RUN;
        }
    }
    return -1;
}

/* Finds where a worker's scratch arrays are in its memory. */
static FP_HELPER void
fp_place_scratch(fp_ragged *r)
{
    int k;
    for (k = 0; k < r->count; k++) {
        fp_part *part = &r->parts[k];
        if (part->op == NULL) {
            part->array->strides[0] = r->map.scratch;
            r->map.scratch += part->most * part->param->size / 64 * 64 + 64;
        }
    }
}

/* Runs a call with lists: as a plain map where all items are alike and each has its own of everything. */
static FP_HELPER int
fp_run_lists(const fp_loop *loop, fp_ragged *r, fp_operand *ops, const void *shared)
{
    fp_run run;
    fp_worker worker;
    fp_failure why, warning;
    npy_intp failed;
    fp_message t;
    int k, alike = !r->has_cores;
    fp_begin_run(&run, loop, &r->map, ops, shared);
    run.optional = NULL; /* no value of a list is missing */
    for (k = 0; k < r->count; k++) {
        const fp_part *part = &r->parts[k];
        if (part->op != NULL) {
            part->op->strides[0] = part->level < 0 ? 0 : part->stride;
            alike = alike && (part->level < 0 || part->level == r->depth);
        }
    }
    if (!alike) {
        r->copy = run.scratch;
        run.scratch += (npy_intp)((r->size + 63) / 64 * 64 + (size_t)r->arrays * sizeof(fp_array) + 63) / 64 * 64;
        r->each = run.loop;
        run.loop = NULL;
        run.shared = r;
        run.count = 0;
    }
    fp_begin_worker(&worker, &why, &warning);
    failed = fp_run_items(&run, loop->function, &worker);
    if (failed == -1 && worker.warned) {
        fp_begin_message(&t, &warning);
        fp_append_list_item(&t, r, worker.warned - 1);
        return fp_warn_message(&t);
    }
    if (failed < 0) {
        return failed != FP_NOT_RUN;
    }
    fp_begin_failed(&t, &worker, loop->function, loop->c_name);
    fp_append_list_item(&t, r, failed);
    return fp_raise_failed(&t, &worker);
}

static inline int
fp_run_ragged(const fp_loop *loop, fp_ragged *r, fp_operand *ops, const void *shared)
{
    if (r->accounts) {
        fp_place_scratch(r);
    }
    return r->is_dense ? fp_run_map(loop, &r->map, ops, shared)
                       : fp_run_lists(loop, r, ops, shared);
}

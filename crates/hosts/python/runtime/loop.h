/* The loop over items, without the GIL. */

/* The state that the threads of a batched call check between items. */
typedef struct {
    int stopped;           /* accessed by __atomic only: a signal handler has raised */
    PyThreadState *thread; /* of the call, if it has released the GIL; else NULL */
    double looked;         /* the time of the last check for signals */
} fp_watch;

/* The position of a worker, and the reason why it stopped. */
typedef struct {
    char *scratch;
    fp_watch *watch;
    int looks;       /* it is on the thread of the call, which runs signal handlers */
    npy_intp pace;   /* the number of items between two reads of the clock */
    npy_intp left;   /* the number of items until the next one */
    double begun;    /* the time of the last one */
    const fp_param *param; /* the value that could not be computed; NULL: C failed */
    long long status;      /* the return code, if `why` is not set */
    int noted;             /* `why` is set */
    npy_intp at;           /* the first item of the current loop */
    npy_intp warned;       /* 1 + the first item with a warning from C; 0: none */
    fp_failure *why, *warning;
} fp_worker;

static FP_UNUSED void
fp_begin_worker(fp_worker *worker, fp_failure *why, fp_failure *warning)
{
    worker->scratch = NULL;
    worker->param = NULL;
    worker->status = 0;
    worker->noted = 0;
    worker->at = 0;
    worker->warned = 0;
    worker->why = why;
    worker->warning = warning;
}

/* Runs `count` items, the first of them at `data`, which advance by `steps`; returns how many have
 * succeeded. The parameters have these names in generated code. */
#define FP_ITEM_LOOP                                                                                    \
    const void *fp_all FP_UNUSED, char *const *fp_data FP_UNUSED, const npy_intp *fp_steps FP_UNUSED,    \
        npy_intp fp_count, fp_worker *fp_runner FP_UNUSED
typedef npy_intp (*fp_item_loop)(const void *shared, char *const *data, const npy_intp *steps,
                                 npy_intp count, fp_worker *worker);

/* The address of operand K and the stride of its items: as variables, since compilers must assume that
 * C writes to everything accessed through a pointer. */
#define FP_OPERAND(K) char *const fp_at##K = fp_data[K]; const npy_intp fp_step##K = fp_steps[K]
/* The address of item fp_i in it. */
#define FP_ITEM(K) ((void *)(fp_at##K + fp_i * fp_step##K))

/* Runs the copy of a loop that was compiled for these steps, if they are the strides of its COUNT
 * operands. */
#define FP_LOOP_IF_STEPS(loop, COUNT, ...)                                    \
    {                                                                         \
        const npy_intp fp_known[COUNT] = {__VA_ARGS__};                       \
        if (FP_LIKELY(fp_are_steps(fp_steps, fp_known, COUNT))) {             \
            return loop(fp_all, fp_data, fp_known, fp_count, fp_runner);      \
        }                                                                     \
    }

/* A scalar that may be missing for an item, and the flag in `shared` that is 0 then. */
typedef struct {
    int operand;
    size_t flag;
} fp_optional;

/* The loop of a function. */
typedef struct {
    const char *function, *c_name;
    fp_item_loop items;
    int count;   /* the number of its operands */
    int threads; /* the maximal number; 0: as many as the process may use */
    const fp_optional *optional; /* ends with operand -1; NULL: there is none */
    size_t shared_size;
} fp_loop;

/* One run of a loop. */
typedef struct {
    const fp_map *map;
    fp_operand *ops;
    int count;
    fp_item_loop loop; /* NULL: `shared` are lists, which have the loop */
    const void *shared;
    npy_intp scratch; /* bytes for each worker */
    int threads;
    int releases;     /* releases the GIL */
    const fp_optional *optional;
    size_t shared_size;
} fp_run;

#define FP_PACE 4e-3          /* seconds between two reads of the clock, which may tick no faster */

/* ---- Signals ------------------------------------------------------------------------------------ */

/* Runs Python's signal handlers, on the thread of the call; returns 0 if one has raised. */
static FP_COLD int
fp_look_for_signals(fp_watch *watch)
{
    int done;
    if (watch->thread != NULL) {
        PyEval_RestoreThread(watch->thread);
    }
    done = fp_run_handlers();
    if (!done) {
        __atomic_store_n(&watch->stopped, 1, __ATOMIC_RELAXED);
    }
    if (watch->thread != NULL) {
        watch->thread = PyEval_SaveThread();
    }
    return done;
}

static inline void
fp_begin_pace(fp_worker *worker, fp_watch *watch, int looks, double now)
{
    worker->watch = watch;
    worker->looks = looks;
    worker->pace = worker->left = 1;
    worker->begun = now;
}

/* Called after as many items as the pace; returns 0 if the loop must stop. */
static FP_HELPER int
fp_look(fp_worker *worker)
{
    fp_watch *watch = worker->watch;
    double now = fp_coarse_now(), spent = now - worker->begun, pace = (double)worker->pace;
    pace = spent < FP_PACE ? pace * 64 : pace * (FP_PACE / spent);
    worker->pace = pace < 1 ? 1 : pace > 65536 ? 65536 : (npy_intp)pace;
    /* After the first item, continues up to an item at which vectors are aligned as at the beginning. */
    worker->left = worker->pace == 64 ? 63 : worker->pace;
    worker->begun = now;
    if (__atomic_load_n(&watch->stopped, __ATOMIC_RELAXED)) {
        return 0;
    }
    if (worker->looks && fp_is_interrupted()) { /* the handlers have run in an item */
        __atomic_store_n(&watch->stopped, 1, __ATOMIC_RELAXED);
        return 0;
    }
    if (!worker->looks || now - watch->looked < FP_PATIENCE) {
        return 1;
    }
    if (!fp_look_for_signals(watch)) {
        return 0;
    }
    watch->looked = worker->begun = fp_coarse_now();
    return 1;
}

/* ---- Items in their order ---------------------------------------------------------------------- */

/* Puts the dimensions in the order of the loop, joins those that are contiguous in every operand, and
 * removes those of one item. */
static FP_HELPER void
fp_coalesce(fp_map *joined, const fp_map *map, fp_operand *ops, int count)
{
    npy_intp strides[FP_MAX_DIMENSIONS];
    int i, k, ndim = 0;
    joined->count = map->count;
    for (k = 0; k < count && !fp_is_in_c_order(map); k++) {
        memcpy(strides, ops[k].strides, sizeof(strides));
        for (i = 0; i < map->ndim; i++) {
            ops[k].strides[i] = strides[map->order[i]];
        }
    }
    for (i = 0; i < map->ndim; i++) {
        npy_intp size = map->shape[map->order[i]];
        int joins = ndim > 0;
        if (size == 1) {
            continue;
        }
        for (k = 0; k < count && joins; k++) {
            joins = ops[k].strides[ndim - 1] == ops[k].strides[i] * size;
        }
        ndim += !joins;
        joined->shape[ndim - 1] = joins ? joined->shape[ndim - 1] * size : size;
        for (k = 0; k < count; k++) {
            ops[k].strides[ndim - 1] = ops[k].strides[i];
        }
    }
    joined->ndim = ndim;
}

/* The same over lists, in ragged_loop.h. */
static npy_intp fp_do_lists(const void *ragged, npy_intp first, npy_intp count, fp_worker *worker);

#define FP_NOT_RUN (-2)

/* Advances to the first item of the next row. */
static inline void
fp_next_row(const fp_run *run, char **data, const npy_intp *steps, npy_intp *index)
{
    const fp_map *map = run->map;
    int k, axis, last = map->ndim - 1;
    for (k = 0; k < run->count; k++) {
        data[k] -= index[last] * steps[k];
    }
    index[last] = 0;
    for (axis = last - 1; axis >= 0; axis--) {
        int wraps = ++index[axis] == map->shape[axis];
        for (k = 0; k < run->count; k++) {
            data[k] += run->ops[k].strides[axis] * (wraps ? 1 - map->shape[axis] : 1);
        }
        if (!wraps) {
            break;
        }
        index[axis] = 0;
    }
}

#define FP_MAX_SHARED 8192 /* bytes of the shared struct: three words for each argument at most */

/* Replaces run->loop if some scalars are missing for some items. The loop runs for one row after the
 * other of items with the same missing values, whose flags are in a copy of `shared`. */
static FP_HELPER npy_intp
fp_do_missing(const fp_run *run, char *const *data, const npy_intp *steps, npy_intp count, fp_worker *worker)
{
    union {
        char bytes[FP_MAX_SHARED];
        double aligned[2];
        void *pointer;
    } shared;
    char *here[FP_MAX_OPERANDS];
    const npy_intp at = worker->at;
    npy_intp done = 0, ran = 0, row = 0;
    int k;
    memcpy(shared.bytes, run->shared, run->shared_size);
    while (done < count && ran == row) {
        const fp_optional *o;
        row = count - done;
        for (o = run->optional; o->operand >= 0; o++) {
            const fp_operand *op = &run->ops[o->operand];
            const npy_intp step = steps[o->operand] / op->param->size;
            const char *missing;
            npy_intp same = 1;
            int given;
            if (op->missing == NULL) {
                continue;
            }
            missing = op->missing + (data[o->operand] - op->data) / op->param->size + done * step;
            while (same < row && missing[same * step] == *missing) {
                same++;
            }
            row = same;
            given = !*missing;
            memcpy(shared.bytes + o->flag, &given, sizeof(given));
        }
        for (k = 0; k < run->count; k++) {
            here[k] = data[k] + done * steps[k];
        }
        worker->at = at + done;
        ran = run->loop(shared.bytes, here, steps, row, worker);
        done += ran;
    }
    worker->at = at;
    return done;
}

static inline int
fp_run_lacks(const fp_run *run)
{
    const fp_optional *o = run->optional;
    while (o != NULL && o->operand >= 0 && run->ops[o->operand].missing == NULL) {
        o++;
    }
    return o != NULL && o->operand >= 0;
}

/* Runs `count` items from `first` on. Returns the index of the failed item, else -1, or FP_NOT_RUN if a
 * signal handler has raised. */
static FP_HELPER npy_intp
fp_do_items(const fp_run *run, npy_intp first, npy_intp count, fp_worker *worker)
{
    char *data[FP_MAX_OPERANDS];
    npy_intp steps[FP_MAX_OPERANDS], index[FP_MAX_DIMENSIONS], rest = first, end = first + count, at = first, row;
    const fp_map *map = run->map;
    int k, axis, last = map->ndim - 1, lacks = fp_run_lacks(run);
    if (run->loop == NULL) {
        return fp_do_lists(run->shared, first, count, worker);
    }
    for (k = 0; k < run->count; k++) {
        data[k] = run->ops[k].data;
        steps[k] = last < 0 ? 0 : run->ops[k].strides[last];
    }
    memset(index, 0, sizeof(*index) * (size_t)(last + 1));
    for (axis = last; rest > 0; axis--) { /* not for the first item: the divisions are noticeable in short calls */
        index[axis] = rest % map->shape[axis];
        rest /= map->shape[axis];
        for (k = 0; k < run->count; k++) {
            data[k] += index[axis] * run->ops[k].strides[axis];
        }
    }
    for (;;) {
        npy_intp pause = worker->left < end - at ? at + worker->left : end;
        worker->left -= pause - at;
        for (;;) {
            npy_intp done;
            row = last < 0 ? 1 : map->shape[last] - index[last];
            row = row < pause - at ? row : pause - at;
            worker->at = at;
            done = lacks ? fp_do_missing(run, data, steps, row, worker)
                         : run->loop(run->shared, data, steps, row, worker);
            if (done < row) {
                return at + done;
            }
            at += row;
            if (at == pause) {
                break;
            }
            fp_next_row(run, data, steps, index);
        }
        if (worker->left == 0 && !fp_look(worker)) {
            return FP_NOT_RUN;
        }
        if (at == end) {
            return -1;
        }
        if (index[last] + row == map->shape[last]) {
            fp_next_row(run, data, steps, index);
            continue;
        }
        index[last] += row;
        for (k = 0; k < run->count; k++) {
            data[k] += row * steps[k];
        }
    }
}

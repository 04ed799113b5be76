/* The loop over items, without the GIL, on several threads if that pays.
 *
 * Threads are started for a call and end with it. No thread waits between calls, so a fork loses no
 * workers, and threads of other libraries are not oversubscribed in the meantime. The interface sets
 * the maximal number of threads, and the process limits it: by `OMP_NUM_THREADS`, as in OpenMP, and by
 * fishplate_set_num_threads(), which thread pool controllers call. */

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

#define FP_MAX_THREADS 64
#define FP_FIRST_SHARE 100e-6 /* seconds of work on one thread before further threads are started */
#define FP_THREAD_PAYS 50e-6  /* seconds of work that are worth a thread */
#define FP_PACE 4e-3          /* seconds between two reads of the clock, which may tick no faster */

/* ---- Threads ---------------------------------------------------------------------------------- */

/* Set for this module by a thread pool controller, on any thread; 0: not set. */
FP_GLOBAL int fp_thread_limit;

/* The number of threads that the process may use: the limit that was set, OMP_NUM_THREADS, or the
 * number of processors. */
static FP_COLD int
fp_process_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    long count = text == NULL ? 0 : strtol(text, NULL, 10);
    int limit = __atomic_load_n(&fp_thread_limit, __ATOMIC_RELAXED);
    if (limit > 0) {
        return limit;
    }
    if (count < 1) {
        count = fp_processors();
    }
    return count < 1 ? 1 : count > FP_MAX_THREADS ? FP_MAX_THREADS : (int)count;
}

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

/* ---- Sharing ------------------------------------------------------------------------------------ */

/* The state that the threads of a call share. */
typedef struct {
    const fp_run *run;
    npy_intp next, share; /* the first item that no thread has taken, and the number of items to take */
    npy_intp failed;      /* the first item that failed; -1: none */
    fp_worker worker;     /* the reason of the failure */
    int active;           /* the number of running members besides the thread of the call */
    fp_condition ended;  /* signalled when a member ends */
    void *caller;         /* the caller that the warnings are for, if the module includes the glue headers */
    fp_mutex lock;
} fp_team;

typedef struct {
    fp_team *team;
    fp_worker worker;
    fp_thread thread;
} fp_member;

/* Reports a member's failure, unless one of an earlier item has been reported. */
static FP_COLD void
fp_report_failure(fp_team *team, const fp_worker *worker, npy_intp failed)
{
    int is_first = team->failed < 0 || failed < team->failed;
    const fp_worker *other = is_first ? &team->worker : worker;
    if (other->noted) {
        fp_drop_failure(other->why);
    }
    if (is_first) {
        team->failed = failed;
        team->worker.param = worker->param;
        team->worker.status = worker->status;
        team->worker.noted = worker->noted;
        if (worker->noted) {
            *team->worker.why = *worker->why;
        }
    }
}

static FP_COLD void
fp_report_warning(fp_team *team, const fp_worker *worker)
{
    fp_mutex_take(&team->lock);
    if (team->worker.warned == 0 || worker->warned < team->worker.warned) {
        team->worker.warned = worker->warned;
        *team->worker.warning = *worker->warning;
    }
    fp_mutex_free(&team->lock);
}

static void
fp_work(fp_member *member)
{
    fp_team *team = member->team;
    fp_failure why, warning;
    npy_intp count = team->run->map->count;
    member->worker.why = &why;
    member->worker.warning = &warning;
    for (;;) {
        npy_intp first, share, failed;
        fp_mutex_take(&team->lock);
        first = team->failed >= 0 ? count : team->next;
        share = team->share < count - first ? team->share : count - first;
        team->next = first + share;
        fp_mutex_free(&team->lock);
        if (share == 0) {
            if (member->worker.warned) {
                fp_report_warning(team, &member->worker);
            }
            return;
        }
        failed = fp_do_items(team->run, first, share, &member->worker);
        if (failed == FP_NOT_RUN) {
            return;
        }
        if (failed >= 0) {
            fp_mutex_take(&team->lock);
            fp_report_failure(team, &member->worker, failed);
            fp_mutex_free(&team->lock);
        }
    }
}

FP_THREAD(fp_work_aside, argument)
{
    fp_member *member = (fp_member *)argument;
    fp_team *team = member->team;
    if (fp_glue != NULL) {
        fp_glue->warn_for(team->caller);
    }
    fp_work(member);
    fp_mutex_take(&team->lock);
    team->active--;
    fp_condition_signal(&team->ended);
    fp_mutex_free(&team->lock);
    FP_THREAD_ENDS;
}

/* Waits for the other members, and checks for signals in the meantime: their items may be long ones. */
static FP_HELPER void
fp_await_members(fp_team *team, fp_watch *watch)
{
    fp_mutex_take(&team->lock);
    while (team->active > 0) {
        if (!fp_condition_wait(&team->ended, &team->lock, FP_PATIENCE)
            && !__atomic_load_n(&watch->stopped, __ATOMIC_RELAXED)) {
            fp_mutex_free(&team->lock);
            fp_look_for_signals(watch);
            fp_mutex_take(&team->lock);
        }
    }
    fp_mutex_free(&team->lock);
}

/* Runs the items from `first` on with `threads` threads, this one included. */
static FP_HELPER npy_intp
fp_share_items(const fp_run *run, npy_intp first, int threads, char *scratch, fp_worker *worker)
{
    fp_team team;
    fp_member members[FP_MAX_THREADS];
    int k, started;
    memset(&team, 0, sizeof(team));
    team.run = run;
    team.next = first;
    /* Several shares for each thread, as the cost of items may differ. */
    team.share = (run->map->count - first) / (4 * threads) + 1;
    team.failed = -1;
    team.worker = *worker;
    team.caller = fp_glue == NULL ? NULL : fp_glue->this_caller();
    fp_mutex_new(&team.lock);
    fp_condition_new(&team.ended);
    team.active = threads - 1;
    for (started = 1; started < threads; started++) {
        members[started].team = &team;
        memset(&members[started].worker, 0, sizeof(fp_worker));
        fp_begin_pace(&members[started].worker, worker->watch, 0, fp_coarse_now());
        if (scratch != NULL) {
            members[started].worker.scratch = scratch + run->scratch * started;
        }
        if (!fp_thread_start(&members[started].thread, fp_work_aside, &members[started])) {
            fp_mutex_take(&team.lock);
            team.active -= threads - started; /* the threads that have started do all the work */
            fp_mutex_free(&team.lock);
            break;
        }
    }
    members[0].team = &team;
    members[0].worker = *worker;
    members[0].worker.warned = 0;
    fp_work(&members[0]);
    fp_await_members(&team, worker->watch);
    for (k = 1; k < started; k++) {
        fp_thread_join(members[k].thread);
    }
    fp_condition_end(&team.ended);
    fp_mutex_end(&team.lock);
    *worker = team.worker;
    return team.failed;
}

/* Runs all items, on one thread until others pay. */
static FP_HELPER npy_intp
fp_do_all(const fp_run *run, int threads, char *scratch, fp_worker *worker)
{
    npy_intp done = 0, count = run->map->count, share = 1, failed;
    double begin, spent;
    if (threads <= 1 || count <= 1) {
        return fp_do_items(run, 0, count, worker);
    }
    begin = fp_now();
    for (;;) {
        share = share < count - done ? share : count - done;
        failed = fp_do_items(run, done, share, worker);
        done += share;
        if (failed != -1 || done == count) {
            return failed;
        }
        spent = fp_now() - begin;
        if (spent >= FP_FIRST_SHARE) {
            double left = spent / (double)done * (double)(count - done);
            int pay = left / FP_THREAD_PAYS < threads ? (int)(left / FP_THREAD_PAYS) : threads;
            return pay > 1 ? fp_share_items(run, done, pay, scratch, worker)
                           : fp_do_items(run, done, count - done, worker);
        }
        share *= 2;
    }
}

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

/* ---- In an item: without Python ----------------------------------------------------------------- */

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
fp_item_judged(fp_worker *worker, npy_intp i, int warns, const fp_failure *why)
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

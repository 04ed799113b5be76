/* Threads that share the items of a loop, if that pays.
 *
 * Threads are started for a call and end with it. No thread waits between calls, so a fork loses no
 * workers, and threads of other libraries are not oversubscribed in the meantime. The interface sets
 * the maximal number of threads, and the process limits it: by `OMP_NUM_THREADS`, as in OpenMP, and by
 * fishplate_set_num_threads(), which thread pool controllers call. */

#define FP_MAX_THREADS 64
#define FP_FIRST_SHARE 100e-6 /* seconds of work on one thread before further threads are started */
#define FP_THREAD_PAYS 50e-6  /* seconds of work that are worth a thread */

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

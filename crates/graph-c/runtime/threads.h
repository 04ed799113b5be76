/* Threads, for steps with enough work.
 *
 * Workers are started when they are first needed, and serve one step at a time: while they do, the steps of other calls
 * run on their own threads alone. A worker waits actively for some microseconds after a step, since the next one is often
 * near, and then sleeps. A caller never waits for a worker to wake, but takes back each step that no worker has begun.
 * The results do not depend on the number of threads.
 *
 * In the child of a fork there are no workers, and new ones are started. */
#ifndef FP_THREADS
#define FP_THREADS

#ifdef __linux__
#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE: which processors a process may use is a question to Linux"
#endif
#endif
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "base.h"

enum { FP_MAX_TEAM = 64 };
#define FP_THREAD_PAYS 10e3 /* nanoseconds of work for which a thread pays */
enum { FP_TURNS = 4000 };   /* of active waiting: some tens of microseconds */

/* Computes one part of a job. `worker`: the index of the team member. */
typedef void (*fp_part)(void *job, fp_size part, int worker);

static int fp_thread_limit; /* 0: as many as the process may use */

void
fp_set_threads(int count)
{
    fp_thread_limit = count < 0 ? 0 : count > FP_MAX_TEAM ? FP_MAX_TEAM : count;
}

int
fp_get_threads(void)
{
    const char *text = fp_thread_limit > 0 ? NULL : getenv("OMP_NUM_THREADS");
    long count = fp_thread_limit > 0 ? fp_thread_limit : text == NULL ? 0 : strtol(text, NULL, 10);
    if (count < 1) {
#ifdef __linux__
        cpu_set_t set;
        count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
#else
        count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    }
    return count < 1 ? 1 : count > FP_MAX_TEAM ? FP_MAX_TEAM : (int)count;
}

/* The number of threads that pays for this much work, in nanoseconds. */
static int
fp_team_for(double work, fp_size parts)
{
    double most = work / FP_THREAD_PAYS;
    int threads;
    if (FP_LIKELY(most < 2 || parts < 2)) {
        return 1;
    }
    threads = fp_get_threads();
    threads = threads < most ? threads : (int)most;
    return threads < parts ? threads : (int)parts;
}

/* ---- Teams ------------------------------------------------------------------------------------------ */

/* A member's own parts: the members take turns along all parts. Aligned, so that they do not wait for each other's
 * memory. */
typedef struct {
    __attribute__((aligned(64))) fp_size next; /* the first that has not been taken */
} fp_turns;

/* The caller and the workers that share a step. */
typedef struct {
    fp_part part;
    void *job;
    fp_size parts;
    fp_size some;        /* the number of parts that are taken at a time */
    int members;
    int others;          /* the workers that may still use this memory */
    fp_turns turns[FP_MAX_TEAM];
} fp_team;

/* Takes the worker's own parts, and then what is left of the others'. So a part that is computed call after call is
 * mostly computed by the same processor, which has its memory in cache. */
static void
fp_work_along(fp_team *team, int worker)
{
    const fp_size step = team->some * team->members;
    int k;
    for (k = 0; k < team->members; k++) {
        fp_size *next = &team->turns[(worker + k) % team->members].next, part, last;
        while ((part = __atomic_fetch_add(next, step, __ATOMIC_RELAXED)) < team->parts) {
            last = part + team->some;
            for (last = last < team->parts ? last : team->parts; part < last; part++) {
                team->part(team->job, part, worker);
            }
        }
    }
}

/* ---- Workers ---------------------------------------------------------------------------------------- */

/* Aligned, so that the workers do not wait for each other's memory. */
typedef struct {
    __attribute__((aligned(128))) fp_team *team; /* that it is to join; NULL: none */
    int sleeps, number;
    pthread_mutex_t mutex;
    pthread_cond_t wakes;
    pthread_t thread;
} fp_worker;

/* The workers of this process, from 1 on. */
static struct {
    long owner; /* the process of the call that uses them; 0: none does */
    long process;
    int started;
    fp_worker workers[FP_MAX_TEAM];
} fp_pool;

static inline void
fp_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Takes the team that the worker is to join; NULL: there is none. */
static inline fp_team *
fp_take_team(fp_worker *worker)
{
    return __atomic_load_n(&worker->team, __ATOMIC_RELAXED) == NULL
               ? NULL
               : __atomic_exchange_n(&worker->team, NULL, __ATOMIC_SEQ_CST);
}

static fp_team *
fp_await_team(fp_worker *worker)
{
    fp_team *team;
    int turn;
    for (turn = 0; turn < FP_TURNS; turn++) {
        team = fp_take_team(worker);
        if (team != NULL) {
            return team;
        }
        fp_relax();
    }
    pthread_mutex_lock(&worker->mutex);
    __atomic_store_n(&worker->sleeps, 1, __ATOMIC_SEQ_CST);
    while ((team = __atomic_exchange_n(&worker->team, NULL, __ATOMIC_SEQ_CST)) == NULL) {
        pthread_cond_wait(&worker->wakes, &worker->mutex);
    }
    __atomic_store_n(&worker->sleeps, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&worker->mutex);
    return team;
}

static fp_team fp_end_of_work; /* with which a worker ends */

static void *
fp_serve(void *argument)
{
    fp_worker *worker = (fp_worker *)argument;
    for (;;) {
        fp_team *team = fp_await_team(worker);
        if (team == &fp_end_of_work) {
            return NULL;
        }
        fp_work_along(team, worker->number);
        __atomic_fetch_sub(&team->others, 1, __ATOMIC_RELEASE);
    }
}

/* Gives a worker its team, and wakes it if it sleeps. */
static void
fp_send(fp_worker *worker, fp_team *team)
{
    __atomic_store_n(&worker->team, team, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&worker->sleeps, __ATOMIC_SEQ_CST)) {
        pthread_mutex_lock(&worker->mutex);
        pthread_cond_signal(&worker->wakes);
        pthread_mutex_unlock(&worker->mutex);
    }
}

/* Starts workers until there are this many; returns how many there are. Signals are for other threads. */
static int
fp_start_workers(int wanted)
{
    sigset_t all, before;
    if (fp_pool.started >= wanted) {
        return wanted;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (fp_pool.started < wanted) {
        fp_worker *worker = &fp_pool.workers[fp_pool.started + 1];
        memset(worker, 0, sizeof(*worker));
        worker->number = fp_pool.started + 1;
        pthread_mutex_init(&worker->mutex, NULL);
        pthread_cond_init(&worker->wakes, NULL);
        if (pthread_create(&worker->thread, NULL, fp_serve, worker) != 0) {
            pthread_cond_destroy(&worker->wakes);
            pthread_mutex_destroy(&worker->mutex);
            break; /* the existing ones do all parts */
        }
#ifndef FP_EXPORTED
        pthread_detach(worker->thread);
#endif
        fp_pool.started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return fp_pool.started;
}

#ifdef FP_EXPORTED
/* The code of a library must not be unmapped under its workers. */
__attribute__((destructor)) static void
fp_end_workers(void)
{
    int k;
    for (k = 1; k <= fp_pool.started && fp_pool.process == (long)getpid(); k++) {
        fp_send(&fp_pool.workers[k], &fp_end_of_work);
        pthread_join(fp_pool.workers[k].thread, NULL);
    }
}
#endif

/* ---- Steps ------------------------------------------------------------------------------------------ */

/* Runs all parts with this many workers, or fewer, and the current thread. */
static void
fp_share_with(fp_team *team, int workers)
{
    long process = (long)getpid(), owner = __atomic_load_n(&fp_pool.owner, __ATOMIC_RELAXED);
    int k, turn = 0;
    /* In a child process, the owner may be a thread of the parent. */
    if (owner == process
        || !__atomic_compare_exchange_n(&fp_pool.owner, &owner, process, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        fp_work_along(team, 0);
        return;
    }
    if (fp_pool.process != process) {
        fp_pool.process = process;
        fp_pool.started = 0;
    }
    workers = fp_start_workers(workers);
    team->others = workers;
    for (k = 1; k <= workers; k++) {
        fp_send(&fp_pool.workers[k], team);
    }
    fp_work_along(team, 0);
    for (k = 1; k <= workers; k++) {
        fp_team *sent = team;
        if (__atomic_compare_exchange_n(&fp_pool.workers[k].team, &sent, NULL, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
            __atomic_fetch_sub(&team->others, 1, __ATOMIC_RELAXED);
        }
    }
    while (__atomic_load_n(&team->others, __ATOMIC_ACQUIRE) > 0) {
        if (turn < FP_TURNS) {
            turn++;
            fp_relax();
        }
        else {
            sched_yield();
        }
    }
    __atomic_store_n(&fp_pool.owner, 0, __ATOMIC_RELEASE);
}

/* Runs all parts on this many threads, including the current one. */
static void
fp_share_out(fp_part part, void *job, fp_size parts, int threads)
{
    fp_team team;
    int k;
    team.part = part;
    team.job = job;
    team.parts = parts;
    team.some = threads > 1 ? parts / (16 * threads) + 1 : parts;
    team.members = threads;
    team.others = 0;
    for (k = 0; k < threads; k++) {
        team.turns[k].next = k * team.some;
    }
    if (threads > 1) {
        fp_share_with(&team, threads - 1);
    }
    else {
        fp_work_along(&team, 0);
    }
}

#endif

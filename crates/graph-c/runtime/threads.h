/* Threads, for steps with enough work.
 *
 * They are started for a step and end with it: no worker idles, so a fork loses none, and
 * threads of other libraries are not oversubscribed between steps. The division of the work does
 * not depend on the number of threads, so the results do not either. */
#ifndef FP_THREADS
#define FP_THREADS

#ifdef __linux__
#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE: which processors a process may use is a question to Linux"
#endif
#include <sched.h>
#endif
#include <pthread.h>
#include <unistd.h>

#include "base.h"

enum { FP_MAX_TEAM = 64 };
#define FP_THREAD_PAYS 100e3 /* nanoseconds of work for which a thread pays */

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

typedef struct {
    fp_part part;
    void *job;
    fp_size parts, next; /* `next` is the first part that has not been taken */
} fp_team;

typedef struct {
    fp_team *team;
    int worker;
    pthread_t thread;
} fp_member;

static void *
fp_work_along(void *argument)
{
    fp_member *member = (fp_member *)argument;
    fp_team *team = member->team;
    for (;;) {
        fp_size part = __atomic_fetch_add(&team->next, 1, __ATOMIC_RELAXED);
        if (part >= team->parts) {
            return NULL;
        }
        team->part(team->job, part, member->worker);
    }
}

/* Runs all parts on this many threads, including the current one. */
static void
fp_share_out(fp_part part, void *job, fp_size parts, int threads)
{
    fp_team team;
    fp_member members[FP_MAX_TEAM];
    int k, started = 1;
    team.part = part;
    team.job = job;
    team.parts = parts;
    team.next = 0;
    for (; started < threads; started++) {
        members[started].team = &team;
        members[started].worker = started;
        if (pthread_create(&members[started].thread, NULL, fp_work_along, &members[started]) != 0) {
            break; /* the existing ones do all parts */
        }
    }
    members[0].team = &team;
    members[0].worker = 0;
    fp_work_along(&members[0]);
    for (k = 1; k < started; k++) {
        pthread_join(members[k].thread, NULL);
    }
}

#endif

/* Warnings that are pending until a language boundary.
 *
 * Purpose: store warnings of native code until a call returns to Python, which raises them.
 * Invariant: a warning that is recorded during a call is raised by that call, also if other calls
 * are nested in it, or a worker thread recorded it for the call. Nothing of Python is used here,
 * and storing a warning waits for other threads only for a few assignments.
 * Reason: a library that is independent of Python and the module that binds it are two shared
 * libraries. Both find the same registry, because its symbol is unique in the process. Warnings of
 * a call's own thread need no lock: they are stored in the call, which the thread finds by its own
 * record. */
#ifndef FISHPLATE_REGISTRY_H
#define FISHPLATE_REGISTRY_H

#include "attributes.h"

#ifdef _WIN32
#error "Fishplate's headers for warnings do not support Windows"
#endif

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <errno.h>
#include <sys/syscall.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The limit on pending warnings in a queue; further ones are only counted. */
enum { FP_GLUE_MOST_WARNINGS = 1000 };

/* The origin of warnings: a call, or a thread outside of calls. NULL: unknown. */
typedef struct fp_glue_caller *fp_caller;

typedef struct fp_glue_warning {
    struct fp_glue_warning *next;
    void *category; /* a Python class, borrowed; NULL: specified by `kind` */
    int kind;
    fp_caller caller;
    char text[1]; /* flexible length */
} fp_glue_warning;

typedef struct {
    fp_glue_warning *first, *last;
    int count, left_out;
    int pending; /* count + left_out: read without the lock; 0: the rest may not be set yet */
} fp_glue_queue;

struct fp_glue_thread;

/* A call from Python to native code, on the stack of its thread. */
typedef struct fp_glue_call {
    struct fp_glue_call *outer;
    struct fp_glue_thread *thread;
    fp_glue_queue noted; /* by its own thread */
    fp_caller caller;    /* NULL until it is needed */
} fp_glue_call;

typedef struct fp_glue_thread {
    fp_glue_call *call;  /* the innermost */
    fp_caller warns_for; /* NULL: its own call */
    int is_attached;     /* within an fp::gil_acquire of a thread that Python did not start */
} fp_glue_thread;

/* One per process. The layout belongs to the symbol's name: change both. */
typedef struct {
    int lock;     /* the process whose thread holds it */
    int process;  /* the process that owns the queue: a fork starts with an empty one */
    int is_heard; /* some library of the process raises warnings in Python */
    int has_key;
    pthread_key_t threads;
    fp_glue_queue noted; /* outside of calls, and for calls of other threads */
    uintptr_t calls;     /* how many of them have a caller */
} fp_glue_registry;

#ifdef __ELF__
extern __attribute__((visibility("default"))) fp_glue_registry fishplate_registry_1;
/* A unique symbol: the dynamic linker resolves it to the first one for all libraries of a process,
 * also for those that are loaded locally, as Python loads modules. Zeros are an unlocked, empty
 * registry. */
__asm__(".pushsection .data.fishplate_registry_1,\"awG\",%progbits,fishplate_registry_1,comdat\n"
        ".weak fishplate_registry_1\n"
        ".type fishplate_registry_1,%gnu_unique_object\n"
        ".size fishplate_registry_1,256\n"
        ".balign 64\n"
        "fishplate_registry_1:\n"
        ".zero 256\n"
        ".popsection\n");
typedef char fp_glue_registry_fits[sizeof(fp_glue_registry) <= 256 ? 1 : -1];
#else
__attribute__((weak, visibility("default"))) fp_glue_registry fishplate_registry_1;
#endif

/* ---- The lock ----------------------------------------------------------------------------------- */

/* The owner is a process: in a fork, a lock that another thread of the parent held is free. */
static inline void
fp_glue_lock(fp_glue_registry *registry)
{
    int process = (int)getpid(), holder = 0;
    while (!__atomic_compare_exchange_n(&registry->lock, &holder, process, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        if (holder == process) {
            sched_yield();
            holder = 0;
        }
    }
    if (registry->process != process) {
        /* Warnings of threads that the fork does not have; their list may be half written. */
        fp_glue_queue empty = {NULL, NULL, 0, 0, 0};
        registry->noted = empty;
        registry->process = process;
    }
}

static inline void
fp_glue_unlock(fp_glue_registry *registry)
{
    __atomic_store_n(&registry->lock, 0, __ATOMIC_RELEASE);
}

/* ---- Threads ------------------------------------------------------------------------------------ */

FP_GLUE_SHARED __thread fp_glue_thread *fp_glue_known_thread = NULL;
/* Used if memory is short for a record that other libraries find, too. */
FP_GLUE_SHARED __thread fp_glue_thread fp_glue_lone_thread = {NULL, NULL, 0};

/* The thread's record, which libc frees when the thread ends. */
FP_GLUE_SHARED FP_GLUE_COLD fp_glue_thread *
fp_glue_find_thread(void)
{
    fp_glue_registry *registry = &fishplate_registry_1;
    fp_glue_thread *thread = NULL;
    fp_glue_lock(registry);
    if (!registry->has_key) {
        registry->has_key = pthread_key_create(&registry->threads, free) == 0;
    }
    fp_glue_unlock(registry);
    if (registry->has_key) {
        thread = (fp_glue_thread *)pthread_getspecific(registry->threads);
        if (thread == NULL) {
            thread = (fp_glue_thread *)calloc(1, sizeof(fp_glue_thread));
            if (thread != NULL && pthread_setspecific(registry->threads, thread) != 0) {
                free(thread);
                thread = NULL;
            }
        }
    }
    if (thread == NULL) {
        thread = &fp_glue_lone_thread;
    }
    fp_glue_known_thread = thread;
    return thread;
}

static inline fp_glue_thread *
fp_glue_this_thread(void)
{
    fp_glue_thread *thread = fp_glue_known_thread;
    return FP_GLUE_LIKELY(thread != NULL) ? thread : fp_glue_find_thread();
}

/* ---- Callers ------------------------------------------------------------------------------------ */

/* The system's number of a thread in the low bits, above it that of a call: 0 outside of calls. */
enum { FP_GLUE_THREAD_BITS = 22 };

#ifdef __linux__
#ifndef __cplusplus
extern long syscall(long number, ...); /* not declared in strict C */
#endif
static inline uintptr_t
fp_glue_thread_number(void)
{
    return (uintptr_t)syscall(SYS_gettid);
}

static inline int
fp_glue_is_alive(uintptr_t thread)
{
    int before = errno, is_gone = syscall(SYS_tgkill, (long)getpid(), (long)thread, 0L) != 0 && errno == ESRCH;
    errno = before;
    return !is_gone;
}
#else
static inline uintptr_t
fp_glue_thread_number(void)
{
    return ((uintptr_t)fp_glue_this_thread() >> 4) & (((uintptr_t)1 << FP_GLUE_THREAD_BITS) - 1);
}

static inline int
fp_glue_is_alive(uintptr_t thread)
{
    (void)thread;
    return 1;
}
#endif

static inline uintptr_t
fp_glue_thread_of(fp_caller caller)
{
    return (uintptr_t)caller & (((uintptr_t)1 << FP_GLUE_THREAD_BITS) - 1);
}

/* The identifier for other threads of the call that this thread is in, or of this thread if it is
 * in none. */
FP_GLUE_SHARED fp_caller
fp_glue_name_caller(fp_glue_thread *thread)
{
    fp_glue_registry *registry = &fishplate_registry_1;
    fp_glue_call *call = thread->call;
    uintptr_t number = 0;
    if (call != NULL && call->caller != NULL) {
        return call->caller;
    }
    if (call != NULL) {
        const uintptr_t most = UINTPTR_MAX >> FP_GLUE_THREAD_BITS;
        fp_glue_lock(registry);
        number = registry->calls = registry->calls % most + 1;
        fp_glue_unlock(registry);
    }
    number = number << FP_GLUE_THREAD_BITS | fp_glue_thread_number();
    if (call != NULL) {
        call->caller = (fp_caller)number;
    }
    return (fp_caller)number;
}

/* Whether a call that ends (NULL: a function without one) raises the warnings for `caller`. */
static inline int
fp_glue_is_answered(fp_caller caller, const fp_glue_thread *thread, const fp_glue_call *call,
                    uintptr_t number)
{
    const fp_glue_call *outer = call == NULL ? NULL : call->outer;
    if (caller == NULL || (call != NULL && caller == call->caller)) {
        return 1;
    }
    if (fp_glue_thread_of(caller) != number) {
        return !fp_glue_is_alive(fp_glue_thread_of(caller));
    }
    if ((uintptr_t)caller >> FP_GLUE_THREAD_BITS == 0) {
        return outer == NULL;
    }
    /* A call in which another one is nested raises its own warnings; one that has returned cannot.
     * */
    for (outer = call == NULL ? thread->call : outer; outer != NULL; outer = outer->outer) {
        if (outer->caller == caller) {
            return 0;
        }
    }
    return 1;
}

/* ---- Queues ------------------------------------------------------------------------------------- */

static inline void
fp_glue_append(fp_glue_queue *queue, fp_glue_warning *warning)
{
    if (queue->first == NULL) {
        queue->first = warning;
    }
    else {
        queue->last->next = warning;
    }
    queue->last = warning;
    queue->count++;
}

static inline void
fp_glue_count(fp_glue_queue *queue)
{
    __atomic_store_n(&queue->pending, queue->count + queue->left_out, __ATOMIC_RELAXED);
}

/* Appends a warning (NULL: out of memory), taking ownership. */
static inline void
fp_glue_store(fp_glue_queue *queue, fp_glue_warning *warning)
{
    if (queue->pending == 0) {
        queue->first = queue->last = NULL;
        queue->count = queue->left_out = 0;
    }
    if (warning != NULL && queue->count >= FP_GLUE_MOST_WARNINGS) {
        fp_glue_warning *oldest = queue->first;
        if (oldest->caller != warning->caller) {
            /* It may never be raised. */
            queue->first = oldest->next;
            queue->count--;
            fp_glue_append(queue, warning);
            warning = oldest;
        }
        free(warning);
        warning = NULL;
        queue->left_out++;
    }
    else if (warning != NULL) {
        fp_glue_append(queue, warning);
    }
    else {
        queue->left_out++;
    }
    fp_glue_count(queue);
}

/* Stores a warning for its origin. `is_called`: by a thread that is called by Python. */
FP_GLUE_SHARED FP_GLUE_COLD FP_GLUE_FORMAT(4, 0) void
fp_glue_note(void *category, int kind, int is_called, const char *format, va_list arguments)
{
    fp_glue_registry *registry = &fishplate_registry_1;
    fp_glue_thread *thread = fp_glue_this_thread();
    fp_glue_warning *warning = NULL;
    va_list again;
    int length;
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0) {
        warning = (fp_glue_warning *)malloc(sizeof(fp_glue_warning) + (size_t)length);
    }
    if (warning != NULL) {
        vsnprintf(warning->text, (size_t)length + 1, format, again);
        warning->next = NULL;
        warning->category = category;
        warning->kind = kind;
        warning->caller = thread->warns_for;
    }
    va_end(again);
    if (warning != NULL && !__atomic_load_n(&registry->is_heard, __ATOMIC_RELAXED)) {
        fprintf(stderr, "warning: %s\n", warning->text);
        free(warning);
        return;
    }
    if (thread->warns_for == NULL && thread->call != NULL) {
        fp_glue_store(&thread->call->noted, warning);
        return;
    }
    if (warning != NULL && warning->caller == NULL && is_called && !thread->is_attached) {
        warning->caller = fp_glue_name_caller(thread);
    }
    fp_glue_lock(registry);
    fp_glue_store(&registry->noted, warning);
    fp_glue_unlock(registry);
}

/* Takes the warnings that a call which ends (NULL: a function without one) has to raise, its own
 * first. */
FP_GLUE_SHARED FP_GLUE_COLD fp_glue_warning *
fp_glue_take(fp_glue_thread *thread, fp_glue_call *call, int *left_out)
{
    fp_glue_registry *registry = &fishplate_registry_1;
    fp_glue_queue taken = {NULL, NULL, 0, 0, 0}, rest = taken;
    fp_glue_warning *warning, *next;
    if (call != NULL && call->noted.pending != 0) {
        taken = call->noted;
        call->noted.pending = 0;
    }
    if (__atomic_load_n(&registry->noted.pending, __ATOMIC_RELAXED)) {
        uintptr_t number = fp_glue_thread_number();
        fp_glue_lock(registry);
        for (warning = registry->noted.first; warning != NULL; warning = next) {
            next = warning->next;
            warning->next = NULL;
            fp_glue_append(fp_glue_is_answered(warning->caller, thread, call, number) ? &taken : &rest,
                           warning);
        }
        taken.left_out += registry->noted.left_out;
        registry->noted.first = rest.first;
        registry->noted.last = rest.last;
        registry->noted.count = rest.count;
        registry->noted.left_out = 0;
        fp_glue_count(&registry->noted);
        fp_glue_unlock(registry);
    }
    *left_out = taken.left_out;
    return taken.first;
}

/* ---- Calls -------------------------------------------------------------------------------------- */

static inline void
fp_glue_begin_call(fp_glue_call *call)
{
    fp_glue_thread *thread = fp_glue_this_thread();
    call->outer = thread->call;
    call->thread = thread;
    call->noted.pending = 0;
    call->caller = NULL;
    thread->call = call;
}

FP_GLUE_SHARED FP_GLUE_COLD void
fp_glue_free_warnings(fp_glue_warning *warning)
{
    while (warning != NULL) {
        fp_glue_warning *next = warning->next;
        free(warning);
        warning = next;
    }
}

/* Ends a call, with any result. */
static inline void
fp_glue_end_call(fp_glue_call *call)
{
    call->thread->call = call->outer;
    if (!FP_GLUE_LIKELY(call->noted.pending == 0)) {
        fp_glue_free_warnings(call->noted.first);
    }
}

/* Whether there are warnings to raise, perhaps of other origins. */
static inline int
fp_glue_is_warned(const fp_glue_call *call)
{
    return (call != NULL && call->noted.pending != 0)
           || __atomic_load_n(&fishplate_registry_1.noted.pending, __ATOMIC_RELAXED) != 0;
}

#ifdef __cplusplus
}
#endif

#endif

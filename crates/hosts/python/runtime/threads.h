/* Threads, locks and clocks: those of POSIX, or of Windows.
 *
 * A lock that is all zeros is free. */

#ifdef _WIN32

typedef SRWLOCK fp_mutex;
typedef CONDITION_VARIABLE fp_condition;
typedef HANDLE fp_thread;

#define fp_mutex_new(m) InitializeSRWLock(m)
#define fp_mutex_take(m) AcquireSRWLockExclusive(m)
#define fp_mutex_free(m) ReleaseSRWLockExclusive(m)
#define fp_mutex_end(m) ((void)(m))
#define fp_condition_new(c) InitializeConditionVariable(c)
#define fp_condition_signal(c) WakeConditionVariable(c)
#define fp_condition_end(c) ((void)(c))

/* A function for a thread. */
#define FP_THREAD(name, argument) static FP_UNUSED DWORD WINAPI name(LPVOID argument)
#define FP_THREAD_ENDS return 0

/* Returns 0 if the system has no further thread. */
static FP_UNUSED int
fp_thread_start(fp_thread *thread, LPTHREAD_START_ROUTINE function, void *argument)
{
    *thread = CreateThread(NULL, 0, function, argument, 0, NULL);
    return *thread != NULL;
}

static FP_UNUSED void
fp_thread_join(fp_thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

/* Waits for a signal, with the lock; returns 0 if there was none in the given time. */
static FP_UNUSED int
fp_condition_wait(fp_condition *condition, fp_mutex *mutex, double seconds)
{
    return SleepConditionVariableSRW(condition, mutex, (DWORD)(seconds * 1e3), 0) != 0;
}

/* The number of processors that this process may use. */
static FP_UNUSED long
fp_processors(void)
{
    return (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

static FP_UNUSED double
fp_now(void)
{
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}

/* The time to some milliseconds: reading a precise clock costs more than many items. */
static FP_UNUSED double
fp_coarse_now(void)
{
    return 1e-3 * (double)GetTickCount64();
}

#else

typedef pthread_mutex_t fp_mutex;
typedef pthread_cond_t fp_condition;
typedef pthread_t fp_thread;

#define fp_mutex_new(m) (void)pthread_mutex_init(m, NULL)
#define fp_mutex_take(m) (void)pthread_mutex_lock(m)
#define fp_mutex_free(m) (void)pthread_mutex_unlock(m)
#define fp_mutex_end(m) (void)pthread_mutex_destroy(m)
#define fp_condition_new(c) (void)pthread_cond_init(c, NULL)
#define fp_condition_signal(c) (void)pthread_cond_signal(c)
#define fp_condition_end(c) (void)pthread_cond_destroy(c)

#define FP_THREAD(name, argument) static FP_UNUSED void *name(void *argument)
#define FP_THREAD_ENDS return NULL

static FP_UNUSED int
fp_thread_start(fp_thread *thread, void *(*function)(void *), void *argument)
{
    return pthread_create(thread, NULL, function, argument) == 0;
}

static FP_UNUSED void
fp_thread_join(fp_thread thread)
{
    (void)pthread_join(thread, NULL);
}

static FP_UNUSED int
fp_condition_wait(fp_condition *condition, fp_mutex *mutex, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(condition, mutex, &until) == 0;
}

static FP_UNUSED long
fp_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
#else
    return sysconf(_SC_NPROCESSORS_ONLN);
#endif
}

static FP_UNUSED double
fp_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static FP_UNUSED double
fp_coarse_now(void)
{
    struct timespec t;
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
#else
    clock_gettime(CLOCK_MONOTONIC, &t);
#endif
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif

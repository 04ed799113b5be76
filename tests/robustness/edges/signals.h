#include <time.h>

static inline void work(double seconds)
{
    struct timespec t;
    t.tv_sec = (time_t)seconds;
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    if (seconds > 0) {
        while (nanosleep(&t, &t) != 0) {
        }
    }
}

static inline int work_status(double seconds)
{
    work(seconds);
    return 0;
}

static inline void work_cores(double seconds, int n, double *y)
{
    int k;
    work(seconds);
    for (k = 0; k < n; k++) {
        y[k] = 1;
    }
}

static inline void work_each(int n, const double *seconds, double *y)
{
    int k;
    for (k = 0; k < n; k++) {
        work(seconds[k]);
        y[k] = 1;
    }
}

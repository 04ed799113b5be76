/* fp_interrupted(): whether C should return early, because of Ctrl-C for instance.
 *
 *     for (i = 0; i < n; i++) {
 *         if (fp_interrupted()) {
 *             return;
 *         }
 *         ...
 *
 * It takes a few nanoseconds, on any thread, with and without the GIL. If no Python module of
 * Fishplate's has called C it is 0, as in Lua. After C has returned, Python raises the exception of
 * the signal handler or callback, instead of the result.
 *
 * Modules of Fishplate set the variable when they are imported. It is weak: each library has one,
 * however many of its files include this. */

#ifndef FISHPLATE_INTERRUPT_H
#define FISHPLATE_INTERRUPT_H

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak, visibility("default"))) int (*fishplate_interrupt)(void);

#ifdef __cplusplus
}
#endif

static inline int
fp_interrupted(void)
{
    return fishplate_interrupt != 0 && fishplate_interrupt();
}

#endif

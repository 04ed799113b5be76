/* fishplate/warn.h: warnings of a library that is independent of Python. C99 and C++.
 *
 * Purpose: fp_warn() records a warning, on any thread. When the call that used the library returns
 * to Python, it becomes a Python warning.
 * Invariant: needs neither Python.h nor the GIL, and links only to libc.
 * Reason: the library may be used without Python, and by several modules at once. In a process
 * without a module that raises warnings, they are written to stderr.
 *
 *     fp_warn(FP_RUNTIME_WARNING, "no convergence after %d steps", steps); */
#ifndef FISHPLATE_WARN_H
#define FISHPLATE_WARN_H

#include "registry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Python's categories. */
enum {
    FP_USER_WARNING,
    FP_RUNTIME_WARNING,
    FP_DEPRECATION_WARNING,
    FP_FUTURE_WARNING,
    FP_RESOURCE_WARNING
};

FP_GLUE_SHARED FP_GLUE_COLD FP_GLUE_FORMAT(2, 3) void
fp_warn(int kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fp_glue_note(NULL, kind, 0, format, arguments);
    va_end(arguments);
}

/* The call from Python that this thread is in, for worker threads. */
static inline fp_caller
fp_this_caller(void)
{
    fp_glue_thread *thread = fp_glue_this_thread();
    return thread->warns_for != NULL ? thread->warns_for : fp_glue_name_caller(thread);
}

/* From now on, warnings of this thread are raised when `caller` returns to Python, which has to
 * wait for this thread. NULL ends it. Returns the previous value. */
static inline fp_caller
fp_warn_for(fp_caller caller)
{
    fp_glue_thread *thread = fp_glue_this_thread();
    fp_caller before = thread->warns_for;
    thread->warns_for = caller;
    return before;
}

#ifdef __cplusplus
}

namespace fp {
inline namespace v1 {

// For the scope, this thread warns for `caller` (fp_this_caller() there).
class warn_for {
public:
    explicit warn_for(fp_caller caller) : before_(fp_warn_for(caller)) {}
    ~warn_for() { fp_warn_for(before_); }
    warn_for(const warn_for &) = delete;
    warn_for &operator=(const warn_for &) = delete;

private:
    fp_caller before_;
};

} // namespace v1
} // namespace fp
#endif

/* In a module that Fishplate generates. */
#if defined(FISHPLATE_PYTHON_H) && !defined(FISHPLATE_WARNINGS_H)
#include "generated.h"
#endif

#endif

// The GIL, for a scope.
//
// Invariant: leaving the scope restores the thread's previous state; scopes may be nested, in any
// order.
// Reason: in free-threaded builds there is no lock, but a thread still has to be attached to Python
// to call it, and detached while it waits: the same two objects do that.
#ifndef FISHPLATE_GIL_HPP
#define FISHPLATE_GIL_HPP

#include "warnings.h"

#include <exception>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

// A thread that is being ended (Python before 3.14 does that to threads that outlive it) is unwound
// by an exception that must not be swallowed.
#ifdef __GLIBCXX__
#define FP_GLUE_LET_THREADS_END               \
    catch (const abi::__forced_unwind &)      \
    {                                         \
        throw;                                \
    }
#else
#define FP_GLUE_LET_THREADS_END
#endif

namespace fp {
inline namespace v1 {
namespace detail {

// Python has been finalized, and this thread calls it: it stops here, as from Python 3.14 on. To
// unwind it would run destructors that need the GIL, while the process ends.
[[noreturn]] FP_GLUE_COLD inline void stop_thread()
{
    for (;;) {
        pause();
    }
}

template <class Attach> inline void attach_or_stop(Attach attach)
{
#ifdef __GLIBCXX__
    try {
        attach();
    }
    catch (const abi::__forced_unwind &) {
        stop_thread();
    }
#else
    attach();
#endif
}

} // namespace detail

// For the scope, this thread may call Python: also one that is unknown to Python, and one that is
// attached already.
class gil_acquire {
public:
    gil_acquire()
    {
        if (fp_glue_current() == nullptr) {
            attach();
        }
    }
    ~gil_acquire()
    {
        if (is_new_) {
            detach();
        }
    }
    gil_acquire(const gil_acquire &) = delete;
    gil_acquire &operator=(const gil_acquire &) = delete;

private:
    FP_GLUE_COLD void attach()
    {
        is_new_ = true;
        is_foreign_ = PyGILState_GetThisThreadState() == nullptr;
        detail::attach_or_stop([this] { before_ = PyGILState_Ensure(); });
        fp_glue_this_thread()->is_attached += is_foreign_;
    }
    FP_GLUE_COLD void detach()
    {
        fp_glue_this_thread()->is_attached -= is_foreign_;
        // A thread that is being ended has lost the GIL by now.
        if (fp_glue_current() != nullptr) {
            PyGILState_Release(before_);
        }
    }
    bool is_new_ = false, is_foreign_ = false;
    PyGILState_STATE before_ = PyGILState_LOCKED;
};

// For the scope, other threads may call Python, and this one must not. A no-op if the thread does
// not hold the GIL.
class gil_release {
public:
    gil_release() : thread_(fp_glue_current() != nullptr ? PyEval_SaveThread() : nullptr) {}
    ~gil_release()
    {
        if (thread_ != nullptr) {
            detail::attach_or_stop([this] { PyEval_RestoreThread(thread_); });
        }
    }
    gil_release(const gil_release &) = delete;
    gil_release &operator=(const gil_release &) = delete;

private:
    PyThreadState *thread_;
};

} // namespace v1
} // namespace fp

#endif

// The GIL, for a scope.
//
// Invariant: leaving the scope puts the thread back to what it was in; nesting is fine, in any
// order.
// Reason: in free-threaded builds there is no lock, but a thread still has to be attached to Python
// to call it, and detached where it waits: the same two objects do that.
#ifndef FISHPLATE_GIL_HPP
#define FISHPLATE_GIL_HPP

#include "warnings.h"

namespace fp {
inline namespace v1 {

// For the scope, this thread may call Python: also one that Python does not know, and one that may
// already.
class gil_acquire {
public:
    gil_acquire()
        : is_foreign_(PyGILState_GetThisThreadState() == nullptr), before_(PyGILState_Ensure())
    {
    }
    ~gil_acquire()
    {
        if (is_foreign_ && fp_glue_is_warned()) {
            fp_glue_disown_warnings(PyGILState_GetThisThreadState());
        }
        PyGILState_Release(before_);
    }
    gil_acquire(const gil_acquire &) = delete;
    gil_acquire &operator=(const gil_acquire &) = delete;

private:
    bool is_foreign_;
    PyGILState_STATE before_;
};

// For the scope, other threads may call Python, and this one must not. Does nothing where the
// thread has no GIL to let go of.
class gil_release {
public:
    gil_release() : thread_(PyGILState_Check() ? PyEval_SaveThread() : nullptr) {}
    // Where Python has ended meanwhile, it ends this thread by unwinding it.
    ~gil_release() noexcept(false)
    {
        if (thread_ != nullptr) {
            PyEval_RestoreThread(thread_);
        }
    }
    gil_release(const gil_release &) = delete;
    gil_release &operator=(const gil_release &) = delete;

private:
    PyThreadState *thread_;
};

// For the scope, what this thread warns of is raised where `caller` (fp_this_caller() there)
// returns to Python.
class speak_for {
public:
    explicit speak_for(fp_caller caller) : before_(fp_speak_for(caller)) {}
    ~speak_for() { fp_speak_for(before_); }
    speak_for(const speak_for &) = delete;
    speak_for &operator=(const speak_for &) = delete;

private:
    fp_caller before_;
};

} // namespace v1
} // namespace fp

#endif

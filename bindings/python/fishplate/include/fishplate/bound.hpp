// The language boundary of functions that pybind11 or nanobind bind.
//
// Purpose: the macros that end FP_HANDLE_ERRORS in such functions, with the type that they return.
// Invariant: an exception for which the framework may have a translator leaves unchanged. The
// boundary does not restrict the type of a result: references, and types that cannot be moved.
// Reason: translators are registered with the framework, which has no API to query them.
#ifndef FISHPLATE_BOUND_HPP
#define FISHPLATE_BOUND_HPP

#include "boundary.hpp"

#define FP_END_HANDLE_ERRORS_PYBIND11(...)                                                              \
    }, ::fp::detail::end_bound_by<::pybind11::error_already_set, __VA_ARGS__>([] {                      \
        try {                                                                                           \
            throw;                                                                                      \
        }                                                                                               \
        catch (const ::pybind11::reference_cast_error &) {                                              \
            return false; /* not an error: pybind11 tries the next overload */                          \
        }                                                                                               \
        FP_GLUE_LET_THREADS_END                                                                         \
        catch (...) {                                                                                   \
            ::pybind11::detail::try_translate_exceptions();                                             \
            return true;                                                                                \
        }                                                                                               \
    }));
#define FP_END_HANDLE_ERRORS_NANOBIND(...)                                                              \
    }, ::fp::detail::end_bound_by<::nanobind::python_error, __VA_ARGS__>([] { return false; }));

namespace fp {
inline namespace v1 {
namespace detail {

// For results that can only be constructed in place: raises warnings after that.
class warnings_raised_last {
public:
    explicit warnings_raised_last(call_scope &call) : call_(call) {}
    ~warnings_raised_last() noexcept(false)
    {
        if (call_.is_warned() && std::uncaught_exceptions() == before_ && raise_warnings(call_)) {
            throw python_error();
        }
    }
    warnings_raised_last(const warnings_raised_last &) = delete;
    warnings_raised_last &operator=(const warnings_raised_last &) = delete;

private:
    call_scope &call_;
    int before_ = std::uncaught_exceptions();
};

// `Set` is the framework's exception for an error that is set already; its constructor fetches it.
// `Translate` sets the Python exception for the one that is being handled, if it can.
template <class Set, class Result, class Translate> struct end_bound {
    using body = Result;
    Translate translate;
    template <class Body> Result run(Body &run_body) const
    {
        call_scope call;
        const bool is_attached = fp_glue_current() != nullptr;
        try {
            if constexpr (std::is_void_v<Result>) {
                run_body(*this);
                raise_if_warned(call);
            }
            else if constexpr (std::is_reference_v<Result>) {
                Result result = run_body(*this);
                raise_if_warned(call);
                return static_cast<Result>(result);
            }
            else if constexpr (std::is_move_constructible_v<Result>) {
                Result result = run_body(*this);
                raise_if_warned(call);
                return result;
            }
            else {
                warnings_raised_last last(call);
                return run_body(*this);
            }
        }
        catch (const python_error &) {
            raise_as_set(call, is_attached);
        }
        catch (const type_error &) {
            raise_as_set(call, is_attached);
        }
        catch (Set &set) {
            add_context(call, set);
            throw;
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            if (is_attached) {
                fp_glue_return_to_python();
            }
            if (call.is_warned() || first_registered != nullptr) {
                finish_thrown(call);
            }
            throw;
        }
    }

private:
    static void raise_if_warned(call_scope &call)
    {
        if (call.is_warned() && raise_warnings(call)) {
            throw python_error();
        }
    }
    [[noreturn]] FP_GLUE_COLD static void raise_as_set(call_scope &call, bool is_attached)
    {
        if (is_attached) {
            fp_glue_return_to_python();
        }
        gil_acquire gil;
        raise_thrown(call);
        throw Set();
    }
    FP_GLUE_COLD static void add_context(call_scope &call, Set &set)
    {
        if (call.is_warned() && raise_warnings(call)) {
            gil_acquire gil;
            object_ptr warning = take_error(), context(PyException_GetContext(set.value().ptr()));
            if (!context) {
                PyException_SetContext(set.value().ptr(), warning.release());
            }
        }
    }
    // In a handler. A warning that became an exception is the context of the thrown exception, if that can
    // be translated here; otherwise it goes to sys.unraisablehook.
    FP_GLUE_COLD void finish_thrown(call_scope &call) const
    {
        gil_acquire gil;
        if (set_registered()) {
            fp_glue_raise_warnings_during_error(call.get());
            throw Set();
        }
        if (!call.is_warned() || !raise_warnings(call)) {
            return;
        }
        object_ptr warning = take_error();
        if (translate() && PyErr_Occurred()) {
            object_ptr error = take_error(), context(PyException_GetContext(error.get()));
            if (!context && warning != error) {
                PyException_SetContext(error.get(), warning.release());
            }
            put_error(std::move(error));
            throw Set();
        }
        put_error(std::move(warning));
        PyErr_WriteUnraisable(nullptr);
    }
};

template <class Set, class Result = void, class Translate>
constexpr end_bound<Set, Result, Translate> end_bound_by(Translate translate)
{
    return {translate};
}

} // namespace detail
} // namespace v1
} // namespace fp

#endif

// The language boundary: where C++ returns to Python.
//
// Purpose: FP_HANDLE_ERRORS and the macros that end it. Between them is the body of a function;
// every exception that it throws becomes a Python exception, and its warnings are raised.
// Invariant: a result that cannot be returned, since a warning became an exception, is dropped. The
// function returns with the GIL if Python called it.
// Reason: the body is a lambda, not only a `try` block, because a `try` block cannot intercept a
// return value. The end macro specifies its type, which is why the lambda is generic.
//
//     static PyObject *run(PyObject *, PyObject *arg)
//     {
//         FP_HANDLE_ERRORS
//         fp::object_ptr list(PySequence_List(arg));
//         if (!list) throw fp::python_error();
//         FP_CHECK_VALUE(PyList_GET_SIZE(list.get()) > 0, "run() needs at least one item");
//         return list;
//         FP_END_HANDLE_ERRORS
//     }
#ifndef FISHPLATE_BOUNDARY_HPP
#define FISHPLATE_BOUNDARY_HPP

#include "translate.hpp"

#define FP_HANDLE_ERRORS \
    return ::fp::detail::run_guarded([&]([[maybe_unused]] auto fp_end) -> typename decltype(fp_end)::body {
// For functions that return an object: NULL means that an exception is set.
#define FP_END_HANDLE_ERRORS \
    }, ::fp::detail::end_object{});
// For functions that return an error value instead, such as -1. That of a function that returns
// nothing is empty: its exception goes to sys.unraisablehook.
#define FP_END_HANDLE_ERRORS_RET(...) \
    }, ::fp::detail::end_value(__VA_ARGS__));

namespace fp {
inline namespace v1 {
namespace detail {

// The call in which a body runs.
class call_scope {
public:
    call_scope() noexcept { fp_glue_begin_call(&call_); }
    ~call_scope() { fp_glue_end_call(&call_); }
    call_scope(const call_scope &) = delete;
    call_scope &operator=(const call_scope &) = delete;
    bool is_warned() const noexcept { return !FP_GLUE_LIKELY(!fp_glue_is_warned(&call_)); }
    fp_glue_call *get() noexcept { return &call_; }

private:
    fp_glue_call call_;
};

// The types that a body may return for an object. Owned, since a destructor that runs after
// `return` may throw.
class object_result {
public:
    object_result(PyObject *owned) noexcept : pointer_(owned) {}
    object_result(object_ptr &&owned) noexcept : pointer_(owned.release()) {}
    object_result(const object_result &) = delete;
    object_result &operator=(const object_result &) = delete;
    ~object_result()
    {
        if (!FP_GLUE_LIKELY(pointer_ == nullptr)) {
            drop();
        }
    }
    PyObject *release() noexcept { return std::exchange(pointer_, nullptr); }

private:
    FP_GLUE_COLD void drop()
    {
        gil_acquire gil;
        Py_DECREF(pointer_);
    }
    PyObject *pointer_;
};

template <class From, class To, class = void> constexpr bool fits = std::is_same_v<From, To>;
template <class From, class To>
constexpr bool fits<From, To, std::void_t<decltype(To{std::declval<From>()})>> = true;

// The same for numbers, which must not be narrowed.
template <class T> class value_result {
public:
    template <class From> value_result(From from) noexcept : value(static_cast<T>(from))
    {
        static_assert(fits<From, T> || sizeof(From) != sizeof(T),
                      "FP_END_HANDLE_ERRORS_RET: the value and the returned expression differ in signedness or kind; "
                      "convert the expression, as in return static_cast<Py_ssize_t>(v.size())");
        static_assert(fits<From, T> || sizeof(From) == sizeof(T),
                      "FP_END_HANDLE_ERRORS_RET: the value is of a narrower type than the returned expression; "
                      "write it as that type, as in FP_END_HANDLE_ERRORS_RET(Py_ssize_t{-1})");
    }
    T value;
};

// Without an exception set: raises warnings. Returns whether one became an exception.
FP_GLUE_COLD inline bool raise_warnings(call_scope &call)
{
    gil_acquire gil;
    return fp_glue_raise_warnings(call.get()) < 0;
}

// In a handler: sets the Python exception for the C++ exception.
FP_GLUE_COLD inline void raise_thrown(call_scope &call)
{
    gil_acquire gil;
    if (fp_glue_check_interpreter(PyExc_RuntimeError)) {
        set_error_from_cpp();
    }
    if (call.is_warned()) {
        fp_glue_raise_warnings_during_error(call.get());
    }
}

// For a function that Python calls: it holds the GIL when it begins.
struct end_object {
    using body = object_result;
    template <class Body> PyObject *run(Body &run_body) const
    {
        call_scope call;
        try {
            object_result result = run_body(*this);
            if (FP_GLUE_LIKELY(!call.is_warned())) {
                return result.release();
            }
            fp_glue_return_to_python();
            return fp_glue_finish_warned(call.get(), result.release());
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            fp_glue_return_to_python();
            raise_thrown(call);
            return nullptr;
        }
    }
};

template <class T> struct end_number {
    using body = value_result<T>;
    T error;
    template <class Body> T run(Body &run_body) const
    {
        call_scope call;
        try {
            const T result = run_body(*this).value;
            if (FP_GLUE_LIKELY(!call.is_warned())) {
                return result;
            }
            fp_glue_return_to_python();
            return finish_warned(call, result);
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            fp_glue_return_to_python();
            raise_thrown(call);
            return error;
        }
    }

private:
    FP_GLUE_COLD T finish_warned(call_scope &call, T result) const
    {
        if (PyErr_Occurred()) {
            fp_glue_raise_warnings_during_error(call.get());
            return result;
        }
        return fp_glue_raise_warnings(call.get()) < 0 ? error : result;
    }
};

// Saves an exception that is set already: Python deallocates objects while one is being raised.
class error_in_flight {
public:
    error_in_flight() : is_attached_(fp_glue_current() != nullptr)
    {
        if (is_attached_ && PyErr_Occurred()) {
            value_ = take_error();
        }
    }
    ~error_in_flight()
    {
        if (!FP_GLUE_LIKELY(!value_)) {
            fp_glue_return_to_python();
            put_error(std::move(value_));
        }
    }
    error_in_flight(const error_in_flight &) = delete;
    error_in_flight &operator=(const error_in_flight &) = delete;
    // Whether the function was called with the GIL: not all functions that return nothing are.
    bool is_attached() const noexcept { return is_attached_; }

private:
    bool is_attached_;
    object_ptr value_;
};

struct end_nothing {
    using body = void;
    template <class Body> void run(Body &run_body) const
    {
        error_in_flight in_flight;
        call_scope call;
        try {
            run_body(*this);
            if (FP_GLUE_LIKELY(!call.is_warned())) {
                return;
            }
            report(call, in_flight, false);
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            report(call, in_flight, true);
        }
    }

private:
    FP_GLUE_COLD static void report(call_scope &call, const error_in_flight &in_flight, bool is_thrown)
    {
        if (in_flight.is_attached()) {
            fp_glue_return_to_python();
        }
        gil_acquire gil;
        if (is_thrown) {
            raise_thrown(call);
        }
        else if (!raise_warnings(call)) {
            return;
        }
        PyErr_WriteUnraisable(nullptr);
    }
};

template <class T> constexpr end_number<T> end_value(T error)
{
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "FP_END_HANDLE_ERRORS_RET takes a number");
    return {error};
}
constexpr end_object end_value(std::nullptr_t)
{
    return {};
}
constexpr end_nothing end_value()
{
    return {};
}

template <class Body, class End>
__attribute__((always_inline)) inline decltype(auto) run_guarded(Body &&run_body, const End &end)
{
    return end.run(run_body);
}

} // namespace detail
} // namespace v1
} // namespace fp

#endif

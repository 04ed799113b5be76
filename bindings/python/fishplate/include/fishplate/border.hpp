// The border: where C++ returns to Python.
//
// Purpose: FP_HANDLE_ERRORS and what ends it. Between them stands the body of a function; whatever
// it throws leaves as Python wants it, and what was warned of is raised.
// Invariant: a result that is not returned after all, since a warning became an exception, is
// dropped.
// Reason: the body is a lambda, and not only a `try` block, because a `try` block cannot see what
// is returned from within. The end says of which type that is, which is why the lambda is generic.
// Where nothing goes wrong the cost is one load.
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
#ifndef FISHPLATE_BORDER_HPP
#define FISHPLATE_BORDER_HPP

#include "errors.hpp"

#include <type_traits>

#define FP_HANDLE_ERRORS \
    return ::fp::detail::border([&]([[maybe_unused]] auto fp_leave) -> typename decltype(fp_leave)::body {
// For functions that return an object: NULL says that an exception is set.
#define FP_END_HANDLE_ERRORS \
    }, ::fp::detail::leave_object{});
// For functions that say so by another value, such as -1. That of a function that returns nothing
// is empty: its exception goes to sys.unraisablehook.
#define FP_END_HANDLE_ERRORS_RET(...) \
    }, ::fp::detail::leave_value(__VA_ARGS__));
// For functions that pybind11 or nanobind bind, with the type that they return. Exceptions that
// these know are theirs to translate.
#define FP_END_HANDLE_ERRORS_PYBIND11(...) \
    }, ::fp::detail::leave_bound<::pybind11::error_already_set, __VA_ARGS__>{});
#define FP_END_HANDLE_ERRORS_NANOBIND(...) \
    }, ::fp::detail::leave_bound<::nanobind::python_error, __VA_ARGS__>{});

namespace fp {
inline namespace v1 {
namespace detail {

// What a body may return where an object is wanted.
class object_result {
public:
    object_result(PyObject *owned) noexcept : pointer(owned) {}
    object_result(object_ptr &&owned) noexcept : pointer(owned.release()) {}
    PyObject *pointer;
};

template <class From, class To, class = void> constexpr bool fits = std::is_same_v<From, To>;
template <class From, class To>
constexpr bool fits<From, To, std::void_t<decltype(To{std::declval<From>()})>> = true;

// The same for numbers, which must not become narrower on the way.
template <class T> class value_result {
public:
    template <class From> value_result(From from) noexcept : value(static_cast<T>(from))
    {
        static_assert(fits<From, T>,
                      "FP_END_HANDLE_ERRORS_RET: the value is of a narrower type than what is returned; "
                      "write it as that type, as in FP_END_HANDLE_ERRORS_RET(Py_ssize_t{-1})");
    }
    T value;
};

// Where warnings were noted and the body was done. Gives whether one became an exception.
FP_GLUE_COLD inline bool warnings_raise()
{
    gil_acquire gil;
    return fp_glue_raise_warnings() < 0;
}

// In a handler: sets Python's exception for what was thrown.
FP_GLUE_COLD inline void leave_by_error()
{
    gil_acquire gil;
    set_error_from_cpp();
    if (fp_glue_is_warned()) {
        fp_glue_raise_warnings_beside_error();
    }
}

// Where the exception stays one of C++: it wins.
FP_GLUE_COLD inline void warn_beside_cpp_error()
{
    if (fp_glue_is_warned() && warnings_raise()) {
        gil_acquire gil;
        PyErr_Clear();
    }
}

struct leave_object {
    using body = object_result;
    template <class Body> PyObject *run(Body &run_body) const
    {
        PyObject *result;
        try {
            result = run_body(*this).pointer;
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            leave_by_error();
            return nullptr;
        }
        if (!FP_GLUE_LIKELY(!fp_glue_is_warned())) {
            if (result == nullptr) {
                fp_glue_raise_warnings_beside_error();
            }
            else if (warnings_raise()) {
                Py_CLEAR(result);
            }
        }
        return result;
    }
};

template <class T> struct leave_number {
    using body = value_result<T>;
    T error;
    template <class Body> T run(Body &run_body) const
    {
        T result;
        try {
            result = run_body(*this).value;
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            leave_by_error();
            return error;
        }
        if (!FP_GLUE_LIKELY(!fp_glue_is_warned())) {
            if (PyErr_Occurred()) {
                fp_glue_raise_warnings_beside_error();
            }
            else if (warnings_raise()) {
                result = error;
            }
        }
        return result;
    }
};

struct leave_nothing {
    using body = void;
    template <class Body> void run(Body &run_body) const
    {
        try {
            run_body(*this);
            if (FP_GLUE_LIKELY(!fp_glue_is_warned()) || !warnings_raise()) {
                return;
            }
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            leave_by_error();
        }
        gil_acquire gil;
        PyErr_WriteUnraisable(nullptr);
    }
};

template <class T> constexpr leave_number<T> leave_value(T error)
{
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "FP_END_HANDLE_ERRORS_RET takes a number");
    return {error};
}
constexpr leave_object leave_value(std::nullptr_t)
{
    return {};
}
constexpr leave_nothing leave_value()
{
    return {};
}

// `Set` is the framework's exception that says "set already"; making one takes what is set.
template <class Set, class Result = void> struct leave_bound {
    using body = Result;
    template <class Body> Result run(Body &run_body) const
    {
        try {
            if constexpr (std::is_void_v<Result>) {
                run_body(*this);
                raise_if_warned();
            }
            else {
                Result result = run_body(*this);
                raise_if_warned();
                return result;
            }
        }
        catch (const python_error &) {
            raise_as_set();
        }
        catch (const type_error &) {
            raise_as_set();
        }
        catch (const std::exception &) {
            warn_beside_cpp_error();
            throw;
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            raise_as_set();
        }
    }

private:
    static void raise_if_warned()
    {
        if (!FP_GLUE_LIKELY(!fp_glue_is_warned()) && warnings_raise()) {
            throw python_error();
        }
    }
    [[noreturn]] FP_GLUE_COLD static void raise_as_set()
    {
        gil_acquire gil;
        leave_by_error();
        throw Set();
    }
};

template <class Body, class Leave>
__attribute__((always_inline)) inline auto border(Body &&run_body, const Leave &leave)
{
    return leave.run(run_body);
}

} // namespace detail
} // namespace v1
} // namespace fp

#endif

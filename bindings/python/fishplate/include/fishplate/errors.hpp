// Errors propagated from C++ to Python.
//
// Purpose: fp::python_error, a Python exception in flight through C++; FP_CHECK and similar macros,
// which throw.
// Invariant: a python_error may be copied, moved to another thread and dropped without the GIL.
// Reason: Python's error indicator belongs to a thread and is lost by the next call. Once fetched
// from there, the error survives destructors that call Python, and std::exception_ptr.
#ifndef FISHPLATE_ERRORS_HPP
#define FISHPLATE_ERRORS_HPP

#include "first.h"

#if !defined(__cpp_exceptions)
#error "fishplate/python.hpp needs C++ exceptions: compile without -fno-exceptions."
#endif

#include "gil.hpp"
#include "ptr.hpp"

#include <cstdarg>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

namespace fp {
inline namespace v1 {

// The same class in all modules of a process, so that one can catch what another throws.
#define FP_GLUE_VISIBLE __attribute__((visibility("default")))

namespace detail {

// Fetches the exception that is set, and clears the indicator.
inline object_ptr take_error()
{
#if PY_VERSION_HEX >= 0x030C0000
    return object_ptr(PyErr_GetRaisedException());
#else
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != nullptr) {
        PyException_SetTraceback(value, traceback);
        Py_DECREF(traceback);
    }
    Py_XDECREF(type);
    return object_ptr(value);
#endif
}

// Restores it: with its traceback and its context.
inline void put_error(object_ptr error)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyErr_SetRaisedException(error.release());
#else
    PyObject *type = reinterpret_cast<PyObject *>(Py_TYPE(error.get()));
    PyObject *traceback = PyException_GetTraceback(error.get());
    Py_INCREF(type);
    PyErr_Restore(type, error.release(), traceback);
#endif
}

inline void set_error(PyObject *type, const char *text)
{
    if (text == nullptr) {
        text = "a C++ exception whose what() is NULL";
    }
    if (object_ptr message{fp_glue_string(text)}) {
        PyErr_SetObject(type, message.get());
    }
}

// An exception that several copies of a python_error share.
class held_error {
public:
    explicit held_error(object_ptr value) : value_(value.release()) {}
    held_error(const held_error &) = delete;
    held_error &operator=(const held_error &) = delete;
    ~held_error()
    {
        // After Python's finalization, its objects have no owner.
        if (Py_IsInitialized()) {
            gil_acquire gil;
            Py_DECREF(value_);
        }
    }
    PyObject *value() const { return value_; }
    // "ValueError: ...", created when it is needed.
    const char *text()
    {
        std::string text = "a Python exception";
        {
            gil_acquire gil;
            object_ptr before = take_error();
            object_ptr name(PyType_GetName(Py_TYPE(value_))), string(PyObject_Str(value_));
            const char *utf8 = name ? PyUnicode_AsUTF8AndSize(name.get(), nullptr) : nullptr;
            text = utf8 != nullptr ? utf8 : text;
            utf8 = string ? PyUnicode_AsUTF8AndSize(string.get(), nullptr) : nullptr;
            if (utf8 != nullptr && *utf8 != 0) {
                text.append(": ").append(utf8);
            }
            PyErr_Clear();
            if (before) {
                put_error(std::move(before));
            }
        }
        // Not while Python is called: another thread may hold the GIL and wait here.
        std::lock_guard<std::mutex> lock(mutex_);
        if (text_.empty()) {
            text_ = std::move(text);
        }
        return text_.c_str();
    }

private:
    PyObject *value_;
    std::mutex mutex_;
    std::string text_;
};

} // namespace detail

// if (!x) throw fp::python_error();   takes the exception that Python has set; at the boundary it is
// set again.
class FP_GLUE_VISIBLE python_error : public std::exception {
public:
    python_error()
    {
        gil_acquire gil;
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_SystemError, "fp::python_error was thrown where no exception is set");
        }
        held_ = std::make_shared<detail::held_error>(detail::take_error());
    }
    // Moving copies: the source remains valid.
    python_error(const python_error &) = default;
    python_error &operator=(const python_error &) = default;
    // Sets Python's error indicator of this thread. With the GIL.
    void restore() const { detail::put_error(object_ptr::borrow(value())); }
    // Whether `except type` would catch it. With the GIL.
    bool matches(PyObject *type) const { return PyErr_GivenExceptionMatches(value(), type) != 0; }
    // The exception, borrowed.
    PyObject *value() const noexcept { return held_->value(); }
    const char *what() const noexcept override
    {
        try {
            return held_->text();
        }
        catch (const std::bad_alloc &) {
            return "a Python exception";
        }
    }

private:
    std::shared_ptr<detail::held_error> held_;
};

// The one that the standard library lacks: a value of the wrong type.
class FP_GLUE_VISIBLE type_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace detail {

FP_GLUE_COLD FP_GLUE_FORMAT(1, 0) inline std::string format(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, arguments);
    std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
    if (!text.empty()) {
        std::vsnprintf(&text[0], text.size() + 1, format, again);
    }
    va_end(again);
    return text;
}

template <class Error>
[[noreturn]] FP_GLUE_COLD FP_GLUE_FORMAT(1, 2) void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const std::string text = detail::format(format, arguments);
    va_end(arguments);
    throw Error(text);
}

} // namespace detail
} // namespace v1
} // namespace fp

// FP_CHECK_VALUE(n > 0, "n is %d, but has to be positive", n);
// throws what becomes a RuntimeError, a TypeError, a ValueError, an IndexError. With or without the GIL.
#define FP_CHECK(condition, ...) FP_GLUE_CHECK(::std::runtime_error, condition, __VA_ARGS__)
#define FP_CHECK_TYPE(condition, ...) FP_GLUE_CHECK(::fp::type_error, condition, __VA_ARGS__)
#define FP_CHECK_VALUE(condition, ...) FP_GLUE_CHECK(::std::invalid_argument, condition, __VA_ARGS__)
#define FP_CHECK_INDEX(condition, ...) FP_GLUE_CHECK(::std::out_of_range, condition, __VA_ARGS__)

#define FP_GLUE_CHECK(error, condition, ...)          \
    do {                                              \
        if (!FP_GLUE_LIKELY(condition)) {             \
            ::fp::detail::fail<error>(__VA_ARGS__);   \
        }                                             \
    } while (0)

#endif

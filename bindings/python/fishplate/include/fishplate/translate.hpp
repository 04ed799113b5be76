// Translation of C++ exceptions to Python's.
//
// Purpose: the one table of translations, and fp::register_exception, which adds to it.
// Invariant: the Python exception has all information of the C++ one: its message, an errno, and
// the nested exceptions (as causes). One that was set before is its context.
// Reason: boundaries of all kinds, and generated modules, have to agree.
#ifndef FISHPLATE_TRANSLATE_HPP
#define FISHPLATE_TRANSLATE_HPP

#include "errors.hpp"

#include <new>
#include <system_error>
#include <type_traits>

namespace fp {
inline namespace v1 {
namespace detail {

// An exception that the module registered. Other modules have their own.
class __attribute__((visibility("hidden"))) registered {
public:
    virtual ~registered() = default;
    // In a handler: sets the Python exception if the one that is handled is of this type.
    virtual bool set() const = 0;
    registered *next = nullptr;
};

__attribute__((visibility("hidden"))) inline registered *first_registered = nullptr;

template <class T, class Text> class __attribute__((visibility("hidden"))) registered_type : public registered {
public:
    registered_type(PyObject *type, Text text) : type_(type), text_(std::move(text)) {}
    bool set() const override
    {
        try {
            throw;
        }
        catch (const T &error) {
            set_error(type_, std::string(text_(error)).c_str());
            return true;
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            return false;
        }
    }

private:
    PyObject *type_;
    Text text_;
};

FP_GLUE_COLD inline bool set_registered()
{
    for (const registered *one = first_registered; one != nullptr; one = one->next) {
        if (one->set()) {
            return true;
        }
    }
    return false;
}

// An errno, from which Python creates a FileNotFoundError and similar.
FP_GLUE_COLD inline void set_os_error(const std::system_error &error)
{
    const std::error_condition condition = error.code().default_error_condition();
    if (condition.category() != std::generic_category()) {
        set_error(PyExc_OSError, error.what());
        return;
    }
    object_ptr text(fp_glue_string(error.what() == nullptr ? "" : error.what()));
    object_ptr value(text ? PyObject_CallFunction(PyExc_OSError, "iO", condition.value(), text.get()) : nullptr);
    if (value) {
        PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(value.get())), value.get());
    }
}

// Sets the Python exception for the C++ exception that is being handled, without nested ones.
FP_GLUE_COLD inline void set_one_error_from_cpp()
{
    try {
        throw;
    }
    catch (const python_error &error) {
        error.restore();
    }
    catch (const type_error &error) {
        set_error(PyExc_TypeError, error.what());
    }
    catch (const std::invalid_argument &error) {
        set_error(PyExc_ValueError, error.what());
    }
    catch (const std::domain_error &error) {
        set_error(PyExc_ValueError, error.what());
    }
    catch (const std::out_of_range &error) {
        set_error(PyExc_IndexError, error.what());
    }
    catch (const std::overflow_error &error) {
        set_error(PyExc_OverflowError, error.what());
    }
    catch (const std::system_error &error) {
        set_os_error(error);
    }
    catch (const std::bad_alloc &error) {
        set_error(PyExc_MemoryError, error.what());
    }
    catch (const std::exception &error) {
        set_error(PyExc_RuntimeError, error.what());
    }
    catch (...) {
        set_error(PyExc_RuntimeError, "an exception that is not a std::exception");
    }
}

// The exception that std::throw_with_nested has stored in the one that is being handled.
FP_GLUE_COLD inline std::exception_ptr nested_exception()
{
    try {
        throw;
    }
    catch (const std::nested_exception &outer) {
        return outer.nested_ptr();
    }
    FP_GLUE_LET_THREADS_END
    catch (...) {
        return nullptr;
    }
}

enum { MOST_CAUSES = 100 };

// Sets the Python exception for the C++ exception that is being handled. With the GIL.
FP_GLUE_COLD inline void set_error_from_cpp(int depth = 0)
{
    object_ptr earlier;
    if (PyErr_Occurred()) {
        earlier = take_error();
    }
    if (!set_registered()) {
        set_one_error_from_cpp();
    }
    const std::exception_ptr inner = depth < MOST_CAUSES ? nested_exception() : nullptr;
    if (!inner && !earlier) {
        return;
    }
    object_ptr error = take_error();
    if (inner) {
        try {
            std::rethrow_exception(inner);
        }
        FP_GLUE_LET_THREADS_END
        catch (...) {
            set_error_from_cpp(depth + 1);
        }
        object_ptr cause = take_error(), present(PyException_GetCause(error.get()));
        if (cause && !present && cause != error) {
            PyException_SetContext(error.get(), cause.copy().release());
            PyException_SetCause(error.get(), cause.release());
        }
    }
    object_ptr context(PyException_GetContext(error.get()));
    if (earlier && !context && earlier != error) {
        PyException_SetContext(error.get(), earlier.release());
    }
    put_error(std::move(error));
}

} // namespace detail

// Exceptions of type T, and of types derived from it, become `type`; `text(error)` is the message.
// Those registered later take precedence: register bases before derived types. For the module's
// Py_mod_exec function: it is for this module, and valid for the lifetime of the process.
template <class T, class Text> void register_exception(PyObject *type, Text text)
{
    auto *one = new detail::registered_type<T, Text>(Py_NewRef(type), std::move(text));
    one->next = detail::first_registered;
    detail::first_registered = one;
}
template <class T> void register_exception(PyObject *type)
{
    static_assert(std::is_base_of_v<std::exception, T>,
                  "fp::register_exception: T has no what(); pass a function that returns its message");
    register_exception<T>(type, [](const T &error) { return error.what() == nullptr ? "" : error.what(); });
}

} // namespace v1
} // namespace fp

#endif

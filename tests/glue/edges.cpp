// The functions that tests/glue/exercise_edges.py calls: boundaries inside of boundaries, exceptions in flight, and
// exceptions that C++ knows more about.
#include <fishplate/python.hpp>

#include <future>
#include <ios>
#include <system_error>
#include <thread>
#include <vector>

#include "agnostic.h"

namespace {

// ---- Exceptions in flight

struct mode_object {
    PyObject_HEAD int mode;
};

PyTypeObject *mode_type;

PyObject *make_dying(PyObject *, PyObject *mode)
{
    FP_HANDLE_ERRORS
    auto *made = reinterpret_cast<mode_object *>(PyType_GenericAlloc(mode_type, 0));
    if (made == nullptr) throw fp::python_error();
    made->mode = static_cast<int>(PyLong_AsLong(mode));
    return reinterpret_cast<PyObject *>(made);
    FP_END_HANDLE_ERRORS
}

void die(PyObject *self)
{
    FP_HANDLE_ERRORS
    const int mode = reinterpret_cast<mode_object *>(self)->mode;
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
    FP_CHECK(mode != 1, "died badly");
    if (mode == 2) FP_WARN(PyExc_ResourceWarning, "died unclosed");
    if (mode == 3) {
        Py_BEGIN_ALLOW_THREADS;
        FP_CHECK(false, "died without the GIL");
        Py_END_ALLOW_THREADS;
    }
    FP_END_HANDLE_ERRORS_RET()
}

// A result although an exception is set: the author's mistake, not attributed to a warning.
PyObject *result_and_error(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    FP_WARN(PyExc_UserWarning, "noted");
    PyErr_SetString(PyExc_KeyError, "set");
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

Py_ssize_t length_and_error(PyObject *)
{
    FP_HANDLE_ERRORS
    FP_WARN(PyExc_UserWarning, "noted");
    PyErr_SetString(PyExc_KeyError, "set");
    return Py_ssize_t{3};
    FP_END_HANDLE_ERRORS_RET(Py_ssize_t{-1})
}

Py_ssize_t length_without_gil(PyObject *)
{
    FP_HANDLE_ERRORS
    Py_BEGIN_ALLOW_THREADS;
    FP_CHECK_VALUE(false, "no length");
    Py_END_ALLOW_THREADS;
    return Py_ssize_t{3};
    FP_END_HANDLE_ERRORS_RET(Py_ssize_t{-1})
}

// C++ throws where an exception is set already.
PyObject *throws_after_error(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    PyErr_SetString(PyExc_KeyError, "first");
    FP_CHECK_VALUE(false, "second");
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

PyObject *check_without_gil(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    Py_BEGIN_ALLOW_THREADS;
    FP_CHECK_INDEX(false, "without the GIL");
    Py_END_ALLOW_THREADS;
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

PyObject *moved_error(PyObject *, PyObject *function)
{
    FP_HANDLE_ERRORS
    static std::vector<fp::python_error> kept;
    try {
        fp::object_ptr result(PyObject_CallNoArgs(function));
        if (!result) throw fp::python_error();
        return result;
    }
    catch (fp::python_error &error) {
        kept.clear();
        kept.push_back(std::move(error));
        FP_CHECK(error.value() != nullptr && error.what() != nullptr, "moved away");
        throw;
    }
    FP_END_HANDLE_ERRORS
}

struct throwing_end {
    bool throws;
    ~throwing_end() noexcept(false)
    {
        if (throws) throw std::runtime_error("at the end");
    }
};

PyObject *throws_after_return(PyObject *, PyObject *object)
{
    FP_HANDLE_ERRORS
    throwing_end last{true};
    return fp::object_ptr::borrow(object);
    FP_END_HANDLE_ERRORS
}

// ---- Boundaries inside of boundaries

PyObject *warn_and_call(PyObject *, PyObject *function)
{
    FP_HANDLE_ERRORS
    FP_WARN(PyExc_UserWarning, "outer, before");
    fp::object_ptr result(PyObject_CallNoArgs(function));
    if (!result) throw fp::python_error();
    FP_WARN(PyExc_UserWarning, "outer, after");
    return result;
    FP_END_HANDLE_ERRORS
}

// A worker of the outer call warns before the inner one ends.
PyObject *warn_for_and_call(PyObject *, PyObject *function)
{
    FP_HANDLE_ERRORS
    agnostic_work_on_thread(1);
    fp::object_ptr result(PyObject_CallNoArgs(function));
    if (!result) throw fp::python_error();
    return result;
    FP_END_HANDLE_ERRORS
}

PyObject *warn_inside(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    FP_WARN(PyExc_UserWarning, "inner");
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

PyObject *quiet(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

// No boundary: the warning waits for another function's.
PyObject *warn_unguarded(PyObject *, PyObject *count)
{
    for (long i = PyLong_AsLong(count); i > 0; i--) FP_WARN(PyExc_UserWarning, "unguarded");
    Py_RETURN_NONE;
}

PyObject *library(PyObject *, PyObject *count)
{
    FP_HANDLE_ERRORS
    agnostic_work(static_cast<int>(PyLong_AsLong(count)));
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

PyObject *library_thread(PyObject *, PyObject *for_caller)
{
    FP_HANDLE_ERRORS
    fp::gil_release release;
    agnostic_work_on_thread(for_caller == Py_True);
    fp::gil_acquire gil;
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

// ---- Exceptions that say more

struct silent : std::exception {
    const char *what() const noexcept override { return nullptr; }
};
struct base_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct derived_error : base_error {
    using base_error::base_error;
};
struct no_exception {
    int code;
};

void throw_nested(int depth)
{
    try {
        if (depth == 0) throw std::system_error(ENOENT, std::generic_category(), "open");
        throw_nested(depth - 1);
    }
    catch (...) {
        std::throw_with_nested(std::invalid_argument("level " + std::to_string(depth)));
    }
}

PyObject *raises(PyObject *, PyObject *kind)
{
    FP_HANDLE_ERRORS
    const std::string name = PyUnicode_AsUTF8(kind);
    if (name == "silent") throw silent();
    if (name == "errno") throw std::system_error(ENOENT, std::system_category(), "open é");
    if (name == "condition") throw std::system_error(std::make_error_code(std::errc::permission_denied));
    if (name == "future") throw std::future_error(std::future_errc::no_state);
    if (name == "stream") throw std::ios_base::failure("stream");
    if (name == "nested") throw_nested(2);
    if (name == "deep") throw_nested(3000);
    if (name == "nested python") {
        try {
            PyErr_SetString(PyExc_KeyError, "inner");
            throw fp::python_error();
        }
        catch (...) {
            std::throw_with_nested(std::runtime_error("outer"));
        }
    }
    if (name == "base") throw base_error("of the base");
    if (name == "derived") throw derived_error("derived");
    if (name == "no exception") throw no_exception{7};
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

// ---- When Python ends

fp::object_ptr cached;

PyObject *cache(PyObject *, PyObject *object)
{
    cached = fp::object_ptr::borrow(object);
    Py_RETURN_NONE;
}

// A thread that never ends by itself, and goes in and out of Python.
PyObject *start_thread(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    std::thread([] {
        for (;;) {
            fp::gil_acquire gil;
            fp::object_ptr held(PyList_New(3));
            {
                fp::gil_release release;
                std::this_thread::sleep_for(std::chrono::microseconds(50));
            }
            held.reset();
        }
    }).detach();
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

// Another thread notes warnings for as long as the process lives.
PyObject *start_warning(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    std::thread([] {
        for (;;) FP_WARN(PyExc_UserWarning, "again");
    }).detach();
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

PyMethodDef methods[] = {
    {"make_dying", make_dying, METH_O, nullptr},
    {"result_and_error", result_and_error, METH_NOARGS, nullptr},
    {"throws_after_error", throws_after_error, METH_NOARGS, nullptr},
    {"check_without_gil", check_without_gil, METH_NOARGS, nullptr},
    {"moved_error", moved_error, METH_O, nullptr},
    {"throws_after_return", throws_after_return, METH_O, nullptr},
    {"warn_and_call", warn_and_call, METH_O, nullptr},
    {"warn_for_and_call", warn_for_and_call, METH_O, nullptr},
    {"warn_inside", warn_inside, METH_NOARGS, nullptr},
    {"quiet", quiet, METH_NOARGS, nullptr},
    {"warn_unguarded", warn_unguarded, METH_O, nullptr},
    {"library", library, METH_O, nullptr},
    {"library_thread", library_thread, METH_O, nullptr},
    {"raises", raises, METH_O, nullptr},
    {"cache", cache, METH_O, nullptr},
    {"start_thread", start_thread, METH_NOARGS, nullptr},
    {"start_warning", start_warning, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot dying_slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(die)}, {0, nullptr}};
PyType_Spec dying_spec = {"edges.Dying", sizeof(mode_object), 0, Py_TPFLAGS_DEFAULT, dying_slots};
PyType_Slot odd_slots[] = {{Py_sq_length, reinterpret_cast<void *>(length_and_error)}, {0, nullptr}};
PyType_Spec odd_spec = {"edges.Odd", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, odd_slots};
PyType_Slot late_slots[] = {{Py_sq_length, reinterpret_cast<void *>(length_without_gil)}, {0, nullptr}};
PyType_Spec late_spec = {"edges.Late", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, late_slots};

int fill(PyObject *module)
{
    FP_HANDLE_ERRORS
    mode_type = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&dying_spec));
    if (mode_type == nullptr) throw fp::python_error();
    for (PyType_Spec *spec : {&odd_spec, &late_spec}) {
        fp::object_ptr type(PyType_FromSpec(spec));
        const char *name = spec->name + sizeof("edges");
        if (!type || PyModule_AddObjectRef(module, name, type.get()) < 0) throw fp::python_error();
    }
    fp::object_ptr error(PyErr_NewException("edges.Error", PyExc_LookupError, nullptr));
    if (!error || PyModule_AddObjectRef(module, "Error", error.get()) < 0) throw fp::python_error();
#ifdef __clang__
    constexpr int forgets_results = 1; // it does not destroy a result where a destructor throws after `return`
#else
    constexpr int forgets_results = 0;
#endif
    if (PyModule_AddIntConstant(module, "forgets_results", forgets_results) < 0) throw fp::python_error();
    fp::register_exception<base_error>(error.get());
    fp::register_exception<derived_error>(PyExc_ConnectionError);
    fp::register_exception<no_exception>(PyExc_NotImplementedError,
                                         [](const no_exception &e) { return "code " + std::to_string(e.code); });
    return 0;
    FP_END_HANDLE_ERRORS_RET(-1)
}

PyModuleDef_Slot slots[] = {
#ifndef WITHOUT_SLOTS
    FP_MAIN_INTERPRETER_SLOTS,
#endif
    {Py_mod_exec, reinterpret_cast<void *>(fill)},
    {0, nullptr},
};
PyModuleDef module = {PyModuleDef_HEAD_INIT, "edges", nullptr, 0, methods, slots, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit_edges()
{
    return PyModuleDef_Init(&module);
}

// The functions that tests/glue/test_glue.py calls: each way of leaving a function, and each way to misuse the
// glue.
#include <fishplate/python.hpp>

#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "shared_list.h"

namespace {

// ---- Exceptions

void raise_cpp(const char *kind)
{
    const std::string name = kind;
    if (name == "invalid_argument") throw std::invalid_argument("text é");
    if (name == "domain_error") throw std::domain_error("text é");
    if (name == "out_of_range") throw std::out_of_range("text é");
    if (name == "overflow_error") throw std::overflow_error("text é");
    if (name == "runtime_error") throw std::runtime_error("text é");
    if (name == "logic_error") throw std::logic_error("text é");
    if (name == "not_utf8") throw std::runtime_error("text \xff");
    if (name == "bad_alloc") throw std::bad_alloc();
    if (name == "int") throw 42;
    if (name == "nested") {
        try {
            throw std::out_of_range("inner");
        }
        catch (...) {
            std::throw_with_nested(std::invalid_argument("text é"));
        }
    }
    if (name == "check") FP_CHECK(name.empty(), "%s of %d", kind, 1);
    if (name == "check_type") FP_CHECK_TYPE(name.empty(), "%s of %d", kind, 2);
    if (name == "check_value") FP_CHECK_VALUE(name.empty(), "%s of %d", kind, 3);
    if (name == "check_index") FP_CHECK_INDEX(name.empty(), "%s of %d", kind, 4);
    if (name == "long") FP_CHECK_VALUE(name.empty(), "%5000d", 1);
    if (name == "unset") throw fp::python_error();
    FP_CHECK(name == "nothing", "no such kind: %s", kind);
}

PyObject *raises(PyObject *, PyObject *kind)
{
    FP_HANDLE_ERRORS
    const char *name = PyUnicode_AsUTF8(kind);
    if (name == nullptr) throw fp::python_error();
    raise_cpp(name);
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

// Calls a Python function, and lets its exception propagate: through frames and destructors that call
// Python.
struct meddler {
    ~meddler()
    {
        fp::gil_acquire gil;
        fp::object_ptr number(PyLong_FromString("no number", nullptr, 10));
        PyErr_Clear();
    }
};

fp::object_ptr called(PyObject *function)
{
    meddler around;
    fp::object_ptr result(PyObject_CallNoArgs(function));
    if (!result) throw fp::python_error();
    return result;
}

PyObject *call(PyObject *, PyObject *function)
{
    FP_HANDLE_ERRORS
    meddler around;
    return called(function);
    FP_END_HANDLE_ERRORS
}

// On another thread, whose python_error comes here without the GIL, and in copies.
PyObject *call_on_thread(PyObject *, PyObject *function)
{
    FP_HANDLE_ERRORS
    std::exception_ptr failure;
    fp::object_ptr result;
    {
        fp::gil_release release;
        std::thread([&] {
            try {
                fp::gil_acquire gil;
                result = called(function);
            }
            catch (const fp::python_error &error) {
                fp::python_error copy = error;
                failure = std::make_exception_ptr(copy);
            }
        }).join();
        if (failure) std::rethrow_exception(failure);
    }
    return result;
    FP_END_HANDLE_ERRORS
}

// The text, or None; the exception is dropped without the GIL.
PyObject *text_of(PyObject *, PyObject *function)
{
    FP_HANDLE_ERRORS
    std::string text;
    bool is_key_error = false;
    {
        fp::gil_release release;
        try {
            fp::gil_acquire gil;
            called(function);
        }
        catch (const fp::python_error &error) {
            text = error.what();
            fp::gil_acquire gil;
            is_key_error = error.matches(PyExc_LookupError);
        }
    }
    if (text.empty()) Py_RETURN_NONE;
    return Py_BuildValue("sO", text.c_str(), is_key_error ? Py_True : Py_False);
    FP_END_HANDLE_ERRORS
}

// ---- Other results

Py_ssize_t length(PyObject *)
{
    FP_HANDLE_ERRORS
    FP_CHECK_VALUE(false, "no length");
    return Py_ssize_t{1};
    FP_END_HANDLE_ERRORS_RET(Py_ssize_t{-1})
}

int is_true(PyObject *)
{
    FP_HANDLE_ERRORS
    FP_WARN(PyExc_UserWarning, "taken for true");
    return 1;
    FP_END_HANDLE_ERRORS_RET(-1)
}

void forget(PyObject *self)
{
    FP_HANDLE_ERRORS
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
    FP_CHECK(false, "forgotten");
    FP_END_HANDLE_ERRORS_RET()
}

PyObject *make_odd(PyObject *module, PyObject *)
{
    FP_HANDLE_ERRORS
    fp::object_ptr type(PyObject_GetAttrString(module, "Odd"));
    if (!type) throw fp::python_error();
    return PyType_GenericAlloc(reinterpret_cast<PyTypeObject *>(type.get()), 0);
    FP_END_HANDLE_ERRORS
}

// ---- Warnings

void warn_often(int count)
{
    for (int i = 0; i < count; i++) {
        FP_WARN(PyExc_UserWarning, "warning %d of %d", i + 1, count);
    }
}

PyObject *warns(PyObject *, PyObject *args)
{
    FP_HANDLE_ERRORS
    int count;
    PyObject *result;
    if (!PyArg_ParseTuple(args, "iO", &count, &result)) throw fp::python_error();
    warn_often(count);
    Py_INCREF(result);
    return result;
    FP_END_HANDLE_ERRORS
}

PyObject *warns_and_raises(PyObject *, PyObject *kind)
{
    FP_HANDLE_ERRORS
    warn_often(2);
    raise_cpp(PyUnicode_AsUTF8(kind));
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

PyObject *warns_and_fails(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    warn_often(1);
    PyErr_SetString(PyExc_KeyError, "old style");
    return nullptr;
    FP_END_HANDLE_ERRORS
}

PyObject *warns_without_gil(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    {
        fp::gil_release release;
        warn_often(1);
    }
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

PyObject *warns_on_threads(PyObject *, PyObject *count)
{
    FP_HANDLE_ERRORS
    const int threads = static_cast<int>(PyLong_AsLong(count));
    fp::gil_release release;
    std::vector<std::thread> pool;
    for (int i = 0; i < threads; i++) {
        pool.emplace_back([i] {
            FP_WARN(PyExc_UserWarning, "without the GIL");
            fp::gil_acquire gil;
            FP_WARN(PyExc_UserWarning, "thread %d", i);
        });
    }
    for (std::thread &thread : pool) thread.join();
    fp::gil_acquire gil;
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

// A worker speaks for its caller, and waits until other callers have come and gone.
PyObject *warns_for_caller(PyObject *, PyObject *function)
{
    FP_HANDLE_ERRORS
    const fp_caller caller = fp_this_caller();
    {
        fp::gil_release release;
        std::thread([caller] {
            fp::warn_for guard(caller);
            FP_WARN(PyExc_UserWarning, "for my caller");
        }).join();
    }
    return called(function);
    FP_END_HANDLE_ERRORS
}

PyObject *warns_in_c(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    warn_in_another_file();
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

PyObject *quiet(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    Py_RETURN_NONE;
    FP_END_HANDLE_ERRORS
}

// ---- The GIL

PyObject *gil(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    std::string seen;
    auto see = [&] { seen += PyGILState_Check() ? '1' : '0'; };
    see();
    {
        fp::gil_acquire again;
        see();
        fp::gil_release release;
        see();
        {
            fp::gil_release nothing;
            see();
            fp::gil_acquire back;
            see();
            fp::gil_acquire twice;
            see();
            fp::gil_release out;
            see();
        }
        see();
        std::thread([&] {
            see();
            fp::gil_release nothing;
            see();
            fp::gil_acquire gil;
            see();
            fp::gil_release out;
            see();
        }).join();
        see();
    }
    see();
    return PyUnicode_FromString(seen.c_str());
    FP_END_HANDLE_ERRORS
}

PyObject *throws_without_gil(PyObject *, PyObject *)
{
    FP_HANDLE_ERRORS
    fp::gil_release release;
    FP_CHECK_INDEX(false, "the GIL comes back");
    return nullptr;
    FP_END_HANDLE_ERRORS
}

// Many threads at once, all through Python.
PyObject *crowd(PyObject *, PyObject *function)
{
    FP_HANDLE_ERRORS
    std::atomic<int> done{0};
    {
        fp::gil_release release;
        std::vector<std::thread> pool;
        for (int i = 0; i < 8; i++) {
            pool.emplace_back([&] {
                for (int j = 0; j < 50; j++) {
                    try {
                        fp::gil_acquire gil;
                        called(function);
                    }
                    catch (const fp::python_error &) {
                        FP_WARN(PyExc_UserWarning, "caught");
                        done++;
                    }
                }
            });
        }
        for (std::thread &thread : pool) thread.join();
    }
    return PyLong_FromLong(done);
    FP_END_HANDLE_ERRORS
}

// ---- Owning pointers

struct storage {
    int count = 1;
};

} // namespace

template <> struct fp::counting<storage> {
    static void keep(storage *s) { s->count++; }
    static void drop(storage *s) { s->count--; }
};

namespace {

PyObject *owns(PyObject *, PyObject *object)
{
    FP_HANDLE_ERRORS
    storage one, two;
    {
        fp::ptr<storage> a(&one), b(&two), none;
        FP_CHECK(a && !none && none == nullptr && a != b, "compares");
        fp::ptr<storage> more = a.copy();
        FP_CHECK(one.count == 2 && more == a, "copies");
        fp::ptr<storage> moved = std::move(more);
        FP_CHECK(one.count == 2 && !more && moved->count == 2, "moves");
        fp::ptr<storage> &itself = moved;
        moved = std::move(itself);
        FP_CHECK(one.count == 2 && moved.get() == &one, "moves to itself");
        moved = std::move(b);
        FP_CHECK(one.count == 1 && two.count == 1 && !b, "drops what it had");
        storage *released = moved.release();
        FP_CHECK(released == &two && two.count == 1 && !moved, "releases");
        moved.reset(released);
        moved.reset();
        FP_CHECK(two.count == 0, "resets");
    }
    FP_CHECK(one.count == 0 && two.count == 0, "each was dropped once");
    fp::object_ptr kept = fp::object_ptr::borrow(object);
    return kept;
    FP_END_HANDLE_ERRORS
}

PyObject *drops_without_gil(PyObject *, PyObject *object)
{
    FP_HANDLE_ERRORS
    fp::object_ptr kept = fp::object_ptr::borrow(object);
    fp::gil_release release;
    kept.reset();
    return nullptr;
    FP_END_HANDLE_ERRORS
}

PyObject *resets_to_itself(PyObject *, PyObject *object)
{
    FP_HANDLE_ERRORS
    fp::object_ptr kept = fp::object_ptr::borrow(object);
    kept.reset(kept.get());
    return nullptr;
    FP_END_HANDLE_ERRORS
}

PyMethodDef methods[] = {
    {"raises", raises, METH_O, nullptr},
    {"call", call, METH_O, nullptr},
    {"call_on_thread", call_on_thread, METH_O, nullptr},
    {"text_of", text_of, METH_O, nullptr},
    {"make_odd", make_odd, METH_NOARGS, nullptr},
    {"warns", warns, METH_VARARGS, nullptr},
    {"warns_and_raises", warns_and_raises, METH_O, nullptr},
    {"warns_and_fails", warns_and_fails, METH_NOARGS, nullptr},
    {"warns_without_gil", warns_without_gil, METH_NOARGS, nullptr},
    {"warns_on_threads", warns_on_threads, METH_O, nullptr},
    {"warns_for_caller", warns_for_caller, METH_O, nullptr},
    {"warns_in_c", warns_in_c, METH_NOARGS, nullptr},
    {"quiet", quiet, METH_NOARGS, nullptr},
    {"gil", gil, METH_NOARGS, nullptr},
    {"throws_without_gil", throws_without_gil, METH_NOARGS, nullptr},
    {"crowd", crowd, METH_O, nullptr},
    {"owns", owns, METH_O, nullptr},
    {"drops_without_gil", drops_without_gil, METH_O, nullptr},
    {"resets_to_itself", resets_to_itself, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot odd_slots[] = {
    {Py_sq_length, reinterpret_cast<void *>(length)},
    {Py_nb_bool, reinterpret_cast<void *>(is_true)},
    {Py_tp_dealloc, reinterpret_cast<void *>(forget)},
    {0, nullptr},
};
PyType_Spec odd_spec = {"throwing.Odd", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, odd_slots};

int fill(PyObject *module)
{
    FP_HANDLE_ERRORS
    fp::object_ptr type(PyType_FromSpec(&odd_spec));
    if (!type || PyModule_AddObjectRef(module, "Odd", type.get()) < 0) throw fp::python_error();
    return 0;
    FP_END_HANDLE_ERRORS_RET(-1)
}

PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void *>(fill)},
    {0, nullptr},
};
PyModuleDef module = {PyModuleDef_HEAD_INIT, "throwing", nullptr, 0, methods, slots, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit_throwing()
{
    return PyModuleDef_Init(&module);
}

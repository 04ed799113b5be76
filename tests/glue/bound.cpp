// The same functions bound with pybind11 (-DBIND_PYBIND11) or nanobind (-DBIND_NANOBIND).
#include <fishplate/python.hpp>

#include <map>
#include <string>
#include <thread>

#ifdef BIND_PYBIND11
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
namespace bind = pybind11;
using policy = bind::return_value_policy;
#define END FP_END_HANDLE_ERRORS_PYBIND11
#define MODULE(name, m) PYBIND11_MODULE(name, m)
#else
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
namespace bind = nanobind;
using policy = bind::rv_policy;
#define END FP_END_HANDLE_ERRORS_NANOBIND
#define MODULE(name, m) NB_MODULE(name, m)
#endif

namespace {

struct registered_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Returns what is bound by templates with commas, too.
std::map<std::string, int> raises(const std::string &kind)
{
    FP_HANDLE_ERRORS
    if (kind == "python") {
        PyErr_SetString(PyExc_KeyError, "set by Python");
        throw fp::python_error();
    }
    if (kind == "type") FP_CHECK_TYPE(false, "checked %d", 1);
    if (kind == "value") FP_CHECK_VALUE(false, "checked %d", 2);
    if (kind == "index") FP_CHECK_INDEX(false, "checked %d", 3);
    if (kind == "check") FP_CHECK(false, "checked %d", 4);
    if (kind == "own") throw bind::key_error("the framework's own");
    if (kind == "int") throw 42;
    if (kind == "bad_alloc") throw std::bad_alloc();
    return {{kind, 1}};
    END(std::map<std::string, int>)
}

bind::object call(const bind::object &function)
{
    FP_HANDLE_ERRORS
    FP_WARN(PyExc_UserWarning, "before the call");
    return function();
    END(bind::object)
}

// Bound with the GIL released.
int warns(int count)
{
    FP_HANDLE_ERRORS
    std::thread([=] {
        for (int i = 0; i < count; i++) FP_WARN(PyExc_UserWarning, "warning %d", i);
    }).join();
    FP_CHECK_TYPE(count < 3, "%d are too many", count);
    return count;
    END(int)
}

// An exception that is not a std::exception, and has a translator.
struct weird {
    int number;
};

int translated(int number, bool warns)
{
    FP_HANDLE_ERRORS
    if (warns) FP_WARN(PyExc_UserWarning, "before it");
    if (number == 1) throw weird{number};
    if (number == 2) throw bind::value_error("the framework's");
    if (number == 3) throw std::out_of_range("the library's");
    if (number == 4) throw registered_error("registered");
    if (number == 5) throw std::runtime_error("also the library's");
    return number;
    END(int)
}

struct counter {
    int count = 0;
    counter() = default;
    counter(const counter &) = delete;
    counter &operator=(const counter &) = delete;
};

counter &shared_counter(bool well)
{
    FP_HANDLE_ERRORS
    static counter one;
    FP_CHECK_VALUE(well, "no counter");
    one.count++;
    return one;
    END(counter &)
}

const counter &seen_counter()
{
    FP_HANDLE_ERRORS
    return shared_counter(true);
    END(const counter &)
}

// Neither moves nor copies.
counter made_in_place(bool warns)
{
    FP_HANDLE_ERRORS
    if (warns) FP_WARN(PyExc_UserWarning, "in place");
    return counter();
    END(counter)
}

int counts_in_place(bool warns)
{
    return made_in_place(warns).count;
}

// The GIL is released by Python's own macros, and by the framework around the call.
int checks_without_gil()
{
    FP_HANDLE_ERRORS
    Py_BEGIN_ALLOW_THREADS;
    FP_CHECK_INDEX(false, "without the GIL");
    Py_END_ALLOW_THREADS;
    return 1;
    END(int)
}

void checks_released()
{
    FP_HANDLE_ERRORS
    FP_CHECK_INDEX(false, "released");
    END(void)
}

void translate_weird(const std::exception_ptr &thrown)
{
    try {
        std::rethrow_exception(thrown);
    }
    catch (const weird &error) {
        PyErr_Format(PyExc_LookupError, "weird %d", error.number);
    }
}

void nothing(bool well)
{
    FP_HANDLE_ERRORS
    FP_CHECK_VALUE(well, "not well");
    END(void)
}

} // namespace

MODULE(NAME, m)
{
    m.def("raises", &raises);
    m.def("call", &call);
    m.def("warns", &warns, bind::call_guard<bind::gil_scoped_release>());
    m.def("nothing", &nothing);
    m.def("translated", &translated);
    m.def("counts_in_place", &counts_in_place);
    m.def("checks_without_gil", &checks_without_gil);
    m.def("checks_released", &checks_released, bind::call_guard<bind::gil_scoped_release>());
    bind::class_<counter>(m, "Counter").def("count", [](const counter &c) { return c.count; });
    m.def("shared_counter", &shared_counter, policy::reference);
    m.def("seen_counter", &seen_counter, policy::reference);
    fp::register_exception<registered_error>(PyExc_ConnectionError);
#ifdef BIND_PYBIND11
    bind::register_exception_translator([](std::exception_ptr thrown) { translate_weird(thrown); });
#else
    bind::register_exception_translator([](const std::exception_ptr &thrown, void *) { translate_weird(thrown); });
#endif
}

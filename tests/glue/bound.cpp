// The same functions bound with pybind11 (-DBIND_PYBIND11) or nanobind (-DBIND_NANOBIND).
#include <fishplate/python.hpp>

#include <map>
#include <string>
#include <thread>

#ifdef BIND_PYBIND11
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
namespace bind = pybind11;
#define END FP_END_HANDLE_ERRORS_PYBIND11
#define MODULE(name, m) PYBIND11_MODULE(name, m)
#else
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
namespace bind = nanobind;
#define END FP_END_HANDLE_ERRORS_NANOBIND
#define MODULE(name, m) NB_MODULE(name, m)
#endif

namespace {

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
}

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>

#include "borders.h"

namespace py = pybind11;
using namespace py::literals;

/* pybind11 holds the object itself, which releases the pointer. */
struct Counter {
    counter *pointer = counter_new();
    ~Counter() { counter_free(pointer); }
    long next() { return counter_next(pointer); }
    long next_released()
    {
        py::gil_scoped_release released;
        return counter_next(pointer);
    }
};

static double apply_held(const std::function<double(double)> &f, double x)
{
    auto call = [](double x, void *data) { return (*static_cast<const std::function<double(double)> *>(data))(x); };
    return apply(call, const_cast<std::function<double(double)> *>(&f), x);
}

static double apply_released(const std::function<double(double)> &f, double x)
{
    py::gil_scoped_release released;
    return apply_held(f, x);
}

PYBIND11_MODULE(borders_pybind11, m)
{
    py::class_<Counter>(m, "Counter")
        .def(py::init<>())
        .def("next_safe", &Counter::next)
        .def("next_gil", &Counter::next)
        .def("next_released", &Counter::next_released);
    m.def("length", &text_length, "text"_a);
    py::class_<point>(m, "Point")
        .def(py::init([](double x, double y) { return point{x, y}; }), "x"_a = 0.0, "y"_a = 0.0)
        .def_readwrite("x", &point::x)
        .def_readwrite("y", &point::y);
    m.def("add", &point_add, "a"_a, "b"_a);
    m.def("norm", &point_norm, "p"_a);
    py::enum_<color>(m, "Color").value("RED", RED).value("GREEN", GREEN).value("BLUE", BLUE);
    m.def("turned", &color_next, "c"_a);
    m.def("apply_held", &apply_held, "f"_a, "x"_a);
    m.def("apply", &apply_released, "f"_a, "x"_a);
}

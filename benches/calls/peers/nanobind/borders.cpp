#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>

#include "borders.h"

namespace nb = nanobind;
using namespace nb::literals;

/* nanobind holds the object itself, which releases the pointer. */
struct Counter {
    counter *pointer = counter_new();
    ~Counter() { counter_free(pointer); }
    long next() { return counter_next(pointer); }
    long next_released()
    {
        nb::gil_scoped_release released;
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
    nb::gil_scoped_release released;
    return apply_held(f, x);
}

NB_MODULE(borders_nanobind, m)
{
    nb::class_<Counter>(m, "Counter")
        .def(nb::init<>())
        .def("next_safe", &Counter::next)
        .def("next_gil", &Counter::next)
        .def("next_released", &Counter::next_released);
    m.def("length", &text_length, "text"_a);
    nb::class_<point>(m, "Point")
        .def("__init__", [](point *p, double x, double y) { new (p) point{x, y}; }, "x"_a = 0.0, "y"_a = 0.0)
        .def_rw("x", &point::x)
        .def_rw("y", &point::y);
    m.def("add", &point_add, "a"_a, "b"_a);
    m.def("norm", &point_norm, "p"_a);
    nb::enum_<color>(m, "Color", nb::is_arithmetic()).value("RED", RED).value("GREEN", GREEN).value("BLUE", BLUE);
    m.def("turned", &color_next, "c"_a);
    m.def("apply_held", &apply_held, "f"_a, "x"_a);
    m.def("apply", &apply_released, "f"_a, "x"_a);
}

#include "drawing.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace drawing;

NB_MODULE(drawing, m)
{
    nb::enum_<Color>(m, "Color", nb::is_arithmetic())
        .value("red", Color::red)
        .value("green", Color::green)
        .value("blue", Color::blue);
    nb::class_<Point>(m, "Point")
        .def(nb::init<double, double>(), "x"_a, "y"_a)
        .def_rw("x", &Point::x)
        .def_rw("y", &Point::y)
        .def(nb::self + nb::self)
        .def(-nb::self)
        .def(nb::self * double())
        .def(nb::self == nb::self)
        .def("__getitem__", &Point::operator[], "k"_a)
        .def("norm", &Point::norm);
    nb::class_<Shape>(m, "Shape")
        .def_rw("color", &Shape::color)
        .def("area", &Shape::area)
        .def("name", &Shape::name)
        .def("larger", &Shape::larger, "other"_a);
    nb::class_<Circle, Shape>(m, "Circle")
        .def(nb::init<double>(), "radius"_a)
        .def_prop_rw("radius", &Circle::radius, &Circle::set_radius)
        .def("grown", nb::overload_cast<int>(&Circle::grown, nb::const_), "by"_a)
        .def("grown", nb::overload_cast<double>(&Circle::grown, nb::const_), "by"_a);
    m.def("unit", &Circle::unit);
    nb::class_<Rectangle, Shape>(m, "Rectangle")
        .def(nb::init<double, double>(), "width"_a, "height"_a)
        .def_rw("width", &Rectangle::width)
        .def_rw("height", &Rectangle::height);
    m.def("make_circle", &make_circle, "radius"_a);
    m.def("total", &total, "a"_a, "b"_a);
    m.def("power", &power, "x"_a, "n"_a = 2);
    m.def("mean", &mean, "x"_a);
    m.def("squares", &squares, "n"_a);
    m.def("greet", &greet, "name"_a);
    m.def("longest", &longest, "words"_a);
    m.def("or_zero", &or_zero, "x"_a.none() = nb::none());
    m.def("label", &label, "color"_a);
    m.def("next", &next, "color"_a);
    m.def("integrate", &integrate, "f"_a, "a"_a, "b"_a);
}

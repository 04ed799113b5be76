#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "kernels.h"

namespace py = pybind11;
using namespace py::literals;

// Without forcecast NumPy converts by safe casts only.
using Array = py::array_t<double, py::array::c_style>;

static size_t check_rank(const Array &x, py::ssize_t rank)
{
    if (x.ndim() != rank)
        throw py::value_error("wrong rank");
    return rank > 0 ? static_cast<size_t>(x.shape(0)) : 0;
}

static double py_total(const Array &x)
{
    return total(check_rank(x, 1), x.data());
}

static void py_scale(Array &x, double k)
{
    scale(check_rank(x, 1), x.mutable_data(), k);
}

static Array py_double_it(const Array &x)
{
    size_t n = check_rank(x, 1);
    Array y(static_cast<py::ssize_t>(n));
    double_it(n, x.data(), y.mutable_data());
    return y;
}

static double py_trace2(const Array &a)
{
    size_t n = check_rank(a, 2);
    if (a.shape(1) != a.shape(0))
        throw py::value_error("a must be square");
    return trace2(n, a.data());
}

static Array py_matvec(const Array &a, const Array &x)
{
    size_t m = check_rank(a, 2), n = check_rank(x, 1);
    if (a.shape(1) != x.shape(0))
        throw py::value_error("x must be as long as a is wide");
    Array y(static_cast<py::ssize_t>(m));
    matvec(m, n, a.data(), x.data(), y.mutable_data());
    return y;
}

PYBIND11_MODULE(calls_pybind11, m)
{
    m.def("add", &add, "a"_a, "b"_a);
    m.def("total", &py_total, "x"_a);
    // A converted copy would keep the change from the caller.
    m.def("scale", &py_scale, "x"_a.noconvert(), "k"_a);
    m.def("double_it", &py_double_it, "x"_a);
    m.def("trace2", &py_trace2, "a"_a);
    m.def("matvec", &py_matvec, "a"_a, "x"_a);
}

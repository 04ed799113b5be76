#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "kernels.h"

namespace nb = nanobind;
using namespace nb::literals;

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InPlace = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

static Result new_vector(size_t n)
{
    double *values = new double[n];
    nb::capsule owner(values, [](void *p) noexcept { delete[] static_cast<double *>(p); });
    return Result(values, {n}, owner);
}

static Result py_double_it(const Vector &x)
{
    Result y = new_vector(x.shape(0));
    double_it(x.shape(0), x.data(), y.data());
    return y;
}

static double py_trace2(const Matrix &a)
{
    if (a.shape(0) != a.shape(1))
        throw nb::value_error("trace2(): a must be square");
    return trace2(a.shape(0), a.data());
}

static Result py_matvec(const Matrix &a, const Vector &x)
{
    if (a.shape(1) != x.shape(0))
        throw nb::value_error("matvec(): x must be as long as a is wide");
    Result y = new_vector(a.shape(0));
    matvec(a.shape(0), a.shape(1), a.data(), x.data(), y.data());
    return y;
}

NB_MODULE(calls_nanobind, m)
{
    m.def("add", &add, "a"_a, "b"_a);
    m.def("total", [](const Vector &x) { return total(x.shape(0), x.data()); }, "x"_a);
    // A converted copy would keep the change from the caller.
    m.def("scale", [](const InPlace &x, double k) { scale(x.shape(0), x.data(), k); },
          "x"_a.noconvert(), "k"_a);
    m.def("double_it", &py_double_it, "x"_a);
    m.def("trace2", &py_trace2, "a"_a);
    m.def("matvec", &py_matvec, "a"_a, "x"_a);
}

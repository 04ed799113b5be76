#include <muParser.h>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(muparser, m)
{
    nb::class_<mu::Parser>(m, "Parser")
        .def(nb::init<>())
        .def("SetExpr", &mu::Parser::SetExpr, "expression"_a)
        .def("GetExpr", &mu::Parser::GetExpr)
        .def("DefineConst", &mu::Parser::DefineConst, "name"_a, "value"_a)
        .def("DefineStrConst", &mu::Parser::DefineStrConst, "name"_a, "value"_a)
        .def("RemoveVar", &mu::Parser::RemoveVar, "name"_a)
        .def("ClearConst", &mu::Parser::ClearConst)
        .def("EnableOptimizer", &mu::Parser::EnableOptimizer, "is_on"_a = true)
        .def("HasBuiltInOprt", &mu::Parser::HasBuiltInOprt)
        .def("Eval", nb::overload_cast<>(&mu::Parser::Eval, nb::const_));
}

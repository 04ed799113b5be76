#include <sstream>

#include <pugixml.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using pugi::xml_attribute;
using pugi::xml_document;
using pugi::xml_node;

NB_MODULE(pugixml, m)
{
    nb::enum_<pugi::xml_encoding>(m, "xml_encoding")
        .value("auto", pugi::encoding_auto)
        .value("utf8", pugi::encoding_utf8)
        .value("latin1", pugi::encoding_latin1);
    nb::class_<pugi::xml_parse_result>(m, "xml_parse_result")
        .def_ro("offset", &pugi::xml_parse_result::offset)
        .def("description", &pugi::xml_parse_result::description)
        .def("__bool__", &pugi::xml_parse_result::operator bool);
    nb::class_<xml_attribute>(m, "xml_attribute")
        .def("empty", &xml_attribute::empty)
        .def("name", &xml_attribute::name)
        .def("value", &xml_attribute::value)
        .def("as_int", &xml_attribute::as_int, "def"_a = 0)
        .def("as_double", &xml_attribute::as_double, "def"_a = 0.0)
        .def("set_value", nb::overload_cast<double>(&xml_attribute::set_value), "rhs"_a)
        .def("set_value", nb::overload_cast<const char *>(&xml_attribute::set_value), "rhs"_a)
        .def("next_attribute", &xml_attribute::next_attribute, nb::keep_alive<0, 1>());
    nb::class_<xml_node>(m, "xml_node")
        .def("empty", &xml_node::empty)
        .def("__eq__", &xml_node::operator==, nb::is_operator())
        .def("name", &xml_node::name)
        .def("value", &xml_node::value)
        .def("path", &xml_node::path, "delimiter"_a = '/')
        .def("child", &xml_node::child, "name"_a, nb::keep_alive<0, 1>())
        .def("child_value", nb::overload_cast<>(&xml_node::child_value, nb::const_))
        .def("child_value", nb::overload_cast<const char *>(&xml_node::child_value, nb::const_), "name"_a)
        .def("attribute", nb::overload_cast<const char *>(&xml_node::attribute, nb::const_), "name"_a,
             nb::keep_alive<0, 1>())
        .def("first_child", &xml_node::first_child, nb::keep_alive<0, 1>())
        .def("next_sibling", nb::overload_cast<>(&xml_node::next_sibling, nb::const_), nb::keep_alive<0, 1>())
        .def("parent", &xml_node::parent, nb::keep_alive<0, 1>())
        .def("append_child", nb::overload_cast<const char *>(&xml_node::append_child), "name"_a,
             nb::keep_alive<0, 1>())
        .def("append_attribute", &xml_node::append_attribute, "name"_a, nb::keep_alive<0, 1>())
        .def("remove_child", nb::overload_cast<const xml_node &>(&xml_node::remove_child), "n"_a)
        .def("select_node", nb::overload_cast<const pugi::xpath_query &>(&xml_node::select_node, nb::const_),
             "query"_a, nb::keep_alive<0, 1>())
        .def(
            "print",
            [](const xml_node &node, const char *indent, unsigned int flags, pugi::xml_encoding encoding,
               unsigned int depth) {
                std::ostringstream os;
                node.print(os, indent, flags, encoding, depth);
                return os.str();
            },
            "indent"_a, "flags"_a, "encoding"_a = pugi::encoding_auto, "depth"_a = 0);
    nb::class_<pugi::xpath_query>(m, "xpath_query")
        .def("__init__", [](pugi::xpath_query *self, const char *query) { new (self) pugi::xpath_query(query); }, "query"_a);
    nb::class_<pugi::xpath_node>(m, "xpath_node").def("node", &pugi::xpath_node::node, nb::keep_alive<0, 1>());
    nb::class_<xml_document, xml_node>(m, "xml_document")
        .def(nb::init<>())
        .def("load_string", &xml_document::load_string, "contents"_a, "options"_a = pugi::parse_default);
}

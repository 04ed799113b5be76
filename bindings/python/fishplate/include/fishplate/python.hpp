// fishplate/python.hpp: for handwritten C++ between native code and Python. C++17.
//
//     boundary.hpp   FP_HANDLE_ERRORS ... FP_END_HANDLE_ERRORS
//     bound.hpp      ... FP_END_HANDLE_ERRORS_PYBIND11, FP_END_HANDLE_ERRORS_NANOBIND
//     errors.hpp     fp::python_error, FP_CHECK, FP_CHECK_TYPE, FP_CHECK_VALUE, FP_CHECK_INDEX
//     translate.hpp  fp::register_exception
//     warnings.h     FP_WARN
//     warn.h         fp_warn, fp_this_caller, fp::warn_for
//     gil.hpp        fp::gil_acquire, fp::gil_release
//     ptr.hpp        fp::object_ptr, fp::ptr<T>
//     attach.h       FP_MAIN_INTERPRETER_SLOTS
#ifndef FISHPLATE_PYTHON_HPP
#define FISHPLATE_PYTHON_HPP

#include "first.h"

#if __cplusplus < 201703L
#error "fishplate/python.hpp needs C++17: compile with -std=c++17 or newer."
#endif

#include "bound.hpp"
#include "boundary.hpp"
#include "errors.hpp"
#include "gil.hpp"
#include "ptr.hpp"
#include "translate.hpp"
#include "warnings.h"

/* In a module that Fishplate generates. */
#ifdef FISHPLATE_PYTHON_H
#include "generated.hpp"
#endif

#endif

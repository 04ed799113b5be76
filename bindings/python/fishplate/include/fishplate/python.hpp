// fishplate/python.hpp: for C++ between native code and Python that is written by hand. C++17.
//
//     border.hpp    FP_HANDLE_ERRORS ... FP_END_HANDLE_ERRORS
//     errors.hpp    fp::python_error, FP_CHECK, FP_CHECK_TYPE, FP_CHECK_VALUE, FP_CHECK_INDEX
//     warnings.h    FP_WARN
//     gil.hpp       fp::gil_acquire, fp::gil_release, fp::speak_for
//     ptr.hpp       fp::object_ptr, fp::ptr<T>
#ifndef FISHPLATE_PYTHON_HPP
#define FISHPLATE_PYTHON_HPP

#include "first.h"

#if __cplusplus < 201703L
#error "fishplate/python.hpp needs C++17: compile with -std=c++17 or newer."
#endif

#include "border.hpp"
#include "errors.hpp"
#include "gil.hpp"
#include "ptr.hpp"
#include "warnings.h"

#endif

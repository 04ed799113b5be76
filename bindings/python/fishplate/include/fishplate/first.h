/* Python.h comes first.
 *
 * Purpose: include Python.h, and refuse to be included too late.
 * Reason: Python.h selects the declarations of the system's headers (_GNU_SOURCE,
 * _FILE_OFFSET_BITS). Headers that were included before it have made their choice: two files of one
 * program may then disagree about the size of off_t, without any message. The compiler's own
 * headers (stddef.h) would be harmless, and are refused nevertheless, which makes the rule simple.
 * */
#ifndef FISHPLATE_FIRST_H
#define FISHPLATE_FIRST_H

#ifndef Py_PYTHON_H
#if defined(_FEATURES_H) || defined(_SYS_CDEFS_H_) || defined(_SYS_CDEFS_H) || defined(_LIBCPP_VERSION) \
    || defined(_GLIBCXX_CXX_CONFIG_H) || defined(_STDDEF_H) || defined(_STDDEF_H_)                      \
    || defined(__STDDEF_H) || defined(_STDARG_H) || defined(__STDARG_H) || defined(_GCC_LIMITS_H_)      \
    || defined(__CLANG_LIMITS_H) || defined(_STDBOOL_H) || defined(__STDBOOL_H)                         \
    || defined(__CLANG_FLOAT_H) || defined(_FLOAT_H___)
#error "Python.h comes first: a system header was included before it. Move <fishplate/python.h> above all others."
#endif
/* Lengths in argument formats ("s#") are Py_ssize_t. */
#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>
/* Python.h is included already: it requested GNU's declarations, and has them if it was the first
 * to do so. */
#elif defined(_FEATURES_H) && defined(_GNU_SOURCE) && !defined(__USE_GNU)
#error "Python.h comes first: a system header was included before it. Move <Python.h> above all others."
#endif

#if PY_VERSION_HEX < 0x030B0000
#error "fishplate/python.h needs Python 3.11 or newer."
#endif

#ifdef Py_LIMITED_API
#error "fishplate/python.h, python.hpp and warn.h use more than Python's stable ABI: build without the stable ABI."
#endif

#include "attributes.h"

#endif

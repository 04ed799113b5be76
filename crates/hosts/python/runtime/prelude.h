/* fishplate_python.h: the runtime of Python modules that Fishplate generates.
 *
 * A module contains only what it uses of this, and needs only Python and NumPy where it is loaded. C99
 * and C++11, with the extensions that gcc and clang share.
 *
 * Everything is static, unless FP_DIVIDED is defined: then the variables marked as FP_GLOBAL, and the
 * functions that are neither inline nor marked as FP_UNUSED, are defined once in the units of the runtime,
 * which many modules share, and are only declared elsewhere. */
#ifndef FISHPLATE_PYTHON_H
#define FISHPLATE_PYTHON_H

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#include <cpuid.h>
#endif
#include <float.h>
#include <limits.h>
#ifndef _WIN32
#include <pthread.h>
#include <sched.h>
#endif
#ifdef PYPY_VERSION
#include <signal.h>
#endif
#include <stdarg.h>
#ifdef __cplusplus
#include <stdbool.h>
#ifndef _Bool /* which C++ lacks */
#define _Bool bool
#endif
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <sys/types.h>
#include <time.h>
#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <unistd.h>
#endif

#ifdef FP_DIVIDED
#define PY_ARRAY_UNIQUE_SYMBOL fp_numpy
#ifndef FP_LAST_UNIT /* which imports NumPy */
#define NO_IMPORT_ARRAY
#endif
#endif
#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

/* NumPy 1 has neither of these names. */
#ifndef NPY_MAXDIMS_LEGACY
#define NPY_MAXDIMS_LEGACY NPY_MAXDIMS
#endif
#if NPY_ABI_VERSION < 0x02000000
#define PyDataType_ELSIZE(descr) ((npy_intp)(descr)->elsize)
#endif

#if defined(__GNUC__) || defined(__clang__)
#define FP_LIKELY(x) __builtin_expect(!!(x), 1)
#define FP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FP_COLD __attribute__((cold, noinline, unused))
#define FP_HELPER __attribute__((noinline, unused))
#define FP_UNUSED __attribute__((unused))
#define FP_INLINE inline __attribute__((always_inline, unused))
#else
#define FP_LIKELY(x) (x)
#define FP_UNLIKELY(x) (x)
#define FP_COLD
#define FP_HELPER
#define FP_UNUSED
#define FP_INLINE inline
#endif

/* State of the runtime. */
#define FP_GLOBAL static FP_UNUSED

/* A divided runtime: a definition, and a declaration of what another unit defines. */
#define FP_DEFINED __attribute__((visibility("hidden")))
#ifdef __cplusplus
#define FP_DECLARED extern "C" FP_DEFINED
#else
#define FP_DECLARED extern FP_DEFINED
#endif

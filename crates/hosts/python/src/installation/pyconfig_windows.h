/* The configuration of CPython for Windows with 64 bits, as far as its headers and modules use it. */
#ifndef Py_CONFIG_H
#define Py_CONFIG_H

#define MS_WIN32
#define MS_WIN64
#define MS_WINDOWS
#define NT_THREADS
#define PLATFORM "win32"

/* Modules call the library of the interpreter. */
#define HAVE_DECLSPEC_DLL 1
#define Py_ENABLE_SHARED 1

#define HAVE_PY_SSIZE_T 1
typedef long long Py_ssize_t;
#define PY_SSIZE_T_MAX LLONG_MAX

#define HAVE_DYNAMIC_LOADING 1
#define HAVE_ERRNO_H 1
#define HAVE_LONG_LONG 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UINTPTR_T 1
#define HAVE_WCHAR_H 1
#define STDC_HEADERS 1
#define WITH_DOC_STRINGS 1
#define WITH_PYMALLOC 1
#define WITH_THREAD 1

#define ALIGNOF_MAX_ALIGN_T 8
#define ALIGNOF_SIZE_T 8
#define SIZEOF_DOUBLE 8
#define SIZEOF_FLOAT 4
#define SIZEOF_FPOS_T 8
#define SIZEOF_HKEY 8
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_OFF_T 4
#define SIZEOF_PID_T 4
#define SIZEOF_SHORT 2
#define SIZEOF_TIME_T 8

#endif

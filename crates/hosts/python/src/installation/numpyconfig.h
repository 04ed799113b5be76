
/* The properties that differ among machines, from the compiler for the machine. */
#undef NPY_HAVE_ENDIAN_H
#ifdef __linux__
#define NPY_HAVE_ENDIAN_H 1
#endif
#undef NPY_SIZEOF_LONG
#define NPY_SIZEOF_LONG __SIZEOF_LONG__
#undef NPY_SIZEOF_LONGDOUBLE
#define NPY_SIZEOF_LONGDOUBLE __SIZEOF_LONG_DOUBLE__
#undef NPY_SIZEOF_COMPLEX_LONGDOUBLE
#define NPY_SIZEOF_COMPLEX_LONGDOUBLE (2 * __SIZEOF_LONG_DOUBLE__)
#undef NPY_SIZEOF_WCHAR_T
#define NPY_SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__

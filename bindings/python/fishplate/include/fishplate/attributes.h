/* Compiler attributes of the functions and variables in these headers.
 *
 * Reason: <fishplate/warn.h> is for libraries that do not include Python.h, so these cannot be in
 * first.h. */
#ifndef FISHPLATE_ATTRIBUTES_H
#define FISHPLATE_ATTRIBUTES_H

#if !defined(__GNUC__)
#error "Fishplate's headers need gcc, clang, or a compiler that takes their attributes."
#endif

#define FP_GLUE_LIKELY(x) __builtin_expect(!!(x), 1)
/* One definition for all files of a shared library, and none for other libraries. */
#define FP_GLUE_SHARED __attribute__((weak, visibility("hidden")))
#define FP_GLUE_COLD __attribute__((cold, noinline))
#define FP_GLUE_FORMAT(at, first) __attribute__((format(printf, at, first)))

#endif

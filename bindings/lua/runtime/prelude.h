/* fishplate_lua.h: the runtime of Lua modules that Fishplate generates, and of its tensor library.
 *
 * A module contains only what it uses of this. One source for Lua 5.1 to 5.4 and LuaJIT; C99, with the
 * extensions that gcc and clang share. Everything is static, unless FP_DIVIDED is defined: then the
 * variables marked as FP_GLOBAL, and the functions that are neither inline nor marked as FP_UNUSED, are
 * defined once in the units of the runtime, which many modules share, and are only declared elsewhere.
 *
 * Lua raises errors by longjmp, so nothing here holds memory that no Lua object owns when something
 * can raise: a userdata is created first, and its resources are put into it afterwards. */
#ifndef FISHPLATE_LUA_H
#define FISHPLATE_LUA_H

#ifdef __cplusplus
extern "C" {
#endif
#include <lauxlib.h>
#include <lua.h>
#ifdef __cplusplus
}
#endif

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#ifdef __cplusplus
#include <stdbool.h>
#ifndef _Bool /* which C++ does not have by itself */
#define _Bool bool
#endif
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FP_LIKELY(x) __builtin_expect(!!(x), 1)
#define FP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FP_COLD __attribute__((cold, noinline, unused))
#define FP_HELPER __attribute__((noinline, unused))
#define FP_UNUSED __attribute__((unused))
#define FP_NORETURN __attribute__((cold, noinline, noreturn, unused))

/* State of the runtime. */
#define FP_GLOBAL static FP_UNUSED

/* A divided runtime: a definition, and a declaration of what another unit defines. */
#define FP_DEFINED __attribute__((visibility("hidden")))
#ifdef __cplusplus
#define FP_DECLARED extern "C" FP_DEFINED
#else
#define FP_DECLARED extern FP_DEFINED
#endif

/* Older compilers only warn of a different pointer type. Outside of each guard, since gcc forgets what a precompiled header
 * says of diagnostics. */
#ifndef __cplusplus
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#endif

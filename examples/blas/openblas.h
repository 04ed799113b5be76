/* CBLAS and LAPACKE by their usual names.
 *
 * The OpenBLAS of the Python package scipy-openblas32 puts `scipy_` before each function's name, so
 * that it cannot be mixed up with the system's; an OpenBLAS from elsewhere is used as it is with
 * `OPENBLAS_FLAGS=-DOPENBLAS_PLAIN_NAMES`. */
#ifndef OPENBLAS_H
#define OPENBLAS_H

#include <complex.h> /* before lapacke.h, which then takes its complex type */

#include <cblas.h>
#include <lapacke.h>

#ifndef OPENBLAS_PLAIN_NAMES
#define cblas_sdot scipy_cblas_sdot
#define cblas_ddot scipy_cblas_ddot
#define cblas_zdotc_sub scipy_cblas_zdotc_sub
#define cblas_dgemv scipy_cblas_dgemv
#define cblas_zgemv scipy_cblas_zgemv
#define cblas_sgemm scipy_cblas_sgemm
#define cblas_dgemm scipy_cblas_dgemm
#define LAPACKE_dgesv scipy_LAPACKE_dgesv
#define LAPACKE_dsyev scipy_LAPACKE_dsyev
#endif

#endif

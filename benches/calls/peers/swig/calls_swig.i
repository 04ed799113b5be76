%module calls_swig

%{
#define SWIG_FILE_WITH_INIT
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include "kernels.h"

/* Without NPY_ARRAY_FORCECAST NumPy converts by safe casts only. */
static PyArrayObject *read_array(PyObject *object, int rank)
{
    return (PyArrayObject *)PyArray_FROMANY(object, NPY_DOUBLE, rank, rank,
                                            NPY_ARRAY_IN_ARRAY | NPY_ARRAY_NOTSWAPPED);
}

static int is_inplace(PyObject *object, int rank)
{
    PyArrayObject *array = (PyArrayObject *)object;
    return PyArray_Check(object) && PyArray_TYPE(array) == NPY_DOUBLE &&
           PyArray_NDIM(array) == rank && PyArray_ISCARRAY(array);
}
%}

%init %{
import_array();
%}

// The first parameter of a group names the keyword argument, so it bears the
// array's name, and the rest of the group that name with a suffix.

%typemap(in) (size_t x, const double *x_data) (PyArrayObject *array = NULL) {
    if (!(array = read_array($input, 1)))
        SWIG_fail;
    $1 = (size_t)PyArray_DIM(array, 0);
    $2 = (double *)PyArray_DATA(array);
}

%typemap(in) (size_t a, const double *a_data) (PyArrayObject *array = NULL) {
    if (!(array = read_array($input, 2)))
        SWIG_fail;
    if (PyArray_DIM(array, 0) != PyArray_DIM(array, 1))
        SWIG_exception_fail(SWIG_ValueError, "a must be square");
    $1 = (size_t)PyArray_DIM(array, 0);
    $2 = (double *)PyArray_DATA(array);
}

%typemap(in) (size_t a, size_t a_columns, const double *a_data) (PyArrayObject *array = NULL) {
    if (!(array = read_array($input, 2)))
        SWIG_fail;
    $1 = (size_t)PyArray_DIM(array, 0);
    $2 = (size_t)PyArray_DIM(array, 1);
    $3 = (double *)PyArray_DATA(array);
}

// The vector of matvec: its length must be the number of columns, the second argument.
%typemap(in) const double *x (PyArrayObject *array = NULL) {
    if (!(array = read_array($input, 1)))
        SWIG_fail;
    $1 = (double *)PyArray_DATA(array);
}
%typemap(check) const double *x {
    if ((size_t)PyArray_DIM(array$argnum, 0) != arg2)
        SWIG_exception_fail(SWIG_ValueError, "x must be as long as a is wide");
}

%typemap(freearg) (size_t x, const double *x_data), (size_t a, const double *a_data),
                  (size_t a, size_t a_columns, const double *a_data), const double *x {
    Py_XDECREF(array$argnum);
}

%typemap(in) (size_t x, double *x_data) {
    if (!is_inplace($input, 1))
        SWIG_exception_fail(SWIG_TypeError, "x must be a writeable vector of float64");
    $1 = (size_t)PyArray_DIM((PyArrayObject *)$input, 0);
    $2 = (double *)PyArray_DATA((PyArrayObject *)$input);
}

// A result is as long as the first argument says; it is made when that is known.
%typemap(in, numinputs=0) double *y (PyObject *result = NULL) ""
%typemap(check) double *y {
    npy_intp length = (npy_intp)arg1;
    if (!(result$argnum = PyArray_SimpleNew(1, &length, NPY_DOUBLE)))
        SWIG_fail;
    $1 = (double *)PyArray_DATA((PyArrayObject *)result$argnum);
}
%typemap(argout) double *y {
    Py_DECREF($result);
    $result = result$argnum;
}

double add(double a, double b);
double total(size_t x, const double *x_data);
void scale(size_t x, double *x_data, double k);
void double_it(size_t x, const double *x_data, double *y);
double trace2(size_t a, const double *a_data);
void matvec(size_t a, size_t a_columns, const double *a_data, const double *x, double *y);

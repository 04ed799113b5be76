/* Numbers and NumPy arrays between Python and C, for the built-in types. */

#ifndef FISHPLATE_VALUES_H
#define FISHPLATE_VALUES_H

#include "fishplate_linked.h"
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

FP_COLD static int fp_wrong_number(PyObject *object, int type)
{
    PyArray_Descr *wanted = PyArray_DescrFromType(type);
    PyErr_Format(PyExc_TypeError, "expected %S, got %.200s", (PyObject *)wanted,
                 Py_TYPE(object)->tp_name);
    Py_XDECREF(wanted);
    return 0;
}

/* Python's own numbers if they lose only range and precision, which NumPy checks. */
static int fp_is_number_for(PyObject *object, int type)
{
    if (PyBool_Check(object)) {
        return type == NPY_BOOL;
    }
    if (PyTypeNum_ISBOOL(type)) {
        return 0;
    }
    return PyLong_Check(object) || (PyFloat_Check(object) && !PyTypeNum_ISINTEGER(type))
           || (PyComplex_Check(object) && PyTypeNum_ISCOMPLEX(type));
}

/* Reads a number; 0 with an exception set. */
FP_HELPER static int fp_read_number(PyObject *object, int type, void *value)
{
    if (type == NPY_FLOAT64 && PyFloat_CheckExact(object)) {
        *(npy_float64 *)value = PyFloat_AS_DOUBLE(object);
        return 1;
    }
    if (type == NPY_INT64 && PyLong_CheckExact(object)) {
        long long integer = PyLong_AsLongLong(object);
        if (integer != -1 || !PyErr_Occurred()) {
            *(npy_int64 *)value = integer;
            return 1;
        }
        PyErr_Clear(); /* NumPy's message is better */
    }
    if (PyArray_IsScalar(object, Generic)) {
        PyArray_Descr *descr = PyArray_DescrFromScalar(object);
        int fits = descr != NULL && PyArray_EquivTypenums(descr->type_num, type);
        Py_XDECREF(descr);
        if (fits) {
            PyArray_ScalarAsCtype(object, value);
            return 1;
        }
        return fp_wrong_number(object, type);
    }
    if (PyArray_Check(object)) {
        PyArrayObject *array = (PyArrayObject *)object;
        if (PyArray_NDIM(array) == 0 && PyArray_EquivTypenums(PyArray_TYPE(array), type)
            && PyArray_ISNOTSWAPPED(array)) {
            memcpy(value, PyArray_DATA(array), (size_t)PyArray_ITEMSIZE(array));
            return 1;
        }
        return fp_wrong_number(object, type);
    }
    if (fp_is_number_for(object, type)) {
        PyObject *array = PyArray_FromAny(object, PyArray_DescrFromType(type), 0, 0, 0, NULL);
        if (array == NULL) {
            return 0;
        }
        memcpy(value, PyArray_DATA((PyArrayObject *)array),
               (size_t)PyArray_ITEMSIZE((PyArrayObject *)array));
        Py_DECREF(array);
        return 1;
    }
    return fp_wrong_number(object, type);
}

FP_HELPER static int fp_read_float64(PyObject *object, npy_float64 *value)
{
    if (PyFloat_CheckExact(object)) {
        *value = PyFloat_AS_DOUBLE(object);
        return 1;
    }
    return fp_read_number(object, NPY_FLOAT64, value);
}

/* A number as a Python object if there is a type for it, else one of NumPy's. */
FP_HELPER static PyObject *fp_number(int type, void *value)
{
    PyArray_Descr *descr;
    PyObject *number;
    switch (type) {
    case NPY_BOOL: return PyBool_FromLong(*(npy_bool *)value);
    case NPY_INT64: return PyLong_FromLongLong(*(npy_int64 *)value);
    case NPY_FLOAT64: return PyFloat_FromDouble(*(npy_float64 *)value);
    case NPY_COMPLEX128: {
        double parts[2];
        memcpy(parts, value, sizeof parts);
        return PyComplex_FromDoubles(parts[0], parts[1]);
    }
    default: break;
    }
    descr = PyArray_DescrFromType(type);
    if (descr == NULL) {
        return NULL;
    }
    number = PyArray_Scalar(value, descr, NULL);
    Py_DECREF(descr);
    return number;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* In the form for C: of this type, rank and byte order, and aligned. */
FP_HELPER static int fp_is_array(PyObject *object, int type, int ndim)
{
    PyArrayObject *array = (PyArrayObject *)object;
    return PyArray_Check(object) && PyArray_TYPE(array) == type && PyArray_NDIM(array) == ndim
           && PyArray_ISALIGNED(array) && PyArray_ISNOTSWAPPED(array);
}

FP_COLD static int fp_wrong_array(PyObject *object, int type, int ndim)
{
    PyArrayObject *array = (PyArrayObject *)object;
    PyArray_Descr *wanted;
    if (!PyArray_Check(object)) {
        PyErr_Format(PyExc_TypeError, "expected an ndarray, got %.200s", Py_TYPE(object)->tp_name);
        return 0;
    }
    wanted = PyArray_DescrFromType(type);
    if (wanted == NULL) {
        return 0;
    }
    if (PyArray_NDIM(array) != ndim || !PyArray_EquivTypenums(PyArray_TYPE(array), type)) {
        PyErr_Format(PyExc_TypeError, "expected an array of %S and rank %d, got %S and rank %d",
                     (PyObject *)wanted, ndim, (PyObject *)PyArray_DESCR(array),
                     PyArray_NDIM(array));
    } else {
        PyErr_Format(PyExc_TypeError, "expected an array of %S that is aligned and in native byte order",
                     (PyObject *)wanted);
    }
    Py_DECREF(wanted);
    return 0;
}

/* 1, or 0 with an exception set. */
FP_HELPER static int fp_check_array(PyObject *object, int type, int ndim)
{
    /* NumPy has several names for one C type (long, long long). */
    if (FP_UNLIKELY(!fp_is_array(object, type, ndim))
        && !(PyArray_Check(object) && PyArray_EquivTypenums(PyArray_TYPE((PyArrayObject *)object), type)
             && fp_is_array(object, PyArray_TYPE((PyArrayObject *)object), ndim))) {
        return fp_wrong_array(object, type, ndim);
    }
    return 1;
}

/* The result of an op: an array of the type and rank, or NULL, which is detected where it is
 * needed. */
FP_HELPER static int fp_check_made(PyObject *object, int type, int ndim)
{
    PyArrayObject *array = (PyArrayObject *)object;
    if (FP_UNLIKELY(object != NULL
                    && (!PyArray_Check(object) || PyArray_NDIM(array) != ndim
                        || (PyArray_TYPE(array) != type
                            && !PyArray_EquivTypenums(PyArray_TYPE(array), type))))) {
        return fp_wrong_array(object, type, ndim);
    }
    return 1;
}

/* A dimension that is part of the type. */
FP_HELPER static int fp_check_dim(PyObject *object, int dimension, npy_intp size)
{
    npy_intp given = PyArray_DIM((PyArrayObject *)object, dimension);
    if (FP_UNLIKELY(given != size)) {
        PyErr_Format(PyExc_TypeError, "expected an array of size %zd in dimension %d, got %zd",
                     (Py_ssize_t)size, dimension, (Py_ssize_t)given);
        return 0;
    }
    return 1;
}

/* Retains an array for the next call if nothing else refers to it or its memory; takes the
 * reference. */
FP_HELPER static void fp_keep(fp_slot *slot, PyObject *object)
{
    if (object != NULL && PyArray_CheckExact(object) && Py_REFCNT(object) == 1
        && PyArray_BASE((PyArrayObject *)object) == NULL
        && PyArray_CHKFLAGS((PyArrayObject *)object, NPY_ARRAY_OWNDATA)) {
        fp_put(slot, object);
    } else {
        Py_XDECREF(object);
    }
}

/* Copies into `*to` if that is an array of this shape, else replaces it by one. */
FP_HELPER static int fp_copy_array(PyArrayObject **to, PyArrayObject *from)
{
    if (*to != NULL && PyArray_ISWRITEABLE(*to) && PyArray_SAMESHAPE(*to, from)) {
        return PyArray_CopyInto(*to, from) == 0;
    }
    Py_XDECREF(*to);
    *to = (PyArrayObject *)PyArray_NewCopy(from, NPY_CORDER);
    return *to != NULL;
}

/* The shape as a vector of int64. */
FP_HELPER static int fp_shape_of(PyArrayObject **to, PyArrayObject *from)
{
    npy_intp ndim = PyArray_NDIM(from), i;
    if (*to == NULL || PyArray_DIM(*to, 0) != ndim || !PyArray_ISCARRAY(*to)) {
        Py_XDECREF(*to);
        *to = (PyArrayObject *)PyArray_SimpleNew(1, &ndim, NPY_INT64);
        if (*to == NULL) {
            return 0;
        }
    }
    for (i = 0; i < ndim; i++) {
        ((npy_int64 *)PyArray_DATA(*to))[i] = PyArray_DIM(from, (int)i);
    }
    return 1;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* A C variable whose value is passed to a function: a number of a type, or an array. */
typedef struct {
    int type;
    void *value;
} fp_operand;
#define FP_ARRAY (-1)

/* The value as an object, a new reference; NULL with an exception set. */
static PyObject *fp_boxed(const fp_operand *operand)
{
    PyObject *array;
    if (operand->type != FP_ARRAY) {
        return fp_number(operand->type, operand->value);
    }
    array = *(PyObject **)operand->value;
    if (array == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "an op did not make its output");
    }
    Py_XINCREF(array);
    return array;
}

/* Sets the variable to the value of an object; 0 with an exception set. */
static int fp_unboxed(const fp_operand *operand, PyObject *object)
{
    PyObject *old;
    if (operand->type != FP_ARRAY) {
        return fp_read_number(object, operand->type, operand->value);
    }
    old = *(PyObject **)operand->value;
    Py_INCREF(object);
    *(PyObject **)operand->value = object;
    Py_XDECREF(old);
    return 1;
}

/* Calls a function that returns a list of `wanted` values; 0 with an exception set. */
FP_HELPER static int fp_compute(PyObject *function, const fp_operand *inputs, Py_ssize_t given,
                                const fp_operand *outputs, Py_ssize_t wanted)
{
    PyObject *few[FP_FEW], **args = few, *results = NULL;
    Py_ssize_t count = 0, k;
    int ok;
    if (given > FP_FEW) {
        args = (PyObject **)PyMem_Malloc((size_t)given * sizeof *args);
        if (args == NULL) {
            PyErr_NoMemory();
            return 0;
        }
    }
    while (count < given && (args[count] = fp_boxed(&inputs[count])) != NULL) {
        count++;
    }
    if (count == given) {
        results = PyObject_Vectorcall(function, args, (size_t)given, NULL);
    }
    while (count-- > 0) {
        Py_DECREF(args[count]);
    }
    if (args != few) {
        PyMem_Free(args);
    }
    ok = results != NULL;
    for (k = 0; ok && k < wanted; k++) {
        ok = fp_unboxed(&outputs[k], PyList_GET_ITEM(results, k));
    }
    Py_XDECREF(results);
    return ok;
}

#endif

/* axpy2(x, y, a) -> z, linked by Fishplate. */

#include "fishplate_linked.h"
#include "fishplate_values.h"

struct fp_state {
    PyObject *const *orphans;
    fp_slot slots[1];
};

static fp_state *fp_make(PyObject *const *orphans, int *failed)
{
    fp_state *self = (fp_state *)PyMem_Calloc(1, sizeof *self);
    if (self == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    self->orphans = orphans;
    *failed = 0;
    return self;
}

static void fp_drop(fp_state *self)
{
    Py_XDECREF(self->slots[0]);
    PyMem_Free(self);
}

static int fp_run(fp_state *self, PyObject *const *inputs, PyObject **outputs)
{
    int __failure = 0;
    PyObject *py_V0;
    PyArrayObject *V0;
    typedef npy_float64 dtype_V0;
    PyObject *py_V1;
    PyArrayObject *V1;
    typedef npy_float64 dtype_V1;
    PyObject *py_V2;
    npy_float64 V2;
    PyArrayObject *V3;
    typedef npy_float64 dtype_V3;
    PyObject *py_V4;
    PyArrayObject *V4;
    (void)self;
    (void)inputs;

    /* x */
    py_V0 = inputs[0];
    {
        V0 = NULL;
        if (!fp_check_array(py_V0, NPY_FLOAT64, 1)) {
            { __failure = 1; fp_failed(); goto __label_1; }
        }
        V0 = (PyArrayObject *)Py_NewRef(py_V0);
    }

    /* y */
    py_V1 = inputs[1];
    {
        V1 = NULL;
        if (!fp_check_array(py_V1, NPY_FLOAT64, 1)) {
            { __failure = 2; fp_failed(); goto __label_2; }
        }
        V1 = (PyArrayObject *)Py_NewRef(py_V1);
    }

    /* a */
    py_V2 = inputs[2];
    {
        if (!fp_read_float64(py_V2, &V2)) {
            { __failure = 3; fp_failed(); goto __label_3; }
        }
    }

    /* t */
    V3 = (PyArrayObject *)fp_take(&self->slots[0]);

    /* z */
    py_V4 = Py_NewRef(Py_None);
    V4 = NULL;

    /* t = axpy(x, y, a) */
    {
        npy_intp n = PyArray_DIMS(V0)[0];
        if (PyArray_DIMS(V1)[0] != n) {
            PyErr_Format(PyExc_ValueError, "lengths differ: %zd, %zd",
                         (Py_ssize_t)n, (Py_ssize_t)PyArray_DIMS(V1)[0]);
            { __failure = 8; fp_failed(); goto __label_8; };
        }
        if (V3 == NULL || PyArray_DIMS(V3)[0] != n) {
            Py_XDECREF(V3);
            V3 = (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_FLOAT64);
            if (V3 == NULL) {
                { __failure = 8; fp_failed(); goto __label_8; };
            }
        }
        dtype_V0 *z = (dtype_V0 *)PyArray_DATA(V3);
        for (npy_intp i = 0; i < n; i++) {
            z[i] = V2 * *(dtype_V0 *)PyArray_GETPTR1(V0, i)
                 + *(dtype_V1 *)PyArray_GETPTR1(V1, i);
        }
    }

    /* z = axpy(t, y, a) */
    {
        npy_intp n = PyArray_DIMS(V3)[0];
        if (PyArray_DIMS(V1)[0] != n) {
            PyErr_Format(PyExc_ValueError, "lengths differ: %zd, %zd",
                         (Py_ssize_t)n, (Py_ssize_t)PyArray_DIMS(V1)[0]);
            { __failure = 10; fp_failed(); goto __label_10; };
        }
        if (V4 == NULL || PyArray_DIMS(V4)[0] != n) {
            Py_XDECREF(V4);
            V4 = (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_FLOAT64);
            if (V4 == NULL) {
                { __failure = 10; fp_failed(); goto __label_10; };
            }
        }
        dtype_V3 *z = (dtype_V3 *)PyArray_DATA(V4);
        for (npy_intp i = 0; i < n; i++) {
            z[i] = V2 * *(dtype_V3 *)PyArray_GETPTR1(V3, i)
                 + *(dtype_V1 *)PyArray_GETPTR1(V1, i);
        }
    }

__label_10:
    if (__failure == 10) {
        PyObject *const operands[] = {(PyObject *)V3, (PyObject *)V1, py_V2};
        fp_operands(operands, 3);
    }
__label_8:
    if (__failure == 8) {
        PyObject *const operands[] = {(PyObject *)V0, (PyObject *)V1, py_V2};
        fp_operands(operands, 3);
    }
__label_5:
    if (__failure == 0) {
        {
            if (V4 == NULL) {
                PyErr_SetString(PyExc_RuntimeError, "an op did not make its output");
                { __failure = 6; fp_failed(); goto __label_5; }
            }
            Py_XDECREF(py_V4);
            py_V4 = Py_NewRef((PyObject *)V4);
        }
        if (py_V4 == NULL) {
            __failure = 6; fp_failed(); goto __label_5;
        }
        outputs[0] = Py_NewRef(py_V4);
    }
    {
        Py_XDECREF(V4);
    }
    Py_XDECREF(py_V4);
    fp_keep(&self->slots[0], (PyObject *)V3);
__label_3:
__label_2:
    {
        Py_XDECREF(V1);
    }
__label_1:
    {
        Py_XDECREF(V0);
    }
    return fp_finish(__failure, outputs, 1);
}

static PyObject *fp_load(void)
{
    {
        import_array();
    }
    return Py_None;
}

static int fp_accepts(PyObject *const *inputs)
{
    return fp_is_array(inputs[0], NPY_FLOAT64, 1)
        && fp_is_array(inputs[1], NPY_FLOAT64, 1)
        && PyFloat_CheckExact(inputs[2]);
}

static const fp_linked_kind fp_kind = {
    "axpy2", 3, 1, 0, 0,
    fp_load, fp_accepts, fp_make, fp_run, fp_drop,
};
FP_LINKED_MODULE(fp_kind, "axpy2")

/* f(x, y, z) -> b, linked by Fishplate. */

#include "fishplate_linked.h"

struct fp_state {
    PyObject *const *orphans;
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
    PyMem_Free(self);
}

static int fp_run(fp_state *self, PyObject *const *inputs, PyObject **outputs)
{
    int __failure = 0;
    PyObject *py_V0;
    double V0;
    PyObject *py_V1;
    double V1;
    PyObject *py_V2;
    double V2;
    double V3;
    PyObject *py_V4;
    double V4;
    (void)self;
    (void)inputs;

    /* x */
    py_V0 = Py_NewRef(inputs[0]);
    {
        if (!PyFloat_Check(py_V0)) {
            PyErr_SetString(PyExc_TypeError, "expected a float");
            { __failure = 1; fp_failed(); goto __label_1; }
        }
        V0 = PyFloat_AsDouble(py_V0);
    }

    /* y */
    py_V1 = Py_NewRef(inputs[1]);
    {
        if (!PyFloat_Check(py_V1)) {
            PyErr_SetString(PyExc_TypeError, "expected a float");
            { __failure = 2; fp_failed(); goto __label_2; }
        }
        V1 = PyFloat_AsDouble(py_V1);
    }

    /* z */
    py_V2 = Py_NewRef(inputs[2]);
    {
        if (!PyFloat_Check(py_V2)) {
            PyErr_SetString(PyExc_TypeError, "expected a float");
            { __failure = 3; fp_failed(); goto __label_3; }
        }
        V2 = PyFloat_AsDouble(py_V2);
    }

    /* a */
    V3 = 0.0;

    /* b */
    py_V4 = Py_NewRef(Py_None);
    V4 = 0.0;

    /* a = add(x, y) */
    V3 = V0 + V1;

    /* b = mul(a, z) */
    V4 = V3 * V2;

__label_5:
    if (__failure == 0) {
        {
            Py_XDECREF(py_V4);
            py_V4 = PyFloat_FromDouble(V4);
            if (!py_V4) {
                printf("PyFloat_FromDouble failed on: %f\n", V4);
                Py_XINCREF(Py_None);
                py_V4 = Py_None;
            }
        }
        if (py_V4 == NULL) {
            __failure = 6; fp_failed(); goto __label_5;
        }
        outputs[0] = Py_NewRef(py_V4);
    }
    Py_XDECREF(py_V4);
__label_3:
    Py_XDECREF(py_V2);
__label_2:
    Py_XDECREF(py_V1);
__label_1:
    Py_XDECREF(py_V0);
    return fp_finish(__failure, outputs, 1);
}

static PyObject *fp_load(void)
{
    return Py_None;
}

static const fp_linked_kind fp_kind = {
    "f", 3, 1, 0, 0,
    fp_load, NULL, fp_make, fp_run, fp_drop,
};
FP_LINKED_MODULE(fp_kind, "f")

/* Linked graphs as Python objects: the types Function and Cell, compiled once into the package.
 *
 * The numerical runtime is a separate unit (crates/graph-c/runtime/runtime.c); this one uses Python
 * and NumPy, and of a graph only its signature. */
#include "fishplate_python.h" /* arguments are converted as in wrapped functions */

#include "call.h"

#include <dlfcn.h>

#define FPG_MODULE "fishplate._native"

#include "cell.h"
#include "function.h"
#include "form.h"
#include "invoke.h"
#include "forward.h"
#include "shortcuts.h"
#include "attributes.h"

/* ---- Threads -------------------------------------------------------------------------------------- */

static PyObject *
fpg_get_num_threads(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return PyLong_FromLong(fp_get_threads());
}

static PyObject *
fpg_set_num_threads(PyObject *self, PyObject *count)
{
    long threads = PyLong_AsLong(count);
    (void)self;
    if (threads == -1 && PyErr_Occurred()) {
        return NULL;
    }
    fp_set_threads(threads < 0 ? 0 : threads > INT_MAX ? INT_MAX : (int)threads);
    Py_RETURN_NONE;
}

static PyMethodDef fpg_functions[] = {
    {"get_num_threads", fpg_get_num_threads, METH_NOARGS,
     "get_num_threads()\n--\n\nHow many threads a step of a linked graph may use."},
    {"set_num_threads", fpg_set_num_threads, METH_O,
     "set_num_threads(count, /)\n--\n\nSets how many; 0: OMP_NUM_THREADS, or the processors that there are."},
    {NULL, NULL, 0, NULL},
};

/* ---- The module ----------------------------------------------------------------------------------- */

static int
fpg_fill(PyObject *module)
{
    if (PyArray_API == NULL && _import_array() < 0) {
        PyArray_API = NULL; /* it is set before NumPy's version is checked */
        return -1;
    }
    if (fp_intern(fp_protocols) < 0 || fp_intern(fp_list_names) < 0) {
        return -1;
    }
    if (fpg_cell_type == NULL) {
        fpg_cell_type = (PyTypeObject *)PyType_FromSpec(&fpg_cell_spec);
        fpg_function_type = (PyTypeObject *)PyType_FromSpec(&fpg_function_spec);
        if (fpg_cell_type == NULL || fpg_function_type == NULL) {
            return -1;
        }
    }
    return PyModule_AddObjectRef(module, "Cell", (PyObject *)fpg_cell_type) < 0
                   || PyModule_AddFunctions(module, fpg_functions) < 0
                   || PyModule_AddObjectRef(module, "Function", (PyObject *)fpg_function_type) < 0
               ? -1
               : 0;
}

/* Adds the types to the module; -1 with an exception. */
int fishplate_add_entry(PyObject *module);

int
fishplate_add_entry(PyObject *module)
{
    return fp_fill_module(module, fpg_fill);
}

#ifdef FPG_SEPARATE
/* ---- For wheels ----------------------------------------------------------------------------------- */

/* Their other native part has the stable ABI and serves every Python; this module is compiled for each. */
static PyModuleDef_Slot fpg_slots[] = {
    {Py_mod_exec, (void *)fishplate_add_entry},
    FP_MODULE_SLOTS
    FP_WITHOUT_GIL
    {0, NULL},
};

static PyModuleDef fpg_module = {
    PyModuleDef_HEAD_INIT, "fishplate._entry", "Linked graphs: not for direct use.", 0, NULL, fpg_slots, NULL, NULL,
    NULL,
};

PyMODINIT_FUNC
PyInit__entry(void)
{
    return PyModuleDef_Init(&fpg_module);
}
#endif

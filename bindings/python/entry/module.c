/* A linked graph as a separate module: the part that is the same for all of them.
 *
 * The generated source after it describes the function, and the graph is a separate unit. */
#include "fishplate_python.h"

#include "call.h"

#include <dlfcn.h>

#include "cell.h"
#include "function.h"
#include "form.h"
#include "invoke.h"
#include "forward.h"
#include "shortcuts.h"
#include "attributes.h"

/* An argument. */
typedef struct {
    const char *name, *dtype;
    int ndim;
    const npy_intp *shape;    /* the known sizes, -1 for unknown ones */
    const void *fallback;     /* the elements of its default; NULL: it has none */
    const npy_intp *fallback_shape;
} fpx_input;

typedef struct {
    const char *dtype;
    int ndim;
} fpx_output;

/* The module's function. */
typedef struct {
    const char *name, *doc;
    fpg_entry graph;
    int inputs, outputs, pointers, steps;
    int listed, recycles;
    const fpx_input *input;
    const fpx_output *output;
    void *const *pointer;
    const char *const *step; /* the origin of each step, for messages */
} fpx_function;

static const fpx_function fpx_the_function;

/* ---- Errors --------------------------------------------------------------------------------------- */

/* Returns the exception for a note. */
static PyObject *
fpx_on_error(PyObject *self, PyObject *args)
{
    static const char *const kinds[] = {"shape", "value", "index", "memory"};
    PyObject *const types[] = {PyExc_ValueError, PyExc_ValueError, PyExc_IndexError, PyExc_MemoryError};
    PyObject *operands, *inputs, *error, *type = PyExc_RuntimeError;
    const char *kind, *text;
    int step, k;
    (void)self;
    if (!PyArg_ParseTuple(args, "issOO", &step, &kind, &text, &operands, &inputs)) {
        return NULL;
    }
    for (k = 0; k < 4; k++) {
        type = strcmp(kind, kinds[k]) == 0 ? types[k] : type;
    }
    error = PyObject_CallFunction(type, "s", text);
    if (error != NULL && step >= 0 && step < fpx_the_function.steps) {
        PyObject *done = PyObject_CallMethod(error, "add_note", "s", fpx_the_function.step[step]);
        if (done == NULL) {
            Py_CLEAR(error);
        }
        Py_XDECREF(done);
    }
    return error;
}

static PyMethodDef fpx_error_method = {"on_error", fpx_on_error, METH_VARARGS, NULL};

/* ---- What is known of the function ---------------------------------------------------------------- */

/* Pickled by its name. */
static PyObject *
fpx_reduce(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return PyUnicode_FromString(fpx_the_function.name);
}

static PyMethodDef fpx_reduce_method = {"__reduce__", fpx_reduce, METH_NOARGS, NULL};

/* inspect's Signature of these inputs. */
static PyObject *
fpx_signature(PyObject *inputs)
{
    PyObject *inspect = PyImport_ImportModule("inspect"), *list = PyList_New(0), *signature = NULL;
    PyObject *kind = NULL, *parameter = NULL;
    Py_ssize_t k, count = PyTuple_GET_SIZE(inputs);
    if (inspect == NULL || list == NULL) {
        goto done;
    }
    parameter = PyObject_GetAttrString(inspect, "Parameter");
    kind = parameter == NULL ? NULL : PyObject_GetAttrString(parameter, "POSITIONAL_OR_KEYWORD");
    for (k = 0; k < count && kind != NULL; k++) {
        PyObject *input = PyTuple_GET_ITEM(inputs, k), *one, *keywords;
        PyObject *args = Py_BuildValue("(OO)", PyTuple_GET_ITEM(input, 0), kind);
        keywords = PyTuple_GET_SIZE(input) < 4 ? PyDict_New()
                                               : Py_BuildValue("{sO}", "default", PyTuple_GET_ITEM(input, 3));
        one = args == NULL || keywords == NULL ? NULL : PyObject_Call(parameter, args, keywords);
        Py_XDECREF(args);
        Py_XDECREF(keywords);
        if (one == NULL || PyList_Append(list, one) < 0) {
            Py_XDECREF(one);
            goto done;
        }
        Py_DECREF(one);
    }
    signature = kind == NULL ? NULL : PyObject_CallMethod(inspect, "Signature", "O", list);
done:
    Py_XDECREF(inspect);
    Py_XDECREF(list);
    Py_XDECREF(parameter);
    Py_XDECREF(kind);
    return signature;
}

/* The object in which the function's attributes are looked up. */
static PyObject *
fpx_detail(PyObject *inputs)
{
    PyObject *types = PyImport_ImportModule("types"), *detail = NULL, *keywords, *make;
    make = types == NULL ? NULL : PyObject_GetAttrString(types, "SimpleNamespace");
    if (make != NULL) {
        keywords = Py_BuildValue("{sssNsN}", "doc", fpx_the_function.doc, "__signature__",
                                 fpx_signature(inputs), "__reduce__", PyCFunction_New(&fpx_reduce_method, NULL));
        if (keywords != NULL) {
            PyObject *none = PyTuple_New(0);
            detail = none == NULL ? NULL : PyObject_Call(make, none, keywords);
            Py_XDECREF(none);
            Py_DECREF(keywords);
        }
    }
    Py_XDECREF(make);
    Py_XDECREF(types);
    return detail;
}

/* ---- The function --------------------------------------------------------------------------------- */

/* A default: of rank 0 a NumPy scalar. */
static PyObject *
fpx_fallback(const fpx_input *input)
{
    int type;
    PyObject *array, *name = PyUnicode_FromString(input->dtype);
    type = name == NULL ? -1 : fpg_find_type(name);
    Py_XDECREF(name);
    if (type < 0) {
        return NULL;
    }
    array = PyArray_New(&PyArray_Type, input->ndim, input->fallback_shape, fpg_types[type].type, NULL,
                        (void *)(size_t)input->fallback, 0, NPY_ARRAY_CARRAY_RO, NULL);
    return array == NULL ? NULL : PyArray_Return((PyArrayObject *)array);
}

/* (name, dtype, shape[, default]) */
static PyObject *
fpx_describe(const fpx_input *input)
{
    PyObject *fallback, *shape = PyTuple_New(input->ndim);
    int k;
    for (k = 0; k < input->ndim && shape != NULL; k++) {
        PyObject *size = input->shape[k] < 0 ? Py_NewRef(Py_None) : PyLong_FromSsize_t(input->shape[k]);
        if (size == NULL) {
            Py_CLEAR(shape);
        }
        else {
            PyTuple_SET_ITEM(shape, k, size);
        }
    }
    if (shape == NULL) {
        return NULL;
    }
    if (input->fallback == NULL) {
        return Py_BuildValue("(ssN)", input->name, input->dtype, shape);
    }
    fallback = fpx_fallback(input);
    if (fallback == NULL) {
        Py_DECREF(shape);
        return NULL;
    }
    return Py_BuildValue("(ssNN)", input->name, input->dtype, shape, fallback);
}

static PyObject *
fpx_make_function(void)
{
    const fpx_function *what = &fpx_the_function;
    PyObject *inputs = PyTuple_New(what->inputs), *outputs = PyTuple_New(what->outputs);
    PyObject *pointers = PyTuple_New(what->pointers), *one, *detail = NULL, *made = NULL;
    void *graph;
    int k;
    for (k = 0; k < what->inputs && inputs != NULL; k++) {
        one = fpx_describe(&what->input[k]);
        if (one == NULL) {
            goto done;
        }
        PyTuple_SET_ITEM(inputs, k, one);
    }
    for (k = 0; k < what->outputs && outputs != NULL; k++) {
        one = Py_BuildValue("(siO)", what->output[k].dtype, what->output[k].ndim, Py_None);
        if (one == NULL) {
            goto done;
        }
        PyTuple_SET_ITEM(outputs, k, one);
    }
    for (k = 0; k < what->pointers && pointers != NULL; k++) {
        one = PyLong_FromVoidPtr(what->pointer[k]);
        if (one == NULL) {
            goto done;
        }
        PyTuple_SET_ITEM(pointers, k, one);
    }
    if (inputs == NULL || outputs == NULL || pointers == NULL) {
        goto done;
    }
    detail = fpx_detail(inputs);
    memcpy(&graph, &what->graph, sizeof(graph)); /* ISO C has no such cast */
    if (detail != NULL) {
        made = PyObject_CallFunction((PyObject *)fpg_function_type, "NssOOONOii",
                                     PyCapsule_New(graph, "graph", NULL), "graph", what->name, inputs, outputs,
                                     pointers, PyCFunction_New(&fpx_error_method, NULL), detail, what->listed,
                                     what->recycles);
    }
done:
    Py_XDECREF(inputs);
    Py_XDECREF(outputs);
    Py_XDECREF(pointers);
    Py_XDECREF(detail);
    return made;
}

static int
fpx_fill(PyObject *module)
{
    PyObject *function;
    int added;
    if (PyArray_API == NULL && _import_array() < 0) {
        PyArray_API = NULL; /* it is set before NumPy's version is checked */
        return -1;
    }
    if (fp_intern(fp_protocols) < 0 || fp_intern(fp_list_names) < 0) {
        return -1;
    }
    if (fpg_cell_type == NULL) {
        fpg_cell_type = (PyTypeObject *)PyType_FromSpec(&fpg_cell_spec);
        fpg_function_type = fpg_cell_type == NULL ? NULL : (PyTypeObject *)PyType_FromSpec(&fpg_function_spec);
        if (fpg_function_type == NULL) {
            return -1;
        }
    }
    function = fpx_make_function();
    added = function == NULL ? -1 : PyModule_AddObjectRef(module, fpx_the_function.name, function);
    Py_XDECREF(function);
    return added;
}

static int
fpx_start(PyObject *module)
{
    return fp_fill_module(module, fpx_fill);
}

static PyModuleDef_Slot fpx_slots[] = {
    {Py_mod_exec, (void *)fpx_start},
    FP_MODULE_SLOTS
    FP_WITH_GIL
    {0, NULL},
};

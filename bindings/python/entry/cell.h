/* Cells: the storage of shared variables.
 *
 * One slot. A function reads its implicit inputs from cells and writes updates to them only after
 * it has succeeded. `value` in Python is the object that was stored. */

typedef struct {
    PyObject_HEAD
    PyObject *value;
    PyObject *weakrefs;
} fpg_cell;

static PyTypeObject *fpg_cell_type;

static PyObject *
fpg_cell_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"value", NULL};
    PyObject *value = Py_None;
    fpg_cell *cell;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:Cell", names, &value)) {
        return NULL;
    }
    cell = (fpg_cell *)type->tp_alloc(type, 0);
    if (cell != NULL) {
        cell->value = Py_NewRef(value);
    }
    return (PyObject *)cell;
}

static int
fpg_cell_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((fpg_cell *)self)->value);
    return 0;
}

static int
fpg_cell_clear(PyObject *self)
{
    Py_CLEAR(((fpg_cell *)self)->value);
    return 0;
}

static void
fpg_cell_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (((fpg_cell *)self)->weakrefs != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    fpg_cell_clear(self);
    type->tp_free(self);
    Py_DECREF((PyObject *)type);
}

static PyObject *
fpg_cell_repr(PyObject *self)
{
    return PyUnicode_FromFormat("Cell(%R)", ((fpg_cell *)self)->value);
}

static PyObject *
fpg_cell_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_BuildValue("O(O)", Py_TYPE(self), ((fpg_cell *)self)->value);
}

static PyMethodDef fpg_cell_methods[] = {
    {"__reduce__", fpg_cell_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef fpg_cell_members[] = {
    {"value", T_OBJECT_EX, offsetof(fpg_cell, value), 0, "What the cell holds."},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(fpg_cell, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot fpg_cell_slots[] = {
    {Py_tp_new, (void *)fpg_cell_new},
    {Py_tp_traverse, (void *)fpg_cell_traverse},
    {Py_tp_clear, (void *)fpg_cell_clear},
    {Py_tp_dealloc, (void *)fpg_cell_dealloc},
    {Py_tp_repr, (void *)fpg_cell_repr},
    {Py_tp_methods, (void *)fpg_cell_methods},
    {Py_tp_members, (void *)fpg_cell_members},
    {Py_tp_doc, (void *)"Cell(value=None)\n--\n\nThe storage of a shared variable."},
    {0, NULL},
};

static PyType_Spec fpg_cell_spec = {
    FPG_MODULE ".Cell",
    (int)sizeof(fpg_cell),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    fpg_cell_slots,
};

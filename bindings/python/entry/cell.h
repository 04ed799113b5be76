/* Cells: the storage of shared variables.
 *
 * One slot. A function reads its implicit inputs from cells and writes updates to them only after
 * it has succeeded. `value` in Python is the object that was stored. Without the GIL, each access
 * takes the object's lock, so that another thread cannot release the value before it is referred to. */

typedef struct {
    PyObject_HEAD
    PyObject *value;
    PyObject *weakrefs;
} fpg_cell;

static PyTypeObject *fpg_cell_type;

/* A new reference to the value; NULL, without an exception: the cell is empty. */
static inline PyObject *
fpg_cell_load(fpg_cell *cell)
{
    PyObject *value;
    FP_BEGIN_OBJECT(cell)
    value = Py_XNewRef(cell->value);
    FP_END_OBJECT
    return value;
}

/* Stores a value, of which the cell takes the reference; returns the old one, to be released by the caller. */
static inline PyObject *
fpg_cell_swap(fpg_cell *cell, PyObject *value)
{
    PyObject *old;
    FP_BEGIN_OBJECT(cell)
    old = cell->value;
    cell->value = value;
    FP_END_OBJECT
    return old;
}

static PyObject *
fpg_cell_get(PyObject *self, void *unused)
{
    PyObject *value = fpg_cell_load((fpg_cell *)self);
    (void)unused;
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "value");
    }
    return value;
}

static int
fpg_cell_set(PyObject *self, PyObject *value, void *unused)
{
    PyObject *old = fpg_cell_swap((fpg_cell *)self, Py_XNewRef(value));
    (void)unused;
    if (value == NULL && old == NULL) {
        PyErr_SetString(PyExc_AttributeError, "value");
        return -1;
    }
    Py_XDECREF(old);
    return 0;
}

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
    PyObject *value = fpg_cell_load((fpg_cell *)self);
    PyObject *text = value == NULL ? PyUnicode_FromString("Cell()") : PyUnicode_FromFormat("Cell(%R)", value);
    Py_XDECREF(value);
    return text;
}

static PyObject *
fpg_cell_reduce(PyObject *self, PyObject *unused)
{
    PyObject *value = fpg_cell_get(self, NULL);
    (void)unused;
    return value == NULL ? NULL : Py_BuildValue("O(N)", Py_TYPE(self), value);
}

static PyMethodDef fpg_cell_methods[] = {
    {"__reduce__", fpg_cell_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef fpg_cell_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(fpg_cell, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef fpg_cell_attributes[] = {
    {"value", fpg_cell_get, fpg_cell_set, "The stored value.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot fpg_cell_slots[] = {
    {Py_tp_new, (void *)fpg_cell_new},
    {Py_tp_traverse, (void *)fpg_cell_traverse},
    {Py_tp_clear, (void *)fpg_cell_clear},
    {Py_tp_dealloc, (void *)fpg_cell_dealloc},
    {Py_tp_repr, (void *)fpg_cell_repr},
    {Py_tp_methods, (void *)fpg_cell_methods},
    {Py_tp_getset, (void *)fpg_cell_attributes},
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

/* The attributes, the deallocation and the type of a function. */

static int
fpg_function_traverse(PyObject *self, visitproc visit, void *arg)
{
    fpg_function *f = (fpg_function *)self;
    int k;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(f->on_error);
    Py_VISIT(f->detail);
    Py_VISIT(f->keys);
    Py_VISIT(f->locks);
    Py_VISIT(f->target);
    Py_VISIT(f->cells);
    for (k = 0; k < f->input_count; k++) {
        Py_VISIT(f->inputs[k].fallback);
        Py_VISIT(f->inputs[k].cell);
    }
    for (k = 0; k < f->output_count; k++) {
        Py_VISIT(f->outputs[k].cell);
    }
    return 0;
}

/* Breaks cycles, which pass through the detail object; the function still works, but its errors
 * have fewer details. */
static int
fpg_function_clear(PyObject *self)
{
    fpg_function *f = (fpg_function *)self;
    Py_XSETREF(f->on_error, Py_NewRef(PyExc_RuntimeError));
    Py_XSETREF(f->detail, Py_NewRef(Py_None));
    return 0;
}

/* Frees the arrays of earlier calls to which nothing else refers. */
static void
fpg_drop_spares(fpg_function *f)
{
    int k, n;
    for (k = 0; k < f->output_count; k++) {
        for (n = 0; n < FP_SPARES; n++) {
            Py_CLEAR(f->outputs[k].spares.arrays[n]);
        }
    }
}

static void
fpg_function_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    fpg_function *f = (fpg_function *)self;
    int k;
    PyObject_GC_UnTrack(self);
    if (f->weakrefs != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    for (k = 0; k < f->input_count; k++) {
        Py_XDECREF(f->inputs[k].fallback);
        Py_XDECREF(f->inputs[k].cell);
        Py_XDECREF(f->inputs[k].name.object);
        PyMem_Free(f->inputs[k].shape);
    }
    for (k = 0; k < f->output_count; k++) {
        Py_XDECREF(f->outputs[k].cell);
    }
    fpg_drop_spares(f);
    fp_empty(&f->workspace);
    if (f->library != NULL) {
        dlclose(f->library);
    }
    PyMem_Free(f->inputs);
    PyMem_Free(f->names);
    PyMem_Free(f->outputs);
    PyMem_Free((void *)(size_t)f->pointers);
    Py_XDECREF(f->name);
    Py_XDECREF(f->text);
    Py_XDECREF(f->on_error);
    Py_XDECREF(f->detail);
    Py_XDECREF(f->keys);
    Py_XDECREF(f->locks);
    Py_XDECREF(f->target);
    Py_XDECREF(f->cells);
    type->tp_free(self);
    Py_DECREF((PyObject *)type);
}

static PyObject *
fpg_function_repr(PyObject *self)
{
    const fpg_function *f = (const fpg_function *)self;
    int is_exported = f->library == NULL && f->text != NULL;
    return f->detail != NULL && f->detail != Py_None && !is_exported ? PyObject_Repr(f->detail)
           : f->text != NULL                         ? PyUnicode_FromFormat("<fishplate graph %U>", f->text)
                                                     : PyUnicode_FromFormat("<fishplate graph %U>", f->name);
}

/* Nothing is bound, whatever object the function is looked up in. */
static PyObject *
fpg_function_get(PyObject *self, PyObject *instance, PyObject *type)
{
    (void)instance;
    (void)type;
    return Py_NewRef(self);
}

/* Other attributes are those of the detail, except for names that protocols look up. */
static PyObject *
fpg_function_getattr(PyObject *self, PyObject *name)
{
    fpg_function *f = (fpg_function *)self;
    PyObject *found = PyObject_GenericGetAttr(self, name);
    const char *text;
    if (found != NULL || f->detail == Py_None || !PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return found;
    }
    text = PyUnicode_AsUTF8(name);
    if (text == NULL || strncmp(text, "__", 2) == 0) {
        return NULL;
    }
    PyErr_Clear();
    return PyObject_GetAttr(f->detail, name);
}

/* An attribute that the detail has, under this name. */
static PyObject *
fpg_describe_function(PyObject *self, void *name)
{
    PyObject *detail = ((fpg_function *)self)->detail;
    if (detail == Py_None) {
        PyErr_SetString(PyExc_AttributeError, (const char *)name);
        return NULL;
    }
    return PyObject_GetAttrString(detail, (const char *)name);
}

/* A new reference to the names of the attributes. */
static PyObject *
fpg_function_dir(PyObject *self, PyObject *unused)
{
    PyObject *own = PyObject_CallMethod((PyObject *)&PyBaseObject_Type, "__dir__", "O", self), *more, *all;
    PyObject *detail = ((fpg_function *)self)->detail;
    (void)unused;
    if (own == NULL || detail == Py_None) {
        return own;
    }
    more = PyObject_Dir(detail);
    all = more == NULL ? NULL : PySequence_Concat(own, more);
    Py_XDECREF(more);
    Py_DECREF(own);
    return all;
}

static PyObject *
fpg_function_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyObject_CallMethod(((fpg_function *)self)->detail, "__reduce__", NULL);
}

/* Frees what calls have left for the next, also in the parts of which the detail knows. */
static PyObject *
fpg_function_free(PyObject *self, PyObject *unused)
{
    fpg_function *f = (fpg_function *)self;
    (void)unused;
    fpg_drop_spares(f);
    fp_empty(&f->workspace);
    if (f->detail == Py_None) {
        Py_RETURN_NONE;
    }
    return PyObject_CallMethod(f->detail, "free", NULL);
}

static PyMethodDef fpg_function_methods[] = {
    {"free", fpg_function_free, METH_NOARGS,
     "free()\n--\n\nFrees the memory of temporaries and of results that calls have left for the next call."},
    {"__reduce__", fpg_function_reduce, METH_NOARGS, "As its detail says."},
    {"__dir__", fpg_function_dir, METH_NOARGS, NULL},
    {"forward", (PyCFunction)(void (*)(void))fpg_function_forward, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "forward(name, detail, target, count, cells, outputs, listed, keys, locks): a function that calls target with "
     "count arguments by position and the values of cells, and detail(*args, **kwargs) for other arguments, or where "
     "target is None."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef fpg_function_attributes[] = {
    {"__doc__", fpg_describe_function, NULL, NULL, (void *)"doc"}, /* its own `__doc__` is that of its class */
    {"__signature__", fpg_describe_function, NULL, NULL, (void *)"__signature__"},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef fpg_function_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(fpg_function, vectorcall), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(fpg_function, weakrefs), READONLY, NULL},
    {"__name__", T_OBJECT_EX, offsetof(fpg_function, name), READONLY, NULL},
    {"__qualname__", T_OBJECT_EX, offsetof(fpg_function, name), READONLY, NULL},
    {"detail", T_OBJECT_EX, offsetof(fpg_function, detail), READONLY,
     "What is known of the graph; attributes that the function lacks are looked up there."},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot fpg_function_slots[] = {
    {Py_tp_new, (void *)fpg_function_new},
    {Py_tp_traverse, (void *)fpg_function_traverse},
    {Py_tp_clear, (void *)fpg_function_clear},
    {Py_tp_dealloc, (void *)fpg_function_dealloc},
    {Py_tp_repr, (void *)fpg_function_repr},
    {Py_tp_call, (void *)PyVectorcall_Call},
    {Py_tp_descr_get, (void *)fpg_function_get},
    {Py_tp_getattro, (void *)fpg_function_getattr},
    {Py_tp_methods, (void *)fpg_function_methods},
    {Py_tp_getset, (void *)fpg_function_attributes},
    {Py_tp_members, (void *)fpg_function_members},
    {0, NULL},
};

static PyType_Spec fpg_function_spec = {
    FPG_MODULE ".Function",
    (int)sizeof(fpg_function),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE,
    fpg_function_slots,
};

/* Classes: the types of handles, with the functions that take one first as their methods. */

static int
fp_handle_traverse(PyObject *self, visitproc visit, void *arg)
{
    const fp_kept *callback;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((fp_handle *)self)->kept);
    for (callback = ((fp_handle *)self)->callbacks; callback != NULL; callback = callback->next) {
        Py_VISIT(callback->callback.function);
    }
    return 0;
}

static int
fp_handle_clear(PyObject *self)
{
    fp_close_handle((fp_handle *)self);
    return 0;
}

static void
fp_handle_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    fp_handle *handle = (fp_handle *)self;
    PyObject_GC_UnTrack(self);
    /* Every user of the object holds a reference to the handle, so there is none now. It is removed
     * from lists of dependents before weak references call user code. */
    fp_close_handle(handle);
    if (handle->weakrefs != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    fp_lock_drop(handle->lock);
    PyObject_GC_Del(self);
    Py_DECREF((PyObject *)type);
}

static PyObject *
fp_handle_repr(PyObject *self)
{
    fp_handle *handle = (fp_handle *)self;
    const void *pointer;
    int is_closed;
    FP_BEGIN_SHARED
    is_closed = handle->is_closed;
    pointer = handle->pointer;
    FP_END_SHARED
    return is_closed ? PyUnicode_FromFormat("<closed %s>", handle->of->name)
                     : PyUnicode_FromFormat("<%s at %p>", handle->of->name, pointer);
}

static PyObject *
fp_handle_closed(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(fp_is_closed((fp_handle *)self));
}

static PyObject *
fp_handle_method_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    fp_close_handle((fp_handle *)self);
    Py_RETURN_NONE;
}

static PyObject *
fp_handle_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (fp_is_closed((fp_handle *)self)) {
        PyErr_Format(PyExc_ValueError, "this %s is closed", ((fp_handle *)self)->of->name);
        return NULL;
    }
    return Py_NewRef(self);
}

static PyObject *
fp_handle_exit(PyObject *self, PyObject *unused)
{
    return fp_handle_method_close(self, unused);
}

static PyObject *
fp_handle_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyErr_Format(PyExc_TypeError, "cannot pickle or copy a %s: its contents are opaque",
                 ((fp_handle *)self)->of->name);
    return NULL;
}

FP_GLOBAL PyMethodDef fp_handle_methods[] = {
    {"close", fp_handle_method_close, METH_NOARGS,
     "close($self)\n--\n\n"
     "Releases the object: now, or as soon as no call and no other object needs it.\n"
     "Closing twice is a no-op."},
    {"__enter__", fp_handle_enter, METH_NOARGS, NULL},
    {"__exit__", fp_handle_exit, METH_VARARGS, NULL},
    {"__reduce__", fp_handle_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

FP_GLOBAL PyGetSetDef fp_handle_attributes[] = {
    {"closed", fp_handle_closed, NULL, "True after a call of `close`.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

FP_GLOBAL PyMemberDef fp_handle_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(fp_handle, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* A class, with its methods and constants. */
typedef struct {
    fp_handle_class *of;
    const fp_description *constructor;           /* NULL: it has no constructor */
    const fp_description *const *methods;        /* up to NULL */
} fp_class_description;

/* This module's, up to a row without a class. */
FP_GLOBAL const fp_class_description *fp_known_classes;

static fp_entry
fp_constructor_of(PyObject *type)
{
    const fp_class_description *c = fp_known_classes;
    while ((PyObject *)c->of->type != type) {
        c++;
    }
    return c->constructor->entry;
}

/* A call of a class, as a language boundary of the glue headers. */
static PyObject *
fp_construct_guarded(PyObject *type, PyObject *const *args, size_t count, PyObject *keywords)
{
    return fp_glue->call(fp_constructor_of(type), type, args, count, keywords);
}

/* The same, with a tuple and a dictionary of arguments. */
static FP_UNUSED PyObject *
fp_construct_unpacked(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *self = (PyObject *)type;
    return fp_call_unpacked(fp_glue == NULL ? fp_constructor_of(self) : fp_construct_guarded, self, args, keywords);
}

/* Creates the type of a class, with its methods. */
static FP_HELPER PyObject *
fp_make_class(PyObject *module, const fp_class_description *c, PyObject *method)
{
    const fp_description *const *d;
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)c->of->doc},
        {Py_tp_dealloc, (void *)fp_handle_dealloc},
        {Py_tp_traverse, (void *)fp_handle_traverse},
        {Py_tp_clear, (void *)fp_handle_clear},
        {Py_tp_repr, (void *)fp_handle_repr},
        {Py_tp_methods, (void *)fp_handle_methods},
        {Py_tp_getset, (void *)fp_handle_attributes},
        {Py_tp_members, (void *)fp_handle_members},
        {0, NULL},
        {0, NULL}, /* for fp_make_type */
    };
    PyType_Spec spec = {c->of->name, (int)sizeof(fp_handle), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        slots};
    fp_entry construct = c->constructor == NULL ? NULL : fp_glue == NULL ? c->constructor->entry : fp_construct_guarded;
    PyObject *type = fp_make_type(&spec, (vectorcallfunc)construct, fp_construct_unpacked);
    if (type == NULL) {
        return NULL;
    }
    for (d = c->methods; *d != NULL; d++) {
        const char *dot = strrchr((*d)->name, '.');
        if (!fp_add_function(type, dot == NULL ? (*d)->name : dot + 1, *d, method, module)) {
            Py_DECREF(type);
            return NULL;
        }
    }
    return type;
}

/* Adds the classes, up to a row without one, to the module. Their types are created once: handles
 * keep their type when the module is imported again. */
static FP_HELPER int
fp_add_classes(PyObject *module, const fp_class_description *classes)
{
    PyObject *method = PyType_FromSpec(&fp_method_spec);
    int done = method != NULL;
    fp_known_classes = classes;
    for (; done && classes->of != NULL; classes++) {
        fp_handle_class *of = classes->of;
        if (of->type == NULL) {
            of->type = (PyTypeObject *)fp_make_class(module, classes, method);
        }
        done = of->type != NULL
               && PyModule_AddObjectRef(module, strrchr(of->name, '.') + 1, (PyObject *)of->type) == 0;
    }
    Py_XDECREF(method);
    return done ? 0 : -1;
}

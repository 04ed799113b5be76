/* Classes: the types of handles, with the functions that take one first as their methods. */

static int
fp_handle_traverse(PyObject *self, visitproc visit, void *arg)
{
    const fp_kept *callback;
    const fp_links *links = ((fp_handle *)self)->links;
    int k;
    Py_VISIT(Py_TYPE(self));
    for (k = 0; links != NULL && k < links->count; k++) {
        Py_VISIT(links->kept[k].object);
    }
    for (callback = ((fp_handle *)self)->callbacks; callback != NULL; callback = callback->next) {
        const fp_kept *object;
        Py_VISIT(callback->callback.function);
        for (object = callback->objects; object != NULL; object = object->next) {
            Py_VISIT(object->callback.function);
        }
    }
    return 0;
}

static inline int
fp_has_bases(const fp_handle_class *of)
{
    return of->bases != NULL || of->is_base;
}

/* Python's collector visits the objects of the class. */
static inline int
fp_is_visited(const fp_handle_class *of)
{
    return of->refers || fp_has_bases(of);
}

/* Releases the pointer of an object that refers to nothing and needs no lock; 0 if it is another one. */
static inline int
fp_destroy_alone(fp_handle *handle)
{
    const fp_handle_class *of = handle->of;
    if (of->refers || of->is_tracked || of->module != NULL || fp_glue != NULL || handle->is_closed
        || PyErr_Occurred() != NULL) {
        return 0;
    }
    handle->is_closed = 1;
    if (handle->pointer != NULL && handle->is_owned && of->destroy != NULL && !fp_has_exited) {
        of->destroy(handle->pointer);
    }
    return 1;
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
    int is_visited = fp_is_visited(handle->of);
    if (is_visited) {
        PyObject_GC_UnTrack(self);
    }
    /* Every user of the object holds a reference to the handle, so there is none now. It is removed
     * from lists of dependents before weak references call user code. */
    if (!fp_destroy_alone(handle)) {
        fp_close_handle(handle);
    }
    if (handle->weakrefs != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    fp_end_lock(&handle->own);
    if (is_visited) {
        PyObject_GC_Del(self);
    }
    else {
        PyObject_Free(self);
    }
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

static FP_HELPER PyObject *
fp_handle_method_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    fp_close_handle((fp_handle *)self);
    Py_RETURN_NONE;
}

/* The library is to close it: it is open, and the caller's. */
static FP_HELPER int
fp_is_to_close(const fp_handle *handle)
{
    int is_to_close;
    FP_BEGIN_SHARED
    is_to_close = !handle->is_closed && handle->is_owned;
    FP_END_SHARED
    return is_to_close;
}

/* Defines the method `close` of a class whose library reports that it could not close the object `self`: CALL. */
#define FP_CLOSING_METHOD(NAME, CALL)                                                           \
    PyObject *NAME(PyObject *self, PyObject *unused)                                            \
    {                                                                                           \
        return fp_is_to_close((fp_handle *)self) ? CALL : fp_handle_method_close(self, unused); \
    }

static FP_HELPER PyObject *
fp_handle_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (fp_is_closed((fp_handle *)self)) {
        PyErr_Format(PyExc_ValueError, "this %s is closed", ((fp_handle *)self)->of->name);
        return NULL;
    }
    return Py_NewRef(self);
}

static FP_HELPER PyObject *
fp_handle_exit(PyObject *self, PyObject *unused)
{
    return fp_handle_method_close(self, unused);
}

/* The same, by the method of the class. */
static FP_HELPER PyObject *
fp_handle_exit_by_call(PyObject *self, PyObject *unused)
{
    PyObject *close = PyObject_GetAttrString(self, "close");
    PyObject *result = close == NULL ? NULL : PyObject_CallObject(close, NULL);
    (void)unused;
    Py_XDECREF(close);
    return result;
}

static FP_HELPER PyObject *
fp_handle_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyErr_Format(PyExc_TypeError, "cannot pickle or copy a %s: its contents are opaque",
                 ((fp_handle *)self)->of->name);
    return NULL;
}

static FP_HELPER PyObject *
fp_refuse_subclass(PyObject *type, PyObject *args, PyObject *keywords)
{
    (void)args;
    (void)keywords;
    PyErr_Format(PyExc_TypeError, "%R: its base is a class of C and cannot be subclassed in Python", type);
    return NULL;
}

/* The methods of every class, at the end of its table. */
#define FP_HANDLE_METHODS                                                                       \
    {"close", fp_handle_method_close, METH_NOARGS,                                              \
     "close($self)\n--\n\n"                                                                     \
     "Releases the object: now, or as soon as no call and no other object needs it.\n"          \
     "Closing twice is a no-op."},                                                              \
    {"__enter__", fp_handle_enter, METH_NOARGS, NULL},                                          \
    {"__exit__", fp_handle_exit, METH_VARARGS, NULL},                                           \
    {"__reduce__", fp_handle_reduce, METH_NOARGS, NULL},                                        \
    {NULL, NULL, 0, NULL}

/* The attributes of every class, at the end of its table. */
#define FP_HANDLE_ATTRIBUTES                                                                    \
    {"closed", fp_handle_closed, NULL, "True after a call of `close`.", NULL},                  \
    {NULL, NULL, NULL, NULL, NULL}

FP_GLOBAL PyGetSetDef fp_handle_attributes[] = {FP_HANDLE_ATTRIBUTES};

static FP_HELPER PyObject *
fp_array_priority(PyObject *self, void *unused)
{
    (void)self;
    (void)unused;
    return PyFloat_FromDouble(1e6);
}

/* The same for a class with binary operators. An operator of NumPy's array would try each element with the object,
 * unless the object has a higher priority. */
#define FP_OPERAND_ATTRIBUTES                                                                   \
    {"__array_priority__", fp_array_priority, NULL, NULL, NULL},                                \
    FP_HANDLE_ATTRIBUTES

FP_GLOBAL PyGetSetDef fp_operand_attributes[] = {FP_OPERAND_ATTRIBUTES};

/* The same for a class with derived classes: those are the module's. */
#define FP_BASE_METHODS                                                                         \
    {"__init_subclass__", (PyCFunction)(void (*)(void))fp_refuse_subclass,                      \
     METH_CLASS | METH_VARARGS | METH_KEYWORDS, NULL},                                          \
    FP_HANDLE_METHODS

/* The same for a class from which Python may derive classes. */
static PyObject *fp_check_subclass(PyObject *type, PyObject *args, PyObject *keywords);

#define FP_DERIVABLE_METHODS                                                                    \
    {"__init_subclass__", (PyCFunction)(void (*)(void))fp_check_subclass,                       \
     METH_CLASS | METH_VARARGS | METH_KEYWORDS, NULL},                                          \
    FP_HANDLE_METHODS

static PyObject *fp_new_derived(PyTypeObject *type, PyObject *args, PyObject *keywords);
static int fp_init_derived(PyObject *self, PyObject *args, PyObject *keywords);

FP_GLOBAL PyMemberDef fp_handle_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(fp_handle, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* A class, with its methods. */
typedef struct {
    fp_handle_class *of;
    vectorcallfunc construct; /* NULL: it has no constructor */
    PyMethodDef *methods;
    PyGetSetDef *attributes;
    const PyType_Slot *operators; /* NULL: it has none */
} fp_class_description;

/* Space for the slots of a class, and for those of all operators. */
enum { FP_MOST_SLOTS = 64 };

/* This module's, up to a row without a class. */
FP_GLOBAL const fp_class_description *fp_known_classes;

/* A call of a class, with a tuple and a dictionary of arguments. */
static FP_UNUSED PyObject *
fp_construct_unpacked(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const fp_class_description *c = fp_known_classes;
    while (c->of->type != type) {
        c++;
    }
    return fp_call_unpacked(c->construct, (PyObject *)type, args, keywords);
}

static FP_HELPER PyObject *
fp_make_common_base(void)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)fp_handle_dealloc},
        {Py_tp_traverse, (void *)fp_handle_traverse},
        {Py_tp_clear, (void *)fp_handle_clear},
        {Py_tp_members, (void *)fp_handle_members},
        {0, NULL},
        {0, NULL},
    };
    PyType_Spec spec = {"fishplate.object", (int)sizeof(fp_handle), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION
                            | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_BASETYPE,
                        slots};
    return fp_make_type(&spec, NULL, NULL, NULL);
}

/* The tuple of the types from which that of a class is derived. */
static FP_HELPER PyObject *
fp_bases_of(const fp_handle_class *of)
{
    Py_ssize_t count = 0;
    PyObject *bases;
    while (of->bases != NULL && of->bases[count].of != NULL) {
        count++;
    }
    if (fp_common_base == NULL && (fp_common_base = fp_make_common_base()) == NULL) {
        return NULL;
    }
    bases = PyTuple_New(count > 0 ? count : 1);
    if (bases != NULL && count == 0) {
        fp_set_tuple_item(bases, 0, Py_NewRef(fp_common_base));
    }
    for (; bases != NULL && count > 0; count--) {
        const fp_handle_class *base = (const fp_handle_class *)of->bases[count - 1].of;
        fp_set_tuple_item(bases, count - 1, Py_NewRef((PyObject *)base->type));
    }
    return bases;
}

/* Creates the type of a class, with its methods. */
static FP_HELPER PyObject *
fp_make_class(const fp_class_description *c)
{
    /* The rest is zero: the end, with space for a slot of fp_make_type. */
    PyType_Slot slots[FP_MOST_SLOTS] = {
        {Py_tp_doc, (void *)c->of->doc},
        {Py_tp_dealloc, (void *)fp_handle_dealloc},
        {Py_tp_repr, (void *)fp_handle_repr},
        {Py_tp_methods, (void *)c->methods},
        {Py_tp_getset, (void *)c->attributes},
        {Py_tp_members, (void *)fp_handle_members},
    };
    static const PyType_Slot visits[] = {
        {Py_tp_traverse, (void *)fp_handle_traverse},
        {Py_tp_clear, (void *)fp_handle_clear},
    };
    const PyType_Slot *operators = c->operators;
    int count = 6, is_derivable = c->of->overrides != NULL;
    if (fp_is_visited(c->of)) {
        slots[count++] = visits[0];
        slots[count++] = visits[1];
    }
    for (; operators != NULL && operators->slot != 0; operators++) {
        slots[count++] = *operators;
    }
    /* Python calls the constructor of an immutable type without a detour. */
    PyType_Spec spec = {c->of->name, (int)sizeof(fp_handle), 0,
                        (unsigned)(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE
                                   | (fp_is_visited(c->of) ? Py_TPFLAGS_HAVE_GC : 0)
                                   | (is_derivable ? 0 : Py_TPFLAGS_DISALLOW_INSTANTIATION)
                                   | (c->of->is_base ? Py_TPFLAGS_BASETYPE : 0)),
                        slots};
    PyObject *type, *bases = NULL;
    if (fp_has_bases(c->of)) {
        bases = fp_bases_of(c->of);
        if (bases == NULL) {
            return NULL;
        }
    }
    if (is_derivable) {
        slots[count].slot = Py_tp_new;
        slots[count++].pfunc = (void *)fp_new_derived;
        slots[count].slot = Py_tp_init;
        slots[count++].pfunc = (void *)fp_init_derived;
    }
    type = fp_make_type(&spec, bases, is_derivable ? FP_DIRECT_CONSTRUCTOR(c->construct) : c->construct,
                        fp_construct_unpacked);
    Py_XDECREF(bases);
    return type;
}

/* Adds the classes, up to a row without one, to the module. Their types are created once: handles
 * keep their type when the module is imported again. */
static FP_HELPER int
fp_add_classes(PyObject *module, const fp_class_description *classes)
{
    const fp_class_description *c;
    const fp_base *base;
    int done = 1;
    fp_known_classes = classes;
    for (c = classes; c->of != NULL; c++) {
        c->of->is_base |= c->of->overrides != NULL;
        for (base = c->of->bases; base != NULL && base->of != NULL; base++) {
            ((fp_handle_class *)base->of)->is_base = 1;
        }
    }
    for (; done && classes->of != NULL; classes++) {
        fp_handle_class *of = classes->of;
        if (of->type == NULL) {
            of->type = (PyTypeObject *)fp_make_class(classes);
        }
        done = of->type != NULL
               && PyModule_AddObjectRef(module, fp_last_name(of->name), (PyObject *)of->type) == 0;
    }
    return done ? 0 : -1;
}

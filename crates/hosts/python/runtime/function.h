/* The type of a module's functions, which Python calls.
 *
 * A separate type, because a builtin function cannot have `signature` and `explain`. Like a
 * builtin, it is not bound to objects, and it is pickled by name. */

/* Any C function. */
typedef void (*fp_target)(void);

/* The C function F, which was compared with its prototype under ID. */
#ifdef __cplusplus
#define FP_TARGET(ID, F) (fp_target)fp_agrees_##ID
#else
#define FP_TARGET(ID, F) (fp_target)F
#endif

/* A C number as Python's: an integer type has no fractions. */
#define FP_NUMBER(X)                                                                            \
    ((__typeof__(X))0.5 == 0 ? PyLong_FromLongLong((long long)(X)) : PyFloat_FromDouble((double)(X)))

/* The origin of a function, for graphs that call its C functions themselves. */
typedef struct {
    const char *interface; /* the interface file */
    const fp_target *targets;
    int count;
    PyObject *(*constants)(void); /* the names of its expressions in the headers; NULL: none */
} fp_origin;

/* The description of a function; static, one per function. */
typedef struct {
    const char *name;      /* "mean"; for a function that is only a method "Rng.uniform" */
    const char *doc;       /* "name(x)\n--\n\nText", as for builtin functions */
    const char *signature; /* of its core dimensions: "(m,n),(n)->(m)" */
    fp_entry entry;
    const fp_origin *origin; /* NULL: only Python can call it */
} fp_description;

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    const fp_description *description;
    PyObject *module; /* its name */
    PyObject *weakrefs;
} fp_function;

static const fp_description *
fp_describe(PyObject *self)
{
    return ((fp_function *)self)->description;
}

static void
fp_function_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    fp_function *function = (fp_function *)self;
    if (function->weakrefs != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    Py_XDECREF(function->module);
    PyObject_Free(self);
    Py_DECREF((PyObject *)type);
}

static PyObject *
fp_function_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<fishplate function %U.%s>", ((fp_function *)self)->module,
                                fp_describe(self)->name);
}

/* Nothing is bound, whatever object the function is looked up in. */
static PyObject *
fp_function_get(PyObject *self, PyObject *instance, PyObject *type)
{
    (void)instance;
    (void)type;
    return Py_NewRef(self);
}

/* The bound form of an object's function. */
static PyObject *
fp_method_get(PyObject *self, PyObject *instance, PyObject *type)
{
    (void)type;
    return instance == NULL ? Py_NewRef(self) : fp_bound_method(self, instance);
}

static PyObject *
fp_function_name(PyObject *self, void *closure)
{
    const char *name = fp_describe(self)->name, *dot = strrchr(name, '.');
    (void)closure;
    return PyUnicode_FromString(dot == NULL ? name : dot + 1);
}

static PyObject *
fp_function_qualname(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(fp_describe(self)->name);
}

/* The beginning of the documentation after the signature. */
static const char *
fp_doc_text(const fp_description *d)
{
    const char *end = strstr(d->doc, "\n--\n\n");
    return end == NULL ? d->doc : end + 5;
}

static PyObject *
fp_function_doc(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(fp_doc_text(fp_describe(self)));
}

/* "(x)", which `inspect` reads. */
static PyObject *
fp_function_text_signature(PyObject *self, void *closure)
{
    const fp_description *d = fp_describe(self);
    const char *start = d->doc + strlen(d->name);
    (void)closure;
    return PyUnicode_FromStringAndSize(start, fp_doc_text(d) - 5 - start);
}

static PyObject *
fp_function_signature(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(fp_describe(self)->signature);
}

static PyObject *
fp_function_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyUnicode_FromString(fp_describe(self)->name);
}

static PyObject *
fp_function_explain(PyObject *self, PyObject *const *args, Py_ssize_t given, PyObject *keywords)
{
    const fp_description *d = fp_describe(self);
    fp_explanation e, **place;
    PyObject *result;
    e.function = d->name;
    e.args = args;
    e.count = given + (keywords == NULL ? 0 : fp_tuple_size(keywords));
    e.thread = PyThread_get_thread_ident();
    e.done = 0;
    e.text = NULL;
    e.next = fp_explaining;
    fp_explaining = &e;
    result = d->entry(self, args, (size_t)given, keywords);
    /* Other threads may have started and ended since. */
    for (place = &fp_explaining; *place != &e; place = &(*place)->next) {
    }
    *place = e.next;
    Py_XDECREF(result); /* a call that ended early has none, and no exception either */
    return e.text;
}

/* The interface, the addresses of the C functions, and the constants; None if there is none. */
static PyObject *
fp_function_origin(PyObject *self, void *closure)
{
    const fp_origin *origin = fp_describe(self)->origin;
    PyObject *addresses, *constants, *text, *told;
    int k;
    (void)closure;
    if (origin == NULL) {
        Py_RETURN_NONE;
    }
    addresses = PyTuple_New(origin->count);
    for (k = 0; addresses != NULL && k < origin->count; k++) {
        PyObject *address = PyLong_FromUnsignedLongLong((size_t)origin->targets[k]);
        if (address == NULL) {
            Py_CLEAR(addresses);
            break;
        }
        fp_set_tuple_item(addresses, k, address);
    }
    constants = addresses == NULL            ? NULL
                : origin->constants != NULL ? origin->constants()
                                            : PyDict_New();
    if (constants == NULL) {
        Py_XDECREF(addresses);
        return NULL;
    }
    text = PyUnicode_FromString(origin->interface);
    told = text == NULL ? NULL : PyTuple_New(3);
    if (told == NULL) {
        Py_XDECREF(text);
        Py_DECREF(addresses);
        Py_DECREF(constants);
        return NULL;
    }
    fp_set_tuple_item(told, 0, text);
    fp_set_tuple_item(told, 1, addresses);
    fp_set_tuple_item(told, 2, constants);
    return told;
}

static PyObject *
fp_function_op(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *result = NULL, *apply, *given, *package = PyImport_ImportModule("fishplate.graph.wrapped");
    if (package == NULL) {
        if (PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_ImportError,
                         "%s.op() makes a node of a graph, which needs the Python package fishplate",
                         fp_describe(self)->name);
        }
        return NULL;
    }
    apply = PyObject_GetAttrString(package, "apply");
    Py_DECREF(package);
    given = apply == NULL ? NULL : PyTuple_New(3);
    if (given != NULL) {
        fp_set_tuple_item(given, 0, Py_NewRef(self));
        fp_set_tuple_item(given, 1, Py_NewRef(args));
        fp_set_tuple_item(given, 2, Py_NewRef(keywords == NULL ? Py_None : keywords));
        result = PyObject_Call(apply, given, NULL);
        Py_DECREF(given);
    }
    Py_XDECREF(apply);
    return result;
}

FP_GLOBAL PyMethodDef fp_function_methods[] = {
    {"op", (PyCFunction)(void (*)(void))fp_function_op, METH_VARARGS | METH_KEYWORDS,
     "op($self, *args, **kwargs)\n--\n\n"
     "The call as an op of a graph (`fishplate.graph`): takes variables, arrays and numbers, and\n"
     "gives variables. A function that is linked of the graph calls C without Python."},
    {"explain", (PyCFunction)(void (*)(void))fp_function_explain, METH_FASTCALL | METH_KEYWORDS,
     "explain($self, *args, **kwargs)\n--\n\n"
     "What a call with these arguments would do: which prototype it calls, and which arguments are\n"
     "used in place, copied, cast or allocated. C is not called."},
    {"__reduce__", fp_function_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

FP_GLOBAL PyGetSetDef fp_function_attributes[] = {
    {"__name__", fp_function_name, NULL, NULL, NULL},
    {"__qualname__", fp_function_qualname, NULL, NULL, NULL},
    {"__doc__", fp_function_doc, NULL, NULL, NULL},
    {"__text_signature__", fp_function_text_signature, NULL, NULL, NULL},
    {"signature", fp_function_signature, NULL,
     "The core dimensions of inputs and outputs, as generalized ufuncs write them.", NULL},
    {"_origin", fp_function_origin, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

FP_GLOBAL PyMemberDef fp_function_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(fp_function, vectorcall), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(fp_function, weakrefs), READONLY, NULL},
    {"__module__", T_OBJECT, offsetof(fp_function, module), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

#define FP_FUNCTION_SLOTS(GET)                                                                  \
    {                                                                                           \
        {Py_tp_dealloc, (void *)fp_function_dealloc}, {Py_tp_repr, (void *)fp_function_repr},   \
        {Py_tp_call, (void *)PyVectorcall_Call}, {Py_tp_descr_get, (void *)GET},                \
        {Py_tp_methods, (void *)fp_function_methods},                                           \
        {Py_tp_getset, (void *)fp_function_attributes},                                         \
        {Py_tp_members, (void *)fp_function_members}, {0, NULL},                                \
    }
FP_GLOBAL PyType_Slot fp_function_slots[] = FP_FUNCTION_SLOTS(fp_function_get);
FP_GLOBAL PyType_Slot fp_method_slots[] = FP_FUNCTION_SLOTS(fp_method_get);

enum {
    FP_FUNCTION_FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL
                        | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE
};

FP_GLOBAL PyType_Spec fp_function_spec = {
    "fishplate.function", (int)sizeof(fp_function), 0, FP_FUNCTION_FLAGS, fp_function_slots,
};

/* The same for a method: the object is passed without creating a bound method. */
FP_GLOBAL PyType_Spec fp_method_spec = {
    "fishplate.method", (int)sizeof(fp_function), 0, FP_FUNCTION_FLAGS | Py_TPFLAGS_METHOD_DESCRIPTOR,
    fp_method_slots,
};

/* A call of a function, as a language boundary of the glue headers. */
static PyObject *
fp_call_guarded(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    return fp_glue->call(fp_describe(self)->entry, self, args, count, keywords);
}

/* Adds a function of this type to the module, or to a class of the module's, as its attribute `name`. */
static FP_HELPER int
fp_add_function(PyObject *to, const char *name, const fp_description *d, PyObject *type,
                PyObject *module)
{
    fp_function *function = (fp_function *)PyType_GenericAlloc((PyTypeObject *)type, 0);
    int done;
    if (function == NULL) {
        return 0;
    }
    function->vectorcall = (vectorcallfunc)(fp_glue == NULL ? d->entry : fp_call_guarded);
    function->description = d;
    function->module = PyModule_GetNameObject(module);
    done = function->module != NULL && PyObject_SetAttrString(to, name, (PyObject *)function) == 0;
    Py_DECREF((PyObject *)function);
    return done;
}

/* Adds the functions, up to one without a name, to the module. */
static FP_HELPER int
fp_add_functions(PyObject *module, const fp_description *descriptions)
{
    PyObject *type = PyType_FromSpec(&fp_function_spec);
    int done = type != NULL;
    for (; done && descriptions->name != NULL; descriptions++) {
        done = fp_add_function(module, descriptions->name, descriptions, type, module);
    }
    Py_XDECREF(type);
    return done ? 0 : -1;
}

/* Namespaces: the members of a module that describe its functions.
 *
 * `module.explain.NAME(...)` explains a call, `module.op.NAME(...)` makes it a node of a graph, and
 * `module.signature.NAME` is the core signature. Methods have the name of their class before their own.
 * If the interface has one of these names, the namespace is `__explain__`, and so on.
 *
 * One type serves namespaces and their members, which are created when they are looked up. */

typedef enum { FP_EXPLAIN, FP_OP, FP_SIGNATURE } fp_topic;

static FP_UNUSED const char *const fp_topic_names[] = {"explain", "op", "signature"};

typedef struct {
    PyObject_HEAD
    fp_topic topic;
    PyObject *module;
    const fp_description *all; /* the module's functions and methods, up to one without a name */
    const fp_description *one; /* the function; NULL: a namespace */
    const char *path;          /* "Rng.uniform"; for the namespace of a class, a string that begins with */
    size_t length;             /* its name and a dot, which are this long */
} fp_about;

static PyObject *
fp_new_about(PyTypeObject *type, const fp_about *like, const fp_description *one, const char *path, size_t length)
{
    fp_about *about = (fp_about *)PyType_GenericAlloc(type, 0);
    if (about != NULL) {
        about->topic = like->topic;
        about->module = Py_NewRef(like->module);
        about->all = like->all;
        about->one = one;
        about->path = path;
        about->length = length;
    }
    return (PyObject *)about;
}

static int
fp_about_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((fp_about *)self)->module);
    return 0;
}

static int
fp_about_clear(PyObject *self)
{
    Py_CLEAR(((fp_about *)self)->module);
    return 0;
}

static void
fp_about_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    fp_about_clear(self);
    PyObject_GC_Del(self);
    Py_DECREF((PyObject *)type);
}

/* "stats.explain.Rng.uniform" */
static FP_COLD const char *
fp_about_path(const fp_about *about, fp_message *t)
{
    const char *module = PyModule_GetName(about->module);
    size_t length = about->one != NULL ? strlen(about->path) : about->length == 0 ? 0 : about->length - 1;
    PyErr_Clear(); /* of a module whose name was removed */
    t->length = 0;
    fp_append(t, "%s.%s%s%.*s", module == NULL ? "?" : module, fp_topic_names[about->topic], length == 0 ? "" : ".",
              (int)length, about->path);
    return t->text;
}

static PyObject *
fp_about_repr(PyObject *self)
{
    fp_message t;
    return PyUnicode_FromFormat("<%s>", fp_about_path((fp_about *)self, &t));
}

/* The rest of a function's name in the namespace; NULL if it is not in there. */
static const char *
fp_name_within(const fp_about *about, const fp_description *d)
{
    return strncmp(d->name, about->path, about->length) == 0 ? d->name + about->length : NULL;
}

/* The member of a namespace; NULL without an exception if it has none of this name. */
static PyObject *
fp_about_member(fp_about *about, const char *name)
{
    const fp_description *d;
    size_t length = strcspn(name, "."); /* a name has no dot */
    for (d = about->all; name[length] == 0 && d->name != NULL; d++) {
        const char *rest = fp_name_within(about, d);
        if (rest == NULL || strncmp(rest, name, length) != 0) {
            continue;
        }
        if (rest[length] == 0) {
            return about->topic == FP_SIGNATURE ? PyUnicode_FromString(d->signature)
                                                : fp_new_about(Py_TYPE((PyObject *)about), about, d, d->name, 0);
        }
        if (rest[length] == '.') {
            return fp_new_about(Py_TYPE((PyObject *)about), about, NULL, d->name, about->length + length + 1);
        }
    }
    return NULL;
}

static PyObject *
fp_about_getattr(PyObject *self, PyObject *name)
{
    fp_about *about = (fp_about *)self;
    PyObject *found = PyObject_GenericGetAttr(self, name);
    const char *text;
    if (found != NULL || about->one != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return found;
    }
    PyErr_Clear();
    text = fp_utf8(name);
    found = text == NULL ? NULL : fp_about_member(about, text);
    if (found == NULL && !PyErr_Occurred()) {
        fp_message t;
        PyErr_Format(PyExc_AttributeError, "%s has no function '%U'", fp_about_path(about, &t), name);
    }
    return found;
}

static PyObject *
fp_about_dir(PyObject *self, PyObject *unused)
{
    fp_about *about = (fp_about *)self;
    const fp_description *d;
    PyObject *names = PyDict_New(), *list; /* a class has one entry for all its methods */
    (void)unused;
    for (d = about->all; names != NULL && about->one == NULL && d->name != NULL; d++) {
        const char *rest = fp_name_within(about, d);
        if (rest != NULL) {
            PyObject *name = PyUnicode_FromStringAndSize(rest, (Py_ssize_t)strcspn(rest, "."));
            if (name == NULL || PyDict_SetItem(names, name, Py_None) < 0) {
                Py_CLEAR(names);
            }
            Py_XDECREF(name);
        }
    }
    list = names == NULL ? NULL : PyDict_Keys(names);
    Py_XDECREF(names);
    return list;
}

/* The function or method itself. */
static PyObject *
fp_about_wrapped(PyObject *self, void *closure)
{
    const fp_about *about = (fp_about *)self;
    PyObject *found = Py_NewRef(about->module);
    const char *rest = about->one == NULL ? "__wrapped__" : about->one->name;
    (void)closure;
    while (found != NULL && rest != NULL) {
        const char *dot = strchr(rest, '.');
        PyObject *name = PyUnicode_FromStringAndSize(rest, (Py_ssize_t)strcspn(rest, "."));
        fp_set_reference(&found, name == NULL ? NULL : PyObject_GetAttr(found, name));
        Py_XDECREF(name);
        rest = dot == NULL ? NULL : dot + 1;
    }
    return found;
}

/* ---- The calls -------------------------------------------------------------------------------------- */

/* The call of a method without arguments: in place of Python, which makes no call with some. */
static PyObject *
fp_explain_lone(const fp_explanation *e, const fp_description *d, PyObject *const *args)
{
    if (e->count == 1) {
        return d->lone(args[0], NULL);
    }
    PyErr_Format(PyExc_TypeError, "%s() takes no arguments (%zd given)", d->name, e->count - 1);
    return NULL;
}

static PyObject *
fp_explain_call(PyObject *self, PyObject *const *args, size_t given, PyObject *keywords)
{
    const fp_description *d = ((fp_about *)self)->one;
    size_t objects = strchr(d->name, '.') != NULL; /* a method receives its object separately */
    fp_explanation e, **place;
    PyObject *result;
    if (given < objects) {
        PyErr_Format(PyExc_TypeError, "explain.%s() needs the object as its first argument", d->name);
        return NULL;
    }
    e.function = d->function;
    e.args = args;
    e.count = (Py_ssize_t)given + (keywords == NULL ? 0 : fp_tuple_size(keywords));
    e.thread = PyThread_get_thread_ident();
    e.done = 0;
    e.text = NULL;
    e.next = fp_explaining;
    fp_explaining = &e;
    result = d->lone != NULL
                 ? fp_explain_lone(&e, d, args)
                 : d->entry(objects ? args[0] : NULL, args + objects, (Py_ssize_t)(given - objects), keywords);
    /* Other threads may have started and ended since. */
    for (place = &fp_explaining; *place != &e; place = &(*place)->next) {
    }
    *place = e.next;
    Py_XDECREF(result); /* a call that ended early has none, and no exception either */
    return e.text;
}

/* The node that the package creates, from the member itself and the arguments. */
static PyObject *
fp_op_call(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *result = NULL, *apply, *given, *package = PyImport_ImportModule("fishplate.graph.wrapped");
    if (package == NULL) {
        if (PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_ImportError,
                         "op.%s() makes a node of a graph, which needs the Python package fishplate",
                         ((fp_about *)self)->one->name);
        }
        return NULL;
    }
    apply = PyObject_GetAttrString(package, "apply");
    Py_DECREF(package);
    given = apply == NULL ? NULL : PyTuple_New(3);
    if (given != NULL) {
        PyObject *function = fp_about_wrapped(self, NULL);
        fp_set_tuple_item(given, 0, function);
        fp_set_tuple_item(given, 1, Py_NewRef(args));
        fp_set_tuple_item(given, 2, Py_NewRef(keywords == NULL ? Py_None : keywords));
        result = function == NULL ? NULL : PyObject_Call(apply, given, NULL);
        Py_DECREF(given);
    }
    Py_XDECREF(apply);
    return result;
}

static PyObject *
fp_about_call(PyObject *self, PyObject *args, PyObject *keywords)
{
    const fp_about *about = (fp_about *)self;
    if (about->one == NULL) {
        fp_message t;
        const char *path = fp_about_path(about, &t);
        return PyErr_Format(PyExc_TypeError, "%s is a namespace with a member for each function: write %s.NAME(...)",
                            path, path);
    }
    return about->topic == FP_OP ? fp_op_call(self, args, keywords)
                                 : fp_call_unpacked(fp_explain_call, self, args, keywords);
}

/* The interface, the addresses of the C functions, and the constants; None if there is none. */
static PyObject *
fp_about_origin(PyObject *self, void *closure)
{
    const fp_origin *origin = ((fp_about *)self)->one == NULL ? NULL : ((fp_about *)self)->one->origin;
    PyObject *addresses, *constants, *text, *description;
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
    description = text == NULL ? NULL : PyTuple_New(3);
    if (description == NULL) {
        Py_XDECREF(text);
        Py_DECREF(addresses);
        Py_DECREF(constants);
        return NULL;
    }
    fp_set_tuple_item(description, 0, text);
    fp_set_tuple_item(description, 1, addresses);
    fp_set_tuple_item(description, 2, constants);
    return description;
}

FP_GLOBAL PyMethodDef fp_about_methods[] = {
    {"__dir__", fp_about_dir, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

FP_GLOBAL PyGetSetDef fp_about_attributes[] = {
    {"__wrapped__", fp_about_wrapped, NULL, "The function itself.", NULL},
    {"__origin__", fp_about_origin, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

FP_GLOBAL PyType_Slot fp_about_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)"What a module says about its functions:\n\n"
                                   "`module.explain.NAME(...)` reports what a call with these arguments would do: which\n"
                                   "prototype it calls, and which arguments are used in place, copied, cast or allocated.\n"
                                   "C is not called.\n\n"
                                   "`module.op.NAME(...)` is the call as an op of a graph (`fishplate.graph`): it takes\n"
                                   "variables, arrays and numbers, and returns variables. A function that is linked of\n"
                                   "the graph calls C without Python.\n\n"
                                   "`module.signature.NAME` is the core signature, as of generalized ufuncs."},
    {Py_tp_dealloc, (void *)fp_about_dealloc},
    {Py_tp_traverse, (void *)fp_about_traverse},
    {Py_tp_clear, (void *)fp_about_clear},
    {Py_tp_repr, (void *)fp_about_repr},
    {Py_tp_call, (void *)fp_about_call},
    {Py_tp_getattro, (void *)fp_about_getattr},
    {Py_tp_methods, (void *)fp_about_methods},
    {Py_tp_getset, (void *)fp_about_attributes},
    {0, NULL},
};

FP_GLOBAL PyType_Spec fp_about_spec = {
    "fishplate.about", (int)sizeof(fp_about), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    fp_about_slots,
};

/* Adds a namespace to the module, under its hidden name if the other one is in use. */
static FP_HELPER int
fp_add_namespace(PyObject *module, const fp_about *like, PyTypeObject *type)
{
    PyObject *names = PyModule_GetDict(module), *made, *name;
    const char *plain = fp_topic_names[like->topic];
    int done;
    name = PyUnicode_FromString(plain);
    done = name == NULL ? -1 : PyDict_Contains(names, name);
    if (done == 1) {
        fp_set_reference(&name, PyUnicode_FromFormat("__%s__", plain));
    }
    made = done < 0 || name == NULL ? NULL : fp_new_about(type, like, NULL, "", 0);
    done = made == NULL ? -1 : PyDict_SetItem(names, name, made);
    Py_XDECREF(made);
    Py_XDECREF(name);
    return done;
}

/* Adds the namespaces, last of all, to the module. */
static FP_HELPER int
fp_add_namespaces(PyObject *module, const fp_description *all)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpec(&fp_about_spec);
    fp_about like;
    int topic, done = type == NULL ? -1 : 0;
    memset(&like, 0, sizeof(like));
    like.module = module;
    like.all = all;
    for (topic = FP_EXPLAIN; done == 0 && topic <= FP_SIGNATURE; topic++) {
        like.topic = (fp_topic)topic;
        done = fp_add_namespace(module, &like, type);
    }
    Py_XDECREF((PyObject *)type);
    return done;
}

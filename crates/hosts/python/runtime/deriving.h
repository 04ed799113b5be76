/* Classes of Python that are derived from a class with virtual methods, and override some.
 *
 * Python creates an object of such a class empty; __init__ of the module's class constructs the object of C++, with a
 * callback for each method that the class of Python overrides. A callback refers to its object weakly, as the object
 * has the callback. */

/* The class of the module from which a type is derived: the one that no other such class precedes. */
static FP_HELPER const fp_class_description *
fp_derived_from(PyTypeObject *type)
{
    const fp_class_description *c, *found = NULL;
    for (c = fp_known_classes; c->of != NULL; c++) {
        if (PyType_IsSubtype(type, c->of->type)
            && (found == NULL || PyType_IsSubtype(c->of->type, found->of->type))) {
            found = c;
        }
    }
    return found;
}

/* An object without an object of C++, which its __init__ constructs. */
static FP_HELPER PyObject *
fp_new_derived(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    fp_handle *handle = (fp_handle *)PyType_GenericAlloc(type, 0);
    (void)args;
    (void)keywords;
    if (handle != NULL) {
        handle->of = fp_derived_from(type)->of;
        handle->is_closed = handle->is_empty = 1;
    }
    return (PyObject *)handle;
}

/* Calls a method of an object, to which there is a weak reference, or gets a property. */
static PyObject *
fp_call_override(PyObject *pair, PyObject *const *args, Py_ssize_t count)
{
    PyObject *self = PyObject_CallObject(fp_tuple_item(pair, 0), NULL), *method, *result = NULL;
    if (self == Py_None) {
        PyErr_Format(PyExc_ReferenceError, "the object of '%U' does not exist any more", fp_tuple_item(pair, 1));
    }
    else if (self != NULL) {
        method = PyObject_GetAttr(self, fp_tuple_item(pair, 1));
        if (method != NULL) {
            result = PyObject_Vectorcall(method, args, (size_t)count, NULL);
            Py_DECREF(method);
        }
    }
    Py_XDECREF(self);
    return result;
}

FP_GLOBAL PyMethodDef fp_override_method = {"override", (PyCFunction)(void (*)(void))fp_call_override, METH_FASTCALL,
                                            NULL};

/* The function that calls the override of an object. */
static FP_HELPER PyObject *
fp_make_override(PyObject *self, const char *method)
{
    PyObject *weak = PyWeakref_NewRef(self, NULL), *function = NULL;
    PyObject *pair = weak == NULL ? NULL : Py_BuildValue("(Os)", weak, method);
    if (pair != NULL) {
        function = PyCFunction_NewEx(&fp_override_method, pair, NULL);
        Py_DECREF(pair);
    }
    Py_XDECREF(weak);
    return function;
}

/* 1: the class of the object overrides a method of the module's class; -1: an exception is set. */
static FP_HELPER int
fp_overrides(PyObject *self, const fp_handle_class *of, const char *method)
{
    PyObject *mine = PyObject_GetAttrString((PyObject *)Py_TYPE(self), method), *theirs = NULL;
    int is_other;
    if (mine != NULL) {
        theirs = PyObject_GetAttrString((PyObject *)of->type, method);
    }
    is_other = theirs == NULL ? -1 : mine != theirs;
    Py_XDECREF(mine);
    Py_XDECREF(theirs);
    return is_other;
}

/* Adds a callback for each overridden method, unless the caller passes one. */
static FP_HELPER int
fp_add_overrides(PyObject *self, const fp_handle_class *of, PyObject *keywords)
{
    const fp_override *one;
    for (one = of->overrides; one->method != NULL; one++) {
        int is_needed = PyDict_GetItemString(keywords, one->parameter) == NULL, done;
        PyObject *function;
        is_needed = is_needed ? fp_overrides(self, of, one->method) : 0;
        if (is_needed < 0) {
            return 0;
        }
        if (is_needed) {
            function = fp_make_override(self, one->method);
            done = function != NULL && PyDict_SetItemString(keywords, one->parameter, function) == 0;
            Py_XDECREF(function);
            if (!done) {
                return 0;
            }
        }
    }
    return 1;
}

/* Constructs the object of C++. */
static FP_HELPER int
fp_init_derived(PyObject *self, PyObject *args, PyObject *keywords)
{
    fp_handle *handle = (fp_handle *)self;
    const fp_class_description *c = fp_derived_from(Py_TYPE(self));
    PyObject *all, *made = NULL;
    int is_empty;
    FP_BEGIN_SHARED
    is_empty = handle->is_empty;
    handle->is_empty = 0;
    FP_END_SHARED
    if (!is_empty) {
        PyErr_Format(PyExc_RuntimeError, "this %s is initialised already", c->of->name);
        return -1;
    }
    all = keywords == NULL ? PyDict_New() : PyDict_Copy(keywords);
    if (all != NULL && fp_add_overrides(self, c->of, all)) {
        made = fp_call_unpacked(c->construct, self, args, all);
    }
    Py_XDECREF(all);
    FP_BEGIN_SHARED
    handle->is_closed = 0;
    FP_END_SHARED
    if (made == NULL) {
        fp_aside aside;
        fp_put_aside(&aside);
        fp_close_handle(handle);
        fp_put_back(&aside);
        return -1;
    }
    if (Py_TYPE(self) != c->of->type) { /* with the stable ABI, Python initialises every object so */
        c->of->derive(handle->pointer);
    }
    Py_DECREF(made);
    return 0;
}

/* Refuses a class with several bases that are the module's: an object is one object of C++. */
static FP_HELPER PyObject *
fp_check_subclass(PyObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *bases = PyObject_GetAttrString(type, "__bases__");
    Py_ssize_t k, count = 0;
    (void)args;
    (void)keywords;
    if (bases == NULL) {
        return NULL;
    }
    for (k = 0; PyTuple_Check(bases) && k < fp_tuple_size(bases); k++) {
        PyObject *base = fp_tuple_item(bases, k);
        count += PyType_Check(base) && PyType_IsSubtype((PyTypeObject *)base, (PyTypeObject *)fp_common_base);
    }
    Py_DECREF(bases);
    if (count != 1) {
        PyErr_Format(PyExc_TypeError, "%R: several of its bases are classes of C", type);
        return NULL;
    }
    Py_RETURN_NONE;
}

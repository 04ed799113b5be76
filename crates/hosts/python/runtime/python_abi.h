/* Python's C API, as far as the limited API or PyPy lacks a part of it.
 *
 * With Py_LIMITED_API a module uses the stable ABI only, and one library serves every later Python.
 * Everything in which these differ is here: other headers are the same for all. The limited API has
 * functions where the full API reads the fields of an object, and lacks some functions. */

/* Functions in place of fields. PyPy has the fields of types and lists, but does not call what is written to
 * those of types, and copies a list whose fields are read. */
#if defined(Py_LIMITED_API) || defined(PYPY_VERSION)
#define FP_NO_FIELDS
#endif

/* The version of the API for which this module is compiled. */
#ifdef Py_LIMITED_API
#if Py_LIMITED_API + 0 < 0x030C0000
#error "the stable ABI needs -DPy_LIMITED_API=0x030C0000 (Python 3.12) or later"
#endif
#define FP_PYTHON_API (Py_LIMITED_API + 0)
#else
#define FP_PYTHON_API PY_VERSION_HEX
#endif

/* Replaces a reference that the variable owns. */
static FP_UNUSED void
fp_set_reference(PyObject **variable, PyObject *value)
{
    PyObject *old = *variable;
    *variable = value;
    Py_DECREF(old);
}

/* The string's UTF-8, which the string owns; NULL with an exception. */
static FP_UNUSED const char *
fp_utf8(PyObject *string)
{
    return PyUnicode_AsUTF8AndSize(string, NULL);
}

/* callee(argument) */
static FP_UNUSED PyObject *
fp_call_one(PyObject *callee, PyObject *argument)
{
    return PyObject_Vectorcall(callee, &argument, 1, NULL);
}

/* An attribute, if the object has it: 1, 0, or -1 with an exception. */
static FP_UNUSED int
fp_find_attribute(PyObject *o, PyObject *name, PyObject **attribute)
{
#if FP_PYTHON_API >= 0x030D0000
    return PyObject_GetOptionalAttr(o, name, attribute);
#elif !defined(FP_NO_FIELDS)
    return _PyObject_LookupAttr(o, name, attribute);
#else
    *attribute = PyObject_GetAttr(o, name);
    if (*attribute == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        return 0;
    }
    return *attribute == NULL ? -1 : 1;
#endif
}

#ifndef FP_NO_FIELDS

/* ---- The full API ---------------------------------------------------------------------------- */

#define fp_tuple_size(tuple) PyTuple_GET_SIZE(tuple)
#define fp_tuple_item(tuple, k) PyTuple_GET_ITEM(tuple, k)
/* Of a list that no other code has. */
#define fp_list_size(list) PyList_GET_SIZE(list)
#define fp_list_item(list, k) PyList_GET_ITEM(list, k)
/* Both take ownership of the item, and the tuple or list is new. */
#define fp_set_tuple_item(tuple, k, item) PyTuple_SET_ITEM(tuple, k, item)
#define fp_set_list_item(list, k, item) PyList_SET_ITEM(list, k, item)

/* The items of a list or tuple, for loops that run no Python code. */
typedef PyObject *const *fp_sequence;
#define fp_sequence_of(o) PySequence_Fast_ITEMS(o)
#define fp_sequence_item(sequence, k) ((sequence)[k])
#define fp_count(o) PySequence_Fast_GET_SIZE(o)
#define fp_item(o, k) PySequence_Fast_GET_ITEM(o, k)

#define fp_double_of(number) PyFloat_AS_DOUBLE(number)
#define fp_bytes_of(bytes) PyBytes_AS_STRING(bytes)
#define fp_bytes_count(bytes) PyBytes_GET_SIZE(bytes)

/* Shortens new bytes. */
static FP_UNUSED PyObject *
fp_resize_bytes(PyObject *bytes, Py_ssize_t count)
{
    _PyBytes_Resize(&bytes, count);
    return bytes;
}

/* The buffer of a memory view, valid as long as the view. */
static FP_UNUSED int
fp_buffer_of(PyObject *view, Py_buffer *buffer)
{
    *buffer = *PyMemoryView_GET_BUFFER(view);
    return 1;
}

#define fp_deallocator(o) (Py_TYPE(o)->tp_dealloc)

static FP_UNUSED int
fp_has_float(PyObject *o)
{
    PyNumberMethods *number = Py_TYPE(o)->tp_as_number;
    return number != NULL && number->nb_float != NULL;
}

static FP_UNUSED int
fp_has_length(PyObject *o)
{
    PySequenceMethods *sequence = Py_TYPE(o)->tp_as_sequence;
    PyMappingMethods *mapping = Py_TYPE(o)->tp_as_mapping;
    return (sequence != NULL && sequence->sq_length != NULL) || (mapping != NULL && mapping->mp_length != NULL);
}

/* The name of a class in messages. */
#define fp_class_name(type) ((type)->tp_name)

/* Creates a type. A call of it is a call of `construct`; NULL: it cannot be called. `unpacked` does the
 * same for arguments in a tuple and a dictionary. `bases` is a tuple, or NULL. */
#define fp_make_type(spec, bases, construct, unpacked) fp_make_vectorcall_type(spec, bases, construct)
/* The constructor of a type that has __init__, too. */
#define FP_DIRECT_CONSTRUCTOR(construct) (construct)
static FP_UNUSED PyObject *
fp_make_vectorcall_type(PyType_Spec *spec, PyObject *bases, vectorcallfunc construct)
{
    PyObject *type = PyType_FromSpecWithBases(spec, bases);
    if (type != NULL && construct != NULL) {
        ((PyTypeObject *)type)->tp_vectorcall = construct;
    }
    return type;
}

#else

/* ---- The limited API ------------------------------------------------------------------------- */

#define fp_tuple_size(tuple) PyTuple_Size(tuple)
#define fp_tuple_item(tuple, k) PyTuple_GetItem(tuple, k)
#define fp_list_size(list) PyList_Size(list)
#define fp_list_item(list, k) PyList_GetItem(list, k)
#define fp_set_tuple_item(tuple, k, item) ((void)PyTuple_SetItem(tuple, k, item))
#define fp_set_list_item(list, k, item) ((void)PyList_SetItem(list, k, item))

typedef struct {
    PyObject *o;
    PyObject *(*item)(PyObject *, Py_ssize_t);
} fp_sequence;

static inline fp_sequence
fp_sequence_of(PyObject *o)
{
    fp_sequence sequence;
    sequence.o = o;
    sequence.item = PyList_Check(o) ? PyList_GetItem : PyTuple_GetItem;
    return sequence;
}

#define fp_sequence_item(sequence, k) ((sequence).item((sequence).o, k))
#define fp_count(o) (PyList_Check(o) ? PyList_Size(o) : PyTuple_Size(o))
#define fp_item(o, k) (PyList_Check(o) ? PyList_GetItem(o, k) : PyTuple_GetItem(o, k))

#define fp_double_of(number) PyFloat_AsDouble(number)
#define fp_bytes_of(bytes) PyBytes_AsString(bytes)
#define fp_bytes_count(bytes) PyBytes_Size(bytes)

static FP_UNUSED PyObject *
fp_resize_bytes(PyObject *bytes, Py_ssize_t count)
{
    PyObject *shorter = PyBytes_FromStringAndSize(PyBytes_AsString(bytes), count);
    Py_DECREF(bytes);
    return shorter;
}

static FP_UNUSED int
fp_buffer_of(PyObject *view, Py_buffer *buffer)
{
    if (PyObject_GetBuffer(view, buffer, PyBUF_FULL_RO) < 0) {
        return 0;
    }
    PyBuffer_Release(buffer); /* its memory stays: it is the view's */
    return 1;
}

#define fp_deallocator(o) ((destructor)PyType_GetSlot(Py_TYPE(o), Py_tp_dealloc))

static FP_UNUSED int
fp_has_float(PyObject *o)
{
    return PyType_GetSlot(Py_TYPE(o), Py_nb_float) != NULL;
}

static FP_UNUSED int
fp_has_length(PyObject *o)
{
    return PyType_GetSlot(Py_TYPE(o), Py_sq_length) != NULL || PyType_GetSlot(Py_TYPE(o), Py_mp_length) != NULL;
}

#ifdef PYPY_VERSION

#define fp_class_name(type) ((type)->tp_name)

/* Creates no object. PyPy ignores the flag that says so. */
static FP_COLD PyObject *
fp_refuse_instance(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)args, (void)keywords;
    return PyErr_Format(PyExc_TypeError, "cannot create '%s' instances", type->tp_name);
}
#define FP_NO_CONSTRUCTOR fp_refuse_instance

#else

#define FP_NO_CONSTRUCTOR NULL

/* True for a class that Python code has defined: its objects are deallocated as those of `abc.ABC`. */
static FP_COLD int
fp_is_python_class(PyTypeObject *type)
{
    static void *deallocator;
    PyObject *module, *known;
    if (!(PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE)) {
        return 0;
    }
    if (deallocator == NULL) {
        module = PyImport_ImportModule("abc");
        known = module == NULL ? NULL : PyObject_GetAttrString(module, "ABC");
        if (known != NULL) {
            deallocator = PyType_GetSlot((PyTypeObject *)known, Py_tp_dealloc);
        }
        Py_XDECREF(known);
        Py_XDECREF(module);
    }
    return PyType_GetSlot(type, Py_tp_dealloc) == deallocator;
}

/* The contents of `tp_name`: the name, after that of the module for a class that C has defined. It is
 * valid until the next call. */
static FP_COLD const char *
fp_class_name(PyTypeObject *type)
{
    static char text[256];
    PyObject *name = PyType_GetName(type);
    PyObject *module = fp_is_python_class(type) ? NULL : PyObject_GetAttrString((PyObject *)type, "__module__");
    const char *last = name == NULL ? NULL : fp_utf8(name);
    const char *first = module == NULL || !PyUnicode_Check(module) ? NULL : fp_utf8(module);
    int is_plain = first == NULL || strcmp(first, "builtins") == 0;
    PyOS_snprintf(text, sizeof(text), "%s%s%s", is_plain ? "" : first, is_plain ? "" : ".", last == NULL ? "?" : last);
    PyErr_Clear();
    Py_XDECREF(name);
    Py_XDECREF(module);
    return text;
}

#endif

/* The limited API has vectorcall for objects, but not for types. The slots have space for another one. */
static FP_UNUSED PyObject *
fp_make_type(PyType_Spec *spec, PyObject *bases, vectorcallfunc construct, newfunc unpacked)
{
    PyType_Slot *slot = spec->slots;
    if (construct != NULL) {
        spec->flags &= ~(unsigned)Py_TPFLAGS_DISALLOW_INSTANTIATION;
    }
    else if (spec->flags & Py_TPFLAGS_DISALLOW_INSTANTIATION) {
        unpacked = FP_NO_CONSTRUCTOR;
    }
    else {
        unpacked = NULL;
    }
    if (unpacked != NULL) {
        while (slot->slot != 0) {
            slot++;
        }
        slot->slot = Py_tp_new;
        slot->pfunc = (void *)unpacked;
    }
    return PyType_FromSpecWithBases(spec, bases);
}

#define FP_DIRECT_CONSTRUCTOR(construct) NULL

#endif

/* ---- All ------------------------------------------------------------------------------------- */

#ifdef PYPY_VERSION

/* PyPy has one interpreter, and no dictionary for it. */
#define fp_interpreter() PyInterpreterState_Head()
static FP_UNUSED PyObject *
fp_interpreter_dict(void)
{
    PyObject *module = PyImport_AddModule("sys");
    return module == NULL ? NULL : PyModule_GetDict(module);
}

/* PyPy cannot say whether Python knows a thread. Handlers of signals run on this one only. */
FP_GLOBAL unsigned long fp_main_thread;
#define fp_thread_is_known() (PyThread_get_thread_ident() == fp_main_thread)
static FP_HELPER int
fp_find_main_thread(void)
{
    PyObject *module = PyImport_ImportModule("threading");
    PyObject *thread = module == NULL ? NULL : PyObject_CallMethod(module, "main_thread", NULL);
    PyObject *number = thread == NULL ? NULL : PyObject_GetAttrString(thread, "ident");
    fp_main_thread = number == NULL ? 0 : PyLong_AsUnsignedLong(number);
    Py_XDECREF(number);
    Py_XDECREF(thread);
    Py_XDECREF(module);
    return number != NULL;
}

/* As if Ctrl-C had been pressed. */
#define fp_interrupt() ((void)raise(SIGINT))

/* Runs handlers of signals: PyPy's PyErr_CheckSignals does nothing, and its interpreter runs them. */
static FP_COLD int
fp_check_signals(void)
{
    PyObject *names = PyDict_New();
    PyObject *done = names == NULL ? NULL : PyRun_String("for _ in (0, 1): pass", Py_file_input, names, names);
    Py_XDECREF(names);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

/* A number by `__float__` or `__index__`; PyPy's PyFloat_AsDouble ignores the latter. */
static FP_UNUSED double
fp_as_double(PyObject *o)
{
    PyObject *number = PyNumber_Float(o);
    const double value = number == NULL ? -1.0 : PyFloat_AsDouble(number);
    Py_XDECREF(number);
    return value;
}

/* Releases what Python code has no more: an object that C needs may do so first. */
static FP_COLD int
fp_collect_garbage(void)
{
    PyObject *module, *count = NULL;
    int k;
    PyErr_Clear();
    module = PyImport_ImportModule("gc");
    for (k = 0; k < 3 && module != NULL; k++) { /* a view, its object, and what that refers to */
        count = PyObject_CallMethod(module, "collect", NULL);
        if (count == NULL) {
            break;
        }
        Py_DECREF(count);
    }
    Py_XDECREF(module);
    return count != NULL;
}

/* A check that fails for objects in use, a second time if they may be garbage. */
#define FP_CHECK_TWICE(check) ((check) || (fp_collect_garbage() && (check)))

/* Sets an attribute of a class that is immutable for Python code. */
#define fp_set_class_attribute(type, name, value) (PyObject_SetAttrString(type, name, value) == 0)

#else

#define fp_interpreter() PyInterpreterState_Get()
#define fp_interpreter_dict() PyInterpreterState_GetDict(PyInterpreterState_Get())
#define fp_thread_is_known() (PyGILState_GetThisThreadState() != NULL)
#define fp_find_main_thread() 1
#define fp_interrupt() PyErr_SetInterrupt()
#define fp_check_signals() PyErr_CheckSignals()
#define fp_as_double(number) PyFloat_AsDouble(number)

static FP_UNUSED int
fp_set_class_attribute(PyObject *type, const char *name, PyObject *value)
{
    PyObject *attributes = PyObject_GenericGetDict(type, NULL);
    const int done = attributes != NULL && PyDict_SetItemString(attributes, name, value) == 0;
    Py_XDECREF(attributes);
    PyType_Modified((PyTypeObject *)type);
    return done;
}

#endif

/* Calls a function of the vectorcall protocol with a tuple and a dictionary of arguments. */
static FP_UNUSED PyObject *
fp_call_unpacked(vectorcallfunc function, PyObject *self, PyObject *args, PyObject *keywords)
{
    Py_ssize_t given = PyTuple_Size(args), named = keywords == NULL ? 0 : PyDict_Size(keywords), k, at = 0;
    PyObject *names = named == 0 ? NULL : PyTuple_New(named), *name, *result = NULL;
    PyObject **all = (PyObject **)PyMem_Malloc((size_t)(given + named + 1) * sizeof(PyObject *));
    if (all == NULL) {
        PyErr_NoMemory();
    }
    else if (named == 0 || names != NULL) {
        for (k = 0; k < given; k++) {
            all[k] = PyTuple_GetItem(args, k);
        }
        for (; named > 0 && PyDict_Next(keywords, &at, &name, &all[k]); k++) {
            fp_set_tuple_item(names, k - given, Py_NewRef(name));
        }
        result = function(self, all, (size_t)given, names);
    }
    PyMem_Free(all);
    Py_XDECREF(names);
    return result;
}

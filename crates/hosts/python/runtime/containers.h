/* Containers: arrays of other libraries, as NumPy arrays that view the same memory.
 *
 * Tried in this order: the buffer protocol, DLPack, and for memory to write to also NumPy's own
 * protocols (NumPy handles these itself for reading). An array on a container's memory holds the
 * only reference to the object that keeps that memory alive.
 *
 * The functions return 1 for an array, 0 with an exception, and -1 if `o` does not support the
 * protocol. */

/* ---- Attributes and calls ------------------------------------------------------------------ */

/* Interned when the module is loaded: most objects have few of these, and a failing lookup is then
 * cheap. */
FP_GLOBAL fp_name fp_name_api = {"__dlpack_c_exchange_api__", NULL};
FP_GLOBAL fp_name fp_name_dlpack = {"__dlpack__", NULL};
FP_GLOBAL fp_name fp_name_device = {"__dlpack_device__", NULL};
FP_GLOBAL fp_name fp_name_array = {"__array__", NULL};
FP_GLOBAL fp_name fp_name_dtype = {"dtype", NULL};
FP_GLOBAL fp_name fp_name_ndim = {"ndim", NULL};
static fp_name *const fp_protocols[] = {&fp_name_api,   &fp_name_dlpack, &fp_name_device, &fp_name_array,
                                        &fp_name_dtype, &fp_name_ndim,   NULL};

/* An attribute, as a new reference. */
static FP_HELPER int
fp_find(PyObject *o, const fp_name *name, PyObject **attribute)
{
    int found = fp_find_attribute(o, name->object, attribute);
    return found > 0 ? 1 : found < 0 ? 0 : -1;
}

/* callee(name=value), or callee() if there is no name; steals the value. */
static FP_HELPER PyObject *
fp_call(PyObject *callee, const char *name, PyObject *value)
{
    PyObject *result = NULL, *none = PyTuple_New(0), *keywords = name == NULL ? NULL : PyDict_New();
    if (none != NULL
        && (name == NULL
            || (keywords != NULL && value != NULL && PyDict_SetItemString(keywords, name, value) == 0))) {
        result = PyObject_Call(callee, none, keywords);
    }
    Py_XDECREF(none);
    Py_XDECREF(keywords);
    Py_XDECREF(value);
    return result;
}

/* ---- The buffer protocol ------------------------------------------------------------------- */

static FP_HELPER int
fp_view_buffer(PyArrayObject **array, PyObject *o, const fp_param *p)
{
    PyObject *buffer;
    if (!PyObject_CheckBuffer(o)) {
        return -1;
    }
    buffer = PyMemoryView_FromObject(o);
    if (buffer == NULL) {
        if (PyErr_ExceptionMatches(PyExc_BufferError)) {
            PyErr_Clear(); /* it has none after all, because it is on a device, for example */
            return -1;
        }
        return fp_explain_error(p);
    }
    *array = (PyArrayObject *)PyArray_FromAny(buffer, NULL, 0, 0, 0, NULL);
    Py_DECREF(buffer);
    return *array != NULL ? 1 : fp_explain_error(p);
}

/* ---- DLPack -------------------------------------------------------------------------------- */

/* By C functions of its type, which is faster. */
static FP_HELPER int
fp_view_exchanged(PyArrayObject **array, PyObject *o, const fp_param *p)
{
    static const char name[] = "dlpack_exchange_api";
    fp_dl_api_header *header = NULL;
    fp_dl_versioned *managed = NULL;
    PyObject *capsule;
    int found = fp_find((PyObject *)Py_TYPE(o), &fp_name_api, &capsule);
    if (found != 1) {
        return found;
    }
    if (PyCapsule_IsValid(capsule, name)) {
        header = (fp_dl_api_header *)PyCapsule_GetPointer(capsule, name);
        if (header == NULL) {
            Py_DECREF(capsule);
            return 0;
        }
    }
    Py_DECREF(capsule);
    while (header != NULL && header->version.major != FP_DL_MAJOR) {
        header = header->previous;
    }
    if (header == NULL) {
        return -1;
    }
    if (((fp_dl_api *)header)->give(o, &managed) != 0 || managed == NULL) {
        return PyErr_Occurred()
                   ? fp_explain_error(p)
                   : fp_error(PyExc_TypeError, p, "%s did not return a DLPack tensor", fp_class_name(Py_TYPE(o)));
    }
    *array = fp_dl_take_versioned(managed, o, p);
    return *array != NULL;
}

/* The device of a tensor; some old producers do not report it. */
static FP_HELPER int
fp_query_device(PyObject *o, fp_dl_device *device, const fp_param *p)
{
    PyObject *method, *pair;
    long type, id;
    int found = fp_find(o, &fp_name_device, &method);
    if (found != 1) {
        return found;
    }
    pair = fp_call(method, NULL, NULL);
    Py_DECREF(method);
    if (pair == NULL) {
        return fp_explain_error(p);
    }
    if (!PyTuple_Check(pair) || fp_tuple_size(pair) != 2) {
        Py_DECREF(pair);
        return fp_error(PyExc_TypeError, p, "%s.__dlpack_device__() did not return a pair", fp_class_name(Py_TYPE(o)));
    }
    type = PyLong_AsLong(fp_tuple_item(pair, 0));
    id = type == -1 && PyErr_Occurred() ? -1 : PyLong_AsLong(fp_tuple_item(pair, 1));
    Py_DECREF(pair);
    if ((type == -1 || id == -1) && PyErr_Occurred()) {
        return fp_explain_error(p);
    }
    device->type = type > 0 && type <= INT16_MAX ? (int32_t)type : -1;
    device->id = (int32_t)id;
    return 1;
}

/* (FP_DL_MAJOR, FP_DL_MINOR) */
static FP_HELPER PyObject *
fp_dl_newest(void)
{
    PyObject *pair = PyTuple_New(2);
    int i;
    for (i = 0; i < 2 && pair != NULL; i++) {
        PyObject *number = PyLong_FromLong(i == 0 ? FP_DL_MAJOR : FP_DL_MINOR);
        if (number == NULL) {
            Py_CLEAR(pair);
        }
        else {
            fp_set_tuple_item(pair, i, number);
        }
    }
    return pair;
}

static FP_HELPER int
fp_view_dlpack(PyArrayObject **array, PyObject *o, const fp_param *p)
{
    PyObject *method, *capsule;
    fp_dl_device device;
    fp_aside aside;
    int found = fp_view_exchanged(array, o, p);
    if (found >= 0) {
        return found;
    }
    found = fp_find(o, &fp_name_dlpack, &method);
    if (found != 1) {
        return found;
    }
    /* Checked first: to export a tensor may mean to wait for a device. */
    found = fp_query_device(o, &device, p);
    if (found == 0 || (found == 1 && !fp_check_device(o, device, p))) {
        Py_DECREF(method);
        return 0;
    }
    capsule = fp_call(method, "max_version", fp_dl_newest());
    if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear(); /* a producer from before DLPack 1.0 */
        capsule = fp_call(method, NULL, NULL);
    }
    Py_DECREF(method);
    if (capsule == NULL) {
        return fp_explain_error(p);
    }
    *array = fp_dl_take(capsule, o, p);
    /* A capsule that was not consumed deletes its tensor, perhaps by Python code. */
    fp_put_aside(&aside);
    Py_DECREF(capsule);
    fp_put_back(&aside);
    return *array != NULL;
}

/* ---- NumPy's protocols --------------------------------------------------------------------- */

/* By `__array_struct__` or `__array_interface__`, which describe the object's own memory. */
static FP_HELPER int
fp_view_interface(PyArrayObject **array, PyObject *o, const fp_param *p)
{
    PyObject *made = PyArray_FromStructInterface(o);
    if (made == Py_NotImplemented) { /* NumPy owns it */
        made = PyArray_FromInterface(o);
    }
    if (made == Py_NotImplemented) {
        return -1;
    }
    *array = (PyArrayObject *)made;
    return made != NULL ? 1 : fp_explain_error(p);
}

/* By `__array__(copy=False)`, which guarantees the object's own memory. Without that parameter it
 * might return a copy. */
static FP_HELPER int
fp_view_uncopied(PyArrayObject **array, PyObject *o, const fp_param *p)
{
    PyObject *method, *made;
    int found = fp_find(o, &fp_name_array, &method);
    if (found != 1) {
        return found;
    }
    made = fp_call(method, "copy", Py_NewRef(Py_False));
    Py_DECREF(method);
    if (made == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            return -1;
        }
        return fp_explain_error(p);
    }
    if (!PyArray_Check(made)) {
        Py_DECREF(made);
        return -1;
    }
    *array = (PyArrayObject *)made;
    return 1;
}

/* ---- All of them --------------------------------------------------------------------------- */

/* A container's memory, for reading. If there is none, NumPy may still be able to convert it. */
static FP_HELPER int
fp_view(PyArrayObject **array, PyObject *o, const fp_param *p)
{
    int done;
    /* NumPy scalars have buffers too: a date's are bytes. */
    if (PyList_Check(o) || PyTuple_Check(o) || PyArray_IsScalar(o, Generic)) {
        return -1;
    }
    done = fp_view_buffer(array, o, p);
    return done >= 0 ? done : fp_view_dlpack(array, o, p);
}

/* A container's own memory, to write to it if the array is writable: never a copy. */
static FP_HELPER int
fp_view_to_write(PyArrayObject **array, PyObject *o, const fp_param *p)
{
    int done = fp_view(array, o, p);
    /* The interface of a NumPy scalar describes a copy of it. */
    if (done >= 0 || PyArray_IsScalar(o, Generic)) {
        return done;
    }
    done = fp_view_interface(array, o, p);
    return done >= 0 ? done : fp_view_uncopied(array, o, p);
}

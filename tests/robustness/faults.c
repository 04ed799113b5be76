/* Makes API calls of a generated module fail, one at a time.
 *
 * Linked into the module with `-Wl,--wrap=NAME` for every WRAP_* below, so that the module's calls
 * come here; NumPy's come here because the table that `PyCapsule_GetPointer` hands out is a copy.
 * While armed, the countdown-th call fails as if memory had run out. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL fault_unused_api
#include <numpy/arrayobject.h>

static long countdown;
static const char *fired;

/* The k-th call from now fails; 0: none. */
void fault_arm(long k)
{
    countdown = k;
    fired = NULL;
}

/* The function that failed since then, or NULL. */
const char *fault_fired(void)
{
    return fired;
}

static int due(const char *name)
{
    if (countdown > 0 && --countdown == 0) {
        fired = name;
        return 1;
    }
    return 0;
}

static int fails(const char *name)
{
    if (due(name)) {
        PyErr_NoMemory();
        return 1;
    }
    return 0;
}

/* A function of Python: its result when it fails, and its parameters. */
#define WRAP(name, type, failure, params, args)                                                 \
    type __real_##name params;                                                                  \
    type __wrap_##name params;                                                                  \
    type __wrap_##name params { return fails(#name) ? (failure) : __real_##name args; }
/* One that fails without an exception. */
#define WRAP_SILENT(name, type, failure, params, args)                                          \
    type __real_##name params;                                                                  \
    type __wrap_##name params;                                                                  \
    type __wrap_##name params { return due(#name) ? (failure) : __real_##name args; }

WRAP_SILENT(PyMem_Malloc, void *, NULL, (size_t n), (n))
WRAP_SILENT(PyThread_allocate_lock, PyThread_type_lock, NULL, (void), ())
WRAP_SILENT(PyMem_Calloc, void *, NULL, (size_t n, size_t m), (n, m))
WRAP_SILENT(PyMem_Realloc, void *, NULL, (void *p, size_t n), (p, n))
WRAP_SILENT(PyObject_HasAttrString, int, 0, (PyObject *o, const char *s), (o, s))

WRAP(PyBool_FromLong, PyObject *, NULL, (long v), (v))
WRAP(PyLong_FromLong, PyObject *, NULL, (long v), (v))
WRAP(PyLong_FromLongLong, PyObject *, NULL, (long long v), (v))
WRAP(PyLong_FromUnsignedLongLong, PyObject *, NULL, (unsigned long long v), (v))
WRAP(PyLong_FromSsize_t, PyObject *, NULL, (Py_ssize_t v), (v))
WRAP(PyFloat_FromDouble, PyObject *, NULL, (double v), (v))
WRAP(PyComplex_FromDoubles, PyObject *, NULL, (double a, double b), (a, b))
WRAP(PyNumber_ToBase, PyObject *, NULL, (PyObject *o, int base), (o, base))
WRAP(PyObject_Vectorcall, PyObject *, NULL, (PyObject *o, PyObject *const *a, size_t n, PyObject *k),
     (o, a, n, k))
WRAP(PyType_GenericAlloc, PyObject *, NULL, (PyTypeObject *t, Py_ssize_t n), (t, n))
WRAP(PyLong_FromUnsignedLong, PyObject *, NULL, (unsigned long n), (n))
WRAP(PyLong_FromVoidPtr, PyObject *, NULL, (void *p), (p))
WRAP(PyLong_FromSize_t, PyObject *, NULL, (size_t n), (n))
WRAP(PyObject_RichCompare, PyObject *, NULL, (PyObject *a, PyObject *b, int op), (a, b, op))
WRAP(PyTuple_New, PyObject *, NULL, (Py_ssize_t n), (n))
WRAP(PyUnicode_FromString, PyObject *, NULL, (const char *s), (s))
WRAP(PyUnicode_FromObject, PyObject *, NULL, (PyObject *o), (o))
WRAP(PyUnicode_FromStringAndSize, PyObject *, NULL, (const char *s, Py_ssize_t n), (s, n))
WRAP(PyUnicode_DecodeUTF8, PyObject *, NULL, (const char *s, Py_ssize_t n, const char *e), (s, n, e))
WRAP(PyUnicode_AsUTF8AndSize, const char *, NULL, (PyObject *o, Py_ssize_t *n), (o, n))
WRAP(PyUnicode_InternFromString, PyObject *, NULL, (const char *s), (s))
WRAP(PyUnicode_FromFormatV, PyObject *, NULL, (const char *s, va_list v), (s, v))
WRAP(PyUnicode_Concat, PyObject *, NULL, (PyObject *a, PyObject *b), (a, b))
WRAP(PyType_FromSpecWithBases, PyObject *, NULL, (PyType_Spec *s, PyObject *b), (s, b))
WRAP(PyType_FromSpec, PyObject *, NULL, (PyType_Spec *s), (s))
WRAP(PyModule_GetNameObject, PyObject *, NULL, (PyObject *m), (m))
WRAP(PyModule_AddObjectRef, int, -1, (PyObject *m, const char *s, PyObject *o), (m, s, o))
WRAP(PyObject_Str, PyObject *, NULL, (PyObject *o), (o))
WRAP(PyObject_GenericGetAttr, PyObject *, NULL, (PyObject *o, PyObject *n), (o, n))
WRAP(PyObject_GetAttr, PyObject *, NULL, (PyObject *o, PyObject *n), (o, n))
WRAP(PyObject_GenericGetDict, PyObject *, NULL, (PyObject *o, void *c), (o, c))
WRAP(PyObject_GetAttrString, PyObject *, NULL, (PyObject *o, const char *s), (o, s))
WRAP(PyObject_SetAttrString, int, -1, (PyObject *o, const char *s, PyObject *v), (o, s, v))
WRAP(PyObject_IsTrue, int, -1, (PyObject *o), (o))
WRAP(PyObject_RichCompareBool, int, -1, (PyObject *a, PyObject *b, int op), (a, b, op))
WRAP(PyObject_Call, PyObject *, NULL, (PyObject *o, PyObject *a, PyObject *k), (o, a, k))
WRAP(PyObject_Size, Py_ssize_t, -1, (PyObject *o), (o))
WRAP(PySequence_GetSlice, PyObject *, NULL, (PyObject *o, Py_ssize_t i, Py_ssize_t j), (o, i, j))
WRAP(PyNumber_AsSsize_t, Py_ssize_t, -1, (PyObject *o, PyObject *e), (o, e))
WRAP(PyNumber_Long, PyObject *, NULL, (PyObject *o), (o))
WRAP(PyNumber_Float, PyObject *, NULL, (PyObject *o), (o))
WRAP(PyObject_GetIter, PyObject *, NULL, (PyObject *o), (o))
WRAP(PyObject_Hash, Py_hash_t, -1, (PyObject *o), (o))
WRAP(PyLong_AsSsize_t, Py_ssize_t, -1, (PyObject *o), (o))
WRAP(PyNumber_Index, PyObject *, NULL, (PyObject *o), (o))
WRAP(PyFloat_AsDouble, double, -1.0, (PyObject *o), (o))
#if PY_VERSION_HEX >= 0x030D0000
WRAP(PyObject_GetOptionalAttr, int, -1, (PyObject *o, PyObject *n, PyObject **a), (o, n, a))
#else
WRAP(_PyObject_LookupAttr, int, -1, (PyObject *o, PyObject *n, PyObject **a), (o, n, a))
#endif
WRAP(PyLong_AsLong, long, -1, (PyObject *o), (o))
WRAP(PyBytes_FromStringAndSize, PyObject *, NULL, (const char *s, Py_ssize_t n), (s, n))
WRAP(PyList_New, PyObject *, NULL, (Py_ssize_t n), (n))
WRAP(PyDict_New, PyObject *, NULL, (void), ())
WRAP(PyDict_Copy, PyObject *, NULL, (PyObject *d), (d))
WRAP(PyObject_CallObject, PyObject *, NULL, (PyObject *o, PyObject *a), (o, a))
WRAP(PyWeakref_NewRef, PyObject *, NULL, (PyObject *o, PyObject *f), (o, f))
WRAP(PyCMethod_New, PyObject *, NULL, (PyMethodDef *m, PyObject *s, PyObject *n, PyTypeObject *t), (m, s, n, t))
WRAP(PyDict_Contains, int, -1, (PyObject *d, PyObject *k), (d, k))
WRAP(PyDict_Keys, PyObject *, NULL, (PyObject *d), (d))
WRAP(PyDict_Items, PyObject *, NULL, (PyObject *d), (d))
WRAP(PyDict_GetItemWithError, PyObject *, NULL, (PyObject *d, PyObject *k), (d, k))
WRAP(PyDict_SetItem, int, -1, (PyObject *d, PyObject *k, PyObject *o), (d, k, o))
WRAP(PyDict_SetItemString, int, -1, (PyObject *d, const char *s, PyObject *o), (d, s, o))
WRAP(PyMemoryView_FromObject, PyObject *, NULL, (PyObject *o), (o))
WRAP(PyCapsule_New, PyObject *, NULL, (void *p, const char *s, PyCapsule_Destructor d), (p, s, d))
WRAP(PyErr_CheckSignals, int, -1, (void), ())
WRAP(PyMapping_Items, PyObject *, NULL, (PyObject *o), (o))
WRAP(PySequence_Tuple, PyObject *, NULL, (PyObject *o), (o))
WRAP(PySequence_List, PyObject *, NULL, (PyObject *o), (o))
WRAP(PySequence_GetItem, PyObject *, NULL, (PyObject *o, Py_ssize_t i), (o, i))
WRAP(PyImport_ImportModule, PyObject *, NULL, (const char *s), (s))
WRAP(PyModuleDef_Init, PyObject *, NULL, (PyModuleDef *d), (d))

#define WRAP_RESIZE(name)                                                                       \
    int __real_##name(PyObject **o, Py_ssize_t n);                                              \
    int __wrap_##name(PyObject **o, Py_ssize_t n);                                              \
    int __wrap_##name(PyObject **o, Py_ssize_t n)                                               \
    {                                                                                           \
        if (fails(#name)) {                                                                     \
            Py_CLEAR(*o);                                                                       \
            return -1;                                                                          \
        }                                                                                       \
        return __real_##name(o, n);                                                             \
    }
WRAP_RESIZE(_PyBytes_Resize)

#define WRAP_VARIADIC(name, lists, type, params, lead, last)                                    \
    type __wrap_##name params;                                                                  \
    type __wrap_##name params                                                                   \
    {                                                                                           \
        PyObject *made;                                                                         \
        va_list arguments;                                                                      \
        if (fails(#name)) {                                                                     \
            return NULL;                                                                        \
        }                                                                                       \
        va_start(arguments, last);                                                              \
        made = lists lead;                                                                      \
        va_end(arguments);                                                                      \
        return made;                                                                            \
    }

PyObject *__real_PyUnicode_FromFormatV(const char *, va_list);
WRAP_VARIADIC(PyUnicode_FromFormat, __real_PyUnicode_FromFormatV, PyObject *,
              (const char *format, ...), (format, arguments), format)
WRAP_VARIADIC(PyErr_Format, PyErr_FormatV, PyObject *, (PyObject *exception, const char *format, ...),
              (exception, format, arguments), format)
/* Py_BuildValue, with lengths of Py_ssize_t. */
PyObject *_Py_VaBuildValue_SizeT(const char *, va_list);
WRAP_VARIADIC(_Py_BuildValue_SizeT, _Py_VaBuildValue_SizeT, PyObject *, (const char *format, ...),
              (format, arguments), format)

/* An exception that cannot be made becomes MemoryError. */
#define WRAP_RAISE(name, second)                                                                \
    void __real_##name(PyObject *exception, second value);                                      \
    void __wrap_##name(PyObject *exception, second value);                                      \
    void __wrap_##name(PyObject *exception, second value)                                       \
    {                                                                                           \
        if (!fails(#name)) {                                                                    \
            __real_##name(exception, value);                                                    \
        }                                                                                       \
    }

WRAP_RAISE(PyErr_SetObject, PyObject *)
WRAP_RAISE(PyErr_SetString, const char *)

/* A warning may be an exception, by the user's filters. */
#define WRAP_WARN(name)                                                                         \
    int __wrap_##name(PyObject *category, Py_ssize_t level, const char *format, ...);           \
    int __wrap_##name(PyObject *category, Py_ssize_t level, const char *format, ...)            \
    {                                                                                           \
        va_list arguments;                                                                      \
        PyObject *text;                                                                         \
        int done;                                                                               \
        if (fails(#name)) {                                                                     \
            return -1;                                                                          \
        }                                                                                       \
        va_start(arguments, format);                                                            \
        text = __real_PyUnicode_FromFormatV(format, arguments);                                 \
        va_end(arguments);                                                                      \
        done = text == NULL ? -1 : PyErr_WarnEx(category, __real_PyUnicode_AsUTF8AndSize(text, NULL), level);       \
        Py_XDECREF(text);                                                                       \
        return done;                                                                            \
    }

WRAP_WARN(PyErr_WarnFormat)

#define WRAP_APPEND(name)                                                                       \
    void __real_##name(PyObject **left, PyObject *right);                                       \
    void __wrap_##name(PyObject **left, PyObject *right);                                       \
    void __wrap_##name(PyObject **left, PyObject *right)                                        \
    {                                                                                           \
        if (*left != NULL && right != NULL && fails(#name)) {                                   \
            Py_CLEAR(*left);                                                                    \
            Py_DECREF(right);                                                                   \
            return;                                                                             \
        }                                                                                       \
        __real_##name(left, right);                                                             \
    }

WRAP_APPEND(PyUnicode_AppendAndDel)

/* ---- NumPy ----------------------------------------------------------------------------------- */

static void *numpy_table[TABLE_SIZE];
static void **numpy_real;
static int numpy_old; /* claims to be a NumPy too old for the module */

void fault_old_numpy(int old)
{
    numpy_old = old;
}

#define WRAP_NUMPY(name, type, failure, params, args, steals)                                   \
    static type fault_##name params                                                             \
    {                                                                                           \
        if (fails(#name)) {                                                                     \
            steals;                                                                             \
            return failure;                                                                     \
        }                                                                                       \
        return ((type (*) params)numpy_real[INDEX_##name]) args;                                \
    }

WRAP_NUMPY(PyArray_FromAny, PyObject *, NULL,
           (PyObject *o, PyArray_Descr *d, int a, int b, int f, PyObject *c), (o, d, a, b, f, c),
           Py_XDECREF((PyObject *)d))
WRAP_NUMPY(PyArray_FromArray, PyObject *, NULL, (PyArrayObject *o, PyArray_Descr *d, int f), (o, d, f),
           Py_XDECREF((PyObject *)d))
WRAP_NUMPY(PyArray_New, PyObject *, NULL,
           (PyTypeObject *t, int n, npy_intp const *s, int k, npy_intp const *r, void *p, int z,
            int f, PyObject *o),
           (t, n, s, k, r, p, z, f, o), (void)0)
WRAP_NUMPY(PyArray_NewCopy, PyObject *, NULL, (PyArrayObject *o, NPY_ORDER order), (o, order), (void)0)
WRAP_NUMPY(PyArray_DescrFromScalar, PyArray_Descr *, NULL, (PyObject *o), (o), (void)0)
WRAP_NUMPY(PyArray_Ravel, PyObject *, NULL, (PyArrayObject *o, NPY_ORDER order), (o, order), (void)0)
WRAP_NUMPY(PyArray_Newshape, PyObject *, NULL, (PyArrayObject *o, PyArray_Dims *d, NPY_ORDER order),
           (o, d, order), (void)0)
WRAP_NUMPY(PyArray_Resize, PyObject *, NULL, (PyArrayObject *o, PyArray_Dims *d, int r, NPY_ORDER order),
           (o, d, r, order), (void)0)
WRAP_NUMPY(PyArray_CopyInto, int, -1, (PyArrayObject *to, PyArrayObject *from), (to, from), (void)0)
WRAP_NUMPY(PyArray_FromStructInterface, PyObject *, NULL, (PyObject *o), (o), (void)0)
WRAP_NUMPY(PyArray_FromInterface, PyObject *, NULL, (PyObject *o), (o), (void)0)

WRAP_NUMPY(PyArray_NewFromDescr, PyObject *, NULL,
           (PyTypeObject *t, PyArray_Descr *d, int n, npy_intp const *s, npy_intp const *r, void *p, int f,
            PyObject *o),
           (t, d, n, s, r, p, f, o), Py_XDECREF((PyObject *)d))
WRAP_NUMPY(PyArray_DescrConverter, int, NPY_FAIL, (PyObject *o, PyArray_Descr **d), (o, d), (void)0)
WRAP_NUMPY(PyArray_Zeros, PyObject *, NULL, (int n, npy_intp const *dims, PyArray_Descr *d, int fortran),
           (n, dims, d, fortran), Py_XDECREF((PyObject *)d))
WRAP_NUMPY(PyArray_NewLikeArray, PyObject *, NULL, (PyArrayObject *o, NPY_ORDER order, PyArray_Descr *d, int s),
           (o, order, d, s), Py_XDECREF((PyObject *)d))
WRAP_NUMPY(PyArray_View, PyObject *, NULL, (PyArrayObject *o, PyArray_Descr *d, PyTypeObject *t), (o, d, t),
           Py_XDECREF((PyObject *)d))
WRAP_NUMPY(PyArray_ToList, PyObject *, NULL, (PyArrayObject *o), (o), (void)0)

static unsigned int fault_PyArray_GetNDArrayCFeatureVersion(void)
{
    int index = INDEX_PyArray_GetNDArrayCFeatureVersion;
    return numpy_old ? 1u : ((unsigned int (*)(void))numpy_real[index])();
}

#define PATCH(name) numpy_table[INDEX_##name] = (void *)fault_##name

void *__real_PyCapsule_GetPointer(PyObject *capsule, const char *name);
void *__wrap_PyCapsule_GetPointer(PyObject *capsule, const char *name);
void *__wrap_PyCapsule_GetPointer(PyObject *capsule, const char *name)
{
    if (name != NULL && strncmp(name, "fishplate", 9) == 0) {
        return __real_PyCapsule_GetPointer(capsule, name); /* of the module's own capsules: never */
    }
    if (fails("PyCapsule_GetPointer")) {
        return NULL;
    }
    if (name != NULL) { /* a tensor; NumPy's table has no name */
        return __real_PyCapsule_GetPointer(capsule, name);
    }
    numpy_real = (void **)__real_PyCapsule_GetPointer(capsule, name);
    memcpy(numpy_table, numpy_real, sizeof(numpy_table));
    PATCH(PyArray_FromAny);
    PATCH(PyArray_FromArray);
    PATCH(PyArray_New);
    PATCH(PyArray_NewCopy);
    PATCH(PyArray_Resize);
    PATCH(PyArray_CopyInto);
    PATCH(PyArray_Ravel);
    PATCH(PyArray_Newshape);
    PATCH(PyArray_FromStructInterface);
    PATCH(PyArray_FromInterface);
    PATCH(PyArray_NewFromDescr);
    PATCH(PyArray_DescrConverter);
    PATCH(PyArray_Zeros);
    PATCH(PyArray_NewLikeArray);
    PATCH(PyArray_View);
    PATCH(PyArray_ToList);
    PATCH(PyArray_DescrFromScalar);
    PATCH(PyArray_GetNDArrayCFeatureVersion);
    return numpy_table;
}

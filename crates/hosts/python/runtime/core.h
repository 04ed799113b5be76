/* Core: the basis of every generated module.
 *
 * One fp_param describes one parameter of one C function. Every check takes it, so that every message
 * can name the function, the argument, the expected type and the actual value. Functions here return 1
 * for success and 0 with an exception set, unless they specify otherwise. */

/* For a loop of one load and one store, which gcc does not unroll by itself: if both have the same
 * offset in their pages, each load otherwise waits for the store before it. */
#if defined(__GNUC__) && !defined(__clang__)
#define FP_UNROLL _Pragma("GCC unroll 4")
#else
#define FP_UNROLL
#endif

#define FP_MAX_DIMENSIONS 32 /* supported by every NumPy */

/* Converts strided elements of one type to contiguous elements of another. */
typedef void (*fp_inner)(char *to, const char *from, npy_intp count, npy_intp stride);
/* The loop that converts NumPy type number `from` to a parameter's type; NULL: NumPy converts. */
typedef fp_inner (*fp_converter)(int from);

enum {
    FP_C_ORDER = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED,
    FP_F_ORDER = NPY_ARRAY_F_CONTIGUOUS | NPY_ARRAY_ALIGNED,
    FP_WRITE = NPY_ARRAY_WRITEABLE,
    FP_IN_ROOM = 1 << 24 /* the last dimension is the memory of a string */
};

/* Further values that a parameter accepts. With FP_MAPS_MISSING, missing values have the parameter's
 * default. FP_MAPS_NUMBERS is memory for one number per item, which a call for a single item does not
 * have. */
enum { FP_MAPS_ITEMS = 1, FP_MAPS_LISTS = 2, FP_MAPS_MISSING = 4, FP_MAPS_NUMBERS = 8 };

typedef struct {
    const char *function;   /* in Python: "matvec" */
    const char *name;       /* "a"; NULL for the C result */
    int type;               /* NumPy type number of the scalar or of an element; NPY_UNICODE for a string,
                               NPY_STRING for bytes */
    int size;               /* bytes of the scalar or of an element */
    int ndim;               /* of an array; 0 for a scalar */
    int flags;              /* required array flags: FP_C_ORDER or FP_F_ORDER, FP_WRITE */
    fp_converter converter; /* for arrays that are read */
    int maps;               /* further values: FP_MAPS_ITEMS for leading dimensions, FP_MAPS_LISTS for lists,
                               ... */
    unsigned strided;       /* a bit for each axis that may have any stride */
    int device;             /* of the memory: 0 for the CPU, else DLPack's number */
} fp_param;

/* The fields of tables in generated code. From `ndim` to `converter`: */
#define FP_ONE_VALUE 0, 0, NULL
#define FP_CHANGED_VALUE 0, FP_WRITE, NULL
#define FP_VALUES_FROM(converter) 0, 0, converter
#define FP_ARRAY_OF(ndim, flags) ndim, flags, NULL
#define FP_ARRAY_FROM(ndim, flags, converter) ndim, flags, converter
/* From `maps` to the end: */
#define FP_ONE_ITEM 0, 0, 0
#define FP_MANY_ITEMS(maps) maps, 0, 0
#define FP_LAYOUT(maps, strided, device) maps, strided, device

static FP_UNUSED const char *
fp_type_name(int type)
{
    switch (type) {
    case NPY_BOOL: return "bool";
    case NPY_INT8: return "int8";
    case NPY_INT16: return "int16";
    case NPY_INT32: return "int32";
    case NPY_INT64: return "int64";
    case NPY_UINT8: return "uint8";
    case NPY_UINT16: return "uint16";
    case NPY_UINT32: return "uint32";
    case NPY_UINT64: return "uint64";
    case NPY_FLOAT32: return "float32";
    case NPY_FLOAT64: return "float64";
    case NPY_COMPLEX64: return "complex64";
    case NPY_COMPLEX128: return "complex128";
    case NPY_UNICODE: return "text";
    case NPY_STRING: return "bytes";
    default: return "an unsupported type";
    }
}

/* The name of the type of a parameter. The header of a kind redefines it as a function, which leaves other types to the
 * kinds before it. */
#define FP_NAME_OF_KIND(type) fp_type_name(type)

/* One type number for types that differ in name only (such as long and long long); -1 for a dtype that
 * no parameter can have. */
static FP_UNUSED int
fp_canonical_type(PyArray_Descr *descr)
{
    static const signed char by_size[4][17] = {
        {-1, NPY_INT8, NPY_INT16, -1, NPY_INT32, -1, -1, -1, NPY_INT64, -1, -1, -1, -1, -1, -1, -1, -1},
        {-1, NPY_UINT8, NPY_UINT16, -1, NPY_UINT32, -1, -1, -1, NPY_UINT64, -1, -1, -1, -1, -1, -1, -1, -1},
        {-1, -1, -1, -1, NPY_FLOAT32, -1, -1, -1, NPY_FLOAT64, -1, -1, -1, -1, -1, -1, -1, -1},
        {-1, -1, -1, -1, -1, -1, -1, -1, NPY_COMPLEX64, -1, -1, -1, -1, -1, -1, -1, NPY_COMPLEX128},
    };
    npy_intp size = PyDataType_ELSIZE(descr);
    if (size < 1 || size > 16) {
        return -1;
    }
    switch (descr->kind) {
    case 'b': return NPY_BOOL;
    case 'i': return by_size[0][size];
    case 'u': return by_size[1][size];
    case 'f': return by_size[2][size];
    case 'c': return by_size[3][size];
    default: return -1;
    }
}

/* ---- Errors ------------------------------------------------------------------------------- */

/* The size of a message; longer ones are truncated. Messages are built in one buffer on the stack,
 * which costs a third of joining Python strings. */
enum { FP_TEXT = 1024 };

typedef struct {
    char text[FP_TEXT];
    int length;
} fp_message;

/* Appends a string as it is, at a tenth of the cost of formatting it. */
static FP_COLD void
fp_append_string(fp_message *t, const char *string)
{
    size_t length = strlen(string), room = (size_t)(FP_TEXT - 1 - t->length);
    length = length < room ? length : room;
    memcpy(t->text + t->length, string, length);
    t->length += (int)length;
}

static FP_COLD void
fp_append_integer(fp_message *t, long long value)
{
    char digits[24];
    int at = (int)sizeof(digits) - 1;
    unsigned long long rest = value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    fp_append_string(t, digits + at);
}

static FP_COLD void
fp_append_list(fp_message *t, const char *format, va_list arguments)
{
    int room = FP_TEXT - t->length;
    int length = PyOS_vsnprintf(t->text + t->length, (size_t)room, format, arguments);
    t->length = length < 0 || length >= room ? FP_TEXT - 1 : t->length + length;
}

static FP_COLD void
fp_append(fp_message *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fp_append_list(t, format, arguments);
    va_end(arguments);
}

/* "matvec(): argument 'a': ", "matvec(): the result: " */
static FP_COLD void
fp_begin(fp_message *t, const fp_param *p)
{
    t->length = 0;
    fp_append_string(t, p->function);
    fp_append_string(t, p->name == NULL ? "(): the result" : "(): argument '");
    fp_append_string(t, p->name == NULL ? "" : p->name);
    fp_append_string(t, p->name == NULL ? ": " : "': ");
}

/* Raises an exception with the message, UTF-8 that may have been truncated anywhere. */
static FP_COLD int
fp_raise(PyObject *exception, const fp_message *t)
{
    PyObject *message = PyUnicode_DecodeUTF8(t->text, t->length, "replace");
    if (message != NULL) {
        PyErr_SetObject(exception, message);
        Py_DECREF(message);
    }
    return 0;
}

/* "matvec(): argument 'a': ..." */
static FP_COLD int
fp_error(PyObject *exception, const fp_param *p, const char *format, ...)
{
    va_list arguments;
    fp_message t;
    fp_begin(&t, p);
    va_start(arguments, format);
    fp_append_list(&t, format, arguments);
    va_end(arguments);
    return fp_raise(exception, &t);
}

/* "(3, 4)" */
static FP_COLD void
fp_append_shape(fp_message *t, int ndim, const npy_intp *shape)
{
    int i;
    fp_append_string(t, "(");
    for (i = 0; i < ndim; i++) {
        fp_append_string(t, i ? ", " : "");
        fp_append_integer(t, shape[i]);
    }
    fp_append_string(t, ndim == 1 ? ",)" : ")");
}

/* Describes a value that does not fit: its type, and the dtype and shape of an array; never its
 * contents, which may be long. */
static FP_COLD void
fp_append_description(fp_message *t, PyObject *o)
{
    if (o == Py_None) {
        fp_append_string(t, "None");
    }
    else if (PyArray_Check(o)) {
        PyArrayObject *array = (PyArrayObject *)o;
        PyArray_Descr *descr = PyArray_DESCR(array);
        int type = fp_canonical_type(descr);
        const char *name = type >= 0 ? fp_type_name(type) : fp_class_name(descr->typeobj);
        fp_append_string(t, "an array of ");
        fp_append_string(t, strncmp(name, "numpy.", 6) ? name : name + 6);
        fp_append_string(t, PyArray_ISNBO(descr->byteorder) ? "" : " in swapped byte order");
        fp_append_string(t, " and shape ");
        fp_append_shape(t, PyArray_NDIM(array), PyArray_DIMS(array));
    }
    else {
        fp_append_string(t, fp_class_name(Py_TYPE(o)));
    }
}

static FP_COLD void
fp_begin_wanted(fp_message *t, const fp_param *p)
{
    fp_begin(t, p);
    fp_append_string(t, "wanted ");
}

static FP_COLD int
fp_raise_got(PyObject *exception, fp_message *t, PyObject *o)
{
    fp_append_string(t, ", got ");
    fp_append_description(t, o);
    return fp_raise(exception, t);
}

/* "...: wanted <wanted><the parameter's type><after>, got <description of o>" */
static FP_COLD int
fp_wanted_type(PyObject *exception, const fp_param *p, PyObject *o, const char *wanted,
               const char *after)
{
    fp_message t;
    fp_begin_wanted(&t, p);
    fp_append_string(&t, wanted);
    fp_append_string(&t, fp_type_name(p->type));
    fp_append_string(&t, after);
    return fp_raise_got(exception, &t, o);
}

/* Removes the exception that is set, and returns it as a new reference. */
static FP_COLD PyObject *
fp_take_exception(void)
{
#if FP_PYTHON_API >= 0x030C0000
    return PyErr_GetRaisedException();
#else
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
#endif
}

/* Sets an exception, and takes ownership of it. */
static FP_COLD void
fp_put_exception(PyObject *error)
{
#if FP_PYTHON_API >= 0x030C0000
    PyErr_SetRaisedException(error);
#else
    PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(error)), error, PyException_GetTraceback(error));
#endif
}

/* An exception that is saved while other code runs, which must not see it. */
typedef struct {
    PyObject *type, *value, *traceback;
} fp_aside;

static FP_UNUSED void
fp_put_aside(fp_aside *aside)
{
#if FP_PYTHON_API >= 0x030C0000
    aside->value = PyErr_GetRaisedException();
#else
    PyErr_Fetch(&aside->type, &aside->value, &aside->traceback);
#endif
}

static FP_UNUSED void
fp_put_back(const fp_aside *aside)
{
#if FP_PYTHON_API >= 0x030C0000
    PyErr_SetRaisedException(aside->value);
#else
    PyErr_Restore(aside->type, aside->value, aside->traceback);
#endif
}

/* Adds the function and the argument to an exception that other code raised, of the same type.
 * Exceptions that do not describe the value (MemoryError, KeyboardInterrupt...) stay unchanged. */
static FP_COLD int
fp_explain_error(const fp_param *p)
{
    PyObject *error, *text, *type = PyErr_ExceptionMatches(PyExc_TypeError)    ? PyExc_TypeError
                                    : PyErr_ExceptionMatches(PyExc_ValueError)  ? PyExc_ValueError
                                    : PyErr_ExceptionMatches(PyExc_BufferError) ? PyExc_BufferError
                                                                                : NULL;
    if (type == NULL) {
        return 0;
    }
    error = fp_take_exception();
    text = PyObject_Str(error);
    if (text == NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    }
    else {
        PyErr_Format(type, "%s(): argument '%s': %U", p->function, p->name, text);
        Py_DECREF(text);
    }
    Py_DECREF(error);
    return 0;
}

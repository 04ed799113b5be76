/* A linked graph as an object: its inputs, its outputs, and its library. */

typedef int (*fpg_entry)(const struct fp_runtime *, struct fp_call *, void *const *, void *const *,
                         void *const *);

/* The additional symbol of graphs that are functions of a few doubles. */
#define FPG_VALUE "fp_graph_value"

/* An input of the graph. */
typedef struct {
    fp_param param;
    fp_name name;       /* of an argument */
    PyObject *fallback; /* the default, or its cell; NULL: required */
    PyObject *cell;     /* of an implicit input; NULL: an argument */
    npy_intp *shape;    /* the known sizes, -1 for unknown ones; NULL: no check */
    int place;          /* of its view or value among the words of a call */
} fpg_input;

typedef struct {
    int type; /* NumPy's number */
    int ndim;
    PyObject *cell; /* the cell it updates; NULL: it is returned */
    int place;
    fp_spares spares; /* arrays of earlier calls */
} fpg_output;

/* A builtin function that takes its arguments as an array. */
typedef PyObject *(*fpg_positional)(PyObject *, PyObject *const *, Py_ssize_t);

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    void (*value)(void); /* the graph as a function of `pointers` and doubles; NULL: absent */
    fpg_entry entry;
    const struct fp_runtime *runtime;
    void *const *pointers;
    fpg_input *inputs; /* arguments first, then implicit ones */
    fpg_output *outputs;
    int input_count, output_count;
    int words;    /* of 8 bytes for views and values */
    int returned; /* the number of outputs that are returned */
    int listed;   /* as a list, even one alone */
    PyObject *keys; /* as a dict with these keys; NULL: not as a dict */
    int gives_array; /* one array, and nothing else */
    int exact;       /* calls whose arguments do not have exactly the types of inputs are the detail's */
    int recycles;    /* small arrays of earlier calls are returned again */
    fp_signature signature;
    fp_workspace workspace;
    PyObject *name, *text; /* the memory of `signature` */
    PyObject *on_error, *detail, *weakrefs;
    PyObject *locks; /* of each lock that calls hold, its methods acquire() and release(); NULL: none */
    PyObject *target; /* for a function that forwards: the target for positional arguments */
    fpg_positional direct; /* and its C function, with the object to which it is bound; may be NULL */
    PyObject *bound;
    PyObject *cells; /* and the cells of its implicit inputs, a tuple */
    void *library;
    fp_name **names;
} fpg_function;

static PyTypeObject *fpg_function_type;

/* Whether the only output is the result, as it is. */
static inline int
fpg_returns_output(const fpg_function *f)
{
    return f->output_count == 1 && f->returned == 1 && !f->listed && f->keys == NULL;
}

/* ---- Types --------------------------------------------------------------------------------------- */

/* In the order of fp_type (abi.h). */
static const struct {
    int type, size;
    fp_converter converter;
} fpg_types[] = {
    {NPY_BOOL, 1, fp_to_bool},           {NPY_INT8, 1, fp_to_int8},
    {NPY_INT16, 2, fp_to_int16},         {NPY_INT32, 4, fp_to_int32},
    {NPY_INT64, 8, fp_to_int64},         {NPY_UINT8, 1, fp_to_uint8},
    {NPY_UINT16, 2, fp_to_uint16},       {NPY_UINT32, 4, fp_to_uint32},
    {NPY_UINT64, 8, fp_to_uint64},       {NPY_FLOAT32, 4, fp_to_float32},
    {NPY_FLOAT64, 8, fp_to_float64},     {NPY_COMPLEX64, 8, fp_to_complex64},
    {NPY_COMPLEX128, 16, fp_to_complex128},
};
enum { FPG_TYPES = sizeof(fpg_types) / sizeof(fpg_types[0]) };

/* The index of a dtype's name in the table; -1 with an exception. */
static int
fpg_find_type(PyObject *name)
{
    int type;
    for (type = 0; type < FPG_TYPES; type++) {
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, fp_dtype(type)) == 0) {
            return type;
        }
    }
    PyErr_Format(PyExc_TypeError, "Function(): %R is not the name of a dtype", name);
    return -1;
}

/* ---- Descriptions --------------------------------------------------------------------------------- */

/* Reserves the words for a value of a rank. */
static int
fpg_take_words(fpg_function *f, int ndim)
{
    int place = f->words;
    f->words += ndim == 0 ? 2 : (2 + 2 * ndim) / 2 * 2; /* values of 16 bytes stay aligned */
    return place;
}

/* "x: float64, shape (None, 3)" */
static int
fpg_read_shape(fpg_input *input, PyObject *shape)
{
    Py_ssize_t k, ndim = PyTuple_Check(shape) ? PyTuple_GET_SIZE(shape) : -1;
    if (ndim < 0 || ndim > FP_MAX_DIMENSIONS) {
        PyErr_Format(PyExc_TypeError, "Function(): a shape is a tuple of at most %d sizes, not %R",
                     FP_MAX_DIMENSIONS, shape);
        return 0;
    }
    input->param.ndim = (int)ndim;
    for (k = 0; k < ndim; k++) {
        PyObject *size = PyTuple_GET_ITEM(shape, k);
        Py_ssize_t known = size == Py_None ? -1 : PyNumber_AsSsize_t(size, PyExc_OverflowError);
        if (known < 0 && size != Py_None) {
            if (!PyErr_Occurred()) {
                PyErr_Format(PyExc_ValueError, "Function(): a size cannot be negative (%zd)", known);
            }
            return 0;
        }
        if (known >= 0 && input->shape == NULL) {
            Py_ssize_t j;
            input->shape = PyMem_New(npy_intp, ndim);
            if (input->shape == NULL) {
                PyErr_NoMemory();
                return 0;
            }
            for (j = 0; j < ndim; j++) {
                input->shape[j] = -1;
            }
        }
        if (known >= 0) {
            input->shape[k] = known;
        }
    }
    return 1;
}

/* (name or cell, dtype, shape[, default]) */
static int
fpg_read_input(fpg_function *f, fpg_input *input, PyObject *description)
{
    PyObject *name, *dtype, *shape, *fallback = NULL;
    int type;
    if (!PyTuple_Check(description)) {
        PyErr_SetString(PyExc_TypeError, "Function(): an input is (name, dtype, shape[, default])");
        return 0;
    }
    if (!PyArg_ParseTuple(description, "OOO|O;an input is (name, dtype, shape[, default])", &name, &dtype,
                          &shape, &fallback)) {
        return 0;
    }
    type = fpg_find_type(dtype);
    if (type < 0 || !fpg_read_shape(input, shape)) {
        return 0;
    }
    input->param.function = f->signature.function;
    input->param.type = fpg_types[type].type;
    input->param.size = fpg_types[type].size;
    input->param.converter = fpg_types[type].converter;
    input->param.flags = NPY_ARRAY_ALIGNED;
    input->place = fpg_take_words(f, input->param.ndim);
    input->fallback = Py_XNewRef(fallback);
    if (Py_IS_TYPE(name, fpg_cell_type)) {
        input->cell = Py_NewRef(name);
        input->param.name = "a shared variable";
        return 1;
    }
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "Function(): the name of an input is a string or a Cell, not %R", name);
        return 0;
    }
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    input->name.object = name;
    input->name.text = input->param.name = PyUnicode_AsUTF8(name);
    return input->name.text != NULL;
}

/* None: an output is returned; or the cell that it updates. */
static int
fpg_read_use(fpg_function *f, fpg_output *output, PyObject *cell)
{
    if (cell == Py_None) {
        f->returned++;
        return 1;
    }
    if (!Py_IS_TYPE(cell, fpg_cell_type)) {
        PyErr_Format(PyExc_TypeError, "Function(): an output is returned (None) or goes to a Cell, not %R",
                     cell);
        return 0;
    }
    output->cell = Py_NewRef(cell);
    return 1;
}

/* (dtype, ndim, None or cell) */
static int
fpg_read_output(fpg_function *f, fpg_output *output, PyObject *description)
{
    PyObject *dtype, *cell;
    int type;
    if (!PyTuple_Check(description)) {
        PyErr_SetString(PyExc_TypeError, "Function(): an output is (dtype, ndim, None or Cell)");
        return 0;
    }
    if (!PyArg_ParseTuple(description, "OiO;an output is (dtype, ndim, None or Cell)", &dtype,
                          &output->ndim, &cell)) {
        return 0;
    }
    type = fpg_find_type(dtype);
    if (type < 0) {
        return 0;
    }
    if (output->ndim < 0 || output->ndim > FP_MAX_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError, "Function(): an output cannot have %d dimensions", output->ndim);
        return 0;
    }
    output->type = fpg_types[type].type;
    output->place = fpg_take_words(f, output->ndim);
    return fpg_read_use(f, output, cell);
}

static int
fpg_read_inputs(fpg_function *f, PyObject *descriptions)
{
    Py_ssize_t k, count = PyTuple_GET_SIZE(descriptions);
    PyObject *text;
    fp_signature *s = &f->signature;
    if (count > 0xffff) {
        PyErr_SetString(PyExc_ValueError, "Function(): too many inputs");
        return 0;
    }
    f->inputs = (fpg_input *)PyMem_Calloc((size_t)count + 1, sizeof(fpg_input));
    f->names = (fp_name **)PyMem_Calloc((size_t)count + 1, sizeof(fp_name *));
    if (f->inputs == NULL || f->names == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    f->input_count = (int)count;
    text = PyUnicode_FromFormat("%s(", s->function);
    for (k = 0; k < count && text != NULL; k++) {
        fpg_input *input = &f->inputs[k];
        if (!fpg_read_input(f, input, PyTuple_GET_ITEM(descriptions, k))) {
            Py_DECREF(text);
            return 0;
        }
        if (input->cell != NULL) {
            continue;
        }
        if (s->total != k) {
            PyErr_SetString(PyExc_ValueError, "Function(): arguments come before implicit inputs");
            Py_DECREF(text);
            return 0;
        }
        f->names[s->total++] = &input->name;
        s->required += input->fallback == NULL && s->required == k;
        Py_SETREF(text, PyUnicode_FromFormat("%U%s%s%s", text, k ? ", " : "", input->name.text,
                                             input->fallback == NULL ? "" : "=..."));
    }
    s->positional = s->total;
    s->names = f->names;
    if (text != NULL) {
        f->text = PyUnicode_FromFormat("%U)", text);
        Py_DECREF(text);
    }
    s->text = f->text == NULL ? NULL : PyUnicode_AsUTF8(f->text);
    return s->text != NULL;
}

/* Allocates the outputs. */
static int
fpg_reserve_outputs(fpg_function *f, Py_ssize_t count)
{
    f->outputs = (fpg_output *)PyMem_Calloc((size_t)count + 1, sizeof(fpg_output));
    if (f->outputs == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    f->output_count = (int)count;
    return 1;
}

static int
fpg_read_outputs(fpg_function *f, PyObject *descriptions)
{
    Py_ssize_t k, count = PyTuple_GET_SIZE(descriptions);
    if (!fpg_reserve_outputs(f, count)) {
        return 0;
    }
    for (k = 0; k < count; k++) {
        if (!fpg_read_output(f, &f->outputs[k], PyTuple_GET_ITEM(descriptions, k))) {
            return 0;
        }
    }
    return 1;
}

/* Addresses, as Python ints. */
static int
fpg_read_pointers(fpg_function *f, PyObject *addresses)
{
    Py_ssize_t k, count = PyTuple_GET_SIZE(addresses);
    void **pointers = (void **)PyMem_Calloc((size_t)count + 1, sizeof(void *));
    f->pointers = pointers;
    if (pointers == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (k = 0; k < count; k++) {
        pointers[k] = PyLong_AsVoidPtr(PyTuple_GET_ITEM(addresses, k));
        if (pointers[k] == NULL && PyErr_Occurred()) {
            return 0;
        }
    }
    return 1;
}

/* The keys of a dict of results. */
static int
fpg_read_keys(fpg_function *f, PyObject *keys)
{
    if (keys == Py_None) {
        return 1;
    }
    if (!PyTuple_Check(keys) || PyTuple_GET_SIZE(keys) != f->returned) {
        PyErr_Format(PyExc_TypeError, "Function(): keys are a tuple of as many as there are results, not %R", keys);
        return 0;
    }
    f->keys = Py_NewRef(keys);
    return 1;
}

/* The methods of locks, which calls hold. */
static int
fpg_read_locks(fpg_function *f, PyObject *locks)
{
    Py_ssize_t k, count = locks == NULL ? 0 : PyTuple_GET_SIZE(locks);
    if (count == 0) {
        return 1;
    }
    f->locks = PyTuple_New(2 * count);
    for (k = 0; k < 2 * count && f->locks != NULL; k++) {
        PyObject *method = PyObject_GetAttrString(PyTuple_GET_ITEM(locks, k / 2), k % 2 ? "release" : "acquire");
        if (method == NULL) {
            return 0;
        }
        PyTuple_SET_ITEM(f->locks, k, method);
    }
    return f->locks != NULL;
}

/* ---- The library ---------------------------------------------------------------------------------- */

/* Opens the library; a capsule contains the function itself. Each function has a separate handle,
 * so the library is closed with the last of them: it starts no threads, and no pointers into it
 * remain. */
static int
fpg_open(fpg_function *f, PyObject *path, const char *symbol)
{
    PyObject *bytes;
    void *found;
    if (PyCapsule_CheckExact(path)) {
        found = PyCapsule_GetPointer(path, symbol);
        memcpy(&f->entry, &found, sizeof(found)); /* ISO C has no such cast */
        return found != NULL;
    }
    if (!PyUnicode_FSConverter(path, &bytes)) {
        return 0;
    }
    f->library = dlopen(PyBytes_AS_STRING(bytes), RTLD_NOW | RTLD_LOCAL);
    Py_DECREF(bytes);
    if (f->library == NULL) {
        PyErr_Format(PyExc_OSError, "the library of %s cannot be loaded: %s", f->signature.function, dlerror());
        return 0;
    }
    found = dlsym(f->library, symbol);
    if (found == NULL) {
        PyErr_Format(PyExc_OSError, "%s is not in the library of %s", symbol, f->signature.function);
        return 0;
    }
    memcpy(&f->entry, &found, sizeof(found));
    found = dlsym(f->library, FPG_VALUE);
    memcpy(&f->value, &found, sizeof(found));
    return 1;
}

static PyObject *fpg_invoke(PyObject *, PyObject *const *, size_t, PyObject *);
static vectorcallfunc fpg_choose_call(const fpg_function *f);

static PyObject *
fpg_function_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"library",  "symbol",   "name",   "inputs", "outputs",
                            "pointers", "on_error", "detail", "listed", "recycle_outputs", "keys",
                            "locks", "exact", NULL};
    PyObject *library, *name, *inputs, *outputs, *pointers, *on_error, *detail, *keys = Py_None, *locks = NULL;
    const char *symbol;
    int listed = 0, recycles = 1, exact = 0;
    fpg_function *f;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OsUO!O!O!OO|ppOO!p:Function", names, &library, &symbol,
                                     &name, &PyTuple_Type, &inputs, &PyTuple_Type, &outputs, &PyTuple_Type,
                                     &pointers, &on_error, &detail, &listed, &recycles, &keys, &PyTuple_Type, &locks,
                                     &exact)) {
        return NULL;
    }
    f = (fpg_function *)type->tp_alloc(type, 0);
    if (f == NULL) {
        return NULL;
    }
    f->vectorcall = fpg_invoke;
    f->runtime = fp_get_runtime();
    f->name = Py_NewRef(name);
    f->on_error = Py_NewRef(on_error);
    f->detail = Py_NewRef(detail);
    f->listed = listed;
    f->recycles = recycles;
    f->exact = exact;
    f->signature.function = PyUnicode_AsUTF8(name);
    if (f->signature.function == NULL || !fpg_read_inputs(f, inputs) || !fpg_read_outputs(f, outputs)
        || !fpg_read_keys(f, keys) || !fpg_read_pointers(f, pointers) || !fpg_read_locks(f, locks)
        || !fpg_open(f, library, symbol)) {
        Py_DECREF((PyObject *)f);
        return NULL;
    }
    f->vectorcall = fpg_choose_call(f);
    f->gives_array = fpg_returns_output(f) && f->outputs[0].ndim > 0;
    return (PyObject *)f;
}

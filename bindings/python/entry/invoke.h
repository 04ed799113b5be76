/* A call: converts Python objects to views and values, runs the graph, and converts the results.
 *
 * A frame contains all resources of a call; fpg_leave_frame releases them in every case. */

/* The form of an array in graphs: fp_view in abi.h. */
typedef struct {
    char *data;
    npy_intp dims[];
} fpg_view;

enum { FPG_FEW = 8, FPG_WORDS = 128 }; /* values and words for which a frame needs no allocation */

typedef struct {
    struct fp_call base; /* first: the host's functions receive its address */
    const fpg_function *function;
    PyThreadState *thread; /* while the GIL is released */
    PyObject **slots;      /* the arguments, unless they are the caller's own array */
    PyObject **kept;       /* references to objects from cells */
    PyObject **results;
    fp_array *arrays;
    int read; /* the number of inputs with something to release */
    void **inputs, **outputs;
    void *words;
    void *memory; /* the memory of these; NULL: on the stack */
} fpg_frame;

/* ---- What the runtime asks ------------------------------------------------------------------------ */

static void
fpg_let_go(struct fp_call *call)
{
    ((fpg_frame *)call)->thread = PyEval_SaveThread();
}

static void
fpg_take_again(struct fp_call *call)
{
    PyEval_RestoreThread(((fpg_frame *)call)->thread);
}

static int
fpg_is_c_order(int ndim, const npy_intp *shape, const npy_intp *strides, npy_intp step)
{
    int k;
    for (k = ndim - 1; k >= 0; k--) {
        if (strides[k] != step) {
            return 0;
        }
        step *= shape[k];
    }
    return 1;
}

/* An exception other than MemoryError is kept, and the runtime's note reports that. */
static char *
fpg_not_made(struct fp_call *call)
{
    if (PyErr_ExceptionMatches(PyExc_MemoryError) || PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
    }
    else if (call->note.kind == NULL) {
        call->note.kind = "host";
    }
    return NULL;
}

static char *
fpg_make(struct fp_call *call, int output, int type, int ndim, const npy_intp *shape, const npy_intp *strides)
{
    fpg_frame *frame = (fpg_frame *)call;
    fp_spares *spares = &frame->function->outputs[output].spares;
    PyArrayObject *array = NULL;
    int recycles;
    if (strides != NULL && fpg_is_c_order(ndim, shape, strides, fpg_types[type].size)) {
        strides = NULL;
    }
    recycles = frame->function->recycles && strides == NULL && fp_uses_spares(spares);
    if (recycles) {
        array = fp_find_spare(spares, ndim, shape, fpg_types[type].size, 0);
    }
    if (array == NULL) {
        array = (PyArrayObject *)PyArray_New(&PyArray_Type, ndim, shape, fpg_types[type].type, strides, NULL, 0,
                                             0, NULL);
        if (array == NULL) {
            return fpg_not_made(call);
        }
        if (recycles) {
            fp_keep_spare(spares, array);
        }
    }
    Py_XSETREF(frame->results[output], (PyObject *)array);
    return (char *)PyArray_DATA(array);
}

static int
fpg_share_input(struct fp_call *call, int output, int type, int ndim, int input, char *data, const npy_intp *shape,
         const npy_intp *strides)
{
    fpg_frame *frame = (fpg_frame *)call;
    PyArrayObject *base = frame->arrays[input].array;
    PyObject *array;
    /* The call's own memory (from a list, a cast) has no owner that could be retained. */
    if (base == NULL || frame->arrays[input].held & FP_PACKED) {
        array = PyArray_New(&PyArray_Type, ndim, shape, fpg_types[type].type, strides, data, 0, 0, NULL);
        if (array != NULL) {
            Py_SETREF(array, PyArray_NewCopy((PyArrayObject *)array, NPY_KEEPORDER));
        }
    }
    else {
        array = PyArray_New(&PyArray_Type, ndim, shape, fpg_types[type].type, strides, data, 0,
                            PyArray_FLAGS(base) & NPY_ARRAY_WRITEABLE, NULL);
        if (array != NULL
            && PyArray_SetBaseObject((PyArrayObject *)array, Py_NewRef((PyObject *)base)) < 0) {
            Py_CLEAR(array);
        }
    }
    if (array == NULL) {
        call->note.kind = "host";
        return 0;
    }
    Py_XSETREF(frame->results[output], array);
    return 1;
}

static const fp_host fpg_host = {fpg_make, fpg_share_input, fpg_let_go, fpg_take_again};

/* ---- Errors --------------------------------------------------------------------------------------- */

static FP_COLD PyObject *
fpg_sizes(int count, const npy_intp *sizes)
{
    PyObject *tuple = PyTuple_New(count);
    int k;
    for (k = 0; k < count && tuple != NULL; k++) {
        PyObject *size = PyLong_FromSsize_t(sizes[k]);
        if (size == NULL) {
            Py_CLEAR(tuple);
        }
        else {
            PyTuple_SET_ITEM(tuple, k, size);
        }
    }
    return tuple;
}

/* ((dtype, shape, strides), ...) of the operands of a note. */
static FP_COLD PyObject *
fpg_noted_operands(const fp_note *note)
{
    PyObject *tuple = PyTuple_New(note->count);
    int k;
    for (k = 0; k < note->count && tuple != NULL; k++) {
        const fp_noted *noted = &note->operands[k];
        PyObject *one = Py_BuildValue("sNN", fp_dtype(noted->type), fpg_sizes(noted->ndim, noted->shape),
                                      fpg_sizes(noted->ndim, noted->strides));
        if (one == NULL) {
            Py_CLEAR(tuple);
        }
        else {
            PyTuple_SET_ITEM(tuple, k, one);
        }
    }
    return tuple;
}

/* For each input its (shape, strides), for an int64 its value, else None: the data from which
 * shapes are derived. */
static FP_COLD PyObject *
fpg_describe_inputs(const fpg_function *f, void *const *inputs)
{
    PyObject *tuple = PyTuple_New(f->input_count);
    int k;
    for (k = 0; k < f->input_count && tuple != NULL; k++) {
        const fp_param *p = &f->inputs[k].param;
        PyObject *one;
        if (p->ndim > 0) {
            const npy_intp *dims = (const npy_intp *)inputs[k] + 1; /* after the data */
            one = Py_BuildValue("NN", fpg_sizes(p->ndim, dims), fpg_sizes(p->ndim, dims + p->ndim));
        }
        else if (p->type == NPY_INT64) {
            one = PyLong_FromLongLong(*(const npy_int64 *)inputs[k]);
        }
        else {
            one = Py_NewRef(Py_None);
        }
        if (one == NULL) {
            Py_CLEAR(tuple);
        }
        else {
            PyTuple_SET_ITEM(tuple, k, one);
        }
    }
    return tuple;
}

/* Raises the result of on_error for the note. */
static FP_COLD void
fpg_raise(const fpg_function *f, const fp_note *note, void *const *values)
{
    PyObject *operands, *inputs, *error;
    if (note->kind != NULL && strcmp(note->kind, "host") == 0 && PyErr_Occurred()) {
        return;
    }
    if (note->kind == NULL) {
        PyErr_Format(PyExc_SystemError, "%U() failed and did not say why", f->name);
        return;
    }
    operands = fpg_noted_operands(note);
    inputs = operands == NULL ? NULL : fpg_describe_inputs(f, values);
    if (inputs == NULL) {
        Py_XDECREF(operands);
        return;
    }
    error = PyObject_CallFunction(f->on_error, "issNN", note->node, note->kind, note->text, operands, inputs);
    if (error == NULL) {
        return;
    }
    if (PyExceptionInstance_Check(error)) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    }
    else {
        PyErr_Format(PyExc_TypeError, "on_error of %U() did not return an exception but %R", f->name, error);
    }
    Py_DECREF(error);
}

/* ---- Values ---------------------------------------------------------------------------------------- */

static inline int
fpg_read_scalar(PyObject *o, void *value, const fp_param *p)
{
    switch (p->type) {
    case NPY_FLOAT64: return fp_read_float64(o, (double *)value, p);
    case NPY_FLOAT32: return fp_read_float32(o, (float *)value, p);
    case NPY_COMPLEX128: return fp_read_complex128(o, value, p);
    case NPY_COMPLEX64: return fp_read_complex64(o, value, p);
    case NPY_BOOL: return fp_read_bool(o, value, p);
    default: return fp_read_integer(o, value, p);
    }
}

/* A Python number if it has exactly that type, else a NumPy scalar. */
static PyObject *
fpg_box_scalar(const void *value, int type)
{
    PyArray_Descr *descr;
    PyObject *scalar;
    switch (type) {
    case NPY_FLOAT64: return PyFloat_FromDouble(*(const double *)value);
    case NPY_INT64: return PyLong_FromLongLong(*(const npy_int64 *)value);
    case NPY_BOOL: return PyBool_FromLong(*(const npy_bool *)value);
    case NPY_COMPLEX128:
        return PyComplex_FromDoubles(((const double *)value)[0], ((const double *)value)[1]);
    default:
        descr = PyArray_DescrFromType(type);
        scalar = PyArray_Scalar((void *)(size_t)value, descr, NULL);
        Py_DECREF(descr);
        return scalar;
    }
}

static FP_COLD int
fpg_wrong_size(const fp_array *x, const fpg_input *input)
{
    int axis;
    for (axis = 0; input->shape[axis] < 0 || input->shape[axis] == x->shape[axis]; axis++) {
    }
    return fp_wrong_dim(x, axis, input->shape[axis], NULL, &input->param);
}

/* Sets an input's view to the array of `o`, in place or as a copy. */
static inline int
fpg_read_array(PyObject *o, fp_array *x, fpg_view *view, const fpg_input *input)
{
    const fp_param *p = &input->param;
    const npy_intp *strides;
    int k, ndim = p->ndim, fits = 1;
    if (FP_LIKELY(fp_is_ready(o, p))) { /* without the copy of the shape in the view */
        x->array = (PyArrayObject *)o;
        view->data = PyArray_BYTES(x->array);
        for (k = 0; k < ndim; k++) {
            view->dims[k] = PyArray_DIM(x->array, k);
        }
    }
    else {
        if (!fp_array_in(x, o, p)) {
            return 0;
        }
        view->data = (char *)x->data;
        memcpy(view->dims, x->shape, sizeof(npy_intp) * (size_t)ndim);
    }
    if (input->shape != NULL) {
        for (k = 0; k < ndim; k++) {
            fits &= input->shape[k] < 0 || input->shape[k] == view->dims[k];
        }
        if (FP_UNLIKELY(!fits)) {
            memcpy(x->shape, view->dims, sizeof(npy_intp) * (size_t)ndim);
            return fpg_wrong_size(x, input);
        }
    }
    if (FP_LIKELY(x->array != NULL && !(x->held & FP_PACKED))) {
        strides = PyArray_STRIDES(x->array);
        for (k = 0; k < ndim; k++) {
            view->dims[ndim + k] = strides[k];
        }
    }
    else {
        npy_intp step = p->size;
        for (k = ndim - 1; k >= 0; k--) {
            view->dims[ndim + k] = step;
            step *= x->shape[k];
        }
    }
    return 1;
}

/* The value of an input: an argument, its default, or the content of a cell. Borrowed, or retained
 * by the frame; NULL with an exception. */
static inline PyObject *
fpg_find_value(fpg_frame *frame, int k, PyObject *const *args)
{
    const fpg_function *f = frame->function;
    const fpg_input *input = &f->inputs[k];
    PyObject *value = input->cell == NULL ? args[k] : input->cell;
    if (FP_LIKELY(input->cell == NULL && value != NULL)) {
        return value;
    }
    if (value == NULL) {
        value = input->fallback;
        if (value == NULL) {
            fp_wrong_name(&f->signature, " needs argument", input->name.text);
            return NULL;
        }
    }
    if (!Py_IS_TYPE(value, fpg_cell_type)) {
        return value;
    }
    value = fpg_cell_load((fpg_cell *)value); /* which an update may replace during the call */
    if (value == NULL) {
        fp_error(PyExc_ValueError, &input->param, "the cell is empty");
        return NULL;
    }
    return frame->kept[k] = value;
}

static inline int
fpg_read_all(fpg_frame *frame, PyObject *const *args)
{
    const fpg_function *f = frame->function;
    int k;
    for (k = 0; k < f->input_count; k++) {
        const fpg_input *input = &f->inputs[k];
        PyObject *value;
        void *place = (npy_int64 *)frame->words + input->place;
        frame->inputs[k] = place;
        frame->arrays[k].held = 0;
        frame->kept[k] = NULL;
        frame->read = k + 1;
        value = fpg_find_value(frame, k, args);
        if (FP_UNLIKELY(value == NULL)
            || FP_UNLIKELY(!(input->param.ndim == 0
                                 ? fpg_read_scalar(value, place, &input->param)
                                 : fpg_read_array(value, &frame->arrays[k], (fpg_view *)place, input)))) {
            return 0;
        }
    }
    return 1;
}

/* ---- Results --------------------------------------------------------------------------------------- */

static FP_COLD void
fpg_no_output(const fpg_function *f, int output)
{
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_SystemError, "%U() did not set output %d", f->name, output);
    }
}

static int
fpg_make_results(fpg_frame *frame)
{
    const fpg_function *f = frame->function;
    int k;
    for (k = 0; k < f->output_count; k++) {
        const fpg_output *output = &f->outputs[k];
        if (output->ndim == 0) {
            frame->results[k] = fpg_box_scalar(frame->outputs[k], output->type);
        }
        if (FP_UNLIKELY(frame->results[k] == NULL)) {
            fpg_no_output(f, k);
            return 0;
        }
    }
    return 1;
}

/* ---- Calls ----------------------------------------------------------------------------------------- */

/* Runs a call whose frame is allocated. */
static inline PyObject *
fpg_run(fpg_frame *frame, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = frame->function;
    PyObject *result = NULL;
    int k;
    args = fp_bind(&f->signature, args, PyVectorcall_NARGS(count), keywords, frame->slots);
    if (FP_UNLIKELY(args == NULL)) {
        return NULL;
    }
    frame->read = 0;
    for (k = 0; k < f->output_count; k++) {
        frame->results[k] = NULL;
        frame->outputs[k] = (npy_int64 *)frame->words + f->outputs[k].place;
    }
    fp_begin_call(&frame->base, &fpg_host, (fp_workspace *)(size_t)&f->workspace);
    if (fpg_read_all(frame, args)) {
        if (FP_LIKELY(f->entry(f->runtime, &frame->base, frame->inputs, frame->outputs, f->pointers))) {
            /* One array, the usual result. */
            result = f->gives_array ? frame->results[0] : NULL;
            if (FP_LIKELY(result != NULL)) {
                frame->results[0] = NULL;
            }
            else {
                result = fpg_make_results(frame) ? fpg_finish_results(f, frame->results) : NULL;
            }
        }
        else {
            fpg_raise(f, &frame->base.note, frame->inputs);
        }
        fp_finish(&frame->base);
    }
    for (k = 0; k < f->output_count; k++) {
        Py_XDECREF(frame->results[k]);
    }
    for (k = 0; k < frame->read; k++) {
        fp_release(&frame->arrays[k]);
        Py_XDECREF(frame->kept[k]);
    }
    return result;
}

/* With a frame that must be allocated. */
static FP_HELPER PyObject *
fpg_invoke_large(const fpg_function *f, PyObject *const *args, size_t count, PyObject *keywords)
{
    size_t in = (size_t)f->input_count, out = (size_t)f->output_count;
    fpg_frame frame;
    PyObject *result;
    char *memory = (char *)PyMem_Malloc(16 + in * sizeof(fp_array) + 8 * (size_t)f->words
                                        + (3 * in + 2 * out) * sizeof(void *));
    if (memory == NULL) {
        return PyErr_NoMemory();
    }
    frame.function = f;
    frame.words = memory;
    frame.arrays = (fp_array *)(void *)((npy_int64 *)frame.words + (f->words + 1) / 2 * 2);
    frame.slots = (PyObject **)(void *)(frame.arrays + in);
    frame.kept = frame.slots + in;
    frame.inputs = (void **)(frame.kept + in);
    frame.results = (PyObject **)(frame.inputs + in);
    frame.outputs = (void **)(frame.results + out);
    result = fpg_run(&frame, args, count, keywords);
    PyMem_Free(memory);
    return result;
}

/* With a frame on the stack. */
static FP_HELPER PyObject *
fpg_invoke(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = (const fpg_function *)self;
    fpg_frame frame;
    fp_array arrays[FPG_FEW];
    PyObject *slots[FPG_FEW], *kept[FPG_FEW], *results[FPG_FEW];
    void *inputs[FPG_FEW], *outputs[FPG_FEW];
    __attribute__((aligned(16))) npy_int64 words[FPG_WORDS];
    if (f->input_count > FPG_FEW || f->output_count > FPG_FEW || f->words > FPG_WORDS) {
        return fpg_invoke_large(f, args, count, keywords);
    }
    frame.function = f;
    frame.words = words;
    frame.arrays = arrays;
    frame.slots = slots;
    frame.kept = kept;
    frame.inputs = inputs;
    frame.results = results;
    frame.outputs = outputs;
    return fpg_run(&frame, args, count, keywords);
}

/* ---- Exact arguments ------------------------------------------------------------------------------- */

/* Whether a value has exactly the type of an input: it is converted neither with loss nor at all. */
static inline int
fpg_is_exact(PyObject *o, const fp_param *p)
{
    if (p->ndim == 0) {
        return p->type == NPY_FLOAT64 ? PyFloat_CheckExact(o) : p->type == NPY_INT64 && PyLong_CheckExact(o);
    }
    return PyArray_CheckExact(o) && PyArray_NDIM((PyArrayObject *)o) == p->ndim
           && PyArray_TYPE((PyArrayObject *)o) == p->type && PyArray_ISNOTSWAPPED((PyArrayObject *)o);
}

/* A call that updates cells. */
static PyObject *
fpg_invoke_locked(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    return fpg_call_locked(fpg_invoke, self, args, count, keywords);
}

/* For inputs with rules of their own for conversions, which the detail knows: it handles all calls that need one. */
static PyObject *
fpg_invoke_exact(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = (const fpg_function *)self;
    Py_ssize_t k, given = PyVectorcall_NARGS(count);
    int exact = keywords == NULL && given == f->signature.total;
    for (k = 0; exact && k < given; k++) {
        exact = fpg_is_exact(args[k], &f->inputs[k].param);
    }
    if (!exact) {
        return PyObject_Vectorcall(f->detail, args, count, keywords);
    }
    return (f->locks != NULL ? fpg_invoke_locked : fpg_invoke)(self, args, count, NULL);
}

/* Fast paths for the most common calls, which take nanoseconds.
 *
 * Each accepts certain types of arguments, and passes the whole call to fpg_invoke for any other.
 * No Python code runs before that, so nothing is executed twice. */

/* ---- Floats ---------------------------------------------------------------------------------------- */

/* Python floats in, one out. */
static PyObject *
fpg_invoke_floats(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = (const fpg_function *)self;
    double values[FPG_FEW], result;
    void *inputs[FPG_FEW], *outputs[1];
    struct fp_call call;
    Py_ssize_t k, given = PyVectorcall_NARGS(count);
    if (FP_UNLIKELY(keywords != NULL || given != f->input_count)) {
        return fpg_invoke(self, args, count, keywords);
    }
    for (k = 0; k < given; k++) {
        inputs[k] = &values[k];
        if (FP_UNLIKELY(!fp_read_float64(args[k], &values[k], &f->inputs[k].param))) {
            return NULL;
        }
    }
    outputs[0] = &result;
    fp_begin_call(&call, &fpg_host, (fp_workspace *)(size_t)&f->workspace);
    if (FP_UNLIKELY(!f->entry(f->runtime, &call, inputs, outputs, f->pointers))) {
        fpg_raise(f, &call.note, inputs);
        fp_end(&call);
        return NULL;
    }
    fp_finish(&call);
    return PyFloat_FromDouble(result);
}

#define FPG_IS_FLOAT(k) FP_LIKELY(PyFloat_CheckExact(args[k]))
#define FPG_FLOAT(k) PyFloat_AS_DOUBLE(args[k])

/* The same if the graph is a function of this many doubles. */
#define FPG_DEFINE_VALUE(COUNT, TYPES, ARE_FLOATS, ...)                                             \
    static PyObject *                                                                               \
    fpg_invoke_value_##COUNT(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords) \
    {                                                                                               \
        const fpg_function *f = (const fpg_function *)self;                                         \
        if (FP_UNLIKELY(keywords != NULL || PyVectorcall_NARGS(count) != COUNT || !(ARE_FLOATS))) { \
            return fpg_invoke_floats(self, args, count, keywords);                                  \
        }                                                                                           \
        return PyFloat_FromDouble(((double (*) TYPES)f->value)(f->pointers, __VA_ARGS__));          \
    }
FPG_DEFINE_VALUE(1, (void *const *, double), FPG_IS_FLOAT(0), FPG_FLOAT(0))
FPG_DEFINE_VALUE(2, (void *const *, double, double), FPG_IS_FLOAT(0) && FPG_IS_FLOAT(1), FPG_FLOAT(0),
                 FPG_FLOAT(1))
FPG_DEFINE_VALUE(3, (void *const *, double, double, double),
                 FPG_IS_FLOAT(0) && FPG_IS_FLOAT(1) && FPG_IS_FLOAT(2), FPG_FLOAT(0), FPG_FLOAT(1), FPG_FLOAT(2))
FPG_DEFINE_VALUE(4, (void *const *, double, double, double, double),
                 FPG_IS_FLOAT(0) && FPG_IS_FLOAT(1) && FPG_IS_FLOAT(2) && FPG_IS_FLOAT(3), FPG_FLOAT(0),
                 FPG_FLOAT(1), FPG_FLOAT(2), FPG_FLOAT(3))

/* By the number of doubles. */
static const vectorcallfunc fpg_values[] = {
    fpg_invoke_floats, fpg_invoke_value_1, fpg_invoke_value_2, fpg_invoke_value_3, fpg_invoke_value_4,
};
enum { FPG_VALUES = sizeof(fpg_values) / sizeof(fpg_values[0]) };

/* ---- Arrays ---------------------------------------------------------------------------------------- */

/* Sets an input's view or value; 0, without an exception: a conversion is needed. */
static inline int
fpg_take_ready(PyObject *o, void *place, const fpg_input *input)
{
    const fp_param *p = &input->param;
    fpg_view *view = (fpg_view *)place;
    const npy_intp *shape, *strides;
    int k;
    if (p->ndim == 0) {
        if (!PyFloat_CheckExact(o)) {
            return 0;
        }
        *(double *)place = PyFloat_AS_DOUBLE(o);
        return 1;
    }
    if (FP_UNLIKELY(!fp_is_ready(o, p))) {
        return 0;
    }
    shape = PyArray_DIMS((PyArrayObject *)o);
    strides = PyArray_STRIDES((PyArrayObject *)o);
    view->data = PyArray_BYTES((PyArrayObject *)o);
    view->dims[0] = shape[0]; /* without a loop: most arrays have no other axis */
    view->dims[p->ndim] = strides[0];
    for (k = 1; k < p->ndim; k++) {
        view->dims[k] = shape[k];
        view->dims[p->ndim + k] = strides[k];
    }
    return 1;
}

/* Arrays in place and Python floats in, one result out. */
static PyObject *
fpg_invoke_ready(PyObject *self, PyObject *const *args, size_t count, PyObject *keywords)
{
    const fpg_function *f = (const fpg_function *)self;
    fpg_frame frame;
    fp_array arrays[FPG_FEW];
    PyObject *result;
    void *inputs[FPG_FEW], *output;
    __attribute__((aligned(16))) npy_int64 words[FPG_WORDS];
    Py_ssize_t k, given = PyVectorcall_NARGS(count);
    if (FP_UNLIKELY(keywords != NULL || given != f->input_count)) {
        return fpg_invoke(self, args, count, keywords);
    }
    for (k = 0; k < given; k++) {
        inputs[k] = words + f->inputs[k].place;
        if (FP_UNLIKELY(!fpg_take_ready(args[k], inputs[k], &f->inputs[k]))) {
            return fpg_invoke(self, args, count, keywords);
        }
        arrays[k].array = (PyArrayObject *)args[k]; /* of which a result may be a view */
        arrays[k].held = 0;
    }
    result = NULL;
    output = words + f->outputs[0].place;
    fp_begin_call(&frame.base, &fpg_host, (fp_workspace *)(size_t)&f->workspace);
    frame.function = f;
    frame.arrays = arrays;
    frame.results = &result;
    if (FP_UNLIKELY(!f->entry(f->runtime, &frame.base, inputs, &output, f->pointers))) {
        fpg_raise(f, &frame.base.note, inputs);
        Py_CLEAR(result);
    }
    else if (f->outputs[0].ndim == 0) {
        result = fpg_box_scalar(output, f->outputs[0].type);
    }
    else if (FP_UNLIKELY(result == NULL)) {
        fpg_no_output(f, 0);
    }
    fp_finish(&frame.base);
    return result;
}

/* ---- Which ----------------------------------------------------------------------------------------- */

/* The fastest path for a function's inputs and outputs. */
static vectorcallfunc
fpg_choose_call(const fpg_function *f)
{
    int k, arrays = 0;
    if (f->exact) {
        return fpg_invoke_exact;
    }
    if (f->locks != NULL) {
        return fpg_invoke_locked;
    }
    if (f->input_count > FPG_FEW || f->words > FPG_WORDS || !fpg_returns_output(f)) {
        return fpg_invoke;
    }
    for (k = 0; k < f->input_count; k++) {
        const fpg_input *input = &f->inputs[k];
        if (input->cell != NULL || input->shape != NULL
            || (input->param.ndim == 0 && input->param.type != NPY_FLOAT64)) {
            return fpg_invoke;
        }
        arrays += input->param.ndim > 0;
    }
    if (arrays > 0 || f->outputs[0].ndim > 0 || f->outputs[0].type != NPY_FLOAT64) {
        return fpg_invoke_ready;
    }
    return f->value != NULL && f->input_count < FPG_VALUES ? fpg_values[f->input_count] : fpg_invoke_floats;
}

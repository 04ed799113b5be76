/* Calls of a graph from C: converts the caller's arrays to views, runs the graph, and returns
 * results.
 *
 * An exported library is one unit: the runtime, the graph, this file, and short functions that name
 * the arguments. A result uses the caller's memory in place if the graph can write to its layout
 * and it overlaps no argument; otherwise it is copied from memory of its own. */
#ifndef FP_LIBRARY
#define FP_LIBRARY

#include "copy.h"

/* An argument or a result. */
typedef struct {
    const char *name;
    unsigned char type, ndim;
    const fp_size *shape; /* the known sizes, -1 for unknown ones; NULL: no check */
    const char *wanted;   /* the same in words: "(?, 3)" */
} fp_parameter;

typedef struct {
    fp_graph graph;
    const char *name;
    int inputs, outputs, steps;
    const fp_parameter *input, *output;
    void *const *pointers;
    const char *const *step; /* the origin of each step, for messages */
} fp_export;

/* A result during the call. */
typedef struct {
    char *data;
    fp_size dims[2 * FP_AXES];
    int theirs; /* the memory is the caller's */
} fp_result;

/* One call. */
typedef struct {
    fp_call base; /* first: the host's functions receive its address */
    const fp_export *what;
    void *const *inputs;
    void *const *outputs;
    fp_result *results;
    int into; /* the outputs are set, and written in place */
} fp_frame;

static __thread char fp_last_error[2048]; /* the failure of the last call in this thread */

/* ---- Arguments -------------------------------------------------------------------------------------- */

static FP_COLD int
fp_refuse(const fp_frame *frame, const fp_parameter *p, const char *format, ...)
{
    size_t length;
    va_list arguments;
    snprintf(fp_last_error, sizeof(fp_last_error), "%s(): argument '%s' ", frame->what->name, p->name);
    length = strlen(fp_last_error);
    va_start(arguments, format);
    vsnprintf(fp_last_error + length, sizeof(fp_last_error) - length, format, arguments);
    va_end(arguments);
    return 0;
}

/* Elements are aligned like their real parts. */
static size_t
fp_alignment_of(int type)
{
    return type == FP_COMPLEX64 ? 4 : type == FP_COMPLEX128 ? 8 : fp_sizes[type];
}

/* Whether the address and strides of an array are plausible. */
static int
fp_check_array(const fp_frame *frame, const fp_parameter *p, const fp_view *x)
{
    char got[256];
    size_t alignment = fp_alignment_of(p->type), off = (size_t)x->data % alignment;
    int k, fits = 1, empty = 0;
    for (k = 0; k < p->ndim; k++) {
        fp_size known = p->shape == NULL ? -1 : p->shape[k];
        fits &= known < 0 || known == x->dims[k];
        empty |= x->dims[k] == 0;
        if (x->dims[k] < 0) {
            return fp_refuse(frame, p, "has a negative size: %lld on axis %d", (long long)x->dims[k], k);
        }
        off |= x->dims[k] > 1 ? (size_t)x->dims[p->ndim + k] % alignment : 0;
    }
    if (!fits) {
        return fp_refuse(frame, p, "has shape %s, wanted %s",
                         fp_write_shape(got, sizeof(got), p->ndim, x->dims), p->wanted);
    }
    if (empty) {
        return 1;
    }
    if (x->data == NULL) {
        return fp_refuse(frame, p, "is NULL");
    }
    return off == 0 || fp_refuse(frame, p, "is not aligned: each element must lie at a multiple of %d bytes",
                                 (int)alignment);
}

/* The bytes of an array, from `low` up to `high` (exclusive). */
static void
fp_extent(const fp_parameter *p, const fp_view *x, const char **low, const char **high)
{
    int k;
    *low = x->data;
    *high = x->data + fp_sizes[p->type];
    for (k = 0; k < p->ndim; k++) {
        fp_size way = (x->dims[k] - 1) * x->dims[p->ndim + k];
        if (x->dims[k] == 0) {
            *high = *low;
            return;
        }
        *(way < 0 ? low : high) += way;
    }
}

/* Whether an output overlaps an input. */
static int
fp_is_in_the_way(const fp_frame *frame, int output)
{
    const char *low, *high, *first, *last;
    int k;
    fp_extent(&frame->what->output[output], (const fp_view *)frame->outputs[output], &low, &high);
    for (k = 0; k < frame->what->inputs; k++) {
        if (frame->what->input[k].ndim > 0) {
            fp_extent(&frame->what->input[k], (const fp_view *)frame->inputs[k], &first, &last);
            if (first < high && low < last) {
                return 1;
            }
        }
    }
    return 0;
}

/* ---- Results ---------------------------------------------------------------------------------------- */

static void
fp_discard(fp_result *result)
{
    if (!result->theirs) {
        free(result->data);
    }
    result->data = NULL;
    result->theirs = 0;
}

static char *
fp_make_output(fp_call *call, int output, int type, int ndim, const fp_size *shape, const fp_size *strides)
{
    fp_frame *frame = (fp_frame *)call;
    fp_result *result = &frame->results[output];
    const fp_view *given = (const fp_view *)frame->outputs[output];
    size_t bytes = (size_t)fp_count(ndim, shape, fp_sizes[type]), one = sizeof(fp_size) * (size_t)ndim;
    void *memory;
    fp_discard(result);
    memcpy(result->dims, shape, one);
    if (strides != NULL) {
        memcpy(result->dims + ndim, strides, one);
    }
    else {
        fp_size step = fp_sizes[type];
        int k;
        for (k = ndim - 1; k >= 0; k--) {
            result->dims[ndim + k] = step;
            (void)__builtin_mul_overflow(step, shape[k] == 0 ? 1 : shape[k], &step); /* reported below */
        }
    }
    strides = result->dims + ndim;
    if (frame->into) {
        char got[256], wanted[256];
        if (memcmp(given->dims, shape, one) != 0) {
            fp_failed(call, -1, "shape", 0, 0, NULL, NULL, "output '%s' has shape %s, its result has %s",
                      frame->what->output[output].name, fp_write_shape(got, sizeof(got), ndim, given->dims),
                      fp_write_shape(wanted, sizeof(wanted), ndim, shape));
            return NULL;
        }
        if (given->data != NULL && memcmp(given->dims + ndim, strides, one) == 0
            && !fp_is_in_the_way(frame, output)) {
            result->theirs = 1;
            return result->data = given->data;
        }
    }
    if (posix_memalign(&memory, FP_ALIGNMENT, bytes == 0 ? 1 : bytes) != 0) {
        return NULL;
    }
    return result->data = (char *)memory;
}

static const fp_host fp_library_host = {fp_make_output, NULL, NULL, NULL};

/* Writes the results to the caller's memory. */
static int
fp_return_results(fp_frame *frame)
{
    int k, done = 1;
    for (k = 0; k < frame->what->outputs; k++) {
        const fp_parameter *p = &frame->what->output[k];
        fp_result *result = &frame->results[k];
        fp_view *to = (fp_view *)frame->outputs[k];
        if (p->ndim == 0 || result->theirs) {
            continue;
        }
        if (frame->into) {
            const fp_operand operand = {p->type, p->ndim, FP_CALLER, 0};
            done = done && fp_copy(&frame->base, -1, operand, to, p->ndim, (const fp_view *)result);
            fp_discard(result);
            continue;
        }
        to->data = result->data;
        memcpy(to->dims, result->dims, 2 * sizeof(fp_size) * p->ndim);
    }
    return done;
}

static FP_COLD void
fp_describe_failure(const fp_frame *frame)
{
    const fp_note *note = &frame->base.note;
    size_t length;
    char text[256];
    int k;
    snprintf(fp_last_error, sizeof(fp_last_error), "%s(): %s", frame->what->name,
             note->kind == NULL ? "failed and did not say why" : note->text);
    if (note->kind == NULL) {
        return;
    }
    for (k = 0; k < note->count; k++) {
        const fp_noted *one = &note->operands[k];
        length = strlen(fp_last_error);
        snprintf(fp_last_error + length, sizeof(fp_last_error) - length, "\n  operand %d: %s, shape %s", k,
                 fp_dtype(one->type), fp_write_shape(text, sizeof(text), one->ndim, one->shape));
    }
    if (note->node >= 0 && note->node < frame->what->steps) {
        length = strlen(fp_last_error);
        snprintf(fp_last_error + length, sizeof(fp_last_error) - length, "\n%s", frame->what->step[note->node]);
    }
}

/* ---- Calls ------------------------------------------------------------------------------------------ */

static fp_workspace fp_the_workspace;

/* Memory that calls have left for the next is freed with the library. */
static void __attribute__((destructor))
fp_close(void)
{
    fp_empty(&fp_the_workspace);
}

/* 0, or -1 with the reason in fp_last_error; `results` has space for each output. */
static int
fp_call_exported(const fp_export *what, void *const *inputs, void *const *outputs, fp_result *results,
                 int into)
{
    fp_frame frame;
    int k, done = 1;
    fp_begin_call(&frame.base, &fp_library_host, &fp_the_workspace);
    frame.what = what;
    frame.inputs = inputs;
    frame.outputs = outputs;
    frame.results = results;
    frame.into = into;
    fp_last_error[0] = 0;
    for (k = 0; k < what->outputs; k++) {
        results[k].data = NULL;
        results[k].theirs = 0;
        if (what->output[k].ndim > 0 && !into) {
            ((fp_view *)outputs[k])->data = NULL; /* so that freeing it is safe in any case */
        }
    }
    for (k = 0; k < what->outputs && done; k++) {
        const fp_parameter *p = &what->output[k];
        done = p->ndim == 0 || !into || fp_check_array(&frame, p, (const fp_view *)outputs[k]);
    }
    for (k = 0; k < what->inputs && done; k++) {
        const fp_parameter *p = &what->input[k];
        done = p->ndim == 0 || fp_check_array(&frame, p, (const fp_view *)inputs[k]);
    }
    if (done) {
        done = what->graph(fp_get_runtime(), &frame.base, inputs, outputs, what->pointers)
               && fp_return_results(&frame);
        if (!done) {
            fp_describe_failure(&frame);
        }
        fp_end(&frame.base);
    }
    for (k = 0; k < what->outputs && !done; k++) {
        fp_discard(&results[k]);
    }
    return done ? 0 : -1;
}

#endif

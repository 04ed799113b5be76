/* The interface between a linked graph and the runtime that calls it.
 *
 * A linked graph is plain C: it includes only this file, so that compiling it is cheap, and uses
 * memory, loops, threads and BLAS through one table of functions, the runtime, which is compiled
 * once. It exports one function, an fp_graph.
 *
 * Rank 0 values are C scalars. Everything else is a view: the address of its first element, then
 * its shape, then its strides in bytes. Views of different ranks are different structs with a
 * common beginning; code that receives a view has its rank. Elements are aligned and in native byte
 * order. Bool elements are bytes of 0 or 1.
 *
 * Functions return 1 for success and 0 for failure; the function that detects a failure records it
 * in the call, with the shapes and strides of the operands, and its callers only return it. */

#ifndef FP_ABI
#define FP_ABI 1

typedef __INTPTR_TYPE__ fp_size;

/* The limit on the axes of a view, and on the operands of a step. */
enum { FP_AXES = 32, FP_OPERANDS = 64 };

/* The beginning of every view: `dims` is its shape, then its strides. */
typedef struct {
    char *data;
    fp_size dims[];
} fp_view;

#define FP_VIEW(ndim)                    \
    struct {                             \
        char *data;                      \
        fp_size shape[ndim], strides[ndim]; \
    }

/* The types of elements. */
typedef enum {
    FP_BOOL, FP_INT8, FP_INT16, FP_INT32, FP_INT64, FP_UINT8, FP_UINT16, FP_UINT32, FP_UINT64,
    FP_FLOAT32, FP_FLOAT64, FP_COMPLEX64, FP_COMPLEX128
} fp_type;

typedef struct fp_call fp_call;

/* An operand of a step. Rank 0: `ndim` is 0, and the step receives the address of the value. */
typedef struct {
    unsigned char type; /* an fp_type */
    unsigned char ndim;
    /* For an output, the source of its memory: an output of the graph (its index), or one of these.
     * */
    short home;
    /* For an output: 1 + the operand whose memory it reuses if both have one shape, else 0. The
     * data of that operand's view is NULL afterwards, so that releasing it is a no-op. */
    unsigned char reuse;
} fp_operand;

enum { FP_TEMPORARY = -1, FP_CALLER = -2 /* the view is set, and its memory is written */ };

/* Computes `n` elements. `p` are the operands of the stage: for arrays, the address of `n`
 * contiguous elements; for scalars, that of the value. */
typedef void (*fp_inner)(char *const *p, fp_size n);

/* A map: outputs are functions of the inputs, element by element; inputs broadcast as NumPy's do. */
typedef struct {
    int node; /* the name in the graph, for messages */
    unsigned char outputs, inputs, ndim;
    unsigned char cost; /* per element: about nanoseconds times 16, to start threads only if that pays */
    const fp_operand *operands; /* outputs first */
    fp_inner inner;
    fp_inner each;              /* for a row in which columns are scalars; or NULL */
    unsigned long long columns; /* those operands, one bit each */
} fp_map;

/* A fold: each output reduces one function of the inputs over the axes in `axes` (one bit each; the
 * same for all outputs). Outputs have the remaining axes, and with `keep` the reduced ones with
 * size 1. */
typedef struct {
    int node;
    unsigned char outputs, inputs, ndim, cost;
    unsigned axes;
    int keep;
    int ordered;                /* elements must be folded in C order (argmin), else in any order */
    const fp_operand *operands; /* outputs first */
    fp_size state;              /* sizeof of the struct of accumulators; states are contiguous */
    const char *no_identity;    /* the name, if no elements have no value ("max"); else NULL */
    void (*begin)(char *state);
    /* Folds `n` elements into `state`. p: the inputs. `first` is the index of the first element
     * among those that are reduced together (for argmin and argmax). */
    void (*fold)(char *state, char *const *p, fp_size n, fp_size first);
    /* Folds element i of each of several rows into the i-th of `n` states; NULL if that is not
     * faster. `steps`: bytes from one row of an input to the next. `first` is the index of the
     * first row along the reduced axes. */
    void (*fold_each)(char *state, char *const *p, const fp_size *steps, fp_size n, fp_size first, fp_size rows);
    /* Folds the state `from`, of later elements, into `state`. */
    void (*join)(char *state, const char *from);
    /* Writes the results; p: an element of each output. */
    void (*end)(char *const *p, const char *state, fp_size count);
} fp_fold;

/* Rows: several stages over the last `inner` axes, one after the other while the row is in cache. A
 * stage may use results of folds (one value per row) or stored elements (one buffer per row) of
 * earlier stages. */
typedef enum { FP_ROW_OPERAND, FP_ROW_BUFFER, FP_ROW_STATE } fp_row_kind;

typedef struct {
    unsigned char kind;  /* an fp_row_kind */
    unsigned char index; /* of the operand, buffer or state */
} fp_row_value;

typedef struct {
    const fp_row_value *values; /* the arguments of `run` in p */
    unsigned char count;
    signed char begins; /* the state that `begin` initialises for the row; -1: none */
    void (*begin)(char *state);
    fp_inner run;
} fp_stage;

/* The location of a value per row that is a result: the state, and the offset in it. */
typedef struct {
    signed char state; /* -1: rows are stored */
    unsigned char offset;
} fp_row_result;

typedef struct {
    int node;
    unsigned char outputs, inputs;
    unsigned char early;        /* the first inputs, which all stages read; the others only the last one, whose rows
                                 * they may make longer than one element */
    unsigned char ndim, cost;
    unsigned char inner;        /* the number of last axes that form a row */
    const fp_operand *operands; /* outputs first; an output of rank ndim has one row per row, one of
                                 * rank ndim - inner (or with sizes of 1 there) one value */
    const unsigned char *buffers; /* the size of an element of each row buffer, 0 ends it */
    const unsigned char *states;  /* the size of each state, 0 ends it */
    const fp_row_result *results; /* for each output */
    unsigned char stages;
    const fp_stage *stage;
    const char *no_identity; /* the reduction that has no value for a row without elements ("max"); NULL: none */
} fp_rows;

typedef struct {
    int node;
    unsigned char type;
    unsigned char a, b;        /* the ranks, at least 1, as in numpy.matmul */
    short home;
    unsigned char accumulates; /* the output is set (home FP_CALLER): alpha * a @ b + beta * out */
} fp_matmul;

/* Accumulates along an axis: `rows` times, the i-th of `n` lines of `width` elements is the sum (or
 * product) of the lines up to it, in the columns from `first` to `last`. */
typedef void (*fp_scan)(char *out, const char *x, fp_size rows, fp_size n, fp_size width, fp_size first,
                        fp_size last);

/* Writes or adds `n` lines of `width` elements, one after the other, at their indices among `along`
 * lines; negative indices count from the end. `step`: 1, or 0 if `value` is one element for all. */
typedef void (*fp_put)(char *to, fp_size along, fp_size width, const char *index, fp_size n, const char *value,
                       fp_size step);

/* The functions of the runtime. Every step receives the addresses of its operands' views or values,
 * outputs first; an output's view need not be set unless its home is FP_CALLER. */
typedef struct fp_runtime {
    int abi;
    int (*map)(fp_call *call, const fp_map *map, void *const *operands);
    int (*fold)(fp_call *call, const fp_fold *fold, void *const *operands);
    int (*rows)(fp_call *call, const fp_rows *rows, void *const *operands);
    /* alpha and beta: elements of the type. operands: out, a, b. */
    int (*matmul)(fp_call *call, const fp_matmul *m, const void *alpha, const void *beta, void *const *operands);
    /* Allocates the memory of an output: its shape is set by the caller, its data and strides by
     * this function (in C order). */
    int (*make)(fp_call *call, int node, fp_operand operand, fp_view *view);
    /* Sets output `operand.home` of the graph to `view`, whose memory is that of the graph's input
     * `input`, and retains that memory. */
    int (*share_input)(fp_call *call, int node, fp_operand operand, int input, const fp_view *view);
    /* Copies elements, broadcasting `from`, to a view that is set. */
    int (*copy)(fp_call *call, int node, fp_operand operand, fp_view *to, int from_ndim, const fp_view *from);
    /* Elements along `axis`, by indices (negative ones count from the end; out of range fails).
     * operands: out, x, int64 indices. */
    int (*take)(fp_call *call, int node, int axis, const fp_operand *kinds, void *const *operands);
    /* Elements where a bool array is true. operands: out, x, mask. */
    int (*mask)(fp_call *call, int node, const fp_operand *kinds, void *const *operands);
    /* The sums or products of the elements up to each one along `axis`. operands: out, x. */
    int (*accumulate)(fp_call *call, int node, int axis, fp_scan scan, const fp_operand *kinds,
                      void *const *operands);
    /* A copy with new elements at indices along `axis`, or where a mask is true. operands: out, x,
     * value, int64 indices or bools. */
    int (*put)(fp_call *call, int node, int axis, fp_put put, const fp_operand *kinds, void *const *operands);
    /* Releases memory that is no longer used: the data of an FP_TEMPORARY; a no-op for NULL. All
     * other memory is released when the call ends. */
    void (*drop)(fp_call *call, char *data);
    /* Records a failure with a message. Returns 0. `operands` are the node's inputs. */
    int (*fail)(fp_call *call, int node, const char *kind, const char *text, int count,
                const fp_operand *operands, void *const *values);
    /* Like make, in C or in Fortran order. */
    int (*make_ordered)(fp_call *call, int node, fp_operand operand, int fortran, fp_view *view);
    /* Makes a view contiguous in that order: unchanged, or a copy in temporary memory. */
    int (*pack)(fp_call *call, int node, fp_operand operand, int fortran, fp_view *view);
    /* Around long operations: releases the lock that others may wait for; returns whether it did.
     * */
    int (*leave)(fp_call *call);
    void (*enter)(fp_call *call);
    /* Like fail, with a number in the message and without operands. */
    int (*fail_with)(fp_call *call, int node, const char *kind, const char *before, long long number,
                     const char *behind);
} fp_runtime;

/* Inputs and outputs: addresses of views, or of values of rank 0. An output's view is set by the
 * step that computes it; `pointers` are addresses that are known only when the graph is loaded (C
 * functions, large constants). */
typedef int (*fp_graph)(const fp_runtime *rt, fp_call *call, void *const *inputs, void *const *outputs,
                        void *const *pointers);

#endif

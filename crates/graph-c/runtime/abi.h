/* What a linked graph and the runtime that calls it agree on.
 *
 * A linked graph is plain C: it includes this file and nothing else, so that compiling it costs little,
 * and reaches memory, loops, threads and BLAS through one table of functions, the runtime, which is
 * compiled once. It exports one function, an fp_graph.
 *
 * Rank 0 values are C scalars. Everything else is a view: where its first element is, then its shape,
 * then its strides in bytes. Views of different ranks are different structs with one beginning, and
 * whoever gets a view knows its rank. Elements are aligned and in native byte order. Bool elements are
 * bytes of 0 or 1.
 *
 * Functions give 1 for success and 0 for failure; a failure has been noted in the call by whoever saw
 * it first, with the shapes and strides at fault, and is only passed on. */

#ifndef FP_ABI
#define FP_ABI 1

typedef __INTPTR_TYPE__ fp_size;

/* No view has more axes, and no step more operands. */
enum { FP_AXES = 32, FP_OPERANDS = 64 };

/* The beginning of every view: `dims` are its shape, then its strides. */
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

/* An operand of a step. Rank 0: `ndim` 0, and the step gets the address of the value. */
typedef struct {
    unsigned char type; /* an fp_type */
    unsigned char ndim;
    /* Of an output, where its memory comes from: an output of the graph (its index), or one of these. */
    short home;
    /* Of an output: 1 + the operand whose memory it takes over where both have one shape, else 0. The
     * data of that operand's view is NULL afterwards, so that dropping it does nothing. */
    unsigned char reuse;
} fp_operand;

enum { FP_TEMPORARY = -1, FP_GIVEN = -2 /* the view is there, and is written */ };

/* Does `n` elements. `p` are the operands of the stage: of arrays, where `n` contiguous elements
 * begin; of scalars, where the value is. */
typedef void (*fp_inner)(char *const *p, fp_size n);

/* A map: outputs are functions of the inputs, element by element; inputs broadcast as NumPy's do. */
typedef struct {
    int node; /* of the graph, for messages */
    unsigned char outputs, inputs, ndim;
    unsigned char cost; /* of an element: about nanoseconds times 16, so that threads start when they pay */
    const fp_operand *operands; /* outputs first */
    fp_inner inner;
    fp_inner each;              /* of a row, where some operands are scalars: they are known to be columns; or NULL */
    unsigned long long columns; /* which operands, a bit each */
} fp_map;

/* A fold: each output reduces one function of the inputs over the axes in `axes` (a bit each; the same
 * for all outputs). Outputs have the axes that stay, and with `keep` those reduced as 1. */
typedef struct {
    int node;
    unsigned char outputs, inputs, ndim, cost;
    unsigned axes;
    int keep;
    int ordered;                /* elements must be folded in C order (argmin), else in any */
    const fp_operand *operands; /* outputs first */
    fp_size state;              /* sizeof of the struct of accumulators; states lie side by side */
    const char *no_identity;    /* which reduction has no value for no elements ("max"); NULL: none */
    void (*begin)(char *state);
    /* Folds `n` elements into `state`. p: the inputs. `first` is the index of the first among those
     * that are reduced together (for argmin and argmax). */
    void (*fold)(char *state, char *const *p, fp_size n, fp_size first);
    /* Folds element i of each of some rows into the i-th of `n` states; NULL where there is no gain.
     * `steps`: bytes from one row of an input to the next. `first` is the index of the first row along
     * the reduced axes. */
    void (*fold_each)(char *state, char *const *p, const fp_size *steps, fp_size n, fp_size first, fp_size rows);
    /* Folds the state `from`, of elements that come later, into `state`. */
    void (*join)(char *state, const char *from);
    /* Writes the results; p: an element of each output. */
    void (*end)(char *const *p, const char *state, fp_size count);
} fp_fold;

/* Rows: over the last `inner` axes several stages, one after the other while the row is in cache. A
 * stage may use what earlier stages folded (a value a row) or stored (a buffer a row). */
typedef enum { FP_ROW_OPERAND, FP_ROW_BUFFER, FP_ROW_STATE } fp_row_kind;

typedef struct {
    unsigned char kind;  /* an fp_row_kind */
    unsigned char index; /* of the operand, buffer or state */
} fp_row_value;

typedef struct {
    const fp_row_value *values; /* what `run` gets in p */
    unsigned char count;
    signed char begins; /* the state that `begin` starts anew for the row; -1: none */
    void (*begin)(char *state);
    fp_inner run;
} fp_stage;

/* Where a value of a row is that becomes a result: the state, and where in it. */
typedef struct {
    signed char state; /* -1: rows are stored */
    unsigned char offset;
} fp_row_result;

typedef struct {
    int node;
    unsigned char outputs, inputs, ndim, cost;
    unsigned char inner;        /* how many last axes are a row */
    const fp_operand *operands; /* outputs first; an output of rank ndim is a row each, one of rank
                                 * ndim - inner (or with sizes of 1 there) a value each */
    const unsigned char *buffers; /* the size of an element of each row buffer, 0 ends it */
    const unsigned char *states;  /* the size of each state, 0 ends it */
    const fp_row_result *results; /* for each output */
    unsigned char stages;
    const fp_stage *stage;
    const char *no_identity; /* which reduction has no value for a row without elements ("max"); NULL: none */
} fp_rows;

typedef struct {
    int node;
    unsigned char type;
    unsigned char a, b;        /* the ranks, 1 or more, as numpy.matmul's */
    short home;
    unsigned char accumulates; /* the output is there (home FP_GIVEN): alpha * a @ b + beta * out */
} fp_matmul;

/* What a graph may ask. Every step gets the addresses of its operands' views or values, outputs
 * first; an output's view need not be set where its home is not FP_GIVEN. */
typedef struct fp_runtime {
    int abi;
    int (*map)(fp_call *call, const fp_map *map, void *const *operands);
    int (*fold)(fp_call *call, const fp_fold *fold, void *const *operands);
    int (*rows)(fp_call *call, const fp_rows *rows, void *const *operands);
    /* alpha and beta: elements of the type. operands: out, a, b. */
    int (*matmul)(fp_call *call, const fp_matmul *m, const void *alpha, const void *beta, void *const *operands);
    /* Gives an output memory: its shape is set, its data and strides are made (in C order). */
    int (*make)(fp_call *call, int node, fp_operand operand, fp_view *view);
    /* Makes output `operand.home` of the graph what `view` says, which lies in the memory of the
     * graph's input `input`, and keeps that memory alive. */
    int (*lend)(fp_call *call, int node, fp_operand operand, int input, const fp_view *view);
    /* Copies elements, broadcasting `from`, to a view that is there. */
    int (*copy)(fp_call *call, int node, fp_operand operand, fp_view *to, int from_ndim, const fp_view *from);
    /* Elements along `axis`, by indices (negative ones count from the end; out of range fails).
     * operands: out, x, int64 indices. */
    int (*take)(fp_call *call, int node, int axis, const fp_operand *kinds, void *const *operands);
    /* Elements where a bool array is true. operands: out, x, mask. */
    int (*mask)(fp_call *call, int node, const fp_operand *kinds, void *const *operands);
    /* Gives back memory that is not used any more: the data of what was made as FP_TEMPORARY; NULL does
     * nothing. What is not given back is when the call ends. */
    void (*drop)(fp_call *call, char *data);
    /* Notes a failure: the text says what is wrong. Gives 0. `operands` are the node's inputs. */
    int (*fail)(fp_call *call, int node, const char *kind, const char *text, int count,
                const fp_operand *operands, void *const *values);
    /* As make, in C's or in Fortran's order. */
    int (*make_ordered)(fp_call *call, int node, fp_operand operand, int fortran, fp_view *view);
    /* Makes a view lie in that order without gaps: as it is, or by a copy in temporary memory. */
    int (*pack)(fp_call *call, int node, fp_operand operand, int fortran, fp_view *view);
    /* Around work that takes long: lets others run, if somebody waits for that; gives whether. */
    int (*leave)(fp_call *call);
    void (*enter)(fp_call *call);
    /* As fail, with a number in the text and without operands. */
    int (*fail_with)(fp_call *call, int node, const char *kind, const char *before, long long number,
                     const char *behind);
} fp_runtime;

/* Inputs and outputs: addresses of views, or of values of rank 0. An output's view is set by the step
 * that makes it; `pointers` are addresses that are known when the graph is loaded only (C functions,
 * large constants). */
typedef int (*fp_graph)(const fp_runtime *rt, fp_call *call, void *const *inputs, void *const *outputs,
                        void *const *pointers);

#endif

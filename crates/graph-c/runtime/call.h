/* A call of a linked graph, as its host sees it: Python, or the C functions of an exported library.
 *
 * The host makes the memory of outputs, may let others run while a step works long, and keeps one
 * fp_workspace for each graph. It begins an fp_call with fp_begin_call, runs the graph, and ends the call with
 * fp_end, whatever came out. Names here clash with nothing of abi.h and
 * nothing of a host's. */
#ifndef FP_CALL
#define FP_CALL

#include <stddef.h>

struct fp_call;
struct fp_runtime;
struct fp_block;

enum { FP_NOTE_TEXT = 640, FP_NOTED = 16, FP_NOTED_AXES = 32 };
enum { FP_ROOM = 2048 }; /* bytes of a call's own for temporaries */

/* What an operand of a step that failed was. */
typedef struct {
    int type, ndim;
    ptrdiff_t shape[FP_NOTED_AXES], strides[FP_NOTED_AXES];
} fp_noted;

/* Why a call failed: the first failure wins. */
typedef struct {
    const char *kind; /* "shape", "value", "memory", "host" (it knows); NULL: no failure */
    int node;
    int count; /* of operands that are noted */
    char text[FP_NOTE_TEXT];
    fp_noted operands[FP_NOTED];
} fp_note;

typedef struct {
    /* Makes output `output` with these strides (of some order of the axes, without gaps; NULL: C's) and
     * gives its memory; NULL: there is none, or the host has noted why. */
    char *(*make)(struct fp_call *call, int output, int type, int ndim, const ptrdiff_t *shape,
                  const ptrdiff_t *strides);
    /* Makes output `output` a view of input `input`; 0: failed. NULL: the host cannot. */
    int (*lend)(struct fp_call *call, int output, int type, int ndim, int input, char *data,
                const ptrdiff_t *shape, const ptrdiff_t *strides);
    /* Around work that takes long; NULL: nothing to do. */
    void (*leave)(struct fp_call *call);
    void (*enter)(struct fp_call *call);
} fp_host;

/* Memory that calls of one graph leave to the next; zeroed at first. */
typedef struct {
    struct fp_block *kept;
} fp_workspace;

struct fp_call {
    const fp_host *host;
    fp_workspace *workspace;
    struct fp_block *blocks; /* NULL at first */
    size_t used;             /* of `room` */
    fp_note note;
    __attribute__((aligned(64))) char room[FP_ROOM];
};

static inline __attribute__((unused)) void
fp_begin_call(struct fp_call *call, const fp_host *host, fp_workspace *workspace)
{
    call->host = host;
    call->workspace = workspace;
    call->blocks = NULL;
    call->used = 0;
    call->note.kind = NULL;
}

/* How these functions are declared: `static` where runtime and host are one unit. */
#ifndef FP_RUNTIME
#define FP_RUNTIME
#endif

/* The table that graphs get. */
FP_RUNTIME const struct fp_runtime *fp_get_runtime(void);
/* Gives back what a call holds. */
FP_RUNTIME void fp_end(struct fp_call *call);
/* Frees what calls have left; no call may be running. */
FP_RUNTIME void fp_empty(fp_workspace *workspace);
/* How many threads a step may use: what was set (0: as the process may), and what it comes to. */
FP_RUNTIME void fp_set_threads(int count);
FP_RUNTIME int fp_get_threads(void);
/* Gives the name of an fp_type. */
FP_RUNTIME const char *fp_dtype(int type);

#endif

/* A call of a linked graph, as seen by its host: Python, or the C functions of an exported library.
 *
 * The host allocates the memory of outputs, may release a lock during long steps, and owns one
 * fp_workspace for each graph. It initialises an fp_call with fp_begin_call, runs the graph, and
 * ends the call with fp_end, whatever the result. Names here differ from those of abi.h and of
 * hosts. */
#ifndef FP_CALL
#define FP_CALL

#include <stddef.h>

struct fp_call;
struct fp_runtime;
struct fp_block;

enum { FP_NOTE_TEXT = 640, FP_NOTED = 16, FP_NOTED_AXES = 32 };
enum { FP_ROOM = 2048 }; /* bytes in the call itself for temporaries */

/* The properties of an operand of a step that failed. */
typedef struct {
    int type, ndim;
    ptrdiff_t shape[FP_NOTED_AXES], strides[FP_NOTED_AXES];
} fp_noted;

/* The reason why a call failed: the first failure is recorded. */
typedef struct {
    const char *kind; /* "shape", "value", "memory", "host" (it has the reason); NULL: no failure */
    int node;
    int count; /* the number of operands that are recorded */
    char text[FP_NOTE_TEXT];
    fp_noted operands[FP_NOTED];
} fp_note;

typedef struct {
    /* Allocates output `output` with these strides (contiguous in some order of the axes; NULL: C
     * order) and returns its memory; NULL: out of memory, or the host has recorded the reason. */
    char *(*make)(struct fp_call *call, int output, int type, int ndim, const ptrdiff_t *shape,
                  const ptrdiff_t *strides);
    /* Makes output `output` a view of input `input`; 0: failed. NULL: not supported by the host. */
    int (*share_input)(struct fp_call *call, int output, int type, int ndim, int input, char *data,
                const ptrdiff_t *shape, const ptrdiff_t *strides);
    /* Around long operations; NULL: no-op. */
    void (*leave)(struct fp_call *call);
    void (*enter)(struct fp_call *call);
} fp_host;

/* Memory that calls of one graph leave for the next; initialised with zeros. */
typedef struct {
    struct fp_block *kept;
    unsigned idle; /* the calls since one needed a good part of it */
} fp_workspace;

struct fp_call {
    const fp_host *host;
    fp_workspace *workspace;
    struct fp_block *blocks; /* initially NULL */
    size_t used;             /* the size of `room` */
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

/* The linkage of these functions: `static` if runtime and host are one unit. */
#ifndef FP_RUNTIME
#define FP_RUNTIME
#endif

/* The function table that graphs receive. */
FP_RUNTIME const struct fp_runtime *fp_get_runtime(void);
/* Releases the resources of a call. */
FP_RUNTIME void fp_end(struct fp_call *call);
/* Frees the memory that calls have left; calls that are running keep theirs. */
FP_RUNTIME void fp_empty(fp_workspace *workspace);
/* The same as fp_end for a call with a workspace, quick if there is nothing to release. */
static inline __attribute__((unused)) void
fp_finish(struct fp_call *call)
{
    if (call->blocks != NULL || __atomic_load_n(&call->workspace->kept, __ATOMIC_RELAXED) != NULL) {
        fp_end(call);
    }
}
/* The number of threads that a step may use: as set (0: as the process may), and in effect. */
FP_RUNTIME void fp_set_threads(int count);
FP_RUNTIME int fp_get_threads(void);
/* Returns the name of an fp_type. */
FP_RUNTIME const char *fp_dtype(int type);

#endif

#include <stdbool.h>

typedef double _Complex complex_number; /* also in C++ */

typedef enum { STEP_STOP = -1, STEP_ON = 1, STEP_BACK = 5 } step;
typedef enum { MARK_HOT = 1, MARK_WET = 2 } marks;
typedef struct { double x, y; bool seen; } spot;
typedef struct { long stopped; } game;

/* The end of a walk: `next` decides whether it goes on. */
long walk(game *g, long from, step (*next)(long at, step before, void *data), void *data);
step turn(step (*next)(step before, void *data), void *data);
marks mark(marks (*f)(marks before, void *data), void *data);
spot move(spot from, spot (*f)(spot at, void *data), void *data);
long count(long n, bool (*f)(long k, void *data), void *data);
/* These store the callback's result. */
spot move_strictly(spot from, spot (*f)(spot at, void *data), void *data);
long count_strictly(long n, bool (*f)(long k, void *data), void *data);
long noted(void);

game *game_new(void);
void game_free(game *g);
long game_stop(game *g);
long game_stopped(const game *g);
spot spot_nowhere(void);

/* One step against the gradient; the result of `f` if that is not 0. */
int descend(int (*f)(int n, const double *x, double *gradient, void *data), void *data, int n, double *x);

complex_number rotate(complex_number z, complex_number (*f)(complex_number z, void *data), void *data);

/* `n` steps from a spot, or fewer: `next` sets where each ends, and changes the step. */
spot trail(const spot *from, int n, void (*next)(const spot *at, spot *to, step *last, void *data), void *data);

static inline int settle(int (*f)(double x, double *result, void *data), void *data, double *y)
{
    return f(0.5, y, data);
}

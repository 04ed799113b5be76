#include "callback_values.h"
#include <stdlib.h>

static long given;

long walk(game *g, long from, step (*next)(long at, step before, void *data), void *data)
{
    step now = STEP_ON;
    int k;
    for (k = 0; k < 100 && g->stopped == 0; k++) {
        now = next(from, now, data);
        if (now == STEP_STOP) {
            break;
        }
        from += now;
    }
    return from;
}

step turn(step (*next)(step before, void *data), void *data) { return next(STEP_BACK, data); }
marks mark(marks (*f)(marks before, void *data), void *data) { return f((marks)3, data); }
spot move(spot from, spot (*f)(spot at, void *data), void *data) { return f(f(from, data), data); }
spot move_strictly(spot from, spot (*f)(spot at, void *data), void *data)
{
    spot moved = f(from, data);
    given = (long)moved.x;
    return moved;
}

long count(long n, bool (*f)(long k, void *data), void *data)
{
    long k, counted = 0;
    for (k = 0; k < n; k++) {
        counted += f(k, data);
    }
    return counted;
}

long count_strictly(long n, bool (*f)(long k, void *data), void *data)
{
    given = count(n, f, data);
    return given;
}

long noted(void) { return given; }

complex_number rotate(complex_number z, complex_number (*f)(complex_number z, void *data), void *data)
{
    return f(z, data) + 1;
}

int descend(int (*f)(int n, const double *x, double *gradient, void *data), void *data, int n, double *x)
{
    double gradient[4];
    int status = f(n, x, gradient, data);
    for (int i = 0; i < n; i++) x[i] -= gradient[i];
    return status;
}

game *game_new(void) { return calloc(1, sizeof(game)); }
void game_free(game *g) { free(g); }
long game_stop(game *g) { return ++g->stopped; }
long game_stopped(const game *g) { return g->stopped; }
spot spot_nowhere(void)
{
    spot s = {-7, -7, true};
    return s;
}

spot trail(const spot *from, int n, void (*next)(const spot *at, spot *to, step *last, void *data), void *data)
{
    spot at = *from, to = *from;
    step last = STEP_ON;
    for (; n > 0 && last != STEP_STOP; n--, at = to) next(&at, &to, &last, data);
    given = last;
    return at;
}

#include "freed_messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int existing;
static int stacked;
static int refusal;

static char *text(const char *format, int code)
{
    char *made = malloc(64);
    if (made == NULL) abort();
    __atomic_fetch_add(&existing, 1, __ATOMIC_RELAXED);
    snprintf(made, 64, format, code);
    return made;
}

void fm_free(char *message)
{
    if (message == NULL) abort(); /* As some libraries do. */
    __atomic_fetch_sub(&existing, 1, __ATOMIC_RELAXED);
    free(message);
}

int fm_existing(void) { return existing; }

char *fm_text(int status) { return status == -9 ? NULL : text("code %d", status); }

char *fm_session_text(const session *s) { return text("session failed with %d", s->last); }

const char *fm_retained(int status) { return status == -1 ? "retained" : "another"; }

int fm_root(double x, double *y)
{
    *y = x < 0 ? 0 : sqrt(x);
    return x < 0 ? -2 : 0;
}

int fm_bare(int status) { return status; }

int fm_warns(int status) { return status; }

session *fm_open(int last)
{
    session *made = last < 0 ? NULL : malloc(sizeof *made);
    if (made != NULL) made->last = last;
    return made;
}

void fm_close(session *s) { free(s); }

int fm_session_set(session *s, int status) { return s->last = status; }

session *fm_session_other(const session *s) { return fm_open(s->last); }

int fm_gauge_init(gauge *g)
{
    g->scale = 1;
    return refusal;
}

void fm_gauge_refuse(int code) { refusal = code; }

void fm_gauge_clear(gauge *g) { g->scale = 0; }

double fm_gauge_scale(const gauge *g) { return g->scale; }

int fm_fails(int n)
{
    stacked = n;
    return n > 0 ? -1 : 0;
}

int fm_next(void) { return stacked > 0 ? stacked-- : 0; }

void fm_walk(void (*each)(int code, void *data), void *data)
{
    for (; stacked > 0; stacked--) each(stacked, data);
}

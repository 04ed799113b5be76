#define _DEFAULT_SOURCE
#include "threads.h"
#include <stdlib.h>
#include <unistd.h>

static int inside, most;

static int enter(int *count, int *highest)
{
    int now = __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    int seen = __atomic_load_n(highest, __ATOMIC_SEQ_CST);
    while (now > seen && !__atomic_compare_exchange_n(highest, &seen, now, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) { }
    return now;
}

static int now(int *of) { return __atomic_load_n(of, __ATOMIC_SEQ_CST); }

static int toil(int *count, int *highest)
{
    enter(count, highest);
    usleep(2000);
    return __atomic_fetch_sub(count, 1, __ATOMIC_SEQ_CST);
}

box *box_new(void) { return calloc(1, sizeof(box)); }
void box_free(box *b) { free(b); }
box *box_part(box *b) { return b; }

int box_work(box *b)
{
    enter(&inside, &most);
    toil(&b->inside, &b->most);
    __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
    return b->most;
}

int box_both(box *a, box *b)
{
    enter(&a->inside, &a->most);
    toil(&b->inside, &b->most);
    __atomic_fetch_sub(&a->inside, 1, __ATOMIC_SEQ_CST);
    return a->most > b->most ? a->most : b->most;
}

int box_shared(box *b)
{
    toil(&b->inside, &b->most);
    return now(&b->most);
}

int work(void) { toil(&inside, &most); return now(&most); }
int work_more(void) { return work(); }
double *memory(int n) { return calloc((size_t)n, sizeof(double)); }
void memory_free(double *memory) { toil(&inside, &most); free(memory); }
char *text(void) { toil(&inside, &most); return calloc(2, 1); }
void memory_free_text(char *text) { toil(&inside, &most); free(text); }
token *token_new(void) { return calloc(1, 1); }
void token_free(token *t) { toil(&inside, &most); free(t); }
int most_at_once(void) { return now(&most); }
void forget(void) { inside = most = 0; }

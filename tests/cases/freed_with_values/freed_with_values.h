#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FV_FLAG 4u

static int fv_count, fv_wrong;
static inline int fv_live(void) { return fv_count; }
static inline int fv_errors(void) { return fv_wrong; }

static inline void *fv_new(size_t size)
{
    void *made = malloc(size);
    if (made != NULL) fv_count++;
    return made;
}
static inline void fv_free(void *x)
{
    if (x != NULL) fv_count--;
    free(x);
}

/* There is no NULL at the end, so their number is needed to free the strings. */
static inline void fv_words_free(char **all, int n)
{
    int k;
    for (k = 0; k < n; k++) fv_free(all[k]);
    fv_free(all);
}
static inline char **fv_words(int count, int bad, int *n)
{
    char **all = (char **)fv_new(sizeof(char *) * (size_t)(count > 0 ? count : 1));
    int k;
    *n = 0;
    if (all == NULL) return NULL;
    for (k = 0; k < count; k++) {
        all[k] = (char *)fv_new(16);
        if (all[k] == NULL) {
            fv_words_free(all, k);
            return NULL;
        }
        snprintf(all[k], 16, k == bad ? "\xff" : "word %d", k);
        *n = k + 1;
    }
    return all;
}
static inline int fv_stored(int count, char ***names, int *n)
{
    *names = fv_words(count, -1, n);
    return *names == NULL ? 12 : count % 2;
}
static inline int fv_filled(int count, char ***names)
{
    int n;
    *names = fv_words(count, -1, &n);
    return *names == NULL ? 0 : n;
}

/* Memory of a pool. */
typedef struct { int live; } pool;
static inline pool *fv_pool_new(void)
{
    pool *p = (pool *)fv_new(sizeof *p);
    if (p != NULL) p->live = 0;
    return p;
}
static inline int fv_pool_live(const pool *p) { return p->live; }
static inline void fv_pool_free(pool *p)
{
    if (p->live != 0) fv_wrong++;
    fv_free(p);
}
static inline void *fv_pool_get(pool *p, size_t size)
{
    void *made = fv_new(size);
    if (made != NULL && p != NULL) p->live++;
    return made;
}
static inline void fv_pool_release(pool *p, double *x)
{
    if (p != NULL) p->live--;
    fv_free(x);
}
static inline int fv_pool_release_text(pool *p, char *x, unsigned flags)
{
    if (flags != (FV_FLAG | 1u)) fv_wrong++;
    p->live--;
    fv_free(x);
    return 0;
}
/* Fails for a negative number, after it has stored memory. */
static inline int fv_ramp(pool *p, int n, double **data)
{
    int k;
    *data = (double *)fv_pool_get(p, sizeof(double) * (size_t)(n > 0 ? n : 1));
    for (k = 0; *data != NULL && k < n; k++) (*data)[k] = k;
    return *data == NULL ? 12 : n < 0;
}
static inline char *fv_name(pool *p, const char *text, unsigned flags)
{
    char *made = (char *)fv_pool_get(p, strlen(text) + 2);
    (void)flags;
    return made == NULL ? NULL : strcat(strcpy(made, text), text[0] == '!' ? "\xff" : ".");
}
static inline const double *fv_either(pool *p, int m, int n)
{
    double *made;
    int k;
    if (m == 0) return NULL;
    made = (double *)fv_pool_get(p, sizeof(double) * 6);
    for (k = 0; made != NULL && k < 6; k++) made[k] = k;
    (void)n;
    return made;
}

static inline void fv_array_free(long **x)
{
    fv_free(*x);
    *x = NULL;
}
static inline long *fv_squares(int n)
{
    long *made = (long *)fv_new(sizeof(long) * (size_t)(n > 0 ? n : 1));
    int k;
    for (k = 0; made != NULL && k < n; k++) made[k] = (long)k * k;
    return made;
}

#include <stdlib.h>

/* A reader uses what its functions were given until another call replaces it, or it is freed. */
typedef struct reader {
    const double *data;
    int n;
    const char *text;
    const unsigned char *bytes;
    size_t count;
    const char *const *words;
    int word_count;
    const char *options[4];
    const double *added[16];
    int added_count;
    double *output;
    int room;
    double *work;
    struct reader *next;
} reader;

static int rt_readers;
static double rt_last; /* the sum of the data of the last reader that was freed */

static inline int rt_alive(void) { return rt_readers; }
static inline double rt_last_sum(void) { return rt_last; }

static inline reader *rt_new(void)
{
    reader *r = (reader *)calloc(1, sizeof *r);
    if (r != NULL) rt_readers++;
    return r;
}

static inline double rt_sum(const reader *r)
{
    double sum = 0;
    int k;
    for (k = 0; k < r->n; k++) sum += r->data[k];
    for (k = 0; k < r->added_count; k++) sum += *r->added[k];
    return r->next == NULL || r->next == r ? sum : sum + rt_sum(r->next);
}

/* Its memory, and the next reader, must still exist. */
static inline void rt_free(reader *r)
{
    rt_last = rt_sum(r);
    rt_readers--;
    free(r);
}

/* 2: it fails, and has stored the data nevertheless. */
static inline int rt_set_data(reader *r, const double *data, int n, int fail)
{
    if (fail != 1) {
        r->data = data;
        r->n = n;
    }
    return fail;
}

static inline void rt_set_changed(reader *r, double *data, int n) { rt_set_data(r, data, n, 0); }
static inline void rt_set_text(reader *r, const char *text) { r->text = text; }
static inline const char *rt_text(const reader *r) { return r->text; }

static inline void rt_open_memory(reader *r, const void *bytes, size_t count)
{
    r->bytes = (const unsigned char *)bytes;
    r->count = count;
}

static inline int rt_byte(const reader *r, size_t k) { return k < r->count ? r->bytes[k] : -1; }

static inline void rt_set_words(reader *r, const char *const *words, int n)
{
    r->words = words;
    r->word_count = n;
}

static inline const char *rt_word(const reader *r, int k) { return k < r->word_count ? r->words[k] : NULL; }
static inline void rt_option(reader *r, int key, const char *value) { r->options[key & 3] = value; }
static inline const char *rt_get_option(const reader *r, int key) { return r->options[key & 3]; }
static inline void rt_add(reader *r, const double *x) { r->added[r->added_count++ & 15] = x; }

static inline void rt_set_output(reader *r, double *output, int n)
{
    int k;
    for (k = 0; k < n; k++) output[k] = 0;
    r->output = output;
    r->room = n;
}

static inline void rt_fill(reader *r, double value)
{
    int k;
    for (k = 0; k < r->room; k++) r->output[k] = value;
}

static inline void rt_prepare(reader *r, int n, double *work)
{
    work[n - 1] = n;
    r->work = work;
}

static inline double rt_worked(const reader *r, int n) { return r->work[n - 1]; }
static inline void rt_link(reader *r, reader *next) { r->next = next; }

/* It calls back before the data is in use. */
static inline void rt_set_calling(reader *r, const double *data, int n, void (*f)(void *), void *user)
{
    r->data = data;
    r->n = n;
    f(user);
}

static inline reader *rt_child(reader *r) { return r->next; }
static inline void rt_unlink(reader *r) { r->next = NULL; }

/* The module's own. */
static const double *rt_watched;
static int rt_watched_count;
static reader *rt_watched_reader;

static inline void rt_watch(const double *x, int n)
{
    rt_watched = x;
    rt_watched_count = n;
}

static inline void rt_watch_reader(reader *r) { rt_watched_reader = r; }

static inline double rt_watched_sum(void)
{
    double sum = rt_watched_reader == NULL ? 0 : rt_sum(rt_watched_reader);
    int k;
    for (k = 0; k < rt_watched_count; k++) sum += rt_watched[k];
    return sum;
}

static inline void rt_unwatch(void)
{
    rt_watched = NULL;
    rt_watched_count = 0;
    rt_watched_reader = NULL;
}

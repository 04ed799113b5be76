#include "callback_strings.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static long live;
static int refuses;

void *strings_alloc(size_t size)
{
    void *made = refuses ? NULL : malloc(size);
    live += made != NULL;
    return made;
}

void strings_free(void *text)
{
    live -= text != NULL;
    free(text);
}

char *strings_copy(const char *text)
{
    char *made = malloc(strlen(text) + 1);
    return made == NULL ? NULL : strcpy(made, text);
}

void strings_refuse(int fails)
{
    refuses = fails;
}

long strings_live(void)
{
    return live;
}

/* Appends a string and a separator. */
static char *append(char *all, const char *text)
{
    size_t length = strlen(all);
    char *more = realloc(all, length + strlen(text) + 2);
    strcat(strcpy(more + length, text), " ");
    return more;
}

char *complete(const char *text, generator generate)
{
    char *all = calloc(1, 1), *one;
    int state;
    for (state = 0; (one = generate(text, state)) != NULL; state++) {
        all = append(all, one);
        free(one);
    }
    return all;
}

char *joined(char *(*next)(int k, const double *x, int *more, void *data), void *data)
{
    char *all = strings_alloc(1000), *one;
    const double x[2] = {1.5, 2.5};
    int k = 0, more = 1;
    all[0] = 0;
    while (more && k < 10) {
        more = 0;
        one = next(k++, x, &more, data);
        if (one != NULL) {
            strncat(all, one, 100);
            strings_free(one);
        }
    }
    return all;
}

const char *longest(int n, const char *(*name)(int k, void *data), void *data)
{
    const char *best = "", *one;
    int k;
    for (k = 0; k < n && name != NULL; k++) {
        one = name(k, data);
        best = one == NULL || strlen(one) <= strlen(best) ? best : one;
    }
    return best;
}

long length_of(char *(*text)(void))
{
    const char *one = text == NULL ? NULL : text();
    return one == NULL ? -1 : (long)strlen(one);
}

long lengths_of(int n, const namer *of)
{
    long sum = 0;
    int k;
    for (k = 0; k < n; k++) {
        sum += (long)strlen(of->name(k, of->params));
    }
    return sum;
}

bool strictly(const char *(*f)(void *data), void *data)
{
    char *text = (char *)f(data);
    bool is_yes = text != NULL && strcmp(text, "yes") == 0;
    free(text);
    return is_yes;
}

typedef struct {
    const char *(*name)(int k, void *data);
    void *data;
    int k;
    long length;
} work;

static void *do_work(void *given)
{
    work *w = given;
    int k;
    for (k = 0; k < 20; k++) {
        const char *one = w->name(w->k, w->data), *other = w->name(w->k + 1, w->data);
        w->length = one == NULL || other == NULL ? 0 : (long)(strlen(one) + strlen(other));
    }
    return NULL;
}

long on_threads(int n, const char *(*name)(int k, void *data), void *data)
{
    pthread_t threads[16];
    work works[16];
    long sum = 0;
    int k;
    for (k = 0; k < n && k < 16; k++) {
        work w = {name, data, k, 0};
        works[k] = w;
        pthread_create(&threads[k], NULL, do_work, &works[k]);
    }
    for (k = 0; k < n && k < 16; k++) {
        pthread_join(threads[k], NULL);
        sum += works[k].length;
    }
    return sum;
}

struct reader {
    const char *(*chunk)(void *data);
    void *data;
    const char *rest;
};

reader *reader_new(void)
{
    return calloc(1, sizeof(reader));
}

void reader_free(reader *r)
{
    free(r);
}

void reader_set(reader *r, const char *(*chunk)(void *data), void *data)
{
    r->chunk = chunk;
    r->data = data;
    r->rest = NULL;
}

char *reader_word(reader *r)
{
    char *word = calloc(1, 1000);
    size_t length = 0;
    while (length == 0) {
        while (r->rest != NULL && *r->rest == ' ') {
            r->rest++;
        }
        if ((r->rest == NULL || *r->rest == 0)
            && (r->rest = r->chunk == NULL ? NULL : r->chunk(r->data)) == NULL) {
            free(word);
            return NULL;
        }
        length = strcspn(r->rest, " ");
        memcpy(word, r->rest, length);
        r->rest += length;
    }
    return word;
}

static void *read_chunk(void *given)
{
    reader *r = given;
    long k, sum = 0;
    for (k = 0; k < 20; k++) {
        const char *text = r->chunk(r->data);
        sum = text == NULL ? 0 : (long)strlen(text);
    }
    return (void *)sum;
}

long reader_total(reader *r, int n)
{
    pthread_t threads[16];
    long sum = 0;
    void *one;
    int k;
    for (k = 0; k < n && k < 16; k++) {
        pthread_create(&threads[k], NULL, read_chunk, r);
    }
    for (k = 0; k < n && k < 16; k++) {
        pthread_join(threads[k], &one);
        sum += (long)one;
    }
    return sum;
}

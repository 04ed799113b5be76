#include "status_messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int existing;

static char *text(const char *before, const char *name)
{
    char *made = malloc(strlen(before) + strlen(name) + 1);
    if (made == NULL) abort();
    existing++;
    return strcat(strcpy(made, before), name);
}

void store_free(void *message)
{
    existing -= message != NULL;
    free(message);
}

int messages(void) { return existing; }

error_text root(double x, double *y)
{
    *y = x < 0 ? 0 : sqrt(x);
    return x < 0 ? "it has no root" : NULL;
}

const char *explained(const char *message, double x)
{
    static char text[64];
    snprintf(text, sizeof text, "%g: %s", x, message);
    return text;
}

char *powers(double x, size_t *n, double *y)
{
    *n = 3;
    if (x == 0) return text("no powers of ", "zero");
    if (y != NULL && x < 0) return text("negative", "");
    for (size_t i = 0; y != NULL && i < *n; i++) y[i] = i == 0 ? 1 : x * y[i - 1];
    return NULL;
}

store *store_open(const char *name, char **error)
{
    store *made = strlen(name) < 8 ? calloc(1, sizeof *made) : NULL;
    if (made == NULL) *error = text("cannot open ", name);
    return made;
}

void store_close(store *s) { free(s); }

void store_put(store *s, const char *key, double value, char **error)
{
    if (strlen(key) >= sizeof s->key) {
        *error = text("key too long: ", key);
        return;
    }
    strcpy(s->key, key);
    s->value = value;
}

void store_each(const store *s, void (*visit)(const char *key, double value, void *data), void *data, char **error)
{
    visit(s->key, s->value, data);
    if (s->value < 0) *error = text("negative: ", s->key);
}

double store_get(const store *s, const char *key, const char **error)
{
    if (strcmp(s->key, key) != 0) *error = "no such key";
    return s->value;
}

int number(int n) { return n; }

const char *text_of(int status) { return status == -1 ? "minus one" : NULL; }

#include "null_results.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int alive;

store *store_open(const char *path)
{
    store *s = NULL;
    if (strcmp(path, "nowhere") == 0) errno = ENOENT;
    else if (strcmp(path, "secret") == 0) errno = EACCES;
    else if (strcmp(path, "silent") != 0) s = calloc(1, sizeof *s);
    alive += s != NULL;
    return s;
}

store *store_copy(const store *s, int room)
{
    (void)s;
    return room > 0 ? store_open("copy") : NULL;
}

void store_close(store *s)
{
    alive--;
    free(s);
}

const char *store_get(store *s, int key)
{
    snprintf(s->error, sizeof s->error, "no key %d", key);
    return key == 1 ? "one" : NULL;
}

const char *store_error(const store *s) { return s->error; }

int store_check(store *s, int status)
{
    (void)s;
    return status;
}

const char *store_strerror(int status) { return status == -1 ? "minus one" : "minus more"; }

int store_room(int count, int *room)
{
    *room = count;
    return 0;
}

char *store_join(const char *part, int count, int room)
{
    char *text;
    if (count > 3 || room != count) {
        errno = count > 4 ? 0 : E2BIG;
        return NULL;
    }
    text = calloc((size_t)count + 1, strlen(part) + 1);
    alive += text != NULL;
    for (int k = 0; text != NULL && k < count; k++) strcat(text, part);
    return text;
}

void store_free(char *text)
{
    alive--;
    free(text);
}

const char *store_last(void) { return errno == 0 ? "too many by far" : NULL; }
int store_alive(void) { return alive; }

#include "class_status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(archive *a, int status, const char *text, const char *of)
{
    snprintf(a->text, sizeof a->text, "%s%s", text, of);
    return status;
}

int archive_open(const char *name, archive **made)
{
    if (strcmp(name, "nothing") == 0) return ARCHIVE_RANGE;
    *made = calloc(1, sizeof **made);
    if (*made == NULL) return ARCHIVE_FULL;
    return strlen(name) < 8 ? ARCHIVE_OK : failed(*made, ARCHIVE_RANGE, "cannot open ", name);
}

archive *archive_copy(const archive *a)
{
    archive *made = a->count < 5 ? malloc(sizeof *made) : NULL;
    if (made != NULL) *made = *a;
    return made;
}

void archive_close(archive *a) { free(a); }

const char *archive_message(const archive *a) { return a->text; }

int archive_add(archive *a, int count)
{
    if (count < 0) return failed(a, ARCHIVE_RANGE, "negative count", "");
    if (a->count + count > 9) return failed(a, ARCHIVE_FULL, "no room", "");
    a->count += count;
    return ARCHIVE_OK;
}

int archive_set(archive *a, int index, double object)
{
    return index < a->count ? ARCHIVE_OK : failed(a, ARCHIVE_RANGE, object < 0 ? "negative" : "no entry", "");
}

int archive_root(archive *a, double x, double *y)
{
    *y = x < 0 ? 0 : sqrt(x);
    return x < 0 ? failed(a, ARCHIVE_RANGE, "it has no root", "") : ARCHIVE_OK;
}

long archive_find(archive *a, const char *name)
{
    return strlen(name) < 4 ? (long)strlen(name) : failed(a, ARCHIVE_RANGE, "not there: ", name);
}

entry *archive_entry(archive *a, int index)
{
    entry *made = index < a->count ? malloc(sizeof *made) : NULL;
    if (made == NULL) {
        failed(a, 0, "no such entry", "");
        return NULL;
    }
    *made = (entry){a, index};
    return made;
}

int archive_finish(archive *a)
{
    int status = a->count > 1 ? ARCHIVE_FULL : ARCHIVE_OK;
    free(a);
    return status;
}

int archive_move(archive *a, int from, int to) { return from < a->count && to < a->count ? ARCHIVE_OK : ARCHIVE_RANGE; }

const char *archive_move_message(const archive *a, int status, int to)
{
    static char text[48];
    snprintf(text, sizeof text, "%d: no place %d among %d", status, to, a->count);
    return text;
}

void entry_close(entry *e) { free(e); }

const char *entry_message(const entry *e, int status)
{
    static char text[32];
    snprintf(text, sizeof text, "entry %d has status %d", e->index, status);
    return text;
}

int entry_read(entry *e) { return e->index == 0 ? 7 : -3; }

int compare(entry *e, archive *a) { return e->of == a ? ARCHIVE_OK : failed(a, ARCHIVE_RANGE, "another archive", ""); }

int measure_archive(archive *a) { return a->count > 0 ? ARCHIVE_OK : failed(a, ARCHIVE_RANGE, "it is empty", ""); }

int measure_entry(entry *e) { return e->index == 0 ? 0 : -4; }

int measure(int n) { return n; }

const char *text_of(int status) { return status == ARCHIVE_FULL ? "full" : NULL; }

#include "closing.h"

#include <stdlib.h>

static int live_objects, calls;
static stream standard = {1};
static watcher watched;
static void *watched_data;

archive *archive_open(int changed)
{
    archive *a = malloc(sizeof *a);
    if (a == NULL) return NULL;
    *a = (archive){changed, 0};
    live_objects++;
    return a;
}

int archive_close(archive *a)
{
    calls++;
    if (a->locked) return -1;
    free(a);
    live_objects--;
    return 0;
}

void archive_discard(archive *a)
{
    calls++;
    free(a);
    live_objects--;
}

void archive_lock(archive *a, int locked) { a->locked = locked; }

const char *archive_message(const archive *a) { return a->locked ? "it is locked" : NULL; }

reader *reader_open(archive *a, int broken)
{
    reader *r = malloc(sizeof *r);
    if (r == NULL) return NULL;
    *r = (reader){a, broken};
    live_objects++;
    return r;
}

int reader_close(reader *r)
{
    int broken = r->broken + 0 * r->of->changed;
    calls++;
    free(r);
    live_objects--;
    return broken;
}

stream *stream_open(int flushed)
{
    stream *s = malloc(sizeof *s);
    if (s == NULL) return NULL;
    s->flushed = flushed;
    live_objects++;
    return s;
}

void stream_close(stream *s, int mode, int *code)
{
    calls++;
    *code = s->flushed ? 0 : mode;
    if (watched != NULL) watched(s->flushed, watched_data);
    watched = NULL;
    free(s);
    live_objects--;
}

void stream_watch(stream *s, watcher f, void *data)
{
    (void)s;
    watched = f;
    watched_data = data;
}

stream *stream_standard(void) { return &standard; }

int live(void) { return live_objects; }

int closed(void) { return calls; }

int shut(stream *s) { return s->flushed; }

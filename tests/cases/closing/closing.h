/* Objects that C fails to close: some are then still open, others are gone. */
typedef struct { int changed, locked; } archive;
typedef struct { archive *of; int broken; } reader;
typedef struct { int flushed; } stream;
typedef int (*watcher)(int what, void *data);

archive *archive_open(int changed);
/* -1 if it is locked, and still open. */
int archive_close(archive *a);
void archive_discard(archive *a);
void archive_lock(archive *a, int locked);
const char *archive_message(const archive *a);

reader *reader_open(archive *a, int broken);
/* 1 if it was broken, but it is gone. */
int reader_close(reader *r);

stream *stream_open(int flushed);
/* With a mode, and a return code in an argument. */
void stream_close(stream *s, int mode, int *code);
void stream_watch(stream *s, watcher f, void *data);
stream *stream_standard(void);

/* Those that are not closed. */
int live(void);
/* The calls of functions that close, and of `archive_discard`. */
int closed(void);
/* A function of the module may have this name. */
int shut(stream *s);

/* Objects that store why a call with them has failed, as those of libzip, SQLite and libsndfile do. */
#include <stddef.h>

typedef struct archive { char text[32]; int count; } archive;
typedef struct entry { archive *of; int index; } entry;

enum { ARCHIVE_OK, ARCHIVE_RANGE = -1, ARCHIVE_FULL = -2 };

/* Stores the object even if it fails, except for the name "nothing". */
int archive_open(const char *name, archive **made);
archive *archive_copy(const archive *a);
void archive_close(archive *a);
const char *archive_message(const archive *a);
int archive_add(archive *a, int count);
int archive_set(archive *a, int index, double object);
int archive_root(archive *a, double x, double *y);
long archive_find(archive *a, const char *name);
entry *archive_entry(archive *a, int index);
int archive_finish(archive *a);
int archive_move(archive *a, int from, int to);
const char *archive_move_message(const archive *a, int status, int to);

void entry_close(entry *e);
const char *entry_message(const entry *e, int status);
int entry_read(entry *e);
int compare(entry *e, archive *a);
int measure_archive(archive *a);
int measure_entry(entry *e);
int measure(int n);
const char *text_of(int status);

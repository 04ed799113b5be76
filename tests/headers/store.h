/* Objects, strings, return codes and callbacks. */
#ifndef STORE_H
#define STORE_H
#include <stddef.h>

#define STORE_OK 0
#define STORE_FULL 7
#define STORE_READ (1 << 0)
#define STORE_MODE (STORE_READ | 2)
#define STORE_VERSION "1.2" ".3"
#define STORE_RATIO ((double)1 / 3)
#define STORE_STATIC ((store_done)0)
#define STORE_CALL(x) (x)
#define STORE_2 2
#define STORE_API extern

typedef struct store store;
typedef struct store_cursor_s *store_cursor;
typedef struct { int size; const char *name; } store_kind;
/** A callback for a completed operation. */
typedef void (*store_done)(void *data);

extern const store_kind *store_fast, *store_safe;

const char *store_version(void);
const char *store_strerror(int status);
void store_free(void *memory);

/** Opens a store.
 *  @param path where it is */
STORE_API int store_open(const char *path, store **opened);
STORE_API store *store_open_kind(const store_kind *kind, const char *path, int flags);
int store_close(store *s);
int store_close_later(store *s);
store *store_clone(const store *s);

int store_put(store *s, const char *key, const void *value, size_t size);
long store_read(store *s, const char *key, void *buffer, size_t size);
int store_set_name(store *s, const char *name, int length);
int store_get_name(store *s, char *buf, size_t n);
int store_describe(store *s, char **text);
const char *store_name(const store *s);
size_t store_count(const store *s);
double store_mean(const store *s, double *columns);

store_cursor store_cursor_new(store *s, const char *prefix);
void store_cursor_free(store_cursor cursor);
int store_cursor_next(store_cursor cursor);
const char *store_cursor_key(store_cursor cursor);
store *store_cursor_store(store_cursor cursor);

int store_foreach(store *s, int (*each)(void *data, const char *key, const void *value, size_t size), void *data);
int store_sum(store *s, double *result);
void store_set_hook(store *s, store_done hook, void *data);
void store_later(store *s, store_done done, void *data);
void store_on_exit(store_done done, void *data);

#endif

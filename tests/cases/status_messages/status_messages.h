/* Functions that report a failure by its message, as soxr, LevelDB and RocksDB do. */
#include <stddef.h>

typedef const char *error_text;
typedef struct { char key[8]; double value; } store;

/* NULL, or a message of the library. */
error_text root(double x, double *y);
const char *explained(const char *message, double x);
/* NULL, or a message that the caller frees. If `y` is NULL, it only stores the size of the result. */
char *powers(double x, size_t *n, double *y);
/* The argument is left alone unless something is wrong. */
store *store_open(const char *name, char **error);
void store_close(store *s);
void store_put(store *s, const char *key, double value, char **error);
void store_each(const store *s, void (*visit)(const char *key, double value, void *data), void *data, char **error);
double store_get(const store *s, const char *key, const char **error);
void store_free(void *message);
int messages(void);
int number(int n);
const char *text_of(int status);

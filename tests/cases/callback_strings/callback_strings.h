#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef char *(*generator)(const char *text, int state);
typedef struct { const char *(*name)(int k, void *params); void *params; } namer;
typedef struct reader reader;

/* Each string is freed by free; the state is 0 at first. */
char *complete(const char *text, generator generate);

void *strings_alloc(size_t size);
void strings_free(void *text);
char *strings_copy(const char *text);
void strings_refuse(int fails);
long strings_live(void);
/* Each string is freed by strings_free. */
char *joined(char *(*next)(int k, const double *x, int *more, void *data), void *data);

/* One of the strings that `name` has returned. */
const char *longest(int n, const char *(*name)(int k, void *data), void *data);
long length_of(char *(*text)(void));
long lengths_of(int n, const namer *of);
bool strictly(const char *(*f)(void *data), void *data);
/* The sum of the lengths, on as many threads. */
long on_threads(int n, const char *(*name)(int k, void *data), void *data);

/* A chunk is used until the next one is read. */
reader *reader_new(void);
void reader_free(reader *r);
void reader_set(reader *r, const char *(*chunk)(void *data), void *data);
char *reader_word(reader *r);
long reader_total(reader *r, int n);

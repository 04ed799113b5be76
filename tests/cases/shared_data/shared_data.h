/* A reader of words and numbers, whose callbacks share one user data. */
#include <stddef.h>

typedef struct reader reader;
typedef void (*on_word)(void *data, const char *word);
typedef int (*on_number)(void *data, long number);

reader *reader_new(void);
/* Both are called already. */
reader *reader_open(on_word word, on_number number, void *data);
void reader_free(reader *r);

void reader_set_data(reader *r, void *data);
void *reader_data(const reader *r);

void reader_words(reader *r, on_word f);
/* Fails if `limit` is negative, after it has stored the callback. */
int reader_numbers(reader *r, on_number f, long limit);
void reader_ends(reader *r, void (*f)(const reader *r));
void reader_both(reader *r, on_word word, on_number number, void *data);

/* The number of calls; -1 if a callback returned 0. */
int reader_feed(reader *r, const char *text);
long readers(void);

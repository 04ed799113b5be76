#include "shared_data.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    void *data;
    on_word word;
    on_number number;
    void (*end)(const reader *r);
    long limit;
};

static long count;

reader *reader_new(void)
{
    reader *r = (reader *)calloc(1, sizeof(reader));
    if (r != NULL) {
        r->limit = 1000;
        count++;
    }
    return r;
}

reader *reader_open(on_word word, on_number number, void *data)
{
    reader *r = reader_new();
    if (r != NULL) {
        reader_both(r, word, number, data);
        if (reader_feed(r, "open 1") < 0) {
            reader_free(r);
            return NULL;
        }
    }
    return r;
}

/* Calls `end`, as some libraries do. */
void reader_free(reader *r)
{
    if (r->end != NULL) r->end(r);
    free(r);
    count--;
}

void reader_set_data(reader *r, void *data) { r->data = data; }
void *reader_data(const reader *r) { return r->data; }
void reader_words(reader *r, on_word f) { r->word = f; }
void reader_ends(reader *r, void (*f)(const reader *r)) { r->end = f; }

int reader_numbers(reader *r, on_number f, long limit)
{
    r->number = f;
    r->limit = limit < 0 ? 1000 : limit;
    return limit < 0;
}

void reader_both(reader *r, on_word word, on_number number, void *data)
{
    r->word = word;
    r->number = number;
    r->data = data;
}

int reader_feed(reader *r, const char *text)
{
    int calls = 0;
    while (*text != 0) {
        char word[32];
        size_t n = strcspn(text, " ");
        size_t length = n < sizeof(word) - 1 ? n : sizeof(word) - 1;
        memcpy(word, text, length);
        word[length] = 0;
        text += n + (text[n] == ' ');
        if (isdigit((unsigned char)word[0])) {
            if (r->number != NULL) {
                calls++;
                if (!r->number(r->data, atol(word))) return -1;
            }
        }
        else if (r->word != NULL && n > 0) {
            calls++;
            r->word(r->data, word);
        }
    }
    return calls;
}

long readers(void) { return count; }

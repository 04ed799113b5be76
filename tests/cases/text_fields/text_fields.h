/* Structs with strings, and with fields whose names a target language has another use for. */
#include <stddef.h>
#include <string.h>

typedef struct {
    char name[8];
    int copy, dtype, def, end;
    char unit[4];
} tf_entry;

typedef struct { tf_entry first; tf_entry more[2]; } tf_pair;

typedef enum { mro = 1, local, kind } tf_word;

static inline size_t
tf_length(const tf_entry *entry)
{
    size_t k;
    for (k = 0; k < sizeof(entry->name) && entry->name[k] != 0; k++) {
    }
    return k;
}

/* All of the memory, without a NUL. */
static inline tf_entry
tf_full(int copy)
{
    tf_entry made;
    memset(&made, 0, sizeof(made));
    memset(made.name, 'x', sizeof(made.name));
    memset(made.unit, '\xff', sizeof(made.unit));
    made.copy = copy;
    made.end = 2 * copy;
    return made;
}

/* The sum of the characters, after the string, too. */
static inline int
tf_sum(const tf_entry *all, int n)
{
    int sum = 0, i;
    size_t k;
    for (i = 0; i < n; i++) {
        for (k = 0; k < sizeof(all[i].name); k++) {
            sum += all[i].name[k];
        }
    }
    return sum;
}

static inline void
tf_number(tf_entry *all, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        memset(all[i].name, 'a' + i, 3);
        all[i].def = i;
    }
}

static inline tf_pair tf_pair_of(const tf_entry *first) { tf_pair made; made.first = *first; made.more[0] = made.more[1] = tf_full(1); return made; }
static inline int tf_value(tf_word word) { return (int)word; }

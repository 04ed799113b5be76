/* Strings in memory of a constant size: arguments, fields of structs, and fields of structs in an array. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CS_ROOM 8

/* C reads all bytes: a sum in which a byte after the string would show. */
static inline int
cs_sum(const char name[CS_ROOM])
{
    int k, sum = 0;
    for (k = 0; k < CS_ROOM; k++) {
        sum += name[k];
    }
    return sum;
}

/* Doubles the string, up to all of the memory. */
static inline void
cs_double(char name[CS_ROOM])
{
    size_t length = strlen(name), k;
    for (k = 0; k < length && length + k < CS_ROOM; k++) {
        name[length + k] = name[k];
    }
}

/* An array of strings. */
static inline int
cs_longest(const char names[][CS_ROOM], int n)
{
    int k, longest = -1;
    for (k = 0; k < n; k++) {
        longest = longest < 0 || strlen(names[k]) > strlen(names[longest]) ? k : longest;
    }
    return longest;
}

static inline void
cs_count(char names[][CS_ROOM], int n)
{
    int k;
    for (k = 0; k < n; k++) {
        memset(names[k], k == 3 ? '\xff' : 'a' + k, k == 2 ? CS_ROOM : (size_t)k);
    }
}

static inline void
cs_mark(char names[][CS_ROOM], int n)
{
    int k;
    for (k = 0; k < n; k++) {
        names[k][0] = '*';
    }
}

/* Fields of one struct. */
typedef struct { char keyword[CS_ROOM]; int kind; double at[2]; } cs_entry;

static inline int
cs_find(const cs_entry *entry)
{
    return cs_sum(entry->keyword) + entry->kind;
}

/* 1: the keyword is empty. */
static inline int
cs_next(cs_entry *entry)
{
    if (entry->keyword[0] == 0) {
        return 1;
    }
    entry->keyword[0]++;
    return 0;
}

/* Structs in an array: one in, one out. `alive` counts the memory of the caller. */
typedef struct cs_part { int weight; const char *notes[2]; } cs_part;
typedef struct {
    char label[CS_ROOM];
    char *text;       /* the caller's */
    const char *unit; /* static */
    cs_part *part;    /* the caller's */
    int length;
} cs_row;

static long cs_living = 0;
static inline long cs_alive(void) { return cs_living; }
static inline void cs_free(char *text) { cs_living -= text != NULL; free(text); }
static inline void cs_part_free(cs_part *part) { cs_living -= part != NULL; free(part); }
static inline int cs_weight(const cs_part *part) { return part->weight; }

static inline int
cs_total(const cs_row *rows, int n)
{
    int k, sum = 0;
    for (k = 0; k < n; k++) {
        sum += cs_sum(rows[k].label) * rows[k].length;
    }
    return sum;
}

/* Stops at `stop`: 1, or as if nothing had happened if it is negative. */
static inline int
cs_fill(cs_row *rows, int n, int stop)
{
    int k;
    for (k = 0; k < n; k++) {
        if (k == abs(stop)) {
            return stop > 0;
        }
        memset(rows[k].label, 'a' + k, k > 1 ? CS_ROOM : (size_t)k + 1);
        rows[k].text = (char *)malloc(CS_ROOM);
        rows[k].part = (cs_part *)malloc(sizeof(cs_part));
        cs_living += (rows[k].text != NULL) + (rows[k].part != NULL);
        if (rows[k].text == NULL || rows[k].part == NULL) {
            return 2;
        }
        strcpy(rows[k].text, k % 2 ? "odd" : "even");
        rows[k].part->weight = 10 * k;
        rows[k].unit = "mm";
        rows[k].length = k;
    }
    return 0;
}

/* The part stores the addresses of the first strings. */
static inline void
cs_note(cs_part *part, const cs_row *rows, int n)
{
    int k;
    for (k = 0; k < n && k < 2; k++) {
        part->notes[k] = rows[k].text;
    }
}
static inline const char *cs_noted(const cs_part *part, int k) { return part->notes[k]; }

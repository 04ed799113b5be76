#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A library with errors that each thread stores: some have a text, and all have a number. */
typedef struct {
    int major;
    const char *text;
} problem;

static __thread problem problems[8];
static __thread int count;

static inline int problem_add(int major, const char *text)
{
    problem one = {major, text};
    if (count < 8) {
        problems[count++] = one;
    }
    return -1;
}

/* Removes the oldest one, and returns its number; 0 if there is none. */
static inline unsigned long problem_next(void)
{
    int major = problems[0].major;
    if (count == 0) {
        return 0;
    }
    count--;
    memmove(problems, problems + 1, sizeof(problem) * (size_t)count);
    return (unsigned long)major;
}

static inline void problem_clear(void) { count = 0; }

static inline const char *problem_name(unsigned long code)
{
    return code == 1 ? "no room" : code == 2 ? "not found" : NULL;
}

static inline int problem_describe(unsigned long code, char *text, size_t size)
{
    return snprintf(text, size, "problem %lu", code);
}

typedef int (*problem_seen)(unsigned n, const problem *one, void *user);

static inline int problem_walk(int newest_first, problem_seen seen, void *user)
{
    int k;
    for (k = 0; k < count; k++) {
        seen((unsigned)k, &problems[newest_first ? count - 1 - k : k], user);
    }
    return 0;
}

/* Fails with as many errors. */
static inline int fail(int times)
{
    int k;
    for (k = 0; k < times; k++) {
        problem_add(k + 1, k == 1 ? "the second" : k == 2 ? "the third" : k == 0 ? "the first" : NULL);
    }
    return times == 0 ? 0 : -1;
}

/* A long message: `ascii` bytes, then characters of two bytes. */
static inline const char *problem_long(int ascii)
{
    static __thread char text[1024];
    int k;
    memset(text, 'x', (size_t)ascii);
    for (k = 0; k < 300; k++) {
        memcpy(text + ascii + 2 * k, "\xC3\xA4", 2);
    }
    text[ascii + 600] = 0;
    return text;
}

static inline int fail_long(int ascii) { return -ascii - 1; }

/* Fails without an error, or leaves an old one and succeeds. */
static inline int quiet(int leaves) { return leaves ? (problem_add(2, "left behind"), 0) : -1; }

typedef struct {
    int value;
} thing;

static thing the_thing;
static inline thing *thing_new(int fails) { return fails ? (problem_add(1, "no thing"), (thing *)NULL) : &the_thing; }
static inline void thing_free(thing *t) { (void)t; }
static inline int thing_set(thing *t, int value) { return value < 0 ? problem_add(2, "negative") : (t->value = value, 0); }

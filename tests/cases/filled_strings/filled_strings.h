#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that store strings in an array of their caller. */
static long fs_strings_alive;

static inline long fs_alive(void) { return fs_strings_alive; }

static inline char *fs_copy(const char *text, size_t length)
{
    char *copy = (char *)malloc(length + 1);
    if (copy == NULL) return NULL;
    fs_strings_alive++;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static inline void fs_free(char *text)
{
    fs_strings_alive--;
    free(text);
}

/* A failure after two words; 9: NULL for the second. */
static inline int fs_split(const char *text, char **words, int room, int *count, int code)
{
    int k = 0;
    while (*text != '\0' && k < room) {
        size_t length = strcspn(text, " ");
        if (code != 0 && code != 9 && k == 2) {
            *count = k;
            return code;
        }
        words[k] = code == 9 && k == 1 ? NULL : fs_copy(text, length);
        if (words[k] == NULL && code != 9) {
            *count = k;
            return -1;
        }
        k++;
        text += length;
        while (*text == ' ') text++;
    }
    *count = k;
    return 0;
}

/* The number of days, of which `room` are stored at most. */
static inline int fs_days(const char **names, int room)
{
    static const char *const days[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
    int k;
    for (k = 0; k < 7 && k < room; k++) names[k] = days[k];
    return k;
}

static inline void fs_pair(char *both[2])
{
    both[0] = fs_copy("one", 3);
    both[1] = fs_copy("tw\xc3\xb6", 4);
}

static inline void fs_lines(char **lines, int n)
{
    static char line[] = "line", bad[] = "b\xff";
    int k;
    for (k = 0; k < n; k++) lines[k] = k == 3 ? bad : line;
}

static inline int fs_codes(int n, const char **names, int *codes)
{
    int k;
    for (k = 0; k < n; k++) {
        names[k] = k % 2 ? "odd" : "even";
        codes[k] = k * k;
    }
    return n;
}

typedef struct {
    int books;
    char titles[4][16];
} fs_shelf;

static inline fs_shelf *fs_shelf_new(int books)
{
    fs_shelf *shelf = (fs_shelf *)calloc(1, sizeof *shelf);
    int k;
    if (shelf == NULL) return NULL;
    shelf->books = books;
    for (k = 0; k < books && k < 4; k++) snprintf(shelf->titles[k], 16, "book %d", k);
    return shelf;
}

static inline void fs_shelf_free(fs_shelf *shelf) { free(shelf); }

static inline int fs_titles(const fs_shelf *shelf, const char **titles)
{
    int k;
    for (k = 0; k < shelf->books; k++) titles[k] = shelf->titles[k];
    return k;
}

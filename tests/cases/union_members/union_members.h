#include <stdlib.h>
#include <string.h>

/* Values of several types, of which C chooses one. */
enum { UM_NUMBER = 1, UM_TEXT, UM_LIST, UM_PAIR };

typedef struct {
    int type;
    union {
        double number;
        char *text;
        struct {
            size_t count;
            double *data;
        } list;
        int pair[2];
    } as;
    int flag;
} um_value;

static long um_texts;

static inline long um_alive(void) { return um_texts; }

static inline void um_free(char *text)
{
    um_texts--;
    free(text);
}

/* 5: a failure after a text was stored; 6: a value without a member; 7: a text that is not UTF-8. */
static inline int um_get(int kind, um_value *value)
{
    int is_text = kind == UM_TEXT || kind == 5 || kind == 7;
    memset(value, 0xff, sizeof *value);
    value->type = is_text ? UM_TEXT : kind;
    value->flag = kind;
    if (kind == UM_NUMBER) value->as.number = 2.5;
    if (is_text) {
        value->as.text = (char *)malloc(8);
        if (value->as.text == NULL) return 9;
        um_texts++;
        strcpy(value->as.text, kind == 7 ? "\xff" : "text");
    }
    if (kind == UM_LIST) {
        value->as.list.count = 3;
        value->as.list.data = (double *)calloc(3, sizeof(double));
        if (value->as.list.data == NULL) return 9;
        value->as.list.data[2] = 7;
    }
    if (kind == UM_PAIR) {
        value->as.pair[0] = 3;
        value->as.pair[1] = 4;
    }
    return kind == 5 ? 5 : 0;
}

static inline um_value um_returned(int kind)
{
    um_value value;
    um_get(kind, &value);
    return value;
}

typedef struct {
    int type;
    union {
        double time;
        int place[2];
    } at;
} um_event;

static inline int um_events(um_event *events, int n)
{
    int k;
    for (k = 0; k < n; k++) {
        memset(&events[k], 0xff, sizeof events[k]);
        events[k].type = k % 3;
        if (k % 3 == 1) events[k].at.time = k;
        if (k % 3 == 2) events[k].at.place[0] = events[k].at.place[1] = k;
    }
    return n;
}

#include <stdlib.h>

#define LIMIT 3
enum color { RED, GREEN };
typedef struct { double x, y; } point;
typedef struct { double size; } box;

static inline box *box_new(double size)
{
    box *b = (box *)malloc(sizeof *b);
    if (b != NULL) b->size = size;
    return b;
}
static inline void box_free(box *b) { free(b); }

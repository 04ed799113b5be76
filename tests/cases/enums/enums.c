#include "enums.h"

enum color next_color(enum color c)
{
    return c == BLUE ? RED : c + 1;
}

void all_colors(enum color *c)
{
    c[0] = RED;
    c[1] = GREEN;
    c[2] = BLUE;
}

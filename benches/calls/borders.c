#include "borders.h"

#include <stdlib.h>
#include <string.h>

struct counter {
    long value;
};

counter *counter_new(void)
{
    return calloc(1, sizeof(counter));
}

void counter_free(counter *c)
{
    free(c);
}

long counter_next(counter *c)
{
    return c->value = (c->value + 1) & 7;
}

size_t text_length(const char *text)
{
    return strlen(text);
}

point point_add(point a, point b)
{
    point sum = {a.x + b.x, a.y + b.y};
    return sum;
}

double point_norm(point p)
{
    return p.x * p.x + p.y * p.y;
}

color color_next(color c)
{
    return c == BLUE ? RED : (color)(c + 1);
}

double apply(double (*f)(double x, void *data), void *data, double x)
{
    return f(x, data);
}

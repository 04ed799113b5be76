#include "names_of_c_functions.h"

int args(int x, const double *y, double *z)
{
    *z = *y;
    return x + 1;
}

int given(int x, const double *y, double *z)
{
    *z = *y;
    return x + 2;
}

int keywords(int x, const double *y, double *z)
{
    *z = *y;
    return x + 3;
}

int module(int x, const double *y, double *z)
{
    *z = *y;
    return x + 4;
}

int result(int x, const double *y, double *z)
{
    *z = *y;
    return x + 5;
}

int slots(int x, const double *y, double *z)
{
    *z = *y;
    return x + 6;
}

int items(int x, const double *y, double *z)
{
    *z = *y;
    return x + 7;
}

int thread(int x, const double *y, double *z)
{
    *z = *y;
    return x + 8;
}

int c_result(int x, const double *y, double *z)
{
    *z = *y;
    return x + 9;
}

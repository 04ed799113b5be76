#include "cplusplus.h"

#include <algorithm>
#include <set>

template <class T> static void sort_all(T *first, size_t n)
{
    std::sort(first, first + n);
}

void sort_doubles(size_t n, double *x)
{
    sort_all(x, n);
}

void unique_ints(size_t n, const int *x, int *y, size_t *count)
{
    const std::set<int> values(x, x + n);
    std::fill(std::copy(values.begin(), values.end(), y), y + n, 0);
    *count = values.size();
}

int helped(int x)
{
    return helper(x) + 1;
}

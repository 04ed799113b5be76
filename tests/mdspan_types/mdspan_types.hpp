// Views of arrays by std::mdspan.
#pragma once
#include <array>
#include <cstddef>
#include <mdspan>

namespace md {

using Matrix = std::mdspan<const double, std::dextents<std::size_t, 2>>;

inline double trace(Matrix a)
{
    double sum = 0;
    for (std::size_t k = 0; k < a.extent(0) && k < a.extent(1); k++) {
        sum += a[k, k];
    }
    return sum;
}

inline void scale(std::mdspan<float, std::dextents<int, 3>> x, float by)
{
    for (int i = 0; i < x.extent(0); i++) {
        for (int j = 0; j < x.extent(1); j++) {
            for (int k = 0; k < x.extent(2); k++) {
                x[i, j, k] *= by;
            }
        }
    }
}

// Two rows, which are the first index of an array by columns.
inline double corner(std::mdspan<const double, std::extents<int, 2, std::dynamic_extent>, std::layout_left> a)
{
    return a[1, a.extent(1) - 1];
}

inline double last(const std::mdspan<const double, std::dextents<std::size_t, 1>> &x)
{
    return x.extent(0) == 0 ? -1 : x[x.extent(0) - 1];
}

inline std::mdspan<const int, std::extents<int, 2, 3>, std::layout_left> table()
{
    static const int all[] = {1, 4, 2, 5, 3, 6};
    return std::mdspan<const int, std::extents<int, 2, 3>, std::layout_left>(all);
}

} // namespace md

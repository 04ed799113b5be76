#ifndef CPLUSPLUS_MEMORY_H
#define CPLUSPLUS_MEMORY_H

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace lib {

inline int live = 0;

inline double *make(int n)
{
    if (n < 0) {
        throw std::out_of_range("less than nothing");
    }
    double *x = new double[static_cast<std::size_t>(n) + 1];
    for (int i = 0; i < n; i++) {
        x[i] = i;
    }
    live++;
    return x;
}

inline void release(double *x)
{
    delete[] x;
    live--;
    throw std::runtime_error("in a release");
}

inline char *greet(const char *name)
{
    if (*name == 0) {
        throw std::invalid_argument("nobody to greet");
    }
    live++;
    return strdup((std::string("hello ") + name).c_str());
}

inline void drop(char *text)
{
    std::free(text);
    live--;
    throw 1;
}

inline int count() { return live; }

} // namespace lib

#endif

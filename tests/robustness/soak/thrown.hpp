// C++ exceptions, and objects that throw during construction and destruction.
#pragma once
#include "borders.h"
#include <new>
#include <stdexcept>
#include <string>

namespace thrown {

inline long fail(int what)
{
    const std::string text(40, 'x');
    switch (what) {
    case 0: throw std::invalid_argument(text);
    case 1: throw std::out_of_range("range");
    case 2: throw std::bad_alloc();
    case 3: throw 3;
    default: return what;
    }
}

struct box {
    explicit box(int what) : value(fail(what)) { borders_alive++; }
    ~box() { borders_alive--; }
    long value;
};

inline box *open(int what) { return new box(what); }

inline void close(box *b)
{
    const bool is_odd = b->value % 2 != 0;
    delete b;
    if (is_odd) {
        throw std::runtime_error("odd");
    }
}

inline long look(const box *b) { return b->value; }

// Releasing it throws in every case.
inline void let_go(double *memory)
{
    release(memory);
    throw 1;
}

inline double apply(double (*f)(double x, void *data), void *data, double x)
{
    const std::string held(40, 'y');
    return f(x, data) + static_cast<double>(held.size());
}

} // namespace thrown

#ifndef CPLUSPLUS_NESTED_H
#define CPLUSPLUS_NESTED_H

#include <cerrno>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>

namespace nested {

struct problem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws `kind`, and has `inner` in it: the digits of both are kinds.
inline void raise(int kind)
{
    switch (kind) {
    case 1: throw problem("problem");
    case 2: throw std::invalid_argument("invalid");
    case 3: throw std::system_error(ENOENT, std::generic_category(), "open");
    default: throw 4;
    }
}

inline void wrap(int kind)
{
    switch (kind) {
    case 1: std::throw_with_nested(problem("problem"));
    case 2: std::throw_with_nested(std::invalid_argument("invalid"));
    default: std::throw_with_nested(std::system_error(ENOENT, std::generic_category(), "open"));
    }
}

// 0 returns; 1234 throws a 4 in a 3 in a 2 in a 1.
inline int fail(int kinds)
{
    if (kinds < 10) {
        if (kinds != 0) raise(kinds);
        return kinds;
    }
    int divisor = 10;
    while (kinds / divisor >= 10) divisor *= 10;
    try {
        fail(kinds % divisor);
    }
    catch (...) {
        wrap(kinds / divisor);
    }
    return kinds;
}

// An exception with the base class of nested ones, and nothing in it.
inline int empty()
{
    try {
        std::throw_with_nested(problem("nothing in it"));
    }
    catch (...) {
        throw;
    }
    return 0;
}

inline int deep(int depth)
{
    try {
        if (depth == 0) throw problem("innermost");
        return deep(depth - 1);
    }
    catch (...) {
        std::throw_with_nested(problem(std::to_string(depth)));
    }
}

struct thing {
    int kinds;
};
inline thing *open(int kinds)
{
    fail(kinds);
    return new thing{kinds};
}
inline void close(thing *one)
{
    delete one;
    fail(12);
}

} // namespace nested

#endif

// The functions that joined.toml wraps: functions of C++ that use the glue headers.
#pragma once
#include <fishplate/python.hpp>

#include <ios>
#include <system_error>
#include <thread>

#include "../agnostic.h"

namespace joined {

inline int warn(int count)
{
    for (int i = 0; i < count; i++) FP_WARN(PyExc_UserWarning, "warning %d of %d", i + 1, count);
    return count;
}

inline void warn_released(double x[3])
{
    FP_WARN(PyExc_UserWarning, "released");
    std::thread([caller = fp_this_caller()] {
        fp::warn_for guard(caller);
        FP_WARN(PyExc_UserWarning, "by a worker");
    }).join();
    x[0]++;
}

inline int library(int count)
{
    agnostic_work(count);
    return count;
}

inline void set_key_error()
{
    fp::gil_acquire gil;
    PyErr_SetString(PyExc_KeyError, "original");
}

inline int fail(int what)
{
    if (what == 1) {
        fp::gil_acquire gil;
        set_key_error();
        throw fp::python_error();
    }
    FP_CHECK_TYPE(what != 2, "type %d", what);
    FP_CHECK_INDEX(what != 3, "index %d", what);
    if (what == 4) throw std::system_error(ENOENT, std::generic_category(), "open");
    if (what == 5) {
        try {
            fail(1);
        }
        catch (...) {
            std::throw_with_nested(std::invalid_argument("outer"));
        }
    }
    if (what == 6) FP_WARN(PyExc_UserWarning, "before it failed");
    FP_CHECK_VALUE(what != 6, "value %d", what);
    if (what == 7) throw std::system_error(std::make_error_code(std::io_errc::stream));
    return what;
}

inline void fail_released(int what, double x[3])
{
    fail(what);
    x[0] = what;
}

struct problem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Exceptions that the interface names, and others, around one another.
inline int nest(int depth)
{
    try {
        if (depth == 0) return fail(1);
        return nest(depth - 1);
    }
    catch (...) {
        if (depth % 2 == 0) std::throw_with_nested(problem("problem " + std::to_string(depth)));
        std::throw_with_nested(fp::type_error("type " + std::to_string(depth)));
    }
}

// Calls back after it has warned.
inline int call(int (*function)(void *), void *data)
{
    FP_WARN(PyExc_UserWarning, "outer");
    return function(data);
}

struct thing {
    int mode;
};
inline thing *open(int mode)
{
    if (mode == 1) FP_WARN(PyExc_UserWarning, "opened");
    FP_CHECK_TYPE(mode != 2, "cannot open %d", mode);
    return new thing{mode};
}
inline void close(thing *one)
{
    const int mode = one->mode;
    delete one;
    if (mode == 3) FP_WARN(PyExc_ResourceWarning, "closed late");
    FP_CHECK(mode != 4, "cannot close");
    if (mode == 5) fail(1);
}
inline int use(thing *one)
{
    FP_WARN(PyExc_UserWarning, "used");
    return one->mode;
}

} // namespace joined

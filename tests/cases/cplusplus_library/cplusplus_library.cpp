#include "cplusplus_library.h"

#include <cmath>
#include <ios>
#include <new>

namespace lib {

int fail(int what)
{
    // Released when it is thrown.
    const std::string text(100, 'x');
    const std::vector<double> held(1000);
    switch (what) {
    case 0: throw std::invalid_argument("invalid " + text.substr(98));
    case 1: throw std::domain_error("domain");
    case 2: throw std::out_of_range("range");
    case 3: throw std::overflow_error("overflow");
    case 4: throw std::bad_alloc();
    case 5: throw std::runtime_error("na\xc3\xafve \xff");
    case 6: throw std::logic_error(std::string(2000, 'y'));
    case 7: throw parse_error("parse");
    case 8: throw error("error");
    case 9: throw not_a_std_exception();
    case 10: throw 3;
    case 11: throw "text";
    case 12: throw 1.5;
    case 13: throw std::runtime_error("");
    default: return what - 99 + static_cast<int>(held[0]);
    }
}

int fail(int what, double *x)
{
    x[0] = 1;
    return fail(what);
}

void fill(std::size_t n, double *y, double value)
{
    for (std::size_t i = 0; i < n; i++) {
        y[i] = value;
    }
}

double norm(const std::vector<double> &x)
{
    double sum = 0;
    for (double one : x) {
        if (std::isnan(one)) {
            throw std::domain_error("norm of NaN");
        }
        sum += one * one;
    }
    return std::sqrt(sum);
}

code check(int x)
{
    return x == 9 ? fail(7) : x;
}

std::string explain(code status)
{
    return "code " + std::to_string(status) + " of a library";
}

void throw_anyway(double *y)
{
    y[0] = y[1] = 0;
    throw std::runtime_error("anyway");
}

} // namespace lib

double Circle::area(double radius)
{
    return 3 * radius * radius;
}
std::int64_t Circle::area(lib::index radius)
{
    return 4 * radius * radius;
}
float Circle::area(float)
{
    return -1;
}

#ifndef CPLUSPLUS_LIBRARY_H
#define CPLUSPLUS_LIBRARY_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace lib {

using index = std::int64_t;
using code = int;
constexpr code fine = 7;

enum class grade { good, late = 5, bad = 7 };

struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct parse_error : error {
    using error::error;
};
struct not_a_std_exception {};

inline double answer() { return 42; }
int fail(int what);
int fail(int what, double *x);
inline double twice(double x) noexcept { return 2 * x; }
void fill(std::size_t n, double *y, double value);
double norm(const std::vector<double> &x);
code check(int x);
std::string explain(code status);
inline grade judge(int x) { return static_cast<grade>(x); }
inline const char *words(grade which) { return which == grade::bad ? "as bad as can be" : nullptr; }
void throw_anyway(double *y);

template <class T> T largest(std::size_t n, const T *x)
{
    if (n == 0) {
        throw std::invalid_argument("nothing is largest of nothing");
    }
    T most = x[0];
    for (std::size_t i = 1; i < n; i++) {
        most = x[i] > most ? x[i] : most;
    }
    return most;
}

template <class T, int N> T pair(T x) noexcept { return static_cast<T>(x + N); }

} // namespace lib

class Circle {
public:
    static double area(double radius);
    static std::int64_t area(lib::index radius);
    static float area(float radius);
};

#endif

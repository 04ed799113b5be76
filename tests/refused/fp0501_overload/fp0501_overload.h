#include <stdexcept>

namespace lib {

struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct parse_error : error {
    using error::error;
};
inline int f(int x) { return x; }
inline double f(double x) { return x; }
template <class T> T g(T x) { return x; }

} // namespace lib

#include <stdexcept>

namespace lib {
enum class Color : unsigned char { red, green = 200 };
enum class Wide : unsigned long long { all = 0xFFFFFFFFFFFFFFFFull, low = 1 };
typedef short level;

inline Color next(Color c)
{
    if (c == Color::green) {
        throw std::out_of_range("nothing is behind green");
    }
    return Color::green;
}

inline Wide same(Wide w) { return w; }
/* A return code of its own type, which compares with itself only. */
enum class Code : short { fine, bad = 3 };
inline double root(double x, Code *code)
{
    *code = x < 0 ? Code::bad : Code::fine;
    return x * x;
}
inline level level_of(const level *l) { return *l; }
}

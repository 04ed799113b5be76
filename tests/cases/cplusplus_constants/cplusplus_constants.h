#include <stdexcept>

namespace lib {
enum class Color : unsigned char { red, green = 200 };
enum Old { old_red = 1 };
struct Box {
    static const int sides = 6;
    static constexpr const char *unit = "cm";
};
static Box first;
constexpr long limit = 1L << 40;
static const char *const name = "lib";
constexpr bool yes = true;
constexpr float ratio = 0.25f;

inline const char *version(int k)
{
    if (k > 2) {
        throw std::invalid_argument("unknown version");
    }
    return "2.0";
}

inline int count(const Box *) { return Box::sides; }
}

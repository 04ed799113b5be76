#include <cmath>
#include <stdexcept>

namespace lib {
struct Point {
    typedef int index_type;
    double x, y;
    index_type of[2];
    double norm() const { return std::sqrt(x * x + y * y); }
};
static const Point origin = {3, 4, {0, 0}};
inline double length(Point p) { return p.norm(); }
inline void move(Point *p, double dx)
{
    if (dx < 0) {
        throw std::domain_error("points move to the right");
    }
    p->x += dx;
}
}

#include <memory>
#include <stdexcept>

namespace lib {

inline int live = 0;
inline int count() { return live; }

struct Named {
    int tag = 5;
    virtual ~Named() = default;
};

struct Shape {
    Shape() { live++; }
    Shape(const Shape &) = delete;
    virtual ~Shape() { live--; }
    virtual double area() const { return 0; }
};

/* The address of its Shape is not its own. */
struct Circle : Named, Shape {
    double radius;
    explicit Circle(double radius) : radius(radius) {}
    double area() const override { return 3 * radius * radius; }
};

struct Lamp {
    double power;
    explicit Lamp(double power) : power(power) { live++; }
    Lamp(const Lamp &) = delete;
    ~Lamp() { live--; }
};

/* C++ throws without an object, after a callback has failed, too. */
inline double sum_used(int n, Shape *(*pick)(int k, void *data), void *data)
{
    Shape *all[10];
    double sum = 0;
    for (int k = 0; k < n; k++) all[k] = pick(k, data);
    for (int k = 0; k < n; k++) {
        if (all[k] == nullptr) throw std::invalid_argument("no shape");
        sum += all[k]->area();
    }
    return sum;
}

inline double sum_taken(int n, Shape *(*make)(int k, void *data), void *data)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        std::unique_ptr<Shape> one(make(k, data));
        sum += one ? one->area() : 0;
    }
    return sum;
}

inline double power(const Lamp *(*f)(void *data), void *data)
{
    const Lamp *one = f(data);
    return one == nullptr ? -1 : one->power;
}

/* Uses two shapes. */
class Row {
public:
    Row(Shape *(*first)(void *data), void *data) : one(first(data)), two(first(data))
    {
        if (one == nullptr || two == nullptr) throw std::invalid_argument("no shape");
    }
    double area() const { return one->area() + two->area(); }

private:
    Shape *one, *two;
};

}

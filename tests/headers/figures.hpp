// Declarations of C++ that a draft has, and others that it leaves out with a reason.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace figures {

using real = double;
using reals = std::vector<real>;

/// The version of the library.
constexpr int version = 3;
static const char *const title = "figures";

enum class Color : std::uint8_t { red, green = 4, None };
enum { limit = 12 };

namespace detail {
inline int hidden() { return 0; }
}

/** A point of the plane. */
struct Point {
    real x = 0, y = 0;
    Point() = default;
    Point(double x, double y) : x(x), y(y) {}
    /// The sum.
    Point operator+(const Point &other) const { return {x + other.x, y + other.y}; }
    Point operator-() const { return {-x, -y}; }
    Point &operator+=(const Point &other)
    {
        x += other.x;
        y += other.y;
        return *this;
    }
    bool operator==(const Point &other) const { return x == other.x && y == other.y; }
    double operator[](std::size_t k) const { return k == 0 ? x : y; }
    double &operator[](std::size_t k) { return k == 0 ? x : y; }
    explicit operator bool() const { return x != 0 || y != 0; }
    Point &operator++() { return *this; }
};
inline Point operator*(const Point &p, double by) { return {p.x * by, p.y * by}; }
inline Point operator*(double by, const Point &p) { return p * by; }
inline std::ostream &operator<<(std::ostream &out, const Point &p) { return out << p.x << ", " << p.y; }

/// Points in their order.
class Path {
public:
    void add(const Point &p) { points.push_back(p); }
    std::vector<Point>::iterator begin() { return points.begin(); }
    std::vector<Point>::const_iterator begin() const { return points.begin(); }
    std::vector<Point>::iterator end() { return points.end(); }
    std::vector<Point>::const_iterator end() const { return points.end(); }
    friend std::ostream &operator<<(std::ostream &out, const Path &path) { return out << path.points.size() << " points"; }

private:
    std::vector<Point> points;
};
class Names {
public:
    explicit Names(const std::set<std::string> &all) : all(all) {}
    auto begin() const { return all.begin(); }
    auto end() const { return all.end(); }

private:
    std::set<std::string> all;
};
class Digits {
public:
    class Iterator {
    public:
        explicit Iterator(int at) : at(at) {}
        int operator*() const { return at; }
        Iterator &operator++()
        {
            at++;
            return *this;
        }
        bool operator!=(const Iterator &other) const { return at != other.at; }

    private:
        int at;
    };
    Iterator begin() const { return Iterator(0); }
    Iterator end() const { return Iterator(10); }
};

/// The listener of a walk.
class Listener {
public:
    virtual ~Listener() = default;
    virtual bool meet(const Point &) { return true; }
};
inline int walk(const Path &path, Listener &listener)
{
    int count = 0;
    for (const Point &one : path) count += listener.meet(one);
    return count;
}

class Shape {
public:
    enum Kind { round, angular };
    explicit Shape(std::string name) : name(std::move(name)) {}
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual Kind kind() const { return round; }
    const std::string &get_name() const { return name; }
    void set_name(std::string_view to) { name = to; }
    const Point &center() const { return middle; }
    Point &center() { return middle; }
    Shape *parent() const { return nullptr; }
    void adopt(Shape *child) { (void)child; }
    void on_change(std::function<void(int)> f) { (void)f; }
    template <class T> T scaled(T by) const { return by; }
    std::string name;
    Color color = Color::red;

protected:
    int secret = 0;

private:
    Point middle;
};

class Circle : public Shape {
public:
    explicit Circle(double radius = 1.0, Color color = Color::green)
        : Shape("circle"), radius(radius)
    {
        this->color = color;
        if (radius < 0) throw std::invalid_argument("the radius is negative");
    }
    Circle(const Circle &) = default;
    double area() const override { return 3.0 * radius * radius; }
    static Circle unit() { return Circle(1); }
    Circle grown(int by) const { return Circle(radius + by); }
    Circle grown(double by) const { return Circle(radius + by); }
    Circle grown(const Point &by) const { return Circle(radius + by.x); }
    void reset() = delete;
    std::unique_ptr<Shape> box() const { return std::make_unique<Circle>(radius); }
    double radius;
    std::array<int, 2> cells = {1, 2};
    double weights[3] = {1, 2, 3};
    unsigned bits : 3;
    Shape *owner = nullptr;
};

class Single {
public:
    static Single &instance()
    {
        static Single only;
        return only;
    }
    Single(const Single &) = delete;
    int count() const { return 1; }

private:
    Single() = default;
    ~Single() = default;
};

template <class T> class Box {
public:
    explicit Box(const T &value) : value(value) {}
    const T &get() const { return value; }
    Box twice() const { return Box(value + value); }
    std::vector<T> list(std::size_t n) const { return std::vector<T>(n, value); }

private:
    T value;
};
using RealBox = Box<double>;
template <class T> class Unnamed {};

/// The mean of numbers.
inline double mean(const reals &x)
{
    double sum = 0;
    for (double one : x) sum += one;
    return sum / double(x.size());
}
inline double total(const double *x, int n) { return n > 0 ? x[0] : 0; }
inline std::size_t length(const char *text) { return std::string_view(text).size(); }
inline void divide(int a, int b, int &quotient, int &rest)
{
    quotient = a / b;
    rest = a % b;
}
inline std::pair<double, std::string> describe(const Shape &shape, const std::string &unit = "m")
{
    return {shape.area(), unit};
}
inline std::optional<std::string> label(std::optional<int> n = std::nullopt)
{
    if (n) return std::to_string(*n);
    return std::nullopt;
}
inline double integrate(const std::function<double(double)> &f, double a = -1.5, double b = 1)
{
    return (b - a) * f((a + b) / 2);
}
inline std::vector<std::string> names() { return {"a", "b"}; }
inline Color next(Color color = Color::red) { return color == Color::red ? Color::green : Color::red; }
inline int defaulted(int a, const reals &x = {}, int b = limit) { return a + int(x.size()) + b; }
inline RealBox boxed(double x) { return RealBox(x); }
inline std::shared_ptr<Point> share() { return nullptr; }
inline void *raw() { return nullptr; }
int formatted(const char *format, ...);
template <class T> T twice(T x) { return x + x; }
extern int counter;
union Either {
    int i;
    float f;
};
inline int from(int x) { return x; }
typedef enum { coarse, fine } Quality;
typedef struct {
    int steps;
    Quality quality;
    void (*report)(int step);
} Settings;
inline int settle(const Settings &settings = Settings(), const std::string &name = std::string(), Quality quality = fine)
{
    return 100 * settings.steps + 10 * int(name.size()) + int(quality) + int(settings.quality);
}

} // namespace figures

namespace other {
struct Point {
    int x;
};
inline int lambda(int x) { return x; }
} // namespace other

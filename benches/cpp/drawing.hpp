// The library that both tools wrap: each kind of member that classes and functions of C++ have.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace drawing {

enum class Color { red, green, blue };

struct Point {
    double x, y;
    Point(double x, double y) : x(x), y(y) {}
    Point operator+(const Point &other) const { return {x + other.x, y + other.y}; }
    Point operator-() const { return {-x, -y}; }
    Point operator*(double by) const { return {x * by, y * by}; }
    bool operator==(const Point &other) const { return x == other.x && y == other.y; }
    double operator[](std::size_t k) const { return k == 0 ? x : y; }
    double norm() const { return std::hypot(x, y); }
};

class Shape {
public:
    Color color = Color::red;
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual std::string name() const = 0;
    bool larger(const Shape &other) const { return area() > other.area(); }
};

class Circle : public Shape {
public:
    explicit Circle(double radius) { set_radius(radius); }
    double area() const override { return 3.0 * r * r; }
    std::string name() const override { return "circle"; }
    double radius() const { return r; }
    void set_radius(double radius)
    {
        if (radius < 0) throw std::invalid_argument("the radius is negative");
        r = radius;
    }
    Circle grown(int by) const { return Circle(r + by); }
    Circle grown(double by) const { return Circle(r + by); }
    static Circle unit() { return Circle(1); }

private:
    double r = 0;
};

class Rectangle : public Shape {
public:
    Rectangle(double width, double height) : width(width), height(height) {}
    double area() const override { return width * height; }
    std::string name() const override { return "rectangle"; }
    double width, height;
};

inline std::unique_ptr<Circle> make_circle(double radius) { return std::make_unique<Circle>(radius); }
inline double total(const Shape &a, const Shape &b) { return a.area() + b.area(); }
inline double power(double x, int n = 2) { return std::pow(x, n); }
inline double mean(const std::vector<double> &x)
{
    if (x.empty()) throw std::out_of_range("no values");
    double sum = 0;
    for (double one : x) sum += one;
    return sum / static_cast<double>(x.size());
}
inline std::vector<double> squares(std::size_t n)
{
    std::vector<double> x(n);
    for (std::size_t k = 0; k < n; ++k) x[k] = static_cast<double>(k * k);
    return x;
}
inline std::string greet(const std::string &name) { return "hello, " + name; }
inline std::size_t longest(const std::vector<std::string> &words)
{
    std::size_t n = 0;
    for (const std::string &word : words) n = word.size() > n ? word.size() : n;
    return n;
}
inline double or_zero(std::optional<double> x) { return x.value_or(0); }
inline std::optional<std::string> label(Color color)
{
    if (color == Color::blue) return std::nullopt;
    return color == Color::red ? "warm" : "cold";
}
inline Color next(Color color) { return color == Color::red ? Color::green : Color::blue; }
inline double integrate(const std::function<double(double)> &f, double a, double b)
{
    return (b - a) * f((a + b) / 2);
}

} // namespace drawing

#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lib {

struct Named {
    std::string name = "unnamed";
    virtual ~Named() = default;
    std::string greet() const { return "I am " + name; }
};

struct Shape {
    static int live;
    double factor = 1;
    Shape() { live++; }
    Shape(const Shape &other) : factor(other.factor) { live++; }
    virtual ~Shape() { live--; }
    virtual double area() const { return 0; }
    double scaled() const { return factor * area(); }
    bool operator<(const Shape &other) const { return area() < other.area(); }
    static int count() { return live; }
};
inline int Shape::live = 0;

/* The part that is a Named does not begin where the object does. */
struct Circle : Shape, Named {
    double radius;
    explicit Circle(double radius) : radius(radius) {}
    double area() const override { return 3 * radius * radius; }
};

struct Ring : Circle {
    double inner;
    Ring(double radius, double inner) : Circle(radius), inner(inner) {}
    double area() const override { return Circle::area() - 3 * inner * inner; }
};

inline double area_of(const Shape &shape) { return shape.area(); }
inline std::string name_of(const Named &named) { return named.name; }
inline double total(const std::vector<Shape *> &shapes)
{
    double all = 0;
    for (const Shape *one : shapes) all += one->area();
    return all;
}
inline double consume(std::unique_ptr<Shape> shape) { return shape->area(); }
inline std::string take_name(std::unique_ptr<Named> named) { return named->name; }
inline std::string kind(const Shape &) { return "shape"; }
inline std::string kind(const Circle &) { return "circle"; }

} // namespace lib

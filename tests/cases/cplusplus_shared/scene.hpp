#pragma once
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lib {

struct Named {
    std::string name;
    explicit Named(std::string name) : name(std::move(name)) {}
    virtual ~Named() = default;
};

struct Shape {
    static int live;
    double factor = 1;
    Shape() { live++; }
    Shape(const Shape &other) : factor(other.factor) { live++; }
    virtual ~Shape() { live--; }
    virtual double area() const = 0;
    static int count() { return live; }
};
inline int Shape::live = 0;

/* The part that is a Shape does not begin where the object does. */
struct Circle : Named, Shape {
    double radius;
    explicit Circle(double radius) : Named("circle"), radius(radius)
    {
        if (radius < 0) throw std::invalid_argument("the radius is negative");
    }
    double area() const override { return factor * 3 * radius * radius; }
};

class Scene {
public:
    std::size_t add(std::shared_ptr<Shape> shape)
    {
        shapes.push_back(std::move(shape));
        return shapes.size();
    }
    std::shared_ptr<Shape> at(std::size_t k) const { return shapes.at(k); }
    std::shared_ptr<const Shape> largest() const
    {
        std::shared_ptr<const Shape> most;
        for (const auto &one : shapes) {
            if (!most || one->area() > most->area()) most = one;
        }
        return most;
    }
    void clear() { shapes.clear(); }
private:
    std::vector<std::shared_ptr<Shape>> shapes;
};

inline long uses(const std::shared_ptr<Shape> &shape) { return shape.use_count(); }
inline double total(const std::vector<std::shared_ptr<const Shape>> &shapes)
{
    double all = 0;
    for (const auto &one : shapes) all += one->area();
    return all;
}
inline std::string name_of(std::shared_ptr<Named> named) { return named ? named->name : "nothing"; }
inline std::unique_ptr<Circle> unique(double radius) { return std::make_unique<Circle>(radius); }
inline Circle *raw(double radius) { return new Circle(radius); }
inline std::optional<Circle> found(double radius)
{
    if (radius < 0) return std::nullopt;
    return Circle(radius);
}
inline std::pair<std::shared_ptr<Circle>, Circle> both(double radius)
{
    return {std::make_shared<Circle>(radius), Circle(2 * radius)};
}
inline Circle grown(const Circle &circle, double by) { return Circle(circle.radius + by); }

struct Node : std::enable_shared_from_this<Node> {
    int value;
    std::shared_ptr<Node> next;
    explicit Node(int value) : value(value) {}
    std::shared_ptr<Node> itself() { return shared_from_this(); }
    Node &reference() { return *this; }
    void link(std::shared_ptr<Node> to) { next = std::move(to); }
    int sum() const { return value + (next ? next->sum() : 0); }
};
inline Node &spare()
{
    static Node one(7);
    return one;
}

} // namespace lib

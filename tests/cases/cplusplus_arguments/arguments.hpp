#pragma once
#include <array>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lib {

inline long shapes_alive = 0;

enum class Color : unsigned char { red, green = 7, blue };

class Shape {
public:
    explicit Shape(double size) : size(size) { shapes_alive++; }
    Shape(const Shape &other) : size(other.size) { shapes_alive++; }
    virtual ~Shape() { shapes_alive--; }
    Shape &operator=(const Shape &) = default;
    double size;
};
struct Padding { virtual ~Padding() = default; long padding = 0; };
// Its Shape is not at its beginning.
class Square : public Padding, public Shape {
public:
    explicit Square(double size) : Shape(size) {}
};
struct Node {
    explicit Node(int id) : id(id) {}
    virtual ~Node() = default;
    const int id;
};

class Group {
public:
    void add(Shape *shape) { all_.push_back(shape); }
    Shape &make(double size)
    {
        own_.push_back(std::make_unique<Shape>(size));
        all_.push_back(own_.back().get());
        return *own_.back();
    }
    const std::vector<Shape *> &all() const { return all_; }
    std::vector<const Shape *> large(double size) const
    {
        std::vector<const Shape *> found;
        for (const Shape *one : all_) if (one->size > size) found.push_back(one);
        return found;
    }
private:
    std::vector<Shape *> all_;
    std::vector<std::unique_ptr<Shape>> own_;
};

inline double total(const std::map<std::string, Shape> &shapes)
{
    double sum = 0;
    for (const auto &one : shapes) sum += one.second.size;
    return sum;
}
inline double total_of(const std::vector<std::vector<Shape>> &rows)
{
    double sum = 0;
    for (const auto &row : rows) for (const Shape &one : row) sum += one.size;
    return sum;
}
inline void grow(const std::map<std::string, Shape *> &shapes, double by)
{
    for (const auto &one : shapes) one.second->size += by;
    if (by < 0) throw std::out_of_range("negative");
}
inline void grow_all(std::vector<std::vector<Shape>> &rows, double by)
{
    for (auto &row : rows) for (Shape &one : row) one.size += by;
    rows.push_back({Shape(by)});
}
inline double size_of(const std::variant<double, Shape, Color> &value)
{
    if (const double *number = std::get_if<double>(&value)) return *number;
    if (const Shape *shape = std::get_if<Shape>(&value)) return shape->size;
    return -static_cast<double>(std::get<Color>(value));
}
inline double size_of_pair(const std::pair<Shape, double> &pair) { return pair.first.size * pair.second; }
inline int sum(const std::vector<std::pair<std::string, std::shared_ptr<Node>>> &nodes)
{
    int all = 0;
    for (const auto &one : nodes) all += one.second ? one.second->id : 100;
    return all;
}
inline long kept(const std::map<int, std::shared_ptr<Node>> &nodes)
{
    static std::map<int, std::shared_ptr<Node>> all;
    all = nodes;
    return all.empty() ? 0 : all.begin()->second.use_count();
}
inline void replace(std::shared_ptr<Node> &node) { node = node ? nullptr : std::make_shared<Node>(9); }
inline std::map<Color, int> counts(const std::list<Color> &colors)
{
    std::map<Color, int> all;
    for (Color one : colors) all[one]++;
    return all;
}
inline std::optional<std::pair<Color, std::string>> named(const std::map<Color, std::string> &names, Color color)
{
    auto found = names.find(color);
    if (found == names.end()) return std::nullopt;
    return *found;
}
inline std::vector<std::vector<Color>> palette(int n)
{
    return std::vector<std::vector<Color>>(n, std::vector<Color>{Color::blue, static_cast<Color>(9)});
}
inline void each(const std::map<std::string, Shape *> &shapes, const std::function<void(double)> &f)
{
    for (const auto &one : shapes) f(one.second->size);
}
inline std::vector<Shape *> made(int n)
{
    std::vector<Shape *> all;
    for (int k = 0; k < n; k++) all.push_back(new Shape(k));
    return all;
}
struct Point {
    double x;
    Color color;
};
inline std::vector<std::vector<Point>> shifted(const std::vector<std::vector<Point>> &rows, double by)
{
    std::vector<std::vector<Point>> made = rows;
    for (auto &row : made) for (Point &one : row) one.x += by;
    return made;
}
inline std::optional<std::variant<double, Point>> place_of(const std::map<std::string, Point> &places,
                                                           const std::variant<double, std::string> &key)
{
    if (const double *number = std::get_if<double>(&key)) return *number;
    auto found = places.find(std::get<std::string>(key));
    if (found == places.end()) return std::nullopt;
    return found->second;
}
inline void flip(std::vector<Color> &colors)
{
    for (Color &one : colors) one = one == Color::red ? Color::blue : Color::red;
}
inline std::pair<std::vector<Color>, std::vector<Point>> line(int n)
{
    return {std::vector<Color>(n, Color::green), std::vector<Point>(n, Point{1, Color::blue})};
}
inline std::array<Point, 2> corners() { return {Point{0, Color::red}, Point{1, Color::green}}; }
inline long alive() { return shapes_alive; }

struct Pin {
    Point at;
};
inline std::string kind_of(const std::variant<std::vector<double>, Point> &value)
{
    return value.index() == 0 ? "list" : "point";
}

} // namespace lib

#pragma once
#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lib {

enum class Color { red, green };

struct Point {
    double x, y;
    Point(double x, double y) : x(x), y(y) {}
    Point &operator+=(const Point &other) { x += other.x; y += other.y; return *this; }
    Point operator+(const Point &other) const { return {x + other.x, y + other.y}; }
    Point operator-() const { return {-x, -y}; }
    bool operator==(const Point &other) const { return x == other.x && y == other.y; }
    explicit operator bool() const { return x != 0 || y != 0; }
    double operator()(double t) const { return x + t * y; }
};
inline Point operator*(const Point &p, double by) { return {p.x * by, p.y * by}; }
inline Point operator*(double by, const Point &p) { return p * by; }
inline double operator*(const std::vector<double> &row, const Point &p) { return row.at(0) * p.x + row.at(1) * p.y; }

struct Shape {
    std::string name;
    std::vector<double> weights;
    std::array<int, 2> cells{{3, 4}};
    Point center{0, 0};
    Color color = Color::red;
    const std::string unit = "mm";
    std::optional<std::string> note;
    Shape *parent = nullptr;
    explicit Shape(std::string name) : name(std::move(name)) {}
    double &operator[](std::size_t k) { return weights.at(k); }
    std::size_t size() const { return weights.size(); }
};

/* Items that are not numbers, and keys that are not either. */
class Table {
public:
    std::string &operator[](const std::string &key)
    {
        if (key.empty()) throw std::invalid_argument("a key is empty");
        return texts[key];
    }
    const Point &operator[](int k) const { return points.at(k); }
    std::size_t size() const { return texts.size(); }
private:
    std::map<std::string, std::string> texts;
    std::map<int, Point> points{{1, Point(3, 4)}};
};

class Points {
public:
    explicit Points(int n) : points(std::size_t(n), Point(0, 0)) {}
    Point &operator[](std::size_t k) { return points.at(k); }
private:
    std::vector<Point> points;
};

} // namespace lib

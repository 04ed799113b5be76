// Classes whose virtual methods are overridden.
#pragma once
#include <complex>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace virt {

enum class Mode { plain = 0, fancy = 4 };

struct Point {
    double x, y;
};

inline int alive = 0;

class Shape {
public:
    explicit Shape(double size = 1) : size(size) { alive++; }
    Shape(const Shape &) = delete;
    virtual ~Shape() { alive--; }
    virtual double area() const = 0;
    virtual double scaled(double by, int times) { return size * by * times; }
    virtual Mode mode(Mode mode) const { return mode; }
    virtual void moved(const Point &by) { at.x += by.x, at.y += by.y; }
    virtual bool accepts(const std::string &name, const std::vector<double> &x) const noexcept { return name.size() == x.size(); }
    virtual std::complex<double> turn(std::complex<double> z) const { return z; }
    virtual void grow(double &x) const { x += size; }
    virtual long compare(const Shape &other) const { return size < other.size; }

    double size;
    Point at{0, 0};
};

class Square : public Shape {
public:
    explicit Square(double size) : Shape(size)
    {
        if (size < 0) throw std::invalid_argument("the size is negative");
    }
    double area() const override { return size * size; }
};

// C++ that calls virtual methods.
inline double total(const std::vector<const Shape *> &shapes)
{
    double sum = 0;
    for (const Shape *one : shapes) sum += one->area();
    return sum;
}
inline double call_scaled(Shape &shape, double by, int times) { return shape.scaled(by, times); }
inline Mode call_mode(const Shape &shape, Mode mode) { return shape.mode(mode); }
inline void call_moved(Shape &shape, double x, double y) { shape.moved({x, y}); }
inline bool call_accepts(const Shape &shape, const std::string &name, const std::vector<double> &x) { return shape.accepts(name, x); }
inline std::complex<double> call_turn(const Shape &shape, std::complex<double> z) { return shape.turn(z); }
inline double call_grow(const Shape &shape, double x)
{
    shape.grow(x);
    return x;
}
inline long call_compare(const Shape &shape, const Shape &other) { return shape.compare(other); }
inline double in_thread(const Shape &shape)
{
    double area = 0;
    std::thread([&] { area = shape.area(); }).join();
    return area;
}

class Scene {
public:
    void add(Shape *shape) { shapes.push_back(shape); }
    double area() const
    {
        double sum = 0;
        for (const Shape *one : shapes) sum += one->area();
        return sum;
    }

private:
    std::vector<Shape *> shapes;
};

inline double consume(std::unique_ptr<Shape> shape) { return shape->area(); }
inline int count() { return alive; }

} // namespace virt

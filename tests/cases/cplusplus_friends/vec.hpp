#pragma once
#include <cmath>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lib {
inline namespace v1 {

class Vec {
public:
    /* A class in a class, with constructors of its own. */
    struct Part {
        int axis;
        double value;
        Part() : axis(0), value(0) {}
        Part(int axis, double value) : axis(axis), value(value)
        {
            if (axis < 0 || axis > 1) throw std::out_of_range("a Vec has two axes");
        }
        double squared() const { return value * value; }
    };
    Vec(double x, double y) : x(x), y(y) {}
    friend Vec operator+(const Vec &a, const Vec &b) { return Vec(a.x + b.x, a.y + b.y); }
    friend Vec operator-(Vec a, Vec b) { return Vec(a.x - b.x, a.y - b.y); }
    friend Vec operator-(const Vec &a) { return Vec(-a.x, -a.y); }
    friend Vec operator*(double by, const Vec &a) { return Vec(by * a.x, by * a.y); }
    friend bool operator==(const Vec &a, const Vec &b) { return a.x == b.x && a.y == b.y; }
    friend bool operator<(const Vec &a, const Vec &b) { return a.length() < b.length(); }
    friend double dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y; }
    double length() const noexcept { return std::hypot(x, y); }
    Part part(int axis) const { return Part(axis, axis == 0 ? x : y); }
    void set(Part part) { (part.axis == 0 ? x : y) = part.value; }
    std::vector<double> values() const & { return {x, y}; }
    std::vector<double> values() && { return {}; }
    explicit operator double() const { return length(); }
    double x, y;
};

inline Vec &origin()
{
    static Vec one(0, 0);
    return one;
}
/* The default is an object of the library. */
inline double move(double by, Vec &vec = origin()) { return vec.x += by; }

inline std::filesystem::path joined(const std::filesystem::path &folder, std::filesystem::path name)
{
    if (name.is_absolute()) throw std::invalid_argument("the name is absolute");
    return folder / name;
}
struct File {
    explicit File(const std::filesystem::path &path) : path_(path) {}
    const std::filesystem::path &path() const { return path_; }
    std::string stem() const { return path_.stem().string(); }
private:
    std::filesystem::path path_;
};

/* Callbacks that change what they are passed. */
inline std::vector<double> refine(const std::function<void(std::vector<double> &, double &)> &f, std::vector<double> x)
{
    double step = 1;
    for (int k = 0; k < 2; k++) {
        f(x, step);
        x.push_back(step);
    }
    return x;
}
inline std::string edit(const std::string &text, const std::function<bool(std::string &, const std::string &, const Vec &)> &f)
{
    std::string made = text;
    return f(made, text, Vec(1, 2)) ? made : "refused " + made;
}

} // namespace v1
} // namespace lib

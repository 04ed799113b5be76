// Friends, classes in classes, qualified methods, paths, names of types.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace lib {

struct Point { double x, y; };
using Path = std::vector<Point>;
using Names = std::vector<std::string>;

class Shape {
public:
    struct Corner {
        Corner(int id, Point at);
        int id() const;
    };
    friend Shape operator+(const Shape &a, const Shape &b) { return a; }
    friend bool operator==(const Shape &a, const Shape &b) { return true; }
    friend double distance(const Shape &a, const Shape &b) { return 0; }
    // Internal, or declared elsewhere.
    friend void inspect(Shape &shape);
    friend class Builder;
    const Path &path() const &;
    Path path() &&;
    void set_path(const std::vector<Point> &path);
    Names names(const Names &all, const std::vector<std::string> &others) const;
    Corner corner(int id) const;
    explicit operator double() const;
    explicit operator std::string() const;
    void save(const std::filesystem::path &file) const;
    std::filesystem::path file() const;
};

void draw(Shape &shape, double width = 1);

} // namespace lib

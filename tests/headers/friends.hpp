// Friends, classes in classes, qualified methods, paths, names of types.
#pragma once
#include <filesystem>
#include <locale>
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

// A view, which refers to its arguments.
class View {
public:
    View(const char *text);
    View(const std::string &text);
    View(const Shape &shape, int id);
    std::size_t size() const;

private:
    const char *text;
};

// A class with the name of the iterators of another one.
class Bag {
public:
    const Point *begin() const;
    const Point *end() const;
};
struct BagIterator { int position; };

// Several prototypes with a type that is left out.
class Parser {
public:
    explicit Parser(const std::string &text);
    explicit Parser(const std::locale &locale);
    Parser(const std::locale &locale, int depth);
    /// @param[out] shape Set by the parser.
    bool parse(Shape &shape);
    int depth() const;
    // Two pointers into one string.
    bool parse(const char *begin, const char *end);
};

} // namespace lib

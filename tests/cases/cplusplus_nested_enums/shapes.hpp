#include <map>
#include <string>
#include <vector>

namespace shapes {

class Shape {
public:
    enum class Kind : unsigned char { circle = 1, square };
    enum Flags { none = 0, filled = 1, dashed = 2 };
    explicit Shape(Kind kind, Flags flags = none) : kind_(kind), flags_(flags) {}
    virtual ~Shape() = default;
    Kind kind() const { return kind_; }
    void set_kind(Kind kind) { kind_ = kind; }
    virtual Flags flags() const { return flags_; }
    Kind current = Kind::square;
    static std::vector<Kind> kinds() { return {Kind::circle, Kind::square}; }
    static std::map<Kind, int> count(const std::vector<Kind> &all)
    {
        std::map<Kind, int> made;
        for (Kind one : all) made[one]++;
        return made;
    }

private:
    Kind kind_;
    Flags flags_;
};

// A class with an enum of the same name.
class Line : public Shape {
public:
    enum Kind { straight, curved };
    explicit Line(Kind kind) : Shape(Shape::Kind::square), line_(kind) {}
    Kind line() const { return line_; }

private:
    Kind line_;
};

inline Shape::Kind other(Shape::Kind kind) { return kind == Shape::Kind::circle ? Shape::Kind::square : Shape::Kind::circle; }
inline Shape::Kind odd() { return static_cast<Shape::Kind>(9); }

} // namespace shapes

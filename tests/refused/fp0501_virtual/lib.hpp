// Classes from which no class with overrides can be derived.
#pragma once

namespace lib {

struct Plain {
    virtual double area() const { return 1; }
};
class Guarded {
public:
    virtual double area() const { return 1; }

protected:
    virtual ~Guarded() {}
};
struct Last final {
    virtual ~Last() {}
    virtual double area() const { return 1; }
};

} // namespace lib

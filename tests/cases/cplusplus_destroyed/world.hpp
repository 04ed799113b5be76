// A library that creates its objects, owns them, and destroys them on request.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace sim {

inline int alive = 0;

struct Tagged {
    virtual ~Tagged() = default;
    int tag = 7;
    int get_tag() const { return tag; }
};

class World;

class Fixture {
public:
    double size = 1;
    double area() const { return size * size; }
};

class Body {
public:
    const std::string &name() const { return text; }
    World *world() { return owner; }
    Fixture *fixture() { return &part; }
    std::vector<double> &samples() { return values; }

protected:
    Body(World *owner, std::string name) : owner(owner), text(name) { alive++; }
    virtual ~Body() { alive--; }

private:
    friend class World;
    World *owner;
    std::string text;
    Fixture part;
    std::vector<double> values{1, 2, 3};
};

// The base `Body` is not at the beginning.
class Ball : public Tagged, public Body {
public:
    double radius = 2;

private:
    friend class World;
    using Body::Body;
};

class Joint {
public:
    explicit Joint(Body *body) : body(body) {}
    std::string name() const { return body->name(); }

private:
    Body *body;
};

class World {
public:
    ~World() { for (Body *one : bodies) delete one; }
    Body *create(const std::string &name)
    {
        bodies.push_back(new Body(this, name));
        return bodies.back();
    }
    Ball *create_ball(const std::string &name)
    {
        Ball *made = new Ball(this, name);
        bodies.push_back(made);
        return made;
    }
    Body *at(int k) { return bodies.at(k); }
    Ball *ball(int k) { return dynamic_cast<Ball *>(bodies.at(k)); }
    const std::vector<Body *> &all() const { return bodies; }
    int count() const { return static_cast<int>(bodies.size()); }
    void destroy(Body *body)
    {
        if (body == nullptr) return;
        bodies.erase(std::find(bodies.begin(), bodies.end(), body));
        delete body;
    }
    int destroy_if(Body *body, bool may)
    {
        if (may) destroy(body);
        return may ? 0 : 1;
    }
    void destroy_all(Body **all, int n)
    {
        for (int k = 0; k < n; k++) destroy(all[k]);
    }
    void destroy_checked(Body *body, bool fail)
    {
        if (fail) throw std::runtime_error("it is needed");
        destroy(body);
    }
    void clear()
    {
        for (Body *one : bodies) delete one;
        bodies.clear();
    }
    int finish(bool fail)
    {
        if (fail) return 1;
        delete this;
        return 0;
    }
    void replace(Body *old, Body *by)
    {
        if (old == by) throw std::logic_error("the same");
        destroy(old);
    }
    void visit(void (*f)(Body *body, void *data), void *data)
    {
        for (Body *one : std::vector<Body *>(bodies)) f(one, data);
    }

private:
    std::vector<Body *> bodies;
};

inline double *view(Body *body) { return body->samples().data(); }
inline int count_alive() { return alive; }

} // namespace sim

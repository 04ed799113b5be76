// Defaults that are objects.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>

namespace lib {

inline int options_alive = 0;
class Options {
public:
    explicit Options(int steps = 3, const std::string &name = "plain") : steps(steps), name(name) { options_alive++; }
    Options(const Options &other) : steps(other.steps), name(other.name) { options_alive++; }
    ~Options() { options_alive--; }
    static Options failing() { throw std::runtime_error("no default"); }
    int steps;
    std::string name;
};
// It can neither be copied nor moved.
struct Fixed {
    int size = 5;
    Fixed() = default;
    Fixed(const Fixed &) = delete;
};
struct Node {
    int id;
    explicit Node(int id) : id(id) {}
};
inline const Options careful(100, "careful");

inline std::string run(double x, const Options &options = Options())
{
    if (x < 0) throw std::invalid_argument("negative");
    return options.name + std::to_string(options.steps);
}
inline int steps_of(Options options = Options(7)) { return options.steps++; }
inline std::string guess(const Options &options = careful) { return options.name; }
inline int fail(const Options &options = Options::failing()) { return options.steps; }
inline int size_of(const Fixed &fixed = {}) { return fixed.size; }
inline int id_of(const Node &node = Node(7)) { return node.id; }
inline int both(const Options &a = Options(1), const Options &b = Options(2)) { return 10 * a.steps + b.steps; }
inline int count() { return options_alive; }

class Solver {
public:
    explicit Solver(const Options &options = Options()) : steps(options.steps) {}
    int solve(int n, const Options &options = Options(2)) const { return n * steps * options.steps; }

private:
    int steps;
};

} // namespace lib

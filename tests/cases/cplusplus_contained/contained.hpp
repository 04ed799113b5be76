#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace lib {

inline long boxes_alive = 0, nodes_alive = 0;

// It looks like a container itself, and like a string.
class Box {
public:
    typedef double value_type;
    typedef double mapped_type;
    explicit Box(double size) : data{size} { boxes_alive++; }
    Box(const Box &other) : data(other.data) { boxes_alive++; }
    Box(Box &&other) noexcept : data(std::move(other.data)) { boxes_alive++; }
    Box &operator=(const Box &) = default;
    ~Box() { boxes_alive--; }
    double size() const { return data.at(0); }
    operator std::string_view() const { return "a box"; }
    auto begin() const { return data.begin(); }
    auto end() const { return data.end(); }
private:
    std::vector<double> data;
};

// No copy of it exists.
class Lock {
public:
    explicit Lock(int id) : id(id) { boxes_alive++; }
    Lock(const Lock &) = delete;
    ~Lock() { boxes_alive--; }
    int id;
};

class Node {
public:
    explicit Node(std::string name) : name(std::move(name)) { nodes_alive++; }
    Node(const Node &other) : name(other.name), children(other.children) { nodes_alive++; }
    virtual ~Node() { nodes_alive--; }
    std::string name;
    std::vector<std::shared_ptr<Node>> children;
    void add(std::shared_ptr<Node> child) { children.push_back(child); }
};
struct Leaf : Node {
    using Node::Node;
};

class Shelf {
public:
    void add(double size) { all_.emplace_back(size); }
    const std::vector<Box> &all() const { return all_; }
private:
    std::vector<Box> all_;
};

// Functions alone create it.
struct Made {
    Made() { boxes_alive++; }
    Made(const Made &) { boxes_alive++; }
    ~Made() { boxes_alive--; }
};
inline std::vector<Made> made(int n) { return std::vector<Made>(n); }

inline std::vector<Box> boxes(int n)
{
    if (n < 0) throw std::out_of_range("negative");
    std::vector<Box> all;
    for (int k = 0; k < n; k++) all.emplace_back(k);
    return all;
}
inline void fill(int n, std::vector<Box> &into) { into = boxes(n); }
inline std::vector<std::unique_ptr<Lock>> locks(int n)
{
    std::vector<std::unique_ptr<Lock>> all(1);
    for (int k = 0; k < n; k++) all.push_back(std::make_unique<Lock>(k));
    return all;
}
inline int sum_of(const std::unique_ptr<Lock> &one) { return one ? one->id : 0; }
// They take over the objects.
inline int close_named(std::map<std::string, std::unique_ptr<Lock>> all)
{
    int sum = 0;
    for (const auto &one : all) sum += sum_of(one.second);
    return sum;
}
inline int close_maybe(std::optional<std::unique_ptr<Lock>> one) { return one ? sum_of(*one) : -1; }
inline int close_pair(std::pair<std::unique_ptr<Lock>, std::vector<std::unique_ptr<Lock>>> all)
{
    int sum = sum_of(all.first);
    for (const auto &one : all.second) sum += sum_of(one);
    return sum;
}
inline int close_array(std::array<std::unique_ptr<Lock>, 2> all) { return sum_of(all[0]) - sum_of(all[1]); }
inline int close_either(std::variant<int, std::unique_ptr<Lock>> one)
{
    return one.index() == 0 ? -std::get<0>(one) : sum_of(std::get<1>(one));
}
// They return new ones.
inline std::map<std::string, std::unique_ptr<Lock>> named_locks(int n)
{
    std::map<std::string, std::unique_ptr<Lock>> all;
    for (int k = 0; k < n; k++) all["a lock with a long name " + std::to_string(k)] = std::make_unique<Lock>(k);
    return all;
}
inline std::optional<std::unique_ptr<Lock>> maybe_lock(int id)
{
    if (id < 0) return std::nullopt;
    return std::make_unique<Lock>(id);
}
inline std::array<std::unique_ptr<Lock>, 2> lock_array() { return {std::make_unique<Lock>(1), nullptr}; }
inline std::pair<std::unique_ptr<Lock>, std::vector<std::unique_ptr<Lock>>> lock_pair() { return {std::make_unique<Lock>(1), locks(2)}; }
inline int close_locks(std::vector<std::unique_ptr<Lock>> all, int most = 10)
{
    int sum = 0;
    for (const auto &one : all) sum += one->id;
    if (sum > most) throw std::length_error("too many");
    return sum;
}
inline std::optional<std::pair<Box, double>> largest(const std::vector<double> &sizes)
{
    if (sizes.empty()) return std::nullopt;
    double size = sizes[0];
    for (double one : sizes) size = one > size ? one : size;
    return std::make_pair(Box(size), size);
}
inline std::vector<std::variant<std::monostate, double, Box, std::string>> mixed()
{
    return {std::monostate(), 1.5, Box(2), std::string("three")};
}
inline std::map<std::string, std::vector<Box>> shelves(int n)
{
    std::map<std::string, std::vector<Box>> all;
    for (int k = 0; k < n; k++) all["shelf " + std::to_string(k)] = boxes(k);
    return all;
}
inline std::pair<std::vector<Box>, int> both(int n) { return {boxes(n), n}; }
inline std::vector<std::string> names_of(const std::vector<Box> &all)
{
    return std::vector<std::string>(all.size(), "box");
}

inline std::map<std::string, std::shared_ptr<Node>> index(const std::shared_ptr<Node> &node)
{
    std::map<std::string, std::shared_ptr<Node>> all{{node->name, node}, {"", nullptr}};
    for (const auto &one : node->children) all[one->name] = one;
    return all;
}
inline std::vector<std::shared_ptr<const Node>> constants() { return {std::make_shared<Leaf>("leaf")}; }
inline std::vector<Node> copies(const Node &node, int n) { return std::vector<Node>(static_cast<size_t>(n), node); }
inline std::tuple<std::vector<std::unique_ptr<Node>>, std::vector<Box>> mixture()
{
    std::vector<std::unique_ptr<Node>> all;
    all.push_back(std::make_unique<Leaf>("one"));
    all.push_back(nullptr);
    return {std::move(all), boxes(1)};
}

inline std::pair<long, long> alive() { return {boxes_alive, nodes_alive}; }
void fail_at(long allocation);
long allocated();

} // namespace lib

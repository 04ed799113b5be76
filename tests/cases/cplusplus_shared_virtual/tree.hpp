#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tree {

class Node : public std::enable_shared_from_this<Node> {
public:
    explicit Node(double weight) : weight(weight)
    {
        if (weight < 0) throw std::invalid_argument("the weight is negative");
        live++;
    }
    virtual ~Node() { live--; }
    virtual double value() const { return weight; }
    virtual std::string name(int depth) const { return std::string(static_cast<std::size_t>(depth), '.') + "node"; }
    virtual double combine(const std::shared_ptr<Node> &other) const { return weight + other->value(); }
    void add(std::shared_ptr<Node> child)
    {
        child->parent = weak_from_this();
        children.push_back(std::move(child));
    }
    std::shared_ptr<Node> itself() { return shared_from_this(); }
    std::shared_ptr<Node> up() const { return parent.lock(); }
    std::shared_ptr<Node> at(std::size_t k) const { return children.at(k); }
    Node &first() { return *children.at(0); }
    std::vector<std::shared_ptr<Node>> all() const { return children; }
    double sum() const
    {
        double total = value();
        for (const auto &one : children) total += one->sum();
        return total;
    }
    void clear() { children.clear(); }
    static int count() { return live; }
    double weight;

private:
    std::vector<std::shared_ptr<Node>> children;
    std::weak_ptr<Node> parent;
    static inline int live = 0;
};

/* An abstract class that does not know its std::shared_ptr, and the class that calls it. */
struct Task {
    virtual ~Task() = default;
    virtual double run(double x) = 0;
};
struct Twice : Task {
    double run(double x) override { return 2 * x; }
};
class Queue {
public:
    void push(std::shared_ptr<Task> task) { tasks.push_back(std::move(task)); }
    void push_all(const std::vector<std::shared_ptr<Task>> &all)
    {
        for (const auto &one : all) tasks.push_back(one);
    }
    double run(double x)
    {
        for (const auto &one : tasks) x = one->run(x);
        return x;
    }
    std::shared_ptr<Task> last() const { return tasks.empty() ? nullptr : tasks.back(); }
    long owners() const { return tasks.empty() ? 0 : tasks.back().use_count(); }
    void drop_elsewhere()
    {
        std::thread([this] { tasks.clear(); }).join();
    }
    std::size_t size() const { return tasks.size(); }

private:
    std::vector<std::shared_ptr<Task>> tasks;
};

/* It exists as long as the process. */
inline std::shared_ptr<Task> registered;
inline void set_registered(std::shared_ptr<Task> task) { registered = std::move(task); }
inline double run_registered(double x) { return registered->run(x); }

} // namespace tree

#ifndef ALIASES_HPP
#define ALIASES_HPP

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace lib {

using Name = std::string;
using Path = std::vector<double>;
using Paths = std::vector<Path>;
using Lengths = std::map<Name, double>;
using Rule = std::function<double(double)>;

inline double length(const Path &path)
{
    if (path.empty()) throw std::invalid_argument("a path has points");
    return path.back() - path.front();
}
inline Lengths lengths(const std::map<Name, Path> &all)
{
    Lengths made;
    for (const auto &one : all) made[one.first] = length(one.second);
    return made;
}
inline Paths rows(Paths paths, const Rule &rule)
{
    for (Path &path : paths)
        for (double &x : path) x = rule(x);
    return paths;
}
inline double total(double x) { return x; }
inline double total(const Path &path)
{
    double sum = 0;
    for (double x : path) sum += x;
    return sum;
}

class Node;
using NodePtr = std::shared_ptr<Node>;
using NodeList = std::vector<NodePtr>;

class Node {
public:
    explicit Node(const Name &name, const Path &path = {}) : name(name), path(path) {}
    void add(NodePtr node) { nodes.push_back(node); }
    NodePtr at(std::size_t k) const { return nodes.at(k); }
    NodeList children() const { return nodes; }
    NodeList::const_iterator begin() const { return nodes.begin(); }
    NodeList::const_iterator end() const { return nodes.end(); }
    Name name;
    Path path;
private:
    NodeList nodes;
};
inline NodePtr longest(const NodeList &nodes)
{
    NodePtr found;
    for (const NodePtr &node : nodes)
        if (!found || length(node->path) > length(found->path)) found = node;
    return found;
}

class Shape {
public:
    virtual ~Shape() = default;
    virtual Path outline(const Name &) const { return {0, 1}; }
};
inline double extent(const Shape &shape, const Name &name) { return length(shape.outline(name)); }

} // namespace lib

#endif

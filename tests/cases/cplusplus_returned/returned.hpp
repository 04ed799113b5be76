// Virtual methods and functions that receive and return objects, and containers of objects, enums and structs.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace back {

inline long alive = 0;

// It has no empty value.
struct Item {
    std::string name;
    explicit Item(std::string name) : name(std::move(name)) { alive++; }
    Item(const Item &other) : name(other.name) { alive++; }
    Item &operator=(const Item &) = default;
    virtual ~Item() { alive--; }
};

struct Special : Item {
    explicit Special(std::string name) : Item("special " + name) {}
};

struct Node {
    std::string name;
    explicit Node(std::string name) : name(std::move(name)) { alive++; }
    Node(const Node &other) : name(other.name) { alive++; }
    ~Node() { alive--; }
};
typedef std::shared_ptr<Node> NodePtr;

struct Point {
    double x, y;
};
enum class Color { red, green };

inline long count() { return alive; }

// Its own methods return objects of its own.
class Source {
public:
    virtual ~Source() = default;
    virtual Item item(int n) const { return Item("own" + std::to_string(n)); }
    virtual std::unique_ptr<Item> fresh(const std::string &name) { return std::make_unique<Item>(name); }
    virtual Item *raw() { return new Item("raw"); }
    virtual Item &same() { return mine; }
    virtual const Item *find(const std::string &name) const { return name == mine.name ? &mine : nullptr; }
    virtual NodePtr node(NodePtr given) { return given; }
    virtual NodePtr no_node() { return nullptr; }
    virtual std::vector<Item> items(const std::vector<Item> &given) const { return given; }
    virtual std::map<std::string, NodePtr> nodes(const std::map<std::string, NodePtr> &given) { return given; }
    virtual std::vector<std::unique_ptr<Item>> owned(std::vector<std::unique_ptr<Item>> given) { return given; }
    virtual std::vector<Item *> pointers() { return {&mine}; }
    Item mine{"mine"};
};

// The same with other types.
class Table {
public:
    virtual ~Table() = default;
    virtual std::string visit(const std::vector<const Item *> &all) const
    {
        std::string names;
        for (const Item *one : all) names += one->name;
        return names;
    }
    virtual std::vector<Point> corners(const std::vector<Point> &given, std::optional<Color> color) const
    {
        return color ? given : std::vector<Point>();
    }
    virtual std::map<Color, int> colors(const std::map<Color, int> &given) const { return given; }
    virtual void extend(std::vector<Item> &all) const { all.push_back(Item("mine")); }
    virtual std::variant<long, Item> either(int n) const { return long(n); }
};

// C++ that calls them.
inline std::string call_item(const Source &source, int n) { return source.item(n).name; }
inline std::string call_fresh(Source &source, const std::string &name)
{
    std::unique_ptr<Item> one = source.fresh(name);
    return one ? one->name : "none";
}
inline std::string call_raw(Source &source)
{
    std::unique_ptr<Item> one(source.raw());
    return one ? one->name : "none";
}
inline std::string call_same(Source &source)
{
    Item &one = source.same();
    one.name += "+";
    return one.name;
}
// It uses all of them after the last one was returned.
inline std::string call_find(const Source &source, const std::vector<std::string> &names)
{
    std::vector<const Item *> found;
    for (const std::string &name : names) found.push_back(source.find(name));
    std::string all;
    for (const Item *one : found) all += (one ? one->name : "none") + " ";
    return all;
}
inline NodePtr call_node(Source &source, NodePtr given) { return source.node(given); }
inline bool call_no_node(Source &source) { return source.no_node() == nullptr; }
inline std::vector<Item> call_items(const Source &source, const std::vector<Item> &given) { return source.items(given); }
inline std::map<std::string, NodePtr> call_nodes(Source &source, const std::map<std::string, NodePtr> &given)
{
    return source.nodes(given);
}
inline std::vector<std::string> call_owned(Source &source, int n)
{
    std::vector<std::unique_ptr<Item>> given;
    for (int k = 0; k < n; k++) given.push_back(std::make_unique<Item>("given" + std::to_string(k)));
    std::vector<std::string> names;
    for (const auto &one : source.owned(std::move(given))) names.push_back(one ? one->name : "none");
    return names;
}
inline std::string call_pointers(Source &source)
{
    std::string all;
    for (const Item *one : source.pointers()) all += one->name + " ";
    return all;
}
inline std::string call_visit(const Table &table)
{
    Item a("a"), b("b");
    return table.visit({&a, &b});
}
inline std::vector<Point> call_corners(const Table &table, const std::vector<Point> &given, std::optional<Color> color)
{
    return table.corners(given, color);
}
inline std::map<Color, int> call_colors(const Table &table) { return table.colors({{Color::green, 2}}); }
inline std::vector<Item> call_extend(const Table &table)
{
    std::vector<Item> all{Item("first")};
    table.extend(all);
    return all;
}
inline std::variant<long, Item> call_either(const Table &table, int n) { return table.either(n); }

// It keeps a source, and objects that this has returned.
class Keeper {
public:
    void add(Source *source) { one = source; }
    void take() { item = &one->same(); }
    std::string name() const { return item->name; }

private:
    Source *one = nullptr;
    Item *item = nullptr;
};

// Functions.
inline Item map(const Item &item, const std::function<Item(const Item &)> &f) { return f(item); }
inline std::vector<Item> map_all(const std::vector<Item> &all, std::function<std::vector<Item>(const std::vector<Item> &)> f)
{
    return f(all);
}
inline std::string join(const std::vector<std::string> &all, const std::function<std::string(std::string, const std::string &)> &f)
{
    std::string sum;
    for (const std::string &one : all) sum = f(sum, one);
    return sum;
}
inline std::string create(int n, const std::function<std::unique_ptr<Item>(int)> &f)
{
    std::unique_ptr<Item> one = f(n);
    return one ? one->name : "none";
}
inline NodePtr follow(NodePtr node, const std::function<NodePtr(NodePtr)> &next)
{
    NodePtr last;
    while (node) {
        last = node;
        node = next(node);
    }
    return last;
}
inline std::string describe(const Node &node, const std::function<void(const Node &)> &f)
{
    f(node);
    return node.name;
}
inline double area(const std::function<std::vector<Point>(Color, const std::vector<Point> &)> &f)
{
    double sum = 0;
    for (const Point &one : f(Color::green, {{1, 2}})) sum += one.x * one.y;
    return sum;
}
inline bool survives(const Item &item, const std::function<Item(const Item &)> &f)
{
    try {
        return f(item).name.empty();
    }
    catch (const std::exception &) {
        return true;
    }
}

} // namespace back

#pragma once
#include <list>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lib {

struct Item {
    static int live;
    int number;
    explicit Item(int number) : number(number) { live++; }
    Item(const Item &other) : number(other.number) { live++; }
    Item &operator=(const Item &) = default;
    ~Item() { live--; }
    static int count() { return live; }
};
inline int Item::live = 0;

struct Shared {
    int number;
    explicit Shared(int number) : number(number) {}
};

/* The items are const, and so is begin(). */
class Numbers {
public:
    explicit Numbers(std::vector<double> values) : values(values.begin(), values.end()) {}
    std::set<double>::const_iterator begin() const { return values.begin(); }
    std::set<double>::const_iterator end() const { return values.end(); }
private:
    std::set<double> values;
};

/* The items are made during the iteration, which may fail. */
class Range {
public:
    struct iterator {
        int at;
        Item operator*() const
        {
            if (at == 100) throw std::out_of_range("too many items");
            return Item(at);
        }
        iterator &operator++() { at++; return *this; }
        bool operator!=(const iterator &other) const { return at != other.at; }
    };
    explicit Range(int end) : last(end) {}
    iterator begin() { return {0}; }
    iterator end() { return {last}; }
private:
    int last;
};

class Texts {
public:
    explicit Texts(const std::vector<std::string> &values) : values(values) {}
    void add(const std::string &one) { values.push_back(one); }
    auto begin() const { return values.begin(); }
    auto end() const { return values.end(); }
private:
    std::vector<std::string> values;
};

class Items {
public:
    void add(int number) { items.emplace_back(number); }
    int total() const
    {
        int all = 0;
        for (const Item &one : items) all += one.number;
        return all;
    }
    auto begin() { return items.begin(); }
    auto end() { return items.end(); }
private:
    std::list<Item> items;
};

class SharedItems {
public:
    void add(std::shared_ptr<Shared> one) { items.push_back(std::move(one)); }
    auto begin() const { return items.begin(); }
    auto end() const { return items.end(); }
private:
    std::vector<std::shared_ptr<Shared>> items;
};

/* begin and end are functions next to the class. */
struct Pointers {
    std::vector<std::unique_ptr<Item>> owned;
    std::vector<const Item *> items;
    explicit Pointers(int n)
    {
        for (int k = 0; k < n; k++) {
            owned.push_back(std::make_unique<Item>(k));
            items.push_back(owned.back().get());
        }
    }
};
inline auto begin(const Pointers &all) { return all.items.begin(); }
inline auto end(const Pointers &all) { return all.items.end(); }

} // namespace lib

// Functions that set what pointers lead to.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace addr {

struct Item {
    int id;
};

inline bool read(const std::string &key, std::string *value)
{
    if (key.empty()) throw std::invalid_argument("no key");
    *value = key + "!";
    return key != "none";
}
inline void append(std::string *text, const std::string &more) { *text += more; }
inline int numbers(int n, std::vector<double> *all)
{
    for (int k = 0; k < n; k++) all->push_back(k / 2.0);
    return n;
}
inline void items(int n, std::vector<Item> *all, std::map<std::string, int> *ids)
{
    for (int k = 0; k < n; k++) {
        all->push_back(Item{k});
        (*ids)["item " + std::to_string(k)] = k;
    }
}
inline void count(std::map<std::string, int> *words, const std::string &word) { ++(*words)[word]; }

} // namespace addr

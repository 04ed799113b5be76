#ifndef SETS_HPP
#define SETS_HPP

#include <iterator>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

namespace lib {

inline std::string joined(const std::set<std::string> &words)
{
    std::string text;
    for (const std::string &word : words) text += word + ";";
    return text;
}
inline double total(const std::unordered_set<double> &x, const std::multiset<int> &more)
{
    double sum = 0;
    for (double one : x) sum += one;
    for (int one : more) sum += one;
    return sum;
}
inline std::map<std::string, std::set<int>> shared(const std::map<std::string, std::set<int>> &all, std::set<int> with)
{
    std::map<std::string, std::set<int>> made;
    for (const auto &one : all)
        for (int value : one.second)
            if (with.count(value) != 0) made[one.first].insert(value);
    return made;
}
inline void add_next(std::set<int> &values)
{
    if (!values.empty()) values.insert(*values.rbegin() + 1);
}
inline std::string kind(const std::variant<std::vector<std::string>, std::set<int>> &value)
{
    return value.index() == 0 ? "list" : "set";
}

class Filter {
public:
    virtual ~Filter() = default;
    virtual std::set<int> kept(const std::set<int> &of) const { return of; }
};
inline std::vector<int> filtered(const Filter &by, const std::vector<int> &x)
{
    std::set<int> kept = by.kept(std::set<int>(x.begin(), x.end()));
    return std::vector<int>(kept.begin(), kept.end());
}

} // namespace lib

#endif

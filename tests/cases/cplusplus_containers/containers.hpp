#pragma once
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace lib {

typedef std::vector<double> row;

inline std::vector<std::string> words(const std::string &text)
{
    std::vector<std::string> all;
    std::string word;
    for (char c : text + " ") {
        if (c != ' ') word += c;
        else if (!word.empty()) all.push_back(word), word.clear();
    }
    return all;
}
inline void sort(std::vector<std::string> &words) { std::sort(words.begin(), words.end()); }
inline void split(std::string_view text, std::vector<std::string> &parts, int &count)
{
    parts = words(std::string(text));
    count = int(parts.size());
}
inline std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

inline std::optional<double> root(double x)
{
    if (x < 0) return std::nullopt;
    double y = 1;
    for (int k = 0; k < 60; k++) y = (y + x / y) / 2;
    return y;
}
inline std::optional<std::vector<double>> positive(std::optional<std::vector<double>> x)
{
    if (!x) return std::nullopt;
    std::vector<double> some;
    for (double one : *x) if (one > 0) some.push_back(one);
    return some;
}
inline std::vector<std::vector<double>> transposed(const std::vector<std::vector<double>> &rows)
{
    std::vector<std::vector<double>> made;
    for (const auto &row : rows) {
        if (made.size() < row.size()) made.resize(row.size());
        for (std::size_t k = 0; k < row.size(); k++) made[k].push_back(row[k]);
    }
    return made;
}
inline double total(const std::vector<std::vector<std::vector<double>>> &x)
{
    double sum = 0;
    for (const auto &rows : x) for (const auto &row : rows) for (double one : row) sum += one;
    return sum;
}
inline std::map<std::string, int> counted(const std::vector<std::string> &words)
{
    std::map<std::string, int> all;
    for (const std::string &word : words) all[word]++;
    return all;
}
inline std::unordered_map<std::string, std::vector<double>>
scaled(const std::unordered_map<std::string, std::vector<double>> &series, double by)
{
    // Not a copy of the whole, which libc++ leaks if an allocation fails.
    std::unordered_map<std::string, std::vector<double>> made;
    for (const auto &one : series) made.emplace(one.first, one.second);
    for (auto &one : made) for (double &value : one.second) value *= by;
    return made;
}
inline std::map<std::int64_t, std::string> inverted(const std::map<std::string, std::int64_t> &ids)
{
    std::map<std::int64_t, std::string> made;
    for (const auto &one : ids) made[one.second] = one.first;
    return made;
}
inline std::string kind(const std::variant<int, double, std::string, std::vector<double>> &value)
{
    const char *const names[] = {"int", "double", "string", "vector"};
    return names[value.index()];
}
inline std::variant<std::monostate, int, std::string> parsed(const std::string &text)
{
    if (text.empty()) return std::monostate();
    if (text.find_first_not_of("0123456789") == std::string::npos) return std::stoi(text);
    return text;
}
inline std::vector<std::pair<std::string, double>> ranked(const std::map<std::string, double> &all)
{
    std::vector<std::pair<std::string, double>> made(all.begin(), all.end());
    std::sort(made.begin(), made.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    return made;
}
inline std::pair<std::vector<std::string>, std::optional<int>> summary(int n)
{
    return {std::vector<std::string>(std::size_t(n), "x"), n > 1 ? std::optional<int>(n) : std::nullopt};
}
inline double area(const std::tuple<double, double> &size, const std::array<std::array<double, 2>, 2> &turned)
{
    return std::get<0>(size) * std::get<1>(size) * (turned[0][0] * turned[1][1] - turned[0][1] * turned[1][0]);
}
inline std::set<int> unique(const std::deque<int> &values) { return std::set<int>(values.begin(), values.end()); }
inline std::vector<std::vector<bool>> bits(int n)
{
    std::vector<std::vector<bool>> made;
    for (int k = 0; k < n; k++) made.push_back({k % 2 == 1, k / 2 % 2 == 1});
    return made;
}
inline std::map<std::string, std::complex<double>> poles() { return {{"a", {0, 1}}, {"b", {2, -1}}}; }
inline std::vector<std::optional<std::uint8_t>> digits(const std::vector<std::optional<std::uint8_t>> &values)
{
    return std::vector<std::optional<std::uint8_t>>(values.rbegin(), values.rend());
}
inline std::vector<std::string> binary() { return {std::string("a\0b", 3), ""}; }
inline std::vector<std::string> broken() { return {"\xff"}; }
inline std::map<int, int> failing(int n)
{
    if (n < 0) throw std::out_of_range("negative");
    return {{n, n}};
}

// Alternatives that differ in later values only.
inline std::string listed(const std::variant<std::vector<int>, std::vector<double>, std::vector<std::string>> &value)
{
    const char *const kinds[] = {"ints", "doubles", "strings"};
    return kinds[value.index()];
}
inline std::string mapped(const std::variant<std::map<std::string, int>, std::map<std::string, std::string>> &value)
{
    return value.index() == 0 ? "ints" : "strings";
}
inline std::string paired(const std::variant<std::pair<int, int>, std::pair<int, std::string>, std::array<int, 3>> &value)
{
    const char *const kinds[] = {"ints", "int and string", "three"};
    return kinds[value.index()];
}
inline std::string real_first(const std::variant<double, int> &value) { return value.index() == 0 ? "double" : "int"; }

// Several values for a key.
inline std::multimap<std::string, int> lengths(const std::vector<std::string> &words)
{
    std::multimap<std::string, int> all;
    for (const std::string &one : words) all.emplace(one.substr(0, 1), static_cast<int>(one.size()));
    return all;
}
inline std::multiset<int> values_of(const std::unordered_multimap<std::string, int> &all, const std::string &key)
{
    std::multiset<int> found;
    for (auto [at, end] = all.equal_range(key); at != end; ++at) found.insert(at->second);
    return found;
}

inline std::string described(const std::map<std::string, double> &) { return "a map"; }
inline std::string described(const std::vector<std::vector<double>> &) { return "rows"; }
inline std::string described(double) { return "a number"; }

/* The allocation of this number fails, from 1; 0: none. */
void fail_at(long allocation);
long allocated();

class Table {
public:
    std::map<std::string, double> limits;
    std::vector<std::string> names;
    void set(const std::string &name, std::optional<std::vector<double>> values)
    {
        if (values) columns[name] = *values;
        else columns.erase(name);
    }
    const std::map<std::string, std::vector<double>> &all() const { return columns; }
    std::optional<std::vector<double>> column(const std::string &name) const
    {
        auto found = columns.find(name);
        if (found == columns.end()) return std::nullopt;
        return found->second;
    }
private:
    std::map<std::string, std::vector<double>> columns;
};

} // namespace lib

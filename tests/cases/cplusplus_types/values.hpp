#pragma once
#include <array>
#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace lib {

struct Item {
    static int live;
    int number;
    explicit Item(int number) : number(number)
    {
        if (number < 0) throw std::invalid_argument("a number is negative");
        live++;
    }
    Item(const Item &other) : number(other.number) { live++; }
    Item(Item &&other) noexcept : number(other.number) { live++; }
    Item &operator=(const Item &) = default;
    ~Item() { live--; }
    int plus(int n) const { return number + n; }
    double plus(double x) const { return number + x; }
    void add(const Item &other) { number += other.number; }
    Item &self() { return *this; }
    static int count() { return live; }
};
inline int Item::live = 0;

inline double scaled(const double &x, const int &by) { return x * by; }
inline void twice(double &x) { x *= 2; }
inline bool divide(int a, int b, int &quotient, int &rest)
{
    quotient = b ? a / b : 0;
    rest = b ? a % b : a;
    return b != 0;
}
inline std::string greet(const std::string &name, std::string_view mark = "!")
{
    return name + std::string(mark);
}
inline void shout(std::string &text)
{
    for (char &c : text) if (c >= 'a' && c <= 'z') c = char(c - 32);
}
inline std::string nul() { return std::string("a\0b", 3); }

template <class T> T sum(const std::vector<T> &x)
{
    T all{};
    for (const T &one : x) all += one;
    return all;
}
inline std::vector<double> steps(std::size_t n, double from = 0, double by = 1)
{
    if (n > 1000000) throw std::length_error("too many steps");
    std::vector<double> made(n);
    for (std::size_t k = 0; k < n; k++) made[k] = from + double(k) * by;
    return made;
}
inline void extend(std::vector<int> &x, int with) { x.push_back(with); }
inline void primes(int below, std::vector<int> &found)
{
    found.clear();
    for (int n = 2; n < below; n++) {
        bool is_prime = true;
        for (int k = 2; k < n; k++) is_prime = is_prime && n % k != 0;
        if (is_prime) found.push_back(n);
    }
}
inline double norm(const std::array<double, 3> &x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }
inline void rotate(std::array<double, 3> &x) { x = {x[1], x[2], x[0]}; }
inline std::array<int, 2> corner() { return {3, 4}; }
inline std::complex<double> turned(std::complex<double> z) { return z * std::complex<double>(0, 1); }
inline std::vector<std::complex<float>> conjugated(const std::vector<std::complex<float>> &z)
{
    std::vector<std::complex<float>> made;
    for (auto one : z) made.push_back(std::conj(one));
    return made;
}
inline std::vector<bool> even(const std::vector<int> &x)
{
    std::vector<bool> made;
    for (int one : x) made.push_back(one % 2 == 0);
    return made;
}
inline std::string join(const std::vector<std::string> &parts, const std::string &by)
{
    std::string all;
    for (const std::string &part : parts) all += (all.empty() ? "" : by) + part;
    return all;
}
inline double shifted(double x, std::optional<double> by = std::nullopt) { return by ? x + *by : x; }
inline std::optional<std::string> name_of(int n)
{
    if (n == 1) return "one";
    return std::nullopt;
}
inline std::pair<double, double> extremes(const std::vector<double> &x)
{
    if (x.empty()) throw std::out_of_range("no values have no extremes");
    double low = x[0], high = x[0];
    for (double one : x) { low = one < low ? one : low; high = one > high ? one : high; }
    return {low, high};
}
inline std::tuple<std::vector<double>, std::string, Item> mixed(int n)
{
    return {std::vector<double>(std::size_t(n), 1.5), "mixed", Item(n)};
}
inline double integrate(const std::function<double(double)> &f, double a, double b)
{
    double all = 0;
    for (int k = 0; k < 100; k++) all += f(a + (b - a) * (k + 0.5) / 100) * (b - a) / 100;
    return all;
}
inline std::unique_ptr<Item> make(int n) { return std::make_unique<Item>(n); }
inline int take(std::unique_ptr<Item> item) { return item->number; }
inline Item merged(const Item &a, Item b) { return Item(a.number + b.number); }
inline int total(const std::vector<Item> &items)
{
    int all = 0;
    for (const Item &one : items) all += one.number;
    return all;
}
inline std::optional<Item> found(int n)
{
    if (n < 0) return std::nullopt;
    return Item(n);
}
inline const std::vector<double> &table()
{
    static const std::vector<double> values{1, 2, 3};
    return values;
}
} // namespace lib

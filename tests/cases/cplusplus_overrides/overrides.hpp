// A class whose virtual methods have strings and containers.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace over {

typedef std::map<std::string, std::vector<double>> Columns;

struct Source {
    virtual ~Source() = default;
    virtual std::string name() const { return "source"; }
    virtual std::vector<std::string> names(const std::string &prefix) const { return {prefix + "a", prefix + "b"}; }
    virtual std::vector<double> values(const std::vector<std::string> &names) { return std::vector<double>(names.size(), 1); }
    virtual std::map<std::string, std::vector<double>> columns(const std::map<std::string, std::vector<double>> &given) const
    {
        return given;
    }
    virtual std::optional<double> find(std::string_view key, std::optional<long> index) const
    {
        return key.empty() ? std::nullopt : std::optional<double>(index.value_or(-1));
    }
    virtual std::pair<std::string, int> pair(std::pair<int, std::string> given) { return {given.second, given.first}; }
    virtual std::tuple<double, std::string, std::vector<int>> three() { return {1.5, "x", {1, 2}}; }
    virtual std::variant<long, std::string> either(const std::variant<long, std::string> &given) { return given; }
    virtual std::array<double, 3> corner() const noexcept { return {0, 0, 0}; }
    virtual void extend(std::vector<std::string> &all) const { all.push_back("own"); }
    virtual int rename(std::string &name, int by) const { return name.size() * by; }

    // No other thread is in this method.
    bool alone() const
    {
        bool is_alone = ++inside == 1;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return inside-- == 1 && is_alone;
    }
    mutable std::atomic<int> inside{0};
};

// A class whose virtual methods return references and views.
struct Labels {
    virtual ~Labels() = default;
    virtual const std::string &title() const { return own; }
    virtual const char *unit() const noexcept { return "m"; }
    virtual std::string_view note() const { return own; }
    virtual const std::vector<double> &row(int n) const { return n == 0 ? none : one; }
    virtual const std::map<std::string, int> &sizes() const = 0;
    std::string own = "own";
    std::vector<double> none, one{1};
};

// The references to what two objects return are valid together, and those of two calls of one object.
inline std::string call_labels(const Labels &a, const Labels &b)
{
    const std::string &first = a.title(), &second = b.title();
    const char *unit = a.unit();
    return first + second + unit + b.unit() + std::string(a.note()) + (unit == a.unit() ? "" : "!");
}
inline double call_row(const Labels &labels)
{
    double sum = 0;
    for (double one : labels.row(0)) sum += one + labels.row(0).size();
    return sum + labels.row(1).size();
}
inline int call_sizes(const Labels &labels) { return labels.sizes().at("a"); }
inline std::vector<std::string> title_in_threads(const Labels &labels, int n)
{
    std::vector<std::string> all(n);
    std::vector<std::thread> threads;
    for (std::string &one : all) threads.emplace_back([&] { one = labels.title(); });
    for (std::thread &one : threads) one.join();
    return all;
}

// C++ that calls virtual methods.
inline std::string call_name(const Source &source) { return "<" + source.name() + ">"; }
// Undefined unless there is a name.
inline std::string first_name(const Source &source) { return source.names("p").front(); }
inline std::vector<std::string> call_names(const Source &source, const std::string &prefix) { return source.names(prefix); }
inline double sum(Source &source, const std::vector<std::string> &names)
{
    double all = 0;
    for (double one : source.values(names)) all += one;
    return all;
}
inline std::map<std::string, std::vector<double>>
call_columns(const Source &source, const std::map<std::string, std::vector<double>> &given)
{
    return source.columns(given);
}
inline std::optional<double> call_find(const Source &source, const std::string &key, std::optional<long> index)
{
    return source.find(key, index);
}
inline std::pair<std::string, int> call_pair(Source &source) { return source.pair({3, "three"}); }
inline std::tuple<double, std::string, std::vector<int>> call_three(Source &source) { return source.three(); }
inline std::variant<long, std::string> call_either(Source &source, const std::variant<long, std::string> &given)
{
    return source.either(given);
}
inline std::array<double, 3> call_corner(const Source &source) { return source.corner(); }
inline std::vector<std::string> call_extend(const Source &source)
{
    std::vector<std::string> all{"first"};
    source.extend(all);
    return all;
}
inline std::pair<int, std::string> call_rename(const Source &source)
{
    std::string name = "old";
    int length = source.rename(name, 2);
    return {length, name};
}
// A C++ library that handles exceptions.
inline std::string forgiving(const Source &source)
{
    try {
        return source.name();
    }
    catch (const std::exception &error) {
        return error.what();
    }
}
inline std::string in_thread(const Source &source)
{
    std::string name;
    std::thread([&] { name = source.name() + "!"; }).join();
    return name;
}
struct Threads : std::vector<std::thread> {
    ~Threads()
    {
        for (std::thread &one : *this) one.join();
    }
};
// One is called on the thread of the call, the others on threads of their own.
inline std::vector<std::string> in_threads(const Source &source, int count)
{
    std::vector<std::string> all(count);
    {
        Threads threads;
        for (int k = 1; k < count; k++) threads.emplace_back([&, k] { all[k] = source.name(); });
        all[0] = source.name();
    }
    return all;
}

// It has sources, and uses them on another thread.
class Reader {
public:
    void add(Source *source) { sources.push_back(source); }
    std::size_t count() const { return sources.size(); }
    std::string read() const
    {
        std::string all;
        std::thread([&] { for (const Source *one : sources) all += one->name(); }).join();
        return all;
    }

private:
    std::vector<Source *> sources;
};

} // namespace over

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fun {

struct Point { double x, y; };
enum class Mode { first, second };

class Item {
public:
    Item(std::string name, double weight) : name(std::move(name)), weight(weight) {}
    std::string name;
    double weight;
};

class List {
public:
    void add(const std::string &name, double weight) { all.emplace_back(name, weight); }
    double sum(const std::function<double(const Item &)> &f) const
    {
        double sum = 0;
        for (const Item &one : all) sum += f(one);
        return sum;
    }
    void change(std::function<void(Item &item)> f) { for (Item &one : all) f(one); }
    int find(std::function<bool(Item *)> f)
    {
        for (std::size_t k = 0; k < all.size(); k++) if (f(&all[k])) return static_cast<int>(k);
        return f(nullptr) ? -2 : -1;
    }
    std::string longest(std::function<int(Item)> f) const
    {
        const Item *found = nullptr;
        int most = 0;
        for (const Item &one : all) if (int length = f(one); length > most) { found = &one; most = length; }
        return found == nullptr ? "" : found->name;
    }

private:
    std::vector<Item> all;
};

inline int lines(const std::string &text, const std::function<bool(const std::string &line, int number)> &f)
{
    int count = 0, number = 0;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t end = std::min(text.find('\n', at), text.size());
        count += f(text.substr(at, end - at), ++number);
        at = end + 1;
    }
    return count;
}
inline double table(std::function<double(const std::map<std::string, std::vector<double>> &, std::optional<int>)> f)
{
    return f({{"a", {1, 2}}, {"b", {}}}, std::nullopt) + f({}, 3);
}
inline double values(std::function<double(Point, Mode, const char *, std::vector<double>)> f)
{
    return f({1, 2}, Mode::second, "text", {3, 4});
}

} // namespace fun

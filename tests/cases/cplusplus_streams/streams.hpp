#pragma once
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lib {

class Report {
public:
    explicit Report(std::string title) : title(std::move(title)) {}
    void write(std::ostream &out, int n) const
    {
        out << title;
        if (n < 0) throw std::out_of_range("negative");
        if (n == 0) out << '\0';
        for (int k = 0; k < n; k++) out << ' ' << k * scale;
    }
    int read(std::istream &in)
    {
        int count = 0;
        for (std::string word; in >> word; count++) title = word;
        return count;
    }
    std::ostream &print(std::ostream &out) const { return out << title << '!'; }
    /* Only its arguments find it. */
    friend std::ostream &operator<<(std::ostream &out, const Report &report)
    {
        report.write(out, static_cast<int>(report.title.size()) - 3);
        return out;
    }
    static inline double scale = 1;
    static constexpr int width = 80;
    std::string title;
};

inline int table(std::ostream &out, std::ostream &log, const std::vector<double> &x)
{
    for (double one : x) out << one << '\n';
    log << x.size() << " rows";
    return static_cast<int>(x.size());
}

inline void copy(std::istream &from, std::ostream &to)
{
    for (char c; from.get(c);) to.put(c);
}

} // namespace lib

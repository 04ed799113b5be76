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

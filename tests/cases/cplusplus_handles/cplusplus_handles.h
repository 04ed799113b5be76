#ifndef CPLUSPLUS_HANDLES_H
#define CPLUSPLUS_HANDLES_H

#include <stdexcept>

namespace lib {

class Counter {
public:
    explicit Counter(int start) : count(start)
    {
        if (start < 0) {
            throw std::invalid_argument("a counter starts at 0 or above");
        }
        live++;
    }
    ~Counter() noexcept(false)
    {
        live--;
        if (count == 13) {
            throw std::runtime_error("unlucky");
        }
    }
    int add(int by)
    {
        if (by == 0) {
            throw std::out_of_range("by nothing");
        }
        return count += by;
    }
    static inline int live = 0;

private:
    int count;
};

inline Counter *make(int start) { return new Counter(start); }
inline void destroy(Counter *counter) { delete counter; }
inline int add(Counter *counter, int by) { return counter->add(by); }
inline int live() { return Counter::live; }

} // namespace lib

#endif

#pragma once
#include <cstring>
#include <stdexcept>

namespace lib {

/* An object whose memory belongs to its caller, and whose cleanup may throw. */
struct Page {
    unsigned char bytes[1 << 18];
    int throws;
};

inline void page_init(Page *page) { std::memset(page, 1, sizeof(*page)), page->throws = 0; }
inline void page_clear(Page *page)
{
    if (page->throws) throw std::runtime_error("the page is torn");
}
inline void tear(Page *page) { page->throws = 1; }
inline long sum(const Page *page)
{
    long all = 0;
    for (unsigned char one : page->bytes) all += one;
    return all;
}

} // namespace lib

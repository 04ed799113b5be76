// Allocations of this module, each of which can fail. Where a sanitizer replaces them, these are not used.
#include "contained.hpp"
#include <cstdlib>
#include <new>

namespace {
long live, until;
}

void *operator new(std::size_t size)
{
    if (until > 0 && --until == 0) throw std::bad_alloc();
    void *memory = std::malloc(size + 1);
    if (memory == nullptr) throw std::bad_alloc();
    live++;
    return memory;
}
void *operator new[](std::size_t size) { return operator new(size); }
void operator delete(void *memory) noexcept
{
    live -= memory != nullptr;
    std::free(memory);
}
void operator delete[](void *memory) noexcept { operator delete(memory); }
void operator delete(void *memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void *memory, std::size_t) noexcept { operator delete(memory); }

namespace lib {

void fail_at(long allocation) { until = allocation; }
long allocated() { return live; }

} // namespace lib

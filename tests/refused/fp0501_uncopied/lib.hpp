#include <vector>

namespace lib {

struct Lock {
    Lock() = default;
    Lock(const Lock &) = delete;
    Lock(Lock &&) = default;
};
struct Store {
    std::vector<Lock> in;
    const std::vector<Lock> &all() const { return in; }
};

} // namespace lib

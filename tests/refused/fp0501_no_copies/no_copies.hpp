#include <map>
#include <string>
#include <vector>

namespace lib {

struct Lock {
    Lock() = default;
    Lock(const Lock &) = delete;
    Lock(Lock &&) = default;
    const std::vector<Lock> &all() const;
};
const std::map<std::string, Lock> &by_name();
int count(const std::map<std::string, Lock> &locks);

} // namespace lib

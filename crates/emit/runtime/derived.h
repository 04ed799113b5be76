/* Objects of C++ whose virtual methods callbacks override. A module has this code if it has such methods. */
#ifdef FP_OVERRIDES
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace fp_cpp {

/* An object with overrides. */
struct derived {
    bool has_class = false; /* of the target language, which calls methods of C++ for those of the base */
    virtual ~derived() = default;
};

/* The object whose next virtual call, on this thread, is one of the base. */
inline thread_local const derived *next_direct = NULL;

/* The target language calls a virtual method of C++: that of the base, if its own class overrides the method. */
class directly {
    const derived *outer;

public:
    template <class T> explicit directly(T &object) : outer(next_direct)
    {
        const derived *one = dynamic_cast<const derived *>(&object);
        next_direct = one != NULL && one->has_class ? one : NULL;
    }
    directly(const directly &) = delete;
    ~directly() { next_direct = outer; }
};

static inline bool
is_direct(const derived *one)
{
    const derived *next = next_direct;
    next_direct = NULL;
    return next == one;
}

/* The object is one of a class of the target language. */
template <class T> static FP_UNUSED void
derive(T *object)
{
    if (derived *one = dynamic_cast<derived *>(object)) {
        one->has_class = true;
    }
}

/* A new object of T, or of the class D that is derived from it, which has these overrides. */
template <class T, class D, class... A> static inline T *
create(bool is_derived, const typename D::overrides &all, A &&...arguments)
{
    if constexpr (std::is_constructible_v<T, A...>) { /* it is not abstract */
        if (!is_derived) {
            return new T(std::forward<A>(arguments)...);
        }
    }
    return new D(all, std::forward<A>(arguments)...);
}

/* ---- Calls of overrides ---------------------------------------------------------------------------- */

/* Ends the call of an override. If it has failed, C++ returns to the call that this thread is in; where that is
 * impossible, it goes on with an error return value. */
template <bool is_noexcept> static inline void
end_override(const char *method)
{
    if constexpr (!is_noexcept) {
        if (fp_has_failed_here() && std::uncaught_exceptions() == 0) {
            throw callback_failed(method);
        }
    }
}

/* Values that == compares. */
template <class T, class = void> struct is_comparable : std::bool_constant<is_number<T> || std::is_enum_v<T>> {};
template <class T> struct is_comparable<T, std::enable_if_t<is_sequence<T>::value>> : is_comparable<typename T::value_type> {};
template <class T> struct is_comparable<std::optional<T>> : is_comparable<T> {};
template <class A, class B>
struct is_comparable<std::pair<A, B>>
    : std::bool_constant<is_comparable<std::remove_const_t<A>>::value && is_comparable<B>::value> {};

/* The values that an override returned last, to which C++ has references: one for each thread, so that no other call
 * changes it. An equal value does not replace it. */
template <class T> class kept {
    std::mutex lock;
    std::map<std::thread::id, T> all;

public:
    const T &keep(T &&value)
    {
        std::lock_guard<std::mutex> guard(lock);
        auto found = all.find(std::this_thread::get_id());
        if (found == all.end()) {
            return all.emplace(std::this_thread::get_id(), std::move(value)).first->second;
        }
        if constexpr (is_comparable<T>::value) {
            if (found->second == value) {
                return found->second;
            }
        }
        found->second = std::move(value);
        return found->second;
    }
};

/* A pure virtual method of this name was called. */
template <class R> [[noreturn]] static inline R
not_overridden(const char *method)
{
    throw std::logic_error(std::string(method) + " is pure virtual, and not overridden");
}

} // namespace fp_cpp
#endif

/* Objects of C++ whose virtual methods callbacks override. A module has this code if it has such methods. */
#ifdef FP_OVERRIDES
#include <exception>
#include <stdexcept>

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

/* A pure virtual method of this name was called. */
template <class R> [[noreturn]] static inline R
not_overridden(const char *method)
{
    throw std::logic_error(std::string(method) + " is pure virtual, and not overridden");
}

} // namespace fp_cpp
#endif

/* Objects of C++ whose virtual methods callbacks override. A module has this code if it has such methods. */
#ifdef FP_OVERRIDES
#include <exception>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace fp_cpp {

/* An object with overrides. */
struct derived {
    bool has_class = false; /* of the target language, which calls methods of C++ for those of the base */
    void *callback = NULL;  /* one that overrides a method, which the object of the target language retains; NULL: none */
    explicit derived(std::initializer_list<void *> callbacks)
    {
        for (void *one : callbacks) {
            callback = callback == NULL ? one : callback;
        }
    }
    virtual ~derived() = default;
    /* Its std::shared_ptr, while C++ has one. */
    virtual std::shared_ptr<const void> share() { return std::shared_ptr<const void>(); }
    /* The target language ends: C++ must not call the overrides any more. */
    virtual void abandon() {}
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

/* A callback of the object, by which the target language finds its own object; NULL: it has no overrides. */
template <class T> static FP_UNUSED void *
callback_of(T *object)
{
    const derived *one = dynamic_cast<const derived *>(object);
    return one == NULL ? NULL : one->callback;
}

#ifdef FP_COUNTED_OBJECTS
/* ---- Objects with overrides that C++ shares ----------------------------------------------------------
 *
 * The handle of the target language owns the object alone. Each std::shared_ptr of C++ holds a use of the handle, and
 * thereby the overrides. */

/* Ends the use. */
template <class D> struct end_sharing {
    void operator()(D *object) const
    {
        if (object->callback != NULL) {
            fp_end_sharing(object->callback);
        }
        else {
            delete object; /* the target language has ended */
        }
    }
};

/* The part of an object with overrides that its std::shared_ptr need. */
template <class D> class sharing {
    std::mutex lock;
    std::weak_ptr<const void> all;

public:
    /* The lock is not held while the handle is used, since another thread may hold that one's locks. */
    std::shared_ptr<const void> share(D *object)
    {
        if (std::shared_ptr<const void> known = current()) {
            return known;
        }
        if (object->callback == NULL || !fp_begin_sharing(object->callback)) {
            throw std::logic_error("an object is being released, and cannot be shared");
        }
        std::shared_ptr<const void> made = std::shared_ptr<D>(object, end_sharing<D>());
        std::lock_guard<std::mutex> guard(lock);
        if (std::shared_ptr<const void> known = all.lock()) {
            made.swap(known);
            return made;
        }
        all = made;
        return made;
    }

private:
    std::shared_ptr<const void> current()
    {
        std::lock_guard<std::mutex> guard(lock);
        return all.lock();
    }
};

template <class T> static std::shared_ptr<const void>
shared_derived(T *object)
{
    if constexpr (std::is_polymorphic_v<T>) {
        derived *one = dynamic_cast<derived *>(const_cast<std::remove_const_t<T> *>(object));
        return one != NULL && one->callback != NULL ? one->share() : std::shared_ptr<const void>();
    }
    else {
        return std::shared_ptr<const void>();
    }
}

template <class T> static void
delete_derived(T *object)
{
    if constexpr (std::is_polymorphic_v<T>) {
        derived *one = dynamic_cast<derived *>(const_cast<std::remove_const_t<T> *>(object));
        if (one != NULL && one->callback != NULL) {
            delete one;
        }
    }
}

/* The target language ends: it does not have the handle of the object any more. */
template <class T> static FP_UNUSED void
abandon(T *object)
{
    if (derived *one = dynamic_cast<derived *>(object)) {
        one->callback = NULL;
        one->abandon();
    }
}

/* Lets shared_from_this() of an object succeed during a call. */
class shared_during {
    std::shared_ptr<const void> use;

public:
    template <class T> explicit shared_during(T &object)
    {
        if constexpr (knows_reference<T>::value) {
            use = shared_derived(&object);
        }
    }
};

/* A new object, which a std::shared_ptr of the table owns, unless it has overrides. */
template <class T> static inline T *
counted_unless_derived(T *made)
{
    const derived *one = dynamic_cast<const derived *>(made);
    return one != NULL && one->callback != NULL ? made : counted(made);
}
#endif

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

/* Objects whose references C++ counts by std::shared_ptr. A handle has the address of the object, as every handle has;
 * a table has a std::shared_ptr for each handle that owns a reference, until the handle is released. So a handle of a
 * derived class, or one that C++ also owns, is passed as a std::shared_ptr that counts with the others. */
#ifdef FP_COUNTED_OBJECTS
#include <memory>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

namespace fp_cpp {

struct references {
    std::mutex lock;
    std::unordered_multimap<const void *, std::shared_ptr<const void>> all;
};

/* The table of the module. It outlives destructors of static objects, since handles may be released after them. */
inline references &
counted_references()
{
    static references *const table = new references;
    return *table;
}

/* The address of the whole object of which this may be a base. */
template <class T> static inline const void *
whole(const T *object)
{
    if constexpr (std::is_polymorphic_v<T>) {
        return dynamic_cast<const void *>(object);
    }
    else {
        return object;
    }
}

/* The object, to which a handle refers from now on. */
template <class T> static inline T *
counted(std::shared_ptr<T> object)
{
    T *address = object.get();
    if (address != NULL) {
        references &table = counted_references();
        std::lock_guard<std::mutex> guard(table.lock);
        table.all.emplace(whole(address), std::move(object));
    }
    return address;
}

template <class T> static inline T *
counted(T *owned)
{
    return counted(std::shared_ptr<T>(owned));
}

template <class T> static inline T *
counted(std::unique_ptr<T> owned)
{
    return counted(std::shared_ptr<T>(std::move(owned)));
}

template <class T> static inline T *
counted(std::optional<T> value)
{
    return value ? counted(on_heap(std::move(*value))) : NULL;
}

template <class T, class = std::enable_if_t<std::is_class_v<plain<T>>>> static inline plain<T> *
counted(T &&value)
{
    return counted(on_heap(std::forward<T>(value)));
}

#ifdef FP_OVERRIDES
/* The std::shared_ptr of an object with overrides, which its handle owns; empty for other objects. */
template <class T> static std::shared_ptr<const void> shared_derived(T *object);

/* Deletes such an object. */
template <class T> static void delete_derived(T *object);
#else
template <class T> static inline std::shared_ptr<const void>
shared_derived(T *)
{
    return std::shared_ptr<const void>();
}

template <class T> static inline void
delete_derived(T *)
{
}
#endif

/* Ends the reference of a handle. The destructor of the object may release other handles. */
template <class T> static inline void
end_reference(T *object)
{
    std::shared_ptr<const void> ended;
    references &table = counted_references();
    std::unique_lock<std::mutex> guard(table.lock);
    auto found = table.all.find(whole(object));
    if (found != table.all.end()) {
        ended.swap(found->second);
        table.all.erase(found);
        return;
    }
    guard.unlock();
    delete_derived(object);
}

/* The class is derived from std::enable_shared_from_this. */
template <class T, class = void> struct knows_reference : std::false_type {};
template <class T>
struct knows_reference<T, decltype((void)std::declval<T &>().weak_from_this())> : std::true_type {};

/* The std::shared_ptr of an object that knows it. */
template <class T> static inline auto
own_reference(T *object, int) -> decltype(object->weak_from_this().lock(), std::shared_ptr<T>())
{
    return std::shared_ptr<T>(object->weak_from_this().lock(), object);
}

template <class T> static inline std::shared_ptr<T>
own_reference(T *, long)
{
    return std::shared_ptr<T>();
}

/* Another reference to an object. */
template <class T> struct build<std::shared_ptr<T>> {
    static std::shared_ptr<T> make(T *object)
    {
        if (object == NULL) {
            return std::shared_ptr<T>();
        }
        {
            references &table = counted_references();
            std::lock_guard<std::mutex> guard(table.lock);
            auto found = table.all.find(whole(object));
            if (found != table.all.end()) {
                return std::shared_ptr<T>(found->second, object);
            }
        }
        if (std::shared_ptr<const void> shared = shared_derived(object)) {
            return std::shared_ptr<T>(shared, object);
        }
        if (std::shared_ptr<T> own = own_reference(object, 0); own.use_count() > 0) {
            return own;
        }
        throw std::invalid_argument("an argument is a part of another object, and no std::shared_ptr owns it");
    }
};

} // namespace fp_cpp
#endif

/* Iterations of C++ objects that have begin() and end(). */
#ifdef FP_ADAPTERS
namespace fp_cpp {

/* All items, which are numbers. */
template <class C, class E> static inline std::vector<E>
collected(C &object)
{
    std::vector<E> all;
    for (auto &&one : object) {
        all.push_back(one);
    }
    return all;
}

/* The type of an item E that an iteration returns: a string or an object that may be missing, or a pointer. */
template <class E> struct returned_item {
    typedef std::conditional_t<std::is_convertible_v<E, std::string_view>, std::string, plain<E>> value;
    typedef std::conditional_t<std::is_pointer_v<E>, E, std::optional<value>> type;
};
template <class E> struct returned_item<E &> {
    typedef std::conditional_t<std::is_convertible_v<E &, std::string_view>, std::optional<std::string>, E *> type;
};
template <class T> struct returned_item<std::shared_ptr<T>> {
    typedef std::shared_ptr<T> type;
};
template <class T> struct returned_item<const std::shared_ptr<T> &> : returned_item<std::shared_ptr<T>> {};
template <class T> struct returned_item<std::shared_ptr<T> &> : returned_item<std::shared_ptr<T>> {};

/* The items of an object one after another, as they were when the iteration began. */
template <class C, class E> class items {
    typedef typename returned_item<E>::type item;
    std::vector<item> all;
    size_t done = 0;

public:
    explicit items(C &object)
    {
        for (auto &&one : object) {
            if constexpr (std::is_pointer_v<item> && !std::is_pointer_v<plain<decltype(one)>>) {
                static_assert(std::is_lvalue_reference_v<decltype(one)>, "the items are not references");
                all.push_back(&one);
            }
            else {
                all.emplace_back(one);
            }
        }
    }

    item next() { return done < all.size() ? std::move(all[done++]) : item(); }
};

} // namespace fp_cpp
#endif

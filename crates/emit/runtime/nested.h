/* Trees of nodes and the containers of C++: see nodes.h. */
#ifdef FP_ADAPTERS
#include <algorithm>
#include <stdexcept>
#include <variant>

namespace fp_cpp {

/* ---- Types ---------------------------------------------------------------------------------- */

/* It has one value for a key; a multimap, which has no operator[], is a sequence of pairs. */
template <class T, class = void> struct has_keys : std::false_type {};
template <class T>
struct has_keys<T, std::void_t<decltype(std::declval<T &>()[std::declval<const typename T::key_type &>()]), typename T::mapped_type>>
    : std::true_type {};

template <class T, class = void> struct is_sequence : std::false_type {};
template <class T>
struct is_sequence<T, std::void_t<typename T::value_type, decltype(std::declval<const T &>().begin())>> : std::true_type {};

/* Its elements are numbers, one after the other. */
template <class T> struct is_complex : std::false_type {};
template <class T> struct is_complex<std::complex<T>> : std::true_type {};
template <class T>
constexpr bool is_number = std::is_arithmetic_v<T> || is_complex<T>::value;
template <class T, class = void> struct is_block : std::false_type {};
template <class T>
struct is_block<T, std::void_t<typename T::value_type, decltype(std::declval<const T &>().data())>>
    : std::bool_constant<is_number<std::remove_cv_t<typename T::value_type>>> {};
template <> struct is_block<std::vector<bool>> : std::true_type {};

template <class T> struct is_variant : std::false_type {};
template <class... T> struct is_variant<std::variant<T...>> : std::true_type {};
template <class T> struct is_optional : std::false_type {};
template <class T> struct is_optional<std::optional<T>> : std::true_type {};
template <class T> struct is_tuple : std::false_type {};
template <class... T> struct is_tuple<std::tuple<T...>> : std::true_type {};
template <class A, class B> struct is_tuple<std::pair<A, B>> : std::true_type {};

/* A struct, which the runtimes copy. */
template <class T>
constexpr bool is_record = std::is_class_v<T> && !is_sequence<T>::value && std::is_trivially_copyable_v<T>;

/* Pointers that own their object. */
template <class T> struct is_smart : std::false_type {};
template <class T> struct is_smart<std::shared_ptr<T>> : std::true_type {};
template <class T> struct is_smart<std::unique_ptr<T>> : std::true_type {};

template <class T> struct is_unique : std::false_type {};
template <class T, class D> struct is_unique<std::unique_ptr<T, D>> : std::true_type {};

/* The classes of the objects in a container, which may look like containers themselves; counts<T> for one whose
 * references are counted. */
template <class T> struct counts {};
template <class... T> struct objects {
    template <class E> static constexpr bool is_counted = (std::is_same_v<T, counts<E>> || ...);
    static constexpr bool can_copy = (std::is_copy_constructible_v<T> && ...);
    static constexpr bool is_empty = sizeof...(T) == 0;
    template <class E> static constexpr bool has = (std::is_same_v<T, E> || ...) || is_counted<E>;
};

/* The class of a number in signatures. */
template <class T> constexpr char letter_of = is_complex<T>::value            ? 'c'
                                              : std::is_same_v<T, bool>       ? 'b'
                                              : std::is_floating_point_v<T>   ? 'f'
                                              : std::is_signed_v<T>           ? 'i'
                                                                              : 'u';

/* ---- Results ------------------------------------------------------------------------------------------- */

/* A tree, the memory of its nodes, and its objects that no caller has taken. The first node is the tree itself. */
struct tree : fp_node {
    std::vector<std::unique_ptr<fp_node[]>> rows;
    std::vector<std::unique_ptr<bool[]>> bits;
    struct object {
        const fp_node *node;
        void (*release)(const void *);
    };
    std::vector<object> owned;
    tree() : fp_node() {}
    virtual ~tree()
    {
        for (const object &one : owned) {
            if (one.node->of.data != NULL) {
                one.release(one.node->of.data);
            }
        }
    }

    const fp_node *root() const { return this; }

    /* The node owns the object that it is set to. */
    template <class O, class E> void own(const fp_node &node)
    {
        owned.push_back({&node, [](const void *object) {
                             if constexpr (O::template is_counted<E>) {
                                 end_reference(static_cast<const E *>(object));
                             }
                             else {
                                 delete static_cast<const E *>(object);
                             }
                         }});
    }

    template <class O, class V> void set_object(fp_node &node, V &value)
    {
        own<O, std::remove_const_t<V>>(node);
        if constexpr (O::template is_counted<std::remove_const_t<V>>) {
            node.of.data = counted(on_heap(std::move(value)));
        }
        else {
            node.of.data = on_heap(std::move(value));
        }
        node.kind = FP_NODE_OBJECT;
    }

    /* The object of a smart pointer; none if it is empty. */
    template <class O, class V> void set_pointed(fp_node &node, V &value)
    {
        typedef std::remove_const_t<typename V::element_type> E;
        if (value == nullptr) {
            return;
        }
        own<O, E>(node);
        if constexpr (O::template is_counted<E>) {
            node.of.data = counted(std::remove_const_t<V>(std::move(value)));
        }
        else {
            node.of.data = value.release();
        }
        node.kind = FP_NODE_OBJECT;
    }

    void set(fp_node &node, const std::string_view &text)
    {
        node.kind = FP_NODE_STRING;
        node.count = text.size();
        node.of.data = text.data();
    }

    fp_node *add(fp_node &node, fp_node_kind kind, size_t count, size_t each = 1)
    {
        /* Both may fail, and own what they have allocated. */
        std::unique_ptr<fp_node[]> made(new fp_node[count * each + 1]());
        rows.push_back(std::move(made));
        node.kind = kind;
        node.count = count;
        node.of.nodes = rows.back().get();
        return node.of.nodes;
    }

    template <class T> void set_array(fp_node &node, const T *data, size_t count)
    {
        node.kind = FP_NODE_ARRAY;
        node.letter = letter_of<T>;
        node.size = static_cast<int>(sizeof(T));
        node.count = count;
        node.of.data = data;
    }

    /* The nodes refer to the value, which must not be changed or destroyed before them. */
    template <class O, class V> void set_value(fp_node &node, V &value)
    {
        typedef std::remove_const_t<V> T;
        if constexpr (O::template has<T>) {
            set_object<O>(node, value);
        }
        else if constexpr (is_smart<T>::value) {
            set_pointed<O>(node, value);
        }
        else if constexpr (std::is_same_v<T, std::monostate>) {
            node.kind = FP_NODE_NONE;
        }
        else if constexpr (is_number<T>) {
            fp_set_node(&node, letter_of<T>, static_cast<int>(sizeof(T)), &value);
        }
        else if constexpr (std::is_enum_v<T>) {
            const std::underlying_type_t<T> number = static_cast<std::underlying_type_t<T>>(value);
            fp_set_node(&node, std::is_signed_v<std::underlying_type_t<T>> ? 'i' : 'u', static_cast<int>(sizeof(T)), &number);
        }
        else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
            set(node, value);
        }
        else if constexpr (std::is_same_v<T, std::vector<bool>>) {
            std::unique_ptr<bool[]> made(new bool[value.size() + 1]);
            std::copy(value.begin(), value.end(), made.get());
            bits.push_back(std::move(made));
            set_array(node, bits.back().get(), value.size());
        }
        else if constexpr (is_block<T>::value) {
            set_array(node, value.data(), value.size());
        }
        else if constexpr (is_optional<T>::value) {
            if (value) {
                set_value<O>(node, *value);
            }
        }
        else if constexpr (is_variant<T>::value) {
            std::visit([&](auto &one) { set_value<O>(node, one); }, value);
            node.choice = static_cast<int>(value.index());
        }
        else if constexpr (is_tuple<T>::value) {
            fp_node *next = add(node, FP_NODE_TUPLE, std::tuple_size_v<T>);
            std::apply([&](auto &...one) { (set_value<O>(*next++, one), ...); }, value);
        }
        else if constexpr (has_keys<T>::value) {
            fp_node *next = add(node, FP_NODE_MAP, value.size(), 2);
            for (auto &one : value) {
                set_value<O>(*next++, one.first);
                set_value<O>(*next++, one.second);
            }
        }
        else if constexpr (is_record<T>) {
            node.kind = FP_NODE_STRUCT;
            node.of.data = &value;
        }
        else {
            static_assert(is_sequence<T>::value, "the type is not supported in a nested value");
            fp_node *next = add(node, FP_NODE_LIST, value.size());
            for (auto &one : value) {
                set_value<O>(*next++, one);
            }
        }
    }
};

template <class O, class T> struct tree_of : tree {
    T value;
    explicit tree_of(T &&from) : value(std::move(from)) { set_value<O>(*this, value); }
    explicit tree_of(const T &from) : value(from) { set_value<O>(*this, value); }
};

/* The tree of a value, which it owns: moved, not copied, unless C++ has returned a reference. Objects are moved out of
 * it, each to memory of its own. */
template <class O = objects<>, class T> static inline fp_node *
nested(T &&value)
{
    if constexpr (std::is_lvalue_reference_v<T> && !O::can_copy) {
        return NULL; /* the prototype is refused */
    }
    else {
        return new tree_of<O, plain<T>>(std::forward<T>(value));
    }
}

/* ---- Arguments ----------------------------------------------------------------------------------------- */

template <class T, class O = objects<>> static inline T build_nested(const fp_node &node);

template <class T> static inline T
build_number(const fp_node &node)
{
    if constexpr (is_complex<T>::value) {
        typedef typename T::value_type part;
        return T(static_cast<part>(node.of.parts[0]), static_cast<part>(node.of.parts[1]));
    }
    else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(node.of.parts[0]);
    }
    else if constexpr (std::is_same_v<T, bool>) {
        return node.of.integer != 0;
    }
    else {
        return static_cast<T>(node.of.integer);
    }
}

template <class T, class O, size_t... I> static inline T
build_variant(const fp_node &node, std::index_sequence<I...>)
{
    typedef T (*builder)(const fp_node &);
    static constexpr builder builders[] = {
        [](const fp_node &one) { return T(std::in_place_index<I>, build_nested<std::variant_alternative_t<I, T>, O>(one)); }...};
    return builders[node.choice](node);
}

template <class T, class O, size_t... I> static inline T
build_tuple(const fp_node *nodes, std::index_sequence<I...>)
{
    return T(build_nested<plain<std::tuple_element_t<I, T>>, O>(nodes[I])...);
}

/* An array of a fixed size has exactly this many elements. */
static inline void
check_count(size_t wanted, size_t count)
{
    if (wanted != count) {
        throw std::invalid_argument("wanted " + std::to_string(wanted) + " values in a nested value, got "
                                    + std::to_string(count));
    }
}

template <class T> struct fixed_size : std::integral_constant<size_t, 0> {};
template <class E, size_t N> struct fixed_size<std::array<E, N>> : std::integral_constant<size_t, N> {};

/* Appends to a sequence, or inserts into a set. */
template <class T, class E> static inline auto
append(T &all, E &&one, int) -> decltype(all.push_back(std::forward<E>(one)))
{
    all.push_back(std::forward<E>(one));
}
template <class T, class E> static inline void
append(T &all, E &&one, long)
{
    all.insert(std::forward<E>(one));
}

/* The object to which a pointer in a container leads; an empty one if there is none. */
template <class P, class E = std::remove_pointer_t<P>> static inline P
build_pointer(const fp_node &node)
{
    void *object = node.kind == FP_NODE_NONE ? NULL : const_cast<void *>(node.of.data);
    if constexpr (std::is_pointer_v<P>) {
        return static_cast<E *>(object);
    }
    else if constexpr (is_unique<P>::value) {
        return P(object == NULL ? NULL : static_cast<typename P::pointer>(fp_take_object(&node)));
    }
    else {
        typedef std::remove_const_t<typename P::element_type> V;
        return object == NULL ? P() : P(build<std::shared_ptr<V>>::make(static_cast<V *>(object)));
    }
}

template <class T, class O> static inline T
build_nested(const fp_node &node)
{
    if constexpr (O::template has<T> && std::is_copy_constructible_v<T>) {
        return *static_cast<const T *>(node.of.data);
    }
    else if constexpr (O::template has<T>) {
        throw std::logic_error("the prototype is refused");
    }
    else if constexpr (std::is_pointer_v<T> || is_smart<T>::value) {
        return build_pointer<T>(node);
    }
    else if constexpr (std::is_same_v<T, std::monostate>) {
        return T();
    }
    else if constexpr (std::is_enum_v<T>) {
        return static_cast<T>(static_cast<std::underlying_type_t<T>>(node.of.integer));
    }
    else if constexpr (is_number<T>) {
        return build_number<T>(node);
    }
    else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
        return T(static_cast<const char *>(node.of.data), node.count);
    }
    else if constexpr (is_optional<T>::value) {
        return node.kind == FP_NODE_NONE ? T() : T(build_nested<typename T::value_type, O>(node));
    }
    else if constexpr (is_variant<T>::value) {
        return build_variant<T, O>(node, std::make_index_sequence<std::variant_size_v<T>>());
    }
    else if constexpr (is_tuple<T>::value) {
        return build_tuple<T, O>(node.of.nodes, std::make_index_sequence<std::tuple_size_v<T>>());
    }
    else if constexpr (is_block<T>::value && fixed_size<T>::value > 0) {
        T made;
        check_count(made.size(), node.count);
        std::memcpy(static_cast<void *>(made.data()), node.of.data, sizeof(made));
        return made;
    }
    else if constexpr (is_block<T>::value) {
        typedef typename T::value_type element;
        const element *first = static_cast<const element *>(node.of.data);
        return T(first, first + node.count);
    }
    else if constexpr (has_keys<T>::value) {
        T made;
        for (size_t k = 0; k < node.count; k++) {
            made.emplace(build_nested<typename T::key_type, O>(node.of.nodes[2 * k]),
                         build_nested<typename T::mapped_type, O>(node.of.nodes[2 * k + 1]));
        }
        return made;
    }
    else if constexpr (is_record<T>) {
        return *static_cast<const T *>(node.of.data);
    }
    else if constexpr (fixed_size<T>::value > 0) {
        T made;
        check_count(made.size(), node.count);
        for (size_t k = 0; k < node.count; k++) {
            made[k] = build_nested<typename T::value_type, O>(node.of.nodes[k]);
        }
        return made;
    }
    else {
        T made;
        if constexpr (std::is_same_v<T, std::vector<typename T::value_type>>) {
            made.reserve(node.count);
        }
        for (size_t k = 0; k < node.count; k++) {
            append(made, build_nested<typename T::value_type, O>(node.of.nodes[k]), 0);
        }
        return made;
    }
}

template <class T, class O = objects<>> static inline T
build_nested(const fp_node *node)
{
    return build_nested<T, O>(*node);
}

/* ---- Objects that C++ takes over --------------------------------------------------------------------- */

template <class T> static inline void drop_nested(const fp_node &node);

template <class T, size_t... I> static inline void
drop_alternative(const fp_node &node, std::index_sequence<I...>)
{
    ((static_cast<size_t>(node.choice) == I ? drop_nested<std::variant_alternative_t<I, T>>(node) : void()), ...);
}

template <class T, size_t... I> static inline void
drop_parts(const fp_node &node, std::index_sequence<I...>)
{
    (drop_nested<plain<std::tuple_element_t<I, T>>>(node.of.nodes[I]), ...);
}

/* Deletes the objects that a value T would have taken over. */
template <class T> static inline void
drop_nested(const fp_node &node)
{
    if constexpr (is_unique<T>::value) {
        build_pointer<T>(node);
    }
    else if constexpr (is_optional<T>::value) {
        if (node.kind != FP_NODE_NONE) {
            drop_nested<typename T::value_type>(node);
        }
    }
    else if constexpr (is_variant<T>::value) {
        drop_alternative<T>(node, std::make_index_sequence<std::variant_size_v<T>>());
    }
    else if constexpr (is_tuple<T>::value) {
        drop_parts<T>(node, std::make_index_sequence<std::tuple_size_v<T>>());
    }
    else if constexpr (has_keys<T>::value) {
        for (size_t k = 0; k < node.count && node.of.nodes != NULL; k++) {
            drop_nested<typename T::mapped_type>(node.of.nodes[2 * k + 1]);
        }
    }
    else if constexpr (is_sequence<T>::value && !is_block<T>::value && !std::is_convertible_v<const T &, std::string_view>) {
        for (size_t k = 0; k < node.count && node.of.nodes != NULL; k++) {
            drop_nested<typename T::value_type>(node.of.nodes[k]);
        }
    }
}

/* As build_nested; if that fails, no object is left over. */
template <class T, class O = objects<>> static inline T
build_owners(const fp_node &node)
{
    try {
        return build_nested<T, O>(node);
    }
    catch (...) {
        drop_nested<T>(node);
        throw;
    }
}

template <class T, class O = objects<>> static inline T
build_owners(const fp_node *node)
{
    return build_owners<T, O>(*node);
}

} // namespace fp_cpp

static FP_UNUSED void
fp_free_nested(const fp_node *node)
{
    delete static_cast<const fp_cpp::tree *>(node);
}
#endif

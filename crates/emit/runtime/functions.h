/* Functions that C++ receives: each calls a callback. */
#ifdef FP_ADAPTERS
#include <exception>
namespace fp_cpp {

/* The tree of a value that a callback receives. */
struct seen_nodes : tree {
    template <class T> explicit seen_nodes(const T &value) { set_value<objects<>>(*this, value); }
};

/* ---- Values that callbacks set ----------------------------------------------------------------------- */

/* A node that is set to a value that a callback returns. */
struct set_node : tree {
    std::exception_ptr thrown; /* why that has failed */
    virtual void set(const fp_node &from) = 0;
};

/* The node of a value that the callback receives first. It owns objects in it, which are copies. */
template <class T, class O> class changed_node final : public set_node {
    T &value;
    std::conditional_t<O::is_empty, const T &, T> seen;

public:
    explicit changed_node(T &value) : value(value), seen(value) { set_value<O>(*this, seen); }
    void set(const fp_node &from) override { value = build_nested<T, O>(from); }
};

/* A callback has failed. The call raises its exception, whatever C++ does with this one. */
struct callback_failed : std::runtime_error {
    explicit callback_failed(const char *name) : std::runtime_error(std::string(name) + ": a callback has failed") {}
};

/* The node of a result; V is R, or a pointer that leads to it. */
template <class V, class O> class returned_node final : public set_node {
    std::optional<V> value;

public:
    void set(const fp_node &from) override { value.emplace(build_owners<V, O>(from)); }

    /* The result. If the callback has failed, it is an empty value; without one, C++ is unwound. */
    template <class R, bool is_noexcept> R take(const char *name)
    {
        constexpr bool is_pointer = std::is_pointer_v<R> && is_smart<V>::value;
        constexpr bool has_empty = !std::is_reference_v<R> && std::is_default_constructible_v<V>;
        static_assert(has_empty || !is_noexcept, "a function that throws nothing has no result if its callback fails");
        if constexpr (is_pointer) {
            return value ? value->release() : NULL;
        }
        else {
            if (!value) {
                if constexpr (has_empty) {
                    return V();
                }
                else {
                    throw callback_failed(name);
                }
            }
            if constexpr (std::is_reference_v<R>) {
                return **value;
            }
            else {
                return std::move(*value);
            }
        }
    }
};

/* ---- std::function -------------------------------------------------------------------------------------- */

/* A value of C++ as an argument P of a callback: the value itself, its address, or a tree. It lasts until the callback
 * returns. */
template <class P, class A, class O> struct lent {
    A &value;
    P get() const
    {
        if constexpr (std::is_pointer_v<P> && !std::is_pointer_v<std::remove_cv_t<A>>) {
            return &value;
        }
        else {
            return value;
        }
    }
};

template <class A, class O> struct lent<const fp_node *, A, O> {
    std::conditional_t<O::is_empty, seen_nodes, tree_of<O, std::remove_const_t<A>>> nodes;
    explicit lent(A &value) : nodes(std::move(value)) {}
    const fp_node *get() const { return nodes.root(); }
};

/* A value that the callback may change. */
template <class A, class O> struct lent<fp_node *, A, O> {
    mutable changed_node<A, O> node;
    explicit lent(A &value) : node(value) {}
    fp_node *get() const { return &node; }
};

/* C++ that calls CALL, in whose arguments and results there are objects of O. */
template <class O> struct build_function {
    template <class T, class Q, class... P> static T make(Q (*call)(P...), void *data)
    {
        return wrap(static_cast<T *>(NULL), call, data);
    }

private:
    template <class R, class... A, class Q, class... P>
    static std::function<R(A...)> wrap(std::function<R(A...)> *, Q (*call)(P...), void *data)
    {
        return [call, data](A... arguments) -> R {
            return apply<R, std::tuple<P...>>(call, data, std::index_sequence_for<A...>(), arguments...);
        };
    }

    template <class R, class P, class Q, class... C, size_t... K, class... V>
    static R apply(Q (*call)(C...), void *data, std::index_sequence<K...>, V &...values)
    {
        if constexpr (std::is_void_v<Q> && !std::is_void_v<R>) {
            returned_node<plain<R>, O> given;
            call(lent<std::tuple_element_t<K, P>, V, O>{values}.get()..., &given, data);
            return given.template take<R, false>("std::function");
        }
        else {
            return call(lent<std::tuple_element_t<K, P>, V, O>{values}.get()..., data);
        }
    }
};

} // namespace fp_cpp

/* The value of `from` becomes that of a node which C++ has passed to a callback. Returns NULL, or why that has failed;
 * the empty string: there is not enough memory. */
static FP_UNUSED const char *
fp_set_nested(fp_node *to, const fp_node *from)
{
    fp_cpp::set_node *node = static_cast<fp_cpp::set_node *>(to);
    try {
        node->set(*from);
        return NULL;
    }
    catch (const std::bad_alloc &) {
        return "";
    }
    catch (const std::exception &error) {
        node->thrown = std::current_exception();
        return error.what();
    }
}
#endif

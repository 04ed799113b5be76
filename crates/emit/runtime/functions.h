/* Functions that C++ receives: each calls a callback. */
#ifdef FP_ADAPTERS
namespace fp_cpp {

/* The tree of a value that a callback receives. */
struct seen_nodes : tree {
    template <class T> explicit seen_nodes(const T &value) { set_value<objects<>>(*this, value); }
    const fp_node *root() const { return this; }
};

/* A value of C++ as an argument P of a callback: the value itself, its address, or a tree. It lasts until the callback
 * returns. */
template <class P, class A> struct lent {
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

template <class A> struct lent<const fp_node *, A> {
    seen_nodes nodes;
    explicit lent(A &value) : nodes(value) {}
    const fp_node *get() const { return nodes.root(); }
};

template <class R, class... A> struct build<std::function<R(A...)>> {
    template <class Q, class... P> static std::function<R(A...)> make(Q (*call)(P...), void *data)
    {
        typedef std::tuple<P...> all;
        return [call, data](A... arguments) -> R {
            return apply<all>(call, data, std::index_sequence_for<A...>(), arguments...);
        };
    }

private:
    template <class P, class F, size_t... K, class... V>
    static R apply(F call, void *data, std::index_sequence<K...>, V &...values)
    {
        return call(lent<std::tuple_element_t<K, P>, V>{values}.get()..., data);
    }
};

} // namespace fp_cpp
#endif

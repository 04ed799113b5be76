/* C++ values that are built of the arguments of a call, and results that become C's. A module has this code if one of
 * its prototypes has such types. */
#ifdef FP_ADAPTERS
#if __cplusplus < 201703L
#error "prototypes with types of C++ need C++17 or newer: standard = \"c++17\""
#endif
#include <array>
#include <complex>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#ifdef FP_STREAMS
#include <sstream>
#endif
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

/* Frees memory that converted has allocated or moved out of a container. */
static FP_UNUSED void
fp_free_moved(const void *memory)
{
    ::operator delete(const_cast<void *>(memory));
}

/* A string that C++ has returned, before its characters: these may contain null characters, and reading them to find
 * their end would wait until they are written. */
struct fp_text {
    size_t length;
    bool *is_used; /* of the memory that a thread has for a short string; NULL: it was allocated */
};

static FP_UNUSED thread_local struct {
    fp_text text;
    char characters[200];
    bool is_used;
} fp_short_text;

static FP_UNUSED ptrdiff_t
fp_text_length(const char *text)
{
    return text == NULL ? 0 : static_cast<ptrdiff_t>((reinterpret_cast<const fp_text *>(text) - 1)->length);
}

/* Frees a string when the target language has made its own of it. */
static FP_UNUSED void
fp_free_text(const char *text)
{
    fp_text *one = reinterpret_cast<fp_text *>(const_cast<char *>(text)) - 1;
    if (one->is_used != NULL) {
        *one->is_used = false;
        return;
    }
    ::operator delete(one);
}

namespace fp_cpp {

template <class T> using plain = std::remove_cv_t<std::remove_reference_t<T>>;

/* The object at an address: a class, a number, or an array or complex number that has the layout of C's. */
template <class P>
using seen = std::conditional_t<std::is_reference_v<P>, std::remove_reference_t<P>, const P>;

template <class P, class C> static inline seen<P> &
pointee(C *address)
{
    typedef seen<P> T;
    if constexpr (std::is_convertible_v<C *, T *>) {
        return *address;
    }
    else {
        static_assert(sizeof(T) % sizeof(C) == 0 && std::is_trivially_copyable_v<T>, "the types have different layouts");
        return *reinterpret_cast<T *>(const_cast<std::remove_const_t<C> *>(address));
    }
}

/* ---- Arguments ------------------------------------------------------------------------------------- */

/* The pointer P to an element of another type with the same layout, such as C's complex numbers. */
template <class T, class C> static inline T *
elements(C *p)
{
    static_assert(sizeof(T) == sizeof(C), "the elements have different sizes");
    return reinterpret_cast<T *>(p);
}

template <class T, class = void> struct build {
    static T make(const T &value) { return value; }
};

template <> struct build<std::string> {
    static std::string make(const char *text) { return std::string(text); }
};

template <> struct build<std::string_view> {
    static std::string_view make(const char *text) { return std::string_view(text); }
};

template <class T> struct build<std::complex<T>> {
    template <class C> static std::complex<T> make(C number)
    {
        std::complex<T> made;
        static_assert(sizeof(made) == sizeof(number), "the numbers have different sizes");
        std::memcpy(static_cast<void *>(&made), &number, sizeof(made));
        return made;
    }
};

template <class T> struct build<std::vector<T>> {
    template <class C> static std::vector<T> make(C *first, size_t count)
    {
        typedef std::remove_const_t<C> V;
        if constexpr (std::is_pointer_v<V> && !std::is_pointer_v<T>) {
            std::vector<T> made; /* strings, std::shared_ptr, or copies of objects */
            made.reserve(count);
            for (size_t k = 0; k < count; k++) {
                if constexpr (std::is_same_v<T, std::string>) {
                    made.emplace_back(first[k]);
                }
                else if constexpr (std::is_invocable_v<decltype(build<T>::make), V>) {
                    made.push_back(build<T>::make(first[k]));
                }
                else {
                    made.push_back(*first[k]);
                }
            }
            return made;
        }
        else if constexpr (std::is_same_v<T, bool> || std::is_pointer_v<V>) {
            return std::vector<T>(first, first + count);
        }
        else {
            const T *all = elements<const T>(first);
            return std::vector<T>(all, all + count);
        }
    }
};

template <class T> struct build<std::optional<T>> {
    template <class C> static std::optional<T> make(C *one)
    {
        if (one == NULL) {
            return std::nullopt;
        }
        if constexpr (std::is_same_v<std::remove_const_t<C>, char>) {
            return std::optional<T>(one);
        }
        else {
            return std::optional<T>(*one);
        }
    }
};

template <class T> struct build<std::unique_ptr<T>> {
    static std::unique_ptr<T> make(T *object) { return std::unique_ptr<T>(object); }
};

#ifdef FP_STREAMS
template <> struct build<std::istringstream> {
    static std::istringstream make(const char *text) { return std::istringstream(text); }
};
#endif

#ifdef __cpp_lib_span
template <class T> struct build<std::span<T>> {
    template <class C> static std::span<T> make(C *first, size_t count)
    {
        return std::span<T>(elements<T>(first), count);
    }
};
#endif

/* A matrix or a vector of Eigen: a copy, or a view of the array. Its own class is not named, since the headers are
 * included later. */
template <class T> struct build<T, std::void_t<typename T::PlainObject>> {
    typedef typename T::PlainObject M;

    template <class C, class... N> static T make(C *first, N... sizes)
    {
        typedef std::conditional_t<std::is_const_v<C>, const typename T::Scalar, typename T::Scalar> S;
        return T(M::Map(elements<S>(first), static_cast<typename T::Index>(sizes)...));
    }
};

/* A std::mdspan: a view of the array. For some compilers, another std::void_t would be the same specialization. */
template <class T> struct build<T, std::enable_if_t<sizeof(typename T::mapping_type) != 0>> {
    template <class C, class... N> static T make(C *first, N... sizes)
    {
        return T(elements<typename T::element_type>(first),
                 typename T::extents_type(static_cast<typename T::index_type>(sizes)...));
    }
};

/* ---- Results --------------------------------------------------------------------------------------- */

/* Memory of COUNT elements, also if there are none. */
template <class T> static inline T *
allocate(size_t count)
{
    return static_cast<T *>(::operator new(count * sizeof(T) + (count == 0)));
}

/* A string, as a copy for C, with a null character at the end. */
static inline char *
converted(std::string_view text)
{
    auto &own = fp_short_text;
    char *made = own.characters;
    if (text.size() >= sizeof(own.characters) || own.is_used) {
        fp_text *one = static_cast<fp_text *>(::operator new(sizeof(fp_text) + text.size() + 1));
        *one = {text.size(), NULL};
        made = reinterpret_cast<char *>(one + 1);
    }
    else {
        own.is_used = true;
        own.text = {text.size(), &own.is_used};
    }
    std::memcpy(made, text.data() == NULL ? "" : text.data(), text.size());
    made[text.size()] = '\0';
    return made;
}

#ifdef FP_STREAMS
/* The text that C++ has written. */
static inline char *
converted(const std::ostringstream &stream)
{
    const std::string text = stream.str();
    return converted(std::string_view(text));
}
#endif

/* A std::filesystem::path, of which C++ reads the declaration only if the user includes it. */
template <class T> static inline auto
converted(const T &path) -> decltype(path.lexically_normal(), static_cast<char *>(NULL))
{
    return converted(std::string_view(path.string()));
}

/* A number. */
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>> static inline T
converted(T number)
{
    return number;
}

static inline double _Complex
converted(std::complex<double> number)
{
    double _Complex made;
    std::memcpy(&made, &number, sizeof(made));
    return made;
}

static inline float _Complex
converted(std::complex<float> number)
{
    float _Complex made;
    std::memcpy(&made, &number, sizeof(made));
    return made;
}

/* The elements of a vector, without a copy: the vector is moved to a place where its destructor does not run. The
 * allocator of the standard library has its memory from operator new. */
template <class T> static inline fp_any_pointer
converted(std::vector<T> values, size_t *count)
{
    *count = values.size();
    if constexpr (std::is_same_v<T, bool>) {
        bool *made = allocate<bool>(*count);
        for (size_t k = 0; k < *count; k++) {
            made[k] = values[k];
        }
        return fp_any_pointer{made};
    }
    else {
        union moved {
            std::vector<T> values;
            explicit moved(std::vector<T> &&from) : values(std::move(from)) {}
            ~moved() {}
        } kept(std::move(values));
        return fp_any_pointer{kept.values.data()};
    }
}

template <class T, size_t N> static inline fp_any_pointer
converted(const std::array<T, N> &values)
{
    T *made = allocate<T>(N);
    std::memcpy(static_cast<void *>(made), values.data(), N * sizeof(T));
    return fp_any_pointer{made};
}

#ifdef __cpp_lib_span
template <class T> static inline fp_any_pointer
converted(std::span<T> values, size_t *count)
{
    *count = values.size();
    return fp_any_pointer{const_cast<std::remove_const_t<T> *>(values.data())};
}
#endif

/* The elements of a std::mdspan, the last index varying fastest. */
template <class T, class... N, class E = typename T::extents_type, class V = typename T::value_type>
static inline fp_any_pointer
converted(const T &value, N *...sizes)
{
    std::array<typename T::index_type, sizeof...(N)> place{};
    size_t axis = 0, k, count = 1;
    ((*sizes = static_cast<size_t>(value.extent(axis++)), count *= *sizes), ...);
    V *made = allocate<V>(count);
    for (k = 0; k < count; k++) {
        made[k] = value[place];
        for (axis = sizeof...(N); axis-- > 0 && ++place[axis] == value.extent(axis);) {
            place[axis] = 0;
        }
    }
    return fp_any_pointer{made};
}

/* The elements of a matrix or a vector of Eigen, row by row. */
template <class T, class... N, class S = typename T::Scalar> static inline fp_any_pointer
converted(const T &value, size_t *rows, N *...columns)
{
    *rows = static_cast<size_t>(sizeof...(N) == 0 ? value.size() : value.rows());
    ((*columns = static_cast<size_t>(value.cols())), ...);
    const size_t count = static_cast<size_t>(value.size()), width = sizeof...(N) == 0 ? 1 : static_cast<size_t>(value.cols());
    S *made = allocate<S>(count);
    for (size_t k = 0; k < count; k++) {
        typedef typename T::Index index;
        if constexpr (sizeof...(N) == 0) {
            made[k] = value(static_cast<index>(k));
        }
        else {
            made[k] = value(static_cast<index>(k / width), static_cast<index>(k % width));
        }
    }
    return fp_any_pointer{made};
}

/* An object, moved to the heap. */
template <class T> static inline plain<T> *
on_heap(T &&object)
{
    return new plain<T>(std::forward<T>(object));
}

template <class T> static inline T *
converted(std::unique_ptr<T> object)
{
    return object.release();
}

/* A string or an object, or NULL. */
template <class T> static inline auto
converted(std::optional<T> value)
{
    if constexpr (std::is_convertible_v<T, std::string_view>) {
        return value ? converted(std::string_view(*value)) : NULL;
    }
    else {
        return value ? new T(std::move(*value)) : NULL;
    }
}

} // namespace fp_cpp
#endif

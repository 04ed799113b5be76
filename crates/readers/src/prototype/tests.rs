//! Prototypes, valid and invalid, as strings.

mod round_trip;

use super::*;
use fishplate_model::{
    Argument, CResult, Code, Elements, Expr, Intent, Lifetime, Owner, Passing, Pointee, Returned,
    ReturnedPointer, RowPointers, Scalar, Span, Spanned,
};

fn types() -> Types {
    let mut types = Types::default();
    types.insert("MKL_INT", Scalar::Int64);
    types.insert("enum color", Scalar::Int);
    types
}

fn check(text: &str) -> (Option<Overload>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let map = SpanMap::verbatim(text, 0);
    let overload = super::read(text, &map, &types(), &mut diagnostics);
    assert_eq!(overload.is_none(), !diagnostics.is_empty(), "{text}");
    (overload, diagnostics)
}

fn good(text: &str) -> Overload {
    let (overload, diagnostics) = check(text);
    overload.unwrap_or_else(|| panic!("{text}: {diagnostics:#?}"))
}

fn slice(text: &str, span: Span) -> &str {
    &text[span.start..span.end]
}

#[test]
fn the_prototypes_of_the_design() {
    for text in [
        "double stats_mean(size_t n, const double x[n])",
        "double cos(double x)",
        "void vcos(size_t n, const double x[n], out double y[n])",
        "void matvec(long m, long n, const double a[m][n], const double x[n], out double y[m])",
        "status int solve(long n, inplace fortran double a[n][n], inplace double b[n], \
         hidden int job = 1)",
    ] {
        let overload = good(text);
        assert_eq!(print(&overload), text);
        assert_eq!((overload.text.as_str(), overload.span), (text, Span::new(0, text.len())));
    }
}

#[test]
fn return_codes_that_are_arguments() {
    for text in [
        "void solve_(const int *n, status int *info)",
        "double root(double x, status unsigned char *error)",
        "void f(status size_t *code = 1)",
    ] {
        let overload = good(text);
        let code = overload.arguments.iter().find(|argument| argument.status.is_some()).unwrap();
        assert_eq!(code.intent.as_ref().map(|intent| intent.value), Some(Intent::Hidden), "{text}");
        assert_eq!(print(&overload), text);
    }
}

#[test]
fn tolerated_prototypes() {
    for (text, expected) in [
        ("double f(void)", "double f(void)"),
        (" extern double f(void) ; ", "double f(void)"),
        ("static inline const double f(const double);", ""),
        ("static inline const double f(const double x);", "double f(const double x)"),
        ("void f(double *restrict x, double * const y)", "void f(double *x, double *y)"),
        ("void f(double const *__restrict x)", "void f(const double *x)"),
        ("int /* a */ f( // b\n int n)", "int f(int n)"),
        ("void f(double x[static n], register int n)", "void f(double x[n], int n)"),
        ("long unsigned int f(long n)", "long unsigned int f(long n)"),
        ("int status(int status)", "int status(int status)"),
        ("int status f(int n)", "status int f(int n)"),
        ("MKL_INT f(enum color c)", "MKL_INT f(enum color c)"),
    ] {
        let (overload, diagnostics) = check(text);
        if expected.is_empty() {
            assert_eq!(diagnostics[0].message, "missing name of an argument");
        } else {
            assert_eq!(print(&overload.unwrap_or_else(|| panic!("{text}"))), expected);
        }
    }
}

#[test]
fn qualifiers_come_in_any_order() {
    for (text, expected) in [
        ("const out double x[n]", "out const double x[n]"),
        ("double const out nullable x[n]", "out nullable const double x[n]"),
        ("unsigned out long hidden x[n]", "out unsigned long x[n]"),
        ("out in double x[n]", "in out double x[n]"),
        ("out inplace fortran double x[m][n]", "inplace out fortran double x[m][n]"),
        ("double inout x[n] = 0", "inout double x[n] = 0"),
        ("inout out double *x", "inout out double *x"),
        ("hidden double w[max(1, 2*n)]", "hidden double w[max(1, 2*n)]"),
    ] {
        assert_eq!(print(&good(&format!("void f({text})"))), format!("void f({expected})"));
    }
}

#[test]
fn intent_words_are_names_where_only_a_name_can_stand() {
    for (text, name, intent) in [
        ("double in", "in", None),
        ("double out[n]", "out", None),
        ("double *out", "out", None),
        ("in int hidden = 1", "hidden", Some(Intent::In)),
        ("out double out[n]", "out", Some(Intent::Out)),
        ("double out in", "in", Some(Intent::Out)),
        ("int nullable", "nullable", None),
    ] {
        let overload = good(&format!("void f({text}, int fortran)"));
        let argument = &overload.arguments.raw[0];
        assert_eq!(argument.name.value, name, "{text}");
        assert_eq!(argument.intent.as_ref().map(|intent| intent.value), intent, "{text}");
    }
}

#[test]
fn places_are_those_of_the_words() {
    let text = "status long int f(in /* and */ out double  abc[n + 1] = 2, const float *x)";
    let overload = good(text);
    let CResult::Status(ctype) = &overload.result else { panic!() };
    assert_eq!(slice(text, ctype.span), "long int");
    assert_eq!(slice(text, overload.c_name.span), "f");
    let [first, second] = overload.arguments.raw.as_slice() else { panic!() };
    assert_eq!(slice(text, first.span), "in /* and */ out double  abc[n + 1] = 2");
    assert_eq!(slice(text, first.intent.as_ref().unwrap().span), "in /* and */ out");
    assert_eq!(slice(text, first.ctype.span), "double");
    assert_eq!(slice(text, first.name.span), "abc");
    let Passing::Array { shape, .. } = &first.passing else { panic!() };
    assert_eq!(slice(text, shape[0].span), "n + 1");
    assert_eq!(slice(text, first.default.as_ref().unwrap().span), "2");
    assert_eq!(slice(text, second.span), "const float *x");
}

#[test]
fn names_of_cxx_say_where_they_lie() {
    for (text, c_name) in [
        ("std::int64_t lib::area(std::size_t n)", "lib::area"),
        ("double Circle::area(double r)", "Circle::area"),
        ("double lib::mean<double>(int n)", "lib::mean<double>"),
        ("double a::f < unsigned int,b::c<long> >(int n)", "a::f<unsigned int, b::c<long>>"),
        ("double f<a<b>>(int n)", "f<a<b>>"),
    ] {
        let overload = good(text);
        assert_eq!(overload.c_name.value, c_name);
        assert!(text.contains(slice(text, overload.c_name.span)), "{text}");
    }
    assert_eq!(good("void f(std::size_t n)").arguments.raw[0].ctype.scalar(), Scalar::Size);
}

#[test]
fn compiler_attributes_are_ignored() {
    for text in [
        "__attribute__((pure)) int f(int n)",
        "static __attribute__((const, nonnull(1))) inline int f(int n)",
        "__declspec(dllexport) int __stdcall f(int n);",
        "[[nodiscard]] int f(int n)",
        "extern \"C\" int f(int n) __attribute__((hot));",
        "LIB_API int f(int n)",
        "extern LIB_API const int CALL f(int n)",
    ] {
        let overload = good(text);
        assert_eq!(overload.c_name.value, "f", "{text}");
        let CResult::Value(ctype) = &overload.result else { panic!("{text}") };
        assert_eq!((ctype.spelling.as_str(), slice(text, ctype.span).trim()), ("int", "int"));
    }
    assert!(matches!(good("LIB_API void f(void)").result, CResult::Void));
    assert!(matches!(good("status LIB_API int f(void)").result, CResult::Status(_)));
    assert!(matches!(good("LIB_API own(free) char *f(void)").result, CResult::Pointer(_)));
}

#[test]
fn each_bad_argument_has_its_own_error() {
    for (text, code, place, message) in [
        ("double", Code::PROTO_SYNTAX, "double", "missing name"),
        ("const double *", Code::PROTO_SYNTAX, "double *", "missing name"),
        ("double [3]", Code::PROTO_SYNTAX, "double [3]", "missing name"),
        ("x", Code::PROTO_SYNTAX, "x", "found only `x`"),
        ("out x[n]", Code::PROTO_SYNTAX, "x", "found only `x`"),
        ("out", Code::PROTO_SYNTAX, "out", "neither a type nor a name"),
        ("*x", Code::PROTO_SYNTAX, "*", "type is missing before `*`"),
        ("[n]", Code::PROTO_SYNTAX, "[", "type and a name are missing"),
        ("3", Code::PROTO_SYNTAX, "3", "cannot begin with `3`"),
        ("double *x[n]", Code::UNSUPPORTED_TYPE, "*x[n]", "arrays of pointers"),
        ("out own(free) double x[n]", Code::BAD_QUALIFIERS, "own", "do not apply to `x`"),
        ("bytes x", Code::BAD_QUALIFIERS, "bytes", "`bytes` applies to arrays"),
        ("out text char *x", Code::BAD_QUALIFIERS, "text", "`text` applies to arrays"),
        ("out own(free) double *x[n : m]", Code::PROTO_SYNTAX, "m", "one size"),
        ("out double x[n][m : k]", Code::PROTO_SYNTAX, "k", "only the first dimension"),
        ("out double x[n :]", Code::PROTO_SYNTAX, ":", "missing size next to `:`"),
        ("double **x", Code::UNSUPPORTED_TYPE, "**", "pointers to pointers"),
        ("double (*f)(double)", Code::PROTO_SYNTAX, "double", "missing name"),
        ("double (*x)[3]", Code::UNSUPPORTED_TYPE, "(", "function or an array"),
        ("(*f)(int n)", Code::PROTO_SYNTAX, "f", "has no type"),
        ("until() void (*f)(int n)", Code::PROTO_SYNTAX, "()", "the name of a function"),
        ("data() void (*f)(int n)", Code::PROTO_SYNTAX, "data()", "needs a value"),
        ("data(x) double x", Code::BAD_QUALIFIERS, "data", "`x` is not a"),
        ("fails(1) double x", Code::BAD_QUALIFIERS, "fails", "`x` is not a"),
        ("double (x)", Code::PROTO_SYNTAX, "(", "cannot have parentheses"),
        ("double x(n)", Code::PROTO_SYNTAX, "(", "cannot have parentheses"),
        ("double x(2, n)", Code::PROTO_SYNTAX, "(", "cannot have parentheses"),
        ("double f(double)", Code::PROTO_SYNTAX, "double", "missing name"),
        ("int n, ..., int m, ...", Code::UNSUPPORTED_TYPE, "...", "variable number"),
        ("struct point p", Code::UNSUPPORTED_TYPE, "struct point", "not supported"),
        ("struct point *p", Code::UNSUPPORTED_TYPE, "struct point", "not supported"),
        ("void *x", Code::UNSUPPORTED_TYPE, "void *", "`void` pointer"),
        ("void x[n]", Code::UNSUPPORTED_TYPE, "void", "not the type of a value"),
        ("long double x", Code::UNSUPPORTED_TYPE, "long double", "not supported"),
        ("volatile int x", Code::UNSUPPORTED_TYPE, "volatile", "not supported"),
        ("int x : 3", Code::PROTO_SYNTAX, ":", "bit-field"),
        ("nullable double &x", Code::UNSUPPORTED_TYPE, "nullable double &x", "cannot be NULL"),
        (
            "std::map<double, int> n",
            Code::UNSUPPORTED_TYPE,
            "std::map<double, int> n",
            "`std::map<double, int>` is an unsupported type",
        ),
        ("std::string_view &n", Code::UNSUPPORTED_TYPE, "std::string_view &n", "C++ may change"),
        ("double x[]", Code::PROTO_SYNTAX, "[]", "no size"),
        ("double x[n][*]", Code::PROTO_SYNTAX, "[*]", "no size"),
        ("double x[n, m]", Code::PROTO_SYNTAX, ",", "comma cannot join"),
        ("double x[n] y", Code::PROTO_SYNTAX, "y", "not expected"),
        ("double x double y", Code::UNKNOWN_TYPE, "x", "not a type in C"),
        ("double x =", Code::PROTO_SYNTAX, "=", "missing after `=`"),
        ("double x = 1 = 2", Code::PROTO_SYNTAX, "=", "cannot assign"),
        ("float64 x", Code::UNKNOWN_TYPE, "float64", "unknown type `float64`"),
        ("double for", Code::BAD_NAME, "for", "keyword of C"),
        ("fortran double x", Code::BAD_QUALIFIERS, "fortran", "`x` is not a"),
        ("in hidden double x", Code::BAD_QUALIFIERS, "hidden", "contradict"),
        ("inout inplace double *x", Code::BAD_QUALIFIERS, "inplace", "contradict"),
        ("out double out x[n]", Code::BAD_QUALIFIERS, "out", "duplicate"),
        ("int n,", Code::PROTO_SYNTAX, ",)", "missing after `,`"),
        ("int n,, int m", Code::PROTO_SYNTAX, ",,", "missing after `,`"),
    ] {
        let whole = format!("void f({text})");
        let (_, diagnostics) = check(&whole);
        let [found] = diagnostics.as_slice() else { panic!("{text}: {diagnostics:#?}") };
        assert_eq!(found.code, code, "{text}: {}", found.message);
        assert!(found.message.contains(message), "{text}: {}", found.message);
        assert_eq!(slice(&whole, found.primary.span), place, "{text}");
    }
}

#[test]
fn each_bad_prototype_has_its_own_error() {
    for (text, code, place, message) in [
        ("", Code::PROTO_SYNTAX, "", "empty"),
        ("  // no\n", Code::PROTO_SYNTAX, "// no", "empty"),
        ("double f", Code::PROTO_SYNTAX, "double f", "missing list of arguments"),
        ("double (int n)", Code::PROTO_SYNTAX, "double (", "name is missing"),
        ("(int n)", Code::PROTO_SYNTAX, "(", "name is missing"),
        ("f(int n)", Code::PROTO_SYNTAX, "f", "has no type"),
        ("double **f(int n)", Code::UNSUPPORTED_TYPE, "*", "a pointer to a pointer"),
        ("void *f(int n)", Code::UNSUPPORTED_TYPE, "void", "`void` pointer"),
        ("own(free) double f(int n)", Code::BAD_QUALIFIERS, "own", "`own` applies to pointers"),
        (
            "borrow(x) double f(int n)",
            Code::BAD_QUALIFIERS,
            "borrow",
            "`borrow` applies to pointers",
        ),
        ("bytes double *f(int n)", Code::BAD_QUALIFIERS, "bytes", "`bytes` applies to arrays"),
        (
            "status own(free) double *f(int n)[n]",
            Code::BAD_QUALIFIERS,
            "status",
            "not another pointer",
        ),
        ("own(1) char *f(int n)", Code::PROTO_SYNTAX, "1", "name of a C function"),
        ("own(a, b) char *f(int n)", Code::PROTO_SYNTAX, "b", "one C function"),
        ("borrow(*x) char *f(int n)", Code::PROTO_SYNTAX, "*x", "names of arguments"),
        ("own(free) double *f(int n)[]", Code::PROTO_SYNTAX, "[]", "has one size"),
        ("out char *f(int n)", Code::BAD_QUALIFIERS, "out", "qualifies an argument"),
        ("out double f(int n)", Code::BAD_QUALIFIERS, "out", "qualifies an argument"),
        ("status void f(int n)", Code::BAD_QUALIFIERS, "status", "cannot be `void`"),
        ("status status int f()", Code::BAD_QUALIFIERS, "status", "duplicate"),
        ("typedef int f(int n)", Code::PROTO_SYNTAX, "typedef", "not a prototype"),
        ("int if(int n)", Code::BAD_NAME, "if", "keyword of C"),
        ("int f(int n", Code::PROTO_SYNTAX, "(", "`(` is not closed"),
        ("int f(int x[n)", Code::PROTO_SYNTAX, ")", "does not close `[`"),
        ("int f(int n))", Code::PROTO_SYNTAX, ")", "unmatched"),
        ("int f(int n) { return 1; }", Code::PROTO_SYNTAX, "{ return 1; }", "no body"),
        ("int f(int n) const", Code::PROTO_SYNTAX, "const", "after the arguments"),
        ("int f(); int g()", Code::PROTO_SYNTAX, "int g()", "second prototype"),
        ("int f();;", Code::PROTO_SYNTAX, ";", "one `;`"),
        ("__attribute__((pure int f()", Code::PROTO_SYNTAX, "(", ""),
        ("A_API B_T f()", Code::UNKNOWN_TYPE, "A_API", "unknown type `A_API`"),
        ("a->b f()", Code::PROTO_SYNTAX, "->", "not expected"),
    ] {
        let (_, diagnostics) = check(text);
        let found = &diagnostics[0];
        assert_eq!(found.code, code, "{text}: {}", found.message);
        assert!(found.message.contains(message), "{text}: {}", found.message);
        assert_eq!(slice(text, found.primary.span), place, "{text}");
    }
}

#[test]
fn all_that_is_wrong_is_reported() {
    let text = "foo f(bar x, double y[], in out hidden int n = , float64 *z) junk";
    let (_, diagnostics) = check(text);
    let places: Vec<&str> =
        diagnostics.iter().map(|found| slice(text, found.primary.span)).collect();
    assert_eq!(places, ["foo", "bar", "[]", "hidden", "=", "float64", "junk"]);
    assert!(diagnostics.iter().all(|found| !found.hint.is_empty()));
}

#[test]
fn strings_bytes_and_memory_that_c_returns() {
    for text in [
        "void f(const char *s, in char *t, nullable const char *u, const char *mode = \"r\")",
        "int f(out bytes Bytef dest[destLen], bytes const void blob[n], int n)",
        "void f(out text char buf[n : k], out double x[cap ? a : b : result])",
        "const char *f(int n)",
        "own(free) char *f(void)",
        "own(g_free) nullable fortran const double *f(out size_t *n)[n][3]",
        "borrow(a, b) bytes unsigned char *f(double a)[8]",
        "borrow char *own(int borrow)",
        "double own(int n)",
        "int f(out own(free) char **text, out own(free) bytes void *x[n], out const char **message)",
    ] {
        let mut types = types();
        types.insert("Bytef", Scalar::UChar);
        let map = SpanMap::verbatim(text, 0);
        let mut diagnostics = Vec::new();
        let overload = super::read(text, &map, &types, &mut diagnostics)
            .unwrap_or_else(|| panic!("{text}: {diagnostics:#?}"));
        assert_eq!(print(&overload), text);
    }
    let typeless = good("void f(out bytes x[n], bytes bytes[n])");
    assert_eq!(
        print(&typeless),
        "void f(out bytes unsigned char x[n], bytes unsigned char bytes[n])"
    );
    assert_eq!(print(&good("own(free) double f(int n)[n]")), "own(free) double *f(int n)[n]");
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let deep = format!("int f(int n = {}1{})", "(".repeat(10_000), ")".repeat(10_000));
    assert!(check(&deep).1[0].message.contains("more than 1000 parts"));
    let open = format!("int f{}", "(".repeat(10_000));
    assert_eq!(check(&open).1[0].message, "`(` is not closed");
    let wide = format!("int f(int n{})", ", int n".repeat(10_000));
    assert_eq!(good(&wide).arguments.len(), 10_001);
}

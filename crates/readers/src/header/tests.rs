use super::*;
use fishplate_model::{Code, Diagnostic, Intent, Passing, Source};

/// A header after the preprocessor, which changes only annotations here.
fn reading(text: &str) -> crate::interface::Reading {
    let mut printed = String::from("# 1 \"stats.h\"\n");
    for line in text.lines() {
        let mut line = line.split("//").next().unwrap_or_default().to_owned();
        if line.starts_with("FP_MODULE") || line.starts_with('#') {
            line.clear();
        }
        for name in ["SHAPE", "DEFAULT", "NAME", "RETURNS", "GIL"] {
            while let Some(at) = line.find(&format!("FP_{name}(")) {
                let open = at + name.len() + 3;
                let close = open + matching(&line[open..]);
                let argument = line[open + 1..close].replace('\\', "\\\\").replace('"', "\\\"");
                let made = format!("__fishplate__({}, \"{argument}\")", name.to_lowercase());
                line.replace_range(at..=close, &made);
            }
        }
        for name in
            ["INPLACE", "INOUT", "IN", "OUT", "HIDDEN", "NULLABLE", "FORTRAN", "STATUS", "SKIP"]
        {
            line = line.replace(
                &format!("FP_{name} "),
                &format!("__fishplate__({}) ", name.to_lowercase()),
            );
        }
        printed.push_str(&line);
        printed.push('\n');
    }
    let source = Source { path: "stats.h".into(), text: text.to_owned() };
    let header =
        Header { name: "stats.h".into(), markers: vec!["stats.h".into()], text: text.to_owned() };
    let mut diagnostics = Vec::new();
    let preamble = preamble(&source, "stats", &mut diagnostics);
    let mut reading = read(source, preamble, &header, &printed);
    reading.diagnostics.extend(diagnostics);
    reading
}

fn matching(text: &str) -> usize {
    let mut depth = 0;
    text.char_indices()
        .find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0
        })
        .map_or(text.len() - 1, |(at, _)| at)
}

/// The mistakes in a header: the code, the source at its place, and the hint.
fn wrong(text: &str) -> Vec<(Code, String, String)> {
    let shown = |found: &Diagnostic| {
        let span = found.primary.span;
        (found.code, text[span.start..span.end].to_owned(), found.hint.clone())
    };
    reading(text).diagnostics.iter().map(shown).collect()
}

#[test]
fn definitions_are_read_as_declarations_are() {
    let text = "#define FP_SKIP\nstatic double helper(double x) { return x; }\n\
                FP_SKIP int odd(void) { return 1; }\ndouble f(double x) { return helper(x); }\n";
    let names = |static_is_private: bool| {
        let source = Source { path: "stats.h".into(), text: text.to_owned() };
        let name = "stats.h".to_owned();
        let header = Header { name: name.clone(), markers: vec![name], text: text.to_owned() };
        let mut preamble = preamble(&source, "stats", &mut Vec::new());
        (preamble.is_annotated, preamble.static_is_private) = (true, static_is_private);
        let printed = text.replace("#define FP_SKIP", "").replace("FP_SKIP", "__fishplate__(skip)");
        let reading = read(source, preamble, &header, &format!("# 1 \"stats.h\"\n{printed}"));
        assert_eq!(reading.diagnostics, []);
        let functions = reading.interface.functions.into_iter();
        functions.map(|function| function.name.value).collect::<Vec<_>>()
    };
    assert_eq!(names(false), ["helper", "f"]);
    assert_eq!(names(true), ["f"]);
}

#[test]
fn an_annotated_header_is_an_interface() {
    let text = "FP_MODULE(prefix, \"stats_\")
/** Arithmetic mean. */
double stats_mean(size_t n, const double *x FP_SHAPE(n));
FP_STATUS int solve(long n, FP_INPLACE FP_FORTRAN double a[n][n],
                    FP_OUT double *x FP_SHAPE(n), FP_HIDDEN int job FP_DEFAULT(n > 1 ? 'a' : 2));
FP_SKIP void *internal(void);
FP_NAME(cosine) FP_GIL(hold) double cos(double x); FP_NAME(cosine) float cosf(float x);
typedef double real;
extern FP_RETURNS(b, result) real both(FP_OUT real *a, FP_OUT real *b);
void root(double x, FP_STATUS int *error);
double walk(double (*step)(int n, FP_OUT double *y FP_SHAPE(n), void *d), void *d FP_DEFAULT(NULL));
";
    let reading = reading(text);
    assert_eq!(reading.diagnostics, []);
    let functions = &reading.interface.functions;
    let names: Vec<&str> = functions.iter().map(|function| function.name.value.as_str()).collect();
    assert_eq!(names, ["mean", "solve", "cosine", "both", "root", "walk"]);
    assert_eq!(functions[0].doc, "Arithmetic mean.");
    assert_eq!(functions[0].overloads[0].text, "double stats_mean(size_t n, const double x[n])");
    assert_eq!(
        functions[1].overloads[0].text,
        "status int solve(long n, inplace fortran double a[n][n], out double x[n], \
         hidden int job = n > 1 ? 'a' : 2)"
    );
    assert_eq!(functions[2].overloads.len(), 2);
    assert_eq!(functions[3].returns.as_ref().map(Vec::len), Some(2));
    assert_eq!(functions[4].overloads[0].text, "void root(double x, status int *error)");
    assert_eq!(
        functions[5].overloads[0].text,
        "double walk(double(*step)(int n, out double y[n], void *d), void *d = NULL)"
    );
    let solve = &functions[1].overloads[0];
    let written = |span: fishplate_model::Span| &text[span.start..span.end];
    assert_eq!(written(solve.c_name.span), "solve");
    let x = &solve.arguments.raw[2];
    assert_eq!(written(x.name.span), "x");
    let intent = x.intent.as_ref().unwrap();
    assert_eq!((intent.value, written(intent.span)), (Intent::Out, "FP_OUT"));
    assert!(matches!(&x.passing, Passing::Array { shape, .. } if written(shape[0].span) == "n"));
    assert_eq!(written(solve.arguments.raw[3].default.as_ref().unwrap().span), "n > 1 ? 'a' : 2");
    assert!(
        written(solve.span).starts_with("FP_STATUS int solve")
            && written(solve.span).ends_with("2))")
    );
}

#[test]
fn a_shape_leaves_the_pointers_to_rows() {
    let text = "double f(FP_IN double **a FP_SHAPE(m, n), const float *const *b FP_SHAPE(m, k[]), const int *k FP_SHAPE(m),
         const char **names FP_SHAPE(m), FP_IN long *c[] FP_SHAPE(m, n), int m, int n);";
    let reading = reading(text);
    assert_eq!(reading.diagnostics, []);
    assert_eq!(
        reading.interface.functions[0].overloads[0].text,
        "double f(in double *a[m][n], const float *const b[m][k[]], const int k[m], const char *names[m], \
         in long *c[m][n], int m, int n)"
    );
}

#[test]
fn mistakes_are_found_where_they_were_written() {
    for (text, code, place, hint) in [
        (
            "FP_STATUS int f(FP_OUT FP_IN FP_HIDDEN double *y);",
            Code::BAD_QUALIFIERS,
            "FP_HIDDEN",
            "write one of `FP_IN`",
        ),
        ("FP_OUT int f(void);", Code::BAD_QUALIFIERS, "FP_OUT", "remove it"),
        ("struct s; FP_STATUS int f(struct s *p);", Code::UNSUPPORTED_TYPE, "struct s", "members"),
        (
            "typedef struct s *handle; FP_STATUS int f(handle h);",
            Code::UNSUPPORTED_TYPE,
            "handle",
            "numbers and arrays",
        ),
        (
            "FP_STATUS int f(double *y FP_SHAPE());",
            Code::PROTO_SYNTAX,
            "FP_SHAPE()",
            "write a number",
        ),
        ("FP_STATUS int f(int n FP_DEFAULT(1 +));", Code::PROTO_SYNTAX, "+", "write"),
        (
            "FP_STATUS int f(int n FP_DEFAULT(@));",
            Code::PROTO_SYNTAX,
            "FP_DEFAULT",
            "write the default",
        ),
        ("FP_STATUS double *f(int n);", Code::BAD_QUALIFIERS, "FP_STATUS", "remove `FP_STATUS`"),
        ("FP_SHAPE(n) int f(int n);", Code::BAD_ANNOTATION, "FP_SHAPE", "after the parameter"),
        ("int f(FP_STATUS FP_OUT int *e);", Code::BAD_QUALIFIERS, "FP_OUT", "remove it"),
        ("FP_GIL(drop) int f(int n);", Code::BAD_ANNOTATION, "FP_GIL", "`hold`"),
        ("FP_NAME(a-b) int f(int n);", Code::BAD_NAME, "FP_NAME", "FP_NAME(a_b)"),
        ("FP_STATUS int f(int n;", Code::HEADER_SYNTAX, "FP_STATUS int f(int n;", "missing"),
        ("FP_SKIP int f(int n);", Code::NO_FUNCTIONS, "", "declares them"),
        ("int f(int n);", Code::NO_FUNCTIONS, "", "fishplate init stats.h"),
        ("FP_MODULE(nam, \"x\")\nint f(int n);", Code::BAD_ANNOTATION, "nam", "`name`"),
    ] {
        let found = wrong(text);
        let first = found.first().unwrap_or_else(|| panic!("{text}"));
        assert_eq!((first.0, first.1.as_str()), (code, place), "{text}");
        assert!(in_words_of_headers(&first.2).contains(hint), "{text}: {}", first.2);
    }
}

#[test]
fn advice_speaks_of_annotations() {
    assert_eq!(
        in_words_of_headers("write `out`, `in out` or `hidden`, or `x[n]`; a default: `= 0`"),
        "write `FP_OUT`, `FP_IN FP_OUT` or `FP_HIDDEN`, or `x[n]`; a default: `FP_DEFAULT(0)`"
    );
}

#[test]
fn annotations_that_have_no_meaning_where_they_are() {
    for (declaration, message, hint) in [
        (
            "void f(double *a FP_SHAPE(n), double x FP_SHAPE(n), int n);",
            "`x` is passed by value",
            "`*x`",
        ),
        ("void f(const float x FP_SHAPE(3));", "`x` is passed by value", "`*x`"),
        ("void f(int n, const int *x FP_SHAPE([n]));", "in `[ ]`", "`FP_SHAPE(n)`"),
        ("void f(int m, int n, const int *x FP_SHAPE([m][n]));", "in `[ ]`", "`FP_SHAPE(m, n)`"),
        ("void f(int n, const int *x FP_SHAPE(n) FP_SHAPE(2));", "two `FP_SHAPE`", "remove one"),
        (
            "void f(int n, double *x FP_SHAPE(n) FP_OUT );",
            "after the name of `x`",
            "`FP_OUT double *y`",
        ),
        ("void f(long k FP_DEFAULT(1, 2));", "2 defaults", "`FP_DEFAULT(1)`"),
        ("FP_NAME(a) FP_NAME(b) long f(long k);", "duplicate `FP_NAME`", "remove one"),
        (
            "void f(int (*g)(FP_OUT int *y FP_SHAPE(2) FP_SHAPE(3)));",
            "`y` has two `FP_SHAPE`",
            "remove one",
        ),
        (
            "void f(int (*g)(int *y FP_OUT ));",
            "`FP_OUT` is after the name of `y`",
            "`FP_OUT double *y`",
        ),
        ("double f(int n) FP_SHAPE(n);", "applies to a parameter", "after the parameter's name"),
        (
            "double f(int n, FP_GIL(hold) double *x);",
            "applies to the function",
            "in front of the declaration",
        ),
    ] {
        let found = reading(declaration).diagnostics;
        assert_eq!(found.len(), 1, "{declaration}: {found:?}");
        assert_eq!(found[0].code, Code::BAD_ANNOTATION, "{declaration}");
        assert!(found[0].message.contains(message), "{declaration}: {}", found[0].message);
        assert!(found[0].hint.contains(hint), "{declaration}: {}", found[0].hint);
    }
    // Of several, the faulty one.
    let text = "void f(const double *a FP_SHAPE(n), double x FP_SHAPE(n), int n);";
    let span = reading(text).diagnostics[0].primary.span;
    assert_eq!(span.start, text.rfind("FP_SHAPE").unwrap());
    // A typedef may be a pointer.
    let text = "typedef const double *view; double f(int n, view x FP_SHAPE(n));";
    assert!(!wrong(text).iter().any(|(code, ..)| *code == Code::BAD_ANNOTATION));
}

#[test]
fn annotations_without_their_value_and_words_that_are_none() {
    for (declaration, word, hint) in [
        ("void f(int n, const int *x FP_SHAPE n);", "FP_SHAPE", "`FP_SHAPE(n)`"),
        ("void f(int n, FP_OPTIONAL const int *x FP_SHAPE(n));", "FP_OPTIONAL", "`FP_NULLABLE`"),
        ("void f(int n, const int *x FP_SIZE(n));", "FP_SIZE", "`FP_SHAPE`"),
        ("FP_STATUS int g(int n); void f(fp_out double *x);", "fp_out", "`FP_OUT`"),
    ] {
        let found = wrong(declaration);
        assert_eq!(found[0].0, Code::HEADER_SYNTAX, "{declaration}: {found:?}");
        assert_eq!(found[0].1, word, "{declaration}");
        assert!(found[0].2.contains(hint), "{declaration}: {}", found[0].2);
    }
    let found = reading("FP_SKIP int f(int n);").diagnostics;
    assert!(found[0].message.contains("but those with `FP_SKIP`"), "{}", found[0].message);
}

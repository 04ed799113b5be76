//! For any output of the preprocessor, headers are read without a panic, and every place is inside
//! the header; every guess is a valid interface.

use fishplate_init::{DraftModule, Reserved, draft};
use fishplate_model::Source;
use fishplate_readers::header::{Header, macros, preamble, read};
use fishplate_readers::interface;
use proptest::prelude::*;

const VALID: &str = r#"# 1 "stats.h" 1 3
__extension__ typedef unsigned long size_t; typedef double real;
typedef enum { UP, DOWN = -1 } direction; enum E { A }; struct s { int x[3]; };
# 12 "stats.h"
__fishplate__(status) int solve(long n, __fishplate__(inplace) real *__restrict a __fishplate__(shape, "n, n"),
    __fishplate__(hidden) int job __fishplate__(default, "n > 1 ? 'a' : \"x\"")) __attribute__((pure));
# 14 "stats.h"
extern double _Complex mean(const real *x, size_t n) __asm__("é"); static inline int f(void) { return 1; }
void cblas_dgemv(enum E order, int m, int n, const double *a, int lda, double (*g)(int), ...);
int compress(unsigned char *dest, unsigned long *destLen, const unsigned char *source, long sourceLen);
typedef struct db db; db *db_open(const char *name, int flags); void db_close(db *); int db_each(db *d,
    int (*each)(void *, int n, char **strings), void *data, char **error); extern const db *db_default;
typedef struct { double x[2]; struct s inner; } point; point centre(const point *all, size_t n);
__fishplate_macro__ "DB_OK" 0
__fishplate_macro__ "DB_NAME" "é"
"#;

const HEADER: &str = r#"FP_MODULE(name, "x") FP_MODULE(sources, "a.c", "b" ".c")
/** Docs é. */
FP_STATUS int solve(long n, FP_INPLACE real *restrict a FP_SHAPE(n, n), FP_HIDDEN int job FP_DEFAULT(n > 1 ? 'a' : "x"));
/// Mean.
API double complex mean(const real *x, size_t n); static inline int f(void) { return 1; }
"#;

fn check(header: &str, printed: &str) -> Result<(), TestCaseError> {
    let source = Source { path: "stats.h".into(), text: header.to_owned() };
    let described = Header {
        name: "stats.h".into(),
        markers: vec!["stats.h".into(), String::new()],
        text: header.to_owned(),
    };
    let mut diagnostics = Vec::new();
    let preamble = preamble(&source, "stats", &mut diagnostics);
    let reading = read(source, preamble, &described, printed);
    for found in reading.diagnostics.iter().chain(&diagnostics) {
        for label in found.secondary.iter().chain([&found.primary]) {
            prop_assert!(header.get(label.span.start..label.span.end).is_some(), "{found:?}");
        }
        prop_assert!(!found.hint.is_empty() && found.message.chars().count() < 200);
    }
    for overload in reading.interface.functions.iter().flat_map(|function| &function.overloads) {
        prop_assert!(header.get(overload.span.start..overload.span.end).is_some());
        for argument in &overload.arguments {
            prop_assert!(header.get(argument.span.start..argument.span.end).is_some());
        }
    }
    let module = DraftModule { name: "stats".into(), ..DraftModule::default() };
    let answers = macros::answers(printed);
    let made = draft(printed, &[described], &answers, module, &|_| true, Reserved::default());
    if !made.functions.is_empty() {
        let text = made.print();
        let source = Source { path: "stats.toml".into(), text: text.clone() };
        let read = interface::read(source);
        prop_assert!(read.diagnostics.is_empty(), "{:?}\n{text}", read.diagnostics);
        let made_by = read.interface.handles.iter().filter(|handle| handle.constructor.is_some());
        let functions = read.interface.functions.len() + made_by.count();
        prop_assert_eq!(functions, made.functions.len());
    }
    Ok(())
}

#[test]
fn every_beginning_and_every_deletion() {
    for (at, c) in VALID.char_indices().step_by(11) {
        check(HEADER, &VALID[..at]).unwrap();
        check(HEADER, &format!("{}{}", &VALID[..at], &VALID[at + c.len_utf8()..])).unwrap();
    }
    for (at, _) in HEADER.char_indices() {
        check(&HEADER[..at], VALID).unwrap();
    }
}

#[test]
fn a_header_that_is_deep_or_long() {
    for open in
        ["(", "[", "{", "*", "int (*", "struct {", "__attribute__((", "extern \"C\" {", "x["]
    {
        let deep = open.repeat(3_000);
        check(&deep, &format!("int f(int {deep} x);\nint g(int n);")).unwrap();
        check(HEADER, &format!("typedef int {deep} t; double f(t {deep});")).unwrap();
    }
    let many: String = (0..2_000).map(|index| format!("int n{index}, ")).collect();
    check(&many, &format!("__fishplate__(status) int f({many} int last);")).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_text(header in any::<String>(), printed in any::<String>()) {
        check(&header, &printed)?;
    }

    #[test]
    fn any_declarations(words in prop::collection::vec(prop::sample::select(vec![
        "int", "double", "const", "unsigned", "long", "enum E", "struct s", "void", "f", "x", "n", "in",
        "(", ")", "[", "]", "{", "}", "*", ",", ";", "=", "...", "typedef", "static", "extern",
        "__fishplate__(out)", "__fishplate__(shape, \"n\")", "__fishplate__(default, \"1 +\")",
        "__attribute__((x))", "_Complex", "\n# 3 \"stats.h\"\n", "é", "char", "s_new", "s_free",
        "__fishplate_macro__ \"A\" 1", "lda", "incx", "\"s\"", "'",
    ]), 0..40)) {
        let text = words.join(" ");
        check(&text, &text)?;
        check(HEADER, &format!("{VALID}{text}"))?;
    }
}

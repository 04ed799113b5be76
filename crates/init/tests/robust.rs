//! For any output of the preprocessor, headers are read without a panic, and every place is inside
//! the header; every guess is a valid interface.

use fishplate_init::cplusplus;
use fishplate_init::cplusplus::declarations::{
    Class, DefaultValue, Enum, Field, Function, Parameter, Place, Type, Unit,
};
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

/// Names as in C++, with letters that C does not have too.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,3}",
        "lib::[a-z]{1,2}",
        "operator[-+*=<\\[]{1,2}",
        ".{0,4}",
        Just("std::string".to_owned())
    ]
}

fn ctype() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        Just(Type::Void),
        prop_oneof!["double", "int", "char", "size_t"].prop_map(Type::Number),
        name().prop_map(Type::Class),
        name().prop_map(Type::Enum),
        name().prop_map(Type::Other),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(Type::Pointer),
            boxed.clone().prop_map(Type::Reference),
            boxed.clone().prop_map(Type::Moved),
            boxed.clone().prop_map(Type::Const),
            (boxed.clone(), 0usize..4).prop_map(|(one, size)| Type::Array(one, size)),
            (boxed, prop::collection::vec(inner.clone(), 0..3))
                .prop_map(|(one, all)| Type::Function(one, all)),
            (
                prop_oneof!["std::(vector|span|optional|function|map)", "lib::[a-z]"],
                prop::collection::vec(inner, 0..3)
            )
                .prop_map(|(name, all)| Type::Template(name, all)),
        ]
    })
}

fn function() -> impl Strategy<Value = Function> {
    let default = prop::option::of(prop_oneof![
        "[0-9a-z{\"]{0,3}".prop_map(DefaultValue::Constant),
        ".{0,3}".prop_map(DefaultValue::Other),
    ]);
    let parameter = (name(), ctype(), default).prop_map(|(name, ctype, default)| Parameter {
        is_output: false,
        name,
        ctype,
        default,
    });
    let parameters = prop::collection::vec(parameter, 0..3);
    (name(), name(), ctype(), parameters, any::<[bool; 6]>(), 0usize..30).prop_map(
        |(name, scope, result, parameters, is, line)| Function {
            name,
            scope,
            place: Place { header: line % 2, line },
            result,
            parameters,
            is_method: is[0],
            is_static: is[1],
            is_const: is[2],
            is_variadic: is[3] && is[4],
            is_deleted: is[4] && is[5],
            is_template: is[3] && is[5],
            is_virtual: is[0] && is[4],
            returns_view: is[1] && is[4],
            is_pure: is[0] && is[4] && is[5],
            is_friend: is[2] && !is[0],
            is_of_lvalues: is[0] && is[5],
            names: Default::default(),
            overrides: Vec::new(),
            lifetime: Default::default(),
        },
    )
}

fn unit() -> impl Strategy<Value = Unit> {
    let functions = || prop::collection::vec(function(), 0..4);
    let field =
        (name(), ctype()).prop_map(|(name, ctype)| Field { name, ctype, ..Field::default() });
    let fields = prop::collection::vec(field, 0..3);
    let class = (name(), functions(), functions(), fields, any::<bool>()).prop_map(
        |(name, constructors, methods, fields, is_destructible)| Class {
            bases: vec![name.clone()],
            name,
            constructors,
            methods,
            fields,
            is_destructible,
            ..Class::default()
        },
    );
    let values = prop::collection::vec(name(), 0..3);
    let enumeration =
        (name(), values).prop_map(|(name, values)| Enum { name, values, ..Enum::default() });
    let classes = prop::collection::vec(class, 0..3);
    let aliases = prop::collection::vec((name(), ctype()), 0..3);
    (classes, prop::collection::vec(enumeration, 0..3), functions(), name(), aliases).prop_map(
        |(classes, enums, functions, constant, aliases)| Unit {
            classes,
            enums,
            functions,
            constants: vec![(constant.clone(), Place::default())],
            aliases,
            others: vec![(constant, Place { header: 3, line: 99 }, "odd\nreason".to_owned())],
        },
    )
}

proptest! {
    /// Any declarations are drafted without a panic, also if parts are left out afterwards.
    #[test]
    fn declarations_of_cplusplus_are_drafted(unit in unit(), parts in prop::collection::vec(name(), 0..4)) {
        let header = Header { name: "x.hpp".into(), text: "// é\n\nint x;\n".into(), ..Header::default() };
        let module = DraftModule { name: "x".into(), ..DraftModule::default() };
        let mut made = cplusplus::draft(&unit, &[header], module, "c++17", &|_| true, Reserved::default());
        let text = made.print();
        prop_assert!(text.parse::<toml::Table>().is_ok(), "{}", text);
        let read = interface::read(Source { path: "x.toml".into(), text: text.clone() });
        for found in &read.diagnostics {
            prop_assert!(text.get(found.primary.span.start..found.primary.span.end).is_some());
        }
        for part in &parts {
            let tables: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']')).collect();
            for table in tables {
                made.leave_out(table, part, "a reason");
            }
            made.leave_out_symbol(part, "a reason");
        }
        prop_assert!(made.print().len() > 100);
    }
}

/// A name that no header can have leaves out one function, not the file's syntax.
#[test]
fn names_that_are_no_identifiers_are_left_out() {
    for name in [".a", "a.", "a.b", "", "é"] {
        let function = Function { name: name.to_owned(), ..Function::default() };
        let unit = Unit { functions: vec![function], ..Unit::default() };
        let module = DraftModule { name: "x".into(), ..DraftModule::default() };
        let made = cplusplus::draft(&unit, &[], module, "c++17", &|_| true, Reserved::default());
        assert_eq!((made.functions(), made.left_out.len()), (0, 1), "{name}");
    }
}

//! Interface files, valid and invalid, as strings.

use super::*;
use fishplate_model::{CResult, Code, Gil, Scalar, Severity};

const GOOD: &str = r#"
[module]
name         = "pkg.stats"
doc          = "Sample statistics."
headers      = ["stats.h", "more.h"]
sources      = ["stats.c"]
include-dirs = ["include"]
libraries    = ["m"]
library-dirs = ["lib"]
cflags       = ["-O3"]
defines      = ["NDEBUG", "N=10"]

[types]
MKL_INT = "int64"
"enum  color" = "unsigned int"

[function.mean]
doc   = "Arithmetic mean of `x`."
proto = "double stats_mean(size_t n, const double x[n])"
gil   = "release"

[function.cos]
proto = ["double cos(double x)",
         "float cosf(float x)"]

[function.divmod]
proto = "MKL_INT divide(MKL_INT n, MKL_INT d, out MKL_INT *rest, enum color c)"
returns = ["result", "rest"]
"#;

fn reading(text: &str) -> Reading {
    super::read(Source { path: "stats.toml".into(), text: text.to_owned() })
}

/// Each diagnostic's code, the source at its place, and its message.
fn wrong(text: &str) -> Vec<(&'static str, String, String)> {
    let reading = reading(text);
    let slice = |span: Span| text[span.start..span.end].to_owned();
    for found in &reading.diagnostics {
        assert!(found.severity == Severity::Error && !found.hint.is_empty());
        assert!(!found.message.ends_with('.') && !found.hint.ends_with('.'), "{found:?}");
    }
    reading
        .diagnostics
        .into_iter()
        .map(|found| {
            let shown = format!("{}; {}", found.message, found.hint);
            (found.code.id, slice(found.primary.span), shown)
        })
        .collect()
}

/// Exactly one diagnostic, with this code, place and message.
fn one(text: &str, code: Code, place: &str, shown: &str) {
    let found = wrong(text);
    let [(id, at, message)] = found.as_slice() else { panic!("{text}\n{found:#?}") };
    assert_eq!((*id, at.as_str()), (code.id, place), "{text}\n{message}");
    assert!(message.contains(shown), "{text}\n{message}");
}

/// One diagnostic in a module that is otherwise valid.
fn one_in_module(line: &str, code: Code, place: &str, shown: &str) {
    let text = format!("[module]\nname = \"m\"\n{line}\n[function.f]\nproto = \"int f(int n)\"\n");
    one(&text, code, place, shown);
}

/// One diagnostic in a function, after a valid module.
fn one_in_function(lines: &str, code: Code, place: &str, shown: &str) {
    one(&format!("[module]\nname = \"m\"\n{lines}\n"), code, place, shown);
}

#[test]
fn a_whole_interface() {
    let Reading { interface, diagnostics } = reading(GOOD);
    assert_eq!(diagnostics, []);
    let module = &interface.module;
    let strings = |list: &[fishplate_model::Spanned<String>]| {
        list.iter()
            .map(|text| {
                assert_eq!(&GOOD[text.span.start..text.span.end], text.value);
                text.value.clone()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(strings(module.name.as_slice()), ["pkg.stats"]);
    assert_eq!(module.doc, "Sample statistics.");
    assert_eq!(strings(&module.headers), ["stats.h", "more.h"]);
    assert_eq!(strings(&module.sources), ["stats.c"]);
    assert_eq!(strings(&module.include_dirs), ["include"]);
    assert_eq!(strings(&module.libraries), ["m"]);
    assert_eq!(strings(&module.library_dirs), ["lib"]);
    assert_eq!(strings(&module.cflags), ["-O3"]);
    assert_eq!(strings(&module.defines), ["NDEBUG", "N=10"]);

    let names: Vec<_> = interface.functions.iter().map(|f| f.name.clone()).collect();
    assert_eq!(strings(&names), ["mean", "cos", "divmod"]);
    let [mean, cos, divmod] = interface.functions.as_slice() else { panic!() };
    assert_eq!((mean.doc.as_str(), mean.gil), ("Arithmetic mean of `x`.", Gil::Release));
    assert_eq!(cos.overloads.len(), 2);
    assert_eq!((cos.gil, &cos.returns), (Gil::Auto, &None));
    assert_eq!(strings(divmod.returns.as_ref().unwrap()), ["result", "rest"]);
    let overload = &divmod.overloads[0];
    assert_eq!(&GOOD[overload.span.start..overload.span.end], overload.text);
    let CResult::Value(result) = &overload.result else { panic!() };
    assert_eq!((result.scalar(), result.spelling.as_str()), (Scalar::Int64, "MKL_INT"));
    let color = &overload.arguments.raw[3].ctype;
    assert_eq!((color.scalar(), color.spelling.as_str()), (Scalar::UInt, "enum color"));
}

#[test]
fn functions_keep_the_order_of_the_file_however_they_are_written() {
    let text = "function.b.proto = 'int b()'\nfunction.a = { proto = 'int a()' }\n\
                [types]\nT = 'int'\n[function.\"c\"]\nproto = 'T c()'\n[module]\nname = 'm'\n";
    assert_eq!(function_names(text), ["b", "a", "c"]);
    let text = "[function.z]\nproto = 'T z()'\n[module]\nname = 'm'\n[function]\n\
                b.proto = 'int b()'\na = { proto = 'int a()' }\n[types]\nT = 'int'\n";
    assert_eq!(function_names(text), ["z", "b", "a"]);
}

fn function_names(text: &str) -> Vec<String> {
    let Reading { interface, diagnostics } = reading(text);
    assert_eq!(diagnostics, []);
    interface.functions.into_iter().map(|function| function.name.value).collect()
}

#[test]
fn diagnostics_inside_a_prototype_point_to_its_characters_in_the_file() {
    for string in [
        r#""int f(foo n)""#,
        "'int f(foo n)'",
        "\"\"\"\nint f(\n   foo n)\n\"\"\"",
        "'''int f(\r\n   foo n)'''",
        "\"\"\"int \\\n  f(/* \\u00e9 \\t */ \\\n foo n)\"\"\"",
        "[\"int ok(int n)\", \"int f(foo n)\"]",
    ] {
        let lines = format!("[function.f]\nproto = {string}");
        one_in_function(&lines, Code::UNKNOWN_TYPE, "foo", "unknown type `foo`");
    }
}

#[test]
fn one_bad_prototype_hides_no_other() {
    let text = "[module]\nname = 'm'\n[function.f]\nproto = ['foo f()', 'int f(int n)', 'int f(bar x)']\n\
                returns = ['y']\n[function.g]\nproto = 'baz g()'\n";
    let places: Vec<String> = wrong(text).into_iter().map(|(_, place, _)| place).collect();
    assert_eq!(places, ["foo", "bar", "baz"]);
    let interface = reading(text).interface;
    assert_eq!(interface.functions.len(), 1, "a function without a good overload is left out");
    assert_eq!(interface.functions[0].overloads.len(), 1);
    assert_eq!(interface.functions[0].returns, None, "its outputs are not all known");
}

#[test]
fn required_keys() {
    let empty = wrong("");
    assert_eq!(empty.len(), 2);
    assert!(empty.iter().all(|(id, place, _)| *id == "FP0103" && place.is_empty()));
    one("[function.f]\nproto = 'int f()'", Code::MISSING_KEY, "", "missing table `[module]`");
    one("[module]\nname = 'm'\n", Code::MISSING_KEY, "[module]", "no functions");
    one("[module]\nname = 'm'\n[function]\n", Code::MISSING_KEY, "[module]", "no functions");
    one("[module]\n[function.f]\nproto = 'int f()'", Code::MISSING_KEY, "[module]", "no `name`");
    one_in_function("[function.f]", Code::MISSING_KEY, "[function.f]", "no `proto`");
    one_in_function("[function.f]\nproto = []", Code::MISSING_KEY, "[]", "empty list");
}

#[test]
fn unknown_keys() {
    let unknown = Code::UNKNOWN_KEY;
    one_in_module("heders = []", unknown, "heders", "did you mean `headers`?");
    one_in_module("include_dirs = []", unknown, "include_dirs", "written `include-dirs`");
    one_in_module("Headers = 1", unknown, "Headers", "it is written `headers`");
    one_in_module("\"q w\" = 1", unknown, "q w", "its keys are `name`, `doc`");
    let wrong = Code::WRONG_VALUE;
    one_in_module("edition = 2", wrong, "2", "install a later version");
    one_in_module("edition = 0", wrong, "0", "write `edition = 1`");
    one_in_module("edition = \"1\"", wrong, "\"1\"", "write `edition = 1`");
    one_in_module("stable-abi = 3", wrong, "3", "write `stable-abi = true`");
    one_in_module("[modul]", unknown, "modul", "did you mean `[module]`?");
    one_in_module("[functions.g]", unknown, "functions", "did you mean `function`");
    one_in_module("[[overload]]", unknown, "overload", "its tables are");
    one_in_module("proto = 'int f()'", unknown, "proto", "unknown key `proto` of `[module]`");
    one_in_function(
        "[function.f]\nproto = 'int f()'\nprotos = 1",
        unknown,
        "protos",
        "did you mean `proto`?",
    );
    one_in_function(
        "[function.f]\nproto = 'int f()'\n[function.f.g]",
        unknown,
        "g",
        "function's name has no dots",
    );
    let text = "name = 'm'\n[module]\nname = 'm'\n[function.f]\nproto = 'int f()'";
    one(text, unknown, "name", "write `name` below `[module]`");
}

#[test]
fn wrong_kinds() {
    let wrong = Code::WRONG_VALUE;
    one_in_module("doc = 3", wrong, "3", "a string, not an integer");
    one_in_module("headers = 'a.h'", wrong, "'a.h'", "write `headers = [\"a.h\"]`");
    one_in_module("sources = ['a.c', 1.5]", wrong, "1.5", "not a number");
    one_in_module("sources = ['']", wrong, "''", "an empty string");
    one_in_module("doc = \"a\\u0000b\"", wrong, "a\\u0000b", "NUL");
    one_in_module("defines = 'N'", wrong, "'N'", "a list of strings or a table");
    one_in_module("defines = { N = false }", wrong, "false", "leave the macro out");
    one_in_module("defines = ['-DN']", Code::BAD_NAME, "-DN", "without `-D`");
    one_in_module("types = 3", Code::UNKNOWN_KEY, "types", "unknown key `types`");
    one("module = 3\n[function.f]\nproto = 'int f()'", wrong, "3", "is a table, not an integer");
    one_in_function("[function.f]\nproto = 3", wrong, "3", "a C prototype or a list");
    one_in_function("[function.f]\nproto = [3]", wrong, "3", "is a string");
    one_in_function("[function.f]\nproto = 'int f()'\ngil = 'hald'", wrong, "hald", "`hold`?");
    one_in_function("[function.f]\nproto = 'int f()'\nreturns = 'x'", wrong, "'x'", "[\"x\"]");
    one_in_function("[function]\nproto = 'int f()'", wrong, "'int f()'", "[function.NAME]");
    one_in_function("[function]\nf = 'int f()'", wrong, "'int f()'", "[function.f]");
    one_in_function("[[function.f]]\nproto = 'int f()'", wrong, "[[function.f]]", "overloads as");
}

#[test]
fn names() {
    let named =
        |name: &str| format!("[module]\nname = {name:?}\n[function.f]\nproto = 'int f()'\n");
    one(&named("a-b"), Code::BAD_NAME, "a-b", "such as `a_b`");
    one(&named("a..b"), Code::BAD_NAME, "a..b", "dots between packages");
    one(&named(""), Code::BAD_NAME, "\"\"", "cannot be a module's name");
    one(&named(&"a".repeat(101)), Code::BAD_NAME, &"a".repeat(101), "100 at most");
    one_in_function("[function.a-b]\nproto = 'int f()'", Code::BAD_NAME, "a-b", "`a_b`");
    one_in_function("[function.\"é\"]\nproto = 'int f()'", Code::BAD_NAME, "é", "`_`");
    // Keywords of the target language are checked elsewhere.
    for name in ["lambda", "end", "__dict__"] {
        assert_eq!(
            wrong(&format!("[module]\nname = \"m\"\n[function.{name}]\nproto = 'int f()'\n")),
            []
        );
    }
}

#[test]
fn types() {
    let typed = |line: &str| format!("[types]\n{line}\n[function.f]\nproto = 'int f()'");
    for (line, code, place, shown) in [
        ("T = 'int46'", Code::UNKNOWN_TYPE, "int46", "did you mean `int64`?"),
        ("T = 'string'", Code::UNKNOWN_TYPE, "string", "not a supported type"),
        ("T = 8", Code::WRONG_VALUE, "8", "write `T = \"int64\"`"),
        ("'T *' = 'int'", Code::BAD_NAME, "T *", "without `*`"),
        ("out = 'int'", Code::BAD_NAME, "out", "interface language"),
        ("'long double' = 'float64'", Code::BAD_NAME, "long double", "is defined by C"),
        ("struct = 'int'", Code::BAD_NAME, "struct", "does not end in the name"),
    ] {
        one_in_function(&typed(line), code, place, shown);
    }
    let text = "[types]\nT = 'int46'\n[function.f]\nproto = 'T f(T n)'";
    one_in_function(text, Code::UNKNOWN_TYPE, "int46", "`int64`");
    assert_eq!(reading(text).interface.functions, [], "`T` is undefined");
}

#[test]
fn defines_are_a_list_or_a_table() {
    let text = "[module]\nname = 'm'\n[module.defines]\nA = 'x y'\nB = 1_0\nC = 0x1F\nD = 0o17\n\
                E = true\nF = -1_0.5\n'G(x)' = '(x)'\n[function.f]\nproto = 'int f()'\n";
    let Reading { interface, diagnostics } = reading(text);
    assert_eq!(diagnostics, []);
    let defines: Vec<&str> =
        interface.module.defines.iter().map(|define| define.value.as_str()).collect();
    assert_eq!(defines, ["A=x y", "B=10", "C=0x1F", "D=15", "E", "F=-10.5", "G(x)=(x)"]);
    let first = interface.module.defines[0].span;
    assert_eq!(&text[first.start..first.end], "A = 'x y'");
}

#[test]
fn toml_errors_are_reported_without_consequences() {
    let text =
        "[module]\nname = m\n[function.f]\nproto = \"int f()\n[function.g]\nproto = 'foo g()'\n";
    let found = wrong(text);
    let codes: Vec<&str> = found.iter().map(|(id, _, _)| *id).collect();
    assert_eq!(codes, ["FP0101", "FP0101", "FP0202"], "{found:#?}");
    assert_eq!(found[2].1, "foo");
    assert!(found[0].2.contains("write strings in double quotes"), "{found:#?}");

    let text = "[module]\nname = 'm'\n[function.f]\ndoc = 'a'\nproto = 'int f(int n)'\n\
                [function.f]\ndoc = 'b'\nproto = 'float f(float n)'\n[function.g]\nproto = 'int g()'\n\
                proto = 'float g()'\n";
    let found = wrong(text);
    let places: Vec<&str> = found.iter().map(|(_, place, _)| place.as_str()).collect();
    assert_eq!(places, ["f", "proto"], "{found:#?}");
    assert!(found[0].2.contains("overloads are a list"), "{found:#?}");
    assert!(found[1].2.contains("duplicate key"), "{found:#?}");
}

#[test]
fn toml_errors_have_something_to_underline() {
    let good = "[module]\nname = 'm'\n[function.f]\nproto = 'int f()'\n";
    for (line, place) in [
        ("[function.l\nproto = 'int l()'", "l"),
        ("doc = \"abc", "c"),
        ("doc 'x'", "'"),
        ("doc = \"\\q\"", "q"),
        ("returns = ['a'\ngil = 'hold'", "a"),
    ] {
        let found = wrong(&format!("{good}{line}"));
        assert_eq!(found[0].0, "FP0101", "{found:#?}");
        if line.starts_with("returns") {
            assert!(found.iter().all(|(id, place, _)| *id == "FP0101" && !place.is_empty()));
        } else {
            let [(_, at, _)] = found.as_slice() else { panic!("{line}: {found:#?}") };
            assert_eq!(at, place, "{line}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_anything() {
    let text = format!("\u{feff}{}", GOOD.trim_start());
    let Reading { interface, diagnostics } = reading(&text);
    assert_eq!(diagnostics, []);
    let name = interface.module.name.unwrap();
    assert_eq!(&text[name.span.start..name.span.end], "pkg.stats");
}

//! Every string yields a result: no panic, and every place is inside the string.

use fishplate_model::{
    Argument, CResult, CType, Callback, Expr, Interface, Lifetime, Owner, Passing, ReturnedPointer,
    Source, Span,
};
use fishplate_readers::interface::{self, Reading};
use fishplate_readers::kernels;
use proptest::prelude::*;

const VALID: &str = r#"
[module]
name    = "stats"
doc     = "Sample \u00e9 statistics."
headers = ["stats.h"]
defines = { N = 10, M = "1" }

[types]
MKL_INT = "int64"
"enum color" = "int"

[callback.curve]
ctype    = "curve"
proto    = "double f(double x, /* é */ char *names[n], int n, void *params)"
function = "function"
data     = "params"
fails    = "-1"

[function.root]
proto = "double root(const curve *f, keep(g) fails(-1) int (*g)(out double y[3], void *d), void *d, until(mean) void (*h)(void *e), void *e)"

[function.mean]
doc   = '''of "x"'''
proto = "double stats_mean(size_t n, const double x[n])"
returns = ["result"]

[function.cos]
proto = ["double cos(double x)", 'float cosf(float x);',
         """
void vcos(size_t n, /* é */ const double x[n], \
          out nullable double y[(n + 1)*2])"""]
gil = "hold"

[function.solve]
proto = "status int solve(MKL_INT n, inplace fortran double a[n][shape(b, 0)], inplace out double b[len(b)], hidden int job = n > 1 ? (int) 'a' : -0x1Ful)"
"#;

const CONFIGURATION: &str = r#"
# Kernels, in the old language.
[MODULE stats]
typemaps:
	MKL_INT: int64
	const double : float64
includes = stats.h
kinds: C, Fortran, Xnd
ellipses: none, ...
header_code:
  static int é;
  #define N 10

[KERNEL mean]
description: Mean
  of x. */
prototypes:
	double mean(MKL_INT n, const double *x, /* é */ double out[]);
	float meanf(MKL_INT n, const float *x, float out[])
input: x((n + 1)*2)
hide_arguments = n = n > 1 ? (int) 'a' : -len(out)
output: out(n)
pre_call_code: n -= 1;

[KERNEL solve]
debug: yes
kinds: Xnd
prototypes[C]: int solve(int, double *a, double *b);
prototypes_Fortran: int solve_(int, double *a, double *b);
prototypes: int solve(int, double *a, double *b);
inplace: a(n, shape(b, 0)), b(3) = 1
fortran[C]: a
hide: arg0 = 2

[KERNEL waits]
skip = # REMOVE
"#;

/// Every place in an interface.
fn places(interface: &Interface) -> Vec<Span> {
    let mut spans = Vec::new();
    let module = &interface.module;
    let lists = [
        &module.headers,
        &module.sources,
        &module.include_dirs,
        &module.libraries,
        &module.library_dirs,
        &module.cflags,
        &module.defines,
    ];
    spans.extend(lists.into_iter().flatten().chain(&module.name).map(|text| text.span));
    spans.extend(module.header_code.iter().map(|code| code.span));
    interface.types.iter().for_each(|ctype| of_type(ctype, &mut spans));
    for one in &interface.callbacks {
        spans.push(one.name.span);
        of_type(&one.ctype, &mut spans);
        of_callback(&one.callback, &mut spans);
    }
    for function in &interface.functions {
        spans.push(function.name.span);
        let code = [&function.pre_call, &function.post_call];
        spans.extend(code.into_iter().flatten().map(|code| code.span));
        spans.extend(function.returns.iter().flatten().map(|name| name.span));
        for overload in &function.overloads {
            spans.extend([overload.span, overload.c_name.span]);
            overload.result.ctype().into_iter().for_each(|ctype| of_type(ctype, &mut spans));
            if let CResult::Pointer(returned) = &overload.result {
                spans.push(returned.span);
                of_out_pointer(&returned.out_pointer, &mut spans);
            }
            overload.arguments.iter().for_each(|argument| of_argument(argument, &mut spans));
        }
    }
    spans
}

fn of_type(ctype: &CType, spans: &mut Vec<Span>) {
    spans.push(ctype.span);
}

fn of_argument(argument: &Argument, spans: &mut Vec<Span>) {
    spans.extend([argument.span, argument.name.span]);
    spans.extend(argument.intent.as_ref().map(|intent| intent.span));
    of_type(&argument.ctype, spans);
    argument.default.iter().for_each(|default| of_expr(default, spans));
    spans.extend(argument.retention.key.iter().map(|name| name.span));
    match &argument.retention.lifetime {
        Lifetime::Call => {}
        Lifetime::Handle(name) | Lifetime::Until(name) => spans.push(name.span),
    }
    match &argument.passing {
        Passing::Array { shape, length, .. } => {
            shape.iter().chain(length).for_each(|dimension| of_expr(dimension, spans));
        }
        Passing::OutPointer(out_pointer) => of_out_pointer(out_pointer, spans),
        Passing::List { length, .. } => of_expr(length, spans),
        Passing::Jagged { length, lengths, .. } => {
            of_expr(length, spans);
            spans.extend(lengths.iter().map(|lengths| lengths.span));
        }
        Passing::AnyArray(any) => {
            spans.extend(any.dims.iter().map(|dims| dims.span));
            if let Some(dtypes) = &any.dtypes {
                spans.extend([dtypes.span, dtypes.table.span]);
                dtypes.code.iter().for_each(|code| of_expr(code, spans));
            }
        }
        Passing::Callback(callback) => of_callback(callback, spans),
        Passing::Value | Passing::Pointer | Passing::String | Passing::UserData => {}
    }
}

fn of_callback(callback: &Callback, spans: &mut Vec<Span>) {
    let overload = &callback.overload;
    spans.extend([overload.span, overload.c_name.span]);
    overload.result.ctype().into_iter().for_each(|ctype| of_type(ctype, spans));
    overload.arguments.iter().for_each(|argument| of_argument(argument, spans));
    callback.asks.iter().chain(&callback.fails).for_each(|value| of_expr(value, spans));
}

fn of_out_pointer(out_pointer: &ReturnedPointer, spans: &mut Vec<Span>) {
    let shape = out_pointer.holds.shape().unwrap_or_default();
    shape.iter().for_each(|dimension| of_expr(dimension, spans));
    let array = out_pointer.holds.list().and_then(|list| list.free.as_ref());
    array.into_iter().for_each(|free| of_expr(free, spans));
    match &out_pointer.owner {
        Owner::Unspecified => {}
        Owner::Caller(free) => free.iter().for_each(|free| of_expr(free, spans)),
        Owner::Borrowed(owners) => spans.extend(owners.iter().map(|name| name.span)),
    }
}

fn of_expr(expr: &Expr, spans: &mut Vec<Span>) {
    expr.walk(&mut |expr| spans.push(expr.span));
    spans.extend(expr.names().into_iter().map(|(_, span)| span));
}

fn check(text: &str) -> Result<(), TestCaseError> {
    check_with(interface::read, text)
}

fn check_with(read: fn(Source) -> Reading, text: &str) -> Result<(), TestCaseError> {
    let source = Source { path: "x".into(), text: text.to_owned() };
    let Reading { interface, diagnostics } = read(source);
    let mut spans = places(&interface);
    for found in &diagnostics {
        spans.push(found.primary.span);
        spans.extend(found.secondary.iter().map(|label| label.span));
        prop_assert!(!found.hint.is_empty() && !found.message.is_empty());
        prop_assert!(found.message.chars().count() < 200, "{}", found.message);
    }
    for span in spans {
        prop_assert!(text.get(span.start..span.end).is_some(), "{span:?} in {text:?}");
    }
    Ok(())
}

/// A character boundary at about this part of the string.
fn boundary(text: &str, part: f64) -> usize {
    let mut at = (text.len() as f64 * part) as usize;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[test]
fn the_valid_file_is_valid() {
    let reading = interface::read(Source { path: "x.toml".into(), text: VALID.to_owned() });
    assert_eq!(reading.diagnostics, []);
    assert_eq!(reading.interface.functions.len(), 4);
    let reading = kernels::read(Source { path: "x.cfg".into(), text: CONFIGURATION.to_owned() });
    // `#define` causes a warning.
    assert_eq!(reading.diagnostics.len(), 1);
    assert_eq!(reading.interface.functions.len(), 2);
}

#[test]
fn every_beginning_and_every_single_deletion_of_a_configuration() {
    for (at, c) in CONFIGURATION.char_indices() {
        check_with(kernels::read, &CONFIGURATION[..at]).unwrap();
        let without = format!("{}{}", &CONFIGURATION[..at], &CONFIGURATION[at + c.len_utf8()..]);
        check_with(kernels::read, &without).unwrap();
    }
}

#[test]
fn a_configuration_that_is_deep_or_long() {
    for open in ["(", "[", "{", "*", "-", "f(", "/*", "\"", "a,", "=", "1?", "\n ", "\n[", "#", ";"]
    {
        let many = open.repeat(10_000);
        check_with(kernels::read, &many).unwrap();
        for key in ["prototypes: int f(int n", "input: a(n) = ", "kinds: ", "typemaps:\n "] {
            check_with(kernels::read, &format!("[MODULE m]\n[KERNEL k]\n{key}{many}")).unwrap();
        }
    }
}

#[test]
fn every_beginning_and_every_single_deletion() {
    for (at, c) in VALID.char_indices() {
        check(&VALID[..at]).unwrap();
        check(&format!("{}{}", &VALID[..at], &VALID[at + c.len_utf8()..])).unwrap();
    }
}

#[test]
fn a_file_that_is_deep_or_long() {
    for open in ["(", "[", "{", "*", "-", "f(", "/*", "\\\"", "const ", "in ", "a,", "=", "1?"] {
        for close in ["", ")"] {
            let proto = format!("int f(int n = {}{close})", open.repeat(10_000));
            let text = format!("[module]\nname='m'\n[function.f]\nproto = \"{proto}\"");
            check(&text).unwrap();
        }
        check(&format!("[module]\nname = {}", open.repeat(10_000))).unwrap();
        check(&open.repeat(10_000)).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text(text in any::<String>()) {
        check(&text)?;
        check_with(kernels::read, &text)?;
    }

    #[test]
    fn any_prototype(text in "[ \\n]?([a-c]|int|double|const|in|out|hidden|void|struct|T|len|\
        sizeof|[0-9.]+|'a'|\\PC|[-+*/%<>=!&|^~?:;,.\\[\\](){}]| ){0,40}") {
        let quoted = text.replace('\'', "\\u0027").replace('"', "\\\"");
        for proto in [quoted.clone(), format!("int f({quoted})"), format!("int f(int n = {quoted})")] {
            check(&format!(
                "[module]\nname='m'\n[types]\nT='int'\n[function.f]\nproto = \"\"\"{proto}\"\"\""
            ))?;
        }
    }

    #[test]
    fn any_configuration(text in "\\[MODULE m\\]\n(\\[KERNEL k\\]\n)?(([a-c]|input|hide|output|prototypes|\
        fortran|kinds|int|f\\(int \\*a\\);|len\\(a\\)|[0-9]|\\PC|[-+*:=;,.#\\[\\](){}\n\t]| ){0,60})") {
        check_with(kernels::read, &text)?;
    }

    #[test]
    fn any_change_to_a_configuration(
        changes in prop::collection::vec((0.0..1.0f64, 0.0..0.1f64, "\\PC{0,3}|[\\[\\]:;#=\\\n \t,(){}]{1,3}"), 1..4)
    ) {
        let mut text = CONFIGURATION.to_owned();
        for (from, length, insert) in changes {
            let start = boundary(&text, from);
            let end = boundary(&text, (from + length * length).min(1.0)).max(start);
            text.replace_range(start..end, &insert);
        }
        check_with(kernels::read, &text)?;
    }

    #[test]
    fn any_change_to_a_valid_file(
        changes in prop::collection::vec((0.0..1.0f64, 0.0..0.1f64, "\\PC{0,3}|[\\[\\]\"'=\\\\\n,(){}]{1,3}"), 1..4)
    ) {
        let mut text = VALID.to_owned();
        for (from, length, insert) in changes {
            let start = boundary(&text, from);
            let end = boundary(&text, (from + length * length).min(1.0)).max(start);
            text.replace_range(start..end, &insert);
        }
        check(&text)?;
    }
}

//! Configurations as strings, and the resulting overloads.

use super::*;
use crate::prototype::print;
use fishplate_model::{Ellipses, Scalar};

fn reading(text: &str) -> Reading {
    super::read(Source { path: "m-kernels.cfg".into(), text: text.to_owned() })
}

/// The functions of a configuration without mistakes.
fn good(text: &str) -> Interface {
    let reading = reading(text);
    assert_eq!(reading.diagnostics, [], "{text}");
    reading.interface
}

/// Each overload of a kernel, as an annotated prototype, below its kinds if it is not for all.
fn kernel(keys: &str) -> Vec<String> {
    let text = format!("[MODULE m]\nkinds: C, Fortran, Xnd\n[KERNEL k]\n{keys}\n");
    let interface = good(&text);
    for overload in &interface.functions[0].overloads {
        let place = &text[overload.span.start..overload.span.end];
        assert!(place.contains(&overload.c_name.value), "{place}");
        for argument in &overload.arguments {
            assert!(place.contains(&text[argument.span.start..argument.span.end]));
        }
    }
    let kinds = |overload: &fishplate_model::Overload| match &overload.kinds {
        None => String::new(),
        Some(kinds) => format!("{kinds:?} "),
    };
    // Printed prototypes omit the `+`.
    let overloads = &interface.functions[0].overloads;
    assert!(overloads.iter().all(|one| one.text == print(one).replace("[+", "[")));
    overloads.iter().map(|one| kinds(one) + &print(one)).collect()
}

#[test]
fn a_module_and_its_defaults() {
    let interface = good(
        "# made by hand\n[MODULE pkg.m]\ntypemaps = \n\tMKL_INT: int64\n\tconst double: float64\n\
         \tlong = int64\nincludes: a.h <math.h>\n  b.h\ninclude_dirs:\n  <prefix>/include\n  \
         ${X|my folder}\nsources = a.c\nlibraries: m\n  blas\nlibrary_dirs:\nheader_code:\n  int a;\n\n  \
         int b;\n[KERNEL f]\nprototypes: MKL_INT f(const double x);\ninput: x\nEllipses: none, \
         var...\n[KERNEL g]\nprototypes: float g(float x)\ninput: x\narraytypes: variable, symbolic\n",
    );
    let module = &interface.module;
    let strings = |list: &[Spanned<String>]| -> Vec<String> {
        list.iter().map(|text| text.value.clone()).collect()
    };
    assert_eq!(module.name.as_ref().unwrap().value, "pkg.m");
    assert_eq!(strings(&module.headers), ["a.h", "<math.h>", "b.h"]);
    assert_eq!(strings(&module.include_dirs), ["<prefix>/include", "${X|my folder}"]);
    assert_eq!(strings(&module.sources), ["a.c"]);
    assert_eq!(strings(&module.libraries), ["m", "blas"]);
    assert_eq!(strings(&module.library_dirs), Vec::<String>::new());
    assert_eq!(module.header_code.as_ref().unwrap().value, "int a;\n\nint b;");
    let types: Vec<_> =
        interface.types.iter().map(|ctype| (ctype.spelling.as_str(), ctype.scalar())).collect();
    let expected =
        [("MKL_INT", Scalar::Int64), ("double", Scalar::Double), ("long", Scalar::Int64)];
    assert_eq!(types, expected);
    let [f, g] = interface.functions.as_slice() else { panic!("two functions") };
    assert_eq!(f.ellipses, Ellipses { broadcast: false, ragged: true });
    assert_eq!(g.ellipses, Ellipses { broadcast: true, ragged: true });
    assert_eq!(g.overloads[0].kinds, None);
}

#[test]
fn intents_and_their_combinations() {
    for (lists, argument) in [
        ("input: a", "in long *a"),
        ("inplace: a = 5", "inplace long *a = 5"),
        ("inout_arguments = a", "inout long *a"),
        ("output: a", "out long *a"),
        ("hide: a = 1 + 2", "hidden long *a = 1 + 2"),
        ("input: a\noutput: a", "in out long *a"),
        ("output: a\ninplace: a", "inplace out long *a"),
        ("output: a\ninout: a = 2", "inout out long *a = 2"),
        ("output: a\nhide: a", "out long *a"),
        ("output: a(2)", "out long a[2] = 0"),
        ("output: a(2) = 7", "out long a[2] = 7"),
        ("hide: a\ndimension: a(2, 3)", "hidden long a[2][3]"),
    ] {
        let keys = format!("prototypes: void f(long *a);\n{lists}");
        assert_eq!(kernel(&keys), [format!("void f({argument})")]);
    }
    // C cannot change a value.
    for (lists, argument) in [
        ("input: a", "long a"),
        ("inplace: a = 5", "long a = 5"),
        ("inout: a", "long a"),
        ("inplace: a\noutput: a", "in out long a"),
        ("output: a", "out long a"),
        ("hide: a = 5", "hidden long a = 5"),
    ] {
        let keys = format!("prototypes: void f(long a);\n{lists}");
        assert_eq!(kernel(&keys), [format!("void f({argument})")]);
    }
}

#[test]
fn const_needs_no_intent_and_given_sizes_stay_parameters() {
    assert_eq!(
        kernel("prototypes: int f(long n, const double *x, const int *s)\ninput: x(n), s\nhide: n"),
        ["int f(hidden long n, const double x[n], in const int *s)"]
    );
    assert_eq!(
        kernel(
            "prototypes: int f(long n, double *x, double *y)\ninput: n, x(n, 2*n)\noutput: y(n)"
        ),
        ["int f(long n, in double x[+n][2*n], out double y[n] = 0)"]
    );
    assert_eq!(
        kernel("prototypes: int f(int n, double x[])\ninput: x(n - 1)\nhide: n = len(x) + 1"),
        ["int f(hidden int n = len(x) + 1, in double x[n - 1])"]
    );
}

#[test]
fn prototypes_as_c_has_them() {
    assert_eq!(
        kernel(
            "prototypes:\n  int f(int, double [], float * const);\n  /* no */ int g(\n    int,\n \
                double [3], float[]) // yes\n  extern \"C\" int h(int, double *, \
                float *) __attribute__((nonnull)) __attribute__((hot))\ninput: arg0\n\
                output: arg1(3), arg2"
        ),
        [
            "int f(int arg0, out double arg1[3] = 0, out float *arg2)",
            "int g(int arg0, out double arg1[3] = 0, out float *arg2)",
            "int h(int arg0, out double arg1[3] = 0, out float *arg2)",
        ]
    );
}

#[test]
fn kinds_follow_the_layouts() {
    let lists = "input: a(n, n), b(n, n)\nhide: n";
    let prototype = "f(long n, const int *a, const int *b)";
    let annotated = |a: &str, b: &str| {
        format!("int f(hidden long n, {a}const int a[n][n], {b}const int b[n][n])")
    };
    let case = |keys: &str| kernel(&format!("{lists}\n{keys}"));
    // C tensors, F tensors, a mixture: all that suit.
    assert_eq!(case(&format!("prototypes: int {prototype}")), [annotated("", "")]);
    assert_eq!(
        case(&format!("prototypes: int {prototype}\nfortran: a, b")),
        [annotated("fortran ", "fortran ")]
    );
    assert_eq!(
        case(&format!("prototypes: int {prototype}\nfortran: a")),
        [annotated("fortran ", "")]
    );
    // `Fortran` alone: all are F-contiguous.
    assert_eq!(
        case(&format!("prototypes: int {prototype}\nkinds: Fortran")),
        [format!("[Fortran] {}", annotated("fortran ", "fortran "))]
    );
    assert_eq!(case(&format!("prototypes: int {prototype}\nkinds: Xnd")), [annotated("", "")]);
    // One prototype in two layouts.
    assert_eq!(
        case(&format!("prototypes: int {prototype}\nfortran[Fortran]: a, b")),
        [annotated("", ""), format!("[Fortran] {}", annotated("fortran ", "fortran "))]
    );
    // Separate prototypes.
    assert_eq!(
        case(&format!(
            "prototypes[C]: int {prototype}\nprototypes_Fortran: int {prototype}\n\
             prototypes: int {prototype}"
        )),
        [
            format!("[C] {}", annotated("", "")),
            format!("[Fortran] {}", annotated("fortran ", "fortran ")),
            format!("[Strided] {}", annotated("", "")),
        ]
    );
    assert_eq!(
        case(&format!("prototypes[Fortran]: int {prototype}\nprototypes: int {prototype}")),
        [format!("[Fortran] {}", annotated("fortran ", "fortran ")), annotated("", "")]
    );
}

#[test]
fn vectors_need_no_kind_of_fortran() {
    let keys = "prototypes: int f(const int *a)\ninput: a(3)";
    assert_eq!(kernel(keys), ["int f(const int a[3])"]);
    assert_eq!(kernel(&format!("{keys}\nkinds: C")), ["[C] int f(const int a[3])"]);
    assert_eq!(kernel(&format!("{keys}\nkinds: Fortran")), ["[Fortran] int f(const int a[3])"]);
    assert_eq!(
        kernel(&format!("{keys}\nprototypes[C]: int g(const int *a)")),
        ["[C] int g(const int a[3])", "[Strided] int f(const int a[3])"]
    );
}

#[test]
fn code_and_debug_statements() {
    let text = "[MODULE m]\ndebug: yes\n[KERNEL f]\nprototypes: int f(int n)\ninput: n\n\
                pre_call_code: n -= 1;\n  n *= 2;\npost_call_code: result += 1;\n[KERNEL g]\n\
                debug: False\nprototypes: int g(int n)\ninput: n\n";
    let interface = good(text);
    let code = |code: &Option<Spanned<String>>| code.as_ref().map(|code| code.value.clone());
    let [f, g] = interface.functions.as_slice() else { panic!("two functions") };
    assert_eq!(code(&f.pre_call).unwrap(), "fprintf(stderr, \"f: calls C\\n\");\nn -= 1;\nn *= 2;");
    assert_eq!(
        code(&f.post_call).unwrap(),
        "result += 1;\nfprintf(stderr, \"f: C has returned\\n\");"
    );
    assert_eq!((code(&g.pre_call), code(&g.post_call)), (None, None));
    assert_eq!(interface.module.headers[0].value, "<stdio.h>");
}

#[test]
fn skipped_kernels_are_not_read() {
    let text = "[MODULE m]\n[KERNEL f]\nSKIP = # REMOVE THIS LINE\nprototypes: nonsense\n\
                [KERNEL g]\nskip: False\nprototypes: int g(int n)\ninput: n\n";
    let interface = good(text);
    assert_eq!(interface.functions.len(), 1);
}

use super::{convert, expand};

/// The interface of a routine, and the reasons for what is left out.
fn converted(routine: &str) -> (String, Vec<String>) {
    let text =
        format!("python module m\ninterface\n{routine}\nend interface\nend python module m\n");
    let found = convert(&text);
    let reasons = found.left_out.iter().map(|left| format!("{}: {}", left.name, left.reason));
    let reasons = reasons.collect();
    (found.print(), reasons)
}

#[track_caller]
fn has(routine: &str, parts: &[&str]) {
    let (text, reasons) = converted(routine);
    assert_eq!(reasons, Vec::<String>::new(), "{text}");
    for part in parts {
        assert!(text.contains(part), "there is no {part:?} in\n{text}");
    }
}

#[track_caller]
fn is_left_out(routine: &str, reason: &str) {
    let (text, reasons) = converted(routine);
    assert!(reasons.iter().any(|one| one.contains(reason)), "{reasons:?}\n{text}");
    assert!(!text.contains("[function."), "{text}");
}

#[test]
fn numbers_are_values_and_procedures_receive_addresses() {
    has(
        "subroutine f(n, x, y)\ninteger intent(in) :: n\nreal*8 intent(in,out) :: x\n\
         complex intent(out) :: y\nend",
        &[
            "void f_(int *, double *, float complex *);",
            "proto = \"void call_f(int n, in out double *x, out float complex *y)\"",
            "static void call_f(int n, double *p_x, float complex *p_y)",
            "f_(&n, &x, &y);",
            "gil = \"hold\"",
        ],
    );
}

#[test]
fn sizes_are_found_from_shapes() {
    has(
        "subroutine f(n, m, x, a)\nthreadsafe\ninteger intent(hide), depend(x) :: n = len(x)\n\
         integer :: m\nreal dimension(n) :: x\nreal dimension(0:n,m), intent(c) :: a\nend",
        &["void call_f(int n, int m = shape(a, 1), in float x[n], in float a[n+1][m])"],
    );
    has(
        "subroutine f(n, x)\ninteger :: n\nreal dimension(n), depend(n) :: x\nend",
        &["void call_f(int n, in float x[n])"],
    );
}

#[test]
fn checks_are_return_codes_unless_the_shapes_imply_them() {
    has(
        "subroutine f(n, x, k)\ninteger, depend(x), check(n==len(x)) :: n = len(x)\n\
         real dimension(n), check(len(x)>=n) :: x\ninteger check(k<max(n, 2)) :: k\nend",
        &[
            "status int call_f(int n = len(x), in float x[n], int k)",
            "if (!(k<MAX(n, 2))) return 1;\n    f_",
            "{ messages = { 1 = \"k<max(n, 2) is required\" }, exceptions = { 1 = \"ValueError\" } }",
            "#define MAX(a, b)",
        ],
    );
}

#[test]
fn letters_of_strings_are_integers() {
    has(
        "subroutine f(job, n, z, ldz)\ncharacter intent(in) :: job\ninteger intent(in) :: n\n\
         real dimension((job[0]=='V'?n:1)), intent(out) :: z\n\
         integer intent(hide), depend(z) :: ldz = shape(z, 0)\nend",
        &["hidden int ldz = ((first_letter(job)==86?n:1))", "z[(first_letter(job)==86?n:1)]"],
    );
}

#[test]
fn call_statements_are_copied() {
    has(
        "function f(z, k) result(r)\ncallstatement {k++; (*f2py_func)(&f, &(z.i), &k);}\n\
         callprotoargument double*, double*, int*\ndouble precision :: r\n\
         double complex intent(in) :: z = (1.0, 2.0)\ninteger intent(in) :: k\nend",
        &[
            "double f_(double *, int *);",
            "{k++; r = f_(&(((double *)&z)[1]), &k);}",
            "out double *r, double complex z = 1.0 + 2.0 * _Complex_I, int k",
        ],
    );
}

#[test]
fn what_has_no_equivalent_is_left_out() {
    for (routine, reason) in [
        ("subroutine f(x)\nreal intent(in), dimension(:), intent(hide) :: x\nend", "is unknown"),
        ("subroutine f(x)\nreal intent(strange) :: x\nend", "`intent(strange)`"),
        ("subroutine f(x)\nreal allocatable :: x\nend", "`allocatable`"),
        ("subroutine f(x)\nreal*16 :: x\nend", "the type `real*16`"),
        ("subroutine f(x)\nreal, strange :: x\nend", "`strange` is unknown"),
        ("subroutine f(x)\nend", "`x` is not declared"),
        ("subroutine f(x)\nallocate(x)\nend", "the statement `allocate`"),
        ("subroutine f(x)\ninteger :: x = PyArray_Size(x_capi)\nend", "in the code of f2py"),
        ("subroutine f(x)\ncallstatement return\ninteger :: x\nend", "returns"),
        ("character*5 function f()\nend", "is not only an input"),
        ("subroutine f(double)\ninteger :: double\nend", "a keyword of C"),
    ] {
        is_left_out(routine, reason);
    }
}

#[test]
fn templates_include_files() {
    let read = |name: &str| {
        (name == "a.src").then(|| "<x=1,2>\nsubroutine f<x>\nend subroutine\n".to_owned())
    };
    let text = expand("include 'a.src'\ninclude 'b.src'\n", &read);
    let expected = "<x=1,2>\nsubroutine f1\nend subroutine\nsubroutine f2\nend subroutine\n\ninclude \
                    'b.src'\n";
    assert_eq!(text, expected);
}

#[test]
fn routines_of_modules_have_their_symbols() {
    let text = "python module lib\ninterface\nmodule Fib\nsubroutine series(n,z)\ninteger, intent(in) :: n\n\
                real(8), dimension(n), intent(out) :: z\nend subroutine\nsubroutine total(x)\n\
                real(8), dimension(:), intent(in) :: x\nend subroutine\nend module Fib\nmodule data\ninteger :: k\n\
                end module data\nend interface\nend python module\n";
    let conversion = convert(text);
    assert!(conversion.print().contains("__fib_MOD_series(&n, z);"));
    let reasons: Vec<&str> = conversion.left_out.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(reasons.contains(&"total") && reasons.contains(&"data"), "{reasons:?}");
}

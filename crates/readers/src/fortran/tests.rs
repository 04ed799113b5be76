use super::*;

fn source(name: &str, text: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), text: text.to_owned() }
}

fn printed(text: &str) -> String {
    draft(&[source("lib.f90", text)], "lib", &|_| true).print()
}

fn reasons(text: &str, file: &str) -> Vec<String> {
    let draft = draft(&[source(file, text)], "lib", &|_| true);
    draft.left_out.iter().map(|one| format!("{}: {}", one.name, one.reason)).collect()
}

/// The prototype of the only function.
fn prototype(text: &str) -> String {
    let all = printed(text);
    let line = all.lines().find_map(|line| line.strip_prefix("proto = "));
    line.unwrap_or(&all).trim_matches('"').to_owned()
}

#[test]
fn kinds_are_found_by_their_names() {
    for (declared, c) in [
        ("real(c_double)", "double"),
        ("real(kind=dp)", "double"),
        ("real*8", "double"),
        ("real(own)", "float"),
        ("integer", "int"),
        ("integer(int64)", "int64_t"),
        ("complex*16", "double complex"),
        ("logical(c_bool)", "_Bool"),
        ("DoublePrecision", "double"),
    ] {
        let text = format!(
            "subroutine f(x)\nuse there, only: own => real32\ninteger, parameter :: dp = kind(1.d0)\n{declared}, \
             value :: x\nend\n"
        );
        assert_eq!(prototype(&text), format!("void f_({c} x)"), "{declared}");
    }
}

#[test]
fn intents_and_shapes_are_those_of_the_declarations() {
    for (declared, expected) in [
        ("integer, intent(in) :: n\nreal(8), intent(out) :: x(n)", "in int *n, out double x[n]"),
        ("integer :: n\nreal*8 x\nintent(in) n\nintent(in out) x", "in int *n, in out double *x"),
        (
            "integer, value :: n\nreal, intent(inout), dimension(2, 0:n-1) :: x",
            "int n, inout fortran float x[2][n]",
        ),
        (
            "integer, value :: n\nreal, intent(in), optional :: x(-n:n)",
            "int n, nullable in float x[n - (-n) + 1]",
        ),
        ("integer, value :: n; real, intent(in) :: x(m * &\n  & n)", "int n, in float x[3 * n]"),
    ] {
        let text =
            format!("subroutine f(n, x)\ninteger, parameter :: m = 3\n{declared}\nn = 1\nend\n");
        assert_eq!(prototype(&text), format!("void f_({expected})"), "{declared}");
    }
    let sized =
        "subroutine f(x, y)\nreal, intent(in) :: x(4)\nreal, intent(out) :: y(size(x))\nend";
    assert_eq!(prototype(sized), "void f_(in float x[4], out float y[size(x)])");
}

#[test]
fn what_is_not_declared_is_left_out() {
    for (declared, reason) in [
        ("real x", "the intent of `x` is not declared"),
        ("real, intent(in) :: x(*)", "the size of `x` is not declared (`*`)"),
        (
            "real, intent(in) :: x(:)",
            "`x` is of assumed shape: put the procedure into a module, from which Fortran can call it",
        ),
        ("real, intent(in) :: x(k)", "the size `k` depends on `k`, which is not an argument"),
        (
            "real, intent(in), allocatable :: x",
            "`x` is allocatable: put the procedure into a module, from which Fortran can call it",
        ),
        ("real, intent(in), pointer :: x", "`x` has no equal in C (`pointer`)"),
        ("type(t), intent(in) :: x", "`x` has no equal in C (`type(t)`)"),
        ("real(16), intent(in) :: x", "the kind of `real(16)` is unknown"),
        (
            "character(3), intent(in) :: x",
            "the string `x` is not declared as `character(len=*) :: s`",
        ),
        ("external x", "`x` is a procedure without an interface: declare a callback"),
        ("real, intent(inout), optional :: x", "`x` is optional, and both an input and an output"),
    ] {
        let text = format!("subroutine f(x)\n{declared}\nend subroutine");
        assert_eq!(reasons(&text, "lib.f90"), [format!("f: {reason}")]);
    }
    let inner =
        "subroutine f()\ncontains\nsubroutine g(x)\nreal x\nend subroutine g\nend subroutine f";
    assert_eq!(draft(&[source("lib.f90", inner)], "lib", &|_| true).functions(), 1);
}

#[test]
fn procedures_are_callbacks() {
    for (declared, expected) in [
        (
            "interface\nreal(8) function f(x)\nreal(8), intent(in) :: x\nend function\nend interface",
            "double (*f)(in double *x)",
        ),
        ("procedure(field) :: f", "void (*f)(int n, in double y[n], out double dy[n])"),
        (
            "procedure(field), optional :: f",
            "nullable void (*f)(int n, in double y[n], out double dy[n])",
        ),
    ] {
        let text = format!(
            "module m\nabstract interface\nsubroutine field(n, y, dy) bind(c)\ninteger, value :: n\n\
             real(8), intent(in) :: y(n)\nreal(8), intent(out) :: dy(n)\nend subroutine\nend interface\ncontains\n\
             subroutine g(f) bind(c)\n{declared}\nend subroutine\nend module\n"
        );
        assert_eq!(prototype(&text), format!("void g({expected})"), "{declared}");
    }
    let of_module = "module m\ncontains\nsubroutine g(n)\ninteger, value :: n\nend\nend module\n";
    assert_eq!(prototype(of_module), "void __m_MOD_g(int n)");
}

#[test]
fn fixed_form_has_columns() {
    let text = "C comment\n      SUBROUTINE F(N,\n     1  X)\n      INTENT(IN) N, X\n      END\n";
    let draft = draft(&[source("lib.f", text)], "lib", &|_| true);
    assert!(
        draft.print().contains("proto = \"void f_(in int *n, in float *x)\""),
        "{}",
        draft.print()
    );
}

#[test]
fn shims_call_procedures_that_c_cannot_call() {
    for (declared, expected) in [
        (
            "subroutine f(x, y)\nreal(8), intent(in) :: x(:, 0:)\nreal(8), intent(out) :: y(:)",
            "void m_f_for_c(in fortran double x[size_1_of_x][size_2_of_x], size_t size_1_of_x, size_t size_2_of_x, \
             out double y[size_1_of_y], size_t size_1_of_y)",
        ),
        (
            "subroutine f(n, x)\ninteger, intent(in) :: n\nreal, allocatable, intent(out) :: x(:)",
            "status int m_f_for_c(in int *n, out own(free) float *x[size_1_of_x], hidden size_t *size_1_of_x)",
        ),
        (
            "subroutine f(x)\nreal, allocatable, intent(inout) :: x",
            "status int m_f_for_c(in float *x, out float *new_x)",
        ),
        (
            "function f(n) result(x)\ninteger, value :: n\ncomplex(8) :: x(n, n)",
            "status int m_f_for_c(int n, out own(free) fortran double complex \
             *result_of_f[size_1_of_result_of_f][size_2_of_result_of_f], hidden size_t *size_1_of_result_of_f, \
             hidden size_t *size_2_of_result_of_f)",
        ),
        (
            "character(12) function f(s)\ncharacter(len=*), intent(in) :: s",
            "status int m_f_for_c(in char *s, hidden size_t length_of_s = len(s), out own(free) char **result_of_f)",
        ),
    ] {
        let text = format!("module m\ncontains\n{declared}\nend\nend module\n");
        assert_eq!(prototype(&text), expected, "{declared}");
    }
    for (declared, reason) in [
        ("character(:), allocatable, intent(in) :: x", "`x` is allocatable, and not of numbers"),
        ("real, allocatable :: x(:)", "the intent of `x` is not declared"),
        ("real, allocatable, optional, intent(in) :: x(:)", "`x` is allocatable and optional"),
        ("real, optional, intent(in) :: x(:)", "`x` is optional, and of assumed shape"),
        (
            "character(*), intent(out) :: x",
            "the length of the string `x` is unknown: declare `character(len=:), allocatable`, or a length",
        ),
    ] {
        let text = format!(
            "module m\ncontains\nsubroutine f(x)\n{declared}\nend subroutine\nend module\n"
        );
        assert_eq!(reasons(&text, "lib.f90"), [format!("f: {reason}")]);
    }
    let private =
        "module m\nprivate\ncontains\nsubroutine f(x)\nreal, intent(in) :: x(:)\nend\nend module\n";
    assert_eq!(reasons(private, "lib.f90"), ["f: it is private: make it public"]);
}

#[test]
fn procedures_of_submodules_belong_to_their_module() {
    let text = "module m\ninterface\nmodule subroutine f(n)\ninteger, value :: n\nend subroutine\nend interface\n\
                end module\nsubmodule (m) part\ncontains\nmodule procedure f\nprint *, n\nend procedure\n\
                module subroutine g(n)\ninteger, value :: n\nend subroutine\nsubroutine h(n)\ninteger, value :: n\n\
                end subroutine\nend submodule\n";
    assert_eq!(prototype(text), "void __m_MOD_f(int n)");
    assert_eq!(
        reasons(text, "lib.f90"),
        [
            "g: it is in a submodule: draft the file with the module that declares it",
            "h: it is in a submodule: add bind(c)"
        ]
    );
}

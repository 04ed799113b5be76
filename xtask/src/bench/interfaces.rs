//! Interfaces of any size, for measurements of the front end.
//!
//! Functions of every kind alternate: scalars, arrays of one and two dimensions, each intent,
//! defaults, hidden values, a return code, overloads. The average function thus costs the same for
//! any number of them, and any growth in the table is the tool's own.

use std::fmt::Write as _;

/// A kind of function. `@` is replaced by a number that makes its names unique.
struct Kind {
    /// The content of `[function.NAME]`.
    entry: &'static str,
    /// The C functions, without their bodies.
    c: &'static [&'static str],
}

const KINDS: [Kind; 10] = [
    Kind {
        entry: r#"doc   = "Sum of two numbers."
proto = "double add@(double a, double b)""#,
        c: &["double add@(double a, double b)"],
    },
    Kind {
        entry: r#"doc   = "Arithmetic mean of `x`."
proto = "double mean@(size_t n, const double x[n])""#,
        c: &["double mean@(size_t n, const double *x)"],
    },
    Kind {
        entry: r#"doc   = "Multiplies `x` by `factor` in place."
proto = "void scale@(size_t n, inplace double x[n], double factor = 2)""#,
        c: &["void scale@(size_t n, double *x, double factor)"],
    },
    Kind {
        entry: r#"doc   = "Running sums of `x`."
proto = "void sums@(size_t n, const int64_t x[n], out int64_t y[n])""#,
        c: &["void sums@(size_t n, const int64_t *x, int64_t *y)"],
    },
    Kind {
        entry: r#"doc   = "The smallest and the largest of `x`."
proto = "status int minmax@(size_t n, const float x[n], out float *low, out float *high)""#,
        c: &["int minmax@(size_t n, const float *x, float *low, float *high)"],
    },
    Kind {
        entry: r#"doc   = "Matrix times vector."
proto = "void matvec@(int m, int n, const double a[m][n], const double x[n], out double y[m])""#,
        c: &["void matvec@(int m, int n, const double *a, const double *x, double *y)"],
    },
    Kind {
        entry: r#"doc   = "Solves `a x = b`; `a` and `b` are used up."
proto = "status int solve@(int n, inplace fortran double a[n][n], inplace double b[n], hidden int job = 1)""#,
        c: &["int solve@(int n, double *a, double *b, int job)"],
    },
    Kind {
        entry: r#"doc   = "Weighted sum; without `w` every weight is 1."
proto = "double weighted@(size_t n, const double x[n], nullable const double w[n], int power = 1, bool squared = 0)""#,
        c: &[
            "double weighted@(size_t n, const double *x, const double *w, int power, bool squared)",
        ],
    },
    Kind {
        entry: r#"doc   = "Fills in a copy."
proto = "void smooth@(size_t n, in out double x[n], uint8_t passes, hidden double work[2 * n])""#,
        c: &["void smooth@(size_t n, double *x, uint8_t passes, double *work)"],
    },
    Kind {
        entry: r#"doc   = "Cosine, of one or of many, in either precision."
proto = ["double cosine@(double x)",
         "float cosinef@(float x)",
         "void cosines@(size_t n, const double x[n], out double y[n])",
         "void cosinesf@(size_t n, const float x[n], out float y[n])"]"#,
        c: &[
            "double cosine@(double x)",
            "float cosinef@(float x)",
            "void cosines@(size_t n, const double *x, double *y)",
            "void cosinesf@(size_t n, const float *x, float *y)",
        ],
    },
];

/// The name of the module, and of its files.
pub(super) const NAME: &str = "many";

/// The files of an interface of `count` functions, with their names. The C functions return at once.
pub(super) fn write(count: usize) -> [(String, String); 3] {
    let mut interface = format!(
        "[module]\nname = \"{NAME}\"\ndoc = \"Functions of every kind.\"\nheaders = [\"{NAME}.h\"]\n\
         sources = [\"{NAME}.c\"]\n"
    );
    let mut header =
        String::from("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n");
    let mut source = format!("#include \"{NAME}.h\"\n\n");
    for number in 0..count {
        let kind = &KINDS[number % KINDS.len()];
        let unique = |text: &str| text.replace('@', &number.to_string());
        let _ = write!(interface, "\n[function.f{number}]\n{}\n", unique(kind.entry));
        for function in kind.c.iter().map(|function| unique(function)) {
            let body = if function.starts_with("void") { "{}" } else { "{ return 0; }" };
            let _ = writeln!(header, "{function};");
            let _ = writeln!(source, "{function} {body}");
        }
    }
    [("toml", interface), ("h", header), ("c", source)]
        .map(|(extension, text)| (format!("{NAME}.{extension}"), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_names_of_its_own() {
        let [(_, text), ..] = write(2 * KINDS.len());
        assert_eq!(text.matches("[function.f").count(), 2 * KINDS.len());
        for name in ["add0(", "add10(", "cosinesf9(", "cosinesf19("] {
            assert_eq!(text.matches(name).count(), 1, "{name}");
        }
    }
}

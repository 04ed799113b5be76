//! Interfaces of any size, for measurements of the front end.
//!
//! Functions of every kind alternate: scalars, arrays of one and two dimensions, each intent,
//! defaults, hidden values, a return code, overloads. The average function thus costs the same for
//! any number of them, and any growth in the table is the tool's own.

use std::fmt::Write as _;

/// A kind of function: the content of `[function.NAME]`. `@` is replaced by a number that makes its
/// names unique.
const KINDS: [&str; 10] = [
    r#"doc   = "Sum of two numbers."
proto = "double add@(double a, double b)""#,
    r#"doc   = "Arithmetic mean of `x`."
proto = "double mean@(size_t n, const double x[n])""#,
    r#"doc   = "Multiplies `x` by `factor` in place."
proto = "void scale@(size_t n, inplace double x[n], double factor = 2)""#,
    r#"doc   = "Running sums of `x`."
proto = "void sums@(size_t n, const int64_t x[n], out int64_t y[n])""#,
    r#"doc   = "The smallest and the largest of `x`."
proto = "status int minmax@(size_t n, const float x[n], out float *low, out float *high)""#,
    r#"doc   = "Matrix times vector."
proto = "void matvec@(int m, int n, const double a[m][n], const double x[n], out double y[m])""#,
    r#"doc   = "Solves `a x = b`; `a` and `b` are used up."
proto = "status int solve@(int n, inplace fortran double a[n][n], inplace double b[n], hidden int job = 1)""#,
    r#"doc   = "Weighted sum; without `w` every weight is 1."
proto = "double weighted@(size_t n, const double x[n], nullable const double w[n], int power = 1, bool squared = 0)""#,
    r#"doc   = "Fills in a copy."
proto = "void smooth@(size_t n, in out double x[n], uint8_t passes, hidden double work[2 * n])""#,
    r#"doc   = "Cosine, of one or of many, in either precision."
proto = ["double cosine@(double x)",
         "float cosinef@(float x)",
         "void cosines@(size_t n, const double x[n], out double y[n])",
         "void cosinesf@(size_t n, const float x[n], out float y[n])"]"#,
];

/// An interface file of `count` functions.
pub(super) fn write(count: usize) -> String {
    let mut text = String::from(
        "[module]\nname = \"many\"\ndoc = \"Functions of every kind.\"\nheaders = [\"many.h\"]\n",
    );
    for number in 0..count {
        let kind = KINDS[number % KINDS.len()].replace('@', &number.to_string());
        let _ = write!(text, "\n[function.f{number}]\n{kind}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_names_of_its_own() {
        let text = write(2 * KINDS.len());
        assert_eq!(text.matches("[function.f").count(), 2 * KINDS.len());
        for name in ["add0(", "add10(", "cosinesf9(", "cosinesf19("] {
            assert_eq!(text.matches(name).count(), 1, "{name}");
        }
    }
}

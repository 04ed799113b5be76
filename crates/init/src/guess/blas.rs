//! The conventions of BLAS and LAPACK in their C interfaces.
//!
//! Purpose: recognise increments, leading dimensions, orders and flags, and the resulting shapes.
//! Invariant: everything on which a shape depends, except for sizes (layout, transposition, side),
//! is hidden, so that a shape is always the one that C expects.
//! Reason: thousands of functions follow these conventions, whose names are half a century old; a
//! function with an array whose shape they do not determine is omitted.

use super::Context;
use super::argument::{Argument, Passed};
use fishplate_model::Scalar;

/// The element type of `void *` arguments: CBLAS passes complex numbers like this, and the letter
/// after `cblas_` determines the precision.
pub(super) fn complex_by_name(name: &str) -> Option<Scalar> {
    let routine = name.strip_prefix("cblas_")?;
    // `icamax` is the index of a maximum, `scnrm2` and `dznrm2` are real norms of complex vectors.
    let routine = routine.strip_prefix('i').unwrap_or(routine);
    if routine.starts_with('c') || routine.starts_with("sc") {
        Some(Scalar::ComplexFloat)
    } else if routine.starts_with('z') || routine.starts_with("dz") {
        Some(Scalar::ComplexDouble)
    } else {
        None
    }
}

/// True if a pointer is followed by its increment or its leading dimension, or the function's name
/// and a layout indicate BLAS.
pub(super) fn follows(name: &str, arguments: &[Argument]) -> bool {
    let measured =
        |pair: &[Argument]| pair[0].is_open() && (is_increment(&pair[1]) || is_leading(&pair[1]));
    let named = name.starts_with("LAPACKE_") || name.starts_with("cblas_");
    arguments.windows(2).any(measured) || named && arguments.iter().any(is_layout)
}

fn is_increment(argument: &Argument) -> bool {
    argument.is_count() && argument.lower.starts_with("inc")
}

fn is_leading(argument: &Argument) -> bool {
    argument.is_count() && argument.lower.starts_with("ld") && argument.lower.len() <= 6
}

fn is_layout(argument: &Argument) -> bool {
    argument.passed == Passed::Value
        && argument.scalar().is_some_and(Scalar::is_integer)
        && matches!(argument.lower.as_str(), "order" | "layout" | "matrix_layout")
}

/// Guesses a function that [`follows`]; true if its result is a return code.
pub(super) fn apply(
    name: &str,
    arguments: &mut [Argument],
    context: &Context<'_, '_>,
    remarks: &mut Vec<String>,
) -> Result<bool, String> {
    let lapack = name.starts_with("LAPACKE_");
    if name.ends_with("_work") {
        return Err(
            "the caller must allocate its workspace; the function without `_work` allocates it"
                .to_owned(),
        );
    }
    if arguments.iter().any(|argument| matches!(argument.lower.as_str(), "kl" | "ku" | "kd"))
        || ["bmv", "bsv"].iter().any(|end| name.ends_with(end))
    {
        return Err("its matrix is stored in band format".to_owned());
    }
    let sizes = Sizes::of(arguments);
    flags(arguments, context, remarks);
    matrices(arguments, &sizes, remarks)?;
    vectors(arguments, &sizes, remarks)?;
    others(name, arguments, &sizes, remarks)?;
    Ok(lapack && returns_status(name))
}

/// LAPACKE's functions return `info`, apart from norms and their like, which return numbers.
fn returns_status(name: &str) -> bool {
    let routine = name.trim_start_matches("LAPACKE_");
    !["lan", "lapy", "lamch"].iter().any(|inside| routine.contains(inside))
}

/// The names of the sizes, as spelled in the header.
struct Sizes {
    m: Option<String>,
    n: Option<String>,
    k: Option<String>,
    right_sides: Option<String>,
    transposed: bool,
    side: bool,
}

impl Sizes {
    fn of(arguments: &[Argument]) -> Self {
        let named = |name: &str| {
            let found = arguments.iter().find(|other| other.is_count() && other.lower == name);
            found.map(|argument| argument.name.clone())
        };
        Sizes {
            m: named("m"),
            n: named("n"),
            k: named("k"),
            right_sides: named("nrhs"),
            transposed: arguments.iter().any(is_transposition),
            side: arguments.iter().any(|argument| argument.lower == "side"),
        }
    }

    /// The name of the size that rows and columns share.
    fn smaller(&self) -> Option<String> {
        match (&self.m, &self.n) {
            (Some(m), Some(n)) => Some(format!("min({m}, {n})")),
            (one, other) => other.clone().or_else(|| one.clone()),
        }
    }
}

fn is_transposition(argument: &Argument) -> bool {
    argument.passed == Passed::Value && argument.lower.starts_with("trans")
}

/// Layouts and flags: hidden if shapes depend on them, else with a default.
fn flags(arguments: &mut [Argument], context: &Context<'_, '_>, remarks: &mut Vec<String>) {
    for argument in arguments.iter_mut().filter(|argument| argument.passed == Passed::Value) {
        let letter = argument.scalar() == Some(Scalar::Char);
        let value = |lettered: &'static str, name, number| {
            if letter { lettered } else { context.constant(name, number) }
        };
        if is_layout(argument) {
            let enumeration = if argument.lower == "matrix_layout" {
                context.constant("LAPACK_ROW_MAJOR", "101")
            } else {
                context.constant("CblasRowMajor", "101")
            };
            remarks.push(format!("`{}` is always {enumeration}: row-major order", argument.name));
            argument.hide(enumeration);
        } else if is_transposition(argument) {
            let value = value("'N'", "CblasNoTrans", "111");
            remarks.push(format!("`{}` is always {value}: no matrix is transposed", argument.name));
            argument.hide(value);
        } else if argument.lower == "side" {
            let value = value("'L'", "CblasLeft", "141");
            remarks.push(format!("`{}` is always {value}", argument.name));
            argument.hide(value);
        } else {
            let default = match argument.lower.as_str() {
                "uplo" => value("'U'", "CblasUpper", "121"),
                "diag" => value("'N'", "CblasNonUnit", "131"),
                "jobz" if letter => "'V'",
                _ => continue,
            };
            remarks.push(format!("`{}` defaults to {default}", argument.name));
            argument.value = Some(default.to_owned());
        }
    }
}

/// Pointers that are followed by a leading dimension.
fn matrices(
    arguments: &mut [Argument],
    sizes: &Sizes,
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let found: Vec<usize> = (1..arguments.len())
        .filter(|at| is_leading(&arguments[*at]) && arguments[at - 1].is_open())
        .map(|at| at - 1)
        .collect();
    for (position, index) in found.iter().copied().enumerate() {
        let shape = matrix(&arguments[index], position, found.len(), sizes);
        let Some([rows, columns]) = shape else {
            return Err(format!("the parameter `{}` has no known shape", arguments[index].name));
        };
        let name = &arguments[index].name;
        remarks.push(format!("`{name}` is a matrix of `{rows}` by `{columns}`"));
        let stride = format!("stride({name}, 0)");
        arguments[index + 1].hide(stride);
        arguments[index].array([rows, columns], "inplace");
    }
    Ok(())
}

/// The shape of the matrix at this position of `count`.
fn matrix(
    argument: &Argument,
    position: usize,
    count: usize,
    sizes: &Sizes,
) -> Option<[String; 2]> {
    let is_a = argument.lower.starts_with('a');
    let shape = match (&sizes.m, &sizes.n, &sizes.k, &sizes.right_sides) {
        // Systems of equations, by least squares if there is an `m`.
        (None, Some(n), None, Some(_)) if is_a => [n.clone(), n.clone()],
        (None, Some(n), None, Some(right)) => [n.clone(), right.clone()],
        (Some(m), Some(n), None, Some(_)) if is_a => [m.clone(), n.clone()],
        (Some(m), Some(n), None, Some(right)) => [format!("max({m}, {n})"), right.clone()],
        // A square matrix from the left.
        (Some(m), Some(n), None, None) if sizes.side => match position {
            0 => [m.clone(), m.clone()],
            _ => [m.clone(), n.clone()],
        },
        (Some(m), Some(n), Some(k), None) if count == 3 && !sizes.side => match position {
            0 => [m.clone(), k.clone()],
            1 => [k.clone(), n.clone()],
            _ => [m.clone(), n.clone()],
        },
        (Some(m), Some(n), _, None) if count == 1 && !sizes.side => [m.clone(), n.clone()],
        // A product with its own transpose.
        (None, Some(n), Some(k), None) if sizes.transposed => match argument.is_const {
            true => [n.clone(), k.clone()],
            false => [n.clone(), n.clone()],
        },
        (None, Some(n), None, None) => [n.clone(), n.clone()],
        _ => return None,
    };
    Some(shape)
}

/// Pointers that are followed by an increment.
fn vectors(
    arguments: &mut [Argument],
    sizes: &Sizes,
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let mut position = 0;
    for at in 1..arguments.len() {
        if !is_increment(&arguments[at]) || !arguments[at - 1].is_open() {
            continue;
        }
        let vector = &mut arguments[at - 1];
        let length = match (&sizes.m, &sizes.n) {
            (None, Some(n)) => n,
            // A matrix times a vector of its columns is a vector of its rows.
            (Some(m), Some(n)) if sizes.transposed => {
                if vector.is_const {
                    n
                } else {
                    m
                }
            }
            // A column times a row is a matrix.
            (Some(m), Some(n)) => {
                if position == 0 {
                    m
                } else {
                    n
                }
            }
            _ => return Err(format!("the parameter `{}` has no known length", vector.name)),
        };
        remarks.push(format!("`{}` is a vector of `{length}` elements", vector.name));
        let stride = format!("stride({})", vector.name);
        vector.array([length.clone()], "inplace");
        arguments[at].hide(stride);
        position += 1;
    }
    Ok(())
}

/// Pointers that are followed by neither.
fn others(
    function: &str,
    arguments: &mut [Argument],
    sizes: &Sizes,
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let lapack = function.starts_with("LAPACKE_");
    let square = sizes.m.is_none();
    for argument in arguments.iter_mut().filter(|argument| argument.is_open()) {
        let name = argument.name.clone();
        let n = sizes.n.clone();
        let shape = match argument.lower.as_str() {
            "ap" | "afp" | "bp" => n.map(|n| format!("{n}*({n} + 1)/2")),
            "ipiv" | "s" if lapack => sizes.smaller(),
            "w" | "wr" | "wi" if lapack && square => n,
            "tau" if lapack => sizes.k.clone().or_else(|| sizes.smaller().filter(|_| !square)),
            "ferr" | "berr" if lapack => sizes.right_sides.clone(),
            "p" if !lapack => Some("5".to_owned()),
            _ => None,
        };
        if let Some(length) = shape {
            let kept = matches!(argument.lower.as_str(), "ap" | "afp" | "bp" | "p");
            remarks.push(format!("`{name}` is an array of `{length}` elements"));
            argument.array([length], if kept { "inplace" } else { "out" });
            continue;
        }
        // In CBLAS, a pointer that is not an array is a factor or a result.
        let number = function.starts_with("cblas_")
            || lapack && matches!(argument.lower.as_str(), "rcond" | "rank" | "sdim");
        if !number {
            return Err(format!("the parameter `{name}` has no known shape"));
        }
        if argument.is_const {
            remarks.push(format!("`{name}` is one number"));
            argument.intent = Some("in");
        } else {
            remarks.push(format!("`{name}` is one number that C writes"));
            argument.intent = Some("out");
        }
    }
    Ok(())
}

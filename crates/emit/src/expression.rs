//! Expressions of the interface as C over a call's variables.
//!
//! Two printers: [`value`] prints C as written, with the call's names; [`dimension`] computes in
//! `ptrdiff_t` with the runtime's `fp_add`, `fp_sub`, `fp_mul`, `fp_div`, `fp_rem`, `fp_min` and
//! `fp_max`, which never overflow.

use fishplate_model::{BinaryOp, Expr, ExprKind, Measure, UnaryOp};

/// The meaning of names in an expression.
pub trait Scope {
    /// C for the value of the argument `name`; `None` when no argument has this name.
    fn value(&self, name: &str) -> Option<String>;
    /// True when the argument is an integer scalar.
    fn is_integer(&self, name: &str) -> bool;
    /// C for the value of the integer argument `name` as a `ptrdiff_t`.
    fn integer(&self, name: &str) -> Option<String>;
    /// C for the rank of the array argument `name`.
    fn rank(&self, name: &str) -> String;
    /// C for the bytes of an element of the array argument `name`, as a `ptrdiff_t`.
    fn itemsize(&self, name: &str) -> String;
    /// C for the code of the dtype of the array argument `name`, which has one.
    fn dtype(&self, name: &str) -> String {
        name.to_owned()
    }
    /// C for dimension `axis` of the array argument `name`, as a `ptrdiff_t`.
    fn dim(&self, name: &str, axis: usize) -> String;
    /// C for the number of elements of the array argument `name`, as a `ptrdiff_t`.
    fn size(&self, name: &str) -> String;
    /// C for element `index` of the vector of integers `name`, as a `ptrdiff_t`; `None` if it is not one of the caller,
    /// whose length is known.
    fn element(&self, name: &str, index: &str) -> Option<String> {
        let _ = (name, index);
        None
    }
    /// C for the elements from one index of dimension `axis` of the array argument `name` to the
    /// next, as a `ptrdiff_t`.
    fn stride(&self, name: &str, axis: usize) -> String;
}

/// The expression as C, in whatever type it has in C.
pub fn value(expr: &Expr, scope: &dyn Scope) -> String {
    match &expr.kind {
        // Compilers warn about decimal literals beyond `long long`, and treat them as unsigned.
        ExprKind::Literal(text) if is_decimal(text) && !fits_dimension(text) => format!("{text}u"),
        ExprKind::Literal(text) => text.clone(),
        ExprKind::Name(name) => scope.value(name).unwrap_or_else(|| name.clone()),
        ExprKind::Measure { measure, array, axis, .. } => measured(*measure, array, *axis, scope),
        ExprKind::Call(name, args) => {
            let args: Vec<String> = args.iter().map(|arg| value(arg, scope)).collect();
            match (name.as_str(), args.as_slice()) {
                ("min", [a, b]) => format!("(({a}) < ({b}) ? ({a}) : ({b}))"),
                ("max", [a, b]) => format!("(({a}) > ({b}) ? ({a}) : ({b}))"),
                _ => format!("{name}({})", args.join(", ")),
            }
        }
        ExprKind::Unary(op, inner) => {
            let inner = value(inner, scope);
            // `- -x` must not become `--x`.
            let space = if inner.starts_with(['-', '+']) { " " } else { "" };
            format!("{}{space}{inner}", op.symbol())
        }
        ExprKind::Binary(op, left, right) => {
            format!("{} {} {}", value(left, scope), op.symbol(), value(right, scope))
        }
        ExprKind::Conditional(test, yes, no) => {
            format!("{} ? {} : {}", value(test, scope), value(yes, scope), value(no, scope))
        }
        ExprKind::Cast(ty, inner) => format!("({ty}){}", value(inner, scope)),
        ExprKind::SizeOf(ty) => {
            format!("sizeof({})", scope.value(ty).unwrap_or_else(|| ty.clone()))
        }
        ExprKind::Index(array, index) => {
            format!("{}[{}]", value(array, scope), value(index, scope))
        }
        ExprKind::Member(inner, member) => format!("{}{member}", value(inner, scope)),
        ExprKind::Paren(inner) => format!("({})", value(inner, scope)),
    }
}

/// The expression as a `ptrdiff_t`, with arithmetic that cannot overflow.
pub fn dimension(expr: &Expr, scope: &dyn Scope) -> String {
    let nested = |expr: &Expr| dimension(expr, scope);
    match &expr.kind {
        ExprKind::Literal(text) => text.clone(),
        ExprKind::Name(name) => {
            scope.integer(name).unwrap_or_else(|| format!("(ptrdiff_t){}", value(expr, scope)))
        }
        ExprKind::Measure { measure, array, axis, .. } => measured(*measure, array, *axis, scope),
        ExprKind::Paren(inner) => nested(inner),
        ExprKind::Unary(UnaryOp::Plus, inner) => nested(inner),
        ExprKind::Unary(UnaryOp::Minus, inner) => format!("fp_sub(0, {})", nested(inner)),
        ExprKind::Unary(op, inner) => format!("(ptrdiff_t)({}({}))", op.symbol(), nested(inner)),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (nested(left), nested(right));
            match checked(*op) {
                Some(function) => format!("{function}({left}, {right})"),
                None => format!("(ptrdiff_t)(({left}) {} ({right}))", op.symbol()),
            }
        }
        ExprKind::Conditional(test, yes, no) => {
            format!("(({}) ? {} : {})", nested(test), nested(yes), nested(no))
        }
        ExprKind::Call(name, args) if matches!(name.as_str(), "min" | "max") && args.len() == 2 => {
            format!("fp_{name}({}, {})", nested(&args[0]), nested(&args[1]))
        }
        ExprKind::Index(array, index)
            if let Some(element) = element(array, &dimension(index, scope), scope) =>
        {
            element
        }
        ExprKind::Call(..)
        | ExprKind::Cast(..)
        | ExprKind::SizeOf(_)
        | ExprKind::Index(..)
        | ExprKind::Member(..) => format!("(ptrdiff_t)({})", value(expr, scope)),
    }
}

/// C for an element of an array of the caller.
fn element(array: &Expr, index: &str, scope: &dyn Scope) -> Option<String> {
    scope.element(array.as_name()?, index)
}

fn is_decimal(literal: &str) -> bool {
    literal.chars().all(|c| c.is_ascii_digit())
}

/// True if a `ptrdiff_t` holds a decimal literal.
fn fits_dimension(literal: &str) -> bool {
    literal.parse::<i64>().is_ok()
}

/// True for integer arithmetic that [`dimension`] computes without overflow: over integer literals,
/// integer arguments, elements of arrays of integers, and array properties.
pub fn is_integer_arithmetic(expr: &Expr, scope: &dyn Scope) -> bool {
    let is_arithmetic = match &expr.kind {
        ExprKind::Literal(text) => is_decimal(text) && fits_dimension(text),
        ExprKind::Name(name) => scope.is_integer(name),
        ExprKind::Measure { measure, .. } => *measure != Measure::Dtype,
        ExprKind::Paren(_) | ExprKind::Conditional(..) => true,
        ExprKind::Unary(op, _) => *op != UnaryOp::BitNot,
        ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::Shl | BinaryOp::Shr),
        ExprKind::Call(name, args) => matches!(name.as_str(), "min" | "max") && args.len() == 2,
        ExprKind::Index(array, index) => {
            return element(array, "0", scope).is_some() && is_integer_arithmetic(index, scope);
        }
        ExprKind::Cast(..) | ExprKind::SizeOf(_) | ExprKind::Member(..) => false,
    };
    is_arithmetic && expr.children().into_iter().all(|part| is_integer_arithmetic(part, scope))
}

fn measured(measure: Measure, array: &str, axis: Option<usize>, scope: &dyn Scope) -> String {
    match measure {
        Measure::Len => scope.dim(array, 0),
        Measure::Shape => scope.dim(array, axis.unwrap_or(0)),
        Measure::Ndim => scope.rank(array),
        Measure::Size => scope.size(array),
        Measure::Stride => scope.stride(array, axis.unwrap_or(0)),
        Measure::ItemSize => scope.itemsize(array),
        Measure::Dtype => scope.dtype(array),
    }
}

fn checked(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "fp_add",
        BinaryOp::Sub => "fp_sub",
        BinaryOp::Mul => "fp_mul",
        BinaryOp::Div => "fp_div",
        BinaryOp::Rem => "fp_rem",
        _ => return None,
    })
}

//! Expressions in dimensions, defaults and hidden values: C expressions with array properties.

use crate::Span;

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The expression itself.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// The properties of an array argument. Sizes are 0 for an array that is NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// `len(x)`: the first dimension.
    Len,
    /// `shape(x, i)`: dimension `i`, an integer literal.
    Shape,
    /// `ndim(x)`: the number of dimensions.
    Ndim,
    /// `size(x)`: the number of elements.
    Size,
    /// `stride(x, i)`: the distance in elements between neighbours along dimension `i`. An array in
    /// a `stride` expression is used in place.
    Stride,
    /// `itemsize(x)`: the bytes of an element.
    ItemSize,
    /// `dtype(x)`: C's code for the dtype of an array, from its table `[dtypes.NAME]`.
    Dtype,
}

/// The kinds of expression. The strings in `Literal`, `Cast` and `SizeOf`, and the operators, are C
/// as written.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer, floating, character or string literal.
    Literal(String),
    /// An argument; if no argument has this name, a C constant.
    Name(String),
    /// `len(x)`, `shape(x, i)`, `ndim(x)`, `size(x)`, `stride(x, i)`, `itemsize(x)`, `dtype(x)`.
    Measure {
        /// The property.
        measure: Measure,
        /// The name of the array argument.
        array: String,
        /// The place of that name.
        array_span: Span,
        /// The axis of `shape(x, i)` and `stride(x, i)`.
        axis: Option<usize>,
    },
    /// A call of a C function or macro; `min` and `max` of two values are built in.
    Call(String, Vec<Expr>),
    /// `-x`, `!x`, `~x`, `+x`.
    Unary(UnaryOp, Box<Expr>),
    /// Binary operators, such as `a + b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(type) x`.
    Cast(String, Box<Expr>),
    /// `sizeof(type)`.
    SizeOf(String),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a.b` or `a->b`; the string includes the `.` or `->`.
    Member(Box<Expr>, String),
    /// `(x)`: retained so that printed expressions look like the source.
    Paren(Box<Expr>),
}

/// C's unary operators on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `&`, only in a size query.
    Address,
}

impl UnaryOp {
    /// Its C spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
            UnaryOp::Address => "&",
        }
    }
}

/// C's binary operators on values, in order of falling precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// Every operator, in order of falling precedence.
    pub const ALL: [BinaryOp; 18] = [
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::BitAnd,
        BinaryOp::BitXor,
        BinaryOp::BitOr,
        BinaryOp::And,
        BinaryOp::Or,
    ];

    /// Its C spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// Its precedence: a larger number binds tighter (C99 6.5.5 to 6.5.14).
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 10,
            BinaryOp::Add | BinaryOp::Sub => 9,
            BinaryOp::Shl | BinaryOp::Shr => 8,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 7,
            BinaryOp::Eq | BinaryOp::Ne => 6,
            BinaryOp::BitAnd => 5,
            BinaryOp::BitXor => 4,
            BinaryOp::BitOr => 3,
            BinaryOp::And => 2,
            BinaryOp::Or => 1,
        }
    }
}

impl Expr {
    /// An expression at a place in the source.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Expr { kind, span }
    }

    /// As printed for people, without a unary plus: `+n` only marks that `n` is not inferred.
    pub fn shown(&self) -> &Expr {
        match &self.kind {
            ExprKind::Unary(UnaryOp::Plus, inner) if inner.as_name().is_some() => inner,
            _ => self,
        }
    }

    /// The name, if the whole expression is one name (with or without parentheses).
    pub fn as_name(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            ExprKind::Paren(inner) => inner.as_name(),
            _ => None,
        }
    }

    /// The literal, if the whole expression is one literal, with or without a sign.
    pub fn as_literal(&self) -> Option<String> {
        match &self.kind {
            ExprKind::Literal(text) => Some(text.clone()),
            ExprKind::Paren(inner) => inner.as_literal(),
            ExprKind::Unary(op @ (UnaryOp::Minus | UnaryOp::Plus), inner) => match &inner.kind {
                ExprKind::Literal(text) => Some(format!("{}{text}", op.symbol())),
                _ => None,
            },
            _ => None,
        }
    }

    /// The direct subexpressions.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Name(_)
            | ExprKind::Measure { .. }
            | ExprKind::SizeOf(_) => Vec::new(),
            ExprKind::Call(_, args) => args.iter().collect(),
            ExprKind::Unary(_, inner)
            | ExprKind::Cast(_, inner)
            | ExprKind::Member(inner, _)
            | ExprKind::Paren(inner) => vec![inner],
            ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => vec![left, right],
            ExprKind::Conditional(test, yes, no) => vec![test, yes, no],
        }
    }

    /// Calls `visit` on this expression and all its subexpressions, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Replaces the names in it, those of array properties included: `new` returns the new name of one.
    pub fn rename(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        match &mut self.kind {
            ExprKind::Name(name) | ExprKind::Measure { array: name, .. } => {
                if let Some(new) = new(name) {
                    *name = new;
                }
            }
            ExprKind::Literal(_) | ExprKind::SizeOf(_) => {}
            ExprKind::Call(_, args) => args.iter_mut().for_each(|one| one.rename(new)),
            ExprKind::Unary(_, inner)
            | ExprKind::Cast(_, inner)
            | ExprKind::Member(inner, _)
            | ExprKind::Paren(inner) => inner.rename(new),
            ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
                left.rename(new);
                right.rename(new);
            }
            ExprKind::Conditional(test, yes, no) => {
                [test, yes, no].into_iter().for_each(|one| one.rename(new));
            }
        }
    }

    /// All names in it, those of array properties included, with their places.
    pub fn names(&self) -> Vec<(&str, Span)> {
        let mut names = Vec::new();
        self.walk(&mut |expr| match &expr.kind {
            ExprKind::Name(name) => names.push((name.as_str(), expr.span)),
            ExprKind::Measure { array, array_span, .. } => names.push((array, *array_span)),
            _ => {}
        });
        names
    }
}

impl std::fmt::Display for Expr {
    /// C-like spelling, for messages and documentation: `(n + 1)*2`, `shape(a, 0)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            ExprKind::Literal(text) | ExprKind::Name(text) => f.write_str(text),
            ExprKind::Measure { measure, array, axis, .. } => match (measure, axis) {
                (Measure::Len, _) => write!(f, "len({array})"),
                (Measure::Shape, Some(axis)) => write!(f, "shape({array}, {axis})"),
                (Measure::Shape, None) => write!(f, "shape({array})"),
                (Measure::Ndim, _) => write!(f, "ndim({array})"),
                (Measure::Size, _) => write!(f, "size({array})"),
                (Measure::Stride, Some(axis)) => write!(f, "stride({array}, {axis})"),
                (Measure::Stride, None) => write!(f, "stride({array})"),
                (Measure::ItemSize, _) => write!(f, "itemsize({array})"),
                (Measure::Dtype, _) => write!(f, "dtype({array})"),
            },
            ExprKind::Call(name, args) => {
                write!(f, "{name}(")?;
                for (i, arg) in args.iter().enumerate() {
                    write!(f, "{}{arg}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            // A space, since `--x` would be another operator.
            ExprKind::Unary(op, inner) => match &inner.kind {
                ExprKind::Unary(next, _) if next == op => write!(f, "{} {inner}", op.symbol()),
                _ => write!(f, "{}{inner}", op.symbol()),
            },
            ExprKind::Binary(op, left, right) if op.precedence() == 10 => {
                write!(f, "{left}{}{right}", op.symbol())
            }
            ExprKind::Binary(op, left, right) => write!(f, "{left} {} {right}", op.symbol()),
            ExprKind::Conditional(test, yes, no) => write!(f, "{test} ? {yes} : {no}"),
            ExprKind::Cast(ty, inner) => write!(f, "({ty}){inner}"),
            ExprKind::SizeOf(ty) => write!(f, "sizeof({ty})"),
            ExprKind::Index(array, index) => write!(f, "{array}[{index}]"),
            ExprKind::Member(inner, member) => write!(f, "{inner}{member}"),
            ExprKind::Paren(inner) => write!(f, "({inner})"),
        }
    }
}

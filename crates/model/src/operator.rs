//! Operators: the abilities of objects in the target language that are not methods.
//!
//! Purpose: list the operators that a function can implement for its class.
//! Invariant: the number of operands decides what an operator is: `-` with one is the negative, `[]` with three an
//! assignment.
//! Reason: the names are those of no target language, so that one interface serves all.

/// An operator.
#[derive(Debug, PartialEq, Eq)]
pub struct Operator {
    /// Its name in interfaces: `+`, `len`.
    pub name: &'static str,
    /// The numbers of operands that it may have, with the object.
    pub operands: &'static [usize],
    /// The object may be the second of two operands.
    pub is_swapped: bool,
}

const fn operator(name: &'static str, operands: &'static [usize]) -> Operator {
    Operator { name, operands, is_swapped: false }
}

const fn binary(name: &'static str, operands: &'static [usize]) -> Operator {
    Operator { name, operands, is_swapped: true }
}

/// All operators.
pub const OPERATORS: &[Operator] = &[
    binary("+", &[1, 2]),
    binary("-", &[1, 2]),
    binary("*", &[2]),
    binary("/", &[2]),
    binary("//", &[2]),
    binary("%", &[2]),
    binary("**", &[2]),
    binary("@", &[2]),
    binary("&", &[2]),
    binary("|", &[2]),
    binary("^", &[2]),
    binary("<<", &[2]),
    binary(">>", &[2]),
    operator("~", &[1]),
    operator("+=", &[2]),
    operator("-=", &[2]),
    operator("*=", &[2]),
    operator("/=", &[2]),
    operator("//=", &[2]),
    operator("%=", &[2]),
    operator("**=", &[2]),
    operator("@=", &[2]),
    operator("&=", &[2]),
    operator("|=", &[2]),
    operator("^=", &[2]),
    operator("<<=", &[2]),
    operator(">>=", &[2]),
    operator("==", &[2]),
    operator("!=", &[2]),
    operator("<", &[2]),
    operator("<=", &[2]),
    operator(">", &[2]),
    operator(">=", &[2]),
    operator("()", &[]),
    operator("[]", &[2, 3]),
    operator("in", &[2]),
    operator("len", &[1]),
    operator("bool", &[1]),
    operator("int", &[1]),
    operator("float", &[1]),
    operator("abs", &[1]),
    operator("hash", &[1]),
    operator("str", &[1]),
    operator("iter", &[1]),
    operator("next", &[1]),
];

impl Operator {
    /// The operator of this name.
    pub fn named(name: &str) -> Option<&'static Operator> {
        OPERATORS.iter().find(|one| one.name == name)
    }

    /// The operator that a C++ function of this name is: `lib::Vector::operator+`.
    pub fn of_cpp(function: &str) -> Option<&'static Operator> {
        let (before, spelled) = function.rsplit_once("operator")?;
        if !before.is_empty() && !before.ends_with("::") {
            return None;
        }
        let spelled: String = spelled.split_whitespace().collect();
        let name = match spelled.as_str() {
            "bool" => "bool",
            "double" | "float" => "float",
            "int" | "long" | "longlong" => "int",
            mark if mark.starts_with(|first: char| first.is_alphanumeric()) => return None,
            mark => mark,
        };
        Operator::named(name)
    }

    /// It may have so many operands.
    pub fn accepts(&self, operands: usize) -> bool {
        self.operands.is_empty() || self.operands.contains(&operands)
    }
}

//! Ops that call a C function according to its interface.
//!
//! Purpose: represent a planned call as an op: its inputs, outputs and steps.
//! Invariant: all expressions of the call are valid without the function's headers; an op changes
//! none of its inputs, so no argument of the plan is modified in place.
//! Reason: every host prints the same plan, so an op checks, copies and fails as calls do.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use fishplate_model::{BinaryOp, Expr, ExprKind, Measure, PerArgument, UnaryOp, VariableId};
use fishplate_plan::{Absent, Acquire, Call, Output, Step};

use crate::{DType, Error, Tensor};

/// A call of a C function.
#[derive(Clone, Debug)]
pub struct Wrapped {
    /// The function's name, for messages: `stats.mean`.
    pub name: String,
    /// The plan.
    pub call: Call,
    /// For each input of the node the corresponding variable of the call; optional ones are
    /// omitted.
    pub given: Vec<VariableId>,
    /// The address of the C function, in this process.
    pub address: usize,
}

/// Equal ops call the same function in the same way.
impl PartialEq for Wrapped {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.call.prototype, &self.given, self.address)
            == (&other.name, &other.call.prototype, &other.given, other.address)
            && self.call.steps == other.call.steps
    }
}

impl Eq for Wrapped {}

impl Hash for Wrapped {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, &self.call.prototype, &self.given, self.address).hash(state);
    }
}

impl Wrapped {
    /// The op, if the call can be one.
    ///
    /// # Errors
    ///
    /// The call uses features that graphs lack.
    pub fn new(
        name: String,
        call: Call,
        given: Vec<VariableId>,
        address: usize,
    ) -> Result<Self, Error> {
        let wrapped = Self { name, call, given, address };
        for variable in &wrapped.call.variables {
            for expr in variable.default.iter().chain(variable.shape().unwrap_or(&[])) {
                if let Some(part) = wrapped.unknown(expr) {
                    return Err(wrapped
                        .refused(&format!("`{part}`, in `{expr}`, is known to its headers only")));
                }
            }
        }
        for output in &wrapped.call.outputs {
            if let Output::Argument(variable) = *output
                && wrapped.call.variables[variable].nullable
                && wrapped.call.variables[variable].default.is_none()
                && !wrapped.given.contains(&variable)
                && wrapped.call.variables[variable].intent.is_input()
            {
                let argument = &wrapped.call.variables[variable].name;
                return Err(
                    wrapped.refused(&format!("it returns `{argument}`, which must then be passed"))
                );
            }
        }
        Ok(wrapped)
    }

    fn refused(&self, why: &str) -> Error {
        Error::kind_type(format!("{} cannot be an op: {why}", self.name))
    }

    /// The first part of an expression that only the function's own headers define.
    fn unknown(&self, expr: &Expr) -> Option<String> {
        let mut found = None;
        expr.walk(&mut |part| {
            let unknown = match &part.kind {
                ExprKind::Name(name) => self.scalar(name).is_none(),
                ExprKind::Call(name, _) => !matches!(name.as_str(), "min" | "max"),
                ExprKind::Cast(ty, _) | ExprKind::SizeOf(ty) => {
                    !ty.split_whitespace().all(|word| C_WORDS.contains(&word))
                }
                ExprKind::Index(..) | ExprKind::Member(..) => true,
                ExprKind::Literal(text) => text.starts_with('"'),
                _ => false,
            };
            if unknown && found.is_none() {
                found = Some(part.to_string());
            }
        });
        found
    }

    fn scalar(&self, name: &str) -> Option<VariableId> {
        let variables = &self.call.variables;
        variables.position(|one| one.name == name && one.rank() == 0)
    }

    /// True for a variable with a value: an input, or one that the call computes.
    pub fn is_there(&self, variable: VariableId) -> bool {
        let absent = self.call.steps.iter().find_map(|step| match step {
            Step::Acquire(Acquire { variable: one, absent, .. }) if *one == variable => {
                Some(absent)
            }
            _ => None,
        });
        absent != Some(&Absent::Null) || self.given.contains(&variable)
    }

    /// The dtype of a variable.
    pub fn dtype(&self, variable: VariableId) -> DType {
        self.call.variables[variable].ctype.scalar().dtype()
    }

    /// The types of the outputs for these inputs; `known` are the values of int64 constants.
    pub(crate) fn infer(
        &self,
        inputs: &[&Tensor],
        known: &[Option<i64>],
    ) -> Result<Vec<Tensor>, Error> {
        if inputs.len() != self.given.len() {
            return Err(Error::kind_type(format!(
                "{} takes {} inputs here, got {}",
                self.name,
                self.given.len(),
                inputs.len()
            )));
        }
        for (&variable, tensor) in self.given.iter().zip(inputs) {
            self.check_input(variable, tensor)?;
        }
        let mut known = Known::new(self, inputs, known);
        for step in &self.call.steps {
            known.step(step)?;
        }
        Ok(self.call.outputs.iter().map(|output| known.output(*output)).collect())
    }

    fn check_input(&self, index: VariableId, tensor: &Tensor) -> Result<(), Error> {
        let variable = &self.call.variables[index];
        let wanted = self.dtype(index);
        let fits = tensor.ndim() == variable.rank()
            && (tensor.dtype == wanted
                || variable.rank() == 0 && wanted.is_integer() && tensor.dtype.is_integer());
        if fits {
            return Ok(());
        }
        let sizes = vec!["?"; variable.rank()].join(", ");
        let wanted = match variable.rank() {
            0 => wanted.to_string(),
            _ => format!("{wanted}[{sizes}]"),
        };
        Err(Error::kind_type(format!(
            "{}(): argument '{}': wanted {wanted}, got {tensor}",
            self.name, variable.name
        )))
    }
}

/// The words of types that C defines without a header.
const C_WORDS: &[&str] = &[
    "_Bool",
    "bool",
    "char",
    "short",
    "int",
    "long",
    "signed",
    "unsigned",
    "float",
    "double",
    "size_t",
    "ptrdiff_t",
];

/// The known properties of a call's variables before it is executed.
struct Known<'a> {
    op: &'a Wrapped,
    values: HashMap<VariableId, i64>,
    shapes: PerArgument<Vec<Option<usize>>>,
}

impl<'a> Known<'a> {
    fn new(op: &'a Wrapped, inputs: &[&Tensor], known: &[Option<i64>]) -> Self {
        let mut values = HashMap::new();
        let mut shapes: PerArgument<Vec<Option<usize>>> =
            op.call.variables.iter().map(|variable| vec![None; variable.rank()]).collect();
        for ((&variable, tensor), value) in op.given.iter().zip(inputs).zip(known) {
            shapes[variable] = tensor.shape.clone();
            if let Some(value) = value {
                values.insert(variable, *value);
            }
        }
        Self { op, values, shapes }
    }

    fn step(&mut self, step: &Step) -> Result<(), Error> {
        match step {
            Step::Acquire(Acquire { variable, absent: Absent::Value(value), .. })
                if !self.op.given.contains(variable) && self.shapes[*variable].is_empty() =>
            {
                self.set(*variable, Some(value));
            }
            Step::SetScalar { variable, value } => self.set(*variable, value.as_ref()),
            Step::FindDimension { variable, places } => {
                let there = places.iter().find(|place| self.op.given.contains(&place.array));
                match there {
                    Some(place) => {
                        if let Some(size) = self.shapes[place.array][place.axis] {
                            self.values.insert(*variable, size as i64);
                        }
                    }
                    None => {
                        self.values.insert(*variable, 0);
                    }
                }
            }
            Step::Acquire(Acquire { variable, absent: Absent::Value(_), .. })
            | Step::MakeArray { variable, .. }
                if !self.op.given.contains(variable) =>
            {
                let op = self.op;
                let shape = op.call.variables[*variable].shape().unwrap_or(&[]);
                self.shapes[*variable] = shape
                    .iter()
                    .map(|size| self.value(size).and_then(|size| usize::try_from(size).ok()))
                    .collect();
            }
            Step::CheckDimension { variable, axis, expected }
                if self.op.given.contains(variable) =>
            {
                self.check(*variable, *axis, expected)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn check(&mut self, variable: VariableId, axis: usize, expected: &Expr) -> Result<(), Error> {
        let wanted = self.value(expected);
        match (self.shapes[variable][axis], wanted) {
            (Some(size), Some(wanted)) if size as i64 != wanted => {
                let name = &self.op.call.variables[variable].name;
                let must = match expected.as_literal() {
                    Some(literal) => format!("must be {literal}"),
                    None => format!("{expected} is {wanted}"),
                };
                let function = &self.op.name;
                Err(Error::value(format!(
                    "{function}(): argument '{name}': dimension {axis} is {size}, but {must}"
                )))
            }
            (None, Some(wanted)) => {
                self.shapes[variable][axis] = usize::try_from(wanted).ok();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn set(&mut self, variable: VariableId, value: Option<&Expr>) {
        let is_integer = self.op.dtype(variable).is_integer();
        let value = match value {
            None => Some(0),
            Some(value) => self.value(value),
        };
        if let (true, Some(value)) = (is_integer, value) {
            self.values.insert(variable, value);
        }
    }

    /// The value of integer arithmetic.
    fn value(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Literal(text) => text.parse().ok(),
            ExprKind::Name(name) => self.values.get(&self.op.scalar(name)?).copied(),
            ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Plus, inner) => self.value(inner),
            ExprKind::Unary(UnaryOp::Minus, inner) => self.value(inner)?.checked_neg(),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Sub => left.checked_sub(right),
                    BinaryOp::Mul => left.checked_mul(right),
                    BinaryOp::Div => left.checked_div(right),
                    BinaryOp::Rem => left.checked_rem(right),
                    _ => None,
                }
            }
            ExprKind::Call(name, args) => {
                let [a, b] = args.as_slice() else { return None };
                let (a, b) = (self.value(a)?, self.value(b)?);
                match name.as_str() {
                    "min" => Some(a.min(b)),
                    "max" => Some(a.max(b)),
                    _ => None,
                }
            }
            ExprKind::Measure { measure, array, axis, .. } => {
                let array = self.op.call.variables.position(|one| one.name == *array)?;
                let shape = &self.shapes[array];
                let size = match measure {
                    Measure::Len => shape.first().copied().flatten(),
                    Measure::Shape => shape.get(axis.unwrap_or(0)).copied().flatten(),
                    Measure::Ndim => Some(shape.len()),
                    Measure::Size => shape.iter().copied().product(),
                    Measure::Stride | Measure::ItemSize | Measure::Dtype => None,
                };
                size.map(|size| size as i64)
            }
            _ => None,
        }
    }

    fn output(&self, output: Output) -> Tensor {
        match output {
            Output::Argument(variable) => {
                Tensor::new(self.op.dtype(variable), self.shapes[variable].clone())
            }
            Output::Result => {
                let ctype = self.op.call.result.ctype().expect("a result has a type");
                Tensor::scalar(ctype.scalar().dtype())
            }
        }
    }
}

impl Wrapped {
    /// True for a scalar that C receives by address.
    pub fn is_behind_pointer(&self, variable: VariableId) -> bool {
        self.call.variables[variable].is_behind_pointer()
    }
}

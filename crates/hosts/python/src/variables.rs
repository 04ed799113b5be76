//! The C names of a call: its variables, its parameters' tables, and how expressions see them.

use fishplate_emit::{Namer, Scope, c_string};
use fishplate_model::{Passing, ScalarClass};
use fishplate_plan::{Call, Step, Variable};
use std::collections::BTreeSet;

/// The C names of one call's variables.
pub(crate) struct Names<'a> {
    pub(crate) call: &'a Call,
    /// `fpy_matvec`: prefix of everything that belongs to the call.
    pub(crate) prefix: String,
    /// The host function's name, for messages.
    pub(crate) function: &'a str,
    locals: Vec<String>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(call: &'a Call, prefix: String, function: &'a str) -> Self {
        let mut namer = Namer::avoiding([call.c_name.as_str()]);
        let locals = call.variables.iter().map(|variable| namer.variable(&variable.name)).collect();
        Names { call, prefix, function, locals }
    }

    /// The C variable of an argument.
    pub(crate) fn local(&self, variable: usize) -> &str {
        &self.locals[variable]
    }

    /// The `fp_param` of an argument.
    pub(crate) fn param(&self, variable: usize) -> String {
        format!("{}_{}", self.prefix, self.call.variables[variable].name)
    }

    /// The definition of that `fp_param`.
    pub(crate) fn define_param(&self, index: usize) -> String {
        let variable = &self.call.variables[index];
        let name = match self.call.parameter_of(index) {
            Some(parameter) => &self.call.parameters[parameter].name,
            None => &variable.name,
        };
        format!(
            "static const fp_param {} = {{{}, {}, {}, sizeof({}), {}, {}, {}}};",
            self.param(index),
            c_string(self.function),
            c_string(name),
            numpy_type(variable),
            variable.ctype.spelling,
            variable.rank(),
            flags(variable),
            if variable.rank() > 0 && !variable.intent.writes_caller() && variable.intent.is_input()
            {
                format!("fp_to_{}", variable.ctype.scalar.dtype_name())
            } else {
                "NULL".to_owned()
            },
        )
    }

    /// C for the number of elements of an array.
    pub(crate) fn size_of(&self, variable: usize) -> String {
        format!("fp_size(&{}, {})", self.locals[variable], self.call.variables[variable].rank())
    }

    /// The argument with this name.
    fn find(&self, name: &str) -> Option<usize> {
        self.call.variables.iter().position(|variable| variable.name == name)
    }
}

impl Scope for Names<'_> {
    fn value(&self, name: &str) -> Option<String> {
        self.find(name).map(|index| self.locals[index].clone())
    }

    fn is_integer(&self, name: &str) -> bool {
        self.find(name).is_some_and(|index| {
            let variable = &self.call.variables[index];
            variable.rank() == 0 && variable.ctype.scalar.is_integer()
        })
    }

    fn rank(&self, name: &str) -> usize {
        self.find(name).map_or(0, |index| self.call.variables[index].rank())
    }

    fn dim(&self, name: &str, axis: usize) -> String {
        let local = self.find(name).map_or("", |index| self.locals[index].as_str());
        format!("{local}.shape[{axis}]")
    }

    fn size(&self, name: &str) -> String {
        self.find(name).map_or(String::new(), |index| self.size_of(index))
    }
}

/// `NPY_FLOAT64`
pub(crate) fn numpy_type(variable: &Variable) -> String {
    format!("NPY_{}", variable.ctype.scalar.dtype_name().to_uppercase())
}

/// `SIGNED`, `FLOAT`: the word for a class in the names of the runtime's macros.
pub(crate) fn class_word(class: ScalarClass) -> &'static str {
    match class {
        ScalarClass::Bool => "BOOL",
        ScalarClass::Signed => "SIGNED",
        ScalarClass::Unsigned => "UNSIGNED",
        ScalarClass::Float => "FLOAT",
        ScalarClass::Complex => "COMPLEX",
    }
}

fn flags(variable: &Variable) -> &'static str {
    if variable.rank() == 0 {
        return if variable.intent.writes_caller() { "FP_WRITE" } else { "0" };
    }
    let writes = variable.intent.writes_caller() || variable.intent == fishplate_model::Intent::Out;
    match (variable.is_fortran(), writes) {
        (false, false) => "FP_C_ORDER",
        (false, true) => "FP_C_ORDER | FP_WRITE",
        (true, false) => "FP_F_ORDER",
        (true, true) => "FP_F_ORDER | FP_WRITE",
    }
}

/// The variables whose `fp_param` a call's steps use.
pub(crate) fn used_params(names: &Names) -> BTreeSet<usize> {
    let mut used: BTreeSet<usize> =
        names.call.parameters.iter().map(|parameter| parameter.variable).collect();
    for step in &names.call.steps {
        match step {
            Step::SetScalar { variable, value: Some(value) }
                if names.is_checked_integer(*variable, value) =>
            {
                used.insert(*variable);
            }
            Step::MakeArray { variable, .. } => {
                used.insert(*variable);
            }
            _ => {}
        }
    }
    used
}

impl Names<'_> {
    /// True where a scalar's value is integer arithmetic, which is computed with overflow checks.
    pub(crate) fn is_checked_integer(
        &self,
        variable: usize,
        value: &fishplate_model::Expr,
    ) -> bool {
        let variable = &self.call.variables[variable];
        variable.ctype.scalar.is_integer()
            && !matches!(variable.passing, Passing::Array { .. })
            && fishplate_emit::is_integer_arithmetic(value, self)
    }
}

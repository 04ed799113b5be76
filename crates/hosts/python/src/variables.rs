//! The C names of a call: its variables, its parameters' tables, and how expressions see them.

use fishplate_emit::{Namer, Scope, c_string};
use fishplate_model::{CType, Device, Expr, Intent, Scalar, ScalarClass};
use fishplate_plan::{Call, Step, Variable};
use std::collections::BTreeSet;

/// The C names of one call: of its variables, and of what belongs to it in the file.
pub(crate) struct Names<'a> {
    pub(crate) call: &'a Call,
    /// The host function's name, for messages.
    pub(crate) function: &'a str,
    /// The C function that makes the call.
    pub(crate) entry: String,
    /// The C function that is called: the author's, or what stands around it.
    pub(crate) target: String,
    /// Its `fp_signature`.
    pub(crate) signature: String,
    /// Its list of keyword names.
    pub(crate) keywords: String,
    params: Vec<String>,
    locals: Vec<String>,
}

impl<'a> Names<'a> {
    /// Names for a call of the host's `function`; `overload` tells its overloads apart.
    pub(crate) fn new(
        call: &'a Call,
        function: &'a str,
        overload: Option<usize>,
        around: bool,
        file: &mut Namer,
    ) -> Self {
        let prefix = match overload {
            None => format!("fpy_{function}"),
            Some(index) => format!("fpy_{function}_{index}"),
        };
        let mut locals = Namer::avoiding([call.c_name.as_str()]);
        let names = call.variables.iter().map(|variable| variable.name.as_str());
        Names {
            call,
            function,
            entry: file.unique(prefix.clone()),
            target: if around {
                file.unique(format!("{prefix}_body"))
            } else {
                call.c_name.clone()
            },
            signature: file.unique(format!("{prefix}_signature")),
            keywords: file.unique(format!("{prefix}_names")),
            params: names.clone().map(|name| file.unique(format!("{prefix}_{name}"))).collect(),
            locals: names.map(|name| locals.variable(name)).collect(),
        }
    }

    /// The C variable of an argument.
    pub(crate) fn local(&self, variable: usize) -> &str {
        &self.locals[variable]
    }

    /// The `fp_param` of an argument.
    pub(crate) fn param(&self, variable: usize) -> &str {
        &self.params[variable]
    }

    /// The definition of that `fp_param`.
    pub(crate) fn define_param(&self, index: usize) -> String {
        let variable = &self.call.variables[index];
        let dtype = variable.ctype.scalar.dtype_name();
        let maps =
            self.call.mapped.as_ref().map_or(0, |mapped| {
                u8::from(mapped.broadcast) + 2 * u8::from(mapped.ragged.is_some())
            });
        // In a mapped call, a scalar's items come in an array.
        let converts = (variable.rank() > 0 || maps > 0)
            && !variable.intent.writes_caller()
            && variable.intent.is_input();
        let name = match self.call.parameter_of(index) {
            Some(parameter) => &self.call.parameters[parameter].name,
            None => &variable.name,
        };
        format!(
            "static const fp_param {} = {{{}, {}, {}, sizeof({}), {}, {}, {}, {}, {}, {}}};",
            self.param(index),
            c_string(self.function),
            c_string(name),
            numpy_type(variable.ctype.scalar),
            c_type(&variable.ctype),
            variable.rank(),
            flags(variable),
            if converts { format!("fp_to_{}", dtype) } else { "NULL".to_owned() },
            if variable.intent == Intent::Hidden { 0 } else { maps },
            variable.strided.iter().fold(0u32, |mask, axis| mask | 1 << axis),
            if variable.rank() > 0 { device_word(self.call.device) } else { "0" },
        )
    }

    /// True for an argument that has an `fp_param`.
    pub(crate) fn has_param(&self, variable: usize) -> bool {
        used_params(self).contains(&variable)
    }

    /// C for the number of elements of an array.
    pub(crate) fn size_of(&self, variable: usize) -> String {
        format!("fp_size(&{}, {})", self.locals[variable], self.call.variables[variable].rank())
    }

    /// C for the value of an integer variable, in C `value`, as a `ptrdiff_t`.
    pub(crate) fn as_dimension(&self, variable: usize, value: &str) -> String {
        let scalar = self.call.variables[variable].ctype.scalar;
        // Only these can be larger than any dimension.
        let is_wide = scalar.class() == ScalarClass::Unsigned && scalar.size() == 8;
        if is_wide { format!("fp_to_dim({value})") } else { format!("(ptrdiff_t){value}") }
    }

    /// The `fp_param` of the C result, of the type that it has.
    pub(crate) fn result_param(&self, ctype: &CType) -> String {
        format!(
            "{{{}, \"the result\", {}, sizeof({}), 0, FP_WRITE, NULL, 1, 0, 0}}",
            c_string(self.function),
            numpy_type(ctype.scalar),
            c_type(ctype),
        )
    }

    /// The argument with this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
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

    fn integer(&self, name: &str) -> Option<String> {
        let index = self.find(name)?;
        Some(self.as_dimension(index, &self.locals[index]))
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

    fn stride(&self, name: &str, axis: usize) -> String {
        self.find(name).map_or(String::new(), |index| {
            format!("fp_stride(&{}, {axis}, &{})", self.locals[index], self.params[index])
        })
    }
}

/// `NPY_FLOAT64`
pub(crate) fn numpy_type(scalar: Scalar) -> String {
    format!("NPY_{}", scalar.dtype_name().to_uppercase())
}

/// The type as C and C++ know it: `double complex` is one only with a header, a typedef is as its
/// header spells it.
pub(crate) fn c_type(ctype: &CType) -> &str {
    let words: Vec<&str> = ctype.spelling.split_whitespace().collect();
    match Scalar::from_words(&words) {
        Some(scalar) => scalar.c_name(),
        None => &ctype.spelling,
    }
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
    let writes = variable.intent.writes_caller() || variable.intent == Intent::Out;
    match (variable.is_fortran(), writes) {
        (false, false) => "FP_C_ORDER",
        (false, true) => "FP_C_ORDER | FP_WRITE",
        (true, false) => "FP_F_ORDER",
        (true, true) => "FP_F_ORDER | FP_WRITE",
    }
}

fn device_word(device: Device) -> &'static str {
    match device {
        Device::Cpu => "0",
        Device::Cuda => "FP_DL_CUDA",
    }
}

/// How a scalar is set to an expression's value.
pub(crate) enum Setting {
    /// By an assignment: the value is a literal of the right type, or no integer.
    Plain,
    /// Computed as a size, without overflow, and checked.
    Dimension,
    /// Computed as a size, without overflow, for a variable that holds every size.
    FloatFromDimension,
    /// Computed by C, and checked.
    Checked,
}

impl Names<'_> {
    /// How the scalar variable, or an element of the array variable, is set to `value`.
    pub(crate) fn setting(&self, variable: usize, value: &Expr) -> Setting {
        // A constant of the headers is the compiler's to check: it warns of one that does not fit.
        let is_constant = value.as_literal().is_some()
            || value.as_name().is_some_and(|name| self.find(name).is_none());
        let is_integer = self.call.variables[variable].ctype.scalar.is_integer();
        let is_arithmetic = fishplate_emit::is_integer_arithmetic(value, self);
        match (is_constant, is_arithmetic) {
            (true, _) => Setting::Plain,
            (false, true) if is_integer => Setting::Dimension,
            // An integer argument by itself overflows nothing.
            (false, true) if value.as_name().is_none() => Setting::FloatFromDimension,
            (false, false) if is_integer => Setting::Checked,
            (false, _) => Setting::Plain,
        }
    }
}

/// The variables whose `fp_param` a call uses.
pub(crate) fn used_params(names: &Names) -> BTreeSet<usize> {
    let call = names.call;
    let parameters = call.parameters.iter().map(|parameter| parameter.variable);
    let mapped = call.mapped.iter().flat_map(|mapped| mapped.steps.iter().chain(&mapped.item));
    let steps = call.steps.iter().chain(mapped).filter_map(|step| match step {
        Step::SetScalar { variable, value: Some(value) } => {
            let checked = !matches!(names.setting(*variable, value), Setting::Plain);
            checked.then_some(*variable)
        }
        Step::MakeArray { variable, .. } => Some(*variable),
        _ => None,
    });
    parameters.chain(steps).collect()
}

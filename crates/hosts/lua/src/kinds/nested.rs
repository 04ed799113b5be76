//! Nested values: tables of numbers, strings and tensors, which C++ receives and returns as trees.

use super::{ArgumentKind, Passed, PassedKind, PointeeKind};
use crate::handles::class;
use crate::params::{parameter_name, stack_index};
use crate::steps::Printer;
use fishplate_emit::{Body, Names, c_string, nested_type};
use fishplate_model::{Expr, Nested, ScalarClass, VariableId};
use fishplate_plan::{Acquire, FromC, Variable};

impl ArgumentKind for Nested {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.line(format!("fp_nested_value {} = FP_NO_NESTED;", names.local(index)));
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_param(names.param(index), self, (names.function, parameter_name(names, index)))
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let slot = stack_index(parameter);
        let read = format!("fp_nested_in(fp_L, &{local}, {slot}, &{param});");
        // An argument that is left out has no value, as nil.
        printer.given(parameter, &[read], absent, |_, _: Option<&Expr>| {});
    }

    /// Lua's collector owns what the nodes refer to.
    fn release(&self, printer: &mut Printer, index: VariableId) {
        if self.has_objects() {
            printer.release_pinned(index);
        }
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        format!("&{}.root", printer.names.local(index))
    }

    fn returned(&self, _: &Variable) -> String {
        annotation(self)
    }
}

impl PointeeKind for Nested {
    fn pointed_type(&self) -> String {
        annotation(self)
    }
}

impl PassedKind for Nested {
    fn pass(&self, passed: &Passed) -> String {
        format!("fp_push_nested(fp_L, {0}, {1}.of.type, &{1}.of);", passed.local, passed.own_param)
    }

    fn type_name(&self, _: &Variable<FromC>) -> String {
        annotation(self)
    }
}

/// The definition of the parameter table, with the names of the function and of the parameter.
pub(crate) fn define_param(param: &str, of: &Nested, (function, name): (&str, &str)) -> String {
    let (table, described) = nested_type(of, param, class);
    format!(
        "{table}static const fp_nested_param {param} = {{{{FP_ARGUMENT({}, {}), FP_TYPE_NESTED, FP_ONE_VALUE}}, {described}}};",
        c_string(function),
        c_string(name),
    )
}

pub(crate) fn annotation(nested: &Nested) -> String {
    match nested {
        Nested::Nothing => "nil".to_owned(),
        Nested::Number(scalar) => match scalar.class() {
            ScalarClass::Bool => "boolean".to_owned(),
            ScalarClass::Signed | ScalarClass::Unsigned => "integer".to_owned(),
            ScalarClass::Float => "number".to_owned(),
            ScalarClass::Complex => "table".to_owned(),
        },
        Nested::String => "string".to_owned(),
        Nested::Array(_) => "fishplate.tensor".to_owned(),
        Nested::Optional(of) => format!("{}|nil", annotation(of)),
        Nested::List(of) | Nested::Set(of) => match &**of {
            Nested::Optional(of) => format!("({}|false)[]", annotation(of)),
            of => format!("({})[]", annotation(of)),
        },
        Nested::Tuple(_) => "any[]".to_owned(),
        Nested::Map(key, value) => format!("table<{}, {}>", annotation(key), annotation(value)),
        Nested::Variant(parts) => parts.iter().map(annotation).collect::<Vec<_>>().join("|"),
        Nested::Object(_, class) | Nested::Enum(class) | Nested::Struct(class) => class.clone(),
        Nested::Sized(_, of) => annotation(of),
    }
}

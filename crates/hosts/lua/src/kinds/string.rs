//! Strings: C reads the memory of Lua's string, or writes to a buffer from which a string is
//! created.

use super::{ArgumentKind, Passed, PassedKind, PointeeKind, ReturnedValue};
use crate::params::stack_index;
use crate::steps::Printer;
use fishplate_emit::{Body, Names, c_string, c_type};
use fishplate_model::{Expr, VariableId};
use fishplate_plan::{Acquire, FromC, OutPointer, Variable};

/// `const char *s`
pub(super) struct String;

/// `text char s[n]`, a buffer to which C writes.
pub(super) struct Buffer;

type Text = std::string::String;

const FLAG: &str = "FP_TAKES_STRING";

impl ArgumentKind for String {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        let ctype = c_type(&names.call.variables[index].ctype);
        body.line(format!("const {ctype} *{};", names.local(index)));
    }

    fn flag(&self) -> Option<&'static str> {
        Some(FLAG)
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        printer.read_value("fp_read_string", step);
    }

    fn set(&self, printer: &mut Printer, index: VariableId, to: Option<&Expr>) {
        printer.body.line(printer.names.set_string(index, to));
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> Text {
        printer.names.string_argument(index)
    }

    fn retained(&self, printer: &Printer, index: VariableId, _: &str) -> (&'static str, Text) {
        let parameter = printer.names.call.parameter_of(index).expect("the caller passes it");
        ("value", stack_index(parameter).to_string())
    }

    fn returned(&self, _: &Variable) -> Text {
        "string".to_owned()
    }
}

impl PointeeKind for String {
    fn pointed_type(&self) -> Text {
        "string".to_owned()
    }

    fn define_result(&self, param: &str, (function, name): (&str, &str)) -> Text {
        format!(
            "static const fp_param {param} = {{FP_ARGUMENT({}, {}), FP_INT8, FP_VALUE_WITH({FLAG})}};",
            c_string(function),
            c_string(name),
        )
    }

    fn declare_taken(&self, pointer: &OutPointer) -> Option<&'static str> {
        pointer.is_owned().then_some("const char *fp_string;")
    }

    /// C receives a copy that it frees, or the memory of Lua's string, which is retained.
    fn take(&self, one: &ReturnedValue) -> Vec<Text> {
        let &ReturnedValue { pointer, slot, result, is_kept, param } = one;
        let constant = if pointer.is_const { "const " } else { "" };
        let ctype = format!("{constant}{} *", c_type(&pointer.ctype));
        let null = u8::from(pointer.nullable);
        let read = format!("fp_take_string(fp_L, {slot}, {null}, &{param})");
        if !pointer.is_owned() {
            let is_kept = u8::from(is_kept);
            return vec![
                format!("{result} = ({ctype}){read};"),
                format!("fp_retain_result(fp_L, {slot}, {is_kept});"),
            ];
        }
        let allocate = pointer.allocator();
        vec![
            format!("fp_string = {read};"),
            format!(
                "{result} = fp_string == NULL ? NULL : ({ctype}){allocate}(strlen(fp_string) + 1);"
            ),
            format!("fp_copy_string(fp_L, (void *){result}, fp_string, &{param});"),
        ]
    }
}

impl PassedKind for String {
    fn pass(&self, passed: &Passed) -> Text {
        format!("fp_pass_string(fp_L, {});", passed.local)
    }

    fn type_name(&self, _: &Variable<FromC>) -> Text {
        "string".to_owned()
    }
}

impl ArgumentKind for Buffer {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.line(format!("fp_array {};", names.local(index)));
    }

    fn flag(&self) -> Option<&'static str> {
        Some("FP_TAKES_STRING | FP_IN_ROOM")
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let slot = stack_index(parameter);
        let what = written(&printer.names.call.variables[index]);
        let room = printer.names.shape(index).pop().unwrap_or_default();
        let take = format!("fp_{what}_in(fp_L, &{local}, {room}, {slot}, &{param});");
        printer.acquire_array(step, &[take]);
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> Text {
        printer.data_argument(index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> Text {
        let what = written(&printer.names.call.variables[index]);
        format!("fp_return_{what}(fp_L, &{});", printer.names.local(index))
    }

    fn is_copied(&self) -> bool {
        true
    }

    fn returned(&self, variable: &Variable) -> Text {
        if variable.rank() > 1 { "string[]" } else { "string" }.to_owned()
    }
}

/// The part of the names of functions for one string, or for an array of strings.
fn written(variable: &Variable) -> &'static str {
    if variable.rank() > 1 { "string_rows" } else { "string" }
}

impl PointeeKind for Buffer {
    fn pointed_type(&self) -> Text {
        "string".to_owned()
    }
}

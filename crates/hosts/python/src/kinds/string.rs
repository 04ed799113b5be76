//! Strings: C reads the memory of the caller's `str`, or writes to a buffer from which a `str` is
//! created.

use super::{ArgumentKind, PassedKind, PointeeKind, ReturnedValue};
use crate::steps::Printer;
use fishplate_emit::{Names, OutPointerNames, c_string, c_type};
use fishplate_model::{Expr, VariableId};
use fishplate_plan::{Acquire, FromC, OutPointer, Variable};

/// `const char *s`
pub(super) struct String;

/// `text char s[n]`, a buffer to which C writes.
pub(super) struct Buffer;

type Text = std::string::String;

const DTYPE: &str = "NPY_UNICODE";

impl ArgumentKind for String {
    fn declare_value(&self, variable: &Variable, local: &str) -> Text {
        format!("const {} *{local}", c_type(&variable.ctype))
    }

    fn dtype(&self) -> Text {
        DTYPE.to_owned()
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
        ("string", format!("fp_args[{parameter}]"))
    }

    fn accepted(&self, _: &Variable, _: &str) -> Text {
        "str".to_owned()
    }

    fn returned(&self, _: &Variable) -> Text {
        "str".to_owned()
    }

    /// A C string as a Python literal, if they have the same spelling.
    fn literal(&self, literal: Text) -> Option<Text> {
        let inside = literal.trim_matches('"');
        let is_plain = |c: char| c.is_ascii_graphic() && c != '\\' && c != '\'' || c == ' ';
        inside.chars().all(is_plain).then(|| format!("'{inside}'"))
    }
}

impl PassedKind for String {
    fn pass(&self, names: &Names<FromC>, index: VariableId, _: usize, _: &str) -> Text {
        format!("fp_pass_string({})", names.local(index))
    }

    fn type_name(&self) -> Text {
        "str".to_owned()
    }
}

impl PointeeKind for String {
    fn pointed_type(&self, _: &OutPointer) -> Text {
        "str".to_owned()
    }

    fn receive(&self, printer: &mut Printer, one: &OutPointerNames) {
        let (object, pointer, param) = (&one.object, &one.pointer, &one.param);
        let (length, null) = (one.length(), u8::from(one.returned.nullable));
        printer
            .must(&format!("fp_receive_string(&{object}, {pointer}, {length}, {null}, &{param})"));
    }

    fn define_result(&self, param: &str, (function, name): (&str, &str)) -> Text {
        format!(
            "static const fp_param {param} = {{{}, {}, {DTYPE}, sizeof(char), FP_ONE_VALUE, FP_ONE_ITEM}};",
            c_string(function),
            c_string(name),
        )
    }

    fn declare_taken(&self, pointer: &OutPointer) -> Option<&'static str> {
        pointer.is_owned().then_some("const char *fp_string = NULL;")
    }

    /// C receives a copy that it frees, or the memory of the `str`, which is retained.
    fn take(&self, one: &ReturnedValue) -> Vec<Text> {
        let &ReturnedValue { pointer, value, callback, param, .. } = one;
        let null = u8::from(pointer.nullable);
        if !pointer.is_owned() {
            return vec![format!(
                "fp_retain_taken_string({value}, {callback}, (const char **)&fp_c_result, {null}, &{param})"
            )];
        }
        let read = format!("fp_take_string({value}, &fp_string, {null}, &{param})");
        let (constant, allocate) =
            (if pointer.is_const { "const " } else { "" }, pointer.allocator());
        let copy = format!(
            "(fp_string == NULL || fp_copy_string((void *)(fp_c_result = ({constant}{} *){allocate}(strlen(fp_string) + 1)), \
             fp_string))",
            c_type(&pointer.ctype)
        );
        std::iter::once(read).chain(one.end_arrays()).chain([copy]).collect()
    }
}

impl ArgumentKind for Buffer {
    fn declare_value(&self, _: &Variable, local: &str) -> Text {
        format!("fp_array {local}")
    }

    fn dtype(&self) -> Text {
        DTYPE.to_owned()
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let what = written(&printer.names.call.variables[index]);
        let room = printer.names.shape(index).pop().unwrap_or_default();
        let test = format!("!fp_{what}_in(&{local}, {room}, fp_args[{parameter}], &{param})");
        printer.acquire_array(step, &test);
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> Text {
        printer.data_argument(index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> Text {
        let what = written(&printer.names.call.variables[index]);
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        format!("fp_return_{what}(&{local}, &{param})")
    }

    fn accepted(&self, variable: &Variable, _: &str) -> Text {
        if variable.rank() > 1 { "Sequence[str]" } else { "str" }.to_owned()
    }

    fn returned(&self, variable: &Variable) -> Text {
        if variable.rank() > 1 { "list[str]" } else { "str" }.to_owned()
    }
}

/// The part of the names of functions for one string, or for an array of strings.
fn written(variable: &Variable) -> &'static str {
    if variable.rank() > 1 { "string_rows" } else { "string" }
}

impl PointeeKind for Buffer {
    fn pointed_type(&self, _: &OutPointer) -> Text {
        "str".to_owned()
    }

    fn receive(&self, printer: &mut Printer, one: &OutPointerNames) {
        printer.receive_bytes(one);
    }
}

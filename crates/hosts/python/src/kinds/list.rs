//! Arrays of pointers: to the strings of a sequence, or to the objects of its handles.

use super::{ArgumentKind, PointeeKind};
use crate::handles::class;
use crate::params::{define_class_param, define_param_of};
use crate::steps::Printer;
use fishplate_emit::{Names, OutPointerNames, c_string};
use fishplate_model::VariableId;
use fishplate_plan::{Acquire, List, Listed, OutPointer, Variable};

impl ArgumentKind for List {
    fn declare_value(&self, _: &Variable, local: &str) -> String {
        format!("fp_array {local}")
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        match &self.of {
            Listed::Strings => define_param_of(names, index, &self.dtype()),
            Listed::Objects(of) => {
                define_class_param(names, index, "handle", &self.dtype(), &class(&of.name))
            }
        }
    }

    fn dtype(&self) -> String {
        match &self.of {
            Listed::Strings => "NPY_UNICODE".to_owned(),
            Listed::Objects(_) => "FP_TYPE_HANDLE".to_owned(),
        }
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let what = match &self.of {
            Listed::Strings => "strings",
            Listed::Objects(_) => "handles",
        };
        let test = format!("!fp_{what}_in(&{local}, fp_args[{parameter}], &{param})");
        printer.acquire_array(step, &test);
    }

    fn release(&self, local: &str) -> (String, String) {
        let release = match &self.of {
            Listed::Strings => "fp_release",
            Listed::Objects(_) => "fp_release_handles",
        };
        (local.to_owned(), format!("{release}(&{local});"))
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.data_argument(index)
    }

    fn retained(&self, printer: &Printer, index: VariableId, _: &str) -> (&'static str, String) {
        ("strings", format!("&{}", printer.names.local(index)))
    }

    fn accepted(&self, variable: &Variable, _: &str) -> String {
        self.returned(variable)
    }

    fn returned(&self, _: &Variable) -> String {
        match &self.of {
            Listed::Strings => "Sequence[str]".to_owned(),
            Listed::Objects(of) => format!("Sequence[{}]", of.name),
        }
    }

    fn description(&self, _: &Variable) -> String {
        let of = match &self.of {
            Listed::Strings => "str",
            Listed::Objects(of) => &of.name,
        };
        let length = self.length.as_ref().map(|length| format!(", length {}", length.shown()));
        format!("sequence of {of}{}", length.unwrap_or_default())
    }
}

impl PointeeKind for List {
    fn pointed_type(&self, _: &OutPointer) -> String {
        match &self.of {
            Listed::Strings => "list[str]".to_owned(),
            Listed::Objects(of) => format!("list[{}]", of.name),
        }
    }

    fn receive(&self, printer: &mut Printer, one: &OutPointerNames) {
        let OutPointerNames { object, pointer, param, returned, .. } = one;
        let (count, null) = (one.list_length(printer.names), u8::from(returned.nullable));
        let Listed::Objects(of) = &self.of else {
            printer.must(&format!(
                "fp_receive_strings(&{object}, (const char *const *){pointer}, {count}, {null}, &{param})"
            ));
            return;
        };
        let owners: Vec<String> =
            returned.needs().map(|index| format!("{}held", printer.names.local(index))).collect();
        let list = if owners.is_empty() { "NULL" } else { "fp_owners" };
        let owned = u8::from(returned.is_owned());
        let receive = format!(
            "fp_receive_objects(&{object}, (void *const *){pointer}, {count}, &{}, {owned}, {list}, {}, {null}, &{param})",
            class(&of.name),
            owners.len()
        );
        if owners.is_empty() {
            printer.must(&receive);
            return;
        }
        printer.nested("", |printer| {
            let owners = owners.join(", ");
            printer.body.line(format!("fp_handle *const fp_owners[] = {{{owners}}};"));
            printer.must(&receive);
        });
    }
}

impl Printer<'_, '_> {
    /// Locks these objects, and those in arrays and nested values.
    pub(super) fn lock_all(&mut self, locks: &[String], arrays: &[VariableId]) {
        let function = c_string(self.names.function);
        let lists: Vec<String> = arrays
            .iter()
            .map(|index| match self.names.call.variables[*index].crossing.nested() {
                None => format!("&{}", self.names.local(*index)),
                Some(_) => format!("{}.objects[FP_USE_PASSED]", self.names.local(*index)),
            })
            .collect();
        self.nested("", |printer| {
            let single = match locks {
                [] => "NULL",
                _ => {
                    let locks = locks.join(", ");
                    printer.body.line(format!("fp_lock *const fp_single[] = {{{locks}}};"));
                    "fp_single"
                }
            };
            let given = lists.join(", ");
            printer.body.line(format!("const fp_array *const fp_arrays[] = {{{given}}};"));
            printer.must(&format!(
                "fp_enter_all(&fp_locks, {single}, {}, fp_arrays, {}, {function})",
                locks.len(),
                lists.len()
            ));
        });
    }
}

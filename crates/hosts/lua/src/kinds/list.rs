//! Arrays of pointers: to the strings of a table, or to the objects of its handles.

use super::{ArgumentKind, PointeeKind};
use crate::handles::class;
use crate::params::{define_param_of, parameter_name, stack_index};
use crate::steps::Printer;
use fishplate_emit::{Body, Names, OutPointerNames, c_string};
use fishplate_model::VariableId;
use fishplate_plan::{Acquire, List, Listed, Variable};

impl ArgumentKind for List {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("fp_array {}", names.local(index)));
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        match &self.of {
            Listed::Strings => define_param_of(names, index, self.flag()),
            Listed::Objects(of) => format!(
                "static const fp_handle_param {} = {{{{FP_ARGUMENT({}, {}), FP_TYPE_HANDLE, FP_ARRAY_OF(1, 0)}}, &{}}};",
                names.param(index).trim_end_matches(".param"),
                c_string(names.function),
                c_string(parameter_name(names, index)),
                class(&of.name),
            ),
        }
    }

    fn flag(&self) -> Option<&'static str> {
        Some("FP_TAKES_STRING")
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let what = match &self.of {
            Listed::Strings => "strings",
            Listed::Objects(_) => "handles",
        };
        let slot = stack_index(parameter);
        printer.acquire_array(step, &[format!("fp_{what}_in(fp_L, &{local}, {slot}, &{param});")]);
    }

    fn release(&self, printer: &mut Printer, index: VariableId) {
        if let Listed::Objects(_) = self.of {
            printer.release_pinned(index);
        }
    }

    fn retained(&self, printer: &Printer, index: VariableId, _: &str) -> (&'static str, String) {
        ("strings", format!("&{}", printer.names.local(index)))
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.data_argument(index)
    }

    fn returned(&self, _: &Variable) -> String {
        match &self.of {
            Listed::Strings => "string[]".to_owned(),
            Listed::Objects(of) => format!("{}[]", of.name),
        }
    }
}

impl PointeeKind for List {
    fn pointed_type(&self) -> String {
        match &self.of {
            Listed::Strings => "string[]".to_owned(),
            Listed::Objects(of) => format!("{}[]", of.name),
        }
    }
}

impl Printer<'_, '_> {
    /// Creates the table of an array of pointers.
    pub(super) fn receive_list(&mut self, one: &OutPointerNames, list: &List) {
        let OutPointerNames { object, pointer, param, returned, .. } = one;
        let names = self.names;
        let (count, null) = (one.list_length(names), u8::from(returned.nullable));
        let Listed::Objects(of) = &list.of else {
            self.body.line(format!(
                "fp_receive_strings(fp_L, &{object}, (const char *const *){pointer}, {count}, {null}, &{param});"
            ));
            return;
        };
        let owners: Vec<String> = returned
            .needs()
            .map(|index| {
                let slot = names.call.parameter_of(index).map_or(0, stack_index);
                format!("{{NULL, {}held, {slot}}}", names.local(index))
            })
            .collect();
        let all = if owners.is_empty() { "NULL" } else { "fp_owners" };
        let owned = u8::from(returned.is_owned());
        let receive = format!(
            "fp_receive_objects(fp_L, &{object}, (void *const *){pointer}, {count}, &{}, {owned}, {all}, {}, {null}, &{param});",
            class(&of.name),
            owners.len()
        );
        if owners.is_empty() {
            self.body.line(receive);
            return;
        }
        self.nested("", |printer| {
            let owners = owners.join(", ");
            printer.body.line(format!("const fp_viewed fp_owners[] = {{{owners}}};"));
            printer.body.line(receive);
        });
    }
}

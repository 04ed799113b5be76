//! Arrays whose rank or dtype is known only at the call.

use super::ArgumentKind;
use crate::params::{dtype, parameter_name, stack_index};
use crate::steps::Printer;
use fishplate_emit::{Body, Names, c_string, c_type, dtype_to_allocate, dtypes_of};
use fishplate_model::{Intent, VariableId};
use fishplate_plan::{Access, Acquire, AnyArray, Variable};

impl ArgumentKind for AnyArray {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("fp_array {}", names.local(index)));
        body.declare(format!("fp_param {}", names.param(index)));
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        let variable = names.call.variable(index);
        let writes = variable.intent.writes_caller() || variable.intent == Intent::Out;
        let order = if self.fortran { "FP_F_ORDER" } else { "FP_C_ORDER" };
        let writes = if writes { " | FP_WRITE" } else { "" };
        format!(
            "static const fp_param {} = {{FP_ARGUMENT({}, {}), {}, FP_ARRAY_OF({}, {order}{writes})}};",
            names.table(index),
            c_string(names.function),
            c_string(parameter_name(names, index)),
            self.element.map_or("-1".to_owned(), dtype),
            variable.rank(),
        )
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let names = printer.names;
        let (local, own, table) = (names.local(index), names.param(index), names.table(index));
        let slot = stack_index(parameter);
        let how = match Access::of(names.call.variables[index].intent) {
            Access::Read => "in(fp_L, &{}, fp_to_tensor(fp_L, {}), {}",
            Access::InPlace => "inplace(fp_L, &{}, fp_to_tensor(fp_L, {}), {}",
            Access::Exclusive => "inout(fp_L, &{}, fp_to_tensor(fp_L, {}), {}",
            Access::Copy => "copy(fp_L, &{}, {}",
        };
        let slots = slot.to_string();
        let how = how.replacen("{}", local, 1).replace("{}", &slots);
        printer
            .body
            .line(format!("fp_any_of(fp_L, &{own}, {slot}, {}, &{table});", dtypes_of(self)));
        printer.acquire_array(step, &[format!("fp_array_{how}, &{own});")]);
    }

    fn allocate(&self, printer: &Printer, index: VariableId, slot: usize) -> String {
        let names = printer.names;
        let (local, own, table) = (names.local(index), names.param(index), names.table(index));
        let number = dtype_to_allocate(self, names, dtype);
        let Some(dims) = self.dims else {
            let dtypes = dtypes_of(self);
            return format!(
                "fp_any_shaped(fp_L, &{local}, {slot}, &{own}, {dtypes}, {number}, &{table});"
            );
        };
        let of = c_type(&names.call.variables[dims].ctype);
        let dims = names.local(dims);
        format!(
            "fp_any_out(fp_L, &{local}, {slot}, &{own}, {}, {number}, {dims}.data, {dims}.shape[0], FP_INTEGER({of}), &{table});",
            dtypes_of(self)
        )
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.data_argument(index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        let names = printer.names;
        let (local, own) = (names.local(index), names.param(index));
        match names.call.variables[index].intent.writes_caller() {
            true => format!("fp_return_copy(fp_L, &{local}, &{own});"),
            false => format!("fp_return_array(fp_L, &{local});"),
        }
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        let (local, own) = (printer.names.local(index), printer.names.param(index));
        printer.body.line(format!("fp_write_back(&{local}, &{own});"));
    }

    fn accepted(&self, variable: &Variable) -> String {
        let writes = variable.intent.writes_caller() || variable.intent == Intent::Out;
        let word = if writes { "writable" } else { "readable" };
        format!("fishplate.{word}")
    }

    fn returned(&self, _: &Variable) -> String {
        "fishplate.tensor".to_owned()
    }
}

impl Printer<'_, '_> {
    /// Stores the dimensions of a tensor of any rank.
    pub(crate) fn find_shape(&mut self, index: VariableId, array: VariableId) {
        let names = self.names;
        let variable = &names.call.variables[index];
        self.body.line(format!(
            "fp_find_dims(fp_L, &{}, {}, sizeof({}), &{}, {}, &{});",
            names.local(index),
            dtype(variable.ctype.scalar()),
            c_type(&variable.ctype),
            names.local(array),
            c_string(&variable.name),
            names.param(array),
        ));
    }
}

//! Arrays whose rank or dtype is known only at the call.

use super::ArgumentKind;
use crate::params::{numpy_type, parameter_name};
use crate::steps::Printer;
use crate::stub::{numbers, written};
use fishplate_emit::{Body, Names, c_string, c_type, dtype_to_allocate, dtypes_of};
use fishplate_model::{Intent, Scalar, VariableId};
use fishplate_plan::{Access, Acquire, AnyArray, Variable};

/// The entry of a dtype in a table: its number, its size and the loops that convert to it.
pub(crate) fn entry(scalar: Scalar) -> String {
    let of = scalar.dtype_name();
    format!("{{{}, {}, fp_to_{of}}}", numpy_type(scalar), scalar.size())
}

impl ArgumentKind for AnyArray {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.declare(format!("fp_array {}", names.local(index)));
        body.declare(format!("fp_param {}", names.param(index)));
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        let variable = names.call.variable(index);
        let writes = variable.intent.writes_caller() || variable.intent == Intent::Out;
        let order = if self.fortran { "FP_F_ORDER" } else { "FP_C_ORDER" };
        let flags = if writes { format!("{order} | FP_WRITE") } else { order.to_owned() };
        let is_read = !variable.intent.writes_caller() && variable.intent.is_input();
        let rank = variable.rank();
        let shape = match self.element.filter(|_| is_read) {
            Some(scalar) => {
                format!("FP_ARRAY_FROM({rank}, {flags}, fp_to_{})", scalar.dtype_name())
            }
            None => format!("FP_ARRAY_OF({rank}, {flags})"),
        };
        let (number, size) = match self.element {
            Some(scalar) => (numpy_type(scalar), scalar.size()),
            None => ("-1".to_owned(), 1),
        };
        format!(
            "static const fp_param {} = {{{}, {}, {number}, {size}, {shape}, FP_ONE_ITEM}};",
            names.table(index),
            c_string(names.function),
            c_string(parameter_name(names, index)),
        )
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, .. } = step;
        let names = printer.names;
        let (local, own, table) = (names.local(index), names.param(index), names.table(index));
        let how = match Access::of(names.call.variables[index].intent) {
            Access::Read => "in",
            Access::InPlace => "inplace",
            Access::Exclusive => "inout",
            Access::Copy => "copy",
        };
        let test = format!(
            "!fp_any_{how}(&{local}, fp_args[{parameter}], &{own}, {}, &{table})",
            dtypes_of(self)
        );
        printer.acquire_array(step, &test);
    }

    fn allocate(&self, printer: &Printer, index: VariableId, array: &str, buffer: &str) -> String {
        let names = printer.names;
        let (own, table) = (names.param(index), names.table(index));
        let number = dtype_to_allocate(self, names, numpy_type);
        let Some(dims) = self.dims else {
            let dtypes = dtypes_of(self);
            return format!(
                "fp_any_shaped({array}, {buffer}, &{own}, {dtypes}, {number}, &{table})"
            );
        };
        let of = c_type(&names.call.variables[dims].ctype);
        let dims = names.local(dims);
        format!(
            "fp_any_out({array}, {buffer}, &{own}, {}, {number}, FP_DATA({dims}), {dims}.shape[0], FP_INTEGER({of}), &{table})",
            dtypes_of(self)
        )
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.data_argument(index)
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        printer.array_output(index)
    }

    fn write_back(&self, printer: &mut Printer, index: VariableId) {
        printer.write_back_array(index);
    }

    fn accepted(&self, variable: &Variable, array_like: &str) -> String {
        match self.element {
            _ if !variable.intent.writes_caller() => array_like.to_owned(),
            Some(_) => written(&variable.ctype),
            None => "npt.NDArray[Any]".to_owned(),
        }
    }

    fn returned(&self, _: &Variable) -> String {
        self.element.map_or("npt.NDArray[Any]".to_owned(), numbers)
    }

    fn description(&self, variable: &Variable) -> String {
        let of = match (&self.dtypes, self.element) {
            (Some(_), _) => "of a dtype that C has".to_owned(),
            (None, _) => format!("of {}", variable.ctype.text()),
        };
        let order = if self.fortran { ", in Fortran order" } else { "" };
        let dims: Vec<String> = self.shape.iter().map(|size| size.shown().to_string()).collect();
        match dims.as_slice() {
            [] => format!("array {of}, of any rank{order}"),
            [one] => format!("array {of}, shape ({one},){order}"),
            _ => format!("array {of}, shape ({}){order}", dims.join(", ")),
        }
    }
}

impl Printer<'_, '_> {
    /// Stores the dimensions of an array of any rank.
    pub(crate) fn find_shape(&mut self, index: VariableId, array: VariableId) {
        let names = self.names;
        let variable = &names.call.variables[index];
        let find = format!(
            "fp_find_dims(&{}, {}, sizeof({}), &{}, {}, &{})",
            names.local(index),
            numpy_type(variable.ctype.scalar()),
            c_type(&variable.ctype),
            names.local(array),
            c_string(&variable.name),
            names.param(array),
        );
        self.must(&find);
    }
}

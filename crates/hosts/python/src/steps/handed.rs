//! Texts, bytes, lengths that C tells, and memory that it hands over.

use super::Printer;
use fishplate_emit::{HandedNames, c_string, dimension};
use fishplate_model::{Expr, ParameterId, VariableId};
use fishplate_plan::{Absent, Access, Output, Pointee, Step};

impl Printer<'_, '_> {
    /// Takes a text as it lies.
    pub(super) fn take_text(
        &mut self,
        variable: VariableId,
        parameter: ParameterId,
        absent: &Absent,
    ) {
        let names = self.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let test = format!("!fp_read_text(fp_args[{parameter}], &{local}, &{param})");
        self.given(parameter, &test, absent, |printer, default| {
            printer.set_text(variable, default);
        });
    }

    /// Sets a text to what C has under a name or as a literal.
    pub(super) fn set_text(&mut self, variable: VariableId, to: Option<&Expr>) {
        let value = to.map_or("NULL".to_owned(), |expr| fishplate_emit::value(expr, self.names));
        self.body.line(format!("{} = {value};", self.names.local(variable)));
    }

    /// The call that takes bytes which a caller gave.
    pub(super) fn take_bytes(&self, variable: VariableId, slot: &str, access: Access) -> String {
        let (local, param) = (self.names.local(variable), self.names.param(variable));
        let how = match access {
            Access::Read => "in",
            Access::InPlace | Access::Exclusive => "written",
            Access::Copy => "copy",
        };
        format!("fp_bytes_{how}(&{local}, {slot}, &{param})")
    }

    /// A copy of an array that C may look at after the call must be where it can be retained.
    pub(super) fn lend(&mut self, variable: VariableId) {
        let names = self.names;
        if names.call.variables[variable].array().is_some() && names.call.outlives(variable) {
            let (local, param) = (names.local(variable), names.param(variable));
            self.must(&format!("fp_lend(&{local}, &{param})"));
        }
    }

    /// Keeps as many rows as C has filled.
    pub(super) fn cut(&mut self, variable: VariableId, length: &Expr) {
        let names = self.names;
        let call = format!(
            "fp_cut(&{}, {}, {}, &{})",
            names.local(variable),
            dimension(length, names),
            c_string(&length.shown().to_string()),
            names.param(variable)
        );
        self.must(&call);
    }

    /// Gets ready for memory that C hands over.
    pub(super) fn expect(&mut self, handed: Output) {
        let Some(one) = self.names.handed(handed) else { return };
        self.body.line(format!("{} = NULL;", one.pointer));
        self.body.line(format!("fp_expect(&{});", one.object));
    }

    /// Makes Python's value of it.
    pub(super) fn receive(&mut self, handed: Output) {
        let names = self.names;
        let Some(one) = names.handed(handed) else { return };
        let (object, pointer, param) = (&one.object, &one.pointer, &one.param);
        let null = u8::from(one.returned.nullable);
        if let Some(shape) = one.returned.shape() {
            for (axis, expr) in shape.iter().enumerate() {
                let size = dimension(expr, names);
                self.body.line(format!("{object}.shape[{axis}] = {size};"));
            }
        }
        match (&one.returned.pointee, one.returned.is_owned()) {
            (Pointee::String | Pointee::Object(_), _) => {
                self.must(&format!("fp_receive_text(&{object}, {pointer}, {null}, &{param})"));
            }
            (Pointee::Bytes(_) | Pointee::StringBuffer(_), _) => {
                self.must(&format!("fp_receive_bytes(&{object}, {pointer}, {null}, &{param})"));
            }
            (Pointee::Array(_), false) => self.receive_lent(one, null),
            (Pointee::Array(_), true) => {
                let free = &one.free;
                self.must(&format!(
                    "fp_receive_owned(&{object}, {pointer}, {free}, {null}, &{param})"
                ));
            }
        }
    }

    fn receive_lent(&mut self, one: &HandedNames, null: u8) {
        let lenders = one.returned.lenders();
        let list: Vec<String> = lenders
            .iter()
            .map(|index| {
                let local = self.names.local(*index);
                match self.names.call.variables[*index].class() {
                    Some(_) => format!("{{NULL, {local}held}}"),
                    None => format!("{{&{local}, NULL}}"),
                }
            })
            .collect();
        let receive = |lenders: &str| {
            format!(
                "fp_receive_lent(&{}, {}, {lenders}, {}, {null}, &{})",
                one.object,
                one.pointer,
                list.len(),
                one.param
            )
        };
        if list.is_empty() {
            self.must(&receive("NULL"));
            return;
        }
        self.nested("", |printer| {
            let lenders = list.join(", ");
            printer.body.line(format!("const fp_lender fp_lenders[] = {{{lenders}}};"));
            printer.must(&receive("fp_lenders"));
        });
    }

    /// Gives back what was handed over and what was made of it.
    pub(super) fn release_handed(&mut self, handed: Output) {
        let Some(one) = self.names.handed(handed) else { return };
        self.body.line(format!("Py_XDECREF({}.object);", one.object));
        if let Some(free) = one.free_call(&one.pointer) {
            let kept =
                if one.is_kept() { format!(" && !{}.kept", one.object) } else { String::new() };
            self.body.when(format!("{} != NULL{kept}", one.pointer), &format!("{free};"));
        }
    }

    /// C for a new reference to an array of which C has told the length.
    pub(super) fn is_cut(&self, variable: VariableId) -> bool {
        self.steps()
            .iter()
            .any(|step| matches!(step, Step::Cut { variable: cut, .. } if *cut == variable))
    }
}

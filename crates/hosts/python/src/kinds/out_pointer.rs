//! Pointers that C returns: to memory, which Python copies or views, or to an object.

use super::{ArgumentKind, pointee};
use crate::steps::Printer;
use fishplate_emit::{Body, Names, OutPointerNames, declaration, dimension};
use fishplate_model::VariableId;
use fishplate_plan::{OutPointer, Output, Variable};

impl ArgumentKind for OutPointer {
    /// The pointer to memory is declared together with its owner.
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        if self.class().is_some() {
            let local = names.local(index);
            body.line(format!("fp_handle *{local}made;"));
            body.declare(declaration(&self.ctype, local));
        }
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        let address = if self.stored.is_some() { "" } else { "&" };
        format!("{address}{}", printer.names.local(index))
    }

    /// The variable has the pointer from C, not the address of it.
    fn in_message(&self, printer: &Printer, index: VariableId) -> String {
        printer.names.local(index).to_owned()
    }

    fn output(&self, printer: &Printer, index: VariableId) -> String {
        printer.pointer_output(Output::Argument(index))
    }

    fn returned(&self, _: &Variable) -> String {
        pointed(self)
    }
}

/// The type of the result in stubs.
pub(crate) fn pointed(pointer: &OutPointer) -> String {
    pointee(pointer).pointed_type(pointer)
}

impl Printer<'_, '_> {
    /// C for a new reference to the result.
    pub(crate) fn pointer_output(&self, output: Output) -> String {
        match self.names.out_pointer(output) {
            Some(one) => format!("fp_return_received(&{})", one.object),
            None => format!("fp_return_handle({})", self.made(output)),
        }
    }

    /// Prepares an out-pointer or a handle for the call.
    pub(crate) fn expect(&mut self, out_pointer: Output) {
        let Some(one) = self.names.out_pointer(out_pointer) else {
            self.expect_handle(out_pointer);
            return;
        };
        self.body.line(format!("{} = NULL;", one.pointer));
        self.body.line(format!("fp_expect(&{});", one.object));
    }

    /// Creates the Python value of it.
    pub(crate) fn receive(&mut self, out_pointer: Output) {
        let names = self.names;
        let Some(one) = names.out_pointer(out_pointer) else {
            self.receive_handle(out_pointer);
            return;
        };
        if let (Some(shape), None) = (one.returned.shape(), one.returned.list()) {
            for (axis, expr) in shape.iter().enumerate() {
                let size = dimension(expr, names);
                self.body.line(format!("{}.shape[{axis}] = {size};", one.object));
            }
        }
        pointee(&one.returned).receive(self, one);
    }

    /// Creates a separate value from bytes.
    pub(super) fn receive_bytes(&mut self, one: &OutPointerNames) {
        let (object, pointer, param) = (&one.object, &one.pointer, &one.param);
        let null = u8::from(one.returned.nullable);
        self.must(&format!("fp_receive_bytes(&{object}, {pointer}, {null}, &{param})"));
    }

    /// Creates an array with a copy of the C memory.
    pub(super) fn receive_copied(&mut self, one: &OutPointerNames) {
        let OutPointerNames { object, pointer, param, .. } = one;
        let null = u8::from(one.returned.nullable);
        self.must(&format!("fp_receive_copied(&{object}, {pointer}, {null}, &{param})"));
    }

    /// Creates an array that owns the C memory.
    pub(super) fn receive_owned(&mut self, one: &OutPointerNames) {
        let OutPointerNames { object, pointer, free, param, .. } = one;
        let null = u8::from(one.returned.nullable);
        self.must(&format!("fp_receive_owned(&{object}, {pointer}, {free}, {null}, &{param})"));
    }

    /// Creates a view of borrowed memory.
    pub(super) fn receive_borrowed(&mut self, one: &OutPointerNames) {
        let null = u8::from(one.returned.nullable);
        let owners = one.returned.owners();
        let list: Vec<String> = owners
            .iter()
            .map(|index| {
                let local = self.names.local(*index);
                match self.names.call.variables[*index].class() {
                    Some(_) => format!("{{NULL, {local}held}}"),
                    None => format!("{{&{local}, NULL}}"),
                }
            })
            .collect();
        let receive = |owners: &str| {
            format!(
                "fp_receive_borrowed(&{}, {}, {owners}, {}, {null}, &{})",
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
            let owners = list.join(", ");
            printer.body.line(format!("const fp_viewed fp_viewed_arrays[] = {{{owners}}};"));
            printer.must(&receive("fp_viewed_arrays"));
        });
    }

    /// Releases the C-allocated memory, and the Python value of it.
    pub(crate) fn release_out_pointer(&mut self, out_pointer: Output) {
        let Some(one) = self.names.out_pointer(out_pointer) else {
            self.release_handle(out_pointer);
            return;
        };
        self.body.line(format!("Py_XDECREF({}.object);", one.object));
        let values = one.value_locals(self.names);
        if one.returned.list().is_some() {
            let count = format!("{} - {}.taken", one.list_length(self.names), one.object);
            if one.is_freed() {
                let free = one.free_list_call(&one.pointer, &count, &values);
                self.body.when(format!("{} != NULL", one.pointer), &format!("{free};"));
            }
            return;
        }
        if let Some(free) = one.free_call(&one.pointer, &values) {
            let kept =
                if one.is_kept() { format!(" && !{}.kept", one.object) } else { String::new() };
            self.body.when(format!("{} != NULL{kept}", one.pointer), &format!("{free};"));
        }
    }
}

//! Pointers that C returns: to memory, of which Lua has a copy or a tensor, or to an object.

use super::{ArgumentKind, pointee};
use crate::params::{dtype, stack_index};
use crate::steps::Printer;
use fishplate_emit::{Body, HandedNames, Names, c_string, declaration, dimension};
use fishplate_model::VariableId;
use fishplate_plan::{OutPointer, Output, Variable};

impl ArgumentKind for OutPointer {
    /// The pointer to memory is declared with what is made of it.
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        if self.class().is_some() {
            let local = names.local(index);
            body.line(format!("int {local}at;"));
            body.line(format!("{};", declaration(&self.ctype, local)));
        }
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        format!("&{}", printer.names.local(index))
    }

    /// What C has set is meant, not where.
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

/// The type in annotations of what a pointer becomes.
pub(crate) fn pointed(pointer: &OutPointer) -> String {
    pointee(pointer).pointed_type()
}

/// Its `fp_param`, and where the memory is ours to free the function that does.
pub(crate) fn define(names: &Names, one: &HandedNames) -> String {
    let order = if one.returned.is_fortran() { "FP_F_ORDER" } else { "FP_C_ORDER" };
    let mut flags = vec![order];
    flags.extend((!one.returned.is_const).then_some("FP_WRITE"));
    flags.extend(one.returned.pointee.is_string().then_some("FP_TAKES_TEXT"));
    let mut text = format!(
        "static const fp_param {} = {{FP_ARGUMENT({}, {}), {}, FP_ARRAY_OF({}, {})}};\n",
        one.param,
        c_string(names.function),
        one.name.as_ref().map_or("NULL".to_owned(), |name| c_string(name)),
        dtype(one.returned.ctype.scalar()),
        one.rank(),
        flags.join(" | "),
    );
    if let Some(free) = one.free_call("fp_memory->data") {
        let free = under_lock(one.locks_module, &format!("{free};"), "        ");
        text += &format!(
            "\nstatic void\n{}(fp_storage *fp_memory)\n{{\n    if (fp_memory->data != NULL) {{\n\
             {free}    }}\n}}\n\n",
            one.free
        );
    }
    text
}

/// Lines of a statement that gives something back, under the module's lock where it has one.
pub(crate) fn under_lock(locks_module: bool, statement: &str, indent: &str) -> String {
    let (enter, leave) = if locks_module {
        (format!("{indent}fp_enter_module();\n"), format!("{indent}fp_leave_module();\n"))
    } else {
        (String::new(), String::new())
    };
    format!("{enter}{indent}{statement}\n{leave}")
}

/// It is ours to free.
fn is_owned(one: &HandedNames) -> bool {
    one.free_call("").is_some()
}

impl Printer<'_, '_> {
    /// The statement that pushes what a pointer has become.
    pub(crate) fn pointer_output(&self, output: Output) -> String {
        match self.names.handed(output) {
            Some(one) => format!("fp_give_handed(fp_L, &{});", one.object),
            None => format!("fp_give_handle(fp_L, {});", self.index(output)),
        }
    }

    /// Gets ready for memory that C hands over.
    pub(crate) fn expect(&mut self, handed: Output) {
        let Some(one) = self.names.handed(handed) else {
            self.expect_handle(handed);
            return;
        };
        self.body.line(format!("{} = NULL;", one.pointer));
        if is_owned(one) {
            self.body
                .line(format!("fp_expect(fp_L, &{}, {}, &{});", one.object, one.free, one.param));
        } else {
            self.body.line(format!("{}.tensor = NULL;", one.object));
        }
    }

    /// Right behind the call: whatever fails from now on, the memory has its owner.
    pub(crate) fn hand_over(&mut self) {
        for one in self.names.handed.iter().filter(|one| is_owned(one)) {
            self.body.line(format!("fp_hand_over(&{}, {});", one.object, one.pointer));
        }
    }

    /// Makes Lua's value of it.
    pub(crate) fn receive(&mut self, handed: Output) {
        let names = self.names;
        let Some(one) = names.handed(handed) else {
            self.check_handle(handed);
            return;
        };
        // What is kept and not returned is given back at the end.
        if one.is_kept() && !names.call.outputs.contains(&handed) {
            return;
        }
        let (object, pointer, param) = (&one.object, &one.pointer, &one.param);
        let null = u8::from(one.returned.nullable);
        let Some(shape) = one.returned.shape() else {
            self.body
                .line(format!("fp_receive_text(fp_L, &{object}, {pointer}, {null}, &{param});"));
            return;
        };
        let sizes: Vec<String> = shape.iter().map(|expr| dimension(expr, names)).collect();
        let lenders = one.returned.lenders();
        let how = if one.returned.is_copied() {
            "bytes"
        } else if is_owned(one) {
            "owned"
        } else {
            "lent"
        };
        self.nested("", |printer| {
            printer.body.line(format!("const ptrdiff_t fp_shape[] = {{{}}};", sizes.join(", ")));
            let mut between = String::new();
            if how == "lent" && lenders.is_empty() {
                between = "NULL, 0, ".to_owned();
            } else if how == "lent" {
                let list: Vec<String> = lenders
                    .iter()
                    .map(|index| {
                        let local = names.local(*index);
                        match names.call.variables[*index].class() {
                            Some(_) => {
                                let slot = names.call.parameter_of(*index).map_or(0, stack_index);
                                format!("{{NULL, {local}held, {slot}}}")
                            }
                            None => format!("{{&{local}, NULL, 0}}"),
                        }
                    })
                    .collect();
                let list = list.join(", ");
                printer.body.line(format!("const fp_lender fp_lenders[] = {{{list}}};"));
                between = format!("fp_lenders, {}, ", lenders.len());
            }
            printer.body.line(format!(
                "fp_receive_{how}(fp_L, &{object}, {pointer}, fp_shape, {between}{null}, &{param});"
            ));
        });
    }

    /// Gives back what was handed over and not given away.
    pub(crate) fn release_handed(&mut self, handed: Output) {
        let Some(one) = self.names.handed(handed) else { return };
        if is_owned(one) {
            self.body.line(format!("fp_release_handed(fp_L, &{});", one.object));
        }
    }
}

//! Pointers that C returns: to memory, which Lua copies or views as a tensor, or to an object.

use super::{ArgumentKind, pointee};
use crate::params::{dtype, stack_index};
use crate::steps::Printer;
use fishplate_emit::{
    Body, Names, OutPointerNames, c_string, declaration, define_nested_type, dimension,
    struct_class,
};
use fishplate_model::{Scalar, VariableId};
use fishplate_plan::{OutPointer, Output, Variable};

impl ArgumentKind for OutPointer {
    /// The pointer to memory is declared together with its owner.
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        if self.class().is_some() {
            let local = names.local(index);
            body.line(format!("int {local}at;"));
            body.line(format!("{};", declaration(&self.ctype, local)));
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

/// The type of the result in annotations.
pub(crate) fn pointed(pointer: &OutPointer) -> String {
    pointee(pointer).pointed_type()
}

/// Its `fp_param`, and for owned memory the function that frees it.
pub(crate) fn define(names: &Names, one: &OutPointerNames) -> String {
    let order = if one.returned.is_fortran() { "FP_F_ORDER" } else { "FP_C_ORDER" };
    let mut flags = vec![order];
    flags.extend((!one.returned.is_const).then_some("FP_WRITE"));
    flags.extend(one.returned.pointee.is_string().then_some("FP_TAKES_STRING"));
    let mut text = format!(
        "static const fp_param {} = {{FP_ARGUMENT({}, {}), {}, FP_ARRAY_OF({}, {})}};\n",
        one.param,
        c_string(names.function),
        one.name.as_ref().map_or("NULL".to_owned(), |name| c_string(name)),
        // The memory of a struct is bytes until it is copied.
        dtype(one.returned.ctype.number().unwrap_or(Scalar::UChar)),
        one.rank(),
        flags.join(" | "),
    );
    text += &define_nested_type(one, crate::handles::class);
    text += &one.define_free(names);
    text += &one.define_list_release(names, crate::handles::class);
    if let Some(free) = free_stored(one, names) {
        let mut free = under_lock(one.locks_module, &format!("{free};"), "        ");
        let mut values = String::new();
        if !one.values().is_empty() {
            let ends = used_objects(one, names)
                .map(|local| format!("        fp_end_object_use(fp_with->{local}held);\n"));
            free.extend(ends);
            text += &define_values(one, names);
            values = format!(
                "    const {0} *fp_with = (const {0} *)fp_values_of(fp_memory);\n",
                values_type(one)
            );
        }
        text += &format!(
            "\nstatic void\n{}(fp_storage *fp_memory)\n{{\n{values}    if (fp_memory->data != NULL) {{\n\
             {free}    }}\n}}\n\n",
            one.free
        );
    }
    text
}

/// The type of the values with which memory is freed.
fn values_type(one: &OutPointerNames) -> String {
    format!("{}_values", one.free)
}

/// The variables of the objects among them that the caller passes.
fn used_objects<'n>(one: &'n OutPointerNames, names: &'n Names) -> impl Iterator<Item = &'n str> {
    one.values().iter().filter_map(|value| match value {
        Output::Argument(index) => {
            let is_object = names.call.variables[*index].class().is_some();
            let is_passed = is_object && names.call.parameter_of(*index).is_some();
            is_passed.then(|| names.local(*index))
        }
        Output::Result => None,
    })
}

fn define_values(one: &OutPointerNames, names: &Names) -> String {
    let held = used_objects(one, names).map(|local| format!("fp_handle *{local}held"));
    let members: String = one
        .value_declarations(names)
        .into_iter()
        .chain(held)
        .map(|member| format!("    {member};\n"))
        .collect();
    format!("\ntypedef struct {{\n{members}}} {};\n", values_type(one))
}

/// Lines of a statement that releases something, under the module's lock if it has one.
pub(crate) fn under_lock(locks_module: bool, statement: &str, indent: &str) -> String {
    let (enter, leave) = if locks_module {
        (format!("{indent}fp_enter_module();\n"), format!("{indent}fp_leave_module();\n"))
    } else {
        (String::new(), String::new())
    };
    format!("{enter}{indent}{statement}\n{leave}")
}

/// C that frees what the storage owns; of an array of objects, those that have no Lua objects.
fn free_stored(one: &OutPointerNames, names: &Names) -> Option<String> {
    let pointer = "fp_memory->data";
    let locals = one.value_locals(names).into_iter();
    let values: Vec<String> = locals.map(|local| format!("fp_with->{local}")).collect();
    let is_list = one.returned.list().is_some() && one.is_freed();
    let of_list =
        is_list.then(|| one.free_list_call(pointer, "(ptrdiff_t)fp_memory->size", &values));
    of_list.or_else(|| one.free_call(pointer, &values))
}

impl Printer<'_, '_> {
    /// The statement that pushes the result.
    pub(crate) fn pointer_output(&self, output: Output) -> String {
        match self.names.out_pointer(output) {
            Some(one) => format!("fp_return_received(fp_L, &{});", one.object),
            None => format!("fp_return_handle(fp_L, {});", self.index(output)),
        }
    }

    /// Prepares an out-pointer or a handle for the call.
    pub(crate) fn expect(&mut self, out_pointer: Output) {
        let Some(one) = self.names.out_pointer(out_pointer) else {
            self.expect_handle(out_pointer);
            return;
        };
        self.body.line(format!("{} = NULL;", one.pointer));
        if one.is_freed() {
            let (expect, room) = match one.values() {
                [] => ("fp_expect", String::new()),
                _ => ("fp_expect_with", format!("sizeof({}), ", values_type(one))),
            };
            let (object, free, param) = (&one.object, &one.free, &one.param);
            self.body.line(format!("{expect}(fp_L, &{object}, {free}, {room}&{param});"));
        } else {
            self.body.line(format!("{}.tensor = NULL;", one.object));
        }
    }

    /// Takes ownership immediately after the call: whatever fails from now on, the memory has an
    /// owner.
    pub(crate) fn transfer_ownership(&mut self) {
        for one in self.names.out_pointers.iter().filter(|one| one.is_freed()) {
            self.store_values(one);
            self.body.line(match one.returned.list() {
                Some(_) => format!(
                    "fp_set_list_owner(&{}, {}, {});",
                    one.object,
                    one.pointer,
                    one.list_length(self.names)
                ),
                None => format!("fp_set_owner(&{}, {});", one.object, one.pointer),
            });
        }
    }

    /// Stores the values with which memory is freed.
    fn store_values(&mut self, one: &OutPointerNames) {
        let names = self.names;
        if one.values().is_empty() {
            return;
        }
        self.nested(&format!("if ({} != NULL)", one.pointer), |printer| {
            let of = values_type(one);
            printer.body.line(format!(
                "{of} *fp_with = ({of} *)fp_values_of({}.tensor->storage);",
                one.object
            ));
            for local in one.value_locals(names) {
                printer.body.line(format!("fp_with->{local} = {local};"));
            }
            for local in used_objects(one, names) {
                printer.body.line(format!("fp_with->{local}held = fp_use_object({local}held);"));
            }
        });
    }

    /// Creates the Lua value of it.
    pub(crate) fn receive(&mut self, out_pointer: Output) {
        let names = self.names;
        let Some(one) = names.out_pointer(out_pointer) else {
            self.check_handle(out_pointer);
            return;
        };
        // Retained memory that is not returned is released at the end.
        if one.is_kept() && !names.call.outputs.contains(&out_pointer) {
            return;
        }
        if let Some(list) = one.returned.list() {
            self.receive_list(one, list);
            return;
        }
        let (object, pointer, param) = (&one.object, &one.pointer, &one.param);
        let null = u8::from(one.returned.nullable);
        let Some(shape) = one.returned.shape() else {
            let (what, of) = match one.returned.ctype.structure() {
                Some(name) => ("record", format!("&{}, ", struct_class(name))),
                None if one.returned.ctype.nested().is_some() => {
                    ("nested", format!("&{param}_type, "))
                }
                None => ("string", format!("{}, ", one.length())),
            };
            self.body.line(format!(
                "fp_receive_{what}(fp_L, &{object}, {pointer}, {of}{null}, &{param});"
            ));
            return;
        };
        let sizes: Vec<String> = shape.iter().map(|expr| dimension(expr, names)).collect();
        let owners = one.returned.owners();
        let how = if one.returned.pointee.is_copied() {
            "bytes"
        } else if one.returned.is_copied() {
            "copied"
        } else if one.is_freed() {
            "owned"
        } else {
            "borrowed"
        };
        self.nested("", |printer| {
            printer.body.line(format!("const ptrdiff_t fp_shape[] = {{{}}};", sizes.join(", ")));
            let mut between = String::new();
            if how == "borrowed" && owners.is_empty() {
                between = "NULL, 0, ".to_owned();
            } else if how == "borrowed" {
                let list: Vec<String> = owners
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
                printer.body.line(format!("const fp_viewed fp_viewed_arrays[] = {{{list}}};"));
                between = format!("fp_viewed_arrays, {}, ", owners.len());
            }
            printer.body.line(format!(
                "fp_receive_{how}(fp_L, &{object}, {pointer}, fp_shape, {between}{null}, &{param});"
            ));
        });
    }

    /// Releases C-allocated memory whose ownership was not passed on.
    pub(crate) fn release_out_pointer(&mut self, out_pointer: Output) {
        let Some(one) = self.names.out_pointer(out_pointer) else { return };
        if one.is_freed() {
            self.body.line(format!("fp_release_received(fp_L, &{});", one.object));
        }
    }
}

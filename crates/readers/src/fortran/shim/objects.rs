//! Objects of derived types.
//!
//! Purpose: C has the address of a container, whose allocatable component is the object; shims find the object in it.
//! Invariant: classes that extend one another have the same container, so an object is one of each of its classes. It is
//! released once, with what its components have allocated, by its finalizers.
//! Reason: an object has a dynamic type, which an address alone does not have.

use super::{Parts, STATUS, Shim, end_without_memory, is_allocatable};
use crate::fortran::derived::Derived;
use crate::fortran::kinds::Type;
use crate::fortran::procedure::Drafted;
use crate::fortran::quoted;
use crate::fortran::source::{Procedure, Source, Variable};

/// True if the procedure may change an object, or returns one.
pub(super) fn changes(procedure: &Procedure, source: &Source) -> bool {
    let variable = |name: &String| procedure.variables.get(name);
    let arguments = procedure.arguments.iter().filter_map(variable);
    let mut objects = arguments.filter(|one| source.is_object(one));
    objects.any(|one| one.intent.as_deref() != Some("in"))
        || procedure.result.as_ref().and_then(variable).is_some_and(|one| source.is_object(one))
}

impl Shim {
    /// An argument that is an object.
    pub(super) fn object(
        &mut self,
        name: &str,
        variable: &Variable,
        class: &Derived,
        source: &Source,
    ) -> Result<(), String> {
        let is_self = self.object == name;
        if !variable.dimensions.is_empty() {
            return Err(format!("`{name}` is an array of objects"));
        }
        if variable.is_target && !is_self && self.changes_objects {
            return Err(format!(
                "`{name}` is a target, to which an object may refer after the call"
            ));
        }
        if variable.attribute.is_some() && !(is_allocatable(variable) && is_returned(variable)) {
            let attribute = variable.attribute.as_deref().unwrap_or_default();
            return Err(format!("`{name}` has no equal in C (`{attribute}`)"));
        }
        let own = format!("{name}_in_fortran");
        if is_returned(variable) && !is_self {
            self.returned_object(name, variable, class, source)?;
        } else {
            let nullable = if variable.is_optional { "nullable " } else { "" };
            let of = &class.name;
            self.interface.push(format!("{nullable}{of} {name}"));
            self.c.push(format!("void *{name}"));
            self.dummies.push(name.to_owned());
            self.declarations.push(format!("type(c_ptr), value :: {name}"));
            self.declarations.push(format!("{}(fp_type_{of}), pointer :: {own}", keyword(class)));
            self.before.push(format!("{own} => fp_object_{of}({name})"));
        }
        if !is_self {
            self.actual.push(own);
        }
        Ok(())
    }

    /// An object that Fortran makes.
    pub(super) fn returned_object(
        &mut self,
        name: &str,
        variable: &Variable,
        class: &Derived,
        source: &Source,
    ) -> Result<(), String> {
        let (of, own) = (&class.name, format!("{name}_in_fortran"));
        self.allocates = true;
        self.c.push(format!("void **{name}"));
        self.dummies.push(name.to_owned());
        self.declarations.push(format!("type(c_ptr), intent(out) :: {name}"));
        self.declare("integer :: fp_failed");
        if is_allocatable(variable) {
            let root = &source.root(class).name;
            let keyword = if variable.is_polymorphic { "class" } else { "type" };
            self.interface.push(format!("out nullable own {of} *{name}"));
            self.declarations.push(format!("{keyword}(fp_type_{of}), allocatable :: {own}"));
            self.declarations.push(format!("type(fp_handle_{root}), pointer :: {name}_handle"));
            self.before.push(format!("{name} = c_null_ptr"));
            self.after.extend([
                format!("if (allocated({own})) then"),
                format!("  allocate({name}_handle, stat=fp_failed)"),
            ]);
            self.after.extend(end_without_memory("fp_failed /= 0", "  "));
            self.after.extend([
                format!("  call move_alloc({own}, {name}_handle%object)"),
                format!("  {name} = c_loc({name}_handle)"),
                "end if".to_owned(),
            ]);
        } else if class.is_abstract {
            return Err(format!("`{name}` is of the abstract type `{of}`"));
        } else {
            self.interface.push(format!("out own {of} *{name}"));
            self.declarations.push(format!("type(fp_type_{of}), pointer :: {own}"));
            self.before.push(format!("fp_failed = fp_new_{of}({name}, {own})"));
            self.before.extend(end_without_memory("fp_failed /= 0", ""));
        }
        Ok(())
    }
}

fn is_returned(variable: &Variable) -> bool {
    variable.intent.as_deref() == Some("out")
}

/// The declaration of a pointer to an object of the class, or of one that extends it.
fn keyword(class: &Derived) -> &'static str {
    if class.is_fixed { "type" } else { "class" }
}

fn symbol(class: &Derived, name: &str) -> String {
    format!("{}_{name}", class.module.as_deref().unwrap_or_default())
}

/// The table of a class.
pub(in crate::fortran) fn class_head(class: &Derived, source: &Source) -> Drafted {
    let (name, root) = (&class.name, source.root(class));
    let free = symbol(root, &format!("free_{}", root.name));
    let mut head = format!("[handle.{name}]\n");
    let comment = class.comment.split_whitespace().collect::<Vec<_>>().join(" ");
    if !comment.is_empty() {
        head.push_str(&format!("doc = {}\n", quoted(&comment)));
    }
    head.push_str(&format!("ctype = \"void *\"\nfree = {}\n", quoted(&free)));
    if let Some(base) = source.base(class) {
        head.push_str(&format!("base = {}\n", quoted(&base.name)));
    }
    let is_root = root.name == *name;
    let code = if is_root { format!("void {free}(void *object);\n") } else { String::new() };
    Drafted { code, table: format!("handle.{name}"), head, ..Drafted::default() }
}

/// The constructor of an object as its declaration in Fortran initialises it.
pub(in crate::fortran) fn constructor(class: &Derived) -> Drafted {
    let name = &class.name;
    let (own, table) = (format!("{name}_new"), format!("handle.{name}.new"));
    let symbol = symbol(class, &format!("{own}_for_c"));
    Drafted {
        code: format!("int {symbol}(void **object);\n"),
        head: format!("[{table}]\n"),
        table,
        proto: format!("status int {symbol}(out own {name} *object)"),
        end: STATUS,
        shim: format!(
            "\n  function {own}_for_c(object) bind(c, name=\"{symbol}\") result(fp_status)\n    \
             type(c_ptr), intent(out) :: object\n    integer(c_int) :: fp_status\n    \
             type(fp_type_{name}), pointer :: made\n    fp_status = fp_new_{name}(object, made)\n  end function\n"
        ),
        shim_name: own,
        symbol,
    }
}

/// The functions that get and set a component that is a number: an attribute of the objects.
pub(in crate::fortran) fn component(class: &Derived, field: &str, base: &Type) -> [Drafted; 2] {
    let name = &class.name;
    let (ctype, kind) = (base.in_c(), base.in_fortran());
    let table = format!("function.{name}.{field}");
    let object = format!(
        "    type(c_ptr), value :: object\n    {}(fp_type_{name}), pointer :: found\n    \
         found => fp_object_{name}(object)\n",
        keyword(class)
    );
    let of = |verb: &str,
              code: fn(&str, &str) -> String,
              ctype: &str,
              shim: &dyn Fn(&str, &str) -> String| {
        let own = format!("{name}_{verb}_{field}");
        let symbol = symbol(class, &format!("{own}_for_c"));
        Drafted {
            code: format!("{};\n", code(ctype, &symbol).replace("OBJECT", "void *object")),
            head: format!("[{table}]\n"),
            table: table.clone(),
            proto: code(ctype, &symbol).replace("OBJECT", &format!("{name} object")),
            end: "property = true\n",
            shim: shim(&own, &symbol),
            shim_name: own,
            symbol,
        }
    };
    [
        of("get", |ctype, symbol| format!("{ctype} {symbol}(OBJECT)"), ctype, &|own, symbol| {
            format!(
                "\n  function {own}_for_c(object) bind(c, name=\"{symbol}\") result(value)\n    {kind} :: value\n\
                 {object}    value = found%{field}\n  end function\n"
            )
        }),
        of(
            "set",
            |ctype, symbol| format!("void {symbol}(OBJECT, {ctype} value)"),
            ctype,
            &|own, symbol| {
                format!(
                    "\n  subroutine {own}_for_c(object, value) bind(c, name=\"{symbol}\")\n    {kind}, value :: value\n\
                 {object}    found%{field} = value\n  end subroutine\n"
                )
            },
        ),
    ]
}

/// The statements by which `object` points to the object in a container, if its type is that of the guard.
fn find_object(class: &Derived, container: &str, guard: &str) -> String {
    let name = &class.name;
    match class.is_fixed {
        true => format!("    object => {container}%object\n"),
        false => format!(
            "    select type (known => {container}%object)\n    {guard} (fp_type_{name})\n      object => known\n    \
             end select\n"
        ),
    }
}

/// The parts of the shims for their objects.
pub(in crate::fortran) fn class_parts(source: &Source) -> Parts {
    let mut parts = Parts::default();
    for class in &source.classes {
        let (name, module) = (&class.name, class.module.as_deref().unwrap_or_default());
        let (root, keyword) = (&source.root(class).name, keyword(class));
        parts.uses.push_str(&format!("  use {module}, only: fp_type_{name} => {name}\n"));
        if root == name {
            let free = symbol(class, &format!("free_{name}"));
            parts.declarations.push_str(&format!(
                "  type :: fp_handle_{name}\n    {keyword}(fp_type_{name}), allocatable :: object\n  end type\n"
            ));
            parts.procedures.push_str(&format!(
                "\n  subroutine fp_free_{name}(handle) bind(c, name=\"{free}\")\n    type(c_ptr), value :: handle\n    \
                 type(fp_handle_{name}), pointer :: found\n    call c_f_pointer(handle, found)\n    \
                 if (allocated(found%object)) deallocate(found%object)\n    deallocate(found)\n  end subroutine\n"
            ));
        }
        let found = find_object(class, "found", "class is");
        parts.procedures.push_str(&format!(
            "\n  function fp_object_{name}(handle) result(object)\n    type(c_ptr), intent(in) :: handle\n    \
             {keyword}(fp_type_{name}), pointer :: object\n    type(fp_handle_{root}), pointer :: found\n    \
             object => null()\n    if (.not. c_associated(handle)) return\n    call c_f_pointer(handle, found)\n\
             {found}  end function\n"
        ));
        if class.is_abstract {
            continue;
        }
        let made = find_object(class, "made", "type is");
        parts.procedures.push_str(&format!(
            "\n  function fp_new_{name}(handle, object) result(failed)\n    type(c_ptr), intent(out) :: handle\n    \
             type(fp_type_{name}), pointer, intent(out) :: object\n    type(fp_handle_{root}), pointer :: made\n    \
             integer :: failed\n    handle = c_null_ptr\n    object => null()\n    allocate(made, stat=failed)\n    \
             if (failed == 0) then\n      handle = c_loc(made)\n      \
             allocate(fp_type_{name} :: made%object, stat=failed)\n    end if\n    \
             failed = merge(1, 0, failed /= 0)\n    if (failed /= 0) return\n{made}  end function\n"
        ));
    }
    parts
}

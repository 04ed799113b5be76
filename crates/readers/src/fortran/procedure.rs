//! A procedure as a function of an interface.
//!
//! Purpose: the table of the function, and the declaration of the procedure in C.
//! Invariant: the prototype and the declaration have the same arguments in the same order.
//! Reason: a procedure has no header. Arrays of assumed shape are passed by descriptors, which a C function makes.

use super::argument::{Argument, argument};
use super::derived::Derived;
use super::kinds::Type;
use super::source::{Procedure, Source};
use super::{quoted, shim};

/// The parts of an interface file.
#[derive(Default)]
pub(super) struct Drafted {
    /// The symbol that it calls; none for a type.
    pub symbol: String,
    /// Declarations in C.
    pub code: String,
    /// The name of its table, `function.mean`.
    pub table: String,
    /// The beginning of the table.
    pub head: String,
    /// The prototype in the interface; empty for a type.
    pub proto: String,
    /// The end of the table: its return codes, or that it is called for each element of arrays.
    pub end: &'static str,
    /// A procedure of C in Fortran, which calls it; empty if C calls it as it is.
    pub shim: String,
    /// The beginning of the name of that procedure.
    pub shim_name: String,
}

/// Drafts a function, or returns why the procedure has no equal.
pub(super) fn draft(procedure: &Procedure, source: &Source) -> Result<Drafted, String> {
    if let Some(problem) = &procedure.problem {
        return Err(problem.clone());
    }
    if shim::is_needed(procedure, source) {
        return shim::draft(procedure, source);
    }
    let symbol = match &procedure.binding {
        Some(name) => name.clone(),
        None => match &procedure.module {
            None => format!("{}_", procedure.name),
            Some(Ok(module)) => format!("__{module}_MOD_{}", procedure.name),
            Some(Err(problem)) => return Err(format!("{problem}: add bind(c)")),
        },
    };
    let mut arguments = Vec::new();
    for name in &procedure.arguments {
        arguments.push(argument(name, procedure, source)?);
    }
    let result = result(procedure, source)?;
    let lengths = || arguments.iter().filter_map(|one| one.length.as_ref());
    let passed: Vec<&str> = arguments
        .iter()
        .map(|one| one.passed.as_str())
        .chain(lengths().map(|_| "size_t"))
        .collect();
    let mut code = format!("{};\n", prototype(&result, &symbol, &passed));
    let mut called = symbol.clone();
    if arguments.iter().any(|one| one.descriptor.is_some()) {
        called = format!("call_{}", procedure.name);
        code.push_str(&adapter(&result, &called, &symbol, &arguments));
    }
    let interface: Vec<&str> = (arguments.iter())
        .flat_map(|one| one.interface.iter().map(String::as_str))
        .chain(lengths().map(|(interface, _)| interface.as_str()))
        .collect();
    let mut start = String::new();
    if procedure.binding.is_none() && procedure.module.is_some() {
        start.push_str(
            "# Without bind(c): the symbol of a procedure of a module, as gfortran names it.\n",
        );
    }
    let table = format!("function.{}", procedure.name);
    start.push_str(&head(&table, procedure));
    Ok(Drafted {
        symbol,
        code,
        table,
        head: start,
        proto: prototype(&result, &called, &interface),
        end: if is_batched(procedure) { "ellipses = \"...\"\n" } else { "" },
        ..Drafted::default()
    })
}

/// An elemental procedure of numbers, none of which is optional.
fn is_batched(procedure: &Procedure) -> bool {
    let is_number = |name: &String| {
        procedure.variables.get(name).is_some_and(|one| {
            matches!(one.base, Some(Type::Number(..)))
                && !one.is_optional
                && one.intent.as_deref() != Some("inout")
        })
    };
    procedure.is_elemental
        && !procedure.arguments.is_empty()
        && procedure.arguments.iter().all(is_number)
}

/// The name of the function in the interface.
pub(super) fn name(procedure: &Procedure) -> &str {
    procedure.generic.as_deref().unwrap_or(&procedure.name)
}

/// The beginning of the table of a function.
pub(super) fn head(table: &str, procedure: &Procedure) -> String {
    let mut head = format!("[{table}]\n");
    let comment = procedure.comment.split_whitespace().collect::<Vec<_>>().join(" ");
    if !comment.is_empty() {
        head.push_str(&format!("doc = {}\n", quoted(&comment)));
    }
    head
}

/// The C type of the result.
pub(super) fn result(procedure: &Procedure, source: &Source) -> Result<String, String> {
    let Some(name) = &procedure.result else { return Ok("void".to_owned()) };
    let variable = procedure.variables.get(name).cloned().unwrap_or_default();
    match &variable.base {
        _ if !variable.dimensions.is_empty() || variable.attribute.is_some() => {
            Err("its result is an array, or a pointer".to_owned())
        }
        Some(Type::Character(_)) => Err("its result is a string".to_owned()),
        Some(base) if source.object_type(base).is_some() => {
            Err("its result is an object".to_owned())
        }
        Some(base) => Ok(base.in_c().to_owned()),
        None => Err("the type of its result is unknown".to_owned()),
    }
}

/// A prototype in the interface or in C.
pub(super) fn prototype(result: &str, name: &str, arguments: &[&str]) -> String {
    let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
    format!("{result} {name}({arguments})")
}

/// A C function that passes arrays of assumed shape by descriptors of its own.
fn adapter(result: &str, name: &str, symbol: &str, arguments: &[Argument]) -> String {
    let parameters: Vec<&str> =
        arguments.iter().flat_map(|one| one.c.iter().map(String::as_str)).collect();
    let mut body = String::new();
    let mut passed = Vec::new();
    for Argument { name, descriptor, .. } in arguments {
        let Some(descriptor) = descriptor else {
            passed.push(name.clone());
            continue;
        };
        let (rank, own) = (descriptor.sizes.len(), format!("descriptor_of_{name}"));
        let sizes: Vec<String> =
            descriptor.sizes.iter().map(|size| format!("(CFI_index_t){size}")).collect();
        body.push_str(&format!(
            "    CFI_CDESC_T({rank}) {own};\n    CFI_index_t sizes_of_{name}[{rank}] = {{{}}};\n",
            sizes.join(", ")
        ));
        passed.push(format!("(CFI_cdesc_t *)&{own}"));
    }
    for Argument { name, descriptor, .. } in arguments {
        if let Some(descriptor) = descriptor {
            body.push_str(&format!(
                "    CFI_establish((CFI_cdesc_t *)&descriptor_of_{name}, {name}, CFI_attribute_other, {}, \
                 sizeof({}),\n        {}, sizes_of_{name});\n",
                descriptor.kind,
                descriptor.element,
                descriptor.sizes.len()
            ));
        }
    }
    let returns = if result == "void" { "" } else { "return " };
    format!(
        "static inline {}\n{{\n{body}    {returns}{symbol}({});\n}}\n",
        prototype(result, name, &parameters),
        passed.join(", ")
    )
}

/// A derived type as a struct.
pub(super) fn derived_type(derived: &Derived) -> Drafted {
    let mut fields = Vec::new();
    for name in &derived.fields {
        let Some(variable) = derived.variables.get(name) else { continue };
        let Some(base) = &variable.base else { continue };
        let sizes: String = variable.dimensions.iter().rev().map(|n| format!("[{n}]")).collect();
        fields.push(format!("{} {name}{sizes}", base.in_c()));
    }
    let name = &derived.name;
    Drafted {
        code: format!("typedef struct {{ {}; }} {name};\n", fields.join("; ")),
        head: format!(
            "[struct.{name}]\nctype = {}\nfields = {}\n",
            quoted(name),
            quoted(&fields.join("; "))
        ),
        table: format!("struct.{name}"),
        ..Drafted::default()
    }
}

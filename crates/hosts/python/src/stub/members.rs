//! Members of classes other than methods: properties and special methods.
//!
//! Reason: type checkers look both up in the class, and know nothing of slots.

use super::functions;
use super::overloads::{Signature, signatures};
use super::{indented, python_docstring};
use crate::operators::{Special, is_sequence, special_methods};
use fishplate_plan::{FunctionPlan, HandlePlan, Operands, Plan};
use std::fmt::Write as _;

/// The properties and special methods of a class.
pub(super) fn members(handle: &HandlePlan, plan: &Plan) -> String {
    let mut text = String::new();
    for id in &handle.properties {
        property(&plan.functions[*id], &mut text);
    }
    let special = special_methods(handle);
    for one in &special {
        let function = &plan.functions[one.function];
        let typed = of_operands(function, one.operands);
        let heads: Vec<String> = typed.iter().map(|signature| head(one, signature)).collect();
        let start = text.len();
        functions::define_heads(&one.name, &heads, "", &mut text);
        // Type checkers want `+=` to accept everything that `+` accepts.
        if let Some(plain) = special.iter().find(|plain| in_place(&plain.name) == one.name)
            && of_operands(&plan.functions[plain.function], plain.operands).iter().any(
                |signature| !typed.iter().any(|own| own.parts(None).0 == signature.parts(None).0),
            )
        {
            let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
            text.insert_str(end, "  # type: ignore[misc]");
        }
    }
    if is_sequence(handle, plan)
        && let Some(get) = special.iter().find(|one| one.name == "__getitem__")
    {
        let items = of_operands(&plan.functions[get.function], get.operands);
        let item = items.first().map_or("Any".to_owned(), |item| item.parts(None).1);
        let _ = writeln!(text, "def __iter__(self) -> Iterator[{item}]: ...");
    }
    let has = |name: &str| special.iter().any(|one| one.name == name);
    if has("__next__") && !has("__iter__") {
        text.push_str("def __iter__(self) -> Self: ...\n");
    }
    if has("__eq__") && !has("__hash__") {
        text.push_str("__hash__: ClassVar[None]  # type: ignore[assignment]\n");
    }
    text
}

/// `__iadd__` for `__add__`.
fn in_place(name: &str) -> String {
    name.replacen("__", "__i", 1)
}

/// The signatures for these operands, without the object.
fn of_operands(function: &FunctionPlan, operands: Operands) -> Vec<Signature> {
    let count = match operands {
        Operands::One => Some(0),
        Operands::Two | Operands::Swapped => Some(1),
        Operands::Three => Some(2),
        Operands::Any => None,
    };
    let all = signatures(function).into_iter().map(|one| one.without_first());
    all.filter(|one| count.is_none_or(|count| one.accepts(count)))
        .map(|one| count.map_or(one.clone(), |count| one.first_parameters(count)))
        .collect()
}

/// `(self, other: Vector, /) -> Vector`
fn head(one: &Special, signature: &Signature) -> String {
    let (parameters, returned) = signature.parts(Some("self"));
    let returned = match one.name.as_str() {
        "__eq__" | "__ne__" => return "(self, other: object, /) -> bool".to_owned(),
        "__setitem__" => "None",
        "__contains__" | "__bool__" => "bool",
        "__len__" | "__hash__" | "__int__" => "int",
        "__float__" => "float",
        "__str__" => "str",
        "__iter__" => "Iterator[Any]",
        "__next__" => returned.trim_end_matches(" | None"),
        "__lt__" | "__le__" | "__gt__" | "__ge__" if returned == "int" => "bool",
        name if name.starts_with("__i") && one.operands == Operands::Two => "Self",
        _ => &returned,
    };
    let by_position = match one.name.as_str() {
        _ if one.operands == Operands::Any || parameters == "self" => "",
        // The slot has a third operand.
        "__pow__" | "__rpow__" => ", mod: None = None, /",
        _ => ", /",
    };
    format!("({parameters}{by_position}) -> {returned}")
}

/// `@property`, with its setter if it has one.
fn property(function: &FunctionPlan, text: &mut String) {
    let name = &function.name;
    let doc = function.doc.trim();
    let body = match doc {
        "" => " ...".to_owned(),
        doc => format!("\n    {}", python_docstring(&indented(doc))),
    };
    if let Some(got) = of_operands(function, Operands::One).first() {
        let _ = writeln!(text, "@property\ndef {name}{}:{body}", got.text(Some("self")));
    }
    if let Some(set) = of_operands(function, Operands::Two).first() {
        let (parameters, _) = set.parts(Some("self"));
        let _ = writeln!(text, "@{name}.setter\ndef {name}({parameters}) -> None: ...");
    }
}

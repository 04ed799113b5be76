//! Operators and properties of classes: the tables of metamethods.
//!
//! Purpose: choose the event of an operator.
//! Invariant: an operator that Lua does not have is a method only.
//! Reason: the methods of a class are functions already; metamethods only call them.

use fishplate_emit::{Namer, c_string};
use fishplate_model::FunctionId;
use fishplate_plan::{HandlePlan, Operands, Plan};
use std::fmt::Write as _;

use Operands::{Any, One, Swapped, Two};

/// An event of a metatable: the operator, its operands, the name in annotations if editors know it.
pub(crate) struct Event {
    operator: &'static str,
    operands: Operands,
    pub name: &'static str,
}

const fn event(operator: &'static str, operands: Operands, name: &'static str) -> Event {
    Event { operator, operands, name }
}

/// The events. Older versions of Lua ignore those that they lack.
const EVENTS: &[Event] = &[
    event("+", Two, "add"),
    event("-", Two, "sub"),
    event("*", Two, "mul"),
    event("/", Two, "div"),
    event("%", Two, "mod"),
    event("**", Two, "pow"),
    event("//", Two, "idiv"),
    event("&", Two, "band"),
    event("|", Two, "bor"),
    event("^", Two, "bxor"),
    event("<<", Two, "shl"),
    event(">>", Two, "shr"),
    event("-", One, "unm"),
    event("~", One, "bnot"),
    event("len", One, "len"),
    // An iterator is what the generic `for` calls.
    event("next", One, "call"),
    event("()", Any, "call"),
    event("==", Two, "eq"),
    event("<", Two, "lt"),
    event("<=", Two, "le"),
    event("str", One, "tostring"),
];

/// The metamethods of a class: the event, the method, that for the object on the right.
pub(crate) fn metamethods(
    handle: &HandlePlan,
) -> impl Iterator<Item = (&'static Event, Option<FunctionId>, Option<FunctionId>)> {
    let both = |event: &'static Event| {
        let swapped = match event.operands {
            Two => handle.operator(event.operator, Swapped),
            _ => None,
        };
        (event, handle.operator(event.operator, event.operands), swapped)
    };
    EVENTS.iter().map(both).filter(|(_, method, swapped)| method.is_some() || swapped.is_some())
}

/// The names of the tables of operators, of properties, and of the functions that get and set items.
pub(crate) struct Tables {
    pub operators: String,
    pub properties: String,
    pub get: String,
    pub set: String,
}

/// Defines the tables of a class; `entries` are the C functions of the plan's functions.
pub(crate) fn tables(
    handle: &HandlePlan,
    plan: &Plan,
    entries: &[String],
    namer: &mut Namer,
    text: &mut String,
) -> Tables {
    let entry = |id: Option<FunctionId>| match id {
        Some(id) => entries[usize::from(id)].clone(),
        None => "NULL".to_owned(),
    };
    let rows = metamethods(handle).map(|(event, method, swapped)| {
        let (method, swapped) = (entry(method), entry(swapped));
        let operands = match event.operands {
            One => 1,
            Any => 0,
            _ => 2,
        };
        let is_test = u8::from(matches!(event.name, "eq" | "lt" | "le"));
        format!("    {{\"__{}\", {method}, {swapped}, {operands}, {is_test}}},\n", event.name)
    });
    let operators = define(
        "fp_operator",
        "operators",
        "NULL, NULL, NULL, 0, 0",
        handle,
        rows.collect(),
        namer,
        text,
    );
    let rows = handle.properties.iter().map(|id| {
        let function = &plan.functions[*id];
        let (name, entry) = (c_string(&function.name), &entries[usize::from(*id)]);
        format!("    {{{name}, {entry}, {}}},\n", u8::from(function.is_settable()))
    });
    let properties =
        define("fp_property", "properties", "NULL, NULL, 0", handle, rows.collect(), namer, text);
    Tables {
        operators,
        properties,
        get: entry(handle.operator("[]", Two)),
        set: entry(handle.operator("[]", Operands::Three)),
    }
}

/// Defines a table, and returns its name; `NULL` without rows.
fn define(
    of: &str,
    name: &str,
    end: &str,
    handle: &HandlePlan,
    rows: String,
    namer: &mut Namer,
    text: &mut String,
) -> String {
    if rows.is_empty() {
        return "NULL".to_owned();
    }
    let table = namer.unique(format!("fpl_{}_{name}", handle.name));
    let _ = writeln!(text, "static const {of} {table}[] = {{\n{rows}    {{{end}}},\n}};\n");
    table
}

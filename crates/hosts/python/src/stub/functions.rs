//! Functions and methods: their types, and their definitions.
//!
//! Purpose: calls with their parameters, next to the attributes that no `def` has: `explain`, `signature`, `op`.
//! Invariant: each function is an instance of a class of its name, because editors show the class's name before
//! the parameters of a call. A method has two: the type of `counter.next`, and that of `Counter.next`, whose
//! first parameter is the object.
//! Reason: the type that a method is declared as is the bound one, because pyright compares declared types with
//! the methods of protocols.

use super::overloads::{Signature, signatures};
use super::{indented, python_docstring, without_signature};
use crate::docs;
use fishplate_plan::{FunctionPlan, HandlePlan, Plan};
use std::fmt::Write as _;

/// The members of every function.
const FUNCTION: &str = "\
class _Function:
    __name__: str
    __qualname__: str
    def __init__(self, function: object, /) -> None: ...
    @property
    def signature(self) -> str:
        \"\"\"The core dimensions of inputs and outputs, as generalized ufuncs write them.\"\"\"
    def explain(self, *args: Any, **kwargs: Any) -> str:
        \"\"\"What a call with these arguments would do. C is not called.\"\"\"
    def op(self, *args: Any, **kwargs: Any) -> Any:
        \"\"\"The call as an op of a graph.\"\"\"
";

/// The members of every method. The attributes of the function are also those of the method, so
/// they take the object.
const METHOD: &str = "
_Unbound = TypeVar(\"_Unbound\", covariant=True)
_Bound = TypeVar(\"_Bound\")

class _Method(_Function, Generic[_Unbound]):
    @property
    def __self__(self) -> Any: ...
    @property
    def __func__(self) -> _Unbound: ...
    @overload
    def __get__(self, instance: None, owner: type, /) -> _Unbound: ...
    @overload
    def __get__(self: _Bound, instance: object, owner: type, /) -> _Bound: ...
";

/// The functions of the module itself.
pub(super) fn of_module(plan: &Plan) -> impl Iterator<Item = &FunctionPlan> {
    plan.functions.iter().filter(|function| function.class.is_none())
}

/// The types of all functions and methods.
pub(super) fn types(plan: &Plan, text: &mut String) {
    let mut functions = String::new();
    for function in of_module(plan) {
        functions.push_str(&class(function, "_Function", &signatures(function), "    "));
    }
    let (mut unbound, mut methods) = (String::new(), String::new());
    for handle in plan.handles.iter().filter(|handle| !handle.methods.is_empty()) {
        let name = &handle.name;
        let _ = writeln!(unbound, "    class {name}:");
        let _ = writeln!(methods, "    class {name}:");
        for index in &handle.methods {
            let function = &plan.functions[*index];
            let of_class = signatures(function);
            let of_object: Vec<_> = of_class.iter().map(Signature::without_first).collect();
            let base = format!("_Method[_unbound.{name}.{}]", function.name);
            unbound.push_str(&class(function, "_Function", &of_class, "        "));
            methods.push_str(&class(function, &base, &of_object, "        "));
        }
    }
    if functions.is_empty() && methods.is_empty() {
        return;
    }
    text.push_str(FUNCTION);
    if !methods.is_empty() {
        text.push_str(METHOD);
    }
    for (name, classes) in [("_functions", functions), ("_unbound", unbound), ("_methods", methods)]
    {
        if !classes.is_empty() {
            let _ = write!(text, "\nclass {name}:\n{classes}");
        }
    }
    text.push('\n');
}

/// The type of a function, with its calls.
fn class(function: &FunctionPlan, base: &str, signatures: &[Signature], indent: &str) -> String {
    let mut text = format!("{indent}class {}({base}):\n", function.name);
    for signature in signatures {
        let has_self = signature.names().any(|name| name == "self");
        let call = signature.text(if has_self { "_self" } else { "self" });
        if signatures.len() > 1 {
            let _ = writeln!(text, "{indent}    @overload");
        }
        let _ = writeln!(text, "{indent}    def __call__{call}: ...");
    }
    text
}

/// The function, an instance of its type, with its documentation.
pub(super) fn function(function: &FunctionPlan) -> String {
    let name = &function.name;
    let doc = documentation(function);
    let body = if doc.is_empty() {
        " ...".to_owned()
    } else {
        format!("\n    {}", python_docstring(&indented(&doc)))
    };
    format!("@_functions.{name}\ndef {name}(*args: Any, **kwargs: Any) -> Any:{body}\n")
}

/// The method. It is a variable, because stubtest would compare a decorated `def`, whose type is that of a bound
/// method, with the function of the class.
pub(super) fn method(handle: &HandlePlan, function: &FunctionPlan) -> String {
    let name = &function.name;
    let mut text = format!("{name}: Final[_methods.{}.{name}]\n", handle.name);
    let doc = documentation(function);
    if !doc.is_empty() {
        let _ = writeln!(text, "{}", python_docstring(&doc));
    }
    text
}

/// The docstring that the function has at run time.
fn documentation(function: &FunctionPlan) -> String {
    without_signature(&docs::docstring(function))
}

//! The namespaces of a module: `explain`, `op` and `signature`, with a member for each function.
//!
//! Reason: a checker finds wrong names there, and an editor completes them. The three have the same members, so one
//! generic class serves all.

use super::functions::of_module;
use fishplate_plan::Plan;
use std::fmt::Write as _;

/// The types of the members.
const MEMBERS: &str = "\
_Member = TypeVar(\"_Member\")

class _Explanation:
    def __call__(self, *args: Any, **kwargs: Any) -> str: ...

class _Op:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

";

/// Each namespace with the type of its members, and its documentation.
const NAMESPACES: [(&str, &str, &str); 3] = [
    (
        "explain",
        "_Explanation",
        "`explain.NAME(...)` reports what a call would do. C is not called.",
    ),
    ("op", "_Op", "`op.NAME(...)` is the call as an op of a graph."),
    (
        "signature",
        "str",
        "The core dimensions of inputs and outputs, as generalized ufuncs write them.",
    ),
];

/// The classes of the namespaces, and the namespaces.
pub(super) fn namespaces(plan: &Plan) -> String {
    if !plan.has_named_functions() {
        return String::new();
    }
    let mut text = MEMBERS.to_owned();
    let mut members = String::new();
    for function in of_module(plan) {
        let _ = writeln!(members, "    {}: _Member", function.name);
    }
    for handle in plan.handles.iter().filter(|handle| !handle.methods.is_empty()) {
        let _ = writeln!(text, "class _About{}(Generic[_Member]):", handle.name);
        for method in &handle.methods {
            let _ = writeln!(text, "    {}: _Member", plan.functions[*method].name);
        }
        text.push('\n');
        let _ = writeln!(members, "    {0}: _About{0}[_Member]", handle.name);
    }
    let _ = writeln!(text, "class _About(Generic[_Member]):\n{members}");
    for (name, member, documentation) in NAMESPACES {
        let name = if is_in_use(plan, name) { format!("__{name}__") } else { name.to_owned() };
        let _ = writeln!(text, "{name}: Final[_About[{member}]]\n\"\"\"{documentation}\"\"\"");
    }
    text
}

/// The interface has this name for something else.
fn is_in_use(plan: &Plan, name: &str) -> bool {
    of_module(plan).any(|one| one.name == name)
        || plan.handles.iter().any(|one| one.name == name)
        || plan.enums.iter().any(|one| one.name.value == name)
        || plan.structs.iter().any(|one| one.name.value == name)
        || plan.constants.iter().any(|one| one.class.is_none() && one.name.value == name)
}

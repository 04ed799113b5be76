//! The signatures of a function, for type checkers.
//!
//! Purpose: translate the overloads of C, and their batches, to overloads of Python.
//! Invariant: none is unreachable: a narrower signature comes before a wider one, and signatures
//! that no type distinguishes (C types that are all `float` in Python, for example) are one
//! signature that returns either.
//! Reason: a type checker takes the first match and refuses the others as unreachable; at run time
//! the dtype decides.

use super::types::{
    Taken, accepted, callable, is_batched, missing_values, returned, takes_arrays, written,
};
use crate::docs::python_default;
use fishplate_plan::{Call, FunctionPlan, Parameter, ParameterKind, Shown, Variable};

/// The parameters of a function, and its result.
#[derive(Clone)]
pub(super) struct Signature {
    parameters: Vec<Typed>,
    /// The types of the result: a union.
    returned: Vec<String>,
}

/// A parameter with its type.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Typed {
    name: String,
    accepts: String,
    default: Option<String>,
    by_keyword: bool,
}

/// Number and sequence are distinguished if there are several signatures: for a type checker a
/// number is array-like too.
const ARRAY: &str = "npt.NDArray[Any] | Sequence[Any]";

/// All signatures, each reachable.
pub(super) fn signatures(function: &FunctionPlan) -> Vec<Signature> {
    let several = function.calls.len() > 1;
    let array_like = if several { ARRAY } else { "npt.ArrayLike" };
    let mut arranged = Vec::new();
    // Exact matches come first, as at run time.
    if several {
        for call in &function.calls {
            let result = batches(call).filter(|_| takes_arrays(call)).unwrap_or(Taken::Exact);
            add(signature(call, Taken::Exact, result, array_like), &mut arranged);
        }
    }
    for call in &function.calls {
        let batch = batches(call);
        // With an array as parameter, a type checker cannot distinguish a single call from a batch.
        if batch.is_none() || !takes_arrays(call) {
            add(signature(call, Taken::Item, Taken::Item, array_like), &mut arranged);
        }
        if let Some(taken) = batch {
            add(signature(call, taken, taken, array_like), &mut arranged);
        }
    }
    // A signature with the same result as a wider one after it is omitted.
    for index in (0..arranged.len()).rev() {
        let same = |later: &&Signature| later.returned == arranged[index].returned;
        let mut later = arranged[index + 1..].iter().take_while(same);
        if later.any(|later| later.covers(&arranged[index])) {
            arranged.remove(index);
        }
    }
    arranged
}

/// The parameters of a batched call; `None` if it has none.
fn batches(call: &Call) -> Option<Taken> {
    let mapped = call.mapped.as_ref()?;
    let some = call.parameters.iter().any(|parameter| {
        !is_for_batches(call, parameter) && is_batched(call.variable(parameter.variable))
    });
    (some && (mapped.broadcast || mapped.ragged.is_some()))
        .then_some(Taken::Batch { ragged: mapped.ragged.is_some() })
}

/// The type of an output buffer.
fn buffer(variable: &Variable) -> String {
    match variable.any_array() {
        Some(any) if any.dtypes.is_some() => "_Written[Any]".to_owned(),
        _ => written(&variable.ctype),
    }
}

/// An output buffer for numbers, which only a batch has.
fn is_for_batches(call: &Call, parameter: &Parameter) -> bool {
    let variable = call.variable(parameter.variable);
    parameter.kind == ParameterKind::Buffer && !variable.is_array()
}

fn signature(call: &Call, taken: Taken, result: Taken, array_like: &str) -> Signature {
    let is_batch = matches!(result, Taken::Batch { .. });
    let typed = |parameter: &Parameter| {
        let variable: &Variable = call.variable(parameter.variable);
        let callback = call.callback_of(parameter.variable).map(callable);
        let accepts = || callback.clone().unwrap_or_else(|| accepted(variable, taken, array_like));
        let (accepts, default) = match parameter.kind {
            ParameterKind::Required => (accepts(), None),
            ParameterKind::Optional if callback.is_some() => (accepts(), Some("None".to_owned())),
            ParameterKind::Optional => (accepts(), Some(python_default(variable))),
            // For several batches, no type of a checker distinguishes the overloads.
            ParameterKind::Buffer if array_like == ARRAY && is_for_batches(call, parameter) => {
                ("_Written[Any]".to_owned(), Some("None".to_owned()))
            }
            ParameterKind::Buffer => (buffer(variable), Some("None".to_owned())),
        };
        let missing = match parameter.kind {
            ParameterKind::Optional => missing_values(variable, taken),
            _ => String::new(),
        };
        let none = if default.is_some() && accepts != "Any" { " | None" } else { "" };
        Typed {
            name: parameter.name.clone(),
            accepts: accepts + &missing + none,
            default,
            by_keyword: parameter.kind == ParameterKind::Buffer,
        }
    };
    Signature {
        parameters: call
            .shown_parameters()
            .into_iter()
            .filter_map(|shown| match shown {
                Shown::Sparse(one) => Some(Typed {
                    name: one.name.clone(),
                    accepts: "_Sparse".to_owned(),
                    default: None,
                    by_keyword: false,
                }),
                Shown::Parameter(_, parameter) => {
                    let fits = is_batch || !is_for_batches(call, parameter);
                    fits.then(|| typed(parameter))
                }
            })
            .collect(),
        returned: vec![returned(call, result)],
    }
}

/// Adds a signature before those that accept all its arguments.
fn add(new: Signature, arranged: &mut Vec<Signature>) {
    if let Some(same) = arranged.iter_mut().find(|old| old.covers(&new) && new.covers(old)) {
        for one in new.returned {
            if !same.returned.contains(&one) {
                same.returned.push(one);
            }
        }
        return;
    }
    let at = arranged.iter().position(|old| old.covers(&new)).unwrap_or(arranged.len());
    arranged.insert(at, new);
}

impl Signature {
    /// `(self, x: npt.ArrayLike, *, y: npt.NDArray[np.float64] | None = None) -> float`; `first` is a
    /// parameter before all others.
    pub(super) fn text(&self, first: Option<&str>) -> String {
        let (parameters, returned) = self.parts(first);
        format!("({parameters}) -> {returned}")
    }

    /// Parameters and result.
    pub(super) fn parts(&self, first: Option<&str>) -> (String, String) {
        let mut parts: Vec<String> = first.map(str::to_owned).into_iter().collect();
        let mut by_keyword = false;
        for Typed { name, accepts, default, by_keyword: keyword } in &self.parameters {
            if *keyword && !by_keyword {
                parts.push("*".to_owned());
                by_keyword = true;
            }
            let default = default.as_ref().map(|of| format!(" = {of}")).unwrap_or_default();
            parts.push(format!("{name}: {accepts}{default}"));
        }
        (parts.join(", "), self.returned())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str())
    }

    /// The same without the object of a method.
    pub(super) fn without_first(&self) -> Self {
        let parameters = self.parameters.iter().skip(1).cloned().collect();
        Self { parameters, returned: self.returned.clone() }
    }

    /// So many positional arguments are a call.
    pub(super) fn accepts(&self, count: usize) -> bool {
        let required = self.parameters.iter().filter(|one| one.default.is_none()).count();
        let positional = self.parameters.iter().filter(|one| !one.by_keyword).count();
        (required..=positional).contains(&count)
    }

    /// The same for a call with so many positional arguments.
    pub(super) fn first_parameters(&self, count: usize) -> Self {
        let typed = |one: &Typed| Typed { default: None, ..one.clone() };
        let parameters = self.parameters.iter().take(count).map(typed).collect();
        Self { parameters, returned: self.returned.clone() }
    }

    fn returned(&self) -> String {
        if self.returned.iter().any(|one| one == "Any") {
            return "Any".to_owned();
        }
        self.returned.join(" | ")
    }

    /// It accepts every call that the other accepts.
    fn covers(&self, other: &Self) -> bool {
        let (ours, others) = (&self.parameters, &other.parameters);
        let paired = ours.iter().zip(others).all(|(our, other)| {
            our.name == other.name
                && our.by_keyword == other.by_keyword
                && (our.default.is_some() || other.default.is_none())
                && covers(&our.accepts, &other.accepts)
        });
        paired
            && ours.len() >= others.len()
            && ours[others.len()..].iter().all(|our| our.default.is_some())
    }
}

/// Whether every value of the type `narrow` is one of the type `wide`, for the types in stubs.
fn covers(wide: &str, narrow: &str) -> bool {
    const NUMBERS: [&str; 4] = ["_Bool", "_Int", "_Float", "_Complex"];
    let number = |of: &str| NUMBERS.iter().position(|one| *one == of);
    let one = |wide: &str, narrow: &str| {
        let sequence = narrow.starts_with("Sequence[") || narrow.starts_with("tuple[");
        let array = narrow.starts_with("npt.NDArray[");
        match wide {
            _ if wide == narrow => true,
            "Any" => true,
            "npt.ArrayLike" => {
                let bytes = ["str", "bytes", "bytearray", "memoryview"].contains(&narrow);
                sequence || array || bytes || number(narrow).is_some()
            }
            "npt.NDArray[Any]" => array,
            "Sequence[Any]" => sequence || ["str", "bytes"].contains(&narrow),
            _ => number(wide) >= number(narrow) && number(narrow).is_some(),
        }
    };
    let members = |of: &str| split(of);
    members(narrow).iter().all(|narrow| members(wide).iter().any(|wide| one(wide, narrow)))
}

/// The members of a union; those within brackets belong to one member.
fn split(of: &str) -> Vec<String> {
    let mut members = vec![String::new()];
    let mut depth = 0_usize;
    for c in of.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if c == '|' && depth == 0 {
            members.push(String::new());
        } else if let Some(last) = members.last_mut() {
            last.push(c);
        }
    }
    members.iter().map(|member| member.trim().to_owned()).collect()
}

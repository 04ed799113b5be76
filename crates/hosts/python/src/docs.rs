//! The output of `help()` and `inspect.signature`.

use crate::kinds::kind;
use fishplate_emit::c_string;
use fishplate_model::{Intent, Kind, Scalar, ScalarClass};
use fishplate_plan::{
    Call, FunctionPlan, HandlePlan, Mapped, Output, ParameterKind, Shown, SparseParameter, Variable,
};
use std::fmt::Write as _;

/// `x, k=3, *, y=None`
pub(crate) fn parameter_list(call: &Call) -> String {
    call.parameter_list(|parameter, variable| {
        let name = &parameter.name;
        match parameter.kind {
            ParameterKind::Required => name.clone(),
            ParameterKind::Optional => format!("{name}={}", python_default(variable)),
            ParameterKind::Buffer => format!("{name}=None"),
        }
    })
}

/// The same for a method: Python passes the object first, and `inspect` leaves `$self` out where it is bound.
fn parameters_of(call: &Call, is_method: bool) -> String {
    let list = parameter_list(call);
    match list.split_once(", ") {
        _ if !is_method => list,
        Some((_, others)) => format!("$self, {others}"),
        None => "$self".to_owned(),
    }
}

/// `matvec(a, x, *, y=None)`, as in error messages.
pub(crate) fn call_text(function: &str, call: &Call) -> String {
    format!("{function}({})", parameter_list(call))
}

/// `cos(x: float64[n], *, y=None) -> float64[n]`, as in the list of overloads.
pub(crate) fn typed_signature(function: &str, call: &Call) -> String {
    let parameters = call.parameter_list(|parameter, variable| {
        let typed = format!("{}: {}", parameter.name, variable.type_text());
        match parameter.kind {
            ParameterKind::Required => typed,
            ParameterKind::Optional => format!("{typed} = {}", python_default(variable)),
            ParameterKind::Buffer => format!("{typed} = None"),
        }
    });
    format!("{function}({parameters}) -> {}", result_text(call))
}

/// The same, with the layouts that it accepts if these are restricted.
pub(crate) fn overload_text(function: &str, call: &Call) -> String {
    let text = typed_signature(function, call);
    match call.kinds.as_slice() {
        [Kind::C] => format!("{text} for C-contiguous arrays"),
        [Kind::Fortran] => format!("{text} for F-contiguous arrays"),
        _ => text,
    }
}

/// The core dimensions of required parameters and results, in the notation of generalized ufuncs:
/// `(m,n),(n)->(m)`. A computed dimension has a name of its own.
pub(crate) fn core_signature(call: &Call) -> String {
    let mut computed: Vec<String> = Vec::new();
    let mut core = |variable: &Variable| {
        let dimensions: Vec<String> = variable
            .shape()
            .unwrap_or(&[])
            .iter()
            .map(|dimension| {
                if let Some(name) = dimension.as_name() {
                    return name.to_owned();
                }
                let text = dimension.shown().to_string();
                if text.chars().all(|c| c.is_ascii_digit()) {
                    return text;
                }
                let at = computed.iter().position(|other| *other == text).unwrap_or_else(|| {
                    computed.push(text);
                    computed.len() - 1
                });
                format!("dim{at}")
            })
            .collect();
        format!("({})", dimensions.join(","))
    };
    let inputs: Vec<String> = call
        .parameters
        .iter()
        .filter(|parameter| parameter.kind == ParameterKind::Required)
        .map(|parameter| core(call.variable(parameter.variable)))
        .collect();
    let outputs: Vec<String> = call
        .outputs
        .iter()
        .map(|output| match output {
            Output::Argument(index) => core(&call.variables[*index]),
            Output::Result => "()".to_owned(),
        })
        .collect();
    format!("{}->{}", inputs.join(","), outputs.join(","))
}

fn result_text(call: &Call) -> String {
    let types: Vec<String> =
        call.outputs.iter().map(|output| call.describe_output(*output).1).collect();
    match types.as_slice() {
        [] => "None".to_owned(),
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// The default in Python: a literal if it is one, else None, which selects it.
pub(crate) fn python_default(variable: &Variable) -> String {
    let literal = variable.default.as_ref().and_then(|default| default.as_literal());
    let Some(literal) = literal else { return "None".to_owned() };
    // A parameter that is written back needs a mutable object, not a literal.
    if variable.rank() > 0 || variable.intent.writes_caller() {
        return "None".to_owned();
    }
    kind(variable).literal(literal).unwrap_or_else(|| "None".to_owned())
}

/// A C number as a Python number of the same value, if that is simple.
pub(crate) fn python_literal(text: &str, scalar: Scalar) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.starts_with("0x") || digits.starts_with("0X") || digits.starts_with('\'') {
        return None;
    }
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L', 'f', 'F']);
    match scalar.class() {
        ScalarClass::Bool => match digits {
            "0" => Some("False".to_owned()),
            _ => Some("True".to_owned()),
        },
        ScalarClass::Signed | ScalarClass::Unsigned => {
            // A leading zero means octal in C and is an error in Python.
            let plain = digits == "0" || !digits.starts_with('0');
            (plain && digits.parse::<u64>().is_ok()).then(|| format!("{sign}{digits}"))
        }
        ScalarClass::Float | ScalarClass::Complex => {
            let value: f64 = digits.parse().ok()?;
            Some(format!("{sign}{value:?}"))
        }
    }
}

/// The whole docstring, with the signature line that `inspect` reads.
pub(crate) fn docstring(function: &FunctionPlan, is_method: bool) -> String {
    full_docstring(function, &function.name, is_method, true)
}

fn full_docstring(function: &FunctionPlan, name: &str, is_method: bool, returns: bool) -> String {
    let lists: Vec<String> =
        function.calls.iter().map(|call| parameters_of(call, is_method)).collect();
    let signature = if lists.iter().all(|list| *list == lists[0]) {
        lists[0].clone()
    } else {
        format!("{}*args, **kwargs", if is_method { "$self, " } else { "" })
    };
    let head = format!("{name}({signature})\n--\n\n");
    let mut text = function.doc.trim().to_owned();
    if let [call] = function.calls.raw.as_slice() {
        describe(function, call, is_method, returns, &mut text);
    } else {
        text.push_str("\n\nOverloads, chosen by exact type first, then by safe cast, in order:\n");
        for call in &function.calls {
            let _ = write!(text, "\n    {}", typed_signature(&function.full_name(), call));
        }
        describe_overloads(function, is_method, returns, &mut text);
    }
    notes(function, &mut text);
    // `inspect` wants the blank line after the signature even where nothing follows.
    format!("{head}{}", text.trim())
}

/// The docstring of a class: that of its constructor, if it has one.
pub(crate) fn class_docstring(handle: &HandlePlan) -> String {
    match &handle.constructor {
        // The result of calling a class needs no description.
        Some(constructor) => full_docstring(constructor, &constructor.name, false, false),
        None => handle.doc.trim().to_owned(),
    }
}

/// The sentence about broadcasting.
fn notes(function: &FunctionPlan, text: &mut String) {
    let batched: Vec<&Call> = function.calls.iter().filter(|call| call.mapped.is_some()).collect();
    let [first, ..] = batched.as_slice() else { return };
    let mapped =
        |of: fn(&Mapped) -> bool| batched.iter().any(|call| call.mapped.as_ref().is_some_and(of));
    let mut notes = Vec::new();
    if mapped(|mapped| mapped.broadcast) {
        notes.push(match batched.len() {
            1 => format!(
                "Broadcasts: arguments may have leading dimensions besides those of the core signature\n\
                 ``{}``, and the result has them then, as with NumPy's generalized ufuncs.",
                core_signature(first)
            ),
            _ => "Broadcasts: arguments may have leading dimensions besides their own, and the result has\n\
                  them then, as with NumPy's generalized ufuncs."
                .to_owned(),
        });
    }
    if mapped(|mapped| mapped.ragged.is_some()) {
        notes.push("Takes ragged arrays: each list of them is one call of C.".to_owned());
    }
    if !notes.is_empty() {
        let _ = write!(text, "\n\nNotes\n-----\n{}", notes.join("\n"));
    }
}

fn describe(
    function: &FunctionPlan,
    call: &Call,
    is_method: bool,
    returns: bool,
    text: &mut String,
) {
    // The object is not a parameter of its own methods.
    let shown = call.shown_parameters().into_iter().skip(usize::from(is_method));
    let mut parameters = shown.peekable();
    if parameters.peek().is_some() {
        text.push_str("\n\nParameters\n----------\n");
        for shown in parameters {
            let parameter = match shown {
                Shown::Parameter(_, parameter) => parameter,
                Shown::Sparse(SparseParameter { name, format, .. }) => {
                    let _ = writeln!(
                        text,
                        "{name} : sparse matrix or array of format {}",
                        format.name()
                    );
                    continue;
                }
            };
            let variable = call.variable(parameter.variable);
            let mut of = parameter_description(variable, parameter.kind);
            if let Some(callback) = call.callback_of(parameter.variable) {
                of = of.replacen("function", &format!("function {}", callback.type_text()), 1);
            }
            let _ = writeln!(text, "{} : {of}", parameter.name);
            // An output buffer has the description of its output.
            if parameter.kind != ParameterKind::Buffer {
                add_description(function, &variable.name, text);
            }
        }
    }
    if returns && !call.outputs.is_empty() {
        // There is a blank line after the interface's documentation, whether or not parameters
        // follow.
        text.truncate(text.trim_end().len());
        text.push_str("\n\nReturns\n-------\n");
        for output in &call.outputs {
            let (name, of) = match output {
                Output::Argument(index) => {
                    let variable = &call.variables[*index];
                    (variable.name.clone(), kind(variable).description(variable))
                }
                Output::Result => call.describe_output(*output),
            };
            let _ = writeln!(text, "{name} : {of}");
            add_description(function, &name, text);
        }
    }
}

/// The descriptions of arguments, whose types differ between overloads.
fn describe_overloads(function: &FunctionPlan, is_method: bool, returns: bool, text: &mut String) {
    let skipped = usize::from(is_method);
    let parameters = function.calls.iter().flat_map(|call| {
        let given = call.shown_parameters().into_iter().skip(skipped);
        let given = given.filter_map(|shown| match shown {
            Shown::Parameter(_, parameter) => Some(parameter),
            Shown::Sparse(_) => None,
        });
        let given = given.filter(|parameter| parameter.kind != ParameterKind::Buffer);
        given.map(|parameter| {
            (parameter.name.clone(), call.variable(parameter.variable).name.clone())
        })
    });
    let outputs = function.calls.iter().flat_map(|call| {
        let names = call.outputs.iter().map(|output| call.describe_output(*output).0);
        names.map(|name| (name.clone(), name))
    });
    let sections = [
        ("Parameters", parameters.collect::<Vec<_>>()),
        ("Returns", outputs.filter(|_| returns).collect()),
    ];
    for (title, names) in sections {
        let mut described: Vec<(String, String)> = Vec::new();
        for pair in names {
            if function.description(&pair.1).is_some() && !described.contains(&pair) {
                described.push(pair);
            }
        }
        if described.is_empty() {
            continue;
        }
        text.truncate(text.trim_end().len());
        let _ = writeln!(text, "\n\n{title}\n{}", "-".repeat(title.len()));
        for (shown, name) in described {
            let _ = writeln!(text, "{shown}");
            add_description(function, &name, text);
        }
    }
}

/// The interface's description of an argument, below its line.
fn add_description(function: &FunctionPlan, name: &str, text: &mut String) {
    let lines = function.description(name).unwrap_or_default().trim().lines();
    for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
        let _ = writeln!(text, "    {line}");
    }
}

fn parameter_description(variable: &Variable, given: ParameterKind) -> String {
    let mut text = kind(variable).description(variable);
    match variable.intent {
        Intent::InPlace | Intent::InPlaceAndOut => text.push_str(", changed in place"),
        Intent::InOut | Intent::InOutAndOut => {
            text.push_str(if variable.rank() > 0 {
                ", contiguous, changed in place"
            } else {
                ", changed in place"
            });
        }
        Intent::InAndOut if variable.rank() > 0 => text.push_str(", copied"),
        _ => {}
    }
    match given {
        ParameterKind::Required => {}
        ParameterKind::Optional if variable.nullable => text.push_str(", optional"),
        ParameterKind::Optional => {
            if let Some(default) = &variable.default {
                let _ = write!(text, ", optional (default {default})");
            }
        }
        ParameterKind::Buffer if variable.rank() == 0 => {
            text = format!("array of {text}, optional: where to write the results of a batch");
        }
        ParameterKind::Buffer => text.push_str(", optional: where to write the result"),
    }
    text
}

/// A docstring as adjacent C string literals, one per line.
pub(crate) fn c_docstring(text: &str) -> String {
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    text.split_inclusive('\n').map(c_string).collect::<Vec<_>>().join("\n")
}

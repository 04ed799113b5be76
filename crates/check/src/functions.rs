//! Mistakes in a function as a whole: names, results, overloads that no call reaches.

use crate::convention::Convention;
use crate::kinds::{check_capacities, is_return_code, out_pointer};
use crate::names::{Constants, Positions, suggestion};
use crate::resolve::{Classes, Scope};
use crate::{Capabilities, CheckedFunction, CheckedOverload, Gil, Output, Resolved, Returns, Role};
use crate::{
    any_arrays, arguments, callbacks, classes, consumed, devices, expressions, freeing, has_result,
    items, jagged, layouts, lengths, operators, order, query, restricted, retained, roles, safety,
    sparse, stored, terminators, unpacked, values,
};
use fishplate_model::{
    Argument, CResult, CType, Code, Diagnostic, Function, Intent, Overload, Passing, PerArgument,
    Safety, Scalar, Spanned, Type, VariableId,
};
use std::collections::{HashMap, HashSet};

/// Checks one function; `None` when an overload is too broken to go on with.
pub(crate) fn check(
    function: &Function,
    host: &Capabilities,
    classes: Classes<'_>,
    constants: &Constants<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<CheckedFunction> {
    let overloads: Vec<CheckedOverload> = function
        .overloads
        .iter()
        .filter_map(|overload| {
            check_overload(overload, function, host, classes, constants, diagnostics)
        })
        .collect();
    report_unreachable(&overloads, diagnostics);
    if let (Some(returns), true) = (&function.returns, overloads.len() == function.overloads.len())
    {
        report_unknown_returns(returns, function, &overloads, diagnostics);
    }
    report_unsupported(function, host, diagnostics);
    report_locks(function, diagnostics);
    report_idle_work(function, diagnostics);
    safety::report_idle_threads(function, classes.0, diagnostics);
    devices::check(function, &overloads, diagnostics);
    let sparse = match overloads.len() == function.overloads.len() {
        true => sparse::read(function, &overloads, diagnostics),
        false => Vec::new(),
    };
    let operators = operators::resolve(function, &overloads, diagnostics);
    (!overloads.is_empty()).then(|| CheckedFunction {
        operators,
        is_property: function.property.is_some(),
        name: function.name.value.clone(),
        class: function.class.as_ref().and_then(|class| classes.class(class)),
        doc: function.doc.clone(),
        descriptions: function.descriptions.clone(),
        gil: function.gil,
        work: function.work.clone(),
        ellipses: function.ellipses,
        safety: function.safety,
        threads: function.threads,
        device: function.device,
        query: function.query.clone(),
        sparse,
        pre_call: function.pre_call.clone(),
        post_call: function.post_call.clone(),
        overloads,
    })
}

/// Work that decides nothing.
fn report_idle_work(function: &Function, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(work) = &function.work
        && function.gil != Gil::Auto
    {
        diagnostics.push(Diagnostic::error(
            Code::WRONG_VALUE,
            work.span,
            "`work` says when the GIL is released, and `gil` says it, too",
            "remove one of the two",
        ));
    }
}

/// Features of the function that the host lacks.
fn report_unsupported(function: &Function, host: &Capabilities, diagnostics: &mut Vec<Diagnostic>) {
    if !host.devices.contains(&function.device) {
        diagnostics.push(Diagnostic::error(
            Code::UNSUPPORTED,
            function.name.span,
            format!("{} has no arrays on the device `{}`", host.host, function.device.name()),
            "remove `device`: arrays are then in the CPU's memory",
        ));
    }
}

/// The GIL cannot be released and also serialise calls.
fn report_locks(function: &Function, diagnostics: &mut Vec<Diagnostic>) {
    if (function.safety, function.gil) == (Some(Safety::Gil), Gil::Release) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_QUALIFIERS,
            function.name.span,
            format!("`{}` releases the lock that serialises its calls", function.name.value),
            "remove `gil = \"release\"`, or write `threads = \"module-lock\"`",
        ));
    }
}

fn check_overload(
    overload: &Overload,
    function: &Function,
    host: &Capabilities,
    classes: Classes<'_>,
    constants: &Constants<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<CheckedOverload> {
    let before = diagnostics.len();
    report_duplicates(overload, host, diagnostics);
    report_several_return_codes(overload, diagnostics);
    if let CResult::Status(status) = &overload.result
        && !is_return_code(status)
    {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            status.span,
            format!("a status is an integer, a `bool` or a string, not {}", status.spelling),
            "drop `status` to return the value",
        ));
    }
    let mut intents: PerArgument<Intent> = overload
        .arguments
        .iter()
        .map(|argument| {
            let intent = arguments::intent(argument, diagnostics);
            arguments::check(argument, intent, diagnostics);
            intent
        })
        .collect();
    jagged::check(function, overload, &mut intents, diagnostics);
    any_arrays::check(function, overload, &mut intents, classes, diagnostics);
    out_pointer::check(overload, &intents, classes, diagnostics);
    check_capacities(overload, &intents, diagnostics);
    unpacked::check(overload, diagnostics);
    classes::check(overload, &intents, function.ellipses, host, diagnostics);
    restricted::check(function, overload, diagnostics);
    consumed::check(overload, classes, diagnostics);
    freeing::check(overload, constants, diagnostics);
    stored::check(overload, classes, diagnostics);
    values::check(function, overload, &intents, diagnostics);
    terminators::check(function, overload, &intents, classes, diagnostics);
    retained::check_overload(function, overload, &intents, diagnostics);
    callbacks::check_overload(function, overload, classes, diagnostics);
    let roles = roles::assign(overload, &intents, &sparse::sizes(function));
    let positions = Positions::of(&overload.arguments);
    expressions::check(function, overload, &intents, &roles, constants, diagnostics);
    query::check(function, overload, &intents, &roles, diagnostics);
    let order = order::sort(&overload.arguments, &roles, &positions, diagnostics);
    let kinds = layouts::resolve_kinds(overload, diagnostics);
    let own = items::own(&overload.arguments, &intents, &roles, &positions);
    if function.ellipses.maps() {
        items::check(overload, &intents, &own, diagnostics);
    }
    if diagnostics[before..].iter().any(Diagnostic::is_error) {
        return None;
    }
    if function.ellipses.ragged {
        items::check_ragged(&overload.arguments, &intents, &roles, diagnostics);
    }
    warn_of_lost_arrays(overload, &roles, diagnostics);
    devices::check_arguments(function.device, &overload.arguments, &intents, diagnostics);
    let convention = Convention::of(overload, function, classes.0);
    let outputs = outputs(overload, &intents, function, convention.as_ref());
    let by_argument = overload.arguments.keys().find(|i| overload.arguments[*i].status.is_some());
    let result = matches!(overload.result, CResult::Status(_)).then_some(Output::Result);
    let mut strided = expressions::strided_axes(overload);
    let scope = Scope { classes, arguments: &overload.arguments };
    let arguments: Option<Vec<Resolved>> = overload
        .arguments
        .iter()
        .zip(intents)
        .zip(roles)
        .zip(own)
        .map(|(((argument, intent), role), own)| {
            let strided = strided.remove(argument.name.value.as_str()).unwrap_or_default();
            let mut variable = scope.argument(argument, intent, strided)?;
            variable.own |= own;
            Some(Resolved {
                variable,
                role,
                invalidates: argument.invalidates.is_some(),
                retention: scope.retention(&argument.retention),
                consumed: argument.consumed.as_ref().map(|when| when.value),
                values: values::rule(argument, intent),
                length: lengths::after(overload, argument, intent, function.ellipses, &positions),
            })
        })
        .collect();
    Some(CheckedOverload {
        text: overload.text.clone(),
        span: overload.span,
        c_name: overload.c_name.value.clone(),
        callee: overload.callee,
        result: scope.result(&overload.result)?,
        return_code: by_argument.map(Output::Argument).or(result),
        convention,
        arguments: arguments?.into(),
        unpacked: overload.unpacked.clone(),
        adapter: overload.adapter.clone(),
        order,
        outputs,
        kinds,
        queried: function.query.iter().flat_map(|query| query::sets(query, overload)).collect(),
        safety: Safety::Safe,
    })
}

/// `double mean(const double *x, size_t n)` is read as one number and a count that nothing uses: most
/// likely the shape was forgotten, and C would read past the number.
fn warn_of_lost_arrays(
    overload: &Overload,
    roles: &PerArgument<Role>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let arguments = &overload.arguments;
    let shapes = arguments.iter().filter_map(Argument::shape);
    let in_shapes: HashSet<&str> =
        shapes.flatten().flat_map(|dimension| dimension.names()).map(|(used, _)| used).collect();
    let count = arguments.iter().zip(roles).find(|(argument, role)| {
        argument.passing == Passing::Value
            && **role == Role::Required
            && argument.ctype.number().is_some_and(Scalar::is_integer)
            && !in_shapes.contains(argument.name.value.as_str())
    });
    let Some((count, _)) = count else { return };
    for argument in arguments {
        let is_number = argument.ctype.number().is_some();
        if argument.passing == Passing::Pointer && argument.intent.is_none() && is_number {
            let (name, count) = (&argument.name.value, &count.name.value);
            diagnostics.push(
                Diagnostic::warning(
                    Code::LOOKS_LIKE_ARRAY,
                    argument.span,
                    format!("`{name}` is a pointer to one number"),
                    format!(
                        "for an array write its shape: `{name}[{count}]`; for one number, `in`"
                    ),
                )
                .label("is this an array?"),
            );
        }
    }
}

/// A call has one return code.
fn report_several_return_codes(overload: &Overload, diagnostics: &mut Vec<Diagnostic>) {
    let result = match &overload.result {
        CResult::Status(ctype) => Some(ctype.span),
        CResult::Value(_) | CResult::Pointer(_) | CResult::Void => None,
    };
    let mut places = result.into_iter().chain(overload.arguments.iter().filter_map(|a| a.status));
    if let (Some(first), Some(second)) = (places.next(), places.next()) {
        diagnostics.push(
            Diagnostic::error(
                Code::BAD_QUALIFIERS,
                second,
                "a C function has one return code",
                "write `out` for the other value: it is then returned",
            )
            .also(first, "the first"),
        );
    }
}

/// Two arguments of one name, in C, or in the target language after renaming.
fn report_duplicates(overload: &Overload, host: &Capabilities, diagnostics: &mut Vec<Diagnostic>) {
    let mut earlier: HashMap<String, &Argument> = HashMap::new();
    for argument in &overload.arguments {
        let name = host.parameter_name(&argument.name.value);
        let first = *earlier.entry(name.clone()).or_insert(argument);
        if std::ptr::eq(first, argument) {
            continue;
        }
        let renamed = |argument: &Argument| argument.name.value != name;
        let (message, label) = if renamed(first) || renamed(argument) {
            let word = if renamed(first) { first } else { argument };
            (
                format!("two arguments are called `{name}` in {}", host.host),
                format!(
                    "`{}` is a word of {}, so it is called `{name}`",
                    word.name.value, host.host
                ),
            )
        } else {
            (format!("two arguments are called `{name}`"), "first here".to_owned())
        };
        diagnostics.push(
            Diagnostic::error(
                Code::DUPLICATE_NAME,
                argument.name.span,
                message,
                "rename one of the arguments",
            )
            .label("again")
            .also(first.name.span, label),
        );
    }
}

/// The results in order: as `returns` lists them, else the output arguments and then the C result.
/// A return code is a result only if `returns` lists it.
fn outputs(
    overload: &Overload,
    intents: &PerArgument<Intent>,
    function: &Function,
    convention: Option<&Convention>,
) -> Vec<Output> {
    let returns = function.returns.as_deref();
    let is_status = matches!(overload.result, CResult::Status(_));
    let is_length = |index: &VariableId| {
        let name = &overload.arguments[*index].name.value;
        overload.adapter.as_ref().is_some_and(|adapter| adapter.lengths.contains(name))
    };
    let by_argument =
        intents.keys().filter(|index| intents[*index].is_output() && !is_length(index));
    let has_result = has_result(&overload.result, convention) && (returns.is_some() || !is_status);
    let result = has_result.then_some(Output::Result);
    let all: Vec<Output> = by_argument.map(Output::Argument).chain(result).collect();
    let Some(returns) = returns else { return all };
    let named = |name: &str| {
        all.iter().copied().find(|output| match output {
            Output::Argument(index) => overload.arguments[*index].name.value == name,
            Output::Result => name == "result",
        })
    };
    returns.iter().filter_map(|name| named(&name.value)).collect()
}

/// Every name in `returns` must be an output of some overload, and be listed once.
fn report_unknown_returns(
    returns: &[Spanned<String>],
    function: &Function,
    overloads: &[CheckedOverload],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut known: Vec<&str> = Vec::new();
    for (overload, written) in overloads.iter().zip(&function.overloads) {
        known.extend(
            overload
                .arguments
                .iter()
                .filter(|resolved| resolved.variable.intent.is_output())
                .map(|resolved| resolved.variable.name.as_str()),
        );
        if has_result(&written.result, overload.convention.as_ref()) {
            known.push("result");
        }
    }
    for (index, name) in returns.iter().enumerate() {
        if !known.contains(&name.value.as_str()) {
            let is_status = |one: &CheckedOverload| matches!(one.result, Returns::Status(..));
            if name.value == "result" && overloads.iter().any(is_status) {
                let is_bool =
                    overloads.iter().any(|one| one.result.ctype().is_some_and(CType::is_bool));
                let (value, hint) = match is_bool {
                    true => ("true", "remove it from `returns`"),
                    false => (
                        "0",
                        "declare which values are success, as in `status = { success = \"status >= 0\" }`",
                    ),
                };
                diagnostics.push(Diagnostic::error(
                    Code::BAD_RETURNS,
                    name.span,
                    format!(
                        "the status of a successful call is always {value}, so it is not a result"
                    ),
                    hint,
                ));
                continue;
            }
            diagnostics.push(Diagnostic::error(
                Code::BAD_RETURNS,
                name.span,
                format!("`{}` is not an output", name.value),
                suggestion(&name.value, known.iter().copied()).unwrap_or_else(|| {
                    "name arguments with an `out` intent; the C result is called `result`".into()
                }),
            ));
        } else if let Some(first) = returns[..index].iter().find(|other| other.value == name.value)
        {
            diagnostics.push(
                Diagnostic::error(
                    Code::BAD_RETURNS,
                    name.span,
                    format!("`{}` is returned twice", name.value),
                    "name each output once",
                )
                .also(first.span, "first here"),
            );
        }
    }
}

/// The arguments of a call to an overload: one entry per parameter, in the target language's order.
fn shape_of_call(overload: &CheckedOverload) -> Vec<(&Type, usize, bool)> {
    let visible = |required: bool| {
        overload.arguments.iter().filter(move |resolved| match resolved.role {
            Role::Required => required,
            Role::Optional => !required,
            Role::Found(_) | Role::Made => false,
        })
    };
    visible(true)
        .chain(visible(false))
        .map(|resolved| {
            let variable = &resolved.variable;
            (&variable.ctype.what, variable.rank(), resolved.role == Role::Required)
        })
        .collect()
}

fn report_unreachable(overloads: &[CheckedOverload], diagnostics: &mut Vec<Diagnostic>) {
    for (index, later) in overloads.iter().enumerate() {
        let call = shape_of_call(later);
        let names = |overload: &CheckedOverload| -> Vec<String> {
            overload.arguments.iter().map(|one| one.variable.name.clone()).collect()
        };
        let earlier = overloads[..index].iter().find(|earlier| {
            let other = shape_of_call(earlier);
            other.len() == call.len()
                && names(earlier) == names(later)
                && later.kinds.iter().all(|kind| earlier.kinds.contains(kind))
                && other
                    .iter()
                    .zip(&call)
                    .all(|(a, b)| a.0.is_like(b.0) && a.1 == b.1 && a.2 == b.2)
        });
        if let Some(earlier) = earlier {
            diagnostics.push(
                Diagnostic::warning(
                    Code::UNREACHABLE,
                    later.span,
                    "no call can reach this overload",
                    "remove it, or change its arguments so that calls can distinguish the two",
                )
                .also(earlier.span, "this one accepts the same arguments"),
            );
        }
    }
}

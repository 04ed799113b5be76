//! Plans in words: the output of `fishplate explain`.

use crate::{
    Absent, Access, Acquire, BatchStep, Call, CallbackPlan, Data, ErrorValue, FunctionPlan, Keeper,
    List, Listed, Mapped, Memory, Ownership, Parameter, ParameterKind, Release, Retention, Returns,
    Step, Variable,
};
use fishplate_check::{Output, Words};
use fishplate_model::{
    CType, Device, Expr, ExprKind, Kind, NewObject, OverloadId, StatusTest, Threads, VariableId,
};
use std::fmt::Write as _;

/// The crossing of each argument of a function, and the order in which overloads are tried, in the
/// terms of one host.
pub fn explain(function: &FunctionPlan, words: &Words) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", function.full_name());
    if function.calls.len() > 1 {
        explain_dispatch(function, &mut text);
    }
    for (index, call) in function.calls.iter().enumerate() {
        let label = if function.calls.len() > 1 {
            format!("overload {} ", index + 1)
        } else {
            String::new()
        };
        let _ = writeln!(text, "\n  {label}{}", call.prototype);
        let _ =
            writeln!(text, "    call as  {}({})", function.full_name(), parameters(call, words));
        let kinds: Vec<&str> = call.kinds.iter().map(|kind| kind.name()).collect();
        let _ = writeln!(text, "    kinds    {}", kinds.join(", "));
        for step in &call.steps {
            let described = describe(call, step, words);
            if !described.is_empty() {
                let _ = writeln!(text, "    {described}");
            }
        }
        let _ = writeln!(text, "    return   {}", outputs(call, words));
        if let Some(mapped) = &call.mapped {
            let _ = writeln!(text, "    map      {}", map_text(call, mapped));
        }
    }
    text
}

fn explain_dispatch(function: &FunctionPlan, text: &mut String) {
    let list = |overloads: &[OverloadId]| {
        let numbers = overloads.iter().map(|overload| (usize::from(*overload) + 1).to_string());
        numbers.collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(
        text,
        "  chosen by the number of values, then by their types and layouts (each looked at once);"
    );
    let _ = writeln!(
        text,
        "  exact types before safe casts, then by kind (C for arrays that are all C-contiguous,"
    );
    let _ =
        writeln!(text, "  Fortran for all F-contiguous, else Strided), then in the order written:");
    for arm in &function.dispatch.arms {
        let s = if arm.count == 1 { "" } else { "s" };
        let _ = writeln!(text, "    {} value{s}: overload {}", arm.count, list(&arm.overloads));
    }
    let differ = function.calls.raw.windows(2).any(|two| two[0].kinds != two[1].kinds);
    for kind in Kind::ALL.into_iter().filter(|_| differ) {
        let of_kind: Vec<OverloadId> = function
            .calls
            .keys()
            .filter(|index| function.calls[*index].kinds.contains(&kind))
            .collect();
        if !of_kind.is_empty() {
            let _ = writeln!(text, "    kind {}: overload {}", kind.name(), list(&of_kind));
        }
    }
    for test in &function.dispatch.tests {
        let _ = writeln!(
            text,
            "    value {} as {}: overload {}",
            test.position + 1,
            test.wanted,
            list(&test.overloads)
        );
    }
}

fn parameters(call: &Call, words: &Words) -> String {
    let nothing = words.nothing;
    let show = |parameter: &Parameter, variable: &Variable| {
        let name = &parameter.name;
        match (parameter.kind, &variable.default) {
            (ParameterKind::Required, _) => name.clone(),
            (ParameterKind::Optional, Some(default)) => format!("{name}={default}"),
            (ParameterKind::Optional, None) | (ParameterKind::Buffer, _) => {
                format!("{name}={nothing}")
            }
        }
    };
    if words.keywords {
        return call.parameter_list(show);
    }
    let parameters = call.parameters.iter();
    let shown = parameters.map(|p| show(p, call.variable(p.variable)));
    shown.collect::<Vec<_>>().join(", ")
}

/// `float64`, `float64[m, n]`, `float64[m, n] in Fortran order`
fn type_text(variable: &Variable) -> String {
    let order = if variable.is_fortran() { " in Fortran order" } else { "" };
    variable.type_text() + order
}

fn describe(call: &Call, step: &Step, words: &Words) -> String {
    let named = |verb: &str, index: VariableId, rest: String| {
        format!("{verb:<8} {:<8} {rest}", call.variable(index).name)
    };
    match step {
        Step::Acquire(Acquire { variable, absent, .. }) => {
            let (verb, what) = acquire(call, *variable);
            named(verb, *variable, what + &if_absent(absent, words))
        }
        Step::KeepCallback { variable } => named(
            "retain",
            *variable,
            call.callback_of(*variable)
                .map(|callback| describe_retention(call, &callback.checked.retention))
                .unwrap_or_default(),
        ),
        Step::Retain { variable } => {
            let retained = call.retained.iter().find(|one| one.variable == *variable);
            let until = retained.map(|one| describe_retention(call, &one.retention));
            named("retain", *variable, until.unwrap_or_default())
        }
        Step::Replace { variable } => named("drop", *variable, "of an earlier call".to_owned()),
        Step::DropRetained { .. } => "drop     what was retained until this call".to_owned(),
        Step::SetScalar { variable, value } => named(
            "set",
            *variable,
            value.as_ref().map_or("to zero".to_owned(), |value| format!("to {value}")),
        ),
        Step::FindDimension { variable, places } => {
            let places: Vec<String> = places
                .iter()
                .map(|place| format!("shape({}, {})", call.variables[place.array].name, place.axis))
                .collect();
            named(
                "find",
                *variable,
                format!("from {}, checked for range", places.join(" or else ")),
            )
        }
        Step::MakeArray { variable, memory, buffer } => named(
            "allocate",
            *variable,
            format!(
                "{}{}{}",
                type_text(&call.variables[*variable]),
                if *memory == Memory::Scratch { ", scratch memory" } else { "" },
                buffer.map_or(String::new(), |buffer| format!(
                    ", or the caller's buffer `{}`",
                    call.parameters[buffer].name
                )),
            ),
        ),
        Step::FindLengths { variable, rows } => named("find", *variable, {
            let name = |index: &VariableId| call.variables[*index].name.as_str();
            let all = rows.iter().map(name).collect::<Vec<&str>>().join(" and of ");
            match call.variables[rows[0]].crossing.list() {
                Some(_) => format!("the lengths of {all}, checked for range"),
                None => format!("from the rows of {all}, checked for range"),
            }
        }),
        Step::FindShape { variable, array } => {
            let array = &call.variables[*array].name;
            named("find", *variable, format!("the dimensions of {array}, checked for range"))
        }
        Step::PointToRows { variable } => {
            named("point", *variable, "to each of its rows, for C".to_owned())
        }
        Step::FillArray { variable, value } => {
            named("fill", *variable, format!("each element is {value}"))
        }
        Step::CheckDimension { variable, axis, expected } => named(
            "check",
            *variable,
            match &expected.kind {
                ExprKind::Name(name) => format!("dimension {axis} is {name}"),
                _ => format!("dimension {axis} is {}", expected.shown()),
            },
        ),
        Step::CheckValues { variable, rule } => named("check", *variable, rule.describe()),
        Step::Expect { out_pointer } => match (out_pointer, new_object(call, *out_pointer)) {
            (Output::Argument(index), Some(by)) => named("create", *index, by),
            _ => String::new(),
        },
        Step::Query { query, .. } => format!("ask      {query}"),
        Step::Receive { out_pointer } => receive(call, *out_pointer, words),
        Step::Truncate { variable, length } => {
            named("truncate", *variable, format!("to {length} of the rows, as C has left it"))
        }
        Step::Lock { variables, module } => {
            let names: Vec<&str> =
                variables.iter().map(|index| call.variables[*index].name.as_str()).collect();
            let whose = if *module { "the module".to_owned() } else { names.join(", ") };
            format!("lock     {whose}: no other thread is in C with it until the call is over")
        }
        Step::Invalidate { variable } => {
            named("close", *variable, "the objects borrowed from it, which C destroys".to_owned())
        }
        Step::Consume { variables, destroys } => {
            let names: Vec<&str> =
                variables.iter().map(|index| call.variables[*index].name.as_str()).collect();
            let what = if *destroys { "C destroys it" } else { "C takes over" };
            format!("consume  {}: {what}; refused if anything else uses it", names.join(", "))
        }
        Step::Restore { variable, .. } => {
            named("restore", *variable, "where C failed, it is the caller's again".to_owned())
        }
        Step::Call { release } => {
            let lock = words.lock.map_or(String::new(), |lock| match release {
                Release::Never => format!(", holding {lock}"),
                Release::Always => format!(", without {lock}"),
                Release::WhenLarge(_) => format!(", without {lock} when the arrays are large"),
                Release::ForWork(work) => format!(", without {lock} if the work, {work}, is large"),
            });
            format!("call     {}{lock}", call.c_name)
        }
        Step::CheckStatus { .. } => match call.return_code {
            Some(Output::Argument(index)) => named("check", index, status(call, words)),
            _ => format!("check    status   {}", status(call, words)),
        },
        Step::WriteBack { variable } => {
            let restored = call.variables[*variable].crossing.properties().restored;
            named("restore", *variable, restored.to_owned())
        }
    }
}

/// The acquisition of an argument: a verb and its object.
fn acquire(call: &Call, index: VariableId) -> (&'static str, String) {
    let variable = &call.variables[index];
    let of = type_text(variable);
    let properties = variable.crossing.properties();
    let tables = variable.any_array().and_then(|any| any.dtypes.as_ref());
    match (properties.acquired, tables) {
        _ if variable.crossing.callback().is_some() => ("take", callback(call, index)),
        (Some((verb, how)), _) => (verb, how.replace("{}", &of)),
        (None, Some((table, _))) => {
            let (verb, how) = acquire_array(call, variable);
            let how = how.split(", by a safe cast").collect::<String>();
            let rank = match variable.rank() {
                0 => "of any rank, and ".to_owned(),
                rank => format!("{rank}-D, and "),
            };
            (verb, format!("{rank}of a dtype of {}: {how}", table.name))
        }
        _ if variable.is_array() => {
            let (verb, how) = acquire_array(call, variable);
            (verb, format!("{of}: {}{how}", properties.part))
        }
        _ if variable.intent.writes_caller() => {
            ("read", format!("{of} from a 0-d array that it is written back to"))
        }
        _ => ("read", format!("{of}, checked for type and range")),
    }
}

/// The use of an array's memory.
fn acquire_array(call: &Call, variable: &Variable) -> (&'static str, &'static str) {
    let strided = !variable.strided.is_empty();
    match Access::of(variable.intent) {
        _ if call.device != Device::Cpu => {
            ("borrow", "on the device, in place and of exactly this type, or refused")
        }
        Access::Read if strided => (
            "borrow",
            "in place, with its strides, if aligned and of this type; otherwise a copy, by a safe cast",
        ),
        Access::InPlace if strided => (
            "borrow",
            "writable and of exactly this type; in place, with its strides, otherwise a copy that is written back",
        ),
        Access::Exclusive if strided => {
            ("borrow", "writable, with strides that C takes and of exactly this type, or refused")
        }
        Access::Read => (
            "borrow",
            "in place if contiguous, aligned and of this type; otherwise a copy, by a safe cast",
        ),
        Access::InPlace => (
            "borrow",
            "writable and of exactly this type; in place if contiguous, otherwise a copy that is written back",
        ),
        Access::Exclusive => {
            ("borrow", "writable, contiguous and of exactly this type, or refused")
        }
        Access::Copy => ("copy", "into a new array, by a safe cast; the caller's is unchanged"),
    }
}

/// How long an argument is retained, and which one it replaces.
fn describe_retention(call: &Call, retention: &Retention) -> String {
    let name = |variable: &VariableId| call.variables[*variable].name.as_str();
    let names: Vec<&str> = retention.key.iter().map(name).collect();
    let others = match (retention.replaces, names.as_slice()) {
        (false, _) => ", along with all from earlier calls".to_owned(),
        (true, []) => ", in place of that of an earlier call".to_owned(),
        (true, names) => {
            format!(", in place of that of an earlier call with the same {}", names.join(" and "))
        }
    };
    match &retention.keeper {
        Keeper::Handle(handle) => format!("until {} is released{others}", name(handle)),
        Keeper::Made(Output::Argument(made)) => format!("until {} is released", name(made)),
        Keeper::Made(Output::Result) => "until C's result is released".to_owned(),
        Keeper::Module(function) => format!("until {function} has been called{others}"),
        Keeper::Call => String::new(),
    }
}

/// The C prototype by which a callback is called.
fn callback(call: &Call, variable: VariableId) -> String {
    let Some(callback) = call.callback_of(variable) else { return String::new() };
    let asked = match &callback.checked.data {
        Data::Expression(data) => format!(", found by {data}"),
        Data::Parameter(_) | Data::Thread => String::new(),
    };
    let error_value = callback.error_value.as_ref().map(|value| match value {
        ErrorValue::Value(value) => format!("C gets {value}"),
        ErrorValue::NotANumber => "C gets NaN".to_owned(),
        ErrorValue::One => "C gets 1".to_owned(),
        ErrorValue::Zero => "C gets 0".to_owned(),
        ErrorValue::Null => {
            let invalid = callback.call.result.ctype().and_then(CType::invalid_identifier);
            format!("C gets {}", invalid.unwrap_or("NULL"))
        }
    });
    let fails: Vec<String> =
        callback.checked.actions.iter().map(Expr::to_string).chain(error_value).collect();
    let fails = match fails.as_slice() {
        [] => String::new(),
        fails => format!("; where it fails, {}", fails.join(", then ")),
    };
    let result = callback_result(callback).map_or_else(String::new, |text| format!("; {text}"));
    format!("a function, called as {}{asked}{result}{fails}", callback.call.prototype)
}

/// Until when C may use what a callback returns, if that is a pointer.
fn callback_result(callback: &CallbackPlan) -> Option<String> {
    let Returns::Pointer(pointer) = &callback.call.result else { return None };
    let is_object = pointer.class().is_some();
    Some(match (pointer.is_owned(), callback.checked.is_kept()) {
        (true, _) if is_object => "C takes over the object".to_owned(),
        (false, false) if is_object => "C may use the object until the call returns".to_owned(),
        (false, true) if is_object => {
            "C may use the object as long as it may call the function".to_owned()
        }
        (true, _) => format!("C takes over the string, which {} allocates", pointer.allocator()),
        (false, false) => "C may use the string until the call returns".to_owned(),
        (false, true) => "C may use the string until it calls the function again".to_owned(),
    })
}

/// The meaning of a return code.
fn status(call: &Call, words: &Words) -> String {
    let Some(status) = &call.status else { return format!("is 0, else {}", words.failure) };
    let set = |test: &StatusTest| match test {
        StatusTest::Expression(code) => code.value.clone(),
        StatusTest::Values(values) => {
            let values: Vec<&str> = values.iter().map(|value| value.value.as_str()).collect();
            format!("it is {}", values.join(" or "))
        }
    };
    let success = match (&call.result, &status.success) {
        (Returns::Pointer(_), _) if call.return_code.is_none() => "it is not NULL".to_owned(),
        (_, None) if call.return_code_type().is_some_and(CType::is_message) => {
            "it is NULL".to_owned()
        }
        (_, None) => "it is 0".to_owned(),
        (_, Some(test)) => set(test),
    };
    let warning = status
        .warnings
        .as_ref()
        .map_or(String::new(), |test| format!("; a warning where {}", set(test)));
    let number = if status.errno().is_some() { ", with its errno" } else { "" };
    format!("is success where {success}{warning}; else {}{number}", words.failure)
}

/// The object that the call creates in memory of the module.
fn new_object(call: &Call, output: Output) -> Option<String> {
    let (_, pointer) = call.out_pointer(output)?;
    let how = match pointer.stored? {
        NewObject::ByClass => "initialised before C receives its pointer",
        NewObject::ByFunction => "initialised by C, unless that fails",
    };
    Some(format!("{}: a new object, {how}", pointer.type_text()))
}

/// The ownership of C-allocated memory.
fn receive(call: &Call, out_pointer: Output, words: &Words) -> String {
    let Some((name, pointer)) = call.out_pointer(out_pointer) else { return String::new() };
    if pointer.stored.is_some() {
        return String::new();
    }
    let null = if pointer.nullable { words.nothing } else { words.failure };
    if let Some(list) = pointer.list() {
        let what = receive_list(list, &pointer.owner);
        return format!("receive  {name:<8} {}: {what}; {null} for NULL", pointer.type_text());
    }
    let copied = pointer.is_copied();
    let owner = match &pointer.owner {
        Ownership::Owned(Some(free)) if copied => format!(", then freed by {free}"),
        Ownership::Owned(Some(free)) => format!(", which {free} frees when it is no longer used"),
        Ownership::Borrowed(owners) if !copied && !owners.is_empty() => {
            let names: Vec<&str> =
                owners.iter().map(|one| call.variables[*one].name.as_str()).collect();
            format!(", a view that keeps {} alive", names.join(" and "))
        }
        Ownership::Borrowed(_) if !copied => ", a view of static memory".to_owned(),
        Ownership::Owned(None) | Ownership::Unspecified | Ownership::Borrowed(_) => String::new(),
    };
    let verb = if copied { "copied" } else { "without a copy" };
    format!("receive  {name:<8} {}: {verb}{owner}; {null} for NULL", pointer.type_text())
}

/// How an array of pointers becomes a list, and who frees it.
fn receive_list(list: &List, items: &Ownership) -> String {
    let (what, each) = match (&list.of, items) {
        (Listed::Strings, Ownership::Owned(Some(function))) => {
            ("a list of copies", Some(format!("each string by {function}")))
        }
        (Listed::Strings, _) => ("a list of copies", None),
        (Listed::Objects(_), _) => ("a list of new objects", None),
    };
    let array = list.free.as_ref().map(|free| format!("the array by {free}"));
    match (each, array) {
        (None, None) => what.to_owned(),
        (each, array) => {
            let freed: Vec<String> = each.into_iter().chain(array).collect();
            format!("{what}; C's memory is freed, {}", freed.join(", "))
        }
    }
}

/// The loop dimensions of a batched call.
fn map_text(call: &Call, mapped: &Mapped) -> String {
    let shared: Vec<&str> = call
        .variables
        .iter()
        .filter(|variable| !variable.own)
        .map(|variable| variable.name.as_str())
        .collect();
    let threads = match mapped.threads {
        Threads::AtMost(1) => String::new(),
        Threads::AtMost(count) => format!(", on up to {count} threads when that pays"),
        Threads::All => ", on all threads of the process when that pays".to_owned(),
    };
    let shared = if shared.is_empty() {
        String::new()
    } else {
        format!("; all items share {}", shared.join(", "))
    };
    let items = match (mapped.broadcast, mapped.ragged.is_some()) {
        (true, false) => "further leading dimensions are items",
        (false, true) => "lists of ragged arrays are items",
        _ => "further leading dimensions, or lists of ragged arrays, are items",
    };
    let holds = mapped.steps.contains(&BatchStep::Items { release: Release::Never });
    let gil = if holds { "holding" } else { "without" };
    format!("{items}, in one loop {gil} the GIL{threads}{shared}")
}

fn if_absent(absent: &Absent, words: &Words) -> String {
    let nothing = words.nothing;
    match absent {
        Absent::Never => String::new(),
        Absent::Null => format!("; NULL when left out or {nothing}"),
        Absent::Value(value) => format!("; {value} when left out or {nothing}"),
    }
}

fn outputs(call: &Call, words: &Words) -> String {
    let names: Vec<String> = call
        .outputs
        .iter()
        .map(|output| match output {
            Output::Argument(index) => {
                let variable = &call.variables[*index];
                format!("{} ({})", variable.name, type_text(variable))
            }
            Output::Result => {
                format!("C's result ({})", call.result.type_text().unwrap_or_default())
            }
        })
        .collect();
    if names.is_empty() { words.nothing.to_owned() } else { names.join(", ") }
}

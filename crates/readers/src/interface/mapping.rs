//! The arrays that a function accepts beyond its prototypes: layouts, batches, devices.
//!
//! Purpose: `kinds`, `ellipses`, `threads`, `device`, `operator`, and the keys of a `proto` table.
//! Invariant: a faulty value counts as absent.
//! Reason: these keys concern no single argument, so prototypes have no keywords for them.

use super::values::{Value, Values, kind};
use crate::names;
use fishplate_model::{
    Code, Device, Ellipses, Function, Kind, OPERATORS, Operator, Overload, Safety, Spanned, Threads,
};
use toml::de::DeValue;

const KINDS: [(&str, Kind); 3] =
    [("C", Kind::C), ("Fortran", Kind::Fortran), ("Strided", Kind::Strided)];

/// `["C", "Strided"]`
pub(super) fn kinds(value: &Value<'_>, values: &mut Values<'_>) -> Vec<Kind> {
    let strings = values.strings("kinds", value, "[\"C\", \"Strided\"]");
    let mut kinds: Vec<Kind> =
        strings.iter().filter_map(|text| values.chosen("kinds", text, &KINDS)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if strings.is_empty() && value.get_ref().as_array().is_some_and(|array| array.is_empty()) {
        let hint = "write `kinds = [\"C\", \"Strided\"]`, or leave it out for all that suit";
        values.error(Code::WRONG_VALUE, values.span(value), "`kinds` is empty", hint);
    }
    kinds
}

/// Marks these prototypes, below `proto.KIND`, as being for one kind.
pub(super) fn set_kind(key: &Spanned<String>, overloads: &mut [Overload], values: &mut Values<'_>) {
    let Some((_, kind)) = KINDS.iter().find(|(word, _)| *word == key.value) else {
        let words: Vec<&str> = KINDS.iter().map(|(word, _)| *word).collect();
        let hint = match names::closest(&key.value, words.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("its keys are {}", names::list(&words, "and")),
        };
        let message = format!("`proto` has no kind `{}`", names::short(&key.value, 40));
        values.error(Code::UNKNOWN_KEY, key.span, message, hint);
        return;
    };
    for overload in overloads {
        overload.set_kind(*kind);
    }
}

/// `"..."`, or a list such as `["none", "var..."]`
pub(super) fn ellipses(value: &Value<'_>, values: &mut Values<'_>) -> Ellipses {
    let none = Ellipses::default();
    let choices = [
        ("none", none),
        ("...", Ellipses { broadcast: true, ..none }),
        ("var...", Ellipses { ragged: true, ..none }),
    ];
    let strings = match value.get_ref() {
        DeValue::Array(_) => values.strings("ellipses", value, "[\"none\", \"...\"]"),
        _ => values.string("ellipses", value, "ellipses = \"...\"").into_iter().collect(),
    };
    let mut all = none;
    for text in &strings {
        if let Some(one) = values.chosen("ellipses", text, &choices) {
            all.broadcast |= one.broadcast;
            all.ragged |= one.ragged;
        }
    }
    all
}

/// `"handle-lock"`, in the tables of modules and of handles.
pub(super) fn safety(value: &Value<'_>, values: &mut Values<'_>) -> Option<Safety> {
    values.choice("threads", value, &Safety::ALL.map(|safety| (safety.name(), safety)))
}

/// `4`, `"all"`, or `"gil"`: the number of threads for one call, or the lock that serialises calls.
pub(super) fn threads(function: &mut Function, value: &Value<'_>, values: &mut Values<'_>) {
    let word = value.get_ref().as_str();
    if word.is_some_and(|word| word != "all" && Safety::ALL.iter().any(|one| one.name() == word)) {
        function.safety = safety(value, values);
    } else {
        function.threads = shared(value, values);
        // Items can run concurrently only if C functions can.
        if function.threads != Threads::default() {
            function.safety = Some(Safety::Safe);
        }
    }
}

fn shared(value: &Value<'_>, values: &mut Values<'_>) -> Threads {
    match value.get_ref() {
        DeValue::Integer(number) => {
            let count = u32::from_str_radix(number.as_str(), number.radix()).ok();
            match count.filter(|count| (1..=1024).contains(count)) {
                Some(count) => Threads::AtMost(count),
                None => {
                    values.wrong(
                        value,
                        format!("`threads` cannot be {number}"),
                        "write how many may share a call, from 1 to 1024, or \"all\"",
                    );
                    Threads::default()
                }
            }
        }
        DeValue::String(_) => {
            let all = Safety::ALL.map(|safety| (safety.name(), Threads::default()));
            let choices: Vec<_> = [("all", Threads::All)].into_iter().chain(all).collect();
            values.choice("threads", value, &choices).unwrap_or_default()
        }
        other => {
            let message = format!("`threads` is a number or \"all\", not {}", kind(other));
            values.wrong(value, message, "write `threads = 4`");
            Threads::default()
        }
    }
}

/// `"cpu"`, `"cuda"`
pub(super) fn device(value: &Value<'_>, values: &mut Values<'_>) -> Device {
    let choices = [("cpu", Device::Cpu), ("cuda", Device::Cuda)];
    values.choice("device", value, &choices).unwrap_or_default()
}

/// `"=="`
pub(super) fn operator(
    value: &Value<'_>,
    values: &mut Values<'_>,
) -> Option<Spanned<&'static Operator>> {
    let text = values.string("operator", value, "operator = \"==\"")?;
    let choices: Vec<(&str, &Operator)> = OPERATORS.iter().map(|one| (one.name, one)).collect();
    Some(Spanned::new(values.chosen("operator", &text, &choices)?, text.span))
}

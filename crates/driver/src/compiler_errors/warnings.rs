//! Warnings of compilers, as diagnostics at the responsible place of the interface.

use super::{Context, Place, calls, mentions, with_notes};
use fishplate_emit::{Emitted, lacks_const};
use fishplate_model::{Code, Diagnostic, Source, Span};
use fishplate_plan::Plan;
use fishplate_toolchain::{CompilerMessage, Severity};

const WARNING_HINT: &str = "the C compiler says so";

/// Adds the compilers' warnings about the user's sources.
pub(crate) fn warn(
    messages: &[CompilerMessage],
    source: &Source,
    plan: &Plan,
    emitted: &Emitted,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let context = Context { source, plan, emitted };
    let warnings = messages.iter().enumerate().filter(|(_, one)| one.severity == Severity::Warning);
    let mut elsewhere = Vec::new();
    // The warnings that have a place in the interface, each once, although several generated lines may have it.
    let mut placed: Vec<(Span, &str)> = Vec::new();
    for (index, message) in warnings {
        let report = with_notes(&messages[index..]);
        if let Some(lacking) = context.lacking_const(message, report) {
            diagnostics.push(lacking);
        } else if let Some((function, span)) = context.function(message, report) {
            if !placed.contains(&(span, &message.text)) {
                placed.push((span, &message.text));
                let text = format!("function `{function}`: {}", message.text);
                diagnostics.push(Diagnostic::warning(Code::C_WARNING, span, text, WARNING_HINT));
            }
        } else {
            elsewhere.push(message);
        }
    }
    for message in elsewhere {
        let (span, text) = if context.is_source(&message.file) {
            (context.line(message), message.text.clone())
        } else if placed.iter().any(|(_, text)| *text == message.text) {
            continue;
        } else {
            let place = format!("{}:{}", message.file.display(), message.line);
            (context.source_span(message), format!("{place}: {}", message.text))
        };
        diagnostics.push(Diagnostic::warning(Code::C_WARNING, span, text, WARNING_HINT));
    }
}

impl Context<'_> {
    /// The warning that a prototype of a configuration lacks a `const`. `report` is the message with its notes.
    fn lacking_const(
        &self,
        message: &CompilerMessage,
        report: &[CompilerMessage],
    ) -> Option<Diagnostic> {
        if !message.text.contains("discards") {
            return None;
        }
        let (function, span) =
            report.iter().find_map(|one| match self.place(one, &message.text) {
                Place::Prototype(function, span) => Some((function, span)),
                _ => None,
            })?;
        let (_, call) = calls(self.plan).find(|(_, call)| call.span == span)?;
        let lacking = call.variables.iter().filter(|variable| lacks_const(variable));
        let names: Vec<String> = lacking.map(|variable| format!("`{}`", variable.name)).collect();
        let message =
            format!("function `{function}`: the header has a `const` that is missing here");
        let label = match names.as_slice() {
            [name] => format!("{name} is `const` in the header"),
            names => format!("one or more of {} are `const` in the header", names.join(", ")),
        };
        let hint = "write the prototype as the header declares it; the call is right without";
        Some(Diagnostic::warning(Code::C_WARNING, span, message, hint).label(label))
    }

    /// The function that a message about generated code concerns. `report` is the message with its notes.
    fn function(
        &self,
        message: &CompilerMessage,
        report: &[CompilerMessage],
    ) -> Option<(String, Span)> {
        if self.is_source(&message.file) {
            return None;
        }
        // A message begins with what it is about, in quotes, and may go on with what to use in place of that.
        let subject = message.text.split('\'').nth(1)?;
        let is_named = |function: &str, span: Span| {
            let mut calls = calls(self.plan).filter(|(_, call)| call.span == span);
            !function.is_empty() && calls.any(|(_, call)| mentions(subject, &call.c_name))
        };
        report.iter().find_map(|one| match self.place(one, &message.text) {
            Place::Prototype(function, span) | Place::Expression(function, span) => {
                is_named(&function, span).then_some((function, span))
            }
            _ => None,
        })
    }
}

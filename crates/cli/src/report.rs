//! Diagnostics in rustc's style, or as JSON.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use fishplate_driver::Report;
use fishplate_model::{Diagnostic, Severity, Source, Span};
use serde_json::{Value, json};

/// Prints what a phase had to say on standard error (JSON: see [`as_json`]). `anstream` drops the
/// colours where they are not wanted.
pub(crate) fn show<T>(report: &Report<T>) {
    let renderer = Renderer::styled();
    for diagnostic in &report.diagnostics {
        anstream::eprintln!("{}\n", render(diagnostic, &report.source, &renderer));
    }
    let errors = report.diagnostics.iter().filter(|d| d.is_error()).count();
    if errors > 0 {
        let s = if errors == 1 { "" } else { "s" };
        anstream::eprintln!("{errors} error{s} in {}", report.source.path.display());
    }
}

/// The same as plain text.
pub fn plain<T>(report: &Report<T>) -> String {
    let renderer = Renderer::plain();
    let render = |diagnostic| render(diagnostic, &report.source, &renderer);
    report.diagnostics.iter().map(render).collect::<Vec<_>>().join("\n\n")
}

fn render(diagnostic: &Diagnostic, source: &Source, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id);
    let path = source.path.display().to_string();
    let mut group = Group::with_title(title);
    if !source.text.is_empty() && diagnostic.primary.span != Span::default() {
        let clamp = |span: Span| span.start.min(source.text.len())..span.end.min(source.text.len());
        let mut snippet = Snippet::source(source.text.as_str()).path(path.as_str()).annotation(
            AnnotationKind::Primary
                .span(clamp(diagnostic.primary.span))
                .label(diagnostic.primary.text.as_str()),
        );
        for label in &diagnostic.secondary {
            snippet = snippet.annotation(
                AnnotationKind::Context.span(clamp(label.span)).label(label.text.as_str()),
            );
        }
        group = group.element(snippet);
    } else {
        group = group.element(Origin::path(path.as_str()));
    }
    if !diagnostic.hint.is_empty() {
        group = group.element(Level::HELP.message(diagnostic.hint.as_str()));
    }
    renderer.render(&[group])
}

/// A report as JSON: `ok`, `diagnostics`, and what the command adds.
pub fn as_json<T>(report: &Report<T>, extra: Value) -> Value {
    let place = |span: Span| {
        let (line, column) = report.source.line_column(span.start);
        let (end_line, end_column) = report.source.line_column(span.end);
        json!({"line": line, "column": column, "end_line": end_line, "end_column": end_column,
               "start": span.start, "end": span.end})
    };
    let label =
        |label: &fishplate_model::Label| json!({"span": place(label.span), "text": label.text});
    let diagnostics: Vec<Value> = report
        .diagnostics
        .iter()
        .map(|diagnostic| {
            json!({
                "severity": match diagnostic.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                },
                "code": diagnostic.code.id,
                "message": diagnostic.message,
                "file": report.source.path,
                "primary": label(&diagnostic.primary),
                "secondary": diagnostic.secondary.iter().map(label).collect::<Vec<_>>(),
                "hint": diagnostic.hint,
            })
        })
        .collect();
    let mut value = json!({"ok": report.value.is_some(), "diagnostics": diagnostics});
    if let (Value::Object(value), Value::Object(extra)) = (&mut value, extra) {
        value.extend(extra);
    }
    value
}

/// Prints a JSON value on standard output.
pub(crate) fn print_json(value: &Value) {
    println!("{value:#}");
}

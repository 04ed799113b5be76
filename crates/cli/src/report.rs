//! Diagnostics in rustc's style, or as JSON.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use fishplate_driver::Report;
use fishplate_model::{Diagnostic, Lines, Severity, Source, Span};
use serde_json::{Value, json};
use std::io::{BufWriter, Write as _};

/// Prints the diagnostics of a phase on standard error (JSON: see [`as_json`]). `anstream` drops
/// colours that are not wanted.
pub(crate) fn show<T>(report: &Report<T>) {
    // If colours are not wanted, none are generated: to drop them takes a write for each.
    let renderer = match anstream::AutoStream::choice(&std::io::stderr()) {
        anstream::ColorChoice::Never => Renderer::plain(),
        _ => Renderer::styled(),
    };
    let lines = report.source.lines();
    let mut out = BufWriter::new(anstream::stderr().lock());
    for diagnostic in &report.diagnostics {
        // A closed standard error cannot be reported.
        let _ = writeln!(out, "{}\n", render(diagnostic, &report.source, &lines, &renderer));
    }
    drop(out);
    let errors = report.diagnostics.iter().filter(|d| d.is_error()).count();
    if errors > 0 {
        let s = if errors == 1 { "" } else { "s" };
        anstream::eprintln!("{errors} error{s} in {}", report.source.path.display());
    }
}

/// The same without colours.
pub fn plain<T>(report: &Report<T>) -> String {
    let renderer = Renderer::plain();
    let lines = report.source.lines();
    let render = |diagnostic| render(diagnostic, &report.source, &lines, &renderer);
    report.diagnostics.iter().map(render).collect::<Vec<_>>().join("\n\n")
}

/// A diagnostic about more source than this shows only its place: printing it for each of many
/// mistakes would take too long.
const MAX_EXTRACT: usize = 20_000;

/// Only the lines of a diagnostic are passed to the renderer, which processes all its input.
fn render(diagnostic: &Diagnostic, source: &Source, lines: &Lines, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id);
    let path = source.path.display().to_string();
    let mut group = Group::with_title(title);
    let text = source.text.as_str();
    let labels = || std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
    let first = labels().map(|label| label.span.start.min(text.len())).min().unwrap_or(0);
    let last = labels().map(|label| label.span.end.min(text.len())).max().unwrap_or(0);
    let (start, end) = (lines.start(first), lines.end(last, text));
    let has_place = !text.is_empty() && diagnostic.primary.span != Span::default();
    if has_place && end - start > MAX_EXTRACT {
        let (line, column) = lines.line_column(diagnostic.primary.span.start, text);
        group = group.element(Origin::path(path.as_str()).line(line).char_column(column));
    } else if has_place {
        let clamp =
            |span: Span| span.start.min(text.len()) - start..span.end.min(text.len()) - start;
        let snippet = Snippet::source(&text[start..end]).line_start(lines.line(start));
        let mut snippet = snippet.path(path.as_str()).annotation(
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

/// A report as JSON: `ok`, `diagnostics`, and the additions of the command.
pub fn as_json<T>(report: &Report<T>, extra: Value) -> Value {
    let lines = report.source.lines();
    let place = |span: Span| {
        let (line, column) = lines.line_column(span.start, &report.source.text);
        let (end_line, end_column) = lines.line_column(span.end, &report.source.text);
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

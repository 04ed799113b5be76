//! An annotated header as an interface.
//!
//! Purpose: translate every function that the header itself declares, according to its annotations.
//! Invariant: a function is translated, skipped by `FP_SKIP`, or reported; none is dropped
//! silently.
//! Reason: a forgotten `FP_OUT` should be reported here, instead of as a function that the module
//! lacks.

use super::mask::{self, Annotation, Masked};
use super::module::Preamble;
use super::places::Raw;
use super::preprocessed::Preprocessed;
use super::prototype;
use super::syntax::{self, Declaration, Unit};
use super::{Header, broken, comments, macros, misplaced};
use crate::interface::Reading;
use crate::names;
use crate::prototype::Types;
use crate::prototype::lexer::Token;
use fishplate_model::{
    CResult, Code, Diagnostic, Function, Gil, Interface, Overload, Source, Span, Spanned,
};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Reads an annotated header. `printed` is the output of the preprocessor, with the annotations of
/// `reading.h` and the replacements of the names in their arguments.
pub fn read(source: Source, preamble: Preamble, header: &Header, printed: &str) -> Reading {
    let (printed, answers) = macros::split(printed);
    let preprocessed = Preprocessed::new(printed);
    let masked = mask::mask(&preprocessed.text);
    let unit = syntax::parse(&preprocessed.text, &masked);
    let header_constants = header_constants(&source.text, answers, &unit);
    let raw = Raw::new(&source);
    let mut reader = Reader {
        types: unit.types(&|_| true),
        preprocessed: &preprocessed,
        masked: &masked,
        unit: &unit,
        raw: &raw,
        source: &source,
        header,
        preamble: &preamble,
        prefix: preamble.prefix.as_ref().map_or("", |prefix| prefix.value.as_str()),
        functions: Vec::new(),
        diagnostics: Vec::new(),
    };
    reader.all();
    if reader.diagnostics.is_empty() && reader.functions.is_empty() {
        reader.nothing(preamble.is_annotated);
    }
    let (functions, mut diagnostics) = (reader.functions, reader.diagnostics);
    diagnostics.sort_by_key(|found| found.primary.span);
    let interface = Interface {
        module: preamble.module,
        functions,
        header_constants,
        source,
        ..Interface::default()
    };
    Reading { interface, diagnostics }
}

/// The names in sizes and defaults that are macros with a value, enumerators or variables.
fn header_constants(text: &str, answers: &str, unit: &Unit<'_>) -> Vec<String> {
    let answers = macros::answers(answers);
    let enumerators = unit.enumerations.iter().flat_map(|found| &found.values);
    let declared: HashSet<&str> =
        enumerators.map(|value| value.name).chain(unit.variables.iter().copied()).collect();
    let is_macro =
        |name: &str| answers.get(name).is_some_and(|value| !value.is_empty() && value != name);
    let mut names = macros::in_annotations(text);
    names.retain(|name| declared.contains(name.as_str()) || is_macro(name));
    names.into_iter().collect()
}

struct Reader<'a> {
    types: Types,
    preprocessed: &'a Preprocessed,
    masked: &'a Masked<'a>,
    unit: &'a Unit<'a>,
    raw: &'a Raw<'a>,
    source: &'a Source,
    header: &'a Header,
    preamble: &'a Preamble,
    prefix: &'a str,
    functions: Vec<Function>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn error(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(code, span, message, hint));
    }

    /// The line of the header for this place, if it is in this header.
    fn line(&self, offset: usize) -> Option<usize> {
        let line = self.preprocessed.line(offset);
        let file = self.preprocessed.file(line);
        self.header.markers.iter().any(|marker| marker == file).then_some(line.line)
    }

    fn all(&mut self) {
        let ours: Vec<(&Declaration<'_>, usize)> = self
            .unit
            .functions
            .iter()
            .filter_map(|function| Some((function, self.line(function.declarator.start)?)))
            .collect();
        let annotated = self.preamble.is_annotated
            || self.masked.annotations.iter().any(|found| self.line(found.at).is_some());
        // The grammar may fail at every token of a declaration: report one error for it.
        let mut reported: Vec<Range<usize>> = Vec::new();
        for broken in &self.unit.broken {
            let Some(line) = self.line(broken.at) else { continue };
            if !reported.last().is_some_and(|last| last.contains(&broken.at)) {
                reported.push(self.broken(broken.at, line));
            }
        }
        if !annotated {
            return;
        }
        self.strays(&reported);
        let mut seen: HashSet<&str> = HashSet::new();
        for (function, line) in ours {
            // A function may be declared twice but annotated once.
            let own = self.own(function);
            let again = seen.contains(function.name);
            let skipped = own.iter().any(|annotation| annotation.name == "skip")
                || self.preamble.static_is_private && self.is_static(function);
            if !again && !skipped {
                self.function(function, &own, line);
            }
            seen.insert(function.name);
        }
    }

    /// Reports the declaration at this place; returns its place in the header.
    fn broken(&mut self, at: usize, line: usize) -> Range<usize> {
        let whole = self.raw.line_span(line);
        let declaration = broken::declaration(self.masked, at);
        let tokens = &self.masked.tokens;
        let first = tokens.get(declaration.start).map_or(at, |token| token.span.start.min(at));
        let end = tokens.get(declaration.end).map_or(usize::MAX, |token| token.span.start);
        if let Some(found) = broken::mistake(self.masked, declaration) {
            let span = self.raw.word_span(found.word, line).unwrap_or(whole);
            self.error(Code::HEADER_SYNTAX, span, found.message, found.hint);
        } else {
            let hint =
                "is it C? a bracket or a semicolon may be missing here or on the line before";
            self.error(Code::HEADER_SYNTAX, whole, "a declaration cannot be read", hint);
        }
        first..end
    }

    /// Reports annotations that belong to no function. `broken` are the places of declarations that
    /// were reported before.
    fn strays(&mut self, broken: &[Range<usize>]) {
        let (unit, masked) = (self.unit, self.masked);
        let is_broken = |at: usize| {
            let next = broken.partition_point(|range| range.start <= at);
            let is_within = next > 0 && broken[next - 1].contains(&at);
            // Only annotations are between it and the beginning of a declaration.
            let begins = |range: &Range<usize>| masked.tokens_in(&(at..range.start)).is_empty();
            is_within || broken.get(next).is_some_and(begins)
        };
        let mut before: HashMap<(&str, usize), usize> = HashMap::new();
        for annotation in &masked.annotations {
            let Some(line) = self.line(annotation.at) else { continue };
            let nth = before.entry((&annotation.name, line)).or_default();
            let at = *nth;
            *nth += 1;
            // Regions are in source order, and those of one declaration are equal.
            let next = unit.functions.partition_point(|f| f.region.start <= annotation.at);
            let is_of_function =
                next > 0 && unit.functions[next - 1].region.contains(&annotation.at);
            if annotation.name == "module" || is_of_function || is_broken(annotation.at) {
                continue;
            }
            let name = prototype::written(&annotation.name);
            let span = self.raw.nth_on_line(&name, line, at).unwrap_or(self.raw.line_span(line));
            let region = broken::region(masked, &broken::declaration(masked, annotation.at));
            if let Some((called, found)) = broken::called(masked, &region) {
                // One error explains why the whole declaration is not a function's.
                if called == annotation.at {
                    self.error(Code::HEADER_SYNTAX, span, found.message, found.hint);
                }
                continue;
            }
            let message = format!("`{name}` is not part of a function's declaration");
            let hint = match annotation.name.as_str() {
                "shape" => "write it after the name of a parameter, as in `double *x FP_SHAPE(n)`",
                "default" => {
                    "write it after the name of a parameter, as in `double x FP_DEFAULT(1)`"
                }
                "skip" => {
                    "write it before a function, without a semicolon: `FP_SKIP void f(void);`"
                }
                _ => "only functions and their parameters have annotations: remove it",
            };
            self.error(Code::BAD_ANNOTATION, span, message, hint);
        }
    }

    fn is_static(&self, function: &Declaration<'_>) -> bool {
        self.masked.tokens_in(&function.head).iter().any(|token| token.is_word("static"))
    }

    fn nothing(&mut self, is_annotated: bool) {
        let name = self.header.name.clone();
        let plain = !is_annotated && self.masked.annotations.is_empty();
        let ours = |token: &&Token<'_>| self.line(token.span.start).is_some();
        let tokens: Vec<Token<'_>> = self.masked.tokens.iter().filter(ours).copied().collect();
        let is_namespace = tokens.iter().any(|token| token.is_word("namespace"));
        let (message, hint) = if let (true, Some(found)) = (is_namespace, broken::cxx(&tokens)) {
            (found.message, found.hint)
        } else if self.preamble.static_is_private {
            (
                format!("`{name}` declares no usable functions"),
                "write one, as in `double f(double x) { return x; }`; those that are `static` are \
                 not taken"
                    .to_owned(),
            )
        } else if plain {
            (
                format!("`{name}` has no annotations, so the intents of arguments are unknown"),
                format!(
                    "`fishplate init {name}` writes a first interface of a plain header; or \
                     annotate it: `FP_OUT double *y FP_SHAPE(n)`"
                ),
            )
        } else if self.masked.annotations.iter().any(|found| found.name == "skip") {
            (
                format!("`{name}` declares no functions but those with `FP_SKIP`"),
                "remove `FP_SKIP` from those that the module needs, or build the header that declares them".into(),
            )
        } else {
            (
                format!("`{name}` declares no functions itself"),
                "build the header that declares them; included headers are not part of it".into(),
            )
        };
        self.error(Code::NO_FUNCTIONS, Span::default(), message, hint);
    }

    /// The annotations of the function itself, not of its parameters.
    fn own(&self, function: &Declaration<'_>) -> Vec<&'a Annotation> {
        // One declaration may declare several functions.
        let together =
            mask::in_range(&self.unit.functions, &function.region, |other| other.region.start);
        let of_parameter = |at: usize| {
            together.iter().flat_map(|other| &other.parameters).any(|p| p.region.contains(&at))
        };
        let annotations = self.masked.annotations_in(&function.region).iter();
        annotations.filter(|annotation| !of_parameter(annotation.at)).collect()
    }

    fn function(&mut self, function: &Declaration<'a>, own: &[&Annotation], line: usize) {
        let last = self.preprocessed.line(function.declarator.end.saturating_sub(1)).line;
        let first = own.iter().map(|annotation| annotation.at).chain([function.head.start]);
        let first = first.filter_map(|at| self.line(at)).min().unwrap_or(line).min(line);
        let declaration = self.raw.declaration(function.name, first, last.max(line));
        let made = prototype::prototype(function, self.masked, own);
        let map = self.raw.map(&made.text, &made.tokens, declaration);
        let nth = |name: &str, at: usize| {
            let found = declaration.iter().filter(|token| token.is_word(name)).nth(at);
            found.map_or(map.whole(), |at| at.span)
        };
        let place = |name: &str| nth(name, 0);
        let misplaced = misplaced::find(function, self.unit, self.masked, own, &nth);
        if !misplaced.is_empty() {
            self.diagnostics.extend(misplaced);
            return;
        }
        let overload = crate::prototype::read(&made.text, &map, &self.types, &mut self.diagnostics);
        // From the first annotation to the last bracket, in whatever order the tokens are.
        let Some(overload) = overload.map(|found| Overload { span: map.whole(), ..found }) else {
            return;
        };
        let words_of = |name: &str| {
            let found = own.iter().find(|annotation| annotation.name == name);
            found.map(|annotation| annotation.argument.trim().to_owned())
        };
        let name = match words_of("name") {
            Some(name) => Spanned::new(name.trim_matches('"').to_owned(), place("FP_NAME")),
            None => {
                let stripped = function.name.strip_prefix(self.prefix);
                let name = stripped.filter(|rest| names::is_identifier(rest));
                Spanned::new(name.unwrap_or(function.name).to_owned(), overload.c_name.span)
            }
        };
        let returns = words_of("returns").map(|list| {
            let span = place("FP_RETURNS");
            let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
            names.map(|name| Spanned::new(name.to_owned(), span)).collect()
        });
        let gil = words_of("gil").map_or(Gil::Auto, |how| self.gil(&how, place("FP_GIL")));
        let start = declaration.first().map_or(0, |token| token.span.start);
        let comment = comments::above(&self.source.text, start).unwrap_or_default();
        let arguments = overload.arguments.iter().map(|argument| argument.name.value.as_str());
        let has_result = overload.result != CResult::Void;
        let described: Vec<&str> = arguments.chain(has_result.then_some("result")).collect();
        let (doc, descriptions) = comment.split(&described);
        let overloads = vec![overload];
        self.add(Function { doc, descriptions, overloads, returns, gil, ..Function::named(name) });
    }

    fn gil(&mut self, how: &str, span: Span) -> Gil {
        match how {
            "auto" => Gil::Auto,
            "hold" => Gil::Hold,
            "release" => Gil::Release,
            other => {
                let message = format!("`FP_GIL` cannot be `{}`", names::short(other, 40));
                let hint = "write `auto`, `hold` or `release`";
                self.error(Code::BAD_ANNOTATION, span, message, hint);
                Gil::Auto
            }
        }
    }

    /// Adds a function; if its name is present already, it is another overload.
    fn add(&mut self, function: Function) {
        let name = &function.name;
        if names::refuse_function(name).is_some() {
            let shown = names::short(&name.value, 40);
            let like = names::short(&names::identifier_like(&name.value), 40);
            let message = format!("`{shown}` cannot be a function's name in every host");
            let hint = format!("give it another one there: `FP_NAME({like})`");
            self.error(Code::BAD_NAME, name.span, message, hint);
            return;
        }
        let there = self.functions.iter_mut().find(|other| other.name.value == name.value);
        let Some(there) = there else {
            self.functions.push(function);
            return;
        };
        there.overloads.extend(function.overloads as Vec<Overload>);
        if there.doc.is_empty() {
            there.doc = function.doc;
        }
        for (name, text) in function.descriptions {
            if !there.descriptions.iter().any(|(known, _)| *known == name) {
                there.descriptions.push((name, text));
            }
        }
        if there.returns.is_none() {
            there.returns = function.returns;
        }
        if there.gil == Gil::Auto {
            there.gil = function.gil;
        }
    }
}

//! Messages of compilers and linkers, as diagnostics at the responsible place of the interface.

mod warnings;

pub(crate) use warnings::warn;

use crate::disagreement::Disagreement;
use crate::headers::{self, Undeclared};
use fishplate_emit::{Emitted, OutputFile, declared_type};
use fishplate_model::{
    CType, Code, Diagnostic, Initializer, Language, Scalar, Source, Span, Spanned, Status,
};
use fishplate_plan::{Call, Plan};
use fishplate_toolchain::{BuildError, CompilerMessage, Machine, Severity};
use std::path::Path;

/// The circumstances of a link that explain its errors.
#[derive(Default)]
pub(crate) struct Linking<'a> {
    /// The machine that the module is built for, if it is another one.
    pub(crate) machine: Option<&'a Machine>,
    /// The library that must define the functions, in place of the module's own libraries.
    pub(crate) compared: Option<&'a Path>,
}

/// Adds a diagnostic for each failure of a build.
pub(crate) fn report(
    error: &BuildError,
    source: &Source,
    plan: &Plan,
    emitted: &Emitted,
    &Linking { machine, compared }: &Linking<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    match error {
        BuildError::Compile { messages, .. }
            if messages.iter().any(|message| message.severity == Severity::Error) =>
        {
            let context = Context { source, plan, emitted };
            let (lost, placed): (Vec<_>, Vec<_>) = messages
                .iter()
                .enumerate()
                .filter(|(_, message)| message.severity == Severity::Error)
                .map(|(index, _)| with_notes(&messages[index..]))
                .partition(|report| report.iter().all(|one| context.is_ours(&one.file)));
            // Messages only about generated files are consequences of mistakes in the interface.
            for report in if placed.is_empty() { lost } else { placed } {
                let diagnostic = context.diagnostic(report);
                // A mismatched prototype causes errors in its call too; one report is enough.
                if !diagnostics.iter().any(|other| same_place(other, &diagnostic)) {
                    diagnostics.push(diagnostic);
                }
            }
        }
        BuildError::Link { undefined, .. } if !undefined.is_empty() => {
            for symbol in undefined {
                diagnostics.push(undefined_symbol(symbol, plan, compared));
            }
        }
        BuildError::Link { raw, command, .. } => {
            let missing: Vec<_> = missing_libraries(raw, plan).collect();
            if missing.is_empty() {
                diagnostics.push(Diagnostic::error(
                    Code::LINKER,
                    module_span(plan),
                    format!("the linker failed: {}", raw.trim()),
                    format!("the command was {command}"),
                ));
            }
            for library in missing {
                let hint = match (crate::resolve::library_name(&library.value), machine) {
                    (Some(name), _) => {
                        format!("libraries are named as after `-l`: did you mean `{name}`?")
                    }
                    (None, None) => "install it, or add its folder to library-dirs".to_owned(),
                    (None, Some(machine)) => format!(
                        "name a folder with the libraries of {machine}: `--sysroot DIR`, or \
                         library-dirs"
                    ),
                };
                let on = machine.map(|machine| format!(" for {machine}")).unwrap_or_default();
                diagnostics.push(Diagnostic::error(
                    Code::LINKER,
                    library.span,
                    format!("the linker cannot find the library `{}`{on}", library.value),
                    hint,
                ));
            }
        }
        other => diagnostics.push(environment(&other.to_string())),
    }
}

/// Something missing on this machine; the message explains what to do.
pub(crate) fn environment(text: &str) -> Diagnostic {
    let (message, hint) =
        text.split_once('\n').or_else(|| text.split_once(": run ")).unwrap_or((text, ""));
    let hint = if hint.is_empty() {
        "run `fishplate doctor` to see what was found".to_owned()
    } else {
        hint.trim().trim_matches('`').to_owned()
    };
    Diagnostic::error(Code::ENVIRONMENT, Span::default(), message, hint)
}

fn module_span(plan: &Plan) -> Span {
    plan.module.name.as_ref().map_or(Span::default(), |name| name.span)
}

/// The libraries of the interface that the linker could not find: GNU's `cannot find -lx`, LLVM's
/// `unable to find library -lx`, Apple's `library 'x' not found`, and Zig's `unable to find dynamic
/// system library "x"`.
fn missing_libraries<'a>(
    raw: &'a str,
    plan: &'a Plan,
) -> impl Iterator<Item = &'a Spanned<String>> {
    let words: Vec<&str> = raw
        .lines()
        .filter(|line| line.contains("find") || line.contains("not found"))
        .flat_map(|line| line.split([' ', ':', '\'', '"']))
        .collect();
    plan.module.libraries.iter().filter(move |library| {
        let name = library.value.as_str();
        words.iter().any(|word| *word == name || word.strip_prefix("-l") == Some(name))
    })
}

/// A header of a module in C has the name of one in C++.
fn is_cplusplus_in_c(plan: &Plan) -> bool {
    plan.module.language == Language::C
        && plan.module.headers.iter().any(|header| headers::is_cplusplus(&header.value))
}

fn calls(plan: &Plan) -> impl Iterator<Item = (&str, &Call)> {
    plan.all_functions()
        .flat_map(|function| function.calls.iter().map(|call| (function.name.as_str(), call)))
}

fn undefined_symbol(symbol: &str, plan: &Plan, compared: Option<&Path>) -> Diagnostic {
    let (label, hint) = match compared {
        None => (
            "declared, but not in any source or library".to_owned(),
            match is_cplusplus_in_c(plan) {
                true => CPLUSPLUS_HINT,
                false => "add the source or the library that defines it to [module]",
            },
        ),
        Some(library) => (
            format!("declared, but not in {}", library.display()),
            "remove the function from the interface, or compare with a version of the library that defines it",
        ),
    };
    match calls(plan).find(|(_, call)| call.c_name == symbol) {
        Some((name, call)) => Diagnostic::error(
            Code::LINKER,
            call.span,
            format!("function `{name}`: nothing defines `{symbol}`"),
            hint,
        )
        .label(label),
        None => Diagnostic::error(
            Code::LINKER,
            module_span(plan),
            format!("nothing defines `{symbol}`"),
            hint,
        ),
    }
}

/// The first of the messages, and the notes below it.
fn with_notes(messages: &[CompilerMessage]) -> &[CompilerMessage] {
    let others = messages.iter().skip(1);
    let notes = others.take_while(|next| next.severity == Severity::Note).count();
    &messages[..messages.len().min(1 + notes)]
}

struct Context<'a> {
    source: &'a Source,
    plan: &'a Plan,
    emitted: &'a Emitted,
}

impl Context<'_> {
    /// The diagnostic for an error and its notes.
    fn diagnostic(&self, report: &[CompilerMessage]) -> Diagnostic {
        let (message, notes) = report.split_first().expect("an error");
        let text = message.text.split(" [-W").next().unwrap_or(&message.text).to_owned();
        // The place of an error in a generated macro is that of its use, which a note reports.
        let place = if self.is_source(&message.file) {
            Place::Line(self.line(message))
        } else {
            report
                .iter()
                .map(|one| self.place(one, &text))
                .find(|place| !matches!(place, Place::Elsewhere))
                .unwrap_or(Place::Elsewhere)
        };
        let mut label = text.clone();
        for note in notes.iter().filter(|note| !is_noise(&note.text)) {
            label.push_str(&format!("\n{}", note.text));
        }
        match place {
            // A missing declaration is the first thing to correct.
            Place::Prototype(function, span) if undeclared(&text).is_some() => {
                let name = undeclared(&text).unwrap_or_default();
                let hint = match headers::meant(&name, self.plan) {
                    Some(Undeclared::Macro) => {
                        "it is a macro: write `macro` before the prototype".to_owned()
                    }
                    Some(Undeclared::Like(near)) => format!("did you mean `{near}`?"),
                    None if self.plan.module.headers.is_empty() => {
                        "name the header that declares it: `headers = [\"...\"]` in [module]"
                            .to_owned()
                    }
                    None => "look at its name; the header that declares it belongs into `headers`"
                        .to_owned(),
                };
                let message = format!("function `{function}`: no header declares `{name}`");
                Diagnostic::error(Code::C_COMPILER, span, message, hint).label(label)
            }
            Place::Prototype(function, span) => {
                let differs = Disagreement::read(&text);
                let hint = prototype_hint(differs.as_ref().map(|differs| differs.header.as_str()));
                let message = format!(
                    "function `{function}`: the C compiler does not agree with this prototype"
                );
                let call = calls(self.plan).find(|(_, call)| call.span == span);
                let names: Vec<&str> = call.map_or(Vec::new(), |(_, call)| {
                    call.variables.iter().map(|variable| variable.name.as_str()).collect()
                });
                Diagnostic::error(Code::C_COMPILER, span, message, hint)
                    .label(differs.map_or(label, |differs| differs.label(&names)))
            }
            Place::Expression(function, span) => Diagnostic::error(
                Code::C_COMPILER,
                span,
                match function.is_empty() {
                    true => "the C compiler refuses the call".to_owned(),
                    false => format!("function `{function}`: the C compiler refuses the call"),
                },
                "look at its types, dimensions and defaults: names in them must be arguments, or \
                 defined by the module's headers",
            )
            .label(label),
            Place::Type(ctype) => {
                let dtype = ctype.scalar().dtype_name();
                let message = format!("`{}` is not `{dtype}` here", ctype.spelling);
                let is_known = undeclared(&text).is_none() && !text.contains("incomplete type");
                let (label, hint) = match ctype.scalar() {
                    Scalar::ComplexFloat if is_known => (OTHER_THAN_FLOATS.to_owned(), PAIR_HINT),
                    Scalar::ComplexDouble if is_known => (OTHER_THAN_DOUBLES.to_owned(), PAIR_HINT),
                    _ => (label, SCALAR_HINT),
                };
                Diagnostic::error(Code::C_COMPILER, ctype.span, message, hint).label(label)
            }
            Place::Piece(span, hint) => {
                Diagnostic::error(Code::C_COMPILER, span, PIECE_REFUSED, hint).label(label)
            }
            Place::Fragment(span) => {
                Diagnostic::error(Code::C_COMPILER, span, label, "the C compiler refuses this code")
            }
            Place::Header(span) => Diagnostic::error(
                Code::C_COMPILER,
                span,
                text,
                "add the header's folder to include-dirs",
            ),
            Place::Line(span) => {
                let hint = if label.contains("'FP_") {
                    "add `#include <fishplate.h>`, which defines the annotations"
                } else {
                    "the C compiler refuses this line"
                };
                Diagnostic::error(Code::C_COMPILER, span, label, hint)
            }
            Place::Elsewhere => Diagnostic::error(
                Code::C_COMPILER,
                self.source_span(message),
                format!("{}:{}: {label}", message.file.display(), message.line),
                if is_cplusplus_in_c(self.plan) {
                    CPLUSPLUS_HINT
                } else {
                    "the C compiler refuses this file"
                },
            ),
        }
    }

    /// The place of a message, or of a note below the message `said`.
    fn place(&self, message: &CompilerMessage, said: &str) -> Place {
        if let Some(header) = message.text.split(": No such file").next() {
            let headers = &self.plan.module.headers;
            let named = headers.iter().find(|item| {
                item.value.trim_matches(['<', '>', ' ']) == header.trim_matches(['\'', '"'])
            });
            // clang's wording is "'x.h' file not found".
            let named = named.or_else(|| {
                headers.iter().find(|item| {
                    message.text.starts_with(&format!("'{}' file not found", item.value))
                })
            });
            if let Some(header) = named {
                return Place::Header(header.span);
            }
        }
        let file_name = message.file.file_name();
        if file_name.is_some() && file_name == self.source.path.file_name() {
            let on_line = calls(self.plan)
                .filter(|(_, call)| self.source.line_column(call.span.start).0 == message.line);
            if let Some(ctype) = self
                .plan
                .types
                .iter()
                .find(|ctype| self.source.line_column(ctype.span.start).0 == message.line)
            {
                return Place::Type(ctype.clone());
            }
            let is_there = |code: &&Spanned<String>| {
                let line = |at| self.source.line_column(at).0;
                (line(code.span.start)..=line(code.span.end)).contains(&message.line)
            };
            if let Some(fragment) = self.fragments().find(is_there) {
                return Place::Fragment(fragment.span);
            }
            let line_of = |span: Span| self.source.line_column(span.start).0;
            let structs = self.plan.structs.iter();
            let fields = structs.clone().flat_map(|one| &one.fields).map(|one| one.name.span);
            let types = structs.map(|one| one.ctype.span);
            let stored = self.plan.handles.iter().filter(|one| one.stored.is_some());
            let stored = stored.map(|one| one.ctype.span);
            let enums = self.plan.enums.iter().map(|one| one.ctype.span);
            let mut classes = enums.chain(types).chain(fields).chain(stored);
            if let Some(span) = classes.find(|span| line_of(*span) == message.line) {
                return Place::Piece(span, TYPE_HINT);
            }
            // Several on one line: the message may name the right one.
            let unpacked = calls(self.plan).flat_map(|(_, call)| &call.unpacked);
            let members = unpacked.flat_map(|one| one.layout.all_members()).map(|one| &one.path);
            let mut members: Vec<_> = members.filter(is_there).collect();
            members.sort_by_key(|path| !said.contains(&format!(".{} ", path.value)));
            if let Some(member) = members.first() {
                return Place::Piece(member.span, TYPE_HINT);
            }
            let mut pieces: Vec<_> = self.pieces().filter(is_there).collect();
            pieces.sort_by_key(|code| !names(&message.text, &code.value));
            if let Some(piece) = pieces.first() {
                return Place::Piece(piece.span, PIECE_HINT);
            }
            if let Some(code) = self.initializers().find(is_there) {
                return Place::Piece(code.span, INIT_HINT);
            }
            let mut values: Vec<_> = self.values().filter(is_there).collect();
            values.sort_by_key(|code| !names(&message.text, &code.value));
            if let Some(value) = values.first() {
                return Place::Piece(value.span, VALUE_HINT);
            }
            // Several prototypes on one line: the message names the right one, or its type.
            let mut on_line: Vec<_> = on_line.collect();
            let differs = Disagreement::read(said);
            on_line.sort_by_key(|(_, call)| {
                let has_type =
                    differs.as_ref().is_some_and(|one| one.is_about(&declared_type(call)));
                (!mentions(&message.text, &call.c_name), !has_type)
            });
            if let Some((name, call)) = on_line.first() {
                return Place::Prototype((*name).to_owned(), call.span);
            }
        }
        let generated = self
            .emitted
            .files
            .iter()
            .find(|file| file_name.is_some_and(|name| name == file.name.as_str()));
        if let Some(file) = generated {
            let origin = file.origins.iter().rev().find(|(line, _)| *line <= message.line);
            if let Some((_, span)) = origin {
                let name = calls(self.plan)
                    .find(|(_, call)| call.span == *span)
                    .map_or(String::new(), |(name, _)| name.to_owned());
                return Place::Expression(name, *span);
            }
        }
        Place::Elsewhere
    }

    /// True for an annotated header itself: generated code for a line of the interface refers to it
    /// without its folder.
    fn is_source(&self, file: &Path) -> bool {
        let names_folder = file.parent().is_some_and(|folder| folder != Path::new(""));
        names_folder
            && file.file_name() == self.source.path.file_name()
            && matches!(
                (file.canonicalize(), self.source.path.canonicalize()),
                (Ok(file), Ok(source)) if file == source
            )
    }

    /// True for the runtime and other code that has no place in the interface.
    fn is_ours(&self, file: &Path) -> bool {
        let is_it = |one: &OutputFile| {
            one.origins.is_empty() && Path::new(&one.name).file_name() == file.file_name()
        };
        self.emitted.files.iter().any(is_it)
    }

    /// The place of a message about an annotated header: a word, else the line.
    fn line(&self, message: &CompilerMessage) -> Span {
        let line = self.source.line_span(message.line);
        let text = &self.source.text;
        let begins = text[..line.start].rfind('\n').map_or(0, |at| at + 1);
        let word = message.column.map_or(0, |column| begins + column.saturating_sub(1));
        let rest = if word < line.end { text.get(word..line.end).unwrap_or("") } else { "" };
        let Some(first) = rest.chars().next() else { return line };
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        Span::new(word, word + length.max(first.len_utf8()))
    }

    /// The expressions and names in error conventions.
    fn pieces(&self) -> impl Iterator<Item = &Spanned<String>> {
        let statuses = self.plan.functions.iter().flat_map(|function| &function.calls);
        let codes = statuses.filter_map(|call| call.status.as_ref()).flat_map(Status::code);
        codes.chain(self.plan.exceptions.iter().map(|(class, _)| class))
    }

    /// The expressions that initialise objects.
    fn initializers(&self) -> impl Iterator<Item = &Spanned<String>> {
        let stored = self.plan.handles.iter().filter_map(|one| one.stored.as_ref());
        stored.filter_map(|one| one.init.as_ref()).flat_map(Initializer::pieces)
    }

    /// The expressions for the values of constants and enums.
    fn values(&self) -> impl Iterator<Item = &Spanned<String>> {
        let enums = self.plan.enums.iter().flat_map(|one| &one.values);
        self.plan.constants.iter().chain(enums).map(|one| &one.value)
    }

    /// The literal C code of the interface.
    fn fragments(&self) -> impl Iterator<Item = &Spanned<String>> {
        let calls = self.plan.functions.iter().flat_map(|f| f.pre_call.iter().chain(&f.post_call));
        self.plan.module.header_code.iter().chain(calls)
    }

    /// The place where the interface names the file of a message.
    fn source_span(&self, message: &CompilerMessage) -> Span {
        let module = &self.plan.module;
        let mut files = module.sources.iter().chain(&module.headers);
        let is_it = |item: &&Spanned<String>| {
            Path::new(&item.value).file_name() == message.file.file_name()
        };
        let named = files.find(is_it);
        named.map_or_else(|| module_span(self.plan), |item| item.span)
    }
}

const CPLUSPLUS_HINT: &str = "a header in C++ needs `language = \"c++\"` in [module]";
const PIECE_REFUSED: &str = "the C compiler refuses this";
const VALUE_HINT: &str = "write a number, a string or a handle's pointer that the module's headers define; a \
                          value of an enum is a constant integer";
const SCALAR_HINT: &str =
    "write what the header and this machine have; C's own types need no entry";
const OTHER_THAN_FLOATS: &str = "neither `float complex` nor a struct of two `float`";
const OTHER_THAN_DOUBLES: &str = "neither `double complex` nor a struct of two `double`";
const PAIR_HINT: &str = "complex64 is `float complex` or a struct of two floats, complex128 the same of doubles; \
                         in an interface file, any other struct is a [struct.NAME]";
const TYPE_HINT: &str = "write it as the module's headers define it";
const INIT_HINT: &str =
    "names in it must be `object`, for a return code `status`, or defined by the module's headers";
const PIECE_HINT: &str = "names in it must be `status`, or defined by the module's headers; in a `message` they may also be \
                          arguments, or `object` for that of a method";

/// True if a message contains a name of this code.
fn names(message: &str, code: &str) -> bool {
    fishplate_model::words(code).any(|word| message.contains(word))
}

/// True if this name is one of the words of a message.
fn mentions(message: &str, name: &str) -> bool {
    fishplate_model::words(message).any(|word| word == name)
}

/// True if both are about one prototype, so that the second only repeats the first.
fn same_place(one: &Diagnostic, other: &Diagnostic) -> bool {
    // For one faulty piece of code, compilers tend to report several errors.
    let repeats = |diagnostic: &Diagnostic| {
        diagnostic.message.starts_with("function `") || diagnostic.message == PIECE_REFUSED
    };
    one.primary.span == other.primary.span
        && (one.message == other.message && one.primary.text == other.primary.text
            || repeats(one) && repeats(other))
}

/// Additional messages about generated macros, or for readers of the compiler's own output.
fn is_noise(note: &str) -> bool {
    let starts = ["in definition of macro", "in expansion of macro", "expanded from"];
    starts.iter().any(|start| note.starts_with(start))
        || note.starts_with("each undeclared identifier is reported only once")
}

/// The undeclared name: `'f' undeclared here`, `use of undeclared identifier 'f'`, `'f' was not
/// declared in this scope`.
fn undeclared(text: &str) -> Option<String> {
    let says = ["undeclared", "was not declared", "is not a member of"];
    says.iter().find(|words| text.contains(**words))?;
    text.split('\'').nth(1).map(str::to_owned)
}

/// The help for a prototype whose function has the type `theirs` in the header.
fn prototype_hint(theirs: Option<&str>) -> &'static str {
    match theirs {
        Some(theirs) if theirs.contains("...") => {
            "write `...` where the header has it, and after it the arguments that this function passes, as in \
             `int open(const char *path, int flags, ..., int mode)`"
        }
        _ => "write the prototype as the header declares it",
    }
}

enum Place {
    /// A prototype of this function disagrees with the headers.
    Prototype(String, Span),
    /// An error in the generated call of this function.
    Expression(String, Span),
    /// An entry of `[types]`.
    Type(CType),
    /// Literal C code of the interface.
    Fragment(Span),
    /// One expression or name of it.
    Piece(Span, &'static str),
    /// A line of an annotated header.
    Line(Span),
    /// A header that is not found.
    Header(Span),
    /// A source or header of the user's.
    Elsewhere,
}

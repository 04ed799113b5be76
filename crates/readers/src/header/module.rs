//! `FP_MODULE(key, value...)`: the counterpart of `[module]` in an interface file.
//!
//! Purpose: collect the module's name, sources, libraries and the like, from the header's source.
//! Invariant: needs no preprocessor.
//! Reason: the preprocessor needs the folders and macros that are named here.

use super::places::{Raw, is_text};
use super::preprocessed::unquoted;
use crate::names;
use crate::prototype::lexer::{Kind, Token};
use fishplate_model::{Code, Diagnostic, Module, Source, Spanned};

const KEYS: &[&str] = &[
    "name",
    "doc",
    "prefix",
    "sources",
    "include_dirs",
    "libraries",
    "library_dirs",
    "cflags",
    "defines",
];

/// The annotations of a header about the module.
#[derive(Clone, Debug, Default)]
pub struct Preamble {
    /// The module, as from an interface file; its only header is this one.
    pub module: Module,
    /// The prefix of C functions that is removed from names in the target language.
    pub prefix: Option<Spanned<String>>,
    /// There is at least one `FP_MODULE`, or the header is annotated for another reason.
    pub is_annotated: bool,
    /// `static` functions are local to the file, as in C sources, and are skipped.
    pub static_is_private: bool,
}

/// Reads every `FP_MODULE` of a header; `name` is the default for the module's name.
pub fn preamble(source: &Source, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Preamble {
    let mut preamble = Preamble::default();
    for (used, arguments) in Raw::new(source).uses("FP_MODULE") {
        preamble.is_annotated = true;
        preamble.add(used, arguments, diagnostics);
    }
    let file = source.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = preamble
        .module
        .name
        .get_or_insert_with(|| Spanned::new(name.to_owned(), fishplate_model::Span::default()));
    check_name(name, diagnostics);
    preamble.module.headers = vec![Spanned::new(file, fishplate_model::Span::default())];
    preamble
}

impl Preamble {
    fn add(&mut self, used: Token<'_>, arguments: &[Token<'_>], diagnostics: &mut Vec<Diagnostic>) {
        let example =
            "write `FP_MODULE(name, \"stats\")`, or `FP_MODULE(sources, \"a.c\", \"b.c\")`";
        let (Some(key), values) = (arguments.first(), values(arguments)) else {
            diagnostics.push(wrong(used, "`FP_MODULE` has no key", example));
            return;
        };
        let values = match values {
            Ok(values) => values,
            Err(odd) => {
                diagnostics.push(wrong(
                    odd,
                    "a value of `FP_MODULE` is a string in quotes",
                    example,
                ));
                return;
            }
        };
        let module = &mut self.module;
        let many = match key.text {
            "sources" => &mut module.sources,
            "include_dirs" => &mut module.include_dirs,
            "libraries" => &mut module.libraries,
            "library_dirs" => &mut module.library_dirs,
            "cflags" => &mut module.cflags,
            "defines" => &mut module.defines,
            "name" | "doc" | "prefix" => {
                let Ok([value]) = <[Spanned<String>; 1]>::try_from(values) else {
                    let message = format!("`{}` has one value", key.text);
                    diagnostics.push(wrong(*key, message, example));
                    return;
                };
                match key.text {
                    "name" => module.name = Some(value),
                    "doc" => module.doc = value.value,
                    _ => self.prefix = Some(value),
                }
                return;
            }
            other => {
                let other = names::short(other, 40);
                let hint = match names::closest(&other, KEYS.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("its keys are {}", names::list(KEYS, "and")),
                };
                diagnostics.push(wrong(*key, format!("`FP_MODULE` has no key `{other}`"), hint));
                return;
            }
        };
        many.extend(values);
    }
}

/// The strings after the key; adjacent strings are concatenated, as in C. The error is what is not
/// a string.
fn values<'t>(arguments: &[Token<'t>]) -> Result<Vec<Spanned<String>>, Token<'t>> {
    let mut values: Vec<Spanned<String>> = Vec::new();
    let mut separated = false;
    for token in arguments.iter().skip(1) {
        if token.is(",") {
            separated = true;
        } else if is_text(token) {
            let text = unquoted(&token.text[1..]);
            match values.last_mut() {
                Some(last) if !separated => {
                    last.value.push_str(&text);
                    last.span = last.span.to(token.span);
                }
                _ => values.push(Spanned::new(text, token.span)),
            }
            separated = false;
        } else {
            return Err(*token);
        }
    }
    match arguments.first() {
        Some(key) if key.kind != Kind::Word => Err(*key),
        _ => Ok(values),
    }
}

fn wrong(at: Token<'_>, message: impl Into<String>, hint: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::BAD_ANNOTATION, at.span, message, hint)
}

fn check_name(name: &Spanned<String>, diagnostics: &mut Vec<Diagnostic>) {
    if !name.value.split('.').all(names::is_identifier) {
        let like: Vec<String> = name.value.split('.').map(names::identifier_like).collect();
        diagnostics.push(Diagnostic::error(
            Code::BAD_NAME,
            name.span,
            format!("`{}` cannot be a module's name", names::short(&name.value, 40)),
            format!(
                "write `FP_MODULE(name, \"{}\")` in the header",
                names::short(&like.join("."), 40)
            ),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Preamble, Vec<Diagnostic>) {
        let source = Source { path: "my-stats.h".into(), text: text.to_owned() };
        let mut diagnostics = Vec::new();
        let preamble = preamble(&source, "my-stats", &mut diagnostics);
        (preamble, diagnostics)
    }

    #[test]
    fn keys_and_values() {
        let (preamble, diagnostics) = read(
            "#define FP_MODULE(...)\nFP_MODULE(name, \"pkg.stats\")\n\
             FP_MODULE(sources, \"a.c\",\n \"b\" \".c\")\nFP_MODULE(prefix, \"stats_\") FP_MODULE(doc, \"D.\")",
        );
        assert_eq!(diagnostics, []);
        let module = preamble.module;
        assert_eq!(module.name.unwrap().value, "pkg.stats");
        let sources: Vec<&str> = module.sources.iter().map(|text| text.value.as_str()).collect();
        assert_eq!(sources, ["a.c", "b.c"]);
        assert_eq!(module.headers[0].value, "my-stats.h");
        assert_eq!(
            (preamble.prefix.unwrap().value.as_str(), module.doc.as_str()),
            ("stats_", "D.")
        );
    }

    #[test]
    fn mistakes_have_places_and_hints() {
        for (text, place, hint) in [
            ("FP_MODULE(nam, \"x\")", "nam", "did you mean `name`?"),
            ("FP_MODULE(name, \"x\", \"y\")", "name", "write `FP_MODULE(name"),
            ("FP_MODULE(sources, a.c)", "a", "write `FP_MODULE(name"),
            ("FP_MODULE()", "FP_MODULE", "write `FP_MODULE(name"),
            ("FP_MODULE(\"name\")", "\"name\"", "write `FP_MODULE(name"),
        ] {
            let text = format!("FP_MODULE(name, \"stats\") {text}");
            let found = &read(&text).1[0];
            let span = found.primary.span;
            assert_eq!(&text[span.start..span.end], place);
            assert!(found.hint.contains(hint), "{found:?}");
        }
        assert_eq!(read("").1[0].code, Code::BAD_NAME);
    }
}

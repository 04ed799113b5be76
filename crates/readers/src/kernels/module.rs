//! The `[MODULE name]` section.
//!
//! Purpose: parse the sources and libraries of the module, the typemaps, and the defaults for
//! kernels.
//! Invariant: paths are unchanged; nothing is looked up here.
//! Reason: this crate opens no file.

use super::document::{Section, Value};
use super::keys;
use super::settings::{self, ArrayTypes, Dots};
use crate::names;
use crate::prototype::{Declaration, Types};
use fishplate_model::{CType, Code, Diagnostic, Kind, Module, Scalar, Span, Spanned};

/// The content of a `[MODULE]` section.
pub(super) struct Settings {
    pub module: Module,
    /// For prototypes.
    pub types: Types,
    /// For the compiler to confirm.
    pub declared_types: Vec<CType>,
    pub defaults: Defaults,
}

/// The defaults for kernels.
#[derive(Clone)]
pub(super) struct Defaults {
    pub kinds: Vec<Kind>,
    pub dots: Dots,
    pub array_types: ArrayTypes,
    pub debug: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            module: Module::default(),
            types: Types::declared_as(Declaration::Typemap),
            declared_types: Vec::new(),
            defaults: Defaults {
                kinds: vec![Kind::Strided],
                dots: Dots::DEFAULT,
                array_types: ArrayTypes::DEFAULT,
                debug: false,
            },
        }
    }
}

/// Reads the section with this header, which names the module.
pub(super) fn read(
    name: Spanned<String>,
    section: &Section,
    diagnostics: &mut Vec<Diagnostic>,
) -> Settings {
    let entries = keys::of_module(section, diagnostics);
    let mut given = Settings::default();
    diagnostics.extend(names::refuse_module(&name));
    given.module.name = Some(name);
    let value = |key: &str| entries.get(key).map(|entry| &entry.value);
    let paths = |key: &str| value(key).map(Value::lines).unwrap_or_default();
    let words =
        |key: &str| value(key).map(|value| value.parts(char::is_whitespace)).unwrap_or_default();
    given.module.include_dirs = paths("include_dirs");
    given.module.sources = paths("sources");
    given.module.library_dirs = paths("library_dirs");
    given.module.headers = words("includes");
    given.module.headers.retain(|header| {
        let refused = names::refuse_header(header, "`header_code`");
        diagnostics.extend(refused.clone());
        refused.is_none()
    });
    given.module.libraries = words("libraries");
    if let Some(entry) = entries.get("header_code") {
        given.module.header_code = super::code::read(entry, diagnostics);
    }
    if let Some(value) = value("typemaps") {
        typemaps(value, &mut given, diagnostics);
    }
    let defaults = &mut given.defaults;
    if let Some(value) = value("kinds") {
        let kinds = settings::kinds(value, diagnostics);
        if !kinds.value.is_empty() {
            defaults.kinds = kinds.value;
        }
    }
    if let Some(value) = value("ellipses") {
        defaults.dots = settings::ellipses(value, diagnostics).unwrap_or(defaults.dots);
    }
    if let Some(value) = value("arraytypes") {
        defaults.array_types =
            settings::array_types(value, diagnostics).unwrap_or(defaults.array_types);
    }
    if let Some(entry) = entries.get("debug") {
        defaults.debug = settings::boolean(entry, diagnostics).unwrap_or(false);
    }
    given
}

/// One per line: `MKL_INT: int64`.
fn typemaps(value: &Value, given: &mut Settings, diagnostics: &mut Vec<Diagnostic>) {
    for line in value.lines() {
        let Some((left, right)) = line.value.split_once([':', '=']) else {
            let shown = names::short(&line.value, 40);
            diagnostics.push(Diagnostic::error(
                Code::BAD_TYPEMAP,
                line.span,
                format!("`{shown}` does not map a type"),
                "write `C type: dtype`, such as `long: int64`",
            ));
            continue;
        };
        // The meaning of a type does not depend on its `const`.
        let words: Vec<&str> = left.split_whitespace().filter(|word| *word != "const").collect();
        let start = line.span.start;
        let spelling =
            Spanned::new(words.join(" "), Span::new(start, start + left.trim_end().len()));
        let refused = names::refuse_type(&spelling);
        let spelled = refused.is_none();
        diagnostics.extend(refused);
        let name = right.trim();
        let scalar = Scalar::from_name(name);
        if scalar.is_none() {
            let (span, message) = match name {
                "" => (line.span, format!("`{}` maps to an empty type", names::short(left, 40))),
                name => (
                    Span::new(line.span.end - name.len(), line.span.end),
                    format!("`{}` is not a supported type", names::short(name, 40)),
                ),
            };
            let hint = names::meant_scalar(name);
            diagnostics.push(Diagnostic::error(Code::BAD_TYPEMAP, span, message, hint));
        }
        if spelled {
            add_type(&spelling, scalar, given, diagnostics);
        }
    }
}

fn add_type(
    spelling: &Spanned<String>,
    scalar: Option<Scalar>,
    given: &mut Settings,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(scalar) = scalar else {
        given.types.insert_unknown(&spelling.value);
        return;
    };
    if let Some(first) = given.declared_types.iter().find(|first| first.spelling == spelling.value)
    {
        if first.scalar() != scalar {
            let message = format!("`{}` is mapped to two different types", spelling.value);
            let hint = "write the line that agrees with the header";
            diagnostics.push(
                Diagnostic::error(Code::BAD_TYPEMAP, spelling.span, message, hint)
                    .also(first.span, "here first"),
            );
        }
        return;
    }
    let words: Vec<&str> = spelling.value.split(' ').collect();
    if Scalar::from_words(&words).is_none() {
        given.types.insert(&spelling.value, scalar);
    }
    given.declared_types.push(CType::of(scalar, spelling.value.clone(), spelling.span));
}

//! The `[module]` table.
//!
//! Purpose: parse the module to build, and its source files.
//! Invariant: paths and flags are unchanged; nothing is looked up here.
//! Reason: this crate opens no file; a later phase resolves paths relative to the folder of the
//! interface.

use super::mapping;
use super::values::{Value, Values, kind};
use crate::names;
use fishplate_model::{Code, Language, Module, Span, Spanned};
use toml::de::{DeTable, DeValue};

/// The edition of the interface language that this version reads and writes. A change of what an existing interface means
/// is a new edition.
pub const EDITION: u32 = 1;

/// The keys of `[module]`.
pub(super) const KEYS: &[&str] = &[
    "name",
    "doc",
    "language",
    "standard",
    "headers",
    "sources",
    "include-dirs",
    "libraries",
    "library-dirs",
    "cflags",
    "defines",
    "header-code",
    "init",
    "exit",
    "threads",
    "stable-abi",
    "recycle-outputs",
    "edition",
];

/// Reads the table with its header at `place`.
pub(super) fn read(table: &DeTable<'_>, place: Span, values: &mut Values<'_>) -> Module {
    let mut module = Module::default();
    let mut named = false;
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "edition" => check_edition(value, values),
            "name" => {
                named = true;
                module.name = values.string("name", value, "name = \"stats\"");
                if let Some(name) = &module.name {
                    values.diagnostics().extend(names::refuse_module(name));
                }
            }
            "doc" => {
                let doc = values.string("doc", value, "doc = \"Sample statistics.\"");
                module.doc = doc.map(|doc| doc.value).unwrap_or_default();
            }
            "language" => {
                let choices = [Language::C, Language::Cxx].map(|one| (one.name(), one));
                module.language = values.choice("language", value, &choices).unwrap_or_default();
            }
            "standard" => {
                module.standard = values.string("standard", value, "standard = \"c++17\"");
            }
            "threads" => module.safety = mapping::safety(value, values),
            "stable-abi" => {
                module.stable_abi = values.boolean("stable-abi", true, value).unwrap_or_default();
            }
            "recycle-outputs" => {
                module.recycles = values.boolean("recycle-outputs", false, value);
            }
            "headers" => {
                module.headers = values.strings("headers", value, "[\"stats.h\"]");
                module.headers.retain(|header| {
                    let refused = names::refuse_header(header, "`header-code`");
                    values.diagnostics().extend(refused.clone());
                    refused.is_none()
                });
            }
            "sources" => module.sources = values.strings("sources", value, "[\"stats.c\"]"),
            "include-dirs" => {
                module.include_dirs = values.strings("include-dirs", value, "[\"include\"]");
            }
            "libraries" => module.libraries = values.strings("libraries", value, "[\"m\"]"),
            "library-dirs" => {
                module.library_dirs = values.strings("library-dirs", value, "[\"lib\"]");
            }
            "cflags" => module.cflags = values.strings("cflags", value, "[\"-O3\"]"),
            "init" => module.init = values.strings("init", value, "[\"start\"]"),
            "exit" => module.exit = values.strings("exit", value, "[\"finish\"]"),
            "defines" => module.defines = defines(value, values),
            "header-code" => {
                module.header_code = values.string("header-code", value, "\"#define N 10\"");
            }
            _ => values.unknown("`[module]`", &key, KEYS),
        }
    }
    refuse_standard(&mut module, values);
    if !named {
        values.missing(
            table,
            "name",
            place,
            "`[module]` has no `name`",
            "add `name = \"...\"`, the name to import",
        );
    }
    module
}

/// Reports an edition of the interface language that this version does not read.
fn check_edition(value: &Value<'_>, values: &mut Values<'_>) {
    let number = match value.get_ref() {
        DeValue::Integer(number) => number.to_string().parse::<u32>().ok(),
        _ => None,
    };
    match number {
        Some(EDITION) => {}
        Some(later) if later > EDITION => values.wrong(
            value,
            format!("edition {later} is later than this Fishplate, which reads edition {EDITION}"),
            "install a later version of Fishplate",
        ),
        _ => values.wrong(
            value,
            "`edition` is the number of an edition".to_owned(),
            format!("write `edition = {EDITION}`"),
        ),
    }
}

/// A standard must match the module's language; for a standard of the other language, `language`
/// was probably forgotten.
fn refuse_standard(module: &mut Module, values: &mut Values<'_>) {
    let language = module.language;
    let Some(standard) = module.standard.take_if(|name| !language.has_standard(&name.value)) else {
        return;
    };
    let shown = names::short(&standard.value, 40);
    let (other, example) = match language {
        Language::C => (Language::Cxx, "c11"),
        Language::Cxx => (Language::C, "c++17"),
    };
    let name = language.name();
    let (message, hint) = if other.has_standard(&standard.value) {
        (
            format!(
                "`{shown}` is a standard of {}, and this module's language is {name}",
                other.name()
            ),
            format!(
                "write `language = \"{}\"` too, or a standard such as `{example}`",
                other.name()
            ),
        )
    } else {
        (
            format!("`{shown}` is not a standard of {name}"),
            format!("write it as after `-std=`, for example `{example}`"),
        )
    };
    values.error(Code::WRONG_VALUE, standard.span, message, hint);
}

/// A list of `NAME` and `NAME=VALUE`, or a table of names and values.
fn defines(value: &Value<'_>, values: &mut Values<'_>) -> Vec<Spanned<String>> {
    let defines = match value.get_ref() {
        DeValue::Table(table) => values
            .entries(table)
            .into_iter()
            .filter_map(|(key, value)| {
                let text = define_value(&key.value, value, values)?;
                let span = key.span.to(values.span(value));
                Some(Spanned::new(format!("{}{text}", key.value), span))
            })
            .collect(),
        DeValue::Array(_) => values.strings("defines", value, "[\"NDEBUG\", \"N=10\"]"),
        other => {
            values.wrong(
                value,
                format!("`defines` is a list of strings or a table, not {}", kind(other)),
                "write `defines = [\"NDEBUG\", \"N=10\"]`, or `defines = { N = 10 }`",
            );
            Vec::new()
        }
    };
    for define in &defines {
        let name = define.value.split('=').next().unwrap_or_default();
        // A macro may have parameters: `F(x)=x`.
        let name = name.split('(').next().unwrap_or_default();
        if !names::is_identifier(name) {
            let shown = names::short(&define.value, 40);
            values.error(
                Code::BAD_NAME,
                define.span,
                format!("`{shown}` does not define a macro"),
                "write `NAME` or `NAME=VALUE`, without `-D`",
            );
        }
    }
    defines
}

/// The text after the macro's name: empty, or `=` and its value.
fn define_value(name: &str, value: &Value<'_>, values: &mut Values<'_>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(_) => {
            let example = format!("{name} = \"1\"");
            values.string(name, value, &example).map(|text| format!("={}", text.value))
        }
        // In C's notation: TOML's octal and binary notations are not C's.
        DeValue::Integer(number) if number.radix() == 16 => Some(format!("={number}")),
        DeValue::Integer(number) => {
            let parsed = i128::from_str_radix(number.as_str(), number.radix()).ok()?;
            Some(format!("={parsed}"))
        }
        DeValue::Float(number) => Some(format!("={}", number.as_str())),
        DeValue::Boolean(true) => Some(String::new()),
        other => {
            values.wrong(
                value,
                format!("the value of a macro is a string or a number, not {}", kind(other)),
                format!("write `{name} = \"...\"`, or leave the macro out"),
            );
            None
        }
    }
}

//! Macros whose values are constants.
//!
//! Purpose: find the names that a header defines, write queries for the preprocessor, and select
//! the answers that are C values.
//! Invariant: a constant consists of literals, enumerators and operators; anything else is not a
//! constant.
//! Reason: the preprocessor replaces macros and keeps no names, and only it can evaluate which of
//! them are defined here.

use super::meaning::Meaning;
use super::preprocessed::Preprocessed;
use super::syntax::Unit;
use crate::prototype::lexer::{self, Kind};
use crate::span_map::SpanMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tree_sitter::{Node, Parser};

/// The marker before each answer.
const ASKED: &str = "__fishplate_macro__";

/// The macros without parameters that a header's own text defines.
pub fn defined(text: &str) -> BTreeSet<String> {
    let names = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
        let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
        let end = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
        let (name, value) = rest.split_at(end.unwrap_or(rest.len()));
        let is_guard = ["_INCLUDED", "_H", "_H_"].iter().any(|end| name.ends_with(end));
        let is_constant =
            !name.starts_with('_') && !is_guard && value.starts_with([' ', '\t', '\\']);
        (is_constant && crate::names::is_identifier(name)).then(|| name.to_owned())
    });
    names.collect()
}

/// The names in sizes and defaults of an annotated header: the preprocessor leaves them unchanged.
pub fn in_annotations(text: &str) -> BTreeSet<String> {
    let tokens = lexer::lex(text, &SpanMap::verbatim(text, 0), &mut Vec::new());
    let mut names = BTreeSet::new();
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let begins = at > 0
            && matches!(tokens[at - 1].text, "FP_SHAPE" | "FP_DEFAULT" | "FP_INDEX" | "FP_OFFSETS");
        if token.is("(") && (depth > 0 || begins) {
            depth += 1;
        } else if token.is(")") {
            depth = depth.saturating_sub(1);
        } else if depth > 0 && token.kind == Kind::Word {
            names.insert(token.text.to_owned());
        }
    }
    names
}

/// Queries by which the preprocessor prints the replacement of these macros, if they are defined.
pub fn asking(names: &BTreeSet<String>) -> String {
    names.iter().fold(String::new(), |mut text, name| {
        let _ = write!(text, "#ifdef {name}\n{ASKED} \"{name}\" {name}\n#endif\n");
        text
    })
}

/// The output of the preprocessor for the headers, and for the queries after them.
pub fn split(printed: &str) -> (&str, &str) {
    printed.split_at(printed.find(ASKED).unwrap_or(printed.len()))
}

/// The replacements that the preprocessor printed.
pub fn answers(printed: &str) -> BTreeMap<String, String> {
    let text = Preprocessed::new(printed).text;
    let mut found = BTreeMap::new();
    for answer in text.split(ASKED).skip(1) {
        let mut parts = answer.trim_start().splitn(3, '"').skip(1);
        if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
            found.insert(name.to_owned(), value);
        }
    }
    found
}

/// True for an expression that has the same value everywhere.
pub fn is_constant(value: &str, unit: &Unit<'_>, enumerators: &BTreeSet<&str>) -> bool {
    const BEFORE: &str = "int x = ";
    let mut parser = Parser::new();
    if value.is_empty() || parser.set_language(&tree_sitter_c::LANGUAGE.into()).is_err() {
        return false;
    }
    let text = format!("{BEFORE}{value};");
    let Some(tree) = parser.parse(&text, None) else { return false };
    let root = tree.root_node();
    if root.has_error() || root.named_child_count() != 1 {
        return false;
    }
    let declared = root.named_child(0).and_then(|node| node.child_by_field_name("declarator"));
    let Some(node) = declared.and_then(|node| node.child_by_field_name("value")) else {
        return false;
    };
    node.end_byte() + 1 == text.len() && is_value(node, &text, unit, enumerators)
}

fn is_value(node: Node<'_>, text: &str, unit: &Unit<'_>, enumerators: &BTreeSet<&str>) -> bool {
    let mut cursor = node.walk();
    let mut all = node.named_children(&mut cursor);
    let here = &text[node.byte_range()];
    match node.kind() {
        "number_literal" => true,
        "char_literal" => here.starts_with('\''),
        "string_literal" => here.starts_with('"'),
        "concatenated_string" => all.all(|part| is_value(part, text, unit, enumerators)),
        "identifier" => enumerators.contains(here),
        "parenthesized_expression"
        | "binary_expression"
        | "unary_expression"
        | "conditional_expression" => all.all(|part| is_value(part, text, unit, enumerators)),
        "cast_expression" => {
            let of_type = node.child_by_field_name("type");
            let words: Vec<&str> = of_type
                .map_or("", |of_type| &text[of_type.byte_range()])
                .split_whitespace()
                .collect();
            let value = node.child_by_field_name("value");
            matches!(unit.meaning(&words), Meaning::Scalar(_))
                && value.is_some_and(|value| is_value(value, text, unit, enumerators))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{mask::mask, syntax::parse};
    use super::*;

    #[test]
    fn definitions_are_found_and_asked_for() {
        let text =
            "#define A 1\n # define B(x) x\n#define C\n#define D \\\n 2\n#define _E 3\n#undef F\n";
        let names = defined(text);
        assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), ["A", "D"]);
        let asked = asking(&names);
        assert_eq!(asked.lines().nth(1), Some("__fishplate_macro__ \"A\" A"));
        let printed = "int f;\n__fishplate_macro__ \"A\"\n# 3 \"a.h\" 3 4\n (1\n# 4 \"b.c\"\n | 2)\n\
                       __fishplate_macro__ \"D\" \"x\"\n";
        let found = answers(printed);
        assert_eq!((found["A"].as_str(), found["D"].as_str()), ("(1 | 2)", "\"x\""));
    }

    #[test]
    fn constants_are_made_of_constants() {
        let source = "enum { ONE }; typedef unsigned long size_t; typedef void (*f)(void);";
        let unit = parse(source, &mask(source));
        let enumerators = BTreeSet::from(["ONE"]);
        for (value, is) in [
            ("1", true),
            ("(-1 << 3 | ONE)", true),
            ("((size_t) -1)", true),
            ("1.5e3", true),
            ("\"a\" \"b\"", true),
            ("'x'", true),
            ("1 ? 2 : 3", true),
            ("((f) -1)", false),
            ("(void *) 0", false),
            ("other", false),
            ("g(1)", false),
            ("1, 2", false),
            ("1; int y", false),
            ("L\"a\"", false),
            ("+", false),
            ("{1}", false),
            ("(1", false),
            ("__attribute__((x))", false),
            ("x = 1", false),
            ("", false),
        ] {
            assert_eq!(is_constant(value, &unit, &enumerators), is, "{value}");
        }
    }
}

//! Directives of the C preprocessor in Fortran sources.
//!
//! Purpose: keep the lines whose conditions hold.
//! Invariant: each line keeps its number; macros in other lines are not replaced.
//! Reason: sources named `.F90` choose kinds and whole procedures by `#ifdef`.

use std::collections::BTreeMap;

/// One `#if`.
struct Condition {
    /// Its lines are kept.
    holds: bool,
    /// One of its branches was kept.
    held: bool,
    /// The lines around it are kept.
    outer: bool,
}

/// The text without the lines whose conditions do not hold. `defines` are macros, as after `-D`.
pub fn preprocess(text: &str, defines: &[String]) -> String {
    let mut macros: BTreeMap<String, String> = defines.iter().map(|one| define(one, '=')).collect();
    let mut open: Vec<Condition> = Vec::new();
    let mut kept = String::new();
    for line in text.lines() {
        let is_kept = open.last().is_none_or(|one| one.holds);
        if let Some(directive) = line.strip_prefix('#') {
            let directive = directive.trim();
            let end = directive.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(directive.len());
            let (word, rest) = directive.split_at(end);
            let rest = rest.trim();
            match word {
                "ifdef" => open.push(Condition::new(is_kept, macros.contains_key(rest))),
                "ifndef" => open.push(Condition::new(is_kept, !macros.contains_key(rest))),
                "if" => open.push(Condition::new(is_kept, value(rest, &macros))),
                "elif" | "else" => {
                    if let Some(one) = open.last_mut() {
                        let holds = word == "else" || value(rest, &macros);
                        one.holds = one.outer && !one.held && holds;
                        one.held |= one.holds;
                    }
                }
                "endif" => drop(open.pop()),
                "define" if is_kept => macros.extend([define(rest, ' ')]),
                "undef" if is_kept => drop(macros.remove(rest)),
                _ => {}
            }
        } else if is_kept {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    kept
}

impl Condition {
    fn new(outer: bool, holds: bool) -> Self {
        Condition { holds: outer && holds, held: holds, outer }
    }
}

fn define(text: &str, separator: char) -> (String, String) {
    let (name, value) = text.split_once(separator).unwrap_or((text, "1"));
    (name.trim().to_owned(), value.trim().to_owned())
}

/// The value of a condition: alternatives of names, numbers, `defined(NAME)`, comparisons and negations. Other ones are
/// false.
fn value(text: &str, macros: &BTreeMap<String, String>) -> bool {
    text.split("||").any(|part| part.split("&&").all(|one| term(one.trim(), macros)))
}

fn term(text: &str, macros: &BTreeMap<String, String>) -> bool {
    if let Some(rest) = text.strip_prefix('!').filter(|rest| !rest.starts_with('=')) {
        return !term(rest.trim(), macros);
    }
    let number = |text: &str| {
        let text = text.trim().trim_matches(['(', ')']).trim();
        let text = macros.get(text).map_or(text, String::as_str);
        text.parse::<i64>().unwrap_or_default()
    };
    for (sign, compare) in [
        ("==", i64::eq as fn(&i64, &i64) -> bool),
        ("!=", i64::ne),
        (">=", i64::ge),
        ("<=", i64::le),
        (">", i64::gt),
        ("<", i64::lt),
    ] {
        if let Some((left, right)) = text.split_once(sign) {
            return compare(&number(left), &number(right));
        }
    }
    let text = text.trim_matches(['(', ')']).trim();
    match text.strip_prefix("defined") {
        Some(name) => macros.contains_key(name.trim().trim_matches(['(', ')']).trim()),
        None => number(text) != 0,
    }
}

//! Names: validity, and suggestions for misspelt ones.
//!
//! Purpose: one place for the rules of identifiers, the keyword lists and "did you mean".
//! Invariant: a name that passes here is an identifier of C; `check` adds the names that a target
//! language reserves.
//! Reason: an error for a bad name points at the interface; without it, the compiler's points at
//! generated C.

use fishplate_model::{Code, Diagnostic, Scalar, Spanned};

/// Keywords of C99 and C11 that are not type specifiers.
const C_KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "const",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extern",
    "for",
    "goto",
    "if",
    "inline",
    "register",
    "restrict",
    "return",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
];

/// C's type specifiers, which are always part of a type.
const C_SPECIFIERS: &[&str] = &[
    "void", "_Bool", "bool", "char", "short", "int", "long", "float", "double", "signed",
    "unsigned", "_Complex", "complex",
];

/// Keywords of prototypes that cannot be the name of a type.
const INTERFACE_WORDS: &[&str] =
    &["in", "inplace", "inout", "out", "hidden", "nullable", "fortran", "status"];

/// True for an ASCII identifier, as in C.
pub fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}

/// True for a keyword of C, type specifiers included.
pub(crate) fn is_c_keyword(name: &str) -> bool {
    C_KEYWORDS.contains(&name) || is_c_specifier(name)
}

/// True for a word that is always part of a C type. `bool` and `complex` count: they are macros or
/// keywords wherever a prototype uses them.
pub(crate) fn is_c_specifier(name: &str) -> bool {
    C_SPECIFIERS.contains(&name)
}

/// An identifier similar to `name`, as a suggestion if `name` itself is not valid.
pub(crate) fn identifier_like(name: &str) -> String {
    let mut like: String = name
        .chars()
        .take(40)
        .map(|c| if c == '_' || c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if like.is_empty() || like.starts_with(|c: char| c.is_ascii_digit()) {
        like.insert(0, '_');
    }
    if is_c_keyword(&like) {
        like.push('_');
    }
    like
}

/// True for a name of C or C++: `size_t`, `lib::real`.
pub(crate) fn is_qualified(name: &str) -> bool {
    name.split("::").all(is_identifier)
}

/// The replacement for a C++ type that has no counterpart in a target language.
pub(crate) fn instead_of(name: &str) -> String {
    let taken = match name {
        "std::vector" | "std::array" | "std::span" | "std::valarray" => {
            "a pointer and a length, such as `const double x[n]`"
        }
        "std::string" | "std::string_view" => "a `const char *` or a pointer and a length",
        "std::complex" => "a pointer to `double complex`, which lies in memory alike",
        _ => "numbers and pointers to numbers",
    };
    format!("write a function that takes {taken}, in `header-code` say, and wrap that")
}

/// The mistake in the name of a function, if any.
pub(crate) fn refuse_function(name: &Spanned<String>) -> Option<Diagnostic> {
    refuse_member(name, "a function")
}

/// The mistake in the name of a module's member: `what`, such as `a constant`.
pub(crate) fn refuse_member(name: &Spanned<String>, what: &str) -> Option<Diagnostic> {
    let shown = short(&name.value, 40);
    let like = short(&identifier_like(&name.value), 40);
    let (message, hint) = if !is_identifier(&name.value) {
        (
            format!("`{shown}` cannot be {what}'s name"),
            format!("use letters, digits and `_`, such as `{like}`"),
        )
    } else if name.value.len() > LONGEST {
        too_long(&name.value, what)
    } else {
        return None;
    };
    Some(Diagnostic::error(Code::BAD_NAME, name.span, message, hint))
}

/// Names become parts of file names, which are limited to 255 bytes.
const LONGEST: usize = 100;

fn too_long(name: &str, what: &str) -> (String, String) {
    (
        format!("`{}` is too long for {what}'s name", short(name, 40)),
        format!("it has {} letters; write {LONGEST} at most", name.len()),
    )
}

/// The mistake in the name of a module, if any.
pub(crate) fn refuse_module(name: &Spanned<String>) -> Option<Diagnostic> {
    let parts: Vec<&str> = name.value.split('.').collect();
    let shown = short(&name.value, 40);
    let (message, hint) = if !parts.iter().all(|part| is_identifier(part)) {
        let like: Vec<String> = parts.iter().map(|part| identifier_like(part)).collect();
        let like = short(&like.join("."), 40);
        (
            format!("`{shown}` cannot be a module's name"),
            format!("use letters, digits and `_`, with dots between packages, such as `{like}`"),
        )
    } else if let Some(part) = parts.iter().find(|part| part.len() > LONGEST) {
        too_long(part, "a module")
    } else {
        return None;
    };
    Some(Diagnostic::error(Code::BAD_NAME, name.span, message, hint))
}

/// The mistake in the spelling of a declared type, if any. C's own types may be declared; such
/// declarations are confirmed.
pub(crate) fn refuse_type(key: &Spanned<String>) -> Option<Diagnostic> {
    let words: Vec<&str> = key.value.split_whitespace().collect();
    let shown = short(&key.value, 40);
    let (message, hint) = if words.is_empty() || !words.iter().all(|word| is_qualified(word)) {
        (
            format!("`{shown}` is not the name of a C type"),
            "write one or more words, without `*` and without `[]`",
        )
    } else if let Some(word) = words.iter().find(|word| INTERFACE_WORDS.contains(word)) {
        (
            format!("`{word}` is a word of the interface language and cannot name a type"),
            "give the C type another name with a `typedef` in a header",
        )
    } else if Scalar::from_words(&words).is_some() {
        return None;
    } else if words.iter().all(|word| is_c_specifier(word)) {
        (format!("`{shown}` is defined by C, and is not a supported type"), "remove it")
    } else if is_c_keyword(words[words.len() - 1]) {
        (
            format!("`{shown}` does not end in the name of a type"),
            "write the type as the header has it, such as `\"enum color\"`",
        )
    } else {
        return None;
    };
    Some(Diagnostic::error(Code::BAD_NAME, key.span, message, hint))
}

/// A hint for a `name` that should be a scalar type and is not.
pub(crate) fn meant_scalar(name: &str) -> String {
    let arrays = Scalar::ALL.iter().map(|scalar| scalar.dtype_name());
    let spellings = Scalar::ALL.iter().map(|scalar| scalar.c_name());
    match closest(name, arrays.chain(spellings)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            "write a name such as `int64`, `float32`, `complex128` or `bool`, or C's `unsigned long`"
                .to_owned()
        }
    }
}

/// The candidate that was likely meant by `name`, if one is close enough.
pub(crate) fn closest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // Distance is quadratic in length, and valid names are short.
    let length = name.chars().count();
    if length > 64 {
        return None;
    }
    let allowed = (length / 3).max(1);
    let name = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let other = candidate.to_lowercase();
            (strsim::osa_distance(&name, &other), strsim::jaro(&name, &other), candidate)
        })
        .filter(|(distance, _, candidate)| *distance <= allowed && *distance < candidate.len())
        // At equal distance, swapped letters are likelier than other letters.
        .min_by(|(near, like, _), (far, unlike, _)| {
            near.cmp(far).then_with(|| unlike.total_cmp(like))
        })
        .map(|(_, _, candidate)| candidate)
}

/// Refuses anything after `#include` other than a path, or a name in angle brackets. `elsewhere` is
/// the place for other C code.
pub fn refuse_header(header: &Spanned<String>, elsewhere: &str) -> Option<Diagnostic> {
    if is_header(&header.value) {
        return None;
    }
    Some(Diagnostic::error(
        Code::WRONG_VALUE,
        header.span,
        format!("`{}` is not the name of a header", short(header.value.trim(), 40)),
        format!(
            "write a path, `\"stats.h\"`, or a name in angle brackets, `\"<math.h>\"`; other C goes into \
             {elsewhere}"
        ),
    ))
}

fn is_header(text: &str) -> bool {
    let text = text.trim();
    let name = text.strip_prefix('<').map_or(Some(text), |rest| rest.strip_suffix('>'));
    name.is_some_and(|name| {
        !name.is_empty() && !name.contains(['"', '<', '>']) && !name.contains(char::is_control)
    })
}

/// `` `a`, `b` and `c` ``, for messages.
pub(crate) fn list(names: &[&str], last: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
    }
}

/// At most `limit` characters of `text`, to keep messages short.
pub fn short(text: &str, limit: usize) -> String {
    let flat: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= limit {
        flat
    } else {
        flat.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_valid_in_three_languages() {
        assert!(is_identifier("mean_2") && is_identifier("_x"));
        assert!(!is_identifier("2x") && !is_identifier("") && !is_identifier("é"));
        assert!(!is_identifier("a-b") && !is_identifier("a.b"));
    }

    #[test]
    fn type_specifiers_are_keywords() {
        assert!(is_c_keyword("restrict") && is_c_keyword("double") && !is_c_keyword("in"));
    }

    #[test]
    fn suggestions_can_be_used() {
        for name in ["", "2d", "a-b", "é", "int"] {
            let like = identifier_like(name);
            assert!(is_identifier(&like) && !is_c_keyword(&like), "{name} -> {like}");
        }
    }

    #[test]
    fn close_names_are_suggested_and_far_ones_are_not() {
        assert_eq!(closest("heders", ["headers", "sources"]), Some("headers"));
        assert_eq!(closest("dco", ["doc", "defines"]), Some("doc"));
        assert_eq!(closest("Docs", ["doc", "defines"]), Some("doc"));
        assert_eq!(closest("int46", ["int16", "int64"]), Some("int64"));
        assert_eq!(closest("colour", ["headers", "sources"]), None);
        assert_eq!(closest("x", ["y"]), None, "one letter is no evidence");
    }

    #[test]
    fn lists_read_as_english() {
        assert_eq!(list(&["a"], "or"), "`a`");
        assert_eq!(list(&["a", "b", "c"], "or"), "`a`, `b` or `c`");
        assert_eq!(short("a  b\nc", 10), "a b c");
        assert_eq!(short("abcdef", 4), "abc…");
    }
}

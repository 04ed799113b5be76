//! Declarations of annotated headers that cannot be parsed.
//!
//! Purpose: find the likeliest mistake: a misspelt annotation, a keyword of interface files, C++.
//! Invariant: adds to the grammar's report and decides nothing else.
//! Reason: the grammar reports only where it failed, which is often after the faulty word.

use super::mask::{Annotation, Masked};
use super::{ANNOTATIONS, prototype};
use crate::names;
use crate::prototype::lexer::{Kind, Token};
use std::ops::Range;
use std::sync::LazyLock;

/// The names of the annotations.
static KNOWN: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let defined = ANNOTATIONS.lines().filter_map(|line| line.strip_prefix("#define "));
    let names = defined.filter_map(|rest| rest.split('(').next());
    names.filter(|name| name.starts_with("FP_")).collect()
});

/// A mistake: the faulty word, and the report.
pub(crate) struct Mistake<'t> {
    pub word: &'t str,
    pub message: String,
    pub hint: String,
}

/// The replacement for C++, wherever it occurs.
pub const NOT_CXX: &str = "write a C function; for C++, a `.toml` interface with `language = \"c++\"`, which `fishplate init --language c++` \
     drafts";

/// The declaration around a place: its tokens, as indices. It begins and ends at a semicolon or a
/// brace.
pub(crate) fn declaration(masked: &Masked<'_>, at: usize) -> Range<usize> {
    let tokens = &masked.tokens;
    let ends = |token: &Token<'_>| token.is(";") || token.is("{") || token.is("}");
    let here = tokens.partition_point(|token| token.span.start < at);
    let from = tokens[..here].iter().rposition(ends).map_or(0, |end| end + 1);
    let to = tokens[here..].iter().position(ends).map_or(tokens.len(), |length| here + length);
    from..to
}

/// The place of a declaration with its annotations, which are between the tokens.
pub(crate) fn region(masked: &Masked<'_>, indices: &Range<usize>) -> Range<usize> {
    let tokens = &masked.tokens;
    let before = indices.start.checked_sub(1).map_or(0, |end| tokens[end].span.end);
    let after = tokens.get(indices.end).map_or(usize::MAX, |end| end.span.start);
    before..after
}

/// The mistake in a declaration, if it is a common one.
pub(crate) fn mistake<'t>(masked: &Masked<'t>, indices: Range<usize>) -> Option<Mistake<'t>> {
    let region = region(masked, &indices);
    let declaration = &masked.tokens[indices];
    let unprotected = || unprotected(masked, &region);
    misspelt(declaration)
        .or_else(|| called(masked, &region).map(|(_, found)| found))
        .or_else(unprotected)
        .or_else(|| of_interfaces(declaration))
        .or_else(|| cxx(declaration))
}

/// `FP_OT`: the preprocessor has replaced the existing annotations.
fn misspelt<'t>(tokens: &[Token<'t>]) -> Option<Mistake<'t>> {
    let is_lower = |word: &str| KNOWN.contains(&word.to_ascii_uppercase().as_str());
    let word =
        tokens.iter().find(|token| token.text.starts_with("FP_") || is_lower(token.text))?.text;
    if KNOWN.contains(&word) {
        return Some(Mistake {
            word,
            message: format!("`{word}` has no value"),
            hint: format!("write it in parentheses, as in `{word}({})`", example(word)),
        });
    }
    let near = OTHER_WORDS.iter().find(|(other, _)| *other == word).map(|(_, name)| *name);
    let near =
        near.or_else(|| KNOWN.iter().copied().find(|name| *name == word.to_ascii_uppercase()));
    Some(Mistake {
        word,
        message: format!("`{word}` is not an annotation"),
        hint: match near.or_else(|| names::closest(word, KNOWN.iter().copied())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write one that fishplate.h defines, such as `FP_OUT`".to_owned(),
        },
    })
}

/// Other words for annotations.
const OTHER_WORDS: [(&str, &str); 7] = [
    ("FP_SIZE", "FP_SHAPE"),
    ("FP_LEN", "FP_SHAPE"),
    ("FP_LENGTH", "FP_SHAPE"),
    ("FP_COUNT", "FP_SHAPE"),
    ("FP_DIM", "FP_SHAPE"),
    ("FP_OPTIONAL", "FP_NULLABLE"),
    ("FP_STRING", "FP_TEXT"),
];

/// The arguments that an annotation may have.
fn example(annotation: &str) -> &'static str {
    match annotation {
        "FP_SHAPE" => "n",
        "FP_DEFAULT" => "1",
        "FP_NAME" => "mean",
        "FP_RETURNS" => "result",
        "FP_GIL" => "release",
        "FP_OWN" => "free",
        "FP_INDEX" => "n",
        _ => "x",
    }
}

/// `FP_OUT()`: an annotation without parameters that has parentheses, and its place.
pub(crate) fn called<'t>(
    masked: &Masked<'t>,
    region: &Range<usize>,
) -> Option<(usize, Mistake<'t>)> {
    let found = masked.annotations_in(region).iter();
    let mut called =
        found.filter_map(|annotation| Some((annotation.at, parentheses(masked, annotation)?)));
    called.next()
}

/// The mistake in an annotation without parameters that has `()` after it.
fn parentheses<'t>(masked: &Masked<'t>, found: &Annotation) -> Option<Mistake<'t>> {
    let next = masked.tokens.partition_point(|token| token.span.start < found.at);
    let [open, close, ..] = &masked.tokens[next..] else { return None };
    // Of several annotations before the parentheses, they belong to the last.
    let is_last = masked.annotations_in(&(found.at + 1..open.span.start)).is_empty();
    if !found.argument.is_empty() || !open.is("(") || !close.is(")") || !is_last {
        return None;
    }
    let name = prototype::written(&found.name);
    let word = KNOWN.iter().copied().find(|word| *word == name)?;
    Some(Mistake {
        word,
        message: format!("`{word}` takes no parentheses"),
        hint: format!("write `{word}`"),
    })
}

/// A macro that was expanded in its own declaration: only such declarations contain `FP_MACRO`.
fn unprotected<'t>(masked: &Masked<'t>, region: &Range<usize>) -> Option<Mistake<'t>> {
    let is_macro = masked.annotations_in(region).iter().any(|found| found.name == "macro");
    is_macro.then(|| Mistake {
        word: "FP_MACRO",
        message: "the name of this macro is not in parentheses, so it was expanded".to_owned(),
        hint: "write `FP_MACRO double (half)(double x);`".to_owned(),
    })
}

/// `out double *y` and `double x = 1`: the syntax of prototypes in interface files.
fn of_interfaces<'t>(tokens: &[Token<'t>]) -> Option<Mistake<'t>> {
    for (at, token) in tokens.iter().enumerate() {
        let begins = at == 0 || ["(", ","].iter().any(|mark| tokens[at - 1].is(mark));
        let goes_on = tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Word);
        let annotation = prototype::macro_of(token.text)
            .filter(|_| token.kind == Kind::Word && begins && goes_on);
        if let Some(name) = annotation {
            let word = token.text;
            return Some(Mistake {
                word,
                message: format!("`{word}` is a word of interface files, and this is C"),
                hint: format!("write `{name}`"),
            });
        }
    }
    let inside = tokens.iter().position(|token| token.is("("))?;
    let equals = tokens[inside..].iter().position(|token| token.is("="))?;
    Some(Mistake {
        word: tokens[inside + equals].text,
        message: "a parameter has no default in C".to_owned(),
        hint: "write the default after the name, as in `double x FP_DEFAULT(1)`".to_owned(),
    })
}

/// Keywords and operators that only C++ has.
pub(crate) fn cxx<'t>(tokens: &[Token<'t>]) -> Option<Mistake<'t>> {
    let is_cxx = |token: &&Token<'_>| match token.kind {
        Kind::Word => {
            matches!(token.text, "template" | "namespace" | "class" | "using" | "constexpr")
                || token.text.contains("::")
        }
        _ => matches!(token.text, "::" | "&" | "&&"),
    };
    let word = tokens.iter().find(is_cxx)?.text;
    Some(Mistake {
        word,
        message: format!("`{word}` is C++; this header must be C"),
        hint: NOT_CXX.to_owned(),
    })
}

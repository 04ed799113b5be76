//! A whole prototype: result, name, arguments.
//!
//! Purpose: split the tokens into the part before the arguments, each argument and the rest, and
//! parse each part separately.
//! Invariant: brackets are balanced before anything is split, so that commas split where C splits.
//! Reason: errors in one part do not hide those in another, and all are reported at once.

use super::Form;
use super::argument;
use super::brackets;
use super::lexer::{Kind, Token};
use super::types::Types;
use super::unpacked::{Arguments, Declared, ReturnedStruct};
use super::{callback, owner, result, retention};
use crate::names;
use fishplate_model::{
    Argument, CResult, CType, Callee, Code, Diagnostic, PerArgument, Span, Spanned, Unpacked,
};

/// The parts of a prototype.
pub(crate) struct Parts {
    pub c_name: Spanned<String>,
    pub result: CResult,
    pub arguments: PerArgument<Argument>,
    pub unpacked: Vec<Unpacked>,
    pub callee: Callee,
}

impl Parts {
    /// Every type that is used.
    pub(crate) fn ctypes(&self) -> impl Iterator<Item = &CType> {
        self.result.ctype().into_iter().chain(self.arguments.iter().map(|argument| &argument.ctype))
    }
}

/// Parses all tokens of a prototype whose place is `whole`. Parts are returned only if none of them
/// is missing.
pub(crate) fn parse(
    tokens: &[Token<'_>],
    whole: Span,
    form: Form,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Parts> {
    if tokens.is_empty() {
        // If there was a token, the lexer has reported the mistake.
        if diagnostics.is_empty() {
            let hint = "write the C declaration, as in `double f(double x)`";
            diagnostics.push(error(whole, "the prototype is empty", hint));
        }
        return None;
    }
    if let Some(found) = brackets::unbalanced(tokens) {
        diagnostics.push(found);
        return None;
    }
    if let Some(place) = too_deep(tokens) {
        diagnostics.push(error(
            place,
            format!("callbacks are nested more than {MAX_LEVELS} levels deep"),
            "write a `typedef` of the inner ones in a header, and declare it by `[callback]`",
        ));
        return None;
    }
    // In plain C, `macro` may be the name of a type.
    let (callee, tokens) = match tokens {
        [word, rest @ ..] if word.is_word("macro") && form == Form::Annotated => {
            (Callee::Macro, rest)
        }
        _ => (Callee::Function, tokens),
    };
    let bare = without_parentheses(tokens);
    let tokens = bare.as_slice();
    let Some(open) = opening(tokens) else {
        diagnostics.push(error(
            whole,
            "missing list of arguments",
            "write it as C does, as in `double f(double x)`, or `int f(void)` without arguments",
        ));
        return None;
    };
    let mut close = open + brackets::closing(&tokens[open..]);
    let mut shorter = tokens.to_vec();
    let callee = match variadic(&tokens[open..=close]) {
        Some((declared, at)) if callee == Callee::Function && form == Form::Annotated => {
            // With the comma before it.
            shorter.drain(open + at - 1..=open + at);
            close -= 2;
            Callee::Variadic(declared)
        }
        _ => callee,
    };
    let tokens = shorter.as_slice();
    let (behind, rest) = dimensions(&tokens[close + 1..]);
    let head = head(&tokens[..open], tokens[open], behind, form, types, diagnostics);
    let returned = head.as_ref().and_then(|head| head.2.as_ref());
    let arguments = all_arguments(&tokens[open..=close], returned, form, types, diagnostics);
    if let (Some((arguments, _)), true) = (&arguments, form != Form::Callback) {
        callback::refuse_strangers(arguments, diagnostics);
    }
    tail(rest, diagnostics);
    let ((c_name, mut result, _), (mut arguments, unpacked)) = (head?, arguments?);
    retention::move_objects(&mut result, &mut arguments);
    result::refuse_data(&result, &arguments.raw, diagnostics);
    if let (Callee::Variadic(_), Some(one)) = (callee, unpacked.first()) {
        diagnostics.push(Diagnostic::error(
            Code::UNSUPPORTED_TYPE,
            one.span,
            "unpacked structs of functions with a variable number of arguments are not supported",
            "write a C function with the arguments you need, and wrap that",
        ));
    }
    Some(Parts { c_name, result, arguments, unpacked, callee })
}

/// The number of arguments before `...`, and its place; `tokens` are the list with its parentheses. C needs one before.
fn variadic(tokens: &[Token<'_>]) -> Option<(usize, usize)> {
    let mut depth = 0;
    let mut declared = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 1 => declared += 1,
            "..." if depth == 1 && declared > 0 && tokens[at - 1].is(",") => {
                let ends = tokens.get(at + 1).is_some_and(|next| next.is(",") || next.is(")"));
                return ends.then_some((declared, at));
            }
            _ => {}
        }
    }
    None
}

pub(crate) fn error(span: Span, message: impl Into<String>, hint: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::PROTO_SYNTAX, span, message, hint)
}

/// The maximal nesting of parameter lists. Each level is parsed with all that it contains.
const MAX_LEVELS: usize = 16;

/// The parameter list that exceeds the maximal nesting.
fn too_deep(tokens: &[Token<'_>]) -> Option<Span> {
    let mut open: Vec<bool> = Vec::new();
    let mut levels = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.is("(") {
            // `(*f)(`
            let before = &tokens[at.saturating_sub(3)..at];
            let is_list = matches!(before, [star, name, close] if star.is("*")
                && name.kind == Kind::Word && close.is(")"));
            levels += usize::from(is_list);
            if levels > MAX_LEVELS {
                return Some(token.span);
            }
            open.push(is_list);
        } else if token.is(")") {
            levels -= usize::from(open.pop() == Some(true));
        }
    }
    None
}

/// The tokens without parentheses around the function's name, which prevent its expansion as a
/// macro: `double (f)(double x)`.
fn without_parentheses<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut left = tokens.to_vec();
    if let Some(at) = tokens.iter().position(|token| token.is("("))
        && let [_, name, close, open, ..] = &tokens[at..]
        && name.kind == Kind::Word
        && close.is(")")
        && open.is("(")
        && at > 0
        && !owner::has_brackets(&tokens[at - 1..])
    {
        left.remove(at + 2);
        left.remove(at);
    }
    left
}

/// The bracket that opens the arguments: the first that does not belong to `own(f)` or `borrow(x)`.
/// A function may be called `own`; then only dimensions follow its arguments.
pub(super) fn opening(tokens: &[Token<'_>]) -> Option<usize> {
    let mut at = tokens.iter().position(|token| token.is("("))?;
    while at > 0 && owner::has_brackets(&tokens[at - 1..]) {
        let behind = at + brackets::closing(&tokens[at..]) + 1;
        let goes_on = |token: &Token<'_>| token.kind == Kind::Word || token.is("*");
        if !tokens.get(behind).is_some_and(goes_on) {
            break;
        }
        at = behind + tokens[behind..].iter().position(|token| token.is("("))?;
    }
    Some(at)
}

/// The dimensions at the beginning of these tokens, and the rest.
fn dimensions<'a, 't>(tokens: &'a [Token<'t>]) -> (&'a [Token<'t>], &'a [Token<'t>]) {
    let mut end = 0;
    while tokens.get(end).is_some_and(|token| token.is("[")) {
        end += brackets::closing(&tokens[end..]) + 1;
    }
    tokens.split_at(end)
}

/// Everything before the arguments: `status int solve`.
fn head(
    tokens: &[Token<'_>],
    open: Token<'_>,
    behind: &[Token<'_>],
    form: Form,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Spanned<String>, CResult, Option<ReturnedStruct>)> {
    let before = diagnostics.len();
    let (tokens, template) = tokens.split_at(template_start(tokens).unwrap_or(tokens.len()));
    let name = match tokens.split_last() {
        Some((last, rest)) if last.kind == Kind::Word && !names::is_c_specifier(last.text) => {
            Some((*last, rest))
        }
        _ => None,
    };
    let Some((name, rest)) = name else {
        let span = tokens.last().map_or(open.span, |last| last.span.to(open.span));
        diagnostics.push(error(
            span,
            "the C function's name is missing before `(`",
            "write it as C does, as in `double f(double x)`",
        ));
        return None;
    };
    if names::is_c_keyword(name.text) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_NAME,
            name.span,
            format!("`{}` is a keyword of C and cannot be a function's name", name.text),
            "write the name of a C function",
        ));
    }
    let returned =
        ReturnedStruct::read(rest, types).filter(|_| form == Form::Annotated && behind.is_empty());
    let result = match &returned {
        Some(_) => Some(CResult::Void),
        None => result::parse(rest, name, behind, form, types, diagnostics),
    };
    let end = template.last().map_or(name.span, |last| last.span);
    let c_name = Spanned::new(format!("{}{}", name.text, joined(template)), name.span.to(end));
    result.filter(|_| diagnostics.len() == before).map(|result| (c_name, result, returned))
}

/// The beginning of a template's arguments, in `mean<double>`.
pub(super) fn template_start(tokens: &[Token<'_>]) -> Option<usize> {
    if !tokens.last().is_some_and(|last| last.is(">") || last.is(">>")) {
        return None;
    }
    let mut depth = 0;
    tokens.iter().enumerate().rev().find_map(|(at, token)| {
        depth += match token.text {
            ">" => 1,
            ">>" => 2,
            "<" => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    })
}

/// The tokens as spelled, with a space between adjacent words.
pub(super) fn joined(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for token in tokens {
        let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
        if text.ends_with(|c| c == ',' || is_word(c)) && token.text.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(token.text);
    }
    text
}

/// `tokens` goes from `(` to the matching `)`. All arguments are parsed, even after mistakes.
pub(crate) fn arguments(
    tokens: &[Token<'_>],
    form: Form,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<PerArgument<Argument>> {
    all_arguments(tokens, None, form, types, diagnostics).map(|(arguments, _)| arguments)
}

/// The same, with the structs that are unpacked to some of the arguments, and the fields of the one that the function
/// returns.
fn all_arguments(
    tokens: &[Token<'_>],
    returned: Option<&ReturnedStruct>,
    form: Form,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(PerArgument<Argument>, Vec<Unpacked>)> {
    let (open, inside, close) = match tokens {
        [open, inside @ .., close] => (open, inside, close),
        _ => return None,
    };
    let mut list = Arguments::default();
    match inside {
        [] => return Some(list.finish(returned, diagnostics)),
        [void] if void.is_word("void") => return Some(list.finish(returned, diagnostics)),
        _ => {}
    }
    let mut is_whole = true;
    let mut before = open;
    let mut rest = inside;
    for index in 0.. {
        let comma = brackets::outside(rest, ",");
        let (one, after) = rest.split_at(comma.unwrap_or(rest.len()));
        let end = after.first().unwrap_or(close);
        is_whole &= if one.is_empty() {
            let span = before.span.to(end.span);
            let message = format!("an argument is missing after `{}`", before.text);
            diagnostics.push(error(span, message, "write it, or remove the comma"));
            false
        } else if let Some(declared) = unpacked_type(one, types).filter(|_| form == Form::Annotated)
        {
            list.unpack(declared, one, types, diagnostics)
        } else {
            let argument = argument::parse(one, index, form, types, diagnostics);
            list.add(argument, form == Form::Annotated)
        };
        match after {
            [] => break,
            [comma, others @ ..] => (before, rest) = (comma, others),
        }
    }
    is_whole.then(|| list.finish(returned, diagnostics))
}

/// The unpacked struct whose type an argument has, after words about how long C uses it.
fn unpacked_type<'t>(argument: &[Token<'_>], types: &'t Types) -> Option<&'t Declared> {
    types.unpacked(&argument[retention::length(argument)..])
}

/// The tokens after the arguments: nothing, or one `;`.
fn tail(tokens: &[Token<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let rest = match tokens {
        [semicolon, rest @ ..] if semicolon.is(";") => rest,
        rest => rest,
    };
    let (Some(first), Some(last)) = (rest.first(), rest.last()) else { return };
    let span = first.span.to(last.span);
    let text = names::short(first.text, 40);
    diagnostics.push(if first.is("{") {
        error(
            span,
            "a prototype has no body",
            "write the function in a C file that `sources` lists, and end the prototype here",
        )
    } else if first.is(";") {
        error(span, "one `;` is enough", "remove it")
    } else if rest.iter().any(|token| token.is("(")) && rest.len() < tokens.len() {
        error(
            span,
            "this is a second prototype",
            "write overloads as a list: `proto = [\"...\", \"...\"]`",
        )
    } else {
        error(
            span,
            format!("`{text}` was not expected after the arguments"),
            "end the prototype at its last `)`",
        )
    });
}

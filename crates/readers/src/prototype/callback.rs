//! A callback as an argument: a pointer to a function, or a type that represents one.
//!
//! Purpose: parse `double (*f)(double x, void *data)`, and the keywords before its type, to a
//! [`Callback`].
//! Invariant: its parameters are parsed like those of any prototype.
//! Reason: C has the name in the middle; without it, the rest is an ordinary argument.

use super::lexer::{Kind, Token};
use super::qualifiers::Qualifier;
use super::types::Types;
use super::{Form, brackets, expression, owner, parser, print, result};
use crate::names;
use fishplate_model::{
    Argument, CType, Callback, CallbackForm, Callee, Code, Diagnostic, Expr, Overload, Passing,
    PerArgument, Span, Spanned,
};

/// The parts of a function pointer.
pub(crate) struct Declarator<'a, 't> {
    /// `double f`: the tokens without the brackets.
    pub plain: Vec<Token<'t>>,
    /// `(double x, void *data)`
    pub parameters: &'a [Token<'t>],
}

/// The parts of `double (*f)(double x)`, or of the same as `double f(double x)`, which C allows too (C11, 6.7.6.3).
/// `None` if these tokens declare something else.
pub(crate) fn declarator<'a, 't>(
    tokens: &'a [Token<'t>],
    types: &Types,
) -> Option<Declarator<'a, 't>> {
    let is_pointer = |at: &usize| tokens[*at].is("(") && tokens[*at + 1].is("*");
    let Some(open) = (0..tokens.len().saturating_sub(1)).find(is_pointer) else {
        return function(tokens, types);
    };
    let close = open + brackets::closing(&tokens[open..]);
    let parameters = tokens.get(close + 1..).filter(|rest| {
        rest.first().is_some_and(|open| open.is("(")) && brackets::closing(rest) + 1 == rest.len()
    })?;
    let inside = tokens[open + 2..close].iter().filter(|token| !token.is_word("const"));
    let name: Vec<Token<'t>> = inside.copied().collect();
    let is_name = matches!(name.as_slice(), [name] if name.kind == Kind::Word);
    (is_name || name.is_empty()).then(|| Declarator {
        plain: tokens[..open].iter().copied().chain(name).collect(),
        parameters,
    })
}

/// The parts of `double f(double x)`. Parameters begin with a type, unlike the shape in `double x(n)`.
fn function<'a, 't>(tokens: &'a [Token<'t>], types: &Types) -> Option<Declarator<'a, 't>> {
    let ends = |at: &usize| {
        tokens[*at].is("(") && at + brackets::closing(&tokens[*at..]) + 1 == tokens.len()
    };
    let open = (2..tokens.len()).find(ends)?;
    let (plain, parameters) = tokens.split_at(open);
    let inside = &parameters[1..parameters.len() - 1];
    let is_type = |token: &Token<'_>| names::is_c_keyword(token.text) || types.spells(&[*token]);
    let begins = inside.iter().take_while(|token| token.kind == Kind::Word).any(is_type);
    let name = &plain[open - 1];
    let is_name = name.kind == Kind::Word && Qualifier::of(name.text).is_none();
    (is_name && (begins || inside.is_empty()))
        .then(|| Declarator { plain: plain.to_vec(), parameters })
}

/// The keywords before the type of a callback.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keywords {
    data: Option<Expr>,
    fails: Vec<Expr>,
}

impl Keywords {
    /// Parses `data(value)` or `fails(value)`, and returns the number of tokens. `tokens` begin with it.
    pub(crate) fn read(
        &mut self,
        tokens: &[Token<'_>],
        types: &Types,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> usize {
        let close = 1 + brackets::closing(&tokens[1..]);
        let inside = &tokens[2..close];
        match (tokens[0].text, inside) {
            (word, []) => diagnostics.push(Diagnostic::error(
                Code::PROTO_SYNTAX,
                tokens[0].span.to(tokens[close].span),
                format!("`{word}` needs a value"),
                match word {
                    "data" => {
                        "write the getter of the user data, as in `data(sqlite3_user_data(ctx))`"
                    }
                    _ => {
                        "write the error return value, as in `fails(-1)`, after the calls that are \
                         made first, as in `fails(force_stop(opt), -1)`"
                    }
                },
            )),
            ("data", inside) => match expression::parse(inside, types) {
                Ok(value) => self.data = Some(value),
                Err(found) => diagnostics.push(*found),
            },
            (_, inside) => self.fails = expression::parse_all(inside, types, diagnostics),
        }
        close + 1
    }

    /// Adds it to the callback to which it applies.
    pub(crate) fn apply(&self, callback: &mut Callback) {
        if !self.fails.is_empty() {
            callback.fails.clone_from(&self.fails);
        }
        if let Some(value) = &self.data {
            callback.asks = Some(value.clone());
        }
    }
}

/// The number of tokens at the beginning of `tokens` that are about the result of a function pointer; 0: they are about
/// the function, its lifetime say. After the type, `nullable` is about the result: `char *nullable (*f)(void)`.
pub(crate) fn about_result(tokens: &[Token<'_>], is_after_type: bool) -> usize {
    let Some(first) = tokens.first() else { return 0 };
    if first.kind != Kind::Word {
        return usize::from(first.is("*"));
    }
    match (first.text, Qualifier::of(first.text)) {
        (_, Some(Qualifier::Own | Qualifier::Borrow)) => match owner::has_brackets(tokens) {
            true => 2 + brackets::closing(&tokens[1..]),
            false => 1,
        },
        (_, Some(Qualifier::Nullable)) => usize::from(is_after_type),
        (_, Some(Qualifier::Const | Qualifier::Ignored | Qualifier::Refused)) => 1,
        (_, Some(_)) | ("until" | "replace" | "data" | "fails", None) => 0,
        (_, None) => usize::from(!tokens.get(1).is_some_and(|next| next.is("("))),
    }
}

/// A function pointer.
pub(crate) struct Pointer<'a, 't> {
    pub name: &'a Spanned<String>,
    /// All tokens without the parameters; the last one is the name.
    pub plain: &'a [Token<'t>],
    pub parameters: &'a [Token<'t>],
}

impl Pointer<'_, '_> {
    /// Parses the function type.
    pub(crate) fn read(
        &self,
        span: Span,
        types: &Types,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(CType, Callback)> {
        let (name, rest) = self.plain.split_last()?;
        let tokens = result_tokens(rest);
        let result = result::parse(&tokens, *name, &[], Form::Callback, types, diagnostics);
        let arguments = parser::arguments(self.parameters, Form::Callback, types, diagnostics);
        let mut overload = Overload {
            text: String::new(),
            span,
            c_name: self.name.clone(),
            result: result?,
            arguments: arguments?,
            unpacked: Vec::new(),
            adapter: None,
            kinds: None,
            callee: Callee::Function,
        };
        overload.text = print::print(&overload);
        let callback = Callback {
            overload,
            form: CallbackForm::Function,
            asks: None,
            fails: Vec::new(),
            named: None,
        };
        Some((CType::function("pointer to a function".to_owned(), span), callback))
    }
}

/// The tokens about the result of a function pointer.
fn result_tokens<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut found: Vec<Token<'t>> = Vec::new();
    let mut is_after_type = false;
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        let count = about_result(rest, is_after_type);
        found.extend(&rest[..count]);
        is_after_type |= count == 1 && is_of_type(&rest[0]);
        at += match count {
            0 if rest.get(1).is_some_and(|next| next.is("(")) => 2 + brackets::closing(&rest[1..]),
            0 => 1,
            count => count,
        };
    }
    found
}

/// A word of a type, and not a qualifier.
fn is_of_type(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && token.text != "status" && Qualifier::of(token.text).is_none()
}

/// An argument of a type for callbacks.
pub(crate) fn of_type(
    callback: &Callback,
    words: &[Token<'_>],
    stars: &[Token<'_>],
    brackets: Option<Span>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(CType, Callback)> {
    let (first, last) = (words.first()?, words.last()?);
    let spelled: Vec<&str> = words.iter().map(|word| word.text).collect();
    let spelling = spelled.join(" ");
    let span = first.span.to(last.span);
    let is_function = callback.form == CallbackForm::Function;
    // The type is that of a function or that of a pointer to one; the compiler compares it with the header's.
    let is_pointer = is_function && stars.len() == 1;
    let is_one = stars.len() == 1 || is_function && stars.is_empty();
    if !is_one || brackets.is_some() {
        let star = if is_function { " " } else { " *" };
        diagnostics.push(Diagnostic::error(
            Code::UNSUPPORTED_TYPE,
            span.to(stars.last().map_or(span, |star| star.span)),
            format!("`{}` is one callback, not a pointer or an array", names::short(&spelling, 60)),
            format!("write `{}{star}NAME`", names::short(&spelling, 60)),
        ));
        return None;
    }
    let spelling = if is_pointer { format!("{spelling} *") } else { spelling };
    Some((CType::function(spelling, span), callback.clone()))
}

/// Reports pointers to `void` that are not a callback's user data.
pub(crate) fn refuse_strangers(
    arguments: &PerArgument<Argument>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (index, argument) in arguments.iter_enumerated() {
        let belongs = || {
            let mut callbacks = arguments.iter().filter_map(Argument::callback);
            callbacks.any(|callback| callback.data_among(arguments) == Some(index))
        };
        if argument.passing == Passing::UserData && !belongs() {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED_TYPE,
                argument.ctype.span,
                "a `void` pointer does not specify a type of elements",
                "write bytes with their number, as in `bytes const void x[n]`; user data of a callback \
                 has the name that it has there; for an object, declare `[handle.NAME]` with `ctype = \"void *\"`, \
                 and write `NAME x`; otherwise write a C function that accepts a typed pointer, such as \
                 `const double *`, and wrap that",
            ));
        }
    }
}

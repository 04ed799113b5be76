//! Invalid arguments, and corrections.
//!
//! Purpose: the messages for misplaced keywords and punctuation.
//! Invariant: adds diagnostics, and decides nothing.
//! Reason: C has many forms that cannot be passed, and each gets its own message.

use super::Reader;
use crate::names;
use crate::prototype::Form;
use crate::prototype::lexer::{Kind, Token};
use crate::prototype::owner;
use crate::prototype::qualifiers::Qualifier;
use fishplate_model::{Code, Diagnostic, Passing, Pointee, ReturnedPointer, Span};

impl Reader<'_, '_, '_> {
    pub(super) fn no_dimension(&mut self, span: Span) {
        if self.form == Form::Plain {
            self.is_unsized = true;
            return;
        }
        self.error(
            Code::PROTO_SYNTAX,
            span,
            "a dimension has no size",
            "write a number or an expression; any size is `x[n]` with an integer argument `n`, or \
             `x[len(y)]` for as many as another array has",
        );
    }

    /// Reports qualifiers that do not apply to values passed like this.
    pub(super) fn misplaced(&mut self, name: &str, passing: Option<&Passing>, is_consumed: bool) {
        let is_array = matches!(
            passing,
            Some(
                Passing::Array { .. }
                    | Passing::AnyArray(_)
                    | Passing::OutPointer(ReturnedPointer { holds: Pointee::Array { .. }, .. })
            )
        );
        for (qualifier, word) in [
            (Qualifier::Fortran, "fortran"),
            (Qualifier::Bytes, "bytes"),
            (Qualifier::String, "text"),
        ] {
            if let (Some(place), false) = (self.qualifiers.place(qualifier), is_array) {
                self.error(
                    Code::BAD_QUALIFIERS,
                    place,
                    format!("`{word}` applies to arrays only; `{name}` is not an array"),
                    if qualifier == Qualifier::Fortran {
                        "remove `fortran`, or write a shape, as in `x[m][n]`".to_owned()
                    } else {
                        format!(
                            "write a shape, as in `{name}[n]`; a string that C only reads is \
                                 `const char *{name}`"
                        )
                    },
                );
            }
        }
        // The array is the caller's, if C only fills it.
        let is_allocated =
            |one: &ReturnedPointer| one.holds.list().is_some_and(|list| list.capacity.is_none());
        let is_list = matches!(passing, Some(Passing::OutPointer(one)) if is_allocated(one));
        if let (Some(place), Some(_), false) =
            (self.qualifiers.place(Qualifier::Own), &self.ownership.items, is_list)
        {
            self.diagnostics.push(owner::misplaced_items(place));
        }
        let is_new =
            matches!(passing, Some(Passing::OutPointer(ReturnedPointer { stored: Some(_), .. })));
        if let (Some(place), false) = (self.qualifiers.place(Qualifier::Init), is_new) {
            self.error(
                Code::BAD_QUALIFIERS,
                place,
                format!("`init` applies to new objects only; `{name}` is not one"),
                "remove it; a new object is an `out` argument of a handle with `storage = \"value\"`",
            );
        }
        let is_callback = matches!(passing, Some(Passing::Callback(_)));
        for (qualifier, word) in [(Qualifier::Data, "data"), (Qualifier::Fails, "fails")] {
            if let (Some(place), false) = (self.qualifiers.place(qualifier), is_callback) {
                self.error(
                    Code::BAD_QUALIFIERS,
                    place,
                    format!("`{word}` applies to callbacks only; `{name}` is not a callback"),
                    format!(
                        "remove it; a callback is written as in C, `double (*{name})(double x)`"
                    ),
                );
            }
        }
        let is_out_pointer = matches!(passing, Some(Passing::OutPointer(_)));
        let lasting =
            [Qualifier::Until, Qualifier::Replace].map(|word| self.qualifiers.place(word));
        let keeps = self.qualifiers.place(Qualifier::Keep);
        if let (Some(place), true) = (lasting.into_iter().flatten().next(), is_out_pointer) {
            self.error(
                Code::BAD_QUALIFIERS,
                place,
                format!(
                    "`{name}` is a pointer that C sets, so it passes nothing that C could use later"
                ),
                "remove the word; `keep(x)` before it is for arguments to which the object refers",
            );
        } else if let (Some(place), Form::Callback) =
            (lasting.into_iter().flatten().next().or(keeps), self.form)
        {
            self.error(
                Code::BAD_QUALIFIERS,
                place,
                format!("`{name}` is passed by C, so nothing retains it"),
                "remove the word; the function of the target language may copy the value",
            );
        }
        if let (Some(place), false) =
            (self.qualifiers.place(Qualifier::Own), is_out_pointer || is_consumed)
        {
            self.error(
                Code::BAD_QUALIFIERS,
                place,
                format!("`own` and `borrow` do not apply to `{name}`, which is not an out-pointer"),
                format!(
                    "write C-allocated memory as `out own(free) char **{name}`, or with a shape \
                     `out own(free) double *{name}[n]`; an object that C takes over is `own TYPE *{name}`, or \
                     `own(success) TYPE *{name}`"
                ),
            );
        }
    }

    pub(super) fn no_name(&mut self, words: &[Token<'_>], span: Span) {
        match words {
            [] => self.error(
                Code::PROTO_SYNTAX,
                span,
                "this argument has neither a type nor a name",
                "write a type and a name, as in `const double x[n]`",
            ),
            [only]
                if self.types.find(&[only.text]).is_none()
                    && self.types.class(&[only.text]).is_none()
                    && only.text != "void" =>
            {
                let text = names::short(only.text, 40);
                self.error(
                    Code::PROTO_SYNTAX,
                    only.span,
                    format!("expected a type and a name, found only `{text}`"),
                    format!("write its type, as in `double {text}`, or its name after it"),
                );
            }
            [first, .., last] | [first @ last] => {
                let mut spelling: Vec<&str> = words.iter().map(|word| word.text).collect();
                spelling.extend(self.stars.iter().map(|_| "*"));
                let spelling = names::short(&spelling.join(" "), 40);
                let place = self.stars.last().map_or(last.span, |star| star.span);
                self.error(
                    Code::PROTO_SYNTAX,
                    first.span.to(self.brackets.unwrap_or(place)),
                    "missing name of an argument",
                    format!("name it, as in `{spelling} x`: names become keywords in the host"),
                );
            }
        }
    }

    /// A token that no annotated declaration contains; C may well allow it.
    pub(super) fn unexpected(&mut self, token: Token<'_>, next: Option<Token<'_>>) {
        let text = names::short(token.text, 40);
        let started = !self.words.is_empty();
        let (code, message, hint) = match token.text {
            "..." if token.kind == Kind::Mark => (
                Code::UNSUPPORTED_TYPE,
                "a variable number of arguments is not supported".to_owned(),
                "a function has one `...`, after an argument; write what this function passes after it".to_owned(),
            ),
            "(" if started && next.is_some_and(|next| next.is("*")) => (
                Code::UNSUPPORTED_TYPE,
                "this pointer to a function or an array cannot be read".to_owned(),
                "write a callback as in C, `double (*f)(double x, void *data)`, and an array as \
                 `x[m][n]`"
                    .to_owned(),
            ),
            "(" if self.words.last().is_some_and(|word| word.text == "intent") => (
                Code::PROTO_SYNTAX,
                "an intent is written without `intent` and parentheses".to_owned(),
                format!("write `{}` before the type", intent_of(next.map_or("out", |it| it.text))),
            ),
            "(" if started => (
                Code::PROTO_SYNTAX,
                "an argument's name and shape cannot have parentheses".to_owned(),
                "write an array as `x[n]`, and a pointer to a function as `double (*f)(double x)`".to_owned(),
            ),
            ":" if self.name.is_some() => (
                Code::PROTO_SYNTAX,
                "an argument cannot be a bit-field".to_owned(),
                "leave out `:` and the width".to_owned(),
            ),
            "&" if started => (
                Code::UNSUPPORTED_TYPE,
                "references of C++ are not supported".to_owned(),
                "write a function that accepts a pointer, for example in `header-code`, and wrap that"
                    .to_owned(),
            ),
            "::" | "<" if started => {
                let template = self.words.last().map_or("", |word| word.text);
                (
                    Code::UNSUPPORTED_TYPE,
                    format!(
                        "`{}` is an unsupported type of C++",
                        names::short(template, 40)
                    ),
                    names::instead_of(template),
                )
            }
            "*" if !started => (
                Code::PROTO_SYNTAX,
                "a type is missing before `*`".to_owned(),
                "write the type, as in `const double *x`".to_owned(),
            ),
            "[" => (
                Code::PROTO_SYNTAX,
                "a type and a name are missing before `[`".to_owned(),
                "write them, as in `const double x[n]`".to_owned(),
            ),
            _ if token.kind == Kind::Word => {
                let after = self.name.map_or("*", |name| name.text);
                (
                    Code::PROTO_SYNTAX,
                    format!("`{text}` was not expected here"),
                    format!("is a comma missing after `{}`?", names::short(after, 40)),
                )
            }
            _ if started => (
                Code::PROTO_SYNTAX,
                format!("`{text}` was not expected in an argument"),
                "write a type, a name, dimensions in `[]` and a default after `=`, in this order"
                    .to_owned(),
            ),
            _ => (
                Code::PROTO_SYNTAX,
                format!("an argument cannot begin with `{text}`"),
                "begin with an intent or a type, as in `out double y[n]`".to_owned(),
            ),
        };
        self.error(code, token.span, message, hint);
    }
}

/// The keyword for f2py's `intent(word)`.
fn intent_of(word: &str) -> &'static str {
    match word {
        "in" | "copy" | "overwrite" => "in",
        "inout" => "inout",
        "inplace" => "inplace",
        "hide" | "cache" => "hidden",
        _ => "out",
    }
}

/// `double *x FP_SHAPE(n)`, which is valid in headers only.
pub(super) fn annotation(tokens: &[Token<'_>]) -> Option<Diagnostic> {
    let (word, instead) = tokens.iter().find_map(|token| match token.text {
        "FP_SHAPE" => Some((token, "the shape in brackets, as in `x[n]`")),
        "FP_DEFAULT" => Some((token, "the default after `=`, as in `int k = 1`")),
        _ => None,
    })?;
    Some(Diagnostic::error(
        Code::PROTO_SYNTAX,
        word.span,
        format!("`{}` is an annotation for headers", word.text),
        format!("in an interface file, write {instead}"),
    ))
}

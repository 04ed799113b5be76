//! One argument of a prototype.
//!
//! Purpose: qualifiers, type, name, dimensions and default of one argument, in any order that C or
//! a person would write them.
//! Invariant: works on the tokens of this argument alone, so that what is wrong with it hides
//! nothing that is wrong with its neighbours.
//! Reason: C's declarator syntax has many forms that cannot cross the border; each gets its own
//! sentence here rather than "unexpected token".

use super::Form;
use super::brackets;
use super::callback::{self, Pointer};
use super::dimension::{self, Dimension};
use super::expression;
use super::lexer::{Kind, Token};
use super::owner::{self, Ownership};
use super::qualifiers::{Qualifier, Qualifiers};
use super::result::{elements, holds};
use super::types::Types;
use crate::names;
use fishplate_model::{
    Argument, CType, Callback, Code, Diagnostic, Expr, Handed, Holds, Intent, Passing, Scalar,
    Span, Spanned, Type,
};

/// Reads the argument at this place of its prototype; what is wrong is added to `diagnostics`, and
/// then `None` is given back. There is at least one token.
pub(crate) fn parse(
    tokens: &[Token<'_>],
    index: usize,
    form: Form,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Argument> {
    let before = diagnostics.len();
    let equals = brackets::outside(tokens, "=");
    let declaration = &tokens[..equals.unwrap_or(tokens.len())];
    let pointer = if form == Form::Plain { None } else { callback::declarator(declaration) };
    let argument = Reader {
        index,
        form,
        types,
        diagnostics,
        qualifiers: Qualifiers::default(),
        words: Vec::new(),
        stars: Vec::new(),
        name: None,
        ownership: Ownership::default(),
        dimensions: Vec::new(),
        length: None,
        brackets: None,
        is_unsized: false,
        is_set: equals.is_some(),
        is_null: equals.is_some_and(|at| is_null(&tokens[at + 1..])),
        said: callback::Said::default(),
        parameters: pointer.as_ref().map(|pointer| pointer.parameters),
    };
    let argument = match &pointer {
        Some(pointer) => argument.read(&pointer.plain, tokens),
        None => argument.read(declaration, tokens),
    };
    let default = equals.and_then(|at| default(tokens[at], &tokens[at + 1..], types, diagnostics));
    argument
        .filter(|_| diagnostics.len() == before)
        .map(|argument| Argument { default, ..argument })
}

/// True for what is a pointer to nothing, and nothing else.
fn is_null(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [only] if only.is_word("NULL") || only.is_word("nullptr"))
}

fn default(
    equals: Token<'_>,
    tokens: &[Token<'_>],
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    if tokens.is_empty() {
        diagnostics.push(Diagnostic::error(
            Code::PROTO_SYNTAX,
            equals.span,
            "a value is missing after `=`",
            "write the default, as in `int n = 1`",
        ));
        return None;
    }
    expression::parse(tokens, types).map_err(|found| diagnostics.push(*found)).ok()
}

/// The parts of a declaration as they are found.
struct Reader<'a, 't, 'd> {
    index: usize,
    form: Form,
    types: &'a Types,
    diagnostics: &'d mut Vec<Diagnostic>,
    qualifiers: Qualifiers,
    /// The words of the type.
    words: Vec<Token<'t>>,
    stars: Vec<Token<'t>>,
    name: Option<Token<'t>>,
    /// Whose the memory is that C hands over.
    ownership: Ownership,
    dimensions: Vec<Expr>,
    /// What stands behind the `:` of the first dimension.
    length: Option<Expr>,
    /// From the first `[` to the last `]`.
    brackets: Option<Span>,
    /// Some dimension has no size, and needs none.
    is_unsized: bool,
    /// There is a value behind `=`.
    is_set: bool,
    /// That is NULL.
    is_null: bool,
    /// What is said of a callback.
    said: callback::Said,
    /// The parameters of a pointer to a function, with their brackets.
    parameters: Option<&'a [Token<'t>]>,
}

/// C with spaces where people write them: `(int n, void *data)`
fn as_written(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for token in tokens {
        let joins = text.is_empty() || text.ends_with(['(', '*', '[']);
        let is_joined = matches!(token.text, ")" | "," | "[" | "]");
        if !joins && !is_joined {
            text.push(' ');
        }
        text.push_str(token.text);
    }
    text
}

impl<'t> Reader<'_, 't, '_> {
    fn error(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(code, span, message, hint));
    }

    fn read(mut self, declaration: &[Token<'t>], all: &[Token<'t>]) -> Option<Argument> {
        let span = all[0].span.to(all[all.len() - 1].span);
        let mut at = 0;
        while let Some(token) = declaration.get(at).copied() {
            let next = declaration.get(at + 1).copied();
            match (token.kind, token.text) {
                (Kind::Word, "until" | "data" | "fails")
                    if owner::has_brackets(&declaration[at..]) && self.name.is_none() =>
                {
                    at += self.about_callback(&declaration[at..]) - 1;
                }
                (Kind::Word, "own" | "borrow" | "keep")
                    if owner::has_brackets(&declaration[at..]) && self.name.is_none() =>
                {
                    at += self.ownership(&declaration[at..]) - 1;
                }
                (Kind::Word, "status") if self.parameters.is_some() && self.words.is_empty() => {
                    self.said.status = Some(token.span);
                }
                (Kind::Word, _) => {
                    let last = next.is_none_or(|next| next.is("[") || next.is(":"));
                    self.word(token, last)?;
                }
                (Kind::Mark, "*") if !self.words.is_empty() && self.name.is_none() => {
                    self.stars.push(token);
                }
                (Kind::Mark, "[") if !self.words.is_empty() || self.name.is_some() => {
                    let close = at + brackets::closing(&declaration[at..]);
                    self.dimension(&declaration[at..=close]);
                    at = close;
                }
                _ => {
                    self.unexpected(token, next);
                    return None;
                }
            }
            at += 1;
        }
        self.finish(span)
    }

    /// Reads a word about ownership, and says how many tokens that are.
    fn ownership(&mut self, tokens: &[Token<'t>]) -> usize {
        let word = if tokens[0].text == "keep" { Qualifier::Keep } else { Qualifier::Own };
        self.qualifiers.add(word, tokens[0], self.diagnostics);
        self.ownership.read(tokens, self.diagnostics)
    }

    /// Reads a word about callbacks and its brackets, and says how many tokens that are.
    fn about_callback(&mut self, tokens: &[Token<'t>]) -> usize {
        let word = match tokens[0].text {
            "until" => Qualifier::Until,
            "data" => Qualifier::Data,
            _ => Qualifier::Fails,
        };
        self.qualifiers.add(word, tokens[0], self.diagnostics);
        self.said.read(tokens, self.types, self.diagnostics)
    }

    fn word(&mut self, token: Token<'t>, last: bool) -> Option<()> {
        let qualifier = Qualifier::of(token.text);
        // Bytes need no type.
        let typed = self.name.is_none()
            && (!self.words.is_empty() || self.qualifiers.place(Qualifier::Bytes).is_some());
        // An intent word is the name where only a name can follow: in `double in`, `int out[n]`.
        let can_be_name =
            !names::is_c_specifier(token.text) && qualifier.is_none_or(Qualifier::is_ours);
        if last && typed && can_be_name {
            self.name = Some(token);
        } else if let Some(qualifier) = qualifier {
            // After a star, `const` is about the pointer itself, which C passes by value.
            if self.stars.is_empty() || qualifier != Qualifier::Const {
                if matches!(qualifier, Qualifier::Own | Qualifier::Borrow | Qualifier::Keep) {
                    self.ownership(&[token]);
                } else {
                    self.qualifiers.add(qualifier, token, self.diagnostics);
                }
            }
        } else if self.stars.is_empty() && self.name.is_none() {
            self.words.push(token);
        } else {
            self.unexpected(token, None);
            return None;
        }
        Some(())
    }

    /// `tokens` is `[` up to and including the matching `]`.
    fn dimension(&mut self, tokens: &[Token<'t>]) {
        let (open, close) = (tokens[0], tokens[tokens.len() - 1]);
        let span = open.span.to(close.span);
        self.brackets = Some(self.brackets.map_or(span, |brackets| brackets.to(span)));
        match dimension::parse(tokens, self.types) {
            Ok(Dimension::Open) => self.no_dimension(span),
            Ok(Dimension::Sized(_, Some(length))) if !self.dimensions.is_empty() => self.error(
                Code::PROTO_SYNTAX,
                length.span,
                "only the first dimension may be another after the call",
                "write one size here",
            ),
            Ok(Dimension::Sized(expr, length)) => {
                self.dimensions.push(expr);
                self.length = self.length.take().or(length);
            }
            Err(found) => self.diagnostics.push(*found),
        }
    }

    fn no_dimension(&mut self, span: Span) {
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

    fn finish(mut self, span: Span) -> Option<Argument> {
        let words = std::mem::take(&mut self.words);
        let intent = self.qualifiers.intent(self.diagnostics);
        let name = match self.name {
            Some(name) => Spanned::new(name.text.to_owned(), name.span),
            None if self.form == Form::Plain && !words.is_empty() => {
                Spanned::new(format!("arg{}", self.index), span)
            }
            None => {
                self.no_name(&words, span);
                return None;
            }
        };
        if names::is_c_keyword(&name.value) {
            self.error(
                Code::BAD_NAME,
                name.span,
                format!("`{}` is a keyword of C and cannot be a name", name.value),
                format!("rename it, such as to `{}`", names::identifier_like(&name.value)),
            );
        }
        let hidden = intent.as_ref().is_some_and(|intent| intent.value == Intent::Hidden);
        if let (true, Some(ctype)) = (hidden && self.is_set, self.opaque(&words)) {
            let (is_const, nullable, passing) = (false, false, Passing::Value);
            return Some(Argument {
                name,
                span,
                ctype,
                is_const,
                passing,
                intent,
                nullable,
                default: None,
            });
        }
        let (ctype, is_const, passing) = match self.callback(&words, &name, span) {
            Some(read) => {
                let (ctype, callback) = read.unzip();
                let passing = callback.map(|callback| Passing::Callback(Box::new(callback)));
                (ctype, self.qualifiers.place(Qualifier::Const).is_some(), passing)
            }
            None => {
                let (ctype, is_const) = self.ctype(&words, span);
                let intent = intent.as_ref().map(|intent| intent.value);
                let passing = self.passing(&name.value, ctype.as_ref(), intent);
                (ctype, is_const, passing)
            }
        };
        if passing.is_some() {
            self.misplaced(&name.value, passing.as_ref());
        }
        Some(Argument {
            name,
            span,
            ctype: ctype?,
            is_const,
            passing: passing?,
            intent,
            nullable: self.qualifiers.place(Qualifier::Nullable).is_some(),
            default: None,
        })
    }

    /// The type of a hidden value that no host looks at: one that only the headers know, NULL, or a pointer
    /// to a function or to something else than a number.
    fn opaque(&self, words: &[Token<'_>]) -> Option<CType> {
        let (first, last) = (words.first()?, words.last()?);
        let spelled: Vec<&str> = words.iter().map(|word| word.text).collect();
        let stars = self.stars.len();
        let is_foreign = self.parameters.is_some()
            || match self.types.find(&spelled) {
                Some(_) => stars > 1 || stars == 1 && self.is_null,
                None => self.types.handle(words, stars, false).is_none_or(|(_, left)| left > 0),
            };
        let is_value = spelled == ["void"] && stars == 0 && self.parameters.is_none();
        if !is_foreign || is_value || self.brackets.is_some() {
            return None;
        }
        let is_const = self.qualifiers.place(Qualifier::Const).is_some();
        let mut spelling = if is_const { "const ".to_owned() } else { String::new() };
        spelling.push_str(&spelled.join(" "));
        if stars > 0 {
            spelling.push(' ');
            spelling.push_str(&"*".repeat(stars));
        }
        if let Some(parameters) = self.parameters {
            spelling.push_str(" (*)");
            spelling.push_str(&as_written(parameters));
        }
        Some(CType { what: Type::Opaque, spelling, span: first.span.to(last.span) })
    }

    /// The callback that it is, by its parameters or by its type; `Some(None)` where it is one that cannot be
    /// read.
    fn callback(
        &mut self,
        words: &[Token<'t>],
        name: &Spanned<String>,
        span: Span,
    ) -> Option<Option<(CType, Callback)>> {
        let mut found = match (self.parameters, self.types.callback(words)) {
            (Some(parameters), _) => {
                let pointer = Pointer { name, words, stars: &self.stars, parameters };
                pointer.read(&self.said, span, self.types, self.diagnostics)
            }
            (None, Some(of)) => {
                callback::of_type(of, words, &self.stars, self.brackets, self.diagnostics)
            }
            (None, None) => return None,
        };
        if let Some((_, callback)) = &mut found {
            self.said.settle(&self.ownership, callback, self.diagnostics);
        }
        Some(found)
    }

    /// The type, and whether what is passed is `const`. A handle has its `*` and its `const` in its type.
    fn ctype(&mut self, words: &[Token<'_>], span: Span) -> (Option<CType>, bool) {
        let is_const = self.qualifiers.place(Qualifier::Const).is_some();
        let stars = self.stars.len();
        match self.types.handle(words, stars, is_const) {
            Some((ctype, left)) => {
                self.stars.drain(..stars - left);
                (Some(ctype), is_const && stars == left)
            }
            None => (self.other_ctype(words, span), is_const),
        }
    }

    fn other_ctype(&mut self, words: &[Token<'_>], span: Span) -> Option<CType> {
        let is_bytes = self.qualifiers.place(Qualifier::Bytes).is_some();
        match words {
            [] if is_bytes => Some(CType::of(Scalar::UChar, "unsigned char".to_owned(), span)),
            [void] if void.text == "void" && is_bytes && self.brackets.is_some() => {
                Some(CType::of(Scalar::UChar, "void".to_owned(), void.span))
            }
            [void] if void.text == "void" && self.stars.len() == 1 && self.brackets.is_none() => {
                let span = void.span.to(self.stars[0].span);
                Some(CType::of(Scalar::UChar, "void".to_owned(), span))
            }
            [void] if void.text == "void" && !self.stars.is_empty() => {
                self.error(
                    Code::UNSUPPORTED_TYPE,
                    void.span.to(self.stars[0].span),
                    "a `void` pointer says nothing about what it points to",
                    "bytes are written with their number, as in `bytes const void x[n]`; else write a C \
                     function that takes a typed pointer, such as `const double *`, and wrap that",
                );
                None
            }
            words => self.types.resolve(words).map_err(|found| self.diagnostics.push(*found)).ok(),
        }
    }

    /// Reports qualifiers that say nothing about what is passed like this.
    fn misplaced(&mut self, name: &str, passing: Option<&Passing>) {
        let is_array = matches!(
            passing,
            Some(
                Passing::Array { .. } | Passing::Handed(Handed { holds: Holds::Array { .. }, .. })
            )
        );
        for (qualifier, word) in [
            (Qualifier::Fortran, "fortran"),
            (Qualifier::Bytes, "bytes"),
            (Qualifier::Text, "text"),
        ] {
            if let (Some(place), false) = (self.qualifiers.place(qualifier), is_array) {
                self.error(
                    Code::BAD_QUALIFIERS,
                    place,
                    format!("`{word}` is about arrays, and `{name}` is none"),
                    if qualifier == Qualifier::Fortran {
                        "remove `fortran`, or give the argument a shape, as in `x[m][n]`".to_owned()
                    } else {
                        format!(
                            "give it a shape, as in `{name}[n]`; a text that C only reads is \
                                 `const char *{name}`"
                        )
                    },
                );
            }
        }
        let is_callback = matches!(passing, Some(Passing::Callback(_)));
        for (qualifier, word) in
            [(Qualifier::Until, "until"), (Qualifier::Data, "data"), (Qualifier::Fails, "fails")]
        {
            if let (Some(place), false) = (self.qualifiers.place(qualifier), is_callback) {
                self.error(
                    Code::BAD_QUALIFIERS,
                    place,
                    format!("`{word}` is about callbacks, and `{name}` is none"),
                    format!(
                        "remove it; a callback is written as in C, `double (*{name})(double x)`"
                    ),
                );
            }
        }
        let is_handed = matches!(passing, Some(Passing::Handed(_)));
        let said = [(Qualifier::Own, is_handed), (Qualifier::Keep, is_handed || is_callback)];
        let misplaced = said.into_iter().filter(|(_, fits)| !fits);
        if let Some(place) = misplaced.filter_map(|(word, _)| self.qualifiers.place(word)).next() {
            self.error(
                Code::BAD_QUALIFIERS,
                place,
                format!("C hands no memory over in `{name}`"),
                format!(
                    "memory whose address C stores is `out own(free) char **{name}`, or with a shape \
                     `out own(free) double *{name}[n]`"
                ),
            );
        }
    }

    fn passing(
        &mut self,
        name: &str,
        ctype: Option<&CType>,
        intent: Option<Intent>,
    ) -> Option<Passing> {
        let is_const = self.qualifiers.place(Qualifier::Const).is_some();
        let is_char = ctype.is_some_and(CType::is_char);
        let is_handle = ctype.is_some_and(|ctype| ctype.handle().is_some());
        let is_handed = self.qualifiers.place(Qualifier::Own).is_some();
        match (self.stars.as_slice(), self.brackets) {
            ([], None) => Some(Passing::Value),
            ([_], None) if ctype.is_some_and(CType::is_void) => Some(Passing::Data),
            (stars, Some(_))
                if self.form == Form::Callback
                    && self.dimensions.len() == 1
                    && (is_char && stars.len() == 1 || is_handle && stars.is_empty()) =>
            {
                self.dimensions.pop().map(|length| Passing::List { length })
            }
            ([_], None) if is_char && (is_const || intent == Some(Intent::In)) => {
                Some(Passing::Text)
            }
            ([_], None) if is_handle && (is_handed || intent == Some(Intent::Out)) => {
                self.handed(ctype)
            }
            ([_], None) => Some(Passing::Pointer),
            ([], Some(_)) if self.is_unsized => Some(Passing::Pointer),
            ([], Some(_)) => Some(Passing::Array {
                shape: std::mem::take(&mut self.dimensions),
                fortran: self.qualifiers.place(Qualifier::Fortran).is_some(),
                elements: elements(&self.qualifiers),
                length: self.length.take(),
            }),
            ([_], Some(_)) if is_handed => {
                if let Some(length) = self.length.take() {
                    self.error(
                        Code::PROTO_SYNTAX,
                        length.span,
                        "what C hands over has one size, which is known after the call",
                        "write how many elements there are, as in `[n]`",
                    );
                }
                self.handed(ctype)
            }
            ([_, _], None) if is_handed || intent == Some(Intent::Out) => self.handed(ctype),
            ([star, ..], Some(brackets)) => {
                let span = star.span.to(brackets);
                let hint = format!(
                    "write an array as `{name}[n]`, without `*`; memory that C hands over is \
                     `out own(free) double *{name}[n]`"
                );
                self.error(
                    Code::UNSUPPORTED_TYPE,
                    span,
                    "arrays of pointers are not supported",
                    hint,
                );
                None
            }
            ([first, .., last], None) => {
                let span = first.span.to(last.span);
                let hint = format!(
                    "one scalar behind a pointer is `*{name}`, an array is `{name}[n]`; for a pointer \
                     that C sets to memory of its own, write `out own(free)`, or `out borrow`"
                );
                self.error(
                    Code::UNSUPPORTED_TYPE,
                    span,
                    "pointers to pointers are not supported",
                    hint,
                );
                None
            }
        }
    }

    fn handed(&mut self, ctype: Option<&CType>) -> Option<Passing> {
        let holds = holds(&self.qualifiers, ctype?, std::mem::take(&mut self.dimensions));
        Some(Passing::Handed(self.ownership.clone().handed(holds)))
    }

    fn no_name(&mut self, words: &[Token<'_>], span: Span) {
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
                    format!("`{text}` stands alone, where a type and a name are needed"),
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
                    "this argument has no name",
                    format!("name it, as in `{spelling} x`: names become keywords in the host"),
                );
            }
        }
    }

    /// A token that no declaration of ours has; C may well have it.
    fn unexpected(&mut self, token: Token<'_>, next: Option<Token<'_>>) {
        let text = names::short(token.text, 40);
        let started = !self.words.is_empty();
        let (code, message, hint) = match token.text {
            "..." if token.kind == Kind::Mark => (
                Code::UNSUPPORTED_TYPE,
                "a variable number of arguments is not supported".to_owned(),
                "write a C function with the arguments you need, and wrap that".to_owned(),
            ),
            "(" if started && next.is_some_and(|next| next.is("*")) => (
                Code::UNSUPPORTED_TYPE,
                "this pointer to a function or an array cannot be read".to_owned(),
                "write a callback as in C, `double (*f)(double x, void *data)`, and an array as \
                 `x[m][n]`"
                    .to_owned(),
            ),
            "(" if started => (
                Code::PROTO_SYNTAX,
                "an argument's name and shape take no parentheses".to_owned(),
                "write an array as `x[n]`".to_owned(),
            ),
            ":" if self.name.is_some() => (
                Code::PROTO_SYNTAX,
                "an argument cannot be a bit-field".to_owned(),
                "leave out `:` and the width".to_owned(),
            ),
            "&" if started => (
                Code::UNSUPPORTED_TYPE,
                "references of C++ are not supported".to_owned(),
                "write a function that takes a pointer, in `header-code` say, and wrap that"
                    .to_owned(),
            ),
            "::" | "<" if started => {
                let template = self.words.last().map_or("", |word| word.text);
                (
                    Code::UNSUPPORTED_TYPE,
                    format!(
                        "`{}` is a type of C++ that cannot cross the border",
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

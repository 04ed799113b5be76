//! The result of a function: the words before its name, and its shape.
//!
//! Purpose: parse the words before the name, and the dimensions after the arguments, to a
//! [`CResult`].
//! Invariant: only a pointer has dimensions; if it has none, its `*` is required.
//! Reason: in C's own grammar, the dimensions of a result follow the arguments.

use super::argument::holds;
use super::dimension::{self, Dimension};
use super::lexer::{Kind, Token};
use super::message::message;
use super::owner::{Ownership, misplaced_items};
use super::parser::error;
use super::qualifiers::{Qualifier, Qualifiers};
use super::types::Types;
use super::{Form, brackets, standard};
use crate::names;
use fishplate_model::{
    Argument, CResult, CType, Code, Diagnostic, Expr, Owner, Passing, Pointee, PointerList,
    Returned, Scalar, Span, Type,
};

/// Parses the words before the function's name, which is the token `name`. `behind` are the tokens
/// after the arguments from the first `[` to the last `]`.
pub(crate) fn parse(
    tokens: &[Token<'_>],
    name: Token<'_>,
    behind: &[Token<'_>],
    form: Form,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<CResult> {
    let mut head = Head::read(tokens, types, diagnostics)?;
    head.remove_macros(types);
    if let Some(refused) = head.handle(types).and_then(|(of, span, _)| standard::refuse(&of, span))
    {
        diagnostics.push(refused);
        return None;
    }
    let (shape, open) = dimensions(behind, types, diagnostics)?;
    if let Some(list) = head.pointer_list(&shape, open, types) {
        return head.returned_list(list, types, diagnostics);
    }
    if let Some(open) = open {
        diagnostics.push(error(
            open,
            "a dimension of the result has one size",
            "write how many elements there are, as in `[n]`; `[]` is an array of pointers that NULL terminates, \
             `own(free) char **f(void)[]`",
        ));
        return None;
    }
    if let (Some(_), Some(place)) = (&head.ownership.items, head.qualifier(Qualifier::Own)) {
        diagnostics.push(misplaced_items(place));
        return None;
    }
    if let Some(second) = head.stars.get(1) {
        diagnostics.push(Diagnostic::error(
            Code::UNSUPPORTED_TYPE,
            *second,
            "a function that returns a pointer to a pointer is not supported",
            "write how many strings or objects there are, as in `own(free) char **f(out int *n)[n]`, or `[]` if NULL \
             follows the last; of others, write a C function that returns one of them, and wrap that",
        ));
        return None;
    }
    if let Some((ctype, span, 0)) = head.handle(types) {
        return head.returned_handle(ctype, &shape, span, diagnostics);
    }
    let is_bytes = head.qualifier(Qualifier::Bytes).is_some();
    if head.has_misplaced(&shape, diagnostics) {
        return None;
    }
    let is_pointer = !head.stars.is_empty() || !shape.is_empty();
    if let (Some(status), true) = (head.status, is_pointer) {
        let is_string = head.stars.len() == 1
            && shape.is_empty()
            && form != Form::Callback
            && types.resolve(&head.words).is_ok_and(|one| one.is_char());
        if is_string {
            let is_const = head.qualifier(Qualifier::Const).is_some();
            return Some(CResult::Status(message(is_const, &head.ownership, status, diagnostics)));
        }
        diagnostics.push(Diagnostic::error(
            Code::BAD_QUALIFIERS,
            status,
            "a `status` is an integer or a string, not another pointer",
            "remove `status`: a pointer that is NULL is a failure unless it is `nullable`",
        ));
        return None;
    }
    let first = tokens.first().map_or(name.span, |first| first.span);
    let span = first.to(tokens.last().map_or(name.span, |last| last.span));
    let ctype = match head.words.as_slice() {
        [] if is_bytes => CType::of(Scalar::UChar, "unsigned char".to_owned(), span),
        [] => {
            let text = names::short(name.text, 40);
            diagnostics.push(error(
                name.span,
                format!("the C result of `{text}` has no type"),
                format!("write the type, as in `double {text}`, or `void` if there is no result"),
            ));
            return None;
        }
        [void] if void.text == "void" && is_bytes => {
            CType::of(Scalar::UChar, "void".to_owned(), void.span)
        }
        [void] if void.text == "void" && is_pointer => {
            if shape.is_empty() && form != Form::Callback {
                return Some(CResult::Value(data(void.span)));
            }
            diagnostics.push(match form {
                Form::Callback => no_object(void.span),
                Form::Annotated | Form::Plain => no_content(void.span),
            });
            return None;
        }
        [void] if void.text == "void" => {
            return match head.status {
                None => Some(CResult::Void),
                Some(place) => {
                    diagnostics.push(
                        Diagnostic::error(
                            Code::BAD_QUALIFIERS,
                            place,
                            "a `status` cannot be `void`",
                            "remove `status`, or write the integer type that C returns",
                        )
                        .also(void.span, "nothing is returned"),
                    );
                    None
                }
            };
        }
        words => types.resolve(words).map_err(|found| diagnostics.push(*found)).ok()?,
    };
    Some(if is_pointer {
        CResult::Pointer(Box::new(head.returned(ctype, shape, span)))
    } else if head.status.is_some() {
        CResult::Status(ctype)
    } else {
        CResult::Value(ctype)
    })
}

/// A pointer that is ignored: that of the previous callback.
fn data(span: Span) -> CType {
    CType { what: Type::Opaque, spelling: "void *".to_owned(), span }
}

/// Refuses a `void` pointer without a callback to which it may belong.
pub(crate) fn refuse_data(
    result: &CResult,
    arguments: &[Argument],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let takes_data = arguments.iter().any(|argument| argument.passing == Passing::UserData);
    if let (CResult::Value(CType { what: Type::Opaque, span, .. }), false) = (result, takes_data) {
        diagnostics.push(no_content(*span));
    }
}

fn no_content(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::UNSUPPORTED_TYPE,
        span,
        "a `void` pointer does not specify a type of elements",
        "write bytes as `bytes void`, with their number after the arguments, as in \
         `own(free) bytes void *f(out size_t *n)[n]`; for an object, declare `[handle.NAME]` with \
         `ctype = \"void *\"`, and write `own NAME f(void)`",
    )
}

/// Refuses a `void` pointer that a callback returns.
fn no_object(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::UNSUPPORTED_TYPE,
        span,
        "a `void` pointer that a callback returns does not specify a type",
        "write a C function whose callback returns a number or a string, and wrap that",
    )
}

/// The maximal number of macros on either side of the result's type.
const MOST_MACROS: usize = 4;

/// The meaning of the words.
struct Head<'t> {
    words: Vec<Token<'t>>,
    qualifiers: Qualifiers,
    status: Option<Span>,
    stars: Vec<Span>,
    /// There is a `const` between two stars.
    is_pointer_const: bool,
    ownership: Ownership,
}

impl<'t> Head<'t> {
    fn read(
        tokens: &[Token<'t>],
        types: &Types,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Head<'t>> {
        let mut head = Head {
            words: Vec::new(),
            qualifiers: Qualifiers::default(),
            status: None,
            stars: Vec::new(),
            is_pointer_const: false,
            ownership: Ownership::default(),
        };
        let mut at = 0;
        while let Some(token) = tokens.get(at).copied() {
            let qualifier = (token.kind == Kind::Word).then(|| Qualifier::of(token.text)).flatten();
            let mut length = 1;
            match (token.kind, token.text) {
                (Kind::Word, "status") => head.status(token, diagnostics),
                // Linkage and inlining do not affect calls.
                (Kind::Word, "extern" | "static" | "inline" | "__inline" | "__inline__") => {}
                (Kind::Word, "typedef") => {
                    diagnostics.push(error(
                        token.span,
                        "a `typedef` is not a prototype",
                        "declare the meaning of a type's name in `[types]`",
                    ));
                    return None;
                }
                (Kind::Word, word) => match qualifier {
                    Some(qualifier @ (Qualifier::Own | Qualifier::Borrow | Qualifier::Keep)) => {
                        let is_second =
                            qualifier == Qualifier::Borrow && head.ownership.owns_array();
                        length = head.ownership.read(&tokens[at..], types, diagnostics);
                        let qualifier =
                            if qualifier == Qualifier::Keep { qualifier } else { Qualifier::Own };
                        if !is_second {
                            head.qualifiers.add(qualifier, token, diagnostics);
                        }
                    }
                    // C ignores qualifiers of a value that is returned, and those of a pointer.
                    Some(Qualifier::Refused | Qualifier::Ignored) => {}
                    Some(Qualifier::Const) if !head.stars.is_empty() => {
                        head.is_pointer_const |= head.stars.len() == 1;
                    }
                    Some(qualifier) if qualifier.is_intent() => {
                        diagnostics.push(Diagnostic::error(
                            Code::BAD_QUALIFIERS,
                            token.span,
                            format!("`{word}` qualifies an argument, not the C result"),
                            "remove it: the C result is always an output, or a `status`",
                        ));
                    }
                    Some(Qualifier::Invalidates) => diagnostics.push(Diagnostic::error(
                        Code::BAD_QUALIFIERS,
                        token.span,
                        "`invalidates` qualifies an argument, not the C result",
                        "write it before the handle from which others were borrowed",
                    )),
                    Some(qualifier) => head.qualifiers.add(qualifier, token, diagnostics),
                    None => head.words.push(token),
                },
                (Kind::Mark, "*") => head.stars.push(token.span),
                // Of `extern "C"`.
                (Kind::String, "\"C\"") => {}
                _ => {
                    let text = names::short(token.text, 40);
                    diagnostics.push(error(
                        token.span,
                        format!("`{text}` was not expected before the function's name"),
                        "write it as C does, as in `double f(double x)`",
                    ));
                    return None;
                }
            }
            at += length;
        }
        Some(head)
    }

    /// Removes the macros for exports and calling conventions: in `LIB_API double CALL f(double x)`
    /// the remaining words spell a type.
    fn remove_macros(&mut self, types: &Types) {
        let is_macro = |word: &&Token<'_>| {
            let is_capital = |c: char| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit();
            word.text.len() > 1 && word.text.chars().all(is_capital)
        };
        let most = self.words.len().saturating_sub(1).min(MOST_MACROS);
        let leading = self.words.iter().take(most).take_while(is_macro).count();
        let after = self.words[leading..].iter().skip(1).rev();
        let trailing = after.take(MOST_MACROS).take_while(is_macro).count();
        let count = self.words.len();
        for (start, end) in
            (0..=leading).flat_map(|start| (0..=trailing).map(move |end| (start, end)))
        {
            let words = &self.words[start..count - end];
            if types.spells(words) {
                self.words = words.to_vec();
                return;
            }
        }
    }

    fn status(&mut self, token: Token<'_>, diagnostics: &mut Vec<Diagnostic>) {
        if let Some(before) = self.status.replace(token.span) {
            diagnostics.push(
                Diagnostic::error(
                    Code::BAD_QUALIFIERS,
                    token.span,
                    "duplicate `status`",
                    "remove one of the two",
                )
                .also(before, "first specified here"),
            );
        }
    }

    fn qualifier(&self, qualifier: Qualifier) -> Option<Span> {
        self.qualifiers.place(qualifier)
    }

    /// Reports the first qualifier that does not apply to the result.
    fn has_misplaced(&self, shape: &[Expr], diagnostics: &mut Vec<Diagnostic>) -> bool {
        let is_array = !shape.is_empty();
        let is_pointer = is_array || !self.stars.is_empty();
        let found = [
            (Qualifier::Fortran, "fortran", is_array),
            (Qualifier::Bytes, "bytes", is_array),
            (Qualifier::String, "text", is_array),
            (Qualifier::Own, "own", is_pointer),
            (Qualifier::Nullable, "nullable", is_pointer),
            (Qualifier::Keep, "keep", false),
        ]
        .into_iter()
        .filter(|(_, _, fits)| !fits)
        .find_map(|(qualifier, word, _)| {
            let about = match qualifier {
                Qualifier::Own | Qualifier::Nullable => "pointers",
                Qualifier::Keep => "handles",
                _ => "arrays",
            };
            Some((word, self.qualifier(qualifier)?, about))
        });
        let Some((word, place, what)) = found else { return false };
        let word = if word == "own" && matches!(self.ownership.owner, Owner::Borrowed(_)) {
            "borrow"
        } else {
            word
        };
        let hint = match what {
            "arrays" => {
                "the shape of the result is after the arguments, as in \
                 `own(free) double *f(out size_t *n)[n]`"
            }
            "handles" => {
                "if C sets a handle in an argument, write it there, `out keep(x) db **made`; memory \
                 that belongs to an argument is `borrow(x)`"
            }
            _ => "write the `*` of the pointer that is returned, or remove it",
        };
        diagnostics.push(Diagnostic::error(
            Code::BAD_QUALIFIERS,
            place,
            format!("`{word}` applies to {what} only, and not to the C result"),
            hint,
        ));
        true
    }

    /// The first qualifier of arrays of numbers, and its place.
    fn word_of_arrays(&self) -> Option<(&'static str, Span)> {
        let words = [
            (Qualifier::Fortran, "fortran"),
            (Qualifier::Bytes, "bytes"),
            (Qualifier::String, "text"),
        ];
        words.into_iter().find_map(|(one, word)| Some((word, self.qualifier(one)?)))
    }

    /// The handle that the words spell, its place, and the number of stars that remain.
    fn handle(&self, types: &Types) -> Option<(CType, Span, usize)> {
        let is_const = self.qualifier(Qualifier::Const).is_some();
        let (ctype, left) = types.handle(&self.words, self.stars.len(), is_const)?;
        let span = self.stars.first().map_or(ctype.span, |star| ctype.span.to(*star));
        Some((ctype, span, left))
    }

    /// The array of pointers that the words and the dimensions declare, if they do.
    fn pointer_list(
        &self,
        shape: &[Expr],
        open: Option<Span>,
        types: &Types,
    ) -> Option<PointerList> {
        let has_length = matches!((shape, open), ([_], None) | ([], Some(_)));
        let is_list = match self.handle(types) {
            Some((_, _, left)) => left == 1,
            None => {
                self.stars.len() == 2 && types.resolve(&self.words).is_ok_and(|one| one.is_char())
            }
        };
        (has_length && is_list).then(|| PointerList {
            capacity: None,
            length: shape.first().cloned(),
            is_const: self.is_pointer_const,
            free: None,
        })
    }

    fn returned_list(
        mut self,
        list: PointerList,
        types: &Types,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<CResult> {
        self.remove_macros(types);
        if let Some((word, place)) = self.word_of_arrays() {
            diagnostics.push(Diagnostic::error(
                Code::BAD_QUALIFIERS,
                place,
                format!("`{word}` applies to arrays of numbers only; this is an array of pointers"),
                "remove it",
            ));
            return None;
        }
        let (ctype, is_handle) = match self.handle(types) {
            Some((ctype, _, _)) => (ctype, true),
            None => (types.resolve(&self.words).ok()?, false),
        };
        let span = ctype.span.to(self.stars[self.stars.len() - 1]);
        Some(CResult::Pointer(Box::new(Returned {
            is_const: !is_handle && self.qualifier(Qualifier::Const).is_some(),
            nullable: self.qualifier(Qualifier::Nullable).is_some(),
            out_pointer: self.ownership.out_pointer(Pointee::List(list)),
            ctype,
            span,
        })))
    }

    fn returned_handle(
        self,
        ctype: CType,
        shape: &[Expr],
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<CResult> {
        let name = names::short(ctype.text(), 40);
        if let Some((word, place)) = self.word_of_arrays() {
            diagnostics.push(Diagnostic::error(
                Code::BAD_QUALIFIERS,
                place,
                format!("`{word}` applies to arrays only; a `{name}` is not an array"),
                "remove it",
            ));
        } else if let Some(place) = self.status {
            diagnostics.push(Diagnostic::error(
                Code::BAD_QUALIFIERS,
                place,
                format!("a `status` is an integer, not a `{name}`"),
                "remove `status`: a pointer that is NULL is a failure unless it is `nullable`",
            ));
        } else if let [first, ..] = shape {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED_TYPE,
                first.span,
                format!("arrays of `{name}` are not supported"),
                "write a C function that returns one of them, and wrap that",
            ));
        } else {
            let nullable = self.qualifier(Qualifier::Nullable).is_some();
            let out_pointer = self.ownership.out_pointer(Pointee::One);
            let returned = Returned { ctype, is_const: false, nullable, out_pointer, span };
            return Some(CResult::Pointer(Box::new(returned)));
        }
        None
    }

    fn returned(self, ctype: CType, shape: Vec<Expr>, span: Span) -> Returned {
        let holds = holds(&self.qualifiers, &ctype, shape);
        Returned {
            is_const: self.qualifier(Qualifier::Const).is_some(),
            nullable: self.qualifier(Qualifier::Nullable).is_some(),
            out_pointer: self.ownership.out_pointer(holds),
            ctype,
            span,
        }
    }
}

/// The dimensions after the arguments, and the place of one without a size.
fn dimensions(
    tokens: &[Token<'_>],
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Vec<Expr>, Option<Span>)> {
    let mut shape = Vec::new();
    let mut without_size = None;
    let mut rest = tokens;
    while let Some(open) = rest.first() {
        let close = brackets::closing(rest);
        match dimension::parse(&rest[..=close], types) {
            Ok(Dimension::Sized(expr, None)) => shape.push(expr),
            Ok(Dimension::Open) => without_size = Some(open.span.to(rest[close].span)),
            Ok(_) => {
                diagnostics.push(error(
                    open.span.to(rest[close].span),
                    "a dimension of the result has one size",
                    "write how many elements there are, as in `[n]`",
                ));
                return None;
            }
            Err(found) => {
                diagnostics.push(*found);
                return None;
            }
        }
        rest = &rest[close + 1..];
    }
    Some((shape, without_size))
}

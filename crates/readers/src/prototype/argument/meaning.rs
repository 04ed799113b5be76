//! The meaning of an argument, once all of its parts are parsed.
//!
//! Purpose: determine the type of an argument and how it is passed.
//! Invariant: depends on the parts, not on their order in the source.
//! Reason: C declares arrays, strings and C-allocated memory in the same syntax; only all keywords
//! together distinguish them.

use super::Reader;
use crate::prototype::Form;
use crate::prototype::callback::{self, Declarator, Pointer};
use crate::prototype::lexer::Token;
use crate::prototype::owner::Ownership;
use crate::prototype::qualifiers::{Qualifier, Qualifiers};
use crate::prototype::standard;
use fishplate_model::{
    CType, Callback, Code, Consumed, Elements, Expr, Intent, NewObject, Owner, Passing, Pointee,
    PointerList, ReturnedPointer, RowPointers, Scalar, Span, Spanned, Type, Use,
};

impl<'t> Reader<'_, 't, '_> {
    /// The type of an opaque hidden value: one that only the headers define, NULL, or a pointer to
    /// a function or to a value that is not a number.
    pub(super) fn opaque(&self, words: &[Token<'_>]) -> Option<CType> {
        let (first, last) = (words.first()?, words.last()?);
        let spelled: Vec<&str> = words.iter().map(|word| word.text).collect();
        let stars = self.stars.len();
        let is_foreign = self.pointer.is_some()
            || match self.types.find(&spelled) {
                Some(_) => stars > 1 || stars == 1 && self.is_null,
                None => self
                    .types
                    .handle(words, stars, false)
                    .is_none_or(|(ctype, left)| left > 0 || standard::is_passed_alone(&ctype)),
            };
        let is_value = spelled == ["void"] && stars == 0 && self.pointer.is_none();
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
        if let Some(pointer) = self.pointer {
            spelling.push_str(" (*)");
            spelling.push_str(&as_written(pointer.parameters));
        }
        Some(CType { what: Type::Opaque, spelling, span: first.span.to(last.span) })
    }

    /// The callback, by its parameters or by its type; `Some(None)` for one that cannot be parsed.
    pub(super) fn callback(
        &mut self,
        words: &[Token<'t>],
        name: &Spanned<String>,
        span: Span,
    ) -> Option<Option<(CType, Callback)>> {
        let mut found = match (self.pointer, self.types.callback(words)) {
            (Some(Declarator { plain, parameters }), _) => {
                let pointer = Pointer { name, plain, parameters };
                pointer.read(span, self.types, self.diagnostics)
            }
            (None, Some(of)) => {
                callback::of_type(of, words, &self.stars, self.brackets, self.diagnostics)
            }
            (None, None) => return None,
        };
        if let Some((_, callback)) = &mut found {
            self.keywords.apply(callback);
        }
        Some(found)
    }

    /// The type, and whether the passed value is `const`. The type of a handle includes its `*` and
    /// its `const`.
    pub(super) fn ctype(&mut self, words: &[Token<'_>], span: Span) -> (Option<CType>, bool) {
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
        if let Some(element) = self.element_of_any(words) {
            return Some(element);
        }
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
                    "a `void` pointer does not specify a type of elements",
                    "write bytes with their number, as in `bytes const void x[n]`; for an object, declare \
                     `[handle.NAME]` with `ctype = \"void *\"`, and write `NAME x`; otherwise write a C \
                     function that accepts a typed pointer, such as `const double *`, and wrap that",
                );
                None
            }
            words => self.types.resolve(words).map_err(|found| self.diagnostics.push(*found)).ok(),
        }
    }

    /// `own` before objects that the caller passes.
    pub(super) fn consumed(
        &self,
        ctype: Option<&CType>,
        passing: Option<&Passing>,
    ) -> Option<Spanned<Consumed>> {
        let place = self.qualifiers.place(Qualifier::Own)?;
        let takes = ctype?.nested().is_some_and(|one| one.has_use(Use::Taken));
        if !takes {
            ctype?.handle()?;
        }
        let when = match &self.ownership.owner {
            Owner::Caller(None) => Consumed::Always,
            Owner::Caller(Some(when)) if when.as_name() == Some("success") => Consumed::OnSuccess,
            _ => return None,
        };
        let is_passed = takes || matches!(passing?, Passing::Value | Passing::List { .. });
        (is_passed && self.form != Form::Callback).then(|| Spanned::new(when, place))
    }

    pub(super) fn passing(
        &mut self,
        name: &str,
        ctype: Option<&CType>,
        intent: Option<Intent>,
    ) -> Option<Passing> {
        let is_const = self.qualifiers.place(Qualifier::Const).is_some();
        let is_char = ctype.is_some_and(CType::is_char);
        let is_handle = ctype.is_some_and(CType::is_pointer);
        let is_out_pointer = self.qualifiers.place(Qualifier::Own).is_some();
        if let Some(passing) = self.any_array(name, ctype) {
            return passing;
        }
        let several = ctype.filter(|_| !self.stars.is_empty() || self.brackets.is_some());
        let refused = several.and_then(|of| {
            let span = self.stars.last().map_or(of.span, |star| of.span.to(star.span));
            standard::refuse(of, span)
        });
        if let Some(refused) = refused {
            self.diagnostics.push(refused);
            return None;
        }
        if is_out_pointer
            && (is_char && self.stars.len() == 2 || is_handle && self.stars.len() == 1)
            && (self.dimensions.len() == 1 || self.is_null_terminated)
        {
            return Some(self.pointer_list());
        }
        let is_filled = intent == Some(Intent::Out) && self.form == Form::Annotated;
        let is_object = ctype.is_some_and(|one| one.handle().is_some());
        match (self.stars.as_slice(), self.brackets) {
            ([], Some(_)) if is_filled && is_object && self.dimensions.len() == 1 => {
                self.filled_list()
            }
            ([_], Some(_))
                if is_filled
                    && is_char
                    && self.dimensions.len() == 1
                    && elements(&self.qualifiers) == Elements::Numbers =>
            {
                self.filled_list()
            }
            ([], None) if intent == Some(Intent::Out) && self.is_stored(ctype) => self.stored(),
            ([], Some(brackets)) if ctype.is_some_and(CType::is_array_of_header) => {
                self.array_of_arrays(name, brackets)
            }
            ([], None) => Some(Passing::Value),
            ([_], None) if ctype.is_some_and(CType::is_void) => Some(Passing::UserData),
            ([_], Some(_))
                if (self.lengths.is_some() || self.has_open_rows) && self.dimensions.len() == 1 =>
            {
                self.jagged(name)
            }
            (stars, Some(_))
                if self.dimensions.len() == 1
                    && (is_char && stars.len() == 1 && !is_out_pointer
                        || is_object && stars.is_empty()) =>
            {
                let is_const = self.is_pointer_const;
                self.dimensions.pop().map(|length| Passing::List {
                    length,
                    is_const,
                    lengths: None,
                })
            }
            ([_], None) if is_char && (is_const || intent == Some(Intent::In)) => {
                Some(Passing::String)
            }
            ([_], None) if is_handle && (is_out_pointer || intent == Some(Intent::Out)) => {
                self.out_pointer(ctype)
            }
            ([_], None) => Some(Passing::Pointer),
            ([], Some(_)) if self.is_unsized => Some(Passing::Pointer),
            ([], Some(_)) => Some(self.array(None)),
            ([_], Some(_)) if !is_out_pointer && self.dimensions.len() > 1 => {
                Some(self.array(Some(RowPointers { is_const: self.is_pointer_const })))
            }
            ([_], Some(_)) if is_out_pointer => {
                if let Some(length) = self.length.take() {
                    self.error(
                        Code::PROTO_SYNTAX,
                        length.span,
                        "C-allocated memory has one size, which is known after the call",
                        "write how many elements there are, as in `[n]`",
                    );
                }
                self.out_pointer(ctype)
            }
            ([_, _], None) if is_out_pointer || intent == Some(Intent::Out) => {
                self.out_pointer(ctype)
            }
            ([star, ..], Some(brackets)) => {
                let span = star.span.to(brackets);
                let hint = format!(
                    "write an array as `{name}[n]`, without `*`; pointers to the rows of a matrix are \
                     `*{name}[m][n]`, to rows of different lengths `*{name}[m][lengths[]]`; C-allocated memory is \
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
                let hint = if is_const {
                    format!(
                        "a matrix in one block of memory is `{name}[m][n]`, and pointers to its rows are \
                         `*{name}[m][n]`"
                    )
                } else {
                    format!(
                        "write `*{name}` for one scalar, `{name}[n]` for an array, `{name}[m][n]` for a matrix, \
                         and `*{name}[m][n]` for pointers to its rows; for a pointer that C sets to \
                         C-allocated memory, write `out own(free)`, or `out borrow`"
                    )
                };
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

    /// Its class has objects that the module allocates.
    fn is_stored(&self, ctype: Option<&CType>) -> bool {
        ctype.and_then(CType::handle).is_some_and(|class| self.types.is_stored(class))
    }

    /// A new object, to which C receives a pointer.
    fn stored(&mut self) -> Option<Passing> {
        let by = match self.qualifiers.place(Qualifier::Init) {
            Some(_) => NewObject::ByFunction,
            None => NewObject::ByClass,
        };
        let mut out_pointer = self.ownership.clone().out_pointer(Pointee::One);
        out_pointer.stored = Some(by);
        if out_pointer.owner == Owner::Unspecified {
            out_pointer.owner = Owner::Caller(None);
        }
        Some(Passing::OutPointer(out_pointer))
    }

    /// `mpz_t x[n]`: the elements themselves, not pointers to them.
    fn array_of_arrays(&mut self, name: &str, brackets: Span) -> Option<Passing> {
        self.error(
            Code::UNSUPPORTED_TYPE,
            brackets,
            format!("`{name}` is an array of arrays that are objects"),
            "write a C function that accepts pointers to the objects, and wrap that",
        );
        None
    }

    /// Rows of different lengths.
    fn jagged(&mut self, name: &str) -> Option<Passing> {
        let misfits = [Qualifier::Fortran, Qualifier::Bytes, Qualifier::String, Qualifier::Own];
        let place = misfits.iter().find_map(|word| self.qualifiers.place(*word));
        if let Some(place) = place.or(self.length.as_ref().map(|length| length.span)) {
            let hint =
                "remove this; the dimensions are a number of rows, and an array with their lengths";
            let message =
                format!("`{name}` has rows of different lengths, which are arrays of numbers");
            self.error(Code::BAD_QUALIFIERS, place, message, hint);
            return None;
        }
        let (length, lengths) = (self.dimensions.pop()?, self.lengths.take());
        Some(Passing::Jagged { length, lengths, is_const: self.is_pointer_const })
    }

    /// An array with the dimensions and qualifiers that were read.
    fn array(&mut self, rows: Option<RowPointers>) -> Passing {
        Passing::Array {
            shape: std::mem::take(&mut self.dimensions),
            fortran: self.qualifiers.place(Qualifier::Fortran).is_some(),
            elements: elements(&self.qualifiers),
            length: self.length.take(),
            rows,
        }
    }

    /// The words and stars spell a pointer to a string that C sets: `char **`.
    pub(super) fn spells_string_pointer(&self, words: &[Token<'_>]) -> bool {
        let is_char = || self.types.resolve(words).is_ok_and(|one| one.is_char());
        self.stars.len() == 2 && self.brackets.is_none() && is_char()
    }

    /// The words spell pointers to strings or objects, of which C allocates an array.
    pub(super) fn is_pointer_list(&self) -> bool {
        let (words, stars) = (&self.words, self.stars.len());
        let is_list = match self.types.handle(words, stars, false) {
            Some((_, left)) => left == 1,
            None => stars == 2 && self.types.resolve(words).is_ok_and(|one| one.is_char()),
        };
        is_list && self.qualifiers.place(Qualifier::Own).is_some()
    }

    /// `own(free) char **x[n]`
    fn pointer_list(&mut self) -> Passing {
        let list = PointerList {
            length: self.dimensions.pop(),
            is_const: self.is_pointer_const,
            free: None,
            capacity: None,
        };
        Passing::OutPointer(self.ownership.clone().out_pointer(Pointee::List(list)))
    }

    /// `out own node *x[n]`, `out own(free) char *x[n : m]`
    fn filled_list(&mut self) -> Option<Passing> {
        let capacity = self.dimensions.pop()?;
        let length = self.length.take().unwrap_or_else(|| capacity.clone());
        let list = PointerList {
            length: Some(length),
            is_const: false,
            free: None,
            capacity: Some(capacity),
        };
        let Ownership { owner, keeps, .. } = self.ownership.clone();
        let holds = Pointee::List(list);
        Some(Passing::OutPointer(ReturnedPointer { holds, owner, keeps, stored: None }))
    }

    fn out_pointer(&mut self, ctype: Option<&CType>) -> Option<Passing> {
        let holds = holds(&self.qualifiers, ctype?, std::mem::take(&mut self.dimensions));
        Some(Passing::OutPointer(self.ownership.clone().out_pointer(holds)))
    }
}

/// The pointee of a pointer with this type, shape and qualifiers.
pub(crate) fn holds(qualifiers: &Qualifiers, ctype: &CType, shape: Vec<Expr>) -> Pointee {
    if !shape.is_empty() {
        Pointee::Array {
            shape,
            fortran: qualifiers.place(Qualifier::Fortran).is_some(),
            elements: elements(qualifiers),
        }
    } else if ctype.is_char() {
        Pointee::String
    } else {
        Pointee::One
    }
}

/// The type that the target language has for an array with these qualifiers.
fn elements(qualifiers: &Qualifiers) -> Elements {
    if qualifiers.place(Qualifier::Bytes).is_some() {
        Elements::Bytes
    } else if qualifiers.place(Qualifier::String).is_some() {
        Elements::String
    } else {
        Elements::Numbers
    }
}

/// C code with conventional spaces: `(int n, void *data)`
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

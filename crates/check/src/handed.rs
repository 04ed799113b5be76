//! Mistakes about memory that C hands over: whose it is, and what is in it.

use fishplate_model::{
    Argument, Code, Diagnostic, Elements, Handed, Holds, Intent, Overload, Owner, Passing,
    PerArgument, Span, Type, VariableId,
};

/// A pointer that C hands over, as a result or in an argument.
struct Pointer<'a> {
    /// As messages call it: "what `f` returns", "`text`".
    what: String,
    /// How it is written, for hints.
    example: String,
    ctype: &'a fishplate_model::CType,
    is_const: bool,
    handed: &'a Handed,
    span: Span,
}

/// Checks every pointer that C hands over.
pub(crate) fn check(
    overload: &Overload,
    intents: &PerArgument<Intent>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if let fishplate_model::CResult::Pointer(returned) = &overload.result {
        let name = &overload.c_name.value;
        let pointer = Pointer {
            what: format!("the pointer returned by `{name}`"),
            example: format!("own(free) {} *{name}(...)[n]", returned.ctype.spelling),
            ctype: &returned.ctype,
            is_const: returned.is_const,
            handed: &returned.handed,
            span: returned.span,
        };
        pointer.check(overload, intents, diagnostics);
    }
    for (argument, intent) in overload.arguments.iter().zip(intents) {
        let Passing::Handed(handed) = &argument.passing else { continue };
        check_argument(argument, *intent, diagnostics);
        let name = &argument.name.value;
        let pointer = Pointer {
            what: format!("`{name}`"),
            example: format!("out own(free) {} *{name}[n]", argument.ctype.spelling),
            ctype: &argument.ctype,
            is_const: argument.is_const,
            handed,
            span: argument.span,
        };
        pointer.check(overload, intents, diagnostics);
    }
}

/// C alone says what such an argument is.
fn check_argument(argument: &Argument, intent: Intent, diagnostics: &mut Vec<Diagnostic>) {
    let name = &argument.name.value;
    if intent != Intent::Out {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            argument.span,
            format!("`{name}` is a pointer that C sets, so it is an output"),
            "write `out`",
        ));
    }
    if let Some(default) = &argument.default {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{name}` is NULL before the call, and C sets it"),
            "remove the value",
        ));
    }
}

impl Pointer<'_> {
    fn check(
        &self,
        overload: &Overload,
        intents: &PerArgument<Intent>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let is_handle = matches!(self.ctype.what, Type::Handle(_));
        if self.handed.holds == Holds::One && !is_handle {
            diagnostics.push(
                Diagnostic::error(
                    Code::BAD_DIMENSION,
                    self.span,
                    format!("{} has no shape", self.what),
                    format!("write how many elements there are, as in `{}`", self.example),
                )
                .label("how many are there?"),
            );
        }
        if let Holds::Array { shape, elements, .. } = &self.handed.holds {
            self.check_elements(shape.len(), *elements, is_handle, diagnostics);
        }
        self.check_owner(is_handle, diagnostics);
        let is_handle = |name: &str| {
            let found = overload.arguments.iter().find(|other| other.name.value == name);
            found.is_some_and(|argument| argument.ctype.handle().is_some())
        };
        let mut handles = self.handed.needs().filter(|lender| is_handle(&lender.value));
        if let (Holds::Array { .. }, Some(_), Some(second)) =
            (&self.handed.holds, handles.next(), handles.next())
        {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED,
                second.span,
                format!("{} is a view of memory of two handles", self.what),
                "name the one to which it belongs; that one keeps alive what it refers to",
            ));
        }
        for lender in self.handed.needs() {
            let found = overload.arguments.position(|other| other.name.value == lender.value);
            let lends = |index: VariableId| {
                let argument = &overload.arguments[index];
                let is_handle = matches!(argument.ctype.what, Type::Handle(_));
                intents[index].is_input() && (argument.is_array() || is_handle)
            };
            if !found.is_some_and(lends) {
                diagnostics.push(Diagnostic::error(
                    if found.is_some() { Code::INTENT_MISFIT } else { Code::UNKNOWN_NAME },
                    lender.span,
                    match found {
                        Some(_) => {
                            format!("`{}` has no memory that could be borrowed", lender.value)
                        }
                        None => format!("undefined name `{}`", lender.value),
                    },
                    "name the array or the handle, passed by the caller, to which the memory belongs",
                ));
            }
        }
    }

    fn check_elements(
        &self,
        rank: usize,
        elements: Elements,
        is_handle: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if is_handle {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED,
                self.span,
                format!("{} is an array of handles", self.what),
                "write a C function that returns one of them, and wrap that",
            ));
        } else {
            let place = Place { what: &self.what, span: self.span };
            place.check(self.ctype, rank, elements, diagnostics);
        }
    }

    fn check_owner(&self, is_handle: bool, diagnostics: &mut Vec<Diagnostic>) {
        let is_text = self.handed.holds == Holds::Text;
        let hint = match &self.handed.owner {
            Owner::Unsaid if is_text && self.is_const => return,
            Owner::Unsaid if is_handle => {
                "write `own` if the caller frees it, `borrow(x)` if it belongs to the argument `x`, or \
                 `borrow` if the library owns it"
            }
            Owner::Unsaid => {
                "write `own(free)` with the C function that frees it, `borrow(x)` if it belongs to the \
                 argument `x`, or `borrow` if it is always there"
            }
            Owner::Caller(None) if !is_handle => {
                "name the C function that frees it, as in `own(free)`"
            }
            Owner::Caller(Some(_)) if is_handle => {
                "write `own` alone: the `free` of its handle destroys an object"
            }
            Owner::Caller(_) | Owner::Lent(_) => return,
        };
        diagnostics.push(
            Diagnostic::error(
                Code::NO_OWNER,
                self.span,
                format!("the ownership of {} is not specified", self.what),
                hint,
            )
            .label("who frees it?"),
        );
    }
}

/// Something with elements, for messages.
pub(crate) struct Place<'a> {
    pub what: &'a str,
    pub span: Span,
}

impl Place<'_> {
    /// Bytes and texts are of one dimension and of small elements.
    pub(crate) fn check(
        &self,
        ctype: &fishplate_model::CType,
        rank: usize,
        elements: Elements,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let is_byte = |scalar: fishplate_model::Scalar| scalar.size() == 1 && scalar.is_integer();
        let (word, fits, hint) = match elements {
            Elements::Numbers => return,
            Elements::Bytes => (
                "bytes",
                ctype.number().is_some_and(is_byte),
                "write `unsigned char`, or leave the type out",
            ),
            Elements::Text => ("text", ctype.number().is_some_and(is_byte), "write `char`"),
        };
        if !fits {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                ctype.span,
                format!("{} is {word}, and `{}` is not a type for that", self.what, ctype.spelling),
                hint,
            ));
        }
        if rank > 1 {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DIMENSION,
                self.span,
                format!("{} is {word}, and has {rank} dimensions", self.what),
                format!("write one, or drop `{word}`"),
            ));
        }
    }
}

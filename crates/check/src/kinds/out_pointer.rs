//! Pointers that C returns, as its result or in an argument: their pointees, and the owners of
//! those.

use super::{ArgumentKind, Mistakes, Place, check_nullable_input, pointee};
use crate::resolve::{Classes, Scope};
use crate::{Crossing, Feature, Properties};
use fishplate_model::{
    Argument, CResult, CType, Code, Diagnostic, Expr, Intent, Overload, Owner, Passing,
    PerArgument, Pointee, PointerList, ReturnedPointer, Span, VariableId,
};

/// `out own(free) double **x`
pub(super) struct OutPointer;

/// The properties of an out-pointer.
pub(crate) fn properties() -> Properties<'static> {
    Properties {
        is_set_elsewhere: true,
        feature: Some(Feature::OutPointers),
        ..Properties::default()
    }
}

impl ArgumentKind for OutPointer {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        let Argument { name, ctype, is_const, nullable, .. } = argument;
        let out_pointer = argument.out_pointer()?;
        let pointer = scope.pointer(&name.value, ctype, (*is_const, *nullable), out_pointer)?;
        Some(Crossing::OutPointer(pointer))
    }

    /// The kind of such an argument depends only on C.
    fn check(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        if intent != Intent::Out {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{}` is a pointer that C sets, so it is an output", argument.name.value),
                "write `out`",
            ));
        }
    }

    /// A pointer that C sets to NULL is returned as None.
    fn check_nullable(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        if intent != Intent::Out {
            check_nullable_input(argument, intent, diagnostics);
        }
    }

    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{}` is NULL before the call, and C sets it", argument.name.value),
            "remove the value",
        ));
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        Some((argument.span, format!("set the pointer `{}`", argument.name.value)))
    }

    fn refuse_value(&self, name: &str, _: bool) -> Option<(String, String)> {
        let message = format!("`{name}` is C-allocated memory, not a number");
        Some((message, "use a number".to_owned()))
    }

    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        Some("C allocates a result")
    }
}

/// A pointer that C returns, as a result or in an argument.
struct Pointer<'a> {
    /// Its description in messages: "the pointer returned by `f`", "`text`".
    what: String,
    /// Its declaration, for hints.
    example: String,
    ctype: &'a CType,
    is_const: bool,
    out_pointer: &'a ReturnedPointer,
    span: Span,
}

/// Checks every pointer that C returns.
pub(crate) fn check(
    overload: &Overload,
    intents: &PerArgument<Intent>,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if let CResult::Pointer(returned) = &overload.result {
        let name = &overload.c_name.value;
        let pointer = Pointer {
            what: format!("the pointer returned by `{name}`"),
            example: format!("own(free) {} *{name}(...)[n]", returned.ctype.spelling),
            ctype: &returned.ctype,
            is_const: returned.is_const,
            out_pointer: &returned.out_pointer,
            span: returned.span,
        };
        pointer.check(overload, intents, diagnostics);
        pointer.check_context(overload, classes, diagnostics);
    }
    for argument in &overload.arguments {
        let Some(out_pointer) = argument.out_pointer() else { continue };
        let name = &argument.name.value;
        let pointer = Pointer {
            what: format!("`{name}`"),
            example: format!("out own(free) {} *{name}[n]", argument.ctype.spelling),
            ctype: &argument.ctype,
            is_const: argument.is_const,
            out_pointer,
            span: argument.span,
        };
        pointer.check(overload, intents, diagnostics);
        pointer.check_context(overload, classes, diagnostics);
    }
}

impl Pointer<'_> {
    fn check(
        &self,
        overload: &Overload,
        intents: &PerArgument<Intent>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let is_handle = self.ctype.handle().is_some();
        let is_one = is_handle || self.ctype.structure().is_some() || self.ctype.nested().is_some();
        if self.out_pointer.holds == Pointee::One && !is_one {
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
        match &self.out_pointer.holds {
            Pointee::List(list) => self.check_list(list, overload, diagnostics),
            holds => {
                if let Some(shape) = holds.shape() {
                    self.check_elements(shape.len(), is_handle, diagnostics);
                }
                self.check_owner(is_handle, diagnostics);
            }
        }
        let is_handle = |name: &str| {
            let found = overload.arguments.iter().find(|other| other.name.value == name);
            found.is_some_and(is_one_object)
        };
        let mut handles = self.out_pointer.needs().filter(|named| is_handle(&named.value));
        if let (Pointee::Array { .. }, Some(_), Some(second)) =
            (&self.out_pointer.holds, handles.next(), handles.next())
        {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED,
                second.span,
                format!("{} is a view of memory of two handles", self.what),
                "name the one to which it belongs; that one keeps the other alive",
            ));
        }
        for named in self.out_pointer.needs() {
            let found = overload.arguments.position(|other| other.name.value == named.value);
            let has_memory = |index: VariableId| {
                let argument = &overload.arguments[index];
                let has_memory = argument.is_array() || has_terminated_rows(argument);
                intents[index].is_input() && (has_memory || is_one_object(argument))
            };
            if !found.is_some_and(has_memory) {
                diagnostics.push(Diagnostic::error(
                    if found.is_some() { Code::INTENT_MISFIT } else { Code::UNKNOWN_NAME },
                    named.span,
                    match found {
                        Some(_) => {
                            format!("`{}` has no memory that could be borrowed", named.value)
                        }
                        None => format!("undefined name `{}`", named.value),
                    },
                    "name the array or the handle, passed by the caller, to which the memory belongs",
                ));
            }
        }
    }

    /// An object that another one frees keeps that one.
    fn check_context(&self, overload: &Overload, classes: Classes<'_>, diagnostics: Mistakes<'_>) {
        let mut refuse = |class: &str, context: &str, hint: String| {
            let message = format!(
                "{} is freed with an object of `{context}`, which it does not keep",
                self.what
            );
            let found = Diagnostic::error(Code::NO_OWNER, self.span, message, hint);
            diagnostics
                .push(found.label(format!("with which `{context}` is this `{class}` freed?")));
        };
        let nested = self.ctype.nested().map(|nested| nested.objects()).unwrap_or_default();
        for class in nested {
            if let Some(context) = classes.context_of_class(&class) {
                refuse(
                    &class,
                    context,
                    "write a C function that returns one object at a time".to_owned(),
                );
            }
        }
        let Some(class) = self.ctype.handle() else { return };
        let Some(context) = classes.context_of_class(class) else { return };
        if !matches!(self.out_pointer.owner, Owner::Caller(_)) {
            return;
        }
        if matches!(self.out_pointer.holds, Pointee::List(_)) {
            refuse(
                class,
                context,
                "write a C function that returns one object at a time".to_owned(),
            );
            return;
        }
        let of_class = |argument: &&Argument| {
            is_one_object(argument) && classes.is_derived(&argument.ctype, context)
        };
        let keeps = &self.out_pointer.keeps;
        let mut kept = overload.arguments.iter().filter(of_class);
        if !kept.any(|argument| keeps.iter().any(|one| one.value == argument.name.value)) {
            let hint = match overload.arguments.iter().find(of_class) {
                Some(argument) => format!("write `own keep({})`", argument.name.value),
                None => format!(
                    "write `own keep(c)`, where `c` is an argument of the class `{context}`"
                ),
            };
            refuse(class, context, hint);
        }
    }

    fn check_elements(&self, rank: usize, is_handle: bool, diagnostics: &mut Vec<Diagnostic>) {
        if is_handle {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED,
                self.span,
                format!("{} is an array of handles", self.what),
                "write a C function that returns one of them, and wrap that",
            ));
        } else {
            let at = Place { what: &self.what, span: self.span, string_dimensions: 1 };
            pointee(self.out_pointer, self.ctype).check_type(&at, self.ctype, rank, diagnostics);
        }
    }

    /// The array and its pointees have an owner each.
    fn check_list(&self, list: &PointerList, overload: &Overload, diagnostics: Mistakes<'_>) {
        let mut report = |code: Code, span: Span, message: String, hint: &str| {
            diagnostics.push(Diagnostic::error(code, span, message, hint));
        };
        let what = &self.what;
        let is_handle = self.ctype.handle().is_some();
        if self.ctype.invalid_identifier().is_some() && list.capacity.is_none() {
            let message = format!("{what} is an array of integers, not of pointers");
            let hint = "write a C function that returns one object at a time, and wrap that";
            report(Code::UNSUPPORTED, self.span, message, hint);
            return;
        }
        match &self.out_pointer.owner {
            Owner::Caller(Some(function)) if list.capacity.is_some() && is_handle => report(
                Code::NO_OWNER,
                function.span,
                format!("objects of {what} are freed by the function of their class"),
                "write `own` alone",
            ),
            // The library retains strings that are `const`.
            Owner::Unspecified if list.capacity.is_some() && (is_handle || !self.is_const) => {
                let (of, hint) = match is_handle {
                    true => (
                        "objects",
                        "write `out own` if the caller owns each, `out borrow(x)` if they belong to the argument `x`, or \
                         `out borrow` if the library owns them",
                    ),
                    false => (
                        "strings",
                        "write `out own(free)` with the C function that frees each, if the caller owns them, or `out borrow` \
                         if the library does",
                    ),
                };
                let message = format!("the ownership of the {of} of {what} is not specified");
                report(Code::NO_OWNER, self.span, message, hint);
            }
            Owner::Unspecified if list.capacity.is_some() => {}
            Owner::Caller(Some(function)) if is_handle => report(
                Code::NO_OWNER,
                function.span,
                format!("objects of {what} are freed by the function of their class"),
                "write `each` alone, as in `own(free, each)`",
            ),
            Owner::Caller(None) if !is_handle => report(
                Code::NO_OWNER,
                self.span,
                format!("the function that frees each string of {what} is not specified"),
                match list.capacity {
                    Some(_) => "name it, as in `out own(free)`",
                    None => "name it, as in `own(free, each = free)`",
                },
            ),
            Owner::Unspecified if list.free.is_none() => report(
                Code::NO_OWNER,
                self.span,
                format!("the ownership of {what} is not specified"),
                if is_handle {
                    "write `own(free, each)` with the C function that frees the array, if the caller owns it and its \
                     objects; `own(free) borrow(x)`, if the objects belong to the argument `x`; or `borrow(x)`, if both \
                     do"
                } else {
                    "write `own(free)` with the C function that frees the array, `own(free, each = free)` with the one \
                     that frees each string too, or `borrow` if the library owns all of it"
                },
            ),
            Owner::Unspecified if is_handle && self.out_pointer.keeps.is_empty() => report(
                Code::NO_OWNER,
                self.span,
                format!("the ownership of the objects of {what} is not specified"),
                "write `own(free, each)` if the caller owns each, `own(free) borrow(x)` if they belong to the argument \
                 `x`, or `own(free) borrow` if the library owns them",
            ),
            _ => {}
        }
        let is_object = |name: &str| {
            let found = overload.arguments.iter().find(|other| other.name.value == name);
            found.is_none_or(is_one_object)
        };
        let mut needs = self.out_pointer.needs();
        if let Some(array) = needs.find(|named| is_handle && !is_object(&named.value)) {
            report(
                Code::UNSUPPORTED,
                array.span,
                format!("objects of {what} refer to the array `{}`", array.value),
                "name an object; return one that refers to an array by a C function of its own",
            );
        }
    }

    fn check_owner(&self, is_handle: bool, diagnostics: &mut Vec<Diagnostic>) {
        let hint = match &self.out_pointer.owner {
            Owner::Unspecified
                if pointee(self.out_pointer, self.ctype).has_owner(self.is_const) =>
            {
                return;
            }
            Owner::Unspecified if is_handle => {
                "write `own` if the caller frees it, `borrow(x)` if it belongs to the argument `x`, or \
                 `borrow` if the library owns it"
            }
            Owner::Unspecified => {
                "write `own(free)` with the C function that frees it, `borrow(x)` if it belongs to the \
                 argument `x`, or `borrow` if it is always there"
            }
            Owner::Caller(None) if !is_handle => {
                "name the C function that frees it, as in `own(free)`"
            }
            Owner::Caller(Some(_)) if is_handle => {
                "write `own` alone: the `free` of its handle destroys an object"
            }
            Owner::Caller(_) | Owner::Borrowed(_) => return,
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

fn is_one_object(argument: &Argument) -> bool {
    argument.passing == Passing::Value && argument.ctype.handle().is_some()
}

/// The call has a copy of the rows, with their terminators.
fn has_terminated_rows(argument: &Argument) -> bool {
    matches!(argument.passing, Passing::Jagged { lengths: None, .. })
}

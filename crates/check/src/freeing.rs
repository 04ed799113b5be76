//! Mistakes in the C that frees memory: `own(release(x, n))`.
//!
//! Purpose: such an expression has the pointer, and values that outlive the memory.
//! Invariant: it is over numbers, enums and objects of the call, constants and functions of the headers.
//! Reason: the memory is freed on every path, also where arrays and strings of the call do not exist any more.

use crate::kinds::integer_or_enum;
use crate::names::{Constants, suggestion};
use crate::resolve::RESULT;
use fishplate_model::{
    Argument, CResult, Code, Diagnostic, Expr, ExprKind, Overload, Owner, Passing, Pointee,
    ReturnedPointer, Span,
};

/// Checks the C that frees the memory of each pointer that C returns.
pub(crate) fn check(
    overload: &Overload,
    constants: &Constants<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let result = match &overload.result {
        CResult::Pointer(returned) => Some((RESULT, &returned.out_pointer)),
        _ => None,
    };
    let set = overload.arguments.iter().filter_map(|argument| {
        argument.out_pointer().map(|pointer| (argument.name.value.as_str(), pointer))
    });
    for (name, pointer) in set.chain(result) {
        check_items(name, pointer, diagnostics);
        let Some(free) = expression(pointer).filter(|free| free.as_name().is_none()) else {
            continue;
        };
        let scope = Scope { overload, pointer: name, constants };
        scope.check(free, diagnostics);
    }
}

/// The C that frees the memory itself.
fn expression(pointer: &ReturnedPointer) -> Option<&Expr> {
    match (&pointer.holds, &pointer.owner) {
        (Pointee::List(list), _) => list.free.as_deref(),
        (_, Owner::Caller(free)) => free.as_ref(),
        (_, Owner::Unspecified | Owner::Borrowed(_)) => None,
    }
}

/// The function for each item of an array of pointers takes the item alone.
fn check_items(name: &str, pointer: &ReturnedPointer, diagnostics: &mut Vec<Diagnostic>) {
    if let (Pointee::List(_), Owner::Caller(Some(each))) = (&pointer.holds, &pointer.owner)
        && each.as_name().is_none()
    {
        diagnostics.push(Diagnostic::error(
            Code::UNSUPPORTED,
            each.span,
            format!("each string of `{name}` is freed by a C function with one argument"),
            "name the function, as in `own(free)`, or write a C function with that argument and name it",
        ));
    }
}

struct Scope<'a> {
    overload: &'a Overload,
    /// The name of the pointer.
    pointer: &'a str,
    constants: &'a Constants<'a>,
}

impl Scope<'_> {
    fn check(&self, free: &Expr, diagnostics: &mut Vec<Diagnostic>) {
        let passes =
            |part: &Expr| matches!(&part.kind, ExprKind::Name(name) if name == self.pointer);
        let mut has_pointer = false;
        free.walk(&mut |part| {
            has_pointer |= passes(part);
            match &part.kind {
                ExprKind::Name(name) if name == self.pointer => {}
                ExprKind::Name(name) => self.check_name(name, part.span, diagnostics),
                ExprKind::Measure { array_span, .. } => diagnostics.push(Diagnostic::error(
                    Code::UNSUPPORTED,
                    *array_span,
                    "`own` cannot pass a property of an array",
                    "pass the argument that has the size",
                )),
                _ => {}
            }
        });
        let arguments = &self.overload.arguments;
        if self.pointer == RESULT && arguments.iter().any(|one| one.name.value == RESULT) {
            let message = "`result` is an argument here, so `own` cannot name the pointer";
            let hint = "give the argument another name";
            diagnostics.push(Diagnostic::error(Code::NO_OWNER, free.span, message, hint));
        } else if !has_pointer {
            let hint = match self.pointer {
                RESULT => "write `result` for the pointer that the function returns".to_owned(),
                name => format!("write `{name}` among the arguments"),
            };
            let message = format!("`{free}` does not free `{}`", self.pointer);
            diagnostics.push(Diagnostic::error(Code::NO_OWNER, free.span, message, hint));
        }
    }

    fn check_name(&self, name: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) {
        let arguments = &self.overload.arguments;
        let Some(argument) = arguments.iter().find(|one| one.name.value == name) else {
            let is_result = name == RESULT && matches!(self.overload.result, CResult::Value(_));
            if !is_result && !self.constants.contains(name) {
                let known = arguments.iter().map(|one| one.name.value.as_str());
                let hint = suggestion(name, known.chain([self.pointer])).unwrap_or_else(|| {
                    match self.pointer {
                        RESULT => "name an argument; the pointer is `result`".to_owned(),
                        pointer => format!("name an argument; the pointer is `{pointer}`"),
                    }
                });
                let message = format!("undefined name `{name}`");
                diagnostics.push(Diagnostic::error(Code::UNKNOWN_NAME, span, message, hint));
            }
            return;
        };
        let (code, message, hint) = if argument.consumed.is_some() {
            (
                Code::INTENT_MISFIT,
                format!(
                    "C takes over `{name}`, which may not exist when `{}` is freed",
                    self.pointer
                ),
                "write a C function that returns memory of its own, and wrap that",
            )
        } else if !is_passed(argument) {
            (
                Code::UNSUPPORTED,
                format!("`own` passes numbers, enums and objects, and `{name}` is something else"),
                "write a C function that frees the memory without it, and name that",
            )
        } else if argument.nullable && argument.ctype.handle().is_none() {
            (
                Code::INTENT_MISFIT,
                format!("`{name}` may be NULL, so an expression cannot use it"),
                "use an argument that always has a value",
            )
        } else {
            return;
        };
        diagnostics.push(Diagnostic::error(code, span, message, hint));
    }
}

/// A number, an enum or an object, which is a variable of the call until that ends.
fn is_passed(argument: &Argument) -> bool {
    let is_number = argument.ctype.number().is_some() || integer_or_enum(&argument.ctype);
    match argument.passing {
        Passing::Value => is_number || argument.ctype.handle().is_some(),
        Passing::Pointer => is_number,
        _ => false,
    }
}

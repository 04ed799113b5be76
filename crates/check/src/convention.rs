//! The error conventions of overloads: the function's own, that of its class, that of the module.
//!
//! Purpose: decide for each overload which keys of which `status` table apply.
//! Invariant: a key of the function precedes that of its class, which precedes that of the module.
//! Reason: the tables of classes and modules are written for many functions, and not every key suits the result of each.

use crate::handles::object_of_method;
use fishplate_model::{
    CResult, CType, Consumed, Function, Handle, Interface, Message, Overload, Passing, Spanned,
    Status, StatusTest, VariableId,
};

/// The word for the object in the message of a class.
pub(crate) const OBJECT: &str = "object";

/// The meaning of a return code, or of a NULL that C returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Convention {
    /// Its keys.
    pub status: Status,
    /// The argument that the message calls `object`.
    pub object: Option<VariableId>,
}

impl Convention {
    /// The convention of an overload; `None`: no result of it can fail, or only a code other than 0.
    pub(crate) fn of(
        overload: &Overload,
        function: &Function,
        interface: &Interface,
    ) -> Option<Convention> {
        let own = function.status.clone();
        let of_module = &interface.status;
        let class = class(overload, function, interface);
        let object = class.and_then(|class| object(overload, function, class));
        let of_class = class.map(|class| for_object(&class.status, object)).unwrap_or_default();
        let has_message = own.message.is_some();
        let status = if let Some(message) = message(overload) {
            let text = Spanned::new("status".to_owned(), message.span);
            let own = own.or(&of_class.stored_errors()).or(&of_module.stored_errors());
            Status { message: own.message.clone().or(Some(Message::retained(text))), ..own }
        } else if let Some(code) = overload.return_code().filter(|code| code.is_bool()) {
            let own = own.or(&of_class.of_bools()).or(&of_module.of_bools());
            let is_true = StatusTest::Values(vec![Spanned::new("true".to_owned(), code.span)]);
            Status { success: own.success.or(Some(is_true)), ..own }
        } else if overload.return_code().is_some() {
            own.or(&of_class).or(of_module)
        } else if returns_pointer(overload) {
            own.or(&of_class.of_pointers()).or(&of_module.stored_errors())
        } else {
            return None;
        };
        let means_object = match has_message {
            true => overload.arguments.iter().all(|argument| argument.name.value != OBJECT),
            false => status.message == of_class.message,
        };
        let object = object.filter(|_| means_object && uses_object(&status));
        status.says_something().then_some(Convention { status, object })
    }
}

/// The class whose convention applies: that of a constructor, or of the object of a method.
fn class<'i>(
    overload: &Overload,
    function: &Function,
    interface: &'i Interface,
) -> Option<&'i Handle> {
    let named = |name: &str| interface.handles.iter().find(|one| one.name.value == name);
    if let Some(class) = &function.class {
        return named(class);
    }
    let first = || named(overload.arguments.first()?.ctype.handle()?);
    named(&function.name.value).or_else(|| {
        first().filter(|class| object_of_method(overload, class) == Some(VariableId::from(0)))
    })
}

/// The object that the message of its class reads after a failure: one that C has taken over is gone, one that the
/// module stores may not have begun.
fn object(overload: &Overload, function: &Function, class: &Handle) -> Option<VariableId> {
    let is_constructor = function.class.is_none() && function.name.value == class.name.value;
    if !is_constructor {
        return object_of_method(overload, class).filter(|index| {
            let consumed = &overload.arguments[*index].consumed;
            consumed.as_ref().is_none_or(|when| when.value == Consumed::OnSuccess)
        });
    }
    let mut arguments = overload.arguments.iter_enumerated();
    let made = arguments.find(|(_, argument)| {
        matches!(argument.passing, Passing::OutPointer(_))
            && argument.ctype.handle() == Some(&class.name.value)
    });
    made.filter(|_| class.stored.is_none()).map(|(index, _)| index)
}

/// The convention of a class, without its message if that reads an object and the call has none to read.
fn for_object(status: &Status, object: Option<VariableId>) -> Status {
    let mut status = status.clone();
    if object.is_none() && uses_object(&status) {
        status.message = None;
    }
    status
}

/// The message reads an object.
fn uses_object(status: &Status) -> bool {
    status.message.as_ref().is_some_and(|message| message.uses(OBJECT))
}

/// The type of the return code, if that is a message.
fn message(overload: &Overload) -> Option<&CType> {
    overload.return_code().filter(|ctype| ctype.is_message())
}

/// The result is a pointer, of which NULL is a failure.
pub(crate) fn returns_pointer(overload: &Overload) -> bool {
    match &overload.result {
        CResult::Pointer(returned) => returned.must_be_there() && overload.return_code().is_none(),
        CResult::Status(_) | CResult::Value(_) | CResult::Void => false,
    }
}

/// The convention of the class applies to some result of this overload.
pub(crate) fn uses_class(
    overload: &Overload,
    function: &Function,
    handle: &Handle,
    interface: &Interface,
) -> bool {
    let may_fail = overload.return_code().is_some() || returns_pointer(overload);
    may_fail && class(overload, function, interface).is_some_and(|one| one.name == handle.name)
}

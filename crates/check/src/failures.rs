//! Mistakes in error conventions: return codes, C++ exceptions, and the exceptions that they
//! become.

use crate::convention::{returns_pointer, uses_class};
use crate::names::suggestion;
use fishplate_model::{
    CResult, CType, Code, Diagnostic, Function, Handle, Interface, Language, Overload, Spanned,
    Status,
};

/// Python's own exceptions that can be constructed from one string.
const PYTHON_EXCEPTIONS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
];

/// Reports mistakes in the error conventions of the interface as a whole.
pub(crate) fn check(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    let constructors = || interface.handles.iter().filter_map(|handle| handle.constructor.as_ref());
    let functions = || constructors().chain(&interface.functions);
    let of_functions = functions().map(|function| &function.status);
    let of_classes = interface.handles.iter().map(|handle| &handle.status);
    let statuses = std::iter::once(&interface.status).chain(of_classes).chain(of_functions);
    let named = interface.exceptions.iter().chain(statuses.flat_map(Status::exceptions));
    for (_, name) in named {
        diagnostics.extend(refuse_exception(name));
    }
    for (index, (class, _)) in interface.exceptions.iter().enumerate() {
        if index == 0 && interface.module.language == Language::C {
            diagnostics.push(Diagnostic::error(
                Code::NEEDS_CXX,
                class.span,
                format!("a module of C catches no `{}`", class.value),
                "write `language = \"c++\"` in `[module]`",
            ));
        }
    }
    report_forgotten_status(interface, diagnostics);
    interface.handles.iter().for_each(|handle| report_idle_class(handle, interface, diagnostics));
    for function in functions() {
        report_needless_status(function, diagnostics);
        for overload in &function.overloads {
            if interface.module.language == Language::C {
                diagnostics.extend(of_cxx(overload));
            }
        }
    }
}

/// The mistake in the name of a Python exception, if any. One in a module is looked up when the
/// generated module is loaded.
fn refuse_exception(name: &Spanned<String>) -> Option<Diagnostic> {
    let parts: Vec<&str> = name.value.split('.').collect();
    let is_name = |part: &&str| {
        !part.is_empty()
            && !part.starts_with(|c: char| c.is_ascii_digit())
            && part.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    };
    let hint = if !parts.iter().all(is_name) || parts.len() == 1 {
        if PYTHON_EXCEPTIONS.contains(&name.value.as_str()) {
            return None;
        }
        suggestion(&name.value, PYTHON_EXCEPTIONS.iter().copied()).unwrap_or_else(|| {
            "name one such as `ValueError`, or one of a module as `package.module.Name`".to_owned()
        })
    } else {
        return None;
    };
    let message = format!("Python has no exception `{}`", name.value);
    Some(Diagnostic::error(Code::BAD_EXCEPTION, name.span, message, hint))
}

/// A module with an error convention has a function that returns a return code: otherwise a
/// forgotten `status` would go unnoticed.
fn report_forgotten_status(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    let is_judged = |overload: &Overload| {
        has_return_code(overload) || matches!(overload.result, CResult::Pointer(_))
    };
    let constructors = interface.handles.iter().filter_map(|handle| handle.constructor.as_ref());
    let mut overloads = constructors.chain(&interface.functions).flat_map(|one| &one.overloads);
    let Some(first) = interface.functions.first().map(|one| &one.overloads[0]) else { return };
    if interface.status.says_something() && !overloads.any(is_judged) {
        diagnostics.push(Diagnostic::warning(
            Code::NO_STATUS,
            first.span,
            "`[status]` has no effect: no function returns a status",
            "write `status` before the type of each result or argument that is one, as in `status int f(void)`",
        ));
    }
}

/// A class with an error convention has a method to which it applies.
fn report_idle_class(handle: &Handle, interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    let mut functions = handle.constructor.iter().chain(&interface.functions);
    let is_used = functions.any(|function| {
        function.overloads.iter().any(|one| uses_class(one, function, handle, interface))
    });
    if handle.status.says_something() && !is_used {
        diagnostics.push(Diagnostic::warning(
            Code::NO_STATUS,
            handle.name.span,
            format!("`status` of `{}` has no effect: none of its methods can fail", handle.name.value),
            "write `status` before the type of each result or argument that is one, as in `status int f(void)`",
        ));
    }
}

/// The C result is a return code, or C writes one to an argument.
fn has_return_code(overload: &Overload) -> bool {
    overload.return_code().is_some()
}

/// A function with an error convention returns a return code, or a pointer for which it defines the
/// meaning of NULL.
fn report_needless_status(function: &Function, diagnostics: &mut Vec<Diagnostic>) {
    let own = &function.status;
    if !own.says_something() {
        return;
    }
    let first = &function.overloads[0];
    let is_message = |overload: &Overload| overload.return_code().is_some_and(CType::is_message);
    let message = function.overloads.iter().find(|overload| is_message(overload));
    if let (Some(message), false) = (message, own.suits_pointers()) {
        diagnostics.push(
            Diagnostic::error(
                Code::NO_STATUS,
                function.name.span,
                format!(
                    "the return code of `{}` is a string, of which only NULL is success",
                    function.name.value
                ),
                "write `errno` or `message` only",
            )
            .also(message.span, "the return code is a string"),
        );
        return;
    }
    let pointer = function.overloads.iter().find(|overload| returns_pointer(overload));
    if let (Some(pointer), false) = (pointer, own.suits_pointers()) {
        diagnostics.push(
            Diagnostic::error(
                Code::NO_STATUS,
                function.name.span,
                format!(
                    "`{}` returns a pointer, of which only NULL is a failure",
                    function.name.value
                ),
                "write `errno`, `message`, or `messages` and `exceptions` of `NULL` only",
            )
            .also(pointer.span, "the result is a pointer"),
        );
    }
    if pointer.is_none() && !function.overloads.iter().any(has_return_code) {
        diagnostics.push(
            Diagnostic::error(
                Code::NO_STATUS,
                function.name.span,
                format!("`status` of `{}` has no effect: it does not return a status", function.name.value),
                "write `status` before the result's type, as in `status int f(void)`, or remove the table",
            )
            .also(first.span, "the result is a value here"),
        );
    }
}

/// The first name in a prototype that requires C++.
fn of_cxx(overload: &Overload) -> Option<Diagnostic> {
    let types =
        overload.result.ctype().into_iter().chain(overload.arguments.iter().map(|one| &one.ctype));
    let of_type = |ctype: &CType| (ctype.spelling.clone(), ctype.span);
    let function = (overload.c_name.value.clone(), overload.c_name.span);
    let (name, span) = std::iter::once(function)
        .chain(types.map(of_type))
        .find(|(name, _)| name.contains("::") || name.contains('<'))?;
    Some(Diagnostic::error(
        Code::NEEDS_CXX,
        span,
        format!("`{name}` is a name of C++, and this module is C"),
        "write `language = \"c++\"` in `[module]`",
    ))
}

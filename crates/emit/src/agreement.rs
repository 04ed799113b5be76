//! Checks by the C compiler: types, and prototypes against the headers.

use crate::ctype::renamed_complex;
use crate::names::user_function;
use crate::{
    CFile, Section, adapter, c_type, class_word, restored, source_name, typed_no_object, unpacked,
};
use fishplate_model::{CType, CallbackForm, Callee, Intent, PerArgument, Scalar, declared};
use fishplate_plan::{Call, CheckedCallback, OutPointer, Plan, Position, Returns, Variable};
use std::collections::HashSet;

/// Adds the checks of a module. Each has its own `#line` of the interface, so that the compiler's
/// message names the function there.
pub fn confirm(plan: &Plan, file: &mut CFile) {
    let source = source_name(plan);
    let lines_of_source = plan.source.lines();
    let calls = || plan.all_functions().flat_map(|function| &function.calls);
    let numbered = plan
        .all_functions()
        .enumerate()
        .flat_map(|(number, function)| function.calls.iter().map(move |call| (number, call)));
    let mut confirmed: Vec<(&str, &str)> = Vec::new();
    for ctype in &plan.types {
        // A name that no prototype uses may belong to a header that is not included.
        let is_c = Scalar::from_words(&ctype.spelling.split(' ').collect::<Vec<_>>()).is_some();
        let is_used = || calls().flat_map(types).any(|used| used.spelling == ctype.spelling);
        if is_c || is_used() {
            confirmed.push((c_type(ctype), ctype.scalar().dtype_name()));
            let line = lines_of_source.line(ctype.span.start);
            let text = confirmation(ctype, confirmed.len());
            file.add_at_line(Section::Checks, &source, line, &text);
        }
    }
    for handle in plan.handles.iter().filter(|one| one.ctype.invalid_identifier().is_some()) {
        let line = lines_of_source.line(handle.ctype.span.start);
        let text = format!("FP_CONFIRM_IDENTIFIER({});", c_type(&handle.ctype));
        file.add_at_line(Section::Checks, &source, line, &text);
    }
    let mut members = HashSet::new();
    for (id, (number, call)) in numbered.enumerate() {
        // A call of C++ uses the declaration of its check.
        file.begin_function(call.throws.then_some(number));
        let mut lines = String::new();
        for ctype in types(call).filter(|ctype| ctype.number().is_some()) {
            let key = (c_type(ctype), ctype.scalar().dtype_name());
            if !confirmed.contains(&key) {
                confirmed.push(key);
                lines.push_str(&confirmation(ctype, confirmed.len()));
                lines.push(' ');
            }
        }
        let line = lines_of_source.line(call.span.start);
        if matches!(call.callee, Callee::Function | Callee::Variadic(_)) || call.throws {
            lines.push_str(&agreement(call, id));
            file.add_at_line(Section::Checks, &source, line, &lines);
            unpack(call, number, plan, &mut members, file);
            continue;
        }
        if !lines.is_empty() {
            file.add_at_line(Section::Checks, &source, line, &lines);
        }
        // For a macro, the only check is that the call compiles.
        file.add(Section::Checks, format!("#ifndef {}", call.c_name));
        file.add_at_line(Section::Checks, &source, line, &agreement(call, id));
        if call.callee == Callee::Either {
            // If it is not a macro, graphs may call it.
            let (id, name) = (call.id, &call.c_name);
            file.add(
                Section::Checks,
                format!("#define FP_ADDRESS_{id} {name}\n#else\n#define FP_ADDRESS_{id} 0"),
            );
        }
        file.add(Section::Checks, "#endif".to_owned());
        unpack(call, number, plan, &mut members, file);
    }
    file.begin_function(None);
}

/// Adds the function that fills the structs of a call, and the checks of their members that are not among
/// `confirmed`.
fn unpack(
    call: &Call,
    number: usize,
    plan: &Plan,
    confirmed: &mut HashSet<String>,
    file: &mut CFile,
) {
    if let Some(adapter) = &call.adapter {
        file.begin_function(Some(number));
        let defined = adapter::define(call, adapter, &user_function(call));
        file.add_for(Section::Functions, call.span, defined);
        return;
    }
    if call.unpacked.is_empty() {
        return;
    }
    for (span, check) in unpacked::confirmations(call) {
        if confirmed.insert(check.clone()) {
            let line = plan.source.lines().line(span.start);
            file.add_at_line(Section::Checks, &source_name(plan), line, &check);
        }
    }
    file.begin_function(Some(number));
    file.add_for(Section::Functions, call.span, unpacked::define(call, &user_function(call)));
}

fn types(call: &Call) -> impl Iterator<Item = &CType> {
    // `void` needs no check.
    call.ctypes().filter(|ctype| !ctype.is_void())
}

/// `FP_CONFIRM_SIGNED(MKL_INT, 8, "int64");`
fn confirmation(ctype: &CType, id: usize) -> String {
    if renamed_complex(ctype).is_some() {
        return confirm_pair(ctype, c_type(ctype), &id.to_string());
    }
    format!(
        "FP_CONFIRM_{}({}, {}, \"{}\");",
        class_word(ctype.scalar().class()),
        c_type(ctype),
        ctype.scalar().size(),
        ctype.scalar().dtype_name()
    )
}

/// The same for a complex number with a typedef in the headers, `spelled`.
pub(crate) fn confirm_pair(ctype: &CType, spelled: &str, id: &str) -> String {
    let scalar = ctype.scalar();
    let part = if scalar == Scalar::ComplexFloat { "float" } else { "double" };
    format!("FP_CONFIRM_PAIR({id}, {spelled}, {part}, \"{}\");", scalar.dtype_name())
}

fn agreement(call: &Call, id: usize) -> String {
    if let Some(adapter) = &call.adapter {
        return adapter::agreement(call, adapter, id);
    }
    let exact = function_type(call, Variant::Exact);
    let name = &call.c_name;
    if call.throws {
        // The overload with this type; it is also used by calls.
        return format!("FP_CALLEE({id}, {exact}) = {name};");
    }
    let mut others = Vec::new();
    if call
        .variables
        .iter()
        .any(|variable| variable.rank() > 2 && variable.has_const_pointers().is_none())
    {
        others.push(function_type(call, Variant::NestedArrays));
    }
    let lacks_const = call.callee == Callee::Either && call.variables.iter().any(lacks_const);
    let lenient = if lacks_const { Variant::ConstOrNot } else { Variant::Untyped };
    if call.variables.iter().any(|variable| untyped(variable).is_some()) {
        others.push(function_type(call, lenient));
    }
    if let Some(result) = untyped_result(&call.result) {
        others.push(function_type_of(result, call, lenient));
    }
    let agrees = match others.as_slice() {
        [] => format!("FP_AGREES({id}, {name}, {exact});"),
        [other] => format!("FP_AGREES_OR({id}, {name}, {exact}, {other});"),
        [others @ .., last] => {
            let last = format!("FP_OR({name}, {last}, ({exact})0)");
            let any =
                others.iter().rfold(last, |rest, one| format!("FP_OR({name}, {one}, {rest})"));
            format!("FP_AGREES_AS({id}, {name}, {any});")
        }
    };
    if !lacks_const {
        return agrees;
    }
    let [lenient, as_written] = [lenient, Variant::Untyped]
        .map(|one| format!("FP_HAS_TYPE({name}, {})", function_type(call, one)));
    format!("{agrees} FP_LACKS_CONST({id}, {lenient} && !{as_written});")
}

/// The spellings that a header may use for one prototype.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Every array as a pointer to its elements.
    Exact,
    /// Tensors as arrays of arrays, `double (*)[m][n]`, in C99, and other pointers as below.
    NestedArrays,
    /// Each pointer to numbers or structs as itself or as `void *`, to which C converts it; a matrix also as an
    /// array of arrays.
    Untyped,
    /// The same, and with `const` where the prototype lacks one.
    ConstOrNot,
}

/// C only reads the pointee, and the prototype has no `const`.
pub fn lacks_const<P: Position>(variable: &Variable<P>) -> bool {
    // Hidden arrays are scratch memory, which C writes to.
    let is_read = match variable.is_behind_pointer() {
        true => matches!(variable.intent, Intent::In | Intent::Hidden),
        false => variable.is_array() && variable.intent == Intent::In,
    };
    is_read && !variable.is_const
}

/// The `void *` that a header may have in place of a pointer to numbers or structs, if the variable is one.
fn untyped<P: Position>(variable: &Variable<P>) -> Option<&'static str> {
    let is_pointer = !variable.is_by_value()
        && variable.crossing.callback().is_none()
        && variable.crossing.out_pointer().is_none()
        && variable.has_const_pointers().is_none();
    untyped_pointer(&variable.ctype, variable.is_const).filter(|_| is_pointer)
}

/// The result of the call `called` of C, with the type of the prototype: C++ does not convert a `void *`.
pub fn typed_result(call: &Call, called: &str) -> String {
    let is_converted = !call.throws && untyped_result(&call.result).is_some();
    if is_converted { format!("FP_POINTER({called})") } else { called.to_owned() }
}

fn untyped_result(result: &Returns) -> Option<&'static str> {
    match result {
        Returns::Pointer(pointer) if pointer.list().is_none() && !pointer.ctype.is_char() => {
            untyped_pointer(&pointer.ctype, pointer.is_const)
        }
        _ => None,
    }
}

pub(crate) fn untyped_pointer(pointee: &CType, is_const: bool) -> Option<&'static str> {
    let untyped = if is_const { "const void *" } else { "void *" };
    (!pointee.is_pointer() && !pointee.is_void()).then_some(untyped)
}

/// The type of a pointer to the C function, as the prototype has it: `double (*)(size_t, const double *)`.
pub fn declared_type(call: &Call) -> String {
    function_type(call, Variant::Exact)
}

/// `double (*)(size_t, const double *)`
fn function_type(call: &Call, variant: Variant) -> String {
    function_type_of(&unpacked::c_result_type(call), call, variant)
}

/// The same with this result.
fn function_type_of(result: &str, call: &Call, variant: Variant) -> String {
    let of_argument = |index| parameter_type(&call.variables[index], variant);
    let mut parameters = unpacked::parameter_types(call, of_argument);
    if let Callee::Variadic(declared) = call.callee {
        parameters.truncate(declared);
        parameters.push("...".to_owned());
    }
    function_pointer(result, "", parameters)
}

/// A function pointer with this name: `double (*f)(size_t, const double *)`
fn function_pointer_to<P: Position>(
    result: &Returns,
    variables: &PerArgument<Variable<P>>,
    name: &str,
    variant: Variant,
) -> String {
    let parameters = variables.iter().map(|variable| parameter_type(variable, variant));
    function_pointer(&result_type(result), name, parameters.collect())
}

fn function_pointer(result: &str, name: &str, parameters: Vec<String>) -> String {
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    declared(result, &format!("(*{name})({parameters})"))
}

/// The type of a callback argument: a typedef of the header, or a function pointer with this name.
fn callback_type<P: Position>(
    variable: &Variable<P>,
    checked: &CheckedCallback,
    name: &str,
) -> String {
    let CheckedCallback { is_named, form, result, variables, .. } = checked;
    let spelling = &variable.ctype.spelling;
    let qualifier = if variable.is_const { "const " } else { "" };
    match (is_named, form) {
        (true, CallbackForm::Function) => declared(spelling, name),
        (true, CallbackForm::Struct { .. }) => format!("{qualifier}{spelling} *{name}"),
        (false, _) => function_pointer_to(result, variables, name, Variant::Exact),
    }
}

/// `double`, `const char *`
pub(crate) fn result_type(result: &Returns) -> String {
    match result {
        Returns::Void => "void".to_owned(),
        Returns::Value(_, ctype) | Returns::Status(_, ctype) => c_type(ctype).to_owned(),
        Returns::Pointer(returned) => returned_type(returned),
    }
}

/// The declaration of a variable for the result: `char *result`.
pub fn result_declaration(result: &Returns, name: &str) -> String {
    declared(&result_type(result), name)
}

/// `const double *`; the type of a handle is a pointer already.
pub(crate) fn pointer_type(ctype: &CType, is_const: bool) -> String {
    if ctype.is_pointer() {
        return c_type(ctype).to_owned();
    }
    let spelling = if ctype.is_void() { "void" } else { c_type(ctype) };
    format!("{}{spelling} *", if is_const { "const " } else { "" })
}

/// The type of a pointer that C returns: `const double *`, `char **` for an array of strings.
pub(crate) fn returned_type(pointer: &OutPointer) -> String {
    let pointee = pointer_type(&pointer.ctype, pointer.is_const);
    match pointer.list() {
        Some(list) => pointer_to(&pointee, list.is_const),
        None => pointee,
    }
}

/// The result of a callback with this stored pointer of an object, or without one.
pub fn returned_object(pointer: &OutPointer, object: &str) -> String {
    if pointer.ctype.invalid_identifier().is_none() {
        return format!("({}){object}", returned_type(pointer));
    }
    let identifier = restored(&pointer.ctype, object);
    match pointer.nullable {
        true => format!("{object} == NULL ? {} : {identifier}", typed_no_object(&pointer.ctype)),
        false => identifier,
    }
}

/// `char **`, `char *const *`
fn pointer_to(pointer: &str, is_const: bool) -> String {
    match is_const {
        true => format!("{pointer} const *"),
        false => format!("{pointer}*"),
    }
}

/// A parameter of this name: `const double *x`.
pub fn parameter_declaration<P: Position>(variable: &Variable<P>, name: &str) -> String {
    if let Some(callback) = variable.crossing.callback() {
        return callback_type(variable, callback, name);
    }
    declared(&parameter_type(variable, Variant::Exact), name)
}

pub(crate) fn parameter_type<P: Position>(variable: &Variable<P>, variant: Variant) -> String {
    let spelling = c_type(&variable.ctype);
    if variable.is_by_value() {
        return spelling.to_owned();
    }
    if let Some(callback) = variable.crossing.callback() {
        return callback_type(variable, callback, "");
    }
    let qualifier = if variable.is_const { "const " } else { "" };
    if variant == Variant::NestedArrays
        && variable.rank() > 1
        && variable.has_const_pointers().is_none()
    {
        let inner: String = variable.shape().unwrap_or(&[])[1..]
            .iter()
            .map(|dimension| match dimension.as_literal() {
                Some(literal) => format!("[{literal}]"),
                None => "[*]".to_owned(),
            })
            .collect();
        return format!("{qualifier}{spelling} (*){inner}");
    }
    let pointer = pointer_type(&variable.ctype, variable.is_const);
    if let Some(untyped) = untyped(variable).filter(|_| variant != Variant::Exact) {
        return match variable.rank() {
            2 if variant == Variant::ConstOrNot && lacks_const(variable) => {
                format!("FP_CONST_OR_NOT_ROWS({spelling})")
            }
            _ if variant == Variant::ConstOrNot && lacks_const(variable) => {
                format!("FP_CONST_OR_NOT({spelling})")
            }
            2 => format!("FP_EITHER_ROWS({pointer}, {untyped}, {qualifier}{spelling} (*)[])"),
            _ => format!("FP_EITHER({pointer}, {untyped})"),
        };
    }
    match (variable.has_const_pointers(), variable.crossing.out_pointer()) {
        (Some(is_const), _) => pointer_to(&pointer, is_const),
        (None, Some(set)) if set.stored.is_none() => pointer_to(&returned_type(set), false),
        (None, _) => pointer,
    }
}

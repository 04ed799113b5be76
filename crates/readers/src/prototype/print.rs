//! Prints an overload as an annotated prototype in the style of a person.
//!
//! Purpose: convert a model to source, for interfaces that were not written as annotated
//! prototypes.
//! Invariant: [`read`](super::read) returns an equal overload for the output, apart from places and
//! from its kinds, which are not part of the prototype.
//! Reason: an interface in another language is shown as annotated prototypes everywhere.

use fishplate_model::{
    AnyArray, Argument, CResult, CType, Callback, CallbackForm, Callee, DtypeChoice, Elements,
    Expr, Lifetime, NewObject, Overload, Owner, Passing, Pointee, PointerList, Retention, Returned,
    ReturnedPointer, RowPointers, Spanned, Type, Unpacked, declared,
};
use std::fmt::Write as _;

/// One line, without a semicolon: `void f(long n, out double x[n])`.
pub fn print(overload: &Overload) -> String {
    let arguments = parameters(overload);
    let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
    if overload.adapter.is_some() {
        // A prototype of C++ has no other form.
        return overload.text.clone();
    }
    let name = &overload.c_name.value;
    if overload.callee == Callee::Macro {
        let function = Overload { callee: Callee::Function, ..overload.clone() };
        return format!("macro {}", print(&function));
    }
    // A member function that is not static has an object.
    let is_static =
        name.contains("::") && overload.text.split_whitespace().any(|word| word == "static");
    let printed = match &overload.result {
        CResult::Void => {
            let returned = overload.unpacked.iter().find(|one| one.is_result);
            let result = returned.map_or("void", |one| &one.spelling);
            format!("{result} {name}({arguments})")
        }
        CResult::Value(ctype) => declared(&ctype.spelling, &format!("{name}({arguments})")),
        CResult::Status(ctype) => {
            let call = declared(&ctype.spelling, &format!("{name}({arguments})"));
            format!("status {}{call}", freed(ctype))
        }
        CResult::Pointer(returned) => {
            let holds = &returned.out_pointer.holds;
            let shape = held_dimensions(holds);
            // The type of a handle is a pointer already.
            let star = if returned.ctype.is_pointer() { "" } else { "*" };
            let star = format!("{star}{}", list_star(holds));
            declared(&result(returned), &format!("{star}{name}({arguments}){shape}"))
        }
    };
    if is_static { format!("static {printed}") } else { printed }
}

/// `own(free) ` before the message of a failure that the caller frees.
fn freed(ctype: &CType) -> String {
    match &ctype.what {
        Type::Message { free: Some(free) } => format!("own({free}) "),
        _ => String::new(),
    }
}

/// The arguments of C: a struct that is unpacked takes the place of its fields.
fn parameters(overload: &Overload) -> Vec<String> {
    let mut all = Vec::new();
    for at in overload.arguments.keys() {
        match overload.unpacked.iter().find(|one| one.contains(at)) {
            None => all.push(argument(&overload.arguments[at])),
            Some(one) if one.first == at && one.is_list => {
                all.push(argument(&overload.arguments[at]))
            }
            Some(one) if one.first == at && !one.is_result && !one.is_local => {
                all.push(unpacked(one))
            }
            Some(_) => {}
        }
    }
    if let Callee::Variadic(declared) = overload.callee {
        all.insert(declared, "...".to_owned());
    }
    all
}

/// The locals, as the key of a function has them.
pub(crate) fn locals(overload: &Overload) -> Vec<String> {
    let found = overload.unpacked.iter().filter(|one| one.is_local);
    let all = found.flat_map(|one| overload.arguments.keys().filter(|at| one.contains(*at)));
    all.map(|at| argument(&overload.arguments[at])).collect()
}

/// `const SRC_DATA *data`
fn unpacked(one: &Unpacked) -> String {
    let mut words = retention(&one.retention);
    words.extend(one.is_const.then(|| "const".to_owned()));
    words.push(one.spelling.clone());
    let words = words.join(" ");
    let star = if one.by_address { "*" } else { "" };
    let name = one.name.as_ref().map_or("", |name| &name.value);
    match &one.length {
        Some(length) => format!("{words} {name}[{length}]"),
        None => format!("{words} {star}{name}").trim_end().to_owned(),
    }
}

/// The same for display: without the `+` of `x[+n]`, which other interface languages express
/// differently.
pub(crate) fn print_shown(overload: &Overload) -> String {
    let mut shown = overload.clone();
    for argument in &mut shown.arguments {
        if let Passing::Array { shape, .. } = &mut argument.passing {
            for dimension in shape {
                *dimension = dimension.shown().clone();
            }
        }
    }
    print(&shown)
}

/// `own(free) nullable const double`
fn result(returned: &Returned) -> String {
    let mut words: Vec<String> = ownership(&returned.out_pointer).collect();
    words.extend(returned.nullable.then(|| "nullable".to_owned()));
    words.extend(held_words(&returned.out_pointer.holds).map(str::to_owned));
    words.extend(returned.is_const.then(|| "const".to_owned()));
    words.push(returned.ctype.written().into_owned());
    words.join(" ")
}

/// `in out fortran double a[m][n] = 0`
fn argument(argument: &Argument) -> String {
    if let Some(callback) = argument.callback() {
        return self::callback(argument, callback);
    }
    let mut words: Vec<String> = Vec::new();
    match argument.status {
        Some(_) => words.push(format!("status {}", freed(&argument.ctype)).trim_end().to_owned()),
        None => words.extend(argument.intent.as_ref().map(|intent| intent.value.name().to_owned())),
    }
    if let Some(out_pointer) = argument.out_pointer() {
        words
            .extend((out_pointer.stored == Some(NewObject::ByFunction)).then(|| "init".to_owned()));
        words.extend(ownership(out_pointer));
    }
    if argument.nullable {
        words.push("nullable".to_owned());
    }
    words.extend(retention(&argument.retention));
    words.extend(argument.consumed.as_ref().map(|when| when.value.keyword().to_owned()));
    words.extend(argument.invalidates.map(|_| "invalidates".to_owned()));
    words.extend(argument.values.as_ref().map(|rule| rule.value.to_string()));
    words.extend(argument.terminator.as_ref().map(|one| one.value.to_string()));
    words.extend(argument.any_array().and_then(dtypes));
    words.extend(qualifiers(&argument.passing).map(str::to_owned));
    let written = argument.ctype.written();
    if argument.is_const && !written.starts_with("const ") {
        words.push("const".to_owned());
    }
    let (before, behind) = argument.ctype.around_name().unwrap_or((&written, ""));
    words.push(before.to_owned());
    let is_handle = argument.ctype.is_pointer();
    let held = argument.out_pointer().map(|out_pointer| &out_pointer.holds);
    let stars = match &argument.passing {
        Passing::Value
        | Passing::Array { rows: None, .. }
        | Passing::AnyArray(_)
        | Passing::Callback(_) => "",
        Passing::List { .. } if is_handle => "",
        Passing::OutPointer(out_pointer) if out_pointer.stored.is_some() => "",
        Passing::OutPointer(ReturnedPointer { holds: Pointee::List(_), .. }) if is_handle => "",
        Passing::OutPointer(ReturnedPointer { holds: Pointee::List(_), .. }) => "*",
        Passing::OutPointer(_) if held.and_then(Pointee::shape).is_none() && !is_handle => "**",
        _ => "*",
    };
    let stars = format!("{stars}{}", held.map_or("", list_star));
    let constant = match &argument.passing {
        Passing::List { is_const: true, .. }
        | Passing::Jagged { is_const: true, .. }
        | Passing::Array { rows: Some(RowPointers { is_const: true }), .. } => "const ",
        _ => "",
    };
    let name = &argument.name.value;
    let words = words.join(" ");
    let rest = format!("{stars}{constant}{name}");
    let mut text = match behind {
        "" => declared(&words, &rest),
        behind => format!("{words}{rest}{behind}"),
    };
    match argument.is_open() {
        true => text += "[]",
        false => {
            text += &match held {
                Some(held) => held_dimensions(held),
                None => dimensions(argument.sizes(), argument.length()),
            };
        }
    }
    match &argument.passing {
        Passing::Jagged { lengths: Some(lengths), .. } => {
            let _ = write!(text, "[{}[]]", lengths.value);
        }
        Passing::Jagged { lengths: None, .. } => text += "[]",
        _ => {}
    }
    if let Some(any) = argument.any_array() {
        let _ = match &any.dims {
            Some(dims) => write!(text, "[{}[]]", dims.value),
            None if any.shape.is_empty() => write!(text, "[...]"),
            None => Ok(()),
        };
    }
    if let Some(default) = &argument.default {
        let _ = write!(text, " = {default}");
    }
    text
}

/// `dtype(native, code)`
fn dtypes(any: &AnyArray) -> Option<String> {
    let DtypeChoice { table, code, .. } = any.dtypes.as_ref()?;
    let code = code.iter().map(|code| format!(", {code}"));
    Some(format!("dtype({}{})", table.value, code.collect::<String>()))
}

/// `nullable keep(db) double (*f)(double x, void *data)`, `const gsl_function *f`
fn callback(argument: &Argument, callback: &Callback) -> String {
    let name = &argument.name.value;
    let mut words: Vec<String> = Vec::new();
    words.extend(argument.nullable.then(|| "nullable".to_owned()));
    words.extend(retention(&argument.retention));
    if let (None, Some(asks)) = (&callback.named, &callback.asks) {
        words.push(format!("data({asks})"));
    }
    if callback.named.is_none() && !callback.fails.is_empty() {
        words.push(format!("fails({})", expressions(&callback.fails)));
    }
    words.extend(argument.is_const.then(|| "const".to_owned()));
    words.push(match (&callback.named, &callback.form) {
        (Some(_), CallbackForm::Function) => declared(&argument.ctype.spelling, name),
        (Some(_), CallbackForm::Struct { .. }) => format!("{} *{name}", argument.ctype.spelling),
        (None, _) => {
            let mut pointer = callback.overload.clone();
            let mut declared = format!("(*{name})");
            if let CResult::Pointer(returned) = &mut pointer.result {
                // Before the type, it would be about the callback.
                if std::mem::take(&mut returned.nullable) {
                    declared = format!("nullable {declared}");
                }
            }
            pointer.c_name = Spanned::new(declared, argument.span);
            print(&pointer)
        }
    });
    words.join(" ")
}

/// `keep(db)`, `replace(db, name)`, `until(f) replace`
fn retention(retention: &Retention) -> Vec<String> {
    match &retention.lifetime {
        Lifetime::Call => Vec::new(),
        Lifetime::Handle(handle) if retention.replaces => {
            let all: Vec<_> = std::iter::once(handle).chain(&retention.key).cloned().collect();
            vec![format!("replace({})", names(&all))]
        }
        Lifetime::Handle(handle) => vec![format!("keep({})", handle.value)],
        Lifetime::Until(function) => {
            let replace = retention.replaces.then(|| match retention.key.as_slice() {
                [] => "replace".to_owned(),
                key => format!("replace({})", names(key)),
            });
            std::iter::once(format!("until({})", function.value)).chain(replace).collect()
        }
    }
}

/// `stop(opt), NAN`
pub(crate) fn expressions(all: &[Expr]) -> String {
    all.iter().map(Expr::to_string).collect::<Vec<_>>().join(", ")
}

/// `own(free)`, `borrow(a, b)`, `keep(a, b)`
fn ownership(out_pointer: &ReturnedPointer) -> impl Iterator<Item = String> {
    let list = out_pointer.holds.list().filter(|list| list.capacity.is_none());
    let array = list.and_then(|list| owned_array(list, &out_pointer.owner));
    let owner = match &out_pointer.owner {
        Owner::Unspecified => None,
        Owner::Caller(_) if list.is_some() => None,
        Owner::Caller(None) if out_pointer.stored.is_some() => None,
        Owner::Caller(None) => Some("own".to_owned()),
        Owner::Caller(Some(free)) => Some(format!("own({free})")),
        Owner::Borrowed(owners) if owners.is_empty() => Some("borrow".to_owned()),
        Owner::Borrowed(owners) => Some(format!("borrow({})", names(owners))),
    };
    let keeps =
        (!out_pointer.keeps.is_empty()).then(|| format!("keep({})", names(&out_pointer.keeps)));
    array.into_iter().chain(owner).chain(keeps)
}

/// The owner of an array of pointers, and of the pointees if that is the caller: `own(free, each = g_free)`.
fn owned_array(list: &PointerList, items: &Owner) -> Option<String> {
    let each = match items {
        Owner::Caller(None) => Some("each".to_owned()),
        Owner::Caller(Some(free)) => Some(format!("each = {free}")),
        Owner::Unspecified | Owner::Borrowed(_) => None,
    };
    let parts: Vec<String> = list.free.iter().map(|free| free.to_string()).chain(each).collect();
    (!parts.is_empty()).then(|| format!("own({})", parts.join(", ")))
}

/// The second `*` of an array of pointers.
fn list_star(holds: &Pointee) -> &'static str {
    match holds {
        Pointee::List(PointerList { capacity: Some(_), .. }) => "",
        Pointee::List(PointerList { is_const: true, .. }) => "const *",
        Pointee::List(_) => "*",
        _ => "",
    }
}

/// `[n]`; `[]` of an array that NULL terminates.
fn held_dimensions(holds: &Pointee) -> String {
    match holds {
        Pointee::List(PointerList { length: None, .. }) => "[]".to_owned(),
        Pointee::List(PointerList { length: Some(length), capacity: Some(capacity), .. }) => {
            let capacity = std::slice::from_ref(capacity);
            dimensions(Some(capacity), Some(length).filter(|one| **one != capacity[0]))
        }
        holds => dimensions(holds.shape(), None),
    }
}

fn names(names: &[Spanned<String>]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.value.as_str()).collect();
    names.join(", ")
}

fn qualifiers(passing: &Passing) -> impl Iterator<Item = &'static str> {
    match passing {
        Passing::Array { fortran, elements, .. }
        | Passing::OutPointer(ReturnedPointer {
            holds: Pointee::Array { fortran, elements, .. },
            ..
        }) => words(*fortran, *elements),
        Passing::AnyArray(AnyArray { fortran, .. }) => words(*fortran, Elements::Numbers),
        _ => words(false, Elements::Numbers),
    }
}

fn held_words(holds: &Pointee) -> impl Iterator<Item = &'static str> {
    match holds {
        Pointee::Array { fortran, elements, .. } => words(*fortran, *elements),
        _ => words(false, Elements::Numbers),
    }
}

fn words(fortran: bool, elements: Elements) -> impl Iterator<Item = &'static str> {
    fortran.then_some("fortran").into_iter().chain(elements.qualifier())
}

/// `[capacity : n][m]`
fn dimensions(shape: Option<&[Expr]>, length: Option<&Expr>) -> String {
    let mut text = String::new();
    for (axis, dimension) in shape.unwrap_or_default().iter().enumerate() {
        let _ = match length.filter(|_| axis == 0) {
            Some(length) => write!(text, "[{dimension} : {length}]"),
            None => write!(text, "[{dimension}]"),
        };
    }
    text
}

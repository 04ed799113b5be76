//! Mistakes in consumed arguments: objects that C takes over.

use crate::resolve::Classes;
use crate::{Checked, CheckedFunction, CheckedHandle};
use fishplate_model::{
    Adapter, Argument, CResult, ClassId, Code, Consumed, Conversion, Diagnostic, Handle, Overload,
    Spanned,
};
use std::collections::BTreeSet;

/// Checks the arguments of a prototype that have `own`.
pub(crate) fn check(overload: &Overload, classes: Classes<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (at, argument) in overload.arguments.iter().enumerate() {
        let Some(when) = &argument.consumed else { continue };
        let mut refuse = |span, message: String, hint: String| {
            diagnostics.push(Diagnostic::error(Code::INTENT_MISFIT, span, message, hint));
        };
        let name = &argument.name.value;
        let taken = match (argument.ctype.handle(), argument.ctype.nested()) {
            (Some(name), _) => vec![name.to_owned()],
            (None, Some(nested)) => nested.objects(),
            (None, None) => Vec::new(),
        };
        let mut handles = classes.0.handles.iter();
        let is_deleted = overload.adapter.as_ref().is_some_and(|one| deletes(one, at));
        let is_owned = |one: &&Handle| one.destructor.is_some() || one.stored.is_some();
        let is_library =
            |one: &&Handle| is_deleted && taken.contains(&one.name.value) && !is_owned(one);
        if let Some(handle) = handles.find(is_library) {
            let class = &handle.name.value;
            refuse(
                when.span,
                format!(
                    "C cannot take over `{name}`: the library owns every `{class}`, which has no `free`"
                ),
                format!("add `free` to `[handle.{class}]`, if a caller can own its objects"),
            );
        }
        if argument.default.is_some() {
            refuse(
                when.span,
                format!(
                    "C cannot take over the default of `{name}`, which is not an object of the caller"
                ),
                "write `nullable` for an object that may be absent".to_owned(),
            );
        }
        if let Some(place) = argument.invalidates {
            refuse(
                place,
                format!("`{name}` is consumed, which closes all objects borrowed from it"),
                "remove `invalidates`".to_owned(),
            );
        }
        if when.value == Consumed::OnSuccess && !reports_failure(overload) {
            refuse(
                when.span,
                format!(
                    "`{}` reports no failure after which `{name}` would be the caller's",
                    overload.c_name.value
                ),
                "write `own`, or `status` before the result if it is a return code".to_owned(),
            );
        }
        for user in users(overload).filter(|user| user.value == *name) {
            refuse(
                user.span,
                format!("`{name}` is consumed, so nothing can refer to it after the call"),
                "remove one of the two; an object that must outlive the result is not C's"
                    .to_owned(),
            );
        }
    }
}

/// A `std::unique_ptr` receives the argument, and would delete an object that the library owns.
fn deletes(adapter: &Adapter, argument: usize) -> bool {
    let mut end = 0;
    let parameter = adapter.parameters.iter().find(|one| {
        end += one.count;
        argument < end
    });
    matches!(
        parameter.map(|one| &one.conversion),
        Some(Conversion::Built { .. } | Conversion::Nested { .. })
    )
}

impl Checked {
    /// The classes whose objects the library owns and may destroy, since a function consumes one, with those that are
    /// related to them: an object of each may be such an object.
    pub fn tracked_classes(&self) -> BTreeSet<ClassId> {
        let handles = self.handles();
        let constructors = handles.iter().filter_map(|handle| handle.constructor.as_ref());
        let consumed = |function: &CheckedFunction| -> Vec<ClassId> {
            let arguments = function.overloads.iter().flat_map(|one| &one.arguments);
            let consumed = arguments.filter(|one| one.consumed.is_some());
            consumed.filter_map(|one| Some(one.variable.object_class()?.id)).collect()
        };
        let is_library = |one: &CheckedHandle| one.destructor.is_none() && one.stored.is_none();
        let all = constructors.chain(self.functions()).flat_map(consumed);
        let mut tracked: BTreeSet<_> = all.filter(|class| is_library(&handles[*class])).collect();
        for _ in 0..handles.len() {
            for (class, handle) in handles.iter_enumerated() {
                for base in handle.bases.iter().map(|base| base.id) {
                    if tracked.contains(&base) || tracked.contains(&class) {
                        tracked.extend([base, class]);
                    }
                }
            }
        }
        tracked
    }
}

/// The call can fail without an exception of C++.
fn reports_failure(overload: &Overload) -> bool {
    overload.arguments.iter().any(|argument| argument.status.is_some())
        || match &overload.result {
            CResult::Status(_) => true,
            CResult::Pointer(returned) => returned.must_be_there(),
            CResult::Value(_) | CResult::Void => false,
        }
}

/// The arguments to which the results of the call refer, and those that retain other ones.
fn users(overload: &Overload) -> impl Iterator<Item = &Spanned<String>> {
    let results = overload.arguments.iter().filter_map(Argument::out_pointer);
    let result = match &overload.result {
        CResult::Pointer(returned) => Some(&returned.out_pointer),
        _ => None,
    };
    let keepers = overload.arguments.iter().filter_map(|argument| argument.retention.handle());
    results.chain(result).flat_map(|out_pointer| out_pointer.needs()).chain(keepers)
}

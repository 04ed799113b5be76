//! Thread safety: the lock that keeps a C function from running twice at once. The nearest setting applies.

use crate::{Checked, CheckedFunction, CheckedHandle, CheckedOverload};
use fishplate_model::{
    CType, Code, Destructor, Diagnostic, Function, Gil, Handle, Interface, Nested, Safety, Threads,
};

/// Sets it for every overload: from the function or, by default, from its classes and the module. `made` is the class
/// of a constructor, whose setting applies if it is stricter.
pub(crate) fn resolve_locks(
    function: &mut CheckedFunction,
    made: Option<Safety>,
    interface: &Interface,
) {
    for overload in &mut function.overloads {
        let classes: Vec<String> =
            overload.arguments.iter().flat_map(|one| classes_of(&one.variable.ctype)).collect();
        let inherited = || made.into_iter().fold(inherited(&classes, interface), stricter);
        overload.safety = function.safety.unwrap_or_else(inherited);
    }
}

/// The handles of the objects that an argument of this type is, or contains.
fn classes_of(ctype: &CType) -> Vec<String> {
    let contained = ctype.nested().map(Nested::objects).unwrap_or_default();
    ctype.handle().map(str::to_owned).into_iter().chain(contained).collect()
}

/// The strictest setting of these classes, or the setting of the module. Without any setting, calls on one object are
/// serialized, since few libraries allow two threads in one object, and all other calls may run concurrently.
fn inherited(classes: &[String], interface: &Interface) -> Safety {
    let handles = interface.handles.iter().filter(|handle| classes.contains(&handle.name.value));
    let default = match handles.clone().any(Handle::is_counted) {
        // Several objects may refer to one of C++.
        true => Safety::ModuleLock,
        false if classes.is_empty() => Safety::Safe,
        false => Safety::HandleLock,
    };
    let settings = handles.filter_map(|handle| handle.safety);
    settings.reduce(stricter).or(interface.module.safety).unwrap_or(default)
}

impl Checked {
    /// The destructor of the objects runs under the lock of the module.
    pub fn locks_module(&self, handle: &CheckedHandle) -> bool {
        let stated = [handle.safety, self.interface.module.safety];
        let is_counted = handle.destructor.as_ref().is_some_and(Destructor::ends_reference);
        handle.destructor.is_some()
            && (stated.contains(&Some(Safety::ModuleLock))
                || (is_counted && stated == [None, None]))
    }

    /// The interface specifies for each function and class how concurrent calls are prevented or that they are safe,
    /// and no setting is the GIL. A default is not a statement: most interfaces were written for Pythons with a GIL.
    pub fn is_safe_without_gil(&self) -> bool {
        let module = self.interface.module.safety;
        let is_stated = |stated: Option<Safety>| stated.is_some_and(|one| one != Safety::Gil);
        let constructors = self.handles.iter().filter_map(|handle| handle.constructor.as_ref());
        // The settings of classes are for their constructors, too.
        self.handles.iter().all(|handle| is_stated(handle.safety.or(module)))
            && constructors.chain(&self.functions).all(|function| {
                let is_safe = |overload: &CheckedOverload| overload.safety != Safety::Gil;
                function.gil != Gil::Hold && function.overloads.iter().all(is_safe)
            })
            && self.functions.iter().all(|function| {
                let takes_handle = |overload: &CheckedOverload| {
                    overload.arguments.iter().any(|one| one.variable.ctype.handle().is_some())
                };
                function.safety.or(module).is_some() || function.overloads.iter().all(takes_handle)
            })
    }
}

/// Warns about a number of threads for a function that shares nothing among threads and does not
/// release the lock either.
pub(crate) fn report_idle_threads(
    function: &Function,
    interface: &Interface,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if function.threads == Threads::default() {
        return;
    }
    let name = &function.name;
    let mut warn = |message: String, hint: &str| {
        diagnostics.push(Diagnostic::warning(Code::BAD_QUALIFIERS, name.span, message, hint));
    };
    if function.ellipses.maps() {
        if function.gil == Gil::Hold {
            let message =
                format!("`threads` of `{}` has no effect: its calls hold the GIL", name.value);
            warn(message, "remove `threads`, or `gil = \"hold\"`");
        }
        return;
    }
    let is_safe = function.overloads.iter().all(|overload| {
        let classes: Vec<String> =
            overload.arguments.iter().flat_map(|one| classes_of(&one.ctype)).collect();
        inherited(&classes, interface) == Safety::Safe
    });
    if is_safe {
        let message =
            format!("`threads` of `{}` has no effect: it has no batched calls", name.value);
        warn(message, "remove it, or allow batches: `ellipses = \"...\"`");
    }
}

fn stricter(one: Safety, other: Safety) -> Safety {
    let strictness = |safety: Safety| Safety::ALL.iter().position(|known| *known == safety);
    if strictness(other) > strictness(one) { other } else { one }
}

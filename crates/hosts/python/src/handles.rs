//! Handles: their classes for the runtime, and the part of a call that they have.

use crate::docs;
use fishplate_emit::{
    Body, CFile, Namer, Section, c_string, c_type, define_allocator, define_bases, define_setter,
    destroyed,
};
use fishplate_model::{ClassId, Language, Nested, VariableId};
use fishplate_plan::{Acquire, Call, HandlePlan, Named, Output, Plan, Step, Variable};
use std::fmt::Write as _;

/// The name of a handle's `fp_handle_class`. Nothing else in the file has this prefix.
pub(crate) fn class(handle: &str) -> String {
    format!("fpc_{handle}")
}

/// Adds the classes themselves, which functions name.
pub(crate) fn declare(plan: &Plan, file: &mut CFile, namer: &mut Namer) {
    for (id, handle) in plan.handles.iter_enumerated() {
        let class = class(&handle.name);
        let name = format!("fpy_{}", handle.name);
        let doc = namer.unique(format!("{name}_doc"));
        let mut text = format!(
            "PyDoc_STRVAR({doc},\n{});\n\n",
            docs::c_docstring(&docs::class_docstring(handle))
        );
        let destroy = match destroyed(handle, plan) {
            None => "NULL".to_owned(),
            Some(called) => {
                let destroy = namer.unique(format!("{name}_free"));
                // Callbacks of a destructor may run on any thread.
                let (begin, end) = if plan.keeps_callbacks() {
                    (
                        "    fp_running fp_calls;\n    fp_begin_calls(&fp_calls, 1);\n",
                        "    fp_end_last_calls(&fp_calls);\n",
                    )
                } else {
                    ("", "")
                };
                let body = match plan.module.language {
                    Language::C => format!("{begin}    {called}\n{end}"),
                    Language::Cxx if plan.keeps_callbacks() => format!(
                        "{begin}    try {{\n        {called}\n    }}\n    FP_LET_THREADS_END\n    \
                         catch (...) {{\n        fp_failure fp_why;\n        fpy_catch(&fp_why);\n    \
                         {end}        fp_write_unraisable(&fp_why);\n        return;\n    }}\n{end}"
                    ),
                    // A failing destructor cannot be reported.
                    Language::Cxx => format!(
                        "    try {{\n        {called}\n    }}\n    FP_LET_THREADS_END\n    \
                         catch (...) {{\n        fp_failure fp_why;\n        fpy_catch(&fp_why);\n        fp_write_unraisable(&fp_why);\n    }}\n"
                    ),
                };
                let _ = write!(text, "static void\n{destroy}(void *fp_pointer)\n{{\n{body}}}\n\n");
                destroy
            }
        };
        text.push_str(&define_setter(handle, plan.module.language));
        let locked = u8::from(is_locked(plan, id));
        let module = if handle.locks_module { "&fpy_lock" } else { "NULL" };
        let refers = u8::from(refers(plan, id));
        let tracked = u8::from(handle.is_tracked);
        let context = u8::from(handle.context.is_some());
        let bases = define_bases(handle, "fpy", self::class, plan, &mut text);
        let full = c_string(&format!("{}.{}", plan.name, handle.name));
        let (overrides, derive) = overrides(handle, &mut text);
        let callback = callback_of(handle, id, plan, &mut text);
        let _ = writeln!(
            text,
            "static fp_handle_class {class} = {{{full}, {doc}, {destroy}, {locked}, {module}, {bases}, {overrides}, {derive}, {callback}, NULL, NULL, 0, {refers}, {tracked}, {context}}};"
        );
        file.add_for(Section::Declarations, handle.ctype.span, text);
        define_allocator(handle, "fpy_catch", plan, file);
    }
}

/// Defines the function that finds a callback of an object with overrides, and returns its name, or `NULL` if the class has
/// no such objects.
fn callback_of(handle: &HandlePlan, id: ClassId, plan: &Plan, text: &mut String) -> String {
    let has_overrides = |one: &HandlePlan| {
        one.is_derivable() && (one.name == handle.name || is_derived(one, id, plan))
    };
    if !plan.handles.iter().any(has_overrides) {
        return "NULL".to_owned();
    }
    let (name, ctype) = (format!("fpy_{}_callback", handle.name), c_type(&handle.ctype));
    let _ = write!(
        text,
        "static void *\n{name}(void *fp_pointer)\n{{\n    \
         return fp_cpp::callback_of(static_cast<{ctype}>(fp_pointer));\n}}\n\n"
    );
    name
}

/// A class has `base` among its bases, or their bases.
fn is_derived(handle: &HandlePlan, base: ClassId, plan: &Plan) -> bool {
    let is_base =
        |one: &Named<ClassId>| one.id == base || is_derived(&plan.handles[one.id], base, plan);
    handle.bases.iter().any(is_base)
}

/// Defines the table of the virtual methods that Python may override. Returns its name and that of a function which
/// prepares an object of such a class, or `NULL` twice.
fn overrides(handle: &HandlePlan, text: &mut String) -> (String, String) {
    let Some(call) = handle.constructor.as_ref().and_then(|made| made.calls.first()) else {
        return ("NULL".to_owned(), "NULL".to_owned());
    };
    let methods = call.overrides();
    if methods.is_empty() {
        return ("NULL".to_owned(), "NULL".to_owned());
    }
    let mut rows = String::new();
    let callbacks = call.callbacks.iter().skip(call.callbacks.len() - methods.len());
    for (one, callback) in methods.iter().zip(callbacks) {
        let parameter = c_string(&call.variables[callback.variable].name);
        let _ = writeln!(rows, "    {{{}, {parameter}}},", c_string(&one.method));
    }
    let (table, derive) =
        (format!("fpy_{}_overrides", handle.name), format!("fpy_{}_derive", handle.name));
    let ctype = c_type(&handle.ctype);
    let _ = write!(
        text,
        "static const fp_override {table}[] = {{\n{rows}    {{NULL, NULL}},\n}};\n\n\
         static void\n{derive}(void *fp_pointer)\n{{\n    \
         fp_cpp::derive(static_cast<{ctype}>(fp_pointer));\n}}\n\n"
    );
    (table, derive)
}

/// The variable is the pointer of a handle that the caller passes.
pub(crate) fn takes_handle(call: &Call, variable: VariableId) -> bool {
    let takes = |step: &Step| matches!(step, Step::Acquire(Acquire { variable: taken, .. }) if *taken == variable);
    call.variables[variable].class().is_some() && call.steps.iter().any(takes)
}

/// The output is an object that the call creates.
pub(crate) fn makes_handle(call: &Call, output: Output) -> bool {
    call.out_pointer(output).is_some_and(|(_, pointer)| pointer.class().is_some())
}

/// The locks that a call acquires.
enum Locks {
    /// None.
    None,
    /// So many.
    Fixed(usize),
    /// Also those of the objects in arrays and nested values.
    Listed,
}

fn locks(call: &Call) -> Locks {
    let locks = call.steps.iter().find_map(|step| match step {
        Step::Lock { variables, .. }
            if variables.iter().any(|one| call.variables[*one].has_several_objects()) =>
        {
            Some(Locks::Listed)
        }
        Step::Lock { variables, module } => {
            Some(Locks::Fixed(variables.len() + usize::from(*module)))
        }
        _ => None,
    });
    locks.unwrap_or(Locks::None)
}

/// Declares the locks, none of which is held.
pub(crate) fn declare_locks(call: &Call, body: &mut Body) {
    match locks(call) {
        Locks::None => {}
        Locks::Fixed(count) => body.line(format!("fp_lock *fp_locks[{count}] = {{NULL}};")),
        Locks::Listed => body.line("fp_lock_list fp_locks = {NULL, 0};"),
    }
}

/// Releases the locks that are held.
pub(crate) fn release_locks(call: &Call, body: &mut Body) {
    match locks(call) {
        Locks::None => {}
        Locks::Fixed(count) => body.line(format!("fp_leave(fp_locks, {count});")),
        Locks::Listed => body.line("fp_leave_all(&fp_locks);"),
    }
}

/// Some call, or the destructor of some object, acquires the module's lock.
pub(crate) fn locks_module(plan: &Plan) -> bool {
    let mut steps =
        plan.all_functions().flat_map(|function| &function.calls).flat_map(|call| &call.steps);
    plan.handles.iter().any(|handle| handle.locks_module)
        || steps.any(|step| matches!(step, Step::Lock { module: true, .. }))
}

/// An object of this class may refer to other objects.
fn refers(plan: &Plan, class: ClassId) -> bool {
    let retains = |call: &Call| {
        call.callbacks.iter().any(|one| one.checked.is_kept()) || !call.retained.is_empty()
    };
    let depends = |call: &Call| {
        let arguments = call.variables.keys().map(Output::Argument);
        let pointers = arguments.chain([Output::Result]).filter_map(|one| call.out_pointer(one));
        pointers.map(|(_, pointer)| pointer).any(|pointer| {
            let is_made = pointer.object_class().is_some_and(|one| one.id == class);
            is_made && pointer.needs().next().is_some()
        })
    };
    let handle = &plan.handles[class];
    handle.user_data.is_some()
        || plan
            .all_functions()
            .flat_map(|function| &function.calls)
            .any(|call| retains(call) || depends(call))
}

/// It is an object of this class, or contains some.
fn has_objects_of(variable: &Variable, class: &str) -> bool {
    let nested = variable.crossing.nested().map(Nested::objects).unwrap_or_default();
    variable.object_class().is_some_and(|one| one.name == class)
        || nested.iter().any(|one| one == class)
}

/// Some call needs exclusive access to an object of this class, or of a base.
fn is_locked(plan: &Plan, class: ClassId) -> bool {
    let mut bases = plan.handles[class].bases.iter();
    bases.any(|base| is_locked(plan, base.id))
        || plan.all_functions().flat_map(|function| &function.calls).any(|call| {
            call.steps.iter().any(|step| match step {
                Step::Lock { variables, .. } => {
                    let name = &plan.handles[class].name;
                    variables.iter().any(|index| has_objects_of(&call.variables[*index], name))
                }
                _ => false,
            })
        })
}

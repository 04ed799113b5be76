//! Objects whose memory the module allocates.
//!
//! Purpose: C that allocates and initialises an object of a class, and the types of those that are arrays.
//! Invariant: an object is cleared by its destructor if and only if it was initialised; its memory is freed in any case.
//! Reason: from its pointer on, such an object is one like any other, in both hosts.

use crate::failures::record_message;
use crate::{CFile, Section, c_string, c_type, declaration, source_name};
use fishplate_model::{Initializer, Language, NewObject, Span};
use fishplate_plan::{HandlePlan, OutPointer, Plan};

/// The C function that allocates an object. Nothing else in the file has this prefix.
fn allocator(class: &str) -> String {
    format!("fpm_{class}")
}

/// C for the pointer to a new object, or NULL, for which `fp_why` has the reason.
pub fn new_object(pointer: &OutPointer) -> Option<String> {
    let (class, by) = (pointer.class()?, pointer.stored?);
    let is_initialised = u8::from(by == NewObject::ByClass);
    Some(format!("{}, {is_initialised}", allocator(&class.name)))
}

/// The statement after a function has initialised its object.
pub fn initialised(pointer: &OutPointer, object: &str) -> Option<String> {
    let by_function = pointer.stored == Some(NewObject::ByFunction);
    by_function.then(|| format!("fp_set_initialised({object});"))
}

/// Adds the pointers to objects that are arrays in the headers, and the functions that constructors without `new` call,
/// for objects that are complete.
pub(crate) fn declare(plan: &Plan, file: &mut CFile) {
    for handle in &plan.handles {
        declare_array(handle, plan, file);
        let calls = handle.constructor.iter().flat_map(|constructor| &constructor.calls);
        for name in calls.map(|call| &call.c_name).filter(|name| name.starts_with("fpo_")) {
            let object = declaration(&handle.ctype, "object");
            let text = format!("static inline void\n{name}({object})\n{{\n    (void)object;\n}}");
            file.add(Section::Includes, text);
        }
    }
}

fn declare_array(handle: &HandlePlan, plan: &Plan, file: &mut CFile) {
    let array = handle.stored.as_ref().and_then(|stored| stored.array.as_ref());
    if let Some(array) = array {
        let name = &array.value;
        at(array.span, Section::Includes, plan, &format!("FP_POINTER_TO_ARRAY({name})"), file);
    }
}

/// Adds the function that allocates the objects of a class. `catch` records an exception of C++.
pub fn define_allocator(handle: &HandlePlan, catch: &str, plan: &Plan, file: &mut CFile) {
    let Some(stored) = &handle.stored else { return };
    let ctype = c_type(&handle.ctype);
    let of = match &stored.array {
        Some(array) => array.value.as_str(),
        None => ctype.trim_end_matches(['*', ' ']),
    };
    let add = |text: String, file: &mut CFile| {
        file.add_for(Section::Declarations, handle.ctype.span, text);
    };
    let (allocator, object) = (allocator(&handle.name), declaration(&handle.ctype, "object"));
    add(
        format!(
            "/* Allocates a {}. NULL: `fp_why` has the reason. */\nstatic void *\n\
             {allocator}(int fp_initialise, fp_failure *fp_why)\n{{",
            handle.name
        ),
        file,
    );
    let new = format!("    {object} = ({ctype})FP_NEW_OBJECT({of}, fp_why);");
    at(handle.ctype.span, Section::Declarations, plan, &new, file);
    if let Some(init) = &stored.init {
        add("    if (object != NULL && fp_initialise) {".to_owned(), file);
        let is_cxx = plan.module.language == Language::Cxx;
        if is_cxx {
            add("        try {".to_owned(), file);
        }
        initialise(init, plan, file);
        if is_cxx {
            let undo = "fp_free_object(object);\n            return NULL;";
            add(
                format!(
                    "        }}\n        FP_LET_THREADS_END\n        catch (...) {{\n            {catch}(fp_why);\n            {undo}\n        }}"
                ),
                file,
            );
        }
        add("    }".to_owned(), file);
    }
    add(
        "    if (object != NULL && fp_initialise) {\n        fp_set_initialised(object);\n    }\n    \
         return object;\n}\n\n"
            .to_owned(),
        file,
    );
}

/// The statements that initialise `object`.
fn initialise(init: &Initializer, plan: &Plan, file: &mut CFile) {
    let section = Section::Declarations;
    let (span, code) = (init.code.span, init.expression());
    let Some(success) = &init.success else {
        at(span, section, plan, &format!("        (void)({code});"), file);
        return;
    };
    at(
        span,
        section,
        plan,
        &format!("        const long long status = (long long)({code});"),
        file,
    );
    at(success.span, section, plan, &format!("        if (!({})) {{", success.value), file);
    file.add(section, "            fp_begin_failure(fp_why, NULL, FP_RUNTIME_ERROR);".to_owned());
    if let Some(message) = &init.message {
        let record = record_message("fp_set_message(fp_why, ", message, false);
        at(message.text.span, section, plan, &format!("            {record}"), file);
    }
    let name = c_string(init.function());
    file.add(
        section,
        format!(
            "            fp_describe_status(fp_why, {name}, 0, status);\n            fp_free_object(object);\n            \
             return NULL;\n        }}"
        ),
    );
}

/// Adds a line of the interface.
fn at(span: Span, section: Section, plan: &Plan, text: &str, file: &mut CFile) {
    let line = plan.source.lines().line(span.start);
    file.add_at_line(section, &source_name(plan), line, text);
}

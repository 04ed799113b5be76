//! Error conventions of C and C++: C that interprets return codes and catches exceptions, in the
//! author's expressions.
//!
//! Invariant: the author's expressions are at their own lines of the interface, in functions whose
//! parameter is called `status`, so that compilers report mistakes in them there, and no generated
//! variable is in scope.
//! Reason: hosts differ in how they raise, not in the conventions.

use crate::agreement::{parameter_declaration, returned_type};
use crate::identifiers::compare_object;
use crate::{CFile, Names, Section, c_string, c_type, no_object, source_name};
use fishplate_model::{
    ErrorSource, ErrorStack, Language, Message, Span, Spanned, Status, StatusTest, Type,
    VariableId, replace_word, words,
};
use fishplate_plan::{Call, FailureTest, Output, Plan, Position, Returns};

/// The most errors of a stack that a message has.
const MOST_ERRORS: usize = 16;

/// The name of memory to which an expression may write its message.
const BUFFER: &str = "buffer";

/// The exceptions that the interface names, without duplicates: the first is `FP_NAMED + 0` in C.
pub fn named_exceptions(plan: &Plan) -> Vec<&str> {
    let calls = plan.all_functions().flat_map(|function| &function.calls);
    let of_calls = calls.filter_map(|call| call.status.as_ref()).flat_map(Status::exceptions);
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in plan.exceptions.iter().chain(of_calls) {
        if !names.contains(&name.value.as_str()) {
            names.push(&name.value);
        }
    }
    names
}

/// Adds the code that catches C++ exceptions: the function `catch`, which records the one that is
/// being handled, and its causes.
pub fn catch(catch: &str, plan: &Plan, file: &mut CFile) {
    if plan.module.language != Language::Cxx {
        return;
    }
    let section = Section::Declarations;
    let note = if plan.exceptions.is_empty() {
        "fp_note_standard".to_owned()
    } else {
        let note = format!("{catch}_one");
        note_named(&note, plan, section, file);
        note
    };
    file.add(
        section,
        format!(
            "\n/* Notes the exception that is being handled, and its causes. */\nstatic FP_COLD void\n\
             {catch}(fp_failure *fp_why)\n{{\n    fp_catch(fp_why, {note});\n}}"
        ),
    );
}

/// Adds the function `note`, which records an exception without its causes, according to the
/// interface.
fn note_named(note: &str, plan: &Plan, section: Section, file: &mut CFile) {
    file.add(section, format!("\nstatic FP_COLD void\n{note}(fp_failure *fp_why)\n{{\n    try {{\n        throw;\n    }}"));
    let writer = Writer { plan, section };
    let mut earlier: Vec<&str> = Vec::new();
    let last = plan.exceptions.len() - 1;
    for (index, (class, name)) in plan.exceptions.iter().enumerate() {
        let number = number(plan, &name.value);
        let class_name = &class.value;
        // Compilers report an undefined class at every line up to the end of all handlers.
        let rest = if index == last { " catch (...) { fp_note_standard(fp_why); }" } else { "" };
        let caught = format!(
            "    catch ({class_name} const &fp_thrown) {{ fp_note_thrown(fp_why, {number}, {}, &fp_thrown); }}{rest}",
            c_string(class_name)
        );
        writer.at(class.span, &caught, file);
        refuse_caught(class, &earlier, plan, file);
        earlier.push(class_name);
    }
    file.add(section, "}");
}

/// Makes the compiler refuse a class that follows its base, and catches it.
fn refuse_caught(class: &Spanned<String>, earlier: &[&str], plan: &Plan, file: &mut CFile) {
    let class_name = &class.value;
    let asserts: Vec<String> = earlier
        .iter()
        .map(|base| {
            let text = c_string(&format!("its base {base} comes first, and catches it"));
            format!("static_assert(!std::is_base_of<{base}, {class_name}>::value, {text});")
        })
        .collect();
    if !asserts.is_empty() {
        Writer { plan, section: Section::Checks }.at(class.span, &asserts.join(" "), file);
    }
}

/// The test for a return code, which is this C expression, of which only 0 is success.
pub fn failed_status(call: &Call, code: &str) -> String {
    // A scoped enum of C++ can only be compared with itself.
    if call.throws { format!("(long long){code} != 0") } else { format!("{code} != 0") }
}

/// C that is true if the call has failed; `None`: if C has returned NULL.
pub fn failed(names: &Names, test: Option<FailureTest>) -> String {
    match test {
        Some(FailureTest::Convention) => "fp_outcome == FP_FAILS".to_owned(),
        Some(FailureTest::Code(code)) => failed_status(names.call, names.code(code)),
        None => {
            let out_pointer = names.out_pointer(Output::Result).map(|one| one.pointer.as_str());
            format!("{} == NULL", out_pointer.unwrap_or("fp_c_result"))
        }
    }
}

/// Adds the code that checks the results of a call: `names.succeeds` for return codes, and
/// `names.fails` for failures, or NULL.
pub fn define_outcome(names: &Names, plan: &Plan, file: &mut CFile) {
    let Some(status) = &names.call.status else { return };
    let writer = Writer { plan, section: Section::Functions };
    let span = names.call.span;
    let add = |file: &mut CFile, text: String| file.add_for(Section::Functions, span, text);
    let (function, succeeds, fails) = (names.function, &names.succeeds, &names.fails);
    let c_name = c_string(&names.call.c_name);
    let (what, parameter, say) = match (names.call.return_code_type(), &names.call.result) {
        (Some(ctype), _) => {
            let (is_unsigned, is_bool) = (u8::from(ctype.is_unsigned()), ctype.is_bool());
            let ctype = c_type(ctype);
            add(
                file,
                format!(
                    "/* Whether a status of {function}() is a success. */\nstatic inline int\n\
                     {succeeds}({ctype} status)\n{{\n    (void)status;"
                ),
            );
            match &status.success {
                None if names.call.throws => {
                    add(file, "    return (long long)status == 0;".to_owned());
                }
                None => add(file, "    return status == 0;".to_owned()),
                Some(test) => writer.test(test, file),
            }
            add(file, "}\n\n".to_owned());
            let say = match is_bool {
                true => format!(
                    "fp_set_message(fp_why, status ? {} : {});",
                    c_string(&format!("{} returned true", names.call.c_name)),
                    c_string(&format!("{} returned false", names.call.c_name))
                ),
                false => format!(
                    "fp_describe_status(fp_why, {c_name}, {is_unsigned}, (long long)status);"
                ),
            };
            (
                format!("the meaning of another status of {function}()"),
                format!("{ctype} status, "),
                say,
            )
        }
        (None, Returns::Pointer(returned)) => (
            format!("why {function}() has no result"),
            String::new(),
            format!(
                "fp_set_message(fp_why, {});",
                c_string(&format!("{} returned {}", names.call.c_name, no_object(&returned.ctype)))
            ),
        ),
        (None, Returns::Value(..) | Returns::Status(..) | Returns::Void) => return,
    };
    if let Some(clear) = &status.clear {
        let clears = &names.clears;
        add(file, format!("/* Drops earlier errors. */\nstatic inline void\n{clears}(void)\n{{"));
        writer.at(clear.span, &format!("    (void)({});", clear.value), file);
        add(file, "}\n\n".to_owned());
    }
    if let Some(ErrorStack { source: ErrorSource::Walk { each, .. }, message }) = &status.stack {
        writer.define_each(each, message, &names.each, file);
    }
    let on = |value: &Spanned<String>, statement: &str| match names.call.return_code {
        None => format!("    {statement}"),
        Some(_) => format!("    if (status == {}) {{ {statement} }}", value.value),
    };
    add(
        file,
        format!(
            "/* Notes {what}; 1 for a warning. */\n\
             static FP_COLD int\n{fails}({parameter}fp_failure *fp_why{})\n{{\n    \
             fp_begin_failure(fp_why, {}, FP_RUNTIME_ERROR);",
            message_parameters(names),
            c_string(function)
        ),
    );
    if let Some(code) = status.errno() {
        writer.at(code.span, &format!("    fp_why->number = {};", code.value), file);
    }
    for (value, text) in status.messages.iter().flatten() {
        let say = format!("fp_set_message(fp_why, {});", c_string(&text.value));
        writer.at(value.span, &on(value, &say), file);
    }
    if let Some(stack) = &status.stack {
        writer.read_stack(stack, &names.each, file);
    }
    if let Some(message) = &status.message {
        let is_argument = names.call.variables.iter().any(|one| one.name == BUFFER);
        let record = record_message("fp_set_message(fp_why, ", message, !is_argument);
        let made = names
            .call
            .message_object
            .and_then(|index| names.call.variables[index].crossing.out_pointer());
        let record = match made {
            // C may have failed before it has made the object.
            Some(made) => {
                format!("if ({}) {{ {record} }}", compare_object(&made.ctype, "object", "!="))
            }
            None => record,
        };
        writer.at(message.text.span, &format!("    {record}"), file);
    }
    if status.errno().is_some() {
        add(file, "    fp_describe_errno(fp_why);".to_owned());
    }
    add(file, format!("    {say}"));
    for (value, name) in status.exceptions() {
        let raise = format!("fp_why->exception = {};", number(plan, &name.value));
        writer.at(value.span, &on(value, &raise), file);
    }
    if let Some(Type::Message { free: Some(free) }) =
        names.call.return_code_type().map(|one| &one.what)
    {
        add(file, format!("    {free}((char *)status);"));
    }
    match &status.warnings {
        None => add(file, "    return 0;".to_owned()),
        Some(test) => writer.test(test, file),
    }
    add(file, "}\n\n".to_owned());
}

/// C that records a message by `record`, a call without its last argument, and frees it if it is the caller's. With
/// `has_buffer`, an expression that uses `buffer` writes it there.
pub(crate) fn record_message(record: &str, message: &Message, has_buffer: bool) -> String {
    let text = &message.text.value;
    match &message.free {
        // The function takes `char *` or `void *`.
        Some(free) => format!(
            "{{ const char *fp_text = {text}; {record}fp_text); if (fp_text != NULL) {{ {free}((char *)fp_text); }} }}"
        ),
        None if has_buffer && message.uses(BUFFER) => format!(
            "{{ char buffer[FP_FAILURE_TEXT] = {{0}}; (void)({text}); buffer[FP_FAILURE_TEXT - 1] = 0; {record}buffer); }}"
        ),
        None => format!("{record}{text});"),
    }
}

/// The parameters for the arguments in a message: `, sqlite3 *db`.
fn message_parameters(names: &Names) -> String {
    let parameters = names.message_arguments.iter().map(|index| {
        let variable = &names.call.variables[*index];
        let is_object = names.call.message_object == Some(*index);
        let name = if is_object { "object" } else { variable.name.as_str() };
        match variable.crossing.out_pointer() {
            // The value that C has set, not its address.
            Some(pointer) => format!(", {}{name}", returned_type(pointer)),
            _ => format!(", {}", parameter_declaration(variable, name)),
        }
    });
    parameters.collect()
}

/// The arguments of a call that the message for its return codes uses.
pub(crate) fn named_in_message<P: Position>(call: &Call<P>) -> Vec<VariableId> {
    let message = call.status.as_ref().and_then(|status| status.message.as_ref());
    let object = call.message_object;
    let named = |index: &VariableId| {
        let name = call.variables[*index].name.as_str();
        let is_other = object.is_none_or(|object| object != *index && name != "object");
        name != "status" && is_other && message.is_some_and(|message| message.uses(name))
    };
    object.into_iter().chain(call.variables.keys().filter(named)).collect()
}

/// `FP_NAMED + 1`
fn number(plan: &Plan, name: &str) -> String {
    let at = named_exceptions(plan).iter().position(|other| *other == name);
    format!("FP_NAMED + {}", at.expect("every exception has a number"))
}

/// Prints lines of the interface.
struct Writer<'a> {
    plan: &'a Plan,
    section: Section,
}

impl Writer<'_> {
    fn at(&self, span: Span, text: &str, file: &mut CFile) {
        let line = self.plan.source.lines().line(span.start);
        file.add_at_line(self.section, &source_name(self.plan), line, text);
    }

    /// The function that C calls for each error.
    fn define_each(&self, each: &Spanned<String>, of_one: &Message, name: &str, file: &mut CFile) {
        let head = replace_word(&each.value, "each", name);
        let arguments = head.split_once('(').map_or("", |(_, arguments)| arguments);
        let unused: Vec<String> = arguments
            .split(',')
            .filter_map(|one| {
                words(one).filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).last()
            })
            .map(|name| format!("(void){name};"))
            .collect();
        self.at(each.span, &format!("static {head} {{ {}", unused.join(" ")), file);
        let record = record_message("fp_add_message((fp_failure *)data, ", of_one, true);
        self.at(of_one.text.span, &format!("    {record}"), file);
        let ends = if words(&head).next() == Some("void") { "}\n" } else { "    return 0;\n}\n" };
        file.add(self.section, ends);
    }

    /// Makes the errors of a stack the message.
    fn read_stack(&self, stack: &ErrorStack, each: &str, file: &mut CFile) {
        match &stack.source {
            ErrorSource::Walk { call, .. } => {
                file.add(self.section, format!("    if (fp_why->text[0] == 0) {{ __typeof__({each}) *each = {each}; void *data = fp_why;"));
                self.at(call.span, &format!("        (void)({}); }}", call.value), file);
            }
            ErrorSource::Next(next) => {
                file.add(self.section, format!("    for (int fp_left = fp_why->text[0] == 0 ? {MOST_ERRORS} : 0; fp_left > 0; fp_left--) {{"));
                let next = &next.value;
                let read = format!(
                    "        __typeof__({next}) code = {next}; if (code == 0) {{ break; }}"
                );
                let span = stack.message.text.span;
                self.at(span, &read, file);
                let record = record_message("fp_add_message(fp_why, ", &stack.message, true);
                self.at(span, &format!("        {record}"), file);
                file.add(self.section, "    }");
            }
        }
    }

    /// Returns whether a return code is in the set.
    fn test(&self, test: &StatusTest, file: &mut CFile) {
        match test {
            StatusTest::Expression(code) => {
                self.at(code.span, &format!("    return {};", code.value), file);
            }
            StatusTest::Values(values) => {
                let tests: Vec<String> = values
                    .iter()
                    .map(|value: &Spanned<String>| format!("status == {}", value.value))
                    .collect();
                let span = values.first().map_or(Span::default(), |value| value.span);
                self.at(span, &format!("    return {};", tests.join(" || ")), file);
            }
        }
    }
}

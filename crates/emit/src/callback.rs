//! What C calls, in C: the head of such a function, what it reads there, and what C gets where it failed.
//!
//! A number behind a pointer is a variable of its own, so that expressions see its value.

use crate::{Body, Names, c_type, cast, declaration, parameter_declaration, result_type, zero};
use fishplate_model::{CType, CallbackForm, CallbackId, Expr, Intent, ScalarClass, VariableId};
use fishplate_plan::{CallbackPlan, Crossing, Data, Fails, FromC, Output, Returns, Sees, Value};

impl Names<'_, FromC> {
    /// The number behind a pointer that this parameter is.
    pub fn is_pointed(&self, variable: VariableId) -> bool {
        self.call.variables[variable].is_behind_pointer()
    }

    /// The C parameter: the variable, or where that is the number behind it, the pointer.
    pub fn parameter(&self, variable: VariableId) -> String {
        let local = self.local(variable);
        if self.is_pointed(variable) { format!("{local}at") } else { local.to_owned() }
    }
}

impl Names<'_> {
    /// The callback that an argument is, of a call whose arguments have been looked at.
    pub fn callback(&self, variable: VariableId) -> &CallbackPlan {
        self.call.callback_of(variable).expect("the plan has a callback for each such variable")
    }

    /// C for where a callback that a caller gives is, as its data.
    pub fn callback_place(&self, callback: &CallbackPlan) -> String {
        match callback.is_kept() {
            true => format!("{}kept", self.local(callback.variable)),
            false => format!("&fp_callbacks[{}]", callback.first),
        }
    }
}

/// `static double\nname(double x_, void *data_)`
pub fn callback_head(names: &Names<FromC>) -> String {
    let parameters: Vec<String> = names
        .call
        .variables
        .iter_enumerated()
        .map(|(index, variable)| parameter_declaration(variable, &names.parameter(index)))
        .collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("static {}\n{}({parameters})\n", result_type(&names.call.result), names.entry)
}

/// The declarations of the numbers behind pointers, and of the C result.
pub fn callback_variables(names: &Names<FromC>) -> Vec<String> {
    let call = names.call;
    let mut lines = Vec::new();
    for (index, variable) in call.variables.iter_enumerated() {
        if names.is_pointed(index) {
            let read = variable.intent != Intent::Out;
            let value =
                if read { format!("*{}", names.parameter(index)) } else { zero(&variable.ctype) };
            lines.push(format!("{} = {value};", declaration(&variable.ctype, names.local(index))));
        }
    }
    match &call.result {
        Returns::Value(value, ctype) | Returns::Status(value, ctype) => {
            let declared = declaration(ctype, "fp_c_result");
            match value {
                Value::Number(_) | Value::Opaque => {
                    lines.push(format!("{declared} = {};", zero(ctype)));
                }
                Value::Enum(_) | Value::Struct(_) => {
                    lines.extend([format!("{declared};"), clear(value, ctype, "fp_c_result")]);
                }
            }
        }
        Returns::Void | Returns::Pointer(_) => {}
    }
    lines
}

/// What is seen of the call, of which `outer` are the names, where a callback has failed.
pub struct Seen {
    /// The struct that has it, where that is variables of the call: its name, and its members.
    pub members: Option<(String, Vec<(VariableId, String)>)>,
    /// What an expression calls it, and C for that.
    names: Vec<(String, String)>,
    /// The declaration that is needed for that, after which C that is true where there is something to see.
    head: Option<(String, &'static str)>,
}

impl Seen {
    /// What is seen by `callback`, which is found by `data`.
    pub fn new(callback: &CallbackPlan, outer: &Names, data: &str) -> Self {
        let call = outer.call;
        match &callback.sees {
            Sees::Nothing => Seen { members: None, names: Vec::new(), head: None },
            Sees::Call(variables) => {
                let name = seen_type(outer, callback);
                let names = variables.iter().map(|&index| {
                    let seen = format!("fp_sees->{}", outer.local(index));
                    (call.variables[index].name.clone(), seen)
                });
                let members = variables.iter().map(|&index| {
                    (index, parameter_declaration(&call.variables[index], outer.local(index)))
                });
                let head = format!("const {name} *fp_sees = (const {name} *)fp_seen({data});");
                Seen {
                    names: names.collect(),
                    members: Some((name, members.collect())),
                    head: Some((head, "fp_sees != NULL")),
                }
            }
            Sees::Object(output) => {
                let (name, ctype) = match output {
                    Output::Argument(index) => {
                        (call.variables[*index].name.clone(), Some(&call.variables[*index].ctype))
                    }
                    Output::Result => ("result".to_owned(), call.result.ctype()),
                };
                let ctype = ctype.expect("an object has a type");
                let ctype = c_type(ctype);
                let head = format!("{ctype} fp_owner = ({ctype})fp_seen_object({data});");
                Seen {
                    members: None,
                    names: vec![(name, "fp_owner".to_owned())],
                    head: Some((head, "fp_owner != NULL")),
                }
            }
        }
    }

    /// The definition of the struct, where there is one.
    pub fn define(&self) -> String {
        let Some((name, members)) = &self.members else { return String::new() };
        let members: String =
            members.iter().map(|(_, declared)| format!("    {declared};\n")).collect();
        format!("typedef struct {{\n{members}}} {name};\n\n")
    }

    /// C that is true where the expression has all that it needs; `None` where it needs nothing.
    fn needed(&self, expr: &Expr, names: &Names<FromC>) -> Option<&'static str> {
        let sees = |name: &str| {
            names.find(name).is_none() && self.names.iter().any(|(seen, _)| seen == name)
        };
        let uses = expr.names().into_iter().any(|(name, _)| sees(name));
        self.head.as_ref().filter(|_| uses).map(|(_, test)| *test)
    }
}

/// The struct for what a callback of a call sees of it.
fn seen_type(outer: &Names, callback: &CallbackPlan) -> String {
    format!("fp_sees_{}", outer.param(callback.variable))
}

/// Declares what a call has for the callback that is this variable; `kept` is the host's type of one that outlives
/// the call.
pub fn declare_callback(names: &Names, variable: VariableId, kept: &str, body: &mut Body) {
    let (local, callback) = (names.local(variable), names.callback(variable));
    if callback.is_kept() {
        body.line(format!("{kept} *{local}kept;"));
    }
    if !callback.filed.is_empty() {
        body.line(format!("fp_filed {local}filed[{}];", callback.filed.len()));
    }
    if callback.data == Data::Thread {
        body.line(format!("fp_slot {local}slot;"));
    }
    if let Sees::Call(_) = callback.sees {
        body.line(format!("{} {local}seen;", seen_type(names, callback)));
    }
    if let CallbackForm::Struct { .. } = callback.form {
        body.line(format!("{};", declaration(&names.call.variables[variable].ctype, local)));
    }
}

/// The statements before the call that note what is seen of it where `callback` fails; `argument` is C for what
/// C gets of a variable.
pub fn note_seen(
    callback: &CallbackPlan,
    names: &Names,
    argument: impl Fn(VariableId) -> String,
) -> Vec<String> {
    let Sees::Call(variables) = &callback.sees else { return Vec::new() };
    let local = names.local(callback.variable);
    let member =
        |index: &VariableId| format!("{local}seen.{} = {};", names.local(*index), argument(*index));
    let mut lines: Vec<String> = variables.iter().map(member).collect();
    lines.push(format!("fp_callbacks[{}].seen = &{local}seen;", callback.index));
    lines
}

/// The statements that fill the struct by which C is given the function `entry`, if it is given by one.
pub fn fill_struct(callback: &CallbackPlan, names: &Names, entry: &str, body: &mut Body) {
    let CallbackForm::Struct { function, data } = &callback.form else { return };
    let local = names.local(callback.variable);
    body.line(format!("memset(&{local}, 0, sizeof({local}));"));
    body.line(format!("{local}.{function} = {entry};"));
    body.line(format!("{local}.{data} = {};", names.callback_place(callback)));
    if callback.is_kept() {
        let copy = format!("memcpy({local}kept + 1, &{local}, sizeof({local}));");
        body.when(format!("{local}kept != NULL"), &copy);
    }
}

/// C for what C gets of the callback that is this variable, `entry`, or of the data of one. `absent` is C that is
/// true where the caller gave none.
pub fn callback_argument(
    names: &Names,
    variable: VariableId,
    entry: impl Fn(CallbackId) -> String,
    absent: impl Fn(&CallbackPlan) -> String,
) -> String {
    let call = names.call;
    if let Crossing::UserData(()) = call.variables[variable].crossing {
        let of = call.callbacks.iter().find(|callback| callback.beside == Some(variable));
        return of.map_or("NULL".to_owned(), |callback| names.callback_place(callback));
    }
    let (callback, local) = (names.callback(variable), names.local(variable));
    let given = match callback.form {
        CallbackForm::Function => entry(callback.index),
        CallbackForm::Struct { .. } if callback.is_kept() => {
            let ctype = c_type(&call.variables[variable].ctype);
            format!("({ctype} *)(void *)({local}kept + 1)")
        }
        CallbackForm::Struct { .. } => format!("&{local}"),
    };
    match call.variables[variable].nullable {
        true => format!("{} ? NULL : {given}", absent(callback)),
        false => given,
    }
}

/// Something happens where the host's function has failed.
pub fn answers(callback: &CallbackPlan) -> bool {
    callback.fails.is_some() || !callback.actions.is_empty()
}

/// The statement that sets a variable to 0, whatever its type.
fn clear(value: &Value, ctype: &CType, variable: &str) -> String {
    match value {
        Value::Struct(_) => format!("memset((void *)&{variable}, 0, sizeof({variable}));"),
        Value::Enum(_) => format!("{variable} = ({})0;", c_type(ctype)),
        Value::Number(_) | Value::Opaque => format!("{variable} = {};", zero(ctype)),
    }
}

/// The statements where the host's function has failed, at the beginning of a block; `result` is C for the
/// result's variable.
pub fn failed(
    callback: &CallbackPlan,
    names: &Names<FromC>,
    seen: &Seen,
    result: &str,
    body: &mut Body,
) {
    if let Some((head, _)) = &seen.head {
        body.line(head);
    }
    for action in &callback.actions {
        let called = format!("(void){};", names.seen_value(action, &seen.names));
        match seen.needed(action, names) {
            Some(test) => body.when(test, &called),
            None => body.line(called),
        }
    }
    let (Some(fails), Some(of), Some(ctype)) =
        (&callback.fails, callback.call.result.value(), callback.call.result.ctype())
    else {
        return;
    };
    let default = match of {
        _ if matches!(callback.call.result, Returns::Status(..)) => format!("{result} = 1;"),
        Value::Number(scalar)
            if matches!(scalar.class(), ScalarClass::Float | ScalarClass::Complex) =>
        {
            format!("{result} = {};", cast(ctype, "NAN"))
        }
        _ => clear(of, ctype, result),
    };
    match fails {
        Fails::Value(expr) => {
            let value = names.seen_value(expr, &seen.names);
            let value = match of {
                Value::Struct(_) => format!("{result} = {value};"),
                _ => format!("{result} = {};", cast(ctype, &format!("({value})"))),
            };
            match seen.needed(expr, names) {
                Some(test) => {
                    body.line(default);
                    body.when(test, &value);
                }
                None => body.line(value),
            }
        }
        Fails::NotANumber | Fails::One | Fails::Zero => body.line(default),
    }
}

/// The statements that note what a kept callback is filed under.
pub fn file(callback: &CallbackPlan, names: &Names, body: &mut Body) {
    for (k, &by) in callback.filed.iter().enumerate() {
        let value = names.local(by);
        let (value, size) = match names.call.variables[by].crossing.is_string() {
            true => (value.to_owned(), format!("strlen({value}) + 1")),
            false => (format!("&{value}"), format!("sizeof({value})")),
        };
        let at = names.local(callback.variable);
        body.line(format!("{at}filed[{k}].value = {value};"));
        body.line(format!("{at}filed[{k}].size = {size};"));
    }
}

/// C for what a kept callback is filed under, and how many values these are.
pub fn filed(callback: &CallbackPlan, names: &Names) -> String {
    match callback.filed.len() {
        0 => "NULL, 0".to_owned(),
        count => format!("{}filed, {count}", names.local(callback.variable)),
    }
}

/// C for an element that says that there is none.
pub fn failed_element(ctype: &CType) -> String {
    match ctype.scalar().class() {
        ScalarClass::Float | ScalarClass::Complex => cast(ctype, "NAN"),
        ScalarClass::Bool | ScalarClass::Signed | ScalarClass::Unsigned => "0".to_owned(),
    }
}

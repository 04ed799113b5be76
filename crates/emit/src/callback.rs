//! Callbacks in C: the head of the function, the values that it reads, and the error return value.
//!
//! A number that C passes by address is a separate variable, so that expressions see its value.

use crate::{
    Body, Names, c_type, cast, declaration, declare_key, parameter_declaration, result_declaration,
    result_type, returned_type, typed_no_object, zero,
};
use fishplate_model::{CType, CallbackForm, CallbackId, Expr, Intent, ScalarClass, VariableId};
use fishplate_plan::{
    CallbackPlan, Data, ErrorValue, FromC, OuterScope, Output, Returns, Value, Variable,
};

impl Names<'_, FromC> {
    /// The value, if this parameter is its address.
    pub fn is_pointed(&self, variable: VariableId) -> bool {
        self.call.variables[variable].is_behind_pointer()
    }

    /// The C parameter: the variable, or the pointer if the variable is the pointee.
    pub fn parameter(&self, variable: VariableId) -> String {
        let local = self.local(variable);
        if self.is_pointed(variable) { format!("{local}at") } else { local.to_owned() }
    }
}

impl Names<'_> {
    /// The callback for an argument, in a call whose arguments have been checked.
    pub fn callback(&self, variable: VariableId) -> &CallbackPlan {
        self.call.callback_of(variable).expect("the plan has a callback for each such variable")
    }

    /// The C expression for the address of a caller's callback, as its user data.
    pub fn callback_place(&self, callback: &CallbackPlan) -> String {
        let local = self.local(callback.variable);
        match (callback.checked.is_shared, callback.checked.is_kept()) {
            (true, _) => format!("{local}data"),
            (false, true) => format!("{local}kept"),
            (false, false) => format!("&fp_callbacks[{}]", callback.first),
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

/// The declarations of values that are passed by address, and of the C result.
pub fn callback_variables(names: &Names<FromC>) -> Vec<String> {
    let call = names.call;
    let mut lines = Vec::new();
    for (index, variable) in call.variables.iter_enumerated() {
        if names.is_pointed(index) {
            let local = names.local(index);
            let declared = declaration(&variable.ctype, local);
            match variable.value() {
                _ if variable.intent != Intent::Out => {
                    lines.push(format!("{declared} = *{};", names.parameter(index)));
                }
                Some(value @ (Value::Enum(_) | Value::Struct(_))) => {
                    let cleared = clear_value(value, &variable.ctype, local);
                    lines.extend([format!("{declared};"), cleared]);
                }
                _ => lines.push(format!("{declared} = {};", zero(&variable.ctype))),
            }
        }
    }
    match &call.result {
        Returns::Value(value, ctype) | Returns::Status(value, ctype) => {
            let declared = declaration(ctype, "fp_c_result");
            match value {
                Value::Number(_) if success_code(&call.result).is_some_and(|code| code != "0") => {
                    lines.push(format!("{declared} = 1;"));
                }
                Value::Number(_) | Value::Opaque => {
                    lines.push(format!("{declared} = {};", zero(ctype)));
                }
                Value::Enum(_) | Value::Struct(_) => {
                    lines
                        .extend([format!("{declared};"), clear_value(value, ctype, "fp_c_result")]);
                }
            }
        }
        Returns::Pointer(pointer) => {
            let declared = result_declaration(&call.result, "fp_c_result");
            lines.push(format!("{declared} = {};", typed_no_object(&pointer.ctype)));
        }
        Returns::Void => {}
    }
    lines
}

/// The result of a callback after success, if that is a return code.
pub fn success_code(result: &Returns) -> Option<&'static str> {
    match result {
        Returns::Status(_, ctype) => Some(if ctype.is_bool() { "1" } else { "0" }),
        Returns::Void | Returns::Value(..) | Returns::Pointer(_) => None,
    }
}

/// The C for the values that sizes and on-error code use in addition to the callback's own arguments.
pub struct OuterNames {
    /// The name and the members of the struct that holds them, if they are variables of the call.
    pub members: Option<(String, Vec<(VariableId, String)>)>,
    /// Them in expressions.
    names: Vec<OuterName>,
    /// The variable through which they are reached; it is NULL if they do not exist.
    pub head: Option<OuterHead>,
}

/// A value of the call that takes the callback, in C.
pub(crate) struct OuterName {
    pub name: String,
    pub text: String,
    /// As a size, if it is an integer.
    pub size: Option<String>,
}

/// The variable through which a callback reaches values of the call that takes it.
pub struct OuterHead {
    /// Its name.
    pub name: &'static str,
    /// Its declaration.
    pub declared: String,
    /// C for its value.
    pub value: String,
}

impl OuterNames {
    /// The names for `callback`, which is found by `data`; `outer` are the names of the call that takes it.
    pub fn new(callback: &CallbackPlan, outer: &Names, data: &str) -> Self {
        let call = outer.call;
        match &callback.outer_scope {
            OuterScope::Nothing => OuterNames { members: None, names: Vec::new(), head: None },
            OuterScope::Call(variables) => {
                let name = seen_type(outer, callback);
                let names = variables.iter().map(|&index| {
                    let text = format!("fp_sees->{}", outer.local(index));
                    let variable = &call.variables[index];
                    let size = is_integer(variable).then(|| outer.as_dimension(index, &text));
                    OuterName { name: variable.name.clone(), text, size }
                });
                let members = variables.iter().map(|&index| {
                    (index, parameter_declaration(&call.variables[index], outer.local(index)))
                });
                let head = OuterHead {
                    name: "fp_sees",
                    declared: format!("const {name} *fp_sees"),
                    value: format!("(const {name} *)fp_seen({data})"),
                };
                OuterNames {
                    names: names.collect(),
                    members: Some((name, members.collect())),
                    head: Some(head),
                }
            }
            OuterScope::Struct(memory, fields) => {
                let of = call.unpacked.iter().find(|one| one.retained_memory() == Some(*memory));
                let of = of.expect("the memory is that of a struct");
                let names = fields.iter().filter_map(|&index| {
                    let text = format!("fp_struct->{}", of.member(index)?);
                    let variable = &call.variables[index];
                    let size = is_integer(variable).then(|| outer.as_dimension(index, &text));
                    Some(OuterName { name: variable.name.clone(), text, size })
                });
                let ctype = &of.layout.ctype.spelling;
                let head = OuterHead {
                    name: "fp_struct",
                    declared: format!("const {ctype} *fp_struct"),
                    value: format!("(const {ctype} *)fp_seen({data})"),
                };
                OuterNames { members: None, names: names.collect(), head: Some(head) }
            }
            OuterScope::Object(output) => {
                let (name, ctype) = match output {
                    Output::Argument(index) => {
                        (call.variables[*index].name.clone(), Some(&call.variables[*index].ctype))
                    }
                    Output::Result => ("result".to_owned(), call.result.ctype()),
                };
                let ctype = ctype.expect("an object has a type");
                let ctype = c_type(ctype);
                let head = OuterHead {
                    name: "fp_owner",
                    declared: format!("{ctype} fp_owner"),
                    value: format!("({ctype})fp_seen_object({data})"),
                };
                let owner = OuterName { name, text: "fp_owner".to_owned(), size: None };
                OuterNames { members: None, names: vec![owner], head: Some(head) }
            }
        }
    }

    /// The definition of the struct, if there is one.
    pub fn define(&self) -> String {
        let Some((name, members)) = &self.members else { return String::new() };
        let members: String =
            members.iter().map(|(_, declared)| format!("    {declared};\n")).collect();
        format!("typedef struct {{\n{members}}} {name};\n\n")
    }

    /// A C condition that is true if all values that the expression uses exist; `None` if they always do.
    fn condition(&self, expr: &Expr, names: &Names<FromC>) -> Option<String> {
        let sees = |name: &str| {
            names.find(name).is_none() && self.names.iter().any(|seen| seen.name == name)
        };
        let uses = expr.names().into_iter().any(|(name, _)| sees(name));
        self.head.as_ref().filter(|_| uses).map(|head| format!("{} != NULL", head.name))
    }

    /// C for a dimension of a callback's argument, in which variables have the values that C passes. It is 0 if the
    /// values of the call do not exist: the callback then fails.
    pub fn dimension(&self, size: &Expr, names: &Names<FromC>) -> String {
        let text = names.seen_dimension(size, &self.names);
        match self.condition(size, names) {
            Some(test) => format!("{test} ? {text} : 0"),
            None => text,
        }
    }

    /// True if a failure needs values of the call: for an on-error action, the error return value, or the size of one of
    /// these outputs.
    pub fn are_in_failures(
        &self,
        callback: &CallbackPlan,
        names: &Names<FromC>,
        outputs: &[VariableId],
    ) -> bool {
        let sizes =
            outputs.iter().filter_map(|index| names.call.variables[*index].shape()).flatten();
        let code = callback.checked.actions.iter().chain(&callback.checked.error_value);
        code.chain(sizes).any(|expr| self.condition(expr, names).is_some())
    }

    /// True if the size of an array depends on values of the call.
    pub fn are_in_sizes(&self, names: &Names<FromC>) -> bool {
        let mut sizes = names.call.variables.iter().filter_map(Variable::shape).flatten();
        sizes.any(|size| self.condition(size, names).is_some())
    }
}

fn is_integer(variable: &Variable) -> bool {
    matches!(variable.value(), Some(Value::Number(one)) if one.is_integer())
}

/// The name of the struct that holds what a callback uses of the call.
fn seen_type(outer: &Names, callback: &CallbackPlan) -> String {
    format!("fp_sees_{}", outer.param(callback.variable))
}

/// Declares the locals of the callback that is this variable; `kept` is the host's type of one that outlives the call.
pub fn declare_callback(names: &Names, variable: VariableId, kept: &str, body: &mut Body) {
    let (local, callback) = (names.local(variable), names.callback(variable));
    if callback.checked.is_kept() {
        body.line(format!("{kept} *{local}kept = NULL;"));
    }
    if callback.passes_shared_data() {
        body.line(format!("void *{local}data;"));
    }
    declare_key(names, variable, &callback.checked.retention, body);
    if callback.checked.data == Data::Thread {
        body.line(format!("fp_slot {local}slot;"));
    }
    if let OuterScope::Call(_) = callback.outer_scope {
        body.line(format!("{} {local}seen;", seen_type(names, callback)));
    }
    if let CallbackForm::Struct { .. } = callback.checked.form {
        body.line(format!("{};", declaration(&names.call.variables[variable].ctype, local)));
    }
}

/// The statements before the call that store the values of the call that `callback` uses; `argument` is the C
/// argument of a variable.
pub fn store_outer_scope(
    callback: &CallbackPlan,
    names: &Names,
    argument: impl Fn(VariableId) -> String,
) -> Vec<String> {
    let OuterScope::Call(variables) = &callback.outer_scope else { return Vec::new() };
    let local = names.local(callback.variable);
    let member =
        |index: &VariableId| format!("{local}seen.{} = {};", names.local(*index), argument(*index));
    let mut lines: Vec<String> = variables.iter().map(member).collect();
    lines.push(format!("fp_callbacks[{}].seen = &{local}seen;", callback.index));
    lines
}

/// Prints the statements that fill the struct by which C takes the function `entry`, if it takes a struct.
pub fn fill_struct(callback: &CallbackPlan, names: &Names, entry: &str, body: &mut Body) {
    let CallbackForm::Struct { function, data } = &callback.checked.form else { return };
    let local = names.local(callback.variable);
    body.line(format!("memset(&{local}, 0, sizeof({local}));"));
    body.line(format!("{local}.{function} = {entry};"));
    body.line(format!("{local}.{data} = {};", names.callback_place(callback)));
    if callback.checked.is_kept() {
        let copy = format!("memcpy({local}kept + 1, &{local}, sizeof({local}));");
        body.when(format!("{local}kept != NULL"), &copy);
    }
}

/// The C argument for the callback that is this variable, whose function is `entry`, or for user data. `absent` is a C
/// condition that is true if the caller passed none.
pub fn callback_argument(
    names: &Names,
    variable: VariableId,
    entry: impl Fn(CallbackId) -> String,
    absent: impl Fn(&CallbackPlan) -> String,
) -> String {
    let call = names.call;
    if call.variables[variable].crossing.is_user_data() {
        let of =
            call.callbacks.iter().find(|callback| callback.checked.user_data == Some(variable));
        return of.map_or("NULL".to_owned(), |callback| names.callback_place(callback));
    }
    let (callback, local) = (names.callback(variable), names.local(variable));
    let given = match callback.checked.form {
        CallbackForm::Function => entry(callback.index),
        CallbackForm::Struct { .. } if callback.checked.is_kept() => {
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

/// The statement that sets a variable of any type to 0.
pub fn clear_value(value: &Value, ctype: &CType, variable: &str) -> String {
    match value {
        Value::Struct(_) => format!("memset((void *)&{variable}, 0, sizeof({variable}));"),
        Value::Enum(_) => format!("{variable} = ({})0;", c_type(ctype)),
        Value::Number(_) | Value::Opaque => format!("{variable} = {};", zero(ctype)),
    }
}

/// Prints the on-error code at the beginning of a block; `result` is the variable of the result.
pub fn print_error_code(
    callback: &CallbackPlan,
    names: &Names<FromC>,
    scope: &OuterNames,
    result: &str,
    body: &mut Body,
) {
    let code = callback.checked.actions.iter().chain(&callback.checked.error_value);
    let is_used = code.into_iter().any(|expr| scope.condition(expr, names).is_some());
    if let Some(head) = scope.head.as_ref().filter(|_| is_used && !scope.are_in_sizes(names)) {
        body.line(format!("{} = {};", head.declared, head.value));
    }
    for action in &callback.checked.actions {
        let called = format!("(void){};", names.seen_value(action, &scope.names));
        match scope.condition(action, names) {
            Some(test) => body.when(&test, &called),
            None => body.line(called),
        }
    }
    let (Some(error_value), Some(ctype)) = (&callback.error_value, callback.call.result.ctype())
    else {
        return;
    };
    let of = callback.call.result.value();
    let default = match of {
        None => format!("{result} = {};", typed_no_object(ctype)),
        _ if success_code(&callback.call.result) == Some("0") => format!("{result} = 1;"),
        Some(Value::Number(scalar))
            if matches!(scalar.class(), ScalarClass::Float | ScalarClass::Complex) =>
        {
            format!("{result} = {};", cast(ctype, "NAN"))
        }
        Some(of) => clear_value(of, ctype, result),
    };
    match error_value {
        ErrorValue::Value(expr) => {
            let value = names.seen_value(expr, &scope.names);
            let value = match (of, &callback.call.result) {
                (Some(Value::Struct(_)), _) => format!("{result} = {value};"),
                (_, Returns::Pointer(pointer)) => {
                    format!("{result} = ({})({value});", returned_type(pointer))
                }
                _ => format!("{result} = {};", cast(ctype, &format!("({value})"))),
            };
            match scope.condition(expr, names) {
                Some(test) => {
                    body.line(default);
                    body.when(&test, &value);
                }
                None => body.line(value),
            }
        }
        ErrorValue::NotANumber | ErrorValue::One | ErrorValue::Zero | ErrorValue::Null => {
            body.line(default);
        }
    }
}

/// The C value that marks an element as missing.
pub fn failed_element(ctype: &CType) -> String {
    if ctype.number().is_none() {
        return "0".to_owned();
    }
    match ctype.scalar().class() {
        ScalarClass::Float | ScalarClass::Complex => cast(ctype, "NAN"),
        ScalarClass::Bool | ScalarClass::Signed | ScalarClass::Unsigned => "0".to_owned(),
    }
}

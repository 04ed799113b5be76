//! The C names of a call: its variables, the tables of its parameters, and their values in
//! expressions.

use crate::failures::named_in_message;
use crate::out_pointers::RESULT;
use crate::{
    Namer, OutPointerNames, OuterName, Scope, assigned, c_string, c_type, cast, compare_object,
    declaration, dimension, dtype_code, enum_class, is_integer_arithmetic, unpacked, value,
};
use fishplate_model::{
    Expr, OverloadId, PerArgument, Scalar, ScalarClass, Status, ValueRule, VariableId,
};
use fishplate_plan::{AnyArray, BatchStep, Call, ItemStep, Output, Position, Step, ToC, Value};
use std::collections::BTreeSet;

/// The C names of one call: of its variables, and of its functions and tables in the file.
#[derive(Clone)]
pub struct Names<'a, P: Position = ToC> {
    /// The call.
    pub call: &'a Call<P>,
    /// The host function's name, for messages.
    pub function: &'a str,
    /// The C function that makes the call.
    pub entry: String,
    /// The called C function: the user's, or the generated function that wraps it.
    pub target: String,
    /// Its `fp_signature`.
    pub signature: String,
    /// C-allocated memory that the call returns.
    pub out_pointers: Vec<OutPointerNames>,
    /// The C function that checks whether a return code is a success. [`fails`](Self::fails)
    /// describes the other codes.
    pub succeeds: String,
    /// See [`succeeds`](Self::succeeds).
    pub fails: String,
    /// The function that drops earlier errors, if the error convention has one.
    pub clears: String,
    /// The function that C calls for each error, likewise.
    pub each: String,
    /// Further arguments of the second function, whose values its messages include.
    pub message_arguments: Vec<VariableId>,
    /// The C function that records an exception.
    pub catch: String,
    params: PerArgument<String>,
    tables: PerArgument<String>,
    locals: PerArgument<String>,
}

/// Access to the members of the struct that all items of a batch share.
const SHARED: &str = "fp_shared.";

/// The expression that calls the user's function: its name, or in C++ a pointer that selects it by
/// its exact type; if it has structs that are unpacked, the generated function that fills them.
pub(crate) fn callee<P: Position>(call: &Call<P>) -> String {
    match call.unpacked.is_empty() && call.adapter.is_none() {
        true => user_function(call),
        false => unpacked::name(call.id),
    }
}

/// The same without a generated function.
pub(crate) fn user_function<P: Position>(call: &Call<P>) -> String {
    if call.throws { format!("fp_callee_{}", call.id) } else { call.c_name.clone() }
}

impl<'a, P: Position> Names<'a, P> {
    /// Creates names for a call of `function` in the target language. `overload` distinguishes its
    /// overloads, and the names in the file begin with `prefix`. `around` is true if user-defined C
    /// wraps the call.
    pub fn new(
        prefix: &str,
        call: &'a Call<P>,
        function: &'a str,
        overload: Option<OverloadId>,
        around: bool,
        file: &mut Namer,
    ) -> Self {
        let catch = format!("{prefix}_catch");
        let own = function.replace('.', "_");
        let prefix = match overload {
            None => format!("{prefix}_{own}"),
            Some(index) => format!("{prefix}_{own}_{index}"),
        };
        let mut locals = Namer::avoiding([call.c_name.as_str()]);
        let names: Vec<&str> = call.values().map(|(_, variable)| variable.name.as_str()).collect();
        let of_status = |file: &mut Namer, end: &str| match &call.status {
            Some(_) => file.unique(format!("{prefix}_{end}")),
            None => String::new(),
        };
        let entry = file.unique(prefix.clone());
        let target = if around { file.unique(format!("{prefix}_body")) } else { callee(call) };
        let succeeds = of_status(file, "succeeds");
        let fails = of_status(file, "fails");
        let has = |key: fn(&Status) -> bool| call.status.as_ref().is_some_and(key);
        let stack = |file: &mut Namer, end: &str, is_needed: bool| match is_needed {
            true => file.unique(format!("{prefix}_{end}")),
            false => String::new(),
        };
        let clears = stack(file, "clears", has(|status| status.clear.is_some()));
        let each = stack(file, "error", has(|status| status.stack.is_some()));
        let signature = file.unique(format!("{prefix}_signature"));
        let params = names.iter().map(|name| file.unique(format!("{prefix}_{name}")));
        let mut params: PerArgument<String> = params.collect();
        for (variable, param) in call.variables.iter().zip(&mut params) {
            // That of an array of structs or objects begins with an `fp_param`, and is passed as one.
            if variable.has_structs() || variable.is_array() && variable.object_class().is_some() {
                param.push_str(".param");
            }
        }
        let locals: PerArgument<String> = names.iter().map(|name| locals.variable(name)).collect();
        let tables = params.clone();
        // Its rank or dtype is stored in a copy for the call.
        for (index, _) in
            call.variables.iter_enumerated().filter(|(_, one)| one.any_array().is_some())
        {
            params[index] = format!("{}own", locals[index]);
        }
        Names {
            call,
            function,
            entry,
            target,
            succeeds,
            fails,
            clears,
            each,
            message_arguments: named_in_message(call),
            catch,
            signature,
            out_pointers: OutPointerNames::all(call, &prefix, &locals, &params, file),
            params,
            tables,
            locals,
        }
    }

    /// C for the return code of the call.
    pub fn return_code(&self) -> Option<&str> {
        self.call.return_code.map(|output| self.code(output))
    }

    /// C for the return code that is stored here.
    pub fn code(&self, output: Output) -> &str {
        match output {
            Output::Argument(index) => self.local(index),
            Output::Result => RESULT,
        }
    }

    /// C before a call: earlier errors are not reported.
    pub fn clear_errors(&self) -> Vec<String> {
        let status = self.call.status.as_ref();
        let clear = status.filter(|status| status.clear.is_some());
        let errno = status.filter(|status| status.errno().is_some());
        let clear = clear.map(|_| format!("{}();", self.clears));
        clear.into_iter().chain(errno.map(|_| "errno = 0;".to_owned())).collect()
    }

    /// C that is true if this return code, or the pointer returned by C, is a success.
    pub fn succeeded(&self, code: Option<&str>) -> String {
        match code {
            Some(code) => format!("{}({code})", self.succeeds),
            None => match self.call.out_pointer(Output::Result) {
                Some((_, returned)) => compare_object(&returned.ctype, RESULT, "!="),
                None => format!("{RESULT} != NULL"),
            },
        }
    }

    /// C that records at `why` the meaning of another return code, or of NULL. `argument` returns C
    /// for an argument of the call.
    pub fn failing(
        &self,
        code: Option<&str>,
        why: &str,
        argument: impl Fn(VariableId) -> String,
    ) -> String {
        let arguments: String =
            self.message_arguments.iter().map(|index| format!(", {}", argument(*index))).collect();
        let code = code.map_or(String::new(), |code| format!("{code}, "));
        format!("{}({code}{why}{arguments})", self.fails)
    }

    /// The same names for a batched call, in which the shared values are members of `fp_shared`.
    pub fn sharing(mut self) -> Self {
        for (index, _) in
            self.call.variables.iter_enumerated().filter(|(_, variable)| !variable.own)
        {
            self.locals[index].insert_str(0, SHARED);
        }
        self
    }

    /// The prefix of the names of further C variables for an argument.
    pub fn stem(&self, variable: VariableId) -> &str {
        let local = self.local(variable);
        local.strip_prefix(SHARED).unwrap_or(local)
    }

    /// The C variable with the terminator of an array, and its declaration.
    pub fn terminator(&self, variable: VariableId) -> Option<(String, String)> {
        let of = &self.call.variables[variable];
        of.terminator.as_ref()?;
        // An array of pointers ends with NULL in any case.
        of.array().map(|_| ()).or(of.crossing.jagged().map(|_| ()))?;
        let name = format!("{}end", self.stem(variable));
        Some((declaration(&of.ctype, &name), name))
    }

    /// The statements that set it.
    pub fn set_terminator(&self, variable: VariableId) -> Vec<String> {
        let of = &self.call.variables[variable];
        let (Some(terminator), Some((_, name))) = (&of.terminator, self.terminator(variable))
        else {
            return Vec::new();
        };
        let mut lines = vec![format!("memset((void *)&{name}, 0, sizeof({name}));")];
        lines.extend(terminator.values.iter().map(|one| {
            let value = value(&one.value, self);
            match &one.field {
                Some(field) => format!("{name}.{} = {value};", field.value),
                None => format!("{name} = {};", cast(&of.ctype, &format!("({value})"))),
            }
        }));
        lines
    }

    /// The C variable of an argument.
    pub fn local(&self, variable: VariableId) -> &str {
        &self.locals[variable]
    }

    /// The `fp_param` of an argument.
    pub fn param(&self, variable: VariableId) -> &str {
        &self.params[variable]
    }

    /// The `fp_param` of an argument as it is defined in the file. A call has its own copy for an array whose rank or
    /// dtype is known only then.
    pub fn table(&self, variable: VariableId) -> &str {
        &self.tables[variable]
    }

    /// True if an argument has an `fp_param`.
    pub fn has_param(&self, variable: VariableId) -> bool {
        self.used_params().contains(&variable)
    }

    /// C for the number of elements of an array.
    pub fn size_of(&self, variable: VariableId) -> String {
        format!("fp_size(&{}, {})", self.locals[variable], self.rank_of(variable))
    }

    /// C for the number of dimensions of an array.
    fn rank_of(&self, variable: VariableId) -> String {
        match self.call.variables[variable].any_array() {
            Some(_) => format!("{}.ndim", self.params[variable]),
            None => self.call.variables[variable].rank().to_string(),
        }
    }

    /// C for `value`, the value of an integer variable, as a `ptrdiff_t`.
    pub fn as_dimension(&self, variable: VariableId, value: &str) -> String {
        integer_dimension(self.call.variables[variable].ctype.scalar(), value)
    }

    /// The names of C-allocated memory at this output.
    pub fn out_pointer(&self, output: Output) -> Option<&OutPointerNames> {
        self.out_pointers.iter().find(|one| one.output == output)
    }

    /// The number returned by C, by its name after the call.
    fn result(&self, name: &str) -> Option<Scalar> {
        match self.call.result.value() {
            Some(&Value::Number(scalar)) if name == "result" && self.find(name).is_none() => {
                Some(scalar)
            }
            _ => None,
        }
    }

    /// The argument with this name.
    pub fn find(&self, name: &str) -> Option<VariableId> {
        self.call.variables.position(|variable| variable.name == name)
    }
}

/// The scope of a query or a callback: arguments have the values that C receives, and those passed
/// by address are their variables.
struct QueryScope<'a, 'b, P: Position> {
    names: &'b Names<'a, P>,
    argument: &'b dyn Fn(VariableId) -> String,
    /// Names other than arguments.
    seen: &'b [OuterName],
}

impl<P: Position> Names<'_, P> {
    /// C for a value of a callback, in which variables have the values that C passes.
    pub fn given_value(&self, expr: &Expr) -> String {
        self.query(expr, &|index| self.locals[index].clone())
    }

    /// C for a query; `argument` returns the value that C receives for an argument.
    pub fn query(&self, query: &Expr, argument: &dyn Fn(VariableId) -> String) -> String {
        value(query, &QueryScope { names: self, argument, seen: &[] })
    }
}

impl<P: Position> Names<'_, P> {
    /// The same; `seen` are further names in the callback's scope.
    pub(crate) fn seen_value(&self, expr: &Expr, seen: &[OuterName]) -> String {
        let argument = |index: VariableId| self.locals[index].clone();
        value(expr, &QueryScope { names: self, argument: &argument, seen })
    }

    /// The same for a dimension.
    pub(crate) fn seen_dimension(&self, size: &Expr, seen: &[OuterName]) -> String {
        let argument = |index: VariableId| self.locals[index].clone();
        dimension(size, &QueryScope { names: self, argument: &argument, seen })
    }
}

impl<P: Position> Scope for QueryScope<'_, '_, P> {
    fn value(&self, name: &str) -> Option<String> {
        let seen = || Some(self.seen.iter().find(|seen| seen.name == name)?.text.clone());
        self.names.find(name).map(self.argument).or_else(seen)
    }

    fn is_integer(&self, name: &str) -> bool {
        let is_size = || self.seen.iter().any(|seen| seen.name == name && seen.size.is_some());
        self.names.is_integer(name) || self.names.find(name).is_none() && is_size()
    }

    fn integer(&self, name: &str) -> Option<String> {
        if self.names.find(name).is_some() {
            return self.names.integer(name);
        }
        self.seen.iter().find(|seen| seen.name == name)?.size.clone()
    }

    fn rank(&self, name: &str) -> String {
        self.names.rank(name)
    }

    fn itemsize(&self, name: &str) -> String {
        self.names.itemsize(name)
    }

    fn dtype(&self, name: &str) -> String {
        self.names.dtype(name)
    }

    fn dim(&self, name: &str, axis: usize) -> String {
        self.names.dim(name, axis)
    }

    fn size(&self, name: &str) -> String {
        self.names.size(name)
    }

    fn stride(&self, name: &str, axis: usize) -> String {
        self.names.stride(name, axis)
    }
}

fn integer_dimension(scalar: Scalar, value: &str) -> String {
    // Only these can be larger than any dimension.
    let is_wide = scalar.class() == ScalarClass::Unsigned && scalar.size() == 8;
    if is_wide { format!("fp_to_dim({value})") } else { format!("(ptrdiff_t){value}") }
}

impl<P: Position> Scope for Names<'_, P> {
    fn value(&self, name: &str) -> Option<String> {
        let result = || self.result(name).map(|_| RESULT.to_owned());
        let local = |index: VariableId| match self.call.variables[index].is_array() {
            false => self.locals[index].clone(),
            true => format!("FP_DATA({})", self.locals[index]),
        };
        self.find(name).map(local).or_else(result)
    }

    fn is_integer(&self, name: &str) -> bool {
        let Some(index) = self.find(name) else {
            return self.result(name).is_some_and(Scalar::is_integer);
        };
        let variable = &self.call.variables[index];
        !variable.is_array() && variable.number().is_some_and(Scalar::is_integer)
    }

    fn integer(&self, name: &str) -> Option<String> {
        if let Some(scalar) = self.result(name) {
            return Some(integer_dimension(scalar, RESULT));
        }
        let index = self.find(name)?;
        Some(self.as_dimension(index, &self.locals[index]))
    }

    fn rank(&self, name: &str) -> String {
        self.find(name).map_or("0".to_owned(), |index| self.rank_of(index))
    }

    fn itemsize(&self, name: &str) -> String {
        let Some(index) = self.find(name) else { return "1".to_owned() };
        let variable = &self.call.variables[index];
        match variable.any_array() {
            Some(AnyArray { element: None, .. }) => format!("FP_ITEMSIZE({})", self.params[index]),
            _ if variable.ctype.is_void() => "1".to_owned(),
            _ => format!("(ptrdiff_t)sizeof({})", c_type(&variable.ctype)),
        }
    }

    fn dtype(&self, name: &str) -> String {
        let Some(index) = self.find(name) else { return name.to_owned() };
        let dtypes = self.call.variables[index].any_array().and_then(|any| any.dtypes.as_ref());
        let number = format!("FP_DTYPE({})", self.params[index]);
        dtypes.map_or(number.clone(), |(table, _)| dtype_code(&table.name, &number))
    }

    fn dim(&self, name: &str, axis: usize) -> String {
        let index = self.find(name);
        let local = index.map_or("", |index| self.locals[index].as_str());
        let has_shape = |index: VariableId| self.call.variables[index].is_array();
        match index.is_none_or(has_shape) {
            true => format!("{local}.shape[{axis}]"),
            false => format!("fp_string_length({local})"),
        }
    }

    fn size(&self, name: &str) -> String {
        self.find(name).map_or(String::new(), |index| self.size_of(index))
    }

    fn element(&self, name: &str, index: &str) -> Option<String> {
        let array = self.find(name)?;
        let variable = &self.call.variables[array];
        let is_vector = variable.rank() == 1 && variable.array().is_some();
        if !is_vector || !variable.ctype.number().is_some_and(Scalar::is_integer) {
            return None;
        }
        let (local, of) = (&self.locals[array], c_type(&variable.ctype));
        Some(format!("fp_element(FP_DATA({local}), {local}.shape[0], FP_INTEGER({of}), {index})"))
    }

    fn stride(&self, name: &str, axis: usize) -> String {
        self.find(name).map_or(String::new(), |index| {
            format!("fp_stride(&{}, {axis}, &{})", self.locals[index], self.params[index])
        })
    }
}

/// C that sets a scalar to the value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The call that checks the value, and may fail. It sets the scalar as well if there is no
    /// statement.
    pub check: Option<String>,
    /// The statement that sets it.
    pub statement: Option<String>,
}

/// The way in which a scalar is set to the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// By an assignment: the value is a literal of the right type, or not an integer.
    Plain,
    /// Computed as a size, without overflow, and checked.
    Dimension,
    /// Computed as a size, without overflow, for a variable that holds every size.
    FloatFromDimension,
    /// Computed by C, and checked.
    Checked,
}

impl<P: Position> Names<'_, P> {
    /// Returns how the scalar variable, or an element of the array variable, is set to `value`.
    pub fn setting(&self, variable: VariableId, value: &Expr) -> Setting {
        // The compiler checks a constant of the headers: it warns if the value does not fit.
        let is_constant = value.as_literal().is_some()
            || value.as_name().is_some_and(|name| self.find(name).is_none());
        let number = self.call.variables[variable].ctype.number();
        let is_integer = number.is_some_and(Scalar::is_integer);
        let is_arithmetic = is_integer_arithmetic(value, self);
        match (is_constant, is_arithmetic) {
            (true, _) => Setting::Plain,
            (false, true) if is_integer => Setting::Dimension,
            // An integer argument alone cannot overflow.
            (false, true) if value.as_name().is_none() => Setting::FloatFromDimension,
            (false, false) if is_integer => Setting::Checked,
            (false, _) => Setting::Plain,
        }
    }

    /// C for the new value of a scalar variable, or of an element of the array variable, if the
    /// value needs no check.
    pub fn plain_value(&self, variable: VariableId, expr: &Expr) -> Option<String> {
        let ctype = &self.call.variables[variable].ctype;
        let is_plain = self.setting(variable, expr) == Setting::Plain;
        is_plain.then(|| assigned(ctype, value(expr, self)))
    }

    /// C that sets `target`, which has the type of the variable, to `expr`. `context` is the first
    /// argument of the checks in the target language.
    pub fn assignment(
        &self,
        variable: VariableId,
        target: &str,
        expr: &Expr,
        context: &str,
    ) -> Assignment {
        let param = self.param(variable);
        let (check, statement) = match self.setting(variable, expr) {
            Setting::Plain => {
                let ctype = &self.call.variables[variable].ctype;
                (None, Some(format!("{target} = {};", assigned(ctype, value(expr, self)))))
            }
            Setting::Dimension => {
                let size = dimension(expr, self);
                (Some(format!("fp_set_dimension({context}&{target}, {size}, &{param})")), None)
            }
            Setting::FloatFromDimension => {
                let size = dimension(expr, self);
                let ctype = &self.call.variables[variable].ctype;
                (
                    Some(format!("fp_check_value({context}{size}, &{param})")),
                    Some(format!("{target} = {};", cast(ctype, &size))),
                )
            }
            Setting::Checked => {
                let value = value(expr, self);
                let set =
                    format!("fp_set_integer({context}&{target}, (long double)({value}), &{param})");
                (Some(set), None)
            }
        };
        Assignment { check, statement }
    }

    /// The statements that set the shape of an array before it is allocated.
    pub fn set_shape(&self, variable: VariableId) -> Vec<String> {
        let local = self.local(variable);
        let shape = self.shape(variable).into_iter().enumerate();
        shape.map(|(axis, value)| format!("{local}.shape[{axis}] = {value};")).collect()
    }

    /// C for the shape of an array.
    pub fn shape(&self, variable: VariableId) -> Vec<String> {
        let shape = self.call.variables[variable].shape().unwrap_or(&[]);
        shape.iter().map(|expr| dimension(expr, self)).collect()
    }

    /// The call of the runtime that checks the values of an array. `context` is its first argument in the target
    /// language.
    pub fn values_check(&self, variable: VariableId, rule: &ValueRule, context: &str) -> String {
        let (local, param) = (self.local(variable), self.param(variable));
        let of = c_type(&self.call.variables[variable].ctype);
        let base = rule.base().map_or("0".to_owned(), |base| dimension(base, self));
        let keyword = rule.keyword();
        if let Some(members) = self.call.variables[variable].enumeration() {
            let class = enum_class(&members.name);
            return format!("fp_check_{keyword}({context}&{local}, &{class}, &{param})");
        }
        let size = rule.size().map_or(String::new(), |size| format!("{}, ", dimension(size, self)));
        let text = rule
            .size()
            .map_or(String::new(), |size| format!("{}, ", c_string(&size.shown().to_string())));
        format!(
            "fp_check_{keyword}({context}&{local}, FP_INTEGER({of}), {size}{base}, {text}&{param})"
        )
    }

    /// The variables whose `fp_param` a call uses.
    pub fn used_params(&self) -> BTreeSet<VariableId> {
        let call = self.call;
        let parameters = call.parameters.iter().map(|parameter| parameter.variable);
        let once = call.mapped.iter().flat_map(|mapped| &mapped.steps);
        let once = once.filter_map(|step| match step {
            BatchStep::Once(step) => Some(step),
            _ => None,
        });
        let checked = |variable: VariableId, value: &Expr| {
            Some(variable).filter(|_| !matches!(self.setting(variable, value), Setting::Plain))
        };
        let steps = call.steps.iter().chain(once).filter_map(|step| match step {
            Step::SetScalar { variable, value: Some(value) } => checked(*variable, value),
            Step::MakeArray { variable, .. } => Some(*variable),
            _ => None,
        });
        let items = call.mapped.iter().flat_map(|mapped| &mapped.item);
        let items = items.filter_map(|step| match step {
            ItemStep::Set { variable, value: Some(value) } => checked(*variable, value),
            _ => None,
        });
        parameters.chain(steps).chain(items).collect()
    }
}

//! A call that stands for many items: its loop over them, and what happens once.
//!
//! The loop is a function of its own that touches no Python: it gets addresses and steps, and what
//! all items share in a struct. A loop over scalars alone is made twice from one text, once for items
//! that lie side by side, which compilers can vectorise.

use crate::ragged;
use crate::steps::Printer;
use crate::variables::{Names, Setting, c_type};
use fishplate_emit::{Body, Namer, Scope, c_string, dimension, value};
use fishplate_model::{CResult, Expr, ExprKind, Intent, Passing, Threads};
use fishplate_plan::{Absent, Call, Mapped, Output, ParameterKind, Step};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The C names of a mapped call.
pub(crate) struct MapNames<'n, 'a> {
    pub(crate) names: &'n Names<'a>,
    pub(crate) mapped: &'a Mapped,
    /// The C function that makes the call.
    pub(crate) entry: String,
    /// The same over lists, and what finds what their lengths tell.
    pub(crate) ragged_entry: String,
    pub(crate) fit: String,
    pub(crate) shared: String,
    each: String,
    items: String,
    /// The `fp_param` of the C result.
    pub(crate) result_param: String,
}

/// The functions of a mapped call, and C that makes it where the values are for many items.
pub(crate) fn emit(names: &Names, mapped: &Mapped, namer: &mut Namer) -> (String, Body) {
    let mut unique = |end: &str| namer.unique(format!("{}_{end}", names.entry));
    let map = MapNames {
        names,
        mapped,
        entry: unique("map"),
        ragged_entry: unique("ragged"),
        fit: unique("fit"),
        shared: unique("shared"),
        each: unique("each"),
        items: unique("items"),
        result_param: unique("results"),
    };
    let mut text = String::new();
    if map.has_results()
        && let CResult::Value(ctype) = &names.call.result
    {
        let _ = writeln!(
            text,
            "static const fp_param {} = {};",
            map.result_param,
            names.result_param(ctype)
        );
    }
    text.push_str(&map.shared_struct());
    text.push_str(&map.loop_function());
    let mut body = Body::at_depth(1);
    if let Some(ragged) = &mapped.ragged {
        text.push_str(&ragged::emit(&map, ragged));
        body.when(ragged::test(names.call), &format!("return {}(fp_args);", map.ragged_entry));
    }
    if mapped.broadcast {
        text.push_str(&map.call_function());
        body.when(test(names.call), &format!("return {}(fp_args);", map.entry));
    }
    (text, body)
}

/// C that is true when some value has more dimensions than one item has.
fn test(call: &Call) -> String {
    let tests: Vec<String> = call
        .parameters
        .iter()
        .enumerate()
        .filter(|(_, parameter)| parameter.kind != ParameterKind::Buffer)
        .map(|(slot, parameter)| {
            let rank = call.variables[parameter.variable].rank();
            let required = parameter.kind == ParameterKind::Required;
            let nullable = call.variables[parameter.variable].nullable;
            let function = if required && !nullable { "fp_has_more" } else { "fp_may_have_more" };
            format!("{function}(fp_args[{slot}], {rank})")
        })
        .collect();
    tests.join("\n        || ")
}

impl<'a> MapNames<'_, 'a> {
    fn call(&self) -> &'a Call {
        self.names.call
    }

    /// The items' C results come back.
    pub(crate) fn has_results(&self) -> bool {
        self.call().outputs.contains(&Output::Result)
    }

    /// Workers need memory of their own.
    fn has_scratch(&self) -> bool {
        self.mapped.item.iter().any(|step| matches!(step, Step::Reset { .. }))
    }

    /// The variables that have an `fp_operand`, in the order of these.
    pub(crate) fn operands(&self) -> Vec<usize> {
        let call = self.call();
        (0..call.variables.len())
            .filter(|&index| {
                let given = call.parameter_of(index).is_some();
                let scratch = call.variables[index].intent == Intent::Hidden;
                given || call.variables[index].own && !scratch
            })
            .collect()
    }

    /// C for the operand of a variable; of the C results for an index beyond them all.
    pub(crate) fn operand(&self, variable: usize) -> String {
        format!("fp_ops[{}]", self.operand_index(variable))
    }

    pub(crate) fn operand_index(&self, variable: usize) -> usize {
        let operands = self.operands();
        operands.iter().position(|other| *other == variable).unwrap_or(operands.len())
    }

    pub(crate) fn operand_count(&self) -> usize {
        self.operands().len() + usize::from(self.has_results())
    }

    /// Inputs, which come before what is made from their shape.
    pub(crate) fn input_operands(&self) -> Vec<usize> {
        let call = self.call();
        let buffer = |index| {
            call.parameter_of(index)
                .is_none_or(|parameter| call.parameters[parameter].kind == ParameterKind::Buffer)
        };
        self.operands().into_iter().filter(|index| !buffer(*index)).collect()
    }

    /// A value that the caller may leave out, and that C then gets in another way.
    fn may_be_absent(&self, variable: usize) -> bool {
        let call = self.call();
        let optional = call
            .parameter_of(variable)
            .is_some_and(|parameter| call.parameters[parameter].kind == ParameterKind::Optional);
        let is_array = call.variables[variable].rank() > 0;
        optional && call.variables[variable].own && (!is_array || call.variables[variable].nullable)
    }

    /// The struct tells whether the caller gave the value.
    fn has_flag(&self, variable: usize) -> bool {
        let call = self.call();
        let optional = call
            .parameter_of(variable)
            .is_some_and(|parameter| call.parameters[parameter].kind == ParameterKind::Optional);
        self.may_be_absent(variable) || optional && self.mapped.ragged.is_some()
    }

    /// The arrays whose shapes or strides an item's expressions ask for; over lists, all that have one.
    pub(crate) fn measured(&self) -> BTreeSet<usize> {
        let mut measured = BTreeSet::new();
        if self.mapped.ragged.is_some() {
            let variables = &self.call().variables;
            measured.extend((0..variables.len()).filter(|index| variables[*index].rank() > 0));
        }
        for step in &self.mapped.item {
            let expr = match step {
                Step::SetScalar { value: Some(value), .. }
                | Step::Reset { value: Some(value), .. }
                | Step::ReadItem { absent: Absent::Value(value), .. } => value,
                _ => continue,
            };
            expr.walk(&mut |part| {
                if let ExprKind::Measure { array, .. } = &part.kind {
                    measured.extend(self.names.find(array));
                }
            });
        }
        // Scratch memory is made for each worker, its shape once.
        measured.extend(self.mapped.item.iter().filter_map(|step| match step {
            Step::Reset { variable, .. } => Some(*variable),
            _ => None,
        }));
        measured
    }

    /// What all items share.
    fn shared_struct(&self) -> String {
        let call = self.call();
        let mut text =
            format!("/* What all items of a call share. */\nstruct {} {{\n", self.shared);
        for index in self.measured() {
            let _ = writeln!(text, "    fp_array *{};", self.names.local(index));
        }
        for (index, variable) in call.variables.iter().enumerate() {
            let local = self.names.local(index);
            if !variable.own {
                let _ = writeln!(text, "    {} {local};", c_type(&variable.ctype));
            }
            if self.has_flag(index) {
                let _ = writeln!(text, "    int {local}given;");
            }
        }
        if text.ends_with("{\n") {
            text.push_str("    char fp_nothing; /* C has no empty structs */\n");
        }
        text + "};\n\n"
    }

    /// The loop, once for any steps, and once more for items side by side where all are scalars.
    fn loop_function(&self) -> String {
        let call = self.call();
        let operands = self.operands();
        let sizes: Option<Vec<String>> = operands
            .iter()
            .map(|index| {
                let variable = &call.variables[*index];
                (variable.rank() == 0).then(|| format!("sizeof({})", c_type(&variable.ctype)))
            })
            .chain(self.has_results().then(|| match &call.result {
                CResult::Value(ctype) => Some(format!("sizeof({})", c_type(ctype))),
                CResult::Void | CResult::Status(_) => None,
            }))
            .collect();
        let parameters = format!(
            "const struct {} *fp_shared, char *const *fp_data, const npy_intp *fp_steps,\n    \
             npy_intp fp_count, fp_worker *fp_worker_",
            self.shared
        );
        let mut text = format!(
            "static FP_INLINE npy_intp\n{}({parameters})\n{{\n{}}}\n\n",
            self.each,
            self.loop_body()
        );
        let _ = write!(
            text,
            "static npy_intp\n{}(const void *fp_shared, char *const *fp_data, const npy_intp *fp_steps,\n    \
             npy_intp fp_count, fp_worker *fp_worker_)\n{{\n    const struct {} *fp_all = (const struct {} *)fp_shared;\n",
            self.items, self.shared, self.shared
        );
        if let Some(sizes) = sizes.filter(|sizes| !sizes.is_empty()) {
            let _ = write!(
                text,
                "    const npy_intp fp_close[] = {{{}}};\n    if (fp_are_close(fp_steps, fp_close, {})) {{\n        \
                 return {}(fp_all, fp_data, fp_close, fp_count, fp_worker_);\n    }}\n",
                sizes.join(", "),
                sizes.len(),
                self.each
            );
        }
        let _ = write!(
            text,
            "    return {}(fp_all, fp_data, fp_steps, fp_count, fp_worker_);\n}}\n\n",
            self.each
        );
        text
    }

    fn loop_body(&self) -> String {
        let mut item = ItemPrinter::new(self, Body::at_depth(2), "return fp_i;");
        for (index, variable) in self.call().variables.iter().enumerate() {
            if !variable.own {
                let local = self.names.local(index);
                let ctype = c_type(&variable.ctype);
                item.body.line(format!("{ctype} {local} = fp_shared->{local};"));
            }
        }
        for step in &self.mapped.item {
            item.step(step);
        }
        let item = item.body.into_text();
        let mut body = Body::at_depth(1);
        body.line("npy_intp fp_i;");
        for parameter in ["fp_shared", "fp_data", "fp_steps", "fp_worker_"] {
            if !item.contains(parameter) {
                body.line(format!("(void){parameter};"));
            }
        }
        body.line("for (fp_i = 0; fp_i < fp_count; fp_i++) {");
        let head = body.into_text();
        let mut body = Body::at_depth(1);
        body.line("}");
        body.line("return fp_count;");
        head + &item + &body.into_text()
    }

    /// The call: what happens once.
    fn call_function(&self) -> String {
        let mut body = Body::at_depth(1);
        self.declare_call(false, &mut body);
        body.line("fp_map fp_map_;");
        if self.has_scratch() {
            body.line("npy_intp fp_scratch = 0;");
        }
        body.line("");
        body.line("/* To tell that this is a map, values were asked for their rank. */");
        body.when("PyErr_Occurred()", "return NULL;");
        format!(
            "static PyObject *\n{}(PyObject *const *fp_args)\n{{\n{}{}}}\n\n",
            self.entry,
            body.into_text(),
            Printer::mapped(self).print()
        )
    }

    /// What calls over items and over lists declare; over lists, no variable holds what their lengths
    /// tell.
    pub(crate) fn declare_call(&self, over_lists: bool, body: &mut Body) {
        let call = self.call();
        let mut objects = vec!["*fp_result = NULL".to_owned()];
        if call.outputs.len() > 1 {
            objects.push(format!("*fp_items[{}]", call.outputs.len()));
        }
        body.line(format!("PyObject {};", objects.join(", ")));
        for (index, variable) in call.variables.iter().enumerate() {
            let local = self.names.local(index);
            if variable.own && (variable.rank() > 0 || self.operands().contains(&index)) {
                body.line(format!("fp_array {local};"));
            } else if !variable.own && (!over_lists || call.parameter_of(index).is_some()) {
                body.line(format!("{} {local};", c_type(&variable.ctype)));
                if call.parameter_of(index).is_some() {
                    body.line(format!("fp_array {local}one;"));
                }
            }
        }
        if self.has_results() {
            body.line("fp_array fp_results;");
        }
        if self.operand_count() > 0 {
            body.line(format!("fp_operand fp_ops[{}];", self.operand_count()));
        }
        if call
            .variables
            .iter()
            .enumerate()
            .any(|(index, variable)| !variable.own && call.parameter_of(index).is_some())
        {
            body.line("PyObject *fp_one;");
        }
        body.line("int fp_releases;");
        body.line(format!("struct {} fp_shared;", self.shared));
    }

    /// Fills in the struct; over lists, what their lengths tell is not known yet.
    pub(crate) fn fill_shared(&self, over_lists: bool, body: &mut Body) {
        let call = self.call();
        for (index, variable) in call.variables.iter().enumerate() {
            let local = self.names.local(index);
            let given = call.parameter_of(index);
            if !variable.own {
                let value = if over_lists && given.is_none() { "0" } else { local };
                body.line(format!("fp_shared.{local} = {value};"));
            }
            if let (true, Some(slot)) = (self.has_flag(index), given) {
                body.line(format!("fp_shared.{local}given = fp_is_given(fp_args[{slot}]);"));
            }
        }
        for index in self.measured() {
            let local = self.names.local(index);
            body.line(format!("fp_shared.{local} = &{local};"));
        }
    }

    /// Runs the loop; `failure` where an item fails.
    pub(crate) fn run(&self, over_lists: bool, body: &mut Body, failure: &str) {
        let call = self.call();
        if !over_lists {
            self.fill_shared(false, body);
        }
        let threads = match self.mapped.threads {
            Threads::AtMost(count) => count,
            Threads::All => 0,
        };
        let ops = if self.operand_count() > 0 { "fp_ops" } else { "NULL" };
        let (count, items) = (self.operand_count(), &self.items);
        let scratch = if self.has_scratch() && !over_lists { "fp_scratch" } else { "0" };
        let (constant, map, run) = match over_lists {
            false => ("const ", "&fp_map_", "fp_run_map("),
            true => ("", "&fp_ragged_.map", "fp_run_ragged(&fp_ragged_, "),
        };
        body.block("", |body| {
            body.line(format!(
                "{constant}fp_run fp_run_ = {{{map}, {ops}, {count}, {items}, &fp_shared, {scratch}, \
                 {threads}, fp_releases}};"
            ));
            body.when(
                format!(
                    "!{run}&fp_run_, {}, {})",
                    c_string(self.names.function),
                    c_string(&call.c_name)
                ),
                failure,
            );
        });
    }
}

/// Prints the steps of one item.
pub(crate) struct ItemPrinter<'m, 'n, 'a> {
    map: &'m MapNames<'n, 'a>,
    pub(crate) body: Body,
    /// What ends the loop, or whatever the steps are in.
    failure: &'static str,
}

impl<'m, 'n, 'a> ItemPrinter<'m, 'n, 'a> {
    pub(crate) fn new(map: &'m MapNames<'n, 'a>, body: Body, failure: &'static str) -> Self {
        ItemPrinter { map, body, failure }
    }

    /// C for the address of a variable's item.
    fn address(&self, variable: usize) -> String {
        let operand = self.map.operand(variable);
        let at = operand.trim_start_matches("fp_ops[").trim_end_matches(']');
        format!("(fp_data[{at}] + fp_i * fp_steps[{at}])")
    }

    /// C receives the address where the item's value lies, so that what it writes stays there.
    fn is_in_place(&self, variable: usize) -> bool {
        let variable = &self.map.call().variables[variable];
        variable.passing == Passing::Pointer
            && (variable.intent.is_output() || variable.intent.writes_caller())
    }

    fn step(&mut self, step: &Step) {
        let call = self.map.call();
        match step {
            Step::ReadItem { variable, absent } => self.read(*variable, absent),
            Step::SetScalar { variable, value } => {
                let local = self.map.names.local(*variable).to_owned();
                let ctype = c_type(&call.variables[*variable].ctype);
                if self.is_in_place(*variable) {
                    let address = self.address(*variable);
                    self.body.line(format!("{ctype} *{local} = ({ctype} *)(void *){address};"));
                    self.assign(*variable, &format!("(*{local})"), value.as_ref());
                } else {
                    self.body.line(format!("{ctype} {local};"));
                    self.assign(*variable, &local, value.as_ref());
                }
            }
            Step::Reset { variable, value } => self.reset(*variable, value.as_ref()),
            Step::Call { .. } => self.call(),
            Step::CheckStatus => self.body.block("if (fp_c_result != 0)", |body| {
                body.line("fp_item_status(fp_worker_, (long long)fp_c_result);");
                body.line("return fp_i;");
            }),
            _ => unreachable!("a plan has no other steps in an item"),
        }
    }

    fn read(&mut self, variable: usize, absent: &Absent) {
        let local = self.map.names.local(variable).to_owned();
        let ctype = c_type(&self.map.call().variables[variable].ctype);
        let address = self.address(variable);
        let given = format!("fp_shared->{local}given");
        if self.is_in_place(variable) {
            self.body.line(format!("{ctype} *{local} = ({ctype} *)(void *){address};"));
            if let Absent::Value(default) = absent {
                self.nested(&format!("if (!{given}) "), |item| {
                    item.assign(variable, &format!("(*{local})"), Some(default));
                });
            }
            return;
        }
        let load = format!("{local} = *(const {ctype} *)(const void *){address};");
        match absent {
            Absent::Never => self.body.line(format!("{ctype} {load}")),
            Absent::Null => {
                self.body.line(format!("{ctype} {local} = 0;"));
                self.body.when(given, &load);
            }
            Absent::Value(default) => {
                self.body.line(format!("{ctype} {local};"));
                self.body.when(given, &load);
                self.nested("else ", |item| item.assign(variable, &local, Some(default)));
            }
        }
    }

    pub(crate) fn nested(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        let deeper = Body::at_depth(self.body.depth() + 1);
        let outer = std::mem::replace(&mut self.body, deeper);
        inside(self);
        let inner = std::mem::replace(&mut self.body, outer);
        self.body.line(format!("{head}{{"));
        self.body.append(inner);
        self.body.line("}");
    }

    /// Sets `target` to an expression's value, or to zero; what does not fit ends the loop.
    pub(crate) fn assign(&mut self, variable: usize, target: &str, to: Option<&Expr>) {
        let names = self.map.names;
        let scope = ItemScope(self.map);
        let param = names.param(variable);
        let Some(expr) = to else {
            self.body.line(format!("{target} = 0;"));
            return;
        };
        match names.setting(variable, expr) {
            Setting::Plain => self.body.line(format!("{target} = {};", value(expr, &scope))),
            Setting::Dimension => {
                let dimension = dimension(expr, &scope);
                self.body.when(
                    format!("!fp_item_dimension(&{target}, {dimension}, &{param}, fp_worker_)"),
                    self.failure,
                );
            }
            Setting::FloatFromDimension => {
                let dimension = dimension(expr, &scope);
                let failure = self.failure;
                self.body.block(format!("if ({dimension} == FP_NO_DIM)"), |body| {
                    body.line(format!("fp_item_fault(fp_worker_, &{param});"));
                    body.line(failure);
                });
                let ctype = c_type(&names.call.variables[variable].ctype);
                self.body.line(format!("{target} = ({ctype}){dimension};"));
            }
            Setting::Checked => {
                let value = value(expr, &scope);
                self.body.when(
                    format!(
                        "!fp_item_integer(&{target}, (long double)({value}), &{param}, fp_worker_)"
                    ),
                    self.failure,
                );
            }
        }
    }

    fn reset(&mut self, variable: usize, to: Option<&Expr>) {
        let names = self.map.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let room = format!("fp_worker_, fp_shared->{local}, &{param}");
        let Some(to) = to else {
            self.body.line(format!("fp_fill_room({room}, NULL);"));
            return;
        };
        let element = format!("{local}element");
        let ctype = c_type(&names.call.variables[variable].ctype);
        self.nested("", |item| {
            item.body.line(format!("{ctype} {element};"));
            item.assign(variable, &element, Some(to));
            item.body.line(format!("fp_fill_room({room}, &{element});"));
        });
    }

    fn call(&mut self) {
        let map = self.map;
        let call = map.call();
        let arguments: Vec<String> =
            (0..call.variables.len()).map(|index| self.argument(index)).collect();
        let called = format!("{}({})", map.names.target, arguments.join(", "));
        match &call.result {
            CResult::Void => self.body.line(format!("{called};")),
            CResult::Value(ctype) if map.has_results() => {
                let ctype = c_type(ctype);
                let address = self.address(call.variables.len());
                self.body.line(format!("*({ctype} *)(void *){address} = {called};"));
            }
            CResult::Value(_) => self.body.line(format!("(void){called};")),
            CResult::Status(ctype) => {
                self.body.line(format!("{} fp_c_result = {called};", c_type(ctype)));
            }
        }
    }

    fn argument(&self, index: usize) -> String {
        let variable = &self.map.call().variables[index];
        let local = self.map.names.local(index);
        let given = format!("fp_shared->{local}given");
        match variable.passing {
            Passing::Value => local.to_owned(),
            Passing::Array { .. } if variable.intent == Intent::Hidden => {
                format!("FP_POINTER(fp_room(fp_worker_, fp_shared->{local}))")
            }
            Passing::Array { .. } => {
                let address = self.address(index);
                match self.map.may_be_absent(index) {
                    true => format!("FP_POINTER({given} ? {address} : NULL)"),
                    false => format!("FP_POINTER{address}"),
                }
            }
            Passing::Pointer => {
                let address =
                    if self.is_in_place(index) { local.to_owned() } else { format!("&{local}") };
                match variable.nullable && self.map.may_be_absent(index) {
                    true => format!("({given} ? {address} : NULL)"),
                    false => address,
                }
            }
        }
    }
}

/// Names in an item's expressions.
pub(crate) struct ItemScope<'m, 'n, 'a>(pub(crate) &'m MapNames<'n, 'a>);

impl ItemScope<'_, '_, '_> {
    fn local(&self, name: &str) -> String {
        self.0.names.find(name).map_or(String::new(), |index| self.0.names.local(index).to_owned())
    }

    /// The value of a scalar, which may lie in an array of the caller's.
    fn scalar(&self, index: usize) -> String {
        let local = self.0.names.local(index);
        let variable = &self.0.call().variables[index];
        let in_place = variable.passing == Passing::Pointer
            && variable.own
            && (variable.intent.is_output() || variable.intent.writes_caller());
        if in_place { format!("(*{local})") } else { local.to_owned() }
    }
}

impl Scope for ItemScope<'_, '_, '_> {
    fn value(&self, name: &str) -> Option<String> {
        self.0.names.find(name).map(|index| self.scalar(index))
    }

    fn is_integer(&self, name: &str) -> bool {
        self.0.names.is_integer(name)
    }

    fn integer(&self, name: &str) -> Option<String> {
        let index = self.0.names.find(name)?;
        Some(self.0.names.as_dimension(index, &self.scalar(index)))
    }

    fn rank(&self, name: &str) -> usize {
        self.0.names.rank(name)
    }

    fn dim(&self, name: &str, axis: usize) -> String {
        format!("fp_shared->{}->shape[{axis}]", self.local(name))
    }

    fn size(&self, name: &str) -> String {
        format!("fp_size(fp_shared->{}, {})", self.local(name), self.rank(name))
    }

    fn stride(&self, name: &str, axis: usize) -> String {
        let param = self.0.names.find(name).map_or("", |index| self.0.names.param(index));
        format!("fp_stride(fp_shared->{}, {axis}, &{param})", self.local(name))
    }
}

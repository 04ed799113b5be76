//! The steps for one item: the body of the loop, without Python.

use crate::items::MapNames;
use crate::kinds::kind;
use fishplate_emit::{
    Body, Scope, Setting, assigned, c_type, cast, dimension, failed_status, parameter_declaration,
    value, zero,
};
use fishplate_model::{Callee, Expr, VariableId};
use fishplate_plan::{Absent, FailureTest, ItemStep, Returns, Variable};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Prints the steps of one item.
pub(crate) struct ItemPrinter<'m, 'n, 'a> {
    map: &'m MapNames<'n, 'a>,
    pub(crate) body: Body,
    /// The statement that ends the loop, or the enclosing function.
    failure: &'static str,
    /// The operands whose items it uses.
    addressed: RefCell<BTreeSet<usize>>,
    /// It sets the shared values instead of reading them.
    fits: bool,
}

impl<'m, 'n, 'a> ItemPrinter<'m, 'n, 'a> {
    pub(crate) fn new(map: &'m MapNames<'n, 'a>, body: Body, failure: &'static str) -> Self {
        ItemPrinter { map, body, failure, addressed: RefCell::default(), fits: false }
    }

    /// A printer for the values of an item that depend on the lengths of its lists.
    pub(crate) fn fit(map: &'m MapNames<'n, 'a>, body: Body) -> Self {
        ItemPrinter { fits: true, ..ItemPrinter::new(map, body, "return 0;") }
    }

    /// The body of the loop, and the operands that it uses.
    pub(crate) fn print(mut self) -> (Body, BTreeSet<usize>) {
        for (index, variable) in self.map.call().variables.iter_enumerated() {
            if !variable.own && variable.is_behind_pointer() {
                // C gets the address of a copy: it may write there.
                let local = self.map.names.local(index);
                let value = kind(variable).declare_value(variable, local);
                self.body.line(format!("{value} = fp_shared->{local};"));
            }
        }
        for step in &self.map.mapped.item {
            self.step(step);
        }
        (self.body, self.addressed.into_inner())
    }

    /// C for the address of a variable's item.
    pub(crate) fn address(&self, variable: VariableId) -> String {
        let at = self.map.operand_index(variable);
        self.addressed.borrow_mut().insert(at);
        format!("FP_ITEM({at})")
    }

    /// True if C receives the address of the item's value in its array, so that changes by C stay
    /// there.
    pub(crate) fn is_in_place(&self, variable: VariableId) -> bool {
        let variable = &self.map.call().variables[variable];
        variable.is_behind_pointer()
            && (variable.intent.is_output() || variable.intent.writes_caller())
    }

    fn step(&mut self, step: &ItemStep) {
        let call = self.map.call();
        match step {
            ItemStep::Read { variable, absent } => self.read(*variable, absent),
            ItemStep::Set { variable, value } => {
                let local = self.map.names.local(*variable).to_owned();
                let ctype = c_type(&call.variables[*variable].ctype);
                if self.is_in_place(*variable) {
                    let address = self.address(*variable);
                    self.body.line(format!("{ctype} *{local} = ({ctype} *){address};"));
                    self.assign(*variable, &format!("(*{local})"), value.as_ref());
                } else {
                    self.body.line(format!("{ctype} {local};"));
                    self.assign(*variable, &local, value.as_ref());
                    self.store(*variable);
                }
            }
            ItemStep::Reset { variable, value } => self.reset(*variable, value.as_ref()),
            ItemStep::Call => self.call(),
            ItemStep::CheckStatus { test: FailureTest::Convention } => self.check_outcome(),
            ItemStep::CheckStatus { test: FailureTest::Code(code) } => {
                let code = self.map.names.code(*code);
                self.body.when(
                    failed_status(call, code),
                    &format!("return fp_item_status(fp_runner, fp_i, (long long){code});"),
                );
            }
        }
    }

    fn read(&mut self, variable: VariableId, absent: &Absent) {
        let local = self.map.names.local(variable).to_owned();
        let ctype = c_type(&self.map.call().variables[variable].ctype);
        let address = self.address(variable);
        let given = format!("fp_shared->{local}given");
        if self.is_in_place(variable) {
            self.body.line(format!("{ctype} *{local} = ({ctype} *){address};"));
            if let Absent::Value(default) = absent {
                self.nested(&format!("if (!{given}) "), |item| {
                    item.assign(variable, &format!("(*{local})"), Some(default));
                });
            }
            return;
        }
        let load = format!("*(const {ctype} *){address}");
        let names = self.map.names;
        let plain = match absent {
            Absent::Never => None,
            Absent::Null => Some(zero(&self.variable(variable).ctype)),
            // A computed value may also be a result.
            Absent::Value(_) if self.variable(variable).intent.is_output() => None,
            Absent::Value(default) => match names.setting(variable, default) {
                Setting::Plain => {
                    let ctype = &self.variable(variable).ctype;
                    Some(assigned(ctype, value(default, &ItemScope { map: self.map, fits: false })))
                }
                _ => None,
            },
        };
        match (absent, plain) {
            (Absent::Never, _) => self.body.line(format!("{ctype} {local} = {load};")),
            (_, Some(default)) => {
                self.body.line(format!("{ctype} {local} = {given} ? {load} : {default};"));
            }
            (Absent::Null, None) => {}
            (Absent::Value(default), None) => {
                self.body.line(format!("{ctype} {local};"));
                let load = |body: &mut Body| body.line(format!("{local} = {load};"));
                let mut otherwise = self.inside(|item| {
                    item.assign(variable, &local, Some(default));
                    item.store(variable);
                });
                self.body.block(format!("if ({given})"), load);
                if let Some(test) = otherwise.only_test(self.failure) {
                    self.body.else_when(test, self.failure);
                } else {
                    self.body.open("else");
                    self.body.append(std::mem::take(&mut otherwise));
                    self.body.close();
                }
            }
        }
    }

    /// Puts the value that C gets, not its address, among the results, if it is one of them.
    fn store(&mut self, variable: VariableId) {
        let of = &self.map.call().variables[variable];
        if of.intent.is_output() {
            let (ctype, local) = (c_type(&of.ctype), self.map.names.local(variable));
            let address = self.address(variable);
            self.body.line(format!("*({ctype} *){address} = {local};"));
        }
    }

    pub(crate) fn nested(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        let inner = self.inside(inside);
        self.body.line(format!("{head}{{"));
        self.body.append(inner);
        self.body.line("}");
    }

    /// The lines that `inside` prints, one level deeper.
    fn inside(&mut self, inside: impl FnOnce(&mut Self)) -> Body {
        let deeper = Body::at_depth(self.body.depth() + 1);
        let outer = std::mem::replace(&mut self.body, deeper);
        inside(self);
        std::mem::replace(&mut self.body, outer)
    }

    /// Sets `target` to an expression's value, or to zero; a value that does not fit ends the loop.
    pub(crate) fn assign(&mut self, variable: VariableId, target: &str, to: Option<&Expr>) {
        let names = self.map.names;
        let scope = ItemScope { map: self.map, fits: self.fits };
        let param = names.param(variable);
        let ctype = &names.call.variables[variable].ctype;
        let Some(expr) = to else {
            self.body.line(format!("{target} = {};", zero(ctype)));
            return;
        };
        match names.setting(variable, expr) {
            Setting::Plain => {
                let value = assigned(ctype, value(expr, &scope));
                self.body.line(format!("{target} = {value};"));
            }
            Setting::Dimension => {
                let dimension = dimension(expr, &scope);
                self.body.when(
                    format!("!fp_item_dimension(&{target}, {dimension}, &{param}, fp_runner)"),
                    self.failure,
                );
            }
            Setting::FloatFromDimension => {
                let dimension = dimension(expr, &scope);
                let failure = self.failure;
                self.body.block(format!("if ({dimension} == FP_NO_DIM)"), |body| {
                    body.line(format!("fp_item_fault(fp_runner, &{param});"));
                    body.line(failure);
                });
                self.body.line(format!("{target} = {};", cast(ctype, &dimension)));
            }
            Setting::Checked => {
                let value = value(expr, &scope);
                self.body.when(
                    format!(
                        "!fp_item_integer(&{target}, (long double)({value}), &{param}, fp_runner)"
                    ),
                    self.failure,
                );
            }
        }
    }

    fn reset(&mut self, variable: VariableId, to: Option<&Expr>) {
        let names = self.map.names;
        let (local, param) = (names.local(variable), names.param(variable));
        let room = format!("fp_runner, fp_shared->{local}, &{param}");
        let Some(to) = to else {
            if !self.zeroes_argument(variable) {
                self.body.line(format!("fp_zeroed_room({room});"));
            }
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
            call.variables.keys().map(|index| self.argument(index)).collect();
        let called = format!("{}({})", map.names.target, arguments.join(", "));
        map.names.clear_errors().iter().for_each(|line| self.body.line(line));
        let statement = match &call.result {
            // No batched function returns a pointer.
            Returns::Void | Returns::Pointer(_) => format!("{called};"),
            Returns::Value(_, ctype) if map.has_results() => {
                let ctype = c_type(ctype);
                let address = self.address(call.result_index());
                format!("*({ctype} *){address} = {called};")
            }
            Returns::Value(..) => format!("(void){called};"),
            Returns::Status(_, ctype) if call.throws => {
                self.body.line(format!("{} fp_c_result;", c_type(ctype)));
                format!("fp_c_result = {called};")
            }
            Returns::Status(_, ctype) => format!("{} fp_c_result = {called};", c_type(ctype)),
        };
        if !call.throws {
            self.body.line(statement);
            return;
        }
        let catch = &map.names.catch;
        self.body.block("try", |body| body.line(statement));
        self.body.line("FP_LET_THREADS_END");
        self.body.block("catch (...)", |body| {
            body.line(format!("{catch}(fp_runner->why);"));
            body.line("return fp_item_thrown(fp_runner, fp_i);");
        });
    }

    /// A status of more than one meaning: a warning does not end the loop.
    fn check_outcome(&mut self) {
        let names = self.map.names;
        let succeeded = names.succeeded(names.return_code());
        let failing = names.failing(names.return_code(), "&fp_why", |index| self.argument(index));
        self.body.block(format!("if (FP_UNLIKELY(!{succeeded}))"), |body| {
            body.line("fp_failure fp_why;");
            body.line(format!("const int fp_warns = {failing};"));
            let is_success = "!fp_check_item_outcome(fp_runner, fp_i, fp_warns, &fp_why)";
            body.when(is_success, "return fp_i;");
        });
        if self.map.has_results()
            && let Returns::Status(_, ctype) = &names.call.result
        {
            let ctype = c_type(ctype);
            let address = self.address(names.call.result_index());
            self.body.line(format!("*({ctype} *){address} = fp_c_result;"));
        }
    }

    fn argument(&self, index: VariableId) -> String {
        let variable = &self.map.call().variables[index];
        let argument = kind(variable).item_argument(self, index);
        // A macro may apply an operation to it that only a typed pointer allows.
        if self.map.call().callee != Callee::Function && variable.rank() > 0 {
            return format!("(({}){argument})", parameter_declaration(variable, ""));
        }
        argument
    }

    pub(crate) fn variable(&self, index: VariableId) -> &Variable {
        &self.map.call().variables[index]
    }

    /// C for the value of a variable.
    pub(crate) fn value(&self, index: VariableId) -> String {
        self.map.item_value(index, false)
    }

    pub(crate) fn local(&self, index: VariableId) -> &str {
        self.map.names.local(index)
    }

    /// C for the scratch memory of an item.
    pub(crate) fn room(&self, index: VariableId) -> String {
        let (local, param) = (self.local(index), self.map.names.param(index));
        match self.zeroes_argument(index) {
            true => format!("fp_zeroed_room(fp_runner, fp_shared->{local}, &{param})"),
            false => format!("fp_room(fp_runner, fp_shared->{local})"),
        }
    }

    /// Scratch memory is zeroed where C gets it; a macro may look at its argument more than once, and
    /// so does a message that names it.
    fn zeroes_argument(&self, index: VariableId) -> bool {
        let has_value = self.map.mapped.item.iter().any(|step| {
            matches!(step, ItemStep::Reset { variable, value: Some(_) } if *variable == index)
        });
        let is_repeated = self.map.names.message_arguments.contains(&index);
        !has_value && !is_repeated && self.map.call().callee == Callee::Function
    }

    /// C that is true if the caller passed the argument; `None` if that must be so.
    pub(crate) fn test_given(&self, index: VariableId) -> Option<String> {
        let test = || format!("fp_shared->{}given", self.local(index));
        self.map.may_be_absent(index).then(test)
    }
}

/// Names in an item's expressions.
pub(crate) struct ItemScope<'m, 'n, 'a> {
    map: &'m MapNames<'n, 'a>,
    fits: bool,
}

impl<'m, 'n, 'a> ItemScope<'m, 'n, 'a> {
    /// The scope in which the shared values are set.
    pub(crate) fn of_fit(map: &'m MapNames<'n, 'a>) -> Self {
        ItemScope { map, fits: true }
    }
    fn local(&self, name: &str) -> String {
        self.map
            .names
            .find(name)
            .map_or(String::new(), |index| self.map.names.local(index).to_owned())
    }

    /// The value of a scalar, which may lie in an array of the caller's.
    fn scalar(&self, index: VariableId) -> String {
        let local = self.map.names.local(index);
        let variable = &self.map.call().variables[index];
        let in_place = variable.is_behind_pointer()
            && variable.own
            && (variable.intent.is_output() || variable.intent.writes_caller());
        if in_place { format!("(*{local})") } else { self.map.item_value(index, self.fits) }
    }
}

impl Scope for ItemScope<'_, '_, '_> {
    fn value(&self, name: &str) -> Option<String> {
        self.map.names.find(name).map(|index| self.scalar(index))
    }

    fn is_integer(&self, name: &str) -> bool {
        self.map.names.is_integer(name)
    }

    fn integer(&self, name: &str) -> Option<String> {
        let index = self.map.names.find(name)?;
        Some(self.map.names.as_dimension(index, &self.scalar(index)))
    }

    fn rank(&self, name: &str) -> String {
        self.map.names.rank(name)
    }

    fn itemsize(&self, name: &str) -> String {
        self.map.names.itemsize(name)
    }

    fn dim(&self, name: &str, axis: usize) -> String {
        format!("fp_shared->{}->shape[{axis}]", self.local(name))
    }

    fn size(&self, name: &str) -> String {
        format!("fp_size(fp_shared->{}, {})", self.local(name), self.rank(name))
    }

    fn stride(&self, name: &str, axis: usize) -> String {
        let param = self.map.names.find(name).map_or("", |index| self.map.names.param(index));
        format!("fp_stride(fp_shared->{}, {axis}, &{param})", self.local(name))
    }
}

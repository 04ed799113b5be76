//! What happens for one item: the body of the loop, without Python.

use crate::items::MapNames;
use crate::kinds::kind;
use fishplate_emit::{
    Body, Scope, Setting, assigned, c_type, cast, dimension, failed_status, parameter_declaration,
    value, zero,
};
use fishplate_model::{Callee, Expr, VariableId};
use fishplate_plan::{Absent, ItemStep, Returns, Variable};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Prints the steps of one item.
pub(crate) struct ItemPrinter<'m, 'n, 'a> {
    map: &'m MapNames<'n, 'a>,
    pub(crate) body: Body,
    /// What ends the loop, or whatever the steps are in.
    failure: &'static str,
    /// The operands whose items it uses.
    addressed: RefCell<BTreeSet<usize>>,
}

impl<'m, 'n, 'a> ItemPrinter<'m, 'n, 'a> {
    pub(crate) fn new(map: &'m MapNames<'n, 'a>, body: Body, failure: &'static str) -> Self {
        ItemPrinter { map, body, failure, addressed: RefCell::default() }
    }

    /// The body of the loop, and the operands that it uses: `fp_at0` and `fp_step0` is the first.
    pub(crate) fn print(mut self) -> (Body, BTreeSet<usize>) {
        for (index, variable) in self.map.call().variables.iter_enumerated() {
            if !variable.own {
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
        format!("(fp_at{at} + fp_i * fp_step{at})")
    }

    /// C receives the address where the item's value lies, so that what it writes stays there.
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
                    self.body.line(format!("{ctype} *{local} = ({ctype} *)(void *){address};"));
                    self.assign(*variable, &format!("(*{local})"), value.as_ref());
                } else {
                    self.body.line(format!("{ctype} {local};"));
                    self.assign(*variable, &local, value.as_ref());
                    self.store(*variable);
                }
            }
            ItemStep::Reset { variable, value } => self.reset(*variable, value.as_ref()),
            ItemStep::Call => self.call(),
            ItemStep::CheckStatus if call.status.is_some() => self.judge(),
            ItemStep::CheckStatus => self.body.block(failed_status(call), |body| {
                body.line("fp_item_status(fp_worker_, (long long)fp_c_result);");
                body.line("return fp_i;");
            }),
        }
    }

    fn read(&mut self, variable: VariableId, absent: &Absent) {
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
                let zero = zero(&self.map.call().variables[variable].ctype);
                self.body.line(format!("{ctype} {local} = {zero};"));
                self.body.when(given, &load);
            }
            Absent::Value(default) => {
                self.body.line(format!("{ctype} {local};"));
                self.body.when(given, &load);
                self.nested("else ", |item| {
                    item.assign(variable, &local, Some(default));
                    item.store(variable);
                });
            }
        }
    }

    /// Puts the value that C gets, not its address, among the results, if it is one of them.
    fn store(&mut self, variable: VariableId) {
        let of = &self.map.call().variables[variable];
        if of.intent.is_output() {
            let (ctype, local) = (c_type(&of.ctype), self.map.names.local(variable));
            let address = self.address(variable);
            self.body.line(format!("*({ctype} *)(void *){address} = {local};"));
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
    pub(crate) fn assign(&mut self, variable: VariableId, target: &str, to: Option<&Expr>) {
        let names = self.map.names;
        let scope = ItemScope(self.map);
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
                self.body.line(format!("{target} = {};", cast(ctype, &dimension)));
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

    fn reset(&mut self, variable: VariableId, to: Option<&Expr>) {
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
            call.variables.keys().map(|index| self.argument(index)).collect();
        let called = format!("{}({})", map.names.target, arguments.join(", "));
        if call.status.as_ref().is_some_and(|status| status.errno().is_some()) {
            self.body.line("errno = 0;");
        }
        let statement = match &call.result {
            // No batched function returns a pointer.
            Returns::Void | Returns::Pointer(_) => format!("{called};"),
            Returns::Value(_, ctype) if map.has_results() => {
                let ctype = c_type(ctype);
                let address = self.address(call.result_index());
                format!("*({ctype} *)(void *){address} = {called};")
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
            body.line(format!("{catch}(fp_worker_->why);"));
            body.line("return fp_item_thrown(fp_worker_, fp_i);");
        });
    }

    /// A status of more than one meaning: a warning does not end the loop.
    fn judge(&mut self) {
        let names = self.map.names;
        let succeeds = &names.succeeds;
        let failing = names.failing("&fp_why", |index| self.argument(index));
        self.body.block(format!("if (FP_UNLIKELY(!{succeeds}(fp_c_result)))"), |body| {
            body.line("fp_failure fp_why;");
            body.line(format!("const int fp_warns = {failing};"));
            let judged = "!fp_item_judged(fp_worker_, fp_i, fp_warns, &fp_why)";
            body.when(judged, "return fp_i;");
        });
        if self.map.has_results()
            && let Returns::Status(_, ctype) = &names.call.result
        {
            let ctype = c_type(ctype);
            let address = self.address(names.call.result_index());
            self.body.line(format!("*({ctype} *)(void *){address} = fp_c_result;"));
        }
    }

    fn argument(&self, index: VariableId) -> String {
        let variable = &self.map.call().variables[index];
        let argument = kind(variable).item_argument(self, index);
        // A macro may do with it what only a typed pointer allows.
        if self.map.call().callee != Callee::Function && variable.rank() > 0 {
            return format!("(({}){argument})", parameter_declaration(variable, ""));
        }
        argument
    }

    pub(crate) fn variable(&self, index: VariableId) -> &Variable {
        &self.map.call().variables[index]
    }

    pub(crate) fn local(&self, index: VariableId) -> &str {
        self.map.names.local(index)
    }

    /// C that is true if the caller passed the argument; `None` if that must be so.
    pub(crate) fn test_given(&self, index: VariableId) -> Option<String> {
        let test = || format!("fp_shared->{}given", self.local(index));
        self.map.may_be_absent(index).then(test)
    }
}

/// Names in an item's expressions.
pub(crate) struct ItemScope<'m, 'n, 'a>(pub(crate) &'m MapNames<'n, 'a>);

impl ItemScope<'_, '_, '_> {
    fn local(&self, name: &str) -> String {
        self.0.names.find(name).map_or(String::new(), |index| self.0.names.local(index).to_owned())
    }

    /// The value of a scalar, which may lie in an array of the caller's.
    fn scalar(&self, index: VariableId) -> String {
        let local = self.0.names.local(index);
        let variable = &self.0.call().variables[index];
        let in_place = variable.is_behind_pointer()
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

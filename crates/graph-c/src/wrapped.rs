//! The step of a node that calls a C function: the steps of its plan.
//!
//! Invariant: the source depends on the plan only; the address of the C function is a pointer.

use fishplate_emit::{Namer, Names, Scope, Setting, c_comment, c_string, dimension, value};
use fishplate_graph::{Class, Node, Var, Wrapped};
use fishplate_model::{Expr, Scalar, VariableId};
use fishplate_plan::{Absent, Access, Acquire, FailureTest, Output, Release, Returns, Step};

use crate::ctype::{abi_type, c_type, limits};
use crate::graph::Printer;

/// Prints the step.
pub fn print(printer: &mut Printer, index: usize, node: &Node, wrapped: &Wrapped) {
    let names =
        Names::new("op", &wrapped.call, &wrapped.name, None, false, &mut Namer::avoiding([]));
    let mut step = Call { printer, index, node, wrapped, names: &names, owned: Vec::new() };
    step.print();
}

struct Call<'a, 'p> {
    printer: &'a mut Printer<'p>,
    index: usize,
    node: &'a Node,
    wrapped: &'a Wrapped,
    names: &'a Names<'a>,
    /// Variables that may own memory to be released after the call: the array, and its replacement
    /// if it is absent.
    owned: Vec<(String, Option<String>)>,
}

impl Call<'_, '_> {
    fn print(&mut self) {
        let call = &self.wrapped.call;
        self.printer.steps.line(format!("/* {} */", c_comment(&call.prototype)));
        self.printer.steps.open("");
        for variable in call.variables.keys() {
            self.declare(variable);
        }
        for step in &call.steps {
            self.step(step);
        }
        for (output, &var) in call.outputs.iter().zip(&self.node.outputs) {
            if let Output::Argument(variable) = *output {
                self.line(format!("V{} = {};", var.0, self.names.local(variable)));
            }
            let is_used = self.printer.memory.uses[var.index()] > 0;
            let is_copied = |&place: &usize| self.printer.graph.outputs[place] == var;
            if !is_used && !self.printer.memory.copies.iter().any(is_copied) {
                self.line(format!("(void)V{};", var.0));
            }
        }
        for (array, given) in std::mem::take(&mut self.owned) {
            match given {
                None => self.line(format!("rt->drop(call, {array}.data);")),
                Some(given) => {
                    let drop = format!("rt->drop(call, {array}.data);");
                    self.printer.steps.when(format!("{array}.data != {given}.data"), &drop);
                }
            }
        }
        self.printer.steps.close();
    }

    fn line(&mut self, text: String) {
        self.printer.steps.line(text);
    }

    /// Declares a variable of the call; for an array that was passed, its view.
    fn declare(&mut self, variable: VariableId) {
        let name = self.names.local(variable).to_owned();
        let rank = self.wrapped.call.variables[variable].rank();
        if rank == 0 {
            let c = self.scalar_type(variable);
            let is_used = self.wrapped.is_there(variable);
            if is_used {
                self.line(format!("{c} {name};"));
            }
            return;
        }
        self.printer.use_rank(rank);
        let value = match self.input(variable) {
            Some(var) => format!(" = V{}", var.0),
            None if self.wrapped.is_there(variable) => String::new(),
            None => " = {0, {0}, {0}}".to_owned(),
        };
        self.line(format!("fp_view{rank} {name}{value};"));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Acquire(Acquire { variable, absent, .. })
                if self.wrapped.call.variables[*variable].is_array() =>
            {
                self.take(*variable, absent);
            }
            Step::Acquire(Acquire { variable, absent, .. }) => {
                match (self.input(*variable), absent) {
                    (Some(var), _) => self.read(*variable, var),
                    (None, Absent::Value(value)) => self.set(*variable, value),
                    (None, _) => {}
                }
            }
            Step::SetScalar { variable, value: Some(value) } => self.set(*variable, value),
            Step::SetScalar { variable, value: None } => {
                self.line(format!("{} = 0;", self.names.local(*variable)));
            }
            Step::FindDimension { variable, places } => {
                let there = places.iter().find(|place| self.input(place.array).is_some());
                match there {
                    Some(place) => self.find(*variable, place.array, place.axis),
                    None => self.line(format!("{} = 0;", self.names.local(*variable))),
                }
            }
            Step::CheckDimension { variable, axis, expected } => {
                if self.input(*variable).is_some() {
                    self.check(*variable, *axis, expected);
                }
            }
            Step::MakeArray { variable, .. } => self.make(*variable),
            Step::FillArray { variable, value } => self.fill(*variable, value),
            Step::Call { release } => self.call(release),
            Step::CheckStatus { test: FailureTest::Code(code) }
                if !self.wrapped.call.is_guarded() =>
            {
                let before = format!(
                    "{}(): {} returned status ",
                    self.wrapped.name, self.wrapped.call.c_name
                );
                let code = match code {
                    Output::Argument(index) => self.names.local(*index).to_owned(),
                    Output::Result => "status".to_owned(),
                };
                self.refuse(&format!("{code} != 0"), "status", &before, &code, "");
            }
            // The function that guards the call has checked its return code.
            Step::CheckStatus { .. } => {}
            // C has written to the output itself.
            Step::WriteBack { .. } => {}
            Step::Lock { .. }
            | Step::Invalidate { .. }
            | Step::Consume { .. }
            | Step::Restore { .. }
            | Step::CheckValues { .. }
            | Step::PointToRows { .. }
            | Step::FindLengths { .. }
            | Step::FindShape { .. }
            | Step::Query { .. }
            | Step::KeepCallback { .. }
            | Step::DropRetained { .. }
            | Step::Retain { .. }
            | Step::Replace { .. }
            | Step::Expect { .. }
            | Step::Receive { .. }
            | Step::Truncate { .. } => unreachable!("an op has numbers only"),
        }
    }

    // Scalars.

    fn read(&mut self, variable: VariableId, var: Var) {
        let local = self.names.local(variable).to_owned();
        let (from, to) = (self.printer.graph.tensor(var).dtype, self.wrapped.dtype(variable));
        if from != to {
            let test = out_of_range(&format!("V{}", var.0), from.class(), to);
            let before = format!("{}: ", self.argument(variable));
            let behind = format!(" is out of range for {to}");
            self.refuse(&test, "overflow", &before, &format!("V{}", var.0), &behind);
        }
        self.line(format!("{local} = ({})V{};", self.scalar_type(variable), var.0));
    }

    fn set(&mut self, variable: VariableId, expr: &Expr) {
        let local = self.names.local(variable).to_owned();
        self.assign(variable, &local, expr);
    }

    /// Sets a value with the type of a variable to an expression.
    fn assign(&mut self, variable: VariableId, target: &str, expr: &Expr) {
        let c = self.scalar_type(variable);
        let scope = InGraph(self.names);
        let setting = self.names.setting(variable, expr);
        let no_value = "its value overflowed, divided by zero or was read beyond an array";
        let text = match setting {
            Setting::Plain => {
                let value = self.c_value(expr);
                self.line(format!("{target} = {value};"));
                return;
            }
            Setting::Dimension | Setting::FloatFromDimension => dimension(expr, &scope),
            Setting::Checked => format!("(long double)({})", value(expr, &scope)),
        };
        self.printer.uses_dimensions = true;
        let of = if setting == Setting::Checked { "long double" } else { "ptrdiff_t" };
        self.printer.steps.open("");
        self.line(format!("const {of} value = {text};"));
        let before = format!("{}: ", self.argument(variable));
        if setting != Setting::Checked {
            let text = format!("{before}{no_value}");
            self.fail("value == FP_NO_DIM", "overflow", &text);
        }
        if setting != Setting::FloatFromDimension {
            let to = self.wrapped.dtype(variable);
            let from = if setting == Setting::Checked { Class::Float } else { Class::Signed };
            let test = out_of_range("value", from, to);
            let behind = format!(" is out of range for {to}");
            self.refuse(&test, "overflow", &before, "value", &behind);
        }
        self.line(format!("{target} = ({c})value;"));
        self.printer.steps.close();
    }

    fn find(&mut self, variable: VariableId, array: VariableId, axis: usize) {
        let local = self.names.local(variable).to_owned();
        let size = format!("{}.shape[{axis}]", self.names.local(array));
        let to = self.wrapped.dtype(variable);
        if to.size() < 8 {
            let test = format!("{size} > (fp_int64){}", limits(to).1);
            let before = format!("{}: dimension {axis} is ", self.argument(array));
            let name = &self.wrapped.call.variables[variable].name;
            let behind = format!(", which is out of range for {name} ({to})");
            self.refuse(&test, "overflow", &before, &size, &behind);
        }
        self.line(format!("{local} = ({})({size});", self.scalar_type(variable)));
    }

    // Arrays.

    fn take(&mut self, variable: VariableId, absent: &Absent) {
        let name = self.names.local(variable).to_owned();
        let rank = self.wrapped.call.variables[variable].rank();
        let Some(var) = self.input(variable) else {
            if let Absent::Value(value) = absent {
                self.make(variable);
                self.fill(variable, value);
            }
            return;
        };
        let (index, fortran) = (self.index, self.fortran(variable));
        if Access::of(self.wrapped.call.variables[variable].intent) == Access::Copy {
            let operand = self.operand(variable);
            let order = format!(
                "rt->make_ordered(call, {index}, {operand}, {fortran}, (fp_view *)&{name})"
            );
            self.printer.must(order);
            let copy = format!(
                "rt->copy(call, {index}, {operand}, (fp_view *)&{name}, {rank}, (fp_view *)&V{})",
                var.0
            );
            self.printer.must(copy);
            return;
        }
        let operand = self.operand(variable);
        let pack = format!("rt->pack(call, {index}, {operand}, {fortran}, (fp_view *)&{name})");
        self.printer.must(pack);
        self.owned.push((name, Some(format!("V{}", var.0))));
    }

    fn make(&mut self, variable: VariableId) {
        let name = self.names.local(variable).to_owned();
        let shape = self.wrapped.call.variables[variable].shape().unwrap_or(&[]);
        for (axis, size) in shape.iter().enumerate() {
            let size = self.c_dimension(size);
            self.line(format!("{name}.shape[{axis}] = {size};"));
        }
        let operand = self.operand(variable);
        let (index, fortran) = (self.index, self.fortran(variable));
        let make =
            format!("rt->make_ordered(call, {index}, {operand}, {fortran}, (fp_view *)&{name})");
        self.printer.must(make);
        if self.output(variable).is_none() {
            self.owned.push((name, None));
        }
    }

    fn fill(&mut self, variable: VariableId, expr: &Expr) {
        let name = self.names.local(variable).to_owned();
        let c = self.scalar_type(variable);
        let count = self.elements(variable);
        self.printer.steps.open("");
        self.line(format!("{c} element;"));
        self.line("fp_size i;".to_owned());
        self.assign(variable, "element", expr);
        self.printer.steps.block(format!("for (i = 0; i < {count}; i++)"), |text| {
            text.line(format!("(({c} *){name}.data)[i] = element;"));
        });
        self.printer.steps.close();
    }

    fn check(&mut self, variable: VariableId, axis: usize, expected: &Expr) {
        let size = format!("{}.shape[{axis}]", self.names.local(variable));
        let wanted = self.c_dimension(expected);
        let must = match expected.as_literal() {
            Some(_) => format!(", but must be {expected}"),
            None => format!(", but {expected} is another number"),
        };
        let before = format!("{}: dimension {axis} is ", self.argument(variable));
        self.refuse(&format!("{size} != {wanted}"), "shape", &before, &size, &must);
    }

    // The call.

    fn call(&mut self, release: &Release) {
        let call = &self.wrapped.call;
        let (mut types, mut arguments) = (Vec::new(), Vec::new());
        for (index, variable) in call.variables.iter_enumerated() {
            let name = self.names.local(index);
            let is_there = self.wrapped.is_there(index);
            if variable.is_by_value() {
                types.push(self.scalar_type(index).to_owned());
                arguments.push(name.to_owned());
                continue;
            }
            types.push("void *".to_owned());
            arguments.push(match (variable.is_behind_pointer(), is_there) {
                (true, true) => format!("&{name}"),
                (true, false) => "0".to_owned(),
                (false, _) => format!("{name}.data"),
            });
        }
        if call.is_guarded() {
            self.guarded(types, arguments, release);
            return;
        }
        let (types, arguments) = (types.join(", "), arguments.join(", "));
        let types = if types.is_empty() { "void" } else { &types };
        let (result, target) = match &call.result {
            // No op returns a pointer.
            Returns::Void | Returns::Pointer(_) => ("void", String::new()),
            Returns::Status(_, ctype) => {
                let c = call_type(ctype.scalar());
                (c, format!("{c} status;"))
            }
            Returns::Value(_, ctype) => (call_type(ctype.scalar()), String::new()),
        };
        let place = call.outputs.iter().position(|output| *output == Output::Result);
        let set = match (&call.result, place) {
            (Returns::Status(..), _) => "status = ".to_owned(),
            (_, Some(place)) => format!("V{} = ", self.node.outputs[place].0),
            (Returns::Value(..), None) => "(void)".to_owned(),
            (Returns::Void | Returns::Pointer(_), None) => String::new(),
        };
        let pointer = self.printer.pointer_to(self.wrapped.address);
        if !target.is_empty() {
            // A declaration among statements is C99.
            self.line(target);
        }
        let leave = self.leave(release);
        if let Some(leave) = &leave {
            self.line(format!("const int left = {leave};"));
        }
        self.line(format!("{set}(({result} (*)({types}))pointers[{pointer}])({arguments});"));
        if leave.is_some() {
            self.printer.steps.when("left", "rt->enter(call);");
        }
    }

    /// A call that returns whether it succeeded, and has reported the reason to the host if it did
    /// not.
    fn guarded(&mut self, mut types: Vec<String>, mut arguments: Vec<String>, release: &Release) {
        let call = &self.wrapped.call;
        let place = call.outputs.iter().position(|output| *output == Output::Result);
        if let (Some(_), Some(ctype)) = (place, call.result.ctype()) {
            let c = call_type(ctype.scalar());
            self.line(format!("{c} result;"));
            types.insert(0, format!("{c} *"));
            arguments.insert(0, "&result".to_owned());
        }
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let pointer = self.printer.pointer_to(self.wrapped.address);
        let leave = self.leave(release);
        if let Some(leave) = &leave {
            self.line(format!("const int left = {leave};"));
        }
        let arguments = arguments.join(", ");
        self.line(format!(
            "const int done = ((int (*)({types}))pointers[{pointer}])({arguments});"
        ));
        if leave.is_some() {
            self.printer.steps.when("left", "rt->enter(call);");
        }
        self.fail("!done", "host", "its function failed");
        if let Some(place) = place {
            self.line(format!("V{} = result;", self.node.outputs[place].0));
        }
    }

    /// C code that releases the lock, and returns whether it did.
    fn leave(&mut self, release: &Release) -> Option<String> {
        match release {
            Release::Never => None,
            Release::Always => Some("rt->leave(call)".to_owned()),
            Release::WhenLarge(arrays) => {
                let sizes: Vec<String> = arrays.iter().map(|&array| self.elements(array)).collect();
                Some(format!("{} >= {LARGE} && rt->leave(call)", sizes.join(" + ")))
            }
            Release::ForWork(work) => {
                let work = self.c_dimension(work);
                Some(format!("(size_t){work} >= {LARGE} && rt->leave(call)"))
            }
        }
    }

    // Words.

    /// The variable of the graph that supplies a variable of the call.
    fn input(&self, variable: VariableId) -> Option<Var> {
        let place = self.wrapped.given.iter().position(|given| *given == variable)?;
        Some(self.node.inputs[place])
    }

    /// The variable of the graph for a result of the call.
    fn output(&self, variable: VariableId) -> Option<Var> {
        let mut outputs = self.wrapped.call.outputs.iter();
        let place = outputs.position(|output| *output == Output::Argument(variable))?;
        Some(self.node.outputs[place])
    }

    /// The description of an allocated array for the runtime: as an output, else as a temporary.
    fn operand(&self, variable: VariableId) -> String {
        match self.output(variable) {
            Some(var) => format!("(fp_operand){}", self.printer.operand(var, 0)),
            None => format!(
                "(fp_operand){{{}, {}, FP_TEMPORARY, 0}}",
                abi_type(self.wrapped.dtype(variable)),
                self.wrapped.call.variables[variable].rank()
            ),
        }
    }

    fn scalar_type(&self, variable: VariableId) -> &'static str {
        call_type(self.wrapped.call.variables[variable].ctype.scalar())
    }

    fn fortran(&self, variable: VariableId) -> u8 {
        u8::from(self.wrapped.call.variables[variable].is_fortran())
    }

    fn elements(&self, variable: VariableId) -> String {
        InGraph(self.names).size(&self.wrapped.call.variables[variable].name)
    }

    fn argument(&self, variable: VariableId) -> String {
        let name = &self.wrapped.call.variables[variable].name;
        format!("{}(): argument '{name}'", self.wrapped.name)
    }

    fn c_value(&mut self, expr: &Expr) -> String {
        self.used(value(expr, &InGraph(self.names)))
    }

    fn c_dimension(&mut self, expr: &Expr) -> String {
        self.used(dimension(expr, &InGraph(self.names)))
    }

    /// Records the variables in an expression.
    fn used(&mut self, text: String) -> String {
        self.printer.uses_dimensions |= text.contains("ptrdiff_t") || text.contains("fp_");
        text
    }

    fn fail(&mut self, test: &str, kind: &str, text: &str) {
        let (index, text) = (self.index, c_string(text));
        let fail = format!("return rt->fail(call, {index}, \"{kind}\", {text}, 0, 0, 0);");
        self.printer.steps.when(test, &fail);
    }

    /// A failure with a number in its message.
    fn refuse(&mut self, test: &str, kind: &str, before: &str, number: &str, behind: &str) {
        let index = self.index;
        let (before, behind) = (c_string(before), c_string(behind));
        self.printer.steps.when(
            test,
            &format!(
                "return rt->fail_with(call, {index}, \"{kind}\", {before}, (long long)({number}), \
                 {behind});"
            ),
        );
    }
}

/// The number of elements for which releasing the lock pays.
const LARGE: usize = 4096;

/// The type in which C functions receive a scalar.
fn call_type(scalar: Scalar) -> &'static str {
    match scalar.dtype() {
        fishplate_graph::DType::Bool => "_Bool",
        dtype => c_type(dtype),
    }
}

/// A test whether an integer type cannot represent a number of class `from`.
fn out_of_range(value: &str, from: Class, to: fishplate_graph::DType) -> String {
    let (low, high) = limits(to);
    match (from, to.class()) {
        (Class::Float, _) => format!("!({value} >= {low} && {value} <= {high})"),
        (Class::Unsigned, _) => format!("{value} > (fp_uint64){high}"),
        (_, Class::Unsigned) if to.size() == 8 => format!("{value} < 0"),
        (_, Class::Unsigned) => format!("{value} < 0 || {value} > (fp_int64){high}"),
        _ => format!("{value} < {low} || {value} > {high}"),
    }
}

/// The call's variables in expressions: arrays are views.
struct InGraph<'a>(&'a Names<'a>);

impl InGraph<'_> {
    fn dimensions(&self, name: &str) -> usize {
        self.0.find(name).map_or(0, |index| self.0.call.variables[index].rank())
    }
}

impl Scope for InGraph<'_> {
    fn value(&self, name: &str) -> Option<String> {
        self.0.value(name)
    }

    fn is_integer(&self, name: &str) -> bool {
        self.0.is_integer(name)
    }

    fn integer(&self, name: &str) -> Option<String> {
        self.0.integer(name)
    }

    fn rank(&self, name: &str) -> String {
        self.0.rank(name)
    }

    fn itemsize(&self, name: &str) -> String {
        self.0.itemsize(name)
    }

    fn dim(&self, name: &str, axis: usize) -> String {
        self.0.dim(name, axis)
    }

    fn size(&self, name: &str) -> String {
        let sizes: Vec<String> =
            (0..self.dimensions(name)).map(|axis| self.dim(name, axis)).collect();
        match sizes.as_slice() {
            [one] => one.clone(),
            _ => format!("({})", sizes.join(" * ")),
        }
    }

    fn stride(&self, name: &str, axis: usize) -> String {
        let Some(index) = self.0.find(name) else { return "1".to_owned() };
        let inner = if self.0.call.variables[index].is_fortran() {
            0..axis
        } else {
            axis + 1..self.dimensions(name)
        };
        let sizes: Vec<String> =
            inner.map(|axis| format!("fp_max(1, {})", self.dim(name, axis))).collect();
        if sizes.is_empty() { "1".to_owned() } else { format!("({})", sizes.join(" * ")) }
    }
}

//! A call that stands for many items: its loop over them, and what happens once.
//!
//! The loop is a function of its own that touches no Python: it gets addresses and steps, and what
//! all items share in a struct. A loop over scalars alone is made several times from one text, also for
//! items that lie side by side, which compilers can vectorise.

use crate::handles::{count_locks, takes_handle};
use crate::item::ItemPrinter;
use crate::kinds::kind;
use crate::params::takes_missing;
use crate::ragged;
use crate::steps::Printer;
use fishplate_emit::{Body, Namer, Names, c_string, c_type};
use fishplate_model::{ExprKind, Intent, ParameterId, Threads, VariableId};
use fishplate_plan::{Absent, Call, ItemStep, Mapped, ParameterKind};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Up to so many numbers, loops are made for those that all items share.
const MAX_VARIED: usize = 4;

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
    };
    let mut text = String::new();
    text.push_str(&map.shared_struct());
    text.push_str(&map.loop_function());
    let mut body = Body::at_depth(1);
    if let Some(ragged) = &mapped.ragged {
        text.push_str(&ragged::emit(&map, ragged));
        let mut test = ragged::test(names.call);
        if !mapped.broadcast {
            // One item is a batch too where the caller gave memory for its numbers.
            test.extend(scalar_buffers(names.call).map(buffer_test));
        }
        body.when(test.join(OR), &format!("return {}(fp_args);", map.ragged_entry));
    }
    if mapped.broadcast {
        text.push_str(&map.call_function());
        body.when(test(names.call), &format!("return {}(fp_args);", map.entry));
    }
    (text, body)
}

const OR: &str = "\n        || ";

/// The slots of buffers for numbers: of a call that is one item, those come back as numbers.
fn scalar_buffers(call: &Call) -> impl Iterator<Item = ParameterId> {
    let slots = call.parameters.iter_enumerated();
    let buffers = slots.filter(|(_, parameter)| parameter.kind == ParameterKind::Buffer);
    buffers.filter(|(_, one)| call.variable(one.variable).rank() == 0).map(|(slot, _)| slot)
}

fn buffer_test(slot: ParameterId) -> String {
    format!("fp_is_given(fp_args[{slot}])")
}

/// C that is true when some value has more dimensions than one item has, or the caller gave memory for
/// numbers.
fn test(call: &Call) -> String {
    let tests: Vec<String> = call
        .parameters
        .iter_enumerated()
        .filter(|(_, parameter)| !call.variable(parameter.variable).is_whole())
        .map(|(slot, parameter)| {
            let rank = call.variable(parameter.variable).rank();
            if rank == 0 && parameter.kind == ParameterKind::Buffer {
                return buffer_test(slot);
            }
            let required = parameter.kind == ParameterKind::Required;
            let nullable = call.variable(parameter.variable).nullable;
            let function = if required && !nullable { "fp_has_more" } else { "fp_may_have_more" };
            format!("{function}(fp_args[{slot}], {rank})")
        })
        .collect();
    tests.join(OR)
}

impl<'a> MapNames<'_, 'a> {
    pub(crate) fn call(&self) -> &'a Call {
        self.names.call
    }

    /// The items' C results come back.
    pub(crate) fn has_results(&self) -> bool {
        self.call().returned.is_some()
    }

    /// Workers need memory of their own.
    fn has_scratch(&self) -> bool {
        self.mapped.item.iter().any(|step| matches!(step, ItemStep::Reset { .. }))
    }

    /// The variables that have an `fp_operand`, in the order of these.
    pub(crate) fn operands(&self) -> Vec<VariableId> {
        let call = self.call();
        call.values()
            .filter(|(index, variable)| {
                let given = call.parameter_of(*index).is_some() && !variable.is_whole();
                given || variable.own && variable.intent != Intent::Hidden
            })
            .map(|(index, _)| index)
            .collect()
    }

    /// C for the operand of a variable.
    pub(crate) fn operand(&self, variable: VariableId) -> String {
        format!("fp_ops[{}]", self.operand_index(variable))
    }

    pub(crate) fn operand_index(&self, variable: VariableId) -> usize {
        let found = self.operands().iter().position(|other| *other == variable);
        found.expect("what has items is an operand")
    }

    pub(crate) fn operand_count(&self) -> usize {
        self.operands().len()
    }

    /// Inputs, which come before what is made from their shape.
    pub(crate) fn input_operands(&self) -> Vec<VariableId> {
        let call = self.call();
        let buffer = |index| {
            call.parameter_of(index)
                .is_none_or(|parameter| call.parameters[parameter].kind == ParameterKind::Buffer)
        };
        self.operands().into_iter().filter(|index| !buffer(*index)).collect()
    }

    /// A value that the caller may leave out, and that C then gets in another way.
    pub(crate) fn may_be_absent(&self, variable: VariableId) -> bool {
        let call = self.call();
        let optional = call
            .parameter_of(variable)
            .is_some_and(|parameter| call.parameters[parameter].kind == ParameterKind::Optional);
        let is_array = call.variables[variable].rank() > 0;
        optional && call.variables[variable].own && (!is_array || call.variables[variable].nullable)
    }

    /// The struct tells whether the caller gave the value.
    fn has_flag(&self, variable: VariableId) -> bool {
        let call = self.call();
        let optional = call
            .parameter_of(variable)
            .is_some_and(|parameter| call.parameters[parameter].kind == ParameterKind::Optional);
        let is_whole = call.variables[variable].is_whole();
        self.may_be_absent(variable) || optional && !is_whole && self.mapped.ragged.is_some()
    }

    /// The arrays whose shapes or strides an item's expressions ask for; over lists, all that have one.
    pub(crate) fn measured(&self) -> BTreeSet<VariableId> {
        let mut measured = BTreeSet::new();
        if self.mapped.ragged.is_some() {
            let variables = &self.call().variables;
            measured.extend(variables.keys().filter(|index| variables[*index].rank() > 0));
        }
        for step in &self.mapped.item {
            let expr = match step {
                ItemStep::Set { value: Some(value), .. }
                | ItemStep::Reset { value: Some(value), .. }
                | ItemStep::Read { absent: Absent::Value(value), .. } => value,
                _ => continue,
            };
            expr.walk(&mut |part| {
                if let ExprKind::Measure { array, .. } = &part.kind {
                    let found = self.names.find(array);
                    let is_array = |index: &VariableId| self.call().variables[*index].rank() > 0;
                    measured.extend(found.filter(is_array));
                }
            });
        }
        // Scratch memory is made for each worker, its shape once.
        measured.extend(self.mapped.item.iter().filter_map(|step| match step {
            ItemStep::Reset { variable, .. } => Some(*variable),
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
        for (index, variable) in call.variables.iter_enumerated() {
            let local = self.names.local(index);
            if !variable.own {
                let _ = writeln!(text, "    {};", kind(variable).declare_value(variable, local));
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

    /// Steps whose loop compilers do better with, where all operands are scalars: items side by side;
    /// with several inputs the same but for one that all items share, or for all but one; outputs
    /// side by side.
    fn known_steps(&self) -> Vec<Vec<String>> {
        let call = self.call();
        let operands = self.operands();
        if operands.iter().any(|index| call.variable(*index).rank() > 0) {
            return Vec::new();
        }
        let ctypes = operands.iter().map(|index| &call.variable(*index).ctype);
        let close: Vec<String> = ctypes.map(|ctype| format!("sizeof({})", c_type(ctype))).collect();
        let inputs: Vec<usize> = (0..operands.len())
            .filter(|at| {
                let intent = call.variable(operands[*at]).intent;
                !intent.is_output() && !intent.writes_caller()
            })
            .collect();
        if close.is_empty() {
            return Vec::new();
        }
        // `close`, but for the inputs that `others` gives another step.
        let but = |others: &dyn Fn(usize) -> Option<String>| -> Vec<String> {
            let other = |at: usize| if inputs.contains(&at) { others(at) } else { None };
            let each = close.iter().enumerate();
            each.map(|(at, size)| other(at).unwrap_or_else(|| size.clone())).collect()
        };
        let zero = || "0".to_owned();
        let mut steps = vec![close.clone()];
        if (2..=MAX_VARIED).contains(&inputs.len()) {
            steps.extend(inputs.iter().map(|one| but(&|at| (at == *one).then(zero))));
        }
        if (3..=MAX_VARIED).contains(&inputs.len()) {
            steps.extend(inputs.iter().map(|one| but(&|at| (at != *one).then(zero))));
        }
        if !inputs.is_empty() && inputs.len() < close.len() {
            steps.push(but(&|at| Some(format!("fp_steps[{at}]"))));
        }
        steps
    }

    /// The loop, once for any steps, and once more for each that compilers do better with.
    fn loop_function(&self) -> String {
        let steps = self.known_steps();
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
        if let Some(first) = steps.first() {
            let count = first.len();
            let _ = writeln!(text, "    const npy_intp fp_known[][{count}] = {{");
            for each in &steps {
                let _ = writeln!(text, "        {{{}}},", each.join(", "));
            }
            text.push_str("    };\n");
            for (index, _) in steps.iter().enumerate() {
                let _ = write!(
                    text,
                    "    if (FP_LIKELY(fp_are_steps(fp_steps, fp_known[{index}], {count}))) {{\n        \
                     return {}(fp_all, fp_data, fp_known[{index}], fp_count, fp_worker_);\n    }}\n",
                    self.each
                );
            }
        }
        let _ = write!(
            text,
            "    return {}(fp_all, fp_data, fp_steps, fp_count, fp_worker_);\n}}\n\n",
            self.each
        );
        text
    }

    fn loop_body(&self) -> String {
        let (item, addressed) = ItemPrinter::new(self, Body::at_depth(2), "return fp_i;").print();
        let item = item.into_text();
        let mut body = Body::at_depth(1);
        // As variables, since what C writes may be taken for anything that is behind a pointer.
        for at in addressed {
            body.line(format!("char *const fp_at{at} = fp_data[{at}];"));
            body.line(format!("const npy_intp fp_step{at} = fp_steps[{at}];"));
        }
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
        body.line(
            "/* The choice of this form has read the rank of each value, which may have failed. */",
        );
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
        for (index, variable) in call.values() {
            let local = self.names.local(index);
            if variable.own && (variable.rank() > 0 || self.operands().contains(&index)) {
                body.line(format!("fp_array {local};"));
            } else if !variable.own && (!over_lists || call.parameter_of(index).is_some()) {
                if takes_handle(call, index) {
                    body.line(format!("fp_handle *{local}held;"));
                }
                body.line(format!("{};", kind(variable).declare_value(variable, local)));
                if self.operands().contains(&index) {
                    body.line(format!("fp_array {local}one;"));
                }
            }
        }
        if count_locks(call) > 0 {
            body.line(format!("fp_lock *fp_locks[{}];", count_locks(call)));
        }
        if self.operand_count() > 0 {
            body.line(format!("fp_operand fp_ops[{}];", self.operand_count()));
        }
        if call
            .variables
            .iter_enumerated()
            .any(|(index, variable)| !variable.own && self.operands().contains(&index))
        {
            body.line("PyObject *fp_one;");
        }
        body.line("int fp_releases;");
        body.line(format!("struct {} fp_shared;", self.shared));
    }

    /// Fills in the struct; over lists, what their lengths tell is not known yet.
    pub(crate) fn fill_shared(&self, over_lists: bool, body: &mut Body) {
        let call = self.call();
        for (index, variable) in call.variables.iter_enumerated() {
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

    /// The table of the arguments of which an item may have no value, and the size of what the loop shares.
    fn optional(&self, over_lists: bool, body: &mut Body) -> String {
        let rows: Vec<String> = self
            .call()
            .variables
            .keys()
            .filter(|&index| !over_lists && takes_missing(self.names, index))
            .map(|index| {
                let (at, local) = (self.operand_index(index), self.names.local(index));
                format!("{{{at}, offsetof(struct {}, {local}given)}}, ", self.shared)
            })
            .collect();
        if rows.is_empty() {
            return "NULL, 0".to_owned();
        }
        body.line(format!(
            "static const fp_optional fp_optional_[] = {{{}{{-1, 0}}}};",
            rows.concat()
        ));
        "fp_optional_, sizeof(fp_shared)".to_owned()
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
            let optional = self.optional(over_lists, body);
            body.line(format!(
                "{constant}fp_run fp_run_ = {{{map}, {ops}, {count}, {items}, &fp_shared, {scratch}, \
                 {threads}, fp_releases, {optional}}};"
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

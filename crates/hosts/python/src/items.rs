//! A batched call: its loop over items, and the steps that run once.
//!
//! The loop is a separate function, which does not call Python: it receives addresses and strides,
//! and a struct with the values that all items share. A loop over scalars alone is compiled several
//! times from one text, for example for contiguous items, which compilers can vectorise.

use crate::handles::{declare_locks, takes_handle};
use crate::item::ItemPrinter;
use crate::kinds::kind;
use crate::params::takes_missing;
use crate::ragged;
use crate::steps::Printer;
use fishplate_emit::{Body, Namer, Names, c_string, c_type, cast, zero};
use fishplate_model::{ExprKind, Intent, ParameterId, Threads, Type, VariableId};
use fishplate_plan::{Absent, Call, ItemStep, Mapped, ParameterKind};
use std::collections::BTreeSet;

/// The maximal number of scalar inputs for which loops with a shared input are compiled.
const MAX_VARIED: usize = 4;

/// The C names of a batched call.
pub(crate) struct MapNames<'n, 'a> {
    pub(crate) names: &'n Names<'a>,
    /// The same in a function in which the struct of shared values is a variable.
    pub(crate) in_call: Names<'a>,
    pub(crate) mapped: &'a Mapped,
    /// The C function that makes the call.
    pub(crate) entry: String,
    /// The same over lists, and the function that computes the values that depend on their lengths.
    pub(crate) ragged_entry: String,
    pub(crate) fit: String,
    pub(crate) shared: String,
    each: String,
    items: String,
    /// The `fp_loop`, and the inputs that may be missing for an item.
    run: String,
    missing: String,
}

/// The functions of a batched call, and C that makes the call if the values are for several items.
pub(crate) fn emit(names: &Names, mapped: &Mapped, namer: &mut Namer) -> (String, Body) {
    let mut unique = |end: &str| namer.unique(format!("{}_{end}", names.entry));
    let map = MapNames {
        names,
        in_call: names.clone().sharing(),
        mapped,
        entry: unique("map"),
        ragged_entry: unique("ragged"),
        fit: unique("fit"),
        shared: unique("shared"),
        each: unique("each"),
        items: unique("items"),
        run: unique("loop"),
        missing: unique("missing"),
    };
    let mut text = String::new();
    text.push_str(&map.shared_struct());
    text.push_str(&map.loop_function());
    text.push_str(&map.define_run());
    let mut body = Body::at_depth(1);
    let mut tests = test(names.call);
    let entry = match &mapped.ragged {
        None => {
            text.push_str(&map.call_function());
            &map.entry
        }
        Some(ragged) => {
            text.push_str(&ragged::emit(&map, ragged));
            if !mapped.broadcast {
                // A single item is a batch too if the caller has passed memory for its numbers.
                tests = scalar_buffers(names.call).map(buffer_test).collect();
            }
            tests.splice(0..0, ragged::test(names.call));
            &map.ragged_entry
        }
    };
    for test in tests {
        body.when(test, &format!("return {entry}(fp_args);"));
    }
    (text, body)
}

/// The slots of buffers for numbers: a call for a single item returns these as numbers.
fn scalar_buffers(call: &Call) -> impl Iterator<Item = ParameterId> {
    let slots = call.parameters.iter_enumerated();
    let buffers = slots.filter(|(_, parameter)| parameter.kind == ParameterKind::Buffer);
    buffers.filter(|(_, one)| call.variable(one.variable).rank() == 0).map(|(slot, _)| slot)
}

fn buffer_test(slot: ParameterId) -> String {
    format!("fp_is_present(fp_args[{slot}])")
}

/// C conditions, one of which is true if a value has more dimensions than one item, or if the
/// caller has passed memory for numbers.
fn test(call: &Call) -> Vec<String> {
    call.parameters
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
        .collect()
}

impl<'a> MapNames<'_, 'a> {
    pub(crate) fn call(&self) -> &'a Call {
        self.names.call
    }

    /// True if the C results of the items are returned.
    pub(crate) fn has_results(&self) -> bool {
        self.call().returned.is_some()
    }

    /// The variables that have an `fp_operand`, in the order of these: inputs, then outputs, whose
    /// shape depends on them.
    pub(crate) fn operands(&self) -> Vec<VariableId> {
        let call = self.call();
        let operands = call.values().filter(|(index, variable)| {
            let given = call.parameter_of(*index).is_some() && !variable.is_whole();
            given || variable.own && variable.intent != Intent::Hidden
        });
        let (inputs, made): (Vec<_>, Vec<_>) =
            operands.map(|(index, _)| index).partition(|index| self.is_input(*index));
        [inputs, made].concat()
    }

    /// True if the caller passes the value of a variable, not memory for it.
    fn is_input(&self, index: VariableId) -> bool {
        let call = self.call();
        let kind = call.parameter_of(index).map(|parameter| call.parameters[parameter].kind);
        kind.is_some_and(|kind| kind != ParameterKind::Buffer)
    }

    /// C for the operand of a variable.
    pub(crate) fn operand(&self, variable: VariableId) -> String {
        format!("fp_ops[{}]", self.operand_index(variable))
    }

    pub(crate) fn operand_index(&self, variable: VariableId) -> usize {
        let found = self.operands().iter().position(|other| *other == variable);
        found.expect("a variable with items is an operand")
    }

    pub(crate) fn operand_count(&self) -> usize {
        self.operands().len()
    }

    /// C for the operands, and their number.
    pub(crate) fn operand_list(&self) -> (&'static str, usize) {
        let count = self.operand_count();
        (if count > 0 { "fp_ops" } else { "NULL" }, count)
    }

    /// The variable of the default element of an omitted array.
    pub(crate) fn stand_in(&self, variable: VariableId) -> String {
        format!("{}element", self.names.local(variable))
    }

    /// C for the value of a variable for an item; `fits` is true in the function that sets the
    /// shared values.
    pub(crate) fn item_value(&self, variable: VariableId, fits: bool) -> String {
        let (local, of) = (self.names.local(variable), &self.call().variables[variable]);
        let is_copied = of.is_behind_pointer() && !fits;
        if of.own || is_copied { local.to_owned() } else { format!("fp_shared->{local}") }
    }

    /// The inputs, which precede the outputs among the operands.
    pub(crate) fn input_operands(&self) -> Vec<VariableId> {
        self.operands().into_iter().filter(|index| self.is_input(*index)).collect()
    }

    /// True for a value that may be absent, and then reaches C in another way.
    pub(crate) fn may_be_absent(&self, variable: VariableId) -> bool {
        let call = self.call();
        let optional = call
            .parameter_of(variable)
            .is_some_and(|parameter| call.parameters[parameter].kind == ParameterKind::Optional);
        let is_array = call.variables[variable].rank() > 0;
        optional && call.variables[variable].own && (!is_array || call.variables[variable].nullable)
    }

    /// True if the struct has a flag for the presence of the value.
    fn has_flag(&self, variable: VariableId) -> bool {
        let call = self.call();
        let optional = call
            .parameter_of(variable)
            .is_some_and(|parameter| call.parameters[parameter].kind == ParameterKind::Optional);
        let is_whole = call.variables[variable].is_whole();
        self.may_be_absent(variable) || optional && !is_whole && self.mapped.ragged.is_some()
    }

    /// The arrays whose shapes or strides are used in an item's expressions; over lists, all
    /// arrays.
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
        // Scratch memory is allocated for each worker, its shape computed once.
        measured.extend(self.mapped.item.iter().filter_map(|step| match step {
            ItemStep::Reset { variable, .. } => Some(*variable),
            _ => None,
        }));
        measured
    }

    /// The values that all items share, as the members of a struct; may be empty.
    fn shared_members(&self) -> Vec<String> {
        let call = self.call();
        let mut members: Vec<String> = self
            .measured()
            .iter()
            .map(|index| format!("fp_array *{}", self.names.local(*index)))
            .collect();
        for (index, variable) in call.variables.iter_enumerated() {
            let local = self.names.local(index);
            if !variable.own {
                members.push(kind(variable).declare_value(variable, local));
            }
            if self.has_flag(index) {
                members.push(format!("int {local}given"));
            }
        }
        members
    }

    fn has_shared(&self) -> bool {
        !self.shared_members().is_empty()
    }

    fn shared_struct(&self) -> String {
        let members = self.shared_members();
        if members.is_empty() {
            return String::new();
        }
        format!(
            "/* The values that all items of a call share. */\nstruct {} {{\n    {};\n}};\n\n",
            self.shared,
            members.join(";\n    ")
        )
    }

    /// C for the address and the size of the struct, where it is declared.
    pub(crate) fn shared_address(&self) -> (&'static str, &'static str) {
        if self.has_shared() { ("&fp_shared", "sizeof(fp_shared)") } else { ("NULL", "0") }
    }

    /// Strides for which compilers optimise the loop better, if all operands are scalars:
    /// contiguous items; with several inputs the same with one of them shared, or with all but one
    /// shared; any inputs with contiguous outputs.
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
        // `close`, with other strides for the inputs for which `others` returns one.
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

    /// The loop: for any strides, and inlined once more for each of the known ones.
    fn loop_function(&self) -> String {
        let steps = self.known_steps();
        let body = self.loop_body();
        let (each, items) = (&self.each, &self.items);
        if steps.is_empty() {
            return format!("static npy_intp\n{items}(FP_ITEM_LOOP)\n{{\n{body}}}\n\n");
        }
        let known: String = (steps.iter())
            .map(|known| {
                format!("    FP_LOOP_IF_STEPS({each}, {}, {})\n", known.len(), known.join(", "))
            })
            .collect();
        format!(
            "static FP_INLINE npy_intp\n{each}(FP_ITEM_LOOP)\n{{\n{body}}}\n\n\
             static npy_intp\n{items}(FP_ITEM_LOOP)\n{{\n{known}    \
             return {each}(fp_all, fp_data, fp_steps, fp_count, fp_runner);\n}}\n\n"
        )
    }

    fn loop_body(&self) -> String {
        let (item, addressed) = ItemPrinter::new(self, Body::at_depth(2), "return fp_i;").print();
        let item = item.into_text();
        let mut body = Body::at_depth(1);
        if item.contains("fp_shared") {
            let shared = &self.shared;
            body.line(format!(
                "const struct {shared} *const fp_shared = (const struct {shared} *)fp_all;"
            ));
        }
        let operands: Vec<String> =
            addressed.into_iter().map(|at| format!("FP_OPERAND({at});")).collect();
        if !operands.is_empty() {
            body.line(operands.join(" "));
        }
        body.line("for (npy_intp fp_i = 0; fp_i < fp_count; fp_i++) {");
        let head = body.into_text();
        let mut body = Body::at_depth(1);
        body.line("}");
        body.line("return fp_count;");
        head + &item + &body.into_text()
    }

    /// The function that makes the call, with the steps that run once.
    fn call_function(&self) -> String {
        let mut body = Body::at_depth(1);
        self.declare_call(false, &mut body);
        body.line("fp_map fp_batch;");
        body.line("");
        let (ops, count) = self.operand_list();
        body.when(format!("!fp_begin_batch(&fp_batch, {ops}, {count})"), "goto undo_fp_batch;");
        format!(
            "static PyObject *\n{}(PyObject *const *fp_args)\n{{\n{}}}\n\n",
            self.entry,
            Printer::mapped(self).print_after(body)
        )
    }

    /// The declarations of a call over items or over lists. Over lists, no variable has a value
    /// that depends on their lengths.
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
                body.declare(format!("fp_array {local}"));
            } else if !variable.own && (!over_lists || call.parameter_of(index).is_some()) {
                if takes_handle(call, index) {
                    body.line(format!("fp_handle *{local}held = NULL;"));
                }
                if self.operands().contains(&index) {
                    body.declare(format!("fp_array {local}one"));
                }
            }
        }
        declare_locks(call, body);
        if self.operand_count() > 0 && !over_lists {
            body.line(format!("fp_operand fp_ops[{}];", self.operand_count()));
        }
        if call
            .variables
            .iter_enumerated()
            .any(|(index, variable)| !variable.own && self.operands().contains(&index))
        {
            body.line("PyObject *fp_one;");
        }
        if self.has_shared() {
            let values = if over_lists { "fp_given" } else { "fp_args" };
            body.line(format!(
                "struct {} fp_shared = {{{}}};",
                self.shared,
                self.shared_values(values).join(", ")
            ));
        }
    }

    /// The initial values of the struct: addresses of arrays, zero for scalars, and flags for the
    /// arguments that are present.
    fn shared_values(&self, values: &str) -> Vec<String> {
        let call = self.call();
        let mut initial: Vec<String> =
            self.measured().iter().map(|index| format!("&{}", self.names.local(*index))).collect();
        for (index, variable) in call.variables.iter_enumerated() {
            if !variable.own {
                initial.push(match &variable.ctype.what {
                    Type::Struct(_) => "FP_ZEROED".to_owned(),
                    Type::Enum(_) => cast(&variable.ctype, "0"),
                    _ => zero(&variable.ctype),
                });
            }
            if let (true, Some(slot)) = (self.has_flag(index), call.parameter_of(index)) {
                initial.push(format!("fp_is_present({values}[{slot}])"));
            }
        }
        initial
    }

    /// Runs the loop; `failure` follows if an item fails.
    pub(crate) fn run(&self, over_lists: bool, body: &mut Body, failure: &str) {
        let (ops, _) = self.operand_list();
        let (shared, _) = self.shared_address();
        let run = if over_lists { "fp_run_ragged" } else { "fp_run_map" };
        let run = format!("!{run}(&{}, &fp_batch, {ops}, {shared})", self.run);
        body.when(run, failure);
    }

    /// The static data of the loop.
    fn define_run(&self) -> String {
        let call = self.call();
        let mut text = String::new();
        let missing: Vec<String> = call
            .variables
            .keys()
            .filter(|&index| takes_missing(self.names, index))
            .map(|index| {
                let (at, local) = (self.operand_index(index), self.names.local(index));
                format!("{{{at}, offsetof(struct {}, {local}given)}}, ", self.shared)
            })
            .collect();
        let mut optional = "NULL, 0".to_owned();
        if !missing.is_empty() {
            text = format!(
                "static const fp_optional {}[] = {{{}{{-1, 0}}}};\n",
                self.missing,
                missing.concat()
            );
            optional = format!("{}, sizeof(struct {})", self.missing, self.shared);
        }
        let threads = match self.mapped.threads {
            Threads::AtMost(count) => count,
            Threads::All => 0,
        };
        text + &format!(
            "static const fp_loop {} = {{{}, {}, {}, {}, {threads}, {optional}}};\n\n",
            self.run,
            c_string(self.names.function),
            c_string(&call.c_name),
            self.items,
            self.operand_count()
        )
    }
}

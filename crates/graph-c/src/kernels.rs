//! The loops of a node, and their tables for the runtime.

use fishplate_graph::{Body, Home, Node, Op, Reduction, RowResult, Rows, Var};

use crate::body::abi_cost;
use crate::ctype::abi_type;
use crate::fold;
use crate::graph::Printer;
use crate::map;
use crate::rows::{self, Layout, RowValue};

/// The step of a node that is a loop, by the name of its table: `map`, `fold`, `rows`.
pub fn kernel(printer: &mut Printer, index: usize, node: &Node) -> &'static str {
    let dtype = |printer: &Printer, var: Var| printer.graph.tensor(var).dtype;
    match &node.op {
        Op::Map(function) => {
            let inputs = node.inputs.iter().map(|&var| dtype(printer, var)).collect();
            let body = Body::of(*function, inputs, dtype(printer, node.outputs[0]));
            map_kernel(printer, index, node, &body)
        }
        Op::Fused(body) => map_kernel(printer, index, node, body),
        Op::Reduce { reduction, axes, keepdims } => {
            let body = Body::identity(vec![dtype(printer, node.inputs[0])]);
            fold_kernel(printer, index, node, (&body, &[*reduction], axes, *keepdims))
        }
        Op::Fold { body, reductions, axes, keepdims } => {
            fold_kernel(printer, index, node, (body, reductions, axes, *keepdims))
        }
        Op::Rows(rows) => rows_kernel(printer, index, node, rows),
        other => unreachable!("{} is no loop", other.name()),
    }
}

/// Which inputs are of rank 0.
fn scalars(printer: &Printer, node: &Node) -> Vec<bool> {
    node.inputs.iter().map(|&var| printer.graph.tensor(var).ndim() == 0).collect()
}

/// The inputs that are known to have one value per row of the result.
fn columns(printer: &Printer, node: &Node) -> Vec<bool> {
    let ends = |var: Var| printer.graph.tensor(var).shape.last() == Some(&Some(1));
    let (ndim, result_ends) = (space(printer, node), ends(node.outputs[0]));
    let is_column = |&var: &Var| ndim > 1 && printer.ndim(var) == ndim && ends(var) && !result_ends;
    node.inputs.iter().map(is_column).collect()
}

/// The `fp_operand`s of a node: outputs, then inputs.
fn operands(printer: &mut Printer, index: usize, node: &Node) {
    let mut entries = Vec::new();
    for (number, &output) in node.outputs.iter().enumerate() {
        let reuse =
            printer.memory.reuse[index][number].map_or(0, |input| 1 + node.outputs.len() + input);
        entries.push(printer.operand(output, reuse));
    }
    for &input in &node.inputs {
        entries.push(printer.operand(input, 0));
    }
    let list = entries.join(", ");
    printer.tables.line(format!("static const fp_operand o{index}[] = {{{list}}};"));
}

/// The rank of the iteration space of a node.
fn space(printer: &Printer, node: &Node) -> usize {
    node.inputs.iter().map(|&var| printer.graph.tensor(var).ndim()).max().unwrap_or(0)
}

fn map_kernel(printer: &mut Printer, index: usize, node: &Node, body: &Body) -> &'static str {
    let scalar = scalars(printer, node);
    let name = printer.function(|name, helpers| map::inner(name, body, &scalar, helpers));
    let (outputs, inputs) = (node.outputs.len(), node.inputs.len());
    let columns = columns(printer, node);
    let each = match columns.contains(&true) {
        true => {
            let scalar: Vec<bool> = scalar.iter().zip(&columns).map(|(&a, &b)| a || b).collect();
            printer.function(|name, helpers| map::inner(name, body, &scalar, helpers))
        }
        false => "0".to_owned(),
    };
    let bit = |(number, &column): (usize, &bool)| u64::from(column) << (outputs + number);
    let bits: u64 = columns.iter().enumerate().map(bit).sum();
    operands(printer, index, node);
    let (ndim, cost) = (space(printer, node), abi_cost(body));
    printer.tables.line(format!(
        "static const fp_map m{index} = {{{index}, {outputs}, {inputs}, {ndim}, {cost}, o{index}, {name}, {each}, {bits}u}};"
    ));
    "map"
}

fn fold_kernel(
    printer: &mut Printer,
    index: usize,
    node: &Node,
    (body, reductions, axes, keepdims): (&Body, &[Reduction], &[usize], bool),
) -> &'static str {
    let scalar = scalars(printer, node);
    let name =
        printer.function(|name, helpers| fold::functions(name, body, reductions, &scalar, helpers));
    operands(printer, index, node);
    let (outputs, inputs) = (node.outputs.len(), node.inputs.len());
    let (ndim, cost) = (space(printer, node), abi_cost(body));
    let bits: u64 = axes.iter().map(|axis| 1 << axis).sum();
    let keep = u8::from(keepdims);
    let finds = |one: &Reduction| matches!(one, Reduction::Argmin | Reduction::Argmax);
    let ordered = u8::from(reductions.iter().any(finds));
    let no_identity = reductions.iter().find(|one| !one.has_identity());
    let no_identity = no_identity.map_or("0".to_owned(), |one| format!("\"{}\"", one.name()));
    printer.tables.line(format!(
        "static const fp_fold m{index} = {{{index}, {outputs}, {inputs}, {ndim}, {cost}, {bits}u, {keep}, {ordered}, \
         o{index}, sizeof(struct {name}), {no_identity}, {name}_begin, {name}_fold, {name}_each, {name}_join, {name}_end}};"
    ));
    "fold"
}

fn rows_kernel(printer: &mut Printer, index: usize, node: &Node, rows: &Rows) -> &'static str {
    let scalar = scalars(printer, node);
    let name = printer.function(|name, helpers| rows::functions(name, rows, &scalar, helpers));
    operands(printer, index, node);
    let layout = Layout::of(rows);
    let outputs = node.outputs.len();
    let tables = &mut printer.tables;
    let mut stages = Vec::new();
    for number in 0..rows.stages.len() {
        let values: Vec<String> = rows::stage_values(rows, &layout, number)
            .into_iter()
            .map(|value| match value {
                RowValue::Output(output) => format!("{{FP_ROW_OPERAND, {output}}}"),
                RowValue::Input(input) => format!("{{FP_ROW_OPERAND, {}}}", outputs + input),
                RowValue::Buffer(buffer) => format!("{{FP_ROW_BUFFER, {buffer}}}"),
                RowValue::State(stage) => {
                    format!("{{FP_ROW_STATE, {}}}", state_number(rows, stage))
                }
            })
            .collect();
        let list = values.join(", ");
        tables.line(format!("static const fp_row_value v{index}_{number}[] = {{{list}}};"));
        let begin = match rows.stages[number].folds.is_empty() {
            true => "-1, 0".to_owned(),
            false => format!("{}, {name}_{number}_begin", state_number(rows, number)),
        };
        stages.push(format!("{{v{index}_{number}, {}, {begin}, {name}_{number}}}", values.len()));
    }
    let folding = (0..rows.stages.len()).filter(|&stage| !rows.stages[stage].folds.is_empty());
    let mut states: Vec<String> =
        folding.map(|stage| format!("sizeof(struct {name}_{stage})")).collect();
    states.push("0".to_owned());
    let mut buffers: Vec<String> = layout.buffers.iter().map(|size| size.to_string()).collect();
    buffers.push("0".to_owned());
    let results: Vec<String> = rows
        .outputs
        .iter()
        .map(|output| match *output {
            RowResult::Saved(_) => "{-1, 0}".to_owned(),
            RowResult::Folded(fold) => {
                let (stage, k) = rows::fold_place(rows, fold);
                let state = state_number(rows, stage);
                format!("{{{state}, __builtin_offsetof(struct {name}_{stage}, s{k})}}")
            }
        })
        .collect();
    tables.line(format!("static const unsigned char b{index}[] = {{{}}};", buffers.join(", ")));
    tables.line(format!("static const unsigned char t{index}[] = {{{}}};", states.join(", ")));
    tables.line(format!("static const fp_row_result r{index}[] = {{{}}};", results.join(", ")));
    tables.line(format!("static const fp_stage g{index}[] = {{{}}};", stages.join(", ")));
    let cost: u32 = rows
        .stages
        .iter()
        .flat_map(|stage| &stage.instructions)
        .map(|one| crate::function::cost(one.function, one.dtype))
        .sum();
    let cost = (8 + cost).min(255);
    let ndim = space(printer, node);
    let fails =
        rows.stages.iter().flat_map(|stage| &stage.folds).find(|fold| !fold.0.has_identity());
    let fails = fails.map_or("0".to_owned(), |fold| format!("\"{}\"", fold.0.name()));
    printer.tables.line(format!(
        "static const fp_rows m{index} = {{{index}, {outputs}, {}, {}, {ndim}, {cost}, {}, o{index}, b{index}, \
         t{index}, r{index}, {}, g{index}, {fails}}};",
        node.inputs.len(),
        rows.early,
        rows.inner,
        rows.stages.len(),
    ));
    "rows"
}

/// A stage's state, by its number.
fn state_number(rows: &Rows, stage: usize) -> usize {
    rows.stages[..stage].iter().filter(|one| !one.folds.is_empty()).count()
}

impl Printer<'_> {
    /// One `fp_operand`.
    pub fn operand(&self, var: Var, reuse: usize) -> String {
        let tensor = self.graph.tensor(var);
        let home = match self.memory.homes[var.index()] {
            Home::Output(output) => output.to_string(),
            Home::Temporary => "FP_TEMPORARY".to_owned(),
            _ => "FP_CALLER".to_owned(),
        };
        format!("{{{}, {}, {home}, {reuse}}}", abi_type(tensor.dtype), tensor.ndim())
    }
}

/// True for a node that iterates over all elements only to compute scalars.
pub fn is_scalar_code(printer: &Printer, node: &Node) -> bool {
    matches!(node.op, Op::Map(_) | Op::Fused(_)) && space(printer, node) == 0
}

/// The body of a map of scalars.
pub fn scalar_body(printer: &Printer, node: &Node) -> Body {
    match &node.op {
        Op::Map(function) => {
            let dtypes = node.inputs.iter().map(|&var| printer.graph.tensor(var).dtype).collect();
            Body::of(*function, dtypes, printer.graph.tensor(node.outputs[0]).dtype)
        }
        Op::Fused(body) => (**body).clone(),
        other => unreachable!("{} is no map", other.name()),
    }
}

//! The steps of nodes without loops: views, products, copies, sizes.

mod lines;
mod products;
mod views;

use self::products::{gemm, matmul};
use self::views::{broadcast_to, reshape, set_slice, subscripts};
use fishplate_graph::{Class, DType, Node, Op, Var};

use crate::ctype::{abi_type, c_type};
use crate::graph::Printer;

/// NumPy's messages.
const NO_NEGATIVE_POWERS: &str = "Integers to negative integer powers are not allowed.";

/// Prints the step of a node.
pub fn print(printer: &mut Printer, index: usize, node: &Node) {
    let out = node.outputs[0];
    let o = out.0;
    let x = node.inputs.first().map_or(0, |var| var.0);
    match &node.op {
        Op::Transpose(perm) => {
            data(printer, o, x);
            for (axis, &from) in perm.iter().enumerate() {
                same_axis(printer, o, axis, x, from);
            }
        }
        Op::Expand(axes) => {
            data(printer, o, &address(printer, node.inputs[0]));
            let mut from = 0;
            for axis in 0..printer.ndim(out) {
                if axes.contains(&axis) {
                    set_axis(printer, o, axis, "1", "0");
                } else {
                    same_axis(printer, o, axis, x, from);
                    from += 1;
                }
            }
        }
        Op::Squeeze(axes) => {
            for axis in axes {
                refuse(
                    printer,
                    index,
                    node,
                    &format!("V{x}.shape[{axis}] != 1"),
                    &format!("axis {axis} has another size than 1"),
                );
            }
            if printer.ndim(out) == 0 {
                let c = c_type(printer.graph.tensor(out).dtype);
                printer.steps.line(format!("V{o} = *(const {c} *)V{x}.data;"));
                return;
            }
            data(printer, o, x);
            let kept: Vec<usize> =
                (0..printer.ndim(node.inputs[0])).filter(|axis| !axes.contains(axis)).collect();
            for (axis, from) in kept.into_iter().enumerate() {
                same_axis(printer, o, axis, x, from);
            }
        }
        Op::BroadcastTo => broadcast_to(printer, index, node),
        Op::Reshape => reshape(printer, index, node),
        Op::Slice(spec) => {
            if printer.ndim(out) == 0 {
                printer.steps.open("");
                printer.steps.line("char *at;");
                subscripts(printer, index, node, (spec, 1), x, None);
                let c = c_type(printer.graph.tensor(out).dtype);
                printer.steps.line(format!("V{o} = *(const {c} *)at;"));
                printer.steps.close();
            } else {
                subscripts(printer, index, node, (spec, 1), x, Some(&format!("V{o}")));
            }
        }
        Op::Accumulate { reduction, axis } => {
            lines::accumulate(printer, index, node, (*reduction, *axis))
        }
        Op::Put { axis, increase } => lines::put(printer, index, node, (*axis, *increase)),
        Op::SetSlice { spec, increase } => set_slice(printer, index, node, spec, *increase),
        Op::MatMul => matmul(printer, index, node),
        Op::Gemm => gemm(printer, index, node),
        Op::Take(axis) => {
            let (kinds, operands) = kinds(printer, index, node);
            printer.must(format!("rt->take(call, {index}, {axis}, {kinds}, {operands})"));
        }
        Op::Mask => {
            let (kinds, operands) = kinds(printer, index, node);
            printer.must(format!("rt->mask(call, {index}, {kinds}, {operands})"));
        }
        Op::Join(axis) => join(printer, index, node, *axis),
        Op::Arange(dtype) => arange(printer, index, node, *dtype),
        Op::Full => full(printer, index, node),
        Op::ShapeI(axis) => printer.steps.line(format!("V{o} = V{x}.shape[{axis}];")),
        Op::Shape => {
            let ndim = printer.ndim(node.inputs[0]);
            make(printer, index, out, &[ndim.to_string()]);
            for axis in 0..ndim {
                printer
                    .steps
                    .line(format!("((fp_int64 *)V{o}.data)[{axis}] = V{x}.shape[{axis}];"));
            }
        }
        Op::MakeVector => {
            let c = c_type(printer.graph.tensor(out).dtype);
            make(printer, index, out, &[node.inputs.len().to_string()]);
            for (number, input) in node.inputs.iter().enumerate() {
                printer.steps.line(format!("(({c} *)V{o}.data)[{number}] = V{};", input.0));
            }
        }
        Op::DeepCopy | Op::View if printer.ndim(out) == 0 => {
            printer.steps.line(format!("V{o} = V{x};"))
        }
        Op::DeepCopy => {
            let sizes: Vec<String> =
                (0..printer.ndim(out)).map(|axis| format!("V{x}.shape[{axis}]")).collect();
            make(printer, index, out, &sizes);
            copy(printer, index, out, &format!("V{o}"), node.inputs[0]);
        }
        Op::View => printer.steps.line(format!("V{o} = V{x};")),
        Op::Unless => {
            printer.steps.when(
                format!("V{}", node.inputs[1].0),
                &format!(
                    "return rt->fail(call, {index}, \"value\", \"{NO_NEGATIVE_POWERS}\", 0, 0, 0);"
                ),
            );
            printer.steps.line(format!("V{o} = V{x};"));
        }
        other => unreachable!("{} is a loop", other.name()),
    }
}

/// The address of a variable's first element; for a scalar, that of the variable itself.
fn address(printer: &Printer, var: Var) -> String {
    match printer.ndim(var) {
        0 => format!("(char *)&V{}", var.0),
        _ => format!("V{}.data", var.0),
    }
}

trait Source {
    fn source(self) -> String;
}

impl Source for u32 {
    fn source(self) -> String {
        format!("V{self}.data")
    }
}

impl Source for &String {
    fn source(self) -> String {
        self.clone()
    }
}

fn data(printer: &mut Printer, to: u32, from: impl Source) {
    printer.steps.line(format!("V{to}.data = {};", from.source()));
}

fn same_axis(printer: &mut Printer, to: u32, axis: usize, from: u32, from_axis: usize) {
    set_axis(
        printer,
        to,
        axis,
        &format!("V{from}.shape[{from_axis}]"),
        &format!("V{from}.strides[{from_axis}]"),
    );
}

fn set_axis(printer: &mut Printer, to: u32, axis: usize, size: &str, stride: &str) {
    printer.steps.line(format!("V{to}.shape[{axis}] = {size};"));
    printer.steps.line(format!("V{to}.strides[{axis}] = {stride};"));
}

/// Fails if a test is true.
fn refuse(printer: &mut Printer, index: usize, node: &Node, test: &str, text: &str) {
    refuse_as(printer, index, node, ("value", test, text));
}

fn refuse_as(
    printer: &mut Printer,
    index: usize,
    node: &Node,
    (kind, test, text): (&str, &str, &str),
) {
    let (kinds, operands) = inputs(printer, node);
    let count = node.inputs.len();
    printer.steps.when(
        test,
        &format!(
            "return rt->fail(call, {index}, \"{kind}\", \"{text}\", {count}, {kinds}, {operands});"
        ),
    );
}

/// The kinds and addresses of a node's inputs.
fn inputs(printer: &Printer, node: &Node) -> (String, String) {
    list(printer, node.inputs.iter().copied())
}

/// The kinds and addresses of a node's outputs and inputs.
fn kinds(printer: &Printer, _index: usize, node: &Node) -> (String, String) {
    list(printer, node.outputs.iter().chain(&node.inputs).copied())
}

fn list(printer: &Printer, vars: impl Iterator<Item = Var> + Clone) -> (String, String) {
    let kinds: Vec<String> = vars.clone().map(|var| printer.operand(var, 0)).collect();
    let addresses: Vec<String> = vars.map(|var| format!("(void *)&V{}", var.0)).collect();
    (
        format!("(const fp_operand[]){{{}}}", kinds.join(", ")),
        format!("(void *const[]){{{}}}", addresses.join(", ")),
    )
}

fn compound(printer: &Printer, var: Var) -> String {
    format!("(fp_operand){}", printer.operand(var, 0))
}

/// Allocates the memory of an output.
fn make(printer: &mut Printer, index: usize, out: Var, sizes: &[String]) {
    for (axis, size) in sizes.iter().enumerate() {
        printer.steps.line(format!("V{}.shape[{axis}] = {size};", out.0));
    }
    let (operand, view) = (compound(printer, out), printer.view(out));
    printer.must(format!("rt->make(call, {index}, {operand}, {view})"));
}

/// Copies a variable, broadcast, to the view `to` of `out`'s dtype.
fn copy_to(
    printer: &mut Printer,
    index: usize,
    dtype: DType,
    (to, ndim): (&str, usize),
    from: Var,
) {
    let operand = format!("(fp_operand){{{}, {ndim}, FP_CALLER, 0}}", abi_type(dtype));
    let from_ndim = printer.ndim(from);
    let view = if from_ndim == 0 {
        format!("(const fp_view *)&V{}", from.0) // of rank 0 the value, not a view of it
    } else {
        printer.view(from)
    };
    printer
        .must(format!("rt->copy(call, {index}, {operand}, (fp_view *)&{to}, {from_ndim}, {view})"));
}

fn copy(printer: &mut Printer, index: usize, out: Var, to: &str, from: Var) {
    let tensor = printer.graph.tensor(out);
    let (dtype, ndim) = (tensor.dtype, tensor.ndim());
    copy_to(printer, index, dtype, (to, ndim), from);
}

/// Declares a number of a dtype.
fn number(dtype: DType, name: &str, value: &str) -> String {
    format!("static const {} {name} = {value};", c_type(dtype))
}

fn join(printer: &mut Printer, index: usize, node: &Node, axis: usize) {
    let out = node.outputs[0];
    let ndim = printer.ndim(out);
    let first = node.inputs[0].0;
    for other in (0..ndim).filter(|&other| other != axis) {
        for input in node.inputs[1..].iter().filter(|input| input.0 != first) {
            let test = format!("V{}.shape[{other}] != V{first}.shape[{other}]", input.0);
            refuse_as(
                printer,
                index,
                node,
                ("shape", &test, &format!("sizes differ along axis {other}")),
            );
        }
    }
    let sizes: Vec<String> = (0..ndim)
        .map(|one| {
            if one == axis {
                let all: Vec<String> =
                    node.inputs.iter().map(|input| format!("V{}.shape[{axis}]", input.0)).collect();
                all.join(" + ")
            } else {
                format!("V{first}.shape[{one}]")
            }
        })
        .collect();
    make(printer, index, out, &sizes);
    printer.steps.open("");
    printer.steps.line(format!("fp_view{ndim} part = V{};", out.0));
    for &input in &node.inputs {
        printer.steps.line(format!("part.shape[{axis}] = V{}.shape[{axis}];", input.0));
        copy(printer, index, out, "part", input);
        printer.steps.line(format!("part.data += part.shape[{axis}] * part.strides[{axis}];"));
    }
    printer.steps.close();
}

fn arange(printer: &mut Printer, index: usize, node: &Node, dtype: DType) {
    let out = node.outputs[0];
    let [start, stop, step] = [0, 1, 2].map(|k| format!("V{}", node.inputs[k].0));
    let c = c_type(dtype);
    refuse(printer, index, node, &format!("{step} == 0"), "the step is 0");
    printer.steps.open("");
    if dtype.is_integer() {
        let up = format!("{stop} > {start} ? (fp_size)(({stop} - {start} - 1) / {step} + 1) : 0");
        let count = if dtype.class() == Class::Unsigned {
            up
        } else {
            let down =
                format!("{start} > {stop} ? (fp_size)(({start} - {stop} - 1) / -{step} + 1) : 0");
            format!("{step} > 0 ? ({up}) : ({down})")
        };
        printer.steps.line(format!("const fp_size count = {count};"));
    } else {
        let span = format!("__builtin_ceil((double)({stop} - {start}) / (double){step})");
        refuse(printer, index, node, &format!("!({span} < 9e18)"), "the sizes are not finite");
        printer.steps.line(format!("const double span = {span};"));
        printer.steps.line("const fp_size count = span > 0 ? (fp_size)span : 0;");
    }
    // Like NumPy: from the first and the second element on.
    printer.steps.line(format!(
        "const {c} second = ({c})({start} + {step}), apart = ({c})(second - {start});"
    ));
    printer.steps.line("fp_size i;");
    make(printer, index, out, &["count".to_owned()]);
    printer.steps.block("for (i = 0; i < count; i++)", |text| {
        text.line(format!("(({c} *)V{}.data)[i] = ({c})({start} + ({c})i * apart);", out.0));
    });
    printer.steps.close();
}

fn full(printer: &mut Printer, index: usize, node: &Node) {
    let out = node.outputs[0];
    let sizes: Vec<String> = node.inputs[1..].iter().map(|var| format!("V{}", var.0)).collect();
    for size in &sizes {
        refuse(printer, index, node, &format!("{size} < 0"), "a size is negative");
    }
    if sizes.is_empty() {
        printer.steps.line(format!("V{} = V{};", out.0, node.inputs[0].0));
        return;
    }
    make(printer, index, out, &sizes);
    copy(printer, index, out, &format!("V{}", out.0), node.inputs[0]);
}

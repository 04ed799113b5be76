//! The steps of nodes without loops: views, products, copies, sizes.

use fishplate_graph::{Class, DType, Node, Op, Subscript, Var};

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
    let operand = format!("(fp_operand){{{}, {ndim}, FP_GIVEN, 0}}", abi_type(dtype));
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

fn broadcast_to(printer: &mut Printer, index: usize, node: &Node) {
    let out = node.outputs[0];
    let (x, ndim) = (node.inputs[0], printer.ndim(out));
    let lead = ndim - printer.ndim(x);
    data(printer, out.0, &address(printer, x));
    for axis in 0..ndim {
        let size = format!("V{}", node.inputs[1 + axis].0);
        if axis < lead {
            refuse(printer, index, node, &format!("{size} < 0"), "a size is negative");
            set_axis(printer, out.0, axis, &size, "0");
            continue;
        }
        let from = format!("V{}.shape[{}]", x.0, axis - lead);
        let text = format!("axis {axis} cannot be broadcast to its new size");
        refuse_as(
            printer,
            index,
            node,
            ("shape", &format!("{from} != {size} && ({from} != 1 || {size} < 0)"), &text),
        );
        let stride = format!("{from} == 1 ? 0 : V{}.strides[{}]", x.0, axis - lead);
        set_axis(printer, out.0, axis, &size, &stride);
    }
}

fn reshape(printer: &mut Printer, index: usize, node: &Node) {
    let out = node.outputs[0];
    let (x, o, ndim) = (node.inputs[0], out.0, printer.ndim(out));
    let from_ndim = printer.ndim(x);
    let count: Vec<String> = (0..from_ndim).map(|axis| format!("V{}.shape[{axis}]", x.0)).collect();
    let count = if count.is_empty() { "1".to_owned() } else { count.join(" * ") };
    if ndim == 0 {
        refuse_as(
            printer,
            index,
            node,
            ("shape", &format!("{count} != 1"), "an array of another size than 1 has no rank 0"),
        );
        let c = c_type(printer.graph.tensor(out).dtype);
        let value = if from_ndim == 0 {
            format!("V{}", x.0)
        } else {
            format!("*(const {c} *)V{}.data", x.0)
        };
        printer.steps.line(format!("V{o} = {value};"));
        return;
    }
    printer.steps.line(format!("own{o} = 0;"));
    printer.steps.open("");
    printer.steps.line(format!("const fp_size count = {count};"));
    printer.steps.line("fp_size known = 1;");
    printer.steps.line("int open = -1;");
    for axis in 0..ndim {
        let size = format!("V{}", node.inputs[1 + axis].0);
        printer.steps.line(format!("V{o}.shape[{axis}] = {size};"));
        printer.steps.when(format!("{size} == -1 && open < 0"), &format!("open = {axis};"));
        printer.steps.block("else", |text| {
            text.line(format!("known = {size} < 0 ? -1 : known < 0 ? known : known * {size};"));
        });
    }
    printer.steps.when("open >= 0 && known > 0", &format!("V{o}.shape[open] = count / known;"));
    let fits = "known < 0 || (open < 0 ? known != count : known == 0 || count % known != 0)";
    refuse_as(printer, index, node, ("shape", fits, "the array does not have that many elements"));
    if from_ndim == 0 {
        data(printer, o, &address(printer, x));
        strides(printer, out);
    } else {
        let contiguous = format!(
            "fp_is_contiguous({from_ndim}, {}, {})",
            printer.graph.tensor(x).dtype.size(),
            printer.view(x)
        );
        printer.uses_contiguity = true;
        printer.steps.open(&format!("if ({contiguous})"));
        data(printer, o, x.0);
        strides(printer, out);
        printer.steps.close();
        printer.steps.open("else");
        // The copy has the old shape, and is then viewed with the new one.
        let tensor = printer.graph.tensor(x);
        let (dtype, ndim) = (tensor.dtype, tensor.ndim());
        printer.steps.line(format!("fp_view{ndim} whole = V{};", x.0));
        let operand = format!("(fp_operand){{{}, {ndim}, FP_TEMPORARY, 0}}", abi_type(dtype));
        printer.must(format!("rt->make(call, {index}, {operand}, (fp_view *)&whole)"));
        copy_to(printer, index, dtype, ("whole", ndim), x);
        printer.steps.line(format!("V{o}.data = own{o} = whole.data;"));
        strides(printer, out);
        printer.steps.close();
    }
    printer.steps.close();
}

/// Strides in C order for a shape that is set.
fn strides(printer: &mut Printer, out: Var) {
    let ndim = printer.ndim(out);
    let size = printer.graph.tensor(out).dtype.size();
    printer.steps.line(format!("V{}.strides[{}] = {size};", out.0, ndim - 1));
    for axis in (0..ndim - 1).rev() {
        printer.steps.line(format!(
            "V{0}.strides[{axis}] = V{0}.strides[{1}] * V{0}.shape[{1}];",
            out.0,
            axis + 1
        ));
    }
}

/// Basic indexing of variable `x` by the scalars from input `first` on: sets `to` to the view, or
/// `at` to the element.
fn subscripts(
    printer: &mut Printer,
    index: usize,
    node: &Node,
    (spec, first): (&[Subscript], usize),
    x: u32,
    to: Option<&str>,
) {
    let at = to.map_or("at".to_owned(), |to| format!("{to}.data"));
    printer.steps.line(format!("{at} = V{x}.data;"));
    let mut scalars = node.inputs[first..].iter();
    let mut axis_out = 0;
    for (axis, one) in spec.iter().enumerate() {
        let size = format!("V{x}.shape[{axis}]");
        let stride = format!("V{x}.strides[{axis}]");
        match *one {
            Subscript::Index => {
                let scalar = scalars.next().expect("each index has its scalar").0;
                let test = format!("V{scalar} < -{size} || V{scalar} >= {size}");
                let text = format!("index out of range for axis {axis}");
                refuse_as(printer, index, node, ("index", &test, &text));
                printer.steps.line(format!(
                    "{at} += (V{scalar} < 0 ? V{scalar} + {size} : V{scalar}) * {stride};"
                ));
            }
            Subscript::Range { start: false, stop: false, step: 1 } => {
                let to = to.expect("a range stays");
                printer.steps.line(format!("{to}.shape[{axis_out}] = {size};"));
                printer.steps.line(format!("{to}.strides[{axis_out}] = {stride};"));
                axis_out += 1;
            }
            Subscript::Range { start, stop, step } => {
                let to = to.expect("a range stays");
                let mut bound = |there: bool, default: String| match there {
                    true => {
                        let scalar = scalars.next().expect("each bound has its scalar").0;
                        format!("fp_bound(V{scalar}, {size}, {})", u8::from(step < 0))
                    }
                    false => default,
                };
                let (low, high) = if step > 0 {
                    ("0".to_owned(), size.clone())
                } else {
                    (format!("{size} - 1"), "-1".to_owned())
                };
                let (start, stop) = (bound(start, low), bound(stop, high));
                printer.uses_bounds = true;
                printer.steps.open("");
                printer.steps.line(format!("const fp_size start = {start}, stop = {stop};"));
                let span = if step > 0 { "stop - start" } else { "start - stop" };
                let width = step.unsigned_abs();
                printer.steps.line(format!(
                    "{to}.shape[{axis_out}] = {span} <= 0 ? 0 : ({span} - 1) / {width} + 1;"
                ));
                printer.steps.line(format!("{to}.strides[{axis_out}] = {stride} * {step};"));
                printer
                    .steps
                    .line(format!("{at} += {to}.shape[{axis_out}] == 0 ? 0 : start * {stride};"));
                printer.steps.close();
                axis_out += 1;
            }
        }
    }
}

fn set_slice(printer: &mut Printer, index: usize, node: &Node, spec: &[Subscript], increase: bool) {
    let (out, x, value) = (node.outputs[0], node.inputs[0], node.inputs[1]);
    let dtype = printer.graph.tensor(x).dtype;
    let sizes: Vec<String> =
        (0..printer.ndim(x)).map(|axis| format!("V{}.shape[{axis}]", x.0)).collect();
    make(printer, index, out, &sizes);
    copy(printer, index, out, &format!("V{}", out.0), x);
    let kept = spec.iter().filter(|one| matches!(one, Subscript::Range { .. })).count();
    printer.steps.open("");
    if kept == 0 {
        let c = c_type(dtype);
        printer.steps.line("char *at;");
        subscripts(printer, index, node, (spec, 2), out.0, None);
        let sum = crate::function::expression(
            fishplate_graph::Function::Add,
            dtype,
            &[format!("*({c} *)at"), format!("V{}", value.0)],
            &mut printer.helpers,
        );
        let value = if increase { sum } else { format!("V{}", value.0) };
        printer.steps.line(format!("*({c} *)at = {value};"));
    } else {
        printer.use_rank(kept);
        printer.steps.line(format!("fp_view{kept} part;"));
        subscripts(printer, index, node, (spec, 2), out.0, Some("part"));
        if increase {
            let body = fishplate_graph::Body::of(
                fishplate_graph::Function::Add,
                vec![dtype, dtype],
                dtype,
            );
            let scalar = [false, printer.ndim(value) == 0];
            let name =
                printer.function(|name, helpers| crate::map::inner(name, &body, &scalar, helpers));
            let part = format!("{{{}, {kept}, FP_GIVEN, 0}}", abi_type(dtype));
            let other = printer.operand(value, 0);
            printer
                .tables
                .line(format!("static const fp_operand o{index}[] = {{{part}, {part}, {other}}};"));
            printer.tables.line(format!(
                "static const fp_map m{index} = {{{index}, 1, 2, {kept}, 8, o{index}, {name}, 0, 0}};"
            ));
            let operands = format!("(void *const[]){{&part, &part, {}}}", printer.address(value));
            printer.must(format!("rt->map(call, &m{index}, {operands})"));
        } else {
            copy_to(printer, index, dtype, ("part", kept), value);
        }
    }
    printer.steps.close();
}

/// Declares a number of a dtype.
fn number(dtype: DType, name: &str, value: &str) -> String {
    format!("static const {} {name} = {value};", c_type(dtype))
}

fn matmul_table(
    printer: &mut Printer,
    index: usize,
    (a, b): (Var, Var),
    out: Var,
    accumulates: bool,
) {
    let tensor = printer.graph.tensor(out);
    let home = if accumulates {
        "FP_GIVEN".to_owned()
    } else {
        let operand = printer.operand(out, 0);
        operand.split(", ").nth(2).unwrap_or_default().to_owned()
    };
    let line = format!(
        "static const fp_matmul m{index} = {{{index}, {}, {}, {}, {home}, {}}};",
        abi_type(tensor.dtype),
        printer.ndim(a),
        printer.ndim(b),
        u8::from(accumulates)
    );
    printer.tables.line(line);
}

fn matmul(printer: &mut Printer, index: usize, node: &Node) {
    let (a, b, out) = (node.inputs[0], node.inputs[1], node.outputs[0]);
    let dtype = printer.graph.tensor(out).dtype;
    matmul_table(printer, index, (a, b), out, false);
    printer.tables.line(number(dtype, &format!("one{index}"), "1"));
    printer.tables.line(number(dtype, &format!("zero{index}"), "0"));
    let operands: Vec<String> = [out, a, b].iter().map(|&var| printer.address(var)).collect();
    printer.must(format!(
        "rt->matmul(call, &m{index}, &one{index}, &zero{index}, (void *const[]){{{}}})",
        operands.join(", ")
    ));
}

fn gemm(printer: &mut Printer, index: usize, node: &Node) {
    let [c, a, b, alpha, beta] = node.inputs[..] else { unreachable!("gemm has five inputs") };
    let out = node.outputs[0];
    let sizes = [format!("V{}.shape[0]", a.0), format!("V{}.shape[1]", b.0)];
    make(printer, index, out, &sizes);
    copy(printer, index, out, &format!("V{}", out.0), c);
    matmul_table(printer, index, (a, b), out, true);
    let operands: Vec<String> = [out, a, b].iter().map(|&var| printer.address(var)).collect();
    printer.must(format!(
        "rt->matmul(call, &m{index}, &V{}, &V{}, (void *const[]){{{}}})",
        alpha.0,
        beta.0,
        operands.join(", ")
    ));
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

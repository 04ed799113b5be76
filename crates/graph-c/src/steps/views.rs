//! Views of a variable with another shape, and writes through them.

use fishplate_graph::{Node, Subscript, Var};

use super::{address, copy, copy_to, data, make, refuse, refuse_as, set_axis};
use crate::ctype::{abi_type, c_type};
use crate::graph::Printer;

pub(super) fn broadcast_to(printer: &mut Printer, index: usize, node: &Node) {
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

pub(super) fn reshape(printer: &mut Printer, index: usize, node: &Node) {
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
pub(super) fn strides(printer: &mut Printer, out: Var) {
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
pub(super) fn subscripts(
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

pub(super) fn set_slice(
    printer: &mut Printer,
    index: usize,
    node: &Node,
    spec: &[Subscript],
    increase: bool,
) {
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
            let part = format!("{{{}, {kept}, FP_CALLER, 0}}", abi_type(dtype));
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

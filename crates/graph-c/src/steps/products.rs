//! Products of matrices.

use fishplate_graph::{Node, Var};

use super::{copy, make, number};
use crate::ctype::abi_type;
use crate::graph::Printer;

fn matmul_table(
    printer: &mut Printer,
    index: usize,
    (a, b): (Var, Var),
    out: Var,
    accumulates: bool,
) {
    let tensor = printer.graph.tensor(out);
    let home = if accumulates {
        "FP_CALLER".to_owned()
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

pub(super) fn matmul(printer: &mut Printer, index: usize, node: &Node) {
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

pub(super) fn gemm(printer: &mut Printer, index: usize, node: &Node) {
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

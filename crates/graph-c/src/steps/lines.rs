//! Loops over lines of adjacent elements along an axis: cumulative sums, and new elements at
//! indices.

use fishplate_emit::Body as Text;
use fishplate_graph::{DType, Function, Node, Reduction};

use super::kinds;
use crate::ctype::c_type;
use crate::function::expression;
use crate::graph::Printer;
use crate::helpers::Helpers;

/// Lines of one element that a loop accumulates at once: each sum waits for the one before it.
const AT_ONCE: usize = 4;

pub(super) fn accumulate(
    printer: &mut Printer,
    index: usize,
    node: &Node,
    (reduction, axis): (Reduction, usize),
) {
    let dtype = printer.graph.tensor(node.outputs[0]).dtype;
    let function = match reduction {
        Reduction::Prod => Function::Mul,
        _ => Function::Add,
    };
    let scan = printer.function(|name, helpers| scan(name, function, dtype, helpers));
    let (kinds, operands) = kinds(printer, index, node);
    printer.must(format!("rt->accumulate(call, {index}, {axis}, {scan}, {kinds}, {operands})"));
}

pub(super) fn put(
    printer: &mut Printer,
    index: usize,
    node: &Node,
    (axis, increase): (usize, bool),
) {
    let dtype = printer.graph.tensor(node.outputs[0]).dtype;
    let put = printer.function(|name, helpers| put_lines(name, increase, dtype, helpers));
    let (kinds, operands) = kinds(printer, index, node);
    printer.must(format!("rt->put(call, {index}, {axis}, {put}, {kinds}, {operands})"));
}

/// An `fp_scan`.
fn scan(name: &str, function: Function, dtype: DType, helpers: &mut Helpers) -> String {
    let c = c_type(dtype);
    let mut sum = |a: &str, b: &str| expression(function, dtype, &[a.into(), b.into()], helpers);
    let sums: Vec<String> =
        (0..AT_ONCE).map(|line| sum(&format!("s{line}"), &format!("b{line}"))).collect();
    let next = sum("a", "b");
    let mut text = Text::at_depth(0);
    text.line("static void");
    text.line(format!(
        "{name}(char *to, const char *from, fp_size rows, fp_size n, fp_size width, fp_size first,"
    ));
    text.line("    fp_size last)");
    text.open("");
    text.line(format!("{c} *out = ({c} *)to;"));
    text.line(format!("const {c} *x = (const {c} *)from;"));
    text.line("fp_size i, j;");
    text.open("if (width == 1)");
    for count in [AT_ONCE, 1] {
        let head = format!(
            "for (; rows >= {count}; rows -= {count}, out += {count} * n, x += {count} * n)"
        );
        text.block(&head, |text| accumulate_lines(text, c, &sums[..count]));
    }
    text.line("return;");
    text.close();
    text.block("for (; rows > 0; rows--, out += n * width, x += n * width)", |text| {
        text.block("for (j = first; j < last; j++)", |text| text.line("out[j] = x[j];"));
        text.block("for (i = 1; i < n; i++)", |text| {
            text.line(format!("const {c} *before = out + (i - 1) * width;"));
            text.line(format!("const {c} *line = x + i * width;"));
            text.line(format!("{c} *after = out + i * width;"));
            text.line("FP_INDEPENDENT");
            text.block("for (j = first; j < last; j++)", |text| {
                text.line(format!("const {c} a = before[j], b = line[j];"));
                text.line(format!("after[j] = {next};"));
            });
        });
    });
    text.close();
    text.into_text()
}

/// Accumulates some lines of `n` elements, side by side.
fn accumulate_lines(text: &mut Text, c: &str, sums: &[String]) {
    let at = |array: &str, line: usize, i: &str| match (line, i) {
        (0, i) => format!("{array}[{i}]"),
        (1, "0") => format!("{array}[n]"),
        (line, "0") => format!("{array}[{line} * n]"),
        (1, i) => format!("{array}[n + {i}]"),
        (line, i) => format!("{array}[{line} * n + {i}]"),
    };
    for line in 0..sums.len() {
        text.line(format!("{c} s{line} = {};", at("x", line, "0")));
    }
    for line in 0..sums.len() {
        text.line(format!("{} = s{line};", at("out", line, "0")));
    }
    text.block("for (i = 1; i < n; i++)", |text| {
        for (line, sum) in sums.iter().enumerate() {
            text.line(format!("const {c} b{line} = {};", at("x", line, "i")));
            text.line(format!("{} = s{line} = {sum};", at("out", line, "i")));
        }
    });
}

/// An `fp_put`.
fn put_lines(name: &str, increase: bool, dtype: DType, helpers: &mut Helpers) -> String {
    let c = c_type(dtype);
    let new = match increase {
        true => expression(Function::Add, dtype, &["a".into(), "b".into()], helpers),
        false => "b".to_owned(),
    };
    let write = |text: &mut Text, place: &str, value: &str| {
        if increase {
            text.line(format!("const {c} a = {place}, b = {value};"));
        } else {
            text.line(format!("const {c} b = {value};"));
        }
        text.line(format!("{place} = {new};"));
    };
    let mut text = Text::at_depth(0);
    text.line("static void");
    text.line(format!(
        "{name}(char *to, fp_size along, fp_size width, const char *index, fp_size n,"
    ));
    text.line("    const char *value, fp_size step)");
    text.open("");
    text.line(format!("{c} *out = ({c} *)to;"));
    text.line(format!("const {c} *v = (const {c} *)value;"));
    text.line("const fp_int64 *at = (const fp_int64 *)index;");
    text.line("fp_size k, j;");
    text.block("for (k = 0; k < n && width == 1; k++)", |text| {
        text.line(format!("{c} *element = out + (at[k] < 0 ? at[k] + along : at[k]);"));
        write(text, "*element", "v[k * step]");
    });
    text.block("for (k = 0; k < n && width > 1; k++)", |text| {
        text.line(format!("{c} *line = out + (at[k] < 0 ? at[k] + along : at[k]) * width;"));
        text.line(format!("const {c} *values = v + k * width * step;"));
        text.line("FP_INDEPENDENT");
        text.block("for (j = 0; j < width; j++)", |text| {
            write(text, "line[j]", "values[j * step]")
        });
    });
    text.close();
    text.into_text()
}

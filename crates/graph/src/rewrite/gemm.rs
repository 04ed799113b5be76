//! Gemm: a matrix product that is scaled and added to a matrix becomes one call of BLAS.
//!
//! `alpha * (a @ b) ± beta * c`, if the product has no other use and `c` has its shape. The factors
//! are constants, finite and not 0: BLAS does not read operands that it multiplies by 0, and would
//! lose their NaNs.

use std::sync::Arc;

use super::Context;
use super::fuse::sites;
use super::sizes::Sizes;
use crate::graph::Rebuild;
use crate::{Class, DType, Function, Graph, Node, Op, Tensor, Value, Var};

pub(super) fn gemm(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let (sizes, uses) = (Sizes::of(graph), graph.uses());
    let mut found: Vec<Option<Found>> = Vec::new();
    let mut gone = vec![false; graph.nodes().len()];
    let once = |var: Var| uses[var.index()] == 1;
    for node in graph.nodes() {
        let one = Found::of(graph, node, &once, &sizes);
        let one = one.filter(|one| one.nodes.iter().all(|&inner| !gone[inner]));
        for &inner in one.iter().flat_map(|one| &one.nodes) {
            gone[inner] = true;
        }
        found.push(one);
    }
    let mut rebuild = Rebuild::new(graph);
    for (index, (node, found)) in graph.nodes().iter().zip(found).enumerate() {
        match found {
            _ if gone[index] => {}
            None => rebuild.keep(node)?,
            Some(found) => {
                let mut nodes: Vec<&Node> =
                    found.nodes.iter().map(|&inner| &graph.nodes()[inner]).collect();
                nodes.push(node);
                let mut inputs = rebuild.vars(&[found.c, found.a, found.b]);
                inputs.push(rebuild.constant(Arc::new(found.alpha)));
                inputs.push(rebuild.constant(Arc::new(found.beta)));
                let out = rebuild.apply(Op::Gemm, &inputs, &sites(&nodes))?;
                rebuild.set(node.outputs[0], out[0]);
                let count = nodes.len();
                context.did_nodes(count, format!("a product that is added to ({count} nodes)"));
            }
        }
    }
    Some(rebuild.finish())
}

/// The parts of one product: `alpha * a @ b + beta * c`.
struct Found {
    a: Var,
    b: Var,
    c: Var,
    alpha: Value,
    beta: Value,
    /// The nodes that it replaces, except for the last.
    nodes: Vec<usize>,
}

impl Found {
    fn of(graph: &Graph, node: &Node, once: &impl Fn(Var) -> bool, sizes: &Sizes) -> Option<Self> {
        let subtracts = match node.op {
            Op::Map(Function::Add) => false,
            Op::Map(Function::Sub) => true,
            _ => return None,
        };
        let shape = sizes.shape(node.outputs[0]);
        [(0, 1), (1, 0)].into_iter().find_map(|(product, other)| {
            let mut term = Term::of(graph, node.inputs[product], once)?;
            let inner = graph.owner(term.var).filter(|_| once(term.var))?.0;
            let (Op::MatMul, &[a, b]) =
                (&graph.nodes()[inner].op, graph.nodes()[inner].inputs.as_slice())
            else {
                return None;
            };
            term.nodes.push(inner);
            let added = Term::of(graph, node.inputs[other], once)?;
            let matrices = [a, b, added.var].iter().all(|&var| graph.tensor(var).ndim() == 2);
            let full =
                matrices && sizes.shape(term.var) == shape && sizes.shape(added.var) == shape;
            let negative = |factor: Value, at: usize| {
                if subtracts && at == 1 { negated(&factor) } else { factor }
            };
            full.then(|| Self {
                a,
                b,
                c: added.var,
                alpha: negative(term.factor, product),
                beta: negative(added.factor, other),
                nodes: [term.nodes, added.nodes].concat(),
            })
        })
    }
}

/// A factor times a variable.
struct Term {
    factor: Value,
    var: Var,
    nodes: Vec<usize>,
}

impl Term {
    fn of(graph: &Graph, var: Var, once: &impl Fn(Var) -> bool) -> Option<Self> {
        let plain = Self { factor: unit(graph.tensor(var).dtype)?, var, nodes: Vec::new() };
        let Some((index, _)) = graph.owner(var).filter(|_| once(var)) else { return Some(plain) };
        let node = &graph.nodes()[index];
        let scaled = |factor: Value, var| Self { factor, var, nodes: vec![index] };
        Some(match (&node.op, node.inputs.as_slice()) {
            (Op::Map(Function::Negative), &[x]) => scaled(negated(&plain.factor), x),
            (Op::Map(Function::Mul), &[x, y]) => match (factor(graph, x), factor(graph, y)) {
                (Some(factor), _) => scaled(factor, y),
                (_, Some(factor)) => scaled(factor, x),
                _ => plain,
            },
            _ => plain,
        })
    }
}

/// The factor, if a variable is a constant scalar, finite and not 0.
fn factor(graph: &Graph, var: Var) -> Option<Value> {
    let value = graph.constant(var).filter(|value| value.tensor.ndim() == 0)?;
    let fits = match value.tensor.dtype {
        DType::Float32 => {
            let value = f32::from_ne_bytes(value.bytes.as_slice().try_into().ok()?);
            value.is_finite() && value != 0.0
        }
        DType::Float64 => {
            let value = f64::from_ne_bytes(value.bytes.as_slice().try_into().ok()?);
            value.is_finite() && value != 0.0
        }
        _ => false,
    };
    fits.then(|| (**value).clone())
}

/// The constant 1 in a dtype that BLAS supports.
fn unit(dtype: DType) -> Option<Value> {
    let mut bytes = match (dtype.class(), dtype.real()) {
        (Class::Float | Class::Complex, DType::Float32) => 1_f32.to_ne_bytes().to_vec(),
        (Class::Float | Class::Complex, DType::Float64) => 1_f64.to_ne_bytes().to_vec(),
        _ => return None,
    };
    bytes.resize(dtype.size(), 0);
    Some(Value { tensor: Tensor::scalar(dtype), bytes })
}

fn negated(value: &Value) -> Value {
    let size = value.tensor.dtype.real().size();
    let mut bytes = value.bytes.clone();
    for part in bytes.chunks_mut(size) {
        let sign = if cfg!(target_endian = "little") { size - 1 } else { 0 };
        part[sign] ^= 0x80;
    }
    Value { tensor: value.tensor.clone(), bytes }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Array, Build, assert_same, only};
    use crate::{DType, Function, Op, Var};

    /// Rewrites an expression of matrices a, b, c with these columns, checks the result, and
    /// returns the number of nodes that are left.
    fn remaining_ops(
        columns: Option<usize>,
        make: impl FnOnce(&mut Build, [Var; 3]) -> Vec<Var>,
    ) -> Vec<Op> {
        let mut b = Build::new();
        let float = DType::Float64;
        let inputs = [
            b.input(float, &[Some(2), None]),
            b.input(float, &[None, Some(2)]),
            b.input(float, &[columns, Some(2)]),
        ];
        let outputs = make(&mut b, inputs);
        let graph = b.outputs(&outputs);
        let (after, _) = only("gemm", &graph);
        let x = Array::floats(&[2, 2], &[1.0, 2.0, -3.0, f64::INFINITY]);
        let y = Array::floats(&[2, 2], &[0.5, 0.0, 7.0, 2.0]);
        let z = Array::floats(
            &[columns.unwrap_or(2), 2],
            &[1.0, -0.0, 4.0, f64::NAN][..2 * columns.unwrap_or(2)],
        );
        assert_same(&graph, &after, &[x, y, z]);
        after.nodes().iter().map(|node| node.op.clone()).collect()
    }

    #[test]
    fn scaled_products_that_are_added_to_are_one() {
        for (function, turned) in [
            (Function::Add, false),
            (Function::Add, true),
            (Function::Sub, false),
            (Function::Sub, true),
        ] {
            let ops = remaining_ops(Some(2), |b, [x, y, z]| {
                let product = b.apply(Op::MatMul, &[x, y]);
                let (two, three) = (b.float(2.0), b.float(-3.0));
                let (p, q) =
                    (b.map(Function::Mul, &[two, product]), b.map(Function::Mul, &[z, three]));
                vec![b.map(function, &if turned { [q, p] } else { [p, q] })]
            });
            assert_eq!(ops, [Op::Gemm]);
        }
    }

    #[test]
    fn broadcast_or_shared_operands_stay() {
        let sum = |b: &mut Build, [x, y, z]: [Var; 3], twice: bool| {
            let product = b.apply(Op::MatMul, &[x, y]);
            let sum = b.map(Function::Add, &[product, z]);
            if twice { vec![sum, product] } else { vec![sum] }
        };
        assert_eq!(remaining_ops(Some(2), |b, v| sum(b, v, false)), [Op::Gemm]);
        assert_eq!(remaining_ops(Some(2), |b, v| sum(b, v, true)).len(), 2);
        assert_eq!(remaining_ops(Some(1), |b, v| sum(b, v, false)).len(), 2);
        assert_eq!(remaining_ops(None, |b, v| sum(b, v, false)).len(), 2);
    }

    #[test]
    fn no_nan_is_lost_to_a_factor_of_zero() {
        let ops = remaining_ops(Some(2), |b, [x, y, z]| {
            let (product, zero) = (b.apply(Op::MatMul, &[x, y]), b.float(0.0));
            let nothing = b.map(Function::Mul, &[z, zero]);
            vec![b.map(Function::Add, &[product, nothing])]
        });
        // The product with zero is then the addend.
        assert_eq!(ops, [Op::Map(Function::Mul), Op::Gemm]);
    }
}

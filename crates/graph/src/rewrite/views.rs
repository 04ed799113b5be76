//! Views: removes views that have no effect, and combines consecutive ones.
//!
//! Copies count as views here: a graph never changes values in place, and results get their own
//! memory in the end ([`own`](super::own)).

use super::sizes::Sizes;
use super::{Context, stands_in};
use crate::graph::Rebuild;
use crate::{Function, Graph, Op, Subscript, Tensor, Var};

pub(super) fn views(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let sizes = Sizes::of(graph);
    let mut rebuild = Rebuild::new(graph);
    for node in graph.nodes() {
        let inputs = rebuild.vars(&node.inputs);
        let output = node.outputs[0];
        let same = matches!(node.op, Op::Reshape | Op::BroadcastTo)
            && sizes.shape(node.inputs[0]) == sizes.shape(output);
        let less =
            if same { Some(Less::Same(inputs[0])) } else { less(&rebuild.to, &node.op, &inputs) };
        match less {
            Some(Less::Same(var)) if stands_in(&rebuild.to, var, graph.tensor(output)) => {
                context.did(format!("{} of the same", node.op.name()));
                rebuild.set(output, var);
            }
            Some(Less::Op(op, inputs)) => {
                context.did(format!("{} in one", node.op.name()));
                rebuild.replace(node, op, &inputs)?;
            }
            _ => rebuild.keep(node)?,
        }
    }
    Some(rebuild.finish())
}

/// The replacement for a node.
enum Less {
    Same(Var),
    Op(Op, Vec<Var>),
}

/// A node combined with the one before it.
fn less(to: &Graph, op: &Op, inputs: &[Var]) -> Option<Less> {
    let x = *inputs.first()?;
    let before = to.owner(x).map(|(node, _)| &to.nodes()[node]);
    let op = match (op, before.map(|node| &node.op)) {
        (Op::View | Op::DeepCopy, _) => return Some(Less::Same(x)),
        (Op::Map(Function::Cast(dtype)), _) if to.tensor(x).dtype == *dtype => {
            return Some(Less::Same(x));
        }
        (Op::Transpose(perm), _) if perm.iter().copied().eq(0..perm.len()) => {
            return Some(Less::Same(x));
        }
        (Op::Expand(axes) | Op::Squeeze(axes), _) if axes.is_empty() => return Some(Less::Same(x)),
        (Op::Join(_), _) if inputs.len() == 1 => return Some(Less::Same(x)),
        (Op::Slice(spec), _) if is_all(to, spec, &inputs[1..]) => return Some(Less::Same(x)),
        (Op::Transpose(after), Some(Op::Transpose(first))) => {
            Op::Transpose(after.iter().map(|&axis| first[axis]).collect())
        }
        (Op::Expand(after), Some(Op::Expand(first))) => Op::Expand(expanded(first, after)),
        (Op::Squeeze(gone), Some(Op::Expand(new))) => squeezed(new, gone)?,
        (Op::Expand(new), Some(Op::Squeeze(gone)))
            if new == gone && ones(to.tensor(before?.inputs[0]), gone) =>
        {
            return Some(Less::Same(before?.inputs[0]));
        }
        (Op::Reshape, Some(Op::Reshape)) => {
            // The first may fail if its sizes are unknown.
            let from = before?.inputs[0];
            to.tensor(from).count().zip(to.tensor(x).count())?;
            return Some(Less::Op(Op::Reshape, [&[from], &inputs[1..]].concat()));
        }
        _ => return None,
    };
    Some(Less::Op(op, before?.inputs.clone()))
}

fn ones(tensor: &Tensor, axes: &[usize]) -> bool {
    axes.iter().all(|&axis| tensor.shape[axis] == Some(1))
}

/// True if a basic index selects everything, in order.
fn is_all(to: &Graph, spec: &[Subscript], scalars: &[Var]) -> bool {
    let mut scalars = scalars.iter();
    let mut zero = || {
        let scalar = scalars.next().and_then(|&scalar| to.constant(scalar));
        scalar.and_then(|value| value.as_int64()) == Some(0)
    };
    spec.iter().all(|one| match *one {
        Subscript::Range { start, stop: false, step: 1 } => !start || zero(),
        _ => false,
    })
}

/// The axes that are new after both.
fn expanded(first: &[usize], after: &[usize]) -> Vec<usize> {
    let mut all = after.to_vec();
    // Each axis moves after the new ones that precede it.
    for &axis in first {
        let mut rest = axis;
        let mut place = 0;
        loop {
            if !after.contains(&place) {
                if rest == 0 {
                    break;
                }
                rest -= 1;
            }
            place += 1;
        }
        all.push(place);
    }
    all.sort_unstable();
    all
}

/// The rest of a view that only adds axes.
fn squeezed(new: &[usize], gone: &[usize]) -> Option<Op> {
    let only = gone.iter().all(|axis| new.contains(axis));
    let before = |axis: usize| gone.iter().filter(|&&one| one < axis).count();
    let kept = new.iter().filter(|axis| !gone.contains(axis));
    only.then(|| Op::Expand(kept.map(|&axis| axis - before(axis)).collect()))
}

#[cfg(test)]
mod tests {
    use crate::testing::{Build, only};
    use crate::{DType, Function, Op, Subscript, Var};

    /// The ops that are left for one input, a cube.
    fn remaining_ops(make: impl FnOnce(&mut Build, Var) -> Var) -> Vec<Op> {
        let mut b = Build::new();
        let x = b.input(DType::Float64, &[None, Some(1), Some(4)]);
        let y = make(&mut b, x);
        let out = b.map(Function::Exp, &[y]);
        let graph = only("dead", &only("views", &b.outputs(&[out])).0).0;
        let ops = graph.nodes().iter().map(|node| node.op.clone());
        ops.filter(|op| *op != Op::Map(Function::Exp)).collect()
    }

    fn all(step: i64) -> Subscript {
        Subscript::Range { start: false, stop: false, step }
    }

    #[test]
    fn views_without_effect_are_removed() {
        let none: Vec<Op> = Vec::new();
        assert_eq!(remaining_ops(|b, x| b.apply(Op::View, &[x])), none);
        assert_eq!(remaining_ops(|b, x| b.apply(Op::DeepCopy, &[x])), none);
        assert_eq!(remaining_ops(|b, x| b.map(Function::Cast(DType::Float64), &[x])), none);
        assert_eq!(remaining_ops(|b, x| b.apply(Op::Slice(vec![all(1); 3]), &[x])), none);
        assert_eq!(remaining_ops(|b, x| b.apply(Op::Slice(vec![all(-1); 3]), &[x])).len(), 1);
        let twice = |b: &mut Build, x| {
            let y = b.apply(Op::Transpose(vec![2, 0, 1]), &[x]);
            b.apply(Op::Transpose(vec![1, 2, 0]), &[y])
        };
        assert_eq!(remaining_ops(twice), none);
        let sizes = |b: &mut Build, x| {
            let sizes = [0, 1, 2].map(|axis| b.apply(Op::ShapeI(axis), &[x]));
            b.apply(Op::Reshape, &[x, sizes[0], sizes[1], sizes[2]])
        };
        assert_eq!(remaining_ops(sizes), none);
    }

    #[test]
    fn pairs_are_one() {
        let expand = |b: &mut Build, x| {
            let y = b.apply(Op::Expand(vec![0, 2]), &[x]);
            b.apply(Op::Expand(vec![1]), &[y])
        };
        assert_eq!(remaining_ops(expand), [Op::Expand(vec![0, 1, 3])]);
        let squeeze = |b: &mut Build, x| {
            let y = b.apply(Op::Expand(vec![0, 2]), &[x]);
            b.apply(Op::Squeeze(vec![0]), &[y])
        };
        assert_eq!(remaining_ops(squeeze), [Op::Expand(vec![1])]);
        let back = |b: &mut Build, x| {
            let y = b.apply(Op::Squeeze(vec![1]), &[x]);
            b.apply(Op::Expand(vec![1]), &[y])
        };
        assert_eq!(remaining_ops(back), []);
        let unknown = |b: &mut Build, x| {
            let y = b.apply(Op::Squeeze(vec![0]), &[x]);
            b.apply(Op::Expand(vec![0]), &[y])
        };
        assert_eq!(remaining_ops(unknown).len(), 2);
    }
}

//! Sizes: which axes certainly have the same size.
//!
//! Purpose: two arrays may be computed in one loop if their shapes are equal at run time, which is
//! often certain even if no size is known.
//! Invariant: equal sizes here are equal at run time. The broadcast of axes with unknown sizes has
//! the set of these sizes as its size.

use std::collections::HashMap;

use crate::{Graph, Op, Subscript, Var};

/// A size: equal at run time if it is equal here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Size(u32);

/// Broadcasts of more sizes than this are identified by their origin, not by sets, so that long
/// sums of different inputs take linear time.
const SET: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Meaning {
    Known(usize),
    /// The broadcast of these, ascending.
    Set(Vec<u32>),
}

/// The sizes of all axes of all variables.
pub(super) struct Sizes {
    shapes: Vec<Vec<Size>>,
    meanings: Vec<Meaning>,
    found: HashMap<Meaning, Size>,
    pairs: HashMap<(Size, Size), Size>,
    scalars: HashMap<Var, Size>,
    atoms: u32,
}

impl Sizes {
    /// The sizes for a graph.
    pub(super) fn of(graph: &Graph) -> Self {
        let mut sizes = Self {
            shapes: vec![Vec::new(); graph.variables().len()],
            meanings: Vec::new(),
            found: HashMap::new(),
            pairs: HashMap::new(),
            scalars: HashMap::new(),
            atoms: 0,
        };
        for index in 0..graph.variables().len() {
            let var = Var(u32::try_from(index).expect("fewer than 2^32 variables"));
            let made = graph.owner(var).map(|(node, _)| sizes.output_sizes(graph, node, var));
            let known = &graph.tensor(var).shape;
            let mut made = made.unwrap_or_default().into_iter();
            let shape = known.iter().map(|size| match (size, made.next().flatten()) {
                (Some(size), _) => sizes.known(*size),
                (None, Some(size)) => size,
                (None, None) => sizes.fresh(),
            });
            let shape = shape.collect();
            sizes.shapes[index] = shape;
        }
        sizes
    }

    /// A variable's shape.
    pub(super) fn shape(&self, var: Var) -> &[Size] {
        &self.shapes[var.index()]
    }

    /// A size, if it is known.
    pub(super) fn value(&self, size: Size) -> Option<usize> {
        match self.meanings[size.0 as usize] {
            Meaning::Known(size) => Some(size),
            Meaning::Set(_) => None,
        }
    }

    /// The scalars that specified sizes.
    pub(super) fn scalars(&self) -> HashMap<Size, Var> {
        self.scalars.iter().map(|(&var, &size)| (size, var)).collect()
    }

    /// True if one array is certainly smaller than the other, to which it is broadcast.
    pub(super) fn spreads(&self, from: &[Size], to: &[Size]) -> bool {
        let one = |&size: &Size| self.value(size) == Some(1);
        from.len() < to.len() || from.iter().zip(to).any(|(from, to)| one(from) && !one(to))
    }

    fn intern(&mut self, meaning: Meaning) -> Size {
        if let Some(&size) = self.found.get(&meaning) {
            return size;
        }
        let size = Size(u32::try_from(self.meanings.len()).expect("fewer than 2^32 sizes"));
        self.meanings.push(meaning.clone());
        self.found.insert(meaning, size);
        size
    }

    fn known(&mut self, size: usize) -> Size {
        self.intern(Meaning::Known(size))
    }

    fn fresh(&mut self) -> Size {
        self.atoms += 1;
        self.intern(Meaning::Set(vec![self.atoms]))
    }

    /// The size that is the value of a scalar variable.
    fn named(&mut self, graph: &Graph, var: Var) -> Option<Size> {
        if let Some(value) = graph.constant(var) {
            return Some(self.known(usize::try_from(value.as_int64()?).ok()?));
        }
        if let Some((node, _)) = graph.owner(var)
            && let Op::ShapeI(axis) = graph.nodes()[node].op
        {
            return Some(self.shape(graph.nodes()[node].inputs[0])[axis]);
        }
        if let Some(&size) = self.scalars.get(&var) {
            return Some(size);
        }
        let size = self.fresh();
        self.scalars.insert(var, size);
        Some(size)
    }

    /// The broadcast of two axes.
    fn joined(&mut self, a: Size, b: Size) -> Size {
        if a == b {
            return a;
        }
        let set = match (&self.meanings[a.0 as usize], &self.meanings[b.0 as usize]) {
            (Meaning::Known(1), _) => return b,
            (_, Meaning::Known(1)) | (Meaning::Known(_), _) => return a,
            (_, Meaning::Known(_)) => return b,
            (Meaning::Set(a), Meaning::Set(b)) => {
                let mut set = [a.as_slice(), b].concat();
                set.sort_unstable();
                set.dedup();
                set
            }
        };
        if set.len() <= SET {
            return self.intern(Meaning::Set(set));
        }
        let pair = (a.min_by_id(b), a.max_by_id(b));
        match self.pairs.get(&pair) {
            Some(&size) => size,
            None => {
                let size = self.fresh();
                self.pairs.insert(pair, size);
                size
            }
        }
    }

    fn broadcast(&mut self, inputs: &[Var]) -> Vec<Option<Size>> {
        let ndim = inputs.iter().map(|&var| self.shape(var).len()).max().unwrap_or(0);
        let one = self.known(1);
        let mut shape = vec![one; ndim];
        for &var in inputs {
            let own = self.shape(var).to_vec();
            for (size, own) in shape[ndim - own.len()..].iter_mut().zip(own) {
                *size = self.joined(*size, own);
            }
        }
        shape.into_iter().map(Some).collect()
    }

    /// The shape of a node's output, as far as its axes are known.
    fn output_sizes(&mut self, graph: &Graph, node: usize, output: Var) -> Vec<Option<Size>> {
        let node = &graph.nodes()[node];
        let inputs = &node.inputs;
        let some = |shape: &[Size]| shape.iter().copied().map(Some).collect::<Vec<_>>();
        match &node.op {
            Op::Map(_) | Op::Fused(_) => self.broadcast(inputs),
            Op::Reduce { axes, keepdims, .. } | Op::Fold { axes, keepdims, .. } => {
                let shape = self.broadcast(inputs);
                let keep = |(axis, size)| match (axes.contains(&axis), *keepdims) {
                    (false, _) => Some(size),
                    (true, true) => Some(None),
                    (true, false) => None,
                };
                shape.into_iter().enumerate().filter_map(keep).collect()
            }
            // One value per row: the first axes, followed by none or by axes of known size.
            Op::Rows(_) => self.broadcast(inputs),
            Op::MatMul | Op::Gemm => {
                let (a, b) = match inputs[..] {
                    [_, a, b, ..] if node.op == Op::Gemm => (a, b),
                    _ => (inputs[0], inputs[1]),
                };
                match (some(self.shape(a)).as_slice(), some(self.shape(b)).as_slice()) {
                    (&[rows, _], &[_, columns]) => vec![rows, columns],
                    (&[rows, _], &[_]) => vec![rows],
                    (&[_], &[_, columns]) => vec![columns],
                    _ => Vec::new(),
                }
            }
            Op::Transpose(perm) => {
                perm.iter().map(|&axis| Some(self.shape(inputs[0])[axis])).collect()
            }
            Op::Expand(axes) => {
                let mut rest = self.shape(inputs[0]).iter().copied();
                let ndim = graph.tensor(output).ndim();
                (0..ndim)
                    .map(|axis| if axes.contains(&axis) { None } else { rest.next() })
                    .collect()
            }
            Op::Squeeze(axes) => {
                let all = self.shape(inputs[0]).iter().copied().enumerate();
                all.filter(|(axis, _)| !axes.contains(axis)).map(|(_, size)| Some(size)).collect()
            }
            Op::BroadcastTo | Op::Full => {
                inputs[1..].iter().map(|&size| self.named(graph, size)).collect()
            }
            // An unknown size may be -1 here.
            Op::Reshape => {
                let shape_of = |&size: &Var| {
                    let (owner, _) = graph.owner(size)?;
                    matches!(graph.nodes()[owner].op, Op::ShapeI(_)).then_some(size)
                };
                let named: Vec<_> = inputs[1..].iter().map(shape_of).collect();
                named.into_iter().map(|size| self.named(graph, size?)).collect()
            }
            Op::Slice(spec) => {
                let axes = spec.iter().zip(self.shape(inputs[0]));
                let size = |(one, &size): (&Subscript, &Size)| match one {
                    Subscript::Index => None,
                    Subscript::Range { start: false, stop: false, step: 1 | -1 } => {
                        Some(Some(size))
                    }
                    Subscript::Range { .. } => Some(None),
                };
                axes.filter_map(size).collect()
            }
            Op::Take(axis) => {
                let mut shape = self.shape(inputs[0]).to_vec();
                shape.splice(*axis..=*axis, self.shape(inputs[1]).to_vec());
                some(&shape)
            }
            Op::SetSlice { .. }
            | Op::Put { .. }
            | Op::Accumulate { .. }
            | Op::DeepCopy
            | Op::View
            | Op::Unless => some(self.shape(inputs[0])),
            Op::Join(axis) => {
                let mut shape = some(self.shape(inputs[0]));
                shape[*axis] = None;
                shape
            }
            Op::Mask
            | Op::Arange(_)
            | Op::ShapeI(_)
            | Op::Shape
            | Op::MakeVector
            | Op::Wrapped(_) => Vec::new(),
        }
    }
}

impl Size {
    fn min_by_id(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    fn max_by_id(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Build;
    use crate::{DType, Function};

    #[test]
    fn broadcast_sizes_are_sets() {
        let mut b = Build::new();
        let [x, y, z] = [(); 3].map(|()| b.vector(DType::Float64));
        let scalar = b.float(2.0);
        let xy = b.map(Function::Add, &[x, y]);
        let xyz = b.map(Function::Add, &[xy, z]);
        let zyx = b.map(Function::Sub, &[z, xy]);
        let doubled = b.map(Function::Mul, &[xy, scalar]);
        let graph = b.outputs(&[xyz, zyx, doubled]);
        let sizes = Sizes::of(&graph);
        assert_eq!(sizes.shape(xyz), sizes.shape(zyx));
        assert_eq!(sizes.shape(xy), sizes.shape(doubled));
        assert_ne!(sizes.shape(xy), sizes.shape(xyz));
    }

    #[test]
    fn sums_of_many_inputs_have_small_sets() {
        let mut b = Build::new();
        let mut sum = b.vector(DType::Float64);
        for _ in 0..100 {
            let x = b.vector(DType::Float64);
            sum = b.map(Function::Add, &[sum, x]);
        }
        let sizes = Sizes::of(&b.outputs(&[sum]));
        let largest = sizes.meanings.iter().map(|meaning| match meaning {
            Meaning::Set(set) => set.len(),
            Meaning::Known(_) => 0,
        });
        assert_eq!(largest.max(), Some(SET));
    }
}

//! Shapes: sizes are taken from where they are known, so that nothing is computed only for its
//! shape.
//!
//! A known size is a constant; any other is that of the first array with that size, or the scalar
//! that specified it. Ops that index or multiply sizes use them individually. An array that may
//! fail to be computed is computed even if only its shape is used.

use std::collections::HashMap;
use std::sync::Arc;

use super::failing::Guards;
use super::sizes::{Size, Sizes};
use super::{Context, stands_in};
use crate::graph::Rebuild;
use crate::{DType, Function, Graph, Node, Op, Reduction, Subscript, Tensor, Value, Var};

/// Products of more sizes than this remain reductions.
const FACTORS: usize = 8;

pub(super) fn shapes(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let sizes = Sizes::of(graph);
    let given = sizes.scalars();
    let guards = Guards::of(graph, &sizes);
    let rebuild = Rebuild::new(graph);
    let (first, whole) = (HashMap::new(), HashMap::new());
    let mut shapes = Shapes { sizes, guards, given, first, whole, rebuild };
    for &input in graph.inputs() {
        shapes.note(input);
    }
    for node in graph.nodes() {
        let new = shapes.simpler(node)?;
        match new {
            Some(new) if stands_in(&shapes.rebuild.to, new, graph.tensor(node.outputs[0])) => {
                context.did(format!("{}, known elsewhere", node.op.name()));
                shapes.rebuild.set(node.outputs[0], new);
            }
            _ => shapes.rebuild.keep(node)?,
        }
        for &output in &node.outputs {
            shapes.note(output);
        }
    }
    Some(shapes.rebuild.finish())
}

struct Shapes<'a> {
    sizes: Sizes,
    guards: Guards,
    /// The scalars that specified sizes.
    given: HashMap<Size, Var>,
    /// The first array with a size, and its axis, for each guard.
    first: HashMap<(Option<Var>, Size), (Var, usize)>,
    /// The first array with a shape, for each guard.
    whole: HashMap<(Option<Var>, Vec<Size>), Var>,
    rebuild: Rebuild<'a>,
}

impl Shapes<'_> {
    fn note(&mut self, var: Var) {
        let (shape, guard) = (self.sizes.shape(var), self.guards.of_var(var));
        for (axis, &size) in shape.iter().enumerate() {
            self.first.entry((guard, size)).or_insert((var, axis));
        }
        self.whole.entry((guard, shape.to_vec())).or_insert(var);
    }

    fn int(&mut self, value: usize) -> Option<Var> {
        Some(self.rebuild.constant(Arc::new(Value::int64(i64::try_from(value).ok()?))))
    }

    /// A variable of the new graph for a node's output, if its value is known otherwise. The outer
    /// `None` is that of [`Rebuild`].
    fn simpler(&mut self, node: &Node) -> Option<Option<Var>> {
        match &node.op {
            Op::ShapeI(axis) => {
                let size = self.sizes.shape(node.inputs[0])[*axis];
                let guard = self.guards.of_var(node.inputs[0]);
                if guard.is_none() {
                    if let Some(known) = self.sizes.value(size) {
                        return Some(self.int(known));
                    }
                    if let Some(&given) = self.given.get(&size) {
                        return Some(Some(self.rebuild.var(given)));
                    }
                }
                match self.first.get(&(guard, size)) {
                    Some(&(var, place)) if var != node.inputs[0] => {
                        let var = self.rebuild.var(var);
                        Some(Some(self.rebuild.apply(Op::ShapeI(place), &[var], &node.sites)?[0]))
                    }
                    _ => Some(None),
                }
            }
            Op::Shape => {
                let shape = self.sizes.shape(node.inputs[0]);
                let known: Option<Vec<usize>> =
                    shape.iter().map(|&size| self.sizes.value(size)).collect();
                let guard = self.guards.of_var(node.inputs[0]);
                if let (Some(known), None) = (known, guard) {
                    return Some(Some(self.rebuild.constant(Arc::new(vector(&known)))));
                }
                match self.whole.get(&(guard, shape.to_vec())) {
                    Some(&var) if var != node.inputs[0] => {
                        let var = self.rebuild.var(var);
                        Some(Some(self.rebuild.apply(Op::Shape, &[var], &node.sites)?[0]))
                    }
                    _ => Some(None),
                }
            }
            Op::Slice(spec) => match spec[..] {
                [one] => self.picked(node, one),
                _ => Some(None),
            },
            Op::Reduce { reduction, axes, keepdims: false } if axes[..] == [0] => {
                let function = match reduction {
                    Reduction::Prod => Function::Mul,
                    Reduction::Sum => Function::Add,
                    _ => return Some(None),
                };
                let vector = self.rebuild.var(node.inputs[0]);
                match self.elements(vector) {
                    Some(elements)
                        if elements.len() <= FACTORS
                            && self.rebuild.to.tensor(vector).dtype.is_integer() =>
                    {
                        self.product(function, &elements, node).map(Some)
                    }
                    _ => Some(None),
                }
            }
            _ => Some(None),
        }
    }

    /// The scalars from which a vector was built.
    fn elements(&self, vector: Var) -> Option<Vec<Element>> {
        let to = &self.rebuild.to;
        let node = &to.nodes()[to.owner(vector)?.0];
        match node.op {
            Op::MakeVector => Some(node.inputs.iter().map(|&input| Element::Var(input)).collect()),
            Op::Shape => {
                let x = node.inputs[0];
                Some((0..to.tensor(x).ndim()).map(|axis| Element::Size(x, axis)).collect())
            }
            _ => None,
        }
    }

    fn element(&mut self, element: &Element, sites: &[u32]) -> Option<Var> {
        match *element {
            Element::Var(var) => Some(var),
            Element::Size(x, axis) => Some(self.rebuild.apply(Op::ShapeI(axis), &[x], sites)?[0]),
        }
    }

    /// The scalars that a basic index selects.
    fn picked(&mut self, node: &Node, one: Subscript) -> Option<Option<Var>> {
        let inputs = self.rebuild.vars(&node.inputs);
        let to = &self.rebuild.to;
        let bound = |&scalar: &Var| to.constant(scalar).and_then(|value| value.as_int64());
        let bounds: Option<Vec<i64>> = inputs[1..].iter().map(bound).collect();
        let (Some(elements), Some(bounds)) = (self.elements(inputs[0]), bounds) else {
            return Some(None);
        };
        let size = elements.len() as i64;
        let from_end = |at: i64| if at < 0 { at.saturating_add(size) } else { at };
        match one {
            Subscript::Index => {
                let element = usize::try_from(from_end(bounds[0])).ok();
                match element.and_then(|at| elements.get(at)) {
                    Some(element) => self.element(element, &node.sites).map(Some),
                    None => Some(None),
                }
            }
            Subscript::Range { start, stop, step: 1 } => {
                let mut bounds = bounds.into_iter().map(|at| from_end(at).clamp(0, size));
                let mut bound = |there: bool| if there { bounds.next() } else { None };
                let low = bound(start).unwrap_or(0) as usize;
                let high = bound(stop).unwrap_or(size) as usize;
                let Some(named @ [_, ..]) = elements.get(low..high) else { return Some(None) };
                let scalars: Option<Vec<Var>> =
                    named.iter().map(|element| self.element(element, &node.sites)).collect();
                Some(Some(self.rebuild.apply(Op::MakeVector, &scalars?, &node.sites)?[0]))
            }
            Subscript::Range { .. } => Some(None),
        }
    }

    fn product(&mut self, function: Function, all: &[Element], node: &Node) -> Option<Var> {
        let mut elements = all.iter();
        let mut product = match elements.next() {
            Some(first) => self.element(first, &node.sites)?,
            None => self.int(usize::from(function == Function::Mul))?,
        };
        for element in elements {
            let next = self.element(element, &node.sites)?;
            product = self.rebuild.apply(Op::Map(function), &[product, next], &node.sites)?[0];
        }
        Some(product)
    }
}

enum Element {
    Var(Var),
    Size(Var, usize),
}

fn vector(sizes: &[usize]) -> Value {
    let bytes = sizes.iter().flat_map(|&size| (size as i64).to_ne_bytes()).collect();
    Value { tensor: Tensor::new(DType::Int64, vec![Some(sizes.len())]), bytes }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Array, Build, only, rewritten};
    use crate::{DType, Function, Op, Reduction, Subscript};

    #[test]
    fn known_sizes_are_constants() {
        let mut b = Build::new();
        let x = b.input(DType::Float64, &[None, Some(4)]);
        let size = b.apply(Op::ShapeI(1), &[x]);
        let graph = only("shapes", &b.outputs(&[size])).0;
        assert_eq!(Array::of(graph.constant(graph.outputs[0]).unwrap()).int(), 4);
    }

    #[test]
    fn nothing_is_computed_for_its_shape() {
        let mut b = Build::new();
        let x = b.matrix(DType::Float64);
        let two = b.float(2.0);
        let twice = b.map(Function::Mul, &[x, two]);
        let turned = b.apply(Op::Transpose(vec![1, 0]), &[twice]);
        let sum = b.reduce(Reduction::Sum, &[1], turned);
        let size = b.apply(Op::ShapeI(0), &[sum]);
        let graph = rewritten(&b.outputs(&[size]));
        assert_eq!(graph.nodes().len(), 1);
        assert_eq!(graph.nodes()[0].op, Op::ShapeI(1));
        assert_eq!(graph.nodes()[0].inputs, graph.inputs());
    }

    #[test]
    fn shapes_that_may_broadcast_are_computed() {
        let mut b = Build::new();
        let (x, y) = (b.vector(DType::Float64), b.vector(DType::Float64));
        let sum = b.map(Function::Add, &[x, y]);
        let size = b.apply(Op::ShapeI(0), &[sum]);
        assert_eq!(rewritten(&b.outputs(&[size])).nodes().len(), 2);
    }

    #[test]
    fn a_given_size_is_that() {
        let mut b = Build::new();
        let (n, value) = (b.scalar(DType::Int64), b.float(1.0));
        let ones = b.apply(Op::Full, &[value, n]);
        let exp = b.map(Function::Exp, &[ones]);
        let size = b.apply(Op::ShapeI(0), &[exp]);
        let graph = rewritten(&b.outputs(&[size, exp]));
        assert_eq!(graph.outputs[0], graph.inputs()[0]);
        // By itself it would be -1 if the array is empty.
        assert_eq!(rewritten(&b.outputs(&[size])).nodes().len(), 2);
    }

    #[test]
    fn nodes_that_may_fail_are_computed_for_their_shapes() {
        let mut b = Build::new();
        let (x, y) = (b.matrix(DType::Float64), b.matrix(DType::Float64));
        let product = b.apply(Op::MatMul, &[x, y]);
        let turned = b.apply(Op::Transpose(vec![1, 0]), &[product]);
        let size = b.apply(Op::ShapeI(1), &[turned]);
        let graph = rewritten(&b.outputs(&[size]));
        let ops: Vec<Op> = graph.nodes().iter().map(|node| node.op.clone()).collect();
        assert_eq!(ops, [Op::MatMul, Op::ShapeI(0)]);
        // It is an input's if the product is computed anyway.
        let graph = rewritten(&b.outputs(&[size, product]));
        let shape = graph.nodes().iter().find(|node| matches!(node.op, Op::ShapeI(_))).unwrap();
        assert_eq!(shape.inputs, [graph.inputs()[0]]);
    }

    #[test]
    fn known_sizes_are_looked_at_where_they_may_differ() {
        let mut b = Build::new();
        let (x, y) = (b.vector(DType::Float64), b.input(DType::Float64, &[Some(3)]));
        let sum = b.map(Function::Add, &[x, y]);
        let size = b.apply(Op::ShapeI(0), &[sum]);
        assert_eq!(rewritten(&b.outputs(&[size])).nodes().len(), 2);
        let twice = b.map(Function::Add, &[y, y]);
        let size = b.apply(Op::ShapeI(0), &[twice]);
        assert_eq!(rewritten(&b.outputs(&[size])).nodes().len(), 0);
    }

    #[test]
    fn parts_and_products_of_shapes_are_scalars() {
        let mut b = Build::new();
        let x = b.input(DType::Float64, &[None, Some(4), None]);
        let shape = b.apply(Op::Shape, &[x]);
        let one = b.int(1);
        let range = Subscript::Range { start: true, stop: false, step: 1 };
        let rest = b.apply(Op::Slice(vec![range]), &[shape, one]);
        let product = b.reduce(Reduction::Prod, &[0], rest);
        let last = b.int(-1);
        let size = b.apply(Op::Slice(vec![Subscript::Index]), &[shape, last]);
        let graph = rewritten(&b.outputs(&[product, size]));
        let ops: Vec<Op> = graph.nodes().iter().map(|node| node.op.clone()).collect();
        assert_eq!(ops, [Op::ShapeI(2), Op::Map(Function::Mul)]);
    }
}

//! Random graphs: of few sizes, so that many operands match, and with special values.

use proptest::prelude::*;

use super::{Array, Build, Scalar};
use crate::{DType, Function, Graph, Op, Reduction, Subscript, Var};

/// A graph and inputs for it.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) graph: Graph,
    pub(crate) inputs: Vec<Array>,
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}of {:?}", super::listing(&self.graph), self.inputs)
    }
}

/// A candidate for a node: an op, its variables, and a number to vary it by.
type Choice = (u8, u16, u16, u16, u8);

const SHAPES: [&[usize]; 10] =
    [&[2, 3], &[3], &[2, 3], &[1, 3], &[2, 1], &[2, 3], &[2, 2, 3], &[0], &[2, 2], &[]];
const VALUES: [f64; 12] =
    [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -3.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 7.25];
const INTS: [i64; 8] = [0, 1, -1, 2, 3, i64::MAX, i64::MIN, 5];

/// Graphs of up to this many nodes.
pub(crate) fn cases(nodes: usize) -> impl Strategy<Value = Case> {
    let input =
        (0..SHAPES.len(), 0..3_u8, any::<bool>(), proptest::collection::vec(any::<u8>(), 12));
    let inputs = proptest::collection::vec(input, 2..6);
    let choices = proptest::collection::vec(any::<Choice>(), 1..nodes);
    let outputs = proptest::collection::vec(any::<u16>(), 1..4);
    let flags = (any::<bool>(), any::<bool>());
    (inputs, choices, outputs, flags).prop_map(|(inputs, choices, outputs, (special, narrow))| {
        let mut b = Build::new();
        let mut arrays = Vec::new();
        let mut vars = Vec::new();
        for (shape, dtype, known, data) in inputs {
            let dtype = [DType::Float64, DType::Float64, DType::Int64][usize::from(dtype)];
            // Half of the graphs are of matrices, their reductions, and functions of both.
            let (dtype, shape) =
                if narrow { (DType::Float64, SHAPES[0]) } else { (dtype, SHAPES[shape]) };
            let sizes: Vec<_> = shape.iter().map(|&size| known.then_some(size)).collect();
            vars.push(b.input(dtype, &sizes));
            let mut data = data.into_iter().cycle().map(usize::from);
            arrays.push(Array::from_fn(dtype, shape, |_| {
                let at = data.next().unwrap();
                match dtype {
                    DType::Int64 => Scalar::Int(INTS[at % INTS.len()].into()),
                    _ if special => Scalar::Float(VALUES[at % VALUES.len()]),
                    _ => Scalar::Float((at % 7) as f64 - 3.0),
                }
            }));
        }
        let mut constants: Vec<Var> =
            [0.0, 1.0, -0.0, 2.0, -1.0, 0.5].map(|value| b.float(value)).to_vec();
        constants.extend([0, 1, -1, 2].map(|value| b.int(value)));
        let first = vars.len();
        for mut choice in choices {
            if narrow {
                (choice.0, choice.4) = match choice.0 % 8 {
                    0..=4 => (0, [0, 1, 2, 3, 5, 6, 7, 4, 20, 26][usize::from(choice.4) % 10]),
                    5 | 6 => (37, 61 + 3 * (choice.4 % 10)),
                    _ => (12 + choice.4 % 2 * 9, choice.4),
                };
            }
            grow(&mut b, &mut vars, &constants, choice);
        }
        let made = vars.len() - first;
        let late = made.min(8);
        let pick = |at: u16| match made {
            0 => vars[0],
            _ => vars[vars.len() - 1 - usize::from(at) % late],
        };
        let outputs: Vec<Var> = outputs.into_iter().map(pick).collect();
        Case { graph: b.outputs(&outputs), inputs: arrays }
    })
}

/// A node, if the candidate is valid.
fn grow(b: &mut Build, vars: &mut Vec<Var>, constants: &[Var], (op, x, y, z, vary): Choice) {
    use Function::*;
    const MAPS: [Function; 28] = [
        Add,
        Sub,
        Mul,
        TrueDivide,
        Negative,
        Absolute,
        Square,
        Maximum,
        Minimum,
        Pow,
        Where,
        Lt,
        Eq,
        LogicalAnd,
        LogicalOr,
        LogicalNot,
        LogicalXor,
        BitwiseAnd,
        BitwiseOr,
        BitwiseXor,
        Sqrt,
        IsNan,
        Cast(DType::Float64),
        Cast(DType::Int32),
        Cast(DType::Bool),
        Cast(DType::Int64),
        Exp,
        FloorDivide,
    ];
    // Late variables are chosen more often, to produce chains.
    let recent = |at: u16| {
        let count = vars.len();
        let back = usize::from(at) % count;
        let back = if at.is_multiple_of(3) { back } else { back % count.min(6) };
        vars[count - 1 - back]
    };
    let (x, z) = (recent(x), recent(z));
    let y = if y.is_multiple_of(4) {
        constants[usize::from(y / 4) % constants.len()]
    } else {
        recent(y)
    };
    // If dtypes differ, only ops that accept any are valid.
    let y = if b.graph.tensor(y).dtype == b.graph.tensor(x).dtype || op % 40 == 19 { y } else { x };
    let (shape, ndim) = (b.graph.tensor(x).shape.clone(), b.graph.tensor(x).ndim());
    let dtype = b.graph.tensor(x).dtype;
    let axis = if ndim > 0 { usize::from(vary) % ndim } else { 0 };
    let (made, inputs) = match op % 40 {
        0..=9 | 24..=36 => {
            let function = MAPS[usize::from(vary) % MAPS.len()];
            // Casts of floats to integers out of range are undefined.
            let cast = matches!(function, Cast(to) if dtype.is_float() && to.is_integer());
            if cast || function == Pow && dtype.is_integer() {
                return;
            }
            (Op::Map(function), [x, y, z][..function.arity()].to_vec())
        }
        10 | 11 | 37..=39 => {
            let axes: Vec<usize> = match vary % 3 {
                0 => (0..ndim).collect(),
                1 if ndim > 0 => vec![ndim - 1],
                _ if ndim > 0 => vec![axis],
                _ => return,
            };
            let reduction = Reduction::ALL[[0, 3, 0, 1, 0, 2, 4, 5, 6, 7][usize::from(vary) % 10]];
            // The host computes indices for argmin over several axes; here there is only one.
            if matches!(reduction, Reduction::Argmin | Reduction::Argmax) && axes.len() != 1 {
                return;
            }
            (Op::Reduce { reduction, axes, keepdims: vary > 60 }, vec![x])
        }
        12 => (Op::Transpose((0..ndim).rev().collect()), vec![x]),
        13 => (Op::Expand(vec![axis]), vec![x]),
        14 if ndim > 0 && shape[axis] == Some(1) => (Op::Squeeze(vec![axis]), vec![x]),
        15 if ndim > 0 => (Op::ShapeI(axis), vec![x]),
        16 if ndim > 0 => (Op::Shape, vec![x]),
        17 => (Op::DeepCopy, vec![x]),
        18 => (Op::View, vec![x]),
        19 if ndim > 0 => {
            let step = if vary % 2 == 0 { 1 } else { -1 };
            let all = Subscript::Range { start: false, stop: false, step };
            let mut spec = vec![all; ndim];
            match vary % 3 {
                0 => (Op::Slice(spec), vec![x]),
                1 => {
                    spec[axis] = Subscript::Index;
                    let zero = b.int(0);
                    (Op::Slice(spec), vec![x, zero])
                }
                _ => {
                    spec[axis] = Subscript::Range { start: true, stop: false, step: 1 };
                    (Op::Slice(spec), vec![x, y])
                }
            }
        }
        20 if ndim > 0 => {
            let size = b.int(if vary % 2 == 0 { -1 } else { 3 });
            (Op::Reshape, vec![x, size])
        }
        21 => (Op::MatMul, vec![x, y]),
        22 => {
            let size = b.int(3);
            (if vary % 2 == 0 { Op::Full } else { Op::BroadcastTo }, vec![x, size])
        }
        23 => (Op::MakeVector, vec![x, y]),
        _ => return,
    };
    let matrices = made != Op::MatMul || (ndim == 2 && b.graph.tensor(y).ndim() == 2);
    let fits = made != Op::Expand(vec![axis]) || ndim < 4;
    let site = b.graph.nodes().len() as u32;
    if matrices
        && fits
        && let Ok(outputs) = b.graph.apply(made, &inputs, &[site])
    {
        vars.extend(outputs);
    }
}

//! Every op on dense arrays, element by element.

use std::collections::HashMap;
use std::sync::Arc;

use super::array::{Array, broadcast, indices};
use super::rows;
use super::scalar::{Scalar, call};
use crate::{Arg, Body, DType, Graph, Op, Reduction, Subscript, Value, Var};

/// The result of a call of a graph, or `None` for an error.
pub(crate) fn run(graph: &Graph, inputs: &[Array]) -> Option<Vec<Array>> {
    let mut values: HashMap<Var, Array> = HashMap::new();
    for (&var, array) in graph.inputs().iter().zip(inputs) {
        values.insert(var, array.clone());
    }
    let get = |values: &HashMap<Var, Array>, var: Var| match graph.constant(var) {
        Some(value) => Array::of(value),
        None => values[&var].clone(),
    };
    for node in graph.nodes() {
        let arrays: Vec<Array> = node.inputs.iter().map(|&var| get(&values, var)).collect();
        let results = apply(&node.op, &arrays.iter().collect::<Vec<_>>())?;
        for (&var, result) in node.outputs.iter().zip(results) {
            let tensor = graph.tensor(var);
            assert_eq!(tensor.dtype, result.dtype, "{}", node.op.name());
            assert_eq!(tensor.ndim(), result.shape.len(), "{}", node.op.name());
            let mut sizes = tensor.shape.iter().zip(&result.shape);
            if sizes.any(|(known, size)| known.is_some_and(|known| known != *size)) {
                return None;
            }
            values.insert(var, result);
        }
    }
    Some(graph.outputs.iter().map(|&var| get(&values, var)).collect())
}

/// The result of an op on constants.
pub(crate) fn evaluate(op: &Op, inputs: &[Arc<Value>]) -> Option<Vec<Value>> {
    let arrays: Vec<Array> = inputs.iter().map(|value| Array::of(value)).collect();
    let results = apply(op, &arrays.iter().collect::<Vec<_>>())?;
    Some(results.iter().map(Array::value).collect())
}

/// All values of a body at an index.
fn element(body: &Body, inputs: &[&Array], index: &[usize]) -> Vec<Scalar> {
    let mut locals: Vec<Scalar> = Vec::new();
    let value = |locals: &[Scalar], arg: Arg| match arg {
        Arg::Input(number) => inputs[number].spread(index),
        Arg::Local(number) => locals[number],
    };
    for one in &body.instructions {
        let arguments: Vec<Scalar> = one.arguments.iter().map(|&arg| value(&locals, arg)).collect();
        let dtype = one.arguments.last().map_or(one.dtype, |&arg| body.dtype(arg));
        locals.push(call(one.function, dtype, &arguments));
    }
    body.outputs.iter().map(|&arg| value(&locals, arg)).collect()
}

fn mapped(body: &Body, inputs: &[&Array]) -> Option<Vec<Array>> {
    let shape = broadcast(inputs)?;
    let make = |(number, &arg): (usize, &Arg)| {
        Array::from_fn(body.dtype(arg), &shape, |index| element(body, inputs, index)[number])
    };
    Some(body.outputs.iter().enumerate().map(make).collect())
}

/// The result of a reduction; `None` for no elements without an initial value.
pub(crate) fn fold(reduction: Reduction, dtype: DType, data: &[Scalar]) -> Option<Scalar> {
    use crate::Function::{Add, Maximum, Minimum, Mul};
    let all = |function, begin: Option<f64>| {
        let begin = begin.map(|value| Scalar::Float(value).cast(dtype));
        let join = |a: Scalar, &b: &Scalar| call(function, dtype, &[a, b]);
        match begin {
            Some(begin) => Some(data.iter().fold(begin, join)),
            None => data.split_first().map(|(first, rest)| rest.iter().fold(*first, join)),
        }
    };
    let place = |function| {
        let nan = |one: &Scalar| matches!(one, Scalar::Float(value) if value.is_nan());
        let best = all(function, None)?;
        let is_best = |one: &Scalar| nan(one) || *one == best;
        let found = match data.iter().position(nan) {
            Some(first) => Some(first),
            None => data.iter().position(is_best),
        };
        found.map(|found| Scalar::Int(found as i128))
    };
    match reduction {
        Reduction::Sum => all(Add, Some(0.0)),
        Reduction::Prod => all(Mul, Some(1.0)),
        Reduction::Min => all(Minimum, None),
        Reduction::Max => all(Maximum, None),
        Reduction::Supremum => all(Maximum, dtype.is_float().then_some(f64::NEG_INFINITY)),
        Reduction::Any => Some(Scalar::Int(data.iter().any(|one| one.truth()).into())),
        Reduction::All => Some(Scalar::Int(data.iter().all(|one| one.truth()).into())),
        Reduction::Argmin => place(Minimum),
        Reduction::Argmax => place(Maximum),
    }
}

fn reduced(reduction: Reduction, axes: &[usize], keepdims: bool, x: &Array) -> Option<Array> {
    let dtype = reduction.result(x.dtype).ok()?;
    let outer: Vec<usize> = (0..x.shape.len()).filter(|axis| !axes.contains(axis)).collect();
    let sizes = |axes: &[usize]| axes.iter().map(|&axis| x.shape[axis]).collect::<Vec<_>>();
    let mut data = Vec::new();
    for kept in indices(&sizes(&outer)) {
        let elements: Vec<Scalar> = indices(&sizes(axes))
            .map(|gone| {
                let mut index = vec![0; x.shape.len()];
                for (&axis, &at) in outer.iter().zip(&kept).chain(axes.iter().zip(&gone)) {
                    index[axis] = at;
                }
                x.at(&index)
            })
            .collect();
        data.push(fold(reduction, x.dtype, &elements)?);
    }
    let keep = |axis: usize| match (axes.contains(&axis), keepdims) {
        (false, _) => Some(x.shape[axis]),
        (true, true) => Some(1),
        (true, false) => None,
    };
    let shape = (0..x.shape.len()).filter_map(keep).collect();
    Some(Array { dtype, shape, data })
}

fn product(a: &Array, b: &Array) -> Option<Array> {
    use crate::Function::{Add, Mul};
    let (&[rows, inner], &[other, columns]) = (&a.shape[..], &b.shape[..]) else {
        unimplemented!("products of matrices only")
    };
    let cell = |index: &[usize]| {
        let each = |k| call(Mul, a.dtype, &[a.at(&[index[0], k]), b.at(&[k, index[1]])]);
        let zero = Scalar::Int(0).cast(a.dtype);
        (0..inner).fold(zero, |sum, k| call(Add, a.dtype, &[sum, each(k)]))
    };
    (inner == other).then(|| Array::from_fn(a.dtype, &[rows, columns], cell))
}

/// The indices of each axis that a basic index selects, and the axes that it removes.
fn named(
    spec: &[Subscript],
    shape: &[usize],
    scalars: &[&Array],
) -> Option<Vec<(Vec<usize>, bool)>> {
    let mut scalars = scalars.iter().map(|scalar| scalar.int());
    let mut axes = Vec::new();
    for (one, &size) in spec.iter().zip(shape) {
        let size = size as i64;
        axes.push(match *one {
            Subscript::Index => {
                let index = scalars.next()?;
                let index = if index < 0 { index + size } else { index };
                (0..size).contains(&index).then(|| (vec![index as usize], true))?
            }
            Subscript::Range { start, stop, step } => {
                let (low, high) = if step > 0 { (0, size) } else { (-1, size - 1) };
                let clip =
                    |at: i64| (if at < 0 { at.saturating_add(size) } else { at }).clamp(low, high);
                let (first, end) = if step > 0 { (low, high) } else { (high, low) };
                let mut bound =
                    |there: bool, open| if there { scalars.next().map(clip) } else { Some(open) };
                let (mut at, stop) = (bound(start, first)?, bound(stop, end)?);
                let mut all = Vec::new();
                while (step > 0 && at < stop) || (step < 0 && at > stop) {
                    all.push(at as usize);
                    at += step;
                }
                (all, false)
            }
        });
    }
    Some(axes)
}

/// The index into the array for an index into the selection.
fn place(axes: &[(Vec<usize>, bool)], index: &[usize]) -> Vec<usize> {
    let mut index = index.iter();
    let at = |(all, gone): &(Vec<usize>, bool)| all[if *gone { 0 } else { *index.next().unwrap() }];
    axes.iter().map(at).collect()
}

fn named_shape(axes: &[(Vec<usize>, bool)]) -> Vec<usize> {
    axes.iter().filter(|(_, gone)| !gone).map(|(all, _)| all.len()).collect()
}

fn sizes(arrays: &[&Array]) -> Option<Vec<usize>> {
    arrays.iter().map(|size| usize::try_from(size.int()).ok()).collect()
}

/// The result of an op, or `None` for an error.
pub(crate) fn apply(op: &Op, inputs: &[&Array]) -> Option<Vec<Array>> {
    let x = inputs[0];
    let one = |array: Array| Some(vec![array]);
    let shaped = |shape: Vec<usize>| one(Array { dtype: x.dtype, shape, data: x.data.clone() });
    match op {
        Op::Map(function) => {
            let dtypes: Vec<DType> = inputs.iter().map(|input| input.dtype).collect();
            let dtype = function.result(&dtypes).ok()?;
            mapped(&Body::of(*function, dtypes, dtype), inputs)
        }
        Op::Fused(body) => mapped(body, inputs),
        Op::Reduce { reduction, axes, keepdims } => one(reduced(*reduction, axes, *keepdims, x)?),
        Op::Fold { body, reductions, axes, keepdims } => {
            let arrays = mapped(body, inputs)?;
            let each = |(&reduction, array)| reduced(reduction, axes, *keepdims, array);
            reductions.iter().zip(&arrays).map(each).collect()
        }
        Op::Rows(rows) => rows::apply(rows, inputs),
        Op::MatMul => one(product(x, inputs[1])?),
        Op::Gemm => {
            use crate::Function::{Add, Mul};
            let product = product(inputs[1], inputs[2])?;
            let (alpha, beta) = (inputs[3].data[0], inputs[4].data[0]);
            let times = |a, b| call(Mul, x.dtype, &[a, b]);
            let shape = broadcast(&[x, &product]).filter(|shape| *shape == product.shape)?;
            one(Array::from_fn(x.dtype, &shape, |index| {
                let parts = [times(alpha, product.at(index)), times(beta, x.spread(index))];
                call(Add, x.dtype, &parts)
            }))
        }
        Op::Transpose(perm) => {
            let shape: Vec<usize> = perm.iter().map(|&axis| x.shape[axis]).collect();
            one(Array::from_fn(x.dtype, &shape, |index| {
                let mut from = vec![0; index.len()];
                perm.iter().zip(index).for_each(|(&axis, &at)| from[axis] = at);
                x.at(&from)
            }))
        }
        Op::Expand(axes) => {
            let mut shape = x.shape.clone();
            axes.iter().for_each(|&axis| shape.insert(axis, 1));
            shaped(shape)
        }
        Op::Squeeze(axes) => {
            let all = x.shape.iter().enumerate();
            let fits = axes.iter().all(|&axis| x.shape[axis] == 1);
            let kept =
                all.filter(|(axis, _)| !axes.contains(axis)).map(|(_, &size)| size).collect();
            fits.then(|| shaped(kept))?
        }
        Op::BroadcastTo => {
            let shape = sizes(&inputs[1..])?;
            let to = Array { dtype: x.dtype, shape: shape.clone(), data: Vec::new() };
            broadcast(&[x, &to]).filter(|both| *both == shape)?;
            one(Array::from_fn(x.dtype, &shape, |index| x.spread(index)))
        }
        Op::Reshape => {
            let mut shape: Vec<i64> = inputs[1..].iter().map(|size| size.int()).collect();
            if let Some(open) = shape.iter().position(|&size| size == -1) {
                shape[open] = 1;
                let rest = shape.iter().product::<i64>();
                shape[open] = (x.data.len() as i64).checked_div(rest)?;
            }
            let shape: Option<Vec<usize>> =
                shape.into_iter().map(|size| usize::try_from(size).ok()).collect();
            let shape = shape.filter(|shape| shape.iter().product::<usize>() == x.data.len())?;
            shaped(shape)
        }
        Op::Slice(spec) => {
            let axes = named(spec, &x.shape, &inputs[1..])?;
            let shape = named_shape(&axes);
            one(Array::from_fn(x.dtype, &shape, |index| x.at(&place(&axes, index))))
        }
        Op::SetSlice { spec, increase } => {
            let axes = named(spec, &x.shape, &inputs[2..])?;
            let (shape, value) = (named_shape(&axes), inputs[1]);
            let to = Array { dtype: x.dtype, shape: shape.clone(), data: Vec::new() };
            broadcast(&[value, &to]).filter(|both| *both == shape)?;
            let mut changed: HashMap<Vec<usize>, Scalar> = HashMap::new();
            for index in indices(&shape) {
                changed.insert(place(&axes, &index), value.spread(&index));
            }
            one(Array::from_fn(x.dtype, &x.shape, |index| match changed.get(index) {
                None => x.at(index),
                Some(&new) if *increase => call(crate::Function::Add, x.dtype, &[x.at(index), new]),
                Some(&new) => new,
            }))
        }
        Op::Join(axis) => {
            let mut shape = x.shape.clone();
            shape[*axis] = inputs.iter().map(|input| input.shape[*axis]).sum();
            one(Array::from_fn(x.dtype, &shape, |index| {
                let mut from = index.to_vec();
                let mut arrays = inputs.iter();
                loop {
                    let array = arrays.next().expect("an index that is in one of them");
                    match from[*axis].checked_sub(array.shape[*axis]) {
                        Some(rest) => from[*axis] = rest,
                        None => return array.at(&from),
                    }
                }
            }))
        }
        Op::Arange(dtype) => {
            let (start, stop, step) = (x.int(), inputs[1].int(), inputs[2].int());
            let inside = |at: &i64| if step > 0 { *at < stop } else { *at > stop };
            let all: Vec<i64> =
                (0..).map(|index| start + index * step).take_while(inside).take(1000).collect();
            let data = all.iter().map(|&at| Scalar::Int(at.into()).cast(*dtype)).collect();
            one(Array { dtype: *dtype, shape: vec![all.len()], data })
        }
        Op::Full => {
            let shape = sizes(&inputs[1..])?;
            one(Array::from_fn(x.dtype, &shape, |_| x.data[0]))
        }
        Op::ShapeI(axis) => one(Array::ints(&[], &[x.shape[*axis] as i64])),
        Op::Shape => {
            let shape: Vec<i64> = x.shape.iter().map(|&size| size as i64).collect();
            one(Array::ints(&[shape.len()], &shape))
        }
        Op::MakeVector => {
            let data = inputs.iter().map(|input| input.data[0]).collect();
            one(Array { dtype: x.dtype, shape: vec![inputs.len()], data })
        }
        Op::DeepCopy | Op::View | Op::Unless => one(x.clone()),
        Op::Accumulate { reduction, axis } => {
            let function = match reduction {
                Reduction::Prod => crate::Function::Mul,
                _ => crate::Function::Add,
            };
            one(Array::from_fn(x.dtype, &x.shape, |index| {
                let mut from = index.to_vec();
                let mut up_to = (0..=index[*axis]).map(|at| {
                    from[*axis] = at;
                    x.at(&from)
                });
                let first = up_to.next().expect("an element is among those up to it");
                up_to.fold(first, |sum, element| call(function, x.dtype, &[sum, element]))
            }))
        }
        Op::Take(_) | Op::Mask | Op::Put { .. } | Op::Wrapped(_) => {
            unimplemented!("{}", op.name())
        }
    }
}

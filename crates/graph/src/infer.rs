//! Type inference for ops.

use crate::tensor::broadcast;
use crate::{Body, DType, Error, Op, RowResult, Subscript, Tensor};

type Size = Option<usize>;

/// The types of an op's outputs. `known` are the inputs that are int64 constants.
///
/// # Errors
///
/// Inputs that the op does not accept: their number, dtypes, ranks, or known sizes that do not
/// match.
pub fn infer(op: &Op, inputs: &[&Tensor], known: &[Option<i64>]) -> Result<Vec<Tensor>, Error> {
    let name = op.name();
    let one = |tensor: Tensor| Ok(vec![tensor]);
    match op {
        Op::Wrapped(wrapped) => wrapped.infer(inputs, known),
        Op::Map(function) => {
            let dtypes: Vec<DType> = inputs.iter().map(|tensor| tensor.dtype).collect();
            let dtype = function.result(&dtypes)?;
            let shape = broadcast_inputs(&name, inputs)?;
            one(Tensor::new(dtype, shape))
        }
        Op::Fused(body) => {
            check_body(&name, body, inputs)?;
            let shape = broadcast_inputs(&name, inputs)?;
            let output = |&arg| Tensor::new(body.dtype(arg), shape.clone());
            Ok(body.outputs.iter().map(output).collect())
        }
        Op::Reduce { reduction, axes, keepdims } => {
            let x = only(&name, inputs)?;
            let dtype = reduction.result(x.dtype)?;
            one(Tensor::new(dtype, reduced(&name, &x.shape, axes, *keepdims)?))
        }
        Op::Fold { body, reductions, axes, keepdims } => {
            check_body(&name, body, inputs)?;
            let shape = broadcast_inputs(&name, inputs)?;
            let shape = reduced(&name, &shape, axes, *keepdims)?;
            let output = |(reduction, arg): (&crate::Reduction, &crate::Arg)| {
                Ok(Tensor::new(reduction.result(body.dtype(*arg))?, shape.clone()))
            };
            reductions.iter().zip(&body.outputs).map(output).collect()
        }
        Op::Rows(rows) => {
            let shape = broadcast_inputs(&name, inputs)?;
            if rows.inner > shape.len() || rows.inputs.len() != inputs.len() {
                return Err(Error::kind_type(format!("{name}: inputs do not fit")));
            }
            let outer = shape.len() - rows.inner;
            let output = |result: &RowResult| match *result {
                RowResult::Saved(index) => Tensor::new(rows.saved(index), shape.clone()),
                RowResult::Folded(index) => {
                    let mut kept = shape[..outer].to_vec();
                    if rows.keepdims {
                        kept.resize(shape.len(), Some(1));
                    }
                    Tensor::new(rows.folded(index), kept)
                }
            };
            Ok(rows.outputs.iter().map(output).collect())
        }
        Op::Accumulate { reduction, axis } => {
            let x = only(&name, inputs)?;
            check_axes(&name, &[*axis], x.ndim())?;
            one(Tensor::new(reduction.result(x.dtype)?, x.shape.clone()))
        }
        Op::MatMul => match inputs {
            [a, b] => one(matmul(a, b)?),
            _ => Err(count(&name, 2, inputs)),
        },
        Op::Gemm => match inputs {
            [c, a, b, alpha, beta] => {
                let product = matmul(a, b)?;
                scalar_of(&name, "alpha", alpha, product.dtype)?;
                scalar_of(&name, "beta", beta, product.dtype)?;
                if c.dtype != product.dtype {
                    return Err(mixed(&name, c.dtype, product.dtype));
                }
                broadcast(&[&c.shape, &product.shape])?;
                one(product)
            }
            _ => Err(count(&name, 5, inputs)),
        },
        Op::Transpose(perm) => {
            let x = only(&name, inputs)?;
            let mut seen = perm.clone();
            seen.sort_unstable();
            if !seen.iter().copied().eq(0..x.ndim()) {
                return Err(Error::value(format!(
                    "{name} is no order of the axes of an array of rank {}",
                    x.ndim()
                )));
            }
            one(Tensor::new(x.dtype, perm.iter().map(|&axis| x.shape[axis]).collect()))
        }
        Op::Expand(axes) => {
            let x = only(&name, inputs)?;
            let ndim = x.ndim() + axes.len();
            check_axes(&name, axes, ndim)?;
            let mut rest = x.shape.iter().copied();
            let size = |axis| if axes.contains(&axis) { Some(1) } else { rest.next().flatten() };
            one(Tensor::new(x.dtype, (0..ndim).map(size).collect()))
        }
        Op::Squeeze(axes) => {
            let x = only(&name, inputs)?;
            check_axes(&name, axes, x.ndim())?;
            if let Some(axis) =
                axes.iter().find(|&&axis| x.shape[axis].is_some_and(|size| size != 1))
            {
                return Err(Error::value(format!(
                    "{name}: axis {axis} has size {}, not 1",
                    x.shape[*axis].unwrap_or(0)
                )));
            }
            let kept = (0..x.ndim()).filter(|axis| !axes.contains(axis));
            one(Tensor::new(x.dtype, kept.map(|axis| x.shape[axis]).collect()))
        }
        Op::BroadcastTo => {
            let x = first(&name, inputs)?;
            let shape = sizes(&name, &inputs[1..], &known[1..])?;
            if x.ndim() > shape.len() {
                return Err(Error::value(format!(
                    "{name}: an array of rank {} has no {} axes",
                    x.ndim(),
                    shape.len()
                )));
            }
            let lead = shape.len() - x.ndim();
            for (axis, (&from, &to)) in x.shape.iter().zip(&shape[lead..]).enumerate() {
                if let (Some(from), Some(to)) = (from, to)
                    && from != to
                    && from != 1
                {
                    return Err(Error::value(format!(
                        "{name}: axis {axis} has size {from}, not {to}"
                    )));
                }
            }
            one(Tensor::new(x.dtype, shape))
        }
        Op::Reshape => {
            let x = first(&name, inputs)?;
            one(Tensor::new(x.dtype, reshaped(&name, x, &inputs[1..], &known[1..])?))
        }
        Op::Slice(spec) => {
            let x = first(&name, inputs)?;
            one(Tensor::new(x.dtype, sliced(&name, x, spec, &inputs[1..], &known[1..])?))
        }
        Op::Take(axis) => match inputs {
            [x, indices] => one(Tensor::new(x.dtype, taken(&name, x, indices, *axis)?)),
            _ => Err(count(&name, 2, inputs)),
        },
        Op::Mask => match inputs {
            [x, mask] => one(Tensor::new(x.dtype, masked(&name, x, mask)?)),
            _ => Err(count(&name, 2, inputs)),
        },
        Op::SetSlice { spec, .. } => match inputs {
            [x, value, scalars @ ..] => {
                check_value(&name, x, value, &sliced(&name, x, spec, scalars, &known[2..])?)?;
                one((*x).clone())
            }
            _ => Err(count(&name, 2, inputs)),
        },
        Op::Put { axis, .. } => match inputs {
            [x, value, index] => {
                let shape = if index.dtype == DType::Bool {
                    masked(&name, x, index)?
                } else {
                    taken(&name, x, index, *axis)?
                };
                check_value(&name, x, value, &shape)?;
                one((*x).clone())
            }
            _ => Err(count(&name, 3, inputs)),
        },
        Op::Join(axis) => {
            let x = first(&name, inputs)?;
            check_axes(&name, &[*axis], x.ndim())?;
            one(Tensor::new(x.dtype, joined(&name, *axis, inputs)?))
        }
        Op::Arange(dtype) => match inputs {
            [start, stop, step] => {
                for (what, input) in [("start", start), ("stop", stop), ("step", step)] {
                    scalar_of(&name, what, input, *dtype)?;
                }
                one(Tensor::new(*dtype, vec![arange_size(known)]))
            }
            _ => Err(count(&name, 3, inputs)),
        },
        Op::Full => {
            let value = first(&name, inputs)?;
            scalar_of(&name, "the value", value, value.dtype)?;
            one(Tensor::new(value.dtype, sizes(&name, &inputs[1..], &known[1..])?))
        }
        Op::ShapeI(axis) => {
            let x = only(&name, inputs)?;
            check_axes(&name, &[*axis], x.ndim())?;
            one(Tensor::scalar(DType::Int64))
        }
        Op::Shape => {
            let x = only(&name, inputs)?;
            one(Tensor::new(DType::Int64, vec![Some(x.ndim())]))
        }
        Op::MakeVector => {
            let x = first(&name, inputs)?;
            for input in inputs {
                scalar_of(&name, "each input", input, x.dtype)?;
            }
            one(Tensor::new(x.dtype, vec![Some(inputs.len())]))
        }
        Op::DeepCopy | Op::View => one(only(&name, inputs)?.clone()),
        Op::Unless => one(first(&name, inputs)?.clone()),
    }
}

fn count(name: &str, wanted: usize, inputs: &[&Tensor]) -> Error {
    Error::kind_type(format!("{name} takes {wanted} inputs, got {}", inputs.len()))
}

fn mixed(name: &str, a: DType, b: DType) -> Error {
    Error::kind_type(format!("{name} takes inputs of one dtype, got {a} and {b}"))
}

fn only<'a>(name: &str, inputs: &[&'a Tensor]) -> Result<&'a Tensor, Error> {
    match inputs {
        [x] => Ok(x),
        _ => Err(count(name, 1, inputs)),
    }
}

fn first<'a>(name: &str, inputs: &[&'a Tensor]) -> Result<&'a Tensor, Error> {
    inputs.first().copied().ok_or_else(|| count(name, 1, inputs))
}

fn broadcast_inputs(name: &str, inputs: &[&Tensor]) -> Result<Vec<Size>, Error> {
    let shapes: Vec<&[Size]> = inputs.iter().map(|tensor| tensor.shape.as_slice()).collect();
    broadcast(&shapes).map_err(|error| Error {
        kind: error.kind,
        text: format!("{name}: {error}: {}", list(inputs)),
    })
}

fn list(inputs: &[&Tensor]) -> String {
    let names: Vec<String> = inputs.iter().map(|tensor| tensor.to_string()).collect();
    names.join(", ")
}

fn check_body(name: &str, body: &Body, inputs: &[&Tensor]) -> Result<(), Error> {
    if !body.inputs.iter().eq(inputs.iter().map(|tensor| &tensor.dtype)) {
        return Err(Error::kind_type(format!("{name}: inputs do not fit: {}", list(inputs))));
    }
    Ok(())
}

fn check_axes(name: &str, axes: &[usize], ndim: usize) -> Result<(), Error> {
    let ascending = axes.windows(2).all(|pair| pair[0] < pair[1]);
    match axes.last() {
        Some(&axis) if axis >= ndim || !ascending => Err(Error::value(format!(
            "{name}: axes {axes:?} are not ascending axes of an array of rank {ndim}"
        ))),
        _ => Ok(()),
    }
}

fn reduced(name: &str, shape: &[Size], axes: &[usize], keepdims: bool) -> Result<Vec<Size>, Error> {
    check_axes(name, axes, shape.len())?;
    let stays = |(axis, &size): (usize, &Size)| match (axes.contains(&axis), keepdims) {
        (false, _) => Some(size),
        (true, true) => Some(Some(1)),
        (true, false) => None,
    };
    Ok(shape.iter().enumerate().filter_map(stays).collect())
}

/// The shape of the elements at an array of indices along an axis.
fn taken(name: &str, x: &Tensor, indices: &Tensor, axis: usize) -> Result<Vec<Size>, Error> {
    check_axes(name, &[axis], x.ndim())?;
    if indices.dtype != DType::Int64 {
        return Err(Error::kind_type(format!("{name}: indices are int64, got {}", indices.dtype)));
    }
    let mut shape = x.shape.clone();
    shape.splice(axis..=axis, indices.shape.iter().copied());
    Ok(shape)
}

/// The shape of the elements where a bool array is true.
fn masked(name: &str, x: &Tensor, mask: &Tensor) -> Result<Vec<Size>, Error> {
    if mask.dtype != DType::Bool || mask.ndim() == 0 || mask.ndim() > x.ndim() {
        return Err(Error::kind_type(format!(
            "{name}: {x} is indexed by a bool array of rank 1 to {}, got {mask}",
            x.ndim()
        )));
    }
    let mut shape = vec![None];
    shape.extend(&x.shape[mask.ndim()..]);
    Ok(shape)
}

/// Checks the new value of a part of `x` that has a shape.
fn check_value(name: &str, x: &Tensor, value: &Tensor, shape: &[Size]) -> Result<(), Error> {
    if value.dtype != x.dtype {
        return Err(mixed(name, x.dtype, value.dtype));
    }
    if value.ndim() > shape.len() {
        return Err(Error::value(format!(
            "{name}: a value of rank {} does not fit into rank {}",
            value.ndim(),
            shape.len()
        )));
    }
    broadcast(&[shape, &value.shape])?;
    Ok(())
}

fn matmul(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    if a.dtype != b.dtype {
        return Err(mixed("matmul", a.dtype, b.dtype));
    }
    if a.ndim() == 0 || b.ndim() == 0 {
        return Err(Error::value(format!(
            "matmul takes arrays of rank 1 or more, got {a} and {b}"
        )));
    }
    let inner = (a.shape[a.ndim() - 1], b.shape[b.ndim().max(2) - 2]);
    if let (Some(from), Some(to)) = inner
        && from != to
    {
        return Err(Error::value(format!(
            "matmul: the last axis of {a} has size {from}, and the axis of {b} that it meets {to}"
        )));
    }
    let batch = |tensor: &Tensor| tensor.shape[..tensor.ndim().saturating_sub(2)].to_vec();
    let mut shape = broadcast(&[&batch(a), &batch(b)])?;
    if a.ndim() > 1 {
        shape.push(a.shape[a.ndim() - 2]);
    }
    if b.ndim() > 1 {
        shape.push(b.shape[b.ndim() - 1]);
    }
    Ok(Tensor::new(a.dtype, shape))
}

fn scalar_of(name: &str, what: &str, tensor: &Tensor, dtype: DType) -> Result<(), Error> {
    if *tensor != Tensor::scalar(dtype) {
        return Err(Error::kind_type(format!("{name}: {what} is a {dtype} scalar, got {tensor}")));
    }
    Ok(())
}

/// Sizes that are int64 scalars.
fn sizes(name: &str, inputs: &[&Tensor], known: &[Option<i64>]) -> Result<Vec<Size>, Error> {
    for input in inputs {
        scalar_of(name, "a size", input, DType::Int64)?;
    }
    let size = |&value: &Option<i64>| match value {
        None => Ok(None),
        Some(value) => usize::try_from(value)
            .map(Some)
            .map_err(|_| Error::value(format!("{name}: a size cannot be {value}"))),
    };
    known.iter().map(size).collect()
}

fn reshaped(
    name: &str,
    x: &Tensor,
    inputs: &[&Tensor],
    known: &[Option<i64>],
) -> Result<Vec<Size>, Error> {
    let open: Vec<usize> = (0..known.len()).filter(|&axis| known[axis] == Some(-1)).collect();
    if open.len() > 1 {
        return Err(Error::value(format!("{name}: only one size can be -1")));
    }
    let given: Vec<Option<i64>> =
        known.iter().map(|&size| if size == Some(-1) { Some(1) } else { size }).collect();
    let mut shape = sizes(name, inputs, &given)?;
    let product: Size = shape.iter().copied().product();
    if let (Some(count), Some(product)) = (x.count(), product) {
        let fits = match open.first() {
            None => count == product,
            Some(_) => product != 0 && count % product == 0,
        };
        if !fits {
            return Err(Error::value(format!("{name}: {x} does not have that many elements")));
        }
        if let Some(&axis) = open.first() {
            shape[axis] = Some(count / product);
        }
    } else if let Some(&axis) = open.first() {
        shape[axis] = None;
    }
    Ok(shape)
}

fn sliced(
    name: &str,
    x: &Tensor,
    spec: &[Subscript],
    inputs: &[&Tensor],
    known: &[Option<i64>],
) -> Result<Vec<Size>, Error> {
    let scalars: usize = spec.iter().map(|one| one.scalars()).sum();
    if spec.len() != x.ndim() || scalars != inputs.len() {
        return Err(Error::index(format!(
            "{name}: {} indices and {} scalars for an array of rank {}",
            spec.len(),
            inputs.len(),
            x.ndim()
        )));
    }
    for input in inputs {
        scalar_of(name, "an index", input, DType::Int64)?;
    }
    let mut at = 0;
    let mut shape = Vec::new();
    for (axis, one) in spec.iter().enumerate() {
        match *one {
            Subscript::Index => {
                if let (Some(index), Some(size)) = (known[at], x.shape[axis]) {
                    let size = i64::try_from(size).unwrap_or(i64::MAX);
                    if index >= size || index < -size {
                        return Err(Error::index(format!(
                            "{name}: index {index} is out of range for axis {axis} with size {size}"
                        )));
                    }
                }
                at += 1;
            }
            Subscript::Range { start, stop, step } => {
                let mut bound = |there: bool| match there {
                    false => Some(None),
                    true => {
                        at += 1;
                        known[at - 1].map(Some)
                    }
                };
                let (start, stop) = (bound(start), bound(stop));
                shape.push(match (x.shape[axis], start, stop) {
                    (Some(size), Some(start), Some(stop)) => {
                        Some(range_size(size, start, stop, step))
                    }
                    _ => None,
                });
            }
        }
    }
    Ok(shape)
}

/// The number of elements in `start:stop:step` of `size`, as Python counts.
fn range_size(size: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> usize {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let (low, high) = if step > 0 { (0, size) } else { (-1, size - 1) };
    let clip = |bound: i64| {
        let bound = if bound < 0 { bound.saturating_add(size) } else { bound };
        bound.clamp(low, high)
    };
    let start = start.map_or(if step > 0 { 0 } else { size - 1 }, clip);
    let stop = stop.map_or(if step > 0 { size } else { -1 }, clip);
    let span = if step > 0 { stop - start } else { start - stop };
    let stride = step.unsigned_abs();
    u64::try_from(span).map_or(0, |span| span.div_ceil(stride)) as usize
}

fn joined(name: &str, axis: usize, inputs: &[&Tensor]) -> Result<Vec<Size>, Error> {
    let x = inputs[0];
    let mut shape = x.shape.clone();
    for (number, input) in inputs.iter().enumerate().skip(1) {
        if input.dtype != x.dtype {
            return Err(mixed(name, x.dtype, input.dtype));
        }
        if input.ndim() != x.ndim() {
            return Err(Error::value(format!("{name}: {x} and {input} have different ranks")));
        }
        for other in (0..x.ndim()).filter(|&other| other != axis) {
            match (shape[other], input.shape[other]) {
                (Some(a), Some(b)) if a != b => {
                    return Err(Error::value(format!(
                        "{name}: axis {other} is {a} in an earlier input and {b} in input {}",
                        number + 1
                    )));
                }
                (None, size) => shape[other] = size,
                _ => {}
            }
        }
        shape[axis] = shape[axis].zip(input.shape[axis]).map(|(a, b)| a + b);
    }
    Ok(shape)
}

fn arange_size(known: &[Option<i64>]) -> Size {
    let (start, stop, step) = (known[0]?, known[1]?, known[2]?);
    let (span, step) = match step {
        0 => return None,
        1.. => (stop.checked_sub(start)?, step),
        _ => (start.checked_sub(stop)?, step.checked_neg()?),
    };
    Some(u64::try_from(span).map_or(0, |span| span.div_ceil(step.unsigned_abs())) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_as_python_does() {
        // len(range(10)[start:stop:step]) for each.
        assert_eq!(range_size(10, Some(2), Some(-1), 3), 3);
        assert_eq!(range_size(10, None, None, -1), 10);
        assert_eq!(range_size(10, Some(100), Some(2), -4), 2);
        assert_eq!(range_size(10, Some(5), Some(5), 1), 0);
        assert_eq!(range_size(0, None, None, 2), 0);
        assert_eq!(range_size(10, Some(-100), Some(100), 1), 10);
    }

    #[test]
    fn products_have_numpys_shapes() {
        let t = |shape: &[usize]| {
            Tensor::new(DType::Float64, shape.iter().map(|&size| Some(size)).collect())
        };
        let shape = |a: &[usize], b: &[usize]| matmul(&t(a), &t(b)).map(|t| t.shape);
        assert_eq!(shape(&[3], &[3]).unwrap(), []);
        assert_eq!(shape(&[2, 3], &[3]).unwrap(), [Some(2)]);
        assert_eq!(shape(&[3], &[3, 4]).unwrap(), [Some(4)]);
        assert_eq!(shape(&[5, 1, 2, 3], &[7, 3, 4]).unwrap(), [Some(5), Some(7), Some(2), Some(4)]);
        assert!(shape(&[2, 3], &[4, 3]).is_err());
    }
}

//! Dense arrays.

use crate::{DType, Tensor, Value};

use super::scalar::Scalar;

/// An array: its elements in C order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Array {
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<Scalar>,
}

impl Array {
    pub(crate) fn scalar(dtype: DType, value: Scalar) -> Self {
        Self { dtype, shape: Vec::new(), data: vec![value] }
    }

    pub(crate) fn floats(shape: &[usize], data: &[f64]) -> Self {
        let data = data.iter().map(|&value| Scalar::Float(value)).collect();
        Self { dtype: DType::Float64, shape: shape.to_vec(), data }
    }

    pub(crate) fn ints(shape: &[usize], data: &[i64]) -> Self {
        let data = data.iter().map(|&value| Scalar::Int(value.into())).collect();
        Self { dtype: DType::Int64, shape: shape.to_vec(), data }
    }

    /// An array whose elements are a function of their index.
    pub(crate) fn from_fn(
        dtype: DType,
        shape: &[usize],
        mut element: impl FnMut(&[usize]) -> Scalar,
    ) -> Self {
        let data = indices(shape).map(|index| element(&index)).collect();
        Self { dtype, shape: shape.to_vec(), data }
    }

    pub(crate) fn at(&self, index: &[usize]) -> Scalar {
        let place = |at, (&index, &size)| at * size + index;
        self.data[index.iter().zip(&self.shape).fold(0, place)]
    }

    /// The element at an index of a larger shape to which the array is broadcast.
    pub(crate) fn spread(&self, index: &[usize]) -> Scalar {
        let index = &index[index.len() - self.shape.len()..];
        let own = |(&index, &size): (&usize, &usize)| if size == 1 { 0 } else { index };
        self.at(&index.iter().zip(&self.shape).map(own).collect::<Vec<_>>())
    }

    pub(crate) fn int(&self) -> i64 {
        match self.data[..] {
            [Scalar::Int(value)] => value as i64,
            _ => panic!("an integer scalar"),
        }
    }

    pub(crate) fn value(&self) -> Value {
        let shape = self.shape.iter().map(|&size| Some(size)).collect();
        let bytes = self.data.iter().flat_map(|one| one.bytes(self.dtype)).collect();
        Value { tensor: Tensor::new(self.dtype, shape), bytes }
    }

    pub(crate) fn of(value: &Value) -> Self {
        let dtype = value.tensor.dtype;
        let shape = value.tensor.shape.iter().map(|size| size.unwrap()).collect();
        let data = value.bytes.chunks(dtype.size()).map(|one| Scalar::of(dtype, one)).collect();
        Self { dtype, shape, data }
    }

    /// True if all bits are the same; all NaNs are equal.
    pub(crate) fn same(&self, other: &Self) -> bool {
        let all = |near: fn(&Scalar, &Scalar) -> bool| {
            self.data.iter().zip(&other.data).all(|(a, b)| near(a, b))
        };
        self.dtype == other.dtype && self.shape == other.shape && all(Scalar::same)
    }
}

/// All indices of a shape, in C order.
pub(crate) fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let shape = shape.to_vec();
    (0..shape.iter().product()).map(move |flat: usize| {
        let mut rest = flat;
        let mut index: Vec<usize> = shape
            .iter()
            .rev()
            .map(|&size| {
                let at = rest % size;
                rest /= size;
                at
            })
            .collect();
        index.reverse();
        index
    })
}

/// The broadcast shape of these.
pub(crate) fn broadcast(arrays: &[&Array]) -> Option<Vec<usize>> {
    let ndim = arrays.iter().map(|array| array.shape.len()).max().unwrap_or(0);
    let mut shape = vec![1; ndim];
    for array in arrays {
        let lead = ndim - array.shape.len();
        for (axis, &size) in array.shape.iter().enumerate() {
            let now = &mut shape[lead + axis];
            match (*now, size) {
                (1, size) => *now = size,
                (now, size) if size == 1 || now == size => {}
                _ => return None,
            }
        }
    }
    Some(shape)
}

//! The built-in type: arrays of one dtype and rank, with their shape as far as it is known.

use std::fmt;

use crate::{DType, Error};

/// Arrays of a dtype and rank; rank 0 is a scalar. A size of `None` is unknown until run time; a
/// size of 1 broadcasts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    /// The dtype of the elements.
    pub dtype: DType,
    /// The size of each axis, if it is known.
    pub shape: Vec<Option<usize>>,
}

impl Tensor {
    /// A scalar.
    pub fn scalar(dtype: DType) -> Self {
        Self { dtype, shape: Vec::new() }
    }

    /// Arrays with these sizes.
    pub fn new(dtype: DType, shape: Vec<Option<usize>>) -> Self {
        Self { dtype, shape }
    }

    /// The rank.
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements, if it is known.
    pub fn count(&self) -> Option<usize> {
        self.shape.iter().copied().product()
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shape.is_empty() {
            return write!(f, "{}", self.dtype);
        }
        let sizes: Vec<String> = self
            .shape
            .iter()
            .map(|size| size.map_or_else(|| "?".to_owned(), |size| size.to_string()))
            .collect();
        write!(f, "{}[{}]", self.dtype, sizes.join(", "))
    }
}

/// The broadcast shape of these, by NumPy's rules. An unknown size may be 1, so an axis is
/// determined only by a known size other than 1.
///
/// # Errors
///
/// Two known sizes that differ and are not 1.
pub fn broadcast(shapes: &[&[Option<usize>]]) -> Result<Vec<Option<usize>>, Error> {
    let ndim = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut out = vec![Some(1); ndim];
    for (position, shape) in shapes.iter().enumerate() {
        let lead = ndim - shape.len();
        for (axis, &size) in shape.iter().enumerate() {
            let known = &mut out[lead + axis];
            *known = match (*known, size) {
                (Some(1), size) => size,
                (known, Some(1)) => known,
                (None, size) | (size, None) => size,
                (Some(a), Some(b)) if a == b => Some(a),
                (Some(a), Some(b)) => {
                    return Err(Error::value(format!(
                        "shapes do not broadcast: axis {} is {a} in an earlier input and {b} in input {}",
                        lead + axis,
                        position + 1
                    )));
                }
            };
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_sizes_give_way_to_known_ones() {
        let shape = broadcast(&[&[None, Some(1)], &[Some(3)], &[Some(2), Some(1), None]]).unwrap();
        assert_eq!(shape, [Some(2), None, Some(3)]);
        assert_eq!(broadcast(&[&[None], &[Some(1)]]).unwrap(), [None]);
        assert!(broadcast(&[&[Some(2)], &[Some(3)]]).is_err());
    }
}

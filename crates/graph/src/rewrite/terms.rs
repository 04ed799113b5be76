//! Terms: facts about the inputs of a function, in the new graph.

use crate::{Class, DType, Function, Graph, Op, Var};

/// The inputs of a function, in the new graph.
pub(super) struct Terms<'a> {
    pub(super) graph: &'a Graph,
    pub(super) inputs: &'a [Var],
}

/// A constant of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i128),
    /// Compared by its bits.
    Float(u64),
}

impl Number {
    pub(super) fn is_float(self, value: f64) -> bool {
        self == Number::Float(value.to_bits())
    }
}

impl Terms<'_> {
    pub(super) fn dtype(&self, at: usize) -> DType {
        self.graph.tensor(self.inputs[at]).dtype
    }

    pub(super) fn class(&self, at: usize) -> Class {
        self.dtype(at).class()
    }

    pub(super) fn is_int(&self, at: usize) -> bool {
        matches!(self.class(at), Class::Signed | Class::Unsigned)
    }

    /// The number, if all elements of an input are equal to it.
    pub(super) fn number(&self, at: usize) -> Option<Number> {
        let value = self.graph.constant(self.inputs[at])?;
        let bytes = value.bytes.as_slice();
        if value.tensor.count() != Some(1) {
            return None;
        }
        Some(match value.tensor.dtype {
            DType::Bool | DType::UInt8 => Number::Int(bytes[0].into()),
            DType::Int8 => Number::Int(i8::from_ne_bytes(bytes.try_into().ok()?).into()),
            DType::Int16 => Number::Int(i16::from_ne_bytes(bytes.try_into().ok()?).into()),
            DType::Int32 => Number::Int(i32::from_ne_bytes(bytes.try_into().ok()?).into()),
            DType::Int64 => Number::Int(i64::from_ne_bytes(bytes.try_into().ok()?).into()),
            DType::UInt16 => Number::Int(u16::from_ne_bytes(bytes.try_into().ok()?).into()),
            DType::UInt32 => Number::Int(u32::from_ne_bytes(bytes.try_into().ok()?).into()),
            DType::UInt64 => Number::Int(u64::from_ne_bytes(bytes.try_into().ok()?).into()),
            DType::Float32 => {
                Number::Float(f64::from(f32::from_ne_bytes(bytes.try_into().ok()?)).to_bits())
            }
            DType::Float64 => Number::Float(f64::from_ne_bytes(bytes.try_into().ok()?).to_bits()),
            DType::Complex64 | DType::Complex128 => return None,
        })
    }

    /// True if all elements of an input are equal to the number, whatever its dtype.
    pub(super) fn is(&self, at: usize, number: i32) -> bool {
        self.number(at).is_some_and(|found| {
            found == Number::Int(number.into()) || found.is_float(f64::from(number))
        })
    }

    /// True if all the other inputs are certainly broadcast to the shape of this one, which is
    /// therefore that of the result.
    pub(super) fn has_the_shape_of_all(&self, at: usize) -> bool {
        let shape = &self.graph.tensor(self.inputs[at]).shape;
        let fits = |&input: &Var| {
            let other = &self.graph.tensor(input).shape;
            let lead = shape.len().checked_sub(other.len());
            input == self.inputs[at]
                || lead.is_some_and(|lead| {
                    let mut sizes = other.iter().zip(&shape[lead..]);
                    sizes.all(|(other, size)| *other == Some(1) || other.is_some() && other == size)
                })
        };
        self.inputs.iter().all(fits)
    }

    /// The function and the inputs from which an input is computed.
    pub(super) fn definition(&self, at: usize) -> Option<(Function, &[Var])> {
        let (node, _) = self.graph.owner(self.inputs[at])?;
        let node = &self.graph.nodes()[node];
        match node.op {
            Op::Map(function) => Some((function, &node.inputs)),
            _ => None,
        }
    }

    /// The argument of an input that is this function of one argument.
    pub(super) fn argument(&self, at: usize, wanted: Function) -> Option<Var> {
        self.definition(at).filter(|(function, _)| *function == wanted).map(|(_, inputs)| inputs[0])
    }
}

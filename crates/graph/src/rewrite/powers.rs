//! Powers: powers by small integers and halves become products and roots.
//!
//! Invariant: integers, which wrap around, are exact. Floats have the special values of C's `pow`
//! (a negative infinity to the power of a half is infinite, -0.0 to it is 0.0) and are at most
//! 4 units in the last place off, as functions of the vector math library are. The last operation
//! adds half a unit, each earlier one up to a whole unit, and an error counts once for each factor
//! that has it. The limits on exponents follow.
//! Reason: a product takes a tenth of the time of `pow`.

use super::Context;
use super::terms::{Number, Terms};
use crate::Function::*;
use crate::graph::Rebuild;
use crate::{Class, Function, Graph, Op, Var};

/// The limits on exponents of floats, of which halves need a root too.
const LEAST: f64 = -3.0;
const MOST: f64 = 5.0;
const MOST_OF_HALVES: f64 = 3.5;

/// The limit on the exponent of an integer: six squares, and as many products.
const MOST_OF_INTEGERS: i128 = 64;

pub(super) fn powers(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let mut rebuild = Rebuild::new(graph);
    for node in graph.nodes() {
        let inputs = rebuild.vars(&node.inputs);
        let exponent = match node.op {
            Op::Map(Pow) => Exponent::of(&Terms { graph: &rebuild.to, inputs: &inputs }),
            _ => None,
        };
        let Some(exponent) = exponent else {
            rebuild.keep(node)?;
            continue;
        };
        context.did(exponent.description());
        let mut product = Product { rebuild: &mut rebuild, sites: &node.sites };
        let power = product.power(inputs[0], exponent)?;
        rebuild.set(node.outputs[0], power);
    }
    Some(rebuild.finish())
}

/// `whole`, with `half` `whole + 1/2`; negative with `inverse`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Exponent {
    whole: u32,
    half: bool,
    inverse: bool,
}

impl Exponent {
    /// The exponent of a power, if it is a constant that is small enough.
    ///
    /// Those that need one operation (-1, 1, 2) are left to `algebra`.
    fn of(terms: &Terms<'_>) -> Option<Self> {
        if !terms.has_the_shape_of_all(0) {
            return None;
        }
        match (terms.class(0), terms.number(1)?) {
            (Class::Signed | Class::Unsigned, Number::Int(power)) => {
                let small = (3..=MOST_OF_INTEGERS).contains(&power);
                small.then_some(Self { whole: power as u32, half: false, inverse: false })
            }
            (Class::Float, Number::Float(bits)) => {
                let power = f64::from_bits(bits);
                let (whole, half) = (power.abs().trunc(), power.abs().fract() == 0.5);
                let most = if half { MOST_OF_HALVES } else { MOST };
                let small = (LEAST..=most).contains(&power) && (half || power.fract() == 0.0);
                let done = [-1.0, 0.0, 1.0, 2.0].contains(&power);
                let inverse = power < 0.0;
                (small && !done).then_some(Self { whole: whole as u32, half, inverse })
            }
            _ => None,
        }
    }

    fn description(self) -> String {
        let sign = if self.inverse { "-" } else { "" };
        let (half, root) = if self.half { (".5", " and a root") } else { ("", "") };
        format!("x ** {sign}{}{half} by products{root}", self.whole)
    }
}

/// The nodes of a power.
struct Product<'a, 'b> {
    rebuild: &'a mut Rebuild<'b>,
    sites: &'a [u32],
}

impl Product<'_, '_> {
    fn map(&mut self, function: Function, inputs: &[Var]) -> Option<Var> {
        Some(self.rebuild.apply(Op::Map(function), inputs, self.sites)?[0])
    }

    fn power(&mut self, x: Var, exponent: Exponent) -> Option<Var> {
        let Exponent { whole, half, inverse } = exponent;
        if whole == 0 {
            let root = self.root(x)?;
            return if inverse { self.map(Reciprocal, &[root]) } else { Some(root) };
        }
        if inverse && (whole > 2 || whole == 2 && half) {
            // A factor by division has an error of its own only. Where the square overflows or
            // vanishes, so does the result.
            let rest = self.power(x, Exponent { whole: whole - 2, ..exponent })?;
            let square = self.map(Square, &[x])?;
            return self.map(TrueDivide, &[rest, square]);
        }
        // The reciprocal comes first: the power could overflow where its reciprocal does not vanish.
        let base = if inverse { self.map(Reciprocal, &[x])? } else { x };
        if !half {
            return self.whole(base, whole);
        }
        // The root of a negative number is NaN, except for -0.0 and the infinity, whose powers are
        // positive.
        let factor = if whole % 2 == 1 { self.map(Absolute, &[base])? } else { base };
        let (product, root) = (self.whole(factor, whole)?, self.root(x)?);
        self.map(if inverse { TrueDivide } else { Mul }, &[product, root])
    }

    fn whole(&mut self, x: Var, power: u32) -> Option<Var> {
        match power {
            1 => Some(x),
            _ if power.is_multiple_of(2) => {
                let half = self.whole(x, power / 2)?;
                self.map(Square, &[half])
            }
            _ => {
                let rest = self.whole(x, power - 1)?;
                self.map(Mul, &[rest, x])
            }
        }
    }

    /// C's `pow(x, 0.5)`: as `sqrt`, but 0.0 of -0.0, and an infinity of the negative infinity.
    fn root(&mut self, x: Var) -> Option<Var> {
        let root = self.map(Sqrt, &[x])?;
        let positive = self.map(Absolute, &[root])?;
        let (size, infinite) = (self.map(Absolute, &[x])?, self.map(IsInf, &[x])?);
        self.map(Where, &[infinite, size, positive])
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Array, Build, Scalar, only, run};
    use crate::{Class, DType, Function, Op};

    /// The results of powers of values, before and after, and the functions that compute them.
    fn both(dtype: DType, power: Scalar, values: &[Scalar]) -> (Vec<Scalar>, Vec<Scalar>, Vec<Op>) {
        let mut b = Build::new();
        let x = b.vector(dtype);
        let exponent = b.constant(&Array::scalar(dtype, power.cast(dtype)));
        let out = b.map(Function::Pow, &[x, exponent]);
        let graph = b.outputs(&[out]);
        let after = only("powers", &graph).0;
        let ops = after.nodes().iter().map(|node| node.op.clone()).collect();
        let x = Array { dtype, shape: vec![values.len()], data: values.to_vec() };
        let results = |graph| run(graph, std::slice::from_ref(&x)).unwrap().remove(0).data;
        (results(&graph), results(&after), ops)
    }

    /// Values of every size, and all special ones.
    fn values(dtype: DType) -> Vec<Scalar> {
        let (least, most) = match dtype {
            DType::Float32 => (f64::from(f32::from_bits(1)), f64::from(f32::MAX)),
            _ => (f64::from_bits(1), f64::MAX),
        };
        let mut values: Vec<f64> =
            vec![0.0, 1.0, least, 3.0 * least, most, most / 3.0, f64::INFINITY, f64::NAN];
        let mut state = 1_u64;
        for _ in 0..4000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let exponent = if dtype == DType::Float32 { 40 } else { 350 };
            let size = f64::from((state >> 40) as u32 % (2 * exponent)) - f64::from(exponent);
            values.push((1.0 + (state >> 11) as f64 / (1_u64 << 53) as f64) * size.exp2());
        }
        let negative: Vec<f64> = values.iter().map(|x| -x).collect();
        values.into_iter().chain(negative).map(|x| Scalar::Float(x).cast(dtype)).collect()
    }

    fn float(value: Scalar) -> f64 {
        match value {
            Scalar::Float(value) => value,
            Scalar::Int(value) => panic!("{value} is not a float"),
        }
    }

    #[test]
    fn powers_of_floats_are_within_four_units() {
        for dtype in [DType::Float32, DType::Float64] {
            let values = values(dtype);
            for twice in -8..=12 {
                let power = f64::from(twice) / 2.0;
                let (wanted, got, ops) = both(dtype, Scalar::Float(power), &values);
                let skipped = [-8, -7, -2, 0, 2, 4, 9, 11, 12].contains(&twice);
                assert_eq!(ops == [Op::Map(Function::Pow)], skipped, "{power}: {ops:?}");
                for ((wanted, got), x) in wanted.iter().zip(&got).zip(&values) {
                    let (wanted, got) = (float(*wanted), float(*got));
                    let size = wanted.abs();
                    let unit = match dtype {
                        DType::Float32 => {
                            let above = f32::from_bits((size as f32).to_bits() + 1);
                            f64::from(above) - size
                        }
                        _ => f64::from_bits(size.to_bits() + 1) - size,
                    };
                    let near = (wanted - got).abs() <= 4.0 * unit
                        && wanted.is_sign_negative() == got.is_sign_negative();
                    // The greatest numbers may overflow within the same units.
                    let edge = got.is_infinite() && (size + 4.0 * unit).is_infinite();
                    let same = Scalar::Float(wanted).same(&Scalar::Float(got));
                    assert!(same || near || edge, "{x:?} ** {power}: {got:e} for {wanted:e}");
                }
            }
        }
    }

    #[test]
    fn powers_of_integers_are_exact() {
        for dtype in [DType::Int8, DType::UInt8, DType::Int32, DType::Int64, DType::UInt64] {
            let signed = dtype.class() == Class::Signed;
            let values: Vec<Scalar> =
                [0, 1, 2, 3, -1, -2, 7, 100, 127].map(|x| Scalar::Int(x).cast(dtype)).to_vec();
            for power in if signed { -2..66 } else { 0..66 } {
                let (wanted, got, ops) = both(dtype, Scalar::Int(power), &values);
                assert_eq!(wanted, got, "{dtype:?} ** {power}");
                let products = ops.iter().all(|op| *op != Op::Map(Function::Pow));
                assert_eq!(products, (3..=64).contains(&power), "{power}: {ops:?}");
            }
        }
    }

    #[test]
    fn a_power_that_is_broadcast_stays() {
        let mut b = Build::new();
        let x = b.vector(DType::Float64);
        let threes = Array::from_fn(DType::Float64, &[4], |_| Scalar::Float(3.0));
        let threes = b.constant(&threes);
        let out = b.map(Function::Pow, &[x, threes]);
        let graph = b.outputs(&[out]);
        assert_eq!(only("powers", &graph).0, graph);
    }
}

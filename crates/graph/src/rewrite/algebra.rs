//! Algebra: simplifies functions, if the result is exactly the same.
//!
//! Invariant: a rule holds for every value of its dtypes, including NaN, infinities, -0.0 and
//! integers that wrap around; only the choice of a NaN may differ. So `x * 0` and `x - x` are
//! unchanged, and `x + 0.0` is unchanged (-0.0 becomes 0.0). Products and roots that differ from
//! powers in their last bits are in `powers.rs`.

use std::sync::Arc;

use super::Context;
use super::terms::{Number, Terms};
use crate::Function::*;
use crate::graph::Rebuild;
use crate::{Class, DType, Function, Graph, Op, Value, Var};

pub(super) fn algebra(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let mut rebuild = Rebuild::new(graph);
    for node in graph.nodes() {
        let Op::Map(function) = node.op else {
            rebuild.keep(node)?;
            continue;
        };
        let inputs = rebuild.vars(&node.inputs);
        let terms = Terms { graph: &rebuild.to, inputs: &inputs };
        let tried = RULES.iter().find_map(|(name, rule)| Some((name, rule(&terms, function)?)));
        let Some((name, less)) = tried else {
            rebuild.keep(node)?;
            continue;
        };
        context.did(*name);
        match less {
            Less::Same(var) => rebuild.set(node.outputs[0], var),
            Less::Map(function, inputs) => rebuild.replace(node, Op::Map(function), &inputs)?,
            Less::Scaled(x, factor) => {
                let factor = rebuild.constant(Arc::new(factor));
                rebuild.replace(node, Op::Map(Mul), &[x, factor])?;
            }
        }
    }
    Some(rebuild.finish())
}

/// The replacement for a node.
enum Less {
    Same(Var),
    Map(Function, Vec<Var>),
    Scaled(Var, Value),
}

impl Terms<'_> {
    /// The input, if it can replace the result.
    fn alone(&self, at: usize) -> Option<Less> {
        self.has_the_shape_of_all(at).then_some(Less::Same(self.inputs[at]))
    }

    /// The other of two inputs, if one is a neutral element according to `neutral`.
    fn neutral(&self, is_neutral: impl Fn(usize) -> bool) -> Option<Less> {
        let either = [(0, 1), (1, 0)].into_iter();
        either.filter(|&(_, other)| is_neutral(other)).find_map(|(at, _)| self.alone(at))
    }

    fn map(&self, function: Function, inputs: &[Var]) -> Option<Less> {
        Some(Less::Map(function, inputs.to_vec()))
    }
}

type Rule = fn(&Terms<'_>, Function) -> Option<Less>;

/// The rules, with their names.
const RULES: [(&str, Rule); 23] = [
    ("x * 1 is x", |t, f| {
        let one = |at| t.is(at, 1) && t.class(at) != Class::Complex;
        if f == Mul { t.neutral(one) } else { None }
    }),
    ("x / 1 is x", |t, f| {
        let exact = f == TrueDivide || f == FloorDivide && t.is_int(0);
        if exact && t.is(1, 1) { t.alone(0) } else { None }
    }),
    ("x / 2**n is x * 2**-n", |t, f| {
        if f == TrueDivide { Some(Less::Scaled(t.inputs[0], inverse(t)?)) } else { None }
    }),
    ("x - 0 is x", |t, f| if f == Sub && t.is(1, 0) { t.alone(0) } else { None }),
    ("x + 0 is x", |t, f| {
        let zero = |at| match t.number(at) {
            Some(Number::Int(0)) => true,
            Some(number) => number.is_float(-0.0),
            None => false,
        };
        if f == Add { t.neutral(zero) } else { None }
    }),
    ("x + (-y) is x - y", |t, f| {
        let turned = match f {
            Add => Sub,
            Sub => Add,
            _ => return None,
        };
        if let Some(y) = t.argument(1, Negative) {
            return t.map(turned, &[t.inputs[0], y]);
        }
        let y = t.argument(0, Negative).filter(|_| f == Add)?;
        t.map(Sub, &[t.inputs[1], y])
    }),
    ("x ** 1 is x", |t, f| if f == Pow && t.is(1, 1) && real(t) { t.alone(0) } else { None }),
    ("x ** 2 is square(x)", |t, f| {
        let square = f == Pow && t.is(1, 2) && real(t) && t.has_the_shape_of_all(0);
        if square { t.map(Square, &t.inputs[..1]) } else { None }
    }),
    ("x ** -1 is 1 / x", |t, f| {
        let inverse = f == Pow && t.is(1, -1) && t.dtype(0).is_float();
        if inverse && t.has_the_shape_of_all(0) { t.map(Reciprocal, &t.inputs[..1]) } else { None }
    }),
    ("x * x is square(x)", |t, f| {
        let twice = f == Mul && t.inputs[0] == t.inputs[1] && real(t) && t.class(0) != Class::Bool;
        if twice { t.map(Square, &t.inputs[..1]) } else { None }
    }),
    ("done twice it is undone", |t, f| match f {
        Negative | Invert => t.argument(0, f).map(Less::Same),
        Conj => t.argument(0, f).map(Less::Same),
        LogicalNot => {
            let x = t.argument(0, f)?;
            (t.graph.tensor(x).dtype == DType::Bool).then_some(Less::Same(x))
        }
        _ => None,
    }),
    ("done twice it is done", |t, f| match f {
        Absolute if real(t) => t.argument(0, f).map(|_| Less::Same(t.inputs[0])),
        Sign | Floor | Ceil | Trunc | Rint if real(t) => {
            t.argument(0, f).map(|_| Less::Same(t.inputs[0]))
        }
        _ => None,
    }),
    ("the sign is lost anyway", |t, f| {
        let x = t.argument(0, Negative).or_else(|| t.argument(0, Absolute))?;
        let lost = (f == Square || f == Absolute && t.class(0) != Class::Unsigned)
            && t.graph.tensor(x).dtype == t.dtype(0);
        if lost && real(t) { t.map(f, &[x]) } else { None }
    }),
    ("nothing to do for this dtype", |t, f| {
        let class = t.class(0);
        let nothing = match f {
            Conj | RealPart => class != Class::Complex,
            Absolute => matches!(class, Class::Bool | Class::Unsigned),
            Floor | Ceil | Trunc => matches!(class, Class::Bool | Class::Unsigned | Class::Signed),
            _ => false,
        };
        if nothing { t.alone(0) } else { None }
    }),
    ("of the same twice", |t, f| {
        let same = t.inputs.len() == 2 && t.inputs[0] == t.inputs[1];
        let itself = match f {
            BitwiseAnd | BitwiseOr | Maximum | Minimum | Fmax | Fmin => true,
            LogicalAnd | LogicalOr => t.dtype(0) == DType::Bool,
            _ => false,
        };
        if same && itself { t.alone(0) } else { None }
    }),
    ("bits that change nothing", |t, f| {
        let ones = |at| match t.dtype(at) {
            DType::Bool => t.is(at, 1),
            dtype => {
                let all = (1_i128 << (8 * dtype.size())) - 1;
                t.number(at) == Some(Number::Int(all)) && dtype.class() == Class::Unsigned
                    || t.is(at, -1) && dtype.class() == Class::Signed
            }
        };
        match f {
            BitwiseAnd => t.neutral(ones),
            BitwiseOr | BitwiseXor => t.neutral(|at| t.is(at, 0)),
            LeftShift | RightShift if t.is(1, 0) => t.alone(0),
            _ => None,
        }
    }),
    ("truth that changes nothing", |t, f| {
        let truth = match f {
            LogicalAnd | Eq => 1,
            LogicalOr | LogicalXor | Ne => 0,
            _ => return None,
        };
        if t.dtype(0) == DType::Bool { t.neutral(|at| t.is(at, truth)) } else { None }
    }),
    ("not x == y is x != y", |t, f| {
        let (made, inputs) = if f == LogicalNot { t.definition(0)? } else { return None };
        let ordered =
            !matches!(t.graph.tensor(inputs[0]).dtype.class(), Class::Float | Class::Complex);
        let turned = match made {
            Eq => Ne,
            Ne => Eq,
            // Not for floats: no comparison with NaN is true, except `!=`.
            Lt if ordered => Ge,
            Le if ordered => Gt,
            Gt if ordered => Le,
            Ge if ordered => Lt,
            _ => return None,
        };
        t.map(turned, inputs)
    }),
    ("where either is the same", |t, f| {
        if f == Where && t.inputs[1] == t.inputs[2] { t.alone(1) } else { None }
    }),
    ("where always or never", |t, f| match t.number(0).filter(|_| f == Where)? {
        Number::Int(0) => t.alone(2),
        _ => t.alone(1),
    }),
    ("where not is where turned around", |t, f| {
        let condition = if f == Where { t.argument(0, LogicalNot)? } else { return None };
        let is_truth = t.graph.tensor(condition).dtype == DType::Bool;
        if is_truth { t.map(Where, &[condition, t.inputs[2], t.inputs[1]]) } else { None }
    }),
    ("a cast that is undone", |t, f| {
        let (Cast(to), (Cast(through), inputs)) = (f, t.definition(0)?) else { return None };
        let from = t.graph.tensor(inputs[0]).dtype;
        (to == from && holds(through, from)).then_some(Less::Same(inputs[0]))
    }),
    ("two casts are one", |t, f| {
        let (Cast(to), (Cast(through), inputs)) = (f, t.definition(0)?) else { return None };
        let from = t.graph.tensor(inputs[0]).dtype;
        // A cast of a float or a complex number to an integer differs from that of an integer.
        let alike = through.class() == from.class() || !to.is_integer() || through.is_integer();
        let exact = holds(through, from) && alike && !through.is_complex();
        if exact { t.map(f, inputs) } else { None }
    }),
];

/// True if the first argument is not complex.
fn real(t: &Terms<'_>) -> bool {
    t.class(0) != Class::Complex
}

/// The reciprocal of the second input, if it is a power of two so that multiplying is exact, like
/// dividing.
fn inverse(t: &Terms<'_>) -> Option<Value> {
    let Some(Number::Float(bits)) = t.number(1) else { return None };
    let inverse = f64::from_bits(bits).recip();
    let power = bits << 12 == 0;
    let tensor = t.graph.tensor(t.inputs[1]).clone();
    let bytes = match tensor.dtype {
        DType::Float32 if (inverse as f32).is_normal() => (inverse as f32).to_ne_bytes().to_vec(),
        DType::Float64 if inverse.is_normal() => inverse.to_ne_bytes().to_vec(),
        _ => return None,
    };
    let normal = f64::from_bits(bits).is_normal();
    (power && normal && f64::from_bits(bits) != 1.0).then_some(Value { tensor, bytes })
}

/// True if every value of a dtype is one of another.
fn holds(dtype: DType, value: DType) -> bool {
    let (size, wanted) = (dtype.real().size(), value.real().size());
    match (dtype.class(), value.class()) {
        (_, Class::Bool) => dtype != DType::Bool || value == DType::Bool,
        (Class::Signed, Class::Unsigned) => size > wanted,
        (Class::Float | Class::Complex, Class::Signed | Class::Unsigned) => {
            size > wanted && wanted < 8
        }
        (Class::Complex, Class::Float) => size >= wanted,
        (class, other) => class == other && size >= wanted,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::{Array, Build, Scalar, assert_same, only};

    /// Values that are special cases of rules.
    fn special(dtype: DType) -> Vec<Scalar> {
        let bits = 8 * dtype.size() as u32;
        match dtype.class() {
            Class::Bool => vec![0, 1].into_iter().map(Scalar::Int).collect(),
            Class::Signed | Class::Unsigned => {
                [0, 1, 2, 3, -1, -2, 1 << (bits - 1), (1 << (bits - 1)) - 1]
                    .map(|value: i128| Scalar::Int(value).cast(dtype))
                    .to_vec()
            }
            _ => {
                let least = if dtype == DType::Float32 { 1e-45 } else { 5e-324 };
                let most = if dtype == DType::Float32 { f32::MAX.into() } else { f64::MAX };
                [
                    0.0,
                    -0.0,
                    1.0,
                    -1.0,
                    2.0,
                    0.5,
                    -2.5,
                    3.0,
                    1e-30,
                    least,
                    -least,
                    7.0 * least,
                    most,
                    f64::INFINITY,
                    f64::NEG_INFINITY,
                    f64::NAN,
                    0.25,
                    1024.0,
                    3e-39,
                ]
                .map(|value| Scalar::Float(value).cast(dtype))
                .to_vec()
            }
        }
    }

    const FUNCTIONS: [Function; 39] = [
        Add,
        Sub,
        Mul,
        TrueDivide,
        FloorDivide,
        Mod,
        Pow,
        Negative,
        Absolute,
        Sign,
        Square,
        Conj,
        RealPart,
        Eq,
        Ne,
        Lt,
        Le,
        Gt,
        Ge,
        LogicalAnd,
        LogicalOr,
        LogicalXor,
        LogicalNot,
        BitwiseAnd,
        BitwiseOr,
        BitwiseXor,
        Invert,
        LeftShift,
        RightShift,
        Maximum,
        Minimum,
        Where,
        Floor,
        Ceil,
        Trunc,
        Rint,
        IsNan,
        Sqrt,
        Exp,
    ];

    const DTYPES: [DType; 8] = [
        DType::Bool,
        DType::Int8,
        DType::UInt8,
        DType::Int32,
        DType::Int64,
        DType::UInt64,
        DType::Float32,
        DType::Float64,
    ];

    fn fits(function: Function, dtypes: &[DType]) -> bool {
        function.result(dtypes).is_ok()
    }

    /// Rewrites the graph, records the rules that were applied, and compares.
    fn check(b: &Build, out: Var, inputs: &[Array], used: &mut BTreeSet<String>) {
        let graph = b.outputs(&[out]);
        let (after, report) = only("algebra", &graph);
        for sentence in report.done.iter().flat_map(|done| &done.sentences) {
            used.insert(sentence.split(", ").next().unwrap_or(sentence).to_owned());
        }
        if after != graph {
            assert_same(&graph, &after, inputs);
        }
    }

    /// All special values of a dtype, and all pairs of them.
    fn pairs(dtype: DType) -> [Array; 2] {
        let values = special(dtype);
        let all = |other: bool| {
            Array::from_fn(dtype, &[values.len(), values.len()], |at| {
                values[at[usize::from(other)]]
            })
        };
        [all(false), all(true)]
    }

    #[test]
    fn every_rule_is_exact_for_special_values() {
        let mut used = BTreeSet::new();
        for dtype in DTYPES {
            let shape = [None, None];
            let [x, y] = pairs(dtype);
            for function in FUNCTIONS {
                // With constants, on either side; with itself; with functions of others.
                for value in special(dtype) {
                    for turned in [false, true] {
                        let mut b = Build::new();
                        let v = b.input(dtype, &shape);
                        let c = b.constant(&Array::scalar(dtype, value));
                        let both = if turned { [c, v] } else { [v, c] };
                        if function.arity() == 2 && fits(function, &[dtype; 2]) {
                            let out = b.map(function, &both);
                            check(&b, out, std::slice::from_ref(&x), &mut used);
                        }
                    }
                }
                if function.arity() == 2 && fits(function, &[dtype; 2]) {
                    for inner in FUNCTIONS.into_iter().filter(|inner| inner.arity() == 1) {
                        if inner.result(&[dtype]) != Ok(dtype) {
                            continue;
                        }
                        for kind in 0..4 {
                            let mut b = Build::new();
                            let (v, w) = (b.input(dtype, &shape), b.input(dtype, &shape));
                            let made = b.map(inner, &[w]);
                            let both = [[v, made], [made, v], [made, made], [w, made]][kind];
                            let out = b.map(function, &both);
                            check(&b, out, &[x.clone(), y.clone()], &mut used);
                        }
                    }
                }
            }
        }
        for (outer, inner) in FUNCTIONS.iter().flat_map(|a| FUNCTIONS.map(|b| (*a, b))) {
            for dtype in DTYPES.into_iter().filter(|_| outer.arity() == 1 && inner.arity() < 3) {
                let dtypes = vec![dtype; inner.arity()];
                let Ok(middle) = inner.result(&dtypes) else { continue };
                if fits(outer, &[middle]) {
                    let mut b = Build::new();
                    let both = [b.input(dtype, &[None, None]), b.input(dtype, &[None, None])];
                    let made = b.map(inner, &both[..inner.arity()]);
                    let out = b.map(outer, &[made]);
                    check(&b, out, &pairs(dtype), &mut used);
                }
            }
        }
        for (from, through, to) in
            DTYPES.iter().flat_map(|&a| DTYPES.iter().flat_map(move |&b| DTYPES.map(|c| (a, b, c))))
        {
            // The cast of floats beyond the range of an integer dtype is undefined.
            if from.is_float() && (through.is_integer() || to.is_integer()) {
                continue;
            }
            let mut b = Build::new();
            let v = b.input(from, &[None, None]);
            let wide = b.map(Cast(through), &[v]);
            let out = b.map(Cast(to), &[wide]);
            let fits = |value: &Scalar| {
                !through.is_float() || !to.is_integer() || {
                    let bits = 8 * to.size() as i32;
                    value.int().unsigned_abs() < 1 << (bits - 1).min(62) && value.int() >= 0
                }
            };
            let values: Vec<Scalar> = special(from).into_iter().filter(fits).collect();
            let x = Array { dtype: from, shape: vec![1, values.len()], data: values };
            check(&b, out, &[x], &mut used);
        }
        for dtype in DTYPES {
            for (condition, yes, no) in [(0, 1, 2), (1, 1, 2), (2, 1, 2), (2, 1, 1), (3, 1, 2)] {
                let mut b = Build::new();
                let v = b.input(DType::Bool, &[Some(2)]);
                let not = b.map(LogicalNot, &[v]);
                let constants = [0, 1].map(|truth| Array::scalar(DType::Bool, Scalar::Int(truth)));
                let [never, always] = constants.map(|constant| b.constant(&constant));
                let condition = [never, always, v, not][condition];
                let values = [0, 1, 2].map(|_| b.input(dtype, &[Some(2)]));
                let out = b.map(Where, &[condition, values[yes], values[no]]);
                let bools =
                    Array { dtype: DType::Bool, shape: vec![2], data: special(DType::Bool) };
                let two = |skip| Array {
                    dtype,
                    shape: vec![2],
                    data: special(dtype).into_iter().cycle().skip(skip).take(2).collect(),
                };
                check(&b, out, &[bools, two(0), two(1), two(3)], &mut used);
            }
        }
        let names = RULES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(used, names);
    }

    #[test]
    fn an_input_that_is_broadcast_stays() {
        for (shape, nodes) in [(&[][..], 0), (&[1], 0), (&[3], 1), (&[1, 1], 1)] {
            let mut b = Build::new();
            let x = b.vector(DType::Float64);
            let ones = Array::from_fn(DType::Float64, shape, |_| Scalar::Float(1.0));
            let ones = b.constant(&ones);
            let out = b.map(Mul, &[x, ones]);
            let graph = only("algebra", &b.outputs(&[out])).0;
            let left = graph.nodes().iter().filter(|node| node.op == Op::Map(Mul));
            assert_eq!(left.count(), nodes);
        }
    }
}

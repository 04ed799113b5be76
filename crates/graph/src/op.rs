//! Ops: the operations of nodes, with their names and parameters in front ends.

use std::sync::Arc;

use crate::{Body, DType, Error, Function, Rows, Wrapped};

/// The operation of a node. Names and parameters in brackets are those of [`Op::from_spec`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A scalar function of each element, inputs broadcast: `("map", (function,))`.
    Map(Function),
    /// Several scalar functions at once, inputs broadcast: the result of fusing maps.
    Fused(Arc<Body>),
    /// A reduction: `("reduce", (function, axes, keepdims))`.
    Reduce {
        /// The reduction.
        reduction: Reduction,
        /// The axes, ascending.
        axes: Vec<usize>,
        /// Whether the axes are kept, with size 1.
        keepdims: bool,
    },
    /// Sums or products of the elements up to each one along an axis: `("accumulate", (function,
    /// axis))`.
    Accumulate {
        /// [`Reduction::Sum`] or [`Reduction::Prod`].
        reduction: Reduction,
        /// The axis.
        axis: usize,
    },
    /// Reductions of functions of the inputs, which broadcast: the result of fusing maps into
    /// reductions.
    Fold {
        /// The computation of an element: one output per reduction.
        body: Arc<Body>,
        /// The reduction of each output of the body.
        reductions: Vec<Reduction>,
        /// The axes, ascending.
        axes: Vec<usize>,
        /// Whether the axes are kept, with size 1.
        keepdims: bool,
    },
    /// Stages over the last axes, row by row: the result of fusing maps and reductions.
    Rows(Arc<Rows>),
    /// `numpy.matmul`: `("matmul", ())`.
    MatMul,
    /// `alpha * a @ b + beta * c`; inputs c, a, b, alpha, beta: created by a rewrite that
    /// recognises it.
    Gemm,
    /// The axes in another order: `("transpose", perm)`. A view.
    Transpose(Vec<usize>),
    /// New axes of size 1, at these positions of the result: `("expand", axes)`. A view.
    Expand(Vec<usize>),
    /// Axes of size 1 removed: `("squeeze", axes)`. A view.
    Squeeze(Vec<usize>),
    /// Broadcast to the sizes that follow the array among the inputs: `("broadcast_to", ())`. A view.
    BroadcastTo,
    /// The sizes follow the array among the inputs, one may be -1: `("reshape", ())`. A view if the
    /// memory layout allows it.
    Reshape,
    /// Basic indexing; the scalars follow the array among the inputs: `("slice", spec)`. A view.
    Slice(Vec<Subscript>),
    /// Elements along an axis, by an array of indices: `("take", (axis,))`.
    Take(usize),
    /// Elements where a bool array is true: `("mask", ())`.
    Mask,
    /// A copy of an array in which the elements of a basic index are set to, or increased by, a
    /// value: `("set_slice", spec + ("set" | "inc",))`. Inputs: array, value, scalars.
    SetSlice {
        /// The basic index.
        spec: Vec<Subscript>,
        /// Increased instead of set.
        increase: bool,
    },
    /// A copy of an array in which the elements at an array of indices along an axis, or where a bool
    /// array of the first axes is true, are set to, or increased by, a value, in order: `("put",
    /// (axis, "set" | "inc"))`. Inputs: array, value, indices or mask. For a mask the axis is 0.
    Put {
        /// The axis.
        axis: usize,
        /// Increased instead of set; an index that occurs twice increases twice.
        increase: bool,
    },
    /// Arrays concatenated along an axis: `("join", (axis,))`.
    Join(usize),
    /// start, stop, step: `("arange", (dtype,))`.
    Arange(DType),
    /// One value for all elements; the sizes follow it among the inputs: `("full", ())`.
    Full,
    /// One size: `("shape_i", (axis,))`.
    ShapeI(usize),
    /// All sizes, as a vector: `("shape", ())`.
    Shape,
    /// A vector of scalars: `("make_vector", ())`.
    MakeVector,
    /// A copy in C order: `("deep_copy", ())`.
    DeepCopy,
    /// The same array: `("view", ())`.
    View,
    /// The first input, if the second, a bool, is false; else a failure: integers have no negative
    /// powers. Created for such powers. A view.
    Unless,
    /// A call of a C function with an interface; created by the code that has read the interface.
    Wrapped(Arc<Wrapped>),
}

/// Reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// `+`, from 0
    Sum,
    /// `*`, from 1
    Prod,
    /// The smallest; NaN if there is one.
    Min,
    /// The largest; NaN if there is one.
    Max,
    /// The largest element, or the least value of the dtype for none; NaN if there is one.
    Supremum,
    /// True if one is not zero.
    Any,
    /// True if none is zero.
    All,
    /// The index of the first smallest element, or of the first NaN.
    Argmin,
    /// The index of the first largest element, or of the first NaN.
    Argmax,
}

impl Reduction {
    /// Every reduction.
    pub const ALL: [Reduction; 9] = [
        Reduction::Sum,
        Reduction::Prod,
        Reduction::Min,
        Reduction::Max,
        Reduction::Supremum,
        Reduction::Any,
        Reduction::All,
        Reduction::Argmin,
        Reduction::Argmax,
    ];

    /// NumPy's name.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Sum => "sum",
            Reduction::Prod => "prod",
            Reduction::Min => "min",
            Reduction::Max => "max",
            Reduction::Supremum => "supremum",
            Reduction::Any => "any",
            Reduction::All => "all",
            Reduction::Argmin => "argmin",
            Reduction::Argmax => "argmax",
        }
    }

    /// The dtype of the result.
    ///
    /// # Errors
    ///
    /// A dtype without an order, or without an addition.
    pub fn result(self, dtype: DType) -> Result<DType, Error> {
        let wrong = || Err(Error::kind_type(format!("{} is not defined for {dtype}", self.name())));
        match self {
            Reduction::Sum | Reduction::Prod if dtype == DType::Bool => wrong(),
            Reduction::Min
            | Reduction::Max
            | Reduction::Supremum
            | Reduction::Argmin
            | Reduction::Argmax
                if dtype.is_complex() =>
            {
                wrong()
            }
            Reduction::Any | Reduction::All => Ok(DType::Bool),
            Reduction::Argmin | Reduction::Argmax => Ok(DType::Int64),
            _ => Ok(dtype),
        }
    }

    /// True if the reduction of no elements has a value.
    pub fn has_identity(self) -> bool {
        use Reduction::{All, Any, Prod, Sum, Supremum};
        matches!(self, Sum | Prod | Supremum | Any | All)
    }
}

/// One axis of basic indexing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subscript {
    /// One element; takes a scalar, the axis is removed. `("i",)`
    Index,
    /// A range of elements; takes a scalar for each bound that is present. `("s", has_start,
    /// has_stop, step)`
    Range {
        /// Whether it has a start.
        start: bool,
        /// Whether it has a stop.
        stop: bool,
        /// Nonzero.
        step: i64,
    },
}

impl Subscript {
    /// The number of scalars that it takes.
    pub fn scalars(self) -> usize {
        match self {
            Subscript::Index => 1,
            Subscript::Range { start, stop, .. } => usize::from(start) + usize::from(stop),
        }
    }
}

/// A parameter of an op, from a front end.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    /// An integer, or a bool.
    Int(i64),
    /// A name.
    Str(String),
    /// A sequence.
    List(Vec<Param>),
}

impl Param {
    fn axis(&self) -> Option<usize> {
        match self {
            Param::Int(value) => usize::try_from(*value).ok(),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Param::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a part is increased by a value, or set to it.
    fn increases(&self) -> Option<bool> {
        match self.text()? {
            "set" => Some(false),
            "inc" => Some(true),
            _ => None,
        }
    }

    fn list(&self) -> Option<&[Param]> {
        match self {
            Param::List(items) => Some(items),
            _ => None,
        }
    }
}

fn axes(params: &[Param]) -> Option<Vec<usize>> {
    params.iter().map(Param::axis).collect()
}

fn subscript(param: &Param) -> Option<Subscript> {
    match param.list()? {
        [kind] if kind.text() == Some("i") => Some(Subscript::Index),
        [kind, start, stop, Param::Int(step)] if kind.text() == Some("s") && *step != 0 => {
            Some(Subscript::Range {
                start: start.axis()? != 0,
                stop: stop.axis()? != 0,
                step: *step,
            })
        }
        _ => None,
    }
}

fn subscripts(params: &[Param]) -> Option<Vec<Subscript>> {
    params.iter().map(subscript).collect()
}

fn dtype(param: &Param) -> Option<DType> {
    DType::from_name(param.text()?)
}

impl Op {
    /// The op for a name and parameters of a front end.
    ///
    /// # Errors
    ///
    /// An unknown name, or parameters that do not match it.
    pub fn from_spec(name: &str, params: &[Param]) -> Result<Self, Error> {
        let op = match (name, params) {
            ("map", [function]) => match function {
                Param::List(cast) => match cast.as_slice() {
                    [word, to] if word.text() == Some("cast") => {
                        dtype(to).map(|to| Op::Map(Function::Cast(to)))
                    }
                    _ => None,
                },
                function => function.text().and_then(Function::from_name).map(Op::Map),
            },
            ("reduce", [function, over, keepdims]) => (|| {
                let name = function.text()?;
                Some(Op::Reduce {
                    reduction: Reduction::ALL.into_iter().find(|one| one.name() == name)?,
                    axes: axes(over.list()?)?,
                    keepdims: keepdims.axis()? != 0,
                })
            })(),
            ("accumulate", [function, axis]) => (|| {
                let reduction = match function.text()? {
                    "sum" => Reduction::Sum,
                    "prod" => Reduction::Prod,
                    _ => return None,
                };
                Some(Op::Accumulate { reduction, axis: axis.axis()? })
            })(),
            ("matmul", []) => Some(Op::MatMul),
            ("transpose", perm) => axes(perm).map(Op::Transpose),
            ("expand", new) => axes(new).map(Op::Expand),
            ("squeeze", gone) => axes(gone).map(Op::Squeeze),
            ("broadcast_to", []) => Some(Op::BroadcastTo),
            ("reshape", []) => Some(Op::Reshape),
            ("slice", spec) => subscripts(spec).map(Op::Slice),
            ("take", [axis]) => axis.axis().map(Op::Take),
            ("mask", []) => Some(Op::Mask),
            ("set_slice", [spec @ .., how]) => {
                (|| Some(Op::SetSlice { spec: subscripts(spec)?, increase: how.increases()? }))()
            }
            ("put", [axis, how]) => {
                (|| Some(Op::Put { axis: axis.axis()?, increase: how.increases()? }))()
            }
            ("join", [axis]) => axis.axis().map(Op::Join),
            ("arange", [to]) => dtype(to).map(Op::Arange),
            ("full", []) => Some(Op::Full),
            ("shape_i", [axis]) => axis.axis().map(Op::ShapeI),
            ("shape", []) => Some(Op::Shape),
            ("make_vector", []) => Some(Op::MakeVector),
            ("deep_copy", []) => Some(Op::DeepCopy),
            ("view", []) => Some(Op::View),
            _ => None,
        };
        op.ok_or_else(|| Error::kind_type(format!("unknown op {name} with parameters {params:?}")))
    }

    /// The name and parameters in front ends: the inverse of [`Op::from_spec`]; `None` for ops that
    /// only rewrites create.
    pub fn spec(&self) -> Option<(&'static str, Vec<Param>)> {
        let text = |text: &str| Param::Str(text.to_owned());
        let axis = |&axis: &usize| Param::Int(axis as i64);
        let how = |increase: bool| text(if increase { "inc" } else { "set" });
        let axes = |list: &[usize]| list.iter().map(axis).collect::<Vec<_>>();
        let spec = |list: &[Subscript]| {
            let one = |one: &Subscript| match *one {
                Subscript::Index => Param::List(vec![text("i")]),
                Subscript::Range { start, stop, step } => Param::List(vec![
                    text("s"),
                    Param::Int(i64::from(start)),
                    Param::Int(i64::from(stop)),
                    Param::Int(step),
                ]),
            };
            list.iter().map(one).collect::<Vec<_>>()
        };
        Some(match self {
            Op::Map(Function::Cast(to)) => {
                ("map", vec![Param::List(vec![text("cast"), text(to.name())])])
            }
            Op::Map(function) => ("map", vec![text(function.name())]),
            Op::Reduce { reduction, axes: over, keepdims } => (
                "reduce",
                vec![
                    text(reduction.name()),
                    Param::List(axes(over)),
                    Param::Int(i64::from(*keepdims)),
                ],
            ),
            Op::Accumulate { reduction, axis: along } => {
                ("accumulate", vec![text(reduction.name()), axis(along)])
            }
            Op::MatMul => ("matmul", vec![]),
            Op::Transpose(perm) => ("transpose", axes(perm)),
            Op::Expand(new) => ("expand", axes(new)),
            Op::Squeeze(gone) => ("squeeze", axes(gone)),
            Op::BroadcastTo => ("broadcast_to", vec![]),
            Op::Reshape => ("reshape", vec![]),
            Op::Slice(list) => ("slice", spec(list)),
            Op::Take(along) => ("take", vec![axis(along)]),
            Op::Mask => ("mask", vec![]),
            Op::SetSlice { spec: list, increase } => {
                let mut params = spec(list);
                params.push(how(*increase));
                ("set_slice", params)
            }
            Op::Put { axis: along, increase } => ("put", vec![axis(along), how(*increase)]),
            Op::Join(along) => ("join", vec![axis(along)]),
            Op::Arange(dtype) => ("arange", vec![text(dtype.name())]),
            Op::Full => ("full", vec![]),
            Op::ShapeI(of) => ("shape_i", vec![axis(of)]),
            Op::Shape => ("shape", vec![]),
            Op::MakeVector => ("make_vector", vec![]),
            Op::DeepCopy => ("deep_copy", vec![]),
            Op::View => ("view", vec![]),
            Op::Fused(_)
            | Op::Fold { .. }
            | Op::Rows(_)
            | Op::Gemm
            | Op::Unless
            | Op::Wrapped(_) => {
                return None;
            }
        })
    }

    /// A short name for messages and diagrams.
    pub fn name(&self) -> String {
        match self {
            Op::Map(Function::Cast(to)) => format!("cast to {to}"),
            Op::Map(function) => function.name().to_owned(),
            Op::Fused(body) => body.name(),
            Op::Reduce { reduction, axes, .. } => format!("{} over {axes:?}", reduction.name()),
            Op::Fold { body, reductions, axes, .. } => {
                let names: Vec<&str> = reductions.iter().map(|one| one.name()).collect();
                format!("{} of {} over {axes:?}", names.join(", "), body.name())
            }
            Op::Accumulate { reduction, axis } => {
                format!("cumulative {} along {axis}", reduction.name())
            }
            Op::Rows(rows) => rows.name(),
            Op::MatMul => "matmul".to_owned(),
            Op::Gemm => "gemm".to_owned(),
            Op::Transpose(perm) => format!("transpose {perm:?}"),
            Op::Expand(axes) => format!("expand {axes:?}"),
            Op::Squeeze(axes) => format!("squeeze {axes:?}"),
            Op::BroadcastTo => "broadcast_to".to_owned(),
            Op::Reshape => "reshape".to_owned(),
            Op::Slice(_) => "slice".to_owned(),
            Op::Take(axis) => format!("take along {axis}"),
            Op::Mask => "mask".to_owned(),
            Op::SetSlice { increase: false, .. } => "set_slice".to_owned(),
            Op::SetSlice { increase: true, .. } => "inc_slice".to_owned(),
            Op::Put { axis, increase: false } => format!("put along {axis}"),
            Op::Put { axis, increase: true } => format!("add at along {axis}"),
            Op::Join(axis) => format!("join along {axis}"),
            Op::Arange(_) => "arange".to_owned(),
            Op::Full => "full".to_owned(),
            Op::ShapeI(axis) => format!("shape[{axis}]"),
            Op::Shape => "shape".to_owned(),
            Op::MakeVector => "make_vector".to_owned(),
            Op::DeepCopy => "deep_copy".to_owned(),
            Op::View => "view".to_owned(),
            Op::Unless => "no negative powers".to_owned(),
            Op::Wrapped(wrapped) => wrapped.name.clone(),
        }
    }

    /// True if the result shares its first input's memory, always or if possible.
    pub fn is_view(&self) -> bool {
        matches!(
            self,
            Op::Transpose(_)
                | Op::Expand(_)
                | Op::Squeeze(_)
                | Op::BroadcastTo
                | Op::Reshape
                | Op::Slice(_)
                | Op::View
                | Op::Unless
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs() {
        let text = |text: &str| Param::Str(text.to_owned());
        assert_eq!(Op::from_spec("map", &[text("add")]), Ok(Op::Map(Function::Add)));
        let cast = Param::List(vec![text("cast"), text("int8")]);
        assert_eq!(Op::from_spec("map", &[cast]), Ok(Op::Map(Function::Cast(DType::Int8))));
        let range = Param::List(vec![text("s"), Param::Int(1), Param::Int(0), Param::Int(-2)]);
        assert_eq!(
            Op::from_spec("slice", &[range, Param::List(vec![text("i")])]),
            Ok(Op::Slice(vec![
                Subscript::Range { start: true, stop: false, step: -2 },
                Subscript::Index
            ]))
        );
        for op in [
            Op::Map(Function::Cast(DType::Int8)),
            Op::Reduce { reduction: Reduction::Sum, axes: vec![0, 2], keepdims: true },
            Op::SetSlice { spec: vec![Subscript::Index], increase: true },
            Op::Accumulate { reduction: Reduction::Prod, axis: 1 },
            Op::Put { axis: 2, increase: false },
            Op::Slice(vec![Subscript::Range { start: false, stop: true, step: 3 }]),
            Op::Join(1),
        ] {
            let (name, params) = op.spec().expect("a front end makes it");
            assert_eq!(Op::from_spec(name, &params), Ok(op));
        }
        assert!(Op::from_spec("map", &[text("frobnicate")]).is_err());
        assert!(Op::from_spec("reduce", &[text("sum")]).is_err());
    }
}

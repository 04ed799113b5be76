//! The computation of one element: scalar functions, one after another.

use std::hash::Hash;

use crate::{DType, Function, Reduction};

/// A value in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// An element of an input.
    Input(usize),
    /// The result of an earlier instruction.
    Local(usize),
}

/// A function applied to earlier values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instruction<A = Arg> {
    /// The function.
    pub function: Function,
    /// Its arguments.
    pub arguments: Vec<A>,
    /// The dtype of the result.
    pub dtype: DType,
}

/// Scalar functions of the elements of inputs, in dependency order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// The dtype of each input.
    pub inputs: Vec<DType>,
    /// The functions.
    pub instructions: Vec<Instruction>,
    /// The results.
    pub outputs: Vec<Arg>,
}

impl Body {
    /// One function.
    pub fn of(function: Function, inputs: Vec<DType>, dtype: DType) -> Self {
        let arguments = (0..inputs.len()).map(Arg::Input).collect();
        let instructions = vec![Instruction { function, arguments, dtype }];
        Self { inputs, instructions, outputs: vec![Arg::Local(0)] }
    }

    /// No instructions: the outputs are the inputs themselves.
    pub fn identity(inputs: Vec<DType>) -> Self {
        let outputs = (0..inputs.len()).map(Arg::Input).collect();
        Self { inputs, instructions: Vec::new(), outputs }
    }

    /// The dtype of a value.
    pub fn dtype(&self, arg: Arg) -> DType {
        match arg {
            Arg::Input(index) => self.inputs[index],
            Arg::Local(index) => self.instructions[index].dtype,
        }
    }

    /// Its functions, for messages: `mul, add`, or the number of them.
    pub fn name(&self) -> String {
        name(self.instructions.iter().map(|one| one.function))
    }
}

fn name(functions: impl ExactSizeIterator<Item = Function>) -> String {
    let count = functions.len();
    let names: Vec<&str> = functions.take(6).map(Function::name).collect();
    match count {
        0 => "identity".to_owned(),
        1..=6 => names.join(", "),
        _ => format!("{}, … ({count} functions)", names.join(", ")),
    }
}

/// A value in a stage of [`Rows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowArg {
    /// An element of an input.
    Input(usize),
    /// The result of an earlier instruction in the same stage.
    Local(usize),
    /// An element that an earlier stage saved.
    Saved(usize),
    /// The result of an earlier stage's reduction of the row.
    Folded(usize),
}

/// One walk along a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// Scalar functions.
    pub instructions: Vec<Instruction<RowArg>>,
    /// The values of each element that are saved for later stages, or for the result; numbered
    /// consecutively through the stages.
    pub saves: Vec<RowArg>,
    /// The reductions of the row, numbered consecutively through the stages.
    pub folds: Vec<(Reduction, RowArg)>,
}

/// A result of [`Rows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowResult {
    /// One row per row.
    Saved(usize),
    /// One value per row.
    Folded(usize),
}

/// Stages over the last axes of inputs that broadcast, one row after another.
///
/// Inputs that only the last stage reads may have longer rows than the others, whose rows then have one
/// element: the weights and offsets of a layer norm.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rows {
    /// The dtype of each input.
    pub inputs: Vec<DType>,
    /// The number of first inputs that determine the rows of all stages but the last, which processes
    /// the rows of all inputs. If the results are not all of the last stage, this is the number of inputs.
    pub early: usize,
    /// The number of last axes that form a row.
    pub inner: usize,
    /// Whether results with one value per row keep the axes of the row, with size 1.
    pub keepdims: bool,
    /// The stages.
    pub stages: Vec<Stage>,
    /// The results.
    pub outputs: Vec<RowResult>,
}

impl Rows {
    /// The dtype of a value that a stage uses.
    pub fn dtype(&self, stage: usize, arg: RowArg) -> DType {
        match arg {
            RowArg::Input(index) => self.inputs[index],
            RowArg::Local(index) => self.stages[stage].instructions[index].dtype,
            RowArg::Saved(index) => self.saved(index),
            RowArg::Folded(index) => self.folded(index),
        }
    }

    /// The dtype of a saved value.
    pub fn saved(&self, index: usize) -> DType {
        let mut rest = index;
        for (number, stage) in self.stages.iter().enumerate() {
            match stage.saves.get(rest) {
                Some(&arg) => return self.dtype(number, arg),
                None => rest -= stage.saves.len(),
            }
        }
        unreachable!("stages use only what earlier ones saved")
    }

    /// The dtype of a reduction's result.
    pub fn folded(&self, index: usize) -> DType {
        let mut rest = index;
        for (number, stage) in self.stages.iter().enumerate() {
            match stage.folds.get(rest) {
                Some(&(reduction, arg)) => {
                    let dtype = self.dtype(number, arg);
                    return reduction.result(dtype).unwrap_or(dtype);
                }
                None => rest -= stage.folds.len(),
            }
        }
        unreachable!("stages use only what earlier ones folded")
    }

    /// Its functions, for messages.
    pub fn name(&self) -> String {
        let all: Vec<Function> = self
            .stages
            .iter()
            .flat_map(|stage| &stage.instructions)
            .map(|one| one.function)
            .collect();
        format!("rows of {}", name(all.into_iter()))
    }
}

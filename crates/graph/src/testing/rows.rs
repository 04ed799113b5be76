//! Rows, stage by stage.

use super::array::{Array, broadcast, indices};
use super::eval::fold;
use super::scalar::{Scalar, call};
use crate::{RowArg, RowResult, Rows};

/// The result of rows, or `None` for an error.
pub(super) fn apply(rows: &Rows, inputs: &[&Array]) -> Option<Vec<Array>> {
    let shape = broadcast(inputs)?;
    let (outer, inner) = shape.split_at(shape.len() - rows.inner);
    let narrow = broadcast(&inputs[..rows.early])?;
    let narrow = &narrow[narrow.len() - rows.inner..];
    let mut results: Vec<Vec<Scalar>> = vec![Vec::new(); rows.outputs.len()];
    for row in indices(outer) {
        let (mut saved, mut folded): (Vec<Vec<Scalar>>, Vec<Scalar>) = (Vec::new(), Vec::new());
        for (number, stage) in rows.stages.iter().enumerate() {
            let mut saves = vec![Vec::new(); stage.saves.len()];
            let mut folds = vec![Vec::new(); stage.folds.len()];
            let last = number + 1 == rows.stages.len();
            let (width, wide) = (if last { inner } else { narrow }, inner != narrow);
            for (place, column) in indices(width).enumerate() {
                let index = [row.as_slice(), &column].concat();
                let mut locals: Vec<Scalar> = Vec::new();
                let value = |locals: &[Scalar], arg: RowArg| match arg {
                    RowArg::Input(input) => inputs[input].spread(&index),
                    RowArg::Local(local) => locals[local],
                    RowArg::Saved(save) => saved[save][if wide { 0 } else { place }],
                    RowArg::Folded(fold) => folded[fold],
                };
                for one in &stage.instructions {
                    let arguments: Vec<Scalar> =
                        one.arguments.iter().map(|&arg| value(&locals, arg)).collect();
                    let last = one.arguments.last().expect("functions have arguments");
                    locals.push(call(one.function, rows.dtype(number, *last), &arguments));
                }
                for (save, &arg) in saves.iter_mut().zip(&stage.saves) {
                    save.push(value(&locals, arg));
                }
                for (fold, &(_, arg)) in folds.iter_mut().zip(&stage.folds) {
                    fold.push(value(&locals, arg));
                }
            }
            saved.extend(saves);
            for (data, &(reduction, arg)) in folds.iter().zip(&stage.folds) {
                folded.push(fold(reduction, rows.dtype(number, arg), data)?);
            }
        }
        for (result, output) in results.iter_mut().zip(&rows.outputs) {
            match *output {
                RowResult::Saved(save) => result.extend(&saved[save]),
                RowResult::Folded(fold) => result.push(folded[fold]),
            }
        }
    }
    let array = |(data, output): (Vec<Scalar>, &RowResult)| match *output {
        RowResult::Saved(save) => Array { dtype: rows.saved(save), shape: shape.clone(), data },
        RowResult::Folded(fold) => {
            let mut kept = outer.to_vec();
            if rows.keepdims {
                kept.resize(shape.len(), 1);
            }
            Array { dtype: rows.folded(fold), shape: kept, data }
        }
    };
    Some(results.into_iter().zip(&rows.outputs).map(array).collect())
}

//! The choice of an overload.
//!
//! First by the number of arguments, then by their types. Each argument is examined once, and each
//! distinct test is made at most once, however many overloads need it. Exact types win over safe
//! casts, and earlier overloads over later ones.

use crate::{Call, ParameterKind};
use fishplate_model::{OverloadId, ParameterId, TiVec};

/// The decision procedure for an overload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// For each number of positional arguments that some overload accepts: the overloads that
    /// accept it.
    pub arms: Vec<Arm>,
    /// The distinct tests, by position.
    pub tests: Vec<Test>,
}

/// The overloads that accept a number of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The number of arguments.
    pub count: usize,
    /// Indices of overloads.
    pub overloads: Vec<OverloadId>,
}

/// One test of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The position of the argument.
    pub position: usize,
    /// The type to test for: `float64`, `float64[2-D]`, `text`. Numbers of one class and size have
    /// one name.
    pub wanted: String,
    /// The overloads that need it.
    pub overloads: Vec<OverloadId>,
}

/// The procedure that chooses among the calls of one function.
pub(crate) fn dispatch(calls: &TiVec<OverloadId, Call>) -> Dispatch {
    let most = calls.iter().map(Call::positional).max().unwrap_or(0);
    let arms = (0..=most).map(|count| Arm {
        count,
        overloads: calls
            .keys()
            .filter(|index| {
                let call = &calls[*index];
                (call.count(ParameterKind::Required)..=call.positional()).contains(&count)
            })
            .collect(),
    });
    let mut tests: Vec<Test> = Vec::new();
    for position in 0..most {
        for (index, call) in calls.iter_enumerated() {
            if position >= call.positional() {
                continue;
            }
            let variable = &call.variables[call.parameters[ParameterId::from(position)].variable];
            let wanted = variable.crossing.test_text(&variable.ctype);
            let is_same = |test: &&mut Test| test.position == position && test.wanted == wanted;
            match tests.iter_mut().find(is_same) {
                Some(test) => test.overloads.push(index),
                None => tests.push(Test { position, wanted, overloads: vec![index] }),
            }
        }
    }
    Dispatch { arms: arms.filter(|arm| !arm.overloads.is_empty()).collect(), tests }
}

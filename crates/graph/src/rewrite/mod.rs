//! Rewrites: transform a graph into one that computes the same with less work.
//!
//! Purpose: the pipeline, the names by which rewrites are switched off, and the reports of their
//! changes.
//! Invariant: each rewrite is one walk over the nodes in linear time, and returns a graph whose
//! outputs have exactly the same values, except for the order of summation and the last bits of
//! powers. Errors are preserved: shapes that did not match before do not match after.
//! Reason: a rewrite that is one small file can be read, tested and switched off alone.

mod algebra;
mod assembly;
mod checks;
mod cost;
mod dead;
mod failing;
mod fold;
mod fuse;
mod gemm;
mod group;
mod merge;
mod own;
mod powers;
mod reduce;
mod rows;
mod shapes;
mod sizes;
mod stages;
mod terms;
mod views;

use std::fmt;
use std::sync::Arc;

use crate::{Error, Graph, Op, Tensor, Value, Var};

/// Computes an op of constants; `None` if that is impossible or fails.
pub type Evaluate<'a> = dyn FnMut(&Op, &[Arc<Value>]) -> Option<Vec<Value>> + 'a;

/// A rewrite.
#[derive(Debug)]
pub struct Rewrite {
    /// The name by which it is switched off.
    pub name: &'static str,
    /// A description in one sentence.
    pub doc: &'static str,
    phase: Phase,
    /// `None`: a node is certain to fail, and the graph is unchanged.
    run: fn(&Graph, &mut Context<'_, '_>) -> Option<Graph>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Each may enable the others: repeated until nothing changes.
    Simplify,
    /// Once, in order.
    Combine,
}

/// Every rewrite, in order.
pub static REWRITES: [Rewrite; 11] = [
    Rewrite {
        name: "merge",
        doc: "Nodes and constants that are equal are computed once.",
        phase: Phase::Simplify,
        run: merge::merge,
    },
    Rewrite {
        name: "fold",
        doc: "Values that depend on constants only are computed once, when the graph is compiled.",
        phase: Phase::Simplify,
        run: fold::fold,
    },
    Rewrite {
        name: "shapes",
        doc: "Sizes are taken from known shapes, so that nothing is computed for its shape only.",
        phase: Phase::Simplify,
        run: shapes::shapes,
    },
    Rewrite {
        name: "views",
        doc: "Views and copies without an effect are removed, and two in sequence become one.",
        phase: Phase::Simplify,
        run: views::views,
    },
    Rewrite {
        name: "algebra",
        doc: "Functions are simplified if the result is exact for every value.",
        phase: Phase::Simplify,
        run: algebra::algebra,
    },
    Rewrite {
        name: "powers",
        doc: "Powers by small integers and halves are products and roots.",
        phase: Phase::Simplify,
        run: powers::powers,
    },
    Rewrite {
        name: "dead",
        doc: "Values that no output needs are not computed.",
        phase: Phase::Simplify,
        run: dead::dead,
    },
    Rewrite {
        name: "gemm",
        doc: "A product of matrices that is scaled and added to a matrix is one call of BLAS.",
        phase: Phase::Combine,
        run: gemm::gemm,
    },
    Rewrite {
        name: "rows",
        doc: "Reductions over the last axes, and functions of their results (a softmax, a \
              layer norm) are computed row by row, while the row is in cache.",
        phase: Phase::Combine,
        run: rows::rows,
    },
    Rewrite {
        name: "reduce",
        doc: "Functions of each element are computed in the walk of the reductions that use them, and \
              reductions of the same arrays in one walk.",
        phase: Phase::Combine,
        run: reduce::reduce,
    },
    Rewrite {
        name: "fuse",
        doc: "Functions of each element are computed in one loop, without arrays in between.",
        phase: Phase::Combine,
        run: fuse::fuse,
    },
];

/// The limit on repetitions of the rewrites that simplify.
const ROUNDS: usize = 4;

/// The rewrites that are applied.
#[derive(Clone, Debug, Default)]
pub struct Options {
    excluded: Vec<&'static str>,
}

impl Options {
    /// All but these.
    ///
    /// # Errors
    ///
    /// An unknown name.
    pub fn excluding<S: AsRef<str>>(names: &[S]) -> Result<Self, Error> {
        let find = |name: &S| {
            let found = REWRITES.iter().find(|rewrite| rewrite.name == name.as_ref());
            found.map(|rewrite| rewrite.name).ok_or_else(|| {
                let all: Vec<&str> = REWRITES.iter().map(|rewrite| rewrite.name).collect();
                Error::value(format!(
                    "unknown rewrite {:?}; the rewrites are {}",
                    name.as_ref(),
                    all.join(", ")
                ))
            })
        };
        Ok(Self { excluded: names.iter().map(find).collect::<Result<_, _>>()? })
    }
}

/// A report of the changes by rewrites.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In order of application.
    pub done: Vec<Done>,
}

/// The changes by one rewrite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The rewrite.
    pub name: &'static str,
    /// The number of nodes that it changed.
    pub count: usize,
    /// For people: `add, mul, exp in one loop (3 nodes)`.
    pub sentences: Vec<String>,
}

impl Report {
    /// The number of nodes that a rewrite changed.
    pub fn count(&self, name: &str) -> usize {
        self.done.iter().filter(|done| done.name == name).map(|done| done.count).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for done in &self.done {
            for sentence in &done.sentences {
                writeln!(f, "{}: {sentence}", done.name)?;
            }
        }
        Ok(())
    }
}

/// The context of a rewrite: an evaluator, and the record of changes.
struct Context<'a, 'b> {
    evaluate: &'a mut Evaluate<'b>,
    count: usize,
    sentences: Vec<String>,
}

impl Context<'_, '_> {
    /// Records one change.
    fn did(&mut self, sentence: impl Into<String>) {
        self.did_nodes(1, sentence);
    }

    /// Records a change of several nodes. Repeated descriptions appear once, with a count.
    fn did_nodes(&mut self, nodes: usize, sentence: impl Into<String>) {
        self.count += nodes;
        self.sentences.push(sentence.into());
    }
}

/// The rewritten graph, and the changes.
pub fn rewrite(graph: &Graph, options: &Options, evaluate: &mut Evaluate<'_>) -> (Graph, Report) {
    let mut report = Report::default();
    let mut now = graph.clone();
    let mut apply = |rewrite: &Rewrite, now: &mut Graph| {
        let mut context = Context { evaluate: &mut *evaluate, count: 0, sentences: Vec::new() };
        let next = (rewrite.run)(now, &mut context);
        let Some(next) = next.filter(|_| context.count > 0) else { return false };
        *now = next;
        let (count, sentences) = (context.count, grouped(context.sentences));
        report.done.push(Done { name: rewrite.name, count, sentences });
        true
    };
    let chosen = |phase| {
        let wanted = move |rewrite: &&Rewrite| rewrite.phase == phase;
        let left = |rewrite: &&Rewrite| !options.excluded.contains(&rewrite.name);
        REWRITES.iter().filter(wanted).filter(left).collect::<Vec<_>>()
    };
    let simplify = chosen(Phase::Simplify);
    // The number of rewrites that found nothing to do since the graph last changed.
    let mut idle = 0;
    for rewrite in simplify.iter().cycle().take(ROUNDS * simplify.len()) {
        idle = if apply(rewrite, &mut now) { 0 } else { idle + 1 };
        if idle == simplify.len() {
            break;
        }
    }
    now = checks::checks(now);
    for rewrite in chosen(Phase::Combine) {
        apply(rewrite, &mut now);
    }
    (own::own(graph, now), report)
}

/// True if a variable may replace one of this type: its type is at least as precise.
fn stands_in(graph: &Graph, var: Var, wanted: &Tensor) -> bool {
    let tensor = graph.tensor(var);
    let mut sizes = tensor.shape.iter().zip(&wanted.shape);
    tensor.dtype == wanted.dtype
        && tensor.ndim() == wanted.ndim()
        && sizes.all(|(size, wanted)| wanted.is_none() || size == wanted)
}

/// Descriptions without repetitions, with counts.
fn grouped(sentences: Vec<String>) -> Vec<String> {
    let mut counts = std::collections::HashMap::new();
    for sentence in &sentences {
        *counts.entry(sentence.clone()).or_insert(0_usize) += 1;
    }
    let sentence = |sentence: String| match counts.remove(&sentence) {
        Some(1) => Some(sentence),
        Some(times) => Some(format!("{sentence}, {times} times")),
        None => None,
    };
    sentences.into_iter().filter_map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Build, assert_same, cases, evaluate, looks, only, rewritten, run};
    use crate::{DType, Function, Reduction};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 700, failure_persistence: None, ..Default::default()
        })]

        #[test]
        fn random_graphs_compute_the_same(case in cases(30)) {
            let (graph, _) = rewrite(&case.graph, &Options::default(), &mut evaluate);
            assert_same(&case.graph, &graph, &case.inputs);
            for (before, after) in case.graph.outputs.iter().zip(&graph.outputs) {
                let (before, after) = (case.graph.tensor(*before), graph.tensor(*after));
                let mut sizes = before.shape.iter().zip(&after.shape);
                prop_assert!(sizes.all(|(before, after)| before.is_none() || before == after));
            }
        }

        #[test]
        fn each_rewrite_alone_computes_the_same(case in cases(20)) {
            for rewrite in &REWRITES {
                assert_same(&case.graph, &only(rewrite.name, &case.graph).0, &case.inputs);
            }
        }

        #[test]
        fn fusing_keeps_errors(case in cases(20)) {
            let (graph, _) = only("dead", &case.graph);
            for rewrite in REWRITES.iter().filter(|rewrite| rewrite.phase == Phase::Combine) {
                let fused = only(rewrite.name, &graph).0;
                prop_assert_eq!(run(&graph, &case.inputs).is_none(), run(&fused, &case.inputs).is_none());
            }
        }
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_names() {
        let error = Options::excluding(&["fuse", "fues"]).unwrap_err();
        assert!(
            error.text.starts_with("unknown rewrite \"fues\"; the rewrites are merge, "),
            "{error}"
        );
        assert_eq!(Options::excluding(&["fuse"]).unwrap().excluded, ["fuse"]);
    }

    /// Graphs of about this many nodes, with different worst cases for rewrites.
    fn large(nodes: usize) -> Vec<Graph> {
        let mut graphs = Vec::new();
        for kind in 0..6 {
            let mut b = Build::new();
            let x = if kind == 5 { b.matrix(DType::Float64) } else { b.vector(DType::Float64) };
            let (mut last, mut outputs) = (b.map(Function::Exp, &[x]), Vec::new());
            let mut before: Vec<Var> = vec![x; 40];
            for step in 0..nodes {
                let next = match kind {
                    // A chain.
                    0 => b.map(Function::Sin, &[last]),
                    // A sum of many inputs.
                    1 => {
                        let y = b.vector(DType::Float64);
                        b.map(Function::Add, &[last, y])
                    }
                    // Values with late second uses.
                    2 => b.map(Function::Mul, &[last, before[step * 7 % 40]]),
                    // All nodes are results.
                    3 => {
                        outputs.push(last);
                        b.map(Function::Cos, &[last])
                    }
                    // Rows that are normalised, again and again.
                    5 if step % 3 == 0 => {
                        let sum = b.reduce_keep(Reduction::Sum, &[1], last);
                        b.map(Function::Sub, &[last, sum])
                    }
                    5 => b.map(Function::Mul, &[last, before[step * 7 % 40]]),
                    // Reductions and functions of them in turn.
                    _ if step % 3 == 0 => {
                        let sum = b.reduce(Reduction::Sum, &[0], last);
                        b.map(Function::Sub, &[before[step * 7 % 40], sum])
                    }
                    _ => b.map(Function::Mul, &[last, last]),
                };
                before[step % 40] = next;
                last = next;
            }
            outputs.push(last);
            graphs.push(b.outputs(&outputs));
        }
        graphs
    }

    #[test]
    fn work_grows_as_graphs_do() {
        for (small, large) in large(1000).iter().zip(&large(4000)) {
            let work = |graph| looks(|| drop(rewritten(graph)));
            let (small, large) = (work(small), work(large));
            assert!(large < 5 * small, "{large} for {small}");
        }
    }

    #[test]
    fn notes_are_not_repeated() {
        let sentence = ["a", "b", "a"].map(str::to_owned).to_vec();
        assert_eq!(grouped(sentence), ["a, 2 times", "b"]);
    }
}

//! Rows: reductions over the last axes, and functions that combine their results with the elements
//! that were reduced, are computed row by row: softmax, layer norm, and similar patterns.
//!
//! A group begins with a reduction and includes, in the order of the graph,
//!
//! * functions of its results, with one value per row,
//! * functions of these and of elements, with one row per row,
//! * reductions of such rows, over the same axes,
//!
//! if they need nothing else that is computed after its beginning, so that there are no cycles and
//! the group can take the place of its beginning. All rows certainly have the shape that was
//! reduced, except for functions of rows and of other inputs at the end, such as the weights of a
//! layer norm: if these are longer than rows of one element, so are the results.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::Context;
use super::fuse::{INPUTS, INSTRUCTIONS, sites};
use super::reduce::{Reducing, Walk, needed_nodes};
use super::sizes::Size;
use super::stages::Stages;
use crate::graph::Rebuild;
use crate::{Graph, Node, Op, Reduction, Var};

/// The limit on searches for groups: each repetition omits those that were rejected.
const TRIES: usize = 3;

/// The limit on the elements of an array that is one row: several cores never share a row.
const ONE_ROW: usize = 1 << 14;

/// The limit on reductions in a group.
const FOLDS: usize = 8;

pub(super) fn rows(graph: &Graph, context: &mut Context<'_, '_>) -> Option<Graph> {
    let graph = &scalars_first(graph)?;
    let known = Reducing::new(graph);
    let mut none = HashSet::new();
    for _ in 0..TRIES {
        let groups = Search::of(graph, &known, &none);
        let useless = |group: &&Group| !group.is_useful();
        let before = none.len();
        none.extend(groups.iter().filter(useless).map(|group| group.start));
        if none.len() == before {
            return written(graph, &known, &groups, context);
        }
    }
    None
}

/// Nodes in an order in which scalars that depend on no array elements come first: a number of
/// elements for a division is computed before the sum.
fn scalars_first(graph: &Graph) -> Option<Graph> {
    let mut early = vec![false; graph.nodes().len()];
    let is_there = |early: &[bool], var: Var| match graph.owner(var) {
        Some((node, _)) => early[node],
        None => true,
    };
    for (index, node) in graph.nodes().iter().enumerate() {
        let scalar = matches!(node.op, Op::Map(_) | Op::ShapeI(_))
            && graph.tensor(node.outputs[0]).ndim() == 0;
        early[index] = scalar && node.inputs.iter().all(|&input| is_there(&early, input));
    }
    let mut rebuild = Rebuild::new(graph);
    for wanted in [true, false] {
        for (node, _) in graph.nodes().iter().zip(&early).filter(|(_, early)| **early == wanted) {
            rebuild.keep(node)?;
        }
    }
    Some(rebuild.finish())
}

fn written(
    graph: &Graph,
    known: &Reducing<'_>,
    groups: &[Group],
    context: &mut Context<'_, '_>,
) -> Option<Graph> {
    let mut walks: Vec<Walk> = groups.iter().map(Group::walk).collect();
    // A result that a group returns is not computed again from values that it keeps.
    let joined: BTreeSet<usize> =
        groups.iter().flat_map(|group| group.members.keys().copied()).collect();
    walks.iter_mut().for_each(|walk| known.grow(walk, &joined));
    let both = || groups.iter().zip(&walks);
    let stands: HashMap<usize, &Walk> = both().map(|(group, walk)| (group.start, walk)).collect();
    let stages: HashMap<usize, &Group> = both().map(|(group, _)| (group.start, group)).collect();
    let kept = needed_nodes(graph, &stands, &joined);
    let mut rebuild = Rebuild::new(graph);
    for (index, node) in graph.nodes().iter().enumerate() {
        if let (Some(group), Some(walk)) = (stages.get(&index), stands.get(&index)) {
            let count = walk.roots.len() + walk.nodes.len();
            let name = group.make(graph, known, walk, &mut rebuild)?;
            context.did_nodes(count, format!("{name} ({count} nodes)"));
        } else if kept[index] && !joined.contains(&index) {
            rebuild.keep(node)?;
        }
    }
    Some(rebuild.finish())
}

/// The result of a member of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An array of the group's shape.
    Row,
    /// An array whose rows may be longer than the group's.
    Wide,
    /// One value per row, with axes of size 1 for the row.
    Keep,
    /// One value per row, without these axes.
    Reduced,
}

/// A member of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) form: Form,
    /// Whether it is a reduction.
    pub(super) folds: bool,
    /// The first stage in which it can be computed; for a reduction, in which it can be used.
    pub(super) stage: usize,
}

/// A computation row by row.
pub(super) struct Group {
    start: usize,
    shape: Vec<Size>,
    /// The number of last axes that form a row.
    pub(super) inner: usize,
    /// By node.
    pub(super) members: BTreeMap<usize, Member>,
    inputs: HashSet<Var>,
}

impl Member {
    /// Whether it has a value for each element.
    pub(super) fn is_row(&self) -> bool {
        !self.folds && matches!(self.form, Form::Row | Form::Wide)
    }
}

impl Group {
    /// Removes rows that may be longer unless there is no other result; moves them to the last stage.
    fn settle_wide(&mut self, graph: &Graph, known: &Reducing<'_>) {
        let is_wide = |one: &Member| one.form == Form::Wide;
        if !self.members.values().any(is_wide) {
            return;
        }
        let results = self.elsewhere(graph, known, &self.walk());
        if results.iter().all(|node| is_wide(&self.members[node])) {
            let last = self.members.values().map(|one| one.stage).max().unwrap_or(0);
            self.members.values_mut().filter(|one| is_wide(one)).for_each(|one| one.stage = last);
        } else {
            self.members.retain(|_, one| !is_wide(one));
        }
    }

    /// Whether rows may be longer in the last stage.
    pub(super) fn widens(&self) -> bool {
        self.members.values().any(|one| one.form == Form::Wide)
    }

    /// True if elements are used again, together with results of their reduction.
    fn is_useful(&self) -> bool {
        let again = |one: &Member| {
            one.stage > if one.folds { 1 } else { 0 } && one.form == Form::Row
                || one.folds && one.stage > 1
        };
        self.members.values().any(again)
    }

    /// Its nodes, the first reduction first.
    fn walk(&self) -> Walk {
        Walk { roots: self.members.keys().copied().collect(), nodes: BTreeSet::new() }
    }

    fn outer(&self) -> usize {
        self.shape.len() - self.inner
    }

    fn is_row_axes(&self, axes: &[usize]) -> bool {
        axes.iter().copied().eq(self.outer()..self.shape.len())
    }

    /// Adds the node, and the nodes for values that are also needed elsewhere; returns its name.
    fn make(
        &self,
        graph: &Graph,
        known: &Reducing<'_>,
        walk: &Walk,
        rebuild: &mut Rebuild<'_>,
    ) -> Option<String> {
        let elsewhere = self.elsewhere(graph, known, walk);
        let wanted = |node: usize| elsewhere.contains(&node);
        let is_value = |node: usize| !self.members[&node].folds && !self.members[&node].is_row();
        let results: Vec<usize> = walk
            .nodes
            .iter()
            .chain(&walk.roots)
            .copied()
            .filter(|&node| wanted(node) && (walk.nodes.contains(&node) || !is_value(node)))
            .collect();
        let (mut rows, inputs) = Stages::of(graph, self, walk, &results).finish();
        let reduced =
            |node: usize| self.members.get(&node).is_some_and(|one| one.form == Form::Reduced);
        rows.keepdims = !results.iter().any(|&node| reduced(node));
        let keeps = rows.keepdims;
        let nodes: Vec<&Node> = walk.all(graph).collect();
        let inputs = rebuild.vars(&inputs);
        let op = Op::Rows(Arc::new(rows));
        let name = op.name();
        let made = rebuild.apply(op, &inputs, &sites(&nodes))?;
        for (&node, mut new) in results.iter().zip(made) {
            let old = &graph.nodes()[node];
            let form = self.members.get(&node).map(|one| one.form);
            if form == Some(Form::Keep) && !keeps {
                let axes = (self.outer()..self.shape.len()).collect();
                new = rebuild.apply(Op::Expand(axes), &[new], &old.sites)?[0];
            }
            rebuild.set(old.outputs[0], new);
        }
        for &node in walk.roots.iter().filter(|&&node| wanted(node) && is_value(node)) {
            rebuild.keep(&graph.nodes()[node])?;
        }
        Some(name)
    }

    /// The nodes whose results are used outside of the group.
    fn elsewhere(&self, graph: &Graph, known: &Reducing<'_>, walk: &Walk) -> BTreeSet<usize> {
        let mut inside: HashMap<Var, usize> = HashMap::new();
        for input in walk.all(graph).flat_map(|node| &node.inputs) {
            *inside.entry(*input).or_insert(0) += 1;
        }
        let mut elsewhere = BTreeSet::new();
        let mut values: HashSet<Var> = HashSet::new();
        for (&index, member) in self.members.iter().rev() {
            let node = &graph.nodes()[index];
            let output = node.outputs[0];
            let uses = known.uses[output.index()];
            let outside = uses == 0 || inside.get(&output).copied().unwrap_or(0) < uses;
            if outside || values.contains(&output) {
                elsewhere.insert(index);
                // Functions of values per row are computed again, from the results of the node.
                if !member.folds && !member.is_row() {
                    values.extend(&node.inputs);
                }
            }
        }
        elsewhere
    }
}

/// The search for groups.
struct Search<'a> {
    graph: &'a Graph,
    known: &'a Reducing<'a>,
    groups: Vec<Group>,
    /// The position of each node: for members, that of the beginning of their group.
    place: Vec<usize>,
    /// For each node its group.
    group: Vec<Option<usize>>,
    /// For each variable, whether only reductions use it.
    reduced_only: Vec<bool>,
}

impl<'a> Search<'a> {
    fn of(graph: &'a Graph, known: &'a Reducing<'a>, none: &HashSet<usize>) -> Vec<Group> {
        let mut reduced_only = vec![true; graph.variables().len()];
        for node in graph.nodes().iter().filter(|node| !matches!(node.op, Op::Reduce { .. })) {
            node.inputs.iter().for_each(|input| reduced_only[input.index()] = false);
        }
        graph.outputs.iter().for_each(|output| reduced_only[output.index()] = false);
        let (groups, place, group) = (Vec::new(), Vec::new(), Vec::new());
        let mut search = Self { graph, known, groups, place, group, reduced_only };
        let mut last: HashMap<(&[Size], usize), usize> = HashMap::new();
        let mut last_of: HashMap<&[Size], usize> = HashMap::new();
        for (index, node) in graph.nodes().iter().enumerate() {
            let mut candidates: Vec<usize> = node
                .inputs
                .iter()
                .filter_map(|&input| graph.owner(input))
                .filter_map(|(maker, _)| search.group[maker])
                .collect();
            search.place.push(index);
            search.group.push(None);
            let reduces = match &node.op {
                Op::Reduce { axes, .. } => Some((known.sizes.shape(node.inputs[0]), axes.len())),
                _ => None,
            };
            candidates.extend(reduces.and_then(|key| last.get(&key)));
            candidates.extend(last_of.get(known.sizes.shape(node.outputs[0])));
            // The latest: the inputs of the others are computed by then.
            let latest = candidates.into_iter().max_by_key(|&group| search.groups[group].start);
            if let Some(group) = latest
                && let Some(member) = search.fit(node, group)
            {
                search.join(index, group, member);
            } else if let Some((shape, inner)) = reduces
                && !none.contains(&index)
                && search.begins(node)
            {
                let number = search.groups.len();
                let members = BTreeMap::new();
                let (start, shape_of) = (index, shape.to_vec());
                let inputs = HashSet::new();
                search.groups.push(Group { start, shape: shape_of, inner, members, inputs });
                if let Some(member) = search.fit(node, number) {
                    search.join(index, number, member);
                    last.insert((shape, inner), number);
                    last_of.insert(shape, number);
                } else {
                    search.groups.pop();
                }
            }
        }
        search.groups.iter_mut().for_each(|group| group.settle_wide(graph, known));
        search.groups
    }

    /// True if a reduction may begin a group: its rows have more than one value, and are not too
    /// long.
    fn begins(&self, node: &Node) -> bool {
        let Op::Reduce { axes, .. } = &node.op else { return false };
        let x = self.graph.tensor(node.inputs[0]);
        let ones = axes.iter().all(|&axis| x.shape[axis] == Some(1));
        let short = x.count().is_some_and(|count| count <= ONE_ROW);
        !axes.is_empty() && !ones && (axes.len() < x.ndim() || short)
    }

    fn join(&mut self, node: usize, group: usize, member: Member) {
        self.place[node] = self.groups[group].start;
        self.group[node] = Some(group);
        let inputs = self.graph.nodes()[node].inputs.iter().copied();
        let outside: Vec<Var> =
            inputs.filter(|&input| self.member(group, input).is_none()).collect();
        let group = &mut self.groups[group];
        group.members.insert(node, member);
        group.inputs.extend(outside);
    }

    fn member(&self, group: usize, var: Var) -> Option<Member> {
        let (node, _) = self.graph.owner(var)?;
        self.groups[group].members.get(&node).copied()
    }

    /// The role of a node in a group, if it can be a member.
    fn fit(&self, node: &Node, number: usize) -> Option<Member> {
        let group = &self.groups[number];
        let full = group.members.len() >= INSTRUCTIONS
            || group.inputs.len() + node.inputs.len() > INPUTS && !group.members.is_empty();
        if full {
            return None;
        }
        let members: Vec<Option<Member>> =
            node.inputs.iter().map(|&input| self.member(number, input)).collect();
        let before = |var: Var| {
            self.graph.owner(var).is_none_or(|(maker, _)| self.place[maker] < group.start)
        };
        let mut outside = node.inputs.iter().zip(&members).filter(|(_, member)| member.is_none());
        if !outside.all(|(&input, _)| before(input)) {
            return None;
        }
        let stage = members.iter().flatten().map(|one| one.stage).max().unwrap_or(0);
        let form = members[0].map(|one| one.form);
        let member = |form| Some(Member { form, folds: false, stage });
        let shape = self.known.sizes.shape(node.outputs[0]);
        match &node.op {
            Op::Reduce { reduction, axes, keepdims } => {
                let folds = group.members.values().filter(|one| one.folds).count();
                let rows = self.known.sizes.shape(node.inputs[0]) == group.shape
                    && matches!(form, None | Some(Form::Row));
                let counts = matches!(reduction, Reduction::Argmin | Reduction::Argmax);
                let form = if *keepdims { Form::Keep } else { Form::Reduced };
                let fits = rows && !counts && group.is_row_axes(axes) && folds < FOLDS;
                fits.then_some(Member { form, folds: true, stage: stage + 1 })
            }
            Op::Expand(axes) if form == Some(Form::Reduced) && group.is_row_axes(axes) => {
                member(Form::Keep)
            }
            Op::Squeeze(axes) if form == Some(Form::Keep) && group.is_row_axes(axes) => {
                member(Form::Reduced)
            }
            Op::Map(_) => {
                let forms = || members.iter().flatten().map(|one| one.form);
                let mut inputs = node.inputs.iter().zip(&members);
                let scalars =
                    inputs.all(|(&var, one)| one.is_some() || self.graph.tensor(var).ndim() == 0);
                let outer = group.outer();
                let ones =
                    || shape[outer..].iter().all(|&one| self.known.sizes.value(one) == Some(1));
                let only = |form| scalars && forms().count() > 0 && forms().all(|one| one == form);
                if only(Form::Reduced) && *shape == group.shape[..outer] {
                    member(Form::Reduced)
                } else if only(Form::Keep)
                    && shape.len() == group.shape.len()
                    && shape[..outer] == group.shape[..outer]
                    && ones()
                {
                    member(Form::Keep)
                } else if outer > 0 && forms().any(|one| one == Form::Reduced) {
                    None
                } else if shape != group.shape {
                    // The runtime repeats a row of one element; rows of several axes it cannot.
                    let follows = forms().any(|one| matches!(one, Form::Row | Form::Wide));
                    let fits = follows && group.inner == 1 && shape.len() == group.shape.len();
                    if fits { member(Form::Wide) } else { None }
                } else {
                    // Without a member among its inputs it is included only for reductions.
                    let shares = node.inputs.iter().any(|input| group.inputs.contains(input))
                        && self.reduced_only[node.outputs[0].index()];
                    if forms().count() > 0 || shares { member(Form::Row) } else { None }
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Array, Build, assert_same, only};
    use crate::{DType, Function, Graph, Op, Reduction, Rows, Var};

    /// Rewrites an expression of a matrix, checks the result, and returns the ops that are left.
    fn remaining_ops(make: impl FnOnce(&mut Build, Var) -> Vec<Var>) -> Vec<Op> {
        let mut b = Build::new();
        let x = b.matrix(DType::Float64);
        let outputs = make(&mut b, x);
        let graph = b.outputs(&outputs);
        let (after, _) = only("rows", &graph);
        let values = Array::floats(&[2, 3], &[1.0, -2.0, 0.5, f64::NAN, 3.0, 0.0]);
        assert_same(&graph, &after, &[values]);
        assert_same(&graph, &after, &[Array::floats(&[2, 1], &[1.5, -0.0])]);
        assert_same(&graph, &after, &[Array::floats(&[0, 3], &[])]);
        ops(&after)
    }

    fn ops(graph: &Graph) -> Vec<Op> {
        graph.nodes().iter().map(|node| node.op.clone()).collect()
    }

    fn only_rows(ops: &[Op]) -> &Rows {
        match ops {
            [Op::Rows(rows)] => rows,
            _ => panic!("{ops:?}"),
        }
    }

    /// A reduction with its axis, in either form.
    fn keep(b: &mut Build, reduction: Reduction, x: Var, expands: bool) -> Var {
        let reduce = Op::Reduce { reduction, axes: vec![1], keepdims: !expands };
        let value = b.apply(reduce, &[x]);
        if expands { b.apply(Op::Expand(vec![1]), &[value]) } else { value }
    }

    fn mean(b: &mut Build, x: Var, expands: bool) -> Var {
        let reduce = Op::Reduce { reduction: Reduction::Sum, axes: vec![1], keepdims: !expands };
        let sum = b.apply(reduce, &[x]);
        let size = b.apply(Op::ShapeI(1), &[x]);
        let size = b.map(Function::Cast(DType::Float64), &[size]);
        let mean = b.map(Function::TrueDivide, &[sum, size]);
        if expands { b.apply(Op::Expand(vec![1]), &[mean]) } else { mean }
    }

    #[test]
    fn a_softmax_is_rows() {
        for expands in [false, true] {
            let ops = remaining_ops(|b, x| {
                let largest = keep(b, Reduction::Max, x, expands);
                let below = b.map(Function::Sub, &[x, largest]);
                let exp = b.map(Function::Exp, &[below]);
                let sum = keep(b, Reduction::Sum, exp, expands);
                vec![b.map(Function::TrueDivide, &[exp, sum])]
            });
            let rows = only_rows(&ops);
            let saves: Vec<usize> = rows.stages.iter().map(|stage| stage.saves.len()).collect();
            assert_eq!(saves, [0, 1, 1]);
            assert_eq!(rows.stages[2].instructions.len(), 1);
        }
    }

    #[test]
    fn the_logarithm_of_a_softmax_is_rows() {
        let ops = remaining_ops(|b, x| {
            let largest = keep(b, Reduction::Max, x, false);
            let below = b.map(Function::Sub, &[x, largest]);
            let exp = b.map(Function::Exp, &[below]);
            let sum = keep(b, Reduction::Sum, exp, false);
            let log = b.map(Function::Log, &[sum]);
            vec![b.map(Function::Sub, &[below, log])]
        });
        // The subtracted value is computed again, not saved.
        let saves: Vec<usize> =
            only_rows(&ops).stages.iter().map(|stage| stage.saves.len()).collect();
        assert_eq!(saves, [0, 0, 1]);
    }

    #[test]
    fn a_layer_norm_is_rows_and_gives_its_mean_too() {
        for expands in [false, true] {
            let ops = remaining_ops(|b, x| {
                let middle = mean(b, x, expands);
                let apart = b.map(Function::Sub, &[x, middle]);
                let square = b.map(Function::Square, &[apart]);
                let variance = mean(b, square, expands);
                let small = b.float(1e-5);
                let variance = b.map(Function::Add, &[variance, small]);
                let root = b.map(Function::Sqrt, &[variance]);
                vec![b.map(Function::TrueDivide, &[apart, root]), middle]
            });
            let rows: Vec<&Op> = ops.iter().filter(|op| matches!(op, Op::Rows(_))).collect();
            let folds = ops.iter().any(|op| matches!(op, Op::Reduce { .. }));
            assert!(rows.len() == 1 && !folds, "{ops:?}");
        }
    }

    #[test]
    fn weights_of_a_layer_norm_are_in_its_last_stage() {
        for keeps_mean in [false, true] {
            let mut b = Build::new();
            let (x, w) = (b.matrix(DType::Float64), b.vector(DType::Float64));
            let weight = b.map(Function::Exp, &[w]);
            let middle = mean(&mut b, x, false);
            let apart = b.map(Function::Sub, &[x, middle]);
            let exp = b.map(Function::Exp, &[apart]);
            let sum = keep(&mut b, Reduction::Sum, exp, false);
            let share = b.map(Function::TrueDivide, &[exp, sum]);
            let weighted = b.map(Function::Mul, &[share, weight]);
            let outputs = if keeps_mean { vec![weighted, middle] } else { vec![weighted] };
            let graph = b.outputs(&outputs);
            let (after, _) = only("rows", &graph);
            for (shape, weights) in
                [([2, 3], 3), ([2, 3], 1), ([2, 1], 3), ([2, 1], 1), ([2, 1], 0)]
            {
                let count = shape[0] * shape[1];
                let values: Vec<f64> = (0..count).map(|i| i as f64 * 0.5 - 1.0).collect();
                let x = Array::floats(&shape, &values);
                let w: Vec<f64> = (0..weights).map(|i| 0.5 - i as f64).collect();
                assert_same(&graph, &after, &[x, Array::floats(&[weights], &w)]);
            }
            let ops = ops(&after);
            let rows = ops.iter().find_map(|op| match op {
                Op::Rows(rows) => Some(rows),
                _ => None,
            });
            let rows = rows.expect("a layer norm is rows");
            let fused = !ops.iter().any(|op| matches!(op, Op::Map(Function::Mul)));
            assert_eq!((fused, rows.early < rows.inputs.len()), (!keeps_mean, !keeps_mean));
        }
    }

    #[test]
    fn producers_fuse() {
        let ops = remaining_ops(|b, x| {
            let exp = b.map(Function::Exp, &[x]);
            let square = b.map(Function::Square, &[exp]);
            let sum = keep(b, Reduction::Sum, square, false);
            let norm = b.map(Function::Sqrt, &[sum]);
            vec![b.map(Function::TrueDivide, &[exp, norm]), sum]
        });
        let rows = only_rows(&ops);
        assert_eq!((rows.stages.len(), rows.outputs.len()), (2, 2));
    }

    #[test]
    fn other_forms_stay() {
        let first = remaining_ops(|b, x| {
            let sum = b.reduce_keep(Reduction::Sum, &[0], x);
            vec![b.map(Function::TrueDivide, &[x, sum])]
        });
        assert_eq!(first.len(), 2);
        let alone = remaining_ops(|b, x| vec![keep(b, Reduction::Sum, x, false)]);
        assert_eq!(alone.len(), 1);
        let whole = remaining_ops(|b, x| {
            let sum = b.reduce(Reduction::Sum, &[0, 1], x);
            vec![b.map(Function::TrueDivide, &[x, sum])]
        });
        assert_eq!(whole.len(), 2);
    }

    #[test]
    fn indirect_paths_are_no_cycles() {
        let ops = remaining_ops(|b, x| {
            let sum = keep(b, Reduction::Sum, x, false);
            let turned = b.apply(Op::Transpose(vec![1, 0]), &[sum]);
            let total = b.reduce(Reduction::Sum, &[0, 1], turned);
            let share = b.map(Function::TrueDivide, &[x, sum]);
            vec![b.map(Function::Mul, &[share, total])]
        });
        assert_eq!(ops.iter().filter(|op| matches!(op, Op::Rows(_))).count(), 1);
    }
}

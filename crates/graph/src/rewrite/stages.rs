//! Stages: the walks along the row by which a group of rows is computed.
//!
//! An element that a later stage needs is computed again if that is cheap, or else saved. Values
//! per row are computed in every stage that needs them: they are constant along the row, so that a
//! compiler moves them out of the loop.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::cost::is_cheap;
use super::reduce::Walk;
use super::rows::Group;
use crate::{Graph, Instruction, Node, Op, RowArg, RowResult, Rows, Stage, Var};

/// The limit on functions that are computed again rather than saved and loaded.
const AGAIN: usize = 4;

pub(super) struct Stages<'a> {
    graph: &'a Graph,
    group: &'a Group,
    /// The nodes in order.
    nodes: Vec<usize>,
    inputs: Vec<Var>,
    /// For each row its first stage.
    home: HashMap<Var, usize>,
    /// The stages in which a row is computed.
    computed: HashMap<Var, BTreeSet<usize>>,
    /// The numbers of rows that are saved, and of reductions.
    saved: HashMap<Var, usize>,
    folded: HashMap<Var, usize>,
    results: Vec<Var>,
    count: usize,
}

impl<'a> Stages<'a> {
    /// Decides in which stage each node is computed. `results` are the nodes whose results are
    /// needed.
    pub(super) fn of(graph: &'a Graph, group: &'a Group, walk: &Walk, results: &[usize]) -> Self {
        let mut nodes: Vec<usize> = walk.nodes.iter().chain(&walk.roots).copied().collect();
        nodes.sort_unstable();
        let output = |&node: &usize| graph.nodes()[node].outputs[0];
        let mut stages = Self {
            graph,
            group,
            inputs: Vec::new(),
            home: HashMap::new(),
            computed: HashMap::new(),
            saved: HashMap::new(),
            folded: HashMap::new(),
            results: results.iter().map(output).collect(),
            count: 0,
            nodes,
        };
        stages.assign();
        stages
    }

    fn node(&self, node: usize) -> &'a Node {
        &self.graph.nodes()[node]
    }

    /// The stage of a row; `None` for a value per row, with the stage of its loop if it is a
    /// reduction.
    fn row(&self, node: usize) -> Option<usize> {
        match self.group.members.get(&node) {
            None => Some(0),
            Some(member) if member.is_row() => Some(member.stage),
            Some(_) => None,
        }
    }

    fn fold(&self, node: usize) -> Option<usize> {
        self.group.members.get(&node).filter(|member| member.folds).map(|member| member.stage - 1)
    }

    fn assign(&mut self) {
        let results: HashSet<Var> = self.results.iter().copied().collect();
        let mut cost: HashMap<Var, usize> = HashMap::new();
        for &index in &self.nodes {
            let node = self.node(index);
            let Some(home) = self.row(index) else { continue };
            self.home.insert(node.outputs[0], home);
            let again: usize = node.inputs.iter().map(|input| cost.get(input).unwrap_or(&0)).sum();
            let cheap = matches!(node.op, Op::Map(function) if is_cheap(function));
            // Loading a saved element costs as much as a function.
            let again = if cheap && again < AGAIN { again + 1 } else { AGAIN + 1 };
            cost.insert(node.outputs[0], again.min(AGAIN + 1));
        }
        let mut asked: HashMap<Var, BTreeSet<usize>> = HashMap::new();
        let mut saves: Vec<(usize, usize, Var)> = Vec::new();
        for &index in self.nodes.iter().rev() {
            let node = self.node(index);
            let output = node.outputs[0];
            if let Some(stage) = self.fold(index) {
                asked.entry(node.inputs[0]).or_default().insert(stage);
            }
            let Some(mut home) = self.row(index) else { continue };
            let mut stages = asked.remove(&output).unwrap_or_default();
            // Values of other nodes are computed in the stage that first needs them: the last may have
            // longer rows.
            if !self.group.members.contains_key(&index) {
                home = stages.first().copied().unwrap_or(home);
                self.home.insert(output, home);
            }
            let later = stages.iter().any(|&stage| stage > home);
            if results.contains(&output) || later && cost[&output] > AGAIN {
                saves.push((home, index, output));
                stages = BTreeSet::from([home]);
            }
            for &input in &node.inputs {
                asked.entry(input).or_default().extend(&stages);
            }
            self.computed.insert(output, stages);
        }
        saves.sort_unstable();
        self.saved = saves.iter().enumerate().map(|(number, save)| (save.2, number)).collect();
        let folds = self.nodes.iter().filter_map(|&node| Some((self.fold(node)?, node)));
        let mut folds: Vec<(usize, usize)> = folds.collect();
        folds.sort_unstable();
        let folded = folds.iter().enumerate();
        self.folded = folded.map(|(number, fold)| (self.node(fold.1).outputs[0], number)).collect();
        let last_fold = folds.last().map_or(0, |fold| fold.0);
        let last_row = self.computed.values().filter_map(|stages| stages.last()).max();
        self.count = last_row.map_or(0, |&stage| stage).max(last_fold) + 1;
    }

    /// The stages, and the inputs.
    pub(super) fn finish(mut self) -> (Rows, Vec<Var>) {
        let mut stages: Vec<Stage> = (0..self.count - 1).map(|stage| self.stage(stage)).collect();
        let early = self.inputs.len();
        stages.push(self.stage(self.count - 1));
        let early = if self.group.widens() { early } else { self.inputs.len() };
        let result = |var: &Var| match self.saved.get(var) {
            Some(&number) => RowResult::Saved(number),
            None => RowResult::Folded(self.folded[var]),
        };
        let outputs = self.results.iter().map(result).collect();
        let inputs = self.inputs.iter().map(|&var| self.graph.tensor(var).dtype).collect();
        let inner = self.group.inner;
        (Rows { inputs, early, inner, keepdims: false, stages, outputs }, self.inputs)
    }

    fn stage(&mut self, number: usize) -> Stage {
        let mut values = HashMap::new();
        let mut stage = Stage { instructions: Vec::new(), saves: Vec::new(), folds: Vec::new() };
        let mut saves = Vec::new();
        for index in self.nodes.clone() {
            let node = self.node(index);
            let output = node.outputs[0];
            if self.computed.get(&output).is_some_and(|stages| stages.contains(&number)) {
                let value = self.compute(node, number, &mut stage, &mut values);
                if let Some(&save) =
                    self.saved.get(&output).filter(|_| self.home[&output] == number)
                {
                    saves.push((save, value));
                }
            }
            if self.fold(index) == Some(number)
                && let Op::Reduce { reduction, .. } = node.op
            {
                let value = self.value(node.inputs[0], number, &mut stage, &mut values);
                stage.folds.push((reduction, value));
            }
        }
        saves.sort_unstable_by_key(|&(save, _)| save);
        stage.saves = saves.into_iter().map(|(_, value)| value).collect();
        stage
    }

    fn compute(
        &mut self,
        node: &Node,
        number: usize,
        stage: &mut Stage,
        values: &mut HashMap<Var, RowArg>,
    ) -> RowArg {
        let arguments =
            node.inputs.iter().map(|&input| self.value(input, number, stage, values)).collect();
        let Op::Map(function) = node.op else { unreachable!("groups are of maps and reductions") };
        let dtype = self.graph.tensor(node.outputs[0]).dtype;
        stage.instructions.push(Instruction { function, arguments, dtype });
        let value = RowArg::Local(stage.instructions.len() - 1);
        values.insert(node.outputs[0], value);
        value
    }

    fn value(
        &mut self,
        var: Var,
        number: usize,
        stage: &mut Stage,
        values: &mut HashMap<Var, RowArg>,
    ) -> RowArg {
        if let Some(&value) = values.get(&var) {
            return value;
        }
        let maker = self.graph.owner(var).map(|(node, _)| node);
        let maker = maker.filter(|node| self.nodes.binary_search(node).is_ok());
        let value = match maker.map(|node| self.node(node)) {
            None => {
                let at = self.inputs.iter().position(|&input| input == var);
                RowArg::Input(at.unwrap_or_else(|| {
                    self.inputs.push(var);
                    self.inputs.len() - 1
                }))
            }
            Some(_) if self.folded.contains_key(&var) => RowArg::Folded(self.folded[&var]),
            Some(_) if self.saved.contains_key(&var) => RowArg::Saved(self.saved[&var]),
            Some(node) => match node.op {
                Op::Map(_) => self.compute(node, number, stage, values),
                _ => self.value(node.inputs[0], number, stage, values),
            },
        };
        values.insert(var, value);
        value
    }
}

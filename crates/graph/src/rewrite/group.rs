//! Groups: sets of nodes that become one node, without cycles.
//!
//! Purpose: the common basis of all fusions. Each node is in a group, and groups are numbered.
//! Invariant: the inputs of a node are computed in its own group or in one with a smaller number.
//! Groups in the order of their numbers are therefore a graph again, and whether a group may grow
//! is decided in constant time.

/// Nodes, in groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// For each number, the group into which it was merged, or itself.
    into: Vec<usize>,
    /// For each group, a lower bound on the numbers of the groups that use it.
    users: Vec<usize>,
    members: Vec<Vec<usize>>,
    /// For each node, its initial number.
    number: Vec<usize>,
}

impl Groups {
    /// A new group for the next node; it is the last group.
    pub(super) fn push(&mut self) -> usize {
        let group = self.into.len();
        self.into.push(group);
        self.users.push(usize::MAX);
        self.members.push(vec![self.number.len()]);
        self.number.push(group);
        group
    }

    /// The group of a node.
    pub(super) fn of(&mut self, node: usize) -> usize {
        self.now(self.number[node])
    }

    /// The group into which a group was merged.
    pub(super) fn now(&mut self, mut group: usize) -> usize {
        while self.into[group] != group {
            self.into[group] = self.into[self.into[group]];
            group = self.into[group];
        }
        group
    }

    /// Its nodes.
    pub(super) fn members(&self, group: usize) -> &[usize] {
        &self.members[group]
    }

    /// Records that a group uses a result of another.
    pub(super) fn uses(&mut self, user: usize, made: usize) {
        if user != made {
            self.users[made] = self.users[made].min(user);
        }
    }

    /// True if a group may be merged into one with a greater number: no group in between uses it.
    pub(super) fn may_rise(&self, group: usize, to: usize) -> bool {
        group < to && self.users[group] >= to
    }

    /// Merges two groups, with the number of the second.
    pub(super) fn unite(&mut self, group: usize, to: usize) {
        let members = std::mem::take(&mut self.members[group]);
        self.members[to].extend(members);
        self.into[group] = to;
        // Users other than the merged group are unknown.
        let users = self.users[group];
        self.users[to] = self.users[to].min(if users == to { to + 1 } else { users });
    }

    /// All groups in order, the nodes of each in order.
    pub(super) fn finish(self) -> impl Iterator<Item = Vec<usize>> {
        self.members.into_iter().filter(|members| !members.is_empty()).map(|mut members| {
            members.sort_unstable();
            members
        })
    }
}

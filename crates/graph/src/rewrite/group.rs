//! Groups: nodes that become one, without circles.
//!
//! Purpose: what fusing has in common. Each node is in a group, and groups are numbered.
//! Invariant: what a node uses is made in its own group or in one with a smaller number. So groups in
//! the order of their numbers are a graph again, and whether a group may grow is seen at once.

/// Nodes, in groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// For each number, the group that it went into, or itself.
    into: Vec<usize>,
    /// For each group, a number that no other group has a smaller one than, of those that use it.
    users: Vec<usize>,
    members: Vec<Vec<usize>>,
    /// For each node, the number that it began with.
    number: Vec<usize>,
}

impl Groups {
    /// A new group, the last, of the next node.
    pub(super) fn push(&mut self) -> usize {
        let group = self.into.len();
        self.into.push(group);
        self.users.push(usize::MAX);
        self.members.push(vec![self.number.len()]);
        self.number.push(group);
        group
    }

    /// The group that a node is in.
    pub(super) fn of(&mut self, node: usize) -> usize {
        self.now(self.number[node])
    }

    /// The group that a group is part of by now.
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

    /// Notes that a group uses what another makes.
    pub(super) fn uses(&mut self, user: usize, made: usize) {
        if user != made {
            self.users[made] = self.users[made].min(user);
        }
    }

    /// True if a group may become part of one with a greater number: no group in between uses it.
    pub(super) fn may_rise(&self, group: usize, to: usize) -> bool {
        group < to && self.users[group] >= to
    }

    /// Makes one group of two, with the number of the second.
    pub(super) fn unite(&mut self, group: usize, to: usize) {
        let members = std::mem::take(&mut self.members[group]);
        self.members[to].extend(members);
        self.into[group] = to;
        // Who else uses it, after the group that it is now, is not known.
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

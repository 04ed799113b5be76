//! Whether C functions may run on several threads at once.

/// What keeps C functions from running on two threads at once, where they must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Safety {
    /// Nothing: the library sees to it itself.
    Safe,
    /// Calls on one object, or on one that refers to it, take turns.
    HandleLock,
    /// All such calls of the module take turns.
    ModuleLock,
    /// The host's global lock, which is held during the call.
    Gil,
}

impl Safety {
    /// Every one.
    pub const ALL: [Safety; 4] =
        [Safety::Safe, Safety::HandleLock, Safety::ModuleLock, Safety::Gil];

    /// As the interface language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::HandleLock => "handle-lock",
            Safety::ModuleLock => "module-lock",
            Safety::Gil => "gil",
        }
    }
}

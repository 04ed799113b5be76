//! Thread safety: which C functions may run on several threads at once.

/// The lock that serialises C functions which must not run on two threads at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Safety {
    /// No lock: the library is thread-safe.
    Safe,
    /// One lock per object: it serialises calls on one object, or on one that refers to it.
    HandleLock,
    /// One lock per module: it serialises all such calls.
    ModuleLock,
    /// The GIL, which is held during the call.
    Gil,
}

impl Safety {
    /// All values.
    pub const ALL: [Safety; 4] =
        [Safety::Safe, Safety::HandleLock, Safety::ModuleLock, Safety::Gil];

    /// Its keyword in the interface language.
    pub fn name(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::HandleLock => "handle-lock",
            Safety::ModuleLock => "module-lock",
            Safety::Gil => "gil",
        }
    }
}

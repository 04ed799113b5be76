//! Compiled libraries, each made once and kept for every later process.
//!
//! A [`Key`] is a hash over all inputs of a library's build. [`Store::get`] finds the
//! [`Entry`] of a key, [`Store::get_or_make`] has it made if it is missing, and
//! [`Store::load_or_make`] has it loaded as well, whatever other processes do at the same time.
//!
//! Guarantees:
//!
//! - **No incomplete entries.** An entry is made in a folder of its own and renamed into place. An
//!   entry is compared with the hash that it was stored under, so that remains of a crash, a full
//!   disk or a bad disk count as absent, and the entry is made again.
//! - **No duplicate work.** Threads and processes that want the same entry take turns; others do
//!   not wait. If a file system has no locks, the worst is that an entry is made twice.
//! - **No foreign code.** A file that another user owns or could have written is never loaded.
//! - **Finding is cheap.** No lock, no compiler, a handful of system calls.
//!
//! ```
//! use fishplate_cache::{Key, Made, Settings, Store};
//!
//! # let folder = tempfile::tempdir()?;
//! # let variable = |name: &str| {
//! #     (name == "FISHPLATE_CACHE_DIR").then(|| folder.path().join("cache").into())
//! # };
//! let store = Store::open(&Settings::read(variable)?)?;
//! let key = Key::of("doc").part("int f(void) { return 1; }").part("-O3").finish();
//! let entry = store.get_or_make(&key, |folder| {
//!     std::fs::write(folder.join("f.so"), "what a compiler made")?;
//!     Ok::<_, std::io::Error>(Made::library("f.so"))
//! })?;
//! assert_eq!(store.get(&key).as_ref(), Some(&entry));
//! assert!(entry.library().ends_with("f.so"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clean;
mod cpu;
mod entry;
mod error;
mod key;
mod lock;
mod private;
mod room;
mod settings;
mod shelf;
mod store;
mod tally;
mod trust;

pub use clean::{Clean, Cleaned, Listed};
pub use cpu::cpu_features;
pub use entry::{Entry, Made};
pub use error::{CacheError, MakeError};
pub use key::{Key, KeyBuilder};
pub use settings::Settings;
pub use store::Store;

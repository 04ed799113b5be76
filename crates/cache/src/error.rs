//! Everything that can go wrong with the cache, with remedies.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why the cache cannot serve.
#[derive(Debug)]
#[non_exhaustive]
pub enum CacheError {
    /// Another user could have written what would be loaded.
    Untrusted {
        /// The folder or file.
        path: PathBuf,
        /// Why it is not trusted: `is owned by user 1001`.
        why: String,
    },
    /// The folder is on a file system that libraries cannot be loaded from.
    NoExec {
        /// The folder.
        path: PathBuf,
    },
    /// A file could not be read or written.
    Io {
        /// The action that failed: `write`, `create the folder`.
        doing: String,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The files differ from the maker's description, or were not complete when they were read
    /// back.
    NotWhole {
        /// The file.
        path: PathBuf,
        /// The mismatch.
        why: String,
    },
    /// An environment variable has a meaningless value.
    Setting {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
        /// The valid values.
        wanted: &'static str,
    },
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untrusted { path, why } => write!(
                f,
                "the cache is not used: {} {why}, so that what it holds may be another user's \
                 (mend its owner and permissions, remove it, or name another folder in \
                 FISHPLATE_CACHE_DIR)",
                path.display()
            ),
            Self::NoExec { path } => write!(
                f,
                "libraries cannot be loaded from {}: its file system is mounted `noexec`",
                path.display()
            ),
            Self::Io { doing, path, source } => {
                write!(f, "could not {doing} {}: {source}", path.display())
            }
            Self::NotWhole { path, why } => write!(f, "{} {why}", path.display()),
            Self::Setting { variable, value, wanted } => {
                write!(f, "{variable} is `{value}`; it must be {wanted}")
            }
        }
    }
}

impl std::error::Error for CacheError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl CacheError {
    /// Whether the folder cannot be written at all, so that another one must serve.
    pub(crate) fn is_no_place(&self) -> bool {
        use io::ErrorKind::{
            NotADirectory, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem,
            StorageFull,
        };
        let source = match self {
            Self::NoExec { .. } => return true,
            Self::Io { source, .. } => source,
            _ => return false,
        };
        matches!(
            source.kind(),
            PermissionDenied
                | ReadOnlyFilesystem
                | NotFound
                | NotADirectory
                | StorageFull
                | QuotaExceeded
        )
    }
}

/// The failure of the cache, or of the maker.
#[derive(Debug)]
pub enum MakeError<E> {
    /// The cache could not keep it.
    Cache(CacheError),
    /// It could not be made.
    Make(E),
}

impl<E> From<CacheError> for MakeError<E> {
    fn from(error: CacheError) -> Self {
        Self::Cache(error)
    }
}

impl<E: fmt::Display> fmt::Display for MakeError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cache(error) => error.fmt(f),
            Self::Make(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for MakeError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Cache(error) => error.source(),
            Self::Make(error) => error.source(),
        }
    }
}

/// Adds to an I/O error the action and the path: without them, an error is useless.
pub(crate) trait Doing<T> {
    fn doing(self, what: &str, path: &Path) -> Result<T, CacheError>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: &str, path: &Path) -> Result<T, CacheError> {
        self.map_err(|source| CacheError::Io {
            doing: what.to_owned(),
            path: path.to_owned(),
            source,
        })
    }
}

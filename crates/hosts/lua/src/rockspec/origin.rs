//! The address from which others fetch a folder: the remote `origin` of its git repository.
//!
//! Purpose: a rockspec must have an address, which only the author's repository has.
//! Invariant: nothing is guessed; without git, a repository or a remote, the address is missing.
//! Reason: git itself is run, since a remote may be set in a worktree, an included file or by
//! `insteadOf`.

use fishplate_toolchain::Environment;
use std::ffi::OsStr;
use std::path::Path;

/// An address in the form for LuaRocks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// `git+https://example.org/me/stats.git`
    pub(super) url: String,
    /// The folder below the clone's parent, `stats/lua`; `None` at the repository's root, which LuaRocks
    /// finds by itself.
    pub(super) folder: Option<String>,
}

impl Origin {
    /// The address of a folder, if git has one that others can use.
    pub(super) fn find(folder: &Path, environment: &Environment) -> Option<Origin> {
        let url = address(&git(folder, environment, &["remote", "get-url", "origin"])?)?;
        let below = git(folder, environment, &["rev-parse", "--show-prefix"])?;
        Some(Origin::new(url, &below))
    }

    fn new(url: String, below: &str) -> Origin {
        let clone = url.rsplit('/').next().unwrap_or_default().trim_end_matches(".git");
        let below = below.trim_end_matches('/');
        let folder = (!below.is_empty()).then(|| format!("{clone}/{below}"));
        Origin { url, folder }
    }
}

/// A remote in the form for LuaRocks: `git+` before the protocol, and ssh by its own name. The
/// author's user name and password on a web server are removed.
fn address(remote: &str) -> Option<String> {
    let remote = remote.trim_end_matches('/');
    if let Some((protocol, rest)) = remote.split_once("://") {
        let (host, path) = rest.split_once('/')?;
        let host = if protocol.starts_with("http") {
            host.rsplit('@').next().unwrap_or_default()
        } else {
            host
        };
        let git = if protocol == "git" { "" } else { "git+" };
        return Some(format!("{git}{protocol}://{host}/{path}"));
    }
    match remote.split_once(':') {
        // `git@example.org:me/stats.git`
        Some((host, path)) if !host.contains('/') => Some(format!("git+ssh://{host}/{path}")),
        _ => remote.starts_with('/').then(|| format!("git+file://{remote}")),
    }
}

/// The output of git about a folder, in one line; `None` if it has none.
fn git(folder: &Path, environment: &Environment, words: &[&str]) -> Option<String> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let command = ["git".as_ref(), "-C".as_ref(), folder.as_os_str()];
    let words = command.into_iter().chain(words.iter().map(OsStr::new)).map(OsStr::to_owned);
    let output = environment.run(&words.collect::<Vec<_>>()).ok()?;
    let line = output.stdout.trim_end().to_owned();
    output.status.success().then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_are_addresses_of_luarocks() {
        for (remote, wanted) in [
            ("https://example.org/me/a.git", "git+https://example.org/me/a.git"),
            ("https://me:secret@example.org/a/", "git+https://example.org/a"),
            ("ssh://git@example.org/a", "git+ssh://git@example.org/a"),
            ("git@example.org:me/a.git", "git+ssh://git@example.org/me/a.git"),
            ("git://example.org/a.git", "git://example.org/a.git"),
            ("/srv/a.git", "git+file:///srv/a.git"),
        ] {
            assert_eq!(address(remote).as_deref(), Some(wanted));
        }
        assert_eq!(address("../a.git"), None);
    }

    #[test]
    fn a_folder_below_the_root_is_named() {
        let at =
            |below: &str| Origin::new("git+https://example.org/a.git".to_owned(), below).folder;
        assert_eq!(at(""), None);
        assert_eq!(at("src/lua/"), Some("a/src/lua".to_owned()));
    }
}

//! Requirements with their origins, for messages about missing ones.

use crate::needs::Needs;

/// A header, a library or a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    item: String,
    hook: &'static str,
    by: String,
    /// The node, for a requirement of an op.
    pub node: Option<usize>,
}

impl Asked {
    /// All requirements of a type or an op.
    pub(crate) fn of(by: &str, node: Option<usize>, needs: &Needs) -> Vec<Asked> {
        let lists = [
            ("c_headers", "", &needs.headers),
            ("c_libraries", "-l", &needs.libraries),
            ("c_compile_args", "", &needs.compile_args),
        ];
        let each = lists.iter().flat_map(|(hook, prefix, items)| {
            items.iter().map(move |item| Asked {
                item: format!("{prefix}{}", item.trim_matches(['<', '>', '"'])),
                hook,
                by: by.to_owned(),
                node,
            })
        });
        each.collect()
    }

    /// True for a message about it: a linker names a library as `-lx` or as `x` with the word
    /// library.
    pub(crate) fn is_in(&self, message: &str) -> bool {
        let library = self.item.strip_prefix("-l").filter(|_| message.contains("library"));
        [Some(self.item.as_str()), library].into_iter().flatten().any(|name| names(message, name))
    }

    /// `asked for by op.c_headers`
    pub(crate) fn describe(&self) -> String {
        format!("  asked for by {}.{}\n", self.by, self.hook)
    }
}

/// The name is in the message, and not as a part of another one.
fn names(message: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    message.match_indices(name).any(|(at, name)| {
        let (before, after) = (&message[..at], &message[at + name.len()..]);
        !before.ends_with(is_part) && !after.starts_with(|c: char| is_part(c) && c != '.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linkers_name_libraries_in_their_own_ways() {
        let needs = Needs { libraries: vec!["blas".to_owned()], ..Needs::default() };
        let asked = Asked::of("op", None, &needs).remove(0);
        for message in [
            "/usr/bin/ld: cannot find -lblas: No such file or directory",
            "ld: library 'blas' not found",
            "unable to find dynamic system library \"blas\" using strategy paths_first",
        ] {
            assert!(asked.is_in(message), "{message}");
        }
        assert!(!asked.is_in("cannot find -lcblas") && !asked.is_in("'blas' undeclared"));
    }
}

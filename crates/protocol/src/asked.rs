//! Who asked for what, so that whoever asked for what is not there hears of it.

use crate::needs::Needs;

/// A header, a library or a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    item: String,
    hook: &'static str,
    by: String,
    /// The node, where an op asks.
    pub node: Option<usize>,
}

impl Asked {
    /// All that a type or an op asks for.
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

    /// True when a message is about it.
    pub(crate) fn is_in(&self, message: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        message.match_indices(&self.item).any(|(at, item)| {
            let (before, after) = (&message[..at], &message[at + item.len()..]);
            !before.ends_with(is_part) && !after.starts_with(|c: char| is_part(c) && c != '.')
        })
    }

    /// `asked for by op.c_headers`
    pub(crate) fn told(&self) -> String {
        format!("  asked for by {}.{}\n", self.by, self.hook)
    }
}

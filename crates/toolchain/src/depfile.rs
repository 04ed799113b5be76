//! Dependency files, as `-MD` writes them: the files that a compiler opened for a unit.
//!
//! They are makefile rules, `target: a.c b.h \`, with make's escapes: `\ ` for a space, `\#`,
//! `$$`. GCC doubles backslashes only right before a space.

use std::path::{Path, PathBuf};

/// The files in a dependency file, in order, the unit first.
pub(crate) fn parse(text: &str) -> Vec<PathBuf> {
    // The target has a name without a colon, chosen by this crate.
    let Some((_, rest)) = text.split_once(':') else { return Vec::new() };
    let mut files = Vec::new();
    let mut file = String::new();
    let mut characters = rest.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some('\n')) => {
                characters.next();
                end(&mut file, &mut files);
            }
            ('\\', Some('\r')) => end(&mut file, &mut files),
            ('\\', Some(' ' | '#')) => {
                // Backslashes of the name itself were doubled before this one.
                let own = file.len() - file.trim_end_matches('\\').len();
                file.truncate(file.len() - own / 2);
                file.extend(characters.next());
            }
            ('$', Some('$')) => file.extend(characters.next()),
            // The end of the rule; with -MP more rules would follow, without files.
            ('\n', _) => break,
            (c, _) if c.is_ascii_whitespace() => end(&mut file, &mut files),
            (c, _) => file.push(c),
        }
    }
    end(&mut file, &mut files);
    files
}

/// The text of a dependency file for Make and Ninja: a rule by which `target` depends on these files.
pub fn write_depfile(target: &Path, files: &[PathBuf]) -> String {
    let files: Vec<String> = files.iter().map(|file| escape(file)).collect();
    format!("{}: \\\n  {}\n", escape(target), files.join(" \\\n  "))
}

/// A file name with Make's escapes.
fn escape(path: &Path) -> String {
    let mut escaped = String::new();
    for c in path.to_string_lossy().chars() {
        match c {
            ' ' | '#' => {
                // Backslashes before an escaped character are doubled.
                let own = escaped.len() - escaped.trim_end_matches('\\').len();
                escaped.extend(std::iter::repeat_n('\\', own + 1));
            }
            '$' => escaped.push('$'),
            _ => {}
        }
        escaped.push(c);
    }
    escaped
}

fn end(file: &mut String, files: &mut Vec<PathBuf>) {
    if !file.is_empty() {
        files.push(std::mem::take(file).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let text =
            "o: a\\ b.c /usr/include/x.h \\\n  d$$o\\#l.h \\\n C:\\dir\\y.h \\\n\té.h\n\nx.h:\n";
        let names: Vec<_> = parse(text)
            .into_iter()
            .map(|path| path.into_os_string().into_string().unwrap())
            .collect();
        assert_eq!(names, ["a b.c", "/usr/include/x.h", "d$o#l.h", "C:\\dir\\y.h", "é.h"]);
        assert!(parse("").is_empty());
    }

    #[test]
    fn depfiles_round_trip() {
        let files =
            ["a b.toml", "/usr/include/x.h", "d$o#l.h", "back\\ slash.h", "é.h"].map(PathBuf::from);
        let rule = write_depfile(Path::new("out dir/m.c"), &files);
        assert!(rule.starts_with("out\\ dir/m.c: \\\n"), "{rule}");
        assert_eq!(parse(&rule), files);
    }
}

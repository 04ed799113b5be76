//! The options that come before a script, as the `lua` command has them.

use std::ffi::OsString;

/// The statements, modules and script to run.
#[derive(Debug, Default)]
pub(crate) struct Options<'a> {
    /// `e` and a statement, `l` and a module, or `v`, in the order in which they are run.
    pub before: Vec<(char, OsString)>,
    /// `-` for standard input.
    pub script: Option<&'a OsString>,
    pub arguments: &'a [OsString],
}

impl<'a> Options<'a> {
    pub(crate) fn read(words: &'a [OsString]) -> Result<Self, String> {
        let mut options = Options::default();
        let mut rest = words;
        while let [word, others @ ..] = rest {
            let Some(option) = word.to_str().and_then(|word| word.strip_prefix('-')) else { break };
            rest = others;
            match option.split_at_checked(1) {
                // `-` is a script, and `--` ends the options.
                None => {
                    rest = &words[words.len() - others.len() - 1..];
                    break;
                }
                Some(("-", "")) => break,
                Some(("v", "")) => options.before.push(('v', OsString::new())),
                Some((name @ ("e" | "l"), text)) => {
                    // Its argument may follow without a space.
                    let text = if text.is_empty() {
                        let [next, others @ ..] = rest else {
                            return Err(format!("`-{name}` needs something after it"));
                        };
                        rest = others;
                        next.clone()
                    } else {
                        text.into()
                    };
                    options.before.push((name.chars().next().unwrap_or('e'), text));
                }
                Some(_) => {
                    return Err(format!(
                        "`-{option}` is not an option; there are -e, -l, -v and --"
                    ));
                }
            }
        }
        if let [script, arguments @ ..] = rest {
            (options.script, options.arguments) = (Some(script), arguments);
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<(String, Option<String>, usize), String> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let options = Options::read(&words)?;
        let before = options.before.iter();
        let before: Vec<String> =
            before.map(|(option, text)| format!("{option} {}", text.to_string_lossy())).collect();
        let script = options.script.map(|script| script.to_string_lossy().into_owned());
        Ok((before.join("; "), script, options.arguments.len()))
    }

    #[test]
    fn options_come_before_the_script() {
        let done = |before: &str, script: Option<&str>, count| {
            Ok((before.to_owned(), script.map(str::to_owned), count))
        };
        assert_eq!(read(&["a.lua", "-e", "x"]), done("", Some("a.lua"), 2));
        assert_eq!(read(&["-e", "x = 1", "-lwrap", "-v"]), done("e x = 1; l wrap; v ", None, 0));
        assert_eq!(read(&["-l", "wrap", "-", "y"]), done("l wrap", Some("-"), 1));
        assert_eq!(read(&["--", "-e"]), done("", Some("-e"), 0));
        assert!(read(&["-e"]).is_err() && read(&["-x"]).is_err());
    }
}

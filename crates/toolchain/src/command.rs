//! Running other programs: never through a shell, so that no character in a path means anything.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::environment::Environment;

/// A program that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Its exit status.
    pub status: ExitStatus,
    /// Standard output.
    pub stdout: String,
    /// Lossy: compilers quote source lines, whatever those are encoded in.
    pub stderr: String,
}

impl Finished {
    /// Its output on both streams, and the signal if it was killed.
    pub fn raw(&self) -> String {
        let mut raw = format!("{}{}", self.stdout, self.stderr);
        if self.status.code().is_none() {
            raw.push_str(&format!("\n(killed: {}; out of memory?)\n", self.status));
        }
        raw
    }
}

/// Runs a command (the program first) and waits for it.
///
/// The locale is C: messages are parsed, and must not be translated. An interruption by the user is
/// an error of its own.
pub(crate) fn run(command: &[OsString], environment: &Environment) -> io::Result<Finished> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let output = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(environment.iter())
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .stdin(Stdio::null())
        .output()?;
    if is_interrupted(output.status) {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "it was interrupted"));
    }
    Ok(Finished {
        status: output.status,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// True if Ctrl-C ended it.
#[cfg(unix)]
fn is_interrupted(status: ExitStatus) -> bool {
    const SIGINT: i32 = 2;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGINT)
}

#[cfg(not(unix))]
fn is_interrupted(_: ExitStatus) -> bool {
    false
}

/// A command as a person would type it into a POSIX shell. Only for reading and pasting.
pub(crate) fn quoted(command: &[OsString]) -> String {
    let words: Vec<_> = command.iter().map(|word| quoted_word(&word.to_string_lossy())).collect();
    words.join(" ")
}

fn quoted_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+=./,:@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The words of a variable like `$CC`, which may include arguments: `ccache gcc -m32`.
///
/// Quotes and backslashes work as in a shell. A value that names an existing file is one word,
/// spaces or not.
pub(crate) fn words(value: &OsStr) -> Vec<OsString> {
    if Path::new(value).is_file() {
        return vec![value.to_owned()];
    }
    let Some(text) = value.to_str() else {
        return vec![value.to_owned()];
    };
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\\', None | Some('"')) => {
                word.get_or_insert_default().extend(characters.next());
            }
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take().map(OsString::from)),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.map(OsString::from));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        words(OsStr::new(text)).into_iter().map(|w| w.into_string().unwrap()).collect()
    }

    #[test]
    fn words_follow_the_shell() {
        assert_eq!(split("gcc"), ["gcc"]);
        assert_eq!(split("  ccache  gcc -m32 "), ["ccache", "gcc", "-m32"]);
        assert_eq!(
            split(r#"'/my cc/gcc' "-DX=\"a b\"" \ y ''"#),
            ["/my cc/gcc", r#"-DX="a b""#, " y", ""]
        );
        assert_eq!(split(""), [""; 0]);
    }

    #[test]
    fn quoting_is_for_pasting() {
        let command = ["gcc", "-c", "it's é.c", ""].map(OsString::from);
        assert_eq!(quoted(&command), r"gcc -c 'it'\''s é.c' ''");
    }
}

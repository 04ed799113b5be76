//! Runs other programs: commands are printed before they run, and failures name them.
//!
//! All output goes to stdout, so that a log has headings, commands and the programs' output in
//! order.

use crate::{Result, place};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// A command that runs in the root of the repository.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(place::root());
    command
}

/// The Cargo that runs this program.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Prints the next action.
pub(crate) fn heading(text: &str) {
    println!("\n=== {text}");
}

/// Runs a command with visible output; a failing exit status is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command.status();
    succeeded(command, status)
}

/// Runs a command, and adds its line and its output to a transcript; a failing exit status is an error.
pub(crate) fn transcribe(command: &mut Command, transcript: &mut String) -> Result<()> {
    let mut output = temporary()?;
    // One file has both, in order.
    let copy = || output.try_clone().map_err(|error| format!("no temporary file: {error}"));
    command.stdout(copy()?).stderr(copy()?);
    let status = command.status();
    transcript.push_str(&format!("$ {}\n{}", shown(command), text_of(&mut output)));
    succeeded(command, status)
}

/// Runs a command whose output is shown only if it fails, and returns its stdout.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| cannot_run(command, &error))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let mut message = format!("`{}` failed: {}", shown(command), output.status);
    for printed in [text(&output.stdout), text(&output.stderr)] {
        if !printed.is_empty() {
            message.push('\n');
            message.push_str(&printed);
        }
    }
    Err(message)
}

/// Runs a command with a time limit, and returns its stdout; on failure its output.
pub(crate) fn within(command: &mut Command, limit: Duration) -> Result<String> {
    let mut files = [temporary()?, temporary()?];
    let copies: Vec<File> = files.iter().filter_map(|file| file.try_clone().ok()).collect();
    for (index, copy) in copies.into_iter().enumerate() {
        let _ = if index == 0 { command.stdout(copy) } else { command.stderr(copy) };
    }
    let mut child = command.spawn().map_err(|error| cannot_run(command, &error))?;
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(20)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let [stdout, stderr] = files.each_mut().map(text_of);
    match status {
        Some(status) if status.success() => Ok(stdout),
        Some(status) => Err(format!("{status}\n{stderr}{stdout}")),
        None => Err(format!("was still running after {} s", limit.as_secs())),
    }
}

fn temporary() -> Result<File> {
    tempfile::tempfile().map_err(|error| format!("no temporary file: {error}"))
}

fn text_of(file: &mut File) -> String {
    let mut bytes = Vec::new();
    let _ = file.rewind().and_then(|()| file.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// True if the command can be run and succeeds; its output is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// A program on the `PATH`.
pub(crate) fn is_there(program: &str) -> bool {
    which::which(program).is_ok()
}

/// An error if the command could not run, or failed.
fn succeeded(command: &Command, status: std::io::Result<ExitStatus>) -> Result<()> {
    let status = status.map_err(|error| cannot_run(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", shown(command))) }
}

fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    format!("cannot run `{}`: {error}", shown(command))
}

/// The command line, its paths relative to the repository.
fn shown(command: &Command) -> String {
    let root = format!("{}/", place::root().display());
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<String> = words
        .map(|word| {
            let word = word.to_string_lossy().replace(&root, "");
            if word.is_empty() || word.contains(char::is_whitespace) {
                format!("'{word}'")
            } else {
                word
            }
        })
        .collect();
    // The full path of Cargo is not needed to recognise it.
    match line.split_first() {
        Some((program, rest)) if program.ends_with("/cargo") => {
            std::iter::once("cargo").chain(rest.iter().map(String::as_str)).collect::<Vec<_>>()
        }
        _ => line.iter().map(String::as_str).collect(),
    }
    .join(" ")
}

//! The `fishplate` command: arguments in, text out; the work is the driver's.
//!
//! A library with a program of one line, so that the Python package brings the same command.

mod build;
mod cache;
mod check;
mod completions;
mod convert;
mod doctor;
mod emit;
mod explain;
mod hosts;
mod init;
mod lua;
mod lua_library;
mod machine;
mod new;
mod progress;
pub mod report;
mod schema;
mod watch;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// Joins native array code to the languages that drive it.
///
/// Point it at C functions: an interface file holds one annotated prototype each, and
/// `fishplate build` makes a Python or a Lua module that checks every argument, copies only where
/// the layout forces it, and raises clear errors.
#[derive(Parser)]
#[command(name = "fishplate", version, after_help = EXAMPLE)]
struct Cli {
    /// Print machine-readable JSON instead of text.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLE: &str = "\
An interface file, stats.toml:

    [module]
    name    = \"stats\"
    headers = [\"stats.h\"]
    sources = [\"stats.c\"]

    [function.mean]
    doc   = \"Arithmetic mean of `x`.\"
    proto = \"double stats_mean(size_t n, const double x[n])\"

Build it, and use it:

    fishplate build stats.toml
    python -c 'import stats; print(stats.mean([1, 2, 3]))'

What an error means, with an example: fishplate explain FP0303

Exit status: 0 done, 1 the interface or the build has errors, 2 the command line is wrong.";

#[derive(Subcommand)]
enum Command {
    /// Make a package with C functions, ready to build, test and publish.
    New(new::Arguments),
    /// Write a first interface of C headers, with a guess for each function.
    Init(init::Arguments),
    /// Find mistakes in interface files, without building.
    Check(check::Arguments),
    /// Write the C source of a module, without building.
    Emit(emit::Arguments),
    /// Build an importable module; its path is the last line printed.
    Build(build::Arguments),
    /// Show the steps of each call, or what a diagnostic means.
    Explain(explain::Arguments),
    /// Rewrite a file of xndtools or f2py as an interface file.
    Convert(convert::Arguments),
    /// Run a Lua script that writes wrappers: torch's `wrap` is built in.
    Lua(lua::Arguments),
    /// Build the tensor library for one Lua.
    LuaLibrary(lua_library::Arguments),
    /// Show, check or empty the cache of compiled libraries.
    Cache(cache::Arguments),
    /// Show what was found on this machine, and whether modules can be built.
    Doctor(doctor::Arguments),
    /// Print the JSON Schema of interface files, for editors.
    Schema,
    /// Print a script that completes this command in a shell.
    Completions(completions::Arguments),
}

/// The command line was wrong.
const USAGE: u8 = 2;

/// Runs the command with these arguments, the first of which is the program's name; returns its
/// exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and the version are such errors too. A closed output is not a failure.
            let _ = error.print();
            return if error.use_stderr() { USAGE } else { 0 };
        }
    };
    let contradiction = match &cli.command {
        Command::Build(arguments) => arguments.contradiction(),
        Command::Explain(arguments) => arguments.contradiction(),
        _ => None,
    };
    if let Some(problem) = contradiction {
        let _ = Cli::command().error(ErrorKind::ArgumentConflict, problem).print();
        return USAGE;
    }
    let done = match &cli.command {
        Command::New(arguments) => new::run(arguments, cli.json),
        Command::Init(arguments) => init::run(arguments, cli.json),
        Command::Check(arguments) => check::run(arguments, cli.json),
        Command::Emit(arguments) => emit::run(arguments, cli.json),
        Command::Build(arguments) => build::run(arguments, cli.json),
        Command::Explain(arguments) => explain::run(arguments, cli.json),
        Command::Convert(arguments) => convert::run(arguments, cli.json),
        Command::Lua(arguments) => lua::run(arguments),
        Command::LuaLibrary(arguments) => lua_library::run(arguments, cli.json),
        Command::Cache(arguments) => cache::run(arguments, cli.json),
        Command::Doctor(arguments) => doctor::run(arguments, cli.json),
        Command::Schema => schema::run(),
        Command::Completions(arguments) => completions::run(arguments),
    };
    u8::from(!done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// clap wraps help to the width of the terminal: a line break within a paragraph would be a second one.
    #[test]
    fn paragraphs_of_help_are_single_lines() {
        let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
        let command = Cli::command();
        let helps = std::iter::once(&command).chain(command.get_subcommands());
        let mut seen = 0;
        for (name, help) in
            helps.filter_map(|one| Some((one.get_name(), one.get_after_help()?.to_string())))
        {
            let lines: Vec<&str> = help.lines().collect();
            let broken = lines.windows(2).find(|pair| pair.iter().all(|line| is_prose(line)));
            assert_eq!(broken, None, "in the help of {name}");
            seen += 1;
        }
        assert!(seen > 8);
    }
}

//! The developer's commands, run as `cargo xtask COMMAND`.
//!
//! Written in Rust so that a machine with Rust and Python needs nothing else to begin with. All
//! output is in `target/`, except for the tables of `docs/benchmarks/`.

mod announce;
mod apt;
mod bare;
mod base_python;
mod bench;
mod corpus;
mod demo;
mod dist;
mod docs;
mod examples;
mod fishplate;
mod free_threaded;
mod goldens;
mod lint;
mod machine;
mod machines;
mod mutants;
mod package;
mod place;
mod process;
mod pythons;
mod setup;
mod soak;
mod source_python;
mod stand_ins;
mod test;
mod venv;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// An error, as sentences for the user of the command.
type Result<T> = std::result::Result<T, String>;

/// The developer's commands of Fishplate.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Set up the tests: a Python with NumPy in target/venv, and the package in target/python
    Setup(setup::Arguments),
    /// Build the examples and show their results next to NumPy's
    Demo,
    /// Run the tests: Rust, Python, and the examples
    Test(test::Arguments),
    /// Show the changes in generated files that are stored as hashes
    Goldens(goldens::Arguments),
    /// Check formatting, clippy, ruff and the documentation
    Lint,
    /// Run the README's two commands in a minimal Debian, as root and as an ordinary user
    Bare(bare::Arguments),
    /// Introduce bugs into the runtime headers, each of which the tests must detect
    Mutants(mutants::Arguments),
    /// Fuzz the front ends, make ten million calls, and random ones for a given time
    Soak(soak::Arguments),
    /// Draft interfaces for many Debian libraries; each must check, build and import
    Corpus(corpus::Arguments),
    /// Make the site of the documentation, in target/site
    Docs(docs::Arguments),
    /// Make the source distribution and the wheels of the Python package, and try them
    Dist(dist::Arguments),
    /// Measure, and write the tables of docs/benchmarks
    #[command(subcommand)]
    Bench(bench::Command),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Setup(arguments) => setup::run(&arguments),
        Command::Demo => demo::run(),
        Command::Test(arguments) => test::run(&arguments),
        Command::Goldens(arguments) => goldens::run(&arguments),
        Command::Lint => lint::run(),
        Command::Bare(arguments) => bare::run(&arguments),
        Command::Mutants(arguments) => mutants::run(&arguments),
        Command::Soak(arguments) => soak::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::Docs(arguments) => docs::run(&arguments),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::Bench(command) => bench::run(&command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nerror: {message}");
            ExitCode::FAILURE
        }
    }
}

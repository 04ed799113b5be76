//! `cargo xtask corpus`: drafts for libraries that were not chosen because they work.
//!
//! Purpose: each draft of `fishplate init` must check, build and import, whatever the header;
//! docs/benchmarks/drafts.md shows how much of each library is drafted, and the reasons for the
//! rest.
//! Invariant: a library that fails makes the command fail, after all others; an unavailable one is
//! skipped with one line.
//! Reason: heuristics are only as good as the headers on which they were tested.

mod draft;
mod libraries;

use crate::fishplate::Profile;
use crate::{Result, fishplate, place, process, setup};
use draft::Outcome;
use libraries::Library;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Arguments of `corpus`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only packages whose name contains this; the table is not written
    #[arg(long)]
    only: Option<String>,
    /// Install nothing with apt
    #[arg(long)]
    no_install: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let multiarch = process::capture(process::command("cc").arg("-print-multiarch"))?;
    let mut all = libraries::all(&multiarch);
    if let Some(only) = &arguments.only {
        all.retain(|library| library.package.contains(only));
    }
    println!("{} headers; some twenty minutes on two cores", all.len());
    if !arguments.no_install {
        process::heading("packages of the libraries");
        draft::install(&draft::missing(all.iter().flat_map(|library| library.package.split('+'))))?;
    }
    let venv = setup::ensure()?;
    let command = fishplate::build(Profile::Dev)?;
    process::heading("first interfaces");
    let mut outcomes = Vec::new();
    for library in &all {
        let folder = place::target("corpus").join(library.package);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let outcome = draft::draft(library, &command, &venv, &folder);
        println!("{:22} {:44} {}", library.package, library.headers(), shown(&outcome));
        outcomes.push((library, outcome));
    }
    if arguments.only.is_none() {
        let path = place::root().join("docs/benchmarks/drafts.md");
        std::fs::write(&path, table(&outcomes)).map_err(|error| error.to_string())?;
        println!("\n{}", path.display());
    }
    let failed: Vec<String> = outcomes
        .iter()
        .filter_map(|(library, outcome)| match outcome {
            Outcome::Failed(step, printed) => {
                let printed: Vec<&str> = printed.lines().take(12).collect();
                Some(format!(
                    "{} {}: {step}: {}",
                    library.package,
                    library.headers(),
                    printed.join("\n    ")
                ))
            }
            _ => None,
        })
        .collect();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("{} failed\n{}", failed.len(), failed.join("\n")))
    }
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Drafted(drafted) => {
            format!("{} drafted, {} left out", drafted.functions, drafted.left_out)
        }
        Outcome::Nothing => "it declares no functions".to_owned(),
        Outcome::Skipped(reason) => format!("skipped: {reason}"),
        Outcome::Failed(step, _) => format!("FAILED: {step}"),
    }
}

/// The page of docs/benchmarks.
fn table(outcomes: &[(&Library, Outcome)]) -> String {
    let mut out = String::from(HEAD);
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut functions, mut left_out) = (0, 0);
    for (library, outcome) in outcomes {
        let headers = library.headers().replace(' ', ", ");
        let row = match outcome {
            Outcome::Drafted(drafted) => {
                functions += drafted.functions;
                left_out += drafted.left_out;
                for (reason, count) in &drafted.reasons {
                    *all.entry(reason).or_default() += count;
                }
                let most = drafted.reasons.iter().max_by_key(|(_, count)| **count);
                let most = most.map(|(reason, count)| format!("{reason} ({count})"));
                format!(
                    "{} | {} | {}",
                    drafted.functions,
                    drafted.left_out,
                    most.unwrap_or_default()
                )
            }
            Outcome::Nothing => "0 | 0 | it declares no functions".to_owned(),
            Outcome::Skipped(reason) => format!("– | – | skipped: {reason}"),
            Outcome::Failed(step, _) => format!("– | – | **{step} fails**"),
        };
        let _ = writeln!(out, "| {} | {headers} | {row} |", library.package);
    }
    let _ = writeln!(out, "| all | | {functions} | {left_out} | |");
    out.push_str("\n## Why functions are left out\n\n| Reason | Functions |\n|---|---|\n");
    let mut reasons: Vec<(&str, usize)> = all.into_iter().collect();
    reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
    let rest: usize = reasons.iter().skip(SHOWN).map(|(_, count)| count).sum();
    for (reason, count) in reasons.iter().take(SHOWN) {
        let _ = writeln!(out, "| {reason} | {count} |");
    }
    let _ = writeln!(out, "| {} others | {rest} |", reasons.len().saturating_sub(SHOWN));
    out
}

/// The reasons that get a line.
const SHOWN: usize = 40;

const HEAD: &str = "\
# First interfaces of Debian's libraries

`cargo xtask corpus` runs `fishplate init` on these headers of Debian 12, then `fishplate check`, `fishplate build` \
and an import of what was drafted, without a change by hand. Any of these that fails is a failure of the command. \
None of the libraries is here because it works: they are those of two trials from outside, those of the tests, and every \
twelfth package of an alphabetical list; `xtask/src/corpus/libraries.txt` has the rules. Functions that are one for \
several types count as one.

| Package | Headers | Drafted | Left out | Most are left out because |
|---|---|---|---|---|
";

//! The time of `fishplate emit` for interfaces of 10 to 10,000 functions, and the amount of C it
//! writes.
//!
//! Measured as users experience it: the whole process, from the file to the files. The fastest of
//! several runs counts, because other load only adds time.

use super::interfaces;
use crate::fishplate::Profile;
use crate::{Result, bench, fishplate, place, process};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// The measurements per size: at least this many, for at least this long.
const RUNS: usize = 5;
const SPAN: Duration = Duration::from_secs(3);

struct Row {
    functions: usize,
    bytes_in: u64,
    fastest: Duration,
    runs: usize,
    bytes_out: u64,
}

pub(crate) fn run(quick: bool) -> Result<()> {
    let command = fishplate::build(Profile::Release)?;
    let folder = place::target("bench/generate");
    place::make_empty(&folder)?;
    let mut rows = Vec::new();
    for functions in SIZES {
        rows.push(measure(&command, &folder, functions, quick)?);
    }
    let table = table(&rows);
    process::heading("fishplate emit");
    println!("{table}");
    if quick {
        return Ok(());
    }
    let file = place::root().join("docs/benchmarks/generate.md");
    place::make_folder_of(&file)?;
    fs::write(&file, page(&table))
        .map_err(|error| format!("cannot write {}: {error}", place::shown(&file)))?;
    println!("written to {}", place::shown(&file));
    Ok(())
}

fn measure(command: &Path, folder: &Path, functions: usize, quick: bool) -> Result<Row> {
    let interface = folder.join(format!("many-{functions}.toml"));
    let out = folder.join(functions.to_string());
    let text = interfaces::write(functions);
    let bytes_in = text.len() as u64;
    fs::write(&interface, text)
        .map_err(|error| format!("cannot write {}: {error}", place::shown(&interface)))?;
    let (mut fastest, mut runs) = (Duration::MAX, 0);
    let begin = Instant::now();
    while runs == 0 || (!quick && (runs < RUNS || begin.elapsed() < SPAN)) {
        let mut emit = process::command(command);
        emit.arg("emit").arg(&interface).args(["--host", "python", "-o"]).arg(&out);
        let start = Instant::now();
        process::capture(&mut emit)?;
        fastest = fastest.min(start.elapsed());
        runs += 1;
    }
    let bytes_out =
        bytes_of_c(&out).map_err(|error| format!("cannot read {}: {error}", place::shown(&out)))?;
    Ok(Row { functions, bytes_in, fastest, runs, bytes_out })
}

/// The amount of C, without stubs and markers.
fn bytes_of_c(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if path.extension().is_some_and(|end| end == "c" || end == "h") {
            sum += entry.metadata()?.len();
        }
    }
    Ok(sum)
}

fn table(rows: &[Row]) -> String {
    let mut table = String::from(
        "| functions | interface, KiB | time, ms | µs a function | runs | C, KiB | bytes a function |\n\
         |---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let _ = writeln!(
            table,
            "| {} | {:.1} | {:.1} | {:.1} | {} | {:.0} | {:.0} |",
            grouped(row.functions),
            row.bytes_in as f64 / 1024.0,
            1e3 * row.fastest.as_secs_f64(),
            1e6 * row.fastest.as_secs_f64() / row.functions as f64,
            row.runs,
            row.bytes_out as f64 / 1024.0,
            row.bytes_out as f64 / row.functions as f64,
        );
    }
    table
}

fn page(table: &str) -> String {
    format!(
        "# The time of `fishplate emit`\n\n\
         Interfaces whose functions take turns: numbers, arrays of one and two dimensions, every \
         intent, defaults, a status, overloads. Each time is that of the whole process, the fastest \
         of the runs; the C is all that was written, the fixed runtime with it, which is why a \
         function of a small interface seems to take more.\n\n\
         Measured with `cargo xtask bench generate` on {}.\n\n{table}",
        bench::machine()
    )
}

/// `10,000`
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([10, 1_000, 1_234_567].map(grouped), ["10", "1,000", "1,234,567"]);
    }
}

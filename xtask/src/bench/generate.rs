//! The time of `fishplate emit` and `fishplate build` for interfaces of 10 to 10,000 functions, the amount of C, and the
//! size of modules.
//!
//! Measured as users experience it: the whole process, from the file to the files. The fastest of
//! several runs counts, because other load only adds time.

use super::interfaces;
use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{Result, bench, fishplate, place, process};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// The measurements per size: at least this many, for at least this long.
const RUNS: usize = 5;
const SPAN: Duration = Duration::from_secs(3);

/// The sizes of modules that are built.
const BUILT: [usize; 3] = [10, 100, 1_000];
const BUILDS: usize = 3;

struct Row {
    functions: usize,
    bytes_in: u64,
    fastest: Duration,
    runs: usize,
    bytes_out: u64,
}

/// A module that was built.
struct BuiltRow {
    functions: usize,
    /// Every unit of the module; the runtime was compiled before.
    all: Duration,
    /// After a change of one prototype.
    one: Duration,
    /// The size of the library without symbols.
    bytes: u64,
}

pub(crate) fn run(quick: bool) -> Result<()> {
    let command = fishplate::build(Profile::Release)?;
    let folder = place::target("bench/generate");
    place::make_empty(&folder)?;
    let mut rows = Vec::new();
    for functions in SIZES {
        rows.push(measure(&command, &folder, functions, quick)?);
    }
    let mut built = Vec::new();
    let venv = Venv::development();
    venv.prepare(None)?;
    let build = |functions, quick| build(&command, &folder, &venv, functions, quick);
    // Compiles the runtime.
    let runtime = build(1, true)?;
    for functions in BUILT.into_iter().take(if quick { 2 } else { BUILT.len() }) {
        built.push(build(functions, quick)?);
    }
    let (table, built) = (table(&rows), built_table(&built));
    process::heading("fishplate emit");
    println!("{table}");
    process::heading("fishplate build");
    println!("{built}");
    if quick {
        return Ok(());
    }
    let file = place::root().join("docs/benchmarks/generate.md");
    place::make_folder_of(&file)?;
    fs::write(&file, page(&table, &built, runtime.all))
        .map_err(|error| format!("cannot write {}: {error}", place::shown(&file)))?;
    println!("written to {}", place::shown(&file));
    Ok(())
}

fn measure(command: &Path, folder: &Path, functions: usize, quick: bool) -> Result<Row> {
    let interface = write(&folder.join(functions.to_string()), functions)?;
    let out = folder.join(format!("{functions}/emitted"));
    let bytes_in = size(&interface)?;
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

/// Writes the files of an interface; returns its path.
fn write(folder: &Path, functions: usize) -> Result<PathBuf> {
    place::make_empty(folder)?;
    for (name, text) in interfaces::write(functions) {
        let path = folder.join(name);
        fs::write(&path, text)
            .map_err(|error| format!("cannot write {}: {error}", place::shown(&path)))?;
    }
    Ok(folder.join(interfaces::NAME).with_extension("toml"))
}

fn size(file: &Path) -> Result<u64> {
    let about = fs::metadata(file)
        .map_err(|error| format!("cannot read {}: {error}", place::shown(file)))?;
    Ok(about.len())
}

/// Builds a module, and builds it again after a change of one prototype.
fn build(
    command: &Path,
    folder: &Path,
    venv: &Venv,
    functions: usize,
    quick: bool,
) -> Result<BuiltRow> {
    let folder = folder.join(format!("built-{functions}"));
    let interface = write(&folder, functions)?;
    let text = fs::read_to_string(&interface)
        .map_err(|error| format!("cannot read {}: {error}", place::shown(&interface)))?;
    let (mut all, mut one, mut bytes) = (Duration::MAX, Duration::MAX, 0);
    for run in 0..if quick { 1 } else { BUILDS } {
        let out = folder.join(run.to_string());
        for (before, fastest) in [("double b", &mut all), ("double c", &mut one)] {
            let changed = text.replacen("double b", before, 1);
            fs::write(&interface, changed)
                .map_err(|error| format!("cannot write {}: {error}", place::shown(&interface)))?;
            let mut build = process::command(command);
            build.arg("build").arg(&interface).arg("--python").arg(venv.python());
            build.arg("-o").arg(&out);
            // The runtime is there: that of the first benchmark was compiled before the clock started.
            build.env("FISHPLATE_CACHE_DIR", place::target("bench/generate/cache"));
            let start = Instant::now();
            let library = process::capture(&mut build)?;
            *fastest = (*fastest).min(start.elapsed());
            let stripped = folder.join("stripped");
            process::capture(process::command("strip").arg(library).arg("-o").arg(&stripped))?;
            bytes = size(&stripped)?;
        }
    }
    Ok(BuiltRow { functions, all, one, bytes })
}

fn built_table(rows: &[BuiltRow]) -> String {
    let mut table = String::from(
        "| functions | all, s | one changed, s | module, KiB |\n|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let _ = writeln!(
            table,
            "| {} | {:.2} | {:.2} | {:.0} |",
            grouped(row.functions),
            row.all.as_secs_f64(),
            row.one.as_secs_f64(),
            row.bytes as f64 / 1024.0,
        );
    }
    table
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

fn page(emitted: &str, built: &str, runtime: Duration) -> String {
    let (machine, runtime) = (bench::machine(), runtime.as_secs_f64());
    format!(
        "# The time of `fishplate emit` and `fishplate build`\n\n\
         Interfaces whose functions take turns: numbers, arrays of one and two dimensions, every \
         intent, defaults, a status, overloads. Each time is that of the whole process, the fastest \
         of the runs; the C is all that was written, the fixed runtime with it, which is why a \
         function of a small interface seems to take more.\n\n\
         Measured with `cargo xtask bench generate` on {machine}.\n\n{emitted}\n\
         ## Building\n\n\
         The same interfaces, built for Python with gcc on two cores: each unit, then again after a change of one \
         prototype. The time is that of the whole process, the fastest of {BUILDS}; the size is that of the module without symbols. \
         The C functions themselves return at once. The first module of a compiler also compiles the part of the \
         runtime that all modules share: a module of one function took {runtime:.1} s then.\n\n{built}"
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

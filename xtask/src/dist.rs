//! `cargo xtask dist`: the source distribution and the wheels of the Python package, in `target/dist`.
//!
//! Purpose: one wheel for each platform that serves all Pythons, made on one machine; decision 0027 explains the
//! contents.
//! Invariant: wheels are made of what the source distribution contains, and each one that runs on this machine is
//! installed into a new environment and tried. An omitted part is reported, and is an error.
//! Reason: a release must not depend on what a person remembers.

mod entry;
mod links;
mod platform;
mod source;
mod tools;
mod trial;

use crate::base_python::{self, BasePython};
use crate::source_python::{self, Run, Source};
use crate::{Result, place, process};
use links::Address;
use platform::{PLATFORMS, Platform};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tools::Tools;
use trial::Lua;

/// The minor versions of Python 3 that wheels have graphs for.
const PYTHONS: std::ops::RangeInclusive<u32> = 11..=14;

/// The last of them, which is built if this machine has none.
const NEWEST: Source = Source {
    release: "forky",
    package: "python3.14",
    options: &[],
    environment: &[],
    run: Run::Directly,
    modules: Source::FOR_PIP,
};

/// Arguments of `dist`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The public address of the repository, https://HOST/OWNER/NAME, for the links of the README and the metadata;
    /// without it, there are none
    #[arg(long, env = "FISHPLATE_REPOSITORY")]
    repository: Option<String>,
    /// The tag or commit that these links show; by default the tag of this version
    #[arg(long)]
    revision: Option<String>,
    /// Only this platform; may be repeated
    #[arg(long, value_parser = PLATFORMS.map(|platform| platform.name))]
    platform: Vec<String>,
    /// A Python besides those on the PATH and of pyenv; may be repeated
    #[arg(long)]
    python: Vec<PathBuf>,
    /// Only the source distribution
    #[arg(long, conflicts_with = "platform")]
    sdist: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut left_out = Vec::new();
    let mut pythons = pythons(&arguments.python);
    if lacks(&pythons, *PYTHONS.end()) {
        let folder = place::target(&format!("built-{}", NEWEST.package));
        match source_python::build(&NEWEST, &folder, &folder.join("python")) {
            Ok(python) => pythons.extend(BasePython::describe(&python)),
            Err(error) => left_out.push(error),
        }
    }
    announce(arguments, &pythons);
    left_out.extend(missing_pythons(&pythons));
    if arguments.repository.is_none() {
        left_out.push("the addresses in README and metadata: pass --repository".to_owned());
    }
    let tools = Tools::prepare()?;
    let out = place::target("dist");
    place::make_empty(&out)?;
    process::heading("the source distribution");
    let sdist = source::make(&tools, address(arguments).as_ref(), &out)?;
    process::run(tools.command("twine").args(["check", "--strict"]).arg(&sdist))?;
    let mut made = vec![sdist.clone()];
    if !arguments.sdist {
        let source = source::unpack(&sdist)?;
        let headers = entry::Headers::prepare(&tools)?;
        let chosen = |platform: &&Platform| {
            arguments.platform.is_empty()
                || arguments.platform.iter().any(|one| one == platform.name)
        };
        for platform in PLATFORMS.iter().filter(chosen) {
            process::heading(&format!("{}: the wheel", platform.name));
            match platform.complaint()? {
                Some(complaint) => left_out.push(format!("{}: {complaint}", platform.name)),
                None => match wheel(&tools, &headers, &source, platform, &pythons, &out) {
                    Ok(wheel) => made.push(wheel),
                    // The other platforms are made all the same.
                    Err(error) => left_out.push(format!("{}: {error}", platform.name)),
                },
            }
        }
    }
    if let Some(python) = pythons.last() {
        process::heading("the source distribution, installed");
        trial::install_and_try(python, &sdist, Lua::IsLeftOut)?;
    }
    report(&made, &left_out)
}

/// Makes and tries the wheel of a platform.
fn wheel(
    tools: &Tools,
    headers: &entry::Headers,
    source: &Path,
    platform: &Platform,
    pythons: &[BasePython],
    out: &Path,
) -> Result<PathBuf> {
    let begin = Instant::now();
    entry::remove(source)?;
    for python in pythons {
        entry::compile(tools, headers, source, python, platform)?;
    }
    let here = out.join(platform.name);
    place::make_empty(&here)?;
    let mut build = tools.maturin();
    build.current_dir(source).args(["build", "--zig", "--profile=dist", "--features=abi3,lua"]);
    build
        .args(["--target", platform.rust, "--compatibility", platform.policy])
        .arg("--out")
        .arg(&here);
    // For LuaJIT: zig has the functions that unwind stacks in a library of their own.
    build.env("TARGET_LIBS", "-lunwind");
    // Its interpreter, which is not packaged, is stripped by the machine's own `strip`, which may not read it.
    build.env("TARGET_STRIP", "true");
    // Kept outside of the sources, for the next time. Messages name no folder of this machine.
    build.env("CARGO_TARGET_DIR", place::target("wheels-build").join("cargo"));
    build.env("RUSTFLAGS", remapped(source));
    process::run(&mut build)?;
    let made = only_file(&here)?;
    let wheel = out.join(made.file_name().unwrap_or_default());
    std::fs::rename(&made, &wheel)
        .and_then(|()| std::fs::remove_dir(&here))
        .map_err(|error| format!("cannot move the wheel: {error}"))?;
    println!("made in {} s", begin.elapsed().as_secs());
    // It follows libraries into this machine's folders, where `libc.so` of another C library is a script for the linker;
    // maturin has compared all wheels with their policies.
    if platform.has_this_libc() {
        process::run(tools.command("auditwheel").arg("show").arg(&wheel))?;
    }
    process::run(tools.command("twine").args(["check", "--strict"]).arg(&wheel))?;
    if platform.runs_here() {
        for python in pythons {
            let (major, minor) = python.version;
            process::heading(&format!("{}: installed into Python {major}.{minor}", platform.name));
            trial::install_and_try(python, &wheel, Lua::Runs)?;
        }
    } else if let Some(machine) = platform.machine() {
        process::heading(&format!("{}: tried on that machine", platform.name));
        trial::try_on(machine, tools, platform, &wheel)?;
    } else {
        println!("not tried: this machine does not run its programs");
    }
    Ok(wheel)
}

/// One complete Python of each version, the oldest first.
fn pythons(explicit: &[PathBuf]) -> Vec<BasePython> {
    let mut found: Vec<BasePython> =
        explicit.iter().filter_map(|program| BasePython::describe(program)).collect();
    found.extend(base_python::newer_than((3, *PYTHONS.start())));
    found.retain(|python| python.complaint().is_none() && PYTHONS.contains(&python.version.1));
    // The first of each version is the one that was passed. The sort is stable.
    found.sort_by_key(|python| python.version);
    found.dedup_by_key(|python| python.version);
    found
}

fn missing_pythons(pythons: &[BasePython]) -> Vec<String> {
    PYTHONS
        .filter(|minor| lacks(pythons, *minor))
        .map(|minor| {
            format!(
                "graphs for Python 3.{minor}: there is no complete python3.{minor} (with headers and venv) on the \
                 PATH; pass --python"
            )
        })
        .collect()
}

fn lacks(pythons: &[BasePython], minor: u32) -> bool {
    pythons.iter().all(|python| python.version.1 != minor)
}

fn address(arguments: &Arguments) -> Option<Address> {
    let repository = arguments.repository.as_ref()?;
    let tag = || format!("v{}", env!("CARGO_PKG_VERSION"));
    Some(Address {
        repository: repository.trim_end_matches('/').trim_end_matches(".git").to_owned(),
        revision: arguments.revision.clone().unwrap_or_else(tag),
    })
}

fn announce(arguments: &Arguments, pythons: &[BasePython]) {
    let versions: Vec<String> =
        pythons.iter().map(|python| format!("3.{}", python.version.1)).collect();
    let count = match (arguments.sdist, arguments.platform.len()) {
        (true, _) => 0,
        (false, 0) => PLATFORMS.len(),
        (false, chosen) => chosen,
    };
    println!(
        "The source distribution and {count} wheels, for Python {}. On two cores each takes about five minutes the first time; \
         pip installs maturin and zig (110 MB) into target/wheels-venv.",
        versions.join(", ")
    );
}

/// Prefixes of folders, as the compiler shall name them.
fn remapped(source: &Path) -> String {
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let mut flags = format!("--remap-path-prefix={}=fishplate", source.display());
    if let Some(cargo) = cargo {
        flags += &format!(" --remap-path-prefix={}=cargo", cargo.display());
    }
    flags
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    let files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|files| files.flatten().map(|file| file.path()).collect())
        .map_err(|error| format!("cannot read {}: {error}", place::shown(folder)))?;
    match files.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("{} has {} files in place of one", place::shown(folder), files.len())),
    }
}

fn report(made: &[PathBuf], left_out: &[String]) -> Result<()> {
    process::heading("target/dist");
    for file in made {
        let bytes = std::fs::metadata(file).map_or(0, |data| data.len());
        println!(
            "{:>6.1} MB  {}",
            bytes as f64 / 1e6,
            file.file_name().unwrap_or_default().to_string_lossy()
        );
    }
    match left_out {
        [] => Ok(()),
        _ => Err(format!("incomplete; left out:\n  {}", left_out.join("\n  "))),
    }
}

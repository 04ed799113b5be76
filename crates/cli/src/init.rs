//! `fishplate init HEADER...`

use crate::report;
use fishplate_driver::{ANNOTATIONS, InitOptions, default_host, host_named, init, package_file};
use fishplate_model::Language;
use regex::Regex;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};

const HELP: &str = "\
Writes a first interface: a guess for each function that the headers themselves declare, and for the \
handles, structs, enumerations, callbacks, constants and statuses of the library, every guess marked with \
a comment, and a list of what could not be guessed and why. Read it before you build it.

Of a Fortran source, nothing is guessed: procedures are declared with their intents and shapes. Headers of C++ \
(.hpp, .hh, .hxx, or --language c++) are read by libclang: `pip install libclang`, or Debian's libclang1.

With --annotations it writes fishplate.h instead, the macros that annotated headers include; `build` \
finds them by itself. With --rockspec it writes a rockspec for an interface file, into its folder, which \
builds the module from what `emit --host lua` writes.

    fishplate init stats.h
    fishplate init zlib.h --library z
    fishplate init gsl/gsl_rng.h gsl/gsl_errno.h --library gsl --library gslcblas
    fishplate init cblas.h --library openblas --only 'cblas_d(dot|axpy|gemm)'
    fishplate init flow.f90
    fishplate init shapes.hpp --standard c++20
    fishplate init --update stats.toml
    fishplate init --annotations --out include/fishplate.h
    fishplate init --rockspec stats.toml";

/// Arguments of `init`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Header files, headers that the compiler finds, such as `zlib.h`, or Fortran sources, each after those whose modules it uses.
    #[arg(required_unless_present_any = ["annotations", "rockspec", "update"])]
    headers: Vec<String>,
    /// The module's name; by default that of the first header.
    #[arg(long)]
    name: Option<String>,
    /// The file to write, `-` for standard output; by default NAME.toml. It must not be there yet.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A library that defines the functions, as after `-l`.
    #[arg(short, long = "library", value_name = "NAME")]
    libraries: Vec<String>,
    /// A folder for `#include`.
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    include_dirs: Vec<PathBuf>,
    /// A macro: NAME or NAME=VALUE.
    #[arg(short = 'D', long = "define", value_name = "MACRO")]
    defines: Vec<String>,
    /// The language of the headers; by default that of their names, such as `shapes.hpp`, and of their text.
    #[arg(long, value_enum)]
    language: Option<HeaderLanguage>,
    /// The standard of C++ headers, such as c++20; by default c++17.
    #[arg(long, value_name = "NAME", value_parser = standard)]
    standard: Option<String>,
    /// Only functions, enumerations and constants whose whole name matches this regular expression, and the classes
    /// that these functions use.
    #[arg(long, value_name = "REGEX", value_parser = whole_name)]
    only: Option<Regex>,
    /// No functions, enumerations and constants whose whole name matches this regular expression.
    #[arg(long, value_name = "REGEX", value_parser = whole_name)]
    exclude: Option<Regex>,
    /// Add the functions that an interface file does not name yet to its end, and change nothing else in it;
    /// headers, folders and macros are those of the file, unless they are named here.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "out", "libraries", "annotations", "rockspec"])]
    update: Option<PathBuf>,
    /// Write fishplate.h, for headers that are also compiled without Fishplate.
    #[arg(long, conflicts_with_all = ["headers", "name", "libraries", "only", "exclude"])]
    annotations: bool,
    /// Write a rockspec for the module of an interface file, by default NAME-scm-1.rockspec next to
    /// it.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["headers", "name", "libraries", "include_dirs", "defines", "only", "exclude", "annotations"]
    )]
    rockspec: Option<PathBuf>,
}

/// The language of a header.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum HeaderLanguage {
    C,
    #[value(name = "c++")]
    Cxx,
}

/// Reads the name of a standard of C++.
fn standard(name: &str) -> Result<String, String> {
    if Language::Cxx.has_standard(name) {
        return Ok(name.to_owned());
    }
    Err("expected a standard of C++, such as c++20".to_owned())
}

/// Reads a regular expression for whole names.
pub(crate) fn whole_name(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(&format!("^(?:{pattern})$"))
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    if arguments.annotations {
        return write_annotations(arguments.out.as_deref(), as_json);
    }
    if let Some(interface) = &arguments.rockspec {
        return write_rockspec(interface, arguments.out.as_deref(), as_json);
    }
    let to_standard_output = arguments.out.as_deref() == Some(Path::new("-"));
    let folder = match arguments.out.as_deref().and_then(Path::parent) {
        Some(folder) if folder != Path::new("") && !to_standard_output => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let made = init(InitOptions {
        headers: arguments.headers.clone(),
        name: arguments.name.clone(),
        libraries: arguments.libraries.clone(),
        include_dirs: arguments.include_dirs.clone(),
        defines: arguments.defines.clone(),
        language: arguments.language.map(|language| match language {
            HeaderLanguage::C => Language::C,
            HeaderLanguage::Cxx => Language::Cxx,
        }),
        standard: arguments.standard.clone(),
        wanted: &|name| {
            arguments.only.as_ref().is_none_or(|only| only.is_match(name))
                && !arguments.exclude.as_ref().is_some_and(|not| not.is_match(name))
        },
        update: arguments.update.clone(),
        folder,
    });
    let mut written = None;
    let mut problem = None;
    if let (Some(interface), false) = (&made.value, to_standard_output) {
        let last = interface.name.rsplit('.').next().unwrap_or_default();
        let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{last}.toml")));
        let (path, done) = match &arguments.update {
            Some(file) => (file.clone(), rewrite(file, &interface.text)),
            None => {
                let update = path.is_file().then(|| {
                    format!(", or add what is new to this one with --update {}", path.display())
                });
                let done = write_new(&path, &interface.text);
                (path, done.map_err(|message| message + &update.unwrap_or_default()))
            }
        };
        let done = done.and_then(|()| match &interface.shims {
            Some(shims) => write_new(&path.with_file_name(&shims.name), &shims.text),
            None => Ok(()),
        });
        match done {
            Ok(()) => written = Some(path),
            Err(message) => problem = Some(message),
        }
    }
    let shims = made.value.as_ref().and_then(|interface| interface.shims.as_ref());
    if as_json {
        let left_out: Vec<Value> = made
            .value
            .iter()
            .flat_map(|interface| &interface.left_out)
            .map(|left| json!({"function": left.name, "place": left.place, "reason": left.reason}))
            .collect();
        let done = json!({
            "file": written,
            "text": made.value.as_ref().filter(|_| to_standard_output).map(|made| &made.text),
            "shims": shims.map(|shims| json!({"file": shims.name, "text": shims.text})),
            "compiled": made.value.as_ref().is_some_and(|interface| interface.is_compiled),
            "functions": made.value.as_ref().map_or(0, |interface| interface.functions),
            "left_out": left_out,
            "error": problem,
        });
        report::print_json(&report::as_json(&made, done));
    } else {
        report::show(&made);
        if let Some(interface) = made.value.as_ref().filter(|_| problem.is_none()) {
            let count = (interface.functions, interface.left_out.len());
            anstream::eprintln!("{}", summary(count, arguments.update.as_deref()));
            if !interface.is_compiled {
                anstream::eprintln!(
                    "it was not compiled, as there is no {}; `fishplate doctor` helps",
                    default_host().about().summary
                );
            }
            if to_standard_output {
                print!("{}", interface.text);
            }
        }
        if let Some(path) = &written {
            println!("{}", path.display());
        }
        match (shims, &written) {
            (Some(shims), Some(path)) => {
                println!("{}", path.with_file_name(&shims.name).display());
            }
            (Some(shims), None) if problem.is_none() => {
                anstream::eprintln!("with --out FILE, {} is written next to it", shims.name);
            }
            _ => {}
        }
        if let Some(problem) = &problem {
            anstream::eprintln!("error: {problem}");
        }
    }
    made.value.is_some() && problem.is_none()
}

/// The line about the functions that were guessed and left out, or added to a file.
fn summary((guessed, left): (usize, usize), updated: Option<&Path>) -> String {
    let s = if guessed == 1 { "" } else { "s" };
    match updated {
        Some(file) if guessed + left == 0 => {
            format!("{} names every function of its headers; nothing was changed", file.display())
        }
        Some(_) => format!(
            "{guessed} more function{s} guessed, {left} left out; check each guess; nothing else was changed"
        ),
        None if guessed == 0 => {
            format!(
                "no function was guessed; the file has the reasons for {left}, and is to be completed by hand"
            )
        }
        None => format!("{guessed} function{s} guessed, {left} left out; check each guess"),
    }
}

fn write_annotations(out: Option<&Path>, as_json: bool) -> bool {
    let path = out.unwrap_or(Path::new("fishplate.h"));
    if path == Path::new("-") {
        print!("{ANNOTATIONS}");
        return true;
    }
    let written = write_new(path, ANNOTATIONS);
    if as_json {
        let file = written.is_ok().then_some(path);
        report::print_json(
            &json!({"ok": written.is_ok(), "diagnostics": [], "file": file, "error": written.as_ref().err()}),
        );
    } else {
        match &written {
            Ok(()) => println!("{}", path.display()),
            Err(problem) => anstream::eprintln!("error: {problem}"),
        }
    }
    written.is_ok()
}

fn write_rockspec(interface: &Path, out: Option<&Path>, as_json: bool) -> bool {
    let made = package_file(interface, host_named("lua").unwrap_or_else(default_host));
    let to_standard_output = out == Some(Path::new("-"));
    let mut written = None;
    let mut problem = None;
    if let (Some(rockspec), false) = (&made.value, to_standard_output) {
        let beside = interface.with_file_name(&rockspec.file_name);
        let path = out.unwrap_or(&beside);
        match write_new(path, &rockspec.text) {
            Ok(()) => written = Some(path.to_owned()),
            Err(message) => problem = Some(message),
        }
    }
    if as_json {
        let done = json!({
            "file": written,
            "text": made.value.as_ref().filter(|_| to_standard_output).map(|made| &made.text),
            "left_out": made.value.as_ref().map_or(&[][..], |made| &made.left_out),
            "error": problem,
        });
        report::print_json(&report::as_json(&made, done));
    } else {
        report::show(&made);
        if let Some(rockspec) = &made.value {
            for left in &rockspec.left_out {
                anstream::eprintln!("not in the rockspec: {left}");
            }
            if to_standard_output {
                print!("{}", rockspec.text);
            } else if problem.is_none() {
                anstream::eprintln!("its sources are written by `{}`", rockspec.emit);
            }
        }
        if let Some(path) = &written {
            println!("{}", path.display());
        }
        if let Some(problem) = &problem {
            anstream::eprintln!("error: {problem}");
        }
    }
    made.value.is_some() && problem.is_none()
}

/// Replaces a file through a temporary one next to it, so that no reader and no full disk leaves a
/// partial file.
fn rewrite(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let rewritten =
        tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            std::fs::set_permissions(file.path(), std::fs::metadata(path)?.permissions())?;
            file.persist(path).map_err(|error| error.error)
        });
    rewritten.map(|_| ()).map_err(|error| format!("could not write {}: {error}", path.display()))
}

/// Writes a new file: an existing interface may have been edited.
fn write_new(path: &Path, text: &str) -> Result<(), String> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{} is there already: name another file with --out", path.display())
        }
        _ => format!("could not write {}: {error}", path.display()),
    })
}

//! `fishplate convert FILE`

use crate::hosts::{self, HostName};
use crate::report;
use fishplate_driver::convert_file;
use serde_json::json;
use std::path::{Path, PathBuf};

const HELP: &str = "\
Reads a configuration of xndtools' kernel generator and writes the same as an interface file. Paths in it \
stay as they are, relative to the file's folder, so the interface file belongs into the same folder. Signature \
files of f2py (.pyf, .pyf.src) are rewritten too; a routine without an equivalent is left out with a warning:

    fishplate convert lapack.pyf --out lapack.toml
    fishplate convert blas-kernels.cfg
    fishplate convert blas-kernels.cfg --out blas.toml
    fishplate build blas.toml";

/// Arguments of `convert`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The file: `NAME-kernels.cfg`, `NAME.pyf` or `NAME.pyf.src`.
    file: PathBuf,
    /// The host language to check for.
    #[arg(long, value_parser = hosts::parser(), default_value_t)]
    host: HostName,
    /// The file to write; without it, the interface is printed.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let converted = convert_file(&arguments.file, arguments.host.0);
    let problem = match (&converted.value, &arguments.out) {
        (Some(text), Some(out)) => write(out, text).err(),
        _ => None,
    };
    let written = arguments.out.as_ref().filter(|_| converted.value.is_some() && problem.is_none());
    if as_json {
        let done = json!({"interface": converted.value, "file": written, "error": problem});
        report::print_json(&report::as_json(&converted, done));
    } else {
        report::show(&converted);
        match (written, &converted.value) {
            (Some(out), _) => println!("{}", out.display()),
            (None, Some(text)) if problem.is_none() => print!("{text}"),
            _ => {}
        }
        if let Some(problem) = &problem {
            anstream::eprintln!("error: {problem}");
        }
    }
    converted.value.is_some() && problem.is_none()
}

/// Writes a new file; an existing one is never overwritten.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    file.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes())).map_err(
        |error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                format!("{} is there: remove it, or name another file with --out", path.display())
            }
            _ => format!("could not write {}: {error}", path.display()),
        },
    )
}

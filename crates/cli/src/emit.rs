//! `fishplate emit FILE --host python -o DIR`

use crate::{Host, report};
use fishplate_driver::emit_file;
use serde_json::json;
use std::path::PathBuf;

const HELP: &str = "\
Writes NAME.c, the runtime header that it includes, and a type stub. To compile them yourself:

    fishplate emit stats.toml -o generated
    cc -shared -fPIC -O3 generated/stats.c stats.c -o stats.so \\
       $(python3-config --includes) -I$(python -c 'import numpy; print(numpy.get_include())')";

/// Arguments of `emit`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The interface file.
    file: PathBuf,
    /// The host language.
    #[arg(long, value_enum, default_value_t)]
    host: Host,
    /// The folder for the files; it is created.
    #[arg(short, long = "out", value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let emitted = emit_file(&arguments.file, arguments.host.into());
    let mut written = Vec::new();
    for file in emitted.value.iter().flat_map(|emitted| &emitted.files) {
        let path = arguments.out.join(&file.name);
        let write = || {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&path, &file.contents)
        };
        if let Err(error) = write() {
            anstream::eprintln!("error: could not write {}: {error}", path.display());
            return false;
        }
        written.push(path);
    }
    if as_json {
        report::print_json(&report::as_json(&emitted, json!({"files": written})));
    } else {
        report::show(&emitted);
        for path in written {
            println!("{}", path.display());
        }
    }
    emitted.value.is_some()
}

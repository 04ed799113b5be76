//! The program `fishplate`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(fishplate_cli::run(std::env::args_os()))
}

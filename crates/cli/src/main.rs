//! The program `fishplate`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let status = fishplate_cli::run(std::env::args_os());
    fishplate_driver::remove_unkept();
    ExitCode::from(status)
}

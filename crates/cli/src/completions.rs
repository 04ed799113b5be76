//! `fishplate completions SHELL`

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use std::io::{Write, stdout};

const HELP: &str = "\
Put the script where the shell looks for it, and start a new shell:

    fishplate completions bash > ~/.local/share/bash-completion/completions/fishplate
    fishplate completions zsh > ~/.zfunc/_fishplate
    fishplate completions fish > ~/.config/fish/completions/fishplate.fish
    fishplate completions powershell >> $PROFILE

For zsh, the folder must be in `fpath` before `compinit` is called in ~/.zshrc: fpath+=~/.zfunc";

/// Arguments of `completions`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> bool {
    let mut script = Vec::new();
    generate(arguments.shell, &mut crate::Cli::command(), "fishplate", &mut script);
    // If nothing reads it, it is not needed.
    let _ = stdout().write_all(&script);
    true
}

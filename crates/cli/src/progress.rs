//! The progress of builds, on standard error.

use fishplate_driver::Event;
use indicatif::{ProgressBar, ProgressStyle};

/// Options of commands that run compilers.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Verbosity {
    /// Print the command line of each compilation, and of the linker.
    #[arg(short, long)]
    verbose: bool,
}

/// The command lines, if they are wanted, as they can be pasted into a shell; else a bar on a terminal if there is more
/// than one unit to compile, and nothing elsewhere.
#[derive(Default)]
pub(crate) struct Progress {
    verbosity: Verbosity,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(verbosity: Verbosity) -> Self {
        Progress { verbosity, bar: None }
    }

    /// Shows an event.
    pub(crate) fn on(&mut self, event: &Event) {
        match event {
            Event::WaitingForLock { .. } => {
                anstream::eprintln!("waiting for another build of this module");
            }
            Event::Compiling { command, .. } | Event::Linking { command, .. }
                if self.verbosity.verbose =>
            {
                anstream::eprintln!("{command}");
            }
            Event::Compiling { unit, total, .. } if *total > 1 => {
                let bar = self.bar.get_or_insert_with(|| {
                    let style =
                        ProgressStyle::with_template("compiling {bar:30} {pos}/{len} {msg}");
                    let bar = ProgressBar::new(*total as u64);
                    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                    bar
                });
                bar.set_length(*total as u64);
                bar.set_message(unit.display().to_string());
            }
            Event::Compiled { .. } => {
                if let Some(bar) = &self.bar {
                    bar.inc(1);
                }
            }
            _ => {}
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

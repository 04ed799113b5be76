//! `cargo xtask docs`: the site, in `target/site`, made of the documents by Sphinx.

use crate::venv::Venv;
use crate::{Result, place, process};

/// Arguments of `docs`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also look at each page in headless Chromium: links, search, copying, small screens, dark mode
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let venv = Venv::separate("site-venv", "docs/requirements.txt");
    venv.prepare(None)?;
    let site = place::target("site");
    // A link that leads nowhere is an error.
    process::run(
        process::command(venv.program("sphinx-build"))
            .args(["--quiet", "--fail-on-warning", "--keep-going", "--jobs", "auto"])
            .args(["-c", "docs", "."])
            .arg(&site)
            .current_dir(place::root()),
    )?;
    if arguments.check {
        let script = place::root().join("docs/check_site.py");
        process::run(process::command(venv.python()).arg(script).arg(&site))?;
    }
    println!("{}", place::shown(&site.join("docs/index.html")));
    Ok(())
}

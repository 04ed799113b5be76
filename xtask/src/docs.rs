//! `cargo xtask docs`: the site, in `target/site`, made of the documents by Sphinx.
//!
//! The pictures of the gallery are drawn first, by scripts that use the Python package. The docstrings of
//! the package are a page of the site.

use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{Result, package, place, process, setup};

/// Arguments of `docs`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Also look at each page in headless Chromium: links, search, copying, small screens, dark mode
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    setup::ensure()?; // the Python that the package is built for
    let venv = Venv::separate("site-venv", "docs/requirements.txt");
    venv.prepare(None)?;
    let package = package::build(Profile::Dev)?;
    let gallery = place::target("gallery");
    process::run(
        process::command(venv.python())
            .arg("docs/gallery/draw.py")
            .arg(&gallery)
            .env("PYTHONPATH", &package)
            .env("FISHPLATE_CACHE_DIR", gallery.join("cache")),
    )?;
    let site = place::target("site");
    // A link that leads nowhere is an error.
    process::run(
        process::command(venv.program("sphinx-build"))
            .args(["--quiet", "--fail-on-warning", "--keep-going", "--jobs", "auto"])
            .args(["-c", "docs", "."])
            .arg(&site)
            .env("PYTHONPATH", &package),
    )?;
    if arguments.check {
        let script = place::root().join("docs/check_site.py");
        process::run(process::command(venv.python()).arg(script).arg(&site))?;
    }
    println!("{}", place::shown(&site.join("docs/index.html")));
    Ok(())
}

//! Virtual environments with the packages of a requirements file.
//!
//! A stamp inside records its inputs: the Python and the requirements, as strings. If both are
//! unchanged nothing is done, so every command can begin with this check.

use crate::base_python::{self, BasePython};
use crate::{Result, place, process};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

const STAMP: &str = "fishplate-setup.txt";

/// The requirements file of the tests and linters, which includes that of the examples.
const DEVELOPMENT: &str = "requirements.txt";
/// The requirements file of the examples.
const EXAMPLES: &str = "examples/requirements.txt";

/// A virtual environment below `target/`.
pub(crate) struct Venv {
    folder: PathBuf,
    requirements: PathBuf,
    /// A requirements file that includes these: an environment with it can be used as well.
    superset: Option<PathBuf>,
}

impl Venv {
    /// The one for development: tests, examples, linters.
    pub(crate) fn development() -> Venv {
        Venv {
            folder: place::target("venv"),
            requirements: place::root().join(DEVELOPMENT),
            superset: None,
        }
    }

    /// The same folder with only the requirements of the examples, to run these.
    pub(crate) fn examples() -> Venv {
        Venv {
            requirements: place::root().join(EXAMPLES),
            superset: Some(place::root().join(DEVELOPMENT)),
            ..Venv::development()
        }
    }

    /// A separate one for a benchmark, whose tools have many dependencies.
    pub(crate) fn benchmark(requirements: &str) -> Venv {
        Venv::separate("bench-venv", requirements)
    }

    /// A separate one, in a folder of its own below `target/`.
    pub(crate) fn separate(folder: &str, requirements: &str) -> Venv {
        Venv {
            folder: place::target(folder),
            requirements: place::root().join(requirements),
            superset: None,
        }
    }

    /// The folder, for `$VIRTUAL_ENV`.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its interpreter.
    pub(crate) fn python(&self) -> PathBuf {
        self.program("python")
    }

    /// A program of one of its packages.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    /// Creates it, or brings it up to date; true if there was anything to do. Without `explicit`
    /// its Python is not changed.
    pub(crate) fn prepare(&self, explicit: Option<&Path>) -> Result<bool> {
        Ok(self.prepare_while(explicit, || Ok(()))?.0)
    }

    /// As `prepare`, with other work, whose result is returned too. The work can use the interpreter, and is done while
    /// packages are installed: pip waits for downloads and disks.
    pub(crate) fn prepare_while<T: Send>(
        &self,
        explicit: Option<&Path>,
        work: impl FnOnce() -> Result<T> + Send,
    ) -> Result<(bool, T)> {
        let requirements = read(&self.requirements)?;
        let own = BasePython::describe(&self.python());
        let base = match (explicit, &own) {
            (None, Some(own)) if own.complaint().is_none() => None,
            _ => Some(base_python::choose(explicit)?),
        };
        let version = |python: &BasePython| python.full_version.clone();
        let keep = match (&base, &own) {
            (None, _) => true,
            (Some(base), Some(own)) => own.complaint().is_none() && version(base) == version(own),
            (Some(_), None) => false,
        };
        let python = base.as_ref().or(own.as_ref()).map(version).unwrap_or_default();
        let stamp = format!("{python}\n{requirements}");
        let old = self.stamp().unwrap_or_default();
        let superset = self.superset.as_deref().map(read).transpose()?;
        let serves = superset.is_some_and(|superset| old == format!("{python}\n{superset}"));
        if keep && (old == stamp || serves) {
            return Ok((false, work()?));
        }
        process::heading(&format!("Python packages, into {}", place::shown(&self.folder)));
        match &base {
            Some(base) if !keep => self.create(base)?,
            _ => {}
        }
        let done = std::thread::scope(|scope| {
            let work = scope.spawn(work);
            let installed = self.install();
            let done = work
                .join()
                .map_err(|_| "the work during an installation panicked".to_owned())??;
            installed.map(|()| done)
        })?;
        fs::write(self.folder.join(STAMP), stamp)
            .map_err(|error| format!("cannot write the stamp of a virtual environment: {error}"))?;
        Ok((true, done))
    }

    fn stamp(&self) -> io::Result<String> {
        fs::read_to_string(self.folder.join(STAMP))
    }

    fn create(&self, base: &BasePython) -> Result<()> {
        process::run(
            process::command(&base.executable).args(["-m", "venv", "--clear"]).arg(&self.folder),
        )
    }

    fn install(&self) -> Result<()> {
        self.pip(["-r".as_ref(), self.requirements.as_os_str()])
    }

    /// Installs those packages that can be installed, after `prepare` has failed: pip installs all of a file, or none.
    pub(crate) fn install_possible(&self) -> Result<()> {
        for package in read(&self.requirements)?.lines().filter(|line| !line.starts_with('#')) {
            if let Err(message) = self.pip([package]) {
                println!("{package} is not installed: {message}");
            }
        }
        Ok(())
    }

    /// Installs a package into a folder outside of the environment.
    pub(crate) fn install_apart(&self, package: &str, folder: &Path) -> Result<()> {
        self.pip(["--target".as_ref(), folder.as_os_str(), package.as_ref()])
    }

    /// Installs a wheel, or that of a package on the index, for the Python of another machine into a folder. `platforms` are
    /// those whose wheels that Python takes.
    pub(crate) fn install_for(
        &self,
        version: &str,
        platforms: &[String],
        package: &Path,
        folder: &Path,
    ) -> Result<()> {
        self.install_with(&[], version, platforms, package, folder)
    }

    /// The same for a Python that further options describe: another implementation than CPython.
    pub(crate) fn install_with(
        &self,
        options: &[&str],
        version: &str,
        platforms: &[String],
        package: &Path,
        folder: &Path,
    ) -> Result<()> {
        let mut words = vec![format!("--python-version={version}")];
        words.extend(options.iter().map(|&option| option.to_owned()));
        words.extend(platforms.iter().map(|platform| format!("--platform={platform}")));
        words.extend(["--only-binary=:all:", "--target"].map(str::to_owned));
        let last = [folder.as_os_str(), package.as_os_str()];
        self.pip(words.iter().map(OsStr::new).chain(last))
    }

    /// Without `--quiet`: pip shows the progress of its downloads.
    fn pip<I: AsRef<OsStr>>(&self, what: impl IntoIterator<Item = I>) -> Result<()> {
        let pip = ["-m", "pip", "install", "--disable-pip-version-check"];
        process::run(process::command(self.python()).args(pip).args(what))
    }
}

/// A requirements file, with the content of included files in place of `-r` lines.
fn read(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", place::shown(path)))?;
    let mut whole = String::new();
    for line in text.lines() {
        match line.strip_prefix("-r ") {
            Some(other) => whole += &read(&path.with_file_name(other.trim()))?,
            None => whole = whole + line + "\n",
        }
    }
    Ok(whole)
}

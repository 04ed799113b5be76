//! Pythons with NumPy for musl, on this processor and on ARM.
//!
//! Purpose: modules run with the C library of Alpine.
//! Invariant: the machine's own musl, if it has one, is not used: programs name the one in the folder.
//! Reason: Debian has musl as a library, and no Python for it. `ziglang` builds Python as it builds the modules of users.

use super::{emulated, folder, write_script};
use crate::apt::Release;
use crate::source_python::{self, Run, Source};
use crate::venv::Venv;
use crate::{Result, place, process, stand_ins};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A processor for which Debian has musl.
#[derive(Clone, Copy)]
pub(super) struct Processor {
    /// Its name, by which compilers and qemu call it.
    pub name: &'static str,
    /// Debian's name of it.
    pub debian: &'static str,
    /// The machine's name for compilers.
    pub target: &'static str,
}

pub(super) const X86_64: Processor =
    Processor { name: "x86_64", debian: "amd64", target: "x86_64-linux-musl" };

pub(super) const AARCH64: Processor =
    Processor { name: "aarch64", debian: "arm64", target: "aarch64-linux-musl" };

/// The release whose musl is that of `ziglang` or later: NumPy and modules use functions of 1.2.4.
const RELEASE: &str = "trixie";

/// Libraries of Python's modules, by their source packages, and the options of their `configure`.
const LIBRARIES: [(&str, &[&str]); 2] = [
    ("zlib", &["--static"]),
    (
        "libffi",
        &[
            "--disable-shared",
            "--with-pic",
            "--disable-multi-os-directory",
            // It looks up its own code in a list of the emulator's memory.
            "--disable-exec-static-tramp",
        ],
    ),
];

impl Processor {
    fn is_this(self) -> bool {
        self.name == env::consts::ARCH
    }

    /// The line of a script that runs a program below `root`.
    pub(super) fn starter(self, root: &Path) -> String {
        if self.is_this() {
            "exec \"$@\"\n".to_owned()
        } else {
            emulated::starter(root, self.name, self.target)
        }
    }

    /// Builds Python and installs NumPy, if that was not done. The Python of another processor is built with the help of
    /// `helper`, a Python of the same release that runs here.
    pub(super) fn make(
        self,
        root: &Path,
        starter: &Path,
        helper: &Path,
        venv: &Venv,
    ) -> Result<()> {
        if is_ready(root) {
            return Ok(());
        }
        emulated::unpack_packages(root, RELEASE, self.debian, "musl")?;
        process::heading(&format!("libraries for {}", self.target));
        let work = folder().join(format!("{}-build", self.target));
        fs::create_dir_all(&work)
            .map_err(|error| format!("cannot write {}: {error}", place::shown(&work)))?;
        let compiler = work.join("cc");
        self.write_compiler(root, &stand_ins::zig(venv)?, &compiler)?;
        let usr = root.join("usr");
        // Later sources of libffi have no `configure`.
        let release = Release::open(emulated::RELEASE, &work)?;
        for (package, options) in LIBRARIES {
            let source = work.join(package);
            release.unpack_source(package, &source)?;
            let mut configure = process::command(source.join("configure"));
            configure.arg(format!("--prefix={}", usr.display())).args(options);
            // The `configure` of zlib is its own, and compares the names of no machines.
            if package != "zlib" {
                configure.args(self.names());
            }
            configure.env("CC", &compiler).env("CFLAGS", "-O2 -fPIC");
            configure.env("AR", "ar").env("RANLIB", "ranlib");
            process::run(configure.current_dir(&source))?;
            source_python::make_and_install(&source)?;
        }
        self.build_python(&work, &usr, starter, helper)?;
        let platforms = [format!("musllinux_1_2_{}", self.name)];
        venv.install_for(emulated::PYTHON, &platforms, Path::new("numpy"), &packages(root))
    }

    fn build_python(self, work: &Path, usr: &Path, starter: &Path, helper: &Path) -> Result<()> {
        let names = self.names();
        let helper = format!("--with-build-python={}", helper.display());
        let mut options = vec!["--without-ensurepip", "--without-readline", &names[0], &names[1]];
        if !self.is_this() {
            // `configure` cannot find these out on another machine.
            options.extend([&helper, "ac_cv_file__dev_ptmx=yes", "ac_cv_file__dev_ptc=no"]);
            options.push("ac_cv_buggy_getaddrinfo=no");
        }
        let python = Source {
            release: emulated::RELEASE,
            package: &python(),
            options: &options,
            environment: &[
                ("CC", work.join("cc").display().to_string()),
                ("CPPFLAGS", format!("-I{}/include", usr.display())),
                ("LDFLAGS", format!("-L{}/lib", usr.display())),
                // The libraries of this machine are for another C library.
                ("PKG_CONFIG", "false".to_owned()),
                // It reads files for every processor, but `configure` refuses the plain name.
                ("READELF", "env readelf".to_owned()),
            ],
            run: if self.is_this() { Run::Directly } else { Run::By(starter) },
            modules: &["ctypes", "zlib"],
        };
        source_python::build(&python, &work.join("python"), usr).map(|_| ())
    }

    /// The options of `configure` that name the machine it runs on, as if that had musl, and the machine it compiles for:
    /// the same for this processor, so that it runs what it compiles. Python takes the C library from the first.
    fn names(self) -> [String; 2] {
        [format!("--build={}-linux-musl", env::consts::ARCH), format!("--host={}", self.target)]
    }

    /// Writes a script that compiles for the library and the loader below `root`.
    fn write_compiler(self, root: &Path, zig: &str, script: &Path) -> Result<()> {
        let loader = root.join("usr/lib").join(self.target).join("libc.so");
        let target = self.target;
        // The date of the build is a part of Python, which zig would refuse. Python asks the compiler for the name of the
        // machine, and by the other spelling for folders of this machine's libraries, which must not be there; and it adds
        // folders of this machine itself.
        write_script(
            script,
            &format!(
                "loader='-Wl,-dynamic-linker,{}'\n\
                 for word; do shift; case $word in\n\
                 --print-multiarch) echo {target}; exit ;;\n\
                 -print-multiarch) echo none; exit ;;\n\
                 -I/usr/include | -I/usr/local/include) continue ;;\n\
                 -c | -E | -S | -shared) loader= ;;\n\
                 esac; set -- \"$@\" \"$word\"; done\n\
                 exec '{zig}' cc -target {target} -dynamic -Wno-date-time $loader \"$@\"\n",
                loader.display()
            ),
        )
    }
}

pub(super) fn is_ready(root: &Path) -> bool {
    packages(root).join("numpy").is_dir()
}

/// The folder of Python's packages.
fn packages(root: &Path) -> PathBuf {
    root.join("usr/lib").join(python()).join("site-packages")
}

/// The name of the interpreter, and of Debian's package of it.
fn python() -> String {
    format!("python{}", emulated::PYTHON)
}

//! A Python with NumPy for musl on this processor.
//!
//! Purpose: modules run with the C library of Alpine.
//! Invariant: the machine's own musl, if it has one, is not used: programs name the one in the folder.
//! Reason: Debian has musl as a library, and no Python for it. Python is built by gcc with Debian's musl; modules are built
//! by `ziglang`, as users build them.

use super::{emulated, folder, write_script};
use crate::apt::Release;
use crate::source_python::{self, Source};
use crate::venv::Venv;
use crate::{Result, place, process};
use std::fs;
use std::path::{Path, PathBuf};

/// Its name for compilers.
pub(super) const TARGET: &str = "x86_64-linux-musl";

/// The release whose musl is that of `ziglang` or later: NumPy and modules use functions of 1.2.4.
const RELEASE: &str = "trixie";

pub(super) fn is_ready(root: &Path) -> bool {
    packages(root).join("numpy").is_dir()
}

/// Libraries of Python's modules, by their source packages, and the options of their `configure`.
const LIBRARIES: [(&str, &[&str]); 2] = [
    ("zlib", &["--static"]),
    ("libffi", &["--disable-shared", "--with-pic", "--disable-multi-os-directory"]),
];

/// Builds Python and installs NumPy, if that was not done.
pub(super) fn make(root: &Path, venv: &Venv) -> Result<()> {
    if is_ready(root) {
        return Ok(());
    }
    process::heading("musl, and libraries for it");
    let work = folder().join("musl-build");
    fs::create_dir_all(&work)
        .map_err(|error| format!("cannot write {}: {error}", place::shown(&work)))?;
    let newer = Release::open(RELEASE, &work)?;
    for package in ["musl", "musl-dev"] {
        newer.unpack(package, root)?;
    }
    let compiler = work.join("gcc");
    write_compiler(root, &compiler)?;
    let usr = root.join("usr");
    // Later sources of libffi have no `configure`.
    let release = Release::open(emulated::RELEASE, &work)?;
    for (package, options) in LIBRARIES {
        let source = work.join(package);
        release.unpack_source(package, &source)?;
        let mut configure = process::command(source.join("configure"));
        configure.arg(format!("--prefix={}", usr.display())).args(options);
        configure.env("CC", &compiler).env("CFLAGS", "-O2 -fPIC");
        process::run(configure.current_dir(&source))?;
        source_python::make_and_install(&source)?;
    }
    let package = python();
    let python = Source {
        release: emulated::RELEASE,
        package: &package,
        options: &["--without-ensurepip", "--without-readline"],
        environment: &[
            ("CC", compiler.display().to_string()),
            ("CPPFLAGS", format!("-I{}/include", usr.display())),
            ("LDFLAGS", format!("-L{}/lib", usr.display())),
            // The libraries of this machine are for another C library.
            ("PKG_CONFIG", "false".to_owned()),
        ],
        is_sanitized: false,
        modules: &["ctypes", "zlib"],
    };
    source_python::build(&python, &work.join("python"), &usr)?;
    let platforms = ["musllinux_1_2_x86_64".to_owned()];
    venv.install_for(emulated::PYTHON, &platforms, Path::new("numpy"), &packages(root))
}

/// The folder of Python's packages.
fn packages(root: &Path) -> PathBuf {
    root.join("usr/lib").join(python()).join("site-packages")
}

/// The name of the interpreter, and of Debian's package of it.
fn python() -> String {
    format!("python{}", emulated::PYTHON)
}

/// Writes a script that runs gcc with the headers, the library and the loader below `root`.
fn write_compiler(root: &Path, script: &Path) -> Result<()> {
    let library = root.join("usr/lib").join(TARGET);
    let specs = library.join("musl-gcc.specs");
    let text = fs::read_to_string(&specs)
        .map_err(|error| format!("cannot read {}: {error}", place::shown(&specs)))?;
    let headers = root.join("usr/include").join(TARGET);
    let changed = [
        (format!("/usr/lib/{TARGET}"), library.display().to_string()),
        (format!("/usr/include/{TARGET}"), headers.display().to_string()),
        ("/lib/ld-musl-x86_64.so.1".to_owned(), library.join("libc.so").display().to_string()),
    ]
    .iter()
    .fold(text, |text, (from, to)| text.replace(from, to));
    let own = script.with_extension("specs");
    fs::write(&own, changed)
        .map_err(|error| format!("cannot write {}: {error}", place::shown(&own)))?;
    // The headers of the kernel, which are the same for every C library.
    let kernel = script.with_file_name("kernel");
    place::make_empty(&kernel)?;
    for (name, headers) in [
        ("linux", "/usr/include/linux"),
        ("asm-generic", "/usr/include/asm-generic"),
        ("asm", "/usr/include/x86_64-linux-gnu/asm"),
    ] {
        std::os::unix::fs::symlink(headers, kernel.join(name))
            .map_err(|error| format!("cannot write {}: {error}", place::shown(&kernel)))?;
    }
    // Python asks the compiler for the name of the machine, and by the other spelling for folders of this machine's
    // libraries, which must not be there.
    write_script(
        script,
        &format!(
            "for word; do case $word in\n\
             --print-multiarch) echo {TARGET}; exit ;;\n\
             -print-multiarch) echo none; exit ;;\n\
             esac; done\n\
             exec gcc \"$@\" -specs '{}' -idirafter '{}'\n",
            own.display(),
            kernel.display()
        ),
    )
}

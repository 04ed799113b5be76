//! The requirements of the complete tests on a machine, besides Rust and Python packages.
//!
//! Every requirement is tested like in a test: an installed compiler may lack the runtime of its
//! sanitizers.

use crate::base_python::{self, BasePython};
use crate::{Result, process};
use std::path::Path;

/// A requirement.
pub(crate) struct Need {
    /// Its name.
    what: &'static str,
    /// The tests that need it.
    purpose: &'static str,
    /// Tests for it.
    works: fn() -> bool,
    /// The Debian packages that contain it.
    packages: fn() -> Vec<String>,
    /// How to install it elsewhere.
    elsewhere: &'static str,
}

const NEEDS: [Need; 16] = [
    Need {
        what: "gcc with its sanitizers",
        purpose: "building modules, and their behaviour under sanitizers",
        works: || links("gcc", "c", true),
        packages: || vec!["gcc".into(), "libc6-dev".into()],
        elsewhere: "install gcc, libasan and libubsan",
    },
    Need {
        what: "g++",
        purpose: "modules with C++ sources",
        works: || links("g++", "cpp", false),
        packages: || vec!["g++".into()],
        elsewhere: "install g++",
    },
    Need {
        what: "gfortran",
        purpose: "modules with Fortran sources",
        works: || links("gfortran", "f90", false),
        packages: || vec!["gfortran".into()],
        elsewhere: "install gfortran",
    },
    Need {
        what: "clang",
        purpose: "generated C under a second compiler",
        works: || links("clang", "c", false),
        packages: || vec!["clang".into()],
        elsewhere: "install clang",
    },
    Need {
        what: "clang's sanitizers",
        purpose: "generated C under clang's sanitizers",
        works: || links("clang", "c", true),
        packages: || clang_runtime().into_iter().collect(),
        elsewhere: "install the compiler-rt of your clang",
    },
    Need {
        what: "zlib, LZ4, CBLAS, LAPACKE, FFTW, GSL, SQLite, Eigen, GEOS, libsamplerate, libsvm, cJSON, Expat, UMFPACK, SUNDIALS, MPFR, libpng, HDF5, libzip, libspng, cfitsio, Little CMS, muParser, pugixml, tinyxml2, jsoncpp, GeographicLib and Clipper with their headers",
        purpose: "interfaces of real libraries",
        works: || {
            includes(&[
                "lz4.h",
                "zlib.h",
                "cblas.h",
                "lapacke.h",
                "fftw3.h",
                "gsl/gsl_version.h",
                "sqlite3.h",
                "geos_c.h",
                "samplerate.h",
                "cjson/cJSON.h",
                "expat.h",
                "cvode/cvode.h",
                "suitesparse/umfpack.h",
                "mpfr.h",
                "png.h",
                "zip.h",
                "spng.h",
                "fitsio.h",
                "lcms2.h",
                "libsvm/svm.h",
                "hdf5/serial/hdf5_hl.h",
            ]) && has_header("eigen3/Eigen/Dense")
                && has_header("muParser.h")
                && has_header("pugixml.hpp")
                && has_header("tinyxml2.h")
                && has_header("jsoncpp/json/json.h")
                && has_header("GeographicLib/Geodesic.hpp")
                && has_header("polyclipping/clipper.hpp")
        },
        packages: || {
            [
                "liblz4-dev",
                "zlib1g-dev",
                "libopenblas-dev",
                "liblapacke-dev",
                "libfftw3-dev",
                "libgsl-dev",
                "libsqlite3-dev",
                "libeigen3-dev",
                "libgeos-dev",
                "libsamplerate0-dev",
                "libsvm-dev",
                "libsvm-tools",
                "libcjson-dev",
                "libexpat1-dev",
                "libsundials-dev",
                "libsuitesparse-dev",
                "libmpfr-dev",
                "libpng-dev",
                "libzip-dev",
                "libspng-dev",
                "libcfitsio-dev",
                "liblcms2-dev",
                "libhdf5-dev",
                "hdf5-tools",
                "libmuparser-dev",
                "libpugixml-dev",
                "libtinyxml2-dev",
                "libjsoncpp-dev",
                "libgeographiclib-dev",
                "libpolyclipping-dev",
            ]
            .map(str::to_owned)
            .to_vec()
        },
        elsewhere: "install zlib, LZ4, OpenBLAS, LAPACKE, FFTW, GSL, SQLite, Eigen, GEOS, libsamplerate, libsvm, cJSON, Expat, UMFPACK, SUNDIALS, MPFR, libpng, HDF5, libzip, libspng, cfitsio, Little CMS, muParser, pugixml, tinyxml2, jsoncpp, GeographicLib and Clipper for development",
    },
    Need {
        what: "libclang",
        purpose: "first interfaces of C++ headers",
        works: has_libclang,
        packages: || vec!["libclang1".into()],
        elsewhere: "install LLVM's libclang, or name it by LIBCLANG_PATH",
    },
    Need {
        what: "Lua 5.1 with its headers",
        purpose: "generated C for Lua",
        works: || has_lua("lua5.1", "lua5.1"),
        packages: || vec!["lua5.1".into(), "liblua5.1-0-dev".into()],
        elsewhere: "install Lua 5.1 and its headers",
    },
    Need {
        what: "LuaJIT with its headers",
        purpose: "generated C for Lua",
        works: || has_lua("luajit", "luajit-2.1"),
        packages: || vec!["luajit".into(), "libluajit-5.1-dev".into()],
        elsewhere: "install LuaJIT and its headers",
    },
    Need {
        what: "Lua 5.3 with its headers",
        purpose: "generated C for Lua",
        works: || has_lua("lua5.3", "lua5.3"),
        packages: || vec!["lua5.3".into(), "liblua5.3-dev".into()],
        elsewhere: "install Lua 5.3 and its headers",
    },
    Need {
        what: "Lua 5.4 with its headers",
        purpose: "generated C for Lua",
        works: || has_lua("lua5.4", "lua5.4"),
        packages: || vec!["lua5.4".into(), "liblua5.4-dev".into()],
        elsewhere: "install Lua 5.4 and its headers",
    },
    Need {
        what: "valgrind",
        purpose: "lifetimes in modules for Lua",
        works: || process::is_there("valgrind"),
        packages: || vec!["valgrind".into()],
        elsewhere: "install valgrind",
    },
    Need {
        what: "LuaRocks",
        purpose: "rocks of wrap and of modules",
        works: || process::is_there("luarocks"),
        packages: || vec!["luarocks".into()],
        elsewhere: "install LuaRocks",
    },
    Need {
        what: "zsh and fish",
        purpose: "completion of the command in these shells",
        works: || process::is_there("zsh") && process::is_there("fish"),
        packages: || vec!["zsh".into(), "fish".into()],
        elsewhere: "install zsh and fish",
    },
    Need {
        what: "rustfmt",
        purpose: "the format of the Rust sources",
        works: || process::succeeds(process::cargo().args(["fmt", "--version"])),
        packages: Vec::new,
        elsewhere: "run `rustup component add rustfmt`",
    },
    Need {
        what: "clippy",
        purpose: "lints of the Rust sources",
        works: || process::succeeds(process::cargo().args(["clippy", "--version"])),
        packages: Vec::new,
        elsewhere: "run `rustup component add clippy`",
    },
];

/// The missing requirements: a line each with the name and the remedy.
pub(crate) fn missing() -> Vec<String> {
    NEEDS.iter().filter(|need| !(need.works)()).map(Need::complaint).collect()
}

impl Need {
    fn complaint(&self) -> String {
        let packages = (self.packages)();
        let remedy = if packages.is_empty() || !process::is_there("apt-get") {
            self.elsewhere.to_owned()
        } else {
            format!("run `apt-get install {}`", packages.join(" "))
        };
        format!("{} (for {}): {remedy}", self.what, self.purpose)
    }
}

/// Installs missing requirements, as far as apt-get can; on other systems and for other users, does
/// nothing.
pub(crate) fn install_packages() -> Result<()> {
    if !can_install() || missing().is_empty() {
        return Ok(());
    }
    process::heading("Debian packages that the tests need");
    install(&python_packages())?;
    // The package of clang's sanitizers is named for clang's version: known once clang is installed.
    let mut tried = Vec::new();
    for _ in 0..2 {
        let lacking = NEEDS.iter().filter(|need| !(need.works)());
        let mut packages: Vec<String> = lacking.flat_map(|need| (need.packages)()).collect();
        packages.retain(|package| !tried.contains(package));
        install(&packages)?;
        tried.extend(packages);
    }
    Ok(())
}

/// Installs missing requirements, or fails with a line for each one to install by hand.
pub(crate) fn install_missing() -> Result<()> {
    process::heading("compilers, sanitizers and linters");
    install_packages()?;
    if process::is_there("rustup") {
        for component in ["rustfmt", "clippy"] {
            let lacks = |need: &&Need| need.what == component && !(need.works)();
            if NEEDS.iter().any(|need| lacks(&need)) {
                process::run(process::command("rustup").args(["component", "add", component]))?;
            }
        }
    }
    match missing().as_slice() {
        [] => {
            println!("all there");
            Ok(())
        }
        lines => Err(format!("this machine lacks:\n  {}", lines.join("\n  "))),
    }
}

/// True for root on Debian and its derivatives.
pub(crate) fn can_install() -> bool {
    let root = process::capture(process::command("id").arg("-u")).is_ok_and(|id| id == "0");
    root && process::is_there("apt-get") && Path::new("/etc/debian_version").is_file()
}

/// Makes sure that a program is installed whose Debian package has its name.
pub(crate) fn install_tool(program: &str) -> Result<()> {
    if process::is_there(program) { Ok(()) } else { install(&[program.to_owned()]) }
}

fn install(packages: &[String]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let apt = |words: &[&str]| {
        let mut command = process::command("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").arg("-qq").args(words);
        command
    };
    process::run(&mut apt(&["update"]))?;
    process::run(apt(&["install", "--yes", "--no-install-recommends"]).args(packages))
}

/// The parts that Debian's Python lacks, unless another one can be used.
fn python_packages() -> Vec<String> {
    let found = base_python::all();
    if found.iter().any(|python| python.complaint().is_none()) {
        return Vec::new();
    }
    let packages = found.iter().map(BasePython::missing_packages);
    packages
        .into_iter()
        .find(|packages| !packages.is_empty())
        .unwrap_or_else(|| ["python3", "python3-venv", "python3-dev"].map(str::to_owned).to_vec())
}

/// The package of clang's sanitizers, which is named for its version.
fn clang_runtime() -> Option<String> {
    let version = process::capture(process::command("clang").arg("--version")).ok()?;
    let number = version.split_once("version ")?.1;
    let major: String = number.chars().take_while(char::is_ascii_digit).collect();
    Some(format!("libclang-rt-{major}-dev"))
}

/// True if the C compiler finds the header.
pub(crate) fn has_header(header: &str) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let source = folder.path().join("header.c");
    let text = format!("#if !__has_include(<{header}>)\n#error\n#endif\n");
    std::fs::write(&source, text).is_ok()
        && process::succeeds(process::command("gcc").arg("-fsyntax-only").arg(&source))
}

/// libclang where `fishplate init` searches on Debian, or where LIBCLANG_PATH names it.
fn has_libclang() -> bool {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut folders = folders.filter(|one| one.file_name().to_string_lossy().starts_with("llvm-"));
    std::env::var_os("LIBCLANG_PATH").is_some()
        || folders.any(|one| one.path().join("lib/libclang.so.1").exists())
}

/// True if the C compiler finds these headers, one after the other.
fn includes(headers: &[&str]) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let source = folder.path().join("headers.c");
    let text: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    if std::fs::write(&source, text).is_err() {
        return false;
    }
    process::succeeds(process::command("gcc").arg("-fsyntax-only").arg(&source))
}

/// True if the interpreter is installed, and its headers are in Debian's folder.
fn has_lua(program: &str, folder: &str) -> bool {
    process::is_there(program) && Path::new("/usr/include").join(folder).join("lua.h").is_file()
}

/// True if the compiler compiles an empty program.
fn links(compiler: &str, suffix: &str, sanitize: bool) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let source = folder.path().join(format!("empty.{suffix}"));
    let text = if suffix == "f90" { "end\n" } else { "int main(void) { return 0; }\n" };
    if std::fs::write(&source, text).is_err() {
        return false;
    }
    let mut command = process::command(compiler);
    command.arg(&source).arg("-o").arg(folder.path().join("empty"));
    if sanitize {
        command.arg("-fsanitize=address,undefined");
    }
    process::succeeds(&mut command)
}

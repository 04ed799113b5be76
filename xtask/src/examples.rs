//! Building the examples and running their demonstrations.

use crate::venv::Venv;
use crate::{Result, machine, place, process};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An example: the folder `examples/NAME` with `NAME.toml` and `demo.py`, and a crate if it is in Rust.
struct Example {
    name: &'static str,
    about: &'static str,
    /// A header of the library that it needs; empty if it includes everything.
    header: Option<&'static str>,
}

/// In the order in which they are shown: the ones that are built fastest first.
const EXAMPLES: [Example; 24] = [
    Example { name: "stats", about: "C written for it", header: None },
    Example {
        name: "deflate",
        about: "zlib: bytes, size queries, return codes, files",
        header: Some("zlib.h"),
    },
    Example { name: "blas", about: "CBLAS and LAPACKE, as OpenBLAS has them", header: None },
    Example {
        name: "sqlite",
        about: "SQLite: databases, statements, strings",
        header: Some("sqlite3.h"),
    },
    Example {
        name: "fourier",
        about: "FFTW: plans that retain their arrays",
        header: Some("fftw3.h"),
    },
    Example {
        name: "gsl",
        about: "GSL: callbacks, handles, return codes, strides",
        header: Some("gsl/gsl_rng.h"),
    },
    Example {
        name: "samplerate",
        about: "libsamplerate: structs with arrays, compared with SciPy",
        header: Some("samplerate.h"),
    },
    Example {
        name: "tree",
        about: "cJSON: nodes that their parents take over",
        header: Some("cjson/cJSON.h"),
    },
    Example {
        name: "expat",
        about: "Expat: callbacks that share their user data",
        header: Some("expat.h"),
    },
    Example {
        name: "cvode",
        about: "SUNDIALS CVODE: user data that another call sets, compared with SciPy",
        header: Some("cvode/cvode.h"),
    },
    Example {
        name: "planar",
        about: "GEOS: shapes that take over arrays of their parts",
        header: Some("geos_c.h"),
    },
    Example {
        name: "svm",
        about: "libsvm: structs with rows of structs, compared with its own programs",
        header: Some("libsvm/svm.h"),
    },
    Example {
        name: "umfpack",
        about: "UMFPACK: factors that are `void *`, compared with SciPy",
        header: Some("suitesparse/umfpack.h"),
    },
    Example {
        name: "hdf5",
        about: "HDF5: arrays of any rank and dtype, compared with its own program",
        header: Some("hdf5/serial/hdf5.h"),
    },
    Example {
        name: "mpfr",
        about: "MPFR: numbers that the module stores, compared with decimal",
        header: Some("mpfr.h"),
    },
    Example {
        name: "picture",
        about: "libpng: a struct with fields that the module stores",
        header: Some("png.h"),
    },
    Example {
        name: "archive",
        about: "libzip: closing that fails, and errors that objects store",
        header: Some("zip.h"),
    },
    Example {
        name: "png",
        about: "libspng: structs with strings, tables and pointers, also in arrays",
        header: Some("spng.h"),
    },
    Example {
        name: "fits",
        about: "cfitsio: arrays of every type by one function, compared with NumPy",
        header: Some("fitsio.h"),
    },
    Example {
        name: "color",
        about: "Little CMS: classes of objects that C calls void *, compared with NumPy",
        header: Some("lcms2.h"),
    },
    Example { name: "order", about: "Rust, where a panic is an exception", header: None },
    Example {
        name: "eigen",
        about: "Eigen: C++ templates and exceptions",
        header: Some("eigen3/Eigen/Dense"),
    },
    Example {
        name: "markup",
        about: "tinyxml2: C++ that calls methods of Python, compared with xml.etree",
        header: Some("tinyxml2.h"),
    },
    Example {
        name: "document",
        about: "jsoncpp: values of C++ by index and name, compared with Python's json",
        header: Some("jsoncpp/json/json.h"),
    },
];

/// The number of examples.
pub(crate) const COUNT: usize = EXAMPLES.len();

/// Builds each example with the command and shows the output of its demonstration. Each core has one at a time; they are
/// shown in order. All are shown; one that fails makes it an error.
pub(crate) fn run_all(fishplate: &Path, venv: &Venv) -> Result<()> {
    let environment = openblas(venv)?;
    let next = AtomicUsize::new(0);
    let done = EXAMPLES.each_ref().map(|_| OnceLock::new());
    let work = || {
        let start = || next.fetch_add(1, Ordering::Relaxed);
        while let Some((example, done)) = EXAMPLES.iter().zip(&done).nth(start()) {
            let mut transcript = String::new();
            let result = run(example, fishplate, venv, &environment, &mut transcript);
            let _ = done.set((transcript, result.err()));
        }
    };
    let mut failed = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
        for (number, (Example { name, about, .. }, done)) in (1..).zip(EXAMPLES.iter().zip(&done)) {
            process::heading(&format!("[{number}/{COUNT}] examples/{name}: {about}"));
            let (transcript, error) = done.wait();
            print!("{transcript}");
            failed.extend(error.clone());
        }
    });
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

fn run(
    example: &Example,
    fishplate: &Path,
    venv: &Venv,
    environment: &[(&str, OsString)],
    transcript: &mut String,
) -> Result<()> {
    let name = example.name;
    if let Some(header) = example.header.filter(|header| !machine::has_header(header)) {
        // Under CI, a machine without it has been refused already.
        transcript.push_str(&format!(
            "left out: <{header}> is not installed; its README describes its packages\n"
        ));
        return Ok(());
    }
    let folder = place::root().join("examples").join(name);
    let out = place::target("examples").join(name);
    let mut build = process::command(fishplate);
    if folder.join("Cargo.toml").exists() {
        build.env("ORDER_LIBRARY", rust_library(&folder, &out, transcript)?);
    }
    build.arg("build").arg(folder.join(format!("{name}.toml")));
    build.arg("--python").arg(venv.python()).arg("--out").arg(&out);
    build.envs(environment.iter().map(|(name, value)| (name, value)));
    process::transcribe(&mut build, transcript)?;
    let mut demo = process::command(venv.python());
    // Nothing is written into the source folders (-B), and no module that was built there is
    // imported (-P).
    demo.args(["-B", "-P"]).arg(folder.join("demo.py")).env("PYTHONPATH", &out);
    process::transcribe(&mut demo, transcript)
}

/// Builds an example's own crate, outside of the source folders.
fn rust_library(folder: &Path, out: &Path, transcript: &mut String) -> Result<PathBuf> {
    let target = out.join("cargo");
    let mut cargo = process::cargo();
    cargo.args(["build", "--quiet", "--release", "--offline", "--target-dir"]).arg(&target);
    cargo.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    process::transcribe(&mut cargo, transcript)?;
    Ok(target.join("release/liborder.a"))
}

/// The folders of the headers and the library of the Python package `scipy-openblas32`, for the
/// interface of examples/blas.
pub(crate) fn openblas(venv: &Venv) -> Result<[(&'static str, OsString); 2]> {
    let question =
        "import scipy_openblas32 as b; print(b.get_include_dir()); print(b.get_lib_dir())";
    let printed = process::capture(process::command(venv.python()).args(["-c", question]))?;
    match printed.split_once('\n') {
        Some((include, lib)) => {
            Ok([("OPENBLAS_INCLUDE", include.into()), ("OPENBLAS_LIB", lib.into())])
        }
        None => Err(format!("scipy-openblas32 does not say where it is: {printed}")),
    }
}

//! Descriptions of Pythons. Incomplete ones are stand-ins; the complete one is
//! `target/venv/bin/python` if it exists, else the one on PATH.

// Tests may print and read files; the crate under test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fishplate_host_python::{Installation as Python, PythonError, find_python};
use fishplate_toolchain::{Environment, Request, Toolchain, Unit, build};
use tempfile::TempDir;

fn environment() -> Environment {
    Environment::current()
}

/// A Python for tests, or `None` with a message.
fn python() -> Option<Python> {
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/venv/bin/python");
    let explicit = venv.is_file().then_some(venv);
    match Python::find(&environment(), explicit.as_deref()) {
        Ok(python) => Some(python),
        Err(error) => {
            eprintln!("SKIPPED: {error}");
            None
        }
    }
}

/// A new virtual environment, without pip and so without NumPy.
fn bare_venv(python: &Python) -> Option<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir().unwrap();
    let venv = folder.path().join("bare é venv");
    let made = Command::new(&python.executable)
        .args(["-m", "venv", "--without-pip"])
        .arg(&venv)
        .output()
        .unwrap();
    if !made.status.success() {
        eprintln!("SKIPPED: {} has no venv module", python.executable.display());
        return None;
    }
    Some((folder, venv))
}

/// Waits until a file's time is older than the clock.
fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(30));
}

fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    settle();
    path
}

#[test]
fn a_python_describes_itself() {
    let Some(python) = python() else { return };
    assert!(python.version >= (3, 11, 0));
    assert!(python.full_version.starts_with(&format!("3.{}.", python.version.1)));
    assert!(python.executable.is_absolute());
    assert!(python.extension_suffix.ends_with(".so"));
    assert!(python.extension_suffix.starts_with('.'));
    assert!(!python.platform.is_empty());
    assert!(python.identity().contains(&python.full_version));
}

#[test]
fn an_extension_module_is_built_and_imported() {
    let Some(python) = python() else { return };
    let headers = match python.headers(&environment()) {
        Ok(headers) => headers.to_vec(),
        Err(error) => return eprintln!("SKIPPED: {error}"),
    };
    let mut include_dirs = headers;
    let mut text = String::new();
    match python.numpy() {
        Ok(numpy) => {
            include_dirs.push(numpy.include_dir.clone());
            text.push_str("#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION\n");
            text.push_str("#include <Python.h>\n#include <numpy/arrayobject.h>\n");
        }
        Err(error) => {
            eprintln!("SKIPPED the part with NumPy: {error}");
            text.push_str("#include <Python.h>\n");
        }
    }
    text.push_str(
        "static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, \"it\", 0, -1, 0, 0, 0, 0, 0};\n\
         PyMODINIT_FUNC PyInit_it(void);\n\
         PyMODINIT_FUNC PyInit_it(void) { return PyModule_Create(&module); }\n",
    );
    let folder = tempfile::tempdir().unwrap();
    let mut request = Request::new("it", folder.path(), format!("it{}", python.extension_suffix));
    request.units = vec![Unit::generated("it.c", text)];
    request.generated.include_dirs = include_dirs;
    request.generated.flags = ["-Wall", "-Wextra", "-Werror"].map(String::from).into();
    request.identity = python.identity();
    request.undefined_ok = Some(vec!["Py".into(), "_Py".into()]);
    let built =
        build(&request, &Toolchain::find(None), &mut |_| {}).unwrap_or_else(|e| panic!("{e}"));
    let import = Command::new(&python.executable)
        .args(["-c", "import it; print(it.__file__)"])
        .env("PYTHONPATH", folder.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&import.stdout).into_owned();
    assert_eq!(printed.trim(), built.path.to_str().unwrap());
    assert!(!build(&request, &Toolchain::find(None), &mut |_| {}).unwrap().fresh);
}

#[test]
fn the_active_virtual_environment_is_used_and_numpy_can_be_missing() {
    let Some(python) = python() else { return };
    let Some((_folder, venv)) = bare_venv(&python) else { return };
    let environment = environment().with("VIRTUAL_ENV", &venv).without("PYTHONPATH");
    let found = Python::find(&environment, None).unwrap();
    assert_eq!(found.executable, venv.join("bin/python"));
    let error = found.numpy().unwrap_err();
    let advice = format!("{} -m pip install numpy", venv.join("bin/python").display());
    assert!(matches!(error, PythonError::NoNumPy { .. }), "{error}");
    assert!(error.to_string().contains(&advice), "{error}");
}

#[test]
fn startup_noise_and_a_broken_numpy_differ() {
    let Some(python) = python() else { return };
    let Some((_folder, venv)) = bare_venv(&python) else { return };
    // A .pth file is run at startup; this one prints, and puts a broken numpy on the path.
    let (major, minor, _) = python.version;
    let site = venv.join(format!("lib/python{major}.{minor}/site-packages"));
    fs::write(site.join("noise.pth"), "import sys; print('noise')\n").unwrap();
    fs::create_dir(site.join("numpy")).unwrap();
    fs::write(site.join("numpy/__init__.py"), "raise RuntimeError('half installed')\n").unwrap();
    let found = Python::ask(&venv.join("bin/python"), &environment()).unwrap();
    let error = found.numpy().unwrap_err();
    assert!(matches!(error, PythonError::BrokenNumPy { .. }), "{error}");
    assert!(error.to_string().contains("half installed"), "{error}");
}

#[test]
fn headers_of_numpy_are_those_that_it_runs_with() {
    let Some(mut python) = python() else { return };
    let (Ok(headers), Ok(numpy)) = (python.headers(&environment()), python.numpy()) else { return };
    let (header, numpy) = (headers[0].join("Python.h"), numpy.include_dir.clone());
    // As Debian's: with headers of NumPy among those of Python.
    let folder = tempfile::tempdir().unwrap();
    fs::copy(header, folder.path().join("Python.h")).unwrap();
    fs::create_dir(folder.path().join("numpy")).unwrap();
    fs::write(folder.path().join("numpy/arrayobject.h"), "#error\n").unwrap();
    python.include_dirs = vec![folder.path().to_owned()];
    let target = python.target(&environment()).unwrap();
    let mut found = target.include_dirs.iter().map(|dir| dir.join("numpy/arrayobject.h"));
    assert_eq!(found.find(|path| path.is_file()), Some(numpy.join("numpy/arrayobject.h")));
}

#[test]
fn a_description_is_stored_until_its_files_change() {
    let Some(python) = python() else { return };
    let memory = tempfile::tempdir().unwrap();
    let packages = tempfile::tempdir().unwrap();
    let environment = environment().with("PYTHONPATH", packages.path()).remembering(memory.path());
    let version = |environment: &Environment, path: &Path| {
        let asked = Python::ask(path, environment).unwrap();
        asked.numpy().map(|numpy| numpy.version.clone())
    };
    let own = version(&environment, &python.executable).unwrap();
    let file = memory.path().join("pythons.json");
    let stored = fs::read_to_string(&file).unwrap();
    // The stored description is used: it names a version that NumPy never had.
    fs::write(&file, stored.replace(&own, "0.0.1")).unwrap();
    assert_eq!(version(&environment, &python.executable).unwrap(), "0.0.1");
    // In another environment the interpreter may find another NumPy.
    let elsewhere = environment.clone().with("PYTHONPATH", "/nonexistent");
    assert_eq!(version(&elsewhere, &python.executable).unwrap(), own);
    // A module in a folder of the path may be another NumPy, here a broken one, which is not stored.
    settle();
    fs::write(packages.path().join("numpy.py"), "1 / 0\n").unwrap();
    let broken = || version(&environment, &python.executable);
    assert!(matches!(broken(), Err(PythonError::BrokenNumPy { .. })));
    fs::remove_file(packages.path().join("numpy.py")).unwrap();
    assert_eq!(broken().unwrap(), own);
    // A script may start any Python.
    fs::remove_file(&file).unwrap();
    let text = format!("#!/bin/sh\nexec '{}' \"$@\"\n", python.executable.display());
    let chooses = script(packages.path(), "chooses", &text);
    assert_eq!(version(&environment, &chooses).unwrap(), own);
    assert!(!file.exists());
}

#[test]
fn missing_headers_say_what_to_install() {
    let Some(mut python) = python() else { return };
    python.include_dirs = vec!["/nowhere/include".into()];
    let text = python.headers(&environment()).unwrap_err().to_string();
    assert!(text.contains("apt install python3-dev") && text.contains("/nowhere"), "{text}");
}

#[test]
fn files_that_are_no_python_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("python9");
    let error = find_python(&environment(), Some(&missing)).unwrap_err();
    assert!(matches!(error, PythonError::NotFound { .. }), "{error}");

    let shouting = script(folder.path(), "cat", "#!/bin/sh\necho meow >&2\nexit 3\n");
    settle();
    let error = Python::ask(&shouting, &environment()).unwrap_err();
    assert!(matches!(&error, PythonError::NotPython { reason, .. } if reason == "meow"), "{error}");

    // The output of a Python 2, in case that none is installed.
    let old = script(
        folder.path(),
        "python2",
        "#!/bin/sh\necho 'fishplate:{\"version\": [2, 7, 18], \"executable\": \"x\"}'\n",
    );
    let error = Python::ask(&old, &environment()).unwrap_err();
    assert!(matches!(error, PythonError::TooOld { version: (2, 7, 18), .. }), "{error}");
    assert!(error.to_string().contains("3.11"), "{error}");
}

#[test]
fn real_old_pythons_are_too_old() {
    // pyenv manages several; other tools do not.
    let Some(home) = environment().get("HOME").map(PathBuf::from) else { return };
    let versions = fs::read_dir(home.join(".pyenv/versions")).into_iter().flatten().flatten();
    let mut asked = 0;
    for entry in versions {
        let name = entry.file_name().into_string().unwrap_or_default();
        let old = name.starts_with("2.") || (6..11).any(|n| name.starts_with(&format!("3.{n}.")));
        if old {
            asked += 1;
            let error = Python::ask(&entry.path().join("bin/python"), &environment()).unwrap_err();
            assert!(matches!(error, PythonError::TooOld { .. }), "{name}: {error}");
        }
    }
    if asked == 0 {
        eprintln!("SKIPPED: no old Pythons under ~/.pyenv");
    }
}

#[test]
fn the_running_python_comes_before_the_virtual_environment_and_path() {
    let folder = tempfile::tempdir().unwrap();
    let places: Vec<_> =
        ["running", "active/bin", "path"].map(|name| folder.path().join(name)).into();
    for place in &places {
        fs::create_dir_all(place).unwrap();
        for name in ["python", "python3", "python3.12", "3.12"] {
            script(place, name, "");
        }
    }
    let environment = Environment::current()
        .with("PATH", &places[2])
        .with("VIRTUAL_ENV", folder.path().join("active"))
        .with_running("python", places[0].join("python"));
    let find = |environment: &Environment, explicit: Option<&str>| {
        find_python(environment, explicit.map(Path::new)).unwrap()
    };
    assert_eq!(find(&environment, None), places[0].join("python"));
    // A file of this name comes first; then the rule for the version.
    assert_eq!(find(&environment, Some("3.12")), places[2].join("3.12"));
    fs::remove_file(places[2].join("3.12")).unwrap();
    for place in &places {
        assert_eq!(find(&environment, Some("3.12")), place.join("python3.12"));
        fs::remove_file(place.join("python3.12")).unwrap();
    }
    let error = find_python(&environment, Some(Path::new("3.12"))).unwrap_err().to_string();
    assert!(error.contains("looked for 3.12, ") && error.contains("python3.12 on PATH"), "{error}");
    // A version that was removed is ignored.
    fs::remove_file(places[0].join("python")).unwrap();
    assert_eq!(find(&environment, None), places[1].join("python"));
}

#[test]
fn nothing_on_path() {
    let folder = tempfile::tempdir().unwrap();
    let empty = Environment::current().with("PATH", folder.path()).without("VIRTUAL_ENV");
    let error = Python::find(&empty, None).unwrap_err();
    assert!(error.to_string().contains("python3 on PATH"), "{error}");
}

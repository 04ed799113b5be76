//! The runtime of a language, compiled once for all modules that are built with the same compiler and flags.
//!
//! Purpose: a small module is compiled in a quarter of the time.
//! Invariant: a module contains the same functions as one whose unit has the whole runtime; wherever the runtime cannot be
//! stored, the module's unit has it.
//! Reason: most of the runtime of a language is slow paths and errors, which are the same in every module.

use crate::store;
use fishplate_cache::Key;
use fishplate_emit::{Host, divide};
use fishplate_toolchain::{
    self as native, Environment, Event, Family, Request, SourceLanguage, Toolchain, Unit,
};
use std::path::PathBuf;

/// The number of units, which are compiled in parallel.
const UNITS: usize = 2;

/// Replaces the runtime header of a request by its declarations and compiled functions, if that can be done here.
pub(crate) fn share(
    request: &mut Request,
    host: &dyn Host,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) {
    let name = host.divisible_runtime();
    let Some(index) = request
        .headers
        .iter()
        .position(|header| name.is_some_and(|name| header.path.as_os_str() == name))
    else {
        return;
    };
    let Some(text) = &request.headers[index].contents else { return };
    let divided = divide(text, UNITS);
    let mut runtime = Request {
        units: divided
            .units
            .iter()
            .enumerate()
            .map(|(number, unit)| Unit::generated(format!("runtime_{number}.c"), unit))
            .collect(),
        generated: request.generated.clone(),
        defines: request
            .defines
            .iter()
            .filter(|define| concerns_runtime(define))
            .cloned()
            .collect(),
        identity: request.identity.clone(),
        ..Request::new("runtime", "", "runtime")
    };
    let Ok(compiler) = toolchain.compiler(SourceLanguage::C) else { return };
    let quick = compiler.family.quick_flags().iter().copied();
    let flags = quick.chain(["-w", "-ffunction-sections", "-fdata-sections"]).map(str::to_owned);
    // Those of the interface last, since they may say something else.
    let theirs = request.cflags.iter().filter(|flag| changes_code(flag)).cloned();
    runtime.cflags = flags.chain(theirs).collect();
    if let Some(objects) = compile(runtime, toolchain, observe) {
        request.headers[index].contents = Some(divided.header);
        request.objects = objects;
    }
}

/// The runtime's objects. None if there is no place to store them, or they cannot be compiled: the module then shows why.
fn compile(
    mut runtime: Request,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) -> Option<Vec<PathBuf>> {
    let compiler = toolchain.compiler(SourceLanguage::C).ok()?;
    if toolchain.cross().is_some() || compiler.family == Family::Unknown {
        return None;
    }
    let folders = runtime.generated.include_dirs.iter().map(|folder| folder.as_os_str());
    let key = Key::of("runtime")
        .parts(compiler.identity())
        .parts(runtime.units.iter().filter_map(|unit| unit.contents.as_ref()))
        .parts(folders)
        .parts(&runtime.generated.flags)
        .parts(&runtime.defines)
        .parts(&runtime.cflags)
        .parts(&runtime.identity)
        .finish()
        .to_string();
    let store = store::store(&Environment::current()).ok()?;
    runtime.out = store.work_folder("runtimes", &key[..24])?;
    runtime.work = Some(runtime.out.clone());
    let mut observe = |event| match event {
        Event::Compiling { .. } | Event::Compiled { .. } => observe(event),
        // The others are about the module, whose build has them too.
        _ => {}
    };
    native::compile_objects(&runtime, toolchain, &mut observe).ok()
}

/// Whether a macro changes the headers of a language or its runtime.
fn concerns_runtime(define: &str) -> bool {
    const BEGINNINGS: [&str; 4] = ["FP_", "Py", "NPY_", "_"];
    define != "FP_WARN_OF_CONST" && BEGINNINGS.iter().any(|beginning| define.starts_with(beginning))
}

/// Whether a flag for the module's C changes how the runtime must be compiled. Profiles are about the user's own code.
fn changes_code(flag: &str) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["-f", "-m", "-O", "-g", "-pthread", "--target", "--sysroot", "-DPy"];
    const PROFILES: [&str; 5] = ["-fprofile", "-ftest-coverage", "-flto", "-fplugin", "-fopt-info"];
    BEGINNINGS.iter().any(|beginning| flag.starts_with(beginning))
        && !PROFILES.iter().any(|beginning| flag.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_change_code_are_shared() {
        assert!(changes_code("-O0") && changes_code("-fsanitize=address") && changes_code("-m32"));
        assert!(!changes_code("-Iinclude") && !changes_code("-Wall") && !changes_code("-std=c11"));
        assert!(!changes_code("-flto") && !changes_code("-fprofile-generate"));
        assert!(concerns_runtime("Py_LIMITED_API=0x030c0000") && !concerns_runtime("SIZE=3"));
    }
}

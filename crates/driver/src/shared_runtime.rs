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
    self as native, BuildError, Environment, Event, Family, Request, SourceLanguage, Toolchain,
    Unit,
};

/// The number of units, which are compiled in parallel.
const UNITS: usize = 2;

/// Replaces the runtime header of a request by its declarations and compiled functions. Returns whether that can be done
/// here.
///
/// # Errors
///
/// The user interrupted a compiler. Whatever else prevents it, the module's own build reports.
pub(crate) fn share(
    request: &mut Request,
    host: &dyn Host,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) -> Result<bool, BuildError> {
    let header = host
        .divisible_runtime()
        .and_then(|name| request.headers.iter().position(|header| header.path.as_os_str() == name));
    let Some(index) = header else { return Ok(false) };
    let Some(text) = &request.headers[index].contents else { return Ok(false) };
    let divided = divide(text, UNITS);
    let Some(runtime) = runtime_request(request, &divided.units, toolchain) else {
        return Ok(false);
    };
    match native::compile_objects(&runtime, toolchain, &mut work_events(observe)) {
        Ok(objects) => {
            request.headers[index].contents = Some(divided.header);
            request.objects = objects;
            Ok(true)
        }
        Err(error) if error.is_interruption() => Err(error),
        Err(_) => Ok(false),
    }
}

/// The request for the runtime's units, in a folder of the cache that their key names. None if there is no such folder, or
/// if it is not known how the compiler shares objects.
fn runtime_request(module: &Request, units: &[String], toolchain: &Toolchain) -> Option<Request> {
    let compiler = toolchain.compiler(SourceLanguage::C).ok()?;
    if toolchain.cross().is_some() || compiler.family == Family::Unknown {
        return None;
    }
    let quick = compiler.family.quick_flags().iter().copied();
    let flags = quick.chain(["-w", "-ffunction-sections", "-fdata-sections"]).map(str::to_owned);
    // Those of the interface last, since they may say something else.
    let theirs = module.cflags.iter().filter(|flag| changes_code(flag)).cloned();
    let cflags: Vec<String> = flags.chain(theirs).collect();
    let defines = module.defines.iter().filter(|define| concerns_runtime(define));
    let defines: Vec<String> = defines.cloned().collect();
    let folders = module.generated.include_dirs.iter().map(|folder| folder.as_os_str());
    let key = Key::of("runtime")
        .parts(compiler.identity())
        .parts(units)
        .parts(folders)
        .parts(&module.generated.flags)
        .parts(&defines)
        .parts(&cflags)
        .parts(&module.identity)
        .finish()
        .to_string();
    let folder = store::store(&Environment::current()).ok()?.work_folder("runtimes", &key[..24])?;
    let unit = |(number, text)| Unit::generated(format!("runtime_{number}.c"), text);
    Some(Request {
        units: units.iter().enumerate().map(unit).collect(),
        generated: module.generated.clone(),
        defines,
        cflags,
        identity: module.identity.clone(),
        work: Some(folder.clone()),
        ..Request::new("runtime", folder, "runtime")
    })
}

/// Passes on the events of a build that prepares another one: the others are about that one, whose build has them too.
pub(crate) fn work_events(observe: &mut dyn FnMut(Event)) -> impl FnMut(Event) {
    |event| match event {
        Event::Compiling { .. } | Event::Compiled { .. } | Event::Read { .. } => observe(event),
        _ => {}
    }
}

/// Whether a macro changes the headers of a language or its runtime.
fn concerns_runtime(define: &str) -> bool {
    const BEGINNINGS: [&str; 4] = ["FP_", "Py", "NPY_", "_"];
    define != "FP_WARN_OF_CONST" && BEGINNINGS.iter().any(|beginning| define.starts_with(beginning))
}

/// Whether a flag for the module's C changes how the runtime must be compiled.
fn changes_code(flag: &str) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["-f", "-m", "-O", "-g", "-pthread", "--target", "--sysroot", "-DPy"];
    BEGINNINGS.iter().any(|beginning| flag.starts_with(beginning)) && !concerns_own_code(flag)
}

/// Whether a flag for the module's C is about profiles and the like, of the user's own code.
pub(crate) fn concerns_own_code(flag: &str) -> bool {
    const PROFILES: [&str; 5] = ["-fprofile", "-ftest-coverage", "-flto", "-fplugin", "-fopt-info"];
    PROFILES.iter().any(|beginning| flag.starts_with(beginning))
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

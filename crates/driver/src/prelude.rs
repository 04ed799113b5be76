//! The header of a language's runtime, precompiled for all modules that are built with the same compiler and flags.
//!
//! Purpose: a small module is compiled in three quarters of the time, most of which its compiler spends in headers.
//! Invariant: a unit is compiled as if it read the header. Whatever prevents that leads to a build without the precompiled
//! header.
//! Reason: the headers of an interpreter and of NumPy take longer to read than a module.

use crate::shared_runtime::{concerns_own_code, work_events};
use crate::store;
use fishplate_cache::Key;
use fishplate_toolchain::{
    self as native, BuildError, Environment, Event, Family, Request, SourceLanguage, Toolchain,
    Unit,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Flags that a precompiled header may have; the others could concern the units alone.
const FLAGS: [&str; 8] = ["-O", "-W", "-w", "-f", "-g", "-m", "-pthread", "-std="];

/// How many headers are kept.
const MOST: usize = 24;

/// Adds the precompiled header to a request whose units include the shared runtime, if that can be done here.
///
/// # Errors
///
/// The user interrupted a compiler.
pub(crate) fn precompile(
    module: &mut Request,
    runtime: &str,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) -> Result<(), BuildError> {
    let Some(request) = request(module, runtime, toolchain) else { return Ok(()) };
    match native::precompile(&request, toolchain, &mut work_events(observe)) {
        Ok((header, is_new)) => {
            module.generated.precompiled = Some(header);
            if is_new {
                remove_oldest(&request.out);
            }
        }
        Err(error) if error.is_interruption() => return Err(error),
        // The module's own build reports it.
        Err(_) => {}
    }
    Ok(())
}

/// Builds a request. A compiler that cannot use the precompiled header is called again without it.
pub(crate) fn build(
    request: &mut Request,
    toolchain: &Toolchain,
    observe: &mut dyn FnMut(Event),
) -> Result<native::Built, BuildError> {
    let built = native::build(request, toolchain, observe);
    let Err(BuildError::Compile { failures, .. }) = &built else { return built };
    let Some(header) = &request.generated.precompiled else { return built };
    let name = header.path.file_stem().unwrap_or_default().to_string_lossy();
    let names = ["PCH", "precompiled header", &name];
    if !failures.iter().any(|failure| names.iter().any(|name| failure.raw.contains(*name))) {
        return built;
    }
    request.generated.precompiled = None;
    native::build(request, toolchain, observe)
}

/// The request for the header. None if a unit is not known to begin with it, if there is no folder for it, or if the
/// compiler is called by another program, which may see each unit without the header.
fn request(module: &Request, runtime: &str, toolchain: &Toolchain) -> Option<Request> {
    let mut units = module.units.iter().filter(|unit| unit.contents.is_some()).peekable();
    let language = SourceLanguage::of(&units.peek()?.path)?;
    let compiler = toolchain.compiler(language).ok()?;
    let precompiles = match compiler.family {
        Family::Clang => true,
        // Its file for C++ has 73 MB.
        Family::Gnu => language == SourceLanguage::C,
        Family::Zig | Family::Unknown => false,
    };
    if !precompiles || compiler.has_launcher() || toolchain.cross().is_some() {
        return None;
    }
    let macros = macros_before(units.next()?, runtime)?;
    let is_alike = |unit: &Unit| {
        SourceLanguage::of(&unit.path) == Some(language)
            && macros_before(unit, runtime).as_ref() == Some(&macros)
    };
    if !units.all(is_alike) {
        return None;
    }
    let header = module.headers.iter().find(|header| header.path.as_os_str() == runtime)?;
    let folders = |flag: &&String| !flag.starts_with("-I");
    let cflags: Vec<String> = module.cflags.iter().filter(folders).cloned().collect();
    let is_known = |flag: &String| {
        FLAGS.iter().any(|known| flag.starts_with(known)) && !concerns_own_code(flag)
    };
    if !cflags.iter().all(is_known) {
        return None;
    }
    let text = macros + header.contents.as_ref()?;
    let key = Key::of("precompiled header")
        .part(language.name())
        .parts(compiler.identity())
        .part(&text)
        .parts(module.generated.include_dirs.iter().map(|folder| folder.as_os_str()))
        .parts(&module.generated.flags)
        .parts(&module.defines)
        .parts(&cflags)
        .parts(&module.identity)
        .finish()
        .to_string();
    let folder = store::store(&Environment::current()).ok()?.work_folder("headers", &key[..24])?;
    Some(Request {
        units: vec![Unit::generated(runtime, text)],
        headers_of: Some(language),
        generated: module.generated.clone(),
        defines: module.defines.clone(),
        cflags,
        identity: module.identity.clone(),
        work: Some(folder.clone()),
        ..Request::new("runtime", folder, "runtime")
    })
}

/// Removes the headers that were compiled first, if there are many: each may take 20 MB. A build that uses one at this
/// moment reads the header itself.
fn remove_oldest(folder: &Path) {
    let folders = folder.parent().and_then(|all| fs::read_dir(all).ok()).into_iter().flatten();
    let mut dated: Vec<(SystemTime, PathBuf)> = folders
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    dated.sort();
    for (_, old) in dated.iter().rev().skip(MOST).filter(|(_, old)| old != folder) {
        let _ = fs::remove_dir_all(old);
    }
}

/// The macros that a unit defines before it includes the runtime; None if it does anything else before.
fn macros_before(unit: &Unit, runtime: &str) -> Option<String> {
    let include = format!("#include \"{runtime}\"");
    let (before, _) = unit.contents.as_ref()?.split_once(&include)?;
    let directives: Vec<&str> = before.lines().filter(|line| line.starts_with('#')).collect();
    let defines = directives.iter().all(|line| line.starts_with("#define "));
    defines.then(|| directives.iter().map(|line| format!("{line}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_headers_are_kept() {
        let all = tempfile::tempdir().unwrap();
        let folder = |number: usize| all.path().join(number.to_string());
        for number in 0..MOST + 3 {
            fs::create_dir(folder(number)).unwrap();
            let at = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(number as u64);
            fs::File::open(folder(number)).unwrap().set_modified(at).unwrap();
        }
        remove_oldest(&folder(0));
        let left: Vec<usize> = (0..MOST + 3).filter(|number| folder(*number).exists()).collect();
        let wanted: Vec<usize> = std::iter::once(0).chain(3..MOST + 3).collect();
        assert_eq!(left, wanted, "the one in use, and the last ones");
    }

    #[test]
    fn macros_before_the_runtime() {
        let of = |text: &str| macros_before(&Unit::generated("m.c", text), "r.h");
        assert_eq!(of("/* m */\n\n#include \"r.h\"\nint x;\n"), Some(String::new()));
        assert_eq!(of("#define A /* a */\n#include \"r.h\"\n"), Some("#define A /* a */\n".into()));
        assert_eq!(of("#include <math.h>\n#include \"r.h\"\n"), None);
        assert_eq!(of("int x;\n"), None);
    }
}

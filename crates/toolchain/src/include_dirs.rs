//! The folders in which a compiler searches for `#include <...>`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::command::run;
use crate::error::{BuildError, Doing};
use crate::request::SourceLanguage;
use crate::toolchain::{Family, Toolchain};

/// The compiler's own folders for this language, in order; none if it does not list them.
///
/// # Errors
///
/// [`BuildError`] without a compiler, or if it cannot be started.
pub fn include_dirs(
    toolchain: &Toolchain,
    language: SourceLanguage,
) -> Result<Vec<PathBuf>, BuildError> {
    let compiler = toolchain.compiler(language)?;
    if compiler.family == Family::Unknown {
        return Ok(Vec::new());
    }
    let name = if language == SourceLanguage::Cxx { "c++" } else { "c" };
    let mut command = compiler.command.clone();
    command.extend(["-E", "-v", "-x", name, "/dev/null"].map(OsString::from));
    let finished = run(&command, toolchain.environment()).doing("start", Path::new(&command[0]))?;
    Ok(listed(&finished.stderr))
}

/// The folders in the output of `-v`.
fn listed(output: &str) -> Vec<PathBuf> {
    let lines = output.lines().skip_while(|line| !line.starts_with("#include <...>")).skip(1);
    let folders = lines.take_while(|line| line.starts_with(' '));
    // Apple's compiler also lists frameworks.
    folders.map(str::trim).filter(|line| !line.ends_with(')')).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_listed_in_order() {
        let output = "ignored\n#include \"...\" search starts here:\n#include <...> search starts here:\n \
                      /usr/include/c++/12\n /usr/include\n /Library (framework directory)\nEnd of search list.\n /no\n";
        let found = listed(output);
        assert_eq!(found, [PathBuf::from("/usr/include/c++/12"), PathBuf::from("/usr/include")]);
    }
}

//! The import library of an interpreter, for modules on Windows.
//!
//! Purpose: a module for Windows is linked without a file of the interpreter, which is not on other machines.
//! Invariant: the library has exactly the symbols that the objects need of the interpreter.
//! Reason: objects of Windows refer to functions of a DLL through pointers that an import library defines.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::command::{quoted, run};
use crate::error::{BuildError, Doing};
use crate::toolchain::{Compiler, Family, Toolchain};

/// How an object names the pointer to a function or to a variable of a DLL.
const POINTER: &str = "__imp_";

/// Makes the import library of a DLL for the symbols with these prefixes; it is written to a folder.
pub(crate) fn make(
    dll: &str,
    prefixes: &[String],
    objects: &[PathBuf],
    compiler: &Compiler,
    toolchain: &Toolchain,
    folder: &Path,
) -> Result<PathBuf, BuildError> {
    let mut symbols = BTreeSet::new();
    for object in objects {
        let bytes = std::fs::read(object).doing("read", object)?;
        symbols.extend(undefined(&bytes));
    }
    let plain = |symbol: &str| prefixes.iter().any(|prefix| symbol.starts_with(prefix.as_str()));
    symbols.retain(|symbol| plain(symbol.strip_prefix(POINTER).unwrap_or(symbol)));
    let (definition, library) = (folder.join("imports.def"), folder.join("libimports.a"));
    std::fs::write(&definition, define(dll, &symbols)).doing("write", &definition)?;
    let mut command = tool(compiler);
    command.extend(["-m", "i386:x86-64", "-d"].map(OsString::from));
    command.extend([definition.into(), "-l".into(), library.clone().into()]);
    let finished = run(&command, toolchain.environment()).doing("start", Path::new(&command[0]))?;
    if finished.status.success() {
        return Ok(library);
    }
    Err(BuildError::Link { raw: finished.raw(), command: quoted(&command), undefined: Vec::new() })
}

/// The command that makes import libraries: Zig's, if the compiler's command has `zig cc`, else that for the target.
fn tool(compiler: &Compiler) -> Vec<OsString> {
    let mode = compiler.command.iter().position(|word| word == "cc" || word == "c++");
    match mode.filter(|_| compiler.family == Family::Zig) {
        Some(mode) => {
            let zig = &compiler.command[..mode];
            zig.iter().cloned().chain(["dlltool".into()]).collect()
        }
        None => vec![format!("{}-dlltool", compiler.target).into()],
    }
}

/// The list of a DLL's symbols in the language of import libraries. A symbol that is used through its pointer alone needs no
/// function that jumps there.
fn define(dll: &str, symbols: &BTreeSet<String>) -> String {
    let names: BTreeSet<&str> =
        symbols.iter().map(|symbol| symbol.strip_prefix(POINTER).unwrap_or(symbol)).collect();
    let mut text = format!("LIBRARY {dll}\nEXPORTS\n");
    for name in names {
        let kind = if symbols.contains(name) { "" } else { " DATA" };
        let _ = writeln!(text, "    {name}{kind}");
    }
    text
}

/// The undefined symbols of an object in the format of Windows (COFF); none of other files.
fn undefined(object: &[u8]) -> Vec<String> {
    const RECORD: usize = 18;
    const X86_64: u16 = 0x8664;
    const EXTERNAL: u8 = 2;
    let u16_at = |at: usize| Some(u16::from_le_bytes(object.get(at..at + 2)?.try_into().ok()?));
    let u32_at =
        |at: usize| Some(u32::from_le_bytes(object.get(at..at + 4)?.try_into().ok()?) as usize);
    let text_at = |at: usize, most: usize| {
        let bytes = object.get(at..)?;
        let bytes = &bytes[..most.min(bytes.len())];
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        String::from_utf8(bytes[..end].to_vec()).ok()
    };
    let read = || {
        let (table, count) = (u32_at(8)?, u32_at(12)?);
        let strings = table + count * RECORD;
        let mut symbols = Vec::new();
        let mut index = 0;
        while u16_at(0)? == X86_64 && index < count {
            let at = table + index * RECORD;
            let name = match u32_at(at)? {
                0 => text_at(strings + u32_at(at + 4)?, usize::MAX)?,
                _ => text_at(at, 8)?,
            };
            let (section, class) = (u16_at(at + 12)?, *object.get(at + 16)?);
            if section == 0 && class == EXTERNAL {
                symbols.push(name);
            }
            index += 1 + usize::from(*object.get(at + 17)?);
        }
        Some(symbols)
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object with two undefined symbols, one of them with a long name, and a defined one.
    fn object() -> Vec<u8> {
        let mut bytes = vec![0; 20];
        bytes[..2].copy_from_slice(&0x8664u16.to_le_bytes());
        bytes[8] = 20;
        bytes[12] = 3;
        let mut symbol = |name: [u8; 8], section: u8| {
            bytes.extend(name);
            bytes.extend([0, 0, 0, 0, section, 0, 0, 0, 2, 0]);
        };
        symbol(*b"PyShort\0", 0);
        symbol([0, 0, 0, 0, 4, 0, 0, 0], 0);
        symbol(*b"defined\0", 1);
        bytes.extend(23u32.to_le_bytes());
        bytes.extend(b"__imp_PyList_Append\0");
        bytes
    }

    #[test]
    fn objects_list_what_they_need() {
        assert_eq!(undefined(&object()), ["PyShort", "__imp_PyList_Append"]);
        assert_eq!(undefined(&object()[..60]), [""; 0]);
        assert_eq!(undefined(b"\x7fELF"), [""; 0]);
    }

    #[test]
    fn definitions_tell_functions_from_pointers() {
        let symbols = undefined(&object()).into_iter().collect();
        let wanted = "LIBRARY host311.dll\nEXPORTS\n    PyList_Append DATA\n    PyShort\n";
        assert_eq!(define("host311.dll", &symbols), wanted);
    }
}

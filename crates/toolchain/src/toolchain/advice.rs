//! Instructions to install a missing compiler.

use super::PackagedCompiler;
use crate::machine::{Machine, System};
use crate::request::SourceLanguage;

/// One line for each kind of machine.
pub(super) fn for_language(
    language: SourceLanguage,
    packaged: Option<&PackagedCompiler>,
) -> Vec<String> {
    let (debian, fedora, mac) = match language {
        SourceLanguage::C => ("gcc libc6-dev", "gcc", "xcode-select --install"),
        SourceLanguage::Cxx => ("g++", "gcc-c++", "xcode-select --install"),
        SourceLanguage::Fortran => ("gfortran", "gcc-gfortran", "brew install gcc"),
    };
    let mut lines = vec![
        format!("Debian, Ubuntu: sudo apt install {debian}"),
        format!("Fedora:         sudo dnf install {fedora}"),
        format!("macOS:          {mac}"),
    ];
    if let (Some(packaged), true) = (packaged, language != SourceLanguage::Fortran) {
        lines.push(format!("anywhere:       {}", packaged.install));
    }
    lines.push(format!("or point ${} at one that is not on PATH", variable(language)));
    lines
}

/// The same for a compiler that builds for another machine.
pub(super) fn for_machine(
    language: SourceLanguage,
    machine: &Machine,
    packaged: Option<&PackagedCompiler>,
) -> Vec<String> {
    let mut lines = Vec::new();
    let packaged = packaged.filter(|_| language != SourceLanguage::Fortran);
    lines.extend(packaged.map(|packaged| format!("anywhere:       {}", packaged.install)));
    let of_debian = match machine.system {
        System::Gnu => Some(machine.name()),
        System::Windows => Some("mingw-w64-x86-64"),
        System::Musl | System::MacOs => None,
    };
    if let Some(name) = of_debian.filter(|_| machine.version.is_none()) {
        let compiler = match language {
            SourceLanguage::C => "gcc",
            SourceLanguage::Cxx => "g++",
            SourceLanguage::Fortran => "gfortran",
        };
        lines.push(format!("Debian, Ubuntu: sudo apt install {compiler}-{name}"));
    }
    lines.push(format!("or point ${} at a compiler for {machine}", variable(language)));
    lines
}

/// The variable that names the compiler of a language.
fn variable(language: SourceLanguage) -> &'static str {
    match language {
        SourceLanguage::C => "CC",
        SourceLanguage::Cxx => "CXX",
        SourceLanguage::Fortran => "FC",
    }
}

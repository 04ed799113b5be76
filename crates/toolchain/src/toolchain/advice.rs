//! Instructions to install a missing compiler.

use super::PackagedCompiler;
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
    let variable = match language {
        SourceLanguage::C => "CC",
        SourceLanguage::Cxx => "CXX",
        SourceLanguage::Fortran => "FC",
    };
    lines.push(format!("or point ${variable} at one that is not on PATH"));
    lines
}

//! What to install when a compiler is missing.

use std::path::Path;

use crate::request::SourceLanguage;

/// One line for each kind of machine.
pub(super) fn for_language(language: SourceLanguage, python: Option<&Path>) -> Vec<String> {
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
    if language != SourceLanguage::Fortran {
        let python = python.unwrap_or(Path::new("python"));
        lines.push(format!("anywhere:       {} -m pip install ziglang", python.display()));
    }
    let variable = match language {
        SourceLanguage::C => "CC",
        SourceLanguage::Cxx => "CXX",
        SourceLanguage::Fortran => "FC",
    };
    lines.push(format!("or point ${variable} at one that is not on PATH"));
    lines
}

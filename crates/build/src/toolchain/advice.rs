//! What to install when a compiler is missing.

use std::path::Path;

use crate::request::Language;

/// One line for each kind of machine.
pub(super) fn for_language(language: Language, python: Option<&Path>) -> Vec<String> {
    let (debian, fedora, mac) = match language {
        Language::C => ("gcc libc6-dev", "gcc", "xcode-select --install"),
        Language::Cxx => ("g++", "gcc-c++", "xcode-select --install"),
        Language::Fortran => ("gfortran", "gcc-gfortran", "brew install gcc"),
    };
    let mut lines = vec![
        format!("Debian, Ubuntu: sudo apt install {debian}"),
        format!("Fedora:         sudo dnf install {fedora}"),
        format!("macOS:          {mac}"),
    ];
    if language != Language::Fortran {
        let python = python.unwrap_or(Path::new("python"));
        lines.push(format!("anywhere:       {} -m pip install ziglang", python.display()));
    }
    let variable = match language {
        Language::C => "CC",
        Language::Cxx => "CXX",
        Language::Fortran => "FC",
    };
    lines.push(format!("or point ${variable} at one that is not on PATH"));
    lines
}

//! C or C++.
//!
//! Theano compiled everything as C++. C compiles in half the time, and most fragments are C; so C
//! is used unless there is a reason against it: a required compiler for C++, a header without `.h`,
//! or members of the function's state, which fragments use by their plain names as only a class
//! allows. The C compiler detects fragments that are not C: its warnings about calls and
//! conversions that C++ does not allow are errors ([`AS_ERRORS`]), so that no code is compiled with
//! another meaning than in C++; then the same fragments are printed as C++.

use crate::blocks::Blocks;
use crate::gather::Gathered;
use fishplate_model::Language;

/// Warnings that a C compiler must report as errors: `abs(x)` of a double truncates in C, and not
/// in C++.
pub(crate) const AS_ERRORS: &[&str] = &[
    "-Werror=implicit-function-declaration",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    "-Wabsolute-value",
    "-Werror=absolute-value",
];

/// The language that the program requires.
pub(crate) fn language(gathered: &Gathered, blocks: &Blocks) -> Language {
    let compiler = gathered.compiler.as_deref().is_some_and(is_for_cxx);
    let header = gathered.needs.headers.iter().any(|header| is_of_cxx(header));
    let flag =
        gathered.needs.compile_args.iter().any(|flag| {
            flag.contains("++") && (flag.starts_with("-std=") || flag.starts_with("-x"))
        });
    let members = blocks.state.iter().any(|block| !block.declare.is_empty());
    if compiler || header || flag || members { Language::Cxx } else { Language::C }
}

/// `g++`, `/usr/bin/clang++-14`, `c++`
fn is_for_cxx(compiler: &str) -> bool {
    compiler.rsplit(['/', '\\']).next().is_some_and(|name| name.contains("++"))
}

/// `<vector>`, `string`, `own.hpp`
fn is_of_cxx(header: &str) -> bool {
    let name = header.trim_matches(['<', '>', '"', ' ']);
    match name.rsplit('/').next().and_then(|file| file.rsplit_once('.')) {
        None => true,
        Some((_, extension)) => matches!(extension, "hpp" | "hh" | "hxx" | "h++" | "H"),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_for_cxx, is_of_cxx};

    #[test]
    fn compilers_and_headers_of_cxx() {
        assert!(is_for_cxx("g++") && is_for_cxx("/opt/bin/clang++-14") && !is_for_cxx("gcc"));
        assert!(is_of_cxx("<vector>") && is_of_cxx("own.hpp"));
        assert!(!is_of_cxx("<numpy/arrayobject.h>") && !is_of_cxx("\"own.h\""));
    }
}

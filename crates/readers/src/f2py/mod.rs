//! Signature files of f2py.
//!
//! Purpose: rewrite a `.pyf` as an interface file ([`convert`]), after the expansion of a template
//! (`.pyf.src`).
//! Invariant: pure; a routine is converted completely, or left out with a reason.
//! Reason: existing signature files describe Fortran libraries that have no C headers.
//!
//! A file is processed by `template`, `text` (statements), `file` (blocks), `declaration`, and for
//! each routine by `argument`, `callback`, `expression` and `routine`.

mod argument;
mod callback;
mod declaration;
mod expression;
mod file;
mod routine;
mod template;
pub(crate) mod text;

use crate::interface::EDITION;
use routine::Converted;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// A routine, or another part of the file, that has no equivalent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Its line in the expanded file.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// An interface under construction.
pub struct Conversion {
    /// The module's name.
    pub module: String,
    /// C code of the file itself.
    user_code: Vec<String>,
    routines: Vec<(String, usize, Converted)>,
    /// The parts without an equivalent.
    pub left_out: Vec<LeftOut>,
}

/// Expands a template. `read` returns the file that an `include` names.
pub fn expand(text: &str, read: &dyn Fn(&str) -> Option<String>) -> String {
    template::expand(&with_includes(text, read, 8))
}

/// Replaces `include 'file.src'` by the file.
fn with_includes(text: &str, read: &dyn Fn(&str) -> Option<String>, depth: usize) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let named = text::after(line, "include").map(|rest| rest.trim().trim_matches(['\'', '"']));
        match named.filter(|_| depth > 0).and_then(read) {
            Some(included) => {
                out.push_str(&with_includes(&included, read, depth - 1));
                out.push('\n');
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Converts a signature file without templates.
pub fn convert(text: &str) -> Conversion {
    // TOML has no control characters.
    let is_control = |c: char| c.is_control() && c != '\n' && c != '\t';
    let file = file::read(&text.replace(is_control, " "));
    let mut conversion = Conversion {
        module: file.module.clone().unwrap_or_default(),
        user_code: Vec::new(),
        routines: Vec::new(),
        left_out: Vec::new(),
    };
    for code in &file.user_code {
        let integers = text::replace(code, &mut |word, _| match word {
            "npy_int32" => Some(("int32_t".to_owned(), 0)),
            "npy_int64" => Some(("int64_t".to_owned(), 0)),
            _ => None,
        });
        match expression::refuse(code) {
            Ok(()) => conversion.user_code.push(integers),
            Err(reason) => conversion.leave_out("usercode", 0, reason),
        }
    }
    for (name, line, reason) in &file.others {
        conversion.leave_out(name, *line, reason.clone());
    }
    let mut declared: BTreeMap<String, String> = BTreeMap::new();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for one in &file.routines {
        let line = one.line;
        if let Some(first) = names.insert(one.name.clone(), line) {
            conversion.leave_out(&one.name, line, format!("it is already in line {first}"));
            continue;
        }
        match routine::convert(one, &file) {
            Err(reason) => conversion.leave_out(&one.name, line, reason),
            Ok(converted) => {
                let (symbol, declaration) = converted.symbol.clone();
                match declared.entry(symbol) {
                    Entry::Occupied(known) if *known.get() != declaration => {
                        let reason =
                            format!("`{}` is called with other arguments too", known.key());
                        conversion.leave_out(&one.name, line, reason);
                        continue;
                    }
                    entry => entry.or_insert(declaration),
                };
                conversion.routines.push((one.name.clone(), line, converted));
            }
        }
    }
    conversion
}

impl Conversion {
    fn leave_out(&mut self, name: &str, line: usize, reason: String) {
        self.left_out.push(LeftOut { name: name.to_owned(), line, reason });
    }

    /// The number of its functions.
    pub fn functions(&self) -> usize {
        self.routines.len()
    }

    /// Removes a function. False if there is none of this name.
    pub fn remove(&mut self, name: &str, reason: &str) -> bool {
        let Some(at) = self.routines.iter().position(|(own, _, _)| own == name) else {
            return false;
        };
        let (name, line, _) = self.routines.remove(at);
        self.leave_out(&name, line, reason.to_owned());
        true
    }

    /// The interface file, without the sources or libraries, which a signature file does not name.
    pub fn print(&self) -> String {
        let mut out = String::new();
        let code = self.code();
        out.push_str(&format!("[module]\nedition = {EDITION}\n"));
        out.push_str(&format!("name = {}\n", routine::quoted(&self.module)));
        out.push_str("# The Fortran sources or the libraries with the routines:\n");
        out.push_str("# sources = [\"routines.f\"]\n# libraries = [\"lapack\"]\n");
        out.push_str("headers = [\"<complex.h>\", \"<math.h>\", \"<stdint.h>\", \"<stdlib.h>\", ");
        out.push_str("\"<string.h>\"]\n");
        out.push_str(&format!("header-code = '''\n{code}'''\n"));
        for (_, _, converted) in &self.routines {
            out.push('\n');
            out.push_str(&converted.table);
        }
        if !self.left_out.is_empty() {
            out.push_str("\n# Left out:\n#\n");
        }
        for LeftOut { name, reason, .. } in &self.left_out {
            let reason = reason.replace('\n', " ");
            out.push_str(&format!("# {name}: {reason}\n"));
        }
        out
    }

    /// The declarations of the procedures, and a C function for each routine.
    fn code(&self) -> String {
        let mut body: String = self.user_code.iter().map(|code| format!("{code}\n\n")).collect();
        let mut declared: Vec<&str> = Vec::new();
        for (_, _, converted) in &self.routines {
            let declaration = converted.symbol.1.as_str();
            if !declared.contains(&declaration) {
                declared.push(declaration);
                body.push_str(declaration);
                body.push('\n');
            }
        }
        for (_, _, converted) in &self.routines {
            body.push('\n');
            body.push_str(&converted.function);
        }
        let uses = |word: &str| text::words(&body).iter().any(|one| one == word);
        let mut start = String::new();
        for (word, definition) in [
            ("MAX", "#define MAX(a, b) ((a) > (b) ? (a) : (b))"),
            ("MIN", "#define MIN(a, b) ((a) < (b) ? (a) : (b))"),
            ("complex_float", "typedef float complex complex_float;"),
            ("complex_double", "typedef double complex complex_double;"),
        ] {
            if uses(word) {
                start.push_str(definition);
                start.push('\n');
            }
        }
        let (letter, definition) = expression::FIRST_LETTER;
        if self.routines.iter().any(|(_, _, one)| one.table.contains(letter)) {
            start.push_str(definition);
            start.push('\n');
        }
        if !start.is_empty() {
            start.push('\n');
        }
        // No C has three apostrophes, which end a string in TOML.
        (start + &body).replace("'''", "")
    }
}

#[cfg(test)]
mod tests;

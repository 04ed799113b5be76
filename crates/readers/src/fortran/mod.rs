//! Fortran sources.
//!
//! Purpose: draft an interface file from the declarations of procedures ([`draft`]).
//! Invariant: pure; a procedure is drafted from what it declares, or left out with a reason. Nothing is guessed.
//! Reason: Fortran declares the intents and the shapes that a C header does not have.
//!
//! A file is processed by `preprocess` and `text` (statements), `source` and `modules` (procedures and types), `declaration`
//! and `kinds` (variables), and for each procedure by `argument` and `procedure`, or `shim`.

mod argument;
mod declaration;
mod expression;
mod kinds;
mod modules;
mod preprocess;
mod procedure;
mod shim;
mod source;
mod text;

use crate::f2py::text::words;
use crate::interface::EDITION;
pub use preprocess::preprocess;
use procedure::Drafted;
use source::Source;

/// A draft of an interface file.
pub struct Draft {
    /// The module's name.
    pub module: String,
    /// The source files, as the interface names them.
    files: Vec<String>,
    /// The declarations of derived types, and their tables.
    types: Vec<Drafted>,
    procedures: Vec<Declared>,
    /// The procedures that are not in the interface.
    pub left_out: Vec<LeftOut>,
    /// The file of the [shims](Draft::shims), as the interface names it.
    pub shim_file: String,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name, as the interface has it.
    pub name: String,
    /// Its text, without directives.
    pub text: String,
}

/// A procedure that is not in the interface.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// The position of its file in the list of files.
    pub file: usize,
    /// Its line.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// A procedure in the interface.
struct Declared {
    name: String,
    file: usize,
    line: usize,
    drafted: Drafted,
}

/// True for a file that compilers preprocess.
pub fn is_preprocessed(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.starts_with('F'))
}

/// True for a file in free form.
pub fn is_free_form(name: &str) -> bool {
    let (_, ending) = name.rsplit_once('.').unwrap_or_default();
    ["f90", "f95", "f03", "f08", "f18"].contains(&ending.to_ascii_lowercase().as_str())
}

/// True for a file in fixed form.
pub fn is_fixed_form(name: &str) -> bool {
    let (_, ending) = name.rsplit_once('.').unwrap_or_default();
    ["f", "for", "ftn", "f77"].contains(&ending.to_ascii_lowercase().as_str())
}

/// Drafts an interface for the procedures of source files, each of which follows those whose modules it uses. `wanted`
/// selects procedures by name.
pub fn draft(files: &[SourceFile], module: &str, wanted: &dyn Fn(&str) -> bool) -> Draft {
    let source = Source::read(files);
    let mut draft = Draft {
        module: module.to_owned(),
        files: files.iter().map(|file| file.name.clone()).collect(),
        types: source.types.iter().map(procedure::derived_type).collect(),
        procedures: Vec::new(),
        left_out: Vec::new(),
        shim_file: format!("{module}_for_c.f90"),
    };
    for one in source.procedures.iter().filter(|one| wanted(procedure::name(one))) {
        let (name, file, line) = (one.name.clone(), one.file, one.line);
        match procedure::draft(one, &source) {
            Ok(drafted) => draft.procedures.push(Declared { name, file, line, drafted }),
            Err(reason) => draft.left_out.push(LeftOut { name, file, line, reason }),
        }
    }
    draft
}

/// The procedure whose shim is at this line of the [shims](Draft::shims), counted from 1.
pub fn shim_at(text: &str, line: usize) -> Option<&str> {
    shim::at_line(text, line)
}

impl Draft {
    /// The number of its functions.
    pub fn functions(&self) -> usize {
        self.procedures.len()
    }

    /// Removes the procedure of this name. False if it does not exist.
    pub fn remove(&mut self, name: &str, reason: &str) -> bool {
        let found = self.procedures.iter().position(|one| one.name == name);
        found.map(|at| self.remove_at(at, reason)).is_some()
    }

    /// Removes a function, or the one of its prototypes that contains the text. False if neither exists.
    pub fn remove_function(&mut self, name: &str, text: &str, reason: &str) -> bool {
        let is_it = |one: &Declared| one.drafted.name == name;
        let is_part = |one: &Declared| is_it(one) && one.drafted.proto.contains(text.trim());
        let found = self.procedures.iter().position(is_part);
        let found = found.or_else(|| self.procedures.iter().position(is_it));
        found.map(|at| self.remove_at(at, reason)).is_some()
    }

    fn remove_at(&mut self, at: usize, reason: &str) {
        let Declared { name, file, line, .. } = self.procedures.remove(at);
        self.left_out.push(LeftOut { name, file, line, reason: reason.to_owned() });
    }

    /// The procedures that a symbol is called for.
    pub fn callers(&self, symbol: &str) -> Vec<String> {
        let calls = |one: &&Declared| one.drafted.symbol == symbol;
        self.procedures.iter().filter(calls).map(|one| one.name.clone()).collect()
    }

    /// The Fortran file with the procedures that C calls in place of others, if there are any.
    pub fn shims(&self) -> Option<String> {
        let shims: Vec<&str> =
            self.procedures.iter().map(|one| one.drafted.shim.as_str()).collect();
        self.has_shims().then(|| shim::module(&self.module, &self.files.join(", "), &shims))
    }

    fn has_shims(&self) -> bool {
        self.procedures.iter().any(|one| !one.drafted.shim.is_empty())
    }

    /// The interface file.
    pub fn print(&self) -> String {
        let all = || self.types.iter().chain(self.procedures.iter().map(|one| &one.drafted));
        let code: String = all().map(|one| one.code.as_str()).collect();
        let words = words(&code);
        let uses = |is_one: fn(&str) -> bool| words.iter().any(|word| is_one(word));
        let headers: Vec<&str> = [
            (uses(|word| word.starts_with("int") && word.ends_with("_t")), "\"<stdint.h>\""),
            (uses(|word| ["size_t", "ptrdiff_t"].contains(&word)), "\"<stddef.h>\""),
            (uses(|word| word == "complex"), "\"<complex.h>\""),
            (all().any(|one| one.proto.contains("own(free)")), "\"<stdlib.h>\""),
            (uses(|word| word.starts_with("CFI_")), "\"<ISO_Fortran_binding.h>\""),
        ]
        .into_iter()
        .filter_map(|(is_used, header)| is_used.then_some(header))
        .collect();
        let shims = self.has_shims().then(|| format!(", {}", quoted(&self.shim_file)));
        let mut out = format!(
            "[module]\nedition = {EDITION}\nname = {}\nsources = [{}{}]\n",
            quoted(&self.module),
            self.files.iter().map(|file| quoted(file)).collect::<Vec<_>>().join(", "),
            shims.unwrap_or_default()
        );
        if !headers.is_empty() {
            out.push_str(&format!("headers = [{}]\n", headers.join(", ")));
        }
        out.push_str(&format!("header-code = '''\n{code}'''\n"));
        for one in &self.types {
            out.push('\n');
            out.push_str(&one.head);
        }
        for (at, one) in self.procedures.iter().enumerate() {
            let is_same = |other: &&Declared| other.drafted.name == one.drafted.name;
            if self.procedures[..at].iter().any(|other| is_same(&other)) {
                continue;
            }
            out.push('\n');
            out.push_str(&one.drafted.head);
            let all: Vec<&Drafted> =
                self.procedures[at..].iter().filter(is_same).map(|one| &one.drafted).collect();
            out.push_str(&match all.as_slice() {
                [one] => format!("proto = {}\n", quoted(&one.proto)),
                several => {
                    let lines = several.iter().map(|one| format!("    {},\n", quoted(&one.proto)));
                    format!("proto = [\n{}]\n", lines.collect::<String>())
                }
            });
            let status = all.iter().map(|one| one.status).max_by_key(|status| status.len());
            out.push_str(status.unwrap_or_default());
        }
        if !self.left_out.is_empty() {
            out.push_str("\n# Left out:\n#\n");
        }
        for LeftOut { name, reason, .. } in &self.left_out {
            out.push_str(&format!("# {name}: {}\n", reason.replace('\n', " ")));
        }
        out
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace(|c: char| c.is_control(), " "))
}

#[cfg(test)]
mod tests;

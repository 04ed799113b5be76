//! Fortran sources.
//!
//! Purpose: draft an interface file from the declarations of procedures ([`draft`]).
//! Invariant: pure; a procedure is drafted from what it declares, or left out with a reason. Nothing is guessed.
//! Reason: Fortran declares the intents and the shapes that a C header does not have.
//!
//! A file is processed by `text` (statements), `source` (procedures and types), `declaration` and `kinds` (variables),
//! and for each procedure by `argument` and `procedure`, or `shim`.

mod argument;
mod declaration;
mod expression;
mod kinds;
mod procedure;
mod shim;
mod source;
mod text;

use crate::f2py::LeftOut;
use crate::f2py::text::words;
use crate::interface::EDITION;
use procedure::Drafted;
use source::Source;

/// A draft of an interface file.
pub struct Draft {
    /// The module's name.
    pub module: String,
    /// The source file, as the interface names it.
    file: String,
    /// The declarations of derived types, and their tables.
    types: Vec<Drafted>,
    procedures: Vec<(String, usize, Drafted)>,
    /// The procedures that are not in the interface.
    pub left_out: Vec<LeftOut>,
    /// The file of the [shims](Draft::shims), as the interface names it.
    pub shim_file: String,
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

/// Drafts an interface for the procedures of a source file. `wanted` selects them by name.
pub fn draft(text: &str, file: &str, module: &str, wanted: &dyn Fn(&str) -> bool) -> Draft {
    let source = Source::read(text, is_fixed_form(file));
    let mut draft = Draft {
        module: module.to_owned(),
        file: file.to_owned(),
        types: source.types.iter().map(procedure::derived_type).collect(),
        procedures: Vec::new(),
        left_out: Vec::new(),
        shim_file: format!("{module}_for_c.f90"),
    };
    for one in source.procedures.iter().filter(|one| wanted(&one.name)) {
        match procedure::draft(one, &source) {
            Ok(drafted) => draft.procedures.push((one.name.clone(), one.line, drafted)),
            Err(reason) => {
                draft.left_out.push(LeftOut { name: one.name.clone(), line: one.line, reason });
            }
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

    /// Removes a function. False if there is none of this name.
    pub fn remove(&mut self, name: &str, reason: &str) -> bool {
        let Some(at) = self.procedures.iter().position(|(own, _, _)| own == name) else {
            return false;
        };
        let (name, line, _) = self.procedures.remove(at);
        self.left_out.push(LeftOut { name, line, reason: reason.to_owned() });
        true
    }

    /// The functions that call a symbol.
    pub fn callers(&self, symbol: &str) -> Vec<String> {
        let calls = |(_, _, one): &&(String, usize, Drafted)| one.symbol == symbol;
        self.procedures.iter().filter(calls).map(|(name, _, _)| name.clone()).collect()
    }

    /// The Fortran file with the procedures that C calls in place of others, if there are any.
    pub fn shims(&self) -> Option<String> {
        let shims: Vec<&str> =
            self.procedures.iter().map(|(_, _, one)| one.shim.as_str()).collect();
        self.has_shims().then(|| shim::module(&self.module, &self.file, &shims))
    }

    fn has_shims(&self) -> bool {
        self.procedures.iter().any(|(_, _, one)| !one.shim.is_empty())
    }

    /// The interface file.
    pub fn print(&self) -> String {
        let all = || self.types.iter().chain(self.procedures.iter().map(|(_, _, one)| one));
        let code: String = all().map(|one| one.code.as_str()).collect();
        let words = words(&code);
        let uses = |is_one: fn(&str) -> bool| words.iter().any(|word| is_one(word));
        let headers: Vec<&str> = [
            (uses(|word| word.starts_with("int") && word.ends_with("_t")), "\"<stdint.h>\""),
            (uses(|word| ["size_t", "ptrdiff_t"].contains(&word)), "\"<stddef.h>\""),
            (uses(|word| word == "complex"), "\"<complex.h>\""),
            (all().any(|one| one.table.contains("own(free)")), "\"<stdlib.h>\""),
            (uses(|word| word.starts_with("CFI_")), "\"<ISO_Fortran_binding.h>\""),
        ]
        .into_iter()
        .filter_map(|(is_used, header)| is_used.then_some(header))
        .collect();
        let shims = self.has_shims().then(|| format!(", {}", quoted(&self.shim_file)));
        let mut out = format!(
            "[module]\nedition = {EDITION}\nname = {}\nsources = [{}{}]\n",
            quoted(&self.module),
            quoted(&self.file),
            shims.unwrap_or_default()
        );
        if !headers.is_empty() {
            out.push_str(&format!("headers = [{}]\n", headers.join(", ")));
        }
        out.push_str(&format!("header-code = '''\n{code}'''\n"));
        for one in all() {
            out.push('\n');
            out.push_str(&one.table);
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

//! Prints a draft for C++ headers.
//!
//! Purpose: print the tables in the order in which people read them, and a comment at each guess.
//! Invariant: comments are one line each, whatever the headers contain.
//! Reason: the file is corrected by hand, top down.

use super::{Draft, Entry, Table};
use crate::draft::LeftOut;
use crate::draft::print::{line, list, quoted, wrapped};
use fishplate_readers::interface::EDITION;
use std::fmt::Write as _;

impl Draft {
    /// The interface file.
    pub fn print(&self) -> String {
        let mut out = String::new();
        let _ = write!(
            out,
            "# A first interface of {}, made by `fishplate init`.\n#\n\
             # The types are those of the headers. A line that begins with `guess:` says what they do not: how\n\
             # long C++ uses an argument, and who owns a result. Check it, and remove the line. Declarations that\n\
             # are left out are listed at the end.\n\n",
            line(&self.module.headers.join(", "))
        );
        self.print_module(&mut out);
        if !self.constants.is_empty() {
            let values = self.constants.iter().map(|one| one.text.clone());
            let _ = writeln!(out, "\n[constants]\nvalues = {}", wrapped(values));
        }
        let types = self.aliases.used(self);
        if !types.is_empty() {
            out.push_str("\n# Names that the headers give to these types.\n[types]\n");
        }
        for (name, ctype) in types {
            let _ = writeln!(out, "{} = {}", quoted(name), quoted(&ctype));
        }
        for table in self.enums.iter().chain(&self.classes).chain(&self.functions) {
            table.print(&mut out);
        }
        if !self.left_out.is_empty() {
            out.push_str(
                "\n# Left out; write a prototype by hand, or a function in `header-code` with simpler arguments, for each:\n#\n",
            );
        }
        for LeftOut { name, place, reason } in &self.left_out {
            let place =
                if place.is_empty() { String::new() } else { format!(" ({})", line(place)) };
            let _ = writeln!(out, "# {}{place}: {}", line(name), line(reason));
        }
        out
    }

    fn print_module(&self, out: &mut String) {
        let module = &self.module;
        let _ = writeln!(out, "[module]\nedition = {EDITION}");
        let _ = writeln!(out, "name = {}", quoted(&module.name));
        out.push_str("language = \"c++\"\n");
        let _ = writeln!(out, "standard = {}", quoted(&self.standard));
        let _ = writeln!(out, "headers = {}", list(&module.headers));
        for (key, values) in [
            ("include-dirs", &module.include_dirs),
            ("defines", &module.defines),
            ("sources", &module.sources),
        ] {
            if !values.is_empty() {
                let _ = writeln!(out, "{key} = {}", list(values));
            }
        }
        if !module.undefined.is_empty() {
            let names = line(&module.undefined.join("`, `"));
            let _ =
                writeln!(out, "# guess: another library must be linked, which defines `{names}`");
        }
        if module.libraries.is_empty() && module.sources.is_empty() {
            out.push_str(
                "# The library with the functions that the headers do not define: a name as after `-l`.\n",
            );
        }
        if !module.libraries.is_empty() || module.sources.is_empty() {
            let _ = writeln!(out, "libraries = {}", list(&module.libraries));
        }
    }
}

impl Table {
    fn print(&self, out: &mut String) {
        let _ = writeln!(out, "\n# {}\n[{}]", line(&self.place), self.name);
        if !self.doc.is_empty() {
            let _ = writeln!(out, "doc = {}", quoted(&self.doc));
        }
        for fixed in &self.fixed {
            let _ = writeln!(out, "{fixed}");
        }
        if self.name.starts_with("handle.") {
            match self.protos.as_slice() {
                [] if self.is_destructible => out.push_str("free = \"delete object\"\n"),
                [] => {}
                protos => print_protos("new", protos, out),
            }
            if !self.members.is_empty() {
                let fields: Vec<&str> = self.members.iter().map(|one| one.text.as_str()).collect();
                match fields.join("; ") {
                    short if short.len() < 80 => {
                        let _ = writeln!(out, "fields = {}", quoted(&short));
                    }
                    _ => {
                        let _ = writeln!(
                            out,
                            "fields = \"\"\"\n    {};\n\"\"\"",
                            fields.join(";\n    ")
                        );
                    }
                }
            }
        } else if self.name.starts_with("enum.") {
            let values = self.members.iter().map(|one| one.text.clone());
            let _ = writeln!(out, "values = {}", wrapped(values));
        } else {
            print_protos("proto", &self.protos, out);
        }
    }
}

/// Prototypes, each with its guesses.
fn print_protos(key: &str, protos: &[Entry], out: &mut String) {
    if let [only] = protos {
        for remark in &only.remarks {
            let _ = writeln!(out, "# guess: {}", line(remark));
        }
        let _ = writeln!(out, "{key} = {}", quoted(&only.text));
        return;
    }
    let _ = writeln!(out, "{key} = [");
    for one in protos {
        for remark in &one.remarks {
            let _ = writeln!(out, "    # guess: {}", line(remark));
        }
        let _ = writeln!(out, "    {},", quoted(&one.text));
    }
    out.push_str("]\n");
}

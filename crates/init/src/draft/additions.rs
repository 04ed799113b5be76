//! Additions to an interface that a person has edited.
//!
//! Purpose: draft functions and types that the file does not name yet, and append them.
//! Invariant: no existing line changes; only new types are inserted in the existing table.
//! Reason: headers grow, and the file is a person's work: a function that the file names anywhere,
//! even in a comment, has been reviewed, and is not drafted again.

use super::Draft;
use fishplate_model::Interface;
use fishplate_readers::names;
use std::collections::HashSet;

impl Draft {
    /// Removes the parts that the interface has, which is read from its file.
    pub fn take_out_known(&mut self, interface: &Interface) {
        let text = interface.source.text.as_str();
        let words: HashSet<&str> =
            text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).collect();
        for function in &mut self.functions {
            function.protos.retain(|proto| !words.contains(proto.name.as_str()));
        }
        self.functions.retain(|function| !function.protos.is_empty());
        self.left_out
            .retain(|left| !words.contains(left.name.as_str()) && !text.contains(&left.name));
        for one in std::mem::take(&mut self.classes) {
            match one.class.words.last().and_then(|word| class_of(interface, word)) {
                Some(name) => self.use_class(&one.class.name, &one.class.table(), name),
                None => self.classes.push(one),
            }
        }
        let known = interface.types.iter().map(|ctype| ctype.spelling.as_str());
        for spelling in known {
            self.types.remove(spelling);
        }
        self.constants.names.clear();
        self.message = None;
    }

    /// The C names of the functions, those that are left out included, sorted.
    pub fn function_names(&self) -> Vec<String> {
        let drafted = self.functions.iter().flat_map(|function| &function.protos);
        let drafted = drafted.map(|proto| proto.name.clone());
        let left_out = self.left_out.iter().map(|left| left.name.clone());
        let mut names: Vec<String> = drafted.chain(left_out).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Methods become those of the class that the interface calls `name`; a constructor becomes a
    /// function.
    fn use_class(&mut self, class: &str, table: &str, name: &str) {
        let methods = format!("function.{class}.");
        for function in &mut self.functions {
            if function.table == table {
                function.table = format!("function.{}", self.reserved.host_name(&function.name));
            } else if let Some(method) = function.table.strip_prefix(&methods) {
                function.table = format!("function.{name}.{method}");
            }
        }
    }

    /// The content of an interface file with these additions at its end.
    pub fn add_to(&self, text: &str) -> String {
        let mut out = text.to_owned();
        let types = self.used_types();
        let mut types: Vec<String> = types.map(|(name, of)| self.entry(name, of)).collect();
        if let (Some(at), false) = (end_of_types(text), types.is_empty()) {
            let before = if text[..at].ends_with('\n') { "" } else { "\n" };
            out.insert_str(at, &format!("{before}{}\n", types.join("\n")));
            types.clear();
        }
        let mut tables = String::new();
        if !types.is_empty() {
            tables.push_str(&format!("\n[types]\n{}\n", types.join("\n")));
        }
        self.print_tables(&mut tables);
        self.print_left_out(&mut tables);
        if !tables.is_empty() {
            let before = if out.ends_with('\n') { "" } else { "\n" };
            out.push_str(&format!("{before}\n# Added by `fishplate init --update`.\n{tables}"));
        }
        out
    }
}

/// The class of the interface whose type contains this word.
fn class_of<'i>(interface: &'i Interface, word: &str) -> Option<&'i str> {
    let handles = interface.handles.iter().map(|one| (&one.name, &one.ctype));
    let enums = interface.enums.iter().map(|one| (&one.name, &one.ctype));
    let structs = interface.structs.iter().map(|one| (&one.name, &one.ctype));
    let callbacks = interface.callbacks.iter().map(|one| (&one.name, &one.ctype));
    let mut all = handles.chain(enums).chain(structs).chain(callbacks);
    let found = all.find(|(_, ctype)| {
        ctype
            .spelling
            .split(|c: char| !names::is_identifier(&c.to_string()) && !c.is_ascii_digit())
            .any(|part| part == word)
    });
    found.map(|(name, _)| name.value.as_str())
}

/// The end of the last entry of `[types]`.
fn end_of_types(text: &str) -> Option<usize> {
    let mut at = 0;
    let mut end = None;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let line = line.trim();
        if line.starts_with("[types]") {
            end = Some(at);
        } else if line.starts_with('[') && end.is_some() {
            return end;
        } else if end.is_some() && !line.is_empty() && !line.starts_with('#') {
            end = Some(at);
        }
    }
    end
}

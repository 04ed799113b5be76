//! A first interface of plain headers.
//!
//! Purpose: each function that the headers declare, guessed or left out with a reason, and the text
//! of an interface file with a mark at each guess.
//! Invariant: what is printed reads as an interface; comments say all that a person must check.
//! Reason: the file is the person's from now on, so it is made to be edited.

use super::guess::{self, Context};
use super::preprocessed::{Line, Preprocessed};
use super::syntax::{Declaration, Unit};
use super::{Header, comments, mask, syntax};
use crate::names;
use fishplate_model::Scalar;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The longest line of a prototype.
const WIDTH: usize = 96;

/// What `[module]` will say.
#[derive(Clone, Debug, Default)]
pub struct DraftModule {
    /// The name to import.
    pub name: String,
    /// As an interface has them.
    pub headers: Vec<String>,
    /// Folders for `-I`.
    pub include_dirs: Vec<String>,
    /// Macros.
    pub defines: Vec<String>,
    /// Libraries to link; where there are none, a comment asks for them.
    pub libraries: Vec<String>,
}

/// A first interface.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// What is built, and from what.
    pub module: DraftModule,
    /// The functions that could be guessed, in the order of the headers.
    pub functions: Vec<DraftFunction>,
    /// The others.
    pub left_out: Vec<LeftOut>,
    /// How many wanted functions other files declare, which the headers include.
    pub elsewhere: BTreeMap<String, usize>,
    /// What the headers' types are.
    types: BTreeMap<String, Scalar>,
}

/// A function whose crossing was guessed.
#[derive(Clone, Debug)]
pub struct DraftFunction {
    /// Its name in the host.
    pub name: String,
    /// Its header and line: `zlib.h:1732`.
    pub place: String,
    doc: String,
    proto: String,
    remarks: Vec<String>,
    spellings: Vec<String>,
}

/// A function that is not in the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name; of what could not be read, the beginning.
    pub name: String,
    /// Its header and line.
    pub place: String,
    /// Why.
    pub reason: String,
}

/// Drafts an interface of what `headers` themselves declare, as far as `wanted` wants it by name.
/// `printed` is what the preprocessor made of them.
pub fn draft(
    printed: &str,
    headers: &[Header],
    module: DraftModule,
    wanted: &dyn Fn(&str) -> bool,
) -> Draft {
    let preprocessed = Preprocessed::new(printed);
    let masked = mask::mask(&preprocessed.text);
    let unit = syntax::parse(&preprocessed.text, &masked);
    let types = unit.types();
    let words = headers.iter().flat_map(|header| Context::words(&header.text)).collect();
    let context = Context { unit: &unit, types: &types, words };
    let starts: Vec<Vec<usize>> = headers.iter().map(|header| starts(&header.text)).collect();
    let mut draft = Draft { module, ..Draft::default() };
    let mut seen = BTreeSet::new();
    for function in &unit.functions {
        let line = preprocessed.line(function.head.start.min(function.declarator.start));
        if !wanted(function.name) {
            continue;
        }
        let Some(index) = header_of(&preprocessed, line, headers) else {
            *draft.elsewhere.entry(preprocessed.file(line).to_owned()).or_default() += 1;
            continue;
        };
        if !seen.insert(function.name) {
            continue;
        }
        let header = &headers[index];
        let place = format!("{}:{}", header.name, line.line);
        let start = starts[index].get(line.line.saturating_sub(1)).copied().unwrap_or_default();
        match usable(function).and_then(|()| guess::guess(function, &context)) {
            Ok(guess) => draft.functions.push(DraftFunction {
                name: host_name(function.name),
                place,
                doc: comments::above(&header.text, start).unwrap_or_default(),
                proto: guess.proto,
                remarks: guess.remarks,
                spellings: guess.spellings,
            }),
            Err(reason) => {
                draft.left_out.push(LeftOut { name: function.name.to_owned(), place, reason });
            }
        }
    }
    for broken in &unit.broken {
        let line = preprocessed.line(broken.range.start);
        let Some(index) = header_of(&preprocessed, line, headers) else { continue };
        let header = &headers[index];
        let text = &preprocessed.text[broken.range.clone()];
        if wanted(text) {
            draft.left_out.push(LeftOut {
                name: names::short(text, 60),
                place: format!("{}:{}", header.name, line.line),
                reason: "it is no declaration that could be understood".to_owned(),
            });
        }
    }
    draft.collect_types(&unit);
    draft
}

/// Which of the headers that were asked for this line is in.
fn header_of(preprocessed: &Preprocessed, line: Line, headers: &[Header]) -> Option<usize> {
    let file = preprocessed.file(line);
    headers.iter().position(|header| header.markers.iter().any(|marker| marker == file))
}

fn usable(function: &Declaration<'_>) -> Result<(), String> {
    if function.name.starts_with('_') {
        return Err("its name begins with `_`: it is not meant to be called".to_owned());
    }
    Ok(())
}

fn host_name(name: &str) -> String {
    if names::host_keyword(name).is_some() { names::identifier_like(name) } else { name.to_owned() }
}

/// Where the lines of a text begin.
fn starts(text: &str) -> Vec<usize> {
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(breaks).collect()
}

impl Draft {
    fn collect_types(&mut self, unit: &Unit<'_>) {
        use super::meaning::Meaning;
        for spelling in self.functions.iter().flat_map(|function| &function.spellings) {
            let words: Vec<&str> = spelling.split(' ').collect();
            if let (None, Meaning::Scalar(scalar)) =
                (Scalar::from_words(&words), unit.meaning(&words))
            {
                self.types.insert(spelling.clone(), scalar);
            }
        }
    }

    /// Takes a function out, as it turned out that it cannot be in an interface.
    pub fn leave_out(&mut self, name: &str, reason: &str) {
        if let Some(at) = self.functions.iter().position(|function| function.name == name) {
            let DraftFunction { name, place, .. } = self.functions.remove(at);
            self.left_out.push(LeftOut { name, place, reason: reason.to_owned() });
        }
    }

    /// The interface file.
    pub fn print(&self) -> String {
        let mut out = String::new();
        let headers: Vec<&str> = self.module.headers.iter().map(String::as_str).collect();
        let _ = write!(
            out,
            "# A first interface of {}, made by `fishplate init`.\n#\n\
             # A line that begins with `guess:` says what the header does not. Check it against the\n\
             # library's documentation, correct the prototype, and remove the line: a wrong shape lets C\n\
             # read or write past an array. Functions that are left out are listed at the end.\n\n",
            headers.join(", ")
        );
        self.print_module(&mut out);
        self.print_types(&mut out);
        for function in &self.functions {
            function.print(&mut out);
        }
        if !self.left_out.is_empty() {
            out.push_str("\n# Left out; a C function that takes numbers and arrays can stand in for each:\n#\n");
        }
        for function in &self.left_out {
            let LeftOut { name, place, reason } = function;
            let _ = writeln!(out, "# {} ({}): {}", line(name), line(place), line(reason));
        }
        out
    }

    fn print_module(&self, out: &mut String) {
        let module = &self.module;
        let _ = writeln!(out, "[module]\nname = {}", quoted(&module.name));
        let _ = writeln!(out, "headers = {}", list(&module.headers));
        for (key, values) in [("include-dirs", &module.include_dirs), ("defines", &module.defines)]
        {
            if !values.is_empty() {
                let _ = writeln!(out, "{key} = {}", list(values));
            }
        }
        if module.libraries.is_empty() {
            out.push_str(
                "# What defines the functions: a name as after `-l`. C sources go into `sources`.\n",
            );
        }
        let _ = writeln!(out, "libraries = {}", list(&module.libraries));
    }

    fn print_types(&self, out: &mut String) {
        let used: BTreeSet<&String> =
            self.functions.iter().flat_map(|function| &function.spellings).collect();
        let types: Vec<_> = self.types.iter().filter(|(name, _)| used.contains(name)).collect();
        if types.is_empty() {
            return;
        }
        out.push_str("\n# As the headers have them here; the compiler confirms each.\n[types]\n");
        for (name, scalar) in types {
            let plain = names::is_identifier(name);
            let key = if plain { name.clone() } else { quoted(name) };
            let _ = writeln!(out, "{key} = {}", quoted(scalar.c_name()));
        }
    }
}

impl DraftFunction {
    fn print(&self, out: &mut String) {
        let _ = writeln!(out, "\n# {}\n[function.{}]", line(&self.place), self.name);
        if !self.doc.is_empty() {
            let _ = writeln!(out, "doc = {}", quoted(&self.doc));
        }
        for remark in &self.remarks {
            let _ = writeln!(out, "# guess: {}", line(remark));
        }
        let _ = writeln!(out, "proto = {}", proto(&self.proto));
    }
}

/// One line of a comment.
fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

/// A prototype as a TOML string, over several lines where it is long.
fn proto(proto: &str) -> String {
    let open = proto.find('(').map_or(0, |at| at + 1);
    if proto.len() + 10 <= WIDTH || proto.contains(['"', '\\', '\n']) || open > WIDTH / 2 {
        return quoted(proto);
    }
    let mut out = String::from("\"\"\"\n");
    let mut column = 0;
    let mut depth = 0;
    for (index, piece) in proto.split_inclusive(", ").enumerate() {
        if index > 0 && depth == 1 && column + piece.trim_end().len() > WIDTH {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(open));
            column = open;
        }
        out.push_str(piece);
        column += piece.len();
        for c in piece.chars() {
            depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        }
    }
    out + "\n\"\"\""
}

//! Prints a draft.
//!
//! Purpose: print the tables in the order in which people read them, and a comment at each guess.
//! Invariant: comments are one line each, whatever the header contains.
//! Reason: the file is corrected by hand, top down.

use super::{Draft, DraftClass, DraftFunction, LeftOut};
use crate::guess::{Class, What};
use fishplate_readers::interface::EDITION;
use fishplate_readers::names;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The maximal length of a line in a prototype.
const WIDTH: usize = 96;

impl Draft {
    /// The interface file.
    pub fn print(&self) -> String {
        let mut out = String::new();
        let headers: Vec<&str> = self.module.headers.iter().map(String::as_str).collect();
        let _ = write!(
            out,
            "# A first interface of {}, made by `fishplate init`.\n#\n\
             # A line that begins with `guess:` says what the header does not. Check it against the\n\
             # library's documentation, correct the prototype, and remove the line: a wrong shape lets C\n\
             # read or write past an array, and an object that is freed twice ends the process. Functions\n\
             # that are left out are listed at the end.\n\n",
            headers.join(", ")
        );
        self.print_module(&mut out);
        // Nothing confirms the rest of an interface without functions.
        if !self.functions.is_empty() {
            self.print_status(&mut out);
            self.print_types(&mut out);
            self.print_constants(&mut out);
            self.print_tables(&mut out);
        }
        self.print_left_out(&mut out);
        out
    }

    /// The classes and the functions.
    pub(super) fn print_tables(&self, out: &mut String) {
        for class in self.used() {
            let table = class.class.table();
            let maker = self.functions.iter().find(|function| function.table == table);
            let methods = format!("function.{}.", class.class.name);
            let mut own = self
                .functions
                .iter()
                .filter(|one| one.table == table || one.table.starts_with(&methods));
            class.print(maker, own.any(|one| one.has_status), out);
        }
        let tables = self.functions.iter().filter(|one| one.table.starts_with("function."));
        for function in tables {
            function.print(out);
        }
    }

    /// The omitted functions.
    pub(super) fn print_left_out(&self, out: &mut String) {
        if !self.left_out.is_empty() {
            out.push_str(
                "\n# Left out; write a prototype by hand, or a C function with simpler arguments, for each:\n#\n",
            );
        }
        for LeftOut { name, place, reason } in &self.left_out {
            let place =
                if place.is_empty() { String::new() } else { format!(" ({})", line(place)) };
            let _ = writeln!(out, "# {}{place}: {}", line(name), line(reason));
        }
    }

    fn print_module(&self, out: &mut String) {
        let module = &self.module;
        let _ = writeln!(out, "[module]\nedition = {EDITION}");
        let _ = writeln!(out, "name = {}", quoted(&module.name));
        let _ = writeln!(out, "headers = {}", list(&module.headers));
        for (key, values) in [("include-dirs", &module.include_dirs), ("defines", &module.defines)]
        {
            if !values.is_empty() {
                let _ = writeln!(out, "{key} = {}", list(values));
            }
        }
        if !module.undefined.is_empty() {
            let names = line(&module.undefined.join("`, `"));
            let _ =
                writeln!(out, "# guess: another library must be linked, which defines `{names}`");
        }
        if !module.sources.is_empty() {
            let _ = writeln!(out, "sources = {}", list(&module.sources));
            if module.libraries.is_empty() {
                return;
            }
        } else if module.libraries.is_empty() {
            out.push_str(
                "# The library with the functions: a name as after `-l`. C sources go into `sources`.\n",
            );
        }
        let _ = writeln!(out, "libraries = {}", list(&module.libraries));
    }

    fn print_status(&self, out: &mut String) {
        let has_status = self.functions.iter().any(|function| function.has_status);
        if let (Some(message), true) = (&self.message, has_status) {
            let message = quoted(message);
            let _ = writeln!(
                out,
                "\n# guess: this function returns the message of a return code\n[status]\nmessage = {message}"
            );
        }
    }

    /// The types that are used, each with its meaning.
    pub(super) fn used_types(&self) -> impl Iterator<Item = (&String, &&'static str)> {
        let classes = self.used();
        let of_classes = classes.iter().flat_map(|one| one.class.spellings());
        let of_functions = self.functions.iter().flat_map(|function| &function.spellings);
        let used: BTreeSet<&String> = of_functions.chain(of_classes).collect();
        self.types.iter().filter(move |(name, _)| used.contains(name))
    }

    /// A line of `[types]`, with its guess.
    pub(super) fn entry(&self, name: &str, of: &str) -> String {
        let key = if names::is_identifier(name) { name.to_owned() } else { quoted(name) };
        let guess = match self.complex_structs.contains(name) {
            true => "# guess: this struct is a complex number\n",
            false => "",
        };
        format!("{guess}{key} = {}", quoted(of))
    }

    fn print_types(&self, out: &mut String) {
        let entries: Vec<String> =
            self.used_types().map(|(name, of)| self.entry(name, of)).collect();
        if entries.is_empty() {
            return;
        }
        out.push_str("\n# As the headers have them here; the compiler confirms each.\n[types]\n");
        let _ = writeln!(out, "{}", entries.join("\n"));
    }

    fn print_constants(&self, out: &mut String) {
        let constants = &self.constants;
        if constants.names.is_empty() {
            return;
        }
        out.push_str("\n[constants]\n");
        if !constants.prefix.is_empty() {
            let _ = writeln!(out, "prefix = {}", quoted(&constants.prefix));
        }
        let entries = constants.names.iter().map(|name| {
            if constants.keeps_prefix(name) {
                format!("{{ {name} = {} }}", quoted(name))
            } else {
                quoted(name)
            }
        });
        let _ = writeln!(out, "values = {}", wrapped(entries));
    }
}

impl DraftFunction {
    fn print(&self, out: &mut String) {
        let _ = writeln!(out, "\n# {}\n[{}]", line(&self.place), self.table);
        if !self.doc.is_empty() {
            let _ = writeln!(out, "doc = {}", quoted(&self.doc));
        }
        self.print_descriptions("descriptions", out);
        if let Some(returns) = &self.returns {
            let _ = writeln!(out, "returns = {}", list(returns));
        }
        self.print_proto("proto", out);
    }

    fn print_descriptions(&self, key: &str, out: &mut String) {
        for (name, text) in &self.descriptions {
            let _ = writeln!(out, "{key}.{name} = {}", quoted(text));
        }
    }

    fn print_proto(&self, key: &str, out: &mut String) {
        for remark in &self.remarks {
            let _ = writeln!(out, "# guess: {}", line(remark));
        }
        let written = self.protos.iter().map(|one| proto(&one.text, &one.name));
        let written: Vec<String> = written.collect();
        match written.as_slice() {
            [only] => {
                let _ = writeln!(out, "{key} = {only}");
            }
            several => {
                let _ = writeln!(out, "{key} = [\n    {},\n]", several.join(",\n    "));
            }
        }
    }
}

impl DraftClass {
    fn print(&self, maker: Option<&DraftFunction>, may_fail: bool, out: &mut String) {
        let Class { what, remarks, .. } = &self.class;
        let spelling = self.class.spelling();
        out.push('\n');
        if !self.place.is_empty() {
            let _ = writeln!(out, "# {}", line(&self.place));
        }
        let _ = writeln!(out, "[{}]", self.class.table());
        if !self.doc.is_empty() {
            let _ = writeln!(out, "doc = {}", quoted(&self.doc));
        }
        let is_sort = matches!(what, What::Handle { is_sort: true, .. });
        let spelling = if is_sort { "void *".to_owned() } else { spelling };
        let star = if matches!(what, What::Handle { star: true, .. }) { " *" } else { "" };
        let _ = writeln!(out, "ctype = {}", quoted(&format!("{spelling}{star}")));
        for remark in remarks {
            let _ = writeln!(out, "# guess: {}", line(remark));
        }
        match what {
            What::Enum { prefix, values, is_flags } => {
                if *is_flags {
                    out.push_str("flags = true\n");
                }
                if !prefix.is_empty() {
                    let _ = writeln!(out, "prefix = {}", quoted(prefix));
                }
                let values = values.iter().map(|value| quoted(value));
                let _ = writeln!(out, "values = {}", wrapped(values));
            }
            What::Struct { fields, .. } => {
                let _ = writeln!(out, "fields = {}", fields_of(fields));
            }
            What::Handle { free, init, message, context, fields, .. } => {
                if let Some(init) = init {
                    let call = quoted(&init.function);
                    out.push_str("storage = \"value\"\n");
                    let _ = match init.has_status {
                        false => writeln!(out, "init = {call}"),
                        true => writeln!(out, "init = {{ call = {call}, success = 0 }}"),
                    };
                }
                if let Some(free) = free {
                    let _ = writeln!(out, "free = {}", quoted(&free.text()));
                }
                if let Some(context) = context {
                    let _ = writeln!(out, "context = {}", quoted(context));
                }
                if !fields.is_empty() {
                    let _ = writeln!(out, "fields = {}", fields_of(fields));
                }
                if let (Some(message), true) = (message, may_fail) {
                    out.push_str(
                        "# guess: this function returns why a call with an object has failed\n",
                    );
                    let _ = writeln!(out, "status = {{ message = {} }}", quoted(message));
                }
                if let Some(maker) = maker {
                    let _ = writeln!(out, "# {}", line(&maker.place));
                    if maker.descriptions.is_empty() {
                        maker.print_proto("new", out);
                    } else {
                        maker.print_descriptions("new.descriptions", out);
                        maker.print_proto("new.proto", out);
                    }
                }
            }
            What::Callback { proto, function, data, .. } => {
                let _ = writeln!(out, "proto = {}", quoted(proto));
                let _ = writeln!(out, "function = {}", quoted(function));
                let _ = writeln!(out, "data = {}", quoted(data));
            }
        }
    }
}

/// One line of a comment.
pub(crate) fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A TOML string.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

pub(crate) fn list(strings: &[String]) -> String {
    let quoted: Vec<String> = strings.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

/// A list over several lines if necessary.
pub(crate) fn wrapped(entries: impl Iterator<Item = String>) -> String {
    let entries: Vec<String> = entries.collect();
    let line = format!("[{}]", entries.join(", "));
    if line.len() + "values = ".len() <= WIDTH {
        return line;
    }
    let mut out = String::from("[");
    let mut column = WIDTH;
    for entry in entries {
        if column + entry.len() + 2 > WIDTH {
            out.push_str("\n   ");
            column = 3;
        }
        column += entry.len() + 2;
        let _ = write!(out, " {entry},");
    }
    out + "\n]"
}

/// Fields as a TOML string, over several lines if they are long.
fn fields_of(fields: &[String]) -> String {
    let line = fields.join("; ");
    if line.len() + "fields = ".len() <= WIDTH {
        return quoted(&line);
    }
    let mut out = String::from("\"\"\"\n ");
    let mut column = 1;
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.push(';');
            if column + field.len() + 2 > WIDTH {
                out.push_str("\n ");
                column = 1;
            }
        }
        let _ = write!(out, " {field}");
        column += field.len() + 2;
    }
    out + "\n\"\"\""
}

/// A prototype as a TOML string, over several lines if it is long.
fn proto(proto: &str, name: &str) -> String {
    let open = proto.find(&format!("{name}(")).map_or(0, |at| at + name.len() + 1);
    if proto.len() + 10 <= WIDTH || proto.contains(['"', '\\', '\n']) || open > WIDTH / 2 {
        return quoted(proto);
    }
    let mut out = String::from("\"\"\"\n");
    out.push_str(&proto[..open]);
    let mut column = open;
    let mut depth = 1;
    for (index, piece) in proto[open..].split_inclusive(", ").enumerate() {
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

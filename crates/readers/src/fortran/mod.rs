//! Fortran sources.
//!
//! Purpose: draft an interface file from the declarations of procedures ([`draft`]).
//! Invariant: pure; a procedure is drafted from what it declares, or left out with a reason. Nothing is guessed.
//! Reason: Fortran declares the intents and the shapes that a C header does not have.
//!
//! A file is processed by `preprocess` and `text` (statements), `source`, `modules` and `classes` (procedures and types),
//! `declaration` and `kinds` (variables), and for each procedure by `argument` and `procedure`, or `shim`.

mod argument;
mod classes;
mod constants;
mod declaration;
mod derived;
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
use constants::Constant;
use derived::{Binding, Bound, Derived, Passed};
pub use preprocess::preprocess;
use procedure::Drafted;
use shim::{Method, Parts};
use source::{Procedure, Source};

/// A draft of an interface file.
pub struct Draft {
    /// The module's name.
    pub module: String,
    /// The source files, as the interface names them.
    files: Vec<String>,
    /// The declarations of derived types, and their tables.
    types: Vec<Drafted>,
    constants: Vec<Constant>,
    /// The parts of the shims for objects.
    objects: Parts,
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
    let structs = source.types.iter().map(procedure::derived_type);
    let classes = source.classes.iter().map(|class| shim::class_head(class, &source));
    let mut draft = Draft {
        module: module.to_owned(),
        files: files.iter().map(|file| file.name.clone()).collect(),
        types: structs.chain(classes).collect(),
        constants: source.constants.clone(),
        objects: shim::class_parts(&source),
        procedures: Vec::new(),
        left_out: Vec::new(),
        shim_file: format!("{module}_for_c.f90"),
    };
    for class in &source.classes {
        draft.add_class(class, &source, wanted);
    }
    for one in source.procedures.iter().filter(|one| wanted(procedure::name(one))) {
        if !source.is_bound(one) {
            draft.add(one.name.clone(), one, procedure::draft(one, &source));
        }
    }
    draft
}

/// The public names of a class, each with the bindings that it calls.
fn methods(class: &Derived) -> impl Iterator<Item = (&str, Vec<&Binding>)> {
    class.bindings.iter().filter(|one| one.is_public).filter_map(|binding| {
        let bound = match &binding.to {
            Bound::Final => return None,
            Bound::Generic(names) => names.iter().filter_map(|one| class.binding(one)).collect(),
            Bound::Procedure(..) | Bound::Deferred(..) => vec![binding],
        };
        Some((binding.name.as_str(), bound))
    })
}

/// The procedure whose shim is at this line of the [shims](Draft::shims), counted from 1.
pub fn shim_at(text: &str, line: usize) -> Option<&str> {
    shim::at_line(text, line)
}

/// Drafts one of the procedures of a name of a class.
fn method(
    class: &Derived,
    name: &str,
    binding: &Binding,
    procedure: &Procedure,
    source: &Source,
) -> Result<Drafted, String> {
    if let Some(problem) = &procedure.problem {
        return Err(problem.clone());
    }
    let object = match &binding.to {
        Bound::Procedure(_, Passed::First) | Bound::Deferred(_, Passed::First) => {
            procedure.arguments.first()
        }
        Bound::Procedure(_, Passed::Named(object)) | Bound::Deferred(_, Passed::Named(object)) => {
            Some(object)
        }
        _ => None,
    };
    let object = object.ok_or("it has no object (`nopass`)")?;
    shim::draft_method(&Method { class, name, bound: &binding.name, object }, procedure, source)
}

impl Draft {
    /// Adds the methods, the constructor and the components of a class.
    fn add_class(&mut self, class: &Derived, source: &Source, wanted: &dyn Fn(&str) -> bool) {
        let (file, line) = (class.file, 0);
        let mut add = |drafted: Drafted| {
            let name = format!("{}%{}", class.name, drafted.shim_name);
            self.procedures.push(Declared { name, file, line, drafted });
        };
        if !class.is_abstract {
            add(shim::constructor(class));
        }
        for (field, base) in class.numbers() {
            shim::component(class, field, base).into_iter().for_each(&mut add);
        }
        for (name, bindings) in methods(class).filter(|(name, _)| wanted(name)) {
            // Fortran calls that of the object, whose class may have another one.
            let inherits = |base: &Derived| methods(base).any(|(own, _)| own == name);
            let mut base = source.base(class);
            while base.is_some_and(|base| !inherits(base)) {
                base = base.and_then(|base| source.base(base));
            }
            if base.is_some() {
                continue;
            }
            for binding in bindings {
                let Some(procedure) = source.bound(class, binding) else { continue };
                let drafted = method(class, name, binding, procedure, source);
                self.add(format!("{}%{}", class.name, binding.name), procedure, drafted);
            }
        }
    }

    fn add(&mut self, name: String, procedure: &Procedure, drafted: Result<Drafted, String>) {
        let (file, line) = (procedure.file, procedure.line);
        match drafted {
            Ok(drafted) => self.procedures.push(Declared { name, file, line, drafted }),
            Err(reason) => self.left_out.push(LeftOut { name, file, line, reason }),
        }
    }

    /// The number of its functions.
    pub fn functions(&self) -> usize {
        self.procedures.len()
    }

    /// Removes the procedure of a shim. False if it does not exist.
    pub fn remove_shim(&mut self, name: &str, reason: &str) -> bool {
        self.remove_if(&|one| one.drafted.shim_name == name, reason)
    }

    /// Removes the procedures that a symbol is called for. False if there are none.
    pub fn remove_callers(&mut self, symbol: &str, reason: &str) -> bool {
        let calls = |one: &Declared| one.drafted.symbol == symbol;
        let mut found = false;
        while self.remove_if(&calls, reason) {
            found = true;
        }
        found
    }

    /// Removes a table, or the one of its prototypes that contains the text. False if neither exists.
    pub fn remove_table(&mut self, table: &str, text: &str, reason: &str) -> bool {
        if table == "constants" {
            let before = self.constants.len();
            self.constants.retain(|one| one.name != text && one.value() != text);
            return self.constants.len() < before;
        }
        let is_it = |one: &Declared| {
            one.drafted.table == table || one.drafted.table == format!("{table}.new")
        };
        let is_part = |one: &Declared| is_it(one) && one.drafted.proto.contains(text.trim());
        self.remove_if(&is_part, reason) || self.remove_if(&is_it, reason)
    }

    fn remove_if(&mut self, is_it: &dyn Fn(&Declared) -> bool, reason: &str) -> bool {
        let found = self.procedures.iter().position(is_it);
        found.map(|at| self.remove_at(at, reason)).is_some()
    }

    fn remove_at(&mut self, at: usize, reason: &str) {
        let Declared { name, file, line, .. } = self.procedures.remove(at);
        self.left_out.push(LeftOut { name, file, line, reason: reason.to_owned() });
    }

    /// The Fortran file with the procedures that C calls in place of others, if there are any.
    pub fn shims(&self) -> Option<String> {
        let mut parts = Parts {
            uses: self.objects.uses.clone(),
            declarations: self.objects.declarations.clone(),
            procedures: self.objects.procedures.clone(),
            shims: self.procedures.iter().map(|one| one.drafted.shim.as_str()).collect(),
        };
        for (used, declaration) in self.constants.iter().filter_map(Constant::in_fortran) {
            parts.uses.push_str(&used);
            parts.declarations.push_str(&declaration);
        }
        self.has_shims().then(|| shim::module(&self.module, &self.files.join(", "), &parts))
    }

    fn has_shims(&self) -> bool {
        let has_shim = |one: &Declared| !one.drafted.shim.is_empty();
        self.procedures.iter().any(has_shim)
            || !self.objects.uses.is_empty()
            || self.constants.iter().any(|one| one.in_fortran().is_some())
    }

    /// The interface file.
    pub fn print(&self) -> String {
        let all = || self.types.iter().chain(self.procedures.iter().map(|one| &one.drafted));
        let constants: String = self.constants.iter().filter_map(Constant::in_c).collect();
        let code: String = all().map(|one| one.code.as_str()).collect();
        let code = constants + &code;
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
        if !self.constants.is_empty() {
            let one = |one: &Constant| format!("{} = {}", one.name, quoted(&one.value()));
            let all: Vec<String> = self.constants.iter().map(one).collect();
            out.push_str(&format!("\n[constants]\nvalues = {{ {} }}\n", all.join(", ")));
        }
        for one in &self.types {
            out.push('\n');
            out.push_str(&one.head);
        }
        for (at, one) in self.procedures.iter().enumerate() {
            let is_same = |other: &&Declared| other.drafted.table == one.drafted.table;
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
            let end = all.iter().map(|one| one.end).max_by_key(|end| end.len());
            out.push_str(end.unwrap_or_default());
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

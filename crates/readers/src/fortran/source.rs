//! The procedures and the derived types of a source.
//!
//! Purpose: the declarations of the arguments of each procedure that C can call.
//! Invariant: executable statements are not read; a declaration that is not understood is a problem of its procedure.
//! Reason: an interface needs the first lines of a procedure, whatever dialect the others are written in.

use super::declaration::declare;
use super::kinds::{self, Kinds, Type};
use super::modules::Exports;
use super::text::{Statement, statements};
use super::{SourceFile, is_fixed_form};
use crate::f2py::text::{after, brackets, name, split};
use std::collections::BTreeMap;

/// The declaration of a variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Variable {
    pub base: Option<Type>,
    pub dimensions: Vec<String>,
    /// `in`, `out`, `inout`; `None` if it is not declared.
    pub intent: Option<String>,
    pub is_value: bool,
    pub is_optional: bool,
    pub is_procedure: bool,
    /// The interface of a procedure: `f` of `procedure(f)`.
    pub interface: Option<String>,
    /// The value of a constant.
    pub value: Option<String>,
    /// An attribute that C has no equal for.
    pub attribute: Option<String>,
}

pub(super) type Variables = BTreeMap<String, Variable>;
pub(super) type Interfaces = BTreeMap<String, Procedure>;

/// A subroutine or a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Procedure {
    pub name: String,
    /// The position of its file in the list of files.
    pub file: usize,
    pub line: usize,
    pub comment: String,
    pub arguments: Vec<String>,
    /// The variable with the result of a function.
    pub result: Option<String>,
    /// It is `bind(c)`: its name in C.
    pub binding: Option<String>,
    /// The module that contains it, or why only `bind(c)` makes it callable.
    pub module: Option<Result<String, &'static str>>,
    /// The public name of the generic interface by which a private procedure is called.
    pub generic: Option<String>,
    /// It is applied to each element of arrays.
    pub is_elemental: bool,
    /// The interfaces that it declares, by name.
    pub interfaces: Interfaces,
    pub variables: Variables,
    pub problem: Option<String>,
    implicit: Implicit,
    /// A `module` procedure: declared in an interface of its module, and defined in a submodule.
    is_separate: bool,
}

/// A derived type with `bind(c)`.
#[derive(Clone, Debug, Default)]
pub(super) struct Derived {
    pub name: String,
    pub fields: Vec<String>,
    pub variables: Variables,
    pub problem: Option<String>,
}

/// The types of names that are not declared.
#[derive(Clone, Debug, Default)]
pub(super) struct Implicit {
    pub is_none: bool,
    pub rules: Vec<(Type, Vec<(char, char)>)>,
}

/// Source files, each after those whose modules it uses.
#[derive(Default)]
pub(super) struct Source {
    pub procedures: Vec<Procedure>,
    pub types: Vec<Derived>,
    /// The interfaces that modules declare.
    pub interfaces: Interfaces,
}

/// A module, with the names that it exports.
#[derive(Default)]
struct Module {
    /// `None`: a submodule.
    name: Option<String>,
    is_private: bool,
    /// The names with the other access.
    others: Vec<String>,
    /// Generic interfaces, with the names of their procedures.
    generics: Vec<(String, Vec<String>)>,
}

impl Module {
    /// Reads `private`, `public :: f, g`.
    fn access(&mut self, text: &str) {
        let Some((word @ ("private" | "public"), rest)) = name(text) else { return };
        let names = rest.trim().trim_start_matches(':').trim();
        if names.is_empty() {
            self.is_private = word == "private";
        } else if (word == "private") != self.is_private {
            self.others.extend(split(names, ',').into_iter().map(str::to_owned));
        }
    }

    /// The exported generic interface of a procedure.
    fn generic(&self, procedure: &str) -> Option<String> {
        let has = |(_, all): &&(String, Vec<String>)| all.iter().any(|one| one == procedure);
        let mut found = self.generics.iter().filter(has).map(|(generic, _)| generic);
        found.find(|generic| self.exports(generic)).cloned()
    }

    fn exports(&self, name: &str) -> bool {
        self.is_private == self.others.iter().any(|other| other == name)
    }
}

/// An open block.
enum Block {
    Module(Module),
    /// An `interface`, with its generic name, or an `abstract interface`.
    Interface(Option<String>),
    /// The declarations of a procedure, and whether they have ended.
    Procedure(Box<Procedure>, bool),
    Type(Box<Derived>),
    /// Parts that are not read: internal procedures, programs.
    Skipped,
}

impl Source {
    /// Reads files.
    pub(super) fn read(files: &[SourceFile]) -> Source {
        let mut reading = Reading::default();
        for (at, file) in files.iter().enumerate() {
            reading = Reading {
                file: at,
                source: reading.source,
                exports: reading.exports,
                ..Reading::default()
            };
            for statement in statements(&file.text, is_fixed_form(&file.name)) {
                reading.statement(statement);
            }
        }
        let mut source = reading.source;
        for derived in &mut source.types {
            derived.problem = derived.problem.take().or_else(|| derived.refusal());
        }
        source.types.retain(|one| one.problem.is_none());
        let types: Vec<String> = source.types.iter().map(|one| one.name.clone()).collect();
        for procedure in &mut source.procedures {
            for variable in procedure.variables.values_mut() {
                if let Some(Type::Derived(name)) = &variable.base
                    && !types.contains(name)
                {
                    variable.attribute = Some(format!("type({name})"));
                }
            }
        }
        source
    }
}

#[derive(Default)]
struct Reading {
    source: Source,
    /// The names that the modules before export.
    exports: Exports,
    file: usize,
    blocks: Vec<Block>,
    kinds: Kinds,
    /// The constants of the modules of the file, and of those that they use.
    constants: Variables,
    implicit: Implicit,
}

impl Reading {
    fn statement(&mut self, statement: Statement) {
        let text = statement.text.as_str();
        if let Some(closed) = end(text) {
            self.end(closed);
            return;
        }
        let is_skipped = matches!(self.blocks.last(), Some(Block::Skipped));
        let is_open = matches!(self.blocks.last(), None | Some(Block::Module(_)));
        let is_declared = is_open || matches!(self.blocks.last(), Some(Block::Interface(_)));
        let executes = matches!(self.blocks.last(), Some(Block::Procedure(_, true)));
        if text == "contains" {
            if let Some(Block::Procedure(_, ends)) = self.blocks.last_mut() {
                *ends = true;
            }
        } else if self.is_in_submodule()
            && after(text, "module").is_some_and(|rest| starts(rest, "procedure"))
        {
            // The interface of the module declares it.
            self.blocks.push(Block::Skipped);
        } else if let Some(procedure) = self.start(&statement) {
            // Procedures of a procedure or of an interface are not for callers in C, but may be arguments.
            for block in &mut self.blocks {
                if let Block::Procedure(outer, false) = block {
                    outer.variables.entry(procedure.name.clone()).or_default().is_procedure = true;
                }
            }
            let block = if is_declared {
                Block::Procedure(Box::new(procedure), false)
            } else {
                Block::Skipped
            };
            self.blocks.push(block);
        } else if starts(text, "interface")
            || after(text, "abstract").is_some_and(|rest| starts(rest, "interface"))
        {
            let generic = after(text, "interface").and_then(name).map(|(own, _)| own.to_owned());
            let generic = generic.filter(|own| !["operator", "assignment"].contains(&own.as_str()));
            let block = Block::Interface(generic);
            self.blocks.push(if is_skipped { Block::Skipped } else { block });
        } else if let (Some(derived), false) = (derived_type(text), executes) {
            self.blocks.push(if is_skipped {
                Block::Skipped
            } else {
                Block::Type(Box::new(derived))
            });
        } else if is_open && (starts(text, "module") || starts(text, "submodule")) {
            let own = after(text, "module").and_then(name).map(|(own, _)| own.to_owned());
            self.blocks.push(Block::Module(Module { name: own, ..Module::default() }));
        } else if is_open && (starts(text, "program") || text.starts_with("block data")) {
            self.blocks.push(Block::Skipped);
        } else {
            self.declaration(text);
        }
    }

    fn is_in_submodule(&self) -> bool {
        matches!(self.blocks.last(), Some(Block::Module(Module { name: None, .. })))
    }

    fn declaration(&mut self, text: &str) {
        if let [.., Block::Module(module), Block::Interface(Some(generic))] =
            self.blocks.as_mut_slice()
        {
            if let Some(procedures) = procedures(text) {
                module.generics.push((generic.clone(), procedures));
            }
            return;
        }
        self.declare(text);
        self.exports.import(text, &mut self.kinds, &mut self.constants);
    }

    fn declare(&mut self, text: &str) {
        match self.blocks.last_mut() {
            Some(Block::Procedure(procedure, executes)) if !*executes => {
                match declare(
                    text,
                    &mut procedure.variables,
                    &mut self.kinds,
                    &mut procedure.implicit,
                ) {
                    None => *executes = true,
                    Some(Ok(())) => {}
                    Some(Err(problem)) => {
                        procedure.problem.get_or_insert(problem);
                    }
                }
            }
            Some(Block::Type(derived)) => {
                let before: Vec<String> = derived.variables.keys().cloned().collect();
                let mut implicit = Implicit::default();
                let done = declare(text, &mut derived.variables, &mut self.kinds, &mut implicit);
                if let Some(Err(problem)) = done {
                    derived.problem.get_or_insert(problem);
                }
                // In the order of the statement, which is that of the memory.
                let entities = text.split_once("::").map_or("", |(_, entities)| entities);
                let names = split(entities, ',').into_iter().filter_map(name);
                let new = names.map(|(name, _)| name.to_owned());
                derived.fields.extend(new.filter(|name| !before.contains(name)));
            }
            None | Some(Block::Module(_)) => {
                if let Some(Block::Module(module)) = self.blocks.last_mut() {
                    module.access(text);
                }
                declare(text, &mut self.constants, &mut self.kinds, &mut self.implicit);
            }
            Some(Block::Procedure(..) | Block::Interface(_) | Block::Skipped) => {}
        }
    }

    fn end(&mut self, closed: &str) {
        let is_closed = |block: &Block| match block {
            Block::Module(_) => ["", "module", "submodule"].contains(&closed),
            Block::Procedure(..) => ["", "subroutine", "function", "procedure"].contains(&closed),
            Block::Type(_) => closed == "type",
            Block::Interface(_) => ["", "interface"].contains(&closed),
            Block::Skipped => true,
        };
        if !self.blocks.last().is_some_and(is_closed) {
            return;
        }
        match self.blocks.pop() {
            Some(Block::Procedure(procedure, _)) => {
                let mut procedure = *procedure;
                procedure.add_implicit_types();
                for (name, constant) in &self.constants {
                    procedure.variables.entry(name.clone()).or_insert_with(|| constant.clone());
                }
                if procedure.is_separate && self.is_in_submodule() {
                    let is_known = |one: &Procedure| one.name == procedure.name;
                    if self.source.procedures.iter().any(is_known) {
                        return;
                    }
                    procedure.problem = Some(
                        "it is in a submodule: draft the file with the module that declares it"
                            .to_owned(),
                    );
                }
                match self.blocks.as_mut_slice() {
                    [.., Block::Module(_), Block::Interface(_)] if procedure.is_separate => {
                        self.source.procedures.push(procedure);
                    }
                    [.., Block::Procedure(outer, _), Block::Interface(_)] => {
                        outer.interfaces.insert(procedure.name.clone(), procedure);
                    }
                    [.., Block::Interface(_)] => {
                        self.source.interfaces.insert(procedure.name.clone(), procedure);
                    }
                    _ => self.source.procedures.push(procedure),
                }
            }
            Some(Block::Type(mut derived)) => {
                for dimension in derived.variables.values_mut().flat_map(|one| &mut one.dimensions)
                {
                    let constant = self.constants.get(dimension).and_then(|one| one.value.as_ref());
                    if let Some(value) = constant {
                        value.clone_into(dimension);
                    }
                }
                self.source.types.push(*derived);
            }
            Some(Block::Module(Module { name: Some(name), .. })) => {
                self.exports.add(name, &self.kinds, &self.constants);
            }
            _ => {}
        }
    }

    /// `integer(c_int) function f(a) result(r) bind(c, name="f")`.
    fn start(&self, statement: &Statement) -> Option<Procedure> {
        let mut rest = statement.text.as_str();
        let mut base = None;
        let mut is_separate = false;
        let mut is_elemental = false;
        loop {
            if let Some(found) = kinds::base(rest, &self.kinds) {
                let (found, behind) = match found {
                    Ok((found, behind)) => (Ok(found), behind),
                    // A function of an unknown type, whose name is found below.
                    Err(problem) => (Err(problem), after_type(rest)?),
                };
                base = Some(found);
                rest = behind;
                continue;
            }
            let (word, behind) = name(rest)?;
            match word {
                "elemental" => (is_elemental, rest) = (true, behind),
                "pure" | "impure" | "recursive" | "non_recursive" => rest = behind,
                "module" => (is_separate, rest) = (true, behind),
                "subroutine" if base.is_none() => {
                    let procedure = self.head(behind, None, is_separate, statement)?;
                    return Some(Procedure { is_elemental, ..procedure });
                }
                "function" => {
                    let procedure = self.head(behind, Some(base), is_separate, statement)?;
                    return Some(Procedure { is_elemental, ..procedure });
                }
                _ => return None,
            }
        }
    }

    /// `function` is the type before the name, if there is one; `None` for a subroutine.
    fn head(
        &self,
        text: &str,
        function: Option<Option<Result<Type, String>>>,
        is_separate: bool,
        statement: &Statement,
    ) -> Option<Procedure> {
        let (own, mut rest) = name(text)?;
        let block = match self.blocks.as_slice() {
            [.., module, Block::Interface(_)] if is_separate => Some(module),
            blocks => blocks.last(),
        };
        let mut procedure = Procedure {
            name: own.to_owned(),
            file: self.file,
            line: statement.line,
            comment: statement.comment.clone(),
            is_separate,
            generic: match block {
                Some(Block::Module(module)) if !module.exports(own) => module.generic(own),
                _ => None,
            },
            module: match block {
                Some(Block::Module(module))
                    if !module.exports(own) && module.generic(own).is_none() =>
                {
                    Some(Err("it is private"))
                }
                Some(Block::Module(Module { name: None, .. })) => Some(Err("it is in a submodule")),
                Some(Block::Module(Module { name: Some(name), .. })) => Some(Ok(name.clone())),
                _ => None,
            },
            implicit: self.implicit.clone(),
            ..Procedure::default()
        };
        if let Some((inside, behind)) = brackets(rest) {
            let arguments = split(inside, ',').into_iter().filter(|one| !one.is_empty());
            procedure.arguments = arguments.map(str::to_owned).collect();
            rest = behind;
        } else if function.is_some() {
            return None;
        }
        let mut result = own.to_owned();
        while let Some((word, behind)) = name(rest) {
            let (inside, behind) = brackets(behind)?;
            match word {
                "result" => inside.clone_into(&mut result),
                "bind" => {
                    procedure.binding = Some(bound_name(inside).unwrap_or_else(|| own.to_owned()))
                }
                _ => return None,
            }
            rest = behind;
        }
        if let Some(base) = function {
            let mut variable = Variable::default();
            match base {
                Some(Ok(base)) => variable.base = Some(base),
                Some(Err(problem)) => procedure.problem = Some(problem),
                None => {}
            }
            procedure.variables.insert(result.clone(), variable);
            procedure.result = Some(result);
        }
        Some(procedure)
    }
}

impl Derived {
    /// Why it is not a struct of numbers.
    fn refusal(&self) -> Option<String> {
        let is_number = |variable: &Variable| {
            let sizes_are_numbers =
                variable.dimensions.iter().all(|one| one.parse::<u32>().is_ok());
            matches!(variable.base, Some(Type::Number(..)))
                && variable.attribute.is_none()
                && sizes_are_numbers
        };
        let is_known =
            self.fields.iter().all(|name| self.variables.get(name).is_some_and(is_number));
        (!is_known || self.fields.is_empty())
            .then(|| format!("type `{}` has other fields than numbers", self.name))
    }
}

impl Procedure {
    fn add_implicit_types(&mut self) {
        if self.implicit.is_none {
            return;
        }
        for name in self.arguments.iter().chain(&self.result) {
            let variable = self.variables.entry(name.clone()).or_default();
            if variable.base.is_some() || variable.is_procedure {
                continue;
            }
            let first = name.chars().next().unwrap_or('a');
            let holds = |(_, ranges): &&(Type, Vec<(char, char)>)| {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&first))
            };
            let ruled = self.implicit.rules.iter().find(holds).map(|(base, _)| base.clone());
            variable.base = ruled.or(Some(match first {
                'i'..='n' => Type::Number("int", "CFI_type_int", "integer(c_int)"),
                _ => Type::Number("float", "CFI_type_float", "real(c_float)"),
            }));
        }
    }
}

/// The text after a type that is not known: its brackets.
fn after_type(text: &str) -> Option<&str> {
    let (_, rest) = name(text)?;
    Some(brackets(rest).map_or(rest, |(_, behind)| behind))
}

/// `module procedure :: f, g`: the names.
fn procedures(text: &str) -> Option<Vec<String>> {
    let text = after(text, "module").map_or(text, str::trim_start);
    let names = after(text, "procedure")?.trim_start().trim_start_matches(':');
    Some(split(names, ',').into_iter().map(str::to_owned).collect())
}

/// `c, name="f"`: the name.
fn bound_name(inside: &str) -> Option<String> {
    let named = split(inside, ',').into_iter().find_map(|part| {
        let (key, value) = part.split_once('=')?;
        (key.trim() == "name").then(|| value.trim().trim_matches(['"', '\'']).trim().to_owned())
    });
    named.filter(|name| !name.is_empty())
}

fn starts(text: &str, word: &str) -> bool {
    after(text, word).is_some_and(|rest| !rest.trim_start().starts_with(['=', '%']))
}

/// The block that an `end` closes; `None` for another statement. Constructs of executable statements close nothing here.
fn end(text: &str) -> Option<&str> {
    let (word, rest) = name(text)?;
    let closed = word.strip_prefix("end")?;
    if rest.trim_start().starts_with(['=', '(', '%']) {
        return None;
    }
    if !closed.is_empty() {
        let known = [
            "subroutine",
            "function",
            "procedure",
            "module",
            "submodule",
            "type",
            "interface",
            "program",
        ];
        return Some(known.into_iter().find(|one| *one == closed).unwrap_or("construct"));
    }
    Some(name(rest).map_or("", |(word, _)| word))
}

/// `type, bind(c) :: point`; `None` for another statement.
fn derived_type(text: &str) -> Option<Derived> {
    let rest = after(text, "type")?.trim_start();
    let (attributes, own) = match rest.split_once("::") {
        Some((attributes, own)) if rest.starts_with(',') || rest.starts_with("::") => {
            (attributes, own)
        }
        None if !rest.starts_with(['(', '=', '%']) => ("", rest),
        _ => return None,
    };
    let (own, behind) = name(own)?;
    if !behind.trim().is_empty() || own == "is" {
        return None;
    }
    let is_bound = split(attributes, ',').iter().any(|one| after(one, "bind").is_some());
    let problem = (!is_bound).then(|| format!("type `{own}` is not bind(c)"));
    Some(Derived { name: own.to_owned(), problem, ..Derived::default() })
}

//! The procedures and the derived types of a source.
//!
//! Purpose: the declarations of the arguments of each procedure that C can call.
//! Invariant: executable statements are not read; a declaration that is not understood is a problem of its procedure.
//! Reason: an interface needs the first lines of a procedure, whatever dialect the others are written in.

use super::constants::{self, Constant};
use super::declaration::declare;
use super::derived::Derived;
use super::kinds::{self, Kinds, Type};
use super::modules::{Exports, Module};
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
    /// A pointer may refer to it after the call.
    pub is_target: bool,
    /// An object of the declared type, or of one that extends it.
    pub is_polymorphic: bool,
    /// Whether its declaration makes it public or private.
    pub is_public: Option<bool>,
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
    /// Those that are structs of C.
    pub types: Vec<Derived>,
    /// Those whose objects stay in Fortran.
    pub classes: Vec<Derived>,
    pub constants: Vec<Constant>,
    /// The interfaces that modules declare.
    pub interfaces: Interfaces,
}

/// An open block.
enum Block {
    Module(Module),
    /// An `interface`, with its generic name, or an `abstract interface`.
    Interface(Option<String>),
    /// The declarations of a procedure, and whether they have ended.
    Procedure(Box<Procedure>, bool),
    Type(Box<Derived>),
    /// An `enum`, with the value of the next name.
    Enum(Option<i64>),
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
        source.divide_types();
        let is_known =
            |name: &str| source.types.iter().chain(&source.classes).any(|one| one.name == name);
        for procedure in &mut source.procedures {
            for variable in procedure.variables.values_mut() {
                if let Some(Type::Derived(name)) = &variable.base
                    && !is_known(name)
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
        if let Some(Block::Type(derived)) = self.blocks.last_mut() {
            derived.statement(text, &mut self.kinds);
        } else if text == "contains" {
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
        } else if !is_skipped
            && is_open
            && after(text, "enum").is_some_and(|rest| rest.starts_with(','))
        {
            self.blocks.push(Block::Enum(Some(0)));
        } else if let (Some(derived), false) = (self.derived_type(&statement), executes) {
            self.blocks.push(if is_skipped {
                Block::Skipped
            } else {
                Block::Type(Box::new(derived))
            });
        } else if is_open && (starts(text, "module") || starts(text, "submodule")) {
            let own = after(text, "module").and_then(name).map(|(own, _)| own.to_owned());
            self.blocks.push(Block::Module(Module::new(own)));
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
            Some(Block::Enum(next)) => {
                let declared = constants::enumerators(text, next);
                if let Some(Block::Module(module)) = self.blocks.iter_mut().rev().nth(1) {
                    module.constants.extend(declared.iter().map(|(name, _)| name.clone()));
                }
                self.constants.extend(declared);
            }
            None | Some(Block::Module(_)) => {
                declare(text, &mut self.constants, &mut self.kinds, &mut self.implicit);
                if let Some(Block::Module(module)) = self.blocks.last_mut() {
                    module.access(text);
                    module.constants.extend(constants::declared(text, &self.constants));
                }
            }
            Some(Block::Procedure(..) | Block::Interface(_) | Block::Type(_) | Block::Skipped) => {}
        }
    }

    fn end(&mut self, closed: &str) {
        let is_closed = |block: &Block| match block {
            Block::Module(_) => ["", "module", "submodule"].contains(&closed),
            Block::Procedure(..) => ["", "subroutine", "function", "procedure"].contains(&closed),
            Block::Type(_) => closed == "type",
            Block::Enum(_) => closed == "enum",
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
                    [.., outer, Block::Interface(_)] => {
                        if let Block::Module(module) = outer
                            && !module.exports(&procedure.name)
                        {
                            procedure.module = Some(Err("it is private"));
                        }
                        self.source.interfaces.insert(procedure.name.clone(), procedure);
                    }
                    [Block::Interface(_)] => {
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
                if let (Some(Block::Module(module)), Some(is_public)) =
                    (self.blocks.last_mut(), derived.is_public)
                {
                    module.set_access(&derived.name, is_public);
                }
                self.source.types.push(*derived);
            }
            Some(Block::Module(module)) => {
                let Some(name) = module.name.clone() else { return };
                self.exports.add(name.clone(), &self.kinds, &self.constants);
                let own = |one: &&mut Derived| {
                    one.file == self.file && one.module.as_ref() == Some(&name)
                };
                for derived in self.source.types.iter_mut().filter(own) {
                    derived.is_public.get_or_insert_with(|| module.exports(&derived.name));
                }
                for one in constants::exported(&module, &name, &self.constants, &self.kinds) {
                    // A module may export those of another one.
                    if self.source.constants.iter().all(|known| known.name != one.name) {
                        self.source.constants.push(one);
                    }
                }
            }
            _ => {}
        }
    }

    /// A derived type of a module, or of no block.
    fn derived_type(&self, statement: &Statement) -> Option<Derived> {
        let module = match self.blocks.last() {
            Some(Block::Module(module)) => module.name.clone(),
            _ => None,
        };
        Derived::start(statement, module, self.file)
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

impl Procedure {
    pub(super) fn kind(&self) -> &'static str {
        if self.result.is_some() { "function" } else { "subroutine" }
    }

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
            "enum",
        ];
        return Some(known.into_iter().find(|one| *one == closed).unwrap_or("construct"));
    }
    Some(name(rest).map_or("", |(word, _)| word))
}

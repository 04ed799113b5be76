//! The blocks of a signature file.
//!
//! Purpose: find the module, its routines, and the callbacks of `NAME__user__routines`.
//! Invariant: a routine with a statement that is not known has a problem; nothing is ignored.
//! Reason: f2py nests `python module`, `interface` and `subroutine`, but only routines matter.

use super::declaration::{self, Type, Variable, Variables};
use super::text::{after, brackets, name, split, statements};
use std::collections::BTreeMap;

/// A subroutine or a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Routine {
    pub name: String,
    pub line: usize,
    /// The module of Fortran that contains it.
    pub module: Option<String>,
    pub arguments: Vec<String>,
    /// The variable with the result of a function.
    pub result: Option<String>,
    /// The name of the procedure, if it differs.
    pub fortran_name: Option<String>,
    /// The name of the procedure is that in Fortran, although it is called from C.
    pub is_fortran: bool,
    pub variables: Variables,
    /// It is a C function: its name is not changed.
    pub is_c: bool,
    /// Numbers are passed by value.
    pub by_value: bool,
    pub is_threadsafe: bool,
    pub statement: Option<String>,
    pub prototype: Option<String>,
    /// The modules of its callbacks, each with the names that are changed.
    pub uses: Vec<Use>,
    pub problem: Option<String>,
}

/// A `use` statement: the module, and each name that is changed with that in the module.
pub(super) type Use = (String, Vec<(String, String)>);

/// A whole file.
#[derive(Default)]
pub(super) struct File {
    pub module: Option<String>,
    pub routines: Vec<Routine>,
    /// The routines of each `NAME__user__routines`.
    pub callbacks: BTreeMap<String, Vec<Routine>>,
    pub user_code: Vec<String>,
    /// The parts of the module that are in no routine: the name, the line, and the reason.
    pub others: Vec<(String, usize, String)>,
}

/// Reads a signature file without templates.
pub(super) fn read(text: &str) -> File {
    let mut file = File::default();
    let mut modules: Vec<String> = Vec::new();
    // A module of Fortran, and its line, until it has data.
    let mut fortran: Option<(String, Option<usize>)> = None;
    let mut open: Option<Routine> = None;
    for statement in statements(text) {
        let (text, line) = (statement.text.as_str(), statement.line);
        if let Some(routine) = &mut open {
            if is_end(text) {
                let done = open.take().unwrap_or_default();
                match modules.last().filter(|module| has_callbacks(module)) {
                    Some(module) => {
                        file.callbacks.entry(module.clone()).or_default().push(done);
                    }
                    None => file.routines.push(done),
                }
            } else if let Err(problem) = inside(text, routine) {
                routine.problem.get_or_insert(problem);
            }
        } else if let Some(rest) = after(text, "python").and_then(|rest| after(rest, "module")) {
            let module = name(rest).map_or_else(String::new, |(name, _)| name.to_owned());
            if !has_callbacks(&module) {
                file.module.get_or_insert(module.clone());
            }
            modules.push(module);
        } else if after(text, "end").and_then(|rest| after(rest, "python")).is_some() {
            modules.pop();
        } else if let Some(mut routine) = start(text) {
            routine.line = line;
            routine.module = fortran.as_ref().map(|(name, _)| name.clone());
            open = Some(routine);
        } else if let Some(code) = after(text, "usercode") {
            file.user_code.push(code.trim().trim_matches('\'').trim().to_owned());
        } else if let Some(rest) = after(text, "common") {
            let block = rest.trim().trim_start_matches('/').split('/').next().unwrap_or_default();
            let reason = "common blocks are not supported: write a routine that reads or sets it";
            file.others.push((block.trim().to_owned(), line, reason.to_owned()));
        } else if let Some(rest) = after(text, "module") {
            let name = name(rest).map_or("", |(name, _)| name);
            fortran = Some((name.to_owned(), Some(line)));
        } else if after(text, "end").and_then(|rest| after(rest, "module")).is_some()
            || after(text, "endmodule").is_some()
        {
            fortran = None;
        } else if let Some((name, line)) = &mut fortran
            && declaration::base(text).is_some()
            && let Some(line) = line.take()
        {
            let reason = "data of modules is not supported: write a routine that reads or sets it";
            file.others.push((name.clone(), line, reason.to_owned()));
        }
    }
    file
}

/// True for a module with the declarations of callbacks.
fn has_callbacks(module: &str) -> bool {
    module.to_ascii_lowercase().contains("__user__")
}

fn is_end(text: &str) -> bool {
    let Some((word, rest)) = name(text) else { return false };
    match word.to_ascii_lowercase().as_str() {
        "end" => {
            let next = name(rest).map(|(word, _)| word.to_ascii_lowercase());
            // The name may follow without a space.
            next.is_none_or(|word| word.starts_with("subroutine") || word.starts_with("function"))
        }
        "endsubroutine" | "endfunction" => true,
        _ => false,
    }
}

/// `subroutine f(a, b)`, `real*8 function f(a) result(r)`.
fn start(text: &str) -> Option<Routine> {
    let (base, mut rest) = match declaration::base(text) {
        Some(Ok((base, rest))) => (Some(base), rest),
        Some(Err(_)) => return None,
        None => (None, text),
    };
    while let Some((word, behind)) = name(rest) {
        match word.to_ascii_lowercase().as_str() {
            "recursive" | "pure" | "elemental" => rest = behind,
            "subroutine" if base.is_none() => return Some(head(behind, None, false)),
            "function" => return Some(head(behind, base, true)),
            _ => return None,
        }
    }
    None
}

fn head(text: &str, base: Option<Type>, is_function: bool) -> Routine {
    let mut routine = Routine::default();
    let Some((own, rest)) = name(text) else {
        routine.problem = Some("it has no name".to_owned());
        return routine;
    };
    routine.name = own.to_owned();
    let mut rest = rest;
    if let Some((inside, behind)) = brackets(rest) {
        routine.arguments = split(inside, ',')
            .into_iter()
            .filter(|one| !one.is_empty())
            .map(str::to_owned)
            .collect();
        rest = behind;
    }
    if is_function {
        let named = after(rest, "result").and_then(brackets).map(|(inside, _)| inside);
        let result = named.unwrap_or(own).to_owned();
        let variable = Variable { base, ..Variable::default() };
        routine.variables.insert(result.clone(), variable);
        routine.result = Some(result);
    }
    routine
}

/// A statement in a routine.
fn inside(text: &str, routine: &mut Routine) -> Result<(), String> {
    let Some((word, rest)) = name(text) else { return Err(format!("`{text}` is unknown")) };
    match word.to_ascii_lowercase().as_str() {
        "threadsafe" => routine.is_threadsafe = true,
        "fortranname" => {
            // `F_FUNC(f,F)` names the symbol of `f` in C.
            let named = match after(rest, "F_FUNC").and_then(brackets) {
                Some((inside, _)) => {
                    routine.is_fortran = true;
                    split(inside, ',')[0]
                }
                None => name(rest).map_or("", |(name, _)| name),
            };
            if named.is_empty() {
                return Err("it has no procedure (`fortranname`)".to_owned());
            }
            routine.fortran_name = Some(named.to_owned());
        }
        "callstatement" => {
            routine.statement = Some(rest.trim().trim_matches('\'').trim().to_owned());
        }
        "callprotoargument" => routine.prototype = Some(rest.trim().to_owned()),
        "use" => {
            let mut parts = split(rest, ',').into_iter();
            let module = parts.next().and_then(name).map_or("", |(name, _)| name);
            let renamed = parts.filter_map(|part| {
                let (own, other) = part.split_once("=>")?;
                Some((own.trim().to_owned(), other.trim().to_owned()))
            });
            routine.uses.push((module.to_owned(), renamed.collect()));
        }
        "external" => {
            for name in declaration::external(text).unwrap_or_default() {
                routine.variables.entry(name.to_owned()).or_default().is_external = true;
            }
        }
        // `intent(c) f` applies to the routine, `intent(c)` alone to all of it.
        "intent" if is_about(rest, routine) => {
            routine.is_c = true;
            routine.by_value |= brackets(rest).is_some_and(|(_, names)| names.trim().is_empty());
        }
        // Memory that the routine shares with others is not part of a call.
        "common" | "implicit" => {}
        "entry" => return Err(format!("it has another entry point: `{text}`")),
        _ => match declaration::read(text, &mut routine.variables) {
            Some(done) => done?,
            None => return Err(format!("the statement `{word}` has no equivalent")),
        },
    }
    Ok(())
}

/// True for `intent(c)` of the routine itself, or of everything in it.
fn is_about(text: &str, routine: &Routine) -> bool {
    let Some((inside, rest)) = brackets(text) else { return false };
    let name = rest.trim().trim_start_matches("::").trim();
    inside.eq_ignore_ascii_case("c") && (name.is_empty() || name == routine.name)
}

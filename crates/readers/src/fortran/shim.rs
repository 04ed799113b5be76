//! Procedures of C, in Fortran, for procedures that C cannot call.
//!
//! Purpose: pass arrays of assumed shape by their sizes, and copy allocatable arrays, results that are arrays, and
//! strings into memory of C.
//! Invariant: a shim has arguments that every compiler passes as C does, and reports that memory is exhausted by its
//! result.
//! Reason: only a Fortran compiler can call procedures whose arguments have descriptors of its own.

mod callbacks;
mod copies;
mod objects;
mod strings;

use super::argument::{Argument, argument};
use super::derived::Derived;
use super::kinds::Type;
use super::procedure::{self, Drafted};
use super::source::{Procedure, Source, Variable};
pub(super) use objects::{class_head, class_parts, component, constructor};
use strings::Blanks;

/// The result of a shim that allocates: 1 if memory is exhausted.
const STATUS: &str =
    "status = { messages = { 1 = \"out of memory\" }, exceptions = { 1 = \"MemoryError\" } }\n";

/// The same of one with an allocatable scalar, which C receives as a number.
const STATUS_OF_SCALARS: &str = "status = { messages = { 1 = \"out of memory\", 2 = \"an allocatable number \
     is not allocated\" }, exceptions = { 1 = \"MemoryError\" } }\n";

/// The variable of loops.
const COUNTER: &str = "integer(c_size_t) :: fp_k";
/// The number of characters after which a line is continued. Fortran ignores those after the 132nd.
const WIDTH: usize = 100;

/// The statements of a shim, and its arguments in the interface and in C.
#[derive(Default)]
struct Shim {
    interface: Vec<String>,
    c: Vec<String>,
    /// The names of its arguments.
    dummies: Vec<String>,
    declarations: Vec<String>,
    before: Vec<String>,
    /// The arguments of the procedure.
    actual: Vec<String>,
    after: Vec<String>,
    /// It returns memory of C, or copies arrays.
    allocates: bool,
    /// It returns a number that Fortran may not have allocated.
    returns_scalars: bool,
    /// Names of the module, next to that of the procedure.
    uses: Vec<String>,
    /// The argument by which Fortran finds a method.
    object: String,
    /// The name that Fortran calls: the procedure, or a binding of an object.
    called: String,
    /// Fortran may change an object, which may then refer to what the call has passed.
    changes_objects: bool,
}

/// A name that is bound to a class, and the argument that is its object.
pub(super) struct Method<'s> {
    pub class: &'s Derived,
    /// The name in the class.
    pub name: &'s str,
    /// The name that is bound to the procedure, of which a generic name may have several.
    pub bound: &'s str,
    pub object: &'s str,
}

/// True if C cannot call the procedure as it is.
pub(super) fn is_needed(procedure: &Procedure, source: &Source) -> bool {
    let is_bound = procedure.binding.is_some();
    let needs = |variable: &Variable| {
        let is_string = matches!(variable.base, Some(Type::Character(_)));
        is_allocatable(variable)
            || source.is_object(variable)
            || is_assumed(variable) && !is_bound
            || is_string
                && variable.intent.as_deref() == Some("out")
                && variable.dimensions.is_empty()
    };
    let returns = |name: &String| {
        procedure.variables.get(name).is_some_and(|one| {
            !one.dimensions.is_empty()
                || is_allocatable(one)
                || source.is_object(one)
                || matches!(one.base, Some(Type::Character(_)))
        })
    };
    let variables = &procedure.variables;
    procedure.arguments.iter().filter_map(|name| variables.get(name)).any(needs)
        || procedure.result.as_ref().is_some_and(returns)
        || procedure.generic.is_some()
}

/// The lines that end a shim, which reports that memory is exhausted, if the test holds.
fn end_without_memory(test: &str, indent: &str) -> [String; 4] {
    [&format!("if ({test}) then"), "  fp_status = 1", "  return", "end if"]
        .map(|line| format!("{indent}{line}"))
}

fn is_allocatable(variable: &Variable) -> bool {
    variable.attribute.as_deref() == Some("allocatable")
}

/// The array has the shape of the caller's.
fn is_assumed(variable: &Variable) -> bool {
    variable.dimensions.iter().any(|one| one.ends_with(':'))
}

/// Drafts a function that calls a procedure by a shim.
pub(super) fn draft(procedure: &Procedure, source: &Source) -> Result<Drafted, String> {
    let module = match &procedure.module {
        Some(Ok(module)) => module,
        Some(Err("it is private")) => return Err("it is private: make it public".to_owned()),
        Some(Err(problem)) => return Err((*problem).to_owned()),
        None => return Err(needs_module(procedure)),
    };
    let name = procedure::name(procedure);
    let mut shim = Shim { called: "fp_called".to_owned(), ..Shim::default() };
    shim.uses.push(format!("fp_called => {name}"));
    let table = match source.class(name) {
        // The generic name of a class is that of its constructors.
        Some(class) => format!("handle.{}.new", class.name),
        None => format!("function.{name}"),
    };
    shim.finish(procedure, source, module, &procedure.name, table)
}

/// Drafts a function that calls a name which is bound to a class.
pub(super) fn draft_method(
    method: &Method<'_>,
    procedure: &Procedure,
    source: &Source,
) -> Result<Drafted, String> {
    let Method { class, name, bound, object } = method;
    let module = class.module.as_deref().unwrap_or_default();
    let called = format!("{object}_in_fortran%{name}");
    let shim = Shim { called, object: (*object).to_owned(), ..Shim::default() };
    let table = format!("function.{}.{name}", class.name);
    shim.finish(procedure, source, module, &format!("{}_method_{bound}", class.name), table)
}

/// Why a procedure outside of modules is left out.
fn needs_module(procedure: &Procedure) -> String {
    let found = procedure.arguments.iter().find_map(|name| {
        let variable = procedure.variables.get(name)?;
        if is_allocatable(variable) {
            return Some(format!("`{name}` is allocatable"));
        }
        if let Some(Type::Derived(of)) = &variable.base {
            return Some(format!("`{name}` is an object of type({of})"));
        }
        is_assumed(variable).then(|| format!("`{name}` is of assumed shape"))
    });
    let found = found.unwrap_or_else(|| "it returns an array or a string".to_owned());
    format!("{found}: put the procedure into a module, from which Fortran can call it")
}

impl Shim {
    /// Adds the arguments and the result of a procedure, and prints it all. `own` is the beginning of the shim's name.
    fn finish(
        mut self,
        procedure: &Procedure,
        source: &Source,
        module: &str,
        own: &str,
        table: String,
    ) -> Result<Drafted, String> {
        self.changes_objects = objects::changes(procedure, source);
        for name in &procedure.arguments {
            self.argument(name, procedure, source)?;
        }
        let result = self.result(procedure, source)?;
        let name = format!("{own}_for_c");
        let symbol = format!("{module}_{name}");
        let returns = match (&result, self.allocates) {
            (_, true) => "int".to_owned(),
            (Some((base, _)), false) => base.in_c().to_owned(),
            (None, false) => "void".to_owned(),
        };
        let status = if self.allocates { "status " } else { "" };
        let interface: Vec<&str> = self.interface.iter().map(String::as_str).collect();
        let c: Vec<&str> = self.c.iter().map(String::as_str).collect();
        Ok(Drafted {
            code: format!("{};\n", procedure::prototype(&returns, &symbol, &c)),
            head: procedure::head(&table, procedure),
            table,
            proto: procedure::prototype(&format!("{status}{returns}"), &symbol, &interface),
            end: match (self.allocates, self.returns_scalars) {
                (false, _) => "",
                (true, false) => STATUS,
                (true, true) => STATUS_OF_SCALARS,
            },
            shim: self.print(&name, &symbol, module, result),
            shim_name: own.to_owned(),
            symbol,
        })
    }

    fn argument(
        &mut self,
        name: &str,
        procedure: &Procedure,
        source: &Source,
    ) -> Result<(), String> {
        let declared = procedure.variables.get(name);
        let variable = declared.ok_or_else(|| format!("`{name}` is not declared"))?;
        if variable.is_procedure {
            return self.callback(name, variable, procedure, source);
        }
        if let Some(Type::Derived(of)) = &variable.base {
            return match source.class(of) {
                Some(class) => self.object(name, variable, class, source),
                None => Err(format!(
                    "`{name}` has a derived type, and another argument cannot be passed by C"
                )),
            };
        }
        if variable.is_target && self.changes_objects {
            return Err(format!(
                "`{name}` is a target, to which an object may refer after the call"
            ));
        }
        let base =
            variable.base.as_ref().ok_or_else(|| format!("the type of `{name}` is unknown"))?;
        let is_array = !variable.dimensions.is_empty();
        if is_allocatable(variable) {
            if variable.is_optional {
                return Err(format!("`{name}` is allocatable and optional"));
            }
            let intent = variable.intent.as_deref();
            return match (base, intent) {
                (_, None) => Err(format!("the intent of `{name}` is not declared")),
                (Type::Character(_), Some("out")) if !is_array => {
                    self.returned_string(name, None, Blanks::Kept, "nullable ");
                    self.actual.push(format!("{name}_in_fortran"));
                    Ok(())
                }
                (Type::Number(..), Some("out")) if is_array => {
                    self.returned_array(name, base, variable.dimensions.len());
                    self.actual.push(format!("{name}_in_fortran"));
                    Ok(())
                }
                (Type::Number(..), Some(intent)) if is_array => {
                    self.copied_array(name, base, variable.dimensions.len(), intent == "inout");
                    Ok(())
                }
                (Type::Number(..), Some(intent)) => {
                    self.scalar(name, base, intent);
                    Ok(())
                }
                _ => Err(format!("`{name}` is allocatable, and not of numbers")),
            };
        }
        if matches!(base, Type::Character(_)) {
            return self.string(name, variable);
        }
        let Argument { interface, c, descriptor, .. } = argument(name, procedure, source)?;
        self.interface.extend(interface);
        self.c.extend(c);
        let mut attributes = base.in_fortran().to_owned();
        match variable.intent.as_deref() {
            _ if variable.is_value => attributes.push_str(", value"),
            Some(intent) => attributes.push_str(&format!(", intent({intent})")),
            None => {}
        }
        if variable.is_optional {
            attributes.push_str(", optional");
        }
        let dimensions = match &descriptor {
            Some(of) => format!("({})", of.sizes.join(", ")),
            None if is_array => "(*)".to_owned(),
            None => String::new(),
        };
        self.dummies.push(name.to_owned());
        for size in descriptor.iter().flat_map(|of| &of.sizes) {
            self.dummies.push(size.clone());
            self.declarations.push(format!("integer(c_size_t), value :: {size}"));
        }
        self.declarations.push(format!("{attributes} :: {name}{dimensions}"));
        self.actual.push(name.to_owned());
        Ok(())
    }

    /// The result: its type, and the variable with it, if it is a value.
    fn result(
        &mut self,
        procedure: &Procedure,
        source: &Source,
    ) -> Result<Option<(Type, String)>, String> {
        let Some(name) = &procedure.result else { return Ok(None) };
        let variable = procedure.variables.get(name).cloned().unwrap_or_default();
        let own = format!("result_of_{}", procedure.name);
        match &variable.base {
            None => Err("the type of its result is unknown".to_owned()),
            _ if variable.attribute.is_some() && !is_allocatable(&variable) => {
                Err("its result is a pointer".to_owned())
            }
            Some(base @ Type::Derived(of)) => {
                let class = source.class(of).filter(|_| variable.dimensions.is_empty());
                let class = class.ok_or("its result has a derived type")?;
                self.returned_object(&own, &variable, class, source)?;
                Ok(Some((base.clone(), own)))
            }
            Some(Type::Character(_)) if variable.dimensions.is_empty() => {
                let blanks = match is_allocatable(&variable) {
                    true => Blanks::Kept,
                    false => Blanks::Trimmed,
                };
                self.returned_string(&own, None, blanks, "");
                Ok(Some((Type::Character(None), own)))
            }
            Some(Type::Character(_)) => Err("its result is an array of strings".to_owned()),
            Some(base) if !variable.dimensions.is_empty() => {
                self.returned_array(&own, base, variable.dimensions.len());
                Ok(Some((base.clone(), own)))
            }
            Some(base) => {
                if self.allocates {
                    let ctype = base.in_c();
                    self.interface.push(format!("out {ctype} *{own}"));
                    self.c.push(format!("{ctype} *{own}"));
                    self.dummies.push(own.clone());
                    self.declarations.push(format!("{}, intent(out) :: {own}", base.in_fortran()));
                }
                Ok(Some((base.clone(), own)))
            }
        }
    }

    /// Declares a variable, once.
    fn declare(&mut self, declaration: &str) {
        if !self.declarations.iter().any(|one| one == declaration) {
            self.declarations.push(declaration.to_owned());
        }
    }

    /// The statement for the names of the module that it uses.
    fn used(&self, module: &str) -> Option<String> {
        let mut all = self.uses.clone();
        all.sort();
        all.dedup();
        (!all.is_empty()).then(|| format!("  use {module}, only: {}", all.join(", ")))
    }

    fn print(
        &self,
        name: &str,
        symbol: &str,
        module: &str,
        result: Option<(Type, String)>,
    ) -> String {
        let value = match &result {
            Some((base @ Type::Number(..), own)) if !self.allocates => Some((base, own)),
            _ => None,
        };
        let kind = if self.allocates || value.is_some() { "function" } else { "subroutine" };
        let returned = match (self.allocates, value) {
            (true, _) => " result(fp_status)".to_owned(),
            (false, Some((_, own))) => format!(" result({own})"),
            (false, None) => String::new(),
        };
        let mut lines = vec![format!(
            "{kind} {name}({}) bind(c, name=\"{symbol}\"){returned}",
            self.dummies.join(", ")
        )];
        lines.extend(self.used(module));
        if self.allocates {
            lines.push("  integer(c_int) :: fp_status".to_owned());
        }
        if let Some((base, own)) = value {
            lines.push(format!("  {} :: {own}", base.in_fortran()));
        }
        lines.extend(self.declarations.iter().map(|one| format!("  {one}")));
        if self.allocates {
            lines.push("  fp_status = 0".to_owned());
        }
        lines.extend(self.before.iter().map(|one| format!("  {one}")));
        let (called, actual) = (&self.called, self.actual.join(", "));
        lines.push(match &result {
            None => format!("  call {called}({actual})"),
            Some((Type::Number(..), own))
                if !self.dummies.contains(&format!("size_1_of_{own}")) =>
            {
                format!("  {own} = {called}({actual})")
            }
            Some((_, own)) => format!("  {own}_in_fortran = {called}({actual})"),
        });
        lines.extend(self.after.iter().map(|one| format!("  {one}")));
        lines.push(format!("end {kind}"));
        let lines = lines.iter().map(|line| format!("  {line}\n"));
        format!("\n{}", lines.collect::<String>())
    }
}

/// The interface of C's function, for the strings of lists.
const STRLEN: &str = "    pure function c_strlen(text) bind(c, name=\"strlen\")\n      import :: c_ptr, c_size_t\n      \
     type(c_ptr), value :: text\n      integer(c_size_t) :: c_strlen\n    end function\n";

/// The parts of the module with all shims, in the order of the module.
#[derive(Default)]
pub(super) struct Parts {
    /// Names of other modules.
    pub uses: String,
    /// Constants, and the types of objects.
    pub declarations: String,
    /// Procedures that the shims call.
    pub procedures: String,
    pub shims: String,
}

/// The module with all shims.
pub(super) fn module(name: &str, file: &str, parts: &Parts) -> String {
    let Parts { uses, declarations, procedures, shims } = parts;
    let [uses, declarations, all] =
        [uses.clone(), declarations.clone(), format!("{procedures}{shims}")]
            .map(|part| part.lines().map(continued).collect::<String>());
    let strlen = if all.contains("c_strlen(") { STRLEN } else { "" };
    format!(
        "! Made by `fishplate init` from {file}: procedures of C for procedures that C cannot call.\n\
         module {name}_for_c\n  use, intrinsic :: iso_c_binding\n{uses}  implicit none\n{declarations}  interface\n    \
         function c_malloc(size) bind(c, name=\"malloc\")\n      import :: c_ptr, c_size_t\n      \
         integer(c_size_t), value :: size\n      type(c_ptr) :: c_malloc\n    end function\n{strlen}  \
         end interface\ncontains\n{}end module\n",
        all.trim_start_matches('\n')
    )
}

/// The procedure whose shim has this line, counted from 1.
pub(super) fn at_line(text: &str, line: usize) -> Option<&str> {
    let before: Vec<&str> = text.lines().take(line).collect();
    before.into_iter().rev().find_map(|one| {
        let (kind, rest) = one.trim_start().split_once(' ')?;
        let (name, _) = rest.split_once("_for_c(")?;
        ["function", "subroutine"].contains(&kind).then_some(name)
    })
}

/// A line, continued where it is too long.
fn continued(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let at = line.get(..WIDTH).and_then(|start| start.rfind(' ')).filter(|at| *at > indent);
    match at {
        Some(at) => {
            let rest = format!("{:indent$}    {}", "", line[at..].trim_start());
            format!("{} &\n{}", &line[..at], continued(&rest))
        }
        None => format!("{line}\n"),
    }
}

/// The names of the sizes of an array.
fn sizes_of(name: &str, rank: usize) -> Vec<String> {
    (1..=rank).map(|axis| format!("size_{axis}_of_{name}")).collect()
}

fn brackets(sizes: &[String]) -> String {
    sizes.iter().map(|size| format!("[{size}]")).collect()
}

fn order(rank: usize) -> &'static str {
    if rank > 1 { "fortran " } else { "" }
}

fn colons(rank: usize) -> String {
    vec![":"; rank].join(", ")
}

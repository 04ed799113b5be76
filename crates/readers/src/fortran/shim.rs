//! Procedures of C, in Fortran, for procedures that C cannot call.
//!
//! Purpose: pass arrays of assumed shape by their sizes, and copy allocatable arrays, results that are arrays, and
//! strings into memory of C.
//! Invariant: a shim has arguments that every compiler passes as C does, and reports that memory is exhausted by its
//! result.
//! Reason: only a Fortran compiler can call procedures whose arguments have descriptors of its own.

use super::argument::{Argument, argument};
use super::kinds::Type;
use super::procedure::{self, Drafted};
use super::source::{Procedure, Source, Variable};

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
}

/// The treatment of blanks at the end of a string.
enum Blanks {
    Kept,
    Trimmed,
}

/// True if C cannot call the procedure as it is.
pub(super) fn is_needed(procedure: &Procedure) -> bool {
    let is_bound = procedure.binding.is_some();
    let needs = |variable: &Variable| {
        let is_string = matches!(variable.base, Some(Type::Character(_)));
        is_allocatable(variable)
            || is_assumed(variable) && !is_bound
            || is_string
                && variable.intent.as_deref() == Some("out")
                && variable.dimensions.is_empty()
    };
    let returns = |name: &String| {
        procedure.variables.get(name).is_some_and(|one| {
            !one.dimensions.is_empty()
                || is_allocatable(one)
                || matches!(one.base, Some(Type::Character(_)))
        })
    };
    let variables = &procedure.variables;
    procedure.arguments.iter().filter_map(|name| variables.get(name)).any(needs)
        || procedure.result.as_ref().is_some_and(returns)
        || procedure.generic.is_some()
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
    let mut shim = Shim::default();
    for name in &procedure.arguments {
        shim.argument(name, procedure, source)?;
    }
    let result = shim.result(procedure)?;
    let name = format!("{}_for_c", procedure.name);
    let symbol = format!("{module}_{name}");
    let returns = match (&result, shim.allocates) {
        (_, true) => "int".to_owned(),
        (Some((base, _)), false) => base.in_c().to_owned(),
        (None, false) => "void".to_owned(),
    };
    let status = if shim.allocates { "status " } else { "" };
    let interface: Vec<&str> = shim.interface.iter().map(String::as_str).collect();
    let c: Vec<&str> = shim.c.iter().map(String::as_str).collect();
    Ok(Drafted {
        code: format!("{};\n", procedure::prototype(&returns, &symbol, &c)),
        name: procedure::name(procedure).to_owned(),
        head: procedure::head(procedure),
        proto: procedure::prototype(&format!("{status}{returns}"), &symbol, &interface),
        status: match (shim.allocates, shim.returns_scalars) {
            (false, _) => "",
            (true, false) => STATUS,
            (true, true) => STATUS_OF_SCALARS,
        },
        shim: shim.print(&name, &symbol, module, procedure, result),
        symbol,
    })
}

/// Why a procedure outside of modules is left out.
fn needs_module(procedure: &Procedure) -> String {
    let found = procedure.arguments.iter().find_map(|name| {
        let variable = procedure.variables.get(name)?;
        if is_allocatable(variable) {
            return Some(format!("`{name}` is allocatable"));
        }
        is_assumed(variable).then(|| format!("`{name}` is of assumed shape"))
    });
    let found = found.unwrap_or_else(|| "it returns an array or a string".to_owned());
    format!("{found}: put the procedure into a module, from which Fortran can call it")
}

impl Shim {
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
        if matches!(variable.base, Some(Type::Derived(_))) {
            return Err(format!(
                "`{name}` has a derived type, and another argument cannot be passed by C"
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

    /// A procedure that Fortran calls: a pointer of C, whose interface the module has.
    fn callback(
        &mut self,
        name: &str,
        variable: &Variable,
        procedure: &Procedure,
        source: &Source,
    ) -> Result<(), String> {
        let of = variable.interface.as_deref().filter(|of| source.interfaces.contains_key(*of));
        let of = of.filter(|_| !variable.is_optional).ok_or_else(|| {
            format!(
                "`{name}` is a procedure, and another argument cannot be passed by C: declare it by an abstract \
                 interface of the module, and not optional"
            )
        })?;
        let Argument { interface, c, .. } = argument(name, procedure, source)?;
        self.interface.extend(interface);
        self.c.extend(c);
        self.uses.push(of.to_owned());
        self.dummies.push(name.to_owned());
        self.declarations.push(format!("type(c_funptr), value :: {name}"));
        self.declarations.push(format!("procedure({of}), pointer :: {name}_in_fortran"));
        self.before.push(format!("call c_f_procpointer({name}, {name}_in_fortran)"));
        self.actual.push(format!("{name}_in_fortran"));
        Ok(())
    }

    /// An allocatable number, of which Fortran receives a copy; its value after the call is a result.
    fn scalar(&mut self, name: &str, base: &Type, intent: &str) {
        let (ctype, kind, own) = (base.in_c(), base.in_fortran(), format!("{name}_in_fortran"));
        self.allocates = true;
        if intent != "out" {
            self.interface.push(format!("in {ctype} *{name}"));
            self.c.push(format!("{ctype} *{name}"));
            self.dummies.push(name.to_owned());
            self.declarations.push(format!("{kind}, intent(in) :: {name}"));
            self.allocate(&own, name);
        }
        if intent != "in" {
            let result = if intent == "out" { name.to_owned() } else { format!("new_{name}") };
            self.returns_scalars = true;
            self.interface.push(format!("out {ctype} *{result}"));
            self.c.push(format!("{ctype} *{result}"));
            self.dummies.push(result.clone());
            self.declarations.push(format!("{kind}, intent(out) :: {result}"));
            self.before.push(format!("{result} = 0"));
            self.after.extend([
                format!("if (allocated({own})) {result} = {own}"),
                format!("if (.not. allocated({own})) fp_status = 2"),
            ]);
        }
        self.declarations.push(format!("{kind}, allocatable :: {own}"));
        self.actual.push(own);
    }

    /// Copies an argument for Fortran.
    fn allocate(&mut self, own: &str, name: &str) {
        self.declare("integer :: fp_failed");
        self.before.push(format!("allocate({own}, source={name}, stat=fp_failed)"));
        self.before.push("if (fp_failed /= 0) then".to_owned());
        self.before.extend(["  fp_status = 1", "  return", "end if"].map(str::to_owned));
    }

    /// A string that Fortran reads, or one of a known length that it sets.
    fn string(&mut self, name: &str, variable: &Variable) -> Result<(), String> {
        let Some(Type::Character(length)) = variable.base else { return Ok(()) };
        let own = format!("{name}_in_fortran");
        match (variable.intent.as_deref(), length) {
            _ if variable.is_optional || variable.is_value || !variable.dimensions.is_empty() => {
                Err(format!("the string `{name}` is optional, a value or an array"))
            }
            (Some("in"), None) => {
                let length = format!("length_of_{name}");
                self.interface.extend([
                    format!("in char *{name}"),
                    format!("hidden size_t {length} = len({name})"),
                ]);
                self.c.extend([format!("char *{name}"), format!("size_t {length}")]);
                self.dummies.extend([name.to_owned(), length.clone()]);
                self.declarations.extend([
                    format!("integer(c_size_t), value :: {length}"),
                    format!("character(kind=c_char), intent(in) :: {name}(*)"),
                    format!("character(len={length}) :: {own}"),
                ]);
                self.declare(COUNTER);
                self.before.extend([
                    format!("do fp_k = 1, {length}"),
                    format!("  {own}(fp_k:fp_k) = {name}(fp_k)"),
                    "end do".to_owned(),
                ]);
                self.actual.push(own);
                Ok(())
            }
            (Some("out"), Some(length)) => {
                self.returned_string(name, Some(length), Blanks::Trimmed, "");
                self.actual.push(own);
                Ok(())
            }
            (Some("out"), None) => Err(format!(
                "the length of the string `{name}` is unknown: declare `character(len=:), allocatable`, or a length"
            )),
            _ => Err(format!("the string `{name}` is not only an input or an output")),
        }
    }

    /// The result: its type, and the variable with it, if it is a value.
    fn result(&mut self, procedure: &Procedure) -> Result<Option<(Type, String)>, String> {
        let Some(name) = &procedure.result else { return Ok(None) };
        let variable = procedure.variables.get(name).cloned().unwrap_or_default();
        let own = format!("result_of_{}", procedure.name);
        match &variable.base {
            None => Err("the type of its result is unknown".to_owned()),
            _ if variable.attribute.is_some() && !is_allocatable(&variable) => {
                Err("its result is a pointer".to_owned())
            }
            Some(Type::Derived(_)) => Err("its result has a derived type".to_owned()),
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

    /// An allocatable array, of which Fortran receives a copy.
    fn copied_array(&mut self, name: &str, base: &Type, rank: usize, is_returned: bool) {
        let (ctype, own) = (base.in_c(), format!("{name}_in_fortran"));
        let sizes = sizes_of(name, rank);
        self.interface.push(format!("in {}{ctype} {name}{}", order(rank), brackets(&sizes)));
        self.interface.extend(sizes.iter().map(|size| format!("size_t {size}")));
        self.c.push(format!("{ctype} *{name}"));
        self.c.extend(sizes.iter().map(|size| format!("size_t {size}")));
        self.dummies.push(name.to_owned());
        self.dummies.extend(sizes.iter().cloned());
        self.declarations
            .extend(sizes.iter().map(|size| format!("integer(c_size_t), value :: {size}")));
        let kind = base.in_fortran();
        self.declarations.push(format!("{kind}, intent(in) :: {name}({})", sizes.join(", ")));
        self.allocates = true;
        self.allocate(&own, name);
        self.actual.push(own.clone());
        if is_returned {
            self.copy_back(&format!("new_{name}"), &own, base, rank);
        }
        self.declarations.push(format!("{kind}, allocatable :: {own}({})", colons(rank)));
    }

    /// An array that Fortran allocates, copied into memory of C.
    fn returned_array(&mut self, name: &str, base: &Type, rank: usize) {
        let own = format!("{name}_in_fortran");
        self.copy_back(name, &own, base, rank);
        let kind = base.in_fortran();
        self.declarations.push(format!("{kind}, allocatable :: {own}({})", colons(rank)));
    }

    fn copy_back(&mut self, name: &str, own: &str, base: &Type, rank: usize) {
        let (ctype, kind, sizes) = (base.in_c(), base.in_fortran(), sizes_of(name, rank));
        let shape = brackets(&sizes);
        self.allocates = true;
        self.interface.push(format!("out own(free) {}{ctype} *{name}{shape}", order(rank)));
        self.interface.extend(sizes.iter().map(|size| format!("hidden size_t *{size}")));
        self.c.push(format!("{ctype} **{name}"));
        self.c.extend(sizes.iter().map(|size| format!("size_t *{size}")));
        self.dummies.push(name.to_owned());
        self.dummies.extend(sizes.iter().cloned());
        self.declarations.push(format!("type(c_ptr), intent(out) :: {name}"));
        self.declarations
            .extend(sizes.iter().map(|size| format!("integer(c_size_t), intent(out) :: {size}")));
        self.declarations.push(format!("{kind}, pointer :: {name}_in_c({})", colons(rank)));
        self.before.push(format!("{name} = c_null_ptr"));
        self.before.extend(sizes.iter().map(|size| format!("{size} = 0")));
        self.after.push(format!("if (allocated({own})) then"));
        for (axis, size) in sizes.iter().enumerate() {
            self.after.push(format!("  {size} = size({own}, {}, c_size_t)", axis + 1));
        }
        self.after.extend([
            format!("  if (size({own}) > 0) then"),
            format!(
                "    {name} = c_malloc(size({own}, kind=c_size_t) * (storage_size({own}) / 8))"
            ),
            format!("    if (.not. c_associated({name})) then"),
            "      fp_status = 1".to_owned(),
            "      return".to_owned(),
            "    end if".to_owned(),
            format!("    call c_f_pointer({name}, {name}_in_c, shape({own}))"),
            format!("    {name}_in_c = {own}"),
            "  end if".to_owned(),
            "end if".to_owned(),
        ]);
    }

    /// A string that Fortran sets, copied into memory of C. Without a length, Fortran allocates it. `nullable` is that word
    /// with a blank, or empty.
    fn returned_string(
        &mut self,
        name: &str,
        length: Option<usize>,
        blanks: Blanks,
        nullable: &str,
    ) {
        let own = format!("{name}_in_fortran");
        let (declared, is_set) = match length {
            Some(length) => (format!("character(len={length})"), ".true.".to_owned()),
            None => ("character(len=:), allocatable".to_owned(), format!("allocated({own})")),
        };
        let measure = match blanks {
            Blanks::Kept => "len",
            Blanks::Trimmed => "len_trim",
        };
        self.allocates = true;
        self.interface.push(format!("out {nullable}own(free) char **{name}"));
        self.c.push(format!("char **{name}"));
        self.dummies.push(name.to_owned());
        self.declarations.extend([
            format!("type(c_ptr), intent(out) :: {name}"),
            format!("character(kind=c_char), pointer :: {name}_in_c(:)"),
            format!("{declared} :: {own}"),
        ]);
        self.declare(COUNTER);
        self.declare("integer(c_size_t) :: fp_length");
        self.before.push(format!("{name} = c_null_ptr"));
        self.after.extend([
            format!("if ({is_set}) then"),
            format!("  fp_length = {measure}({own}, kind=c_size_t)"),
            format!("  {name} = c_malloc(fp_length + 1)"),
            format!("  if (.not. c_associated({name})) then"),
            "    fp_status = 1".to_owned(),
            "    return".to_owned(),
            "  end if".to_owned(),
            format!("  call c_f_pointer({name}, {name}_in_c, [fp_length + 1])"),
            "  do fp_k = 1, fp_length".to_owned(),
            format!("    {name}_in_c(fp_k) = {own}(fp_k:fp_k)"),
            "  end do".to_owned(),
            format!("  {name}_in_c(fp_length + 1) = c_null_char"),
            "end if".to_owned(),
        ]);
    }

    /// Declares a variable, once.
    fn declare(&mut self, declaration: &str) {
        if !self.declarations.iter().any(|one| one == declaration) {
            self.declarations.push(declaration.to_owned());
        }
    }

    /// The names of the module that it uses.
    fn used(&self, procedure: &Procedure) -> String {
        let mut all = vec![format!("fp_called => {}", procedure::name(procedure))];
        all.extend(self.uses.iter().cloned());
        all.sort();
        all.dedup();
        all.join(", ")
    }

    fn print(
        &self,
        name: &str,
        symbol: &str,
        module: &str,
        procedure: &Procedure,
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
        let mut lines = vec![
            format!(
                "{kind} {name}({}) bind(c, name=\"{symbol}\"){returned}",
                self.dummies.join(", ")
            ),
            format!("  use {module}, only: {}", self.used(procedure)),
        ];
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
        let actual = self.actual.join(", ");
        lines.push(match &result {
            None => format!("  call fp_called({actual})"),
            Some((Type::Number(..), own))
                if !self.dummies.contains(&format!("size_1_of_{own}")) =>
            {
                format!("  {own} = fp_called({actual})")
            }
            Some((_, own)) => format!("  {own}_in_fortran = fp_called({actual})"),
        });
        lines.extend(self.after.iter().map(|one| format!("  {one}")));
        lines.push(format!("end {kind}"));
        let lines = lines.iter().map(|line| continued(&format!("  {line}")));
        format!("\n{}", lines.collect::<String>())
    }
}

/// The module with all shims.
pub(super) fn module(name: &str, file: &str, shims: &[&str]) -> String {
    format!(
        "! Made by `fishplate init` from {file}: procedures of C for procedures that C cannot call.\n\
         module {name}_for_c\n  use, intrinsic :: iso_c_binding\n  implicit none\n  interface\n    \
         function c_malloc(size) bind(c, name=\"malloc\")\n      import :: c_ptr, c_size_t\n      \
         integer(c_size_t), value :: size\n      type(c_ptr) :: c_malloc\n    end function\n  \
         end interface\ncontains\n{}end module\n",
        shims.concat().trim_start_matches('\n')
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

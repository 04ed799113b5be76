//! A routine as a function of an interface, and the C function that it calls.
//!
//! Purpose: the C function does what f2py's wrapper does between its conversions: it evaluates the
//! checks, and calls the procedure by reference or by the `callstatement`.
//! Invariant: the prototype and the C function declare the same arguments in the same order.
//! Reason: checks and call statements are C code over the variables of the routine, which a C
//! function with these names can contain unchanged.

use super::argument::{self, Argument, Form};
use super::callback;
use super::expression::{self, Shapes};
use super::file::{File, Routine};
use super::text::{brackets, replace, split};

/// The parts of an interface file that stand for a routine.
pub(super) struct Converted {
    /// The procedure's symbol, and its declaration in C.
    pub symbol: (String, String),
    /// The C function.
    pub function: String,
    /// The table of the interface.
    pub table: String,
}

/// Names that are no names of variables in C.
const RESERVED: [&str; 40] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "I", "class", "template", "new", "delete",
    "this",
];

/// Converts a routine, or returns why it has no equivalent.
pub(super) fn convert(routine: &Routine, file: &File) -> Result<Converted, String> {
    if let Some(problem) = &routine.problem {
        return Err(problem.clone());
    }
    let shapes = Shapes::of(routine);
    let mut parameters = Vec::new();
    let mut declarations = Vec::new();
    let mut numbers: Vec<Argument> = Vec::new();
    let names = routine.result.iter().chain(&routine.arguments);
    for name in names {
        if RESERVED.contains(&name.as_str()) {
            return Err(format!("`{name}` is a keyword of C"));
        }
        if argument::variable(name, routine)?.is_external {
            let callback = callback::callback(name, routine, file)?;
            declarations.push(callback.interface);
            parameters.push(callback.c.clone());
            let mut declared = plain(name, Form::Callback);
            declared.declaration = callback.c;
            numbers.push(declared);
            continue;
        }
        let argument = argument::argument(name, routine, &shapes)?;
        declarations.push(argument.declaration.clone());
        parameters.push(argument.in_c());
        numbers.push(argument);
    }
    for free in shapes.all_free() {
        declarations.push(format!("int {free}"));
        parameters.push(format!("int {free}"));
    }
    let call = call(routine, &numbers, &shapes)?;
    let checks = checks(routine, &numbers, &shapes)?;
    let own = format!("call_{}", routine.name);
    let status = if checks.is_empty() { "void" } else { "status int" };
    let mut table = format!("[function.{}]\n", routine.name);
    table.push_str(&prototype(&format!("{status} {own}("), &declarations));
    if !checks.is_empty() {
        let messages: Vec<String> = (1..)
            .zip(&checks)
            .map(|(code, (_, text))| format!("{code} = {}", quoted(&format!("{text} is required"))))
            .collect();
        let exceptions: Vec<String> =
            (1..=checks.len()).map(|code| format!("{code} = \"ValueError\"")).collect();
        table.push_str(&format!(
            "status = {{ messages = {{ {} }}, exceptions = {{ {} }} }}\n",
            messages.join(", "),
            exceptions.join(", ")
        ));
    }
    if numbers.iter().any(|one| one.is_dropped) {
        let outputs = numbers.iter().filter(|one| one.is_output);
        let names: Vec<String> = outputs.map(|one| quoted(&one.name)).collect();
        table.push_str(&format!("returns = [{}]\n", names.join(", ")));
    }
    if !routine.is_threadsafe {
        table.push_str("gil = \"hold\"\n");
    }
    let function = body(&own, &parameters, &numbers, &checks, &call);
    Ok(Converted { symbol: (call.symbol, call.declaration), function, table })
}

fn plain(name: &str, form: Form) -> Argument {
    Argument {
        name: name.to_owned(),
        form,
        ctype: "",
        declaration: String::new(),
        by_value: false,
        is_dropped: false,
        is_output: false,
        length: None,
    }
}

impl Argument {
    /// The parameter of the C function.
    fn in_c(&self) -> String {
        let Argument { name, ctype, .. } = self;
        match self.form {
            Form::Value => format!("{ctype} {name}"),
            Form::Address => format!("{ctype} *p_{name}"),
            Form::Array | Form::String => format!("{ctype} *{name}"),
            Form::Callback => self.declaration.clone(),
        }
    }

    /// The type of the parameter of the procedure, and what is passed for it.
    fn passed(&self) -> (String, String) {
        let Argument { name, ctype, .. } = self;
        match self.form {
            Form::Value | Form::Address if self.by_value => ((*ctype).to_owned(), name.clone()),
            Form::Value | Form::Address => (format!("{ctype} *"), format!("&{name}")),
            Form::Array | Form::String => (format!("{ctype} *"), name.clone()),
            Form::Callback => {
                (self.declaration.replace(&format!("(*{name})"), "(*)"), name.clone())
            }
        }
    }
}

/// The call of the procedure.
struct Call {
    symbol: String,
    declaration: String,
    statement: String,
}

fn call(routine: &Routine, arguments: &[Argument], shapes: &Shapes) -> Result<Call, String> {
    let name = routine.fortran_name.as_ref().unwrap_or(&routine.name);
    let is_c = routine.is_c && !routine.is_fortran;
    let symbol = match &routine.module {
        _ if is_c => name.clone(),
        None => format!("{}_", name.to_lowercase()),
        // As gfortran names it.
        Some(module) => format!("__{}_MOD_{}", module.to_lowercase(), name.to_lowercase()),
    };
    let is_assumed = |one: &&String| {
        let variable = routine.variables.get(*one);
        variable.is_some_and(|one| one.dimensions.iter().any(|dimension| dimension == ":"))
    };
    if let Some(name) =
        routine.arguments.iter().find(is_assumed).filter(|_| routine.module.is_some())
    {
        return Err(format!(
            "`{name}` has the shape of the caller's array: draft the Fortran source with `fishplate init`"
        ));
    }
    let result = routine.result.as_ref().map(|_| &arguments[0]);
    if result.is_some_and(|result| matches!(result.form, Form::String | Form::Array)) {
        return Err("it returns a string or an array".to_owned());
    }
    let result_type = result.map_or("void", |result| result.ctype);
    let rest = &arguments[usize::from(result.is_some())..];
    let mut types: Vec<String> = Vec::new();
    let mut values: Vec<String> = Vec::new();
    for argument in rest {
        let (ctype, value) = argument.passed();
        types.push(ctype);
        values.push(value);
    }
    // The lengths of strings follow all arguments.
    for string in rest.iter().filter(|one| one.form == Form::String && !routine.is_c) {
        types.push("size_t".to_owned());
        values.push(format!("strlen({})", string.name));
    }
    if let Some(prototype) = &routine.prototype {
        expression::refuse(prototype)?;
        types = split(prototype, ',').into_iter().map(plain_type).collect();
        let has_result = result.is_some() && passes_result(routine);
        if has_result && !types.is_empty() {
            types.remove(0);
        }
        if routine.statement.is_none() {
            values.truncate(types.len());
        }
    }
    let statement = match (&routine.statement, result) {
        (Some(statement), _) => {
            given(&expression::in_c(statement, shapes)?, routine, arguments, &symbol)?
        }
        (None, Some(result)) => format!("{} = {symbol}({});", result.name, values.join(", ")),
        (None, None) => format!("{symbol}({});", values.join(", ")),
    };
    let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    Ok(Call { declaration: format!("{result_type} {symbol}({types});"), symbol, statement })
}

/// True if the call statement passes the address of the result to a subroutine that calls the
/// function, rather than calling it.
fn passes_result(routine: &Routine) -> bool {
    let assigned = format!("{}_return_value", routine.name);
    let statement = routine.statement.as_ref();
    !routine.is_c && statement.is_some_and(|statement| !statement.contains(&assigned))
}

/// A type of `callprotoargument`, spelled as that of a declaration.
fn plain_type(text: &str) -> String {
    let text = replace(text, &mut |word, _| match word {
        "complex_float" => Some(("float complex".to_owned(), 0)),
        "complex_double" => Some(("double complex".to_owned(), 0)),
        _ => None,
    });
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" *", "*").replace('*', " *")
}

/// The `callstatement` with the names of the C function.
fn given(
    statement: &str,
    routine: &Routine,
    arguments: &[Argument],
    symbol: &str,
) -> Result<String, String> {
    let mut problem = None;
    let text = replace(statement, &mut |word, rest| {
        if word == "return" {
            problem = Some("the call statement returns".to_owned());
        }
        // f2py's complex numbers are structs.
        let part = [".r", ".i"].iter().position(|part| {
            rest.strip_prefix(part).is_some_and(|rest| !rest.starts_with(super::text::is_part))
        });
        let complex =
            arguments.iter().find(|one| one.name == word && one.ctype.ends_with("complex"));
        if let (Some(part), Some(complex)) = (part, complex) {
            let real = complex.ctype.trim_end_matches(" complex");
            let address = if complex.form == Form::Array { "" } else { "&" };
            return Some((format!("(({real} *){address}{word})[{part}]"), 2));
        }
        if word.strip_suffix("_return_value") == Some(&routine.name) {
            return Some((routine.result.clone()?, 0));
        }
        let callback = word.strip_prefix("cb_")?.split("_in_").next()?;
        Some((callback.to_owned(), 0))
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    if text.contains("->r") || text.contains("->i") {
        return Err("the call statement uses the parts of complex numbers".to_owned());
    }
    let text = text.replace("(*f2py_func)", symbol);
    if text.contains("f2py_func") {
        return Err("the call statement does not call `(*f2py_func)(...)`".to_owned());
    }
    let text = match &routine.result {
        // f2py passes the address of the result to a subroutine that calls the function.
        Some(result) if passes_result(routine) => {
            let names = [&routine.name, result];
            let found = names.iter().find_map(|name| text.split_once(&format!("{symbol}(&{name}")));
            let Some((before, after)) = found else {
                return Err("the call statement does not pass the result first".to_owned());
            };
            let after = after.trim_start().trim_start_matches(',').trim_start();
            format!("{before}{result} = {symbol}({after}")
        }
        _ => text,
    };
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = one_line.ends_with(['}', ';']);
    Ok(if ends { one_line } else { format!("{one_line};") })
}

/// The conditions in C, each with its text in the signature file.
fn checks(
    routine: &Routine,
    arguments: &[Argument],
    shapes: &Shapes,
) -> Result<Vec<(String, String)>, String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for argument in arguments {
        if let Some(length) = argument.length {
            let name = &argument.name;
            found
                .push((format!("strlen({name}) == {length}"), format!("slen({name}) == {length}")));
        }
        let Some(variable) = routine.variables.get(&argument.name) else { continue };
        for check in &variable.checks {
            let condition = expression::in_c(check, shapes)?;
            let is_new = !found.iter().any(|(known, _)| *known == condition);
            if is_new && !always_holds(&condition) {
                found.push((condition, check.clone()));
            }
        }
    }
    Ok(found)
}

/// True for `(n)==(n)`, of an array whose shape the interface compares.
fn always_holds(condition: &str) -> bool {
    let text: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    ["==", ">=", "<="].iter().any(|operator| {
        text.split_once(operator).is_some_and(|(left, right)| {
            let plain = |side: &str| match brackets(side) {
                Some((inside, "")) => inside.to_owned(),
                _ => side.to_owned(),
            };
            plain(left) == plain(right)
        })
    })
}

fn body(
    own: &str,
    parameters: &[String],
    arguments: &[Argument],
    checks: &[(String, String)],
    call: &Call,
) -> String {
    let result = if checks.is_empty() { "void" } else { "int" };
    let start = format!("static {result} {own}(");
    let mut out = wrapped(&start, parameters, ")\n{\n");
    let addressed: Vec<&Argument> =
        arguments.iter().filter(|one| one.form == Form::Address).collect();
    for Argument { name, ctype, .. } in &addressed {
        out.push_str(&format!("    {ctype} {name} = *p_{name};\n"));
    }
    for (code, (condition, _)) in (1..).zip(checks) {
        out.push_str(&format!("    if (!({condition})) return {code};\n"));
    }
    out.push_str(&format!("    {}\n", call.statement));
    for Argument { name, .. } in &addressed {
        out.push_str(&format!("    *p_{name} = {name};\n"));
    }
    if !checks.is_empty() {
        out.push_str("    return 0;\n");
    }
    out.push_str("}\n");
    out
}

/// `proto = "..."`, in several lines if it is long.
fn prototype(start: &str, declarations: &[String]) -> String {
    let line = format!("proto = {}\n", quoted(&format!("{start}{})", declarations.join(", "))));
    if line.len() <= 100 {
        return line;
    }
    let text = wrapped(start, declarations, ")\n").replace('\\', "\\\\");
    format!("proto = \"\"\"\n{text}\"\"\"\n")
}

/// A list in lines of at most 100 characters.
fn wrapped(start: &str, items: &[String], end: &str) -> String {
    let mut out = start.to_owned();
    let mut width = start.len();
    for (index, item) in items.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        if index > 0 && width + item.len() > 96 {
            out.push_str(",\n        ");
            width = 8;
        } else {
            out.push_str(separator);
            width += separator.len();
        }
        out.push_str(item);
        width += item.len();
    }
    if items.is_empty() {
        out.push_str("void");
    }
    out.push_str(end);
    out
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " "))
}

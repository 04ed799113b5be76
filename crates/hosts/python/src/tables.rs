//! The tables of a module: its functions, the methods of its classes, and their descriptions.
//!
//! Purpose: the connection of the generated functions with Python.
//! Invariant: functions are builtin functions and methods are method descriptors of Python, because its interpreter
//! calls these fastest; nothing is called through an object of a type of our own.
//! Reason: such functions have no attributes, so a table of its own describes them.

use crate::function::Entry;
use crate::{docs, handles, operators, origin};
use fishplate_emit::{CFile, Namer, Section, c_string};
use fishplate_model::FunctionId;
use fishplate_plan::{FunctionPlan, HandlePlan, Plan};
use std::collections::HashMap;
use std::fmt::Write as _;

/// All tables. `entries` are the C functions of [`Plan::all_functions`], constructors first, and `targets` the C
/// functions that graphs call for them.
pub(crate) fn emit(
    plan: &Plan,
    entries: &[Entry],
    targets: &[Vec<String>],
    namer: &mut Namer,
    file: &mut CFile,
) -> String {
    let constructors = plan.handles.iter().filter(|handle| handle.constructor.is_some()).count();
    let mut tables = Tables {
        plan,
        constructors: &entries[..constructors],
        entries: &entries[constructors..],
        targets: &targets[constructors..],
        namer,
        file,
        text: String::new(),
        described: String::new(),
    };
    tables.functions();
    let classes = tables.classes();
    let Tables { mut text, described, .. } = tables;
    if !described.is_empty() {
        let _ = writeln!(
            text,
            "static const fp_description fpy_about[] = {{\n{described}    {{NULL, NULL, NULL, NULL, NULL, NULL}},\n}};"
        );
    }
    text + &classes
}

/// The C functions that Python calls for a method or property.
pub(crate) struct Member {
    /// The C function, or that which gets the attribute.
    pub name: String,
    kind: MemberKind,
}

enum MemberKind {
    /// A method, or the function of a property, with any arguments.
    Any,
    /// A method with the object only.
    Lone,
    /// A property, with the function that sets it.
    Attribute(Option<String>),
}

impl Member {
    /// The C expression that calls the method for the object `self`.
    pub fn call(&self) -> String {
        match self.kind {
            MemberKind::Any => format!("FP_GUARDED({})(self, NULL, 0, NULL)", self.name),
            MemberKind::Lone | MemberKind::Attribute(_) => format!("{}(self, NULL)", self.name),
        }
    }
}

struct Tables<'a> {
    plan: &'a Plan,
    constructors: &'a [Entry],
    entries: &'a [Entry],
    targets: &'a [Vec<String>],
    namer: &'a mut Namer,
    file: &'a mut CFile,
    text: String,
    /// The rows of descriptions.
    described: String,
}

impl Tables<'_> {
    /// The functions of the module itself.
    fn functions(&mut self) {
        let mut rows = String::new();
        for (id, function) in self.plan.functions.iter_enumerated() {
            if function.class.is_some() {
                continue;
            }
            let Entry::Any(entry) = &self.entries[usize::from(id)] else { continue };
            let _ = writeln!(self.text, "FP_GUARD({entry})");
            let docstring = docs::docstring(function, false);
            rows.push_str(&self.row(function, "FP_FUNCTION", entry, &docstring));
            self.describe(&function.name, id, entry, &format!("{entry}, NULL"));
        }
        let _ = writeln!(
            self.text,
            "static PyMethodDef fpy_functions[] = {{\n{rows}    {{NULL, NULL, 0, NULL}},\n}};\n"
        );
    }

    /// The classes, with the tables of their methods. Returns the table of classes.
    fn classes(&mut self) -> String {
        let mut rows = String::new();
        let mut constructors = self.constructors.iter();
        for handle in &self.plan.handles {
            let HandlePlan { name, constructor, .. } = handle;
            let construct = match constructor.as_ref().and_then(|_| constructors.next()) {
                Some(Entry::Any(entry)) => {
                    let construct = self.namer.unique(format!("fpy_new_{name}"));
                    let _ = writeln!(self.text, "FP_CONSTRUCTOR({construct}, {entry})");
                    construct
                }
                Some(Entry::Bodies(_)) | None => "NULL".to_owned(),
            };
            let called = self.members(handle);
            let table = self.methods(handle, &called);
            let attributes = self.attributes(handle, &called);
            let (text, slots) = operators::slots(handle, &called, self.plan, self.namer);
            self.text.push_str(&text);
            let _ = writeln!(
                rows,
                "    {{&{}, {construct}, {table}, {attributes}, {slots}}},",
                handles::class(name)
            );
        }
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "\nstatic const fp_class_description fpy_classes[] = {{\n{rows}    {{NULL, NULL, NULL, NULL, NULL}},\n}};\n"
        )
    }

    /// Defines the C functions that Python calls for each method and property of a class, and returns the names by function.
    fn members(&mut self, handle: &HandlePlan) -> HashMap<FunctionId, Member> {
        let mut called = HashMap::new();
        for id in handle.members() {
            let function = &self.plan.functions[id];
            let method = self.namer.unique(format!("fpy_{}_{}_method", handle.name, function.name));
            let most = function.calls.iter().map(|call| call.parameters.len()).max().unwrap_or(1);
            let (definition, kind) = match &self.entries[usize::from(id)] {
                Entry::Any(entry) => {
                    (format!("static FP_METHOD({method}, {entry}, {most})\n"), MemberKind::Any)
                }
                Entry::Bodies(bodies) if function.is_property => self.attribute(&method, bodies),
                Entry::Bodies(bodies) => {
                    (member("FP_LONE_METHOD", &method, &bodies[0]), MemberKind::Lone)
                }
            };
            self.file.begin_function(Some(self.constructors.len() + usize::from(id)));
            self.file.add(Section::Functions, definition);
            self.file.begin_function(None);
            called.insert(id, Member { name: method, kind });
        }
        called
    }

    /// The functions that get and set an attribute.
    fn attribute(&mut self, get: &str, bodies: &[String]) -> (String, MemberKind) {
        let mut text = member("FP_GETTER", get, &bodies[0]);
        let set = bodies.get(1).map(|body| {
            let set = self.namer.unique(format!("{get}_set"));
            text.push_str(&member("FP_SETTER", &set, body));
            set
        });
        (text, MemberKind::Attribute(set))
    }

    /// The methods of a class. Returns the name of their table.
    fn methods(&mut self, handle: &HandlePlan, called: &HashMap<FunctionId, Member>) -> String {
        let mut rows = String::new();
        for &id in &handle.methods {
            let function = &self.plan.functions[id];
            let Member { name: method, kind } = &called[&id];
            let closes = function.closes();
            let (row, functions) = match kind {
                MemberKind::Any => {
                    let _ = writeln!(self.text, "FP_GUARD({method})");
                    ("FP_FUNCTION", format!("{method}, NULL"))
                }
                MemberKind::Lone | MemberKind::Attribute(_) => {
                    ("FP_LONE_FUNCTION", format!("NULL, {method}"))
                }
            };
            let docstring = docs::docstring(function, true);
            if closes {
                let close = self.namer.unique(format!("{method}_once"));
                let call = called[&id].call();
                let _ = writeln!(self.text, "static FP_CLOSING_METHOD({close}, {call})");
                rows.push_str(&self.row(function, "FP_LONE_FUNCTION", &close, &docstring));
                rows.push_str("    {\"__exit__\", fp_handle_exit_by_call, METH_VARARGS, NULL},\n");
            } else {
                rows.push_str(&self.row(function, row, method, &docstring));
            }
            let path = format!("{}.{}", handle.name, function.name);
            self.describe(&path, id, method, &functions);
        }
        let own = match handle.is_base {
            _ if handle.is_derivable() => "FP_DERIVABLE_METHODS",
            true => "FP_BASE_METHODS",
            false => "FP_HANDLE_METHODS",
        };
        let table = self.namer.unique(format!("fpy_{}_methods", handle.name));
        let _ = writeln!(self.text, "static PyMethodDef {table}[] = {{\n{rows}    {own},\n}};\n");
        table
    }

    /// The attributes of a class. Returns the name of their table.
    fn attributes(&mut self, handle: &HandlePlan, called: &HashMap<FunctionId, Member>) -> String {
        let own = match operators::precedes_arrays(handle) {
            true => "FP_OPERAND_ATTRIBUTES",
            false => "FP_HANDLE_ATTRIBUTES",
        };
        if handle.properties.is_empty() {
            let shared = own.trim_start_matches("FP_").to_lowercase();
            return format!("fp_{shared}");
        }
        let mut rows = String::new();
        for &id in &handle.properties {
            let function = &self.plan.functions[id];
            let Member { name: method, kind } = &called[&id];
            let doc = match function.doc.trim() {
                "" => "NULL".to_owned(),
                doc => c_string(doc),
            };
            let name = c_string(&function.name);
            if let MemberKind::Attribute(set) = kind {
                let set = set.as_deref().unwrap_or("NULL");
                let _ = writeln!(rows, "    {{{name}, {method}, {set}, {doc}, NULL}},");
                continue;
            }
            let property = self.namer.unique(format!("{method}_property"));
            let set = if function.is_settable() { "fp_set_property" } else { "NULL" };
            let _ = writeln!(
                self.text,
                "FP_GUARD({method})\nstatic fp_property {property} = {{FP_GUARDED({method})}};"
            );
            let _ = writeln!(rows, "    {{{name}, fp_get_property, {set}, {doc}, &{property}}},");
        }
        let table = self.namer.unique(format!("fpy_{}_attributes", handle.name));
        let _ = writeln!(self.text, "static PyGetSetDef {table}[] = {{\n{rows}    {own},\n}};\n");
        table
    }

    /// A row of a table of functions, after its docstring.
    fn row(
        &mut self,
        function: &FunctionPlan,
        kind: &str,
        called: &str,
        docstring: &str,
    ) -> String {
        let doc = self.namer.unique(format!("{called}_doc"));
        let _ = writeln!(self.text, "PyDoc_STRVAR({doc},\n{});\n", docs::c_docstring(docstring));
        format!("    {kind}({}, {called}, {doc}),\n", c_string(&function.name))
    }

    /// Adds the description of a function or method, which the module has by the name `path`. `functions` are its two
    /// functions in the description.
    fn describe(&mut self, path: &str, id: FunctionId, called: &str, functions: &str) {
        let function = &self.plan.functions[id];
        let targets = &self.targets[usize::from(id)];
        let origin = origin::emit(function, called, targets, self.namer, &mut self.text);
        let _ = writeln!(
            self.described,
            "    {{{}, {}, {}, {functions}, {origin}}},",
            c_string(path),
            c_string(&function.full_name()),
            c_string(&docs::core_signature(&function.calls.raw[0])),
        );
    }
}

/// The definition of the C function that Python calls for a member, of which `body` is a function of the values.
fn member(definition: &str, name: &str, body: &str) -> String {
    format!("FP_GUARD_BODY({body})\nstatic {definition}({name}, {body})\n")
}

//! Drafts of interfaces for C++ headers.
//!
//! Purpose: choose names and tables for the declarations of a [`Unit`], and leave out the others with a reason.
//! Invariant: as of drafts for C; a class that is left out takes its members with it.
//! Reason: a parser of C++ has found the types, so that only names, owners and lifetimes are guessed.

mod aliases;
pub mod declarations;
mod iteration;
mod names;
mod outputs;
mod overloads;
mod pairs;
mod print;
mod rules;
mod selection;
mod shared;

use crate::Reserved;
use crate::draft::print::quoted;
use crate::draft::{DraftModule, LeftOut};
use aliases::Aliases;
use declarations::{Class, Function, Place, Type, Unit};
use fishplate_readers::header::doxygen::Documentation;
use fishplate_readers::header::{Header, comments};
use fishplate_readers::names::is_identifier;
use names::{Names, operator_name};
use overloads::{distinguished_types, ordered};
use rules::{Form, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// A first interface.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The module.
    pub module: DraftModule,
    /// The standard of C++, such as `c++20`.
    pub standard: String,
    /// The declarations that are not in the interface.
    pub left_out: Vec<LeftOut>,
    aliases: Aliases,
    enums: Vec<Table>,
    classes: Vec<Table>,
    functions: Vec<Table>,
    constants: Vec<Entry>,
}

/// A table of the interface.
#[derive(Clone, Debug, Default)]
struct Table {
    /// `function.Square.area`
    name: String,
    /// The name of the declaration: `lib::Square::area`.
    qualified: String,
    place: String,
    doc: String,
    /// Lines that cannot be left out: `ctype = "lib::Square *"`.
    fixed: Vec<String>,
    /// Prototypes, as `proto` or `new`.
    protos: Vec<Entry>,
    /// `fields` of a class, `values` of an enumeration.
    members: Vec<Entry>,
    /// Objects without constructors are deleted all the same.
    is_destructible: bool,
}

/// One prototype, field or value.
#[derive(Clone, Debug, Default)]
struct Entry {
    text: String,
    place: String,
    remarks: Vec<String>,
    /// The names of types that the header uses in it.
    names: BTreeSet<String>,
}

/// Drafts an interface for the declarations whose names match `wanted`, with the enumerations of their types, and with the
/// members of their classes.
pub fn draft(
    unit: &Unit,
    headers: &[Header],
    module: DraftModule,
    standard: &str,
    wanted: &dyn Fn(&str) -> bool,
    reserved: Reserved,
) -> Draft {
    let mut unit = unit.clone();
    outputs::mark(&mut unit, &|place| comment(headers, place));
    pairs::mark(&mut unit);
    let unit = &unit;
    let names = Names::new(unit, reserved);
    let mut drafting = Drafting {
        draft: Draft { module, standard: standard.to_owned(), ..Draft::default() },
        headers,
        names,
        groups: BTreeMap::new(),
    };
    for one in &unit.enums {
        drafting.add_enum(one);
    }
    for class in unit.classes.iter().filter(|class| wanted(last(&class.name))) {
        drafting.add_class(class, unit);
    }
    for function in unit.functions.iter().filter(|one| wanted(&one.name)) {
        let table = drafting.table_of_function(function);
        drafting.add_function(function, &table, Form::Function);
    }
    drafting.draft.select_enums(wanted);
    for (name, place) in &unit.constants {
        if drafting.draft.has_constant(name, wanted) {
            let (text, place) = (drafting.constant(name), drafting.place(*place));
            drafting.draft.constants.push(Entry { text, place, ..Entry::default() });
        }
    }
    for (name, place, reason) in unit.others.iter().filter(|(name, _, _)| wanted(last(name))) {
        drafting.leave_out(name.clone(), *place, reason.clone());
    }
    drafting.draft.move_enums();
    drafting.draft.name_types(unit);
    drafting.draft
}

/// A draft under construction.
struct Drafting<'a> {
    draft: Draft,
    headers: &'a [Header],
    names: Names,
    /// The functions of each table, and the type of their parameters.
    groups: BTreeMap<String, Vec<(Vec<Type>, Function)>>,
}

impl Drafting<'_> {
    /// `shapes.hpp:12`; without a line, a base in another file declares it.
    fn place(&self, place: Place) -> String {
        let header = self.headers.get(place.header).map_or("", |header| header.name.as_str());
        match place.line {
            0 => header.to_owned(),
            line => format!("{header}:{line}"),
        }
    }

    fn doc(&self, place: Place) -> String {
        comment(self.headers, place).map(|found| found.text()).unwrap_or_default()
    }

    fn leave_out(&mut self, name: String, place: Place, reason: String) {
        let place = self.place(place);
        self.draft.left_out.push(LeftOut { name, place, reason });
    }

    fn add_enum(&mut self, one: &declarations::Enum) {
        let Some(name) = self.names.of(&one.name).map(str::to_owned) else { return };
        if let Err(reason) = name.split('.').try_for_each(usable) {
            return self.leave_out(one.name.clone(), one.place, reason);
        }
        let allowed = |value: &&String| self.names.reserved.allows_member(last(value));
        let (values, others): (Vec<&String>, Vec<&String>) = one.values.iter().partition(allowed);
        if values.is_empty() {
            let reason = "it has no values with names that can be attributes".to_owned();
            return self.leave_out(one.name.clone(), one.place, reason);
        }
        for value in others {
            let reason = "the name is reserved".to_owned();
            self.leave_out((*value).clone(), one.place, reason);
        }
        let members = values.into_iter().map(|value| Entry {
            text: format!("{{ {} = {} }}", last(value), quoted(value)),
            ..Entry::default()
        });
        let table = Table {
            name: format!("enum.{name}"),
            qualified: one.name.clone(),
            place: self.place(one.place),
            doc: self.doc(one.place),
            fixed: vec![format!("ctype = {}", quoted(&one.name))],
            members: members.collect(),
            ..Table::default()
        };
        if self.draft.enums.iter().all(|other| other.name != table.name) {
            self.draft.enums.push(table);
        }
    }

    /// A constant, with the name of its class in its own.
    fn constant(&self, name: &str) -> String {
        let class = name.rsplit_once("::").and_then(|(scope, _)| self.names.of(scope));
        match class.filter(|_| is_identifier(last(name))) {
            Some(class) => format!("{{ {class}.{} = {} }}", last(name), quoted(name)),
            None => quoted(name),
        }
    }

    /// Adds a class, and its methods.
    fn add_class(&mut self, class: &Class, unit: &Unit) {
        let Some(name) = self.names.of(&class.name).map(str::to_owned) else { return };
        if let Err(reason) = usable(&name) {
            return self.leave_out(class.name.clone(), class.place, reason);
        }
        let mut table = Table {
            name: format!("handle.{name}"),
            qualified: class.name.clone(),
            place: self.place(class.place),
            doc: self.doc(class.place),
            fixed: vec![format!("ctype = {}", quoted(&shared::ctype(class, unit)))],
            is_destructible: class.is_destructible,
            ..Table::default()
        };
        let bases: Vec<&str> = class.bases.iter().filter_map(|base| self.names.of(base)).collect();
        match bases.as_slice() {
            [] => {}
            [base] => table.fixed.push(format!("base = \"{base}\"")),
            several => table.fixed.push(format!("base = [\"{}\"]", several.join("\", \""))),
        }
        for field in &class.fields {
            let reason = match field.ctype.unqualified() {
                _ if field.is_bit_field => "a field with a width in bits has no address",
                Type::Pointer(to) if matches!(**to, Type::Function(..)) => "a function pointer",
                Type::Pointer(_) => "a pointer whose owner is unknown",
                Type::Reference(_) | Type::Moved(_) => "a reference",
                Type::Other(_) | Type::Function(..) => "its type has no rule",
                _ => {
                    let is_static = if field.is_static { "static " } else { "" };
                    table.members.push(Entry {
                        text: is_static.to_owned() + &declaration(&field.ctype, &field.name),
                        place: self.place(field.place),
                        names: field.names.clone(),
                        ..Entry::default()
                    });
                    continue;
                }
            };
            let name = format!("{}::{}", class.name, field.name);
            self.leave_out(name, field.place, reason.to_owned());
        }
        let items = iteration::items(class, &unit.classes);
        table
            .fixed
            .extend(items.iter().map(|item| format!("items = {}", quoted(&item.to_string()))));
        let can_override = is_derivable(class, unit);
        let can_create = (!class.is_abstract || can_override) && class.is_destructible;
        if can_create && !class.has_constructor {
            table.protos.push(Entry { text: format!("{}()", class.name), ..Entry::default() });
        }
        let mut seen: Vec<Vec<Type>> = Vec::new();
        for one in ordered(&class.constructors) {
            let types = distinguished_types(one);
            let reason = match rules::prototype(one, Form::Constructor) {
                _ if class.is_abstract && !can_override => {
                    "the class is abstract; if `virtual` begins its pure virtual methods, `new` creates objects that \
                     override them"
                        .to_owned()
                }
                _ if !class.is_destructible => "objects cannot be deleted".to_owned(),
                Ok(_) if seen.contains(&types) => {
                    "another one with the same arguments precedes it".to_owned()
                }
                Ok(rule) => {
                    seen.push(types);
                    table.protos.push(entry(rule, one, self.place(one.place)));
                    continue;
                }
                Err(reason) => reason,
            };
            self.leave_out(called(one), one.place, reason);
        }
        if self.draft.classes.iter().any(|other| other.name == table.name) {
            return;
        }
        self.draft.classes.push(table);
        for one in ordered(&class.methods) {
            let is_iteration = items.is_some() && iteration::iterates(one);
            if is_iteration || one.overrides.iter().any(|base| self.names.of(base).is_some()) {
                continue;
            }
            let (table, form) = if one.is_static {
                (format!("function.{name}_{}", one.name), Form::Function)
            } else {
                let method = match operator_name(one, 0) {
                    Ok(method) => method,
                    Err(reason) => {
                        self.leave_out(called(one), one.place, reason);
                        continue;
                    }
                };
                let is_overridden = can_override && one.is_virtual;
                (
                    format!("function.{name}.{}", self.names.reserved.host_name(&method)),
                    if is_overridden { Form::Overridden } else { Form::Method },
                )
            };
            self.add_function(one, &table, form);
        }
    }

    /// The table of a function that belongs to no class; an operator is a method of an operand's.
    fn table_of_function(&self, function: &Function) -> String {
        let class_of = |ctype: &Type| match ctype.unqualified() {
            Type::Reference(to) => match to.unqualified() {
                Type::Class(name) => self.names.of(name).map(str::to_owned),
                _ => None,
            },
            Type::Class(name) => self.names.of(name).map(str::to_owned),
            _ => None,
        };
        if function.name.starts_with("operator") {
            let classes = function.parameters.iter().map(|one| class_of(&one.ctype));
            let found = classes.enumerate().find_map(|(at, class)| Some((at, class?)));
            if let Some((at, class)) = found
                && let Ok(method) = operator_name(function, at)
            {
                return format!("function.{class}.{method}");
            }
        }
        format!("function.{}", self.names.of_function(function))
    }

    fn add_function(&mut self, function: &Function, table: &str, form: Form) {
        let name = called(function);
        let is_operator = function.name.starts_with("operator");
        let own = (!is_operator).then_some(function.name.as_str());
        if let Err(reason) = table.rsplit('.').take(1).chain(own).try_for_each(usable) {
            return self.leave_out(name, function.place, reason);
        }
        if is_operator && form == Form::Function && table.matches('.').count() < 2 {
            let reason = "an operator without a class of these headers as an operand".to_owned();
            return self.leave_out(name, function.place, reason);
        }
        let rule = match rules::prototype(function, form) {
            Ok(rule) => rule,
            Err(reason) => return self.leave_out(name, function.place, reason),
        };
        let place = self.place(function.place);
        let doc = self.doc(function.place);
        let known = self.groups.entry(table.to_owned()).or_default();
        let types = distinguished_types(function);
        if known.iter().any(|(others, _)| *others == types) {
            let reason = "another function with the same arguments precedes it".to_owned();
            // Declared and defined: one function.
            let is_same = |other: &Function| {
                other.qualified() == function.qualified() && other.is_const == function.is_const
            };
            if !known.iter().any(|(others, other)| *others == types && is_same(other)) {
                self.leave_out(name, function.place, reason);
            }
            return;
        }
        known.push((types, function.clone()));
        let entry = entry(rule, function, place.clone());
        match self.draft.functions.iter_mut().find(|one| one.name == table) {
            Some(found) => {
                found.protos.push(entry);
                if found.doc.is_empty() {
                    found.doc = doc;
                }
            }
            None => self.draft.functions.push(Table {
                name: table.to_owned(),
                qualified: function.qualified(),
                place,
                doc,
                protos: vec![entry],
                ..Table::default()
            }),
        }
    }
}

/// Users derive classes from one without a derived class in these headers, if it is abstract, or others accept its objects and
/// call virtual methods that it declares.
fn is_derivable(class: &Class, unit: &Unit) -> bool {
    let is_base = unit.classes.iter().any(|other| other.bases.contains(&class.name));
    let declares = class.methods.iter().any(|one| one.is_virtual && one.overrides.is_empty());
    let is_object = |one: &declarations::Parameter| match &one.ctype {
        Type::Reference(to) | Type::Pointer(to) => {
            matches!(to.unqualified(), Type::Class(name) if *name == class.name)
        }
        _ => false,
    };
    let others = unit.classes.iter().filter(|other| other.name != class.name);
    let mut functions = others.flat_map(|other| &other.methods).chain(&unit.functions);
    let mut is_accepted = || functions.any(|one| one.parameters.iter().any(is_object));
    let can_derive = class.has_virtual_destructor && !is_base && !shared::is_shared(class, unit);
    can_derive && (class.is_abstract || (declares && is_accepted()))
}

impl Draft {
    /// The number of functions.
    pub fn functions(&self) -> usize {
        self.functions.len()
    }

    /// Nothing is left.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.classes.is_empty() && self.enums.is_empty()
    }

    /// Omits a prototype, a field or a value that contains the text, or a whole table with that of its methods. False if
    /// it is gone already.
    pub fn leave_out(&mut self, table: &str, text: &str, reason: &str) -> bool {
        let text = text.trim();
        if table == "constants" {
            let before = self.constants.len();
            let mut gone = Vec::new();
            self.constants.retain(|one| {
                let mut parts = one.text.split([' ', '{', '}', '=', '"']);
                let is_named = parts.any(|part| part == text);
                let is_one = is_named || text.contains(&one.text);
                if is_one {
                    gone.push(one.clone());
                }
                !is_one
            });
            for one in gone {
                let (name, place) = (one.text, one.place);
                self.left_out.push(LeftOut { name, place, reason: reason.to_owned() });
            }
            return self.constants.len() < before;
        }
        let all = [&mut self.enums, &mut self.classes, &mut self.functions];
        let found = all.into_iter().find_map(|tables| {
            let at = tables.iter().position(|one| one.name == table)?;
            Some((tables, at))
        });
        let Some((tables, at)) = found else { return false };
        if tables[at].has_lost(text) {
            return false;
        }
        if let Some(abstract_class) = tables[at].stop_overriding(text, reason) {
            self.leave_out_constructors(&abstract_class, reason);
            return true;
        }
        let gone = tables[at].remove_part(text);
        let is_whole = gone.is_empty();
        let gone = match is_whole {
            true => {
                let whole = tables.remove(at);
                vec![(whole.qualified, whole.place)]
            }
            false => {
                let of = tables[at].qualified.clone();
                gone.into_iter().map(|one| (format!("{of}: `{}`", one.text), one.place)).collect()
            }
        };
        for (name, place) in gone {
            self.left_out.push(LeftOut { name, place, reason: reason.to_owned() });
        }
        if let (Some(class), true) = (table.strip_prefix("handle."), is_whole) {
            let methods = format!("function.{class}.");
            self.functions.retain(|one| !one.name.starts_with(&methods));
            self.move_enums();
        }
        true
    }

    /// Makes the enums of classes that the draft does not have members of the module.
    fn move_enums(&mut self) {
        for one in &mut self.enums {
            let Some((class, member)) = one.name["enum.".len()..].split_once('.') else { continue };
            if !self.classes.iter().any(|other| other.name == format!("handle.{class}")) {
                one.name = format!("enum.{class}_{member}");
            }
        }
    }

    /// Omits the functions with this name, as a linker spells it: `lib::f(int)`. False if there are none.
    pub fn leave_out_symbol(&mut self, symbol: &str, reason: &str) -> bool {
        let name = symbol.split('(').next().unwrap_or(symbol);
        let tables = self.functions.iter().filter(|one| one.qualified == name);
        let tables: Vec<String> = tables.map(|one| one.name.clone()).collect();
        let mut is_smaller = false;
        for table in tables {
            is_smaller |= self.leave_out(&table, "", reason);
        }
        if let (false, Some((class, _))) = (is_smaller, name.rsplit_once("::")) {
            is_smaller = self.leave_out_constructors(class, reason);
        }
        is_smaller
    }

    /// Omits the constructors of a class of C++. False if there are none.
    fn leave_out_constructors(&mut self, class: &str, reason: &str) -> bool {
        let found = self.classes.iter_mut().find(|one| one.qualified == class);
        let Some(found) = found.filter(|one| !one.protos.is_empty()) else { return false };
        found.protos.clear();
        let (name, place) = (found.qualified.clone() + "()", found.place.clone());
        self.left_out.push(LeftOut { name, place, reason: reason.to_owned() });
        true
    }
}

impl Table {
    /// Removes `virtual` from a method that cannot be overridden; none, if nothing overrides it already. Returns the class
    /// whose objects it would have allowed, or an empty name.
    fn stop_overriding(&mut self, text: &str, reason: &str) -> Option<String> {
        let is_only = self.protos.len() == 1;
        let one = self.protos.iter_mut().find(|one| is_only || one.text.contains(text))?;
        let (proto, is_pure) = rules::without_overrides(&one.text)?;
        one.text = proto.to_owned();
        one.remarks.push(format!("nothing overrides it: {reason}"));
        let class = self.qualified.rsplit_once("::").filter(|_| is_pure);
        Some(class.map(|(class, _)| class.to_owned()).unwrap_or_default())
    }

    /// The text is one of a prototype or a field that was omitted already.
    fn has_lost(&self, text: &str) -> bool {
        let all = self.protos.iter().chain(&self.members).map(|one| &one.text).chain(&self.fixed);
        let mut others = all.filter(|one| one.contains(text) || text.contains(*one));
        (text.contains('(') || text.contains(' ')) && others.next().is_none()
    }

    /// Removes the prototypes, fields or values that a text contains, or that contain it; none, if nothing would be left of a
    /// function.
    fn remove_part(&mut self, text: &str) -> Vec<Entry> {
        let is_one = |entry: &Entry| {
            text.len() > 2 && (entry.text.contains(text) || text.contains(&entry.text))
        };
        let all = self.protos.iter().chain(&self.members);
        let gone: Vec<Entry> = all.filter(|one| is_one(one)).cloned().collect();
        let is_class = self.name.starts_with("handle.");
        if !is_class && gone.len() == self.protos.len() + self.members.len() {
            return Vec::new();
        }
        self.protos.retain(|one| !is_one(one));
        self.members.retain(|one| !is_one(one));
        gone
    }
}

/// The comment of a declaration.
fn comment(headers: &[Header], place: Place) -> Option<Documentation> {
    let header = headers.get(place.header)?;
    let lines = header.text.split_inclusive('\n').take(place.line.checked_sub(1)?);
    comments::near(&header.text, lines.map(str::len).sum())
}

fn usable(name: &str) -> Result<(), String> {
    if name.starts_with('_') {
        return Err("its name begins with `_`, which marks internal functions".to_owned());
    }
    if !is_identifier(name) {
        return Err("its name is not one of C".to_owned());
    }
    Ok(())
}

fn entry(rule: Rule, function: &Function, place: String) -> Entry {
    let names = function.names.clone();
    Entry { text: rule.proto, place, remarks: rule.remarks, names }
}

/// The name of a function in the list of what is left out.
fn called(function: &Function) -> String {
    if function.is_template {
        return function.qualified();
    }
    let types = function.parameters.iter().map(|one| one.ctype.to_string());
    let rest = function.is_variadic.then(|| "...".to_owned());
    let types: Vec<String> = types.chain(rest).collect();
    let constant = if function.is_const { " const" } else { "" };
    let name = match last(&function.scope) {
        class if class == function.name => function.scope.clone(),
        _ => function.qualified(),
    };
    format!("{name}({}){constant}", types.join(", "))
}

/// The last part of a qualified name.
fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// A type with a name: `double x[3]`.
fn declaration(ctype: &Type, name: &str) -> String {
    match ctype {
        Type::Array(element, size) => format!("{}[{size}]", declaration(element, name)),
        Type::Const(inner) if matches!(**inner, Type::Array(..)) => {
            format!("const {}", declaration(inner, name))
        }
        _ => format!("{ctype} {name}"),
    }
}

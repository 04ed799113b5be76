//! Writes an interface as a `.toml` in the style of a person.
//!
//! Purpose: convert a model to source, for interfaces in another language.
//! Invariant: [`read`](super::read) returns an equal interface for the output, apart from places
//! and the spelling of prototypes.
//! Reason: a converted file is edited by hand afterwards, so its layout should be readable.

use super::module::EDITION;
use super::{constant, stored};
use crate::prototype::{expressions, locals, print};
use fishplate_model::{
    CallForm, CallbackForm, CallbackType, Device, Dtypes, Ellipses, Enum, ErrorSource, ErrorStack,
    Field, Function, Gil, Handle, Initializer, Interface, Kind, Language, Message, Module,
    Overload, Passing, Scalar, Spanned, Status, StatusTest, Struct, Threads,
};
use std::fmt::Write as _;
use toml_writer::{ToTomlKey, ToTomlValue, TomlKeyBuilder, TomlStringBuilder};

/// The width from which a value is broken.
const WIDTH: usize = 100;

/// The whole file.
pub fn write(interface: &Interface) -> String {
    let mut text = table("[module]", &module(&interface.module));
    let rules = status(&interface.status);
    if !rules.is_empty() {
        text += &table("\n[status]", &rules);
    }
    if !interface.exceptions.is_empty() {
        let pairs = interface.exceptions.iter();
        let entries: Vec<_> =
            pairs.map(|(class, name)| (key(&class.value), quoted(&name.value))).collect();
        text += &table("\n[exceptions]", &entries);
    }
    let types: Vec<_> = interface
        .types
        .iter()
        .map(|ctype| (key(&ctype.spelling), quoted(name(ctype.scalar()))))
        .collect();
    if !types.is_empty() {
        text += &table("\n[types]", &types);
    }
    let constants = constant::written(interface);
    if !constants.is_empty() {
        text += &table("\n[constants]", &[("values".to_owned(), list(constants))]);
    }
    for one in &interface.dtypes {
        text += &table(&format!("\n[dtypes.{}]", key(&one.name.value)), &dtypes(one));
    }
    for one in &interface.enums {
        let name: Vec<String> = one.name.value.split('.').map(key).collect();
        text += &table(&format!("\n[enum.{}]", name.join(".")), &enumeration(one));
    }
    for one in &interface.structs {
        text += &table(&format!("\n[struct.{}]", key(&one.name.value)), &structure(one));
    }
    for one in &interface.unpacked {
        let entries = [("ctype", &one.ctype.spelling), ("fields", &one.fields)];
        let entries = entries.map(|(key, text)| (key.to_owned(), quoted(text)));
        text += &table(&format!("\n[struct.{}]", key(&one.name.value)), &entries);
    }
    for one in interface.handles.iter().filter(|one| !is_iterator(&one.ctype.spelling)) {
        let name = key(&one.name.value);
        let made = constructor(one);
        let (alone, more) = made.split_at(usize::from(made.len() == 1));
        text += &table(&format!("\n[handle.{name}]"), &handle(one, alone));
        if !more.is_empty() {
            text += &table(&format!("\n[handle.{name}.new]"), more);
        }
    }
    for one in &interface.callbacks {
        text += &table(&format!("\n[callback.{}]", key(&one.name.value)), &callback(one));
    }
    for one in interface.functions.iter().filter(|one| !is_derived(one)) {
        let class = one.class.iter().map(|class| key(class) + ".").collect::<String>();
        text += &table(&format!("\n[function.{class}{}]", key(&one.name.value)), &function(one));
    }
    text
}

/// One function and the types it needs, without its documentation: [`read`](super::read) returns an
/// equal function for it.
pub fn write_function(one: &Function) -> String {
    // The function at the address of a call has the fields of unpacked structs as arguments.
    let mut one = one.clone();
    one.overloads.iter_mut().for_each(|overload| overload.unpacked.clear());
    let mut types: Vec<(String, String)> = Vec::new();
    let overloads = one.overloads.iter();
    for ctype in overloads.flat_map(|overload| {
        let result = overload.result.ctype();
        result.into_iter().chain(overload.arguments.iter().map(|argument| &argument.ctype))
    }) {
        if ctype.is_void() {
            continue;
        }
        let words: Vec<&str> = ctype.spelling.split_whitespace().collect();
        let entry = (key(&ctype.spelling), quoted(name(ctype.scalar())));
        if Scalar::from_words(&words) != Some(ctype.scalar()) && !types.contains(&entry) {
            types.push(entry);
        }
    }
    let mut text = if types.is_empty() { String::new() } else { table("[types]", &types) + "\n" };
    let plain = Function {
        doc: String::new(),
        descriptions: Vec::new(),
        operator: None,
        property: None,
        ..one
    };
    text += &table(&format!("[function.{}]", key(&plain.name.value)), &function(&plain));
    text
}

/// The spelling of a type: the dtype, if that is as precise as C's name.
fn name(scalar: Scalar) -> &'static str {
    let name = scalar.dtype_name();
    if Scalar::from_name(name) == Some(scalar) { name } else { scalar.c_name() }
}

/// A header and its keys, with aligned `=`.
fn table(header: &str, entries: &[(String, String)]) -> String {
    let width = entries.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
    let mut text = format!("{header}\n");
    for (key, value) in entries {
        let _ = writeln!(text, "{key:width$} = {value}");
    }
    text
}

fn module(module: &Module) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    let mut add = |key: &str, value: String| entries.push((key.to_owned(), value));
    add("edition", EDITION.to_string());
    if let Some(name) = &module.name {
        add("name", quoted(&name.value));
    }
    if !module.doc.is_empty() {
        add("doc", paragraph(&module.doc));
    }
    if module.language != Language::default() {
        add("language", quoted(module.language.name()));
    }
    module.standard.iter().for_each(|standard| add("standard", quoted(&standard.value)));
    let lists = [
        ("headers", &module.headers),
        ("sources", &module.sources),
        ("include-dirs", &module.include_dirs),
        ("libraries", &module.libraries),
        ("library-dirs", &module.library_dirs),
        ("cflags", &module.cflags),
        ("defines", &module.defines),
        ("init", &module.init),
        ("exit", &module.exit),
    ];
    for (key, list) in lists {
        if !list.is_empty() {
            add(key, strings(list));
        }
    }
    if let Some(code) = &module.header_code {
        add("header-code", paragraph(&code.value));
    }
    if let Some(safety) = module.safety {
        add("threads", quoted(safety.name()));
    }
    if module.stable_abi {
        add("stable-abi", "true".to_owned());
    }
    if let Some(recycles) = module.recycles {
        add("recycle-outputs", recycles.to_string());
    }
    entries
}

fn dtypes(one: &Dtypes) -> Vec<(String, String)> {
    let code = |(scalar, code): &(Scalar, Spanned<String>)| {
        (scalar.dtype_name().to_owned(), quoted(&code.value))
    };
    let codes: Vec<_> = one.values.iter().map(code).collect();
    let mut entries = vec![
        ("ctype".to_owned(), quoted(&one.ctype.value)),
        ("values".to_owned(), inline_table(&codes)),
    ];
    entries.extend(one.equal.as_ref().map(|equal| ("equal".to_owned(), quoted(&equal.value))));
    entries
}

fn enumeration(one: &Enum) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    if !one.doc.is_empty() {
        entries.push(("doc".to_owned(), paragraph(&one.doc)));
    }
    entries.push(("ctype".to_owned(), quoted(&one.ctype.spelling)));
    if one.flags {
        entries.push(("flags".to_owned(), "true".to_owned()));
    }
    entries.push(("values".to_owned(), list(one.values.iter().map(constant::entry).collect())));
    entries
}

fn structure(one: &Struct) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    if !one.doc.is_empty() {
        entries.push(("doc".to_owned(), paragraph(&one.doc)));
    }
    entries.push(("ctype".to_owned(), quoted(&one.ctype.spelling)));
    let field = |field: &Field| {
        let shape: String = field.shape.iter().map(|size| format!("[{size}]")).collect();
        let text = if field.is_text { "text " } else { "" };
        format!("{text}{} {}{shape}", field.ctype.spelling, field.member)
    };
    let fields: Vec<String> = one.fields.iter().map(field).collect();
    entries.push(("fields".to_owned(), quoted(&fields.join("; "))));
    entries
}

/// A constructor: its prototypes alone, or all the keys of a function.
fn constructor(handle: &Handle) -> Vec<(String, String)> {
    let Some(constructor) = &handle.constructor else { return Vec::new() };
    if constructor.overloads[0].c_name.value == stored::beginning(&handle.name.value) {
        return Vec::new();
    }
    // The documentation belongs to the class.
    let mut made = function(&Function { doc: String::new(), ..constructor.clone() });
    if let [(name, _)] = made.as_mut_slice() {
        "new".clone_into(name);
    }
    made
}

/// The function is made from `fields` or `items` of its handle.
fn is_derived(one: &Function) -> bool {
    let mut forms =
        one.overloads.iter().filter_map(|one| Some((&one.c_name.value, one.adapter.as_ref()?)));
    forms.any(|(name, adapter)| match &adapter.form {
        CallForm::Field { .. } => true,
        CallForm::Constructor { class, .. } => is_iterator(class),
        CallForm::Method { .. } | CallForm::Function => name.starts_with("fp_cpp::"),
    })
}

/// It is the class of the iterators over the items of a handle.
fn is_iterator(spelling: &str) -> bool {
    spelling.starts_with("fp_cpp::items<")
}

fn handle(handle: &Handle, new: &[(String, String)]) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    if !handle.doc.is_empty() {
        entries.push(("doc".to_owned(), paragraph(&handle.doc)));
    }
    let spelling = &handle.ctype.spelling;
    entries.push(match handle.is_counted() {
        true => ("ctype".to_owned(), quoted(&shared_pointer(spelling))),
        false if handle.stored.is_some() => ("ctype".to_owned(), quoted(&handle.ctype.written())),
        false => ("ctype".to_owned(), quoted(spelling)),
    });
    if let Some(stored) = &handle.stored {
        entries.push(("storage".to_owned(), quoted("value")));
        entries.extend(stored.init.as_ref().map(|init| ("init".to_owned(), initializer(init))));
    }
    if let Some(invalid) = handle.ctype.invalid_identifier() {
        let is_number = invalid.parse::<i64>().is_ok();
        let written = if is_number { invalid.to_owned() } else { quoted(invalid) };
        entries.push(("invalid".to_owned(), written));
    }
    entries.extend_from_slice(new);
    if let Some(destructor) = handle.destructor.as_ref().filter(|one| !one.ends_reference()) {
        entries.push(("free".to_owned(), quoted(&destructor.code().value)));
    }
    if let Some(context) = &handle.context {
        entries.push(("context".to_owned(), quoted(&context.value)));
    }
    match handle.bases.as_slice() {
        [] => {}
        [one] => entries.push(("base".to_owned(), quoted(&one.value))),
        several => entries.push(("base".to_owned(), strings(several))),
    }
    if !handle.fields.is_empty() {
        entries.push(("fields".to_owned(), quoted(&handle.fields)));
    }
    if !handle.items.is_empty() {
        entries.push(("items".to_owned(), quoted(&handle.items)));
    }
    if let Some(user_data) = &handle.user_data {
        entries.push(("user-data".to_owned(), quoted(&user_data.value)));
    }
    if handle.status.says_something() {
        entries.push(("status".to_owned(), inline_table(&status(&handle.status))));
    }
    if let Some(safety) = handle.safety {
        entries.push(("threads".to_owned(), quoted(safety.name())));
    }
    entries
}

/// `"mpfr_init"`, `{ call = "f(object)", success = "status == 0" }`
fn initializer(init: &Initializer) -> String {
    let Some(success) = &init.success else { return quoted(&init.code.value) };
    let mut entries = vec![
        ("call".to_owned(), quoted(&init.code.value)),
        ("success".to_owned(), quoted(&success.value)),
    ];
    let message = init.message.as_ref();
    entries.extend(message.map(|message| ("message".to_owned(), self::message(message))));
    inline_table(&entries)
}

/// `std::shared_ptr<lib::Node>`, for `lib::Node *`.
fn shared_pointer(spelling: &str) -> String {
    format!("std::shared_ptr<{}>", spelling.trim_end_matches(['*', ' ']))
}

fn callback(one: &CallbackType) -> Vec<(String, String)> {
    let mut entries = vec![
        ("ctype".to_owned(), quoted(&one.ctype.spelling)),
        ("proto".to_owned(), quoted(&print(&one.callback.overload))),
    ];
    if let CallbackForm::Struct { function, data } = &one.callback.form {
        entries.push(("function".to_owned(), quoted(function)));
        entries.push(("data".to_owned(), quoted(data)));
    }
    if let Some(asks) = &one.callback.asks {
        entries.push(("data".to_owned(), quoted(&asks.to_string())));
    }
    if !one.callback.fails.is_empty() {
        entries.push(("fails".to_owned(), quoted(&expressions(&one.callback.fails))));
    }
    entries
}

/// `{ a = "csr(indptr, indices, data)" }`
fn sparse(function: &Function) -> String {
    let matrices = function.sparse.iter();
    let entries: Vec<_> =
        matrices.map(|(name, value)| (key(&name.value), quoted(&value.to_string()))).collect();
    inline_table(&entries)
}

fn function(function: &Function) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    let mut add = |key: &str, value: String| entries.push((key.to_owned(), value));
    if !function.doc.is_empty() {
        add("doc", paragraph(&function.doc));
    }
    if !function.descriptions.is_empty() {
        let described = function.descriptions.iter();
        let entries: Vec<_> = described.map(|(name, text)| (key(name), quoted(text))).collect();
        add("descriptions", inline_table(&entries));
    }
    let is_written =
        |one: &&Overload| !one.adapter.as_ref().is_some_and(|adapter| adapter.is_assignment());
    let written: Vec<Overload> = function.overloads.iter().filter(is_written).cloned().collect();
    let (protos, kinds) = prototypes(&written);
    for (key, proto) in protos {
        add(&key, proto);
    }
    if let Some(kinds) = kinds {
        add("kinds", list(kinds.iter().map(|kind| quoted(kind.name())).collect()));
    }
    if function.property.is_some() {
        add("property", "true".to_owned());
    }
    if let Some(operator) = &function.operator {
        add("operator", quoted(operator.value.name));
    }
    let ellipses = function.ellipses;
    if ellipses.maps() {
        add("ellipses", dots(ellipses));
    }
    match function.threads {
        Threads::AtMost(1) => {
            if let Some(safety) = function.safety {
                add("threads", quoted(safety.name()));
            }
        }
        Threads::AtMost(count) => add("threads", count.to_string()),
        Threads::All => add("threads", quoted("all")),
    }
    if function.device != Device::default() {
        add("device", quoted(function.device.name()));
    }
    if let Some(returns) = &function.returns {
        add("returns", strings(returns));
    }
    if function.status.says_something() {
        add("status", inline_table(&status(&function.status)));
    }
    match function.gil {
        Gil::Auto => {}
        Gil::Hold => add("gil", quoted("hold")),
        Gil::Release => add("gil", quoted("release")),
    }
    if let Some(work) = &function.work {
        add("work", quoted(&work.to_string()));
    }
    let locals = function.overloads.first().map(locals).unwrap_or_default();
    if !locals.is_empty() {
        add("locals", quoted(&locals.join("; ")));
    }
    if let Some(query) = &function.query {
        add("query", quoted(&query.to_string()));
    }
    if !function.sparse.is_empty() {
        add("sparse", sparse(function));
    }
    for (key, code) in [("pre-call", &function.pre_call), ("post-call", &function.post_call)] {
        if let Some(code) = code {
            add(key, paragraph(&code.value));
        }
    }
    entries
}

/// The key `stack` of a `[status]`.
fn stack(ErrorStack { source, message }: &ErrorStack) -> (String, String) {
    let keys = match source {
        ErrorSource::Next(next) => vec![("next", next)],
        ErrorSource::Walk { call, each } => vec![("walk", call), ("each", each)],
    };
    let entry = |(key, code): (&str, &Spanned<String>)| (key.to_owned(), quoted(&code.value));
    let mut entries: Vec<_> = keys.into_iter().map(entry).collect();
    entries.push(("message".to_owned(), self::message(message)));
    ("stack".to_owned(), inline_table(&entries))
}

/// `"strerror(status)"`, `"own(free) lib_message(status)"`
fn message(Message { text, free }: &Message) -> String {
    let owner = free.as_ref().map(|free| format!("own({free}) ")).unwrap_or_default();
    quoted(&format!("{owner}{}", text.value))
}

/// The keys of a `[status]`.
fn status(status: &Status) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    let mut add = |key: &str, value: String| entries.push((key.to_owned(), value));
    for (key, test) in [("success", &status.success), ("warnings", &status.warnings)] {
        match test {
            None => {}
            Some(StatusTest::Expression(code)) => add(key, quoted(&code.value)),
            Some(StatusTest::Values(values)) => {
                let number = |value: &Spanned<String>| match value.value.parse::<i64>() {
                    Ok(_) => value.value.clone(),
                    Err(_) => quoted(&value.value),
                };
                add(key, list(values.iter().map(number).collect()));
            }
        }
    }
    status.message.iter().for_each(|message| add("message", self::message(message)));
    for (name, pairs) in [("messages", &status.messages), ("exceptions", &status.exceptions)] {
        if let Some(pairs) = pairs {
            let entry = |(value, text): &(Spanned<String>, Spanned<String>)| {
                (key(&value.value), quoted(&text.value))
            };
            add(name, inline_table(&pairs.iter().map(entry).collect::<Vec<_>>()));
        }
    }
    match status.errno.as_ref().map(|code| code.value.as_str()) {
        None => {}
        Some("") => add("errno", "false".to_owned()),
        Some("errno") => add("errno", "true".to_owned()),
        Some(code) => add("errno", quoted(code)),
    }
    status.clear.iter().for_each(|code| add("clear", quoted(&code.value)));
    entries.extend(status.stack.as_ref().map(stack));
    entries
}

/// `{ a = 1, b = 2 }`
pub(super) fn inline_table(entries: &[(String, String)]) -> String {
    let entries: Vec<String> =
        entries.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", entries.join(", ")).replace("{  }", "{}")
}

fn dots(ellipses: Ellipses) -> String {
    match (ellipses.broadcast, ellipses.ragged) {
        (true, true) => list(vec![quoted("..."), quoted("var...")]),
        (_, true) => quoted("var..."),
        (_, false) => quoted("..."),
    }
}

/// The keys of a function's prototypes, and its `kinds`, which apply to prototypes without their
/// own kind.
fn prototypes(overloads: &[Overload]) -> (Vec<(String, String)>, Option<&[Kind]>) {
    let proto = |value: String| vec![("proto".to_owned(), value)];
    if overloads.windows(2).all(|pair| pair[0].kinds == pair[1].kinds) {
        let all = overloads.iter().map(|overload| quoted(&print(overload))).collect();
        let kinds = overloads.first().and_then(|first| first.kinds.as_deref());
        return (proto(one_or_list(all)), kinds);
    }
    let mut kinds = None;
    // Consecutive prototypes for the same kind, or for none.
    let mut runs: Vec<(Option<Kind>, Vec<String>)> = Vec::new();
    for overload in overloads {
        let own = own_kind(overload);
        let text = match own {
            Some(Kind::Fortran) => quoted(&print(&without_fortran(overload))),
            _ => quoted(&print(overload)),
        };
        if own.is_none() {
            kinds = overload.kinds.as_deref();
        }
        match runs.last_mut() {
            Some((last, strings)) if *last == own => strings.push(text),
            _ => runs.push((own, vec![text])),
        }
    }
    let is_once = |kind: &Option<Kind>| runs.iter().filter(|(other, _)| other == kind).count() == 1;
    if runs.iter().all(|(kind, _)| kind.is_some() && is_once(kind)) {
        let keys = runs.into_iter().filter_map(|(kind, strings)| {
            Some((format!("proto.{}", kind?.name()), one_or_list(strings)))
        });
        return (keys.collect(), kinds);
    }
    let mut parts = Vec::new();
    for (kind, strings) in runs {
        match kind {
            None => parts.extend(strings),
            Some(kind) => {
                let of_kind = |text| format!("{{ {} = {text} }}", kind.name());
                parts.extend(strings.into_iter().map(of_kind));
            }
        }
    }
    (proto(list(parts)), kinds)
}

/// The one kind of a prototype, if a table can express that.
fn own_kind(overload: &Overload) -> Option<Kind> {
    let kind = match overload.kinds.as_deref() {
        Some([kind]) => *kind,
        _ => return None,
    };
    let mut marked = overload.clone();
    marked.set_kind(kind);
    (marked == *overload).then_some(kind)
}

/// Its form below the kind `Fortran`, in which that is implied.
fn without_fortran(overload: &Overload) -> Overload {
    let mut plain = overload.clone();
    for argument in &mut plain.arguments {
        if let Passing::Array { shape, fortran, .. } = &mut argument.passing {
            *fortran &= shape.len() < 2;
        }
    }
    plain
}

fn strings(strings: &[Spanned<String>]) -> String {
    list(strings.iter().map(|text| quoted(&text.value)).collect())
}

fn one_or_list(mut values: Vec<String>) -> String {
    if values.len() == 1 { values.remove(0) } else { list(values) }
}

/// On one line, or on a line each if that is too wide.
fn list(values: Vec<String>) -> String {
    let line = format!("[{}]", values.join(", "));
    // The width of the key before it.
    let is_wide = line.chars().count() + "include-dirs = ".len() > WIDTH;
    if is_wide && values.len() > 1 {
        format!("[\n    {},\n]", values.join(",\n    "))
    } else {
        line
    }
}

/// A string of one line or more.
fn paragraph(text: &str) -> String {
    TomlStringBuilder::new(text).as_default().to_toml_value()
}

/// A string in quotes, on one line.
pub(super) fn quoted(text: &str) -> String {
    let line = TomlStringBuilder::new(text);
    line.as_basic_pretty()
        .or_else(|| line.as_literal())
        .unwrap_or_else(|| line.as_basic())
        .to_toml_value()
}

/// A key, in quotes if TOML requires them.
pub(super) fn key(name: &str) -> String {
    TomlKeyBuilder::new(name).as_default().to_toml_key()
}

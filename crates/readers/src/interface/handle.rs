//! The `[handle.NAME]` tables.
//!
//! Purpose: parse classes of objects that C identifies by a pointer or an integer: the type, the constructor,
//! the destructor.
//! Invariant: the types are declared before any prototype is read, since all prototypes may use
//! them.
//! Reason: a constructor is a function like any other, so the same code parses it.

use super::code::{one_piece, uses};
use super::field;
use super::function;
use super::items;
use super::mapping;
use super::status;
use super::stored;
use super::values::{Value, Values, kind};
use crate::names;
use crate::prototype::Types;
use crate::prototype::cplusplus::Piece;
use crate::prototype::lexer::{self, Kind, Token};
use fishplate_model::{
    CType, CallForm, Code, Destructor, Diagnostic, Function, Handle, Spanned, Status, Type,
};
use toml::de::{DeTable, DeValue};

/// The keys of `[handle.NAME]`.
pub(super) const KEYS: &[&str] = &[
    "doc",
    "ctype",
    "invalid",
    "storage",
    "init",
    "new",
    "free",
    "context",
    "base",
    "fields",
    "items",
    "threads",
    "user-data",
    "status",
];

/// The template of C++ whose objects own those of a handle.
const SHARED: &str = "std::shared_ptr";

/// An example for hints.
const CTYPE: &str = "ctype = \"gsl_rng *\"";
const CONTEXT: &str = "context = \"Context\"";

/// A handle whose type is known, and its table.
pub(super) struct Declared<'t, 'v> {
    name: Spanned<String>,
    ctype: CType,
    /// A `std::shared_ptr` counts the references to its objects.
    is_counted: bool,
    table: &'t DeTable<'v>,
    value: &'t Value<'v>,
}

impl Declared<'_, '_> {
    /// The name of the handle.
    pub(super) fn name(&self) -> &str {
        &self.name.value
    }

    /// The class of C++ whose objects are handles.
    pub(super) fn class(&self) -> Option<&str> {
        self.ctype.spelling.strip_suffix('*').map(str::trim)
    }

    /// The names of its bases, as far as they are strings.
    pub(super) fn base_names(&self) -> Vec<&str> {
        match self.table.get("base").map(|value| value.get_ref()) {
            Some(DeValue::Array(all)) => {
                all.iter().filter_map(|one| one.get_ref().as_str()).collect()
            }
            Some(one) => one.as_str().into_iter().collect(),
            None => Vec::new(),
        }
    }
}

/// Declares the types of all handles. A faulty type is reported here, and the handle omitted.
pub(super) fn declare<'t, 'v>(
    handles: &'t DeTable<'v>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Vec<Declared<'t, 'v>> {
    let mut declared = Vec::new();
    for (name, value) in values.entries(handles) {
        let shown = names::short(&name.value, 40);
        let Some(table) = values.named_table("handle", &name, value, CTYPE) else { continue };
        values.diagnostics().extend(names::refuse_function(&name));
        let Some((_, text)) =
            values.entries(table).into_iter().find(|(key, _)| key.value == "ctype")
        else {
            let message = format!("the handle `{shown}` has no `ctype`");
            report_unknown(table, values);
            let hint = format!("add `{CTYPE}`, its type in C");
            values.missing(table, "ctype", values.span(value), message, hint);
            continue;
        };
        if let Some(ctype) = self::ctype(&name, text, table, types, values) {
            if let Some(item) = table.get("items") {
                let own = items::iterator_of(&name, |other| handles.contains_key(other));
                items::declare(&own, &ctype, item, types, values);
            }
            let text = text.get_ref().as_str().map(|text| types.expand_text(text));
            let is_counted = text.is_some_and(|text| text.contains(SHARED));
            declared.push(Declared { name, ctype, is_counted, table, value });
        }
    }
    declared
}

/// The message and the hint about a handle whose type has template arguments.
fn template(name: &str, ctype: &str) -> (String, String) {
    let counted = ctype.strip_prefix(SHARED).and_then(|rest| rest.trim_start().strip_prefix('<'));
    let (class, written) = match counted.and_then(|inner| inner.trim_end().strip_suffix('>')) {
        Some(class) => (class.trim(), format!("{SHARED}<{name}>")),
        None => (ctype.trim_end_matches(['*', ' ']), format!("{name} *")),
    };
    let class = names::short(class, 60);
    let message = format!("`{class}` has template arguments, and is not one word");
    let hint = format!(
        "name it in `header-code`, `using {name} = {class};`, and write `ctype = \"{written}\"`"
    );
    (message, hint)
}

/// `gsl_rng *`, `struct db *`, `fftw_plan`
fn ctype(
    name: &Spanned<String>,
    value: &Value<'_>,
    table: &DeTable<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<CType> {
    let invalid = table.get("invalid");
    let text = values.string("ctype", value, CTYPE)?;
    let map = values.map(value.span(), &text.value);
    let tokens = lexer::lex(&text.value, &map, values.diagnostics());
    let pieces: Vec<_> = types.expand(&tokens).iter().map(Piece::of).collect();
    let tokens: Vec<_> = pieces.iter().map(Piece::token).collect();
    let (is_counted, star, words) = match tokens.as_slice() {
        [shared, open, words @ .., close]
            if shared.is_word(SHARED) && open.is("<") && close.is(">") =>
        {
            (true, true, words)
        }
        [words @ .., star] if star.is("*") => (false, true, words),
        words => (false, false, words),
    };
    let spelled: Vec<&str> = words.iter().map(|word| word.text).collect();
    let is_stored = stored::is_value(table);
    let is_storable = spelled != ["void"] && !is_counted && invalid.is_none();
    if is_stored && !(is_storable && (star || spelled.len() == 1)) {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("the size of a `{}` is not known", names::short(&name.value, 40)),
            "objects with `storage = \"value\"` are structs, as in `ctype = \"png_image *\"`, or arrays, as in \
             `ctype = \"mpfr_t\"`",
        );
        return None;
    }
    if star && spelled == ["void"] && invalid.is_none() {
        let what = Type::Handle(name.value.clone());
        let ctype = CType { what, spelling: "void *".to_owned(), span: text.span };
        return shared(name, ctype, types, values);
    }
    if let Some(invalid) = invalid {
        let what = Type::Identifier {
            handle: name.value.clone(),
            invalid: self::invalid(invalid, values)?,
        };
        if !star && !words.is_empty() && words.iter().all(is_integer_word) {
            let ctype = CType { what, spelling: spelled.join(" "), span: text.span };
            return shared(name, ctype, types, values);
        }
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("`{}` is not the type of an integer", names::short(&text.value, 40)),
            "`invalid` is for handles that are integers: remove it, or write their type, as in `ctype = \"hid_t\"`",
        );
        return None;
    }
    if !star && types.find(&spelled).is_some() {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("`{}` is a number", names::short(&spelled.join(" "), 40)),
            "if objects are integers, add the one that is not an object: `invalid = -1`",
        );
        return None;
    }
    if words.iter().any(|word| word.is("<")) {
        let (message, hint) = template(&name.value, text.value.trim());
        values.error(Code::WRONG_VALUE, text.span, message, hint);
        return None;
    }
    if words.is_empty() || !words.iter().all(is_type_word) {
        values.error(
            Code::WRONG_VALUE,
            text.span,
            format!("`{}` is not the type of a pointer", names::short(&text.value, 40)),
            format!("write it as the headers do, without `const`, as in `{CTYPE}`"),
        );
        return None;
    }
    if !types.insert_handle(&spelled, star, &name.value) {
        values.error(
            Code::DUPLICATE_NAME,
            text.span,
            format!("`{}` is a type already", names::short(&spelled.join(" "), 40)),
            "a type is one handle, or a number: remove one of the two",
        );
        return None;
    }
    if is_counted {
        types.count_references(&spelled);
    }
    if is_stored {
        types.store(&spelled);
    }
    types.handle(words, usize::from(star), false).map(|(ctype, _)| ctype)
}

/// A `void *` or an integer, which other handles may be, too: prototypes spell it by the name of the handle.
fn shared(
    name: &Spanned<String>,
    ctype: CType,
    types: &mut Types,
    values: &mut Values<'_>,
) -> Option<CType> {
    if types.insert_shared_handle(&name.value, ctype.clone()) {
        return Some(ctype);
    }
    let what = if ctype.invalid_identifier().is_some() { "an integer" } else { "a `void *`" };
    values.error(
        Code::DUPLICATE_NAME,
        name.span,
        format!("`{}` is a type already", names::short(&name.value, 40)),
        format!("prototypes spell a handle that is {what} by its name: choose another"),
    );
    None
}

/// `-1`, or a name that the headers define.
fn invalid(value: &Value<'_>, values: &mut Values<'_>) -> Option<String> {
    const INVALID: &str = "invalid = -1";
    match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::String(_) => {
            let name = values.string("invalid", value, INVALID)?;
            if names::is_qualified(&name.value) && !names::is_c_keyword(&name.value) {
                return Some(name.value);
            }
            values.error(
                Code::WRONG_VALUE,
                name.span,
                format!("`{}` is not an integer", names::short(&name.value, 40)),
                format!("write `{INVALID}`, or a name that the headers define"),
            );
            None
        }
        other => {
            let message =
                format!("`invalid` is an integer or the name of one, not {}", kind(other));
            values.wrong(value, message, format!("write `{INVALID}`"));
            None
        }
    }
}

/// `int`, `hid_t`, `enum kind`
fn is_integer_word(token: &Token<'_>) -> bool {
    token.kind == Kind::Word
        && !matches!(token.text, "struct" | "union" | "void" | "float" | "double")
}

fn is_type_word(token: &Token<'_>) -> bool {
    token.kind == Kind::Word
        && (matches!(token.text, "struct" | "union") || !names::is_c_keyword(token.text))
}

/// Reads the constructors and destructors of the handles, and the functions of their fields and items.
pub(super) fn read_all(
    declared: Vec<Declared<'_, '_>>,
    types: &Types,
    values: &mut Values<'_>,
) -> (Vec<Handle>, Vec<Function>) {
    let mut functions = Vec::new();
    let mut handles = Vec::new();
    let names: Vec<String> = declared.iter().map(|one| one.name.value.clone()).collect();
    for handle in declared {
        let (name, ctype) = (&handle.name, &handle.ctype);
        if let Some(text) = handle.table.get("fields") {
            functions.extend(field::read_all(name, ctype, text, types, values));
        }
        let mut iterator = None;
        if let Some(text) = handle.table.get("items") {
            let (made, class) = {
                let own = items::iterator_of(name, |other| names.iter().any(|one| one == other));
                items::read(name, own, ctype, text, types, values)
            };
            functions.extend(made);
            iterator = class;
        }
        handles.push(read(handle, types, values));
        handles.extend(iterator);
    }
    (handles, functions)
}

fn read(declared: Declared<'_, '_>, types: &Types, values: &mut Values<'_>) -> Handle {
    let Declared { name, ctype, is_counted, table, value } = declared;
    let mut handle = Handle {
        name,
        doc: String::new(),
        ctype,
        bases: Vec::new(),
        safety: None,
        fields: String::new(),
        items: String::new(),
        stored: None,
        constructor: None,
        destructor: None,
        user_data: None,
        context: None,
        status: Status::default(),
    };
    let array = handle.ctype.is_array_of_header().then(|| handle.ctype.written().into_owned());
    let array = array.map(|array| Spanned::new(array, handle.ctype.span));
    handle.stored = stored::read(table, array, values);
    for (key, value) in values.entries(table) {
        match key.value.as_str() {
            "ctype" | "invalid" | "storage" | "init" => {}
            "doc" => {
                let doc = values.string("doc", value, "doc = \"A generator of random numbers.\"");
                handle.doc = doc.map(|doc| doc.value).unwrap_or_default();
            }
            "new" => {
                handle.constructor = constructor(&handle.name, value, types, values);
            }
            "base" => handle.bases = bases(value, values),
            "fields" => {
                let fields = values.string("fields", value, super::field::FIELDS);
                handle.fields = fields.map(|one| types.expand_text(&one.value)).unwrap_or_default();
            }
            "items" => {
                let items = values.string("items", value, items::ITEMS);
                handle.items = items.map(|one| types.expand_text(&one.value)).unwrap_or_default();
            }
            "threads" => handle.safety = mapping::safety(value, values),
            "free" => handle.destructor = destructor(value, values),
            "context" => handle.context = values.string("context", value, CONTEXT),
            "user-data" => handle.user_data = user_data(value, values),
            "status" => handle.status = status::of(value, values),
            _ => {}
        }
    }
    report_unknown(table, values);
    if handle.stored.is_some() && table.get("new").is_none() {
        handle.constructor = Some(stored::constructor(&handle.name, &handle.ctype));
    }
    if let Some(constructor) = &mut handle.constructor {
        constructor.doc.clone_from(&handle.doc);
    }
    let makes = handle.constructor.as_ref().map(|made| made.overloads[0].c_name.span);
    let is_constructed = handle.constructor.iter().flat_map(|made| &made.overloads).any(|made| {
        let form = made.adapter.as_ref().map(|adapter| &adapter.form);
        matches!(form, Some(CallForm::Constructor { .. }))
    });
    if is_counted {
        let code = Spanned::new("fp_cpp::end_reference(object)".to_owned(), handle.ctype.span);
        handle.destructor = Some(Destructor::Reference(code));
        if let Some((key, _)) =
            values.entries(table).into_iter().find(|(key, _)| key.value == "free")
        {
            values.error(
                Code::WRONG_VALUE,
                key.span,
                format!(
                    "the objects of `{}` are freed by a `std::shared_ptr`",
                    names::short(&handle.name.value, 40)
                ),
                "remove `free`, or write the `ctype` as a pointer",
            );
        }
    } else if is_constructed && table.get("free").is_none() {
        let code = Spanned::new("delete object".to_owned(), handle.ctype.span);
        handle.destructor = Some(Destructor::Expression(code));
    }
    check_context(&handle, values);
    if let (Some(place), None) = (makes, &handle.destructor)
        && table.get("free").is_none()
        && handle.stored.is_none()
    {
        let message = format!("no function frees a `{}`", names::short(&handle.name.value, 40));
        let hint = "add `free = \"...\"`, the C function that destroys it";
        let found = Diagnostic::error(Code::MISSING_KEY, values.span(value), message, hint);
        values.diagnostics().push(found.also(place, "this creates one"));
    }
    handle
}

/// `"Shape"`, or a list of several.
fn bases(value: &Value<'_>, values: &mut Values<'_>) -> Vec<Spanned<String>> {
    match value.get_ref() {
        DeValue::Array(_) => values.strings("base", value, "[\"Shape\", \"Named\"]"),
        _ => values.string("base", value, "base = \"Shape\"").into_iter().collect(),
    }
}

fn report_unknown(table: &DeTable<'_>, values: &mut Values<'_>) {
    for (key, _) in values.entries(table) {
        if !KEYS.contains(&key.value.as_str()) {
            values.unknown("a handle", &key, KEYS);
        }
    }
}

/// Prototypes, or a table with the keys of a function.
fn constructor(
    name: &Spanned<String>,
    value: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
) -> Option<Function> {
    if let DeValue::Table(table) = value.get_ref()
        && table.get("proto").is_some()
    {
        return function::read(name.clone(), table, value, types, values);
    }
    let mut constructor = Function::named(name.clone());
    function::overloads(value, types, values, &mut constructor.overloads);
    (!constructor.overloads.is_empty()).then_some(constructor)
}

/// The name of a C function, or an expression over `object`.
fn destructor(value: &Value<'_>, values: &mut Values<'_>) -> Option<Destructor> {
    const FREE: &str = "free = \"gsl_rng_free\"";
    let code = values.string("free", value, FREE)?;
    let is_expression = code.value.contains('(') || code.value.starts_with("delete ");
    if is_expression && uses(&code.value, "object") {
        return one_piece("free", code, values).map(Destructor::Expression);
    }
    if names::is_qualified(&code.value) && !names::is_c_keyword(&code.value) {
        return Some(Destructor::Function(code));
    }
    let shown = names::short(&code.value, 40);
    let (message, hint) = if code.value.contains('(') {
        (
            format!("`{shown}` does not use `object`, the pointer that it frees"),
            "write it where the function takes the pointer, as in `free = \"sym_free(&object)\"`"
                .to_owned(),
        )
    } else {
        (
            format!("`{shown}` is not the name of a C function"),
            format!(
                "write the name only, as in `{FREE}`: it is called with the pointer; or an expression over \
                 `object`, as in `free = \"sym_free(&object)\"`"
            ),
        )
    };
    values.error(Code::BAD_NAME, code.span, message, hint);
    None
}

/// `free` uses the `context` that the table names, and no other.
fn check_context(handle: &Handle, values: &mut Values<'_>) {
    let uses = match &handle.destructor {
        Some(Destructor::Expression(code)) if uses(&code.value, "context") => Some(code.span),
        _ => None,
    };
    let shown = names::short(&handle.name.value, 40);
    match (&handle.context, uses) {
        (None, Some(place)) => values.error(
            Code::MISSING_KEY,
            place,
            format!("the class of the `context` that frees a `{shown}` is not specified"),
            format!("add `{CONTEXT}`, the handle of which each `{shown}` keeps an object"),
        ),
        (Some(context), None) => values.error(
            Code::WRONG_VALUE,
            context.span,
            format!("`free` of `{shown}` does not use `context`"),
            "write it where the function takes the other object, as in `free = \"x_free(context, object)\"`",
        ),
        (Some(context), Some(_)) if handle.stored.is_some() => values.error(
            Code::UNSUPPORTED,
            context.span,
            format!("the module stores each `{shown}`, and clears it without a `context`"),
            "remove `storage`, or `context`",
        ),
        _ => {}
    }
}

/// An expression over `object` and `data`.
fn user_data(value: &Value<'_>, values: &mut Values<'_>) -> Option<Spanned<String>> {
    const SET: &str = "user-data = \"XML_SetUserData(object, data)\"";
    let code = values.string("user-data", value, SET)?;
    for (name, what) in [("object", "the object"), ("data", "its user data")] {
        if !uses(&code.value, name) {
            values.error(
                Code::BAD_NAME,
                code.span,
                format!("`{}` does not use `{name}`, {what}", names::short(&code.value, 40)),
                format!("write the call that sets the user data, as in `{SET}`"),
            );
            return None;
        }
    }
    one_piece("user-data", code, values)
}

/// True for methods of an undeclared handle, which is reported.
pub(super) fn refuse_methods(
    name: &Spanned<String>,
    value: &Value<'_>,
    handles: &[Handle],
    values: &mut Values<'_>,
) -> bool {
    let DeValue::Table(table) = value.get_ref() else { return false };
    let has_proto = |method: &Value<'_>| {
        method.get_ref().as_table().is_some_and(|method| method.get("proto").is_some())
    };
    if table.is_empty() || !table.values().all(has_proto) {
        return false;
    }
    let shown = names::short(&name.value, 40);
    let known = handles.iter().map(|handle| handle.name.value.as_str());
    let hint = match names::closest(&name.value, known) {
        Some(handle) => format!("did you mean `[function.{handle}.NAME]`?"),
        None => format!(
            "a function's name has no dots; methods of a handle need its table, `[handle.{shown}]`"
        ),
    };
    let message = format!("no handle is called `{shown}`, and only handles have methods");
    values.error(Code::UNKNOWN_NAME, name.span, message, hint);
    true
}

/// The methods below their handle's name: `[function.Rng.uniform]`. `None` if `table` is a single
/// function.
pub(super) fn methods<'t, 'v>(
    name: &str,
    value: &'t Value<'v>,
    handles: &[Handle],
) -> Option<&'t DeTable<'v>> {
    let DeValue::Table(table) = value.get_ref() else { return None };
    let is_handle = handles.iter().any(|handle| handle.name.value == name);
    (is_handle && table.get("proto").is_none()).then_some(table)
}
